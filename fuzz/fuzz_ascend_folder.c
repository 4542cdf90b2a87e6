/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Directories of an Ascend profiler through the stages that read them: headings, cells, further
 * columns and times of its tables, and the curves of its records of memory. What is read of them is
 * written as tables and as a timeline. The input is the files.
 */
#include "fuzz/fuzz.h"
#include "fuzz/launch_run.h"

#include <opprof/record.h>
#include <stdio.h>

static const char *const names[] = {
    "ASCEND_PROFILER_OUTPUT/kernel_details.csv",
    "ASCEND_PROFILER_OUTPUT/memory_record.csv",
    "ASCEND_PROFILER_OUTPUT/op_statistic.csv",
    "ASCEND_PROFILER_OUTPUT/step_trace_time.csv",
    "ASCEND_PROFILER_OUTPUT/api_statistic.csv",
    "ASCEND_PROFILER_OUTPUT/operator_memory.csv",
    "ASCEND_PROFILER_OUTPUT/dataset.csv",
    "ASCEND_PROFILER_OUTPUT/minddata_pipeline_raw_0.csv",
    "ASCEND_PROFILER_OUTPUT/communication.json",
    "ASCEND_PROFILER_OUTPUT/memory_record_1.csv",
    "ASCEND_PROFILER_OUTPUT/kernel_details_1.csv",
    "ASCEND_PROFILER_OUTPUT/kernel_details.csv.gz",
    "profiler_info_3.json",
    "rank1/ASCEND_PROFILER_OUTPUT/kernel_details.csv",
    "rank1/ASCEND_PROFILER_OUTPUT/memory_record.csv",
    "rank2/ASCEND_PROFILER_OUTPUT/kernel_details.csv",
    "rank2/ASCEND_PROFILER_OUTPUT/memory_record.csv",
    "ASCEND_PROFILER_OUTPUT/trace_view.json",
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char input[128];
    const LaunchStage stages[] = { { "collect-kineto", input }, { "ascend-tables", input },
                                   { "ascend-memory", input },  { "csv", NULL },
                                   { "trace", NULL },           { NULL, NULL } };

    LaunchFilesWrite(names, OPPROF_COUNT(names), data, size);
    snprintf(input, sizeof input, "{ \"input\": \"%s\" }", LaunchInput());
    LaunchRunStages(stages, launch_series[0]);
    return 0;
}
