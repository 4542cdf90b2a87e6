/* SPDX-License-Identifier: Apache-2.0 */
/* Names with values for formulas made up by tests, and what a formula must give with them. */
#include "tests/kit/formula/formula_world.h"

#include "tests/kit/formula/plain_expression.h"

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

static bool is_number(const char *name, const char *key, double *ret_number)
{
    if (key == NULL || strcmp(name, "n") != 0) {
        return false;
    }
    *ret_number = (double) strtol(key, NULL, 10) / 4;
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
    } else if (is_number(name, key, &ret_binding->number)) {
        ret_binding->kind = OPPROF_BIND_NUMBER;
    } else if (formula_of(name, key) != NULL) {
        ret_binding->kind = OPPROF_BIND_FORMULA;
        ret_binding->formula = formula_of(name, key);
    }
    return OPPROF_OK;
}

static PlainName look_up(void *context, const char *name, const char *key)
{
    const OpprofInputs *inputs = context;
    const uint32_t input = input_of(name, key);
    double number = 0;

    if (input < WORLD_INPUTS) {
        return (PlainName){ .value = WorldInputIsInteger(input) ? PlainCount(inputs->exact[input])
                                                                : PlainReal(inputs->nearest[input]),
                            .is_input = true };
    }
    if (is_number(name, key, &number)) {
        return (PlainName){ .value = PlainReal(number) };
    }
    return (PlainName){ .formula = formula_of(name, key) };
}

static bool is_same(double a, double b)
{
    return OpprofIsNaF64(a) || OpprofIsNaF64(b) ? OpprofIsNaF64(a) == OpprofIsNaF64(b)
                                                : memcmp(&a, &b, sizeof a) == 0;
}

const char *WorldDisagreement(const OpprofExpression *expression, const char *text, size_t length,
                              OpprofInputs *inputs)
{
    static char message[256];
    const PlainValue plain = PlainEvaluate(text, length, look_up, inputs);
    const double real = PlainToReal(&plain);
    const uint64_t count = PlainToCount(&plain);
    const double given = OpprofExpressionReal(expression, inputs);
    const uint64_t counted = OpprofExpressionCount(expression, inputs);
    const bool is_absent = OpprofExpressionWhy(expression, inputs, NULL) != OPPROF_PRESENT;

    if (!is_same(given, real) || counted != count || is_absent != OpprofIsNaF64(real)) {
        snprintf(message, sizeof message, "gives %.17g and %llu, not %.17g and %llu%s", given,
                 (unsigned long long) counted, real, (unsigned long long) count,
                 is_absent ? "; absent" : "");
        return message;
    }
    if (OpprofExpressionIsInteger(expression) && !OpprofIsNaF64(real) && trunc(real) != real) {
        snprintf(message, sizeof message, "%.17g is not an integer, as was said", real);
        return message;
    }
    return NULL;
}
