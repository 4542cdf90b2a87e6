/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COMPARE_RULES_H
#define COMPARE_RULES_H

#include "changes.h"

/* A threshold: "Task Duration(us) > +5%". */
typedef struct DiffRule {
    const char *text;   /* as it was given; borrowed */
    char *column;       /* name or heading, with or without "TABLE." before it */
    bool is_below;      /* '<' instead of '>' */
    bool is_relative;   /* in percent of the first side */
    bool is_difference; /* of the first side, not a value of the second */
    double value;
    uint32_t tested; /* rows that were compared */
    /* Keys of the rows that were compared although they differ, since no other row of a side has
     * the column; NULL: none. Borrowed from the rows. */
    const char *pair[2];
    bool is_unsure;     /* too few repetitions for a verdict */
    DiffChanges broken; /* rows that are beyond it, the worst first */
} DiffRule;

/* Read a threshold. */
OpprofStatus DiffRuleParse(DiffRule *rule, const char *text, OpprofError **error);
/* Apply it. OPPROF_E_ARGUMENT: no table has such a column. */
OpprofStatus DiffRuleApply(DiffRule *rule, const DiffData *data, OpprofError **error);
void DiffRuleFree(DiffRule *rule);

#endif
