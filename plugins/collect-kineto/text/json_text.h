/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_TEXT_JSON_TEXT_H
#define COLLECT_KINETO_TEXT_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The text between the quotes of a JSON string, or the letters of another scalar. Borrowed. */
typedef struct JsonText {
    const char *text;
    uint32_t length; /* 32 bits, so that all of it fits two registers */
    bool has_escape; /* it contains backslashes */
    bool is_string;  /* it was quoted */
} JsonText;

/*
 * Write the text without its escapes and return its length, which is at most text.length. Half a
 * surrogate pair becomes U+FFFD; a meaningless backslash before a letter is left out.
 */
size_t JsonTextDecode(JsonText text, char *out);

/* JsonTextIs for texts with escapes. */
bool JsonTextIsDecoded(JsonText text, const char *word, size_t length);

/* True if the text, without escapes, is `word`. */
static inline bool JsonTextIs(JsonText text, const char *word, size_t length)
{
    if (text.has_escape) {
        return JsonTextIsDecoded(text, word, length);
    }
    return text.length == length && memcmp(text.text, word, length) == 0;
}

/* For words known at compile time. */
#define JSON_TEXT_IS(text, word) JsonTextIs((text), "" word, sizeof(word) - 1)

#endif
