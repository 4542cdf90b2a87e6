/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs and kernels: where they come from, their sources, their arguments.
 * Tested by tests/plugins/collect-opencl/test_opencl.sh.
 */
#include "inject/opencl/opencl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t last_program, last_kernel; /* with the lock */

/* ---- programs ---- */

static void add_program(cl_program program, OpprofOpenclOrigin origin, const char *source,
                        size_t length)
{
    OpprofOpenclProgram record = { .origin = origin, .source_bytes = length };
    Object *object;

    RecorderLock();
    object = ObjectAdd(OBJECT_PROGRAM, program);
    if (object != NULL) {
        object->id = record.id = ++last_program;
        RecorderPut(&record, OPPROF_OPENCL_PROGRAM, sizeof record, source,
                    length < OPPROF_OPENCL_MOST_SOURCE ? length : OPPROF_OPENCL_MOST_SOURCE);
    }
    RecorderUnlock();
}

static size_t length_of(const char *string, const size_t *lengths, cl_uint i)
{
    return lengths != NULL && lengths[i] != 0 ? lengths[i] : strlen(string);
}

/* The strings of a source one after the other; to be freed. NULL without one, or without memory. */
static char *join(cl_uint count, const char **strings, const size_t *lengths, size_t *ret_size)
{
    size_t size = 0, used = 0;
    char *text;

    for (cl_uint i = 0; i < count; i++) {
        size += length_of(strings[i], lengths, i);
    }
    text = malloc(size + 1);
    for (cl_uint i = 0; text != NULL && i < count; i++) {
        const size_t length = length_of(strings[i], lengths, i);

        memcpy(text + used, strings[i], length);
        used += length;
    }
    *ret_size = text == NULL ? 0 : size;
    return text;
}

static cl_program CL_API_CALL hook_clCreateProgramWithSource(cl_context context, cl_uint count,
                                                             const char **strings,
                                                             const size_t *lengths,
                                                             cl_int *ret_error)
{
    cl_int error = CL_SUCCESS;
    cl_program program;
    Call call;

    CallBegin(&call);
    program = below->clCreateProgramWithSource(context, count, strings, lengths, &error);
    CallEnd(&call, "clCreateProgramWithSource", OPPROF_OPENCL_CALL_OTHER, NULL, error);
    if (program != NULL && call.is_on) {
        size_t size;
        char *text = join(count, strings, lengths, &size);

        add_program(program, OPPROF_OPENCL_SOURCE, text, size);
        free(text);
    }
    if (ret_error != NULL) {
        *ret_error = error;
    }
    return program;
}

/* The other ways to make one. */
#define PROGRAM(name, origin, parameters, arguments)                                               \
    static cl_program CL_API_CALL hook_##name parameters                                           \
    {                                                                                              \
        cl_int error = CL_SUCCESS;                                                                 \
        cl_program program;                                                                        \
        Call call;                                                                                 \
                                                                                                   \
        CallBegin(&call);                                                                          \
        program = below->name arguments;                                                           \
        CallEnd(&call, #name, OPPROF_OPENCL_CALL_OTHER, NULL, error);                              \
        if (program != NULL && call.is_on) {                                                       \
            add_program(program, origin, NULL, 0);                                                 \
        }                                                                                          \
        if (ret_error != NULL) {                                                                   \
            *ret_error = error;                                                                    \
        }                                                                                          \
        return program;                                                                            \
    }

PROGRAM(clCreateProgramWithBinary, OPPROF_OPENCL_BINARY,
        (cl_context context, cl_uint count, const cl_device_id *devices, const size_t *lengths,
         const unsigned char **binaries, cl_int *status, cl_int *ret_error),
        (context, count, devices, lengths, binaries, status, &error))
PROGRAM(clCreateProgramWithIL, OPPROF_OPENCL_IL,
        (cl_context context, const void *code, size_t length, cl_int *ret_error),
        (context, code, length, &error))
PROGRAM(clCreateProgramWithBuiltInKernels, OPPROF_OPENCL_BUILT_IN,
        (cl_context context, cl_uint count, const cl_device_id *devices, const char *names,
         cl_int *ret_error),
        (context, count, devices, names, &error))

/* ---- kernels ---- */

static uint64_t group_info(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what)
{
    cl_ulong value = 0; /* of some, a size_t */

    return below->clGetKernelWorkGroupInfo(kernel, device, what, sizeof value, &value, NULL) ==
                   CL_SUCCESS
               ? value
               : OPPROF_OPENCL_UNKNOWN;
}

static cl_device_id first_device(cl_program program)
{
    cl_device_id devices[64] = { NULL };

    below->clGetProgramInfo(program, CL_PROGRAM_DEVICES, sizeof devices, devices, NULL);
    return devices[0];
}

static void add_kernel(cl_kernel kernel)
{
    OpprofOpenclKernel record = { .id = 0 };
    KernelFacts *facts = calloc(1, sizeof *facts);
    char name[OPPROF_LIVE_MOST_NAME + 1] = "";
    cl_program program = NULL;
    cl_device_id device;
    Object *object;

    below->clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
    name[sizeof name - 1] = '\0';
    below->clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof record.arguments, &record.arguments,
                           NULL);
    below->clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof program, &program, NULL);
    device = first_device(program);
    record.local_bytes = group_info(kernel, device, CL_KERNEL_LOCAL_MEM_SIZE);
    record.private_bytes = group_info(kernel, device, CL_KERNEL_PRIVATE_MEM_SIZE);
    record.group_size = group_info(kernel, device, CL_KERNEL_WORK_GROUP_SIZE);
    RecorderLock();
    object = facts == NULL ? NULL : ObjectFind(OBJECT_PROGRAM, program);
    record.program = object == NULL ? 0 : object->id;
    object = facts == NULL ? NULL : ObjectAdd(OBJECT_KERNEL, kernel);
    if (object == NULL) {
        free(facts);
    } else {
        facts->name = record.name = RecorderName(name);
        facts->id = record.id = ++last_kernel;
        snprintf(facts->text, sizeof facts->text, "%.*s", (int) sizeof facts->text - 1, name);
        object->more = facts;
        RecorderPut(&record, OPPROF_OPENCL_KERNEL, sizeof record, NULL, 0);
    }
    RecorderUnlock();
}

const char *KernelName(cl_kernel kernel)
{
    const Object *object = ObjectFind(OBJECT_KERNEL, kernel);

    return object == NULL ? "?" : ((const KernelFacts *) object->more)->text;
}

uint32_t KernelPut(const char *name)
{
    OpprofOpenclKernel record = { .id = last_kernel + 1,
                                  .name = RecorderName(name),
                                  .local_bytes = OPPROF_OPENCL_UNKNOWN,
                                  .private_bytes = OPPROF_OPENCL_UNKNOWN,
                                  .group_size = OPPROF_OPENCL_UNKNOWN };

    last_kernel++;
    RecorderPut(&record, OPPROF_OPENCL_KERNEL, sizeof record, NULL, 0);
    return record.id;
}

static cl_kernel CL_API_CALL hook_clCreateKernel(cl_program program, const char *name,
                                                 cl_int *ret_error)
{
    cl_int error = CL_SUCCESS;
    cl_kernel kernel;
    Call call;

    CallBegin(&call);
    kernel = below->clCreateKernel(program, name, &error);
    CallEnd(&call, "clCreateKernel", OPPROF_OPENCL_CALL_OTHER, NULL, error);
    if (kernel != NULL && call.is_on) {
        add_kernel(kernel);
    }
    if (ret_error != NULL) {
        *ret_error = error;
    }
    return kernel;
}

static cl_int CL_API_CALL hook_clCreateKernelsInProgram(cl_program program, cl_uint count,
                                                        cl_kernel *kernels, cl_uint *ret_count)
{
    cl_uint made = 0;
    cl_int error;
    Call call;

    CallBegin(&call);
    error = below->clCreateKernelsInProgram(program, count, kernels, &made);
    CallEnd(&call, "clCreateKernelsInProgram", OPPROF_OPENCL_CALL_OTHER, NULL, error);
    for (cl_uint i = 0; call.is_on && error == CL_SUCCESS && kernels != NULL && i < made; i++) {
        add_kernel(kernels[i]);
    }
    if (ret_count != NULL && error == CL_SUCCESS) {
        *ret_count = made;
    }
    return error;
}

static cl_kernel CL_API_CALL hook_clCloneKernel(cl_kernel source, cl_int *ret_error)
{
    cl_int error = CL_SUCCESS;
    cl_kernel kernel = below->clCloneKernel(source, &error);

    if (kernel != NULL && *CallDepth() == 0 && RecorderIsOn()) {
        const Object *from;
        Object *to;

        add_kernel(kernel);
        RecorderLock();
        from = ObjectFind(OBJECT_KERNEL, source);
        to = ObjectFind(OBJECT_KERNEL, kernel);
        if (from != NULL && to != NULL) { /* a copy has the arguments as well */
            const KernelFacts *before = from->more;
            KernelFacts *facts = to->more;

            memcpy(facts->sizes, before->sizes, sizeof facts->sizes);
            facts->locals = before->locals;
        }
        RecorderUnlock();
    }
    if (ret_error != NULL) {
        *ret_error = error;
    }
    return kernel;
}

/* ---- arguments ---- */

static void note_argument(cl_kernel kernel, cl_uint number, size_t size, bool is_local)
{
    Object *object;

    RecorderLock();
    object = ObjectFind(OBJECT_KERNEL, kernel);
    if (object != NULL && number < MOST_ARGUMENTS) {
        KernelFacts *facts = object->more;

        facts->sizes[number] = (uint32_t) size;
        facts->locals &= ~(UINT64_C(1) << number);
        facts->locals |= (uint64_t) is_local << number;
    }
    RecorderUnlock();
}

static cl_int CL_API_CALL hook_clSetKernelArg(cl_kernel kernel, cl_uint number, size_t size,
                                              const void *value)
{
    const cl_int error = below->clSetKernelArg(kernel, number, size, value);

    if (error == CL_SUCCESS && LinkIsWanted()) {
        /* A pointer argument may also have no value; then its size is that of a pointer. */
        note_argument(kernel, number, size, value == NULL && size != sizeof(cl_mem));
    }
    return error;
}

static cl_int CL_API_CALL hook_clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint number,
                                                        const void *value)
{
    const cl_int error = below->clSetKernelArgSVMPointer(kernel, number, value);

    if (error == CL_SUCCESS && LinkIsWanted()) {
        note_argument(kernel, number, sizeof(void *), false);
    }
    return error;
}

static bool describe_known(cl_kernel kernel, OpprofOpenclCommand *command)
{
    const Object *object;

    RecorderLock();
    object = ObjectFind(OBJECT_KERNEL, kernel);
    if (object != NULL) {
        const KernelFacts *facts = object->more;

        command->kernel = facts->id;
        for (cl_uint i = 0; i < MOST_ARGUMENTS; i++) {
            if ((facts->locals >> i & 1) != 0) {
                command->local_bytes += facts->sizes[i];
            } else {
                command->argument_bytes += facts->sizes[i];
            }
        }
    }
    RecorderUnlock();
    return object != NULL;
}

void KernelDescribe(cl_kernel kernel, OpprofOpenclCommand *command)
{
    /* It may have been made in a way that this layer does not see. */
    if (!describe_known(kernel, command) && kernel != NULL) {
        add_kernel(kernel);
        describe_known(kernel, command);
    }
}

void KernelHooksFill(cl_icd_dispatch *table)
{
    table->clCreateProgramWithSource = hook_clCreateProgramWithSource;
    table->clCreateProgramWithBinary = hook_clCreateProgramWithBinary;
    table->clCreateProgramWithIL = hook_clCreateProgramWithIL;
    table->clCreateProgramWithBuiltInKernels = hook_clCreateProgramWithBuiltInKernels;
    table->clCreateKernel = hook_clCreateKernel;
    table->clCreateKernelsInProgram = hook_clCreateKernelsInProgram;
    table->clCloneKernel = hook_clCloneKernel;
    table->clSetKernelArg = hook_clSetKernelArg;
    table->clSetKernelArgSVMPointer = hook_clSetKernelArgSVMPointer;
}

static void forget(void)
{
    last_program = last_kernel = 0;
}
ON_FORK(forget)
