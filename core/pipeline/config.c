/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/config.h"

#include "kit/json_file.h"
#include "plugin/params.h"

#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <opprof/log.h>
#include <opprof/plugin.h>
#include <opprof/text.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#define TAG "core/config"
#define FORMAT_MAJOR 1
#define FORMAT_MINOR 0
#define MAX_VARS 256
#define MAX_PLUGIN_PATHS 64
#define MAX_ID 64                /* bytes of a stage id */
#define MAX_EXPANDED (64u << 20) /* bytes that all texts with variables in them may become */

/* A document being read. */
typedef struct Parser {
    PipelineConfig *config;
    const ConfigSetting *settings;
    size_t setting_count;
    const char *directory; /* that plugin paths are relative to */
    Problems *problems;
    json_t *unset;    /* object: names of variables without value, which has been told */
    size_t expanded;  /* bytes counted against MAX_EXPANDED */
    size_t looked_up; /* variables looked up so far */
    bool newer_minor; /* members that are not known may be there */
} Parser;

static const char *const top_members[] = { "opprof_pipeline", "description", "vars", "plugin_path",
                                           "queue",           "stages",      "links" };
static const char *const var_members[] = { "required", "default", "help", "choices" };
static const char *const stage_members[] = { "id", "use", "params", "critical" };
static const char *const link_members[] = { "from", "to" };

static const OpprofParam queue_members[] = {
    { .name = "items",
      .type = OPPROF_PARAM_INT,
      .default_value = "64",
      .min = 1,
      .max = CONFIG_MAX_QUEUE_ITEMS },
    { .name = "bytes",
      .type = OPPROF_PARAM_SIZE,
      .default_value = "16MiB",
      .min = 1 << 12,
      .max = 0x1p40 },
    { .name = "budget",
      .type = OPPROF_PARAM_SIZE,
      .default_value = "64MiB",
      .min = 1 << 12,
      .max = 0x1p40 },
};

/* Reports */

static const char *json_kind(const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "an array";
    case JSON_STRING:
        return "a text";
    case JSON_INTEGER:
    case JSON_REAL:
        return "a number";
    case JSON_TRUE:
        return "true";
    case JSON_FALSE:
        return "false";
    case JSON_NULL:
    default:
        return "null";
    }
}

static void report_type(Parser *parser, const char *base, const char *key, const char *wanted,
                        const json_t *value)
{
    char *location = ProblemPointer(base, key);

    if (location == NULL) {
        parser->problems->no_memory = true;
        return;
    }
    if (value == NULL) {
        ProblemsAdd(parser->problems, location, "required, but not given: wants %s.", wanted);
    } else {
        ProblemsAdd(parser->problems, location, "wrong type: wants %s, got %s.", wanted,
                    json_kind(value));
    }
    free(location);
}

static bool is_known(const char *key, const char *const *members, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(members[i], key) == 0) {
            return true;
        }
    }
    return false;
}

static void check_members(Parser *parser, json_t *object, const char *base,
                          const char *const *members, size_t count)
{
    const char *key;
    json_t *value;

    json_object_foreach(object, key, value)
    {
        char *location;

        if (ParamIsComment(key) || is_known(key, members, count)) {
            continue;
        }
        location = ProblemPointer(base, key);
        if (location == NULL) {
            parser->problems->no_memory = true;
        } else if (parser->newer_minor) {
            OpprofLog(OPPROF_LOG_WARNING, TAG, "%s: unknown member, ignoring", location);
        } else {
            ProblemsAddName(parser->problems, location, "unknown member", key, "Known", members,
                            count);
        }
        free(location);
    }
}

/* Copies that tell when memory is out; NULL for NULL. */
static char *copy_text(Parser *parser, const char *text)
{
    char *copy = text != NULL ? strdup(text) : NULL;

    if (text != NULL && copy == NULL) {
        parser->problems->no_memory = true;
    }
    return copy;
}

/* The text member `key`; NULL when it is wrong, or absent and not required. Borrowed. */
static const char *text_member(Parser *parser, json_t *object, const char *base, const char *key,
                               bool required)
{
    json_t *value = json_object_get(object, key);

    if (value == NULL && !required) {
        return NULL;
    }
    if (!json_is_string(value) || (required && json_string_length(value) == 0)) {
        report_type(parser, base, key, required ? "a text that is not empty" : "a text", value);
        return NULL;
    }
    return json_string_value(value);
}

/* Format number */

static bool parse_version(const char *text, unsigned *ret_major, unsigned *ret_minor)
{
    char *end;

    if (!isdigit((unsigned char) text[0]) || strlen(text) > 8) {
        return false;
    }
    *ret_major = (unsigned) strtoul(text, &end, 10);
    if (end[0] != '.' || !isdigit((unsigned char) end[1])) {
        return false;
    }
    *ret_minor = (unsigned) strtoul(end + 1, &end, 10);
    return *end == '\0';
}

/* False: not a format that can be read on. */
static bool read_format(Parser *parser, json_t *root)
{
    const json_t *value = json_object_get(root, "opprof_pipeline");
    unsigned major;
    unsigned minor;

    if (value == NULL) {
        ProblemsAdd(parser->problems, "/opprof_pipeline",
                    "required, but not given: this opprof reads \"%d.%d\".", FORMAT_MAJOR,
                    FORMAT_MINOR);
        return true;
    }
    if (!json_is_string(value) || !parse_version(json_string_value(value), &major, &minor)) {
        ProblemsAdd(parser->problems, "/opprof_pipeline",
                    "no format number: wants a text such as \"%d.%d\".", FORMAT_MAJOR,
                    FORMAT_MINOR);
        return true;
    }
    if (major != FORMAT_MAJOR) {
        ProblemsAdd(parser->problems, "/opprof_pipeline",
                    "format %u.%u is not known: this opprof reads %d.%d.", major, minor,
                    FORMAT_MAJOR, FORMAT_MINOR);
        return false;
    }
    parser->newer_minor = minor > FORMAT_MINOR;
    if (parser->newer_minor) {
        OpprofLog(OPPROF_LOG_WARNING, TAG,
                  "pipeline '%s' has format %u.%u, newer than %d.%d: what is not known is ignored",
                  parser->config->name, major, minor, FORMAT_MAJOR, FORMAT_MINOR);
    }
    return true;
}

/* Variables */

static bool is_word(const char *text, size_t limit)
{
    size_t length = strnlen(text, limit + 1);

    return length > 0 && length <= limit &&
           strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") ==
               length;
}

bool ConfigIsStageId(const char *text)
{
    return is_word(text, MAX_ID);
}

/* Names of the keys of an object, borrowed; free() the array. NULL without memory. */
static const char **object_keys(json_t *object, size_t *ret_count)
{
    const char **names = calloc(json_object_size(object) + 1, sizeof *names);
    const char *key;
    json_t *value;

    *ret_count = 0;
    json_object_foreach(object, key, value)
    {
        if (names != NULL) {
            names[(*ret_count)++] = key;
        }
    }
    return names;
}

static void report_var(Parser *parser, const char *location, const char *name)
{
    size_t count;
    const char **names = object_keys(parser->config->vars, &count);
    char *what = ProblemText("no variable '%.*s'", MAX_ID, name);

    if (names == NULL || what == NULL) {
        parser->problems->no_memory = true;
    } else {
        ProblemsAddName(parser->problems, location, what, name, "Variables", names, count);
    }
    free(names);
    free(what);
}

/* What --set gives the name; the last one counts. NULL: nothing. */
static const char *setting_of(const Parser *parser, const char *name)
{
    for (size_t i = parser->setting_count; i > 0; i--) {
        if (strcmp(parser->settings[i - 1].name, name) == 0) {
            return parser->settings[i - 1].value;
        }
    }
    return NULL;
}

static bool truth_member(Parser *parser, json_t *object, const char *base, const char *key)
{
    json_t *value = json_object_get(object, key);

    if (value != NULL && !json_is_boolean(value)) {
        report_type(parser, base, key, "true or false", value);
    }
    return json_is_true(value);
}

static bool is_text_array(const json_t *value)
{
    if (!json_is_array(value)) {
        return false;
    }
    for (size_t i = 0; i < json_array_size(value); i++) {
        if (!json_is_string(json_array_get(value, i))) {
            return false;
        }
    }
    return true;
}

/* The default of a variable; NULL when there is none, or a wrong one. Borrowed. */
static json_t *default_member(Parser *parser, json_t *object, const char *base)
{
    json_t *value = json_object_get(object, "default");

    if (json_is_object(value) || (json_is_array(value) && !is_text_array(value))) {
        report_type(parser, base, "default",
                    "a text, a number, true, false, null or an array of texts", value);
        return NULL;
    }
    return json_is_null(value) ? NULL : value;
}

/* The choices of a variable; NULL when there are none, or wrong ones. Borrowed. */
static json_t *choices_member(Parser *parser, json_t *object, const char *base)
{
    json_t *value = json_object_get(object, "choices");

    if (value != NULL && (!is_text_array(value) || json_array_size(value) == 0)) {
        report_type(parser, base, "choices", "an array of one or more texts", value);
        return NULL;
    }
    return value;
}

/* The texts of an array, borrowed; free() the array. NULL without memory. */
static const char **array_texts(Parser *parser, const json_t *array)
{
    const char **texts = calloc(json_array_size(array) + 1, sizeof *texts);

    for (size_t i = 0; texts != NULL && i < json_array_size(array); i++) {
        texts[i] = json_string_value(json_array_get(array, i));
    }
    if (texts == NULL) {
        parser->problems->no_memory = true;
    }
    return texts;
}

/* The choice as the document spells it, a new reference; reports what is none and returns null
 * then. */
static json_t *choose(Parser *parser, const char *location, const json_t *choices,
                      const json_t *value)
{
    const char *word = json_is_string(value) ? json_string_value(value) : "";
    const char **texts;

    for (size_t i = 0; i < json_array_size(choices); i++) {
        json_t *choice = json_array_get(choices, i);

        if (strcasecmp(json_string_value(choice), word) == 0) {
            return json_incref(choice);
        }
    }
    texts = array_texts(parser, choices);
    if (texts != NULL) {
        ProblemsAddName(parser->problems, location, "not one of the choices", word, "Choices",
                        texts, json_array_size(choices));
    }
    free(texts);
    return json_null();
}

/* Whoever uses the variable is not told again. */
static void mark_unset(Parser *parser, const char *name)
{
    if (json_object_set_new(parser->unset, name, json_true()) != 0) {
        parser->problems->no_memory = true;
    }
}

static void report_missing_var(Parser *parser, const char *base, const char *name, const char *help)
{
    const char *open = help != NULL ? " (" : "";
    const char *close = help != NULL ? ")" : "";

    ProblemsAdd(parser->problems, base, "required, but not given%s%s%s. Use --set %s=VALUE.", open,
                help != NULL ? help : "", close, name);
    mark_unset(parser, name);
}

/* The value of a variable, a new reference; null: it has none. */
static json_t *var_value(Parser *parser, const char *base, const char *name, json_t *object)
{
    const char *setting = setting_of(parser, name);
    const char *help = text_member(parser, object, base, "help", false);
    bool required = truth_member(parser, object, base, "required");
    json_t *otherwise = default_member(parser, object, base);
    json_t *choices = choices_member(parser, object, base);
    char *location = ProblemText("--set %s", name);
    json_t *value = setting != NULL ? json_string(setting) : json_incref(otherwise);

    if (location == NULL) {
        parser->problems->no_memory = true;
    } else if (setting != NULL && value == NULL) {
        ProblemsAdd(parser->problems, location, "the value is no UTF-8 text.");
        mark_unset(parser, name);
    } else if (value != NULL && choices != NULL) {
        json_t *choice = choose(parser, setting != NULL ? location : base, choices, value);

        json_decref(value);
        value = choice;
        if (json_is_null(value)) {
            mark_unset(parser, name);
        }
    }
    if (required && otherwise != NULL) {
        ProblemsAdd(parser->problems, base, "it is required and yet has a default.");
    } else if (required && setting == NULL) {
        report_missing_var(parser, base, name, help);
    }
    free(location);
    return value != NULL ? value : json_null();
}

static void read_var(Parser *parser, const char *name, json_t *object)
{
    char *base = ProblemPointer("/vars", name);
    json_t *value = NULL;

    if (base == NULL) {
        parser->problems->no_memory = true;
        return;
    }
    if (!is_word(name, MAX_ID)) {
        ProblemsAdd(parser->problems, base,
                    "no name for a variable: up to %d letters, digits, '_' and '-'.", MAX_ID);
    } else if (!json_is_object(object)) {
        report_type(parser, "/vars", name, "an object such as { \"default\": 20 }", object);
        mark_unset(parser, name);
        value = json_null();
    } else {
        check_members(parser, object, base, var_members, OPPROF_COUNT(var_members));
        value = var_value(parser, base, name, object);
    }
    if (value != NULL && json_object_set_new(parser->config->vars, name, value) != 0) {
        parser->problems->no_memory = true;
    }
    free(base);
}

static void read_vars(Parser *parser, json_t *root)
{
    json_t *vars = json_object_get(root, "vars");
    const char *name;
    json_t *object;

    if (vars != NULL && !json_is_object(vars)) {
        report_type(parser, "", "vars", "an object", vars);
        return;
    }
    if (json_object_size(vars) > MAX_VARS) {
        ProblemsAdd(parser->problems, "/vars", "%zu variables are too many: at most %d.",
                    json_object_size(vars), MAX_VARS);
        return;
    }
    json_object_foreach(vars, name, object)
    {
        if (!ParamIsComment(name)) {
            read_var(parser, name, object);
        }
    }
}

/* Substitution */

/* Add a variable's value to a text; false: it has none that fits, which has been told. */
static bool print_var(Parser *parser, const char *location, const char *name, const json_t *value,
                      FILE *out)
{
    char number[OPPROF_TEXT_NUMBER];

    switch (json_typeof(value)) {
    case JSON_STRING:
        parser->expanded += json_string_length(value);
        if (parser->expanded <= MAX_EXPANDED) {
            fputs(json_string_value(value), out);
        }
        return true;
    case JSON_INTEGER:
        fprintf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        return true;
    case JSON_REAL:
        fwrite(number, 1, (size_t) (TextPutF64(number, json_real_value(value)) - number), out);
        return true;
    case JSON_TRUE:
    case JSON_FALSE:
        fputs(json_is_true(value) ? "true" : "false", out);
        return true;
    case JSON_NULL:
        ProblemsAdd(parser->problems, location,
                    "variable '%s' has no value to be put into a text. Use --set %s=VALUE.", name,
                    name);
        return false;
    case JSON_OBJECT:
    case JSON_ARRAY:
    default:
        ProblemsAdd(parser->problems, location,
                    "variable '%s' is a list, which can be a whole value but no part of a text.",
                    name);
        return false;
    }
}

/*
 * The value of the variable named by the text between "${" and "}"; NULL: none, which has been
 * told. Borrowed.
 */
static json_t *find_var(Parser *parser, const char *location, const char *name)
{
    json_t *value = json_object_get(parser->config->vars, name);

    parser->looked_up++;
    if (value == NULL) {
        report_var(parser, location, name);
        return NULL;
    }
    return json_object_get(parser->unset, name) == NULL ? value : NULL;
}

/* Print the variable of "${name}" at *text, and move *text behind it. False: told. */
static bool expand_var(Parser *parser, const char *location, const char **text, FILE *out)
{
    const char *start = *text + 2;
    const char *end = strchr(start, '}');
    const json_t *value;
    char *name;
    bool good;

    if (end == NULL) {
        ProblemsAdd(parser->problems, location,
                    "'${' without '}'. A '${' that is meant is written '$${'.");
        *text += strlen(*text);
        return false;
    }
    *text = end + 1;
    name = strndup(start, (size_t) (end - start));
    if (name == NULL) {
        parser->problems->no_memory = true;
        return false;
    }
    value = find_var(parser, location, name);
    good = value != NULL && print_var(parser, location, name, value, out);
    free(name);
    return good;
}

/* Print the text with its variables replaced. False: a mistake, which has been told. */
static bool expand_text(Parser *parser, const char *location, const char *text, FILE *out)
{
    bool good = true;

    while (*text != '\0') {
        const char *dollar = strchr(text, '$');
        size_t plain = dollar != NULL ? (size_t) (dollar - text) : strlen(text);

        fwrite(text, 1, plain, out);
        text += plain;
        if (strncmp(text, "$${", 3) == 0) {
            fputs("${", out);
            text += 3;
        } else if (strncmp(text, "${", 2) == 0) {
            good = expand_var(parser, location, &text, out) && good;
        } else if (*text != '\0') {
            fputc(*text, out);
            text++;
        }
    }
    return good;
}

/* True when the text is one "${name}" and nothing else. */
static bool is_whole_var(const char *text)
{
    const char *end = strchr(text, '}');

    return strncmp(text, "${", 2) == 0 && end != NULL && end[1] == '\0';
}

static json_t *resolve_whole(Parser *parser, const char *location, const char *text)
{
    char *name = strndup(text + 2, strlen(text) - 3);
    json_t *value = name != NULL ? find_var(parser, location, name) : NULL;

    if (name == NULL) {
        parser->problems->no_memory = true;
    }
    free(name);
    return json_incref(value);
}

/* A text with variables in it, resolved; a new reference. NULL: a mistake, which has been told. */
static json_t *resolve_text(Parser *parser, const char *location, const char *text)
{
    char *expanded = NULL;
    size_t size = 0;
    json_t *value = NULL;
    FILE *out;
    bool good;

    if (is_whole_var(text)) {
        return resolve_whole(parser, location, text);
    }
    out = open_memstream(&expanded, &size);
    if (out == NULL) {
        parser->problems->no_memory = true;
        return NULL;
    }
    good = expand_text(parser, location, text, out);
    if (fclose(out) != 0 || expanded == NULL) {
        parser->problems->no_memory = true;
    } else if (parser->expanded > MAX_EXPANDED) {
        ProblemsAdd(parser->problems, location, "variables make the texts longer than %u MiB.",
                    MAX_EXPANDED >> 20);
    } else if (good) {
        value = json_stringn(expanded, size);
        parser->problems->no_memory |= value == NULL;
    }
    free(expanded);
    return value;
}

static json_t *resolve_value(Parser *parser, const char *location, json_t *value);

/* Elements that cannot be resolved are left out; that they cannot has been told. */
static json_t *resolve_array(Parser *parser, const char *location, json_t *array)
{
    json_t *resolved = json_array();

    for (size_t i = 0; i < json_array_size(array); i++) {
        json_t *element = resolve_value(parser, location, json_array_get(array, i));

        if (element == NULL) {
            json_decref(resolved);
            return NULL;
        }
        if (json_array_append_new(resolved, element) != 0) {
            parser->problems->no_memory = true;
        }
    }
    return resolved;
}

static json_t *resolve_object(Parser *parser, const char *location, json_t *object)
{
    json_t *resolved = json_object();
    const char *key;
    json_t *member;

    json_object_foreach(object, key, member)
    {
        json_t *value = resolve_value(parser, location, member);

        if (value == NULL) {
            json_decref(resolved);
            return NULL;
        }
        if (json_object_set_new(resolved, key, value) != 0) {
            parser->problems->no_memory = true;
        }
    }
    return resolved;
}

/* The value with its variables replaced, a new reference; NULL: a mistake, which has been told. */
static json_t *resolve_value(Parser *parser, const char *location, json_t *value)
{
    if (json_is_string(value) && strchr(json_string_value(value), '$') != NULL) {
        return resolve_text(parser, location, json_string_value(value));
    }
    if (json_is_array(value)) {
        return resolve_array(parser, location, value);
    }
    if (json_is_object(value)) {
        return resolve_object(parser, location, value);
    }
    return json_incref(value);
}

/* Stages */

static void set_member(Parser *parser, json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) != 0) {
        parser->problems->no_memory = true;
    }
}

static void resolve_param(Parser *parser, ConfigStage *stage, const char *name, json_t *value)
{
    size_t looked_up = parser->looked_up;
    char *base = ProblemPointer(stage->pointer, "params");
    char *pointer = base != NULL ? ProblemPointer(base, name) : NULL;
    char *location = pointer != NULL ? ProblemText("%s (stage '%s')", pointer, stage->id) : NULL;
    json_t *resolved = NULL;

    if (location == NULL) {
        parser->problems->no_memory = true;
    } else {
        resolved = resolve_value(parser, location, value);
    }
    free(base);
    free(pointer);
    free(location);
    if (resolved == NULL) {
        set_member(parser, stage->origins, name, json_null());
        return;
    }
    set_member(parser, stage->params, name, resolved);
    if (parser->looked_up != looked_up && json_is_string(value)) {
        set_member(parser, stage->origins, name, json_incref(value));
    }
}

/* True when --set gives this parameter of the stage, and what. */
static const char *param_setting(const Parser *parser, const ConfigStage *stage, const char *name)
{
    size_t id_length = strlen(stage->id);

    for (size_t i = parser->setting_count; i > 0; i--) {
        const char *setting = parser->settings[i - 1].name;

        if (strncmp(setting, stage->id, id_length) == 0 && setting[id_length] == '.' &&
            strcmp(setting + id_length + 1, name) == 0) {
            return parser->settings[i - 1].value;
        }
    }
    return NULL;
}

static void read_params(Parser *parser, ConfigStage *stage, json_t *object)
{
    json_t *params = json_object_get(object, "params");
    const char *name;
    json_t *value;

    if (params != NULL && !json_is_object(params)) {
        report_type(parser, stage->pointer, "params", "an object", params);
        return;
    }
    json_object_foreach(params, name, value)
    {
        if (!ParamIsComment(name) && param_setting(parser, stage, name) == NULL) {
            resolve_param(parser, stage, name, value);
        }
    }
}

static void report_twice(Parser *parser, const ConfigStage *stage)
{
    for (const ConfigStage *other = parser->config->stages; other < stage; other++) {
        if (strcmp(other->id, stage->id) == 0) {
            ProblemsAdd(parser->problems, stage->pointer, "stage '%s' is there twice: see %s.",
                        stage->id, other->pointer);
            return;
        }
    }
}

/* Ids are never NULL, so that the rest of the stage can be checked; what is wrong with them is
 * told. */
static void read_id(Parser *parser, ConfigStage *stage, json_t *object)
{
    const char *id = text_member(parser, object, stage->pointer, "id", true);

    stage->id = copy_text(parser, id != NULL ? id : "");
    if (id == NULL || stage->id == NULL) {
        return;
    }
    if (!ConfigIsStageId(id)) {
        ProblemsAdd(parser->problems, stage->pointer,
                    "'%s' is no id for a stage: up to %d letters, digits, '_' and '-'.", id,
                    MAX_ID);
        return;
    }
    report_twice(parser, stage);
}

static void read_stage(Parser *parser, ConfigStage *stage, json_t *object)
{
    json_t *critical = json_object_get(object, "critical");

    check_members(parser, object, stage->pointer, stage_members, OPPROF_COUNT(stage_members));
    read_id(parser, stage, object);
    stage->use = copy_text(parser, text_member(parser, object, stage->pointer, "use", true));
    stage->params = json_object();
    stage->origins = json_object();
    if (stage->id == NULL || stage->params == NULL || stage->origins == NULL) {
        parser->problems->no_memory = true;
        return;
    }
    if (truth_member(parser, object, stage->pointer, "critical")) {
        stage->critical = CONFIG_CRITICAL_YES;
    } else {
        stage->critical = critical != NULL ? CONFIG_CRITICAL_NO : CONFIG_CRITICAL_DEFAULT;
    }
    read_params(parser, stage, object);
}

static char *index_pointer(Parser *parser, const char *array, size_t index)
{
    char *pointer = ProblemText("/%s/%zu", array, index);

    parser->problems->no_memory |= pointer == NULL;
    return pointer;
}

/*
 * The array member `key` when it has at most `limit` elements, all of them objects or texts as
 * `type` says; else NULL, and why is told.
 */
static json_t *array_member(Parser *parser, json_t *root, const char *key, size_t limit,
                            json_type type)
{
    const char *wanted = type == JSON_OBJECT ? "an array of objects" : "an array of texts";
    json_t *array = json_object_get(root, key);
    char *location;

    if (array == NULL) {
        return NULL;
    }
    if (!json_is_array(array)) {
        report_type(parser, "", key, wanted, array);
        return NULL;
    }
    location = ProblemPointer("", key);
    if (location == NULL) {
        parser->problems->no_memory = true;
        return NULL;
    }
    if (json_array_size(array) > limit) {
        ProblemsAdd(parser->problems, location, "%zu are too many: at most %zu.",
                    json_array_size(array), limit);
        array = NULL;
    }
    for (size_t i = 0; i < json_array_size(array); i++) {
        if (json_typeof(json_array_get(array, i)) != type) {
            ProblemsAdd(parser->problems, location, "element %zu: wrong type: wants %s, got %s.", i,
                        type == JSON_OBJECT ? "an object" : "a text",
                        json_kind(json_array_get(array, i)));
        }
    }
    free(location);
    return array;
}

static void read_stages(Parser *parser, json_t *root)
{
    json_t *stages = array_member(parser, root, "stages", CONFIG_MAX_STAGES, JSON_OBJECT);
    PipelineConfig *config = parser->config;

    if (json_object_get(root, "stages") == NULL) {
        report_type(parser, "", "stages", "an array of one or more objects", NULL);
    } else if (stages != NULL && json_array_size(stages) == 0) {
        ProblemsAdd(parser->problems, "/stages", "there are no stages.");
    }
    config->stages = calloc(json_array_size(stages) + 1, sizeof *config->stages);
    if (config->stages == NULL) {
        parser->problems->no_memory = true;
        return;
    }
    for (size_t i = 0; i < json_array_size(stages) && !parser->problems->no_memory; i++) {
        ConfigStage *stage = &config->stages[config->stage_count];

        if (!json_is_object(json_array_get(stages, i))) {
            continue;
        }
        stage->pointer = index_pointer(parser, "stages", i);
        if (stage->pointer != NULL) {
            config->stage_count++;
            read_stage(parser, stage, json_array_get(stages, i));
        }
    }
}

static void read_links(Parser *parser, json_t *root)
{
    json_t *links = array_member(parser, root, "links", CONFIG_MAX_LINKS, JSON_OBJECT);
    PipelineConfig *config = parser->config;

    config->links = calloc(json_array_size(links) + 1, sizeof *config->links);
    if (config->links == NULL) {
        parser->problems->no_memory = true;
        return;
    }
    for (size_t i = 0; i < json_array_size(links) && !parser->problems->no_memory; i++) {
        json_t *object = json_array_get(links, i);
        ConfigLink *link = &config->links[config->link_count];

        link->pointer = index_pointer(parser, "links", i);
        if (link->pointer == NULL || !json_is_object(object)) {
            free(link->pointer);
            link->pointer = NULL;
            continue;
        }
        config->link_count++;
        check_members(parser, object, link->pointer, link_members, OPPROF_COUNT(link_members));
        link->from = copy_text(parser, text_member(parser, object, link->pointer, "from", true));
        link->to = copy_text(parser, text_member(parser, object, link->pointer, "to", true));
    }
}

static void read_plugin_paths(Parser *parser, json_t *root)
{
    json_t *paths = array_member(parser, root, "plugin_path", MAX_PLUGIN_PATHS, JSON_STRING);
    PipelineConfig *config = parser->config;

    config->plugin_paths = calloc(json_array_size(paths) + 1, sizeof *config->plugin_paths);
    if (config->plugin_paths == NULL) {
        parser->problems->no_memory = true;
        return;
    }
    for (size_t i = 0; i < json_array_size(paths); i++) {
        const char *path = json_string_value(json_array_get(paths, i));
        char *whole;

        if (path == NULL) {
            continue;
        }
        if (*path == '\0') {
            ProblemsAdd(parser->problems, "/plugin_path", "element %zu is empty.", i);
            continue;
        }
        whole = *path == '/' ? strdup(path) : ProblemText("%s/%s", parser->directory, path);
        parser->problems->no_memory |= whole == NULL;
        config->plugin_paths[config->plugin_path_count] = whole;
        config->plugin_path_count += whole != NULL ? 1 : 0;
    }
}

static void read_queue(Parser *parser, json_t *root)
{
    json_t *queue = json_object_get(root, "queue");
    const ParamInput input = { .given = queue, .pointer = "/queue" };
    PipelineConfig *config = parser->config;
    Params *params;

    if (queue != NULL && !json_is_object(queue)) {
        report_type(parser, "", "queue", "an object", queue);
        return;
    }
    params = ParamBuild(queue_members, OPPROF_COUNT(queue_members), &input, parser->problems);
    if (params != NULL) {
        config->queue_items = (uint32_t) ParamsInt(params, "items");
        config->queue_bytes = (uint64_t) ParamsInt(params, "bytes");
        config->queue_budget = (uint64_t) ParamsInt(params, "budget");
    }
    ParamDestroy(params);
}

/* --set */

static ConfigStage *find_stage(const PipelineConfig *config, const char *id, size_t length)
{
    for (size_t i = 0; i < config->stage_count; i++) {
        if (strlen(config->stages[i].id) == length &&
            memcmp(config->stages[i].id, id, length) == 0) {
            return &config->stages[i];
        }
    }
    return NULL;
}

static void report_stage(Parser *parser, const char *location, const char *setting, size_t length)
{
    const PipelineConfig *config = parser->config;
    const char **ids = calloc(config->stage_count + 1, sizeof *ids);
    char *id = strndup(setting, length);
    char *what = id != NULL ? ProblemText("no stage '%s'", id) : NULL;

    for (size_t i = 0; ids != NULL && i < config->stage_count; i++) {
        ids[i] = config->stages[i].id;
    }
    if (ids == NULL || what == NULL) {
        parser->problems->no_memory = true;
    } else {
        ProblemsAddName(parser->problems, location, what, id, "Stages", ids, config->stage_count);
    }
    free(ids);
    free(id);
    free(what);
}

static void apply_to_stage(Parser *parser, const char *location, const ConfigSetting *setting)
{
    size_t length = strcspn(setting->name, ".");
    const char *name = setting->name + length + 1;
    ConfigStage *stage = find_stage(parser->config, setting->name, length);
    json_t *value;

    if (stage == NULL) {
        report_stage(parser, location, setting->name, length);
        return;
    }
    if (*name == '\0') {
        ProblemsAdd(parser->problems, location, "no parameter is named for stage '%s'.", stage->id);
        return;
    }
    value = json_string(setting->value);
    if (value == NULL) {
        ProblemsAdd(parser->problems, location, "the value is no UTF-8 text.");
        return;
    }
    set_member(parser, stage->params, name, value);
    set_member(parser, stage->origins, name, json_string(location));
}

static void apply_settings(Parser *parser)
{
    for (size_t i = 0; i < parser->setting_count; i++) {
        const ConfigSetting *setting = &parser->settings[i];
        char *location = ProblemText("--set %s", setting->name);

        if (location == NULL) {
            parser->problems->no_memory = true;
        } else if (strchr(setting->name, '.') != NULL) {
            apply_to_stage(parser, location, setting);
        } else if (json_object_get(parser->config->vars, setting->name) == NULL) {
            report_var(parser, location, setting->name);
        }
        free(location);
    }
}

/* Documents */

static void read_description(Parser *parser, json_t *root)
{
    parser->config->description =
        copy_text(parser, text_member(parser, root, "", "description", false));
}

static void read_document(Parser *parser, json_t *root)
{
    if (!read_format(parser, root)) {
        return;
    }
    check_members(parser, root, "", top_members, OPPROF_COUNT(top_members));
    read_description(parser, root);
    read_vars(parser, root);
    read_plugin_paths(parser, root);
    read_queue(parser, root);
    read_stages(parser, root);
    read_links(parser, root);
    apply_settings(parser);
}

/* Takes no reference of root. */
static OpprofStatus parse_root(const char *name, const char *directory, json_t *root,
                               const ConfigSetting *settings, size_t setting_count,
                               PipelineConfig *ret_config, Problems *problems, OpprofError **error)
{
    Parser parser = {
        .config = ret_config,
        .settings = settings,
        .setting_count = setting_count,
        .directory = directory,
        .problems = problems,
        .unset = json_object(),
    };

    ret_config->name = strdup(name);
    ret_config->vars = json_object();
    if (parser.unset != NULL && ret_config->name != NULL && ret_config->vars != NULL) {
        read_document(&parser, root);
    } else {
        problems->no_memory = true;
    }
    json_decref(parser.unset);
    if (problems->no_memory) {
        ConfigFinish(ret_config);
        return OpprofErrorSet(error, OPPROF_E_MEMORY, "Cannot read pipeline '%s': out of memory",
                              name);
    }
    return OPPROF_OK;
}

OpprofStatus ConfigParse(const char *name, const char *directory, const char *text, size_t length,
                         const ConfigSetting *settings, size_t setting_count,
                         PipelineConfig *ret_config, Problems *problems, OpprofError **error)
{
    json_t *root = NULL;
    OpprofStatus status = JsonTextLoad(name, text, length, &root, error);

    *ret_config = (PipelineConfig){ 0 };
    if (OpprofFailed(status)) {
        return OpprofErrorSet(error, status == OPPROF_E_MEMORY ? status : OPPROF_E_ARGUMENT,
                              "Cannot read pipeline '%s'", name);
    }
    status =
        parse_root(name, directory, root, settings, setting_count, ret_config, problems, error);
    json_decref(root);
    return status;
}

/* Directory of a path, without the '/' at its end; free(). */
static char *directory_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    if (slash == NULL) {
        return strdup(".");
    }
    return slash == path ? strdup("/") : strndup(path, (size_t) (slash - path));
}

static OpprofStatus load_path(const char *name, const char *path, const ConfigSetting *settings,
                              size_t setting_count, PipelineConfig *ret_config, Problems *problems,
                              OpprofError **error)
{
    char *directory = directory_of(path);
    json_t *root = NULL;
    OpprofStatus status;

    if (directory == NULL) {
        return OpprofErrorSet(error, OPPROF_E_MEMORY, "Cannot read pipeline '%s': out of memory",
                              name);
    }
    status = JsonFileLoad(path, &root, error);
    if (OpprofFailed(status)) {
        /* a document that is no JSON is a mistake of whoever wrote it, like any other in it */
        status = OpprofErrorSet(error, status == OPPROF_E_DATA ? OPPROF_E_ARGUMENT : status,
                                "Cannot read pipeline '%s'", name);
    } else {
        status =
            parse_root(name, directory, root, settings, setting_count, ret_config, problems, error);
    }
    json_decref(root);
    free(directory);
    return status;
}

OpprofStatus ConfigLoad(const char *file_or_name, const ConfigSetting *settings,
                        size_t setting_count, PipelineConfig *ret_config, Problems *problems,
                        OpprofError **error)
{
    char *path = NULL;
    OpprofStatus status = ConfigFind(file_or_name, &path, error);

    *ret_config = (PipelineConfig){ 0 };
    if (OpprofFailed(status)) {
        return status;
    }
    status = load_path(file_or_name, path, settings, setting_count, ret_config, problems, error);
    if (OpprofFailed(status)) {
        free(path);
        return status;
    }
    ret_config->path = path;
    return OPPROF_OK;
}

static void finish_stage(ConfigStage *stage)
{
    free(stage->id);
    free(stage->use);
    free(stage->pointer);
    json_decref(stage->params);
    json_decref(stage->origins);
}

void ConfigFinish(PipelineConfig *config)
{
    for (size_t i = 0; i < config->stage_count; i++) {
        finish_stage(&config->stages[i]);
    }
    for (size_t i = 0; i < config->link_count; i++) {
        free(config->links[i].from);
        free(config->links[i].to);
        free(config->links[i].pointer);
    }
    for (size_t i = 0; i < config->plugin_path_count; i++) {
        free(config->plugin_paths[i]);
    }
    free(config->stages);
    free(config->links);
    free(config->plugin_paths);
    free(config->name);
    free(config->path);
    free(config->description);
    json_decref(config->vars);
    *config = (PipelineConfig){ 0 };
}

/* Installed pipelines */

typedef struct Names {
    char **names;
    size_t count;
    size_t capacity;
} Names;

static bool add_name(Names *list, char *name)
{
    if (name == NULL) {
        return false;
    }
    if (list->count == list->capacity) {
        size_t capacity = list->capacity == 0 ? 16 : list->capacity * 2;
        char **names = reallocarray(list->names, capacity, sizeof *names);

        if (names == NULL) {
            free(name);
            return false;
        }
        list->names = names;
        list->capacity = capacity;
    }
    list->names[list->count++] = name;
    return true;
}

static void finish_names(Names *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->names[i]);
    }
    free(list->names);
    *list = (Names){ 0 };
}

/* Directories of pipelines, in the order in which they are looked at. False without memory. */
static bool list_directories(Names *ret_list)
{
    const char *path = secure_getenv("OPPROF_PIPELINE_PATH");

    while (path != NULL && *path != '\0') {
        size_t length = strcspn(path, ":");

        if (length > 0 && !add_name(ret_list, strndup(path, length))) {
            return false;
        }
        path += length + (path[length] == ':' ? 1 : 0);
    }
    return add_name(ret_list, strdup(OPPROF_PIPELINE_DIR));
}

static bool is_regular(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

static bool has_suffix(const char *text, const char *suffix)
{
    size_t length = strlen(text);
    size_t suffix_length = strlen(suffix);

    return length > suffix_length && strcmp(text + length - suffix_length, suffix) == 0;
}

static void list_directory(const char *directory, Names *list)
{
    DIR *stream = opendir(directory);
    const struct dirent *entry;

    while (stream != NULL && (entry = readdir(stream)) != NULL) {
        char *path;

        if (entry->d_name[0] == '.' || !has_suffix(entry->d_name, ".json")) {
            continue;
        }
        path = ProblemText("%s/%s", directory, entry->d_name);
        if (path != NULL && is_regular(path)) {
            add_name(list, strndup(entry->d_name, strlen(entry->d_name) - strlen(".json")));
        }
        free(path);
    }
    if (stream != NULL) {
        closedir(stream);
    }
}

static int compare_names(const void *left, const void *right)
{
    return strcmp(*(char *const *) left, *(char *const *) right);
}

char **ConfigList(size_t *ret_count)
{
    Names directories = { 0 };
    Names list = { 0 };
    size_t kept = 0;

    list_directories(&directories);
    for (size_t i = 0; i < directories.count; i++) {
        list_directory(directories.names[i], &list);
    }
    finish_names(&directories);
    if (list.count > 0) {
        qsort(list.names, list.count, sizeof *list.names, compare_names);
    }
    for (size_t i = 0; i < list.count; i++) {
        if (kept > 0 && strcmp(list.names[kept - 1], list.names[i]) == 0) {
            free(list.names[i]);
        } else {
            list.names[kept++] = list.names[i];
        }
    }
    *ret_count = kept;
    return list.names;
}

static OpprofStatus report_not_found(const char *name, const Names *directories,
                                     OpprofError **error)
{
    Names list = { 0 };
    char *nearest;
    char *known;
    char *where = ProblemNames((const char *const *) directories->names, directories->count);
    OpprofStatus status;

    list.names = ConfigList(&list.count);
    nearest = ProblemNearest(name, (const char *const *) list.names, list.count);
    known = ProblemNames((const char *const *) list.names, list.count);
    status =
        OpprofErrorSet(error, OPPROF_E_NOT_FOUND,
                       "Cannot find pipeline '%s': there is no such file, and none of that name "
                       "is installed in %s",
                       name, where != NULL ? where : "the directories of pipelines");
    if (nearest != NULL && known != NULL) {
        OpprofErrorHint(error, "%s%sInstalled: %s.", nearest + (*nearest == ' ' ? 1 : 0),
                        *nearest != '\0' ? " " : "", known);
    }
    free(nearest);
    free(known);
    free(where);
    finish_names(&list);
    return status;
}

/* Path of NAME.json in the first directory that has it; NULL: in none. */
static char *find_installed(const char *name, const Names *directories)
{
    for (size_t i = 0; i < directories->count; i++) {
        char *path = ProblemText("%s/%s.json", directories->names[i], name);

        if (path != NULL && is_regular(path)) {
            return path;
        }
        free(path);
    }
    return NULL;
}

OpprofStatus ConfigFind(const char *file_or_name, char **ret_path, OpprofError **error)
{
    bool is_path = strchr(file_or_name, '/') != NULL || has_suffix(file_or_name, ".json") ||
                   is_regular(file_or_name);
    Names directories = { 0 };
    OpprofStatus status = OPPROF_OK;

    *ret_path = NULL;
    if (is_path) {
        *ret_path = strdup(file_or_name);
    } else if (list_directories(&directories)) {
        *ret_path = find_installed(file_or_name, &directories);
        if (*ret_path == NULL) {
            status = report_not_found(file_or_name, &directories, error);
        }
    }
    finish_names(&directories);
    if (*ret_path == NULL && status == OPPROF_OK) {
        return OpprofErrorSet(error, OPPROF_E_MEMORY, "Cannot find pipeline '%s': out of memory",
                              file_or_name);
    }
    return status;
}
