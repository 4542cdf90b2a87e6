/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hooks for the functions that enqueue commands, most of them made from commands.inc.
 * Tested by tests/plugins/collect-opencl/test_opencl.sh.
 */
#include "inject/opencl/opencl.h"

#define UNKNOWN OPPROF_OPENCL_UNKNOWN
#define BLOCKS(blocking) ((blocking) ? OPPROF_OPENCL_BLOCKING : 0)
#define IS_WRITTEN(flags) (((flags) & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0)

static const size_t one[1] = { 1 };

/* ---- what commands are ---- */

static void describe(OpprofOpenclCommand *command, OpprofOpenclWork work, uint64_t bytes,
                     unsigned flags)
{
    command->work = (uint16_t) work;
    command->bytes = bytes;
    command->flags |= (uint16_t) flags;
}

static void describe_run(OpprofOpenclCommand *command, cl_kernel kernel, cl_uint dimensions,
                         const size_t *global, const size_t *local)
{
    describe(command, OPPROF_OPENCL_RUN, UNKNOWN, 0);
    for (cl_uint i = 0; i < 3; i++) {
        command->global[i] = i >= dimensions ? 1 : global == NULL ? 0 : global[i];
        command->local[i] = local == NULL ? 0 : i >= dimensions ? 1 : (uint32_t) local[i];
    }
    KernelDescribe(kernel, command);
}

static uint64_t volume(const size_t *region)
{
    return region == NULL ? UNKNOWN : (uint64_t) region[0] * region[1] * region[2];
}

static void describe_map(OpprofOpenclCommand *command, cl_map_flags flags, uint64_t bytes,
                         unsigned more)
{
    describe(command, OPPROF_OPENCL_MAP, bytes,
             more | ((flags & CL_MAP_READ) != 0 ? OPPROF_OPENCL_TO_HOST : 0));
}

static void describe_unmap(OpprofOpenclCommand *command, const void *pointer)
{
    uint64_t bytes = UNKNOWN;
    bool is_written = false;

    MappedTake(pointer, &bytes, &is_written);
    describe(command, OPPROF_OPENCL_UNMAP, bytes, is_written ? OPPROF_OPENCL_TO_DEVICE : 0);
}

static unsigned target_of(cl_mem_migration_flags flags)
{
    return (flags & CL_MIGRATE_MEM_OBJECT_HOST) != 0 ? OPPROF_OPENCL_TO_HOST
                                                     : OPPROF_OPENCL_TO_DEVICE;
}

static void describe_migrate(OpprofOpenclCommand *command, cl_uint count, const cl_mem *objects,
                             cl_mem_migration_flags flags)
{
    uint64_t bytes = 0;

    for (cl_uint i = 0; objects != NULL && i < count; i++) {
        size_t size = 0;

        below->clGetMemObjectInfo(objects[i], CL_MEM_SIZE, sizeof size, &size, NULL);
        bytes += size;
    }
    describe(command, OPPROF_OPENCL_MIGRATE, bytes, target_of(flags));
}

static void describe_shared_migrate(OpprofOpenclCommand *command, cl_uint count,
                                    const size_t *sizes, cl_mem_migration_flags flags)
{
    uint64_t bytes = sizes == NULL ? UNKNOWN : 0;

    for (cl_uint i = 0; sizes != NULL && i < count; i++) {
        bytes += sizes[i]; /* 0: all of the allocation, which is not looked up */
    }
    describe(command, OPPROF_OPENCL_MIGRATE, bytes, target_of(flags));
}

static bool is_shared(const void *pointer)
{
    bool result;

    RecorderLock();
    result = ObjectFind(OBJECT_SHARED, pointer) != NULL;
    RecorderUnlock();
    return result;
}

/* Only the beginnings of allocations are known; the rest counts as copied within the device. */
static void describe_shared_copy(OpprofOpenclCommand *command, const void *to, const void *from,
                                 uint64_t bytes, unsigned flags)
{
    const bool to_shared = is_shared(to), from_shared = is_shared(from);

    describe(command,
             from_shared && !to_shared   ? OPPROF_OPENCL_READ
             : to_shared && !from_shared ? OPPROF_OPENCL_WRITE
                                         : OPPROF_OPENCL_COPY,
             bytes, flags);
}

static void describe_shared_free(OpprofOpenclCommand *command, cl_uint count, void **list)
{
    for (cl_uint i = 0; list != NULL && i < count; i++) {
        SharedForget(list[i]);
    }
    describe(command, OPPROF_OPENCL_FREE, UNKNOWN, 0);
}

/* ---- around the driver's function ---- */

void EnqueueBegin(Enqueue *enqueue, cl_command_queue queue, cl_event *event)
{
    QueueFacts facts;
    int *depth = CallDepth();

    enqueue->own = NULL;
    enqueue->target = event;
    enqueue->is_on = *depth == 0 && RecorderIsOn() && QueueFactsOf(queue, &facts);
    if (!enqueue->is_on) {
        return;
    }
    (*depth)++;
    enqueue->is_shared = event != NULL;
    enqueue->is_unordered = facts.is_unordered;
    enqueue->has_times = facts.has_times;
    if (event == NULL) {
        enqueue->target = &enqueue->own;
    }
    enqueue->command =
        (OpprofOpenclCommand){ .id = NextNumber(),
                               .queue = facts.id,
                               .thread = ThreadNumber(),
                               .flags = facts.has_times ? 0 : OPPROF_OPENCL_NO_TIMES };
}

/* With the lock. What the command waits for on other queues, or on one without order. */
static void put_waits(const Enqueue *enqueue)
{
    for (cl_uint i = 0; enqueue->waits != NULL && i < enqueue->wait_count; i++) {
        const Object *event = ObjectFind(OBJECT_EVENT, enqueue->waits[i]);

        if (event != NULL && (event->id != enqueue->command.queue || enqueue->is_unordered)) {
            OpprofOpenclWait wait = { .id = enqueue->command.id, .source = event->bytes };

            RecorderPut(&wait, OPPROF_OPENCL_WAIT, sizeof wait, NULL, 0);
        }
    }
}

static void add(const Enqueue *enqueue)
{
    const Pending pending = { .command = enqueue->command,
                              .event = *enqueue->target,
                              .is_shared = enqueue->is_shared,
                              .is_unordered = enqueue->is_unordered };
    bool is_added;

    if (enqueue->is_shared) {
        below->clRetainEvent(pending.event);
    }
    RecorderLock();
    if (enqueue->is_shared) {
        Object *event = ObjectAdd(OBJECT_EVENT, pending.event);

        if (event != NULL) {
            event->bytes = enqueue->command.id;
            event->id = enqueue->command.queue;
            event->hold = HOLD_ONE;
        }
    }
    put_waits(enqueue);
    is_added = PendingAdd(&pending);
    RecorderUnlock();
    if (!is_added) {
        below->clReleaseEvent(pending.event);
    }
}

void EnqueueEnd(Enqueue *enqueue, cl_int error)
{
    OpprofOpenclCommand *command = &enqueue->command;

    if (!enqueue->is_on) {
        return;
    }
    command->returned = Now();
    RecorderLock();
    command->function = RecorderName(enqueue->function);
    if (error != CL_SUCCESS || *enqueue->target == NULL) {
        OpprofOpenclCall call = { .id = command->id,
                                  .called = command->called,
                                  .returned = command->returned,
                                  .function = command->function,
                                  .thread = command->thread,
                                  .error = error };

        RecorderPut(&call, OPPROF_OPENCL_CALL, sizeof call, NULL, 0);
    }
    RecorderUnlock();
    if (error == CL_SUCCESS && *enqueue->target != NULL) {
        add(enqueue);
    }
    HelperWake();
    (*CallDepth())--;
    if (HelperIsEnding() && (command->flags & OPPROF_OPENCL_BLOCKING) != 0) {
        HelperDoNow();
    }
}

#define BARE(...) __VA_ARGS__

/* A hook for each. `code` describes the command before the driver is called, since what it looks at
 * may be gone afterwards. */
#define COMMAND(name, parameters, arguments, code)                                                 \
    static cl_int CL_API_CALL hook_##name(BARE parameters, cl_uint count_, const cl_event *waits,  \
                                          cl_event *event)                                         \
    {                                                                                              \
        Enqueue enqueue = { .function = #name, .waits = waits, .wait_count = count_ };             \
        OpprofOpenclCommand *command = &enqueue.command;                                           \
        cl_int error;                                                                              \
                                                                                                   \
        EnqueueBegin(&enqueue, queue, event);                                                      \
        if (enqueue.is_on) {                                                                       \
            code;                                                                                  \
            command->called = Now();                                                               \
        }                                                                                          \
        error = below->name(BARE arguments, count_, waits, enqueue.target);                        \
        EnqueueEnd(&enqueue, error);                                                               \
        return error;                                                                              \
    }
#include "inject/opencl/commands.inc"
#undef COMMAND

/* ---- functions of other forms ---- */

static void *CL_API_CALL hook_clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer,
                                                 cl_bool blocking, cl_map_flags flags,
                                                 size_t offset, size_t size, cl_uint count,
                                                 const cl_event *waits, cl_event *event,
                                                 cl_int *ret_error)
{
    Enqueue enqueue = { .function = "clEnqueueMapBuffer", .waits = waits, .wait_count = count };
    cl_int error = CL_SUCCESS;
    void *pointer;

    EnqueueBegin(&enqueue, queue, event);
    if (enqueue.is_on) {
        describe_map(&enqueue.command, flags, size, BLOCKS(blocking));
        enqueue.command.called = Now();
    }
    pointer = below->clEnqueueMapBuffer(queue, buffer, blocking, flags, offset, size, count, waits,
                                        enqueue.target, &error);
    if (enqueue.is_on && error == CL_SUCCESS) {
        MappedAdd(pointer, size, IS_WRITTEN(flags));
    }
    EnqueueEnd(&enqueue, error);
    if (ret_error != NULL) {
        *ret_error = error;
    }
    return pointer;
}

static void *CL_API_CALL hook_clEnqueueMapImage(cl_command_queue queue, cl_mem image,
                                                cl_bool blocking, cl_map_flags flags,
                                                const size_t *origin, const size_t *region,
                                                size_t *row, size_t *slice, cl_uint count,
                                                const cl_event *waits, cl_event *event,
                                                cl_int *ret_error)
{
    Enqueue enqueue = { .function = "clEnqueueMapImage", .waits = waits, .wait_count = count };
    cl_int error = CL_SUCCESS;
    uint64_t bytes = UNKNOWN;
    void *pointer;

    EnqueueBegin(&enqueue, queue, event);
    if (enqueue.is_on) {
        bytes = ImageBytes(image, region);
        describe_map(&enqueue.command, flags, bytes, BLOCKS(blocking));
        enqueue.command.called = Now();
    }
    pointer = below->clEnqueueMapImage(queue, image, blocking, flags, origin, region, row, slice,
                                       count, waits, enqueue.target, &error);
    if (enqueue.is_on && error == CL_SUCCESS) {
        MappedAdd(pointer, bytes, IS_WRITTEN(flags));
    }
    EnqueueEnd(&enqueue, error);
    if (ret_error != NULL) {
        *ret_error = error;
    }
    return pointer;
}

/* Those of OpenCL 1.1: one without a wait list, two without an event. */
static cl_int CL_API_CALL hook_clEnqueueMarker(cl_command_queue queue, cl_event *event)
{
    Enqueue enqueue = { .function = "clEnqueueMarker" };
    cl_int error;

    EnqueueBegin(&enqueue, event == NULL ? NULL : queue, event);
    if (enqueue.is_on) {
        describe(&enqueue.command, OPPROF_OPENCL_MARK, UNKNOWN, 0);
        enqueue.command.called = Now();
    }
    error = below->clEnqueueMarker(queue, enqueue.target);
    EnqueueEnd(&enqueue, error);
    return error;
}

void CommandHooksFill(cl_icd_dispatch *table)
{
#define COMMAND(name, parameters, arguments, code) table->name = hook_##name;
#include "inject/opencl/commands.inc"
#undef COMMAND
    table->clEnqueueMapBuffer = hook_clEnqueueMapBuffer;
    table->clEnqueueMapImage = hook_clEnqueueMapImage;
    table->clEnqueueMarker = hook_clEnqueueMarker;
}
