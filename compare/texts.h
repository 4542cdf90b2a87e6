/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COMPARE_TEXTS_H
#define COMPARE_TEXTS_H

#include "compare.h"

#define DIFF_NUMBER_ROOM 48
#define DIFF_PERCENT_ROOM 32

/* A threshold is broken. */
bool DiffIsRegression(const DiffFound *found);
DiffOutcome DiffOutcomeOf(const DiffFound *found);
/* No row differs, in numbers or texts, nor does the advice. */
bool DiffIsAlike(const DiffFound *found);
/* Values that may differ: they have too few repetitions for a verdict. */
uint32_t DiffUnsure(const DiffFound *found);
/* Of a side that is_silent. */
#define DIFF_SILENT                                                                                \
    "their tables do not say how rows combine (opprof was older): nothing is added up"

/*
 * "slower, duration_time(us) 16.89 -> 132.77 us  +686.1 %", or why there is no verdict; for free().
 * NULL without memory.
 */
char *DiffRunTimeText(const DiffFound *found);
/* How many sentences of advice are new (1) or gone (0). */
uint32_t DiffAdviceChanges(const DiffFound *found, int side);
/* "problem", "hint" or "note". */
const char *DiffSeverityOf(const DiffAdvice *advice);
/* Do all runs of this side (0, 1) have it, but none of the other? */
bool DiffIsAdviceOf(const DiffFound *found, const DiffAdvice *advice, int side);
/* Texts of a table of the results that differ. */
uint32_t DiffTextsThatDiffer(const DiffFound *found, const DiffTable *table);
/* A threshold has too few repetitions for a verdict, and would be broken by the medians. */
bool DiffIsUndecided(const DiffRule *rule);
bool DiffHasUndecidedRule(const DiffFound *found);
/* No row of a table of the results differs. */
bool DiffTableIsAlike(const DiffFound *found, uint32_t table);
const DiffColumn *DiffColumnOf(const DiffChange *change);
bool DiffIsBetter(const DiffChange *change);
/* "new", "gone", "slower", "faster", "more", "less", "same" or "unsure". */
const char *DiffKindOf(const DiffChange *change);
/* Its unit, if its name does not name the column, else "". */
const char *DiffUnitOf(const DiffChange *change);
/* NaN where there is nothing to compare with. */
double DiffPercentOf(const DiffChange *change);
/* "-26.4 %", or "". Returns `out`, of DIFF_PERCENT_ROOM bytes. */
const char *DiffPercentText(char *out, const DiffChange *change);
/* Returns `out`, of DIFF_NUMBER_ROOM bytes. */
const char *DiffNumberText(char *out, double value, uint32_t count, double spread);
/* "Hot instructions, name WAIT_FLAG"; for free(). NULL without memory. */
char *DiffNameOf(const DiffChange *change);

#endif
