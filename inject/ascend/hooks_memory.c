/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions that stand before those of the runtime for memory: it is noted, and not touched
 * while a launch is repeated. Tested by tests/refchip/test_board.sh and
 * tests/refchip/test_calls.sh.
 */
#include "inject/ascend/hooks.h"
#include "inject/ascend/range.h"

#define RT_P2P_FIRST 0x10u
#define RT_P2P_LAST 0x11u
#define ACL_P2P_FIRST 3
#define ACL_P2P_LAST 5

/* Memory that other devices see as well is not put back by this one. */
static AbiError note_memory(AbiError error, void *const *memory, uint64_t size, bool is_shared)
{
    if (error == 0 && HookIsOuter() && size > 0 && !is_shared) {
        const int saved_errno = errno;

        MemoryAdd(*CallDevice(), *memory, size);
        errno = saved_errno;
    }
    return error;
}

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

AbiError aclrtMallocForTaskSchedulerImpl(void **memory, size_t size, int32_t policy, void *config)
{
    AbiError error;

    HELD(error, CALL_ACL(aclrtMallocForTaskSchedulerImpl, memory, size, policy, config));
    return note_memory(error, memory, size, policy >= ACL_P2P_FIRST && policy <= ACL_P2P_LAST);
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
