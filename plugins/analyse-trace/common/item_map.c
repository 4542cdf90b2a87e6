/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Items by key, in the order in which their keys appeared. Tested by
 * tests/plugins/analyse-trace/test_figures.
 */
#include "analyse-trace/common/item_map.h"

#include <opprof/grow.h>
#include <stdlib.h>
#include <string.h>

#define FEW 8u /* up to here items are searched one by one: most ranks have no more */

static uint32_t find(const ItemMap *map, uint64_t key)
{
    if (map->count > FEW) {
        return OpprofMapFind(&map->places, key);
    }
    for (uint32_t i = 0; i < map->count; i++) {
        if (map->keys[i] == key) {
            return i;
        }
    }
    return OPPROF_MAP_NONE;
}

/* Index the items, one more than before. False without memory. */
static bool note_places(ItemMap *map)
{
    for (uint32_t i = map->count == FEW ? 0 : map->count; map->count >= FEW && i <= map->count;
         i++) {
        if (!OpprofMapPut(&map->places, map->keys[i], i)) {
            return false;
        }
    }
    return true;
}

/* A new item, zeroed; NULL without memory. */
static void *add(ItemMap *map, uint64_t key)
{
    void *item;

    if (!OpprofGrow32(&map->items, &map->capacity, (size_t) map->count + 1, map->item_size) ||
        !OpprofGrow32(&map->keys, &map->key_capacity, (size_t) map->count + 1, sizeof *map->keys)) {
        return NULL;
    }
    map->keys[map->count] = key;
    if (!note_places(map)) {
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
        const uint32_t place = find(map, key);

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
    const uint32_t place = find(map, key);

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
    free(map->keys);
    OpprofMapFinish(&map->places);
    *map = (ItemMap){ .count = 0 };
}
