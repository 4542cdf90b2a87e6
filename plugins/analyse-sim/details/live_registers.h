/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIM_DETAILS_LIVE_REGISTERS_H
#define SIM_DETAILS_LIVE_REGISTERS_H

/*
 * How many registers are live when an instruction is issued, and the most of it per address.
 *
 * A register counts from its first access on, but not while it is dead: after an access, up to the
 * next write (without a read in the same instruction) or the end of the trace. Whether it is dead
 * is known only then, so counts are provisional after the last access of each register. Between
 * two such places all instructions have the same open question, and for each such segment and
 * address the largest count is all that can matter:
 *
 *   read of r   the tail after its last access was live: the place is no longer a border, and the
 *               segments on both sides become one, address by address the larger count
 *   write of r  the tail was dead: one less in all segments after the place, then the same
 *
 * So this is exact, and holds (registers + 2) * addresses small numbers, whatever the trace's
 * length. Segments know their counts relative to the one before, which makes "one less after here"
 * one addition; the shorter of two segments is the one that is moved.
 */

#include "analyse-sim/common/operands.h"

#define LIVE_NONE UINT16_MAX

/* A stretch of issue order that contains no register's last access. */
typedef struct LiveSegment {
    int16_t *counts;     /* per address: largest count; INT16_MIN: not issued in it */
    uint32_t *addresses; /* those issued in it */
    uint32_t address_count;
    uint32_t address_capacity;
    uint32_t capacity; /* of counts */
    int32_t delta;     /* to add here and in all later segments */
    uint32_t borders;  /* registers whose last access is where it begins */
    uint16_t previous; /* LIVE_NONE: this is the first */
    uint16_t next;     /* LIVE_NONE: this is the last; or in the list of free ones */
} LiveSegment;

typedef struct LiveRegisters {
    LiveSegment *segments;
    uint32_t segment_count;
    uint32_t segment_capacity;
    uint16_t free;  /* LIVE_NONE: none */
    uint16_t first; /* final: nothing about it is open */
    uint16_t last;
    int32_t offset; /* sum of all deltas: the base of the counts in the last segment */
    uint16_t border[OPERAND_REGISTERS]; /* segment that begins after its last access; LIVE_NONE:
                                           not seen */
    uint32_t seen;                      /* registers accessed so far */
} LiveRegisters;

/* Registers that an instruction accesses. A register may be in both, or twice. */
typedef struct LiveAccess {
    uint32_t read_count;
    uint32_t written_count;
    uint8_t read[OPERAND_MOST_REGISTERS];
    uint8_t written[OPERAND_MOST_REGISTERS];
} LiveAccess;

/* False without memory. */
bool LiveRegistersInit(LiveRegisters *live);
void LiveRegistersFinish(LiveRegisters *live);

/* The next instruction in issue order; `address` is a small number that stands for its PC. False
 * without memory. */
bool LiveRegistersIssue(LiveRegisters *live, uint32_t address, const LiveAccess *access);

/* The trace has ended. After that LiveRegistersMost may be asked. */
void LiveRegistersEnd(LiveRegisters *live);

/* Most live registers when the address was issued; -1: it never was. */
int32_t LiveRegistersMost(const LiveRegisters *live, uint32_t address);

#endif
