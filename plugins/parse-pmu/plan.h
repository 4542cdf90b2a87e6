/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_PMU_PLAN_H
#define PARSE_PMU_PLAN_H

#include "choices.h"
#include "layout.h"

#define PLAN_MAX_ROUNDS PMU_MAX_ROUNDS

/* Which event each counter of each replay counted. */
typedef struct Plan {
    uint32_t rounds; /* number of replays that counted; 0: none */
    uint32_t slots;  /* counters of a record */
    uint32_t kinds;
    uint16_t *columns; /* [kind][round][slot]: column of the event, or LAYOUT_NO_COLUMN */
} Plan;

static inline const uint16_t *PlanRound(const Plan *plan, uint32_t kind, uint32_t round)
{
    return plan->columns + ((size_t) kind * plan->rounds + round) * plan->slots;
}

/*
 * The plan in force: the fixed one of the chip file, or, if the application was replayed for some
 * of the groups only, the plan that packs their events into as few replays as possible.
 */
OpprofStatus PlanMake(const PmuLayout *layout, const Choices *choices, bool is_application_replay,
                      Plan *ret_plan, OpprofError **error);
void PlanFree(Plan *plan);

/* Names of the groups that need an event of this replay, separated by ", "; free with free(). */
char *PlanGroupsOf(const Plan *plan, const PmuLayout *layout, uint32_t round);

#endif
