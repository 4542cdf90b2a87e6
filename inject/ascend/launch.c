/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Around each launch: ask whether it is selected, and if it is, collect it.
 * Tested by tests/refchip/test_injection.sh.
 */
#include "inject/ascend/board.h"
#include "inject/ascend/capture.h"
#include "inject/ascend/graphs.h"
#include "inject/ascend/mc2.h"
#include "inject/ascend/range.h"
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_DEVICES 64u

/* Of devices: one operator at a time has a device's channels. Taken after lock was let go. */
static pthread_mutex_t device_locks[MOST_DEVICES] = { [0 ... MOST_DEVICES - 1] =
                                                          PTHREAD_MUTEX_INITIALIZER };

static void forget(void)
{
    const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;

    for (uint32_t i = 0; i < MOST_DEVICES; i++) {
        memcpy(&device_locks[i], &fresh, sizeof fresh);
    }
}
ON_FORK(forget)

/* ---- collecting ---- */

static bool find_kernel(const Launch *launch, const KernelImage **ret_image, char *name,
                        size_t size)
{
    return launch->function != NULL
               ? KernelsFind(launch->function, ret_image, name, size)
               : KernelsFindByKey(launch->handle, launch->key, ret_image, name, size);
}

static AbiError wait_for(const Launch *launch)
{
    if (launch->is_acl && ORIGINAL(aclrtSynchronizeStreamImpl) != NULL) {
        return ORIGINAL(aclrtSynchronizeStreamImpl)(launch->stream);
    }
    return ORIGINAL(rtStreamSynchronize) == NULL ? 0
                                                 : ORIGINAL(rtStreamSynchronize)(launch->stream);
}

static pthread_mutex_t *device_lock(void)
{
    return &device_locks[(uint32_t) *CallDevice() % MOST_DEVICES];
}

/* Ranks wait for each other within an operator, so those of other devices do not wait for each
 * other here. */
static void let_others_go(Launch *launch)
{
    if (launch->is_joint) {
        WatchUnlock();
        launch->is_locked = false;
        launch->device_lock = device_lock();
        pthread_mutex_lock(launch->device_lock);
    }
}

/* What cannot be put back is made outside of the recording, and so is what another stream or thread
 * launches. */
static void add_to_range(Launch *launch, const LaunchKernel *kernel)
{
    if (!MstxIsOpen(WatchWelcome()->mstx_include)) {
        RangeCut(launch->stream); /* another thread's launch, which would be recorded as well */
        return;
    }
    if (!RangeTakes(launch)) {
        return;
    }
    if (!BoardKnowsMemory(launch)) {
        RangeCut(launch->stream);
        return;
    }
    if (!WatchHasEnded()) { /* otherwise it is not wanted, but still recorded */
        LaunchAsk(launch, kernel->name);
    }
    if (launch->is_collected && !LaunchSendKernel(launch, kernel->image)) {
        launch->is_collected = false;
        WatchEnd();
    }
    RangeAdd(launch, MstxFirst(WatchWelcome()->mstx_include));
}

/* A launch that cannot be profiled where it is made; one that is recorded is made later. */
static void pass(Launch *launch, const char *why, bool is_recorded)
{
    const OpprofLiveSeverity severity = is_recorded ? OPPROF_LIVE_RECORDED : OPPROF_LIVE_UNPROFILED;
    LaunchKernel kernel = { .image = NULL };
    const bool is_known = find_kernel(launch, &kernel.image, kernel.name, sizeof kernel.name);
    const bool is_of_cores = kernel.image == NULL || !kernel.image->is_aicpu;

    if (is_recorded && is_of_cores) {
        GraphAdd(launch, is_known ? &kernel : NULL);
        launch->is_in_graph = true;
    }
    if (is_recorded && !is_of_cores) {
        GraphSpoil("which has kernels of the AI CPU", false);
    }
    if (!is_of_cores || !LaunchIsWanted()) {
        KernelsRelease(kernel.image);
        return;
    }
    if (is_known) {
        Note(0, severity, "'%s', %s", kernel.name, why);
    } else {
        Note(0, severity, "a kernel of unknown name, %s", why);
    }
    KernelsRelease(kernel.image);
}

static void begin(Launch *launch)
{
    const int saved_errno = errno;
    const char *why;
    LaunchKernel kernel;
    bool is_known, is_recorded = false;

    if (*CallDepth() > 0 || !WatchMayWant()) {
        if (*CallDepth() == 0) {
            MuteCount();
        }
        return;
    }
    (*LaunchesSeen())++;
    why = WatchIsRecording() ? NULL : CaptureHolds(launch->stream, &is_recorded);
    if (why != NULL) {
        pass(launch, why, is_recorded);
    }
    if (why != NULL || !LaunchIsWanted()) {
        errno = saved_errno;
        return;
    }
    DeviceRefresh();
    WatchLock();
    launch->is_locked = true;
    (*CallDepth())++;
    kernel.image = NULL;
    is_known = find_kernel(launch, &kernel.image, kernel.name, sizeof kernel.name);
    if (!is_known) {
        Unprofiled("a kernel of unknown name");
    }
    if (is_known && (kernel.image == NULL || !kernel.image->is_aicpu) && WatchMayWant() &&
        (!WatchIsOnBoard() || LaunchHasPlan())) {
        if (WatchIsOnBoard() && BoardHasRanges()) {
            add_to_range(launch, &kernel);
        } else {
            LaunchCollect(launch, &kernel);
        }
        launch->is_joint = launch->is_joint && launch->is_on_board;
        let_others_go(launch);
    } else if (WatchIsRecording() && RangeTakes(launch)) { /* recorded, whatever it is */
        RangeAdd(launch, 0);
    }
    launch->image = kernel.image;
    (*CallDepth())--;
    errno = saved_errno;
}

void LaunchBegin(Launch *launch)
{
    launch->is_locked = launch->is_collected = launch->is_on_board = launch->is_joint =
        launch->is_collective = launch->is_recorded = launch->is_in_graph = false;
    launch->device_lock = NULL;
    launch->image = NULL;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &launch->cancel_state);
    launch->graph = NULL;
    if (launch->by != NULL) {
        ExecuteBegin(launch);
    } else {
        begin(launch);
    }
    if ((!launch->is_joint || launch->is_collective) && *CallDepth() == 0) {
        Mc2Flush();
    }
}

bool LaunchRepeats(Launch *launch)
{
    const int saved_errno = errno;
    bool repeats = false;

    if (launch->is_on_board) {
        (*CallDepth())++;
        repeats = BoardNext(launch);
        (*CallDepth())--;
    }
    errno = saved_errno;
    return repeats;
}

void LaunchRepeated(Launch *launch, AbiError error)
{
    const int saved_errno = errno;

    (*CallDepth())++;
    BoardDone(launch, error);
    (*CallDepth())--;
    errno = saved_errno;
}

/* The program's own launch goes on as usual; the operator's end is reported before it. */
static void end_on_board(Launch *launch)
{
    (*CallDepth())++;
    if (launch->is_on_board) {
        BoardEnd(launch);
    }
    if (launch->ids != NULL) {
        ExecuteFinish(launch);
    } else {
        LaunchFinish(launch->operator_id, launch->earlier_error, 0);
    }
    (*CallDepth())--;
}

void LaunchSettle(Launch *launch)
{
    const int saved_errno = errno;

    if (launch->is_collected && WatchIsOnBoard()) {
        end_on_board(launch);
    }
    errno = saved_errno;
}

AbiError LaunchEnd(Launch *launch, AbiError error)
{
    const int saved_errno = errno;
    const bool was_on_board = launch->is_on_board && !launch->is_joint;

    if (launch->is_collected && !WatchIsOnBoard()) {
        (*CallDepth())++;
        if (error == 0) {
            error = wait_for(launch);
        }
        LaunchFinish(launch->operator_id, error, CamodelStop());
        (*CallDepth())--;
    }
    if (launch->is_recorded && error != 0) {
        (*CallDepth())++;
        RangeTakeBack();
        (*CallDepth())--;
    }
    if (launch->is_in_graph && error != 0) {
        GraphSpoil("which a launch could not be added to", false);
    }
    if (launch->is_locked) {
        WatchUnlock();
    }
    if (launch->device_lock != NULL) {
        pthread_mutex_unlock(launch->device_lock);
        launch->device_lock = NULL;
    }
    if (was_on_board) {
        BoardRelease();
    }
    KernelsRelease(launch->image);
    launch->image = NULL;
    free(launch->ids);
    GraphRelease(launch->graph);
    pthread_setcancelstate(launch->cancel_state, NULL);
    errno = saved_errno;
    return error != 0 ? error : launch->earlier_error;
}
