/* SPDX-License-Identifier: Apache-2.0 */
/* Collects all mistakes of a document, so that they can be reported together. */
#include "base/problems.h"

#include "base/chunks.h"
#include "base/printed.h"

#include <ctype.h>
#include <errno.h>
#include <opprof/json.h>

#include <opprof/text.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_WORD 128 /* bytes of a word for which a nearest name is looked for */
#define CHUNK_BYTES 4096

/* A piece for so many bytes; NULL without memory. */
static char *add_piece(Problems *problems, size_t size)
{
    char *piece = ChunksTake(&problems->pieces, size, CHUNK_BYTES);

    problems->no_memory |= piece == NULL;
    return piece;
}

const char *ProblemsText(Problems *problems, const char *format, ...)
{
    va_list arguments, again;
    char *text = NULL;
    int length;

    va_start(arguments, format);
    va_copy(again, arguments);
    length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length >= 0) {
        text = add_piece(problems, (size_t) length + 1);
    }
    if (text != NULL) {
        vsnprintf(text, (size_t) length + 1, format, again);
    }
    va_end(again);
    return text != NULL ? text : "";
}

const char *ProblemsPointer(Problems *problems, const char *base, const char *key)
{
    char *pointer = add_piece(problems, strlen(base) + 1 + strlen(key) * 2 + 1);
    char *at;

    if (pointer == NULL) {
        return "";
    }
    at = stpcpy(stpcpy(pointer, base), "/");
    for (; *key != '\0'; key++) {
        if (*key == '~' || *key == '/') {
            at = stpcpy(at, *key == '~' ? "~0" : "~1");
        } else {
            *at++ = *key;
        }
    }
    *at = '\0';
    return pointer;
}

size_t ProblemShownLength(const char *text, size_t most)
{
    size_t length = strnlen(text, most + 1);

    if (length > most) {
        length = most;
        while (length > 0 && ((unsigned char) text[length] & 0xc0) == 0x80) {
            length--;
        }
    }
    return length;
}

/* Takes the line. */
static bool keep_line(Problems *problems, char *line)
{
    if (problems->lines == NULL) {
        problems->lines = calloc(PROBLEMS_KEPT, sizeof *problems->lines);
    }
    if (line == NULL || problems->lines == NULL) {
        free(line);
        return false;
    }
    line[ProblemShownLength(line, PROBLEMS_LINE)] = '\0';
    OpprofTextTame(line, false); /* terminals obey control characters */
    problems->lines[problems->kept++] = line;
    return true;
}

void ProblemsAdd(Problems *problems, const char *location, const char *format, ...)
{
    char *message = NULL;
    va_list arguments;
    int length;

    problems->count++;
    if (problems->kept == PROBLEMS_KEPT) {
        return;
    }
    va_start(arguments, format);
    length = vasprintf(&message, format, arguments);
    va_end(arguments);
    if (length < 0) {
        problems->no_memory = true;
        return;
    }
    if (location == NULL) {
        problems->no_memory |= !keep_line(problems, message);
        return;
    }
    problems->no_memory |= !keep_line(problems, ProblemText("%s: %s", location, message));
    free(message);
}

void ProblemsFault(Problems *problems, OpprofStatus status, const char *location,
                   const char *message)
{
    if (problems->fault == OPPROF_OK) {
        problems->fault = status;
        snprintf(problems->fault_text, sizeof problems->fault_text, "%s: %s", location, message);
    }
}

static char *nearest_text(const char *word, const char *const *candidates, size_t count)
{
    /* every letter is near every other, and distances of long words cost much without use */
    size_t length = strnlen(word, MAX_WORD + 1);
    bool useful = length >= 2 && length <= MAX_WORD;
    const char *nearest = useful ? OpprofNearestName(word, candidates, count) : NULL;

    return nearest != NULL ? ProblemText(" Did you mean '%s'?", nearest) : strdup("");
}

char *ProblemNames(const char *const *names, size_t count)
{
    Printed list;
    FILE *out = PrintedOpen(&list);
    const char *before = "";

    for (size_t i = 0; out != NULL && i < count; i++) {
        if (names[i] != NULL) {
            fprintf(out, "%s%s", before, names[i]);
            before = ", ";
        }
    }
    if (out != NULL && *before == '\0') {
        fputs("none", out);
    }
    return PrintedTake(&list);
}

void ProblemHint(OpprofError **error, const char *word, const NameList *valid)
{
    char *nearest = nearest_text(word, valid->names, valid->count);
    char *known = ProblemNames(valid->names, valid->count);

    if (nearest != NULL && known != NULL) {
        OpprofErrorHint(error, "%s%s%s: %s.", nearest + (*nearest == ' ' ? 1 : 0),
                        *nearest != '\0' ? " " : "", valid->title, known);
    }
    free(nearest);
    free(known);
}

void ProblemsAddName(Problems *problems, const char *location, const char *what, const char *word,
                     const NameList *valid)
{
    char *nearest;
    char *known;

    if (problems->kept == PROBLEMS_KEPT) {
        problems->count++;
        return;
    }
    nearest = nearest_text(word, valid->names, valid->count);
    known = ProblemNames(valid->names, valid->count);
    if (nearest == NULL || known == NULL) {
        problems->no_memory = true;
    } else {
        ProblemsAdd(problems, location, "%s.%s %s: %s.", what, nearest, valid->title, known);
    }
    free(nearest);
    free(known);
}

json_t *ProblemsJsonText(Problems *problems, const char *location, const char *what,
                         const char *text)
{
    json_t *value;

    errno = 0;
    value = json_string(text);
    if (value == NULL && errno == ENOMEM) {
        problems->no_memory = true;
    } else if (value == NULL) {
        ProblemsAdd(problems, location, "%s is not UTF-8 text.", what);
    }
    return value;
}

const char *ProblemJsonKind(const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "an array";
    case JSON_STRING:
        return "a text";
    case JSON_INTEGER:
    case JSON_REAL:
        return "a number";
    case JSON_TRUE:
        return "true";
    case JSON_FALSE:
        return "false";
    case JSON_NULL:
    default:
        return "null";
    }
}

bool ProblemsBroken(const Problems *problems)
{
    return problems->no_memory || problems->fault != OPPROF_OK;
}

bool ProblemsNone(const Problems *problems)
{
    return problems->count == 0 && !ProblemsBroken(problems);
}

/* A line in the list; what it has on further lines is indented with it. */
static void print_line(const char *line, FILE *out)
{
    fputs("\n  ", out);
    for (; *line != '\0'; line++) {
        fputc(*line, out);
        if (*line == '\n') {
            fputs("  ", out);
        }
    }
}

/* Without a fault it is memory that was missing. */
static OpprofStatus report_fault(const Problems *problems, const char *subject, OpprofError **error)
{
    const int initial = tolower((unsigned char) subject[0]);

    if (initial == '\0') { /* the subject had no memory either */
        return OpprofErrorNoMemory(error, "say what is wrong");
    }
    if (problems->fault == OPPROF_OK) {
        return OpprofErrorNoMemory(error, "check %c%s", initial, subject + 1);
    }
    OpprofErrorSet(error, problems->fault, "%s", problems->fault_text);
    return OpprofErrorWrap(error, "Cannot check %c%s", initial, subject + 1);
}

OpprofStatus ProblemsToErrorAs(const Problems *problems, OpprofStatus status, const char *subject,
                               OpprofError **error)
{
    Printed list;
    FILE *out;
    char *text;

    if (ProblemsNone(problems)) {
        return OPPROF_OK;
    }
    if (ProblemsBroken(problems)) {
        return report_fault(problems, subject, error);
    }
    out = PrintedOpen(&list);
    for (size_t i = 0; out != NULL && i < problems->kept; i++) {
        print_line(problems->lines[i], out);
    }
    if (out != NULL && problems->count > problems->kept) {
        fprintf(out, "\n  … and %zu more", problems->count - problems->kept);
    }
    text = PrintedTake(&list);
    if (text == NULL) {
        return report_fault(problems, subject, error);
    }
    OpprofErrorSet(error, status, "%s has %zu mistake%s:%s", subject, problems->count,
                   problems->count == 1 ? "" : "s", text);
    free(text);
    return status;
}

OpprofStatus ProblemsToError(const Problems *problems, const char *subject, OpprofError **error)
{
    return ProblemsToErrorAs(problems, OPPROF_E_ARGUMENT, subject, error);
}

void ProblemsFinish(Problems *problems)
{
    for (size_t i = 0; i < problems->kept; i++) {
        free(problems->lines[i]);
    }
    free(problems->lines);
    ChunksFree(&problems->pieces);
    *problems = (Problems){ 0 };
}

char *ProblemText(const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vasprintf(&text, format, arguments);
    va_end(arguments);
    return length < 0 ? NULL : text;
}
