/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_KIT_FORMULA_FORMULA_WORLD_H
#define TESTS_KIT_FORMULA_FORMULA_WORLD_H

/*
 * Names for made-up formulas: a to h are integers, s to z are reals, e(0) to e(7) integers, n(N) is
 * the number N / 4 (of whole numbers: N), and "twice", "share" and "rest" are formulas.
 */

#include <opprof/kit/formula.h>

enum { WORLD_INTEGERS = 8, WORLD_REALS = 8, WORLD_COUNTERS = 8, WORLD_INPUTS = 24 };

/* Inputs are integers but for the reals. */
bool WorldInputIsInteger(uint32_t input);

/* For OpprofFormulaParse of any kind; the context is unused. */
OpprofStatus WorldBind(void *context, const char *name, const char *key, OpprofBinding *ret_binding,
                       const char **ret_hint, OpprofError **error);

/* What formulas are evaluated over. */
typedef struct WorldValues {
    OpprofInputs inputs;           /* of reals */
    uint64_t wholes[WORLD_INPUTS]; /* of whole numbers */
} WorldValues;

/*
 * Evaluate a parsed formula in all ways there are: near, wide and by plain_formula.h. Returns
 * NULL if they agree, else a text about what differs, valid until the next call.
 */
const char *WorldDisagreement(const OpprofFormula *formula, const OpprofFormulaText *text,
                              WorldValues *values);

#endif
