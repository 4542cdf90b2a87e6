/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collect-mindspore: the files that MindSpore's profiler left up to version 2.3, in pieces, each
 * log as a whole. Tested by tests/plugins/collect-mindspore/test_raw.sh.
 */
#include "collect-mindspore/files.h"
#include "collect-mindspore/recognise.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <opprof/log.h>
#include <opprof/records/mindspore.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PIECE_BYTES (256u << 10) /* of a batch */

typedef struct Collector {
    OpprofStage *stage;
    const char *input;
    const OpprofParams *params;
    Files files;
    size_t next;
    int fd; /* of the file before `next`; below 0: none is open */
    uint64_t offset;
    uint64_t bytes;
} Collector;

static OpprofStatus no_memory(const Collector *self, OpprofError **error)
{
    return OpprofErrorNoMemory(error, "read '%s'", self->input);
}

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    const OpprofStatus status = OpprofInstanceCreate(stage, sizeof(Collector), ret_self, error);

    if (status == OPPROF_OK) {
        ((Collector *) *ret_self)->fd = -1;
    }
    return status;
}

static OpprofStatus configure(void *context, const OpprofParams *params, OpprofError **error)
{
    Collector *self = context;

    (void) error;
    self->input = OpprofParamsString(params, "input");
    self->params = params;
    return OPPROF_OK;
}

static OpprofStatus start(void *context, OpprofError **error)
{
    Collector *self = context;
    const OpprofStatus status =
        FilesFind(self->stage, self->input, self->params, &self->files, error);

    if (status == OPPROF_OK) {
        OpprofLog(OPPROF_LOG_INFO, OpprofStageId(self->stage), "Found: files=%zu, bytes=%" PRIu64,
                  self->files.count, self->files.bytes);
        OpprofStageProgress(self->stage, 0, self->files.bytes, "bytes");
    }
    return status;
}

/* ---- pieces ---- */

static void close_file(Collector *self)
{
    if (self->fd >= 0) {
        close(self->fd);
        self->fd = -1;
    }
}

/* Opens the next file. One that cannot be read leaves a gap in its log. */
static void open_next(Collector *self)
{
    const File *file = &self->files.list[self->next++];

    self->offset = 0;
    self->fd = open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (self->fd < 0) {
        OpprofStageIncomplete(self->stage, "'%s' is left out: %s", file->path, strerror(errno));
        if (!file->is_last) {
            self->files.list[self->next].has_gap = true;
        }
    } else if (file->size == 0) {
        OpprofStageIncomplete(self->stage, "'%s' is empty", file->path);
    }
    OpprofLog(OPPROF_LOG_DEBUG, OpprofStageId(self->stage), "Reading: path=%s, bytes=%" PRIu64,
              file->path, file->size);
}

/* Reads a piece of the open file. Returns how many bytes; 0: it has no more. */
static size_t read_piece(Collector *self, const File *file, char *room)
{
    ssize_t got;

    do {
        got = self->fd < 0 ? 0 : pread(self->fd, room, PIECE_BYTES, (off_t) self->offset);
    } while (got < 0 && errno == EINTR);
    if (got < 0 || (got == 0 && self->fd >= 0 && self->offset < file->size)) {
        OpprofStageIncomplete(self->stage, "'%s' is cut at byte %" PRIu64 ": %s", file->path,
                              self->offset, got < 0 ? strerror(errno) : "it became shorter");
    }
    return got < 0 ? 0 : (size_t) got;
}

static uint32_t intern(const Collector *self, const char *text)
{
    return OpprofStageIntern(self->stage, text, strlen(text));
}

static OpprofMindsporeChunk chunk_of(const Collector *self, const File *file, size_t got)
{
    const char *slash = strrchr(file->path, '/');
    const bool is_begin = self->offset == 0;
    char number[24];

    snprintf(number, sizeof number, "%" PRIu64, file->device);
    return (OpprofMindsporeChunk){
        .offset = self->offset,
        .device = intern(self, number),
        .kind = intern(self, file->kind->kind),
        .generation = file->kind->generation,
        .slice = file->place,
        .file = intern(self, slash == NULL ? file->path : slash + 1),
        .flags = (is_begin && file->is_first ? OPPROF_MINDSPORE_FIRST : 0) |
                 (is_begin && file->has_gap ? OPPROF_MINDSPORE_GAP : 0) |
                 (got == 0 && file->is_last ? OPPROF_MINDSPORE_LAST : 0),
    };
}

/* Appends a piece of the open file to a batch of its device. */
static OpprofStatus append_piece(Collector *self, OpprofBatch *batch, OpprofError **error)
{
    const File *file = &self->files.list[self->next - 1];
    char *room = OpprofBatchReserveText(batch, PIECE_BYTES);
    OpprofMindsporeChunk *chunk;
    size_t got;

    if (room == NULL) {
        return no_memory(self, error);
    }
    got = read_piece(self, file, room);
    chunk = OpprofBatchAppend(batch);
    *chunk = chunk_of(self, file, got);
    chunk->bytes = OpprofBatchCommitText(batch, got);
    batch->partition = chunk->device;
    self->offset += got;
    self->bytes += got;
    if (got == 0) {
        close_file(self);
    }
    return chunk->device == OPPROF_NA_STRING || chunk->file == OPPROF_NA_STRING
               ? no_memory(self, error)
               : OPPROF_OK;
}

/* Whether the next file, if any, is of another device. */
static bool ends_device(const Collector *self)
{
    return self->fd < 0 && self->next > 0 &&
           (self->next == self->files.count ||
            self->files.list[self->next].device != self->files.list[self->next - 1].device);
}

static OpprofStatus fill(Collector *self, OpprofBatch *batch, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    while (status == OPPROF_OK && batch->blob_size < PIECE_BYTES &&
           batch->count + 2 < batch->capacity) {
        if (self->fd < 0) {
            open_next(self);
        }
        status = append_piece(self, batch, error);
        if (ends_device(self)) {
            OpprofMindsporeChunk *end = OpprofBatchAppend(batch);

            *end =
                (OpprofMindsporeChunk){ .device = batch->partition, .bytes = { OPPROF_NA_U32, 0 } };
            batch->watermark = UINT64_MAX;
            return status;
        }
    }
    return status;
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *nothing,
                            OpprofError **error)
{
    Collector *self = context;
    OpprofBatch *batch;
    OpprofStatus status;

    (void) port;
    (void) nothing;
    if (self->fd < 0 && self->next == self->files.count) {
        return OPPROF_END;
    }
    batch = OpprofStageNewBatch(self->stage, 0);
    if (batch == NULL) {
        return no_memory(self, error);
    }
    status = fill(self, batch, error);
    if (status != OPPROF_OK) {
        OpprofBatchUnref(batch);
        return status;
    }
    OpprofStageProgress(self->stage, self->bytes, self->files.bytes, "bytes");
    return OpprofStagePush(self->stage, 0, batch);
}

static OpprofStatus flush(void *context, OpprofError **error)
{
    const Collector *self = context;

    (void) error;
    OpprofStageCount(self->stage, "files", self->next);
    OpprofStageCount(self->stage, "bytes", self->bytes);
    return OPPROF_OK;
}

static void destroy(void *context)
{
    Collector *self = context;

    close_file(self);
    FilesFinish(&self->files);
    free(self);
}

static const OpprofPort outputs[] = {
    { .name = "chunks",
      .record_type = &opprof_mindspore_chunk_type,
      .batch_records = 64,
      .summary = "Logs in pieces, device by device." },
};

static const OpprofParam params[] = {
    { .name = "input",
      .type = OPPROF_PARAM_PATH,
      .flags = OPPROF_PARAM_REQUIRED,
      .summary = "Folder of MindSpore's profiler, or one above it." },
    { .name = "device",
      .type = OPPROF_PARAM_LIST,
      .default_value = "all",
      .summary = "Devices to read, by the numbers in the names of the files, or all." },
};

static const OpprofPluginOps ops = {
    .struct_size = sizeof(OpprofPluginOps),
    .create = create,
    .configure = configure,
    .start = start,
    .process = process,
    .flush = flush,
    .destroy = destroy,
};

OPPROF_PLUGIN_DEFINE(
        .name = "collect-mindspore", .version = "1.0", .license = "Apache-2.0",
        .summary = "Collects the files that MindSpore's profiler left up to version 2.3.",
        .help = "Finds the logs of a folder, of its folder data, and of profiler and PROF_… below "
                "it, and puts the slices of each log in order. The parser reads the contents. A "
                "slice that is missing or cannot be read makes the run incomplete.",
        .kind = OPPROF_COLLECTOR, .outputs = outputs, .output_count = OPPROF_COUNT(outputs),
        .params = params, .param_count = OPPROF_COUNT(params), .ops = &ops,
        .input_kinds = recognise_kinds);
