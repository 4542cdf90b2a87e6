/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MC2_TASK_LOG_H
#define MC2_TASK_LOG_H

#include "facts.h"
#include <opprof/map.h>

/*
 * The task scheduler's log: starts and ends of tasks, paired by task and stream. Keeps 40 bytes per
 * task, since communication tasks look up their times here.
 */

/* A task that started and ended. Times are of the system counter. */
typedef struct TaskTime {
    uint64_t start;
    uint64_t end;
    uint32_t stream; /* normalised */
    uint32_t task;   /* normalised */
    uint32_t type;
    uint32_t next; /* next one of the same stream and task, as index; UINT32_MAX: none */
} TaskTime;

/* Known streams and tasks. */
typedef struct TaskKey {
    uint64_t start; /* of the running task; 0: none */
    uint32_t type;
    uint32_t first; /* its times, as indexes; UINT32_MAX: none yet */
    uint32_t last;
    uint32_t taken; /* the next one that a communication task gets */
} TaskKey;

typedef struct TaskLogCounts {
    uint64_t records;
    uint64_t tasks;         /* that started and ended */
    uint64_t other;         /* records of other functions: normal */
    uint64_t repeated;      /* repeated starts of a task; the later one counts */
    uint64_t without_start; /* ends */
    uint64_t without_end;   /* starts; known after TaskLogEnd */
    uint64_t backwards;     /* ends before their start: the task is left out */
    uint64_t again;         /* repeated tasks with the same times: left out */
    uint64_t timeless;      /* records without a time */
} TaskLogCounts;

/* Starts of the launch's own tasks. */
typedef struct CoreStart {
    uint64_t time;
    uint32_t stream;
    uint32_t task;
    bool is_cpu; /* a task of the AI CPU, else of AI cores */
} CoreStart;

typedef struct TaskLog {
    const OpprofTaskRecord *layout; /* borrowed */
    OpprofMap map;                  /* (task, stream): index into keys */
    TaskKey *keys;
    size_t key_count;
    size_t key_capacity;
    TaskTime *times;
    size_t time_count;
    size_t time_capacity;
    CoreStart *cores;
    size_t core_count;
    size_t core_capacity;
    TaskLogCounts counts;
} TaskLog;

/* Task and stream as all records name them. */
void TaskNormalise(uint32_t *stream, uint32_t *task);

/* Take records of the layout's size. False without memory. */
bool TaskLogRecords(TaskLog *log, const unsigned char *records, size_t count);

/* All records have been added. */
void TaskLogEnd(TaskLog *log);

/*
 * Time of the next communication task of that number; the k-th report of a task and stream gets the
 * k-th time. NULL: no time for it. Only the low 16 bits of `task` count.
 */
const TaskTime *TaskLogTake(TaskLog *log, uint32_t stream, uint32_t task);

/* When the launch began; 0: the log has no such start. */
typedef struct LaunchStart {
    uint64_t cores;
    uint64_t cpu; /* of the AI CPU's task, which belongs to operators that communicate */
    uint64_t core_end;
} LaunchStart;

/*
 * Find the launch by stream and task (already normalised). If the log does not have it, or
 * `is_known` is false, the last start of a core task counts.
 */
LaunchStart TaskLogLaunch(const TaskLog *log, bool is_known, uint32_t stream, uint32_t task);

void TaskLogFinish(TaskLog *log);

#endif
