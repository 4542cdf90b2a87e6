/* SPDX-License-Identifier: Apache-2.0 */
/* Puts facts into structures, and frees what those own. Tested by tests/kit/facts/test_facts. */
#include "kit/facts/fact_bind.h"

#include <opprof/grow.h>
#include <opprof/require.h>

#include <stdlib.h>
#include <string.h>

/* ---- places ---- */

/* Where a field without elements is; NULL: nowhere. */
void *FactPlace(const OpprofFactField *field, char *base)
{
    return base == NULL || field->size == 0 ? NULL : base + field->offset;
}

/* The structure of the members of an object, which may be the one around it. */
char *FactInner(const OpprofFactField *field, char *base)
{
    return base == NULL || field->size == 0 ? base : base + field->offset;
}

/* The largest whole number that fits. */
double FactMost(const OpprofFactField *field)
{
    const double room = field->size == 0 || field->size >= sizeof(uint64_t)
                            ? FACT_MOST_EXACT
                            : (double) (UINT64_C(1) << 8 * field->size) - 1;

    return field->most > 0 ? field->most : room;
}

void FactStore(const OpprofFactField *field, char *base, uint64_t value)
{
    char *place = FactPlace(field, base);

    if (place == NULL) {
        return;
    }
    switch (field->size) {
    case sizeof(uint8_t):
        *(uint8_t *) place = (uint8_t) value;
        break;
    case sizeof(uint16_t):
        *(uint16_t *) (void *) place = (uint16_t) value;
        break;
    case sizeof(uint32_t):
        *(uint32_t *) (void *) place = (uint32_t) value;
        break;
    default:
        *(uint64_t *) (void *) place = value;
        break;
    }
}

void FactStoreText(const OpprofFactField *field, char *base, const char *text)
{
    const char **place = FactPlace(field, base);

    if (place != NULL) {
        *place = text;
    }
}

static void set_alternative(const OpprofFactField *field, char *base)
{
    char *place = FactPlace(field, base);

    if (field->type == OPPROF_FACT_IS_OBJECT || field->type == OPPROF_FACT_IS_TUPLE) {
        for (const OpprofFactField *one = field->of; one->type != OPPROF_FACT_IS_END; one++) {
            FactSetMissing(one, FactInner(field, base));
        }
    } else if (place == NULL || field->otherwise == 0) {
        return;
    } else if (field->type == OPPROF_FACT_IS_REAL) {
        *(double *) (void *) place = field->otherwise;
    } else {
        FactStore(field, base, (uint64_t) (int64_t) field->otherwise);
    }
}

/* What a missing fact fills; all else is zero. */
void FactSetMissing(const OpprofFactField *field, char *base)
{
    for (; field != NULL; field = field->either) {
        set_alternative(field, base);
    }
}

/* Room for one more element, with what missing facts fill; NULL: it is not kept. */
char *FactAddElement(FactChecker *checker, const OpprofFactField *field, char *base,
                     const char *key)
{
    char *place = FactPlace(field, base);

    if (place == NULL) {
        return NULL;
    }
    uint32_t *count = (uint32_t *) (void *) (base + field->count);
    char *elements = place;

    if ((field->flags & OPPROF_FACT_IN_PLACE) != 0) {
        if (*count >= (uint32_t) field->most) {
            return NULL; /* the length is reported */
        }
    } else {
        char **array = (char **) (void *) place;
        size_t capacity = *count;

        /* It is as good as full whenever the number is a power of two: growing
         * doubles it at least. */
        if ((*count & (*count - 1)) == 0 &&
            !OpprofGrow(array, &capacity, (size_t) *count + 1, field->size)) {
            checker->mistakes->no_memory = true;
            return NULL;
        }
        elements = *array;
    }
    char *element = elements + (size_t) (*count)++ * field->size;

    memset(element, 0, field->size);
    FactSetMissing(field->of, element);
    if (field->key_size == sizeof(uint32_t)) {
        *(uint32_t *) (void *) (element + field->key) = (uint32_t) strtoul(key, NULL, 10);
    } else if (field->key_size > 0) {
        *(const char **) (void *) (element + field->key) = key;
    }
    return element;
}

OpprofFactField FactRoot(const OpprofFactTable *table)
{
    return table->fields == NULL
               ? *table->root
               : (OpprofFactField){ .type = OPPROF_FACT_IS_OBJECT, .of = table->fields };
}

/* ---- freeing ---- */

static void free_field(const OpprofFactField *field, char *base);

static void free_elements(const OpprofFactField *field, char *base)
{
    char *place = FactPlace(field, base);
    const bool is_own = (field->flags & OPPROF_FACT_IN_PLACE) == 0;

    if (place == NULL) {
        return;
    }
    char *elements = is_own ? *(char **) (void *) place : place;
    const uint32_t count = *(uint32_t *) (void *) (base + field->count);

    for (uint32_t i = 0; i < count; i++) {
        free_field(field->of, elements + (size_t) i * field->size);
    }
    if (is_own) {
        free(elements);
    }
}

static void free_alternative(const OpprofFactField *field, char *base)
{
    if (field->type == OPPROF_FACT_IS_FORM && FactPlace(field, base) != NULL) {
        OpprofFormFree(*(OpprofForm **) FactPlace(field, base));
    } else if (field->type == OPPROF_FACT_IS_LIST || field->type == OPPROF_FACT_IS_MAP) {
        free_elements(field, base);
    } else if (field->type == OPPROF_FACT_IS_OBJECT || field->type == OPPROF_FACT_IS_TUPLE) {
        for (const OpprofFactField *one = field->of; one->type != OPPROF_FACT_IS_END; one++) {
            free_field(one, FactInner(field, base));
        }
    }
}

/* Alternatives have places of their own, or fill the same with values that own nothing. */
static void free_field(const OpprofFactField *field, char *base)
{
    for (; field != NULL; field = field->either) {
        free_alternative(field, base);
    }
}

void OpprofFactsFree(const OpprofFactTable *table, void *bound)
{
    OPPROF_REQUIRE("fact-table-given", table != NULL && bound != NULL,
                   "The table fills a structure, and this is given");

    const OpprofFactField root = FactRoot(table);

    free_field(&root, bound);
    memset(bound, 0, table->size);
}
