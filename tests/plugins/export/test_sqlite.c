/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of plugins/export/sqlite.c. */
#include "tests/core/suites.h"
#include "tests/plugins/harness.h"

#include <check.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const OpprofPlugin opprof_plugin_v0;

/* One field of every kind. */
typedef struct Row {
    uint32_t core;
    uint32_t u32;
    int32_t i32;
    int16_t i16;
    int16_t hidden;
    uint64_t u64;
    int64_t i64;
    uint64_t hex;
    uint64_t tick;
    double real;
    OpprofText text;
    uint32_t track;
    uint32_t reserved;
} Row;

static const OpprofField fields[] = {
    OPPROF_FIELD(Row, core, OPPROF_FIELD_STRING, .heading = "core, name",
                 .flags = OPPROF_FIELD_KEY),
    OPPROF_FIELD(Row, u32, OPPROF_FIELD_U32, .unit = "byte", .combine = OPPROF_COMBINE_SUM,
                 .meaning = "It's \"a\" number."),
    OPPROF_FIELD(Row, i32, OPPROF_FIELD_I32),
    OPPROF_FIELD(Row, i16, OPPROF_FIELD_I16),
    OPPROF_FIELD(Row, hidden, OPPROF_FIELD_I16, .flags = OPPROF_FIELD_HIDDEN),
    OPPROF_FIELD(Row, u64, OPPROF_FIELD_U64),
    OPPROF_FIELD(Row, i64, OPPROF_FIELD_I64),
    OPPROF_FIELD(Row, hex, OPPROF_FIELD_HEX),
    OPPROF_FIELD(Row, tick, OPPROF_FIELD_TICK),
    OPPROF_FIELD(Row, real, OPPROF_FIELD_F64, .decimals = 3, .absent = "nobody measured"),
    OPPROF_FIELD(Row, text, OPPROF_FIELD_TEXT),
    OPPROF_FIELD(Row, track, OPPROF_FIELD_TRACK),
};
/* Two columns of a table that has more of them in another launch. */
static const OpprofField fewer_fields[] = {
    OPPROF_FIELD(Row, core, OPPROF_FIELD_STRING, .heading = "core, name",
                 .flags = OPPROF_FIELD_KEY),
    OPPROF_FIELD(Row, i64, OPPROF_FIELD_I64),
    OPPROF_FIELD(Row, u32, OPPROF_FIELD_U32, .heading = "more"),
    OPPROF_FIELD(Row, real, OPPROF_FIELD_F64),
};

#define TABLE_TYPE(type_name, list, count)                                                         \
    {                                                                                              \
        .struct_size = sizeof(OpprofRecordType), .version = 1, .name = (type_name),                \
        .summary = "A table.", .size = sizeof(Row), .flags = OPPROF_RECORD_TABLE,                  \
        .fields = (list), .field_count = (count), .title = "Table", .file_hint = "<core>/table"    \
    }
static const OpprofRecordType whole_type = TABLE_TYPE("test.table", fields, OPPROF_COUNT(fields));
static const OpprofRecordType fewer_type = TABLE_TYPE("test.table", fewer_fields, 2);
static const OpprofRecordType more_type = TABLE_TYPE("test-table", fewer_fields, 3);
static const OpprofRecordType spans_type = TABLE_TYPE("Spans", fewer_fields, 1);

static sqlite3 *database;

static void open_database(void)
{
    char path[600];

    snprintf(path, sizeof path, "%s/results.sqlite", HarnessDirectory());
    ck_assert_int_eq(sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
}

/* Rows with '\n' after each and '|' between the values, NULL as "NULL". */
static const char *query(const char *sql)
{
    static char result[4000];
    sqlite3_stmt *statement;
    size_t length = 0;
    int code;

    ck_assert_msg(sqlite3_prepare_v2(database, sql, -1, &statement, NULL) == SQLITE_OK, "%s",
                  sqlite3_errmsg(database));
    result[0] = '\0';
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        for (int c = 0; c < sqlite3_column_count(statement); c++) {
            const unsigned char *text = sqlite3_column_text(statement, c);

            length +=
                (size_t) snprintf(result + length, sizeof result - length, "%s%s",
                                  c == 0 ? "" : "|", text == NULL ? "NULL" : (const char *) text);
            ck_assert_uint_lt(length, sizeof result - 2);
        }
        result[length++] = '\n';
        result[length] = '\0';
    }
    ck_assert_msg(code == SQLITE_DONE, "%s", sqlite3_errmsg(database));
    sqlite3_finalize(statement);
    return result;
}

static void setup(void)
{
    database = NULL;
    HarnessSetup();
}

static void teardown(void)
{
    sqlite3_close(database);
    HarnessTeardown();
}

/* ---- tables ---- */

static Row sample(OpprofStage *stage, OpprofBatch *batch, const char *core)
{
    static const OpprofTrack track = { .document = "trace", .process = "p", .thread = "lane" };
    Row row = { .core = HarnessIntern(stage, core),
                .u32 = 4000000000u,
                .i32 = -5,
                .i16 = 7,
                .hidden = 3,
                .u64 = UINT64_C(18446744073709551614),
                .i64 = -9,
                .hex = UINT64_C(0xfffffffffffffff0),
                .tick = 11035,
                .real = 0.1,
                .track = OpprofStageTrack(stage, &track) };

    ck_assert_int_eq(OpprofBatchAppendText(batch, "a\033[2J\xff\0z\n", 9, &row.text), OPPROF_OK);
    return row;
}

static void append(OpprofBatch *batch, const Row *row)
{
    Row *room = OpprofBatchAppend(batch);

    ck_assert_ptr_nonnull(room);
    *room = *row;
}

static Row absent_row(uint32_t core)
{
    return (Row){ .core = core,
                  .u32 = OPPROF_NA_U32,
                  .i32 = OPPROF_NA_I32,
                  .i16 = OPPROF_NA_I16,
                  .hidden = OPPROF_NA_I16,
                  .u64 = OPPROF_NA_U64,
                  .i64 = OPPROF_NA_I64,
                  .hex = OPPROF_NA_U64,
                  .tick = OPPROF_NA_U64,
                  .real = OpprofNaF64(),
                  .text = { OPPROF_NA_U32, 0 },
                  .track = OPPROF_NA_U32 };
}

static OpprofStatus produce_rows(OpprofStage *stage, OpprofError **error)
{
    OpprofBatch *batch = OpprofStageNewBatch(stage, 0);
    Row row = sample(stage, batch, "core0");

    (void) error;
    append(batch, &row);
    row = absent_row(HarnessIntern(stage, "core1"));
    append(batch, &row);
    row = absent_row(OPPROF_NA_STRING); /* makes the table, but is not a row */
    append(batch, &row);
    row = absent_row(HarnessIntern(stage, "core2"));
    row.real = (double) INFINITY;
    append(batch, &row);
    return OpprofStagePush(stage, 0, batch);
}

START_TEST(every_kind_of_value_has_its_column)
{
    static const OpprofRecordType *const types[] = { &whole_type };

    HarnessSource("rows", produce_rows, types, 1);
    HarnessPlugin("sqlite", &opprof_plugin_v0, "{\"formats\": \"all\"}");
    HarnessRun(OPPROF_RUN_COMPLETE);
    open_database();
    ck_assert_str_eq(query("SELECT core,u32,i32,i16,hidden,u64=18446744073709551614.0,i64,"
                           "printf('%x',hex),tick,real,text,track FROM test_table "
                           "WHERE core='core0'"),
                     "core0|4000000000|-5|7|3|1|-9|fffffffffffffff0|11035|0.1|a?[2J??z\n|"
                     "trace p lane\n");
    ck_assert_str_eq(query("SELECT count(*) FROM test_table"), "3\n");
    ck_assert_str_eq(query("SELECT count(u32)+count(i32)+count(i16)+count(hidden)+count(u64)+"
                           "count(i64)+count(hex)+count(tick)+count(real)+count(text)+count(track) "
                           "FROM test_table WHERE core='core1'"),
                     "0\n");
    ck_assert_str_eq(query("SELECT real > 1e300 FROM test_table WHERE core='core2'"), "1\n");
    ck_assert_str_eq(query("SELECT type FROM pragma_table_info('test_table') ORDER BY cid"),
                     "TEXT\nINTEGER\nINTEGER\nINTEGER\nINTEGER\nINTEGER\nINTEGER\nINTEGER\n"
                     "INTEGER\nREAL\nTEXT\nTEXT\n");
}
END_TEST

START_TEST(tables_and_columns_are_described)
{
    static const OpprofRecordType *const types[] = { &whole_type };

    HarnessSource("rows", produce_rows, types, 1);
    HarnessPlugin("sqlite", &opprof_plugin_v0, "{\"formats\": \"all\"}");
    HarnessRun(OPPROF_RUN_COMPLETE);
    open_database();
    ck_assert_str_eq(query("SELECT * FROM opprof_tables"),
                     "test_table|test.table|1|Table|A table.|<core>/table|1|3\n");
    ck_assert_str_eq(query("SELECT * FROM opprof_columns WHERE name IN ('core','u32','real') "
                           "ORDER BY position"),
                     "test_table|1|core|core, name|string|NULL|NULL|NULL|0|1|2|NULL\n"
                     "test_table|2|u32|u32|u32|byte|It's \"a\" number.|NULL|0|0|0|sum\n"
                     "test_table|10|real|real|f64|NULL|NULL|nobody measured|3|0|0|NULL\n");
    ck_assert_str_eq(query("SELECT name,value FROM opprof_run WHERE name<>'version'"),
                     "format|1\ncomplete|1\nmissing|NULL\ntimelines|1\ntitle|NULL\n");
    ck_assert_str_eq(query("EXPLAIN QUERY PLAN SELECT * FROM test_table WHERE core='core0'"),
                     "3|0|0|SEARCH test_table USING INDEX test_table_key (core=?)\n");
    ck_assert_ptr_nonnull(strstr(query("EXPLAIN QUERY PLAN SELECT * FROM test_table WHERE tick>5"),
                                 "USING INDEX test_table_tick"));
}
END_TEST

static OpprofStatus produce_relatives(OpprofStage *stage, OpprofError **error)
{
    static const char *const cores[] = { "a", "b", "c", "d" };

    (void) error;
    for (uint32_t port = 0; port < 4; port++) {
        OpprofBatch *batch = OpprofStageNewBatch(stage, port);
        Row row = absent_row(HarnessIntern(stage, cores[port]));

        row.i64 = port;
        row.u32 = 10 + port;
        append(batch, &row);
        ck_assert_int_eq(OpprofStagePush(stage, port, batch), OPPROF_OK);
    }
    return OPPROF_OK;
}

START_TEST(types_of_one_name_share_a_table_and_no_name_is_given_twice)
{
    static const OpprofRecordType *const types[] = { &fewer_type, &whole_type, &more_type,
                                                     &spans_type };

    HarnessSource("rows", produce_relatives, types, 4);
    HarnessPlugin("sqlite", &opprof_plugin_v0, "{\"formats\": \"all\"}");
    HarnessRun(OPPROF_RUN_COMPLETE);
    open_database();
    ck_assert_str_eq(query("SELECT name, record FROM opprof_tables ORDER BY rowid"),
                     "test_table|test.table\ntest_table_2|test-table\nSpans_2|Spans\n");
    ck_assert_str_eq(query("SELECT core,i64,u32 FROM test_table ORDER BY core"),
                     "a|0|NULL\nb|1|11\n");
    ck_assert_str_eq(query("SELECT core,i64,u32 FROM test_table_2"), "c|2|12\n");
    ck_assert_str_eq(query("SELECT * FROM Spans_2"), "d\n");
}
END_TEST

/* ---- spans and counters ---- */

static OpprofText put_args(OpprofStage *stage, OpprofBatch *batch)
{
    OpprofArg args[] = {
        { .key = HarnessIntern(stage, "detail"), .kind = OPPROF_ARG_TEXT },
        { .key = HarnessIntern(stage, "f"), .kind = OPPROF_ARG_F64, .value.f64 = 0.5 },
        { .key = HarnessIntern(stage, "n"), .kind = OPPROF_ARG_U64, .value.u64 = 12 },
        { .key = HarnessIntern(stage, "pc"), .kind = OPPROF_ARG_HEX, .value.u64 = 0x10f8 },
        { .key = HarnessIntern(stage, "s"),
          .kind = OPPROF_ARG_STRING,
          .value.u64 = HarnessIntern(stage, "MTE2") },
        { .key = HarnessIntern(stage, "t"), .kind = OPPROF_ARG_U64_TEXT, .value.u64 = 3 },
    };
    OpprofText text;

    ck_assert_int_eq(OpprofBatchAppendText(batch, "say \"x\"", 7, &args[0].value.text), OPPROF_OK);
    ck_assert_int_eq(OpprofBatchAppendText(batch, (const char *) args, sizeof args, &text),
                     OPPROF_OK);
    return text;
}

static const OpprofClock clock_of_test = { .name = "core", .hz = 2000000, .offset_ps = 3000000 };

static OpprofStatus produce_spans(OpprofStage *stage, OpprofError **error)
{
    static const OpprofTrack lane = {
        .document = "trace", .process = "0", .process_name = "core0", .thread = "MTE2"
    };
    static const OpprofTrack core = { .document = "trace",
                                      .process = "0",
                                      .process_name = "core0" };
    const OpprofText none = { OPPROF_NA_U32, 0 };
    OpprofBatch *batch = OpprofStageNewBatch(stage, 0);
    OpprofSpan *span = OpprofBatchAppend(batch);
    OpprofCounter *counter;

    batch->clock = OpprofStageClock(stage, &clock_of_test);
    *span = (OpprofSpan){ .start = 10,
                          .duration = 3,
                          .track = OpprofStageTrack(stage, &lane),
                          .kind = OPPROF_SPAN_SLICE,
                          .name = HarnessIntern(stage, "MOV"),
                          .arg_count = 6,
                          .id = none,
                          .group = none };
    span->args = put_args(stage, batch);
    span = OpprofBatchAppend(batch);
    *span = (OpprofSpan){ .start = 11,
                          .track = OpprofStageTrack(stage, &lane),
                          .kind = OPPROF_SPAN_FLOW_START,
                          .name = HarnessIntern(stage, "flag"),
                          .category = HarnessIntern(stage, "sync"),
                          .args = none,
                          .group = none };
    ck_assert_int_eq(OpprofBatchAppendText(batch, "f1", 2, &span->id), OPPROF_OK);
    ck_assert_int_eq(OpprofStagePush(stage, 0, batch), OPPROF_OK);
    batch = OpprofStageNewBatch(stage, 1);
    counter = OpprofBatchAppend(batch);
    *counter = (OpprofCounter){ .time = 7000,
                                .value = 2.5,
                                .track = OpprofStageTrack(stage, &core),
                                .name = HarnessIntern(stage, "load"),
                                .series = HarnessIntern(stage, "GB/s") };
    ck_assert_int_eq(OpprofStagePush(stage, 1, batch), OPPROF_OK);
    OpprofStageIncomplete(stage, "The input ends early");
    (void) error;
    return OPPROF_OK;
}

START_TEST(timelines_and_curves_have_their_names_and_times)
{
    static const OpprofRecordType *const types[] = { &opprof_span_type, &opprof_counter_type };

    HarnessSource("spans", produce_spans, types, 2);
    HarnessPlugin("sqlite", &opprof_plugin_v0, "{\"formats\": \"all\"}");
    HarnessRun(OPPROF_RUN_INCOMPLETE);
    open_database();
    /* tick 10 of 2 MHz is 5 us after the clock's own start at 3 us */
    ck_assert_str_eq(query("SELECT document,process,thread,kind,name,category,start_us,duration_us,"
                           "id FROM spans ORDER BY start_us"),
                     "trace|core0|MTE2|slice|MOV|NULL|8.0|1.5|NULL\n"
                     "trace|core0|MTE2|flow start|flag|sync|8.5|0.0|f1\n");
    ck_assert_str_eq(query("SELECT args FROM spans WHERE name='MOV'"),
                     "{\"detail\":\"say \\\"x\\\"\",\"f\":0.5,\"n\":12,\"pc\":\"0x10f8\","
                     "\"s\":\"MTE2\",\"t\":\"3\"}\n");
    ck_assert_str_eq(query("SELECT process,name,series,time_us,value FROM counters"),
                     "core0|load|GB/s|7.0|2.5\n");
    ck_assert_ptr_nonnull(strstr(query("EXPLAIN QUERY PLAN SELECT * FROM spans WHERE name='MOV' "
                                       "AND start_us>2"),
                                 "opprof_spans_name (name=? AND start_us>?)"));
    ck_assert_ptr_nonnull(strstr(query("EXPLAIN QUERY PLAN SELECT * FROM spans WHERE start_us>2"),
                                 "opprof_spans_start"));
}
END_TEST

START_TEST(a_run_that_lacks_something_is_marked)
{
    static const OpprofRecordType *const types[] = { &opprof_span_type, &opprof_counter_type };

    HarnessSource("spans", produce_spans, types, 2);
    HarnessPlugin("sqlite", &opprof_plugin_v0, "{\"formats\": \"all\"}");
    HarnessRun(OPPROF_RUN_INCOMPLETE);
    open_database();
    ck_assert_str_eq(query("SELECT value FROM opprof_run WHERE name IN ('complete','missing') "
                           "ORDER BY name"),
                     "0\nStage 'spans': The input ends early\n");
}
END_TEST

static OpprofStatus produce_unknown_track(OpprofStage *stage, OpprofError **error)
{
    const OpprofText none = { OPPROF_NA_U32, 0 };
    OpprofBatch *batch = OpprofStageNewBatch(stage, 0);
    OpprofSpan *span = OpprofBatchAppend(batch);

    (void) error;
    *span = (OpprofSpan){ .track = 77,
                          .kind = OPPROF_SPAN_MARK,
                          .name = HarnessIntern(stage, "x"),
                          .args = none,
                          .id = none,
                          .group = none };
    return OpprofStagePush(stage, 0, batch);
}

START_TEST(a_failure_leaves_no_file)
{
    static const OpprofRecordType *const types[] = { &opprof_span_type };

    HarnessSource("spans", produce_unknown_track, types, 1);
    HarnessPlugin("sqlite", &opprof_plugin_v0, "{\"formats\": \"all\"}");
    ck_assert_ptr_nonnull(strstr(HarnessRunFailing(), "track 77, which was not declared"));
    ck_assert_ptr_null(HarnessFile("results.sqlite", NULL));
}
END_TEST

/* ---- an abort ---- */

#define MANY_ROWS 100000

static OpprofStage *source;
static int rows_written;

static OpprofStatus produce_many_rows(OpprofStage *stage, OpprofError **error)
{
    const Row row = absent_row(HarnessIntern(stage, "core0"));

    (void) error;
    source = stage;
    for (int i = 0; i < MANY_ROWS; i++) {
        ck_assert_int_eq(OpprofStageAppend(stage, 0, 0, &row), OPPROF_OK);
    }
    return OPPROF_OK;
}

static void abort_at_first_row(void *context, int what, const char *base, const char *table,
                               sqlite3_int64 row)
{
    (void) context;
    (void) what;
    (void) base;
    (void) row;
    if (strcmp(table, "test_table") == 0 && rows_written++ == 0) {
        HarnessAbort(source);
    }
}

static int hook_into(sqlite3 *base, char **ret_message, const void *functions)
{
    (void) ret_message;
    (void) functions;
    sqlite3_update_hook(base, abort_at_first_row, NULL);
    return SQLITE_OK;
}

START_TEST(an_abort_ends_the_writing)
{
    static const OpprofRecordType *const types[] = { &whole_type };

    sqlite3_auto_extension((void (*)(void)) hook_into);
    HarnessSource("rows", produce_many_rows, types, 1);
    HarnessPlugin("sqlite", &opprof_plugin_v0, "{\"formats\": \"all\"}");
    HarnessRun(OPPROF_RUN_ABORTED);
    ck_assert_int_ge(rows_written, 1);
    ck_assert_int_lt(rows_written, MANY_ROWS);
    ck_assert_ptr_null(HarnessFile("results.sqlite", NULL));
}
END_TEST

static Suite *sqlite_suite(void)
{
    Suite *suite = suite_create("sqlite");
    TCase *all = tcase_create("all");

    tcase_add_checked_fixture(all, setup, teardown);
    tcase_add_test(all, every_kind_of_value_has_its_column);
    tcase_add_test(all, tables_and_columns_are_described);
    tcase_add_test(all, types_of_one_name_share_a_table_and_no_name_is_given_twice);
    tcase_add_test(all, timelines_and_curves_have_their_names_and_times);
    tcase_add_test(all, a_run_that_lacks_something_is_marked);
    tcase_add_test(all, a_failure_leaves_no_file);
    tcase_add_test(all, an_abort_ends_the_writing);
    suite_add_tcase(suite, all);
    return suite;
}
TEST_SUITE(sqlite_suite)
