/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of plugins/export/csv.c. */
#include "tests/core/suites.h"
#include "tests/plugins/harness.h"

#include <check.h>
#include <math.h>
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
    double fixed;
    OpprofText text;
    OpprofText quoted;
    uint32_t track;
    uint32_t reserved;
} Row;

static const OpprofField fields[] = {
    OPPROF_FIELD(Row, core, OPPROF_FIELD_STRING, .heading = "core, name"),
    OPPROF_FIELD(Row, u32, OPPROF_FIELD_U32),
    OPPROF_FIELD(Row, i32, OPPROF_FIELD_I32),
    OPPROF_FIELD(Row, i16, OPPROF_FIELD_I16),
    OPPROF_FIELD(Row, hidden, OPPROF_FIELD_I16, .flags = OPPROF_FIELD_HIDDEN),
    OPPROF_FIELD(Row, u64, OPPROF_FIELD_U64),
    OPPROF_FIELD(Row, i64, OPPROF_FIELD_I64),
    OPPROF_FIELD(Row, hex, OPPROF_FIELD_HEX),
    OPPROF_FIELD(Row, tick, OPPROF_FIELD_TICK),
    OPPROF_FIELD(Row, real, OPPROF_FIELD_F64),
    OPPROF_FIELD(Row, fixed, OPPROF_FIELD_F64, .decimals = 3),
    OPPROF_FIELD(Row, text, OPPROF_FIELD_TEXT),
    OPPROF_FIELD(Row, quoted, OPPROF_FIELD_TEXT, .flags = OPPROF_FIELD_QUOTED),
    OPPROF_FIELD(Row, track, OPPROF_FIELD_TRACK),
};

#define HEAD "\"core, name\",u32,i32,i16,u64,i64,hex,tick,real,fixed,text,quoted,track\n"

static const OpprofRecordType table_type = { .struct_size = sizeof(OpprofRecordType),
                                             .version = 1,
                                             .name = "test.table",
                                             .summary = "A table.",
                                             .size = sizeof(Row),
                                             .flags = OPPROF_RECORD_TABLE,
                                             .fields = fields,
                                             .field_count = OPPROF_COUNT(fields),
                                             .title = "Table",
                                             .file_hint = "<core>/<core>_table" };
static const OpprofRecordType other_type = { .struct_size = sizeof(OpprofRecordType),
                                             .version = 1,
                                             .name = "test.other",
                                             .summary = "A table.",
                                             .size = sizeof(Row),
                                             .flags = OPPROF_RECORD_TABLE,
                                             .fields = fields,
                                             .field_count = 2,
                                             .title = "Other",
                                             .file_hint = "core0/core0_table" };
static const OpprofRecordType *const types[] = { &table_type, &other_type };

static Row sample(OpprofStage *stage, OpprofBatch *batch, const char *core)
{
    static const OpprofTrack track = { .document = "trace", .process = "p", .thread = "lane" };
    Row row = { .core = HarnessIntern(stage, core),
                .u32 = 4000000000u,
                .i32 = -5,
                .i16 = 7,
                .u64 = UINT64_C(18446744073709551614),
                .i64 = -9,
                .hex = 0x10f86000,
                .tick = 11035,
                .real = 0.1,
                .fixed = 0.146,
                .track = OpprofStageTrack(stage, &track) };

    ck_assert_int_eq(OpprofBatchAppendText(batch, "plain", 5, &row.text), OPPROF_OK);
    ck_assert_int_eq(OpprofBatchAppendText(batch, "PIPE:MTE2,\"x\"", 13, &row.quoted), OPPROF_OK);
    return row;
}

static void append(OpprofBatch *batch, const Row *row)
{
    Row *room = OpprofBatchAppend(batch);

    ck_assert_ptr_nonnull(room);
    *room = *row;
}

static OpprofStatus produce_rows(OpprofStage *stage, OpprofError **error)
{
    const OpprofText absent = { OPPROF_NA_U32, 0 };
    OpprofBatch *batch = OpprofStageNewBatch(stage, 0);
    Row row = sample(stage, batch, "core0");

    (void) error;
    append(batch, &row);
    row = sample(stage, batch, "core1");
    append(batch, &row);
    row = (Row){ .core = HarnessIntern(stage, "core0"),
                 .u32 = OPPROF_NA_U32,
                 .i32 = OPPROF_NA_I32,
                 .i16 = OPPROF_NA_I16,
                 .u64 = OPPROF_NA_U64,
                 .i64 = OPPROF_NA_I64,
                 .hex = OPPROF_NA_U64,
                 .tick = OPPROF_NA_U64,
                 .real = OpprofNaF64(),
                 .fixed = (double) NAN,
                 .text = absent,
                 .quoted = absent,
                 .track = OPPROF_NA_U32 };
    append(batch, &row);
    row = sample(stage, batch, "core0");
    ck_assert_int_eq(OpprofBatchAppendText(batch, "a\nb\"c", 5, &row.text), OPPROF_OK);
    append(batch, &row);
    return OpprofStagePush(stage, 0, batch);
}

#define SAMPLE                                                                                     \
    "4000000000,-5,7,18446744073709551614,-9,0x10f86000,11035,0.1,0.15,plain,\"PIPE:MTE2,"         \
    "\"\"x\"\"\",trace p lane\n"

START_TEST(each_value_of_the_hint_gets_a_file)
{
    HarnessSource("source", produce_rows, types, 1);
    HarnessPlugin("csv", &opprof_plugin_v0, NULL);
    HarnessRun(OPPROF_RUN_COMPLETE);
    ck_assert_str_eq(HarnessFile("core1/core1_table.csv", NULL), HEAD "core1," SAMPLE);
}
END_TEST

START_TEST(absent_values_are_na_and_odd_texts_quoted)
{
    HarnessSource("source", produce_rows, types, 1);
    HarnessPlugin("csv", &opprof_plugin_v0, NULL);
    HarnessRun(OPPROF_RUN_COMPLETE);
    ck_assert_str_eq(HarnessFile("core0/core0_table.csv", NULL),
                     HEAD "core0," SAMPLE "core0,NA,NA,NA,NA,NA,NA,NA,NA,NA,NA,NA,NA\n"
                          "core0,4000000000,-5,7,18446744073709551614,-9,0x10f86000,11035,0.1,0.15,"
                          "\"a\nb\"\"c\",\"PIPE:MTE2,\"\"x\"\"\",trace p lane\n");
}
END_TEST

static OpprofStatus produce_two_tables(OpprofStage *stage, OpprofError **error)
{
    (void) error;
    for (uint32_t port = 0; port < 2; port++) {
        OpprofBatch *batch = OpprofStageNewBatch(stage, port);
        Row row = sample(stage, batch, "core0");
        OpprofStatus status;

        append(batch, &row);
        status = OpprofStagePush(stage, port, batch);
        if (status != OPPROF_OK) {
            return status;
        }
    }
    return OPPROF_OK;
}

START_TEST(two_tables_that_ask_for_one_path_get_two_files)
{
    HarnessSource("source", produce_two_tables, types, 2);
    HarnessPlugin("csv", &opprof_plugin_v0, NULL);
    HarnessRun(OPPROF_RUN_COMPLETE);
    ck_assert_ptr_nonnull(HarnessFile("core0/core0_table.csv", NULL));
    ck_assert_ptr_nonnull(HarnessFile("core0/core0_table_2.csv", NULL));
}
END_TEST

/* What goes into a cell, and what is in the file. */
static const struct {
    const char *text;
    uint32_t length;
    const char *cell;
} cells[] = {
    { "=1+2", 4, "'=1+2" },
    { "@SUM(A1)", 8, "'@SUM(A1)" },
    { "+cmd|' /C calc'!A0", 18, "'+cmd|' /C calc'!A0" },
    { "-2+3", 4, "'-2+3" },
    { "-1.5e", 5, "'-1.5e" },
    { "=\"x\",y", 6, "\"'=\"\"x\"\",y\"" },
    { "\t=1", 3, "'\t=1" },
    { "-1.5", 4, "-1.5" },
    { "+3", 2, "+3" },
    { "-.5e-10", 7, "-.5e-10" },
    { "-", 1, "-" },
    { "=", 1, "=" },
    { "a=b", 3, "a=b" },
    { "\x1b[31mred", 8, "?[31mred" },
    { "a\0b", 3, "a?b" },
    { "a\x9b"
      "b",
      3, "a?b" },
    { "a\xc2\x9b"
      "b",
      4, "a?b" },
    { "\xc3\xa9\xe4\xb8\xad\xf0\x9f\x98\x80", 9, "\xc3\xa9\xe4\xb8\xad\xf0\x9f\x98\x80" },
    { "\xc3", 1, "?" },
};

static OpprofStatus produce_cells(OpprofStage *stage, OpprofError **error)
{
    OpprofBatch *batch = OpprofStageNewBatch(stage, 0);

    (void) error;
    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++) {
        Row row = sample(stage, batch, "core0");

        ck_assert_int_eq(OpprofBatchAppendText(batch, cells[i].text, cells[i].length, &row.text),
                         OPPROF_OK);
        append(batch, &row);
    }
    return OpprofStagePush(stage, 0, batch);
}

START_TEST(texts_cannot_become_formulas_or_drive_a_terminal)
{
    const char *at;

    HarnessSource("source", produce_cells, types, 1);
    HarnessPlugin("csv", &opprof_plugin_v0, NULL);
    HarnessRun(OPPROF_RUN_COMPLETE);
    at = HarnessFile("core0/core0_table.csv", NULL);
    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++) {
        const size_t length = strlen(cells[i].cell);

        at = strstr(at, ",0.1,0.15,") + strlen(",0.1,0.15,");
        ck_assert_msg(strncmp(at, cells[i].cell, length) == 0 && at[length] == ',', "%zu: %.20s", i,
                      at);
    }
}
END_TEST

static OpprofStatus produce_odd_names(OpprofStage *stage, OpprofError **error)
{
    static const char *const names[] = { "../up",          "a/b", "..", ".", "", "\x01\x7f",
                                         "x\xc2\x9by\x9bz" };
    OpprofBatch *batch = OpprofStageNewBatch(stage, 0);

    (void) error;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        Row row = sample(stage, batch, names[i]);

        append(batch, &row);
    }
    return OpprofStagePush(stage, 0, batch);
}

START_TEST(values_cannot_lead_out_of_the_directory)
{
    HarnessSource("source", produce_odd_names, types, 1);
    HarnessPlugin("csv", &opprof_plugin_v0, NULL);
    HarnessRun(OPPROF_RUN_COMPLETE);
    ck_assert_ptr_nonnull(HarnessFile("_._up/_._up_table.csv", NULL));
    ck_assert_ptr_nonnull(HarnessFile("a_b/a_b_table.csv", NULL));
    ck_assert_ptr_nonnull(HarnessFile("_./_._table.csv", NULL));
    ck_assert_ptr_nonnull(HarnessFile("_/__table.csv", NULL));
    ck_assert_ptr_nonnull(HarnessFile("_/__table_2.csv", NULL));
    ck_assert_ptr_nonnull(HarnessFile("x_y_z/x_y_z_table.csv", NULL));
    ck_assert_ptr_nonnull(HarnessFile("__/___table.csv", NULL));
}
END_TEST

static OpprofStatus produce_many_files(OpprofStage *stage, OpprofError **error)
{
    char name[16];

    (void) error;
    for (int i = 0; i < 515; i++) {
        OpprofBatch *batch = OpprofStageNewBatch(stage, 0);
        OpprofStatus status;
        Row row;

        snprintf(name, sizeof name, "core%d", i);
        row = sample(stage, batch, name);
        append(batch, &row);
        status = OpprofStagePush(stage, 0, batch);
        if (status != OPPROF_OK) {
            return status;
        }
    }
    return OPPROF_OK;
}

START_TEST(beyond_the_limit_of_files_rows_are_left_out)
{
    const char *reason;

    HarnessSource("source", produce_many_files, types, 1);
    HarnessPlugin("csv", &opprof_plugin_v0, NULL);
    reason = HarnessRun(OPPROF_RUN_INCOMPLETE);
    ck_assert_ptr_nonnull(strstr(reason, "3 rows"));
    ck_assert_ptr_nonnull(HarnessFile("core511/core511_table.csv", NULL));
    ck_assert_ptr_null(HarnessFile("core512/core512_table.csv", NULL));
}
END_TEST

static const OpprofRecordType launch_type = { .struct_size = sizeof(OpprofRecordType),
                                              .version = 1,
                                              .name = "test.launch",
                                              .summary = "A table.",
                                              .size = sizeof(Row),
                                              .flags =
                                                  OPPROF_RECORD_TABLE | OPPROF_RECORD_END_COMMA,
                                              .fields = fields,
                                              .field_count = 2,
                                              .title = "Launch",
                                              .file_hint = "<core>/table" };
static const OpprofRecordType hidden_type = { .struct_size = sizeof(OpprofRecordType),
                                              .version = 1,
                                              .name = "test.hidden",
                                              .summary = "A table.",
                                              .size = sizeof(Row),
                                              .flags = OPPROF_RECORD_TABLE,
                                              .fields = fields,
                                              .field_count = 2,
                                              .title = "Hidden",
                                              .file_hint = "" };
static const OpprofRecordType *const launch_types[] = { &launch_type, &hidden_type };

static OpprofStatus push_row(OpprofStage *stage, uint32_t port, const char *core,
                             uint64_t watermark)
{
    OpprofBatch *batch = OpprofStageNewBatch(stage, port);
    Row row = sample(stage, batch, core == NULL ? "" : core);

    row.core = core == NULL ? OPPROF_NA_STRING : row.core;
    append(batch, &row);
    batch->partition = row.core;
    batch->watermark = watermark;
    return OpprofStagePush(stage, port, batch);
}

static OpprofStatus produce_launches(OpprofStage *stage, OpprofError **error)
{
    (void) error;
    push_row(stage, 0, NULL, UINT64_MAX);
    return push_row(stage, 1, "core0", 0);
}

START_TEST(an_absent_part_of_the_path_is_left_out)
{
    HarnessSource("source", produce_launches, launch_types, 2);
    HarnessPlugin("csv", &opprof_plugin_v0, NULL);
    HarnessRun(OPPROF_RUN_COMPLETE);
    ck_assert_ptr_nonnull(HarnessFile("table.csv", NULL));
}
END_TEST

START_TEST(some_tables_have_a_comma_behind_the_last_field)
{
    HarnessSource("source", produce_launches, launch_types, 2);
    HarnessPlugin("csv", &opprof_plugin_v0, NULL);
    HarnessRun(OPPROF_RUN_COMPLETE);
    ck_assert_str_eq(HarnessFile("table.csv", NULL), "\"core, name\",u32,\nNA,4000000000,\n");
}
END_TEST

START_TEST(a_table_with_an_empty_hint_gets_no_file)
{
    HarnessSource("source", produce_launches, launch_types, 2);
    HarnessPlugin("csv", &opprof_plugin_v0, NULL);
    HarnessRun(OPPROF_RUN_COMPLETE);
    ck_assert_ptr_null(HarnessFile(".csv", NULL));
    ck_assert_ptr_null(HarnessFile("test.hidden.csv", NULL));
}
END_TEST

static OpprofStatus produce_many_launches(OpprofStage *stage, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;
    char name[16];

    (void) error;
    for (unsigned i = 0; status == OPPROF_OK && i < 700; i++) {
        snprintf(name, sizeof name, "l%u", i);
        push_row(stage, 0, name, 0);
        status = push_row(stage, 0, name, UINT64_MAX);
    }
    return status;
}

START_TEST(finished_partitions_make_room_for_more_files)
{
    HarnessSource("source", produce_many_launches, launch_types, 1);
    HarnessPlugin("csv", &opprof_plugin_v0, NULL);
    HarnessRun(OPPROF_RUN_COMPLETE);
    ck_assert_str_eq(HarnessFile("l0/table.csv", NULL),
                     "\"core, name\",u32,\nl0,4000000000,\nl0,4000000000,\n");
    ck_assert_ptr_nonnull(HarnessFile("l699/table.csv", NULL));
}
END_TEST

static OpprofStatus produce_a_late_row(OpprofStage *stage, OpprofError **error)
{
    (void) error;
    push_row(stage, 0, "core0", UINT64_MAX);
    return push_row(stage, 0, "core0", 0);
}

START_TEST(a_row_for_a_finished_file_spoils_nothing)
{
    HarnessSource("source", produce_a_late_row, launch_types, 1);
    HarnessPlugin("csv", &opprof_plugin_v0, NULL);
    HarnessRun(OPPROF_RUN_COMPLETE);
    ck_assert_ptr_nonnull(HarnessFile("core0/table.csv", NULL));
    ck_assert_ptr_nonnull(HarnessFile("core0/table_2.csv", NULL));
}
END_TEST

static OpprofStatus produce_long_text(OpprofStage *stage, OpprofError **error)
{
    const size_t length = 1000001;
    OpprofBatch *batch = OpprofStageNewBatch(stage, 0);
    Row row = sample(stage, batch, "core0");
    char *room = OpprofBatchReserveText(batch, length);

    (void) error;
    memset(room, '"', length);
    row.text = OpprofBatchCommitText(batch, length);
    append(batch, &row);
    return OpprofStagePush(stage, 0, batch);
}

START_TEST(a_text_of_a_million_quotes_is_doubled)
{
    size_t length;

    HarnessSource("source", produce_long_text, types, 1);
    HarnessPlugin("csv", &opprof_plugin_v0, NULL);
    HarnessRun(OPPROF_RUN_COMPLETE);
    HarnessFile("core0/core0_table.csv", &length);
    ck_assert_uint_eq(length, strlen(HEAD "core0," SAMPLE) - 5 + 2 + 2 * 1000001);
}
END_TEST

static Suite *csv_suite(void)
{
    Suite *suite = suite_create("csv");
    TCase *tcase = tcase_create("csv");

    tcase_add_checked_fixture(tcase, HarnessSetup, HarnessTeardown);
    tcase_add_test(tcase, each_value_of_the_hint_gets_a_file);
    tcase_add_test(tcase, absent_values_are_na_and_odd_texts_quoted);
    tcase_add_test(tcase, two_tables_that_ask_for_one_path_get_two_files);
    tcase_add_test(tcase, values_cannot_lead_out_of_the_directory);
    tcase_add_test(tcase, texts_cannot_become_formulas_or_drive_a_terminal);
    tcase_add_test(tcase, beyond_the_limit_of_files_rows_are_left_out);
    tcase_add_test(tcase, an_absent_part_of_the_path_is_left_out);
    tcase_add_test(tcase, some_tables_have_a_comma_behind_the_last_field);
    tcase_add_test(tcase, a_table_with_an_empty_hint_gets_no_file);
    tcase_add_test(tcase, finished_partitions_make_room_for_more_files);
    tcase_add_test(tcase, a_row_for_a_finished_file_spoils_nothing);
    tcase_add_test(tcase, a_text_of_a_million_quotes_is_doubled);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(csv_suite)
