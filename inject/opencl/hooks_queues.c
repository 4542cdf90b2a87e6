/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Queues: every one is made with profiling, and the program sees what it asked for.
 * Tested by tests/plugins/collect-opencl/test_opencl.sh.
 */
#include "inject/opencl/opencl.h"

#include <stdlib.h>
#include <string.h>

#define MOST_PROPERTIES 64u /* of a list, with its 0; longer ones are left alone */

/* ---- what is known of them ---- */

static void add_queue(cl_command_queue queue, cl_device_id device, const QueueFacts *facts,
                      cl_int refusal)
{
    static uint32_t last; /* with the lock */
    const uint32_t number = DeviceNumber(device);
    QueueFacts *copy = malloc(sizeof *copy);
    OpprofOpenclQueue record = { .device = number,
                                 .flags =
                                     (facts->is_unordered ? OPPROF_OPENCL_QUEUE_UNORDERED : 0) |
                                     (facts->has_times ? 0 : OPPROF_OPENCL_QUEUE_REFUSED),
                                 .error = refusal };
    Object *object;

    if (copy == NULL) {
        return;
    }
    *copy = *facts;
    RecorderLock();
    object = ObjectAdd(OBJECT_QUEUE, queue);
    if (object == NULL) {
        free(copy);
    } else {
        copy->id = record.id = ++last;
        object->more = copy;
        RecorderPut(&record, OPPROF_OPENCL_QUEUE, sizeof record, NULL, 0);
    }
    RecorderUnlock();
}

static bool find(cl_command_queue queue, QueueFacts *ret_facts)
{
    const Object *object;

    RecorderLock();
    object = ObjectFind(OBJECT_QUEUE, queue);
    if (object != NULL) {
        memcpy(ret_facts, object->more, sizeof *ret_facts);
    }
    RecorderUnlock();
    return object != NULL;
}

/* A queue that was made in a way that this layer does not see, such as a device's default queue:
 * its properties are those that the program asked for. */
static void ask_queue(cl_command_queue queue)
{
    cl_device_id device = NULL;
    cl_command_queue_properties properties = 0;
    QueueFacts facts = { .id = 0 };

    if (below->clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL) !=
            CL_SUCCESS ||
        below->clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties,
                                     NULL) != CL_SUCCESS) {
        return;
    }
    facts.has_asked = facts.has_times = (properties & CL_QUEUE_PROFILING_ENABLE) != 0;
    facts.is_unordered = (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0;
    add_queue(queue, device, &facts, 0);
}

bool QueueFactsOf(cl_command_queue queue, QueueFacts *ret_facts)
{
    if (queue == NULL) {
        return false;
    }
    if (find(queue, ret_facts)) {
        return true;
    }
    ask_queue(queue);
    return find(queue, ret_facts);
}

/* ---- making them ---- */

static cl_command_queue CL_API_CALL
hook_clCreateCommandQueue(cl_context context, cl_device_id device,
                          cl_command_queue_properties properties, cl_int *ret_error)
{
    const cl_command_queue_properties more = properties | CL_QUEUE_PROFILING_ENABLE;
    QueueFacts facts = { .has_asked = more == properties,
                         .has_times = true,
                         .is_unordered =
                             (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0 };
    cl_int error = CL_SUCCESS, refusal = CL_SUCCESS;
    cl_command_queue queue;
    Call call;

    CallBegin(&call);
    queue = below->clCreateCommandQueue(context, device, call.is_on ? more : properties, &error);
    if (queue == NULL && call.is_on && more != properties) {
        refusal = error;
        facts.has_times = false;
        queue = below->clCreateCommandQueue(context, device, properties, &error);
    }
    CallEnd(&call, "clCreateCommandQueue", OPPROF_OPENCL_CALL_OTHER, NULL, error);
    if (queue != NULL && call.is_on) {
        add_queue(queue, device, &facts, refusal);
    }
    if (ret_error != NULL) {
        *ret_error = error;
    }
    return queue;
}

/* The list with profiling asked for; its length with the 0, or 0 if it is too long. */
static size_t with_profiling(const cl_queue_properties *from, cl_queue_properties *to)
{
    size_t count = 0;
    bool is_there = false;

    for (; from != NULL && from[count] != 0; count += 2) {
        if (count + 4 > MOST_PROPERTIES) {
            return 0;
        }
        to[count] = from[count];
        to[count + 1] = from[count + 1];
        if (from[count] == CL_QUEUE_PROPERTIES) {
            to[count + 1] |= CL_QUEUE_PROFILING_ENABLE;
            is_there = true;
        }
    }
    if (!is_there) {
        to[count++] = CL_QUEUE_PROPERTIES;
        to[count++] = CL_QUEUE_PROFILING_ENABLE;
    }
    to[count] = 0;
    return count + 1;
}

static void note_properties(const cl_queue_properties *list, QueueFacts *facts)
{
    size_t count = 0;

    for (; list != NULL && list[count] != 0; count += 2) {
        if (list[count] == CL_QUEUE_PROPERTIES) {
            facts->has_asked = (list[count + 1] & CL_QUEUE_PROFILING_ENABLE) != 0;
            facts->is_unordered = (list[count + 1] & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0;
        }
    }
    facts->count = list == NULL ? 0 : count + 1;
    if (facts->count <= sizeof facts->array / sizeof facts->array[0]) {
        memcpy(facts->array, list == NULL ? facts->array : list,
               facts->count * sizeof facts->array[0]);
    }
}

cl_command_queue QueueCreate(QueueFunction *function, const char *name, const QueueWish *wish,
                             cl_int *ret_error)
{
    cl_queue_properties list[MOST_PROPERTIES];
    const cl_queue_properties *properties = wish->properties;
    const bool fits = with_profiling(properties, list) > 0;
    QueueFacts facts = { .has_times = true };
    cl_int error = CL_SUCCESS, refusal = CL_SUCCESS;
    cl_command_queue queue;
    Call call;

    note_properties(properties, &facts);
    CallBegin(&call);
    queue = function(wish->context, wish->device, call.is_on && fits ? list : properties, &error);
    if (queue == NULL && call.is_on && fits && !facts.has_asked) {
        refusal = error;
        queue = function(wish->context, wish->device, properties, &error);
    }
    facts.has_times = facts.has_asked || (fits && refusal == CL_SUCCESS);
    CallEnd(&call, name, OPPROF_OPENCL_CALL_OTHER, NULL, error);
    if (queue != NULL && call.is_on) {
        add_queue(queue, wish->device, &facts, refusal);
    }
    if (ret_error != NULL) {
        *ret_error = error;
    }
    return queue;
}

static cl_command_queue CL_API_CALL
hook_clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                        const cl_queue_properties *properties, cl_int *ret_error)
{
    return QueueCreate(below->clCreateCommandQueueWithProperties,
                       "clCreateCommandQueueWithProperties",
                       &(QueueWish){ context, device, properties }, ret_error);
}

/* ---- what programs ask about them ---- */

static cl_int CL_API_CALL hook_clGetCommandQueueInfo(cl_command_queue queue,
                                                     cl_command_queue_info what, size_t size,
                                                     void *value, size_t *ret_size)
{
    QueueFacts facts;
    cl_int error;

    if (*CallDepth() > 0 || !LinkIsWanted() || !find(queue, &facts)) {
        return below->clGetCommandQueueInfo(queue, what, size, value, ret_size);
    }
    if (what == CL_QUEUE_REFERENCE_COUNT) {
        PendingHarvest(); /* commands that are complete hold their queue no more */
    }
    if (what != CL_QUEUE_PROPERTIES_ARRAY) {
        error = below->clGetCommandQueueInfo(queue, what, size, value, ret_size);
        if (error == CL_SUCCESS && what == CL_QUEUE_PROPERTIES && value != NULL &&
            !facts.has_asked) {
            *(cl_command_queue_properties *) value &=
                ~(cl_command_queue_properties) CL_QUEUE_PROFILING_ENABLE;
        }
        return error;
    }
    error = below->clGetCommandQueueInfo(queue, what, 0, NULL, ret_size);
    if (error != CL_SUCCESS || facts.count > sizeof facts.array / sizeof facts.array[0]) {
        return error;
    }
    if (value != NULL && size < facts.count * sizeof facts.array[0]) {
        return CL_INVALID_VALUE;
    }
    if (value != NULL) {
        memcpy(value, facts.array, facts.count * sizeof facts.array[0]);
    }
    if (ret_size != NULL) {
        *ret_size = facts.count * sizeof facts.array[0];
    }
    return CL_SUCCESS;
}

/* Of OpenCL 1.0: profiling stays on, whatever the program wants. */
static cl_int CL_API_CALL hook_clSetCommandQueueProperty(cl_command_queue queue,
                                                         cl_command_queue_properties properties,
                                                         cl_bool enable,
                                                         cl_command_queue_properties *ret_old)
{
    const cl_command_queue_properties others =
        properties & ~(cl_command_queue_properties) CL_QUEUE_PROFILING_ENABLE;
    QueueFacts facts;
    cl_int error;

    if (!LinkIsWanted() || !find(queue, &facts) || !facts.has_times) {
        return below->clSetCommandQueueProperty(queue, properties, enable, ret_old);
    }
    error = below->clSetCommandQueueProperty(queue, enable ? properties : others, enable, ret_old);
    if (error == CL_SUCCESS) {
        Object *object;

        if (ret_old != NULL && !facts.has_asked) {
            *ret_old &= ~(cl_command_queue_properties) CL_QUEUE_PROFILING_ENABLE;
        }
        RecorderLock();
        object = ObjectFind(OBJECT_QUEUE, queue);
        if (object != NULL && others != properties) {
            ((QueueFacts *) object->more)->has_asked = enable;
        }
        RecorderUnlock();
    }
    return error;
}

/* ---- what they ask about events ---- */

/* Whether the queue of an event was made without profiling, as far as the program knows. */
static bool has_no_times(cl_event event)
{
    cl_command_queue queue = NULL;
    QueueFacts facts;

    return below->clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, NULL) ==
               CL_SUCCESS &&
           queue != NULL && find(queue, &facts) && !facts.has_asked;
}

static cl_int CL_API_CALL hook_clGetEventProfilingInfo(cl_event event, cl_profiling_info what,
                                                       size_t size, void *value, size_t *ret_size)
{
    if (*CallDepth() == 0 && LinkIsWanted() && has_no_times(event)) {
        return CL_PROFILING_INFO_NOT_AVAILABLE;
    }
    return below->clGetEventProfilingInfo(event, what, size, value, ret_size);
}

static ObjectHold read_hold(cl_event event)
{
    const Object *object;
    ObjectHold hold;

    RecorderLock();
    object = ObjectFind(OBJECT_EVENT, event);
    hold = object == NULL ? HOLD_NONE : (ObjectHold) object->hold;
    RecorderUnlock();
    return hold;
}

static cl_int CL_API_CALL hook_clGetEventInfo(cl_event event, cl_event_info what, size_t size,
                                              void *value, size_t *ret_size)
{
    ObjectHold hold;
    cl_int error;

    if (what != CL_EVENT_REFERENCE_COUNT || *CallDepth() > 0 || !LinkIsWanted()) {
        return below->clGetEventInfo(event, what, size, value, ret_size);
    }
    do { /* until this library's own reference does not come and go meanwhile */
        hold = read_hold(event);
        error = below->clGetEventInfo(event, what, size, value, ret_size);
    } while (hold == HOLD_ENDS || hold != read_hold(event));
    if (error == CL_SUCCESS && value != NULL && hold == HOLD_ONE) {
        (*(cl_uint *) value)--;
    }
    return error;
}

void QueueHooksFill(cl_icd_dispatch *table)
{
    table->clCreateCommandQueue = hook_clCreateCommandQueue;
    table->clCreateCommandQueueWithProperties = hook_clCreateCommandQueueWithProperties;
    table->clGetCommandQueueInfo = hook_clGetCommandQueueInfo;
    table->clSetCommandQueueProperty = hook_clSetCommandQueueProperty;
    table->clGetEventProfilingInfo = hook_clGetEventProfilingInfo;
    table->clGetEventInfo = hook_clGetEventInfo;
}
