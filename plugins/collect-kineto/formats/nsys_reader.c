/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads databases exported by Nsight Systems as events. Layout: its "SQLite Export Schema
 * Reference". Tested by tests/plugins/collect-kineto/test_nsys_reader and test_inputs.sh.
 */
#include "collect-kineto/formats/nsys_reader.h"
#include "collect-kineto/formats/database_reader.h"
#include "collect-kineto/formats/nsys_waits.h"

#include <inttypes.h>
#include <opprof/kit/bytes.h>
#include <opprof/map.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The columns that every query has, in this order. */
enum { START, END, DEVICE, STREAM, CORRELATION, GLOBAL_ID, NAME, BYTES, MORE };

/* A table, and how to get its events. */
typedef struct Query {
    const char *table;
    const char *columns; /* of the alias t, and n for its name */
    const char *name_id; /* column of the name in StringIds; NULL: none */
    const char *where;   /* NULL: all rows */
    CategoryUse use;
    bool has_graphs;
} Query;

static const Query queries[] = {
    { "CUPTI_ACTIVITY_KIND_KERNEL",
      "t.start, t.end, t.deviceId, t.streamId, t.correlationId, t.globalPid, n.value, NULL",
      "demangledName", NULL, USE_KERNEL, false }, /* and KERNEL_GRID where it has these columns */
    { "CUPTI_ACTIVITY_KIND_MEMCPY",
      "t.start, t.end, t.deviceId, t.streamId, t.correlationId, t.globalPid, 'Memcpy ' || CASE "
      "t.copyKind WHEN 1 THEN 'HtoD' WHEN 2 THEN 'DtoH' WHEN 3 THEN 'HtoA' WHEN 4 THEN 'AtoH' "
      "WHEN 5 THEN 'AtoA' WHEN 6 THEN 'AtoD' WHEN 7 THEN 'DtoA' WHEN 8 THEN 'DtoD' WHEN 9 THEN "
      "'HtoH' WHEN 10 THEN 'PtoP' WHEN 11 THEN 'HtoD (Unified)' WHEN 12 THEN 'DtoH (Unified)' "
      "WHEN 13 THEN 'DtoD (Unified)' ELSE 'Unknown' END, t.bytes",
      NULL, NULL, USE_TRANSFER, false },
    { "CUPTI_ACTIVITY_KIND_MEMSET",
      "t.start, t.end, t.deviceId, t.streamId, t.correlationId, t.globalPid, 'Memset', t.bytes",
      NULL, NULL, USE_TRANSFER, false },
    { "CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
      "t.start, t.end, t.deviceId, t.streamId, t.correlationId, t.globalPid, 'CUDA graph ' || "
      "t.graphId, NULL",
      NULL, NULL, USE_KERNEL, true },
    { "CUPTI_ACTIVITY_KIND_RUNTIME",
      "t.start, t.end, NULL, NULL, t.correlationId, t.globalTid, n.value, NULL", "nameId", NULL,
      USE_CALL, false },
    { NSYS_WAITS,
      "t.start, t.end, t.deviceId, t.streamId, t.correlationId, t.globalPid, 'wait', NULL, "
      "t.contextId, t.syncType, t.eventId",
      NULL, "1 ORDER BY t.correlationId", USE_WAIT, false },
    { "NVTX_EVENTS",
      "t.start, t.end, NULL, NULL, NULL, t.globalTid, coalesce(t.text, n.value), NULL", "textId",
      /* ranges: pushed and popped, started and ended; the same of imported text */
      "t.eventType IN (59, 60, 70, 71)", USE_ANNOTATION, false },
};

#define QUERIES (sizeof queries / sizeof queries[0])

typedef struct NsysReader {
    DatabaseReader base;
    NsysWaits waits;
    bool has_grids;    /* kernels have KERNEL_GRID */
    OpprofMap gpus;    /* number of a GPU, by process and the device's number there */
    int64_t latest_ns; /* end of what was read */
} NsysReader;

/* ---- the database ---- */

/* Columns that tests and old versions lack. */
#define KERNEL_GRID ", t.gridX * t.gridY * t.gridZ, t.blockX * t.blockY * t.blockZ"

static void read_grid_facts(NsysReader *self)
{
    self->has_grids =
        DatabaseReaderAsk(&self->base, "SELECT count(*) FROM "
                                       "pragma_table_info('CUPTI_ACTIVITY_KIND_KERNEL') WHERE "
                                       "name IN ('gridX', 'gridY', 'gridZ', 'blockX', 'blockY', "
                                       "'blockZ')") == 6;
    self->base.facts.units = (uint32_t) DatabaseReaderAsk(
        &self->base, "SELECT min(smCount, 65535) FROM TARGET_INFO_GPU ORDER BY id LIMIT 1");
}

static void read_facts(NsysReader *self)
{
    TraceFacts *facts = &self->base.facts;

    facts->base_ns = (int64_t) DatabaseReaderAsk(
        &self->base, "SELECT utcEpochNs FROM TARGET_INFO_SESSION_START_TIME");
    facts->has_base = facts->base_ns > 0;
    read_grid_facts(self);
}

static uint64_t device_key(uint64_t process, int64_t device)
{
    return process << 32 | (uint32_t) device;
}

/* Each process counts the devices that it sees from 0 on (CUDA_VISIBLE_DEVICES). False without
 * memory. */
static bool learn_devices(NsysReader *self)
{
    static const char sql[] = "SELECT pid & 0xffffff, cudaId, gpuId FROM TARGET_INFO_CUDA_DEVICE "
                              "WHERE cudaId BETWEEN 0 AND 0xffff AND gpuId BETWEEN 0 AND 0xffff";
    sqlite3_stmt *rows = NULL;
    bool is_good = true;
    int code;

    if (sqlite3_prepare_v2(self->base.database.db, sql, -1, &rows, NULL) != SQLITE_OK) {
        return true; /* older versions have no such table */
    }
    while (is_good && (code = sqlite3_step(rows)) == SQLITE_ROW) {
        const uint64_t process = (uint64_t) sqlite3_column_int64(rows, 0);

        is_good = OpprofMapPut(&self->gpus, device_key(process, sqlite3_column_int64(rows, 1)),
                               (uint32_t) sqlite3_column_int64(rows, 2));
    }
    if (is_good && code != SQLITE_DONE) {
        DatabaseReaderNoteUnread(&self->base);
    }
    sqlite3_finalize(rows);
    return is_good;
}

/* ---- tables ---- */

static const char *name_of(size_t table)
{
    return queries[table].table;
}

static bool write_query(DatabaseReader *reader, size_t table, char *sql, size_t size)
{
    const NsysReader *self = (const NsysReader *) reader;
    const Query *query = &queries[table];
    const char *from = query->use == USE_WAIT && DatabaseReaderHas(reader, NSYS_MARKS)
                           ? NSYS_WAITS_AND_MARKS
                           : query->table;
    const int written = snprintf(
        sql, size, "SELECT %s%s FROM %s AS t %s%s %s%s", query->columns,
        query->use == USE_KERNEL && !query->has_graphs && self->has_grids ? KERNEL_GRID : "", from,
        query->name_id == NULL ? "" : "LEFT JOIN StringIds AS n ON n.id = t.",
        query->name_id == NULL ? "" : query->name_id, query->where == NULL ? "" : "WHERE ",
        query->where == NULL ? "" : query->where);

    return written >= 0 && (size_t) written < size;
}

/* ---- events ---- */

static bool drop_end(JsonText *name, const char *end)
{
    const uint32_t length = (uint32_t) strlen(end);
    const bool result =
        name->length > length && memcmp(name->text + name->length - length, end, length) == 0;

    name->length -= result ? length : 0;
    return result;
}

static void drop_version(JsonText *name)
{
    uint32_t length = name->length;

    while (length > 0 && name->text[length - 1] >= '0' && name->text[length - 1] <= '9') {
        length--;
    }
    if (length < name->length && length > 2 && memcmp(name->text + length - 2, "_v", 2) == 0) {
        name->length = length - 2;
    }
}

/*
 * Names of calls end with the version of their interface, and those of programs with a default
 * stream per thread with that, in either order: cudaLaunchKernel_ptsz_v7000,
 * cuMemcpyHtoDAsync_v2_ptsz.
 */
static JsonText plain_call(JsonText name)
{
    for (int i = 0; i < 2; i++) {
        if (!drop_end(&name, "_ptsz")) {
            drop_end(&name, "_ptds");
        }
        drop_version(&name);
    }
    return name;
}

static bool has_value(sqlite3_stmt *row, int column)
{
    return sqlite3_column_type(row, column) == SQLITE_INTEGER;
}

/* A range without end was open when the recording ended: it lasts until the end of everything else,
 * which was read before. */
static void take_times(NsysReader *self, const Query *query, TraceEvent *event)
{
    sqlite3_stmt *row = self->base.rows;
    const bool is_open =
        query->use == USE_ANNOTATION && sqlite3_column_type(row, END) == SQLITE_NULL;
    int64_t end;

    if (!has_value(row, START)) {
        return;
    }
    event->start_ns = sqlite3_column_int64(row, START);
    event->has |= EVENT_HAS_START;
    if (!is_open && !has_value(row, END)) {
        return;
    }
    end = is_open ? self->latest_ns : sqlite3_column_int64(row, END);
    end = is_open && end < event->start_ns ? event->start_ns : end;
    if (!__builtin_sub_overflow(end, event->start_ns, &event->duration_ns)) {
        event->has |= EVENT_HAS_DURATION;
    }
    self->latest_ns = end > self->latest_ns ? end : self->latest_ns;
}

/* NULL is an unknown number; anything else that is not a number is damage. */
static void note_odd(sqlite3_stmt *row, int column, TraceEvent *event)
{
    const int type = sqlite3_column_type(row, column);

    event->has |= type == SQLITE_INTEGER || type == SQLITE_NULL ? 0 : EVENT_HAS_ODD_ARGS;
}

/* Process and thread are in one number: 24 bits each, below those of the machine. */
static uint64_t process_of(uint64_t global_id)
{
    return global_id >> 24 & 0xffffff;
}

static void take_lane(const NsysReader *self, TraceEvent *event)
{
    sqlite3_stmt *row = self->base.rows;

    note_odd(row, DEVICE, event);
    note_odd(row, STREAM, event);
    if (has_value(row, DEVICE)) {
        const uint64_t id = (uint64_t) sqlite3_column_int64(row, GLOBAL_ID);
        const int64_t device = sqlite3_column_int64(row, DEVICE);
        const uint32_t gpu = OpprofMapFind(&self->gpus, device_key(process_of(id), device));

        event->device = gpu == OPPROF_MAP_NONE ? device : gpu;
        event->has |= EVENT_HAS_DEVICE;
    }
    if (has_value(row, STREAM)) {
        event->stream = sqlite3_column_int64(row, STREAM);
        event->has |= EVENT_HAS_STREAM;
    }
}

static void take_ids(NsysReader *self, TraceEvent *event)
{
    sqlite3_stmt *row = self->base.rows;
    const uint64_t id = (uint64_t) sqlite3_column_int64(row, GLOBAL_ID);
    const uint64_t process = process_of(id);

    note_odd(row, GLOBAL_ID, event);
    note_odd(row, CORRELATION, event);
    event->pid = RowPrint(self->base.process, sizeof self->base.process, (int64_t) process);
    event->tid = RowPrint(self->base.thread, sizeof self->base.thread, (int64_t) (id & 0xffffff));
    event->has |= EVENT_HAS_PID | EVENT_HAS_TID;
    if (has_value(row, CORRELATION)) {
        /* Numbers of calls are unique only within their process. */
        event->correlation =
            (int64_t) (process << 32 | (uint32_t) sqlite3_column_int64(row, CORRELATION));
        event->has |= EVENT_HAS_CORRELATION;
    }
}

/* Bytes per nanosecond are 1e9 bytes per second. */
static void take_bytes(sqlite3_stmt *row, TraceEvent *event)
{
    note_odd(row, BYTES, event);
    if (!has_value(row, BYTES)) {
        return;
    }
    event->bytes = sqlite3_column_int64(row, BYTES);
    if (event->bytes < 0) {
        event->has |= EVENT_HAS_ODD_ARGS;
        return;
    }
    event->has |= EVENT_HAS_BYTES;
    if (event->duration_ns > 0) {
        event->bandwidth = (double) event->bytes / (double) event->duration_ns;
        event->has |= EVENT_HAS_BANDWIDTH;
    }
}

/* Numbers beyond what a device takes are left out. */
static void take_grid(sqlite3_stmt *row, TraceEvent *event)
{
    const int64_t blocks = sqlite3_column_int64(row, MORE);
    const int64_t threads = sqlite3_column_int64(row, MORE + 1);

    event->blocks = blocks > 0 && blocks <= INT32_MAX ? (uint32_t) blocks : 0;
    event->threads = threads > 0 && threads <= UINT16_MAX ? (uint16_t) threads : 0;
}

/* Times of waits may be unknown, and do not matter. */
static RowTaken take_wait(NsysReader *self, TraceEvent *event)
{
    event->start_ns = self->latest_ns;
    event->duration_ns = 0;
    event->has |= EVENT_HAS_START | EVENT_HAS_DURATION;
    if (event->stream > INT32_MAX) {
        event->stream = -1; /* not applicable */
    }
    return NsysWaitsTake(&self->waits, self->base.rows, MORE, event);
}

static RowTaken take_row(DatabaseReader *reader, size_t table)
{
    NsysReader *self = (NsysReader *) reader;
    const Query *query = &queries[table];
    TraceEvent *event = &reader->event;
    const JsonText name = RowText(reader->rows, NAME);

    EventInit(event);
    event->at = reader->facts.events++;
    reader->facts.graphs += query->has_graphs;
    event->phase = 'X';
    event->use = query->use;
    event->has = EVENT_HAS_PHASE | EVENT_HAS_NAME | EVENT_HAS_CATEGORY;
    event->name = query->use == USE_CALL ? plain_call(name) : name;
    event->has |= query->use == USE_CALL && name.length == 0 ? EVENT_HAS_ODD_ARGS : 0;
    if (query->use != USE_WAIT) {
        take_times(self, query, event);
    }
    take_lane(self, event);
    take_ids(self, event);
    take_bytes(reader->rows, event);
    if (query->use == USE_KERNEL && !query->has_graphs && self->has_grids) {
        take_grid(reader->rows, event);
    }
    return query->use == USE_WAIT ? take_wait(self, event) : ROW_IS_EVENT;
}

static const DatabaseForm form = {
    .table_count = QUERIES, .name_of = name_of, .write_query = write_query, .take_row = take_row
};

/* ---- operations ---- */

static OpprofStatus not_a_trace(NsysReader *self, OpprofError **error)
{
    OpprofErrorSet(error, OPPROF_E_DATA,
                   "The database is not a trace: it has none of the tables of Nsight Systems");
    OpprofErrorHint(
        error, "Databases are made by: nsys export --type sqlite REPORT.nsys-rep; of rocprofv3 "
               "the JSON is read (--output-format json), of Ascend profilers trace_view.json");
    self->base.facts.is_other = true;
    return OPPROF_E_DATA;
}

static OpprofStatus nsys_next(EventReader *reader, const TraceEvent **ret_event,
                              OpprofError **error)
{
    NsysReader *self = (NsysReader *) reader;

    if (self->base.facts.has_events) {
        return DatabaseReaderNext(reader, ret_event, error);
    }
    DatabaseReaderEnd(&self->base);
    return self->base.facts.problem != NULL ? OPPROF_END : not_a_trace(self, error);
}

static void nsys_destroy(EventReader *reader)
{
    NsysReader *self = (NsysReader *) reader;

    DatabaseReaderFinish(&self->base);
    OpprofMapFinish(&self->gpus);
    NsysWaitsFinish(&self->waits);
    free(self);
}

static const EventReaderOps nsys_ops = { .next = nsys_next,
                                         .stop = DatabaseReaderStop,
                                         .get_facts = DatabaseReaderFacts,
                                         .progress = DatabaseReaderProgress,
                                         .destroy = nsys_destroy };

OpprofStatus NsysReaderOpen(const char *path, const char *damage, SourceIsStopping *is_stopping,
                            const void *context, EventReader **ret_reader, OpprofError **error)
{
    NsysReader *self = calloc(1, sizeof *self);
    OpprofStatus status;

    if (self == NULL) {
        return OpprofErrorNoMemory(error, "open trace '%s'", path);
    }
    self->base.base.ops = &nsys_ops;
    self->base.form = &form;
    status = DatabaseReaderOpen(&self->base, path, damage, is_stopping, context, error);
    if (status != OPPROF_OK) {
        nsys_destroy(&self->base.base);
        return status;
    }
    if (self->base.next_table < QUERIES) { /* else the database cannot be read at all */
        read_facts(self);
    }
    if (!learn_devices(self)) {
        nsys_destroy(&self->base.base);
        return OpprofErrorNoMemory(error, "read trace '%s'", path);
    }
    *ret_reader = &self->base.base;
    return OPPROF_OK;
}

bool NsysReaderAccepts(const char *path)
{
    return DatabaseFormAccepts(NsysReaderOpen, path);
}
