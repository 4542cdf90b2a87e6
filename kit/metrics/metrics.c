/* SPDX-License-Identifier: Apache-2.0 */
/* The formulas that an analysis evaluates for each of its rows. Tested by
 * tests/kit/metrics/test_metrics. */
#include "kit/metrics/metrics.h"
#include "kit/facts/chip.h"

#include <opprof/grow.h>
#include <opprof/require.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_STEPS 8u /* of the way to a constant */
#define WHY_DEPTH 16 /* symbols within symbols through which a reason is followed */

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "read the metrics of a chip");
}

/* ---- constants ---- */

/* Append a member to a dotted path. */
static void extend(char *place, const char *member)
{
    const size_t length = strlen(place);
    snprintf(place + length, METRIC_MAX_PLACE - length, "%s%s", length == 0 ? "" : ".", member);
}

/* The fact that a step such as "peaks.families" or "@peaks.family" leads to from `at`. */
static const OpprofFact *walk_step(const OpprofMetrics *metrics, const OpprofFact *at,
                                   const char *step, char *place)
{
    const char *member = strcmp(step, "@variant") == 0 ? metrics->variant
                         : step[0] == '@' ? OpprofChipText(metrics->formulas->chip, step + 1)
                                          : step;

    if (at == NULL) {
        extend(place, step);
        return step[0] == '@' ? NULL : OpprofChipFact(metrics->formulas->chip, step);
    }
    const OpprofFact *found = member != NULL ? OpprofFactMember(at, member) : NULL;
    extend(place, found != NULL ? member : "any");
    return found != NULL ? found : OpprofFactMember(at, "any");
}

bool MetricsConstant(const OpprofMetrics *metrics, const MetricName *name, double *ret_value,
                     char *place)
{
    const OpprofFact *steps =
        OpprofFactMember(OpprofFactMember(metrics->formulas->indexed, name->name), "values");
    const OpprofFact *at = NULL;

    place[0] = '\0';
    for (size_t i = 0; i < OpprofFactCount(steps) && i < MAX_STEPS; i++) {
        const char *step = OpprofFactText(OpprofFactAt(steps, i));
        at = step != NULL ? walk_step(metrics, at, step, place) : NULL;
        if (at == NULL) {
            return false;
        }
    }
    extend(place, name->key);
    return OpprofFactNumber(OpprofFactMember(at, name->key), ret_value);
}

/* ---- inputs ---- */

bool MetricsUse(OpprofMetrics *metrics, const OpprofFormula *formula)
{
    size_t count = 0;
    const uint32_t *inputs = OpprofFormulaInputs(formula, &count);

    for (size_t i = 0; i < count; i++) {
        if (OpprofMapFind(&metrics->is_used, inputs[i]) != OPPROF_MAP_NONE) {
            continue;
        }
        const MetricName name = MetricFormulasName(metrics->formulas, inputs[i]);
        if (!OpprofGrow32(&metrics->used, &metrics->used_capacity, (size_t) metrics->used_count + 1,
                          sizeof *metrics->used) ||
            !OpprofMapPut(&metrics->is_used, inputs[i], metrics->used_count)) {
            return false;
        }
        metrics->used[metrics->used_count++] = inputs[i];
        if (name.kind == METRIC_SYMBOL && !MetricsUse(metrics, name.formula)) {
            return false;
        }
    }
    return true;
}

/* The symbols among the inputs, each after those it uses. With the lock of the formulas. */
static void list_symbols(OpprofMetrics *metrics)
{
    const MetricFormulas *formulas = metrics->formulas;

    for (uint32_t i = 0; i < formulas->order_count; i++) {
        const uint32_t input = formulas->order[i];
        const MetricName *name = &formulas->names[input];

        if (OpprofMapFind(&metrics->is_used, input) != OPPROF_MAP_NONE) {
            metrics->symbols[metrics->symbol_count++] =
                (MetricSymbol){ name->formula, input, name->is_integer };
        }
    }
}

/* What each row sets, and the numbers that stay. With the lock of the formulas. */
static void list_inputs(OpprofMetrics *metrics)
{
    char place[METRIC_MAX_PLACE];
    double number = 0;

    for (uint32_t i = 0; i < metrics->used_count; i++) {
        const uint32_t input = metrics->used[i];
        const MetricName *name = &metrics->formulas->names[input];

        if (name->kind == METRIC_FACT || name->kind == METRIC_INDEXED) {
            metrics->inputs[metrics->input_count++] =
                (OpprofMetricInput){ name->name, name->key, input, name->is_integer };
        } else if (name->kind == METRIC_CONSTANT &&
                   MetricsConstant(metrics, name, &number, place)) {
            OpprofInputsReal(&metrics->values, input, number);
        }
    }
}

/* ---- public ---- */

OpprofStatus OpprofMetricsCreate(const OpprofChip *chip, const char *variant,
                                 OpprofMetrics **ret_metrics, OpprofError **error)
{
    OPPROF_REQUIRE("chip-given", chip != NULL, "The chip is given");
    OPPROF_REQUIRE("metrics-text", variant != NULL, "The text is given, with room for it");
    OPPROF_REQUIRE("metrics-result", ret_metrics != NULL, "The result pointer is given");
    *ret_metrics = NULL;
    if (chip->formulas->facts == NULL) {
        OpprofErrorSet(error, OPPROF_E_DATA,
                       "The chip '%s' (series '%s') states no facts for metrics ('metrics.facts')",
                       OpprofChipSoc(chip), OpprofChipSeries(chip));
        OpprofErrorHint(error, "A chip file with metrics uses the shared facts 'onboard': "
                               "\"uses\": [\"onboard\"]");
        return OPPROF_E_DATA;
    }
    OpprofMetrics *metrics = calloc(1, sizeof *metrics);
    if (metrics == NULL) {
        return no_memory(error);
    }
    *metrics = (OpprofMetrics){ .formulas = chip->formulas, .variant = strdup(variant) };
    if (metrics->variant == NULL) {
        OpprofMetricsFree(metrics);
        return no_memory(error);
    }
    *ret_metrics = metrics;
    return OPPROF_OK;
}

void OpprofMetricsFree(OpprofMetrics *metrics)
{
    if (metrics == NULL) {
        return;
    }
    OpprofInputsFinish(&metrics->values);
    OpprofMapFinish(&metrics->is_used);
    free(metrics->variant);
    free(metrics->used);
    free(metrics->inputs);
    free(metrics->symbols);
    free(metrics);
}

OpprofStatus OpprofMetricsAdd(OpprofMetrics *metrics, const char *name, const char *text,
                              const OpprofMetricScope *scope, const OpprofFormula **ret_formula,
                              OpprofError **error)
{
    OPPROF_REQUIRE("formula-result", ret_formula != NULL, "The result pointer is given");
    OPPROF_REQUIRE("metrics-given", metrics != NULL, "The metrics are given");
    OPPROF_REQUIRE("metrics-text", name != NULL && text != NULL,
                   "The text is given, with room for it");
    OPPROF_REQUIRE("metrics-open", metrics->inputs == NULL,
                   "Formulas are added before OpprofMetricsSeal");

    OpprofStatus status =
        MetricFormulasCompile(metrics->formulas, name, text, scope, ret_formula, error);

    if (status == OPPROF_OK && !MetricsUse(metrics, *ret_formula)) {
        *ret_formula = NULL;
        status = no_memory(error);
    }
    if (status != OPPROF_OK) {
        OpprofErrorWrap(error, "A metric of the chip '%s' (series '%s') cannot be used",
                        OpprofChipSoc(metrics->formulas->chip),
                        OpprofChipSeries(metrics->formulas->chip));
    }
    return status;
}

OpprofStatus OpprofMetricsSeal(OpprofMetrics *metrics, OpprofError **error)
{
    OPPROF_REQUIRE("metrics-given", metrics != NULL, "The metrics are given");

    MetricFormulas *formulas = metrics->formulas;

    metrics->inputs = calloc((size_t) metrics->used_count + 1, sizeof *metrics->inputs);
    metrics->symbols = calloc((size_t) metrics->used_count + 1, sizeof *metrics->symbols);
    pthread_mutex_lock(&formulas->lock);
    const bool is_made = metrics->inputs != NULL && metrics->symbols != NULL &&
                         OpprofInputsInit(&metrics->values, formulas->name_count);
    if (is_made) {
        list_symbols(metrics);
        list_inputs(metrics);
    }
    pthread_mutex_unlock(&formulas->lock);
    return is_made ? OPPROF_OK : no_memory(error);
}

const OpprofMetricInput *OpprofMetricsInputList(const OpprofMetrics *metrics, size_t *ret_count)
{
    OPPROF_REQUIRE("metrics-given", metrics != NULL, "The metrics are given");
    OPPROF_REQUIRE("metrics-result", ret_count != NULL, "The result pointer is given");
    OPPROF_REQUIRE("metrics-sealed", metrics->inputs != NULL, "OpprofMetricsSeal was called");
    *ret_count = metrics->input_count;
    return metrics->inputs;
}

OpprofInputs *OpprofMetricsInputs(OpprofMetrics *metrics)
{
    OPPROF_REQUIRE("metrics-given", metrics != NULL, "The metrics are given");
    OPPROF_REQUIRE("metrics-sealed", metrics->inputs != NULL, "OpprofMetricsSeal was called");
    return &metrics->values;
}

void OpprofMetricsDerive(OpprofMetrics *metrics)
{
    OPPROF_REQUIRE("metrics-given", metrics != NULL, "The metrics are given");
    OPPROF_REQUIRE("metrics-sealed", metrics->inputs != NULL, "OpprofMetricsSeal was called");

    OpprofInputs *values = &metrics->values;

    for (uint32_t i = 0; i < metrics->symbol_count; i++) {
        const MetricSymbol *symbol = &metrics->symbols[i];
        const uint64_t count =
            symbol->is_integer ? OpprofFormulaCount(symbol->formula, values) : OPPROF_NA_U64;
        if (count != OPPROF_NA_U64) {
            OpprofInputsCount(values, symbol->input, count);
        } else {
            OpprofInputsReal(values, symbol->input, OpprofFormulaReal(symbol->formula, values));
        }
    }
}

static void print_absent(const OpprofMetrics *metrics, const MetricName *name, char *text,
                         size_t size)
{
    if (name->kind == METRIC_CONSTANT) {
        snprintf(text, size, "%s(%s) of %s is unknown", name->name, name->key,
                 OpprofChipSoc(metrics->formulas->chip));
    } else if (name->key != NULL) {
        snprintf(text, size, "%s(%s) is absent", name->name, name->key);
    } else {
        snprintf(text, size, "%s is absent", name->name);
    }
}

void OpprofMetricsWhy(const OpprofMetrics *metrics, const OpprofFormula *formula, char *text,
                      size_t size)
{
    OPPROF_REQUIRE("metrics-given", metrics != NULL, "The metrics are given");
    OPPROF_REQUIRE("metrics-text", text != NULL && size > 0, "The text is given, with room for it");

    uint32_t input = 0;

    snprintf(text, size, "it is present");
    for (int depth = 0; depth < WHY_DEPTH; depth++) {
        MetricName name;
        switch (OpprofFormulaWhy(formula, &metrics->values, &input)) {
        case OPPROF_PRESENT:
            return;
        case OPPROF_ABSENT_ZERO:
            snprintf(text, size, "a division by zero");
            return;
        case OPPROF_ABSENT_NEGATIVE:
            snprintf(text, size, "a difference is negative");
            return;
        case OPPROF_ABSENT_SAID:
            snprintf(text, size, "the formula says so");
            return;
        case OPPROF_ABSENT_TOO_LARGE:
            snprintf(text, size, "the value is too large");
            return;
        case OPPROF_ABSENT_BITS:
            snprintf(text, size, "bits() of a number that is not an integer from 0 to 2^53");
            return;
        case OPPROF_ABSENT_INPUT:
            name = MetricFormulasName(metrics->formulas, input);
            print_absent(metrics, &name, text, size);
            formula = name.kind == METRIC_SYMBOL ? name.formula : NULL;
            break;
        }
        if (formula == NULL) {
            return;
        }
    }
}
