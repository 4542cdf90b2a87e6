/* SPDX-License-Identifier: Apache-2.0 */
/* Writes JSON piece by piece, into memory or into the blob of a batch. */
#include <opprof/kit/json_out.h>

#include <opprof/grow.h>
#include <opprof/require.h>
#include <opprof/text.h>
#include <stdlib.h>
#include <string.h>

#define HEX_DIGITS 16u
#define FIRST_BYTES 256u
#define FEW_MEMBERS 32u /* of an object: more are not sorted by insertion */

/* Where a member is among the values: its key, which a NUL ends, and its value. */
struct OpprofJsonPlace {
    size_t key;
    size_t start;
    size_t end; /* not known of the last one */
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

/* Apart, since most pieces have room. */
static __attribute__((noinline)) char *make_room(OpprofJsonOut *json, size_t size)
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
               (needed <= json->capacity ||
                OpprofGrow(&json->text, &json->capacity,
                           needed < FIRST_BYTES ? FIRST_BYTES : needed, 1))) {
        room = json->text + json->length;
    }
    json->is_short = room == NULL;
    return room;
}

/* Room for `size` more bytes; NULL after a failure. */
static inline char *reserve(OpprofJsonOut *json, size_t size)
{
    const bool is_simple =
        json->batch == NULL && json->max == 0 && !json->is_short && json->capacity > 0;

    return is_simple && size <= json->capacity - json->length ? json->text + json->length
                                                              : make_room(json, size);
}

/* Text written between the two is part of it. */
static inline void commit(OpprofJsonOut *json, const char *room, const char *end)
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

static inline void put_bytes(OpprofJsonOut *json, const char *text, size_t length)
{
    char *room = length == 0 ? NULL : reserve(json, length);

    if (room != NULL) {
        commit(json, room, mempcpy(room, text, length));
    }
}

void OpprofJsonPutBytes(OpprofJsonOut *json, const char *text, size_t length)
{
    put_bytes(json, text, length);
}

void OpprofJsonPutRaw(OpprofJsonOut *json, const char *text)
{
    OPPROF_REQUIRE("json-out-text-given", text != NULL, "What is written into the text is given");
    if (text[0] != '\0' && text[1] == '\0') {
        put_sign(json, text[0]);
    } else {
        put_bytes(json, text, strlen(text));
    }
}

/* Whether a comma must come before the next element. */
static inline bool needs_comma(const OpprofJsonOut *json)
{
    return json->last != '\0' && json->last != '{' && json->last != '[';
}

void OpprofJsonPutComma(OpprofJsonOut *json)
{
    if (needs_comma(json)) {
        put_sign(json, ',');
    }
}

void OpprofJsonPutKey(OpprofJsonOut *json, const char *key)
{
    OPPROF_REQUIRE("json-out-text-given", key != NULL, "What is written into the text is given");

    const size_t length = strlen(key);
    char *room = reserve(json, OPPROF_TEXT_JSON_ROOM(length) + strlen(",:"));
    char *end = room;

    if (room == NULL) {
        return;
    }
    if (needs_comma(json)) {
        *end++ = ',';
    }
    end = OpprofTextPutJson(end, key, length);
    *end++ = ':';
    commit(json, room, end);
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

    OpprofJsonOut *values = &object->values;

    if (!OpprofGrow(&object->members, &object->capacity, object->count + 1,
                    sizeof *object->members)) {
        object->is_short = true;
        return values;
    }
    if (object->count > 0) {
        object->members[object->count - 1].end = values->length;
    }
    struct OpprofJsonPlace *member = &object->members[object->count++];

    member->key = values->length;
    OpprofJsonPutBytes(values, key, strlen(key) + 1);
    member->start = values->length;
    values->last = '\0';
    return values;
}

void OpprofJsonMemberString(OpprofJsonMembers *object, const char *key, const char *value)
{
    OPPROF_REQUIRE("json-out-members-given", object != NULL, "The object is given");
    OPPROF_REQUIRE("json-out-text-given", key != NULL && value != NULL,
                   "What is written into the text is given");
    OpprofJsonPutString(OpprofJsonMember(object, key), value, strlen(value));
}

/* Members are few, and most are begun in their order. */
static void sort_members(OpprofJsonMembers *object)
{
    const char *text = object->values.text;

    for (size_t i = 1; i < object->count; i++) {
        const struct OpprofJsonPlace member = object->members[i];
        size_t at = i;

        while (at > 0 && strcmp(text + object->members[at - 1].key, text + member.key) > 0) {
            object->members[at] = object->members[at - 1];
            at--;
        }
        object->members[at] = member;
    }
}

static int by_key(const void *a, const void *b, void *context)
{
    const struct OpprofJsonPlace *x = a;
    const struct OpprofJsonPlace *y = b;
    const char *text = context;

    return strcmp(text + x->key, text + y->key);
}

static void write_sorted(OpprofJsonMembers *object, OpprofJsonOut *json)
{
    const char *text = object->values.text;

    if (object->count > 0) {
        object->members[object->count - 1].end = object->values.length;
    }
    if (object->count > FEW_MEMBERS) {
        qsort_r(object->members, object->count, sizeof *object->members, by_key,
                object->values.text);
    } else {
        sort_members(object);
    }
    put_sign(json, '{');
    for (size_t i = 0; i < object->count; i++) {
        const struct OpprofJsonPlace *member = &object->members[i];

        OpprofJsonPutKey(json, text + member->key);
        OpprofJsonPutBytes(json, text + member->start, member->end - member->start);
    }
    put_sign(json, '}');
}

void OpprofJsonMembersEnd(OpprofJsonMembers *object, OpprofJsonOut *json)
{
    OPPROF_REQUIRE("json-out-given", json != NULL, "The text that is written is given");
    OPPROF_REQUIRE("json-out-members-given", object != NULL, "The object is given");

    if (object->is_short || object->values.is_short) {
        json->is_short = true;
    } else {
        write_sorted(object, json);
    }
    free(object->members);
    OpprofJsonOutFinish(&object->values);
    *object = (OpprofJsonMembers){ .count = 0 };
}
