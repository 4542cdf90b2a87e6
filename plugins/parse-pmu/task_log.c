/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the task scheduler's log of a launch. Tested by tests/plugins/parse-pmu/test_records. */
#include "task_log.h"

#include <opprof/record.h>

/* A log that comes twice begins anew with what it began with. */
static void note_start(TaskLog *log, const OpprofTaskMark *mark)
{
    const uint64_t task = (uint64_t) mark->stream << 32 | mark->task;

    if (log->first_start == 0) {
        log->first_start = log->start;
        log->first_task = task;
    } else if (log->start == log->first_start && task == log->first_task) {
        log->repeats++;
        log->sum_before = log->sum;
        log->sum = 0;
    }
    log->sum = log->sum * 31 + log->start;
}

static void note_time(TaskLog *log, uint64_t time)
{
    log->earliest = log->earliest == 0 || time < log->earliest ? time : log->earliest;
    log->latest = time > log->latest ? time : log->latest;
}

static void take_start(TaskLog *log, const OpprofTaskMark *mark)
{
    log->returns += log->start != 0 && mark->time < log->start;
    log->mixed += log->open > 0 && mark->time < log->start;
    log->start = mark->time;
    log->open++;
    note_start(log, mark);
}

static void take_end(TaskLog *log, const OpprofTaskMark *mark)
{
    log->end = mark->time;
    log->ends++;
    log->is_early = log->open == 0;
    log->early += log->is_early;
    log->open -= !log->is_early;
}

void TaskLogRecords(TaskLog *log, const unsigned char *records, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        OpprofTaskMark mark;

        if (!OpprofTaskMarkRead(log->layout, records + i * log->layout->size, &mark)) {
            continue;
        }
        note_time(log, mark.time);
        if (mark.is_of_core) {
            log->records++;
            (mark.is_start ? take_start : take_end)(log, &mark);
        }
    }
}

double TaskLogDuration(const TaskLog *log, double khz)
{
    if (log->start == 0 || log->end < log->start || TaskLogLacksStart(log) || !(khz > 0)) {
        return OpprofNaF64();
    }
    return (double) (log->end - log->start) * 1000 / khz;
}
