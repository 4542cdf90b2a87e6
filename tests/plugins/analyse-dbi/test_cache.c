/* SPDX-License-Identifier: Apache-2.0 */
/* The cache and reuse distances, by hand and against plain ones. */
#include "plugins/analyse-dbi/byte_sets.h"
#include "plugins/analyse-dbi/cache.h"
#include "plugins/analyse-dbi/reuse.h"
#include "tests/core/suites.h"
#include "tests/plugins/analyse-dbi/plain_cache.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ACCESSES 1000000u
#define TOGETHER 64u /* accesses of one call */

/* What a stretch of accesses did. */
typedef struct Counts {
    unsigned hits;
    unsigned misses;
    unsigned clean;
    unsigned dirty;
} Counts;

static Counts counts;

static CacheOutcome access_line(Cache *cache, uint64_t line, bool is_store)
{
    const CacheTouch touch = { .set = CacheSetOf(cache, line),
                               .word =
                                   (uint32_t) (line / cache->geometry.sets + 1) * 2 + is_store };
    uint8_t outcome;

    if (!CacheAllowIds(cache, touch.word / 2)) {
        ck_abort_msg("no memory");
    }
    CacheAccess(cache, &touch, 1, &outcome);
    return (CacheOutcome) outcome;
}

static void access_bytes(Cache *cache, uint64_t address, uint64_t bytes, bool is_store)
{
    counts = (Counts){ 0, 0, 0, 0 };
    for (uint64_t line = address >> 9; line <= (address + bytes - 1) >> 9; line++) {
        const CacheOutcome outcome = access_line(cache, line, is_store);
        counts.hits += outcome == CACHE_HIT;
        counts.misses += outcome != CACHE_HIT;
        counts.clean += outcome == CACHE_MISS_EVICT_CLEAN;
        counts.dirty += outcome == CACHE_MISS_EVICT_DIRTY;
    }
}

static void expect(unsigned hits, unsigned misses, unsigned clean, unsigned dirty)
{
    ck_assert_uint_eq(counts.hits, hits);
    ck_assert_uint_eq(counts.misses, misses);
    ck_assert_uint_eq(counts.clean, clean);
    ck_assert_uint_eq(counts.dirty, dirty);
}

/* V16 */
START_TEST(one_way_of_four_sets)
{
    const CacheGeometry geometry = { .line_shift = 9, .ways = 1, .sets = 4, .slices = 1 };
    Cache cache;

    ck_assert(CacheInit(&cache, &geometry));
    access_bytes(&cache, 0, 1024, false);
    expect(0, 2, 0, 0);
    access_bytes(&cache, 1000, 32, true);
    expect(1, 1, 0, 0);
    access_bytes(&cache, 2000, 256, false);
    expect(0, 2, 1, 0); /* line 4 takes the place of line 0 */
    access_bytes(&cache, 5000, 256, false);
    expect(0, 2, 0, 2);
    access_bytes(&cache, 2100, 32, true);
    expect(1, 0, 0, 0);
    access_bytes(&cache, 2100, 32, true);
    expect(1, 0, 0, 0);
    access_bytes(&cache, 1000, 3000, false);
    expect(2, 5, 5, 0);
    CacheFinish(&cache);
}
END_TEST

/* V17 */
START_TEST(the_line_that_was_not_used_for_longest_leaves)
{
    const CacheGeometry geometry = { .line_shift = 9, .ways = 2, .sets = 2, .slices = 1 };
    Cache cache;

    ck_assert(CacheInit(&cache, &geometry));
    access_bytes(&cache, 0, 1, false);
    access_bytes(&cache, 1024, 1, true);
    access_bytes(&cache, 0, 1, false);
    expect(1, 0, 0, 0);
    access_bytes(&cache, 2048, 1, false);
    expect(0, 1, 0, 1);
    access_bytes(&cache, 1024, 1, false);
    expect(0, 1, 1, 0);
    access_bytes(&cache, 4096, 1, true);
    expect(0, 1, 1, 0);
    CacheFinish(&cache);
}
END_TEST

/* V18 */
START_TEST(sets_of_an_address)
{
    static const uint32_t sets[][2] = { { 16384, 6699 }, { 14336, 8747 }, { 8192, 6699 } };

    ck_assert_uint_eq(0x12345678 >> 9, 596523);
    for (size_t i = 0; i < 3; i++) {
        const CacheGeometry geometry = {
            .line_shift = 9, .ways = 1, .sets = sets[i][0], .slices = 1
        };
        Cache cache;
        ck_assert(CacheInit(&cache, &geometry));
        ck_assert_uint_eq(CacheSetOf(&cache, 596523), sets[i][1]);
        CacheFinish(&cache);
    }
}
END_TEST

/* Lines that share the lowest bits spread over the sets when the upper bits take part. */
START_TEST(hashed_sets)
{
    const CacheGeometry geometry = {
        .line_shift = 9, .ways = 1, .sets = 64, .slices = 1, .is_hashed = true
    };
    bool seen[64] = { false };
    Cache cache;

    ck_assert(CacheInit(&cache, &geometry));
    for (uint64_t i = 0; i < 64; i++) {
        const uint32_t set = CacheSetOf(&cache, i * 64);
        ck_assert(!seen[set]);
        seen[set] = true;
    }
    ck_assert_uint_eq(CacheSetOf(&cache, 1 << 12 | 2 << 6 | 4), 7); /* 1 xor 2 xor 4 */
    CacheFinish(&cache);
}
END_TEST

/* Where sets are not a power of two, a part is what remains of a division. */
START_TEST(hashed_sets_of_any_number)
{
    const CacheGeometry geometry = {
        .line_shift = 9, .ways = 1, .sets = 100, .slices = 1, .is_hashed = true
    };
    Cache cache;

    ck_assert(CacheInit(&cache, &geometry));
    ck_assert_uint_eq(CacheSetOf(&cache, 12345), 55); /* (12345 xor 123 xor 1) mod 100 */
    CacheFinish(&cache);
}
END_TEST

static uint64_t random_state;

static uint64_t next_random(void)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return random_state >> 33;
}

/* Lines of patterns that kernels have, and of none. */
static uint64_t next_line(unsigned pattern, uint64_t i, uint32_t capacity)
{
    switch (pattern) {
    case 0:
        return next_random() % (2 * capacity);
    case 1:
        return i % (capacity + 3); /* a loop that just does not fit */
    case 2:
        return i * 64 % (4 * (uint64_t) capacity + 1); /* a column of a matrix */
    case 3:
        return next_random() % 4 == 0 ? next_random() % (8 * capacity)
                                      : next_random() % (capacity / 2 + 1);
    default:
        return (i / 7) % 3 == 0 ? i / 7 : i % 50; /* a stream beside a table */
    }
}

static void compare(uint32_t sets, uint32_t ways, CachePolicy policy, unsigned pattern,
                    unsigned accesses)
{
    const CacheGeometry geometry = {
        .line_shift = 9, .ways = ways, .sets = sets, .slices = 1, .policy = policy, .seed = 12345
    };
    PlainCache plain;
    Cache cache;

    ck_assert(CacheInit(&cache, &geometry));
    PlainCacheInit(&plain, sets, ways, "lfpr"[policy], 12345);
    for (unsigned i = 0; i < accesses; i++) {
        const uint64_t line = next_line(pattern, i, sets * ways);
        const bool is_store = next_random() % 3 == 0;
        const CacheOutcome outcome = access_line(&cache, line, is_store);
        const PlainResult wanted = PlainCacheAccess(&plain, line, is_store);
        ck_assert_msg((outcome == CACHE_HIT) == wanted.is_hit &&
                          (outcome > CACHE_MISS) == wanted.is_evicted &&
                          (outcome == CACHE_MISS_EVICT_DIRTY) == wanted.is_written_back,
                      "policy %d, pattern %u, %u x %u, access %u", (int) policy, pattern, sets,
                      ways, i);
    }
    PlainCacheFinish(&plain);
    CacheFinish(&cache);
}

START_TEST(each_policy_equals_the_plain_cache)
{
    static const uint32_t shapes[][2] = { { 16, 24 }, { 7, 3 },  { 1, 64 },
                                          { 64, 1 },  { 14, 2 }, { 5, 33 } };

    random_state = 1;
    for (unsigned pattern = 0; pattern < 5; pattern++) {
        for (unsigned i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
            compare(shapes[i][0], shapes[i][1], (CachePolicy) _i, pattern, ACCESSES / 20);
        }
        compare(256, 24, (CachePolicy) _i, pattern, ACCESSES / 4);
    }
}
END_TEST

/* ---- ways of bytes ---- */

typedef void AccessLines(Cache *cache, const CacheTouch *touches, uint32_t count,
                         uint8_t *outcomes);

static void access_plainly(Cache *cache, const CacheTouch *touches, uint32_t count,
                           uint8_t *outcomes)
{
    ByteSetsAccessPlainly(cache->sets, cache->geometry.ways, touches, count, outcomes);
}

static CacheOutcome outcome_of(const PlainResult *result)
{
    return result->is_hit            ? CACHE_HIT
           : !result->is_evicted     ? CACHE_MISS
           : result->is_written_back ? CACHE_MISS_EVICT_DIRTY
                                     : CACHE_MISS_EVICT_CLEAN;
}

/* Half of them of few lines, so that there are hits. */
static void compare_together(Cache *cache, PlainCache *plain, AccessLines *access_lines,
                             uint32_t ids)
{
    const uint32_t few = cache->geometry.ways + 2;
    CacheTouch touches[TOGETHER];
    uint8_t outcomes[TOGETHER];
    uint8_t wanted[TOGETHER];

    for (unsigned i = 0; i < TOGETHER; i++) {
        const uint64_t id = 1 + next_random() % (next_random() % 2 == 0 && few < ids ? few : ids);
        const uint32_t set = (uint32_t) (next_random() % plain->sets);
        const bool is_store = next_random() % 4 == 0;
        const PlainResult result = PlainCacheAccess(plain, id * plain->sets + set, is_store);
        touches[i] = (CacheTouch){ .set = set, .word = (uint32_t) id * 2 + is_store };
        wanted[i] = (uint8_t) outcome_of(&result);
    }
    access_lines(cache, touches, TOGETHER, outcomes);
    ck_assert_mem_eq(outcomes, wanted, TOGETHER);
}

static void mark_sides(const Cache *cache)
{
    for (uint32_t set = 0; set < cache->geometry.sets; set++) {
        memset(CacheSide(cache, set), (int) (set + 1), CACHE_SIDE_BYTES);
    }
}

static void expect_sides(const Cache *cache)
{
    for (uint32_t set = 0; set < cache->geometry.sets; set++) {
        unsigned char wanted[CACHE_SIDE_BYTES];
        memset(wanted, (int) (set + 1), sizeof wanted);
        ck_assert_mem_eq(CacheSide(cache, set), wanted, sizeof wanted);
    }
}

/* With `ids` in the second half of the accesses, and as many as bytes can number in the first. */
static void compare_bytes(uint32_t ways, AccessLines *access_lines, uint32_t ids)
{
    const CacheGeometry geometry = { .line_shift = 9, .ways = ways, .sets = 16, .slices = 1 };
    PlainCache plain;
    Cache cache;

    ck_assert(CacheInit(&cache, &geometry));
    ck_assert(cache.has_bytes);
    PlainCacheInit(&plain, geometry.sets, ways, 'l', 1);
    mark_sides(&cache);
    for (unsigned i = 0; i < 400; i++) {
        if (i == 200) {
            ck_assert(CacheAllowIds(&cache, ids));
        }
        compare_together(&cache, &plain, access_lines, i < 200 ? CACHE_FEW_IDS : ids);
    }
    ck_assert_int_eq(cache.has_bytes, ids <= CACHE_FEW_IDS);
    expect_sides(&cache);
    PlainCacheFinish(&plain);
    CacheFinish(&cache);
}

START_TEST(ways_of_bytes_equal_the_plain_cache)
{
    random_state = 3;
    for (uint32_t ways = 1; ways <= BYTE_SETS_WAYS; ways++) {
        compare_bytes(ways, CacheAccess, CACHE_FEW_IDS);
        compare_bytes(ways, access_plainly, CACHE_FEW_IDS);
    }
}
END_TEST

START_TEST(more_lines_than_bytes_can_number_turn_ways_into_words)
{
    random_state = 5;
    for (uint32_t ways = 1; ways <= BYTE_SETS_WAYS; ways++) {
        compare_bytes(ways, CacheAccess, CACHE_FEW_IDS + 1);
        compare_bytes(ways, CacheAccess, 1000);
    }
}
END_TEST

START_TEST(more_ways_and_other_policies_have_words)
{
    for (int policy = CACHE_LRU; policy <= CACHE_RANDOM; policy++) {
        const CacheGeometry geometry = { .line_shift = 9,
                                         .ways = BYTE_SETS_WAYS + (policy == CACHE_LRU),
                                         .sets = 16,
                                         .slices = 1,
                                         .policy = (CachePolicy) policy,
                                         .seed = 1 };
        Cache cache;
        ck_assert(CacheInit(&cache, &geometry));
        ck_assert(!cache.has_bytes);
        CacheFinish(&cache);
    }
}
END_TEST

/* ---- reuse distances ---- */

static void renumber(Reuse *reuse, uint32_t *stamps, unsigned lines)
{
    ReuseRank(reuse);
    for (unsigned i = 0; i < lines; i++) {
        stamps[i] = ReuseRenumber(reuse, stamps[i]);
    }
    ReuseCompact(reuse);
}

/* Against a stack, with so few lines, such a depth and so many accesses. */
static void compare_stack(unsigned lines, uint32_t depth, unsigned accesses, unsigned pattern)
{
    uint32_t *stamps = calloc(lines, sizeof *stamps);
    PlainStack stack = { .lines = NULL };
    Reuse reuse;

    ck_assert(ReuseInit(&reuse, depth));
    for (unsigned i = 0; i < accesses; i++) {
        const uint64_t line = next_line(pattern, i, lines) % lines;
        const uint64_t place = PlainStackTouch(&stack, line);
        if (!ReuseHasRoom(&reuse, 1)) {
            renumber(&reuse, stamps, lines);
        }
        const uint64_t wanted = place == UINT64_MAX ? REUSE_FIRST
                                : place >= depth    ? REUSE_BEYOND
                                                    : place;
        uint32_t distance;
        ck_assert_uint_eq(ReuseTouch(&reuse, &stamps[line], 1, &distance), 1);
        ck_assert_uint_eq(distance, wanted);
    }
    PlainStackFinish(&stack);
    ReuseFinish(&reuse);
    free(stamps);
}

START_TEST(distances_equal_a_stack)
{
    random_state = 7;
    for (unsigned pattern = 0; pattern < 5; pattern++) {
        compare_stack(3, 1, 20000, pattern);
        compare_stack(100, 40, 50000, pattern);
        compare_stack(3000, 5000, 50000, pattern);
        compare_stack(9000, 4095, 60000, pattern);
    }
}
END_TEST

/* Lines in a row go together as far as they can, and have the distances
 * that a stack has of each. */
static void compare_rows(unsigned lines, uint32_t depth, unsigned rows)
{
    uint32_t *stamps = calloc(lines, sizeof *stamps);
    PlainStack stack = { .lines = NULL };
    unsigned together = 0;
    Reuse reuse;

    ck_assert(ReuseInit(&reuse, depth));
    for (unsigned i = 0; i < rows; i++) {
        const uint32_t first = (uint32_t) (next_random() % 8 * lines / 8 + next_random() % 3);
        const uint32_t count = (uint32_t) (1 + next_random() % (lines - first));
        if (!ReuseHasRoom(&reuse, count)) {
            renumber(&reuse, stamps, lines);
        }
        for (uint32_t line = first; line < first + count;) {
            uint32_t distance;
            uint32_t some = ReuseTouch(&reuse, &stamps[line], first + count - line, &distance);
            ck_assert_uint_ge(some, 1);
            ck_assert_uint_le(some, first + count - line);
            together += some > 1;
            for (; some > 0; some--, line++) {
                const uint64_t place = PlainStackTouch(&stack, line);
                ck_assert_uint_eq(distance, place == UINT64_MAX ? REUSE_FIRST
                                            : place >= depth    ? REUSE_BEYOND
                                                                : place);
            }
        }
    }
    ck_assert(together > rows / 10 || depth == 1);
    PlainStackFinish(&stack);
    ReuseFinish(&reuse);
    free(stamps);
}

START_TEST(rows_equal_a_stack)
{
    random_state = 11;
    compare_rows(60, 1, 500);
    compare_rows(250, 30, 5000);
    compare_rows(250, 200, 5000);
    compare_rows(250, 4000, 5000);
}
END_TEST

/* Deep enough for counts of groups of groups: distances of a loop are its length less one. */
START_TEST(distances_of_long_loops)
{
    const unsigned lines = 400000;
    uint32_t *stamps = calloc(lines, sizeof *stamps);
    Reuse reuse;

    ck_assert(ReuseInit(&reuse, 393216));
    for (unsigned turn = 0; turn < 4; turn++) {
        const unsigned length = turn < 2 ? 390000 : lines;
        for (unsigned i = 0; i < length; i++) {
            if (!ReuseHasRoom(&reuse, 1)) {
                renumber(&reuse, stamps, lines);
            }
            uint32_t distance;
            ReuseTouch(&reuse, &stamps[i], 1, &distance);
            if (turn == 1) {
                ck_assert_uint_eq(distance, 389999);
            } else if (turn == 3) {
                ck_assert_uint_eq(distance, REUSE_BEYOND);
            }
        }
    }
    ReuseFinish(&reuse);
    free(stamps);
}
END_TEST

static Suite *cache_suite(void)
{
    Suite *suite = suite_create("cache");
    TCase *tcase = tcase_create("cache");

    tcase_add_test(tcase, one_way_of_four_sets);
    tcase_add_test(tcase, the_line_that_was_not_used_for_longest_leaves);
    tcase_add_test(tcase, sets_of_an_address);
    tcase_add_test(tcase, hashed_sets);
    tcase_add_test(tcase, hashed_sets_of_any_number);
    tcase_add_loop_test(tcase, each_policy_equals_the_plain_cache, 0, 4);
    tcase_add_test(tcase, ways_of_bytes_equal_the_plain_cache);
    tcase_add_test(tcase, more_lines_than_bytes_can_number_turn_ways_into_words);
    tcase_add_test(tcase, more_ways_and_other_policies_have_words);
    tcase_add_test(tcase, distances_equal_a_stack);
    tcase_add_test(tcase, rows_equal_a_stack);
    tcase_add_test(tcase, distances_of_long_loops);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(cache_suite)
