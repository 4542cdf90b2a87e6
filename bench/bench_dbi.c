/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_dbi: accesses a second through decomposition, through the cache and through the whole
 * model, each beside a loop that only computes the set of every line that is touched.
 */
#include "bench/bench.h"
#include "plugins/analyse-dbi/model.h"
#include "plugins/parse-dbi/rules.h"

#include <opprof/kit/chip.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SETS 16384u
#define WAYS 24u
#define LINE_SHIFT 9u
#define BURSTS 64u /* of a record */
#define LINES (1u << 20)

/* Lines of a pattern: what the sides go over. */
typedef struct Work {
    uint64_t *lines;
    uint32_t count;
    uint32_t sets; /* as the compiler must not know them */
    Cache cache;
    OpprofDbiAccess *accesses;
    DbiTables tables;
    DbiRecord record;
    uint64_t records;
    uint64_t sum;
} Work;

static bool only_sets(void *context, BenchSample *sample)
{
    Work *work = context;
    uint64_t sum = 0;

    for (uint32_t i = 0; i < work->count; i++) {
        sum += work->lines[i] % work->sets;
    }
    BenchKeep(&sum);
    sample->amount = work->count;
    return true;
}

static bool through_cache(void *context, BenchSample *sample)
{
    Work *work = context;
    uint64_t hits = 0;

    for (uint32_t i = 0; i < work->count; i++) {
        const uint64_t line = work->lines[i];
        hits += CacheAccess(&work->cache, CacheSetOf(&work->cache, line), line, false) == CACHE_HIT;
    }
    BenchKeep(&hits);
    sample->amount = work->count;
    return true;
}

static bool through_model(void *context, BenchSample *sample)
{
    Work *work = context;
    const CacheGeometry geometry = {
        .line_shift = LINE_SHIFT, .ways = WAYS, .sets = SETS, .slices = 1
    };
    Model model;
    bool is_good = ModelInit(&model, &geometry, true);

    for (uint32_t i = 0; is_good && i < work->count; i++) {
        is_good = ModelAccess(&model, &work->accesses[i], true);
    }
    ModelFinish(&model);
    sample->amount = work->count;
    return is_good;
}

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

static uint64_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

/* A product of tiled matrices: a stream with short-term reuse; or lines at random over twice the
 * cache. */
static void make_lines(Work *work, bool is_random)
{
    uint64_t state = 1;

    for (uint32_t i = 0; i < work->count; i++) {
        work->lines[i] = is_random ? next_random(&state) % (2 * SETS * WAYS)
                                   : (uint64_t) (i / 4096) * 1024 + i % 2048;
        work->accesses[i] = (OpprofDbiAccess){
            .src = work->lines[i] << LINE_SHIFT, .src_bytes = 512, .count = 1, .pc = i % 64 * 4
        };
    }
}

static void run_cache(Bench *bench, Work *work, const char *pattern, bool is_random)
{
    static const char *const policies[] = { "lru", "fifo", "plru", "random" };
    char name[64];

    make_lines(work, is_random);
    for (unsigned policy = 0; policy < 4; policy++) {
        const CacheGeometry geometry = { .line_shift = LINE_SHIFT,
                                         .ways = WAYS,
                                         .sets = SETS,
                                         .slices = 1,
                                         .policy = (CachePolicy) policy,
                                         .seed = 1 };
        const BenchCase one = { .name = name,
                                .unit = "Maccesses/s",
                                .scale = 1e6,
                                .goal = policy == 0 ? 0.5 : 0,
                                .subject = { policies[policy], through_cache, work },
                                .peer = { "set index only", only_sets, work } };
        if (!CacheInit(&work->cache, &geometry)) {
            return;
        }
        snprintf(name, sizeof name, "cache, %s, %s", policies[policy], pattern);
        BenchRun(bench, &one);
        CacheFinish(&work->cache);
    }
    const BenchCase whole = { .name = name,
                              .unit = "Maccesses/s",
                              .scale = 1e6,
                              .subject = { "model with reasons", through_model, work },
                              .peer = { "set index only", only_sets, work } };
    snprintf(name, sizeof name, "model, %s", pattern);
    BenchRun(bench, &whole);
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
    Bench *bench = BenchOpen("bench_dbi", argc, argv, &status);
    Work work = { .sets = SETS };

    if (bench == NULL) {
        return status;
    }
    work.count = (uint32_t) BenchAmount(bench, LINES);
    work.records = BenchAmount(bench, LINES);
    work.lines = calloc(work.count, sizeof *work.lines);
    work.accesses = calloc(work.count, sizeof *work.accesses);
    if (work.lines == NULL || work.accesses == NULL || !load_record(&work)) {
        fprintf(stderr, "bench_dbi: no chip or no memory\n");
        return 1;
    }
    const BenchCase rules = { .name = "decomposition",
                              .unit = "Maccesses/s",
                              .scale = 1e6,
                              .goal = 0.5,
                              .subject = { "bursts", decompose, &work },
                              .peer = { "addresses only", compute_addresses, &work } };
    BenchRun(bench, &rules);
    run_cache(bench, &work, "tiles", false);
    run_cache(bench, &work, "random", true);
    free(work.lines);
    free(work.accesses);
    return BenchClose(bench);
}
