/* SPDX-License-Identifier: Apache-2.0 */
/* JSON text being written. Tested by tests/plugins/viz-insight/test_insight. */
#include "json_text.h"

#include <opprof/text.h>
#include <stdlib.h>
#include <string.h>

struct JsonMember {
    char *key;
    size_t start; /* of its value, which ends where the next one's starts */
};

/* Room for `size` more bytes; NULL without memory. */
static char *reserve(JsonText *json, size_t size)
{
    if (json->is_short || json->is_full) {
        return NULL;
    }
    if (json->limit != 0 && json->length > json->limit) {
        json->is_full = true;
        return NULL;
    }
    if (size > json->capacity - json->length) {
        size_t capacity = json->capacity == 0 ? 1024 : json->capacity;
        while (capacity - json->length < size) {
            capacity *= 2;
        }
        char *grown = realloc(json->text, capacity);
        if (grown == NULL) {
            json->is_short = true;
            return NULL;
        }
        json->text = grown;
        json->capacity = capacity;
    }
    return json->text + json->length;
}

static void commit(JsonText *json, const char *end)
{
    if (end != NULL) {
        json->length = (size_t) (end - json->text);
    }
}

void JsonTextFinish(JsonText *json)
{
    free(json->text);
    *json = (JsonText){ .text = NULL };
}

void JsonTextRaw(JsonText *json, const char *text, size_t length)
{
    char *room = reserve(json, length + 1);

    if (room != NULL && length > 0) {
        memcpy(room, text, length);
        json->length += length;
    }
}

void JsonTextLiteral(JsonText *json, const char *text)
{
    JsonTextRaw(json, text, strlen(text));
}

void JsonTextString(JsonText *json, const char *text, size_t length)
{
    char *room = reserve(json, OPPROF_TEXT_JSON_ROOM(length));

    commit(json, room == NULL ? NULL : OpprofTextPutJson(room, text, length));
}

void JsonTextInteger(JsonText *json, uint64_t value)
{
    char *room = reserve(json, OPPROF_TEXT_NUMBER);

    commit(json, room == NULL ? NULL : OpprofTextPutU64(room, value));
}

void JsonTextReal(JsonText *json, double value)
{
    char *room = reserve(json, OPPROF_TEXT_NUMBER);

    commit(json, room == NULL ? NULL : OpprofTextPutF64(room, value));
}

void JsonTextSigned(JsonText *json, int64_t value)
{
    char *room = reserve(json, OPPROF_TEXT_NUMBER);

    commit(json, room == NULL ? NULL : OpprofTextPutI64(room, value));
}

void JsonTextHex(JsonText *json, uint64_t value, unsigned digits)
{
    char hex[OPPROF_TEXT_NUMBER];
    const size_t length = (size_t) (OpprofTextPutHex(hex, value) - hex) - 2;

    JsonTextRaw(json, "\"0x", 3);
    JsonTextRaw(json, "0000000000000000", length < digits ? digits - length : 0);
    JsonTextRaw(json, hex + 2, length);
    JsonTextRaw(json, "\"", 1);
}

bool JsonTextHasEnded(const JsonText *json)
{
    return json->is_short || json->is_full;
}

void JsonTextComma(JsonText *json, size_t start)
{
    if (json->length > start) {
        JsonTextRaw(json, ",", 1);
    }
}

/* ------------------------------------------------------------------ objects */

JsonText *JsonMember(JsonObject *object, const char *key)
{
    if (object->count == object->capacity) {
        const size_t capacity = object->capacity == 0 ? 16 : object->capacity * 2;
        struct JsonMember *grown = reallocarray(object->members, capacity, sizeof *grown);

        if (grown == NULL) {
            object->is_short = true;
            return &object->values;
        }
        object->members = grown;
        object->capacity = capacity;
    }
    struct JsonMember *member = &object->members[object->count];

    *member = (struct JsonMember){ .key = strdup(key), .start = object->values.length };
    if (member->key == NULL) {
        object->is_short = true;
    } else {
        object->count++;
    }
    return &object->values;
}

void JsonMemberString(JsonObject *object, const char *key, const char *value)
{
    JsonTextString(JsonMember(object, key), value, strlen(value));
}

/* Where a member's value is. */
typedef struct Sorted {
    const char *key;
    size_t start;
    size_t end;
} Sorted;

static int by_key(const void *a, const void *b)
{
    const Sorted *x = a;
    const Sorted *y = b;

    return strcmp(x->key, y->key);
}

static void write_sorted(const JsonObject *object, Sorted *sorted, JsonText *json)
{
    for (size_t i = 0; i < object->count; i++) {
        sorted[i] = (Sorted){ .key = object->members[i].key,
                              .start = object->members[i].start,
                              .end = i + 1 < object->count ? object->members[i + 1].start
                                                           : object->values.length };
    }
    qsort(sorted, object->count, sizeof *sorted, by_key);
    JsonTextRaw(json, "{", 1);
    const size_t start = json->length;
    for (size_t i = 0; i < object->count; i++) {
        JsonTextComma(json, start);
        JsonTextString(json, sorted[i].key, strlen(sorted[i].key));
        JsonTextRaw(json, ":", 1);
        JsonTextRaw(json, object->values.text + sorted[i].start, sorted[i].end - sorted[i].start);
    }
    JsonTextRaw(json, "}", 1);
}

void JsonObjectEnd(JsonObject *object, JsonText *json)
{
    Sorted *sorted = calloc(object->count + 1, sizeof *sorted);

    if (sorted == NULL || object->is_short || object->values.is_short) {
        json->is_short = true;
    } else {
        write_sorted(object, sorted, json);
    }
    free(sorted);
    for (size_t i = 0; i < object->count; i++) {
        free(object->members[i].key);
    }
    free(object->members);
    JsonTextFinish(&object->values);
    *object = (JsonObject){ .count = 0 };
}
