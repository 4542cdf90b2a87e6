/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collect-onboard: brings in the raw files that profiled operators left behind, launch by launch,
 * without looking into them.
 */
#include "discovery.h"

#include <opprof/onboard.h>
#include <opprof/stage.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECE_BYTES (256u << 10)            /* of a batch */
#define MAX_FILE_BYTES (UINT64_C(10) << 30) /* of a file */
#define OUTPUT_CHUNKS 0u

/* A file that is being read. */
typedef struct OpenFile {
    int fd; /* -1: none */
    uint64_t size;
    uint64_t offset;
    uint32_t name; /* interned */
} OpenFile;

typedef struct Collector {
    Stage *stage;
    const char *input;
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
    return OpprofErrorSet(error, OPPROF_E_MEMORY, "Cannot collect raw files: out of memory");
}

static OpprofStatus create(Stage *stage, void **ret_self, OpprofError **error)
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

static OpprofStatus configure(void *context, const Params *params, OpprofError **error)
{
    Collector *self = context;
    const size_t count = ParamsCount(params, "files");

    self->input = ParamsString(params, "input");
    self->patterns = calloc(count + 1, sizeof *self->patterns);
    if (self->patterns == NULL) {
        return no_memory(error);
    }
    if (count == 0) {
        return OpprofErrorSet(error, OPPROF_E_ARGUMENT, "Parameter 'files' names no file");
    }
    for (size_t i = 0; i < count; i++) {
        self->patterns[i] = ParamsElement(params, "files", i);
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

    const OpprofStatus status = LaunchesFind(self->input, &patterns, &self->launches, error);
    if (status == OPPROF_OK && self->launches.unreadable > 0) {
        StageIncomplete(self->stage, "%zu folders of '%s' are left out: %s",
                        self->launches.unreadable, self->input,
                        self->launches.first_unreadable == NULL ? ""
                                                                : self->launches.first_unreadable);
    }
    return status;
}

/* Opening */

/* NULL, or why a file cannot be read; errno tells more where `*ret_errno` is set. */
static const char *open_raw(const char *path, OpenFile *file, int *ret_errno)
{
    struct stat info;

    *ret_errno = 0;
    /* Without O_NONBLOCK a named pipe would keep us here for ever. */
    file->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file->fd < 0 || fstat(file->fd, &info) != 0) {
        *ret_errno = errno;
        return "it cannot be opened";
    }
    if (!S_ISREG(info.st_mode)) {
        return "it is not a regular file";
    }
    if ((uint64_t) info.st_size > MAX_FILE_BYTES) {
        return "it is larger than 10 GiB";
    }
    file->size = (uint64_t) info.st_size;
    file->offset = 0;
    return NULL;
}

static void close_file(Collector *self)
{
    if (self->file.fd >= 0) {
        close(self->file.fd);
        self->file.fd = -1;
    }
}

/* The next file that can be read becomes self->file; without one its fd stays -1. */
static OpprofStatus open_next(Collector *self, OpprofError **error)
{
    const Launch *launch = &self->launches.list[self->launch];

    while (self->file.fd < 0 && self->next_file < self->files.count) {
        const char *name = self->files.list[self->next_file++].name;
        char *path = NULL;
        int reason = 0;

        if (asprintf(&path, "%s/%s", launch->directory, name) < 0) {
            return no_memory(error);
        }
        const char *why = open_raw(path, &self->file, &reason);
        if (why != NULL) {
            StageIncomplete(self->stage, "'%s' is left out: %s%s%s", path, why,
                            reason != 0 ? ": " : "", reason != 0 ? strerror(reason) : "");
            close_file(self);
        }
        free(path);
        self->file.name = StageIntern(self->stage, name, strlen(name));
        self->files_read += why == NULL;
    }
    return OPPROF_OK;
}

/* Reading */

static uint32_t intern_part(const Collector *self, const char *part)
{
    return part == NULL ? OPPROF_NA_STRING : StageIntern(self->stage, part, strlen(part));
}

static OnboardChunk chunk_of(const Collector *self)
{
    const Launch *launch = &self->launches.list[self->launch];

    return (OnboardChunk){ .file = OPPROF_NA_STRING,
                           .device = intern_part(self, launch->device),
                           .kernel = intern_part(self, launch->kernel),
                           .order = intern_part(self, launch->order),
                           .bytes = { OPPROF_NA_U32, 0 } };
}

/* Bytes read, or -1 after a failure that was told. */
static ssize_t read_some(Collector *self, char *room, size_t size)
{
    ssize_t got;

    do {
        got = pread(self->file.fd, room, size, (off_t) self->file.offset);
    } while (got < 0 && errno == EINTR);
    if (got < 0 || (got == 0 && size > 0)) {
        StageIncomplete(self->stage, "'%s/%s' is cut at byte %" PRIu64 ": %s",
                        self->launches.list[self->launch].directory,
                        StageString(self->stage, self->file.name), self->file.offset,
                        got < 0 ? strerror(errno) : "it has become shorter");
        return -1;
    }
    return got;
}

/* One piece of the open file; closes it behind the last. */
static OpprofStatus append_piece(Collector *self, Batch *batch, OpprofError **error)
{
    OpenFile *file = &self->file;
    const uint64_t left = file->size - file->offset;
    const size_t wanted = left < PIECE_BYTES ? (size_t) left : PIECE_BYTES;
    char *room = BatchReserveText(batch, wanted + 1);
    OnboardChunk chunk = chunk_of(self);

    if (room == NULL) {
        return no_memory(error);
    }
    const ssize_t got = read_some(self, room, wanted);
    if (got < 0) {
        close_file(self);
        return OPPROF_OK;
    }
    chunk.file = file->name;
    chunk.offset = file->offset;
    chunk.file_size = file->size;
    chunk.bytes = BatchCommitText(batch, (size_t) got);
    OnboardChunk *record = BatchAppend(batch);
    if (record == NULL) {
        return OpprofErrorSet(error, OPPROF_E_LIMIT, "Cannot collect raw files: a batch is full");
    }
    *record = chunk;
    file->offset += (uint64_t) got;
    self->bytes_read += (uint64_t) got;
    if (file->offset == file->size) {
        close_file(self);
    }
    return OPPROF_OK;
}

static OpprofStatus begin_launch(Collector *self, OpprofError **error)
{
    const Patterns patterns = patterns_of(self);
    const Launch *launch = &self->launches.list[self->launch];
    OpprofError *reason = NULL;

    const OpprofStatus status = RawFilesFind(launch->directory, &patterns, &self->files, &reason);
    if (status == OPPROF_E_MEMORY) {
        OpprofErrorDestroy(reason);
        return no_memory(error);
    }
    if (status != OPPROF_OK) {
        StageIncomplete(self->stage, "launch '%s' is left out: %s", launch->place,
                        OpprofErrorMessage(reason));
        OpprofErrorDestroy(reason);
    }
    self->next_file = 0;
    self->is_open = true;
    return OPPROF_OK;
}

/* The record that says: nothing more of this launch. */
static void end_launch(Collector *self, Batch *batch)
{
    OnboardChunk *record = BatchAppend(batch);

    if (record != NULL) {
        *record = chunk_of(self);
        batch->watermark = UINT64_MAX;
    }
    RawFilesFree(&self->files);
    self->is_open = false;
    self->launch++;
    StageProgress(self->stage, self->launch, self->launches.count, "launches");
}

/* Pieces until the batch is well filled or the launch ends. */
static OpprofStatus fill(Collector *self, Batch *batch, OpprofError **error)
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

static OpprofStatus process(void *context, uint32_t port, const Batch *nothing, OpprofError **error)
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
    Batch *batch = status == OPPROF_OK ? StageNewBatch(self->stage, OUTPUT_CHUNKS) : NULL;
    if (batch == NULL) {
        return status == OPPROF_OK ? no_memory(error) : status;
    }
    batch->partition = intern_part(self, self->launches.list[self->launch].place);
    status = fill(self, batch, error);
    if (status != OPPROF_OK) {
        BatchUnref(batch);
        return status;
    }
    return StagePush(self->stage, OUTPUT_CHUNKS, batch);
}

static OpprofStatus flush(void *context, OpprofError **error)
{
    Collector *self = context;

    (void) error;
    StageCount(self->stage, "launches", self->launch);
    StageCount(self->stage, "files", self->files_read);
    StageCount(self->stage, "bytes", self->bytes_read);
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
    { .name = "files",
      .type = OPPROF_PARAM_LIST,
      .default_value = "op_basic_info.txt,duration.bin,DeviceProf*.bin,L2Cache.bin,MemoryChart.bin,"
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

OPPROF_PLUGIN_DEFINE(
        .name = "collect-onboard", .version = "1.0", .license = "Apache-2.0",
        .summary = "Brings in the raw files of operators that were profiled on a device.",
        .help =
            "Finds the launches of a run (<device>/<kernel>/<order>/dump) or takes one launch's "
            "files. "
            "What the files hold is the parsers' business. A file that cannot be read is left out: "
            "the run is then incomplete.",
        .kind = OPPROF_COLLECTOR, .outputs = outputs, .output_count = OPPROF_COUNT(outputs),
        .params = params, .param_count = OPPROF_COUNT(params), .ops = &ops);
