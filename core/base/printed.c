/* SPDX-License-Identifier: Apache-2.0 */
/* Texts that are printed piece by piece, whole or not at all. Tested by
 * tests/core/base/test_error. */
#include "base/printed.h"

#include <opprof/grow.h>
#include <stdlib.h>
#include <string.h>

/* A stream of open_memstream drops pieces that it has no memory for, and its error flag does not
 * say so. */
static ssize_t keep(void *context, const char *data, size_t size)
{
    Printed *printed = context;

    if (!OpprofGrow(&printed->text, &printed->room, printed->size + size + 1, 1)) {
        return 0;
    }
    memcpy(printed->text + printed->size, data, size);
    printed->size += size;
    printed->text[printed->size] = '\0';
    return (ssize_t) size;
}

FILE *PrintedOpen(Printed *printed)
{
    *printed = (Printed){ .out = NULL };
    keep(printed, "", 0); /* a text of which nothing is printed is empty */
    if (printed->text != NULL) {
        printed->out = fopencookie(printed, "w", (cookie_io_functions_t){ .write = keep });
    }
    return printed->out;
}

char *PrintedTake(Printed *printed)
{
    bool is_whole = printed->out != NULL && ferror(printed->out) == 0;

    if (printed->out != NULL && fclose(printed->out) != 0) {
        is_whole = false;
    }
    if (!is_whole) {
        free(printed->text);
        printed->text = NULL;
    }
    return printed->text;
}
