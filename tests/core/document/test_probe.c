/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of core/document/probe.c. */
#include "document/probe.h"

#include "tests/core/scratch.h"
#include "tests/core/suites.h"

static OpprofProbe *probe;
static OpprofError *error;

static void setup(void)
{
    probe = NULL;
    error = NULL;
    make_scratch();
}

static void teardown(void)
{
    ProbeDestroy(probe);
    OpprofErrorDestroy(error);
    remove_scratch();
}

static void look(const char *path)
{
    ck_assert_int_eq(ProbeCreate(path, &probe, &error), OPPROF_OK);
}

static void make_folder(const char *name)
{
    ck_assert_int_eq(mkdir(in_scratch(name), 0700), 0);
}

START_TEST(files_of_a_folder_come_before_those_below_it_in_natural_order)
{
    make_folder("a");
    write_text("a/deep.bin", "x");
    write_text("z10.bin", "x");
    write_text("z2.bin", "x");
    write_text("empty.bin", "");
    write_text(".hidden.bin", "x");
    look(scratch);
    ck_assert(OpprofProbeIsDirectory(probe));
    ck_assert_str_eq(OpprofProbePath(probe), scratch);
    ck_assert_str_eq(OpprofProbeFile(probe, "*.bin", 0), "z2.bin");
    ck_assert_str_eq(OpprofProbeFile(probe, "*.bin", 1), "z10.bin");
    ck_assert_str_eq(OpprofProbeFile(probe, "*.bin", 2), "a/deep.bin");
    ck_assert_ptr_null(OpprofProbeFile(probe, "*.bin", 3));
    ck_assert_str_eq(OpprofProbeFile(probe, "a/*.bin", 0), "a/deep.bin");
    ck_assert_ptr_null(OpprofProbeFile(probe, "*.txt", 0));
}
END_TEST

START_TEST(a_file_is_the_only_one)
{
    const void *head;

    write_text("other.bin", "x");
    look(write_text("one.bin", "12345"));
    ck_assert(!OpprofProbeIsDirectory(probe));
    ck_assert_str_eq(OpprofProbeFile(probe, "*", 0), "one.bin");
    ck_assert_ptr_null(OpprofProbeFile(probe, "*", 1));
    ck_assert_uint_eq(OpprofProbeHead(probe, "one.bin", &head), 5);
    ck_assert_int_eq(memcmp(head, "12345", 5), 0);
}
END_TEST

START_TEST(no_more_than_the_limit_is_read_for_one_collector)
{
    char *large = calloc(1, 100000);
    size_t sum = 0;
    const void *head;

    for (int i = 0; i < 8; i++) {
        char name[16];

        snprintf(name, sizeof name, "%d", i);
        write_scratch(name, large, 100000);
    }
    look(scratch);
    for (size_t i = 0; i < 8; i++) {
        sum += OpprofProbeHead(probe, OpprofProbeFile(probe, "*", i), &head);
        ck_assert_ptr_nonnull(head);
    }
    ck_assert_uint_eq(sum, OPPROF_PROBE_BYTES);
    ck_assert_uint_eq(ProbeBytesRead(probe), OPPROF_PROBE_BYTES);
    ck_assert_uint_eq(OpprofProbeHead(probe, "7", &head), 0);
    ck_assert_uint_eq(OpprofProbeHead(probe, "0", &head), OPPROF_PROBE_HEAD);
    ProbeRenew(probe);
    ck_assert_uint_eq(OpprofProbeHead(probe, "0", &head), OPPROF_PROBE_HEAD);
    ck_assert_uint_eq(ProbeBytesRead(probe), 0);
    ck_assert_uint_eq(OpprofProbeHead(probe, "7", &head), OPPROF_PROBE_HEAD);
    free(large);
}
END_TEST

START_TEST(names_and_folders_are_limited)
{
    char path[64] = "";

    for (unsigned i = 0; i < OPPROF_PROBE_FILES + 10; i++) {
        char name[16];

        snprintf(name, sizeof name, "f%u", i);
        write_text(name, "x");
    }
    look(scratch);
    ck_assert_ptr_nonnull(OpprofProbeFile(probe, "*", OPPROF_PROBE_FILES - 1));
    ck_assert_ptr_null(OpprofProbeFile(probe, "*", OPPROF_PROBE_FILES));
    ProbeDestroy(probe);
    for (unsigned i = 0; i <= OPPROF_PROBE_DEPTH + 1; i++) {
        snprintf(path + strlen(path), sizeof path - strlen(path), i == 0 ? "d" : "/d");
        make_folder(path);
    }
    write_text("d/d/d/d/d/in", "x");
    write_text("d/d/d/d/d/d/out", "x");
    look(in_scratch("d"));
    ck_assert_str_eq(OpprofProbeFile(probe, "*", 0), "d/d/d/d/in");
    ck_assert_str_eq(OpprofProbeFile(probe, "*", 1), "d/d/d/d/d/out");
    ProbeDestroy(probe);
    ck_assert_int_eq(mkdir(in_scratch("e"), 0700), 0);
    ck_assert_int_eq(symlink(".", in_scratch("e/loop")), 0);
    look(in_scratch("e"));
    ck_assert_ptr_null(OpprofProbeFile(probe, "*", 0));
}
END_TEST

START_TEST(what_is_no_file_is_not_opened)
{
    const void *head;

    ck_assert_int_eq(mkfifo(in_scratch("pipe"), 0600), 0);
    look(scratch);
    ck_assert_ptr_null(OpprofProbeFile(probe, "*", 0));
    ck_assert_uint_eq(OpprofProbeHead(probe, "pipe", &head), 0);
    ck_assert_uint_eq(OpprofProbeHead(probe, "../../etc/passwd", &head), 0);
    ProbeDestroy(probe);
    ck_assert_int_eq(ProbeCreate(in_scratch("pipe"), &probe, &error), OPPROF_E_IO);
    ck_assert_ptr_null(probe);
}
END_TEST

START_TEST(what_is_not_there_is_not_found)
{
    ck_assert_int_eq(ProbeCreate(in_scratch("none"), &probe, &error), OPPROF_E_NOT_FOUND);
    ck_assert_ptr_nonnull(strstr(OpprofErrorMessage(error), "none"));
}
END_TEST

START_TEST(a_file_that_has_gone_has_no_head)
{
    const void *head;

    write_text("one", "x");
    look(scratch);
    ck_assert_int_eq(unlink(in_scratch("one")), 0);
    ck_assert_uint_eq(OpprofProbeHead(probe, "one", &head), 0);
    ck_assert_ptr_nonnull(head);
}
END_TEST

static Suite *probe_suite(void)
{
    Suite *suite = suite_create("probe");
    TCase *tcase = tcase_create("probe");

    tcase_set_timeout(tcase, 1800);
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, files_of_a_folder_come_before_those_below_it_in_natural_order);
    tcase_add_test(tcase, a_file_is_the_only_one);
    tcase_add_test(tcase, no_more_than_the_limit_is_read_for_one_collector);
    tcase_add_test(tcase, names_and_folders_are_limited);
    tcase_add_test(tcase, what_is_no_file_is_not_opened);
    tcase_add_test(tcase, what_is_not_there_is_not_found);
    tcase_add_test(tcase, a_file_that_has_gone_has_no_head);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(probe_suite)
