/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_dbi: accesses a second through the cache and through the whole model, each beside a loop
 * that only computes the set of every line that is touched. Times are the thread's own, as the
 * machine may have other things to do.
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
#define AHEAD 12u /* accesses that a set is asked for before */

static const CacheGeometry plain = {
    .line_shift = LINE_SHIFT, .ways = WAYS, .sets = SETS, .slices = 1, .seed = 1
};

/* Lines of a pattern: what the sides go over. */
typedef struct Work {
    uint64_t *lines;
    uint32_t count;
    uint32_t records; /* that access these lines */
    uint32_t sets;    /* as the compiler must not know them */
    Cache cache;
    OpprofDbiAccess *accesses;
} Work;

static void note(BenchSample *sample, const Work *work, uint64_t begin)
{
    sample->seconds = (double) (BenchThreadCpu() - begin) / 1e9;
    sample->amount = work->count;
}

static bool only_sets(void *context, BenchSample *sample)
{
    Work *work = context;
    const uint64_t begin = BenchThreadCpu();
    uint64_t sum = 0;

    for (uint32_t i = 0; i < work->count; i++) {
        sum += work->lines[i] % work->sets;
    }
    BenchKeep(&sum);
    note(sample, work, begin);
    return true;
}

/* The same of the records that the model takes. */
static bool only_sets_of_records(void *context, BenchSample *sample)
{
    Work *work = context;
    const uint64_t begin = BenchThreadCpu();
    uint64_t sum = 0;

    for (uint32_t i = 0; i < work->records; i++) {
        uint64_t address = work->accesses[i].src;
        for (uint32_t n = work->accesses[i].count; n > 0; n--) {
            sum += (address >> LINE_SHIFT) % work->sets;
            address += work->accesses[i].src_step;
        }
    }
    BenchKeep(&sum);
    note(sample, work, begin);
    return true;
}

static void ask_for(const Work *work, uint32_t at)
{
    if (at < work->count) {
        CachePrefetch(&work->cache, CacheSetOf(&work->cache, work->lines[at]));
    }
}

/* The least cost of any cache: a word of each set is read and changed. */
static bool touch_sets(void *context, BenchSample *sample)
{
    Work *work = context;
    const uint64_t begin = BenchThreadCpu();
    uint64_t sum = 0;

    for (uint32_t i = 0; i < work->count; i++) {
        ask_for(work, i + AHEAD);
        uint32_t *words = CacheSide(&work->cache, CacheSetOf(&work->cache, work->lines[i]));
        sum += words[0]++ == work->lines[i];
        sum += words[work->cache.stride / sizeof *words - 1];
    }
    BenchKeep(&sum);
    note(sample, work, begin);
    return true;
}

/* A byte can count that many, and the compiler many bytes at once. */
static uint8_t count_hits(const uint8_t outcomes[MODEL_WAITING])
{
    uint8_t hits = 0;

    for (uint32_t i = 0; i < MODEL_WAITING; i++) {
        hits = (uint8_t) (hits + (outcomes[i] == CACHE_HIT));
    }
    return hits;
}

static uint64_t access_some(Work *work, const uint64_t *lines, uint32_t count)
{
    CacheTouch touches[MODEL_WAITING];
    uint8_t outcomes[MODEL_WAITING];

    for (uint32_t i = 0; i < count; i++) {
        const uint32_t set = CacheSetOf(&work->cache, lines[i]);
        CachePrefetch(&work->cache, set);
        touches[i] = (CacheTouch){ .set = set, .word = (uint32_t) (lines[i] / SETS + 1) * 2 };
    }
    memset(outcomes, CACHE_MISS, sizeof outcomes);
    CacheAccess(&work->cache, touches, count, outcomes);
    return count_hits(outcomes);
}

static bool through_cache(void *context, BenchSample *sample)
{
    Work *work = context;
    const uint64_t begin = BenchThreadCpu();
    uint64_t hits = 0;

    for (uint32_t i = 0; i < work->count; i += MODEL_WAITING) {
        const uint32_t left = work->count - i;
        hits += access_some(work, work->lines + i, left < MODEL_WAITING ? left : MODEL_WAITING);
    }
    BenchKeep(&hits);
    note(sample, work, begin);
    return true;
}

static bool through_model(void *context, BenchSample *sample)
{
    Work *work = context;
    const uint64_t begin = BenchThreadCpu();
    Model model;
    bool is_good = ModelInit(&model, &plain, true);

    for (uint32_t i = 0; is_good && i < work->records; i++) {
        is_good = ModelAccess(&model, &work->accesses[i], true);
    }
    ModelSettle(&model);
    ModelFinish(&model);
    note(sample, work, begin);
    return is_good;
}

static uint64_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

/* How kernels access lines: tiles of matrices, row by row and each of them several times; or rows
 * at random. */
typedef struct Pattern {
    const char *name;
    uint32_t run; /* lines of a record */
    uint64_t (*line)(uint32_t i, uint64_t *state);
} Pattern;

static uint64_t line_of_tiles(uint32_t i, uint64_t *state)
{
    (void) state;
    return (uint64_t) (i / 4096) * 1024 + i % 2048;
}

/* Twice as many as the cache has. */
static uint64_t line_at_random(uint32_t i, uint64_t *state)
{
    (void) i;
    return next_random(state) % (2 * SETS * WAYS);
}

static void make_lines(Work *work, const Pattern *pattern)
{
    uint64_t state = 1;

    work->records = work->count / pattern->run;
    work->count = work->records * pattern->run;
    for (uint32_t i = 0; i < work->count; i++) {
        work->lines[i] = pattern->line(i, &state);
    }
    for (uint32_t i = 0; i < work->records; i++) {
        const uint64_t *lines = work->lines + (size_t) i * pattern->run;
        work->accesses[i] = (OpprofDbiAccess){ .src = lines[0] << LINE_SHIFT,
                                               .src_bytes = UINT64_C(1) << LINE_SHIFT,
                                               .src_step = UINT64_C(1) << LINE_SHIFT,
                                               .count = pattern->run,
                                               .pc = i % 32 * 4 };
    }
}

static void run_touch(Bench *bench, Work *work, const char *pattern)
{
    char name[64];
    const BenchCase one = { .name = name,
                            .unit = "Maccesses/s",
                            .scale = 1e6,
                            .subject = { "touch a word of the set", touch_sets, work },
                            .peer = { "set index only", only_sets, work } };

    snprintf(name, sizeof name, "sets touched, %s", pattern);
    if (CacheInit(&work->cache, &plain)) {
        BenchRun(bench, &one);
        CacheFinish(&work->cache);
    }
}

/* More lines of a set than bytes can number. */
static void run_words(Bench *bench, Work *work, const char *pattern)
{
    char name[64];
    const BenchCase one = { .name = name,
                            .unit = "Maccesses/s",
                            .scale = 1e6,
                            .subject = { "lru", through_cache, work },
                            .peer = { "set index only", only_sets, work } };

    snprintf(name, sizeof name, "ways of words, lru, %s", pattern);
    if (!CacheInit(&work->cache, &plain)) {
        return;
    }
    if (CacheAllowIds(&work->cache, CACHE_FEW_IDS + 1)) {
        BenchRun(bench, &one);
    }
    CacheFinish(&work->cache);
}

static void run_policies(Bench *bench, Work *work, const char *pattern)
{
    static const char *const policies[] = { "lru", "fifo", "plru", "random" };
    char name[64];

    for (unsigned policy = 0; policy < 4; policy++) {
        CacheGeometry geometry = plain;
        const BenchCase one = { .name = name,
                                .unit = "Maccesses/s",
                                .scale = 1e6,
                                .goal = policy == 0 ? 0.5 : 0,
                                .subject = { policies[policy], through_cache, work },
                                .peer = { "set index only", only_sets, work } };
        geometry.policy = (CachePolicy) policy;
        if (!CacheInit(&work->cache, &geometry)) {
            return;
        }
        snprintf(name, sizeof name, "cache without reasons, %s, %s", policies[policy], pattern);
        BenchRun(bench, &one);
        CacheFinish(&work->cache);
    }
}

static void run_pattern(Bench *bench, Work *work, const Pattern *pattern)
{
    char name[64];
    const BenchCase whole = { .name = name,
                              .unit = "Maccesses/s",
                              .scale = 1e6,
                              .subject = { "model with reasons", through_model, work },
                              .peer = { "set index only", only_sets_of_records, work } };

    make_lines(work, pattern);
    run_policies(bench, work, pattern->name);
    run_words(bench, work, pattern->name);
    run_touch(bench, work, pattern->name);
    snprintf(name, sizeof name, "model with reasons, %s", pattern->name);
    BenchRun(bench, &whole);
}

int main(int argc, char **argv)
{
    static const Pattern patterns[] = { { "tiles", 64, line_of_tiles },
                                        { "random", 1, line_at_random } };
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
    for (unsigned i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        run_pattern(bench, &work, &patterns[i]);
    }
    free(work.lines);
    free(work.accesses);
    return BenchClose(bench);
}
