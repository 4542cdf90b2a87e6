/* SPDX-License-Identifier: Apache-2.0 */
/* Hash maps with open addressing and linear probing, at most half full. */
#include "base/chunks.h"
#include "base/hash.h"

#include <opprof/intern.h>
#include <opprof/map.h>
#include <opprof/require.h>

#include <stdlib.h>
#include <string.h>

#define FIRST_BITS 5
#define MOST_KEYS (UINT32_C(1) << 30)
#define CHUNK_BYTES 8192

/* ---- numbers ---- */

static uint32_t mask_of(const OpprofMap *map)
{
    return (uint32_t) ((UINT64_C(1) << (64 - map->shift)) - 1);
}

/* The key's slot, or the free one where it belongs. */
static OpprofMapSlot *find_slot(const OpprofMap *map, uint64_t key)
{
    uint32_t at = OpprofMapHome(map, key);

    while (map->slots[at].place != 0 && map->slots[at].key != key) {
        at = (at + 1) & mask_of(map);
    }
    return &map->slots[at];
}

/* To 2^bits slots. */
static bool resize(OpprofMap *map, uint32_t bits)
{
    const uint32_t old_count = map->slots == NULL ? 0 : mask_of(map) + 1;
    OpprofMap grown = { .count = map->count,
                        .shift = 64 - bits,
                        .seed = map->slots == NULL ? HashSeed(map) | 1 : map->seed };

    grown.slots = calloc((size_t) 1 << bits, sizeof *grown.slots);
    if (grown.slots == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < old_count; i++) {
        if (map->slots[i].place != 0) {
            *find_slot(&grown, map->slots[i].key) = map->slots[i];
        }
    }
    free(map->slots);
    *map = grown;
    return true;
}

static uint32_t bits_of(const OpprofMap *map)
{
    return map->slots == NULL ? FIRST_BITS - 1 : 64 - map->shift;
}

bool OpprofMapReserve(OpprofMap *map, uint32_t count)
{
    OPPROF_REQUIRE("map-given", map != NULL, "The map is given");

    uint32_t bits = bits_of(map);

    if (count > MOST_KEYS) {
        return false;
    }
    while (UINT64_C(1) << bits < (uint64_t) count * 2) {
        bits++;
    }
    return bits == bits_of(map) || resize(map, bits);
}

bool OpprofMapPut(OpprofMap *map, uint64_t key, uint32_t place)
{
    OPPROF_REQUIRE("map-given", map != NULL, "The map is given");

    OpprofMapSlot *slot;

    if (place == OPPROF_MAP_NONE || map->count >= MOST_KEYS) {
        return false;
    }
    if ((map->slots == NULL || map->count > mask_of(map) / 2) && !resize(map, bits_of(map) + 1)) {
        return false;
    }
    slot = find_slot(map, key);
    map->count += slot->place == 0;
    *slot = (OpprofMapSlot){ .key = key, .place = place + 1 };
    return true;
}

uint32_t OpprofMapRemove(OpprofMap *map, uint64_t key)
{
    OPPROF_REQUIRE("map-given", map != NULL, "The map is given");

    OpprofMapSlot *slot = map->slots == NULL ? NULL : find_slot(map, key);
    uint32_t hole, at, place;

    if (slot == NULL || slot->place == 0) {
        return OPPROF_MAP_NONE;
    }
    place = slot->place - 1;
    hole = (uint32_t) (slot - map->slots);
    /* Entries after the hole that may fill it move up, so that no search ends too early. */
    for (at = (hole + 1) & mask_of(map); map->slots[at].place != 0; at = (at + 1) & mask_of(map)) {
        const uint32_t home = OpprofMapHome(map, map->slots[at].key);

        if (((at - home) & mask_of(map)) >= ((at - hole) & mask_of(map))) {
            map->slots[hole] = map->slots[at];
            hole = at;
        }
    }
    map->slots[hole] = (OpprofMapSlot){ .place = 0 };
    map->count--;
    return place;
}

void OpprofMapClear(OpprofMap *map)
{
    OPPROF_REQUIRE("map-given", map != NULL, "The map is given");
    if (map->slots != NULL) {
        memset(map->slots, 0, ((size_t) mask_of(map) + 1) * sizeof *map->slots);
    }
    map->count = 0;
}

void OpprofMapFinish(OpprofMap *map)
{
    OPPROF_REQUIRE("map-given", map != NULL, "The map is given");
    free(map->slots);
    *map = (OpprofMap){ .slots = NULL };
}

/* ---- texts ---- */

static OpprofTextMapSlot *find_text(OpprofTextMapSlot *slots, uint32_t mask, const char *text,
                                    size_t length, uint32_t hash)
{
    uint32_t at = hash & mask;

    while (slots[at].text != NULL && (slots[at].hash != hash || slots[at].length != length ||
                                      (length > 0 && memcmp(slots[at].text, text, length) != 0))) {
        at = (at + 1) & mask;
    }
    return &slots[at];
}

static uint32_t hash_text(const OpprofTextMap *map, const char *text, size_t length)
{
    return (uint32_t) (OpprofInternHash(map->seed, text, length) >> 32);
}

uint32_t OpprofTextMapFind(const OpprofTextMap *map, const char *text, size_t length)
{
    OPPROF_REQUIRE("map-given", map != NULL, "The map is given");
    OPPROF_REQUIRE("map-text-given", text != NULL || length == 0,
                   "A key may be NULL only if its length is 0");

    const OpprofTextMapSlot *slot;

    if (map->slots == NULL) {
        return OPPROF_MAP_NONE;
    }
    slot = find_text(map->slots, map->mask, text, length, hash_text(map, text, length));
    return slot->text == NULL ? OPPROF_MAP_NONE : slot->place;
}

static bool grow_texts(OpprofTextMap *map)
{
    const uint32_t count = map->slots == NULL ? 1u << FIRST_BITS : (map->mask + 1) * 2;
    OpprofTextMapSlot *slots = calloc(count, sizeof *slots);

    if (slots == NULL) {
        return false;
    }
    if (map->slots == NULL) {
        map->seed = HashSeed(map) | 1;
    }
    for (uint32_t i = 0; map->slots != NULL && i <= map->mask; i++) {
        const OpprofTextMapSlot *slot = &map->slots[i];

        if (slot->text != NULL) {
            *find_text(slots, count - 1, slot->text, slot->length, slot->hash) = *slot;
        }
    }
    free(map->slots);
    map->slots = slots;
    map->mask = count - 1;
    return true;
}

bool OpprofTextMapPut(OpprofTextMap *map, const char *text, size_t length, uint32_t place,
                      const char **ret_text)
{
    OPPROF_REQUIRE("map-given", map != NULL, "The map is given");
    OPPROF_REQUIRE("map-text-given", text != NULL || length == 0,
                   "A key may be NULL only if its length is 0");

    char *copy;
    uint32_t hash;

    if (place == OPPROF_MAP_NONE || length > UINT32_MAX || map->count >= MOST_KEYS) {
        return false;
    }
    if ((map->slots == NULL || map->count > map->mask / 2) && !grow_texts(map)) {
        return false;
    }
    copy = ChunksTake(&map->chunks, length + 1, CHUNK_BYTES);
    if (copy == NULL) {
        return false;
    }
    if (length > 0) {
        memcpy(copy, text, length);
    }
    copy[length] = '\0';
    hash = hash_text(map, text, length);
    *find_text(map->slots, map->mask, text, length, hash) = (OpprofTextMapSlot){
        .text = copy, .hash = hash, .length = (uint32_t) length, .place = place
    };
    map->count++;
    if (ret_text != NULL) {
        *ret_text = copy;
    }
    return true;
}

void OpprofTextMapClear(OpprofTextMap *map)
{
    OPPROF_REQUIRE("map-given", map != NULL, "The map is given");
    ChunksFree(&map->chunks);
    if (map->slots != NULL) {
        memset(map->slots, 0, ((size_t) map->mask + 1) * sizeof *map->slots);
    }
    map->count = 0;
}

void OpprofTextMapFinish(OpprofTextMap *map)
{
    OPPROF_REQUIRE("map-given", map != NULL, "The map is given");
    ChunksFree(&map->chunks);
    free(map->slots);
    *map = (OpprofTextMap){ .slots = NULL };
}
