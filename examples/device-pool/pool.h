/* SPDX-License-Identifier: Apache-2.0 */
#ifndef EXAMPLES_DEVICE_POOL_POOL_H
#define EXAMPLES_DEVICE_POOL_POOL_H

/*
 * Pages on their way from producers on a device to collectors on the host: what a collector of a
 * new chip needs first.
 *
 * Each core has a short queue of free pages, each producer a queue of pages that are ready.
 * Producers never wait: where no page is free or the ready queue is full, bytes are dropped,
 * counted, and the next page of the core says how many. Then the producer raises a flag, and the
 * manager freezes that gate for all producers until every ready queue is empty and every free queue
 * is full, so that all cores lose the same stretch of time. One manager, any number of collectors,
 * one thread each; producer p owns its cores.
 */

#include <opprof/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A pool. Opaque. */
typedef struct Pool Pool;

/* Head of a page; its bytes follow. */
typedef struct PoolPage {
    uint32_t core;     /* Whose bytes these are. */
    uint32_t bytes;    /* How many are valid. */
    uint64_t task;     /* Task of the first of them. */
    uint64_t lost;     /* Bytes of the core that were dropped right before this page. */
    uint32_t sequence; /* Number of the page of its core, from 0. */
    uint32_t reserved; /* 0. */
} PoolPage;

/* Size of a pool. Zero means the default. */
typedef struct PoolOptions {
    uint32_t cores;     /* Cores; at least 1. */
    uint32_t producers; /* Producers; core c belongs to producer c modulo that. Default 1. */
    /* Collectors; collector i looks at producers i, i + collectors … Default 1. */
    uint32_t collectors;
    uint32_t page_bytes;  /* Bytes of a page with its head. Default 4096. */
    uint32_t pages;       /* Pages in all. Default: 8 per core. */
    uint32_t ready_slots; /* Slots of a ready queue, one of which stays empty. Default 216. */
    uint32_t free_slots;  /* Slots of a core's free queue. Default 4. */
} PoolOptions;

/* Accounts; put = collected + dropped + what is still on its way. */
typedef struct PoolCounts {
    uint64_t put;       /* Bytes that producers offered. */
    uint64_t dropped;   /* Bytes of these that found no page. */
    uint64_t collected; /* Bytes that collectors got. */
    uint64_t pages;     /* Pages that collectors got. */
    uint64_t freezes;   /* How often a gate was closed. */
} PoolCounts;

/* Takes a page. Its bytes are borrowed until the return. */
typedef void PoolTake(void *context, const PoolPage *page, const void *bytes);

/*
 * Make a pool with all free queues filled.
 *
 * @param[out] ret_pool  To be given to PoolDestroy when producers and collectors have ended.
 * @return OPPROF_OK, OPPROF_E_ARGUMENT or OPPROF_E_MEMORY. [any thread]
 */
OpprofStatus PoolCreate(const PoolOptions *options, Pool **ret_pool, OpprofError **error);

/*
 * Offer bytes of a core. Never waits.
 *
 * @param core   Below the number of cores.
 * @param task   Task that the bytes belong to.
 * @param bytes  `length` bytes. Copied.
 * @param lost   Bytes that the caller lost right before these; they reach the collector in the head
 *               of a page.
 * @return False if they were dropped. [producer of the core]
 */
bool PoolPut(Pool *pool, uint32_t core, uint64_t task, const void *bytes, size_t length,
             uint64_t lost);

/*
 * Hand over a core's page although it is not full. False: the gate is closed or the queue full; the
 * page stays. [producer]
 *
 * @param core  Below the number of cores.
 */
bool PoolFlush(Pool *pool, uint32_t core);

/*
 * Take all pages that are ready for a collector. Returns how many. [that collector]
 *
 * @param collector  Below the number of collectors.
 * @param take       Called for each page.
 * @param context    First argument of `take`.
 */
size_t PoolCollect(Pool *pool, uint32_t collector, PoolTake *take, void *context);

/* Fill free queues, close and open gates. Returns true if anything changed. [manager] */
bool PoolManage(Pool *pool);

/*
 * Let threads of the pool manage and collect until PoolStop, so that the caller has only producers.
 *
 * @param take     Called by several threads, but for each core by one alone.
 * @param context  First argument of `take`.
 * @return OPPROF_OK; OPPROF_E_ARGUMENT (they run already); OPPROF_E_IO (no thread). [main]
 */
OpprofStatus PoolStart(Pool *pool, PoolTake *take, void *context, OpprofError **error);

/* All producers have ended: what they put is taken, then the threads of PoolStart end. Does nothing
 * without these threads. [main] */
void PoolStop(Pool *pool);

/*
 * Accounts so far; exact once producers and collectors rest. [any thread]
 *
 * @param[out] ret_counts  Filled in whole.
 */
void PoolGetCounts(const Pool *pool, PoolCounts *ret_counts);

/* Free. NULL is allowed. [owner] */
void PoolDestroy(Pool *pool);

/*
 * True if a ready queue has no room: one slot stays empty. [any thread]
 *
 * @param head   Slot that is read next.
 * @param tail   Slot that is written next.
 * @param slots  Slots of the queue.
 */
static inline bool PoolReadyIsFull(uint32_t head, uint32_t tail, uint32_t slots)
{
    return (tail + 1) % slots == head;
}

/*
 * True if a free queue has no page; head and tail only count up. [any thread]
 *
 * @param head  Pages that were taken.
 * @param tail  Pages that were put.
 */
static inline bool PoolFreeIsEmpty(uint32_t head, uint32_t tail)
{
    return head == tail;
}

/*
 * True if a free queue has no room. [any thread]
 *
 * @param head   Pages that were taken.
 * @param tail   Pages that were put.
 * @param slots  Slots of the queue.
 */
static inline bool PoolFreeIsFull(uint32_t head, uint32_t tail, uint32_t slots)
{
    return tail - head == slots;
}

/*
 * Staging slot of a task's record; a slot with another task's number holds no record of this one.
 * [any thread]
 *
 * @return Index of the slot, 0 or 1.
 */
static inline uint32_t PoolStagingSlot(uint32_t token)
{
    return token % 2;
}

#endif
