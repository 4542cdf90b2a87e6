/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of an answer as text, CSV and JSON. Tested by tests/cli/test_query.sh. */
#include "rows.h"

#include "table.h"

#include <opprof/text.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "print the answer");
}

static bool is_number(OpprofResultsRows *rows, int column)
{
    return isfinite(OpprofResultsReal(rows, column));
}

/* ---- text ---- */

static OpprofStatus add_row(Table *table, OpprofResultsRows *rows, OpprofError **error)
{
    for (size_t c = 0; c < table->columns; c++) {
        const char *text = OpprofResultsText(rows, (int) c, NULL);

        if ((text != NULL && !is_number(rows, (int) c) && !TableAlignLeft(table, c)) ||
            !TableAdd(table, text)) {
            return no_memory(error);
        }
    }
    return OPPROF_OK;
}

static OpprofStatus gather(Table *table, OpprofResultsRows *rows, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    for (size_t c = 0; status == OPPROF_OK && c < table->columns; c++) {
        const char *name = OpprofResultsColumnName(rows, (int) c);

        status = name != NULL && TableAdd(table, name) ? OPPROF_OK : no_memory(error);
    }
    while (status == OPPROF_OK && (status = OpprofResultsNext(rows, error)) == OPPROF_OK) {
        status = add_row(table, rows, error);
    }
    return status == OPPROF_END ? OPPROF_OK : status;
}

OpprofStatus RowsPrintText(OpprofResultsRows *rows, FILE *out, OpprofError **error)
{
    Table table = { .columns = (size_t) OpprofResultsColumnCount(rows) };
    const OpprofStatus status = gather(&table, rows, error);

    if (status == OPPROF_OK) {
        TablePrint(&table, out);
    }
    TableFinish(&table);
    return status;
}

/* ---- CSV ---- */

/* A text that a spreadsheet would run as a formula gets an apostrophe, as in the CSV files of a
 * run. */
static void print_csv(const char *text, bool is_text, FILE *out)
{
    const bool is_formula = is_text && *text != '\0' && strchr("=+-@", *text) != NULL;
    const bool is_quoted = strpbrk(text, ",\"\r\n") != NULL;

    fputs(is_quoted ? "\"" : "", out);
    fputs(is_formula ? "'" : "", out);
    for (; *text != '\0'; text++) {
        fputs(*text == '"' ? "\"" : "", out);
        fputc(*text, out);
    }
    fputs(is_quoted ? "\"" : "", out);
}

OpprofStatus RowsPrintCsv(OpprofResultsRows *rows, FILE *out, OpprofError **error)
{
    const int columns = OpprofResultsColumnCount(rows);
    OpprofStatus status = OPPROF_OK;

    for (int c = 0; c < columns; c++) {
        const char *name = OpprofResultsColumnName(rows, c);

        print_csv(name == NULL ? "" : name, true, out);
        fputc(c + 1 == columns ? '\n' : ',', out);
    }
    while ((status = OpprofResultsNext(rows, error)) == OPPROF_OK) {
        for (int c = 0; c < columns; c++) {
            const char *text = OpprofResultsText(rows, c, NULL);

            print_csv(text == NULL ? "NA" : text, text != NULL && !is_number(rows, c), out);
            fputc(c + 1 == columns ? '\n' : ',', out);
        }
    }
    return status == OPPROF_END ? OPPROF_OK : status;
}

/* ---- JSON ---- */

static OpprofStatus print_json_text(const char *text, size_t length, FILE *out, OpprofError **error)
{
    char *room = malloc(OPPROF_TEXT_JSON_ROOM(length));

    if (room == NULL) {
        return no_memory(error);
    }
    fwrite(room, 1, (size_t) (OpprofTextPutJson(room, text, length) - room), out);
    free(room);
    return OPPROF_OK;
}

static OpprofStatus print_json_value(OpprofResultsRows *rows, int column, FILE *out,
                                     OpprofError **error)
{
    size_t length;
    const char *text = OpprofResultsText(rows, column, &length);

    if (text == NULL || is_number(rows, column)) {
        fputs(text == NULL ? "null" : text, out);
        return OPPROF_OK;
    }
    return print_json_text(text, length, out, error);
}

static OpprofStatus print_object(OpprofResultsRows *rows, FILE *out, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    for (int c = 0; status == OPPROF_OK && c < OpprofResultsColumnCount(rows); c++) {
        const char *name = OpprofResultsColumnName(rows, c);

        fputs(c == 0 ? "{ " : ", ", out);
        status = name == NULL ? no_memory(error) : print_json_text(name, strlen(name), out, error);
        fputs(": ", out);
        if (status == OPPROF_OK) {
            status = print_json_value(rows, c, out, error);
        }
    }
    fputs(" }", out);
    return status;
}

OpprofStatus RowsPrintJson(OpprofResultsRows *rows, FILE *out, OpprofError **error)
{
    const char *before = "[\n  ";
    OpprofStatus status;

    while ((status = OpprofResultsNext(rows, error)) == OPPROF_OK) {
        fputs(before, out);
        before = ",\n  ";
        status = print_object(rows, out, error);
        if (status != OPPROF_OK) {
            return status;
        }
    }
    fputs(*before == '[' ? "[]\n" : "\n]\n", out);
    return status == OPPROF_END ? OPPROF_OK : status;
}
