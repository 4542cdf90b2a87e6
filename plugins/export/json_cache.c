/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps pieces of finished JSON text. Tested by tests/plugins/export/test_trace. */
#include "json_cache.h"

#include <opprof/grow.h>
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
    const uint32_t before = cache->dense_count;

    if (!OpprofGrow32(&cache->dense, &cache->dense_count, (size_t) id + 1, sizeof *cache->dense)) {
        return false;
    }
    for (uint32_t i = before; i < cache->dense_count; i++) {
        cache->dense[i] = (JsonPiece){ NULL, 0 };
    }
    return true;
}

static bool grow_sparse(JsonCache *cache)
{
    return OpprofGrow32(&cache->sparse, &cache->sparse_capacity, (size_t) cache->sparse_count + 1,
                        sizeof *cache->sparse);
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
