/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whole launches through mc2-dump and biu-dump: from raw records of every kind to timelines, overlap and the
 * viewer's container. The first byte chooses the pipeline, the chip and what is asked for, and whether
 * the files are those of one launch or of two cards that are to be aligned; the files follow.
 */
#include "fuzz/fuzz.h"
#include "fuzz/launch_run.h"

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    const uint8_t choice = data[0];
    const bool is_biu = choice / 3 % 2 == 1;
    const char *series = launch_series[choice % 3];
    const LaunchSetting settings[] = { { "chip", choice / 6 % 2 == 0 ? "auto" : series },
                                       { is_biu ? "timeline" : NULL,
                                         choice / 12 % 2 == 0 ? "pipes" : "instructions" },
                                       { NULL, NULL } };

    if (choice / 24 % 2 == 1) {
        LaunchFilesWrite(places_of_cards, sizeof places_of_cards / sizeof places_of_cards[0],
                         data + 1, size - 1);
    } else {
        LaunchFilesWrite(names, sizeof names / sizeof names[0], data + 1, size - 1);
    }
    LaunchRun(is_biu ? "biu-dump" : "mc2-dump", series, settings);
    return 0;
}
