/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks facts against tables, and fills structures with them, in one walk. Tested by tests/kit/facts/test_facts.
 */
#include "kit/facts/fact_bind.h"

#include <opprof/grow.h>
#include <opprof/kit/record_bits.h>
#include <opprof/require.h>

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MOST_EXACT 0x1p53 /* whole numbers up to here are exact */

/* `base` is the structure that a fact is bound to; NULL: it is only checked. */

struct OpprofFactReport {
    FactChecker *checker;
    const FactSpot *spot;
};

/* ---- places ---- */

/* Where a field without elements is; NULL: nowhere. */
static void *place_of(const OpprofFactField *field, char *base)
{
    return base == NULL || field->size == 0 ? NULL : base + field->offset;
}

/* The structure of the members of an object, which may be the one around it. */
static char *inner_base(const OpprofFactField *field, char *base)
{
    return base == NULL || field->size == 0 ? base : base + field->offset;
}

/* The largest whole number that fits. */
static double most_of(const OpprofFactField *field)
{
    const double room = field->size == 0 || field->size >= sizeof(uint64_t)
                            ? MOST_EXACT
                            : (double) (UINT64_C(1) << 8 * field->size) - 1;

    return field->most > 0 ? field->most : room;
}

static void store(const OpprofFactField *field, char *base, uint64_t value)
{
    char *place = place_of(field, base);

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

static void store_text(const OpprofFactField *field, char *base, const char *text)
{
    const char **place = place_of(field, base);

    if (place != NULL) {
        *place = text;
    }
}

static void set_missing(const OpprofFactField *field, char *base);

static void set_alternative(const OpprofFactField *field, char *base)
{
    char *place = place_of(field, base);

    if (field->type == OPPROF_FACT_IS_OBJECT || field->type == OPPROF_FACT_IS_TUPLE) {
        for (const OpprofFactField *one = field->of; one->type != OPPROF_FACT_IS_END; one++) {
            set_missing(one, inner_base(field, base));
        }
    } else if (place == NULL || field->otherwise == 0) {
        return;
    } else if (field->type == OPPROF_FACT_IS_REAL) {
        *(double *) (void *) place = field->otherwise;
    } else {
        store(field, base, (uint64_t) (int64_t) field->otherwise);
    }
}

/* What a missing fact fills; all else is zero. */
static void set_missing(const OpprofFactField *field, char *base)
{
    for (; field != NULL; field = field->either) {
        set_alternative(field, base);
    }
}

/* Room for one more element, with what missing facts fill; NULL: it is not kept. */
static char *add_element(FactChecker *checker, const OpprofFactField *field, char *base,
                         const char *key)
{
    char *place = place_of(field, base);

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

        /* It is as good as full whenever the number is a power of two: growing doubles it at least. */
        if ((*count & (*count - 1)) == 0 &&
            !OpprofGrow(array, &capacity, (size_t) *count + 1, field->size)) {
            checker->mistakes->no_memory = true;
            return NULL;
        }
        elements = *array;
    }
    char *element = elements + (size_t) (*count)++ * field->size;

    memset(element, 0, field->size);
    set_missing(field->of, element);
    if (field->key_size == sizeof(uint32_t)) {
        *(uint32_t *) (void *) (element + field->key) = (uint32_t) strtoul(key, NULL, 10);
    } else if (field->key_size > 0) {
        *(const char **) (void *) (element + field->key) = key;
    }
    return element;
}

/* ---- single values ---- */

/* Prints "8..4096 bytes". */
static void print_range(const OpprofFactField *field, char *text, size_t size)
{
    const double most = field->type == OPPROF_FACT_IS_REAL ? field->most : most_of(field);
    const bool has_most = field->most > 0 || (most > 0 && most < MOST_EXACT);
    int used = snprintf(text, size, "%.15g..", field->least);

    if (has_most) {
        used += snprintf(text + used, size - (size_t) used, "%.15g", most);
    }
    if (field->unit != NULL) {
        snprintf(text + used, size - (size_t) used, " %s", field->unit);
    }
}

static bool check_range(FactChecker *checker, const FactSpot *spot, const OpprofFactField *field,
                        double value)
{
    const double most = field->type != OPPROF_FACT_IS_REAL ? most_of(field)
                        : field->most > 0                  ? field->most
                                                           : INFINITY;
    char range[96];

    if (value >= field->least && value <= most) {
        return true;
    }
    print_range(field, range, sizeof range);
    FactSpotRefuse(checker, spot, "%g is out of range (%s)", value, range);
    return false;
}

static void bind_number(FactChecker *checker, const FactSpot *spot, const OpprofFactField *field,
                        char *base)
{
    double value = 0;

    OpprofFactNumber(spot->fact, &value);
    if (field->type == OPPROF_FACT_IS_WHOLE && value != floor(value)) {
        FactSpotRefuse(checker, spot, "%g is not an integer", value);
    } else if (check_range(checker, spot, field, value)) {
        double *real = place_of(field, base);

        if (field->type == OPPROF_FACT_IS_WHOLE) {
            store(field, base, (uint64_t) value);
        } else if (real != NULL) {
            *real = value;
        }
    }
}

/* The place of a name among those of a reference. */
static void store_choice(FactChecker *checker, const FactSpot *spot, const OpprofFactField *field,
                         char *base, const char *name)
{
    FactNames names;

    names.count = 0;
    names.used = 0;
    FactNamesOf(checker, spot, field->from, &names);
    for (size_t i = 0; i < names.count; i++) {
        if (strcmp(names.names[i], name) == 0) {
            store(field, base, i);
            return;
        }
    }
}

static void bind_name(FactChecker *checker, const FactSpot *spot, const OpprofFactField *field,
                      char *base)
{
    const char *name = OpprofFactText(spot->fact);
    char number[32];
    double value = 0;

    if (field->type == OPPROF_FACT_IS_ID) {
        OpprofFactNumber(spot->fact, &value);
        snprintf(number, sizeof number, "%.15g", value);
        name = number;
    }
    if (!FactNamesHave(checker, spot, field->from, name)) {
        FactNamesRefuse(checker, spot, field->from, name);
    } else if (field->type == OPPROF_FACT_IS_NAME) {
        store_text(field, base, name);
    } else if (field->type == OPPROF_FACT_IS_ID) {
        store(field, base, (uint64_t) value);
    } else if (place_of(field, base) != NULL) {
        store_choice(checker, spot, field, base, name);
    }
}

/* Two names of a reference with '>' between them. */
static void bind_pair(FactChecker *checker, const FactSpot *spot, const OpprofFactField *field,
                      char *base)
{
    const char *text = OpprofFactText(spot->fact);
    const char *middle = strchr(text, '>');
    char first[FACT_MAX_PLACE];

    if (middle == NULL) {
        FactSpotRefuse(checker, spot, "expected two names with '>' between them, found '%s'", text);
        return;
    }
    snprintf(first, sizeof first, "%.*s", (int) (middle - text), text);
    if (!FactNamesHave(checker, spot, field->from, first)) {
        FactNamesRefuse(checker, spot, field->from, first);
    }
    if (!FactNamesHave(checker, spot, field->from, middle + 1)) {
        FactNamesRefuse(checker, spot, field->from, middle + 1);
    }
    store_text(field, base, text);
}

static void bind_form(FactChecker *checker, const FactSpot *spot, const OpprofFactField *field,
                      char *base)
{
    OpprofForm **place = place_of(field, base);
    OpprofForm *form = NULL;
    OpprofError *error = NULL;

    if (OpprofFormRead(field->form, OpprofFactText(spot->fact), &form, &error) != OPPROF_OK) {
        FactSpotPass(checker, spot, error);
        OpprofErrorDestroy(error);
    }
    if (place != NULL) {
        *place = form;
    } else {
        OpprofFormFree(form);
    }
}

/* ---- fields of raw records ---- */

static void bind_object(FactChecker *checker, const FactSpot *spot, const OpprofFactField *field,
                        char *base);

/* The record is the object around that of its fields, and has its own check. */
static void bind_bits(FactChecker *checker, const FactSpot *spot, const OpprofFactField *field,
                      char *base)
{
    typedef struct Place {
        uint32_t at;
        uint32_t bits;
        uint32_t shift;
    } Place;
    static const OpprofFactField members[] = {
        { "at", OPPROF_FACT_IS_WHOLE, OPPROF_FACT_REQUIRED, .most = UINT16_MAX, .unit = "bytes",
          OPPROF_FACT_IN(Place, at) },
        { "bits", OPPROF_FACT_IS_WHOLE, OPPROF_FACT_REQUIRED, .least = 1, .most = 64,
          .unit = "bits", OPPROF_FACT_IN(Place, bits) },
        { "shift", OPPROF_FACT_IS_WHOLE, .most = 63, .unit = "bits", OPPROF_FACT_IN(Place, shift) },
        { .name = NULL },
    };
    static const OpprofFactField object = { .type = OPPROF_FACT_IS_OBJECT, .of = members };
    const OpprofFact *record =
        spot->above == NULL || spot->above->above == NULL ? NULL : spot->above->above->fact;
    const size_t before = checker->mistakes->count;
    OpprofRecordBits *bits = place_of(field, base);
    OpprofRecordBits unused;
    Place place = { .at = 0 };

    bind_object(checker, spot, &object, (char *) &place);
    if (checker->mistakes->count > before) {
        return;
    }
    const char *wrong = OpprofRecordBitsRead(record, spot->key, bits == NULL ? &unused : bits);

    if (wrong != NULL) {
        FactSpotRefuse(checker, spot, "%s", wrong);
    }
}

/* ---- objects and arrays ---- */

static void bind(FactChecker *checker, const FactSpot *spot, const OpprofFactField *field,
                 char *base);

/* Bind the value at `below`, of which only the way is known. */
static void descend(FactChecker *checker, const FactSpot *spot, FactSpot below,
                    const OpprofFactField *field, char *base)
{
    const OpprofMetricScope own = { .members = spot->fact, .outer = spot->scope };

    below.above = spot;
    below.scope = OpprofFactGetKind(spot->fact) == OPPROF_FACT_OBJECT ? &own : spot->scope;
    below.depth = spot->depth + 1;
    if (below.depth < FACT_MAX_DEPTH) {
        bind(checker, &below, field, base);
    }
}

static bool is_others(const OpprofFactField *field)
{
    return field->name != NULL && strcmp(field->name, "*") == 0;
}

/* The field of a member: the one of that name, else the one for all others. NULL if neither exists. */
static const OpprofFactField *find_field(const OpprofFactField *fields, const char *key)
{
    const OpprofFactField *others = NULL;

    for (; fields->type != OPPROF_FACT_IS_END; fields++) {
        if (is_others(fields)) {
            others = fields;
        } else if (strcmp(fields->name, key) == 0) {
            return fields;
        }
    }
    return others;
}

static void refuse_key(FactChecker *checker, const FactSpot *spot, const OpprofFactField *fields)
{
    FactNames names;

    for (names.count = 0; fields->type != OPPROF_FACT_IS_END; fields++) {
        FactNamesAdd(&names, fields->name);
    }
    FactSpotRefuseName(checker, spot, "there is no member", spot->key, &names);
}

/* What must be there is, and of those that exclude one another one. */
static void check_present(FactChecker *checker, const FactSpot *spot, const OpprofFactField *field)
{
    char names[128] = "";
    size_t present = 0;
    size_t all = 0;

    for (; field->type != OPPROF_FACT_IS_END; field++) {
        const bool is_there = OpprofFactMember(spot->fact, field->name) != NULL;
        const size_t used = strlen(names);

        if ((field->flags & OPPROF_FACT_REQUIRED) != 0 && !is_there) {
            FactSpotRefuse(checker, spot, "the member '%s' is missing", field->name);
        }
        if ((field->flags & OPPROF_FACT_ONE_OF) != 0) {
            snprintf(names + used, sizeof names - used, "%s'%s'", all++ > 0 ? " or " : "",
                     field->name);
            present += is_there;
        }
    }
    if (all > 0 && present == 0) {
        FactSpotRefuse(checker, spot, "the member %s is missing", names);
    } else if (present > 1) {
        FactSpotRefuse(checker, spot, "only one of the members %s is allowed", names);
    }
}

/* Whether a member may have its name. */
static bool check_key(FactChecker *checker, const FactSpot *spot, const OpprofFactField *map)
{
    const char *key = spot->key;
    char *end = NULL;

    if (map->from != NULL && !FactNamesHave(checker, spot->above, map->from, key)) {
        FactNamesRefuse(checker, spot, map->from, key);
        return false;
    }
    if ((map->flags & OPPROF_FACT_NUMBERED) == 0) {
        return true;
    }
    const double number = (double) strtoul(key, &end, 10);
    const bool is_number =
        isdigit((unsigned char) key[0]) && *end == '\0' && (key[0] != '0' || key[1] == '\0');

    if (!is_number || number < map->least || number > map->most) {
        FactSpotRefuse(checker, spot,
                       "'%s' is not a whole number from %.0f to %.0f without zeros before it", key,
                       map->least, map->most);
        return false;
    }
    return true;
}

static void bind_map_member(FactChecker *checker, const FactSpot *spot, const FactSpot *below,
                            const OpprofFactField *map, char *base)
{
    const bool is_good = check_key(checker, below, map);

    descend(checker, spot, *below, map->of,
            is_good ? add_element(checker, map, base, below->key) : NULL);
}

static void run_check(FactChecker *checker, const FactSpot *spot, OpprofFactCheck *check,
                      const char *base, size_t before)
{
    OpprofFactReport report = { .checker = checker, .spot = spot };

    if (check != NULL && base != NULL && checker->mistakes->count == before &&
        !checker->mistakes->no_memory) {
        checker->mistakes->no_memory = !check(base, &report);
    }
}

static void bind_object(FactChecker *checker, const FactSpot *spot, const OpprofFactField *field,
                        char *base)
{
    const size_t before = checker->mistakes->count;
    const char *key;
    const OpprofFact *fact;
    OpprofFactWalk walk = { 0 };

    base = inner_base(field, base);
    check_present(checker, spot, field->of);
    while (OpprofFactNext(spot->fact, &walk, &key, &fact)) {
        const FactSpot below = { .fact = fact, .above = spot, .key = key };
        const OpprofFactField *member = find_field(field->of, key);

        if (member == NULL) {
            refuse_key(checker, &below, field->of);
        } else if (is_others(member) && member->type == OPPROF_FACT_IS_MAP) {
            bind_map_member(checker, spot, &below, member, base);
        } else {
            descend(checker, spot, below, member, base);
        }
    }
    run_check(checker, spot, field->check, base, before);
}

static void bind_map(FactChecker *checker, const FactSpot *spot, const OpprofFactField *field,
                     char *base)
{
    const char *key;
    const OpprofFact *fact;
    OpprofFactWalk walk = { 0 };

    while (OpprofFactNext(spot->fact, &walk, &key, &fact)) {
        const FactSpot below = { .fact = fact, .above = spot, .key = key };

        bind_map_member(checker, spot, &below, field, base);
    }
}

/* The elements have their own fields. */
static void bind_tuple(FactChecker *checker, const FactSpot *spot, const OpprofFactField *field,
                       char *base)
{
    const size_t count = OpprofFactCount(spot->fact);
    size_t wanted = 0;

    base = inner_base(field, base);
    for (const OpprofFactField *one = field->of; one->type != OPPROF_FACT_IS_END; one++, wanted++) {
        if (wanted < count) {
            const FactSpot below = { .fact = OpprofFactAt(spot->fact, wanted), .index = wanted };

            descend(checker, spot, below, one, base);
        }
    }
    if (count != wanted) {
        FactSpotRefuse(checker, spot, "expected %zu elements, found %zu", wanted, count);
    }
}

/* No two elements have the same text as their member `key`. */
static void check_unique(FactChecker *checker, const FactSpot *spot, const char *key)
{
    for (size_t i = 0; i < OpprofFactCount(spot->fact); i++) {
        const char *name = OpprofFactText(OpprofFactMember(OpprofFactAt(spot->fact, i), key));
        bool is_used = false;

        for (size_t before = 0; name != NULL && !is_used && before < i; before++) {
            const FactSpot below = { .above = spot, .index = i };
            const char *used =
                OpprofFactText(OpprofFactMember(OpprofFactAt(spot->fact, before), key));

            is_used = used != NULL && strcasecmp(used, name) == 0;
            if (is_used) {
                FactSpotRefuse(checker, &below, "the %s '%s' is that of element %zu", key, name,
                               before);
            }
        }
    }
}

/* "7", "0 to 3" or "at least 2". */
static void print_length(const OpprofFactField *field, char *text, size_t size)
{
    if (field->most == 0) {
        snprintf(text, size, "at least %.0f", field->least);
    } else if (field->most > field->least) {
        snprintf(text, size, "%.0f to %.0f", field->least, field->most);
    } else {
        snprintf(text, size, "%.0f", field->most);
    }
}

static void bind_list(FactChecker *checker, const FactSpot *spot, const OpprofFactField *field,
                      char *base)
{
    const size_t count = OpprofFactCount(spot->fact);
    char wanted[48];

    if (count == 0 && field->least > 0) {
        FactSpotRefuse(checker, spot, "the array is empty");
    } else if (count < (size_t) field->least || (field->most > 0 && count > (size_t) field->most)) {
        print_length(field, wanted, sizeof wanted);
        FactSpotRefuse(checker, spot, "expected %s elements, found %zu", wanted, count);
    }
    if (field->unique != NULL) {
        check_unique(checker, spot, field->unique);
    }
    for (size_t i = 0; i < count; i++) {
        const FactSpot below = { .fact = OpprofFactAt(spot->fact, i), .index = i };

        descend(checker, spot, below, field->of, add_element(checker, field, base, NULL));
    }
}

/* Numbers below 64, which are elements, or names of members. */
static void bind_set(FactChecker *checker, const FactSpot *spot, const OpprofFactField *field,
                     char *base)
{
    static const OpprofFactField element = { .type = OPPROF_FACT_IS_WHOLE,
                                             .most = 63,
                                             .size = sizeof(uint64_t) };
    static const OpprofFactField member = { .flags = OPPROF_FACT_NUMBERED, .most = 63 };
    const char *key;
    const OpprofFact *fact;
    OpprofFactWalk walk = { 0 };
    uint64_t set = 0;

    for (size_t i = 0; i < OpprofFactCount(spot->fact); i++) {
        const FactSpot below = { .fact = OpprofFactAt(spot->fact, i), .index = i };
        uint64_t number = 0;

        descend(checker, spot, below, &element, (char *) &number);
        set |= UINT64_C(1) << (number & 63);
    }
    while (OpprofFactGetKind(spot->fact) == OPPROF_FACT_OBJECT &&
           OpprofFactNext(spot->fact, &walk, &key, &fact)) {
        const FactSpot below = { .above = spot, .key = key };

        if (check_key(checker, &below, &member)) {
            set |= UINT64_C(1) << strtoul(key, NULL, 10);
        }
    }
    store(field, base, set);
}

/* ---- any value ---- */

static void bind_text(FactChecker *checker, const FactSpot *spot, const OpprofFactField *field,
                      char *base)
{
    if (OpprofFactText(spot->fact)[0] == '\0') {
        FactSpotRefuse(checker, spot, "the text is empty");
    }
    store_text(field, base, OpprofFactText(spot->fact));
}

static void bind_bool(FactChecker *checker, const FactSpot *spot, const OpprofFactField *field,
                      char *base)
{
    (void) checker;
    store(field, base, OpprofFactBool(spot->fact, false));
}

static void bind_formula(FactChecker *checker, const FactSpot *spot, const OpprofFactField *field,
                         char *base)
{
    FactFormulaCheck(checker, spot);
    store_text(field, base, OpprofFactText(spot->fact));
}

static void bind_count(FactChecker *checker, const FactSpot *spot, const OpprofFactField *field,
                       char *base)
{
    static const OpprofFactField number = { .type = OPPROF_FACT_IS_WHOLE };

    if (OpprofFactText(spot->fact) == NULL) {
        bind_number(checker, spot, &number, base);
    } else {
        FactCountCheck(checker, spot, field->from);
    }
}

/* What is bound to a type: its name, its kinds of facts, and how; NULL: it fills nothing. */
static const struct {
    const char *name;
    uint32_t kinds;
    void (*bind)(FactChecker *checker, const FactSpot *spot, const OpprofFactField *field,
                 char *base);
} types[] = {
#define KIND(kind) (1u << OPPROF_FACT_##kind)
    [OPPROF_FACT_IS_ANY] = { "anything", UINT32_MAX, NULL },
    [OPPROF_FACT_IS_NULL] = { "null", KIND(NONE), NULL },
    [OPPROF_FACT_IS_TEXT] = { "a text", KIND(TEXT), bind_text },
    [OPPROF_FACT_IS_BOOL] = { "true or false", KIND(BOOL), bind_bool },
    [OPPROF_FACT_IS_WHOLE] = { "an integer", KIND(NUMBER), bind_number },
    [OPPROF_FACT_IS_REAL] = { "a number", KIND(NUMBER), bind_number },
    [OPPROF_FACT_IS_NAME] = { "a text", KIND(TEXT), bind_name },
    [OPPROF_FACT_IS_CHOICE] = { "a text", KIND(TEXT), bind_name },
    [OPPROF_FACT_IS_ID] = { "a number", KIND(NUMBER), bind_name },
    [OPPROF_FACT_IS_PAIR] = { "a text", KIND(TEXT), bind_pair },
    [OPPROF_FACT_IS_FORM] = { "a text", KIND(TEXT), bind_form },
    [OPPROF_FACT_IS_FORMULA] = { "a formula", KIND(TEXT), bind_formula },
    [OPPROF_FACT_IS_COUNT] = { "a formula", KIND(TEXT) | KIND(NUMBER), bind_count },
    [OPPROF_FACT_IS_BITS] = { "an object", KIND(OBJECT), bind_bits },
    [OPPROF_FACT_IS_SET] = { "an array", KIND(ARRAY) | KIND(OBJECT), bind_set },
    [OPPROF_FACT_IS_OBJECT] = { "an object", KIND(OBJECT), bind_object },
    [OPPROF_FACT_IS_TUPLE] = { "an array", KIND(ARRAY), bind_tuple },
    [OPPROF_FACT_IS_LIST] = { "an array", KIND(ARRAY), bind_list },
    [OPPROF_FACT_IS_MAP] = { "an object", KIND(OBJECT), bind_map },
#undef KIND
};

static const char *kind_name(OpprofFactKind kind)
{
    static const char *const names[] = {
        [OPPROF_FACT_NONE] = "null",       [OPPROF_FACT_OBJECT] = "an object",
        [OPPROF_FACT_ARRAY] = "an array",  [OPPROF_FACT_TEXT] = "a text",
        [OPPROF_FACT_NUMBER] = "a number", [OPPROF_FACT_BOOL] = "true or false",
    };

    return names[kind];
}

/* "an object or a text" of a field's alternatives. */
static void print_wanted(const OpprofFactField *field, char *text, size_t size)
{
    text[0] = '\0';
    for (; field != NULL; field = field->either) {
        const char *name = types[field->type].name;
        const size_t used = strlen(text);

        if (strstr(text, name) == NULL) {
            snprintf(text + used, size - used, "%s%s", used > 0 ? " or " : "", name);
        }
    }
}

static void bind(FactChecker *checker, const FactSpot *spot, const OpprofFactField *field,
                 char *base)
{
    const OpprofFactKind kind = OpprofFactGetKind(spot->fact);
    char wanted[128];

    for (const OpprofFactField *one = field; one != NULL; one = one->either) {
        if ((types[one->type].kinds >> kind & 1u) != 0) {
            if (types[one->type].bind != NULL) {
                types[one->type].bind(checker, spot, one, base);
            }
            return;
        }
    }
    print_wanted(field, wanted, sizeof wanted);
    FactSpotRefuse(checker, spot, "expected %s, found %s", wanted, kind_name(kind));
}

/* ---- tables ---- */

static OpprofFactField root_of(const OpprofFactTable *table)
{
    return table->fields == NULL
               ? *table->root
               : (OpprofFactField){ .type = OPPROF_FACT_IS_OBJECT, .of = table->fields };
}

/* Checks what is at a path, and fills `bound` unless it is NULL. */
static void bind_table(FactChecker *checker, const char *path, const OpprofFactTable *table,
                       char *bound)
{
    const OpprofFactField root = root_of(table);
    const size_t before = checker->mistakes->count;
    const FactSpot spot = { .fact = OpprofChipFact(checker->chip, path),
                            .key = path,
                            .is_path = true };

    if (bound != NULL) {
        set_missing(&root, bound);
    }
    if (OpprofFactGetKind(spot.fact) != OPPROF_FACT_NONE) {
        bind(checker, &spot, &root, bound);
        run_check(checker, &spot, table->check, bound, before);
    }
}

void FactTableCheck(FactChecker *checker, const char *path, const OpprofFactTable *table)
{
    char *bound = table->size == 0 ? NULL : calloc(1, table->size);

    if (table->size > 0 && bound == NULL) {
        checker->mistakes->no_memory = true;
        return;
    }
    bind_table(checker, path, table, bound);
    if (bound != NULL) {
        OpprofFactsFree(table, bound);
        free(bound);
    }
}

OpprofStatus OpprofFactsBind(const OpprofChip *chip, const char *path, const OpprofFactTable *table,
                             void *ret_bound, OpprofError **error)
{
    OPPROF_REQUIRE("chip-given", chip != NULL, "The chip is given");
    OPPROF_REQUIRE("chip-path-given", path != NULL, "The path of a fact is a text");
    OPPROF_REQUIRE("fact-table-given", table != NULL && table->size > 0 && ret_bound != NULL,
                   "The table fills a structure, and this is given");

    ChipMistakes mistakes = { .count = 0 };
    FactChecker checker = { .chip = chip, .mistakes = &mistakes };

    memset(ret_bound, 0, table->size);
    bind_table(&checker, path, table, ret_bound);
    OpprofMetricsFree(checker.metrics);
    const OpprofStatus status = ChipMistakesTell(&mistakes, chip, error);
    if (status != OPPROF_OK) {
        OpprofFactsFree(table, ret_bound);
    }
    return status;
}

/* ---- freeing ---- */

static void free_field(const OpprofFactField *field, char *base);

static void free_elements(const OpprofFactField *field, char *base)
{
    char *place = place_of(field, base);
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
    if (field->type == OPPROF_FACT_IS_FORM && place_of(field, base) != NULL) {
        OpprofFormFree(*(OpprofForm **) place_of(field, base));
    } else if (field->type == OPPROF_FACT_IS_LIST || field->type == OPPROF_FACT_IS_MAP) {
        free_elements(field, base);
    } else if (field->type == OPPROF_FACT_IS_OBJECT || field->type == OPPROF_FACT_IS_TUPLE) {
        for (const OpprofFactField *one = field->of; one->type != OPPROF_FACT_IS_END; one++) {
            free_field(one, inner_base(field, base));
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

    const OpprofFactField root = root_of(table);

    free_field(&root, bound);
    memset(bound, 0, table->size);
}

/* ---- checks of plugins ---- */

void OpprofFactMistake(OpprofFactReport *report, const char *member, const char *format, ...)
{
    OPPROF_REQUIRE("fact-report-given", report != NULL, "The report of the check is given");

    const FactSpot below = { .above = report->spot, .key = member, .is_path = true };
    char *sentence = NULL;
    va_list list;

    va_start(list, format);
    if (vasprintf(&sentence, format, list) < 0) {
        sentence = NULL;
        report->checker->mistakes->no_memory = true;
    }
    va_end(list);
    if (sentence != NULL) {
        FactSpotRefuse(report->checker, member == NULL ? report->spot : &below, "%s", sentence);
    }
    free(sentence);
}
