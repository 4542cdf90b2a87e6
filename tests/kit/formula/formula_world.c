/* SPDX-License-Identifier: Apache-2.0 */
/* Names with values for formulas made up by tests, and what a formula must give with them. */
#include "tests/kit/formula/formula_world.h"

#include "tests/kit/formula/plain_formula.h"

#include <math.h>
#include <opprof/record.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    const char *formula;
} formulas[] = {
    { "twice", "a + a" },
    { "share", "b / c" },
    { "rest", "first(d, 3) - s" },
};

bool WorldInputIsInteger(uint32_t input)
{
    return input < WORLD_INTEGERS || input >= WORLD_INTEGERS + WORLD_REALS;
}

/* WORLD_INPUTS: it is unknown. */
static uint32_t input_of(const char *name, const char *key)
{
    if (key != NULL) {
        return strcmp(name, "e") == 0 ? WORLD_INTEGERS + WORLD_REALS +
                                            (uint32_t) strtoul(key, NULL, 10) % WORLD_COUNTERS
                                      : WORLD_INPUTS;
    }
    if (strlen(name) != 1) {
        return WORLD_INPUTS;
    }
    return name[0] >= 'a' && name[0] <= 'h'   ? (uint32_t) (name[0] - 'a')
           : name[0] >= 's' && name[0] <= 'z' ? WORLD_INTEGERS + (uint32_t) (name[0] - 's')
                                              : WORLD_INPUTS;
}

static bool is_number(const char *name, const char *key, double *ret_number, uint64_t *ret_whole)
{
    if (key == NULL || strcmp(name, "n") != 0) {
        return false;
    }
    *ret_number = (double) strtol(key, NULL, 10) / 4;
    *ret_whole = (uint64_t) strtol(key, NULL, 10);
    return true;
}

static const char *formula_of(const char *name, const char *key)
{
    for (size_t i = 0; key == NULL && i < sizeof formulas / sizeof formulas[0]; i++) {
        if (strcmp(formulas[i].name, name) == 0) {
            return formulas[i].formula;
        }
    }
    return NULL;
}

OpprofStatus WorldBind(void *context, const char *name, const char *key, OpprofBinding *ret_binding,
                       const char **ret_hint, OpprofError **error)
{
    const uint32_t input = input_of(name, key);

    (void) context;
    (void) ret_hint;
    (void) error;
    if (input < WORLD_INPUTS) {
        *ret_binding = (OpprofBinding){ .kind = OPPROF_BIND_INPUT,
                                        .input = input,
                                        .is_integer = WorldInputIsInteger(input) };
    } else if (is_number(name, key, &ret_binding->number, &ret_binding->whole)) {
        ret_binding->kind = OPPROF_BIND_NUMBER;
    } else if (formula_of(name, key) != NULL) {
        ret_binding->kind = OPPROF_BIND_FORMULA;
        ret_binding->formula = formula_of(name, key);
    }
    return OPPROF_OK;
}

static PlainName look_up(void *context, const char *name, const char *key)
{
    const OpprofInputs *inputs = &((const WorldValues *) context)->inputs;
    const uint32_t input = input_of(name, key);
    double number = 0;
    uint64_t unused;

    if (input < WORLD_INPUTS) {
        return (PlainName){ .value = WorldInputIsInteger(input) ? PlainCount(inputs->exact[input])
                                                                : PlainReal(inputs->nearest[input]),
                            .is_input = true };
    }
    if (is_number(name, key, &number, &unused)) {
        return (PlainName){ .value = PlainReal(number) };
    }
    return (PlainName){ .formula = formula_of(name, key) };
}

static PlainName look_up_whole(void *context, const char *name, const char *key)
{
    const uint32_t input = input_of(name, key);
    double unused;
    uint64_t number = 0;

    if (input < WORLD_INPUTS || is_number(name, key, &unused, &number)) {
        number = input < WORLD_INPUTS ? ((const WorldValues *) context)->wholes[input] : number;
        return (PlainName){ .value = PlainWhole(number) };
    }
    return (PlainName){ .formula = formula_of(name, key) };
}

static bool is_same(double a, double b)
{
    return OpprofIsNaF64(a) || OpprofIsNaF64(b) ? OpprofIsNaF64(a) == OpprofIsNaF64(b)
                                                : memcmp(&a, &b, sizeof a) == 0;
}

static const char *real_disagreement(const OpprofFormula *formula, const OpprofFormulaText *text,
                                     WorldValues *values)
{
    static char message[256];
    const OpprofInputs *inputs = &values->inputs;
    const PlainValue plain = PlainEvaluate(text, look_up, values);
    const double real = PlainToReal(&plain);
    const uint64_t count = PlainToCount(&plain);
    const double given = OpprofFormulaReal(formula, inputs);
    const uint64_t counted = OpprofFormulaCount(formula, inputs);
    const bool is_absent = OpprofFormulaWhy(formula, inputs, NULL) != OPPROF_PRESENT;

    if (!is_same(given, real) || counted != count || is_absent != OpprofIsNaF64(real)) {
        snprintf(message, sizeof message, "gives %.17g and %llu, not %.17g and %llu%s", given,
                 (unsigned long long) counted, real, (unsigned long long) count,
                 is_absent ? "; absent" : "");
        return message;
    }
    if (OpprofFormulaIsInteger(formula) && !OpprofIsNaF64(real) && trunc(real) != real) {
        snprintf(message, sizeof message, "%.17g is not an integer, as was said", real);
        return message;
    }
    return NULL;
}

const char *WorldDisagreement(const OpprofFormula *formula, const OpprofFormulaText *text,
                              WorldValues *values)
{
    static char message[128];

    if (text->kind == OPPROF_FORMULA_REAL) {
        return real_disagreement(formula, text, values);
    }
    const PlainValue plain = PlainEvaluate(text, look_up_whole, values);
    const uint64_t given = OpprofFormulaWhole(formula, values->wholes);
    snprintf(message, sizeof message, "gives %llu, not %llu", (unsigned long long) given,
             (unsigned long long) plain.count);
    return given == plain.count ? NULL : message;
}
