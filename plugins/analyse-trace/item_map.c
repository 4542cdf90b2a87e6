/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Items by key, in the order in which their keys appeared. Tested by
 * tests/plugins/analyse-trace/test_figures.
 */
#include "item_map.h"

#include <opprof/grow.h>
#include <stdlib.h>
#include <string.h>

/* A new item, zeroed; NULL without memory. */
static void *add(ItemMap *map, uint64_t key)
{
    void *item;

    if (!OpprofGrow32(&map->items, &map->capacity, (size_t) map->count + 1, map->item_size) ||
        !OpprofMapPut(&map->places, key, map->count)) {
        return NULL;
    }
    map->latest = map->count++;
    map->latest_key = key;
    item = ItemMapAt(map, map->latest);
    memset(item, 0, map->item_size);
    return item;
}

void *ItemMapGet(ItemMap *map, uint64_t key, size_t item_size)
{
    if (map->count == 0) {
        map->item_size = item_size;
        return add(map, key);
    }
    if (map->latest_key != key) {
        const uint32_t place = OpprofMapFind(&map->places, key);

        if (place == OPPROF_MAP_NONE) {
            return add(map, key);
        }
        map->latest = place;
        map->latest_key = key;
    }
    return ItemMapAt(map, map->latest);
}

void *ItemMapFind(const ItemMap *map, uint64_t key)
{
    const uint32_t place = OpprofMapFind(&map->places, key);

    return place == OPPROF_MAP_NONE ? NULL : ItemMapAt(map, place);
}

void **ItemMapSorted(const ItemMap *map, int (*compare)(const void *, const void *, void *),
                     void *context)
{
    void **list = calloc((size_t) map->count + 1, sizeof *list);

    if (list == NULL) {
        return NULL;
    }
    for (uint32_t i = 0; i < map->count; i++) {
        list[i] = ItemMapAt(map, i);
    }
    qsort_r(list, map->count, sizeof *list, compare, context);
    return list;
}

void ItemMapFree(ItemMap *map)
{
    free(map->items);
    OpprofMapFinish(&map->places);
    *map = (ItemMap){ .count = 0 };
}
