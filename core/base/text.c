/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers and texts as others read them, the same in every locale. */
#include <opprof/text.h>

#include <opprof/require.h>

#include <endian.h>
#include <stdbool.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define PICOSECONDS_A_MICROSECOND 1000000u
#define EIGHT_DIGITS 100000000u

static const char hex_digits[] = "0123456789abcdef";

/* Without the first: 0 has one digit although it is below 10^0. */
static const uint64_t powers_of_ten[] = { 0,
                                          UINT64_C(10),
                                          UINT64_C(100),
                                          UINT64_C(1000),
                                          UINT64_C(10000),
                                          UINT64_C(100000),
                                          UINT64_C(1000000),
                                          UINT64_C(10000000),
                                          UINT64_C(100000000),
                                          UINT64_C(1000000000),
                                          UINT64_C(10000000000),
                                          UINT64_C(100000000000),
                                          UINT64_C(1000000000000),
                                          UINT64_C(10000000000000),
                                          UINT64_C(100000000000000),
                                          UINT64_C(1000000000000000),
                                          UINT64_C(10000000000000000),
                                          UINT64_C(100000000000000000),
                                          UINT64_C(1000000000000000000),
                                          UINT64_C(10000000000000000000) };

static unsigned count_digits(uint64_t value)
{
    const unsigned bits = 64 - (unsigned) __builtin_clzll(value | 1);
    const unsigned guess = bits * 1233 >> 12; /* log10(2) is just below 1233 / 4096 */

    return guess + (value >= powers_of_ten[guess]);
}

/* The eight decimal digits of a value below 10^8, the first in the lowest byte. */
static uint64_t digits_text(uint32_t value)
{
    /* Halves the digits three times over; each lane's quotient comes from a fixed-point product. */
    const uint64_t fours = value / 10000 | (uint64_t) (value % 10000) << 32;
    const uint64_t hundreds = (fours * 10486 >> 20) & UINT64_C(0x0000007f0000007f);
    const uint64_t twos = hundreds | (fours - hundreds * 100) << 16;
    const uint64_t tens = (twos * 103 >> 10) & UINT64_C(0x000f000f000f000f);
    const uint64_t ones = tens | (twos - tens * 10) << 8;

    return ones + UINT64_C(0x3030303030303030);
}

/* The last `digits` (1..8) of them. Always writes eight bytes. */
static void put_tail(char *out, uint32_t value, unsigned digits)
{
    const uint64_t text = htole64(digits_text(value) >> (64 - 8 * digits));
    memcpy(out, &text, sizeof text);
}

/* Exactly `digits` (1..20) digits, with leading zeros. Writes eight bytes at least. */
static char *put_digits(char *out, uint64_t value, unsigned digits)
{
    char *end = out + digits;

    if (digits > 16) {
        put_tail(out, (uint32_t) (value / EIGHT_DIGITS / EIGHT_DIGITS), digits - 16);
        value %= (uint64_t) EIGHT_DIGITS * EIGHT_DIGITS;
        digits = 16;
    }
    if (digits > 8) {
        put_tail(end - digits, (uint32_t) (value / EIGHT_DIGITS), digits - 8);
        value %= EIGHT_DIGITS;
        digits = 8;
    }
    put_tail(end - digits, (uint32_t) value, digits);
    return end;
}

char *OpprofTextPutU64(char *out, uint64_t value)
{
    return put_digits(out, value, count_digits(value));
}

char *OpprofTextPutI64(char *out, int64_t value)
{
    if (value >= 0) {
        return OpprofTextPutU64(out, (uint64_t) value);
    }
    *out = '-';
    return OpprofTextPutU64(out + 1, -(uint64_t) value);
}

/* The eight hexadecimal digits of a value, the first in the lowest byte. */
static uint64_t hex_text(uint32_t value)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t nibbles = value;

    nibbles = (nibbles | nibbles << 16) & UINT64_C(0x0000ffff0000ffff);
    nibbles = (nibbles | nibbles << 8) & UINT64_C(0x00ff00ff00ff00ff);
    nibbles = (nibbles | nibbles << 4) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    nibbles = __builtin_bswap64(nibbles);
    const uint64_t letters = (nibbles + ones * 6) >> 4 & ones; /* 1 where it is above 9 */
    return nibbles + ones * '0' + letters * ('a' - '0' - 10);
}

char *OpprofTextPutHex(char *out, uint64_t value)
{
    const unsigned bits = 64 - (unsigned) __builtin_clzll(value | 1);
    const unsigned digits = (bits + 3) / 4;
    const uint64_t shifted = value << (64 - 4 * digits); /* the first digit comes first */
    const uint64_t text[2] = { htole64(hex_text((uint32_t) (shifted >> 32))),
                               htole64(hex_text((uint32_t) shifted)) };

    memcpy(out, "0x", 2);
    memcpy(out + 2, text, sizeof text);
    return out + 2 + digits;
}

char *OpprofTextPutMicroseconds(char *out, int64_t picoseconds)
{
    uint64_t rest = (uint64_t) picoseconds;

    if (picoseconds < 0) {
        rest = -rest;
        *out++ = '-';
    }
    out = OpprofTextPutU64(out, rest / PICOSECONDS_A_MICROSECOND);
    rest %= PICOSECONDS_A_MICROSECOND;
    if (rest == 0) {
        return out;
    }
    *out++ = '.';
    out = put_digits(out, rest, 6);
    while (out[-1] == '0') {
        out--;
    }
    return out;
}

/* True for bytes that need no escape in a JSON string, whatever is around them. */
static inline bool is_plain(unsigned char byte)
{
    return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
}

/* Copies plain bytes up to a special one; returns how many. May copy more than it counts. */
static size_t copy_plain(char *out, const unsigned char *text, size_t length)
{
    size_t at = 0;
#ifdef __SSE2__
    const __m128i quote = _mm_set1_epi8('"');
    const __m128i backslash = _mm_set1_epi8('\\');
    const __m128i space = _mm_set1_epi8(0x20);

    for (; length - at >= 16; at += 16) {
        const __m128i bytes = _mm_loadu_si128((const __m128i *) (const void *) (text + at));
        _mm_storeu_si128((__m128i *) (void *) (out + at), bytes);
        /* Compared as signed, the bytes from 0x80 on are below the space as well. */
        const __m128i special = _mm_or_si128(
            _mm_cmplt_epi8(bytes, space),
            _mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash)));
        const unsigned mask = (unsigned) _mm_movemask_epi8(special);
        if (mask != 0) {
            return at + (unsigned) __builtin_ctz(mask);
        }
    }
#endif
    for (; length - at >= 8; at += 8) {
        const uint64_t ones = UINT64_C(0x0101010101010101);
        uint64_t bytes;
        memcpy(&bytes, text + at, sizeof bytes);
        memcpy(out + at, &bytes, sizeof bytes);
        const uint64_t quotes = bytes ^ ones * '"';
        const uint64_t backslashes = bytes ^ ones * '\\';
        /* Upper bits that are set: below 0x20, equal to either, or above 0x7f. Never misses one. */
        const uint64_t special =
            (bytes - ones * 0x20) | (quotes - ones) | (backslashes - ones) | bytes;
        if ((special & ones * 0x80) != 0) {
            break;
        }
    }
    for (; at < length && is_plain(text[at]); at++) {
        out[at] = (char) text[at];
    }
    return at;
}

/* Bytes of the UTF-8 sequence at `text`; 0: none, and one U+FFFD stands for *ret_bad bytes. */
static size_t utf8_length(const unsigned char *text, size_t length, size_t *ret_bad)
{
    const unsigned char lead = text[0];
    const size_t wanted = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    unsigned char low = 0x80;
    unsigned char high = 0xbf;

    *ret_bad = 1;
    if (lead < 0xc2 || lead > 0xf4) { /* continuation, overlong, or beyond U+10FFFF */
        return 0;
    }
    if (lead == 0xe0) { /* overlong */
        low = 0xa0;
    } else if (lead == 0xed) { /* surrogates */
        high = 0x9f;
    } else if (lead == 0xf0) { /* overlong */
        low = 0x90;
    } else if (lead == 0xf4) { /* beyond U+10FFFF */
        high = 0x8f;
    }
    for (size_t i = 1; i < wanted; i++) {
        if (i == length || text[i] < low || text[i] > high) {
            *ret_bad = i;
            return 0;
        }
        low = 0x80;
        high = 0xbf;
    }
    return wanted;
}

static char *put_escape(char *out, unsigned char byte)
{
    static const char letters[0x20] = {
        ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r'
    };
    const char letter = byte < 0x20 ? letters[byte] : (char) byte;

    *out++ = '\\';
    if (letter != '\0') {
        *out++ = letter;
        return out;
    }
    memcpy(out, "u00", 3);
    out[3] = hex_digits[byte >> 4];
    out[4] = hex_digits[byte & 15];
    return out + 5;
}

char *OpprofTextPutJson(char *out, const char *text, size_t length)
{
    const unsigned char *at = (const unsigned char *) (length == 0 ? "" : text);
    const unsigned char *end = at + length;

    *out++ = '"';
    for (;;) {
        const size_t plain = copy_plain(out, at, (size_t) (end - at));
        at += plain;
        out += plain;
        if (at == end) {
            break;
        }
        if (*at < 0x80) {
            out = put_escape(out, *at++);
            continue;
        }
        size_t bad = 0;
        const size_t good = utf8_length(at, (size_t) (end - at), &bad);
        memcpy(out, good > 0 ? (const char *) at : "\xef\xbf\xbd", good > 0 ? good : 3);
        out += good > 0 ? good : 3;
        at += good > 0 ? good : bad;
    }
    *out++ = '"';
    return out;
}

/* ---- the part of a text from outside that may reach a terminal or a table ---- */

/*
 * U+061C, U+200E, U+200F, U+202A to U+202E and U+2066 to U+2069 show what follows in another order,
 * so that a name can look like another one.
 */
static bool is_direction(const unsigned char *at, size_t taken)
{
    if (taken == 2) {
        return at[0] == 0xd8 && at[1] == 0x9c;
    }
    if (taken != 3 || at[0] != 0xe2) {
        return false;
    }
    return (at[1] == 0x80 &&
            (at[2] == 0x8e || at[2] == 0x8f || (at[2] >= 0xaa && at[2] <= 0xae))) ||
           (at[1] == 0x81 && at[2] >= 0xa6 && at[2] <= 0xa9);
}

size_t OpprofTextNext(const char *text, size_t length, bool *ret_plain)
{
    OPPROF_REQUIRE("text-next-given", (text != NULL || length == 0) && ret_plain != NULL,
                   "A text is NULL only if its length is 0, and the result pointer is given");

    const unsigned char *at = (const unsigned char *) text;
    size_t taken, bad;

    *ret_plain = false;
    if (length == 0) {
        return 0;
    }
    taken = at[0] < 0x80 ? 1 : utf8_length(at, length, &bad);
    if (taken == 0) {
        return 1;
    }
    *ret_plain = at[0] >= 0x20 && at[0] != 0x7f && !(at[0] == 0xc2 && at[1] < 0xa0) &&
                 !is_direction(at, taken);
    return taken;
}

static bool is_kept_break(const char *at, bool keep_lines)
{
    if (keep_lines) {
        return *at == '\n' || *at == '\t';
    }
    return strncmp(at, "\n  ", 3) == 0;
}

size_t OpprofTextTame(char *text, bool keep_lines)
{
    OPPROF_REQUIRE("text-given", text != NULL, "The text is given");

    size_t left = strlen(text);
    const char *at = text;
    char *out = text;

    while (left > 0) {
        bool plain;
        const size_t taken = OpprofTextNext(at, left, &plain);

        if (plain || is_kept_break(at, keep_lines)) {
            memmove(out, at, taken);
            out += taken;
        } else {
            *out++ = '?';
        }
        at += taken;
        left -= taken;
    }
    *out = '\0';
    return (size_t) (out - text);
}
