/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_EMIT_H
#define COLLECT_SIM_EMIT_H

/*
 * Puts results of one core into batches of the stage's ports.
 */

#include "collect-sim/pairing/icache.h"
#include "collect-sim/pairing/pairing.h"
#include <opprof/stage.h>

/* Output ports, in the order of the plugin's table. */
typedef enum EmitPort {
    EMIT_INSTRUCTIONS = 0,
    EMIT_MARKS = 1,
    EMIT_MISSES = 2,
    EMIT_ISSUES = 3,
    EMIT_MTE = 4,
    EMIT_RECORD_PORTS = 5, /* those of a core's records */
    EMIT_ENDS = 5,
    EMIT_PORT_COUNT = 6
} EmitPort;

/* The output ports of both collectors, of dumps and of running programs. */
extern const OpprofPort emit_ports[EMIT_PORT_COUNT];

typedef struct Emitter {
    /* partition: as in WorkCore.name; watermark: the floor of the last record */
    OpprofOpenBatch open;
    uint32_t core;    /* interned name, the partition without the launch */
    uint32_t chip;    /* interned SoC; OPPROF_NA_STRING: unknown */
    uint64_t records; /* so far */
} Emitter;

/* How many records of a core were sent. */
typedef struct EmitCore {
    uint32_t partition;
    uint64_t records[EMIT_RECORD_PORTS];
} EmitCore;

/* The same of cores of a launch that end together. Zeroed memory has none. */
typedef struct EmitEnds {
    EmitCore *cores;
    uint32_t count;
    uint32_t capacity;
    uint32_t all;    /* cores of the launch; 0: no others than these */
    uint32_t kernel; /* interned, as the rest; see OpprofSimCoreEnd */
    uint32_t device;
    uint32_t order;
} EmitEnds;

/* A piece of a log. */
typedef struct EmitLines {
    const char *text; /* whole lines, a newline after each */
    size_t length;
    uint32_t core; /* number */
    uint32_t file; /* interned */
    bool is_own;   /* its name is the chip's own */
} EmitLines;

/* Begin with a core on a port. */
void EmitterInit(Emitter *emitter, OpprofStage *stage, EmitPort port, uint32_t partition,
                 uint32_t clock);

/* Add one record each; OPPROF_CLOSED when the run was aborted. For sinks of
 * pairing.h and icache.h. */
OpprofStatus EmitInstruction(void *emitter, const PairingRow *row, OpprofError **error);
OpprofStatus EmitIssue(void *emitter, const PairingIssue *issue, OpprofError **error);
OpprofStatus EmitMiss(void *emitter, const IcacheMiss *miss, OpprofError **error);
OpprofStatus EmitMteLog(Emitter *emitter, const EmitLines *lines, OpprofError **error);
OpprofStatus EmitMark(Emitter *emitter, const Marks *marks, const Mark *mark, OpprofError **error);

/* Push the rest. All of the core is sent on this port: `ends`, NULL if ends are not sent, counts
 * it. */
OpprofStatus EmitterEnd(Emitter *emitter, EmitEnds *ends, OpprofError **error);
/* Drop the rest. */
void EmitterFinish(Emitter *emitter);

/* The cores are sent: send their ends, and forget them. */
OpprofStatus EmitEndsSend(EmitEnds *ends, OpprofStage *stage, OpprofError **error);
void EmitEndsFinish(EmitEnds *ends);

#endif
