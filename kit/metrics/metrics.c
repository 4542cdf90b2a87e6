/* SPDX-License-Identifier: Apache-2.0 */
/* The metrics of a chip file: symbols, tables and their columns, compiled. */
#include "kit/metrics/metrics.h"

#include <opprof/grow.h>
#include <opprof/json.h>
#include <opprof/require.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_STEPS 8u   /* of the way to a constant */
#define MAX_PLACE 512u /* bytes of it */
#define MAX_DEPTH 32u  /* symbols within symbols */
#define WHY_DEPTH 16   /* symbols within symbols through which a reason is followed */

/* A parse in progress. */
typedef struct Binder {
    OpprofMetrics *metrics;
    const OpprofMetricScope *scope;
    char hint[160];
} Binder;

static OpprofBind bind_name;

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "read the metrics of a chip");
}

/* ---- names that became inputs ---- */

static bool equals(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/* "name(key)", as names are looked up; a name alone without a key. */
typedef struct NameText {
    char text[2 * OPPROF_FORMULA_MAX_NAME + 2];
    size_t length;
} NameText;

static void put_name(NameText *text, const char *name, const char *key)
{
    const size_t room = OPPROF_FORMULA_MAX_NAME;
    const size_t name_length = strnlen(name, room);

    memcpy(text->text, name, name_length);
    text->length = name_length;
    if (key != NULL) {
        const size_t key_length = strnlen(key, room);
        text->text[text->length++] = '(';
        memcpy(text->text + text->length, key, key_length);
        text->length += key_length;
    }
}

static MetricName *find_name(const OpprofMetrics *metrics, const char *name, const char *key)
{
    NameText text;

    put_name(&text, name, key);
    const uint32_t at = OpprofTextMapFind(&metrics->by_name, text.text, text.length);
    return at == OPPROF_MAP_NONE || metrics->names[at].is_broken ? NULL : &metrics->names[at];
}

/* A name of a formula, and what it is. */
typedef struct Meant {
    MetricNameKind kind;
    const char *name;
    const char *key; /* NULL: none */
    bool is_integer;
} Meant;

/* A name that find_name() did not find; a broken one gets its old place. */
static MetricName *add_name(OpprofMetrics *metrics, const Meant *meant)
{
    const char *key = meant->key;
    NameText text;

    put_name(&text, meant->name, key);
    const uint32_t broken = OpprofTextMapFind(&metrics->by_name, text.text, text.length);
    if (broken != OPPROF_MAP_NONE) {
        metrics->names[broken].is_broken = false;
        return &metrics->names[broken];
    }
    if (!OpprofGrow32(&metrics->names, &metrics->name_capacity, (size_t) metrics->name_count + 1,
                      sizeof *metrics->names)) {
        return NULL;
    }
    MetricName *added = &metrics->names[metrics->name_count];
    *added = (MetricName){ .name = strdup(meant->name),
                           .key = key != NULL ? strdup(key) : NULL,
                           .kind = (uint8_t) meant->kind,
                           .is_integer = meant->is_integer };
    if (added->name == NULL || (key != NULL && added->key == NULL) ||
        !OpprofTextMapPut(&metrics->by_name, text.text, text.length, metrics->name_count, NULL)) {
        free(added->name);
        free(added->key);
        return NULL;
    }
    metrics->name_count++;
    return added;
}

static OpprofStatus bind_input(OpprofMetrics *metrics, const Meant *meant, OpprofBinding *binding,
                               OpprofError **error)
{
    const MetricName *known = find_name(metrics, meant->name, meant->key);

    if (known == NULL) {
        known = add_name(metrics, meant);
    }
    if (known == NULL) {
        return no_memory(error);
    }
    *binding = (OpprofBinding){ .kind = OPPROF_BIND_INPUT,
                                .input = (uint32_t) (known - metrics->names),
                                .is_integer = known->is_integer };
    return OPPROF_OK;
}

/* ---- symbols ---- */

static const char *formula_of(const OpprofFact *symbol)
{
    const char *text = OpprofFactText(symbol);
    return text != NULL ? text : OpprofFactText(OpprofFactMember(symbol, "is"));
}

static OpprofStatus parse(OpprofMetrics *metrics, const char *name, const char *text,
                          const OpprofMetricScope *scope, OpprofFormula **ret_formula,
                          OpprofError **error)
{
    const OpprofFormulaText source = { name, text, strlen(text), OPPROF_FORMULA_REAL };
    Binder binder = { .metrics = metrics, .scope = scope };

    const OpprofStatus status = OpprofFormulaParse(&source, bind_name, &binder, ret_formula, error);
    if (status != OPPROF_OK) {
        return status;
    }
    if (!OpprofGrow32(&metrics->formulas, &metrics->formula_capacity,
                      (size_t) metrics->formula_count + 1, sizeof(OpprofFormula *))) {
        OpprofFormulaFree(*ret_formula);
        *ret_formula = NULL;
        return no_memory(error);
    }
    metrics->formulas[metrics->formula_count++] = *ret_formula;
    return OPPROF_OK;
}

/* The input of a symbol exists before its formula is parsed, so that cycles are noticed. */
static OpprofStatus add_symbol(OpprofMetrics *metrics, const char *name, const OpprofFact *symbol,
                               OpprofError **error)
{
    const char *text = formula_of(symbol);
    OpprofFormula *formula = NULL;

    if (text == NULL) {
        return OpprofErrorSet(error, OPPROF_E_DATA, "Symbol '%s' of the chip has no formula", name);
    }
    if (metrics->depth >= MAX_DEPTH) {
        return OpprofErrorSet(error, OPPROF_E_LIMIT,
                              "Symbol '%s' depends on more than %u others in a row", name,
                              MAX_DEPTH);
    }
    const MetricName *added = add_name(metrics, &(Meant){ METRIC_SYMBOL, name, NULL, false });
    if (added == NULL) {
        return no_memory(error);
    }
    const uint32_t input = (uint32_t) (added - metrics->names);
    metrics->depth++;
    const OpprofStatus status = parse(metrics, name, text, NULL, &formula, error);
    metrics->depth--;
    if (status != OPPROF_OK) {
        metrics->names[input].is_broken = true;
        return status;
    }
    if (!OpprofGrow32(&metrics->order, &metrics->order_capacity, (size_t) metrics->order_count + 1,
                      sizeof *metrics->order)) {
        metrics->names[input].is_broken = true;
        return no_memory(error);
    }
    metrics->order[metrics->order_count++] = input;
    metrics->names[input].formula = formula;
    metrics->names[input].is_integer = OpprofFormulaIsInteger(formula);
    return OPPROF_OK;
}

static OpprofStatus bind_symbol(OpprofMetrics *metrics, const char *name, const OpprofFact *symbol,
                                OpprofBinding *binding, OpprofError **error)
{
    const MetricName *known = find_name(metrics, name, NULL);

    if (known != NULL && known->formula == NULL) {
        return OpprofErrorSet(error, OPPROF_E_DATA, "Symbol '%s' is defined in terms of itself",
                              name);
    }
    if (known == NULL) {
        const OpprofStatus status = add_symbol(metrics, name, symbol, error);
        if (status != OPPROF_OK) {
            return status;
        }
    }
    return bind_input(metrics, &(Meant){ METRIC_SYMBOL, name, NULL, false }, binding, error);
}

/* ---- name(key) ---- */

/* Append a member to a dotted path. */
static void extend(char *place, const char *member)
{
    const size_t length = strlen(place);
    snprintf(place + length, MAX_PLACE - length, "%s%s", length == 0 ? "" : ".", member);
}

/* The fact that a step such as "peaks.families" or "@peaks.family" leads to from `at`. */
static const OpprofFact *walk_step(const OpprofMetrics *metrics, const OpprofFact *at,
                                   const char *step, char *place)
{
    const char *member = strcmp(step, "@variant") == 0 ? metrics->variant
                         : step[0] == '@'              ? OpprofChipText(metrics->chip, step + 1)
                                                       : step;

    if (at == NULL) {
        extend(place, step);
        return step[0] == '@' ? NULL : OpprofChipFact(metrics->chip, step);
    }
    const OpprofFact *found = member != NULL ? OpprofFactMember(at, member) : NULL;
    extend(place, found != NULL ? member : "any");
    return found != NULL ? found : OpprofFactMember(at, "any");
}

/* False: the chip file states none. `place` takes MAX_PLACE bytes. */
static bool find_constant(const OpprofMetrics *metrics, const OpprofFact *steps, const char *key,
                          double *ret_value, char *place)
{
    const OpprofFact *at = NULL;

    place[0] = '\0';
    for (size_t i = 0; i < OpprofFactCount(steps) && i < MAX_STEPS; i++) {
        const char *step = OpprofFactText(OpprofFactAt(steps, i));
        at = step != NULL ? walk_step(metrics, at, step, place) : NULL;
        if (at == NULL) {
            return false;
        }
    }
    extend(place, key);
    return OpprofFactNumber(OpprofFactMember(at, key), ret_value);
}

/* The key as the object of keys spells it: numbers in decimal, names of members as their key. */
static bool find_key(const OpprofFact *keys, const char *key, char *canonical, size_t size)
{
    OpprofFactWalk walk = { 0 };
    const char *member;
    const OpprofFact *fact;
    const size_t length = strlen(key) < size ? strlen(key) : size - 1;
    char *end = NULL;

    memcpy(canonical, key, length);
    canonical[length] = '\0';
    for (size_t i = 0; i < OpprofFactCount(keys); i++) {
        if (equals(OpprofFactText(OpprofFactAt(keys, i)), key)) {
            return true;
        }
    }
    if (key[0] == '0' && key[1] != '\0') { /* another decimal is spelled so already */
        errno = 0;
        const unsigned long long number =
            strtoull(key, &end, strncmp(key, "0x", 2) == 0 ? 16 : 10); /* 010 is ten */
        if (*end == '\0' && errno == 0) {
            snprintf(canonical, size, "%llu", number);
        }
    }
    if (OpprofFactGetKind(OpprofFactMember(keys, canonical)) != OPPROF_FACT_NONE) {
        return true;
    }
    while (OpprofFactGetKind(keys) == OPPROF_FACT_OBJECT &&
           OpprofFactNext(keys, &walk, &member, &fact)) {
        if (equals(OpprofFactText(OpprofFactMember(fact, "name")), key)) {
            snprintf(canonical, size, "%s", member);
            return true;
        }
    }
    return false;
}

/* A number of the chip file; it gets a name as well, so that it can be explained. */
static OpprofStatus bind_constant(OpprofMetrics *metrics, const OpprofFact *steps, const char *name,
                                  const char *key, OpprofBinding *binding, OpprofError **error)
{
    char place[MAX_PLACE];
    double number = 0;
    const bool is_known = find_constant(metrics, steps, key, &number, place);
    const OpprofStatus status = bind_input(
        metrics, &(Meant){ is_known ? METRIC_NUMBER : METRIC_CONSTANT, name, key, false }, binding,
        error);

    if (status != OPPROF_OK || !is_known) {
        return status;
    }
    MetricName *known = &metrics->names[binding->input];
    known->number = number;
    if (known->place == NULL && (known->place = strdup(place)) == NULL) {
        return no_memory(error);
    }
    *binding = (OpprofBinding){ .kind = OPPROF_BIND_NUMBER, .number = number };
    return OPPROF_OK;
}

static OpprofStatus bind_indexed(Binder *binder, const char *name, const char *key,
                                 OpprofBinding *binding, const char **ret_hint, OpprofError **error)
{
    OpprofMetrics *metrics = binder->metrics;
    const OpprofFact *entry = OpprofFactMember(metrics->indexed, name);
    const char *keys = OpprofFactText(OpprofFactMember(entry, "keys"));
    const OpprofFact *values = OpprofFactMember(entry, "values");
    char canonical[OPPROF_FORMULA_MAX_NAME];

    if (values != NULL) {
        return bind_constant(metrics, values, name, key, binding, error);
    }
    if (keys == NULL) {
        return OPPROF_OK;
    }
    if (!find_key(OpprofChipFact(metrics->chip, keys), key, canonical, sizeof canonical)) {
        snprintf(binder->hint, sizeof binder->hint, "'%s' of the chip has no '%s'", keys, key);
        *ret_hint = binder->hint;
        return OPPROF_OK;
    }
    return bind_input(metrics, &(Meant){ METRIC_INDEXED, name, canonical, true }, binding, error);
}

/* ---- name ---- */

static bool bind_local(const OpprofMetricScope *scope, const char *name, OpprofBinding *binding)
{
    for (; scope != NULL; scope = scope->outer) {
        const OpprofFact *member = OpprofFactMember(scope->members, name);
        if (OpprofFactNumber(member, &binding->number)) {
            binding->kind = OPPROF_BIND_NUMBER;
            return true;
        }
        binding->formula = OpprofFactText(member);
        if (binding->formula != NULL) {
            binding->kind = OPPROF_BIND_FORMULA;
            return true;
        }
    }
    return false;
}

/* The nearest of the names that the chip declares. */
static void hint_at_name(Binder *binder, const char *name)
{
    const OpprofFact *objects[] = { binder->metrics->symbols, binder->metrics->facts };
    const char *names[256];
    size_t count = 0;

    for (size_t i = 0; i < 2; i++) {
        OpprofFactWalk walk = { 0 };
        const OpprofFact *fact;
        while (count < 256 && OpprofFactGetKind(objects[i]) == OPPROF_FACT_OBJECT &&
               OpprofFactNext(objects[i], &walk, &names[count], &fact)) {
            count++;
        }
    }
    const char *nearest = OpprofNearestName(name, names, count);
    if (nearest != NULL) {
        snprintf(binder->hint, sizeof binder->hint, "Did you mean '%s'?", nearest);
    }
}

static OpprofStatus bind_name(void *context, const char *name, const char *key,
                              OpprofBinding *binding, const char **ret_hint, OpprofError **error)
{
    Binder *binder = context;
    OpprofMetrics *metrics = binder->metrics;
    const OpprofFact *found;

    binder->hint[0] = '\0';
    if (key != NULL) {
        return bind_indexed(binder, name, key, binding, ret_hint, error);
    }
    if (bind_local(binder->scope, name, binding)) {
        return OPPROF_OK;
    }
    found = OpprofFactMember(metrics->symbols, name);
    if (found != NULL) {
        return bind_symbol(metrics, name, found, binding, error);
    }
    found = OpprofFactMember(metrics->facts, name);
    if (found != NULL) {
        const char *kind = OpprofFactText(OpprofFactMember(found, "kind"));
        return bind_input(metrics, &(Meant){ METRIC_FACT, name, NULL, equals(kind, "count") },
                          binding, error);
    }
    hint_at_name(binder, name);
    *ret_hint = binder->hint[0] != '\0' ? binder->hint : NULL;
    return OPPROF_OK;
}

/* ---- public ---- */

OpprofStatus OpprofMetricsCreate(const OpprofChip *chip, const char *variant,
                                 OpprofMetrics **ret_metrics, OpprofError **error)
{
    OPPROF_REQUIRE("chip-given", chip != NULL, "The chip is given");
    OPPROF_REQUIRE("metrics-text", variant != NULL, "The text is given, with room for it");
    OPPROF_REQUIRE("metrics-result", ret_metrics != NULL, "The place of the result is given");
    *ret_metrics = NULL;
    if (OpprofFactGetKind(OpprofChipFact(chip, "metrics.facts")) != OPPROF_FACT_OBJECT) {
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
    *metrics = (OpprofMetrics){
        .chip = chip,
        .facts = OpprofChipFact(chip, "metrics.facts"),
        .indexed = OpprofChipFact(chip, "metrics.indexed"),
        .symbols = OpprofChipFact(chip, "metrics.symbols"),
        .variant = strdup(variant),
    };
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
    for (uint32_t i = 0; i < metrics->name_count; i++) {
        free(metrics->names[i].name);
        free(metrics->names[i].key);
        free(metrics->names[i].place);
    }
    for (uint32_t i = 0; i < metrics->formula_count; i++) {
        OpprofFormulaFree(metrics->formulas[i]);
    }
    OpprofInputsFinish(&metrics->values);
    OpprofTextMapFinish(&metrics->by_name);
    free(metrics->variant);
    free(metrics->names);
    free(metrics->order);
    free(metrics->formulas);
    free(metrics->inputs);
    free(metrics);
}

OpprofStatus OpprofMetricsAdd(OpprofMetrics *metrics, const char *name, const char *text,
                              const OpprofMetricScope *scope, const OpprofFormula **ret_formula,
                              OpprofError **error)
{
    OPPROF_REQUIRE("formula-result", ret_formula != NULL, "The place of the result is given");
    OPPROF_REQUIRE("metrics-given", metrics != NULL, "The metrics are given");
    OPPROF_REQUIRE("metrics-text", name != NULL && text != NULL,
                   "The text is given, with room for it");
    OPPROF_REQUIRE("metrics-open", metrics->inputs == NULL,
                   "Formulas are added before OpprofMetricsSeal");

    OpprofFormula *formula = NULL;
    const OpprofStatus status = parse(metrics, name, text, scope, &formula, error);

    if (status != OPPROF_OK) {
        OpprofErrorWrap(error, "A metric of the chip '%s' (series '%s') cannot be used",
                        OpprofChipSoc(metrics->chip), OpprofChipSeries(metrics->chip));
    }
    *ret_formula = formula;
    return status;
}

OpprofStatus OpprofMetricsSeal(OpprofMetrics *metrics, OpprofError **error)
{
    OPPROF_REQUIRE("metrics-given", metrics != NULL, "The metrics are given");

    OpprofMetricInput *inputs = calloc((size_t) metrics->name_count + 1, sizeof *inputs);
    uint32_t count = 0;

    OpprofInputsFinish(&metrics->values);
    if (inputs == NULL || !OpprofInputsInit(&metrics->values, metrics->name_count)) {
        free(inputs);
        return no_memory(error);
    }
    for (uint32_t i = 0; i < metrics->name_count; i++) {
        const MetricName *name = &metrics->names[i];
        if (name->kind == METRIC_FACT || name->kind == METRIC_INDEXED) {
            inputs[count++] = (OpprofMetricInput){
                .name = name->name, .key = name->key, .input = i, .is_integer = name->is_integer
            };
        }
    }
    free(metrics->inputs);
    metrics->inputs = inputs;
    metrics->input_count = count;
    return OPPROF_OK;
}

const OpprofMetricInput *OpprofMetricsInputList(const OpprofMetrics *metrics, size_t *ret_count)
{
    OPPROF_REQUIRE("metrics-given", metrics != NULL, "The metrics are given");
    OPPROF_REQUIRE("metrics-result", ret_count != NULL, "The place of the result is given");
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

    for (uint32_t i = 0; i < metrics->order_count; i++) {
        const uint32_t input = metrics->order[i];
        const MetricName *symbol = &metrics->names[input];
        const uint64_t count =
            symbol->is_integer ? OpprofFormulaCount(symbol->formula, values) : OPPROF_NA_U64;
        if (count != OPPROF_NA_U64) {
            OpprofInputsCount(values, input, count);
        } else {
            OpprofInputsReal(values, input, OpprofFormulaReal(symbol->formula, values));
        }
    }
}

static void print_absent(const OpprofMetrics *metrics, const MetricName *name, char *text,
                         size_t size)
{
    if (name->kind == METRIC_CONSTANT) {
        snprintf(text, size, "%s(%s) of %s is unknown", name->name, name->key,
                 OpprofChipSoc(metrics->chip));
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
        const MetricName *name;
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
            name = &metrics->names[input];
            print_absent(metrics, name, text, size);
            formula = name->kind == METRIC_SYMBOL ? name->formula : NULL;
            break;
        }
        if (formula == NULL) {
            return;
        }
    }
}
