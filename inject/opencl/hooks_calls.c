/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hooks for calls that enqueue nothing, most of them made from calls.inc.
 * Tested by tests/plugins/collect-opencl/test_opencl.sh.
 */
#include "inject/opencl/opencl.h"

void CallBegin(Call *call)
{
    call->depth = CallDepth();
    call->is_on = *call->depth == 0 && RecorderIsOn();
    if (call->is_on) {
        (*call->depth)++;
        call->called = Now();
    }
}

/* With the lock; 0: the call is not recorded. */
static uint64_t put_call(const Call *call, const char *function, OpprofOpenclCallKind kind,
                         cl_command_queue queue, cl_int error)
{
    const Object *object = queue == NULL ? NULL : ObjectFind(OBJECT_QUEUE, queue);
    OpprofOpenclCall record = { .id = NextNumber(),
                                .called = call->called,
                                .returned = Now(),
                                .function = RecorderName(function),
                                .thread = ThreadNumber(),
                                .kind = kind,
                                .queue = object == NULL ? 0 : ((QueueFacts *) object->more)->id,
                                .error = error };

    RecorderPut(&record, OPPROF_OPENCL_CALL, sizeof record, NULL, 0);
    return record.id;
}

/* With the program's thread in nobody's way. */
static void leave(const Call *call, OpprofOpenclCallKind kind)
{
    HelperWake();
    (*call->depth)--;
    if (HelperIsEnding() &&
        (kind == OPPROF_OPENCL_CALL_WAITS || kind == OPPROF_OPENCL_CALL_WAITS_ALL)) {
        HelperDoNow();
    }
}

void CallEnd(const Call *call, const char *function, OpprofOpenclCallKind kind,
             cl_command_queue queue, cl_int error)
{
    if (call->is_on) {
        RecorderLock();
        put_call(call, function, kind, queue, error);
        RecorderUnlock();
        leave(call, kind);
    }
}

#define CALL(name, kind, waited, parameters, arguments)                                            \
    static cl_int CL_API_CALL hook_##name parameters                                               \
    {                                                                                              \
        Call call;                                                                                 \
        cl_int error;                                                                              \
                                                                                                   \
        CallBegin(&call);                                                                          \
        error = below->name arguments;                                                             \
        CallEnd(&call, #name, kind, waited, error);                                                \
        return error;                                                                              \
    }
#include "inject/opencl/calls.inc"
#undef CALL

/* ---- functions of other forms ---- */

static cl_int CL_API_CALL hook_clWaitForEvents(cl_uint count, const cl_event *events)
{
    Call call;
    cl_int error;

    CallBegin(&call);
    error = below->clWaitForEvents(count, events);
    if (call.is_on) {
        uint64_t id;

        RecorderLock();
        id = put_call(&call, "clWaitForEvents", OPPROF_OPENCL_CALL_WAITS, NULL, error);
        for (cl_uint i = 0; events != NULL && i < count; i++) {
            const Object *event = ObjectFind(OBJECT_EVENT, events[i]);
            OpprofOpenclWait wait = { .id = id, .source = event == NULL ? 0 : event->bytes };

            if (event != NULL) {
                RecorderPut(&wait, OPPROF_OPENCL_WAIT, sizeof wait, NULL, 0);
            }
        }
        RecorderUnlock();
        leave(&call, OPPROF_OPENCL_CALL_WAITS);
    }
    return error;
}

static cl_program CL_API_CALL hook_clLinkProgram(cl_context context, cl_uint device_count,
                                                 const cl_device_id *devices, const char *options,
                                                 cl_uint count, const cl_program *programs,
                                                 void(CL_CALLBACK *function)(cl_program, void *),
                                                 void *data, cl_int *ret_error)
{
    cl_int error = CL_SUCCESS;
    cl_program program;
    Call call;

    CallBegin(&call);
    program = below->clLinkProgram(context, device_count, devices, options, count, programs,
                                   function, data, &error);
    CallEnd(&call, "clLinkProgram", OPPROF_OPENCL_CALL_BUILDS, NULL, error);
    if (ret_error != NULL) {
        *ret_error = error;
    }
    return program;
}

/* Its handle may become that of a command, or of another user event. */
static cl_event CL_API_CALL hook_clCreateUserEvent(cl_context context, cl_int *ret_error)
{
    const cl_event event = below->clCreateUserEvent(context, ret_error);

    if (LinkIsWanted()) {
        RecorderLock();
        ObjectForget(OBJECT_EVENT, event);
        RecorderUnlock();
    }
    return event;
}

void CallHooksFill(cl_icd_dispatch *table)
{
#define CALL(name, kind, waited, parameters, arguments) table->name = hook_##name;
#include "inject/opencl/calls.inc"
#undef CALL
    table->clWaitForEvents = hook_clWaitForEvents;
    table->clLinkProgram = hook_clLinkProgram;
    table->clCreateUserEvent = hook_clCreateUserEvent;
}
