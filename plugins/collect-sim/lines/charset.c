/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scans texts for classes of characters, whole vectors at a time. Tested by
 * tests/plugins/collect-sim/test_line.c.
 */
#include "charset.h"

#define D (CHARSET_DIGIT | CHARSET_HEX | CHARSET_NAME | CHARSET_DETAIL | CHARSET_BINARY)
#define L (CHARSET_PIPE | CHARSET_NAME | CHARSET_DETAIL)
#define H (L | CHARSET_HEX | CHARSET_BINARY)
#define P CHARSET_DETAIL

const unsigned char sim_charset[256] = {
    ['\t'] = CHARSET_SPACE,
    ['\n'] = CHARSET_SPACE,
    ['\v'] = CHARSET_SPACE,
    ['\f'] = CHARSET_SPACE,
    ['\r'] = CHARSET_SPACE,
    [' '] = CHARSET_SPACE | P | CHARSET_BINARY,
    ['#'] = P,
    [','] = P,
    ['/'] = P,
    [':'] = P,
    ['='] = P,
    ['['] = P,
    [']'] = P,
    ['|'] = P,
    ['-'] = P | CHARSET_NAME,
    ['_'] = L,
    ['0' ... '3'] = D | CHARSET_PIPE,
    ['4' ... '9'] = D,
    ['A' ... 'Z'] = L,
    ['a' ... 'f'] = H,
    ['g' ... 'z'] = L,
};

#if COLLECT_SIM_SSE2

/* As CharsetMayHold, of a text that has the byte. */
static bool may_hold_pair(const char *at, const char *end, char byte, const char after[2])
{
    __m128i found = _mm_setzero_si128();

    for (; at < end; at += 16) {
        found = _mm_or_si128(
            found, _mm_or_si128(sim_equal(sim_load(at), '\r'), sim_pair(at, byte, after)));
    }
    return _mm_movemask_epi8(found) != 0;
}

/* Few texts have the byte at all. */
bool CharsetMayHold(const char *at, const char *end, char byte, const char after[2])
{
    const __m128i first = _mm_set1_epi8(byte);
    __m128i found = _mm_setzero_si128();

    for (const char *from = at; from < end; from += 16) {
        const __m128i bytes = sim_load(from);

        found =
            _mm_or_si128(found, _mm_or_si128(sim_equal(bytes, '\r'), _mm_cmpeq_epi8(bytes, first)));
    }
    return _mm_movemask_epi8(found) != 0 && may_hold_pair(at, end, byte, after);
}

#else

bool CharsetMayHold(const char *at, const char *end, char byte, const char after[2])
{
    bool found = false;

    for (; at < end; at++) {
        found |= at[0] == '\r' || (at[0] == byte && (at[1] == after[0] || at[1] == after[1]));
    }
    return found;
}

#endif

/* Copy 16 bytes at a time: both sides have room for it, and a constant size is one move. */
static char *copy_run(char *out, const char *at, size_t length)
{
    for (size_t done = 0; done < length; done += 16) {
        memcpy(out + done, at + done, 16);
    }
    return out + length;
}

char *CharsetCopyWithoutBlanks(char *out, const char *at, const char *end)
{
    while (at < end) {
        const char *stop = (size_t) (end - at) < 64 ? end : at + 64;
        uint64_t blanks = CharsetBlanks(at);
        const char *from = at;

        while (blanks != 0 && at + MaskFirst(blanks) < stop) {
            const char *blank = at + MaskFirst(blanks);

            out = copy_run(out, from, (size_t) (blank - from));
            from = blank + 1;
            blanks &= blanks - 1;
        }
        out = copy_run(out, from, (size_t) (stop - from));
        at = stop;
    }
    return out;
}

#if COLLECT_SIM_SSE2

/* Searches for the first two bytes together: one alone ('[', 'S') is frequent in operands. */
const char *CharsetFind(const char *at, const char *end, const char *needle, size_t length)
{
    for (; length <= (size_t) (end - at); at += 16) {
        const __m128i both = _mm_and_si128(sim_equal(sim_load(at), needle[0]),
                                           sim_equal(sim_load(at + 1), needle[1]));

        for (uint64_t hits = sim_mask(both); hits != 0; hits &= hits - 1) {
            const char *hit = at + MaskFirst(hits);

            if ((size_t) (end - hit) < length) {
                return NULL;
            }
            if (memcmp(hit, needle, length) == 0) {
                return hit;
            }
        }
        if (end - at < 16) {
            break;
        }
    }
    return NULL;
}

#else

const char *CharsetFind(const char *at, const char *end, const char *needle, size_t length)
{
    while (length <= (size_t) (end - at)) {
        const char *hit = memchr(at, needle[0], (size_t) (end - at) - length + 1);

        if (hit == NULL) {
            return NULL;
        }
        if (memcmp(hit, needle, length) == 0) {
            return hit;
        }
        at = hit + 1;
    }
    return NULL;
}

#endif
