/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_PMU_CHOICES_H
#define PARSE_PMU_CHOICES_H

#include <opprof/kit/facts.h>

#define CHOICES_MAX_LENGTH 200u /* letters of all items together */

/* What a chip file may state of metrics that can be requested. */
#define CHOICES_PATH "metrics.choices"
extern const OpprofFactTable choices_table;

/* The result of resolving the requested metrics. Lists are names separated by commas. */
typedef struct Choices {
    char *groups;    /* metric groups whose counters are read, as requested */
    char *views;     /* additional views */
    char *all_views; /* the same, plus those for launches with recorded operands */
    char *unmade;    /* why nothing is made of some: "'Source' (why), …" */
    uint32_t flags;  /* PMU_LAUNCH_* */
    bool all_groups;
    bool wants_source;  /* hot spots of code */
    bool wants_samples; /* of its program counter */
    bool takes_detail;  /* MemoryDetail, where moves of data were recorded */
} Choices;

/* The items as a user would type them; `items` may be NULL when count is 0: everything but
 * additional views. */
typedef struct ChoiceItems {
    const char *const *items;
    size_t count;
} ChoiceItems;

/* Resolve the items for a chip (`metrics.choices`). Fails with OPPROF_E_ARGUMENT and the nearest
 * name. */
OpprofStatus ChoicesResolve(const OpprofChip *chip, const ChoiceItems *items, Choices *ret_choices,
                            OpprofError **error);

/* Check the items when the chip is not known yet: some chip must know each of them. */
OpprofStatus ChoicesCheck(const ChoiceItems *items, OpprofError **error);

void ChoicesFree(Choices *choices);

#endif
