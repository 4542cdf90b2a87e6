/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory records of whole launches through what dbi-dump does with them: the area, packets and
 * charts to the traffic of paths, the model of the L2 cache and its heat map, and warps to their
 * timeline, up to trace.json and the viewer's container. The first byte chooses the chip and the
 * cache's policy; the files follow.
 */
#include "fuzz/fuzz.h"
#include "fuzz/launch_run.h"

#include <opprof/record.h>
#include <stdio.h>

static const char *const names[] = {
    "op_basic_info.txt", "DbiArea.bin",      "DbiPackets.bin",
    "MemoryChart.bin",   "WarpTimeline.bin", "pc_start_addr.txt",
};

static const char *const policies[] = { "chip", "lru", "fifo", "plru", "random" };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    const char *series = launch_series[data[0] % LAUNCH_SERIES];
    char dump[512], records[96], cache[128], warps[64];
    const LaunchStage stages[] = { { "collect-onboard", dump }, { "parse-dbi", records },
                                   { "l2-cache", cache },       { "cache-blocks", NULL },
                                   { "warp-timeline", warps },  { "trace", NULL },
                                   { "insight", NULL },         { NULL, NULL } };

    LaunchFilesWrite(names, OPPROF_COUNT(names), data + 1, size - 1);
    snprintf(dump, sizeof dump,
             "{ \"input\": \"%s\", \"chip\": \"%s\", \"files\": "
             "\"info,code_start,dbi_area,dbi_packets,memory_chart,warps\" }",
             LaunchInput(), series);
    snprintf(records, sizeof records, "{ \"chip\": \"%s\", \"required\": true }", series);
    snprintf(cache, sizeof cache,
             "{ \"policy\": \"%s\", \"buffers\": \"x:0x1000:4096,y:0x2000:64\" }",
             policies[data[0] / LAUNCH_SERIES % OPPROF_COUNT(policies)]);
    snprintf(warps, sizeof warps, "{ \"chip\": \"%s\" }", series);
    LaunchRunStages(stages, series);
    return 0;
}
