/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the collector is asked and told of a launch, whichever way it is made. Tested by
 * tests/refchip/test_injection.sh.
 */
#include "inject/ascend/board.h"
#include "inject/ascend/mc2.h"
#include <string.h>

#define PIECE_BYTES (512u << 10)

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

bool LaunchSendKernel(const Launch *launch, const KernelImage *image)
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

void LaunchAsk(Launch *launch, const char *name)
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
    if (!LaunchSendKernel(launch, kernel->image)) {
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

bool LaunchHasPlan(void)
{
    const bool is_ready = BoardIsReady();

    if (!is_ready) {
        WatchEnd();
    }
    return is_ready;
}

void LaunchCollect(Launch *launch, const LaunchKernel *kernel)
{
    launch->is_collective =
        WatchIsOnBoard() && kernel->image != NULL && kernel->image->is_collective;
    launch->is_joint = WatchIsOnBoard() && (launch->is_collective || Mc2Matches(kernel->name));
    LaunchAsk(launch, kernel->name);
    if (launch->is_collected) {
        start_collecting(launch, kernel);
    }
}

void LaunchFinish(uint32_t operator_id, AbiError error, uint32_t lost)
{
    const OpprofLiveFinish finish = { .operator_id = operator_id, .lost = lost, .error = error };
    OpprofLiveFinished finished;

    if (!LinkAsk(&(LinkMessage){ .type = OPPROF_LIVE_FINISH,
                                 .first = &finish,
                                 .first_size = sizeof finish },
                 OPPROF_LIVE_FINISHED, &finished, sizeof finished)) {
        WatchEnd();
    }
}
