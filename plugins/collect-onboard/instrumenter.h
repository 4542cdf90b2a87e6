/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_ONBOARD_INSTRUMENTER_H
#define COLLECT_ONBOARD_INSTRUMENTER_H

/* Kernels that a tool has instrumented to report what they do. */

#include <opprof/kit/chip.h>
#include <opprof/kit/live.h>
#include <opprof/stage.h>

typedef struct Instrumented {
    uint8_t *data; /* the ELF file */
    size_t size;
    char *map; /* text that lists the basic blocks it counts; NULL: none */
    size_t map_size;
    char *log; /* text of the tool about its marks; NULL: none */
    size_t log_size;
} Instrumented;

typedef struct InstrumentOrder {
    const OpprofStage *stage; /* when it is to stop, the tool is stopped */
    const OpprofChip *chip;
    const OpprofLiveArea *area;
    const char *pipes; /* pipes whose instructions get marks; "": all */
    const char *tool;  /* takes the arguments of refchip-as; NULL: the chip file's */
    uint32_t seconds;  /* after which the tool is stopped */
    uint32_t argument;
    const uint8_t *kernel; /* its ELF file */
    size_t kernel_size;
} InstrumentOrder;

/* Name of a kind. */
const char *InstrumentKindName(uint32_t kind);
/**
 * Have a kernel instrumented.
 *
 * @return OPPROF_OK; OPPROF_E_NOT_FOUND: no such tool; OPPROF_E_DATA: it failed, with its output;
 * OPPROF_E_IO, OPPROF_E_MEMORY.
 */
OpprofStatus InstrumentKernel(const InstrumentOrder *order, Instrumented *ret_made,
                              OpprofError **error);
void InstrumentedFinish(Instrumented *made);

#endif
