/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hot spots of whole launches: from raw files of an instrumented kernel or the dump files of a
 * simulator, with a kernel whose debug information has the lines, to the viewer's source page,
 * which a strict reader must accept. The first byte chooses which of the two and the chip; the
 * files follow.
 */
#include "fuzz/fuzz.h"
#include "fuzz/launch_run.h"

#include <opprof/record.h>
#include <stdio.h>

static const char *const of_device[] = {
    "op_basic_info.txt",
    "pc_start_addr.txt",
    "DbiPackets.bin",
    "aicore_binary.o",
    "kernel7.o",
    "kernel7Stub.o.bbbmap.1",
    "kernel7.extra.1",
    "fdata",
    "pc_start_pcsampling.txt",
    "PcOffset.bin",
    "pcSampling.bin.0",
    "pcSampling.bin.1",
    "lrm.bin",
    "kernel7Stub.o.bbbmap.2",
    "kernel8.extra.2",
};

static const char *const of_simulator[] = {
    "core0.veccore0.instr_log.dump",
    "core0.veccore0.instr_popped_log.dump",
    "core0.veccore0.ifu.icache_log.dump",
    "core0.veccore0.ccu_log.dump",
    "core0.veccore0.instr_log.dump.1",
    "core0.veccore0.instr_popped_log.dump.1",
    "core0.cubecore0.instr_log.dump",
    "core0.cubecore0.instr_popped_log.dump",
    "core0.cubecore0.ifu.icache_log.dump",
    "core1.mixcore0.instr_log.dump",
    "core1.mixcore0.instr_popped_log.dump",
    "core2.instr_log.dump",
    "core2.instr_popped_log.dump",
    "aicore_binary.o",
    "pc_start_addr.txt",
};

static void run_device(const char *chip, const char *series)
{
    char dump[512], records[64];
    const LaunchStage stages[] = { { "collect-onboard", dump }, { "parse-dbi", records },
                                   { "parse-counts", NULL },    { "l2-cache", NULL },
                                   { "dbi-hotspot", NULL },     { "source-blocks", NULL },
                                   { "insight", NULL },         { NULL, NULL } };

    snprintf(dump, sizeof dump,
             "{ \"input\": \"%s\", \"chip\": \"%s\", \"files\": "
             "\"info,code_start,dbi_packets,code,block_map,block_counts,counted,sample_start,"
             "sample_stub,samples,liveness\" }",
             LaunchInput(), chip);
    snprintf(records, sizeof records, "{ \"chip\": \"%s\" }", chip);
    LaunchRunStages(stages, series);
}

static void run_simulator(const char *chip, const char *series)
{
    char dump[256];
    const LaunchStage stages[] = { { "collect-sim", dump }, { "sim-details", NULL },
                                   { "sim-hotspot", dump }, { "source-blocks", NULL },
                                   { "insight", NULL },     { NULL, NULL } };

    snprintf(dump, sizeof dump, "{ \"dump\": \"%s\", \"chip\": \"%s\" }", LaunchInput(), chip);
    LaunchRunStages(stages, series);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    const char *series = launch_series[data[0] % LAUNCH_SERIES];
    const char *chip = data[0] / 6 % 2 == 0 ? "auto" : series;

    if (data[0] / 3 % 2 == 1) {
        LaunchFilesWrite(of_simulator, OPPROF_COUNT(of_simulator), data + 1, size - 1);
        run_simulator(chip, series);
    } else {
        LaunchFilesWrite(of_device, OPPROF_COUNT(of_device), data + 1, size - 1);
        run_device(chip, series);
    }
    return 0;
}
