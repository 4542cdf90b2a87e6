/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions that stand before those of the runtime which record work: what is launched
 * meanwhile passes as it is, since repeated launches would be recorded too, and waiting fails. What
 * was recorded is profiled when it is executed (execute.c). Tested by
 * tests/refchip/test_interface.sh.
 */
#include "inject/ascend/capture.h"
#include "inject/ascend/graphs.h"
#include "inject/ascend/hooks.h"
#include "inject/ascend/mc2.h"

/* ---- captures ---- */

/* No launch is profiled while it begins: waiting for that one might be forbidden then. */
#define BEGIN(name, call)                                                                          \
    AbiError name(AbiStream stream, int32_t mode)                                                  \
    {                                                                                              \
        const bool is_outer = HookIsOuter();                                                       \
        AbiError error;                                                                            \
        bool is_held;                                                                              \
                                                                                                   \
        Mc2Flush();                                                                                \
        RangeTouch(NULL);                                                                          \
        RangeTouch(stream);                                                                        \
        is_held = WatchHoldAll();                                                                  \
        MASKED(error, call(name, stream, mode));                                                   \
        if (error == 0 && is_outer) {                                                              \
            CaptureAdd(stream, false);                                                             \
            GraphOpen(stream, NULL);                                                               \
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
            GraphClose(stream, error == 0 && model != NULL ? *model : NULL);                       \
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
            GraphOpen(stream, model);                                                              \
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
            GraphClose(stream, model);                                                             \
        }                                                                                          \
        return error;                                                                              \
    }
UNBIND(aclmdlRIUnbindStreamImpl, CALL_ACL)
UNBIND(rtModelUnbindStream, CALL_RT)

#define COMPLETE(name, call, parameters, ...)                                                      \
    AbiError name parameters                                                                       \
    {                                                                                              \
        const bool is_outer = HookIsOuter();                                                       \
        AbiError error;                                                                            \
                                                                                                   \
        MASKED(error, call(name, __VA_ARGS__));                                                    \
        if (error == 0 && is_outer) {                                                              \
            GraphComplete(model);                                                                  \
        }                                                                                          \
        return error;                                                                              \
    }
COMPLETE(aclmdlRIBuildEndImpl, CALL_ACL, (void *model, void *reserve), model, reserve)
COMPLETE(rtModelLoadComplete, CALL_RT, (void *model), model)

#define DESTROY(name, call)                                                                        \
    AbiError name(void *model)                                                                     \
    {                                                                                              \
        AbiError error;                                                                            \
                                                                                                   \
        if (HookIsOuter()) {                                                                       \
            GraphForget(model);                                                                    \
        }                                                                                          \
        HELD(error, call(name, model));                                                            \
        return error;                                                                              \
    }
DESTROY(aclmdlRIDestroyImpl, CALL_ACL)
DESTROY(rtModelDestroy, CALL_RT)

/* ---- what cannot be done again ---- */

static void note_callback(AbiStream stream)
{
    bool is_recorded = false;

    if (HookIsOuter() && CaptureHolds(stream, &is_recorded) != NULL && is_recorded) {
        GraphSpoil("which calls functions of the host", false);
    }
}

#define CALLBACK(name, call, parameters, ...)                                                      \
    AbiError name parameters                                                                       \
    {                                                                                              \
        AbiError error;                                                                            \
                                                                                                   \
        note_callback(stream);                                                                     \
        HELD(error, call(name, __VA_ARGS__));                                                      \
        return error;                                                                              \
    }
CALLBACK(aclrtLaunchCallbackImpl, CALL_ACL,
         (AbiCallback * callback, void *data, int32_t is_blocking, AbiStream stream), callback,
         data, is_blocking, stream)
CALLBACK(rtCallbackLaunch, CALL_RT,
         (AbiCallback * callback, void *data, AbiStream stream, bool is_blocking), callback, data,
         stream, is_blocking)

/* ---- executions ---- */

#define EXECUTE(name, call, is_of_acl, on, parameters, ...)                                        \
    AbiError name parameters                                                                       \
    {                                                                                              \
        Launch launch = { .by = #name, .model = model, .stream = on, .is_acl = is_of_acl };        \
                                                                                                   \
        LAUNCH(launch, call(name, __VA_ARGS__));                                                   \
    }
EXECUTE(aclmdlRIExecuteImpl, CALL_ACL, true, NULL, (void *model, int32_t ms), model, ms)
EXECUTE(aclmdlRIExecuteAsyncImpl, CALL_ACL, true, stream, (void *model, AbiStream stream), model,
        stream)
EXECUTE(rtModelExecute, CALL_RT, false, stream, (void *model, AbiStream stream, uint32_t flag),
        model, stream, flag)
EXECUTE(rtModelExecuteSync, CALL_RT, false, stream,
        (void *model, AbiStream stream, uint32_t flag, int32_t ms), model, stream, flag, ms)

/* Models of unknown shapes, and operators by their types, launch their kernels here one by one:
 * then those are seen. */
#define EXECUTE_SEEN(name, parameters, ...)                                                        \
    AbiError name parameters                                                                       \
    {                                                                                              \
        const uint32_t before = *LaunchesSeen();                                                   \
        const AbiError error = CALL_ACL(name, __VA_ARGS__);                                        \
                                                                                                   \
        if (*LaunchesSeen() == before && error == 0 && HookIsOuter()) {                            \
            Unprofiled("executions by " #name ", whose kernels are not known");                    \
        }                                                                                          \
        return error;                                                                              \
    }
EXECUTE_SEEN(aclmdlExecute, (uint32_t model, const void *input, void *output), model, input, output)
EXECUTE_SEEN(aclmdlExecuteAsync,
             (uint32_t model, const void *input, void *output, AbiStream stream), model, input,
             output, stream)
EXECUTE_SEEN(aclopExecuteV2,
             (const char *type, int inputs, void **input_forms, void **input_data, int outputs,
              void **output_forms, void **output_data, void *attributes, AbiStream stream),
             type, inputs, input_forms, input_data, outputs, output_forms, output_data, attributes,
             stream)
EXECUTE_SEEN(aclopCompileAndExecute,
             (const char *type, int inputs, const void *const *forms, const void *const *input_data,
              int outputs, const void *const *output_forms, void *const *output_data,
              const void *attributes, int32_t engine, int32_t flag, const char *path,
              AbiStream stream),
             type, inputs, forms, input_data, outputs, output_forms, output_data, attributes,
             engine, flag, path, stream)
