/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions that stand before those of the runtime: binaries, functions, devices, launches. Calls
 * that an outer one makes inside the runtime, and ours, go straight through.
 * Tested by tests/refchip/test_injection.sh.
 */
#include "board.h"
#include <errno.h>

/* Call the original; where there is none, the error of its family. */
#define CALL(name, missing, ...) (ORIGINAL(name) == NULL ? (missing) : ORIGINAL(name)(__VA_ARGS__))
#define CALL_RT(name, ...) CALL(name, RT_ERROR_RESERVED, __VA_ARGS__)
#define CALL_ACL(name, ...) CALL(name, ACL_ERROR_INTERNAL, __VA_ARGS__)

/* What the program has called itself, while somebody may want to know. */
static bool is_outer(void)
{
    return *CallDepth() == 0 && LinkIsWanted();
}

/* ---- devices ---- */

/* A simulator may have one device only; the program's number for it is remembered. */
static _Thread_local bool is_replaced;

static bool may_replace(int32_t device, AbiError error)
{
    return error != 0 && device > 0 && is_outer() && CamodelHasLogs() && !CamodelCanDetach();
}

static AbiError chose_device(int32_t device, AbiError error, bool replaced)
{
    if (error == 0 && *CallDepth() == 0) {
        *CallDevice() = device;
        is_replaced = replaced;
    }
    return error;
}

#define SET_DEVICE(call, device)                                                                   \
    do {                                                                                           \
        AbiError error_;                                                                           \
        bool replaced_ = false;                                                                    \
        LaunchPrepare();                                                                           \
        (*CallDepth())++;                                                                          \
        error_ = call(device);                                                                     \
        (*CallDepth())--;                                                                          \
        if (may_replace(device, error_)) {                                                         \
            (*CallDepth())++;                                                                      \
            error_ = call(0);                                                                      \
            (*CallDepth())--;                                                                      \
            replaced_ = error_ == 0;                                                               \
        }                                                                                          \
        return chose_device(device, error_, replaced_);                                            \
    } while (0)

#define RT_SET(d) CALL_RT(rtSetDevice, d)
AbiError rtSetDevice(int32_t device)
{
    SET_DEVICE(RT_SET, device);
}

#define RT_SET_EX(d) CALL_RT(rtSetDeviceEx, d)
AbiError rtSetDeviceEx(int32_t device)
{
    SET_DEVICE(RT_SET_EX, device);
}

#define RT_SET_V2(d) CALL_RT(rtSetDeviceV2, d, mode)
AbiError rtSetDeviceV2(int32_t device, int32_t mode)
{
    SET_DEVICE(RT_SET_V2, device);
}

#define RT_CONTEXT(d) CALL_RT(rtCtxCreate, context, flag, d)
AbiError rtCtxCreate(void **context, uint32_t flag, int32_t device)
{
    SET_DEVICE(RT_CONTEXT, device);
}

#define RT_CONTEXT_EX(d) CALL_RT(rtCtxCreateEx, context, flag, d)
AbiError rtCtxCreateEx(void **context, uint32_t flag, int32_t device)
{
    SET_DEVICE(RT_CONTEXT_EX, device);
}

#define ACL_SET(d) CALL_ACL(aclrtSetDeviceImpl, d)
AbiError aclrtSetDeviceImpl(int32_t device)
{
    SET_DEVICE(ACL_SET, device);
}

#define ACL_CONTEXT(d) CALL_ACL(aclrtCreateContextImpl, context, d)
AbiError aclrtCreateContextImpl(void **context, int32_t device)
{
    SET_DEVICE(ACL_CONTEXT, device);
}

AbiError rtGetDevice(int32_t *device)
{
    const AbiError error = CALL_RT(rtGetDevice, device);

    if (error == 0 && is_replaced && *CallDepth() == 0) {
        *device = *CallDevice();
    }
    return error;
}

AbiError aclrtGetDeviceImpl(int32_t *device)
{
    const AbiError error = CALL_ACL(aclrtGetDeviceImpl, device);

    if (error == 0 && is_replaced && *CallDepth() == 0) {
        *device = *CallDevice();
    }
    return error;
}

/* ---- binaries and functions ---- */

static void note_binary(const rtDevBinary_t *binary, void *const *handle, AbiError error)
{
    const int saved_errno = errno;

    if (error == 0 && is_outer() && binary != NULL && handle != NULL) {
        KernelsAddBinary(*handle, binary->data, binary->length, binary->magic == RT_MAGIC_AICPU);
    }
    errno = saved_errno;
}

AbiError rtDevBinaryRegister(const rtDevBinary_t *binary, void **handle)
{
    const AbiError error = CALL_RT(rtDevBinaryRegister, binary, handle);

    note_binary(binary, handle, error);
    return error;
}

AbiError rtRegisterAllKernel(const rtDevBinary_t *binary, void **handle)
{
    const AbiError error = CALL_RT(rtRegisterAllKernel, binary, handle);

    note_binary(binary, handle, error);
    return error;
}

AbiError rtFunctionRegister(void *handle, const void *stub, const char *name, const void *info,
                            uint32_t mode)
{
    const AbiError error = CALL_RT(rtFunctionRegister, handle, stub, name, info, mode);
    const int saved_errno = errno;

    if (error == 0 && is_outer() && name != NULL) {
        KernelsAddFunction(stub, handle, name, 0);
    }
    errno = saved_errno;
    return error;
}

/* Make an outer call with inner ones masked. */
#define MASKED(result, expression)                                                                 \
    do {                                                                                           \
        (*CallDepth())++;                                                                          \
        result = expression;                                                                       \
        (*CallDepth())--;                                                                          \
    } while (0)

AbiError aclrtBinaryLoadFromFileImpl(const char *path, void *options, void **handle)
{
    AbiError error;
    int saved_errno;

    MASKED(error, CALL_ACL(aclrtBinaryLoadFromFileImpl, path, options, handle));
    saved_errno = errno;
    if (error == 0 && is_outer()) {
        KernelsAddBinaryFile(*handle, path);
    }
    errno = saved_errno;
    return error;
}

AbiError aclrtBinaryLoadFromDataImpl(const void *data, size_t size, const void *options,
                                     void **handle)
{
    AbiError error;
    int saved_errno;

    MASKED(error, CALL_ACL(aclrtBinaryLoadFromDataImpl, data, size, options, handle));
    saved_errno = errno;
    if (error == 0 && is_outer()) {
        KernelsAddBinary(*handle, data, size, false);
    }
    errno = saved_errno;
    return error;
}

void *aclrtCreateBinaryImpl(const void *data, size_t size)
{
    void *binary;
    int saved_errno;

    MASKED(binary, CALL(aclrtCreateBinaryImpl, NULL, data, size));
    saved_errno = errno;
    if (binary != NULL && is_outer()) {
        KernelsAddBinary(binary, data, size, false);
    }
    errno = saved_errno;
    return binary;
}

AbiError aclrtBinaryLoadImpl(void *binary, void **handle)
{
    AbiError error;
    int saved_errno;

    MASKED(error, CALL_ACL(aclrtBinaryLoadImpl, binary, handle));
    saved_errno = errno;
    if (error == 0 && is_outer()) {
        KernelsAddAlias(*handle, binary);
    }
    errno = saved_errno;
    return error;
}

AbiError aclrtBinaryGetFunctionImpl(void *handle, const char *name, void **function)
{
    AbiError error;
    int saved_errno;

    MASKED(error, CALL_ACL(aclrtBinaryGetFunctionImpl, handle, name, function));
    saved_errno = errno;
    if (error == 0 && is_outer()) {
        KernelsAddFunction(*function, handle, name, 0);
    }
    errno = saved_errno;
    return error;
}

AbiError aclrtBinaryGetFunctionByEntryImpl(void *handle, uint64_t entry, void **function)
{
    AbiError error;
    int saved_errno;

    MASKED(error, CALL_ACL(aclrtBinaryGetFunctionByEntryImpl, handle, entry, function));
    saved_errno = errno;
    if (error == 0 && is_outer()) {
        KernelsAddFunction(*function, handle, NULL, entry);
    }
    errno = saved_errno;
    return error;
}

/* ---- memory ---- */

#define RT_P2P_FIRST 0x10u
#define RT_P2P_LAST 0x11u
#define ACL_P2P_FIRST 3
#define ACL_P2P_LAST 5

/* Memory that other devices see as well is not put back by this one. */
static AbiError note_memory(AbiError error, void *const *memory, uint64_t size, bool is_shared)
{
    if (error == 0 && is_outer() && size > 0 && !is_shared) {
        const int saved_errno = errno;

        MemoryAdd(*CallDevice(), *memory, size);
        errno = saved_errno;
    }
    return error;
}

/* A call that must not meet a launch which is repeated. */
#define HELD(result, expression)                                                                   \
    do {                                                                                           \
        const bool is_held_ = LaunchHold();                                                        \
        MASKED(result, expression);                                                                \
        LaunchLetGo(is_held_);                                                                     \
    } while (0)

AbiError rtMalloc(void **memory, uint64_t size, uint32_t type, uint16_t module)
{
    AbiError error;

    HELD(error, CALL_RT(rtMalloc, memory, size, type, module));
    return note_memory(error, memory, size, type >= RT_P2P_FIRST && type <= RT_P2P_LAST);
}

#define ACL_MALLOC(name)                                                                           \
    AbiError name(void **memory, size_t size, int32_t policy)                                      \
    {                                                                                              \
        AbiError error;                                                                            \
                                                                                                   \
        HELD(error, CALL_ACL(name, memory, size, policy));                                         \
        return note_memory(error, memory, size,                                                    \
                           policy >= ACL_P2P_FIRST && policy <= ACL_P2P_LAST);                     \
    }
ACL_MALLOC(aclrtMallocImpl)
ACL_MALLOC(aclrtMallocAlign32Impl)
ACL_MALLOC(aclrtMallocCachedImpl)

AbiError aclrtMallocWithCfgImpl(void **memory, size_t size, int32_t policy, void *config)
{
    AbiError error;

    HELD(error, CALL_ACL(aclrtMallocWithCfgImpl, memory, size, policy, config));
    return note_memory(error, memory, size, policy >= ACL_P2P_FIRST && policy <= ACL_P2P_LAST);
}

static void forget_memory(const void *memory)
{
    if (is_outer()) {
        MemoryRemove(memory);
    }
}

AbiError rtFree(void *memory)
{
    AbiError error;

    forget_memory(memory);
    HELD(error, CALL_RT(rtFree, memory));
    return error;
}

AbiError aclrtFreeImpl(void *memory)
{
    AbiError error;

    forget_memory(memory);
    HELD(error, CALL_ACL(aclrtFreeImpl, memory));
    return error;
}

AbiError rtMemcpy(void *target, uint64_t room, const void *source, uint64_t size, uint32_t kind)
{
    AbiError error;

    HELD(error, CALL_RT(rtMemcpy, target, room, source, size, kind));
    return error;
}

AbiError rtMemcpyAsync(void *target, uint64_t room, const void *source, uint64_t size,
                       uint32_t kind, AbiStream stream)
{
    AbiError error;

    HELD(error, CALL_RT(rtMemcpyAsync, target, room, source, size, kind, stream));
    return error;
}

AbiError rtMemset(void *memory, uint64_t room, uint32_t value, uint64_t size)
{
    AbiError error;

    HELD(error, CALL_RT(rtMemset, memory, room, value, size));
    return error;
}

AbiError aclrtMemcpyImpl(void *target, size_t room, const void *source, size_t size, int32_t kind)
{
    AbiError error;

    HELD(error, CALL_ACL(aclrtMemcpyImpl, target, room, source, size, kind));
    return error;
}

AbiError aclrtMemcpyAsyncImpl(void *target, size_t room, const void *source, size_t size,
                              int32_t kind, AbiStream stream)
{
    AbiError error;

    HELD(error, CALL_ACL(aclrtMemcpyAsyncImpl, target, room, source, size, kind, stream));
    return error;
}

AbiError aclrtMemsetImpl(void *memory, size_t room, int32_t value, size_t size)
{
    AbiError error;

    HELD(error, CALL_ACL(aclrtMemsetImpl, memory, room, value, size));
    return error;
}

/* ---- launches ---- */

#define LAUNCH(launch, expression)                                                                 \
    do {                                                                                           \
        AbiError error_ = 0;                                                                       \
        LaunchBegin(&launch);                                                                      \
        while (LaunchRepeats(&launch)) {                                                           \
            MASKED(error_, expression);                                                            \
            LaunchRepeated(&launch, error_);                                                       \
        }                                                                                          \
        LaunchSettle(&launch);                                                                     \
        if (!launch.is_suppressed) {                                                               \
            MASKED(error_, expression);                                                            \
        }                                                                                          \
        return LaunchEnd(&launch, error_);                                                         \
    } while (0)

static void note_args(Launch *launch, const rtArgsEx_t *args)
{
    if (args != NULL) {
        launch->args = args->args;
        launch->args_size = args->argsSize;
        launch->has_device_args = args->isNoNeedH2DCopy != 0;
    }
}

AbiError rtKernelLaunch(const void *stub, uint32_t blocks, void *args, uint32_t size,
                        rtSmDesc_t *sm, AbiStream stream)
{
    Launch launch = {
        .function = stub, .blocks = blocks, .stream = stream, .args = args, .args_size = size
    };

    LAUNCH(launch, CALL_RT(rtKernelLaunch, stub, blocks, args, size, sm, stream));
}

AbiError rtKernelLaunchWithHandle(void *handle, uint64_t key, uint32_t blocks, rtArgsEx_t *args,
                                  rtSmDesc_t *sm, AbiStream stream, const void *info)
{
    Launch launch = { .handle = handle, .key = key, .blocks = blocks, .stream = stream };

    note_args(&launch, args);
    LAUNCH(launch, CALL_RT(rtKernelLaunchWithHandle, handle, key, blocks, args, sm, stream, info));
}

AbiError rtKernelLaunchWithHandleV2(void *handle, uint64_t key, uint32_t blocks, rtArgsEx_t *args,
                                    rtSmDesc_t *sm, AbiStream stream, const rtTaskCfgInfo_t *config)
{
    Launch launch = { .handle = handle, .key = key, .blocks = blocks, .stream = stream };

    note_args(&launch, args);
    LAUNCH(launch,
           CALL_RT(rtKernelLaunchWithHandleV2, handle, key, blocks, args, sm, stream, config));
}

AbiError rtKernelLaunchWithFlagV2(const void *stub, uint32_t blocks, rtArgsEx_t *args,
                                  rtSmDesc_t *sm, AbiStream stream, uint32_t flags,
                                  const rtTaskCfgInfo_t *config)
{
    Launch launch = { .function = stub, .blocks = blocks, .stream = stream };

    note_args(&launch, args);
    LAUNCH(launch,
           CALL_RT(rtKernelLaunchWithFlagV2, stub, blocks, args, sm, stream, flags, config));
}

AbiError aclrtLaunchKernelImpl(void *function, uint32_t blocks, const void *args, size_t size,
                               AbiStream stream)
{
    Launch launch = { .function = function,
                      .blocks = blocks,
                      .stream = stream,
                      .is_acl = true,
                      .args = args,
                      .args_size = size,
                      .has_device_args = true };

    LAUNCH(launch, CALL_ACL(aclrtLaunchKernelImpl, function, blocks, args, size, stream));
}

AbiError aclrtLaunchKernelV2Impl(void *function, uint32_t blocks, const void *args, size_t size,
                                 void *config, AbiStream stream)
{
    Launch launch = { .function = function,
                      .blocks = blocks,
                      .stream = stream,
                      .is_acl = true,
                      .args = args,
                      .args_size = size,
                      .has_device_args = true };

    LAUNCH(launch, CALL_ACL(aclrtLaunchKernelV2Impl, function, blocks, args, size, config, stream));
}

AbiError aclrtLaunchKernelWithConfigImpl(void *function, uint32_t blocks, AbiStream stream,
                                         void *config, void *args, void *reserve)
{
    Launch launch = { .function = function, .blocks = blocks, .stream = stream, .is_acl = true };

    LAUNCH(launch, CALL_ACL(aclrtLaunchKernelWithConfigImpl, function, blocks, stream, config, args,
                            reserve));
}

AbiError aclrtLaunchKernelWithHostArgsImpl(void *function, uint32_t blocks, AbiStream stream,
                                           void *config, void *args, size_t size,
                                           aclrtPlaceHolderInfo *places, size_t count)
{
    Launch launch = { .function = function,
                      .blocks = blocks,
                      .stream = stream,
                      .is_acl = true,
                      .args = args,
                      .args_size = size };

    LAUNCH(launch, CALL_ACL(aclrtLaunchKernelWithHostArgsImpl, function, blocks, stream, config,
                            args, size, places, count));
}
