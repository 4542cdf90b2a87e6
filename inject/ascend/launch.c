/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Around each launch: ask whether it is selected, and if it is, collect it.
 * Tested by tests/refchip/test_injection.sh.
 */
#include "inject/ascend/board.h"
#include "inject/ascend/capture.h"
#include "inject/ascend/mc2.h"
#include "inject/ascend/range.h"
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PIECE_BYTES (512u << 10)
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

/* Where the kernel is loaded, if the runtime says. */
static uint64_t start_of(const Launch *launch)
{
    __typeof__(&aclrtGetFunctionAddrImpl) call = ORIGINAL(aclrtGetFunctionAddrImpl);
    void *cube = NULL, *vector = NULL;

    if (!launch->is_acl || launch->function == NULL || call == NULL ||
        call((void *) (uintptr_t) launch->function, &cube, &vector) != 0) {
        return 0;
    }
    return (uint64_t) (uintptr_t) (cube != NULL ? cube : vector);
}

static bool send_kernel(const Launch *launch, const KernelImage *image)
{
    const OpprofLiveKernel kernel = { launch->operator_id, 0, start_of(launch) };
    bool is_sent = true;

    for (size_t at = 0; image != NULL && at < image->size && is_sent; at += PIECE_BYTES) {
        const size_t left = image->size - at;

        is_sent = LinkSend(OPPROF_LIVE_KERNEL, &kernel, sizeof kernel, image->data + at,
                           left < PIECE_BYTES ? left : PIECE_BYTES);
    }
    return is_sent;
}

/* Wait for work of the device that was given to it before. */
static void settle(const Launch *launch)
{
    if (launch->is_acl && ORIGINAL(aclrtSynchronizeDeviceImpl) != NULL) {
        ORIGINAL(aclrtSynchronizeDeviceImpl)();
    } else if (ORIGINAL(rtDeviceSynchronize) != NULL) {
        ORIGINAL(rtDeviceSynchronize)();
    }
}

static AbiError wait_for(const Launch *launch)
{
    if (launch->is_acl && ORIGINAL(aclrtSynchronizeStreamImpl) != NULL) {
        return ORIGINAL(aclrtSynchronizeStreamImpl)(launch->stream);
    }
    return ORIGINAL(rtStreamSynchronize) == NULL ? 0
                                                 : ORIGINAL(rtStreamSynchronize)(launch->stream);
}

static void ask(Launch *launch, const char *name)
{
    const OpprofLiveLaunch question = {
        (uint32_t) *CallDevice(), launch->blocks | (launch->is_joint ? OPPROF_LIVE_LAUNCH_JOINT : 0)
    };
    OpprofLiveVerdict verdict;

    if (!LinkAsk(&(LinkMessage){ .type = OPPROF_LIVE_LAUNCH,
                                 .first = &question,
                                 .first_size = sizeof question,
                                 .second = name,
                                 .second_size = strnlen(name, OPPROF_LIVE_MOST_NAME) },
                 OPPROF_LIVE_VERDICT, &verdict, sizeof verdict) ||
        verdict.decision == OPPROF_LIVE_NEVER) {
        WatchEnd();
        return;
    }
    launch->is_collected = verdict.decision == OPPROF_LIVE_COLLECT && verdict.operator_id != 0;
    launch->operator_id = verdict.operator_id;
}

static void start_collecting(Launch *launch, const LaunchKernel *kernel)
{
    if (!send_kernel(launch, kernel->image)) {
        launch->is_collected = false;
        WatchEnd();
        return;
    }
    if (WatchIsOnBoard()) {
        launch->is_on_board = BoardBegin(launch, kernel);
        return;
    }
    settle(launch);
    CamodelAttach(WatchWelcome()->flags);
    CamodelStart(launch->operator_id);
}

/* Without a plan nothing will ever be profiled. */
static bool has_plan(void)
{
    const bool is_ready = BoardIsReady();

    if (!is_ready) {
        WatchEnd();
    }
    return is_ready;
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

static void collect(Launch *launch, const LaunchKernel *kernel)
{
    launch->is_collective =
        WatchIsOnBoard() && kernel->image != NULL && kernel->image->is_collective;
    launch->is_joint = WatchIsOnBoard() && (launch->is_collective || Mc2Matches(kernel->name));
    ask(launch, kernel->name);
    if (launch->is_collected) {
        start_collecting(launch, kernel);
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
        ask(launch, kernel->name);
    }
    if (launch->is_collected && !send_kernel(launch, kernel->image)) {
        launch->is_collected = false;
        WatchEnd();
    }
    RangeAdd(launch, MstxFirst(WatchWelcome()->mstx_include));
}

bool LaunchIsWanted(void)
{
    WatchPrepare();
    return LinkIsWanted() && WatchMayWant() && WatchWelcome() != NULL &&
           ((WatchWelcome()->flags & OPPROF_LIVE_WANT_MSTX) == 0 ||
            MstxIsOpen(WatchWelcome()->mstx_include) || WatchIsRecording());
}

uint32_t *LaunchesSeen(void)
{
    static _Thread_local uint32_t seen __attribute__((tls_model("initial-exec")));

    return &seen;
}

void Unprofiled(const char *format, ...)
{
    const int saved_errno = errno;
    char text[400];
    va_list list;

    (*LaunchesSeen())++;
    if (LaunchIsWanted()) {
        va_start(list, format);
        vsnprintf(text, sizeof text, format, list);
        va_end(list);
        Note(0, OPPROF_LIVE_UNPROFILED, "%s", text);
    }
    errno = saved_errno;
}

/* A launch that cannot be profiled where it is made. */
static void pass(const Launch *launch, const char *why)
{
    LaunchKernel kernel = { .image = NULL };

    if (find_kernel(launch, &kernel.image, kernel.name, sizeof kernel.name) &&
        (kernel.image == NULL || !kernel.image->is_aicpu)) {
        Unprofiled("'%s', %s", kernel.name, why);
    } else if (kernel.image == NULL) {
        Unprofiled("a kernel of unknown name, %s", why);
    }
    KernelsRelease(kernel.image);
}

static void begin(Launch *launch)
{
    const int saved_errno = errno;
    const char *why;
    LaunchKernel kernel;
    bool is_known;

    if (*CallDepth() > 0 || !WatchMayWant()) {
        if (*CallDepth() == 0) {
            MuteCount();
        }
        return;
    }
    (*LaunchesSeen())++;
    if (!LaunchIsWanted()) {
        errno = saved_errno;
        return;
    }
    why = WatchIsRecording() ? NULL : CaptureHolds(launch->stream);
    if (why != NULL) {
        pass(launch, why);
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
        (!WatchIsOnBoard() || has_plan())) {
        if (WatchIsOnBoard() && BoardHasRanges()) {
            add_to_range(launch, &kernel);
        } else {
            collect(launch, &kernel);
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
        launch->is_collective = launch->is_recorded = false;
    launch->device_lock = NULL;
    launch->image = NULL;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &launch->cancel_state);
    begin(launch);
    if ((!launch->is_joint || launch->is_collective) && *CallDepth() == 0) {
        Mc2Flush();
    }
}

static void finish(const Launch *launch, AbiError error, uint32_t lost)
{
    const OpprofLiveFinish finish = { .operator_id = launch->operator_id,
                                      .lost = lost,
                                      .error = error };
    OpprofLiveFinished finished;

    if (!LinkAsk(&(LinkMessage){ .type = OPPROF_LIVE_FINISH,
                                 .first = &finish,
                                 .first_size = sizeof finish },
                 OPPROF_LIVE_FINISHED, &finished, sizeof finished)) {
        WatchEnd();
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
    finish(launch, launch->earlier_error, 0);
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
        finish(launch, error, CamodelStop());
        (*CallDepth())--;
    }
    if (launch->is_recorded && error != 0) {
        (*CallDepth())++;
        RangeTakeBack();
        (*CallDepth())--;
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
    pthread_setcancelstate(launch->cancel_state, NULL);
    errno = saved_errno;
    return error != 0 ? error : launch->earlier_error;
}
