/* SPDX-License-Identifier: Apache-2.0 */
/* Text in columns, for what describes plugins and pipelines. Tested by tests/cli/test_inspect. */
#include "columns.h"

#include "plain_output.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 100 /* columns */

/* Columns of the first `length` bytes: characters, not bytes. */
static size_t columns_of(const char *text, size_t length)
{
    size_t columns = 0;

    for (size_t i = 0; i < length; i++) {
        columns += ((unsigned char) text[i] & 0xc0) != 0x80 ? 1 : 0;
    }
    return columns;
}

size_t ColumnsOf(const char *text)
{
    return columns_of(text, strlen(text));
}

size_t ColumnsMore(size_t left, size_t right)
{
    return left > right ? left : right;
}

size_t ColumnsLess(size_t left, size_t right)
{
    return left < right ? left : right;
}

void ColumnsBlanks(size_t count, FILE *out)
{
    fprintf(out, "%*s", (int) count, "");
}

void ColumnsCell(const char *text, size_t width, FILE *out)
{
    size_t columns = ColumnsOf(text);

    PlainPut(out, text);
    ColumnsBlanks((columns < width ? width - columns : 0) + 2, out);
}

/*
 * Words of a paragraph in lines up to `width`; the first line goes on at `indent`, where the cursor
 * is, further ones start there. Returns what follows the paragraph.
 */
static const char *print_paragraph(const char *text, size_t indent, size_t width, FILE *out)
{
    size_t column = indent;
    bool first = true;

    while (*text != '\0' && strncmp(text, "\n\n", 2) != 0) {
        size_t length = strcspn(text, " \n");
        size_t columns = columns_of(text, length);

        if (length == 0) {
            text++;
            continue;
        }
        if (!first && column + 1 + columns > width) {
            fputc('\n', out);
            ColumnsBlanks(indent, out);
            column = indent;
            first = true;
        }
        fprintf(out, "%s%.*s", first ? "" : " ", (int) length, text);
        column += columns + (first ? 0 : 1);
        first = false;
        text += length;
    }
    fputc('\n', out);
    return text + strspn(text, "\n");
}

void ColumnsTextWithin(const char *text, size_t indent, size_t width, FILE *out)
{
    text += strspn(text, "\n ");
    for (;;) {
        text = print_paragraph(text, indent, width, out);
        if (*text == '\0') {
            return;
        }
        fputc('\n', out);
        ColumnsBlanks(indent, out);
    }
}

void ColumnsText(const char *text, size_t indent, FILE *out)
{
    ColumnsTextWithin(text, indent, WIDTH, out);
}

char *ColumnsPrint(const char *format, ...)
{
    char *text = NULL;
    va_list list;
    int length;

    va_start(list, format);
    length = vasprintf(&text, format, list);
    va_end(list);
    return length < 0 ? NULL : text;
}

const char *ColumnsOr(const char *text, const char *otherwise)
{
    return text != NULL && *text != '\0' ? text : otherwise;
}

void ColumnsItem(const char *name, size_t width, const char *details, const char *summary,
                 FILE *out)
{
    ColumnsBlanks(COLUMNS_INDENT, out);
    ColumnsCell(name, width, out);
    ColumnsText(details, COLUMNS_INDENT + width + 2, out);
    if (summary != NULL && *summary != '\0') {
        ColumnsBlanks(COLUMNS_INDENT + width + 2, out);
        ColumnsText(summary, COLUMNS_INDENT + width + 2, out);
    }
}
