/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A launch through what onboard-dump does with counters: from raw files to one of the analyses and,
 * where the size is a multiple of VIEWED, to the viewer's container, which a strict reader must
 * accept. What takes any table has a target of its own. The first byte chooses what is asked for,
 * and whether the files are those of one launch or of a run with a range that is to be shared out;
 * the files follow.
 */
#include "fuzz/fuzz.h"
#include "fuzz/launch_run.h"

#include <opprof/record.h>
#include <stdio.h>

/* The two stages of the viewer take as long as the parsing. */
#define VIEWED 4

static const char *const names[] = {
    "op_basic_info.txt", "duration.bin",     "L2Cache.bin",      "MemoryChart.bin",
    "OperandRecord.bin", "DeviceProf1.bin",  "DeviceProf2.bin",  "DeviceProf3.bin",
    "DeviceProf4.bin",   "DeviceProf5.bin",  "DeviceProf6.bin",  "DeviceProf7.bin",
    "DeviceProf8.bin",   "DeviceProf9.bin",  "DeviceProf10.bin", "DeviceProf11.bin",
    "DeviceProf12.bin",  "DeviceProf13.bin", "DeviceProf0.bin",  "op_basic_info.bin",
};

/* The same below a run, for what finds launches and cuts ranges. */
static const char *const places_of_run[] = {
    "device0/add/0/dump/op_basic_info.txt",
    "device0/add/1/dump/op_basic_info.txt",
    "device0/mul/0/dump/op_basic_info.txt",
    "device0/mul/0/dump/DeviceProf1.bin",
    "device1/add/999/dump/duration.bin",
    "device1/add/x/dump/duration.bin",
    "device0/add/0/dump/DeviceProf2.bin",
    "tmp_dump/device0/1/0/output.txt",
    "tmp_dump/device0/1/0/freq.txt",
    "tmp_dump/device0/1/0/duration.bin",
    "tmp_dump/device0/1/0/DeviceProf1.bin",
    "tmp_dump/device0/1/0/DeviceProf2.bin",
    "tmp_dump/device0/1/0/DeviceProf3.bin",
    "tmp_dump/device0/22/1/output.txt",
    "tmp_dump/device0/22/1/DeviceProf1.bin",
    "tmp_dump/device1/x/0/output.txt",
    "tmp_dump",
    "file",
};

/* One for each run: compiling the formulas of all would take most of its time. */
static const char *const analyses[] = { "pmu-tables",    "pmu-compute-load", "pmu-memory",
                                        "pmu-occupancy", "pmu-roofline",     "pmu-basic-info" };

static const char *const metrics[] = { "", "default,occupancy,roofline", "memory",
                                       "pipeutilization,kernelscale,memorydetail" };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char dump[256], pmu[256];

    if (size == 0) {
        return 0;
    }
    const char *series = launch_series[data[0] % LAUNCH_SERIES];
    const char *chip = data[0] / 12 % 2 == 0 ? "auto" : series;
    const char *viewer = size % VIEWED == 0 ? "view-blocks" : NULL;
    const LaunchStage stages[] = { { "collect-onboard", dump },
                                   { "parse-pmu", pmu },
                                   { analyses[data[0] / 48], NULL },
                                   { viewer, NULL },
                                   { "insight", NULL },
                                   { NULL, NULL } };

    if (data[0] / 24 % 2 == 1) {
        LaunchFilesWrite(places_of_run, OPPROF_COUNT(places_of_run), data + 1, size - 1);
    } else {
        LaunchFilesWrite(names, OPPROF_COUNT(names), data + 1, size - 1);
    }
    snprintf(dump, sizeof dump, "{ \"input\": \"%s\", \"chip\": \"%s\" }", LaunchInput(), chip);
    snprintf(pmu, sizeof pmu, "{ \"chip\": \"%s\", \"metrics\": \"%s\", \"operand_threads\": 1 }",
             chip, metrics[data[0] / 3 % OPPROF_COUNT(metrics)]);
    LaunchRunStages(stages, series);
    return 0;
}
