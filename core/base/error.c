/* SPDX-License-Identifier: Apache-2.0 */
/* Errors: a chain of causes, each with a place and a hint. */
#include <opprof/error.h>

#include "base/printed.h"

#include <opprof/require.h>
#include <opprof/text.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct OpprofError {
    OpprofError *cause;
    const char *message; /* right after the struct */
    char *hint;          /* NULL: none */
    char *whole;         /* the chain in one line; NULL: not asked for yet */
    const char *file;
    int line;
    OpprofStatus status;
};

/* Used when there is no memory for a real error. Shared: never written to, never freed. */
static OpprofError memory_error = {
    .message = "out of memory", .file = __FILE__, .line = __LINE__, .status = OPPROF_E_MEMORY
};

/* Bytes of the formatted text without its NUL; a format that cannot be printed counts as itself. */
OPPROF_PRINTF(1, 0)
static size_t text_length(const char *format, va_list args)
{
    va_list copy;
    va_copy(copy, args);
    const int length = vsnprintf(NULL, 0, format, copy);
    va_end(copy);
    return length < 0 ? strlen(format) : (size_t) length;
}

OPPROF_PRINTF(3, 0)
static void print_text(char *out, size_t size, const char *format, va_list args)
{
    if (vsnprintf(out, size, format, args) < 0) {
        memcpy(out, format, size);
    }
}

/* A new head of the chain. Without memory an earlier error stays: its reason is worth more. */
OPPROF_PRINTF(5, 0)
static void push_cause(OpprofError **error, OpprofStatus status, const char *file, int line,
                       const char *format, va_list args)
{
    const int saved = errno;
    const size_t size = text_length(format, args) + 1;
    OpprofError *head = malloc(sizeof *head + size);

    if (head == NULL) {
        if (*error == NULL) {
            *error = &memory_error;
        }
        errno = saved;
        return;
    }
    char *message = (char *) (head + 1);
    *head = (OpprofError){
        .cause = *error, .message = message, .file = file, .line = line, .status = status
    };
    errno = saved; /* for %m */
    print_text(message, size, format, args);
    OpprofTextTame(message, false); /* names from outside must not drive the terminal */
    *error = head;
    errno = saved;
}

OpprofStatus OpprofErrorSetAt(OpprofError **error, OpprofStatus status, const char *file, int line,
                              const char *format, ...)
{
    OPPROF_REQUIRE("error-format", format != NULL, "An error has a format");
    if (error != NULL) {
        va_list args;
        va_start(args, format);
        push_cause(error, status, file, line, format, args);
        va_end(args);
    }
    return status;
}

OpprofStatus OpprofErrorWrapAt(OpprofError **error, const char *file, int line, const char *format,
                               ...)
{
    OPPROF_REQUIRE("error-format", format != NULL, "An error has a format");
    if (error == NULL || *error == NULL) {
        return OPPROF_OK;
    }
    const OpprofStatus status = (*error)->status;
    va_list args;
    va_start(args, format);
    push_cause(error, status, file, line, format, args);
    va_end(args);
    return status;
}

OpprofStatus OpprofErrorExplainAt(OpprofError **error, OpprofStatus status, const char *file,
                                  int line, const char *format, ...)
{
    OPPROF_REQUIRE("error-format", format != NULL, "An error has a format");

    char *text = NULL;
    va_list args;

    if (!OpprofFailed(status) || error == NULL) {
        return status;
    }
    va_start(args, format);
    if (*error != NULL) {
        push_cause(error, status, file, line, format, args);
    } else if (vasprintf(&text, format, args) >= 0) {
        OpprofErrorSetAt(error, status, file, line, "%s: %s", text, OpprofStatusName(status));
        free(text);
    } else {
        OpprofErrorSetAt(error, status, file, line, "%s", OpprofStatusName(status));
    }
    va_end(args);
    return status;
}

OpprofStatus OpprofErrorPass(OpprofError **error, OpprofError *reason)
{
    const OpprofStatus status = OpprofErrorStatus(reason);
    OpprofError *last = reason;

    if (error == NULL || reason == NULL || *error == reason) {
        OpprofErrorDestroy(error == NULL ? reason : NULL);
        return status;
    }
    while (last->cause != NULL) {
        last = last->cause;
    }
    if (last == &memory_error) { /* it is shared, so nothing can follow it */
        OpprofErrorDestroy(*error);
    } else {
        last->cause = *error;
    }
    *error = reason;
    return status;
}

void OpprofErrorHint(OpprofError **error, const char *format, ...)
{
    OPPROF_REQUIRE("error-format", format != NULL, "An error has a format");
    if (error == NULL || *error == NULL || *error == &memory_error) {
        return;
    }
    const int saved = errno;
    va_list args;
    va_start(args, format);
    const size_t size = text_length(format, args) + 1;
    char *hint = malloc(size);
    if (hint != NULL) {
        errno = saved;
        print_text(hint, size, format, args);
        OpprofTextTame(hint, false);
        free((*error)->hint);
        (*error)->hint = hint;
    }
    va_end(args);
    errno = saved;
}

OpprofStatus OpprofErrorStatus(const OpprofError *error)
{
    return error == NULL ? OPPROF_OK : error->status;
}

const char *OpprofErrorMessage(const OpprofError *error)
{
    return error == NULL ? "" : error->message;
}

const char *OpprofErrorGetHint(const OpprofError *error)
{
    return error == NULL ? NULL : error->hint;
}

const OpprofError *OpprofErrorCause(const OpprofError *error)
{
    return error == NULL ? NULL : error->cause;
}

/* Where causes are a list of mistakes, a line does not have all of them. */
#define MOST_IN_LINE 8

/* Messages from the outermost to the innermost, with ": " between; NULL without memory. */
static char *join(const OpprofError *error)
{
    const OpprofError *at = error;
    Printed line;
    FILE *out = PrintedOpen(&line);
    size_t more = 0;

    if (out == NULL) {
        return NULL;
    }
    for (unsigned i = 0; at != NULL && i < MOST_IN_LINE; i++, at = at->cause) {
        fprintf(out, "%s%s", i == 0 ? "" : ": ", at->message);
    }
    for (; at != NULL; at = at->cause) {
        more++;
    }
    if (more > 0) {
        fprintf(out, " (and %zu more)", more);
    }
    return PrintedTake(&line);
}

const char *OpprofErrorLine(const OpprofError *error)
{
    if (error == NULL || error->cause == NULL) {
        return OpprofErrorMessage(error);
    }
    if (error->whole == NULL) {
        /* Only for the text's sake is a cause written to; one that has a cause was allocated. */
        ((OpprofError *) (uintptr_t) error)->whole = join(error);
    }
    if (error->whole != NULL) {
        return error->whole;
    }
    while (error->cause != NULL) { /* of what there is no memory for, the reason says most */
        error = error->cause;
    }
    return error->message;
}

static void print_chain(FILE *out, const OpprofError *error, bool with_source)
{
    const char *before = "";

    for (const OpprofError *at = error; at != NULL; at = at->cause) {
        fprintf(out, "%s%s", before, at->message);
        if (with_source && at->file != NULL) {
            fprintf(out, " [%s:%d]", at->file, at->line);
        }
        before = "\n  because: ";
    }
    for (const OpprofError *at = error; at != NULL; at = at->cause) {
        if (at->hint != NULL) {
            fprintf(out, "\n  hint: %s", at->hint);
        }
    }
}

char *OpprofErrorText(const OpprofError *error, bool with_source)
{
    Printed text;

    if (PrintedOpen(&text) != NULL) {
        print_chain(text.out, error, with_source);
    }
    return PrintedTake(&text);
}

void OpprofErrorDestroy(OpprofError *error)
{
    while (error != NULL && error != &memory_error) {
        OpprofError *cause = error->cause;
        free(error->hint);
        free(error->whole);
        free(error);
        error = cause;
    }
}
