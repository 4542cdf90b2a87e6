/* SPDX-License-Identifier: Apache-2.0 */
/* The annotated view of records for those who do not trust a decoder yet. Tested by
 * tests/e2e/hex_view.sh. */
#include "recording/hex_view.h"

#include "stream/fields.h"

#include <inttypes.h>
#include <opprof/plugin.h>
#include <opprof/print.h>
#include <opprof/text.h>
#include <string.h>

#define BYTES_A_LINE 16u
#define NAME_WIDTH 20
#define MOST_TEXT 200

/* Some bytes that have fields: a record, or an element of an array. */
typedef struct Piece {
    const OpprofStage *stage;
    const OpprofBatch *batch;
    const OpprofField *fields;
    uint32_t field_count;
    const char *bytes;
    uint32_t size;
    const char *indent;
} Piece;

/* "  +0010  de ad be ef" and blanks up to where a column of eight bytes would end. */
static void print_bytes(FILE *out, const char *indent, uint32_t offset, const char *bytes,
                        uint32_t count, uint32_t column)
{
    fprintf(out, "%s+%04" PRIx32 "  ", indent, offset);
    for (uint32_t i = 0; i < column || i < count; i++) {
        if (i < count) {
            fprintf(out, "%02x ", (unsigned char) bytes[i]);
        } else {
            fputs("   ", out);
        }
    }
}

static bool is_plain(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] < 0x20 || text[i] >= 0x7f) {
            return false;
        }
    }
    return true;
}

/* The text if it fits a line and nothing in it could drive a terminal. */
static void print_text(FILE *out, const char *text, size_t length)
{
    if (length <= MOST_TEXT && is_plain(text, length)) {
        fwrite(text, 1, length, out);
    } else {
        fprintf(out, "(%zu bytes)", length);
    }
}

static void print_field(FILE *out, const Piece *piece, const OpprofField *field)
{
    char number[OPPROF_TEXT_NUMBER];
    size_t length = 0;
    const char *text =
        OpprofFieldPrint(piece->stage, piece->batch, field, piece->bytes, number, &length);

    print_bytes(out, piece->indent, field->offset, piece->bytes + field->offset,
                FieldKindBytes(field->kind), 8);
    fprintf(out, " %-*s ", NAME_WIDTH, field->name);
    if (text == NULL) {
        fprintf(out, "NA (%s)", field->absent != NULL ? field->absent : "absent");
    } else {
        print_text(out, text, length);
    }
    fprintf(out, "%s%s\n", text != NULL && field->unit != NULL ? " " : "",
            text != NULL && field->unit != NULL ? field->unit : "");
}

/* The field that begins next, at `offset` or after it; NULL: none does. */
static const OpprofField *next_field(const Piece *piece, uint32_t offset)
{
    const OpprofField *next = NULL;

    for (uint32_t f = 0; f < piece->field_count; f++) {
        const OpprofField *field = &piece->fields[f];

        if (field->offset >= offset && (next == NULL || field->offset < next->offset)) {
            next = field;
        }
    }
    return next;
}

static void print_piece(FILE *out, const Piece *piece)
{
    uint32_t at = 0;

    while (at < piece->size) {
        const OpprofField *field = next_field(piece, at);
        const uint32_t end = field != NULL ? field->offset : piece->size;

        for (; at<end; at += end - at> 8 ? 8 : end - at) {
            print_bytes(out, piece->indent, at, piece->bytes + at, end - at > 8 ? 8 : end - at, 8);
            fputs(" (no field)\n", out);
        }
        if (field != NULL) {
            print_field(out, piece, field);
            at = field->offset + FieldKindBytes(field->kind);
        }
    }
}

static void print_dump(FILE *out, const char *bytes, uint32_t length)
{
    for (uint32_t at = 0; at < length; at += BYTES_A_LINE) {
        const uint32_t count = length - at > BYTES_A_LINE ? BYTES_A_LINE : length - at;

        print_bytes(out, "    ", at, bytes + at, count, BYTES_A_LINE);
        fputs(" |", out);
        for (uint32_t i = 0; i < count; i++) {
            const char byte = bytes[at + i];
            fputc(byte >= 0x20 && byte < 0x7f ? byte : '.', out);
        }
        fputs("|\n", out);
    }
}

static const OpprofElements *elements_of(const OpprofRecordType *type, const char *field)
{
    for (const OpprofElements *list = type->elements; list != NULL && list->field != NULL; list++) {
        if (strcmp(list->field, field) == 0) {
            return list;
        }
    }
    return NULL;
}

static void print_elements(FILE *out, const OpprofStage *stage, const OpprofBatch *batch,
                           const OpprofElements *elements, const char *bytes, uint32_t length)
{
    uint32_t at = 0;

    for (uint32_t i = 0; length - at >= elements->size; i++, at += elements->size) {
        const Piece piece = { .stage = stage,
                              .batch = batch,
                              .fields = elements->fields,
                              .field_count = elements->field_count,
                              .bytes = bytes + at,
                              .size = elements->size,
                              .indent = "      " };

        fprintf(out, "    element %" PRIu32 " at +%04" PRIx32 "\n", i, at);
        print_piece(out, &piece);
    }
    if (at < length) {
        print_dump(out, bytes + at, length - at);
    }
}

static void print_blob(FILE *out, const OpprofStage *stage, const OpprofBatch *batch,
                       const OpprofField *field, const char *record)
{
    const OpprofElements *elements = elements_of(batch->type, field->name);
    const char *bytes;
    OpprofText text;

    memcpy(&text, record + field->offset, sizeof text);
    bytes = OpprofBatchText(batch, text);
    if (bytes == NULL || text.length == 0) {
        return;
    }
    fprintf(out, "  %s: %" PRIu32 " bytes\n", field->name, text.length);
    if (elements != NULL) {
        print_elements(out, stage, batch, elements, bytes, text.length);
    } else {
        print_dump(out, bytes, text.length);
    }
}

void HexViewPrint(FILE *out, const OpprofStage *stage, const OpprofBatch *batch, uint32_t index)
{
    const OpprofRecordType *type = batch->type;
    const char *partition = batch->partition == 0 ? "" : OpprofStageString(stage, batch->partition);
    const Piece piece = { .stage = stage,
                          .batch = batch,
                          .fields = type->fields,
                          .field_count = type->field_count,
                          .bytes = OpprofBatchRecord(batch, index),
                          .size = type->size,
                          .indent = "  " };

    fprintf(out, "%s: record %" PRIu32 " of batch %" PRIu64 ", %" PRIu32 " bytes%s", type->name,
            index, batch->sequence, type->size, *partition != '\0' ? ", " : "");
    print_text(out, partition, strlen(partition));
    fputc('\n', out);
    print_piece(out, &piece);
    for (uint32_t f = 0; f < type->field_count; f++) {
        if (type->fields[f].kind == OPPROF_FIELD_TEXT) {
            print_blob(out, stage, batch, &type->fields[f], piece.bytes);
        }
    }
}
