/* SPDX-License-Identifier: Apache-2.0 */
/* Timelines and curves in a database. Tested by tests/plugins/export/test_sqlite. */
#include "span_rows.h"

#include <opprof/grow.h>
#include <opprof/text.h>
#include <stdlib.h>
#include <string.h>

#define PS_PER_US 1e6

static const char schema[] =
    "CREATE TABLE opprof_names(id INTEGER PRIMARY KEY, text TEXT);"
    "CREATE TABLE opprof_tracks(id INTEGER PRIMARY KEY, document TEXT, process TEXT,"
    " process_name TEXT, thread TEXT, thread_name TEXT, process_sort INTEGER,"
    " thread_sort INTEGER, flags INTEGER);"
    "CREATE TABLE opprof_spans(track INTEGER, kind INTEGER, name INTEGER, category INTEGER,"
    " colour INTEGER, start_us REAL, duration_us REAL, id TEXT, tied TEXT, args TEXT);"
    "CREATE TABLE opprof_counters(track INTEGER, name INTEGER, series INTEGER, time_us REAL,"
    " value REAL);"
    "CREATE VIEW spans AS SELECT t.document, coalesce(t.process_name, t.process) AS process,"
    " coalesce(t.thread_name, t.thread) AS thread,"
    " CASE s.kind WHEN 1 THEN 'slice' WHEN 2 THEN 'begin' WHEN 3 THEN 'end' WHEN 4 THEN 'mark'"
    " WHEN 5 THEN 'flow start' WHEN 6 THEN 'flow end' END AS kind, n.text AS name,"
    " c.text AS category, s.start_us, s.duration_us, s.id, s.tied, s.args"
    " FROM opprof_spans s JOIN opprof_tracks t ON t.id = s.track"
    " JOIN opprof_names n ON n.id = s.name LEFT JOIN opprof_names c ON c.id = s.category;"
    "CREATE VIEW counters AS SELECT t.document, coalesce(t.process_name, t.process) AS process,"
    " n.text AS name, r.text AS series, c.time_us, c.value"
    " FROM opprof_counters c JOIN opprof_tracks t ON t.id = c.track"
    " JOIN opprof_names n ON n.id = c.name JOIN opprof_names r ON r.id = c.series";

static const OpprofClock no_clock = { .name = "nanosecond", .hz = UINT64_C(1000000000) };

OpprofStatus SpanRowsStart(SpanRows *rows, Database *database, OpprofError **error)
{
    static const char span[] = "INSERT INTO opprof_spans VALUES(?,?,?,?,?,?,?,?,?,?)";
    static const char counter[] = "INSERT INTO opprof_counters VALUES(?,?,?,?,?)";
    static const char name[] = "INSERT INTO opprof_names VALUES(?,?)";
    static const char track[] = "INSERT INTO opprof_tracks VALUES(?,?,?,?,?,?,?,?,?)";
    OpprofStatus status = DatabaseRun(database, schema, error);

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

/* ------------------------------------------------------------------ names and tracks */

/*
 * The run's ids depend on its threads, so names and tracks are numbered from 1 by first use. *ret_number is 0 for one that
 * is not in the database yet.
 */
static OpprofStatus find_number(uint32_t **numbers, uint32_t *room, uint32_t id,
                                uint32_t *ret_number, OpprofError **error)
{
    if (id >= *room) {
        const uint32_t before = *room;

        if (!OpprofGrow32(numbers, room, (size_t) id + 1, sizeof **numbers)) {
            return OpprofErrorNoMemory(error, "write names to a database");
        }
        memset(*numbers + before, 0, (*room - before) * sizeof **numbers);
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

/* Texts of a track are copied at once, since a changed one lies in the room of the next. */
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
    sqlite3_bind_int(rows->track, 7, track->process_sort);
    sqlite3_bind_int(rows->track, 8, track->thread_sort);
    sqlite3_bind_int64(rows->track, 9, track->flags);
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
    sqlite3_bind_int64(rows->track, 1, *ret_number);
    return bind_track(rows, database, track) ? DatabaseStep(database, rows->track, error)
                                             : DatabaseFail(database, error);
}

/* ------------------------------------------------------------------ arguments */

/* Room for `size` more bytes; NULL without memory. */
static char *args_room(SpanRows *rows, size_t size)
{
    if (!OpprofGrow(&rows->args, &rows->args_capacity, rows->args_length + size, 1)) {
        rows->is_out_of_memory = true;
        return NULL;
    }
    return rows->args + rows->args_length;
}

static void args_take(SpanRows *rows, const char *end)
{
    rows->args_length = (size_t) (end - rows->args);
}

static void put_json_text(SpanRows *rows, const char *text, size_t length)
{
    char *out = args_room(rows, OPPROF_TEXT_JSON_ROOM(length));

    if (out != NULL) {
        args_take(rows,
                  OpprofTextPutJson(out, text == NULL ? "" : text, text == NULL ? 0 : length));
    }
}

static void put_byte(SpanRows *rows, char byte)
{
    char *out = args_room(rows, 1);

    if (out != NULL) {
        *out = byte;
        args_take(rows, out + 1);
    }
}

static void put_number(SpanRows *rows, const OpprofArg *arg)
{
    char number[OPPROF_TEXT_NUMBER];
    const char *end;
    char *out;

    switch (arg->kind) {
    case OPPROF_ARG_HEX:
        end = OpprofTextPutHex(number, arg->value.u64);
        break;
    case OPPROF_ARG_F64:
        end = OpprofTextPutF64(number, arg->value.f64);
        break;
    default:
        end = OpprofTextPutU64(number, arg->value.u64);
        break;
    }
    if (arg->kind == OPPROF_ARG_HEX || arg->kind == OPPROF_ARG_U64_TEXT) {
        put_json_text(rows, number, (size_t) (end - number));
        return;
    }
    out = args_room(rows, (size_t) (end - number));
    if (out != NULL) {
        memcpy(out, number, (size_t) (end - number));
        args_take(rows, out + (end - number));
    }
}

static void put_arg(SpanRows *rows, const Database *database, const OpprofBatch *batch,
                    const OpprofArg *arg)
{
    size_t length;
    const char *key = OpprofStageStringLength(database->stage, arg->key, &length);

    put_json_text(rows, key, length);
    put_byte(rows, ':');
    if (arg->kind == OPPROF_ARG_TEXT) {
        put_json_text(rows, OpprofBatchText(batch, arg->value.text), arg->value.text.length);
    } else if (arg->kind == OPPROF_ARG_STRING) {
        const char *text =
            OpprofStageStringLength(database->stage, (uint32_t) arg->value.u64, &length);

        put_json_text(rows, text, length);
    } else {
        put_number(rows, arg);
    }
}

/* Leaves args_length 0 for a span without arguments. */
static bool put_args(SpanRows *rows, const Database *database, const OpprofBatch *batch,
                     const OpprofSpan *span)
{
    const char *at = OpprofBatchText(batch, span->args);
    uint32_t count = at == NULL ? 0 : span->args.length / (uint32_t) sizeof(OpprofArg);

    rows->args_length = 0;
    rows->is_out_of_memory = false;
    count = count < span->arg_count ? count : span->arg_count;
    for (uint32_t i = 0; i < count; i++) {
        OpprofArg arg;

        memcpy(&arg, at + (size_t) i * sizeof arg, sizeof arg);
        put_byte(rows, i == 0 ? '{' : ',');
        put_arg(rows, database, batch, &arg);
    }
    if (count > 0) {
        put_byte(rows, '}');
    }
    return !rows->is_out_of_memory;
}

/* ------------------------------------------------------------------ rows */

static bool bind_blob_text(Database *database, sqlite3_stmt *statement, int at,
                           const OpprofBatch *batch, OpprofText text)
{
    return DatabaseBindText(database, statement, at, OpprofBatchText(batch, text), text.length);
}

static OpprofStatus add_span(SpanRows *rows, Database *database, const OpprofBatch *batch,
                             const OpprofSpan *span, const OpprofClock *clock, OpprofError **error)
{
    sqlite3_stmt *statement = rows->span;

    if (!put_args(rows, database, batch, span)) {
        return OpprofErrorNoMemory(error, "write arguments to a database");
    }
    sqlite3_bind_int64(statement, 1, span->track);
    sqlite3_bind_int64(statement, 2, span->kind);
    DatabaseBindId(statement, 3, span->name);
    DatabaseBindId(statement, 4, span->category);
    DatabaseBindId(statement, 5, span->colour);
    sqlite3_bind_double(statement, 6,
                        (double) OpprofClockPicoseconds(clock, span->start) / PS_PER_US);
    sqlite3_bind_double(statement, 7,
                        (double) OpprofClockDuration(clock, span->duration) / PS_PER_US);
    if (!bind_blob_text(database, statement, 8, batch, span->id) ||
        !bind_blob_text(database, statement, 9, batch, span->group) ||
        sqlite3_bind_text64(statement, 10, rows->args_length == 0 ? NULL : rows->args,
                            rows->args_length, SQLITE_STATIC, SQLITE_UTF8) != SQLITE_OK) {
        return DatabaseFail(database, error);
    }
    return DatabaseStep(database, statement, error);
}

static const OpprofClock *clock_of(const Database *database, const OpprofBatch *batch)
{
    const OpprofClock *clock = OpprofStageClockInfo(database->stage, batch->clock);

    return clock == NULL ? &no_clock : clock;
}

OpprofStatus SpanRowsTakeSpans(SpanRows *rows, Database *database, const OpprofBatch *batch,
                               OpprofError **error)
{
    const OpprofClock *clock = clock_of(database, batch);
    OpprofStatus status = OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < batch->count; i++) {
        OpprofSpan span;

        memcpy(&span, OpprofBatchRecord(batch, i), sizeof span);
        status = put_track(rows, database, span.track, &span.track, error);
        if (status == OPPROF_OK) {
            status = put_name(rows, database, span.name, &span.name, error);
        }
        if (status == OPPROF_OK) {
            status = put_name(rows, database, span.category, &span.category, error);
        }
        if (status == OPPROF_OK) {
            status = put_name(rows, database, span.colour, &span.colour, error);
        }
        if (status == OPPROF_OK) {
            status = add_span(rows, database, batch, &span, clock, error);
        }
    }
    return status;
}

static OpprofStatus add_counter(SpanRows *rows, Database *database, const OpprofCounter *counter,
                                const OpprofClock *clock, OpprofError **error)
{
    sqlite3_bind_int64(rows->counter, 1, counter->track);
    DatabaseBindId(rows->counter, 2, counter->name);
    DatabaseBindId(rows->counter, 3, counter->series);
    sqlite3_bind_double(rows->counter, 4,
                        (double) OpprofClockPicoseconds(clock, counter->time) / PS_PER_US);
    sqlite3_bind_double(rows->counter, 5, counter->value);
    return DatabaseStep(database, rows->counter, error);
}

OpprofStatus SpanRowsTakeCounters(SpanRows *rows, Database *database, const OpprofBatch *batch,
                                  OpprofError **error)
{
    const OpprofClock *clock = clock_of(database, batch);
    OpprofStatus status = OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < batch->count; i++) {
        OpprofCounter counter;

        memcpy(&counter, OpprofBatchRecord(batch, i), sizeof counter);
        status = put_track(rows, database, counter.track, &counter.track, error);
        if (status == OPPROF_OK) {
            status = put_name(rows, database, counter.name, &counter.name, error);
        }
        if (status == OPPROF_OK) {
            status = put_name(rows, database, counter.series, &counter.series, error);
        }
        if (status == OPPROF_OK) {
            status = add_counter(rows, database, &counter, clock, error);
        }
    }
    return status;
}

/* ------------------------------------------------------------------ the end */

OpprofStatus SpanRowsFinish(Database *database, OpprofError **error)
{
    return DatabaseRun(database,
                       "CREATE INDEX opprof_names_text ON opprof_names(text);"
                       "CREATE INDEX opprof_spans_name ON opprof_spans(name, start_us);"
                       "CREATE INDEX opprof_spans_start ON opprof_spans(start_us);"
                       "CREATE INDEX opprof_counters_name ON opprof_counters(name, time_us)",
                       error);
}

void SpanRowsFree(SpanRows *rows)
{
    sqlite3_finalize(rows->span);
    sqlite3_finalize(rows->counter);
    sqlite3_finalize(rows->name);
    sqlite3_finalize(rows->track);
    free(rows->names);
    free(rows->tracks);
    free(rows->args);
    *rows = (SpanRows){ .span = NULL };
}
