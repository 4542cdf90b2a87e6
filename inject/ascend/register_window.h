/* SPDX-License-Identifier: Apache-2.0 */
#ifndef INJECT_ASCEND_REGISTER_WINDOW_H
#define INJECT_ASCEND_REGISTER_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * All that programming a core's performance monitor needs from a machine: 32-bit registers of
 * a mapped window, barriers, and memory that the core writes by itself. One backend is the driver's
 * mapped window (monitors.c), another an emulator for tests.
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

#define WINDOW_WHY 160u /* bytes of a reason */

/* Operations of a backend. `core` counts AI cores, an offset is from where the core's window
 * begins. Those that return false have written the reason to `why`. */
typedef struct WindowOps {
    bool (*map)(void *backend, uint32_t core, char *why);
    void (*unmap)(void *backend, uint32_t core);
    uint32_t (*read)(void *backend, uint32_t core, uint32_t offset);
    void (*write)(void *backend, uint32_t core, uint32_t offset, uint32_t value);
    void (*barrier)(void *backend, WindowBarrier kind);
    bool (*allocate)(void *backend, size_t size, WindowBuffer *ret_buffer, char *why);
    void (*release)(void *backend, WindowBuffer *buffer);
    /* Copy bytes that the core may be writing right now; offset and length are multiples of 4.
     * Takes care of caches. False: they cannot be read, and the backend says so. */
    bool (*fetch)(void *backend, const WindowBuffer *buffer, size_t offset, void *to,
                  size_t length);
} WindowOps;

typedef struct RegisterWindow {
    const WindowOps *ops;
    void *backend;
} RegisterWindow;

#endif
