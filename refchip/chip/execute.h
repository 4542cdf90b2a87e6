/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REFCHIP_CHIP_EXECUTE_H
#define REFCHIP_CHIP_EXECUTE_H

/* The runtime's request to run a kernel. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct RefchipLaunch {
    const uint32_t *text; /* instructions */
    uint32_t words;
    uint64_t load_pc;      /* address that the first one was loaded at */
    uint32_t entry;        /* instruction that the kernel begins with */
    uint32_t kind;         /* ISA_KIND_… */
    uint32_t vector_entry; /* of the vector cores, where kind is ISA_KIND_MIX */
    /* cores of that kind that run it; mixed: cube cores, with two vector cores each */
    uint32_t blocks;
    const void *args; /* in the memory of the device */
    uint32_t device;
    uint16_t stream; /* numbers that records have */
    uint16_t task;
    const char *name; /* of the kernel */
    /* Whether a range lies in the memory of the device. */
    bool (*is_valid)(void *context, uint64_t address, uint64_t size);
    /* Whether it must end at once. */
    bool (*is_aborted)(void *context);
    void *context;
} RefchipLaunch;

/* How it went. */
typedef struct RefchipOutcome {
    uint64_t cycles; /* of the longest core */
    uint64_t instructions;
    char fault[160]; /* "" : none */
} RefchipOutcome;

/*
 * Run a kernel to its end; all log callbacks have returned when this does. False: the kernel did
 * something that the chip refuses, and outcome->fault says what. [any thread]
 */
__attribute__((visibility("default"))) bool RefchipExecute(const RefchipLaunch *launch,
                                                           RefchipOutcome *outcome);

/* The device has copied memory by itself, which passes its L2 cache. [any thread] */
__attribute__((visibility("default"))) void RefchipCopied(uint32_t device, const void *target,
                                                          const void *source, uint64_t size);

/* Where the memory of a device lies, and whose memory an address is in. [any thread] */
__attribute__((visibility("default"))) void RefchipMemoryNote(uint32_t device, uint64_t address,
                                                              uint64_t size);
__attribute__((visibility("default"))) bool RefchipMemoryFind(uint64_t address,
                                                              uint32_t *ret_device);

#endif
