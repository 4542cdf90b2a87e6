/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_KIT_FORMULA_PLAIN_FORMULA_H
#define TESTS_KIT_FORMULA_PLAIN_FORMULA_H

/*
 * The language of docs/chips/formulas.md once more: a formula is read and calculated at the same
 * time, with no program in between. What the engine gives is compared with it. Slow, and for
 * formulas only that the engine has accepted.
 */

#include <opprof/kit/formula.h>

typedef enum PlainKind { PLAIN_ABSENT, PLAIN_REAL, PLAIN_WHOLE } PlainKind;

typedef struct PlainValue {
    PlainKind kind;
    double real;
    /* a whole number; of a real the same as a count, where it is shown as it came in */
    uint64_t count;
} PlainValue;

/* What a name stands for. */
typedef struct PlainName {
    const char *formula; /* another formula in its place; NULL: the value */
    PlainValue value;
    bool is_input; /* the value comes from outside: it must be there */
} PlainName;

typedef PlainName PlainLookUp(void *context, const char *name, const char *key);

PlainValue PlainEvaluate(const OpprofFormulaText *text, PlainLookUp *look_up, void *context);

PlainValue PlainCount(uint64_t value); /* OPPROF_NA_U64: absent */
PlainValue PlainReal(double value);    /* no finite number: absent */
PlainValue PlainWhole(uint64_t value);

/* As the engine's functions of the same kind. */
double PlainToReal(const PlainValue *value);
uint64_t PlainToCount(const PlainValue *value);

#endif
