/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Range replay: launches within an mstx range are recorded by the runtime instead of made. When the
 * range ends, or the program wants to see what they did, the recording is repeated as a single
 * launch would be, and at last made as the program meant it. Tested by tests/refchip/test_range.sh.
 */
#include "inject/ascend/range.h"
#include "inject/ascend/board.h"
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define MOST_LAUNCHES 4096u

/* Guarded by the lock of launches. */
static pthread_t owner;
static uint64_t owner_range; /* of mstx */
static AbiStream stream;
static bool is_acl;
static int32_t device;
static uint32_t ids[MOST_LAUNCHES]; /* operators in the order of their launch; 0: not wanted */
static uint32_t count;
static bool has_noted_stream, has_noted_cut;

static bool begin_recording(Launch *launch, const char **ret_why)
{
    AbiError error = RT_ERROR_RESERVED;

    const AbiError before = DeviceWaitAll(launch->stream, BoardDeadline());

    if (before != 0) { /* its failure has not been reported to the program */
        launch->earlier_error = before == ACL_ERROR_TIMEOUT ? 0 : before;
        *ret_why = "earlier work of the device does not end, or failed";
        return false;
    }
    *ret_why = "the runtime does not record its range (aclmdlRICaptureBegin, rtStreamBeginCapture)";
    if (launch->is_acl && ORIGINAL(aclmdlRICaptureBeginImpl) != NULL) {
        error = ORIGINAL(aclmdlRICaptureBeginImpl)(launch->stream, CAPTURE_RELAXED);
    } else if (ORIGINAL(rtStreamBeginCapture) != NULL) {
        error = ORIGINAL(rtStreamBeginCapture)(launch->stream, CAPTURE_RELAXED);
    }
    return error == 0;
}

static void refuse(const Launch *launch, const char *why)
{
    Note(launch->operator_id, OPPROF_LIVE_INCOMPLETE, "The operator runs unprofiled: %s", why);
    LaunchFinish(launch->operator_id, 0, 0);
}

void RangeAdd(Launch *launch, uint64_t mstx_id)
{
    const bool is_wanted = launch->is_collected;
    const char *why = "";

    launch->is_collected = false; /* it is not made now */
    if (!is_wanted && !WatchIsRecording()) {
        return;
    }
    if (!KeptAdd(launch, &why)) {
        RangeCut(launch->stream);
        if (is_wanted) {
            refuse(launch, why);
        }
        return;
    }
    if (!WatchIsRecording()) {
        if (!begin_recording(launch, &why)) {
            KeptForget();
            refuse(launch, why);
            return;
        }
        owner = pthread_self();
        owner_range = mstx_id;
        stream = launch->stream;
        is_acl = launch->is_acl;
        device = *CallDevice();
        count = 0;
        WatchSetRecording(true);
    }
    ids[count++] = is_wanted ? launch->operator_id : 0;
    launch->is_recorded = true;
}

void RangeTakeBack(void)
{
    const uint32_t id = ids[--count];

    KeptTakeBack();
    if (id != 0) {
        Note(id, OPPROF_LIVE_INCOMPLETE, "The operator runs unprofiled: its launch fails");
        LaunchFinish(id, 0, 0);
    }
}

/* ---- repeating ---- */

static bool end_recording(void **ret_model)
{
    AbiError error = RT_ERROR_RESERVED;

    *ret_model = NULL;
    if (is_acl && ORIGINAL(aclmdlRICaptureEndImpl) != NULL) {
        error = ORIGINAL(aclmdlRICaptureEndImpl)(stream, ret_model);
    } else if (ORIGINAL(rtStreamEndCapture) != NULL) {
        error = ORIGINAL(rtStreamEndCapture)(stream, ret_model);
    }
    return error == 0 && *ret_model != NULL;
}

static AbiError execute(void *model)
{
    if (is_acl && ORIGINAL(aclmdlRIExecuteAsyncImpl) != NULL) {
        return ORIGINAL(aclmdlRIExecuteAsyncImpl)(model, stream);
    }
    return ORIGINAL(rtModelExecute) == NULL ? RT_ERROR_RESERVED
                                            : ORIGINAL(rtModelExecute)(model, stream, 0);
}

static void destroy(void *model)
{
    if (is_acl && ORIGINAL(aclmdlRIDestroyImpl) != NULL) {
        ORIGINAL(aclmdlRIDestroyImpl)(model);
    } else if (ORIGINAL(rtModelDestroy) != NULL) {
        ORIGINAL(rtModelDestroy)(model);
    }
}

void RangeSend(uint32_t first, const uint32_t *list, uint32_t length)
{
    const OpprofLiveRange range = { .operator_id = first,
                                    .device = (uint32_t) *CallDevice(),
                                    .count = length };

    LinkSend(OPPROF_LIVE_RANGE, &range, sizeof range, list, length * sizeof list[0]);
}

/* As often as the plan says, as if it were one launch. */
static void repeat(void *model, uint32_t first)
{
    static LaunchKernel none;
    Launch launch = { .operator_id = first, .stream = stream, .is_acl = is_acl };

    if (BoardBegin(&launch, &none)) {
        while (BoardNext(&launch)) {
            BoardDone(&launch, execute(model));
        }
        BoardEnd(&launch);
    }
}

/* As the program meant them. */
static void make_kept(void)
{
    if (KeptLaunch() != 0) {
        Note(0, OPPROF_LIVE_INCOMPLETE,
             "Launches of a range could not be made: the program's results may be wrong");
    }
}

/* With the lock of launches. Whatever goes wrong, the launches are made once more than they were
 * counted. */
static void replay(void)
{
    void *model = NULL;
    const bool is_good = end_recording(&model);
    uint32_t first = 0;

    for (uint32_t i = 0; i < count && first == 0; i++) {
        first = ids[i];
    }
    WatchSetRecording(false);
    if (!is_good) {
        Note(first, OPPROF_LIVE_INCOMPLETE,
             "The runtime has lost its recording of %u launches, which run unprofiled",
             (unsigned) count);
        make_kept();
    } else {
        RangeSend(first, ids, count);
        repeat(model, first);
        if (execute(model) != 0) {
            make_kept();
        } else if (DeviceWait(stream, BoardDeadline()) == 0) {
            destroy(model);
        }
    }
    KeptForget();
    for (uint32_t i = 0; i < count; i++) {
        if (ids[i] != 0) {
            LaunchFinish(ids[i], 0, 0);
        }
    }
}

/* ---- what is recorded ---- */

static void note_cut(void)
{
    if (!has_noted_cut) {
        has_noted_cut = true;
        Note(0, OPPROF_LIVE_WARNING,
             "The program waits, copies, frees memory or launches what cannot be repeated within a "
             "range: it is repeated "
             "in parts");
    }
}

bool RangeTakes(const Launch *launch)
{
    if (!WatchIsRecording()) {
        return true;
    }
    if (launch->stream != stream) {
        if (!has_noted_stream) {
            has_noted_stream = true;
            Note(0, OPPROF_LIVE_INCOMPLETE,
                 "Launches on other streams than that of the range that is open are not profiled");
        }
        return false;
    }
    if (!pthread_equal(owner, pthread_self()) || count == MOST_LAUNCHES) {
        RangeCut(launch->stream);
    }
    return true;
}

void RangeCut(AbiStream touched)
{
    if (WatchIsRecording() && touched == stream) {
        note_cut();
        replay();
    }
}

static bool is_mine(AbiStream touched)
{
    return WatchIsRecording() && *CallDepth() == 0 && device == *CallDevice() &&
           (pthread_equal(owner, pthread_self()) || touched == stream);
}

static void finish(bool is_cut)
{
    const int saved_errno = errno;
    const bool is_held = WatchHold();

    (*CallDepth())++;
    if (WatchIsRecording()) {
        if (is_cut && !has_noted_cut) {
            has_noted_cut = true;
            Note(0, OPPROF_LIVE_WARNING,
                 "The program waits, copies or frees memory within a range: it is repeated in "
                 "parts");
        }
        replay();
    }
    (*CallDepth())--;
    WatchLetGo(is_held);
    BoardRelease();
    errno = saved_errno;
}

void RangeTouch(AbiStream touched)
{
    if (is_mine(touched)) {
        finish(true);
    }
}

void RangeEnd(uint64_t mstx_id)
{
    if (is_mine(NULL) && pthread_equal(owner, pthread_self()) && mstx_id == owner_range) {
        finish(false);
    }
}

static void forget(void)
{
    KeptForget();
    has_noted_stream = has_noted_cut = false;
}
ON_FORK(forget)
