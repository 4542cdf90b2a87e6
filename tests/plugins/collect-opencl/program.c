/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs of OpenCL for test_opencl.sh: each does one thing, and says what it saw.
 *
 *   program all          every kind of command; a line with the times of each, as the driver says
 *   program asks         what a program can ask about its queues and events
 *   program unfinished   ends with commands that wait for an event of the user
 *   program many N       N launches, on two threads with a queue each
 *   program forks        a parent and a child, each with a launch; the child begins anew
 *   program silent       ends by _exit
 *   program late         a launch and clFinish in an exit handler
 *   program fails        a call that fails
 *   program buffers      a command buffer of two kernels, enqueued three times
 */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define COUNT 1024u

static const char *const source =
    "__kernel void add_one(__global int *values, __local int *room, int value)\n"
    "{\n"
    "    room[get_local_id(0)] = value;\n"
    "    values[get_global_id(0)] += room[get_local_id(0)];\n"
    "}\n"
    "__kernel void twice(__global int *values)\n"
    "{\n"
    "    values[get_global_id(0)] *= 2;\n"
    "}\n";

static cl_platform_id platform;
static cl_device_id device;
static cl_context context;
static cl_program program;
static cl_kernel add_one, twice;
static cl_mem buffer, other;

static void check(cl_int error, const char *what)
{
    if (error != CL_SUCCESS) {
        fprintf(stderr, "%s: %d\n", what, error);
        exit(9);
    }
}

static void prepare(void)
{
    const int value = 1;
    cl_int error;

    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    check(error, "clCreateContext");
    program =
        clCreateProgramWithSource(context, 1, (const char **) (uintptr_t) &source, NULL, &error);
    check(error, "clCreateProgramWithSource");
    check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
    add_one = clCreateKernel(program, "add_one", &error);
    check(error, "clCreateKernel");
    twice = clCreateKernel(program, "twice", &error);
    check(error, "clCreateKernel");
    buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, COUNT * sizeof(int), NULL, &error);
    check(error, "clCreateBuffer");
    other = clCreateBuffer(context, CL_MEM_READ_WRITE, COUNT * sizeof(int), NULL, &error);
    check(error, "clCreateBuffer");
    check(clSetKernelArg(add_one, 0, sizeof buffer, &buffer), "clSetKernelArg");
    check(clSetKernelArg(add_one, 1, 64 * sizeof(int), NULL), "clSetKernelArg");
    check(clSetKernelArg(add_one, 2, sizeof value, &value), "clSetKernelArg");
    check(clSetKernelArg(twice, 0, sizeof buffer, &buffer), "clSetKernelArg");
}

static cl_command_queue make_queue(cl_command_queue_properties properties)
{
    const cl_queue_properties list[] = { CL_QUEUE_PROPERTIES, properties, 0 };
    cl_int error;
    cl_command_queue queue =
        clCreateCommandQueueWithProperties(context, device, properties == 0 ? NULL : list, &error);

    check(error, "clCreateCommandQueueWithProperties");
    return queue;
}

/* ---- all ---- */

/* "NAME QUEUED SUBMITTED STARTED ENDED" */
static void show(const char *name, cl_event event)
{
    cl_ulong times[4];

    check(clWaitForEvents(1, &event), "clWaitForEvents");
    for (cl_uint i = 0; i < 4; i++) {
        check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED + i, sizeof times[i],
                                      &times[i], NULL),
              name);
    }
    printf("%s %llu %llu %llu %llu\n", name, (unsigned long long) times[0],
           (unsigned long long) times[1], (unsigned long long) times[2],
           (unsigned long long) times[3]);
    clReleaseEvent(event);
}

static void CL_CALLBACK native(void *argument)
{
    (void) argument;
}

static void do_buffers(cl_command_queue queue, int *values)
{
    const size_t origin[3] = { 0, 0, 0 }, region[3] = { 64, 4, 1 }, image[3] = { 8, 8, 1 };
    const cl_image_format format = { CL_RGBA, CL_FLOAT };
    const cl_image_desc description = { .image_type = CL_MEM_OBJECT_IMAGE2D,
                                        .image_width = 8,
                                        .image_height = 8 };
    const int zero = 0;
    cl_event event;
    cl_int error;
    void *mapped;

    check(clEnqueueFillBuffer(queue, buffer, &zero, sizeof zero, 0, 4096, 0, NULL, &event), "fill");
    show("clEnqueueFillBuffer", event);
    check(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 4096, values, 0, NULL, &event), "write");
    show("clEnqueueWriteBuffer", event);
    check(clEnqueueCopyBuffer(queue, buffer, other, 0, 0, 2048, 0, NULL, &event), "copy");
    show("clEnqueueCopyBuffer", event);
    check(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, 1024, values, 0, NULL, &event), "read");
    show("clEnqueueReadBuffer", event);
    check(clEnqueueReadBufferRect(queue, buffer, CL_TRUE, origin, origin, region, 64, 256, 64, 256,
                                  values, 0, NULL, &event),
          "rectangle");
    show("clEnqueueReadBufferRect", event);
    mapped = clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, 512, 0, NULL,
                                &event, &error);
    check(error, "map");
    show("clEnqueueMapBuffer", event);
    check(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, &event), "unmap");
    show("clEnqueueUnmapMemObject", event);
    check(clEnqueueMigrateMemObjects(queue, 1, &buffer, 0, 0, NULL, &event), "migrate");
    show("clEnqueueMigrateMemObjects", event);
    cl_mem picture = clCreateImage(context, CL_MEM_READ_WRITE, &format, &description, NULL, &error);

    check(error, "clCreateImage");
    check(clEnqueueReadImage(queue, picture, CL_TRUE, origin, image, 0, 0, values, 0, NULL, &event),
          "image");
    show("clEnqueueReadImage", event);
    clReleaseMemObject(picture);
}

static void do_shared(cl_command_queue queue, int *values)
{
    const int zero = 0;
    cl_event event;
    int *shared = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0);

    if (shared == NULL) {
        return;
    }
    check(clEnqueueSVMMemFill(queue, shared, &zero, sizeof zero, 4096, 0, NULL, &event), "fill");
    show("clEnqueueSVMMemFill", event);
    check(clEnqueueSVMMemcpy(queue, CL_TRUE, shared, values, 2048, 0, NULL, &event), "copy");
    show("clEnqueueSVMMemcpy", event);
    check(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, shared, 256, 0, NULL, &event), "map");
    show("clEnqueueSVMMap", event);
    check(clEnqueueSVMUnmap(queue, shared, 0, NULL, &event), "unmap");
    show("clEnqueueSVMUnmap", event);
    clSVMFree(context, shared);
}

static void do_all(void)
{
    const size_t global = COUNT, local = 64;
    static int values[COUNT];
    cl_command_queue queue = make_queue(CL_QUEUE_PROFILING_ENABLE);
    cl_event event;

    do_buffers(queue, values);
    check(clEnqueueNDRangeKernel(queue, add_one, 1, NULL, &global, &local, 0, NULL, &event), "run");
    show("clEnqueueNDRangeKernel", event);
    check(clEnqueueTask(queue, twice, 0, NULL, &event), "task");
    show("clEnqueueTask", event);
    if (clEnqueueNativeKernel(queue, native, NULL, 0, 0, NULL, NULL, 0, NULL, &event) ==
        CL_SUCCESS) {
        show("clEnqueueNativeKernel", event);
    }
    check(clEnqueueMarkerWithWaitList(queue, 0, NULL, &event), "marker");
    show("clEnqueueMarkerWithWaitList", event);
    check(clEnqueueBarrierWithWaitList(queue, 0, NULL, &event), "barrier");
    show("clEnqueueBarrierWithWaitList", event);
    do_shared(queue, values);
    clReleaseCommandQueue(queue);
}

/* ---- asks ---- */

static void ask(cl_command_queue queue, const char *name)
{
    const int zero = 0;
    cl_command_queue_properties properties;
    cl_queue_properties array[8];
    cl_uint references, least = 100;
    cl_event event;
    cl_ulong time;
    size_t size = 0;
    cl_int error;

    check(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL),
          "properties");
    check(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES_ARRAY, sizeof array, array, &size),
          "array");
    printf("%s: properties %llu, array of %zu bytes", name, (unsigned long long) properties, size);
    for (size_t i = 0; i < size / sizeof array[0]; i++) {
        printf(" %llu", (unsigned long long) array[i]);
    }
    check(clEnqueueFillBuffer(queue, buffer, &zero, sizeof zero, 0, 4096, 0, NULL, &event), "fill");
    check(clFinish(queue), "clFinish");
    for (int i = 0; i < 100; i++) { /* the driver's own come and go */
        check(clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, sizeof references, &references, NULL),
              "references");
        least = references < least ? references : least;
        usleep(100);
    }
    error = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof time, &time, NULL);
    printf("\n  event: %u references; profiling says %d\n", least, error);
    clReleaseEvent(event);
    clReleaseCommandQueue(queue);
}

static void CL_CALLBACK called(cl_event event, cl_int status, void *data)
{
    (void) event;
    (void) status;
    (*(int *) data)++;
}

static void ask_all(void)
{
    const int zero = 0;
    int calls = 0;
    cl_int error;
    cl_event event;
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);

    check(error, "clCreateCommandQueue");
    ask(queue, "of OpenCL 1");
    ask(clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &error),
        "of OpenCL 1, profiled");
    ask(make_queue(0), "without properties");
    ask(make_queue(CL_QUEUE_PROFILING_ENABLE), "profiled");
    ask(make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE), "unordered");
    queue = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    check(clEnqueueFillBuffer(queue, buffer, &zero, sizeof zero, 0, 4096, 0, NULL, &event), "fill");
    check(clSetEventCallback(event, CL_COMPLETE, called, &calls), "callback");
    clReleaseEvent(event); /* early */
    check(clEnqueueFillBuffer(queue, buffer, &zero, sizeof zero, 0, 4096, 0, NULL, NULL), "fill");
    check(clFinish(queue), "clFinish");
    for (int i = 0; i < 10000 && *(volatile int *) &calls == 0; i++) {
        usleep(1000);
    }
    printf("callbacks: %d\n", calls);
    printf("no queue: %d\n", clFinish(NULL));
    clReleaseCommandQueue(queue);
}

/* ---- others ---- */

static void leave_unfinished(void)
{
    const size_t global = COUNT;
    cl_int error;
    cl_event event = clCreateUserEvent(context, &error);
    cl_command_queue queue = make_queue(0);

    check(error, "clCreateUserEvent");
    check(clEnqueueNDRangeKernel(queue, twice, 1, NULL, &global, NULL, 0, NULL, NULL), "run");
    check(clFinish(queue), "clFinish");
    for (int i = 0; i < 2; i++) {
        check(clEnqueueNDRangeKernel(queue, add_one, 1, NULL, &global, NULL, 1, &event, NULL),
              "run");
    }
    check(clEnqueueCopyBuffer(queue, buffer, other, 0, 0, 2048, 0, NULL, NULL), "copy");
    check(clFlush(queue), "clFlush");
    printf("ends\n");
    fflush(stdout);
}

static int number;

static void *launch_many(void *unused)
{
    const size_t global = 1;
    cl_command_queue queue = make_queue(0);
    cl_int error;
    cl_kernel kernel = clCreateKernel(program, "twice", &error);

    (void) unused;
    check(error, "clCreateKernel");
    check(clSetKernelArg(kernel, 0, sizeof other, &other), "clSetKernelArg");
    for (int i = 0; i < number; i++) {
        check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &global, 0, NULL, NULL),
              "run");
        if (i % 1000 == 999) {
            check(clFinish(queue), "clFinish");
        }
    }
    check(clFinish(queue), "clFinish");
    clReleaseKernel(kernel);
    clReleaseCommandQueue(queue);
    return NULL;
}

static void do_many(void)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, launch_many, NULL) != 0) {
        exit(9);
    }
    launch_many(NULL);
    pthread_join(thread, NULL);
    printf("%d\n", 2 * number);
}

static void launch_once(void)
{
    const size_t global = COUNT;
    cl_command_queue queue = make_queue(0);

    check(clEnqueueNDRangeKernel(queue, twice, 1, NULL, &global, NULL, 0, NULL, NULL), "run");
    check(clFinish(queue), "clFinish");
    clReleaseCommandQueue(queue);
}

static void launch_late(void)
{
    launch_once();
    printf("late\n");
}

static void run_buffers(void)
{
    const size_t global = COUNT, local = 64;
    cl_command_queue queue = make_queue(0);
    clCreateCommandBufferKHR_fn create;
    clCommandNDRangeKernelKHR_fn add;
    clFinalizeCommandBufferKHR_fn finalize;
    clEnqueueCommandBufferKHR_fn enqueue;
    cl_int error;

#define FIND(to, name)                                                                             \
    do {                                                                                           \
        void *function = clGetExtensionFunctionAddressForPlatform(platform, name);                 \
        memcpy(&(to), &function, sizeof function);                                                 \
    } while (0)
    FIND(create, "clCreateCommandBufferKHR");
    FIND(add, "clCommandNDRangeKernelKHR");
    FIND(finalize, "clFinalizeCommandBufferKHR");
    FIND(enqueue, "clEnqueueCommandBufferKHR");
    if (create == NULL || add == NULL || finalize == NULL || enqueue == NULL) {
        exit(77);
    }
    cl_command_buffer_khr commands = create(1, &queue, NULL, &error);

    check(error, "create");
    check(add(commands, NULL, NULL, add_one, 1, NULL, &global, &local, 0, NULL, NULL, NULL), "add");
    check(add(commands, NULL, NULL, twice, 1, NULL, &global, NULL, 0, NULL, NULL, NULL), "add");
    check(finalize(commands), "finalize");
    for (int i = 0; i < 3; i++) {
        check(enqueue(0, NULL, commands, 0, NULL, NULL), "enqueue");
        check(clFinish(queue), "clFinish");
    }
    printf("buffers\n");
}

int main(int count, char **words)
{
    const char *what = count > 1 ? words[1] : "all";

    if (strcmp(what, "late") == 0) {
        atexit(launch_late);
    }
    if (strcmp(what, "forks") == 0) {
        const pid_t child = fork();
        int status = 0;

        prepare();
        launch_once();
        if (child > 0) {
            waitpid(child, &status, 0);
            printf("child: %d\n", status);
        }
        return 0;
    }
    prepare();
    number = count > 2 ? atoi(words[2]) : 1;
    if (strcmp(what, "all") == 0) {
        do_all();
    } else if (strcmp(what, "asks") == 0) {
        ask_all();
    } else if (strcmp(what, "unfinished") == 0) {
        leave_unfinished();
    } else if (strcmp(what, "many") == 0) {
        do_many();
    } else if (strcmp(what, "late") == 0) {
        launch_once(); /* compilers are of no use any more when exit handlers run */
    } else if (strcmp(what, "silent") == 0) {
        launch_once();
        printf("silent\n");
        fflush(stdout);
        _exit(3);
    } else if (strcmp(what, "buffers") == 0) {
        run_buffers();
    } else if (strcmp(what, "fails") == 0) {
        launch_once();
        printf("%d\n",
               clEnqueueCopyBuffer(make_queue(0), buffer, other, 0, 0, 1u << 30, 0, NULL, NULL));
    }
    return 0;
}
