/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An array that grows without moving. Tested by tests/plugins/collect-kineto/test_trace_reader.
 */
#include "collect-kineto/text/chunks.h"

#include <opprof/grow.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define LARGE_PAGE ((size_t) 2 << 20) /* what most systems can bring in at once */
#define SINGLE_CHUNKS 16u             /* the first ones, each with memory of its own */

/* Memory that the system may bring in by large pages, which takes a fraction of the time; as calloc
 * gives it. */
static void *get_large(size_t size)
{
    void *memory = aligned_alloc(LARGE_PAGE, size);

#ifdef MADV_HUGEPAGE
    if (memory != NULL) {
        madvise(memory, size, MADV_HUGEPAGE); /* if it cannot, small ones do as well */
    }
#endif
    return memory;
}

void *ChunksZeroed(size_t count, size_t item_size)
{
    size_t size;
    void *memory;

    if (__builtin_mul_overflow(count, item_size, &size) || size < 2 * LARGE_PAGE ||
        size > SIZE_MAX - LARGE_PAGE) {
        return calloc(count, item_size);
    }
    memory = get_large((size + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE);
    return memory == NULL ? NULL : memset(memory, 0, size);
}

static size_t chunk_bytes(const Chunks *chunks)
{
    return (size_t) CHUNK_ITEMS * chunks->item_size;
}

/* True if the chunk with this number has memory of its own, perhaps also for others after it. */
static bool has_memory(const Chunks *chunks, uint32_t number, size_t *ret_size)
{
    const size_t together = LARGE_PAGE / chunk_bytes(chunks);

    *ret_size = number < SINGLE_CHUNKS || together < 2 ? chunk_bytes(chunks) : LARGE_PAGE;
    return *ret_size != LARGE_PAGE || (number - SINGLE_CHUNKS) % together == 0;
}

static int add_chunk(Chunks *chunks)
{
    const uint32_t number = chunks->chunk_count;
    size_t size;

    if (!OpprofGrow32(&chunks->chunks, &chunks->chunk_capacity, (size_t) number + 1,
                      sizeof *chunks->chunks)) {
        return 0;
    }
    if (has_memory(chunks, number, &size)) {
        chunks->chunks[number] = size == LARGE_PAGE ? get_large(size) : malloc(size);
    } else {
        chunks->chunks[number] = chunks->chunks[number - 1] + chunk_bytes(chunks);
    }
    if (chunks->chunks[number] == NULL) {
        return 0;
    }
    chunks->chunk_count++;
    return 1;
}

void *ChunksAppendToNew(Chunks *chunks)
{
    if (chunks->chunk_count == UINT32_MAX >> CHUNK_SHIFT || !add_chunk(chunks)) {
        return NULL;
    }
    return ChunksAt(chunks, chunks->count++);
}

void ChunksFinish(Chunks *chunks)
{
    for (uint32_t i = 0; i < chunks->chunk_count; i++) {
        size_t size;

        if (has_memory(chunks, i, &size)) {
            free(chunks->chunks[i]);
        }
    }
    free(chunks->chunks);
    *chunks = ChunksOf(chunks->item_size);
}
