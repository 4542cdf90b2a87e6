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
