/* SPDX-License-Identifier: Apache-2.0 */
/* Which event each counter of each replay counted. */
#include "plan.h"

#include <opprof/records/onboard.h>
#include <opprof/text.h>

#include <stdio.h>
#include <stdlib.h>

#define MAX_IDS (PLAN_MAX_ROUNDS * OPPROF_COUNTER_SLOTS)
#define FILLER 0u /* id of counters that count nothing, or scalar instructions */

/* Ids of one kind of core, in the order of the counters of all replays. */
typedef struct IdList {
    uint32_t ids[MAX_IDS];
    uint32_t count;
} IdList;

/* Place of an id in the fixed plan: replay * slots + slot; UINT32_MAX: none. */
typedef struct Wanted {
    uint32_t id;
    uint32_t place;
} Wanted;

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "plan the replays");
}

/* The fixed plan of a kind, each replay filled up. */
static void read_fixed(const PmuLayout *layout, uint32_t kind, IdList *ret_list)
{
    const RoundFacts *rounds = PmuRoundsOf(&layout->facts, layout->kinds[kind].name);
    const uint32_t slots = layout->counters.slot_count;

    ret_list->count = 0;
    for (uint32_t round = 0; rounds != NULL && round < rounds->count; round++) {
        const EventIds *events = &rounds->rounds[round];
        for (uint32_t slot = 0; slot < slots; slot++) {
            ret_list->ids[ret_list->count++] = slot < events->count ? events->ids[slot] : FILLER;
        }
    }
}

/* ---- the packed plan ---- */

static uint32_t place_of(const IdList *fixed, uint32_t id)
{
    for (uint32_t i = 0; i < fixed->count; i++) {
        if (fixed->ids[i] == id) {
            return i;
        }
    }
    return UINT32_MAX;
}

static int by_place(const void *a, const void *b)
{
    const Wanted *x = a;
    const Wanted *y = b;
    return (x->place > y->place) - (x->place < y->place);
}

static bool is_among(const Wanted *wanted, uint32_t count, uint32_t id)
{
    uint32_t i = 0;

    while (i < count && wanted[i].id != id) {
        i++;
    }
    return i < count;
}

/* The ids of the requested groups that are in the fixed plan, without repetitions, in its order. */
static uint32_t collect_wanted(const PmuLayout *layout, uint32_t kind, const Choices *choices,
                               const IdList *fixed, Wanted *wanted, bool *ret_has_filler)
{
    uint32_t count = 0;

    *ret_has_filler = false;
    for (uint32_t group = 0; group < layout->facts.group_count; group++) {
        const GroupFacts *facts = &layout->facts.groups[group];
        const EventIds *events = OpprofPmuListHas(choices->groups, facts->name)
                                     ? PmuGroupEvents(facts, layout->kinds[kind].name)
                                     : NULL;

        for (uint32_t i = 0; events != NULL && i < events->count; i++) {
            const uint32_t id = events->ids[i];
            const uint32_t place = place_of(fixed, id);

            *ret_has_filler = *ret_has_filler || id == FILLER;
            if (place != UINT32_MAX && count < MAX_IDS && id != FILLER &&
                !is_among(wanted, count, id)) {
                wanted[count++] = (Wanted){ .id = id, .place = place };
            }
        }
    }
    qsort(wanted, count, sizeof *wanted, by_place);
    return count;
}

static bool put(IdList *list, uint32_t id)
{
    if (list->count == MAX_IDS) {
        return false;
    }
    list->ids[list->count++] = id;
    return true;
}

static bool fill_round(IdList *list, uint32_t slots)
{
    while (list->count % slots != 0) {
        if (!put(list, FILLER)) {
            return false;
        }
    }
    return true;
}

/* Ids that share a replay of the fixed plan stay together. */
static bool pack_chunks(const Wanted *wanted, uint32_t count, uint32_t slots, IdList *list)
{
    for (uint32_t i = 0; i < count;) {
        uint32_t end = i;
        while (end < count && wanted[end].place / slots == wanted[i].place / slots) {
            end++;
        }
        const uint32_t used = list->count % slots;
        if (used != 0 && end - i > slots - used && !fill_round(list, slots)) {
            return false;
        }
        for (; i < end; i++) {
            if (!put(list, wanted[i].id)) {
                return false;
            }
        }
    }
    return true;
}

/*
 * If id 0 counts something and has no counter left, it takes the place before the last id, which
 * moves to one more replay.
 */
static bool make_filler_count(IdList *list, uint32_t slots, uint32_t most)
{
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->ids[i] == FILLER) {
            return true;
        }
    }
    if (list->count >= most) {
        return true; /* one more replay does not fit */
    }
    if (list->count == 0) {
        return put(list, FILLER) && fill_round(list, slots);
    }
    const uint32_t last = list->ids[list->count - 1];
    list->ids[list->count - 1] = FILLER;
    return put(list, last) && fill_round(list, slots);
}

static OpprofStatus make_packed(const PmuLayout *layout, uint32_t kind, const Choices *choices,
                                const IdList *fixed, IdList *ret_list, OpprofError **error)
{
    const uint32_t slots = layout->counters.slot_count;
    Wanted *wanted = calloc(MAX_IDS, sizeof *wanted);
    bool has_filler = false;

    ret_list->count = 0;
    if (wanted == NULL) {
        return no_memory(error);
    }
    const uint32_t count = collect_wanted(layout, kind, choices, fixed, wanted, &has_filler);
    bool fits = pack_chunks(wanted, count, slots, ret_list) && fill_round(ret_list, slots);
    const uint32_t most = layout->facts.max_rounds * slots; /* a longer plan is cut there */
    if (fits && ret_list->count > most) {
        ret_list->count = most;
    }
    if (fits && has_filler && PmuLayoutColumn(layout, FILLER) != LAYOUT_NO_COLUMN) {
        fits = make_filler_count(ret_list, slots, most);
    }
    free(wanted);
    return fits ? OPPROF_OK
                : OpprofChipRefuse(layout->chip, "pmu.rounds", error,
                                   "too many events for 64 replays");
}

/* ---- from lists to columns ---- */

/* If several counters of one replay count the same, the last one counts. */
static void set_round(const PmuLayout *layout, const uint32_t *ids, uint16_t *columns,
                      uint32_t slots)
{
    for (uint32_t slot = 0; slot < slots; slot++) {
        columns[slot] = PmuLayoutColumn(layout, ids[slot]);
        for (uint32_t earlier = 0; earlier < slot; earlier++) {
            if (columns[earlier] == columns[slot]) {
                columns[earlier] = LAYOUT_NO_COLUMN;
            }
        }
    }
}

static OpprofStatus set_columns(const PmuLayout *layout, const IdList *lists, Plan *plan,
                                OpprofError **error)
{
    const uint32_t slots = plan->slots;
    static const uint32_t nothing[OPPROF_COUNTER_SLOTS];

    for (uint32_t kind = 0; kind < plan->kinds; kind++) {
        const uint32_t rounds = lists[kind].count / slots;
        plan->rounds = rounds > plan->rounds ? rounds : plan->rounds;
    }
    const size_t total = (size_t) plan->kinds * plan->rounds * slots;
    plan->columns = calloc(total + 1, sizeof *plan->columns);
    if (plan->columns == NULL) {
        return no_memory(error);
    }
    for (uint32_t kind = 0; kind < plan->kinds; kind++) {
        for (uint32_t round = 0; round < plan->rounds; round++) {
            const bool is_there = (round + 1) * slots <= lists[kind].count;
            uint16_t *columns = plan->columns + ((size_t) kind * plan->rounds + round) * slots;
            set_round(layout, is_there ? lists[kind].ids + (size_t) round * slots : nothing,
                      columns, slots);
        }
    }
    return OPPROF_OK;
}

OpprofStatus PlanMake(const PmuLayout *layout, const Choices *choices, bool is_application_replay,
                      Plan *ret_plan, OpprofError **error)
{
    const bool is_packed = is_application_replay && !choices->all_groups &&
                           choices->groups[0] != '\0' && !layout->facts.is_always_fixed;
    IdList *lists = malloc((OPPROF_CORE_KINDS + 1) * sizeof *lists);
    OpprofStatus status = lists == NULL ? no_memory(error) : OPPROF_OK;

    *ret_plan = (Plan){ .slots = layout->counters.slot_count, .kinds = layout->kind_count };
    for (uint32_t kind = 0; status == OPPROF_OK && kind < layout->kind_count; kind++) {
        IdList *fixed = &lists[OPPROF_CORE_KINDS];

        lists[kind].count = 0;
        if (choices->groups[0] == '\0') {
            continue; /* nothing was counted */
        }
        read_fixed(layout, kind, is_packed ? fixed : &lists[kind]);
        if (is_packed) {
            status = make_packed(layout, kind, choices, fixed, &lists[kind], error);
        }
    }
    if (status == OPPROF_OK) {
        status = set_columns(layout, lists, ret_plan, error);
    }
    free(lists);
    return status;
}

void PlanFree(Plan *plan)
{
    free(plan->columns);
    *plan = (Plan){ .columns = NULL };
}

/* ---- explaining ---- */

static bool needs_round(const Plan *plan, const PmuLayout *layout, const GroupFacts *group,
                        uint32_t round)
{
    for (uint32_t kind = 0; kind < plan->kinds; kind++) {
        const EventIds *events = PmuGroupEvents(group, layout->kinds[kind].name);
        const uint16_t *columns = PlanRound(plan, kind, round);

        for (uint32_t i = 0; events != NULL && i < events->count; i++) {
            const uint16_t column = PmuLayoutColumn(layout, events->ids[i]);

            for (uint32_t slot = 0; slot < plan->slots && column != LAYOUT_NO_COLUMN; slot++) {
                if (columns[slot] == column) {
                    return true;
                }
            }
        }
    }
    return false;
}

char *PlanGroupsOf(const Plan *plan, const PmuLayout *layout, uint32_t round)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = OpprofTextOpen(&text, &size);

    if (out == NULL) {
        return NULL;
    }
    for (uint32_t i = 0; i < layout->facts.group_count; i++) {
        const GroupFacts *group = &layout->facts.groups[i];

        if (needs_round(plan, layout, group, round)) {
            fprintf(out, "%s%s", ftell(out) > 0 ? ", " : "", group->name);
        }
    }
    return fclose(out) == 0 ? text : NULL;
}
