/* SPDX-License-Identifier: Apache-2.0 */
/* Words of 36 cores through a pool of pages: producers never wait, and every
 * byte is accounted for. */
#include "pool.h"

#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CORES 36u
#define PRODUCERS 3u
#define COLLECTORS 2u
#define WORDS 100000u /* of each core */
#define AT_ONCE 16u   /* words that a task leaves */

static Pool *pool;

/* Data of a core; only one collector reads it. */
typedef struct Seen {
    uint32_t next; /* word that comes next */
    bool is_wrong;
} Seen;

static Seen seen[CORES];

/* A page: what was lost before it is counted in its head, so the sequence can
 * be checked over gaps. */
static void take(void *context, const PoolPage *page, const void *bytes)
{
    Seen *core = &seen[page->core];
    uint32_t words[1024];

    (void) context;
    memcpy(words, bytes, page->bytes);
    core->next += (uint32_t) (page->lost / sizeof words[0]);
    for (uint32_t i = 0; i < page->bytes / sizeof words[0]; i++) {
        core->is_wrong |= words[i] != core->next++;
    }
}

/* The device's side. Core c belongs to producer c modulo PRODUCERS. */
static void *produce(void *number)
{
    const uint32_t first = *(const uint32_t *) number;
    uint32_t words[AT_ONCE];

    for (uint32_t task = 0; task < WORDS / AT_ONCE; task++) {
        for (uint32_t i = 0; i < AT_ONCE; i++) {
            words[i] = task * AT_ONCE + i;
        }
        for (uint32_t core = first; core < CORES; core += PRODUCERS) {
            PoolPut(pool, core, task, words, sizeof words, 0); /* dropped: counted */
        }
    }
    for (uint32_t core = first; core < CORES; core += PRODUCERS) {
        while (!PoolFlush(pool, core)) { /* its work is done, so it may wait now */
            sched_yield();
        }
    }
    return NULL;
}

static int report(void)
{
    PoolCounts counts;
    bool is_good = true;

    PoolGetCounts(pool, &counts);
    for (uint32_t i = 0; i < CORES; i++) {
        is_good = is_good && !seen[i].is_wrong;
    }
    is_good = is_good && counts.put == counts.collected + counts.dropped &&
              counts.put == (uint64_t) CORES * WORDS * 4;
    printf("put %" PRIu64 " collected %" PRIu64 " dropped %" PRIu64 " pages %" PRIu64
           " freezes %" PRIu64 "\n",
           counts.put, counts.collected, counts.dropped, counts.pages, counts.freezes);
    return is_good ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Producers are the program's threads; the pool has its own for all that comes after. */
static int run(void)
{
    static uint32_t numbers[PRODUCERS] = { 0, 1, 2 };
    pthread_t producers[PRODUCERS];

    for (uint32_t i = 0; i < PRODUCERS; i++) {
        if (pthread_create(&producers[i], NULL, produce, &numbers[i]) != 0) {
            fprintf(stderr, "device-pool: no thread\n");
            exit(EXIT_FAILURE);
        }
    }
    for (uint32_t i = 0; i < PRODUCERS; i++) {
        pthread_join(producers[i], NULL);
    }
    PoolStop(pool);
    return report();
}

int main(int argc, char **argv)
{
    const PoolOptions options = {
        .cores = CORES,
        .producers = PRODUCERS,
        .collectors = COLLECTORS,
        .page_bytes = 1024,
        /* By default as many pages as all words need. */
        .pages = argc > 1 ? (uint32_t) strtoul(argv[1], NULL, 10) : CORES * (WORDS / 240 + 8),
        .ready_slots = argc > 1 ? 8 : CORES * (WORDS / 240 + 8) / PRODUCERS + 1,
        .free_slots = argc > 1 ? 2 : WORDS / 240 + 8,
    };
    OpprofError *error = NULL;

    if (PoolCreate(&options, &pool, &error) != OPPROF_OK ||
        PoolStart(pool, take, NULL, &error) != OPPROF_OK) {
        fprintf(stderr, "device-pool: %s\n", OpprofErrorMessage(error));
        OpprofErrorDestroy(error);
        PoolDestroy(pool);
        return EXIT_FAILURE;
    }
    const int status = run();
    PoolDestroy(pool);
    return status;
}
