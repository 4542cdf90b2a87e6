/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/stage.h"

#include <opprof/log.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BATCH_TARGET_BYTES (128u << 10)

uint64_t StageNow(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t) now.tv_sec * 1000000000u + (uint64_t) now.tv_nsec;
}

StageNode *StageNodeCreate(const char *id, const OpprofPlugin *plugin, RunContext *run)
{
    StageNode *node = calloc(1, sizeof *node);

    if (node == NULL) {
        return NULL;
    }
    node->id = strdup(id);
    if (node->id == NULL || pthread_mutex_init(&node->lock, NULL) != 0) {
        free(node->id);
        free(node);
        return NULL;
    }
    node->plugin = plugin;
    node->run = run;
    node->critical = plugin != NULL && plugin->kind != OPPROF_ANALYSIS;
    for (uint32_t i = 0; plugin != NULL && i < plugin->output_count; i++) {
        node->outputs[i].type = plugin->outputs[i].record_type;
    }
    return node;
}

static void destroy_instance(OpprofStage *stage)
{
    if (stage->created && stage->node->plugin->ops->destroy != NULL) {
        stage->node->plugin->ops->destroy(stage->self);
    }
    for (uint32_t i = 0; stage->readers != NULL && i < stage->node->input_links; i++) {
        OpprofDataStreamDetach(stage->readers[i]);
    }
    free(stage->readers);
    free(stage->streams);
    OpprofDataStreamBellDestroy(stage->bell);
    OpprofErrorDestroy(stage->error);
    free(stage);
}

static void free_messages(StageMessages *messages)
{
    for (uint32_t i = 0; i < messages->count; i++) {
        free(messages->texts[i]);
    }
}

static void free_port(OutputPort *port)
{
    for (uint32_t r = 0; r < port->route_count; r++) {
        for (uint32_t s = 0; s < port->routes[r].stream_count; s++) {
            OpprofDataStreamDestroy(port->routes[r].streams[s]);
        }
        free(port->routes[r].streams);
    }
    free(port->routes);
    OpprofBatchPoolDestroy(port->pool);
}

void StageNodeDestroyInstances(StageNode *node)
{
    for (uint32_t i = node->instance_count; i > 0; i--) {
        destroy_instance(node->instances[i - 1]);
    }
    node->instance_count = 0;
}

void StageNodeDestroy(StageNode *node)
{
    if (node == NULL) {
        return;
    }
    StageNodeDestroyInstances(node);
    for (uint32_t i = 0; i < STAGE_MAX_PORTS; i++) {
        free_port(&node->outputs[i]);
    }
    free_messages(&node->warnings);
    free_messages(&node->incomplete);
    pthread_mutex_destroy(&node->lock);
    ParamDestroy(node->params);
    free(node->input_ports);
    free(node->location);
    free(node->partition_ids);
    free(node->instances);
    free(node->id);
    free(node);
}

OpprofStatus StageWrapError(const StageNode *node, const char *doing, OpprofError **error)
{
    return OpprofErrorWrap(error, "Stage '%s' (%s %s) failed %s", node->id, node->plugin->name,
                           node->plugin->version != NULL ? node->plugin->version : "?", doing);
}

OpprofStatus StageRequireReason(OpprofStatus status, const char *call, OpprofError **error)
{
    if (OpprofFailed(status) && (error == NULL || *error == NULL)) {
        return OpprofErrorSet(error, status, "The plugin's %s returned '%s' without a reason", call,
                              OpprofStatusName(status));
    }
    return status;
}

OpprofStatus StageNodeAddInstance(StageNode *node, OpprofError **error)
{
    const OpprofPluginOps *ops = node->plugin->ops;
    OpprofStage **grown = reallocarray(node->instances, node->instance_count + 1, sizeof *grown);
    OpprofStage *stage;
    OpprofStatus status = OPPROF_OK;

    if (grown == NULL) {
        return OpprofErrorSet(error, OPPROF_E_MEMORY, "No memory for stage '%s'", node->id);
    }
    node->instances = grown;
    stage = calloc(1, sizeof *stage);
    if (stage == NULL) {
        return OpprofErrorSet(error, OPPROF_E_MEMORY, "No memory for stage '%s'", node->id);
    }
    stage->node = node;
    stage->index = node->instance_count;
    node->instances[node->instance_count++] = stage;
    stage->bell = OpprofDataStreamBellCreate();
    if (stage->bell == NULL) {
        return OpprofErrorSet(error, OPPROF_E_MEMORY, "No memory for stage '%s'", node->id);
    }
    if (ops->create != NULL) {
        status = StageRequireReason(ops->create(stage, &stage->self, error), "create", error);
        if (status != OPPROF_OK) {
            return StageWrapError(node, "to be created", error);
        }
    }
    stage->created = true;
    if (ops->configure != NULL) {
        status = StageRequireReason(ops->configure(stage->self, node->params, error), "configure",
                                    error);
        if (status != OPPROF_OK) {
            return StageWrapError(node, "to be configured", error);
        }
    }
    return OPPROF_OK;
}

uint32_t StageNodeRoute(StageNode *node, uint32_t partition)
{
    uint32_t found;

    pthread_mutex_lock(&node->lock);
    for (found = 0; found < node->partition_count; found++) {
        if (node->partition_ids[found] == partition) {
            break;
        }
    }
    if (found == node->partition_count) {
        if (node->partition_count == node->partition_capacity) {
            uint32_t capacity = node->partition_capacity == 0 ? 16 : node->partition_capacity * 2;
            uint32_t *grown = reallocarray(node->partition_ids, capacity, sizeof *grown);
            if (grown == NULL) { /* without a table the partition still needs one fixed place */
                pthread_mutex_unlock(&node->lock);
                return partition % node->instance_count;
            }
            node->partition_ids = grown;
            node->partition_capacity = capacity;
        }
        node->partition_ids[node->partition_count++] = partition;
    }
    pthread_mutex_unlock(&node->lock);
    return found % node->instance_count;
}

const char *OpprofStageId(const OpprofStage *stage)
{
    return stage->node->id;
}

uint32_t OpprofStageInstance(const OpprofStage *stage, uint32_t *ret_count)
{
    if (ret_count != NULL) {
        *ret_count = stage->node->instance_count;
    }
    return stage->index;
}

void OpprofStageSetShared(OpprofStage *stage, void *shared)
{
    stage->node->shared = shared;
}

void *OpprofStageShared(const OpprofStage *stage)
{
    return stage->node->shared;
}

OpprofStatus OpprofStageSetOutputType(OpprofStage *stage, uint32_t port, const OpprofRecordType *type,
                                OpprofError **error)
{
    StageNode *node = stage->node;

    if (port >= node->plugin->output_count) {
        return OpprofErrorSet(error, OPPROF_E_CONTRACT, "Plugin '%s' has no output port %u",
                              node->plugin->name, port);
    }
    if (type == NULL || type->struct_size != sizeof *type || type->size == 0) {
        return OpprofErrorSet(error, OPPROF_E_CONTRACT,
                              "Plugin '%s' gave output port '%s' no usable record type",
                              node->plugin->name, node->plugin->outputs[port].name);
    }
    if (stage->index == 0) {
        node->outputs[port].type = type;
    }
    return OPPROF_OK;
}

bool OpprofStageHasReader(const OpprofStage *stage, uint32_t port)
{
    return port < STAGE_MAX_PORTS && stage->node->outputs[port].route_count > 0;
}

OpprofStatus StageNodeCreatePools(StageNode *node, OpprofError **error)
{
    for (uint32_t port = 0; port < node->plugin->output_count; port++) {
        OutputPort *output = &node->outputs[port];
        uint32_t capacity = node->plugin->outputs[port].batch_records;

        if (capacity == 0) {
            capacity = BATCH_TARGET_BYTES / output->type->size;
        }
        output->pool = OpprofBatchPoolCreate(output->type, capacity > 0 ? capacity : 1, 0);
        if (output->pool == NULL) {
            return OpprofErrorSet(error, OPPROF_E_MEMORY, "No memory for the batches of stage '%s'",
                                  node->id);
        }
    }
    return OPPROF_OK;
}

OpprofBatch *OpprofStageNewBatch(OpprofStage *stage, uint32_t port)
{
    return port < stage->node->plugin->output_count ? OpprofBatchPoolTake(stage->node->outputs[port].pool)
                                                    : NULL;
}

/* A stream refuses batches only after an abort, which OpprofStagePush reports once for all routes. */
static void push_route(const Route *route, OpprofBatch *batch)
{
    uint32_t which = 0;

    if (route->stream_count > 1) {
        which = StageNodeRoute(route->consumer, batch->partition);
    }
    if (DataStreamPush(route->streams[which], batch) != OPPROF_OK) {
        OpprofBatchUnref(batch);
    }
}

OpprofStatus OpprofStagePush(OpprofStage *stage, uint32_t port, OpprofBatch *batch)
{
    OutputPort *output = &stage->node->outputs[port];
    StageActivity before = atomic_load_explicit(&stage->activity, memory_order_relaxed);
    uint64_t started;

    if (batch == NULL || batch->count == 0) {
        OpprofBatchUnref(batch);
        return OPPROF_OK;
    }
    if ((batch->type->flags & OPPROF_RECORD_SUMMARY) != 0) {
        SummaryAdd(&stage->node->run->summary, stage, batch);
    }
    batch->sequence = atomic_fetch_add_explicit(&output->sequence, 1, memory_order_relaxed);
    stage->records_out += batch->count;
    stage->bytes_out += OpprofBatchBytes(batch);
    started = StageNow();
    atomic_store_explicit(&stage->activity_port, port, memory_order_relaxed);
    atomic_store_explicit(&stage->activity, STAGE_WAITING_ROOM, memory_order_relaxed);
    for (uint32_t i = 0; i < output->route_count; i++) {
        push_route(&output->routes[i], OpprofBatchRef(batch));
    }
    OpprofBatchUnref(batch);
    stage->wait_out_ns += StageNow() - started;
    atomic_store_explicit(&stage->activity, before, memory_order_relaxed);
    atomic_fetch_add_explicit(&stage->heartbeat, 1, memory_order_relaxed);
    return atomic_load_explicit(&stage->node->run->aborted, memory_order_relaxed) ? OPPROF_CLOSED
                                                                                  : OPPROF_OK;
}

bool OpprofStageStopRequested(const OpprofStage *stage)
{
    return atomic_load_explicit(&stage->node->run->stop_requested, memory_order_relaxed);
}

void OpprofStageProgress(OpprofStage *stage, uint64_t done, uint64_t total, const char *unit)
{
    atomic_store_explicit(&stage->progress_done, done, memory_order_relaxed);
    atomic_store_explicit(&stage->progress_total, total, memory_order_relaxed);
    atomic_store_explicit(&stage->progress_unit, unit, memory_order_relaxed);
    atomic_fetch_add_explicit(&stage->heartbeat, 1, memory_order_relaxed);
}

/* Keeps one copy of each text. Returns false when it was there already. */
static bool keep_message(StageNode *node, StageMessages *messages, const char *text)
{
    char *copy;
    bool fresh = true;

    pthread_mutex_lock(&node->lock);
    for (uint32_t i = 0; i < messages->count && fresh; i++) {
        fresh = strcmp(messages->texts[i], text) != 0;
    }
    if (fresh && messages->count < STAGE_MAX_MESSAGES && (copy = strdup(text)) != NULL) {
        messages->texts[messages->count++] = copy;
    } else if (fresh) {
        messages->dropped++;
    }
    fresh = fresh && messages->dropped == 0;
    pthread_mutex_unlock(&node->lock);
    return fresh;
}

OPPROF_PRINTF(4, 0)
static void report_message(OpprofStage *stage, StageMessages *messages, OpprofLogLevel level,
                           const char *format, va_list list)
{
    char *text = NULL;

    if (vasprintf(&text, format, list) < 0) {
        return;
    }
    if (keep_message(stage->node, messages, text)) {
        OpprofLog(level, stage->node->id, "%s", text);
    }
    free(text);
}

void OpprofStageWarn(OpprofStage *stage, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    report_message(stage, &stage->node->warnings, OPPROF_LOG_WARNING, format, list);
    va_end(list);
}

void OpprofStageIncomplete(OpprofStage *stage, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    /* The end of the run lists these, so that they are not lost above a progress bar. */
    report_message(stage, &stage->node->incomplete, OPPROF_LOG_INFO, format, list);
    va_end(list);
}

void OpprofStageCount(OpprofStage *stage, const char *name, uint64_t value)
{
    for (uint32_t i = 0; i < stage->counter_count; i++) {
        if (strcmp(stage->counters[i].name, name) == 0) {
            stage->counters[i].value += value;
            return;
        }
    }
    if (stage->counter_count < STAGE_MAX_COUNTS) {
        stage->counters[stage->counter_count++] = (StageCounter){ name, value };
    }
}

uint32_t OpprofStageIntern(OpprofStage *stage, const char *text, size_t length)
{
    return StringTableIntern(stage->node->run->strings, text, length);
}

const char *OpprofStageString(const OpprofStage *stage, uint32_t id)
{
    return StringTableGet(stage->node->run->strings, id, NULL);
}

const char *OpprofStageStringLength(const OpprofStage *stage, uint32_t id, size_t *ret_length)
{
    return StringTableGet(stage->node->run->strings, id, ret_length);
}

uint32_t OpprofStageClock(OpprofStage *stage, const OpprofClock *clock)
{
    return ClockTableDeclare(stage->node->run->clocks, clock);
}

const OpprofClock *OpprofStageClockInfo(const OpprofStage *stage, uint32_t id)
{
    return ClockTableGet(stage->node->run->clocks, id);
}

uint32_t OpprofStageTrack(OpprofStage *stage, const OpprofTrack *track)
{
    return TrackTableDeclare(stage->node->run->tracks, track);
}

const OpprofTrack *OpprofStageTrackInfo(const OpprofStage *stage, uint32_t id)
{
    return TrackTableGet(stage->node->run->tracks, id);
}

OpprofOutputDirectory *OpprofStageOutput(const OpprofStage *stage)
{
    return stage->node->run->output;
}
