/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compiles the formulas of a chip, each once, and finds what their names mean. Tested by
 * tests/kit/metrics/test_metrics.
 */
#include "kit/metrics/metrics.h"

#include <opprof/grow.h>
#include <opprof/json.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 32u /* symbols within symbols */
#define MAX_SCOPES 8u /* around a formula that is kept */

/* A parse in progress. */
typedef struct Binder {
    MetricFormulas *formulas;
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

static MetricName *find_name(const MetricFormulas *formulas, const char *name, const char *key)
{
    NameText text;

    put_name(&text, name, key);
    const uint32_t at = OpprofTextMapFind(&formulas->by_name, text.text, text.length);
    return at == OPPROF_MAP_NONE || formulas->names[at].is_broken ? NULL : &formulas->names[at];
}

/* A name of a formula, and what it is. */
typedef struct Meant {
    MetricNameKind kind;
    const char *name;
    const char *key; /* NULL: none */
    bool is_integer;
} Meant;

/* A name that find_name() did not find; a broken one gets its old place. */
static MetricName *add_name(MetricFormulas *formulas, const Meant *meant)
{
    const char *key = meant->key;
    NameText text;

    put_name(&text, meant->name, key);
    const uint32_t broken = OpprofTextMapFind(&formulas->by_name, text.text, text.length);
    if (broken != OPPROF_MAP_NONE) {
        formulas->names[broken].is_broken = false;
        return &formulas->names[broken];
    }
    if (!OpprofGrow32(&formulas->names, &formulas->name_capacity, (size_t) formulas->name_count + 1,
                      sizeof *formulas->names)) {
        return NULL;
    }
    MetricName *added = &formulas->names[formulas->name_count];
    *added = (MetricName){ .name = strdup(meant->name),
                           .key = key != NULL ? strdup(key) : NULL,
                           .kind = (uint8_t) meant->kind,
                           .is_integer = meant->is_integer };
    if (added->name == NULL || (key != NULL && added->key == NULL) ||
        !OpprofTextMapPut(&formulas->by_name, text.text, text.length, formulas->name_count, NULL)) {
        free(added->name);
        free(added->key);
        return NULL;
    }
    formulas->name_count++;
    return added;
}

static OpprofStatus bind_input(MetricFormulas *formulas, const Meant *meant, OpprofBinding *binding,
                               OpprofError **error)
{
    const MetricName *known = find_name(formulas, meant->name, meant->key);

    if (known == NULL) {
        known = add_name(formulas, meant);
    }
    if (known == NULL) {
        return no_memory(error);
    }
    *binding = (OpprofBinding){ .kind = OPPROF_BIND_INPUT,
                                .input = (uint32_t) (known - formulas->names),
                                .is_integer = known->is_integer };
    return OPPROF_OK;
}

/* ---- symbols ---- */

static const char *formula_of(const OpprofFact *symbol)
{
    const char *text = OpprofFactText(symbol);
    return text != NULL ? text : OpprofFactText(OpprofFactMember(symbol, "is"));
}

static OpprofStatus parse(MetricFormulas *formulas, const char *name, const char *text,
                          const OpprofMetricScope *scope, OpprofFormula **ret_formula,
                          OpprofError **error)
{
    const OpprofFormulaText source = { name, text, strlen(text), OPPROF_FORMULA_REAL };
    Binder binder = { .formulas = formulas, .scope = scope };

    const OpprofStatus status = OpprofFormulaParse(&source, bind_name, &binder, ret_formula, error);
    if (status != OPPROF_OK) {
        return status;
    }
    if (!OpprofGrow32(&formulas->list, &formulas->capacity, (size_t) formulas->count + 1,
                      sizeof(OpprofFormula *))) {
        OpprofFormulaFree(*ret_formula);
        *ret_formula = NULL;
        return no_memory(error);
    }
    formulas->list[formulas->count++] = *ret_formula;
    return OPPROF_OK;
}

/* The input of a symbol exists before its formula is parsed, so that cycles are noticed. */
static OpprofStatus add_symbol(MetricFormulas *formulas, const char *name, const OpprofFact *symbol,
                               OpprofError **error)
{
    const char *text = formula_of(symbol);
    OpprofFormula *formula = NULL;

    if (text == NULL) {
        return OpprofErrorSet(error, OPPROF_E_DATA, "Symbol '%s' of the chip has no formula", name);
    }
    if (formulas->depth >= MAX_DEPTH) {
        return OpprofErrorSet(error, OPPROF_E_LIMIT,
                              "Symbol '%s' depends on more than %u others in a row", name,
                              MAX_DEPTH);
    }
    const MetricName *added = add_name(formulas, &(Meant){ METRIC_SYMBOL, name, NULL, false });
    if (added == NULL) {
        return no_memory(error);
    }
    const uint32_t input = (uint32_t) (added - formulas->names);
    formulas->depth++;
    const OpprofStatus status = parse(formulas, name, text, NULL, &formula, error);
    formulas->depth--;
    if (status != OPPROF_OK) {
        formulas->names[input].is_broken = true;
        return status;
    }
    if (!OpprofGrow32(&formulas->order, &formulas->order_capacity,
                      (size_t) formulas->order_count + 1, sizeof *formulas->order)) {
        formulas->names[input].is_broken = true;
        return no_memory(error);
    }
    formulas->order[formulas->order_count++] = input;
    formulas->names[input].formula = formula;
    formulas->names[input].is_integer = OpprofFormulaIsInteger(formula);
    return OPPROF_OK;
}

static OpprofStatus bind_symbol(MetricFormulas *formulas, const char *name,
                                const OpprofFact *symbol, OpprofBinding *binding,
                                OpprofError **error)
{
    const MetricName *known = find_name(formulas, name, NULL);

    if (known != NULL && known->formula == NULL) {
        return OpprofErrorSet(error, OPPROF_E_DATA, "Symbol '%s' is defined in terms of itself",
                              name);
    }
    if (known == NULL) {
        const OpprofStatus status = add_symbol(formulas, name, symbol, error);
        if (status != OPPROF_OK) {
            return status;
        }
    }
    return bind_input(formulas, &(Meant){ METRIC_SYMBOL, name, NULL, false }, binding, error);
}

/* ---- name(key) ---- */

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

static OpprofStatus bind_indexed(Binder *binder, const char *name, const char *key,
                                 OpprofBinding *binding, const char **ret_hint, OpprofError **error)
{
    MetricFormulas *formulas = binder->formulas;
    const OpprofFact *entry = OpprofFactMember(formulas->indexed, name);
    const char *keys = OpprofFactText(OpprofFactMember(entry, "keys"));
    const OpprofFact *values = OpprofFactMember(entry, "values");
    char canonical[OPPROF_FORMULA_MAX_NAME];

    if (values != NULL) {
        return bind_input(formulas, &(Meant){ METRIC_CONSTANT, name, key, false }, binding, error);
    }
    if (keys == NULL) {
        return OPPROF_OK;
    }
    if (!find_key(OpprofChipFact(formulas->chip, keys), key, canonical, sizeof canonical)) {
        snprintf(binder->hint, sizeof binder->hint, "'%s' of the chip has no '%s'", keys, key);
        *ret_hint = binder->hint;
        return OPPROF_OK;
    }
    return bind_input(formulas, &(Meant){ METRIC_INDEXED, name, canonical, true }, binding, error);
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
    const OpprofFact *objects[] = { binder->formulas->symbols, binder->formulas->facts };
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
    MetricFormulas *formulas = binder->formulas;
    const OpprofFact *found;

    binder->hint[0] = '\0';
    if (key != NULL) {
        return bind_indexed(binder, name, key, binding, ret_hint, error);
    }
    if (bind_local(binder->scope, name, binding)) {
        return OPPROF_OK;
    }
    found = OpprofFactMember(formulas->symbols, name);
    if (found != NULL) {
        return bind_symbol(formulas, name, found, binding, error);
    }
    found = OpprofFactMember(formulas->facts, name);
    if (found != NULL) {
        const char *kind = OpprofFactText(OpprofFactMember(found, "kind"));
        return bind_input(formulas, &(Meant){ METRIC_FACT, name, NULL, equals(kind, "count") },
                          binding, error);
    }
    hint_at_name(binder, name);
    *ret_hint = binder->hint[0] != '\0' ? binder->hint : NULL;
    return OPPROF_OK;
}

/* ---- all formulas of a chip ---- */

OpprofStatus MetricFormulasCreate(const OpprofChip *chip, MetricFormulas **ret_formulas,
                                  OpprofError **error)
{
    const OpprofFact *facts = OpprofChipFact(chip, "metrics.facts");
    MetricFormulas *formulas = calloc(1, sizeof *formulas);

    *ret_formulas = formulas;
    if (formulas == NULL) {
        return no_memory(error);
    }
    *formulas = (MetricFormulas){
        .lock = PTHREAD_MUTEX_INITIALIZER,
        .chip = chip,
        .facts = OpprofFactGetKind(facts) == OPPROF_FACT_OBJECT ? facts : NULL,
        .indexed = OpprofChipFact(chip, "metrics.indexed"),
        .symbols = OpprofChipFact(chip, "metrics.symbols"),
    };
    return OPPROF_OK;
}

void MetricFormulasFree(MetricFormulas *formulas)
{
    if (formulas == NULL) {
        return;
    }
    for (uint32_t i = 0; i < formulas->name_count; i++) {
        free(formulas->names[i].name);
        free(formulas->names[i].key);
    }
    for (uint32_t i = 0; i < formulas->count; i++) {
        OpprofFormulaFree(formulas->list[i]);
    }
    OpprofTextMapFinish(&formulas->by_name);
    OpprofTextMapFinish(&formulas->by_text);
    pthread_mutex_destroy(&formulas->lock);
    free(formulas->names);
    free(formulas->order);
    free(formulas->list);
    free(formulas);
}

/* What a compiled formula depends on: its text, and the objects around it. */
typedef struct FormulaKey {
    char bytes[OPPROF_FORMULA_MAX_LENGTH + MAX_SCOPES * sizeof(void *)];
    size_t length; /* 0: it is compiled each time */
} FormulaKey;

static void make_key(FormulaKey *key, const char *text, const OpprofMetricScope *scope)
{
    const size_t length = strlen(text);
    size_t scopes = 0;

    key->length = 0;
    if (length > OPPROF_FORMULA_MAX_LENGTH) {
        return;
    }
    for (; scope != NULL && scopes < MAX_SCOPES; scope = scope->outer, scopes++) {
        memcpy(key->bytes + scopes * sizeof(void *), &scope->members, sizeof(void *));
    }
    memcpy(key->bytes + scopes * sizeof(void *), text, length);
    key->length = scope == NULL ? scopes * sizeof(void *) + length : 0;
}

OpprofStatus MetricFormulasCompile(MetricFormulas *formulas, const char *name, const char *text,
                                   const OpprofMetricScope *scope,
                                   const OpprofFormula **ret_formula, OpprofError **error)
{
    OpprofFormula *formula = NULL;
    OpprofStatus status = OPPROF_OK;
    FormulaKey key;

    make_key(&key, text, scope);
    pthread_mutex_lock(&formulas->lock);
    const uint32_t known = OpprofTextMapFind(&formulas->by_text, key.bytes, key.length);
    if (key.length > 0 && known != OPPROF_MAP_NONE) {
        formula = formulas->list[known];
    } else {
        status = parse(formulas, name, text, scope, &formula, error);
        if (status == OPPROF_OK && key.length > 0 &&
            !OpprofTextMapPut(&formulas->by_text, key.bytes, key.length, formulas->count - 1,
                              NULL)) {
            status = no_memory(error);
        }
    }
    pthread_mutex_unlock(&formulas->lock);
    *ret_formula = status == OPPROF_OK ? formula : NULL;
    return status;
}

MetricName MetricFormulasName(MetricFormulas *formulas, uint32_t input)
{
    pthread_mutex_lock(&formulas->lock);
    const MetricName name = formulas->names[input];
    pthread_mutex_unlock(&formulas->lock);
    return name;
}
