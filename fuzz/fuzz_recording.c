/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of recordings. Checksums are made right first, so that what they
 * protect is looked at. */
#include "fuzz/fuzz.h"
#include "recording/recording.h"

#include <stdlib.h>
#include <string.h>

static uint64_t load(const uint8_t *at, size_t size)
{
    uint64_t value = 0;

    for (size_t i = size; i > 0; i--) {
        value = value << 8 | at[i - 1];
    }
    return value;
}

static void mend(uint8_t *bytes, size_t size)
{
    for (size_t at = RECORDING_HEAD; at + RECORDING_CHUNK_HEAD <= size;) {
        const uint64_t length = load(bytes + at + 8, 8);
        uint32_t crc;

        if (length > size - at - RECORDING_CHUNK_HEAD) {
            return;
        }
        crc = RecordingCrc(RecordingCrc(0, bytes + at, 4), bytes + at + 8, 8 + (size_t) length);
        for (size_t i = 0; i < 4; i++) {
            bytes[at + 4 + i] = (uint8_t) (crc >> (8 * i));
        }
        at += RECORDING_CHUNK_HEAD + (size_t) length;
    }
}

/* Every number in what was accepted stands for something. */
static uint32_t use_string(void *context, uint32_t id)
{
    size_t length;
    const char *text = RecordingString(context, id, &length);

    if (text[length] != '\0') {
        abort();
    }
    return id;
}

static uint32_t use_track(void *context, uint32_t id)
{
    const OpprofTrack *track = RecordingTrack(context, id);

    return track->document != NULL ? id : id + (uint32_t) (track->flags & 0);
}

static void use_batch(Recording *recording, const RecordingBatch *batch)
{
    const RecordingIds ids = { use_string, use_track, recording };
    const size_t bytes = (size_t) batch->count * batch->type->size;
    char *records = malloc(bytes + 1);
    char *blob = malloc((size_t) batch->blob_size + 1);

    if (records != NULL && blob != NULL) {
        memcpy(records, batch->records, bytes);
        memcpy(blob, batch->blob, batch->blob_size);
        RecordingMapRecords(batch->type, records, batch->count,
                            &(RecordingBlobs){ batch->blob, blob, batch->blob_size }, &ids);
    }
    free(records);
    free(blob);
}

/* The recording that begins there; returns where it ends. */
static uint64_t use_recording(uint8_t *bytes, size_t size, uint64_t from)
{
    Recording *recording = NULL;
    RecordingBatch batch;
    OpprofError *error = NULL;
    OpprofStatus status =
        RecordingOpen(fmemopen(bytes, size, "rb"), "fuzz", from, &recording, &error);
    uint64_t end = size;

    while (status == OPPROF_OK) {
        status = RecordingNext(recording, &batch, &error);
        if (status == OPPROF_OK) {
            use_batch(recording, &batch);
        }
    }
    if ((status == OPPROF_END) != (error == NULL)) {
        abort();
    }
    OpprofErrorDestroy(error);
    RecordingDestroy(recording);
    if (RecordingOpen(fmemopen(bytes, size, "rb"), "fuzz", from, &recording, NULL) == OPPROF_OK) {
        end = RecordingEndOf(recording);
        RecordingDestroy(recording);
    }
    return end;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *bytes = malloc(size + 1);
    uint64_t from = 0;

    if (bytes == NULL || size == 0) {
        free(bytes);
        return 0;
    }
    memcpy(bytes, data, size);
    while (from < size) {
        mend(bytes + from, size - from);

        const uint64_t end = use_recording(bytes, size, from);

        if (end <= from || end > size) {
            abort();
        }
        from = end;
    }
    free(bytes);
    return 0;
}
