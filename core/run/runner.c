/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a graph: instances, streams and threads of its stages. Tested by
 * tests/core/run/test_runner. */
#include "run/runner.h"

#include "base/log_wanted.h"
#include "output/output.h"
#include "run/stage_run.h"

#include <opprof/grow.h>
#include <opprof/json.h>

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define AGAIN_NS 1000000 /* a collector with nothing to give is asked again after this */
#define MAX_INSTANCES 64

/* ---- one instance's thread ---- */

static bool is_collector(const StageNode *node)
{
    return node->plugin->kind == OPPROF_COLLECTOR;
}

static void set_activity(OpprofStage *stage, StageActivity activity, uint32_t port)
{
    atomic_store_explicit(&stage->activity_port, port, memory_order_relaxed);
    atomic_store_explicit(&stage->activity, activity, memory_order_relaxed);
    /* Released for the main thread, which reads counts of a stage that it gave up. */
    atomic_fetch_add_explicit(&stage->heartbeat, 1, memory_order_release);
}

static void merge_end(OpprofStage *stage, OpprofDataStreamEnd end)
{
    if (end > stage->end) {
        stage->end = end;
    }
}

/* A call into the plugin. */
typedef struct Call {
    uint64_t started;
    uint64_t waited;
} Call;

static Call enter_call(OpprofStage *stage, StageActivity activity, uint32_t port)
{
    const Call call = { StageNow(), stage->wait_out_ns };

    set_activity(stage, activity, port);
    atomic_store(&stage->call, STAGE_CALL_INSIDE);
    BatchLedgerSwap(&stage->node->held);
    return call;
}

/* Accounts the time of the call, without what it waited for room. False when the run has given the
 * instance up: nothing of it may be touched any more. */
static bool leave_call(OpprofStage *stage, const Call *call)
{
    StageCall inside = STAGE_CALL_INSIDE;

    BatchLedgerSwap(NULL);
    if (!atomic_compare_exchange_strong(&stage->call, &inside, STAGE_CALL_NONE)) {
        return false;
    }
    stage->busy_ns += StageNow() - call->started - (stage->wait_out_ns - call->waited);
    return true;
}

/* Says whose data the stage could not take. */
static OpprofStatus name_batch(OpprofStage *stage, uint32_t port, const OpprofBatch *batch)
{
    const char *whose = batch->partition == 0 ? NULL : OpprofStageString(stage, batch->partition);

    return OpprofErrorWrap(&stage->error, "Cannot take a batch of %s%s%s at input '%s'",
                           whose == NULL ? "the run" : "'", whose == NULL ? "" : whose,
                           whose == NULL ? "" : "'", stage->node->plugin->inputs[port].name);
}

static OpprofStatus call_process(OpprofStage *stage, uint32_t port, const OpprofBatch *batch)
{
    const Call call = enter_call(stage, STAGE_PROCESSING, port);
    OpprofStatus status =
        stage->node->plugin->ops->process(stage->self, port, batch, &stage->error);

    if (!leave_call(stage, &call)) {
        return OPPROF_CLOSED;
    }
    /* From a consumer END and AGAIN mean no more than OK: it has taken the batch. */
    status = StageCheckStatus(stage, status,
                              STAGE_MAY_RETURN(OPPROF_END) | STAGE_MAY_RETURN(OPPROF_AGAIN),
                              "process", &stage->error);
    return OpprofFailed(status) && batch != NULL ? name_batch(stage, port, batch) : status;
}

static OpprofStatus run_collector(OpprofStage *stage)
{
    OpprofStatus status = OPPROF_OK;

    while (status == OPPROF_OK || status == OPPROF_AGAIN) {
        if (OpprofStageStopRequested(stage)) {
            merge_end(stage, OPPROF_DATA_STREAM_CUT);
            return OPPROF_OK;
        }
        status = call_process(stage, 0, NULL);
        if (status == OPPROF_AGAIN) {
            nanosleep(&(struct timespec){ .tv_nsec = AGAIN_NS }, NULL);
        }
    }
    return status == OPPROF_END ? OPPROF_OK : status;
}

static OpprofStatus take_batch(OpprofStage *stage, uint32_t which, OpprofBatch *batch)
{
    OpprofStatus status;

    stage->records_in += batch->count;
    stage->bytes_in += OpprofBatchBytes(batch);
    stage->link = which;
    status = call_process(stage, stage->node->input_ports[which], batch);
    OpprofBatchUnref(batch);
    return OpprofFailed(status) || status == OPPROF_CLOSED ? status : OPPROF_OK;
}

static void end_reader(OpprofStage *stage, uint32_t which, OpprofDataStream *stream)
{
    merge_end(stage, OpprofDataStreamEndState(stream));
    OpprofDataStreamDetach(stage->readers[which]);
    stage->readers[which] = NULL;
}

static OpprofStatus run_consumer(OpprofStage *stage)
{
    StageNode *node = stage->node;

    for (;;) {
        uint64_t started = StageNow();
        uint32_t which = 0;
        OpprofBatch *batch = NULL;
        OpprofStatus status;

        set_activity(stage, STAGE_WAITING_INPUT, 0);
        status = OpprofDataStreamPopAny(stage->readers, node->input_links, &which, &batch);
        stage->wait_in_ns += StageNow() - started;
        if (status == OPPROF_OK) {
            status = take_batch(stage, which, batch);
        } else if (status == OPPROF_END) {
            end_reader(stage, which, stage->streams[which]);
            status = OPPROF_OK;
        } else if (status == OPPROF_E_ARGUMENT) {
            return OPPROF_OK; /* no reader is left: all inputs have ended */
        } else if (status == OPPROF_AGAIN) {
            status = OPPROF_OK;
        }
        if (status != OPPROF_OK) {
            return status;
        }
    }
}

static OpprofStatus call_flush(OpprofStage *stage)
{
    OpprofStatus status;
    Call call;

    if (stage->node->plugin->ops->flush == NULL) {
        return OPPROF_OK;
    }
    call = enter_call(stage, STAGE_FLUSHING, 0);
    status = stage->node->plugin->ops->flush(stage->self, &stage->error);
    if (!leave_call(stage, &call)) {
        return OPPROF_CLOSED;
    }
    return StageCheckStatus(stage, status, 0, "flush", &stage->error);
}

/* Records appended before a failure are good and are not lost. */
static OpprofStatus push_open_batches(OpprofStage *stage, OpprofStatus status)
{
    OpprofStatus pushed = OPPROF_CLOSED;

    if (status != OPPROF_CLOSED) {
        set_activity(stage, STAGE_FLUSHING, 0);
        pushed = AppendPushAll(stage);
    }
    return status == OPPROF_OK ? pushed : status;
}

/* The first critical stage that fails is the run's failure. */
static void mark_failed(OpprofStage *stage)
{
    StageNode *node = stage->node;
    StageNode *none = NULL;

    atomic_store(&node->failed, true);
    merge_end(stage, OPPROF_DATA_STREAM_FAILED);
    if (node->critical) {
        atomic_compare_exchange_strong(&node->run->pipeline->first_failure, &none, node);
    }
}

static void note_failure(OpprofStage *stage, const char *doing)
{
    StageWrapError(stage->node, doing, &stage->error);
    mark_failed(stage);
    if (stage->node->critical) {
        atomic_store(&stage->node->run->stop_requested, true);
    }
}

static void shut_outputs(StageNode *node, OpprofDataStreamEnd end)
{
    for (uint32_t port = 0; port < node->plugin->output_count; port++) {
        OutputPort *output = &node->outputs[port];
        for (uint32_t r = 0; r < output->route_count; r++) {
            for (uint32_t s = 0; s < output->routes[r].stream_count; s++) {
                DataStreamShutdown(output->routes[r].streams[s], end);
            }
        }
    }
}

/* The last instance of a stage ends the stage's streams, with the worst end of all instances. */
static void leave_stage(OpprofStage *stage)
{
    StageNode *node = stage->node;
    int end = stage->end > OPPROF_DATA_STREAM_COMPLETE ? (int) stage->end
                                                       : (int) OPPROF_DATA_STREAM_COMPLETE;
    int seen = atomic_load(&node->end);

    while (seen < end && !atomic_compare_exchange_weak(&node->end, &seen, end)) {
    }
    if (atomic_fetch_sub(&node->running, 1) == 1) {
        shut_outputs(node, (OpprofDataStreamEnd) atomic_load(&node->end));
    }
}

static uint64_t thread_cpu_ns(void)
{
    struct timespec used;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return (uint64_t) used.tv_sec * 1000000000u + (uint64_t) used.tv_nsec;
}

static void detach_readers(OpprofStage *stage)
{
    for (uint32_t i = 0; i < stage->node->input_links; i++) {
        OpprofDataStreamDetach(stage->readers[i]);
        stage->readers[i] = NULL;
    }
}

static void leave_run(OpprofStage *stage)
{
    detach_readers(stage);
    leave_stage(stage);
}

static void run_instance(OpprofStage *stage)
{
    const char *doing = "while it processed its input";
    OpprofStatus status = is_collector(stage->node) ? run_collector(stage) : run_consumer(stage);

    if (status == OPPROF_OK) {
        doing = "while it wrote what it held (flush)";
        status = call_flush(stage);
    }
    if (StageWasGivenUp(stage)) {
        return;
    }
    status = push_open_batches(stage, status);
    if (OpprofFailed(status)) {
        note_failure(stage, doing);
    } else if (status == OPPROF_CLOSED) {
        merge_end(stage, OPPROF_DATA_STREAM_ABORT);
    }
    stage->status = status;
    leave_run(stage);
    stage->cpu_ns = thread_cpu_ns();
    set_activity(stage, STAGE_ENDED, 0);
    atomic_fetch_sub(&stage->node->run->pipeline->threads, 1);
    WakeRing(&stage->node->run->pipeline->wake);
}

static void *instance_main(void *argument)
{
    OpprofStage *stage = argument;
    const RunHooks *hooks = stage->node->run->hooks;
    void *stack = hooks->begin_thread();

    StageSetCurrent(stage);
    run_instance(stage);
    StageSetCurrent(NULL);
    hooks->end_thread(stack);
    return NULL;
}

/* ---- setting up ---- */

static uint32_t processor_count(void)
{
    cpu_set_t set;
    int count = 1;

    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        count = CPU_COUNT(&set);
    }
    if (count < 1) {
        count = 1;
    }
    return count > MAX_INSTANCES ? MAX_INSTANCES : (uint32_t) count;
}

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "set up the run");
}

static OpprofStatus make_instances(OpprofPipeline *pipeline, OpprofError **error)
{
    const uint32_t processors = processor_count();

    for (uint32_t n = 0; n < pipeline->node_count; n++) {
        StageNode *node = pipeline->nodes[n];
        bool many =
            (node->plugin->flags & (OPPROF_PLUGIN_PARTITIONED | OPPROF_PLUGIN_PARALLEL)) != 0;
        OpprofStatus status = StageNodeCreatePools(node, error);

        while (status == OPPROF_OK && node->instance_count < (many ? processors : 1)) {
            status = StageNodeAddInstance(node, error);
        }
        if (status != OPPROF_OK) {
            return status;
        }
    }
    return OPPROF_OK;
}

/* Room for every instance's readers, once the number of links into each stage is known. */
static OpprofStatus make_reader_tables(OpprofPipeline *pipeline, OpprofError **error)
{
    for (size_t i = 0; i < pipeline->graph.link_count; i++) {
        pipeline->nodes[pipeline->graph.links[i].to_stage]->input_links++;
    }
    for (uint32_t n = 0; n < pipeline->node_count; n++) {
        StageNode *node = pipeline->nodes[n];

        node->input_ports = calloc(node->input_links + 1, sizeof *node->input_ports);
        if (node->input_ports == NULL) {
            return no_memory(error);
        }
        for (uint32_t i = 0; i < node->instance_count; i++) {
            OpprofStage *stage = node->instances[i];

            stage->readers = calloc(node->input_links + 1, sizeof(OpprofDataStreamReader *));
            stage->streams = calloc(node->input_links + 1, sizeof(OpprofDataStream *));
            if (stage->readers == NULL || stage->streams == NULL) {
                return no_memory(error);
            }
        }
    }
    return OPPROF_OK;
}

static Route *find_route(OutputPort *output, const StageNode *consumer)
{
    for (uint32_t i = 0; i < output->route_count; i++) {
        if (output->routes[i].consumer == consumer) {
            return &output->routes[i];
        }
    }
    return NULL;
}

static Route *add_route(OpprofPipeline *pipeline, OutputPort *output, StageNode *consumer,
                        uint32_t streams)
{
    const OpprofDataStreamOptions options = { .max_batches = pipeline->queue_items,
                                              .max_bytes = (size_t) pipeline->queue_bytes,
                                              .budget = pipeline->budget };
    Route *route;

    if (!OpprofGrow32(&output->routes, &output->route_capacity, (size_t) output->route_count + 1,
                      sizeof *output->routes)) {
        return NULL;
    }
    route = &output->routes[output->route_count];
    *route =
        (Route){ .consumer = consumer, .streams = calloc(streams, sizeof(OpprofDataStream *)) };
    if (route->streams == NULL) {
        return NULL;
    }
    output->route_count++;
    while (route->stream_count < streams) {
        OpprofDataStream *stream = OpprofDataStreamCreate(&options);
        if (stream == NULL) {
            return NULL;
        }
        route->streams[route->stream_count++] = stream;
    }
    return route;
}

static bool gives(const StageNode *node, const OpprofRecordType *type)
{
    for (uint32_t port = 0; port < node->plugin->output_count; port++) {
        const OpprofRecordType *given = node->outputs[port].type;

        if (given != NULL && strcmp(given->name, type->name) == 0) {
            return true;
        }
    }
    return false;
}

static OpprofStatus make_link(OpprofPipeline *pipeline, const GraphLink *link, uint32_t slot,
                              OpprofError **error)
{
    OutputPort *output = &pipeline->nodes[link->from_stage]->outputs[link->from_port];
    StageNode *consumer = pipeline->nodes[link->to_stage];
    bool routed = consumer->instance_count > 1;
    Route *route = find_route(output, routed ? consumer : NULL);

    if (route == NULL) {
        route = add_route(pipeline, output, routed ? consumer : NULL,
                          routed ? consumer->instance_count : 1);
    }
    if (route == NULL) {
        return no_memory(error);
    }
    output->is_filtered = output->is_filtered || gives(consumer, output->type);
    consumer->input_ports[slot] = link->to_port;
    for (uint32_t i = 0; i < consumer->instance_count; i++) {
        OpprofStage *stage = consumer->instances[i];

        stage->streams[slot] = route->streams[routed ? i : 0];
        stage->readers[slot] = OpprofDataStreamAttach(stage->streams[slot], stage->bell);
        if (stage->readers[slot] == NULL) {
            return no_memory(error);
        }
    }
    return OPPROF_OK;
}

static OpprofStatus make_links(OpprofPipeline *pipeline, OpprofError **error)
{
    OpprofStatus status = make_reader_tables(pipeline, error);
    uint32_t slot = 0;

    pipeline->budget = OpprofDataStreamBudgetCreate((size_t) pipeline->queue_budget);
    if (status != OPPROF_OK || pipeline->budget == NULL) {
        return status != OPPROF_OK ? status : no_memory(error);
    }
    for (size_t i = 0; i < pipeline->graph.link_count && status == OPPROF_OK; i++) {
        const GraphLink *link = &pipeline->graph.links[i];
        bool same = i > 0 && link[-1].to_stage == link->to_stage; /* links are sorted by consumer */

        slot = same ? slot + 1 : 0;
        status = make_link(pipeline, link, slot, error);
    }
    return status;
}

/* ---- starting and stopping ---- */

/* The plugin set an error but returned OPPROF_OK: the run is incomplete, and goes on. */
static void note_left_error(OpprofStage *stage, OpprofError **error)
{
    if (error != NULL && *error != NULL) {
        OpprofStageIncomplete(stage, "%s", OpprofErrorLine(*error));
        OpprofErrorDestroy(*error);
        *error = NULL;
    }
}

static OpprofStatus start_instance(OpprofStage *stage, OpprofError **error)
{
    const OpprofPluginOps *ops = stage->node->plugin->ops;
    OpprofStatus status = OPPROF_OK;

    set_activity(stage, STAGE_STARTING, 0);
    if (ops->start != NULL) {
        status = StageCheckStatus(stage, ops->start(stage->self, error), 0, "start", error);
    }
    if (OpprofFailed(status)) {
        return StageWrapError(stage->node, "to start", error);
    }
    note_left_error(stage, error);
    stage->started = true;
    set_activity(stage, STAGE_IDLE, 0);
    return OPPROF_OK;
}

/* Without a call to another thread where the plugin has nothing to do. */
static OpprofStatus start(OpprofStage *stage, OpprofError **error)
{
    return stage->node->plugin->ops->start != NULL
               ? stage->node->run->hooks->call(stage, start_instance, error)
               : start_instance(stage, error);
}

/* Consumers first, so that nothing is pushed at a stage that is not ready. */
static OpprofStatus start_stages(OpprofPipeline *pipeline, OpprofError **error)
{
    for (uint32_t n = pipeline->node_count; n > 0; n--) {
        StageNode *node = pipeline->nodes[pipeline->graph.order[n - 1]];

        for (uint32_t i = 0; i < node->instance_count; i++) {
            const OpprofStatus status = start(node->instances[i], error);

            if (status != OPPROF_OK) {
                return status;
            }
        }
    }
    return OPPROF_OK;
}

static OpprofStatus call_stop(OpprofStage *stage, OpprofError **error)
{
    const OpprofPluginOps *ops = stage->node->plugin->ops;
    OpprofStatus status = OPPROF_OK;

    set_activity(stage, STAGE_STOPPING, 0);
    if (ops->stop != NULL) {
        status = StageCheckStatus(stage, ops->stop(stage->self, error), 0, "stop", error);
    }
    if (!OpprofFailed(status)) {
        note_left_error(stage, error);
    }
    set_activity(stage, STAGE_ENDED, 0);
    return status;
}

/* All others go on as if the instance had failed; its thread stays inside the plugin. */
static void note_given_up(OpprofStage *stage, const char *call)
{
    const OpprofPlugin *plugin = stage->node->plugin;

    OpprofStageIncomplete(stage,
                          "%s %s did not come back from %s after the timeout, and was given up",
                          plugin->name, plugin->version, call);
    mark_failed(stage);
}

void RunnerGiveUp(OpprofStage *stage)
{
    StageCall inside = STAGE_CALL_INSIDE;
    OpprofPipeline *pipeline = stage->node->run->pipeline;

    if (!atomic_compare_exchange_strong(&stage->call, &inside, STAGE_CALL_GIVEN_UP)) {
        return; /* it came back after all */
    }
    pipeline->given_up++;
    note_given_up(stage, atomic_load(&stage->activity) == STAGE_FLUSHING ? "flush" : "process");
    leave_run(stage);
    atomic_fetch_sub(&pipeline->threads, 1);
}

static void stop_instance(OpprofStage *stage)
{
    OpprofStatus status;
    OpprofError *error = NULL;

    if (!stage->started || StageWasGivenUp(stage)) {
        return;
    }
    stage->started = false;
    status = stage->node->plugin->ops->stop != NULL
                 ? stage->node->run->hooks->call(stage, call_stop, &error)
                 : call_stop(stage, &error);
    if (StageWasGivenUp(stage)) {
        note_given_up(stage, "stop");
    } else if (OpprofFailed(status) && stage->error == NULL) {
        stage->error = error;
        error = NULL;
        stage->status = status;
        note_failure(stage, "to stop");
    }
    OpprofErrorDestroy(error);
}

static void stop_stages(OpprofPipeline *pipeline)
{
    for (uint32_t n = 0; n < pipeline->node_count; n++) {
        StageNode *node = pipeline->nodes[pipeline->graph.order[n]];

        for (uint32_t i = node->instance_count; i > 0; i--) {
            stop_instance(node->instances[i - 1]);
        }
    }
}

void RunnerAbort(OpprofPipeline *pipeline)
{
    atomic_store(&pipeline->run.aborted, true);
    atomic_store(&pipeline->run.stop_requested, true);
    for (uint32_t n = 0; n < pipeline->node_count; n++) {
        shut_outputs(pipeline->nodes[n], OPPROF_DATA_STREAM_ABORT);
    }
    OutputDirectoryAbandon(pipeline->run.output);
}

/* Threads are counted before any runs, so that no stage's streams end while siblings are still to
 * come. */
static uint32_t count_threads(OpprofPipeline *pipeline)
{
    uint32_t count = 0;

    for (uint32_t n = 0; n < pipeline->node_count; n++) {
        atomic_store(&pipeline->nodes[n]->running, pipeline->nodes[n]->instance_count);
        count += pipeline->nodes[n]->instance_count;
    }
    atomic_store(&pipeline->threads, count);
    return count;
}

/* Threads inherit the mask: signals that end or stop the program go to the main thread alone. */
int RunnerCreateThread(pthread_t *ret_thread, void *(*function)(void *), void *argument)
{
    static const int of_a_thread[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS };
    sigset_t blocked, before;
    int failure;

    sigfillset(&blocked);
    for (size_t i = 0; i < sizeof of_a_thread / sizeof of_a_thread[0]; i++) {
        sigdelset(&blocked, of_a_thread[i]);
    }
    pthread_sigmask(SIG_SETMASK, &blocked, &before);
    failure = pthread_create(ret_thread, NULL, function, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failure;
}

static OpprofStatus start_thread(OpprofStage *stage, OpprofError **error)
{
    int failure = RunnerCreateThread(&stage->thread, instance_main, stage);

    if (failure != 0) {
        OpprofErrorSet(error, OPPROF_E_MEMORY, "Cannot start a thread for stage '%s': %s",
                       stage->node->id, strerror(failure));
        OpprofErrorHint(error, "Look at the limits of processes and memory (ulimit -u, ulimit -v)");
        return OPPROF_E_MEMORY;
    }
    return OPPROF_OK;
}

OpprofStatus RunnerStartThreads(OpprofPipeline *pipeline, uint32_t *ret_started,
                                OpprofError **error)
{
    uint32_t left = count_threads(pipeline);

    for (uint32_t n = pipeline->node_count; n > 0; n--) {
        StageNode *node = pipeline->nodes[pipeline->graph.order[n - 1]];

        for (uint32_t i = 0; i < node->instance_count; i++, left--, (*ret_started)++) {
            OpprofStatus status = start_thread(node->instances[i], error);
            if (status != OPPROF_OK) {
                atomic_fetch_sub(&pipeline->threads, left);
                RunnerAbort(pipeline);
                return status;
            }
        }
    }
    return OPPROF_OK;
}

static void log_start(const StageNode *node)
{
    if (!LogIsWanted(OPPROF_LOG_INFO, node->id)) {
        return;
    }
    json_t *params = ParamToJson(node->params);
    char *text = params == NULL ? NULL : OpprofJsonText(params, JSON_COMPACT | JSON_ENSURE_ASCII);

    OpprofLog(OPPROF_LOG_INFO, node->id, "Started %s %s: threads=%" PRIu32 ", params=%s, module=%s",
              node->plugin->name, node->plugin->version, node->instance_count,
              text != NULL ? text : "?",
              node->plugin_path != NULL ? node->plugin_path : "built in");
    free(text);
    json_decref(params);
}

/* The narrative of -v: a line per stage before the run, and one after it. */
static void log_starts(const OpprofPipeline *pipeline)
{
    for (uint32_t n = 0; n < pipeline->node_count; n++) {
        log_start(pipeline->nodes[n]);
    }
}

/* ", name=value" for each count of the stage, all instances together; cut where the room ends. */
static void print_counts(const StageNode *node, char *out, size_t size)
{
    StageCounter sums[STAGE_MAX_COUNTS];
    uint32_t count = 0;
    size_t used = 0;

    out[0] = '\0';
    for (uint32_t i = 0; i < node->instance_count; i++) {
        const OpprofStage *stage = node->instances[i];

        for (uint32_t c = 0; c < stage->counter_count; c++) {
            uint32_t at = 0;

            while (at < count && strcmp(sums[at].name, stage->counters[c].name) != 0) {
                at++;
            }
            if (at < count) {
                sums[at].value += stage->counters[c].value;
            } else if (count < STAGE_MAX_COUNTS) {
                sums[count++] = stage->counters[c];
            }
        }
    }
    for (uint32_t i = 0; i < count && used < size; i++) {
        used += (size_t) snprintf(out + used, size - used, ", %s=%" PRIu64, sums[i].name,
                                  sums[i].value);
    }
}

static void log_ends(const OpprofPipeline *pipeline)
{
    for (uint32_t n = 0; n < pipeline->node_count; n++) {
        const StageNode *node = pipeline->nodes[n];
        const OpprofStageReport sum = StageNodeSum(node);
        char counts[1024];

        print_counts(node, counts, sizeof counts);
        OpprofLog(OPPROF_LOG_INFO, node->id,
                  "Ended: records_in=%" PRIu64 ", records_out=%" PRIu64 "%s%s", sum.records_in,
                  sum.records_out, counts, sum.failed ? ", failed" : "");
    }
}

void RunnerJoinThreads(OpprofPipeline *pipeline, uint32_t started)
{
    for (uint32_t n = pipeline->node_count; n > 0; n--) {
        StageNode *node = pipeline->nodes[pipeline->graph.order[n - 1]];

        for (uint32_t i = 0; i < node->instance_count && started > 0; i++, started--) {
            OpprofStage *stage = node->instances[i];

            if (StageWasGivenUp(stage)) {
                pthread_detach(stage->thread);
            } else {
                pthread_join(stage->thread, NULL);
            }
        }
    }
    log_ends(pipeline);
}

OpprofStatus RunnerStart(OpprofPipeline *pipeline, OpprofError **error)
{
    OpprofStatus status = make_instances(pipeline, error);

    if (status == OPPROF_OK) {
        status = make_links(pipeline, error);
    }
    pipeline->started_ns = pipeline->now();
    if (status == OPPROF_OK) {
        status = start_stages(pipeline, error);
    }
    if (status == OPPROF_OK) {
        log_starts(pipeline);
    }
    return status;
}

void RunnerStop(OpprofPipeline *pipeline)
{
    stop_stages(pipeline);
    pipeline->ended_ns = pipeline->now();
}
