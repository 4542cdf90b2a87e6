/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_MAP_H
#define OPPROF_MAP_H

/**
 * @file
 * Hash maps from a number or a text to the place of an entry that the caller holds (an index into
 * an array of its own). Seeded, so that no input can aim for collisions. Zeroed memory is an empty
 * map; one thread at a time. A `key` is any number, a `text` has `length` bytes of any value and
 * may be NULL when that is 0, and a `place` is below OPPROF_MAP_NONE. What several threads read
 * while one adds is in intern.h. Experimental. [owner]
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define OPPROF_MAP_NONE UINT32_MAX /**< No such key. */

/** Slot of an OpprofMap. */
typedef struct OpprofMapSlot {
    uint64_t key;    /**< The key. */
    uint32_t place;  /**< Place of the entry plus 1; 0: free. */
    uint32_t unused; /**< 0. */
} OpprofMapSlot;

/** A map of numbers (addresses, ids, pairs of ids put into one number). */
typedef struct OpprofMap {
    OpprofMapSlot *slots; /**< A power of two of them; NULL while empty. */
    uint32_t count;       /**< Keys. */
    uint32_t shift;       /**< 64 minus the bits of the number of slots. */
    uint64_t seed;        /**< Odd. */
} OpprofMap;

/** Slot at which the search for a key begins. For the functions below. */
static inline uint32_t OpprofMapHome(const OpprofMap *map, uint64_t key)
{
    key ^= key >> 32;
    return (uint32_t) (((key ^ (map->seed >> 1)) * map->seed) >> map->shift);
}

/** Place of the key's entry, or OPPROF_MAP_NONE. */
static inline uint32_t OpprofMapFind(const OpprofMap *map, uint64_t key)
{
    uint32_t mask, at;

    if (map->slots == NULL) {
        return OPPROF_MAP_NONE;
    }
    at = OpprofMapHome(map, key);
    if (map->slots[at].key == key || map->slots[at].place == 0) {
        return map->slots[at].place - 1; /* OPPROF_MAP_NONE if it is free */
    }
    mask = (uint32_t) ((UINT64_C(1) << (64 - map->shift)) - 1);
    do {
        at = (at + 1) & mask;
    } while (map->slots[at].place != 0 && map->slots[at].key != key);
    return map->slots[at].place - 1;
}

/** Add a key that OpprofMapFind did not find, or give the key another place. False without memory
 * or beyond 2^30 keys; the map is as before. */
bool OpprofMapPut(OpprofMap *map, uint64_t key, uint32_t place);

/** Make room for `count` keys in all, where their number is known: a map that grows by itself moves
 * its keys each time. Returns as OpprofMapPut. */
bool OpprofMapReserve(OpprofMap *map, uint32_t count);

/** Take a key out. Returns its place, or OPPROF_MAP_NONE if it was not there. */
uint32_t OpprofMapRemove(OpprofMap *map, uint64_t key);

/** Take all keys out and keep the memory. */
void OpprofMapClear(OpprofMap *map);

/** Free what the map holds; it is empty then. */
void OpprofMapFinish(OpprofMap *map);

/** Slot of an OpprofTextMap. */
typedef struct OpprofTextMapSlot {
    const char *text; /**< The key, NULL: free. */
    uint32_t hash;    /**< Upper half of its hash. */
    uint32_t length;  /**< Bytes of the key. */
    uint32_t place;   /**< Place of the entry. */
    uint32_t unused;  /**< 0. */
} OpprofTextMapSlot;

/** A map of texts, which it copies. */
typedef struct OpprofTextMap {
    OpprofTextMapSlot *slots;       /**< A power of two of them; NULL while empty. */
    uint32_t count;                 /**< Keys. */
    uint32_t mask;                  /**< Number of slots minus 1. */
    uint64_t seed;                  /**< Of the hashes. */
    struct OpprofTextChunk *chunks; /**< Copies of the keys. */
} OpprofTextMap;

/** Place of the text's entry, or OPPROF_MAP_NONE. */
uint32_t OpprofTextMapFind(const OpprofTextMap *map, const char *text, size_t length);

/** Add a text that OpprofTextMapFind did not find; `ret_text`, which may be NULL, gets the map's
 * NUL-terminated copy, valid until the map is cleared or finished. False without memory, beyond
 * 2^30 keys or for a text beyond 4 GiB; the map is as before. */
bool OpprofTextMapPut(OpprofTextMap *map, const char *text, size_t length, uint32_t place,
                      const char **ret_text);

/** Take all keys out; their copies are freed. */
void OpprofTextMapClear(OpprofTextMap *map);

/** Free what the map holds; it is empty then. */
void OpprofTextMapFinish(OpprofTextMap *map);

#ifdef __cplusplus
}
#endif

#endif
