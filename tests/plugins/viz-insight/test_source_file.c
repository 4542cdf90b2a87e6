/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of plugins/viz-insight/source_file.c. */
#include "plugins/viz-insight/source_file.h"

#include "tests/core/scratch.h"
#include "tests/core/suites.h"

#include <opprof/records/block.h>
#include <opprof/present.h>

static OpprofBatchPool *pool;
static OpprofBatch *batch;

static void setup(void)
{
    make_scratch();
    pool = OpprofBatchPoolCreate(&opprof_block_type, 1, 0);
    ck_assert_ptr_nonnull(pool);
    batch = OpprofBatchPoolTake(pool);
    ck_assert_ptr_nonnull(batch);
}

static void teardown(void)
{
    OpprofBatchUnref(batch);
    OpprofBatchPoolDestroy(pool);
    remove_scratch();
}

static OpprofStatus try_read(const char *path, OpprofText *ret_text)
{
    OpprofText name;
    const char *why = "";

    ck_assert_int_eq(OpprofBatchAppendText(batch, path, strlen(path), &name), OPPROF_OK);
    const OpprofStatus status = SourceFileRead(batch, name, NULL, ret_text, &why);
    ck_assert((status == OPPROF_OK) == (why == NULL));
    return status;
}

/* The source is shown like this. */
static void check_shown(const char *source, size_t length, const char *shown)
{
    OpprofText text;

    ck_assert_int_eq(try_read(write_scratch("source", source, length), &text), OPPROF_OK);
    ck_assert_uint_eq(text.length, strlen(shown));
    ck_assert_mem_eq(OpprofBatchText(batch, text), shown, text.length);
}

#define CHECK_SHOWN(source, shown) check_shown((source), sizeof(source) - 1, (shown))

START_TEST(a_source_is_shown_as_it_is)
{
    CHECK_SHOWN("int a;\r\n\tb\xc3\xa4\xe4\xb8\xad\xf0\x9f\x98\x80\n",
                "int a;\r\n\tb\xc3\xa4\xe4\xb8\xad\xf0\x9f\x98\x80\n");
    CHECK_SHOWN("", "");
}
END_TEST

START_TEST(bytes_that_the_viewer_does_not_take_are_replaced)
{
    CHECK_SHOWN("a\0b", "a b");
    CHECK_SHOWN("// \xd6\xd0\n", "// ??\n"); /* GBK */
    CHECK_SHOWN("\xc0\x80 \xed\xa0\x80 \xf4\x90\x80\x80 \xe0\x80\x80 \xf0\x80\x80\x80 \xff",
                "?? ??? ???? ??? ???? ?");
    CHECK_SHOWN("cut \xe4\xb8", "cut ??");
}
END_TEST

START_TEST(what_is_no_source_is_refused)
{
    OpprofText text;
    const char *large = write_text("large", "x");

    ck_assert_int_eq(truncate(large, SOURCE_FILE_MAX), 0);
    ck_assert_int_eq(try_read(large, &text), OPPROF_OK);
    ck_assert_int_eq(truncate(large, SOURCE_FILE_MAX + 1), 0);
    ck_assert_int_eq(try_read(large, &text), OPPROF_E_IO);
    ck_assert_int_eq(try_read(in_scratch("missing"), &text), OPPROF_E_IO);
    ck_assert_int_eq(try_read(scratch, &text), OPPROF_E_IO);
    ck_assert_int_eq(try_read("/dev/zero", &text), OPPROF_E_IO);
    ck_assert_int_eq(mkfifo(in_scratch("pipe"), 0600), 0);
    ck_assert_int_eq(try_read(in_scratch("pipe"), &text), OPPROF_E_IO);
}
END_TEST

static Suite *source_file_suite(void)
{
    Suite *suite = suite_create("source_file");
    TCase *tcase = tcase_create("source_file");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, a_source_is_shown_as_it_is);
    tcase_add_test(tcase, bytes_that_the_viewer_does_not_take_are_replaced);
    tcase_add_test(tcase, what_is_no_source_is_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(source_file_suite)
