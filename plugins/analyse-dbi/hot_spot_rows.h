/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_DBI_HOT_SPOT_ROWS_H
#define ANALYSE_DBI_HOT_SPOT_ROWS_H

#include "listing.h"
#include "hot_spot_lines.h"

#include <opprof/stage.h>

enum {
    OUTPUT_ADDRESSES,
    OUTPUT_LINES,
    OUTPUT_SAMPLES,
    OUTPUT_REGISTERS,
    OUTPUT_INSTRUCTION_ROWS,
    OUTPUT_LINE_ROWS,
    OUTPUT_STALL_ROWS
};

/* Where the results of a launch go. */
typedef struct SpotPlace {
    OpprofStage *stage;
    uint32_t partition;
    uint32_t device;
    uint32_t kernel;
    uint32_t order;
    uint64_t start_pc; /* or absent */
    Listing listing;   /* of the kernel; empty: none */
} SpotPlace;

extern const OpprofRecordType dbi_hot_instruction_type;
extern const OpprofRecordType dbi_hot_line_type;
extern const OpprofRecordType dbi_stall_type;

/* Emit all that is known about a launch's code. `source`: NULL without a kernel. */
OpprofStatus SpotRowsEmit(const SpotPlace *place, const Spots *spots, const SpotLines *lines,
                          OpprofSource *source);

#endif
