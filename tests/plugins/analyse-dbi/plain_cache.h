/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_PLUGINS_ANALYSE_DBI_PLAIN_CACHE_H
#define TESTS_PLUGINS_ANALYSE_DBI_PLAIN_CACHE_H

/*
 * A cache written down as the rules say it, without a thought for speed: every line is an entry
 * with the times of its arrival and of its last use. And reuse distances by walking a stack.
 */

#include <stdbool.h>
#include <stdint.h>

typedef struct PlainLine {
    uint64_t line;
    uint64_t came;
    uint64_t used;
    bool is_there;
    bool is_dirty;
    bool is_marked; /* bit-PLRU */
} PlainLine;

typedef struct PlainCache {
    PlainLine *lines; /* set after set */
    uint32_t sets;
    uint32_t ways;
    char policy; /* l, f, p, r */
    uint64_t time;
    uint64_t random;
} PlainCache;

typedef struct PlainResult {
    bool is_hit;
    bool is_evicted;
    bool is_written_back;
} PlainResult;

void PlainCacheInit(PlainCache *cache, uint32_t sets, uint32_t ways, char policy, uint64_t seed);
void PlainCacheFinish(PlainCache *cache);
PlainResult PlainCacheAccess(PlainCache *cache, uint64_t line, bool is_store);

/* Lines, the latest first. */
typedef struct PlainStack {
    uint64_t *lines;
    uint64_t count;
    uint64_t capacity;
} PlainStack;

/* Place of the line, which moves to the top; UINT64_MAX: it was not there. */
uint64_t PlainStackTouch(PlainStack *stack, uint64_t line);
void PlainStackFinish(PlainStack *stack);

#endif
