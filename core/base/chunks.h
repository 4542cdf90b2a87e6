/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_CHUNKS_H
#define BASE_CHUNKS_H

#include <stddef.h>

/* Memory for many small pieces, which are freed together. NULL holds none. */
struct OpprofTextChunk {
    struct OpprofTextChunk *older;
    size_t used;
    size_t size;
    char text[];
};

/* A piece of so many bytes, aligned to 8 if the sizes of all pieces are; chunks have `chunk_size`
 * bytes, large pieces a chunk of their own. NULL without memory. */
void *ChunksTake(struct OpprofTextChunk **chunks, size_t size, size_t chunk_size);
void ChunksFree(struct OpprofTextChunk **chunks);

#endif
