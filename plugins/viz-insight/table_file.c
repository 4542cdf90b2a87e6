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

static const OpprofField *find_field(const RecordType *type, const char *name, size_t length)
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

static void put_placeholder(FILE *out, const Stage *stage, const RecordType *type,
                            const void *record, const char *name, size_t length)
{
    const OpprofField *field = find_field(type, name, length);

    if (field == NULL || field->kind != OPPROF_FIELD_STRING) {
        fprintf(out, "_%.*s_", (int) length, name);
        return;
    }
    put_name(out, StageString(stage, load_u32(record, field)));
}

char *TableFilePath(const Stage *stage, const RecordType *type, const void *record)
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
        put_placeholder(out, stage, type, record, at + 1, (size_t) (end - at - 1));
        at = end + 1;
    }
    fputs(SUFFIX, out);
    if (fclose(out) != 0) {
        free(path);
        return NULL;
    }
    return path;
}

/* ------------------------------------------------------------------ cells */

static OpprofStatus write_failed(OutputFile *file, OpprofError **error)
{
    OpprofStatus status = OutputFileWrite(file, "", 0, error);

    return status != OPPROF_OK
               ? status
               : OpprofErrorSet(error, OPPROF_E_MEMORY, "Cannot write '%s': out of memory",
                                OutputFilePath(file));
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

static OpprofStatus put_doubled(OutputFile *file, const char *text, size_t length,
                                OpprofError **error)
{
    char *room = OutputFileReserve(file, 2 * length);
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
    OutputFileCommit(file, (size_t) (out - room));
    return OPPROF_OK;
}

static OpprofStatus put_quoted(OutputFile *file, const char *text, size_t length,
                               OpprofError **error)
{
    OpprofStatus status = OutputFileWrite(file, "\"", 1, error);

    for (size_t at = 0; status == OPPROF_OK && at < length; at += TEXT_STEP) {
        size_t step = length - at < TEXT_STEP ? length - at : TEXT_STEP;

        status = put_doubled(file, text + at, step, error);
    }
    return status == OPPROF_OK ? OutputFileWrite(file, "\"", 1, error) : status;
}

static OpprofStatus put_text(OutputFile *file, const char *text, size_t length, bool always_quoted,
                             OpprofError **error)
{
    return always_quoted || needs_quotes(text, length) ? put_quoted(file, text, length, error)
                                                       : OutputFileWrite(file, text, length, error);
}

/* A number behind its end; NULL when it is absent. */
static char *put_number(char *out, const OpprofField *field, const void *record)
{
    const uint64_t wide = field->kind == OPPROF_FIELD_U32 || field->kind == OPPROF_FIELD_I32
                              ? load_u32(record, field)
                              : load_u64(record, field);
    double real;

    switch (field->kind) {
    case OPPROF_FIELD_U32:
        return wide == OPPROF_NA_U32 ? NULL : TextPutU64(out, wide);
    case OPPROF_FIELD_I32:
        return (int32_t) wide == OPPROF_NA_I32 ? NULL : TextPutI64(out, (int32_t) wide);
    case OPPROF_FIELD_I64:
        return (int64_t) wide == OPPROF_NA_I64 ? NULL : TextPutI64(out, (int64_t) wide);
    case OPPROF_FIELD_HEX:
        return wide == OPPROF_NA_U64 ? NULL : TextPutHex(out, wide);
    case OPPROF_FIELD_F64:
        memcpy(&real, &wide, sizeof real);
        if (!isfinite(real)) {
            return NULL;
        }
        return field->decimals == 0 ? TextPutF64(out, real)
                                    : TextPutFixed(out, real, field->decimals - 1);
    case OPPROF_FIELD_U64:
    case OPPROF_FIELD_TICK:
    default:
        return wide == OPPROF_NA_U64 ? NULL : TextPutU64(out, wide);
    }
}

static OpprofStatus put_number_cell(OutputFile *file, const OpprofField *field, const void *record,
                                    OpprofError **error)
{
    char *room = OutputFileReserve(file, OPPROF_TEXT_NUMBER);
    char *end = room == NULL ? NULL : put_number(room, field, record);

    if (room == NULL) {
        return write_failed(file, error);
    }
    if (end == NULL) {
        return OutputFileWrite(file, NOT_AVAILABLE, strlen(NOT_AVAILABLE), error);
    }
    OutputFileCommit(file, (size_t) (end - room));
    return OPPROF_OK;
}

/* Text of a cell that is none of numbers; NULL when it is absent. */
static const char *cell_text(const Stage *stage, const Batch *batch, const OpprofField *field,
                             const void *record, size_t *ret_length)
{
    const uint32_t id = load_u32(record, field);
    const OpprofTrack *track;
    const char *name;
    OpprofText text;

    if (field->kind == OPPROF_FIELD_STRING) {
        return id == OPPROF_NA_STRING ? NULL : StageStringLength(stage, id, ret_length);
    }
    if (field->kind == OPPROF_FIELD_TEXT) {
        memcpy(&text, (const char *) record + field->offset, sizeof text);
        *ret_length = text.length;
        return BatchText(batch, text);
    }
    track = StageTrackInfo(stage, id);
    name = track == NULL ? NULL : track->thread_name;
    name = name == NULL && track != NULL ? track->thread : name;
    name = name == NULL && track != NULL ? track->process : name;
    *ret_length = name == NULL ? 0 : strlen(name);
    return name;
}

static OpprofStatus put_cell(OutputFile *file, const Stage *stage, const Batch *batch,
                             const OpprofField *field, const void *record, OpprofError **error)
{
    size_t length;
    const char *text;

    if (field->kind != OPPROF_FIELD_STRING && field->kind != OPPROF_FIELD_TEXT &&
        field->kind != OPPROF_FIELD_TRACK) {
        return put_number_cell(file, field, record, error);
    }
    text = cell_text(stage, batch, field, record, &length);
    if (text == NULL) {
        return OutputFileWrite(file, NOT_AVAILABLE, strlen(NOT_AVAILABLE), error);
    }
    return put_text(file, text, length, (field->flags & OPPROF_FIELD_QUOTED) != 0, error);
}

/* ------------------------------------------------------------------ lines */

OpprofStatus TableFileHead(OutputFile *file, const RecordType *type, OpprofError **error)
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
            status = OutputFileWrite(file, ",", 1, error);
        }
        is_first = false;
        if (status == OPPROF_OK) {
            status = put_text(file, heading, strlen(heading), false, error);
        }
    }
    return status == OPPROF_OK ? OutputFileWrite(file, "\n", 1, error) : status;
}

OpprofStatus TableFileRow(OutputFile *file, const Stage *stage, const Batch *batch,
                          const void *record, OpprofError **error)
{
    const RecordType *type = batch->type;
    OpprofStatus status = OPPROF_OK;
    bool is_first = true;

    for (uint32_t i = 0; status == OPPROF_OK && i < type->field_count; i++) {
        if ((type->fields[i].flags & OPPROF_FIELD_HIDDEN) != 0) {
            continue;
        }
        if (!is_first) {
            status = OutputFileWrite(file, ",", 1, error);
        }
        is_first = false;
        if (status == OPPROF_OK) {
            status = put_cell(file, stage, batch, &type->fields[i], record, error);
        }
    }
    return status == OPPROF_OK ? OutputFileWrite(file, "\n", 1, error) : status;
}
