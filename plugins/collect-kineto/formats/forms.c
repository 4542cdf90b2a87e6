/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names the forms of files that are not read. Tested by
 * tests/plugins/collect-kineto/test_directories.sh.
 */
#include "collect-kineto/formats/forms.h"

#include "collect-kineto/text/source.h"

#include <stdlib.h>

#define BYTES_LOOKED_AT (32u << 10)
#define SIGN_BYTES_MAX 64u
#define BINARY_WITHIN 64u /* a control character this early shows that a file is not a text */

/* An entry of the list: PLACE|SIGN|WHAT. */
typedef struct Form {
    /* a byte, "*" for any, or "binary" for the first byte of a file that is not a text */
    const char *place;
    char sign[SIGN_BYTES_MAX];
    size_t sign_length;
    const char *what;
} Form;

/* A byte of a sign; "\xNN" is one of its number. */
static char read_byte(const char **at)
{
    char digits[3] = "";

    if ((*at)[0] == '\\' && (*at)[1] == 'x' && (*at)[2] != '\0' && (*at)[3] != '\0') {
        memcpy(digits, *at + 2, 2);
        *at += 4;
        return (char) strtoul(digits, NULL, 16);
    }
    return *(*at)++;
}

static bool read_form(const char *entry, Form *ret_form)
{
    const char *at = strchr(entry, '|');

    *ret_form = (Form){ .place = entry };
    if (at == NULL) {
        return false;
    }
    at++;
    while (*at != '\0' && *at != '|' && ret_form->sign_length < SIGN_BYTES_MAX) {
        ret_form->sign[ret_form->sign_length++] = read_byte(&at);
    }
    ret_form->what = at + 1;
    return *at == '|';
}

static bool is_binary(const char *bytes, size_t size)
{
    for (size_t i = 0; i < size && i < BINARY_WITHIN; i++) {
        if ((unsigned char) bytes[i] < '\t') {
            return true;
        }
    }
    return false;
}

static bool is_at(const Form *form, const char *bytes, size_t size, size_t place)
{
    return place <= size && size - place >= form->sign_length &&
           memcmp(bytes + place, form->sign, form->sign_length) == 0;
}

static bool fits(const Form *form, const char *bytes, size_t size)
{
    if (form->place[0] == '*') {
        return memmem(bytes, size, form->sign, form->sign_length) != NULL;
    }
    if (form->place[0] == 'b') {
        return is_binary(bytes, size) && is_at(form, bytes, size, 0);
    }
    return is_at(form, bytes, size, strtoul(form->place, NULL, 10));
}

const char *FormOf(const Vocabulary *vocabulary, const char *bytes, size_t size)
{
    const WordList *list = &vocabulary->lists[LIST_FORMS];

    for (size_t i = 0; i < list->count; i++) {
        Form form;

        if (read_form(list->words[i], &form) && fits(&form, bytes, size)) {
            return form.what;
        }
    }
    return NULL;
}

const char *FormOfFile(const Vocabulary *vocabulary, const char *path)
{
    char *bytes = malloc(BYTES_LOOKED_AT);
    OpprofError *error = NULL;
    Source *source = NULL;
    const char *what = NULL;
    size_t size = 0;
    size_t got = 1;

    if (bytes != NULL && SourceOpen(path, &source, &error) == OPPROF_OK) {
        while (got > 0 && size < BYTES_LOOKED_AT) {
            got = SourceRead(source, bytes + size, BYTES_LOOKED_AT - size);
            size += got;
        }
        what = FormOf(vocabulary, bytes, size);
    }
    OpprofErrorDestroy(error);
    SourceClose(source);
    free(bytes);
    return what;
}
