/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_TRACE_PATH_MEMORY_H
#define ANALYSE_TRACE_PATH_MEMORY_H

#include <opprof/kit/room.h>
#include <stdint.h>

#define PATH_MEMORY_ROOMS 16u

/*
 * Where the arrays of a graph lie: in memory, or, of the graph of many ranks, in rooms, so that only what is in hand of
 * them takes memory. The functions take NULL for ordinary memory.
 */
typedef struct PathMemory {
    OpprofOutputDirectory *directory; /* of the files; NULL: ordinary memory as well */
    OpprofRoom rooms[PATH_MEMORY_ROOMS];
    uint64_t used; /* since the last rest, in bytes */
} PathMemory;

/* `count` items of `size` bytes, all 0; NULL without memory. */
void *PathMemoryTake(PathMemory *memory, size_t count, size_t size);

/* Let an array that was taken from memory, or NULL, have at least `count` items. False without memory: it is as before. */
bool PathMemoryGrow(PathMemory *memory, void *array, size_t count, size_t size);

/* Give an array back; NULL is allowed. */
void PathMemoryGive(PathMemory *memory, void *array);

/* Bytes of the arrays that may be used before they rest. */
#define PATH_MEMORY_IN_HAND (UINT64_C(4) << 20)

/* Let go of what was used. */
void PathMemoryRest(PathMemory *memory);

/* About so many bytes of the arrays have been used. */
static inline void PathMemoryUse(PathMemory *memory, uint64_t bytes)
{
    if (memory != NULL && (memory->used += bytes) >= PATH_MEMORY_IN_HAND) {
        PathMemoryRest(memory);
    }
}

/* Accepts a zeroed one. */
void PathMemoryFinish(PathMemory *memory);

#endif
