/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a run says of itself. Tested by tests/plugins/collect-opencl/test_opencl.sh.
 */
#include "collect-opencl/report.h"

#include <inttypes.h>
#include <opprof/text.h>
#include <stdio.h>
#include <string.h>

#define MOST_NAMED 4u     /* different commands in a sentence */
#define VAGUE_NS 1000000u /* a clock that may be wrong by more is worth a warning */
#define WORDS_NOTHING "No command was recorded"

void ReportGone(OpprofStage *stage, const Process *process, bool was_ended, const char *why)
{
    if (why != NULL) {
        OpprofStageIncomplete(stage, "Process %" PRIu32 " is not recorded any more: %s",
                              process->pid, why);
    } else if (!process->has_ended && !was_ended) {
        OpprofStageIncomplete(stage,
                              "Process %" PRIu32 " ended without its exit handlers (killed, or by "
                              "_exit or exec): what it enqueued last is missing",
                              process->pid);
    }
}

void ReportClocks(const Emitter *emitter)
{
    const Process *process = emitter->process;

    for (uint32_t i = 0; i < process->device_count; i++) {
        const ClockFit *fit = &emitter->fits[i];
        const char *name = OpprofStageString(emitter->stage, process->devices[i].name);

        if (fit->is_vague) {
            OpprofStageWarn(emitter->stage,
                            "Device %" PRIu32 " (%s) of process %" PRIu32
                            " says that commands were queued outside of the calls that queue them: "
                            "its times may be off by %" PRIu64 " us against the host's",
                            i + 1, name, process->pid, fit->error / 1000);
        } else if (fit->count > 0 && fit->error > VAGUE_NS) {
            OpprofStageWarn(emitter->stage,
                            "The times of device %" PRIu32 " (%s) of process %" PRIu32
                            " may be off by %" PRIu64 " us against the host's",
                            i + 1, name, process->pid, fit->error / 1000);
        }
    }
}

/* ---- commands without times ---- */

typedef struct Named {
    uint32_t name;
    uint64_t count;
} Named;

/* "'spin' (2), 'clEnqueueReadBuffer' (1)", of the commands that have a flag and not another. */
static uint64_t name_all(OpprofStage *stage, const Process *process, unsigned flag, unsigned but,
                         char *text, size_t size)
{
    Named named[MOST_NAMED] = { { 0, 0 } };
    uint64_t all = 0, others = 0;
    size_t used = 0;

    for (uint32_t i = 0; i < process->command_count; i++) {
        const OpprofOpenclCommand *command = &process->commands[i];
        const OpprofOpenclKernel *kernel = ProcessKernelOf(process, command);
        const uint32_t name =
            ProcessName(process, kernel == NULL ? command->function : kernel->name);
        unsigned place = 0;

        if ((command->flags & flag) == 0 || (command->flags & but) != 0) {
            continue;
        }
        all++;
        while (place < MOST_NAMED && named[place].count > 0 && named[place].name != name) {
            place++;
        }
        if (place < MOST_NAMED) {
            named[place].name = name;
            named[place].count++;
        } else {
            others++;
        }
    }
    text[0] = '\0';
    for (unsigned i = 0; i < MOST_NAMED && named[i].count > 0 && used < size; i++) {
        used += (size_t) snprintf(
            text + used, size - used, "%s'%.100s' (%" PRIu64 ")", i == 0 ? "" : ", ",
            named[i].name == OPPROF_NA_STRING ? "?" : OpprofStageString(stage, named[i].name),
            named[i].count);
    }
    if (others > 0 && used < size) {
        snprintf(text + used, size - used, ", others (%" PRIu64 ")", others);
    }
    return all;
}

static void report_refusals(OpprofStage *stage, const Process *process)
{
    for (uint32_t i = 0; i < process->queue_count; i++) {
        const OpprofOpenclQueue *queue = &process->queues[i];

        if ((queue->flags & OPPROF_OPENCL_QUEUE_REFUSED) != 0) {
            OpprofStageIncomplete(stage,
                                  "Queue %" PRIu32 " of process %" PRIu32
                                  " was refused profiling (error %" PRId32
                                  "): its commands have no times",
                                  queue->id, process->pid, queue->error);
        }
    }
}

void ReportProcess(OpprofStage *stage, const Process *process, ReportCounts *counts)
{
    const struct {
        unsigned flag, but;
        const char *says;
    } kinds[] = {
        { OPPROF_OPENCL_UNFINISHED, 0, "not finished when the process ended" },
        { OPPROF_OPENCL_FAILED, OPPROF_OPENCL_UNFINISHED, "ended by an error" },
    };
    char text[640];

    counts->commands += process->command_count;
    report_refusals(stage, process);
    for (size_t i = 0; i < OPPROF_COUNT(kinds); i++) {
        const uint64_t count =
            name_all(stage, process, kinds[i].flag, kinds[i].but, text, sizeof text);

        if (count > 0) {
            OpprofStageIncomplete(stage, "%" PRIu64 " %s of process %" PRIu32 " %s %s: %s", count,
                                  OPPROF_PLURAL(count, "command", "commands"), process->pid,
                                  OPPROF_PLURAL(count, "was", "were"), kinds[i].says, text);
        }
    }
    if (process->lost > 0) {
        OpprofStageIncomplete(stage,
                              "%" PRIu64 " records of process %" PRIu32
                              " are missing: it had no memory for them",
                              process->lost, process->pid);
    }
}

/* ---- the run ---- */

void ReportRun(const OpprofLiveRun *run, const OpprofLiveFilter *filter, const ReportCounts *counts)
{
    static const OpprofLiveWords words = {
        .nothing = WORDS_NOTHING,
        .runtime = "OpenCL through a loader that knows layers (ocl-icd, Khronos)",
        .made = "enqueued"
    };

    OpprofStageCount(run->stage, "commands recorded", counts->commands);
    if (counts->commands == 0 && counts->clients > 0) {
        if (counts->notes == 0) {
            OpprofStageIncomplete(run->stage, "%s: '%s' used OpenCL, and enqueued none",
                                  words.nothing, run->app.words[0]);
        }
    } else if (counts->commands == 0 || filter->launches > 0) {
        OpprofLiveRunReportLaunches(run,
                                    &(OpprofLiveLaunchCounts){ .filter = filter,
                                                               .profiled = counts->profiled,
                                                               .clients = counts->clients },
                                    &words);
    }
}
