/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A driver of OpenCL 1.2 that runs nothing, and misbehaves as DRIVER_DOES says, a list of words:
 *
 *   drifts   its clock gains a hundredth
 *   refuses  no queue has profiling
 *   reorders every second command takes longer than those after it
 *   fails    every third command ends with an error
 *
 * It writes when each command was started by the host's clock into the file DRIVER_TRUTH, as
 * "QUEUED HOST" with the device's time first. What it does not have crashes who calls it.
 */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl_icd.h>
#include <CL/cl_ext.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct Object {
    const cl_icd_dispatch *functions; /* where the loader looks for it */
    atomic_int references;
    cl_command_queue_properties properties; /* of a queue */
    struct Object *queue;                   /* of an event */
    uint64_t queued;                        /* device time */
    uint64_t takes;                         /* from its start to its end */
    uint64_t ends;                          /* host time */
    int status;                             /* after that */
    void(CL_CALLBACK *freed)(cl_mem, void *);
    void *data;
} Object;

static cl_icd_dispatch functions;
static Object platform, device, context, program, kernel;
static atomic_uint commands;
static FILE *truth;

static bool does(const char *word)
{
    const char *words = getenv("DRIVER_DOES");

    return words != NULL && strstr(words, word) != NULL;
}

static uint64_t host_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return (uint64_t) now.tv_sec * 1000000000u + (uint64_t) now.tv_nsec;
}

static uint64_t device_time(uint64_t host)
{
    return does("drifts") ? host + host / 100 + 5000000 : host;
}

static cl_int answer(const void *value, size_t bytes, size_t size, void *to, size_t *ret_size)
{
    if (to != NULL && size < bytes) {
        return CL_INVALID_VALUE;
    }
    if (to != NULL) {
        memcpy(to, value, bytes);
    }
    if (ret_size != NULL) {
        *ret_size = bytes;
    }
    return CL_SUCCESS;
}

static cl_int answer_text(const char *text, size_t size, void *to, size_t *ret_size)
{
    return answer(text, strlen(text) + 1, size, to, ret_size);
}

static cl_int answer_number(uint64_t number, size_t size, void *to, size_t *ret_size)
{
    return answer(&number, size < sizeof number && size > 0 ? size : sizeof number, size, to,
                  ret_size);
}

static Object *make(void)
{
    Object *object = calloc(1, sizeof *object);

    object->functions = &functions;
    object->references = 1;
    return object;
}

static cl_int retain(void *object)
{
    ((Object *) object)->references++;
    return CL_SUCCESS;
}

static cl_int release(void *handle)
{
    Object *object = handle;

    if (--object->references == 0) {
        if (object->freed != NULL) {
            object->freed((cl_mem) object, object->data);
        }
        free(object);
    }
    return CL_SUCCESS;
}

static cl_int keep(void *object)
{
    (void) object;
    return CL_SUCCESS;
}

/* ---- platform and device ---- */

static cl_int CL_API_CALL my_clGetPlatformIDs(cl_uint room, cl_platform_id *list, cl_uint *count)
{
    if (list != NULL && room > 0) {
        *list = (cl_platform_id) &platform;
    }
    if (count != NULL) {
        *count = 1;
    }
    return CL_SUCCESS;
}

cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id from, cl_platform_info what, size_t size,
                                     void *value, size_t *ret_size)
{
    (void) from;
    return answer_text(what == CL_PLATFORM_EXTENSIONS       ? "cl_khr_icd"
                       : what == CL_PLATFORM_VERSION        ? "OpenCL 1.2 test"
                       : what == CL_PLATFORM_ICD_SUFFIX_KHR ? "TEST"
                                                            : "test",
                       size, value, ret_size);
}

static cl_int CL_API_CALL my_clGetDeviceIDs(cl_platform_id from, cl_device_type type, cl_uint room,
                                            cl_device_id *list, cl_uint *count)
{
    (void) from;
    (void) type;
    if (list != NULL && room > 0) {
        *list = (cl_device_id) &device;
    }
    if (count != NULL) {
        *count = 1;
    }
    return CL_SUCCESS;
}

static cl_int CL_API_CALL my_clGetDeviceInfo(cl_device_id from, cl_device_info what, size_t size,
                                             void *value, size_t *ret_size)
{
    (void) from;
    if (what == CL_DEVICE_NAME || what == CL_DEVICE_VERSION) {
        return answer_text(what == CL_DEVICE_NAME ? "test device" : "OpenCL 1.2 test", size, value,
                           ret_size);
    }
    return answer_number(what == CL_DEVICE_MAX_COMPUTE_UNITS ? 4 : 0, size, value, ret_size);
}

/* ---- objects ---- */

static cl_context CL_API_CALL my_clCreateContext(
    const cl_context_properties *properties, cl_uint count, const cl_device_id *devices,
    void(CL_CALLBACK *function)(const char *, const void *, size_t, void *), void *data,
    cl_int *error)
{
    (void) properties;
    (void) count;
    (void) devices;
    (void) function;
    (void) data;
    *error = CL_SUCCESS;
    return (cl_context) &context;
}

static cl_int CL_API_CALL my_clGetContextInfo(cl_context from, cl_context_info what, size_t size,
                                              void *value, size_t *ret_size)
{
    const void *list = &device;

    (void) from;
    (void) what;
    return answer(&list, sizeof list, size, value, ret_size);
}

static cl_command_queue CL_API_CALL my_clCreateCommandQueueWithProperties(
    cl_context from, cl_device_id on, const cl_queue_properties *properties, cl_int *error)
{
    const cl_queue_properties wanted = properties == NULL ? 0 : properties[1];
    Object *queue;

    (void) from;
    (void) on;
    if (does("refuses") && (wanted & CL_QUEUE_PROFILING_ENABLE) != 0) {
        *error = CL_INVALID_QUEUE_PROPERTIES;
        return NULL;
    }
    queue = make();
    queue->properties = wanted;
    *error = CL_SUCCESS;
    return (cl_command_queue) queue;
}

static cl_program CL_API_CALL my_clCreateProgramWithSource(cl_context from, cl_uint count,
                                                           const char **strings,
                                                           const size_t *lengths, cl_int *error)
{
    (void) from;
    (void) count;
    (void) strings;
    (void) lengths;
    *error = CL_SUCCESS;
    return (cl_program) &program;
}

static cl_int CL_API_CALL my_clBuildProgram(cl_program what, cl_uint count,
                                            const cl_device_id *devices, const char *options,
                                            void(CL_CALLBACK *function)(cl_program, void *),
                                            void *data)
{
    (void) what;
    (void) count;
    (void) devices;
    (void) options;
    (void) function;
    (void) data;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL my_clGetProgramInfo(cl_program from, cl_program_info what, size_t size,
                                              void *value, size_t *ret_size)
{
    const void *list = &device;

    (void) from;
    (void) what;
    return answer(&list, sizeof list, size, value, ret_size);
}

static cl_kernel CL_API_CALL my_clCreateKernel(cl_program from, const char *name, cl_int *error)
{
    (void) from;
    (void) name;
    *error = CL_SUCCESS;
    return (cl_kernel) &kernel;
}

static cl_int CL_API_CALL my_clGetKernelInfo(cl_kernel from, cl_kernel_info what, size_t size,
                                             void *value, size_t *ret_size)
{
    const void *of = &program;

    (void) from;
    if (what == CL_KERNEL_FUNCTION_NAME) {
        return answer_text("twice", size, value, ret_size);
    }
    return what == CL_KERNEL_PROGRAM ? answer(&of, sizeof of, size, value, ret_size)
                                     : answer_number(1, size, value, ret_size);
}

static cl_int CL_API_CALL my_clGetKernelWorkGroupInfo(cl_kernel from, cl_device_id on,
                                                      cl_kernel_work_group_info what, size_t size,
                                                      void *value, size_t *ret_size)
{
    (void) from;
    (void) on;
    (void) what;
    return answer_number(0, size, value, ret_size);
}

static cl_int CL_API_CALL my_clSetKernelArg(cl_kernel of, cl_uint number, size_t size,
                                            const void *value)
{
    (void) of;
    (void) number;
    (void) size;
    (void) value;
    return CL_SUCCESS;
}

static cl_mem CL_API_CALL my_clCreateBuffer(cl_context in, cl_mem_flags flags, size_t size,
                                            void *pointer, cl_int *error)
{
    (void) in;
    (void) flags;
    (void) size;
    (void) pointer;
    *error = CL_SUCCESS;
    return (cl_mem) make();
}

static cl_int CL_API_CALL my_clGetMemObjectInfo(cl_mem from, cl_mem_info what, size_t size,
                                                void *value, size_t *ret_size)
{
    (void) from;
    (void) what;
    return answer_number(4096, size, value, ret_size);
}

static cl_int CL_API_CALL my_clSetMemObjectDestructorCallback(
    cl_mem of, void(CL_CALLBACK *function)(cl_mem, void *), void *data)
{
    ((Object *) of)->freed = function;
    ((Object *) of)->data = data;
    return CL_SUCCESS;
}

/* ---- commands ---- */

static cl_int CL_API_CALL my_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel what,
                                                    cl_uint dimensions, const size_t *offset,
                                                    const size_t *global, const size_t *local,
                                                    cl_uint count, const cl_event *waits,
                                                    cl_event *ret_event)
{
    const uint64_t now = host_now();
    const unsigned number = atomic_fetch_add(&commands, 1);
    Object *event = make();

    (void) what;
    (void) dimensions;
    (void) offset;
    (void) global;
    (void) local;
    (void) count;
    (void) waits;
    event->queue = (Object *) queue;
    event->queued = device_time(now);
    event->takes = does("reorders") && number % 2 == 0 ? 3000000 : 1000;
    event->ends = now + 2000 + event->takes;
    event->status = does("fails") && number % 3 == 0 ? CL_OUT_OF_RESOURCES : CL_COMPLETE;
    if (truth != NULL) {
        fprintf(truth, "%llu %llu\n", (unsigned long long) event->queued, (unsigned long long) now);
    }
    usleep(50);
    if (ret_event == NULL) {
        release(event);
    } else {
        *ret_event = (cl_event) event;
    }
    return CL_SUCCESS;
}

static cl_int CL_API_CALL my_clGetEventInfo(cl_event from, cl_event_info what, size_t size,
                                            void *value, size_t *ret_size)
{
    const Object *event = (Object *) from;
    const int status = host_now() >= event->ends ? event->status : CL_RUNNING;

    if (what == CL_EVENT_COMMAND_QUEUE) {
        return answer(&event->queue, sizeof event->queue, size, value, ret_size);
    }
    return what == CL_EVENT_REFERENCE_COUNT
               ? answer_number((uint64_t) event->references, size, value, ret_size)
               : answer(&status, sizeof status, size, value, ret_size);
}

static cl_int CL_API_CALL my_clGetEventProfilingInfo(cl_event from, cl_profiling_info what,
                                                     size_t size, void *value, size_t *ret_size)
{
    const Object *event = (Object *) from;
    const uint64_t after[] = { 0, 500, 1000, 1000 + event->takes };

    if ((event->queue->properties & CL_QUEUE_PROFILING_ENABLE) == 0 || event->status < 0) {
        return CL_PROFILING_INFO_NOT_AVAILABLE;
    }
    return answer_number(event->queued + after[what - CL_PROFILING_COMMAND_QUEUED], size, value,
                         ret_size);
}

static cl_int CL_API_CALL my_clFinish(cl_command_queue queue)
{
    (void) queue;
    usleep(5000);
    return CL_SUCCESS;
}

/* ---- the loader's side ---- */

cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint room, cl_platform_id *list, cl_uint *count)
{
    return my_clGetPlatformIDs(room, list, count);
}

void *CL_API_CALL clGetExtensionFunctionAddress(const char *name)
{
    return strcmp(name, "clIcdGetPlatformIDsKHR") == 0 ? (void *) (uintptr_t) clIcdGetPlatformIDsKHR
                                                       : NULL;
}

/* A function whose parameters are all one handle. */
#define OF_ONE(name, function) functions.name = (cl_api_##name)(uintptr_t) (function)

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("DRIVER_TRUTH");

    platform.functions = device.functions = context.functions = &functions;
    program.functions = kernel.functions = &functions;
    truth = path == NULL ? NULL : fopen(path, "w");
    functions.clGetPlatformIDs = my_clGetPlatformIDs;
    functions.clGetPlatformInfo = clGetPlatformInfo;
    functions.clGetDeviceIDs = my_clGetDeviceIDs;
    functions.clGetDeviceInfo = my_clGetDeviceInfo;
    functions.clCreateContext = my_clCreateContext;
    functions.clGetContextInfo = my_clGetContextInfo;
    functions.clCreateCommandQueueWithProperties = my_clCreateCommandQueueWithProperties;
    functions.clCreateProgramWithSource = my_clCreateProgramWithSource;
    functions.clBuildProgram = my_clBuildProgram;
    functions.clGetProgramInfo = my_clGetProgramInfo;
    functions.clCreateKernel = my_clCreateKernel;
    functions.clGetKernelInfo = my_clGetKernelInfo;
    functions.clGetKernelWorkGroupInfo = my_clGetKernelWorkGroupInfo;
    functions.clSetKernelArg = my_clSetKernelArg;
    functions.clCreateBuffer = my_clCreateBuffer;
    functions.clGetMemObjectInfo = my_clGetMemObjectInfo;
    functions.clSetMemObjectDestructorCallback = my_clSetMemObjectDestructorCallback;
    functions.clEnqueueNDRangeKernel = my_clEnqueueNDRangeKernel;
    functions.clGetEventInfo = my_clGetEventInfo;
    functions.clGetEventProfilingInfo = my_clGetEventProfilingInfo;
    functions.clFinish = my_clFinish;
    functions.clGetExtensionFunctionAddress = clGetExtensionFunctionAddress;
    OF_ONE(clRetainEvent, retain);
    OF_ONE(clReleaseEvent, release);
    OF_ONE(clReleaseMemObject, release);
    OF_ONE(clReleaseCommandQueue, keep);
    OF_ONE(clReleaseKernel, keep);
    OF_ONE(clFlush, keep);
}

__attribute__((destructor)) static void end(void)
{
    if (truth != NULL) {
        fclose(truth);
    }
}
