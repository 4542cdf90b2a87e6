/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether launches of the process are selected, and the lock that launches take.
 * Tested by tests/refchip/test_injection.sh.
 */
#include "inject/ascend/ascend.h"
#include <errno.h>
#include <stdatomic.h>
#include <string.h>

/* Held from the question to the end of a launch, so that nothing mixes with one that is collected:
 * the simulator's entries do not say whose they are. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* A thread that is cancelled would keep the lock, so it cannot be while it has it. */
static _Thread_local int held_cancel_state __attribute__((tls_model("initial-exec")));
static atomic_bool has_ended; /* no launch will be selected again */
static atomic_bool is_recording;
static pthread_once_t prepare_once = PTHREAD_ONCE_INIT;
static const OpprofLiveWelcome *welcome; /* NULL: there is no collector yet */

static void forget(void)
{
    const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
    const pthread_once_t again = PTHREAD_ONCE_INIT;

    memcpy(&lock, &fresh, sizeof lock);
    memcpy(&prepare_once, &again, sizeof prepare_once);
    atomic_store(&has_ended, false);
    atomic_store(&is_recording, false);
}
ON_FORK(forget)

static const char *soc_name(char *room, size_t size)
{
    __typeof__(&aclrtGetSocNameImpl) by_acl = ORIGINAL(aclrtGetSocNameImpl);
    __typeof__(&rtGetSocVersion) by_rt = ORIGINAL(rtGetSocVersion);

    if (SimulatedName() != NULL) {
        return SimulatedName();
    }
    if (by_rt != NULL && by_rt(room, (uint32_t) size) == 0) {
        return room;
    }
    return by_acl == NULL ? NULL : by_acl();
}

bool WatchIsOnBoard(void)
{
    return (welcome->flags & OPPROF_LIVE_WANT_BOARD) != 0;
}

/* Launches that are not selected leave no dump files. */
static void attach_early(void)
{
    CamodelQuiet();
    if (!CamodelCanDetach()) {
        CamodelAttach(welcome->flags);
    }
}

static void prepare(void)
{
    char room[64];
    const bool has_logs = CamodelHasLogs();

    (*CallDepth())++;
    if (!LinkOpen(soc_name(room, sizeof room), has_logs, &welcome)) {
        atomic_store(&has_ended, true);
    } else if (!WatchIsOnBoard() && has_logs) { /* channels open with each launch */
        attach_early();
    }
    (*CallDepth())--;
}

void WatchPrepare(void)
{
    const int saved_errno = errno;

    if (LinkIsWanted() && !atomic_load_explicit(&has_ended, memory_order_relaxed)) {
        pthread_once(&prepare_once, prepare);
    }
    errno = saved_errno;
}

const OpprofLiveWelcome *WatchWelcome(void)
{
    return welcome;
}

void WatchEnd(void)
{
    atomic_store(&has_ended, true);
}

bool WatchHasEnded(void)
{
    return atomic_load_explicit(&has_ended, memory_order_relaxed);
}

void WatchSetRecording(bool records)
{
    atomic_store(&is_recording, records);
}

bool WatchIsRecording(void)
{
    return atomic_load(&is_recording);
}

bool WatchMayWant(void)
{
    return !WatchHasEnded() || WatchIsRecording();
}

bool WatchIsOn(void)
{
    WatchPrepare();
    return LinkIsWanted() && !WatchHasEnded() && welcome != NULL;
}

bool WatchMayRepeat(void)
{
    return WatchIsOn() && WatchIsOnBoard();
}

void WatchLock(void)
{
    pthread_mutex_lock(&lock);
}

void WatchUnlock(void)
{
    pthread_mutex_unlock(&lock);
}

static bool hold_if(bool is_wanted)
{
    if (is_wanted) {
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &held_cancel_state);
        pthread_mutex_lock(&lock);
    }
    return is_wanted;
}

bool WatchHold(void)
{
    return hold_if(*CallDepth() == 0 && welcome != NULL && WatchIsOnBoard() && WatchMayWant());
}

bool WatchHoldAll(void)
{
    return hold_if(*CallDepth() == 0 && welcome != NULL && WatchMayWant());
}

void WatchLetGo(bool is_held)
{
    if (is_held) {
        pthread_mutex_unlock(&lock);
        pthread_setcancelstate(held_cancel_state, NULL);
    }
}
