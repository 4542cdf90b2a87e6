/* SPDX-License-Identifier: Apache-2.0 */
/* JSON that is safe inside of a page. Tested by tests/plugins/viz-html/test_html. */
#include "text.h"

#include <string.h>

void TextSafe(OpprofJsonOut *json, const char *bytes, size_t length)
{
    const char *end = length == 0 ? bytes : bytes + length;

    for (const char *at = bytes; at < end;) {
        const char *found = memchr(at, '<', (size_t) (end - at));
        const char *stop = found == NULL ? end : found;

        OpprofJsonPutBytes(json, at, (size_t) (stop - at));
        OpprofJsonPutRaw(json, found == NULL ? "" : "\\u003c");
        at = found == NULL ? end : found + 1;
    }
}

void TextJson(OpprofJsonOut *json, const char *bytes, size_t length)
{
    OpprofJsonOut plain = { .text = NULL };

    if (length == 0 || memchr(bytes, '<', length) == NULL) {
        OpprofJsonPutString(json, length == 0 ? "" : bytes, length);
        return;
    }
    OpprofJsonPutString(&plain, bytes, length);
    TextSafe(json, plain.text, plain.length);
    json->is_short = json->is_short || plain.is_short;
    OpprofJsonOutFinish(&plain);
}

void TextMember(OpprofJsonOut *json, const char *name, const char *string)
{
    if (string != NULL) {
        OpprofJsonPutKey(json, name);
        TextJson(json, string, strlen(string));
    }
}

void TextMemberNumber(OpprofJsonOut *json, const char *name, uint64_t number)
{
    OpprofJsonPutKey(json, name);
    OpprofJsonPutU64(json, number);
}

void TextCut(OpprofJsonOut *json, size_t length)
{
    if (length < json->length) {
        json->length = length;
        json->last = length == 0 ? '\0' : json->text[length - 1];
    }
}
