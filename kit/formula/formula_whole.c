/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The machine for formulas of whole numbers of 64 bits. Nothing is absent there: what does not fit
 * stays at the end of the range, unless the formula wraps. Tested by tests/kit/formula/test_whole.
 */
#include "kit/formula/formula.h"

#include <opprof/compiler.h>
#include <opprof/require.h>

static uint64_t sum(uint64_t a, uint64_t b, bool wraps)
{
    uint64_t result;

    return __builtin_add_overflow(a, b, &result) && !wraps ? UINT64_MAX : result;
}

static uint64_t product(uint64_t a, uint64_t b, bool wraps)
{
    uint64_t result;

    return __builtin_mul_overflow(a, b, &result) && !wraps ? UINT64_MAX : result;
}

/* Rounds up to whole units, or down if no unit above fits. */
static uint64_t align(uint64_t value, uint64_t unit)
{
    const uint64_t up = sum(value, unit == 0 ? 0 : unit - 1, false);

    return unit == 0 ? value : (unit & (unit - 1)) == 0 ? up & ~(unit - 1) : up - up % unit;
}

static uint64_t bits(uint64_t value, uint64_t first, uint64_t count)
{
    return value >> first & (count == 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1);
}

static OPPROF_ALWAYS_INLINE uint64_t step(const Step *at, const uint64_t *const *spaces, bool wraps)
{
    const uint64_t a = spaces[OPERAND_SPACE(at->a)][OPERAND_INDEX(at->a)];
    const uint64_t *at_b = &spaces[OPERAND_SPACE(at->b)][OPERAND_INDEX(at->b)];
    const uint64_t c = spaces[OPERAND_SPACE(at->c)][OPERAND_INDEX(at->c)];
    const uint64_t b = *at_b;

    switch (at->op) {
    case STEP_ADD:
        return sum(a, b, wraps);
    case STEP_SUBTRACT:
        return a < b && !wraps ? 0 : a - b;
    case STEP_MULTIPLY:
        return product(a, b, wraps);
    case STEP_DIVIDE:
        return b == 0 ? 0 : a / b;
    case STEP_REST:
        return b == 0 ? 0 : a % b;
    case STEP_MIN:
        return a < b ? a : b;
    case STEP_MAX:
        return a > b ? a : b;
    case STEP_SUB0:
        return a < b ? 0 : a - b;
    case STEP_ALIGN:
        return align(a, b);
    case STEP_EQUAL:
        return a == b;
    case STEP_DIFFERS:
        return a != b;
    case STEP_LESS:
        return a < b;
    case STEP_LESS_EQUAL:
        return a <= b;
    case STEP_AND:
        return a != 0 && b != 0;
    case STEP_OR:
        return a != 0 || b != 0;
    case STEP_NOT:
        return a == 0;
    case STEP_SELECT:
        return c != 0 ? a : b;
    case STEP_BITS:
        return bits(a, b, c);
    case STEP_PICK:
        return at_b[a < c ? a + 1 : 0];
    default: /* the grammar has no others */
        return a;
    }
}

uint64_t WholeStep(const Step *at, const uint64_t *const *spaces, bool wraps)
{
    return step(at, spaces, wraps);
}

uint64_t OpprofFormulaWhole(const OpprofFormula *formula, const uint64_t *values)
{
    OPPROF_REQUIRE("formula-whole",
                   formula != NULL && formula->kind != OPPROF_FORMULA_REAL && values != NULL,
                   "The formula is one of whole numbers, and their values are given");

    uint64_t temporaries[FORMULA_TEMPORARIES];
    const uint64_t *const spaces[] = { values, (const uint64_t *) formula->constants, temporaries };
    const Step *end = formula->steps; /* NULL where a formula is a constant */
    const bool wraps = formula->kind == OPPROF_FORMULA_WRAPPING;

    if (formula->step_count > 0) {
        end += formula->step_count;
    }
    for (const Step *at = formula->steps; at != end; at++) {
        temporaries[at->result] = step(at, spaces, wraps);
    }
    return spaces[OPERAND_SPACE(formula->result)][OPERAND_INDEX(formula->result)];
}
