/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_PAIRING_KEYS_H
#define COLLECT_SIM_PAIRING_KEYS_H

/*
 * Entries by a 64-bit key: structs that begin with it, in an array, and a map to their places. They
 * are never removed (one per PC, or per page of ids).
 */

#include <opprof/map.h>

typedef struct KeyTable {
    unsigned char *entries;
    size_t entry_size; /* of a struct whose first member is the uint64_t key; set it first */
    uint32_t count;
    uint32_t capacity;
    OpprofMap places;
} KeyTable;

static inline void *KeyTableAt(const KeyTable *table, uint32_t number)
{
    return table->entries + (size_t) number * table->entry_size;
}

static inline uint32_t KeyTablePlace(const KeyTable *table, const void *entry)
{
    return (uint32_t) ((size_t) ((const unsigned char *) entry - table->entries) /
                       table->entry_size);
}

/* The entry of a key, or NULL. Valid until the next KeyTableAdd. */
static inline void *KeyTableFind(const KeyTable *table, uint64_t key)
{
    const uint32_t place = OpprofMapFind(&table->places, key);

    return place == OPPROF_MAP_NONE ? NULL : KeyTableAt(table, place);
}

/* Add a key that KeyTableFind did not find: its entry, with zeroes after the key; NULL without
 * memory. */
void *KeyTableCreate(KeyTable *table, uint64_t key);
/* The entry of a key, created if necessary; NULL without memory. */
static inline void *KeyTableAdd(KeyTable *table, uint64_t key)
{
    void *entry = KeyTableFind(table, key);

    return entry != NULL ? entry : KeyTableCreate(table, key);
}
/* Bytes that it holds. */
size_t KeyTableHeld(const KeyTable *table);
void KeyTableFinish(KeyTable *table);

#endif
