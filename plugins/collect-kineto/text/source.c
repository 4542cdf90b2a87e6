/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text of a file or of a member of an archive, inflated where it begins like compressed data.
 * Tested by tests/plugins/collect-kineto/test_trace_reader and test_inputs.sh.
 */
#include "collect-kineto/text/source.h"

#include "collect-kineto/text/archive.h"
#include "collect-kineto/text/codec.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COMPRESSED_BUFFER (256u << 10)
#define HISTORY 16u /* bytes that an inflater may take and give back at the end of a member */

/* The beginning of a SQLite database, including the NUL. */
static const char database_magic[16] = "SQLite format 3";

struct Source {
    int fd;                      /* -1: in memory or in an archive */
    Archive *archive;            /* NULL: not in one */
    const unsigned char *memory; /* what of the buffer is left */
    size_t memory_left;
    uint64_t size;
    uint64_t done;
    const Codec *codec;    /* NULL: plain text */
    void *inflater;        /* of the codec */
    unsigned char *buffer; /* compressed bytes, or the first ones of a plain file */
    size_t buffer_at;
    size_t buffer_end;
    char head[sizeof database_magic]; /* the first inflated bytes, which were looked at */
    size_t head_at;
    size_t head_end;
    bool between_members; /* what follows in the buffer is not looked at yet */
    bool is_over;
    uint64_t text_bytes;      /* that were read */
    _Atomic uint64_t zero_at; /* the first zero among them; UINT64_MAX: none. Others may ask */
    const char *problem;
    char reason[128];              /* buffer for `problem` if it contains numbers */
    SourceIsStopping *is_stopping; /* NULL: reading cannot be stopped */
    const void *stop_context;
    bool was_stopped;
};

/* The text ends here. `at` is a byte of the file. */
static void end_with_problem(Source *source, const char *problem, uint64_t at)
{
    snprintf(source->reason, sizeof source->reason, "%s at byte %" PRIu64 " of the file", problem,
             at);
    source->problem = source->reason;
}

/* True, and the end of the text, if reading is to end. */
static bool is_stopped(Source *source)
{
    if (!source->was_stopped && source->is_stopping != NULL &&
        source->is_stopping(source->stop_context)) {
        source->was_stopped = true;
        end_with_problem(source, "the run was stopped", source->done);
    }
    return source->was_stopped;
}

/* The file ends here although it should not. */
static size_t fail_reading(Source *source, const char *why)
{
    snprintf(source->reason, sizeof source->reason,
             "reading fails at byte %" PRIu64 " of the file: %s", source->done, why);
    source->problem = source->reason;
    return 0;
}

static size_t read_member(Source *source, void *out, size_t size)
{
    const ssize_t got = ArchiveRead(source->archive, out, size);

    if (got < 0) {
        return fail_reading(source, ArchiveProblem(source->archive));
    }
    source->done += (uint64_t) got;
    return (size_t) got;
}

/* Bytes of the file, unchanged. */
static size_t read_raw(Source *source, void *out, size_t size)
{
    ssize_t got;

    if (source->archive != NULL) {
        return read_member(source, out, size);
    }
    if (source->fd < 0) {
        size = size < source->memory_left ? size : source->memory_left;
        memcpy(out, source->memory, size);
        source->memory += size;
        source->memory_left -= size;
        source->done += size;
        return size;
    }
    do {
        got = read(source->fd, out, size);
    } while (got < 0 && errno == EINTR);
    if (got < 0) {
        return fail_reading(source, strerror(errno));
    }
    source->done += (uint64_t) got;
    return (size_t) got;
}

/* More compressed bytes after those that are left. False at the end of the file. */
static bool fill_buffer(Source *source)
{
    const size_t kept = source->buffer_at < HISTORY ? source->buffer_at : HISTORY;
    const size_t dropped = source->buffer_at - kept;
    size_t got;

    memmove(source->buffer, source->buffer + dropped, source->buffer_end - dropped);
    source->buffer_end -= dropped;
    source->buffer_at = kept;
    got = read_raw(source, source->buffer + source->buffer_end,
                   COMPRESSED_BUFFER - source->buffer_end);
    source->buffer_end += got;
    return got > 0;
}

static size_t left_in_buffer(const Source *source)
{
    return source->buffer_end - source->buffer_at;
}

static const unsigned char *next_in_buffer(const Source *source)
{
    return source->buffer + source->buffer_at;
}

bool SourceIsDatabase(const Source *source)
{
    const size_t size = sizeof database_magic;

    if (source->inflater != NULL) {
        return source->head_end == size && memcmp(source->head, database_magic, size) == 0;
    }
    return source->buffer_at == 0 && source->buffer_end >= size &&
           memcmp(source->buffer, database_magic, size) == 0;
}

bool SourceIsPacked(const Source *source)
{
    return source->archive != NULL || source->inflater != NULL;
}

static Source *create(void)
{
    Source *source = calloc(1, sizeof *source);

    if (source == NULL) {
        return NULL;
    }
    source->fd = -1;
    source->zero_at = UINT64_MAX;
    source->buffer = malloc(COMPRESSED_BUFFER);
    if (source->buffer == NULL) {
        free(source);
        return NULL;
    }
    return source;
}

void SourceClose(Source *source)
{
    if (source == NULL) {
        return;
    }
    if (source->fd >= 0) {
        close(source->fd);
    }
    ArchiveClose(source->archive);
    if (source->inflater != NULL) {
        source->codec->destroy(source->inflater);
    }
    free(source->buffer);
    free(source);
}

static size_t read_plain(Source *source, char *out, size_t size)
{
    const size_t left = source->buffer_end - source->buffer_at;

    if (left == 0) {
        return read_raw(source, out, size);
    }
    size = size < left ? size : left;
    memcpy(out, source->buffer + source->buffer_at, size);
    source->buffer_at += size;
    return size;
}

/* Byte of the file that the inflater has reached. */
static uint64_t compressed_at(const Source *source)
{
    return source->done - (source->buffer_end - source->buffer_at);
}

/* After a member: true if another one follows. Anything else that follows is a problem. */
static bool begin_member(Source *source)
{
    while (left_in_buffer(source) < CODEC_MAGIC_BYTES && fill_buffer(source)) {
    }
    source->between_members = false;
    if (source->problem != NULL || source->buffer_at == source->buffer_end) {
        return false;
    }
    if (!source->codec->begins(next_in_buffer(source), left_in_buffer(source))) {
        end_with_problem(source, "the compressed data is followed by other bytes",
                         compressed_at(source));
        return false;
    }
    return source->codec->reset(source->inflater);
}

/* One step of inflating. False when there is no more. */
static bool inflate_some(Source *source, InflateBuffers *buffers)
{
    const size_t room = buffers->out_left;
    InflateResult result;

    if (source->between_members && !begin_member(source)) {
        return false;
    }
    buffers->in = source->buffer + source->buffer_at;
    buffers->in_left = source->buffer_end - source->buffer_at;
    result = source->codec->run(source->inflater, buffers);
    source->buffer_at = source->buffer_end - buffers->in_left;
    if (result == INFLATE_DAMAGED) {
        end_with_problem(source, "the compressed data is damaged", compressed_at(source));
        return false;
    }
    source->between_members = result == INFLATE_MEMBER;
    if (result == INFLATE_MORE && buffers->out_left == room && !fill_buffer(source)) {
        if (source->problem == NULL) {
            end_with_problem(source, "the compressed data ends in the middle", source->done);
        }
        return false;
    }
    return true;
}

static size_t read_inflated(Source *source, char *out, size_t size)
{
    InflateBuffers buffers = { .out = (unsigned char *) out, .out_left = size };

    while (!source->is_over && buffers.out_left > 0) {
        source->is_over = is_stopped(source) || !inflate_some(source, &buffers);
    }
    return size - buffers.out_left;
}

static size_t read_text(Source *source, char *out, size_t size)
{
    const size_t left = source->head_end - source->head_at;
    size_t looked_at;

    if (is_stopped(source)) {
        return 0;
    }
    if (source->inflater == NULL) {
        return source->problem == NULL ? read_plain(source, out, size) : 0;
    }
    looked_at = left < size ? left : size;
    memcpy(out, source->head + source->head_at, looked_at);
    source->head_at += looked_at;
    return looked_at + read_inflated(source, out + looked_at, size - looked_at);
}

size_t SourceRead(Source *source, char *out, size_t size)
{
    const size_t got = read_text(source, out, size);
    const char *zero = source->zero_at == UINT64_MAX && got > 0 ? memchr(out, '\0', got) : NULL;

    if (zero != NULL) {
        source->zero_at = source->text_bytes + (uint64_t) (zero - out);
    }
    source->text_bytes += got;
    return got;
}

uint64_t SourceZeroAt(const Source *source)
{
    return source->zero_at;
}

/* ---- opening ---- */

/* The first bytes of the first member, as far as the beginning of the file has them. */
static void inflate_head(Source *source)
{
    InflateBuffers buffers = { .out = (unsigned char *) source->head,
                               .out_left = sizeof source->head };

    while (!source->is_over && !source->between_members && buffers.out_left > 0 &&
           source->done <= COMPRESSED_BUFFER) {
        source->is_over = !inflate_some(source, &buffers);
    }
    source->head_end = sizeof source->head - buffers.out_left;
}

/* Looks at the first bytes. False without memory. */
static bool sniff(Source *source)
{
    while (source->buffer_end < sizeof database_magic && fill_buffer(source)) {
    }
    source->codec = CodecOf(next_in_buffer(source), left_in_buffer(source));
    if (source->codec == NULL) {
        return true;
    }
    source->inflater = source->codec->create();
    if (source->inflater == NULL) {
        return false;
    }
    inflate_head(source);
    return true;
}

static OpprofStatus open_file(Source *source, const char *path, OpprofError **error)
{
    struct stat facts;

    source->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (source->fd < 0 && errno == ENOTDIR) {
        const OpprofStatus status = ArchiveOpen(path, &source->archive, &source->size, error);

        if (status != OPPROF_E_NOT_FOUND) {
            return status;
        }
        errno = ENOTDIR;
    }
    if (source->fd < 0) {
        return OpprofErrorSet(error, errno == ENOENT ? OPPROF_E_NOT_FOUND : OPPROF_E_IO,
                              "Cannot open trace '%s': %s", path, strerror(errno));
    }
    if (fstat(source->fd, &facts) != 0) {
        return OpprofErrorSet(error, OPPROF_E_IO, "Cannot access trace '%s': %s", path,
                              strerror(errno));
    }
    if (!S_ISREG(facts.st_mode)) {
        return OpprofErrorSet(error, OPPROF_E_IO, "Cannot read trace '%s': not a regular file",
                              path);
    }
    source->size = (uint64_t) facts.st_size;
    (void) posix_fadvise(source->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    return OPPROF_OK;
}

OpprofStatus SourceOpen(const char *path, Source **ret_source, OpprofError **error)
{
    Source *source = create();
    OpprofStatus status;

    if (source == NULL) {
        return OpprofErrorNoMemory(error, "open trace '%s'", path);
    }
    status = open_file(source, path, error);
    if (status == OPPROF_OK && !sniff(source)) {
        status = OpprofErrorNoMemory(error, "open trace '%s'", path);
    }
    if (status != OPPROF_OK) {
        SourceClose(source);
        return status;
    }
    *ret_source = source;
    return OPPROF_OK;
}

Source *SourceOpenMemory(const void *bytes, size_t size)
{
    Source *source = create();

    if (source == NULL) {
        return NULL;
    }
    source->memory = bytes;
    source->memory_left = size;
    source->size = size;
    if (!sniff(source)) {
        SourceClose(source);
        return NULL;
    }
    return source;
}

void SourceSetStop(Source *source, SourceIsStopping *is_stopping, const void *context)
{
    source->is_stopping = is_stopping;
    source->stop_context = context;
}

bool SourceWasStopped(const Source *source)
{
    return source->was_stopped;
}

const char *SourceProblem(const Source *source)
{
    return source->problem;
}

uint64_t SourceDone(const Source *source)
{
    return source->done;
}

uint64_t SourceSize(const Source *source)
{
    return source->size;
}
