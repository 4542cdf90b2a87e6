/* SPDX-License-Identifier: Apache-2.0 */
/* Plugins, pipelines and metrics as JSON, for programs. Tested by tests/e2e/inspect.sh. */
#include "describe.h"
#include "describe_json.h"
#include "describe_questions.h"

#include "explain.h"
#include "vars.h"

#include <opprof/json.h>
#include <opprof/opprof.h>
#include <opprof/text.h>

#include <stdlib.h>
#include <string.h>

/* ---- pieces ---- */

/* Texts up to a NULL. */
static json_t *names_of(const char *const *names)
{
    json_t *array = json_array();

    for (size_t i = 0; names != NULL && names[i] != NULL; i++) {
        json_array_append_new(array, json_string(names[i]));
    }
    return array;
}

/* ---- plugins ---- */

static json_t *field_of(const OpprofField *field)
{
    json_t *object = json_object();

    DescribePutText(object, "name", field->name);
    DescribePutText(object, "heading", OpprofFieldHeading(field));
    DescribePutText(object, "kind", OpprofFieldKindName(field->kind));
    DescribePutText(object, "unit", field->unit);
    DescribePutText(object, "meaning", field->meaning);
    DescribePutText(object, "absent", field->absent);
    DescribePutFlag(object, "key", (field->flags & OPPROF_FIELD_KEY) != 0);
    DescribePutFlag(object, "hidden", (field->flags & OPPROF_FIELD_HIDDEN) != 0);
    return object;
}

static json_t *fields_of(const OpprofRecordType *type)
{
    json_t *array = json_array();

    for (uint32_t i = 0; type != NULL && i < type->field_count; i++) {
        json_array_append_new(array, field_of(&type->fields[i]));
    }
    return array;
}

static json_t *port_of(const OpprofPort *port)
{
    static const char *const orders[] = { "none", "start", "end" };
    const OpprofRecordType *type = port->record_type;
    json_t *object = json_object();

    DescribePutText(object, "name", port->name);
    DescribePutText(object, "type", type != NULL ? type->name : port->type);
    DescribePut(object, "version", type != NULL ? json_integer(type->version) : NULL);
    DescribePutFlag(object, "table", type != NULL && (type->flags & OPPROF_RECORD_TABLE) != 0);
    DescribePutText(object, "order",
                    port->order < OPPROF_COUNT(orders) ? orders[port->order] : NULL);
    DescribePutFlag(object, "many", (port->flags & OPPROF_PORT_MANY) != 0);
    DescribePutFlag(object, "optional", (port->flags & OPPROF_PORT_OPTIONAL) != 0);
    DescribePutFlag(object, "partial", (port->flags & OPPROF_PORT_PARTIAL) != 0);
    DescribePutText(object, "summary", port->summary);
    DescribePut(object, "fields", fields_of(type));
    return object;
}

static json_t *ports_of(const OpprofPort *ports, uint32_t count)
{
    json_t *array = json_array();

    for (uint32_t i = 0; i < count; i++) {
        json_array_append_new(array, port_of(&ports[i]));
    }
    return array;
}

static json_t *param_of(const OpprofParam *param)
{
    const bool has_limits = param->min != param->max;
    json_t *object = json_object();

    DescribePutText(object, "name", param->name);
    DescribePutText(object, "type", OpprofParamTypeName(param->type));
    DescribePutFlag(object, "required", (param->flags & OPPROF_PARAM_REQUIRED) != 0);
    DescribePutText(object, "default", param->default_value);
    DescribePut(object, "min", has_limits ? json_real(param->min) : NULL);
    DescribePut(object, "max", has_limits ? json_real(param->max) : NULL);
    DescribePutText(object, "unit", param->unit);
    DescribePut(object, "choices", param->choices != NULL ? names_of(param->choices) : NULL);
    DescribePutText(object, "summary", param->summary);
    return object;
}

static json_t *params_of(const OpprofPlugin *plugin)
{
    json_t *array = json_array();

    for (uint32_t i = 0; i < plugin->param_count; i++) {
        json_array_append_new(array, param_of(&plugin->params[i]));
    }
    return array;
}

static json_t *kinds_of(const OpprofInputKind *kinds)
{
    json_t *array = json_array();

    for (; kinds != NULL && kinds->name != NULL; kinds++) {
        json_t *object = json_object();

        DescribePutText(object, "name", kinds->name);
        DescribePutText(object, "summary", kinds->summary);
        json_array_append_new(array, object);
    }
    return array;
}

static const char *instances_of(uint32_t flags)
{
    if ((flags & OPPROF_PLUGIN_PARTITIONED) != 0) {
        return "partitions";
    }
    return (flags & OPPROF_PLUGIN_PARALLEL) != 0 ? "cores" : "one";
}

/* A plugin's line in lists. */
static json_t *plugin_head(const OpprofPlugin *plugin, const char *path)
{
    json_t *object = json_object();

    DescribePutText(object, "name", plugin->name);
    DescribePutText(object, "kind", OpprofPluginKindName(plugin->kind));
    DescribePutText(object, "version", plugin->version);
    DescribePutText(object, "license", plugin->license);
    DescribePutText(object, "summary", plugin->summary);
    DescribePutText(object, "path", path);
    return object;
}

OpprofStatus DescribePlugin(OpprofPipeline *pipeline, const char *name, FILE *out,
                            OpprofError **error)
{
    const OpprofPlugin *plugin = NULL;
    const char *path = NULL;
    OpprofStatus status;
    json_t *object;

    DescribeWatchMemory();
    status = OpprofPipelineFindPlugin(pipeline, name, &plugin, &path, error);
    if (status != OPPROF_OK) {
        return status;
    }
    object = plugin_head(plugin, path);
    DescribePutText(object, "help", plugin->help);
    DescribePutText(object, "instances", instances_of(plugin->flags));
    DescribePut(object, "chip_sections", names_of(plugin->chip_sections));
    DescribePut(object, "recognises", kinds_of(plugin->input_kinds));
    DescribePut(object, "inputs", ports_of(plugin->inputs, plugin->input_count));
    DescribePut(object, "outputs", ports_of(plugin->outputs, plugin->output_count));
    DescribePut(object, "parameters", params_of(plugin));
    return DescribePrint(json_pack("{s:o}", "plugin", object), out, error);
}

/* ---- pipelines ---- */

static json_t *copy_or_empty(const json_t *array)
{
    return json_is_array(array) ? json_deep_copy(array) : json_array();
}

static void add_var(void *context, const Var *var)
{
    json_t *object = json_object();

    if (var->lacks_memory) {
        DescribeLackMemory();
    }
    DescribePutText(object, "name", var->name);
    DescribePutText(object, "help", var->help);
    DescribePutFlag(object, "required", var->is_required);
    DescribePut(object, "default", var->otherwise != NULL ? json_deep_copy(var->otherwise) : NULL);
    DescribePut(object, "choices",
                var->choices != NULL                                ? json_deep_copy(var->choices)
                : var->param != NULL && var->param->choices != NULL ? names_of(var->param->choices)
                                                                    : NULL);
    DescribePutText(object, "type",
                    var->param != NULL ? OpprofParamTypeName(var->param->type) : NULL);
    json_array_append_new(context, object);
}

/* Stages and links with only these members. */
static json_t *members_of(const json_t *array, const char *const *keys)
{
    json_t *copies = json_array();

    for (size_t i = 0; i < json_array_size(array); i++) {
        json_t *object = json_object();

        for (size_t k = 0; keys[k] != NULL; k++) {
            DescribePut(object, keys[k],
                        json_deep_copy(json_object_get(json_array_get(array, i), keys[k])));
        }
        json_array_append_new(copies, object);
    }
    return copies;
}

/* Where the JSON that visits collect goes. */
typedef struct Collection {
    OpprofPipeline *pipeline;
    json_t *array;
    json_t *unusable;
    json_t *shadowed;
} Collection;

static json_t *pipeline_head(OpprofPipeline *pipeline, const OpprofPipelineDocument *document)
{
    json_t *object = json_object();
    json_t *vars = json_array();

    DescribePutText(object, "name", document->name);
    DescribePutText(object, "path", document->path);
    DescribePutText(object, "error",
                    document->error != NULL ? OpprofErrorLine(document->error) : NULL);
    DescribePutText(object, "description",
                    json_string_value(json_object_get(document->root, "description")));
    VarsVisit(pipeline, document->root, add_var, vars);
    DescribePut(object, "accepts", copy_or_empty(json_object_get(document->root, "accepts")));
    DescribePut(object, "vars", vars);
    return object;
}

static void add_pipeline(void *context, const OpprofPipelineDocument *document)
{
    const Collection *collection = context;

    json_array_append_new(collection->array, pipeline_head(collection->pipeline, document));
}

static void add_whole_pipeline(void *context, const OpprofPipelineDocument *document)
{
    static const char *const stage_keys[] = { "id", "use", "params", "critical", NULL };
    static const char *const link_keys[] = { "from", "to", NULL };
    const Collection *collection = context;
    json_t *object = pipeline_head(collection->pipeline, document);

    DescribePut(object, "stages",
                members_of(json_object_get(document->root, "stages"), stage_keys));
    DescribePut(object, "links", members_of(json_object_get(document->root, "links"), link_keys));
    json_array_append_new(collection->array, object);
}

OpprofStatus DescribePipeline(OpprofPipeline *pipeline, const char *name, FILE *out,
                              OpprofError **error)
{
    Collection collection = { .pipeline = pipeline };
    OpprofStatus status;

    DescribeWatchMemory();
    collection.array = json_array();
    status = OpprofPipelineFindDocument(name, add_whole_pipeline, &collection, error);
    if (status == OPPROF_OK) {
        status = DescribePrint(json_pack("{s:O}", "pipeline", json_array_get(collection.array, 0)),
                               out, error);
    }
    json_decref(collection.array);
    return status;
}

/* ---- lists ---- */

static void add_plugin(void *context, const OpprofPluginFile *file)
{
    const Collection *collection = context;
    json_t *object;

    if (file->plugin != NULL) {
        json_array_append_new(collection->array, plugin_head(file->plugin, file->path));
        return;
    }
    object = json_object();
    DescribePutText(object, "path", file->path);
    if (file->shadowed_by != NULL) {
        DescribePutText(object, "used", file->shadowed_by);
        json_array_append_new(collection->shadowed, object);
    } else {
        char *text = OpprofErrorText(file->error, false);

        if (text == NULL) {
            DescribeLackMemory();
        }
        DescribePutText(object, "error", text);
        json_array_append_new(collection->unusable, object);
        free(text);
    }
}

OpprofStatus DescribeAll(OpprofPipeline *pipeline, FILE *out, OpprofError **error)
{
    Collection pipelines = { .pipeline = pipeline };
    Collection plugins = { .array = NULL };
    OpprofStatus status;
    json_t *root;

    DescribeWatchMemory();
    pipelines.array = json_array();
    plugins.array = json_array();
    plugins.unusable = json_array();
    plugins.shadowed = json_array();
    root = json_object();
    status = OpprofPipelineVisitPlugins(pipeline, add_plugin, &plugins, error);
    if (status == OPPROF_OK) {
        status = OpprofPipelineVisitDocuments(add_pipeline, &pipelines, error);
    }
    DescribePutText(root, "version", OpprofVersion());
    DescribePut(root, "pipelines", pipelines.array);
    DescribePut(root, "plugins", plugins.array);
    if (status == OPPROF_OK) {
        status = DescribeQuestions(&opprof_rules, root, "rules", error);
    }
    if (status == OPPROF_OK) {
        status = DescribeQuestions(&opprof_queries, root, "queries", error);
    }
    DescribePut(root, "unusable", plugins.unusable);
    DescribePut(root, "shadowed", plugins.shadowed);
    if (status == OPPROF_OK) {
        return DescribePrint(root, out, error);
    }
    /* what could not be looked at does not hide the others */
    DescribePrint(root, out, NULL);
    return status;
}

/* ---- metrics ---- */

/* A line and those below it, which are indented more. Moves *text past them. */
static json_t *take_lines(const char **text, size_t indent)
{
    json_t *array = json_array();

    while (**text != '\0') {
        const size_t blanks = strspn(*text, " ");
        const size_t length = strcspn(*text, "\n");
        json_t *line;

        if (blanks < indent) {
            break;
        }
        line = json_object();
        DescribePut(line, "text",
                    json_stringn(*text + blanks, length >= blanks ? length - blanks : 0));
        *text += length + ((*text)[length] == '\n' ? 1 : 0);
        DescribePut(line, "lines", take_lines(text, blanks + 1));
        json_array_append_new(array, line);
    }
    return array;
}

OpprofStatus DescribeWord(OpprofPipeline *pipeline, const char *chip, const char *name, FILE *out,
                          OpprofError **error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *lines = OpprofTextOpen(&text, &size);
    OpprofStatus status;

    DescribeWatchMemory();
    if (lines == NULL) {
        return OpprofErrorNoMemory(error, "explain '%s'", name);
    }
    status = Explain(pipeline, chip, name, lines, error);
    if (fclose(lines) != 0) {
        status = OpprofErrorNoMemory(error, "explain '%s'", name);
    }
    if (status == OPPROF_OK) {
        const char *at = text;

        status = DescribePrint(json_pack("{s:s?, s:s, s:o}", "chip", chip, "metric", name,
                                         "explanation", take_lines(&at, 0)),
                               out, error);
    }
    free(text);
    return status;
}
