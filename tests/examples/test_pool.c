/* SPDX-License-Identifier: Apache-2.0 */
/* Pages from producers to collectors: nothing is lost without being counted, and nobody waits. */
#include "examples/device-pool/pool.h"

#include <check.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define CORES 36u
#define PRODUCERS 3u
#define COLLECTORS 2u

static Pool *pool;

typedef struct Seen {
    uint64_t bytes;
    uint64_t lost;
    uint32_t next_word;
    uint32_t next_page;
    bool is_wrong;
} Seen;

static Seen seen[CORES]; /* of the collector that owns the core's producer */
static uint32_t emitted[CORES];
static uint32_t words_each;
static _Atomic uint32_t producers_left;
static _Atomic bool is_over;

static void look(void *context, const PoolPage *page, const void *bytes)
{
    Seen *one = &seen[page->core];
    const unsigned char *at = bytes;

    (void) context;
    one->is_wrong = one->is_wrong || page->sequence != one->next_page++ || page->lost % 4 != 0;
    one->lost += page->lost;
    one->next_word += (uint32_t) (page->lost / 4);
    for (uint32_t i = 0; i < page->bytes / 4; i++) {
        uint32_t word;
        memcpy(&word, at + 4 * (size_t) i, sizeof word);
        one->is_wrong = one->is_wrong || word != one->next_word;
        one->next_word++;
    }
    one->bytes += page->bytes;
}

static void begin(uint32_t pages, uint32_t ready_slots, uint32_t free_slots)
{
    const PoolOptions options = { .cores = CORES,
                                  .producers = PRODUCERS,
                                  .collectors = COLLECTORS,
                                  .page_bytes = 32 + 64,
                                  .pages = pages,
                                  .ready_slots = ready_slots,
                                  .free_slots = free_slots };

    memset(seen, 0, sizeof seen);
    memset(emitted, 0, sizeof emitted);
    ck_assert_int_eq(PoolCreate(&options, &pool, NULL), OPPROF_OK);
}

static void teardown(void)
{
    PoolDestroy(pool);
    pool = NULL;
}

static bool put(uint32_t core, uint32_t count)
{
    uint32_t words[64];

    for (uint32_t i = 0; i < count; i++) {
        words[i] = emitted[core]++;
    }
    return PoolPut(pool, core, 1, words, (size_t) count * 4, 0);
}

static void collect(void)
{
    for (uint32_t i = 0; i < COLLECTORS; i++) {
        PoolCollect(pool, i, look, NULL);
    }
}

START_TEST(queues_are_full_and_empty_where_they_should)
{
    ck_assert(PoolReadyIsFull(0, 215, 216));
    ck_assert(!PoolReadyIsFull(1, 215, 216));
    ck_assert(PoolFreeIsEmpty(5, 5));
    ck_assert(PoolFreeIsFull(5, 9, 4));
    ck_assert_uint_eq(5 % 4, 1); /* the next page is popped from slot 1 */
    ck_assert_uint_eq(PoolStagingSlot(7), 1);
    ck_assert_uint_eq(PoolStagingSlot(5), PoolStagingSlot(7)); /* so tokens are compared */
}
END_TEST

START_TEST(bytes_come_out_in_order)
{
    begin(0, 0, 0);
    for (uint32_t i = 0; i < 10; i++) {
        ck_assert(put(4, 10));
        PoolManage(pool);
        collect();
    }
    ck_assert(PoolFlush(pool, 4));
    collect();
    ck_assert(!seen[4].is_wrong);
    ck_assert_uint_eq(seen[4].bytes, 400);
    ck_assert_uint_eq(seen[4].lost, 0);
}
END_TEST

START_TEST(without_pages_bytes_are_dropped_and_the_gate_closes)
{
    PoolCounts counts;

    begin(CORES, 0, 0); /* a page a core */
    ck_assert(put(0, 16));
    ck_assert(!put(0, 16)); /* no free page: dropped */
    ck_assert(!put(1, 17)); /* the part that fits stays */
    ck_assert(PoolManage(pool));
    PoolGetCounts(pool, &counts);
    ck_assert_uint_eq(counts.put, 49 * 4);
    ck_assert_uint_eq(counts.dropped, 17 * 4);
    ck_assert_uint_eq(counts.freezes, 1);
    ck_assert(!put(2, 16)); /* frozen for all, although it has a page */
    collect();
    PoolManage(pool);
    ck_assert(put(0, 4)); /* says what was lost before it */
    ck_assert(put(2, 4));
    for (uint32_t i = 0; i < 3; i++) {
        ck_assert(PoolFlush(pool, i));
    }
    collect();
    ck_assert(!seen[0].is_wrong && !seen[1].is_wrong && !seen[2].is_wrong);
    ck_assert_uint_eq(seen[0].lost, 64);
    ck_assert_uint_eq(seen[0].bytes, 80);
    ck_assert_uint_eq(seen[2].lost, 64);
}
END_TEST

START_TEST(what_the_caller_lost_is_passed_on)
{
    begin(0, 0, 0);
    ck_assert(put(0, 4));
    emitted[0] += 10;
    uint32_t word = emitted[0]++;
    ck_assert(PoolPut(pool, 0, 2, &word, 4, 40));
    ck_assert(PoolFlush(pool, 0));
    collect();
    ck_assert(!seen[0].is_wrong);
    ck_assert_uint_eq(seen[0].lost, 40);
    ck_assert_uint_eq(seen[0].next_page, 2);
}
END_TEST

START_TEST(wrong_sizes_are_refused)
{
    const PoolOptions none = { .cores = 0 };
    const PoolOptions small = { .cores = 1, .page_bytes = 32 };

    ck_assert_int_eq(PoolCreate(&none, &pool, NULL), OPPROF_E_ARGUMENT);
    ck_assert_int_eq(PoolCreate(&small, &pool, NULL), OPPROF_E_ARGUMENT);
    ck_assert_ptr_null(pool);
}
END_TEST

/* ---- threads ---- */

static void *produce(void *context)
{
    const uint32_t first = (uint32_t) (uintptr_t) context;

    for (uint32_t i = 0; i < words_each; i += 10) {
        for (uint32_t core = first; core < CORES; core += PRODUCERS) {
            put(core, 10);
        }
    }
    atomic_fetch_sub(&producers_left, 1);
    return NULL;
}

static void *collect_all(void *context)
{
    const uint32_t number = (uint32_t) (uintptr_t) context;

    while (!atomic_load(&is_over)) {
        if (PoolCollect(pool, number, look, NULL) == 0) {
            sched_yield();
        }
    }
    return NULL;
}

static void run_threads(uint32_t pages, uint32_t ready_slots, uint32_t free_slots, uint32_t words)
{
    pthread_t producers[PRODUCERS];
    pthread_t collectors[COLLECTORS];

    begin(pages, ready_slots, free_slots);
    words_each = words;
    atomic_store(&producers_left, PRODUCERS);
    atomic_store(&is_over, false);
    for (uintptr_t i = 0; i < COLLECTORS; i++) {
        ck_assert_int_eq(pthread_create(&collectors[i], NULL, collect_all, (void *) i), 0);
    }
    for (uintptr_t i = 0; i < PRODUCERS; i++) {
        ck_assert_int_eq(pthread_create(&producers[i], NULL, produce, (void *) i), 0);
    }
    while (atomic_load(&producers_left) > 0) {
        if (!PoolManage(pool)) {
            sched_yield();
        }
    }
    for (uint32_t i = 0; i < PRODUCERS; i++) {
        pthread_join(producers[i], NULL);
    }
    for (uint32_t core = 0; core < CORES; core++) {
        while (!PoolFlush(pool, core)) {
            PoolManage(pool);
        }
    }
    atomic_store(&is_over, true);
    for (uint32_t i = 0; i < COLLECTORS; i++) {
        pthread_join(collectors[i], NULL);
    }
    collect();
}

static void check_accounts(uint32_t words)
{
    PoolCounts counts;

    PoolGetCounts(pool, &counts);
    ck_assert_uint_eq(counts.put, (uint64_t) CORES * words * 4);
    ck_assert_uint_eq(counts.collected + counts.dropped, counts.put);
    for (uint32_t i = 0; i < CORES; i++) {
        ck_assert_msg(!seen[i].is_wrong, "core %u: words out of order", i);
        /* What was dropped after a core's last page has no page to be reported in. */
        ck_assert_uint_le(seen[i].bytes + seen[i].lost, (uint64_t) words * 4);
    }
}

START_TEST(the_pool_has_threads_of_its_own)
{
    pthread_t producers[PRODUCERS];
    PoolCounts counts;

    begin(CORES * 80, 4096, 80);
    words_each = 1000;
    atomic_store(&producers_left, PRODUCERS);
    ck_assert_int_eq(PoolStart(pool, look, NULL, NULL), OPPROF_OK);
    ck_assert_int_eq(PoolStart(pool, look, NULL, NULL), OPPROF_E_ARGUMENT);
    for (uintptr_t i = 0; i < PRODUCERS; i++) {
        ck_assert_int_eq(pthread_create(&producers[i], NULL, produce, (void *) i), 0);
    }
    for (uint32_t i = 0; i < PRODUCERS; i++) {
        pthread_join(producers[i], NULL);
    }
    for (uint32_t core = 0; core < CORES; core++) {
        while (!PoolFlush(pool, core)) {
            sched_yield();
        }
    }
    PoolStop(pool);
    PoolStop(pool); /* there are none any more */
    check_accounts(1000);
    PoolGetCounts(pool, &counts);
    ck_assert_uint_eq(counts.collected, counts.put);
    ck_assert_int_eq(PoolStart(pool, look, NULL, NULL), OPPROF_OK); /* once more */
}
END_TEST

START_TEST(a_pool_that_suffices_loses_nothing)
{
    PoolCounts counts;

    run_threads(CORES * 80, 4096, 80, 1000); /* 63 pages a core */
    check_accounts(1000);
    PoolGetCounts(pool, &counts);
    ck_assert_uint_eq(counts.dropped, 0);
    ck_assert_uint_eq(counts.freezes, 0);
}
END_TEST

START_TEST(a_pool_that_is_too_small_counts_what_it_drops)
{
    run_threads(CORES + 3, 3, 4, 20000);
    check_accounts(20000);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("device pool");
    TCase *tests = tcase_create("device pool");

    tcase_add_checked_fixture(tests, NULL, teardown);
    tcase_add_test(tests, queues_are_full_and_empty_where_they_should);
    tcase_add_test(tests, bytes_come_out_in_order);
    tcase_add_test(tests, without_pages_bytes_are_dropped_and_the_gate_closes);
    tcase_add_test(tests, what_the_caller_lost_is_passed_on);
    tcase_add_test(tests, wrong_sizes_are_refused);
    tcase_add_test(tests, the_pool_has_threads_of_its_own);
    tcase_add_test(tests, a_pool_that_suffices_loses_nothing);
    tcase_add_test(tests, a_pool_that_is_too_small_counts_what_it_drops);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
