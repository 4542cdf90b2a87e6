/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operators that communicate: a kernel of the AI CPU, which a thread launches right before the one
 * of the same name for the cores. The first is kept until the second shows whether both are
 * profiled together. Tested by tests/refchip/test_mc2.sh.
 */
#include "inject/ascend/hooks.h"
#include "inject/ascend/mc2.h"
#include "inject/ascend/capture.h"
#include "inject/ascend/graphs.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define KERNEL_TYPE 5u
#define ENDING "Mc2AicpuKernel"
#define MOST_ARGUMENTS (1u << 20)
#define MOST_DEVICES 64u

/* A kernel of the AI CPU that has not been launched yet. */
typedef struct Pending {
    bool is_there;
    uint32_t blocks;
    uint32_t flags;
    char name[OPPROF_LIVE_MOST_NAME + 1];
    rtAicpuArgsEx_t args;
    void *bytes; /* copy of the arguments */
    rtSmDesc_t *sm;
    AbiStream stream;
} Pending;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards comms */
static HcclComm comms[MOST_DEVICES];

/* ---- the kernel of the AI CPU ---- */

static bool is_mc2(uint32_t type, const char *name)
{
    const size_t length = name == NULL ? 0 : strlen(name);

    return type == KERNEL_TYPE && length >= sizeof ENDING && length <= OPPROF_LIVE_MOST_NAME &&
           strcmp(name + length - (sizeof ENDING - 1), ENDING) == 0;
}

static bool keep(const char *name, uint32_t blocks, const rtAicpuArgsEx_t *args, rtSmDesc_t *sm,
                 AbiStream stream, uint32_t flags)
{
    Pending *pending = CallRoom(CALL_MC2, sizeof *pending);
    void *bytes =
        pending == NULL || args == NULL || args->args == NULL || args->argsSize > MOST_ARGUMENTS
            ? NULL
            : malloc(args->argsSize + 1);

    if (bytes == NULL) {
        return false;
    }
    memcpy(bytes, args->args, args->argsSize);
    *pending = (Pending){ .is_there = true,
                          .blocks = blocks,
                          .flags = flags,
                          .args = *args,
                          .bytes = bytes,
                          .sm = sm,
                          .stream = stream };
    pending->args.args = bytes;
    memcpy(pending->name, name, strlen(name) + 1);
    return true;
}

/* NULL: the thread keeps none. */
static Pending *kept(void)
{
    Pending *pending = CallRoomIfThere(CALL_MC2);

    return pending != NULL && pending->is_there ? pending : NULL;
}

AbiError Mc2Launch(void)
{
    Pending *pending = kept();
    AbiError error = 0;

    if (pending != NULL) {
        MASKED(error,
               CALL_RT(rtAicpuKernelLaunchExWithArgs, KERNEL_TYPE, pending->name, pending->blocks,
                       &pending->args, pending->sm, pending->stream, pending->flags));
    }
    return error;
}

void Mc2Drop(void)
{
    Pending *pending = kept();

    if (pending != NULL) {
        free(pending->bytes);
        *pending = (Pending){ .is_there = false };
    }
}

/* In a child: the parent launches the kept operator. */
static void forget(void)
{
    const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;

    memcpy(&lock, &fresh, sizeof lock);
    Mc2Drop();
}
ON_FORK(forget)

AbiError Mc2Flush(void)
{
    const AbiError error = Mc2Launch();

    Mc2Drop();
    return error;
}

bool Mc2Matches(const char *kernel)
{
    const Pending *pending = kept();
    const size_t prefix = pending != NULL ? strlen(pending->name) - (sizeof ENDING - 1) : 0;

    return prefix > 0 && strncmp(kernel, pending->name, prefix) == 0 &&
           (kernel[prefix] == '\0' || kernel[prefix] == '_');
}

AbiStream Mc2Stream(void)
{
    const Pending *pending = kept();

    return pending == NULL ? NULL : pending->stream;
}

AbiError rtAicpuKernelLaunchExWithArgs(uint32_t type, const char *name, uint32_t blocks,
                                       const rtAicpuArgsEx_t *args, rtSmDesc_t *sm,
                                       AbiStream stream, uint32_t flags)
{
    const int saved_errno = errno;
    bool is_recorded = false;
    AbiError error =
        HookIsOuter() ? Mc2Flush() : 0; /* of an operator whose second part never came */
    const bool is_mine = error == 0 && HookIsOuter();
    const bool is_held = is_mine && CaptureHolds(stream, &is_recorded) != NULL;
    const bool is_kept = is_mine && !is_held && is_mc2(type, name) && WatchMayRepeat() &&
                         keep(name, blocks, args, sm, stream, flags);

    if (is_recorded) {
        GraphSpoil("which has kernels of the AI CPU", false);
    }
    errno = saved_errno;
    if (error == 0 && !is_kept) {
        MASKED(error,
               CALL_RT(rtAicpuKernelLaunchExWithArgs, type, name, blocks, args, sm, stream, flags));
    }
    return error;
}

/* ---- communicators ---- */

static void note_comm(int32_t device, HcclComm comm)
{
    if (device >= 0 && (uint32_t) device < MOST_DEVICES) {
        pthread_mutex_lock(&lock);
        comms[device] = comm;
        pthread_mutex_unlock(&lock);
    }
}

static HcclComm comm_of(int32_t device)
{
    HcclComm comm = NULL;

    if (device >= 0 && (uint32_t) device < MOST_DEVICES) {
        pthread_mutex_lock(&lock);
        comm = comms[device];
        pthread_mutex_unlock(&lock);
    }
    return comm;
}

bool Mc2HasComm(int32_t device)
{
    return comm_of(device) != NULL;
}

bool Mc2Barrier(int32_t device, AbiStream stream)
{
    const HcclComm comm = comm_of(device);
    int error = HCCL_ERROR_INTERNAL;

    if (comm != NULL) {
        MASKED(error, CALL(HcclBarrier, HCCL_ERROR_INTERNAL, comm, stream));
    }
    return error == 0;
}

int HcclCommInitRootInfo(uint32_t ranks, const HcclRootInfo *info, uint32_t rank, HcclComm *comm)
{
    int error;

    MASKED(error, CALL(HcclCommInitRootInfo, HCCL_ERROR_INTERNAL, ranks, info, rank, comm));
    if (error == 0 && HookIsOuter()) {
        DeviceRefresh();
        note_comm(*CallDevice(), *comm);
    }
    return error;
}

int HcclCommInitRootInfoConfig(uint32_t ranks, const HcclRootInfo *info, uint32_t rank,
                               const void *config, HcclComm *comm)
{
    int error;

    MASKED(error,
           CALL(HcclCommInitRootInfoConfig, HCCL_ERROR_INTERNAL, ranks, info, rank, config, comm));
    if (error == 0 && HookIsOuter()) {
        DeviceRefresh();
        note_comm(*CallDevice(), *comm);
    }
    return error;
}

int HcclCommInitClusterInfo(const char *table, uint32_t rank, HcclComm *comm)
{
    int error;

    MASKED(error, CALL(HcclCommInitClusterInfo, HCCL_ERROR_INTERNAL, table, rank, comm));
    if (error == 0 && HookIsOuter()) {
        DeviceRefresh();
        note_comm(*CallDevice(), *comm);
    }
    return error;
}

int HcclCommInitClusterInfoConfig(const char *table, uint32_t rank, void *config, HcclComm *comm)
{
    int error;

    MASKED(error,
           CALL(HcclCommInitClusterInfoConfig, HCCL_ERROR_INTERNAL, table, rank, config, comm));
    if (error == 0 && HookIsOuter()) {
        DeviceRefresh();
        note_comm(*CallDevice(), *comm);
    }
    return error;
}

int HcclCommInitAll(uint32_t devices, int32_t *list, HcclComm *made)
{
    int error;

    MASKED(error, CALL(HcclCommInitAll, HCCL_ERROR_INTERNAL, devices, list, made));
    for (uint32_t i = 0; error == 0 && HookIsOuter() && i < devices; i++) {
        note_comm(list[i], made[i]);
    }
    return error;
}

int HcclCommDestroy(HcclComm comm)
{
    pthread_mutex_lock(&lock);
    for (uint32_t i = 0; i < MOST_DEVICES; i++) {
        if (comms[i] == comm) {
            comms[i] = NULL;
        }
    }
    pthread_mutex_unlock(&lock);
    return CALL(HcclCommDestroy, HCCL_ERROR_INTERNAL, comm);
}
