/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Columns of the tables that Ascend's profilers write, by their headings, which vary by version.
 * Tested by tests/plugins/collect-kineto/test_ascend_tables.sh.
 */
#include "collect-kineto/tables/table_kinds.h"

#define KEY .flags = OPPROF_FIELD_KEY
#define WORD(text, field, ...)                                                                     \
    {                                                                                              \
        .headings = (text), .name = (field), .kind = CELL_WORD, __VA_ARGS__                        \
    }
#define TEXT(text, field, ...)                                                                     \
    {                                                                                              \
        .headings = (text), .name = (field), .kind = CELL_TEXT, __VA_ARGS__                        \
    }
#define SHAPES(text, field, ...)                                                                   \
    {                                                                                              \
        .headings = (text), .name = (field), .kind = CELL_SHAPES, __VA_ARGS__                      \
    }
#define NUMBER(text, field, in, ...)                                                               \
    {                                                                                              \
        .headings = (text), .name = (field), .kind = CELL_NUMBER, .unit = (in), __VA_ARGS__        \
    }
#define INTEGER(text, field, ...)                                                                  \
    {                                                                                              \
        .headings = (text), .name = (field), .kind = CELL_INTEGER, __VA_ARGS__                     \
    }
#define TIME(text, field, ...)                                                                     \
    {                                                                                              \
        .headings = (text), .name = (field), .kind = CELL_TIME, .unit = "ns", __VA_ARGS__          \
    }
#define US(text, field, ...) NUMBER(text, field "_us", "us", .heading = field "(us)", __VA_ARGS__)
#define MB(text, field, ...) NUMBER(text, field "_mb", "MB", __VA_ARGS__)
#define DEVICE WORD("Device_id|Device ID", "device", .meaning = "Device.")

static const TableColumn kernels[] = {
    INTEGER("Step ID|Step Id", "step", .meaning = "Step."),
    DEVICE,
    INTEGER("Model ID|Model Id", "model", .meaning = "Model."),
    INTEGER("Task ID|Task Id", "task", .meaning = "Task."),
    INTEGER("Stream ID|Stream Id", "stream", .meaning = "Stream."),
    WORD("Name|Op Name", "name", .is_needed = true, .meaning = "Kernel."),
    WORD("Type|OP Type", "type", .meaning = "Type of the operator."),
    WORD("OP State", "state", .meaning = "Whether its shapes are static or dynamic."),
    WORD("Accelerator Core|Task Type", "core", .meaning = "Kind of cores that ran it."),
    TIME("Start Time(us)|Task Start Time(us)", "start_ns", KEY, .is_needed = true,
         .meaning = "Start, since 1970."),
    US("Duration(us)|Task Duration(us)", "duration", .is_needed = true,
       .meaning = "How long it ran.", .flags = OPPROF_FIELD_WEIGHT, .combine = OPPROF_COMBINE_SUM),
    US("Wait Time(us)|Task Wait Time(us)", "wait", .meaning = "Time since the kernel before."),
    INTEGER("Block Dim|Block Num", "blocks", .meaning = "Blocks."),
    INTEGER("Mix Block Dim|Mix Block Num", "mix_blocks",
            .meaning = "Blocks of the other kind of cores."),
    WORD("HF32 Eligible", "hf32", .meaning = "Whether it computes with HF32."),
    SHAPES("Input Shapes", "input_shapes", .meaning = "Shapes of its inputs."),
    WORD("Input Data Types", "input_types", .meaning = "Types of its inputs."),
    WORD("Input Formats", "input_formats", .meaning = "Formats of its inputs."),
    SHAPES("Output Shapes", "output_shapes", .meaning = "Shapes of its outputs."),
    WORD("Output Data Types", "output_types", .meaning = "Types of its outputs."),
    WORD("Output Formats", "output_formats", .meaning = "Formats of its outputs."),
    INTEGER("Context ID|Context Id", "context", .meaning = "Context within the task."),
};

static const TableColumn operator_types[] = {
    DEVICE,
    WORD("OP Type", "type", KEY, .is_needed = true, .meaning = "Type of the operator."),
    WORD("Core Type", "core", KEY, .meaning = "Kind of cores that ran it."),
    INTEGER("Count", "count", .is_needed = true, .meaning = "Kernels.",
            .combine = OPPROF_COMBINE_SUM),
    US("Total Time(us)", "total", .is_needed = true, .meaning = "Their time, added up.",
       .flags = OPPROF_FIELD_WEIGHT, .combine = OPPROF_COMBINE_SUM),
    US("Min Time(us)", "min", .meaning = "The shortest."),
    US("Avg Time(us)", "mean", .meaning = "Their mean."),
    US("Max Time(us)", "max", .meaning = "The longest."),
    NUMBER("Ratio(%)", "share", "%", .meaning = "Share of the time of all kernels."),
};

static const TableColumn steps[] = {
    DEVICE,
    INTEGER("Step", "step", KEY, .meaning = "Step; absent: the whole recording."),
    US("Computing", "computing", .is_needed = true, .meaning = "Time with computation."),
    US("Communication(Not Overlapped)", "exposed_communication",
       .meaning = "Communication while nothing computes."),
    US("Overlapped", "overlapped", .meaning = "Communication while something computes."),
    US("Communication", "communication", .meaning = "Time with communication."),
    US("Free", "free", .is_needed = true, .meaning = "Time with nothing."),
    US("Stage", "stage", .meaning = "Time of the step without its bubbles.",
       .flags = OPPROF_FIELD_WEIGHT),
    US("Bubble", "bubble", .meaning = "Time in which the stage waits for other ones."),
    US("Communication(Not Overlapped and Exclude Receive)", "exposed_without_receive",
       .meaning = "Communication while nothing computes, without receiving."),
    US("Preparing", "preparing", .meaning = "Time before the first work."),
};

static const TableColumn calls[] = {
    WORD("Device_id|Device ID", "device", .meaning = "Device, or host."),
    WORD("Level", "level", KEY, .meaning = "Layer of the software."),
    WORD("API Name", "name", KEY, .is_needed = true, .meaning = "Call."),
    INTEGER("Count", "count", .meaning = "Calls.", .combine = OPPROF_COMBINE_SUM),
    US("Time(us)", "total", .is_needed = true, .meaning = "Time of the calls, added up.",
       .flags = OPPROF_FIELD_WEIGHT, .combine = OPPROF_COMBINE_SUM),
    US("Avg(us)", "mean", .meaning = "Their mean."),
    US("Min(us)", "min", .meaning = "The shortest."),
    US("Max(us)", "max", .meaning = "The longest."),
    NUMBER("Variance", "variance", "us2", .meaning = "Variance of their times."),
};

static const TableColumn memory[] = {
    WORD("Name", "name", KEY, .is_needed = true, .meaning = "Operator that allocated."),
    NUMBER("Size(KB)", "size_kb", "KB", .is_needed = true, .meaning = "Size, of 1024 bytes."),
    TIME("Allocation Time(us)", "allocated_ns", KEY, .meaning = "Allocation, since 1970."),
    TIME("Release Time(us)", "released_ns", .meaning = "Release, since 1970."),
    TIME("Active Release Time(us)", "active_released_ns",
         .meaning = "When its last use ended, since 1970."),
    US("Duration(us)", "duration", .meaning = "Time from allocation to release."),
    US("Active Duration(us)", "active_duration", .meaning = "Time to the end of its last use."),
    MB("Allocation Total Allocated(MB)", "allocated", .meaning = "All allocated then."),
    MB("Allocation Total Reserved(MB)", "reserved", .meaning = "All reserved then."),
    MB("Allocation Total Active(MB)", "active", .meaning = "All in use then."),
    MB("Release Total Allocated(MB)", "released_allocated",
       .meaning = "All allocated at its release."),
    MB("Release Total Reserved(MB)", "released_reserved",
       .meaning = "All reserved at its release."),
    MB("Release Total Active(MB)", "released_active", .meaning = "All in use at its release."),
    WORD("Stream Ptr", "stream", .meaning = "Address of the stream."),
    WORD("Device Type", "device_type", .meaning = "Device."),
};

static const TableColumn datasets[] = {
    WORD("Operation", "operation", KEY, .is_needed = true, .meaning = "Operation on the data."),
    WORD("Stage", "stage", KEY, .meaning = "Part of it."),
    INTEGER("Occurrences", "count", .meaning = "How often.", .combine = OPPROF_COMBINE_SUM),
    US("Avg. time(us)", "mean", .meaning = "Mean time."),
    TEXT("Custom Info", "info", .meaning = "What the profiler notes of it."),
};

static const TableColumn pipeline[] = {
    { .headings = "", .name = "device", .kind = CELL_RANK, KEY, .meaning = "Device: the rank." },
    INTEGER("op_id", "op_id", KEY, .is_needed = true, .meaning = "Operation of the data pipeline."),
    WORD("op_type", "op_type", .is_needed = true, .meaning = "What it does."),
    INTEGER("num_workers", "num_workers", .meaning = "Its workers."),
    NUMBER("output_queue_average_size", "queue_average", "1",
           .meaning = "Mean length of its queue."),
    INTEGER("output_queue_length", "queue_length", .meaning = "Room in its queue."),
    NUMBER("output_queue_usage_rate", "queue_usage", "1",
           .meaning = "Mean share of the queue that is filled."),
    INTEGER("sample_interval", "sample_interval", .meaning = "Time between two samples, in ms."),
    INTEGER("parent_id", "parent_id", .meaning = "Operation that takes its output."),
    TEXT("children_id", "children", .meaning = "Operations whose output it takes."),
    TEXT("output_queue_size", "queue_sizes", .meaning = "Length of its queue in each sample."),
};

static const TableColumn communication[] = {
    INTEGER("step", "step", KEY, .meaning = "Step."),
    WORD("name", "name", KEY, .is_needed = true, .meaning = "Operator."),
    WORD("group", "group", .meaning = "Group of ranks."),
    WORD("kind", "kind", .meaning = "collective, or p2p: between two ranks."),
    TIME("start_us", "start_ns", .meaning = "Start, since 1970."),
    US("elapsed_us", "elapsed", .meaning = "How long it took.", .flags = OPPROF_FIELD_WEIGHT,
       .combine = OPPROF_COMBINE_SUM),
    US("transit_us", "transit", .meaning = "Time in which data moved."),
    US("wait_us", "wait", .meaning = "Time of waiting for other ranks."),
    US("synchronization_us", "synchronization", .meaning = "Of that, before the first data."),
    US("idle_us", "idle", .meaning = "Time with neither."),
};

static const TableColumn links[] = {
    INTEGER("step", "step", KEY, .meaning = "Step."),
    WORD("name", "name", KEY, .is_needed = true, .meaning = "Operator."),
    WORD("group", "group", .meaning = "Group of ranks."),
    WORD("transport", "transport", KEY, .meaning = "What the data went over."),
    NUMBER("size_mb", "size_mb", "MB", .meaning = "Data moved.", .combine = OPPROF_COMBINE_SUM),
    US("time_us", "time", .meaning = "Time in which data moved.", .flags = OPPROF_FIELD_WEIGHT,
       .combine = OPPROF_COMBINE_SUM),
    NUMBER("bandwidth_gbs", "bandwidth_gbs", "GB/s", .meaning = "Data over time."),
};

static const TableColumn packets[] = {
    INTEGER("step", "step", KEY, .meaning = "Step."),
    WORD("name", "name", KEY, .is_needed = true, .meaning = "Operator."),
    WORD("group", "group", .meaning = "Group of ranks."),
    WORD("transport", "transport", KEY, .meaning = "What the data went over."),
    NUMBER("packet_mb", "packet_mb", "MB", KEY, .meaning = "Size of each of these packets."),
    NUMBER("count", "count", "1", .meaning = "How many.", .combine = OPPROF_COMBINE_SUM),
    US("time_us", "time", .meaning = "Time in which they moved.", .flags = OPPROF_FIELD_WEIGHT,
       .combine = OPPROF_COMBINE_SUM),
};

static const TableColumn memory_record[] = {
    WORD("Component", "component", .meaning = "What holds the memory."),
    TIME("Timestamp(us)", "time_ns", .is_needed = true, .meaning = "Time, since 1970."),
    MB("Total Allocated(MB)", "allocated", .is_needed = true, .meaning = "All allocated."),
    MB("Total Reserved(MB)", "reserved", .meaning = "All reserved."),
    MB("Total Active(MB)", "active", .meaning = "All in use."),
    WORD("Device Type", "device_type", .meaning = "Device."),
};

#define COLUMNS(list) .columns = (list), .column_count = OPPROF_COUNT(list)

const TableKind table_kinds[TABLE_KINDS] = {
    { .file = "kernel_details*.csv",
      .type = "ascend.kernels",
      .title = "Kernels of the profiler's table",
      .summary = "Each kernel by an Ascend profiler's kernel_details.csv.",
      .hint = "ascend_kernels",
      COLUMNS(kernels) },
    { .file = "op_statistic*.csv",
      .type = "ascend.operator-types",
      .title = "Operators by type",
      .summary = "Kernels by type, by an Ascend profiler's op_statistic.csv.",
      .hint = "ascend_operator_types",
      COLUMNS(operator_types) },
    { .file = "step_trace_time*.csv",
      .type = "ascend.steps",
      .title = "Steps by their parts",
      .summary = "Parts of each step, by an Ascend profiler's step_trace_time.csv.",
      .hint = "ascend_steps",
      COLUMNS(steps) },
    { .file = "api_statistic*.csv",
      .type = "ascend.calls",
      .title = "Calls of the host",
      .summary = "Calls by name, by an Ascend profiler's api_statistic.csv.",
      .hint = "ascend_calls",
      COLUMNS(calls) },
    { .file = "operator_memory*.csv",
      .type = "ascend.memory",
      .title = "Memory of operators",
      .summary = "Allocations, by an Ascend profiler's operator_memory.csv.",
      .hint = "ascend_memory",
      COLUMNS(memory) },
    { .file = "dataset*.csv",
      .type = "ascend.datasets",
      .title = "Operations on data sets",
      .summary = "Operations on data sets, by an Ascend profiler's dataset.csv.",
      .hint = "ascend_datasets",
      COLUMNS(datasets) },
    { .file = "minddata_pipeline_raw_*.csv",
      .type = "mindspore.pipeline",
      .title = "Data pipeline",
      .summary = "Operations of the data pipeline and how filled their queues are.",
      .hint = "data_pipeline",
      COLUMNS(pipeline) },
    { .file = "communication.json",
      .type = "ascend.communication",
      .title = "Operators of communication",
      .summary = "Operators of communication, by an Ascend profiler's communication.json.",
      .hint = "ascend_communication",
      .form = TABLE_OPERATORS,
      COLUMNS(communication) },
    { .file = "communication.json",
      .type = "ascend.links",
      .title = "Data by transport",
      .summary = "Data of operators of communication by transport, by communication.json.",
      .hint = "ascend_links",
      .form = TABLE_LINKS,
      COLUMNS(links) },
    { .file = "communication.json",
      .type = "ascend.packets",
      .title = "Packets by size",
      .summary = "Packets of operators of communication by their size, by communication.json.",
      .hint = "ascend_packets",
      .form = TABLE_PACKETS,
      COLUMNS(packets) },
};

const TableKind memory_record_kind = {
    .file = "memory_record*.csv",
    .type = "ascend.memory-record",
    .title = "Memory of devices",
    .summary = "Memory at each time, by an Ascend profiler's memory_record.csv.",
    .hint = "ascend_memory_record",
    COLUMNS(memory_record),
};
