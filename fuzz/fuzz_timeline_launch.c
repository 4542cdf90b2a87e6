/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whole launches through what mc2-dump and biu-dump do with raw records of every kind, up to
 * timelines, overlap, trace.json and the viewer's container. Exporters that take anything have a
 * target of their own, fuzz/fuzz_records.c. The first byte chooses the pipeline, the chip and what
 * is asked for, and whether the files are those of one launch or of two cards that are to be
 * aligned; the files follow.
 */
#include "fuzz/fuzz.h"
#include "fuzz/launch_run.h"

#include <opprof/record.h>
#include <stdio.h>

static const char *const names[] = {
    "op_basic_info.txt",
    "pc_start_addr.txt",
    "DeviceProf1.bin",
    "DeviceProf2.bin",
    "duration.bin",
    "aicpu.bin",
    "aic_timestamp.bin",
    "aicore_binary.o",
    "dfx_tune.log",
    "dfx_region_map.txt",
    "timeline.bin.0",
    "timeline.bin.1",
    "perfmon.core0.aic",
    "perfmon.core35.aiv1",
    "instr.biu_perf_group0_aic.0.slice_0",
    "instr.biu_perf_group0_aic.0.slice_1",
    "instr.biu_perf_group5_aiv1.1.slice_0",
    "instr.group_1_aic.0.slice_0",
    "instr.group_1_aiv0.0.slice_0",
};

static const char *const places_of_cards[] = {
    "device0/add/0/dump/op_basic_info.txt", "device1/add/0/dump/op_basic_info.txt",
    "device0/add/0/dump/DeviceProf1.bin",   "device1/add/0/dump/DeviceProf1.bin",
    "device0/add/0/dump/duration.bin",      "device1/add/0/dump/duration.bin",
    "device0/add/0/dump/aicpu.bin",         "device1/add/0/dump/aicpu.bin",
    "device0/add/0/dump/aic_timestamp.bin", "device1/add/0/dump/aic_timestamp.bin",
    "device0/mul/1/dump/timeline.bin.0",    "device1/mul/1/dump/perfmon.core7.aiv0",
};

#define MC2_FILES "info,code_start,counters,task_log,aicpu,marks"
#define BIU_FILES                                                                                  \
    "info,code_start,tune_log,region_map,pipe_words,pipe_windows,pipe_groups,pipe_monitors"

/* As in pipelines/mc2-dump.json. */
static const char overlap_params[] =
    "{ \"computation\": \"name:cube time,name:vector time\", "
    "\"communication\": \"process:HCCL\", "
    "\"waiting\": \"name:Notify_Wait,name:NOTIFY_WAIT_SQE,name:EVENT_WAIT_SQE\", "
    "\"curve\": true }";

static void run_mc2(const char *chip, const char *series)
{
    char dump[512], mc2[64], timeline[256];
    const LaunchStage stages[] = { { "collect-onboard", dump },
                                   { "parse-mc2", mc2 },
                                   { "mc2-timeline", timeline },
                                   { "overlap", overlap_params },
                                   { "trace", NULL },
                                   { "insight", NULL },
                                   { NULL, NULL } };

    snprintf(dump, sizeof dump, "{ \"input\": \"%s\", \"chip\": \"%s\", \"files\": \"%s\" }",
             LaunchInput(), chip, MC2_FILES);
    snprintf(mc2, sizeof mc2, "{ \"chip\": \"%s\" }", chip);
    snprintf(timeline, sizeof timeline, "{ \"input\": \"%s\" }", LaunchInput());
    LaunchRunLinked(stages, "mc2-timeline.spans", "overlap.spans", series);
}

static void run_biu(const char *chip, const char *series, const char *timeline)
{
    char dump[512], biu[128];
    const LaunchStage stages[] = { { "collect-onboard", dump }, { "parse-biu", biu },
                                   { "biu-timeline", NULL },    { "trace", NULL },
                                   { "insight", NULL },         { NULL, NULL } };

    snprintf(dump, sizeof dump, "{ \"input\": \"%s\", \"chip\": \"%s\", \"files\": \"%s\" }",
             LaunchInput(), chip, BIU_FILES);
    snprintf(biu, sizeof biu, "{ \"chip\": \"%s\", \"timeline\": \"%s\" }", chip, timeline);
    LaunchRunStages(stages, series);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    const uint8_t choice = data[0];
    const char *series = launch_series[choice % 3];
    const char *chip = choice / 6 % 2 == 0 ? "auto" : series;

    if (choice / 24 % 2 == 1) {
        LaunchFilesWrite(places_of_cards, OPPROF_COUNT(places_of_cards), data + 1, size - 1);
    } else {
        LaunchFilesWrite(names, OPPROF_COUNT(names), data + 1, size - 1);
    }
    if (choice / 3 % 2 == 1) {
        run_biu(chip, series, choice / 12 % 2 == 0 ? "pipes" : "instructions");
    } else {
        run_mc2(chip, series);
    }
    return 0;
}
