/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_DBI_CACHE_H
#define ANALYSE_DBI_CACHE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A set-associative cache: write-back, write-allocate, without time. Which line leaves a full set
 * is the policy's choice.
 */

typedef enum CachePolicy {
    CACHE_LRU,   /* the line that was not used for longest */
    CACHE_FIFO,  /* the line that came first; a hit does not move it */
    CACHE_PLRU,  /* a bit a way, set by an access; all others are cleared when the last would be set
                  */
    CACHE_RANDOM /* xorshift64* */
} CachePolicy;

#define CACHE_MAX_WAYS 64u
#define CACHE_MAX_LINES (1u << 26)

typedef struct CacheGeometry {
    uint32_t line_shift; /* log2 of the bytes of a line */
    uint32_t ways;       /* 1 to CACHE_MAX_WAYS */
    uint32_t sets;
    uint32_t slices; /* sets are shared out in turn; 1: one */
    bool is_hashed;  /* the upper bits of a line's number take part in its set */
    CachePolicy policy;
    uint64_t seed; /* of CACHE_RANDOM, not 0 */
} CacheGeometry;

/* What an access did. */
typedef enum CacheOutcome {
    CACHE_HIT,
    CACHE_MISS,             /* into a free way */
    CACHE_MISS_EVICT_CLEAN, /* a line left */
    CACHE_MISS_EVICT_DIRTY  /* a line left that had to be written back */
} CacheOutcome;

typedef struct Cache {
    CacheGeometry geometry;
    uint64_t *words;   /* by set, then way: line * 2 + dirty; UINT64_MAX: free */
    uint64_t *bits;    /* of CACHE_PLRU, by set */
    uint64_t random;   /* state */
    uint64_t set_mask; /* sets - 1 where that is a power of two, else 0 */
} Cache;

/* False without memory. The geometry must be within the limits above. */
bool CacheInit(Cache *cache, const CacheGeometry *geometry);
void CacheFinish(Cache *cache);

/* The set of a line. */
uint32_t CacheSetOf(const Cache *cache, uint64_t line);

/* Access a line of a set, which is CacheSetOf(line). */
CacheOutcome CacheAccess(Cache *cache, uint32_t set, uint64_t line, bool is_store);

/* Policy by its name ("lru", "fifo", "plru", "random"); false: there is no such policy. */
bool CachePolicyOf(const char *name, CachePolicy *ret_policy);
const char *CachePolicyName(CachePolicy policy);

#endif
