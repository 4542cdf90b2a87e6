/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of the runtime by either of its layers: aclrt*Impl where there is one, else rt*.
 * Tested by tests/refchip/test_board.sh.
 */
#include "inject/ascend/board.h"
#include <time.h>

uint64_t Now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t) now.tv_sec * 1000000000u + (uint64_t) now.tv_nsec;
}

void *DeviceAllocate(uint64_t size)
{
    void *memory = NULL;

    if (ORIGINAL(aclrtMallocImpl) != NULL) {
        return ORIGINAL(aclrtMallocImpl)(&memory, size, 0) == 0 ? memory : NULL;
    }
    return ORIGINAL(rtMalloc) != NULL && ORIGINAL(rtMalloc)(&memory, size, 0, 0) == 0 ? memory
                                                                                      : NULL;
}

void DeviceFree(void *memory)
{
    if (ORIGINAL(aclrtFreeImpl) != NULL) {
        ORIGINAL(aclrtFreeImpl)(memory);
    } else if (ORIGINAL(rtFree) != NULL) {
        ORIGINAL(rtFree)(memory);
    }
}

bool DeviceCopy(void *target, const void *source, uint64_t size, uint32_t kind)
{
    if (ORIGINAL(aclrtMemcpyImpl) != NULL) {
        return ORIGINAL(aclrtMemcpyImpl)(target, size, source, size, (int32_t) kind) == 0;
    }
    return ORIGINAL(rtMemcpy) != NULL && ORIGINAL(rtMemcpy)(target, size, source, size, kind) == 0;
}

AbiError DeviceWait(AbiStream stream, uint32_t ms)
{
    if (ORIGINAL(aclrtSynchronizeStreamWithTimeoutImpl) != NULL) {
        return ORIGINAL(aclrtSynchronizeStreamWithTimeoutImpl)(stream, (int32_t) ms);
    }
    return ORIGINAL(rtStreamSynchronizeWithTimeout) == NULL
               ? RT_ERROR_RESERVED
               : ORIGINAL(rtStreamSynchronizeWithTimeout)(stream, (int32_t) ms);
}

/* Older runtimes wait for a device only without a limit; then waiting for the launch's stream must
 * do. */
AbiError DeviceWaitAll(AbiStream stream, uint32_t ms)
{
    if (ORIGINAL(aclrtSynchronizeDeviceWithTimeoutImpl) != NULL) {
        return ORIGINAL(aclrtSynchronizeDeviceWithTimeoutImpl)((int32_t) ms);
    }
    if (ORIGINAL(rtDeviceSynchronizeWithTimeout) != NULL) {
        return ORIGINAL(rtDeviceSynchronizeWithTimeout)((int32_t) ms);
    }
    return DeviceWait(stream, ms);
}

void DeviceAbort(AbiStream stream)
{
    if (ORIGINAL(aclrtStreamAbortImpl) != NULL) {
        ORIGINAL(aclrtStreamAbortImpl)(stream);
    } else if (ORIGINAL(rtStreamAbort) != NULL) {
        ORIGINAL(rtStreamAbort)(stream);
    }
}
