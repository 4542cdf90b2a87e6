/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Results are read as they were stored, and what holds none, or not all, is refused: each database
 * is made by SQL.
 */
#include <opprof/results.h>

#include "tests/core/suites.h"

#include <check.h>
#include <fcntl.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char schema[] =
    "CREATE TABLE opprof_run(name TEXT PRIMARY KEY, value TEXT);"
    "CREATE TABLE opprof_tables(name TEXT PRIMARY KEY, record TEXT, version INTEGER, title TEXT,"
    " summary TEXT, file TEXT, flags INTEGER, row_count INTEGER);"
    "CREATE TABLE opprof_columns(table_name TEXT, position INTEGER, name TEXT, heading TEXT,"
    " kind TEXT, unit TEXT, meaning TEXT, absent TEXT, decimals INTEGER, is_key INTEGER,"
    " flags INTEGER, PRIMARY KEY(table_name, position));"
    "CREATE TABLE opprof_names(id INTEGER PRIMARY KEY, text TEXT);"
    "CREATE TABLE opprof_tracks(id INTEGER PRIMARY KEY, document TEXT, process TEXT,"
    " process_name TEXT, thread TEXT, thread_name TEXT, process_sort INTEGER,"
    " thread_sort INTEGER, flags INTEGER);"
    "CREATE TABLE opprof_spans(track INTEGER, kind INTEGER, name INTEGER, category INTEGER,"
    " colour INTEGER, start_us REAL, duration_us REAL, id TEXT, tied TEXT, args TEXT);"
    "CREATE TABLE opprof_counters(track INTEGER, name INTEGER, series INTEGER, time_us REAL,"
    " value REAL);"
    "INSERT INTO opprof_run VALUES('format','1'),('complete','1'),('missing',NULL);"
    "CREATE TABLE cores(core TEXT, pc INTEGER, us REAL);"
    "INSERT INTO cores VALUES('a',-16,1.5),(NULL,NULL,NULL),('c','odd','odd');"
    "INSERT INTO opprof_tables VALUES('cores','test.cores',3,'Cores',NULL,'cores',4,3);"
    "INSERT INTO opprof_columns VALUES('cores',1,'core','core, "
    "name','string',NULL,NULL,NULL,0,1,2),"
    "('cores',3,'us','Time(us)','f64','us','How long','nobody measured',3,0,0),"
    "('cores',2,'pc','pc','hex',NULL,NULL,NULL,-5,0,0);"
    "INSERT INTO opprof_names VALUES(1,'MOV'),(2,'sync'),(3,'load'),(4,'GB/s');"
    "INSERT INTO opprof_tracks VALUES(1,'trace','0','core0','MTE2',NULL,3,-1,1);"
    "INSERT INTO opprof_spans VALUES(1,5,1,2,NULL,-2.5,0.5,'f1',NULL,NULL),"
    "(1,1,1,NULL,NULL,'odd',NULL,NULL,NULL,NULL);"
    "INSERT INTO opprof_counters VALUES(1,3,4,7,2.5),(1,3,4,8,NULL);";

static char folder[64];
static char path[96];
static OpprofResults *results;
static OpprofError *error;

/* Run SQL on the database, which is made if it is missing. */
static void change(const char *sql)
{
    sqlite3 *database;
    char *message = NULL;

    ck_assert_int_eq(sqlite3_open(path, &database), SQLITE_OK);
    sqlite3_exec(database, sql, NULL, NULL, &message);
    ck_assert_msg(message == NULL, "%s", message);
    sqlite3_close(database);
}

static void setup(void)
{
    snprintf(folder, sizeof folder, "/tmp/opprof-results.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/" OPPROF_RESULTS_FILE, folder);
    results = NULL;
    error = NULL;
    change(schema);
}

static void forget(void)
{
    OpprofErrorDestroy(error);
    error = NULL;
}

static void teardown(void)
{
    OpprofResultsClose(results);
    forget();
    unlink(path);
    rmdir(folder);
}

static void open_results(const char *where)
{
    const OpprofStatus status = OpprofResultsOpen(where, NULL, &results, &error);

    ck_assert_msg(status == OPPROF_OK, "%s", OpprofErrorMessage(error));
}

/* Whether opening or `then` fails with a status, with `text` in the chain of causes. */
static void expect(OpprofStatus status, const char *text)
{
    const char *said = OpprofErrorLine(error);

    ck_assert_msg(strstr(said, text) != NULL, "'%s' lacks '%s'", said, text);
    ck_assert_int_eq(OpprofErrorStatus(error), status);
}

static void expect_refusal(OpprofStatus status, const char *text)
{
    ck_assert_int_eq(OpprofResultsOpen(path, NULL, &results, &error), status);
    ck_assert_ptr_null(results);
    expect(status, text);
}

static OpprofResultsRows *part(OpprofResultsPart wanted)
{
    OpprofResultsRows *rows;

    ck_assert_int_eq(OpprofResultsReadPart(results, wanted, &rows, &error), OPPROF_OK);
    return rows;
}

/* ---- what is read ---- */

START_TEST(a_folder_or_its_database_is_opened)
{
    open_results(folder);
    ck_assert_str_eq(OpprofResultsAbout(results)->path, path);
    ck_assert(OpprofResultsAbout(results)->is_complete);
    ck_assert_ptr_null(OpprofResultsAbout(results)->missing);
    ck_assert_int_eq(OpprofResultsCheck(results, NULL, &error), OPPROF_OK);
    ck_assert_int_eq(OpprofResultsCheck(results, "cores", &error), OPPROF_OK);
    OpprofResultsClose(results);
    open_results(path);
    ck_assert_str_eq(OpprofResultsAbout(results)->path, path);
}
END_TEST

START_TEST(what_a_run_lacks_is_told)
{
    change("UPDATE opprof_run SET value = '0' WHERE name = 'complete';"
           "UPDATE opprof_run SET value = 'one' || char(10) || 'two' WHERE name = 'missing'");
    open_results(path);
    ck_assert(!OpprofResultsAbout(results)->is_complete);
    ck_assert_str_eq(OpprofResultsAbout(results)->missing, "one\ntwo");
}
END_TEST

/* Here it is what a writer has not brought into the database yet. */
START_TEST(what_lies_beside_a_database_is_not_read)
{
    sqlite3 *writer;

    ck_assert_int_eq(sqlite3_open(path, &writer), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(writer,
                                  "PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0;"
                                  "UPDATE opprof_run SET value='0' WHERE name='complete';",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    open_results(folder);
    ck_assert(OpprofResultsAbout(results)->is_complete);
    sqlite3_close(writer);
}
END_TEST

START_TEST(tables_have_their_types)
{
    const OpprofResultsInfo *info;
    const OpprofRecordType *type;

    change("CREATE TABLE advice(severity TEXT);"
           "INSERT INTO opprof_tables VALUES('advice','advice',1,NULL,NULL,NULL,0,0)");
    open_results(path);
    info = OpprofResultsAbout(results);
    ck_assert_uint_eq(info->table_count, 1);
    ck_assert_str_eq(info->tables[0].name, "cores");
    type = info->tables[0].type;
    ck_assert_str_eq(type->name, "test.cores");
    ck_assert_str_eq(type->title, "Cores");
    ck_assert_ptr_null(type->summary);
    ck_assert_uint_eq(type->version, 3);
    ck_assert_uint_eq(type->size, 24);
    ck_assert_uint_eq(type->flags, 4 | OPPROF_RECORD_TABLE);
    ck_assert_uint_eq(type->field_count, 3);
    ck_assert_str_eq(type->fields[0].heading, "core, name");
    ck_assert_uint_eq(type->fields[0].flags, OPPROF_FIELD_KEY);
    ck_assert_uint_eq(type->fields[0].kind, OPPROF_FIELD_STRING);
    ck_assert_uint_eq(type->fields[1].kind, OPPROF_FIELD_HEX);
    ck_assert_uint_eq(type->fields[1].decimals, 0);
    ck_assert_str_eq(type->fields[2].unit, "us");
    ck_assert_str_eq(type->fields[2].absent, "nobody measured");
    ck_assert_uint_eq(type->fields[2].offset, 16);
    ck_assert_uint_eq(type->fields[2].decimals, 3);
}
END_TEST

START_TEST(rows_have_their_values)
{
    OpprofResultsRows *rows;
    size_t length;
    int64_t whole;

    open_results(path);
    ck_assert_int_eq(
        OpprofResultsReadTable(results, OpprofResultsAbout(results)->tables, &rows, &error),
        OPPROF_OK);
    ck_assert_int_eq(OpprofResultsNext(rows, &error), OPPROF_OK);
    ck_assert_str_eq(OpprofResultsText(rows, 0, &length), "a");
    ck_assert_uint_eq(length, 1);
    ck_assert(OpprofResultsWhole(rows, 1, &whole) && whole == -16);
    ck_assert_double_eq(OpprofResultsReal(rows, 2), 1.5);
    ck_assert_int_eq(OpprofResultsNext(rows, &error), OPPROF_OK);
    for (int column = 0; column < 3; column++) {
        ck_assert_ptr_null(OpprofResultsText(rows, column, NULL));
        ck_assert(isnan(OpprofResultsReal(rows, column)));
        ck_assert(!OpprofResultsWhole(rows, column, &whole) && whole == OPPROF_NA_I64);
    }
    ck_assert_int_eq(OpprofResultsNext(rows, &error), OPPROF_OK);
    ck_assert(isnan(OpprofResultsReal(rows, 2))); /* a text is no number */
    ck_assert_int_eq(OpprofResultsNext(rows, &error), OPPROF_END);
    OpprofResultsRowsFree(rows);
}
END_TEST

START_TEST(timelines_and_curves_have_their_names_and_times)
{
    OpprofResultsRows *rows;
    OpprofResultsSpan span;
    OpprofResultsCounter counter;
    double origin;

    open_results(path);
    rows = part(OPPROF_RESULTS_SPANS);
    ck_assert_int_eq(OpprofResultsNext(rows, &error), OPPROF_OK);
    span = OpprofResultsSpanOf(rows);
    ck_assert_str_eq(span.track.document, "trace");
    ck_assert_str_eq(span.track.process_name, "core0");
    ck_assert_str_eq(span.track.thread, "MTE2");
    ck_assert_ptr_null(span.track.thread_name);
    ck_assert_int_eq(span.track.process_sort, 3);
    ck_assert_int_eq(span.track.thread_sort, -1);
    ck_assert_uint_eq(span.track.flags, 1);
    ck_assert_uint_eq(span.kind, OPPROF_SPAN_FLOW_START);
    ck_assert_str_eq(span.name, "MOV");
    ck_assert_str_eq(span.category, "sync");
    ck_assert_ptr_null(span.colour);
    ck_assert_str_eq(span.id, "f1");
    ck_assert_double_eq(span.start_us, -2.5);
    ck_assert_double_eq(span.duration_us, 0.5);
    ck_assert_int_eq(OpprofResultsNext(rows, &error), OPPROF_OK);
    ck_assert_double_eq(OpprofResultsSpanOf(rows).start_us, 0);
    ck_assert_int_eq(OpprofResultsNext(rows, &error), OPPROF_END);
    OpprofResultsRowsFree(rows);
    rows = part(OPPROF_RESULTS_COUNTERS);
    ck_assert_int_eq(OpprofResultsNext(rows, &error), OPPROF_OK);
    counter = OpprofResultsCounterOf(rows);
    ck_assert_str_eq(counter.name, "load");
    ck_assert_str_eq(counter.series, "GB/s");
    ck_assert_double_eq(counter.time_us, 7);
    ck_assert_double_eq(counter.value, 2.5);
    ck_assert_int_eq(OpprofResultsNext(rows, &error), OPPROF_OK);
    ck_assert(isnan(OpprofResultsCounterOf(rows).value));
    OpprofResultsRowsFree(rows);
    ck_assert_int_eq(OpprofResultsOrigin(results, &origin, &error), OPPROF_OK);
    ck_assert_double_eq(origin, -2.5);
}
END_TEST

START_TEST(advice_of_each_release_is_read)
{
    OpprofResultsRows *rows;
    OpprofAdviceText advice;

    open_results(path);
    rows = part(OPPROF_RESULTS_ADVICE);
    ck_assert_int_eq(OpprofResultsNext(rows, &error), OPPROF_END); /* no row is left */
    OpprofResultsRowsFree(rows);
    OpprofResultsClose(results);
    change("CREATE TABLE advice(severity TEXT, topic TEXT, subject TEXT, sentence TEXT,"
           " numbers TEXT); INSERT INTO advice VALUES('hint','t',NULL,'Wait less','n=1')");
    open_results(path);
    rows = part(OPPROF_RESULTS_ADVICE);
    ck_assert_int_eq(OpprofResultsNext(rows, &error), OPPROF_OK);
    advice = OpprofResultsAdviceOf(rows);
    ck_assert_uint_eq(advice.severity, OPPROF_SEVERITY_HINT);
    ck_assert_str_eq(advice.subject, "");
    ck_assert_str_eq(advice.sentence, "Wait less");
    ck_assert(isnan(advice.value));
    OpprofResultsRowsFree(rows);
    OpprofResultsClose(results);
    change("ALTER TABLE advice ADD COLUMN file; ALTER TABLE advice ADD COLUMN \"column\";"
           "ALTER TABLE advice ADD COLUMN unit; ALTER TABLE advice ADD COLUMN value;"
           "ALTER TABLE advice ADD COLUMN gain; UPDATE advice SET unit = 'us', gain = 7");
    open_results(path);
    rows = part(OPPROF_RESULTS_ADVICE);
    ck_assert_int_eq(OpprofResultsNext(rows, &error), OPPROF_OK);
    advice = OpprofResultsAdviceOf(rows);
    ck_assert_str_eq(advice.unit, "us");
    ck_assert_double_eq(advice.gain, 7);
    OpprofResultsRowsFree(rows);
}
END_TEST

/* ---- what is refused ---- */

START_TEST(what_is_no_database_of_results_is_refused)
{
    ck_assert_int_eq(OpprofResultsOpen("/nonexistent", NULL, &results, &error), OPPROF_E_IO);
    expect(OPPROF_E_IO, "Cannot read '/nonexistent': No such file or directory");
    forget();
    change("UPDATE opprof_run SET value = '9' WHERE name = 'format'");
    expect_refusal(OPPROF_E_DATA, "has no results in a known format");
    forget();
    change("DROP TABLE opprof_run");
    expect_refusal(OPPROF_E_DATA, "has no results in a known format");
    forget();
    ck_assert_int_eq(truncate(path, 0), 0);
    expect_refusal(OPPROF_E_DATA, path);
    forget();
    unlink(path);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    expect_refusal(OPPROF_E_IO, "it is not a file");
}
END_TEST

/* What makes a description impossible, and what is said of it. */
static const struct {
    const char *sql;
    const char *said;
} impossible[] = {
    { "DELETE FROM opprof_columns", "The table 'cores' has no columns" },
    { "UPDATE opprof_columns SET kind = 'odd' WHERE position = 2",
      "Column 'pc' of the table 'cores' has the unknown kind 'odd'" },
    { "UPDATE opprof_columns SET name = NULL", "Column 1 of the table 'cores' has no name" },
    { "UPDATE opprof_tables SET name = NULL", "A table has no name" },
    { "UPDATE opprof_tables SET record = NULL", "A table has no name of its records" },
    { "WITH RECURSIVE r(n) AS (SELECT 4 UNION ALL SELECT n + 1 FROM r LIMIT 1900) INSERT INTO"
      " opprof_columns SELECT 'cores', n, 'c' || n, NULL, 'f64', NULL, NULL, NULL, 0, 0, 0 FROM r",
      "Column 1901 of the table 'cores' is one too many" },
    { "DROP TABLE opprof_columns; CREATE VIEW opprof_columns AS SELECT 1 AS table_name, 1 AS"
      " position, 1 AS name, 1 AS heading, 1 AS kind, 1 AS unit, 1 AS meaning, 1 AS absent,"
      " 1 AS decimals, 1 AS flags",
      "opprof_columns" },
};

START_TEST(an_impossible_description_is_refused)
{
    change(impossible[_i].sql);
    expect_refusal(OPPROF_E_DATA, impossible[_i].said);
    expect(OPPROF_E_DATA, path);
}
END_TEST

START_TEST(a_cut_file_is_refused)
{
    struct stat info;
    const int file = open(path, O_WRONLY | O_APPEND);

    ck_assert(file >= 0 && write(file, "more", 4) == 4);
    close(file);
    expect_refusal(OPPROF_E_DATA, "the file has");
    forget();
    ck_assert_int_eq(stat(path, &info), 0);
    ck_assert_int_eq(truncate(path, info.st_size / 2), 0);
    expect_refusal(OPPROF_E_DATA, path);
}
END_TEST

/* Overwrites the page where a table begins. */
static void damage(const char *table)
{
    static const char junk[4096] = { 0 };
    sqlite3 *database;
    sqlite3_stmt *row;
    char sql[128];
    long root;
    FILE *file;

    snprintf(sql, sizeof sql, "SELECT rootpage FROM sqlite_master WHERE name = '%s'", table);
    ck_assert_int_eq(sqlite3_open(path, &database), SQLITE_OK);
    ck_assert_int_eq(sqlite3_prepare_v2(database, sql, -1, &row, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_step(row), SQLITE_ROW);
    root = (long) sqlite3_column_int64(row, 0);
    sqlite3_finalize(row);
    sqlite3_close(database);
    file = fopen(path, "r+b");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fseek(file, (root - 1) * (long) sizeof junk, SEEK_SET), 0);
    ck_assert_uint_eq(fwrite(junk, sizeof junk, 1, file), 1);
    fclose(file);
}

START_TEST(damaged_pages_are_found)
{
    damage("cores");
    open_results(path);
    ck_assert_int_eq(OpprofResultsCheck(results, "opprof_spans", &error), OPPROF_OK);
    ck_assert_int_eq(OpprofResultsCheck(results, "cores", &error), OPPROF_E_DATA);
    expect(OPPROF_E_DATA, "malformed");
    forget();
    ck_assert_int_eq(OpprofResultsCheck(results, NULL, &error), OPPROF_E_DATA);
    OpprofResultsClose(results);
    forget();
    ck_assert_int_eq(
        OpprofResultsOpen(path, &(OpprofResultsOptions){ .is_checked = true }, &results, &error),
        OPPROF_E_DATA);
    expect(OPPROF_E_DATA, "malformed");
    forget();
    damage("opprof_tables");
    expect_refusal(OPPROF_E_DATA, "malformed");
}
END_TEST

START_TEST(what_is_not_there_is_no_value)
{
    OpprofResultsRows *rows;

    change("ALTER TABLE cores RENAME COLUMN us TO another; DROP TABLE opprof_spans");
    open_results(path);
    ck_assert_int_eq(
        OpprofResultsReadTable(results, OpprofResultsAbout(results)->tables, &rows, &error),
        OPPROF_E_DATA);
    ck_assert_ptr_null(rows);
    expect(OPPROF_E_DATA, "no such column: t.us");
    forget();
    ck_assert_int_eq(OpprofResultsReadPart(results, OPPROF_RESULTS_SPANS, &rows, &error),
                     OPPROF_E_DATA);
    expect(OPPROF_E_DATA, "no such table: opprof_spans");
}
END_TEST

START_TEST(times_beyond_any_clock_are_refused)
{
    double origin;

    change("UPDATE opprof_spans SET start_us = -1e300");
    open_results(path);
    ck_assert_int_eq(OpprofResultsOrigin(results, &origin, &error), OPPROF_E_DATA);
    expect(OPPROF_E_DATA, "has impossible times");
}
END_TEST

static bool stop_now(void *context)
{
    return *(const bool *) context;
}

START_TEST(reading_stops_when_it_is_to_stop)
{
    static const char endless[] = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) "
                                  "SELECT count(*) FROM r";
    bool is_stopped = false;
    const OpprofResultsOptions options = { .is_stopped = stop_now, .context = &is_stopped };
    OpprofResultsRows *rows;

    ck_assert_int_eq(OpprofResultsOpen(path, &options, &results, &error), OPPROF_OK);
    ck_assert_int_eq(OpprofResultsQuery(results, endless, &rows, &error), OPPROF_OK);
    is_stopped = true;
    ck_assert_int_eq(OpprofResultsNext(rows, &error), OPPROF_E_DATA);
    expect(OPPROF_E_DATA, "interrupted");
    OpprofResultsRowsFree(rows);
}
END_TEST

static Suite *results_suite(void)
{
    Suite *suite = suite_create("results");
    TCase *all = tcase_create("all");

    tcase_add_checked_fixture(all, setup, teardown);
    tcase_add_test(all, a_folder_or_its_database_is_opened);
    tcase_add_test(all, what_a_run_lacks_is_told);
    tcase_add_test(all, what_lies_beside_a_database_is_not_read);
    tcase_add_test(all, tables_have_their_types);
    tcase_add_test(all, rows_have_their_values);
    tcase_add_test(all, timelines_and_curves_have_their_names_and_times);
    tcase_add_test(all, advice_of_each_release_is_read);
    tcase_add_test(all, what_is_no_database_of_results_is_refused);
    tcase_add_loop_test(all, an_impossible_description_is_refused, 0,
                        (int) (sizeof impossible / sizeof impossible[0]));
    tcase_add_test(all, a_cut_file_is_refused);
    tcase_add_test(all, damaged_pages_are_found);
    tcase_add_test(all, what_is_not_there_is_no_value);
    tcase_add_test(all, times_beyond_any_clock_are_refused);
    tcase_add_test(all, reading_stops_when_it_is_to_stop);
    suite_add_tcase(suite, all);
    return suite;
}
TEST_SUITE(results_suite)
