/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The aclrt*Impl functions, made of rt* ones. They lie in libruntime.so, or in a library of their
 * own, as toolkits differ in this.
 * Tested by tests/refchip/test_operators.sh.
 */
#include "acl.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A binary that is not loaded yet. */
typedef struct Image {
    void *data;
    size_t size;
} Image;

#define translate AclTranslate

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

AbiError aclrtGetDeviceInfoImpl(uint32_t device, int32_t attribute, int64_t *value)
{
    uint32_t cores = 0;
    const AbiError error = rtGetAiCoreCount(&cores);

    (void) device;
    /* Of this chip every AI core has one for matrices. */
    *value = attribute == ACL_DEVICE_AI_CORES || attribute == ACL_DEVICE_CUBE_CORES ? cores
             : attribute == ACL_DEVICE_VECTOR_CORES ? 2 * (int64_t) cores
                                                    : 0;
    return *value == 0 ? ACL_ERROR_INVALID : translate(error);
}

AbiError aclrtQueryDeviceStatusImpl(int32_t device, int32_t *status)
{
    uint32_t found = 0;
    const AbiError error = rtDeviceStatusQuery((uint32_t) device, &found);

    *status = (int32_t) found;
    return translate(error);
}

AbiError aclrtGetPhyDevIdByLogicDevIdImpl(int32_t logical, int32_t *physical)
{
    return translate(rtGetVisibleDeviceIdByLogicDeviceId(logical, physical));
}

AbiError aclrtCreateContextImpl(void **context, int32_t device)
{
    return translate(rtCtxCreateEx(context, 0, device));
}

AbiError aclrtSetCurrentContextImpl(void *context)
{
    return translate(rtCtxSetCurrent(context));
}

AbiError aclrtGetCurrentContextImpl(void **context)
{
    return translate(rtCtxGetCurrent(context));
}

AbiError aclrtDestroyContextImpl(void *context)
{
    return translate(rtCtxDestroy(context));
}

AbiError aclrtResetDeviceForceImpl(int32_t device)
{
    return translate(rtDeviceResetForce(device));
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

AbiError aclrtMallocForTaskSchedulerImpl(void **memory, size_t size, int32_t policy, void *config)
{
    (void) config;
    return aclrtMallocImpl(memory, size, policy);
}

AbiError aclrtMallocHostImpl(void **memory, size_t size)
{
    *memory = malloc(size == 0 ? 1 : size);
    return *memory == NULL ? ACL_ERROR_BAD_ALLOC : 0;
}

AbiError aclrtFreeHostImpl(void *memory)
{
    free(memory);
    return 0;
}

AbiError aclrtFreeWithDevSyncImpl(void *memory)
{
    const AbiError error = rtDeviceSynchronize();

    return translate(error != 0 ? error : rtFree(memory));
}

AbiError aclrtMapMemImpl(void *address, size_t size, size_t offset, void *handle, uint64_t flags)
{
    return translate(rtMapMem(address, size, offset, handle, flags));
}

AbiError aclrtUnmapMemImpl(void *address)
{
    return translate(rtUnmapMem(address));
}

/* There is no cache to be filled beforehand: a hint. */
AbiError aclrtCmoAsyncImpl(void *memory, size_t size, int32_t type, AbiStream stream)
{
    (void) memory;
    (void) size;
    (void) type;
    (void) stream;
    return 0;
}

AbiError aclrtCtxGetCurrentDefaultStreamImpl(AbiStream *stream)
{
    *stream = NULL; /* what NULL stands for in every call */
    return 0;
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

static pthread_mutex_t function_lock = PTHREAD_MUTEX_INITIALIZER; /* guards functions */
static Function *functions; /* until the process ends: launches that wait may need them */

static AbiError give(Function *made, void **function)
{
    pthread_mutex_lock(&function_lock);
    made->next = functions;
    functions = made;
    pthread_mutex_unlock(&function_lock);
    *function = made;
    return 0;
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
    return give(made, function);
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
    return give(made, function);
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

AbiError aclrtGetFuncBySymbolImpl(const void *symbol, void **function)
{
    Function *made = calloc(1, sizeof *made);

    if (made == NULL || symbol == NULL) {
        free(made);
        return ACL_ERROR_INVALID;
    }
    made->symbol = symbol;
    return give(made, function);
}

/* The chip has no AICPU: such a function can be looked up, but its launch fails. */
AbiError aclrtRegisterCpuFuncImpl(void *handle, const char *function_name, const char *kernel,
                                  void **function)
{
    Function *made = calloc(1, sizeof *made);

    (void) function_name;
    if (made == NULL || kernel == NULL || strlen(kernel) >= sizeof made->name) {
        free(made);
        return ACL_ERROR_INVALID;
    }
    made->handle = handle;
    made->is_cpu = true;
    memcpy(made->name, kernel, strlen(kernel) + 1);
    return give(made, function);
}

AbiError aclrtGetFunctionAttributeImpl(void *function, int32_t attribute, int64_t *value)
{
    const Function *known = function;
    struct { /* as the runtime has it; see state.h */
        uint32_t *text;
        uint32_t words;
        uint32_t kind;
    } binary;

    if (known == NULL || known->handle == NULL || attribute != ACL_ATTRIBUTE_KERNEL_TYPE) {
        return ACL_ERROR_INVALID;
    }
    memcpy(&binary, known->handle, sizeof binary);
    *value = known->is_cpu ? ACL_KERNEL_AICPU : binary.kind;
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

    if (known == NULL || known->handle == NULL) {
        return ACL_ERROR_INVALID;
    }
    memcpy(&binary, known->handle, sizeof binary);
    *cube = (void *) (uintptr_t) ((binary.kind & 1u) != 0 ? binary.load_pc : 0);
    *vector = (void *) (uintptr_t) ((binary.kind & 2u) != 0 ? binary.load_pc : 0);
    return 0;
}
