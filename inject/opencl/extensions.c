/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of extensions, which programs call without the loader: queues, and command buffers as
 * one command each. Of what a buffer consists of, only its kernels are listed: the other functions
 * that record into one have changed their parameters from version to version.
 * Tested by tests/plugins/collect-opencl/test_opencl.sh.
 */
#include "inject/opencl/opencl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LISTED 400u /* bytes of the names of a buffer's kernels */

/* What is known of a command buffer. */
typedef struct BufferFacts {
    cl_command_queue queue; /* the first that it was made for */
    uint32_t kernels;
    uint32_t kernel; /* under which its name was sent; 0: not yet */
    char names[MOST_LISTED];
} BufferFacts;

static clCreateCommandQueueWithPropertiesKHR_fn create_queue;
static clCreateCommandBufferKHR_fn create_buffer;
static clCommandNDRangeKernelKHR_fn add_kernel;
static clEnqueueCommandBufferKHR_fn enqueue_buffer;

static cl_command_queue CL_API_CALL hook_create_queue(cl_context context, cl_device_id device,
                                                      const cl_queue_properties *properties,
                                                      cl_int *error)
{
    return QueueCreate(create_queue, "clCreateCommandQueueWithPropertiesKHR",
                       &(QueueWish){ context, device, properties }, error);
}

/* ---- command buffers ---- */

static cl_command_buffer_khr CL_API_CALL
hook_create_buffer(cl_uint count, const cl_command_queue *queues,
                   const cl_command_buffer_properties_khr *properties, cl_int *error)
{
    const cl_command_buffer_khr buffer = create_buffer(count, queues, properties, error);
    BufferFacts *facts = buffer == NULL ? NULL : calloc(1, sizeof *facts);

    if (facts != NULL && count > 0 && queues != NULL) {
        Object *object;

        facts->queue = queues[0];
        RecorderLock();
        object = ObjectAdd(OBJECT_BUFFER, buffer);
        if (object != NULL) {
            object->more = facts;
        }
        RecorderUnlock();
        if (object != NULL) {
            return buffer;
        }
    }
    free(facts);
    return buffer;
}

/* "twice, add_one, …" */
static void list_kernel(BufferFacts *facts, cl_kernel kernel)
{
    const size_t used = strlen(facts->names);
    const char *name = KernelName(kernel);

    facts->kernels++;
    if (used + strlen(name) + 8 < sizeof facts->names) {
        snprintf(facts->names + used, sizeof facts->names - used, "%s%s", used == 0 ? "" : ", ",
                 name);
    } else if (strstr(facts->names, "…") == NULL) {
        snprintf(facts->names + used, sizeof facts->names - used, ", …");
    }
}

static cl_int CL_API_CALL hook_clCommandNDRangeKernelKHR(
    cl_command_buffer_khr buffer, cl_command_queue queue,
    const cl_ndrange_kernel_command_properties_khr *properties, cl_kernel kernel,
    cl_uint dimensions, const size_t *offset, const size_t *global, const size_t *local,
    cl_uint count, const cl_sync_point_khr *waits, cl_sync_point_khr *point,
    cl_mutable_command_khr *handle)
{
    const cl_int error = add_kernel(buffer, queue, properties, kernel, dimensions, offset, global,
                                    local, count, waits, point, handle);

    if (error == CL_SUCCESS && RecorderIsOn()) {
        Object *object;

        RecorderLock();
        object = ObjectFind(OBJECT_BUFFER, buffer);
        if (object != NULL) {
            list_kernel(object->more, kernel);
        }
        RecorderUnlock();
    }
    return error;
}

/* The command is called after what the buffer consists of. */
static void describe_buffer(cl_command_buffer_khr buffer, OpprofOpenclCommand *command)
{
    const Object *object;

    command->work = OPPROF_OPENCL_BUFFER;
    command->bytes = OPPROF_OPENCL_UNKNOWN;
    RecorderLock();
    object = ObjectFind(OBJECT_BUFFER, buffer);
    if (object != NULL) {
        BufferFacts *facts = object->more;
        char name[MOST_LISTED + 64];

        if (facts->kernel == 0) {
            snprintf(name, sizeof name, "command buffer of %u %s%s%s", facts->kernels,
                     facts->kernels == 1 ? "kernel" : "kernels", facts->kernels == 0 ? "" : ": ",
                     facts->names);
            facts->kernel = KernelPut(name);
        }
        command->kernel = facts->kernel;
    }
    RecorderUnlock();
}

static cl_command_queue queue_of_buffer(cl_command_buffer_khr buffer)
{
    const Object *object;
    cl_command_queue queue;

    RecorderLock();
    object = ObjectFind(OBJECT_BUFFER, buffer);
    queue = object == NULL ? NULL : ((const BufferFacts *) object->more)->queue;
    RecorderUnlock();
    return queue;
}

static cl_int CL_API_CALL hook_enqueue_buffer(cl_uint queue_count, cl_command_queue *queues,
                                              cl_command_buffer_khr buffer, cl_uint count,
                                              const cl_event *waits, cl_event *event)
{
    Enqueue enqueue = { .function = "clEnqueueCommandBufferKHR",
                        .waits = waits,
                        .wait_count = count };
    cl_int error;

    EnqueueBegin(&enqueue, queue_count > 0 && queues != NULL ? queues[0] : queue_of_buffer(buffer),
                 event);
    if (enqueue.is_on) {
        describe_buffer(buffer, &enqueue.command);
        enqueue.command.called = Now();
    }
    error = enqueue_buffer(queue_count, queues, buffer, count, waits, enqueue.target);
    EnqueueEnd(&enqueue, error);
    return error;
}

/* ---- by name ---- */

/* The driver's function, and the hook that calls it. Several drivers may have the same function:
 * the first that is asked for is hooked. */
static const struct {
    const char *name;
    void (*hook)(void);
    void *original; /* of a pointer to a function */
} extensions[] = {
    { "clCreateCommandQueueWithPropertiesKHR", (void (*)(void)) hook_create_queue, &create_queue },
    { "clCreateCommandBufferKHR", (void (*)(void)) hook_create_buffer, &create_buffer },
    { "clCommandNDRangeKernelKHR", (void (*)(void)) hook_clCommandNDRangeKernelKHR, &add_kernel },
    { "clEnqueueCommandBufferKHR", (void (*)(void)) hook_enqueue_buffer, &enqueue_buffer },
};

void *ExtensionReplace(const char *name, void *function)
{
    for (size_t i = 0; i < sizeof extensions / sizeof extensions[0]; i++) {
        void *known;

        if (function == NULL || name == NULL || strcmp(extensions[i].name, name) != 0 ||
            !RecorderIsOn()) {
            continue;
        }
        memcpy(&known, extensions[i].original, sizeof known);
        if (known == NULL) {
            memcpy(extensions[i].original, &function, sizeof function);
        } else if (known != function) {
            Note(0, OPPROF_LIVE_INCOMPLETE,
                 "%s is used of more than one driver: what others than the first do in it is not "
                 "recorded",
                 name);
            return function;
        }
        return (void *) (uintptr_t) extensions[i].hook;
    }
    return function;
}
