/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part of a text from outside that may reach a terminal or a table: all but controls and broken
 * UTF-8. Tested by tests/core/base/test_text.
 */
#include <opprof/text.h>

#include <opprof/require.h>
#include <string.h>

#define CONTINUATION(byte) (((byte) &0xc0) == 0x80)

/* Bytes that a lead byte announces; 0: it is not one. Overlong forms, surrogates and the like count
 * as broken. */
static size_t sequence_length(const unsigned char *at, size_t length)
{
    if (at[0] < 0x80) {
        return 1;
    }
    if (length < 2 || !CONTINUATION(at[1])) {
        return 0;
    }
    if (at[0] >= 0xc2 && at[0] <= 0xdf) {
        return 2;
    }
    if (length < 3 || !CONTINUATION(at[2])) {
        return 0;
    }
    if (at[0] >= 0xe0 && at[0] <= 0xef) {
        bool good = (at[0] != 0xe0 || at[1] >= 0xa0) && (at[0] != 0xed || at[1] < 0xa0);
        return good ? 3 : 0;
    }
    if (length < 4 || !CONTINUATION(at[3])) {
        return 0;
    }
    if (at[0] >= 0xf0 && at[0] <= 0xf4) {
        bool good = (at[0] != 0xf0 || at[1] >= 0x90) && (at[0] != 0xf4 || at[1] < 0x90);
        return good ? 4 : 0;
    }
    return 0;
}

size_t OpprofTextNext(const char *text, size_t length, bool *ret_plain)
{
    OPPROF_REQUIRE("text-next-given", (text != NULL || length == 0) && ret_plain != NULL,
                   "A text that is not empty has an address, and the place of the result is given");

    const unsigned char *at = (const unsigned char *) text;
    size_t taken;

    *ret_plain = false;
    if (length == 0) {
        return 0;
    }
    taken = sequence_length(at, length);
    if (taken == 0) {
        return 1;
    }
    *ret_plain = at[0] >= 0x20 && at[0] != 0x7f && !(at[0] == 0xc2 && at[1] < 0xa0);
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
