/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Folders of MindSpore's profiler through the stages that read them: tables of tasks, HWTS logs,
 * logs of the device's CPU, training traces, slices that are missing; what MindInsight's parsers
 * wrote, GPUs and clusters. The input is the files.
 */
#include "fuzz/fuzz.h"
#include "fuzz/launch_run.h"

#include <opprof/record.h>
#include <stdio.h>

static const char *const names[] = {
    "hwts.data.0.slice_0",
    "hwts.data.0.slice_2",
    "hwts.log.data.45.dev.profiler_default_tag.1.slice_0",
    "DATA_PREPROCESS.AICPU.0.slice_0",
    "DATA_PREPROCESS.dev.AICPU.1.slice_0",
    "DATA_PREPROCESS.dev.AICPU.1.slice_2",
    "Framework.hash_dic.0.slice_0",
    "Framework.task_desc_info.0.slice_0",
    "Framework.tensor_data_info.0.slice_0",
    "Framework.host.vm.task_desc_info.1.slice_0",
    "Framework.host.vm.graph_desc_info.1.slice_0",
    "Framework.host.graph_desc_info.1.slice_0",
    "Framework.host.vm.point.1.slice_0",
    "training_trace.46.dev.profiler_default_tag.1.slice_0",
    "training_trace.46.dev.profiler_default_tag.1.slice_2",
    "ts_track.data.0.slice_0",
    "ts_track.data.0.slice_2",
    "aicore.data.0.slice_0",
    "info.json.0",
    "aicore_intermediate_2_detail.csv",
    "aicore_intermediate_2_type.csv",
    "framework_raw_2.csv",
    "flops_2.txt",
    "aicpu_intermediate_2.csv",
    "step_trace_raw_2_detail_time.csv",
    "minddata_pipeline_raw_2.csv",
    "pipeline_profiling_3.json",
    "device_queue_profiling_2.txt",
    "minddata_aicpu_2.txt",
    "minddata_cpu_utilization_2.json",
    "gpu_op_detail_info_3.csv",
    "gpu_activity_data_3.csv",
    "step_trace_profiling_3.txt",
    "ascend_cluster_analyse_pipeline-parallel_2_4_2.csv",
    "hccl_raw_2.csv",
    "flops_summary_2.json",
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char input[128];
    const LaunchStage stages[] = { { "collect-mindspore", input },
                                   { "parse-mindspore", NULL },
                                   { "mindspore-operators", NULL },
                                   { "mindspore-steps", NULL },
                                   { "csv", NULL },
                                   { "trace", NULL },
                                   { NULL, NULL } };

    LaunchFilesWrite(names, OPPROF_COUNT(names), data, size);
    snprintf(input, sizeof input, "{ \"input\": \"%s\" }", LaunchInput());
    LaunchRunStages(stages, launch_series[0]);
    return 0;
}
