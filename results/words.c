/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the names in a statement of SQL. Tested by tests/plugins/advise/test_advise. */
#include "words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define NAME_MAX_BYTES 256u /* longer ones are names of nothing */

static bool is_letter(char byte)
{
    return isalnum((unsigned char) byte) || byte == '_' || byte == '$' || (byte & 0x80) != 0;
}

/* In small letters; false: too long. */
static bool lower(const char *text, size_t length, char *ret_name)
{
    for (size_t i = 0; i < length && length < NAME_MAX_BYTES; i++) {
        ret_name[i] = (char) tolower((unsigned char) text[i]);
    }
    return length < NAME_MAX_BYTES;
}

static bool add(OpprofTextMap *words, const char *text, size_t length)
{
    char name[NAME_MAX_BYTES];

    return !lower(text, length, name) || OpprofTextMapFind(words, name, length) == 0 ||
           OpprofTextMapPut(words, name, length, 0, NULL);
}

/* Bytes up to the end of a comment or text that begins here; 0: none does. */
static size_t skip(const char *at)
{
    const char *end;

    if (at[0] == '-' && at[1] == '-') {
        return strcspn(at, "\n");
    }
    if (at[0] == '/' && at[1] == '*') {
        end = strstr(at + 2, "*/");
        return end == NULL ? strlen(at) : (size_t) (end + 2 - at);
    }
    if (at[0] == '\'') {
        end = strchr(at + 1, '\'');
        return end == NULL ? strlen(at) : (size_t) (end + 1 - at);
    }
    return 0;
}

/* Bytes of the name that begins here, with its quotes; 0: none does. */
static size_t name_at(const char *at, size_t *ret_quotes)
{
    const char close = at[0] == '[' ? ']' : at[0];
    const char *end;

    *ret_quotes = 0;
    if (at[0] == '"' || at[0] == '`' || at[0] == '[') {
        end = strchr(at + 1, close);
        *ret_quotes = end == NULL ? 0 : 1;
        return end == NULL ? 1 : (size_t) (end + 1 - at);
    }
    size_t length = 0;
    while (is_letter(at[length])) {
        length++;
    }
    return length;
}

OpprofTextMap *WordsOf(const char *sql)
{
    OpprofTextMap *words = calloc(1, sizeof *words);
    bool is_good = words != NULL;

    while (is_good && *sql != '\0') {
        const size_t skipped = skip(sql);
        size_t quotes;
        const size_t length = skipped > 0 ? 0 : name_at(sql, &quotes);

        if (length > 2 * (length > 0 ? quotes : 0)) {
            is_good = add(words, sql + quotes, length - 2 * quotes);
        }
        sql += skipped > 0 ? skipped : length > 0 ? length : 1;
    }
    if (!is_good && words != NULL) {
        OpprofTextMapFinish(words);
        free(words);
        return NULL;
    }
    return words;
}

bool WordsHave(const OpprofTextMap *words, const char *name)
{
    char small[NAME_MAX_BYTES];
    const size_t length = strlen(name);

    return lower(name, length, small) && OpprofTextMapFind(words, small, length) != OPPROF_MAP_NONE;
}
