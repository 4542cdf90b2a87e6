/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PRINT_PLAIN_OUTPUT_H
#define PRINT_PLAIN_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

/* Output for people: gathered, made safe for terminals, then written. */
typedef struct PlainOutput {
    FILE *stream; /* to print into; NULL without memory */
    char *text;
    size_t size;
} PlainOutput;

/* It stays where it is until it is closed. */
void PlainOutputOpen(PlainOutput *plain);
/* Write what was printed to `out`, line breaks and tabs as they are. False without memory
 * for all of it. */
bool PlainOutputClose(PlainOutput *plain, FILE *out);

/*
 * Print a name from outside without its line breaks and all else that is not plain: it cannot
 * pretend to be a line of its own.
 */
void PlainPut(FILE *out, const char *name);

/*
 * The words as a shell takes them, with blanks between, after `prefix`: those that need it are
 * quoted. To be given to free(); NULL without memory.
 */
char *PlainQuote(const char *prefix, const char *const *words, size_t count);

#endif
