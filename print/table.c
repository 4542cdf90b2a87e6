/* SPDX-License-Identifier: Apache-2.0 */
/* Cells in aligned columns. Tested by tests/cli/test_query.sh and tests/cli/test_inspect. */
#include "table.h"

#include "columns.h"

#include <opprof/grow.h>
#include <opprof/text.h>

#include <stdlib.h>
#include <string.h>

#define GAP 2u /* blanks between columns */

static const char *shown(const char *cell)
{
    return cell == NULL ? "NA" : cell;
}

static bool begin(Table *table)
{
    if (table->widths == NULL) {
        table->widths = calloc(table->columns, sizeof *table->widths);
    }
    if (table->are_texts == NULL) {
        table->are_texts = calloc(table->columns, sizeof *table->are_texts);
    }
    return table->widths != NULL && table->are_texts != NULL;
}

bool TableAdd(Table *table, const char *text)
{
    char *copy = text == NULL ? NULL : strdup(text);

    if ((text != NULL && copy == NULL) || !begin(table) ||
        !OpprofGrow(&table->cells, &table->capacity, table->count + 1, sizeof *table->cells)) {
        free(copy);
        return false;
    }
    if (copy != NULL) {
        OpprofTextTame(copy, false);
    }
    const size_t column = table->count % table->columns;

    table->cells[table->count++] = copy;
    table->widths[column] = ColumnsMore(table->widths[column], ColumnsOf(shown(copy)));
    return true;
}

bool TableAlignLeft(Table *table, size_t column)
{
    if (!begin(table)) {
        return false;
    }
    table->are_texts[column] = true;
    return true;
}

void TablePrint(const Table *table, FILE *out)
{
    for (size_t i = 0; i < table->count - table->count % table->columns; i++) {
        const size_t column = i % table->columns;
        const char *text = shown(table->cells[i]);
        const size_t blanks = table->widths[column] - ColumnsOf(text);
        const bool is_last = column + 1 == table->columns;

        ColumnsBlanks(table->are_texts[column] ? 0 : blanks, out);
        fputs(text, out);
        if (is_last) {
            fputc('\n', out);
        } else {
            ColumnsBlanks(GAP + (table->are_texts[column] ? blanks : 0), out);
        }
    }
}

void TableFinish(Table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        free(table->cells[i]);
    }
    free((void *) table->cells);
    free(table->widths);
    free(table->are_texts);
    *table = (Table){ .columns = table->columns };
}
