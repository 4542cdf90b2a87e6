/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A set of things, each with a number from its addition on. Tested by
 * tests/core/base/test_strings.
 */
#include "base/hash.h"

#include <opprof/intern.h>
#include <opprof/require.h>

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#define CHUNK_BITS 12u
#define CHUNK_ITEMS (1u << CHUNK_BITS)
#define FIRST_SLOTS 256u

/* Open addressing, at most half full. A slot: the upper half of a hash, then index + 1; 0: free. */
typedef struct Slots {
    struct Slots *older; /* readers may still look into it, so it stays until the end */
    uint32_t mask;
    _Atomic uint64_t slot[];
} Slots;

typedef struct Chunk {
    const void *item[CHUNK_ITEMS];
} Chunk;

struct OpprofIntern {
    OpprofInternEquals *equals;
    uint64_t seed;
    uint32_t max;
    _Atomic uint32_t count; /* released when the item is in place */
    _Atomic(Slots *) slots; /* released when all slots are in place */
    uint32_t chunk_count;
    _Atomic(Chunk *) chunk[];
};

static uint64_t fold(uint64_t a, uint64_t b)
{
    const unsigned __int128 product = (unsigned __int128) a * b;
    return (uint64_t) product ^ (uint64_t) (product >> 64);
}

/* Small seeds, such as 0, must also give a factor that spreads the bits of small numbers. */
uint64_t OpprofInternHash(uint64_t seed, const void *data, size_t size)
{
    const uint64_t factor =
        fold(seed ^ UINT64_C(0x8ebc6af09c88c6e3), UINT64_C(0x589965cc75374cc3)) | 1;
    const unsigned char *at = data;
    uint64_t hash = seed ^ fold(size + UINT64_C(0x9e3779b97f4a7c15), UINT64_C(0xd6e8feb86659fd93));
    uint64_t word = 0;

    for (; size >= sizeof word; size -= sizeof word, at += sizeof word) {
        memcpy(&word, at, sizeof word);
        hash = fold(hash ^ word, factor);
    }
    word = 0;
    if (size > 0) {
        memcpy(&word, at, size);
    }
    hash = fold(hash ^ word, factor);
    return fold(hash, UINT64_C(0xa0761d6478bd642f));
}

/* A secret of the process, unknown to any input; taken once, since the kernel's answer takes longer
 * than filling a small map. */
static uint64_t secret_of_process(const void *somewhere)
{
    static _Atomic uint64_t secret;
    uint64_t known = atomic_load_explicit(&secret, memory_order_relaxed);
    uint64_t taken = 0;

    if (known != 0) {
        return known;
    }
    if (getrandom(&taken, sizeof taken, GRND_NONBLOCK) != (ssize_t) sizeof taken) {
        struct timespec now = { 0 };
        clock_gettime(CLOCK_MONOTONIC, &now);
        taken = fold((uint64_t) now.tv_nsec ^ UINT64_C(0xe7037ed1a0b428db),
                     (uint64_t) (uintptr_t) somewhere);
    }
    taken |= 1;
    return atomic_compare_exchange_strong(&secret, &known, taken) ? taken : known;
}

uint64_t HashSeed(const void *somewhere)
{
    static _Atomic uint64_t seeds;
    const uint64_t number = atomic_fetch_add_explicit(&seeds, 1, memory_order_relaxed);

    return fold(secret_of_process(somewhere) ^ (number + 1) * UINT64_C(0x9e3779b97f4a7c15),
                UINT64_C(0xd6e8feb86659fd93));
}

static Slots *create_slots(uint32_t count)
{
    Slots *slots = calloc(1, sizeof *slots + count * sizeof slots->slot[0]);
    if (slots != NULL) {
        slots->mask = count - 1;
    }
    return slots;
}

OpprofIntern *OpprofInternCreate(uint32_t max, OpprofInternEquals *equals)
{
    OPPROF_REQUIRE("intern-limits", equals != NULL && max <= 1u << 30,
                   "A table has a comparison and at most 2^30 items");

    const uint32_t chunks = (max + CHUNK_ITEMS - 1) >> CHUNK_BITS;
    OpprofIntern *intern = calloc(1, sizeof *intern + chunks * sizeof intern->chunk[0]);
    Slots *slots = create_slots(FIRST_SLOTS);

    if (intern == NULL || slots == NULL) {
        free(intern);
        free(slots);
        return NULL;
    }
    intern->equals = equals;
    intern->seed = HashSeed(intern);
    intern->max = max;
    intern->chunk_count = chunks;
    atomic_init(&intern->slots, slots);
    return intern;
}

void OpprofInternDestroy(OpprofIntern *intern)
{
    if (intern == NULL) {
        return;
    }
    for (uint32_t i = 0; i < intern->chunk_count; i++) {
        free(atomic_load_explicit(&intern->chunk[i], memory_order_relaxed));
    }
    Slots *slots = atomic_load_explicit(&intern->slots, memory_order_relaxed);
    while (slots != NULL) {
        Slots *older = slots->older;
        free(slots);
        slots = older;
    }
    free(intern);
}

static const void *item_at(const OpprofIntern *intern, uint32_t index)
{
    const Chunk *chunk =
        atomic_load_explicit(&intern->chunk[index >> CHUNK_BITS], memory_order_relaxed);
    return chunk->item[index & (CHUNK_ITEMS - 1)];
}

uint32_t OpprofInternFind(const OpprofIntern *intern, uint64_t hash, const void *key)
{
    OPPROF_REQUIRE("intern-given", intern != NULL, "The table is given");

    const Slots *slots = atomic_load_explicit(&intern->slots, memory_order_acquire);
    const uint32_t mark = (uint32_t) (hash >> 32);

    for (uint32_t i = mark & slots->mask;; i = (i + 1) & slots->mask) {
        const uint64_t slot = atomic_load_explicit(&slots->slot[i], memory_order_acquire);
        if (slot == 0) {
            return OPPROF_INTERN_NONE;
        }
        const uint32_t index = (uint32_t) slot - 1;
        if (slot >> 32 == mark && intern->equals(item_at(intern, index), key)) {
            return index;
        }
    }
}

static void put_slot(Slots *slots, uint64_t slot)
{
    uint32_t at = (uint32_t) (slot >> 32) & slots->mask;

    while (atomic_load_explicit(&slots->slot[at], memory_order_relaxed) != 0) {
        at = (at + 1) & slots->mask;
    }
    atomic_store_explicit(&slots->slot[at], slot, memory_order_release);
}

/* A reader of older slots at worst misses, and then asks again under the lock. */
static bool grow_slots(OpprofIntern *intern)
{
    Slots *old = atomic_load_explicit(&intern->slots, memory_order_relaxed);
    Slots *slots = create_slots((old->mask + 1) * 2);

    if (slots == NULL) {
        return false;
    }
    for (uint32_t i = 0; i <= old->mask; i++) {
        const uint64_t slot = atomic_load_explicit(&old->slot[i], memory_order_relaxed);
        if (slot != 0) {
            put_slot(slots, slot);
        }
    }
    slots->older = old;
    atomic_store_explicit(&intern->slots, slots, memory_order_release);
    return true;
}

static bool put_item(OpprofIntern *intern, uint32_t index, const void *item)
{
    _Atomic(Chunk *) *place = &intern->chunk[index >> CHUNK_BITS];
    Chunk *chunk = atomic_load_explicit(place, memory_order_relaxed);

    if (chunk == NULL) {
        chunk = malloc(sizeof *chunk);
        if (chunk == NULL) {
            return false;
        }
        atomic_store_explicit(place, chunk, memory_order_relaxed); /* released with the count */
    }
    chunk->item[index & (CHUNK_ITEMS - 1)] = item;
    return true;
}

uint32_t OpprofInternAdd(OpprofIntern *intern, uint64_t hash, const void *item)
{
    OPPROF_REQUIRE("intern-given", intern != NULL, "The table is given");

    const uint32_t index = atomic_load_explicit(&intern->count, memory_order_relaxed);
    const Slots *slots = atomic_load_explicit(&intern->slots, memory_order_relaxed);

    if (index >= intern->max) {
        return OPPROF_INTERN_NONE;
    }
    if (index >= (slots->mask + 1) / 2 && !grow_slots(intern)) {
        return OPPROF_INTERN_NONE;
    }
    if (!put_item(intern, index, item)) {
        return OPPROF_INTERN_NONE;
    }
    atomic_store_explicit(&intern->count, index + 1, memory_order_release);
    put_slot(atomic_load_explicit(&intern->slots, memory_order_relaxed),
             (hash & ~(uint64_t) UINT32_MAX) | (index + 1));
    return index;
}

const void *OpprofInternGet(const OpprofIntern *intern, uint32_t index)
{
    OPPROF_REQUIRE("intern-given", intern != NULL, "The table is given");
    return index < OpprofInternCount(intern) ? item_at(intern, index) : NULL;
}

uint32_t OpprofInternCount(const OpprofIntern *intern)
{
    OPPROF_REQUIRE("intern-given", intern != NULL, "The table is given");
    return atomic_load_explicit(&intern->count, memory_order_acquire);
}

uint64_t OpprofInternSeed(const OpprofIntern *intern)
{
    OPPROF_REQUIRE("intern-given", intern != NULL, "The table is given");
    return intern->seed;
}
