/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collect-onboard: brings in the raw files that profiled operators left behind, launch by launch,
 * without looking into them.
 * Tested by tests/plugins/collect-onboard/test_ranges.sh.
 */
#include "discovery.h"
#include "range.h"
#include "recognise.h"

#include <opprof/records/onboard.h>
#include <opprof/stage.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PIECE_BYTES (256u << 10) /* of a batch */
#define BASIC_INFO "op_basic_info.txt"
#define OUTPUT_CHUNKS 0u

/* A file that is being read. */
typedef struct OpenFile {
    int fd; /* -1: none */
    uint64_t size;
    uint64_t offset;
    uint32_t name;        /* interned */
    const RawFile *raw;   /* borrowed */
    size_t extent;        /* of those of `raw`, the one that is being read … */
    uint64_t extent_done; /* … and how much of it was */
    const char *appendix; /* its last bytes; "": none. Borrowed */
} OpenFile;

typedef struct Collector {
    OpprofStage *stage;
    const char *input;
    const char *chip;
    const char **patterns;
    size_t pattern_count;
    Launches launches;
    size_t launch;  /* that is being read */
    RawFiles files; /* of that launch */
    size_t next_file;
    bool is_open; /* the launch's files are listed */
    OpenFile file;
    uint64_t files_read;
    uint64_t bytes_read;
} Collector;

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "collect raw files");
}

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    Collector *self = calloc(1, sizeof *self);

    if (self == NULL) {
        return no_memory(error);
    }
    self->stage = stage;
    self->file.fd = -1;
    *ret_self = self;
    return OPPROF_OK;
}

static OpprofStatus configure(void *context, const OpprofParams *params, OpprofError **error)
{
    Collector *self = context;
    const size_t count = OpprofParamsCount(params, "files");

    self->input = OpprofParamsString(params, "input");
    self->chip = OpprofParamsString(params, "chip");
    self->patterns = calloc(count + 1, sizeof *self->patterns);
    if (self->patterns == NULL) {
        return no_memory(error);
    }
    if (count == 0) {
        return OpprofErrorSet(error, OPPROF_E_ARGUMENT, "Parameter 'files' names no file");
    }
    for (size_t i = 0; i < count; i++) {
        self->patterns[i] = OpprofParamsElement(params, "files", i);
    }
    self->pattern_count = count;
    return OPPROF_OK;
}

static Patterns patterns_of(const Collector *self)
{
    return (Patterns){ .list = self->patterns, .count = self->pattern_count };
}

static OpprofStatus start(void *context, OpprofError **error)
{
    Collector *self = context;
    const Patterns patterns = patterns_of(self);

    OpprofStatus status = LaunchesFind(self->input, &patterns, &self->launches, error);
    if (status == OPPROF_OK) {
        status =
            RangesShareOut(self->stage, self->input, self->chip, &patterns, &self->launches, error);
    }
    if (status == OPPROF_OK && self->launches.unreadable > 0) {
        OpprofStageIncomplete(
            self->stage, "%zu folders of '%s' are left out: %s", self->launches.unreadable,
            self->input,
            self->launches.first_unreadable == NULL ? "" : self->launches.first_unreadable);
    }
    return status;
}

/* Opening */

static void close_file(Collector *self)
{
    if (self->file.fd >= 0) {
        close(self->file.fd);
        self->file.fd = -1;
    }
}

/* NULL, or why a file of the launch cannot be read. */
static const char *open_raw(const Launch *launch, const RawFile *raw, const char *path,
                            OpenFile *file, int *ret_errno)
{
    const char *why = RawFileOpen(path, &file->fd, &file->size, ret_errno);

    file->raw = raw;
    file->offset = 0;
    file->extent = 0;
    file->extent_done = 0;
    file->appendix =
        launch->appendix != NULL && strcmp(raw->name, BASIC_INFO) == 0 ? launch->appendix : "";
    if (why == NULL && raw->extents != NULL) {
        file->size = 0;
        for (size_t i = 0; i < raw->extent_count; i++) {
            file->size += raw->extents[i].length;
        }
    }
    file->size += strlen(file->appendix);
    return why;
}

/* The next file that can be read becomes self->file; without one its fd stays -1. */
static OpprofStatus open_next(Collector *self, OpprofError **error)
{
    const Launch *launch = &self->launches.list[self->launch];

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
        }
        free(path);
        self->file.name = OpprofStageIntern(self->stage, raw->name, strlen(raw->name));
        self->files_read += why == NULL;
    }
    return OPPROF_OK;
}

/* Reading */

static uint32_t intern_part(const Collector *self, const char *part)
{
    return part == NULL ? OPPROF_NA_STRING : OpprofStageIntern(self->stage, part, strlen(part));
}

static OpprofOnboardChunk chunk_of(const Collector *self)
{
    const Launch *launch = &self->launches.list[self->launch];

    return (OpprofOnboardChunk){ .file = OPPROF_NA_STRING,
                                 .device = intern_part(self, launch->device),
                                 .kernel = intern_part(self, launch->kernel),
                                 .order = intern_part(self, launch->order),
                                 .bytes = { OPPROF_NA_U32, 0 },
                                 .flags = launch->is_range ? ONBOARD_CHUNK_RANGE : 0 };
}

/* Some of the file's own bytes at its offset, as pread(). */
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

/* Fills the room and moves on; false after a failure that was told. */
static bool read_some(Collector *self, char *room, size_t size)
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
                                  self->launches.list[self->launch].directory,
                                  OpprofStageString(self->stage, file->name), file->offset,
                                  got < 0 ? strerror(errno) : "it has become shorter");
            return false;
        }
        have += (size_t) got;
        file->offset += (uint64_t) got;
    }
    return true;
}

/* One piece of the open file; closes it behind the last. */
static OpprofStatus append_piece(Collector *self, OpprofBatch *batch, OpprofError **error)
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

static OpprofStatus begin_launch(Collector *self, OpprofError **error)
{
    const Patterns patterns = patterns_of(self);
    Launch *launch = &self->launches.list[self->launch];
    OpprofError *reason = NULL;

    const OpprofStatus status = RawFilesFind(launch, &patterns, &self->files, &reason);
    if (status == OPPROF_E_MEMORY) {
        OpprofErrorDestroy(reason);
        return no_memory(error);
    }
    if (status != OPPROF_OK) {
        OpprofStageIncomplete(self->stage, "Launch '%s' is left out: %s", launch->place,
                              OpprofErrorMessage(reason));
        OpprofErrorDestroy(reason);
    }
    self->next_file = 0;
    self->is_open = true;
    return OPPROF_OK;
}

/* The record that says: nothing more of this launch. */
static void end_launch(Collector *self, OpprofBatch *batch)
{
    OpprofOnboardChunk *record = OpprofBatchAppend(batch);

    if (record != NULL) {
        *record = chunk_of(self);
        batch->watermark = UINT64_MAX;
    }
    RawFilesFree(&self->files);
    self->is_open = false;
    self->launch++;
    OpprofStageProgress(self->stage, self->launch, self->launches.count, "launches");
}

/* Pieces until the batch is well filled or the launch ends. */
static OpprofStatus fill(Collector *self, OpprofBatch *batch, OpprofError **error)
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

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *nothing,
                            OpprofError **error)
{
    Collector *self = context;
    OpprofStatus status = OPPROF_OK;

    (void) port;
    (void) nothing;
    if (self->launch == self->launches.count) {
        return OPPROF_END;
    }
    if (!self->is_open) {
        status = begin_launch(self, error);
    }
    OpprofBatch *batch =
        status == OPPROF_OK ? OpprofStageNewBatch(self->stage, OUTPUT_CHUNKS) : NULL;
    if (batch == NULL) {
        return status == OPPROF_OK ? no_memory(error) : status;
    }
    batch->partition = intern_part(self, self->launches.list[self->launch].place);
    status = fill(self, batch, error);
    if (status != OPPROF_OK) {
        OpprofBatchUnref(batch);
        return status;
    }
    return OpprofStagePush(self->stage, OUTPUT_CHUNKS, batch);
}

static OpprofStatus flush(void *context, OpprofError **error)
{
    Collector *self = context;

    (void) error;
    OpprofStageCount(self->stage, "launches", self->launch);
    OpprofStageCount(self->stage, "files", self->files_read);
    OpprofStageCount(self->stage, "bytes", self->bytes_read);
    return OPPROF_OK;
}

static OpprofStatus stop(void *context, OpprofError **error)
{
    (void) error;
    close_file(context);
    return OPPROF_OK;
}

static void destroy(void *context)
{
    Collector *self = context;

    close_file(self);
    RawFilesFree(&self->files);
    LaunchesFree(&self->launches);
    free(self->patterns);
    free(self);
}

static const OpprofPort outputs[] = {
    { .name = "chunks",
      .record_type = &opprof_onboard_chunk_type,
      .batch_records = 256,
      .summary = "Raw files in pieces, launch by launch." },
};

static const OpprofParam params[] = {
    { .name = "input",
      .type = OPPROF_PARAM_PATH,
      .flags = OPPROF_PARAM_REQUIRED,
      .summary = "A folder of raw files of one launch, or the directory of a run." },
    { .name = "chip",
      .type = OPPROF_PARAM_STRING,
      .default_value = "auto",
      .summary = "SoC or series that ran, to share out the files of range replays; auto: as the "
                 "data names it." },
    { .name = "files",
      .type = OPPROF_PARAM_LIST,
      .default_value = "op_basic_info.txt,duration.bin,DeviceProf*.bin,L2Cache.bin,"
                       "pc_start_addr.txt,DbiArea.bin,DbiPackets.bin,MemoryChart.bin,"
                       "OperandRecord.bin",
      .summary = "Names of the files to bring in, with * and ?; they come in this order." },
};

static const OpprofPluginOps ops = {
    .struct_size = sizeof(OpprofPluginOps),
    .create = create,
    .configure = configure,
    .start = start,
    .process = process,
    .flush = flush,
    .stop = stop,
    .destroy = destroy,
};

static const char *const chip_sections[] = { "perfmon", "pmu", NULL };

OPPROF_PLUGIN_DEFINE(
        .name = "collect-onboard", .version = "1.0", .license = "Apache-2.0",
        .summary = "Brings in the raw files of operators that were profiled on a device.",
        .help =
            "Finds the launches of a run (<device>/<kernel>/<order>/dump) or takes one launch's "
            "files. Kernels that were replayed together as a range (tmp_dump) get their share of "
            "its files. "
            "What the files hold is the parsers' business. A file that cannot be read is left out: "
            "the run is then incomplete.",
        .kind = OPPROF_COLLECTOR, .outputs = outputs, .output_count = OPPROF_COUNT(outputs),
        .params = params, .param_count = OPPROF_COUNT(params), .ops = &ops,
        .chip_sections = chip_sections, .input_kinds = recognise_kinds);
