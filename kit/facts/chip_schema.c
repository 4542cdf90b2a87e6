/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks a section of a chip against the schema that a plugin declares for it. Each object of the schema is read
 * once, when the walk first comes to it. Tested by tests/kit/facts/test_chip_schema.
 */
#include "kit/facts/chip_schema.h"

#include "kit/metrics/metrics.h"

#include <opprof/grow.h>
#include <opprof/json.h>
#include <opprof/kit/form.h>
#include <opprof/kit/formula.h>
#include <opprof/map.h>

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A member of a schema's object: its key, its mark and where its type is. */
typedef struct Member {
    char key[64];          /* "*" or "<…" for all names */
    const char *reference; /* its key in the schema */
    const char *type;
    bool is_required;
    bool is_one_of; /* of its object, exactly one of such members is there */
} Member;

/* An object of the schema, read once. */
typedef struct Members {
    const char *at; /* in the schema */
    Member *list;
    size_t count;
    size_t capacity;
} Members;

typedef struct Checker {
    FactChecker facts;
    Members *objects;
    size_t object_count;
    size_t object_capacity;
} Checker;

typedef FactSpot Spot;
typedef FactNames Names;

static const char *kind_name(OpprofFactKind kind)
{
    switch (kind) {
    case OPPROF_FACT_OBJECT:
        return "an object";
    case OPPROF_FACT_ARRAY:
        return "an array";
    case OPPROF_FACT_TEXT:
        return "a text";
    case OPPROF_FACT_NUMBER:
        return "a number";
    case OPPROF_FACT_BOOL:
        return "true or false";
    case OPPROF_FACT_NONE:
    default:
        return "null";
    }
}

/* ---- reading a schema ---- */

static const char *skip_blanks(const char *at)
{
    while (isspace((unsigned char) *at)) {
        at++;
    }
    return at;
}

/* To the end of one alternative. */
static const char *skip_alternative(const char *at)
{
    int depth = 0;

    for (at = skip_blanks(at); *at != '\0'; at++) {
        if (*at == '\'') {
            at = strchr(at + 1, '\'');
            if (at == NULL) {
                return "";
            }
            continue;
        }
        if (depth == 0 && (*at == '|' || *at == ',' || *at == '}' || *at == ']')) {
            return at;
        }
        depth += *at == '{' || *at == '[' || *at == '<' || *at == '(';
        depth -= *at == '}' || *at == ']' || *at == '>' || *at == ')';
    }
    return at;
}

/* To the end of a type with all its alternatives. */
static const char *skip_type(const char *at)
{
    at = skip_alternative(at);
    while (*at == '|') {
        at = skip_alternative(at + 1);
    }
    return at;
}

static bool begins_with(const char *at, const char *word)
{
    if (*at != *word) {
        return false; /* as most */
    }
    const size_t length = strlen(word);

    return strncmp(at, word, length) == 0 && !isalnum((unsigned char) at[length]) &&
           at[length] != '_';
}

/* What an alternative is for. */
static bool takes_kind(const char *at, OpprofFactKind kind)
{
    switch (*at) {
    case '{':
        return kind == OPPROF_FACT_OBJECT;
    case '[':
        return kind == OPPROF_FACT_ARRAY;
    case '\'':
    case '<':
        return kind == OPPROF_FACT_TEXT || (*at == '<' && kind == OPPROF_FACT_NUMBER);
    default:
        break;
    }
    return begins_with(at, "any") || (begins_with(at, "null") && kind == OPPROF_FACT_NONE) ||
           (begins_with(at, "bool") && kind == OPPROF_FACT_BOOL) ||
           ((begins_with(at, "int") || begins_with(at, "number")) && kind == OPPROF_FACT_NUMBER) ||
           ((begins_with(at, "text") || begins_with(at, "pair") || begins_with(at, "form") ||
             begins_with(at, "formula")) &&
            kind == OPPROF_FACT_TEXT) ||
           (begins_with(at, "whole") && (kind == OPPROF_FACT_TEXT || kind == OPPROF_FACT_NUMBER));
}

/* "an object or a text" of a type's alternatives. */
static void name_wanted(const char *at, char *text, size_t size)
{
    text[0] = '\0';
    for (;; at++) {
        at = skip_blanks(at);
        const char *name = *at == '{'                  ? "an object"
                           : *at == '['                ? "an array"
                           : begins_with(at, "bool")   ? "true or false"
                           : begins_with(at, "int")    ? "an integer"
                           : begins_with(at, "number") ? "a number"
                           : begins_with(at, "null")   ? "null"
                           : begins_with(at, "formula") || begins_with(at, "whole") ? "a formula"
                                                                                    : "a text";
        const size_t used = strlen(text);

        if (strstr(text, name) == NULL) {
            snprintf(text + used, size - used, "%s%s", used > 0 ? " or " : "", name);
        }
        at = skip_alternative(at);
        if (*at != '|') {
            return;
        }
    }
}

/* ---- formulas ---- */

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

static bool is_among(const Names *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++) {
        if (strcmp(names->names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static void all_keys(const OpprofFact *fact, Names *names)
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

/* A number that no variant of the chip states is a typing error; one that only others state is absent. */
static void check_constants(FactChecker *checker, const Spot *spot, uint32_t first)
{
    for (uint32_t i = first; i < checker->metrics->name_count; i++) {
        const MetricName *name = &checker->metrics->names[i];
        const OpprofFact *values =
            OpprofFactMember(OpprofFactMember(checker->metrics->indexed, name->name), "values");
        const OpprofFact *numbers =
            OpprofChipFact(checker->chip, OpprofFactText(OpprofFactAt(values, 0)) != NULL
                                              ? OpprofFactText(OpprofFactAt(values, 0))
                                              : "no such");

        if (name->kind == METRIC_CONSTANT && name->key != NULL && !has_key(numbers, name->key)) {
            Names names = { .count = 0 };
            char what[100];

            all_keys(numbers, &names);
            snprintf(what, sizeof what, "no '%.60s' is stated for", name->name);
            FactSpotRefuseName(checker, spot, what, name->key, &names);
        }
    }
}

void FactFormulaCheck(FactChecker *checker, const FactSpot *spot)
{
    const char *formula = OpprofFactText(spot->fact);
    const OpprofFormula *unused = NULL;
    OpprofError *error = NULL;
    char place[FACT_MAX_PLACE];
    uint32_t first;

    if (!checker->has_tried_metrics) {
        checker->has_tried_metrics = true;
        OpprofMetricsCreate(checker->chip, "default", &checker->metrics, NULL);
    }
    /* "{operand}" stands for something else each time */
    if (checker->metrics == NULL || formula == NULL || strchr(formula, '{') != NULL) {
        return;
    }
    first = checker->metrics->name_count;
    const char *name =
        spot->scope == NULL ? NULL : OpprofFactText(OpprofFactMember(spot->scope->members, "name"));

    if (name == NULL) {
        FactSpotPrint(spot, place, sizeof place);
        name = place;
    }
    if (OpprofMetricsAdd(checker->metrics, name, formula, spot->scope, &unused, &error) !=
        OPPROF_OK) {
        const OpprofError *cause = error;

        while (OpprofErrorCause(cause) != NULL) {
            cause = OpprofErrorCause(cause);
        }
        FactSpotPass(checker, spot, cause);
        OpprofErrorDestroy(error);
        return;
    }
    check_constants(checker, spot, first);
}

/* ---- formulas of whole numbers ---- */

static void check_number(FactChecker *checker, const Spot *spot, const char *at);

/* The names that a formula may use, and the first that is not one of them. */
typedef struct WholeNames {
    const FactChecker *checker;
    const Spot *spot;
    const char *from;
    char unknown[FACT_MAX_PLACE];
    bool is_later; /* it is computed after the formula that uses it */
} WholeNames;

/* Of formulas in an object 'let', each may use those before it: whether the name is its own or one after it. */
static bool is_later_let(const Spot *spot, const char *name)
{
    OpprofFactWalk walk = { 0 };
    const OpprofFact *fact;
    const char *key;
    bool is_after = false;

    if (spot->key == NULL || spot->above == NULL || spot->above->key == NULL ||
        strcmp(spot->above->key, "let") != 0) {
        return false;
    }
    while (OpprofFactNext(spot->above->fact, &walk, &key, &fact)) {
        is_after = is_after || strcmp(key, spot->key) == 0;
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
    names->is_later = key == NULL && is_later_let(names->spot, name);
    if (key == NULL && !names->is_later &&
        FactNamesHave(names->checker, names->spot, names->from, name)) {
        binding->kind = OPPROF_BIND_INPUT;
    } else if (key == NULL) {
        snprintf(names->unknown, sizeof names->unknown, "%s", name);
    }
    return OPPROF_OK;
}

void FactCountCheck(FactChecker *checker, const FactSpot *spot, const char *from)
{
    WholeNames names = { .checker = checker, .spot = spot, .from = from };
    const char *text = OpprofFactText(spot->fact);
    OpprofFormula *formula = NULL;
    OpprofError *error = NULL;

    if (text == NULL) {
        check_number(checker, spot, "int(0..)");
    } else if (OpprofFormulaParse(&(OpprofFormulaText){ spot->key != NULL ? spot->key : "formula",
                                                        text, strlen(text), OPPROF_FORMULA_WHOLE },
                                  bind_whole, &names, &formula, &error) == OPPROF_OK) {
        OpprofFormulaFree(formula);
    } else if (names.is_later) {
        FactSpotRefuse(checker, spot, "'%s' is computed later", names.unknown);
    } else if (names.unknown[0] != '\0') {
        FactNamesRefuse(checker, spot, from, names.unknown);
    } else {
        FactSpotPass(checker, spot, error);
    }
    OpprofErrorDestroy(error);
}

/* ---- values ---- */

static void check(Checker *checker, const Spot *spot, const char *type);

static void check_number(FactChecker *checker, const Spot *spot, const char *at)
{
    const bool is_int = begins_with(at, "int");
    const char *open = at + strcspn(at, "(|,]}");
    double value = 0;

    if (!OpprofFactNumber(spot->fact, &value)) {
        return;
    }
    if (is_int && value != (double) (long long) value) {
        FactSpotRefuse(checker, spot, "%g is not an integer", value);
    } else if (*open == '(') {
        char *end = NULL;
        const double least = (double) strtoll(open + 1, &end, 10);
        const bool has_most = strncmp(end, "..", 2) == 0 && isdigit((unsigned char) end[2]) != 0;
        const double most = has_most ? (double) strtoll(end + 2, &end, 10) : 0;

        if (value < least || (has_most && value > most)) {
            FactSpotRefuse(checker, spot, "%g is out of range (%.*s)", value,
                           (int) strcspn(open + 1, ")"), open + 1);
        }
    }
}

static void check_reference(Checker *checker, const Spot *spot, const char *at)
{
    char number[32];
    double value = 0;
    const char *name = OpprofFactText(spot->fact);

    if (name == NULL && OpprofFactNumber(spot->fact, &value)) {
        snprintf(number, sizeof number, "%.15g", value);
        name = number;
    }
    if (name != NULL && !FactNamesHave(&checker->facts, spot, at + 1, name)) {
        FactNamesRefuse(&checker->facts, spot, at + 1, name);
    }
}

/* 'a' | 'b' | …: one of the texts. */
static void check_choice(Checker *checker, const Spot *spot, const char *at)
{
    const char *given = OpprofFactText(spot->fact);
    static char literals[32][64];
    Names names;

    names.count = 0;

    for (;; at++) {
        at = skip_blanks(at);
        const char *end = *at == '\'' ? strchr(at + 1, '\'') : NULL;

        if (end != NULL && names.count < 32) {
            char *literal = literals[names.count];
            snprintf(literal, sizeof literals[0], "%.*s", (int) (end - at - 1), at + 1);
            FactNamesAdd(&names, literal);
        }
        at = skip_alternative(at);
        if (*at != '|') {
            break;
        }
    }
    if (given != NULL && !is_among(&names, given)) {
        FactSpotRefuseName(&checker->facts, spot, "there is no", given, &names);
    }
}

/* Check the value at `below`, of which only the way is known. */
static void descend(Checker *checker, const Spot *spot, Spot below, const char *type)
{
    const OpprofMetricScope own = { .members = spot->fact, .outer = spot->scope };

    below.scope = OpprofFactGetKind(spot->fact) == OPPROF_FACT_OBJECT ? &own : spot->scope;
    below.depth = spot->depth + 1;
    if (below.depth < FACT_MAX_DEPTH) {
        check(checker, &below, type);
    }
}

/* An array whose elements have a type each, the first of which begins at `type`. */
static void check_tuple(Checker *checker, const Spot *spot, const char *type)
{
    const size_t count = OpprofFactCount(spot->fact);
    size_t wanted = 0;

    for (const char *at = type; *at != '\0'; at++) {
        if (wanted < count) {
            descend(
                checker, spot,
                (Spot){ .fact = OpprofFactAt(spot->fact, wanted), .above = spot, .index = wanted },
                at);
        }
        wanted++;
        at = skip_type(at);
        if (*at != ',') {
            break;
        }
    }
    if (count != wanted) {
        FactSpotRefuse(&checker->facts, spot, "expected %zu elements, found %zu", wanted, count);
    }
}

/* No two elements have the same text as their member `key`. */
static void check_own_names(Checker *checker, const Spot *spot, const char *key)
{
    for (size_t i = 0; i < OpprofFactCount(spot->fact); i++) {
        const char *name = OpprofFactText(OpprofFactMember(OpprofFactAt(spot->fact, i), key));
        size_t before = 0;

        while (name != NULL && before < i) {
            const OpprofFact *other = OpprofFactAt(spot->fact, before);
            const char *used = OpprofFactText(OpprofFactMember(other, key));

            if (used != NULL && strcasecmp(used, name) == 0) {
                const Spot below = { .fact = OpprofFactAt(spot->fact, i),
                                     .above = spot,
                                     .index = i };

                FactSpotRefuse(&checker->facts, &below, "the %s '%s' is that of element %zu", key,
                               name, before);
                break;
            }
            before++;
        }
    }
}

/* "+name TYPE" of an array: it has an element, each with a name of its own. Returns where TYPE begins. */
static const char *check_whole_array(Checker *checker, const Spot *spot, const char *at)
{
    char key[32];

    at = skip_blanks(at);
    if (*at != '+') {
        return at;
    }
    at++;
    const size_t length = strcspn(at, " {\n");

    snprintf(key, sizeof key, "%.*s", (int) length, at);
    if (OpprofFactCount(spot->fact) == 0) {
        FactSpotRefuse(&checker->facts, spot, "the array is empty");
    }
    if (length > 0) {
        check_own_names(checker, spot, key);
    }
    return at + length;
}

static void check_elements(Checker *checker, const Spot *spot, const char *type)
{
    type = check_whole_array(checker, spot, type);
    if (*skip_type(type) == ',') {
        check_tuple(checker, spot, type);
        return;
    }
    for (size_t i = 0; i < OpprofFactCount(spot->fact); i++) {
        descend(checker, spot,
                (Spot){ .fact = OpprofFactAt(spot->fact, i), .above = spot, .index = i }, type);
    }
}

/* Reads one; returns where the next begins, NULL after the last. */
static const char *read_member(const char *at, Member *ret_member)
{
    at = skip_blanks(at);
    ret_member->reference = at;
    if (*at == '<') {
        at = strchr(at, '>');
        at = at == NULL ? "" : at + 1;
    } else {
        at += strcspn(at, "!/: \n");
    }
    snprintf(ret_member->key, sizeof ret_member->key, "%.*s", (int) (at - ret_member->reference),
             ret_member->reference);
    at = skip_blanks(at);
    ret_member->is_required = *at == '!';
    ret_member->is_one_of = *at == '/';
    at += ret_member->is_required || ret_member->is_one_of ? 1 : 0;
    at = skip_blanks(at);
    ret_member->type = *at == ':' ? at + 1 : at;
    at = skip_type(ret_member->type);
    return *at == ',' ? at + 1 : NULL;
}

/* The members of the object that begins at `at`; what there is no memory for is missing. */
static const Members *members_of(Checker *checker, const char *at)
{
    static const Members none;

    for (size_t i = 0; i < checker->object_count; i++) {
        if (checker->objects[i].at == at) {
            return &checker->objects[i];
        }
    }
    if (!OpprofGrow(&checker->objects, &checker->object_capacity, checker->object_count + 1,
                    sizeof *checker->objects)) {
        checker->facts.mistakes->no_memory = true;
        return &none;
    }
    Members *members = &checker->objects[checker->object_count++];
    *members = (Members){ .at = at };
    for (at++; at != NULL;) {
        if (!OpprofGrow(&members->list, &members->capacity, members->count + 1,
                        sizeof *members->list)) {
            checker->facts.mistakes->no_memory = true;
            break;
        }
        at = read_member(at, &members->list[members->count++]);
    }
    return members;
}

/* The schema's member for a key: the one of that name, else the last one for all names. NULL if neither exists. */
static const Member *find_member(const Members *members, const char *key)
{
    const Member *found = NULL;

    for (size_t i = 0; i < members->count; i++) {
        const Member *member = &members->list[i];

        if (strcmp(member->key, key) == 0) {
            return member;
        }
        if (*member->key == '*' || *member->key == '<') {
            found = member;
        }
    }
    return found;
}

static void refuse_key(Checker *checker, const Spot *spot, const Members *members, const char *key)
{
    Names names = { .count = 0 };

    for (size_t i = 0; i < members->count; i++) {
        if (*members->list[i].key != '*' && *members->list[i].key != '<') {
            FactNamesAdd(&names, members->list[i].key);
        }
    }
    FactSpotRefuseName(&checker->facts, spot, "there is no member", key, &names);
}

static void check_key(Checker *checker, const Spot *spot, const Member *member, const char *key)
{
    if (*member->key == '<' && !FactNamesHave(&checker->facts, spot, member->reference + 1, key)) {
        FactNamesRefuse(&checker->facts, spot, member->reference + 1, key);
    }
}

static void check_required(Checker *checker, const Spot *spot, const Members *members)
{
    for (size_t i = 0; i < members->count; i++) {
        const Member *member = &members->list[i];

        if (member->is_required && OpprofFactMember(spot->fact, member->key) == NULL) {
            FactSpotRefuse(&checker->facts, spot, "the member '%s' is missing", member->key);
        }
    }
}

/* Exactly one of the members with a slash is there. */
static void check_one_of(Checker *checker, const Spot *spot, const Members *members)
{
    char names[128] = "";
    size_t present = 0;
    size_t all = 0;

    for (size_t i = 0; i < members->count; i++) {
        const Member *member = &members->list[i];
        const size_t used = strlen(names);

        if (member->is_one_of) {
            snprintf(names + used, sizeof names - used, "%s'%s'", all++ > 0 ? " or " : "",
                     member->key);
            present += OpprofFactMember(spot->fact, member->key) != NULL;
        }
    }
    if (all > 0 && present == 0) {
        FactSpotRefuse(&checker->facts, spot, "the member %s is missing", names);
    } else if (present > 1) {
        FactSpotRefuse(&checker->facts, spot, "only one of the members %s is allowed", names);
    }
}

static void check_members(Checker *checker, const Spot *spot, const char *at)
{
    const char *key;
    const OpprofFact *fact;
    OpprofFactWalk walk = { 0 };

    check_required(checker, spot, members_of(checker, at));
    check_one_of(checker, spot, members_of(checker, at));
    while (OpprofFactNext(spot->fact, &walk, &key, &fact)) {
        const Spot below = { .fact = fact, .above = spot, .key = key };
        const Members *members = members_of(checker, at); /* a new one may have moved them */
        const Member *member = find_member(members, key);

        if (member == NULL) {
            refuse_key(checker, &below, members, key);
        } else {
            check_key(checker, &below, member, key);
            descend(checker, spot, below, member->type);
        }
    }
}

/* Two names of a reference with '>' between them. */
static void check_pair(Checker *checker, const Spot *spot, const char *reference)
{
    const char *text = OpprofFactText(spot->fact);
    const char *middle = strchr(text, '>');
    char from[FACT_MAX_PLACE];

    if (middle == NULL) {
        FactSpotRefuse(&checker->facts, spot,
                       "expected two names with '>' between them, found '%s'", text);
        return;
    }
    snprintf(from, sizeof from, "%.*s", (int) (middle - text), text);
    if (!FactNamesHave(&checker->facts, spot, reference + 1, from)) {
        FactNamesRefuse(&checker->facts, spot, reference + 1, from);
    }
    if (!FactNamesHave(&checker->facts, spot, reference + 1, middle + 1)) {
        FactNamesRefuse(&checker->facts, spot, reference + 1, middle + 1);
    }
}

/* The fields of "<tick!, detail^, any*>", which begins at `at`: "!" is required, "*" may occur several times, "^" is a place. */
static uint32_t read_fields(const char *at, OpprofFormField *fields,
                            char names[OPPROF_FORM_FIELDS][32])
{
    uint32_t count = 0;

    for (at++; *at != '\0' && *at != '>' && count < OPPROF_FORM_FIELDS; count++) {
        OpprofFormField *field = &fields[count];

        at = skip_blanks(at);
        snprintf(names[count], sizeof names[count], "%.*s", (int) strcspn(at, "!*^,> "), at);
        *field = (OpprofFormField){ .name = names[count], .kind = OPPROF_FORM_REST };
        for (at += strlen(names[count]); *at != '\0' && *at != ',' && *at != '>'; at++) {
            field->use = *at == '!'   ? OPPROF_FORM_REQUIRED
                         : *at == '*' ? OPPROF_FORM_REPEATED
                                      : field->use;
            field->kind = *at == '^' ? OPPROF_FORM_HERE : field->kind;
        }
        at += *at == ',';
    }
    return count;
}

/* Check a text with fields in it. */
static void check_form(Checker *checker, const Spot *spot, const char *at)
{
    OpprofFormField fields[OPPROF_FORM_FIELDS];
    char names[OPPROF_FORM_FIELDS][32];
    const OpprofFormLanguage language = { .fields = fields,
                                          .field_count = read_fields(at, fields, names) };
    OpprofForm *form = NULL;
    OpprofError *error = NULL;

    if (OpprofFormRead(&language, OpprofFactText(spot->fact), &form, &error) != OPPROF_OK) {
        FactSpotPass(&checker->facts, spot, error);
        OpprofErrorDestroy(error);
    }
    OpprofFormFree(form);
}

/* The alternative for the given value. */
static void check_alternative(Checker *checker, const Spot *spot, const char *at)
{
    if (*at == '{') {
        check_members(checker, spot, at);
    } else if (*at == '[') {
        check_elements(checker, spot, at + 1);
    } else if (*at == '<') {
        check_reference(checker, spot, at);
    } else if (*at == '\'') {
        check_choice(checker, spot, at);
    } else if (begins_with(at, "pair")) {
        check_pair(checker, spot, at + strlen("pair"));
    } else if (begins_with(at, "form")) {
        check_form(checker, spot, at + strlen("form"));
    } else if (begins_with(at, "formula")) {
        FactFormulaCheck(&checker->facts, spot);
    } else if (begins_with(at, "whole")) {
        FactCountCheck(&checker->facts, spot, at + strlen("whole") + 1);
    } else if (begins_with(at, "int") || begins_with(at, "number")) {
        check_number(&checker->facts, spot, at);
    } else if (begins_with(at, "text") && OpprofFactText(spot->fact) != NULL &&
               OpprofFactText(spot->fact)[0] == '\0') {
        FactSpotRefuse(&checker->facts, spot, "the text is empty");
    }
}

static void check(Checker *checker, const Spot *spot, const char *type)
{
    const OpprofFactKind kind = OpprofFactGetKind(spot->fact);
    char wanted[128];

    for (const char *at = type;; at++) {
        at = skip_blanks(at);
        if (takes_kind(at, kind)) {
            check_alternative(checker, spot, at);
            return;
        }
        at = skip_alternative(at);
        if (*at != '|') {
            break;
        }
    }
    name_wanted(type, wanted, sizeof wanted);
    FactSpotRefuse(&checker->facts, spot, "expected %s, found %s", wanted, kind_name(kind));
}

void ChipSchemaCheck(const OpprofChip *chip, const char *section, const char *schema,
                     ChipMistakes *mistakes)
{
    Checker checker = { .facts = { .chip = chip, .mistakes = mistakes } };
    const Spot spot = { .fact = OpprofFactMember(OpprofChipFact(chip, ""), section),
                        .key = section };

    if (spot.fact != NULL && OpprofFactGetKind(spot.fact) != OPPROF_FACT_NONE) {
        check(&checker, &spot, schema);
    }
    for (size_t i = 0; i < checker.object_count; i++) {
        free(checker.objects[i].list);
    }
    free(checker.objects);
    OpprofMetricsFree(checker.facts.metrics);
}
