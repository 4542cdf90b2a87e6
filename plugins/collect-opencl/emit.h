/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_OPENCL_EMIT_H
#define COLLECT_OPENCL_EMIT_H

/* Gives out what a process did, as records of framework traces. */

#include "collect-opencl/clock.h"
#include "collect-opencl/process.h"

#include <opprof/stage.h>

enum {
    OUTPUT_SPANS,
    OUTPUT_PATH,
    OUTPUT_GRIDS,
    OUTPUT_FILES,
    OUTPUT_MEMORY,
    OUTPUT_KERNELS,
    OUTPUT_DEVICES,
    OUTPUTS
};

/* A command that is given out, with its host time. */
typedef struct EmitWork {
    const OpprofOpenclCommand *command;
    int64_t start;
} EmitWork;

/* A process while it is given out. */
typedef struct Emitter {
    OpprofStage *stage;
    Process *process;
    const char *rank;     /* its name */
    const char *document; /* of its timeline */
    uint32_t rank_number;
    uint32_t rank_count;
    int64_t origin;   /* host time of the run's beginning */
    int64_t earliest; /* host time of the process's; tick 0 */
    int64_t epoch;    /* of the origin, since 1970 */
    uint32_t clock;
    uint32_t partition;
    uint32_t *tracks; /* of queues, by number minus 1 */
    EmitWork *work;   /* by start */
    uint32_t work_count;
    ClockFit *fits; /* of devices, by number minus 1 */
} Emitter;

/* Fit the clocks and order the commands that `is_wanted` says are wanted; NULL: all. False without
 * memory. */
bool EmitPrepare(Emitter *emitter, bool (*is_wanted)(void *, const Process *, uint32_t),
                 void *context);
/* Everything. OPPROF_OK, OPPROF_CLOSED, OPPROF_E_MEMORY. */
OpprofStatus EmitProcess(Emitter *emitter);
void EmitFinish(Emitter *emitter);

static inline uint64_t EmitTick(const Emitter *emitter, int64_t host)
{
    return host < emitter->earliest ? 0 : (uint64_t) (host - emitter->earliest);
}

static inline uint32_t EmitIntern(const Emitter *emitter, const char *text, size_t length)
{
    return OpprofStageIntern(emitter->stage, text, length);
}

/* ---- emit_words.c ---- */

/* Interned name of a command for people. */
uint32_t EmitName(const Emitter *emitter, const OpprofOpenclCommand *command);
/* Interned category. */
uint32_t EmitCategory(const Emitter *emitter, const OpprofOpenclCommand *command);

/* ---- emit_path.c, emit_tables.c ---- */

OpprofStatus EmitPath(const Emitter *emitter);
OpprofStatus EmitTables(const Emitter *emitter);
extern const OpprofRecordType opencl_kernel_type;
extern const OpprofRecordType opencl_device_type;

#endif
