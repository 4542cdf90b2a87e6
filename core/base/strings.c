/* SPDX-License-Identifier: Apache-2.0 */
/* The run's string table: insertion takes a lock, reading is wait-free. */
#include "base/strings.h"

#include <stdlib.h>
#include <string.h>

/* Of all texts together: a broken input must not fill the memory. */
#define MAX_BYTES (UINT64_C(256) << 20)

typedef struct Text {
    uint32_t length;
    char text[]; /* NUL after it */
} Text;

typedef struct TextKey {
    const char *text;
    size_t length;
} TextKey;

static bool text_equals(const void *item, const void *key)
{
    const Text *text = item;
    const TextKey *wanted = key;

    return text->length == wanted->length && memcmp(text->text, wanted->text, wanted->length) == 0;
}

StringTable *StringTableCreate(void)
{
    StringTable *strings = TableCreate(STRING_TABLE_MAX, text_equals);

    if (strings != NULL && StringTableIntern(strings, "", 0) == 0) {
        TableDestroy(strings);
        return NULL;
    }
    return strings;
}

static const void *copy_text(StringTable *strings, const void *thing)
{
    const TextKey *key = thing;
    Text *text = strings->bytes + key->length + 1 > MAX_BYTES
                     ? NULL
                     : TableRoom(strings, sizeof *text + key->length + 1);

    if (text == NULL) {
        return NULL;
    }
    strings->bytes += key->length + 1;
    text->length = (uint32_t) key->length;
    if (key->length > 0) {
        memcpy(text->text, key->text, key->length);
    }
    text->text[key->length] = '\0';
    return text;
}

uint32_t StringTableIntern(StringTable *strings, const char *text, size_t length)
{
    const TextKey key = { .text = text == NULL ? "" : text, .length = length };

    if ((text == NULL && length > 0) || length >= MAX_BYTES) {
        return 0;
    }
    const uint64_t hash = OpprofInternHash(OpprofInternSeed(strings->intern), key.text, length);
    const uint32_t index = TableDeclare(strings, hash, &key, copy_text);
    return index == OPPROF_INTERN_NONE ? 0 : index + 1;
}

const char *StringTableGet(const StringTable *strings, uint32_t id, size_t *ret_length)
{
    const Text *text = id == 0 ? NULL : OpprofInternGet(strings->intern, id - 1);

    if (ret_length != NULL) {
        *ret_length = text == NULL ? 0 : text->length;
    }
    return text == NULL ? "" : text->text;
}
