/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of core/stream/batch.c. */
#include "tests/core/stream/stream_test.h"
#include "tests/core/suites.h"

#include <check.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#define CAPACITY 8u
#define KEPT_MAX 126u /* free batches: 63 given back and 63 about to be taken */
#define MIB ((size_t) 1 << 20)
#define TEXT_LIMIT ((size_t) 1 << 30)

static OpprofBatchPool *pool;

static void set_up(void)
{
    pool = OpprofBatchPoolCreate(&mark_type, CAPACITY, 0);
    ck_assert_ptr_nonnull(pool);
}

static void tear_down(void)
{
    ck_assert_uint_eq(OpprofBatchPoolInUse(pool), 0);
    OpprofBatchPoolDestroy(pool);
}

static OpprofBatch *take(void)
{
    OpprofBatch *batch = OpprofBatchPoolTake(pool);
    ck_assert_ptr_nonnull(batch);
    return batch;
}

START_TEST(a_new_batch_is_empty_and_its_records_are_aligned)
{
    OpprofBatch *batch = take();

    ck_assert_ptr_eq(batch->type, &mark_type);
    ck_assert_uint_eq(batch->capacity, CAPACITY);
    ck_assert_uint_eq(batch->count, 0);
    ck_assert_uint_eq(batch->blob_size, 0);
    ck_assert_uint_eq((uintptr_t) batch->records % 64, 0);
    OpprofBatchUnref(batch);
}
END_TEST

START_TEST(append_gives_one_record_after_the_other_until_the_batch_is_full)
{
    OpprofBatch *batch = take();

    for (uint32_t i = 0; i < CAPACITY; i++) {
        Mark *mark = OpprofBatchAppend(batch);
        ck_assert_ptr_eq(mark, (Mark *) batch->records + i);
        *mark = (Mark){ 7, i };
    }
    ck_assert_ptr_null(OpprofBatchAppend(batch));
    ck_assert_uint_eq(batch->count, CAPACITY);
    for (uint32_t i = 0; i < CAPACITY; i++) {
        ck_assert_uint_eq(((const Mark *) OpprofBatchRecord(batch, i))->number, i);
    }
    OpprofBatchUnref(batch);
}
END_TEST

START_TEST(a_recycled_batch_is_as_good_as_new)
{
    OpprofBatch *first = take();
    OpprofText text;

    OpprofBatchAppend(first);
    ck_assert_int_eq(OpprofBatchAppendText(first, "abc", 3, &text), OPPROF_OK);
    first->partition = 1;
    first->clock = 2;
    first->sequence = 3;
    first->watermark = 4;
    OpprofBatchUnref(first);
    OpprofBatch *second = take();
    ck_assert_ptr_eq(second, first);
    ck_assert_uint_eq(second->count, 0);
    ck_assert_uint_eq(second->blob_size, 0);
    ck_assert_uint_eq(second->partition, 0);
    ck_assert_uint_eq(second->clock, 0);
    ck_assert_uint_eq(second->sequence, 0);
    ck_assert_uint_eq(second->watermark, 0);
    ck_assert_ptr_null(OpprofBatchText(second, (OpprofText){ 1, 1 }));
    OpprofBatchUnref(second);
}
END_TEST

START_TEST(the_last_reference_gives_the_batch_back)
{
    OpprofBatch *batch = take();

    ck_assert_ptr_eq(OpprofBatchRef(batch), batch);
    ck_assert_ptr_eq(OpprofBatchRef(batch), batch);
    OpprofBatchUnref(batch);
    OpprofBatchUnref(batch);
    ck_assert_uint_eq(OpprofBatchPoolInUse(pool), 1);
    OpprofBatch *other = take();
    ck_assert_ptr_ne(other, batch);
    OpprofBatchUnref(other);
    OpprofBatchUnref(batch);
    ck_assert_uint_eq(OpprofBatchPoolInUse(pool), 0);
}
END_TEST

START_TEST(batches_outlive_their_pool)
{
    OpprofBatchPool *short_lived = OpprofBatchPoolCreate(&mark_type, CAPACITY, 100);
    OpprofBatch *batches[100];
    OpprofText text;

    for (int i = 0; i < 100; i++) {
        batches[i] = OpprofBatchPoolTake(short_lived);
        ck_assert_ptr_nonnull(batches[i]);
    }
    for (int i = 0; i < 40; i++) {
        OpprofBatchUnref(batches[i]);
    }
    ck_assert_uint_eq(OpprofBatchPoolInUse(short_lived), 60);
    OpprofBatchPoolDestroy(short_lived);
    for (int i = 40; i < 100; i++) {
        *(Mark *) OpprofBatchAppend(batches[i]) = (Mark){ 1, 2 };
        ck_assert_int_eq(OpprofBatchAppendText(batches[i], "still here", 10, &text), OPPROF_OK);
        ck_assert_mem_eq(OpprofBatchText(batches[i], text), "still here", 10);
        OpprofBatchUnref(batches[i]);
    }
}
END_TEST

START_TEST(nothing_is_made_of_wrong_arguments)
{
    OpprofRecordType no_size = mark_type;

    no_size.size = 0;
    ck_assert_ptr_null(OpprofBatchPoolCreate(NULL, 1, 0));
    ck_assert_ptr_null(OpprofBatchPoolCreate(&mark_type, 0, 0));
    ck_assert_ptr_null(OpprofBatchPoolCreate(&no_size, 1, 0));
    OpprofBatchPoolDestroy(NULL);
    OpprofBatchUnref(NULL);
}
END_TEST

#if !defined(IS_SANITIZED)
START_TEST(a_batch_too_large_for_memory_is_no_batch)
{
    OpprofRecordType huge = mark_type;

    huge.size = UINT32_MAX - 7;
    OpprofBatchPool *greedy = OpprofBatchPoolCreate(&huge, UINT32_MAX, 0);
    ck_assert_ptr_nonnull(greedy);
    ck_assert_ptr_null(OpprofBatchPoolTake(greedy));
    ck_assert_uint_eq(OpprofBatchPoolInUse(greedy), 0);
    OpprofBatchPoolDestroy(greedy);
}
END_TEST

/* Heap in use after many batches were out at once. */
START_TEST(a_pool_keeps_few_batches_after_heavy_use)
{
    static OpprofBatch *batches[2000];
    OpprofBatchPool *large = OpprofBatchPoolCreate(&mark_type, 4096, 0); /* 64 KiB each */
    size_t batch_bytes = 0;
    size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;

    for (int i = 0; i < 2000; i++) {
        batches[i] = OpprofBatchPoolTake(large);
        ck_assert_ptr_nonnull(batches[i]);
        batch_bytes = OpprofBatchBytes(batches[i]);
    }
    for (int i = 0; i < 2000; i++) {
        OpprofBatchUnref(batches[i]);
    }
    size_t kept = mallinfo2().uordblks + mallinfo2().hblkhd - before;
    ck_assert_uint_le(kept, KEPT_MAX * (batch_bytes + 4096));
    OpprofBatchPoolDestroy(large);
}
END_TEST
#endif

START_TEST(texts_are_kept_in_the_blob)
{
    static const char *const words[] = { "MOV", "", "a longer one with blanks", "x" };
    OpprofText texts[4];
    OpprofBatch *batch = take();

    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(OpprofBatchAppendText(batch, words[i], strlen(words[i]), &texts[i]),
                         OPPROF_OK);
    }
    for (int i = 0; i < 4; i++) {
        const char *text = OpprofBatchText(batch, texts[i]);
        ck_assert_ptr_nonnull(text);
        ck_assert_uint_eq(texts[i].length, strlen(words[i]));
        ck_assert(memcmp(text, words[i], texts[i].length) == 0);
    }
    ck_assert_uint_eq(batch->blob_size, 3 + 0 + 24 + 1);
    OpprofBatchUnref(batch);
}
END_TEST

START_TEST(an_empty_text_in_an_empty_blob_is_not_absent)
{
    OpprofBatch *batch = take();
    OpprofText text;

    ck_assert_int_eq(OpprofBatchAppendText(batch, NULL, 0, &text), OPPROF_OK);
    ck_assert_uint_eq(text.length, 0);
    ck_assert_ptr_nonnull(OpprofBatchText(batch, text));
    ck_assert_ptr_null(OpprofBatchText(batch, (OpprofText){ OPPROF_NA_U32, 0 }));
    OpprofBatchUnref(batch);
}
END_TEST

START_TEST(a_text_out_of_bounds_is_absent)
{
    OpprofBatch *batch = take();
    OpprofText text;

    ck_assert_int_eq(OpprofBatchAppendText(batch, "12345", 5, &text), OPPROF_OK);
    ck_assert_ptr_nonnull(OpprofBatchText(batch, (OpprofText){ 0, 5 }));
    ck_assert_ptr_nonnull(OpprofBatchText(batch, (OpprofText){ 5, 0 }));
    ck_assert_ptr_null(OpprofBatchText(batch, (OpprofText){ 0, 6 }));
    ck_assert_ptr_null(OpprofBatchText(batch, (OpprofText){ 5, 1 }));
    ck_assert_ptr_null(OpprofBatchText(batch, (OpprofText){ 6, 0 }));
    ck_assert_ptr_null(OpprofBatchText(batch, (OpprofText){ 1, UINT32_MAX }));
    OpprofBatchUnref(batch);
}
END_TEST

START_TEST(a_text_of_the_same_batch_survives_the_growth_of_its_blob)
{
    OpprofBatch *batch = take();
    OpprofText text;

    ck_assert_int_eq(OpprofBatchAppendText(batch, "twice as long each time", 23, &text), OPPROF_OK);
    for (size_t length = 23; length < 100000; length *= 2) {
        ck_assert_int_eq(OpprofBatchAppendText(batch, batch->blob, length, &text), OPPROF_OK);
        ck_assert_uint_eq(text.length, length);
        ck_assert_mem_eq(OpprofBatchText(batch, text), batch->blob, length);
    }
    for (uint32_t i = 0; i < batch->blob_size; i++) {
        ck_assert_int_eq(batch->blob[i], "twice as long each time"[i % 23]);
    }
    OpprofBatchUnref(batch);
}
END_TEST

START_TEST(reserved_room_is_a_text_once_committed)
{
    OpprofBatch *batch = take();

    char *room = OpprofBatchReserveText(batch, 1000);
    ck_assert_ptr_nonnull(room);
    ck_assert_uint_eq(batch->blob_size, 0);
    memcpy(room, "only six", 8);
    OpprofText text = OpprofBatchCommitText(batch, 8);
    ck_assert_uint_eq(text.offset, 0);
    ck_assert_uint_eq(batch->blob_size, 8);
    ck_assert_mem_eq(OpprofBatchText(batch, text), "only six", 8);
    ck_assert_ptr_nonnull(OpprofBatchReserveText(batch, 0));
    OpprofBatchUnref(batch);
}
END_TEST

START_TEST(a_blob_ends_at_one_gib)
{
    OpprofBatch *batch = take();
    OpprofText text;

    ck_assert_int_eq(OpprofBatchAppendText(batch, "x", 1, &text), OPPROF_OK);
    ck_assert_ptr_null(OpprofBatchReserveText(batch, TEXT_LIMIT));
    ck_assert_ptr_null(OpprofBatchReserveText(batch, SIZE_MAX));
    ck_assert_int_eq(OpprofBatchAppendText(batch, "y", TEXT_LIMIT, &text), OPPROF_E_LIMIT);
    ck_assert_uint_eq(text.offset, OPPROF_NA_U32);
    ck_assert_ptr_null(OpprofBatchText(batch, text));
    ck_assert_uint_eq(batch->blob_size, 1);
    OpprofBatchUnref(batch);
}
END_TEST

START_TEST(bytes_are_what_the_batch_holds)
{
    OpprofBatch *batch = take();
    size_t empty = OpprofBatchBytes(batch);

    ck_assert_uint_ge(empty, sizeof(OpprofBatch) + CAPACITY * sizeof(Mark));
    ck_assert_uint_le(empty, sizeof(OpprofBatch) + CAPACITY * sizeof(Mark) + 192);
    OpprofBatchAppend(batch);
    ck_assert_uint_eq(OpprofBatchBytes(batch), empty);
    ck_assert_ptr_nonnull(OpprofBatchReserveText(batch, 12345));
    ck_assert_uint_ge(batch->blob_capacity, 12345);
    ck_assert_uint_eq(OpprofBatchBytes(batch), empty + batch->blob_capacity);
    OpprofBatchUnref(batch);
}
END_TEST

START_TEST(a_recycled_blob_keeps_its_room_unless_it_is_large)
{
    OpprofBatch *batch = take();

    ck_assert_ptr_nonnull(OpprofBatchReserveText(batch, 100000));
    OpprofBatchUnref(batch);
    batch = take();
    ck_assert_uint_ge(batch->blob_capacity, 100000);
    ck_assert_ptr_nonnull(OpprofBatchReserveText(batch, 4 * MIB + 1));
    OpprofBatchUnref(batch);
    batch = take();
    ck_assert_uint_eq(batch->blob_capacity, 0);
    ck_assert_ptr_nonnull(OpprofBatchReserveText(batch, 1));
    OpprofBatchUnref(batch);
}
END_TEST

START_TEST(blobs_that_are_kept_are_bounded_together)
{
    OpprofBatch *batches[60];
    size_t kept = 0;

    for (int i = 0; i < 60; i++) {
        batches[i] = take();
        ck_assert_ptr_nonnull(OpprofBatchReserveText(batches[i], 3 * MIB));
    }
    for (int i = 0; i < 60; i++) {
        OpprofBatchUnref(batches[i]);
    }
    for (int i = 0; i < 60; i++) {
        batches[i] = take();
        kept += batches[i]->blob_capacity;
    }
    ck_assert_uint_le(kept, 16 * MIB);
    for (int i = 0; i < 60; i++) {
        OpprofBatchUnref(batches[i]);
    }
}
END_TEST

/* Takers hand batches to givers through a few places; a batch that two own at once shows. */

#define PLACES 64
#define PAIRS 3

typedef struct Exchange {
    _Atomic(OpprofBatch *) places[PLACES];
    _Atomic uint32_t takers_left;
    _Atomic uint32_t mistakes;
} Exchange;

typedef struct Party {
    pthread_t thread;
    Exchange *exchange;
    uint64_t seed;
    uint64_t number;
} Party;

static void *take_many(void *argument)
{
    Party *self = argument;
    Exchange *exchange = self->exchange;

    for (uint64_t i = 0; i < AMOUNT(300000, 20000); i++) {
        OpprofBatch *batch = OpprofBatchPoolTake(pool);
        if (!batch || batch->count != 0) {
            atomic_fetch_add(&exchange->mistakes, 1);
            continue;
        }
        for (uint32_t j = 0; j < CAPACITY; j++) {
            *(Mark *) OpprofBatchAppend(batch) = (Mark){ self->number, i };
        }
        for (uint32_t j = 0; j < CAPACITY; j++) {
            const Mark *mark = OpprofBatchRecord(batch, j);
            if (mark->producer != self->number || mark->number != i) {
                atomic_fetch_add(&exchange->mistakes, 1);
            }
        }
        OpprofBatchRef(batch);
        OpprofBatchUnref(batch);
        uint32_t place = random_below(&self->seed, PLACES);
        OpprofBatchUnref(atomic_exchange(&exchange->places[place], batch));
    }
    atomic_fetch_sub(&exchange->takers_left, 1);
    return NULL;
}

static void *give_many(void *argument)
{
    Party *self = argument;
    Exchange *exchange = self->exchange;

    while (atomic_load(&exchange->takers_left) > 0) {
        uint32_t place = random_below(&self->seed, PLACES);
        OpprofBatchUnref(atomic_exchange(&exchange->places[place], NULL));
    }
    return NULL;
}

START_TEST(no_batch_has_two_owners_however_many_threads_take_and_give_back)
{
    static Exchange exchange;
    Party parties[2 * PAIRS];
    uint64_t seed = seed_of("pool");

    atomic_store(&exchange.takers_left, PAIRS);
    for (uint32_t i = 0; i < 2 * PAIRS; i++) {
        parties[i] = (Party){ .exchange = &exchange, .seed = seed + i, .number = i };
        ck_assert_int_eq(pthread_create(&parties[i].thread, NULL, i < PAIRS ? take_many : give_many,
                                        &parties[i]),
                         0);
    }
    for (uint32_t i = 0; i < 2 * PAIRS; i++) {
        pthread_join(parties[i].thread, NULL);
    }
    for (uint32_t i = 0; i < PLACES; i++) {
        OpprofBatchUnref(atomic_load(&exchange.places[i]));
    }
    ck_assert_uint_eq(atomic_load(&exchange.mistakes), 0);
}
END_TEST

/* Three references, three threads, the pool destroyed in between. */

static void *unref_one(void *batch)
{
    OpprofBatchUnref(batch);
    return NULL;
}

START_TEST(the_last_owner_frees_when_the_pool_goes_meanwhile)
{
    for (int round = 0; round < AMOUNT(2000, 200); round++) {
        OpprofBatchPool *short_lived = OpprofBatchPoolCreate(&mark_type, 1, 0);
        OpprofBatch *batch = OpprofBatchPoolTake(short_lived);
        pthread_t threads[2];

        OpprofBatchRef(batch);
        OpprofBatchRef(batch);
        for (int i = 0; i < 2; i++) {
            ck_assert_int_eq(pthread_create(&threads[i], NULL, unref_one, batch), 0);
        }
        OpprofBatchPoolDestroy(short_lived);
        OpprofBatchUnref(batch);
        for (int i = 0; i < 2; i++) {
            pthread_join(threads[i], NULL);
        }
    }
}
END_TEST

static Suite *batch_suite(void)
{
    Suite *suite = suite_create("batch");
    TCase *tests = tcase_create("batch");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, a_new_batch_is_empty_and_its_records_are_aligned);
    tcase_add_test(tests, append_gives_one_record_after_the_other_until_the_batch_is_full);
    tcase_add_test(tests, a_recycled_batch_is_as_good_as_new);
    tcase_add_test(tests, the_last_reference_gives_the_batch_back);
    tcase_add_test(tests, batches_outlive_their_pool);
    tcase_add_test(tests, nothing_is_made_of_wrong_arguments);
#if !defined(IS_SANITIZED)
    tcase_add_test(tests, a_batch_too_large_for_memory_is_no_batch);
    tcase_add_test(tests, a_pool_keeps_few_batches_after_heavy_use);
#endif
    tcase_add_test(tests, texts_are_kept_in_the_blob);
    tcase_add_test(tests, an_empty_text_in_an_empty_blob_is_not_absent);
    tcase_add_test(tests, a_text_out_of_bounds_is_absent);
    tcase_add_test(tests, a_text_of_the_same_batch_survives_the_growth_of_its_blob);
    tcase_add_test(tests, reserved_room_is_a_text_once_committed);
    tcase_add_test(tests, a_blob_ends_at_one_gib);
    tcase_add_test(tests, bytes_are_what_the_batch_holds);
    tcase_add_test(tests, a_recycled_blob_keeps_its_room_unless_it_is_large);
    tcase_add_test(tests, blobs_that_are_kept_are_bounded_together);
    tcase_add_test(tests, no_batch_has_two_owners_however_many_threads_take_and_give_back);
    tcase_add_test(tests, the_last_owner_frees_when_the_pool_goes_meanwhile);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(batch_suite)
