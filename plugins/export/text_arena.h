/* SPDX-License-Identifier: Apache-2.0 */
#ifndef EXPORT_TEXT_ARENA_H
#define EXPORT_TEXT_ARENA_H

#include <stddef.h>

/* Texts that are kept together and freed together. Zeroed memory is an empty arena. */
typedef struct TextArena {
    struct TextChunk *chunk;
    size_t bytes; /* kept so far */
} TextArena;

/* Room for a text of up to `size` bytes, or NULL without memory. Follow with TextArenaKeep. */
char *TextArenaReserve(TextArena *arena, size_t size);

/* Keep the first `size` bytes of the room from TextArenaReserve. */
void TextArenaKeep(TextArena *arena, size_t size);

void TextArenaFinish(TextArena *arena);

#endif
