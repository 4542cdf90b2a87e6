/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collect-results: the findings of a finished run from its database, for any exporter.
 * Tested by tests/plugins/collect-results/test_show.sh.
 */
#include "stored_type.h"

#include <inttypes.h>
#include <math.h>
#include <opprof/grow.h>
#include <opprof/log.h>
#include <opprof/plugin.h>
#include <opprof/present.h>
#include <opprof/stage.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FILE_NAME "results.sqlite"
#define FORMAT "1"
#define ROWS_A_CALL 4096u /* of spans and counters */
#define TEXT_MAX (64 << 20)
#define PS_PER_US 1e6
#define STEPS_A_LOOK 100000 /* of the database, between two checks whether the run is stopped */

enum { OUTPUT_TABLES, OUTPUT_SPANS, OUTPUT_COUNTERS, OUTPUT_ADVICE };

/* The parts of the database, in reading order. */
typedef enum Part { PART_TABLES, PART_ADVICE, PART_SPANS, PART_COUNTERS, PART_END } Part;

typedef struct Results {
    OpprofStage *stage;
    const char *input;
    char *path; /* of the database */
    sqlite3 *database;
    StoredType **types;
    uint32_t type_count;
    uint32_t type_capacity;
    uint32_t type; /* whose rows are read */
    Part part;
    sqlite3_stmt *rows; /* NULL: the part has not begun */
    double origin_us;   /* of all times */
    uint32_t clock;
} Results;

static OpprofStatus fail(const Results *self, OpprofError **error)
{
    if (sqlite3_errcode(self->database) == SQLITE_NOMEM) {
        return OpprofErrorNoMemory(error, "read results '%s'", self->path);
    }
    OpprofErrorSet(error, OPPROF_E_DATA, "Cannot read '%s': %s", self->path,
                   sqlite3_errmsg(self->database));
    OpprofErrorHint(error, "Results come from the exporter 'sqlite' of this or an earlier release");
    return OPPROF_E_DATA;
}

/* ---- opening ---- */

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    Results *self = calloc(1, sizeof *self);

    if (self == NULL) {
        return OpprofErrorNoMemory(error, "read results");
    }
    self->stage = stage;
    *ret_self = self;
    return OPPROF_OK;
}

static OpprofStatus configure(void *context, const OpprofParams *params, OpprofError **error)
{
    Results *self = context;

    (void) error;
    self->input = OpprofParamsString(params, "input");
    return OPPROF_OK;
}

/* The path itself, or the database in a folder; NULL without memory. */
static char *path_of(const char *input)
{
    struct stat info;
    char *path = NULL;

    if (stat(input, &info) != 0 || !S_ISDIR(info.st_mode)) {
        return strdup(input);
    }
    return asprintf(&path, "%s/" FILE_NAME, input) < 0 ? NULL : path;
}

/* A number that the database knows about itself; -1 if it is not available. */
static int64_t pragma(const Results *self, const char *statement)
{
    sqlite3_stmt *row = NULL;
    int64_t number = -1;

    if (sqlite3_prepare_v2(self->database, statement, -1, &row, NULL) == SQLITE_OK &&
        sqlite3_step(row) == SQLITE_ROW) {
        number = sqlite3_column_int64(row, 0);
    }
    sqlite3_finalize(row);
    return number;
}

/* Rows may avoid a missing end of the file, and reading never goes beyond the last page. */
static OpprofStatus check_size(const Results *self, OpprofError **error)
{
    const int64_t page = pragma(self, "PRAGMA page_size");
    const int64_t pages = page < 0 ? -1 : pragma(self, "PRAGMA page_count");
    struct stat info;

    if (pages < 0) { /* the last statement says why */
        return fail(self, error);
    }
    if (stat(self->path, &info) != 0) {
        return OpprofErrorSet(error, OPPROF_E_IO, "Cannot read '%s': %m", self->path);
    }
    if (info.st_size != pages * page) {
        return OpprofErrorSet(error, OPPROF_E_DATA,
                              "Cannot read '%s': the file has %" PRIi64
                              " bytes, the database %" PRIi64,
                              self->path, (int64_t) info.st_size, pages * page);
    }
    return OPPROF_OK;
}

/* Reading all rows may take long: stopping the run stops it. */
static int is_stopped(void *stage)
{
    return OpprofStageStopRequested(stage);
}

static void hint_at_input(OpprofError **error)
{
    OpprofErrorHint(error, "Name a folder with a " FILE_NAME ", which the ready pipelines write");
}

/* SQLite would wait for the writer of a pipe, and gives no reason why it cannot open a file. */
static OpprofStatus check_file(const Results *self, OpprofError **error)
{
    struct stat info;

    if (stat(self->path, &info) != 0) {
        OpprofErrorSet(error, OPPROF_E_IO, "Cannot read '%s': %m", self->path);
    } else if (!S_ISREG(info.st_mode)) {
        OpprofErrorSet(error, OPPROF_E_IO, "Cannot read '%s': it is not a file", self->path);
    } else {
        return OPPROF_OK;
    }
    hint_at_input(error);
    return OPPROF_E_IO;
}

/* A database from elsewhere may contain views, which may run forever, and triggers: none of them gets to call anything. */
static OpprofStatus open_database(Results *self, OpprofError **error)
{
    int code;

    self->path = path_of(self->input);
    if (self->path == NULL) {
        return OpprofErrorNoMemory(error, "read results '%s'", self->input);
    }
    if (check_file(self, error) != OPPROF_OK) {
        return OPPROF_E_IO;
    }
    code = sqlite3_open_v2(self->path, &self->database, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX,
                           NULL);
    if (self->database == NULL) {
        return OpprofErrorNoMemory(error, "read results '%s'", self->input);
    }
    if (code != SQLITE_OK) {
        return fail(self, error);
    }
    sqlite3_db_config(self->database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    sqlite3_db_config(self->database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(self->database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_limit(self->database, SQLITE_LIMIT_LENGTH, TEXT_MAX);
    sqlite3_limit(self->database, SQLITE_LIMIT_ATTACHED, 0);
    OpprofLog(OPPROF_LOG_INFO, OpprofStageId(self->stage), "Opened '%s'", self->path);
    sqlite3_progress_handler(self->database, STEPS_A_LOOK, is_stopped, self->stage);
    return check_size(self, error);
}

/* Damaged pages may lose rows, or repeat them without end, and no reader would see it. */
static OpprofStatus check_pages(const Results *self, OpprofError **error)
{
    const char *verdict = NULL;
    sqlite3_stmt *row = NULL;
    OpprofStatus status = OPPROF_OK;

    if (sqlite3_prepare_v2(self->database, "PRAGMA quick_check(1)", -1, &row, NULL) == SQLITE_OK &&
        sqlite3_step(row) == SQLITE_ROW) {
        verdict = (const char *) sqlite3_column_text(row, 0);
    }
    if (verdict == NULL) {
        status = fail(self, error);
    } else if (strcmp(verdict, "ok") != 0) {
        const char *line = strrchr(verdict, '\n'); /* the one before says in which database */

        status = OpprofErrorSet(error, OPPROF_E_DATA,
                                "Cannot read '%s': database disk image is malformed: %s",
                                self->path, line == NULL ? verdict : line + 1);
    }
    sqlite3_finalize(row);
    return status;
}

/* Text of a fact of the run, for free(); NULL if none. */
static char *fact(const Results *self, const char *name)
{
    sqlite3_stmt *row = NULL;
    char *value = NULL;

    if (sqlite3_prepare_v2(self->database, "SELECT value FROM opprof_run WHERE name = ?", -1, &row,
                           NULL) == SQLITE_OK) {
        sqlite3_bind_text(row, 1, name, -1, SQLITE_STATIC);
        if (sqlite3_step(row) == SQLITE_ROW && sqlite3_column_text(row, 0) != NULL) {
            value = strdup((const char *) sqlite3_column_text(row, 0));
        }
    }
    sqlite3_finalize(row);
    return value;
}

/* Passes on what the results lack, which they have as lines. */
static void report_missing(const Results *self, char *missing)
{
    char *rest = NULL;

    if (missing == NULL) {
        OpprofStageIncomplete(self->stage, "The results are incomplete: they do not say why");
    }
    for (char *line = missing == NULL ? NULL : strtok_r(missing, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        OpprofStageIncomplete(self->stage, "The results are incomplete: %s", line);
    }
}

static OpprofStatus check_run(const Results *self, OpprofError **error)
{
    char *format = fact(self, "format");
    char *complete = fact(self, "complete");
    char *missing = fact(self, "missing");
    OpprofStatus status = OPPROF_OK;

    if (format == NULL || strcmp(format, FORMAT) != 0) {
        status = OpprofErrorSet(error, OPPROF_E_DATA, "'%s' has no results in a known format",
                                self->input);
        hint_at_input(error);
    } else if (complete == NULL || strcmp(complete, "1") != 0) {
        report_missing(self, missing);
    }
    free(format);
    free(complete);
    free(missing);
    return status;
}

static OpprofStatus add_type(Results *self, sqlite3_stmt *row, OpprofError **error)
{
    const bool has_room = OpprofGrow32(&self->types, &self->type_capacity,
                                       (size_t) self->type_count + 1, sizeof(StoredType *));
    StoredType *stored = calloc(1, sizeof *stored);

    if (!has_room || stored == NULL) {
        free(stored);
        return OpprofErrorNoMemory(error, "read results '%s'", self->input);
    }
    const OpprofStatus status = StoredTypeMake(stored, self->database, row, error);
    self->types[self->type_count++] = stored;
    if (status == OPPROF_E_DATA) {
        OpprofErrorWrap(error, "'%s' describes an impossible table", self->input);
    }
    return status;
}

static OpprofStatus make_types(Results *self, OpprofError **error)
{
    sqlite3_stmt *row = NULL;
    OpprofStatus status = OPPROF_OK;

    if (sqlite3_prepare_v2(self->database,
                           "SELECT name, record, version, title, summary, file, flags FROM "
                           "opprof_tables WHERE record IS NOT 'advice' ORDER BY rowid",
                           -1, &row, NULL) != SQLITE_OK) {
        return fail(self, error);
    }
    int code = SQLITE_DONE;
    while (status == OPPROF_OK && (code = sqlite3_step(row)) == SQLITE_ROW) {
        status = add_type(self, row, error);
    }
    if (status == OPPROF_OK && code != SQLITE_DONE) {
        status = fail(self, error);
    }
    sqlite3_finalize(row);
    return status;
}

/* Times are microseconds from an arbitrary origin; ticks count from the first. */
static OpprofStatus find_origin(Results *self, OpprofError **error)
{
    sqlite3_stmt *row = NULL;

    if (sqlite3_prepare_v2(self->database,
                           "SELECT min(coalesce((SELECT min(start_us) FROM opprof_spans), 0),"
                           " coalesce((SELECT min(time_us) FROM opprof_counters), 0))",
                           -1, &row, NULL) != SQLITE_OK) {
        return fail(self, error);
    }
    if (sqlite3_step(row) != SQLITE_ROW) {
        sqlite3_finalize(row);
        return fail(self, error);
    }
    self->origin_us = sqlite3_column_double(row, 0);
    sqlite3_finalize(row);
    if (!(fabs(self->origin_us) < (double) (INT64_MAX / 2) / PS_PER_US)) {
        return OpprofErrorSet(error, OPPROF_E_DATA, "'%s' has impossible times", self->input);
    }
    self->clock = OpprofStageClock(
        self->stage, &(OpprofClock){ .name = "results",
                                     .hz = UINT64_C(1000000000000),
                                     .offset_ps = (int64_t) (self->origin_us * PS_PER_US) });
    return self->clock == 0 ? OpprofErrorNoMemory(error, "read results '%s'", self->input)
                            : OPPROF_OK;
}

static OpprofStatus start(void *context, OpprofError **error)
{
    Results *self = context;
    OpprofStatus status = open_database(self, error);

    if (status == OPPROF_OK) {
        status = check_run(self, error);
    }
    if (status == OPPROF_OK) {
        status = check_pages(self, error);
    }
    if (status == OPPROF_OK) {
        status = make_types(self, error);
    }
    return status == OPPROF_OK ? find_origin(self, error) : status;
}

/* ---- reading ---- */

static OpprofStatus begin(Results *self, const char *sql, OpprofError **error)
{
    return sqlite3_prepare_v2(self->database, sql, -1, &self->rows, NULL) == SQLITE_OK
               ? OPPROF_OK
               : fail(self, error);
}

static void end_rows(Results *self)
{
    sqlite3_finalize(self->rows);
    self->rows = NULL;
}

static OpprofStatus next_part(Results *self, Part part)
{
    end_rows(self);
    self->part = part;
    return OPPROF_OK;
}

/* The next row. *ret_status is an error if the database is damaged. */
static bool step(Results *self, OpprofStatus *ret_status, OpprofError **error)
{
    const int code = sqlite3_step(self->rows);

    if (code != SQLITE_ROW && code != SQLITE_DONE) {
        *ret_status = fail(self, error);
    }
    return code == SQLITE_ROW;
}

static OpprofStatus begin_table(Results *self, const StoredType *stored, OpprofError **error)
{
    char *sql = StoredTypeQuery(stored);
    const OpprofStatus status = sql == NULL
                                    ? OpprofErrorNoMemory(error, "read results '%s'", self->input)
                                    : begin(self, sql, error);

    sqlite3_free(sql);
    return status;
}

/* A batch of the current table. */
static OpprofStatus read_table(Results *self, OpprofError **error)
{
    const StoredType *stored;
    OpprofStatus status = OPPROF_OK;
    OpprofBatch *batch;

    if (self->type == self->type_count) {
        return next_part(self, PART_ADVICE);
    }
    stored = self->types[self->type];
    if (self->rows == NULL) {
        status = begin_table(self, stored, error);
    }
    batch = status == OPPROF_OK ? OpprofBatchPoolTake(stored->pool) : NULL;
    if (batch == NULL) {
        return status == OPPROF_OK ? OpprofErrorNoMemory(error, "read results '%s'", self->input)
                                   : status;
    }
    while (status == OPPROF_OK && batch->count < batch->capacity && step(self, &status, error)) {
        if (!StoredTypeAppend(stored, self->stage, batch, self->rows)) {
            status = OpprofErrorNoMemory(error, "read results '%s'", self->input);
        }
    }
    if (status != OPPROF_OK) {
        OpprofErrorWrap(error, "Cannot read the table '%s'", stored->table);
        OpprofBatchUnref(batch);
        return status;
    }
    if (batch->count < batch->capacity) {
        end_rows(self);
        self->type++;
    }
    OpprofStageProgress(self->stage, self->type, self->type_count, "tables");
    return OpprofStagePush(self->stage, OUTPUT_TABLES, batch);
}

static const char *text_at(const Results *self, int at)
{
    const char *text = (const char *) sqlite3_column_text(self->rows, at);

    return text == NULL ? "" : text;
}

static uint32_t severity_of(const char *text)
{
    return strcmp(text, "problem") == 0 ? OPPROF_SEVERITY_PROBLEM
           : strcmp(text, "hint") == 0  ? OPPROF_SEVERITY_HINT
                                        : OPPROF_SEVERITY_NOTE;
}

static double number_at(const Results *self, int at)
{
    return sqlite3_column_type(self->rows, at) == SQLITE_NULL
               ? NAN
               : sqlite3_column_double(self->rows, at);
}

/* 1 if the database has a table of that name, 0 if not, -1 if it cannot be read. */
static int64_t has_table(const Results *self, const char *name)
{
    sqlite3_stmt *row = NULL;
    int64_t count = -1;

    if (sqlite3_prepare_v2(self->database, "SELECT count(*) FROM sqlite_master WHERE name = ?", -1,
                           &row, NULL) == SQLITE_OK) {
        sqlite3_bind_text(row, 1, name, -1, SQLITE_STATIC);
        count = sqlite3_step(row) == SQLITE_ROW ? sqlite3_column_int64(row, 0) > 0 : -1;
    }
    sqlite3_finalize(row);
    return count;
}

/* A run without advice has no such table; the first releases stored no values. */
static OpprofStatus read_advice(Results *self, OpprofError **error)
{
    static const char select[] =
        "SELECT severity, topic, subject, sentence, numbers, file, column, "
        "unit, value, gain FROM advice";
    static const char select_old[] =
        "SELECT severity, topic, subject, sentence, numbers, NULL, NULL, "
        "NULL, NULL, NULL FROM advice";
    OpprofStatus status = OPPROF_OK;

    if (sqlite3_prepare_v2(self->database, select, -1, &self->rows, NULL) != SQLITE_OK &&
        sqlite3_prepare_v2(self->database, select_old, -1, &self->rows, NULL) != SQLITE_OK) {
        return has_table(self, "advice") == 0 ? next_part(self, PART_SPANS) : fail(self, error);
    }
    while (status == OPPROF_OK && step(self, &status, error)) {
        status = OpprofStageAdvise(self->stage, OUTPUT_ADVICE, 0,
                                   &(OpprofAdviceText){ .severity = severity_of(text_at(self, 0)),
                                                        .topic = text_at(self, 1),
                                                        .subject = text_at(self, 2),
                                                        .sentence = text_at(self, 3),
                                                        .numbers = text_at(self, 4),
                                                        .file = text_at(self, 5),
                                                        .column = text_at(self, 6),
                                                        .unit = text_at(self, 7),
                                                        .value = number_at(self, 8),
                                                        .gain = number_at(self, 9) });
    }
    return status == OPPROF_OK ? next_part(self, PART_SPANS) : status;
}

static uint64_t ticks_of(const Results *self, int at)
{
    const double us = sqlite3_column_double(self->rows, at) - self->origin_us;

    return us >= 0 && us < (double) (INT64_MAX / 2) / PS_PER_US ? (uint64_t) llround(us * PS_PER_US)
                                                                : 0;
}

static uint32_t intern(const Results *self, int at)
{
    const char *text = (const char *) sqlite3_column_text(self->rows, at);

    return text == NULL ? OPPROF_NA_STRING
                        : OpprofStageIntern(self->stage, text,
                                            (size_t) sqlite3_column_bytes(self->rows, at));
}

/* Columns from 0 on: document, process, process_name, thread, thread_name, process_sort, thread_sort, flags. */
static uint32_t track_of(const Results *self)
{
    const OpprofTrack track = {
        .document = text_at(self, 0),
        .process = text_at(self, 1),
        .process_name = (const char *) sqlite3_column_text(self->rows, 2),
        .thread = (const char *) sqlite3_column_text(self->rows, 3),
        .thread_name = (const char *) sqlite3_column_text(self->rows, 4),
        .process_sort = sqlite3_column_int(self->rows, 5),
        .thread_sort = sqlite3_column_int(self->rows, 6),
        .flags = (uint32_t) sqlite3_column_int64(self->rows, 7),
    };

    return OpprofStageTrack(self->stage, &track);
}

#define TRACK_COLUMNS                                                                              \
    "t.document, t.process, t.process_name, t.thread, t.thread_name, t.process_sort,"              \
    " t.thread_sort, t.flags"

static OpprofStatus put_span(Results *self)
{
    const OpprofText none = { OPPROF_NA_U32, 0 };
    const uint32_t partition = intern(self, 0);
    OpprofSpan span = { .track = track_of(self),
                        .kind = (uint32_t) sqlite3_column_int64(self->rows, 8),
                        .name = intern(self, 9),
                        .category = intern(self, 10),
                        .colour = intern(self, 11),
                        .start = ticks_of(self, 12),
                        .duration = (uint64_t) llround(
                            fmax(0, fmin(sqlite3_column_double(self->rows, 13), 9e12)) * PS_PER_US),
                        .args = none,
                        .id = none,
                        .group = none };
    const char *id = (const char *) sqlite3_column_text(self->rows, 14);
    OpprofStatus status = OPPROF_OK;

    if (span.track == OPPROF_NA_U32) {
        return OPPROF_E_MEMORY;
    }
    if (id != NULL) {
        status = OpprofStageText(self->stage, OUTPUT_SPANS, partition, id, strlen(id), &span.id);
    }
    return status == OPPROF_OK ? OpprofStageAppend(self->stage, OUTPUT_SPANS, partition, &span)
                               : status;
}

static OpprofStatus put_counter(Results *self)
{
    const OpprofCounter counter = { .track = track_of(self),
                                    .name = intern(self, 8),
                                    .series = intern(self, 9),
                                    .time = ticks_of(self, 10),
                                    .value = sqlite3_column_double(self->rows, 11) };

    return counter.track == OPPROF_NA_U32
               ? OPPROF_E_MEMORY
               : OpprofStageAppend(self->stage, OUTPUT_COUNTERS, intern(self, 0), &counter);
}

/* Reads some thousand rows of a query, passing each to `put`. */
static OpprofStatus read_rows(Results *self, uint32_t port, const char *sql,
                              OpprofStatus (*put)(Results *), Part next, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;
    uint32_t count = 0;

    if (self->rows == NULL) {
        OpprofStageSetClock(self->stage, port, self->clock);
        status = begin(self, sql, error);
    }
    while (status == OPPROF_OK && count < ROWS_A_CALL && step(self, &status, error)) {
        status = put(self);
        count++;
    }
    if (status == OPPROF_E_MEMORY) {
        return OpprofErrorNoMemory(error, "read results '%s'", self->input);
    }
    return status == OPPROF_OK && count < ROWS_A_CALL ? next_part(self, next) : status;
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    Results *self = context;

    (void) port;
    (void) batch;
    switch (self->part) {
    case PART_TABLES:
        return read_table(self, error);
    case PART_ADVICE:
        return read_advice(self, error);
    case PART_SPANS:
        return read_rows(self, OUTPUT_SPANS,
                         "SELECT " TRACK_COLUMNS ", s.kind, n.text, c.text, o.text, s.start_us,"
                         " s.duration_us, s.id FROM opprof_spans s JOIN opprof_tracks t ON t.id ="
                         " s.track LEFT JOIN opprof_names n ON n.id = s.name LEFT JOIN opprof_names"
                         " c ON c.id = s.category LEFT JOIN opprof_names o ON o.id = s.colour",
                         put_span, PART_COUNTERS, error);
    case PART_COUNTERS:
        return read_rows(self, OUTPUT_COUNTERS,
                         "SELECT " TRACK_COLUMNS ", n.text, r.text, c.time_us, c.value FROM"
                         " opprof_counters c JOIN opprof_tracks t ON t.id = c.track LEFT JOIN"
                         " opprof_names n ON n.id = c.name LEFT JOIN opprof_names r ON r.id ="
                         " c.series",
                         put_counter, PART_END, error);
    case PART_END:
    default:
        return OPPROF_END;
    }
}

static void destroy(void *context)
{
    Results *self = context;

    sqlite3_finalize(self->rows);
    for (uint32_t i = 0; i < self->type_count; i++) {
        StoredTypeFree(self->types[i]);
        free(self->types[i]);
    }
    free(self->types);
    sqlite3_close(self->database);
    free(self->path);
    free(self);
}

static const OpprofPort outputs[] = {
    [OUTPUT_TABLES] = { .name = "tables",
                        .record_type = &opprof_tables_type,
                        .summary = "The tables of the run." },
    [OUTPUT_SPANS] = { .name = "spans",
                       .record_type = &opprof_span_type,
                       .summary = "Its timelines, without their arguments." },
    [OUTPUT_COUNTERS] = { .name = "counters",
                          .record_type = &opprof_counter_type,
                          .summary = "Its curves." },
    [OUTPUT_ADVICE] = { .name = "advice",
                        .record_type = &opprof_advice_type,
                        .summary = "Its advice." },
};

static const OpprofParam params[] = {
    { .name = "input",
      .type = OPPROF_PARAM_PATH,
      .flags = OPPROF_PARAM_REQUIRED,
      .summary = "Folder of a finished run, or its results.sqlite." },
};

static const OpprofPluginOps ops = {
    .struct_size = sizeof(OpprofPluginOps),
    .create = create,
    .configure = configure,
    .start = start,
    .process = process,
    .destroy = destroy,
};

OPPROF_PLUGIN_DEFINE(.name = "collect-results", .version = "1.0", .license = "Apache-2.0",
                     .summary = "Reads the findings of a finished run from its database.",
                     .kind = OPPROF_COLLECTOR, .outputs = outputs,
                     .output_count = OPPROF_COUNT(outputs), .params = params,
                     .param_count = OPPROF_COUNT(params), .ops = &ops);
