/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * DataStream: one bounded ring of batches, one cursor a reader.
 *
 * Producers take one mutex among themselves; readers take none while there is something to pop. A
 * push fills a slot and then moves `tail`; a pop empties a slot for its reader and then moves the
 * reader's `cursor`. A slot is free for reuse once all cursors have passed it; producers remember
 * the smallest cursor and look at the cursors again only when that one is not good enough.
 *
 * Sleeping: who wants to sleep first announces it (a bell's `sleeping`, a stream's `wake_at`, a
 * budget's `wanted`) and then looks again; who changes something first changes it and then
 * looks for announcements. All four accesses are sequentially consistent, so at least one of the
 * two sees the other and no wake-up is lost.
 *
 * Lock order: stream, budget, bell. A bell is rung while whatever keeps it alive is locked: the
 * stream its reader is attached to, or the budget its waiter is registered with.
 */

#include <opprof/data_stream.h>
#include <opprof/require.h>

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

/* Two lines, since they are fetched in pairs. */
#define CACHE_LINE 128
#define BATCHES_DEFAULT 64u
#define BATCHES_MAX 65536u
#define BYTES_DEFAULT ((size_t) 16 << 20)
#define NOBODY_WAITS UINT64_MAX
#define NOTHING_WANTED SIZE_MAX
/* A reader that finds nothing looks again this often, after pauses that double, three microseconds
 * in all. */
#define LOOKS_BUSY 6u
#define LOOKS_YIELDING 2u

/*
 * An event count. The sleeper reads `epoch`, sets `sleeping`, looks once more, and sleeps until the
 * epoch changes; the waker that clears `sleeping` changes the epoch. One ring wakes all sleepers.
 */
struct OpprofDataStreamBell {
    _Alignas(CACHE_LINE) _Atomic bool sleeping;
    _Atomic bool rung;      /* by hand, not yet reported */
    uint32_t turn;          /* reader to look at first; of the thread that pops */
    _Atomic uint32_t epoch; /* changed under lock */
    pthread_mutex_t lock;   /* guards the sleep on `changed` against a change of epoch */
    pthread_cond_t changed;
};

/* A producer that waits for a budget; on its stack. */
typedef struct BudgetWaiter BudgetWaiter;
struct BudgetWaiter {
    OpprofDataStreamBell *bell;
    size_t bytes;
    BudgetWaiter *next;
};

struct OpprofDataStreamBudget {
    size_t max_bytes;
    _Alignas(CACHE_LINE) _Atomic size_t used;
    _Alignas(CACHE_LINE) _Atomic size_t wanted; /* least bytes a waiter needs; written under lock */
    pthread_mutex_t lock;                       /* guards waiters */
    BudgetWaiter *waiters;
};

typedef struct Slot {
    OpprofBatch *batch;
    size_t bytes;
    uint64_t bytes_before;       /* queued since the stream began, without this one */
    _Atomic uint32_t not_popped; /* readers; the last one gives the bytes back to the budget */
} Slot;

struct OpprofDataStreamReader {
    _Alignas(CACHE_LINE) _Atomic uint64_t cursor; /* next batch to pop, for producers to see */
    uint64_t next;                                /* the same, of the reader's thread */
    uint64_t tail_seen;                           /* tail when last looked at */
    bool has_end; /* OpprofDataStreamPopAny has returned OPPROF_END */
    OpprofDataStream *stream;
    bool owns_bell;
    _Alignas(CACHE_LINE) OpprofDataStreamBell *bell; /* what producers look at for each batch */
    OpprofDataStreamReader *sibling;                 /* guarded by the stream */
};

struct OpprofDataStream {
    /* Members that readers read for each batch, hardly ever written. */
    Slot *slots;
    uint64_t mask;
    OpprofDataStreamBudget *budget;
    _Atomic uint32_t end;     /* OpprofDataStreamEnd; written under lock */
    _Atomic uint64_t wake_at; /* cursor at which producers want to be woken; NOBODY_WAITS: none */
    uint32_t max_batches;
    size_t max_bytes;
    _Alignas(CACHE_LINE) _Atomic uint64_t tail; /* batches queued so far; written under lock */
    _Alignas(CACHE_LINE) pthread_mutex_t lock;  /* guards all below and what says so above */
    uint64_t slowest;                           /* smallest cursor when last looked at */
    uint64_t bytes_queued;                      /* since the stream began */
    uint32_t reader_count;                      /* of readers, without those that are leaving */
    OpprofDataStreamReader *readers;
    OpprofDataStreamStats stats;
    OpprofDataStreamBell room; /* what producers sleep on */
};

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t) now.tv_sec * 1000000000u + (uint64_t) now.tv_nsec;
}

static void *allocate_aligned(size_t size)
{
    return aligned_alloc(CACHE_LINE, (size + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE);
}

/* ---- bells ---- */

static bool bell_init(OpprofDataStreamBell *bell)
{
    *bell = (OpprofDataStreamBell){ 0 };
    if (pthread_mutex_init(&bell->lock, NULL) != 0) {
        return false;
    }
    if (pthread_cond_init(&bell->changed, NULL) != 0) {
        pthread_mutex_destroy(&bell->lock);
        return false;
    }
    return true;
}

static void bell_finish(OpprofDataStreamBell *bell)
{
    pthread_cond_destroy(&bell->changed);
    pthread_mutex_destroy(&bell->lock);
}

/* Announce a sleep; what is slept for must be looked at again before bell_sleep. */
static uint32_t bell_prepare(OpprofDataStreamBell *bell)
{
    uint32_t epoch = atomic_load(&bell->epoch);
    atomic_store(&bell->sleeping, true);
    return epoch;
}

static void bell_sleep(OpprofDataStreamBell *bell, uint32_t epoch)
{
    pthread_mutex_lock(&bell->lock);
    while (atomic_load(&bell->epoch) == epoch) {
        pthread_cond_wait(&bell->changed, &bell->lock);
    }
    pthread_mutex_unlock(&bell->lock);
}

/* Cheap unless a thread sleeps; then one caller pays for the wake-up, the others go on. */
static void bell_wake(OpprofDataStreamBell *bell)
{
    if (!atomic_load(&bell->sleeping) || !atomic_exchange(&bell->sleeping, false)) {
        return;
    }
    pthread_mutex_lock(&bell->lock);
    atomic_fetch_add(&bell->epoch, 1);
    pthread_mutex_unlock(&bell->lock);
    pthread_cond_broadcast(&bell->changed);
}

static bool bell_take_ring(OpprofDataStreamBell *bell)
{
    return atomic_load(&bell->rung) && atomic_exchange(&bell->rung, false);
}

static void relax_cpu(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/*
 * Between looking and sleeping: the next batch is often a microsecond away, a wake-up costs
 * several. False when it is time to sleep.
 */
static bool spin_before_sleep(uint32_t look)
{
    if (look < LOOKS_BUSY) {
        for (uint32_t pauses = 1u << look; pauses > 0; pauses--) {
            relax_cpu();
        }
        return true;
    }
    if (look < LOOKS_BUSY + LOOKS_YIELDING) {
        sched_yield();
        return true;
    }
    return false;
}

OpprofDataStreamBell *OpprofDataStreamBellCreate(void)
{
    OpprofDataStreamBell *bell = allocate_aligned(sizeof *bell);
    if (bell && !bell_init(bell)) {
        free(bell);
        return NULL;
    }
    return bell;
}

void OpprofDataStreamBellDestroy(OpprofDataStreamBell *bell)
{
    if (bell) {
        bell_finish(bell);
        free(bell);
    }
}

void OpprofDataStreamBellRing(OpprofDataStreamBell *bell)
{
    if (bell) {
        atomic_store(&bell->rung, true);
        bell_wake(bell);
    }
}

/* ---- budgets ---- */

static bool budget_has_room(const OpprofDataStreamBudget *budget, size_t used, size_t bytes)
{
    return bytes <= budget->max_bytes && used <= budget->max_bytes - bytes;
}

static bool budget_take(OpprofDataStreamBudget *budget, size_t bytes)
{
    size_t used = atomic_load(&budget->used);

    while (budget_has_room(budget, used, bytes)) {
        if (atomic_compare_exchange_weak(&budget->used, &used, used + bytes)) {
            return true;
        }
    }
    return false;
}

static void budget_announce(OpprofDataStreamBudget *budget)
{
    size_t wanted = NOTHING_WANTED;

    for (const BudgetWaiter *waiter = budget->waiters; waiter; waiter = waiter->next) {
        if (waiter->bytes < wanted) {
            wanted = waiter->bytes;
        }
    }
    atomic_store(&budget->wanted, wanted);
}

static void budget_add_waiter(OpprofDataStreamBudget *budget, BudgetWaiter *waiter)
{
    pthread_mutex_lock(&budget->lock);
    waiter->next = budget->waiters;
    budget->waiters = waiter;
    budget_announce(budget);
    pthread_mutex_unlock(&budget->lock);
}

static void budget_remove_waiter(OpprofDataStreamBudget *budget, const BudgetWaiter *waiter)
{
    pthread_mutex_lock(&budget->lock);
    BudgetWaiter **link = &budget->waiters;
    while (*link != waiter) {
        link = &(*link)->next;
    }
    *link = waiter->next;
    budget_announce(budget);
    pthread_mutex_unlock(&budget->lock);
}

/* A woken producer announces anew what it still lacks, so that one wake-up is paid for once. */
static void budget_wake_waiters(OpprofDataStreamBudget *budget)
{
    pthread_mutex_lock(&budget->lock);
    atomic_store(&budget->wanted, NOTHING_WANTED);
    for (BudgetWaiter *waiter = budget->waiters; waiter; waiter = waiter->next) {
        bell_wake(waiter->bell);
    }
    pthread_mutex_unlock(&budget->lock);
}

static void budget_give_back(OpprofDataStreamBudget *budget, size_t bytes)
{
    size_t used = atomic_fetch_sub(&budget->used, bytes) - bytes;
    if (budget_has_room(budget, used, atomic_load(&budget->wanted))) {
        budget_wake_waiters(budget);
    }
}

OpprofDataStreamBudget *OpprofDataStreamBudgetCreate(size_t max_bytes)
{
    OpprofDataStreamBudget *budget = allocate_aligned(sizeof *budget);
    if (!budget) {
        return NULL;
    }
    *budget = (OpprofDataStreamBudget){ .max_bytes = max_bytes };
    atomic_init(&budget->wanted, NOTHING_WANTED);
    if (pthread_mutex_init(&budget->lock, NULL) != 0) {
        free(budget);
        return NULL;
    }
    return budget;
}

void OpprofDataStreamBudgetDestroy(OpprofDataStreamBudget *budget)
{
    if (budget) {
        pthread_mutex_destroy(&budget->lock);
        free(budget);
    }
}

/* ---- room in a stream; all with the stream locked ---- */

static uint64_t tail_of(OpprofDataStream *stream)
{
    return atomic_load_explicit(&stream->tail, memory_order_relaxed);
}

static Slot *slot_at(const OpprofDataStream *stream, uint64_t number)
{
    return &stream->slots[number & stream->mask];
}

static void update_tail(OpprofDataStream *stream)
{
    uint64_t slowest = tail_of(stream);

    for (OpprofDataStreamReader *reader = stream->readers; reader; reader = reader->sibling) {
        uint64_t cursor = atomic_load(&reader->cursor);
        slowest = cursor < slowest ? cursor : slowest;
    }
    stream->slowest = slowest;
}

/* Bytes queued from a batch on; the slot of that batch is in use unless the queue ends there. */
static uint64_t bytes_from(OpprofDataStream *stream, uint64_t number)
{
    if (number == tail_of(stream)) {
        return 0;
    }
    return stream->bytes_queued - slot_at(stream, number)->bytes_before;
}

/* Room by count and bytes, going by the smallest cursor that is known. An empty queue has room. */
static bool fits(OpprofDataStream *stream, size_t bytes)
{
    uint64_t queued = tail_of(stream) - stream->slowest;

    return queued == 0 || (queued < stream->max_batches && bytes <= stream->max_bytes &&
                           bytes_from(stream, stream->slowest) <= stream->max_bytes - bytes);
}

/*
 * Take room for a batch that is pushed before the stream is unlocked. Afterwards, if there was
 * none, `slowest` is fresh. A queue without readers needs no room, since it keeps nothing.
 */
static bool take_room(OpprofDataStream *stream, size_t bytes)
{
    if (stream->reader_count == 0) {
        return true;
    }
    if (!fits(stream, bytes)) {
        update_tail(stream);
        if (!fits(stream, bytes)) {
            return false;
        }
    }
    if (!stream->budget || budget_take(stream->budget, bytes)) {
        return true;
    }
    update_tail(stream);
    if (stream->slowest != tail_of(stream)) {
        return false;
    }
    atomic_fetch_add(&stream->budget->used, bytes);
    return true;
}

/*
 * The cursor to wait for: half of the ring and of the bytes free, and enough for this batch, so
 * that a reader pays for few wake-ups; a quarter cost a fifth of the speed where both threads share
 * a processor. Waiting cannot stall: the cursor is within what is queued, and at the tail the queue
 * is empty and takes anything.
 */
static uint64_t cursor_with_room(OpprofDataStream *stream, size_t bytes)
{
    uint64_t tail = tail_of(stream);
    uint64_t may_stay = stream->max_batches / 2;
    uint64_t low = stream->slowest;
    uint64_t high = tail;
    size_t bytes_may_stay = stream->max_bytes / 2;

    if (bytes > stream->max_bytes) {
        return tail;
    }
    if (bytes_may_stay > stream->max_bytes - bytes) {
        bytes_may_stay = stream->max_bytes - bytes;
    }
    if (tail - low > may_stay) {
        low = tail - may_stay;
    }
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (bytes_from(stream, middle) <= bytes_may_stay) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

/* An announced wake-up stays if it comes first, unless it is of the past. */
static void announce_wait(OpprofDataStream *stream, uint64_t cursor)
{
    uint64_t announced = atomic_load(&stream->wake_at);

    if (cursor < announced || announced <= stream->slowest) {
        atomic_store(&stream->wake_at, cursor);
    }
}

/*
 * Announce, look again, and only then sleep. A batch that lacks nothing but budget waits for that
 * or for the queue to be empty. It does not sleep on an announcement that the look has overtaken,
 * as when there is room in the queue by now but none in the budget.
 */
static bool sleep_until_room(OpprofDataStream *stream, size_t bytes)
{
    BudgetWaiter waiter = { .bell = &stream->room, .bytes = bytes };
    bool wants_budget = fits(stream, bytes);
    uint32_t epoch = bell_prepare(&stream->room);

    announce_wait(stream, wants_budget ? tail_of(stream) : cursor_with_room(stream, bytes));
    if (wants_budget) {
        budget_add_waiter(stream->budget, &waiter);
    }
    bool has_room = take_room(stream, bytes);
    if (!has_room && (wants_budget || !fits(stream, bytes))) {
        pthread_mutex_unlock(&stream->lock);
        bell_sleep(&stream->room, epoch);
        pthread_mutex_lock(&stream->lock);
    }
    if (wants_budget) {
        budget_remove_waiter(stream->budget, &waiter);
    }
    return has_room;
}

static bool is_open(OpprofDataStream *stream)
{
    return atomic_load_explicit(&stream->end, memory_order_relaxed) == OPPROF_DATA_STREAM_OPEN;
}

/* False when the stream ended meanwhile. */
static bool wait_for_room(OpprofDataStream *stream, size_t bytes)
{
    uint64_t start_ns = now_ns();
    bool has_room = false;

    while (!has_room && is_open(stream)) {
        has_room = sleep_until_room(stream, bytes) || (is_open(stream) && take_room(stream, bytes));
    }
    stream->stats.push_wait_ns += now_ns() - start_ns;
    return has_room;
}

/* ---- pushing ---- */

/* Looks at the cursors only when the number that is known would be a new peak. */
static void note_peak(OpprofDataStream *stream)
{
    uint64_t tail = tail_of(stream);

    if (tail - stream->slowest <= stream->stats.queued_peak) {
        return;
    }
    update_tail(stream);
    if (tail - stream->slowest > stream->stats.queued_peak) {
        stream->stats.queued_peak = (uint32_t) (tail - stream->slowest);
    }
}

static void enqueue(OpprofDataStream *stream, OpprofBatch *batch, size_t bytes)
{
    uint64_t tail = tail_of(stream);
    Slot *slot = slot_at(stream, tail);

    for (uint32_t i = 1; i < stream->reader_count; i++) {
        OpprofBatchRef(batch);
    }
    slot->batch = batch;
    slot->bytes = bytes;
    slot->bytes_before = stream->bytes_queued;
    atomic_store_explicit(&slot->not_popped, stream->reader_count, memory_order_relaxed);
    stream->bytes_queued += bytes;
    atomic_store(&stream->tail, tail + 1);
    for (OpprofDataStreamReader *reader = stream->readers; reader; reader = reader->sibling) {
        bell_wake(reader->bell);
    }
    note_peak(stream);
}

static void count_push(OpprofDataStream *stream, const OpprofBatch *batch, size_t bytes)
{
    stream->stats.batches++;
    stream->stats.records += batch->count;
    stream->stats.bytes += bytes;
}

/* OPPROF_END: no readers, so the batch is not queued. */
static OpprofStatus push_locked(OpprofDataStream *stream, OpprofBatch *batch, size_t bytes)
{
    if (!is_open(stream)) {
        return OPPROF_CLOSED;
    }
    if (!take_room(stream, bytes) && !wait_for_room(stream, bytes)) {
        return OPPROF_CLOSED;
    }
    count_push(stream, batch, bytes);
    if (stream->reader_count == 0) {
        return OPPROF_END;
    }
    enqueue(stream, batch, bytes);
    return OPPROF_OK;
}

OpprofStatus DataStreamPush(OpprofDataStream *stream, OpprofBatch *batch)
{
    OPPROF_REQUIRE("stream-given", stream != NULL, "The stream is given");
    OPPROF_REQUIRE("stream-batch-given", batch != NULL, "The batch to be pushed is given");

    size_t bytes = OpprofBatchBytes(batch);

    pthread_mutex_lock(&stream->lock);
    OpprofStatus status = push_locked(stream, batch, bytes);
    pthread_mutex_unlock(&stream->lock);
    if (status == OPPROF_END) {
        OpprofBatchUnref(batch);
        return OPPROF_OK;
    }
    return status;
}

/* ---- popping ---- */

static void wake_producers(OpprofDataStream *stream)
{
    pthread_mutex_lock(&stream->lock);
    update_tail(stream);
    bool is_time = stream->slowest >= atomic_load(&stream->wake_at);
    if (is_time) {
        atomic_store(&stream->wake_at, NOBODY_WAITS);
    }
    pthread_mutex_unlock(&stream->lock);
    if (is_time) {
        bell_wake(&stream->room);
    }
}

/* The slot is not touched after the cursor has moved: a producer may be filling it again. */
static OpprofBatch *take_next(OpprofDataStreamReader *reader)
{
    OpprofDataStream *stream = reader->stream;
    Slot *slot = slot_at(stream, reader->next);
    OpprofBatch *batch = slot->batch;

    if (stream->budget &&
        (atomic_load_explicit(&slot->not_popped, memory_order_relaxed) == 1 ||
         atomic_fetch_sub_explicit(&slot->not_popped, 1, memory_order_relaxed) == 1)) {
        budget_give_back(stream->budget, slot->bytes);
    }
    reader->next++;
    atomic_store(&reader->cursor, reader->next);
    /* Each reader passes each cursor once, so exactly the last of them finds all of them there. */
    if (atomic_load(&stream->wake_at) == reader->next) {
        wake_producers(stream);
    }
    return batch;
}

static void drop_until(OpprofDataStreamReader *reader, uint64_t tail)
{
    while (reader->next != tail) {
        OpprofBatchUnref(take_next(reader));
    }
}

static OpprofStatus try_pop(OpprofDataStreamReader *reader, OpprofBatch **ret_batch)
{
    OpprofDataStream *stream = reader->stream;
    uint32_t end = atomic_load(&stream->end);

    if (end == OPPROF_DATA_STREAM_ABORT) {
        drop_until(reader, atomic_load(&stream->tail));
        return OPPROF_CLOSED;
    }
    if (reader->next == reader->tail_seen) {
        /* After the end: nothing is pushed any more, so this tail is the last. */
        reader->tail_seen = atomic_load(&stream->tail);
        if (reader->next == reader->tail_seen) {
            return end == OPPROF_DATA_STREAM_OPEN ? OPPROF_AGAIN : OPPROF_END;
        }
    }
    *ret_batch = take_next(reader);
    return OPPROF_OK;
}

#define REQUIRE_READER(reader, ret_batch)                                                          \
    do {                                                                                           \
        OPPROF_REQUIRE("stream-reader-given", (reader) != NULL, "The reader is given");            \
        OPPROF_REQUIRE("stream-result-given", (ret_batch) != NULL,                                 \
                       "The result pointers are given");                                           \
    } while (0)

OpprofStatus OpprofDataStreamTryPop(OpprofDataStreamReader *reader, OpprofBatch **ret_batch)
{
    REQUIRE_READER(reader, ret_batch);
    *ret_batch = NULL;
    return try_pop(reader, ret_batch);
}

OpprofStatus DataStreamPop(OpprofDataStreamReader *reader, OpprofBatch **ret_batch)
{
    REQUIRE_READER(reader, ret_batch);

    OpprofStatus status = OpprofDataStreamTryPop(reader, ret_batch);

    for (uint32_t look = 0; status == OPPROF_AGAIN; look++) {
        if (!spin_before_sleep(look)) {
            uint32_t epoch = bell_prepare(reader->bell);
            status = try_pop(reader, ret_batch);
            if (status != OPPROF_AGAIN) {
                break;
            }
            bell_sleep(reader->bell, epoch);
        }
        status = try_pop(reader, ret_batch);
    }
    return status;
}

static bool is_live(const OpprofDataStreamReader *reader)
{
    return reader && !reader->has_end;
}

/* NULL: no reader is left. */
static OpprofDataStreamBell *find_common_bell(OpprofDataStreamReader *const *readers,
                                              uint32_t count, bool *ret_is_one)
{
    OpprofDataStreamBell *bell = NULL;

    *ret_is_one = true;

    for (uint32_t i = 0; i < count; i++) {
        if (!is_live(readers[i])) {
            continue;
        }
        *ret_is_one = *ret_is_one && (bell == NULL || readers[i]->bell == bell);
        bell = readers[i]->bell;
    }
    return bell;
}

/* The first reader in turn that has anything: a batch, its end, an abort. */
static OpprofStatus try_pop_any(OpprofDataStreamReader *const *readers, uint32_t count,
                                uint32_t *which, OpprofBatch **ret_batch,
                                OpprofDataStreamBell *bell)
{
    uint32_t i = bell->turn < count ? bell->turn : 0;

    for (uint32_t left = count; left > 0; left--) {
        uint32_t following = i + 1 < count ? i + 1 : 0;
        OpprofStatus status = is_live(readers[i]) ? try_pop(readers[i], ret_batch) : OPPROF_AGAIN;
        if (status != OPPROF_AGAIN) {
            readers[i]->has_end = status == OPPROF_END;
            bell->turn = following;
            *which = i;
            return status;
        }
        i = following;
    }
    return OPPROF_AGAIN;
}

OpprofStatus OpprofDataStreamPopAny(OpprofDataStreamReader *const *readers, uint32_t count,
                                    uint32_t *which, OpprofBatch **ret_batch)
{
    OPPROF_REQUIRE("stream-readers-given", readers != NULL || count == 0, "The readers are given");
    OPPROF_REQUIRE("stream-result-given", which != NULL && ret_batch != NULL,
                   "The result pointers are given");

    bool is_one;
    OpprofStatus status = OPPROF_OK;
    OpprofDataStreamBell *bell = find_common_bell(readers, count, &is_one);

    OPPROF_REQUIRE("stream-one-bell", is_one, "The readers share one bell");
    *ret_batch = NULL;
    if (bell == NULL) {
        return OPPROF_E_ARGUMENT;
    }
    for (uint32_t look = 0;; look++) {
        if (bell_take_ring(bell)) {
            return OPPROF_AGAIN;
        }
        status = try_pop_any(readers, count, which, ret_batch, bell);
        if (status != OPPROF_AGAIN) {
            return status;
        }
        if (spin_before_sleep(look)) {
            continue;
        }
        uint32_t epoch = bell_prepare(bell);
        status = try_pop_any(readers, count, which, ret_batch, bell);
        if (status != OPPROF_AGAIN) {
            return status;
        }
        if (!atomic_load(&bell->rung)) {
            bell_sleep(bell, epoch);
        }
    }
}

/* ---- readers ---- */

OpprofDataStreamReader *OpprofDataStreamAttach(OpprofDataStream *stream, OpprofDataStreamBell *bell)
{
    if (!stream) {
        return NULL;
    }
    OpprofDataStreamReader *reader = allocate_aligned(sizeof *reader);
    if (!reader) {
        return NULL;
    }
    *reader = (OpprofDataStreamReader){ .stream = stream, .bell = bell, .owns_bell = !bell };
    if (reader->owns_bell) {
        reader->bell = OpprofDataStreamBellCreate();
        if (!reader->bell) {
            free(reader);
            return NULL;
        }
    }
    pthread_mutex_lock(&stream->lock);
    reader->next = tail_of(stream);
    reader->tail_seen = reader->next;
    atomic_init(&reader->cursor, reader->next);
    reader->sibling = stream->readers;
    stream->readers = reader;
    stream->reader_count++;
    pthread_mutex_unlock(&stream->lock);
    return reader;
}

static void unlink_reader(OpprofDataStream *stream, const OpprofDataStreamReader *reader)
{
    OpprofDataStreamReader **link = &stream->readers;

    while (*link != reader) {
        link = &(*link)->sibling;
    }
    *link = reader->sibling;
}

/* Leaves in two steps, since the cursor must protect the slots until they are dropped, unlocked. */
void OpprofDataStreamDetach(OpprofDataStreamReader *reader)
{
    if (!reader) {
        return;
    }
    OpprofDataStream *stream = reader->stream;

    pthread_mutex_lock(&stream->lock);
    stream->reader_count--;
    uint64_t tail = tail_of(stream);
    pthread_mutex_unlock(&stream->lock);

    drop_until(reader, tail);

    pthread_mutex_lock(&stream->lock);
    unlink_reader(stream, reader);
    atomic_store(&stream->wake_at, NOBODY_WAITS);
    bell_wake(&stream->room);
    pthread_mutex_unlock(&stream->lock);
    if (reader->owns_bell) {
        OpprofDataStreamBellDestroy(reader->bell);
    }
    free(reader);
}

/* ---- streams ---- */

static bool init_parts(OpprofDataStream *stream)
{
    if (pthread_mutex_init(&stream->lock, NULL) != 0) {
        return false;
    }
    if (!bell_init(&stream->room)) {
        pthread_mutex_destroy(&stream->lock);
        return false;
    }
    return true;
}

static uint32_t power_of_two_from(uint32_t number)
{
    uint32_t power = 1;

    while (power < number) {
        power *= 2;
    }
    return power;
}

OpprofDataStream *OpprofDataStreamCreate(const OpprofDataStreamOptions *options)
{
    OpprofDataStreamOptions used = options ? *options : (OpprofDataStreamOptions){ 0 };
    if (used.max_batches == 0) {
        used.max_batches = BATCHES_DEFAULT;
    } else if (used.max_batches > BATCHES_MAX) {
        used.max_batches = BATCHES_MAX;
    }
    uint32_t slot_count = power_of_two_from(used.max_batches);
    OpprofDataStream *stream = allocate_aligned(sizeof *stream);
    Slot *slots = allocate_aligned(slot_count * sizeof *slots);
    if (!stream || !slots) {
        goto fail;
    }
    *stream = (OpprofDataStream){
        .slots = slots,
        .mask = slot_count - 1,
        .budget = used.budget,
        .max_batches = used.max_batches,
        .max_bytes = used.max_bytes ? used.max_bytes : BYTES_DEFAULT,
    };
    atomic_init(&stream->wake_at, NOBODY_WAITS);
    if (!init_parts(stream)) {
        goto fail;
    }
    return stream;
fail:
    free(slots);
    free(stream);
    return NULL;
}

void OpprofDataStreamDestroy(OpprofDataStream *stream)
{
    if (!stream) {
        return;
    }
    while (stream->readers) {
        OpprofDataStreamDetach(stream->readers);
    }
    bell_finish(&stream->room);
    pthread_mutex_destroy(&stream->lock);
    free(stream->slots);
    free(stream);
}

static bool ends_stream(OpprofDataStreamEnd how)
{
    return how >= OPPROF_DATA_STREAM_COMPLETE && how <= OPPROF_DATA_STREAM_ABORT;
}

void DataStreamShutdown(OpprofDataStream *stream, OpprofDataStreamEnd how)
{
    if (!stream || !ends_stream(how)) {
        return;
    }
    pthread_mutex_lock(&stream->lock);
    if (is_open(stream) || how == OPPROF_DATA_STREAM_ABORT) {
        atomic_store(&stream->end, (uint32_t) how);
        bell_wake(&stream->room);
        for (OpprofDataStreamReader *reader = stream->readers; reader; reader = reader->sibling) {
            bell_wake(reader->bell);
        }
    }
    pthread_mutex_unlock(&stream->lock);
}

OpprofDataStreamEnd OpprofDataStreamEndState(OpprofDataStream *stream)
{
    return stream ? (OpprofDataStreamEnd) atomic_load(&stream->end) : OPPROF_DATA_STREAM_OPEN;
}

void OpprofDataStreamGetStats(OpprofDataStream *stream, OpprofDataStreamStats *ret_stats)
{
    pthread_mutex_lock(&stream->lock);
    update_tail(stream);
    *ret_stats = stream->stats;
    ret_stats->queued = (uint32_t) (tail_of(stream) - stream->slowest);
    ret_stats->queued_bytes = bytes_from(stream, stream->slowest);
    pthread_mutex_unlock(&stream->lock);
}
