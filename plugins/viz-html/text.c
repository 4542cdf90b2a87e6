/* SPDX-License-Identifier: Apache-2.0 */
/* Texts that grow: JSON that is safe inside of a page. Tested by tests/plugins/viz-html/test_html. */
#include "text.h"

#include <opprof/grow.h>
#include <opprof/text.h>

#include <stdlib.h>
#include <string.h>

char *TextReserve(Text *text, size_t size)
{
    if (text->has_failed || size > SIZE_MAX - text->length ||
        !OpprofGrow(&text->bytes, &text->capacity, text->length + size, 1)) {
        text->has_failed = true;
        return NULL;
    }
    return text->bytes + text->length;
}

void TextCommit(Text *text, size_t size)
{
    text->length += size;
}

void TextRaw(Text *text, const char *bytes, size_t length)
{
    char *out = TextReserve(text, length);

    if (out != NULL && length > 0) {
        memcpy(out, bytes, length);
        TextCommit(text, length);
    }
}

void TextPut(Text *text, const char *string)
{
    TextRaw(text, string, strlen(string));
}

void TextNumber(Text *text, uint64_t number)
{
    char *out = TextReserve(text, OPPROF_TEXT_NUMBER);

    if (out != NULL) {
        TextCommit(text, (size_t) (OpprofTextPutU64(out, number) - out));
    }
}

/* A stretch without '<'. Its own quotes are dropped. */
static void put_stretch(Text *text, const char *bytes, size_t length)
{
    char *out = TextReserve(text, OPPROF_TEXT_JSON_ROOM(length));

    if (out != NULL && length > 0) {
        const size_t written = (size_t) (OpprofTextPutJson(out, bytes, length) - out);

        memmove(out, out + 1, written - 2);
        TextCommit(text, written - 2);
    }
}

void TextJson(Text *text, const char *bytes, size_t length)
{
    TextRaw(text, "\"", 1);
    for (size_t at = 0; at < length;) {
        const char *found = memchr(bytes + at, '<', length - at);
        const size_t stretch = found == NULL ? length - at : (size_t) (found - bytes) - at;

        put_stretch(text, bytes + at, stretch);
        at += stretch;
        if (found != NULL) {
            TextPut(text, "\\u003c");
            at++;
        }
    }
    TextRaw(text, "\"", 1);
}

static void put_name(Text *text, const char *name)
{
    const char last = text->length == 0 ? '{' : text->bytes[text->length - 1];

    if (last != '{') {
        TextRaw(text, ",", 1);
    }
    TextJson(text, name, strlen(name));
    TextRaw(text, ":", 1);
}

void TextMember(Text *text, const char *name, const char *string)
{
    if (string == NULL) {
        return;
    }
    put_name(text, name);
    TextJson(text, string, strlen(string));
}

void TextMemberNumber(Text *text, const char *name, uint64_t number)
{
    put_name(text, name);
    TextNumber(text, number);
}

void TextCut(Text *text, size_t length)
{
    if (length < text->length) {
        text->length = length;
    }
}

void TextFinish(Text *text)
{
    free(text->bytes);
    *text = (Text){ 0 };
}
