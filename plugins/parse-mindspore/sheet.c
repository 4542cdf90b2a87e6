/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CSV files by their headings. Tested by tests/plugins/collect-mindspore/test_parsed.sh.
 */
#include "parse-mindspore/sheet.h"
#include "parse-mindspore/fields.h"
#include "parse-mindspore/types.h"

#include <inttypes.h>
#include <jansson.h>
#include <opprof/grow.h>
#include <opprof/json.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define RECORD_MOST 256u /* bytes of a record */

static size_t read_bytes(void *context, char *out, size_t size)
{
    Sheet *sheet = context;
    const size_t length = sheet->left < size ? sheet->left : size;

    if (length == 0) {
        return sheet->is_last ? 0 : OPPROF_CSV_LATER;
    }
    memcpy(out, sheet->bytes, length);
    sheet->bytes += length;
    sheet->left -= length;
    return length;
}

/* ---- cells ---- */

static bool is_absent(const OpprofCsvCell *cell)
{
    return cell->length == 0 || strcmp(cell->text, "-") == 0 || strcmp(cell->text, "N/A") == 0;
}

bool SheetDigits(const Sheet *sheet, size_t cell, uint64_t *ret_value)
{
    const Field field = { sheet->csv.cells[cell].text, sheet->csv.cells[cell].length };

    return FieldNumber(&field, ret_value);
}

static bool read_double(const OpprofCsvCell *cell, double *ret_value)
{
    json_t *value = OpprofJsonValue(cell->text, cell->length, JSON_DECODE_ANY);
    const bool is_number = json_is_number(value);

    *ret_value = json_number_value(value);
    json_decref(value);
    return is_number;
}

const OpprofCsvCell *SheetCell(const Sheet *sheet, uint32_t column)
{
    for (size_t i = 0; i < sheet->count; i++) {
        if (sheet->of_cell[i] == column + 1) {
            return is_absent(&sheet->csv.cells[i]) ? NULL : &sheet->csv.cells[i];
        }
    }
    return NULL;
}

bool SheetDouble(Log *log, uint32_t column, double *ret_value)
{
    const OpprofCsvCell *cell = SheetCell(log->sheet, column);

    if (cell != NULL && !read_double(cell, ret_value)) {
        LogNote(log, &log->odd, 1);
        return false;
    }
    return cell != NULL;
}

/* A whole number, perhaps with a fraction of zeros. */
static bool read_whole(const OpprofCsvCell *cell, uint64_t most, uint64_t *ret_value)
{
    const Field field = { cell->text, cell->length };
    double real;

    if (FieldNumber(&field, ret_value)) {
        return *ret_value < most;
    }
    if (!read_double(cell, &real) || !(real >= 0 && real < 9e15) ||
        real != (double) (uint64_t) real) {
        return false;
    }
    *ret_value = (uint64_t) real;
    return *ret_value < most;
}

/* False: it is no number where one is due. */
static bool put_number(const Device *device, const SheetColumn *column, const OpprofCsvCell *cell,
                       char *at)
{
    uint64_t whole;
    double real;

    if (column->kind == OPPROF_FIELD_F64) {
        if (!read_double(cell, &real)) {
            return false;
        }
        real = column->scale < 0   ? real / device->ticks_a_us
               : column->scale > 0 ? real * column->scale
                                   : real;
        memcpy(at, &real, sizeof real);
        return true;
    }
    if (!read_whole(cell, column->kind == OPPROF_FIELD_U32 ? UINT32_MAX : UINT64_MAX, &whole)) {
        return false;
    }
    if (column->kind == OPPROF_FIELD_U32) {
        memcpy(at, &(uint32_t){ (uint32_t) whole }, sizeof(uint32_t));
    } else {
        memcpy(at, &whole, sizeof whole);
    }
    return true;
}

static OpprofStatus put_cell(Device *device, Log *log, const SheetColumn *column,
                             const OpprofCsvCell *cell, char *record)
{
    char *at = record + column->offset;
    OpprofText text;
    uint32_t id;

    if (is_absent(cell)) {
        return OPPROF_OK;
    }
    if (column->kind == OPPROF_FIELD_STRING) {
        id = DeviceIntern(device, cell->text, cell->length);
        memcpy(at, &id, sizeof id);
        return id == OPPROF_NA_STRING ? OPPROF_E_MEMORY : OPPROF_OK;
    }
    if (column->kind == OPPROF_FIELD_TEXT) {
        const OpprofStatus status = OpprofStageText(device->stage, log->format->sheet->port,
                                                    device->id, cell->text, cell->length, &text);

        memcpy(at, &text, sizeof text);
        return status;
    }
    if (!put_number(device, column, cell, at)) {
        LogNote(log, &log->odd, 1);
    }
    return OPPROF_OK;
}

/* ---- rows ---- */

static OpprofStatus take_row(Device *device, Log *log)
{
    const SheetKind *kind = log->format->sheet;
    const OpprofRecordType *type = port_types[kind->port];
    const Sheet *sheet = log->sheet;
    char record[RECORD_MOST] __attribute__((aligned(8)));
    OpprofStatus status = OPPROF_OK;

    if (kind->take != NULL) {
        return kind->take(device, log);
    }
    TypeClear(type, record, device->id);
    for (size_t i = 0; i < sheet->count && status == OPPROF_OK; i++) {
        if (sheet->of_cell[i] > 0) {
            status = put_cell(device, log, &kind->columns[sheet->of_cell[i] - 1],
                              &sheet->csv.cells[i], record);
        }
    }
    if (status != OPPROF_OK || (kind->finish != NULL && !kind->finish(device, record))) {
        return status;
    }
    status = OpprofStageAppend(device->stage, kind->port, device->id, record);
    return status == OPPROF_OK && kind->after != NULL ? kind->after(device, log, record) : status;
}

/* ---- the heading ---- */

static bool fits(const char *headings, const char *heading)
{
    const size_t length = strlen(heading);

    for (const char *at = headings;; at++) {
        const size_t part = strcspn(at, "|");

        if (part == length && strncasecmp(at, heading, length) == 0) {
            return true;
        }
        at += part;
        if (*at == '\0') {
            return false;
        }
    }
}

/* A file that lacks a needed column is another one. */
static void check_needed(Device *device, Log *log)
{
    const SheetKind *kind = log->format->sheet;

    for (uint32_t c = 0; c < kind->column_count && !log->sheet->is_other; c++) {
        bool is_there = !kind->columns[c].is_needed;

        for (size_t i = 0; i < log->sheet->count && !is_there; i++) {
            is_there = log->sheet->of_cell[i] == c + 1;
        }
        if (!is_there) {
            log->sheet->is_other = true;
            OpprofStageIncomplete(
                device->stage, "'%s' is left out: its heading has no column '%.*s'", log->file,
                (int) strcspn(kind->columns[c].headings, "|"), kind->columns[c].headings);
        }
    }
}

static OpprofStatus take_heading(Device *device, Log *log)
{
    const SheetKind *kind = log->format->sheet;
    Sheet *sheet = log->sheet;

    sheet->has_heading = true;
    sheet->headings = calloc(sheet->csv.count, sizeof *sheet->headings);
    for (size_t i = 0; i < sheet->csv.count; i++) {
        const char *text = sheet->csv.cells[i].text;

        text += i == 0 && strncmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; /* a byte-order mark */
        if (sheet->headings == NULL || (sheet->headings[i] = strdup(text)) == NULL) {
            return OPPROF_E_MEMORY;
        }
        sheet->count = i + 1;
        for (uint32_t c = 0; c < kind->column_count && sheet->of_cell[i] == 0; c++) {
            sheet->of_cell[i] = fits(kind->columns[c].headings, text) ? c + 1 : 0;
        }
    }
    check_needed(device, log);
    return OPPROF_OK;
}

/* ---- files ---- */

static OpprofStatus take_line(Device *device, Log *log)
{
    Sheet *sheet = log->sheet;

    if (!sheet->has_heading) {
        return take_heading(device, log);
    }
    if (sheet->csv.count == 1 && sheet->csv.cells[0].length == 0) {
        return OPPROF_OK; /* an empty line */
    }
    if (sheet->csv.count != sheet->count) {
        LogNote(log, &log->odd, 1);
        return OPPROF_OK;
    }
    if (!SheetCheckRow(log)) {
        return OPPROF_E_MEMORY;
    }
    return take_row(device, log);
}

static OpprofStatus take_lines(Device *device, Log *log)
{
    OpprofStatus status = OPPROF_OK;

    while (status == OPPROF_OK && !log->sheet->is_other) {
        const OpprofCsvResult result = OpprofCsvNext(&log->sheet->csv);

        log->records = log->sheet->csv.line;
        if (result == OPPROF_CSV_ROW) {
            status = take_line(device, log);
        } else if (result == OPPROF_CSV_BROKEN) {
            LogNote(log, &log->odd, 1);
        } else if (result == OPPROF_CSV_CUT) {
            OpprofStageIncomplete(device->stage,
                                  "'%s' ends in the middle of line %" PRIu64 ", which is left out",
                                  log->file, log->sheet->csv.line);
            return OPPROF_OK;
        } else {
            return result == OPPROF_CSV_NO_MEMORY ? OPPROF_E_MEMORY : OPPROF_OK;
        }
    }
    return status;
}

OpprofStatus SheetFeed(Device *device, const unsigned char *bytes, size_t length)
{
    Log *log = &device->log;

    if (log->sheet == NULL) {
        log->sheet = calloc(1, sizeof *log->sheet);
        if (log->sheet == NULL) {
            return OPPROF_E_MEMORY;
        }
        OpprofCsvBegin(&log->sheet->csv, read_bytes, log->sheet);
    }
    log->sheet->bytes = bytes;
    log->sheet->left = length;
    return take_lines(device, log);
}

OpprofStatus SheetEnd(Device *device)
{
    Log *log = &device->log;

    if (log->sheet == NULL) {
        return OPPROF_OK;
    }
    log->sheet->is_last = true;
    log->sheet->left = 0;
    return take_lines(device, log);
}

void SheetFinish(Log *log)
{
    Sheet *sheet = log->sheet;

    if (sheet != NULL) {
        for (size_t i = 0; i < sheet->count; i++) {
            free(sheet->headings[i]);
        }
        free(sheet->headings);
        OpprofCsvFinish(&sheet->csv);
        OpprofMapFinish(&sheet->rows);
        OpprofMapFinish(&sheet->ids);
        free(sheet);
        log->sheet = NULL;
    }
}
