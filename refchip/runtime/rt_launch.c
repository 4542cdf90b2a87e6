/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rt* functions of libruntime.so for kernels and their launches.
 * Tested by tests/refchip/test_operators.sh and tests/refchip/test_calls.sh.
 */
#include "refchip/chip/execute.h"
#include "refchip/chip/fault.h"
#include "state.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_FILE ((size_t) 64 << 20)

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

static void aim(Task *task, Stream *stream)
{
    LaunchTask *launch = (LaunchTask *) task;

    launch->args = NULL;
    launch->launch.stream = StreamNumber(stream);
    launch->launch.context = stream;
}

static void drop(Task *task)
{
    LaunchTask *launch = (LaunchTask *) task;

    if (launch->args != NULL) {
        MemoryFree(launch->args);
    }
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
    task->task = (Task){ .run = run_launch, .size = sizeof *task, .aim = aim, .drop = drop };
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
    return StreamGive(found, &task->task);
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

/* ---- launches by other names ---- */

AbiError rtKernelLaunchWithFlag(const void *stub, uint32_t blocks, rtArgsEx_t *args, rtSmDesc_t *sm,
                                AbiStream stream, uint32_t flags)
{
    return rtKernelLaunchWithFlagV2(stub, blocks, args, sm, stream, flags, NULL);
}

/* On the vector cores alone; of kernels that have a part for both, this chip launches both. */
AbiError rtVectorCoreKernelLaunch(const void *stub, uint32_t blocks, rtArgsEx_t *args,
                                  rtSmDesc_t *sm, AbiStream stream, uint32_t flags,
                                  const rtTaskCfgInfo_t *config)
{
    return rtKernelLaunchWithFlagV2(stub, blocks, args, sm, stream, flags, config);
}

AbiError rtVectorCoreKernelLaunchWithHandle(void *handle, uint64_t key, uint32_t blocks,
                                            rtArgsEx_t *args, rtSmDesc_t *sm, AbiStream stream,
                                            const rtTaskCfgInfo_t *config)
{
    return rtKernelLaunchWithHandleV2(handle, key, blocks, args, sm, stream, config);
}

AbiError rtLaunchKernelByFuncHandleV3(void *function, uint32_t blocks, const rtArgsEx_t *args,
                                      AbiStream stream, const rtTaskCfgInfo_t *config)
{
    rtArgsEx_t copy;

    if (args == NULL) {
        return RT_ERROR_VALUE;
    }
    copy = *args;
    return rtKernelLaunchWithFlagV2(function, blocks, &copy, NULL, stream, 0, config);
}

/* Of this runtime such a handle is what the arguments are described by; it is never freed. */
AbiError rtCreateLaunchArgs(size_t size, size_t host_size, size_t host_count, void *data,
                            void **args)
{
    rtArgsEx_t *made = calloc(1, sizeof *made);

    (void) host_size;
    if (made == NULL || host_count > 0) {
        free(made);
        return RT_ERROR_VALUE;
    }
    *made = (rtArgsEx_t){ .args = data, .argsSize = (uint32_t) size };
    *args = made;
    return 0;
}

AbiError rtLaunchKernelByFuncHandleV2(void *function, uint32_t blocks, void *args, AbiStream stream,
                                      const rtTaskCfgInfo_t *config)
{
    return rtLaunchKernelByFuncHandleV3(function, blocks, args, stream, config);
}

AbiError rtLaunchKernelByFuncHandle(void *function, uint32_t blocks, void *args, AbiStream stream)
{
    return rtLaunchKernelByFuncHandleV3(function, blocks, args, stream, NULL);
}

AbiError rtsLaunchKernelWithConfig(void *function, uint32_t blocks, AbiStream stream, void *config,
                                   void *args, void *reserve)
{
    (void) config;
    return reserve != NULL ? RT_ERROR_VALUE
                           : rtLaunchKernelByFuncHandleV3(function, blocks, args, stream, NULL);
}

AbiError rtsLaunchKernelWithDevArgs(void *function, uint32_t blocks, AbiStream stream, void *config,
                                    const void *args, uint32_t size, void *reserve)
{
    rtArgsEx_t extended = { .argsSize = size, .isNoNeedH2DCopy = 1 };

    (void) config;
    memcpy(&extended.args, &args, sizeof args);
    return reserve != NULL
               ? RT_ERROR_VALUE
               : rtLaunchKernelByFuncHandleV3(function, blocks, &extended, stream, NULL);
}

AbiError rtsLaunchKernelWithHostArgs(void *function, uint32_t blocks, AbiStream stream,
                                     void *config, void *args, uint32_t size,
                                     rtHostInputInfo_t *places, uint32_t count)
{
    rtArgsEx_t extended = { .args = args,
                            .argsSize = size,
                            .hostInputInfoPtr = places,
                            .hostInputInfoNum = (uint16_t) count };

    (void) config;
    return rtLaunchKernelByFuncHandleV3(function, blocks, &extended, stream, NULL);
}

AbiError rtsBinaryLoadFromFile(const char *path, void *options, void **handle)
{
    FILE *in = path == NULL ? NULL : fopen(path, "rbe");
    uint8_t *data = in == NULL ? NULL : malloc(MOST_FILE);
    const size_t size = data == NULL ? 0 : fread(data, 1, MOST_FILE, in);
    const rtDevBinary_t binary = { RT_MAGIC_MIX, 0, data, size };
    const AbiError error = size == 0 ? RT_ERROR_VALUE : rtRegisterAllKernel(&binary, handle);

    (void) options;
    free(data);
    if (in != NULL) {
        fclose(in);
    }
    return error;
}

/* A function is its own stub. */
AbiError rtsFuncGetByName(void *handle, const char *name, void **function)
{
    void *made = calloc(1, 1);
    const AbiError error =
        made == NULL ? RT_ERROR_MEMORY : rtFunctionRegister(handle, made, name, NULL, 0);

    *function = error == 0 ? made : NULL;
    if (error != 0) {
        free(made);
    }
    return error;
}

/* ---- what this chip does not run ---- */

/* Tasks in a form of their own: taken and left, but for none at all. */
AbiError rtFftsPlusTaskLaunch(void *info, AbiStream stream)
{
    return rtFftsPlusTaskLaunchWithFlag(info, stream, 0);
}

AbiError rtFftsPlusTaskLaunchWithFlag(void *info, AbiStream stream, uint32_t flag)
{
    (void) flag;
    return info == NULL || StreamOf(stream, CurrentDevice()) == NULL ? RT_ERROR_VALUE : 0;
}

AbiError rtMultipleTaskInfoLaunch(const void *info, AbiStream stream)
{
    return info == NULL || StreamOf(stream, CurrentDevice()) == NULL ? RT_ERROR_VALUE : 0;
}

AbiError rtStarsTaskLaunch(const void *task, uint32_t size, AbiStream stream)
{
    return task == NULL || size == 0 || StreamOf(stream, CurrentDevice()) == NULL ? RT_ERROR_VALUE
                                                                                  : 0;
}

AbiError rtKernelLaunchEx(void *args, uint32_t size, uint32_t flags, AbiStream stream)
{
    (void) flags;
    return rtStarsTaskLaunch(args, size, stream);
}

/* Operators that no file describes: taken and left as well. */
AbiError aclopExecuteV2(const char *type, int inputs, void **input_forms, void **input_data,
                        int outputs, void **output_forms, void **output_data, void *attributes,
                        AbiStream stream)
{
    (void) inputs;
    (void) input_forms;
    (void) input_data;
    (void) outputs;
    (void) output_forms;
    (void) output_data;
    (void) attributes;
    return type == NULL || StreamOf(stream, CurrentDevice()) == NULL ? ACL_ERROR_INVALID : 0;
}

AbiError aclopCompileAndExecute(const char *type, int inputs, const void *const *forms,
                                const void *const *input_data, int outputs,
                                const void *const *output_forms, void *const *output_data,
                                const void *attributes, int32_t engine, int32_t flag,
                                const char *path, AbiStream stream)
{
    (void) forms;
    (void) input_data;
    (void) output_forms;
    (void) output_data;
    (void) attributes;
    (void) engine;
    (void) flag;
    (void) path;
    return aclopExecuteV2(type, inputs, NULL, NULL, outputs, NULL, NULL, NULL, stream);
}

AbiError rtsLaunchCpuKernel(void *function, uint32_t blocks, AbiStream stream, const void *config,
                            void *args)
{
    (void) blocks;
    (void) config;
    return function == NULL || args == NULL || StreamOf(stream, CurrentDevice()) == NULL
               ? RT_ERROR_VALUE
               : 0;
}
