/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of a table as they are: a grid, or one row as a list. Tested by
 * tests/plugins/report/test_report. */
#include "rows.h"

#include "row_names.h"

#include <opprof/print.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS_MAX 64u /* of a table that is shown unchanged */
#define HEADING_BYTES 80u
#define CELL_BYTES 32u /* of a time */

typedef struct Columns {
    char headings[COLUMNS_MAX][HEADING_BYTES]; /* words */
    unsigned widths[COLUMNS_MAX];
    bool is_text[COLUMNS_MAX];
    bool is_time[COLUMNS_MAX];
    uint32_t cells[COLUMNS_MAX]; /* place in a kept row */
    uint32_t count;
} Columns;

static const char *cell_at(const char *row, uint32_t column)
{
    while (column-- > 0) {
        row += strlen(row) + 1;
    }
    return row;
}

/* True if no row of the table has a value in the column: then it says nothing. */
static bool is_empty_column(const Finding *finding, unsigned rows, uint32_t cell)
{
    bool is_empty = rows > 0 && finding->rows == rows;

    for (unsigned row = 0; is_empty && row < rows; row++) {
        is_empty = strcmp(cell_at(finding->kept[row], cell), "NA") == 0;
    }
    return is_empty;
}

/* A cell as it is shown: a time has three digits and a unit that fits. */
static const char *shown_cell(const Columns *columns, uint32_t column, const char *row,
                              char made[CELL_BYTES])
{
    const char *text = cell_at(row, columns->cells[column]);
    char *end = NULL;
    const double us = columns->is_time[column] ? strtod(text, &end) : 0;

    if (end == NULL || end == text || *end != '\0') {
        return text;
    }
    PageTime(made, us);
    return made;
}

/* In words; a time's unit is in its cells, another stays. */
static void name_column(Columns *columns, uint32_t column, const char *heading)
{
    char *name = columns->headings[column];

    if (columns->is_time[column]) {
        PageWords(name, HEADING_BYTES, heading);
        return;
    }
    snprintf(name, HEADING_BYTES, "%s", heading);
    for (char *at = strchr(name, '_'); at != NULL; at = strchr(at, '_')) {
        *at = ' ';
    }
}

/* The widest of a heading and its cells. */
static void add_column(Columns *columns, const Finding *finding, unsigned rows, uint32_t cell,
                       const char *heading)
{
    const uint32_t c = columns->count++;

    name_column(columns, c, heading);
    columns->cells[c] = cell;
    columns->widths[c] = PageColumns(columns->headings[c], strlen(columns->headings[c]));
    for (unsigned row = 0; row < rows; row++) {
        char made[CELL_BYTES];
        const char *text = shown_cell(columns, c, finding->kept[row], made);
        const unsigned width = PageColumns(text, strlen(text));

        columns->widths[c] = width > columns->widths[c] ? width : columns->widths[c];
    }
}

static Columns columns_of(const Finding *finding, unsigned rows)
{
    Columns columns = { .count = 0 };
    uint32_t cell = 1; /* in the kept rows, after the launch */

    if (finding->has_launches) {
        columns.is_text[0] = true;
        add_column(&columns, finding, rows, 0, "launch");
    }
    for (uint32_t f = 0; f < finding->type->field_count && columns.count < COLUMNS_MAX; f++) {
        const OpprofField *field = &finding->type->fields[f];

        if (!NameIsShown(field) || is_empty_column(finding, rows, cell++)) {
            continue;
        }

        columns.is_text[columns.count] = OpprofFieldIsText(field);
        columns.is_time[columns.count] = field->unit != NULL && strcmp(field->unit, "us") == 0;
        add_column(&columns, finding, rows, cell - 1, OpprofFieldHeading(field));
    }
    return columns;
}

/* A single row with more columns than fit is shown as a list. */
static void put_upright(FILE *out, const PageStyle *style, const Finding *finding,
                        const Columns *columns)
{
    unsigned widest = 0;

    for (uint32_t c = 0; c < columns->count; c++) {
        const unsigned width = PageColumns(columns->headings[c], strlen(columns->headings[c]));
        widest = width > widest ? width : widest;
    }
    widest = widest > style->width / 2 ? style->width / 2 : widest;
    PageStyle right = *style;
    right.width -= widest + 4 < right.width ? widest + 4 : 0;
    for (uint32_t c = 0; c < columns->count; c++) {
        char made[CELL_BYTES];

        fputs("  ", out);
        PageCell(out, style, PAGE_DIM, columns->headings[c], (int) widest, false);
        fputs("  ", out);
        PageText(out, &right, PAGE_PLAIN, "", shown_cell(columns, c, finding->kept[0], made), 1);
    }
}

/* The first columns of a row, or of the headings if that is NULL. */
static void put_cells(FILE *out, const PageStyle *style, const Columns *columns, const char *row,
                      uint32_t count)
{
    for (uint32_t c = 0; c < count; c++) {
        const int width = (int) columns->widths[c];
        char made[CELL_BYTES];
        const char *text = row == NULL ? columns->headings[c] : shown_cell(columns, c, row, made);

        fputs("  ", out);
        PageCell(out, style, row == NULL ? PAGE_DIM : PAGE_PLAIN, text,
                 columns->is_text[c] ? width : -width, false);
    }
    fputc('\n', out);
}

static void put_grid(FILE *out, const PageStyle *style, const Finding *finding,
                     const Columns *columns, unsigned rows)
{
    unsigned width = 0;
    uint32_t count = 0;

    while (count < columns->count && width + columns->widths[count] + 2 <= style->width) {
        width += columns->widths[count++] + 2;
    }
    put_cells(out, style, columns, NULL, count);
    for (unsigned row = 0; row < rows; row++) {
        put_cells(out, style, columns, finding->kept[row], count);
    }
}

static int compare_rows(const void *a, const void *b)
{
    return strverscmp(*(char *const *) a, *(char *const *) b);
}

void RowsPut(FILE *out, const PageStyle *style, const Finding *finding, unsigned most)
{
    const unsigned rows = finding->kept_count < most ? finding->kept_count : most;
    unsigned width = 0;
    Columns columns;

    if (rows == 0) {
        return;
    }
    qsort(finding->kept, finding->kept_count, sizeof *finding->kept, compare_rows);
    columns = columns_of(finding, rows);
    for (uint32_t c = 0; c < columns.count; c++) {
        width += columns.widths[c] + 2;
    }
    if (width > style->width && finding->rows == 1) {
        put_upright(out, style, finding, &columns);
    } else {
        put_grid(out, style, finding, &columns, rows);
    }
    PageMore(out, finding->rows - rows);
}
