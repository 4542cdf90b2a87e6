/* SPDX-License-Identifier: Apache-2.0 */
/* Texts that are printed piece by piece, whole or not at all. Tested by
 * tests/core/base/test_error and tests/core/base/test_text. */
#include "base/printed.h"

#include <errno.h>
#include <opprof/grow.h>
#include <opprof/text.h>
#include <stdlib.h>
#include <string.h>

/* Where the text and its size go, for as long as it is printed. */
typedef struct Sink {
    char **text;
    size_t *size;
    size_t room;
    bool is_cut;
} Sink;

/* A stream of open_memstream drops pieces that it has no memory for, and its error flag does not
 * say so. */
static ssize_t keep(void *context, const char *data, size_t size)
{
    Sink *sink = context;

    if (sink->is_cut || !OpprofGrow(sink->text, &sink->room, *sink->size + size + 1, 1)) {
        sink->is_cut = true;
        return 0;
    }
    memcpy(*sink->text + *sink->size, data, size);
    *sink->size += size;
    (*sink->text)[*sink->size] = '\0';
    return (ssize_t) size;
}

/* How much was printed, for ftell. */
static int say_size(void *context, off64_t *offset, int whence)
{
    const Sink *sink = context;

    if (whence != SEEK_CUR || *offset != 0) {
        errno = ESPIPE;
        return -1;
    }
    *offset = (off64_t) *sink->size;
    return 0;
}

static int end(void *context)
{
    Sink *sink = context;
    const bool is_cut = sink->is_cut;

    if (is_cut) {
        free(*sink->text);
        *sink->text = NULL;
        *sink->size = 0;
    }
    free(sink);
    return is_cut ? -1 : 0;
}

FILE *OpprofTextOpen(char **ret_text, size_t *ret_size)
{
    const cookie_io_functions_t functions = { .write = keep, .seek = say_size, .close = end };
    Sink *sink = calloc(1, sizeof *sink);
    FILE *out = NULL;

    *ret_text = NULL;
    *ret_size = 0;
    if (sink != NULL) {
        *sink = (Sink){ .text = ret_text, .size = ret_size };
        keep(sink, "", 0); /* a text of which nothing is printed is empty */
        out = sink->is_cut ? NULL : fopencookie(sink, "w", functions);
    }
    if (out == NULL) {
        free(*ret_text);
        *ret_text = NULL;
        free(sink);
    }
    return out;
}

FILE *PrintedOpen(Printed *printed)
{
    printed->out = OpprofTextOpen(&printed->text, &printed->size);
    return printed->out;
}

char *PrintedTake(Printed *printed)
{
    return printed->out != NULL && fclose(printed->out) == 0 ? printed->text : NULL;
}
