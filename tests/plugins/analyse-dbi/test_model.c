/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses through the model: what missed and why, by instruction, core and buffer. */
#include "plugins/analyse-dbi/model.h"
#include "tests/core/suites.h"
#include "tests/plugins/analyse-dbi/plain_cache.h"

#include <check.h>
#include <stdlib.h>

static Model model;

static void begin(uint32_t sets, uint32_t ways)
{
    const CacheGeometry geometry = { .line_shift = 9, .ways = ways, .sets = sets, .slices = 1 };

    ck_assert(ModelInit(&model, &geometry, true));
}

static OpprofDbiAccess run(uint64_t address, uint64_t step, uint64_t bytes, uint32_t count,
                           uint64_t pc, uint32_t slot)
{
    return (OpprofDbiAccess){ .src = address,
                              .src_step = step,
                              .src_bytes = bytes,
                              .dst = address,
                              .dst_step = step,
                              .dst_bytes = bytes,
                              .count = count,
                              .pc = pc,
                              .slot = slot };
}

static void load(uint64_t address, uint64_t step, uint64_t bytes, uint32_t count, uint64_t pc,
                 uint32_t slot)
{
    const OpprofDbiAccess access = run(address, step, bytes, count, pc, slot);
    ck_assert(ModelAccess(&model, &access, true));
}

static void expect(const uint64_t fates[MODEL_FATES], uint64_t hits, uint64_t compulsory,
                   uint64_t capacity, uint64_t conflict)
{
    ModelSettle(&model);
    ck_assert_uint_eq(fates[MODEL_HIT], hits);
    ck_assert_uint_eq(fates[MODEL_COMPULSORY], compulsory);
    ck_assert_uint_eq(fates[MODEL_CAPACITY], capacity);
    ck_assert_uint_eq(fates[MODEL_CONFLICT], conflict);
}

START_TEST(a_loop_that_fits_misses_once)
{
    begin(16, 4); /* 64 lines */
    for (int turn = 0; turn < 10; turn++) {
        load(0, 512, 512, 64, 0x10, 0);
    }
    expect(model.total.fates, 9 * 64, 64, 0, 0);
    ck_assert_uint_eq(model.pc_count, 1);
    ck_assert_uint_eq(model.pcs[0].bytes, 10 * 64 * 512);
    ModelFinish(&model);
}
END_TEST

START_TEST(a_loop_that_does_not_fit_misses_for_capacity)
{
    begin(16, 4);
    for (int turn = 0; turn < 10; turn++) {
        load(0, 512, 512, 80, 0x10, 0);
    }
    expect(model.total.fates, 0, 80, 9 * 80, 0);
    ModelFinish(&model);
}
END_TEST

/* Eight lines of one set of four ways, while the rest of the cache is empty. */
START_TEST(a_column_conflicts_and_its_stride_is_known)
{
    begin(16, 4);
    for (int turn = 0; turn < 10; turn++) {
        load(0, 16 * 512, 512, 8, 0x10, 5);
        load(1 << 20, 512, 1, 1, 0x20, 5);
    }
    expect(model.pcs[0].counts.fates, 0, 8, 0, 9 * 8);
    ck_assert_int_eq(ModelStrideLines(&model.pcs[0].stride), 16);
    ck_assert_int_eq(ModelStrideLines(&model.pcs[1].stride), INT64_MIN);
    expect(model.slots[5].fates, 0 + model.pcs[1].counts.fates[MODEL_HIT], 9, 0,
           9 * 8 + model.pcs[1].counts.fates[MODEL_CONFLICT]);
    ModelFinish(&model);
}
END_TEST

START_TEST(accesses_touch_the_lines_that_they_overlap)
{
    begin(16, 4);
    load(500, 0, 24, 1, 0, 0); /* two lines */
    expect(model.total.fates, 0, 2, 0, 0);
    load(512, 0, 0, 1, 0, 0); /* nothing */
    expect(model.total.fates, 0, 2, 0, 0);
    load(UINT64_MAX - 10, 0, 1000, 1, 0, 0); /* up to the top of memory and no further */
    expect(model.total.fates, 0, 3, 0, 0);
    load(0, 0, UINT64_MAX, 1, 0, 0); /* longer than can be */
    expect(model.total.fates, 0, 3, 0, 0);
    ck_assert_uint_eq(model.implausible, 1);
    ModelFinish(&model);
}
END_TEST

START_TEST(accesses_without_an_instruction_count_for_cores)
{
    begin(16, 4);
    load(0, 512, 512, 3, OPPROF_NA_U64, 2);
    ck_assert_uint_eq(model.pc_count, 0);
    ck_assert_uint_eq(model.without_pc, 3);
    expect(model.slots[2].fates, 0, 3, 0, 0);
    ModelFinish(&model);
}
END_TEST

START_TEST(too_many_instructions_are_not_told_apart)
{
    begin(4, 2);
    for (uint64_t pc = 0; pc < MODEL_MAX_PCS + 5; pc++) {
        load(0, 0, 1, 1, pc * 4, 0);
    }
    ck_assert_uint_eq(model.pc_count, MODEL_MAX_PCS);
    ck_assert_uint_eq(model.too_many_pcs, 5);
    expect(model.total.fates, MODEL_MAX_PCS + 4, 1, 0, 0);
    ModelFinish(&model);
}
END_TEST

START_TEST(a_line_counts_for_the_buffer_of_its_first_byte)
{
    begin(16, 4);
    ck_assert(ModelNameBuffer(&model, 0, 255));
    ck_assert(ModelNameBuffer(&model, 256, 1023));
    ck_assert(ModelNameBuffer(&model, UINT64_MAX, UINT64_MAX));
    load(0, 0, 1024, 1, 0, 0);           /* a line of each of the first two */
    load(300, 0, 4, 1, 0, 0);            /* the first line, in the second's bytes */
    load(1023, 0, 2, 1, 0, 0);           /* the second's last byte, and a line that no buffer has */
    load(UINT64_MAX - 1, 0, 2, 1, 0, 0); /* the top line, before the third */
    load(UINT64_MAX, 0, 1, 1, 0, 0);
    expect(model.named[0].fates, 0, 1, 0, 0);
    expect(model.named[1].fates, 2, 1, 0, 0);
    expect(model.named[2].fates, 1, 0, 0, 0);
    expect(model.granules[0]->region.fates, 0, 1, 0, 0);
    ck_assert_uint_eq(model.granules[0]->region.first, 1024);
    ck_assert_uint_eq(model.granules[0]->region.last, 1024);
    expect(model.granules[1]->region.fates, 0, 1, 0, 0);
    ck_assert_uint_eq(model.granules[1]->region.last, UINT64_MAX - 1);
    ModelFinish(&model);
}
END_TEST

/* Every miss has the reason that a stack of lines gives. */
START_TEST(reasons_equal_those_of_a_stack)
{
    const uint32_t sets = 8;
    const uint32_t ways = 3;
    uint64_t wanted[MODEL_FATES] = { 0 };
    uint64_t random = 99;
    PlainCache plain;
    PlainStack stack = { .lines = NULL };

    begin(sets, ways);
    PlainCacheInit(&plain, sets, ways, 'l', 1);
    for (unsigned i = 0; i < 300000; i++) {
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
        const uint64_t line = (random >> 40) % (i % 1000 < 500 ? 20 : 60) * (i % 3 == 0 ? 8 : 1);
        const uint64_t place = PlainStackTouch(&stack, line);
        const bool is_hit = PlainCacheAccess(&plain, line, false).is_hit;
        wanted[is_hit                 ? MODEL_HIT
               : place == UINT64_MAX  ? MODEL_COMPULSORY
               : place >= sets * ways ? MODEL_CAPACITY
                                      : MODEL_CONFLICT]++;
        load(line * 512, 0, 1, 1, 0, 0);
    }
    expect(model.total.fates, wanted[MODEL_HIT], wanted[MODEL_COMPULSORY], wanted[MODEL_CAPACITY],
           wanted[MODEL_CONFLICT]);
    ck_assert_uint_gt(wanted[MODEL_CONFLICT], 1000);
    ck_assert_uint_gt(wanted[MODEL_CAPACITY], 1000);
    PlainStackFinish(&stack);
    PlainCacheFinish(&plain);
    ModelFinish(&model);
}
END_TEST

/* What a plain cache says of all accesses. */
typedef struct Wanted {
    uint64_t hits[512]; /* by set */
    uint64_t all_hits;
    uint64_t evictions;
    uint64_t write_backs;
} Wanted;

static uint64_t random_state;

static uint64_t next_random(uint64_t below)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (random_state >> 33) % below;
}

/* Loads and stores of rows of lines among so many, some of them often. */
static void access_rows(PlainCache *plain, Wanted *wanted, uint64_t lines, unsigned rows)
{
    for (unsigned row = 0; row < rows; row++) {
        const uint64_t first = next_random(next_random(2) == 0 ? lines : lines / 8 + 1);
        const uint32_t count = (uint32_t) (1 + next_random(150));
        const bool is_load = next_random(3) != 0;
        const OpprofDbiAccess access = run(first * 512, 512, 512, count, 4 * next_random(70), 0);
        ck_assert(ModelAccess(&model, &access, is_load));
        for (uint64_t line = first; line < first + count; line++) {
            const uint32_t set = CacheSetOf(&model.cache, line);
            const PlainResult result = PlainCacheAccess(plain, line * plain->sets + set, !is_load);
            wanted->hits[set] += result.is_hit;
            wanted->all_hits += result.is_hit;
            wanted->evictions += result.is_evicted;
            wanted->write_backs += result.is_written_back;
        }
    }
}

static void expect_wanted(const Wanted *wanted)
{
    ModelSettle(&model);
    ck_assert_uint_eq(model.total.fates[MODEL_HIT], wanted->all_hits);
    ck_assert_uint_eq(model.total.evictions, wanted->evictions);
    ck_assert_uint_eq(model.total.write_backs, wanted->write_backs);
    for (uint32_t set = 0; set < model.cache.geometry.sets; set++) {
        ck_assert_uint_eq(ModelSetAt(&model, set)->hits, wanted->hits[set]);
    }
}

/* First of so many lines a set that bytes can number them, then of more. */
static void compare_with_plain(const CacheGeometry *geometry)
{
    const uint32_t sets = geometry->sets;
    const uint32_t ways = geometry->ways;
    const bool has_bytes = geometry->policy == CACHE_LRU && sets % MODEL_GRANULE_LINES == 0;
    Wanted wanted = { .evictions = 0 };
    PlainCache plain;

    random_state = sets + ways;
    ck_assert(ModelInit(&model, geometry, true));
    PlainCacheInit(&plain, sets, ways, "lfpr"[geometry->policy], geometry -> seed);
    access_rows(&plain, &wanted, (uint64_t) sets * 100, 2000);
    expect_wanted(&wanted);
    ck_assert_int_eq(model.cache.has_bytes, has_bytes);
    access_rows(&plain, &wanted, (uint64_t) sets * 300, 3000);
    expect_wanted(&wanted);
    ck_assert(!model.cache.has_bytes);
    PlainCacheFinish(&plain);
    ModelFinish(&model);
}

/* Sets with several lines of 128 in a row, with one of each, and with one of
 * some; hashed and not. */
START_TEST(hits_equal_those_of_a_plain_cache)
{
    static const uint32_t sets[] = { 64, 100, 128, 200, 256, 384 };

    for (unsigned i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        CacheGeometry geometry = { .line_shift = 9,
                                   .ways = 24,
                                   .sets = sets[i],
                                   .slices = 1,
                                   .policy = (CachePolicy) _i,
                                   .seed = 12345 };
        compare_with_plain(&geometry);
        geometry.is_hashed = true;
        geometry.ways = 7;
        compare_with_plain(&geometry);
    }
}
END_TEST

static Suite *model_suite(void)
{
    Suite *suite = suite_create("model");
    TCase *tcase = tcase_create("model");

    tcase_add_test(tcase, a_loop_that_fits_misses_once);
    tcase_add_test(tcase, a_loop_that_does_not_fit_misses_for_capacity);
    tcase_add_test(tcase, a_column_conflicts_and_its_stride_is_known);
    tcase_add_test(tcase, accesses_touch_the_lines_that_they_overlap);
    tcase_add_test(tcase, accesses_without_an_instruction_count_for_cores);
    tcase_add_test(tcase, too_many_instructions_are_not_told_apart);
    tcase_add_test(tcase, a_line_counts_for_the_buffer_of_its_first_byte);
    tcase_add_test(tcase, reasons_equal_those_of_a_stack);
    tcase_add_loop_test(tcase, hits_equal_those_of_a_plain_cache, 0, 4);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(model_suite)
