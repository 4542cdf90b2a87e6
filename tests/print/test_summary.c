/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of print/summary.c. */
#include "print/summary.h"
#include "report/summary.h"

#include "tests/core/suites.h"

#include <check.h>
#include <opprof/plugin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Row {
    OpprofText name;
    OpprofText folder;
    int32_t small;
    double real;
    uint64_t address;
} Row;

static const OpprofField fields[] = {
    OPPROF_FIELD(Row, name, OPPROF_FIELD_TEXT, .heading = "core_name", .meaning = "Name."),
    OPPROF_FIELD(Row, folder, OPPROF_FIELD_TEXT, .flags = OPPROF_FIELD_HIDDEN,
                 .meaning = "Where its file is.", .absent = "beside the others"),
    OPPROF_FIELD(Row, small, OPPROF_FIELD_I32, .meaning = "A number.", .absent = "sometimes"),
    OPPROF_FIELD(Row, real, OPPROF_FIELD_F64, .heading = "time(us)", .meaning = "A time."),
    OPPROF_FIELD(Row, address, OPPROF_FIELD_HEX, .meaning = "An address."),
};

static const OpprofRecordType row_type = {
    .struct_size = sizeof(OpprofRecordType),
    .version = 1,
    .name = "test.row",
    .summary = "A row.",
    .size = sizeof(Row),
    .flags = OPPROF_RECORD_TABLE | OPPROF_RECORD_SUMMARY,
    .fields = fields,
    .field_count = OPPROF_COUNT(fields),
    .title = "Results",
    .file_hint = "<folder>/results",
};

static const OpprofField sentence_fields[] = {
    OPPROF_FIELD(Row, name, OPPROF_FIELD_TEXT, .meaning = "Sentence."),
    OPPROF_FIELD(Row, folder, OPPROF_FIELD_TEXT, .flags = OPPROF_FIELD_HIDDEN,
                 .meaning = "What it is about.", .absent = "everything"),
};

static const OpprofRecordType sentence_type = {
    .struct_size = sizeof(OpprofRecordType),
    .version = 1,
    .name = "test.sentence",
    .summary = "A sentence.",
    .size = sizeof(Row),
    .flags = OPPROF_RECORD_SUMMARY,
    .fields = sentence_fields,
    .field_count = OPPROF_COUNT(sentence_fields),
    .title = "Advice",
    .file_hint = "<folder>/advice",
};

static OpprofBatchPool *pool;
static OpprofBatchPool *sentences;
static Summary *summary;

/* Output of a report of the tables; NULL: none. */
static char *print_summary(void)
{
    OpprofSummaryTable *tables;
    size_t count;
    size_t size;
    char *text = NULL;
    FILE *out = open_memstream(&text, &size);

    ck_assert(SummaryTake(summary, &tables, &count));
    SummaryPrint(tables, count, out);
    ck_assert_int_eq(fclose(out), 0);
    SummaryFreeTables(tables, count);
    if (size == 0) {
        free(text);
        return NULL;
    }
    return text;
}

static void setup(void)
{
    pool = OpprofBatchPoolCreate(&row_type, 2000, 0);
    ck_assert_ptr_nonnull(pool);
    sentences = OpprofBatchPoolCreate(&sentence_type, 2000, 0);
    ck_assert_ptr_nonnull(sentences);
    summary = SummaryCreate();
    ck_assert_ptr_nonnull(summary);
}

static void teardown(void)
{
    SummaryDestroy(summary);
    OpprofBatchPoolDestroy(sentences);
    OpprofBatchPoolDestroy(pool);
}

static Row *put_row(OpprofBatch *batch, const char *name, int32_t small, double real)
{
    Row *row = OpprofBatchAppend(batch);

    ck_assert_ptr_nonnull(row);
    *row = (Row){ .small = small, .real = real, .address = 0x10, .folder = { OPPROF_NA_U32, 0 } };
    ck_assert_int_eq(OpprofBatchAppendText(batch, name, strlen(name), &row->name), OPPROF_OK);
    return row;
}

static void put_in(OpprofBatch *batch, const char *folder, const char *name)
{
    Row *row = put_row(batch, name, 1, 2);

    ck_assert_int_eq(OpprofBatchAppendText(batch, folder, strlen(folder), &row->folder), OPPROF_OK);
}

/* Takes the batch. */
static void check_text(OpprofBatch *batch, const char *wanted)
{
    SummaryAdd(summary, NULL, batch);
    OpprofBatchUnref(batch);
    char *text = print_summary();
    ck_assert_str_eq(text, wanted);
    free(text);
}

START_TEST(rows_are_shown_by_their_first_cell)
{
    OpprofBatch *batch = OpprofBatchPoolTake(pool);

    put_row(batch, "core1", -5, 0.27);
    put_row(batch, "core0.a_rather_long_name", OPPROF_NA_I32, 1234567.89);
    check_text(
        batch,
        "Results:\n"
        "core_name                small               time(us)            address             \n"
        "core0.a_rather_long_name NA                  1.23457e+06         0x10                \n"
        "core1                    -5                  0.27                0x10                \n");
}
END_TEST

START_TEST(rows_of_folders_tell_which)
{
    OpprofBatch *batch = OpprofBatchPoolTake(pool);

    put_in(batch, "add/10", "b");
    put_in(batch, "add/9", "a row of a name that is long");
    check_text(batch, "Results:\n"
                      "folder  core_name                     small  time(us)  address  \n"
                      "add/9   a row of a name that is long  1      2         0x10     \n"
                      "add/10  b                             1      2         0x10     \n");
}
END_TEST

START_TEST(a_wide_row_stands_upright)
{
    OpprofBatch *batch = OpprofBatchPoolTake(pool);

    put_row(batch, "a name that is so long that no line of a hundred columns has room for it", 3,
            4);
    check_text(batch,
               "Results:\n"
               "  core_name  a name that is so long that no line of a hundred columns has room for "
               "it\n"
               "  small      3\n"
               "  time(us)   4\n"
               "  address    0x10\n");
}
END_TEST

START_TEST(few_of_many_folders_are_shown)
{
    OpprofBatch *batch = OpprofBatchPoolTake(pool);
    char folder[16];

    for (int i = 0; i < 25; i++) {
        snprintf(folder, sizeof folder, "add/%d", i);
        put_in(batch, folder, "row");
    }
    SummaryAdd(summary, NULL, batch);
    OpprofBatchUnref(batch);
    char *text = print_summary();
    ck_assert_ptr_nonnull(strstr(text, "add/19 "));
    ck_assert_ptr_null(strstr(text, "add/20 "));
    ck_assert_str_eq(strrchr(text, 'd') + 1, " 5 more\n");
    free(text);
}
END_TEST

START_TEST(sentences_are_numbered_and_told_once)
{
    OpprofBatch *batch = OpprofBatchPoolTake(sentences);
    OpprofBatch *rows = OpprofBatchPoolTake(pool);

    put_row(batch, "walk", 0, 0);
    put_row(batch, "run", 0, 0);
    put_row(batch, "walk", 0, 0);
    SummaryAdd(summary, NULL, batch);
    OpprofBatchUnref(batch);
    put_row(rows, "core", 1, 2);
    check_text(rows,
               "Results:\n"
               "core_name           small               time(us)            address             \n"
               "core                1                   2                   0x10                \n"
               "Advice:\n"
               "  1. run\n"
               "  2. walk\n");
}
END_TEST

START_TEST(sentences_tell_their_folders)
{
    OpprofBatch *batch = OpprofBatchPoolTake(sentences);

    put_in(batch, "a/3", "walk");
    put_in(batch, "a/1", "run");
    put_in(batch, "a/10", "walk");
    put_in(batch, "a/2", "walk");
    put_in(batch, "a/2", "walk");
    put_in(batch, "b/0", "walk");
    put_in(batch, "b/1", "walk");
    put_row(batch, "think", 0, 0);
    check_text(batch, "Advice:\n"
                      "  1. walk (a/2, a/3, a/10 and 2 more)\n"
                      "  2. run (a/1)\n"
                      "  3. think\n");
}
END_TEST

START_TEST(long_sentences_are_cut)
{
    OpprofBatch *batch = OpprofBatchPoolTake(sentences);
    char sentence[1000], wanted[1000];

    memset(sentence, 'x', sizeof sentence);
    sentence[sizeof sentence - 1] = '\0';
    put_row(batch, sentence, 0, 0);
    snprintf(wanted, sizeof wanted, "Advice:\n  1. %.400s ...\n", sentence);
    check_text(batch, wanted);
}
END_TEST

START_TEST(without_rows_there_is_no_text)
{
    ck_assert_ptr_null(print_summary());
}
END_TEST

START_TEST(rows_beyond_the_limit_are_counted)
{
    OpprofBatch *batch = OpprofBatchPoolTake(pool);
    char *text;

    for (unsigned i = 0; i < SUMMARY_ROWS_MAX + 7; i++) {
        put_row(batch, "core\n", 1, 1);
    }
    SummaryAdd(summary, NULL, batch);
    OpprofBatchUnref(batch);
    text = print_summary();
    ck_assert_ptr_nonnull(strstr(text, "core? "));
    ck_assert_str_eq(strrchr(text, 'd') + 1, " 7 more\n");
    free(text);
}
END_TEST

static Suite *summary_suite(void)
{
    Suite *suite = suite_create("summary");
    TCase *tcase = tcase_create("summary");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, rows_are_shown_by_their_first_cell);
    tcase_add_test(tcase, rows_of_folders_tell_which);
    tcase_add_test(tcase, a_wide_row_stands_upright);
    tcase_add_test(tcase, few_of_many_folders_are_shown);
    tcase_add_test(tcase, sentences_are_numbered_and_told_once);
    tcase_add_test(tcase, sentences_tell_their_folders);
    tcase_add_test(tcase, long_sentences_are_cut);
    tcase_add_test(tcase, without_rows_there_is_no_text);
    tcase_add_test(tcase, rows_beyond_the_limit_are_counted);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(summary_suite)
