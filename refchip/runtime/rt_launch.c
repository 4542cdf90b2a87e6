/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rt* functions of libruntime.so for kernels, their launches and captures of these.
 * Tested by tests/refchip/test_operators.sh and tests/refchip/test_calls.sh.
 */
#include "refchip/chip/execute.h"
#include "refchip/chip/fault.h"
#include "state.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- kernels ---- */

static bool is_magic(uint32_t magic)
{
    return magic == RT_MAGIC_MIX || magic == RT_MAGIC_VECTOR || magic == RT_MAGIC_CUBE ||
           magic == RT_MAGIC_AICPU;
}

AbiError rtDevBinaryRegister(const rtDevBinary_t *binary, void **handle)
{
    if (RefchipFault(FAULT_AT_load, CurrentDevice()) == FAULT_FAILS || binary == NULL ||
        !is_magic(binary->magic)) {
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

AbiError rtRegisterFuncSymbol(void *handle, const void *symbol, const char *name, void *reserve)
{
    (void) reserve;
    return rtFunctionRegister(handle, symbol, name, NULL, 0);
}

/* Takes the sizes of the next launch's arguments, which this runtime does not use. */
AbiError rtSetExceptionExtInfo(const rtArgsSizeInfo_t *info)
{
    return info == NULL ? RT_ERROR_VALUE : 0;
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

/* ---- captures ---- */

/* Launches that were recorded instead of made, to be made any number of times. */
typedef struct Model {
    LaunchTask *launches; /* with arguments in the memory of the device */
    uint32_t count;
} Model;

static AbiError capture(Model *model, const LaunchTask *task)
{
    LaunchTask *launches =
        reallocarray(model->launches, model->count + 1u, sizeof *model->launches);

    if (launches == NULL) {
        return RT_ERROR_MEMORY;
    }
    model->launches = launches;
    launches[model->count++] = *task;
    return 0;
}

AbiError rtStreamBeginCapture(AbiStream stream, int32_t mode)
{
    Stream *found = StreamOf(stream, CurrentDevice());
    Model *model = calloc(1, sizeof *model);

    (void) mode;
    if (found == NULL || model == NULL || StreamModel(found) != NULL) {
        free(model);
        return found == NULL || model == NULL ? RT_ERROR_MEMORY : RT_ERROR_VALUE;
    }
    StreamSetModel(found, model);
    return 0;
}

AbiError rtStreamEndCapture(AbiStream stream, void **model)
{
    Stream *found = StreamOf(stream, CurrentDevice());

    *model = found == NULL ? NULL : StreamModel(found);
    if (*model == NULL) {
        return RT_ERROR_VALUE;
    }
    StreamSetModel(found, NULL);
    return 0;
}

AbiError rtModelExecute(void *model, AbiStream stream, uint32_t flag)
{
    const Model *known = model;
    Stream *found = StreamOf(stream, CurrentDevice());

    (void) flag;
    for (uint32_t i = 0; known != NULL && i < known->count; i++) {
        LaunchTask *task = found == NULL ? NULL : malloc(sizeof *task);

        if (task == NULL) {
            return RT_ERROR_MEMORY;
        }
        *task = known->launches[i];
        task->args = NULL; /* they stay the model's */
        task->launch.stream = StreamNumber(found);
        task->launch.context = found;
        StreamPut(found, &task->task);
    }
    return known == NULL ? RT_ERROR_VALUE : 0;
}

AbiError rtModelDestroy(void *model)
{
    Model *known = model;

    if (known == NULL) {
        return RT_ERROR_VALUE;
    }
    for (uint32_t i = 0; i < known->count; i++) {
        if (known->launches[i].args != NULL) {
            MemoryFree(known->launches[i].args);
        }
    }
    free(known->launches);
    free(known);
    return 0;
}

/* ---- arguments ---- */

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
    Stream *found = StreamOf(stream, CurrentDevice());
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
                                    .vector_entry = kernel->vector_entry,
                                    .kind = binary->kind,
                                    .blocks = blocks,
                                    .device = CurrentDevice(),
                                    .stream = StreamNumber(found),
                                    .task = StreamNextTask(found),
                                    .name = kernel->name,
                                    .is_valid = MemoryIsValid,
                                    .is_aborted = StreamIsAborted,
                                    .context = found };
    if (arguments->is_on_device) {
        task->launch.args = arguments->data;
    } else {
        task->args = MemoryAllocate(CurrentDevice(), arguments->size + 8);
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
    if (StreamModel(found) != NULL) {
        const AbiError error = capture(StreamModel(found), task);

        free(task);
        return error;
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
