/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads rows of CSV files. Tested by tests/kit/io/test_csv.c and, byte by byte against a plain
 * reading, by fuzz/fuzz_ascend_tables.c.
 */
#include <opprof/kit/csv.h>

#include <opprof/grow.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW 65536u

void OpprofCsvBegin(OpprofCsv *rows, OpprofCsvRead *read, void *context)
{
    memset(rows, 0, sizeof *rows);
    rows->read = read;
    rows->context = context;
}

/* Whether a quote begins a cell: only blanks are between it and the cell's beginning. */
static bool begins_cell(const char *row, const char *quote)
{
    while (quote > row && (quote[-1] == ' ' || quote[-1] == '\t')) {
        quote--;
    }
    return quote == row || quote[-1] == ',';
}

/* The comma or line feed that ends the cell whose first quote is before `at`; `end`: none does.
 * Between quotes they are a part of it. */
static const char *end_of_quoted(const char *at, const char *end)
{
    bool is_quoted = true;

    for (; at < end; at++) {
        if (is_quoted && (at = memchr(at, '"', (size_t) (end - at))) == NULL) {
            return end;
        }
        if (*at == '"') {
            is_quoted = !is_quoted;
        } else if (*at == ',' || *at == '\n') {
            return at;
        }
    }
    return end;
}

/* Where the row that begins at `start` ends, after its line feed; 0: not before `end`. A quote
 * within a cell that did not begin with one is a part of it. */
static size_t find_end(const OpprofCsv *rows, bool ignores_quotes)
{
    const char *const row = rows->buffer + rows->start;
    const char *const end = rows->buffer + rows->end;
    const char *at = row;

    while (at < end) {
        const char *feed = memchr(at, '\n', (size_t) (end - at));
        const size_t length = (size_t) ((feed == NULL ? end : feed) - at);
        const char *quote = ignores_quotes ? NULL : memchr(at, '"', length);

        if (quote == NULL) {
            return feed == NULL ? 0 : (size_t) (feed + 1 - rows->buffer);
        }
        at = begins_cell(row, quote) ? end_of_quoted(quote + 1, end) : quote + 1;
        if (at > quote + 1 && at < end && *at == '\n') {
            return (size_t) (at + 1 - rows->buffer);
        }
    }
    return 0;
}

/* Gets more text. OPPROF_CSV_ROW: there is some, or all is there. */
static OpprofCsvResult fill(OpprofCsv *rows)
{
    size_t got;

    if (rows->start > 0) {
        memmove(rows->buffer, rows->buffer + rows->start, rows->end - rows->start);
        rows->end -= rows->start;
        rows->start = 0;
    }
    if (!OpprofGrow(&rows->buffer, &rows->capacity, rows->end + WINDOW + 1, 1)) {
        return OPPROF_CSV_NO_MEMORY;
    }
    got = rows->read(rows->context, rows->buffer + rows->end, WINDOW);
    if (got == OPPROF_CSV_LATER) {
        return OPPROF_CSV_WAIT;
    }
    rows->is_all = got == 0;
    rows->end += got;
    return OPPROF_CSV_ROW;
}

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r';
}

/* Takes the blanks away around a cell. */
static void trim(OpprofCsvCell *cell, char *text, size_t length)
{
    while (length > 0 && is_blank(text[length - 1])) {
        length--;
    }
    while (length > 0 && is_blank(*text)) {
        text++;
        length--;
    }
    text[length] = '\0';
    *cell = (OpprofCsvCell){ .text = text, .length = length };
}

/* Reads the cell at `at` of a row that ends at `end`, where a comma or the end of the row follows.
 * Returns where the next one begins. */
static char *take_cell(char *at, char *end, OpprofCsvCell *cell)
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
static bool split(OpprofCsv *rows, size_t end)
{
    char *at = rows->buffer + rows->start;
    char *last = rows->buffer + end - 1;

    rows->count = 0;
    while (at <= last) {
        if (rows->count == OPPROF_CSV_CELLS) {
            return false;
        }
        at = take_cell(at, last, &rows->cells[rows->count++]);
    }
    return true;
}

static void count_lines(OpprofCsv *rows, size_t end)
{
    const char *at = rows->buffer + rows->start;
    const char *const last = rows->buffer + end;

    rows->line = rows->lines + 1;
    while (at < last && (at = memchr(at, '\n', (size_t) (last - at))) != NULL) {
        rows->lines++;
        at++;
    }
}

/* All text is there, but no end of the row that begins. */
static OpprofCsvResult end_of_text(OpprofCsv *rows)
{
    const size_t end = find_end(rows, true);

    if (rows->start == rows->end) {
        return OPPROF_CSV_END;
    }
    if (end == 0) {
        count_lines(rows, rows->end);
        rows->start = rows->end;
        return OPPROF_CSV_CUT;
    }
    count_lines(rows, end); /* a quote without its end: the line is lost, not what follows */
    rows->start = end;
    return OPPROF_CSV_BROKEN;
}

/* A row that is too long: up to the next line feed it is lost. */
static OpprofCsvResult skip_long(OpprofCsv *rows)
{
    const size_t end = find_end(rows, true);

    count_lines(rows, end == 0 ? rows->end : end);
    rows->start = end == 0 ? rows->end : end;
    return OPPROF_CSV_BROKEN;
}

OpprofCsvResult OpprofCsvNext(OpprofCsv *rows)
{
    OpprofCsvResult result;
    size_t end = 0;

    while (rows->start == rows->end || (end = find_end(rows, false)) == 0) {
        if (rows->is_all) {
            return end_of_text(rows);
        }
        if (rows->end - rows->start > OPPROF_CSV_ROW_BYTES) {
            return skip_long(rows);
        }
        result = fill(rows);
        if (result != OPPROF_CSV_ROW) {
            return result;
        }
    }
    count_lines(rows, end);
    if (!split(rows, end)) {
        rows->start = end;
        return OPPROF_CSV_BROKEN;
    }
    rows->start = end;
    return OPPROF_CSV_ROW;
}

void OpprofCsvFinish(OpprofCsv *rows)
{
    free(rows->buffer);
    memset(rows, 0, sizeof *rows);
}
