/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_dbi_rules: accesses a second out of instrumentation records, beside a loop that only
 * computes their addresses.
 */
#include "bench/bench.h"
#include "plugins/parse-dbi/rules.h"

#include <opprof/kit/chip.h>

#include <stdio.h>

#define LINE_SHIFT 9u
#define BURSTS 64u /* of a record */
#define RECORDS (1u << 20)

typedef struct Work {
    DbiTables tables;
    DbiRecord record;
    uint64_t records;
    uint64_t sum;
} Work;

/* A consumer that looks at every access. */
static bool add_run(void *context, const DbiRun *run)
{
    Work *work = context;

    for (uint64_t i = 0; i < run->count; i++) {
        work->sum += (run->src + i * run->src_step) >> LINE_SHIFT;
    }
    return true;
}

static bool decompose(void *context, BenchSample *sample)
{
    Work *work = context;
    const DbiSink sink = { add_run, work };
    bool is_rough;

    for (uint64_t i = 0; i < work->records; i++) {
        work->record.values[DBI_SRC] = i << 16;
        if (DbiDecompose(&work->record, &sink, &is_rough) != DBI_GOOD) {
            return false;
        }
    }
    BenchKeep(&work->sum);
    sample->amount = (double) (work->records * BURSTS);
    return true;
}

static bool compute_addresses(void *context, BenchSample *sample)
{
    Work *work = context;

    for (uint64_t i = 0; i < work->records; i++) {
        for (uint64_t burst = 0; burst < BURSTS; burst++) {
            work->sum += ((i << 16) + burst * 1024) >> LINE_SHIFT;
        }
        BenchKeep(&work->sum);
    }
    sample->amount = (double) (work->records * BURSTS);
    return true;
}

static bool load_record(Work *work)
{
    unsigned char body[48] = { 0 };
    OpprofChip *chip = NULL; /* stays: tables borrow from it */

    if (OpprofChipLoad("Ascend910B1", &chip, NULL) != OPPROF_OK ||
        DbiTablesLoad(chip, &work->tables, NULL) != OPPROF_OK) {
        return false;
    }
    body[32] = BURSTS;
    body[34] = 16; /* 512 bytes, gaps of as much */
    body[36] = 16;
    body[43] = 6;
    DbiRecordRead(&work->tables, DbiLayoutOf(&work->tables, 3), body, &work->record);
    return true;
}

int main(int argc, char **argv)
{
    int status = 0;
    Bench *bench = BenchOpen("bench_dbi_rules", argc, argv, &status);
    Work work = { .sum = 0 };

    if (bench == NULL) {
        return status;
    }
    work.records = BenchAmount(bench, RECORDS);
    if (!load_record(&work)) {
        fprintf(stderr, "bench_dbi_rules: no chip or no memory\n");
        return 1;
    }
    const BenchCase rules = { .name = "decomposition",
                              .unit = "Maccesses/s",
                              .scale = 1e6,
                              .goal = 0.5,
                              .subject = { "bursts", decompose, &work },
                              .peer = { "addresses only", compute_addresses, &work } };
    BenchRun(bench, &rules);
    return BenchClose(bench);
}
