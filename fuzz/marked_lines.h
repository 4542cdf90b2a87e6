/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FUZZ_MARKED_LINES_H
#define FUZZ_MARKED_LINES_H

#include "fuzz/fuzz.h"

#include <opprof/error.h>
#include <stdlib.h>
#include <string.h>

/*
 * Several logs in one input: the first byte of a line says which log it is of. Lines without any of
 * the marks are the log's that has none.
 */

#define MARKED_LINES_PAD 64u

typedef struct MarkedLines {
    const char *text;
    size_t size;
    size_t at;
    const char *marks; /* of all logs */
    char mark;         /* of this one; '\0': none */
    char padding;      /* after a line, where it may be read; '\0' ends it */
    char *line;        /* the last one given, with what may be read after it. free() */
} MarkedLines;

static OpprofStatus next_marked_line(void *context, const char **ret_line, size_t *ret_length,
                                     OpprofError **error)
{
    MarkedLines *log = context;

    (void) error;
    while (log->at < log->size) {
        const char *from = log->text + log->at;
        const char *end = memchr(from, '\n', log->size - log->at);
        size_t length = end == NULL ? log->size - log->at : (size_t) (end - from);
        const bool is_marked = length > 0 && memchr(log->marks, *from, strlen(log->marks)) != NULL;

        log->at += length + 1;
        if ((is_marked ? *from : '\0') != log->mark) {
            continue;
        }
        from += is_marked;
        length -= is_marked;
        free(log->line);
        log->line = malloc(length + MARKED_LINES_PAD);
        FUZZ_REQUIRE(log->line != NULL);
        memcpy(log->line, from, length);
        memset(log->line + length, log->padding, MARKED_LINES_PAD);
        *ret_line = log->line;
        *ret_length = length;
        return OPPROF_OK;
    }
    return OPPROF_END;
}

#endif
