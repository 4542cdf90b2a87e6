/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_LINES_CHARSET_H
#define COLLECT_SIM_LINES_CHARSET_H

/*
 * Examines many bytes of a line at a time. Every function may read up to 64 bytes past its range,
 * which SimLineReaderNext allows; these bytes never affect the result unless stated.
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

#define CHARSET_SPACE 1u   /* isspace() of the C locale */
#define CHARSET_DIGIT 2u   /* 0-9 */
#define CHARSET_HEX 4u     /* 0-9a-f */
#define CHARSET_PIPE 8u    /* A-Za-z0-3_ */
#define CHARSET_NAME 16u   /* 0-9A-Za-z_- */
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

static inline __m128i sim_letters(__m128i bytes)
{
    return sim_range(_mm_or_si128(bytes, _mm_set1_epi8(0x20)), 'a', 25);
}

/*
 * The masks of the short classes, for 16 bytes. Lengths of names and the like change from line to
 * line, so that loops over single bytes would be mispredicted at every end.
 */
static inline unsigned sim_mask_space(const char *at)
{
    const __m128i bytes = sim_load(at);

    return (unsigned) sim_mask(
        _mm_or_si128(sim_equal(bytes, ' '), sim_range(bytes, '\t', '\r' - '\t')));
}

static inline unsigned sim_mask_pipe(const char *at)
{
    const __m128i bytes = sim_load(at);

    return (unsigned) sim_mask(_mm_or_si128(
        _mm_or_si128(sim_letters(bytes), sim_range(bytes, '0', 3)), sim_equal(bytes, '_')));
}

static inline unsigned sim_mask_name(const char *at)
{
    const __m128i bytes = sim_load(at);
    const __m128i signs = _mm_or_si128(sim_equal(bytes, '_'), sim_equal(bytes, '-'));

    return (unsigned) sim_mask(
        _mm_or_si128(_mm_or_si128(sim_letters(bytes), sim_range(bytes, '0', 9)), signs));
}

static inline unsigned sim_mask_digit(const char *at)
{
    return (unsigned) sim_mask(sim_range(sim_load(at), '0', 9));
}

static inline unsigned sim_mask_hex(const char *at)
{
    const __m128i bytes = sim_load(at);

    return (unsigned) sim_mask(_mm_or_si128(sim_range(bytes, '0', 9), sim_range(bytes, 'a', 5)));
}

static inline unsigned sim_mask_binary(const char *at)
{
    return sim_mask_hex(at) | (unsigned) sim_mask(sim_equal(sim_load(at), ' '));
}

/* Bit i: at[i] is not a member of CHARSET_DETAIL, for 64 bytes. */
static inline uint64_t CharsetNoDetail(const char *at)
{
    return ~(sim_mask(sim_detail(sim_load(at))) | sim_mask(sim_detail(sim_load(at + 16))) << 16 |
             sim_mask(sim_detail(sim_load(at + 32))) << 32 |
             sim_mask(sim_detail(sim_load(at + 48))) << 48);
}

/* Where a byte precedes one of two others, for 16 bytes. */
static inline __m128i sim_pair(const char *at, char byte, const char after[2])
{
    const __m128i next = sim_load(at + 1);

    return _mm_and_si128(sim_equal(sim_load(at), byte),
                         _mm_or_si128(sim_equal(next, after[0]), sim_equal(next, after[1])));
}

/* Whether one byte precedes one of two others, in 64 bytes. */
static inline bool CharsetHasPair(const char *at, char byte, const char after[2])
{
    const __m128i first = _mm_set1_epi8(byte);
    const __m128i found = _mm_or_si128(
        _mm_or_si128(_mm_cmpeq_epi8(sim_load(at), first), _mm_cmpeq_epi8(sim_load(at + 16), first)),
        _mm_or_si128(_mm_cmpeq_epi8(sim_load(at + 32), first),
                     _mm_cmpeq_epi8(sim_load(at + 48), first)));

    /* Few texts have the byte at all. */
    return _mm_movemask_epi8(found) != 0 &&
           _mm_movemask_epi8(_mm_or_si128(
               _mm_or_si128(sim_pair(at, byte, after), sim_pair(at + 16, byte, after)),
               _mm_or_si128(sim_pair(at + 32, byte, after), sim_pair(at + 48, byte, after)))) != 0;
}

/* Bit i: at[i] is a blank, for 64 bytes. */
static inline uint64_t CharsetBlanks(const char *at)
{
    return sim_mask(sim_equal(sim_load(at), ' ')) |
           sim_mask(sim_equal(sim_load(at + 16), ' ')) << 16 |
           sim_mask(sim_equal(sim_load(at + 32), ' ')) << 32 |
           sim_mask(sim_equal(sim_load(at + 48), ' ')) << 48;
}

#else

static inline unsigned sim_mask_class(const char *at, unsigned set)
{
    unsigned count = 0;

    while (count < 16 && CharsetHas(at[count], set)) {
        count++;
    }
    return (1u << count) - 1;
}

static inline unsigned sim_mask_space(const char *at)
{
    return sim_mask_class(at, CHARSET_SPACE);
}

static inline unsigned sim_mask_pipe(const char *at)
{
    return sim_mask_class(at, CHARSET_PIPE);
}

static inline unsigned sim_mask_name(const char *at)
{
    return sim_mask_class(at, CHARSET_NAME);
}

static inline unsigned sim_mask_digit(const char *at)
{
    return sim_mask_class(at, CHARSET_DIGIT);
}

static inline unsigned sim_mask_hex(const char *at)
{
    return sim_mask_class(at, CHARSET_HEX);
}

static inline unsigned sim_mask_binary(const char *at)
{
    return sim_mask_class(at, CHARSET_BINARY);
}

static inline uint64_t CharsetNoDetail(const char *at)
{
    uint64_t mask = 0;

    for (unsigned i = 0; i < 64; i++) {
        mask |= (uint64_t) !CharsetHas(at[i], CHARSET_DETAIL) << i;
    }
    return mask;
}

static inline bool CharsetHasPair(const char *at, char byte, const char after[2])
{
    bool found = false;

    for (unsigned i = 0; i < 64; i++) {
        found |= at[i] == byte && (at[i + 1] == after[0] || at[i + 1] == after[1]);
    }
    return found;
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

/* Where a run of the members of a set ends, from the mask of the first 16 bytes. */
static inline const char *sim_end_of_run(const char *at, const char *end, unsigned mask,
                                         unsigned set)
{
    const char *stop = at + MaskFirst(~(uint64_t) mask);

    if (mask == 0xffff) {
        return end - at > 16 ? CharsetSkip(at + 16, end, set) : end;
    }
    return stop < end ? stop : end;
}

/* As CharsetSkip, faster for short runs. */
static inline const char *CharsetSkipSpace(const char *at, const char *end)
{
    return sim_end_of_run(at, end, sim_mask_space(at), CHARSET_SPACE);
}

static inline const char *CharsetSkipPipe(const char *at, const char *end)
{
    return sim_end_of_run(at, end, sim_mask_pipe(at), CHARSET_PIPE);
}

static inline const char *CharsetSkipName(const char *at, const char *end)
{
    return sim_end_of_run(at, end, sim_mask_name(at), CHARSET_NAME);
}

static inline const char *CharsetSkipDigits(const char *at, const char *end)
{
    return sim_end_of_run(at, end, sim_mask_digit(at), CHARSET_DIGIT);
}

static inline const char *CharsetSkipHex(const char *at, const char *end)
{
    return sim_end_of_run(at, end, sim_mask_hex(at), CHARSET_HEX);
}

static inline const char *CharsetSkipBinary(const char *at, const char *end)
{
    return sim_end_of_run(at, end, sim_mask_binary(at), CHARSET_BINARY);
}

/*
 * The first byte of [at, end) outside of CHARSET_DETAIL, or end. Also searches for a byte before
 * one of two others: *ret_pair may be true wrongly (bytes after the end are examined too), but
 * never false wrongly.
 */
static inline const char *CharsetSkipDetail(const char *at, const char *end, char byte,
                                            const char after[2], bool *ret_pair)
{
    *ret_pair = false;
    for (; at < end; at += 64) {
        const uint64_t stop = CharsetNoDetail(at);

        *ret_pair |= CharsetHasPair(at, byte, after);
        if (stop != 0) {
            at += MaskFirst(stop);
            return at < end ? at : end;
        }
    }
    return end;
}

/*
 * Whether [at, end) may contain a carriage return, or a byte before one of two others. True may be
 * wrong (the bytes after the end are examined too), false never is.
 */
bool CharsetMayHold(const char *at, const char *end, char byte, const char after[2]);

/*
 * Copy [at, end) to `out` without blanks and return the end of what was written. Up to 16 bytes
 * after that are overwritten as well.
 */
char *CharsetCopyWithoutBlanks(char *out, const char *at, const char *end);

/* Where `needle`, of at least two bytes, first occurs in [at, end), or NULL. */
const char *CharsetFind(const char *at, const char *end, const char *needle, size_t length);

#endif
