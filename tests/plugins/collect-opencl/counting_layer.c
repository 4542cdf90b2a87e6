/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A layer of OpenCL that counts the commands that a program enqueues, by function, and writes the
 * counts to the file COUNTS at its end. It knows nothing of opprof's layer.
 */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl_layer.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cl_icd_dispatch *next;
static cl_icd_dispatch table;

/* Each function, with its parameters by their first letters. */
#define COUNTED(name, parameters, arguments)                                                       \
    static atomic_uint count_##name;                                                               \
    static cl_int CL_API_CALL my_##name parameters                                                 \
    {                                                                                              \
        const cl_int error = next->name arguments;                                                 \
        count_##name += error == CL_SUCCESS;                                                       \
        return error;                                                                              \
    }

#define LIST                                                                                       \
    COUNTED(clEnqueueNDRangeKernel,                                                                \
            (cl_command_queue q, cl_kernel k, cl_uint d, const size_t *o, const size_t *g,         \
             const size_t *l, cl_uint n, const cl_event *w, cl_event *e),                          \
            (q, k, d, o, g, l, n, w, e))                                                           \
    COUNTED(clEnqueueTask,                                                                         \
            (cl_command_queue q, cl_kernel k, cl_uint n, const cl_event *w, cl_event *e),          \
            (q, k, n, w, e))                                                                       \
    COUNTED(clEnqueueNativeKernel,                                                                 \
            (cl_command_queue q, void(CL_CALLBACK * f)(void *), void *a, size_t s, cl_uint c,      \
             const cl_mem *m, const void **p, cl_uint n, const cl_event *w, cl_event *e),          \
            (q, f, a, s, c, m, p, n, w, e))                                                        \
    COUNTED(clEnqueueReadBuffer,                                                                   \
            (cl_command_queue q, cl_mem m, cl_bool b, size_t o, size_t s, void *p, cl_uint n,      \
             const cl_event *w, cl_event *e),                                                      \
            (q, m, b, o, s, p, n, w, e))                                                           \
    COUNTED(clEnqueueWriteBuffer,                                                                  \
            (cl_command_queue q, cl_mem m, cl_bool b, size_t o, size_t s, const void *p,           \
             cl_uint n, const cl_event *w, cl_event *e),                                           \
            (q, m, b, o, s, p, n, w, e))                                                           \
    COUNTED(clEnqueueReadBufferRect,                                                               \
            (cl_command_queue q, cl_mem m, cl_bool b, const size_t *o, const size_t *h,            \
             const size_t *r, size_t s, size_t t, size_t u, size_t v, void *p, cl_uint n,          \
             const cl_event *w, cl_event *e),                                                      \
            (q, m, b, o, h, r, s, t, u, v, p, n, w, e))                                            \
    COUNTED(clEnqueueCopyBuffer,                                                                   \
            (cl_command_queue q, cl_mem m, cl_mem t, size_t o, size_t p, size_t s, cl_uint n,      \
             const cl_event *w, cl_event *e),                                                      \
            (q, m, t, o, p, s, n, w, e))                                                           \
    COUNTED(clEnqueueFillBuffer,                                                                   \
            (cl_command_queue q, cl_mem m, const void *p, size_t s, size_t o, size_t z, cl_uint n, \
             const cl_event *w, cl_event *e),                                                      \
            (q, m, p, s, o, z, n, w, e))                                                           \
    COUNTED(clEnqueueReadImage,                                                                    \
            (cl_command_queue q, cl_mem m, cl_bool b, const size_t *o, const size_t *r, size_t s,  \
             size_t t, void *p, cl_uint n, const cl_event *w, cl_event *e),                        \
            (q, m, b, o, r, s, t, p, n, w, e))                                                     \
    COUNTED(clEnqueueUnmapMemObject,                                                               \
            (cl_command_queue q, cl_mem m, void *p, cl_uint n, const cl_event *w, cl_event *e),    \
            (q, m, p, n, w, e))                                                                    \
    COUNTED(clEnqueueMigrateMemObjects,                                                            \
            (cl_command_queue q, cl_uint c, const cl_mem *m, cl_mem_migration_flags f, cl_uint n,  \
             const cl_event *w, cl_event *e),                                                      \
            (q, c, m, f, n, w, e))                                                                 \
    COUNTED(clEnqueueMarkerWithWaitList,                                                           \
            (cl_command_queue q, cl_uint n, const cl_event *w, cl_event *e), (q, n, w, e))         \
    COUNTED(clEnqueueBarrierWithWaitList,                                                          \
            (cl_command_queue q, cl_uint n, const cl_event *w, cl_event *e), (q, n, w, e))         \
    COUNTED(clEnqueueSVMMemcpy,                                                                    \
            (cl_command_queue q, cl_bool b, void *t, const void *f, size_t s, cl_uint n,           \
             const cl_event *w, cl_event *e),                                                      \
            (q, b, t, f, s, n, w, e))                                                              \
    COUNTED(clEnqueueSVMMemFill,                                                                   \
            (cl_command_queue q, void *p, const void *f, size_t z, size_t s, cl_uint n,            \
             const cl_event *w, cl_event *e),                                                      \
            (q, p, f, z, s, n, w, e))                                                              \
    COUNTED(clEnqueueSVMMap,                                                                       \
            (cl_command_queue q, cl_bool b, cl_map_flags f, void *p, size_t s, cl_uint n,          \
             const cl_event *w, cl_event *e),                                                      \
            (q, b, f, p, s, n, w, e))                                                              \
    COUNTED(clEnqueueSVMUnmap,                                                                     \
            (cl_command_queue q, void *p, cl_uint n, const cl_event *w, cl_event *e),              \
            (q, p, n, w, e))
LIST
#undef COUNTED

    static atomic_uint count_clEnqueueMapBuffer;

static void *CL_API_CALL my_clEnqueueMapBuffer(cl_command_queue q, cl_mem m, cl_bool b,
                                               cl_map_flags f, size_t o, size_t s, cl_uint n,
                                               const cl_event *w, cl_event *e, cl_int *error)
{
    void *pointer = next->clEnqueueMapBuffer(q, m, b, f, o, s, n, w, e, error);

    count_clEnqueueMapBuffer += pointer != NULL;
    return pointer;
}

__attribute__((destructor)) static void write_counts(void)
{
    const char *path = getenv("COUNTS");
    FILE *out = path == NULL || next == NULL ? NULL : fopen(path, "w");

    if (out != NULL) {
#define COUNTED(name, parameters, arguments) fprintf(out, #name " %u\n", count_##name);
        LIST fprintf(out, "clEnqueueMapBuffer %u\n", count_clEnqueueMapBuffer);
#undef COUNTED
        fclose(out);
    }
}

cl_int CL_API_CALL clGetLayerInfo(cl_layer_info what, size_t size, void *value, size_t *ret_size)
{
    static const cl_layer_api_version version = CL_LAYER_API_VERSION_100;

    if (what != CL_LAYER_API_VERSION || (value != NULL && size < sizeof version)) {
        return CL_INVALID_VALUE;
    }
    if (value != NULL) {
        memcpy(value, &version, sizeof version);
    }
    if (ret_size != NULL) {
        *ret_size = sizeof version;
    }
    return CL_SUCCESS;
}

cl_int CL_API_CALL clInitLayer(cl_uint count, const cl_icd_dispatch *target, cl_uint *ret_count,
                               const cl_icd_dispatch **ret_table)
{
    (void) count;
    next = target;
#define COUNTED(name, parameters, arguments) table.name = my_##name;
    LIST table.clEnqueueMapBuffer = my_clEnqueueMapBuffer;
#undef COUNTED
    *ret_count = sizeof table / sizeof(void *);
    *ret_table = &table;
    return CL_SUCCESS;
}
