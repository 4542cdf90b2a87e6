/* SPDX-License-Identifier: Apache-2.0 */
#ifndef INJECT_OPENCL_OPENCL_H
#define INJECT_OPENCL_OPENCL_H

/*
 * Parts of the OpenCL layer. No function of the driver is called with the recorder's lock held: the
 * driver may hold locks of its own when it calls functions of the program, which call this layer.
 */

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include "inject/link/link.h"
#include <CL/cl_layer.h>
#include <CL/cl_ext.h>
#include <opprof/kit/live_opencl.h>
#include <stdatomic.h>

/* ---- layer.c ---- */

/* The functions below this layer. Set once, by the loader, before any is called. */
extern const cl_icd_dispatch *below;

/* ---- objects.c: what is known of the program's objects; with the recorder's lock ---- */

typedef enum ObjectKind {
    OBJECT_DEVICE = 1, /* id: its number */
    OBJECT_CONTEXT,    /* id: number of its first device */
    OBJECT_QUEUE,      /* more: QueueFacts */
    OBJECT_EVENT,      /* bytes: number of its command; id: of the queue; hold */
    OBJECT_PROGRAM,    /* id: its number */
    OBJECT_KERNEL,     /* more: KernelFacts */
    OBJECT_BUFFER,     /* a command buffer; more: its facts */
    OBJECT_SHARED,     /* of shared virtual memory; bytes; id: of the device */
    OBJECT_MAPPED      /* a mapped region; bytes; id: 1 if it is written to */
} ObjectKind;

/* What this library has of an event of the program: a reference, or one that it is giving back. */
typedef enum ObjectHold { HOLD_NONE = 0, HOLD_ONE, HOLD_ENDS } ObjectHold;

typedef struct Object {
    uintptr_t key; /* 0: free */
    uint8_t kind;
    uint8_t hold; /* ObjectHold */
    uint32_t id;
    uint64_t bytes;
    void *more; /* owned */
} Object;

/* NULL: unknown. Valid until something is added or forgotten. */
Object *ObjectFind(ObjectKind kind, const void *handle);
/* Emptied if it was known, since drivers use handles again. NULL without memory. */
Object *ObjectAdd(ObjectKind kind, const void *handle);
void ObjectForget(ObjectKind kind, const void *handle);

/* ---- recorder.c: the way to the collector ---- */

/* Nanoseconds of CLOCK_MONOTONIC_RAW, which no adjustment changes. */
uint64_t Now(void);
/* The calling thread, as the system calls it. */
uint32_t ThreadNumber(void);
/* A number of a call or command. */
uint64_t NextNumber(void);

/* Whether calls are recorded: there is a collector. Cheap. */
bool RecorderIsOn(void);
/* Guards objects, records and commands that wait. */
extern pthread_mutex_t recorder_lock;
void RecorderLock(void);
void RecorderUnlock(void);
/* With the lock: a record, and a text after it (its head's size is set). */
void RecorderPut(void *record, uint16_t kind, size_t size, const char *text, size_t length);
/* With the lock: number of a text, which is sent when it is new; 0 without memory. */
uint32_t RecorderName(const char *text);
/* Send what is recorded. Without the lock. */
void RecorderSend(void);
/* With the lock: bytes that wait to be sent. */
size_t RecorderBytes(void);
/* With the lock: records for which there was no memory. */
uint64_t RecorderLost(void);
/* Whether this process has a connection. */
bool RecorderHasOpened(void);

/* ---- pending.c: commands that are not complete ---- */

/* A command and the event that says when it is complete: this library's own reference. */
typedef struct Pending {
    OpprofOpenclCommand command;
    cl_event event;
    bool is_shared; /* the program has the event as well */
    bool is_unordered;
} Pending;

/* With the lock. False without memory: the event is the caller's still. */
bool PendingAdd(const Pending *pending);
/* With the lock: whether commands wait. */
bool PendingHasAny(void);
/* Record those that are complete, and release their events. Without the lock. */
void PendingHarvest(void);
/* Record the others as unfinished. The driver is not asked any more. */
void PendingGiveUp(void);

/* ---- helper.c ---- */

/* Wake the helper, or start it. Without the lock. */
void HelperWake(void);
/* Do its work in this thread. Without the lock. */
void HelperDoNow(void);
/* The helper has ended, and every call that waits does its work. */
bool HelperIsEnding(void);
/* At the first use of the layer, after the drivers were loaded: be called before they end. */
void HelperEndAtExit(void);
/* The last of all. */
void HelperEnd(void);

/* ---- hooks_commands.c ---- */

/* A function by which a command is enqueued, while it runs. */
typedef struct Enqueue {
    OpprofOpenclCommand command;
    cl_event own;
    cl_event *target; /* where the driver puts the event */
    const char *function;
    cl_command_queue queue;
    cl_uint wait_count;
    const cl_event *waits;
    bool is_on;
    bool is_shared;
    bool is_unordered;
    bool has_times;
} Enqueue;

/* Before the driver is called. `event`: the program's. */
void EnqueueBegin(Enqueue *enqueue, cl_command_queue queue, cl_event *event);
/* After it. */
void EnqueueEnd(Enqueue *enqueue, cl_int error);
void CommandHooksFill(cl_icd_dispatch *table);

/* ---- hooks_queues.c ---- */

typedef struct QueueFacts {
    uint32_t id;
    bool has_asked; /* the program asked for profiling */
    bool has_times; /* profiling is on */
    bool is_unordered;
    size_t count; /* of them, with the 0 */
    cl_queue_properties array[16];
} QueueFacts;

/* A copy of what is known of a queue; one that was not seen is looked at. */
bool QueueFactsOf(cl_command_queue queue, QueueFacts *ret_facts);
void QueueHooksFill(cl_icd_dispatch *table);
/* What a program wants of a new queue. */
typedef struct QueueWish {
    cl_context context;
    cl_device_id device;
    const cl_queue_properties *properties;
} QueueWish;

typedef cl_command_queue(CL_API_CALL QueueFunction)(cl_context, cl_device_id,
                                                    const cl_queue_properties *, cl_int *);

/* Make one with profiling, by a function that is called so; without, if that is refused. */
cl_command_queue QueueCreate(QueueFunction *function, const char *name, const QueueWish *wish,
                             cl_int *ret_error);

/* ---- extensions.c ---- */

/* What a program gets instead of a function of an extension; often the function itself. */
void *ExtensionReplace(const char *name, void *function);

/* ---- hooks_calls.c ---- */

/* A call that enqueues nothing, while it runs. */
typedef struct Call {
    uint64_t called;
    int *depth;
    bool is_on;
} Call;

void CallBegin(Call *call);
void CallEnd(const Call *call, const char *function, OpprofOpenclCallKind kind,
             cl_command_queue queue, cl_int error);
void CallHooksFill(cl_icd_dispatch *table);

/* ---- devices.c ---- */

/* Number of a device, which is sent when it is new. Without the lock. */
uint32_t DeviceNumber(cl_device_id device);
/* Number of the first device of a context. Without the lock. */
uint32_t ContextDevice(cl_context context);
void DeviceHooksFill(cl_icd_dispatch *table);

/* ---- hooks_kernels.c ---- */

#define MOST_ARGUMENTS 64u
#define MOST_KERNEL_NAME 128u /* longer ones are cut where they are listed */

typedef struct KernelFacts {
    uint32_t id;
    uint32_t name;
    char text[MOST_KERNEL_NAME];
    uint32_t sizes[MOST_ARGUMENTS];
    uint64_t locals; /* a bit for each argument that is local memory */
} KernelFacts;

/* With the lock: name of a kernel; "?": unknown. Borrowed until a kernel is made. */
const char *KernelName(cl_kernel kernel);
/* With the lock: number of something that is listed among the kernels under a name. */
uint32_t KernelPut(const char *name);
/* The command runs this kernel. */
void KernelDescribe(cl_kernel kernel, OpprofOpenclCommand *command);
void KernelHooksFill(cl_icd_dispatch *table);

/* ---- hooks_memory.c ---- */

void MemoryHooksFill(cl_icd_dispatch *table);
/* Bytes of a region of an image. */
uint64_t ImageBytes(cl_mem image, const size_t *region);
/* A region was mapped; what is known of it when it is unmapped. */
void MappedAdd(const void *pointer, uint64_t bytes, bool is_written);
bool MappedTake(const void *pointer, uint64_t *ret_bytes, bool *ret_is_written);
void SharedForget(const void *pointer);

#endif
