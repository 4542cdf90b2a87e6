/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions that stand before those of the runtime: devices, binaries, functions, launches.
 * Calls that an outer one makes inside the runtime, and ours, go straight through. Tested by
 * tests/refchip/test_injection.sh.
 */
#include "inject/ascend/hooks.h"

/* ---- devices ---- */

/* A simulator may have one device only; the program's number for it is remembered. */
static _Thread_local bool is_replaced;

static bool may_replace(int32_t device, AbiError error)
{
    return error != 0 && device > 0 && HookIsOuter() && CamodelHasLogs() && !CamodelCanDetach();
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
        WatchPrepare();                                                                            \
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

#define RT_CONTEXT_V2(d) CALL_RT(rtCtxCreateV2, context, flag, d, mode)
AbiError rtCtxCreateV2(void **context, uint32_t flag, int32_t device, int32_t mode)
{
    SET_DEVICE(RT_CONTEXT_V2, device);
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

/* A device that is reset has no memory of the program any more. */
#define RESET_DEVICE(device, expression)                                                           \
    do {                                                                                           \
        AbiError error_;                                                                           \
        HELD(error_, expression);                                                                  \
        if (error_ == 0 && HookIsOuter()) {                                                        \
            MemoryRemoveAll(device);                                                               \
        }                                                                                          \
        return error_;                                                                             \
    } while (0)

AbiError rtDeviceReset(int32_t device)
{
    RESET_DEVICE(device, CALL_RT(rtDeviceReset, device));
}

AbiError rtDeviceResetEx(int32_t device)
{
    RESET_DEVICE(device, CALL_RT(rtDeviceResetEx, device));
}

AbiError aclrtResetDeviceImpl(int32_t device)
{
    RESET_DEVICE(device, CALL_ACL(aclrtResetDeviceImpl, device));
}

AbiError rtDeviceResetForce(int32_t device)
{
    RESET_DEVICE(device, CALL_RT(rtDeviceResetForce, device));
}

AbiError aclrtResetDeviceForceImpl(int32_t device)
{
    RESET_DEVICE(device, CALL_ACL(aclrtResetDeviceForceImpl, device));
}

/* A thread changes its device with its context, too, so the runtime is asked. */
void DeviceRefresh(void)
{
    int32_t device = 0;
    AbiError error = RT_ERROR_RESERVED;

    if (is_replaced) {
        return;
    }
    (*CallDepth())++;
    if (ORIGINAL(aclrtGetDeviceImpl) != NULL) {
        error = ORIGINAL(aclrtGetDeviceImpl)(&device);
    } else if (ORIGINAL(rtGetDevice) != NULL) {
        error = ORIGINAL(rtGetDevice)(&device);
    }
    (*CallDepth())--;
    if (error == 0) {
        *CallDevice() = device;
    }
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

    if (error == 0 && HookIsOuter() && binary != NULL && handle != NULL) {
        KernelsAddBinary(*handle, binary->data, binary->length, binary->magic);
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

/* Before the call: afterwards another thread may get the handle for another binary. */
static void note_unloaded(const void *handle)
{
    const int saved_errno = errno;

    if (HookIsOuter()) {
        KernelsForget(handle);
    }
    errno = saved_errno;
}

AbiError rtDevBinaryUnRegister(void *handle)
{
    note_unloaded(handle);
    return CALL_RT(rtDevBinaryUnRegister, handle);
}

AbiError aclrtBinaryUnLoadImpl(void *handle)
{
    AbiError error;

    note_unloaded(handle);
    MASKED(error, CALL_ACL(aclrtBinaryUnLoadImpl, handle));
    return error;
}

AbiError aclrtDestroyBinaryImpl(void *binary)
{
    AbiError error;

    note_unloaded(binary);
    MASKED(error, CALL_ACL(aclrtDestroyBinaryImpl, binary));
    return error;
}

AbiError rtFunctionRegister(void *handle, const void *stub, const char *name, const void *info,
                            uint32_t mode)
{
    const AbiError error = CALL_RT(rtFunctionRegister, handle, stub, name, info, mode);
    const int saved_errno = errno;

    if (error == 0 && HookIsOuter() && name != NULL) {
        KernelsAddFunction(stub, handle, name, 0);
    }
    errno = saved_errno;
    return error;
}

AbiError rtRegisterFuncSymbol(void *handle, const void *symbol, const char *name, void *reserve)
{
    AbiError error;
    int saved_errno;

    MASKED(error, CALL_RT(rtRegisterFuncSymbol, handle, symbol, name, reserve));
    saved_errno = errno;
    if (error == 0 && HookIsOuter() && name != NULL) {
        KernelsAddFunction(symbol, handle, name, 0);
    }
    errno = saved_errno;
    return error;
}

AbiError aclrtBinaryLoadFromFileImpl(const char *path, void *options, void **handle)
{
    LOAD(CALL_ACL(aclrtBinaryLoadFromFileImpl, path, options, handle),
         KernelsAddBinaryFile(*handle, path));
}

AbiError aclrtBinaryLoadFromDataImpl(const void *data, size_t size, const void *options,
                                     void **handle)
{
    LOAD(CALL_ACL(aclrtBinaryLoadFromDataImpl, data, size, options, handle),
         KernelsAddBinary(*handle, data, size, 0));
}

void *aclrtCreateBinaryImpl(const void *data, size_t size)
{
    void *binary;
    int saved_errno;

    MASKED(binary, CALL(aclrtCreateBinaryImpl, NULL, data, size));
    saved_errno = errno;
    if (binary != NULL && HookIsOuter()) {
        KernelsAddBinary(binary, data, size, 0);
    }
    errno = saved_errno;
    return binary;
}

AbiError aclrtBinaryLoadImpl(void *binary, void **handle)
{
    LOAD(CALL_ACL(aclrtBinaryLoadImpl, binary, handle), KernelsAddAlias(*handle, binary));
}

AbiError aclrtBinaryGetFunctionImpl(void *handle, const char *name, void **function)
{
    LOAD(CALL_ACL(aclrtBinaryGetFunctionImpl, handle, name, function),
         KernelsAddFunction(*function, handle, name, 0));
}

AbiError aclrtBinaryGetFunctionByEntryImpl(void *handle, uint64_t entry, void **function)
{
    LOAD(CALL_ACL(aclrtBinaryGetFunctionByEntryImpl, handle, entry, function),
         KernelsAddFunction(*function, handle, NULL, entry));
}

AbiError aclrtGetFuncBySymbolImpl(const void *symbol, void **function)
{
    LOAD(CALL_ACL(aclrtGetFuncBySymbolImpl, symbol, function),
         KernelsAddFunctionAlias(*function, symbol));
}

/* Functions of the AICPU are never profiled. */
AbiError aclrtRegisterCpuFuncImpl(void *handle, const char *function_name, const char *kernel,
                                  void **function)
{
    AbiError error;
    int saved_errno;

    MASKED(error, CALL_ACL(aclrtRegisterCpuFuncImpl, handle, function_name, kernel, function));
    saved_errno = errno;
    if (error == 0 && HookIsOuter()) {
        KernelsAddBinary(*function, "", 0, RT_MAGIC_AICPU);
        KernelsAddFunction(*function, *function, kernel, 0);
    }
    errno = saved_errno;
    return error;
}

/* ---- launches ---- */

AbiError rtKernelLaunch(const void *stub, uint32_t blocks, void *args, uint32_t size,
                        rtSmDesc_t *sm, AbiStream stream)
{
    Launch launch = { .function = stub,
                      .blocks = blocks,
                      .stream = stream,
                      .sm = sm,
                      .args = args,
                      .args_size = size };

    LAUNCH(launch, CALL_RT(rtKernelLaunch, stub, blocks, args, size, sm, stream));
}

AbiError rtKernelLaunchWithHandle(void *handle, uint64_t key, uint32_t blocks, rtArgsEx_t *args,
                                  rtSmDesc_t *sm, AbiStream stream, const void *info)
{
    Launch launch = { .handle = handle, .key = key, .blocks = blocks, .stream = stream, .sm = sm };

    HookNoteArgs(&launch, args);
    LAUNCH(launch, CALL_RT(rtKernelLaunchWithHandle, handle, key, blocks, args, sm, stream, info));
}

AbiError rtKernelLaunchWithHandleV2(void *handle, uint64_t key, uint32_t blocks, rtArgsEx_t *args,
                                    rtSmDesc_t *sm, AbiStream stream, const rtTaskCfgInfo_t *config)
{
    Launch launch = { .handle = handle,
                      .key = key,
                      .blocks = blocks,
                      .stream = stream,
                      .sm = sm,
                      .rt_config = config };

    HookNoteArgs(&launch, args);
    LAUNCH(launch,
           CALL_RT(rtKernelLaunchWithHandleV2, handle, key, blocks, args, sm, stream, config));
}

AbiError rtKernelLaunchWithFlagV2(const void *stub, uint32_t blocks, rtArgsEx_t *args,
                                  rtSmDesc_t *sm, AbiStream stream, uint32_t flags,
                                  const rtTaskCfgInfo_t *config)
{
    Launch launch = { .function = stub,
                      .blocks = blocks,
                      .stream = stream,
                      .sm = sm,
                      .rt_flags = flags,
                      .rt_config = config };

    HookNoteArgs(&launch, args);
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
                      .has_device_args = true,
                      .config = config };

    LAUNCH(launch, CALL_ACL(aclrtLaunchKernelV2Impl, function, blocks, args, size, config, stream));
}

AbiError aclrtLaunchKernelWithConfigImpl(void *function, uint32_t blocks, AbiStream stream,
                                         void *config, void *args, void *reserve)
{
    Launch launch = { .function = function,
                      .blocks = blocks,
                      .stream = stream,
                      .is_acl = true,
                      .config = config,
                      .handle_args = args };

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
                      .args_size = size,
                      .places = places,
                      .place_count = count,
                      .config = config };

    LAUNCH(launch, CALL_ACL(aclrtLaunchKernelWithHostArgsImpl, function, blocks, stream, config,
                            args, size, places, count));
}

AbiError aclrtLaunchKernelWithArgsArrayImpl(void *function, uint32_t blocks, AbiStream stream,
                                            void *config, void **args)
{
    Launch launch = { .function = function,
                      .blocks = blocks,
                      .stream = stream,
                      .is_acl = true,
                      .has_array_args = true };

    LAUNCH(launch,
           CALL_ACL(aclrtLaunchKernelWithArgsArrayImpl, function, blocks, stream, config, args));
}
