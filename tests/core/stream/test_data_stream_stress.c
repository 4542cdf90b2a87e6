/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Everything at once: producers, readers, detaching, shutting down and shared budgets at random.
 * What is counted must add up, whatever the threads make of it. Threads only note what they see;
 * the main thread asserts.
 */
#include "tests/core/stream/stream_test.h"

#include <opprof/data_stream.h>

#include <check.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

#define PRODUCERS_MAX 8u
#define READERS_MAX 8u
#define RECORDS 2u
#define FOREVER UINT64_MAX

typedef struct Producer {
    pthread_t thread;
    OpprofDataStream *stream;
    OpprofBatchPool *pool;
    uint64_t seed;
    uint32_t number;
    uint32_t text_max; /* texts of random lengths, to make batches of random sizes */
    uint64_t count;    /* batches to push */
    uint64_t pushed;   /* that DataStreamPush said OPPROF_OK to */
    OpprofStatus status;
} Producer;

typedef struct Consumer {
    pthread_t thread;
    OpprofDataStreamReader *reader;
    uint64_t seed;
    uint32_t pause_one_in; /* 0: never pauses */
    uint64_t stop_after;   /* batches, then it detaches */
    uint64_t popped;
    uint64_t next[PRODUCERS_MAX]; /* number expected of each producer */
    bool has_seen[PRODUCERS_MAX]; /* a late reader takes the first number as it comes */
    bool is_late;
    bool is_out_of_order;
    OpprofStatus status;
} Consumer;

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

static void pause_at_random(uint64_t *seed, uint32_t one_in)
{
    if (one_in == 0 || random_below(seed, one_in) != 0) {
        return;
    }
    for (uint32_t i = random_below(seed, 20); i > 0; i--) {
        sched_yield();
    }
}

/* Up to some microseconds awake, about as long as a reader looks before it sleeps. */
static void spin_at_random(uint64_t *seed)
{
    for (volatile uint32_t i = random_below(seed, 4000); i > 0; i--) {
    }
}

static OpprofBatch *make_batch(Producer *self, uint64_t number)
{
    OpprofBatch *batch = OpprofBatchPoolTake(self->pool);
    if (!batch) {
        return NULL;
    }
    Mark *mark = OpprofBatchAppend(batch);
    *mark = (Mark){ self->number, number };
    if (self->text_max > 0 &&
        !OpprofBatchReserveText(batch, random_below(&self->seed, self->text_max))) {
        OpprofBatchUnref(batch);
        return NULL;
    }
    return batch;
}

static void *run_producer(void *argument)
{
    Producer *self = argument;

    self->status = OPPROF_OK;
    while (self->pushed < self->count) {
        OpprofBatch *batch = make_batch(self, self->pushed);
        self->status = batch ? DataStreamPush(self->stream, batch) : OPPROF_E_MEMORY;
        if (self->status != OPPROF_OK) {
            OpprofBatchUnref(batch);
            break;
        }
        self->pushed++;
    }
    return NULL;
}

static void take_note(Consumer *self, const OpprofBatch *batch)
{
    const Mark *mark = OpprofBatchRecord(batch, 0);
    uint64_t *next = &self->next[mark->producer];

    if (self->is_late && !self->has_seen[mark->producer]) {
        self->has_seen[mark->producer] = true;
        *next = mark->number;
    }
    if (mark->number != *next) {
        self->is_out_of_order = true;
    }
    *next = mark->number + 1;
    self->popped++;
}

static void *run_consumer(void *argument)
{
    Consumer *self = argument;
    OpprofBatch *batch;

    self->status = OPPROF_OK;
    while (self->popped < self->stop_after &&
           (self->status = DataStreamPop(self->reader, &batch)) == OPPROF_OK) {
        take_note(self, batch);
        pause_at_random(&self->seed, self->pause_one_in);
        OpprofBatchUnref(batch);
    }
    OpprofDataStreamDetach(self->reader);
    return NULL;
}

/* On a busy machine each hand-over takes its time: then there are fewer rounds, but always one. */
static bool is_due(uint32_t round, uint32_t rounds)
{
    static time_t began;

    if (round == 0) {
        began = time(NULL);
    }
    return round < rounds && time(NULL) - began < 10;
}

static OpprofDataStream *make_stream(uint32_t max_batches, size_t max_bytes,
                                     OpprofDataStreamBudget *budget)
{
    OpprofDataStream *stream = OpprofDataStreamCreate(&(OpprofDataStreamOptions){
        .max_batches = max_batches, .max_bytes = max_bytes, .budget = budget });
    ck_assert_ptr_nonnull(stream);
    return stream;
}

static void start_producer(Producer *self, OpprofDataStream *stream, uint32_t number,
                           uint64_t count, uint64_t seed)
{
    self->stream = stream;
    self->pool = pool;
    self->number = number;
    self->count = count;
    self->seed = seed + number;
    ck_assert_int_eq(pthread_create(&self->thread, NULL, run_producer, self), 0);
}

static void start_consumer(Consumer *self, OpprofDataStream *stream, uint64_t seed)
{
    self->reader = OpprofDataStreamAttach(stream, NULL);
    ck_assert_ptr_nonnull(self->reader);
    self->seed = seed;
    self->stop_after = self->stop_after ? self->stop_after : FOREVER;
    ck_assert_int_eq(pthread_create(&self->thread, NULL, run_consumer, self), 0);
}

/* Each reader saw exactly what producers pushed with OPPROF_OK. */
static void assert_complete(const Producer *producers, uint32_t producer_count,
                            const Consumer *consumers, uint32_t consumer_count)
{
    for (uint32_t i = 0; i < consumer_count; i++) {
        ck_assert(!consumers[i].is_out_of_order);
        ck_assert_int_eq(consumers[i].status, OPPROF_END);
        for (uint32_t j = 0; j < producer_count; j++) {
            ck_assert_uint_eq(consumers[i].next[j], producers[j].pushed);
        }
    }
}

/* The whole budget can be taken again, without waiting, if nobody kept a byte of it. */
static void assert_budget_is_free(OpprofDataStreamBudget *budget, size_t max_bytes)
{
    OpprofDataStream *stream = make_stream(65536, max_bytes, budget);
    OpprofDataStreamReader *reader = OpprofDataStreamAttach(stream, NULL);
    OpprofBatchPool *fresh =
        OpprofBatchPoolCreate(&mark_type, RECORDS, 0); /* no recycled texts: one size */
    Producer producer = { .pool = fresh };

    for (size_t used = 0;;) {
        OpprofBatch *batch = make_batch(&producer, 0);
        used += OpprofBatchBytes(batch);
        if (used > max_bytes) {
            OpprofBatchUnref(batch);
            break;
        }
        ck_assert_int_eq(DataStreamPush(stream, batch), OPPROF_OK);
    }
    OpprofDataStreamDetach(reader);
    OpprofDataStreamDestroy(stream);
    OpprofBatchPoolDestroy(fresh);
}

START_TEST(a_million_tiny_batches_arrive_in_order)
{
    OpprofDataStream *stream = make_stream(0, 0, NULL);
    Producer producer = { 0 };
    Consumer consumer = { 0 };

    start_consumer(&consumer, stream, 1);
    start_producer(&producer, stream, 0, AMOUNT(1000000, 50000), 1);
    pthread_join(producer.thread, NULL);
    DataStreamShutdown(stream, OPPROF_DATA_STREAM_COMPLETE);
    pthread_join(consumer.thread, NULL);
    assert_complete(&producer, 1, &consumer, 1);
    ck_assert_uint_eq(consumer.popped, AMOUNT(1000000, 50000));
    OpprofDataStreamDestroy(stream);
}
END_TEST

/* A ring of one batch: each push and each pop is an edge. */
START_TEST(a_ring_of_one_batch_works)
{
    OpprofDataStream *stream = make_stream(1, 0, NULL);
    Producer producers[3] = { 0 };
    Consumer consumers[3] = { 0 };

    for (uint32_t i = 0; i < 3; i++) {
        start_consumer(&consumers[i], stream, i + 1);
    }
    for (uint32_t i = 0; i < 3; i++) {
        start_producer(&producers[i], stream, i, AMOUNT(10000, 500), 1);
    }
    for (uint32_t i = 0; i < 3; i++) {
        pthread_join(producers[i].thread, NULL);
    }
    DataStreamShutdown(stream, OPPROF_DATA_STREAM_COMPLETE);
    for (uint32_t i = 0; i < 3; i++) {
        pthread_join(consumers[i].thread, NULL);
    }
    assert_complete(producers, 3, consumers, 3);
    OpprofDataStreamDestroy(stream);
}
END_TEST

START_TEST(all_readers_see_all_of_all_producers_in_order)
{
    uint64_t seed = seed_of("all readers");

    for (uint32_t round = 0; is_due(round, AMOUNT(40, 8)); round++) {
        uint32_t producer_count = 1 + random_below(&seed, PRODUCERS_MAX);
        uint32_t consumer_count = 1 + random_below(&seed, READERS_MAX);
        OpprofDataStream *stream = make_stream(1 + random_below(&seed, 80), 0, NULL);
        Producer producers[PRODUCERS_MAX] = { 0 };
        Consumer consumers[READERS_MAX] = { 0 };

        for (uint32_t i = 0; i < consumer_count; i++) {
            consumers[i].pause_one_in = random_below(&seed, 200);
            start_consumer(&consumers[i], stream, seed + i);
        }
        for (uint32_t i = 0; i < producer_count; i++) {
            start_producer(&producers[i], stream, i, random_below(&seed, AMOUNT(3000, 300)), seed);
        }
        for (uint32_t i = 0; i < producer_count; i++) {
            pthread_join(producers[i].thread, NULL);
            ck_assert_uint_eq(producers[i].pushed, producers[i].count);
        }
        DataStreamShutdown(stream, OPPROF_DATA_STREAM_COMPLETE);
        for (uint32_t i = 0; i < consumer_count; i++) {
            pthread_join(consumers[i].thread, NULL);
        }
        assert_complete(producers, producer_count, consumers, consumer_count);
        OpprofDataStreamDestroy(stream);
    }
}
END_TEST

/* Bounds are looked at from outside, all the time, while a slow reader makes producers wait. */
START_TEST(the_queue_never_passes_its_bounds)
{
    enum { BATCHES = 13, BYTES = 40000, TEXT = 12000 };
    uint64_t seed = seed_of("bounds");
    OpprofDataStream *stream = make_stream(BATCHES, BYTES, NULL);
    OpprofDataStreamReader *reader = OpprofDataStreamAttach(stream, NULL);
    Producer producers[3] = { 0 };
    OpprofDataStreamStats stats;
    OpprofBatch *batch;

    for (uint32_t i = 0; i < 3; i++) {
        producers[i].text_max = i == 0 ? 60000 : TEXT; /* the first one's may be too large */
        start_producer(&producers[i], stream, i, AMOUNT(4000, 400), seed);
    }
    for (uint64_t left = 3 * AMOUNT(4000, 400); left > 0; left--) {
        OpprofDataStreamGetStats(stream, &stats);
        ck_assert_uint_le(stats.queued, BATCHES);
        ck_assert(stats.queued <= 1 || stats.queued_bytes <= BYTES);
        ck_assert_int_eq(DataStreamPop(reader, &batch), OPPROF_OK);
        pause_at_random(&seed, 4);
        OpprofBatchUnref(batch);
    }
    for (uint32_t i = 0; i < 3; i++) {
        pthread_join(producers[i].thread, NULL);
    }
    OpprofDataStreamGetStats(stream, &stats);
    ck_assert_uint_eq(stats.queued, 0);
    ck_assert_uint_eq(stats.queued_bytes, 0);
    ck_assert_uint_le(stats.queued_peak, BATCHES);
    ck_assert_uint_gt(stats.push_wait_ns, 0);
    OpprofDataStreamDetach(reader);
    OpprofDataStreamDestroy(stream);
}
END_TEST

/* Readers come and go while a steady one must see everything, and late ones everything from then
 * on. */
START_TEST(readers_attach_and_detach_while_producers_push)
{
    uint64_t seed = seed_of("attach and detach");
    OpprofDataStream *stream = make_stream(4, 0, NULL);
    Producer producers[3] = { 0 };
    Consumer steady = { 0 };

    start_consumer(&steady, stream, seed);
    for (uint32_t i = 0; i < 3; i++) {
        start_producer(&producers[i], stream, i, FOREVER, seed);
    }
    for (uint32_t round = 0; is_due(round, AMOUNT(300, 40)); round++) {
        Consumer guests[3] = { 0 };
        for (uint32_t i = 0; i < 3; i++) {
            guests[i].is_late = true;
            guests[i].stop_after = 1 + random_below(&seed, 100);
            guests[i].pause_one_in = random_below(&seed, 5);
            start_consumer(&guests[i], stream, seed + i);
        }
        OpprofDataStreamDetach(OpprofDataStreamAttach(stream, NULL)); /* pops nothing at all */
        for (uint32_t i = 0; i < 3; i++) {
            pthread_join(guests[i].thread, NULL);
            ck_assert(!guests[i].is_out_of_order);
            ck_assert_uint_eq(guests[i].popped, guests[i].stop_after);
        }
    }
    Consumer last = { .is_late = true };
    start_consumer(&last, stream, seed);
    DataStreamShutdown(stream, OPPROF_DATA_STREAM_CUT);
    pthread_join(last.thread, NULL);
    pthread_join(steady.thread, NULL);
    for (uint32_t i = 0; i < 3; i++) {
        pthread_join(producers[i].thread, NULL);
        ck_assert_int_eq(producers[i].status, OPPROF_CLOSED);
        ck_assert(!last.has_seen[i] || last.next[i] == producers[i].pushed);
    }
    ck_assert(!last.is_out_of_order);
    assert_complete(producers, 3, &steady, 1);
    OpprofDataStreamDestroy(stream);
}
END_TEST

/* All readers stop popping and leave at some moment; the producers must come to their end alone. */
START_TEST(producers_go_on_when_all_readers_leave)
{
    uint64_t seed = seed_of("all leave");

    for (uint32_t round = 0; is_due(round, AMOUNT(300, 40)); round++) {
        OpprofDataStreamBudget *budget = OpprofDataStreamBudgetCreate(2000);
        OpprofDataStream *stream = make_stream(1 + random_below(&seed, 8), 0, budget);
        Producer producers[2] = { 0 };
        Consumer consumers[2] = { 0 };

        for (uint32_t i = 0; i < 2; i++) {
            consumers[i].stop_after = 1 + random_below(&seed, 200);
            start_consumer(&consumers[i], stream, seed + i);
        }
        for (uint32_t i = 0; i < 2; i++) {
            start_producer(&producers[i], stream, i, 300, seed);
        }
        for (uint32_t i = 0; i < 2; i++) {
            pthread_join(producers[i].thread, NULL);
            ck_assert_uint_eq(producers[i].pushed, 300);
        }
        DataStreamShutdown(stream, OPPROF_DATA_STREAM_COMPLETE);
        for (uint32_t i = 0; i < 2; i++) {
            pthread_join(consumers[i].thread, NULL);
            ck_assert(!consumers[i].is_out_of_order);
        }
        ck_assert_uint_eq(OpprofBatchPoolInUse(pool), 0);
        OpprofDataStreamDestroy(stream);
        assert_budget_is_free(budget, 2000);
        OpprofDataStreamBudgetDestroy(budget);
    }
}
END_TEST

typedef struct Stopper {
    pthread_t thread;
    OpprofDataStream *stream;
    OpprofDataStreamEnd how;
    uint64_t after; /* batches */
} Stopper;

static void *run_stopper(void *argument)
{
    Stopper *self = argument;
    OpprofDataStreamStats stats;

    do {
        sched_yield();
        OpprofDataStreamGetStats(self->stream, &stats);
    } while (stats.batches < self->after &&
             OpprofDataStreamEndState(self->stream) == OPPROF_DATA_STREAM_OPEN);
    DataStreamShutdown(self->stream, self->how);
    return NULL;
}

static void shut_down_at_random(uint64_t *seed, bool aborts)
{
    OpprofDataStreamBudget *budget = OpprofDataStreamBudgetCreate(3000);
    OpprofDataStream *stream =
        make_stream(1 + random_below(seed, 16), 0, random_below(seed, 2) ? budget : NULL);
    uint32_t count = 1 + random_below(seed, 3);
    Producer producers[3] = { 0 };
    Consumer consumers[3] = { 0 };
    Stopper stoppers[2];
    uint64_t pushed = 0;
    OpprofDataStreamStats stats;

    for (uint32_t i = 0; i < count; i++) {
        consumers[i].pause_one_in = random_below(seed, 20);
        start_consumer(&consumers[i], stream, *seed + i);
    }
    for (uint32_t i = 0; i < 2; i++) {
        stoppers[i] =
            (Stopper){ .stream = stream,
                       .how = aborts ? OPPROF_DATA_STREAM_ABORT : OPPROF_DATA_STREAM_COMPLETE,
                       .after = random_below(seed, 500) };
        ck_assert_int_eq(pthread_create(&stoppers[i].thread, NULL, run_stopper, &stoppers[i]), 0);
    }
    for (uint32_t i = 0; i < count; i++) {
        start_producer(&producers[i], stream, i, FOREVER, *seed);
    }
    for (uint32_t i = 0; i < 2; i++) {
        pthread_join(stoppers[i].thread, NULL);
    }
    for (uint32_t i = 0; i < count; i++) {
        pthread_join(producers[i].thread, NULL);
        pthread_join(consumers[i].thread, NULL);
        ck_assert_int_eq(producers[i].status, OPPROF_CLOSED);
        pushed += producers[i].pushed;
    }
    OpprofDataStreamGetStats(stream, &stats);
    ck_assert_uint_eq(stats.batches, pushed);
    for (uint32_t i = 0; i < count && aborts; i++) {
        ck_assert_int_eq(consumers[i].status, OPPROF_CLOSED);
        ck_assert(!consumers[i].is_out_of_order);
        ck_assert_uint_le(consumers[i].popped, pushed);
    }
    if (!aborts) {
        assert_complete(producers, count, consumers, count);
    }
    ck_assert_uint_eq(OpprofBatchPoolInUse(pool), 0);
    OpprofDataStreamDestroy(stream);
    assert_budget_is_free(budget, 3000);
    OpprofDataStreamBudgetDestroy(budget);
}

START_TEST(a_drain_at_any_moment_loses_nothing_that_was_pushed)
{
    uint64_t seed = seed_of("drain");

    for (uint32_t round = 0; is_due(round, AMOUNT(400, 60)); round++) {
        shut_down_at_random(&seed, false);
    }
}
END_TEST

START_TEST(an_abort_at_any_moment_leaks_nothing)
{
    uint64_t seed = seed_of("abort");

    for (uint32_t round = 0; is_due(round, AMOUNT(400, 60)); round++) {
        shut_down_at_random(&seed, true);
    }
}
END_TEST

/* One thread works through readers handed to it one by one, so that rounds are short and many. */

typedef struct Relay {
    pthread_t thread;
    _Atomic(OpprofDataStreamReader *) reader; /* NULL: the thread is done with it */
    _Atomic bool is_over;
    uint64_t popped; /* of the last reader */
} Relay;

static void *run_relay(void *argument)
{
    Relay *self = argument;
    OpprofBatch *batch;

    while (!atomic_load(&self->is_over)) {
        OpprofDataStreamReader *reader = atomic_load(&self->reader);
        if (!reader) {
            sched_yield();
            continue;
        }
        for (self->popped = 0; DataStreamPop(reader, &batch) == OPPROF_OK; self->popped++) {
            OpprofBatchUnref(batch);
        }
        atomic_store(&self->reader, NULL);
    }
    return NULL;
}

START_TEST(what_is_pushed_right_before_a_drain_arrives)
{
    uint64_t seed = seed_of("right before");
    Relay relay = { 0 };
    Producer source = { .pool = pool };

    ck_assert_int_eq(pthread_create(&relay.thread, NULL, run_relay, &relay), 0);
    for (uint32_t round = 0; is_due(round, AMOUNT(30000, 2000)); round++) {
        OpprofDataStream *stream = make_stream(2, 0, NULL);
        OpprofDataStreamReader *reader = OpprofDataStreamAttach(stream, NULL);
        uint64_t count = random_below(&seed, 3);

        atomic_store(&relay.reader, reader);
        spin_at_random(&seed);
        for (uint64_t i = 0; i < count; i++) {
            ck_assert_int_eq(DataStreamPush(stream, make_batch(&source, i)), OPPROF_OK);
        }
        DataStreamShutdown(stream, OPPROF_DATA_STREAM_COMPLETE);
        while (atomic_load(&relay.reader)) {
            sched_yield();
        }
        ck_assert_uint_eq(relay.popped, count);
        OpprofDataStreamDetach(reader);
        OpprofDataStreamDestroy(stream);
    }
    atomic_store(&relay.is_over, true);
    pthread_join(relay.thread, NULL);
}
END_TEST

typedef struct Ringer {
    pthread_t thread;
    OpprofDataStreamBell *bell;
    uint64_t seed;
    _Atomic uint32_t heard;
    uint32_t rounds;
} Ringer;

static void *run_ringer(void *argument)
{
    Ringer *self = argument;

    for (uint32_t i = 0; i < self->rounds; i++) {
        while (atomic_load(&self->heard) != i) {
            sched_yield();
        }
        spin_at_random(&self->seed);
        OpprofDataStreamBellRing(self->bell);
    }
    return NULL;
}

START_TEST(a_ring_is_heard_at_whatever_moment)
{
    Ringer ringer = { .bell = OpprofDataStreamBellCreate(),
                      .seed = seed_of("ring"),
                      .rounds = AMOUNT(30000, 2000) };
    OpprofDataStream *stream = make_stream(0, 0, NULL);
    OpprofDataStreamReader *reader = OpprofDataStreamAttach(stream, ringer.bell);
    uint32_t which;
    OpprofBatch *batch;

    ck_assert_int_eq(pthread_create(&ringer.thread, NULL, run_ringer, &ringer), 0);
    for (uint32_t i = 0; i < ringer.rounds; i++) {
        ck_assert_int_eq(OpprofDataStreamPopAny(&reader, 1, &which, &batch), OPPROF_AGAIN);
        atomic_store(&ringer.heard, i + 1);
    }
    pthread_join(ringer.thread, NULL);
    OpprofDataStreamDetach(reader);
    OpprofDataStreamDestroy(stream);
    OpprofDataStreamBellDestroy(ringer.bell);
}
END_TEST

/* Chains and diamonds, as pipelines have them: stages that pop here and push there. */

typedef struct OpprofStage {
    pthread_t thread;
    OpprofDataStreamBell *bell;
    OpprofDataStreamReader *readers[PRODUCERS_MAX];
    uint32_t reader_count;
    OpprofDataStream *output; /* NULL: the last stage, which only counts */
    Consumer seen;
    uint32_t ends;
    uint32_t rings;
    OpprofStatus status;
} OpprofStage;

static OpprofStatus pass_on(OpprofStage *self, OpprofBatch *batch)
{
    take_note(&self->seen, batch);
    if (!self->output) {
        OpprofBatchUnref(batch);
        return OPPROF_OK;
    }
    OpprofStatus status = DataStreamPush(self->output, batch);
    if (status != OPPROF_OK) {
        OpprofBatchUnref(batch);
    }
    return status;
}

static void *run_stage(void *argument)
{
    OpprofStage *self = argument;
    uint32_t which = 0;
    OpprofBatch *batch;

    do {
        self->status = OpprofDataStreamPopAny(self->readers, self->reader_count, &which, &batch);
        if (self->status == OPPROF_OK) {
            self->status = pass_on(self, batch);
        } else if (self->status == OPPROF_END) {
            self->ends++;
            OpprofDataStreamDetach(self->readers[which]);
            self->readers[which] = NULL;
        } else if (self->status == OPPROF_AGAIN) {
            self->rings++;
        }
    } while (self->status < OPPROF_CLOSED);
    if (self->output) {
        DataStreamShutdown(self->output, OPPROF_DATA_STREAM_COMPLETE);
    }
    return NULL;
}

static void start_stage(OpprofStage *self, OpprofDataStream *const *inputs, uint32_t count,
                        OpprofDataStream *output)
{
    self->bell = OpprofDataStreamBellCreate();
    self->output = output;
    self->reader_count = count;
    for (uint32_t i = 0; i < count; i++) {
        self->readers[i] = OpprofDataStreamAttach(inputs[i], self->bell);
        ck_assert_ptr_nonnull(self->readers[i]);
    }
}

static void join_stage(OpprofStage *self, uint32_t ends)
{
    pthread_join(self->thread, NULL);
    ck_assert_uint_eq(self->ends, ends);
    ck_assert_int_eq(self->status, OPPROF_E_ARGUMENT); /* no reader left */
    OpprofDataStreamBellDestroy(self->bell);
}

START_TEST(one_stage_pops_from_many_streams_and_hears_every_ring)
{
    uint64_t seed = seed_of("pop any");

    for (uint32_t round = 0; is_due(round, AMOUNT(60, 10)); round++) {
        uint32_t count = 1 + random_below(&seed, PRODUCERS_MAX);
        OpprofDataStream *streams[PRODUCERS_MAX];
        Producer producers[PRODUCERS_MAX] = { 0 };
        OpprofStage stage = { 0 };

        for (uint32_t i = 0; i < count; i++) {
            streams[i] = make_stream(1 + random_below(&seed, 10), 0, NULL);
        }
        start_stage(&stage, streams, count, NULL);
        ck_assert_int_eq(pthread_create(&stage.thread, NULL, run_stage, &stage), 0);
        for (uint32_t i = 0; i < count; i++) {
            start_producer(&producers[i], streams[i], i, random_below(&seed, 2000), seed);
        }
        for (uint32_t i = 0; i < 20; i++) {
            OpprofDataStreamBellRing(stage.bell);
            pause_at_random(&seed, 2);
        }
        for (uint32_t i = 0; i < count; i++) {
            pthread_join(producers[i].thread, NULL);
            DataStreamShutdown(streams[i], OPPROF_DATA_STREAM_COMPLETE);
        }
        join_stage(&stage, count);
        ck_assert_uint_ge(stage.rings, 1);
        ck_assert_uint_le(stage.rings, 20);
        ck_assert(!stage.seen.is_out_of_order);
        for (uint32_t i = 0; i < count; i++) {
            ck_assert_uint_eq(stage.seen.next[i], producers[i].pushed);
            OpprofDataStreamDestroy(streams[i]);
        }
    }
}
END_TEST

/* Source → a, b → join, with a budget that is too small for any two batches. */
START_TEST(a_diamond_with_a_tiny_budget_comes_to_its_end)
{
    uint64_t seed = seed_of("diamond");

    for (uint32_t round = 0; is_due(round, AMOUNT(30, 8)); round++) {
        uint64_t count = AMOUNT(3000, 500);
        OpprofDataStreamBudget *budget = OpprofDataStreamBudgetCreate(round % 3 == 0 ? 0 : 1500);
        OpprofDataStream *source = make_stream(1 + random_below(&seed, 4), 0, budget);
        OpprofDataStream *branches[2] = { make_stream(1 + random_below(&seed, 4), 0, budget),
                                          make_stream(1 + random_below(&seed, 4), 0, budget) };
        Producer producer = { .text_max = 900 };
        OpprofStage left = { 0 };
        OpprofStage right = { 0 };
        OpprofStage join = { .seen = { .is_late = true } };

        start_stage(&left, &source, 1, branches[0]);
        start_stage(&right, &source, 1, branches[1]);
        start_stage(&join, branches, 2, NULL);
        ck_assert_int_eq(pthread_create(&left.thread, NULL, run_stage, &left), 0);
        ck_assert_int_eq(pthread_create(&right.thread, NULL, run_stage, &right), 0);
        ck_assert_int_eq(pthread_create(&join.thread, NULL, run_stage, &join), 0);
        start_producer(&producer, source, 0, count, seed);
        pthread_join(producer.thread, NULL);
        DataStreamShutdown(source, OPPROF_DATA_STREAM_COMPLETE);
        join_stage(&left, 1);
        join_stage(&right, 1);
        join_stage(&join, 2);
        ck_assert(!left.seen.is_out_of_order && !right.seen.is_out_of_order);
        ck_assert_uint_eq(left.seen.popped, count);
        ck_assert_uint_eq(right.seen.popped, count);
        ck_assert_uint_eq(join.seen.popped, 2 * count);
        OpprofDataStreamDestroy(source);
        OpprofDataStreamDestroy(branches[0]);
        OpprofDataStreamDestroy(branches[1]);
        assert_budget_is_free(budget, round % 3 == 0 ? 0 : 1500);
        OpprofDataStreamBudgetDestroy(budget);
    }
}
END_TEST

/* Several chains that want the same bytes; each producer must get some in the end. */
START_TEST(streams_that_share_a_budget_all_come_to_their_end)
{
    uint64_t seed = seed_of("budget");

    for (uint32_t round = 0; is_due(round, AMOUNT(40, 8)); round++) {
        size_t max_bytes = random_below(&seed, 20000);
        OpprofDataStreamBudget *budget = OpprofDataStreamBudgetCreate(max_bytes);
        OpprofDataStream *streams[4];
        Producer producers[4] = { 0 };
        Consumer consumers[4] = { 0 };

        for (uint32_t i = 0; i < 4; i++) {
            streams[i] = make_stream(1 + random_below(&seed, 64), 0, budget);
            consumers[i].pause_one_in = random_below(&seed, 10);
            start_consumer(&consumers[i], streams[i], seed + i);
        }
        for (uint32_t i = 0; i < 4; i++) {
            producers[i].text_max = 1 + random_below(&seed, 9000);
            start_producer(&producers[i], streams[i], i, AMOUNT(1000, 100), seed);
        }
        for (uint32_t i = 0; i < 4; i++) {
            pthread_join(producers[i].thread, NULL);
            DataStreamShutdown(streams[i], OPPROF_DATA_STREAM_COMPLETE);
        }
        for (uint32_t i = 0; i < 4; i++) {
            pthread_join(consumers[i].thread, NULL);
            ck_assert(!consumers[i].is_out_of_order);
            ck_assert_uint_eq(consumers[i].popped, AMOUNT(1000, 100));
            OpprofDataStreamDestroy(streams[i]);
        }
        assert_budget_is_free(budget, max_bytes);
        OpprofDataStreamBudgetDestroy(budget);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("data_stream_stress");
    TCase *tests = tcase_create("data_stream_stress");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, a_million_tiny_batches_arrive_in_order);
    tcase_add_test(tests, a_ring_of_one_batch_works);
    tcase_add_test(tests, all_readers_see_all_of_all_producers_in_order);
    tcase_add_test(tests, the_queue_never_passes_its_bounds);
    tcase_add_test(tests, readers_attach_and_detach_while_producers_push);
    tcase_add_test(tests, producers_go_on_when_all_readers_leave);
    tcase_add_test(tests, a_drain_at_any_moment_loses_nothing_that_was_pushed);
    tcase_add_test(tests, an_abort_at_any_moment_leaks_nothing);
    tcase_add_test(tests, what_is_pushed_right_before_a_drain_arrives);
    tcase_add_test(tests, a_ring_is_heard_at_whatever_moment);
    tcase_add_test(tests, one_stage_pops_from_many_streams_and_hears_every_ring);
    tcase_add_test(tests, a_diamond_with_a_tiny_budget_comes_to_its_end);
    tcase_add_test(tests, streams_that_share_a_budget_all_come_to_their_end);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
