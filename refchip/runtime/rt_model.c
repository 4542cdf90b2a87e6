/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rt* functions of libruntime.so for work that is recorded: captures of streams, and models
 * that streams are bound to. Tested by tests/refchip/test_interface.sh.
 */
#include "refchip/chip/fault.h"
#include "state.h"
#include <stdlib.h>
#include <string.h>

/* ---- captures ---- */

AbiError rtStreamBeginCapture(AbiStream stream, int32_t mode)
{
    Stream *found = StreamOf(stream, CurrentDevice());
    Model *model;

    if (found == NULL || StreamModel(found) != NULL || mode < CAPTURE_GLOBAL ||
        mode > CAPTURE_RELAXED) {
        return found == NULL ? RT_ERROR_MEMORY : RT_ERROR_VALUE;
    }
    model = ModelMake(false, mode);
    if (model == NULL) {
        return RT_ERROR_MEMORY;
    }
    ModelCount(model, 1);
    StreamSetModel(found, model);
    return 0;
}

AbiError rtStreamGetCaptureInfo(AbiStream stream, uint32_t *status, void **model)
{
    Stream *found = StreamOf(stream, CurrentDevice());
    Model *known = found == NULL ? NULL : StreamModel(found);
    const bool is_active = known != NULL && !known->is_built;

    *status = is_active ? CAPTURE_STATUS_ACTIVE : CAPTURE_STATUS_NONE;
    *model = is_active ? known : NULL;
    return found == NULL ? RT_ERROR_MEMORY : 0;
}

/* Streams that have joined it end it as well. */
AbiError rtStreamEndCapture(AbiStream stream, void **model)
{
    Stream *found = StreamOf(stream, CurrentDevice());
    Model *known = found == NULL ? NULL : StreamModel(found);

    *model = known == NULL || known->is_built ? NULL : known;
    if (*model == NULL) {
        return RT_ERROR_VALUE;
    }
    StreamForgetModel(known);
    known->is_open = false;
    ModelCount(known, UINT32_MAX);
    if (RefchipFault(FAULT_AT_capture, CurrentDevice()) == FAULT_FAILS) {
        *model = NULL;
        rtModelDestroy(known);
        return RT_ERROR_VALUE;
    }
    return 0;
}

/* ---- models ---- */

AbiError rtModelCreate(void **model, uint32_t flag)
{
    (void) flag;
    *model = ModelMake(true, CAPTURE_RELAXED);
    return *model == NULL ? RT_ERROR_MEMORY : 0;
}

AbiError rtModelBindStream(void *model, AbiStream stream, uint32_t flag)
{
    Stream *found = StreamOf(stream, CurrentDevice());

    (void) flag;
    if (model == NULL || found == NULL || StreamModel(found) != NULL) {
        return RT_ERROR_VALUE;
    }
    StreamSetModel(found, model);
    return 0;
}

AbiError rtModelUnbindStream(void *model, AbiStream stream)
{
    Stream *found = StreamOf(stream, CurrentDevice());

    if (model == NULL || found == NULL || StreamModel(found) != model) {
        return RT_ERROR_VALUE;
    }
    StreamSetModel(found, NULL);
    return 0;
}

AbiError rtModelLoadComplete(void *model)
{
    Model *known = model;

    if (known == NULL) {
        return RT_ERROR_VALUE;
    }
    known->is_open = false;
    return 0;
}

AbiError rtModelGetId(void *model, uint32_t *id)
{
    const Model *known = model;

    *id = known == NULL ? 0 : known->id;
    return known == NULL ? RT_ERROR_VALUE : 0;
}

AbiError rtModelExecute(void *model, AbiStream stream, uint32_t flag)
{
    const Model *known = model;
    Stream *found = StreamOf(stream, CurrentDevice());

    (void) flag;
    if (known == NULL || found == NULL || StreamModel(found) != NULL) {
        return RT_ERROR_VALUE;
    }
    for (uint32_t i = 0; i < known->count; i++) {
        Task *task = malloc(known->tasks[i]->size);

        if (task == NULL) {
            return RT_ERROR_MEMORY;
        }
        memcpy(task, known->tasks[i], known->tasks[i]->size);
        if (task->aim != NULL) {
            task->aim(task, found);
        }
        StreamPut(found, task);
    }
    return 0;
}

AbiError rtModelExecuteSync(void *model, AbiStream stream, uint32_t flag, int32_t ms)
{
    const AbiError error = rtModelExecute(model, stream, flag);

    return error != 0 ? error : rtStreamSynchronizeWithTimeout(stream, ms);
}

AbiError rtModelDestroy(void *model)
{
    Model *known = model;

    if (known == NULL) {
        return RT_ERROR_VALUE;
    }
    ModelForget(known);
    for (uint32_t i = 0; i < known->count; i++) {
        if (known->tasks[i]->drop != NULL) {
            known->tasks[i]->drop(known->tasks[i]);
        }
        free(known->tasks[i]);
    }
    free(known->tasks);
    free(known);
    return 0;
}

/* An offline model is one of these by its number. It is done when the call returns. */
AbiError aclmdlExecute(uint32_t model, const void *input, void *output)
{
    const AbiError error = aclmdlExecuteAsync(model, input, output, NULL);

    return error != 0 ? error : rtStreamSynchronize(NULL);
}

AbiError aclmdlExecuteAsync(uint32_t model, const void *input, void *output, AbiStream stream)
{
    (void) input;
    (void) output;
    return rtModelExecute(ModelFind(model), stream, 0);
}
