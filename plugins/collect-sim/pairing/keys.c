/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entries of addresses and instruction ids. Tested by tests/plugins/collect-sim/test_tables.c.
 */
#include "keys.h"
#include <opprof/grow.h>
#include <stdlib.h>
#include <string.h>

void *KeyTableCreate(KeyTable *table, uint64_t key)
{
    void *entry;

    if (!OpprofGrow32(&table->entries, &table->capacity, (size_t) table->count + 1,
                      table->entry_size) ||
        !OpprofMapPut(&table->places, key, table->count)) {
        return NULL;
    }
    entry = KeyTableAt(table, table->count++);
    memset(entry, 0, table->entry_size);
    memcpy(entry, &key, sizeof key);
    return entry;
}

size_t KeyTableHeld(const KeyTable *table)
{
    const size_t slots = table->places.slots == NULL ? 0 : (size_t) 1 << (64 - table->places.shift);

    return table->capacity * table->entry_size + slots * sizeof(OpprofMapSlot);
}

void KeyTableFinish(KeyTable *table)
{
    free(table->entries);
    OpprofMapFinish(&table->places);
    *table = (KeyTable){ .entry_size = table->entry_size };
}
