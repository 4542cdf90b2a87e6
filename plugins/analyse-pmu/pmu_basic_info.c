/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pmu-basic-info: what ran, on which device and how long, as a table and as a view.
 * Tested by tests/plugins/parse-pmu/test_cases.sh.
 */
#include "cells.h"
#include "launches.h"
#include "metric_facts.h"

#include <opprof/plugin.h>
#include <opprof/records/subject.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OUTPUT_TABLES, OUTPUT_VIEW, OUTPUT_SUBJECT };

#define TABLE "OpBasicInfo"
#define MAX_COLUMNS 64u
#define MAX_MIX_CORES 64u /* of a block that the view shows separately; devices have three */

/* Facts of a launch, in the order in which metric_basic_table names them. */
typedef enum InfoFact {
    INFO_NAME,
    INFO_SOC,
    INFO_OP_TYPE,
    INFO_BLOCK_DIM,
    INFO_MIX_BLOCK_DIM,
    INFO_DEVICE_ID,
    INFO_PID,
    INFO_CUR_FREQ,
    INFO_RATED_FREQ,
    INFO_DURATION,
    INFO_FACTS
} InfoFact;

static const char *const fact_names[INFO_FACTS] = {
    [INFO_NAME] = "name",
    [INFO_SOC] = "soc",
    [INFO_OP_TYPE] = "op_type",
    [INFO_BLOCK_DIM] = "block_dim",
    [INFO_MIX_BLOCK_DIM] = "mix_block_dim",
    [INFO_DEVICE_ID] = "device_id",
    [INFO_PID] = "pid",
    [INFO_CUR_FREQ] = "cur_freq",
    [INFO_RATED_FREQ] = "rated_freq",
    [INFO_DURATION] = "duration",
};

typedef struct Compiled {
    const OpprofFormula *core_time;
    InfoFact facts[MAX_COLUMNS]; /* of the table's columns */
    TableColumn columns[MAX_COLUMNS];
    uint32_t column_count;
} Compiled;

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "read basic info of an operator");
}

/* ---- compiling ---- */

static void take_column(const BasicColumnFacts *facts, Compiled *compiled)
{
    const InfoFact which = (InfoFact) facts->shows;

    compiled->facts[compiled->column_count] = which;
    compiled->columns[compiled->column_count++] = (TableColumn){
        .name = facts->name,
        .kind = which == INFO_DURATION ? OPPROF_FIELD_F64 : OPPROF_FIELD_STRING,
        .unit = which == INFO_DURATION ? "us" : facts->unit,
        .flags = which == INFO_DURATION ? OPPROF_FIELD_WEIGHT | OPPROF_FIELD_RUN_TIME
                 : which == INFO_NAME   ? OPPROF_FIELD_KEY
                 : which == INFO_PID    ? OPPROF_FIELD_ALONE /* another one in each run */
                                        : 0,
    };
}

static OpprofStatus compile(PmuMetrics *metrics, OpprofError **error)
{
    Compiled *compiled = calloc(1, sizeof *compiled);
    BasicFacts basic;
    OperatorFacts facts;

    metrics->compiled = compiled;
    metrics->forget = free;
    if (compiled == NULL) {
        return no_memory(error);
    }
    OpprofStatus status = OpprofMetricsBind(metrics->metrics, "metrics.tables." TABLE,
                                            &metric_basic_table, &basic, error);
    if (status != OPPROF_OK) {
        return status;
    }
    for (uint32_t i = 0; i < basic.count; i++) {
        take_column(&basic.columns[i], compiled);
    }
    OpprofFactsFree(&metric_basic_table, &basic);
    status = OpprofMetricsBind(metrics->metrics, "metrics.operator", &metric_operator_table, &facts,
                               error);
    compiled->core_time = facts.core_time.formula;
    OpprofFactsFree(&metric_operator_table, &facts);
    return status;
}

/* ---- facts ---- */

/* For mix operators: how many of their cores are of the kind that the chip file counts. */
static uint32_t mix_blocks(const Launches *self, const PmuMetrics *metrics, const LaunchView *view)
{
    const uint32_t kind =
        PmuIntern(self->stage, OpprofChipText(metrics->chip, "pmu.operator.mix_blocks"));
    char text[16];
    uint32_t count = 0;

    if (!LaunchIsMix(view) || kind == OPPROF_NA_STRING) {
        return OPPROF_NA_STRING;
    }
    for (uint32_t i = 0; i < view->key_count; i++) {
        count += view->keys[i].kind == kind;
    }
    snprintf(text, sizeof text, "%u", count);
    return PmuIntern(self->stage, text);
}

/* Interned text of a fact; the duration has none. */
static uint32_t text_of(const Launches *self, const PmuMetrics *metrics, const LaunchView *view,
                        InfoFact fact)
{
    const OpprofPmuLaunch *launch = &view->launch;

    switch (fact) {
    case INFO_NAME:
        return launch->name;
    case INFO_SOC:
        return launch->soc;
    case INFO_OP_TYPE:
        return launch->op_type;
    case INFO_BLOCK_DIM:
        return launch->block_dim;
    case INFO_MIX_BLOCK_DIM:
        return mix_blocks(self, metrics, view);
    case INFO_DEVICE_ID:
        return launch->device_id;
    case INFO_PID:
        return launch->pid;
    case INFO_CUR_FREQ:
        return launch->cur_freq;
    case INFO_RATED_FREQ:
        return launch->rated_freq;
    case INFO_DURATION:
    case INFO_FACTS:
        break;
    }
    return OPPROF_NA_STRING;
}

static OpprofStatus push_table(Launches *self, const PmuMetrics *metrics, const LaunchView *view,
                               OpprofError **error)
{
    const Compiled *compiled = metrics->compiled;
    TableType *type = TableTypeFind(&self->types, TABLE, OPPROF_RECORD_SUMMARY, compiled->columns,
                                    compiled->column_count);
    OpprofBatch *batch = type == NULL || compiled->column_count == 0 ? NULL : TableNewBatch(type);

    if (compiled->column_count == 0) {
        return OPPROF_OK;
    }
    if (batch == NULL) {
        return no_memory(error);
    }
    void *row = TableAppend(type, batch, &view->launch);
    for (uint32_t i = 0; i < compiled->column_count; i++) {
        if (compiled->facts[i] == INFO_DURATION) {
            TableSetReal(type, row, i, view->launch.duration_us);
        } else {
            TableSetString(type, row, i, text_of(self, metrics, view, compiled->facts[i]));
        }
    }
    batch->partition = view->batch->partition;
    batch->watermark = UINT64_MAX;
    return OpprofStagePush(self->stage, OUTPUT_TABLES, batch);
}

/* What ran, for the beginning of reports. */
static OpprofStatus push_subject(const Launches *self, const LaunchView *view)
{
    const double blocks = PmuStatedNumber(self->stage, view->launch.block_dim);
    const OpprofSubject row = { .device = view->launch.device,
                                .kernel = view->launch.kernel,
                                .order = view->launch.order,
                                .name = view->launch.name,
                                .chip = view->launch.soc,
                                .way = PmuIntern(self->stage, "on a device"),
                                .blocks = blocks > 0 ? (uint32_t) blocks : OPPROF_NA_U32,
                                .cores = OPPROF_NA_U32,
                                .cycles = OPPROF_NA_U64 };

    return OpprofStageAppend(self->stage, OUTPUT_SUBJECT, view->batch->partition, &row);
}

/* ---- the view ---- */

/* "vector1" as "Vector1 Duration (μs)", interned. */
static uint32_t heading_of(OpprofStage *stage, uint32_t key)
{
    char heading[96];
    const char *name = OpprofStageString(stage, key);

    snprintf(heading, sizeof heading, "%c%.64s Duration (μs)", toupper((unsigned char) name[0]),
             name[0] == '\0' ? "" : name + 1);
    return PmuIntern(stage, heading);
}

static double core_time(PmuMetrics *metrics, const LaunchView *view, uint32_t key)
{
    const Compiled *compiled = metrics->compiled;
    const PmuRow row = RowOfKey(view, key);

    if (compiled->core_time == NULL) {
        return OpprofNaF64();
    }
    PmuMetricsSetRow(metrics, view, &row);
    return OpprofFormulaReal(compiled->core_time, OpprofMetricsInputs(metrics->metrics));
}

static CellPlace detail_place(const Launches *self, const LaunchView *view, uint32_t key)
{
    char block[16];

    snprintf(block, sizeof block, "%u", view->keys[key].block);
    return (CellPlace){ .table = PmuIntern(self->stage,
                                           LaunchIsMix(view) ? "mix_block_detail" : "block_detail"),
                        .row = PmuIntern(self->stage, block) };
}

/* The cores that a mix operator ran on, as interned names in order. */
static uint32_t list_names(const Launches *self, const LaunchView *view, uint32_t *names)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < view->key_count; i++) {
        uint32_t at = 0;
        while (at < count && names[at] != view->keys[i].name) {
            at++;
        }
        if (at < count) {
            continue;
        }
        if (count == MAX_MIX_CORES) {
            OpprofStageIncomplete(
                self->stage,
                "Launch '%s': its blocks have more than %u cores; only the first ones are shown",
                OpprofStageString(self->stage, view->batch->partition), MAX_MIX_CORES);
            break;
        }
        const char *name = OpprofStageString(self->stage, view->keys[i].name);
        while (at > 0 && strcmp(OpprofStageString(self->stage, names[at - 1]), name) > 0) {
            names[at] = names[at - 1];
            at--;
        }
        names[at] = view->keys[i].name;
        count++;
    }
    return count;
}

static void put_mix_detail(const Launches *self, PmuMetrics *metrics, const LaunchView *view,
                           CellWriter *writer)
{
    uint32_t names[MAX_MIX_CORES];
    const uint32_t count = list_names(self, view, names);

    for (uint32_t first = 0; first < view->key_count; first = LaunchBlockEnd(view, first)) {
        const CellPlace place = detail_place(self, view, first);
        const uint32_t end = LaunchBlockEnd(view, first);
        CellText(writer, &place, PmuIntern(self->stage, "Block ID"),
                 OpprofStageString(self->stage, place.row));
        for (uint32_t i = 0; i < count; i++) {
            uint32_t key = first;
            while (key < end && view->keys[key].name != names[i]) {
                key++;
            }
            CellReal(writer, &place, heading_of(self->stage, names[i]), OPPROF_NA_STRING,
                     key < end ? core_time(metrics, view, key) : OpprofNaF64());
        }
    }
}

static void put_detail(const Launches *self, PmuMetrics *metrics, const LaunchView *view,
                       CellWriter *writer)
{
    for (uint32_t key = 0; key < view->key_count; key++) {
        const CellPlace place = detail_place(self, view, key);
        if ((view->launch.flags & OPPROF_PMU_LAUNCH_ONE_KEY) == 0) {
            CellText(writer, &place, PmuIntern(self->stage, "Block ID"),
                     OpprofStageString(self->stage, place.row));
        }
        CellText(writer, &place, PmuIntern(self->stage, "Core Type"),
                 OpprofStageString(self->stage, view->launch.op_type));
        CellReal(writer, &place, PmuIntern(self->stage, "Duration (μs)"), OPPROF_NA_STRING,
                 core_time(metrics, view, key));
    }
}

/* The viewer's sentence: the clock was 5 % below the rated one, or more. */
static bool has_low_clock(const LaunchView *view, OpprofStage *stage)
{
    return PmuStatedNumber(stage, view->launch.cur_freq) <=
           0.95 * PmuStatedNumber(stage, view->launch.rated_freq);
}

static OpprofStatus push_view(const Launches *self, PmuMetrics *metrics, const LaunchView *view,
                              OpprofError **error)
{
    const CellPlace place = { 0 };
    CellWriter writer;

    CellsBegin(&writer, self->stage, OUTPUT_VIEW, view);
    for (InfoFact fact = 0; fact < INFO_FACTS; fact++) {
        const uint32_t column = PmuIntern(self->stage, fact_names[fact]);
        if (fact == INFO_DURATION) {
            CellReal(&writer, &place, column, PmuIntern(self->stage, "us"),
                     view->launch.duration_us);
        } else {
            const uint32_t text = text_of(self, metrics, view, fact);
            CellText(&writer, &place, column,
                     text == OPPROF_NA_STRING ? NULL : OpprofStageString(self->stage, text));
        }
    }
    if (has_low_clock(view, self->stage)) {
        CellText(&writer, &place, PmuIntern(self->stage, "advice"),
                 "The current frequency is lower than the rated frequency");
    }
    if (LaunchIsMix(view)) {
        put_mix_detail(self, metrics, view, &writer);
    } else {
        put_detail(self, metrics, view, &writer);
    }
    return CellsEnd(&writer, error);
}

static OpprofStatus analyse(Launches *self, const LaunchView *view, OpprofError **error)
{
    PmuMetrics *metrics = NULL;
    OpprofStatus status =
        PmuMetricsFind(&self->metrics, self->stage, view, compile, &metrics, error);

    if (status == OPPROF_OK) {
        status = push_table(self, metrics, view, error);
    }
    if (status == OPPROF_OK && OpprofStageHasReader(self->stage, OUTPUT_SUBJECT)) {
        status = push_subject(self, view);
    }
    return status == OPPROF_OK && OpprofStageHasReader(self->stage, OUTPUT_VIEW)
               ? push_view(self, metrics, view, error)
               : status;
}

static const OpprofPort outputs[] = {
    { .name = "tables", .record_type = &opprof_tables_type, .summary = "The table OpBasicInfo." },
    { .name = "view",
      .record_type = &opprof_operator_view_type,
      .summary = "Facts about the operator, and how long each core took." },
    { .name = "subject",
      .record_type = &opprof_subject_type,
      .summary = "What ran: each launch, its chip and its blocks." },
};

LAUNCHES_DEFINE(analyse, NULL, outputs, .name = "pmu-basic-info",
                .summary = "Shows what ran, on which device and how long.",
                .help = "The chip file defines the columns of the table OpBasicInfo.");
