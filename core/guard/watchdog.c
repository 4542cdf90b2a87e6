/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Watches for stages without a sign of life, and says where they are.
 * Tested by tests/core/run/test_runner.
 */
#include "guard/watchdog.h"

#include "output/output.h"

#include <opprof/log.h>

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

/* Name of the consumer of a port that leaves it full: one that waits for input has read all it could. */
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

static void tell(const OpprofPipeline *pipeline, const OpprofStage *stage, double seconds)
{
    const StageNode *node = stage->node;
    const char *version = node->plugin->version != NULL ? node->plugin->version : "?";
    uint32_t port = atomic_load_explicit(&stage->activity_port, memory_order_relaxed);

    switch (atomic_load_explicit(&stage->activity, memory_order_relaxed)) {
    case STAGE_PROCESSING:
        if (node->plugin->input_count == 0) {
            OpprofLog(OPPROF_LOG_WARNING, node->id,
                      "No progress for %.0f s: %s %s is still in one call of process", seconds,
                      node->plugin->name, version);
        } else {
            OpprofLog(OPPROF_LOG_WARNING, node->id,
                      "No progress for %.0f s: %s %s is still in process with a batch of its port "
                      "'%s'",
                      seconds, node->plugin->name, version, node->plugin->inputs[port].name);
        }
        break;
    case STAGE_FLUSHING:
        OpprofLog(OPPROF_LOG_WARNING, node->id, "No progress for %.0f s: %s %s is still in flush",
                  seconds, node->plugin->name, version);
        break;
    case STAGE_WAITING_ROOM:
        OpprofLog(OPPROF_LOG_WARNING, node->id,
                  "No progress for %.0f s: the link '%s.%s' -> '%s' is full", seconds, node->id,
                  node->plugin->outputs[port].name, slowest_consumer(pipeline, node, port));
        break;
    case STAGE_IDLE:
    case STAGE_CREATING:
    case STAGE_CONFIGURING:
    case STAGE_STARTING:
    case STAGE_WAITING_INPUT:
    case STAGE_STOPPING:
    case STAGE_DESTROYING:
    case STAGE_ENDED:
    default:
        break;
    }
}

/* Acquires what the thread did before its last heartbeat. What it writes to files counts, too. */
static uint64_t signs_of_life(const OpprofStage *stage)
{
    uint64_t heartbeat = atomic_load_explicit(&stage->heartbeat, memory_order_acquire);

    return heartbeat +
           (stage->node->output != NULL ? OutputDirectoryBytes(stage->node->output) : 0);
}

bool WatchdogIsSilent(const OpprofStage *stage, const WatchState *state, uint64_t since_ns)
{
    StageActivity activity = atomic_load_explicit(&stage->activity, memory_order_relaxed);

    return (activity == STAGE_PROCESSING || activity == STAGE_FLUSHING) && state->since_ns != 0 &&
           state->since_ns <= since_ns && state->heartbeat == signs_of_life(stage);
}

/* One warning for each time that a stage gets stuck; a stage that waits for input is never at fault. */
static void look_at(const OpprofPipeline *pipeline, const OpprofStage *stage, WatchState *state,
                    uint64_t now_ns)
{
    uint64_t heartbeat = signs_of_life(stage);

    if (heartbeat != state->heartbeat || state->since_ns == 0 || !is_working(stage)) {
        *state = (WatchState){ .heartbeat = heartbeat, .since_ns = now_ns };
        return;
    }
    if (!state->told && now_ns - state->since_ns >= pipeline->watchdog_ns) {
        state->told = true;
        tell(pipeline, stage, (double) (now_ns - state->since_ns) / 1e9);
    }
}

void WatchdogLook(OpprofPipeline *pipeline, WatchState *states, uint64_t now_ns)
{
    for (uint32_t n = 0; n < pipeline->node_count; n++) {
        for (uint32_t i = 0; i < pipeline->nodes[n]->instance_count; i++) {
            look_at(pipeline, pipeline->nodes[n]->instances[i], states++, now_ns);
        }
    }
}
