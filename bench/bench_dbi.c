/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_dbi: accesses a second through the cache and through the whole model, each beside a loop
 * that only computes the set of every line that is touched.
 */
#include "bench/bench.h"
#include "plugins/analyse-dbi/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SETS 16384u
#define WAYS 24u
#define LINE_SHIFT 9u
#define LINES (1u << 20)

/* Lines of a pattern: what the sides go over. */
typedef struct Work {
    uint64_t *lines;
    uint32_t count;
    uint32_t sets; /* as the compiler must not know them */
    Cache cache;
    OpprofDbiAccess *accesses;
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

int main(int argc, char **argv)
{
    int status = 0;
    Bench *bench = BenchOpen("bench_dbi", argc, argv, &status);
    Work work = { .sets = SETS };

    if (bench == NULL) {
        return status;
    }
    work.count = (uint32_t) BenchAmount(bench, LINES);
    work.lines = calloc(work.count, sizeof *work.lines);
    work.accesses = calloc(work.count, sizeof *work.accesses);
    if (work.lines == NULL || work.accesses == NULL) {
        fprintf(stderr, "bench_dbi: no memory\n");
        return 1;
    }
    run_cache(bench, &work, "tiles", false);
    run_cache(bench, &work, "random", true);
    free(work.lines);
    free(work.accesses);
    return BenchClose(bench);
}
