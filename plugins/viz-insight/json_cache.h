/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VIZ_INSIGHT_JSON_CACHE_H
#define VIZ_INSIGHT_JSON_CACHE_H

#include "id_map.h"
#include "text_arena.h"

#include <opprof/stage.h>

/* A piece of finished JSON text. */
typedef struct JsonPiece {
    const char *text;
    size_t length;
} JsonPiece;

/* Interned texts as JSON strings, escaped once. */
typedef struct JsonCache {
    Stage *stage;
    IdMap index;
    JsonPiece *pieces;
    uint32_t count;
    uint32_t capacity;
    TextArena texts;
} JsonCache;

/*
 * JSON string of an interned text; "" stands in without memory. Valid until JsonCacheTrim.
 * Texts over 16 KiB are cut.
 */
JsonPiece JsonCacheGet(JsonCache *cache, uint32_t id);

/* Forget everything when the cache has become large. */
void JsonCacheTrim(JsonCache *cache);

void JsonCacheFinish(JsonCache *cache);

#endif
