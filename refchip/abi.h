/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REFCHIP_ABI_H
#define REFCHIP_ABI_H

/*
 * The part of the runtime's binary interface that the reference chip and the injection library know:
 * rt* functions, and aclrt*Impl functions, which the public aclrt* ones forward to. Natural LP64
 * layout. Declarations only; who includes this links nothing.
 */

#include <stddef.h>
#include <stdint.h>

typedef int32_t AbiError; /* 0: good */
typedef void *AbiStream;

#define RT_ERROR_RESERVED 0x99
#define RT_ERROR_MEMORY 0x2
#define RT_ERROR_VALUE 0x1
#define ACL_ERROR_INTERNAL 500000
#define ACL_ERROR_BAD_ALLOC 200000
#define ACL_ERROR_INVALID 100000
#define ACL_ERROR_TIMEOUT 507046
#define ACL_ERROR_KERNEL 507015

#define RT_MEMCPY_DEVICE 3u /* from device to device */

#define RT_MAGIC_MIX 0x43554245u
#define RT_MAGIC_VECTOR 0x41415246u
#define RT_MAGIC_CUBE 0x41494343u
#define RT_MAGIC_AICPU 0x41415243u

typedef struct rtDevBinary_t {
    uint32_t magic;
    uint32_t version;
    const void *data;
    uint64_t length;
} rtDevBinary_t;

typedef struct rtHostInputInfo_t {
    uint32_t addrOffset;
    uint32_t dataOffset;
} rtHostInputInfo_t;

typedef struct rtArgsEx_t {
    void *args;
    rtHostInputInfo_t *hostInputInfoPtr;
    uint32_t argsSize;
    uint32_t tilingAddrOffset;
    uint32_t tilingDataOffset;
    uint16_t hostInputInfoNum;
    uint8_t hasTiling;
    uint8_t isNoNeedH2DCopy;
    uint8_t reserved[4];
} rtArgsEx_t;

typedef struct rtTaskCfgInfo_t {
    uint8_t qos;
    uint8_t partId;
    uint8_t schemMode;
    uint8_t d2dCrossFlag;
    uint32_t blockDimOffset;
    uint8_t dumpflag;
    uint8_t neverTimeout;
    uint8_t res[2];
    uint32_t localMemorySize;
} rtTaskCfgInfo_t;

typedef struct rtSmDesc_t rtSmDesc_t;

typedef struct aclrtPlaceHolderInfo {
    uint32_t addrOffset;
    uint32_t dataOffset;
} aclrtPlaceHolderInfo;

_Static_assert(sizeof(rtDevBinary_t) == 24, "as the runtime's");
_Static_assert(sizeof(rtArgsEx_t) == 40, "as the runtime's");
_Static_assert(sizeof(rtTaskCfgInfo_t) == 16, "as the runtime's");

/*
 * Functions as a list: X(return type, name, parameters, arguments). ABI_RT is libruntime.so's;
 * ABI_ACL lists public names, whose implementations end in Impl.
 */
#define ABI_RT(X)                                                                                  \
    X(AbiError, rtSetDevice, (int32_t device), (device))                                           \
    X(AbiError, rtSetDeviceEx, (int32_t device), (device))                                         \
    X(AbiError, rtSetDeviceV2, (int32_t device, int32_t mode), (device, mode))                     \
    X(AbiError, rtDeviceReset, (int32_t device), (device))                                         \
    X(AbiError, rtDeviceResetEx, (int32_t device), (device))                                       \
    X(AbiError, rtGetDevice, (int32_t * device), (device))                                         \
    X(AbiError, rtGetDeviceCount, (int32_t * count), (count))                                      \
    X(AbiError, rtCtxCreate, (void **context, uint32_t flag, int32_t device),                      \
      (context, flag, device))                                                                     \
    X(AbiError, rtCtxCreateEx, (void **context, uint32_t flag, int32_t device),                    \
      (context, flag, device))                                                                     \
    X(AbiError, rtGetSocVersion, (char *name, uint32_t size), (name, size))                        \
    X(AbiError, rtGetAiCoreCount, (uint32_t * count), (count))                                     \
    X(AbiError, rtMalloc, (void **memory, uint64_t size, uint32_t type, uint16_t module),          \
      (memory, size, type, module))                                                                \
    X(AbiError, rtFree, (void *memory), (memory))                                                  \
    X(AbiError, rtMemAllocManaged, (void **memory, uint64_t size, uint32_t flag, uint16_t module), \
      (memory, size, flag, module))                                                                \
    X(AbiError, rtMemcpy,                                                                          \
      (void *target, uint64_t room, const void *source, uint64_t size, uint32_t kind),             \
      (target, room, source, size, kind))                                                          \
    X(AbiError, rtMemcpyAsync,                                                                     \
      (void *target, uint64_t room, const void *source, uint64_t size, uint32_t kind,              \
       AbiStream stream),                                                                          \
      (target, room, source, size, kind, stream))                                                  \
    X(AbiError, rtMemset, (void *memory, uint64_t room, uint32_t value, uint64_t size),            \
      (memory, room, value, size))                                                                 \
    X(AbiError, rtStreamCreate, (AbiStream * stream, int32_t priority), (stream, priority))        \
    X(AbiError, rtStreamDestroy, (AbiStream stream), (stream))                                     \
    X(AbiError, rtStreamSynchronize, (AbiStream stream), (stream))                                 \
    X(AbiError, rtStreamSynchronizeWithTimeout, (AbiStream stream, int32_t ms), (stream, ms))      \
    X(AbiError, rtStreamAbort, (AbiStream stream), (stream))                                       \
    X(AbiError, rtDeviceSynchronize, (void), ())                                                   \
    X(AbiError, rtDeviceSynchronizeWithTimeout, (int32_t ms), (ms))                                \
    X(AbiError, rtDevBinaryRegister, (const rtDevBinary_t *binary, void **handle),                 \
      (binary, handle))                                                                            \
    X(AbiError, rtRegisterAllKernel, (const rtDevBinary_t *binary, void **handle),                 \
      (binary, handle))                                                                            \
    X(AbiError, rtDevBinaryUnRegister, (void *handle), (handle))                                   \
    X(AbiError, rtFunctionRegister,                                                                \
      (void *handle, const void *stub, const char *name, const void *info, uint32_t mode),         \
      (handle, stub, name, info, mode))                                                            \
    X(AbiError, rtKernelLaunch,                                                                    \
      (const void *stub, uint32_t blocks, void *args, uint32_t size, rtSmDesc_t *sm,               \
       AbiStream stream),                                                                          \
      (stub, blocks, args, size, sm, stream))                                                      \
    X(AbiError, rtKernelLaunchWithHandle,                                                          \
      (void *handle, uint64_t key, uint32_t blocks, rtArgsEx_t *args, rtSmDesc_t *sm,              \
       AbiStream stream, const void *info),                                                        \
      (handle, key, blocks, args, sm, stream, info))                                               \
    X(AbiError, rtKernelLaunchWithHandleV2,                                                        \
      (void *handle, uint64_t key, uint32_t blocks, rtArgsEx_t *args, rtSmDesc_t *sm,              \
       AbiStream stream, const rtTaskCfgInfo_t *config),                                           \
      (handle, key, blocks, args, sm, stream, config))                                             \
    X(AbiError, rtKernelLaunchWithFlagV2,                                                          \
      (const void *stub, uint32_t blocks, rtArgsEx_t *args, rtSmDesc_t *sm, AbiStream stream,      \
       uint32_t flags, const rtTaskCfgInfo_t *config),                                             \
      (stub, blocks, args, sm, stream, flags, config))

#define ABI_ACL(X)                                                                                 \
    X(AbiError, aclrtSetDevice, (int32_t device), (device))                                        \
    X(AbiError, aclrtResetDevice, (int32_t device), (device))                                      \
    X(AbiError, aclrtGetDevice, (int32_t * device), (device))                                      \
    X(AbiError, aclrtGetDeviceCount, (uint32_t * count), (count))                                  \
    X(AbiError, aclrtCreateContext, (void **context, int32_t device), (context, device))           \
    X(const char *, aclrtGetSocName, (void), ())                                                   \
    X(AbiError, aclrtMalloc, (void **memory, size_t size, int32_t policy), (memory, size, policy)) \
    X(AbiError, aclrtMallocWithCfg, (void **memory, size_t size, int32_t policy, void *config),    \
      (memory, size, policy, config))                                                              \
    X(AbiError, aclrtMallocAlign32, (void **memory, size_t size, int32_t policy),                  \
      (memory, size, policy))                                                                      \
    X(AbiError, aclrtMallocCached, (void **memory, size_t size, int32_t policy),                   \
      (memory, size, policy))                                                                      \
    X(AbiError, aclrtFree, (void *memory), (memory))                                               \
    X(AbiError, aclrtMemcpy,                                                                       \
      (void *target, size_t room, const void *source, size_t size, int32_t kind),                  \
      (target, room, source, size, kind))                                                          \
    X(AbiError, aclrtMemcpyAsync,                                                                  \
      (void *target, size_t room, const void *source, size_t size, int32_t kind,                   \
       AbiStream stream),                                                                          \
      (target, room, source, size, kind, stream))                                                  \
    X(AbiError, aclrtMemset, (void *memory, size_t room, int32_t value, size_t size),              \
      (memory, room, value, size))                                                                 \
    X(AbiError, aclrtCreateStream, (AbiStream * stream), (stream))                                 \
    X(AbiError, aclrtDestroyStream, (AbiStream stream), (stream))                                  \
    X(AbiError, aclrtSynchronizeStream, (AbiStream stream), (stream))                              \
    X(AbiError, aclrtSynchronizeStreamWithTimeout, (AbiStream stream, int32_t ms), (stream, ms))   \
    X(AbiError, aclrtStreamAbort, (AbiStream stream), (stream))                                    \
    X(AbiError, aclrtSynchronizeDevice, (void), ())                                                \
    X(AbiError, aclrtSynchronizeDeviceWithTimeout, (int32_t ms), (ms))                             \
    X(AbiError, aclrtBinaryLoadFromFile, (const char *path, void *options, void **handle),         \
      (path, options, handle))                                                                     \
    X(AbiError, aclrtBinaryLoadFromData,                                                           \
      (const void *data, size_t size, const void *options, void **handle),                         \
      (data, size, options, handle))                                                               \
    X(void *, aclrtCreateBinary, (const void *data, size_t size), (data, size))                    \
    X(AbiError, aclrtDestroyBinary, (void *binary), (binary))                                      \
    X(AbiError, aclrtBinaryLoad, (void *binary, void **handle), (binary, handle))                  \
    X(AbiError, aclrtBinaryUnLoad, (void *handle), (handle))                                       \
    X(AbiError, aclrtBinaryGetFunction, (void *handle, const char *name, void **function),         \
      (handle, name, function))                                                                    \
    X(AbiError, aclrtBinaryGetFunctionByEntry, (void *handle, uint64_t entry, void **function),    \
      (handle, entry, function))                                                                   \
    X(AbiError, aclrtGetFunctionName, (void *function, uint32_t size, char *name),                 \
      (function, size, name))                                                                      \
    X(AbiError, aclrtGetFunctionAddr, (void *function, void **cube, void **vector),                \
      (function, cube, vector))                                                                    \
    X(AbiError, aclrtKernelArgsInit, (void *function, void **args), (function, args))              \
    X(AbiError, aclrtKernelArgsAppend, (void *args, void *data, size_t size, void **parameter),    \
      (args, data, size, parameter))                                                               \
    X(AbiError, aclrtKernelArgsFinalize, (void *args), (args))                                     \
    X(AbiError, aclrtLaunchKernel,                                                                 \
      (void *function, uint32_t blocks, const void *args, size_t size, AbiStream stream),          \
      (function, blocks, args, size, stream))                                                      \
    X(AbiError, aclrtLaunchKernelV2,                                                               \
      (void *function, uint32_t blocks, const void *args, size_t size, void *config,               \
       AbiStream stream),                                                                          \
      (function, blocks, args, size, config, stream))                                              \
    X(AbiError, aclrtLaunchKernelWithConfig,                                                       \
      (void *function, uint32_t blocks, AbiStream stream, void *config, void *args,                \
       void *reserve),                                                                             \
      (function, blocks, stream, config, args, reserve))                                           \
    X(AbiError, aclrtLaunchKernelWithHostArgs,                                                     \
      (void *function, uint32_t blocks, AbiStream stream, void *config, void *args, size_t size,   \
       aclrtPlaceHolderInfo *places, size_t count),                                                \
      (function, blocks, stream, config, args, size, places, count))

#define ABI_VISIBLE __attribute__((visibility("default")))
#define ABI_DECLARE_RT(type, name, parameters, arguments) ABI_VISIBLE type name parameters;
#define ABI_DECLARE_IMPL(type, name, parameters, arguments) ABI_VISIBLE type name##Impl parameters;
#define ABI_DECLARE_ACL(type, name, parameters, arguments) ABI_VISIBLE type name parameters;

ABI_RT(ABI_DECLARE_RT)
ABI_ACL(ABI_DECLARE_IMPL)
ABI_ACL(ABI_DECLARE_ACL)

/* Of libascendcl.so alone. */
ABI_VISIBLE AbiError aclInit(const char *config);
ABI_VISIBLE AbiError aclFinalize(void);

#endif
