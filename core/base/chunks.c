/* SPDX-License-Identifier: Apache-2.0 */
/* Memory for many small pieces, which are freed together. Tested by tests/core/base/test_strings
 * and tests/core/base/test_map. */
#include "base/chunks.h"

#include <stdbool.h>
#include <stdlib.h>

/* A chunk for one piece goes after the head, which keeps filling up. */
static struct OpprofTextChunk *add_chunk(struct OpprofTextChunk **chunks, size_t size, bool is_own)
{
    struct OpprofTextChunk *chunk = malloc(sizeof *chunk + size);
    struct OpprofTextChunk **place = is_own && *chunks != NULL ? &(*chunks)->older : chunks;

    if (chunk != NULL) {
        *chunk = (struct OpprofTextChunk){ .older = *place, .size = size };
        *place = chunk;
    }
    return chunk;
}

void *ChunksTake(struct OpprofTextChunk **chunks, size_t size, size_t chunk_size)
{
    struct OpprofTextChunk *chunk = *chunks;

    if (chunk == NULL || size > chunk->size - chunk->used) {
        const bool is_own = size > chunk_size / 4; /* at most a quarter of a chunk is lost */

        chunk = add_chunk(chunks, is_own ? size : chunk_size, is_own);
        if (chunk == NULL) {
            return NULL;
        }
    }
    chunk->used += size;
    return chunk->text + chunk->used - size;
}

void ChunksFree(struct OpprofTextChunk **chunks)
{
    while (*chunks != NULL) {
        struct OpprofTextChunk *older = (*chunks)->older;

        free(*chunks);
        *chunks = older;
    }
}
