/* SPDX-License-Identifier: Apache-2.0 */
#include "table_file.h"

#include <math.h>
#include <opprof/text.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUFFIX ".csv"
#define NOT_AVAILABLE "NA"
#define TEXT_STEP (256u << 10) /* bytes of a text that are quoted at once */

/* ------------------------------------------------------------------ paths */

static uint32_t load_u32(const void *record, const OpprofField *field)
{
    uint32_t value;

    memcpy(&value, (const char *) record + field->offset, sizeof value);
    return value;
}

static uint64_t load_u64(const void *record, const OpprofField *field)
{
    uint64_t value;

    memcpy(&value, (const char *) record + field->offset, sizeof value);
    return value;
}

static const OpprofField *find_field(const OpprofRecordType *type, const char *name, size_t length)
{
    for (uint32_t i = 0; i < type->field_count; i++) {
        const OpprofField *field = &type->fields[i];

        if (strlen(field->name) == length && memcmp(field->name, name, length) == 0) {
            return field;
        }
    }
    return NULL;
}

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
    const OpprofField *field = find_field(type, name, length);

    if (field == NULL || field->kind != OPPROF_FIELD_STRING) {
        fprintf(out, "_%.*s_", (int) length, name);
        return true;
    }
    if (load_u32(record, field) == OPPROF_NA_STRING) {
        return false;
    }
    put_name(out, OpprofStageString(stage, load_u32(record, field)));
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

static int16_t load_i16(const void *record, const OpprofField *field)
{
    int16_t value;

    memcpy(&value, (const char *) record + field->offset, sizeof value);
    return value;
}

static double load_f64(const void *record, const OpprofField *field)
{
    double value;

    memcpy(&value, (const char *) record + field->offset, sizeof value);
    return value;
}

/* Prints a number that is not absent. */
static char *put_number(char *out, const OpprofField *field, const void *record)
{
    switch (field->kind) {
    case OPPROF_FIELD_I16:
        return OpprofTextPutI64(out, load_i16(record, field));
    case OPPROF_FIELD_U32:
        return OpprofTextPutU64(out, load_u32(record, field));
    case OPPROF_FIELD_I32:
        return OpprofTextPutI64(out, (int32_t) load_u32(record, field));
    case OPPROF_FIELD_I64:
        return OpprofTextPutI64(out, (int64_t) load_u64(record, field));
    case OPPROF_FIELD_HEX:
        return OpprofTextPutHex(out, load_u64(record, field));
    case OPPROF_FIELD_F64:
        return field->decimals == 0
                   ? OpprofTextPutF64(out, load_f64(record, field))
                   : OpprofTextPutFixed(out, load_f64(record, field), field->decimals - 1);
    default:
        return OpprofTextPutU64(out, load_u64(record, field));
    }
}

static bool is_absent(const OpprofField *field, const void *record)
{
    return OpprofFieldIsNa(field, (const char *) record + field->offset) ||
           (field->kind == OPPROF_FIELD_F64 && !isfinite(load_f64(record, field)));
}

static OpprofStatus put_number_cell(OpprofOutputFile *file, const OpprofField *field, const void *record,
                                    OpprofError **error)
{
    char *room = OpprofOutputFileReserve(file, OPPROF_TEXT_NUMBER);

    if (room == NULL) {
        return write_failed(file, error);
    }
    OpprofOutputFileCommit(file, (size_t) (put_number(room, field, record) - room));
    return OPPROF_OK;
}

static const char *track_name(const OpprofStage *stage, uint32_t id)
{
    const OpprofTrack *track = OpprofStageTrackInfo(stage, id);

    if (track == NULL) {
        return "";
    }
    if (track->thread_name != NULL) {
        return track->thread_name;
    }
    return track->thread != NULL ? track->thread : track->process;
}

/* Text of a cell that is no number; NULL when it is out of the batch's bounds. */
static const char *cell_text(const OpprofStage *stage, const OpprofBatch *batch, const OpprofField *field,
                             const void *record, size_t *ret_length)
{
    const char *name;
    OpprofText text;

    if (field->kind == OPPROF_FIELD_STRING) {
        return OpprofStageStringLength(stage, load_u32(record, field), ret_length);
    }
    if (field->kind == OPPROF_FIELD_TRACK) {
        name = track_name(stage, load_u32(record, field));
        *ret_length = strlen(name);
        return name;
    }
    memcpy(&text, (const char *) record + field->offset, sizeof text);
    *ret_length = text.length;
    return OpprofBatchText(batch, text);
}

static OpprofStatus put_cell(OpprofOutputFile *file, const OpprofStage *stage, const OpprofBatch *batch,
                             const OpprofField *field, const void *record, OpprofError **error)
{
    const bool is_text = field->kind == OPPROF_FIELD_STRING || field->kind == OPPROF_FIELD_TEXT ||
                         field->kind == OPPROF_FIELD_TRACK;
    const char *text = NULL;
    size_t length;

    if (is_text && !is_absent(field, record)) {
        text = cell_text(stage, batch, field, record, &length);
    }
    if (text != NULL) {
        return put_text(file, text, length, (field->flags & OPPROF_FIELD_QUOTED) != 0, error);
    }
    if (is_text || is_absent(field, record)) {
        return OpprofOutputFileWrite(file, NOT_AVAILABLE, strlen(NOT_AVAILABLE), error);
    }
    return put_number_cell(file, field, record, error);
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
        const char *heading = field->heading != NULL ? field->heading : field->name;

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
