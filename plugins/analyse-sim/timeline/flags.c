/* SPDX-License-Identifier: Apache-2.0 */
/* Holds flags until their other half comes. Tested by
 * tests/plugins/analyse-sim/timeline/test_flags.c. */
#include "flags.h"

#include <opprof/grow.h>
#include <opprof/map.h>
#include <stdlib.h>

#define DROP_SHIFT 40 /* of a number: above, how often all was dropped; below, arrivals since */

typedef struct Key {
    const char *text; /* the map's */
    uint32_t length;
    OpenFlag *ring;
    uint32_t capacity; /* a power of two, or 0 */
    uint32_t first;
    uint32_t count;
    FlagSide side; /* of what is in the ring */
    uint64_t arrived[2];
} Key;

struct FlagTable {
    OpprofTextMap places; /* of the keys */
    Key *keys;
    uint32_t capacity;
    uint32_t count;
    uint32_t open;
    uint64_t forgotten;
    uint64_t drops;   /* how often all keys were dropped */
    FlagAlone *alone; /* or NULL */
    void *context;    /* of it */
};

FlagTable *FlagTableCreate(FlagAlone *alone, void *context)
{
    FlagTable *table = calloc(1, sizeof *table);

    if (table != NULL) {
        table->alone = alone;
        table->context = context;
    }
    return table;
}

/* Drop all keys and all open halves. */
static void drop(FlagTable *table)
{
    for (uint32_t i = 0; i < table->count; i++) {
        free(table->keys[i].ring);
    }
    OpprofTextMapClear(&table->places);
    table->drops++;
    table->count = 0;
    table->open = 0;
}

static OpprofStatus end_key(const FlagTable *table, const Key *key)
{
    OpprofStatus status = OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < key->count; i++) {
        status = table->alone(table->context, key->text, key->length, key->side,
                              &key->ring[(key->first + i) & (key->capacity - 1)]);
    }
    return status;
}

OpprofStatus FlagTableEnd(FlagTable *table)
{
    OpprofStatus status = OPPROF_OK;

    for (uint32_t i = 0; table->alone != NULL && status == OPPROF_OK && i < table->count; i++) {
        status = end_key(table, &table->keys[i]);
    }
    drop(table);
    return status;
}

/* Called when a limit is passed. */
static OpprofStatus forget(FlagTable *table)
{
    table->forgotten += table->open;
    return FlagTableEnd(table);
}

void FlagTableDestroy(FlagTable *table)
{
    if (table == NULL) {
        return;
    }
    drop(table);
    free(table->keys);
    OpprofTextMapFinish(&table->places);
    free(table);
}

/* The key, made when it is new; NULL without memory, or for the reason in *ret_status. */
static Key *find_key(FlagTable *table, const char *text, size_t length, OpprofStatus *ret_status)
{
    const uint32_t place = OpprofTextMapFind(&table->places, text, length);
    Key key = { .length = (uint32_t) length };

    if (place != OPPROF_MAP_NONE) {
        return &table->keys[place];
    }
    if (table->count == FLAG_KEYS_MAX) {
        *ret_status = forget(table);
    }
    if (*ret_status != OPPROF_OK ||
        !OpprofGrow32(&table->keys, &table->capacity, (size_t) table->count + 1,
                      sizeof *table->keys) ||
        !OpprofTextMapPut(&table->places, text, length, table->count, &key.text)) {
        return NULL;
    }
    table->keys[table->count] = key;
    return &table->keys[table->count++];
}

static OpenFlag take_oldest(FlagTable *table, Key *key)
{
    OpenFlag flag = key->ring[key->first];

    key->first = (key->first + 1) & (key->capacity - 1);
    key->count--;
    table->open--;
    return flag;
}

OpprofStatus FlagTableMeet(FlagTable *table, const FlagHalf *half, const OpenFlag *flag,
                           OpenFlag *ret_partner, bool *ret_found)
{
    const FlagSide side = half->side;
    OpprofStatus status = OPPROF_OK;
    Key *key;

    *ret_found = false;
    if (half->key_length > FLAG_KEY_LENGTH_MAX) {
        table->forgotten++;
        return table->alone == NULL
                   ? OPPROF_OK
                   : table->alone(table->context, half->key, half->key_length, side, flag);
    }
    if (table->open == FLAG_OPEN_MAX) {
        status = forget(table);
    }
    key = status == OPPROF_OK ? find_key(table, half->key, half->key_length, &status) : NULL;
    if (key == NULL) {
        return status == OPPROF_OK ? OPPROF_E_MEMORY : status;
    }
    key->arrived[side]++;
    if (key->count > 0 && key->side != side) {
        *ret_partner = take_oldest(table, key);
        *ret_found = true;
        return OPPROF_OK;
    }
    if (!OpprofGrowRing(&key->ring, &key->capacity, key->first, key->count, sizeof *key->ring)) {
        return OPPROF_E_MEMORY;
    }
    key->side = side;
    key->ring[(key->first + key->count) & (key->capacity - 1)] = *flag;
    key->count++;
    table->open++;
    return OPPROF_OK;
}

uint64_t FlagTableNext(const FlagTable *table, const char *text, size_t text_length, FlagSide side)
{
    const uint32_t place = OpprofTextMapFind(&table->places, text, text_length);

    return (table->drops << DROP_SHIFT) +
           (place == OPPROF_MAP_NONE ? 0 : table->keys[place].arrived[side]);
}

uint64_t FlagTableForgotten(const FlagTable *table)
{
    return table->forgotten;
}
