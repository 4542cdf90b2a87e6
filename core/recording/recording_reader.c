/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads recordings, of this version and of others, whole or damaged: nothing in the file is
 * believed before it has been checked. Tested by tests/core/recording/test_recording.
 */
#include "recording/recording.h"

#include "base/chunks.h"
#include "stream/fields.h"

#include <errno.h>
#include <inttypes.h>
#include <opprof/grow.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define MOST_RECORD_BYTES (1u << 20)
#define MOST_FIELDS 4096u
#define MOST_TYPES 4096u
#define KEPT_UNIT 8u /* alignment of what is kept */
#define KEPT_CHUNK 4096u

/* A string of the file. */
typedef struct String {
    const char *text;
    uint32_t length;
} String;

struct Recording {
    FILE *file;
    char *path;
    uint64_t size;
    uint64_t at;                  /* of the chunk in hand */
    uint64_t next;                /* after it */
    uint16_t minor;               /* version of the file */
    char *chunk;                  /* what the chunk in hand holds */
    size_t capacity;              /* of chunk */
    struct OpprofTextChunk *kept; /* texts and types */
    bool no_memory;               /* for one of them */
    const OpprofRecordType **types;
    uint32_t type_count;
    uint32_t type_capacity;
    String *strings;
    uint32_t string_count;
    uint32_t string_capacity;
    OpprofTrack *tracks;
    uint32_t track_count;
    uint32_t track_capacity;
    OpprofClock *clocks;
    uint32_t clock_count;
    uint32_t clock_capacity;
    RecordingLink about;
    uint64_t batches, records, unknown;
    uint32_t end;
    const char *reasons;
};

/* Room that lasts as long as the recording; NULL without memory. */
static void *keep(Recording *recording, size_t size)
{
    void *room =
        ChunksTake(&recording->kept, (size + KEPT_UNIT - 1) / KEPT_UNIT * KEPT_UNIT, KEPT_CHUNK);

    recording->no_memory |= room == NULL;
    return room;
}

/* ---- the bytes of a chunk ---- */

/* The rest of a chunk. Reading beyond its end gives zeros and is noted. */
typedef struct View {
    const unsigned char *at;
    size_t left;
    bool is_short;
} View;

static const unsigned char *take(View *view, size_t size)
{
    const unsigned char *at = view->at;

    if (view->is_short || view->left < size) { /* after a cut not even an empty text comes */
        view->is_short = true;
        view->left = 0;
        return NULL;
    }
    if (size > 0) { /* what is cut short before may be nowhere */
        view->at += size;
        view->left -= size;
    }
    return at;
}

static uint64_t take_number(View *view, size_t size)
{
    const unsigned char *at = take(view, size);
    uint64_t value = 0;

    for (size_t i = size; at != NULL && i > 0; i--) {
        value = value << 8 | at[i - 1];
    }
    return value;
}

static uint32_t take_u32(View *view)
{
    return (uint32_t) take_number(view, 4);
}

static uint64_t take_u64(View *view)
{
    return take_number(view, 8);
}

/* A part of a chunk that begins with its size; parts of newer versions may be longer. */
static View take_part(View *view)
{
    const uint32_t size = take_u32(view);
    const unsigned char *at = take(view, size);

    return (View){ at, at == NULL ? 0 : size, at == NULL };
}

/* A text, which is kept; NULL: none, or no memory. */
static const char *take_text(Recording *recording, View *view)
{
    const uint32_t length = take_u32(view);
    const unsigned char *at = length == RECORDING_NONE ? NULL : take(view, length);
    char *text = at == NULL ? NULL : keep(recording, (size_t) length + 1);

    if (text != NULL) {
        memcpy(text, at, length);
        text[length] = '\0';
    }
    return text;
}

/* ---- what is wrong ---- */

OPPROF_PRINTF(3, 4)
static OpprofStatus damaged(const Recording *recording, OpprofError **error, const char *format,
                            ...)
{
    char why[160];
    va_list list;

    va_start(list, format);
    vsnprintf(why, sizeof why, format, list);
    va_end(list);
    return OpprofErrorSet(error, OPPROF_E_DATA,
                          "Cannot read recording '%s' from byte %" PRIu64 " on: %s",
                          recording->path, recording->at, why);
}

static OpprofStatus no_memory(const Recording *recording, OpprofError **error)
{
    return OpprofErrorNoMemory(error, "read recording '%s'", recording->path);
}

/* ---- chunks ---- */

static OpprofStatus read_bytes(Recording *recording, void *to, size_t size, OpprofError **error)
{
    if (fread(to, 1, size, recording->file) == size) {
        return OPPROF_OK;
    }
    return ferror(recording->file)
               ? OpprofErrorSet(error, OPPROF_E_IO, "Cannot read '%s': %s", recording->path,
                                strerror(errno))
               : damaged(recording, error, "the file ends in the middle of a piece");
}

/* The next chunk of any kind. OPPROF_E_DATA also at the end of the file: only "DONE" ends a
 * recording. */
static OpprofStatus next_chunk(Recording *recording, char kind[5], View *ret_view,
                               OpprofError **error)
{
    unsigned char head[RECORDING_CHUNK_HEAD];
    View view = { head, sizeof head, false };
    uint64_t length;
    uint32_t crc, given;
    OpprofStatus status;

    recording->at = recording->next;
    if (recording->at == recording->size) {
        return damaged(recording, error, "the file lacks the mark that ends a whole recording");
    }
    status = read_bytes(recording, head, sizeof head, error);
    if (status != OPPROF_OK) {
        return status;
    }
    memcpy(kind, take(&view, 4), 4);
    kind[4] = '\0';
    given = take_u32(&view);
    length = take_u64(&view);
    if (length > recording->size - recording->at - sizeof head) {
        return damaged(recording, error,
                       "a piece of %" PRIu64 " bytes, but only %" PRIu64 " are left", length,
                       recording->size - recording->at - sizeof head);
    }
    if (!OpprofGrow(&recording->chunk, &recording->capacity, (size_t) length + 1, 1)) {
        return no_memory(recording, error);
    }
    status = read_bytes(recording, recording->chunk, (size_t) length, error);
    if (status != OPPROF_OK) {
        return status;
    }
    recording->next = recording->at + sizeof head + length;
    crc = RecordingCrc(RecordingCrc(0, head, 4), head + 8, 8);
    crc = RecordingCrc(crc, recording->chunk, (size_t) length);
    if (crc != given) {
        return damaged(recording, error, "its checksum is %08" PRIx32 ", not %08" PRIx32, crc,
                       given);
    }
    *ret_view = (View){ (const unsigned char *) recording->chunk, (size_t) length, false };
    return OPPROF_OK;
}

/* Whether something of a chunk could not be taken. */
static bool lacks(const Recording *recording, const View *view)
{
    return recording->no_memory || view->is_short;
}

static OpprofStatus too_short(const Recording *recording, const char *what, OpprofError **error)
{
    if (recording->no_memory) {
        return no_memory(recording, error);
    }
    return damaged(recording, error, "a piece that describes %s is too short", what);
}

/* ---- types ---- */

/* A field of something of `bytes` bytes. */
static OpprofStatus read_field(Recording *recording, View *all, OpprofField *field, uint32_t bytes,
                               OpprofError **error)
{
    View view = take_part(all);

    field->kind = take_u32(&view);
    field->offset = take_u32(&view);
    field->decimals = take_u32(&view);
    field->flags = take_u32(&view);
    field->name = take_text(recording, &view);
    field->unit = take_text(recording, &view);
    field->meaning = take_text(recording, &view);
    field->absent = take_text(recording, &view);
    field->heading = take_text(recording, &view);
    if (view.left > 0) { /* since 1.1 */
        field->combine = take_u32(&view);
    }
    if (field->combine > OPPROF_COMBINE_NONE) {
        field->combine = OPPROF_COMBINE_UNKNOWN;
    }
    if (lacks(recording, &view) || field->name == NULL) {
        return too_short(recording, "a field", error);
    }
    if (FieldKindBytes(field->kind) == 0) {
        return damaged(recording, error,
                       "field '%.40s' is of kind %" PRIu32 ", which this version does not know",
                       field->name, field->kind);
    }
    if (field->offset > bytes || FieldKindBytes(field->kind) > bytes - field->offset) {
        return damaged(recording, error, "field '%.40s' is beyond the end of its record",
                       field->name);
    }
    return OPPROF_OK;
}

/* The type of the core that plugins compare with by address. */
static const OpprofRecordType *built_in(const OpprofRecordType *type)
{
    static const OpprofRecordType *const all[] = { &opprof_span_type, &opprof_counter_type,
                                                   &opprof_advice_type, &opprof_tables_type };

    for (size_t i = 0; i < OPPROF_COUNT(all); i++) {
        if (strcmp(all[i]->name, type->name) == 0 && all[i]->version == type->version &&
            all[i]->size == type->size) {
            return all[i];
        }
    }
    return type;
}

/* Room for fields, or for another array; all zero. */
static void *keep_array(Recording *recording, uint32_t count, size_t size)
{
    void *array = keep(recording, ((size_t) count + 1) * size);

    return array == NULL ? NULL : memset(array, 0, ((size_t) count + 1) * size);
}

static OpprofStatus read_fields(Recording *recording, View *view, OpprofField *fields,
                                uint32_t count, uint32_t bytes, OpprofError **error)
{
    OpprofStatus status = fields == NULL ? no_memory(recording, error) : OPPROF_OK;

    for (uint32_t f = 0; f < count && status == OPPROF_OK; f++) {
        status = read_field(recording, view, &fields[f], bytes, error);
    }
    return status;
}

static OpprofStatus read_elements(Recording *recording, View *all, OpprofElements *elements,
                                  OpprofError **error)
{
    View view = take_part(all);
    OpprofField *fields;

    elements->field = take_text(recording, &view);
    elements->size = take_u32(&view);
    elements->field_count = take_u32(&view);
    if (lacks(recording, &view) || elements->field == NULL || elements->size == 0 ||
        elements->size > MOST_RECORD_BYTES || elements->field_count > MOST_FIELDS) {
        return too_short(recording, "elements", error);
    }
    fields = keep_array(recording, elements->field_count, sizeof *fields);
    elements->fields = fields;
    return read_fields(recording, &view, fields, elements->field_count, elements->size, error);
}

/* An older file ends before its types mention elements. */
static OpprofStatus read_all_elements(Recording *recording, View *view, OpprofRecordType *type,
                                      OpprofError **error)
{
    const uint32_t count = view->left == 0 ? 0 : take_u32(view);
    OpprofElements *elements;
    OpprofStatus status = OPPROF_OK;

    if (count > MOST_FIELDS) {
        return too_short(recording, "elements", error);
    }
    elements = keep_array(recording, count, sizeof *elements);
    if (elements == NULL) {
        return no_memory(recording, error);
    }
    for (uint32_t i = 0; i < count && status == OPPROF_OK; i++) {
        status = read_elements(recording, view, &elements[i], error);
    }
    type->elements = count == 0 ? NULL : elements;
    return status;
}

static OpprofStatus fill_type(Recording *recording, View *view, OpprofRecordType *type,
                              OpprofError **error)
{
    OpprofField *fields;
    OpprofStatus status;

    type->struct_size = sizeof *type;
    type->version = take_u32(view);
    type->size = take_u32(view);
    type->flags = take_u32(view);
    type->name = take_text(recording, view);
    type->summary = take_text(recording, view);
    type->title = take_text(recording, view);
    type->file_hint = take_text(recording, view);
    type->field_count = take_u32(view);
    if (lacks(recording, view) || type->name == NULL) {
        return too_short(recording, "a record type", error);
    }
    if (type->size == 0 || type->size > MOST_RECORD_BYTES || type->field_count > MOST_FIELDS) {
        return damaged(recording, error,
                       "type '%.40s' has records of %" PRIu32 " bytes with %" PRIu32 " fields",
                       type->name, type->size, type->field_count);
    }
    fields = keep_array(recording, type->field_count, sizeof *fields);
    type->fields = fields;
    status = read_fields(recording, view, fields, type->field_count, type->size, error);
    return status == OPPROF_OK ? read_all_elements(recording, view, type, error) : status;
}

static OpprofStatus read_type(Recording *recording, View view, OpprofError **error)
{
    const uint32_t id = take_u32(&view);
    OpprofRecordType *type = keep_array(recording, 1, sizeof *type);
    OpprofStatus status;

    if (id != recording->type_count + 1 || id > MOST_TYPES) {
        return damaged(recording, error, "record types are not in the order of their numbers");
    }
    if (type == NULL || !OpprofGrow32(&recording->types, &recording->type_capacity,
                                      (size_t) recording->type_count + 1, sizeof type)) {
        return no_memory(recording, error);
    }
    status = fill_type(recording, &view, type, error);
    if (status == OPPROF_OK) {
        recording->types[recording->type_count++] = built_in(type);
    }
    return status;
}

/* ---- strings, tracks and clocks ---- */

static OpprofStatus read_strings(Recording *recording, View view, OpprofError **error)
{
    const uint32_t first = take_u32(&view);
    const uint32_t count = take_u32(&view);
    char *text = keep(recording, view.left); /* a NUL takes less room than a length */

    if (view.is_short || first != recording->string_count + 1 || count > view.left / 4) {
        return damaged(recording, error, "strings are not in the order of their numbers");
    }
    if (text == NULL || !OpprofGrow32(&recording->strings, &recording->string_capacity,
                                      (size_t) recording->string_count + count, sizeof(String))) {
        return no_memory(recording, error);
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t length = take_u32(&view);
        const unsigned char *at = take(&view, length);

        if (at == NULL) {
            return too_short(recording, "strings", error);
        }
        recording->strings[recording->string_count++] = (String){ text, length };
        text = (char *) mempcpy(text, at, length) + 1;
        text[-1] = '\0';
    }
    return OPPROF_OK;
}

static OpprofStatus read_track(Recording *recording, View view, OpprofError **error)
{
    const uint32_t id = take_u32(&view);
    OpprofTrack *track;

    if (!OpprofGrow32(&recording->tracks, &recording->track_capacity,
                      (size_t) recording->track_count + 1, sizeof *track)) {
        return no_memory(recording, error);
    }
    track = &recording->tracks[recording->track_count];
    track->document = take_text(recording, &view);
    track->process = take_text(recording, &view);
    track->process_name = take_text(recording, &view);
    track->thread = take_text(recording, &view);
    track->thread_name = take_text(recording, &view);
    track->process_sort = (int32_t) take_u32(&view);
    track->thread_sort = (int32_t) take_u32(&view);
    track->flags = take_u32(&view);
    if (lacks(recording, &view) || id != recording->track_count + 1) {
        return too_short(recording, "a track", error);
    }
    recording->track_count++;
    return OPPROF_OK;
}

static OpprofStatus read_clock(Recording *recording, View view, OpprofError **error)
{
    const uint32_t id = take_u32(&view);
    OpprofClock *clock;

    if (!OpprofGrow32(&recording->clocks, &recording->clock_capacity,
                      (size_t) recording->clock_count + 1, sizeof *clock)) {
        return no_memory(recording, error);
    }
    clock = &recording->clocks[recording->clock_count];
    clock->hz = take_u64(&view);
    clock->offset_ps = (int64_t) take_u64(&view);
    clock->epoch_ns = (int64_t) take_u64(&view);
    clock->name = take_text(recording, &view);
    if (lacks(recording, &view) || id != recording->clock_count + 1 || clock->hz == 0) {
        return too_short(recording, "a clock", error);
    }
    recording->clock_count++;
    return OPPROF_OK;
}

static OpprofStatus read_link(Recording *recording, View view, OpprofError **error)
{
    uint32_t type;

    recording->about.link = take_text(recording, &view);
    recording->about.plugin = take_text(recording, &view);
    recording->about.plugin_version = take_text(recording, &view);
    recording->about.opprof = take_text(recording, &view);
    type = take_u32(&view);
    if (lacks(recording, &view) || recording->about.link == NULL ||
        recording->about.plugin == NULL || type == 0 || type > recording->type_count) {
        recording->about.link = NULL;
        return too_short(recording, "the link", error);
    }
    recording->about.type = recording->types[type - 1];
    return OPPROF_OK;
}

/* Another recording begins after what was read. */
static bool follows(const Recording *recording)
{
    char magic[RECORDING_MAGIC_BYTES];

    return fseeko(recording->file, (off_t) recording->next, SEEK_SET) == 0 &&
           fread(magic, 1, sizeof magic, recording->file) == sizeof magic &&
           memcmp(magic, RECORDING_MAGIC, sizeof magic) == 0;
}

static OpprofStatus read_done(Recording *recording, View view, OpprofError **error)
{
    const uint64_t batches = take_u64(&view);
    const uint64_t records = take_u64(&view);

    recording->end = take_u32(&view);
    recording->reasons = take_text(recording, &view);
    if (lacks(recording, &view)) {
        return too_short(recording, "the end", error);
    }
    if (batches != recording->batches || records != recording->records) {
        return damaged(recording, error,
                       "%" PRIu64 " records in %" PRIu64 " batches, but %" PRIu64 " in %" PRIu64
                       " were written",
                       recording->records, recording->batches, records, batches);
    }
    if (recording->next < recording->size && !follows(recording)) {
        recording->at = recording->next;
        return damaged(recording, error,
                       "%" PRIu64 " bytes come after the mark that a whole one ends with",
                       recording->size - recording->next);
    }
    return OPPROF_END;
}

/* ---- batches ---- */

typedef struct Check {
    const Recording *recording;
    bool is_bad;
} Check;

static uint32_t check_string(void *context, uint32_t id)
{
    Check *check = context;

    check->is_bad = check->is_bad || id > check->recording->string_count;
    return id;
}

static uint32_t check_track(void *context, uint32_t id)
{
    Check *check = context;

    check->is_bad = check->is_bad || id == 0 || id > check->recording->track_count;
    return id;
}

/* Texts lie in the blob, and numbers refer to something. */
static bool is_sound(const Recording *recording, const RecordingBatch *batch, char *records,
                     char *blob)
{
    Check check = { recording, false };
    const RecordingIds ids = { check_string, check_track, &check };
    const OpprofRecordType *type = batch->type;

    RecordingMapRecords(type, records, batch->count,
                        &(RecordingBlobs){ batch->blob, blob, batch->blob_size }, &ids);
    for (uint32_t f = 0; f < type->field_count; f++) {
        for (uint32_t i = 0; type->fields[f].kind == OPPROF_FIELD_TEXT && i < batch->count; i++) {
            OpprofText text;

            memcpy(&text, records + (size_t) i * type->size + type->fields[f].offset, sizeof text);
            if (text.offset != OPPROF_NA_U32 &&
                (text.offset > batch->blob_size || text.length > batch->blob_size - text.offset)) {
                return false;
            }
        }
    }
    return !check.is_bad;
}

static OpprofStatus read_batch(Recording *recording, View view, RecordingBatch *ret_batch,
                               OpprofError **error)
{
    View head = take_part(&view);
    const uint32_t type = take_u32(&head);
    char *records, *blob;

    ret_batch->partition = take_u32(&head);
    ret_batch->clock = take_u32(&head);
    ret_batch->count = take_u32(&head);
    ret_batch->blob_size = take_u32(&head);
    take_u64(&head); /* its number on the port: that of the replay is another */
    ret_batch->watermark = take_u64(&head);
    if (head.is_short) {
        return too_short(recording, "a batch", error);
    }
    if (type == 0 || type > recording->type_count ||
        ret_batch->partition > recording->string_count ||
        ret_batch->clock > recording->clock_count) {
        return damaged(recording, error, "a batch refers to something that the file lacks");
    }
    ret_batch->type = recording->types[type - 1];
    if (view.left != (uint64_t) ret_batch->count * ret_batch->type->size + ret_batch->blob_size) {
        return damaged(recording, error, "a batch of %" PRIu32 " records has the wrong size",
                       ret_batch->count);
    }
    records = recording->chunk + (view.at - (const unsigned char *) recording->chunk);
    blob = records + (size_t) ret_batch->count * ret_batch->type->size;
    ret_batch->records = records;
    ret_batch->blob = blob;
    if (!is_sound(recording, ret_batch, records, blob)) {
        return damaged(recording, error, "a record refers to something that the file lacks");
    }
    recording->batches++;
    recording->records += ret_batch->count;
    return OPPROF_OK;
}

/* ---- the file ---- */

/* A chunk other than a batch. Those whose kind begins with a small letter may be skipped. */
static OpprofStatus read_other(Recording *recording, const char *kind, View view,
                               OpprofError **error)
{
    static const struct {
        const char *kind;
        OpprofStatus (*read)(Recording *recording, View view, OpprofError **error);
    } kinds[] = { { "TYPE", read_type },  { "LINK", read_link },  { "STRS", read_strings },
                  { "TRAK", read_track }, { "CLOK", read_clock }, { "DONE", read_done } };

    for (size_t i = 0; i < OPPROF_COUNT(kinds); i++) {
        if (strcmp(kinds[i].kind, kind) == 0) {
            return kinds[i].read(recording, view, error);
        }
    }
    if (kind[0] >= 'a' && kind[0] <= 'z') {
        recording->unknown++;
        return OPPROF_OK;
    }
    return damaged(recording, error,
                   "a piece of the kind '%02x%02x%02x%02x', which this version does not know",
                   (unsigned char) kind[0], (unsigned char) kind[1], (unsigned char) kind[2],
                   (unsigned char) kind[3]);
}

OpprofStatus RecordingNext(Recording *recording, RecordingBatch *ret_batch, OpprofError **error)
{
    char kind[5];
    View view;
    OpprofStatus status;

    do {
        status = next_chunk(recording, kind, &view, error);
        if (status == OPPROF_OK && strcmp(kind, "BATC") == 0) {
            return read_batch(recording, view, ret_batch, error);
        }
        if (status == OPPROF_OK) {
            status = read_other(recording, kind, view, error);
        }
    } while (status == OPPROF_OK);
    return status;
}

static OpprofStatus read_version(Recording *recording, OpprofError **error)
{
    unsigned char head[RECORDING_HEAD];
    View view = { head + RECORDING_MAGIC_BYTES, sizeof head - RECORDING_MAGIC_BYTES, false };
    uint32_t major;

    if (fread(head, 1, sizeof head, recording->file) != sizeof head ||
        memcmp(head, RECORDING_MAGIC, RECORDING_MAGIC_BYTES) != 0) {
        return OpprofErrorSet(error, OPPROF_E_DATA, "'%s' is not a recording", recording->path);
    }
    major = (uint32_t) take_number(&view, 2);
    recording->minor = (uint16_t) take_number(&view, 2);
    recording->next += sizeof head;
    if (major != RECORDING_MAJOR) {
        OpprofErrorSet(error, OPPROF_E_DATA,
                       "Recording '%s' has format %" PRIu32 ".%u, but this opprof reads format %d",
                       recording->path, major, recording->minor, RECORDING_MAJOR);
        OpprofErrorHint(error, "Record the link again, or replay it with the opprof that wrote it");
        return OPPROF_E_DATA;
    }
    return OPPROF_OK;
}

/* Up to the piece that says what the link is, before which no batch may come. */
static OpprofStatus read_about(Recording *recording, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;
    char kind[5];
    View view;

    while (status == OPPROF_OK && recording->about.link == NULL) {
        status = next_chunk(recording, kind, &view, error);
        if (status == OPPROF_OK) {
            status = read_other(recording, kind, view, error);
        }
    }
    return status == OPPROF_END ? damaged(recording, error, "no link is named") : status;
}

OpprofStatus RecordingOpen(FILE *file, const char *path, uint64_t from, Recording **ret_recording,
                           OpprofError **error)
{
    Recording *recording = calloc(1, sizeof *recording);
    off_t size = -1;
    OpprofStatus status;

    *ret_recording = NULL;
    if (recording == NULL || (recording->path = strdup(path)) == NULL) {
        free(recording);
        fclose(file);
        return OpprofErrorNoMemory(error, "read recording '%s'", path);
    }
    recording->file = file;
    if (fseeko(file, 0, SEEK_END) == 0) {
        size = ftello(file);
    }
    if (size < 0 || fseeko(file, (off_t) from, SEEK_SET) != 0) {
        status = OpprofErrorSet(error, OPPROF_E_IO, "Cannot read '%s': %s", path, strerror(errno));
    } else {
        recording->size = (uint64_t) size;
        recording->next = from;
        status = read_version(recording, error);
    }
    if (status == OPPROF_OK) {
        status = read_about(recording, error);
    }
    if (status != OPPROF_OK) {
        RecordingDestroy(recording);
        return status;
    }
    *ret_recording = recording;
    return OPPROF_OK;
}

uint64_t RecordingEndOf(Recording *recording)
{
    unsigned char head[RECORDING_CHUNK_HEAD];
    bool is_done = false;

    while (!is_done && fseeko(recording->file, (off_t) recording->next, SEEK_SET) == 0 &&
           fread(head, 1, sizeof head, recording->file) == sizeof head) {
        View view = { head + 8, sizeof head - 8, false };
        const uint64_t length = take_u64(&view);

        if (length > recording->size - recording->next - sizeof head) {
            break;
        }
        recording->next += sizeof head + length;
        is_done = memcmp(head, "DONE", 4) == 0;
    }
    return is_done && follows(recording) ? recording->next : recording->size;
}

void RecordingDestroy(Recording *recording)
{
    if (recording == NULL) {
        return;
    }
    fclose(recording->file);
    free((void *) recording->types);
    free(recording->tracks);
    free(recording->clocks);
    free(recording->strings);
    free(recording->chunk);
    ChunksFree(&recording->kept);
    free(recording->path);
    free(recording);
}

/* ---- questions ---- */

const RecordingLink *RecordingAbout(const Recording *recording)
{
    return &recording->about;
}

uint32_t RecordingHowEnded(const Recording *recording, const char **ret_reasons)
{
    *ret_reasons = recording->reasons != NULL ? recording->reasons : "";
    return recording->end;
}

RecordingCounts RecordingCountNames(const Recording *recording)
{
    return (RecordingCounts){ recording->string_count, recording->track_count,
                              recording->clock_count };
}

const char *RecordingString(const Recording *recording, uint32_t id, size_t *ret_length)
{
    const String *string = &recording->strings[id - 1];

    *ret_length = string->length;
    return string->text;
}

const OpprofTrack *RecordingTrack(const Recording *recording, uint32_t id)
{
    return &recording->tracks[id - 1];
}

const OpprofClock *RecordingClock(const Recording *recording, uint32_t id)
{
    return &recording->clocks[id - 1];
}

uint64_t RecordingPlace(const Recording *recording, uint64_t *ret_size)
{
    *ret_size = recording->size;
    return recording->next;
}

uint64_t RecordingUnknown(const Recording *recording)
{
    return recording->unknown;
}
