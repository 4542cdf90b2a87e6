/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Register windows of the driver. Its library is opened when it is asked for, so that nothing else
 * needs it. Never run on silicon: what is known of the call comes from its public description.
 * Tests: tests/plugins/collect-onboard/test_perfmon.c, without a device only that it is missing.
 */
#include "register_window.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define LIBRARY "libascend_hal.so"
#define MAX_CORES 256u
#define PROCESS_CP1 0
#define RESOURCE_AICORE 0

/* As halResMap takes it. */
typedef struct ResourceInfo {
    int32_t process;
    int32_t resource;
    uint32_t id;
    uint32_t flag;
    uint32_t reserved;
} ResourceInfo;

typedef int MapFunction(uint32_t device, ResourceInfo *info, unsigned long *address,
                        unsigned *length);
typedef int UnmapFunction(uint32_t device, ResourceInfo *info);

typedef struct Hal {
    void *library;
    MapFunction *map;
    UnmapFunction *unmap;
    HalMemory memory;
    uint32_t device;
    unsigned char *windows[MAX_CORES];
    unsigned lengths[MAX_CORES];
} Hal;

static ResourceInfo info_of(uint32_t core)
{
    return (ResourceInfo){ .process = PROCESS_CP1, .resource = RESOURCE_AICORE, .id = core };
}

static OpprofStatus map_core(void *backend, uint32_t core, OpprofError **error)
{
    Hal *hal = backend;
    ResourceInfo info = info_of(core);
    unsigned long address = 0;
    unsigned length = 0;

    if (core >= MAX_CORES) {
        return OpprofErrorSet(error, OPPROF_E_LIMIT, "Cannot map core %u: the limit is %u", core,
                              MAX_CORES);
    }
    const int code = hal->map(hal->device, &info, &address, &length);
    if (code != 0 || address == 0) {
        return OpprofErrorSet(error, OPPROF_E_IO,
                              "The driver does not map core %u of device %u: %d", core, hal->device,
                              code);
    }
    hal->windows[core] = (unsigned char *) (uintptr_t) address;
    hal->lengths[core] = length;
    return OPPROF_OK;
}

static void unmap_core(void *backend, uint32_t core)
{
    Hal *hal = backend;
    ResourceInfo info = info_of(core);

    hal->unmap(hal->device, &info);
    hal->windows[core] = NULL;
}

static volatile uint32_t *register_at(const Hal *hal, uint32_t core, uint32_t offset)
{
    if (core >= MAX_CORES || hal->windows[core] == NULL || hal->lengths[core] < sizeof(uint32_t) ||
        offset > hal->lengths[core] - sizeof(uint32_t)) {
        return NULL;
    }
    return (volatile uint32_t *) (void *) (hal->windows[core] + offset);
}

static uint32_t read_register(void *backend, uint32_t core, uint32_t offset)
{
    const volatile uint32_t *at = register_at(backend, core, offset);

    return at == NULL ? 0 : *at;
}

static void write_register(void *backend, uint32_t core, uint32_t offset, uint32_t value)
{
    volatile uint32_t *at = register_at(backend, core, offset);

    if (at != NULL) {
        *at = value;
    }
}

static void pass_barrier(void *backend, WindowBarrier kind)
{
    (void) backend;
    (void) kind;
    __sync_synchronize(); /* both kinds, also for memory of devices */
}

static OpprofStatus allocate(void *backend, size_t size, WindowBuffer *ret_buffer,
                             OpprofError **error)
{
    const Hal *hal = backend;

    return hal->memory.allocate(hal->memory.context, size, ret_buffer, error);
}

static void release(void *backend, WindowBuffer *buffer)
{
    const Hal *hal = backend;

    hal->memory.release(hal->memory.context, buffer);
}

static void fetch(void *backend, const WindowBuffer *buffer, size_t offset, void *to, size_t length)
{
    const Hal *hal = backend;

    hal->memory.fetch(hal->memory.context, buffer, offset, to, length);
}

static const WindowOps hal_ops = {
    .map = map_core,
    .unmap = unmap_core,
    .read = read_register,
    .write = write_register,
    .barrier = pass_barrier,
    .allocate = allocate,
    .release = release,
    .fetch = fetch,
};

OpprofStatus HalWindowOpen(uint32_t device, const HalMemory *memory, RegisterWindow *ret_window,
                           OpprofError **error)
{
    Hal *hal = calloc(1, sizeof *hal);

    *ret_window = (RegisterWindow){ .ops = NULL };
    if (hal == NULL) {
        return OpprofErrorNoMemory(error, "open the driver of device %u", device);
    }
    hal->device = device;
    hal->memory = *memory;
    hal->library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (hal->library != NULL) {
        *(void **) &hal->map = dlsym(hal->library, "halResMap");
        *(void **) &hal->unmap = dlsym(hal->library, "halResUnmap");
    }
    if (hal->map == NULL || hal->unmap == NULL) {
        OpprofErrorSet(error, OPPROF_E_NOT_FOUND, "Cannot map registers of device %u: %s", device,
                       hal->library == NULL ? "there is no " LIBRARY
                                            : LIBRARY " has no halResMap and halResUnmap");
        RegisterWindow window = { .ops = &hal_ops, .backend = hal };
        HalWindowClose(&window);
        return OPPROF_E_NOT_FOUND;
    }
    *ret_window = (RegisterWindow){ .ops = &hal_ops, .backend = hal };
    return OPPROF_OK;
}

void HalWindowClose(RegisterWindow *window)
{
    Hal *hal = window->backend;

    if (hal != NULL && hal->library != NULL) {
        dlclose(hal->library);
    }
    free(hal);
    *window = (RegisterWindow){ .ops = NULL };
}
