/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_PMU_TASK_LOG_H
#define PARSE_PMU_TASK_LOG_H

#include "layout.h"

/* The task scheduler's log of a launch: the last start and the last end of its replays. */
typedef struct TaskLog {
    const OpprofTaskRecord *layout; /* borrowed */
    uint64_t start;                 /* tick; 0: none */
    uint64_t end;
    uint64_t open;        /* starts whose end has not come */
    uint64_t early;       /* ends that came before their start, or whose start was lost */
    bool is_early;        /* the last end is one of them */
    uint64_t ends;        /* number of ends: one for each replay */
    uint64_t records;     /* number of records that counted */
    uint64_t first_start; /* tick; 0: none */
    uint64_t first_task;  /* its stream and task */
    uint64_t repeats;     /* how often the first start comes again */
    uint64_t sum;         /* of all starts since it came */
    uint64_t sum_before;  /* the same until it came again */
    uint64_t returns;     /* starts that are earlier than the one before */
    uint64_t mixed;       /* the same, and the end of that one has not come */
    uint64_t earliest;    /* tick of any task, also of those that do not count; 0: none */
    uint64_t latest;
} TaskLog;

void TaskLogRecords(TaskLog *log, const unsigned char *records, size_t count);

/* The last end has no start of its own: it was lost. */
static inline bool TaskLogLacksStart(const TaskLog *log)
{
    return log->is_early && log->early > log->open;
}

/* The log is there twice. */
static inline bool TaskLogIsDouble(const TaskLog *log)
{
    return log->repeats == 1 && log->sum == log->sum_before;
}

/* Several runs of a program follow one another, and the clock of each begins anew. */
static inline bool TaskLogHasRuns(const TaskLog *log)
{
    return log->returns > 0 && !TaskLogIsDouble(log);
}

/* Time from start to end in us; the absent double if one is missing, the end comes first or the
 * start is that of an earlier end. */
double TaskLogDuration(const TaskLog *log, double khz);

#endif
