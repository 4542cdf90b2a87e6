/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tables that MindInsight's parsers wrote, by their headings.
 * Tested by tests/plugins/collect-mindspore/test_parsed.sh.
 */
#include "parse-mindspore/fields.h"
#include "parse-mindspore/sheet.h"
#include "parse-mindspore/types.h"

#include <jansson.h>
#include <opprof/grow.h>
#include <opprof/json.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define COLUMN(type, member, field, text, ...)                                                     \
    {                                                                                              \
        .headings = (text), .kind = OPPROF_FIELD_##field, .offset = offsetof(type, member),        \
        __VA_ARGS__                                                                                \
    }
#define NEEDED .is_needed = true
#define MS .scale = 1000 /* ms become us */
#define TICKS .scale = -1
#define COLUMNS(list) .columns = (list), .column_count = OPPROF_COUNT(list)
#define SHEET(name, sheet_kind, ...)                                                               \
    {                                                                                              \
        .kind = (name), .end = '\n', .sheet = &(sheet_kind), __VA_ARGS__                           \
    }

/* ---- operators ---- */

#define OPERATOR(member, ...) COLUMN(OpprofMindsporeOperator, member, __VA_ARGS__)
#define NAMES "full_op_name|full_kernel_name|full_kernel_time|op_full_name"

static const SheetColumn detail_columns[] = {
    OPERATOR(name, STRING, NAMES, NEEDED),
    OPERATOR(mean_us, F64, "execution_time", NEEDED, MS),
    OPERATOR(executions, U64, "execution_frequency"),
};
static const SheetColumn type_columns[] = {
    OPERATOR(type, STRING, "kernel_type|op_type", NEEDED),
    OPERATOR(mean_us, F64, "total_time|execution_time", NEEDED, MS),
    OPERATOR(executions, U64, "execution_frequency", NEEDED),
};
static const SheetColumn framework_columns[] = {
    OPERATOR(name, STRING, NAMES, NEEDED), OPERATOR(type, STRING, "op_type|kernel_type"),
    OPERATOR(stream, U32, "stream_id"),    OPERATOR(block_dim, U32, "block_dim"),
    OPERATOR(info, TEXT, "op_info"),
};
static const SheetColumn flops_columns[] = {
    OPERATOR(name, STRING, NAMES "|op_name|name", NEEDED),
    OPERATOR(mflops, F64, "MFLOPs(10^6)|MFLOPs"),
    OPERATOR(gflops, F64, "GFLOPS(10^9)|GFLOPS"),
    OPERATOR(utilization, F64, "FLOPS utilization(100%)|FLOPS utilization|utilization"),
    OPERATOR(cube_mflops, F64, "MFLOPs(10^6 cube)"),
    OPERATOR(cube_gflops, F64, "GFLOPS(10^9 cube)"),
    OPERATOR(cube_utilization, F64, "FLOPS utilization(cube)"),
    OPERATOR(vector_mflops, F64, "MFLOPs(10^6 vector)"),
    OPERATOR(vector_gflops, F64, "GFLOPS(10^9 vector)"),
    OPERATOR(vector_utilization, F64, "FLOPS utilization(vec)|FLOPS utilization(vector)"),
};

static bool finish_named(Device *device, void *record)
{
    (void) device;
    return ((const OpprofMindsporeOperator *) record)->name != OPPROF_NA_STRING;
}

/* Where the file has the two units apart, both are the sum. */
static bool finish_flops(Device *device, void *record)
{
    OpprofMindsporeOperator *row = record;

    if (OpprofIsNaF64(row->mflops) && !OpprofIsNaF64(row->cube_mflops) &&
        !OpprofIsNaF64(row->vector_mflops)) {
        row->mflops = row->cube_mflops + row->vector_mflops;
        row->gflops = row->cube_gflops + row->vector_gflops;
        row->utilization = row->cube_utilization + row->vector_utilization;
    }
    return finish_named(device, record);
}

static const SheetKind detail_sheet = { COLUMNS(detail_columns), .port = PORT_OPERATORS,
                                        .finish = finish_named };
static const SheetKind type_sheet = { COLUMNS(type_columns), .port = PORT_OPERATORS };
static const SheetKind framework_sheet = { COLUMNS(framework_columns), .port = PORT_OPERATORS,
                                           .finish = finish_named };
static const SheetKind flops_sheet = { COLUMNS(flops_columns), .port = PORT_OPERATORS,
                                       .finish = finish_flops };

/* ---- the device's CPU ---- */

#define AICPU(member, ...) COLUMN(OpprofMindsporeAicpu, member, __VA_ARGS__)

static const SheetColumn aicpu_columns[] = {
    AICPU(serial, U64, "serial_number", NEEDED),
    AICPU(kernel_name, STRING, "kernel_type|node_type_name|node_type", NEEDED),
    AICPU(total_us, F64, "total_time|total_time(ms)", NEEDED, MS),
    AICPU(dispatch_us, F64, "dispatch_time|dispatch_time(ms)", MS),
    AICPU(execution_us, F64, "execution_time|execution_time(ms)", MS),
    AICPU(start_us, F64, "run_start"),
    AICPU(end_us, F64, "run_end"),
};

static bool finish_aicpu(Device *device, void *record)
{
    OpprofMindsporeAicpu *row = record;
    const char *name = OpprofStageString(device->stage, row->kernel_name);

    SheetNumber(&device->log, row->serial);
    row->kernel_type = DeviceIntern(device, name, strcspn(name, "-"));
    return true;
}

static const SheetKind aicpu_sheet = { COLUMNS(aicpu_columns), .port = PORT_AICPU,
                                       .finish = finish_aicpu };

/* ---- steps ---- */

#define STEP(member, ...) COLUMN(OpprofMindsporeStep, member, __VA_ARGS__)

static const SheetColumn step_columns[] = {
    STEP(step, U64, "step_num", NEEDED),
    STEP(start_tick, U64, "start_point", NEEDED),
    STEP(end_tick, U64, "end_point", NEEDED),
    STEP(fp_tick, U64, "fp_point", NEEDED),
    STEP(bp_tick, U64, "bp_point"),
    STEP(total_us, F64, "total", NEEDED, TICKS),
    STEP(iteration_interval_us, F64, "iteration_interval", NEEDED, TICKS),
    STEP(fp_and_bp_us, F64, "fp_and_bp|fp", TICKS),
    STEP(tail_us, F64, "tail", TICKS),
};

/* Tables with a row a step end with their mean. */
static OpprofStatus end_with_mean(Device *device, Log *log)
{
    (void) device;
    if (log->sheet != NULL && log->sheet->counted > 0 && !log->sheet->has_mean) {
        LogNote(log, &log->missing, 1);
    }
    return OPPROF_OK;
}

/* Other tables of the rank have as many rows. */
static OpprofStatus end_of_steps(Device *device, Log *log)
{
    if (log->sheet != NULL) {
        device->rank_steps = log->sheet->counted + 1;
    }
    return end_with_mean(device, log);
}

/* The last row has no number, or 0: it is the mean of the others, and of a single step nothing. */
static bool finish_step(Device *device, void *record)
{
    const OpprofMindsporeStep *row = record;
    const bool is_mean = row->step == OPPROF_NA_U64 || row->step == 0;

    SheetCheckStep(device, &device->log, row->step, row->total_us, is_mean);
    if (!is_mean ? !device->is_rank : row->total_us > 0) {
        device->rank.iteration_interval_us = row->iteration_interval_us;
    }
    device->is_rank = true;
    return !is_mean;
}

/* The heading of a collective: its stream, its name and its place on the stream. */
static bool read_heading(const char *heading, OpprofMindsporeCollective *row, const char **ret_name,
                         size_t *ret_length)
{
    const char *name = heading + strlen("stream_");
    const char *end = heading + strlen(heading);
    const char *under;
    Field field;
    uint64_t number;

    if (strncmp(heading, "stream_", strlen("stream_")) != 0 || strlen(heading) < 6 ||
        strcmp(end - 6, "_point") == 0) {
        return false;
    }
    field = (Field){ name, strcspn(name, "_") };
    row->stream =
        FieldNumber(&field, &number) && number < UINT32_MAX ? (uint32_t) number : OPPROF_NA_U32;
    name += field.length + (name[field.length] == '_');
    /* "<name>_<place>", or of GPUs and older versions "<place>_<name>". */
    under = strrchr(name, '_');
    field = under == NULL ? (Field){ name, 0 } : (Field){ under + 1, (size_t) (end - under) - 1 };
    if (FieldNumber(&field, &number)) {
        *ret_length = (size_t) (under - name);
    } else {
        field = (Field){ name, strcspn(name, "_") };
        if (!FieldNumber(&field, &number)) {
            return false;
        }
        name += field.length + (name[field.length] == '_');
        *ret_length = (size_t) (end - name);
    }
    row->place = (uint32_t) number;
    *ret_name = name;
    return true;
}

/* The cell under the heading of another one with something after it. False: there is none. */
static bool find_point(const Sheet *sheet, size_t cell, const char *after, uint64_t *ret_tick)
{
    const char *heading = sheet->headings[cell];
    const size_t length = strlen(heading);

    /* They stand before it, the nearest first. */
    for (size_t i = cell; i-- > 0;) {
        if (strncmp(sheet->headings[i], heading, length) == 0 &&
            strcmp(sheet->headings[i] + length, after) == 0) {
            return SheetDigits(sheet, i, ret_tick);
        }
    }
    return false;
}

/* The columns of collectives. Zeros stand for those that a step does not have. */
static OpprofStatus emit_collectives(Device *device, Log *log, const void *record)
{
    const OpprofMindsporeStep *step = record;
    const Sheet *sheet = log->sheet;
    OpprofStatus status = OPPROF_OK;

    for (size_t i = 0; i < sheet->count && status == OPPROF_OK; i++) {
        OpprofMindsporeCollective row = { .step = step->step, .device = device->id };
        uint64_t ticks;
        const char *name;
        size_t length;

        if (sheet->of_cell[i] > 0 || !read_heading(sheet->headings[i], &row, &name, &length)) {
            continue;
        }
        if (!SheetDigits(sheet, i, &ticks) ||
            !find_point(sheet, i, "_start_point", &row.start_tick) ||
            !find_point(sheet, i, "_end_point", &row.end_tick)) {
            LogNote(log, &log->odd, 1);
        } else if (row.start_tick != 0 && row.end_tick != 0) {
            row.duration_us = (double) ticks / device->ticks_a_us;
            row.name = DeviceIntern(device, name, length);
            status = OpprofStageAppend(device->stage, PORT_COLLECTIVES, device->id, &row);
        }
    }
    return status;
}

static const SheetKind step_sheet = { COLUMNS(step_columns), .port = PORT_STEPS,
                                      .finish = finish_step, .after = emit_collectives };

/* ---- the data pipeline ---- */

#define PIPELINE_CHILDREN 9u /* column */
#define PIPELINE(member, ...) COLUMN(PipelineRow, member, __VA_ARGS__)

static const SheetColumn pipeline_columns[] = {
    PIPELINE(op_id, U32, "op_id", NEEDED),
    PIPELINE(op_type, STRING, "op_type", NEEDED),
    PIPELINE(num_workers, U32, "num_workers"),
    PIPELINE(queue_sizes, TEXT, "output_queue_size"),
    PIPELINE(queue_average, F64, "output_queue_average_size"),
    PIPELINE(queue_length, U32, "output_queue_length"),
    PIPELINE(queue_usage, F64, "output_queue_usage_rate"),
    PIPELINE(sample_interval, U32, "sample_interval"),
    PIPELINE(parent_id, U32, "parent_id"),
    PIPELINE(children, TEXT, "children_id"),
};

/* The parent and the children of an operation have rows, too. */
static OpprofStatus check_operation(Device *device, Log *log, const void *record)
{
    const PipelineRow *row = record;

    (void) device;
    return SheetCheckOperation(log->sheet, row->op_id, row->parent_id,
                               SheetCell(log->sheet, PIPELINE_CHILDREN))
               ? OPPROF_OK
               : OPPROF_E_MEMORY;
}

static OpprofStatus end_of_pipeline(Device *device, Log *log)
{
    (void) device;
    if (log->sheet != NULL) {
        LogNote(log, &log->missing, (uint64_t) log->sheet->without_row);
    }
    return OPPROF_OK;
}

static const SheetKind pipeline_sheet = { COLUMNS(pipeline_columns), .port = PORT_PIPELINE,
                                          .after = check_operation };

/* ---- GPUs ---- */

#define GPU(member, ...) COLUMN(GpuOperatorRow, member, __VA_ARGS__)
#define WORK(member, ...) COLUMN(GpuActivityRow, member, __VA_ARGS__)

static const SheetColumn gpu_operator_columns[] = {
    GPU(side, STRING, "op_side"),
    GPU(op_type, STRING, "op_type"),
    GPU(kernel_name, STRING, "op_name"),
    GPU(op_name, STRING, "op_full_name", NEEDED),
    GPU(executions, U64, "op_occurrences"),
    GPU(total_us, F64, "op_total_time(us)|op_total_time", NEEDED),
    GPU(mean_us, F64, "op_avg_time(us)|op_avg_time"),
    GPU(cuda_us, F64, "cuda_activity_cost_time(us)|cuda_activity_cost_time"),
    GPU(cuda_calls, U64, "cuda_activity_call_count"),
};
static const SheetColumn gpu_activity_columns[] = {
    WORK(name, STRING, "name", NEEDED),
    WORK(type, STRING, "type"),
    WORK(op_name, STRING, "op_full_name"),
    WORK(stream, U32, "stream_id"),
    WORK(block_dim, STRING, "block_dim"),
    WORK(grid_dim, STRING, "grid_dim"),
    WORK(count, U64, "occurrences"),
    WORK(total_us, F64, "total_duration(us)|total_duration", NEEDED),
    WORK(mean_us, F64, "avg_duration(us)|avg_duration"),
    WORK(max_us, F64, "max_duration(us)|max_duration"),
    WORK(min_us, F64, "min_duration(us)|min_duration"),
};

/* Shares need the sum: rows wait for the end of the file. */
static bool keep_gpu_row(Device *device, void *record)
{
    GpuRows *rows = &device->gpu;

    if (OpprofGrow(&rows->list, &rows->room, rows->count + 1, sizeof *rows->list)) {
        rows->list[rows->count++] = *(const GpuOperatorRow *) record;
    } else {
        rows->is_short = true;
    }
    return false;
}

static OpprofStatus emit_gpu_rows(Device *device, Log *log)
{
    GpuRows *rows = &device->gpu;
    OpprofStatus status = rows->is_short ? OPPROF_E_MEMORY : OPPROF_OK;
    double sum = 0;

    (void) log;
    for (size_t i = 0; i < rows->count; i++) {
        sum += OpprofIsNaF64(rows->list[i].total_us) ? 0 : rows->list[i].total_us;
    }
    for (size_t i = 0; i < rows->count && status == OPPROF_OK; i++) {
        rows->list[i].share = sum > 0 && !OpprofIsNaF64(rows->list[i].total_us)
                                  ? 100 * rows->list[i].total_us / sum
                                  : OpprofNaF64();
        status = OpprofStageAppend(device->stage, PORT_GPU_OPERATORS, device->id, &rows->list[i]);
    }
    rows->count = 0;
    return status;
}

static const SheetKind gpu_operator_sheet = { COLUMNS(gpu_operator_columns),
                                              .port = PORT_GPU_OPERATORS, .finish = keep_gpu_row };
static const SheetKind gpu_activity_sheet = { COLUMNS(gpu_activity_columns),
                                              .port = PORT_GPU_ACTIVITIES };

/* ---- clusters ---- */

enum {
    CLUSTER_COMPUTATION,
    CLUSTER_COMMUNICATION,
    CLUSTER_STAGE,
    CLUSTER_RECEIVE,
    CLUSTER_COLLECTIVE,
    CLUSTER_COLUMNS
};
enum { LINKS_STEP, LINKS_INFO };

static const SheetColumn cluster_columns[CLUSTER_COLUMNS] = {
    { .headings = "computation_time", NEEDED },
    { .headings = "communication_alone_time", NEEDED },
    { .headings = "stage_time" },
    { .headings = "receive_alone_time" },
    { .headings = "collective_communication_alone_time" },
};
static const SheetColumn links_columns[] = {
    { .headings = "step_num", NEEDED },
    { .headings = "link_info", NEEDED },
};

/* "ascend_cluster_analyse_<mode>_<stages>_<ranks>_<rank>.csv" */
static void read_name(Device *device, const char *name)
{
    const char *mode = name + strlen("ascend_cluster_analyse_");
    const char *under = strchr(mode, '_');
    unsigned stages, ranks, rank;

    if (under != NULL && sscanf(under, "_%u_%u_%u", &stages, &ranks, &rank) == 3) {
        device->rank.mode = DeviceIntern(device, mode, (size_t) (under - mode));
        if (stages > 0 && ranks >= stages) {
            device->rank.stage = rank / (ranks / stages) + 1;
        }
    }
}

/* Each row replaces the one before: the last is the mean of the steps. */
static OpprofStatus take_cluster(Device *device, Log *log)
{
    double *const members[CLUSTER_COLUMNS] = { &device->rank.computation_us,
                                               &device->rank.communication_us,
                                               &device->rank.stage_us, &device->rank.receive_us,
                                               &device->rank.collective_us };

    device->is_rank = true;
    log->sheet->counted++;
    read_name(device, log->file);
    for (uint32_t i = 0; i < CLUSTER_COLUMNS; i++) {
        double ms;

        *members[i] = SheetDouble(log, i, &ms) ? ms * 1000 : OpprofNaF64();
    }
    return OPPROF_OK;
}

/* It has a row for each step, and for their mean. */
static OpprofStatus end_of_cluster(Device *device, Log *log)
{
    const uint64_t rows = log->sheet == NULL ? 0 : log->sheet->counted;

    LogNote(log, &log->missing, rows < device->rank_steps ? device->rank_steps - rows : 0);
    return OPPROF_OK;
}

/* A link by its ends, "0-1", and what it goes over. */
static OpprofStatus emit_link(Device *device, Log *log, LinkRow *row, const char *ends,
                              const json_t *values)
{
    const char *dash = strchr(ends, '-');

    if (dash == NULL || json_array_size(values) != 3) {
        LogNote(log, &log->odd, 1);
        return OPPROF_OK;
    }
    row->src = DeviceIntern(device, ends, (size_t) (dash - ends));
    row->dst = DeviceIntern(device, dash + 1, strlen(dash + 1));
    row->cost_us = json_number_value(json_array_get(values, 0)) * 1000;
    row->size_kb = json_number_value(json_array_get(values, 1));
    row->bandwidth_kbs = json_number_value(json_array_get(values, 2));
    return OpprofStageAppend(device->stage, PORT_LINKS, device->id, row);
}

static OpprofStatus take_links(Device *device, Log *log)
{
    const OpprofCsvCell *step = SheetCell(log->sheet, LINKS_STEP);
    const OpprofCsvCell *info = SheetCell(log->sheet, LINKS_INFO);
    json_t *links = info == NULL ? NULL : OpprofJsonValue(info->text, info->length, 0);
    LinkRow row = { .rank = device->id, .step = OPPROF_NA_U64 };
    OpprofStatus status = OPPROF_OK;
    const char *ends, *type;
    json_t *types, *values;

    device->is_rank = true;
    if ((step != NULL && !FieldNumber(&(Field){ step->text, step->length }, &row.step)) ||
        (info != NULL && !json_is_object(links))) {
        LogNote(log, &log->odd, 1);
    }
    if (step != NULL) {
        SheetNumber(log, row.step);
    } else {
        SheetMean(log);
    }
    json_object_foreach(links, ends, types)
    {
        json_object_foreach(types, type, values)
        {
            row.type = DeviceIntern(device, type, strlen(type));
            status = status == OPPROF_OK ? emit_link(device, log, &row, ends, values) : status;
        }
    }
    json_decref(links);
    return status;
}

static const SheetKind cluster_sheet = { COLUMNS(cluster_columns), .port = PORT_RANKS,
                                         .take = take_cluster };
static const SheetKind links_sheet = { COLUMNS(links_columns), .port = PORT_LINKS,
                                       .take = take_links };

const Format sheet_formats[] = {
    SHEET("aicore_detail", detail_sheet),
    SHEET("aicore_type", type_sheet),
    SHEET("framework_raw", framework_sheet),
    SHEET("flops", flops_sheet),
    SHEET("aicpu_table", aicpu_sheet),
    SHEET("step_table", step_sheet, .end_of_log = end_of_steps),
    SHEET("pipeline_table", pipeline_sheet, .end_of_log = end_of_pipeline),
    SHEET("gpu_operators", gpu_operator_sheet, .end_of_log = emit_gpu_rows),
    SHEET("gpu_activities", gpu_activity_sheet),
    SHEET("cluster", cluster_sheet, .end_of_log = end_of_cluster),
    SHEET("links", links_sheet, .end_of_log = end_with_mean),
    { .kind = NULL },
};
