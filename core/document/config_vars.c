/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Variables of a pipeline document: their values, and texts that contain them. Tested by
 * tests/core/document/test_config.
 */
#include "document/config_parser.h"

#include "base/printed.h"
#include <opprof/json.h>
#include "plugin/params.h"
#include "run/nodes.h"

#include <opprof/plugin.h>
#include <opprof/text.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MAX_VARS 256
#define MAX_EXPANDED (64u << 20) /* bytes that all texts with variables in them may become */

static const char *const var_members[] = { "required", "default", "help", "choices", "list" };

/* ---- variables ---- */

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

void ConfigReportVar(ConfigParser *parser, const char *location, const char *name)
{
    size_t count;
    Problems *problems = parser->problems;
    const char **names = object_keys(parser->config->vars, &count);

    problems->no_memory |= names == NULL;
    ProblemsAddName(problems, location,
                    ProblemsText(problems, "no variable '%.*s'", CONFIG_MAX_ID, name), name,
                    &(NameList){ "Variables", names, count });
    free(names);
}

const char *ConfigSettingOf(const ConfigParser *parser, const char *name)
{
    const ConfigSetting *settings = parser->request->settings;

    for (size_t i = parser->request->setting_count; i > 0; i--) {
        if (strcmp(settings[i - 1].name, name) == 0) {
            return settings[i - 1].value;
        }
    }
    return NULL;
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

/* The default of a variable; NULL if none, or a wrong one. Borrowed. */
static json_t *default_member(ConfigParser *parser, json_t *object, const char *base)
{
    json_t *value = json_object_get(object, "default");

    if (json_is_object(value) || (json_is_array(value) && !is_text_array(value))) {
        ConfigReportType(parser, base, "default",
                         "a text, a number, true, false, null or an array of texts", value);
        return NULL;
    }
    return json_is_null(value) ? NULL : value;
}

/* The choices of a variable; NULL when there are none, or wrong ones. Borrowed. */
static json_t *choices_member(ConfigParser *parser, json_t *object, const char *base)
{
    json_t *value = json_object_get(object, "choices");

    if (value != NULL && (!is_text_array(value) || json_array_size(value) == 0)) {
        ConfigReportType(parser, base, "choices", "an array of one or more texts", value);
        return NULL;
    }
    return value;
}

/* The texts of an array, borrowed; free() the array. NULL without memory. */
static const char **array_texts(ConfigParser *parser, const json_t *array)
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

/*
 * The choice as the document spells it, a new reference; reports what is not one and returns null
 * then.
 */
static json_t *choose(ConfigParser *parser, const char *location, const json_t *choices,
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
        ProblemsAddName(parser->problems, location, "not one of the choices", word,
                        &(NameList){ "Choices", texts, json_array_size(choices) });
    }
    free(texts);
    return json_null();
}

/* Each of the words, separated by commas, as the document spells it; null if one is not a choice.
 */
static json_t *choose_each(ConfigParser *parser, const char *location, const json_t *choices,
                           const char *words)
{
    json_t *chosen = json_array();

    while (*words != '\0' && chosen != NULL) {
        const size_t length = strcspn(words, ",");
        json_t *word = json_stringn(words, length);
        json_t *choice = choose(parser, location, choices, word);

        json_decref(word);
        if (json_is_null(choice)) {
            json_decref(chosen);
            return choice;
        }
        parser->problems->no_memory |= json_array_append_new(chosen, choice) != 0;
        words += length;
        words += *words == ',';
    }
    parser->problems->no_memory |= chosen == NULL;
    return chosen;
}

/* Users of the variable do not report it again. */
static void mark_unset(ConfigParser *parser, const char *name)
{
    ConfigSet(parser, parser->unset, name, json_true());
}

static void report_missing_var(ConfigParser *parser, const char *base, const char *name,
                               const char *help)
{
    const char *open = help != NULL ? " (" : "";
    const char *close = help != NULL ? ")" : "";

    if (parser->request->has_replays) {
        /* only stages that do not run may need it; a parameter that is required says so itself */
        return;
    }
    ProblemsAdd(parser->problems, base, "required, but not given%s%s%s. Set %s=VALUE.", open,
                help != NULL ? help : "", close, name);
    mark_unset(parser, name);
}

/* The value of a variable, a new reference; null: it has none. */
static json_t *var_value(ConfigParser *parser, const char *base, const char *name, json_t *object)
{
    const char *setting = ConfigSettingOf(parser, name);
    const char *help = ConfigTextMember(parser, object, base, "help", false);
    bool required = ConfigTruthMember(parser, object, base, "required");
    json_t *otherwise = default_member(parser, object, base);
    json_t *choices = choices_member(parser, object, base);
    const bool is_list = ConfigTruthMember(parser, object, base, "list");
    const char *location = ProblemsText(parser->problems, "setting %s", name);
    json_t *value = setting != NULL
                        ? ProblemsJsonText(parser->problems, location, "the value", setting)
                        : json_incref(otherwise);

    if (setting != NULL && value == NULL) {
        mark_unset(parser, name);
    } else if (value != NULL && choices != NULL) {
        const char *at = setting != NULL ? location : base;
        json_t *choice = is_list && json_is_string(value)
                             ? choose_each(parser, at, choices, json_string_value(value))
                             : choose(parser, at, choices, value);

        json_decref(value);
        value = choice;
        if (json_is_null(value)) {
            mark_unset(parser, name);
        }
    }
    if (required && otherwise != NULL) {
        ProblemsAdd(parser->problems, base, "it is required, but has a default.");
    } else if (required && setting == NULL) {
        report_missing_var(parser, base, name, help);
    }
    return value != NULL ? value : json_null();
}

static void read_var(ConfigParser *parser, const char *name, json_t *object)
{
    const char *place = json_string_value(json_object_get(object, CONFIG_PLACE));
    const char *base = place != NULL ? place : ProblemsPointer(parser->problems, "/vars", name);
    json_t *value = NULL;

    if (!StageIdIsGood(name)) {
        ProblemsAdd(parser->problems, base,
                    "not a variable name: up to %d letters, digits, '_' and '-'.", CONFIG_MAX_ID);
    } else if (!json_is_object(object)) {
        ConfigReportType(parser, "/vars", name, "an object such as { \"default\": 20 }", object);
        mark_unset(parser, name);
        value = json_null();
    } else {
        ConfigCheckMembers(parser, object, base, var_members, OPPROF_COUNT(var_members));
        value = var_value(parser, base, name, object);
    }
    if (value != NULL) {
        ConfigSet(parser, parser->config->vars, name, value);
    }
}

void ConfigReadVars(ConfigParser *parser, json_t *root)
{
    json_t *vars = json_object_get(root, "vars");
    const char *name;
    json_t *object;

    if (vars != NULL && !json_is_object(vars)) {
        ConfigReportType(parser, "", "vars", "an object", vars);
        return;
    }
    if (json_object_size(vars) > MAX_VARS) {
        ProblemsAdd(parser->problems, "/vars", "%zu variables are too many: at most %d.",
                    json_object_size(vars), MAX_VARS);
        return;
    }
    json_object_foreach(vars, name, object)
    {
        if (!OpprofJsonIsComment(name)) {
            read_var(parser, name, object);
        }
    }
}

/* ---- substitution ---- */

/* Add a variable's value to a text; false: it has none that fits, which has been reported. */
static bool print_var(ConfigParser *parser, const char *location, const char *name,
                      const json_t *value, FILE *out)
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
        fwrite(number, 1, (size_t) (OpprofTextPutF64(number, json_real_value(value)) - number),
               out);
        return true;
    case JSON_TRUE:
    case JSON_FALSE:
        fputs(json_is_true(value) ? "true" : "false", out);
        return true;
    case JSON_NULL:
        ProblemsAdd(parser->problems, location,
                    "variable '%s' has no value, but is used inside a text. Set %s=VALUE.", name,
                    name);
        return false;
    case JSON_OBJECT:
    case JSON_ARRAY:
    default:
        ProblemsAdd(parser->problems, location,
                    "variable '%s' is a list, which can be a whole value but not part of a text.",
                    name);
        return false;
    }
}

/*
 * The value of the variable named by the text between "${" and "}"; NULL: none, which has been
 * reported. Borrowed.
 */
static json_t *find_var(ConfigParser *parser, const char *location, const char *name)
{
    json_t *value = json_object_get(parser->config->vars, name);

    parser->looked_up++;
    if (value == NULL) {
        ConfigReportVar(parser, location, name);
        return NULL;
    }
    return json_object_get(parser->unset, name) == NULL ? value : NULL;
}

/* Print the variable of "${name}" at *text, and move *text past it. False: reported. */
static bool expand_var(ConfigParser *parser, const char *location, const char **text, FILE *out)
{
    const char *start = *text + 2;
    const char *end = strchr(start, '}');
    const json_t *value;
    const char *name;

    if (end == NULL) {
        ProblemsAdd(parser->problems, location, "'${' without '}'. Write a literal '${' as '$${'.");
        *text += strlen(*text);
        return false;
    }
    *text = end + 1;
    name = ProblemsText(parser->problems, "%.*s", (int) (end - start), start);
    value = find_var(parser, location, name);
    return value != NULL && print_var(parser, location, name, value, out);
}

/* Print the text with its variables replaced. False: a mistake, which has been reported. */
static bool expand_text(ConfigParser *parser, const char *location, const char *text, FILE *out)
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

/* A text with variables in it, resolved; a new reference. NULL: a mistake,
 * which has been reported. */
static json_t *resolve_text(ConfigParser *parser, const char *location, const char *text)
{
    json_t *value = NULL;
    Printed printed;
    char *expanded;
    bool good;

    if (is_whole_var(text)) {
        return json_incref(
            find_var(parser, location,
                     ProblemsText(parser->problems, "%.*s", (int) strlen(text) - 3, text + 2)));
    }
    good = PrintedOpen(&printed) != NULL && expand_text(parser, location, text, printed.out);
    expanded = PrintedTake(&printed);
    if (expanded == NULL) {
        parser->problems->no_memory = true;
    } else if (parser->expanded > MAX_EXPANDED) {
        ProblemsAdd(parser->problems, location, "variables make the texts longer than %u MiB.",
                    MAX_EXPANDED >> 20);
    } else if (good) {
        value = json_stringn(expanded, printed.size);
        parser->problems->no_memory |= value == NULL;
    }
    free(expanded);
    return value;
}

/* Elements that cannot be resolved are left out; this has been reported. */
static json_t *resolve_array(ConfigParser *parser, const char *location, json_t *array)
{
    json_t *resolved = json_array();

    for (size_t i = 0; i < json_array_size(array); i++) {
        json_t *element = ConfigResolve(parser, location, json_array_get(array, i));

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

static json_t *resolve_object(ConfigParser *parser, const char *location, json_t *object)
{
    json_t *resolved = json_object();
    const char *key;
    json_t *member;

    json_object_foreach(object, key, member)
    {
        json_t *value = ConfigResolve(parser, location, member);

        if (value == NULL) {
            json_decref(resolved);
            return NULL;
        }
        ConfigSet(parser, resolved, key, value);
    }
    return resolved;
}

json_t *ConfigResolve(ConfigParser *parser, const char *location, json_t *value)
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
