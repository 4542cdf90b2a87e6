/* SPDX-License-Identifier: Apache-2.0 */
#include "table_file.h"

#include <math.h>
#include <opprof/print.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUFFIX ".csv"
#define NOT_AVAILABLE "NA"
#define TEXT_STEP (256u << 10) /* bytes of a text that are quoted at once */

/* ------------------------------------------------------------------ paths */

/* A value as part of one name of a path. */
static void put_name(FILE *out, const char *value)
{
    if (value[0] == '\0' || value[0] == '.') {
        fputc('_', out); /* neither an empty nor a hidden name, nor ".." */
    }
    for (const char *at = value + (value[0] == '.'); *at != '\0'; at++) {
        bool is_bad = (unsigned char) *at < 0x20 || *at == 0x7f || *at == '/' || *at == '\\';

        fputc(is_bad ? '_' : *at, out);
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
    FILE *out = open_memstream(&path, &size);

    if (out == NULL) {
        return NULL;
    }
    while (*at != '\0') {
        const char *end = *at == '<' ? strchr(at, '>') : NULL;

        if (end == NULL) {
            fputc(*at++, out);
            continue;
        }
        bool is_there =
                put_placeholder(out, stage, type, record, at + 1, (size_t) (end - at - 1));
        at = end + 1 + (!is_there && end[1] == '/');
    }
    fputs(SUFFIX, out);
    if (fclose(out) != 0) {
        free(path);
        return NULL;
    }
    return path;
}

/* ------------------------------------------------------------------ cells */

static OpprofStatus write_failed(OpprofOutputFile *file, OpprofError **error)
{
    OpprofStatus status = OpprofOutputFileWrite(file, "", 0, error);

    return status != OPPROF_OK
               ? status
               : OpprofErrorSet(error, OPPROF_E_MEMORY, "Cannot write '%s': out of memory",
                                OpprofOutputFilePath(file));
}

static bool needs_quotes(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] == ',' || text[i] == '"' || text[i] == '\n' || text[i] == '\r') {
            return true;
        }
    }
    return false;
}

static OpprofStatus put_doubled(OpprofOutputFile *file, const char *text, size_t length,
                                OpprofError **error)
{
    char *room = OpprofOutputFileReserve(file, 2 * length);
    char *out = room;

    if (room == NULL) {
        return write_failed(file, error);
    }
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '"') {
            *out++ = '"';
        }
        *out++ = text[i];
    }
    OpprofOutputFileCommit(file, (size_t) (out - room));
    return OPPROF_OK;
}

static OpprofStatus put_quoted(OpprofOutputFile *file, const char *text, size_t length,
                               OpprofError **error)
{
    OpprofStatus status = OpprofOutputFileWrite(file, "\"", 1, error);

    for (size_t at = 0; status == OPPROF_OK && at < length; at += TEXT_STEP) {
        size_t step = length - at < TEXT_STEP ? length - at : TEXT_STEP;

        status = put_doubled(file, text + at, step, error);
    }
    return status == OPPROF_OK ? OpprofOutputFileWrite(file, "\"", 1, error) : status;
}

static OpprofStatus put_text(OpprofOutputFile *file, const char *text, size_t length, bool always_quoted,
                             OpprofError **error)
{
    return always_quoted || needs_quotes(text, length) ? put_quoted(file, text, length, error)
                                                       : OpprofOutputFileWrite(file, text, length, error);
}

static OpprofStatus put_cell(OpprofOutputFile *file, const OpprofStage *stage, const OpprofBatch *batch,
                             const OpprofField *field, const void *record, OpprofError **error)
{
    char number[OPPROF_TEXT_NUMBER];
    size_t length;
    const char *text = OpprofFieldPrint(stage, batch, field, record, number, &length);

    if (text == NULL) {
        return OpprofOutputFileWrite(file, NOT_AVAILABLE, strlen(NOT_AVAILABLE), error);
    }
    if (OpprofFieldIsText(field)) {
        return put_text(file, text, length, (field->flags & OPPROF_FIELD_QUOTED) != 0, error);
    }
    return OpprofOutputFileWrite(file, text, length, error);
}

static bool is_absent(const OpprofField *field, const void *record)
{
    const void *at = (const char *) record + field->offset;

    return OpprofFieldIsNa(field, at) || (field->kind == OPPROF_FIELD_F64 && !isfinite(OpprofLoadF64(at)));
}

/* ------------------------------------------------------------------ lines */

static OpprofStatus end_line(OpprofOutputFile *file, const OpprofRecordType *type, OpprofError **error)
{
    return (type->flags & OPPROF_RECORD_END_COMMA) != 0 ? OpprofOutputFileWrite(file, ",\n", 2, error)
                                                        : OpprofOutputFileWrite(file, "\n", 1, error);
}

OpprofStatus TableFileHead(OpprofOutputFile *file, const OpprofRecordType *type, OpprofError **error)
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

/* Is every cell absent, also those that name the row? Such a row makes the file of a table without
 * rows. A table whose rows have no names may say of all values that they are not available. */
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

OpprofStatus TableFileRow(OpprofOutputFile *file, const OpprofStage *stage, const OpprofBatch *batch,
                          const void *record, OpprofError **error)
{
    const OpprofRecordType *type = batch->type;
    OpprofStatus status = OPPROF_OK;
    bool is_first = true;

    if (is_empty(type, record)) {
        return OPPROF_OK;
    }
    for (uint32_t i = 0; status == OPPROF_OK && i < type->field_count; i++) {
        if ((type->fields[i].flags & OPPROF_FIELD_HIDDEN) != 0) {
            continue;
        }
        if (!is_first) {
            status = OpprofOutputFileWrite(file, ",", 1, error);
        }
        is_first = false;
        if (status == OPPROF_OK) {
            status = put_cell(file, stage, batch, &type->fields[i], record, error);
        }
    }
    return status == OPPROF_OK ? end_line(file, type, error) : status;
}
