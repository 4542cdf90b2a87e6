/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Moves over JSON text without interpreting it.
 * Tested by tests/plugins/collect-kineto/test_scan.
 */
#include "collect-kineto/text/scan.h"

#ifdef __SSE2__
#include <immintrin.h>
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

/* A quarter of a block. Brackets differ in one bit: '[' | 0x20 is '{', ']' | 0x20 is '}'. */
static inline void scan_quarter(const char *at, unsigned quarter, BlockBits *bits)
{
    const __m128i bytes = _mm_loadu_si128((const __m128i *) (const void *) (at + quarter * 16));
    const __m128i folded = _mm_or_si128(bytes, _mm_set1_epi8(0x20));

    bits->quotes |= bits_of(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')), quarter);
    bits->backslashes |= bits_of(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\')), quarter);
    bits->opening |= bits_of(_mm_cmpeq_epi8(folded, _mm_set1_epi8('{')), quarter);
    bits->closing |= bits_of(_mm_cmpeq_epi8(folded, _mm_set1_epi8('}')), quarter);
}

/* Unrolled by hand, since compilers do not do it. */
static inline BlockBits scan_block(const char *at)
{
    BlockBits bits = { 0, 0, 0, 0 };

    scan_quarter(at, 0, &bits);
    scan_quarter(at, 1, &bits);
    scan_quarter(at, 2, &bits);
    scan_quarter(at, 3, &bits);
    return bits;
}

/* Bits of the bytes that are escaped by a backslash. */
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
    bits ^= bits << 1;
    bits ^= bits << 2;
    bits ^= bits << 4;
    bits ^= bits << 8;
    bits ^= bits << 16;
    return bits ^ bits << 32;
}

/* Walks over the brackets of a block. Returns the number of the byte that closes all, or BLOCK. */
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

/* A block, whose quotes are known to count. Returns as follow_brackets. */
static inline unsigned follow_block(ScanState *state, const BlockBits *bits, uint64_t inside)
{
    const unsigned last = follow_brackets(state, bits->opening & ~inside, bits->closing & ~inside);

    state->in_string = 0 - (inside >> 63);
    return last;
}

/* Removes escaped quotes. */
static inline void drop_escaped(ScanState *state, BlockBits *bits)
{
    if ((bits->backslashes | state->escaped) != 0) {
        bits->quotes &= ~escaped_bits(bits->backslashes, &state->escaped);
    }
}

const char *ScanContainerNarrowly(ScanState *state, const char *at, const char *end)
{
    while ((size_t) (end - at) >= BLOCK) {
        BlockBits bits = scan_block(at);
        unsigned last;

        drop_escaped(state, &bits);
        last = follow_block(state, &bits, parity_bits(bits.quotes) ^ state->in_string);
        if (last < BLOCK) {
            return at + last + 1;
        }
        at += BLOCK;
    }
    return ScanContainerPlainly(state, at, end);
}

#ifdef __x86_64__

#define WIDE __attribute__((target("avx2,pclmul,popcnt")))

static WIDE inline uint64_t wide_bits(__m256i low, __m256i high, char byte)
{
    const __m256i wanted = _mm256_set1_epi8(byte);

    return (uint64_t) (uint32_t) _mm256_movemask_epi8(_mm256_cmpeq_epi8(low, wanted)) |
           (uint64_t) (uint32_t) _mm256_movemask_epi8(_mm256_cmpeq_epi8(high, wanted)) << 32;
}

static WIDE inline BlockBits look_widely(const char *at)
{
    const __m256i low = _mm256_loadu_si256((const __m256i *) (const void *) at);
    const __m256i high = _mm256_loadu_si256((const __m256i *) (const void *) (at + 32));
    const __m256i fold = _mm256_set1_epi8(0x20);
    const __m256i folded_low = _mm256_or_si256(low, fold);
    const __m256i folded_high = _mm256_or_si256(high, fold);

    return (BlockBits){ .quotes = wide_bits(low, high, '"'),
                        .backslashes = wide_bits(low, high, '\\'),
                        .opening = wide_bits(folded_low, folded_high, '{'),
                        .closing = wide_bits(folded_low, folded_high, '}') };
}

/* parity_bits by a multiplication without carries. */
static WIDE inline uint64_t wide_parity(uint64_t bits)
{
    const __m128i product =
        _mm_clmulepi64_si128(_mm_cvtsi64_si128((long long) bits), _mm_set1_epi8((char) 0xff), 0);

    return (uint64_t) _mm_cvtsi128_si64(product);
}

static WIDE const char *scan_widely(ScanState *state, const char *at, const char *end)
{
    while ((size_t) (end - at) >= BLOCK) {
        BlockBits bits = look_widely(at);
        uint64_t inside;
        int64_t closing;

        drop_escaped(state, &bits);
        inside = wide_parity(bits.quotes) ^ state->in_string;
        closing = _mm_popcnt_u64(bits.closing & ~inside);
        if ((int64_t) state->depth > closing) { /* not all can be closed here */
            state->depth += (uint64_t) (_mm_popcnt_u64(bits.opening & ~inside) - closing);
            state->in_string = 0 - (inside >> 63);
        } else {
            const unsigned last = follow_block(state, &bits, inside);

            if (last < BLOCK) {
                return at + last + 1;
            }
        }
        at += BLOCK;
    }
    return ScanContainerPlainly(state, at, end);
}

static bool is_wide(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("pclmul") &&
           __builtin_cpu_supports("popcnt");
}

const char *ScanContainer(ScanState *state, const char *at, const char *end)
{
    return is_wide() ? scan_widely(state, at, end) : ScanContainerNarrowly(state, at, end);
}

#else

const char *ScanContainer(ScanState *state, const char *at, const char *end)
{
    return ScanContainerNarrowly(state, at, end);
}

#endif

#else

const char *ScanContainer(ScanState *state, const char *at, const char *end)
{
    return ScanContainerPlainly(state, at, end);
}

#endif
