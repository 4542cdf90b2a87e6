/* SPDX-License-Identifier: Apache-2.0 */
/* One thing at a time; test_data_stream_stress.c does everything at once. */
#include "tests/core/stream/stream_test.h"
#include "tests/core/suites.h"

#include <opprof/data_stream.h>

#include <check.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#define RECORDS 4u

static OpprofBatchPool *pool;

static void set_up(void)
{
    pool = OpprofBatchPoolCreate(&mark_type, RECORDS, 0);
    ck_assert_ptr_nonnull(pool);
}

static void tear_down(void)
{
    ck_assert_uint_eq(OpprofBatchPoolInUse(pool), 0);
    OpprofBatchPoolDestroy(pool);
}

/* A batch with one record, numbered. */
static OpprofBatch *make_batch(uint64_t number)
{
    OpprofBatch *batch = OpprofBatchPoolTake(pool);
    ck_assert_ptr_nonnull(batch);
    *(Mark *) OpprofBatchAppend(batch) = (Mark){ 0, number };
    return batch;
}

static uint64_t number_of(const OpprofBatch *batch)
{
    return ((const Mark *) OpprofBatchRecord(batch, 0))->number;
}

static size_t batch_bytes(void)
{
    OpprofBatch *batch = make_batch(0);
    size_t bytes = OpprofBatchBytes(batch);
    OpprofBatchUnref(batch);
    return bytes;
}

static OpprofDataStream *make_stream(uint32_t max_batches, size_t max_bytes,
                                     OpprofDataStreamBudget *budget)
{
    OpprofDataStream *stream = OpprofDataStreamCreate(&(OpprofDataStreamOptions){
        .max_batches = max_batches, .max_bytes = max_bytes, .budget = budget });
    ck_assert_ptr_nonnull(stream);
    return stream;
}

static OpprofDataStreamReader *attach(OpprofDataStream *stream, OpprofDataStreamBell *bell)
{
    OpprofDataStreamReader *reader = OpprofDataStreamAttach(stream, bell);
    ck_assert_ptr_nonnull(reader);
    return reader;
}

static void push(OpprofDataStream *stream, uint64_t number)
{
    ck_assert_int_eq(DataStreamPush(stream, make_batch(number)), OPPROF_OK);
}

static void pop(OpprofDataStreamReader *reader, uint64_t number)
{
    OpprofBatch *batch;

    ck_assert_int_eq(DataStreamPop(reader, &batch), OPPROF_OK);
    ck_assert_ptr_nonnull(batch);
    ck_assert_uint_eq(number_of(batch), number);
    OpprofBatchUnref(batch);
}

static void pop_nothing(OpprofDataStreamReader *reader, OpprofStatus wanted)
{
    OpprofBatch *batch = (OpprofBatch *) reader;

    ck_assert_int_eq(OpprofDataStreamTryPop(reader, &batch), wanted);
    ck_assert_ptr_null(batch);
    if (wanted != OPPROF_AGAIN) {
        batch = (OpprofBatch *) reader;
        ck_assert_int_eq(DataStreamPop(reader, &batch), wanted);
        ck_assert_ptr_null(batch);
    }
}

/* A push on a thread of its own, for pushes that wait. */

typedef struct Pusher {
    pthread_t thread;
    OpprofDataStream *stream;
    OpprofBatch *batch;
    OpprofStatus status;
    _Atomic bool is_done;
} Pusher;

static void *run_pusher(void *argument)
{
    Pusher *self = argument;

    self->status = DataStreamPush(self->stream, self->batch);
    atomic_store(&self->is_done, true);
    return NULL;
}

/* Gives the push every chance to return; it must not. */
static void start_push_that_waits(Pusher *self, OpprofDataStream *stream, OpprofBatch *batch)
{
    *self = (Pusher){ .stream = stream, .batch = batch };
    ck_assert_int_eq(pthread_create(&self->thread, NULL, run_pusher, self), 0);
    for (int i = 0; i < 200; i++) {
        sched_yield();
        ck_assert(!atomic_load(&self->is_done));
    }
}

static void end_push(Pusher *self, OpprofStatus wanted)
{
    pthread_join(self->thread, NULL);
    ck_assert_int_eq(self->status, wanted);
    if (wanted != OPPROF_OK) {
        OpprofBatchUnref(self->batch);
    }
}

/* ---- pushing and popping ---- */

START_TEST(pop_gives_batches_in_the_order_of_pushes)
{
    OpprofDataStream *stream = make_stream(0, 0, NULL);
    OpprofDataStreamReader *reader = attach(stream, NULL);

    for (uint64_t round = 0; round < 1000; round++) {
        for (uint64_t i = 0; i < round % 60 + 1; i++) {
            push(stream, round * 100 + i);
        }
        for (uint64_t i = 0; i < round % 60 + 1; i++) {
            pop(reader, round * 100 + i);
        }
    }
    pop_nothing(reader, OPPROF_AGAIN);
    OpprofDataStreamDetach(reader);
    OpprofDataStreamDestroy(stream);
}
END_TEST

START_TEST(every_reader_gets_every_batch_without_a_copy)
{
    OpprofDataStream *stream = make_stream(0, 0, NULL);
    OpprofDataStreamReader *readers[5];
    OpprofBatch *pushed[10];
    OpprofBatch *batch;

    for (int i = 0; i < 5; i++) {
        readers[i] = attach(stream, NULL);
    }
    for (uint64_t i = 0; i < 10; i++) {
        pushed[i] = make_batch(i);
        ck_assert_int_eq(DataStreamPush(stream, pushed[i]), OPPROF_OK);
    }
    for (int i = 0; i < 5; i++) {
        for (uint64_t j = 0; j < 10; j++) {
            ck_assert_int_eq(DataStreamPop(readers[i], &batch), OPPROF_OK);
            ck_assert_ptr_eq(batch, pushed[j]);
            ck_assert_uint_eq(number_of(batch), j);
            OpprofBatchUnref(batch);
        }
        ck_assert_uint_eq(OpprofBatchPoolInUse(pool), i == 4 ? 0 : 10);
    }
    for (int i = 0; i < 5; i++) {
        OpprofDataStreamDetach(readers[i]);
    }
    OpprofDataStreamDestroy(stream);
}
END_TEST

START_TEST(a_stream_without_readers_takes_batches_and_drops_them)
{
    OpprofDataStream *stream = make_stream(2, 1, NULL);
    OpprofDataStreamStats stats;

    for (uint64_t i = 0; i < 100; i++) {
        push(stream, i);
    }
    ck_assert_uint_eq(OpprofBatchPoolInUse(pool), 0);
    OpprofDataStreamGetStats(stream, &stats);
    ck_assert_uint_eq(stats.batches, 100);
    ck_assert_uint_eq(stats.queued, 0);
    OpprofDataStreamDestroy(stream);
}
END_TEST

START_TEST(a_reader_sees_only_what_is_pushed_after_it_attached)
{
    OpprofDataStream *stream = make_stream(0, 0, NULL);
    OpprofDataStreamReader *early = attach(stream, NULL);

    push(stream, 1);
    OpprofDataStreamReader *late = attach(stream, NULL);
    push(stream, 2);
    pop(late, 2);
    pop_nothing(late, OPPROF_AGAIN);
    pop(early, 1);
    pop(early, 2);
    OpprofDataStreamDetach(early);
    OpprofDataStreamDetach(late);
    OpprofDataStreamDestroy(stream);
}
END_TEST

START_TEST(detach_drops_what_was_not_popped)
{
    OpprofDataStream *stream = make_stream(0, 0, NULL);
    OpprofDataStreamReader *reader = attach(stream, NULL);
    OpprofDataStreamReader *other = attach(stream, NULL);

    for (uint64_t i = 0; i < 10; i++) {
        push(stream, i);
    }
    pop(reader, 0);
    OpprofDataStreamDetach(reader);
    ck_assert_uint_eq(OpprofBatchPoolInUse(pool), 10);
    OpprofDataStreamDetach(other);
    ck_assert_uint_eq(OpprofBatchPoolInUse(pool), 0);
    OpprofDataStreamDetach(NULL);
    OpprofDataStreamDestroy(stream);
}
END_TEST

START_TEST(destroying_a_stream_drops_what_its_readers_left)
{
    OpprofDataStream *stream = make_stream(0, 0, NULL);

    attach(stream, NULL);
    attach(stream, NULL);
    push(stream, 1);
    OpprofDataStreamDestroy(stream);
    OpprofDataStreamDestroy(NULL);
}
END_TEST

/* ---- ends ---- */

START_TEST(push_after_shutdown_returns_closed_and_leaves_the_batch_to_its_owner)
{
    for (int how = OPPROF_DATA_STREAM_COMPLETE; how <= OPPROF_DATA_STREAM_ABORT; how++) {
        OpprofDataStream *stream = make_stream(0, 0, NULL);
        OpprofDataStreamReader *reader = attach(stream, NULL);
        OpprofBatch *batch = make_batch(1);

        DataStreamShutdown(stream, (OpprofDataStreamEnd) how);
        ck_assert_int_eq(DataStreamPush(stream, batch), OPPROF_CLOSED);
        ck_assert_uint_eq(number_of(batch), 1);
        OpprofBatchUnref(batch);
        OpprofDataStreamDetach(reader);
        OpprofDataStreamDestroy(stream);
    }
}
END_TEST

START_TEST(a_drain_delivers_all_that_was_pushed_and_then_the_end)
{
    for (int how = OPPROF_DATA_STREAM_COMPLETE; how <= OPPROF_DATA_STREAM_FAILED; how++) {
        OpprofDataStream *stream = make_stream(0, 0, NULL);
        OpprofDataStreamReader *reader = attach(stream, NULL);

        for (uint64_t i = 0; i < 64; i++) {
            push(stream, i);
        }
        DataStreamShutdown(stream, (OpprofDataStreamEnd) how);
        for (uint64_t i = 0; i < 64; i++) {
            pop(reader, i);
        }
        pop_nothing(reader, OPPROF_END);
        pop_nothing(reader, OPPROF_END);
        ck_assert_int_eq(OpprofDataStreamEndState(stream), how);
        OpprofDataStreamDetach(reader);
        OpprofDataStreamDestroy(stream);
    }
}
END_TEST

START_TEST(an_abort_drops_at_once)
{
    OpprofDataStream *stream = make_stream(0, 0, NULL);
    OpprofDataStreamReader *reader = attach(stream, NULL);

    for (uint64_t i = 0; i < 10; i++) {
        push(stream, i);
    }
    pop(reader, 0);
    DataStreamShutdown(stream, OPPROF_DATA_STREAM_ABORT);
    pop_nothing(reader, OPPROF_CLOSED);
    ck_assert_uint_eq(OpprofBatchPoolInUse(pool), 0);
    pop_nothing(reader, OPPROF_CLOSED);
    OpprofDataStreamDetach(reader);
    OpprofDataStreamDestroy(stream);
}
END_TEST

START_TEST(pop_on_an_empty_ended_stream_returns_the_end)
{
    OpprofDataStream *stream = make_stream(0, 0, NULL);
    OpprofDataStreamReader *before = attach(stream, NULL);

    DataStreamShutdown(stream, OPPROF_DATA_STREAM_COMPLETE);
    OpprofDataStreamReader *after = attach(stream, NULL);
    pop_nothing(before, OPPROF_END);
    pop_nothing(after, OPPROF_END);
    OpprofDataStreamDetach(before);
    OpprofDataStreamDetach(after);
    OpprofDataStreamDestroy(stream);
}
END_TEST

START_TEST(the_first_drain_wins_and_an_abort_always_does)
{
    OpprofDataStream *stream = make_stream(0, 0, NULL);
    OpprofDataStreamReader *reader = attach(stream, NULL);

    push(stream, 1);
    DataStreamShutdown(stream, OPPROF_DATA_STREAM_OPEN);
    DataStreamShutdown(stream, (OpprofDataStreamEnd) 99);
    ck_assert_int_eq(OpprofDataStreamEndState(stream), OPPROF_DATA_STREAM_OPEN);
    DataStreamShutdown(stream, OPPROF_DATA_STREAM_CUT);
    DataStreamShutdown(stream, OPPROF_DATA_STREAM_COMPLETE);
    DataStreamShutdown(stream, OPPROF_DATA_STREAM_FAILED);
    DataStreamShutdown(stream, OPPROF_DATA_STREAM_OPEN);
    ck_assert_int_eq(OpprofDataStreamEndState(stream), OPPROF_DATA_STREAM_CUT);
    pop(reader, 1);
    DataStreamShutdown(stream, OPPROF_DATA_STREAM_ABORT);
    DataStreamShutdown(stream, OPPROF_DATA_STREAM_COMPLETE);
    ck_assert_int_eq(OpprofDataStreamEndState(stream), OPPROF_DATA_STREAM_ABORT);
    pop_nothing(reader, OPPROF_CLOSED);
    OpprofDataStreamDetach(reader);
    OpprofDataStreamDestroy(stream);
}
END_TEST

static void *shut_down_cut(void *stream)
{
    DataStreamShutdown(stream, OPPROF_DATA_STREAM_CUT);
    return NULL;
}

START_TEST(a_shutdown_wakes_a_waiting_pop)
{
    for (int i = 0; i < AMOUNT(300, 50); i++) {
        OpprofDataStream *stream = make_stream(0, 0, NULL);
        OpprofDataStreamReader *reader = attach(stream, NULL);
        pthread_t thread;
        OpprofBatch *batch;

        ck_assert_int_eq(pthread_create(&thread, NULL, shut_down_cut, stream), 0);
        ck_assert_int_eq(DataStreamPop(reader, &batch), OPPROF_END);
        pthread_join(thread, NULL);
        OpprofDataStreamDetach(reader);
        OpprofDataStreamDestroy(stream);
    }
}
END_TEST

START_TEST(a_shutdown_wakes_a_waiting_push)
{
    for (int how = OPPROF_DATA_STREAM_COMPLETE; how <= OPPROF_DATA_STREAM_ABORT; how++) {
        OpprofDataStream *stream = make_stream(1, 0, NULL);
        OpprofDataStreamReader *reader = attach(stream, NULL);
        Pusher pusher;

        push(stream, 1);
        start_push_that_waits(&pusher, stream, make_batch(2));
        DataStreamShutdown(stream, (OpprofDataStreamEnd) how);
        end_push(&pusher, OPPROF_CLOSED);
        OpprofDataStreamDetach(reader);
        OpprofDataStreamDestroy(stream);
    }
}
END_TEST

/* ---- bounds ---- */

START_TEST(push_waits_while_the_slowest_reader_is_full)
{
    OpprofDataStream *stream = make_stream(3, 0, NULL);
    OpprofDataStreamReader *fast = attach(stream, NULL);
    OpprofDataStreamReader *slow = attach(stream, NULL);
    OpprofDataStreamStats stats;
    Pusher pusher;

    for (uint64_t i = 0; i < 3; i++) {
        push(stream, i);
        pop(fast, i);
    }
    start_push_that_waits(&pusher, stream, make_batch(3));
    OpprofDataStreamGetStats(stream, &stats);
    ck_assert_uint_eq(stats.queued, 3);
    for (uint64_t i = 0; i < 3; i++) {
        pop(slow, i);
    }
    end_push(&pusher, OPPROF_OK);
    OpprofDataStreamGetStats(stream, &stats);
    ck_assert_uint_eq(stats.queued, 1);
    ck_assert_uint_eq(stats.queued_peak, 3);
    pop(slow, 3);
    pop(fast, 3);
    OpprofDataStreamDetach(fast);
    OpprofDataStreamDetach(slow);
    OpprofDataStreamDestroy(stream);
}
END_TEST

START_TEST(push_waits_while_there_are_too_many_bytes)
{
    size_t bytes = batch_bytes();
    OpprofDataStream *stream = make_stream(64, 3 * bytes, NULL);
    OpprofDataStreamReader *reader = attach(stream, NULL);
    OpprofDataStreamStats stats;
    Pusher pusher;

    for (uint64_t i = 0; i < 3; i++) {
        push(stream, i);
    }
    start_push_that_waits(&pusher, stream, make_batch(3));
    OpprofDataStreamGetStats(stream, &stats);
    ck_assert_uint_eq(stats.queued_bytes, 3 * bytes);
    for (uint64_t i = 0; i < 4; i++) {
        pop(reader, i);
    }
    end_push(&pusher, OPPROF_OK);
    OpprofDataStreamDetach(reader);
    OpprofDataStreamDestroy(stream);
}
END_TEST

START_TEST(an_oversized_batch_is_let_in_alone)
{
    OpprofDataStream *stream = make_stream(64, 10000, NULL);
    OpprofDataStreamReader *reader = attach(stream, NULL);
    OpprofBatch *large = make_batch(1);
    Pusher pusher;

    ck_assert_ptr_nonnull(OpprofBatchReserveText(large, 20000));
    push(stream, 0);
    start_push_that_waits(&pusher, stream, large);
    pop(reader, 0);
    end_push(&pusher, OPPROF_OK);
    start_push_that_waits(&pusher, stream, make_batch(2));
    pop(reader, 1);
    end_push(&pusher, OPPROF_OK);
    pop(reader, 2);
    OpprofDataStreamDetach(reader);
    OpprofDataStreamDestroy(stream);
}
END_TEST

START_TEST(a_reader_that_detaches_lets_a_waiting_push_in)
{
    for (int i = 0; i < AMOUNT(100, 20); i++) {
        OpprofDataStream *stream = make_stream(2, 0, NULL);
        OpprofDataStreamReader *alive = attach(stream, NULL);
        OpprofDataStreamReader *dead = attach(stream, NULL);
        Pusher pusher;

        push(stream, 0);
        push(stream, 1);
        pop(alive, 0);
        pop(alive, 1);
        start_push_that_waits(&pusher, stream, make_batch(2));
        OpprofDataStreamDetach(dead);
        end_push(&pusher, OPPROF_OK);
        pop(alive, 2);
        OpprofDataStreamDetach(alive);
        OpprofDataStreamDestroy(stream);
    }
}
END_TEST

START_TEST(the_last_reader_that_detaches_lets_a_waiting_push_in)
{
    OpprofDataStreamBudget *budget = OpprofDataStreamBudgetCreate(1);
    OpprofDataStream *stream = make_stream(1, 0, budget);
    OpprofDataStreamReader *reader = attach(stream, NULL);
    Pusher pusher;

    push(stream, 0);
    start_push_that_waits(&pusher, stream, make_batch(1));
    OpprofDataStreamDetach(reader);
    end_push(&pusher, OPPROF_OK);
    ck_assert_uint_eq(OpprofBatchPoolInUse(pool), 0);
    OpprofDataStreamDestroy(stream);
    OpprofDataStreamBudgetDestroy(budget);
}
END_TEST

START_TEST(options_have_defaults_and_limits)
{
    OpprofDataStream *stream = OpprofDataStreamCreate(NULL);
    OpprofDataStreamReader *reader = attach(stream, NULL);
    OpprofDataStreamStats stats;

    for (uint64_t i = 0; i < 64; i++) {
        push(stream, i);
    }
    OpprofDataStreamGetStats(stream, &stats);
    ck_assert_uint_eq(stats.queued_peak, 64);
    OpprofDataStreamDetach(reader);
    OpprofDataStreamDestroy(stream);

    stream = make_stream(UINT32_MAX, SIZE_MAX, NULL);
    reader = attach(stream, NULL);
    for (uint64_t i = 0; i < 65536; i++) {
        push(stream, i);
    }
    Pusher pusher;
    start_push_that_waits(&pusher, stream, make_batch(65536));
    DataStreamShutdown(stream, OPPROF_DATA_STREAM_ABORT);
    end_push(&pusher, OPPROF_CLOSED);
    OpprofDataStreamDetach(reader);
    OpprofDataStreamDestroy(stream);
}
END_TEST

START_TEST(statistics_count_what_was_pushed)
{
    OpprofDataStream *stream = make_stream(0, 0, NULL);
    OpprofDataStreamReader *reader = attach(stream, NULL);
    size_t bytes = batch_bytes();
    OpprofDataStreamStats stats;

    for (uint64_t i = 0; i < 5; i++) {
        OpprofBatch *batch = make_batch(i);
        for (uint64_t j = 0; j < i && j < RECORDS - 1; j++) {
            *(Mark *) OpprofBatchAppend(batch) = (Mark){ 0, j };
        }
        ck_assert_int_eq(DataStreamPush(stream, batch), OPPROF_OK);
    }
    pop(reader, 0);
    OpprofDataStreamGetStats(stream, &stats);
    ck_assert_uint_eq(stats.batches, 5);
    ck_assert_uint_eq(stats.records, 1 + 2 + 3 + 4 + 4);
    ck_assert_uint_eq(stats.bytes, 5 * bytes);
    ck_assert_uint_eq(stats.push_wait_ns, 0);
    ck_assert_uint_eq(stats.queued, 4);
    ck_assert_uint_eq(stats.queued_peak, 5);
    ck_assert_uint_eq(stats.queued_bytes, 4 * bytes);
    OpprofDataStreamDetach(reader);
    OpprofDataStreamGetStats(stream, &stats);
    ck_assert_uint_eq(stats.queued, 0);
    ck_assert_uint_eq(stats.queued_bytes, 0);
    OpprofDataStreamDestroy(stream);
}
END_TEST

START_TEST(the_peak_is_that_of_the_queue_and_not_of_what_passed)
{
    OpprofDataStream *stream = make_stream(0, 0, NULL);
    OpprofDataStreamReader *reader = attach(stream, NULL);
    OpprofDataStreamStats stats;

    for (uint64_t i = 0; i < 1000; i++) {
        push(stream, i);
        if (i >= 2) {
            pop(reader, i - 2);
        }
    }
    OpprofDataStreamGetStats(stream, &stats);
    ck_assert_uint_eq(stats.queued, 2);
    ck_assert_uint_eq(stats.queued_peak, 3);
    OpprofDataStreamDetach(reader);
    OpprofDataStreamDestroy(stream);
}
END_TEST

/* ---- budgets ---- */

START_TEST(an_empty_stream_lets_one_batch_in_whatever_the_budget_says)
{
    OpprofDataStreamBudget *budget = OpprofDataStreamBudgetCreate(0);
    OpprofDataStream *streams[10];
    OpprofDataStreamReader *readers[10];

    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 10; i++) {
            if (round == 0) {
                streams[i] = make_stream(0, 0, budget);
                readers[i] = attach(streams[i], NULL);
            }
            push(streams[i], 1);
        }
        for (int i = 0; i < 10; i++) {
            pop(readers[i], 1);
        }
    }
    for (int i = 0; i < 10; i++) {
        OpprofDataStreamDetach(readers[i]);
        OpprofDataStreamDestroy(streams[i]);
    }
    OpprofDataStreamBudgetDestroy(budget);
}
END_TEST

START_TEST(room_in_the_budget_wakes_producers_of_other_streams)
{
    size_t bytes = batch_bytes();

    for (int i = 0; i < AMOUNT(200, 30); i++) {
        OpprofDataStreamBudget *budget = OpprofDataStreamBudgetCreate(3 * bytes);
        OpprofDataStream *greedy = make_stream(0, 0, budget);
        OpprofDataStream *modest = make_stream(0, 0, budget);
        OpprofDataStreamReader *of_greedy = attach(greedy, NULL);
        OpprofDataStreamReader *of_modest = attach(modest, NULL);
        Pusher pusher;

        push(greedy, 1);
        push(greedy, 2);
        push(modest, 3);
        start_push_that_waits(&pusher, modest, make_batch(4));
        if (i % 2 == 0) {
            pop(of_greedy, 1);
        } else {
            OpprofDataStreamDetach(of_greedy);
            of_greedy = NULL;
        }
        end_push(&pusher, OPPROF_OK);
        pop(of_modest, 3);
        pop(of_modest, 4);
        OpprofDataStreamDetach(of_greedy);
        OpprofDataStreamDetach(of_modest);
        OpprofDataStreamDestroy(greedy);
        OpprofDataStreamDestroy(modest);
        OpprofDataStreamBudgetDestroy(budget);
    }
}
END_TEST

START_TEST(an_empty_queue_lets_a_push_in_that_waits_for_the_budget)
{
    size_t bytes = batch_bytes();
    OpprofDataStreamBudget *budget = OpprofDataStreamBudgetCreate(2 * bytes);
    OpprofDataStream *full = make_stream(0, 0, budget);
    OpprofDataStream *other = make_stream(0, 0, budget);
    OpprofDataStreamReader *of_full = attach(full, NULL);
    OpprofDataStreamReader *of_other = attach(other, NULL);
    Pusher pusher;

    push(full, 1);
    push(full, 2);
    push(other, 3); /* over the budget, since the stream was empty */
    start_push_that_waits(&pusher, other, make_batch(4));
    pop(of_other, 3); /* the budget is full still, but the stream is empty */
    end_push(&pusher, OPPROF_OK);
    pop(of_other, 4);
    OpprofDataStreamDetach(of_full);
    OpprofDataStreamDetach(of_other);
    OpprofDataStreamDestroy(full);
    OpprofDataStreamDestroy(other);
    OpprofDataStreamBudgetDestroy(budget);
}
END_TEST

START_TEST(the_last_reader_gives_bytes_back_to_the_budget)
{
    size_t bytes = batch_bytes();
    OpprofDataStreamBudget *budget = OpprofDataStreamBudgetCreate(2 * bytes);
    OpprofDataStream *shared = make_stream(0, 0, budget);
    OpprofDataStreamReader *first = attach(shared, NULL);
    OpprofDataStreamReader *second = attach(shared, NULL);
    Pusher pusher;

    push(shared, 1);
    push(shared, 2);
    pop(first, 1);
    pop(first, 2);
    start_push_that_waits(&pusher, shared, make_batch(3));
    pop(second, 1);
    end_push(&pusher, OPPROF_OK);
    OpprofDataStreamDetach(second);
    push(shared, 4);
    pop(first, 3);
    pop(first, 4);
    OpprofDataStreamDetach(first);
    OpprofDataStreamDestroy(shared);
    OpprofDataStreamBudgetDestroy(budget);
}
END_TEST

/* ---- several readers at once ---- */

START_TEST(pop_any_takes_readers_in_turn)
{
    OpprofDataStreamBell *bell = OpprofDataStreamBellCreate();
    OpprofDataStream *streams[3];
    OpprofDataStreamReader *readers[3];
    uint32_t which;
    OpprofBatch *batch;

    for (int i = 0; i < 3; i++) {
        streams[i] = make_stream(0, 0, NULL);
        readers[i] = attach(streams[i], bell);
        for (uint64_t j = 0; j < 10; j++) {
            push(streams[i], j);
        }
    }
    for (uint64_t j = 0; j < 10; j++) {
        uint32_t seen = 0;
        for (int i = 0; i < 3; i++) {
            ck_assert_int_eq(OpprofDataStreamPopAny(readers, 3, &which, &batch), OPPROF_OK);
            ck_assert_uint_eq(number_of(batch), j);
            seen |= 1u << which;
            OpprofBatchUnref(batch);
        }
        ck_assert_uint_eq(seen, 7);
    }
    for (int i = 0; i < 3; i++) {
        OpprofDataStreamDetach(readers[i]);
        OpprofDataStreamDestroy(streams[i]);
    }
    OpprofDataStreamBellDestroy(bell);
}
END_TEST

START_TEST(pop_any_tells_the_end_of_each_reader_once)
{
    OpprofDataStreamBell *bell = OpprofDataStreamBellCreate();
    OpprofDataStream *streams[3];
    OpprofDataStreamReader *readers[4] = { NULL };
    uint32_t which;
    uint32_t ends = 0;
    uint32_t batches = 0;
    OpprofBatch *batch;

    for (int i = 0; i < 3; i++) {
        streams[i] = make_stream(0, 0, NULL);
        readers[i + 1] = attach(streams[i], bell);
        for (int j = 0; j < i; j++) {
            push(streams[i], 5);
        }
        DataStreamShutdown(streams[i], OPPROF_DATA_STREAM_COMPLETE);
    }
    for (int i = 0; i < 6; i++) {
        OpprofStatus status = OpprofDataStreamPopAny(readers, 4, &which, &batch);
        if (status == OPPROF_END) {
            ck_assert_ptr_null(batch);
            ck_assert_uint_eq(ends & (1u << which), 0);
            ends |= 1u << which;
            if (which == 2) { /* one that its owner removes; the others are skipped */
                OpprofDataStreamDetach(readers[which]);
                readers[which] = NULL;
            }
        } else {
            ck_assert_int_eq(status, OPPROF_OK);
            batches++;
            OpprofBatchUnref(batch);
        }
    }
    ck_assert_uint_eq(ends, 2 + 4 + 8);
    ck_assert_uint_eq(batches, 0 + 1 + 2);
    ck_assert_int_eq(OpprofDataStreamPopAny(readers, 4, &which, &batch), OPPROF_E_ARGUMENT);
    ck_assert_int_eq(OpprofDataStreamPopAny(NULL, 0, &which, &batch), OPPROF_E_ARGUMENT);
    for (int i = 0; i < 3; i++) {
        OpprofDataStreamDetach(readers[i + 1]);
        OpprofDataStreamDestroy(streams[i]);
    }
    OpprofDataStreamBellDestroy(bell);
}
END_TEST

START_TEST(pop_any_returns_closed_when_a_stream_is_aborted)
{
    OpprofDataStreamBell *bell = OpprofDataStreamBellCreate();
    OpprofDataStream *stream = make_stream(0, 0, NULL);
    OpprofDataStreamReader *reader = attach(stream, bell);
    uint32_t which = 9;
    OpprofBatch *batch;

    push(stream, 1);
    DataStreamShutdown(stream, OPPROF_DATA_STREAM_ABORT);
    ck_assert_int_eq(OpprofDataStreamPopAny(&reader, 1, &which, &batch), OPPROF_CLOSED);
    ck_assert_ptr_null(batch);
    ck_assert_int_eq(OpprofDataStreamPopAny(&reader, 1, &which, &batch), OPPROF_CLOSED);
    OpprofDataStreamDetach(reader);
    OpprofDataStreamDestroy(stream);
    OpprofDataStreamBellDestroy(bell);
}
END_TEST

static void *ring(void *bell)
{
    OpprofDataStreamBellRing(bell);
    return NULL;
}

START_TEST(a_bell_rung_by_hand_returns_again_once)
{
    OpprofDataStreamBell *bell = OpprofDataStreamBellCreate();
    OpprofDataStream *stream = make_stream(0, 0, NULL);
    OpprofDataStreamReader *reader = attach(stream, bell);
    uint32_t which;
    OpprofBatch *batch;

    OpprofDataStreamBellRing(bell); /* before anybody sleeps */
    ck_assert_int_eq(OpprofDataStreamPopAny(&reader, 1, &which, &batch), OPPROF_AGAIN);
    ck_assert_ptr_null(batch);
    push(stream, 1);
    ck_assert_int_eq(OpprofDataStreamPopAny(&reader, 1, &which, &batch), OPPROF_OK);
    OpprofBatchUnref(batch);
    for (int i = 0; i < AMOUNT(500, 50); i++) {
        pthread_t thread;
        ck_assert_int_eq(pthread_create(&thread, NULL, ring, bell), 0);
        ck_assert_int_eq(OpprofDataStreamPopAny(&reader, 1, &which, &batch), OPPROF_AGAIN);
        pthread_join(thread, NULL);
    }
    OpprofDataStreamBellRing(NULL);
    OpprofDataStreamDetach(reader);
    OpprofDataStreamDestroy(stream);
    OpprofDataStreamBellDestroy(bell);
}
END_TEST

START_TEST(a_ring_is_kept_for_pop_any_while_pop_goes_on)
{
    OpprofDataStreamBell *bell = OpprofDataStreamBellCreate();
    OpprofDataStream *stream = make_stream(0, 0, NULL);
    OpprofDataStreamReader *reader = attach(stream, bell);
    uint32_t which;
    OpprofBatch *batch;
    Pusher pusher = { .stream = stream, .batch = make_batch(7) };

    OpprofDataStreamBellRing(bell);
    ck_assert_int_eq(pthread_create(&pusher.thread, NULL, run_pusher, &pusher), 0);
    pop(reader, 7);
    end_push(&pusher, OPPROF_OK);
    ck_assert_int_eq(OpprofDataStreamPopAny(&reader, 1, &which, &batch), OPPROF_AGAIN);
    OpprofDataStreamDetach(reader);
    OpprofDataStreamDestroy(stream);
    OpprofDataStreamBellDestroy(bell);
}
END_TEST

/* ---- nothing ---- */

START_TEST(nothing_may_be_ended_and_freed)
{
    ck_assert_ptr_null(OpprofDataStreamAttach(NULL, NULL));
    ck_assert_int_eq(OpprofDataStreamEndState(NULL), OPPROF_DATA_STREAM_OPEN);
    DataStreamShutdown(NULL, OPPROF_DATA_STREAM_ABORT);
    OpprofDataStreamDetach(NULL);
    OpprofDataStreamDestroy(NULL);
    OpprofDataStreamBellDestroy(NULL);
    OpprofDataStreamBudgetDestroy(NULL);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_test(tests, pop_gives_batches_in_the_order_of_pushes);
    tcase_add_test(tests, every_reader_gets_every_batch_without_a_copy);
    tcase_add_test(tests, a_stream_without_readers_takes_batches_and_drops_them);
    tcase_add_test(tests, a_reader_sees_only_what_is_pushed_after_it_attached);
    tcase_add_test(tests, detach_drops_what_was_not_popped);
    tcase_add_test(tests, destroying_a_stream_drops_what_its_readers_left);
    tcase_add_test(tests, push_after_shutdown_returns_closed_and_leaves_the_batch_to_its_owner);
    tcase_add_test(tests, a_drain_delivers_all_that_was_pushed_and_then_the_end);
    tcase_add_test(tests, an_abort_drops_at_once);
    tcase_add_test(tests, pop_on_an_empty_ended_stream_returns_the_end);
    tcase_add_test(tests, the_first_drain_wins_and_an_abort_always_does);
    tcase_add_test(tests, a_shutdown_wakes_a_waiting_pop);
    tcase_add_test(tests, a_shutdown_wakes_a_waiting_push);
    tcase_add_test(tests, push_waits_while_the_slowest_reader_is_full);
    tcase_add_test(tests, push_waits_while_there_are_too_many_bytes);
    tcase_add_test(tests, an_oversized_batch_is_let_in_alone);
    tcase_add_test(tests, a_reader_that_detaches_lets_a_waiting_push_in);
    tcase_add_test(tests, the_last_reader_that_detaches_lets_a_waiting_push_in);
    tcase_add_test(tests, options_have_defaults_and_limits);
    tcase_add_test(tests, statistics_count_what_was_pushed);
    tcase_add_test(tests, the_peak_is_that_of_the_queue_and_not_of_what_passed);
    tcase_add_test(tests, an_empty_stream_lets_one_batch_in_whatever_the_budget_says);
    tcase_add_test(tests, room_in_the_budget_wakes_producers_of_other_streams);
    tcase_add_test(tests, an_empty_queue_lets_a_push_in_that_waits_for_the_budget);
    tcase_add_test(tests, the_last_reader_gives_bytes_back_to_the_budget);
    tcase_add_test(tests, pop_any_takes_readers_in_turn);
    tcase_add_test(tests, pop_any_tells_the_end_of_each_reader_once);
    tcase_add_test(tests, pop_any_returns_closed_when_a_stream_is_aborted);
    tcase_add_test(tests, a_bell_rung_by_hand_returns_again_once);
    tcase_add_test(tests, a_ring_is_kept_for_pop_any_while_pop_goes_on);
    tcase_add_test(tests, nothing_may_be_ended_and_freed);
}

static Suite *data_stream_suite(void)
{
    Suite *suite = suite_create("data_stream");
    TCase *tests = tcase_create("data_stream");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    add_tests(tests);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(data_stream_suite)
