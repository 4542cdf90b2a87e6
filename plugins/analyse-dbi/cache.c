/* SPDX-License-Identifier: Apache-2.0 */
/* The sets of a cache, and which line leaves a full one. */
#include "cache.h"

#include "byte_sets.h"
#include "choose.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define FREE 0u
#define DIRTY 1u
#define LANES 4u       /* words that are compared at once */
#define USUAL_WAYS 24u /* the compiler makes a separate loop for them */
#define HOST_LINE 64u  /* bytes of a line of the machine's cache */

typedef uint32_t Lanes __attribute__((vector_size(LANES * sizeof(uint32_t)), may_alias));
typedef int32_t SignedLanes __attribute__((vector_size(LANES * sizeof(int32_t)), may_alias));
typedef uint64_t Halves __attribute__((vector_size(LANES * sizeof(uint32_t)), may_alias));
typedef uint32_t LooseLanes
    __attribute__((vector_size(LANES * sizeof(uint32_t)), aligned(4), may_alias));

/* Numbers of ways as they lie in vectors, counted from 1. */
static const Lanes places[CACHE_MAX_WAYS / LANES] = {
    { 1, 2, 3, 4 },     { 5, 6, 7, 8 },     { 9, 10, 11, 12 },  { 13, 14, 15, 16 },
    { 17, 18, 19, 20 }, { 21, 22, 23, 24 }, { 25, 26, 27, 28 }, { 29, 30, 31, 32 },
    { 33, 34, 35, 36 }, { 37, 38, 39, 40 }, { 41, 42, 43, 44 }, { 45, 46, 47, 48 },
    { 49, 50, 51, 52 }, { 53, 54, 55, 56 }, { 57, 58, 59, 60 }, { 61, 62, 63, 64 },
};

static const char *const names[] = {
    [CACHE_LRU] = "lru", [CACHE_FIFO] = "fifo", [CACHE_PLRU] = "plru", [CACHE_RANDOM] = "random"
};

bool CachePolicyOf(const char *name, CachePolicy *ret_policy)
{
    for (unsigned i = 0; name != NULL && i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(names[i], name) == 0) {
            *ret_policy = (CachePolicy) i;
            return true;
        }
    }
    return false;
}

const char *CachePolicyName(CachePolicy policy)
{
    return names[policy];
}

static_assert(CACHE_FEW_IDS == UINT8_MAX / 2 && BYTE_SETS_STRIDE == HOST_LINE,
              "a set of bytes takes a line of the machine's cache");

static bool fits_bytes(const CacheGeometry *geometry)
{
    return geometry->policy == CACHE_LRU && geometry->ways <= BYTE_SETS_WAYS;
}

/* Allocates the sets of a cache whose `stride` is set, without lines in them. */
static bool make_sets(Cache *cache)
{
    cache->memory = calloc((size_t) cache->geometry.sets * cache->stride + HOST_LINE, 1);
    if (cache->memory == NULL) {
        return false;
    }
    cache->sets = (unsigned char *) cache->memory +
                  (HOST_LINE - (uintptr_t) cache->memory % HOST_LINE) % HOST_LINE;
    return true;
}

static void use_words(Cache *cache)
{
    const uint32_t bytes = CACHE_SIDE_BYTES + cache->vectors * (uint32_t) sizeof(Lanes);

    cache->has_bytes = false;
    cache->stride = (bytes + HOST_LINE - 1) / HOST_LINE * HOST_LINE;
}

bool CacheInit(Cache *cache, const CacheGeometry *geometry)
{
    *cache = (Cache){ .geometry = *geometry,
                      .stride = BYTE_SETS_STRIDE,
                      .has_bytes = fits_bytes(geometry),
                      .vectors = (geometry->ways + LANES - 1) / LANES,
                      .random = geometry->seed };
    if (!cache->has_bytes) {
        use_words(cache);
    }
    cache->bits = calloc(geometry->sets, sizeof *cache->bits);
    cache->set_mask = !geometry->is_hashed && (geometry->sets & (geometry->sets - 1)) == 0
                          ? geometry->sets - 1
                          : 0;
    if (cache->bits == NULL || !make_sets(cache)) {
        CacheFinish(cache);
        return false;
    }
    return true;
}

void CacheFinish(Cache *cache)
{
    free(cache->memory);
    free(cache->bits);
    cache->memory = NULL;
    cache->sets = NULL;
    cache->bits = NULL;
}

static inline uint32_t *words_of(const Cache *cache, uint32_t set)
{
    return (uint32_t *) CacheSide(cache, set) + CACHE_SIDE_BYTES / sizeof(uint32_t);
}

/* Turns bytes into words; lines, their order and dirty marks stay. */
bool CacheAllowIds(Cache *cache, uint32_t highest)
{
    Cache words = *cache;

    if (!cache->has_bytes || highest <= CACHE_FEW_IDS) {
        return true;
    }
    use_words(&words);
    if (!make_sets(&words)) {
        return false;
    }
    for (uint32_t set = 0; set < cache->geometry.sets; set++) {
        const unsigned char *bytes = CacheSide(cache, set);
        memcpy(CacheSide(&words, set), bytes, CACHE_SIDE_BYTES);
        for (uint32_t way = 0; way < cache->geometry.ways; way++) {
            words_of(&words, set)[way] = bytes[CACHE_SIDE_BYTES + way];
        }
    }
    free(cache->memory);
    *cache = words;
    return true;
}

/* The line's number, with its upper parts (each as wide as a set's number)
 * XORed onto the lowest. */
static uint64_t fold(uint64_t line, uint32_t sets)
{
    uint64_t folded = line;

    for (uint64_t rest = line / sets; rest != 0; rest /= sets) {
        folded ^= rest;
    }
    return folded;
}

uint32_t CacheSetByDivision(const Cache *cache, uint64_t line)
{
    const uint32_t sets = cache->geometry.sets;

    return (uint32_t) ((cache->geometry.is_hashed && sets > 1 ? fold(line, sets) : line) % sets);
}

/* ---- words ---- */

/* Way of a word's line in a set, counted from 1; 0: it is not there. */
static inline uint32_t find(const uint32_t *set, uint32_t vectors, uint32_t word)
{
    const Lanes wanted = (Lanes){ 0 } + (word | DIRTY);
    Lanes found = { 0 };

#pragma GCC unroll 6 /* USUAL_WAYS / LANES, here and below */
    for (uint32_t i = 0; i < vectors; i++) {
        const Lanes words = ((const Lanes *) (const void *) set)[i];
        found |= (Lanes) ((words | DIRTY) == wanted) & places[i];
    }
    const uint64_t both = ((Halves) found)[0] | ((Halves) found)[1];
    return (uint32_t) (both | both >> 32);
}

/* `before`: what the overwritten way held. */
static inline CacheOutcome outcome_of(uint32_t before, uint32_t missing)
{
    const uint32_t evicts = CACHE_MISS_EVICT_CLEAN + (before & DIRTY);

    return (CacheOutcome) (Choose(-(uint32_t) (before == FREE), CACHE_MISS, evicts) & missing);
}

/*
 * Each of the first `count` words of a set moves one way up. The word before a vector is read again
 * with it; the first vector has none.
 */
static inline void shift_ways(uint32_t *set, uint32_t vectors, uint32_t count)
{
    const SignedLanes last = (SignedLanes){ 0 } + (int32_t) (count + 1);
    Lanes *words = (Lanes *) (void *) set;

#pragma GCC unroll 6
    for (uint32_t i = vectors - 1; i > 0; i--) {
        const Lanes before = *(const LooseLanes *) (const void *) (set + i * LANES - 1);
        const Lanes stays = (Lanes) ((SignedLanes) places[i] > last);
        words[i] = (words[i] & stays) | (before & ~stays);
    }
    const Lanes first = words[0];
    const Lanes before = { first[0], first[0], first[1], first[2] };
    const Lanes stays = (Lanes) ((SignedLanes) places[0] > last);
    words[0] = (first & stays) | (before & ~stays);
}

static inline bool is_first(const uint32_t *set, uint32_t word)
{
    return (set[0] | DIRTY) == (word | DIRTY);
}

/* The first way is the most recently used. */
static inline CacheOutcome access_lru(uint32_t *set, uint32_t ways, uint32_t vectors, uint32_t word)
{
    if (is_first(set, word)) {
        set[0] |= word & DIRTY;
        return CACHE_HIT;
    }
    const uint32_t place = find(set, vectors, word);
    const uint32_t missing = MissingOf(place);
    const uint32_t way = Choose(missing, ways, place) - 1;
    const uint32_t before = set[way];
    shift_ways(set, vectors, way);
    set[0] = Choose(missing, word, before) | (word & DIRTY);
    return outcome_of(before, missing);
}

/* The first way is the most recently filled. */
static inline CacheOutcome access_fifo(uint32_t *set, uint32_t ways, uint32_t vectors,
                                       uint32_t word)
{
    const uint32_t place = is_first(set, word) ? 1 : find(set, vectors, word);

    if (place != 0) {
        set[place - 1] |= word & DIRTY;
        return CACHE_HIT;
    }
    const uint32_t before = set[ways - 1];
    shift_ways(set, vectors, ways - 1);
    set[0] = word;
    return outcome_of(before, UINT32_MAX);
}

static void mark_used(uint64_t *bits, uint32_t way, uint32_t ways)
{
    const uint64_t all = ways == 64 ? UINT64_MAX : (UINT64_C(1) << ways) - 1;
    const uint64_t bit = UINT64_C(1) << way;

    *bits = (*bits | bit) == all ? bit : *bits | bit;
}

/* The lowest way, so that free ways come first: no mark is cleared until all ways are taken. */
static uint32_t unused_way(uint64_t bits, uint32_t ways)
{
    const uint32_t way = bits == UINT64_MAX ? ways : (uint32_t) __builtin_ctzll(~bits);

    return way < ways ? way : 0; /* a single way is always in use */
}

static uint32_t random_way(Cache *cache)
{
    uint64_t x = cache->random;

    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    cache->random = x;
    return (uint32_t) ((x * UINT64_C(2685821657736338717)) >> 32) % cache->geometry.ways;
}

/* A random way of a full set, else the first free way. */
static uint32_t random_or_free_way(Cache *cache, uint64_t *taken)
{
    return *taken < cache->geometry.ways ? (uint32_t) (*taken)++ : random_way(cache);
}

/* Lines keep their way: the victim's or their own. */
static inline CacheOutcome put(uint32_t *set, uint32_t way, uint32_t missing, uint32_t word)
{
    const uint32_t before = set[way];

    set[way] = Choose(missing, word, before) | (word & DIRTY);
    return outcome_of(before, missing);
}

static inline CacheOutcome access_plru(Cache *cache, const CacheTouch *touch)
{
    uint32_t *set = words_of(cache, touch->set);
    uint64_t *bits = &cache->bits[touch->set];
    const uint32_t ways = cache->geometry.ways;
    const uint32_t place = find(set, cache->vectors, touch->word);
    const uint32_t missing = MissingOf(place);
    const uint32_t way = Choose(missing, unused_way(*bits, ways), place - 1);

    mark_used(bits, way, ways);
    return put(set, way, missing, touch->word);
}

static inline CacheOutcome access_random(Cache *cache, const CacheTouch *touch)
{
    uint32_t *set = words_of(cache, touch->set);
    const uint32_t place = find(set, cache->vectors, touch->word);
    const uint32_t way =
        place != 0 ? place - 1 : random_or_free_way(cache, &cache->bits[touch->set]);

    return put(set, way, MissingOf(place), touch->word);
}

/* Each policy has its own loop, with a variant for the usual number of ways. */

static OPPROF_ALWAYS_INLINE void all_lru(const Cache *cache, const CacheTouch *touches,
                                         uint32_t count, uint8_t *outcomes, uint32_t ways)
{
    for (uint32_t i = 0; i < count; i++) {
        outcomes[i] = (uint8_t) access_lru(words_of(cache, touches[i].set), ways,
                                           (ways + LANES - 1) / LANES, touches[i].word);
    }
}

static void all_fifo(const Cache *cache, const CacheTouch *touches, uint32_t count,
                     uint8_t *outcomes)
{
    for (uint32_t i = 0; i < count; i++) {
        outcomes[i] = (uint8_t) access_fifo(words_of(cache, touches[i].set), cache->geometry.ways,
                                            cache->vectors, touches[i].word);
    }
}

static void all_others(Cache *cache, const CacheTouch *touches, uint32_t count, uint8_t *outcomes)
{
    const bool is_plru = cache->geometry.policy == CACHE_PLRU;

    for (uint32_t i = 0; i < count; i++) {
        outcomes[i] = (uint8_t) (is_plru ? access_plru(cache, &touches[i])
                                         : access_random(cache, &touches[i]));
    }
}

void CacheAccess(Cache *cache, const CacheTouch *touches, uint32_t count, uint8_t *outcomes)
{
    const uint32_t ways = cache->geometry.ways;

    switch (cache->geometry.policy) {
    case CACHE_LRU:
        if (cache->has_bytes) {
            ByteSetsAccess(cache->sets, ways, touches, count, outcomes);
        } else if (ways == USUAL_WAYS) {
            all_lru(cache, touches, count, outcomes, USUAL_WAYS);
        } else {
            all_lru(cache, touches, count, outcomes, ways);
        }
        break;
    case CACHE_FIFO:
        all_fifo(cache, touches, count, outcomes);
        break;
    case CACHE_PLRU:
    case CACHE_RANDOM:
    default:
        all_others(cache, touches, count, outcomes);
        break;
    }
}
