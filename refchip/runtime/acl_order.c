/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The aclrt*Impl functions for what has a place in the order of a stream: events, copies in other
 * forms, and recorded work. Tested by tests/refchip/test_interface.sh.
 */
#include "acl.h"

#define translate AclTranslate

/* ---- events and waits ---- */

AbiError aclrtCreateEventImpl(void **event)
{
    return translate(rtEventCreate(event));
}

AbiError aclrtDestroyEventImpl(void *event)
{
    return translate(rtEventDestroy(event));
}

AbiError aclrtRecordEventImpl(void *event, AbiStream stream)
{
    return translate(rtEventRecord(event, stream));
}

AbiError aclrtSynchronizeEventImpl(void *event)
{
    return translate(rtEventSynchronize(event));
}

AbiError aclrtSynchronizeEventWithTimeoutImpl(void *event, int32_t ms)
{
    return translate(rtEventSynchronizeWithTimeout(event, ms));
}

AbiError aclrtStreamWaitEventImpl(AbiStream stream, void *event)
{
    return translate(rtStreamWaitEvent(stream, event));
}

AbiError aclrtStreamQueryImpl(AbiStream stream, uint32_t *status)
{
    const AbiError error = rtStreamQuery(stream);

    *status = error == 0 ? 0 : 1;
    return error == RT_ERROR_BUSY ? 0 : translate(error);
}

AbiError aclrtDestroyStreamForceImpl(AbiStream stream)
{
    rtStreamAbort(stream);
    return translate(rtStreamDestroy(stream));
}

/* ---- copies ---- */

AbiError aclrtMemsetAsyncImpl(void *memory, size_t room, int32_t value, size_t size,
                              AbiStream stream)
{
    return translate(rtMemsetAsync(memory, room, (uint32_t) value, size, stream));
}

AbiError aclrtMemcpyAsyncWithConditionImpl(void *target, size_t room, const void *source,
                                           size_t size, int32_t kind, AbiStream stream)
{
    return translate(rtMemcpyAsync(target, room, source, size, (uint32_t) kind, stream));
}

AbiError aclrtMemcpy2dImpl(void *target, size_t target_pitch, const void *source,
                           size_t source_pitch, size_t width, size_t height, int32_t kind)
{
    AbiError error = 0;

    for (size_t row = 0; row < height && error == 0; row++) {
        error = rtMemcpy((char *) target + row * target_pitch, width,
                         (const char *) source + row * source_pitch, width, (uint32_t) kind);
    }
    return translate(error);
}

AbiError aclrtMemcpy2dAsyncImpl(void *target, size_t target_pitch, const void *source,
                                size_t source_pitch, size_t width, size_t height, int32_t kind,
                                AbiStream stream)
{
    AbiError error = 0;

    for (size_t row = 0; row < height && error == 0; row++) {
        error = rtMemcpyAsync((char *) target + row * target_pitch, width,
                              (const char *) source + row * source_pitch, width, (uint32_t) kind,
                              stream);
    }
    return translate(error);
}

/* The attributes say where each copy goes, which addresses say here. */
AbiError aclrtMemcpyBatchImpl(void **targets, size_t *rooms, void **sources, size_t *sizes,
                              size_t count, void *attributes, size_t *indexes,
                              size_t attribute_count, size_t *failed)
{
    AbiError error = 0;

    (void) attributes;
    (void) indexes;
    (void) attribute_count;
    for (*failed = 0; *failed < count && error == 0; *failed += error == 0) {
        error = rtMemcpy(targets[*failed], rooms[*failed], sources[*failed], sizes[*failed], 0);
    }
    return translate(error);
}

AbiError aclrtMemcpyBatchAsyncImpl(void **targets, size_t *rooms, void **sources, size_t *sizes,
                                   size_t count, void *attributes, size_t *indexes,
                                   size_t attribute_count, size_t *failed, AbiStream stream)
{
    AbiError error = 0;

    (void) attributes;
    (void) indexes;
    (void) attribute_count;
    for (*failed = 0; *failed < count && error == 0; *failed += error == 0) {
        error = rtMemcpyAsync(targets[*failed], rooms[*failed], sources[*failed], sizes[*failed], 0,
                              stream);
    }
    return translate(error);
}

/* ---- captures and models ---- */

AbiError aclmdlRICaptureBeginImpl(AbiStream stream, int32_t mode)
{
    return translate(rtStreamBeginCapture(stream, mode));
}

AbiError aclmdlRICaptureEndImpl(AbiStream stream, void **model)
{
    return translate(rtStreamEndCapture(stream, model));
}

AbiError aclmdlRICaptureGetInfoImpl(AbiStream stream, uint32_t *status, void **model)
{
    return translate(rtStreamGetCaptureInfo(stream, status, model));
}

AbiError aclmdlRIBuildBeginImpl(void **model, uint32_t flag)
{
    return translate(rtModelCreate(model, flag));
}

AbiError aclmdlRIBuildEndImpl(void *model, void *reserve)
{
    (void) reserve;
    return translate(rtModelLoadComplete(model));
}

AbiError aclmdlRIBindStreamImpl(void *model, AbiStream stream, uint32_t flag)
{
    return translate(rtModelBindStream(model, stream, flag));
}

AbiError aclmdlRIUnbindStreamImpl(void *model, AbiStream stream)
{
    return translate(rtModelUnbindStream(model, stream));
}

AbiError aclmdlRIEndTaskImpl(void *model, AbiStream stream)
{
    (void) stream;
    return model == NULL ? ACL_ERROR_INVALID : 0;
}

AbiError aclmdlRIExecuteImpl(void *model, int32_t ms)
{
    const AbiError error = rtModelExecute(model, NULL, 0);

    return translate(error != 0 ? error : rtStreamSynchronizeWithTimeout(NULL, ms));
}

AbiError aclmdlRIExecuteAsyncImpl(void *model, AbiStream stream)
{
    return translate(rtModelExecute(model, stream, 0));
}

AbiError aclmdlRIDestroyImpl(void *model)
{
    return translate(rtModelDestroy(model));
}

AbiError aclrtLaunchCallbackImpl(AbiCallback *callback, void *data, int32_t is_blocking,
                                 AbiStream stream)
{
    return translate(rtCallbackLaunch(callback, data, stream, is_blocking != 0));
}
