/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory: how much of it lives on each device, and what regions are mapped.
 * Tested by tests/plugins/collect-opencl/test_opencl.sh.
 */
#include "inject/opencl/opencl.h"

#include <stdlib.h>

/* ---- bytes that live ---- */

static void put_memory(uint32_t device, int64_t bytes)
{
    OpprofOpenclMemory record = { .host = Now(), .bytes = bytes, .device = device };

    RecorderLock();
    RecorderPut(&record, OPPROF_OPENCL_MEMORY, sizeof record, NULL, 0);
    RecorderUnlock();
}

typedef struct Allocation {
    int64_t bytes;
    uint32_t device;
} Allocation;

/* The driver calls it when the memory is freed, after its last holder let it go. */
static void CL_CALLBACK is_freed(cl_mem memory, void *data)
{
    const Allocation *allocation = data;

    (void) memory;
    if (RecorderIsOn()) {
        put_memory(allocation->device, -allocation->bytes);
    }
    free(data);
}

static void add_memory(cl_context context, cl_mem memory)
{
    Allocation *allocation = malloc(sizeof *allocation);
    size_t bytes = 0;

    if (allocation == NULL ||
        below->clGetMemObjectInfo(memory, CL_MEM_SIZE, sizeof bytes, &bytes, NULL) != CL_SUCCESS) {
        free(allocation);
        return;
    }
    *allocation = (Allocation){ .bytes = (int64_t) bytes, .device = ContextDevice(context) };
    /* The callback may come at once, as soon as the program has released the memory. */
    put_memory(allocation->device, allocation->bytes);
    if (below->clSetMemObjectDestructorCallback == NULL ||
        below->clSetMemObjectDestructorCallback(memory, is_freed, allocation) != CL_SUCCESS) {
        put_memory(allocation->device, -allocation->bytes); /* its end would never be known */
        free(allocation);
    }
}

/* The functions that make memory. */
#define MEMORY(name, parameters, arguments)                                                        \
    static cl_mem CL_API_CALL hook_##name parameters                                               \
    {                                                                                              \
        cl_int error = CL_SUCCESS;                                                                 \
        cl_mem memory;                                                                             \
        Call call;                                                                                 \
                                                                                                   \
        CallBegin(&call);                                                                          \
        memory = below->name arguments;                                                            \
        CallEnd(&call, #name, OPPROF_OPENCL_CALL_ALLOCATES, NULL, error);                          \
        if (memory != NULL && call.is_on) {                                                        \
            add_memory(context, memory);                                                           \
        }                                                                                          \
        if (ret_error != NULL) {                                                                   \
            *ret_error = error;                                                                    \
        }                                                                                          \
        return memory;                                                                             \
    }

MEMORY(clCreateBuffer,
       (cl_context context, cl_mem_flags flags, size_t size, void *pointer, cl_int *ret_error),
       (context, flags, size, pointer, &error))
MEMORY(clCreateBufferWithProperties,
       (cl_context context, const cl_mem_properties *properties, cl_mem_flags flags, size_t size,
        void *pointer, cl_int *ret_error),
       (context, properties, flags, size, pointer, &error))
MEMORY(clCreateImage,
       (cl_context context, cl_mem_flags flags, const cl_image_format *format,
        const cl_image_desc *image, void *pointer, cl_int *ret_error),
       (context, flags, format, image, pointer, &error))
MEMORY(clCreateImageWithProperties,
       (cl_context context, const cl_mem_properties *properties, cl_mem_flags flags,
        const cl_image_format *format, const cl_image_desc *image, void *pointer,
        cl_int *ret_error),
       (context, properties, flags, format, image, pointer, &error))
MEMORY(clCreateImage2D,
       (cl_context context, cl_mem_flags flags, const cl_image_format *format, size_t width,
        size_t height, size_t pitch, void *pointer, cl_int *ret_error),
       (context, flags, format, width, height, pitch, pointer, &error))
MEMORY(clCreateImage3D,
       (cl_context context, cl_mem_flags flags, const cl_image_format *format, size_t width,
        size_t height, size_t depth, size_t row, size_t slice, void *pointer, cl_int *ret_error),
       (context, flags, format, width, height, depth, row, slice, pointer, &error))
MEMORY(clCreatePipe,
       (cl_context context, cl_mem_flags flags, cl_uint size, cl_uint packets,
        const cl_pipe_properties *properties, cl_int *ret_error),
       (context, flags, size, packets, properties, &error))

/* ---- shared virtual memory ---- */

static void *CL_API_CALL hook_clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size,
                                         cl_uint alignment)
{
    void *pointer;
    Call call;

    CallBegin(&call);
    pointer = below->clSVMAlloc(context, flags, size, alignment);
    CallEnd(&call, "clSVMAlloc", OPPROF_OPENCL_CALL_ALLOCATES, NULL,
            pointer == NULL ? CL_OUT_OF_HOST_MEMORY : CL_SUCCESS);
    if (pointer != NULL && call.is_on) {
        const uint32_t device = ContextDevice(context);
        Object *object;

        RecorderLock();
        object = ObjectAdd(OBJECT_SHARED, pointer);
        if (object != NULL) {
            object->bytes = size;
            object->id = device;
        }
        RecorderUnlock();
        if (object != NULL) {
            put_memory(device, (int64_t) size);
        }
    }
    return pointer;
}

void SharedForget(const void *pointer)
{
    const Object *object;
    Object known = { .key = 0 };

    RecorderLock();
    object = ObjectFind(OBJECT_SHARED, pointer);
    if (object != NULL) {
        known = *object;
        ObjectForget(OBJECT_SHARED, pointer);
    }
    RecorderUnlock();
    if (known.key != 0) {
        put_memory(known.id, -(int64_t) known.bytes);
    }
}

static void CL_API_CALL hook_clSVMFree(cl_context context, void *pointer)
{
    Call call;

    CallBegin(&call);
    if (call.is_on) {
        SharedForget(pointer);
    }
    below->clSVMFree(context, pointer);
    CallEnd(&call, "clSVMFree", OPPROF_OPENCL_CALL_ALLOCATES, NULL, CL_SUCCESS);
}

/* ---- regions ---- */

uint64_t ImageBytes(cl_mem image, const size_t *region)
{
    size_t element = 0;

    if (region == NULL || below->clGetImageInfo(image, CL_IMAGE_ELEMENT_SIZE, sizeof element,
                                                &element, NULL) != CL_SUCCESS) {
        return OPPROF_OPENCL_UNKNOWN;
    }
    return (uint64_t) region[0] * region[1] * region[2] * element;
}

void MappedAdd(const void *pointer, uint64_t bytes, bool is_written)
{
    Object *object;

    RecorderLock();
    object = ObjectAdd(OBJECT_MAPPED, pointer);
    if (object != NULL) {
        object->bytes = bytes;
        object->id = is_written;
    }
    RecorderUnlock();
}

bool MappedTake(const void *pointer, uint64_t *ret_bytes, bool *ret_is_written)
{
    const Object *object;

    RecorderLock();
    object = ObjectFind(OBJECT_MAPPED, pointer);
    if (object != NULL) {
        *ret_bytes = object->bytes;
        *ret_is_written = object->id != 0;
        ObjectForget(OBJECT_MAPPED, pointer);
    }
    RecorderUnlock();
    return object != NULL;
}

void MemoryHooksFill(cl_icd_dispatch *table)
{
    table->clCreateBuffer = hook_clCreateBuffer;
    table->clCreateBufferWithProperties = hook_clCreateBufferWithProperties;
    table->clCreateImage = hook_clCreateImage;
    table->clCreateImageWithProperties = hook_clCreateImageWithProperties;
    table->clCreateImage2D = hook_clCreateImage2D;
    table->clCreateImage3D = hook_clCreateImage3D;
    table->clCreatePipe = hook_clCreatePipe;
    table->clSVMAlloc = hook_clSVMAlloc;
    table->clSVMFree = hook_clSVMFree;
}
