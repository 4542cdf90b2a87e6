/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The layer as the loader of OpenCL sees it. Without a collector it has no functions at all, so it
 * costs nothing. Tested by tests/plugins/collect-opencl/test_opencl.sh.
 */
#include "inject/opencl/opencl.h"

#include <link.h>
#include <string.h>

const cl_icd_dispatch *below;

static cl_icd_dispatch table;
static const cl_icd_dispatch nothing;
static atomic_uint platforms; /* that the program was given at most */
static atomic_bool was_asked; /* for them */

/* ---- functions of the loader ---- */

static cl_int CL_API_CALL hook_clGetPlatformIDs(cl_uint room, cl_platform_id *list,
                                                cl_uint *ret_count)
{
    cl_uint count = 0;
    const bool is_empty = list == NULL && ret_count == NULL; /* then that is an error */
    const cl_int error = below->clGetPlatformIDs(room, list, is_empty ? NULL : &count);

    if (RecorderIsOn()) {
        atomic_store(&was_asked, true);
        if (error == CL_SUCCESS && count > atomic_load(&platforms)) {
            atomic_store(&platforms, count);
        }
    }
    if (ret_count != NULL) {
        *ret_count = count;
    }
    return error;
}

static void *CL_API_CALL hook_clGetExtensionFunctionAddress(const char *name)
{
    return ExtensionReplace(name, below->clGetExtensionFunctionAddress(name));
}

static void *CL_API_CALL hook_clGetExtensionFunctionAddressForPlatform(cl_platform_id platform,
                                                                       const char *name)
{
    return ExtensionReplace(name, below->clGetExtensionFunctionAddressForPlatform(platform, name));
}

/* ---- the loader's side ---- */

static void fill(void)
{
    CommandHooksFill(&table);
    QueueHooksFill(&table);
    CallHooksFill(&table);
    DeviceHooksFill(&table);
    KernelHooksFill(&table);
    MemoryHooksFill(&table);
    table.clGetPlatformIDs = hook_clGetPlatformIDs;
    table.clGetExtensionFunctionAddress = hook_clGetExtensionFunctionAddress;
    table.clGetExtensionFunctionAddressForPlatform = hook_clGetExtensionFunctionAddressForPlatform;
}

/* What the loader or the driver does not have is not hooked. */
static void leave_out(size_t count)
{
    void *mine[sizeof table / sizeof(void *)];
    void *theirs[sizeof table / sizeof(void *)];
    const size_t whole = sizeof mine / sizeof mine[0];

    count = count < whole ? count : whole;
    memcpy(mine, &table, sizeof mine);
    memcpy(theirs, below, count * sizeof theirs[0]);
    for (size_t i = 0; i < whole; i++) {
        if (i >= count || theirs[i] == NULL) {
            mine[i] = NULL;
        }
    }
    memcpy(&table, mine, sizeof mine);
}

__attribute__((visibility("default"))) cl_int CL_API_CALL clGetLayerInfo(cl_layer_info what,
                                                                         size_t size, void *value,
                                                                         size_t *ret_size)
{
    static const char name[] = "opprof";
    static const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    const void *answer = what == CL_LAYER_API_VERSION ? (const void *) &version : name;
    const size_t bytes = what == CL_LAYER_API_VERSION ? sizeof version : sizeof name;

    if ((what != CL_LAYER_API_VERSION && what != CL_LAYER_NAME) ||
        (value != NULL && size < bytes)) {
        return CL_INVALID_VALUE;
    }
    if (value != NULL) {
        memcpy(value, answer, bytes);
    }
    if (ret_size != NULL) {
        *ret_size = bytes;
    }
    return CL_SUCCESS;
}

__attribute__((visibility("default"))) cl_int CL_API_CALL
clInitLayer(cl_uint count, const cl_icd_dispatch *target, cl_uint *ret_count,
            const cl_icd_dispatch **ret_table)
{
    if (target == NULL || ret_count == NULL || ret_table == NULL) {
        return CL_INVALID_VALUE;
    }
    if (RecorderIsOn() && below == NULL) {
        below = target;
        fill();
        leave_out(count);
        HelperEndAtExit();
    }
    *ret_table = below == NULL ? &nothing : &table;
    *ret_count = sizeof table / sizeof(void *);
    return CL_SUCCESS;
}

/* ---- the end ---- */

/* Whether a library reads the variable that names layers. */
static bool knows_layers(const struct dl_phdr_info *library)
{
    static const char variable[] = "OPENCL_LAYERS";

    for (size_t i = 0; i < library->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &library->dlpi_phdr[i];

        if (part->p_type == PT_LOAD && (part->p_flags & PF_R) != 0 &&
            memmem((const void *) (library->dlpi_addr + part->p_vaddr), part->p_filesz, variable,
                   sizeof variable) != NULL) {
            return true;
        }
    }
    return false;
}

typedef struct Loader {
    bool is_there;
    bool knows_layers;
} Loader;

static int note_loader(struct dl_phdr_info *library, size_t size, void *context)
{
    const char *slash = strrchr(library->dlpi_name, '/');
    const char *name = slash == NULL ? library->dlpi_name : slash + 1;
    Loader *loader = context;

    (void) size;
    if (strncmp(name, "libOpenCL.so", 12) == 0) {
        loader->is_there = true;
        loader->knows_layers = loader->knows_layers || knows_layers(library);
    }
    return 0;
}

/* The layer was never called. Of a loader that the program has, the collector hears why. */
static void end_unused(void)
{
    Loader loader = { .is_there = false };

    if (!LinkIsWanted()) {
        return;
    }
    dl_iterate_phdr(note_loader, &loader);
    if (loader.is_there && RecorderIsOn()) {
        NoteText(OPPROF_LIVE_INCOMPLETE,
                 loader.knows_layers
                     ? "its OpenCL loader has called no layer: it found no platform, or the "
                       "program called no function of OpenCL"
                     : "its OpenCL loader knows no layers, so none of its commands is recorded");
        HelperEnd();
    }
}

__attribute__((destructor)) static void end(void)
{
    ForkNotice();
    if (below == NULL) {
        end_unused();
        return;
    }
    if (atomic_load(&was_asked) && atomic_load(&platforms) == 0) {
        NoteText(OPPROF_LIVE_INCOMPLETE, "its OpenCL loader found no platform");
    }
    HelperEnd();
}
