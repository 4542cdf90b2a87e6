/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shortens the names of C++ functions for people.
 * Tested by tests/plugins/analyse-trace/test_short_name.
 */
#include "analyse-trace/common/short_name.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* From the C++ runtime (Itanium C++ ABI, 3.4): the caller frees the result; NULL: not mangled. */
char *__cxa_demangle(const char *mangled, char *out, size_t *size, int *status);

static bool opens(char c)
{
    return c == '<' || c == '(' || c == '[' || c == '{';
}

static bool closes(char c)
{
    return c == '>' || c == ')' || c == ']' || c == '}';
}

static bool is_identifier(char c)
{
    return isalnum((unsigned char) c) || c == '_' || c == '~' || c == '$';
}

/* After the bracket that matches the one at `at`; the end of the text if none. */
static const char *behind_bracket(const char *at)
{
    int depth = 0;

    for (; *at != '\0'; at++) {
        if (at[0] == '-' && at[1] == '>') {
            at++;
        } else if (opens(*at)) {
            depth++;
        } else if (closes(*at) && --depth == 0) {
            return at + 1;
        }
    }
    return at;
}

/* "(anonymous namespace)" comes in place of a name, a list of parameters after one. */
static bool is_namespace(const char *at)
{
    return strncmp(at, "(anonymous namespace)", strlen("(anonymous namespace)")) == 0;
}

static bool is_word(const char *from, const char *to, const char *word)
{
    return (size_t) (to - from) == strlen(word) && strncmp(from, word, strlen(word)) == 0;
}

/* The last name before the parameters: [*ret_from, *ret_to). False if the
 * text is not a function's. */
static bool find_base(const char *name, const char **ret_from, const char **ret_to)
{
    bool has_marks = false;
    const char *at = name;

    *ret_from = *ret_to = name;
    while (*at != '\0') {
        if (is_identifier(*at)) {
            *ret_from = at;
            while (is_identifier(*at)) {
                at++;
            }
            *ret_to = at;
        } else if (at == *ret_to && at[0] == '(' && is_word(*ret_from, at, "decltype")) {
            at = behind_bracket(at);
        } else if (at == *ret_to && at[0] == '(' && at[1] == ')' &&
                   is_word(*ret_from, at, "operator")) {
            at += 2;
            *ret_to = at;
        } else if (*at == '(' && !is_namespace(at)) {
            return *ret_to > *ret_from && at[-1] != ' ';
        } else if (opens(*at)) {
            has_marks = true;
            at = behind_bracket(at);
        } else if (at[0] == ':' && at[1] == ':') {
            has_marks = true;
            at += 2;
        } else if (*at == ' ' || *at == '*' || *at == '&') {
            at++;
        } else {
            return false;
        }
    }
    return has_marks && *ret_to > *ret_from;
}

static size_t copy(const char *from, size_t length, char *out, size_t size)
{
    length = length < size ? length : size - 1;
    memcpy(out, from, length);
    out[length] = '\0';
    return length;
}

char *DemangledName(const char *name)
{
    return strncmp(name, "_Z", 2) == 0 ? __cxa_demangle(name, NULL, NULL, NULL) : NULL;
}

size_t ShortName(const char *name, char *out, size_t size)
{
    char *plain = DemangledName(name);
    const char *full = plain == NULL ? name : plain;
    const char *from;
    const char *to;
    size_t length;

    if (find_base(full, &from, &to)) {
        length = copy(from, (size_t) (to - from), out, size);
    } else {
        length = copy(full, strlen(full), out, size);
    }
    free(plain);
    return length;
}
