/* SPDX-License-Identifier: Apache-2.0 */
/* LRU sets whose ways are bytes. Tested by tests/plugins/analyse-dbi/test_cache.c. */
#include "byte_sets.h"

#include "choose.h"

#include <assert.h>

#ifdef __x86_64__
#include <immintrin.h>
#endif

#define DIRTY 1u
#define LANES 16u

static_assert(BYTE_SETS_WAYS == 2 * LANES, "two vectors hold all ways");

/* From byte 31 - n on: n + 1 bytes with all bits set, then zeroes. */
static const uint8_t all_then_none[2 * BYTE_SETS_WAYS] = { [0 ... BYTE_SETS_WAYS - 1] = 0xff };

static inline const uint8_t *first_ways(size_t last)
{
    return all_then_none + BYTE_SETS_WAYS - 1 - last;
}

static inline unsigned char *ways_of(unsigned char *sets, const CacheTouch *touch)
{
    return sets + (size_t) touch->set * BYTE_SETS_STRIDE + CACHE_SIDE_BYTES;
}

/* `before`: what the overwritten way held. */
static inline uint8_t outcome_of(uint32_t before, uint32_t missing)
{
    return (uint8_t) ((CACHE_MISS + (before != 0) + (before & DIRTY)) & missing);
}

/* ---- any machine ---- */

typedef uint8_t Bytes __attribute__((vector_size(LANES), may_alias));
typedef uint8_t LooseBytes __attribute__((vector_size(LANES), aligned(1), may_alias));
typedef uint64_t Halves __attribute__((vector_size(LANES), may_alias));

static const Bytes places[2] = {
    { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 },
    { 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32 },
};

/* Way of a line, counted from 1; 0: it is not there. At most one way matches, so the sum of all is
 * that way. */
static inline uint32_t find(Bytes low, Bytes high, uint32_t word)
{
    const Bytes wanted = (Bytes){ 0 } + (uint8_t) (word | DIRTY);
    const Bytes found = ((Bytes) ((low | DIRTY) == wanted) & places[0]) |
                        ((Bytes) ((high | DIRTY) == wanted) & places[1]);
    const uint64_t sum = ((Halves) found)[0] + ((Halves) found)[1];

    return (uint32_t) (sum * UINT64_C(0x0101010101010101) >> 56);
}

static inline Bytes load(const void *bytes)
{
    return *(const LooseBytes *) bytes;
}

/* The byte shifted into the first way is not a way's; it is overwritten at the end. */
static inline uint8_t access_plainly(unsigned char *ways, uint32_t count, uint32_t word)
{
    Bytes *halves = (Bytes *) (void *) ways;
    const Bytes low = halves[0];
    const Bytes high = halves[1];
    const uint32_t place = find(low, high, word);
    const uint32_t missing = MissingOf(place);
    const uint32_t way = Choose(missing, count, place) - 1;
    const uint32_t before = ways[way];
    const Bytes moves_low = load(first_ways(way));
    const Bytes moves_high = load(first_ways(way) + LANES);
    const Bytes from_low = load(ways - 1);
    const Bytes from_high = load(ways + LANES - 1);

    halves[0] = (from_low & moves_low) | (low & ~moves_low);
    halves[1] = (from_high & moves_high) | (high & ~moves_high);
    ways[0] = (unsigned char) (word | (before & ~missing));
    return outcome_of(before, missing);
}

void ByteSetsAccessPlainly(unsigned char *sets, uint32_t ways, const CacheTouch *touches,
                           uint32_t count, uint8_t *outcomes)
{
    for (uint32_t i = 0; i < count; i++) {
        outcomes[i] = access_plainly(ways_of(sets, &touches[i]), ways, touches[i].word);
    }
}

/* ---- vectors of all ways ---- */

#ifdef __x86_64__

#define WIDE __attribute__((target("avx2,bmi")))

static WIDE inline uint8_t access_widely(unsigned char *ways, uint32_t last_bit, uint32_t word)
{
    __m256i *all = (__m256i *) (void *) ways;
    const __m256i old = _mm256_load_si256(all);
    const __m256i wanted = _mm256_set1_epi8((char) (word | DIRTY));
    const __m256i equal =
        _mm256_cmpeq_epi8(_mm256_or_si256(old, _mm256_set1_epi8((char) DIRTY)), wanted);
    const uint32_t found = (uint32_t) _mm256_movemask_epi8(equal);
    const uint32_t missing = MissingOf(found);
    const size_t way = (size_t) __builtin_ctzll(found | last_bit);
    const uint32_t before = ways[way];
    const __m256i moves = _mm256_loadu_si256((const __m256i *) (const void *) first_ways(way));
    const __m256i first = _mm256_set1_epi8((char) (word | (before & ~missing)));
    /* The byte before each half of `old`, since each half is shifted on its own. */
    const __m256i below = _mm256_permute2x128_si256(first, old, 0x20);
    const __m256i moved = _mm256_alignr_epi8(old, below, 15);

    _mm256_store_si256(all, _mm256_blendv_epi8(old, moved, moves));
    return outcome_of(before, missing);
}

static WIDE void access_all_widely(unsigned char *sets, uint32_t ways, const CacheTouch *touches,
                                   uint32_t count, uint8_t *outcomes)
{
    const uint32_t last_bit = UINT32_C(1) << (ways - 1);

    for (uint32_t i = 0; i < count; i++) {
        outcomes[i] = access_widely(ways_of(sets, &touches[i]), last_bit, touches[i].word);
    }
}

void ByteSetsAccess(unsigned char *sets, uint32_t ways, const CacheTouch *touches, uint32_t count,
                    uint8_t *outcomes)
{
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi")) {
        access_all_widely(sets, ways, touches, count, outcomes);
    } else {
        ByteSetsAccessPlainly(sets, ways, touches, count, outcomes);
    }
}

#else

void ByteSetsAccess(unsigned char *sets, uint32_t ways, const CacheTouch *touches, uint32_t count,
                    uint8_t *outcomes)
{
    ByteSetsAccessPlainly(sets, ways, touches, count, outcomes);
}

#endif
