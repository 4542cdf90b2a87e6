/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes recordings. Strings, tracks, clocks and types go into the file before the first batch that
 * uses them, under numbers of the file, so that the bytes do not depend on the run. Tested by
 * tests/core/recording/test_recording.
 */
#include "recording/recording.h"

#include "base/write_file.h"

#include <errno.h>
#include <opprof/grow.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Bytes {
    char *data;
    size_t size;
    size_t capacity;
    bool no_memory;
} Bytes;

/* File numbers by the run's; 0: not in the file yet. */
typedef struct Numbers {
    uint32_t *numbers;
    size_t capacity;
    uint32_t count;
} Numbers;

struct RecordingWriter {
    FILE *file;
    char *path;
    const OpprofStage *stage;
    Numbers strings, tracks, clocks;
    const OpprofRecordType **types;
    size_t type_count;
    size_t type_capacity;
    Bytes chunk;    /* being put together */
    Bytes new_text; /* texts of the chunk of strings being put together */
    uint32_t new_texts;
    Bytes new_tracks; /* chunks, whole */
    Bytes records;
    Bytes blob;
    uint64_t batches;
    uint64_t record_count;
    bool no_memory;
};

/* ---- bytes ---- */

static char *extend(Bytes *bytes, size_t size)
{
    if (bytes->no_memory ||
        !OpprofGrow(&bytes->data, &bytes->capacity, bytes->size + size + 1, 1)) {
        bytes->no_memory = true;
        return NULL;
    }
    bytes->size += size;
    return bytes->data + bytes->size - size;
}

static void put(Bytes *bytes, const void *data, size_t size)
{
    char *at = extend(bytes, size);

    if (at != NULL && size > 0) {
        memcpy(at, data, size);
    }
}

static void put_number(Bytes *bytes, uint64_t value, size_t size)
{
    unsigned char little[8];

    for (size_t i = 0; i < size; i++) {
        little[i] = (unsigned char) (value >> (8 * i));
    }
    put(bytes, little, size);
}

static void put_u32(Bytes *bytes, uint32_t value)
{
    put_number(bytes, value, 4);
}

static void put_u64(Bytes *bytes, uint64_t value)
{
    put_number(bytes, value, 8);
}

static void put_text(Bytes *bytes, const char *text)
{
    put_u32(bytes, text == NULL ? RECORDING_NONE : (uint32_t) strlen(text));
    put(bytes, text, text == NULL ? 0 : strlen(text));
}

static void set_u32(Bytes *bytes, size_t offset, uint32_t value)
{
    for (size_t i = 0; !bytes->no_memory && i < 4; i++) {
        bytes->data[offset + i] = (char) (unsigned char) (value >> (8 * i));
    }
}

/* ---- chunks ---- */

/* A chunk with what `content` holds after `bytes`. */
static void put_chunk(Bytes *bytes, const char *kind, const Bytes *content)
{
    const size_t start = bytes->size;
    uint32_t crc;

    put(bytes, kind, 4);
    put_u32(bytes, 0);
    put_u64(bytes, content->size);
    put(bytes, content->data, content->size);
    bytes->no_memory = bytes->no_memory || content->no_memory;
    if (!bytes->no_memory) {
        crc = RecordingCrc(0, bytes->data + start, 4);
        crc = RecordingCrc(crc, bytes->data + start + 8, 8 + content->size);
        set_u32(bytes, start + 4, crc);
    }
}

static OpprofStatus cannot_write(const RecordingWriter *writer, int number, OpprofError **error)
{
    return OpprofErrorSet(error, OPPROF_E_IO, "Cannot write '%s': %s", writer->path,
                          strerror(number));
}

static OpprofStatus write_bytes(RecordingWriter *writer, Bytes *bytes, OpprofError **error)
{
    const bool no_memory = bytes->no_memory || writer->no_memory;
    const size_t size = bytes->size;

    bytes->size = 0;
    if (no_memory) {
        return OpprofErrorNoMemory(error, "record '%s'", writer->path);
    }
    return fwrite(bytes->data, 1, size, writer->file) == size ? OPPROF_OK
                                                              : cannot_write(writer, errno, error);
}

/* Takes the content. */
static OpprofStatus write_chunk(RecordingWriter *writer, const char *kind, Bytes *content,
                                OpprofError **error)
{
    writer->chunk.size = 0;
    put_chunk(&writer->chunk, kind, content);
    free(content->data);
    *content = (Bytes){ .size = 0 };
    return write_bytes(writer, &writer->chunk, error);
}

/* ---- what records refer to ---- */

/* Where the file's number of a thing is kept; NULL: no memory. */
static uint32_t *number_of(RecordingWriter *writer, Numbers *numbers, uint32_t id)
{
    if (!OpprofGrowCleared(&numbers->numbers, &numbers->capacity, (size_t) id + 1,
                           sizeof(uint32_t))) {
        writer->no_memory = true;
        return NULL;
    }
    return &numbers->numbers[id];
}

static uint32_t string_number(void *context, uint32_t id)
{
    RecordingWriter *writer = context;
    uint32_t *number = number_of(writer, &writer->strings, id);
    size_t length = 0;
    const char *text;

    if (number == NULL) {
        return 0;
    }
    if (*number == 0) {
        *number = ++writer->strings.count;
        text = OpprofStageStringLength(writer->stage, id, &length);
        put_u32(&writer->new_text, (uint32_t) length);
        put(&writer->new_text, text, length);
        writer->new_texts++;
    }
    return *number;
}

static uint32_t track_number(void *context, uint32_t id)
{
    RecordingWriter *writer = context;
    uint32_t *number = number_of(writer, &writer->tracks, id);
    const OpprofTrack *track = OpprofStageTrackInfo(writer->stage, id);
    Bytes content = { .size = 0 };

    if (number == NULL || track == NULL) {
        return OPPROF_NA_U32;
    }
    if (*number == 0) {
        *number = ++writer->tracks.count;
        put_u32(&content, *number);
        put_text(&content, track->document);
        put_text(&content, track->process);
        put_text(&content, track->process_name);
        put_text(&content, track->thread);
        put_text(&content, track->thread_name);
        put_u32(&content, (uint32_t) track->process_sort);
        put_u32(&content, (uint32_t) track->thread_sort);
        put_u32(&content, track->flags);
        put_chunk(&writer->new_tracks, "TRAK", &content);
        free(content.data);
    }
    return *number;
}

static OpprofStatus write_clock(RecordingWriter *writer, uint32_t id, uint32_t *ret_number,
                                OpprofError **error)
{
    const OpprofClock *clock = OpprofStageClockInfo(writer->stage, id);
    uint32_t *number;
    Bytes content = { .size = 0 };

    *ret_number = 0;
    if (clock == NULL) {
        return OPPROF_OK;
    }
    number = number_of(writer, &writer->clocks, id);
    if (number == NULL || *number != 0) {
        *ret_number = number == NULL ? 0 : *number;
        return OPPROF_OK;
    }
    *ret_number = *number = ++writer->clocks.count;
    put_u32(&content, *number);
    put_u64(&content, clock->hz);
    put_u64(&content, (uint64_t) clock->offset_ps);
    put_u64(&content, (uint64_t) clock->epoch_ns);
    put_text(&content, clock->name);
    return write_chunk(writer, "CLOK", &content, error);
}

static void put_field(Bytes *content, const OpprofField *field)
{
    const size_t start = content->size;

    put_u32(content, 0);
    put_u32(content, field->kind);
    put_u32(content, field->offset);
    put_u32(content, field->decimals);
    put_u32(content, field->flags);
    put_text(content, field->name);
    put_text(content, field->unit);
    put_text(content, field->meaning);
    put_text(content, field->absent);
    put_text(content, field->heading);
    put_u32(content, field->combine);
    set_u32(content, start, (uint32_t) (content->size - start - 4));
}

static void put_elements(Bytes *content, const OpprofElements *elements)
{
    const size_t start = content->size;

    put_u32(content, 0);
    put_text(content, elements->field);
    put_u32(content, elements->size);
    put_u32(content, elements->field_count);
    for (uint32_t f = 0; f < elements->field_count; f++) {
        put_field(content, &elements->fields[f]);
    }
    set_u32(content, start, (uint32_t) (content->size - start - 4));
}

static uint32_t count_elements(const OpprofRecordType *type)
{
    uint32_t count = 0;

    while (type->elements != NULL && type->elements[count].field != NULL) {
        count++;
    }
    return count;
}

static OpprofStatus write_type(RecordingWriter *writer, const OpprofRecordType *type,
                               uint32_t *ret_number, OpprofError **error)
{
    Bytes content = { .size = 0 };

    for (size_t i = 0; i < writer->type_count; i++) {
        if (writer->types[i] == type) {
            *ret_number = (uint32_t) i + 1;
            return OPPROF_OK;
        }
    }
    if (!OpprofGrow(&writer->types, &writer->type_capacity, writer->type_count + 1,
                    sizeof *writer->types)) {
        return OpprofErrorNoMemory(error, "record '%s'", writer->path);
    }
    writer->types[writer->type_count++] = type;
    *ret_number = (uint32_t) writer->type_count;
    put_u32(&content, *ret_number);
    put_u32(&content, type->version);
    put_u32(&content, type->size);
    put_u32(&content, type->flags);
    put_text(&content, type->name);
    put_text(&content, type->summary);
    put_text(&content, type->title);
    put_text(&content, type->file_hint);
    put_u32(&content, type->field_count);
    for (uint32_t f = 0; f < type->field_count; f++) {
        put_field(&content, &type->fields[f]);
    }
    put_u32(&content, count_elements(type));
    for (uint32_t e = 0; e < count_elements(type); e++) {
        put_elements(&content, &type->elements[e]);
    }
    return write_chunk(writer, "TYPE", &content, error);
}

/* Strings and tracks that the batch in hand was the first to use. */
static OpprofStatus write_news(RecordingWriter *writer, OpprofError **error)
{
    Bytes content = { .size = 0 };
    OpprofStatus status = OPPROF_OK;

    if (writer->new_texts > 0) {
        put_u32(&content, writer->strings.count - writer->new_texts + 1);
        put_u32(&content, writer->new_texts);
        put(&content, writer->new_text.data, writer->new_text.size);
        content.no_memory = content.no_memory || writer->new_text.no_memory;
        status = write_chunk(writer, "STRS", &content, error);
        writer->new_text.size = 0;
        writer->new_texts = 0;
    }
    if (status == OPPROF_OK && writer->new_tracks.size > 0) {
        status = write_bytes(writer, &writer->new_tracks, error);
    }
    return status;
}

/* ---- the file ---- */

static OpprofStatus write_head(RecordingWriter *writer, const RecordingLink *link,
                               OpprofError **error)
{
    Bytes content = { .size = 0 };
    uint32_t type = 0;
    OpprofStatus status;

    put(&content, RECORDING_MAGIC, RECORDING_MAGIC_BYTES);
    put_number(&content, RECORDING_MAJOR, 2);
    put_number(&content, RECORDING_MINOR, 2);
    put_u32(&content, 0);
    status = write_bytes(writer, &content, error);
    if (status == OPPROF_OK) {
        status = write_type(writer, link->type, &type, error);
    }
    if (status == OPPROF_OK) {
        put_text(&content, link->link);
        put_text(&content, link->plugin);
        put_text(&content, link->plugin_version);
        put_text(&content, link->opprof);
        put_u32(&content, type);
        status = write_chunk(writer, "LINK", &content, error);
    }
    free(content.data);
    return status;
}

OpprofStatus RecordingCreate(const char *path, const RecordingLink *link, const OpprofStage *stage,
                             RecordingWriter **ret_writer, OpprofError **error)
{
    RecordingWriter *writer = calloc(1, sizeof *writer);
    OpprofStatus status;

    *ret_writer = NULL;
    if (writer == NULL || (writer->path = strdup(path)) == NULL) {
        free(writer);
        return OpprofErrorNoMemory(error, "record '%s'", path);
    }
    writer->stage = stage;
    status = WriteFileOpen(path, &writer->file, error);
    if (status == OPPROF_OK) {
        status = write_head(writer, link, error);
    }
    if (status != OPPROF_OK) {
        RecordingClose(writer, NULL);
        return status;
    }
    *ret_writer = writer;
    return OPPROF_OK;
}

/* Copies of records and blob with the numbers of the file in them. */
static void copy_records(RecordingWriter *writer, const OpprofBatch *batch)
{
    const RecordingIds ids = { string_number, track_number, writer };

    writer->records.size = writer->blob.size = 0;
    put(&writer->records, batch->records, (size_t) batch->count * batch->type->size);
    put(&writer->blob, batch->blob, batch->blob_size);
    writer->no_memory = writer->no_memory || writer->records.no_memory || writer->blob.no_memory;
    if (!writer->no_memory) {
        RecordingMapRecords(batch->type, writer->records.data, batch->count,
                            &(RecordingBlobs){ batch->blob, writer->blob.data, batch->blob_size },
                            &ids);
    }
}

OpprofStatus RecordingWrite(RecordingWriter *writer, const OpprofBatch *batch, OpprofError **error)
{
    uint32_t type = 0, clock = 0;
    const uint32_t partition = batch->partition == 0 ? 0 : string_number(writer, batch->partition);
    Bytes content = { .size = 0 };
    OpprofStatus status = write_type(writer, batch->type, &type, error);

    copy_records(writer, batch);
    if (status == OPPROF_OK) {
        status = write_clock(writer, batch->clock, &clock, error);
    }
    if (status == OPPROF_OK) {
        status = write_news(writer, error);
    }
    put_u32(&content, 40); /* of the batch's own numbers, so that there can be more */
    put_u32(&content, type);
    put_u32(&content, partition);
    put_u32(&content, clock);
    put_u32(&content, batch->count);
    put_u32(&content, batch->blob_size);
    put_u64(&content, batch->sequence);
    put_u64(&content, batch->watermark);
    put_u32(&content, 0);
    put(&content, writer->records.data, writer->records.size);
    put(&content, writer->blob.data, writer->blob.size);
    if (status == OPPROF_OK) {
        status = write_chunk(writer, "BATC", &content, error);
    }
    free(content.data);
    writer->batches++;
    writer->record_count += batch->count;
    return status;
}

OpprofStatus RecordingEnd(RecordingWriter *writer, uint32_t end, const char *reasons,
                          OpprofError **error)
{
    Bytes content = { .size = 0 };

    put_u64(&content, writer->batches);
    put_u64(&content, writer->record_count);
    put_u32(&content, end);
    put_text(&content, reasons);
    return write_chunk(writer, "DONE", &content, error);
}

OpprofStatus RecordingClose(RecordingWriter *writer, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    if (writer == NULL) {
        return OPPROF_OK;
    }
    if (writer->file != NULL && fclose(writer->file) != 0) {
        status = cannot_write(writer, errno, error);
    }
    free(writer->strings.numbers);
    free(writer->tracks.numbers);
    free(writer->clocks.numbers);
    free((void *) writer->types);
    free(writer->chunk.data);
    free(writer->new_text.data);
    free(writer->new_tracks.data);
    free(writer->records.data);
    free(writer->blob.data);
    free(writer->path);
    free(writer);
    return status;
}
