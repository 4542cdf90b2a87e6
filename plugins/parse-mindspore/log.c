/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cuts logs into records. Tested by tests/plugins/collect-mindspore/test_raw.sh and
 * tests/plugins/collect-mindspore/test_damage.sh.
 */
#include "parse-mindspore/log.h"
#include "parse-mindspore/sheet.h"

#include <inttypes.h>
#include <opprof/grow.h>
#include <opprof/json.h>
#include <opprof/kit/bytes.h>
#include <opprof/log.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MOST (1u << 20) /* of a record */

static size_t most_text(const Format *format)
{
    return format->is_document     ? OPPROF_JSON_MAX_SIZE
           : format->most_text > 0 ? format->most_text
                                   : TEXT_MOST;
}

static bool fits(const Format *format, const char *kind, uint32_t generation, const void *bytes,
                 size_t length)
{
    return strcmp(format->kind, kind) == 0 &&
           (format->generation == 0 || format->generation == generation) &&
           (!format->is_binary || (length >= 2 && OpprofLoadLe16(bytes) == format->mark));
}

const Format *LogFormat(const char *kind, uint32_t generation, const void *bytes, size_t length)
{
    static const Format *const lists[] = { text_formats,     binary_formats, hwts_formats,
                                           sheet_formats,    queue_formats,  document_formats,
                                           gpu_step_formats, aicpu_formats,  step_formats };

    for (size_t i = 0; i < OPPROF_COUNT(lists); i++) {
        for (const Format *format = lists[i]; format->kind != NULL; format++) {
            if (fits(format, kind, generation, bytes, length)) {
                return format;
            }
        }
    }
    return NULL;
}

void LogBegin(Log *log, const Format *format, uint32_t generation, const char *file)
{
    LogFinish(log);
    log->format = format;
    log->generation = generation;
    log->file = file;
    if (format->record_bytes > 0) {
        OpprofCutterBegin(&log->cutter, format->record_bytes);
    }
}

/* ---- after a gap ---- */

static bool has_mark(const Format *format, const unsigned char *bytes, size_t length, size_t at)
{
    return at + format->mark_at + 2 <= length &&
           OpprofLoadLe16(bytes + at + format->mark_at) == format->mark;
}

/* Where the first record begins, by the marks of it and the next; `length`: nowhere. */
static size_t find_record(const Format *format, const unsigned char *bytes, size_t length)
{
    for (size_t at = 0; at < length; at++) {
        const size_t next = at + format->record_bytes;

        if (has_mark(format, bytes, length, at) &&
            (next + format->mark_at + 2 > length || has_mark(format, bytes, length, next))) {
            return at;
        }
    }
    return length;
}

/* A slice is missing: the record that it would have ended is lost. Without marks, records can only
 * be found again where slices so far had whole ones. */
static void lose_record(Log *log)
{
    const Format *format = log->format;
    const size_t have = format->record_bytes > 0 ? log->cutter.have : log->text_length;

    log->tail_bytes += have;
    log->cutter.have = 0;
    log->text_length = 0;
    if (format->record_bytes == 0) {
        log->is_long = have > 0 || log->slices == 0;
    } else if (format->mark != 0) {
        log->is_seeking = true;
    } else {
        log->is_over = log->is_over || have > 0 || log->slices == 0;
    }
}

/* ---- records ---- */

typedef struct Taking {
    Device *device;
    OpprofStatus status;
} Taking;

static bool take_records(void *context, const unsigned char *records, size_t count)
{
    Taking *taking = context;
    Log *log = &taking->device->log;

    taking->status = log->format->take(taking->device, log, records, count);
    return taking->status == OPPROF_OK;
}

static OpprofStatus feed_records(Device *device, const unsigned char *bytes, size_t length)
{
    Log *log = &device->log;
    Taking taking = { .device = device, .status = OPPROF_OK };

    if (log->is_over) {
        log->tail_bytes += length;
        return OPPROF_OK;
    }
    if (log->is_seeking) {
        const size_t at = find_record(log->format, bytes, length);

        log->tail_bytes += at;
        bytes += at;
        length -= at;
        log->is_seeking = length == 0;
    }
    (void) OpprofCutterFeed(&log->cutter, bytes, length, take_records, &taking);
    return taking.status;
}

/* ---- text ---- */

static OpprofStatus keep_text(Log *log, const unsigned char *bytes, size_t length)
{
    if (log->is_long) {
        return OPPROF_OK;
    }
    if (log->text_length + length > most_text(log->format)) {
        log->is_long = true;
        log->records++;
        LogNote(log, &log->odd, 1);
        log->records--;
        log->text_length = 0;
        return OPPROF_OK;
    }
    if (!OpprofGrow(&log->text, &log->text_room, log->text_length + length, 1)) {
        return OPPROF_E_MEMORY;
    }
    memcpy(log->text + log->text_length, bytes, length);
    log->text_length += length;
    return OPPROF_OK;
}

static OpprofStatus take_text(Device *device, const unsigned char *bytes, size_t length)
{
    Log *log = &device->log;

    if (log->is_long) { /* the rest of a record that is lost */
        log->is_long = false;
        log->records++;
        return OPPROF_OK;
    }
    if (log->text_length == 0) {
        return log->format->take(device, log, bytes, length);
    }
    const OpprofStatus kept = keep_text(log, bytes, length);
    if (kept != OPPROF_OK || log->is_long) {
        log->is_long = false;
        return kept;
    }
    const size_t whole = log->text_length;
    log->text_length = 0;
    return log->format->take(device, log, (const unsigned char *) log->text, whole);
}

static OpprofStatus feed_text(Device *device, const unsigned char *bytes, size_t length)
{
    Log *log = &device->log;
    OpprofStatus status = OPPROF_OK;

    while (length > 0 && status == OPPROF_OK) {
        const unsigned char *end =
            log->format->is_document ? NULL : memchr(bytes, log->format->end, length);

        if (end == NULL) {
            return keep_text(log, bytes, length);
        }
        status = take_text(device, bytes, (size_t) (end - bytes));
        length -= (size_t) (end + 1 - bytes);
        bytes = end + 1;
    }
    return status;
}

OpprofStatus LogFeed(Device *device, const unsigned char *bytes, size_t length, bool after_gap)
{
    Log *log = &device->log;

    if (after_gap) {
        lose_record(log);
    }
    log->bytes += length;
    if (log->format->sheet != NULL) {
        return SheetFeed(device, bytes, length);
    }
    return log->format->record_bytes > 0 ? feed_records(device, bytes, length)
                                         : feed_text(device, bytes, length);
}

/* ---- the end ---- */

/* The end of a text: of a document all of it, of others a record whose end is missing. */
static OpprofStatus end_text(Device *device)
{
    Log *log = &device->log;
    const size_t length = log->text_length;

    log->text_length = 0;
    if (log->format->is_document) {
        return log->format->take(device, log, (const unsigned char *) log->text, length);
    }
    for (size_t i = 0; i < length; i++) {
        if (strchr(" \t\r\n", log->text[i]) == NULL) {
            log->tail_bytes += length;
            break;
        }
    }
    return OPPROF_OK;
}

/* What was lost of a log, with the words around the two numbers. */
static void report_loss(const Device *device, const Log *log, const Loss *loss, const char *before,
                        const char *between, const char *after)
{
    if (loss->count > 0) {
        OpprofStageIncomplete(device->stage, "'%s': %s%" PRIu64 " %s %" PRIu64 "%s", log->file,
                              before, loss->count, between, loss->first, after);
    }
}

static void report(const Device *device, const Log *log)
{
    report_loss(device, log, &log->lost, "by its counter, at least ",
                "record(s) were lost before they were written, the first before record", "");
    report_loss(device, log, &log->missing, "by their numbers, at least ",
                "record(s) are missing, the first before record", "");
    report_loss(device, log, &log->again, "",
                "record(s) are there twice, or earlier than those before them, the first is record",
                "");
    report_loss(device, log, &log->skipped, "",
                "record(s) are of no known form or stand alone and are left out, the first is "
                "record",
                "");
    report_loss(device, log, &log->odd, "",
                log->format->end == '\n' ? "line(s) cannot be read, the first is line"
                                         : "record(s) cannot be read, the first is record",
                "");
    report_loss(device, log, &log->nameless, "", "name(s) are unknown, the first of record",
                ": their hashes are in no hash_dic; these operators are called by stream and task");
    if (log->tail_bytes > 0) {
        OpprofStageIncomplete(device->stage,
                              "'%s' is cut: %" PRIu64 " of %" PRIu64
                              " byte(s) are of records that are not whole",
                              log->file, log->tail_bytes, log->bytes);
    }
}

static OpprofStatus emit_source(Device *device, const Log *log)
{
    const char letter = (char) log->generation;
    const OpprofMindsporeSource record = {
        .bytes = log->bytes,
        .records = log->records,
        .lost = log->lost.count,
        .skipped = log->skipped.count + log->odd.count,
        .tail_bytes = log->tail_bytes,
        .wraps = log->wraps,
        .device = device->id,
        .kind = DeviceIntern(device, log->format->source, strlen(log->format->source)),
        .generation = DeviceIntern(device, &letter, 1),
        .slices = log->slices,
    };

    return OpprofStageAppend(device->stage, PORT_SOURCES, device->id, &record);
}

OpprofStatus LogEnd(Device *device)
{
    Log *log = &device->log;
    OpprofStatus status = OPPROF_OK;

    if (log->format->sheet != NULL) {
        status = SheetEnd(device);
    } else if (log->format->record_bytes == 0) {
        status = end_text(device);
    } else {
        log->tail_bytes += log->cutter.have;
    }
    if (status == OPPROF_OK && log->format->end_of_log != NULL) {
        status = log->format->end_of_log(device, log);
    }
    report(device, log);
    OpprofLog(OPPROF_LOG_DEBUG, OpprofStageId(device->stage), "Log read: file=%s, records=%" PRIu64,
              log->file, log->records);
    if (status == OPPROF_OK && log->format->source != NULL) {
        status = emit_source(device, log);
    }
    UnwrapFinish(&device->latest);
    LogFinish(log);
    return status;
}

void LogFinish(Log *log)
{
    SheetFinish(log);
    free(log->text);
    memset(log, 0, sizeof *log);
}
