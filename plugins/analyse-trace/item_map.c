/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Items by key, in the order in which their keys appeared. Tested by
 * tests/plugins/analyse-trace/test_figures.
 */
#include "item_map.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_ITEMS 16u

static uint32_t hash_of(uint64_t key)
{
    key ^= key >> 32;
    return (uint32_t) (key * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

static uint32_t *find_slot(const ItemMap *map, uint64_t key)
{
    for (uint32_t at = hash_of(key);; at++) {
        uint32_t *slot = &map->slots[at & (map->slot_count - 1)];

        if (*slot == 0 || map->keys[*slot - 1] == key) {
            return slot;
        }
    }
}

static bool grow_slots(ItemMap *map, uint32_t count)
{
    uint32_t *slots = calloc(count, sizeof *slots);

    if (slots == NULL) {
        return false;
    }
    free(map->slots);
    map->slots = slots;
    map->slot_count = count;
    for (uint32_t i = 0; i < map->count; i++) {
        *find_slot(map, map->keys[i]) = i + 1;
    }
    return true;
}

static bool grow(ItemMap *map)
{
    const uint32_t capacity = map->capacity == 0 ? FIRST_ITEMS : map->capacity * 2;
    uint64_t *keys = reallocarray(map->keys, capacity, sizeof *keys);
    char *items;

    if (keys == NULL) {
        return false;
    }
    map->keys = keys;
    items = reallocarray(map->items, capacity, map->item_size);
    if (items == NULL) {
        return false;
    }
    map->items = items;
    map->capacity = capacity;
    return grow_slots(map, capacity * 2);
}

static void *add(ItemMap *map, uint64_t key)
{
    void *item;

    if (map->count == map->capacity && !grow(map)) {
        return NULL;
    }
    map->keys[map->count] = key;
    *find_slot(map, key) = map->count + 1;
    map->latest = map->count++;
    item = ItemMapAt(map, map->latest);
    memset(item, 0, map->item_size);
    return item;
}

void *ItemMapGet(ItemMap *map, uint64_t key, size_t item_size)
{
    uint32_t slot;

    if (map->count == 0) {
        map->item_size = item_size;
        return add(map, key);
    }
    if (map->keys[map->latest] != key) {
        slot = *find_slot(map, key);
        if (slot == 0) {
            return add(map, key);
        }
        map->latest = slot - 1;
    }
    return ItemMapAt(map, map->latest);
}

void *ItemMapFind(const ItemMap *map, uint64_t key)
{
    const uint32_t slot = map->count == 0 ? 0 : *find_slot(map, key);

    return slot == 0 ? NULL : ItemMapAt(map, slot - 1);
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
    free(map->slots);
    *map = (ItemMap){ .count = 0 };
}
