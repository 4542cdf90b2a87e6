/* SPDX-License-Identifier: Apache-2.0 */
#include "scan.h"

#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

const char *ScanContainerPlainly(ScanState *state, const char *at, const char *end)
{
    for (; at < end; at++) {
        const bool is_escaped = state->escaped != 0;

        state->escaped = *at == '\\' && !is_escaped;
        if (*at == '"' && !is_escaped) {
            state->in_string = ~state->in_string;
        } else if (state->in_string == 0 && (*at == '{' || *at == '[')) {
            state->depth++;
        } else if (state->in_string == 0 && (*at == '}' || *at == ']') && --state->depth == 0) {
            return at + 1;
        }
    }
    return NULL;
}

#ifdef __SSE2__

#define BLOCK 64u

/* One bit a byte of a block. */
typedef struct BlockBits {
    uint64_t quotes;
    uint64_t backslashes;
    uint64_t opening;
    uint64_t closing;
} BlockBits;

static inline uint64_t bits_of(__m128i matches, unsigned quarter)
{
    return (uint64_t) (uint32_t) _mm_movemask_epi8(matches) << (quarter * 16);
}

static inline BlockBits look_at_block(const char *at)
{
    const __m128i quote = _mm_set1_epi8('"');
    const __m128i backslash = _mm_set1_epi8('\\');
    const __m128i lower = _mm_set1_epi8(0x20); /* '[' | 0x20 is '{', ']' | 0x20 is '}' */
    const __m128i opening = _mm_set1_epi8('{');
    const __m128i closing = _mm_set1_epi8('}');
    BlockBits bits = { 0, 0, 0, 0 };

    for (unsigned i = 0; i < BLOCK / 16; i++) {
        const __m128i bytes = _mm_loadu_si128((const __m128i *) (const void *) (at + i * 16));
        const __m128i folded = _mm_or_si128(bytes, lower);

        bits.quotes |= bits_of(_mm_cmpeq_epi8(bytes, quote), i);
        bits.backslashes |= bits_of(_mm_cmpeq_epi8(bytes, backslash), i);
        bits.opening |= bits_of(_mm_cmpeq_epi8(folded, opening), i);
        bits.closing |= bits_of(_mm_cmpeq_epi8(folded, closing), i);
    }
    return bits;
}

/* Bits of the bytes that a backslash before them takes the meaning from. */
static uint64_t escaped_bits(uint64_t backslashes, uint64_t *carry)
{
    uint64_t escaped = *carry;

    backslashes &= ~escaped;
    *carry = 0;
    while (backslashes != 0) {
        const uint64_t first = backslashes & (0 - backslashes);

        *carry = first >> 63;
        escaped |= first << 1;
        backslashes &= ~(first | first << 1);
    }
    return escaped;
}

/* Bit i of the result: the number of bits up to i is odd. */
static inline uint64_t parity_bits(uint64_t bits)
{
    for (unsigned shift = 1; shift < 64; shift *= 2) {
        bits ^= bits << shift;
    }
    return bits;
}

/* Walks the brackets of a block. Returns the number of the byte that closes all, or BLOCK. */
static inline unsigned follow_brackets(ScanState *state, uint64_t opening, uint64_t closing)
{
    uint64_t both = opening | closing;

    while (both != 0) {
        const uint64_t first = both & (0 - both);

        both ^= first;
        if ((opening & first) != 0) {
            state->depth++;
        } else if (--state->depth == 0) {
            return (unsigned) __builtin_ctzll(first);
        }
    }
    return BLOCK;
}

const char *ScanContainer(ScanState *state, const char *at, const char *end)
{
    while ((size_t) (end - at) >= BLOCK) {
        BlockBits bits = look_at_block(at);
        uint64_t outside;
        unsigned last;

        if ((bits.backslashes | state->escaped) != 0) {
            bits.quotes &= ~escaped_bits(bits.backslashes, &state->escaped);
        }
        outside = ~(parity_bits(bits.quotes) ^ state->in_string);
        last = follow_brackets(state, bits.opening & outside, bits.closing & outside);
        if (last < BLOCK) {
            return at + last + 1;
        }
        state->in_string = 0 - (~outside >> 63);
        at += BLOCK;
    }
    return ScanContainerPlainly(state, at, end);
}

const char *ScanString(const char *at, const char *end, bool *has_escape)
{
    const __m128i quote = _mm_set1_epi8('"');
    const __m128i backslash = _mm_set1_epi8('\\');

    while (at < end) {
        const __m128i bytes = _mm_loadu_si128((const __m128i *) (const void *) at);
        const __m128i found =
            _mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash));
        const unsigned mask = (unsigned) _mm_movemask_epi8(found);

        if (mask == 0) {
            at += 16;
            continue;
        }
        at += __builtin_ctz(mask);
        if (at >= end) {
            return NULL;
        }
        if (*at == '"') {
            return at;
        }
        *has_escape = true;
        at += 2;
    }
    return NULL;
}

#else

const char *ScanContainer(ScanState *state, const char *at, const char *end)
{
    return ScanContainerPlainly(state, at, end);
}

const char *ScanString(const char *at, const char *end, bool *has_escape)
{
    for (; at < end; at++) {
        if (*at == '"') {
            return at;
        }
        if (*at == '\\') {
            *has_escape = true;
            at++;
        }
    }
    return NULL;
}

#endif
