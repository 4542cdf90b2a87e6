/* SPDX-License-Identifier: Apache-2.0 */
/* Compiles formulas that facts of a chip state. Tested by tests/kit/facts/test_facts and
 * tests/e2e/chip_mistakes.sh. */
#include "kit/facts/fact_location.h"

#include "kit/facts/chip.h"
#include "kit/metrics/metrics.h"

#include <opprof/kit/formula.h>

#include <stdio.h>
#include <string.h>

/* ---- formulas over metrics ---- */

static bool has_key(const OpprofFact *fact, const char *key)
{
    const char *name;
    const OpprofFact *member;
    OpprofFactWalk walk = { 0 };

    while (OpprofFactGetKind(fact) == OPPROF_FACT_OBJECT &&
           OpprofFactNext(fact, &walk, &name, &member)) {
        if (strcmp(name, key) == 0 || has_key(member, key)) {
            return true;
        }
    }
    return false;
}

static bool is_among(const FactNames *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++) {
        if (strcmp(names->names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static void all_keys(const OpprofFact *fact, FactNames *names)
{
    const char *name;
    const OpprofFact *member;
    OpprofFactWalk walk = { 0 };

    while (OpprofFactGetKind(fact) == OPPROF_FACT_OBJECT &&
           OpprofFactNext(fact, &walk, &name, &member)) {
        if (OpprofFactGetKind(member) == OPPROF_FACT_OBJECT) {
            all_keys(member, names);
        } else if (!is_among(names, name)) {
            FactNamesAdd(names, name);
        }
    }
}

/* A number that no variant of the chip states is a typing error; one that only others state is
 * absent. */
static void check_constants(FactChecker *checker, const FactLocation *location,
                            const OpprofFormula *formula)
{
    MetricFormulas *formulas = checker->chip->formulas;
    size_t count = 0;
    const uint32_t *inputs = OpprofFormulaInputs(formula, &count);

    for (size_t i = 0; i < count; i++) {
        const MetricName name = MetricFormulasName(formulas, inputs[i]);
        const char *path = OpprofFactText(OpprofFactAt(
            OpprofFactMember(OpprofFactMember(formulas->indexed, name.name), "values"), 0));
        const OpprofFact *numbers = path == NULL ? NULL : OpprofChipFact(checker->chip, path);

        if (name.kind == METRIC_CONSTANT && !has_key(numbers, name.key)) {
            FactNames names = { .count = 0 };
            char what[100];

            all_keys(numbers, &names);
            snprintf(what, sizeof what, "no '%.60s' is stated for", name.name);
            FactLocationRefuseName(checker, location, what, name.key, &names);
        }
    }
}

const OpprofFormula *FactFormulaCompile(FactChecker *checker, const FactLocation *location,
                                        const char *text)
{
    const OpprofFormula *formula = NULL;
    OpprofError *error = NULL;
    char place[FACT_MAX_PLACE];

    if (checker->chip->formulas->facts == NULL) {
        return NULL;
    }
    const char *name = location->scope == NULL
                           ? NULL
                           : OpprofFactText(OpprofFactMember(location->scope->members, "name"));

    if (name == NULL) {
        FactLocationPrint(location, place, sizeof place);
        name = place;
    }
    if (MetricFormulasCompile(checker->chip->formulas, name, text, location->scope, &formula,
                              &error) != OPPROF_OK) {
        const OpprofError *cause = error;

        while (OpprofErrorCause(cause) != NULL) {
            cause = OpprofErrorCause(cause);
        }
        FactLocationPass(checker, location, cause);
        OpprofErrorDestroy(error);
        return NULL;
    }
    check_constants(checker, location, formula);
    return formula;
}

/* ---- formulas of whole numbers ---- */

/* The names that a formula may use, and the first that is not one of them. */
typedef struct WholeNames {
    const FactChecker *checker;
    const FactLocation *location;
    const char *from;
    char unknown[FACT_MAX_PLACE];
    bool is_later; /* it is computed after the formula that uses it */
} WholeNames;

/* Of formulas in an object 'let', each may use those before it: whether the name is its own or one
 * after it. */
static bool is_later_let(const FactLocation *location, const char *name)
{
    OpprofFactWalk walk = { 0 };
    const OpprofFact *fact;
    const char *key;
    bool is_after = false;

    if (location->key == NULL || location->above == NULL || location->above->key == NULL ||
        strcmp(location->above->key, "let") != 0) {
        return false;
    }
    while (OpprofFactNext(location->above->fact, &walk, &key, &fact)) {
        is_after = is_after || strcmp(key, location->key) == 0;
        if (strcmp(key, name) == 0) {
            return is_after;
        }
    }
    return false;
}

static OpprofStatus bind_whole(void *context, const char *name, const char *key,
                               OpprofBinding *binding, const char **ret_hint, OpprofError **error)
{
    WholeNames *names = context;

    (void) ret_hint;
    (void) error;
    names->is_later = key == NULL && is_later_let(names->location, name);
    if (key == NULL && !names->is_later &&
        FactNamesHave(names->checker, names->location, names->from, name)) {
        binding->kind = OPPROF_BIND_INPUT;
    } else if (key == NULL) {
        snprintf(names->unknown, sizeof names->unknown, "%s", name);
    }
    return OPPROF_OK;
}

void FactCountCheck(FactChecker *checker, const FactLocation *location, const char *from)
{
    WholeNames names = { .checker = checker, .location = location, .from = from };
    const char *text = OpprofFactText(location->fact);
    OpprofFormula *formula = NULL;
    OpprofError *error = NULL;

    if (OpprofFormulaParse(&(OpprofFormulaText){ location->key != NULL ? location->key : "formula",
                                                 text, strlen(text), OPPROF_FORMULA_WHOLE },
                           bind_whole, &names, &formula, &error) == OPPROF_OK) {
        OpprofFormulaFree(formula);
    } else if (names.is_later) {
        FactLocationRefuse(checker, location, "'%s' is computed later", names.unknown);
    } else if (names.unknown[0] != '\0') {
        FactNamesRefuse(checker, location, from, names.unknown);
    } else {
        FactLocationPass(checker, location, error);
    }
    OpprofErrorDestroy(error);
}
