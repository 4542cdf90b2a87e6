/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pairs the starts and ends in duration.bin.
 * Tested by tests/plugins/mc2/test_tasks.c.
 */
#include "task_log.h"

#include "names.h"
#include <opprof/grow.h>
#include <stdlib.h>

#define NONE UINT32_MAX

void TaskNormalise(uint32_t *stream, uint32_t *task)
{
    const uint32_t s = *stream;
    const uint32_t t = *task;

    if ((s & 0x1000) != 0) {
        *task = (t & 0x1fff) | (s & 0xe000);
        *stream = s % 2048;
    } else if ((s & 0x2000) != 0) {
        *task = (t & 0xf000) | (s & 0x0fff);
        *stream = t & 0x0fff;
    } else {
        *stream = s % 2048;
    }
}

static uint64_t key_of(uint32_t stream, uint32_t task)
{
    return (uint64_t) task << 32 | stream;
}

static TaskKey *find_key(TaskLog *log, uint32_t stream, uint32_t task)
{
    const uint32_t index = OpprofMapFind(&log->map, key_of(stream, task));

    if (index != OPPROF_MAP_NONE) {
        return &log->keys[index];
    }
    if (log->key_count >= NONE - 1 ||
        !OpprofGrow(&log->keys, &log->key_capacity, log->key_count + 1, sizeof *log->keys) ||
        !OpprofMapPut(&log->map, key_of(stream, task), (uint32_t) log->key_count)) {
        return NULL;
    }
    log->keys[log->key_count] = (TaskKey){ .first = NONE, .last = NONE, .taken = NONE };
    return &log->keys[log->key_count++];
}

static bool note_core_start(TaskLog *log, const OpprofTaskMark *mark)
{
    if (!mark->is_of_core && mark->type != TASK_TYPE_AI_CPU) {
        return true;
    }
    if (!OpprofGrow(&log->cores, &log->core_capacity, log->core_count + 1, sizeof *log->cores)) {
        return false;
    }
    log->cores[log->core_count++] = (CoreStart){
        .time = mark->time, .stream = mark->stream, .task = mark->task, .is_cpu = !mark->is_of_core
    };
    return true;
}

static bool take_start(TaskLog *log, TaskKey *key, const OpprofTaskMark *mark)
{
    log->counts.repeated += key->start != 0;
    key->start = mark->time;
    key->type = (uint32_t) mark->type;
    return note_core_start(log, mark);
}

/* Logs are sorted by time: only a record that goes back is searched. */
static bool has_come(const TaskLog *log, const TaskKey *key, uint64_t start, uint64_t end)
{
    if (key->last == NONE || start > log->times[key->last].start) {
        return false;
    }
    for (uint32_t i = key->first; i != NONE; i = log->times[i].next) {
        if (log->times[i].start == start && log->times[i].end == end) {
            return true;
        }
    }
    return false;
}

static bool take_end(TaskLog *log, TaskKey *key, const OpprofTaskMark *end)
{
    if (key->start == 0) {
        log->counts.without_start++;
        return true;
    }
    const uint64_t start = key->start;
    key->start = 0;
    if (end->time < start) {
        log->counts.backwards++;
        return true;
    }
    if (has_come(log, key, start, end->time)) {
        log->counts.again++;
        return true;
    }
    if (log->time_count >= NONE - 1 ||
        !OpprofGrow(&log->times, &log->time_capacity, log->time_count + 1, sizeof *log->times)) {
        return false;
    }
    const uint32_t index = (uint32_t) log->time_count++;
    log->times[index] = (TaskTime){ .start = start,
                                    .end = end->time,
                                    .stream = end->stream,
                                    .task = end->task,
                                    .type = key->type,
                                    .next = NONE };
    if (key->last == NONE) {
        key->first = index;
        key->taken = index;
    } else {
        log->times[key->last].next = index;
        key->taken = key->taken == NONE ? index : key->taken;
    }
    key->last = index;
    log->counts.tasks++;
    return true;
}

static bool take_record(TaskLog *log, const unsigned char *record)
{
    OpprofTaskMark mark;

    log->counts.records++;
    if (!OpprofTaskMarkRead(log->layout, record, &mark)) {
        log->counts.other++;
        return true;
    }
    if (mark.time == 0) {
        log->counts.timeless++;
        return true;
    }
    TaskNormalise(&mark.stream, &mark.task);
    TaskKey *key = find_key(log, mark.stream, mark.task);

    return key != NULL && (mark.is_start ? take_start : take_end)(log, key, &mark);
}

bool TaskLogRecords(TaskLog *log, const unsigned char *records, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!take_record(log, records + i * log->layout->size)) {
            return false;
        }
    }
    return true;
}

void TaskLogEnd(TaskLog *log)
{
    log->counts.without_end = 0;
    for (size_t i = 0; i < log->key_count; i++) {
        log->counts.without_end += log->keys[i].start != 0;
    }
}

const TaskTime *TaskLogTake(TaskLog *log, uint32_t stream, uint32_t task)
{
    const uint32_t index = OpprofMapFind(&log->map, key_of(stream, task & 0xffff));

    if (index == OPPROF_MAP_NONE) {
        return NULL;
    }
    TaskKey *key = &log->keys[index];
    if (key->taken == NONE) {
        return NULL;
    }
    const TaskTime *time = &log->times[key->taken];
    key->taken = time->next;
    return time;
}

/* End of the core task that began then. */
static uint64_t end_of(const TaskLog *log, const CoreStart *start)
{
    for (size_t i = log->time_count; i > 0; i--) {
        const TaskTime *time = &log->times[i - 1];
        if (time->start == start->time && time->stream == start->stream &&
            time->task == start->task) {
            return time->end;
        }
    }
    return 0;
}

static const CoreStart *find_cores(const TaskLog *log, bool is_known, uint32_t stream,
                                   uint32_t task)
{
    const CoreStart *last = NULL;

    for (size_t i = log->core_count; i > 0; i--) {
        const CoreStart *start = &log->cores[i - 1];
        if (start->is_cpu) {
            continue;
        }
        last = last == NULL ? start : last;
        if (is_known && start->stream == stream && start->task == task) {
            return start;
        }
    }
    return last;
}

LaunchStart TaskLogLaunch(const TaskLog *log, bool is_known, uint32_t stream, uint32_t task)
{
    LaunchStart launch = { .cores = 0 };
    const CoreStart *cores = find_cores(log, is_known, stream, task);

    if (cores != NULL) {
        launch.cores = cores->time;
        launch.core_end = end_of(log, cores);
    }
    /* Of several, the latest that does not begin after the cores; without a start of cores, the
     * latest of all. */
    for (size_t i = 0; i < log->core_count; i++) {
        const CoreStart *start = &log->cores[i];
        const bool is_candidate = start->is_cpu && (cores == NULL || start->time <= cores->time);
        if (is_candidate && start->time >= launch.cpu) {
            launch.cpu = start->time;
        }
    }
    return launch;
}

void TaskLogFinish(TaskLog *log)
{
    OpprofMapFinish(&log->map);
    free(log->keys);
    free(log->times);
    free(log->cores);
    *log = (TaskLog){ .layout = log->layout };
}
