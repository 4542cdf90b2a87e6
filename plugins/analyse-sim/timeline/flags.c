/* SPDX-License-Identifier: Apache-2.0 */
/* Holds flags until their other half comes. */
#include "flags.h"

#include <stdlib.h>
#include <string.h>

typedef struct Key {
    char *text; /* NULL: the slot is free */
    uint32_t length;
    uint32_t hash;
    OpenFlag *ring;
    uint32_t capacity; /* a power of two, or 0 */
    uint32_t first;
    uint32_t count;
    FlagSide side; /* of what is in the ring */
} Key;

struct FlagTable {
    Key *slots; /* open addressing, at most half full */
    uint32_t capacity;
    uint32_t keys;
    uint32_t open;
    uint64_t forgotten;
    FlagAlone *alone; /* or NULL */
    void *context;    /* of it */
};

#define FIRST_SLOTS 64u

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

/* Keys differ in their last bytes if anywhere, so all of them count; eight at a time. */
static uint32_t hash_bytes(const char *bytes, size_t length)
{
    uint64_t hash = length;
    uint64_t word = 0;

    for (; length > sizeof word; bytes += sizeof word, length -= sizeof word) {
        memcpy(&word, bytes, sizeof word);
        hash = mix(hash, word);
    }
    word = 0;
    memcpy(&word, bytes, length);
    return (uint32_t) mix(hash, word);
}

FlagTable *FlagTableCreate(FlagAlone *alone, void *context)
{
    FlagTable *table = calloc(1, sizeof *table);

    if (table == NULL) {
        return NULL;
    }
    table->slots = calloc(FIRST_SLOTS, sizeof *table->slots);
    table->capacity = FIRST_SLOTS;
    table->alone = alone;
    table->context = context;
    if (table->slots == NULL) {
        free(table);
        return NULL;
    }
    return table;
}

/* Drop all keys and all that is open. */
static void drop(FlagTable *table)
{
    for (uint32_t i = 0; i < table->capacity; i++) {
        free(table->slots[i].text);
        free(table->slots[i].ring);
    }
    memset(table->slots, 0, table->capacity * sizeof *table->slots);
    table->keys = 0;
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

    for (uint32_t i = 0; table->alone != NULL && status == OPPROF_OK && i < table->capacity; i++) {
        status = end_key(table, &table->slots[i]);
    }
    drop(table);
    return status;
}

/* A limit is passed. */
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
    free(table->slots);
    free(table);
}

static Key *find_slot(Key *slots, uint32_t capacity, const char *text, size_t length, uint32_t hash)
{
    uint32_t i = hash & (capacity - 1);

    while (slots[i].text != NULL && (slots[i].hash != hash || slots[i].length != length ||
                                     memcmp(slots[i].text, text, length) != 0)) {
        i = (i + 1) & (capacity - 1);
    }
    return &slots[i];
}

static bool grow_slots(FlagTable *table)
{
    uint32_t capacity = table->capacity * 2;
    Key *slots = calloc(capacity, sizeof *slots);

    if (slots == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < table->capacity; i++) {
        Key *key = &table->slots[i];

        if (key->text != NULL) {
            *find_slot(slots, capacity, key->text, key->length, key->hash) = *key;
        }
    }
    free(table->slots);
    table->slots = slots;
    table->capacity = capacity;
    return true;
}

/* The key's slot, made when it is new; NULL without memory or when *ret_status says why. */
static Key *find_key(FlagTable *table, const char *text, size_t length, OpprofStatus *ret_status)
{
    uint32_t hash = hash_bytes(text, length);
    Key *key = find_slot(table->slots, table->capacity, text, length, hash);

    if (key->text != NULL) {
        return key;
    }
    if (table->keys == FLAG_KEYS_MAX) {
        *ret_status = forget(table);
    }
    if (*ret_status != OPPROF_OK) {
        return NULL;
    }
    if (table->keys >= table->capacity / 2 && !grow_slots(table)) {
        return NULL;
    }
    key = find_slot(table->slots, table->capacity, text, length, hash);
    key->text = malloc(length + 1);
    if (key->text == NULL) {
        return NULL;
    }
    memcpy(key->text, text, length);
    key->length = (uint32_t) length;
    key->hash = hash;
    table->keys++;
    return key;
}

static bool grow_ring(Key *key)
{
    uint32_t capacity = key->capacity == 0 ? 4 : key->capacity * 2;
    OpenFlag *ring = malloc(capacity * sizeof *ring);

    if (ring == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < key->count; i++) {
        ring[i] = key->ring[(key->first + i) & (key->capacity - 1)];
    }
    free(key->ring);
    key->ring = ring;
    key->capacity = capacity;
    key->first = 0;
    return true;
}

static OpenFlag take_oldest(FlagTable *table, Key *key)
{
    OpenFlag flag = key->ring[key->first];

    key->first = (key->first + 1) & (key->capacity - 1);
    key->count--;
    table->open--;
    return flag;
}

OpprofStatus FlagTableMeet(FlagTable *table, const char *text, size_t text_length, FlagSide side,
                           const OpenFlag *flag, OpenFlag *ret_partner, bool *ret_found)
{
    OpprofStatus status = OPPROF_OK;
    Key *key;

    *ret_found = false;
    if (text_length > FLAG_KEY_LENGTH_MAX) {
        table->forgotten++;
        return table->alone == NULL ? OPPROF_OK
                                    : table->alone(table->context, text, text_length, side, flag);
    }
    if (table->open == FLAG_OPEN_MAX) {
        status = forget(table);
    }
    key = status == OPPROF_OK ? find_key(table, text, text_length, &status) : NULL;
    if (key == NULL) {
        return status == OPPROF_OK ? OPPROF_E_MEMORY : status;
    }
    if (key->count > 0 && key->side != side) {
        *ret_partner = take_oldest(table, key);
        *ret_found = true;
        return OPPROF_OK;
    }
    if (key->count == key->capacity && !grow_ring(key)) {
        return OPPROF_E_MEMORY;
    }
    key->side = side;
    key->ring[(key->first + key->count) & (key->capacity - 1)] = *flag;
    key->count++;
    table->open++;
    return OPPROF_OK;
}

uint64_t FlagTableForgotten(const FlagTable *table)
{
    return table->forgotten;
}
