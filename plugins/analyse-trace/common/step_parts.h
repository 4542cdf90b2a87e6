/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_TRACE_COMMON_STEP_PARTS_H
#define ANALYSE_TRACE_COMMON_STEP_PARTS_H

#include "analyse-trace/common/rules.h"

#include <stdbool.h>
#include <stdint.h>

/* State of a device at a moment. The parts of a step add up exactly to its time. */
typedef enum StepPart {
    STEP_COMPUTE,       /* a computation runs */
    STEP_COMMUNICATION, /* communication runs, but no computation */
    STEP_COPY,          /* other work runs, but none of these */
    STEP_HOST_WAIT,     /* nothing runs; the next work was launched after the last one ended */
    STEP_KERNEL_WAIT,   /* nothing runs for less than the threshold */
    STEP_OTHER_WAIT,    /* nothing runs for other reasons */
    STEP_PARTS
} StepPart;

/* The names of the parts; those in which nothing runs begin with "idle_". */
extern const char *const step_part_names[STEP_PARTS];

/* A stretch of time of one part. */
typedef struct StepPiece {
    uint64_t start_ns;
    uint64_t end_ns;
    StepPart part;
} StepPiece;

/* Consecutive stretches. */
typedef struct StepPieces {
    StepPiece *list;
    uint32_t count;
    uint32_t capacity;
    bool is_short; /* no memory: some are missing */
} StepPieces;

/* An iteration of a rank. */
typedef struct StepTime {
    uint32_t name;
    uint64_t start_ns;
    uint64_t end_ns;
    uint64_t reach_ns; /* latest end of it and those before, which may overlap it */
    uint64_t parts_ns[STEP_PARTS];
    uint64_t communication_ns; /* including the part hidden by computation */
    uint64_t kernels;          /* pieces of work that were launched in it */
} StepTime;

/*
 * A line that sweeps over the work of all streams of a rank and divides its time among the
 * iterations. A zeroed one is ready.
 */
typedef struct StepSweep {
    StepTime *steps; /* by start */
    uint32_t count;
    uint32_t capacity;
    uint32_t first;                  /* earlier ones are over */
    uint64_t now;                    /* divided up to here */
    bool has_work;                   /* some work came */
    uint64_t busy_until;             /* greatest end of work so far */
    uint64_t ends[ACTIVITY_CLASSES]; /* until when each class is active */
    StepPieces *pieces;              /* NULL: not requested; borrowed */
} StepSweep;

/* A piece of work; `launch_ns` is OPPROF_NA_U64 if unknown. */
typedef struct StepWork {
    ActivityClass class;
    uint64_t start_ns;
    uint64_t end_ns;
    uint64_t launch_ns;
} StepWork;

/* Add an iteration; iterations and work come together, by start. False without memory. */
bool StepSweepStep(StepSweep *sweep, uint32_t name, uint64_t start_ns, uint64_t end_ns);

/*
 * Add a piece of work. Gaps shorter than the threshold are the cost of launching back to back.
 * Pieces begin with the first work; idle time shorter than the threshold belongs to the piece
 * before it.
 */
void StepSweepWork(StepSweep *sweep, const StepWork *work, uint64_t threshold_ns);

/* No more work: divide the rest, up to the end of the last iteration. */
void StepSweepEnd(StepSweep *sweep);

void StepSweepFree(StepSweep *sweep);

/* Median of values, which this sorts; 0 without values. */
uint64_t StepMedian(uint64_t *values, uint32_t count);

#endif
