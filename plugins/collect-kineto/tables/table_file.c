/* SPDX-License-Identifier: Apache-2.0 */
/* Reads files of tables. Tested by tests/plugins/collect-kineto/test_ascend_tables.sh. */
#include "collect-kineto/tables/table_file.h"

#include "collect-kineto/tables/communication.h"
#include "collect-kineto/text/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_LEARNT 64u /* from which it is learnt what a further column holds */

static bool is_absent(const OpprofCsvCell *cell)
{
    return cell->length == 0 || strcmp(cell->text, "N/A") == 0 || strcmp(cell->text, "-") == 0;
}

/* ---- the heading ---- */

static bool set_problem(TableFile *file, const char *what)
{
    free(file->problem);
    file->problem = strdup(what);
    return file->problem != NULL;
}

/* Field of a heading, plus 1; 0 without memory. */
static uint32_t find_field(TableFile *file, const char *heading)
{
    const TableKind *kind = file->table->kind;
    size_t more;

    for (uint32_t i = 0; i < kind->column_count; i++) {
        if (TableColumnFits(&kind->columns[i], heading)) {
            return 2 + i;
        }
    }
    more = TableTypeAdd(file->table, heading);
    return more == SIZE_MAX ? 0 : 2 + kind->column_count + (uint32_t) more;
}

static bool has_field(const TableFile *file, uint32_t field)
{
    for (size_t i = 0; i < file->cells; i++) {
        if (file->of_cell[i] == field + 1) {
            return true;
        }
    }
    return false;
}

/* A file without the columns that its kind cannot be without is another one. */
static bool check_needed(TableFile *file)
{
    const TableKind *kind = file->table->kind;

    for (uint32_t i = 0; i < kind->column_count; i++) {
        if (kind->columns[i].is_needed && !has_field(file, 1 + i)) {
            char what[160];

            snprintf(what, sizeof what, "its heading has no column '%.*s'",
                     (int) strcspn(kind->columns[i].headings, "|"), kind->columns[i].headings);
            return set_problem(file, what);
        }
    }
    return true;
}

static bool read_heading(TableFile *file)
{
    switch (OpprofCsvNext(&file->rows)) {
    case OPPROF_CSV_ROW:
        break;
    case OPPROF_CSV_CUT:
        return set_problem(file, "it ends in its heading");
    case OPPROF_CSV_END:
        return set_problem(file, "it is empty");
    case OPPROF_CSV_BROKEN:
        return set_problem(file, "its heading cannot be read");
    case OPPROF_CSV_NO_MEMORY:
    case OPPROF_CSV_WAIT: /* a file never says so */
    default:
        return false;
    }
    OpprofCsvCell *first = &file->rows.cells[0];
    if (first->length >= 3 && memcmp(first->text, "\xef\xbb\xbf", 3) == 0) { /* a byte-order mark */
        first->text += 3;
        first->length -= 3;
    }
    file->cells = file->rows.count;
    for (size_t i = 0; i < file->cells; i++) {
        const char *heading = file->rows.cells[i].text;

        if (*heading == '\0') {
            continue;
        }
        const uint32_t field = find_field(file, heading);
        if (field == 0) {
            return false;
        }
        file->of_cell[i] = has_field(file, field - 1) ? 0 : field;
    }
    return check_needed(file);
}

/* The rows of a document as a source, instead of its own. NULL without memory. */
static Source *read_document(TableFile *file, Source *source)
{
    const CommunicationText text = CommunicationRead(source, (TableForm) file->table->kind->form);
    const char *why = SourceProblem(source);

    file->made = text.csv;
    snprintf(file->damage, sizeof file->damage, "%s", why == NULL ? text.problem : why);
    SourceClose(source);
    return text.csv == NULL ? NULL : SourceOpenMemory(text.csv, text.length);
}

static size_t read_source(void *context, char *out, size_t size)
{
    return SourceRead(context, out, size);
}

OpprofStatus TableFileOpen(TableFile *file, TableType *table, const char *path, OpprofError **error)
{
    Source *source = NULL;
    OpprofError *why = NULL;
    OpprofStatus status = SourceOpen(path, &source, &why);

    memset(file, 0, sizeof *file);
    file->table = table;
    file->path = path;
    if (status == OPPROF_E_MEMORY) {
        OpprofErrorPass(error, why);
        return status;
    }
    if (status != OPPROF_OK) {
        const bool is_good = set_problem(file, OpprofErrorLine(why));
        OpprofErrorDestroy(why);
        return is_good ? OPPROF_OK : OpprofErrorNoMemory(error, "read '%s'", path);
    }
    if (table->kind->form != TABLE_CSV) {
        source = read_document(file, source);
    }
    if (source != NULL) {
        file->source = source;
        OpprofCsvBegin(&file->rows, read_source, source);
    }
    if (source == NULL || !read_heading(file)) {
        TableFileClose(file);
        return OpprofErrorNoMemory(error, "read '%s'", path);
    }
    return OPPROF_OK;
}

bool TableFileLearn(TableFile *file)
{
    const uint32_t known = 1 + file->table->kind->column_count;
    OpprofCsvResult result = OPPROF_CSV_ROW;

    for (unsigned row = 0; row < ROWS_LEARNT && file->problem == NULL &&
                           ((result = OpprofCsvNext(&file->rows)) == OPPROF_CSV_ROW);
         row++) {
        for (size_t i = 0; i < file->rows.count && i < file->cells; i++) {
            const OpprofCsvCell *cell = &file->rows.cells[i];
            double unused;

            if (file->of_cell[i] > known && !is_absent(cell)) {
                TableMore *more = &file->table->more[file->of_cell[i] - 1 - known];

                more->is_known = true;
                more->is_number &= NumberDouble(cell->text, cell->length, &unused);
            }
        }
    }
    return result != OPPROF_CSV_NO_MEMORY;
}

/* ---- rows ---- */

static void note(TableLoss *loss, uint64_t line)
{
    loss->line = loss->count++ == 0 ? line : loss->line;
}

static void put_absent(char *at, uint32_t kind)
{
    const uint64_t nan_bits = OPPROF_NA_F64_BITS;
    const int64_t none = OPPROF_NA_I64;
    const OpprofText text = { OPPROF_NA_U32, 0 };

    memset(at, 0, TABLE_CELL); /* an absent string */
    if (kind == OPPROF_FIELD_F64) {
        memcpy(at, &nan_bits, sizeof nan_bits);
    } else if (kind == OPPROF_FIELD_I64) {
        memcpy(at, &none, sizeof none);
    } else if (kind == OPPROF_FIELD_TEXT) {
        memcpy(at, &text, sizeof text);
    }
}

/* A whole number, perhaps written with a fraction of zeros. */
static bool read_integer(const OpprofCsvCell *cell, int64_t *ret_value)
{
    double real;

    if (NumberInteger(cell->text, cell->length, ret_value)) {
        return true;
    }
    if (!NumberDouble(cell->text, cell->length, &real) || !(real > -9e15 && real < 9e15) ||
        real != (double) (int64_t) real) {
        return false;
    }
    *ret_value = (int64_t) real;
    return true;
}

static CellKind kind_of_cell(const TableFile *file, uint32_t field)
{
    const TableKind *kind = file->table->kind;

    if (field <= kind->column_count) {
        return (CellKind) kind->columns[field - 1].kind;
    }
    return file->table->fields[field].kind == OPPROF_FIELD_F64 ? CELL_NUMBER : CELL_TEXT;
}

/* False: it is not a number where one is due. */
static bool put_number(char *at, CellKind kind, const OpprofCsvCell *cell)
{
    int64_t whole;
    double real;

    if (kind == CELL_NUMBER) {
        if (!NumberDouble(cell->text, cell->length, &real)) {
            return false;
        }
        memcpy(at, &real, sizeof real);
        return true;
    }
    if (kind == CELL_TIME ? !NumberNanoseconds(cell->text, cell->length, &whole)
                          : !read_integer(cell, &whole)) {
        return false;
    }
    memcpy(at, &whole, sizeof whole);
    return true;
}

/* The pair of quotes of shapes is a part of their cell. */
static OpprofCsvCell bare_shapes(const OpprofCsvCell *cell)
{
    const bool is_quoted =
        cell->length >= 2 && cell->text[0] == '"' && cell->text[cell->length - 1] == '"';

    return is_quoted ? (OpprofCsvCell){ cell->text + 1, cell->length - 2 } : *cell;
}

static bool put_text(OpprofStage *stage, OpprofBatch *batch, char *at, CellKind kind,
                     const OpprofCsvCell *cell)
{
    OpprofText text;

    if (kind == CELL_WORD) {
        const uint32_t id = OpprofStageIntern(stage, cell->text, cell->length);

        memcpy(at, &id, sizeof id);
        return id != OPPROF_NA_STRING;
    }
    if (OpprofBatchAppendText(batch, cell->text, cell->length, &text) != OPPROF_OK) {
        return false;
    }
    memcpy(at, &text, sizeof text);
    return true;
}

/* False without memory. */
static bool put_cell(TableFile *file, OpprofStage *stage, OpprofBatch *batch, char *record,
                     size_t index)
{
    const uint32_t field = file->of_cell[index] - 1;
    const CellKind kind = kind_of_cell(file, field);
    const OpprofCsvCell cell =
        kind == CELL_SHAPES ? bare_shapes(&file->rows.cells[index]) : file->rows.cells[index];
    char *at = record + (size_t) field * TABLE_CELL;

    if (is_absent(&cell)) {
        return true;
    }
    if (kind == CELL_TEXT || kind == CELL_WORD || kind == CELL_SHAPES) {
        return put_text(stage, batch, at, kind, &cell);
    }
    if (!put_number(at, kind, &cell)) {
        file->odd_field = file->odd.count == 0 ? field : file->odd_field;
        note(&file->odd, file->rows.line);
    }
    return true;
}

static bool put_row(TableFile *file, OpprofStage *stage, OpprofBatch *batch)
{
    const OpprofRecordType *type = &file->table->type;
    const TableKind *kind = file->table->kind;
    char *record = OpprofBatchAppend(batch);
    bool is_good = record != NULL;

    for (uint32_t f = 0; is_good && f < type->field_count; f++) {
        char *at = record + type->fields[f].offset;

        put_absent(at, type->fields[f].kind);
        if (f == 0 || (f <= kind->column_count && kind->columns[f - 1].kind == CELL_RANK)) {
            memcpy(at, &file->rank, sizeof file->rank);
        }
    }
    for (size_t i = 0; i < file->cells && is_good; i++) {
        is_good = file->of_cell[i] == 0 || put_cell(file, stage, batch, record, i);
    }
    file->count += is_good;
    return is_good;
}

/* A row that is not empty. */
static bool has_cells(const OpprofCsv *rows)
{
    return rows->count > 1 || rows->cells[0].length > 0;
}

OpprofStatus TableFileFill(TableFile *file, OpprofStage *stage, OpprofBatch *batch,
                           OpprofError **error)
{
    while (batch->count < batch->capacity && file->problem == NULL) {
        switch (OpprofCsvNext(&file->rows)) {
        case OPPROF_CSV_ROW:
            if (file->rows.count != file->cells) {
                if (has_cells(&file->rows)) {
                    note(&file->broken, file->rows.line);
                }
            } else if (!put_row(file, stage, batch)) {
                return OpprofErrorNoMemory(error, "read '%s'", file->path);
            }
            break;
        case OPPROF_CSV_BROKEN:
            note(&file->broken, file->rows.line);
            break;
        case OPPROF_CSV_CUT:
            file->is_cut = true;
            return OPPROF_END;
        case OPPROF_CSV_END:
            return OPPROF_END;
        case OPPROF_CSV_NO_MEMORY:
        case OPPROF_CSV_WAIT:
        default:
            return OpprofErrorNoMemory(error, "read '%s'", file->path);
        }
    }
    return file->problem == NULL ? OPPROF_OK : OPPROF_END;
}

void TableFileReport(const TableFile *file, OpprofStage *stage)
{
    const char *damage = file->problem == NULL ? SourceProblem(file->source) : NULL;

    damage = file->damage[0] == '\0' ? damage : file->damage;
    if (file->problem != NULL) {
        OpprofStageIncomplete(stage, "Table '%s' was left out: %s", file->path, file->problem);
    }
    if (damage != NULL) {
        OpprofStageIncomplete(stage, "Table '%s': %s; the rows before it are read", file->path,
                              damage);
    } else if (file->is_cut) {
        OpprofStageIncomplete(
            stage, "Table '%s' ends in the middle of line %" PRIu64 ", which is left out",
            file->path, file->rows.line);
    }
    if (file->broken.count > 0) {
        OpprofStageIncomplete(stage,
                              "Table '%s': %" PRIu64
                              " row(s) that cannot be read or have other columns than the heading "
                              "are left out, the first in line %" PRIu64,
                              file->path, file->broken.count, file->broken.line);
    }
    if (file->odd.count > 0) {
        OpprofStageIncomplete(
            stage,
            "Table '%s': %" PRIu64 " cell(s) are not a number where one is due, the first in line "
            "%" PRIu64 ", column '%s'",
            file->path, file->odd.count, file->odd.line, file->table->fields[file->odd_field].name);
    }
}

void TableFileClose(TableFile *file)
{
    SourceClose(file->source);
    OpprofCsvFinish(&file->rows);
    free(file->made);
    free(file->problem);
    memset(file, 0, sizeof *file);
}
