/* SPDX-License-Identifier: Apache-2.0 */
/* The sets of a cache, and which line leaves them. */
#include "cache.h"

#include <stdlib.h>
#include <string.h>

#define FREE UINT64_MAX
#define DIRTY UINT64_C(1)

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
    const size_t count = (size_t) geometry->sets * geometry->ways;

    *cache = (Cache){ .geometry = *geometry, .random = geometry->seed };
    cache->words = malloc(count * sizeof *cache->words);
    cache->bits = calloc(geometry->sets, sizeof *cache->bits);
    cache->set_mask = (geometry->sets & (geometry->sets - 1)) == 0 ? geometry->sets - 1 : 0;
    if (cache->words == NULL || cache->bits == NULL) {
        CacheFinish(cache);
        return false;
    }
    memset(cache->words, 0xff, count * sizeof *cache->words);
    return true;
}

void CacheFinish(Cache *cache)
{
    free(cache->words);
    free(cache->bits);
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

uint32_t CacheSetOf(const Cache *cache, uint64_t line)
{
    const uint32_t sets = cache->geometry.sets;
    const uint64_t index = cache->geometry.is_hashed && sets > 1 ? fold(line, sets) : line;

    return (uint32_t) (cache->set_mask != 0 ? index & cache->set_mask : index % sets);
}

static CacheOutcome outcome_of(uint64_t victim)
{
    if (victim == FREE) {
        return CACHE_MISS;
    }
    return (victim & DIRTY) != 0 ? CACHE_MISS_EVICT_DIRTY : CACHE_MISS_EVICT_CLEAN;
}

/* Way of a line in a set; `ways`: it is not there. */
static uint32_t find(const uint64_t *set, uint32_t ways, uint64_t line)
{
    const uint64_t wanted = line << 1 | DIRTY;
    uint32_t way = 0;

    while (way < ways && (set[way] | DIRTY) != wanted) {
        way++;
    }
    return way;
}

/* The first way is the one that was used, or filled, last. */
static CacheOutcome access_queue(Cache *cache, uint64_t *set, uint64_t line, uint64_t dirty)
{
    const uint32_t ways = cache->geometry.ways;
    const uint32_t way = find(set, ways, line);

    if (way < ways && (way == 0 || cache->geometry.policy == CACHE_FIFO)) {
        set[way] |= dirty;
        return CACHE_HIT;
    }
    const uint32_t last = way < ways ? way : ways - 1;
    const uint64_t word = set[last];
    memmove(set + 1, set, last * sizeof *set);
    set[0] = way < ways ? word | dirty : (line << 1 | dirty);
    return way < ways ? CACHE_HIT : outcome_of(word);
}

/* The lowest way that satisfies; free ways come first. */
static uint32_t free_way(const uint64_t *set, uint32_t ways)
{
    uint32_t way = 0;

    while (way < ways && set[way] != FREE) {
        way++;
    }
    return way;
}

static void mark_used(uint64_t *bits, uint32_t way, uint32_t ways)
{
    const uint64_t all = ways == 64 ? UINT64_MAX : (UINT64_C(1) << ways) - 1;
    const uint64_t bit = UINT64_C(1) << way;

    *bits = (*bits | bit) == all ? bit : *bits | bit;
}

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

/* Lines keep their way. */
static CacheOutcome access_ways(Cache *cache, uint32_t index, uint64_t *set, uint64_t line,
                                uint64_t dirty)
{
    const uint32_t ways = cache->geometry.ways;
    const bool is_plru = cache->geometry.policy == CACHE_PLRU;
    uint32_t way = find(set, ways, line);
    const bool is_hit = way < ways;
    uint64_t victim = FREE;

    if (is_hit) {
        set[way] |= dirty;
    } else {
        way = free_way(set, ways);
        if (way == ways) {
            way = is_plru ? unused_way(cache->bits[index], ways) : random_way(cache);
        }
        victim = set[way];
        set[way] = line << 1 | dirty;
    }
    if (is_plru) {
        mark_used(&cache->bits[index], way, ways);
    }
    return is_hit ? CACHE_HIT : outcome_of(victim);
}

CacheOutcome CacheAccess(Cache *cache, uint32_t set, uint64_t line, bool is_store)
{
    uint64_t *words = cache->words + (size_t) set * cache->geometry.ways;
    const uint64_t dirty = is_store ? DIRTY : 0;

    return cache->geometry.policy <= CACHE_FIFO ? access_queue(cache, words, line, dirty)
                                                : access_ways(cache, set, words, line, dirty);
}
