/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread of this library looks after commands that are not complete, and sends what is recorded,
 * so that the program's own threads do not wait.
 * Tested by tests/plugins/collect-opencl/test_opencl.sh.
 */
#include "inject/opencl/opencl.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SOME_BYTES                                                                                 \
    (512u << 10)               /* of records that wait; with more, they are sent without a helper */
#define MOST_BYTES (16u << 20) /* of records that wait; with more, the program waits */
#define PAUSE_NS 4000000       /* between two looks at the commands that wait */

static pthread_cond_t work = PTHREAD_COND_INITIALIZER; /* there is something to do */
static pthread_t helper;
static bool has_helper; /* with the recorder's lock, as is_asleep */
static bool is_asleep;
static atomic_bool is_ending;

bool HelperIsEnding(void)
{
    return atomic_load_explicit(&is_ending, memory_order_relaxed);
}

static void pause_until_next(void)
{
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += PAUSE_NS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    if (!HelperIsEnding()) {
        pthread_cond_timedwait(&work, &recorder_lock, &until);
    }
}

static void *help(void *unused)
{
    (void) unused;
    RecorderLock();
    while (!HelperIsEnding()) {
        if (RecorderBytes() == 0 && !PendingHasAny()) {
            is_asleep = true;
            pthread_cond_wait(&work, &recorder_lock);
            is_asleep = false;
            continue;
        }
        RecorderUnlock();
        PendingHarvest();
        RecorderSend();
        RecorderLock();
        pause_until_next();
    }
    RecorderUnlock();
    return NULL;
}

/* With the lock. The program's signals are not for this thread. */
static void start_helper(void)
{
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    has_helper = pthread_create(&helper, NULL, help, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void HelperWake(void)
{
    bool is_full;

    RecorderLock();
    if (!has_helper && !HelperIsEnding()) {
        start_helper();
    }
    if (is_asleep) {
        pthread_cond_signal(&work);
    }
    is_full = RecorderBytes() > MOST_BYTES || (!has_helper && RecorderBytes() > SOME_BYTES);
    RecorderUnlock();
    if (is_full) {
        RecorderSend();
    }
}

void HelperDoNow(void)
{
    PendingHarvest();
    RecorderSend();
}

/* ---- the end ---- */

/* The program ends. Its exit handlers and those of the driver still run, in an unknown order: from
 * now on each call that waits sends what there is. */
static void end_helper(void)
{
    bool had_helper;

    ForkNotice();
    atomic_store(&is_ending, true);
    RecorderLock();
    pthread_cond_signal(&work);
    had_helper = has_helper;
    has_helper = false;
    RecorderUnlock();
    if (had_helper) {
        pthread_join(helper, NULL);
    }
    if (RecorderHasOpened()) {
        HelperDoNow();
    }
}

void HelperEndAtExit(void)
{
    atexit(end_helper);
}

void HelperEnd(void)
{
    OpprofOpenclEnd end = { .lost = 0 };

    if (!RecorderHasOpened()) {
        return; /* such as a copy of the process that does nothing with OpenCL */
    }
    PendingGiveUp();
    RecorderLock();
    end.lost = RecorderLost();
    RecorderPut(&end, OPPROF_OPENCL_END, sizeof end, NULL, 0);
    RecorderUnlock();
    RecorderSend();
}

static void forget(void)
{
    const pthread_cond_t fresh = PTHREAD_COND_INITIALIZER;

    memcpy(&work, &fresh, sizeof work);
    has_helper = is_asleep = false;
}
ON_FORK(forget)
