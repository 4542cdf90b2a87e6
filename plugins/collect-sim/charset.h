/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_CHARSET_H
#define COLLECT_SIM_CHARSET_H

/*
 * Looking at the bytes of a line many at a time. Every function may read up to 64 bytes past what it is
 * asked about, which LineReaderNext allows; what it finds there is never reported.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__) && !defined(COLLECT_SIM_PORTABLE)
#include <emmintrin.h>
#define COLLECT_SIM_SSE2 1
#else
#define COLLECT_SIM_SSE2 0
#endif

#define CHARSET_SPACE 1u  /* isspace() of the C locale */
#define CHARSET_DIGIT 2u  /* 0-9 */
#define CHARSET_HEX 4u    /* 0-9a-f */
#define CHARSET_PIPE 8u   /* A-Za-z0-3_ */
#define CHARSET_NAME 16u  /* 0-9A-Za-z_- */
#define CHARSET_DETAIL 32u /* [ ] | letters digits _ , space : = / # - */
#define CHARSET_BINARY 64u /* 0-9a-f space */

/* Classes of each byte, CHARSET_* bits. */
extern const unsigned char sim_charset[256];

static inline bool CharsetHas(char byte, unsigned set)
{
    return (sim_charset[(unsigned char) byte] & set) != 0;
}

/* The first byte of [at, end) outside of the set, or end. */
static inline const char *CharsetSkip(const char *at, const char *end, unsigned set)
{
    while (at < end && CharsetHas(*at, set)) {
        at++;
    }
    return at;
}

/* Index of the lowest set bit; mask is not 0. */
static inline unsigned MaskFirst(uint64_t mask)
{
    return (unsigned) __builtin_ctzll(mask);
}

#if COLLECT_SIM_SSE2

static inline __m128i sim_load(const char *at)
{
    return _mm_loadu_si128((const __m128i *) (const void *) at);
}

static inline __m128i sim_equal(__m128i bytes, char byte)
{
    return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(byte));
}

/* low <= byte <= low + width, unsigned: x <= width exactly if min(x, width) == x. */
static inline __m128i sim_range(__m128i bytes, char low, char width)
{
    const __m128i from_low = _mm_sub_epi8(bytes, _mm_set1_epi8(low));

    return _mm_cmpeq_epi8(_mm_min_epu8(from_low, _mm_set1_epi8(width)), from_low);
}

/*
 * CHARSET_DETAIL for 16 bytes. Setting a bit before comparing folds members that differ only there:
 * 59 5b 5d 5f ('Y' '[' ']' '_') with 06, 2d 3d ('-' '=') with 10.
 */
static inline __m128i sim_detail(__m128i bytes)
{
    const __m128i letters = sim_range(_mm_or_si128(bytes, _mm_set1_epi8(0x20)), 'a', 25);
    const __m128i digits = sim_range(bytes, '/', ':' - '/');
    const __m128i brackets = sim_equal(_mm_or_si128(bytes, _mm_set1_epi8(0x06)), 0x5f);
    const __m128i signs = sim_equal(_mm_or_si128(bytes, _mm_set1_epi8(0x10)), 0x3d);
    const __m128i others = _mm_or_si128(_mm_or_si128(sim_equal(bytes, ' '), sim_equal(bytes, ',')),
                                        _mm_or_si128(sim_equal(bytes, '#'), sim_equal(bytes, '|')));

    return _mm_or_si128(_mm_or_si128(_mm_or_si128(letters, digits), _mm_or_si128(brackets, signs)),
                        others);
}

static inline uint64_t sim_mask(__m128i bytes)
{
    return (unsigned) _mm_movemask_epi8(bytes);
}

/* Bit i: at[i] is no member of CHARSET_DETAIL, for 64 bytes. */
static inline uint64_t CharsetNoDetail(const char *at)
{
    return ~(sim_mask(sim_detail(sim_load(at))) | sim_mask(sim_detail(sim_load(at + 16))) << 16 |
             sim_mask(sim_detail(sim_load(at + 32))) << 32 |
             sim_mask(sim_detail(sim_load(at + 48))) << 48);
}

/* Bit i: at[i] is a blank, for 64 bytes. */
static inline uint64_t CharsetBlanks(const char *at)
{
    return sim_mask(sim_equal(sim_load(at), ' ')) | sim_mask(sim_equal(sim_load(at + 16), ' ')) << 16 |
           sim_mask(sim_equal(sim_load(at + 32), ' ')) << 32 |
           sim_mask(sim_equal(sim_load(at + 48), ' ')) << 48;
}

#else

static inline uint64_t CharsetNoDetail(const char *at)
{
    uint64_t mask = 0;

    for (unsigned i = 0; i < 64; i++) {
        mask |= (uint64_t) !CharsetHas(at[i], CHARSET_DETAIL) << i;
    }
    return mask;
}

static inline uint64_t CharsetBlanks(const char *at)
{
    uint64_t mask = 0;

    for (unsigned i = 0; i < 64; i++) {
        mask |= (uint64_t) (at[i] == ' ') << i;
    }
    return mask;
}

#endif

/* The first byte of [at, end) outside of CHARSET_DETAIL, or end. */
static inline const char *CharsetSkipDetail(const char *at, const char *end)
{
    for (; at < end; at += 64) {
        const uint64_t stop = CharsetNoDetail(at);

        if (stop != 0) {
            at += MaskFirst(stop);
            return at < end ? at : end;
        }
    }
    return end;
}

/*
 * Whether [at, end) may hold a carriage return, or one of two pairs of bytes. True may be wrong (the
 * bytes behind the end are looked at too), false never is.
 */
bool CharsetMayHold(const char *at, const char *end, const char first[2], const char second[2]);

/*
 * Copy [at, end) to `out` without blanks and return the end of what was written. Up to 16 bytes behind
 * that are overwritten as well.
 */
char *CharsetCopyWithoutBlanks(char *out, const char *at, const char *end);

/* Where `needle` first occurs in [at, end), or NULL. */
const char *CharsetFind(const char *at, const char *end, const char *needle, size_t length);

#endif
