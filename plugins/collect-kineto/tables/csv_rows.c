/* SPDX-License-Identifier: Apache-2.0 */
/* Reads rows of CSV files. Tested by tests/plugins/collect-kineto/test_ascend_tables.sh. */
#include "collect-kineto/tables/csv_rows.h"

#include <opprof/grow.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW 65536u

void CsvRowsInit(CsvRows *rows, Source *source)
{
    memset(rows, 0, sizeof *rows);
    rows->source = source;
}

/* Where the row that begins at `start` ends, after its line feed; 0: not before `end`. A quote
 * within a cell that did not begin with one is a part of it. */
static size_t find_end(const CsvRows *rows, bool ignores_quotes)
{
    bool is_cell_quoted = false;
    bool is_quoted = false;
    bool is_first = true; /* of a cell, but for blanks */

    for (size_t i = rows->start; i < rows->end; i++) {
        const char byte = rows->buffer[i];

        if (byte == '\n' && !is_quoted) {
            return i + 1;
        }
        if (byte == '"' && (is_first || is_cell_quoted) && !ignores_quotes) {
            is_quoted = !is_quoted;
            is_cell_quoted = true;
        } else if (byte == ',' && !is_quoted) {
            is_cell_quoted = false;
        }
        is_first = !is_quoted && (byte == ',' || (is_first && (byte == ' ' || byte == '\t')));
    }
    return 0;
}

/* Gets more text. False: there is no memory. */
static bool fill(CsvRows *rows)
{
    size_t got;

    memmove(rows->buffer, rows->buffer + rows->start, rows->end - rows->start);
    rows->end -= rows->start;
    rows->start = 0;
    if (!OpprofGrow(&rows->buffer, &rows->capacity, rows->end + WINDOW + 1, 1)) {
        return false;
    }
    got = SourceRead(rows->source, rows->buffer + rows->end, WINDOW);
    rows->is_all = got == 0;
    rows->end += got;
    return true;
}

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r';
}

/* Takes the blanks away around a cell. */
static void trim(CsvCell *cell, char *text, size_t length)
{
    while (length > 0 && is_blank(text[length - 1])) {
        length--;
    }
    while (length > 0 && is_blank(*text)) {
        text++;
        length--;
    }
    text[length] = '\0';
    *cell = (CsvCell){ .text = text, .length = length };
}

/* Reads the cell at `at` of a row that ends at `end`, where a comma or the end of the row follows.
 * Returns where the next one begins. */
static char *take_cell(char *at, char *end, CsvCell *cell)
{
    char *from = at;
    char *to = at;
    bool is_quoted;

    while (from < end && (*from == ' ' || *from == '\t')) {
        from++;
    }
    is_quoted = from < end && *from == '"';
    if (!is_quoted) {
        from = memchr(at, ',', (size_t) (end - at));
        from = from == NULL ? end : from;
        trim(cell, at, (size_t) (from - at));
        return from + 1;
    }
    for (from++; from < end && (is_quoted || *from != ','); from++) {
        if (*from != '"' || !is_quoted) {
            *to++ = *from;
        } else if (from + 1 < end && from[1] == '"') {
            *to++ = *from++;
        } else {
            is_quoted = false;
        }
    }
    trim(cell, at, (size_t) (to - at));
    return from + 1;
}

/* Splits the row up to its line feed. False: it has too many cells. */
static bool split(CsvRows *rows, size_t end)
{
    char *at = rows->buffer + rows->start;
    char *last = rows->buffer + end - 1;

    rows->count = 0;
    while (at <= last) {
        if (rows->count == CSV_CELLS) {
            return false;
        }
        at = take_cell(at, last, &rows->cells[rows->count++]);
    }
    return true;
}

static void count_lines(CsvRows *rows, size_t end)
{
    rows->line = rows->lines + 1;
    for (size_t i = rows->start; i < end; i++) {
        rows->lines += rows->buffer[i] == '\n';
    }
}

/* All text is there, but no end of the row that begins. */
static CsvResult end_of_text(CsvRows *rows)
{
    const size_t end = find_end(rows, true);

    if (rows->start == rows->end) {
        return CSV_END;
    }
    if (end == 0) {
        count_lines(rows, rows->end);
        rows->start = rows->end;
        return CSV_CUT;
    }
    count_lines(rows, end); /* a quote without its end: the line is lost, not what follows */
    rows->start = end;
    return CSV_BROKEN;
}

/* A row that is too long: up to the next line feed it is lost. */
static CsvResult skip_long(CsvRows *rows)
{
    const size_t end = find_end(rows, true);

    count_lines(rows, end == 0 ? rows->end : end);
    rows->start = end == 0 ? rows->end : end;
    return CSV_BROKEN;
}

CsvResult CsvRowsNext(CsvRows *rows)
{
    size_t end = 0;

    while (rows->start == rows->end || (end = find_end(rows, false)) == 0) {
        if (rows->is_all) {
            return end_of_text(rows);
        }
        if (rows->end - rows->start > CSV_ROW_BYTES) {
            return skip_long(rows);
        }
        if (!fill(rows)) {
            return CSV_NO_MEMORY;
        }
    }
    count_lines(rows, end);
    if (!split(rows, end)) {
        rows->start = end;
        return CSV_BROKEN;
    }
    rows->start = end;
    return CSV_ROW;
}

void CsvRowsFinish(CsvRows *rows)
{
    SourceClose(rows->source);
    free(rows->buffer);
    memset(rows, 0, sizeof *rows);
}
