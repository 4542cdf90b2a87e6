/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of plugins/collect-kineto/formats/nsys_reader.c: a database that
 * changes while it is read. */
#include "plugins/collect-kineto/formats/nsys_reader.h"

#include "tests/core/suites.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A database of its own with what the fuzzers begin with; its name is to be removed. Returns its
 * size. */
static size_t copy_database(char *path, size_t room)
{
    static char bytes[1 << 16];
    const char *data = getenv("TEST_DATA");
    const char *folder = getenv("TMPDIR");
    FILE *file;
    size_t size;
    int fd;

    ck_assert_ptr_nonnull(data);
    snprintf(path, room, "%s/../../fuzz/corpus/kineto_nsys/database", data);
    file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    snprintf(path, room, "%s/opprof-nsys-XXXXXX", folder != NULL ? folder : "/tmp");
    fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, bytes, size), (ssize_t) size);
    close(fd);
    return size;
}

/* What is said of a database that has this many bytes more after its first event was read; "":
 * nothing is wrong. */
static void read_changed(off_t more, char *ret_problem, size_t room)
{
    char path[4096];
    const size_t size = copy_database(path, sizeof path);
    EventReader *reader = NULL;
    const TraceEvent *event;
    TraceFacts facts;

    ck_assert_int_eq(NsysReaderOpen(path, NULL, NULL, NULL, &reader, NULL), OPPROF_OK);
    ck_assert_int_eq(EventReaderNext(reader, &event, NULL), OPPROF_OK);
    ck_assert_int_eq(truncate(path, (off_t) size + more), 0);
    while (EventReaderNext(reader, &event, NULL) == OPPROF_OK) {
    }
    EventReaderGetFacts(reader, &facts);
    snprintf(ret_problem, room, "%s", facts.problem == NULL ? "" : facts.problem);
    EventReaderClose(reader);
    unlink(path);
}

START_TEST(one_that_does_not_change_is_whole)
{
    char problem[512];

    read_changed(0, problem, sizeof problem);
    ck_assert_str_eq(problem, "");
}
END_TEST

/* What the library keeps of it may be all: the size alone says so. */
START_TEST(one_that_loses_its_end_is_not)
{
    static const off_t lost[] = { -1, -4096, -8192 };
    char problem[512];

    for (size_t i = 0; i < sizeof lost / sizeof lost[0]; i++) {
        read_changed(lost[i], problem, sizeof problem);
        ck_assert_str_ne(problem, "");
    }
    read_changed(-1, problem, sizeof problem);
    ck_assert_ptr_nonnull(strstr(problem, "changed while it was read"));
}
END_TEST

static Suite *nsys_reader_suite(void)
{
    Suite *suite = suite_create("nsys_reader");
    TCase *tcase = tcase_create("changes");

    tcase_add_test(tcase, one_that_does_not_change_is_whole);
    tcase_add_test(tcase, one_that_loses_its_end_is_not);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(nsys_reader_suite)
