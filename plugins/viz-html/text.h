/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VIZ_HTML_TEXT_H
#define VIZ_HTML_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A text that grows. Zeroed memory is an empty one. After a failure it takes nothing more. */
typedef struct Text {
    char *bytes;
    size_t length;
    size_t capacity;
    bool has_failed; /* out of memory */
} Text;

/* Room for `size` more bytes; NULL without memory. Follow with TextCommit. */
char *TextReserve(Text *text, size_t size);
/* Append the first `size` bytes of what TextReserve gave. */
void TextCommit(Text *text, size_t size);

/* Append bytes as they are. */
void TextRaw(Text *text, const char *bytes, size_t length);
/* Append a C string as it is. */
void TextPut(Text *text, const char *string);
/* Append a number. */
void TextNumber(Text *text, uint64_t number);
/* Append a JSON string that may stand inside of a script element: '<' is written as an escape. */
void TextJson(Text *text, const char *bytes, size_t length);
/* Append `"name":` and a JSON string; nothing if `string` is NULL. A comma goes before all but the first member. */
void TextMember(Text *text, const char *name, const char *string);
/* Append `"name":` and a number, likewise. */
void TextMemberNumber(Text *text, const char *name, uint64_t number);

/* Forget the bytes beyond `length`. */
void TextCut(Text *text, size_t length);

/* Free what it holds. */
void TextFinish(Text *text);

#endif
