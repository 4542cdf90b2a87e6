/* SPDX-License-Identifier: Apache-2.0 */
/* Words for the completion of shells. Tested by tests/e2e/completion.sh. */
#include "complete.h"

#include "vars.h"

#include <opprof/json.h>
#include <opprof/opprof.h>
#include <opprof/questions.h>

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

/* Output of a completion, and its subject. */
typedef struct Completion {
    OpprofPipeline *pipeline;
    FILE *out;
    const char *setting; /* whose values are wanted */
} Completion;

static void put_word(const Completion *completion, const char *word, const char *what)
{
    const size_t length = what != NULL ? strcspn(what, "\n") : 0;

    fprintf(completion->out, "%s%s%.*s\n", word, length > 0 ? "\t" : "", (int) length,
            what != NULL ? what : "");
}

/* ---- chips ---- */

/* A chip file names its series and its SoCs; nothing else of it matters here. */
static void put_chip_file(const Completion *completion, const char *path)
{
    json_t *root = NULL;
    const char *series;
    const char *name;
    json_t *soc;

    if (OpprofJsonLoad(path, &root, NULL) == OPPROF_OK) {
        series = json_string_value(json_object_get(root, "series"));
        json_object_foreach(json_object_get(root, "socs"), name, soc)
        {
            put_word(completion, name, series);
        }
    }
    json_decref(root);
}

static void put_chip_directory(const Completion *completion, const char *directory)
{
    struct dirent **entries = NULL;
    const int count = scandir(directory, &entries, NULL, alphasort);

    for (int i = 0; i < count; i++) {
        const char *dot = strrchr(entries[i]->d_name, '.');
        char *path = NULL;

        if (dot != NULL && strcmp(dot, ".json") == 0 &&
            asprintf(&path, "%s/%s", directory, entries[i]->d_name) >= 0) {
            put_chip_file(completion, path);
            free(path);
        }
        free(entries[i]);
    }
    free(entries);
}

static void put_chip_path(const Completion *completion, const char *path)
{
    while (path != NULL && *path != '\0') {
        const size_t length = strcspn(path, ":");
        char *directory = strndup(path, length);

        if (directory != NULL && length > 0) {
            put_chip_directory(completion, directory);
        }
        free(directory);
        path += length + (path[length] == ':' ? 1 : 0);
    }
}

static void put_chips(const Completion *completion)
{
    const char *installed = getenv("OPPROF_SYSTEM_CHIP_PATH");

    put_chip_path(completion, getenv("OPPROF_CHIP_PATH"));
    put_chip_path(completion, installed != NULL ? installed : OPPROF_CHIP_DIR);
}

/* ---- pipelines and plugins ---- */

static void put_pipeline(void *context, const OpprofPipelineDocument *document)
{
    const char *description = json_string_value(json_object_get(document->root, "description"));

    put_word(context, document->name, description);
}

static void put_plugin(void *context, const OpprofPluginFile *file)
{
    if (file->plugin != NULL) {
        put_word(context, file->plugin->name, file->plugin->summary);
    }
}

/* ---- queries ---- */

static OpprofStatus put_queries(const Completion *completion, OpprofError **error)
{
    OpprofQuestions queries = { .count = 0 };
    const OpprofStatus status = OpprofQuestionsLoad(&opprof_queries, &queries, error);

    for (size_t i = 0; status == OPPROF_OK && i < queries.count; i++) {
        put_word(completion, queries.list[i].name, OpprofQuestionHead(&queries.list[i], "title"));
    }
    OpprofQuestionsFree(&queries);
    return status;
}

/* ---- settings ---- */

static void put_var(void *context, const Var *var)
{
    put_word(context, var->name, var->help);
}

/* Called with the plugin of each stage that is usable. */
typedef void StageVisit(const Completion *completion, const char *id, const OpprofPlugin *plugin);

static void visit_stages(const Completion *completion, const json_t *root, StageVisit *visit)
{
    const json_t *stages = json_object_get(root, "stages");

    for (size_t i = 0; i < json_array_size(stages); i++) {
        const json_t *stage = json_array_get(stages, i);
        const char *id = json_string_value(json_object_get(stage, "id"));
        const char *use = json_string_value(json_object_get(stage, "use"));
        const OpprofPlugin *plugin = NULL;

        if (id != NULL && use != NULL &&
            OpprofPipelineFindPlugin(completion->pipeline, use, &plugin, NULL, NULL) == OPPROF_OK) {
            visit(completion, id, plugin);
        }
    }
}

static void put_params(const Completion *completion, const char *id, const OpprofPlugin *plugin)
{
    for (uint32_t i = 0; i < plugin->param_count; i++) {
        char *name = NULL;

        if (asprintf(&name, "%s.%s", id, plugin->params[i].name) >= 0) {
            put_word(completion, name, plugin->params[i].summary);
            free(name);
        }
    }
}

static void put_settings(void *context, const OpprofPipelineDocument *document)
{
    const Completion *completion = context;

    VarsVisit(completion->pipeline, document->root, put_var, context);
    visit_stages(completion, document->root, put_params);
}

/* ---- values ---- */

static void put_param_values(const Completion *completion, const OpprofParam *param)
{
    for (size_t i = 0; param->choices != NULL && param->choices[i] != NULL; i++) {
        put_word(completion, param->choices[i], NULL);
    }
    if (param->type == OPPROF_PARAM_BOOL) {
        put_word(completion, "true", NULL);
        put_word(completion, "false", NULL);
    }
}

static void put_var_values(void *context, const Var *var)
{
    const Completion *completion = context;

    if (strcmp(var->name, completion->setting) != 0) {
        return;
    }
    for (size_t i = 0; i < json_array_size(var->choices); i++) {
        put_word(completion, json_string_value(json_array_get(var->choices, i)), NULL);
    }
    if (json_array_size(var->choices) == 0 && var->param != NULL) {
        put_param_values(completion, var->param);
    }
}

static void put_stage_values(const Completion *completion, const char *id,
                             const OpprofPlugin *plugin)
{
    const size_t length = strlen(id);

    for (uint32_t i = 0; i < plugin->param_count; i++) {
        if (strncmp(completion->setting, id, length) == 0 && completion->setting[length] == '.' &&
            strcmp(completion->setting + length + 1, plugin->params[i].name) == 0) {
            put_param_values(completion, &plugin->params[i]);
        }
    }
}

static void put_values(void *context, const OpprofPipelineDocument *document)
{
    const Completion *completion = context;

    VarsVisit(completion->pipeline, document->root, put_var_values, context);
    visit_stages(completion, document->root, put_stage_values);
}

static bool is_chip(const char *setting)
{
    const char *dot = strrchr(setting, '.');

    return strcmp(dot != NULL ? dot + 1 : setting, "chip") == 0;
}

/* ---- entry ---- */

OpprofStatus CompletePrint(OpprofPipeline *pipeline, const char *list, const char *name, FILE *out,
                           OpprofError **error)
{
    static const char values[] = "values=";
    Completion completion = { .pipeline = pipeline, .out = out };

    if (strcmp(list, "pipelines") == 0) {
        return OpprofPipelineVisitDocuments(put_pipeline, &completion, error);
    }
    if (strcmp(list, "plugins") == 0) {
        return OpprofPipelineVisitPlugins(pipeline, put_plugin, &completion, error);
    }
    if (strcmp(list, "chips") == 0) {
        put_chips(&completion);
        return OPPROF_OK;
    }
    if (strcmp(list, "queries") == 0) {
        return put_queries(&completion, error);
    }
    if (strcmp(list, "settings") == 0) {
        return name != NULL ? OpprofPipelineFindDocument(name, put_settings, &completion, error)
                            : OPPROF_OK;
    }
    if (strncmp(list, values, sizeof values - 1) == 0) {
        completion.setting = list + sizeof values - 1;
        if (is_chip(completion.setting)) {
            put_chips(&completion);
            return OPPROF_OK;
        }
        return name != NULL ? OpprofPipelineFindDocument(name, put_values, &completion, error)
                            : OPPROF_OK;
    }
    return OpprofErrorSet(error, OPPROF_E_ARGUMENT,
                          "--complete has no list '%s'; its lists are pipelines, plugins, chips, "
                          "queries, settings and values=NAME",
                          list);
}
