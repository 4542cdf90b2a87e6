/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Detects files that changed places between the launches of a run, where no record states its time.
 * Tested by tests/plugins/parse-pmu/test_launches.sh.
 */
#include "across.h"
#include <inttypes.h>
#include <opprof/grow.h>
#include <opprof/plugin.h>
#include <stdlib.h>
#include <string.h>

/* The task log of a launch. */
typedef struct AcrossLog {
    uint32_t device; /* interned, as those of OpprofLaunch */
    uint32_t kernel;
    uint32_t place;
    uint64_t order; /* of the launch among those of its kernel */
    uint64_t earliest;
    uint64_t latest;
    uint64_t counters; /* a hash of the files with its counters */
} AcrossLog;

/* A file with the counters of a replay. */
typedef struct AcrossFile {
    ReplayFile file;
    uint32_t place;
    uint32_t round;
} AcrossFile;

static uint64_t hash_counters(const Launch *launch)
{
    uint64_t hash = 0;

    for (uint32_t round = 0; round < launch->plan->rounds; round++) {
        hash = hash * 31 + launch->replays[round].hash;
    }
    return hash;
}

static bool add_log(Across *across, const Launch *launch)
{
    const OpprofLaunch *base = &launch->base;

    if (!LaunchHasWholeLog(launch) || LaunchIsApplicationReplay(launch) ||
        launch->log.latest == 0 || base->order == OPPROF_NA_STRING) {
        return true;
    }
    if (!OpprofGrow(&across->logs, &across->log_room, across->log_count + 1,
                    sizeof *across->logs)) {
        return false;
    }
    across->logs[across->log_count++] = (AcrossLog){
        .device = base->device,
        .kernel = base->kernel,
        .place = base->partition,
        .order = strtoull(OpprofStageString(base->stage, base->order), NULL, 10),
        .earliest = launch->log.earliest,
        .latest = launch->log.latest,
        .counters = hash_counters(launch),
    };
    return true;
}

static bool add_file(Across *across, const Launch *launch, uint32_t round)
{
    if (!OpprofGrow(&across->files, &across->file_room, across->file_count + 1,
                    sizeof *across->files)) {
        return false;
    }
    across->files[across->file_count++] = (AcrossFile){ .file = launch->replays[round - 1],
                                                        .place = launch->base.partition,
                                                        .round = round };
    return true;
}

/* A collector writes the process of all launches or, where it repeats the program, of none. */
static void count_process(Across *across, const Launch *launch)
{
    size_t length = 0;

    OpprofLaunchInfo(&launch->base, &length);
    if (length > 0) {
        across->launches++;
        across->nameless += OpprofLaunchFact(&launch->base, "pid", &length) == NULL;
    }
}

bool AcrossAdd(Across *across, const Launch *launch)
{
    bool is_good = true;

    count_process(across, launch);
    if (launch->merge.layout->counters.start.mask != 0) { /* they show it by themselves */
        return true;
    }
    is_good = add_log(across, launch);
    for (uint32_t round = 1; is_good && round <= launch->plan->rounds; round++) {
        is_good = !LaunchHasCounts(launch, round) || add_file(across, launch, round);
    }
    return is_good;
}

/* ---- judging ---- */

#define COMPARE(a, b)                                                                              \
    if ((a) != (b)) {                                                                              \
        return (a) < (b) ? -1 : 1;                                                                 \
    }

static int compare_logs(const void *left, const void *right)
{
    const AcrossLog *a = left;
    const AcrossLog *b = right;

    COMPARE(a->device, b->device)
    COMPARE(a->kernel, b->kernel)
    COMPARE(a->order, b->order)
    COMPARE(a->place, b->place)
    return 0;
}

static int compare_files(const void *left, const void *right)
{
    const AcrossFile *a = left;
    const AcrossFile *b = right;

    COMPARE(a->file.hash, b->file.hash)
    COMPARE(a->file.size, b->file.size)
    COMPARE(a->round, b->round)
    COMPARE(a->place, b->place)
    return 0;
}

/* Launches of a kernel on a device are numbered as they follow one another. One that is there twice
 * with all its files was copied. */
static void judge_logs(Across *across, OpprofStage *stage)
{
    for (size_t i = 1; i < across->log_count; i++) {
        const AcrossLog *before = &across->logs[i - 1];
        const AcrossLog *log = &across->logs[i];

        if (log->device == before->device && log->kernel == before->kernel &&
            log->order != before->order && log->earliest < before->latest &&
            (log->earliest != before->earliest || log->counters != before->counters)) {
            OpprofStageIncomplete(stage,
                                  "Launch '%s': its task log begins before that of launch '%s', "
                                  "which was earlier, ends: one of the two is of another launch",
                                  OpprofStageString(stage, log->place),
                                  OpprofStageString(stage, before->place));
        }
    }
}

static void judge_files(Across *across, OpprofStage *stage)
{
    for (size_t i = 1; i < across->file_count; i++) {
        const AcrossFile *before = &across->files[i - 1];
        const AcrossFile *file = &across->files[i];

        if (file->file.hash == before->file.hash && file->file.size == before->file.size &&
            file->round != before->round && file->place != before->place) {
            OpprofStageIncomplete(stage,
                                  "Launch '%s': the counters of its replay %" PRIu32
                                  " have the same bytes as those of replay %" PRIu32
                                  " of launch '%s', which counted other events: the metrics of "
                                  "one of them are wrong",
                                  OpprofStageString(stage, file->place), file->round, before->round,
                                  OpprofStageString(stage, before->place));
        }
    }
}

void AcrossJudge(Across *across, OpprofStage *stage)
{
    if (across->nameless > 0 && across->nameless < across->launches) {
        OpprofStageIncomplete(stage,
                              "%" PRIu64 " of %" PRIu64 " launches do not say of which process "
                              "they are, though the others do: lines of their facts were lost, or "
                              "they are of another run",
                              across->nameless, across->launches);
    }
    if (across->log_count > 0) {
        qsort(across->logs, across->log_count, sizeof *across->logs, compare_logs);
        judge_logs(across, stage);
    }
    if (across->file_count > 0) {
        qsort(across->files, across->file_count, sizeof *across->files, compare_files);
        judge_files(across, stage);
    }
}

void AcrossFinish(Across *across)
{
    free(across->logs);
    free(across->files);
    *across = (Across){ .log_count = 0 };
}
