/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HOTSPOT_PIPES_H
#define HOTSPOT_PIPES_H

/* How long the pipes of a core work, and how long they wait for flags of others. */

#include "analyse-sim/common/instruction_facts.h"

#include <opprof/kit/busy_time.h>
#include <opprof/map.h>
#include <opprof/stage.h>

/* A pipe. Sets, waits and barriers do not count as work. */
typedef struct PipeStats {
    uint32_t pipe;         /* interned */
    bool is_front;         /* part of the front end, which issues for all others */
    uint64_t last_end;     /* of its instructions */
    OpprofBusyTime worked; /* in which it worked */
    OpprofBusyTime taken;  /* in which it worked or waited */
} PipeStats;

/* The waits at an address: for flags, or at a barrier. */
typedef struct PipeWait {
    uint64_t pc;
    uint64_t ticks; /* for flags: after what the pipe did before; at a barrier: before later work */
    uint64_t calls;
    uint64_t open_ticks; /* at a barrier after which no pipe but the front end has worked yet */
    uint64_t open_calls;
    uint64_t longest; /* of one of them */
    uint64_t longest_start;
    uint32_t pipe; /* interned */
    uint32_t next; /* of the open ones, + 1 */
    bool is_barrier;
} PipeWait;

#define PIPE_NAMES 64u /* slots, a power of two */

/* The pipes of a core. */
typedef struct CorePipes {
    OpprofStage *stage;
    const InstructionFacts *words; /* of the chip; NULL: not looked up yet */
    PipeStats *pipes;
    uint32_t pipe_count;
    uint32_t pipe_capacity;
    PipeWait *waits;
    uint32_t wait_count;
    uint32_t wait_capacity;
    OpprofMap wait_of_pc;
    uint32_t open;         /* the first of the open barriers among the waits, + 1 */
    uint64_t barrier_end;  /* of the last one */
    OpprofBusyTime others; /* in which a pipe worked that is not part of the front end */
    uint64_t head_end;     /* their first start; UINT64_MAX without any */
    bool looks_for_misses;
    uint64_t misses; /* of the instruction cache */
    uint64_t misses_again;
    OpprofMap missed;     /* addresses */
    uint64_t first_start; /* of all instructions; UINT64_MAX without any */
    uint64_t last_end;
    uint32_t names[PIPE_NAMES]; /* interned, + 1; 0: the slot is free */
    uint8_t kinds[PIPE_NAMES];
} CorePipes;

/* True of the names of instructions that wait for a flag. */
bool PipeNameIsWait(const InstructionFacts *words, const char *name);
/* The same, and of those that only set flags or stand at barriers. */
bool PipeNameIsStall(const InstructionFacts *words, const char *name);

/* NULL without memory. */
CorePipes *CorePipesCreate(OpprofStage *stage);
void CorePipesDestroy(CorePipes *core);

/* Instructions of the core, by end, and misses of its instruction cache. False without memory. */
bool CorePipesInstructions(CorePipes *core, const OpprofBatch *batch);
bool CorePipesMisses(CorePipes *core, const OpprofBatch *batch);

/* The pipe that works longest, of several the first by name; NULL: none works, or the times are not
 * exact. */
const PipeStats *CorePipesBusiest(const CorePipes *core);

/* Ticks in which the pipe waits and does not work. */
uint64_t PipeWaited(const PipeStats *pipe);

/* Ticks after the first work of a pipe that is not part of the front end in which none works. */
uint64_t CorePipesAlone(const CorePipes *core);
/* Whether times of the core are only approximate. */
bool CorePipesAreRough(const CorePipes *core);

/* The address where the pipe waits longest for a flag, of several the lowest; NULL: it never waits.
 */
const PipeWait *CorePipesLongestWait(const CorePipes *core, const PipeStats *pipe);

#endif
