/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HOTSPOT_CORE_STATS_H
#define HOTSPOT_CORE_STATS_H

#include "analyse-sim/common/launches.h"

#include <opprof/map.h>
#include <opprof/batch.h>
#include <opprof/kit/busy_time.h>
#include <opprof/records/sim.h>
#include <opprof/kit/source.h>

/* Sums of an address on a core. */
typedef struct PcStats {
    uint64_t pc; /* from here on: read for each row, in one line of the cache */
    uint64_t calls;
    uint64_t cycles;
    OpprofBusyTime busy;
    uint32_t first_line; /* its lines in the core's list of line numbers */
    uint32_t line_count; /* of lines outside the toolkit */
    uint32_t name;       /* interned; name, pipe and detail are those of the first row */
    uint32_t pipe;
    size_t detail; /* place in the core's texts */
    uint32_t detail_length;
    bool has_instructions; /* includes instructions, not only user marks */
    bool has_details;
    bool is_marked;                 /* a user mark may begin there */
    const OpprofSourceStack *stack; /* NULL: no kernel is known */
    OpprofSimPcDetails details;
} PcStats;

/* Sums of a source line on a core. */
typedef struct LineStats {
    const OpprofSourceLine *line;
    uint64_t calls;
    uint64_t cycles;
    OpprofBusyTime busy;
    bool is_marked; /* that of one of its addresses */
} LineStats;

/* A user mark that waits for its place among the instructions. */
typedef struct HeldMark {
    uint64_t pc;
    uint64_t start;
    uint64_t end;
    uint32_t name;
    uint32_t detail_length;
    size_t detail;     /* place in the core's texts */
    uint64_t earliest; /* start of it and of all later ones; set when marks are sorted */
} HeldMark;

/* Sums of a core. Memory grows with distinct addresses, lines and marks, not with instructions. */
typedef struct CoreStats {
    uint32_t chip;      /* interned; OPPROF_NA_STRING: unknown */
    uint32_t core;      /* interned name */
    uint32_t partition; /* of its batches: the name, perhaps after a folder */
    uint32_t folder;    /* of its launch, interned; OPPROF_NA_STRING: the output directory itself */
    SimPlace place;     /* the same in parts */
    uint32_t clock;     /* of all times */
    uint32_t mark_pipe; /* interned */
    OpprofSource *source; /* NULL: no kernel is known */
    OpprofMap map;
    PcStats *pcs;
    uint32_t pc_count;
    uint32_t pc_capacity;
    uint32_t latest; /* address of the last row */
    LineStats *lines;
    uint32_t line_count;
    uint32_t line_capacity;
    uint32_t *line_numbers; /* lines of addresses, as places in `lines` */
    uint32_t number_count;
    uint32_t number_capacity;
    uint32_t *line_of_id; /* place in `lines` + 1 by OpprofSourceLine.id */
    uint32_t id_capacity;
    char *texts;
    size_t text_bytes;
    size_t text_capacity;
    HeldMark *marks; /* latest first, until sorted */
    size_t mark_count;
    size_t mark_capacity;
    bool marks_are_sorted;
    uint64_t floor; /* no later instruction starts earlier; 0: unknown */
} CoreStats;

/* The interned pipe that marks count for. */
void CoreStatsSetMarkPipe(CoreStats *core, uint32_t pipe);
/* Sums of a core whose partition is its name. `source` outlives them. NULL without memory. */
CoreStats *CoreStatsCreate(uint32_t core, uint32_t mark_pipe, OpprofSource *source);
void CoreStatsDestroy(CoreStats *core);

/* The operands of an address, pc->detail_length bytes. */
static inline const char *CoreStatsDetail(const CoreStats *core, const PcStats *pc)
{
    return pc->detail_length == 0 ? "" : core->texts + pc->detail;
}

/* Batches of the core: instructions by end. False without memory. */
bool CoreStatsInstructions(CoreStats *core, const OpprofBatch *batch);
bool CoreStatsMarks(CoreStats *core, const OpprofBatch *batch);
bool CoreStatsDetails(CoreStats *core, const OpprofBatch *batch);

/* No more rows will come. False without memory. */
bool CoreStatsFinish(CoreStats *core);

/* Addresses and lines whose running time is only approximate. */
uint64_t CoreStatsRough(const CoreStats *core);

/* Sums of an address or a line, NULL where the core has none. */
const PcStats *CoreStatsPc(const CoreStats *core, uint64_t pc);
const LineStats *CoreStatsLine(const CoreStats *core, const OpprofSourceLine *line);

#endif
