/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_TRACE_HOST_HOST_RANK_H
#define ANALYSE_TRACE_HOST_HOST_RANK_H

#include "analyse-trace/host/annotation_steps.h"

#include <opprof/records/path.h>
#include <stdbool.h>

/*
 * What the host of a rank did, and what it did while a device had nothing to do. Elements of the
 * path come by start, so only what is open is kept, and sums: a device is idle from the end of its
 * work to its next work, and what the thread that launched that work did in between is the cause,
 * if it launched the work only then.
 */

typedef enum HostKind {
    HOST_OUTSIDE, /* nothing is known */
    HOST_OPERATOR,
    HOST_ANNOTATION,
    HOST_FRAME, /* a long function of its language, outside of operators and annotations */
    HOST_LAUNCH,
    HOST_COPY,
    HOST_SYNCHRONISE,
    HOST_ALLOCATE,
    HOST_OTHER_CALL,
    HOST_LAUNCHED, /* the work had been launched before: the host is not the cause */
    HOST_UNKNOWN,  /* it is unknown what launched the work */
    HOST_KINDS
} HostKind;

/* What the host did, and in what: one for each name in each operator and annotation around it. */
typedef struct HostActivity {
    uint32_t name;              /* interned; OPPROF_NA_STRING */
    uint32_t kind;              /* HostKind */
    uint32_t around_operator;   /* the outermost around it */
    uint32_t around_annotation; /* the innermost around it that is not an iteration */
    uint32_t inner_operator;    /* the innermost around it */
    uint32_t reserved;
    uint64_t count;   /* how often it began */
    uint64_t total;   /* ticks of all of them */
    uint64_t longest; /* of one of them */
    uint64_t after;   /* device time that was idle from within it to the next work */
} HostActivity;

/* Idle time of a device while the host did one thing. */
typedef struct HostIdle {
    uint32_t activity;
    uint32_t step; /* of the longest: interned name of the iteration; OPPROF_NA_STRING */
    uint64_t ticks;
    uint64_t count;         /* stretches of idle time in which it has a part */
    uint64_t longest;       /* part of one of them */
    uint64_t longest_start; /* start of that stretch */
} HostIdle;

typedef struct HostDevice {
    uint32_t name; /* interned */
    bool has_any;
    uint64_t busy_until;
    uint64_t stretches; /* of idle time */
    ItemMap idle;       /* of HostIdle, by number of the activity */
} HostDevice;

typedef enum HostWork { HOST_COMPUTATION, HOST_COMMUNICATION, HOST_OTHER_WORK } HostWork;

/* An iteration, the work that is launched in it, and the idle time that begins in it. */
typedef struct HostStep {
    uint32_t name;
    uint32_t most; /* number of the activity that has most of it */
    uint64_t start;
    uint64_t end;
    uint64_t idle;
    uint64_t most_ticks;
    uint64_t kernels;
    uint64_t work[HOST_OTHER_WORK]; /* ticks by kind, durations added up */
} HostStep;

typedef struct HostThread HostThread;

/* What the host of a rank did so far. Zeroed at first. */
typedef struct HostRank {
    ItemMap scopes;     /* of outermost operator and annotation around; numbers them */
    ItemMap places;     /* of scope and innermost operator around; numbers them */
    ItemMap activities; /* of HostActivity, by place and name */
    ItemMap threads;    /* of HostThread */
    ItemMap devices;    /* of HostDevice, by interned name */
    ItemMap step_idle;  /* ticks by activity in the current step */
    HostStep *steps;    /* by start */
    uint32_t step_count;
    uint32_t step_capacity;
    uint32_t step; /* that the idle time of step_idle began in */
} HostRank;

/* Something that the host did. `kind` is not that of a stretch; `is_followed`: the work that it
 * launches is counted, as that of annotations is. False without memory. */
bool HostRankBegin(HostRank *rank, const OpprofPathEvent *event, HostKind kind, bool is_followed);

/* An iteration began. False without memory. */
bool HostRankStep(HostRank *rank, const OpprofPathEvent *event);

/* Work of a device began. False without memory. */
bool HostRankWork(HostRank *rank, const OpprofPathEvent *event, uint32_t device, HostWork work);

/* The rank is complete. */
void HostRankEnd(HostRank *rank);

/* Add up annotations that begin in an iteration: an AnnotationSum for each AnnotationKey of name
 * and number of the iteration. False without memory. */
bool HostRankAnnotations(const HostRank *rank, ItemMap *sums);

/* A zeroed one is allowed. */
void HostRankFinish(HostRank *rank);

static inline HostActivity *HostRankActivity(const HostRank *rank, uint32_t number)
{
    return ItemMapAt(&rank->activities, number);
}

#endif
