/* SPDX-License-Identifier: Apache-2.0 */
/* What a chip file says about a name, as text; the test writes the file. */
#include <opprof/kit/chip.h>

#include "tests/core/suites.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char directory[] = "/tmp/opprof-explain-XXXXXX";
static char text[4096];
static char hint[256];

static void setup(void)
{
    char path[128];

    ck_assert_ptr_nonnull(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/x.json", directory);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs("{ \"opprof_chip\": \"1.0\", \"series\": \"X\", \"socs\": { \"X1\": {} }, \"own\": {"
          "\"files\": { \"log\": \"a<k>.log\", \"size\": 40, \"is_there\": true },"
          "\"rules\": { \"Move\": { \"_\": \"Moves it.\", \"fields\": [\"a\", \"b\"], \"let\": { "
          "\"n\": \"a + 1\" },"
          "\"runs\": [ { \"count\": \"n\" } ] } },"
          "\"list\": [ { \"names\": [\"ONE\", \"TWO\"], \"bytes\": 2.5 } ] } }",
          file);
    fclose(file);
    setenv("OPPROF_CHIP_PATH", directory, 1);
    setenv("OPPROF_SYSTEM_CHIP_PATH", "", 1);
}

static void teardown(void)
{
    char path[128];

    snprintf(path, sizeof path, "%s/x.json", directory);
    remove(path);
    remove(directory);
}

static OpprofStatus explain(const char *name)
{
    static const OpprofFactList lists[] = { { "own.files", "file", "name" },
                                            { "own.rules", "rule", NULL },
                                            { "own.list", "entry", NULL },
                                            { "own.missing", "nothing", NULL } };
    OpprofError *error = NULL;

    memset(text, 0, sizeof text);
    FILE *out = fmemopen(text, sizeof text - 1, "w");
    ck_assert_ptr_nonnull(out);
    const OpprofStatus status =
        OpprofChipExplain("X1", lists, sizeof lists / sizeof lists[0], name, out, &error);
    fclose(out);
    snprintf(hint, sizeof hint, "%s", error == NULL ? "" : OpprofErrorGetHint(error));
    OpprofErrorDestroy(error);
    return status;
}

/* Before the last line, and the place in the last one. */
static void says(const char *name, const char *what, const char *place)
{
    char wanted[1024];

    ck_assert_int_eq(explain(name), OPPROF_OK);
    snprintf(wanted, sizeof wanted, "%s  source: %s/x.json, own.%s\n", what, directory, place);
    ck_assert_str_eq(text, wanted);
}

START_TEST(what_a_file_says_is_printed_with_its_place)
{
    says("log", "log\n  is: file\n  chip: X1\n  name: a<k>.log\n", "files.log");
    says("size", "size\n  is: file\n  chip: X1\n  name: 40\n", "files.size");
    says("IS_THERE", "is_there\n  is: file\n  chip: X1\n  name: true\n", "files.is_there");
    says(
        "move",
        "Move\n  is: rule\n  chip: X1\n  meaning: Moves it.\n  fields: a, b\n  let:\n    n: a + 1\n"
        "  runs[0]:\n    count: n\n",
        "rules.Move");
    says("two", "TWO\n  is: entry\n  chip: X1\n  bytes: 2.5\n", "list[0]");
}
END_TEST

START_TEST(all_names_are_listed_and_others_are_not_there)
{
    ck_assert_int_eq(explain("all"), OPPROF_OK);
    for (const char *const *name = (const char *const[]){ "log ", "Move ", "ONE ", "TWO ", NULL };
         *name != NULL; name++) {
        ck_assert_ptr_nonnull(strstr(text, *name));
    }
    ck_assert_int_eq(explain("something"), OPPROF_E_NOT_FOUND);
    ck_assert_str_eq(text, "");
    ck_assert_str_eq(hint, "");
    ck_assert_int_eq(explain("szie"), OPPROF_E_NOT_FOUND);
    ck_assert_str_eq(hint, "Did you mean 'size'?");
}
END_TEST

static Suite *chip_explain_suite(void)
{
    Suite *suite = suite_create("chip_explain");
    TCase *tests = tcase_create("chip_explain");

    tcase_add_unchecked_fixture(tests, setup, teardown);
    tcase_add_test(tests, what_a_file_says_is_printed_with_its_place);
    tcase_add_test(tests, all_names_are_listed_and_others_are_not_there);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(chip_explain_suite)
