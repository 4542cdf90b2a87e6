/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_TEXT_CHUNKS_H
#define COLLECT_KINETO_TEXT_CHUNKS_H

#include <stddef.h>
#include <stdint.h>

/*
 * An array that grows without moving: doubling would need room for the old and the new one at once,
 * and leave up to half of it unused.
 */
typedef struct Chunks {
    char **chunks;
    uint32_t item_size;
    uint32_t count; /* items */
    uint32_t chunk_count;
    uint32_t chunk_capacity;
} Chunks;

#define CHUNK_SHIFT 12u
#define CHUNK_ITEMS (1u << CHUNK_SHIFT)

/* An empty array of items of a size. */
static inline Chunks ChunksOf(uint32_t item_size)
{
    return (Chunks){ .item_size = item_size };
}

/* As ChunksAppend, when the last chunk is full. */
void *ChunksAppendToNew(Chunks *chunks);

void ChunksFinish(Chunks *chunks);

/* As calloc, made for arrays of some megabytes that are used from end to end; to be given to
 * free(). */
void *ChunksZeroed(size_t count, size_t item_size);

/* Bytes that the items take in memory. */
static inline uint64_t ChunksBytes(const Chunks *chunks)
{
    return (uint64_t) chunks->chunk_count * CHUNK_ITEMS * chunks->item_size;
}

/* Item i; i < count. */
static inline void *ChunksAt(const Chunks *chunks, uint32_t i)
{
    return chunks->chunks[i >> CHUNK_SHIFT] + (size_t) (i & (CHUNK_ITEMS - 1)) * chunks->item_size;
}

/* As ChunksAt, for items of a size that is known when compiled: they are looked at all the time. */
#define CHUNKS_AT(list, i, Type)                                                                   \
    ((Type *) (void *) (list)->chunks[(i) >> CHUNK_SHIFT] + ((i) & (CHUNK_ITEMS - 1)))

/* Room for one more item, NULL without memory or beyond 4 thousand million items. Not cleared. */
static inline void *ChunksAppend(Chunks *chunks)
{
    return chunks->count >> CHUNK_SHIFT < chunks->chunk_count ? ChunksAt(chunks, chunks->count++)
                                                              : ChunksAppendToNew(chunks);
}

#endif
