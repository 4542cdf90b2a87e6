/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VIZ_HTML_TEXT_H
#define VIZ_HTML_TEXT_H

#include <opprof/kit/json_out.h>

/* Append JSON that is safe inside a script element: in valid JSON only strings contain '<', which
 * is escaped. */
void TextSafe(OpprofJsonOut *json, const char *bytes, size_t length);
/* Append such a JSON string. */
void TextJson(OpprofJsonOut *json, const char *bytes, size_t length);
/*
 * Append `"name":` and such a JSON string; nothing if `string` is NULL. A comma comes before all
 * but the first member.
 */
void TextMember(OpprofJsonOut *json, const char *name, const char *string);
/* Append `"name":` and a number, in the same way. */
void TextMemberNumber(OpprofJsonOut *json, const char *name, uint64_t number);

/* Forget the bytes beyond `length`. */
void TextCut(OpprofJsonOut *json, size_t length);

#endif
