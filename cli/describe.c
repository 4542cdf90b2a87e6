/* SPDX-License-Identifier: Apache-2.0 */
/* Plugins, pipelines and metrics as JSON, for programs. Tested by tests/e2e/inspect.sh. */
#include "describe.h"

#include "explain.h"
#include "vars.h"

#include <opprof/json.h>
#include <opprof/opprof.h>

#include <stdlib.h>
#include <string.h>

/* ---- memory ---- */

/*
 * An allocation of jansson's failed, here or in what was asked: a member may be missing. Main
 * thread only.
 */
static bool lacks_memory;

/* Where jansson took its memory before. */
static json_malloc_t take_memory;

static void *allocate(size_t size)
{
    void *memory = take_memory(size);

    lacks_memory = lacks_memory || memory == NULL;
    return memory;
}

static void watch_memory(void)
{
    json_malloc_t take;
    json_free_t give;

    json_get_alloc_funcs(&take, &give);
    if (take != allocate) {
        take_memory = take;
        json_set_alloc_funcs(allocate, give);
    }
}

/* ---- pieces ---- */

/* Takes the reference of value. */
static void put(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value != NULL ? value : json_null());
}

static void put_text(json_t *object, const char *key, const char *text)
{
    put(object, key, text != NULL ? json_string(text) : NULL);
}

static void put_flag(json_t *object, const char *key, bool is_set)
{
    put(object, key, json_boolean(is_set));
}

/* Texts up to a NULL. */
static json_t *names_of(const char *const *names)
{
    json_t *array = json_array();

    for (size_t i = 0; names != NULL && names[i] != NULL; i++) {
        json_array_append_new(array, json_string(names[i]));
    }
    return array;
}

static OpprofStatus print(json_t *root, FILE *out, OpprofError **error)
{
    char *text = OpprofJsonText(root, JSON_INDENT(2) | JSON_ENSURE_ASCII);

    json_decref(root);
    if (text == NULL || lacks_memory) {
        free(text);
        return OpprofErrorNoMemory(error, "print JSON");
    }
    fprintf(out, "%s\n", text);
    free(text);
    return OPPROF_OK;
}

/* ---- plugins ---- */

static json_t *field_of(const OpprofField *field)
{
    json_t *object = json_object();

    put_text(object, "name", field->name);
    put_text(object, "heading", OpprofFieldHeading(field));
    put_text(object, "kind", OpprofFieldKindName(field->kind));
    put_text(object, "unit", field->unit);
    put_text(object, "meaning", field->meaning);
    put_text(object, "absent", field->absent);
    put_flag(object, "key", (field->flags & OPPROF_FIELD_KEY) != 0);
    put_flag(object, "hidden", (field->flags & OPPROF_FIELD_HIDDEN) != 0);
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

    put_text(object, "name", port->name);
    put_text(object, "type", type != NULL ? type->name : port->type);
    put(object, "version", type != NULL ? json_integer(type->version) : NULL);
    put_flag(object, "table", type != NULL && (type->flags & OPPROF_RECORD_TABLE) != 0);
    put_text(object, "order", port->order < OPPROF_COUNT(orders) ? orders[port->order] : NULL);
    put_flag(object, "many", (port->flags & OPPROF_PORT_MANY) != 0);
    put_flag(object, "optional", (port->flags & OPPROF_PORT_OPTIONAL) != 0);
    put_text(object, "summary", port->summary);
    put(object, "fields", fields_of(type));
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

    put_text(object, "name", param->name);
    put_text(object, "type", OpprofParamTypeName(param->type));
    put_flag(object, "required", (param->flags & OPPROF_PARAM_REQUIRED) != 0);
    put_text(object, "default", param->default_value);
    put(object, "min", has_limits ? json_real(param->min) : NULL);
    put(object, "max", has_limits ? json_real(param->max) : NULL);
    put_text(object, "unit", param->unit);
    put(object, "choices", param->choices != NULL ? names_of(param->choices) : NULL);
    put_text(object, "summary", param->summary);
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

        put_text(object, "name", kinds->name);
        put_text(object, "summary", kinds->summary);
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

    put_text(object, "name", plugin->name);
    put_text(object, "kind", OpprofPluginKindName(plugin->kind));
    put_text(object, "version", plugin->version);
    put_text(object, "license", plugin->license);
    put_text(object, "summary", plugin->summary);
    put_text(object, "path", path);
    return object;
}

OpprofStatus DescribePlugin(OpprofPipeline *pipeline, const char *name, FILE *out,
                            OpprofError **error)
{
    const OpprofPlugin *plugin = NULL;
    const char *path = NULL;
    OpprofStatus status;
    json_t *object;

    watch_memory();
    status = OpprofPipelineFindPlugin(pipeline, name, &plugin, &path, error);
    if (status != OPPROF_OK) {
        return status;
    }
    object = plugin_head(plugin, path);
    put_text(object, "help", plugin->help);
    put_text(object, "instances", instances_of(plugin->flags));
    put(object, "chip_sections", names_of(plugin->chip_sections));
    put(object, "recognises", kinds_of(plugin->input_kinds));
    put(object, "inputs", ports_of(plugin->inputs, plugin->input_count));
    put(object, "outputs", ports_of(plugin->outputs, plugin->output_count));
    put(object, "parameters", params_of(plugin));
    return print(json_pack("{s:o}", "plugin", object), out, error);
}

/* ---- pipelines ---- */

static json_t *copy_or_empty(const json_t *array)
{
    return json_is_array(array) ? json_deep_copy(array) : json_array();
}

static void add_var(void *context, const Var *var)
{
    json_t *object = json_object();

    lacks_memory = lacks_memory || var->lacks_memory;
    put_text(object, "name", var->name);
    put_text(object, "help", var->help);
    put_flag(object, "required", var->is_required);
    put(object, "default", var->otherwise != NULL ? json_deep_copy(var->otherwise) : NULL);
    put(object, "choices",
        var->choices != NULL                                ? json_deep_copy(var->choices)
        : var->param != NULL && var->param->choices != NULL ? names_of(var->param->choices)
                                                            : NULL);
    put_text(object, "type", var->param != NULL ? OpprofParamTypeName(var->param->type) : NULL);
    json_array_append_new(context, object);
}

/* Stages and links with only these members. */
static json_t *members_of(const json_t *array, const char *const *keys)
{
    json_t *copies = json_array();

    for (size_t i = 0; i < json_array_size(array); i++) {
        json_t *object = json_object();

        for (size_t k = 0; keys[k] != NULL; k++) {
            put(object, keys[k],
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

    put_text(object, "name", document->name);
    put_text(object, "path", document->path);
    put_text(object, "error", document->error != NULL ? OpprofErrorLine(document->error) : NULL);
    put_text(object, "description",
             json_string_value(json_object_get(document->root, "description")));
    VarsVisit(pipeline, document->root, add_var, vars);
    put(object, "accepts", copy_or_empty(json_object_get(document->root, "accepts")));
    put(object, "vars", vars);
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

    put(object, "stages", members_of(json_object_get(document->root, "stages"), stage_keys));
    put(object, "links", members_of(json_object_get(document->root, "links"), link_keys));
    json_array_append_new(collection->array, object);
}

OpprofStatus DescribePipeline(OpprofPipeline *pipeline, const char *name, FILE *out,
                              OpprofError **error)
{
    Collection collection = { .pipeline = pipeline };
    OpprofStatus status;

    watch_memory();
    collection.array = json_array();
    status = OpprofPipelineFindDocument(name, add_whole_pipeline, &collection, error);
    if (status == OPPROF_OK) {
        status =
            print(json_pack("{s:O}", "pipeline", json_array_get(collection.array, 0)), out, error);
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
    put_text(object, "path", file->path);
    if (file->shadowed_by != NULL) {
        put_text(object, "used", file->shadowed_by);
        json_array_append_new(collection->shadowed, object);
    } else {
        char *text = OpprofErrorText(file->error, false);

        lacks_memory = lacks_memory || text == NULL;
        put_text(object, "error", text);
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

    watch_memory();
    pipelines.array = json_array();
    plugins.array = json_array();
    plugins.unusable = json_array();
    plugins.shadowed = json_array();
    root = json_object();
    status = OpprofPipelineVisitPlugins(pipeline, add_plugin, &plugins, error);
    if (status == OPPROF_OK) {
        status = OpprofPipelineVisitDocuments(add_pipeline, &pipelines, error);
    }
    put_text(root, "version", OpprofVersion());
    put(root, "pipelines", pipelines.array);
    put(root, "plugins", plugins.array);
    put(root, "unusable", plugins.unusable);
    put(root, "shadowed", plugins.shadowed);
    if (status == OPPROF_OK) {
        return print(root, out, error);
    }
    /* what could not be looked at does not hide the others */
    print(root, out, NULL);
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
        put(line, "text", json_stringn(*text + blanks, length >= blanks ? length - blanks : 0));
        *text += length + ((*text)[length] == '\n' ? 1 : 0);
        put(line, "lines", take_lines(text, blanks + 1));
        json_array_append_new(array, line);
    }
    return array;
}

OpprofStatus DescribeMetric(OpprofPipeline *pipeline, const char *chip, const char *name, FILE *out,
                            OpprofError **error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *lines = open_memstream(&text, &size);
    OpprofStatus status;

    watch_memory();
    if (lines == NULL) {
        return OpprofErrorNoMemory(error, "explain '%s'", name);
    }
    status = Explain(pipeline, chip, name, lines, error);
    if (fclose(lines) != 0) {
        status = OpprofErrorNoMemory(error, "explain '%s'", name);
    }
    if (status == OPPROF_OK) {
        const char *at = text;

        status = print(json_pack("{s:s, s:s, s:o}", "chip", chip, "metric", name, "explanation",
                                 take_lines(&at, 0)),
                       out, error);
    }
    free(text);
    return status;
}
