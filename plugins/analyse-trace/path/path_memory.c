/* SPDX-License-Identifier: Apache-2.0 */
/* Memory for the arrays of graphs. Tested by tests/plugins/analyse-trace/test_path_ranks. */
#include "analyse-trace/path/path_memory.h"

#include <stdlib.h>
#include <string.h>

/* The room of an array; NULL: the array is empty. */
static OpprofLargeArray *find_room(PathMemory *memory, const void *array)
{
    for (uint32_t i = 0; i < PATH_MEMORY_ROOMS; i++) {
        if (memory->rooms[i].bytes == array) {
            return &memory->rooms[i];
        }
    }
    return NULL;
}

void *PathMemoryTake(PathMemory *memory, size_t count, size_t size)
{
    void *array = NULL;

    if (memory == NULL) {
        return calloc(count + 1, size);
    }
    return PathMemoryGrow(memory, &array, count, size) ? array : NULL;
}

bool PathMemoryGrow(PathMemory *memory, void *array, size_t count, size_t size)
{
    OpprofLargeArray *room;
    size_t bytes;
    void *place;

    memcpy(&place, array, sizeof place);
    room = find_room(memory, place);
    if (room == NULL || __builtin_mul_overflow(count + 1, size, &bytes) ||
        !OpprofLargeArrayGrow(room, memory->directory, bytes)) {
        return false;
    }
    memcpy(array, &room->bytes, sizeof room->bytes);
    return true;
}

void PathMemoryGive(PathMemory *memory, void *array)
{
    OpprofLargeArray *room = memory == NULL || array == NULL ? NULL : find_room(memory, array);

    if (room != NULL) {
        OpprofLargeArrayFinish(room);
    } else if (memory == NULL) {
        free(array);
    }
}

void PathMemoryRest(PathMemory *memory)
{
    memory->used = 0;
    for (uint32_t i = 0; i < PATH_MEMORY_ROOMS; i++) {
        OpprofLargeArrayRest(&memory->rooms[i]);
    }
}

void PathMemoryFinish(PathMemory *memory)
{
    for (uint32_t i = 0; i < PATH_MEMORY_ROOMS; i++) {
        OpprofLargeArrayFinish(&memory->rooms[i]);
    }
    memory->used = 0;
}
