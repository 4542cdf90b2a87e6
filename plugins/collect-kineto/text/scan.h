/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_TEXT_SCAN_H
#define COLLECT_KINETO_TEXT_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/*
 * Moving over JSON text without interpreting it. All functions may read, but never use,
 * SCAN_PADDING bytes after `end`, so the caller's buffer has that many more.
 */

#define SCAN_PADDING 64u

/* The number of open containers, and where between quotes a piece of text ended. */
typedef struct ScanState {
    uint64_t depth;     /* containers that are open */
    uint64_t in_string; /* all ones inside a string, else 0 */
    uint64_t escaped;   /* 1 if the next byte is escaped, else 0 */
} ScanState;

/*
 * Move on until the bracket that brings `depth` to 0. Returns the byte after it, or NULL if `end`
 * came first; then the state is that of `end`, and the next piece of the text may follow. Kinds of
 * brackets are not distinguished.
 */
const char *ScanContainer(ScanState *state, const char *at, const char *end);

/* As above, byte by byte: the reference for tests, and the version without vectors. */
const char *ScanContainerPlainly(ScanState *state, const char *at, const char *end);

#ifdef __SSE2__
/* As above, 16 bytes at a time, for processors without longer vectors. */
const char *ScanContainerNarrowly(ScanState *state, const char *at, const char *end);
#endif

/*
 * From after the opening quote to the closing one; NULL if `end` came first. Sets *has_escape if
 * there is a backslash in between, and leaves it alone otherwise. Inline, for most strings are
 * short.
 */
static inline const char *ScanString(const char *at, const char *end, bool *has_escape)
{
#ifdef __SSE2__
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
#else
    for (; at < end; at++) {
        if (*at == '"') {
            return at;
        }
        if (*at == '\\') {
            *has_escape = true;
            at++;
        }
    }
#endif
    return NULL;
}

/* Part of ScanBlanks, for more than one or two blanks. */
static inline const char *ScanManyBlanks(const char *at, const char *end)
{
#ifdef __SSE2__
    while (at < end) {
        const __m128i bytes = _mm_loadu_si128((const __m128i *) (const void *) at);
        const __m128i spaces = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(' '));
        const __m128i ends = _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\n')),
                                          _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\r')));
        const __m128i others = _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\t')), ends);
        const unsigned mask = (unsigned) _mm_movemask_epi8(_mm_or_si128(spaces, others)) ^ 0xffffu;

        if (mask != 0) {
            at += __builtin_ctz(mask);
            return at < end ? at : end;
        }
        at += 16;
    }
    return end;
#else
    while (at < end && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t')) {
        at++;
    }
    return at;
#endif
}

/* First byte that is not a JSON blank; `end` if none. */
static inline const char *ScanBlanks(const char *at, const char *end)
{
    if (at < end && *at == ' ') {
        at++; /* as most writers put after a comma */
    }
    return at < end && (unsigned char) *at <= ' ' ? ScanManyBlanks(at, end) : at;
}

/* First byte that is not a digit, '.' or '/'; `end` if none. Made for
 * numbers: '/' is never in one. */
static inline const char *ScanDigits(const char *at, const char *end)
{
#ifdef __SSE2__
    const __m128i most = _mm_set1_epi8('9' - '.');

    while (at < end) {
        const __m128i bytes =
            _mm_sub_epi8(_mm_loadu_si128((const __m128i *) (const void *) at), _mm_set1_epi8('.'));
        const __m128i digits = _mm_cmpeq_epi8(_mm_min_epu8(bytes, most), bytes);
        const unsigned mask = (unsigned) _mm_movemask_epi8(digits) ^ 0xffffu;

        if (mask != 0) {
            at += __builtin_ctz(mask);
            return at < end ? at : end;
        }
        at += 16;
    }
    return end;
#else
    while (at < end && *at >= '.' && *at <= '9') {
        at++;
    }
    return at;
#endif
}

#endif
