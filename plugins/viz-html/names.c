/* SPDX-License-Identifier: Apache-2.0 */
/* Writes frequent texts to the page only once. Tested by tests/plugins/viz-html/test_html. */
#include "names.h"

#include "limits.h"

#include <string.h>

/*
 * Marks an id; in JSON this byte can only occur escaped. The id's bytes have their highest bit set,
 * so none ends a text or a line.
 */
#define MARK '\x01'
#define MARK_BYTES 6u

/* At most `limit` bytes, without cutting a character in two. */
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
        OpprofJsonPutRaw(&names->json, "\"(left out)\"");
    }
    if (!OpprofMapPut(&names->numbers, id, names->count + 1)) {
        names->json.is_short = true;
        return 0;
    }
    text = OpprofStageStringLength(names->stage, id, &length);
    OpprofJsonPutBytes(&names->json, ",", 1);
    TextJson(&names->json, text, cut_length(text, length, PAGE_TEXT_BYTES));
    return ++names->count;
}

void NamesMark(OpprofJsonOut *text, const char *before, uint32_t id, const char *after)
{
    char mark[MARK_BYTES + 2];
    char *at = mark;

    if (before[0] != '\0') {
        *at++ = before[0];
    }
    *at++ = MARK;
    for (uint32_t i = 1; i < MARK_BYTES; i++, id >>= 7) {
        *at++ = (char) (0x80 | (id & 0x7f));
    }
    if (after[0] != '\0') {
        *at++ = after[0];
    }
    OpprofJsonPutBytes(text, mark, (size_t) (at - mark));
}

static uint32_t read_id(const char *mark)
{
    uint32_t id = 0;

    for (uint32_t i = MARK_BYTES - 1; i > 0; i--) {
        id = id << 7 | ((unsigned char) mark[i] & 0x7f);
    }
    return id;
}

void NamesResolve(Names *names, const char *bytes, size_t length, OpprofJsonOut *text)
{
    const char *at = bytes;
    const char *end = bytes + length;

    while (at < end) {
        const char *mark = memchr(at, MARK, (size_t) (end - at));

        if (mark == NULL || end - mark < MARK_BYTES) {
            OpprofJsonPutBytes(text, at, (size_t) (end - at));
            return;
        }
        OpprofJsonPutBytes(text, at, (size_t) (mark - at));
        OpprofJsonPutU64(text, NamesNumber(names, read_id(mark)));
        at = mark + MARK_BYTES;
    }
}

void NamesFinish(Names *names)
{
    OpprofMapFinish(&names->numbers);
    OpprofJsonOutFinish(&names->json);
}
