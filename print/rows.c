/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of an answer as text, CSV and JSON. Tested by tests/cli/test_query.sh. */
#include "rows.h"

#include "table.h"

#include <opprof/plugin.h>
#include <opprof/print.h>
#include <opprof/text.h>

#include <inttypes.h>
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

/* A member after the first one. An absent text is null. */
static OpprofStatus print_member(const char *name, const char *text, FILE *out, OpprofError **error)
{
    fprintf(out, ", \"%s\": ", name);
    if (text == NULL) {
        fputs("null", out);
        return OPPROF_OK;
    }
    return print_json_text(text, strlen(text), out, error);
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

static const OpprofField *field_of(const OpprofRecordType *type, const char *name)
{
    for (uint32_t f = 0; type != NULL && f < type->field_count; f++) {
        if (strcmp(OpprofResultsFieldName(&type->fields[f]), name) == 0) {
            return &type->fields[f];
        }
    }
    return NULL;
}

static OpprofStatus print_column(const OpprofField *field, const char *name, FILE *out,
                                 OpprofError **error)
{
    const struct {
        const char *name;
        const char *text;
    } members[] = { { "heading", field == NULL ? NULL : OpprofFieldHeading(field) },
                    { "kind", field == NULL ? NULL : OpprofFieldKindName(field->kind) },
                    { "unit", field == NULL ? NULL : field->unit },
                    { "meaning", field == NULL ? NULL : field->meaning } };
    OpprofStatus status;

    fputs("{\"name\": ", out);
    status = print_json_text(name, strlen(name), out, error);
    for (size_t i = 0; status == OPPROF_OK && i < OPPROF_COUNT(members); i++) {
        status = print_member(members[i].name, members[i].text, out, error);
    }
    fputs("}", out);
    return status;
}

static OpprofStatus print_head(const RowsAnswer *answer, OpprofResultsRows *rows, FILE *out,
                               OpprofError **error)
{
    OpprofStatus status;

    fputs("{\"opprof_query\": \"1.0\"", out);
    status = print_member("table", answer->name, out, error);
    if (status == OPPROF_OK) {
        status = print_member("title", answer->title, out, error);
    }
    fputs(",\n \"columns\": [", out);
    for (int c = 0; status == OPPROF_OK && c < OpprofResultsColumnCount(rows); c++) {
        const char *name = OpprofResultsColumnName(rows, c);

        fputs(c == 0 ? "\n  " : ",\n  ", out);
        status = name == NULL ? no_memory(error)
                              : print_column(field_of(answer->type, name), name, out, error);
    }
    fputs("],\n \"rows\": [", out);
    return status;
}

static OpprofStatus print_row(OpprofResultsRows *rows, FILE *out, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    for (int c = 0; status == OPPROF_OK && c < OpprofResultsColumnCount(rows); c++) {
        fputs(c == 0 ? "[" : ", ", out);
        status = print_json_value(rows, c, out, error);
    }
    fputs("]", out);
    return status;
}

static void print_tail(const RowsAnswer *answer, int64_t printed, FILE *out)
{
    fprintf(out, "],\n \"size\": %" PRIi64, answer->size < 0 ? printed : answer->size);
    if (answer->limit > 0) {
        fprintf(out, ", \"page\": %" PRIu64 ", \"limit\": %" PRIu64 "}\n",
                answer->page == 0 ? 1 : answer->page, answer->limit);
    } else {
        fputs(", \"page\": null, \"limit\": null}\n", out);
    }
}

OpprofStatus RowsPrintJson(const RowsAnswer *answer, OpprofResultsRows *rows, FILE *out,
                           OpprofError **error)
{
    OpprofStatus status = print_head(answer, rows, out, error);
    int64_t printed = 0;

    while (status == OPPROF_OK && (status = OpprofResultsNext(rows, error)) == OPPROF_OK) {
        fputs(printed++ == 0 ? "\n  " : ",\n  ", out);
        status = print_row(rows, out, error);
    }
    print_tail(answer, printed, out);
    return status == OPPROF_END ? OPPROF_OK : status;
}
