/* SPDX-License-Identifier: Apache-2.0 */
/* Timelines and curves in a database. Tested by tests/plugins/export/test_sqlite. */
#include "span_rows.h"

#include <opprof/grow.h>
#include <opprof/text.h>
#include <stdlib.h>
#include <string.h>

#define PS_PER_US 1e6

static const OpprofClock no_clock = { .name = "nanosecond", .hz = UINT64_C(1000000000) };

/* Columns of the tables, in their order. */
enum {
    SPAN_TRACK,
    SPAN_KIND,
    SPAN_NAME,
    SPAN_CATEGORY,
    SPAN_COLOUR,
    SPAN_START,
    SPAN_DURATION,
    SPAN_ID,
    SPAN_TIED,
    SPAN_ARGS
};
enum { COUNTER_TRACK, COUNTER_NAME, COUNTER_SERIES, COUNTER_TIME, COUNTER_VALUE };

/* ---- names and tracks ---- */

/*
 * The run's ids depend on its threads, so names and tracks are numbered from 1 by first use.
 * *ret_number is 0 if the database does not have it yet.
 */
static OpprofStatus find_number(uint32_t **numbers, uint32_t *room, uint32_t id,
                                uint32_t *ret_number, OpprofError **error)
{
    if (!OpprofGrowCleared32(numbers, room, (size_t) id + 1, sizeof **numbers)) {
        return OpprofErrorNoMemory(error, "write names to a database");
    }
    *ret_number = (*numbers)[id];
    return OPPROF_OK;
}

/* *ret_number is 0 for the absent name. */
static OpprofStatus put_name(SpanRows *rows, Database *database, uint32_t id, uint32_t *ret_number,
                             OpprofError **error)
{
    const char *text;
    size_t length;
    OpprofStatus status = OPPROF_OK;

    *ret_number = 0;
    if (id != OPPROF_NA_STRING) {
        status = find_number(&rows->names, &rows->name_room, id, ret_number, error);
    }
    if (id == OPPROF_NA_STRING || *ret_number != 0 || status != OPPROF_OK) {
        return status;
    }
    *ret_number = rows->names[id] = ++rows->name_count;
    text = OpprofStageStringLength(database->stage, id, &length);
    DatabaseBindId(rows->name, 1, *ret_number);
    return DatabaseBindText(database, rows->name, 2, text, length)
               ? DatabaseStep(database, rows->name, error)
               : DatabaseFail(database, error);
}

/* Texts of a track are copied at once, since a changed text is overwritten by the next one. */
static bool bind_track(SpanRows *rows, Database *database, const OpprofTrack *track)
{
    const char *const texts[] = { track->document, track->process, track->process_name,
                                  track->thread, track->thread_name };
    const int first = 2;

    for (int i = 0; i < (int) OPPROF_COUNT(texts); i++) {
        const size_t length = texts[i] == NULL ? 0 : strlen(texts[i]);

        if (!DatabaseBindText(database, rows->track, first + i, texts[i], length)) {
            return false;
        }
    }
    sqlite.bind_int(rows->track, 7, track->process_sort);
    sqlite.bind_int(rows->track, 8, track->thread_sort);
    sqlite.bind_int64(rows->track, 9, track->flags);
    return true;
}

static OpprofStatus put_track(SpanRows *rows, Database *database, uint32_t id, uint32_t *ret_number,
                              OpprofError **error)
{
    const OpprofTrack *track = OpprofStageTrackInfo(database->stage, id);
    OpprofStatus status;

    if (track == NULL) {
        return OpprofErrorSet(error, OPPROF_E_CONTRACT,
                              "A span is on track %u, which was not declared", id);
    }
    status = find_number(&rows->tracks, &rows->track_room, id, ret_number, error);
    if (status != OPPROF_OK || *ret_number != 0) {
        return status;
    }
    *ret_number = rows->tracks[id] = ++rows->track_count;
    sqlite.bind_int64(rows->track, 1, *ret_number);
    return bind_track(rows, database, track) ? DatabaseStep(database, rows->track, error)
                                             : DatabaseFail(database, error);
}

/* ---- rows ---- */

static void give_id(sqlite3_context *result, uint32_t id)
{
    if (id == OPPROF_NA_STRING) {
        sqlite.result_null(result);
    } else {
        sqlite.result_int64(result, id);
    }
}

static void give_args(const SpanRows *rows, sqlite3_context *result)
{
    if (rows->args.length == 0) {
        sqlite.result_null(result);
    } else {
        sqlite.result_text64(result, rows->args.text, rows->args.length, SQLITE_STATIC,
                             SQLITE_UTF8);
    }
}

static const OpprofClock *clock_of(const Database *database, const OpprofBatch *batch)
{
    const OpprofClock *clock = OpprofStageClockInfo(database->stage, batch->clock);

    return clock == NULL ? &no_clock : clock;
}

static double microseconds(int64_t time_ps)
{
    return (double) time_ps / PS_PER_US;
}

/* Adds the row's names and track first. */
static OpprofStatus load_span(RowSource *source, uint32_t row, OpprofError **error)
{
    SpanRows *rows = source->context;
    OpprofSpan *span = &rows->span_in_hand;
    OpprofStatus status;

    memcpy(span, OpprofBatchRecord(rows->batch, row), sizeof *span);
    status = put_track(rows, rows->database, span->track, &span->track, error);
    if (status == OPPROF_OK) {
        status = put_name(rows, rows->database, span->name, &span->name, error);
    }
    if (status == OPPROF_OK) {
        status = put_name(rows, rows->database, span->category, &span->category, error);
    }
    if (status == OPPROF_OK) {
        status = put_name(rows, rows->database, span->colour, &span->colour, error);
    }
    if (status == OPPROF_OK &&
        !SpanArgsPut(&rows->args, rows->database->stage, rows->batch, span)) {
        status = OpprofErrorNoMemory(error, "write arguments to a database");
    }
    return status;
}

static void give_blob_text(const SpanRows *rows, sqlite3_context *result, OpprofText text)
{
    DatabaseGiveText(rows->database, result, OpprofBatchText(rows->batch, text), text.length);
}

static void give_span(RowSource *source, sqlite3_context *result, int column)
{
    const SpanRows *rows = source->context;
    const OpprofSpan *span = &rows->span_in_hand;

    switch (column) {
    case SPAN_TRACK:
        sqlite.result_int64(result, span->track);
        break;
    case SPAN_KIND:
        sqlite.result_int64(result, span->kind);
        break;
    case SPAN_NAME:
        give_id(result, span->name);
        break;
    case SPAN_CATEGORY:
        give_id(result, span->category);
        break;
    case SPAN_COLOUR:
        give_id(result, span->colour);
        break;
    case SPAN_START:
        sqlite.result_double(result,
                             microseconds(OpprofClockPicoseconds(rows->clock, span->start)));
        break;
    case SPAN_DURATION:
        sqlite.result_double(result,
                             microseconds(OpprofClockDuration(rows->clock, span->duration)));
        break;
    case SPAN_ID:
        give_blob_text(rows, result, span->id);
        break;
    case SPAN_TIED:
        give_blob_text(rows, result, span->group);
        break;
    case SPAN_ARGS:
    default:
        give_args(rows, result);
        break;
    }
}

static OpprofStatus load_counter(RowSource *source, uint32_t row, OpprofError **error)
{
    SpanRows *rows = source->context;
    OpprofCounter *counter = &rows->counter_in_hand;
    OpprofStatus status;

    memcpy(counter, OpprofBatchRecord(rows->batch, row), sizeof *counter);
    status = put_track(rows, rows->database, counter->track, &counter->track, error);
    if (status == OPPROF_OK) {
        status = put_name(rows, rows->database, counter->name, &counter->name, error);
    }
    return status == OPPROF_OK
               ? put_name(rows, rows->database, counter->series, &counter->series, error)
               : status;
}

static void give_counter(RowSource *source, sqlite3_context *result, int column)
{
    const SpanRows *rows = source->context;
    const OpprofCounter *counter = &rows->counter_in_hand;

    switch (column) {
    case COUNTER_TRACK:
        sqlite.result_int64(result, counter->track);
        break;
    case COUNTER_NAME:
        give_id(result, counter->name);
        break;
    case COUNTER_SERIES:
        give_id(result, counter->series);
        break;
    case COUNTER_TIME:
        sqlite.result_double(result,
                             microseconds(OpprofClockPicoseconds(rows->clock, counter->time)));
        break;
    case COUNTER_VALUE:
    default:
        sqlite.result_double(result,
                             counter->value); /* a value that is not a number becomes NULL */
        break;
    }
}

static void begin_batch(SpanRows *rows, Database *database, const OpprofBatch *batch)
{
    rows->database = database;
    rows->batch = batch;
    rows->clock = clock_of(database, batch);
}

OpprofStatus SpanRowsTakeSpans(SpanRows *rows, Database *database, const OpprofBatch *batch,
                               OpprofError **error)
{
    begin_batch(rows, database, batch);
    return RowSourceRun(&rows->spans, database, rows->span, batch->count, error);
}

OpprofStatus SpanRowsTakeCounters(SpanRows *rows, Database *database, const OpprofBatch *batch,
                                  OpprofError **error)
{
    begin_batch(rows, database, batch);
    return RowSourceRun(&rows->counters, database, rows->counter, batch->count, error);
}

static OpprofStatus register_sources(SpanRows *rows, Database *database, OpprofError **error)
{
    OpprofStatus status;

    rows->spans = (RowSource){ .declaration = "CREATE TABLE rows(track, kind, name, category, "
                                              "colour, start_us, duration_us, id, tied, args)",
                               .context = rows,
                               .load = load_span,
                               .give = give_span };
    rows->counters =
        (RowSource){ .declaration = "CREATE TABLE rows(track, name, series, time_us, value)",
                     .context = rows,
                     .load = load_counter,
                     .give = give_counter };
    status = RowSourceRegister(&rows->spans, database, "opprof_span_rows", error);
    return status == OPPROF_OK
               ? RowSourceRegister(&rows->counters, database, "opprof_counter_rows", error)
               : status;
}

OpprofStatus SpanRowsStart(SpanRows *rows, Database *database, OpprofError **error)
{
    static const char span[] = "INSERT INTO opprof_spans SELECT * FROM opprof_span_rows";
    static const char counter[] = "INSERT INTO opprof_counters SELECT * FROM opprof_counter_rows";
    static const char name[] = "INSERT INTO opprof_names VALUES(?,?)";
    static const char track[] = "INSERT INTO opprof_tracks VALUES(?,?,?,?,?,?,?,?,?)";
    OpprofStatus status = register_sources(rows, database, error);

    if (status == OPPROF_OK) {
        status = DatabasePrepare(database, span, &rows->span, error);
    }
    if (status == OPPROF_OK) {
        status = DatabasePrepare(database, counter, &rows->counter, error);
    }
    if (status == OPPROF_OK) {
        status = DatabasePrepare(database, name, &rows->name, error);
    }
    return status == OPPROF_OK ? DatabasePrepare(database, track, &rows->track, error) : status;
}

void SpanRowsFree(SpanRows *rows)
{
    sqlite.finalize(rows->span);
    sqlite.finalize(rows->counter);
    sqlite.finalize(rows->name);
    sqlite.finalize(rows->track);
    free(rows->names);
    free(rows->tracks);
    free(rows->args.text);
    *rows = (SpanRows){ .span = NULL };
}
