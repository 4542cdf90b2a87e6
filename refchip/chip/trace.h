/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REFCHIP_CHIP_TRACE_H
#define REFCHIP_CHIP_TRACE_H

/*
 * What channels 11 to 28 give of a core of the 950 while it runs a block: words of its pipes, as
 * its monitor writes them, or samples of its program counter.
 */

#include "core.h"
#include "profile.h"

/* Before the block: have the core watched as its channel was asked to. */
void TraceBegin(Core *core, const ProfileTicket *ticket);
/* After it: give the channel what was seen, and count samples. */
void TraceEnd(Core *core, const ProfileTicket *ticket, uint32_t block, uint64_t start);
/* The core has gone from one cycle of its front end to another for an instruction, the first of
 * them fetching it. */
void TraceSample(Core *core, uint32_t pc, uint64_t from, uint64_t fetched, uint32_t reason);
/* Why a front end did not go on; the last one means that it did. */
enum {
    TRACE_FETCH = 0,
    TRACE_OPERAND = 2,
    TRACE_QUEUE = 4,
    TRACE_OTHERS = 5, /* cores or pipes */
    TRACE_ACTIVE = 8,
    TRACE_REASONS = INSTRUCTION_SAMPLES
};

#endif
