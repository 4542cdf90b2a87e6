/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Formulas of reals and of whole numbers: the text up to the first NUL; after it what the inputs
 * are, eleven bytes for two of them, or eight for a whole number. A formula is refused with its
 * column, or all ways of evaluating it agree.
 */
#include "fuzz/fuzz.h"
#include "tests/kit/formula/formula_world.h"

#include <opprof/error.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The rest of the input. */
typedef struct Rest {
    const uint8_t *at;
    size_t size;
} Rest;

static uint64_t draw(Rest *rest, size_t bytes)
{
    uint64_t value = 0;

    for (size_t i = 0; i < bytes && rest->size > 0; i++) {
        value |= (uint64_t) *rest->at++ << 8 * i;
        rest->size--;
    }
    return value;
}

static void set_input(OpprofInputs *inputs, uint32_t input, Rest *rest)
{
    const uint64_t how = draw(rest, 1);
    const uint64_t value = draw(rest, (how & 1) != 0 ? 8 : 1);
    double real;

    if (how % 16 == 0) {
        OpprofInputsAbsent(inputs, input);
    } else if (WorldInputIsInteger(input)) {
        OpprofInputsCount(inputs, input, value);
    } else {
        memcpy(&real, &value, sizeof real);
        OpprofInputsReal(inputs, input, (how & 1) != 0 ? real : (double) value / 8);
    }
}

static void check_refusal(OpprofStatus status, OpprofError *error)
{
    FUZZ_REQUIRE(status == OPPROF_E_DATA || status == OPPROF_E_LIMIT);
    FUZZ_REQUIRE(error != NULL);
    FUZZ_REQUIRE(strcasestr(OpprofErrorMessage(error), "formula") != NULL);
    OpprofErrorDestroy(error);
}

static void try_kind(const OpprofFormulaText *text, WorldValues *values)
{
    OpprofFormula *formula = NULL;
    OpprofError *error = NULL;
    size_t count = 0;

    const OpprofStatus status = OpprofFormulaParse(text, WorldBind, NULL, &formula, &error);
    if (status != OPPROF_OK) {
        check_refusal(status, error);
        return;
    }
    FUZZ_REQUIRE(error == NULL);
    const uint32_t *used = OpprofFormulaInputs(formula, &count);
    for (size_t i = 0; i < count; i++) {
        FUZZ_REQUIRE(used[i] < WORLD_INPUTS);
    }
    const char *disagreement = WorldDisagreement(formula, text, values);
    if (disagreement != NULL) {
        fprintf(stderr, "%.*s: %s\n", (int) text->length, text->text, disagreement);
        abort();
    }
    OpprofFormulaFree(formula);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *nul = size > 0 ? memchr(data, '\0', size) : NULL;
    const size_t length = nul == NULL ? size : (size_t) (nul - data);
    Rest rest = { .at = data + length, .size = size - length };
    WorldValues values = { .wholes = { 0 } };

    FUZZ_REQUIRE(OpprofInputsInit(&values.inputs, WORLD_INPUTS));
    draw(&rest, 1);
    const Rest wholes = rest;
    for (uint32_t i = 0; i < WORLD_INPUTS; i++) {
        set_input(&values.inputs, i, &rest);
    }
    rest = wholes;
    for (uint32_t i = 0; i < WORLD_INPUTS; i++) {
        values.wholes[i] = draw(&rest, 8);
    }
    for (uint32_t kind = OPPROF_FORMULA_REAL; kind <= OPPROF_FORMULA_WRAPPING; kind++) {
        try_kind(&(OpprofFormulaText){ "f", (const char *) data, length, kind }, &values);
    }
    OpprofInputsFinish(&values.inputs);
    return 0;
}
