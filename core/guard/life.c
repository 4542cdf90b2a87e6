/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The calls that begin and end an instance, on a thread of their own: a call that never returns
 * blocks only that thread. Tested by tests/core/run/test_runner.
 */
#include "guard/life.h"

#include "run/pipeline.h"
#include "guard/crash.h"
#include "guard/watchdog.h"
#include "run/runner.h"

#include <errno.h>
#include <opprof/log.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>

#define TICK_MS 100
/* Before sleeping: most calls take less than going to sleep and waking up. */
#define LOOKS_YIELDING 40

typedef enum LifeState {
    LIFE_IDLE = 0,
    LIFE_CALLING,
    LIFE_RETURNED,
    LIFE_GIVEN_UP /* all of it is the thread's, which frees it when the call returns, if ever */
} LifeState;

struct Life {
    OpprofPipeline *pipeline;
    pthread_t thread;
    sem_t asked;
    _Atomic LifeState state;
    /* The call and its arguments; the thread's between `asked` and LIFE_RETURNED, else the
     * caller's. */
    StageFunction *function; /* NULL: the thread ends */
    OpprofStage *stage;
    OpprofStatus status;
    OpprofError *error;
};

static OpprofStatus call(OpprofStage *stage, StageFunction *function, OpprofError **error)
{
    OpprofStatus status;

    StageSetCurrent(stage);
    BatchLedgerSwap(&stage->node->held);
    status = function(stage, error);
    BatchLedgerSwap(NULL);
    StageSetCurrent(NULL);
    return status;
}

/* False when the caller has given the call up. */
static bool serve(Life *life)
{
    LifeState calling = LIFE_CALLING;

    life->status = call(life->stage, life->function, &life->error);
    if (!atomic_compare_exchange_strong(&life->state, &calling, LIFE_RETURNED)) {
        return false;
    }
    WakeRing(&life->pipeline->wake);
    return true;
}

static void life_free(Life *life)
{
    sem_destroy(&life->asked);
    free(life);
}

static void *life_main(void *argument)
{
    Life *life = argument;
    void *stack = CrashThreadInit();
    bool goes_on = true;

    while (goes_on) {
        while (sem_wait(&life->asked) != 0 && errno == EINTR) {
        }
        goes_on = life->function != NULL && serve(life);
    }
    if (atomic_load(&life->state) == LIFE_GIVEN_UP) {
        pthread_detach(pthread_self());
        OpprofErrorDestroy(life->error);
        life_free(life);
    }
    CrashThreadFinish(stack);
    return NULL;
}

static Life *life_create(OpprofPipeline *pipeline)
{
    Life *life = calloc(1, sizeof *life);

    if (life == NULL) {
        return NULL;
    }
    life->pipeline = pipeline;
    sem_init(&life->asked, 0, 0);
    if (RunnerCreateThread(&life->thread, life_main, life) != 0) {
        life_free(life);
        return NULL;
    }
    return life;
}

void LifeFinish(Life *life)
{
    if (life == NULL) {
        return;
    }
    life->function = NULL;
    sem_post(&life->asked);
    pthread_join(life->thread, NULL);
    life_free(life);
}

/* The timeout counts from the beginning of the run, or of the call where there is no run yet. */
static bool is_late(const OpprofPipeline *pipeline, uint64_t called, uint64_t now)
{
    const uint64_t begun = pipeline->started_ns != 0 ? pipeline->started_ns : called;

    return pipeline->timeout_s > 0 && now - begun >= (uint64_t) (pipeline->timeout_s * 1e9);
}

/* For long calls of a plugin: whether the run is to end. */
static void pass_stops_on(OpprofPipeline *pipeline, bool late)
{
    if (atomic_load(&pipeline->stops) > 0 || late) {
        atomic_store(&pipeline->run.stop_requested, true);
    }
}

/* Waits until the call returned; false: it was given up. */
static bool wait_for_return(OpprofPipeline *pipeline, Life *life)
{
    const OpprofStage *stage = life->stage;
    const OpprofPlugin *plugin = stage->node->plugin;
    const uint64_t called = pipeline->now();
    uint64_t late_since = 0;
    bool is_warned = false;

    for (int i = 0; i < LOOKS_YIELDING && atomic_load(&life->state) == LIFE_CALLING; i++) {
        sched_yield();
    }
    while (atomic_load(&life->state) == LIFE_CALLING) {
        const uint64_t now = pipeline->now();
        const uint64_t awake = WatchdogAwake(pipeline, now);
        const bool late = is_late(pipeline, called, now);
        LifeState calling = LIFE_CALLING;

        late_since = late && late_since == 0 ? awake : late_since;
        pass_stops_on(pipeline, late);
        if (!is_warned && now - called >= pipeline->watchdog_ns) {
            is_warned = true;
            OpprofLog(OPPROF_LOG_WARNING, stage->node->id,
                      "No progress for %.0f s: %s %s is still in %s", (double) (now - called) / 1e9,
                      plugin->name, plugin->version, StageCallName(stage));
        }
        if (late && awake - late_since >= pipeline->grace_ns) {
            return !atomic_compare_exchange_strong(&life->state, &calling, LIFE_GIVEN_UP);
        }
        WakeSleep(&pipeline->wake, TICK_MS);
    }
    return true;
}

static OpprofStatus give_up(OpprofPipeline *pipeline, OpprofStage *stage, OpprofError **error)
{
    const OpprofPlugin *plugin = stage->node->plugin;

    atomic_store(&stage->call, STAGE_CALL_GIVEN_UP);
    pipeline->life = NULL; /* the thread's own from now on */
    pipeline->given_up++;
    return OpprofErrorSet(error, OPPROF_E_CRASH,
                          "Stage '%s': %s %s did not come back from %s after the timeout, and was "
                          "given up",
                          stage->node->id, plugin->name, plugin->version, StageCallName(stage));
}

OpprofStatus LifeCall(OpprofStage *stage, StageFunction *function, OpprofError **error)
{
    OpprofPipeline *pipeline = stage->node->run->pipeline;
    Life *life = pipeline->life != NULL ? pipeline->life : life_create(pipeline);

    pipeline->life = life;
    if (life == NULL) {
        return call(stage, function, error); /* here, where it may take as long as it likes */
    }
    life->function = function;
    life->stage = stage;
    life->error = NULL;
    atomic_store(&life->state, LIFE_CALLING);
    sem_post(&life->asked);
    if (!wait_for_return(pipeline, life)) {
        return give_up(pipeline, stage, error);
    }
    if (error != NULL && life->error != NULL) {
        *error = life->error;
    } else {
        OpprofErrorDestroy(life->error);
    }
    return life->status;
}
