/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PRINT_TABLE_H
#define PRINT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * Cells in columns as wide as their widest cell, for people. Zero-initialise with the number of
 * columns.
 */
typedef struct Table {
    size_t columns;
    char **cells; /* row by row; NULL: absent */
    size_t count;
    size_t capacity;
    size_t *widths;
    bool *are_texts; /* columns that go to the left; the others go to the right */
} Table;

/* Add the next cell, without what would drive a terminal; NULL: absent. False without memory. */
bool TableAdd(Table *table, const char *text);
/* Have a column go to the left. False without memory. */
bool TableAlignLeft(Table *table, size_t column);
/* Print all whole rows; absent cells are NA. */
void TablePrint(const Table *table, FILE *out);
void TableFinish(Table *table);

#endif
