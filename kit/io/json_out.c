/* SPDX-License-Identifier: Apache-2.0 */
/* Writes JSON piece by piece, into memory or into the blob of a batch. */
#include <opprof/kit/json_out.h>

#include <opprof/grow.h>
#include <opprof/require.h>
#include <opprof/text.h>
#include <stdlib.h>
#include <string.h>

#define HEX_DIGITS 16u

struct OpprofJsonPlace {
    char *key;
    size_t start; /* of its value, which ends where the next one's starts */
};

OpprofJsonOut OpprofJsonOutInBatch(OpprofBatch *batch, size_t max)
{
    OPPROF_REQUIRE("json-out-in-batch", batch != NULL, "The text is in a batch");
    return (OpprofJsonOut){ .batch = batch, .start = batch->blob_size, .max = max };
}

OpprofText OpprofJsonOutText(const OpprofJsonOut *json)
{
    OPPROF_REQUIRE("json-out-given", json != NULL, "The text that is written is given");
    OPPROF_REQUIRE("json-out-in-batch", json->batch != NULL, "The text is in a batch");
    return (OpprofText){ json->start, (uint32_t) json->length };
}

void OpprofJsonOutClear(OpprofJsonOut *json)
{
    OPPROF_REQUIRE("json-out-given", json != NULL, "The text that is written is given");
    OPPROF_REQUIRE("json-out-in-memory", json->batch == NULL, "The text is not in a batch");
    json->length = 0;
    json->last = '\0';
    json->is_full = false;
    json->is_short = false;
}

void OpprofJsonOutFinish(OpprofJsonOut *json)
{
    OPPROF_REQUIRE("json-out-given", json != NULL, "The text that is written is given");
    free(json->text);
    *json = (OpprofJsonOut){ .text = NULL };
}

/* Room for `size` more bytes; NULL after a failure. */
static char *reserve(OpprofJsonOut *json, size_t size)
{
    size_t needed;
    char *room = NULL;

    if (json->is_short || json->is_full) {
        return NULL;
    }
    if (json->max > 0 && json->length > json->max) {
        json->is_full = true;
        return NULL;
    }
    if (json->batch != NULL) {
        room = OpprofBatchReserveText(json->batch, size);
    } else if (!__builtin_add_overflow(json->length, size, &needed) &&
               (needed <= json->capacity || OpprofGrow(&json->text, &json->capacity, needed, 1))) {
        room = json->text + json->length;
    }
    json->is_short = room == NULL;
    return room;
}

/* Text written between the two is part of it. */
static void commit(OpprofJsonOut *json, const char *room, const char *end)
{
    if (end == room) {
        return;
    }
    json->length += (size_t) (end - room);
    json->last = end[-1];
    if (json->batch != NULL) {
        OpprofBatchCommitText(json->batch, (size_t) (end - room));
    }
}

/* ---- pieces ---- */

/* Most pieces are the signs between the others. */
static inline void put_sign(OpprofJsonOut *json, char sign)
{
    char *room = reserve(json, 1);

    if (room != NULL) {
        *room = sign;
        commit(json, room, room + 1);
    }
}

void OpprofJsonPutBytes(OpprofJsonOut *json, const char *text, size_t length)
{
    char *room = length == 0 ? NULL : reserve(json, length);

    if (room != NULL) {
        commit(json, room, mempcpy(room, text, length));
    }
}

void OpprofJsonPutRaw(OpprofJsonOut *json, const char *text)
{
    OPPROF_REQUIRE("json-out-text-given", text != NULL, "What is written into the text is given");
    OpprofJsonPutBytes(json, text, strlen(text));
}

void OpprofJsonPutComma(OpprofJsonOut *json)
{
    if (json->last != '\0' && json->last != '{' && json->last != '[') {
        put_sign(json, ',');
    }
}

void OpprofJsonPutKey(OpprofJsonOut *json, const char *key)
{
    OPPROF_REQUIRE("json-out-text-given", key != NULL, "What is written into the text is given");
    OpprofJsonPutComma(json);
    OpprofJsonPutString(json, key, strlen(key));
    put_sign(json, ':');
}

void OpprofJsonPutString(OpprofJsonOut *json, const char *text, size_t length)
{
    OPPROF_REQUIRE("json-out-text-given", text != NULL || length == 0,
                   "What is written into the text is given");

    char *room = length > (SIZE_MAX - 2) / 6 ? NULL : reserve(json, OPPROF_TEXT_JSON_ROOM(length));

    if (room != NULL) {
        commit(json, room, OpprofTextPutJson(room, text, length));
    }
}

void OpprofJsonPutU64(OpprofJsonOut *json, uint64_t value)
{
    char *room = reserve(json, OPPROF_TEXT_NUMBER);

    if (room != NULL) {
        commit(json, room, OpprofTextPutU64(room, value));
    }
}

void OpprofJsonPutI64(OpprofJsonOut *json, int64_t value)
{
    char *room = reserve(json, OPPROF_TEXT_NUMBER);

    if (room != NULL) {
        commit(json, room, OpprofTextPutI64(room, value));
    }
}

void OpprofJsonPutF64(OpprofJsonOut *json, double value)
{
    char *room = reserve(json, OPPROF_TEXT_NUMBER);

    if (room != NULL) {
        commit(json, room, OpprofTextPutF64(room, value));
    }
}

void OpprofJsonPutFixed(OpprofJsonOut *json, double value, unsigned decimals)
{
    char *room = reserve(json, OPPROF_TEXT_NUMBER);

    if (room != NULL) {
        commit(json, room, OpprofTextPutFixed(room, value, decimals));
    }
}

void OpprofJsonPutHex(OpprofJsonOut *json, uint64_t value, unsigned digits)
{
    char hex[OPPROF_TEXT_NUMBER];
    const size_t length = (size_t) (OpprofTextPutHex(hex, value) - hex) - strlen("0x");
    const size_t wanted = digits < HEX_DIGITS ? digits : HEX_DIGITS;
    char *room = reserve(json, OPPROF_TEXT_NUMBER);
    char *at;

    if (room == NULL) {
        return;
    }
    at = mempcpy(room, "\"0x", 3);
    for (size_t i = length; i < wanted; i++) {
        *at++ = '0';
    }
    at = mempcpy(at, hex + strlen("0x"), length);
    *at++ = '"';
    commit(json, room, at);
}

/* ---- objects ---- */

OpprofJsonOut *OpprofJsonMember(OpprofJsonMembers *object, const char *key)
{
    OPPROF_REQUIRE("json-out-members-given", object != NULL, "The object is given");
    OPPROF_REQUIRE("json-out-text-given", key != NULL, "What is written into the text is given");
    if (!OpprofGrow(&object->members, &object->capacity, object->count + 1,
                    sizeof *object->members)) {
        object->is_short = true;
        return &object->values;
    }
    struct OpprofJsonPlace *member = &object->members[object->count];

    *member = (struct OpprofJsonPlace){ .key = strdup(key), .start = object->values.length };
    object->values.last = '\0';
    if (member->key == NULL) {
        object->is_short = true;
    } else {
        object->count++;
    }
    return &object->values;
}

void OpprofJsonMemberString(OpprofJsonMembers *object, const char *key, const char *value)
{
    OPPROF_REQUIRE("json-out-members-given", object != NULL, "The object is given");
    OPPROF_REQUIRE("json-out-text-given", key != NULL && value != NULL,
                   "What is written into the text is given");
    OpprofJsonPutString(OpprofJsonMember(object, key), value, strlen(value));
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

static void write_sorted(const OpprofJsonMembers *object, Sorted *sorted, OpprofJsonOut *json)
{
    for (size_t i = 0; i < object->count; i++) {
        sorted[i] = (Sorted){ .key = object->members[i].key,
                              .start = object->members[i].start,
                              .end = i + 1 < object->count ? object->members[i + 1].start
                                                           : object->values.length };
    }
    qsort(sorted, object->count, sizeof *sorted, by_key);
    put_sign(json, '{');
    for (size_t i = 0; i < object->count; i++) {
        OpprofJsonPutKey(json, sorted[i].key);
        OpprofJsonPutBytes(json, object->values.text + sorted[i].start,
                           sorted[i].end - sorted[i].start);
    }
    put_sign(json, '}');
}

void OpprofJsonMembersEnd(OpprofJsonMembers *object, OpprofJsonOut *json)
{
    OPPROF_REQUIRE("json-out-given", json != NULL, "The text that is written is given");
    OPPROF_REQUIRE("json-out-members-given", object != NULL, "The object is given");

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
    OpprofJsonOutFinish(&object->values);
    *object = (OpprofJsonMembers){ .count = 0 };
}
