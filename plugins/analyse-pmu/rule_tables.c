/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the tables of loads and pipes that rules read. Tested by tests/plugins/parse-pmu/advice.py.
 */
#include "rule_tables.h"

#include <stdlib.h>
#include <string.h>

#define NO_CLOCK "the clock is unknown"

/* People look them up on the page, if at all. */
#define FOR_RULES (OPPROF_FIELD_HIDDEN | OPPROF_FIELD_DETAIL)

/* Record of "pmu.loads". */
typedef struct LoadRow {
    uint32_t device;
    uint32_t kernel;
    uint32_t order;
    uint32_t kind;
    uint32_t blocks;
    uint32_t cores;
    uint32_t device_cores;
    uint32_t longest_core;
    double longest_us;
    double mean_us;
    double launch_us;
    double clock_mhz;
    double rated_mhz;
} LoadRow;

/* Record of "pmu.pipes". */
typedef struct PipeRow {
    uint32_t device;
    uint32_t kernel;
    uint32_t order;
    uint32_t kind;
    uint32_t block;
    uint32_t sub_block;
    uint32_t pipe;
    uint32_t moves;
    double core_us;
    double launch_us;
    double busy_percent;
    double wait_percent;
    double of_peak;
    double lost_percent;
} PipeRow;

#define TEXT_KEY(record, member, text)                                                             \
    OPPROF_FIELD(record, member, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY,                   \
                 .meaning = (text), .absent = "the chip has one kind")
#define NUMBER(record, member, text)                                                               \
    OPPROF_FIELD(record, member, OPPROF_FIELD_U32, .combine = OPPROF_COMBINE_NONE, .unit = "1",    \
                 .flags = FOR_RULES, .meaning = (text), .absent = "unknown")
#define REAL(record, member, in, text, reason)                                                     \
    OPPROF_FIELD(record, member, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_NONE, .unit = (in),   \
                 .decimals = 6, .flags = FOR_RULES, .meaning = (text), .absent = (reason))

static const OpprofField load_fields[] = {
    OPPROF_RECORD_FOLDER(LoadRow),
    TEXT_KEY(LoadRow, kind, "Kind of core."),
    NUMBER(LoadRow, blocks, "Blocks that ran on cores of the kind."),
    NUMBER(LoadRow, cores, "Cores of the kind that ran any."),
    NUMBER(LoadRow, device_cores, "Cores of the kind that the device has."),
    NUMBER(LoadRow, longest_core, "The core that took longest, by the first of its blocks."),
    REAL(LoadRow, longest_us, "us", "Its time.", NO_CLOCK),
    REAL(LoadRow, mean_us, "us", "Mean time of the cores that ran any.", NO_CLOCK),
    REAL(LoadRow, launch_us, "us", "Time of the launch.", "the data does not say"),
    REAL(LoadRow, clock_mhz, "MHz", "Clock while it ran, as the data states it.",
         "the data does not say"),
    REAL(LoadRow, rated_mhz, "MHz", "Rated clock, as the data states it.", "the data does not say"),
};
const OpprofRecordType pmu_loads_type =
    OPPROF_RECORD_TYPE(LoadRow, 1, "pmu.loads", "How evenly a launch used the cores of a kind.",
                       OPPROF_RECORD_TABLE, load_fields, "Load of cores", "");

static const OpprofField pipe_fields[] = {
    OPPROF_RECORD_FOLDER(PipeRow),
    TEXT_KEY(PipeRow, kind, "Kind of core."),
    NUMBER(PipeRow, block, "Block of the core that took longest of its kind."),
    NUMBER(PipeRow, sub_block, "Its sub-block."),
    TEXT_KEY(PipeRow, pipe, "Pipe or unit."),
    NUMBER(PipeRow, moves, "1: it moves data."),
    REAL(PipeRow, core_us, "us", "Time of the core.", NO_CLOCK),
    REAL(PipeRow, launch_us, "us", "Time of the launch.", "the data does not say"),
    REAL(PipeRow, busy_percent, "%", "Share of the core's time in which it was busy.",
         "it was not counted"),
    REAL(PipeRow, wait_percent, "%", "Share of the core's time in which it waited for flags.",
         "it was not counted, or the chip counts no waits of it"),
    REAL(PipeRow, of_peak, "ratio", "Share of its peak bandwidth that it reached while busy.",
         "its bytes or its peak are unknown"),
    REAL(PipeRow, lost_percent, "%",
         "Share of the core's time that was lost: by bank conflicts of the vector unit, or because "
         "the scalar pipe had no instruction yet.",
         "it was not counted, or the chip does not count it"),
};
const OpprofRecordType pmu_pipes_type =
    OPPROF_RECORD_TYPE(PipeRow, 1, "pmu.pipes", "What the pipes of a launch's longest core did.",
                       OPPROF_RECORD_TABLE, pipe_fields, "Pipes of the longest core", "");

/* ---- loads ---- */

/* A core, and what ran on it. */
typedef struct CoreLoad {
    uint32_t core;
    uint32_t key; /* the first one */
    double cycles;
} CoreLoad;

static int by_core(const void *a, const void *b)
{
    const CoreLoad *x = a;
    const CoreLoad *y = b;

    if (x->core != y->core) {
        return x->core < y->core ? -1 : 1;
    }
    return x->key < y->key ? -1 : x->key > y->key;
}

/* In a mix operator each key is a core; else blocks that ran on one core come one after the other.
 */
static uint32_t merge(const LaunchView *view, CoreLoad *loads, uint32_t count)
{
    uint32_t cores = 0;

    qsort(loads, count, sizeof *loads, by_core);
    for (uint32_t i = 0; i < count; i++) {
        if (cores > 0 && !LaunchIsMix(view) && loads[cores - 1].core == loads[i].core) {
            loads[cores - 1].cycles += loads[i].cycles;
        } else {
            loads[cores++] = loads[i];
        }
    }
    return cores;
}

/* Cores of the kind that the device has. A vector operator of a chip with two kinds runs each block
 * on one of the vector cores of an AI core. */
static uint32_t cores_of_device(const PmuMetrics *metrics, const LaunchView *view, uint32_t kind)
{
    double per_block = 1;

    if (!LaunchIsMix(view) && kind == PmuIntern(metrics->stage, "vector")) {
        OpprofFactNumber(OpprofChipFact(metrics->chip, "cores.vectors"), &per_block);
    }
    return (uint32_t) (view->launch.cores * per_block);
}

static double us_of(const LaunchView *view, double cycles)
{
    return view->launch.freq_mhz > 0 ? cycles / view->launch.freq_mhz : OpprofNaF64();
}

static OpprofStatus push_load(const PmuMetrics *metrics, const LaunchView *view, uint32_t kind,
                              CoreLoad *loads, uint32_t port)
{
    const OpprofPmuLaunch *launch = &view->launch;
    uint32_t blocks = 0;
    uint32_t longest = 0;
    double sum = 0;

    for (uint32_t key = 0; key < view->key_count; key++) {
        if (view->keys[key].kind == kind && view->keys[key].cycles > 0) {
            loads[blocks++] = (CoreLoad){ .core = view->keys[key].core,
                                          .key = key,
                                          .cycles = (double) view->keys[key].cycles };
        }
    }
    if (blocks == 0) {
        return OPPROF_OK;
    }
    const uint32_t cores = merge(view, loads, blocks);
    for (uint32_t i = 0; i < cores; i++) {
        sum += loads[i].cycles;
        longest = loads[i].cycles > loads[longest].cycles ? i : longest;
    }
    const LoadRow row = { .device = launch->device,
                          .kernel = launch->kernel,
                          .order = launch->order,
                          .kind = kind,
                          .blocks = blocks,
                          .cores = cores,
                          .device_cores = cores_of_device(metrics, view, kind),
                          .longest_core = view->keys[loads[longest].key].block,
                          .longest_us = us_of(view, loads[longest].cycles),
                          .mean_us = us_of(view, sum / cores),
                          .launch_us = launch->duration_us,
                          .clock_mhz = PmuStatedNumber(metrics->stage, launch->cur_freq),
                          .rated_mhz = PmuStatedNumber(metrics->stage, launch->rated_freq) };

    return OpprofStageAppend(metrics->stage, port, view->batch->partition, &row);
}

/* ---- pipes ---- */

/* A core, and the bit of its operator's type. */
typedef struct KeyOfType {
    const OpprofPmuKey *key;
    uint64_t type;
} KeyOfType;

/* What the rows of a core share. */
static PipeRow begin_row(const LaunchView *view, uint32_t key)
{
    const OpprofPmuLaunch *launch = &view->launch;
    const OpprofPmuKey *at = &view->keys[key];

    return (PipeRow){ .device = launch->device,
                      .kernel = launch->kernel,
                      .order = launch->order,
                      .kind = at->kind,
                      .block = at->block,
                      .sub_block = at->sub_block,
                      .core_us = us_of(view, (double) at->cycles),
                      .launch_us = launch->duration_us,
                      .wait_percent = OpprofNaF64(),
                      .of_peak = OpprofNaF64(),
                      .lost_percent = OpprofNaF64() };
}

/* A formula of cycles as a share of the core's; absent without a formula. */
static double share_of(const OpprofFormula *formula, const PmuMetrics *metrics,
                       const OpprofPmuKey *key)
{
    return formula == NULL
               ? OpprofNaF64()
               : 100 * OpprofFormulaReal(formula, OpprofMetricsInputs(metrics->metrics)) /
                     (double) key->cycles;
}

static double value_of(const OpprofFormula *formula, const PmuMetrics *metrics)
{
    return formula == NULL ? OpprofNaF64()
                           : OpprofFormulaReal(formula, OpprofMetricsInputs(metrics->metrics));
}

static OpprofStatus push_table(const StorageTable *table, const PmuMetrics *metrics,
                               const LaunchView *view, PipeRow *row, const RulePorts *ports,
                               const KeyOfType *at)
{
    OpprofStatus status = OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < table->row_count; i++) {
        const StorageRow *pipe = &table->rows[i];

        if (!StorageHasRow(metrics, pipe, at->type)) {
            continue;
        }
        row->pipe = pipe->name;
        row->moves = pipe->is_move;
        row->busy_percent = value_of(pipe->values[table->busy], metrics);
        row->wait_percent = table->waits == OPPROF_NA_U32
                                ? OpprofNaF64()
                                : share_of(pipe->values[table->waits], metrics, at->key);
        row->of_peak = value_of(pipe->of_peak, metrics);
        row->lost_percent = value_of(pipe->lost, metrics);
        status = OpprofStageAppend(metrics->stage, ports->pipes, view->batch->partition, row);
    }
    return status;
}

static OpprofStatus push_units(const StorageModel *model, const PmuMetrics *metrics,
                               const LaunchView *view, PipeRow *row, const RulePorts *ports,
                               const KeyOfType *at)
{
    OpprofStatus status = OPPROF_OK;

    row->of_peak = OpprofNaF64();
    for (uint32_t i = 0; status == OPPROF_OK && i < model->unit_count; i++) {
        const StorageUnit *unit = &model->units[i];

        if ((unit->in & at->type) == 0 || !StorageIsOf(view, at->key, unit->of, unit->sub_block)) {
            continue;
        }
        row->pipe = unit->name;
        row->moves = unit->is_move;
        row->busy_percent = value_of(unit->share, metrics);
        row->wait_percent = share_of(unit->wait, metrics, at->key);
        row->lost_percent = share_of(unit->lost, metrics, at->key);
        status = OpprofStageAppend(metrics->stage, ports->pipes, view->batch->partition, row);
    }
    return status;
}

static OpprofStatus push_pipes(const StorageModel *model, PmuMetrics *metrics,
                               const LaunchView *view, uint32_t key, const RulePorts *ports)
{
    const KeyOfType at = { &view->keys[key], StorageTypeBit(&model->types, view->launch.op_type) };
    const PmuRow at_key = RowOfKey(view, key);
    PipeRow row = begin_row(view, key);
    OpprofStatus status = OPPROF_OK;

    PmuMetricsSetRow(metrics, view, &at_key);
    for (uint32_t i = 0; status == OPPROF_OK && i < model->table_count; i++) {
        const StorageTable *table = &model->tables[i];

        if (table->busy != OPPROF_NA_U32 && StorageHasTable(view, table, at.key, at.type)) {
            status = push_table(table, metrics, view, &row, ports, &at);
        }
    }
    return status == OPPROF_OK ? push_units(model, metrics, view, &row, ports, &at) : status;
}

/* ---- launches ---- */

/* Whether a key is the first of its kind, or the longest one. */
static bool is_first(const LaunchView *view, uint32_t key)
{
    for (uint32_t i = 0; i < key; i++) {
        if (view->keys[i].kind == view->keys[key].kind) {
            return false;
        }
    }
    return true;
}

static uint32_t longest_like(const LaunchView *view, uint32_t key)
{
    uint32_t longest = key;

    for (uint32_t i = key; i < view->key_count; i++) {
        if (view->keys[i].kind == view->keys[key].kind &&
            view->keys[i].cycles > view->keys[longest].cycles) {
            longest = i;
        }
    }
    return longest;
}

OpprofStatus RuleTablesPush(const StorageModel *model, PmuMetrics *metrics, const LaunchView *view,
                            const RulePorts *ports)
{
    CoreLoad *loads = calloc((size_t) view->key_count + 1, sizeof *loads);
    OpprofStatus status = loads == NULL ? OPPROF_E_MEMORY : OPPROF_OK;

    for (uint32_t key = 0; status == OPPROF_OK && key < view->key_count; key++) {
        if (is_first(view, key)) {
            const uint32_t longest = longest_like(view, key);

            status = push_load(metrics, view, view->keys[key].kind, loads, ports->loads);
            if (status == OPPROF_OK && view->keys[longest].cycles > 0) {
                status = push_pipes(model, metrics, view, longest, ports);
            }
        }
    }
    free(loads);
    return status;
}
