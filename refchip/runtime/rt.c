/* SPDX-License-Identifier: Apache-2.0 */
/* The rt* functions of libruntime.so for devices, memory and streams. Tested by
 * tests/refchip/test_operators.sh. */
#include "refchip/chip/config.h"
#include "refchip/chip/execute.h"
#include "refchip/chip/fault.h"
#include "refchip/host_abi.h"
#include "state.h"
#include <stdlib.h>
#include <string.h>

static _Thread_local uint32_t current_device;

uint32_t CurrentDevice(void)
{
    return current_device;
}

/* ---- devices ---- */

AbiError rtSetDevice(int32_t device)
{
    if (device < 0 || (uint32_t) device >= RefchipConfigGet()->devices) {
        return RT_ERROR_VALUE;
    }
    current_device = (uint32_t) device;
    MsprofNotifySetDevice(0, current_device, true);
    return 0;
}

AbiError rtSetDeviceEx(int32_t device)
{
    return rtSetDevice(device);
}

AbiError rtSetDeviceV2(int32_t device, int32_t mode)
{
    (void) mode;
    return rtSetDevice(device);
}

AbiError rtDeviceReset(int32_t device)
{
    if (device < 0 || (uint32_t) device >= RefchipConfigGet()->devices) {
        return RT_ERROR_VALUE;
    }
    const AbiError error = StreamWaitAll((uint32_t) device, -1);

    MemoryFreeAll((uint32_t) device);
    return error;
}

AbiError rtDeviceResetEx(int32_t device)
{
    return rtDeviceReset(device);
}

AbiError rtGetDevice(int32_t *device)
{
    *device = (int32_t) current_device;
    return 0;
}

AbiError rtGetDeviceCount(int32_t *count)
{
    *count = (int32_t) RefchipConfigGet()->devices;
    return 0;
}

AbiError rtCtxCreate(void **context, uint32_t flag, int32_t device)
{
    static char contexts[REFCHIP_MOST_DEVICES];
    const AbiError error = rtSetDevice(device);

    (void) flag;
    if (error == 0) {
        *context = &contexts[device];
    }
    return error;
}

AbiError rtCtxCreateEx(void **context, uint32_t flag, int32_t device)
{
    return rtCtxCreate(context, flag, device);
}

AbiError rtCtxCreateV2(void **context, uint32_t flag, int32_t device, int32_t mode)
{
    (void) mode;
    return rtCtxCreate(context, flag, device);
}

AbiError rtDeviceStatusQuery(uint32_t device, uint32_t *status)
{
    *status = 0; /* normal */
    return device < RefchipConfigGet()->devices ? 0 : RT_ERROR_VALUE;
}

#define MODULE_AICORE 4
#define MODULE_VECTOR_CORE 7
#define INFO_CORE_COUNT 3

AbiError rtGetDeviceInfo(uint32_t device, int32_t module, int32_t info, int64_t *value)
{
    const RefchipConfig *config = RefchipConfigGet();

    if (device >= config->devices || info != INFO_CORE_COUNT ||
        (module != MODULE_AICORE && module != MODULE_VECTOR_CORE)) {
        return RT_ERROR_VALUE;
    }
    *value = (int64_t) config->cores * (module == MODULE_AICORE ? 1 : 2);
    return 0;
}

/* A process sees all devices, by the driver's numbers. */
AbiError rtGetVisibleDeviceIdByLogicDeviceId(int32_t logical, int32_t *visible)
{
    if (logical < 0 || (uint32_t) logical >= RefchipConfigGet()->devices) {
        return RT_ERROR_VALUE;
    }
    *visible = logical;
    return 0;
}

AbiError rtGetSocVersion(char *name, uint32_t size)
{
    const char *soc = RefchipConfigGet()->soc;

    if (strlen(soc) >= size) {
        return RT_ERROR_VALUE;
    }
    memcpy(name, soc, strlen(soc) + 1);
    return 0;
}

AbiError rtGetAiCoreCount(uint32_t *count)
{
    *count = RefchipConfigGet()->cores;
    return 0;
}

/* ---- memory ---- */

AbiError rtMalloc(void **memory, uint64_t size, uint32_t type, uint16_t module)
{
    (void) type;
    (void) module;
    *memory = MemoryAllocate(current_device, size);
    return *memory == NULL ? RT_ERROR_MEMORY : 0;
}

/* Memory that host and device share. */
AbiError rtMemAllocManaged(void **memory, uint64_t size, uint32_t flag, uint16_t module)
{
    return rtMalloc(memory, size, flag, module);
}

/* Addresses and what lies after them are one: a range has its memory from the start. */
AbiError rtReserveMemAddress(void **address, size_t size, size_t alignment, void *wish,
                             uint64_t flags)
{
    (void) alignment;
    (void) wish;
    (void) flags;
    return rtMalloc(address, size, 0, 0);
}

AbiError rtReleaseMemAddress(void *address)
{
    return rtFree(address);
}

AbiError rtMapMem(void *address, size_t size, size_t offset, rtDrvMemHandle_t *handle,
                  uint64_t flags)
{
    (void) flags;
    return handle != NULL && offset == 0 &&
                   MemoryIsValid(NULL, (uint64_t) (uintptr_t) address, size)
               ? 0
               : RT_ERROR_VALUE;
}

AbiError rtUnmapMem(void *address)
{
    return MemoryIsValid(NULL, (uint64_t) (uintptr_t) address, 1) ? 0 : RT_ERROR_VALUE;
}

AbiError rtFree(void *memory)
{
    return RefchipFault(FAULT_AT_free, current_device) != FAULT_FAILS && MemoryFree(memory)
               ? 0
               : RT_ERROR_VALUE;
}

/* Within a device, copies go through its L2 cache. */
static void copy(void *target, const void *source, uint64_t size, uint32_t kind, uint32_t device)
{
    memmove(target, source, size);
    if (kind == RT_MEMCPY_DEVICE) {
        RefchipCopied(device, target, source, size);
    }
}

AbiError rtMemcpy(void *target, uint64_t room, const void *source, uint64_t size, uint32_t kind)
{
    if (RefchipFault(FAULT_AT_copy, current_device) == FAULT_FAILS || size > room) {
        return RT_ERROR_VALUE;
    }
    copy(target, source, size, kind, current_device);
    return 0;
}

AbiError rtMemset(void *memory, uint64_t room, uint32_t value, uint64_t size)
{
    if (size > room) {
        return RT_ERROR_VALUE;
    }
    memset(memory, (int) value, size);
    return 0;
}

typedef struct CopyTask {
    Task task;
    void *target;
    const void *source;
    uint64_t size;
    uint32_t kind;
    uint32_t device;
} CopyTask;

static AbiError run_copy(Task *task)
{
    CopyTask *described = (CopyTask *) task;

    copy(described->target, described->source, described->size, described->kind, described->device);
    free(described);
    return 0;
}

AbiError rtMemcpyAsync(void *target, uint64_t room, const void *source, uint64_t size,
                       uint32_t kind, AbiStream stream)
{
    Stream *found = StreamOf(stream, current_device);
    CopyTask *described = malloc(sizeof *described);

    if (found == NULL || described == NULL || size > room || StreamModel(found) != NULL) {
        free(described);
        return found == NULL || described == NULL ? RT_ERROR_MEMORY : RT_ERROR_VALUE;
    }
    *described = (CopyTask){ { NULL, run_copy }, target, source, size, kind, current_device };
    StreamPut(found, &described->task);
    return 0;
}

/* ---- streams ---- */

AbiError rtStreamCreate(AbiStream *stream, int32_t priority)
{
    (void) priority;
    *stream = StreamCreate(current_device);
    return *stream == NULL ? RT_ERROR_MEMORY : 0;
}

AbiError rtStreamDestroy(AbiStream stream)
{
    if (stream == NULL) {
        return RT_ERROR_VALUE;
    }
    StreamDestroy(stream);
    return 0;
}

AbiError rtStreamSynchronize(AbiStream stream)
{
    return rtStreamSynchronizeWithTimeout(stream, -1);
}

AbiError rtStreamSynchronizeWithTimeout(AbiStream stream, int32_t ms)
{
    Stream *found = StreamOf(stream, current_device);

    if (found == NULL) {
        return RT_ERROR_MEMORY;
    }
    return RefchipFault(FAULT_AT_wait, current_device) == FAULT_FAILS || StreamModel(found) != NULL
               ? RT_ERROR_VALUE
               : StreamWait(found, ms);
}

AbiError rtStreamAbort(AbiStream stream)
{
    Stream *found = StreamOf(stream, current_device);

    if (found == NULL) {
        return RT_ERROR_MEMORY;
    }
    StreamAbort(found);
    return 0;
}

AbiError rtDeviceSynchronize(void)
{
    return rtDeviceSynchronizeWithTimeout(-1);
}

AbiError rtDeviceSynchronizeWithTimeout(int32_t ms)
{
    return RefchipFault(FAULT_AT_wait, current_device) == FAULT_FAILS
               ? RT_ERROR_VALUE
               : StreamWaitAll(current_device, ms);
}
