/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_EMIT_EMIT_H
#define COLLECT_KINETO_EMIT_EMIT_H

#include "collect-kineto/rank/host.h"

#include <opprof/stage.h>

/* Kinds of the critical path's elements. */
typedef enum PathKind {
    PATH_OPERATOR,
    PATH_ANNOTATION,
    PATH_FRAME,
    PATH_CALL,
    PATH_WORK,
    PATH_WAIT,
    PATH_KINDS
} PathKind;

/* Interned words of the spans. */
typedef struct EmitWords {
    uint32_t classes[WORK_CLASSES];
    uint32_t host[HOST_KINDS];
    uint32_t path[PATH_KINDS];
    uint32_t step;
    uint32_t bandwidth;
    uint32_t bytes;
    uint32_t collective;
    uint32_t correlation;
    uint32_t enqueued;
    uint32_t group;
    uint32_t group_size;
    uint32_t in_bytes;
    uint32_t launch_duration;
    uint32_t launch_start;
    uint32_t launched;
    uint32_t launched_duration;
    uint32_t out_bytes;
    uint32_t sequence;
} EmitWords;

/* False without memory. [stage] */
bool EmitWordsInit(EmitWords *words, OpprofStage *stage);

/* Where the spans of a trace go, and their common facts. */
typedef struct EmitTarget {
    OpprofStage *stage;
    uint32_t port;
    uint32_t host_port;
    uint32_t shaped_port;
    uint32_t path_port;
    uint32_t grid_port;
    HostLinks *host; /* NULL: not read */
    const EmitWords *words;
    const char *document; /* of the timeline; each of several ranks has its own */
    const char *rank;     /* name of the rank */
    const char *device;   /* model; empty: unknown */
    uint32_t units;       /* of the device; 0: unknown */
    const int64_t *only;  /* the device whose work is emitted; NULL: all */
    bool has_host;        /* what the host did is emitted, too: once for all devices of a file */
    uint32_t rank_sort;   /* place of the rank among the others */
    int64_t offset_ps;    /* of the trace's earliest time from the run's origin */
    int64_t epoch_ns;     /* the run's origin according to the traces */
} EmitTarget;

/* Clock of what is emitted; 0 without memory. */
uint32_t EmitClock(const EmitTarget *target);

/*
 * Push the work and the steps of a trace as spans, by start. Ticks are nanoseconds from the
 * trace's earliest time. The last batch says that nothing follows.
 *
 * Returns OPPROF_OK, OPPROF_CLOSED or OPPROF_E_MEMORY.
 */
OpprofStatus EmitTrace(const EmitTarget *target, const RankTrace *trace, const LinkedTrace *linked);

#endif
