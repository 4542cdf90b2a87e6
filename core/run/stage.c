/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A plugin's functions of its stage: batches, pushes, tracks, warnings. Tested by
 * tests/core/run/test_require.
 */
#include "run/stage_run.h"

#include <opprof/grow.h>
#include <opprof/log.h>
#include <opprof/present.h>
#include <opprof/text.h>
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

static _Thread_local const OpprofStage *volatile current;

void StageSetCurrent(const OpprofStage *stage)
{
    current = stage;
    RequireSetActor(stage == NULL ? NULL : stage->node->id,
                    stage == NULL ? NULL : stage->node->plugin->name);
}

const OpprofStage *StageCurrent(void)
{
    return current;
}

const char *StageCallName(const OpprofStage *stage)
{
    static const char *const names[] = {
        [STAGE_CREATING] = "create",    [STAGE_CONFIGURING] = "configure",
        [STAGE_STARTING] = "start",     [STAGE_PROCESSING] = "process",
        [STAGE_FLUSHING] = "flush",     [STAGE_STOPPING] = "stop",
        [STAGE_DESTROYING] = "destroy", [STAGE_ENDED] = NULL,
    };
    const char *name = names[atomic_load_explicit(&stage->activity, memory_order_relaxed)];

    return name != NULL ? name : "";
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

static OpprofStatus call_destroy(OpprofStage *stage, OpprofError **error)
{
    (void) error;
    atomic_store(&stage->activity, STAGE_DESTROYING);
    stage->node->plugin->ops->destroy(stage->self);
    return OPPROF_OK;
}

bool StageWasGivenUp(const OpprofStage *stage)
{
    return atomic_load(&stage->call) == STAGE_CALL_GIVEN_UP;
}

static void drop_open_batches(OpprofStage *stage)
{
    BatchLedger *before = BatchLedgerSwap(&stage->node->held);

    for (uint32_t port = 0; port < STAGE_MAX_PORTS; port++) {
        OpprofBatchUnref(stage->open[port].open.batch);
        stage->open[port] = (PortBatch){ .has_text = false };
    }
    BatchLedgerSwap(before);
}

/* Nothing of an instance is freed while a thread is inside its plugin. */
static void destroy_instance(OpprofStage *stage)
{
    if (!StageWasGivenUp(stage) && stage->created && stage->node->plugin->ops->destroy != NULL) {
        stage->node->run->hooks->call(stage, call_destroy, NULL);
    }
    if (StageWasGivenUp(stage)) {
        return;
    }
    drop_open_batches(stage);
    for (uint32_t i = 0; stage->readers != NULL && i < stage->node->input_links; i++) {
        OpprofDataStreamDetach(stage->readers[i]);
    }
    free(stage->readers);
    free(stage->streams);
    OpprofDataStreamBellDestroy(stage->bell);
    OpprofErrorDestroy(stage->error);
    free(stage);
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
    MessagesFinish(&node->warnings);
    MessagesFinish(&node->incomplete);
    pthread_mutex_destroy(&node->lock);
    ParamDestroy(node->params);
    free(node->input_ports);
    free(node->location);
    OpprofMapFinish(&node->partitions);
    free(node->instances);
    free(node->id);
    free(node);
}

static uint64_t at_least_zero(const atomic_llong *value)
{
    const long long number = atomic_load(value);

    return number > 0 ? (uint64_t) number : 0;
}

OpprofStageReport StageNodeSum(const StageNode *node)
{
    OpprofStageReport sum = { .id = node->id,
                              .plugin = node->plugin->name,
                              .instances = node->instance_count,
                              .held_peak_bytes = at_least_zero(&node->held.peak_bytes),
                              .held_bytes = at_least_zero(&node->held.bytes),
                              .held_batches = at_least_zero(&node->held.references),
                              .failed = atomic_load(&node->failed) };

    for (uint32_t i = 0; i < node->instance_count; i++) {
        const OpprofStage *stage = node->instances[i];

        sum.records_in += stage->records_in;
        sum.records_out += stage->records_out;
        sum.bytes_in += stage->bytes_in;
        sum.bytes_out += stage->bytes_out;
        sum.busy_ns += stage->busy_ns;
        sum.cpu_ns += stage->cpu_ns;
        sum.wait_in_ns += stage->wait_in_ns;
        sum.wait_out_ns += stage->wait_out_ns;
        if (stage->busy_ns > sum.busiest_ns) {
            sum.busiest_ns = stage->busy_ns;
        }
    }
    return sum;
}

OpprofStatus StageWrapError(const StageNode *node, const char *doing, OpprofError **error)
{
    return OpprofErrorWrap(error, "Stage '%s' (%s %s) failed %s", node->id, node->plugin->name,
                           node->plugin->version, doing);
}

static bool may_return(const OpprofStage *stage, OpprofStatus status, unsigned allowed)
{
    if (status == OPPROF_OK) {
        return true;
    }
    if (status == OPPROF_CLOSED && atomic_load(&stage->node->run->aborted)) {
        return true;
    }
    return status > OPPROF_OK && status < OPPROF_E_ARGUMENT &&
           (allowed & STAGE_MAY_RETURN(status)) != 0;
}

OpprofStatus StageCheckStatus(OpprofStage *stage, OpprofStatus status, unsigned allowed,
                              const char *call, OpprofError **error)
{
    if (error != NULL && *error != NULL && OpprofErrorStatus(*error) == OPPROF_CLOSED) {
        status = OPPROF_CLOSED; /* whatever the plugin made of it: its files take nothing more */
    }
    if (OpprofFailed(status)) {
        if (error != NULL && *error != NULL) {
            return status;
        }
        /* Lack of memory is reason enough. */
        return status == OPPROF_E_MEMORY
                   ? OpprofErrorSet(error, status, "The plugin's %s is out of memory", call)
                   : OpprofErrorSet(error, status,
                                    "The plugin's %s returned '%s' (%d) without a reason", call,
                                    OpprofStatusName(status), (int) status);
    }
    if (may_return(stage, status, allowed)) {
        return status;
    }
    return OpprofErrorSet(error, OPPROF_E_CONTRACT,
                          "The plugin's %s returned '%s' (%d), which it may not", call,
                          OpprofStatusName(status), (int) status);
}

static OpprofStatus create_and_configure(OpprofStage *stage, OpprofError **error)
{
    const StageNode *node = stage->node;
    const OpprofPluginOps *ops = node->plugin->ops;
    OpprofStatus status = OPPROF_OK;

    atomic_store(&stage->activity, STAGE_CREATING);
    if (ops->create != NULL) {
        status =
            StageCheckStatus(stage, ops->create(stage, &stage->self, error), 0, "create", error);
        if (status != OPPROF_OK) {
            return StageWrapError(node, "to be created", error);
        }
    }
    stage->created = true;
    atomic_store(&stage->activity, STAGE_CONFIGURING);
    if (ops->configure != NULL) {
        status = StageCheckStatus(stage, ops->configure(stage->self, node->params, error), 0,
                                  "configure", error);
        if (status != OPPROF_OK) {
            return StageWrapError(node, "to be configured", error);
        }
    }
    atomic_store(&stage->activity, STAGE_IDLE);
    return OPPROF_OK;
}

OpprofStatus StageNodeAddInstance(StageNode *node, OpprofError **error)
{
    const bool has_room = OpprofGrow32(&node->instances, &node->instance_capacity,
                                       (size_t) node->instance_count + 1, sizeof(OpprofStage *));
    OpprofStage *stage = has_room ? calloc(1, sizeof *stage) : NULL;

    if (stage == NULL) {
        return OpprofErrorNoMemory(error, "set up stage '%s'", node->id);
    }
    stage->node = node;
    stage->index = node->instance_count;
    node->instances[node->instance_count++] = stage;
    stage->bell = OpprofDataStreamBellCreate();
    if (stage->bell == NULL) {
        return OpprofErrorNoMemory(error, "set up stage '%s'", node->id);
    }
    return stage->node->run->hooks->call(stage, create_and_configure, error);
}

/* Under the lock: its number, or OPPROF_MAP_NONE without room in the table. */
static uint32_t number_partition(StageNode *node, uint32_t partition)
{
    const uint32_t number = node->partitions.count;

    node->partitions_full =
        node->partitions_full || !OpprofMapPut(&node->partitions, partition, number);
    return node->partitions_full ? OPPROF_MAP_NONE : number;
}

/*
 * In the order of arrival, so that few partitions spread evenly. A partition that found no room in
 * the table goes by its number, and so does every later one: none may change its instance.
 */
uint32_t StageNodeRoute(StageNode *node, uint32_t partition)
{
    uint32_t found;

    pthread_mutex_lock(&node->lock);
    found = OpprofMapFind(&node->partitions, partition);
    if (found == OPPROF_MAP_NONE) {
        found = number_partition(node, partition);
    }
    if (found == OPPROF_MAP_NONE) {
        found = partition;
    }
    pthread_mutex_unlock(&node->lock);
    return found % node->instance_count;
}

const char *OpprofStageId(const OpprofStage *stage)
{
    REQUIRE_STAGE(stage);
    return stage->node->id;
}

uint32_t OpprofStageInstance(const OpprofStage *stage, uint32_t *ret_count)
{
    REQUIRE_STAGE(stage);
    if (ret_count != NULL) {
        *ret_count = stage->node->instance_count;
    }
    return stage->index;
}

void OpprofStageSetShared(OpprofStage *stage, void *shared)
{
    REQUIRE_STAGE(stage);
    stage->node->shared = shared;
}

void *OpprofStageShared(const OpprofStage *stage)
{
    REQUIRE_STAGE(stage);
    return stage->node->shared;
}

OpprofStatus OpprofStageSetOutputType(OpprofStage *stage, uint32_t port,
                                      const OpprofRecordType *type, OpprofError **error)
{
    StageNode *node;

    REQUIRE_PORT(stage, port);
    node = stage->node;
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
    REQUIRE_PORT(stage, port);
    return stage->node->outputs[port].route_count > 0 || stage->node->outputs[port].is_replayed;
}

bool OpprofStageHasWriter(const OpprofStage *stage, uint32_t port)
{
    const StageNode *node;

    REQUIRE_STAGE(stage);
    node = stage->node;
    for (uint32_t i = 0; node->input_ports != NULL && i < node->input_links; i++) {
        if (node->input_ports[i] == port) {
            return true;
        }
    }
    return false;
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
            return OpprofErrorNoMemory(error, "create batches for stage '%s'", node->id);
        }
    }
    return OPPROF_OK;
}

OpprofBatch *OpprofStageNewBatch(OpprofStage *stage, uint32_t port)
{
    REQUIRE_PORT(stage, port);
    OPPROF_REQUIRE(
        "stage-batch-early", stage->node->outputs[port].pool != NULL,
        "Batches are requested in start or later, not while the stage is created or configured");

    BatchLedger *before = BatchLedgerSwap(&stage->node->held);
    OpprofBatch *batch = OpprofBatchPoolTake(stage->node->outputs[port].pool);
    BatchLedgerSwap(before);
    return batch;
}

/* A stream refuses batches only after an abort, which OpprofStagePush
 * reports once for all routes. */
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

/* Modules may each have a copy of a type; a port of tables takes any of them. */
static bool is_same_type(const OpprofRecordType *type, const OpprofRecordType *wanted)
{
    if (wanted == &opprof_tables_type) {
        return (type->flags & OPPROF_RECORD_TABLE) != 0;
    }
    return type == wanted || (type->size == wanted->size && type->version == wanted->version &&
                              strcmp(type->name, wanted->name) == 0);
}

/* Whose batches have types of their own. */
static bool is_tables_port(const OutputPort *output)
{
    return strcmp(output->type->name, opprof_tables_type.name) == 0;
}

/* In start no reader pops yet, so a push could wait for ever; after flush
 * the streams have ended. */
bool StageMayPush(const OpprofStage *stage)
{
    const int activity = atomic_load_explicit(&stage->activity, memory_order_relaxed);

    return activity == STAGE_PROCESSING || activity == STAGE_FLUSHING;
}

OpprofStatus OpprofStagePush(OpprofStage *stage, uint32_t port, OpprofBatch *batch)
{
    OutputPort *output;
    StageActivity before;
    BatchLedger *ledger;
    uint64_t started;

    REQUIRE_PORT(stage, port);
    output = &stage->node->outputs[port];
    before = atomic_load_explicit(&stage->activity, memory_order_relaxed);
    OPPROF_REQUIRE("stage-push-phase", StageMayPush(stage),
                   "Batches are pushed in process and flush only");

    if (batch == NULL || batch->count == 0) {
        OpprofBatchUnref(batch);
        return OPPROF_OK;
    }
    OPPROF_REQUIRE("stage-push-type",
                   is_same_type(batch->type, output->type) || is_tables_port(output),
                   "The batch is of the port's record type");
    OPPROF_REQUIRE("stage-push-once", BatchBeginPush(batch),
                   "A batch is pushed once, and not by its readers");
    if ((batch->type->flags & OPPROF_RECORD_SUMMARY) != 0 && !output->is_filtered) {
        stage->node->run->hooks->summarise(stage, batch);
    }
    batch->sequence = atomic_fetch_add_explicit(&output->sequence, 1, memory_order_relaxed);
    stage->records_out += batch->count;
    stage->bytes_out += OpprofBatchBytes(batch);
    started = StageNow();
    ledger = BatchLedgerSwap(NULL); /* what follows is the run's */
    BatchLedgerPass(&stage->node->held, (long long) OpprofBatchBytes(batch));
    atomic_store_explicit(&stage->activity_port, port, memory_order_relaxed);
    atomic_store_explicit(&stage->activity, STAGE_WAITING_ROOM, memory_order_relaxed);
    for (uint32_t i = 0; i < output->route_count; i++) {
        push_route(&output->routes[i], OpprofBatchRef(batch));
    }
    OpprofBatchUnref(batch);
    BatchLedgerSwap(ledger);
    stage->wait_out_ns += StageNow() - started;
    atomic_store_explicit(&stage->activity, before, memory_order_relaxed);
    atomic_fetch_add_explicit(&stage->heartbeat, 1, memory_order_relaxed);
    return atomic_load_explicit(&stage->node->run->aborted, memory_order_relaxed) ? OPPROF_CLOSED
                                                                                  : OPPROF_OK;
}

uint32_t OpprofStageLink(const OpprofStage *stage)
{
    REQUIRE_STAGE(stage);
    return stage->link;
}

bool OpprofStageStopRequested(const OpprofStage *stage)
{
    REQUIRE_STAGE(stage);
    return atomic_load_explicit(&stage->node->run->stop_requested, memory_order_relaxed);
}

bool OpprofStageStopFromTerminal(const OpprofStage *stage)
{
    REQUIRE_STAGE(stage);
    return atomic_load(&stage->node->run->stop_from_terminal);
}

void OpprofStageProgress(OpprofStage *stage, uint64_t done, uint64_t total, const char *unit)
{
    REQUIRE_STAGE(stage);
    atomic_store_explicit(&stage->progress_done, done, memory_order_relaxed);
    atomic_store_explicit(&stage->progress_total, total, memory_order_relaxed);
    atomic_store_explicit(&stage->progress_unit, unit, memory_order_relaxed);
    atomic_fetch_add_explicit(&stage->heartbeat, 1, memory_order_relaxed);
}

OPPROF_PRINTF(4, 0)
static void report_message(OpprofStage *stage, StageMessages *messages, OpprofLogLevel level,
                           const char *format, va_list list)
{
    char *text = NULL;
    bool is_first = false;

    if (vasprintf(&text, format, list) < 0) {
        text = NULL;
    }
    pthread_mutex_lock(&stage->node->lock);
    if (text == NULL) {
        messages
            ->dropped++; /* still counts: a result that lacks something is never called complete */
    } else {
        OpprofTextTame(text, false);
        is_first = MessagesKeep(messages, format, text);
    }
    pthread_mutex_unlock(&stage->node->lock);
    if (text != NULL) { /* The end of the run counts the others of its kind. */
        OpprofLog(is_first ? level : OPPROF_LOG_DEBUG, stage->node->id, "%s", text);
    }
    free(text);
}

void OpprofStageWarn(OpprofStage *stage, const char *format, ...)
{
    va_list list;

    REQUIRE_STAGE(stage);
    OPPROF_REQUIRE("stage-message", format != NULL, "A message has a format");
    va_start(list, format);
    report_message(stage, &stage->node->warnings, OPPROF_LOG_WARNING, format, list);
    va_end(list);
}

void OpprofStageIncomplete(OpprofStage *stage, const char *format, ...)
{
    va_list list;

    REQUIRE_STAGE(stage);
    OPPROF_REQUIRE("stage-message", format != NULL, "A message has a format");
    va_start(list, format);
    /* The end of the run lists these, so that they are not lost above a progress bar. */
    report_message(stage, &stage->node->incomplete, OPPROF_LOG_INFO, format, list);
    va_end(list);
}

void OpprofStageCount(OpprofStage *stage, const char *name, uint64_t value)
{
    REQUIRE_STAGE(stage);
    OPPROF_REQUIRE("stage-count-name", name != NULL, "A count has a name");
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
    REQUIRE_STAGE(stage);
    OPPROF_REQUIRE("stage-text-given", text != NULL || length == 0,
                   "A text is NULL only if its length is 0");
    return StringTableIntern(stage->node->run->strings, text, length);
}

const char *OpprofStageString(const OpprofStage *stage, uint32_t id)
{
    REQUIRE_STAGE(stage);
    return StringTableGet(stage->node->run->strings, id, NULL);
}

const char *OpprofStageStringLength(const OpprofStage *stage, uint32_t id, size_t *ret_length)
{
    REQUIRE_STAGE(stage);
    return StringTableGet(stage->node->run->strings, id, ret_length);
}

uint32_t OpprofStageClock(OpprofStage *stage, const OpprofClock *clock)
{
    REQUIRE_STAGE(stage);
    OPPROF_REQUIRE("stage-clock-given", clock != NULL, "The clock is given");
    return ClockTableDeclare(stage->node->run->clocks, clock);
}

const OpprofClock *OpprofStageClockInfo(const OpprofStage *stage, uint32_t id)
{
    REQUIRE_STAGE(stage);
    return ClockTableGet(stage->node->run->clocks, id);
}

uint32_t OpprofStageTrack(OpprofStage *stage, const OpprofTrack *track)
{
    REQUIRE_STAGE(stage);
    OPPROF_REQUIRE("stage-track-given", track != NULL, "The track is given");
    return TrackTableDeclare(stage->node->run->tracks, track);
}

const OpprofTrack *OpprofStageTrackInfo(const OpprofStage *stage, uint32_t id)
{
    REQUIRE_STAGE(stage);
    return TrackTableGet(stage->node->run->tracks, id);
}

const char *OpprofStageTrackLabel(const OpprofStage *stage, uint32_t id)
{
    REQUIRE_STAGE(stage);
    return TrackTableLabel(stage->node->run->tracks, id);
}

const char *OpprofStageTitle(const OpprofStage *stage)
{
    REQUIRE_STAGE(stage);
    return stage->node->run->title;
}

OpprofOutputDirectory *OpprofStageOutput(const OpprofStage *stage)
{
    REQUIRE_STAGE(stage);
    return stage->node->output;
}
