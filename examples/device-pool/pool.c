/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Queues with one writer and one reader each: a ready queue goes from its producer to its
 * collector, a free queue from the manager to the core's producer. Only pages that come back pass a
 * lock, which only the host uses.
 */
#include "pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_PAGE_BYTES 4096u
#define DEFAULT_READY_SLOTS 216u
#define DEFAULT_FREE_SLOTS 4u
#define DEFAULT_PAGES_A_CORE 8u
#define MAX_CORES 65536u
#define MAX_SLOTS 65536u
#define NO_PAGE UINT32_MAX

typedef struct FreeQueue {
    _Atomic uint32_t head; /* the producer's */
    _Atomic uint32_t tail; /* the manager's */
    uint32_t *pages;
} FreeQueue;

typedef struct ReadyQueue {
    _Atomic uint32_t head; /* the collector's */
    _Atomic uint32_t tail; /* the producer's */
    uint32_t *pages;
} ReadyQueue;

typedef struct Core {
    FreeQueue free;
    uint32_t current; /* the producer's, like what follows */
    uint32_t sequence;
    uint64_t lost; /* since the last page was handed over */
    _Atomic uint64_t put;
    _Atomic uint64_t dropped;
} Core;

/* A gate for all producers. */
typedef struct Gate {
    _Atomic bool is_frozen;    /* the manager's */
    _Atomic bool is_contended; /* raised by producers */
} Gate;

typedef struct Collector {
    _Atomic uint64_t bytes;
    _Atomic uint64_t pages;
} Collector;

struct Pool {
    PoolOptions options;
    Core *cores;
    ReadyQueue *ready; /* of producers */
    Collector *collectors;
    unsigned char *memory; /* pages */
    uint32_t *slots;       /* of all queues */
    Gate ready_gate;
    Gate free_gate;
    _Atomic uint64_t freezes;
    pthread_mutex_t lock; /* guards the next two */
    uint32_t *recycled;
    uint32_t recycled_count;
    PoolTake *take; /* of the pool's own threads; NULL: it has none */
    void *context;
    pthread_t *threads; /* of the collectors; the manager's comes last */
    uint32_t thread_count;
    _Atomic uint32_t next_collector;
    _Atomic bool is_stopping;  /* producers have ended */
    _Atomic bool is_collected; /* so have collectors */
};

static PoolPage *page_of(const Pool *pool, uint32_t index)
{
    return (PoolPage *) (void *) (pool->memory + (size_t) index * pool->options.page_bytes);
}

/* ---- creating ---- */

static uint32_t or_default(uint32_t value, uint32_t otherwise)
{
    return value == 0 ? otherwise : value;
}

static bool is_good(const PoolOptions *options)
{
    return options->cores >= 1 && options->cores <= MAX_CORES && options->producers <= MAX_CORES &&
           options->collectors <= MAX_CORES && options->ready_slots >= 2 &&
           options->ready_slots <= MAX_SLOTS && options->free_slots <= MAX_SLOTS &&
           options->page_bytes > sizeof(PoolPage) && options->page_bytes % 8 == 0 &&
           options->page_bytes <= 1u << 24 && options->pages < NO_PAGE;
}

static bool allocate(Pool *pool)
{
    const PoolOptions *options = &pool->options;
    const size_t slots = (size_t) options->cores * options->free_slots +
                         (size_t) options->producers * options->ready_slots;

    pool->cores = calloc(options->cores, sizeof *pool->cores);
    pool->ready = calloc(options->producers, sizeof *pool->ready);
    pool->collectors = calloc(options->collectors, sizeof *pool->collectors);
    pool->memory = calloc(options->pages, options->page_bytes);
    pool->slots = calloc(slots, sizeof *pool->slots);
    pool->recycled = calloc(options->pages, sizeof *pool->recycled);
    return pool->cores != NULL && pool->ready != NULL && pool->collectors != NULL &&
           pool->memory != NULL && pool->slots != NULL && pool->recycled != NULL;
}

static void lay_out(Pool *pool)
{
    const PoolOptions *options = &pool->options;
    uint32_t *slots = pool->slots;

    for (uint32_t i = 0; i < options->cores; i++) {
        pool->cores[i].free.pages = slots;
        pool->cores[i].current = NO_PAGE;
        slots += options->free_slots;
    }
    for (uint32_t i = 0; i < options->producers; i++) {
        pool->ready[i].pages = slots;
        slots += options->ready_slots;
    }
    for (uint32_t i = 0; i < options->pages; i++) {
        pool->recycled[i] = i;
    }
    pool->recycled_count = options->pages;
}

OpprofStatus PoolCreate(const PoolOptions *options, Pool **ret_pool, OpprofError **error)
{
    Pool *pool = calloc(1, sizeof *pool);

    *ret_pool = NULL;
    if (pool == NULL || pthread_mutex_init(&pool->lock, NULL) != 0) {
        free(pool);
        return OpprofErrorNoMemory(error, "make a pool of pages");
    }
    pool->options = *options;
    pool->options.producers = or_default(options->producers, 1);
    pool->options.collectors = or_default(options->collectors, 1);
    pool->options.page_bytes = or_default(options->page_bytes, DEFAULT_PAGE_BYTES);
    pool->options.ready_slots = or_default(options->ready_slots, DEFAULT_READY_SLOTS);
    pool->options.free_slots = or_default(options->free_slots, DEFAULT_FREE_SLOTS);
    pool->options.pages = or_default(options->pages, DEFAULT_PAGES_A_CORE * options->cores);
    if (!is_good(&pool->options)) {
        PoolDestroy(pool);
        return OpprofErrorSet(error, OPPROF_E_ARGUMENT,
                              "Cannot make a pool of %u pages for %u cores: a size is out of range",
                              options->pages, options->cores);
    }
    if (!allocate(pool)) {
        PoolDestroy(pool);
        return OpprofErrorNoMemory(error, "make a pool of pages for %u cores", options->cores);
    }
    lay_out(pool);
    PoolManage(pool);
    *ret_pool = pool;
    return OPPROF_OK;
}

void PoolDestroy(Pool *pool)
{
    if (pool == NULL) {
        return;
    }
    PoolStop(pool);
    pthread_mutex_destroy(&pool->lock);
    free(pool->cores);
    free(pool->ready);
    free(pool->collectors);
    free(pool->memory);
    free(pool->slots);
    free(pool->recycled);
    free(pool);
}

/* ---- producers ---- */

/* True while a gate is open; else the manager learns that it is needed. */
static bool is_open(Gate *gate)
{
    return !atomic_load_explicit(&gate->is_frozen, memory_order_acquire);
}

static void contend(Gate *gate)
{
    atomic_store_explicit(&gate->is_contended, true, memory_order_release);
}

static bool pop_free(Pool *pool, Core *core, uint32_t number, uint64_t task)
{
    const uint32_t head = atomic_load_explicit(&core->free.head, memory_order_relaxed);

    if (!is_open(&pool->free_gate)) {
        return false;
    }
    if (PoolFreeIsEmpty(head, atomic_load_explicit(&core->free.tail, memory_order_acquire))) {
        contend(&pool->free_gate);
        return false;
    }
    core->current = core->free.pages[head % pool->options.free_slots];
    atomic_store_explicit(&core->free.head, head + 1, memory_order_release);
    *page_of(pool, core->current) = (PoolPage){
        .core = number, .task = task, .lost = core->lost, .sequence = core->sequence++
    };
    core->lost = 0;
    return true;
}

bool PoolFlush(Pool *pool, uint32_t core)
{
    ReadyQueue *ready = &pool->ready[core % pool->options.producers];
    Core *one = &pool->cores[core];
    const uint32_t tail = atomic_load_explicit(&ready->tail, memory_order_relaxed);

    if (one->current == NO_PAGE) {
        return true;
    }
    if (!is_open(&pool->ready_gate)) {
        return false;
    }
    if (PoolReadyIsFull(atomic_load_explicit(&ready->head, memory_order_acquire), tail,
                        pool->options.ready_slots)) {
        contend(&pool->ready_gate);
        return false;
    }
    ready->pages[tail] = one->current;
    one->current = NO_PAGE;
    atomic_store_explicit(&ready->tail, (tail + 1) % pool->options.ready_slots,
                          memory_order_release);
    return true;
}

/* A page with room for at least one byte; losses go in front of its bytes. */
static bool find_room(Pool *pool, uint32_t core, uint64_t task)
{
    Core *one = &pool->cores[core];
    const uint32_t most = pool->options.page_bytes - (uint32_t) sizeof(PoolPage);

    if (one->current != NO_PAGE) {
        const PoolPage *page = page_of(pool, one->current);
        if (page->bytes < most && one->lost == 0) {
            return true;
        }
        if (page->bytes == 0) { /* nothing is in front of the loss */
            page_of(pool, one->current)->lost += one->lost;
            one->lost = 0;
            return true;
        }
        if (!PoolFlush(pool, core)) {
            return false;
        }
    }
    return pop_free(pool, one, core, task);
}

bool PoolPut(Pool *pool, uint32_t core, uint64_t task, const void *bytes, size_t length,
             uint64_t lost)
{
    Core *one = &pool->cores[core];
    const unsigned char *from = bytes;
    size_t left = length;

    one->lost += lost;
    atomic_fetch_add_explicit(&one->put, length, memory_order_relaxed);
    while (left > 0 && find_room(pool, core, task)) {
        PoolPage *page = page_of(pool, one->current);
        const size_t room = pool->options.page_bytes - sizeof *page - page->bytes;
        const size_t taken = left < room ? left : room;
        memcpy((unsigned char *) (page + 1) + page->bytes, from, taken);
        page->bytes += (uint32_t) taken;
        from += taken;
        left -= taken;
    }
    one->lost += left;
    atomic_fetch_add_explicit(&one->dropped, left, memory_order_relaxed);
    return left == 0;
}

/* ---- collectors ---- */

static void recycle(Pool *pool, uint32_t page)
{
    pthread_mutex_lock(&pool->lock);
    pool->recycled[pool->recycled_count++] = page;
    pthread_mutex_unlock(&pool->lock);
}

static size_t collect_queue(Pool *pool, ReadyQueue *ready, Collector *collector, PoolTake *take,
                            void *context)
{
    uint32_t head = atomic_load_explicit(&ready->head, memory_order_relaxed);
    size_t count = 0;

    while (head != atomic_load_explicit(&ready->tail, memory_order_acquire)) {
        const uint32_t index = ready->pages[head];
        const PoolPage *page = page_of(pool, index);
        take(context, page, page + 1);
        atomic_fetch_add_explicit(&collector->bytes, page->bytes, memory_order_relaxed);
        recycle(pool, index);
        head = (head + 1) % pool->options.ready_slots;
        atomic_store_explicit(&ready->head, head, memory_order_release);
        count++;
    }
    return count;
}

size_t PoolCollect(Pool *pool, uint32_t collector, PoolTake *take, void *context)
{
    Collector *one = &pool->collectors[collector];
    size_t count = 0;

    for (uint32_t i = collector; i < pool->options.producers; i += pool->options.collectors) {
        count += collect_queue(pool, &pool->ready[i], one, take, context);
    }
    atomic_fetch_add_explicit(&one->pages, count, memory_order_relaxed);
    return count;
}

/* ---- the manager ---- */

/* One page per queue and round, so that cores share what there is. True if any got one. */
static bool refill(Pool *pool)
{
    bool has_filled = false;

    pthread_mutex_lock(&pool->lock);
    for (uint32_t i = 0; i < pool->options.cores && pool->recycled_count > 0; i++) {
        FreeQueue *queue = &pool->cores[i].free;
        const uint32_t tail = atomic_load_explicit(&queue->tail, memory_order_relaxed);
        if (PoolFreeIsFull(atomic_load_explicit(&queue->head, memory_order_acquire), tail,
                           pool->options.free_slots)) {
            continue;
        }
        queue->pages[tail % pool->options.free_slots] = pool->recycled[--pool->recycled_count];
        atomic_store_explicit(&queue->tail, tail + 1, memory_order_release);
        has_filled = true;
    }
    pthread_mutex_unlock(&pool->lock);
    return has_filled;
}

/* The gate is closed before the flag is taken down, so that no producer slips through between. */
static bool close_gate(Pool *pool, Gate *gate)
{
    if (!atomic_load_explicit(&gate->is_contended, memory_order_acquire)) {
        return false;
    }
    atomic_store_explicit(&gate->is_frozen, true, memory_order_release);
    atomic_store_explicit(&gate->is_contended, false, memory_order_release);
    atomic_fetch_add_explicit(&pool->freezes, 1, memory_order_relaxed);
    return true;
}

static bool is_drained(const Pool *pool)
{
    for (uint32_t i = 0; i < pool->options.producers; i++) {
        const ReadyQueue *ready = &pool->ready[i];
        if (atomic_load_explicit(&ready->head, memory_order_acquire) !=
            atomic_load_explicit(&ready->tail, memory_order_acquire)) {
            return false;
        }
    }
    return true;
}

static bool open_gates(Pool *pool)
{
    if (is_open(&pool->ready_gate) && is_open(&pool->free_gate)) {
        return false;
    }
    if (!is_drained(pool)) {
        return false;
    }
    atomic_store_explicit(&pool->ready_gate.is_frozen, false, memory_order_release);
    atomic_store_explicit(&pool->free_gate.is_frozen, false, memory_order_release);
    return true;
}

bool PoolManage(Pool *pool)
{
    const bool closed_ready = close_gate(pool, &pool->ready_gate);
    const bool closed_free = close_gate(pool, &pool->free_gate);
    /* Drained first: pages that were on their way are then back, and are filled in below. */
    const bool can_open = is_drained(pool);
    bool has_filled = false;

    while (refill(pool)) {
        has_filled = true;
    }
    return (can_open && open_gates(pool)) || closed_ready || closed_free || has_filled;
}

void PoolGetCounts(const Pool *pool, PoolCounts *ret_counts)
{
    *ret_counts = (PoolCounts){ .freezes = pool->freezes };
    for (uint32_t i = 0; i < pool->options.cores; i++) {
        ret_counts->put += pool->cores[i].put;
        ret_counts->dropped += pool->cores[i].dropped;
    }
    for (uint32_t i = 0; i < pool->options.collectors; i++) {
        ret_counts->collected += pool->collectors[i].bytes;
        ret_counts->pages += pool->collectors[i].pages;
    }
}

/* ---- threads of the pool ---- */

static void *collect_all(void *context)
{
    Pool *pool = context;
    const uint32_t collector = pool->next_collector++;
    bool is_last = false;

    do {
        is_last = pool->is_stopping; /* once more after all was put */
        if (PoolCollect(pool, collector, pool->take, pool->context) == 0) {
            sched_yield();
        }
    } while (!is_last);
    return NULL;
}

static void *manage_all(void *context)
{
    Pool *pool = context;

    while (!pool->is_collected) {
        if (!PoolManage(pool)) {
            sched_yield();
        }
    }
    return NULL;
}

OpprofStatus PoolStart(Pool *pool, PoolTake *take, void *context, OpprofError **error)
{
    const uint32_t count = pool->options.collectors + 1;
    bool is_good = true;

    if (pool->threads != NULL) {
        return OpprofErrorSet(error, OPPROF_E_ARGUMENT, "The threads of the pool run already");
    }
    pool->threads = calloc(count, sizeof *pool->threads);
    if (pool->threads == NULL) {
        return OpprofErrorNoMemory(error, "start the threads of a pool");
    }
    pool->take = take;
    pool->context = context;
    pool->next_collector = 0;
    pool->is_stopping = false;
    pool->is_collected = false;
    for (pool->thread_count = 0; is_good && pool->thread_count < count;) {
        is_good =
            pthread_create(&pool->threads[pool->thread_count], NULL,
                           pool->thread_count + 1 < count ? collect_all : manage_all, pool) == 0;
        pool->thread_count += is_good;
    }
    if (!is_good) {
        PoolStop(pool);
        return OpprofErrorSet(error, OPPROF_E_IO, "Cannot start the threads of a pool");
    }
    return OPPROF_OK;
}

void PoolStop(Pool *pool)
{
    const uint32_t collectors = pool->options.collectors;

    pool->is_stopping = true;
    for (uint32_t i = 0; i < pool->thread_count; i++) {
        pool->is_collected = i == collectors;
        pthread_join(pool->threads[i], NULL);
    }
    free(pool->threads);
    pool->threads = NULL;
    pool->thread_count = 0;
}
