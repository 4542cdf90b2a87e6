/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_SIM_COMMON_BYTE_SEARCH_H
#define ANALYSE_SIM_COMMON_BYTE_SEARCH_H

/* Finds where in a text one of two bytes stands, many bytes at a time. Reads nothing after the
 * text. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define BYTE_SEARCH_WINDOW 32u /* bytes compared at once */

typedef struct ByteSearch {
    const char *text;
    size_t length;
    size_t window; /* place of the bits in `hits` */
    uint32_t hits; /* a bit per byte of the window that was not returned yet */
    char byte;
    char other;
} ByteSearch;

#ifdef __SSE2__
static inline uint32_t byte_search_half(const char *at, char byte, char other)
{
    const __m128i bytes = _mm_loadu_si128((const __m128i *) (const void *) at);

    return (uint32_t) _mm_movemask_epi8(_mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(byte)),
                                                     _mm_cmpeq_epi8(bytes, _mm_set1_epi8(other))));
}
#endif

static inline uint32_t byte_search_look(const ByteSearch *search, const char *at)
{
#ifdef __SSE2__
    return byte_search_half(at, search->byte, search->other) |
           byte_search_half(at + 16, search->byte, search->other) << 16;
#else
    uint32_t hits = 0;

    for (unsigned i = 0; i < BYTE_SEARCH_WINDOW; i++) {
        hits |= (uint32_t) (at[i] == search->byte || at[i] == search->other) << i;
    }
    return hits;
#endif
}

static inline uint32_t byte_search_window(const ByteSearch *search)
{
    const size_t left = search->length - search->window;
    char rest[BYTE_SEARCH_WINDOW];

    if (left >= BYTE_SEARCH_WINDOW) {
        return byte_search_look(search, search->text + search->window);
    }
    if (search->length >= BYTE_SEARCH_WINDOW) { /* the last bytes again, in a whole window */
        return byte_search_look(search, search->text + search->length - BYTE_SEARCH_WINDOW) >>
               (BYTE_SEARCH_WINDOW - left);
    }
    memcpy(rest, search->text, left);
    memset(rest + left, 0, BYTE_SEARCH_WINDOW - left);
    return byte_search_look(search, rest);
}

static inline ByteSearch ByteSearchFor(const char *text, size_t length, char byte, char other)
{
    ByteSearch search = { .text = text, .length = length, .byte = byte, .other = other };

    search.hits = length == 0 ? 0 : byte_search_window(&search);
    return search;
}

/* The next place; false if none. */
static inline bool ByteSearchNext(ByteSearch *search, size_t *ret_at)
{
    while (search->hits == 0) {
        if (search->length - search->window <= BYTE_SEARCH_WINDOW) {
            return false;
        }
        search->window += BYTE_SEARCH_WINDOW;
        search->hits = byte_search_window(search);
    }
    *ret_at = search->window + (size_t) __builtin_ctz(search->hits);
    search->hits &= search->hits - 1;
    return true;
}

#endif
