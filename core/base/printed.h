/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_PRINTED_H
#define BASE_PRINTED_H

#include <stdio.h>

/* A text that is printed piece by piece. It stays where it is until its end. */
typedef struct Printed {
    FILE *out; /* NULL: no memory */
    char *text;
    size_t size;
} Printed;

/* Begin a text; returns `out`. */
FILE *PrintedOpen(Printed *printed);
/* End it: the whole text, for free(); NULL when memory ran out, at the beginning or later. */
char *PrintedTake(Printed *printed);

#endif
