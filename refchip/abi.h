/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REFCHIP_ABI_H
#define REFCHIP_ABI_H

/*
 * The part of the runtime's binary interface that the reference chip and the injection library
 * know: rt* functions, and aclrt*Impl functions, which the public aclrt* ones forward to. Natural
 * LP64 layout. Declarations only; including this links nothing.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int32_t AbiError; /* 0: good */
typedef void *AbiStream;
typedef void AbiCallback(void *data); /* of the host, when a stream comes to it */

/* Sides of a grid or of a block of threads. */
typedef struct AbiDim3 {
    uint32_t x;
    uint32_t y;
    uint32_t z;
} AbiDim3;

#define RT_ERROR_RESERVED 0x99
#define RT_ERROR_MEMORY 0x2
#define RT_ERROR_VALUE 0x1
#define RT_ERROR_BUSY 0x3 /* work is left */
#define ACL_ERROR_INTERNAL 500000
#define ACL_ERROR_BAD_ALLOC 200000
#define ACL_ERROR_INVALID 100000
#define ACL_ERROR_TIMEOUT 507046
#define ACL_ERROR_KERNEL 507015
#define ACL_ERROR_CAPTURED 107027 /* of a stream: it cannot be waited for */
#define ACL_ERROR_EVENT_CAPTURED 107028
#define ACL_ERROR_FORBIDDEN 107030 /* while a capture is open whose mode forbids it */

/* What an open capture forbids: to every thread, to the one that began it, nothing. */
#define CAPTURE_GLOBAL 0
#define CAPTURE_THREAD_LOCAL 1
#define CAPTURE_RELAXED 2
#define CAPTURE_STATUS_NONE 0u
#define CAPTURE_STATUS_ACTIVE 1u

/* Policies of allocations that other devices may use, in the lower bits of aclrtMalloc*'s … */
#define ACL_POLICY_MASK 0xff
#define ACL_POLICY_P2P_FIRST 3
#define ACL_POLICY_P2P_LAST 5
#define ACL_POLICY_P2P_1G 7
/* … and of rtMalloc's. */
#define RT_TYPE_MASK 0xffu
#define RT_TYPE_P2P_HBM 0x10u
#define RT_TYPE_P2P_DDR 0x11u
#define RT_POLICY_P2P 0x2e000u /* any of these bits */

/* of functions: 0 AI core, 1 cube, 2 vector, 3 both, 100 AICPU */
#define ACL_ATTRIBUTE_KERNEL_TYPE 1
#define ACL_KERNEL_AICPU 100
#define ACL_DEVICE_AI_CORES 101 /* of devices */
#define ACL_DEVICE_CUBE_CORES 102
#define ACL_DEVICE_VECTOR_CORES 201

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

typedef struct rtAicpuArgsEx_t {
    void *args;
    void *hostInputInfoPtr;
    void *kernelOffsetInfoPtr;
    uint32_t argsSize;
    uint16_t hostInputInfoNum;
    uint16_t kernelOffsetInfoNum;
    uint32_t soNameAddrOffset;
    uint32_t kernelNameAddrOffset;
    bool isNoNeedH2DCopy;
    uint16_t timeout; /* in seconds; 0: the usual one */
    uint8_t reserved;
} rtAicpuArgsEx_t;

typedef struct rtArgsSizeInfo_t {
    void *infoAddr;
    uint32_t atomicIndex;
} rtArgsSizeInfo_t;

typedef struct rtDrvMemHandle_t {
    int32_t id;
    uint32_t side;
    uint32_t devid;
    uint64_t pg_num;
} rtDrvMemHandle_t;

typedef struct aclrtPlaceHolderInfo {
    uint32_t addrOffset;
    uint32_t dataOffset;
} aclrtPlaceHolderInfo;

/* How a launch by aclrt* or rts* is configured. */
typedef struct aclrtLaunchKernelAttr {
    uint32_t id;
    uint32_t value[4];
} aclrtLaunchKernelAttr;

typedef struct aclrtLaunchKernelCfg {
    aclrtLaunchKernelAttr *attrs;
    size_t numAttrs;
} aclrtLaunchKernelCfg;

/* Compared with what public headers say: tests/refchip/test_facts.sh. */

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
    X(AbiError, rtCtxCreateV2, (void **context, uint32_t flag, int32_t device, int32_t mode),      \
      (context, flag, device, mode))                                                               \
    X(AbiError, rtDeviceStatusQuery, (uint32_t device, uint32_t * status), (device, status))       \
    X(AbiError, rtGetDeviceInfo, (uint32_t device, int32_t module, int32_t info, int64_t * value), \
      (device, module, info, value))                                                               \
    X(AbiError, rtGetVisibleDeviceIdByLogicDeviceId, (int32_t logical, int32_t * visible),         \
      (logical, visible))                                                                          \
    X(AbiError, rtGetSocVersion, (char *name, uint32_t size), (name, size))                        \
    X(AbiError, rtGetAiCoreCount, (uint32_t * count), (count))                                     \
    X(AbiError, rtMalloc, (void **memory, uint64_t size, uint32_t type, uint16_t module),          \
      (memory, size, type, module))                                                                \
    X(AbiError, rtFree, (void *memory), (memory))                                                  \
    X(AbiError, rtMemAllocManaged, (void **memory, uint64_t size, uint32_t flag, uint16_t module), \
      (memory, size, flag, module))                                                                \
    X(AbiError, rtReserveMemAddress,                                                               \
      (void **address, size_t size, size_t alignment, void *wish, uint64_t flags),                 \
      (address, size, alignment, wish, flags))                                                     \
    X(AbiError, rtReleaseMemAddress, (void *address), (address))                                   \
    X(AbiError, rtMapMem,                                                                          \
      (void *address, size_t size, size_t offset, rtDrvMemHandle_t *handle, uint64_t flags),       \
      (address, size, offset, handle, flags))                                                      \
    X(AbiError, rtUnmapMem, (void *address), (address))                                            \
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
    X(AbiError, rtStreamBeginCapture, (AbiStream stream, int32_t mode), (stream, mode))            \
    X(AbiError, rtStreamEndCapture, (AbiStream stream, void **model), (stream, model))             \
    X(AbiError, rtModelExecute, (void *model, AbiStream stream, uint32_t flag),                    \
      (model, stream, flag))                                                                       \
    X(AbiError, rtModelExecuteSync, (void *model, AbiStream stream, uint32_t flag, int32_t ms),    \
      (model, stream, flag, ms))                                                                   \
    X(AbiError, rtModelDestroy, (void *model), (model))                                            \
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
    X(AbiError, rtRegisterFuncSymbol,                                                              \
      (void *handle, const void *symbol, const char *name, void *reserve),                         \
      (handle, symbol, name, reserve))                                                             \
    X(AbiError, rtSetExceptionExtInfo, (const rtArgsSizeInfo_t *info), (info))                     \
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
    X(AbiError, rtAicpuKernelLaunchExWithArgs,                                                     \
      (uint32_t type, const char *name, uint32_t blocks, const rtAicpuArgsEx_t *args,              \
       rtSmDesc_t *sm, AbiStream stream, uint32_t flags),                                          \
      (type, name, blocks, args, sm, stream, flags))                                               \
    X(AbiError, rtKernelLaunchWithFlagV2,                                                          \
      (const void *stub, uint32_t blocks, rtArgsEx_t *args, rtSmDesc_t *sm, AbiStream stream,      \
       uint32_t flags, const rtTaskCfgInfo_t *config),                                             \
      (stub, blocks, args, sm, stream, flags, config))                                             \
    X(AbiError, rtCtxSetCurrent, (void *context), (context))                                       \
    X(AbiError, rtCtxGetCurrent, (void **context), (context))                                      \
    X(AbiError, rtCtxDestroy, (void *context), (context))                                          \
    X(AbiError, rtDeviceResetForce, (int32_t device), (device))                                    \
    X(AbiError, rtMemsetAsync,                                                                     \
      (void *memory, uint64_t room, uint32_t value, uint64_t size, AbiStream stream),              \
      (memory, room, value, size, stream))                                                         \
    X(AbiError, rtStreamQuery, (AbiStream stream), (stream))                                       \
    X(AbiError, rtEventCreate, (void **event), (event))                                            \
    X(AbiError, rtEventDestroy, (void *event), (event))                                            \
    X(AbiError, rtEventRecord, (void *event, AbiStream stream), (event, stream))                   \
    X(AbiError, rtEventSynchronize, (void *event), (event))                                        \
    X(AbiError, rtEventSynchronizeWithTimeout, (void *event, int32_t ms), (event, ms))             \
    X(AbiError, rtStreamWaitEvent, (AbiStream stream, void *event), (stream, event))               \
    X(AbiError, rtStreamGetCaptureInfo, (AbiStream stream, uint32_t * status, void **model),       \
      (stream, status, model))                                                                     \
    X(AbiError, rtCallbackLaunch,                                                                  \
      (AbiCallback * callback, void *data, AbiStream stream, bool is_blocking),                    \
      (callback, data, stream, is_blocking))                                                       \
    X(AbiError, rtModelCreate, (void **model, uint32_t flag), (model, flag))                       \
    X(AbiError, rtModelBindStream, (void *model, AbiStream stream, uint32_t flag),                 \
      (model, stream, flag))                                                                       \
    X(AbiError, rtModelUnbindStream, (void *model, AbiStream stream), (model, stream))             \
    X(AbiError, rtModelLoadComplete, (void *model), (model))                                       \
    X(AbiError, rtModelGetId, (void *model, uint32_t *id), (model, id))                            \
    X(AbiError, rtKernelLaunchWithFlag,                                                            \
      (const void *stub, uint32_t blocks, rtArgsEx_t *args, rtSmDesc_t *sm, AbiStream stream,      \
       uint32_t flags),                                                                            \
      (stub, blocks, args, sm, stream, flags))                                                     \
    X(AbiError, rtVectorCoreKernelLaunch,                                                          \
      (const void *stub, uint32_t blocks, rtArgsEx_t *args, rtSmDesc_t *sm, AbiStream stream,      \
       uint32_t flags, const rtTaskCfgInfo_t *config),                                             \
      (stub, blocks, args, sm, stream, flags, config))                                             \
    X(AbiError, rtVectorCoreKernelLaunchWithHandle,                                                \
      (void *handle, uint64_t key, uint32_t blocks, rtArgsEx_t *args, rtSmDesc_t *sm,              \
       AbiStream stream, const rtTaskCfgInfo_t *config),                                           \
      (handle, key, blocks, args, sm, stream, config))                                             \
    X(AbiError, rtFftsPlusTaskLaunch, (void *info, AbiStream stream), (info, stream))              \
    X(AbiError, rtFftsPlusTaskLaunchWithFlag, (void *info, AbiStream stream, uint32_t flag),       \
      (info, stream, flag))                                                                        \
    X(AbiError, rtStarsTaskLaunch, (const void *task, uint32_t size, AbiStream stream),            \
      (task, size, stream))                                                                        \
    X(AbiError, rtKernelLaunchEx, (void *args, uint32_t size, uint32_t flags, AbiStream stream),   \
      (args, size, flags, stream))                                                                 \
    X(AbiError, rtMultipleTaskInfoLaunch, (const void *info, AbiStream stream), (info, stream))    \
    X(AbiError, rtCreateLaunchArgs,                                                                \
      (size_t size, size_t host_size, size_t host_count, void *data, void **args),                 \
      (size, host_size, host_count, data, args))                                                   \
    X(AbiError, rtLaunchKernelByFuncHandle,                                                        \
      (void *function, uint32_t blocks, void *args, AbiStream stream),                             \
      (function, blocks, args, stream))                                                            \
    X(AbiError, rtLaunchKernelByFuncHandleV2,                                                      \
      (void *function, uint32_t blocks, void *args, AbiStream stream,                              \
       const rtTaskCfgInfo_t *config),                                                             \
      (function, blocks, args, stream, config))                                                    \
    X(AbiError, rtLaunchKernelByFuncHandleV3,                                                      \
      (void *function, uint32_t blocks, const rtArgsEx_t *args, AbiStream stream,                  \
       const rtTaskCfgInfo_t *config),                                                             \
      (function, blocks, args, stream, config))                                                    \
    X(AbiError, rtsBinaryLoadFromFile, (const char *path, void *options, void **handle),           \
      (path, options, handle))                                                                     \
    X(AbiError, rtsFuncGetByName, (void *handle, const char *name, void **function),               \
      (handle, name, function))                                                                    \
    X(AbiError, rtsLaunchKernelWithConfig,                                                         \
      (void *function, uint32_t blocks, AbiStream stream, void *config, void *args,                \
       void *reserve),                                                                             \
      (function, blocks, stream, config, args, reserve))                                           \
    X(AbiError, rtsLaunchKernelWithDevArgs,                                                        \
      (void *function, uint32_t blocks, AbiStream stream, void *config, const void *args,          \
       uint32_t size, void *reserve),                                                              \
      (function, blocks, stream, config, args, size, reserve))                                     \
    X(AbiError, rtsLaunchKernelWithHostArgs,                                                       \
      (void *function, uint32_t blocks, AbiStream stream, void *config, void *args, uint32_t size, \
       rtHostInputInfo_t *places, uint32_t count),                                                 \
      (function, blocks, stream, config, args, size, places, count))                               \
    X(AbiError, rtsLaunchCpuKernel,                                                                \
      (void *function, uint32_t blocks, AbiStream stream, const void *config, void *args),         \
      (function, blocks, stream, config, args))

#define ABI_ACL(X)                                                                                 \
    X(AbiError, aclrtSetDevice, (int32_t device), (device))                                        \
    X(AbiError, aclrtResetDevice, (int32_t device), (device))                                      \
    X(AbiError, aclrtGetDevice, (int32_t * device), (device))                                      \
    X(AbiError, aclrtGetDeviceCount, (uint32_t * count), (count))                                  \
    X(AbiError, aclrtGetDeviceInfo, (uint32_t device, int32_t attribute, int64_t * value),         \
      (device, attribute, value))                                                                  \
    X(AbiError, aclrtQueryDeviceStatus, (int32_t device, int32_t * status), (device, status))      \
    X(AbiError, aclrtGetPhyDevIdByLogicDevId, (int32_t logical, int32_t * physical),               \
      (logical, physical))                                                                         \
    X(AbiError, aclrtCreateContext, (void **context, int32_t device), (context, device))           \
    X(const char *, aclrtGetSocName, (void), ())                                                   \
    X(AbiError, aclrtMalloc, (void **memory, size_t size, int32_t policy), (memory, size, policy)) \
    X(AbiError, aclrtMallocWithCfg, (void **memory, size_t size, int32_t policy, void *config),    \
      (memory, size, policy, config))                                                              \
    X(AbiError, aclrtMallocAlign32, (void **memory, size_t size, int32_t policy),                  \
      (memory, size, policy))                                                                      \
    X(AbiError, aclrtMallocCached, (void **memory, size_t size, int32_t policy),                   \
      (memory, size, policy))                                                                      \
    X(AbiError, aclrtMallocForTaskScheduler,                                                       \
      (void **memory, size_t size, int32_t policy, void *config), (memory, size, policy, config))  \
    X(AbiError, aclrtMallocHost, (void **memory, size_t size), (memory, size))                     \
    X(AbiError, aclrtFreeHost, (void *memory), (memory))                                           \
    X(AbiError, aclrtFreeWithDevSync, (void *memory), (memory))                                    \
    X(AbiError, aclrtMapMem,                                                                       \
      (void *address, size_t size, size_t offset, void *handle, uint64_t flags),                   \
      (address, size, offset, handle, flags))                                                      \
    X(AbiError, aclrtUnmapMem, (void *address), (address))                                         \
    X(AbiError, aclrtCmoAsync, (void *memory, size_t size, int32_t type, AbiStream stream),        \
      (memory, size, type, stream))                                                                \
    X(AbiError, aclrtCtxGetCurrentDefaultStream, (AbiStream * stream), (stream))                   \
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
    X(AbiError, aclrtGetFuncBySymbol, (const void *symbol, void **function), (symbol, function))   \
    X(AbiError, aclrtRegisterCpuFunc,                                                              \
      (void *handle, const char *function_name, const char *kernel, void **function),              \
      (handle, function_name, kernel, function))                                                   \
    X(AbiError, aclrtGetFunctionAttribute, (void *function, int32_t attribute, int64_t *value),    \
      (function, attribute, value))                                                                \
    X(AbiError, aclrtGetFunctionName, (void *function, uint32_t size, char *name),                 \
      (function, size, name))                                                                      \
    X(AbiError, aclrtGetFunctionAddr, (void *function, void **cube, void **vector),                \
      (function, cube, vector))                                                                    \
    X(AbiError, aclrtKernelArgsInit, (void *function, void **args), (function, args))              \
    X(AbiError, aclrtKernelArgsAppend, (void *args, void *data, size_t size, void **parameter),    \
      (args, data, size, parameter))                                                               \
    X(AbiError, aclrtKernelArgsGetHandleMemSize, (void *function, size_t *size), (function, size)) \
    X(AbiError, aclrtKernelArgsGetMemSize, (void *function, size_t wanted, size_t *size),          \
      (function, wanted, size))                                                                    \
    X(AbiError, aclrtKernelArgsInitByUserMem,                                                      \
      (void *function, void *args, void *memory, size_t size), (function, args, memory, size))     \
    X(AbiError, aclrtKernelArgsAppendPlaceHolder, (void *args, void **parameter),                  \
      (args, parameter))                                                                           \
    X(AbiError, aclrtKernelArgsGetPlaceHolderBuffer,                                               \
      (void *args, void *parameter, size_t size, void **buffer), (args, parameter, size, buffer))  \
    X(AbiError, aclrtKernelArgsParaUpdate, (void *args, void *parameter, void *data, size_t size), \
      (args, parameter, data, size))                                                               \
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
    X(AbiError, aclrtLaunchKernelWithArgsArray,                                                    \
      (void *function, uint32_t blocks, AbiStream stream, void *config, void **args),              \
      (function, blocks, stream, config, args))                                                    \
    X(AbiError, aclrtLaunchSIMTKernelWithHostArgs,                                                 \
      (void *function, AbiDim3 grid, AbiDim3 block, uint64_t memory, AbiStream stream,             \
       void *config, void *args, size_t size, aclrtPlaceHolderInfo *places, size_t count),         \
      (function, grid, block, memory, stream, config, args, size, places, count))                  \
    X(AbiError, aclrtLaunchSIMTKernelWithArgsArray,                                                \
      (void *function, AbiDim3 grid, AbiDim3 block, uint64_t memory, AbiStream stream,             \
       void *config, void **args),                                                                 \
      (function, grid, block, memory, stream, config, args))                                       \
    X(AbiError, aclmdlRICaptureBegin, (AbiStream stream, int32_t mode), (stream, mode))            \
    X(AbiError, aclmdlRICaptureEnd, (AbiStream stream, void **model), (stream, model))             \
    X(AbiError, aclmdlRIExecuteAsync, (void *model, AbiStream stream), (model, stream))            \
    X(AbiError, aclmdlRIDestroy, (void *model), (model))                                           \
    X(AbiError, aclrtLaunchKernelWithHostArgs,                                                     \
      (void *function, uint32_t blocks, AbiStream stream, void *config, void *args, size_t size,   \
       aclrtPlaceHolderInfo *places, size_t count),                                                \
      (function, blocks, stream, config, args, size, places, count))                               \
    X(AbiError, aclrtSetCurrentContext, (void *context), (context))                                \
    X(AbiError, aclrtGetCurrentContext, (void **context), (context))                               \
    X(AbiError, aclrtDestroyContext, (void *context), (context))                                   \
    X(AbiError, aclrtResetDeviceForce, (int32_t device), (device))                                 \
    X(AbiError, aclrtMemsetAsync,                                                                  \
      (void *memory, size_t room, int32_t value, size_t size, AbiStream stream),                   \
      (memory, room, value, size, stream))                                                         \
    X(AbiError, aclrtMemcpy2d,                                                                     \
      (void *target, size_t target_pitch, const void *source, size_t source_pitch, size_t width,   \
       size_t height, int32_t kind),                                                               \
      (target, target_pitch, source, source_pitch, width, height, kind))                           \
    X(AbiError, aclrtMemcpy2dAsync,                                                                \
      (void *target, size_t target_pitch, const void *source, size_t source_pitch, size_t width,   \
       size_t height, int32_t kind, AbiStream stream),                                             \
      (target, target_pitch, source, source_pitch, width, height, kind, stream))                   \
    X(AbiError, aclrtMemcpyAsyncWithCondition,                                                     \
      (void *target, size_t room, const void *source, size_t size, int32_t kind,                   \
       AbiStream stream),                                                                          \
      (target, room, source, size, kind, stream))                                                  \
    X(AbiError, aclrtMemcpyBatch,                                                                  \
      (void **targets, size_t *rooms, void **sources, size_t *sizes, size_t count,                 \
       void *attributes, size_t *indexes, size_t attribute_count, size_t *failed),                 \
      (targets, rooms, sources, sizes, count, attributes, indexes, attribute_count, failed))       \
    X(AbiError, aclrtMemcpyBatchAsync,                                                             \
      (void **targets, size_t *rooms, void **sources, size_t *sizes, size_t count,                 \
       void *attributes, size_t *indexes, size_t attribute_count, size_t *failed,                  \
       AbiStream stream),                                                                          \
      (targets, rooms, sources, sizes, count, attributes, indexes, attribute_count, failed,        \
       stream))                                                                                    \
    X(AbiError, aclrtDestroyStreamForce, (AbiStream stream), (stream))                             \
    X(AbiError, aclrtStreamQuery, (AbiStream stream, uint32_t * status), (stream, status))         \
    X(AbiError, aclrtCreateEvent, (void **event), (event))                                         \
    X(AbiError, aclrtDestroyEvent, (void *event), (event))                                         \
    X(AbiError, aclrtRecordEvent, (void *event, AbiStream stream), (event, stream))                \
    X(AbiError, aclrtSynchronizeEvent, (void *event), (event))                                     \
    X(AbiError, aclrtSynchronizeEventWithTimeout, (void *event, int32_t ms), (event, ms))          \
    X(AbiError, aclrtStreamWaitEvent, (AbiStream stream, void *event), (stream, event))            \
    X(AbiError, aclrtLaunchCallback,                                                               \
      (AbiCallback * callback, void *data, int32_t is_blocking, AbiStream stream),                 \
      (callback, data, is_blocking, stream))                                                       \
    X(AbiError, aclmdlRICaptureGetInfo, (AbiStream stream, uint32_t * status, void **model),       \
      (stream, status, model))                                                                     \
    X(AbiError, aclmdlRIBuildBegin, (void **model, uint32_t flag), (model, flag))                  \
    X(AbiError, aclmdlRIBuildEnd, (void *model, void *reserve), (model, reserve))                  \
    X(AbiError, aclmdlRIBindStream, (void *model, AbiStream stream, uint32_t flag),                \
      (model, stream, flag))                                                                       \
    X(AbiError, aclmdlRIUnbindStream, (void *model, AbiStream stream), (model, stream))            \
    X(AbiError, aclmdlRIEndTask, (void *model, AbiStream stream), (model, stream))                 \
    X(AbiError, aclmdlRIExecute, (void *model, int32_t ms), (model, ms))

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
ABI_VISIBLE AbiError aclmdlExecute(uint32_t model, const void *input, void *output);
/* Operators by their types, with lists of tensors, of which this interface knows no more. */
ABI_VISIBLE AbiError aclopExecuteV2(const char *type, int inputs, void **input_forms,
                                    void **input_data, int outputs, void **output_forms,
                                    void **output_data, void *attributes, AbiStream stream);
ABI_VISIBLE AbiError aclopCompileAndExecute(const char *type, int inputs, const void *const *forms,
                                            const void *const *input_data, int outputs,
                                            const void *const *output_forms,
                                            void *const *output_data, const void *attributes,
                                            int32_t engine, int32_t flag, const char *path,
                                            AbiStream stream);
ABI_VISIBLE AbiError aclmdlExecuteAsync(uint32_t model, const void *input, void *output,
                                        AbiStream stream);

#endif
