/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/summary.h"

#include <check.h>
#include <opprof/plugin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Row {
    OpprofText name;
    uint32_t hidden;
    int32_t small;
    double real;
    uint64_t address;
} Row;

static const OpprofField fields[] = {
    OPPROF_FIELD(Row, name, OPPROF_FIELD_TEXT, .heading = "core_name", .meaning = "Name."),
    OPPROF_FIELD(Row, hidden, OPPROF_FIELD_U32, .flags = OPPROF_FIELD_HIDDEN,
                 .meaning = "Nothing."),
    OPPROF_FIELD(Row, small, OPPROF_FIELD_I32, .meaning = "A number.", .absent = "sometimes"),
    OPPROF_FIELD(Row, real, OPPROF_FIELD_F64, .heading = "time(us)", .meaning = "A time."),
    OPPROF_FIELD(Row, address, OPPROF_FIELD_HEX, .meaning = "An address."),
};

static const RecordType row_type = {
    .struct_size = sizeof(RecordType),
    .version = 1,
    .name = "test.row",
    .summary = "A row.",
    .size = sizeof(Row),
    .flags = OPPROF_RECORD_TABLE | OPPROF_RECORD_SUMMARY,
    .fields = fields,
    .field_count = OPPROF_COUNT(fields),
    .title = "Results",
};

static BatchPool *pool;
static Summary summary;

static void setup(void)
{
    pool = BatchPoolCreate(&row_type, 2000, 0);
    ck_assert_ptr_nonnull(pool);
    SummaryInit(&summary);
}

static void teardown(void)
{
    SummaryFinish(&summary);
    BatchPoolDestroy(pool);
}

static void put_row(Batch *batch, const char *name, int32_t small, double real)
{
    Row *row = BatchAppend(batch);

    ck_assert_ptr_nonnull(row);
    *row = (Row){ .small = small, .real = real, .address = 0x10 };
    ck_assert_int_eq(BatchAppendText(batch, name, strlen(name), &row->name), OPPROF_OK);
}

START_TEST(rows_are_shown_by_their_first_cell)
{
    Batch *batch = BatchPoolTake(pool);
    char *text;

    put_row(batch, "core1", -5, 0.27);
    put_row(batch, "core0.a_rather_long_name", OPPROF_NA_I32, 1234567.89);
    SummaryAdd(&summary, NULL, batch);
    BatchUnref(batch);
    text = SummaryText(&summary);
    ck_assert_str_eq(
        text,
        "Results:\n"
        "core_name                small               time(us)            address             \n"
        "core0.a_rather_long_name NA                  1.23457e+06         0x10                \n"
        "core1                    -5                  0.27                0x10                \n");
    free(text);
}
END_TEST

START_TEST(without_rows_there_is_no_text)
{
    ck_assert_ptr_null(SummaryText(&summary));
}
END_TEST

START_TEST(rows_beyond_the_limit_are_counted)
{
    Batch *batch = BatchPoolTake(pool);
    char *text;

    for (unsigned i = 0; i < SUMMARY_ROWS_MAX + 7; i++) {
        put_row(batch, "core\n", 1, 1);
    }
    SummaryAdd(&summary, NULL, batch);
    BatchUnref(batch);
    text = SummaryText(&summary);
    ck_assert_ptr_nonnull(strstr(text, "core? "));
    ck_assert_str_eq(strrchr(text, 'd') + 1, " 7 more\n");
    free(text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("summary");
    TCase *tcase = tcase_create("summary");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, rows_are_shown_by_their_first_cell);
    tcase_add_test(tcase, without_rows_there_is_no_text);
    tcase_add_test(tcase, rows_beyond_the_limit_are_counted);
    suite_add_tcase(suite, tcase);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
