/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Batches and their pools.
 *
 * Header and records are one allocation. Batches are given back by the threads of the readers and
 * taken by the thread of the producer, so the two meet in one word only: what comes back goes onto
 * a lock-free stack, and a taker takes that whole stack at once. No thread ever pops a single batch
 * off it, hence there is no ABA problem. The depth of the stack rides in the low bits of its
 * pointer, which are zero because batches are aligned to 64 bytes.
 */

#include "stream/ledger.h"

#include <opprof/batch.h>
#include <opprof/require.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define ALIGNMENT ((size_t) 64)
#define DEPTH_MASK ((uintptr_t) ALIGNMENT - 1)
/*
 * Batches kept for the next taker; also the depth that means "full", and, if it stays, "destroyed".
 */
#define KEEP_MAX ((uint32_t) DEPTH_MASK)
#define BLOB_LIMIT ((size_t) 1 << 30)
#define BLOB_FIRST ((size_t) 256)
/* A blob above the first limit goes when its batch is recycled; the second is for all kept ones. */
#define BLOB_KEEP_ONE ((size_t) 4 << 20)
#define BLOB_KEEP_ALL ((size_t) 16 << 20)

typedef struct PooledBatch PooledBatch;

struct PooledBatch {
    OpprofBatch batch; /* first: a Batch pointer is a PooledBatch pointer */
    OpprofBatchPool *pool;
    char *blob;        /* batch.blob for writing */
    PooledBatch *next; /* while kept */
    _Atomic uint32_t references;
    atomic_bool is_pushed; /* since it was taken */
};

struct OpprofBatchPool {
    const OpprofRecordType *type;
    uint32_t capacity;
    uint32_t blob_first;
    size_t allocation;                 /* bytes of header and records together */
    _Atomic uint32_t references;       /* one of the owner, one of each batch that exists */
    _Alignas(64) pthread_mutex_t lock; /* guards kept and kept_count */
    PooledBatch *kept;
    uint32_t kept_count;
    _Alignas(64) _Atomic uintptr_t returned; /* top of the stack | its depth */
};

static _Thread_local BatchLedger *ledger_of_thread;

BatchLedger *BatchLedgerSwap(BatchLedger *ledger)
{
    BatchLedger *before = ledger_of_thread;

    ledger_of_thread = ledger;
    return before;
}

static void note_peak(atomic_llong *peak, long long value)
{
    long long seen = atomic_load_explicit(peak, memory_order_relaxed);

    while (seen < value && !atomic_compare_exchange_weak_explicit(
                               peak, &seen, value, memory_order_relaxed, memory_order_relaxed)) {
    }
}

/* Instances of a stage share a ledger, hence the atomic counts; they order nothing. */
static void enter(BatchLedger *ledger, long long references, long long bytes)
{
    note_peak(&ledger->peak_references,
              atomic_fetch_add_explicit(&ledger->references, references, memory_order_relaxed) +
                  references);
    note_peak(&ledger->peak_bytes,
              atomic_fetch_add_explicit(&ledger->bytes, bytes, memory_order_relaxed) + bytes);
}

void BatchLedgerPass(BatchLedger *ledger, long long bytes)
{
    if (atomic_load_explicit(&ledger->references, memory_order_relaxed) > 0) {
        enter(ledger, -1, -bytes);
    } else {
        atomic_store_explicit(&ledger->is_unsure, true, memory_order_relaxed);
    }
}

/* Everything handed out as const is ours and was allocated writable. */
static PooledBatch *pooled(const OpprofBatch *batch)
{
    return (PooledBatch *) (uintptr_t) batch;
}

static PooledBatch *stack_top(uintptr_t word)
{
    return (PooledBatch *) (word & ~DEPTH_MASK);
}

static size_t round_up(size_t size)
{
    return (size + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
}

static void pool_unref(OpprofBatchPool *pool)
{
    if (atomic_fetch_sub_explicit(&pool->references, 1, memory_order_acq_rel) != 1) {
        return;
    }
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

static void batch_free(PooledBatch *self)
{
    OpprofBatchPool *pool = self->pool;

    free(self->blob);
    free(self);
    pool_unref(pool);
}

static void free_chain(PooledBatch *first)
{
    while (first) {
        PooledBatch *next = first->next;
        batch_free(first);
        first = next;
    }
}

static PooledBatch *batch_allocate(OpprofBatchPool *pool)
{
    PooledBatch *self = aligned_alloc(ALIGNMENT, pool->allocation);
    if (!self) {
        return NULL;
    }
    *self = (PooledBatch){
        .batch = { .type = pool->type,
                   .records = (char *) self + round_up(sizeof *self),
                   .capacity = pool->capacity },
        .pool = pool,
    };
    atomic_init(&self->references, 1);
    atomic_fetch_add_explicit(&pool->references, 1, memory_order_relaxed);
    return self;
}

static void forget_blob(PooledBatch *self)
{
    free(self->blob);
    self->blob = NULL;
    self->batch.blob = NULL;
    self->batch.blob_capacity = 0;
}

/* The n-th batch kept may keep an n-th of what all may: many small blobs or a few large ones. */
static void trim_blob(PooledBatch *self, uint32_t kept)
{
    size_t keep = BLOB_KEEP_ALL / (kept + 1);

    if (keep > BLOB_KEEP_ONE) {
        keep = BLOB_KEEP_ONE;
    }
    if (keep < self->pool->blob_first) {
        keep = self->pool->blob_first;
    }
    if (self->batch.blob_capacity > keep) {
        forget_blob(self);
    }
}

/* After a successful exchange the pool may be gone, so nothing of it is touched any more. */
static void give_back(PooledBatch *self)
{
    OpprofBatchPool *pool = self->pool;
    uintptr_t word = atomic_load_explicit(&pool->returned, memory_order_relaxed);

    for (;;) {
        uintptr_t depth = word & DEPTH_MASK;
        if (depth == KEEP_MAX) {
            batch_free(self);
            return;
        }
        trim_blob(self, (uint32_t) depth);
        self->next = stack_top(word);
        if (atomic_compare_exchange_weak_explicit(&pool->returned, &word,
                                                  (uintptr_t) self | (depth + 1),
                                                  memory_order_release, memory_order_relaxed)) {
            return;
        }
    }
}

static PooledBatch *take_kept(OpprofBatchPool *pool)
{
    pthread_mutex_lock(&pool->lock);
    if (!pool->kept && atomic_load_explicit(&pool->returned, memory_order_relaxed) != 0) {
        uintptr_t word = atomic_exchange_explicit(&pool->returned, 0, memory_order_acquire);
        pool->kept = stack_top(word);
        pool->kept_count = (uint32_t) (word & DEPTH_MASK);
    }
    PooledBatch *self = pool->kept;
    if (self) {
        pool->kept = self->next;
        pool->kept_count--;
    }
    pthread_mutex_unlock(&pool->lock);
    return self;
}

OpprofBatchPool *OpprofBatchPoolCreate(const OpprofRecordType *type, uint32_t capacity,
                                       uint32_t blob)
{
    size_t records;
    size_t allocation;

    if (!type || type->size == 0 || capacity == 0 ||
        __builtin_mul_overflow((size_t) capacity, (size_t) type->size, &records) ||
        __builtin_add_overflow(records, round_up(sizeof(PooledBatch)) + ALIGNMENT, &allocation)) {
        return NULL;
    }
    OpprofBatchPool *pool = aligned_alloc(ALIGNMENT, round_up(sizeof *pool));
    if (!pool) {
        return NULL;
    }
    *pool = (OpprofBatchPool){
        .type = type,
        .capacity = capacity,
        .blob_first = blob < BLOB_LIMIT ? blob : (uint32_t) BLOB_LIMIT,
        .allocation = round_up(sizeof(PooledBatch)) + round_up(records),
    };
    atomic_init(&pool->references, 1);
    if (pthread_mutex_init(&pool->lock, NULL) != 0) {
        free(pool);
        return NULL;
    }
    return pool;
}

void OpprofBatchPoolDestroy(OpprofBatchPool *pool)
{
    if (!pool) {
        return;
    }
    /* An empty stack that is full: a batch that is still out is freed instead of given back. */
    uintptr_t word = atomic_exchange_explicit(&pool->returned, KEEP_MAX, memory_order_acquire);
    free_chain(stack_top(word));
    free_chain(pool->kept);
    pool_unref(pool);
}

static long long bytes_of(const PooledBatch *self)
{
    return (long long) (self->pool->allocation + self->batch.blob_capacity);
}

static void note_taken(const PooledBatch *self)
{
    if (self != NULL && ledger_of_thread != NULL) {
        enter(ledger_of_thread, 1, bytes_of(self));
    }
}

OpprofBatch *OpprofBatchPoolTake(OpprofBatchPool *pool)
{
    PooledBatch *self;

    OPPROF_REQUIRE("pool-given", pool != NULL, "The pool is given");
    self = take_kept(pool);
    if (!self) {
        self = batch_allocate(pool);
        note_taken(self);
        return self ? &self->batch : NULL;
    }
    note_taken(self);
    atomic_store_explicit(&self->references, 1, memory_order_relaxed);
    atomic_store_explicit(&self->is_pushed, false, memory_order_relaxed);
    OpprofBatch *batch = &self->batch;
    batch->count = 0;
    batch->blob_size = 0;
    batch->partition = 0;
    batch->clock = 0;
    batch->sequence = 0;
    batch->watermark = 0;
    return batch;
}

uint32_t OpprofBatchPoolInUse(OpprofBatchPool *pool)
{
    OPPROF_REQUIRE("pool-given", pool != NULL, "The pool is given");
    pthread_mutex_lock(&pool->lock);
    uint32_t exist = atomic_load_explicit(&pool->references, memory_order_acquire) - 1;
    uintptr_t word = atomic_load_explicit(&pool->returned, memory_order_relaxed);
    uint32_t kept = pool->kept_count + (uint32_t) (word & DEPTH_MASK);
    pthread_mutex_unlock(&pool->lock);
    return exist > kept ? exist - kept : 0;
}

bool BatchBeginPush(OpprofBatch *batch)
{
    return !atomic_exchange_explicit(&pooled(batch)->is_pushed, true, memory_order_relaxed);
}

OpprofBatch *OpprofBatchRef(const OpprofBatch *batch)
{
    PooledBatch *self;

    OPPROF_REQUIRE("batch-given", batch != NULL, "The batch is given");
    self = pooled(batch);
    OPPROF_REQUIRE("batch-live", atomic_load_explicit(&self->references, memory_order_relaxed) > 0,
                   "The batch has not been given back");
    atomic_fetch_add_explicit(&self->references, 1, memory_order_relaxed);
    note_taken(self);
    return &self->batch;
}

void OpprofBatchUnref(const OpprofBatch *batch)
{
    if (!batch) {
        return;
    }
    PooledBatch *self = pooled(batch);
    const uint32_t references =
        (uint32_t) atomic_load_explicit(&self->references, memory_order_acquire);

    OPPROF_REQUIRE("batch-live", references > 0, "The batch has not been given back");
    if (ledger_of_thread != NULL) {
        OPPROF_REQUIRE("batch-held",
                       atomic_load_explicit(&ledger_of_thread->references, memory_order_relaxed) >
                               0 ||
                           atomic_load_explicit(&ledger_of_thread->is_unsure, memory_order_relaxed),
                       "A stage gives back what it took or referred to, not the batch that process "
                       "lends it");
        enter(ledger_of_thread, -1, -bytes_of(self));
    }
    /* A sole owner needs no locked instruction: no other thread can change the count. */
    if (references != 1) {
        if (atomic_fetch_sub_explicit(&self->references, 1, memory_order_acq_rel) != 1) {
            return;
        }
    }
    atomic_store_explicit(&self->references, 0, memory_order_relaxed);
    give_back(self);
}

/*
 * Bytes that the batch holds, not those that are filled: a queue of nearly empty batches costs as
 * much memory as one of full ones.
 */
size_t OpprofBatchBytes(const OpprofBatch *batch)
{
    OPPROF_REQUIRE("batch-given", batch != NULL, "The batch is given");
    return (size_t) bytes_of(pooled(batch));
}

static bool grow_blob(PooledBatch *self, size_t needed)
{
    size_t capacity = (size_t) self->batch.blob_capacity * 2;

    if (capacity < self->pool->blob_first) {
        capacity = self->pool->blob_first;
    }
    if (capacity < BLOB_FIRST) {
        capacity = BLOB_FIRST;
    }
    if (capacity < needed) {
        capacity = needed;
    }
    if (capacity > BLOB_LIMIT) {
        capacity = BLOB_LIMIT;
    }
    char *blob = realloc(self->blob, capacity);
    if (!blob) {
        return false;
    }
    if (ledger_of_thread != NULL) {
        enter(ledger_of_thread, 0, (long long) capacity - self->batch.blob_capacity);
    }
    self->blob = blob;
    self->batch.blob = blob;
    self->batch.blob_capacity = (uint32_t) capacity;
    return true;
}

char *OpprofBatchReserveText(OpprofBatch *batch, size_t length)
{
    PooledBatch *self;

    OPPROF_REQUIRE("batch-given", batch != NULL, "The batch is given");
    self = pooled(batch);
    OPPROF_REQUIRE("batch-owner",
                   atomic_load_explicit(&self->references, memory_order_relaxed) == 1,
                   "Texts are added by the batch's only owner, before it is pushed");
    if (length > BLOB_LIMIT - batch->blob_size) {
        return NULL;
    }
    /* Even an empty text needs a blob, or it would equal an absent one. */
    size_t needed = batch->blob_size + length;
    if ((needed > batch->blob_capacity || !self->blob) && !grow_blob(self, needed)) {
        return NULL;
    }
    return self->blob + batch->blob_size;
}

OpprofStatus OpprofBatchAppendText(OpprofBatch *batch, const char *text, size_t length,
                                   OpprofText *ret_text)
{
    OPPROF_REQUIRE("batch-given", batch != NULL, "The batch is given");
    OPPROF_REQUIRE("batch-text-given", text != NULL || length == 0,
                   "A text is NULL only if its length is 0");
    *ret_text = (OpprofText){ OPPROF_NA_U32, 0 };
    if (length > BLOB_LIMIT - batch->blob_size) {
        return OPPROF_E_LIMIT;
    }
    /* The text may be one of this very batch, whose blob is about to move. */
    uintptr_t inside = (uintptr_t) text - (uintptr_t) batch->blob;
    bool own = batch->blob && inside < batch->blob_size;
    char *room = OpprofBatchReserveText(batch, length);
    if (!room) {
        return OPPROF_E_MEMORY;
    }
    if (length > 0) {
        memcpy(room, own ? batch->blob + inside : text, length);
    }
    *ret_text = OpprofBatchCommitText(batch, length);
    return OPPROF_OK;
}
