/* SPDX-License-Identifier: Apache-2.0 */
/* A map from 64-bit keys to 32-bit values. Tested by tests/plugins/export/test_trace. */
#include "id_map.h"

#include <stdlib.h>

#define FIRST_CAPACITY 64u

static uint32_t slot_of(const IdMap *map, uint64_t key)
{
    uint64_t hash = (key + 1) * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t slot = (uint32_t) (hash >> 32) & (map->capacity - 1);

    while (map->keys[slot] != 0 && map->keys[slot] != key + 1) {
        slot = (slot + 1) & (map->capacity - 1);
    }
    return slot;
}

bool IdMapFind(const IdMap *map, uint64_t key, uint32_t *ret_value)
{
    uint32_t slot;

    if (map->count == 0) {
        return false;
    }
    slot = slot_of(map, key);
    *ret_value = map->values[slot];
    return map->keys[slot] != 0;
}

static bool grow(IdMap *map)
{
    IdMap grown = { .capacity = map->capacity == 0 ? FIRST_CAPACITY : map->capacity * 2,
                    .count = map->count };

    grown.keys = calloc(grown.capacity, sizeof *grown.keys);
    grown.values = calloc(grown.capacity, sizeof *grown.values);
    if (grown.keys == NULL || grown.values == NULL) {
        IdMapFinish(&grown);
        return false;
    }
    for (uint32_t i = 0; i < map->capacity; i++) {
        if (map->keys[i] != 0) {
            uint32_t slot = slot_of(&grown, map->keys[i] - 1);

            grown.keys[slot] = map->keys[i];
            grown.values[slot] = map->values[i];
        }
    }
    IdMapFinish(map);
    *map = grown;
    return true;
}

bool IdMapSet(IdMap *map, uint64_t key, uint32_t value)
{
    uint32_t slot;

    if (map->count >= map->capacity / 2 && !grow(map)) {
        return false;
    }
    slot = slot_of(map, key);
    map->count += map->keys[slot] == 0;
    map->keys[slot] = key + 1;
    map->values[slot] = value;
    return true;
}

void IdMapFinish(IdMap *map)
{
    free(map->keys);
    free(map->values);
    *map = (IdMap){ 0 };
}
