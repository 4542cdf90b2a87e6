/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers in few bytes, and bytes as text. Tested by tests/plugins/viz-html/test_packed. */
#include "packed.h"

#define NUMBER_BYTES 10u

void PackNumber(Text *bytes, uint64_t number)
{
    char *out = TextReserve(bytes, NUMBER_BYTES);
    size_t length = 0;

    if (out == NULL) {
        return;
    }
    while (number >= 0x80) {
        out[length++] = (char) (number | 0x80);
        number >>= 7;
    }
    out[length++] = (char) number;
    TextCommit(bytes, length);
}

void PackSigned(Text *bytes, int64_t number)
{
    PackNumber(bytes, ((uint64_t) number << 1) ^ (number < 0 ? UINT64_MAX : 0));
}

void PackText(Text *text, const char *bytes, size_t length)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *out = TextReserve(text, (length + 2) / 3 * 4);
    size_t written = 0;

    if (out == NULL) {
        return;
    }
    for (size_t i = 0; i < length; i += 3) {
        const size_t left = length - i;
        const uint32_t group = (uint32_t) (unsigned char) bytes[i] << 16 |
                               (left > 1 ? (uint32_t) (unsigned char) bytes[i + 1] << 8 : 0) |
                               (left > 2 ? (uint32_t) (unsigned char) bytes[i + 2] : 0);

        out[written++] = digits[group >> 18];
        out[written++] = digits[group >> 12 & 63];
        out[written++] = left > 1 ? digits[group >> 6 & 63] : '=';
        out[written++] = left > 2 ? digits[group & 63] : '=';
    }
    TextCommit(text, written);
}
