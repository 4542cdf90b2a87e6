/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads tables of databases as events. Tested by tests/plugins/collect-kineto/test_nsys_reader and
 * test_ascend_db.sh.
 */
#include "collect-kineto/formats/database_reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define STEPS_A_LOOK 4000 /* instructions between two checks for a stop */

static int is_stop_requested(void *context)
{
    const DatabaseReader *reader = context;

    return reader->is_stopping != NULL && reader->is_stopping(reader->context);
}

/* ---- queries ---- */

void DatabaseReaderNoteUnread(DatabaseReader *reader)
{
    char fault[200];

    snprintf(fault, sizeof fault, "a part of the database cannot be read: %s",
             sqlite3_errmsg(reader->database.db));
    DatabaseNote(&reader->database, fault);
}

uint64_t DatabaseReaderAsk(DatabaseReader *reader, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    uint64_t number = 0;
    int code = sqlite3_prepare_v2(reader->database.db, sql, -1, &statement, NULL);

    /* SQLITE_ERROR: a table that is not there */
    bool is_answered = code == SQLITE_OK || code == SQLITE_ERROR;
    if (code == SQLITE_OK) {
        code = sqlite3_step(statement);
        is_answered = code == SQLITE_ROW || code == SQLITE_DONE;
    }
    if (code == SQLITE_ROW) {
        const sqlite3_int64 value = sqlite3_column_int64(statement, 0);

        number = value > 0 ? (uint64_t) value : 0;
    }
    if (!is_answered) {
        DatabaseReaderNoteUnread(reader);
    }
    sqlite3_finalize(statement);
    return number;
}

bool DatabaseReaderHas(DatabaseReader *reader, const char *table)
{
    char sql[128];

    snprintf(sql, sizeof sql, "SELECT count(*) FROM sqlite_master WHERE name = '%s'", table);
    return DatabaseReaderAsk(reader, sql) > 0;
}

/* ---- tables ---- */

/* Notes what cannot be read, the first of it: the rows before that are good. What is wrong with the
 * file is the reason. */
static void note_problem(DatabaseReader *reader, const char *table)
{
    if (reader->facts.problem != NULL) {
        return;
    }
    snprintf(reader->problem, sizeof reader->problem, "%s%sreading table %s fails: %s",
             reader->database.fault, reader->database.fault[0] == '\0' ? "" : "; ", table,
             sqlite3_errmsg(reader->database.db));
    reader->facts.problem = reader->problem;
    reader->facts.problem_at = reader->facts.events;
}

/* The rest of a table cannot be read. Other tables may be good. */
static void leave_table(DatabaseReader *reader, const char *table)
{
    note_problem(reader, table);
    sqlite3_finalize(reader->rows);
    reader->rows = NULL;
    reader->facts.was_stopped = is_stop_requested(reader) != 0;
    if (reader->facts.was_stopped) {
        reader->next_table = reader->form->table_count;
    }
}

/*
 * The library reads a damaged file as far as it can, and does not report the tables after that;
 * bytes that are cut off while it is read are zeros to it.
 */
OpprofStatus DatabaseReaderEnd(DatabaseReader *reader)
{
    DatabaseCheckEnd(&reader->database);
    if (reader->facts.problem == NULL && reader->database.fault[0] != '\0') {
        reader->facts.problem = reader->database.fault;
        reader->facts.problem_at = reader->facts.events;
    }
    return OPPROF_END;
}

/* Begins the next existing table that can be read. OPPROF_END after the last. */
static OpprofStatus begin_table(DatabaseReader *reader)
{
    const DatabaseForm *form = reader->form;
    char sql[1024];

    while (reader->next_table < form->table_count &&
           !DatabaseReaderHas(reader, form->name_of(reader->next_table))) {
        reader->next_table++;
    }
    if (reader->next_table == form->table_count) {
        return DatabaseReaderEnd(reader);
    }
    const size_t table = reader->next_table++;
    if (!form->write_query(reader, table, sql, sizeof sql) ||
        sqlite3_prepare_v2(reader->database.db, sql, -1, &reader->rows, NULL) != SQLITE_OK) {
        leave_table(reader, form->name_of(table));
    }
    return OPPROF_OK;
}

/* ---- rows ---- */

JsonText RowText(sqlite3_stmt *row, int column)
{
    const char *text = (const char *) sqlite3_column_text(row, column);
    const int bytes = sqlite3_column_bytes(row, column);

    return (JsonText){ .text = text == NULL ? "" : text,
                       .length = text == NULL || bytes < 0 ? 0 : (uint32_t) bytes,
                       .is_string = true };
}

JsonText RowPrint(char *room, size_t size, int64_t number)
{
    const int length = snprintf(room, size, "%" PRId64, number);

    return (JsonText){ .text = room, .length = (uint32_t) length };
}

/* ---- operations ---- */

OpprofStatus DatabaseReaderNext(EventReader *base, const TraceEvent **ret_event,
                                OpprofError **error)
{
    DatabaseReader *reader = (DatabaseReader *) base;

    for (;;) {
        const OpprofStatus status = reader->rows == NULL ? begin_table(reader) : OPPROF_OK;
        int code;

        if (status != OPPROF_OK) {
            return status;
        }
        if (reader->rows == NULL) {
            continue;
        }
        code = sqlite3_step(reader->rows);
        if (code == SQLITE_ROW) {
            const RowTaken taken = reader->form->take_row(reader, reader->next_table - 1);

            if (taken == ROW_NO_EVENT) {
                continue;
            }
            *ret_event = &reader->event;
            return taken == ROW_IS_EVENT ? OPPROF_OK
                                         : OpprofErrorNoMemory(error, "keep what is waited for");
        }
        if (code != SQLITE_DONE) {
            leave_table(reader, reader->form->name_of(reader->next_table - 1));
            continue;
        }
        sqlite3_finalize(reader->rows);
        reader->rows = NULL;
    }
}

void DatabaseReaderStop(EventReader *base)
{
    DatabaseReader *reader = (DatabaseReader *) base;

    if (reader->rows != NULL || reader->next_table < reader->form->table_count) {
        reader->facts.problem = "the run was stopped";
        reader->facts.problem_at = reader->facts.events;
        reader->facts.was_stopped = true;
        reader->next_table = reader->form->table_count;
    }
}

void DatabaseReaderFacts(const EventReader *base, TraceFacts *ret_facts)
{
    *ret_facts = ((const DatabaseReader *) base)->facts;
}

ReadProgress DatabaseReaderProgress(const EventReader *base)
{
    const DatabaseReader *reader = (const DatabaseReader *) base;
    const uint64_t size = reader->database.size;
    const uint64_t all = reader->all_rows;
    const uint64_t done = reader->facts.events < all ? reader->facts.events : all;
    const double share = all == 0 ? 1.0 : (double) done / (double) all;

    return (ReadProgress){ (uint64_t) (share * (double) size), size };
}

/* ---- life ---- */

/* Counts the rows of the tables, as far as they can be read. */
static void count_rows(DatabaseReader *reader)
{
    char sql[128];

    if (sqlite3_exec(reader->database.db, "SELECT count(*) FROM sqlite_master", NULL, NULL, NULL) !=
        SQLITE_OK) {
        leave_table(reader, "sqlite_master");
        reader->next_table = reader->form->table_count;
        return;
    }
    for (size_t i = 0; i < reader->form->table_count; i++) {
        if (DatabaseReaderHas(reader, reader->form->name_of(i))) {
            reader->facts.has_events = true;
            snprintf(sql, sizeof sql, "SELECT max(rowid) FROM %s", reader->form->name_of(i));
            reader->all_rows += DatabaseReaderAsk(reader, sql);
        }
    }
}

OpprofStatus DatabaseReaderOpen(DatabaseReader *reader, const char *path, const char *damage,
                                SourceIsStopping *is_stopping, const void *context,
                                OpprofError **error)
{
    OpprofStatus status;

    reader->is_stopping = is_stopping;
    reader->context = context;
    reader->facts.is_database = true;
    status = DatabaseOpen(path, damage, &reader->database, error);
    if (status == OPPROF_OK) {
        sqlite3_progress_handler(reader->database.db, STEPS_A_LOOK, is_stop_requested, reader);
        count_rows(reader);
    }
    return status;
}

void DatabaseReaderFinish(DatabaseReader *reader)
{
    sqlite3_finalize(reader->rows);
    DatabaseClose(&reader->database);
}

bool DatabaseFormAccepts(DatabaseFormOpen *open, const char *path)
{
    EventReader *reader = NULL;
    OpprofError *error = NULL;
    TraceFacts facts = { .has_events = false };

    if (open(path, NULL, NULL, NULL, &reader, &error) == OPPROF_OK) {
        reader->ops->get_facts(reader, &facts);
        reader->ops->destroy(reader);
    }
    OpprofErrorDestroy(error);
    return facts.has_events;
}
