/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the task scheduler's log of a launch. Tested by tests/plugins/parse-pmu/test_records. */
#include "task_log.h"

#include <opprof/record.h>

static bool counts(const OpprofTaskRecord *layout, const unsigned char *record)
{
    return layout->task_types == 0 ||
           LayoutHas(layout->task_types, OpprofRecordBitsGet(&layout->task_type, record));
}

/* A log that comes twice begins anew with what it began with. */
static void note_start(TaskLog *log, const unsigned char *record)
{
    const uint64_t task = OpprofRecordBitsGet(&log->layout->stream, record) << 32 |
                          OpprofRecordBitsGet(&log->layout->task, record);

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

void TaskLogRecords(TaskLog *log, const unsigned char *records, size_t count)
{
    const OpprofTaskRecord *layout = log->layout;

    for (size_t i = 0; i < count; i++) {
        const unsigned char *record = records + i * layout->size;
        const uint64_t function = OpprofRecordBitsGet(&layout->function, record);
        if (function != layout->start && function != layout->end) {
            continue;
        }
        note_time(log, OpprofRecordBitsGet(&layout->time, record));
        if (!counts(layout, record)) {
            continue;
        }
        log->records++;
        if (function == layout->start) {
            const uint64_t earlier = log->start;

            log->start = OpprofRecordBitsGet(&layout->time, record);
            log->returns += earlier != 0 && log->start < earlier;
            log->open++;
            note_start(log, record);
        } else {
            log->end = OpprofRecordBitsGet(&layout->time, record);
            log->ends++;
            log->is_early = log->open == 0;
            log->early += log->is_early;
            log->open -= !log->is_early;
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
