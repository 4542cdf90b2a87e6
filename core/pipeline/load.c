/* SPDX-License-Identifier: Apache-2.0 */
/* From a document to stages and their links. Tested by tests/core/run/test_runner and
 * tests/core/document/test_config. */
#include "base/names.h"
#include "document/config.h"
#include "recording/replay.h"
#include "run/nodes.h"

#include <stdlib.h>
#include <string.h>

/* Not of the document: of the machine, or of a plugin that hangs or breaks its contract. */
static bool is_fault(OpprofStatus status)
{
    return status == OPPROF_E_MEMORY || status == OPPROF_E_CRASH || status == OPPROF_E_CONTRACT;
}

/* A message that came as an error becomes one line of the list. The location names the stage, so
 * what a plugin refused comes first. */
static void add_error(Problems *problems, const char *location, OpprofError *error)
{
    const bool is_of_stage = strncmp(OpprofErrorMessage(error), "Stage '", strlen("Stage '")) == 0;
    const OpprofError *cause = is_of_stage ? OpprofErrorCause(error) : NULL;

    if (is_fault(OpprofErrorStatus(error))) {
        ProblemsFault(problems, OpprofErrorStatus(error), location, OpprofErrorLine(error));
    } else {
        char *text = OpprofErrorText(cause != NULL ? cause : error, false);

        ProblemsAdd(problems, location, "%s", text != NULL ? text : OpprofErrorMessage(error));
        free(text);
    }
    OpprofErrorDestroy(error);
}

/* Loads and configures one stage of a document. Returns the status of a module that could not be
 * loaded. */
static OpprofStatus load_stage(OpprofPipeline *pipeline, const ConfigStage *stage,
                               Problems *problems)
{
    const OpprofPlugin *plugin = NULL;
    const char *path = NULL;
    OpprofError *error = NULL;
    char *at = ProblemText("%s (stage '%s')", stage->pointer, stage->id);
    OpprofStatus found = RegistryFind(pipeline->registry, stage->use, &plugin, &path, &error);
    const uint32_t before = pipeline->node_count;
    StageNode *node = NULL;

    if (at == NULL) {
        problems->no_memory = true;
    } else if (found == OPPROF_OK && stage->is_idle) {
        StageNode *idle = NodesAppend(pipeline, stage->id, plugin, &error);

        if (idle != NULL) {
            idle->is_idle = true;
        }
    } else if (found == OPPROF_OK) {
        const ParamInput input = { .given = stage->params,
                                   .origins = stage->origins,
                                   .pointer = ProblemsPointer(problems, stage->pointer, "params"),
                                   .stage = stage->id };
        NodesAdd(pipeline, stage->id, plugin, &input, problems, &error);
    } else {
        NodesAppend(pipeline, stage->id, NULL, NULL);
    }
    if (pipeline->node_count > before) {
        node = pipeline->nodes[before]; /* not by id, which may be there twice */
        node->plugin_path = path;
        node->location = at;
        at = NULL;
        if (stage->critical != CONFIG_CRITICAL_DEFAULT) {
            node->critical = stage->critical == CONFIG_CRITICAL_YES;
        }
    }
    if (error != NULL) {
        add_error(problems, node != NULL ? node->location : stage->pointer, error);
    }
    free(at);
    return found;
}

/* A stage that was not configured has not set the types of all its ports. */
static void add_idle_types(const OpprofPipeline *pipeline, const StageNode *node,
                           const OpprofRecordType **types)
{
    static const OpprofRecordType unknown = { .struct_size = sizeof unknown,
                                              .name = "(unknown)",
                                              .size = 8 };

    for (uint32_t port = 0; port < node->plugin->output_count; port++) {
        if (types[port] == NULL) {
            types[port] = ReplayType(pipeline, node->id, node->plugin->outputs[port].name);
        }
        if (types[port] == NULL) {
            types[port] = &unknown;
        }
    }
}

/* The stages as the graph sees them, in one block of memory to be freed; NULL without memory. */
static GraphStage *graph_stages(const OpprofPipeline *pipeline)
{
    const size_t count = pipeline->node_count;
    GraphStage *stages =
        calloc(count + 1, sizeof *stages + STAGE_MAX_PORTS * sizeof(OpprofRecordType *));
    const OpprofRecordType **types;

    if (stages == NULL) {
        return NULL;
    }
    types = (const OpprofRecordType **) (stages + count);
    for (size_t i = 0; i < count; i++, types += STAGE_MAX_PORTS) {
        const StageNode *node = pipeline->nodes[i];
        bool usable = node->plugin != NULL && (node->instance_count > 0 || node->is_idle);

        stages[i] = (GraphStage){ .id = node->id,
                                  .plugin = usable ? node->plugin : NULL,
                                  .output_types = types,
                                  .location = node->location,
                                  .is_idle = node->is_idle };
        for (uint32_t port = 0; port < STAGE_MAX_PORTS; port++) {
            types[port] = node->outputs[port].type;
        }
        if (usable && node->is_idle) {
            add_idle_types(pipeline, node, types);
        }
    }
    return stages;
}

/* The links asked for: the document's, then those added by hand. */
static GraphRequest *graph_requests(const OpprofPipeline *pipeline)
{
    const size_t own = pipeline->config->link_count;
    GraphRequest *requests = calloc(own + pipeline->link_count + 1, sizeof *requests);

    for (size_t i = 0; requests != NULL && i < own; i++) {
        const ConfigLink *link = &pipeline->config->links[i];
        requests[i] = (GraphRequest){ link->from, link->to, link->pointer };
    }
    for (size_t i = 0; requests != NULL && i < pipeline->link_count; i++) {
        const PipelineLinkText *link = &pipeline->links[i];
        requests[own + i] = (GraphRequest){ link->from, link->to, NULL };
    }
    return requests;
}

static void build_graph(OpprofPipeline *pipeline, Problems *problems)
{
    GraphStage *stages = graph_stages(pipeline);
    GraphRequest *requests = graph_requests(pipeline);

    GraphFinish(&pipeline->graph);
    if (stages == NULL || requests == NULL) {
        problems->no_memory = true;
    } else {
        GraphBuild(stages, pipeline->node_count, requests,
                   pipeline->config->link_count + pipeline->link_count, &pipeline->graph, problems);
        if (pipeline->replay_count > 0 && pipeline->graph.stage_count > 0) {
            ReplayLinks(pipeline, stages, problems);
        }
    }
    free(stages);
    free(requests);
}

/* Ends the list; `status` is that of a list with mistakes. */
static OpprofStatus problems_error(const OpprofPipeline *pipeline, Problems *problems,
                                   OpprofStatus status, OpprofError **error)
{
    const char *subject = pipeline->name != NULL
                              ? ProblemsText(problems, "Pipeline '%s'", pipeline->name)
                              : "The pipeline";

    status = ProblemsToErrorAs(problems, status, subject, error);
    ProblemsFinish(problems);
    return status;
}

/*
 * All modules are loaded before the first is configured: what one checks, such as a chip, may be
 * declared by another. The reason why a module cannot be loaded comes when its stage is made.
 * Returns false, and tries no more, when memory runs out.
 */
static bool load_modules(OpprofPipeline *pipeline)
{
    for (size_t i = 0; i < pipeline->config->stage_count; i++) {
        const OpprofPlugin *unused = NULL;

        if (RegistryFind(pipeline->registry, pipeline->config->stages[i].use, &unused, NULL,
                         NULL) == OPPROF_E_MEMORY) {
            return false;
        }
    }
    return true;
}

/* The modules of a document; fails at once only when a module is the one thing that is wrong. */
static OpprofStatus load_stages(OpprofPipeline *pipeline, Problems *problems)
{
    const PipelineConfig *config = pipeline->config;
    OpprofStatus unusable = OPPROF_OK;
    size_t module_lines = 0;

    for (size_t i = 0; i < config->plugin_paths.count; i++) {
        OpprofError *error = NULL;
        if (RegistryAddPipelinePath(pipeline->registry, config->plugin_paths.names[i], &error) !=
            OPPROF_OK) {
            add_error(problems, "/plugin_path", error);
        }
    }
    problems->no_memory = !load_modules(pipeline) || problems->no_memory;
    for (size_t i = 0; i < config->stage_count && !ProblemsBroken(problems); i++) {
        size_t before = problems->count;
        OpprofStatus status = load_stage(pipeline, &config->stages[i], problems);
        if (status != OPPROF_OK) {
            unusable = unusable == OPPROF_OK ? status : unusable;
            module_lines += problems->count - before;
        }
    }
    return module_lines == problems->count ? unusable : OPPROF_OK;
}

static bool takes_any_table(const OpprofPlugin *plugin)
{
    for (uint32_t i = 0; i < plugin->input_count; i++) {
        if (strcmp(plugin->inputs[i].type, OPPROF_ANY_TABLE) == 0) {
            return true;
        }
    }
    return false;
}

/* Kinds in their order; what takes any table comes after others of its kind, to take theirs. */
static uint64_t order_of(const StageNode *node)
{
    return node->plugin == NULL ? UINT64_MAX
                                : 2 * (uint64_t) node->plugin->kind + takes_any_table(node->plugin);
}

/* Move the last of the first `count` nodes to where one of its kind belongs. */
static void place_last(StageNode **nodes, uint32_t count)
{
    StageNode *node = nodes[count - 1];
    uint32_t place = count - 1;

    while (place > 0 && order_of(nodes[place - 1]) > order_of(node)) {
        place--;
    }
    memmove(&nodes[place + 1], &nodes[place], (count - 1 - place) * sizeof(StageNode *));
    nodes[place] = node;
}

/*
 * Stages that were added to a document stand after it, where no exporter would take what they find.
 * Nodes are in the order of the document's stages so far, from `first` on.
 */
static void place_appended(OpprofPipeline *pipeline, uint32_t first)
{
    const PipelineConfig *config = pipeline->config;

    for (uint32_t i = 0; i < config->stage_count && first + i < pipeline->node_count; i++) {
        if (config->stages[i].is_appended) {
            place_last(pipeline->nodes + first, i + 1);
        }
    }
}

/* The stages of the document as their descriptors have them; none is made. */
static void append_outlines(OpprofPipeline *pipeline)
{
    const PipelineConfig *config = pipeline->config;

    for (size_t i = 0; i < config->plugin_paths.count; i++) {
        RegistryAddPipelinePath(pipeline->registry, config->plugin_paths.names[i], NULL);
    }
    for (size_t i = 0; i < config->stage_count; i++) {
        const OpprofPlugin *plugin = NULL;
        StageNode *node;

        RegistryFind(pipeline->registry, config->stages[i].use, &plugin, NULL, NULL);
        node = NodesAppend(pipeline, config->stages[i].id, plugin, NULL);
        if (node == NULL) {
            return;
        }
        node->is_idle = true;
    }
}

/* Adds the names of stages of which nothing but what recordings hold would be read. */
static void add_idle_names(const OpprofPipeline *pipeline, Names *idle_names)
{
    GraphStage *stages = graph_stages(pipeline);
    GraphRequest *requests = graph_requests(pipeline);
    bool *idle = calloc((size_t) pipeline->node_count + 1, sizeof *idle);
    Graph graph = { 0 };

    if (stages != NULL && requests != NULL && idle != NULL &&
        GraphGuess(stages, pipeline->node_count, requests,
                   pipeline->config->link_count + pipeline->link_count, &graph)) {
        ReplayFindIdle(pipeline, stages, &graph, idle);
        for (uint32_t i = 0; i < pipeline->node_count; i++) {
            if (idle[i]) {
                NamesAdd(idle_names, strdup(stages[i].id));
            }
        }
    }
    GraphFinish(&graph);
    free(stages);
    free(requests);
    free(idle);
}

/*
 * Stages that recordings stand for need no parameters, and their input need not be there. Which
 * these are is decided before the document is read for the run, which reports its mistakes.
 */
static void find_idle(OpprofPipeline *pipeline, const char *file_or_name,
                      const ConfigRequest *request, Names *idle_names)
{
    const uint32_t first = pipeline->node_count;
    Problems ignored = { 0 };

    if (ConfigLoad(file_or_name, request, pipeline->config, &ignored, NULL) == OPPROF_OK) {
        append_outlines(pipeline);
        place_appended(pipeline, first);
        add_idle_names(pipeline, idle_names);
        while (pipeline->node_count > first) {
            NodesDropLast(pipeline);
        }
        ConfigFinish(pipeline->config);
    }
    ProblemsFinish(&ignored);
}

OpprofStatus OpprofPipelineLoad(OpprofPipeline *pipeline, const char *file_or_name,
                                OpprofError **error)
{
    const uint32_t first = pipeline->node_count;
    Problems problems = { 0 };
    OpprofStatus unusable = OPPROF_OK;
    ConfigRequest request = { .settings = pipeline->settings,
                              .setting_count = pipeline->setting_count,
                              .added = pipeline->added,
                              .without = pipeline->without,
                              .has_replays = pipeline->replay_count > 0 };
    OpprofStatus status;

    if (pipeline->replay_count > 0) {
        find_idle(pipeline, file_or_name, &request, &request.idle);
    }
    status = ConfigLoad(file_or_name, &request, pipeline->config, &problems, error);
    NamesFree(&request.idle);
    if (status != OPPROF_OK) {
        ProblemsFinish(&problems);
        return status;
    }
    free(pipeline->name);
    pipeline->name = strdup(pipeline->config->name);
    pipeline->vars = pipeline->config->vars;
    pipeline->left_out = pipeline->config->left_out;
    pipeline->run.title =
        pipeline->run.title == NULL ? pipeline->config->title : pipeline->run.title;
    pipeline->queue_items = pipeline->config->queue_items;
    pipeline->queue_bytes = pipeline->config->queue_bytes;
    pipeline->queue_budget = pipeline->config->queue_budget;
    unusable = load_stages(pipeline, &problems);
    place_appended(pipeline, first);
    status = ReplayAddStages(pipeline, error);
    if (status != OPPROF_OK) {
        ProblemsFinish(&problems);
        return status;
    }
    build_graph(pipeline, &problems);
    /* Where only modules are at fault, a caller distinguishes that from a wrong document. */
    return problems_error(pipeline, &problems,
                          unusable == OPPROF_OK      ? OPPROF_E_ARGUMENT
                          : unusable == OPPROF_E_ABI ? OPPROF_E_ABI
                                                     : OPPROF_E_LOAD,
                          error);
}

OpprofStatus OpprofPipelineValidate(OpprofPipeline *pipeline, OpprofError **error)
{
    Problems problems = { 0 };
    OpprofStatus status;

    if (pipeline->node_count == 0) {
        return OpprofErrorSet(error, OPPROF_E_ARGUMENT, "The pipeline has no stages");
    }
    status = ReplayAddStages(pipeline, error);
    if (status != OPPROF_OK) {
        return status;
    }
    build_graph(pipeline, &problems);
    return problems_error(pipeline, &problems, OPPROF_E_ARGUMENT, error);
}

OpprofStatus OpprofPipelineGraph(OpprofPipeline *pipeline, FILE *out, OpprofError **error)
{
    GraphStage *stages;
    OpprofStatus status = OpprofPipelineValidate(pipeline, error);

    if (status != OPPROF_OK) {
        return status;
    }
    stages = graph_stages(pipeline);
    if (stages == NULL) {
        return OpprofErrorNoMemory(error, "print the graph");
    }
    GraphPrintDot(stages, &pipeline->graph, out);
    free(stages);
    return OPPROF_OK;
}
