/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_TRACE_STEP_PARTS_H
#define ANALYSE_TRACE_STEP_PARTS_H

#include "rules.h"

#include <stdbool.h>
#include <stdint.h>

/* What a device does at a moment. The parts of a step add up to its time exactly. */
typedef enum StepPart {
    STEP_COMPUTE,       /* a computation runs */
    STEP_COMMUNICATION, /* communication runs, and no computation */
    STEP_COPY,          /* other work runs, and none of these */
    STEP_HOST_WAIT,     /* nothing runs; the next work was not launched when the last one ended */
    STEP_KERNEL_WAIT,   /* nothing runs for less than the threshold */
    STEP_OTHER_WAIT,    /* nothing runs for other causes */
    STEP_PARTS
} StepPart;

/* What each part is called; those in which nothing runs begin with "idle_". */
extern const char *const step_part_names[STEP_PARTS];

/* A stretch of time of one part. */
typedef struct StepPiece {
    uint64_t start_ns;
    uint64_t end_ns;
    StepPart part;
} StepPiece;

/* Stretches that follow each other. */
typedef struct StepPieces {
    StepPiece *list;
    uint32_t count;
    uint32_t capacity;
    bool is_short; /* of memory: some are missing */
} StepPieces;

/* An iteration of a rank. */
typedef struct StepTime {
    uint32_t name;
    uint64_t start_ns;
    uint64_t end_ns;
    uint64_t parts_ns[STEP_PARTS];
    uint64_t communication_ns; /* also where it is hidden by computation */
    uint64_t kernels;          /* pieces of work that were launched in it */
} StepTime;

/*
 * A line that sweeps over the work of all streams of a rank and shares its time out to the
 * iterations. A zeroed one is ready.
 */
typedef struct StepSweep {
    StepTime *steps; /* by start */
    uint32_t count;
    uint32_t capacity;
    uint32_t first;                  /* those before it are over */
    uint64_t now;                    /* up to here all is shared out */
    bool has_work;                   /* some work came */
    uint64_t busy_until;             /* greatest end of work so far */
    uint64_t ends[ACTIVITY_CLASSES]; /* until when each class is active */
    StepPieces *pieces;              /* NULL: nobody wants them; borrowed */
} StepSweep;

/* A piece of work; `launch_ns` is OPPROF_NA_U64 if that is not known. */
typedef struct StepWork {
    ActivityClass class;
    uint64_t start_ns;
    uint64_t end_ns;
    uint64_t launch_ns;
} StepWork;

/* Add an iteration; iterations and work come together, by start. False without memory. */
bool StepSweepStep(StepSweep *sweep, uint32_t name, uint64_t start_ns, uint64_t end_ns);

/*
 * Add a piece of work. Shorter gaps than the threshold are the cost of launching back to back. Pieces begin with the first
 * work; where nothing runs for less than the threshold, that time belongs to the piece before it.
 */
void StepSweepWork(StepSweep *sweep, const StepWork *work, uint64_t threshold_ns);

/* No more work: share out what is left, up to the end of the last iteration. */
void StepSweepEnd(StepSweep *sweep);

void StepSweepFree(StepSweep *sweep);

/* Median of values, which are sorted by this; 0 of none. */
uint64_t StepMedian(uint64_t *values, uint32_t count);

#endif
