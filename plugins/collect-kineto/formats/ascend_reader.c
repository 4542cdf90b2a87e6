/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads databases that Ascend profilers export as events like those of their trace_view.json.
 * Tested by tests/plugins/collect-kineto/test_ascend_db.sh.
 */
#include "collect-kineto/formats/ascend_reader.h"
#include "collect-kineto/formats/database.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEPS_A_LOOK 4000                 /* instructions between two checks for a stop */
#define NO_CONNECTION INT64_C(4294967295) /* of work that no call launched */

/* The columns that every query has, in this order. */
enum { START, END, DEVICE, STREAM, CONNECTION, THREAD, NAME, TYPE };

/* A table, and how to get its events. Times are ns since 1970; names are in STRING_IDS. */
typedef struct Query {
    const char *table;
    const char *needed; /* a second table that it takes facts from; NULL: none */
    const char *sql;
    CategoryUse use;
} Query;

#define NAMED(column) "(SELECT value FROM STRING_IDS WHERE id = t." column ")"
#define DEVICE_OF_ALL "(SELECT min(deviceId) FROM TASK)"

static const Query queries[] = {
    { "STEP_TIME", NULL,
      "SELECT t.startNs, t.endNs, NULL, NULL, NULL, 1, 'ProfilerStep#' || t.id, NULL "
      "FROM STEP_TIME AS t",
      USE_ANNOTATION },
    { "PYTORCH_API", NULL,
      "SELECT t.startNs, t.endNs, NULL, NULL, NULL, t.globalTid, " NAMED(
          "name") ", NULL "
                  "FROM PYTORCH_API AS t",
      USE_OPERATOR },
    { "MSTX_EVENTS", NULL,
      "SELECT t.startNs, t.endNs, NULL, NULL, NULL, t.globalTid, " NAMED(
          "message") ", NULL "
                     "FROM MSTX_EVENTS AS t WHERE t.endNs > t.startNs",
      USE_ANNOTATION },
    { "CANN_API", NULL,
      "SELECT t.startNs, t.endNs, NULL, NULL, t.connectionId, t.globalTid, " NAMED(
          "name") ", NULL FROM CANN_API AS t",
      USE_UNTOLD },
    { "TASK", "COMPUTE_TASK_INFO",
      "SELECT t.startNs, t.endNs, t.deviceId, t.streamId, t.connectionId, t.streamId, "
      "coalesce((SELECT value FROM STRING_IDS WHERE id = c.name), " NAMED("taskType") "), " NAMED(
          "taskType") " FROM TASK AS t "
                      "LEFT JOIN COMPUTE_TASK_INFO AS c ON c.globalTaskId = t.globalTaskId",
      USE_UNTOLD },
    { "COMMUNICATION_OP", NULL,
      "SELECT t.startNs, t.endNs, " DEVICE_OF_ALL
      ", NULL, t.connectionId, t.groupName, " NAMED("opName") ", NULL FROM COMMUNICATION_OP AS t",
      USE_UNTOLD },
};

#define QUERIES (sizeof queries / sizeof queries[0])

typedef struct AscendReader {
    EventReader base;
    Database database;
    sqlite3_stmt *rows; /* NULL: between tables */
    size_t next_query;
    SourceIsStopping *is_stopping;
    const void *context;
    TraceFacts facts;
    uint64_t all_rows; /* of all tables that are read */
    char process[24];
    char thread[24];
    char problem[512];
    char lacks[256];
    TraceEvent event;
} AscendReader;

static int look_for_stop(void *context)
{
    const AscendReader *self = context;

    return self->is_stopping != NULL && self->is_stopping(self->context);
}

/* ---- tables ---- */

static bool has_table(AscendReader *self, const char *name)
{
    sqlite3_stmt *statement = NULL;
    bool result = false;

    if (sqlite3_prepare_v2(self->database.db,
                           "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", -1,
                           &statement, NULL) == SQLITE_OK &&
        sqlite3_bind_text(statement, 1, name, -1, SQLITE_STATIC) == SQLITE_OK) {
        result = sqlite3_step(statement) == SQLITE_ROW;
    }
    sqlite3_finalize(statement);
    return result;
}

static uint64_t count_rows(AscendReader *self, const char *table)
{
    sqlite3_stmt *statement = NULL;
    char sql[96];
    uint64_t count = 0;

    snprintf(sql, sizeof sql, "SELECT count(*) FROM %s", table);
    if (sqlite3_prepare_v2(self->database.db, sql, -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW) {
        count = (uint64_t) sqlite3_column_int64(statement, 0);
    }
    sqlite3_finalize(statement);
    return count;
}

/* The rest of a table cannot be read. Other tables may be good. */
static void leave_table(AscendReader *self, const char *table)
{
    if (self->facts.problem == NULL) {
        snprintf(self->problem, sizeof self->problem, "%s%sreading table %s fails: %s",
                 self->database.fault, self->database.fault[0] == '\0' ? "" : "; ", table,
                 sqlite3_errmsg(self->database.db));
        self->facts.problem = self->problem;
        self->facts.problem_at = self->facts.events;
    }
    sqlite3_finalize(self->rows);
    self->rows = NULL;
    self->facts.was_stopped = look_for_stop(self) != 0;
    if (self->facts.was_stopped) {
        self->next_query = QUERIES;
    }
}

static OpprofStatus end_of_tables(AscendReader *self)
{
    DatabaseCheckEnd(&self->database);
    if (self->facts.problem == NULL && self->database.fault[0] != '\0') {
        self->facts.problem = self->database.fault;
        self->facts.problem_at = self->facts.events;
    }
    return OPPROF_END;
}

/* Parts of an operator of communication are not work beside it. */
#define NO_PARTS " WHERE t.globalTaskId NOT IN (SELECT globalTaskId FROM COMMUNICATION_TASK_INFO)"
/* Without names of kernels, tasks have those of their types. */
#define TASKS_ALONE                                                                                \
    "SELECT t.startNs, t.endNs, t.deviceId, t.streamId, t.connectionId, t.streamId, " NAMED(       \
        "taskType") ", " NAMED("taskType") " FROM TASK AS t"

/* Begins the next table that is there. OPPROF_END after the last. */
static OpprofStatus begin_table(AscendReader *self)
{
    const Query *query;
    char sql[1024];

    while (self->next_query < QUERIES && !has_table(self, queries[self->next_query].table)) {
        self->next_query++;
    }
    if (self->next_query == QUERIES) {
        return end_of_tables(self);
    }
    query = &queries[self->next_query++];
    const bool is_alone = query->needed != NULL && !has_table(self, query->needed);
    const bool has_parts = query->needed != NULL && has_table(self, "COMMUNICATION_TASK_INFO") &&
                           has_table(self, "COMMUNICATION_OP");
    snprintf(sql, sizeof sql, "%s%s", is_alone ? TASKS_ALONE : query->sql,
             has_parts ? NO_PARTS : "");
    if (sqlite3_prepare_v2(self->database.db, sql, -1, &self->rows, NULL) != SQLITE_OK) {
        leave_table(self, query->table);
    }
    return OPPROF_OK;
}

/* ---- events ---- */

static JsonText text_of(sqlite3_stmt *row, int column)
{
    const char *text = (const char *) sqlite3_column_text(row, column);
    const int bytes = sqlite3_column_bytes(row, column);

    return (JsonText){ .text = text == NULL ? "" : text,
                       .length = text == NULL || bytes < 0 ? 0 : (uint32_t) bytes,
                       .is_string = true };
}

static bool take_number(sqlite3_stmt *row, int column, uint32_t bit, TraceEvent *event,
                        int64_t *ret_value)
{
    const int type = sqlite3_column_type(row, column);

    event->has |= type == SQLITE_INTEGER ? bit : type == SQLITE_NULL ? 0 : EVENT_HAS_ODD_ARGS;
    if (type == SQLITE_INTEGER) {
        *ret_value = sqlite3_column_int64(row, column);
    }
    return type == SQLITE_INTEGER;
}

static JsonText print_number(char *room, size_t size, int64_t number)
{
    const int length = snprintf(room, size, "%" PRId64, number);

    return (JsonText){ .text = room, .length = (uint32_t) length };
}

static void take_row(AscendReader *self, const Query *query, TraceEvent *event)
{
    sqlite3_stmt *row = self->rows;
    int64_t end = 0;
    int64_t thread = 0;

    EventInit(event);
    event->at = self->facts.events++;
    event->phase = 'X';
    event->use = query->use;
    event->has = EVENT_HAS_PHASE | EVENT_HAS_NAME | EVENT_HAS_PID | EVENT_HAS_TID;
    event->has |= query->use == USE_UNTOLD ? 0 : EVENT_HAS_CATEGORY;
    event->name = text_of(row, NAME);
    if (take_number(row, START, EVENT_HAS_START, event, &event->start_ns) &&
        take_number(row, END, 0, event, &end) &&
        !__builtin_sub_overflow(end, event->start_ns, &event->duration_ns)) {
        event->has |= EVENT_HAS_DURATION;
    }
    take_number(row, DEVICE, EVENT_HAS_DEVICE, event, &event->device);
    take_number(row, STREAM, EVENT_HAS_STREAM, event, &event->stream);
    take_number(row, CONNECTION, EVENT_HAS_CONNECTION, event, &event->correlation);
    if (event->correlation == NO_CONNECTION) {
        event->has &= ~(uint32_t) EVENT_HAS_CONNECTION;
        event->correlation = -1;
    }
    take_number(row, THREAD, 0, event, &thread);
    /* work of a device has a process of its own */
    event->pid = print_number(self->process, sizeof self->process,
                              (event->has & EVENT_HAS_DEVICE) != 0 ? event->device : -1);
    event->tid = print_number(self->thread, sizeof self->thread, thread);
    if (sqlite3_column_type(row, TYPE) == SQLITE_TEXT) {
        event->task_type = text_of(row, TYPE);
        event->has |= EVENT_HAS_TASK_TYPE;
    }
}

/* ---- what is missing ---- */

/* Tables without which something of a trace is not known. */
static const struct {
    const char *table;
    const char *what;
} wanted[] = {
    { "COMPUTE_TASK_INFO", "names of kernels" },
    { "COMMUNICATION_OP", "operators of communication" },
    { "CANN_API", "calls that launch work" },
    { "STEP_TIME", "steps" },
};

static void note_lacks(AscendReader *self)
{
    size_t length = 0;

    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        if (!has_table(self, wanted[i].table)) {
            length += (size_t) snprintf(self->lacks + length, sizeof self->lacks - length,
                                        "%s%s (table %s)", length == 0 ? "" : ", ", wanted[i].what,
                                        wanted[i].table);
        }
    }
    self->facts.lacks = length == 0 ? NULL : self->lacks;
}

/* ---- operations ---- */

static OpprofStatus ascend_next(EventReader *reader, const TraceEvent **ret_event,
                                OpprofError **error)
{
    AscendReader *self = (AscendReader *) reader;

    (void) error;
    for (;;) {
        const OpprofStatus status = self->rows == NULL ? begin_table(self) : OPPROF_OK;
        int code;

        if (status != OPPROF_OK) {
            return status;
        }
        if (self->rows == NULL) {
            continue;
        }
        code = sqlite3_step(self->rows);
        if (code == SQLITE_ROW) {
            take_row(self, &queries[self->next_query - 1], &self->event);
            *ret_event = &self->event;
            return OPPROF_OK;
        }
        if (code != SQLITE_DONE) {
            leave_table(self, queries[self->next_query - 1].table);
            continue;
        }
        sqlite3_finalize(self->rows);
        self->rows = NULL;
    }
}

static void ascend_stop(EventReader *reader)
{
    AscendReader *self = (AscendReader *) reader;

    if (self->rows != NULL || self->next_query < QUERIES) {
        self->facts.problem = "the run was stopped";
        self->facts.problem_at = self->facts.events;
        self->facts.was_stopped = true;
        self->next_query = QUERIES;
    }
}

static void ascend_facts(const EventReader *reader, TraceFacts *ret_facts)
{
    *ret_facts = ((const AscendReader *) reader)->facts;
}

static ReadProgress ascend_progress(const EventReader *reader)
{
    const AscendReader *self = (const AscendReader *) reader;
    const uint64_t size = self->database.size;
    const uint64_t done = self->facts.events < self->all_rows ? self->facts.events : self->all_rows;

    return (ReadProgress){
        self->all_rows == 0 ? size
                            : (uint64_t) ((double) done / (double) self->all_rows * (double) size),
        size
    };
}

static void ascend_destroy(EventReader *reader)
{
    AscendReader *self = (AscendReader *) reader;

    sqlite3_finalize(self->rows);
    DatabaseClose(&self->database);
    free(self);
}

static const EventReaderOps ascend_ops = { .next = ascend_next,
                                           .stop = ascend_stop,
                                           .get_facts = ascend_facts,
                                           .progress = ascend_progress,
                                           .destroy = ascend_destroy };

OpprofStatus AscendReaderOpen(const char *path, const char *damage, SourceIsStopping *is_stopping,
                              const void *context, EventReader **ret_reader, OpprofError **error)
{
    AscendReader *self = calloc(1, sizeof *self);
    OpprofStatus status;

    if (self == NULL) {
        return OpprofErrorNoMemory(error, "open trace '%s'", path);
    }
    self->base.ops = &ascend_ops;
    self->is_stopping = is_stopping;
    self->context = context;
    self->facts.is_database = true;
    status = DatabaseOpen(path, damage, &self->database, error);
    if (status != OPPROF_OK) {
        ascend_destroy(&self->base);
        return status;
    }
    sqlite3_progress_handler(self->database.db, STEPS_A_LOOK, look_for_stop, self);
    for (size_t i = 0; i < QUERIES; i++) {
        self->all_rows +=
            has_table(self, queries[i].table) ? count_rows(self, queries[i].table) : 0;
    }
    self->facts.has_events = has_table(self, "STRING_IDS") &&
                             (has_table(self, "TASK") || has_table(self, "COMMUNICATION_OP"));
    note_lacks(self);
    *ret_reader = &self->base;
    return OPPROF_OK;
}

bool AscendReaderAccepts(const char *path)
{
    EventReader *reader = NULL;
    OpprofError *error = NULL;
    bool is_accepted = false;

    if (AscendReaderOpen(path, NULL, NULL, NULL, &reader, &error) == OPPROF_OK) {
        is_accepted = ((const AscendReader *) reader)->facts.has_events;
        ascend_destroy(reader);
    }
    OpprofErrorDestroy(error);
    return is_accepted;
}
