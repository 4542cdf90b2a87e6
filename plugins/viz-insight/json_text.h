/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VIZ_INSIGHT_JSON_TEXT_H
#define VIZ_INSIGHT_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* JSON text being written. Zeroed memory is an empty one. Without memory nothing more is written.
 */
typedef struct JsonText {
    char *text;
    size_t length;
    size_t capacity;
    size_t limit;  /* longest useful text; 0: any */
    bool is_short; /* memory ran out: the text is of no use */
    bool is_full;  /* the limit was passed: likewise, and nothing more is kept */
} JsonText;

void JsonTextFinish(JsonText *json);

void JsonTextRaw(JsonText *json, const char *text, size_t length);
void JsonTextLiteral(JsonText *json, const char *text);
void JsonTextString(JsonText *json, const char *text, size_t length);
void JsonTextInteger(JsonText *json, uint64_t value);
void JsonTextSigned(JsonText *json, int64_t value);
void JsonTextReal(JsonText *json, double value);
/* "0x…" as a string, with at least `digits` digits, at most 16. */
void JsonTextHex(JsonText *json, uint64_t value, unsigned digits);
/* Nothing more is kept. */
bool JsonTextHasEnded(const JsonText *json);

/* A comma unless something stands before it in this array or object: call with the length at its
 * start. */
void JsonTextComma(JsonText *json, size_t start);

/*
 * An object whose members come in any order and are written in ascending order of their keys. Zero
 * it first.
 *
 * JsonMember gives the text to write the member's value to; JsonObjectEnd writes the object and
 * frees.
 */
typedef struct JsonObject {
    struct JsonMember *members;
    size_t count;
    size_t capacity;
    JsonText values;
    bool is_short;
} JsonObject;

/* The key is copied. */
JsonText *JsonMember(JsonObject *object, const char *key);
/* JsonMember with a text as value. */
void JsonMemberString(JsonObject *object, const char *key, const char *value);
void JsonObjectEnd(JsonObject *object, JsonText *json);

#endif
