/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Speed of DataStream: records of 64 bytes from producers to readers, each record written and read
 * in full and its sum checked.
 *
 * Peers hold as many records: a deque behind a mutex and two condition variables that takes one
 * record per lock, and the rings of Concurrency Kit, which never sleep. Fan-out means that each
 * reader gets every record: deliveries are counted.
 */

#include "bench/bench.h"

#include <opprof/data_stream.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(HAVE_CK)
#include <ck_ring.h>
#endif

#define WORDS 8
#define CAPACITY 4096u /* records in a queue, whatever it is made of */
#define THREADS_MAX 4
#define LAST_RECORD UINT64_MAX

/*
 * Filled and summed up two words at a time, so that what is measured is the transport and not the
 * arithmetic.
 */
typedef uint64_t Pair __attribute__((vector_size(16)));

typedef struct record {
    Pair pairs[WORDS / 2];
} Record;

static const OpprofRecordType record_type = { .struct_size = sizeof(OpprofRecordType),
                                              .version = 1,
                                              .name = "bench.record",
                                              .summary = "Eight words",
                                              .size = sizeof(Record) };

typedef struct Transport Transport;

/* Load of one run, and its transport. */
typedef struct Load {
    const Transport *transport;
    uint32_t producers;
    uint32_t readers;
    uint64_t records; /* of each producer; whole batches */
    uint32_t batch;   /* records a batch */
    bool has_budget;
} Load;

struct Transport {
    void *(*open)(const Load *load);
    void (*produce)(void *queue, const Load *load, uint32_t producer);
    uint64_t (*consume)(void *queue, uint32_t reader); /* sum of all words */
    void (*close)(void *queue);
    bool fans_out;
};

typedef struct Worker {
    pthread_t thread;
    pthread_barrier_t *start;
    const Load *load;
    void *queue;
    uint32_t number;
    bool is_reader;
    uint64_t sum;
} Worker;

static uint64_t first_word(uint32_t producer, uint64_t number)
{
    return ((uint64_t) producer << 40) + number;
}

/* Word i of a record is its first word plus i. */
static inline void fill(Record *record, uint64_t word)
{
    const Pair first = { word, word + 1 };

    record->pairs[0] = first;
    record->pairs[1] = first + 2;
    record->pairs[2] = first + 4;
    record->pairs[3] = first + 6;
}

static inline void add(Pair *sum, const Record *record)
{
    *sum += (record->pairs[0] + record->pairs[1]) + (record->pairs[2] + record->pairs[3]);
}

/* Of what all producers write together, in closed form. */
static uint64_t expected_sum(const Load *load)
{
    uint64_t count = load->records;
    uint64_t sum = 0;

    for (uint32_t i = 0; i < load->producers; i++) {
        sum += WORDS * (first_word(i, 0) * count + count * (count - 1) / 2);
        sum += count * (WORDS * (WORDS - 1) / 2);
    }
    return sum;
}

/* ---- DataStream ---- */

typedef struct StreamQueue {
    OpprofBatchPool *pools[THREADS_MAX];
    OpprofDataStreamBudget *budget;
    OpprofDataStream *stream;
    OpprofDataStreamReader *readers[THREADS_MAX];
    _Atomic uint32_t producers_left;
} StreamQueue;

static void stream_close(void *queue)
{
    StreamQueue *self = queue;

    for (uint32_t i = 0; i < THREADS_MAX; i++) {
        OpprofDataStreamDetach(self->readers[i]);
        OpprofBatchPoolDestroy(self->pools[i]);
    }
    OpprofDataStreamDestroy(self->stream);
    OpprofDataStreamBudgetDestroy(self->budget);
    free(self);
}

static void *stream_open(const Load *load)
{
    StreamQueue *self = calloc(1, sizeof *self);
    if (!self) {
        return NULL;
    }
    self->budget = load->has_budget ? OpprofDataStreamBudgetCreate((size_t) 64 << 20) : NULL;
    self->stream = OpprofDataStreamCreate(&(OpprofDataStreamOptions){
        .max_batches = CAPACITY / load->batch,
        .budget = self->budget,
    });
    bool is_ok = self->stream && (self->budget || !load->has_budget);
    for (uint32_t i = 0; i < load->producers; i++) {
        self->pools[i] = OpprofBatchPoolCreate(&record_type, load->batch, 0);
        is_ok = is_ok && self->pools[i];
    }
    for (uint32_t i = 0; is_ok && i < load->readers; i++) {
        self->readers[i] = OpprofDataStreamAttach(self->stream, NULL);
        is_ok = self->readers[i] != NULL;
    }
    atomic_init(&self->producers_left, load->producers);
    if (!is_ok) {
        stream_close(self);
        return NULL;
    }
    return self;
}

static void stream_produce(void *queue, const Load *load, uint32_t producer)
{
    StreamQueue *self = queue;
    uint64_t word = first_word(producer, 0);
    uint64_t end = first_word(producer, load->records);

    while (word < end) {
        OpprofBatch *batch = OpprofBatchPoolTake(self->pools[producer]);
        if (!batch) {
            break;
        }
        Record *record;
        while ((record = OpprofBatchAppend(batch)) != NULL) {
            fill(record, word++);
        }
        if (DataStreamPush(self->stream, batch) != OPPROF_OK) {
            OpprofBatchUnref(batch);
            break;
        }
    }
    if (atomic_fetch_sub(&self->producers_left, 1) == 1) {
        DataStreamShutdown(self->stream, OPPROF_DATA_STREAM_COMPLETE);
    }
}

static uint64_t stream_consume(void *queue, uint32_t reader)
{
    StreamQueue *self = queue;
    Pair sum = { 0, 0 };
    OpprofBatch *batch;

    while (DataStreamPop(self->readers[reader], &batch) == OPPROF_OK) {
        for (uint32_t i = 0; i < batch->count; i++) {
            add(&sum, OpprofBatchRecord(batch, i));
        }
        OpprofBatchUnref(batch);
    }
    return sum[0] + sum[1];
}

static const Transport stream_transport = { .open = stream_open,
                                            .produce = stream_produce,
                                            .consume = stream_consume,
                                            .close = stream_close,
                                            .fans_out = true };

/*
 * The deque: a ring behind a mutex, one a reader. It signals after unlocking and only when a thread
 * waits, as a careful writer of one would.
 */

typedef struct Deque {
    _Alignas(64) pthread_mutex_t lock; /* guards all below */
    pthread_cond_t has_record;
    pthread_cond_t has_room;
    uint32_t first;
    uint32_t count;
    uint32_t readers_waiting;
    uint32_t producers_waiting;
    bool is_closed;
    Record records[CAPACITY];
} Deque;

typedef struct DequeQueue {
    Deque *deques;
    uint32_t count;
    _Atomic uint32_t producers_left;
} DequeQueue;

static void *deque_open(const Load *load)
{
    DequeQueue *self = calloc(1, sizeof *self);
    if (!self) {
        return NULL;
    }
    self->count = load->readers;
    self->deques = aligned_alloc(_Alignof(Deque), load->readers * sizeof *self->deques);
    if (!self->deques) {
        free(self);
        return NULL;
    }
    memset(self->deques, 0, load->readers * sizeof *self->deques);
    for (uint32_t i = 0; i < self->count; i++) {
        pthread_mutex_init(&self->deques[i].lock, NULL);
        pthread_cond_init(&self->deques[i].has_record, NULL);
        pthread_cond_init(&self->deques[i].has_room, NULL);
    }
    atomic_init(&self->producers_left, load->producers);
    return self;
}

static void deque_close(void *queue)
{
    DequeQueue *self = queue;

    for (uint32_t i = 0; i < self->count; i++) {
        pthread_cond_destroy(&self->deques[i].has_room);
        pthread_cond_destroy(&self->deques[i].has_record);
        pthread_mutex_destroy(&self->deques[i].lock);
    }
    free(self->deques);
    free(self);
}

static void deque_push(Deque *deque, const Record *record)
{
    pthread_mutex_lock(&deque->lock);
    while (deque->count == CAPACITY) {
        deque->producers_waiting++;
        pthread_cond_wait(&deque->has_room, &deque->lock);
        deque->producers_waiting--;
    }
    deque->records[(deque->first + deque->count) % CAPACITY] = *record;
    deque->count++;
    bool wakes = deque->readers_waiting > 0;
    pthread_mutex_unlock(&deque->lock);
    if (wakes) {
        pthread_cond_signal(&deque->has_record);
    }
}

static bool deque_pop(Deque *deque, Record *ret_record)
{
    pthread_mutex_lock(&deque->lock);
    while (deque->count == 0 && !deque->is_closed) {
        deque->readers_waiting++;
        pthread_cond_wait(&deque->has_record, &deque->lock);
        deque->readers_waiting--;
    }
    bool has_record = deque->count > 0;
    if (has_record) {
        *ret_record = deque->records[deque->first];
        deque->first = (deque->first + 1) % CAPACITY;
        deque->count--;
    }
    bool wakes = deque->producers_waiting > 0;
    pthread_mutex_unlock(&deque->lock);
    if (wakes) {
        pthread_cond_signal(&deque->has_room);
    }
    return has_record;
}

static void deque_end(Deque *deque)
{
    pthread_mutex_lock(&deque->lock);
    deque->is_closed = true;
    pthread_mutex_unlock(&deque->lock);
    pthread_cond_broadcast(&deque->has_record);
}

static void deque_produce(void *queue, const Load *load, uint32_t producer)
{
    DequeQueue *self = queue;
    Record record;

    for (uint64_t i = 0; i < load->records; i++) {
        fill(&record, first_word(producer, i));
        for (uint32_t j = 0; j < self->count; j++) {
            deque_push(&self->deques[j], &record);
        }
    }
    if (atomic_fetch_sub(&self->producers_left, 1) == 1) {
        for (uint32_t j = 0; j < self->count; j++) {
            deque_end(&self->deques[j]);
        }
    }
}

static uint64_t deque_consume(void *queue, uint32_t reader)
{
    DequeQueue *self = queue;
    Record record;
    Pair sum = { 0, 0 };

    while (deque_pop(&self->deques[reader], &record)) {
        add(&sum, &record);
    }
    return sum[0] + sum[1];
}

static const Transport deque_transport = { .open = deque_open,
                                           .produce = deque_produce,
                                           .consume = deque_consume,
                                           .close = deque_close,
                                           .fans_out = true };

#if defined(HAVE_CK)

/*
 * Rings of Concurrency Kit with the records in them. They never sleep: who waits spins and yields.
 */

CK_RING_PROTOTYPE(record, record)

typedef struct CkQueue {
    ck_ring_t ring;
    Record *records;
    uint32_t readers;
    _Atomic uint32_t producers_left;
    bool is_shared;
} CkQueue;

static void *ck_open(const Load *load)
{
    CkQueue *self = calloc(1, sizeof *self);
    if (!self) {
        return NULL;
    }
    self->records = aligned_alloc(64, CAPACITY * sizeof *self->records);
    if (!self->records) {
        free(self);
        return NULL;
    }
    ck_ring_init(&self->ring, CAPACITY);
    self->readers = load->readers;
    self->is_shared = load->producers > 1 || load->readers > 1;
    atomic_init(&self->producers_left, load->producers);
    return self;
}

static void ck_close(void *queue)
{
    CkQueue *self = queue;

    free(self->records);
    free(self);
}

static void ck_wait(uint32_t *spins)
{
    if (++*spins % 64 == 0) {
        sched_yield();
    } else {
        ck_pr_stall();
    }
}

static void ck_push(CkQueue *self, Record *record)
{
    uint32_t spins = 0;

    if (self->is_shared) {
        while (!ck_ring_enqueue_mpmc_record(&self->ring, self->records, record)) {
            ck_wait(&spins);
        }
        return;
    }
    while (!ck_ring_enqueue_spsc_record(&self->ring, self->records, record)) {
        ck_wait(&spins);
    }
}

static void ck_pop(CkQueue *self, Record *ret_record)
{
    uint32_t spins = 0;

    if (self->is_shared) {
        while (!ck_ring_dequeue_mpmc_record(&self->ring, self->records, ret_record)) {
            ck_wait(&spins);
        }
        return;
    }
    while (!ck_ring_dequeue_spsc_record(&self->ring, self->records, ret_record)) {
        ck_wait(&spins);
    }
}

static void ck_produce(void *queue, const Load *load, uint32_t producer)
{
    CkQueue *self = queue;
    Record record;

    for (uint64_t i = 0; i < load->records; i++) {
        fill(&record, first_word(producer, i));
        ck_push(self, &record);
    }
    if (atomic_fetch_sub(&self->producers_left, 1) == 1) {
        for (uint32_t i = 0; i < self->readers; i++) {
            fill(&record, LAST_RECORD);
            ck_push(self, &record);
        }
    }
}

static uint64_t ck_consume(void *queue, uint32_t reader)
{
    CkQueue *self = queue;
    Record record;
    Pair sum = { 0, 0 };

    (void) reader;
    for (ck_pop(self, &record); record.pairs[0][0] != LAST_RECORD; ck_pop(self, &record)) {
        add(&sum, &record);
    }
    return sum[0] + sum[1];
}

static const Transport ck_transport = {
    .open = ck_open, .produce = ck_produce, .consume = ck_consume, .close = ck_close
};

#endif

/* ---- runs ---- */

static void *work(void *argument)
{
    Worker *self = argument;
    const Transport *transport = self->load->transport;

    pthread_barrier_wait(self->start);
    if (self->is_reader) {
        self->sum = transport->consume(self->queue, self->number);
    } else {
        transport->produce(self->queue, self->load, self->number);
    }
    return NULL;
}

/* Without all its threads a run would wait for ever, so a bench that cannot start one ends here. */
static void start_workers(Worker *workers, const Load *load, void *queue, pthread_barrier_t *start)
{
    uint32_t count = load->producers + load->readers;

    for (uint32_t i = 0; i < count; i++) {
        bool is_reader = i >= load->producers;
        workers[i] = (Worker){ .start = start,
                               .load = load,
                               .queue = queue,
                               .number = is_reader ? i - load->producers : i,
                               .is_reader = is_reader };
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0) {
            fprintf(stderr, "bench_stream: cannot start a thread\n");
            exit(1);
        }
    }
}

static bool sums_are_right(const Worker *workers, const Load *load)
{
    uint64_t expected = expected_sum(load);
    uint64_t all = 0;

    for (uint32_t i = load->producers; i < load->producers + load->readers; i++) {
        if (load->transport->fans_out && workers[i].sum != expected) {
            return false;
        }
        all += workers[i].sum;
    }
    return load->transport->fans_out || all == expected;
}

static bool run_load(void *context, BenchSample *sample)
{
    const Load *load = context;
    uint32_t count = load->producers + load->readers;
    Worker workers[2 * THREADS_MAX];
    pthread_barrier_t start;
    void *queue = load->transport->open(load);
    if (!queue) {
        return false;
    }
    pthread_barrier_init(&start, NULL, count + 1);
    start_workers(workers, load, queue, &start);
    uint64_t cpu = BenchProcessCpu();
    /* Before the barrier: after it this thread may be the last to run. */
    uint64_t begin = BenchNow();
    pthread_barrier_wait(&start);
    for (uint32_t i = 0; i < count; i++) {
        pthread_join(workers[i].thread, NULL);
    }
    sample->seconds = (double) (BenchNow() - begin) / 1e9;
    sample->cpu_seconds = (double) (BenchProcessCpu() - cpu) / 1e9;
    sample->amount =
        (double) load->records * load->producers * (load->transport->fans_out ? load->readers : 1);
    pthread_barrier_destroy(&start);
    load->transport->close(queue);
    return sums_are_right(workers, load);
}

static void run_pair(Bench *bench, const char *name, Load subject, const char *peer_name, Load peer,
                     double goal)
{
    BenchRun(bench, &(BenchCase){
                        .name = name,
                        .unit = "Mrecords/s",
                        .scale = 1e6,
                        .goal = goal,
                        .subject = { "DataStream", run_load, &subject },
                        .peer = { peer_name, peer.transport ? run_load : NULL, &peer },
                    });
}

static Load load_of(const Bench *bench, const Transport *transport, uint32_t threads,
                    uint64_t records, uint32_t batch)
{
    return (Load){ .transport = transport,
                   .producers = threads,
                   .readers = threads,
                   .records = BenchAmount(bench, records) / batch * batch,
                   .batch = batch };
}

static void run_all(Bench *bench)
{
    const char *deque = "mutex+condvar deque, a record a lock";
    const char *deques = "such a deque a reader";
    Load one = load_of(bench, &stream_transport, 1, 30000000, 64);
    Load two = load_of(bench, &stream_transport, 2, 8000000, 64);
    Load none = { 0 };

    run_pair(bench, "stream 1→1, 64-record batches", one, deque,
             load_of(bench, &deque_transport, 1, 3000000, 1), 15);
    run_pair(bench, "stream 2→2 fan-out, 64-record batches", two, deques,
             load_of(bench, &deque_transport, 2, 700000, 1), 0);
#if defined(HAVE_CK)
    run_pair(bench, "stream 1→1, 64-record batches, against ck", one, "ck_ring spsc",
             load_of(bench, &ck_transport, 1, 30000000, 1), 0);
    run_pair(bench, "stream 2→2 fan-out, against ck", two, "ck_ring mpmc, no fan-out",
             load_of(bench, &ck_transport, 2, 4000000, 1), 0);
#endif
    run_pair(bench, "stream 1→1, 16-record batches",
             load_of(bench, &stream_transport, 1, 20000000, 16), NULL, none, 0);
    run_pair(bench, "stream 1→1, 1024-record batches",
             load_of(bench, &stream_transport, 1, 30000000, 1024), NULL, none, 0);
    Load with_budget = one;
    with_budget.has_budget = true;
    run_pair(bench, "stream 1→1, 64-record batches, budget", with_budget, "without budget", one, 0);
}

int main(int argc, char **argv)
{
    int status;
    Bench *bench = BenchOpen("bench_stream", argc, argv, &status);
    if (!bench) {
        return status;
    }
    run_all(bench);
    return BenchClose(bench);
}
