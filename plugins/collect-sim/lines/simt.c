/* SPDX-License-Identifier: Apache-2.0 */
/* Reads warps and thread masks in operands. Tested by tests/plugins/collect-sim/test_tables.c. */
#include "simt.h"
#include "charset.h"

/* "[schId:s]" anywhere in the text; -1: not there. */
static int16_t find_scheduler(const char *at, const char *end)
{
    while ((at = CharsetFind(at, end, "[schId:", 7)) != NULL) {
        at += 7;
        if (end - at >= 2 && *at >= '0' && *at <= '3' && at[1] == ']') {
            return (int16_t) (*at - '0');
        }
    }
    return -1;
}

void SimtReadWarp(const char *at, const char *end, int16_t *ret_warp, int16_t *ret_scheduler)
{
    *ret_warp = -1;
    *ret_scheduler = -1;
    while ((at = CharsetFind(at, end, "[warpId:", 8)) != NULL) {
        const char *digits = at + 8;
        int warp = 0;

        for (at = digits; at < end && at - digits < 2 && CharsetHas(*at, CHARSET_DIGIT); at++) {
            warp = warp * 10 + (*at - '0');
        }
        if (at > digits && at < end && *at == ']') {
            *ret_scheduler = find_scheduler(at, end);
            *ret_warp = (int16_t) (*ret_scheduler < 0 ? -1 : warp);
            return;
        }
    }
}

static int hex_digit(char byte)
{
    if (CharsetHas(byte, CHARSET_DIGIT)) {
        return byte - '0';
    }
    byte |= 0x20;
    return byte >= 'a' && byte <= 'f' ? byte - 'a' + 10 : -1;
}

/* 1 to 8 digits and a bracket; NULL if there is something else. An empty mask says nothing. */
static const char *read_mask(const char *at, const char *end, uint32_t *ret_mask)
{
    const char *from = at;

    *ret_mask = 0;
    for (; at < end && at - from < 8 && hex_digit(*at) >= 0; at++) {
        *ret_mask = *ret_mask << 4 | (uint32_t) hex_digit(*at);
    }
    return at > from && at < end && *at == ']' ? at + 1 : NULL;
}

int32_t SimtReadThreads(const char *at, const char *end)
{
    while ((at = CharsetFind(at, end, "[prdctMask:", 11)) != NULL) {
        uint32_t predicted, executed;
        const char *next = read_mask(at + 11, end, &predicted);

        if (next != NULL && end - next >= 11 && memcmp(next, ",[execMask:", 11) == 0 &&
            read_mask(next + 11, end, &executed) != NULL) {
            return __builtin_popcount(predicted & executed);
        }
        at += 11;
    }
    return -1;
}
