/* SPDX-License-Identifier: Apache-2.0 */
#ifndef EXPORT_JSON_CACHE_H
#define EXPORT_JSON_CACHE_H

#include "text_arena.h"

#include <opprof/map.h>
#include <opprof/stage.h>

/* A piece of finished JSON text. */
typedef struct JsonPiece {
    const char *text;
    size_t length;
} JsonPiece;

/* Interned texts as JSON strings, escaped once. Zeroed except for the stage
 * it is an empty cache. */
typedef struct JsonCache {
    OpprofStage *stage;
    JsonPiece *dense; /* by id; text NULL: not there */
    uint32_t dense_count;
    JsonPiece *sparse; /* those with ids beyond the dense range */
    OpprofMap sparse_index;
    uint32_t sparse_count;
    uint32_t sparse_capacity;
    TextArena texts;
} JsonCache;

/* After JsonCacheGet. */
JsonPiece JsonCacheAdd(JsonCache *cache, uint32_t id);

/* JSON string of an interned text; "" without memory. Valid until JsonCacheTrim. Texts over 16 KiB
 * are cut. */
static inline JsonPiece JsonCacheGet(JsonCache *cache, uint32_t id)
{
    if (id < cache->dense_count && cache->dense[id].text != NULL) {
        return cache->dense[id];
    }
    return JsonCacheAdd(cache, id);
}

/* Forget everything if the cache has become large. */
void JsonCacheTrim(JsonCache *cache);

void JsonCacheFinish(JsonCache *cache);

#endif
