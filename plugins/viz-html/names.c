/* SPDX-License-Identifier: Apache-2.0 */
/* Texts that occur often stand in the page once. Tested by tests/plugins/viz-html/test_html. */
#include "names.h"

#include "limits.h"

#include <string.h>

/* At most `limit` bytes, and no character cut in two. */
static size_t cut_length(const char *text, size_t length, size_t limit)
{
    if (length <= limit) {
        return length;
    }
    while (limit > 0 && ((unsigned char) text[limit] & 0xc0) == 0x80) {
        limit--;
    }
    return limit;
}

uint32_t NamesNumber(Names *names, uint32_t id)
{
    const uint32_t known = OpprofMapFind(&names->numbers, id);
    size_t length;
    const char *text;

    if (known != OPPROF_MAP_NONE) {
        return known;
    }
    if (names->json.length >= PAGE_NAMES_BYTES) {
        names->left_out++;
        return 0;
    }
    if (names->count == 0) {
        TextPut(&names->json, "\"(left out)\"");
    }
    if (!OpprofMapPut(&names->numbers, id, names->count + 1)) {
        names->json.has_failed = true;
        return 0;
    }
    text = OpprofStageStringLength(names->stage, id, &length);
    TextRaw(&names->json, ",", 1);
    TextJson(&names->json, text, cut_length(text, length, PAGE_TEXT_BYTES));
    return ++names->count;
}

void NamesFinish(Names *names)
{
    OpprofMapFinish(&names->numbers);
    TextFinish(&names->json);
}
