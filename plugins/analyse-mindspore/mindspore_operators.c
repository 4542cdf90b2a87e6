/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mindspore-operators: the time of operators and of their types, and their executions as timelines.
 * Tested by tests/plugins/collect-mindspore/test_raw.sh.
 */
#include "analyse-mindspore/lanes.h"

#include <opprof/grow.h>
#include <opprof/log.h>
#include <opprof/map.h>
#include <opprof/plugin.h>
#include <opprof/records/activity.h>
#include <opprof/records/mindspore.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { IN_OPERATORS, IN_EXECUTIONS };
enum { OUT_OPERATORS, OUT_TYPES, OUT_SPANS };

/* ---- tables ---- */

typedef struct OperatorRow {
    uint64_t executions;
    double total_us, mean_us, min_us, max_us, share;
    double mflops, gflops, utilization;
    double cube_mflops, cube_gflops, cube_utilization;
    double vector_mflops, vector_gflops, vector_utilization;
    uint32_t device, op_name, kernel_name, kernel_type, subgraph, stream, block_dim, reserved;
    OpprofText op_info;
} OperatorRow;

#define ABSENT "the profiler's files do not say"
#define US(type, member, rule, flags, meaning)                                                     \
    OPPROF_MINDSPORE_FIELD(type, member##_us, F64, #member "(us)", rule, flags, "us", meaning,     \
                           ABSENT)
#define RATE(member, in, meaning)                                                                  \
    OPPROF_RECORD_FIELD(OperatorRow, member, F64, OPPROF_FIELD_ALONE, in, meaning, ABSENT)

static const OpprofField operator_fields[] = {
    OPPROF_MINDSPORE_DEVICE(OperatorRow),
    OPPROF_RECORD_FIELD(OperatorRow, op_name, STRING, OPPROF_FIELD_KEY, NULL, "Operator.", NULL),
    OPPROF_RECORD_FIELD(OperatorRow, kernel_name, STRING, OPPROF_FIELD_ALONE, NULL,
                        "Last part of its name.", NULL),
    OPPROF_RECORD_FIELD(OperatorRow, kernel_type, STRING, 0, NULL, "Type.", NULL),
    OPPROF_RECORD_FIELD(OperatorRow, subgraph, STRING, 0, NULL, "Part of the graph.",
                        "its name has none"),
    OPPROF_RECORD_FIELD(OperatorRow, stream, U32, OPPROF_FIELD_ALONE, NULL,
                        "Stream of the first execution.", ABSENT),
    OPPROF_RECORD_FIELD(OperatorRow, block_dim, U32, OPPROF_FIELD_ALONE, "1", "Blocks.", ABSENT),
    OPPROF_RECORD_NUMBER(OperatorRow, executions, U64, SUM, 0, "1", "Executions.", ABSENT),
    US(OperatorRow, total, SUM, OPPROF_FIELD_WEIGHT, "Time of all executions."),
    US(OperatorRow, mean, UNKNOWN, OPPROF_FIELD_ALONE, "Mean time of an execution."),
    US(OperatorRow, min, UNKNOWN, OPPROF_FIELD_ALONE, "The shortest."),
    US(OperatorRow, max, UNKNOWN, OPPROF_FIELD_ALONE, "The longest."),
    OPPROF_RECORD_FIELD(OperatorRow, share, F64, OPPROF_FIELD_ALONE, "%",
                        "Share of the time of all operators.", ABSENT),
    OPPROF_RECORD_FIELD(OperatorRow, op_info, TEXT, OPPROF_FIELD_ALONE, NULL,
                        "Inputs and outputs, JSON.", ABSENT),
    RATE(mflops, "1e6", "Operations of an execution."),
    RATE(gflops, "1e9/s", "Operations a second."),
    RATE(utilization, "%", "Share of the peak."),
    RATE(cube_mflops, "1e6", "Operations of the cube in an execution."),
    RATE(cube_gflops, "1e9/s", "Operations a second of the cube."),
    RATE(cube_utilization, "%", "Share of the peak by the cube."),
    RATE(vector_mflops, "1e6", "Operations of the vector unit in an execution."),
    RATE(vector_gflops, "1e9/s", "Operations a second of the vector unit."),
    RATE(vector_utilization, "%", "Share of the peak by the vector unit."),
};
static const OpprofRecordType operator_type =
    OPPROF_RECORD_TYPE(OperatorRow, 1, "mindspore.operators", "Operators by name.",
                       OPPROF_RECORD_TABLE, operator_fields, "Operators", "operators");

typedef struct TypeRow {
    uint64_t operators, executions;
    double total_us, mean_sum_us, share;
    uint32_t device, kernel_type;
} TypeRow;

static const OpprofField type_fields[] = {
    OPPROF_MINDSPORE_DEVICE(TypeRow),
    OPPROF_RECORD_FIELD(TypeRow, kernel_type, STRING, OPPROF_FIELD_KEY, NULL, "Type.", NULL),
    OPPROF_RECORD_NUMBER(TypeRow, operators, U64, SUM, 0, "1", "Operators.", ABSENT),
    OPPROF_RECORD_NUMBER(TypeRow, executions, U64, SUM, 0, "1", "Their executions.", ABSENT),
    US(TypeRow, total, SUM, 0, "Time of all executions."),
    US(TypeRow, mean_sum, SUM, OPPROF_FIELD_WEIGHT,
       "Mean times of its operators, added up: about one step."),
    OPPROF_RECORD_FIELD(TypeRow, share, F64, OPPROF_FIELD_ALONE, "%",
                        "Share of these sums of all types.", ABSENT),
};
static const OpprofRecordType type_type =
    OPPROF_RECORD_TYPE(TypeRow, 1, "mindspore.operator-types", "Operators by type.",
                       OPPROF_RECORD_TABLE | OPPROF_RECORD_SUMMARY, type_fields,
                       "Operators by type", "operator_types");

/* ---- what is known ---- */

typedef struct Operation {
    OpprofMindsporeOperator facts;
    char *info;
    uint64_t order; /* of the first that says how long it takes; UINT64_MAX: none does */
    uint32_t first_stream;
    uint64_t ticks, min_ticks, max_ticks;
    double ticks_a_us;
} Operation;

typedef struct Analysis {
    OpprofStage *stage;
    OpprofMap map; /* by device and name */
    Operation *list;
    size_t count;
    size_t room;
    uint64_t next_order;
    OpprofMap tracks; /* by device and stream */
    OpprofOpenBatch spans;
} Analysis;

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    return OpprofInstanceCreate(stage, sizeof(Analysis), ret_self, error);
}

/* NULL without memory. */
static Operation *find(Analysis *self, uint32_t device, uint32_t name, uint32_t type)
{
    const uint64_t key = (uint64_t) device << 32 | (name != OPPROF_NA_STRING ? name : ~type);
    const uint32_t place = OpprofMapFind(&self->map, key);

    if (place != OPPROF_MAP_NONE) {
        return &self->list[place];
    }
    if (!OpprofGrow(&self->list, &self->room, self->count + 1, sizeof *self->list) ||
        !OpprofMapPut(&self->map, key, (uint32_t) self->count)) {
        return NULL;
    }
    self->list[self->count] = (Operation){
        .facts = OpprofMindsporeOperatorOf(device, name),
        .order = UINT64_MAX,
        .min_ticks = UINT64_MAX,
    };
    self->list[self->count].facts.type = type;
    return &self->list[self->count++];
}

/* Takes what a record says and those before it did not. */
static OpprofStatus take_facts(Analysis *self, const OpprofBatch *batch,
                               const OpprofMindsporeOperator *record)
{
    Operation *operation = find(self, record->device, record->name, record->type);
    const char *info = OpprofBatchText(batch, record->info);

    if (operation == NULL) {
        return OPPROF_E_MEMORY;
    }
    for (uint32_t i = 0; i < OPPROF_COUNT(opprof_mindspore_operator_fields); i++) {
        const OpprofField *field = &opprof_mindspore_operator_fields[i];
        char *own = (char *) &operation->facts + field->offset;
        const char *other = (const char *) record + field->offset;
        const bool is_short = field->kind == OPPROF_FIELD_STRING || field->kind == OPPROF_FIELD_U32;

        if (field->kind != OPPROF_FIELD_TEXT && !OpprofFieldIsNa(field, other) &&
            (OpprofFieldIsNa(field, own) || field->kind == OPPROF_FIELD_U32)) {
            memcpy(own, other, is_short ? 4 : 8);
        }
    }
    if (!OpprofIsNaF64(record->mean_us) && operation->order == UINT64_MAX) {
        operation->order = self->next_order++;
    }
    if (info != NULL && operation->info == NULL) {
        operation->info = strndup(info, record->info.length);
        return operation->info == NULL ? OPPROF_E_MEMORY : OPPROF_OK;
    }
    return OPPROF_OK;
}

/* ---- executions ---- */

static OpprofStatus draw(Analysis *self, const OpprofBatch *batch,
                         const OpprofMindsporeExecution *execution)
{
    const uint64_t key = (uint64_t) batch->partition << 32 | execution->stream;
    uint32_t track = OpprofMapFind(&self->tracks, key);

    if (track == OPPROF_MAP_NONE) {
        char lane[40];

        snprintf(lane, sizeof lane, "stream %u", execution->stream);
        track = LanesTrack(self->stage, batch->partition, lane,
                           LANE_STREAMS + (int32_t) (execution->stream & 0xffffffu), 0);
        if (track == OPPROF_NA_U32 || !OpprofMapPut(&self->tracks, key, track)) {
            return OPPROF_E_MEMORY;
        }
    }
    OpprofSpan span = LanesSlice(self->stage, track, execution->name, OPPROF_ACTIVITY_COMPUTATION);
    span.start = execution->start;
    span.duration = execution->duration;
    return LanesAppend(&self->spans, batch->clock, &span);
}

static OpprofStatus take_execution(Analysis *self, const OpprofBatch *batch,
                                   const OpprofMindsporeExecution *execution)
{
    Operation *operation = find(self, batch->partition, execution->name, OPPROF_NA_STRING);
    const uint64_t ticks = execution->duration;

    if (operation == NULL) {
        return OPPROF_E_MEMORY;
    }
    if (operation->order == UINT64_MAX) {
        const OpprofClock *clock = OpprofStageClockInfo(self->stage, batch->clock);

        operation->order = self->next_order++;
        operation->ticks_a_us = clock == NULL ? 1 : (double) clock->hz / 1e6;
        operation->facts.executions = 0;
    }
    if (operation->facts.executions++ == 0) {
        operation->first_stream = execution->stream;
    }
    operation->ticks += ticks;
    operation->min_ticks = ticks < operation->min_ticks ? ticks : operation->min_ticks;
    operation->max_ticks = ticks > operation->max_ticks ? ticks : operation->max_ticks;
    return OpprofStageHasReader(self->stage, OUT_SPANS) ? draw(self, batch, execution) : OPPROF_OK;
}

static OpprofStatus fail(OpprofStatus status, OpprofError **error)
{
    return status == OPPROF_E_MEMORY
               ? OpprofErrorNoMemory(error, "analyse %s", "MindSpore's operators")
               : status;
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    Analysis *self = context;
    OpprofStatus status = OPPROF_OK;

    self->spans.stage = self->stage;
    self->spans.port = OUT_SPANS;
    for (uint32_t i = 0; i < batch->count && status == OPPROF_OK; i++) {
        const void *record = OpprofBatchRecord(batch, i);

        status = port == IN_OPERATORS ? take_facts(self, batch, record)
                                      : take_execution(self, batch, record);
    }
    return fail(status, error);
}

/* ---- rows ---- */

static const char *last_part(const char *name)
{
    const char *slash = strrchr(name, '/');

    return slash == NULL ? name : slash + 1;
}

static uint32_t intern(const Analysis *self, const char *text, size_t length)
{
    return OpprofStageIntern(self->stage, text, length);
}

static uint32_t subgraph_of(const Analysis *self, const char *name)
{
    const size_t length = strcspn(name, "/");
    const bool is_known = (length == 7 && memcmp(name, "Default", 7) == 0) ||
                          (length == 9 && memcmp(name, "Gradients", 9) == 0);

    return is_known && name[length] == '/' ? intern(self, name, length) : OPPROF_NA_STRING;
}

static void rate(double mflops, double mean_us, double peak, double *gflops, double *utilization)
{
    if (OpprofIsNaF64(*gflops) && !OpprofIsNaF64(mflops) && mean_us > 0) {
        *gflops = mflops / (mean_us / 1000);
    }
    if (OpprofIsNaF64(*utilization) && !OpprofIsNaF64(*gflops) && peak > 0) {
        *utilization = *gflops * 1e9 / peak * 100;
    }
}

/* What the counts of operations mean at the operator's mean time. */
static void fill_rates(OperatorRow *row, const OpprofMindsporeOperator *facts)
{
    row->mflops = facts->mflops;
    row->gflops = facts->gflops;
    row->utilization = facts->utilization;
    row->cube_mflops = facts->cube_mflops;
    row->cube_gflops = facts->cube_gflops;
    row->cube_utilization = facts->cube_utilization;
    row->vector_mflops = facts->vector_mflops;
    row->vector_gflops = facts->vector_gflops;
    row->vector_utilization = facts->vector_utilization;
    if (!OpprofIsNaF64(facts->peak) || !OpprofIsNaF64(facts->mflops)) {
        rate(row->mflops, row->mean_us, facts->peak, &row->gflops, &row->utilization);
        rate(row->cube_mflops, row->mean_us, facts->peak, &row->cube_gflops,
             &row->cube_utilization);
        rate(row->vector_mflops, row->mean_us, facts->peak, &row->vector_gflops,
             &row->vector_utilization);
    }
}

static void fill_times(OperatorRow *row, const Operation *operation)
{
    const double na = OpprofNaF64();
    const bool is_counted = operation->ticks_a_us > 0;

    row->executions = operation->facts.executions;
    row->min_us = is_counted ? (double) operation->min_ticks / operation->ticks_a_us : na;
    row->max_us = is_counted ? (double) operation->max_ticks / operation->ticks_a_us : na;
    if (is_counted) {
        row->total_us = (double) operation->ticks / operation->ticks_a_us;
        row->mean_us = (double) operation->ticks / (double) row->executions / operation->ticks_a_us;
    } else {
        row->mean_us = operation->facts.mean_us;
        row->total_us =
            row->executions == OPPROF_NA_U64 ? na : row->mean_us * (double) row->executions;
    }
    row->share = na;
}

static OperatorRow make_row(const Analysis *self, const Operation *operation)
{
    const OpprofMindsporeOperator *facts = &operation->facts;
    const char *name = OpprofStageString(self->stage, facts->name);
    const char *kernel = last_part(name);
    OperatorRow row = { .device = facts->device,
                        .op_name = facts->name,
                        .kernel_name = intern(self, kernel, strlen(kernel)),
                        .kernel_type = facts->type,
                        .subgraph = subgraph_of(self, name),
                        .stream =
                            operation->ticks_a_us > 0 ? operation->first_stream : facts->stream,
                        .block_dim = facts->block_dim,
                        .op_info = { OPPROF_NA_U32, 0 } };

    if (row.kernel_type == OPPROF_NA_STRING) {
        row.kernel_type = intern(self, kernel, strcspn(kernel, "-"));
    }
    fill_times(&row, operation);
    fill_rates(&row, facts);
    return row;
}

/* ---- types ---- */

typedef struct Types {
    OpprofMap map;
    TypeRow *rows;
    size_t count;
    size_t room;
} Types;

static TypeRow *find_type(Types *types, uint32_t device, uint32_t type)
{
    const uint32_t place = OpprofMapFind(&types->map, type);

    if (place != OPPROF_MAP_NONE) {
        return &types->rows[place];
    }
    if (!OpprofGrow(&types->rows, &types->room, types->count + 1, sizeof *types->rows) ||
        !OpprofMapPut(&types->map, type, (uint32_t) types->count)) {
        return NULL;
    }
    types->rows[types->count] = (TypeRow){ .device = device, .kernel_type = type };
    return &types->rows[types->count++];
}

static bool add_to_type(Types *types, const OperatorRow *row)
{
    TypeRow *type = find_type(types, row->device, row->kernel_type);

    if (type == NULL) {
        return false;
    }
    type->operators++;
    type->mean_sum_us += row->mean_us;
    if (row->executions == OPPROF_NA_U64 || type->executions == OPPROF_NA_U64) {
        type->executions = OPPROF_NA_U64;
        type->total_us = OpprofNaF64();
    } else {
        type->executions += row->executions;
        type->total_us += row->total_us;
    }
    return true;
}

/* A file of types says it itself. */
static bool set_type(Types *types, const OpprofMindsporeOperator *facts)
{
    TypeRow *type = find_type(types, facts->device, facts->type);

    if (type != NULL) {
        type->operators = facts->executions;
        type->mean_sum_us = facts->mean_us;
        type->executions = OPPROF_NA_U64;
        type->total_us = OpprofNaF64();
    }
    return type != NULL;
}

static OpprofStatus emit_types(const Analysis *self, Types *types)
{
    OpprofStatus status = OPPROF_OK;
    double sum = 0;

    for (size_t i = 0; i < types->count; i++) {
        sum += types->rows[i].mean_sum_us;
    }
    for (size_t i = 0; i < types->count && status == OPPROF_OK; i++) {
        types->rows[i].share = sum > 0 ? 100 * types->rows[i].mean_sum_us / sum : OpprofNaF64();
        status = OpprofStageAppend(self->stage, OUT_TYPES, types->rows[i].device, &types->rows[i]);
    }
    return status;
}

/* ---- the end ---- */

static int compare_operations(const void *a, const void *b, void *context)
{
    const Analysis *self = context;
    const Operation *left = a;
    const Operation *right = b;

    if (left->facts.device != right->facts.device) {
        return strverscmp(OpprofStageString(self->stage, left->facts.device),
                          OpprofStageString(self->stage, right->facts.device));
    }
    return (left->order > right->order) - (left->order < right->order);
}

static OpprofStatus emit_row(const Analysis *self, const Operation *operation, double total)
{
    OperatorRow row = make_row(self, operation);
    OpprofStatus status = OPPROF_OK;

    if (total > 0 && !OpprofIsNaF64(row.total_us)) {
        row.share = 100 * row.total_us / total;
    }
    if (operation->info != NULL) {
        status = OpprofStageText(self->stage, OUT_OPERATORS, row.device, operation->info,
                                 strlen(operation->info), &row.op_info);
    }
    return status == OPPROF_OK ? OpprofStageAppend(self->stage, OUT_OPERATORS, row.device, &row)
                               : status;
}

/* Operations of a device that took time, and the types that files state. */
static OpprofStatus emit_device(const Analysis *self, size_t from, size_t to)
{
    OpprofStatus status = OPPROF_OK;
    Types types = { .count = 0 };
    bool has_types = false;
    double total = 0;

    for (size_t i = from; i < to; i++) {
        const OperatorRow row = make_row(self, &self->list[i]);

        has_types = has_types || row.op_name == OPPROF_NA_STRING;
        total +=
            self->list[i].order == UINT64_MAX || OpprofIsNaF64(row.total_us) ? 0 : row.total_us;
    }
    for (size_t i = from; i < to && status == OPPROF_OK; i++) {
        const Operation *operation = &self->list[i];
        const OperatorRow row = make_row(self, operation);
        const bool is_type = operation->facts.name == OPPROF_NA_STRING;

        if (operation->order == UINT64_MAX) {
            continue; /* it never ran */
        }
        if (is_type ? !set_type(&types, &operation->facts)
                    : !has_types && !add_to_type(&types, &row)) {
            status = OPPROF_E_MEMORY;
        } else if (!is_type) {
            status = emit_row(self, operation, total);
        }
    }
    if (status == OPPROF_OK) {
        status = emit_types(self, &types);
    }
    OpprofMapFinish(&types.map);
    free(types.rows);
    return status;
}

static OpprofStatus flush(void *context, OpprofError **error)
{
    Analysis *self = context;
    OpprofStatus status = OpprofOpenBatchPush(&self->spans);

    if (self->count > 0) {
        qsort_r(self->list, self->count, sizeof *self->list, compare_operations, self);
    }
    for (size_t from = 0, to; from < self->count && status == OPPROF_OK; from = to) {
        for (to = from + 1;
             to < self->count && self->list[to].facts.device == self->list[from].facts.device;) {
            to++;
        }
        status = emit_device(self, from, to);
    }
    OpprofLog(OPPROF_LOG_INFO, OpprofStageId(self->stage), "Analysed: operators=%zu", self->count);
    return fail(status, error);
}

static void destroy(void *context)
{
    Analysis *self = context;

    OpprofOpenBatchDrop(&self->spans);
    for (size_t i = 0; i < self->count; i++) {
        free(self->list[i].info);
    }
    free(self->list);
    OpprofMapFinish(&self->map);
    OpprofMapFinish(&self->tracks);
    free(self);
}

/* ---- module ---- */

static const OpprofPort inputs[] = {
    { .name = "operators",
      .type = "mindspore.operator",
      .record_type = &opprof_mindspore_operator_type,
      .flags = OPPROF_PORT_OPTIONAL,
      .summary = "What is known about each operator." },
    { .name = "executions",
      .type = "mindspore.execution",
      .record_type = &opprof_mindspore_execution_type,
      .flags = OPPROF_PORT_OPTIONAL,
      .summary = "Executions of operators." },
};

static const OpprofPort outputs[] = {
    { .name = "operators", .record_type = &operator_type, .summary = "Operators by name." },
    { .name = "types", .record_type = &type_type, .summary = "Operators by type." },
    { .name = "spans",
      .record_type = &opprof_span_type,
      .summary = "Executions of operators, a line for each stream." },
};

static const OpprofPluginOps ops = {
    .struct_size = sizeof(OpprofPluginOps),
    .create = create,
    .process = process,
    .flush = flush,
    .destroy = destroy,
};

OPPROF_PLUGIN_DEFINE(.name = "mindspore-operators", .version = "1.0", .license = "Apache-2.0",
                     .summary = "Shows the time of MindSpore's operators and of their types.",
                     .help =
                         "Adds up executions by operator. Memory grows with operators and streams.",
                     .kind = OPPROF_ANALYSIS, .inputs = inputs, .input_count = OPPROF_COUNT(inputs),
                     .outputs = outputs, .output_count = OPPROF_COUNT(outputs), .ops = &ops);
