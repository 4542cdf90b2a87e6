/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pipeline as its owner sees it: made, filled with stages, asked about, destroyed. Tested by
 * tests/core/run/test_runner.
 */
#include "run/pipeline.h"

#include "output/output.h"
#include "recording/record.h"
#include "recording/replay.h"
#include "recording/tap.h"
#include "guard/watchdog.h"

#include <errno.h>
#include <opprof/grow.h>
#include <opprof/json.h>
#include <stdlib.h>
#include <string.h>

#define GRACE_LEAST_S 10.0
#define GRACE_MOST_S 60.0
#define DEFAULT_QUEUE_ITEMS 64u
#define DEFAULT_QUEUE_BYTES (16u << 20)
#define DEFAULT_QUEUE_BUDGET (64u << 20)

/* ---- life ---- */

/* A long wait deserves a longer look, within reason. */
static uint64_t grace_of(double timeout_s)
{
    const double grace_s = timeout_s < GRACE_LEAST_S  ? GRACE_LEAST_S
                           : timeout_s > GRACE_MOST_S ? GRACE_MOST_S
                                                      : timeout_s;

    return (uint64_t) (grace_s * 1e9);
}

OpprofPipeline *OpprofPipelineCreate(void)
{
    OpprofPipeline *pipeline = calloc(1, sizeof *pipeline);

    if (pipeline == NULL) {
        return NULL;
    }
    pipeline->registry = RegistryCreate();
    pipeline->run.pipeline = pipeline;
    SummaryInit(&pipeline->run.summary);
    pipeline->run.strings = StringTableCreate();
    pipeline->run.tracks = TrackTableCreate();
    pipeline->run.clocks = ClockTableCreate();
    pipeline->now = StageNow;
    pipeline->watchdog_ns = PIPELINE_WATCHDOG_NS;
    pipeline->grace_ns = grace_of(0);
    pipeline->queue_items = DEFAULT_QUEUE_ITEMS;
    pipeline->queue_bytes = DEFAULT_QUEUE_BYTES;
    pipeline->queue_budget = DEFAULT_QUEUE_BUDGET;
    if (!WakeInit(&pipeline->wake) || pipeline->registry == NULL || pipeline->run.strings == NULL ||
        pipeline->run.tracks == NULL || pipeline->run.clocks == NULL) {
        OpprofPipelineDestroy(pipeline);
        return NULL;
    }
    return pipeline;
}

/* A batch that nobody gives back is memory that grows from run to run. */
static void tell_unreturned(const OpprofPipeline *pipeline)
{
    for (uint32_t i = 0; i < pipeline->node_count; i++) {
        const StageNode *node = pipeline->nodes[i];
        const long long left = atomic_load(&node->held.references);

        if (left > 0 && node->plugin != NULL) {
            OpprofLog(OPPROF_LOG_WARNING, node->id,
                      "%s %s was destroyed without giving back %lld batches (%lld bytes)",
                      node->plugin->name,
                      node->plugin->version != NULL ? node->plugin->version : "?", left,
                      (long long) atomic_load(&node->held.bytes));
        }
    }
}

void OpprofPipelineDestroy(OpprofPipeline *pipeline)
{
    /* A thread that was given up may still use all of it. */
    if (pipeline == NULL || pipeline->given_up > 0) {
        return;
    }
    for (uint32_t i = 0; i < pipeline->node_count; i++) {
        StageNodeDestroyInstances(pipeline->nodes[i]);
    }
    if (pipeline->given_up > 0) {
        return; /* in destroy */
    }
    tell_unreturned(pipeline);
    LifeFinish(pipeline->life);
    for (uint32_t i = 0; i < pipeline->node_count; i++) {
        StageNodeDestroy(pipeline->nodes[i]);
    }
    for (uint32_t i = 0; i < pipeline->link_count; i++) {
        free(pipeline->links[i].from);
        free(pipeline->links[i].to);
    }
    for (size_t i = 0; i < pipeline->setting_count; i++) {
        free((char *) (uintptr_t) pipeline->settings[i].name);
        free((char *) (uintptr_t) pipeline->settings[i].value);
    }
    OpprofDataStreamBudgetDestroy(pipeline->budget);
    OutputDirectoryDestroy(pipeline->run.output);
    ReplayFinish(pipeline);
    GraphFinish(&pipeline->graph);
    ConfigFinish(&pipeline->config);
    RegistryDestroy(pipeline->registry);
    ClockTableDestroy(pipeline->run.clocks);
    SummaryFinish(&pipeline->run.summary);
    TrackTableDestroy(pipeline->run.tracks);
    StringTableDestroy(pipeline->run.strings);
    WakeFinish(&pipeline->wake);
    json_decref(pipeline->added);
    free(pipeline->links);
    free(pipeline->settings);
    free(pipeline->nodes);
    free(pipeline->output_parent);
    free(pipeline->record);
    EarlyRecordDestroy(pipeline->early);
    free(pipeline->name);
    free(pipeline);
}

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "build the pipeline");
}

/* ---- settings ---- */

OpprofStatus OpprofPipelineAddPluginPath(OpprofPipeline *pipeline, const char *directory,
                                         OpprofError **error)
{
    return RegistryAddPath(pipeline->registry, directory, error);
}

void OpprofPipelineAllowWritablePlugins(OpprofPipeline *pipeline)
{
    RegistryAllowWritable(pipeline->registry);
}

void OpprofPipelineRehearsePlugins(OpprofPipeline *pipeline)
{
    RegistryRehearse(pipeline->registry);
}

OpprofStatus OpprofPipelineSet(OpprofPipeline *pipeline, const char *name, const char *value,
                               OpprofError **error)
{
    const bool has_room = OpprofGrow(&pipeline->settings, &pipeline->setting_capacity,
                                     pipeline->setting_count + 1, sizeof *pipeline->settings);
    char *own_name = strdup(name);
    char *own_value = strdup(value);

    if (!has_room || own_name == NULL || own_value == NULL) {
        free(own_name);
        free(own_value);
        return no_memory(error);
    }
    pipeline->settings[pipeline->setting_count++] = (ConfigSetting){ own_name, own_value };
    return OPPROF_OK;
}

OpprofStatus OpprofPipelineAddStage(OpprofPipeline *pipeline, const char *stage_id,
                                    const char *plugin, const char *params_json,
                                    OpprofError **error)
{
    json_t *params = NULL;
    json_t *stage = NULL;
    OpprofStatus status = OPPROF_OK;

    if (params_json != NULL) {
        status = OpprofJsonParse("params", params_json, strlen(params_json), &params, error);
    }
    if (status != OPPROF_OK) {
        return status;
    }
    if (pipeline->added == NULL) {
        pipeline->added = json_array();
    }
    errno = 0;
    stage = json_pack("{s:s, s:s, s:o*}", "id", stage_id, "use", plugin, "params", params);
    if (stage == NULL && errno == ENOMEM) {
        return no_memory(error);
    }
    if (stage == NULL) {
        return OpprofErrorSet(error, OPPROF_E_ARGUMENT,
                              "A stage cannot be added: its id or "
                              "plugin is not UTF-8");
    }
    return json_array_append_new(pipeline->added, stage) == 0 ? OPPROF_OK : no_memory(error);
}

OpprofStatus OpprofPipelineSetOutput(OpprofPipeline *pipeline, const char *directory, bool flat,
                                     OpprofError **error)
{
    char *own = strdup(directory != NULL ? directory : ".");

    if (own == NULL) {
        return no_memory(error);
    }
    free(pipeline->output_parent);
    pipeline->output_parent = own;
    pipeline->output_flat = flat;
    return OPPROF_OK;
}

void OpprofPipelineSetTimeout(OpprofPipeline *pipeline, double seconds)
{
    pipeline->timeout_s = seconds;
    pipeline->grace_ns = grace_of(seconds);
}

void OpprofPipelineSetQueue(OpprofPipeline *pipeline, uint32_t batches, uint64_t bytes,
                            uint64_t budget)
{
    pipeline->queue_items = batches != 0 ? batches : pipeline->queue_items;
    pipeline->queue_bytes = bytes != 0 ? bytes : pipeline->queue_bytes;
    pipeline->queue_budget = budget != 0 ? budget : pipeline->queue_budget;
}

void OpprofPipelineSetNow(OpprofPipeline *pipeline, uint64_t (*now)(void))
{
    pipeline->now = now != NULL ? now : StageNow;
}

void OpprofPipelineSetProgress(OpprofPipeline *pipeline, OpprofRunProgress *progress, void *context)
{
    pipeline->progress = progress;
    pipeline->progress_context = context;
}

void OpprofPipelineStop(OpprofPipeline *pipeline, const char *why)
{
    const char *nothing = NULL;

    atomic_compare_exchange_strong(&pipeline->stop_why, &nothing, why);
    atomic_fetch_add(&pipeline->stops, 1);
    WakeRing(&pipeline->wake);
}

void OpprofPipelineStopFromTerminal(OpprofPipeline *pipeline, const char *why)
{
    atomic_store(&pipeline->run.stop_from_terminal, true);
    OpprofPipelineStop(pipeline, why);
}

/* ---- adding stages and links ---- */

static StageNode *find_node(const OpprofPipeline *pipeline, const char *id)
{
    for (uint32_t i = 0; i < pipeline->node_count; i++) {
        if (strcmp(pipeline->nodes[i]->id, id) == 0) {
            return pipeline->nodes[i];
        }
    }
    return NULL;
}

static StageNode *append_node(OpprofPipeline *pipeline, const char *id, const OpprofPlugin *plugin,
                              OpprofError **error)
{
    StageNode *node;

    if (!OpprofGrow32(&pipeline->nodes, &pipeline->node_capacity, (size_t) pipeline->node_count + 1,
                      sizeof(StageNode *))) {
        no_memory(error);
        return NULL;
    }
    node = StageNodeCreate(id, plugin, &pipeline->run);
    if (node == NULL) {
        no_memory(error);
        return NULL;
    }
    pipeline->nodes[pipeline->node_count++] = node;
    return node;
}

static void drop_last_node(OpprofPipeline *pipeline)
{
    StageNode *node = pipeline->nodes[--pipeline->node_count];

    StageNodeDestroyInstances(node);
    if (pipeline->given_up == 0) {
        StageNodeDestroy(node);
    }
}

/* Adds a stage with its first instance. The node stays even if its parameters are wrong (see problems). */
static OpprofStatus add_stage(OpprofPipeline *pipeline, const char *id, const OpprofPlugin *plugin,
                              const ParamInput *input, Problems *problems, OpprofError **error)
{
    StageNode *node = append_node(pipeline, id, plugin, error);

    if (node == NULL) {
        return OPPROF_E_MEMORY;
    }
    node->params = ParamBuild(plugin->params, plugin->param_count, input, problems);
    if (node->params == NULL) {
        return problems->no_memory ? no_memory(error) : OPPROF_OK;
    }
    return StageNodeAddInstance(node, error);
}

static OpprofStatus check_new_id(const OpprofPipeline *pipeline, const char *id,
                                 OpprofError **error)
{
    if (id == NULL || !ConfigIsStageId(id)) {
        return OpprofErrorSet(error, OPPROF_E_ARGUMENT,
                              "'%s' is not a stage id: use letters, digits, '_' and '-'",
                              id != NULL ? id : "");
    }
    if (find_node(pipeline, id) != NULL) {
        return OpprofErrorSet(error, OPPROF_E_ARGUMENT, "A stage '%s' already exists", id);
    }
    return OPPROF_OK;
}

static OpprofStatus add_checked(OpprofPipeline *pipeline, const char *id,
                                const OpprofPlugin *plugin, json_t *given, OpprofError **error)
{
    const ParamInput input = { .given = given, .pointer = "params", .stage = id };
    Problems problems = { 0 };
    OpprofStatus status = add_stage(pipeline, id, plugin, &input, &problems, error);
    uint32_t before = pipeline->node_count;

    if (status == OPPROF_OK) {
        status = ProblemsToError(&problems, "The stage", error);
    }
    ProblemsFinish(&problems);
    if (status != OPPROF_OK && before > 0 && strcmp(pipeline->nodes[before - 1]->id, id) == 0) {
        drop_last_node(pipeline);
    }
    return status;
}

OpprofStatus AddPluginDescriptor(OpprofPipeline *pipeline, const char *stage_id,
                                 const OpprofPlugin *plugin, const char *params_json,
                                 OpprofError **error)
{
    json_t *given = NULL;
    OpprofStatus status = check_new_id(pipeline, stage_id, error);

    if (status == OPPROF_OK) {
        status = RegistryCheckPlugin(plugin, error);
    }
    if (status == OPPROF_OK && params_json != NULL) {
        status = OpprofJsonParse("params", params_json, strlen(params_json), &given, error);
    }
    if (status == OPPROF_OK) {
        status = add_checked(pipeline, stage_id, plugin, given, error);
    }
    json_decref(given);
    return status;
}

OpprofStatus AddPlugin(OpprofPipeline *pipeline, const char *stage_id, const char *plugin,
                       const char *params_json, OpprofError **error)
{
    const OpprofPlugin *found = NULL;
    const char *path = NULL;
    OpprofStatus status = RegistryFind(pipeline->registry, plugin, &found, &path, error);

    if (status == OPPROF_OK) {
        status = AddPluginDescriptor(pipeline, stage_id, found, params_json, error);
    }
    if (status == OPPROF_OK) {
        pipeline->nodes[pipeline->node_count - 1]->plugin_path = path;
    }
    return status;
}

OpprofStatus OpprofPipelineSetShared(OpprofPipeline *pipeline, const char *stage_id,
                                     const char *plugin, void *shared, OpprofError **error)
{
    StageNode *node = find_node(pipeline, stage_id);

    if (node == NULL || node->plugin == NULL || strcmp(node->plugin->name, plugin) != 0) {
        return OpprofErrorSet(error, OPPROF_E_NOT_FOUND, "No stage '%s' uses the plugin '%s'",
                              stage_id, plugin);
    }
    node->shared = shared;
    return OPPROF_OK;
}

OpprofStatus OpprofPipelineLink(OpprofPipeline *pipeline, const char *from, const char *to,
                                OpprofError **error)
{
    const bool has_room = OpprofGrow32(&pipeline->links, &pipeline->link_capacity,
                                       (size_t) pipeline->link_count + 1, sizeof *pipeline->links);
    PipelineLinkText link = { strdup(from), strdup(to) };

    if (!has_room || link.from == NULL || link.to == NULL) {
        free(link.from);
        free(link.to);
        return no_memory(error);
    }
    pipeline->links[pipeline->link_count++] = link;
    return OPPROF_OK;
}

OpprofStatus PipelineAddOwn(OpprofPipeline *pipeline, const char *id, const OpprofPlugin *plugin,
                            const char *file, OpprofError **error)
{
    json_t *params;
    OpprofStatus status;

    errno = 0;
    params = json_pack("{s:s}", "file", file);
    if (params == NULL && errno == ENOMEM) {
        return no_memory(error);
    }
    status = params != NULL ? check_new_id(pipeline, id, error)
                            : OpprofErrorSet(error, OPPROF_E_ARGUMENT,
                                             "The name of a file is not UTF-8: '%s'", file);
    if (status == OPPROF_OK) {
        status = add_checked(pipeline, id, plugin, params, error);
    }
    json_decref(params);
    return status;
}

/* A stage of the core's own that reads a port. */
static OpprofStatus add_reader(OpprofPipeline *pipeline, const OpprofPlugin *plugin,
                               const char *port, const char *file, OpprofError **error)
{
    char id[32];
    OpprofStatus status;

    snprintf(id, sizeof id, "%s-%u", plugin->name, ++pipeline->tap_count);
    status = PipelineAddOwn(pipeline, id, plugin, file, error);
    return status == OPPROF_OK ? OpprofPipelineLink(pipeline, port, id, error) : status;
}

OpprofStatus OpprofPipelineTap(OpprofPipeline *pipeline, const char *port, const char *file,
                               OpprofError **error)
{
    return add_reader(pipeline, &tap_plugin, port, file != NULL ? file : "-", error);
}

OpprofStatus OpprofPipelineRecordLink(OpprofPipeline *pipeline, const char *port, const char *file,
                                      OpprofError **error)
{
    return add_reader(pipeline, &record_plugin, port, file, error);
}

OpprofStatus OpprofPipelineReplay(OpprofPipeline *pipeline, const char *link, const char *file,
                                  OpprofError **error)
{
    return ReplayAdd(pipeline, link, file, error);
}

/* ---- documents ---- */

/* Not of the document: of the machine, or of a plugin that hangs or breaks its contract. */
static bool is_fault(OpprofStatus status)
{
    return status == OPPROF_E_MEMORY || status == OPPROF_E_CRASH || status == OPPROF_E_CONTRACT;
}

/* A message that came as an error becomes one line of the list. */
static void add_error(Problems *problems, const char *location, OpprofError *error)
{
    if (is_fault(OpprofErrorStatus(error))) {
        ProblemsFault(problems, OpprofErrorStatus(error), location, OpprofErrorLine(error));
    } else {
        char *text = OpprofErrorText(error, false);

        ProblemsAdd(problems, location, "%s", text != NULL ? text : OpprofErrorMessage(error));
        free(text);
    }
    OpprofErrorDestroy(error);
}

/* Loads and configures one stage of a document. Returns the status of a module that could not be loaded. */
static OpprofStatus load_stage(OpprofPipeline *pipeline, const ConfigStage *stage,
                               Problems *problems)
{
    const OpprofPlugin *plugin = NULL;
    const char *path = NULL;
    OpprofError *error = NULL;
    char *at = ProblemText("%s (stage '%s')", stage->pointer, stage->id);
    char *pointer = ProblemText("%s/params", stage->pointer);
    OpprofStatus found = RegistryFind(pipeline->registry, stage->use, &plugin, &path, &error);
    const uint32_t before = pipeline->node_count;
    StageNode *node = NULL;

    if (at == NULL || pointer == NULL) {
        problems->no_memory = true;
    } else if (found == OPPROF_OK && stage->is_idle) {
        StageNode *idle = append_node(pipeline, stage->id, plugin, &error);

        if (idle != NULL) {
            idle->is_idle = true;
        }
    } else if (found == OPPROF_OK) {
        const ParamInput input = { .given = stage->params,
                                   .origins = stage->origins,
                                   .pointer = pointer,
                                   .stage = stage->id };
        add_stage(pipeline, stage->id, plugin, &input, problems, &error);
    } else {
        append_node(pipeline, stage->id, NULL, NULL);
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
    free(pointer);
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
    const size_t own = pipeline->config.link_count;
    GraphRequest *requests = calloc(own + pipeline->link_count + 1, sizeof *requests);

    for (size_t i = 0; requests != NULL && i < own; i++) {
        const ConfigLink *link = &pipeline->config.links[i];
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
                   pipeline->config.link_count + pipeline->link_count, &pipeline->graph, problems);
        if (pipeline->replay_count > 0 && pipeline->graph.stage_count > 0) {
            ReplayLinks(pipeline, stages, problems);
        }
    }
    free(stages);
    free(requests);
}

static OpprofStatus problems_error(const OpprofPipeline *pipeline, const Problems *problems,
                                   OpprofError **error)
{
    char *subject = pipeline->name != NULL ? ProblemText("Pipeline '%s'", pipeline->name) : NULL;
    OpprofStatus status =
        ProblemsToError(problems, subject != NULL ? subject : "The pipeline", error);

    free(subject);
    return status;
}

/*
 * All modules are loaded before the first is configured: what one checks, such as a chip, may be declared by another.
 * The reason why a module cannot be loaded comes when its stage is made. Returns false, and tries no more, when memory runs out.
 */
static bool load_modules(OpprofPipeline *pipeline)
{
    for (size_t i = 0; i < pipeline->config.stage_count; i++) {
        const OpprofPlugin *unused = NULL;

        if (RegistryFind(pipeline->registry, pipeline->config.stages[i].use, &unused, NULL, NULL) ==
            OPPROF_E_MEMORY) {
            return false;
        }
    }
    return true;
}

/* The modules of a document; fails at once only when a module is the one thing that is wrong. */
static OpprofStatus load_stages(OpprofPipeline *pipeline, Problems *problems)
{
    const PipelineConfig *config = &pipeline->config;
    OpprofStatus unusable = OPPROF_OK;
    size_t module_lines = 0;

    for (size_t i = 0; i < config->plugin_path_count; i++) {
        OpprofError *error = NULL;
        if (RegistryAddPipelinePath(pipeline->registry, config->plugin_paths[i], &error) !=
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

static uint32_t kind_of(const StageNode *node)
{
    return node->plugin != NULL ? node->plugin->kind : UINT32_MAX;
}

/* Move the last of the first `count` nodes to where one of its kind belongs. */
static void place_last(StageNode **nodes, uint32_t count)
{
    StageNode *node = nodes[count - 1];
    uint32_t place = count - 1;

    while (place > 0 && kind_of(nodes[place - 1]) > kind_of(node)) {
        place--;
    }
    memmove(&nodes[place + 1], &nodes[place], (count - 1 - place) * sizeof(StageNode *));
    nodes[place] = node;
}

/*
 * Stages that were added to a document stand after it, where no exporter would take what they find. Nodes are in the
 * order of the document's stages so far, from `first` on.
 */
static void place_appended(OpprofPipeline *pipeline, uint32_t first)
{
    const PipelineConfig *config = &pipeline->config;

    for (uint32_t i = 0; i < config->stage_count && first + i < pipeline->node_count; i++) {
        if (config->stages[i].is_appended) {
            place_last(pipeline->nodes + first, i + 1);
        }
    }
}

/* The stages of the document as their descriptors have them; none is made. */
static void append_outlines(OpprofPipeline *pipeline)
{
    const PipelineConfig *config = &pipeline->config;

    for (size_t i = 0; i < config->plugin_path_count; i++) {
        RegistryAddPipelinePath(pipeline->registry, config->plugin_paths[i], NULL);
    }
    for (size_t i = 0; i < config->stage_count; i++) {
        const OpprofPlugin *plugin = NULL;
        StageNode *node;

        RegistryFind(pipeline->registry, config->stages[i].use, &plugin, NULL, NULL);
        node = append_node(pipeline, config->stages[i].id, plugin, NULL);
        if (node == NULL) {
            return;
        }
        node->is_idle = true;
    }
}

/* Names of stages of which nothing but what recordings hold would be read; free() each and the array. */
static char **idle_names(const OpprofPipeline *pipeline, size_t *ret_count)
{
    GraphStage *stages = graph_stages(pipeline);
    GraphRequest *requests = graph_requests(pipeline);
    bool *idle = calloc((size_t) pipeline->node_count + 1, sizeof *idle);
    char **names = calloc((size_t) pipeline->node_count + 1, sizeof *names);
    Graph graph = { 0 };

    *ret_count = 0;
    if (stages != NULL && requests != NULL && idle != NULL && names != NULL &&
        GraphGuess(stages, pipeline->node_count, requests,
                   pipeline->config.link_count + pipeline->link_count, &graph)) {
        ReplayFindIdle(pipeline, stages, &graph, idle);
        for (uint32_t i = 0; i < pipeline->node_count; i++) {
            names[*ret_count] = idle[i] ? strdup(stages[i].id) : NULL;
            *ret_count += names[*ret_count] != NULL ? 1 : 0;
        }
    }
    GraphFinish(&graph);
    free(stages);
    free(requests);
    free(idle);
    return names;
}

/*
 * Stages that recordings stand for need no parameters, and their input need not be there. Which these are is decided before
 * the document is read for the run, which reports its mistakes.
 */
static char **find_idle(OpprofPipeline *pipeline, const char *file_or_name,
                        const ConfigRequest *request, size_t *ret_count)
{
    const uint32_t first = pipeline->node_count;
    Problems ignored = { 0 };
    char **names = NULL;

    *ret_count = 0;
    if (ConfigLoad(file_or_name, request, &pipeline->config, &ignored, NULL) == OPPROF_OK) {
        append_outlines(pipeline);
        place_appended(pipeline, first);
        names = idle_names(pipeline, ret_count);
        while (pipeline->node_count > first) {
            drop_last_node(pipeline);
        }
        ConfigFinish(&pipeline->config);
    }
    ProblemsFinish(&ignored);
    return names;
}

static void free_names(char **names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(names[i]);
    }
    free(names);
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
                              .has_replays = pipeline->replay_count > 0 };
    char **idle = pipeline->replay_count == 0
                      ? NULL
                      : find_idle(pipeline, file_or_name, &request, &request.idle_count);
    OpprofStatus status;

    request.idle = (const char *const *) idle;
    status = ConfigLoad(file_or_name, &request, &pipeline->config, &problems, error);
    free_names(idle, request.idle_count);
    if (status != OPPROF_OK) {
        ProblemsFinish(&problems);
        return status;
    }
    free(pipeline->name);
    pipeline->name = strdup(pipeline->config.name);
    pipeline->queue_items = pipeline->config.queue_items;
    pipeline->queue_bytes = pipeline->config.queue_bytes;
    pipeline->queue_budget = pipeline->config.queue_budget;
    unusable = load_stages(pipeline, &problems);
    place_appended(pipeline, first);
    status = ReplayAddStages(pipeline, error);
    if (status != OPPROF_OK) {
        ProblemsFinish(&problems);
        return status;
    }
    build_graph(pipeline, &problems);
    status = problems_error(pipeline, &problems, error);
    ProblemsFinish(&problems);
    if (status == OPPROF_E_ARGUMENT && unusable != OPPROF_OK) {
        /* Only modules are at fault: a caller distinguishes that from a wrong document. */
        OpprofError *inner = error != NULL ? *error : NULL;
        if (inner != NULL) {
            *error = NULL;
            OpprofErrorSet(error, unusable == OPPROF_E_ABI ? unusable : OPPROF_E_LOAD, "%s",
                           OpprofErrorMessage(inner));
            OpprofErrorDestroy(inner);
        }
        return unusable == OPPROF_E_ABI ? unusable : OPPROF_E_LOAD;
    }
    return status;
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
    status = problems_error(pipeline, &problems, error);
    ProblemsFinish(&problems);
    return status;
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
        return no_memory(error);
    }
    GraphPrintDot(stages, &pipeline->graph, out);
    free(stages);
    return OPPROF_OK;
}

OpprofStatus OpprofPipelineVisitPlugins(OpprofPipeline *pipeline, OpprofPluginVisit *visit,
                                        void *context, OpprofError **error)
{
    RegistryList list;
    OpprofStatus status = RegistryScan(pipeline->registry, &list, error);

    if (status != OPPROF_OK) {
        return status;
    }
    for (size_t i = 0; i < list.count; i++) {
        const RegistryEntry *entry = &list.entries[i];
        const OpprofPluginFile file = { .path = entry->path,
                                        .plugin = entry->plugin,
                                        .error = entry->error,
                                        .shadowed_by = entry->shadowed_by };

        visit(context, &file);
        if (status == OPPROF_OK && OpprofErrorStatus(entry->error) == OPPROF_E_MEMORY) {
            status = OpprofErrorNoMemory(error, "look at '%s'", entry->path);
        }
    }
    RegistryListFinish(&list);
    return status;
}

const char *OpprofPipelinePluginPath(const OpprofPipeline *pipeline, size_t index)
{
    return RegistryPath(pipeline->registry, index);
}

OpprofStatus OpprofPipelineFindPlugin(OpprofPipeline *pipeline, const char *name,
                                      const OpprofPlugin **ret_plugin, const char **ret_path,
                                      OpprofError **error)
{
    return RegistryFind(pipeline->registry, name, ret_plugin, ret_path, error);
}
