/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Printing for people of what may hold names from outside: nothing of it drives the terminal.
 * Tested by tests/e2e/terminal.sh.
 */
#include "plain_output.h"

#include <opprof/text.h>

#include <stdlib.h>
#include <string.h>

void PlainOutputOpen(PlainOutput *plain)
{
    plain->stream = OpprofTextOpen(&plain->text, &plain->size);
}

bool PlainOutputClose(PlainOutput *plain, FILE *out)
{
    const bool good = plain->stream != NULL && fclose(plain->stream) == 0;

    if (good) {
        OpprofTextTame(plain->text, true);
        fputs(plain->text, out);
        free(plain->text);
    }
    *plain = (PlainOutput){ 0 };
    return good;
}

void PlainPut(FILE *out, const char *name)
{
    size_t left = strlen(name);
    bool is_plain;

    for (size_t size; (size = OpprofTextNext(name, left, &is_plain)) > 0; left -= size) {
        fwrite(is_plain ? name : "?", is_plain ? size : 1, 1, out);
        name += size;
    }
}

/* ---- words of a command line ---- */

static const char unquoted[] =
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

static bool is_unquoted(const char *word)
{
    return *word != '\0' && word[strspn(word, unquoted)] == '\0';
}

char *PlainQuote(const char *prefix, const char *const *words, size_t count)
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
        at = !is_unquoted(words[i]) ? put_quoted(at, words[i]) : stpcpy(at, words[i]);
    }
    *at = '\0';
    return text;
}
