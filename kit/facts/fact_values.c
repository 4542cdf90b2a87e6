/* SPDX-License-Identifier: Apache-2.0 */
/* Binds single facts: numbers, texts, names, forms and formulas. Tested by
 * tests/kit/facts/test_facts. */
#include "kit/facts/fact_bind.h"
#include "kit/metrics/metrics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Prints "8..4096 bytes". */
void FactPrintRange(const OpprofFactField *field, char *text, size_t size)
{
    const double most = field->type == OPPROF_FACT_IS_REAL ? field->most : FactMost(field);
    const bool has_most = field->most > 0 || (most > 0 && most < FACT_MOST_EXACT);
    int used = snprintf(text, size, "%.15g..", field->least);

    if (has_most) {
        used += snprintf(text + used, size - (size_t) used, "%.15g", most);
    }
    if (field->unit != NULL) {
        snprintf(text + used, size - (size_t) used, " %s", field->unit);
    }
}

static bool check_range(FactChecker *checker, const FactLocation *location,
                        const OpprofFactField *field, double value)
{
    const double most = field->type != OPPROF_FACT_IS_REAL ? FactMost(field)
                        : field->most > 0                  ? field->most
                                                           : INFINITY;
    char range[96];

    if (value >= field->least && value <= most) {
        return true;
    }
    FactPrintRange(field, range, sizeof range);
    FactLocationRefuse(checker, location, "%g is out of range (%s)", value, range);
    return false;
}

void FactBindNumber(FactChecker *checker, const FactLocation *location,
                    const OpprofFactField *field, char *base)
{
    double value = 0;

    OpprofFactNumber(location->fact, &value);
    if (field->type == OPPROF_FACT_IS_WHOLE && value != floor(value)) {
        FactLocationRefuse(checker, location, "%g is not an integer", value);
    } else if (check_range(checker, location, field, value)) {
        double *real = FactPlace(field, base);

        if (field->type == OPPROF_FACT_IS_WHOLE) {
            FactStore(field, base, (uint64_t) value);
        } else if (real != NULL) {
            *real = value;
        }
    }
}

/* The place of a name among those of a reference. */
static void store_choice(FactChecker *checker, const FactLocation *location,
                         const OpprofFactField *field, char *base, const char *name)
{
    FactNames names;

    names.count = 0;
    names.used = 0;
    FactNamesOf(checker, location, field->from, &names);
    for (size_t i = 0; i < names.count; i++) {
        if (strcmp(names.names[i], name) == 0) {
            FactStore(field, base, i);
            return;
        }
    }
}

void FactBindName(FactChecker *checker, const FactLocation *location, const OpprofFactField *field,
                  char *base)
{
    const char *name = OpprofFactText(location->fact);
    char number[32];
    double value = 0;

    if (field->type == OPPROF_FACT_IS_ID) {
        OpprofFactNumber(location->fact, &value);
        snprintf(number, sizeof number, "%.15g", value);
        name = number;
    }
    if (!FactNamesHave(checker, location, field->from, name)) {
        FactNamesRefuse(checker, location, field->from, name);
    } else if (field->type == OPPROF_FACT_IS_NAME) {
        FactStoreText(field, base, name);
    } else if (field->type == OPPROF_FACT_IS_ID) {
        FactStore(field, base, (uint64_t) value);
    } else if (FactPlace(field, base) != NULL) {
        store_choice(checker, location, field, base, name);
    }
}

/* Two names of a reference with '>' between them. */
void FactBindPair(FactChecker *checker, const FactLocation *location, const OpprofFactField *field,
                  char *base)
{
    const char *text = OpprofFactText(location->fact);
    const char *middle = strchr(text, '>');
    char first[FACT_MAX_PLACE];

    if (middle == NULL) {
        FactLocationRefuse(checker, location,
                           "expected two names with '>' between them, found '%s'", text);
        return;
    }
    snprintf(first, sizeof first, "%.*s", (int) (middle - text), text);
    if (!FactNamesHave(checker, location, field->from, first)) {
        FactNamesRefuse(checker, location, field->from, first);
    }
    if (!FactNamesHave(checker, location, field->from, middle + 1)) {
        FactNamesRefuse(checker, location, field->from, middle + 1);
    }
    FactStoreText(field, base, text);
}

void FactBindForm(FactChecker *checker, const FactLocation *location, const OpprofFactField *field,
                  char *base)
{
    OpprofForm **place = FactPlace(field, base);
    OpprofForm *form = NULL;
    OpprofError *error = NULL;

    if (OpprofFormRead(field->form, OpprofFactText(location->fact), &form, &error) != OPPROF_OK) {
        FactLocationPass(checker, location, error);
        OpprofErrorDestroy(error);
    }
    if (place != NULL) {
        *place = form;
    } else {
        OpprofFormFree(form);
    }
}

void FactBindText(FactChecker *checker, const FactLocation *location, const OpprofFactField *field,
                  char *base)
{
    const char *text = OpprofFactText(location->fact);

    if (text[0] == '\0') {
        FactLocationRefuse(checker, location, "the text is empty");
    } else if (field->most > 0 && strlen(text) > (size_t) field->most) {
        FactLocationRefuse(checker, location, "'%s' is longer than %.0f byte%s", text, field->most,
                           field->most > 1 ? "s" : "");
    }
    FactStoreText(field, base, text);
}

void FactBindBool(FactChecker *checker, const FactLocation *location, const OpprofFactField *field,
                  char *base)
{
    (void) checker;
    FactStore(field, base, OpprofFactBool(location->fact, false));
}

static void fill_formula(FactChecker *checker, OpprofFactFormula *place, const char *text,
                         const OpprofFormula *formula)
{
    if (place != NULL) {
        *place = (OpprofFactFormula){ .text = text, .formula = formula };
    }
    if (place != NULL && formula != NULL && checker->metrics != NULL &&
        !MetricsUse(checker->metrics, formula)) {
        checker->mistakes->no_memory = true;
    }
}

void FactBindFormula(FactChecker *checker, const FactLocation *location,
                     const OpprofFactField *field, char *base)
{
    const char *text = OpprofFactText(location->fact);
    const bool is_pattern = (field->flags & OPPROF_FACT_PATTERN) != 0 && strchr(text, '{') != NULL;

    fill_formula(checker, FactPlace(field, base), text,
                 is_pattern ? NULL : FactFormulaCompile(checker, location, text));
}

void FactBindConstant(FactChecker *checker, const FactLocation *location,
                      const OpprofFactField *field, char *base)
{
    OpprofFactFormula *place = FactPlace(field, base);
    double number = 0;
    char digits[32];

    if (place != NULL && OpprofFactNumber(location->fact, &number)) {
        snprintf(digits, sizeof digits, "%.15g", number);
        fill_formula(checker, place, NULL, FactFormulaCompile(checker, location, digits));
    }
}

void FactBindAny(FactChecker *checker, const FactLocation *location, const OpprofFactField *field,
                 char *base)
{
    const OpprofFact **place = FactPlace(field, base);

    (void) checker;
    if (place != NULL) {
        *place = location->fact;
    }
}

void FactBindCount(FactChecker *checker, const FactLocation *location, const OpprofFactField *field,
                   char *base)
{
    static const OpprofFactField number = { .type = OPPROF_FACT_IS_WHOLE,
                                            OPPROF_FACT_IN(OpprofFactWhole, number) };
    OpprofFactWhole *place = FactPlace(field, base);
    OpprofFactWhole unused;
    OpprofFactWhole *count = place == NULL ? &unused : place;

    *count = (OpprofFactWhole){ .text = OpprofFactText(location->fact), .is_there = true };
    if (count->text == NULL) {
        FactBindNumber(checker, location, &number, (char *) count);
    } else {
        FactCountCheck(checker, location, field->from);
    }
}
