/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions that stand before those of the runtime for memory: it is noted, and not touched
 * while a launch is repeated. Tested by tests/refchip/test_board.sh and
 * tests/refchip/test_calls.sh.
 */
#include "inject/ascend/hooks.h"
#include "inject/ascend/range.h"

/* Whether other devices may use what is allocated so. */
static bool is_shared_type(uint32_t type)
{
    return (type & RT_TYPE_MASK) == RT_TYPE_P2P_HBM || (type & RT_TYPE_MASK) == RT_TYPE_P2P_DDR ||
           (type & RT_POLICY_P2P) != 0;
}

static bool is_shared_policy(int32_t policy)
{
    const int32_t kind = policy & ACL_POLICY_MASK;

    return (kind >= ACL_POLICY_P2P_FIRST && kind <= ACL_POLICY_P2P_LAST) ||
           kind == ACL_POLICY_P2P_1G;
}

/* Memory that other devices see as well is not put back by this one. */
static AbiError note_memory(AbiError error, void *const *memory, uint64_t size, bool is_shared)
{
    if (error == 0 && HookIsOuter() && size > 0 && !is_shared) {
        const int saved_errno = errno;

        DeviceRefresh();
        MemoryAdd(*CallDevice(), *memory, size);
        errno = saved_errno;
    }
    return error;
}

AbiError rtMalloc(void **memory, uint64_t size, uint32_t type, uint16_t module)
{
    AbiError error;

    HELD(error, CALL_RT(rtMalloc, memory, size, type, module));
    return note_memory(error, memory, size, is_shared_type(type));
}

#define ACL_MALLOC(name)                                                                           \
    AbiError name(void **memory, size_t size, int32_t policy)                                      \
    {                                                                                              \
        AbiError error;                                                                            \
                                                                                                   \
        HELD(error, CALL_ACL(name, memory, size, policy));                                         \
        return note_memory(error, memory, size, is_shared_policy(policy));                         \
    }
ACL_MALLOC(aclrtMallocImpl)
ACL_MALLOC(aclrtMallocAlign32Impl)
ACL_MALLOC(aclrtMallocCachedImpl)

AbiError aclrtMallocWithCfgImpl(void **memory, size_t size, int32_t policy, void *config)
{
    AbiError error;

    HELD(error, CALL_ACL(aclrtMallocWithCfgImpl, memory, size, policy, config));
    return note_memory(error, memory, size, is_shared_policy(policy));
}

AbiError aclrtMallocForTaskSchedulerImpl(void **memory, size_t size, int32_t policy, void *config)
{
    AbiError error;

    HELD(error, CALL_ACL(aclrtMallocForTaskSchedulerImpl, memory, size, policy, config));
    return note_memory(error, memory, size, is_shared_policy(policy));
}

AbiError rtMapMem(void *address, size_t size, size_t offset, rtDrvMemHandle_t *handle,
                  uint64_t flags)
{
    AbiError error;

    HELD(error, CALL_RT(rtMapMem, address, size, offset, handle, flags));
    return note_memory(error, &address, size, false);
}

AbiError aclrtMapMemImpl(void *address, size_t size, size_t offset, void *handle, uint64_t flags)
{
    AbiError error;

    HELD(error, CALL_ACL(aclrtMapMemImpl, address, size, offset, handle, flags));
    return note_memory(error, &address, size, false);
}

static void forget_memory(const void *memory)
{
    RangeTouch(NULL); /* recorded launches may use it */
    if (HookIsOuter()) {
        MemoryRemove(memory);
    }
}

#define FREE(name, call)                                                                           \
    AbiError name(void *memory)                                                                    \
    {                                                                                              \
        AbiError error;                                                                            \
                                                                                                   \
        forget_memory(memory);                                                                     \
        HELD(error, call(name, memory));                                                           \
        return error;                                                                              \
    }
FREE(rtFree, CALL_RT)
FREE(rtUnmapMem, CALL_RT)
FREE(aclrtFreeImpl, CALL_ACL)
FREE(aclrtFreeWithDevSyncImpl, CALL_ACL)
FREE(aclrtUnmapMemImpl, CALL_ACL)

#define COPY(name, call, parameters, ...)                                                          \
    AbiError name parameters                                                                       \
    {                                                                                              \
        AbiError error;                                                                            \
                                                                                                   \
        HELD(error, call(name, __VA_ARGS__));                                                      \
        return error;                                                                              \
    }
COPY(rtMemcpy, CALL_RT,
     (void *target, uint64_t room, const void *source, uint64_t size, uint32_t kind), target, room,
     source, size, kind)
COPY(rtMemcpyAsync, CALL_RT,
     (void *target, uint64_t room, const void *source, uint64_t size, uint32_t kind,
      AbiStream stream),
     target, room, source, size, kind, stream)
COPY(rtMemset, CALL_RT, (void *memory, uint64_t room, uint32_t value, uint64_t size), memory, room,
     value, size)
COPY(rtMemsetAsync, CALL_RT,
     (void *memory, uint64_t room, uint32_t value, uint64_t size, AbiStream stream), memory, room,
     value, size, stream)
COPY(aclrtMemcpyImpl, CALL_ACL,
     (void *target, size_t room, const void *source, size_t size, int32_t kind), target, room,
     source, size, kind)
COPY(aclrtMemcpyAsyncImpl, CALL_ACL,
     (void *target, size_t room, const void *source, size_t size, int32_t kind, AbiStream stream),
     target, room, source, size, kind, stream)
COPY(aclrtMemcpyAsyncWithConditionImpl, CALL_ACL,
     (void *target, size_t room, const void *source, size_t size, int32_t kind, AbiStream stream),
     target, room, source, size, kind, stream)
COPY(aclrtMemcpy2dImpl, CALL_ACL,
     (void *target, size_t target_pitch, const void *source, size_t source_pitch, size_t width,
      size_t height, int32_t kind),
     target, target_pitch, source, source_pitch, width, height, kind)
COPY(aclrtMemcpy2dAsyncImpl, CALL_ACL,
     (void *target, size_t target_pitch, const void *source, size_t source_pitch, size_t width,
      size_t height, int32_t kind, AbiStream stream),
     target, target_pitch, source, source_pitch, width, height, kind, stream)
COPY(aclrtMemcpyBatchImpl, CALL_ACL,
     (void **targets, size_t *rooms, void **sources, size_t *sizes, size_t count, void *attributes,
      size_t *indexes, size_t attribute_count, size_t *failed),
     targets, rooms, sources, sizes, count, attributes, indexes, attribute_count, failed)
COPY(aclrtMemcpyBatchAsyncImpl, CALL_ACL,
     (void **targets, size_t *rooms, void **sources, size_t *sizes, size_t count, void *attributes,
      size_t *indexes, size_t attribute_count, size_t *failed, AbiStream stream),
     targets, rooms, sources, sizes, count, attributes, indexes, attribute_count, failed, stream)
COPY(aclrtMemsetImpl, CALL_ACL, (void *memory, size_t room, int32_t value, size_t size), memory,
     room, value, size)
COPY(aclrtMemsetAsyncImpl, CALL_ACL,
     (void *memory, size_t room, int32_t value, size_t size, AbiStream stream), memory, room, value,
     size, stream)
