/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VIZ_INSIGHT_ID_MAP_H
#define VIZ_INSIGHT_ID_MAP_H

#include <stdbool.h>
#include <stdint.h>

/* From 64-bit keys to 32-bit values. Zeroed memory is an empty map. */
typedef struct IdMap {
    uint64_t *keys; /* key + 1; 0: the slot is free */
    uint32_t *values;
    uint32_t capacity; /* slots, a power of two, or 0 */
    uint32_t count;
} IdMap;

/* Value of a key; false if there is none. */
bool IdMapFind(const IdMap *map, uint64_t key, uint32_t *ret_value);

/* Set the value of a key below UINT64_MAX; false without memory. */
bool IdMapSet(IdMap *map, uint64_t key, uint32_t value);

void IdMapFinish(IdMap *map);

#endif
