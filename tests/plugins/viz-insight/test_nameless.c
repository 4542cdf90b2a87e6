/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of plugins/viz-insight/nameless.c. */
#include "output/output.h"
#include "plugins/viz-insight/nameless.h"

#include "tests/core/suites.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK ((size_t) 256 << 10) /* of the code under test */

static char parent[] = "/tmp/opprof-nameless-XXXXXX";
static OpprofOutputDirectory *directory;

static void setup(void)
{
    ck_assert_ptr_nonnull(mkdtemp(parent));
    ck_assert_int_eq(OutputDirectoryCreate(parent, true, &directory, NULL), OPPROF_OK);
}

static void teardown(void)
{
    char command[100];

    OutputDirectoryDestroy(directory);
    snprintf(command, sizeof command, "rm -rf '%s'", parent);
    ck_assert_int_eq(system(command), 0);
}

static char *path_of(const char *name)
{
    static char path[100];

    snprintf(path, sizeof path, "%s/%s", parent, name);
    return path;
}

static void write_source(const char *text, size_t length)
{
    FILE *file = fopen(path_of("source"), "wb");

    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(text, 1, length, file), length);
    ck_assert_int_eq(fclose(file), 0);
}

/* Copies length bytes from offset on; returns the result, to be freed. */
static char *copied(uint64_t offset, uint64_t length, uint64_t *ret_length)
{
    const NamelessSource source = { path_of("source"), offset, length, NULL, 0, 0 };
    OpprofOutputFile *file;
    char *text;
    FILE *result;

    ck_assert_int_eq(OpprofOutputFileCreate(directory, "result", &file, NULL), OPPROF_OK);
    ck_assert_int_eq(NamelessCopy(&source, file, ret_length, NULL), OPPROF_OK);
    ck_assert_int_eq(OpprofOutputFileFinish(file, NULL), OPPROF_OK);
    text = calloc(1, *ret_length + 1);
    result = fopen(path_of("result"), "rb");
    ck_assert_ptr_nonnull(text);
    ck_assert_ptr_nonnull(result);
    ck_assert_uint_eq(fread(text, 1, *ret_length + 1, result), *ret_length);
    fclose(result);
    return text;
}

START_TEST(every_empty_name_gets_a_question_mark_and_nothing_else_changes)
{
    static const char before[] =
        "x[{\"name\":\"\",\"n\":\"\\\"name\\\":\\\"\\\"\"},{\"name\":\"\"},"
        "{\"name\":\"a\"}]y";
    static const char after[] =
        "[{\"name\":\"?\",\"n\":\"\\\"name\\\":\\\"\\\"\"},{\"name\":\"?\"},"
        "{\"name\":\"a\"}]";
    uint64_t length;
    char *text;

    write_source(before, sizeof before - 1);
    text = copied(1, sizeof before - 3, &length);
    ck_assert_str_eq(text, after);
    free(text);
}
END_TEST

/* The empty name lies across the end of the first chunk at every place it can. */
START_TEST(a_name_is_found_across_chunks)
{
    static const char name[] = "\"name\":\"\"";
    size_t size = CHUNK + 100;
    char *before = malloc(size);
    uint64_t length;
    char *text;

    ck_assert_ptr_nonnull(before);
    memset(before, '.', size);
    memcpy(before + CHUNK - (size_t) _i, name, sizeof name - 1);
    write_source(before, size);
    text = copied(0, size, &length);
    ck_assert_uint_eq(length, size + 1);
    ck_assert_int_eq(memcmp(text + CHUNK - _i, "\"name\":\"?\".", 11), 0);
    ck_assert_int_eq(memcmp(text, before, CHUNK - (size_t) _i), 0);
    free(text);
    free(before);
}
END_TEST

START_TEST(a_source_that_is_too_short_is_told)
{
    const NamelessSource source = { path_of("source"), 0, 9, NULL, 0, 0 };
    OpprofError *error = NULL;
    OpprofOutputFile *file;
    uint64_t length;

    write_source("short", 5);
    ck_assert_int_eq(OpprofOutputFileCreate(directory, "result", &file, NULL), OPPROF_OK);
    ck_assert_int_eq(NamelessCopy(&source, file, &length, &error), OPPROF_E_IO);
    ck_assert_ptr_nonnull(strstr(OpprofErrorMessage(error), "at byte 5"));
    OpprofErrorDestroy(error);
    OpprofOutputFileDiscard(file);
}
END_TEST

static Suite *nameless_suite(void)
{
    Suite *suite = suite_create("nameless");
    TCase *tcase = tcase_create("copies");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, every_empty_name_gets_a_question_mark_and_nothing_else_changes);
    tcase_add_loop_test(tcase, a_name_is_found_across_chunks, 0, 10);
    tcase_add_test(tcase, a_source_that_is_too_short_is_told);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(nameless_suite)
