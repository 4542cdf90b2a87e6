/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the parameters of a stage against its plugin's table, and holds their values. */
#include "plugin/params.h"
#include "base/require.h"

#include <opprof/json.h>
#include "plugin/param_text.h"

#include <inttypes.h>
#include <math.h>
#include <opprof/plugin.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MAX_NAME 64       /* bytes of a parameter's name */
#define MAX_SHOWN_TEXT 60 /* bytes of a wrong value that a message repeats */

/* Values as their types have them: durations in nanoseconds, choices as the table spells them. */
struct OpprofParams {
    const OpprofParam *table;
    uint32_t count;
    json_t *values[]; /* NULL: unset */
};

/* A value being checked. */
typedef struct Check {
    const OpprofParam *param;
    const char *location;
    const char *from; /* the text with variables in it that the value was made from; NULL: none */
    bool loose;       /* numbers and truth values may come as texts */
    Problems *problems;
} Check;

static const char *const type_names[] = {
    [OPPROF_PARAM_BOOL] = "bool",     [OPPROF_PARAM_INT] = "int",
    [OPPROF_PARAM_DOUBLE] = "double", [OPPROF_PARAM_STRING] = "string",
    [OPPROF_PARAM_CHOICE] = "choice", [OPPROF_PARAM_SIZE] = "size",
    [OPPROF_PARAM_PATH] = "path",     [OPPROF_PARAM_DURATION] = "duration",
    [OPPROF_PARAM_LIST] = "list",
};

const char *OpprofParamTypeName(uint32_t type)
{
    return type < sizeof type_names / sizeof type_names[0] ? type_names[type] : NULL;
}

/* A limit of the parameter as one would write it. */
static char *limit_text(const OpprofParam *param, double limit)
{
    if (param->type == OPPROF_PARAM_SIZE) {
        return ShowSize((int64_t) limit);
    }
    if (param->type == OPPROF_PARAM_DURATION) {
        return ShowDuration((int64_t) limit);
    }
    if (param->type == OPPROF_PARAM_INT) {
        return ProblemText("%" PRId64, (int64_t) limit);
    }
    return ShowNumber(limit);
}

static bool is_numeric(const OpprofParam *param)
{
    return param->type == OPPROF_PARAM_INT || param->type == OPPROF_PARAM_DOUBLE ||
           param->type == OPPROF_PARAM_SIZE || param->type == OPPROF_PARAM_DURATION;
}

/* A limit outside the type's range is ignored; integers end at 2^63. */
static bool is_limit(const OpprofParam *param, double limit)
{
    double end = param->type == OPPROF_PARAM_DOUBLE ? INFINITY : 9223372036854775808.0;

    return is_numeric(param) && param->min != param->max && fabs(limit) < end;
}

/* " ms", or "" where the value carries its unit or has none. */
static const char *shown_unit(const OpprofParam *param, const char **ret_blank)
{
    bool shown = (param->type == OPPROF_PARAM_INT || param->type == OPPROF_PARAM_DOUBLE) &&
                 param->unit != NULL && strcmp(param->unit, "1") != 0;

    *ret_blank = shown ? " " : "";
    return shown ? param->unit : "";
}

char *OpprofParamRangeText(const OpprofParam *param)
{
    OPPROF_REQUIRE("param-given", param != NULL, "The parameter's entry of the table is given");

    bool has_min = is_limit(param, param->min);
    bool has_max = is_limit(param, param->max);
    const char *blank;
    const char *unit = shown_unit(param, &blank);
    char *min = has_min ? limit_text(param, param->min) : strdup("");
    char *max = has_max ? limit_text(param, param->max) : strdup("");
    const char *before = has_min ? (has_max ? "" : "at least ") : (has_max ? "at most " : "");
    char *text = NULL;

    if (min != NULL && max != NULL && !has_min && !has_max) {
        text = strdup("");
    } else if (min != NULL && max != NULL) {
        text = ProblemText("%s%s%s%s%s%s", before, min, has_min && has_max ? " to " : "", max,
                           blank, unit);
    }
    free(min);
    free(max);
    return text;
}

static int shown_length(const char *text)
{
    return (int) ProblemShownLength(text, MAX_SHOWN_TEXT);
}

/* The given value, for a message. */
static const char *given_text(const Check *check, const json_t *value)
{
    const char *text = json_string_value(value);
    const char *given;
    char *number;

    switch (json_typeof(value)) {
    case JSON_STRING:
        return ProblemsText(check->problems, "the text '%.*s%s'", shown_length(text), text,
                            strlen(text) > MAX_SHOWN_TEXT ? "…" : "");
    case JSON_INTEGER:
        return ProblemsText(check->problems, "the number %" JSON_INTEGER_FORMAT,
                            json_integer_value(value));
    case JSON_REAL:
        number = ShowNumber(json_real_value(value));
        check->problems->no_memory |= number == NULL;
        given = ProblemsText(check->problems, "the number %s", number != NULL ? number : "");
        free(number);
        return given;
    case JSON_TRUE:
    case JSON_FALSE:
    case JSON_ARRAY:
    case JSON_OBJECT:
    case JSON_NULL:
    default:
        return ProblemJsonKind(value);
    }
}

/* The parameter's type and range, for a message. */
static const char *wanted_text(const Check *check)
{
    const char *blank;
    const char *unit = shown_unit(check->param, &blank);
    const char *of = *unit != '\0' ? " of " : "";

    switch ((OpprofParamType) check->param->type) {
    case OPPROF_PARAM_BOOL:
        return "true or false";
    case OPPROF_PARAM_INT:
        return ProblemsText(check->problems, "a whole number%s%s", of, unit);
    case OPPROF_PARAM_DOUBLE:
        return ProblemsText(check->problems, "a number%s%s", of, unit);
    case OPPROF_PARAM_SIZE:
        return "a size such as 64MiB";
    case OPPROF_PARAM_DURATION:
        return "a duration with its unit, such as 10ms";
    case OPPROF_PARAM_CHOICE:
        return "the text of a choice";
    case OPPROF_PARAM_PATH:
        return "a path";
    case OPPROF_PARAM_LIST:
        return "a list of texts";
    case OPPROF_PARAM_STRING:
    default:
        return "a text";
    }
}

/* ---- refusals ---- */

/* " (from '${top}')", so that people look at the variable and not at the number. */
static bool refuse(const Check *check, const char *what, const char *wanted, const char *given)
{
    const char *from = check->from;
    const char *source =
        from == NULL ? ""
                     : ProblemsText(check->problems, " (from '%.*s')", shown_length(from), from);

    ProblemsAdd(check->problems, check->location, "%s: expected %s, got %s%s.", what, wanted, given,
                source);
    return false;
}

static bool refuse_type(const Check *check, const json_t *value, bool large)
{
    return refuse(check, large ? "too large" : "wrong type", wanted_text(check),
                  given_text(check, value));
}

static bool refuse_range(const Check *check, const json_t *value)
{
    char *range = OpprofParamRangeText(check->param);

    check->problems->no_memory |= range == NULL;
    refuse(check, "out of range", range != NULL ? range : "",
           json_is_string(value) ? ProblemsText(check->problems, "'%s'", json_string_value(value))
                                 : given_text(check, value));
    free(range);
    return false;
}

static size_t count_choices(const OpprofParam *param)
{
    size_t count = 0;

    while (param->choices != NULL && param->choices[count] != NULL) {
        count++;
    }
    return count;
}

static void refuse_choice(const Check *check, const char *text)
{
    ProblemsAddName(
        check->problems, check->location,
        ProblemsText(check->problems, "unknown choice '%.*s'", shown_length(text), text), text,
        &(NameList){ "Choices", check->param->choices, count_choices(check->param) });
}

/* ---- conversions, one per type ---- */

static bool in_range(const OpprofParam *param, long double value)
{
    return (!is_limit(param, param->min) || value >= param->min) &&
           (!is_limit(param, param->max) || value <= param->max);
}

/* Notes when there was no memory for a value. */
static json_t *made(const Check *check, json_t *value)
{
    check->problems->no_memory |= value == NULL;
    return value;
}

static json_t *take_bool(const Check *check, const json_t *value)
{
    bool truth = json_is_true(value);

    if (!json_is_boolean(value) && !(check->loose && json_is_string(value) &&
                                     ParseTruth(json_string_value(value), &truth) == PARSE_OK)) {
        refuse_type(check, value, false);
        return NULL;
    }
    return json_boolean(truth);
}

static Parse whole_number(const Check *check, const json_t *value, int64_t *ret_value)
{
    double number = json_real_value(value);

    if (json_is_integer(value)) {
        *ret_value = json_integer_value(value);
        return PARSE_OK;
    }
    if (json_is_real(value) && number == floor(number)) {
        /* 1e6 is a whole number; beyond 2^53 that cannot be decided */
        *ret_value = fabs(number) <= 9007199254740992.0 ? (int64_t) number : 0;
        return fabs(number) <= 9007199254740992.0 ? PARSE_OK : PARSE_LARGE;
    }
    if (check->loose && json_is_string(value)) {
        return ParseInteger(json_string_value(value), ret_value);
    }
    return PARSE_BAD;
}

static bool is_good(const Check *check, const json_t *value, Parse parse, long double number)
{
    if (parse != PARSE_OK) {
        return refuse_type(check, value, parse == PARSE_LARGE);
    }
    return in_range(check->param, number) || refuse_range(check, value);
}

static json_t *take_whole(const Check *check, const json_t *value, Parse parse, int64_t integer)
{
    return is_good(check, value, parse, integer) ? made(check, json_integer(integer)) : NULL;
}

static json_t *take_int(const Check *check, const json_t *value)
{
    int64_t integer = 0;
    const Parse parse = whole_number(check, value, &integer);

    return take_whole(check, value, parse, integer);
}

static json_t *take_double(const Check *check, const json_t *value)
{
    double number = json_number_value(value);
    Parse parse = json_is_number(value) ? PARSE_OK : PARSE_BAD;

    if (check->loose && json_is_string(value)) {
        parse = ParseNumber(json_string_value(value), &number);
    }
    return is_good(check, value, parse, number) ? made(check, json_real(number)) : NULL;
}

static json_t *take_size(const Check *check, const json_t *value)
{
    int64_t integer = 0;
    const Parse parse = json_is_string(value) ? ParseSize(json_string_value(value), &integer)
                                              : whole_number(check, value, &integer);

    return take_whole(check, value, parse == PARSE_OK && integer < 0 ? PARSE_BAD : parse, integer);
}

static json_t *take_duration(const Check *check, const json_t *value)
{
    int64_t integer = 0;
    const Parse parse =
        json_is_string(value) ? ParseDuration(json_string_value(value), &integer) : PARSE_BAD;

    return take_whole(check, value, parse, integer);
}

static json_t *take_string(const Check *check, const json_t *value)
{
    if (!json_is_string(value) ||
        (check->param->type == OPPROF_PARAM_PATH && json_string_length(value) == 0)) {
        refuse_type(check, value, false);
        return NULL;
    }
    return made(check, json_string(json_string_value(value)));
}

/* The choice as the table spells it, or NULL. */
static const char *find_choice(const OpprofParam *param, const char *text)
{
    for (size_t i = 0; param->choices != NULL && param->choices[i] != NULL; i++) {
        if (strcasecmp(param->choices[i], text) == 0) {
            return param->choices[i];
        }
    }
    return NULL;
}

static json_t *take_choice(const Check *check, const json_t *value)
{
    const char *choice =
        json_is_string(value) ? find_choice(check->param, json_string_value(value)) : NULL;

    if (!json_is_string(value)) {
        refuse_type(check, value, false);
    } else if (choice == NULL) {
        refuse_choice(check, json_string_value(value));
    }
    return choice == NULL ? NULL : made(check, json_string(choice));
}

/* ---- lists ---- */

/* Add `length` bytes as an element; checks it against the choices. False: it is none of them. */
static bool add_item(const Check *check, const char *text, size_t length, json_t *list)
{
    json_t *item = json_stringn(text, length);
    const char *choice = item == NULL ? NULL : find_choice(check->param, json_string_value(item));

    if (item != NULL && check->param->choices != NULL && choice == NULL) {
        refuse_choice(check, json_string_value(item));
        json_decref(item);
        return false;
    }
    if (choice != NULL) {
        json_decref(item);
        item = json_string(choice);
    }
    check->problems->no_memory |= json_array_append_new(list, item) != 0;
    return true;
}

static bool add_elements(const Check *check, const json_t *value, json_t *list)
{
    bool good = true;

    for (size_t i = 0; i < json_array_size(value); i++) {
        const json_t *element = json_array_get(value, i);

        if (json_is_string(element)) {
            good = add_item(check, json_string_value(element), json_string_length(element), list) &&
                   good;
            continue;
        }
        good = false;
        ProblemsAdd(check->problems, check->location,
                    "wrong type: element %zu must be a text, got %s.", i + 1,
                    given_text(check, element));
    }
    return good;
}

/* Leave out the blanks at both ends. */
static void trim(const char **text, size_t *length)
{
    while (*length > 0 && (*text)[0] == ' ') {
        (*text)++;
        (*length)--;
    }
    while (*length > 0 && (*text)[*length - 1] == ' ') {
        (*length)--;
    }
}

static bool add_comma_text(const Check *check, const char *text, json_t *list)
{
    bool good = true;

    /* an empty value means an empty list */
    if (text[strspn(text, " ")] == '\0') {
        return true;
    }
    for (;;) {
        const char *element = text;
        size_t whole = strcspn(text, ",");
        size_t length = whole;

        trim(&element, &length);
        if (length == 0 && (check->param->flags & OPPROF_PARAM_SKIP_EMPTY) == 0) {
            ProblemsAdd(check->problems, check->location, "an element of the list is empty.");
            return false;
        }
        if (length > 0) {
            good = add_item(check, element, length, list) && good;
        }
        if (text[whole] == '\0') {
            return good;
        }
        text += whole + 1;
    }
}

static json_t *take_list(const Check *check, const json_t *value)
{
    json_t *list;
    bool good;

    if (!json_is_array(value) && !json_is_string(value)) {
        refuse_type(check, value, false);
        return NULL;
    }
    list = made(check, json_array());
    good = json_is_array(value) ? add_elements(check, value, list)
                                : add_comma_text(check, json_string_value(value), list);
    if (!good) {
        json_decref(list);
        return NULL;
    }
    return list;
}

/* The value as its type has it, a new reference; NULL: a mistake, which is reported, or no memory.
 */
static json_t *(*const take_value[])(const Check *, const json_t *) = {
    [OPPROF_PARAM_BOOL] = take_bool,     [OPPROF_PARAM_INT] = take_int,
    [OPPROF_PARAM_DOUBLE] = take_double, [OPPROF_PARAM_STRING] = take_string,
    [OPPROF_PARAM_CHOICE] = take_choice, [OPPROF_PARAM_SIZE] = take_size,
    [OPPROF_PARAM_PATH] = take_string,   [OPPROF_PARAM_DURATION] = take_duration,
    [OPPROF_PARAM_LIST] = take_list,
};

/* A default is what one would type after --set. */
static json_t *take_default(const OpprofParam *param, const char *location, Problems *problems)
{
    const Check check = {
        .param = param, .location = location, .loose = true, .problems = problems
    };
    json_t *given = ProblemsJsonText(problems, location, "the default", param->default_value);
    json_t *value = given != NULL ? take_value[param->type](&check, given) : NULL;

    json_decref(given);
    return value;
}

/* ---- building ---- */

/* "/stages/2/params/windw_ms (stage 'roll')", or "setting roll.windw_ms"
 * where it came from there. */
static const char *location_text(const ParamInput *input, const char *name, const char *origin,
                                 Problems *problems)
{
    const char *where;

    if (origin != NULL && strncmp(origin, "setting ", 8) == 0) {
        return origin;
    }
    where = ProblemsPointer(problems, input->pointer, name);
    return input->stage != NULL ? ProblemsText(problems, "%s (stage '%s')", where, input->stage)
                                : where;
}

static const char *origin_of(const ParamInput *input, const char *name)
{
    return json_string_value(json_object_get(input->origins, name));
}

/* False: no usable value, which has been reported by now. */
static bool build_one(const OpprofParam *param, const ParamInput *input, Problems *problems,
                      json_t **ret_value)
{
    const json_t *value = json_object_get(input->given, param->name);
    const char *origin = origin_of(input, param->name);
    const char *location = location_text(input, param->name, origin, problems);
    const Check check = {
        .param = param,
        .location = location,
        .from = origin != NULL && strncmp(origin, "setting ", 8) != 0 ? origin : NULL,
        .loose = origin != NULL,
        .problems = problems,
    };

    if (json_is_null(json_object_get(input->origins, param->name))) {
        return false;
    }
    if (value != NULL && !json_is_null(value)) {
        *ret_value = take_value[param->type](&check, value);
    } else if (param->default_value != NULL) {
        *ret_value = take_default(param, location, problems);
    } else {
        if ((param->flags & OPPROF_PARAM_REQUIRED) != 0) {
            ProblemsAdd(problems, location, "required, but not given (%s).",
                        param->summary != NULL ? param->summary : OpprofParamTypeName(param->type));
        }
        return (param->flags & OPPROF_PARAM_REQUIRED) == 0;
    }
    return *ret_value != NULL;
}

static void report_unknown(const OpprofParam *table, uint32_t count, const ParamInput *input,
                           const char *name, Problems *problems)
{
    const char **names = calloc((size_t) count + 1, sizeof *names);

    for (uint32_t i = 0; names != NULL && i < count; i++) {
        names[i] = table[i].name;
    }
    problems->no_memory |= names == NULL;
    ProblemsAddName(problems, location_text(input, name, origin_of(input, name), problems),
                    "unknown parameter", name,
                    &(NameList){ "Known", names, names != NULL ? count : 0 });
    free(names);
}

static const OpprofParam *find_param(const OpprofParam *table, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++) {
        if (table[i].name != NULL && strcmp(table[i].name, name) == 0) {
            return &table[i];
        }
    }
    return NULL;
}

static void check_names(const OpprofParam *table, uint32_t count, const ParamInput *input,
                        Problems *problems)
{
    const char *name;
    json_t *value;

    json_object_foreach(input->given, name, value)
    {
        bool comment = OpprofJsonIsComment(name) && origin_of(input, name) == NULL;

        if (!comment && find_param(table, count, name) == NULL) {
            report_unknown(table, count, input, name, problems);
        }
    }
}

OpprofParams *ParamBuild(const OpprofParam *table, uint32_t count, const ParamInput *input,
                         Problems *problems)
{
    OpprofParams *params = calloc(1, sizeof *params + count * sizeof params->values[0]);
    size_t before = problems->count;
    bool good = true;

    if (params == NULL) {
        problems->no_memory = true;
        return NULL;
    }
    params->table = table;
    params->count = count;
    check_names(table, count, input, problems);
    for (uint32_t i = 0; i < count; i++) {
        good = build_one(&table[i], input, problems, &params->values[i]) && good;
    }
    if (!good || problems->count != before || problems->no_memory) {
        ParamDestroy(params);
        return NULL;
    }
    return params;
}

void ParamDestroy(OpprofParams *params)
{
    if (params == NULL) {
        return;
    }
    for (uint32_t i = 0; i < params->count; i++) {
        json_decref(params->values[i]);
    }
    free(params);
}

/* ---- reading ---- */

/* Types whose values one function reads, as bits. */
#define TYPE_BIT(type) (1u << (type))
#define INTEGER_TYPES                                                                              \
    (TYPE_BIT(OPPROF_PARAM_INT) | TYPE_BIT(OPPROF_PARAM_SIZE) | TYPE_BIT(OPPROF_PARAM_DURATION))
#define TEXT_TYPES                                                                                 \
    (TYPE_BIT(OPPROF_PARAM_STRING) | TYPE_BIT(OPPROF_PARAM_PATH) | TYPE_BIT(OPPROF_PARAM_CHOICE))

static const OpprofParam *find_known(const OpprofParams *params, const char *name, const char *call)
{
    if (params == NULL) {
        OpprofRequireFailed("params-given", call,
                            "The parameters are those that configure was given");
    }
    if (name == NULL) {
        OpprofRequireFailed("params-name-given", call, "The name of a parameter is a text");
    }
    return find_param(params->table, params->count, name);
}

/* NULL: unset. `call` reads only the types of the mask. */
static const json_t *find_value(const OpprofParams *params, const char *name, unsigned types,
                                const char *call)
{
    const OpprofParam *param = find_known(params, name, call);

    RequireSetSubject(name);
    if (param == NULL) {
        OpprofRequireFailed("params-name", call, "The parameter is in the plugin's table");
    }
    if ((TYPE_BIT(param->type) & types) == 0) {
        OpprofRequireFailed("params-type", call,
                            "The parameter is of a type that the function reads");
    }
    RequireSetSubject(NULL);
    return params->values[param - params->table];
}

bool OpprofParamsHas(const OpprofParams *params, const char *name)
{
    return find_known(params, name, __func__) != NULL;
}

bool OpprofParamsIsSet(const OpprofParams *params, const char *name)
{
    return find_value(params, name, ~0u, __func__) != NULL;
}

bool OpprofParamsBool(const OpprofParams *params, const char *name)
{
    return json_is_true(find_value(params, name, TYPE_BIT(OPPROF_PARAM_BOOL), __func__));
}

int64_t OpprofParamsInt(const OpprofParams *params, const char *name)
{
    return json_integer_value(find_value(params, name, INTEGER_TYPES, __func__));
}

double OpprofParamsDouble(const OpprofParams *params, const char *name)
{
    return json_real_value(find_value(params, name, TYPE_BIT(OPPROF_PARAM_DOUBLE), __func__));
}

const char *OpprofParamsString(const OpprofParams *params, const char *name)
{
    return json_string_value(find_value(params, name, TEXT_TYPES, __func__));
}

size_t OpprofParamsCount(const OpprofParams *params, const char *name)
{
    return json_array_size(find_value(params, name, TYPE_BIT(OPPROF_PARAM_LIST), __func__));
}

const char *OpprofParamsElement(const OpprofParams *params, const char *name, size_t index)
{
    const json_t *list = find_value(params, name, TYPE_BIT(OPPROF_PARAM_LIST), __func__);

    return json_string_value(json_array_get(list, index));
}

/* As people write it; a new reference, NULL without memory. */
static json_t *shown_value(const OpprofParam *param, json_t *value)
{
    char *text;
    json_t *shown;

    if (param->type != OPPROF_PARAM_DURATION) {
        return json_incref(value);
    }
    text = ShowDuration(json_integer_value(value));
    shown = text != NULL ? json_string(text) : NULL;
    free(text);
    return shown;
}

json_t *ParamToJson(const OpprofParams *params)
{
    json_t *object = json_object();

    for (uint32_t i = 0; object != NULL && params != NULL && i < params->count; i++) {
        const OpprofParam *param = &params->table[i];

        if (params->values[i] != NULL &&
            json_object_set_new(object, param->name, shown_value(param, params->values[i])) != 0) {
            json_decref(object);
            return NULL;
        }
    }
    return object;
}

/* ---- the plugin's own table ---- */

static bool is_snake_case(const char *name)
{
    size_t length = strnlen(name, MAX_NAME + 1);

    return length > 0 && length <= MAX_NAME && name[0] >= 'a' && name[0] <= 'z' &&
           strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == length;
}

static void check_limits(const OpprofParam *param, const char *location, Problems *problems)
{
    if (isnan(param->min) || isnan(param->max) || param->min > param->max) {
        ProblemsAdd(problems, location, "its limits are the wrong way round.");
    } else if (param->min != param->max && !is_numeric(param)) {
        ProblemsAdd(problems, location, "type %s has no limits.", OpprofParamTypeName(param->type));
    }
}

static void check_choices(const OpprofParam *param, const char *location, Problems *problems)
{
    bool may = param->type == OPPROF_PARAM_CHOICE || param->type == OPPROF_PARAM_LIST;

    if (!may && param->choices != NULL) {
        ProblemsAdd(problems, location, "type %s has no choices.",
                    OpprofParamTypeName(param->type));
    }
    if (param->type == OPPROF_PARAM_CHOICE && count_choices(param) == 0) {
        ProblemsAdd(problems, location, "it has no choices.");
    }
    for (size_t i = 0; may && i < count_choices(param); i++) {
        if (find_choice(param, param->choices[i]) != param->choices[i]) {
            ProblemsAdd(problems, location, "its choice '%s' is repeated.", param->choices[i]);
        }
    }
}

static void check_param(const OpprofParam *param, const char *location, Problems *problems)
{
    const uint32_t known =
        OPPROF_PARAM_REQUIRED | (param->type == OPPROF_PARAM_LIST ? OPPROF_PARAM_SKIP_EMPTY : 0);
    size_t before = problems->count;

    if (OpprofParamTypeName(param->type) == NULL) {
        ProblemsAdd(problems, location, "unknown type %" PRIu32 ".", param->type);
        return;
    }
    if ((param->flags & ~known) != 0) {
        ProblemsAdd(problems, location, "it has flags that do not exist: 0x%" PRIx32 ".",
                    param->flags & ~known);
    }
    if ((param->flags & OPPROF_PARAM_REQUIRED) != 0 && param->default_value != NULL) {
        ProblemsAdd(problems, location, "it is required, but has a default.");
    }
    check_limits(param, location, problems);
    check_choices(param, location, problems);
    if (param->default_value != NULL && problems->count == before) {
        json_decref(
            take_default(param, ProblemsText(problems, "default of %s", location), problems));
    }
}

void ParamCheckTable(const OpprofParam *table, uint32_t count, Problems *problems)
{
    for (uint32_t i = 0; i < count; i++) {
        const char *name = table[i].name;
        const char *location;

        if (name == NULL || !is_snake_case(name)) {
            ProblemsAdd(problems, NULL,
                        "the name of parameter %" PRIu32 " is not in snake_case: '%.64s'.", i,
                        name != NULL ? name : "");
            continue;
        }
        location = ProblemsText(problems, "parameter '%s'", name);
        if (find_param(table, i, name) != NULL) {
            ProblemsAdd(problems, location, "another parameter has that name.");
        }
        check_param(&table[i], location, problems);
    }
}
