/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_KEYS_H
#define COLLECT_SIM_KEYS_H

/*
 * Hash tables of 64-bit keys. KeyTable holds entries that begin with their key and are never
 * removed (one per PC, or per page of ids).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct KeyTable {
    unsigned char *entries;
    size_t entry_size; /* of a struct whose first member is the uint64_t key; set it first */
    uint32_t count;
    uint32_t capacity;
    uint32_t *cells; /* number of an entry plus 1, 0: free; linear probing */
    uint32_t shift;  /* 64 - log2(cells) */
} KeyTable;

static inline uint64_t KeyHash(uint64_t key)
{
    key ^= key >> 32;
    return key * UINT64_C(0x9e3779b97f4a7c15);
}

static inline void *KeyTableAt(const KeyTable *table, uint32_t number)
{
    return table->entries + (size_t) number * table->entry_size;
}

/* The entry of a key, or NULL. Valid until the next KeyTableAdd. */
static inline void *KeyTableFind(const KeyTable *table, uint64_t key)
{
    const uint32_t mask = table->cells == NULL ? 0 : (uint32_t) (UINT64_MAX >> table->shift);

    if (table->cells == NULL) {
        return NULL;
    }
    for (uint32_t cell = (uint32_t) (KeyHash(key) >> table->shift);; cell = (cell + 1) & mask) {
        uint64_t *entry;

        if (table->cells[cell] == 0) {
            return NULL;
        }
        entry = KeyTableAt(table, table->cells[cell] - 1);
        if (*entry == key) {
            return entry;
        }
    }
}

/* The entry of a key, made with zeroes behind the key if there was none; NULL without memory. */
void *KeyTableAdd(KeyTable *table, uint64_t key);
void KeyTableFinish(KeyTable *table);

#endif
