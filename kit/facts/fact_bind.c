/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks facts against tables, and fills structures with them, in one walk. Tested by
 * tests/kit/facts/test_facts.
 */
#include "kit/facts/fact_bind.h"

#include "kit/metrics/metrics.h"

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

struct OpprofFactReport {
    FactChecker *checker;
    const FactLocation *location;
};

/* ---- fields of raw records ---- */

static void bind_object(FactChecker *checker, const FactLocation *location,
                        const OpprofFactField *field, char *base);

/* The record is the object around that of its fields, and has its own check. */
static void bind_bits(FactChecker *checker, const FactLocation *location,
                      const OpprofFactField *field, char *base)
{
    static const OpprofFactField members[] = {
        { "at", OPPROF_FACT_IS_WHOLE, OPPROF_FACT_REQUIRED, .most = UINT16_MAX, .unit = "bytes",
          OPPROF_FACT_IN(RecordPlace, at) },
        { "bits", OPPROF_FACT_IS_WHOLE, OPPROF_FACT_REQUIRED, .least = 1, .most = 64,
          .unit = "bits", OPPROF_FACT_IN(RecordPlace, bits) },
        { "shift", OPPROF_FACT_IS_WHOLE, .most = 63, .unit = "bits",
          OPPROF_FACT_IN(RecordPlace, shift) },
        { .name = NULL },
    };
    static const OpprofFactField object = { .type = OPPROF_FACT_IS_OBJECT, .of = members };
    const OpprofFact *record = location->above == NULL || location->above->above == NULL
                                   ? NULL
                                   : location->above->above->fact;
    const char *order = OpprofFactText(OpprofFactMember(record, "byte_order"));
    const size_t before = checker->mistakes->count;
    OpprofRecordBits *bits = FactPlace(field, base);
    OpprofRecordBits unused;
    RecordPlace place = { .at = 0 };
    double size = 0;

    bind_object(checker, location, &object, (char *) &place);
    if (checker->mistakes->count > before ||
        !OpprofFactNumber(OpprofFactMember(record, "size"), &size) || size < 8 ||
        size > UINT16_MAX) {
        return; /* the size is the record's own to check */
    }
    if (!RecordBitsPlace(&place, (uint32_t) size, order != NULL && strcmp(order, "big") == 0,
                         bits == NULL ? &unused : bits)) {
        FactLocationRefuse(checker, location,
                           "the field reaches beyond the record or beyond eight bytes");
    }
}

/* ---- objects and arrays ---- */

static void bind(FactChecker *checker, const FactLocation *location, const OpprofFactField *field,
                 char *base);

/* Bind the value at `below`, of which only the way is known. */
static void descend(FactChecker *checker, const FactLocation *location, FactLocation below,
                    const OpprofFactField *field, char *base)
{
    const OpprofMetricScope own = { .members = location->fact, .outer = location->scope };

    below.above = location;
    below.scope = OpprofFactGetKind(location->fact) == OPPROF_FACT_OBJECT ? &own : location->scope;
    below.depth = location->depth + 1;
    if (below.depth < FACT_MAX_DEPTH) {
        bind(checker, &below, field, base);
    }
}

static bool is_others(const OpprofFactField *field)
{
    return field->name != NULL && strcmp(field->name, "*") == 0;
}

/* The field of a member: the one of that name, else the one for all others.
 * NULL if neither exists. */
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

static void refuse_key(FactChecker *checker, const FactLocation *location,
                       const OpprofFactField *fields)
{
    FactNames names;

    for (names.count = 0; fields->type != OPPROF_FACT_IS_END; fields++) {
        FactNamesAdd(&names, fields->name);
    }
    FactLocationRefuseName(checker, location, "there is no member", location->key, &names);
}

/* What must be there is, and of those that exclude one another one. */
static void check_present(FactChecker *checker, const FactLocation *location,
                          const OpprofFactField *field)
{
    char names[128] = "";
    size_t present = 0;
    size_t all = 0;

    for (; field->type != OPPROF_FACT_IS_END; field++) {
        const bool is_there = OpprofFactMember(location->fact, field->name) != NULL;
        const size_t used = strlen(names);

        if ((field->flags & OPPROF_FACT_REQUIRED) != 0 && !is_there) {
            FactLocationRefuse(checker, location, "the member '%s' is missing", field->name);
        }
        if ((field->flags & OPPROF_FACT_ONE_OF) != 0) {
            snprintf(names + used, sizeof names - used, "%s'%s'", all++ > 0 ? " or " : "",
                     field->name);
            present += is_there;
        }
    }
    if (all > 0 && present == 0) {
        FactLocationRefuse(checker, location, "the member %s is missing", names);
    } else if (present > 1) {
        FactLocationRefuse(checker, location, "only one of the members %s is allowed", names);
    }
}

/* Whether a member may have its name. */
static bool check_key(FactChecker *checker, const FactLocation *location,
                      const OpprofFactField *map)
{
    const char *key = location->key;
    char *end = NULL;

    if (map->from != NULL && !FactNamesHave(checker, location->above, map->from, key)) {
        FactNamesRefuse(checker, location, map->from, key);
        return false;
    }
    if ((map->flags & OPPROF_FACT_NUMBERED) == 0) {
        return true;
    }
    const double number = (double) strtoul(key, &end, 10);
    const bool is_number =
        isdigit((unsigned char) key[0]) && *end == '\0' && (key[0] != '0' || key[1] == '\0');

    if (!is_number || number < map->least || number > map->most) {
        FactLocationRefuse(checker, location,
                           "'%s' is not a whole number from %.0f to %.0f without zeros before it",
                           key, map->least, map->most);
        return false;
    }
    return true;
}

static void bind_map_member(FactChecker *checker, const FactLocation *location,
                            const FactLocation *below, const OpprofFactField *map, char *base)
{
    const bool is_good = check_key(checker, below, map);

    descend(checker, location, *below, map->of,
            is_good ? FactAddElement(checker, map, base, below->key) : NULL);
}

static void run_check(FactChecker *checker, const FactLocation *location, OpprofFactCheck *check,
                      const char *base, size_t before)
{
    OpprofFactReport report = { .checker = checker, .location = location };

    if (check != NULL && base != NULL && checker->mistakes->count == before &&
        !checker->mistakes->no_memory) {
        checker->mistakes->no_memory = !check(base, &report);
    }
}

static void bind_object(FactChecker *checker, const FactLocation *location,
                        const OpprofFactField *field, char *base)
{
    const size_t before = checker->mistakes->count;
    const char *key;
    const OpprofFact *fact;
    OpprofFactWalk walk = { 0 };

    base = FactInner(field, base);
    if (base != NULL && field->key_size > 0) {
        *(const OpprofFact **) (void *) (base + field->key) = location->fact;
    }
    check_present(checker, location, field->of);
    while (OpprofFactNext(location->fact, &walk, &key, &fact)) {
        const FactLocation below = { .fact = fact, .above = location, .key = key };
        const OpprofFactField *member = find_field(field->of, key);

        if (member == NULL) {
            refuse_key(checker, &below, field->of);
        } else if (is_others(member) && member->type == OPPROF_FACT_IS_MAP) {
            bind_map_member(checker, location, &below, member, base);
        } else {
            descend(checker, location, below, member, base);
        }
    }
    run_check(checker, location, field->check, base, before);
}

/* The most of numbers is that of the names. */
static void bind_map(FactChecker *checker, const FactLocation *location,
                     const OpprofFactField *field, char *base)
{
    const bool has_most = field->most > 0 && (field->flags & OPPROF_FACT_NUMBERED) == 0;
    const char *key;
    const OpprofFact *fact;
    OpprofFactWalk walk = { 0 };
    size_t count = 0;

    for (; OpprofFactNext(location->fact, &walk, &key, &fact); count++) {
        const FactLocation below = { .fact = fact, .above = location, .key = key };

        bind_map_member(checker, location, &below, field, base);
    }
    if (has_most && count > (size_t) field->most) {
        FactLocationRefuse(checker, location, "it has %zu members, more than %.0f", count,
                           field->most);
    }
}

/* The elements have their own fields. */
static void bind_tuple(FactChecker *checker, const FactLocation *location,
                       const OpprofFactField *field, char *base)
{
    const size_t count = OpprofFactCount(location->fact);
    size_t wanted = 0;

    base = FactInner(field, base);
    for (const OpprofFactField *one = field->of; one->type != OPPROF_FACT_IS_END; one++, wanted++) {
        if (wanted < count) {
            const FactLocation below = { .fact = OpprofFactAt(location->fact, wanted),
                                         .index = wanted };

            descend(checker, location, below, one, base);
        }
    }
    if (count != wanted) {
        FactLocationRefuse(checker, location, "expected %zu elements, found %zu", wanted, count);
    }
}

/* No two elements have the same text as their member `key`. */
static void check_unique(FactChecker *checker, const FactLocation *location, const char *key)
{
    for (size_t i = 0; i < OpprofFactCount(location->fact); i++) {
        const char *name = OpprofFactText(OpprofFactMember(OpprofFactAt(location->fact, i), key));
        bool is_used = false;

        for (size_t before = 0; name != NULL && !is_used && before < i; before++) {
            const FactLocation below = { .above = location, .index = i };
            const char *used =
                OpprofFactText(OpprofFactMember(OpprofFactAt(location->fact, before), key));

            is_used = used != NULL && strcasecmp(used, name) == 0;
            if (is_used) {
                FactLocationRefuse(checker, &below, "the %s '%s' is that of element %zu", key, name,
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

static void bind_list(FactChecker *checker, const FactLocation *location,
                      const OpprofFactField *field, char *base)
{
    const size_t count = OpprofFactCount(location->fact);
    char wanted[48];

    if (count == 0 && field->least > 0) {
        FactLocationRefuse(checker, location, "the array is empty");
    } else if (count < (size_t) field->least || (field->most > 0 && count > (size_t) field->most)) {
        print_length(field, wanted, sizeof wanted);
        FactLocationRefuse(checker, location, "expected %s elements, found %zu", wanted, count);
    }
    if (field->unique != NULL) {
        check_unique(checker, location, field->unique);
    }
    for (size_t i = 0; i < count; i++) {
        const FactLocation below = { .fact = OpprofFactAt(location->fact, i), .index = i };

        descend(checker, location, below, field->of, FactAddElement(checker, field, base, NULL));
    }
}

/* Numbers below 64, which are elements, or names of members. */
static void bind_set(FactChecker *checker, const FactLocation *location,
                     const OpprofFactField *field, char *base)
{
    static const OpprofFactField element = { .type = OPPROF_FACT_IS_WHOLE,
                                             .most = 63,
                                             .size = sizeof(uint64_t) };
    static const OpprofFactField member = { .flags = OPPROF_FACT_NUMBERED, .most = 63 };
    const char *key;
    const OpprofFact *fact;
    OpprofFactWalk walk = { 0 };
    uint64_t set = 0;

    for (size_t i = 0; i < OpprofFactCount(location->fact); i++) {
        const FactLocation below = { .fact = OpprofFactAt(location->fact, i), .index = i };
        uint64_t number = 0;

        descend(checker, location, below, &element, (char *) &number);
        set |= UINT64_C(1) << (number & 63);
    }
    while (OpprofFactGetKind(location->fact) == OPPROF_FACT_OBJECT &&
           OpprofFactNext(location->fact, &walk, &key, &fact)) {
        const FactLocation below = { .above = location, .key = key };

        if (check_key(checker, &below, &member)) {
            set |= UINT64_C(1) << strtoul(key, NULL, 10);
        }
    }
    FactStore(field, base, set);
}

/* ---- any value ---- */

/* What is bound to a type: its name, its kinds of facts, and how; NULL: it fills nothing. */
static const struct {
    const char *name;
    uint32_t kinds;
    FactBind *bind;
} types[] = {
#define KIND(kind) (1u << OPPROF_FACT_##kind)
    [OPPROF_FACT_IS_ANY] = { "anything", UINT32_MAX, FactBindAny },
    [OPPROF_FACT_IS_NULL] = { "null", KIND(NONE), NULL },
    [OPPROF_FACT_IS_TEXT] = { "a text", KIND(TEXT), FactBindText },
    [OPPROF_FACT_IS_BOOL] = { "true or false", KIND(BOOL), FactBindBool },
    [OPPROF_FACT_IS_WHOLE] = { "an integer", KIND(NUMBER), FactBindNumber },
    [OPPROF_FACT_IS_REAL] = { "a number", KIND(NUMBER), FactBindNumber },
    [OPPROF_FACT_IS_NAME] = { "a text", KIND(TEXT), FactBindName },
    [OPPROF_FACT_IS_CHOICE] = { "a text", KIND(TEXT), FactBindName },
    [OPPROF_FACT_IS_ID] = { "a number", KIND(NUMBER), FactBindName },
    [OPPROF_FACT_IS_PAIR] = { "a text", KIND(TEXT), FactBindPair },
    [OPPROF_FACT_IS_FORM] = { "a text", KIND(TEXT), FactBindForm },
    [OPPROF_FACT_IS_FORMULA] = { "a formula", KIND(TEXT), FactBindFormula },
    [OPPROF_FACT_IS_COUNT] = { "a formula", KIND(TEXT) | KIND(NUMBER), FactBindCount },
    [OPPROF_FACT_IS_BITS] = { "an object", KIND(OBJECT), bind_bits },
    [OPPROF_FACT_IS_SET] = { "an array", KIND(ARRAY) | KIND(OBJECT), bind_set },
    [OPPROF_FACT_IS_OBJECT] = { "an object", KIND(OBJECT), bind_object },
    [OPPROF_FACT_IS_TUPLE] = { "an array", KIND(ARRAY), bind_tuple },
    [OPPROF_FACT_IS_LIST] = { "an array", KIND(ARRAY), bind_list },
    [OPPROF_FACT_IS_MAP] = { "an object", KIND(OBJECT), bind_map },
    [OPPROF_FACT_IS_CONSTANT] = { "a number", KIND(NUMBER), FactBindConstant },
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

static void bind(FactChecker *checker, const FactLocation *location, const OpprofFactField *field,
                 char *base)
{
    const OpprofFactKind kind = OpprofFactGetKind(location->fact);
    char wanted[128];

    for (const OpprofFactField *one = field; one != NULL; one = one->either) {
        if ((types[one->type].kinds >> kind & 1u) != 0) {
            if (types[one->type].bind != NULL) {
                types[one->type].bind(checker, location, one, base);
            }
            return;
        }
    }
    print_wanted(field, wanted, sizeof wanted);
    FactLocationRefuse(checker, location, "expected %s, found %s", wanted, kind_name(kind));
}

/* ---- tables ---- */

/* Checks what is at a path, and fills `bound` unless it is NULL. */
static void bind_table(FactChecker *checker, const char *path, const OpprofFactTable *table,
                       char *bound)
{
    const OpprofFactField root = FactRoot(table);
    const size_t before = checker->mistakes->count;
    const FactLocation location = { .fact = OpprofChipFact(checker->chip, path),
                                    .key = path,
                                    .is_path = true };

    if (bound != NULL) {
        FactSetMissing(&root, bound);
    }
    if (OpprofFactGetKind(location.fact) != OPPROF_FACT_NONE) {
        bind(checker, &location, &root, bound);
        run_check(checker, &location, table->check, bound, before);
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

/* `metrics` use the formulas; NULL: none do. */
static OpprofStatus bind_all(const OpprofChip *chip, OpprofMetrics *metrics, const char *path,
                             const OpprofFactTable *table, void *ret_bound, OpprofError **error)
{
    OPPROF_REQUIRE("chip-path-given", path != NULL, "The path of a fact is a text");
    OPPROF_REQUIRE("fact-table-given", table != NULL && table->size > 0 && ret_bound != NULL,
                   "The table fills a structure, and this is given");

    ChipMistakes mistakes = { .count = 0 };
    FactChecker checker = { .chip = chip, .mistakes = &mistakes, .metrics = metrics };

    memset(ret_bound, 0, table->size);
    bind_table(&checker, path, table, ret_bound);
    const OpprofStatus status = ChipMistakesReport(&mistakes, chip, error);
    if (status != OPPROF_OK) {
        OpprofFactsFree(table, ret_bound);
    }
    return status;
}

OpprofStatus OpprofFactsBind(const OpprofChip *chip, const char *path, const OpprofFactTable *table,
                             void *ret_bound, OpprofError **error)
{
    OPPROF_REQUIRE("chip-given", chip != NULL, "The chip is given");
    return bind_all(chip, NULL, path, table, ret_bound, error);
}

OpprofStatus OpprofMetricsBind(OpprofMetrics *metrics, const char *path,
                               const OpprofFactTable *table, void *ret_bound, OpprofError **error)
{
    OPPROF_REQUIRE("metrics-given", metrics != NULL, "The metrics are given");
    return bind_all(metrics->formulas->chip, metrics, path, table, ret_bound, error);
}

/* ---- checks of plugins ---- */

void OpprofFactMistake(OpprofFactReport *report, const char *member, const char *format, ...)
{
    OPPROF_REQUIRE("fact-report-given", report != NULL, "The report of the check is given");

    const FactLocation below = { .above = report->location, .key = member, .is_path = true };
    char *sentence = NULL;
    va_list list;

    va_start(list, format);
    if (vasprintf(&sentence, format, list) < 0) {
        sentence = NULL;
        report->checker->mistakes->no_memory = true;
    }
    va_end(list);
    if (sentence != NULL) {
        FactLocationRefuse(report->checker, member == NULL ? report->location : &below, "%s",
                           sentence);
    }
    free(sentence);
}
