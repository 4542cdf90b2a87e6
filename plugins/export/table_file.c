/* SPDX-License-Identifier: Apache-2.0 */
/* Names the file of a table. Tested by tests/plugins/export/test_csv. */
#include "table_file.h"

#include <math.h>
#include <opprof/print.h>
#include <opprof/text.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUFFIX ".csv"
#define NOT_AVAILABLE "NA"
#define TEXT_STEP (256u << 10) /* bytes of a text that are written at once */
#define TEXT_CHARACTER 8u /* bytes by which a step may end later: its last character, and a quote */

/* ---- paths ---- */

/* A value as part of one name of a path. */
static void put_name(FILE *out, const char *value)
{
    if (value[0] == '\0' || value[0] == '.') {
        fputc('_', out); /* neither an empty nor a hidden name, nor ".." */
    }
    for (const char *at = value + (value[0] == '.'); *at != '\0';) {
        bool plain;
        const size_t taken = OpprofTextNext(at, strlen(at), &plain);
        const bool is_letter = plain || (taken == 1 && (unsigned char) *at >= 0xa0);

        if (is_letter && *at != '/' && *at != '\\') {
            fwrite(at, 1, taken, out);
        } else {
            fputc('_', out);
        }
        at += taken;
    }
}

/* False when the value is absent. */
static bool put_placeholder(FILE *out, const OpprofStage *stage, const OpprofRecordType *type,
                            const void *record, const char *name, size_t length)
{
    const OpprofField *field = OpprofFieldFind(type, name, length);

    if (field == NULL || field->kind != OPPROF_FIELD_STRING) {
        fprintf(out, "_%.*s_", (int) length, name);
        return true;
    }
    if (OpprofLoadU32((const char *) record + field->offset) == OPPROF_NA_STRING) {
        return false;
    }
    put_name(out, OpprofStageString(stage, OpprofLoadU32((const char *) record + field->offset)));
    return true;
}

char *TableFilePath(const OpprofStage *stage, const OpprofRecordType *type, const void *record)
{
    const char *at = type->file_hint != NULL ? type->file_hint : type->name;
    char *path = NULL;
    size_t size = 0;
    FILE *out = OpprofTextOpen(&path, &size);

    if (out == NULL) {
        return NULL;
    }
    while (*at != '\0') {
        const char *end = *at == '<' ? strchr(at, '>') : NULL;

        if (end == NULL) {
            fputc(*at++, out);
            continue;
        }
        bool is_there = put_placeholder(out, stage, type, record, at + 1, (size_t) (end - at - 1));
        at = end + 1 + (!is_there && end[1] == '/');
    }
    fputs(SUFFIX, out);
    return fclose(out) == 0 ? path : NULL;
}

/* ---- cells ---- */

static OpprofStatus write_failed(OpprofOutputFile *file, OpprofError **error)
{
    OpprofStatus status = OpprofOutputFileWrite(file, "", 0, error);

    return status != OPPROF_OK
               ? status
               : OpprofErrorNoMemory(error, "write '%s'", OpprofOutputFilePath(file));
}

/* Changes to a text before it is a cell. */
typedef struct CellNeeds {
    bool quotes;
    bool taming; /* it contains bytes that must not be written unchanged */
} CellNeeds;

static CellNeeds needs_of(const char *text, size_t length)
{
    CellNeeds needs = { false, false };

    for (size_t i = 0; i < length; i++) {
        const unsigned char byte = (unsigned char) text[i];

        if (byte == ',' || byte == '"' || byte == '\n' || byte == '\r') {
            needs.quotes = true;
        } else if ((byte < 0x20 && byte != '\t') || byte >= 0x7f) {
            needs.taming = true; /* perhaps: it may be a valid character of several bytes */
        }
    }
    return needs;
}

static size_t skip_digits(const char *text, size_t at, size_t length)
{
    while (at < length && text[at] >= '0' && text[at] <= '9') {
        at++;
    }
    return at;
}

/* A decimal number with a sign, such as -1.5e-3. */
static bool is_signed_number(const char *text, size_t length)
{
    size_t at = skip_digits(text, 1, length);
    bool has_digits = at > 1;

    if (at < length && text[at] == '.') {
        const size_t end = skip_digits(text, at + 1, length);
        has_digits = has_digits || end > at + 1;
        at = end;
    }
    if (has_digits && at + 1 < length && (text[at] == 'e' || text[at] == 'E')) {
        const size_t start = at + 1 + (text[at + 1] == '-' || text[at + 1] == '+');
        at = skip_digits(text, start, length);
        has_digits = at > start;
    }
    return has_digits && at == length;
}

/* Whether a spreadsheet would take the text for a formula. A sign alone or a number is not a
 * formula. */
static bool is_formula(const char *text, size_t length)
{
    if (length < 2) {
        return false;
    }
    switch (text[0]) {
    case '=':
    case '@':
    case '\t':
    case '\r':
        return true;
    case '+':
    case '-':
        return !is_signed_number(text, length);
    default:
        return false;
    }
}

/* Writes a piece of a text: unsafe bytes become '?', quotes are doubled. There is room. */
static char *put_piece(char *out, const char *text, size_t taken, bool plain)
{
    if (text[0] == '"') {
        *out++ = '"';
    }
    if (!plain && text[0] != '\n' && text[0] != '\r' && text[0] != '\t') {
        *out++ = '?';
        return out;
    }
    memcpy(out, text, taken);
    return out + taken;
}

/* *text advances by a step, which ends between characters. */
static OpprofStatus put_step(OpprofOutputFile *file, const char **text, size_t *left,
                             OpprofError **error)
{
    const size_t step = *left < TEXT_STEP ? *left : TEXT_STEP;
    char *room = OpprofOutputFileReserve(file, 2 * step + TEXT_CHARACTER);
    char *out = room;

    if (room == NULL) {
        return write_failed(file, error);
    }
    for (const char *end = *text + step; *text < end;) {
        bool plain;
        const size_t taken = OpprofTextNext(*text, *left, &plain);

        out = put_piece(out, *text, taken, plain);
        *text += taken;
        *left -= taken;
    }
    OpprofOutputFileCommit(file, (size_t) (out - room));
    return OPPROF_OK;
}

static OpprofStatus put_tamed(OpprofOutputFile *file, const char *text, size_t length,
                              const char *before, const char *after, OpprofError **error)
{
    OpprofStatus status = OpprofOutputFileWrite(file, before, strlen(before), error);

    while (status == OPPROF_OK && length > 0) {
        status = put_step(file, &text, &length, error);
    }
    return status == OPPROF_OK ? OpprofOutputFileWrite(file, after, strlen(after), error) : status;
}

/* A text that a spreadsheet would execute gets an apostrophe, which makes it a plain text. */
static OpprofStatus put_text(OpprofOutputFile *file, const char *text, size_t length,
                             bool always_quoted, OpprofError **error)
{
    const CellNeeds needs = needs_of(text, length);
    const bool quoted = always_quoted || needs.quotes;
    const bool formula = is_formula(text, length);

    if (!quoted && !formula && !needs.taming) {
        return OpprofOutputFileWrite(file, text, length, error);
    }
    return put_tamed(file, text, length,
                     quoted    ? formula ? "\"'" : "\""
                     : formula ? "'"
                               : "",
                     quoted ? "\"" : "", error);
}

/* A row that is written. */
typedef struct Row {
    OpprofOutputFile *file;
    const OpprofStage *stage;
    const OpprofBatch *batch;
    const void *record;
    bool has_cells; /* already */
} Row;

/* A cell, and the comma before it unless it is the first. */
static OpprofStatus put_cell(const Row *row, const OpprofField *field, OpprofError **error)
{
    static const char absent[] = "," NOT_AVAILABLE;
    OpprofOutputFile *file = row->file;
    const size_t skipped = row->has_cells ? 0 : 1;
    char cell[1 + OPPROF_TEXT_NUMBER] = ",";
    size_t length;
    const char *text =
        OpprofFieldPrint(row->stage, row->batch, field, row->record, cell + 1, &length);
    OpprofStatus status = OPPROF_OK;

    if (text == NULL) {
        return OpprofOutputFileWrite(file, absent + skipped, strlen(absent) - skipped, error);
    }
    if (!OpprofFieldIsText(field)) {
        return OpprofOutputFileWrite(file, cell + skipped, 1 + length - skipped, error);
    }
    if (row->has_cells) {
        status = OpprofOutputFileWrite(file, ",", 1, error);
    }
    return status == OPPROF_OK
               ? put_text(file, text, length, (field->flags & OPPROF_FIELD_QUOTED) != 0, error)
               : status;
}

static bool is_absent(const OpprofField *field, const void *record)
{
    const void *at = (const char *) record + field->offset;

    return OpprofFieldIsNa(field, at) ||
           (field->kind == OPPROF_FIELD_F64 && !isfinite(OpprofLoadF64(at)));
}

/* ---- lines ---- */

static OpprofStatus end_line(OpprofOutputFile *file, const OpprofRecordType *type,
                             OpprofError **error)
{
    return (type->flags & OPPROF_RECORD_END_COMMA) != 0
               ? OpprofOutputFileWrite(file, ",\n", 2, error)
               : OpprofOutputFileWrite(file, "\n", 1, error);
}

OpprofStatus TableFileHead(OpprofOutputFile *file, const OpprofRecordType *type,
                           OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;
    bool is_first = true;

    for (uint32_t i = 0; status == OPPROF_OK && i < type->field_count; i++) {
        const OpprofField *field = &type->fields[i];
        const char *heading = OpprofFieldHeading(field);

        if ((field->flags & OPPROF_FIELD_HIDDEN) != 0) {
            continue;
        }
        if (!is_first) {
            status = OpprofOutputFileWrite(file, ",", 1, error);
        }
        is_first = false;
        if (status == OPPROF_OK) {
            status = put_text(file, heading, strlen(heading), false, error);
        }
    }
    return status == OPPROF_OK ? end_line(file, type, error) : status;
}

/*
 * Is every cell absent, including those that name the row? Such a row stands for a table without
 * rows. In a table without row names, all values of a row may be unavailable.
 */
static bool is_empty(const OpprofRecordType *type, const void *record)
{
    bool has_names = false;

    for (uint32_t i = 0; i < type->field_count; i++) {
        const OpprofField *field = &type->fields[i];
        if ((field->flags & OPPROF_FIELD_HIDDEN) != 0) {
            continue;
        }
        if (!is_absent(field, record)) {
            return false;
        }
        has_names = has_names || (field->flags & OPPROF_FIELD_KEY) != 0;
    }
    return has_names;
}

OpprofStatus TableFileRow(OpprofOutputFile *file, const OpprofStage *stage,
                          const OpprofBatch *batch, const void *record, OpprofError **error)
{
    const OpprofRecordType *type = batch->type;
    Row row = { .file = file, .stage = stage, .batch = batch, .record = record };
    OpprofStatus status = OPPROF_OK;

    if (is_empty(type, record)) {
        return OPPROF_OK;
    }
    for (uint32_t i = 0; status == OPPROF_OK && i < type->field_count; i++) {
        if ((type->fields[i].flags & OPPROF_FIELD_HIDDEN) != 0) {
            continue;
        }
        status = put_cell(&row, &type->fields[i], error);
        row.has_cells = true;
    }
    return status == OPPROF_OK ? end_line(file, type, error) : status;
}

OpprofStatus TableFileTexts(OpprofOutputFile *file, const char *const *texts, uint32_t count,
                            OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < count; i++) {
        const char *text = texts[i] == NULL ? NOT_AVAILABLE : texts[i];
        if (i > 0) {
            status = OpprofOutputFileWrite(file, ",", 1, error);
        }
        if (status == OPPROF_OK) {
            status = put_text(file, text, strlen(text), false, error);
        }
    }
    return status == OPPROF_OK ? OpprofOutputFileWrite(file, "\n", 1, error) : status;
}
