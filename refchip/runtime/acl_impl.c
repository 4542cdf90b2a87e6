/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The aclrt*Impl functions, made of rt* ones. They lie in libruntime.so, or in a library of their
 * own, as toolkits differ in this.
 * Tested by tests/refchip/test_operators.sh.
 */
#include "refchip/abi.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A kernel in a binary; its address is the stub that stands for it. */
typedef struct Function {
    void *handle;
    char name[256];
    uint64_t key;
    bool has_key;
} Function;

/* A binary that is not loaded yet. */
typedef struct Image {
    void *data;
    size_t size;
} Image;

/* Arguments that are put together. */
typedef struct Args {
    Function *function;
    uint8_t data[4096];
    uint32_t size;
    bool is_final;
    struct Args *next;
} Args;

/* All that were made: a program never gives them back, and may launch with one again. */
static Args *_Atomic all_args;

static AbiError translate(AbiError error)
{
    return error == RT_ERROR_MEMORY  ? ACL_ERROR_BAD_ALLOC
           : error == RT_ERROR_VALUE ? ACL_ERROR_INVALID
                                     : error;
}

/* ---- devices, memory, streams ---- */

AbiError aclrtSetDeviceImpl(int32_t device)
{
    return translate(rtSetDevice(device));
}

AbiError aclrtResetDeviceImpl(int32_t device)
{
    return translate(rtDeviceReset(device));
}

AbiError aclrtGetDeviceImpl(int32_t *device)
{
    return translate(rtGetDevice(device));
}

AbiError aclrtGetDeviceCountImpl(uint32_t *count)
{
    int32_t devices = 0;
    const AbiError error = rtGetDeviceCount(&devices);

    *count = (uint32_t) devices;
    return translate(error);
}

AbiError aclrtCreateContextImpl(void **context, int32_t device)
{
    return translate(rtCtxCreateEx(context, 0, device));
}

const char *aclrtGetSocNameImpl(void)
{
    static _Thread_local char name[64];

    return rtGetSocVersion(name, sizeof name) == 0 ? name : NULL;
}

AbiError aclrtMallocImpl(void **memory, size_t size, int32_t policy)
{
    (void) policy;
    return translate(rtMalloc(memory, size, 0, 0));
}

AbiError aclrtMallocWithCfgImpl(void **memory, size_t size, int32_t policy, void *config)
{
    (void) config;
    return aclrtMallocImpl(memory, size, policy);
}

AbiError aclrtMallocAlign32Impl(void **memory, size_t size, int32_t policy)
{
    return aclrtMallocImpl(memory, size, policy);
}

AbiError aclrtMallocCachedImpl(void **memory, size_t size, int32_t policy)
{
    return aclrtMallocImpl(memory, size, policy);
}

AbiError aclrtFreeImpl(void *memory)
{
    return translate(rtFree(memory));
}

AbiError aclrtMemcpyImpl(void *target, size_t room, const void *source, size_t size, int32_t kind)
{
    return translate(rtMemcpy(target, room, source, size, (uint32_t) kind));
}

AbiError aclrtMemcpyAsyncImpl(void *target, size_t room, const void *source, size_t size,
                              int32_t kind, AbiStream stream)
{
    return translate(rtMemcpyAsync(target, room, source, size, (uint32_t) kind, stream));
}

AbiError aclrtMemsetImpl(void *memory, size_t room, int32_t value, size_t size)
{
    return translate(rtMemset(memory, room, (uint32_t) value, size));
}

AbiError aclrtCreateStreamImpl(AbiStream *stream)
{
    return translate(rtStreamCreate(stream, 0));
}

AbiError aclrtDestroyStreamImpl(AbiStream stream)
{
    return translate(rtStreamDestroy(stream));
}

AbiError aclrtSynchronizeStreamImpl(AbiStream stream)
{
    return translate(rtStreamSynchronize(stream));
}

AbiError aclrtSynchronizeStreamWithTimeoutImpl(AbiStream stream, int32_t ms)
{
    return translate(rtStreamSynchronizeWithTimeout(stream, ms));
}

AbiError aclrtStreamAbortImpl(AbiStream stream)
{
    return translate(rtStreamAbort(stream));
}

AbiError aclrtSynchronizeDeviceWithTimeoutImpl(int32_t ms)
{
    return translate(rtDeviceSynchronizeWithTimeout(ms));
}

AbiError aclrtSynchronizeDeviceImpl(void)
{
    return translate(rtDeviceSynchronize());
}

/* ---- binaries and functions ---- */

AbiError aclrtBinaryLoadFromDataImpl(const void *data, size_t size, const void *options,
                                     void **handle)
{
    const rtDevBinary_t binary = { RT_MAGIC_MIX, 0, data, size };

    (void) options;
    return translate(rtRegisterAllKernel(&binary, handle));
}

AbiError aclrtBinaryLoadFromFileImpl(const char *path, void *options, void **handle)
{
    FILE *in = path == NULL ? NULL : fopen(path, "rbe");
    AbiError error = ACL_ERROR_INVALID;
    uint8_t *data;
    size_t size;

    if (in == NULL) {
        return error;
    }
    data = malloc(64u << 20);
    size = data == NULL ? 0 : fread(data, 1, 64u << 20, in);
    if (size > 0) {
        error = aclrtBinaryLoadFromDataImpl(data, size, options, handle);
    }
    free(data);
    fclose(in);
    return error;
}

void *aclrtCreateBinaryImpl(const void *data, size_t size)
{
    Image *image = calloc(1, sizeof *image);

    if (image != NULL) {
        image->data = malloc(size);
        image->size = size;
    }
    if (image == NULL || image->data == NULL) {
        free(image);
        return NULL;
    }
    memcpy(image->data, data, size);
    return image;
}

AbiError aclrtDestroyBinaryImpl(void *binary)
{
    Image *image = binary;

    if (image != NULL) {
        free(image->data);
    }
    free(image);
    return 0;
}

AbiError aclrtBinaryLoadImpl(void *binary, void **handle)
{
    const Image *image = binary;

    return image == NULL ? ACL_ERROR_INVALID
                         : aclrtBinaryLoadFromDataImpl(image->data, image->size, NULL, handle);
}

AbiError aclrtBinaryUnLoadImpl(void *handle)
{
    return translate(rtDevBinaryUnRegister(handle));
}

AbiError aclrtBinaryGetFunctionImpl(void *handle, const char *name, void **function)
{
    Function *made = calloc(1, sizeof *made);
    AbiError error;

    if (made == NULL || handle == NULL || name == NULL || strlen(name) >= sizeof made->name) {
        free(made);
        return made == NULL ? ACL_ERROR_BAD_ALLOC : ACL_ERROR_INVALID;
    }
    made->handle = handle;
    memcpy(made->name, name, strlen(name) + 1);
    error = rtFunctionRegister(handle, made, made->name, NULL, 0);
    if (error != 0) {
        free(made);
        return translate(error);
    }
    *function = made;
    return 0;
}

AbiError aclrtBinaryGetFunctionByEntryImpl(void *handle, uint64_t entry, void **function)
{
    Function *made = calloc(1, sizeof *made);

    if (made == NULL || handle == NULL) {
        free(made);
        return ACL_ERROR_INVALID;
    }
    made->handle = handle;
    made->key = entry;
    made->has_key = true;
    *function = made;
    return 0;
}

AbiError aclrtGetFunctionNameImpl(void *function, uint32_t size, char *name)
{
    const Function *known = function;

    if (known == NULL || strlen(known->name) >= size) {
        return ACL_ERROR_INVALID;
    }
    memcpy(name, known->name, strlen(known->name) + 1);
    return 0;
}

AbiError aclrtGetFunctionAddrImpl(void *function, void **cube, void **vector)
{
    const Function *known = function;
    struct { /* as the runtime has it; see state.h */
        uint32_t *text;
        uint32_t words;
        uint32_t kind;
        uint64_t load_pc;
    } binary;

    if (known == NULL) {
        return ACL_ERROR_INVALID;
    }
    memcpy(&binary, known->handle, sizeof binary);
    *cube = (void *) (uintptr_t) (binary.kind == 1 ? binary.load_pc : 0);
    *vector = (void *) (uintptr_t) (binary.kind == 2 ? binary.load_pc : 0);
    return 0;
}

/* ---- arguments and launches ---- */

AbiError aclrtKernelArgsInitImpl(void *function, void **args)
{
    Args *made = calloc(1, sizeof *made);

    if (made == NULL) {
        return ACL_ERROR_BAD_ALLOC;
    }
    made->function = function;
    made->next = atomic_load(&all_args);
    while (!atomic_compare_exchange_weak(&all_args, &made->next, made)) {
    }
    *args = made;
    return 0;
}

AbiError aclrtKernelArgsAppendImpl(void *args, void *data, size_t size, void **parameter)
{
    Args *known = args;
    uint32_t at;

    if (known == NULL || known->is_final) {
        return ACL_ERROR_INVALID;
    }
    at = (known->size + 7) & ~7u;
    if (size > sizeof known->data - at) {
        return ACL_ERROR_BAD_ALLOC;
    }
    memcpy(known->data + at, data, size);
    known->size = at + (uint32_t) size;
    if (parameter != NULL) {
        *parameter = known->data + at;
    }
    return 0;
}

AbiError aclrtKernelArgsFinalizeImpl(void *args)
{
    Args *known = args;

    if (known == NULL) {
        return ACL_ERROR_INVALID;
    }
    known->is_final = true;
    return 0;
}

static AbiError launch(Function *function, uint32_t blocks, rtArgsEx_t *args, AbiStream stream)
{
    if (function == NULL) {
        return ACL_ERROR_INVALID;
    }
    return translate(function->has_key
                         ? rtKernelLaunchWithHandleV2(function->handle, function->key, blocks, args,
                                                      NULL, stream, NULL)
                         : rtKernelLaunchWithFlagV2(function, blocks, args, NULL, stream, 0, NULL));
}

AbiError aclrtLaunchKernelImpl(void *function, uint32_t blocks, const void *args, size_t size,
                               AbiStream stream)
{
    rtArgsEx_t extended = { .argsSize = (uint32_t) size, .isNoNeedH2DCopy = 1 };

    memcpy(&extended.args, &args, sizeof args);
    return launch(function, blocks, &extended, stream);
}

AbiError aclrtLaunchKernelV2Impl(void *function, uint32_t blocks, const void *args, size_t size,
                                 void *config, AbiStream stream)
{
    (void) config;
    return aclrtLaunchKernelImpl(function, blocks, args, size, stream);
}

AbiError aclrtLaunchKernelWithConfigImpl(void *function, uint32_t blocks, AbiStream stream,
                                         void *config, void *args, void *reserve)
{
    Args *known = args;
    rtArgsEx_t extended = { .args = known == NULL ? NULL : known->data,
                            .argsSize = known == NULL ? 0 : known->size };

    (void) config;
    (void) reserve;
    return known == NULL || !known->is_final ? ACL_ERROR_INVALID
                                             : launch(function, blocks, &extended, stream);
}

AbiError aclrtLaunchKernelWithHostArgsImpl(void *function, uint32_t blocks, AbiStream stream,
                                           void *config, void *args, size_t size,
                                           aclrtPlaceHolderInfo *places, size_t count)
{
    rtHostInputInfo_t infos[63];
    rtArgsEx_t extended = { .args = args,
                            .argsSize = (uint32_t) size,
                            .hostInputInfoPtr = infos,
                            .hostInputInfoNum = (uint16_t) count };

    (void) config;
    if (count > 63) {
        return ACL_ERROR_INVALID;
    }
    for (size_t i = 0; i < count; i++) {
        infos[i] = (rtHostInputInfo_t){ places[i].addrOffset, places[i].dataOffset };
    }
    return launch(function, blocks, &extended, stream);
}
