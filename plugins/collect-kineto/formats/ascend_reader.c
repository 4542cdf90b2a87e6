/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads databases that Ascend profilers export as events like those of their trace_view.json.
 * Tested by tests/plugins/collect-kineto/test_ascend_db.sh.
 */
#include "collect-kineto/formats/ascend_reader.h"
#include "collect-kineto/formats/database_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
      "SELECT t.startNs, t.endNs, " DEVICE_OF_ALL ", NULL, t.connectionId, t.groupName, " NAMED(
          "opName") ", CASE WHEN " NAMED("opName") " LIKE 'hcom%' THEN NULL ELSE 'RDMA' END FROM "
                                                   "COMMUNICATION_OP AS t", /* not by its name */
      USE_UNTOLD },
};

#define QUERIES (sizeof queries / sizeof queries[0])

typedef struct AscendReader {
    DatabaseReader base;
    char lacks[256];
    bool is_checked; /* whether its tables agree */
} AscendReader;

/* ---- tables ---- */

static const char *name_of(size_t table)
{
    return queries[table].table;
}

/* Parts of an operator of communication are not work beside it. */
#define NO_PARTS " WHERE t.globalTaskId NOT IN (SELECT globalTaskId FROM COMMUNICATION_TASK_INFO)"
/* Without names of kernels, tasks have those of their types. */
#define TASKS_ALONE                                                                                \
    "SELECT t.startNs, t.endNs, t.deviceId, t.streamId, t.connectionId, t.streamId, " NAMED(       \
        "taskType") ", " NAMED("taskType") " FROM TASK AS t"

static bool write_query(DatabaseReader *reader, size_t table, char *sql, size_t size)
{
    const Query *query = &queries[table];
    const bool is_alone = query->needed != NULL && !DatabaseReaderHas(reader, query->needed);
    const bool has_parts = query->needed != NULL &&
                           DatabaseReaderHas(reader, "COMMUNICATION_TASK_INFO") &&
                           DatabaseReaderHas(reader, "COMMUNICATION_OP");
    const int written =
        snprintf(sql, size, "%s%s", is_alone ? TASKS_ALONE : query->sql, has_parts ? NO_PARTS : "");

    return written >= 0 && (size_t) written < size;
}

/* ---- events ---- */

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

static RowTaken take_row(DatabaseReader *reader, size_t table)
{
    const Query *query = &queries[table];
    sqlite3_stmt *row = reader->rows;
    TraceEvent *event = &reader->event;
    int64_t end = 0;
    int64_t thread = 0;

    EventInit(event);
    event->at = reader->facts.events++;
    event->phase = 'X';
    event->use = query->use;
    event->has = EVENT_HAS_PHASE | EVENT_HAS_NAME | EVENT_HAS_PID | EVENT_HAS_TID;
    event->has |= query->use == USE_UNTOLD ? 0 : EVENT_HAS_CATEGORY;
    event->name = RowText(row, NAME);
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
    event->pid = RowPrint(reader->process, sizeof reader->process,
                          (event->has & EVENT_HAS_DEVICE) != 0 ? event->device : -1);
    event->tid = RowPrint(reader->thread, sizeof reader->thread, thread);
    if (sqlite3_column_type(row, TYPE) == SQLITE_TEXT) {
        event->task_type = RowText(row, TYPE);
        event->has |= EVENT_HAS_TASK_TYPE;
    }
    return ROW_IS_EVENT;
}

static const DatabaseForm form = {
    .table_count = QUERIES, .name_of = name_of, .write_query = write_query, .take_row = take_row
};

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
        if (!DatabaseReaderHas(&self->base, wanted[i].table)) {
            length += (size_t) snprintf(self->lacks + length, sizeof self->lacks - length,
                                        "%s%s (table %s)", length == 0 ? "" : ", ", wanted[i].what,
                                        wanted[i].table);
        }
    }
    self->base.facts.lacks = length == 0 ? NULL : self->lacks;
}

/* ---- tables that say the same ---- */

#define NOT_IN(column, table) " NOT IN (SELECT " column " FROM " table " WHERE " column " >= 0)"
/* What was launched before the recording has none, and is described nowhere. */
#define WITH_CONNECTION "connectionId >= 0 AND connectionId < 4294967295"

/*
 * Rows of a table that another one has to know, and how many of them it does not. Versions, and
 * levels of profiling, have tables in which most are missing: then no single rows were lost.
 */
static const struct {
    const char *all; /* FROM and WHERE */
    const char *missing;
    const char *what;
} agreements[] = {
    { "COMPUTE_TASK_INFO WHERE 1", " AND globalTaskId" NOT_IN("globalTaskId", "TASK"),
      "kernels of COMPUTE_TASK_INFO are not in TASK, so that work was lost" },
    { "TASK WHERE " WITH_CONNECTION " AND taskType IN (SELECT k.taskType FROM TASK AS k JOIN "
      "COMPUTE_TASK_INFO AS c ON c.globalTaskId = k.globalTaskId)",
      " AND globalTaskId" NOT_IN("globalTaskId", "COMPUTE_TASK_INFO"),
      "tasks of kernels are not in COMPUTE_TASK_INFO, so that they have the names of their types" },
    { "COMMUNICATION_TASK_INFO WHERE 1", " AND opId" NOT_IN("opId", "COMMUNICATION_OP"),
      "tasks are parts of operators that are not in COMMUNICATION_OP, so that work was lost" },
    { "TASK WHERE " WITH_CONNECTION " AND connectionId IN (SELECT connectionId FROM "
      "COMMUNICATION_OP) AND globalTaskId" NOT_IN(
          "globalTaskId",
          "COMPUTE_TASK_INFO") " AND taskType"
                               " NOT IN (SELECT id FROM STRING_IDS WHERE value LIKE '%EVENT%' OR "
                               "value LIKE '%NOTIFY%' OR "
                               "value LIKE '%WAIT%')", /* marks, which are no work */
      " AND globalTaskId" NOT_IN("globalTaskId", "COMMUNICATION_TASK_INFO"),
      "tasks of communication are not in COMMUNICATION_TASK_INFO, so that they count as work "
      "besides" },
};

/* Columns with numbers of STRING_IDS. */
static const struct {
    const char *table;
    const char *column;
} named[] = {
    { "TASK", "taskType" }, { "COMPUTE_TASK_INFO", "name" }, { "COMMUNICATION_OP", "opName" },
    { "CANN_API", "name" }, { "PYTORCH_API", "name" },       { "MSTX_EVENTS", "message" },
};

static uint64_t count_rows(AscendReader *self, const char *of, const char *missing)
{
    char sql[1024];

    snprintf(sql, sizeof sql, "SELECT count(*) FROM %s%s", of, missing);
    return DatabaseReaderAsk(&self->base, sql);
}

static void note_rows(AscendReader *self, uint64_t count, const char *what)
{
    char fault[256];

    snprintf(fault, sizeof fault, "%llu %s", (unsigned long long) count, what);
    DatabaseNote(&self->base.database, fault);
}

static void check_agreements(AscendReader *self)
{
    for (size_t i = 0; i < sizeof agreements / sizeof agreements[0]; i++) {
        const uint64_t missing = count_rows(self, agreements[i].all, agreements[i].missing);

        if (missing > 0 && missing * 2 <= count_rows(self, agreements[i].all, "")) {
            note_rows(self, missing, agreements[i].what);
        }
    }
}

static void check_names(AscendReader *self)
{
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++) {
        char condition[128];
        char what[128];
        uint64_t missing;

        snprintf(condition, sizeof condition, " WHERE %s" NOT_IN("id", "STRING_IDS"),
                 named[i].column);
        missing = count_rows(self, named[i].table, condition);
        if (missing > 0) {
            snprintf(what, sizeof what, "rows of %s have names that are not in STRING_IDS",
                     named[i].table);
            note_rows(self, missing, what);
        }
    }
}

/* ---- operations ---- */

static OpprofStatus ascend_next(EventReader *reader, const TraceEvent **ret_event,
                                OpprofError **error)
{
    AscendReader *self = (AscendReader *) reader;

    if (!self->is_checked) {
        self->is_checked = true;
        check_agreements(self);
        check_names(self);
    }
    return DatabaseReaderNext(reader, ret_event, error);
}

static void ascend_destroy(EventReader *reader)
{
    AscendReader *self = (AscendReader *) reader;

    DatabaseReaderFinish(&self->base);
    free(self);
}

static const EventReaderOps ascend_ops = { .next = ascend_next,
                                           .stop = DatabaseReaderStop,
                                           .get_facts = DatabaseReaderFacts,
                                           .progress = DatabaseReaderProgress,
                                           .destroy = ascend_destroy };

OpprofStatus AscendReaderOpen(const char *path, const char *damage, SourceIsStopping *is_stopping,
                              const void *context, EventReader **ret_reader, OpprofError **error)
{
    AscendReader *self = calloc(1, sizeof *self);
    OpprofStatus status;

    if (self == NULL) {
        return OpprofErrorNoMemory(error, "open trace '%s'", path);
    }
    self->base.base.ops = &ascend_ops;
    self->base.form = &form;
    status = DatabaseReaderOpen(&self->base, path, damage, is_stopping, context, error);
    if (status != OPPROF_OK) {
        ascend_destroy(&self->base.base);
        return status;
    }
    self->base.facts.has_events = DatabaseReaderHas(&self->base, "STRING_IDS") &&
                                  (DatabaseReaderHas(&self->base, "TASK") ||
                                   DatabaseReaderHas(&self->base, "COMMUNICATION_OP"));
    note_lacks(self);
    *ret_reader = &self->base.base;
    return OPPROF_OK;
}

bool AscendReaderAccepts(const char *path)
{
    return DatabaseFormAccepts(AscendReaderOpen, path);
}
