/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_DBI_CACHE_H
#define ANALYSE_DBI_CACHE_H

#include <opprof/compiler.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A set-associative cache: write-back, write-allocate, without timing. The policy chooses which
 * line leaves a full set.
 */

typedef enum CachePolicy {
    CACHE_LRU,   /* the least recently used line */
    CACHE_FIFO,  /* the line that came first; a hit does not move it */
    CACHE_PLRU,  /* a bit per way, set by an access; setting the last clears the others */
    CACHE_RANDOM /* xorshift64* */
} CachePolicy;

#define CACHE_MAX_WAYS 64u
#define CACHE_MAX_LINES (1u << 26)

typedef struct CacheGeometry {
    uint32_t line_shift; /* log2 of the bytes of a line */
    uint32_t ways;       /* 1 to CACHE_MAX_WAYS */
    uint32_t sets;
    uint32_t slices; /* sets are distributed among them in turn */
    bool is_hashed;  /* the upper bits of a line's number affect its set */
    CachePolicy policy;
    uint64_t seed; /* of CACHE_RANDOM, not 0 */
} CacheGeometry;

/* Outcome of an access. */
typedef enum CacheOutcome {
    CACHE_HIT,
    CACHE_MISS,             /* into a free way */
    CACHE_MISS_EVICT_CLEAN, /* a line left */
    CACHE_MISS_EVICT_DIRTY  /* a line left and was written back */
} CacheOutcome;

/* A way is a byte (byte_sets.h) or a word: the id of its line * 2, + 1 if dirty; 0: free, or not a
 * way. */
typedef struct Cache {
    CacheGeometry geometry;
    unsigned char *sets; /* set after set: the caller's bytes, then the ways */
    void *memory;        /* that holds them */
    uint32_t stride;     /* bytes of a set: whole lines of the machine's cache */
    bool has_bytes;      /* else they are words */
    uint32_t vectors;    /* of four words each, that hold all ways of a set */
    uint64_t *bits;      /* by set: marks of CACHE_PLRU; number of taken ways of CACHE_RANDOM */
    uint64_t random;     /* state */
    uint64_t set_mask;   /* sets - 1 if a mask gives a line's set, else 0 */
} Cache;

/* False without memory. The geometry must be within the limits above. */
bool CacheInit(Cache *cache, const CacheGeometry *geometry);
void CacheFinish(Cache *cache);

/* For CacheSetOf, when a mask is not enough. */
uint32_t CacheSetByDivision(const Cache *cache, uint64_t line);

/* The set of a line. */
static inline uint32_t CacheSetOf(const Cache *cache, uint64_t line)
{
    return cache->set_mask != 0 ? (uint32_t) (line & cache->set_mask)
                                : CacheSetByDivision(cache, line);
}

/*
 * Bytes of each set that belong to the caller, zero at first. They lie beside its ways, so that
 * counts the caller keeps by set are in the cache with them.
 */
#define CACHE_SIDE_BYTES 32u

static inline void *CacheSide(const Cache *cache, uint32_t set)
{
    return cache->sets + (size_t) set * cache->stride;
}

/* Prefetch what the set's next access reads. Always inlined: a call without effects would be
 * dropped. */
static OPPROF_ALWAYS_INLINE void CachePrefetch(const Cache *cache, uint32_t set)
{
    const unsigned char *bytes = CacheSide(cache, set);

    __builtin_prefetch(bytes, 1);
    if (!cache->has_bytes) {
        __builtin_prefetch(bytes + cache->stride - 1, 1);
    }
}

/*
 * Lines of a set are identified by ids of their own, from 1 on. Ids up to CACHE_FEW_IDS may come at
 * any time; higher ones, below 2^31, once this has returned true for the highest. False without
 * memory. With few ids a set is small, and fast. Invalidates pointers to the caller's bytes.
 */
#define CACHE_FEW_IDS 127u

bool CacheAllowIds(Cache *cache, uint32_t highest);

/* An access of a line. */
typedef struct CacheTouch {
    uint32_t set;  /* CacheSetOf the line */
    uint32_t word; /* its id * 2, + 1 for a store */
} CacheTouch;

/* Access lines one after another; `outcomes` takes the CacheOutcome of each. */
void CacheAccess(Cache *cache, const CacheTouch *touches, uint32_t count, uint8_t *outcomes);

/* Policy by its name ("lru", "fifo", "plru", "random"); false: no such policy exists. */
bool CachePolicyOf(const char *name, CachePolicy *ret_policy);
const char *CachePolicyName(CachePolicy policy);

#endif
