/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An array that grows without moving. Tested by tests/plugins/collect-kineto/test_trace_reader.
 */
#include "chunks.h"

#include <stdlib.h>

static int add_chunk(Chunks *chunks)
{
    if (chunks->chunk_count == chunks->chunk_capacity) {
        const uint32_t capacity = chunks->chunk_capacity == 0 ? 16 : chunks->chunk_capacity * 2;
        char **more = reallocarray(chunks->chunks, capacity, sizeof *more);

        if (more == NULL) {
            return 0;
        }
        chunks->chunks = more;
        chunks->chunk_capacity = capacity;
    }
    chunks->chunks[chunks->chunk_count] = calloc(CHUNK_ITEMS, chunks->item_size);
    if (chunks->chunks[chunks->chunk_count] == NULL) {
        return 0;
    }
    chunks->chunk_count++;
    return 1;
}

void *ChunksAppend(Chunks *chunks)
{
    if (chunks->count == UINT32_MAX - 1) {
        return NULL;
    }
    if (chunks->count >> CHUNK_SHIFT == chunks->chunk_count && !add_chunk(chunks)) {
        return NULL;
    }
    return ChunksAt(chunks, chunks->count++);
}

void ChunksFree(Chunks *chunks)
{
    for (uint32_t i = 0; i < chunks->chunk_count; i++) {
        free(chunks->chunks[i]);
    }
    free(chunks->chunks);
    *chunks = ChunksOf(chunks->item_size);
}
