/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_ONBOARD_REGISTER_WINDOW_H
#define COLLECT_ONBOARD_REGISTER_WINDOW_H

#include <opprof/error.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The little that programming a core's performance monitor needs of a machine: 32-bit registers of
 * a mapped window, barriers, and memory that the core writes by itself. One backend is the driver's
 * mapped window, another one an emulator for tests.
 */

/* A buffer that a core writes into. */
typedef struct WindowBuffer {
    uint64_t address; /* as the core sees it: physical, or of its own memory management unit */
    void *memory;     /* for the backend */
    size_t size;
} WindowBuffer;

typedef enum WindowBarrier {
    WINDOW_BARRIER_WRITE, /* what was written before is there before what follows */
    WINDOW_BARRIER_READ   /* what follows is read after what was read before */
} WindowBarrier;

/* Operations of a backend. `core` counts AI cores, `base` is where a sub-core's registers begin in
 * the core's window. */
typedef struct WindowOps {
    OpprofStatus (*map)(void *backend, uint32_t core, OpprofError **error);
    void (*unmap)(void *backend, uint32_t core);
    uint32_t (*read)(void *backend, uint32_t core, uint32_t offset);
    void (*write)(void *backend, uint32_t core, uint32_t offset, uint32_t value);
    void (*barrier)(void *backend, WindowBarrier kind);
    OpprofStatus (*allocate)(void *backend, size_t size, WindowBuffer *ret_buffer,
                             OpprofError **error);
    void (*release)(void *backend, WindowBuffer *buffer);
    /* Copy bytes that the core may be writing right now; offset and length are multiples of 4.
     * Takes care of caches. */
    void (*fetch)(void *backend, const WindowBuffer *buffer, size_t offset, void *to,
                  size_t length);
} WindowOps;

typedef struct RegisterWindow {
    const WindowOps *ops;
    void *backend;
} RegisterWindow;

/*
 * Memory that both the core and this process see. Which address a core needs (physical, or of which
 * memory management unit) is not known yet, so whoever brings up a chip provides these.
 */
typedef struct HalMemory {
    OpprofStatus (*allocate)(void *context, size_t size, WindowBuffer *ret_buffer,
                             OpprofError **error);
    void (*release)(void *context, WindowBuffer *buffer);
    void (*fetch)(void *context, const WindowBuffer *buffer, size_t offset, void *to,
                  size_t length); /* after the caches no longer hold older bytes */
    void *context;
} HalMemory;

/* The driver's window (halResMap of libascend_hal.so, which is opened at run time). Fails with
 * OPPROF_E_NOT_FOUND where there is no driver. */
OpprofStatus HalWindowOpen(uint32_t device, const HalMemory *memory, RegisterWindow *ret_window,
                           OpprofError **error);
void HalWindowClose(RegisterWindow *window);

#endif
