/* SPDX-License-Identifier: Apache-2.0 */
/* Words of a command line as a shell takes them. Tested by tests/e2e/recognise.sh. */
#include "words.h"

#include <stdlib.h>
#include <string.h>

static const char plain[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%";

/* Append a word in single quotes, in which a quote is '\\''. */
static char *put_quoted(char *at, const char *word)
{
    *at++ = '\'';
    for (; *word != '\0'; word++) {
        if (*word == '\'') {
            at = stpcpy(at, "'\\''");
        } else {
            *at++ = *word;
        }
    }
    return stpcpy(at, "'");
}

static bool is_plain(const char *word)
{
    return *word != '\0' && word[strspn(word, plain)] == '\0';
}

char *WordsQuote(const char *prefix, const char *const *words, size_t count, bool always)
{
    size_t size = strlen(prefix) + 1;
    char *text;
    char *at;

    for (size_t i = 0; i < count; i++) {
        size += 4 * strlen(words[i]) + 3;
    }
    text = malloc(size);
    if (text == NULL) {
        return NULL;
    }
    at = stpcpy(text, prefix);
    for (size_t i = 0; i < count; i++) {
        if (i > 0) {
            *at++ = ' ';
        }
        at = always || !is_plain(words[i]) ? put_quoted(at, words[i]) : stpcpy(at, words[i]);
    }
    *at = '\0';
    return text;
}
