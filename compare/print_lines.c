/* SPDX-License-Identifier: Apache-2.0 */
/* Changes as lines of a terminal of any width. Tested by tests/compare/test_diff.sh. */
#include "print_lines.h"

#include "texts.h"

#include "print/columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define VALUE_COLUMNS 11
#define NUMBERS_COLUMNS 37 /* two values, an arrow and a percentage */
#define NAME_LEAST 20      /* columns; with fewer the numbers have a line of their own */
#define NAME_USUAL 44
#define NAME_MOST 60
#define ALIKE_COLUMNS 16
#define WIDTH_LEAST 30
#define WIDTH_WITHOUT_TERMINAL 110

/* The first columns of a text: their bytes, without part of a character. */
static size_t first_columns(const char *text, size_t columns)
{
    size_t at = 0;

    for (; text[at] != '\0'; at++) {
        const bool is_begin = ((unsigned char) text[at] & 0xc0) != 0x80;

        if (is_begin && columns-- == 0) {
            break;
        }
    }
    return at;
}

/* The last columns of a text. */
static const char *last_columns(const char *text, size_t columns)
{
    return text + first_columns(text, ColumnsOf(text) - columns);
}

/* Where the column begins in the name of a change. */
static const char *last_comma(const char *name)
{
    const char *last = NULL;

    for (const char *at = strstr(name, ", "); at != NULL; at = strstr(at + 1, ", ")) {
        last = at;
    }
    return last;
}

/* A path is recognised by its end, other names by their beginning and their column. */
static void put_name(FILE *out, const char *name, size_t width)
{
    const char *comma = last_comma(name);
    const size_t end = comma == NULL ? 0 : ColumnsOf(comma);

    if (ColumnsOf(name) <= width) {
        fputs(name, out);
    } else if (end > 0 && end < width * 2 / 3) {
        fprintf(out, "%.*s~%s", (int) first_columns(name, width - 1 - end), name, comma);
    } else if (strchr(name, '/') != NULL) {
        fprintf(out, "~%s", last_columns(name, width - 1));
    } else {
        fprintf(out, "%.*s~", (int) first_columns(name, width - 1), name);
    }
}

/*
 * Both values of a change, and their unit where its name does not show the column. Returns the
 * columns.
 */
static size_t put_values(const DiffSheet *sheet, const DiffChange *change, size_t width)
{
    char a[DIFF_NUMBER_ROOM], b[DIFF_NUMBER_ROOM], percent[DIFF_PERCENT_ROOM];
    const char *unit = change->b_count > 0 ? DiffUnitOf(change) : "";
    size_t left, right;

    DiffNumberText(a, change->a, change->a_count, change->a_spread);
    DiffNumberText(b, change->b, change->b_count, change->b_spread);
    DiffPercentText(percent, change);
    left = ColumnsOf(a);
    right = ColumnsOf(b) + (unit[0] == '\0' ? 0 : ColumnsOf(unit) + 1);
    ColumnsBlanks(left < width ? width - left : 0, sheet->out);
    fprintf(sheet->out, "%s -> %s%s%s", a, b, unit[0] == '\0' ? "" : " ", unit);
    left = ColumnsMore(left, width);
    if (percent[0] == '\0') {
        return left + 4 + right;
    }
    ColumnsBlanks(right < width ? width - right : 0, sheet->out);
    fprintf(sheet->out, " %s", percent);
    return left + 4 + ColumnsMore(right, width) + 1 + ColumnsOf(percent);
}

/* How many more say the same, beside the change if there is room, else under it. */
static void put_alike_count(const DiffSheet *sheet, uint32_t alike, size_t column)
{
    char text[32];
    const size_t length = (size_t) snprintf(text, sizeof text, "  (%u more alike)", alike);

    if (alike > 0 && column + length <= sheet->width) {
        fputs(text, sheet->out);
    } else if (alike > 0) {
        fprintf(sheet->out, "\n%*s%s", DIFF_KIND_COLUMNS - 2, "", text);
    }
    fputc('\n', sheet->out);
}

/* Only a share that changed says anything. */
static bool has_share(const DiffChange *change)
{
    return fabs(change->b_share - change->a_share) >= 0.0005;
}

bool DiffLinePut(const DiffSheet *sheet, const DiffChange *change, uint32_t alike, bool with_share)
{
    FILE *out = sheet->out;
    char *name = DiffNameOf(change);
    size_t column = DIFF_KIND_COLUMNS;

    if (name == NULL) {
        return false;
    }
    fprintf(out, "  %-7s ", DiffKindOf(change));
    if (sheet->name_width == 0) {
        put_name(out, name, sheet->width - DIFF_KIND_COLUMNS);
        fprintf(out, "\n%*s", DIFF_KIND_COLUMNS, "");
        column += put_values(sheet, change, 0);
    } else {
        put_name(out, name, sheet->name_width);
        ColumnsBlanks(ColumnsMore(sheet->name_width, ColumnsOf(name)) - ColumnsOf(name) + 1, out);
        column += sheet->name_width + 1 + put_values(sheet, change, VALUE_COLUMNS);
    }
    put_alike_count(sheet, alike, column);
    if (with_share && has_share(change)) {
        fprintf(out, "%*sshare of the sum: %.1f %% -> %.1f %%\n", DIFF_KIND_COLUMNS, "",
                100 * change->a_share, 100 * change->b_share);
    }
    free(name);
    return true;
}

/* As much of a text as there is room for. */
static void put_cut(FILE *out, const char *text, size_t width)
{
    const bool is_cut = ColumnsOf(text) > width;

    fprintf(out, "%.*s%s", (int) first_columns(text, is_cut ? width - 1 : width), text,
            is_cut ? "~" : "");
}

bool DiffLinePutText(const DiffSheet *sheet, const DiffTextChange *change, uint32_t alike)
{
    const size_t taken = DIFF_KIND_COLUMNS + (sheet->name_width == 0 ? 0 : sheet->name_width + 1);
    const size_t both = sheet->width - taken - 4;
    const size_t left = ColumnsOf(change->a);
    const size_t right = ColumnsOf(change->b);
    const size_t half = left + right <= both ? left + right : both / 2;
    const size_t width =
        sheet->name_width == 0 ? sheet->width - DIFF_KIND_COLUMNS : sheet->name_width;
    char *name = ColumnsPrint("%s%s%s", change->row->key, change->row->key[0] == '\0' ? "" : ", ",
                              change->table->texts[change->text].heading);

    if (name == NULL) {
        return false;
    }
    fputs("  other   ", sheet->out);
    put_name(sheet->out, name, width);
    if (sheet->name_width == 0) {
        fprintf(sheet->out, "\n%*s", DIFF_KIND_COLUMNS, "");
    } else {
        ColumnsBlanks(ColumnsMore(width, ColumnsOf(name)) - ColumnsOf(name) + 1, sheet->out);
    }
    put_cut(sheet->out, change->a, half);
    fputs(" -> ", sheet->out);
    put_cut(sheet->out, change->b, half);
    put_alike_count(sheet, alike, taken + 4 + ColumnsLess(left, half) + ColumnsLess(right, half));
    free(name);
    return true;
}

/*
 * Columns of names, 0 where the numbers have a line of their own. A wide line also has room for how
 * many are alike.
 */
static size_t name_width(size_t width)
{
    const size_t taken = DIFF_KIND_COLUMNS + NUMBERS_COLUMNS;
    const size_t most = taken + ALIKE_COLUMNS + NAME_USUAL;

    return width < taken + NAME_LEAST              ? 0
           : width < taken + NAME_USUAL            ? width - taken
           : width < most                          ? NAME_USUAL
           : width - most < NAME_MOST - NAME_USUAL ? NAME_USUAL + width - most
                                                   : NAME_MOST;
}

DiffSheet DiffSheetOf(unsigned columns, FILE *out)
{
    const size_t width = columns == 0            ? WIDTH_WITHOUT_TERMINAL
                         : columns < WIDTH_LEAST ? WIDTH_LEAST
                                                 : columns;

    return (DiffSheet){ .out = out, .width = width, .name_width = name_width(width) };
}
