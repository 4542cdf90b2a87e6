/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parse-pmu's inner loops: records of counters to merged keys, against copying the same bytes; and
 * the formulas of a chip's tables, against what the C compiler makes of them (formulas_to_c).
 */
#include "bench/bench.h"
#include "bench/formulas.h"
#include <opprof/kit/cutter.h>
#include "plugins/parse-pmu/merge.h"
#include "plugins/parse-pmu/model.h"
#include "tests/tools/onboard.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SOC "Ascend910B1"
#define RECORDS UINT64_C(5000000)
#define PIECE_BYTES ((size_t) 256 << 10)
#define ROWS 64u
#define EVALUATIONS UINT64_C(5000000)

/* ---- records to merged keys ---- */

/* One launch's files, and how often it comes. */
typedef struct Records {
    const PmuModel *model;
    uint8_t *rounds[ONBOARD_MAX_ROUNDS];
    uint32_t round_count;
    size_t size; /* of each round */
    uint32_t blocks;
    uint64_t times;
    uint8_t *copy;
} Records;

typedef struct Target {
    Merge merge;
    uint32_t round;
} Target;

static bool take_counters(void *context, const unsigned char *records, size_t count)
{
    Target *target = context;
    return MergeRecords(&target->merge, target->round, records, count);
}

static bool merge_launch(const Records *records, BenchSample *sample)
{
    Target target;
    OpprofCutter cutter;
    bool is_good = true;

    MergeInit(&target.merge, &records->model->layout, &records->model->plans[0]);
    for (uint32_t i = 0; i < records->round_count; i++) {
        target.round = i + 1;
        OpprofCutterBegin(&cutter, ONBOARD_RECORD_SIZE);
        for (size_t at = 0; is_good && at < records->size; at += PIECE_BYTES) {
            const size_t rest = records->size - at;
            is_good =
                OpprofCutterFeed(&cutter, records->rounds[i] + at,
                                 rest < PIECE_BYTES ? rest : PIECE_BYTES, take_counters, &target);
        }
    }
    is_good =
        is_good && target.merge.key_count == records->blocks &&
        target.merge.counts.records == records->size / ONBOARD_RECORD_SIZE * records->round_count;
    sample->amount += (double) target.merge.counts.records;
    BenchKeep(target.merge.values);
    MergeFinish(&target.merge);
    return is_good;
}

static bool merge_all(void *context, BenchSample *sample)
{
    const Records *records = context;
    bool is_good = true;

    for (uint64_t i = 0; is_good && i < records->times; i++) {
        is_good = merge_launch(records, sample);
    }
    return is_good;
}

static bool copy_all(void *context, BenchSample *sample)
{
    const Records *records = context;

    for (uint64_t i = 0; i < records->times; i++) {
        for (uint32_t round = 0; round < records->round_count; round++) {
            memcpy(records->copy, records->rounds[round], records->size);
            BenchKeep(records->copy);
            sample->amount += (double) (records->size / ONBOARD_RECORD_SIZE);
        }
    }
    return true;
}

static bool make_records(const OnboardFacts *facts, uint32_t blocks, uint64_t total,
                         Records *records)
{
    const OnboardLaunch launch = { .op = ONBOARD_OP_VECTOR,
                                   .work = ONBOARD_RANDOM,
                                   .blocks = blocks,
                                   .cores = 24,
                                   .seed = 1,
                                   .rated = 1800 };

    records->blocks = blocks;
    records->round_count = facts->rounds;
    records->times = total / ((uint64_t) blocks * facts->rounds) + 1;
    for (uint32_t i = 0; i < facts->rounds; i++) {
        records->rounds[i] = OnboardRound(facts, &launch, i + 1, &records->size);
        if (records->rounds[i] == NULL) {
            return false;
        }
    }
    records->copy = malloc(records->size);
    return records->copy != NULL;
}

static void free_records(Records *records)
{
    for (uint32_t i = 0; i < ONBOARD_MAX_ROUNDS; i++) {
        free(records->rounds[i]);
    }
    free(records->copy);
}

static void run_records(Bench *bench, const char *name, uint32_t blocks)
{
    static const ParserSettings settings = { .replay = "kernel", .memory_vendor = "default" };
    PmuModel model = { .chip = NULL };
    OpprofChip *chip = NULL;
    Records records = { .model = &model };
    OpprofError *error = NULL;
    OnboardFacts facts;
    const BenchCase one = { .name = name,
                            .unit = "Mrecords/s",
                            .scale = 1e6,
                            .goal = 0.04,
                            .subject = { "cut, merge", merge_all, &records },
                            .peer = { "memcpy", copy_all, &records } };

    if (OpprofChipLoad(SOC, &chip, &error) != OPPROF_OK ||
        PmuModelLoad(chip, &settings, &model, &error) != OPPROF_OK ||
        !OnboardReadFacts(ONBOARD_FACTS_DIR, ONBOARD_A2, &facts) ||
        !make_records(&facts, blocks, BenchAmount(bench, RECORDS), &records)) {
        fprintf(stderr, "bench_pmu: no records: %s\n",
                error == NULL ? "" : OpprofErrorMessage(error));
        exit(1);
    }
    BenchRun(bench, &one);
    free_records(&records);
    PmuModelFinish(&model);
    OpprofChipFree(chip);
}

/* ---- formulas ---- */

/* Rows of counters, as both sides take them. */
typedef struct Rows {
    Formulas formulas;
    uint32_t inputs;
    double *nearest; /* ROWS times inputs */
    uint64_t *exact;
    double *values; /* of all columns of a row */
    uint64_t times;
} Rows;

static void evaluate_row(const Rows *rows, uint32_t row, double *values)
{
    OpprofInputs *inputs = OpprofMetricsInputs(rows->formulas.metrics);

    memcpy(inputs->nearest, rows->nearest + (size_t) row * rows->inputs,
           rows->inputs * sizeof *rows->nearest);
    memcpy(inputs->exact, rows->exact + (size_t) row * rows->inputs,
           rows->inputs * sizeof *rows->exact);
    OpprofMetricsDerive(rows->formulas.metrics);
    for (uint32_t i = 0; i < rows->formulas.count; i++) {
        values[i] = OpprofFormulaReal(rows->formulas.columns[i], inputs);
    }
}

static void calculate_row(const Rows *rows, uint32_t row, double *x, double *values)
{
    memcpy(x, rows->nearest + (size_t) row * rows->inputs, rows->inputs * sizeof *x);
    for (unsigned i = 0; i < formulas_symbol_count; i++) {
        x[formulas_symbol_inputs[i]] = formulas_symbols[i](x);
    }
    for (unsigned i = 0; i < formulas_column_count; i++) {
        values[i] = formulas_columns[i](x);
    }
}

static bool evaluate(void *context, BenchSample *sample)
{
    const Rows *rows = context;

    for (uint64_t i = 0; i < rows->times; i++) {
        evaluate_row(rows, (uint32_t) (i % ROWS), rows->values);
        BenchKeep(rows->values);
    }
    sample->amount = (double) rows->times * rows->formulas.count;
    return true;
}

static bool calculate(void *context, BenchSample *sample)
{
    const Rows *rows = context;
    double *x = malloc(rows->inputs * sizeof *x);

    for (uint64_t i = 0; x != NULL && i < rows->times; i++) {
        calculate_row(rows, (uint32_t) (i % ROWS), x, rows->values);
        BenchKeep(rows->values);
    }
    sample->amount = (double) rows->times * rows->formulas.count;
    free(x);
    return x != NULL;
}

/* Both give the same, to the last bit. */
static bool check_rows(const Rows *rows)
{
    double *x = malloc(rows->inputs * sizeof *x);
    double *other = malloc((size_t) rows->formulas.count * sizeof *other);
    bool is_good = x != NULL && other != NULL && formulas_column_count == rows->formulas.count;

    for (uint32_t row = 0; is_good && row < ROWS; row++) {
        evaluate_row(rows, row, rows->values);
        calculate_row(rows, row, x, other);
        for (uint32_t i = 0; is_good && i < rows->formulas.count; i++) {
            is_good = rows->values[i] == other[i] || (isnan(rows->values[i]) && isnan(other[i]));
            if (!is_good) {
                fprintf(stderr, "bench_pmu: row %u, column %u: %.17g, compiled %.17g\n", row, i,
                        rows->values[i], other[i]);
            }
        }
    }
    free(x);
    free(other);
    return is_good;
}

/* A counter now and then is absent, as when a replay is missing. */
static void fill_row(const Rows *rows, uint32_t row, OnboardRandom *source)
{
    OpprofInputs *inputs = OpprofMetricsInputs(rows->formulas.metrics);
    size_t count = 0;
    const OpprofMetricInput *list = OpprofMetricsInputList(rows->formulas.metrics, &count);

    for (size_t i = 0; i < count; i++) {
        const uint64_t value = OnboardDraw(source, UINT64_C(1) << 24);
        if (OnboardDraw(source, 50) == 0) {
            OpprofInputsAbsent(inputs, list[i].input);
            continue;
        }
        if (list[i].is_integer) {
            OpprofInputsCount(inputs, list[i].input, value);
        } else {
            OpprofInputsReal(inputs, list[i].input, (double) value / 1000);
        }
    }
    memcpy(rows->nearest + (size_t) row * rows->inputs, inputs->nearest,
           rows->inputs * sizeof *rows->nearest);
    memcpy(rows->exact + (size_t) row * rows->inputs, inputs->exact,
           rows->inputs * sizeof *rows->exact);
}

static bool make_rows(Bench *bench, Rows *rows)
{
    OnboardRandom source = { .state = 1 };

    if (!FormulasLoad(SOC, &rows->formulas)) {
        return false;
    }
    rows->inputs = OpprofMetricsInputs(rows->formulas.metrics)->count;
    rows->times = BenchAmount(bench, EVALUATIONS) / rows->formulas.count + 1;
    rows->nearest = calloc((size_t) ROWS * rows->inputs, sizeof *rows->nearest);
    rows->exact = calloc((size_t) ROWS * rows->inputs, sizeof *rows->exact);
    rows->values = calloc(rows->formulas.count, sizeof *rows->values);
    if (rows->nearest == NULL || rows->exact == NULL || rows->values == NULL) {
        return false;
    }
    for (uint32_t row = 0; row < ROWS; row++) {
        fill_row(rows, row, &source);
    }
    return check_rows(rows);
}

static bool run_formulas(Bench *bench)
{
    Rows rows = { .inputs = 0 };
    const bool is_good = make_rows(bench, &rows);
    const BenchCase one = { .name = "formulas of all tables",
                            .unit = "Mevaluations/s",
                            .scale = 1e6,
                            .goal = 0.2,
                            .subject = { "evaluator", evaluate, &rows },
                            .peer = { "compiled C", calculate, &rows } };

    if (is_good) {
        BenchRun(bench, &one);
    }
    FormulasFree(&rows.formulas);
    free(rows.nearest);
    free(rows.exact);
    free(rows.values);
    return is_good;
}

int main(int argc, char **argv)
{
    int status = 1;
    Bench *bench = BenchOpen("pmu", argc, argv, &status);

    if (bench == NULL) {
        return status;
    }
    run_records(bench, "records of launches of 48 blocks", 48);
    run_records(bench, "records of a launch of 65,536 blocks", 65536);
    const bool is_good = run_formulas(bench);
    return BenchClose(bench) != 0 || !is_good;
}
