/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads facts out of a chip file: numbers, texts, members. Tested by
 * tests/kit/metrics/test_metrics.
 */
#include <opprof/kit/chip.h>

#include <opprof/json.h>
#include <opprof/require.h>

#include <jansson.h>
#include <string.h>

/* A fact is a JSON value; the type of the public header hides that. */
static const json_t *value_of(const OpprofFact *fact)
{
    return (const json_t *) fact;
}

static const OpprofFact *fact_of(const json_t *value)
{
    return (const OpprofFact *) value;
}

OpprofFactKind OpprofFactGetKind(const OpprofFact *fact)
{
    const json_t *value = value_of(fact);

    if (value == NULL) {
        return OPPROF_FACT_NONE;
    }
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return OPPROF_FACT_OBJECT;
    case JSON_ARRAY:
        return OPPROF_FACT_ARRAY;
    case JSON_STRING:
        return OPPROF_FACT_TEXT;
    case JSON_INTEGER:
    case JSON_REAL:
        return OPPROF_FACT_NUMBER;
    case JSON_TRUE:
    case JSON_FALSE:
        return OPPROF_FACT_BOOL;
    case JSON_NULL:
        break;
    }
    return OPPROF_FACT_NONE;
}

const OpprofFact *OpprofFactMember(const OpprofFact *object, const char *name)
{
    OPPROF_REQUIRE("fact-name-given", name != NULL, "A member has a name");
    return fact_of(json_object_get(value_of(object), name));
}

size_t OpprofFactCount(const OpprofFact *array)
{
    return json_array_size(value_of(array));
}

const OpprofFact *OpprofFactAt(const OpprofFact *array, size_t index)
{
    return fact_of(json_array_get(value_of(array), index));
}

const char *OpprofFactText(const OpprofFact *fact)
{
    return json_string_value(value_of(fact));
}

bool OpprofFactNumber(const OpprofFact *fact, double *ret_value)
{
    OPPROF_REQUIRE("fact-result-given", ret_value != NULL, "The result pointer is given");
    if (!json_is_number(value_of(fact))) {
        return false;
    }
    *ret_value = json_number_value(value_of(fact));
    return true;
}

bool OpprofFactBool(const OpprofFact *fact, bool otherwise)
{
    return json_is_boolean(value_of(fact)) ? json_is_true(value_of(fact)) : otherwise;
}

bool OpprofFactNext(const OpprofFact *object, OpprofFactWalk *walk, const char **ret_name,
                    const OpprofFact **ret_fact)
{
    OPPROF_REQUIRE("fact-result-given", walk != NULL && ret_name != NULL && ret_fact != NULL,
                   "The result pointer is given");

    json_t *members = NULL;

    memcpy(&members, &object, sizeof members); /* jansson walks over writable objects only */
    do {
        walk->place =
            walk->started ? json_object_iter_next(members, walk->place) : json_object_iter(members);
        walk->started = true;
    } while (walk->place != NULL && OpprofJsonIsComment(json_object_iter_key(walk->place)));
    if (walk->place == NULL) {
        return false;
    }
    *ret_name = json_object_iter_key(walk->place);
    *ret_fact = fact_of(json_object_iter_value(walk->place));
    return true;
}
