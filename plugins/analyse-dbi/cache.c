/* SPDX-License-Identifier: Apache-2.0 */
/* The sets of a cache, and which line leaves them. */
#include "cache.h"

#include <stdlib.h>
#include <string.h>

#define FREE UINT32_MAX
#define DIRTY 1u
#define LANES 4u       /* words that are compared together */
#define USUAL_WAYS 24u /* the compiler makes a loop of its own for them */
#define HOST_LINE 64u  /* bytes of a line of the machine's cache */

typedef uint32_t Lanes __attribute__((vector_size(LANES * sizeof(uint32_t)), may_alias));
typedef int32_t SignedLanes __attribute__((vector_size(LANES * sizeof(int32_t)), may_alias));
typedef uint64_t Halves __attribute__((vector_size(LANES * sizeof(uint32_t)), may_alias));
typedef uint32_t LooseLanes
    __attribute__((vector_size(LANES * sizeof(uint32_t)), aligned(4), may_alias));

/* Ways as they stand in vectors, counted from 1. */
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

bool CacheInit(Cache *cache, const CacheGeometry *geometry)
{
    const uint32_t vectors = (geometry->ways + LANES - 1) / LANES;
    const uint32_t used = vectors * LANES + CACHE_SIDE_BYTES / 4;
    const uint32_t stride = (used + HOST_LINE / 4 - 1) / (HOST_LINE / 4) * (HOST_LINE / 4);
    const size_t bytes = (size_t) geometry->sets * stride * sizeof *cache->words;

    *cache = (Cache){
        .geometry = *geometry, .vectors = vectors, .stride = stride, .random = geometry->seed
    };
    cache->memory = malloc(bytes + HOST_LINE);
    cache->bits = calloc(geometry->sets, sizeof *cache->bits);
    cache->set_mask = !geometry->is_hashed && (geometry->sets & (geometry->sets - 1)) == 0
                          ? geometry->sets - 1
                          : 0;
    if (cache->memory == NULL || cache->bits == NULL) {
        CacheFinish(cache);
        return false;
    }
    memset(cache->memory, 0xff, bytes + HOST_LINE);
    cache->words =
        (uint32_t *) (void *) ((char *) cache->memory +
                               (HOST_LINE - (uintptr_t) cache->memory % HOST_LINE) % HOST_LINE);
    for (uint32_t set = 0; set < geometry->sets; set++) {
        memset(CacheSide(cache, set), 0, CACHE_SIDE_BYTES);
    }
    return true;
}

void CacheFinish(Cache *cache)
{
    free(cache->memory);
    free(cache->bits);
    cache->memory = NULL;
    cache->words = NULL;
    cache->bits = NULL;
}

/* The line's number with its upper parts, of the width of a set's number, laid over the lowest. */
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

/*
 * What follows does not branch on whether a line is there, nor on where: nobody can guess it, and a wrong guess of the
 * machine costs more than all the ways of a set. So `missing` has all bits or none.
 */

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

/* A comparison would be taken for a branch. */
static inline uint32_t missing_of(uint32_t place)
{
    return -((place - 1) >> 31);
}

static inline uint32_t choose(uint32_t missing, uint32_t if_missing, uint32_t if_not)
{
    return (if_missing & missing) | (if_not & ~missing);
}

/* By what stood where the line is now. */
static inline CacheOutcome outcome_of(uint32_t before, uint32_t missing)
{
    const uint32_t evicts = CACHE_MISS_EVICT_CLEAN + (before & DIRTY);

    return (CacheOutcome) (choose(-(uint32_t) (before == FREE), CACHE_MISS, evicts) & missing);
}

/*
 * Each of the first `count` words of a set takes the place of the next one. What stood before a vector is read again with
 * it; before the first one begins another line of the machine's cache, which nobody asked for.
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

/* The first way is the one that was used last. */
static inline CacheOutcome access_lru(uint32_t *set, uint32_t ways, uint32_t vectors, uint32_t word)
{
    if (is_first(set, word)) {
        set[0] |= word & DIRTY;
        return CACHE_HIT;
    }
    const uint32_t place = find(set, vectors, word);
    const uint32_t missing = missing_of(place);
    const uint32_t way = choose(missing, ways, place) - 1;
    const uint32_t before = set[way];
    shift_ways(set, vectors, way);
    set[0] = choose(missing, word, before) | (word & DIRTY);
    return outcome_of(before, missing);
}

/* The first way is the one that was filled last. */
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

/* The lowest, so that free ways come first: until all are taken, none was cleared. */
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

/* A way of a full set at random; else the first free one. */
static uint32_t random_or_free_way(Cache *cache, uint64_t *taken)
{
    return *taken < cache->geometry.ways ? (uint32_t) (*taken)++ : random_way(cache);
}

/* Lines keep their way, the victim's or their own. */
static inline CacheOutcome put(uint32_t *set, uint32_t way, uint32_t missing, uint32_t word)
{
    const uint32_t before = set[way];

    set[way] = choose(missing, word, before) | (word & DIRTY);
    return outcome_of(before, missing);
}

static inline CacheOutcome access_plru(Cache *cache, uint32_t *set, const CacheTouch *touch,
                                       uint32_t word)
{
    uint64_t *bits = &cache->bits[touch->set];
    const uint32_t ways = cache->geometry.ways;
    const uint32_t place = find(set, cache->vectors, word);
    const uint32_t missing = missing_of(place);
    const uint32_t way = choose(missing, unused_way(*bits, ways), place - 1);

    mark_used(bits, way, ways);
    return put(set, way, missing, word);
}

static inline CacheOutcome access_random(Cache *cache, uint32_t *set, const CacheTouch *touch,
                                         uint32_t word)
{
    const uint32_t place = find(set, cache->vectors, word);
    const uint32_t way =
        place != 0 ? place - 1 : random_or_free_way(cache, &cache->bits[touch->set]);

    return put(set, way, missing_of(place), word);
}

/* Each policy has a loop of its own, and the shape of the chips that there are. */

static inline uint32_t *set_of(const Cache *cache, const CacheTouch *touch)
{
    return cache->words + (size_t) touch->set * cache->stride;
}

static inline uint32_t word_of(const CacheTouch *touch)
{
    return touch->id << 1 | touch->is_store;
}

static inline __attribute__((always_inline)) void all_lru(const Cache *cache, CacheTouch *touches,
                                                          uint32_t count, uint32_t ways)
{
    for (CacheTouch *touch = touches; touch < touches + count; touch++) {
        touch->outcome = (uint8_t) access_lru(set_of(cache, touch), ways,
                                              (ways + LANES - 1) / LANES, word_of(touch));
    }
}

static void all_fifo(const Cache *cache, CacheTouch *touches, uint32_t count)
{
    for (CacheTouch *touch = touches; touch < touches + count; touch++) {
        touch->outcome = (uint8_t) access_fifo(set_of(cache, touch), cache->geometry.ways,
                                               cache->vectors, word_of(touch));
    }
}

static void all_others(Cache *cache, CacheTouch *touches, uint32_t count)
{
    const bool is_plru = cache->geometry.policy == CACHE_PLRU;

    for (CacheTouch *touch = touches; touch < touches + count; touch++) {
        uint32_t *set = set_of(cache, touch);
        const uint32_t word = word_of(touch);
        touch->outcome = (uint8_t) (is_plru ? access_plru(cache, set, touch, word)
                                            : access_random(cache, set, touch, word));
    }
}

void CacheAccess(Cache *cache, CacheTouch *touches, uint32_t count)
{
    const uint32_t ways = cache->geometry.ways;

    switch (cache->geometry.policy) {
    case CACHE_LRU:
        ways == USUAL_WAYS ? all_lru(cache, touches, count, USUAL_WAYS)
                           : all_lru(cache, touches, count, ways);
        break;
    case CACHE_FIFO:
        all_fifo(cache, touches, count);
        break;
    case CACHE_PLRU:
    case CACHE_RANDOM:
    default:
        all_others(cache, touches, count);
        break;
    }
}
