/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_TRACE_COMMON_ITEM_MAP_H
#define ANALYSE_TRACE_COMMON_ITEM_MAP_H

#include <opprof/map.h>
#include <stddef.h>
#include <stdint.h>

/* Items by key, in the order in which their keys appeared. */
typedef struct ItemMap {
    size_t item_size;
    char *items;
    uint64_t *keys;   /* of the items */
    OpprofMap places; /* index of the items, once there are more than a few */
    uint32_t count;
    uint32_t capacity;
    uint32_t key_capacity;
    uint32_t latest;     /* index of the item found last */
    uint64_t latest_key; /* its key */
} ItemMap;

/*
 * The item of a key, zeroed when the key is new; NULL without memory. Valid until the next key is
 * new. A zeroed map is empty; its item_size is taken from the first call.
 */
void *ItemMapGet(ItemMap *map, uint64_t key, size_t item_size);

/* The item of a key, NULL if none. */
void *ItemMapFind(const ItemMap *map, uint64_t key);

static inline void *ItemMapAt(const ItemMap *map, uint32_t i)
{
    return map->items + (size_t) i * map->item_size;
}

/* All items in the caller's order, as an array to be freed; NULL without memory. */
void **ItemMapSorted(const ItemMap *map, int (*compare)(const void *, const void *, void *),
                     void *context);

/* A zeroed map is allowed. */
void ItemMapFree(ItemMap *map);

#endif
