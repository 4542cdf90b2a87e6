/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions that stand before those of the runtime which record work: what is launched
 * meanwhile passes as it is, since repeated launches would be recorded too, and waiting fails. What
 * was recorded is done later as one task, which has no counters of its own kernels. Tested by
 * tests/refchip/test_interface.sh.
 */
#include "inject/ascend/capture.h"
#include "inject/ascend/hooks.h"

/* ---- captures ---- */

/* No launch is profiled while it begins: waiting for that one might be forbidden then. */
#define BEGIN(name, call)                                                                          \
    AbiError name(AbiStream stream, int32_t mode)                                                  \
    {                                                                                              \
        const bool is_outer = HookIsOuter();                                                       \
        AbiError error;                                                                            \
        bool is_held;                                                                              \
                                                                                                   \
        RangeTouch(NULL);                                                                          \
        RangeTouch(stream);                                                                        \
        is_held = WatchHoldAll();                                                                  \
        MASKED(error, call(name, stream, mode));                                                   \
        if (error == 0 && is_outer) {                                                              \
            CaptureAdd(stream, false);                                                             \
        }                                                                                          \
        WatchLetGo(is_held);                                                                       \
        return error;                                                                              \
    }
BEGIN(aclmdlRICaptureBeginImpl, CALL_ACL)
BEGIN(rtStreamBeginCapture, CALL_RT)

#define END(name, call)                                                                            \
    AbiError name(AbiStream stream, void **model)                                                  \
    {                                                                                              \
        const bool is_outer = HookIsOuter();                                                       \
        AbiError error;                                                                            \
                                                                                                   \
        MASKED(error, call(name, stream, model));                                                  \
        if (is_outer && CaptureHas(stream, false)) {                                               \
            CaptureTakeOut(stream, false);                                                         \
        }                                                                                          \
        return error;                                                                              \
    }
END(aclmdlRICaptureEndImpl, CALL_ACL)
END(rtStreamEndCapture, CALL_RT)

/* ---- models ---- */

#define BIND(name, call)                                                                           \
    AbiError name(void *model, AbiStream stream, uint32_t flag)                                    \
    {                                                                                              \
        const bool is_outer = HookIsOuter();                                                       \
        AbiError error;                                                                            \
                                                                                                   \
        HELD(error, call(name, model, stream, flag));                                              \
        if (error == 0 && is_outer) {                                                              \
            CaptureAdd(stream, true);                                                              \
        }                                                                                          \
        return error;                                                                              \
    }
BIND(aclmdlRIBindStreamImpl, CALL_ACL)
BIND(rtModelBindStream, CALL_RT)

#define UNBIND(name, call)                                                                         \
    AbiError name(void *model, AbiStream stream)                                                   \
    {                                                                                              \
        const bool is_outer = HookIsOuter();                                                       \
        AbiError error;                                                                            \
                                                                                                   \
        MASKED(error, call(name, model, stream));                                                  \
        if (error == 0 && is_outer) {                                                              \
            CaptureTakeOut(stream, true);                                                          \
        }                                                                                          \
        return error;                                                                              \
    }
UNBIND(aclmdlRIUnbindStreamImpl, CALL_ACL)
UNBIND(rtModelUnbindStream, CALL_RT)

/* ---- executions ---- */

/* It is counted by the name that the program used. */
static void note_execution(const char *name, AbiError error)
{
    if (error == 0 && HookIsOuter()) {
        Unprofiled("executions by %.*s, whose kernels are one task", OriginalNameLength(name),
                   name);
    }
}

#define EXECUTE(name, call, parameters, ...)                                                       \
    AbiError name parameters                                                                       \
    {                                                                                              \
        AbiError error;                                                                            \
                                                                                                   \
        HELD(error, call(name, __VA_ARGS__));                                                      \
        note_execution(#name, error);                                                              \
        return error;                                                                              \
    }
EXECUTE(aclmdlRIExecuteImpl, CALL_ACL, (void *model, int32_t ms), model, ms)
EXECUTE(aclmdlRIExecuteAsyncImpl, CALL_ACL, (void *model, AbiStream stream), model, stream)
EXECUTE(rtModelExecute, CALL_RT, (void *model, AbiStream stream, uint32_t flag), model, stream,
        flag)

/* Models of unknown shapes launch their kernels here, one by one: then those are seen. */
#define EXECUTE_SEEN(name, parameters, ...)                                                        \
    AbiError name parameters                                                                       \
    {                                                                                              \
        const uint32_t before = *LaunchesSeen();                                                   \
        const AbiError error = CALL_ACL(name, __VA_ARGS__);                                        \
                                                                                                   \
        if (*LaunchesSeen() == before) {                                                           \
            note_execution(#name, error);                                                          \
        }                                                                                          \
        return error;                                                                              \
    }
EXECUTE_SEEN(aclmdlExecute, (uint32_t model, const void *input, void *output), model, input, output)
EXECUTE_SEEN(aclmdlExecuteAsync,
             (uint32_t model, const void *input, void *output, AbiStream stream), model, input,
             output, stream)
