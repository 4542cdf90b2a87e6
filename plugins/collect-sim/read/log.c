/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the pieces of a rotated log and reads them as one, identically in both readings.
 * Tested by tests/plugins/collect-sim/test_log.c.
 */
#include "log.h"
#include <inttypes.h>
#include <opprof/grow.h>
#include <opprof/kit/live_host.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define LINES_BETWEEN_EVENTS 4096u
/* How many numbers after a missing one are tried, to distinguish a gap from the end. */
#define MOST_LOST 32u

/* For what no ordinary line needs. Its buffers for messages would cost SimLogNext() a guarded stack
 * frame per line. */
#define RARE __attribute__((cold, noinline))

/* ---- finding the pieces ---- */

/* `<directory>/<prefix><file>`, with `.number` before the last dot or after all unless it is 0.
 * NULL without memory. */
static char *piece_path(const char *directory, const char *prefix, const char *file, bool after,
                        uint32_t number)
{
    const char *dot = after ? file + strlen(file) : strrchr(file, '.');
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

OpprofStatus SimFilesCheckSize(const char *path, uint64_t size, uint64_t max_size,
                               OpprofError **error)
{
    if (size <= max_size) {
        return OPPROF_OK;
    }
    OpprofErrorSet(error, OPPROF_E_LIMIT,
                   "Dump file '%s' has %" PRIu64 " bytes, more than max_file_size allows (%" PRIu64
                   ")",
                   path, size, max_size);
    OpprofErrorHint(error,
                    "If the file is the right one, raise the limit: max_file_size=%" PRIu64 "GiB",
                    (size >> 30) + 1);
    return OPPROF_E_LIMIT;
}

static OpprofStatus add_piece(SimFiles *files, const char *path, uint64_t size, bool is_recorded,
                              OpprofError **error)
{
    SimPiece piece = {
        .path = strdup(path), .size = size, .read = UINT64_MAX, .is_recorded = is_recorded
    };

    if (piece.path == NULL || !OpprofGrow32(&files->pieces, &files->room, (size_t) files->count + 1,
                                            sizeof *files->pieces)) {
        free(piece.path);
        return OpprofErrorNoMemory(error, "read dump file '%s'", path);
    }
    files->pieces[files->count] = piece;
    files->count++;
    files->bytes += size;
    return OPPROF_OK;
}

/* Records are whole; the dump file beside them may still be growing. */
static bool has_records(const char *path, struct stat *about)
{
    char *records = NULL;
    bool is_there;

    if (asprintf(&records, "%s" SIM_RECORDS_SUFFIX, path) < 0) {
        return false;
    }
    is_there = OpprofLiveStat(records, about) == 0;
    free(records);
    return is_there;
}

/* Add a piece if it exists; OPPROF_END if not. */
static OpprofStatus find_piece(SimFiles *files, const char *path, uint64_t max_size,
                               OpprofError **error)
{
    struct stat about;
    const bool is_recorded = has_records(path, &about);
    OpprofStatus status;

    if (!is_recorded && OpprofLiveStat(path, &about) != 0) {
        return OPPROF_END;
    }
    status = SimFilesCheckSize(path, (uint64_t) about.st_size, max_size, error);
    return status == OPPROF_OK
               ? add_piece(files, path, (uint64_t) about.st_size, is_recorded, error)
               : status;
}

static void reverse(SimFiles *files)
{
    for (uint32_t i = 0; i < files->count / 2; i++) {
        const SimPiece piece = files->pieces[i];

        files->pieces[i] = files->pieces[files->count - 1 - i];
        files->pieces[files->count - 1 - i] = piece;
    }
}

/* Add the piece with a number if it exists; OPPROF_END if not. */
static OpprofStatus find_number(SimFiles *files, const SimPlace *place, uint32_t number,
                                OpprofError **error)
{
    char *path = piece_path(place->directory, place->prefix, place->file, place->after, number);
    const OpprofStatus status = path == NULL ? OpprofErrorNoMemory(error, "read dump file '%s/%s'",
                                                                   place->directory, place->file)
                                             : find_piece(files, path, place->max_size, error);

    free(path);
    return status;
}

/* A number is missing: look for older pieces, which then count instead. */
static OpprofStatus cross_gap(SimFiles *files, const SimPlace *place, uint32_t number,
                              OpprofError **error)
{
    SimFiles older = { .count = 0 };
    OpprofStatus status = OPPROF_OK;

    for (uint32_t next = number + 1, end = next + MOST_LOST; !OpprofFailed(status) && next < end;
         next++) {
        status = find_number(&older, place, next, error);
        if (status == OPPROF_OK) {
            end = next + 2; /* up to the next number that is missing */
        }
    }
    if (!OpprofFailed(status) && older.count > 0) {
        older.lost = piece_path(place->directory, place->prefix, place->file, place->after, number);
        status = older.lost == NULL ? OpprofErrorNoMemory(error, "read dump file '%s/%s'",
                                                          place->directory, place->file)
                                    : OPPROF_END;
    }
    if (OpprofFailed(status) || older.count == 0) {
        SimFilesFinish(&older);
        return OpprofFailed(status) ? status : OPPROF_OK;
    }
    SimFilesFinish(files);
    *files = older;
    return OPPROF_OK;
}

OpprofStatus SimFilesFindNumbered(const SimPlace *place, SimFiles *ret_files, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;
    uint32_t number = 0;

    *ret_files = (SimFiles){ .count = 0 };
    while ((status = find_number(ret_files, place, number, error)) == OPPROF_OK) {
        number++;
    }
    if (status == OPPROF_END) {
        status = cross_gap(ret_files, place, number, error);
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
    const SimPlace place = {
        .directory = directory, .prefix = prefix, .file = file, .max_size = max_size
    };

    return SimFilesFindNumbered(&place, ret_files, error);
}

OpprofStatus SimFilesOfCannsim(const char *path, CannsimSteps *steps, SimFiles *ret_files,
                               OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    *ret_files = (SimFiles){ .count = 0 };
    if (steps->count > 0) {
        status = add_piece(ret_files, path, steps->count * CANNSIM_RECORD, false, error);
    }
    if (ret_files->count > 0) {
        ret_files->pieces[0].cannsim = *steps;
        *steps = (CannsimSteps){ .count = 0 };
    }
    return status;
}

void SimFilesFinish(SimFiles *files)
{
    for (uint32_t i = 0; i < files->count; i++) {
        free(files->pieces[i].path);
        free(files->pieces[i].cannsim.bytes);
    }
    free(files->pieces);
    free(files->lost);
    *files = (SimFiles){ .count = 0 };
}

/* ---- reading them ---- */

size_t SimLogTrimNothing(const char *line, size_t length)
{
    (void) line;
    return length;
}

void SimLogInit(SimLog *log, SimFiles *files, const SimLogEvents *events, SimLogTrim *trim)
{
    *log = (SimLog){ .files = files, .events = *events, .trim = trim, .what = "line" };
}

void SimLogUseForms(SimLog *log, const SimForms *forms)
{
    log->forms = forms;
    log->trim = forms == NULL ? log->trim : NULL;
}

RARE static void report_lack(const SimLog *log, OpprofError **error)
{
    log->events.lack(log->events.context, OpprofErrorLine(*error));
    OpprofErrorDestroy(*error);
    *error = NULL;
}

static void report_bytes(SimLog *log, uint64_t now)
{
    if (now > log->reported) {
        log->events.bytes(log->events.context, now - log->reported);
        log->reported = now;
    }
    log->lines = 0;
}

/* The first reading notes how much it can see, at least what was found; the second one reads the
 * same. */
static void compare_size(SimLog *log, SimPiece *piece)
{
    const uint64_t size = SimSourceSize(&log->source);
    char message[256];

    log->is_first = piece->read == UINT64_MAX;
    log->head = (SimLogHead){ .count = 0 };
    log->holes = 0;
    log->broken = 0;

    const uint64_t before = log->is_first ? piece->size : piece->read;

    if (log->is_first ? size < before && !piece->is_recorded : size != before) {
        snprintf(message, sizeof message,
                 "Dump file '%.100s' changed while it was read, from %" PRIu64 " to %" PRIu64
                 " bytes",
                 piece->path, before, size);
        log->events.lack(log->events.context, message);
    }
    piece->read = log->is_first ? size : piece->read;
    log->limit = piece->read;
    log->is_all = piece->read == size;
}

static void report_lost(SimLog *log)
{
    char message[512];

    log->is_lost_reported = true;
    snprintf(message, sizeof message,
             "Dump file '%.300s' is missing though older pieces of its log are there; what was "
             "logged from there on is left out",
             log->files->lost);
    log->events.lack(log->events.context, message);
}

/* Open the next piece that can be; OPPROF_END when none is left. */
RARE static OpprofStatus open_piece(SimLog *log, OpprofError **error)
{
    while (log->piece < log->files->count) {
        SimPiece *piece = &log->files->pieces[log->piece];
        OpprofError *reason = NULL;
        OpprofStatus status = SimSourceOpen(piece, &log->source, &reason);

        log->reported = 0;
        if (status == OPPROF_OK) {
            compare_size(log, piece);
            return OPPROF_OK;
        }
        if (status == OPPROF_E_MEMORY) {
            OpprofErrorPass(error, reason);
            return status;
        }
        report_lack(log, &reason);
        report_bytes(log, piece->size);
        log->piece++;
    }
    if (log->is_first && log->files->lost != NULL && !log->is_lost_reported) {
        report_lost(log);
    }
    return OPPROF_END;
}

static void report_long_lines(const SimLog *log, const char *path)
{
    SimLineReaderCounts counts;
    char message[512];

    SimSourceGetCounts(&log->source, &counts);
    if (counts.too_long > 0) {
        const bool is_one = counts.too_long == 1;

        snprintf(message, sizeof message,
                 "%" PRIu64 " %s longer than %u bytes and %s skipped, the first at byte %" PRIu64
                 " of dump file '%.200s'",
                 counts.too_long, is_one ? "line is" : "lines are", SIM_LINE_MOST,
                 is_one ? "was" : "were", counts.first_too_long, path);
        log->events.lack(log->events.context, message);
    }
}

static void report_holes(const SimLog *log, const SimPiece *piece)
{
    char message[512];

    if (log->holes > 0) {
        snprintf(message, sizeof message,
                 "%" PRIu64 " %s NUL bytes, the first at byte %" PRIu64
                 " of dump file '%.300s': the lines there are missing",
                 log->holes, log->holes == 1 ? "line has" : "lines have", log->first_hole,
                 piece->path);
        log->events.lack(log->events.context, message);
    }
}

void SimLogNoteBroken(SimLog *log)
{
    SimLineReaderCounts counts;

    if (log->broken++ == 0) {
        SimSourceGetCounts(&log->source, &counts);
        log->first_broken = counts.lines + counts.too_long;
    }
}

static void report_broken(const SimLog *log, const SimPiece *piece)
{
    char message[512];

    if (log->broken > 0) {
        snprintf(message, sizeof message,
                 "%" PRIu64
                 " %s%s of dump file '%.300s' that cannot be read %s left out, the first "
                 "in line %" PRIu64,
                 log->broken, log->what, log->broken == 1 ? "" : "s", piece->path,
                 log->broken == 1 ? "is" : "are", log->first_broken);
        log->events.lack(log->events.context, message);
    }
}

/* Each kind of log has ticks, so a piece without any is something else, or destroyed. */
static void report_strange(const SimLog *log, const SimPiece *piece)
{
    char message[512];

    if (log->is_first && log->head.count == 0 && log->limit > 0) {
        snprintf(message, sizeof message, "No line of dump file '%.300s' %s", piece->path,
                 log->forms == NULL
                     ? "begins with a tick"
                     : "has a form that the chip's file states (simulator.logs.line)");
        log->events.lack(log->events.context, message);
    }
}

RARE static void close_piece(SimLog *log)
{
    const SimPiece *piece = &log->files->pieces[log->piece];

    report_long_lines(log, piece->path);
    report_holes(log, piece);
    report_broken(log, piece);
    report_strange(log, piece);
    report_bytes(log, piece->size);
    SimSourceClose(&log->source);
    log->piece++;
}

/* ---- a cut line, repeated lines ---- */

/* A line without its end, which only the last one can be. */
RARE static size_t trim_cut(const SimLog *log, const char *line, size_t length)
{
    const size_t kept = log->trim == NULL ? 0 : log->trim(line, length);
    char message[512];

    if (log->is_first) {
        snprintf(message, sizeof message,
                 "Dump file '%.300s' ends in the middle of a line, at byte %" PRIu64
                 ": the lines from there on are missing",
                 log->files->pieces[log->piece].path, SimSourceOffset(&log->source) + length);
        log->events.lack(log->events.context, message);
    }
    return kept;
}

/* "[info] " or not, '[' or '@' or none, and a digit: each kind of log has a tick there. */
static bool has_tick(const char *line, size_t length)
{
    size_t at = length > 7 && memcmp(line, "[info] ", 7) == 0 ? 7 : 0;

    at += at < length && (line[at] == '[' || line[at] == '@');
    return at < length && line[at] >= '0' && line[at] <= '9';
}

static bool is_head_line(const SimLogHead *head, unsigned which, const char *line, size_t length)
{
    return length == head->length[which] &&
           memcmp(line, head->text[which],
                  length < SIM_LOG_HEAD_BYTES ? length : SIM_LOG_HEAD_BYTES) == 0;
}

static bool is_one_of(const SimLog *log, const char *line, size_t length)
{
    SimLine unused;

    if (log->is_free) {
        return true;
    }
    return log->forms == NULL ? has_tick(line, length)
                              : SimFormsParse(log->forms, line, length, &unused);
}

RARE static void learn_head(SimLog *log, const char *line, size_t length)
{
    SimLogHead *head = &log->head;

    if (!is_one_of(log, line, length) ||
        (head->count == 1 && is_head_line(head, 0, line, length))) {
        return;
    }
    memcpy(head->text[head->count], line,
           length < SIM_LOG_HEAD_BYTES ? length : SIM_LOG_HEAD_BYTES);
    head->length[head->count++] = length;
}

RARE static void report_twice(SimLog *log)
{
    char message[512];

    log->head.is_reported = true;
    snprintf(message, sizeof message,
             "Dump file '%.300s' begins again at byte %" PRIu64 ": it holds the same log twice",
             log->files->pieces[log->piece].path, SimSourcePlace(&log->source));
    log->events.lack(log->events.context, message);
}

static __attribute__((noinline)) void compare_texts(SimLog *log, const char *line, size_t length)
{
    SimLogHead *head = &log->head;

    if (head->is_begun && is_head_line(head, 1, line, length) && !head->is_reported) {
        report_twice(log);
    }
    head->is_begun = is_head_line(head, 0, line, length);
}

static inline void compare_head(SimLog *log, const char *line, size_t length)
{
    const SimLogHead *head = &log->head;

    if (head->count < 2) {
        learn_head(log, line, length);
    } else if (head->is_begun || length == head->length[0]) {
        compare_texts(log, line, length);
    }
}

static void note_hole(SimLog *log, const char *line, size_t length)
{
    if (memchr(line, '\0', length) != NULL && log->holes++ == 0) {
        log->first_hole = SimSourceOffset(&log->source);
    }
}

/*
 * Cuts a line at the end of what the first reading saw, or where it is cut itself, and looks
 * whether it has a hole; false: nothing of it counts.
 */
RARE static bool take_special(SimLog *log, const char *line, size_t *length)
{
    const uint64_t left = SimSourceLeft(&log->source, log->limit);

    if (left == 0) {
        return false;
    }
    if (*length >= left) {
        *length = trim_cut(log, line, (size_t) left);
        if (*length == 0) {
            return false;
        }
    }
    if (log->is_first) {
        note_hole(log, line, *length);
    }
    return true;
}

/* Whether the line counts. Nearly every line is whole, in a file that did not change. */
static inline bool take_line(SimLog *log, const char *line, size_t *length)
{
    return (log->is_all && SimSourceIsPlain(&log->source)) || take_special(log, line, length);
}

/* The next line of the open piece. OPPROF_END: none is left, or none is open. */
static inline OpprofStatus next_line(SimLog *log, const char **ret_line, size_t *ret_length)
{
    OpprofStatus status = OPPROF_END;

    if (SimSourceIsOpen(&log->source)) {
        status = SimSourceNext(&log->source, ret_line, ret_length, &log->reason);
    }
    if (status != OPPROF_OK) {
        return status;
    }
    if (!take_line(log, *ret_line, ret_length)) {
        return OPPROF_END;
    }
    if (log->is_first) {
        compare_head(log, *ret_line, *ret_length);
    }
    if (++log->lines == LINES_BETWEEN_EVENTS) {
        report_bytes(log, SimSourceOffset(&log->source));
    }
    return OPPROF_OK;
}

/* The same of the pieces after the open one, which gave `status`. */
RARE static OpprofStatus next_of_pieces(SimLog *log, OpprofStatus status, const char **ret_line,
                                        size_t *ret_length, OpprofError **error)
{
    while (status != OPPROF_OK) {
        if (OpprofFailed(status)) {
            report_lack(log, &log->reason);
        }
        if (SimSourceIsOpen(&log->source)) {
            close_piece(log);
        }
        status = open_piece(log, error);
        if (status != OPPROF_OK) {
            return status;
        }
        status = next_line(log, ret_line, ret_length);
    }
    return OPPROF_OK;
}

OpprofStatus SimLogNext(void *self, const char **ret_line, size_t *ret_length, OpprofError **error)
{
    SimLog *log = self;
    const OpprofStatus status = next_line(log, ret_line, ret_length);

    return status == OPPROF_OK ? OPPROF_OK
                               : next_of_pieces(log, status, ret_line, ret_length, error);
}

void SimLogFinish(SimLog *log)
{
    SimSourceClose(&log->source);
}
