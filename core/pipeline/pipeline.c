/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pipeline as its owner sees it: made, filled with stages, asked about, destroyed. Tested by
 * tests/core/run/test_runner.
 */
#include "run/pipeline.h"

#include "document/config.h"
#include "guard/crash.h"
#include "guard/life.h"
#include "output/output.h"
#include "recording/replay.h"
#include "recording/readers.h"
#include "report/early_record.h"
#include "report/summary.h"
#include "run/nodes.h"

#include <errno.h>
#include <opprof/grow.h>
#include <opprof/json.h>
#include <stdlib.h>
#include <string.h>

#define GRACE_LEAST_S 10.0
#define GRACE_MOST_S 60.0
#define WATCHDOG_NS (10u * UINT64_C(1000000000)) /* without a sign of life */
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

static void summarise(const OpprofStage *stage, const OpprofBatch *batch)
{
    SummaryAdd(stage->node->run->summary, stage, batch);
}

static const RunHooks hooks = { .call = LifeCall,
                                .begin_thread = CrashThreadInit,
                                .end_thread = CrashThreadFinish,
                                .summarise = summarise };

OpprofPipeline *OpprofPipelineCreate(void)
{
    OpprofPipeline *pipeline = calloc(1, sizeof *pipeline);

    if (pipeline == NULL) {
        return NULL;
    }
    pipeline->config = calloc(1, sizeof *pipeline->config);
    pipeline->registry = RegistryCreate();
    pipeline->run.pipeline = pipeline;
    pipeline->run.hooks = &hooks;
    pipeline->run.summary = SummaryCreate();
    pipeline->run.strings = StringTableCreate();
    pipeline->run.tracks = TrackTableCreate();
    pipeline->run.clocks = ClockTableCreate();
    pipeline->now = StageNow;
    pipeline->watchdog_ns = WATCHDOG_NS;
    pipeline->grace_ns = grace_of(0);
    pipeline->queue_items = DEFAULT_QUEUE_ITEMS;
    pipeline->queue_bytes = DEFAULT_QUEUE_BYTES;
    pipeline->queue_budget = DEFAULT_QUEUE_BUDGET;
    if (!WakeInit(&pipeline->wake) || pipeline->config == NULL || pipeline->registry == NULL ||
        pipeline->run.summary == NULL || pipeline->run.strings == NULL ||
        pipeline->run.tracks == NULL || pipeline->run.clocks == NULL) {
        OpprofPipelineDestroy(pipeline);
        return NULL;
    }
    return pipeline;
}

/* Batches that are not given back let memory grow from run to run. */
static void warn_unreturned(const OpprofPipeline *pipeline)
{
    for (uint32_t i = 0; i < pipeline->node_count; i++) {
        const StageNode *node = pipeline->nodes[i];
        const long long left = atomic_load(&node->held.references);

        if (left > 0 && node->plugin != NULL) {
            OpprofLog(OPPROF_LOG_WARNING, node->id,
                      "%s %s was destroyed without giving back %lld batches (%lld bytes)",
                      node->plugin->name, node->plugin->version, left,
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
    warn_unreturned(pipeline);
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
    if (pipeline->config != NULL) {
        ConfigFinish(pipeline->config);
    }
    free(pipeline->config);
    RegistryDestroy(pipeline->registry);
    TableDestroy(pipeline->run.clocks);
    SummaryDestroy(pipeline->run.summary);
    TableDestroy(pipeline->run.tracks);
    TableDestroy(pipeline->run.strings);
    WakeFinish(&pipeline->wake);
    json_decref(pipeline->added);
    NamesFree(&pipeline->without);
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
    pipeline->run.title = strcmp(name, "title") == 0 ? own_value : pipeline->run.title;
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

OpprofStatus OpprofPipelineLeaveOut(OpprofPipeline *pipeline, const char *stage_id,
                                    OpprofError **error)
{
    return NamesAdd(&pipeline->without, strdup(stage_id)) ? OPPROF_OK : no_memory(error);
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

/* A stage of the core's own that reads a port. */
static OpprofStatus add_reader(OpprofPipeline *pipeline, const OpprofPlugin *plugin,
                               const char *port, const char *file, OpprofError **error)
{
    char id[32];
    OpprofStatus status;

    snprintf(id, sizeof id, "%s-%u", plugin->name, ++pipeline->tap_count);
    status = NodesAddOwn(pipeline, id, plugin, file, error);
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
