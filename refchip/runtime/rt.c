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

/* ---- devices ---- */

/* What a program works with is one of a device's contexts. */
typedef struct Context {
    uint32_t device; /* as the program calls it */
} Context;

static Context usual[REFCHIP_MOST_DEVICES];
static _Thread_local Context *current; /* NULL: the first device's */

/* The driver's number of a device that the process sees; below 0: it sees no such device. */
static int32_t visible(uint32_t device)
{
    const char *list = getenv("ASCEND_RT_VISIBLE_DEVICES");
    unsigned long number = device;

    if (list != NULL && *list != '\0') {
        for (uint32_t i = 0; i < device && list != NULL; i++) {
            list = strchr(list, ',');
            list = list == NULL ? NULL : list + 1;
        }
        number = list == NULL ? REFCHIP_MOST_DEVICES : strtoul(list, NULL, 10);
    }
    return number < RefchipConfigGet()->devices ? (int32_t) number : -1;
}

uint32_t CurrentDevice(void)
{
    const int32_t device = visible(current == NULL ? 0 : current->device);

    return device < 0 ? 0 : (uint32_t) device;
}

static bool is_device(int32_t device)
{
    return device >= 0 && device < (int32_t) REFCHIP_MOST_DEVICES &&
           visible((uint32_t) device) >= 0;
}

AbiError rtSetDevice(int32_t device)
{
    if (!is_device(device)) {
        return RT_ERROR_VALUE;
    }
    usual[device].device = (uint32_t) device;
    current = &usual[device];
    MsprofNotifySetDevice(0, CurrentDevice(), true);
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
    uint32_t number;

    if (!is_device(device)) {
        return RT_ERROR_VALUE;
    }
    number = (uint32_t) visible((uint32_t) device);
    const AbiError error = StreamWaitAll(number, -1);

    MemoryFreeAll(number);
    return error;
}

AbiError rtDeviceResetForce(int32_t device)
{
    return rtDeviceReset(device);
}

AbiError rtDeviceResetEx(int32_t device)
{
    return rtDeviceReset(device);
}

AbiError rtGetDevice(int32_t *device)
{
    *device = current == NULL ? 0 : (int32_t) current->device;
    return 0;
}

AbiError rtGetDeviceCount(int32_t *count)
{
    for (*count = 0; is_device(*count); (*count)++) {
    }
    return 0;
}

AbiError rtCtxCreate(void **context, uint32_t flag, int32_t device)
{
    Context *made = calloc(1, sizeof *made);

    (void) flag;
    if (made == NULL || !is_device(device)) {
        free(made);
        return RT_ERROR_VALUE;
    }
    made->device = (uint32_t) device;
    current = made;
    *context = made;
    MsprofNotifySetDevice(0, CurrentDevice(), true);
    return 0;
}

AbiError rtCtxSetCurrent(void *context)
{
    if (context == NULL) {
        return RT_ERROR_VALUE;
    }
    current = context;
    return 0;
}

AbiError rtCtxGetCurrent(void **context)
{
    *context = current;
    return current == NULL ? RT_ERROR_VALUE : 0;
}

AbiError rtCtxDestroy(void *context)
{
    if (context == NULL) {
        return RT_ERROR_VALUE;
    }
    current = current == context ? NULL : current;
    free(context);
    return 0;
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
    return is_device((int32_t) device) ? 0 : RT_ERROR_VALUE;
}

#define MODULE_AICORE 4
#define MODULE_VECTOR_CORE 7
#define INFO_CORE_COUNT 3

AbiError rtGetDeviceInfo(uint32_t device, int32_t module, int32_t info, int64_t *value)
{
    const RefchipConfig *config = RefchipConfigGet();

    if (!is_device((int32_t) device) || info != INFO_CORE_COUNT ||
        (module != MODULE_AICORE && module != MODULE_VECTOR_CORE)) {
        return RT_ERROR_VALUE;
    }
    *value = (int64_t) config->cores * (module == MODULE_AICORE ? 1 : 2);
    return 0;
}

AbiError rtGetVisibleDeviceIdByLogicDeviceId(int32_t logical, int32_t *number)
{
    if (!is_device(logical)) {
        return RT_ERROR_VALUE;
    }
    *number = visible((uint32_t) logical);
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
    *memory = MemoryAllocate(CurrentDevice(), size);
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
    return RefchipFault(FAULT_AT_free, CurrentDevice()) != FAULT_FAILS && MemoryFree(memory)
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
    if (ModelForbids() != 0) {
        return ModelForbids();
    }
    if (RefchipFault(FAULT_AT_copy, CurrentDevice()) == FAULT_FAILS || size > room) {
        return RT_ERROR_VALUE;
    }
    copy(target, source, size, kind, CurrentDevice());
    return 0;
}

AbiError rtMemset(void *memory, uint64_t room, uint32_t value, uint64_t size)
{
    if (ModelForbids() != 0) {
        return ModelForbids();
    }
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
    Stream *found = StreamOf(stream, CurrentDevice());
    CopyTask *described = malloc(sizeof *described);

    if (found == NULL || described == NULL || size > room) {
        free(described);
        return found == NULL || described == NULL ? RT_ERROR_MEMORY : RT_ERROR_VALUE;
    }
    *described = (CopyTask){
        { .run = run_copy, .size = sizeof *described }, target, source, size, kind, CurrentDevice()
    };
    return StreamGive(found, &described->task);
}

typedef struct SetTask {
    Task task;
    void *memory;
    uint32_t value;
    uint64_t size;
} SetTask;

static AbiError run_set(Task *task)
{
    SetTask *described = (SetTask *) task;

    memset(described->memory, (int) described->value, described->size);
    free(described);
    return 0;
}

AbiError rtMemsetAsync(void *memory, uint64_t room, uint32_t value, uint64_t size, AbiStream stream)
{
    Stream *found = StreamOf(stream, CurrentDevice());
    SetTask *described = malloc(sizeof *described);

    if (found == NULL || described == NULL || size > room) {
        free(described);
        return RT_ERROR_VALUE;
    }
    *described = (SetTask){ { .run = run_set, .size = sizeof *described }, memory, value, size };
    return StreamGive(found, &described->task);
}

/* ---- streams ---- */

AbiError rtStreamCreate(AbiStream *stream, int32_t priority)
{
    (void) priority;
    *stream = StreamCreate(CurrentDevice());
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
    Stream *found = StreamOf(stream, CurrentDevice());

    if (found == NULL) {
        return RT_ERROR_MEMORY;
    }
    if (StreamMayWait(found) != 0) {
        return StreamMayWait(found);
    }
    return RefchipFault(FAULT_AT_wait, CurrentDevice()) == FAULT_FAILS ? RT_ERROR_VALUE
                                                                       : StreamWait(found, ms);
}

/* 0: no work is left. */
AbiError rtStreamQuery(AbiStream stream)
{
    Stream *found = StreamOf(stream, CurrentDevice());

    if (found == NULL) {
        return RT_ERROR_MEMORY;
    }
    return StreamMayWait(found) != 0 ? StreamMayWait(found)
           : StreamIsIdle(found)     ? 0
                                     : RT_ERROR_BUSY;
}

AbiError rtStreamAbort(AbiStream stream)
{
    Stream *found = StreamOf(stream, CurrentDevice());

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
    if (ModelForbids() != 0) {
        return ModelForbids();
    }
    return RefchipFault(FAULT_AT_wait, CurrentDevice()) == FAULT_FAILS
               ? RT_ERROR_VALUE
               : StreamWaitAll(CurrentDevice(), ms);
}
