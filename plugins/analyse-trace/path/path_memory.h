/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_TRACE_PATH_PATH_MEMORY_H
#define ANALYSE_TRACE_PATH_PATH_MEMORY_H

#include <opprof/kit/large_array.h>
#include <stdint.h>

#define PATH_MEMORY_ROOMS 16u

/*
 * Where the arrays of a graph lie: in memory, or, for the graph of many ranks, in rooms, so that
 * only the part in use takes memory. The functions take NULL for ordinary memory.
 */
typedef struct PathMemory {
    OpprofOutputDirectory *directory; /* of the files; NULL: ordinary memory as well */
    OpprofLargeArray rooms[PATH_MEMORY_ROOMS];
    uint64_t used; /* used since the last release, in bytes */
} PathMemory;

/* `count` items of `size` bytes, all 0; NULL without memory. */
void *PathMemoryTake(PathMemory *memory, size_t count, size_t size);

/* Give an array from memory, or NULL, room for at least `count` items. False without memory: it is
 * unchanged. */
bool PathMemoryGrow(PathMemory *memory, void *array, size_t count, size_t size);

/* Give an array back; NULL is allowed. */
void PathMemoryGive(PathMemory *memory, void *array);

/* Bytes of the arrays that may be used before they are released. */
#define PATH_MEMORY_IN_HAND (UINT64_C(8) << 20)

/* Release what was used. */
void PathMemoryRest(PathMemory *memory);

/* About so many bytes of the arrays have been used. */
static inline void PathMemoryUse(PathMemory *memory, uint64_t bytes)
{
    if (memory != NULL && (memory->used += bytes) >= PATH_MEMORY_IN_HAND) {
        PathMemoryRest(memory);
    }
}

/* A zeroed one is allowed. */
void PathMemoryFinish(PathMemory *memory);

#endif
