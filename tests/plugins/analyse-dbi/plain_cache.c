/* SPDX-License-Identifier: Apache-2.0 */
/* A cache in the plainest way, set by set: what the model of the L2 cache is compared with. */
#include "tests/plugins/analyse-dbi/plain_cache.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

void PlainCacheInit(PlainCache *cache, uint32_t sets, uint32_t ways, char policy, uint64_t seed)
{
    *cache = (PlainCache){ .sets = sets, .ways = ways, .policy = policy, .random = seed };
    cache->lines = calloc((size_t) sets * ways, sizeof *cache->lines);
    ck_assert_ptr_nonnull(cache->lines);
}

void PlainCacheFinish(PlainCache *cache)
{
    free(cache->lines);
}

static uint32_t oldest(const PlainLine *set, uint32_t ways, bool by_use)
{
    uint32_t best = 0;

    for (uint32_t i = 1; i < ways; i++) {
        if ((by_use ? set[i].used : set[i].came) < (by_use ? set[best].used : set[best].came)) {
            best = i;
        }
    }
    return best;
}

static uint32_t first_unmarked(const PlainLine *set, uint32_t ways)
{
    for (uint32_t i = 0; i < ways; i++) {
        if (!set[i].is_marked) {
            return i;
        }
    }
    return 0;
}

static uint32_t choose(PlainCache *cache, const PlainLine *set)
{
    for (uint32_t i = 0; i < cache->ways; i++) {
        if (!set[i].is_there) {
            return i;
        }
    }
    switch (cache->policy) {
    case 'l':
        return oldest(set, cache->ways, true);
    case 'f':
        return oldest(set, cache->ways, false);
    case 'p':
        return first_unmarked(set, cache->ways);
    default:
        cache->random ^= cache->random >> 12;
        cache->random ^= cache->random << 25;
        cache->random ^= cache->random >> 27;
        return (uint32_t) (cache->random * UINT64_C(0x2545f4914f6cdd1d) >> 32) % cache->ways;
    }
}

static void mark(PlainLine *set, uint32_t ways, uint32_t way)
{
    bool all = true;

    set[way].is_marked = true;
    for (uint32_t i = 0; i < ways; i++) {
        all &= set[i].is_marked;
    }
    for (uint32_t i = 0; all && i < ways; i++) {
        set[i].is_marked = i == way;
    }
}

PlainResult PlainCacheAccess(PlainCache *cache, uint64_t line, bool is_store)
{
    PlainLine *set = cache->lines + line % cache->sets * cache->ways;
    PlainResult result = { false, false, false };
    uint32_t way = 0;

    cache->time++;
    while (way < cache->ways && (!set[way].is_there || set[way].line != line)) {
        way++;
    }
    if (way < cache->ways) {
        result.is_hit = true;
        set[way].is_dirty |= is_store;
    } else {
        way = choose(cache, set);
        result.is_evicted = set[way].is_there;
        result.is_written_back = set[way].is_there && set[way].is_dirty;
        set[way] = (PlainLine){ .line = line,
                                .came = cache->time,
                                .is_there = true,
                                .is_dirty = is_store,
                                .is_marked = set[way].is_marked };
    }
    set[way].used = cache->time;
    mark(set, cache->ways, way);
    return result;
}

uint64_t PlainStackTouch(PlainStack *stack, uint64_t line)
{
    uint64_t at = 0;

    while (at < stack->count && stack->lines[at] != line) {
        at++;
    }
    const bool is_new = at == stack->count;
    if (is_new && stack->count == stack->capacity) {
        stack->capacity = stack->capacity == 0 ? 64 : stack->capacity * 2;
        stack->lines = reallocarray(stack->lines, stack->capacity, sizeof *stack->lines);
        ck_assert_ptr_nonnull(stack->lines);
    }
    stack->count += is_new;
    memmove(stack->lines + 1, stack->lines, at * sizeof *stack->lines);
    stack->lines[0] = line;
    return is_new ? UINT64_MAX : at;
}

void PlainStackFinish(PlainStack *stack)
{
    free(stack->lines);
}
