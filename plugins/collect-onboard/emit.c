/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Emits the raw files of a launch in pieces, file by file.
 * Tested by tests/plugins/collect-onboard/test_ranges.sh.
 */
#include "emit.h"
#include "names.h"

#include <errno.h>
#include <inttypes.h>
#include <opprof/log.h>
#include <opprof/records/onboard.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PIECE_BYTES (256u << 10) /* of a batch */
#define OUTPUT_CHUNKS 0u

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "collect raw files");
}

/* ---- opening ---- */

static void close_file(Emitter *self)
{
    if (self->file.fd >= 0) {
        close(self->file.fd);
        self->file.fd = -1;
    }
}

/* NULL, or the reason why a file of the launch cannot be read. */
static const char *open_raw(const Launch *launch, const RawFile *raw, const char *path,
                            OpenFile *file, int *ret_errno)
{
    const char *why = RawFileOpen(path, &file->fd, &file->size, ret_errno);

    file->raw = raw;
    file->offset = 0;
    file->extent = 0;
    file->extent_done = 0;
    file->appendix = launch->appendix != NULL && NamesIs(raw->name, "info") ? launch->appendix : "";
    if (why == NULL && raw->extents != NULL) {
        file->size = 0;
        for (size_t i = 0; i < raw->extent_count; i++) {
            file->size += raw->extents[i].length;
        }
    }
    file->size += strlen(file->appendix);
    return why;
}

/* The next readable file becomes self->file; without one its fd stays -1. */
static OpprofStatus open_next(Emitter *self, OpprofError **error)
{
    const Launch *launch = self->launch;

    while (self->file.fd < 0 && self->next_file < self->files.count) {
        const RawFile *raw = &self->files.list[self->next_file++];
        char *path = NULL;
        int reason = 0;

        if ((raw->path != NULL ? asprintf(&path, "%s", raw->path)
                               : asprintf(&path, "%s/%s", launch->directory, raw->name)) < 0) {
            return no_memory(error);
        }
        const char *why = open_raw(launch, raw, path, &self->file, &reason);
        if (why != NULL) {
            OpprofStageIncomplete(self->stage, "'%s' is left out: %s%s%s", path, why,
                                  reason != 0 ? ": " : "", reason != 0 ? strerror(reason) : "");
            self->is_reported = true;
        } else {
            self->opened_bytes += self->file.size - strlen(self->file.appendix);
        }
        free(path);
        self->file.name = OpprofStageIntern(self->stage, raw->name, strlen(raw->name));
        self->files_read += why == NULL;
    }
    return OPPROF_OK;
}

/* ---- reading ---- */

static uint32_t intern_part(const Emitter *self, const char *part)
{
    return part == NULL ? OPPROF_NA_STRING : OpprofStageIntern(self->stage, part, strlen(part));
}

static OpprofOnboardChunk chunk_of(const Emitter *self)
{
    const Launch *launch = self->launch;

    return (OpprofOnboardChunk){ .file = OPPROF_NA_STRING,
                                 .device = intern_part(self, launch->device),
                                 .kernel = intern_part(self, launch->kernel),
                                 .order = intern_part(self, launch->order),
                                 .bytes = { OPPROF_NA_U32, 0 },
                                 .flags = launch->is_range ? OPPROF_ONBOARD_CHUNK_RANGE : 0 };
}

/* Reads some of the file's own bytes at its offset, as pread(). */
static ssize_t read_extent(OpenFile *file, char *room, size_t size)
{
    if (file->raw->extents == NULL) {
        return RawFileRead(file->fd, room, size, file->offset);
    }
    while (file->extent_done == file->raw->extents[file->extent].length) {
        file->extent++;
        file->extent_done = 0;
    }
    const Extent *extent = &file->raw->extents[file->extent];
    const uint64_t left = extent->length - file->extent_done;
    const ssize_t got = RawFileRead(file->fd, room, left < size ? (size_t) left : size,
                                    extent->offset + file->extent_done);
    file->extent_done += got > 0 ? (uint64_t) got : 0;
    return got;
}

/* Fills the room and moves on; false after a reported failure. */
static bool read_some(Emitter *self, char *room, size_t size)
{
    OpenFile *file = &self->file;
    const size_t tail = strlen(file->appendix);

    for (size_t have = 0; have < size;) {
        const uint64_t own = file->size - tail;
        if (file->offset >= own) {
            memcpy(room + have, file->appendix + (file->offset - own), size - have);
            file->offset += size - have;
            return true;
        }
        const uint64_t left = own - file->offset;
        const size_t wanted = left < size - have ? (size_t) left : size - have;
        const ssize_t got = read_extent(file, room + have, wanted);
        if (got <= 0) {
            OpprofStageIncomplete(self->stage, "'%s/%s' is cut at byte %" PRIu64 ": %s",
                                  self->launch->directory,
                                  OpprofStageString(self->stage, file->name), file->offset,
                                  got < 0 ? strerror(errno) : "it became shorter");
            return false;
        }
        have += (size_t) got;
        file->offset += (uint64_t) got;
    }
    return true;
}

/* Emits one piece of the open file; closes it after the last. */
static OpprofStatus append_piece(Emitter *self, OpprofBatch *batch, OpprofError **error)
{
    OpenFile *file = &self->file;
    const uint64_t left = file->size - file->offset;
    const size_t wanted = left < PIECE_BYTES ? (size_t) left : PIECE_BYTES;
    char *room = OpprofBatchReserveText(batch, wanted + 1);
    OpprofOnboardChunk chunk = chunk_of(self);

    if (room == NULL) {
        return no_memory(error);
    }
    const uint64_t offset = file->offset;
    const bool is_whole = read_some(self, room, wanted);
    const size_t got = (size_t) (file->offset - offset);
    if (got == 0 && !is_whole) {
        close_file(self);
        return OPPROF_OK;
    }
    chunk.file = file->name;
    chunk.offset = offset;
    chunk.file_size = file->size;
    chunk.bytes = OpprofBatchCommitText(batch, got);
    OpprofOnboardChunk *record = OpprofBatchAppend(batch);
    if (record == NULL) {
        return OpprofErrorSet(error, OPPROF_E_LIMIT, "Cannot collect raw files: a batch is full");
    }
    *record = chunk;
    self->bytes_read += got;
    if (file->offset == file->size || !is_whole) {
        close_file(self);
    }
    return OPPROF_OK;
}

OpprofStatus EmitBegin(Emitter *self, Launch *launch, const Patterns *patterns, OpprofError **error)
{
    OpprofError *reason = NULL;

    const OpprofStatus status = RawFilesFind(launch, patterns, &self->files, &reason);
    if (status == OPPROF_E_MEMORY) {
        OpprofErrorPass(error, reason);
        return status;
    }
    if (status != OPPROF_OK) {
        OpprofStageIncomplete(self->stage, "Launch '%s' is left out: %s", launch->place,
                              OpprofErrorLine(reason));
        OpprofErrorDestroy(reason);
    }
    self->is_reported = status != OPPROF_OK;
    self->opened_bytes = 0;
    OpprofLog(OPPROF_LOG_INFO, OpprofStageId(self->stage), "Opened launch '%s': files=%zu",
              launch->place, (size_t) self->files.count);
    self->launch = launch;
    self->file.fd = -1;
    self->next_file = 0;
    return OPPROF_OK;
}

/* Files may go, or lose their end, between the first look at all launches and the reading of this
 * one. */
static void report_loss(const Emitter *self)
{
    const Launch *launch = self->launch;

    if (!self->is_reported && launch->part_count == 0 && self->opened_bytes < launch->found_bytes) {
        OpprofStageIncomplete(self->stage,
                              "The files in '%s' had %" PRIu64 " bytes when they were found, but "
                              "only %" PRIu64 " when they were read",
                              launch->directory, launch->found_bytes, self->opened_bytes);
    }
}

/* Emits the record that ends a launch. */
static void end_launch(Emitter *self, OpprofBatch *batch)
{
    OpprofOnboardChunk *record = OpprofBatchAppend(batch);

    if (record != NULL) {
        *record = chunk_of(self);
        batch->watermark = UINT64_MAX;
    }
    report_loss(self);
    RawFilesFree(&self->files);
    self->launch = NULL;
}

/* Emits pieces until the batch is well filled or the launch ends. */
static OpprofStatus fill(Emitter *self, OpprofBatch *batch, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    while (status == OPPROF_OK && batch->blob_size < PIECE_BYTES &&
           batch->count + 1 < batch->capacity) {
        status = open_next(self, error);
        if (status == OPPROF_OK && self->file.fd < 0) {
            end_launch(self, batch);
            return OPPROF_OK;
        }
        if (status == OPPROF_OK) {
            status = append_piece(self, batch, error);
        }
    }
    return status;
}

OpprofStatus EmitSome(Emitter *self, OpprofError **error)
{
    OpprofBatch *batch = OpprofStageNewBatch(self->stage, OUTPUT_CHUNKS);

    if (batch == NULL) {
        return no_memory(error);
    }
    batch->partition = intern_part(self, self->launch->place);
    const OpprofStatus status = fill(self, batch, error);
    if (status != OPPROF_OK) {
        OpprofBatchUnref(batch);
        return status;
    }
    return OpprofStagePush(self->stage, OUTPUT_CHUNKS, batch);
}

void EmitCount(const Emitter *self)
{
    OpprofStageCount(self->stage, "files", self->files_read);
    OpprofStageCount(self->stage, "bytes", self->bytes_read);
}

void EmitFinish(Emitter *self)
{
    if (self->launch != NULL) {
        close_file(self);
    }
    RawFilesFree(&self->files);
    self->launch = NULL;
}
