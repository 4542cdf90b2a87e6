/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COMPARE_COMPARE_H
#define COMPARE_COMPARE_H

#include "rules.h"

#include <stddef.h>

/* All that a comparison of two results found. */
typedef struct DiffFound {
    DiffData data;
    bool has_run_time;
    DiffChange run_time; /* how long the runs took */
    DiffChanges whole;
    DiffChanges causes;
    DiffTextChanges texts;
    DiffChanges *tables; /* of each table of `data` */
    DiffRule *rules;
    size_t rule_count;
} DiffFound;

typedef enum DiffOutcome {
    DIFF_DONE = 0,
    DIFF_REGRESSION, /* a threshold is broken */
    /* None is, but results are incomplete, or a threshold has too few repetitions for a verdict. */
    DIFF_UNDECIDED
} DiffOutcome;

/*
 * Compare two results, and apply thresholds.
 *
 * a, b:   paths, as of DiffDataLoad. Borrowed, as are the rules, while `found` is used
 * rules:  `count` texts, as of DiffRuleParse
 *
 * Returns what DiffDataLoad, DiffRuleParse and DiffRuleApply do; `found` is to be freed in any
 * case.
 */
OpprofStatus DiffFind(DiffFound *found, const char *a, const char *b, const char *const *rules,
                      size_t count, OpprofError **error);
void DiffFoundFree(DiffFound *found);

#endif
