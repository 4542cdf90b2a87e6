/* SPDX-License-Identifier: Apache-2.0 */
/* Members of a pipeline document's objects, and its format. Tested by
 * tests/core/document/test_config. */
#include "document/config_parser.h"

#include <ctype.h>
#include <opprof/json.h>
#include <opprof/log.h>
#include <opprof/plugin.h>
#include <stdlib.h>
#include <string.h>

#define TAG "core/config"
#define FORMAT_MAJOR 1
#define FORMAT_MINOR 0

static const char *const top_members[] = { "opprof_pipeline", "description", "title",
                                           "extends",         "accepts",     "vars",
                                           "programs",        "plugin_path", "queue",
                                           "stages",          "links" };

void ConfigReportType(ConfigParser *parser, const char *base, const char *key, const char *wanted,
                      const json_t *value)
{
    const char *location = ProblemsPointer(parser->problems, base, key);

    if (value == NULL) {
        ProblemsAdd(parser->problems, location, "required, but not given: expected %s.", wanted);
    } else {
        ProblemsAdd(parser->problems, location, "wrong type: expected %s, got %s.", wanted,
                    ProblemJsonKind(value));
    }
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

void ConfigCheckMembers(ConfigParser *parser, json_t *object, const char *base,
                        const char *const *members, size_t count)
{
    const char *key;
    json_t *value;

    json_object_foreach(object, key, value)
    {
        const char *location;

        if (OpprofJsonIsComment(key) || is_known(key, members, count)) {
            continue;
        }
        location = ProblemsPointer(parser->problems, base, key);
        if (parser->newer_minor) {
            OpprofLog(OPPROF_LOG_WARNING, TAG, "%s: unknown member, ignoring", location);
        } else {
            ProblemsAddName(parser->problems, location, "unknown member", key,
                            &(NameList){ "Known", members, count });
        }
    }
}

/* The text member `key`; NULL when it is wrong, or absent and not required. Borrowed. */
const char *ConfigTextMember(ConfigParser *parser, json_t *object, const char *base,
                             const char *key, bool required)
{
    json_t *value = json_object_get(object, key);

    if (value == NULL && !required) {
        return NULL;
    }
    if (!json_is_string(value) || (required && json_string_length(value) == 0)) {
        ConfigReportType(parser, base, key, required ? "a text that is not empty" : "a text",
                         value);
        return NULL;
    }
    return json_string_value(value);
}

bool ConfigTruthMember(ConfigParser *parser, json_t *object, const char *base, const char *key)
{
    json_t *value = json_object_get(object, key);

    if (value != NULL && !json_is_boolean(value)) {
        ConfigReportType(parser, base, key, "true or false", value);
    }
    return json_is_true(value);
}

void ConfigSet(ConfigParser *parser, json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) != 0) {
        parser->problems->no_memory = true;
    }
}

/* ---- format number ---- */

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

/* False: a format that stops the reading. */
static bool read_format(ConfigParser *parser, json_t *root, const char *location)
{
    const json_t *value = json_object_get(root, "opprof_pipeline");
    unsigned major;
    unsigned minor;

    if (value == NULL) {
        ProblemsAdd(parser->problems, location,
                    "required, but not given: this opprof reads \"%d.%d\".", FORMAT_MAJOR,
                    FORMAT_MINOR);
        return true;
    }
    if (!json_is_string(value) || !parse_version(json_string_value(value), &major, &minor)) {
        ProblemsAdd(parser->problems, location,
                    "not a format number: expected a text such as \"%d.%d\".", FORMAT_MAJOR,
                    FORMAT_MINOR);
        return true;
    }
    if (major != FORMAT_MAJOR) {
        ProblemsAdd(parser->problems, location, "unknown format %u.%u: this opprof reads %d.%d.",
                    major, minor, FORMAT_MAJOR, FORMAT_MINOR);
        return false;
    }
    parser->newer_minor = minor > FORMAT_MINOR;
    if (parser->newer_minor) {
        OpprofLog(OPPROF_LOG_WARNING, TAG,
                  "Pipeline '%s' has format %u.%u, newer than %d.%d: unknown members are ignored",
                  parser->config->name, major, minor, FORMAT_MAJOR, FORMAT_MINOR);
    }
    return true;
}

bool ConfigCheckDocument(ConfigParser *parser, json_t *root, const char *label)
{
    if (!read_format(parser, root, ProblemsText(parser->problems, "%s/opprof_pipeline", label))) {
        return false;
    }
    ConfigCheckMembers(parser, root, label, top_members, OPPROF_COUNT(top_members));
    return true;
}
