/* SPDX-License-Identifier: Apache-2.0 */
#include "log.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define LINES_BETWEEN_EVENTS 4096u

/* ---- finding the pieces ---- */

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorSet(error, OPPROF_E_MEMORY, "No memory to read dump files");
}

/* `<directory>/<prefix><file>`, with `.number` before the last dot or behind all unless it is 0.
 * NULL without memory. */
static char *piece_path(const char *directory, const char *prefix, const char *file, bool behind,
                        uint32_t number)
{
    const char *dot = behind ? file + strlen(file) : strrchr(file, '.');
    char *path = NULL;
    int length;

    if (number == 0 || dot == NULL) {
        length = asprintf(&path, "%s/%s%s", directory, prefix, file);
    } else {
        length = asprintf(&path, "%s/%s%.*s.%" PRIu32 "%s", directory, prefix, (int) (dot - file),
                          file, number, dot);
    }
    return length < 0 ? NULL : path;
}

static OpprofStatus check_size(const char *path, uint64_t size, uint64_t max_size,
                               OpprofError **error)
{
    if (size <= max_size) {
        return OPPROF_OK;
    }
    OpprofErrorSet(error, OPPROF_E_LIMIT,
                   "Dump file '%s' has %" PRIu64 " bytes, more than max_file_size allows (%" PRIu64
                   ")",
                   path, size, max_size);
    OpprofErrorHint(error, "raise it if the file is meant: max_file_size=%" PRIu64 "GiB",
                    (size >> 30) + 1);
    return OPPROF_E_LIMIT;
}

static OpprofStatus add_piece(SimFiles *files, const char *path, uint64_t size, OpprofError **error)
{
    SimPiece *pieces = reallocarray(files->pieces, (size_t) files->count + 1, sizeof *pieces);

    if (pieces == NULL) {
        return no_memory(error);
    }
    files->pieces = pieces;
    pieces[files->count] = (SimPiece){ .path = strdup(path), .size = size, .read = UINT64_MAX };
    if (pieces[files->count].path == NULL) {
        return no_memory(error);
    }
    files->count++;
    files->bytes += size;
    return OPPROF_OK;
}

/* Add a piece if it is there; OPPROF_END if it is not. */
static OpprofStatus find_piece(SimFiles *files, const char *path, uint64_t max_size,
                               OpprofError **error)
{
    struct stat about;
    OpprofStatus status;

    if (stat(path, &about) != 0) {
        return OPPROF_END;
    }
    status = check_size(path, (uint64_t) about.st_size, max_size, error);
    return status == OPPROF_OK ? add_piece(files, path, (uint64_t) about.st_size, error) : status;
}

static void reverse(SimFiles *files)
{
    for (uint32_t i = 0; i < files->count / 2; i++) {
        const SimPiece piece = files->pieces[i];

        files->pieces[i] = files->pieces[files->count - 1 - i];
        files->pieces[files->count - 1 - i] = piece;
    }
}

/* The first missing number ends them; the file without a number may be missing. */
OpprofStatus SimFilesFindNumbered(const char *directory, const char *prefix, const char *file,
                                  bool behind, uint64_t max_size, SimFiles *ret_files,
                                  OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    *ret_files = (SimFiles){ .count = 0 };
    for (uint32_t number = 0; status == OPPROF_OK; number++) {
        char *path = piece_path(directory, prefix, file, behind, number);

        status = path == NULL ? no_memory(error) : find_piece(ret_files, path, max_size, error);
        if (status == OPPROF_END && number == 0) {
            status = OPPROF_OK;
        }
        free(path);
    }
    reverse(ret_files);
    if (OpprofFailed(status)) {
        SimFilesFinish(ret_files);
        return status;
    }
    return OPPROF_OK;
}

OpprofStatus SimFilesFind(const char *directory, const char *prefix, const char *file,
                          uint64_t max_size, SimFiles *ret_files, OpprofError **error)
{
    return SimFilesFindNumbered(directory, prefix, file, false, max_size, ret_files, error);
}

void SimFilesFinish(SimFiles *files)
{
    for (uint32_t i = 0; i < files->count; i++) {
        free(files->pieces[i].path);
    }
    free(files->pieces);
    *files = (SimFiles){ .count = 0 };
}

/* ---- reading them ---- */

void SimLogInit(SimLog *log, SimFiles *files, const SimLogEvents *events)
{
    *log = (SimLog){ .files = files, .events = *events };
}

static void tell_lack(const SimLog *log, OpprofError **error)
{
    log->events.lack(log->events.context, OpprofErrorMessage(*error));
    OpprofErrorDestroy(*error);
    *error = NULL;
}

static void tell_bytes(SimLog *log, uint64_t now)
{
    if (now > log->told) {
        log->events.bytes(log->events.context, now - log->told);
        log->told = now;
    }
    log->lines = 0;
}

/* The first reading notes how much it can see, the second one keeps to that. */
static void compare_size(SimLog *log, SimPiece *piece)
{
    const uint64_t size = OpprofLineReaderSize(log->reader);
    char message[256];

    if (piece->read == UINT64_MAX) {
        piece->read = size;
    } else if (piece->read != size) {
        snprintf(message, sizeof message,
                 "Dump file '%.100s' changed while it was read, from %" PRIu64 " to %" PRIu64
                 " bytes",
                 piece->path, piece->read, size);
        log->events.lack(log->events.context, message);
    }
    log->limit = piece->read;
}

/* Open the next piece that can be; OPPROF_END when none is left. */
static OpprofStatus open_piece(SimLog *log, OpprofError **error)
{
    while (log->piece < log->files->count) {
        SimPiece *piece = &log->files->pieces[log->piece];
        OpprofError *reason = NULL;
        OpprofStatus status = OpprofLineReaderOpen(piece->path, &log->reader, &reason);

        log->told = 0;
        if (status == OPPROF_OK) {
            compare_size(log, piece);
            return OPPROF_OK;
        }
        if (status == OPPROF_E_MEMORY) {
            OpprofErrorDestroy(reason);
            return no_memory(error);
        }
        tell_lack(log, &reason);
        tell_bytes(log, piece->size);
        log->piece++;
    }
    return OPPROF_END;
}

static void tell_long_lines(const SimLog *log, const char *path)
{
    OpprofLineReaderCounts counts;
    char message[512];

    OpprofLineReaderGetCounts(log->reader, &counts);
    if (counts.too_long > 0) {
        const bool is_one = counts.too_long == 1;

        snprintf(message, sizeof message,
                 "%" PRIu64 " %s longer than %u bytes and %s skipped, the first at byte %" PRIu64
                 " of dump file '%.200s'",
                 counts.too_long, is_one ? "line is" : "lines are", OPPROF_LINE_READER_MAX_LINE,
                 is_one ? "was" : "were", counts.first_too_long, path);
        log->events.lack(log->events.context, message);
    }
}

static void close_piece(SimLog *log)
{
    const SimPiece *piece = &log->files->pieces[log->piece];

    tell_long_lines(log, piece->path);
    tell_bytes(log, piece->size);
    OpprofLineReaderClose(log->reader);
    log->reader = NULL;
    log->piece++;
}

/* Cut a line at what the first reading saw; false: it lies behind that. */
static bool limit_line(const SimLog *log, size_t *length)
{
    const uint64_t offset = OpprofLineReaderOffset(log->reader);

    if (offset >= log->limit) {
        return false;
    }
    if (*length > log->limit - offset) {
        *length = (size_t) (log->limit - offset);
    }
    return true;
}

OpprofStatus SimLogNext(void *self, const char **ret_line, size_t *ret_length, OpprofError **error)
{
    SimLog *log = self;

    for (;;) {
        OpprofError *reason = NULL;
        OpprofStatus status = log->reader == NULL ? open_piece(log, error) : OPPROF_OK;

        if (status != OPPROF_OK) {
            return status;
        }
        status = OpprofLineReaderNext(log->reader, ret_line, ret_length, &reason);
        if (status == OPPROF_OK && limit_line(log, ret_length)) {
            if (++log->lines == LINES_BETWEEN_EVENTS) {
                tell_bytes(log, OpprofLineReaderOffset(log->reader));
            }
            return OPPROF_OK;
        }
        if (OpprofFailed(status)) {
            tell_lack(log, &reason);
        }
        close_piece(log);
    }
}

void SimLogFinish(SimLog *log)
{
    OpprofLineReaderClose(log->reader);
    log->reader = NULL;
}
