/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The main thread while stages run: requests to stop, the timeout, progress, and stages without a
 * sign of life. Tested by tests/core/run/test_runner.
 */
#include "guard/watchdog.h"

#include "output/output.h"
#include "report/progress.h"
#include "run/runner.h"

#include <opprof/log.h>
#include <stdlib.h>

#define TICK_MS 100
#define LONGEST_TICK_NS (UINT64_C(10) * TICK_MS * 1000000)

/* State of an instance. */
typedef struct WatchState {
    uint64_t heartbeat; /* and what its stage wrote */
    uint64_t since_ns;
    bool is_warned;
} WatchState;

static bool is_working(const OpprofStage *stage)
{
    StageActivity activity = atomic_load_explicit(&stage->activity, memory_order_relaxed);

    return activity == STAGE_PROCESSING || activity == STAGE_FLUSHING ||
           activity == STAGE_WAITING_ROOM;
}

static bool has_working_instance(const StageNode *node)
{
    for (uint32_t i = 0; i < node->instance_count; i++) {
        if (is_working(node->instances[i])) {
            return true;
        }
    }
    return false;
}

/* Name of the consumer of a port that leaves it full: one that waits for input has read all it
 * could. */
static const char *slowest_consumer(const OpprofPipeline *pipeline, const StageNode *node,
                                    uint32_t port)
{
    const StageNode *slowest = NULL;

    for (size_t i = 0; i < pipeline->graph.link_count; i++) {
        const GraphLink *link = &pipeline->graph.links[i];
        const StageNode *consumer = pipeline->nodes[link->to_stage];

        if (pipeline->nodes[link->from_stage] == node && link->from_port == port &&
            (slowest == NULL || has_working_instance(consumer))) {
            slowest = consumer;
        }
    }
    return slowest != NULL ? slowest->id : "?";
}

static void warn_stalled(const OpprofPipeline *pipeline, const OpprofStage *stage, double seconds)
{
    const StageNode *node = stage->node;
    const OpprofPlugin *plugin = node->plugin;
    const int activity = atomic_load_explicit(&stage->activity, memory_order_relaxed);
    const uint32_t port = atomic_load_explicit(&stage->activity_port, memory_order_relaxed);

    if (activity == STAGE_WAITING_ROOM) {
        OpprofLog(OPPROF_LOG_WARNING, node->id,
                  "No progress for %.0f s: the link '%s.%s' -> '%s' is full", seconds, node->id,
                  plugin->outputs[port].name, slowest_consumer(pipeline, node, port));
    } else if (activity == STAGE_PROCESSING && plugin->input_count > 0) {
        OpprofLog(OPPROF_LOG_WARNING, node->id,
                  "No progress for %.0f s: %s %s is still in process with a batch of its port '%s'",
                  seconds, plugin->name, plugin->version, plugin->inputs[port].name);
    } else if (activity == STAGE_PROCESSING || activity == STAGE_FLUSHING) {
        OpprofLog(OPPROF_LOG_WARNING, node->id, "No progress for %.0f s: %s %s is still in %s",
                  seconds, plugin->name, plugin->version,
                  activity == STAGE_PROCESSING ? "one call of process" : "flush");
    }
}

/* Acquires what the thread did before its last heartbeat. What it writes to files counts, too. */
static uint64_t signs_of_life(const OpprofStage *stage)
{
    uint64_t heartbeat = atomic_load_explicit(&stage->heartbeat, memory_order_acquire);

    return heartbeat +
           (stage->node->output != NULL ? OutputDirectoryBytes(stage->node->output) : 0);
}

static bool is_silent(const OpprofStage *stage, const WatchState *state, uint64_t since_ns)
{
    StageActivity activity = atomic_load_explicit(&stage->activity, memory_order_relaxed);

    return (activity == STAGE_PROCESSING || activity == STAGE_FLUSHING) && state->since_ns != 0 &&
           state->since_ns <= since_ns && state->heartbeat == signs_of_life(stage);
}

/* One warning for each time that a stage gets stuck; a stage that waits for input is never at
 * fault. */
static void check_instance(const OpprofPipeline *pipeline, const OpprofStage *stage,
                           WatchState *state, uint64_t now_ns)
{
    uint64_t heartbeat = signs_of_life(stage);

    if (heartbeat != state->heartbeat || state->since_ns == 0 || !is_working(stage)) {
        *state = (WatchState){ .heartbeat = heartbeat, .since_ns = now_ns };
        return;
    }
    if (!state->is_warned && now_ns - state->since_ns >= pipeline->watchdog_ns) {
        state->is_warned = true;
        warn_stalled(pipeline, stage, (double) (now_ns - state->since_ns) / 1e9);
    }
}

static void check_instances(OpprofPipeline *pipeline, WatchState *states, uint64_t now_ns)
{
    for (uint32_t n = 0; n < pipeline->node_count; n++) {
        for (uint32_t i = 0; i < pipeline->nodes[n]->instance_count; i++) {
            check_instance(pipeline, pipeline->nodes[n]->instances[i], states++, now_ns);
        }
    }
}

/* ---- the main thread while stages run ---- */

static void report_progress(OpprofPipeline *pipeline)
{
    OpprofProgress progress;

    if (pipeline->progress != NULL) {
        progress = ProgressNow(pipeline);
        pipeline->progress(pipeline->progress_context, &progress);
    }
}

static void obey_stops(OpprofPipeline *pipeline)
{
    unsigned stops = atomic_load(&pipeline->stops);

    if (stops >= 1) {
        atomic_store(&pipeline->run.stop_requested, true);
    }
    if (stops >= 2 && !atomic_load(&pipeline->run.aborted)) {
        RunnerAbort(pipeline);
    }
}

uint64_t WatchdogAwake(OpprofPipeline *pipeline, uint64_t now)
{
    const uint64_t step = now - pipeline->awake_at;

    pipeline->awake_ns += step < LONGEST_TICK_NS ? step : LONGEST_TICK_NS;
    pipeline->awake_at = now;
    return pipeline->awake_ns;
}

/* The timeout stops the run once; it is not one of the requests of which the second aborts. */
static void check_timeout(OpprofPipeline *pipeline, uint64_t now, uint64_t awake)
{
    const uint64_t limit = (uint64_t) (pipeline->timeout_s * 1e9);
    const char *nothing = NULL;

    if (pipeline->timeout_s > 0 && pipeline->timeout_at == 0 &&
        now - pipeline->started_ns >= limit && atomic_load(&pipeline->stops) == 0) {
        atomic_compare_exchange_strong(&pipeline->stop_why, &nothing, "the timeout was reached");
        atomic_store(&pipeline->run.stop_requested, true);
        pipeline->timeout_at = awake;
        OpprofLog(OPPROF_LOG_WARNING, "run",
                  "The timeout was reached; the data read so far is being written");
    }
}

static void give_up_silent_stages(OpprofPipeline *pipeline, const WatchState *watch, uint64_t awake)
{
    if (pipeline->timeout_at == 0 || awake - pipeline->timeout_at < pipeline->grace_ns) {
        return;
    }
    for (uint32_t n = 0; n < pipeline->node_count; n++) {
        for (uint32_t i = 0; i < pipeline->nodes[n]->instance_count; i++, watch++) {
            OpprofStage *stage = pipeline->nodes[n]->instances[i];

            if (is_silent(stage, watch, awake - pipeline->grace_ns)) {
                RunnerGiveUp(stage);
            }
        }
    }
}

/* Wakes at least every TICK_MS, earlier when a request comes or a stage ends or the timeout is
 * near. */
static void wait_a_tick(OpprofPipeline *pipeline, uint64_t now)
{
    int wait_ms = TICK_MS;

    if (pipeline->timeout_s > 0 && pipeline->timeout_at == 0 &&
        atomic_load(&pipeline->stops) == 0) {
        double left_ms = pipeline->timeout_s * 1e3 - (double) (now - pipeline->started_ns) / 1e6;
        if (left_ms < wait_ms) {
            wait_ms = left_ms > 0 ? (int) left_ms + 1 : 0;
        }
    }
    WakeSleep(&pipeline->wake, wait_ms);
}

static uint64_t check_interval(const OpprofPipeline *pipeline)
{
    const uint64_t least =
        pipeline->grace_ns < pipeline->watchdog_ns ? pipeline->grace_ns : pipeline->watchdog_ns;

    return least / 10;
}

static WatchState *make_watch(const OpprofPipeline *pipeline)
{
    uint32_t instances = 0;

    for (uint32_t n = 0; n < pipeline->node_count; n++) {
        instances += pipeline->nodes[n]->instance_count;
    }
    return calloc(instances + 1, sizeof(WatchState)); /* NULL: the run goes on without a watchdog */
}

void WatchdogRun(OpprofPipeline *pipeline)
{
    WatchState *watch = make_watch(pipeline);
    uint64_t watched = WatchdogAwake(pipeline, pipeline->now());

    while (atomic_load(&pipeline->threads) > 0) {
        const uint64_t now = pipeline->now();
        const uint64_t awake = WatchdogAwake(pipeline, now);

        obey_stops(pipeline);
        check_timeout(pipeline, now, awake);
        report_progress(pipeline);
        if (watch != NULL && awake - watched >= check_interval(pipeline)) {
            check_instances(pipeline, watch, awake);
            give_up_silent_stages(pipeline, watch, awake);
            watched = awake;
        }
        wait_a_tick(pipeline, now);
    }
    report_progress(pipeline);
    free(watch);
}
