/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_EMIT_EMITTER_H
#define COLLECT_KINETO_EMIT_EMITTER_H

#include "collect-kineto/emit/emit.h"

#include <stdio.h>

/* A trace being emitted. */
typedef struct Emitter {
    const EmitTarget *target;
    const RankTrace *trace;
    const LinkedTrace *linked;
    uint32_t *name_ids;   /* interned id of each name; 0: not yet */
    uint32_t *lane_ids;   /* track of each lane */
    uint32_t *thread_ids; /* track of each thread of the host plus 1; 0: not yet */
    uint32_t step_track;  /* OPPROF_NA_U32: not yet */
    uint32_t partition;
    uint32_t clock;
    OpprofOpenBatch open; /* spans */
} Emitter;

static inline uint64_t EmitterTick(const Emitter *emitter, int64_t ns)
{
    return (uint64_t) ns - (uint64_t) emitter->linked->earliest_ns;
}

/* Whether a piece of work is of the rank that is emitted. */
static inline bool EmitterHasWork(const Emitter *emitter, uint32_t number)
{
    const int64_t *only = emitter->target->only;

    return only == NULL ||
           LaneAt(&emitter->trace->lanes, RankTraceWork(emitter->trace, number)->lane)->device ==
               *only;
}

/* Interned id of a name of the trace. */
static inline uint32_t EmitterName(const Emitter *emitter, uint32_t name)
{
    uint32_t *id = &emitter->name_ids[name];

    if (*id == OPPROF_NA_STRING) {
        const Name *entry = NamesAt(&emitter->trace->names, name);

        *id = OpprofStageIntern(emitter->target->stage, entry->text, entry->length);
    }
    return *id;
}

/* Name of what the host was doing when it launched the work, NAME_NONE if unknown. */
static inline uint32_t EmitterOwner(const Emitter *emitter, const WorkEvent *work, HostKind kind)
{
    const HostLinks *host = emitter->target->host;
    const uint32_t owner = host == NULL || (work->flags & WORK_IS_LINKED) == 0
                               ? HOST_NONE
                               : host->owners[work->correlation][kind];

    return owner == HOST_NONE ? NAME_NONE : RankTraceHost(emitter->trace, owner)->name;
}

#define PROCESS_MAX 128u

/* Track of a line of the rank's host; OPPROF_NA_U32 without memory. */
static inline uint32_t EmitterHostTrack(const Emitter *emitter, const char *thread, uint32_t flags)
{
    char process[PROCESS_MAX];

    snprintf(process, sizeof process, "rank %s host", emitter->target->rank);
    return OpprofStageTrack(emitter->target->stage,
                            &(OpprofTrack){ .document = emitter->target->document,
                                            .process = process,
                                            .thread = thread,
                                            .process_sort = (int32_t) emitter->target->rank_sort,
                                            .thread_sort = -1,
                                            .flags = flags });
}

/* Push the operators and modules that only their work names. As EmitTrace. */
OpprofStatus EmitNamed(const Emitter *emitter);

/* Push the elements of the critical path, if a stage reads them. As EmitTrace. */
OpprofStatus EmitPath(const Emitter *emitter);

#endif
