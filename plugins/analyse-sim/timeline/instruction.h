/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIM_TIMELINE_INSTRUCTION_H
#define SIM_TIMELINE_INSTRUCTION_H

#include "cross_flags.h"
#include "row_kind.h"

#include <opprof/records/sim.h>

/* An instruction on its way into both documents. */
typedef struct Instruction {
    const OpprofSimInstruction *row;
    const char *detail;
    uint32_t detail_length;
    RowKind kind;
    CrossKind cross;
    uint32_t simt_colour;
    int64_t bytes; /* moved between memories; 0: none */
} Instruction;

#endif
