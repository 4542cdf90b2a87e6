/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps texts that are freed together. Tested by tests/plugins/export/test_trace. */
#include "text_arena.h"

#include <stdlib.h>

#define CHUNK_BYTES (64u << 10)

struct TextChunk {
    struct TextChunk *next;
    size_t size;
    size_t used;
    char text[];
};

char *TextArenaReserve(TextArena *arena, size_t size)
{
    struct TextChunk *chunk = arena->chunk;
    size_t wanted = size > CHUNK_BYTES ? size : CHUNK_BYTES;

    if (chunk == NULL || chunk->size - chunk->used < size) {
        chunk = malloc(sizeof *chunk + wanted);
        if (chunk == NULL) {
            return NULL;
        }
        chunk->next = arena->chunk;
        chunk->size = wanted;
        chunk->used = 0;
        arena->chunk = chunk;
    }
    return chunk->text + chunk->used;
}

void TextArenaKeep(TextArena *arena, size_t size)
{
    arena->chunk->used += size;
    arena->bytes += size;
}

void TextArenaFinish(TextArena *arena)
{
    while (arena->chunk != NULL) {
        struct TextChunk *chunk = arena->chunk;

        arena->chunk = chunk->next;
        free(chunk);
    }
    *arena = (TextArena){ 0 };
}
