/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_DBI_CACHE_H
#define ANALYSE_DBI_CACHE_H

#include <stdbool.h>
#include <stddef.h>
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
    uint32_t
        *words;   /* by set, then way: id * 2 + dirty; UINT32_MAX: free, or no way; then the side */
    void *memory; /* that holds them */
    uint32_t vectors; /* of four words, with all ways of a set */
    uint32_t
        stride; /* words of a set: ways, those up to whole vectors, and the side, in whole lines of the machine */
    uint64_t *bits;    /* by set: of CACHE_PLRU; of CACHE_RANDOM, how many ways are taken */
    uint64_t random;   /* state */
    uint64_t set_mask; /* sets - 1 where that and a line make its set, else 0 */
} Cache;

/* False without memory. The geometry must be within the limits above. */
bool CacheInit(Cache *cache, const CacheGeometry *geometry);
void CacheFinish(Cache *cache);

/* For CacheSetOf: where it takes more than a mask. */
uint32_t CacheSetByDivision(const Cache *cache, uint64_t line);

/* The set of a line. */
static inline uint32_t CacheSetOf(const Cache *cache, uint64_t line)
{
    return cache->set_mask != 0 ? (uint32_t) (line & cache->set_mask)
                                : CacheSetByDivision(cache, line);
}

/*
 * Bytes of each set that are the caller's, zero at first. They lie beside its ways, so that what the caller counts by set
 * comes with them.
 */
#define CACHE_SIDE_BYTES 32u

static inline void *CacheSide(const Cache *cache, uint32_t set)
{
    return cache->words + (size_t) set * cache->stride + (size_t) cache->vectors * 4;
}

/* Bring what the set's next access looks at closer. */
static inline void CachePrefetch(const Cache *cache, uint32_t set)
{
    const uint32_t *words = cache->words + (size_t) set * cache->stride;

    __builtin_prefetch(words, 1);
    __builtin_prefetch(words + cache->stride - 1, 1);
}

/* An access of a line. */
typedef struct CacheTouch {
    uint32_t set; /* CacheSetOf the line */
    uint32_t id;  /* the line's own among all lines of the set, below 2^31 - 1 */
    bool is_store;
    uint8_t outcome; /* CacheOutcome, of CacheAccess */
} CacheTouch;

/* Access lines, one after the other. */
void CacheAccess(Cache *cache, CacheTouch *touches, uint32_t count);

/* Policy by its name ("lru", "fifo", "plru", "random"); false: there is no such policy. */
bool CachePolicyOf(const char *name, CachePolicy *ret_policy);
const char *CachePolicyName(CachePolicy policy);

#endif
