/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An array that grows without moving. Tested by tests/plugins/collect-kineto/test_trace_reader.
 */
#include "chunks.h"

#include <opprof/grow.h>

#include <stdlib.h>

static int add_chunk(Chunks *chunks)
{
    if (!OpprofGrow32(&chunks->chunks, &chunks->chunk_capacity, (size_t) chunks->chunk_count + 1,
                      sizeof *chunks->chunks)) {
        return 0;
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
