/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by both sides of recordings: checksums, and numbers in records. Tested by
 * tests/core/recording/test_recording. */
#include "recording/recording.h"

#include "stream/fields.h"

#include <string.h>

uint32_t RecordingCrc(uint32_t crc, const void *data, size_t size)
{
    static const uint32_t nibbles[16] = {
        0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
        0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
        0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
    };
    const unsigned char *bytes = data;

    crc = ~crc;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        crc = (crc >> 4) ^ nibbles[crc & 15];
        crc = (crc >> 4) ^ nibbles[crc & 15];
    }
    return ~crc;
}

static uint32_t mapped(uint32_t id, bool is_string, const RecordingIds *ids)
{
    if (id == (is_string ? OPPROF_NA_STRING : OPPROF_NA_U32)) {
        return id;
    }
    return is_string ? ids->string(ids->context, id) : ids->track(ids->context, id);
}

/* Keys and texts of a span's arguments, which lie in the blob. */
static void map_args(const OpprofSpan *span, const char *from, char *to, uint32_t blob_size,
                     const RecordingIds *ids)
{
    const bool is_there = span->args.offset <= blob_size;
    const uint32_t room = is_there ? blob_size - span->args.offset : 0;

    for (uint32_t i = 0; i < span->arg_count && (i + 1) * sizeof(OpprofArg) <= room; i++) {
        OpprofArg arg;

        memcpy(&arg, from + span->args.offset + i * sizeof arg, sizeof arg);
        arg.key = mapped(arg.key, true, ids);
        if (arg.kind == OPPROF_ARG_STRING) {
            arg.value.u64 = mapped((uint32_t) arg.value.u64, true, ids);
        }
        memcpy(to + span->args.offset + i * sizeof arg, &arg, sizeof arg);
    }
}

/* A number in one of the elements, wherever it lies. */
static void map_element(const OpprofElements *elements, const RecordingBlobs *blobs,
                        uint32_t offset, const RecordingIds *ids)
{
    for (uint32_t f = 0; f < elements->field_count; f++) {
        const OpprofField *field = &elements->fields[f];
        const bool is_string = field->kind == OPPROF_FIELD_STRING;
        const uint32_t at = offset + field->offset;

        if (is_string || field->kind == OPPROF_FIELD_TRACK) {
            const uint32_t id = mapped(OpprofLoadU32(blobs->from + at), is_string, ids);
            memcpy(blobs->to + at, &id, sizeof id);
        }
    }
}

static void map_elements(const OpprofElements *elements, const OpprofRecordType *type,
                         const char *records, uint32_t count, const RecordingBlobs *blobs,
                         const RecordingIds *ids)
{
    const OpprofField *field = FieldOfElements(type, elements->field);

    for (uint32_t i = 0; field != NULL && i < count; i++) {
        OpprofText text;

        memcpy(&text, records + (size_t) i * type->size + field->offset, sizeof text);
        if (text.offset > blobs->size || text.length > blobs->size - text.offset) {
            continue; /* absent, or wrong */
        }
        for (uint32_t e = 0; e < text.length / elements->size; e++) {
            map_element(elements, blobs, text.offset + e * elements->size, ids);
        }
    }
}

static void map_field(const OpprofField *field, const OpprofRecordType *type, char *records,
                      uint32_t count, const RecordingIds *ids)
{
    const bool is_string = field->kind == OPPROF_FIELD_STRING;

    if (!is_string && field->kind != OPPROF_FIELD_TRACK) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        char *at = records + (size_t) i * type->size + field->offset;
        const uint32_t id = mapped(OpprofLoadU32(at), is_string, ids);

        memcpy(at, &id, sizeof id);
    }
}

void RecordingMapRecords(const OpprofRecordType *type, void *records, uint32_t count,
                         const RecordingBlobs *blobs, const RecordingIds *ids)
{
    for (uint32_t f = 0; f < type->field_count; f++) {
        map_field(&type->fields[f], type, records, count, ids);
    }
    for (const OpprofElements *list = type->elements; list != NULL && list->field != NULL; list++) {
        map_elements(list, type, records, count, blobs, ids);
    }
    for (uint32_t i = 0; type == &opprof_span_type && i < count; i++) {
        OpprofSpan span;

        memcpy(&span, (const char *) records + (size_t) i * sizeof span, sizeof span);
        map_args(&span, blobs->from, blobs->to, blobs->size, ids);
    }
}
