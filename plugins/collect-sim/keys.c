/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hash tables of addresses and instruction ids. Tested by tests/plugins/collect-sim/test_tables.c.
 */
#include "keys.h"
#include <stdlib.h>
#include <string.h>

#define FIRST_BITS 8u
#define MOST_ENTRIES (UINT32_C(1) << 30)

/* ---- tables that only grow ---- */

static void place(const KeyTable *table, uint32_t number)
{
    const uint32_t mask = (uint32_t) (UINT64_MAX >> table->shift);
    const uint64_t *entry = KeyTableAt(table, number);
    uint32_t cell = (uint32_t) (KeyHash(*entry) >> table->shift);

    while (table->cells[cell] != 0) {
        cell = (cell + 1) & mask;
    }
    table->cells[cell] = number + 1;
}

/* Twice the room; cells stay at most half full. */
static bool grow_table(KeyTable *table)
{
    const uint32_t bits = table->cells == NULL ? FIRST_BITS : 64 - table->shift + 1;
    const uint32_t capacity = UINT32_C(1) << (bits - 1);
    unsigned char *entries;
    uint32_t *cells;

    if (capacity > MOST_ENTRIES) {
        return false;
    }
    entries = reallocarray(table->entries, capacity, table->entry_size);
    if (entries == NULL) {
        return false;
    }
    table->entries = entries;
    cells = calloc((size_t) capacity * 2, sizeof *cells);
    if (cells == NULL) {
        return false;
    }
    free(table->cells);
    table->cells = cells;
    table->capacity = capacity;
    table->shift = 64 - bits;
    for (uint32_t i = 0; i < table->count; i++) {
        place(table, i);
    }
    return true;
}

void *KeyTableAdd(KeyTable *table, uint64_t key)
{
    void *entry = KeyTableFind(table, key);

    if (entry != NULL) {
        return entry;
    }
    if (table->count == table->capacity && !grow_table(table)) {
        return NULL;
    }
    entry = KeyTableAt(table, table->count);
    memset(entry, 0, table->entry_size);
    memcpy(entry, &key, sizeof key);
    place(table, table->count++);
    return entry;
}

void KeyTableFinish(KeyTable *table)
{
    free(table->entries);
    free(table->cells);
    *table = (KeyTable){ .entry_size = table->entry_size };
}

/* ---- the map that forgets ---- */

static size_t id_mask(const IdMap *map)
{
    return (size_t) (UINT64_MAX >> map->shift);
}

/* The cell of a key, or the free one where it belongs. */
static IdMapCell *id_cell(const IdMap *map, uint64_t key)
{
    size_t at = (size_t) (KeyHash(key) >> map->shift);

    while (map->cells[at].value != ID_MAP_NONE && map->cells[at].key != key) {
        at = (at + 1) & id_mask(map);
    }
    return &map->cells[at];
}

uint32_t IdMapFind(const IdMap *map, uint64_t key)
{
    return map->cells == NULL ? ID_MAP_NONE : id_cell(map, key)->value;
}

static bool grow_map(IdMap *map)
{
    const IdMap old = *map;
    const uint32_t bits = old.cells == NULL ? FIRST_BITS : 64 - old.shift + 1;
    const size_t cells = (size_t) 1 << bits;

    map->cells = calloc(cells, sizeof *map->cells);
    if (map->cells == NULL) {
        map->cells = old.cells;
        return false;
    }
    map->shift = 64 - bits;
    for (size_t i = 0; i < cells; i++) {
        map->cells[i].value = ID_MAP_NONE;
    }
    for (size_t i = 0; old.cells != NULL && i < cells / 2; i++) {
        if (old.cells[i].value != ID_MAP_NONE) {
            *id_cell(map, old.cells[i].key) = old.cells[i];
        }
    }
    free(old.cells);
    return true;
}

bool IdMapPut(IdMap *map, uint64_t key, uint32_t value)
{
    if (map->cells == NULL || map->count * 2 > id_mask(map)) {
        if (!grow_map(map)) {
            return false;
        }
    }
    *id_cell(map, key) = (IdMapCell){ .key = key, .value = value };
    map->count++;
    return true;
}

/* Closes the gap by moving back what had been pushed past it. */
void IdMapRemove(IdMap *map, uint64_t key)
{
    const size_t mask = map->cells == NULL ? 0 : id_mask(map);
    IdMapCell *gap = map->cells == NULL ? NULL : id_cell(map, key);
    size_t hole, at;

    if (gap == NULL || gap->value == ID_MAP_NONE) {
        return;
    }
    hole = (size_t) (gap - map->cells);
    for (at = (hole + 1) & mask; map->cells[at].value != ID_MAP_NONE; at = (at + 1) & mask) {
        const size_t home = (size_t) (KeyHash(map->cells[at].key) >> map->shift);

        if (((at - home) & mask) >= ((at - hole) & mask)) {
            map->cells[hole] = map->cells[at];
            hole = at;
        }
    }
    map->cells[hole].value = ID_MAP_NONE;
    map->count--;
}

void IdMapFinish(IdMap *map)
{
    free(map->cells);
    *map = (IdMap){ .cells = NULL };
}
