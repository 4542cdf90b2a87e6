/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers in few bytes, and bytes as text. Tested by tests/plugins/viz-html/test_packed. */
#include "packed.h"

#define PIECE_BYTES 3072u

char *PackPut(char *out, uint64_t number)
{
    while (number >= 0x80) {
        *out++ = (char) (number | 0x80);
        number >>= 7;
    }
    *out++ = (char) number;
    return out;
}

void PackNumber(OpprofJsonOut *bytes, uint64_t number)
{
    char out[PACK_NUMBER_MAX];

    OpprofJsonPutBytes(bytes, out, (size_t) (PackPut(out, number) - out));
}

void PackSigned(OpprofJsonOut *bytes, int64_t number)
{
    PackNumber(bytes, ((uint64_t) number << 1) ^ (number < 0 ? UINT64_MAX : 0));
}

/* At most PIECE_BYTES; only the last piece may end with less than a group of three. */
static void put_piece(OpprofJsonOut *text, const char *bytes, size_t length)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char out[PIECE_BYTES / 3 * 4];
    size_t written = 0;

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
    OpprofJsonPutBytes(text, out, written);
}

void PackText(OpprofJsonOut *text, const char *bytes, size_t length)
{
    for (size_t at = 0; at < length; at += PIECE_BYTES) {
        put_piece(text, bytes + at, length - at < PIECE_BYTES ? length - at : PIECE_BYTES);
    }
}
