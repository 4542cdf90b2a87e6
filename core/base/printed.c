/* SPDX-License-Identifier: Apache-2.0 */
/* Texts that are printed piece by piece, whole or not at all. Tested by
 * tests/core/base/test_error. */
#include "base/printed.h"

#include <stdlib.h>

FILE *PrintedOpen(Printed *printed)
{
    *printed = (Printed){ .out = NULL };
    printed->out = open_memstream(&printed->text, &printed->size);
    return printed->out;
}

char *PrintedTake(Printed *printed)
{
    const int failed = printed->out == NULL || ferror(printed->out);

    if (printed->out != NULL && (fclose(printed->out) != 0 || failed)) {
        free(printed->text);
        printed->text = NULL;
    }
    return printed->text;
}
