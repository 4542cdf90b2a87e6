/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps pieces of finished JSON text. Tested by tests/plugins/export/test_trace. */
#include "json_cache.h"

#include <opprof/text.h>
#include <stdlib.h>

#define LARGE_BYTES (16u << 20)
#define DENSE_MAX (1u << 18)
#define LONGEST_TEXT (16u << 10)

static const JsonPiece empty_string = { "\"\"", 2 };

static JsonPiece render(JsonCache *cache, uint32_t id)
{
    size_t length;
    const char *text = OpprofStageStringLength(cache->stage, id, &length);
    char *room;
    JsonPiece piece;

    length = length > LONGEST_TEXT ? LONGEST_TEXT : length;
    room = TextArenaReserve(&cache->texts, OPPROF_TEXT_JSON_ROOM(length));
    if (room == NULL) {
        return empty_string;
    }
    piece = (JsonPiece){ room, (size_t) (OpprofTextPutJson(room, text, length) - room) };
    TextArenaKeep(&cache->texts, piece.length);
    return piece;
}

/* Make room for an id below DENSE_MAX; false without memory. */
static bool grow_dense(JsonCache *cache, uint32_t id)
{
    uint32_t count = cache->dense_count == 0 ? 256 : cache->dense_count;
    JsonPiece *dense;

    while (count <= id) {
        count *= 2;
    }
    if (count == cache->dense_count) {
        return true;
    }
    dense = reallocarray(cache->dense, count, sizeof *dense);
    if (dense == NULL) {
        return false;
    }
    for (uint32_t i = cache->dense_count; i < count; i++) {
        dense[i] = (JsonPiece){ NULL, 0 };
    }
    cache->dense = dense;
    cache->dense_count = count;
    return true;
}

static bool grow_sparse(JsonCache *cache)
{
    uint32_t capacity = cache->sparse_capacity == 0 ? 64 : cache->sparse_capacity * 2;
    JsonPiece *sparse;

    if (cache->sparse_count < cache->sparse_capacity) {
        return true;
    }
    sparse = reallocarray(cache->sparse, capacity, sizeof *sparse);
    if (sparse == NULL) {
        return false;
    }
    cache->sparse = sparse;
    cache->sparse_capacity = capacity;
    return true;
}

static JsonPiece add_sparse(JsonCache *cache, uint32_t id)
{
    JsonPiece piece;

    if (!grow_sparse(cache) || !OpprofMapPut(&cache->sparse_index, id, cache->sparse_count)) {
        return empty_string;
    }
    piece = render(cache, id);
    cache->sparse[cache->sparse_count++] = piece;
    return piece;
}

JsonPiece JsonCacheAdd(JsonCache *cache, uint32_t id)
{
    uint32_t index;

    if (id < DENSE_MAX) {
        if (!grow_dense(cache, id)) {
            return empty_string;
        }
        cache->dense[id] = render(cache, id);
        return cache->dense[id];
    }
    index = OpprofMapFind(&cache->sparse_index, id);
    return index != OPPROF_MAP_NONE ? cache->sparse[index] : add_sparse(cache, id);
}

void JsonCacheTrim(JsonCache *cache)
{
    OpprofStage *stage = cache->stage;

    if (cache->texts.bytes > LARGE_BYTES) {
        JsonCacheFinish(cache);
        cache->stage = stage;
    }
}

void JsonCacheFinish(JsonCache *cache)
{
    OpprofMapFinish(&cache->sparse_index);
    TextArenaFinish(&cache->texts);
    free(cache->dense);
    free(cache->sparse);
    *cache = (JsonCache){ 0 };
}
