/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PRINT_COLUMNS_H
#define PRINT_COLUMNS_H

#include <opprof/error.h>
#include <stdio.h>

#define COLUMNS_INDENT 2

/* Columns of a text: characters, not bytes. */
size_t ColumnsOf(const char *text);
size_t ColumnsMore(size_t left, size_t right);
size_t ColumnsLess(size_t left, size_t right);

void ColumnsBlanks(size_t count, FILE *out);
/* A cell of a table and two blanks between it and the next. */
void ColumnsCell(const char *text, size_t width, FILE *out);
/*
 * Paragraphs with an empty line between each two, from `indent` on, where the cursor is; ends in a
 * newline.
 */
void ColumnsTextWithin(const char *text, size_t indent, size_t width, FILE *out);
/* The same in lines of the usual width. */
void ColumnsText(const char *text, size_t indent, FILE *out);
/* A name at COLUMNS_INDENT, its details and under them its summary, which may be NULL. */
void ColumnsItem(const char *name, size_t width, const char *details, const char *summary,
                 FILE *out);

/* Text to be given to free(), or NULL without memory. */
char *ColumnsPrint(const char *format, ...) OPPROF_PRINTF(1, 2);
/* The text, or the other where it is NULL or empty. */
const char *ColumnsOr(const char *text, const char *otherwise);

#endif
