/* SPDX-License-Identifier: Apache-2.0 */
/* The rt* functions of libruntime.so. Tested by tests/refchip/test_operators.sh. */
#include "refchip/chip/config.h"
#include "refchip/chip/execute.h"
#include "refchip/isa.h"
#include "state.h"
#include <pthread.h>
#include <stdio.h>
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
    return StreamWaitAll((uint32_t) device, -1);
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

AbiError rtFree(void *memory)
{
    return MemoryFree(memory) ? 0 : RT_ERROR_VALUE;
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
    if (size > room) {
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

    if (found == NULL || described == NULL || size > room) {
        free(described);
        return size > room ? RT_ERROR_VALUE : RT_ERROR_MEMORY;
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

    return found == NULL ? RT_ERROR_MEMORY : StreamWait(found, ms);
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
    return StreamWaitAll(current_device, ms);
}

/* ---- kernels ---- */

static bool is_magic(uint32_t magic)
{
    return magic == RT_MAGIC_MIX || magic == RT_MAGIC_VECTOR || magic == RT_MAGIC_CUBE ||
           magic == RT_MAGIC_AICPU;
}

AbiError rtDevBinaryRegister(const rtDevBinary_t *binary, void **handle)
{
    if (binary == NULL || !is_magic(binary->magic)) {
        return RT_ERROR_VALUE;
    }
    *handle = BinaryLoad(binary->data, binary->length);
    return *handle == NULL ? RT_ERROR_VALUE : 0;
}

AbiError rtRegisterAllKernel(const rtDevBinary_t *binary, void **handle)
{
    return rtDevBinaryRegister(binary, handle);
}

AbiError rtDevBinaryUnRegister(void *handle)
{
    return handle == NULL ? RT_ERROR_VALUE : 0;
}

/* A kernel by the address that stands for it in the program. */
typedef struct Stub {
    const void *stub;
    Binary *binary;
    const Kernel *kernel;
    struct Stub *next;
} Stub;

static pthread_mutex_t stub_lock = PTHREAD_MUTEX_INITIALIZER; /* guards stubs */
static Stub *stubs;

AbiError rtFunctionRegister(void *handle, const void *stub, const char *name, const void *info,
                            uint32_t mode)
{
    Binary *binary = handle;
    const Kernel *kernel = BinaryKernel(binary, name);
    Stub *entry = malloc(sizeof *entry);

    (void) info;
    (void) mode;
    if (kernel == NULL || entry == NULL) {
        free(entry);
        return kernel == NULL ? RT_ERROR_VALUE : RT_ERROR_MEMORY;
    }
    pthread_mutex_lock(&stub_lock);
    *entry = (Stub){ stub, binary, kernel, stubs };
    stubs = entry;
    pthread_mutex_unlock(&stub_lock);
    return 0;
}

static const Stub *find_stub(const void *stub)
{
    const Stub *found;

    pthread_mutex_lock(&stub_lock);
    for (found = stubs; found != NULL && found->stub != stub; found = found->next) {
    }
    pthread_mutex_unlock(&stub_lock);
    return found;
}

/* ---- launches ---- */

typedef struct LaunchTask {
    Task task;
    RefchipLaunch launch;
    void *args; /* to be freed, in the memory of the device; NULL: the caller's */
} LaunchTask;

static AbiError run_launch(Task *task)
{
    LaunchTask *launch = (LaunchTask *) task;
    RefchipOutcome outcome;
    const bool is_good = RefchipExecute(&launch->launch, &outcome);

    if (!is_good) {
        fprintf(stderr, "refchip: kernel fault: %s\n", outcome.fault);
    }
    if (launch->args != NULL) {
        MemoryFree(launch->args);
    }
    free(launch);
    return is_good ? 0 : ACL_ERROR_KERNEL;
}

/* The argument block on its way to the device. */
typedef struct Arguments {
    const void *data;
    uint64_t size;
    bool is_on_device;
    const rtHostInputInfo_t *places; /* pointers to be filled with addresses inside the block */
    size_t count;
} Arguments;

static bool fill_places(uint8_t *block, const Arguments *arguments)
{
    for (size_t i = 0; i < arguments->count; i++) {
        const rtHostInputInfo_t *place = &arguments->places[i];
        const uint64_t address = (uint64_t) (uintptr_t) block + place->dataOffset;

        if (arguments->size < 8 || place->addrOffset > arguments->size - 8 ||
            place->dataOffset > arguments->size) {
            return false;
        }
        memcpy(block + place->addrOffset, &address, 8);
    }
    return true;
}

static AbiError put_launch(Binary *binary, const Kernel *kernel, uint32_t blocks,
                           const Arguments *arguments, AbiStream stream)
{
    Stream *found = StreamOf(stream, current_device);
    LaunchTask *task = calloc(1, sizeof *task);

    if (found == NULL || task == NULL) {
        free(task);
        return RT_ERROR_MEMORY;
    }
    task->task.run = run_launch;
    task->launch = (RefchipLaunch){ .text = binary->text,
                                    .words = binary->words,
                                    .load_pc = binary->load_pc,
                                    .entry = kernel->entry,
                                    .kind = binary->kind,
                                    .blocks = blocks,
                                    .device = current_device,
                                    .stream = StreamNumber(found),
                                    .task = StreamNextTask(found),
                                    .name = kernel->name,
                                    .is_valid = MemoryIsValid,
                                    .is_aborted = StreamIsAborted,
                                    .context = found };
    if (arguments->is_on_device) {
        task->launch.args = arguments->data;
    } else {
        task->args = MemoryAllocate(current_device, arguments->size + 8);
        if (task->args == NULL) {
            free(task);
            return RT_ERROR_MEMORY;
        }
        memcpy(task->args, arguments->data, arguments->size);
        if (!fill_places(task->args, arguments)) {
            MemoryFree(task->args);
            free(task);
            return RT_ERROR_VALUE;
        }
        task->launch.args = task->args;
    }
    StreamPut(found, &task->task);
    return 0;
}

AbiError rtKernelLaunch(const void *stub, uint32_t blocks, void *args, uint32_t size,
                        rtSmDesc_t *sm, AbiStream stream)
{
    const Stub *found = find_stub(stub);
    const Arguments arguments = { .data = args, .size = size };

    (void) sm;
    return found == NULL ? RT_ERROR_VALUE
                         : put_launch(found->binary, found->kernel, blocks, &arguments, stream);
}

/* The tiling pointer is one more place to fill. */
static AbiError launch_extended(Binary *binary, const Kernel *kernel, uint32_t blocks,
                                const rtArgsEx_t *args, AbiStream stream)
{
    rtHostInputInfo_t places[64];
    Arguments arguments = { .data = args->args,
                            .size = args->argsSize,
                            .is_on_device = args->isNoNeedH2DCopy != 0,
                            .places = places,
                            .count = args->hostInputInfoNum };

    if (args->hostInputInfoNum > 63) {
        return RT_ERROR_VALUE;
    }
    if (args->hostInputInfoNum > 0) {
        memcpy(places, args->hostInputInfoPtr, args->hostInputInfoNum * sizeof places[0]);
    }
    if (args->hasTiling) {
        places[arguments.count++] =
            (rtHostInputInfo_t){ args->tilingAddrOffset, args->tilingDataOffset };
    }
    return put_launch(binary, kernel, blocks, &arguments, stream);
}

AbiError rtKernelLaunchWithHandleV2(void *handle, uint64_t key, uint32_t blocks, rtArgsEx_t *args,
                                    rtSmDesc_t *sm, AbiStream stream, const rtTaskCfgInfo_t *config)
{
    Binary *binary = handle;
    const Kernel *kernel = binary == NULL ? NULL : BinaryKernelByKey(binary, key);

    (void) sm;
    (void) config;
    return kernel == NULL ? RT_ERROR_VALUE : launch_extended(binary, kernel, blocks, args, stream);
}

AbiError rtKernelLaunchWithHandle(void *handle, uint64_t key, uint32_t blocks, rtArgsEx_t *args,
                                  rtSmDesc_t *sm, AbiStream stream, const void *info)
{
    (void) info;
    return rtKernelLaunchWithHandleV2(handle, key, blocks, args, sm, stream, NULL);
}

AbiError rtKernelLaunchWithFlagV2(const void *stub, uint32_t blocks, rtArgsEx_t *args,
                                  rtSmDesc_t *sm, AbiStream stream, uint32_t flags,
                                  const rtTaskCfgInfo_t *config)
{
    const Stub *found = find_stub(stub);

    (void) sm;
    (void) flags;
    (void) config;
    return found == NULL ? RT_ERROR_VALUE
                         : launch_extended(found->binary, found->kernel, blocks, args, stream);
}
