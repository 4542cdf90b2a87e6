/* SPDX-License-Identifier: Apache-2.0 */
#include "json_cache.h"

#include <opprof/text.h>
#include <stdlib.h>

#define LARGE_BYTES (16u << 20)
#define LARGE_COUNT (1u << 18)
#define LONGEST_TEXT (16u << 10)

static const JsonPiece empty_string = { "\"\"", 2 };

static bool make_room(JsonCache *cache)
{
    uint32_t capacity = cache->capacity == 0 ? 64 : cache->capacity * 2;
    JsonPiece *pieces;

    if (cache->count < cache->capacity) {
        return true;
    }
    pieces = reallocarray(cache->pieces, capacity, sizeof *pieces);
    if (pieces == NULL) {
        return false;
    }
    cache->pieces = pieces;
    cache->capacity = capacity;
    return true;
}

static JsonPiece add(JsonCache *cache, uint32_t id)
{
    size_t length;
    const char *text = StageStringLength(cache->stage, id, &length);
    JsonPiece piece;
    char *room;

    length = length > LONGEST_TEXT ? LONGEST_TEXT : length;
    room = TextArenaReserve(&cache->texts, TEXT_JSON_ROOM(length));
    if (room == NULL || !make_room(cache) || !IdMapSet(&cache->index, id, cache->count)) {
        return empty_string;
    }
    piece = (JsonPiece){ room, (size_t) (TextPutJson(room, text, length) - room) };
    TextArenaKeep(&cache->texts, piece.length);
    cache->pieces[cache->count++] = piece;
    return piece;
}

JsonPiece JsonCacheGet(JsonCache *cache, uint32_t id)
{
    uint32_t index;

    return IdMapFind(&cache->index, id, &index) ? cache->pieces[index] : add(cache, id);
}

void JsonCacheTrim(JsonCache *cache)
{
    if (cache->texts.bytes > LARGE_BYTES || cache->count > LARGE_COUNT) {
        Stage *stage = cache->stage;

        JsonCacheFinish(cache);
        cache->stage = stage;
    }
}

void JsonCacheFinish(JsonCache *cache)
{
    IdMapFinish(&cache->index);
    TextArenaFinish(&cache->texts);
    free(cache->pieces);
    *cache = (JsonCache){ 0 };
}
