/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes JSON strings. Tested by tests/plugins/collect-kineto/test_values. */
#include "collect-kineto/text/json_text.h"

#include <stdint.h>

#define REPLACEMENT 0xfffdu
#define NO_CODE UINT32_MAX
#define WORD_MAX 64u /* no word that is searched for is longer */

/* Value of four hexadecimal digits, or NO_CODE. */
static uint32_t read_hex(const char *at, const char *end)
{
    uint32_t value = 0;

    if (end - at < 4) {
        return NO_CODE;
    }
    for (int i = 0; i < 4; i++) {
        const char c = at[i];
        const char lower = (char) (c | 0x20);

        if (c >= '0' && c <= '9') {
            value = value << 4 | (uint32_t) (c - '0');
        } else if (lower >= 'a' && lower <= 'f') {
            value = value << 4 | (uint32_t) (lower - 'a' + 10);
        } else {
            return NO_CODE;
        }
    }
    return value;
}

static char *put_utf8(char *out, uint32_t code)
{
    if (code < 0x80) {
        *out++ = (char) code;
    } else if (code < 0x800) {
        *out++ = (char) (0xc0 | code >> 6);
        *out++ = (char) (0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        *out++ = (char) (0xe0 | code >> 12);
        *out++ = (char) (0x80 | (code >> 6 & 0x3f));
        *out++ = (char) (0x80 | (code & 0x3f));
    } else {
        *out++ = (char) (0xf0 | code >> 18);
        *out++ = (char) (0x80 | (code >> 12 & 0x3f));
        *out++ = (char) (0x80 | (code >> 6 & 0x3f));
        *out++ = (char) (0x80 | (code & 0x3f));
    }
    return out;
}

/* `at` is after "\u". Takes the second half of a pair along. */
static const char *decode_unicode(const char *at, const char *end, char **out)
{
    uint32_t code = read_hex(at, end);

    if (code == NO_CODE) {
        *(*out)++ = 'u';
        return at;
    }
    at += 4;
    if (code >= 0xd800 && code < 0xdc00 && end - at >= 6 && at[0] == '\\' && at[1] == 'u') {
        const uint32_t low = read_hex(at + 2, end);

        if (low >= 0xdc00 && low < 0xe000) {
            *out = put_utf8(*out, 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00));
            return at + 6;
        }
    }
    *out = put_utf8(*out, code >= 0xd800 && code < 0xe000 ? REPLACEMENT : code);
    return at;
}

static char decode_letter(char letter)
{
    switch (letter) {
    case 'b':
        return '\b';
    case 'f':
        return '\f';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    default:
        return letter;
    }
}

size_t JsonTextDecode(JsonText text, char *out)
{
    const char *at = text.text;
    const char *const end = at + text.length;
    char *const first = out;

    if (!text.has_escape) {
        memcpy(out, at, text.length);
        return text.length;
    }
    while (at < end) {
        if (*at != '\\' || end - at < 2) {
            *out++ = *at++;
        } else if (at[1] == 'u') {
            at = decode_unicode(at + 2, end, &out);
        } else {
            *out++ = decode_letter(at[1]);
            at += 2;
        }
    }
    return (size_t) (out - first);
}

bool JsonTextIsDecoded(JsonText text, const char *word, size_t length)
{
    char decoded[6 * WORD_MAX];

    if (text.length > sizeof decoded) {
        return false;
    }
    return JsonTextDecode(text, decoded) == length && memcmp(decoded, word, length) == 0;
}
