/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stages that a run leaves out: their member "when" says so, or the caller. Tested by
 * tests/core/document/test_when.
 */
#include "document/config_parser.h"

#include <opprof/json.h>
#include <opprof/plugin.h>

#include <string.h>

#define EVERY_WORD "all" /* in the value of a variable: each stage that asks for one of its words */

/* Whether the text, words separated by commas, has the word. */
static bool has_word(const char *text, const char *word)
{
    const size_t length = strlen(word);

    while (text != NULL && *text != '\0') {
        const char *end;

        text += strspn(text, ", ");
        end = text + strcspn(text, ", ");
        if ((size_t) (end - text) == length && memcmp(text, word, length) == 0) {
            return true;
        }
        text = end;
    }
    return false;
}

/* Whether the value of a variable, a text or an array of texts, has the word. */
static bool value_has(const json_t *value, const char *word)
{
    for (size_t i = 0; i < json_array_size(value); i++) {
        if (has_word(json_string_value(json_array_get(value, i)), word)) {
            return true;
        }
    }
    return has_word(json_string_value(value), word);
}

/* One member of "when": a variable, and the word that its value must have. */
typedef struct Condition {
    const char *location;
    const char *var;
    const char *word;
} Condition;

/* Whether the variable has the word. A mistake is reported, and leaves no stage out. */
static bool is_met(ConfigParser *parser, const Condition *condition)
{
    const json_t *value = json_object_get(parser->config->vars, condition->var);

    if (value == NULL) {
        ConfigReportVar(parser, condition->location, condition->var);
    } else if (condition->word == NULL || *condition->word == '\0') {
        ProblemsAdd(parser->problems, condition->location,
                    "expected a word that the value of '%s' may have.", condition->var);
    } else {
        return value_has(value, condition->word) || value_has(value, EVERY_WORD);
    }
    return true;
}

/* Note a stage that is left out; `addition` adds it, NULL: nothing does. */
static void note(ConfigParser *parser, const char *id, const char *addition)
{
    json_t *stage = json_pack("{s:s, s:s?}", "stage", id, "set", addition);

    parser->problems->no_memory |=
        stage == NULL || json_array_append_new(parser->config->left_out, stage) != 0;
}

bool ConfigLeaveOut(ConfigParser *parser, const ConfigStage *stage, json_t *object)
{
    json_t *when = json_object_get(object, "when");
    const char *base = ProblemsPointer(parser->problems, stage->pointer, "when");
    const char *var;
    json_t *word;

    if (NamesHave(&parser->request->without, stage->id)) {
        note(parser, stage->id, NULL);
        return true;
    }
    if (when != NULL && !json_is_object(when)) {
        ConfigReportType(parser, stage->pointer, "when",
                         "an object such as { \"formats\": \"spans\" }", when);
    }
    json_object_foreach(when, var, word)
    {
        const Condition condition = { .location = ProblemsPointer(parser->problems, base, var),
                                      .var = var,
                                      .word = json_string_value(word) };

        if (!OpprofJsonIsComment(var) && !is_met(parser, &condition)) {
            note(parser, stage->id, ProblemsText(parser->problems, "%s=%s", var, condition.word));
            return true;
        }
    }
    return false;
}

json_t *ConfigFindLeftOut(const PipelineConfig *config, const char *end)
{
    const size_t length = strcspn(end, ".");

    for (size_t i = 0; i < json_array_size(config->left_out); i++) {
        json_t *stage = json_array_get(config->left_out, i);
        const json_t *id = json_object_get(stage, "stage");

        if (json_string_length(id) == length && memcmp(json_string_value(id), end, length) == 0) {
            return stage;
        }
    }
    return NULL;
}
