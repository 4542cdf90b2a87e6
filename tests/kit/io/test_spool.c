/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of kit/io/spool.c. */
#include <opprof/kit/spool.h>

#include "output/output.h"
#include "tests/core/scratch.h"
#include "tests/core/suites.h"

#define PIECE 1000u

static unsigned char byte_at(uint64_t offset)
{
    return (unsigned char) (offset * 31 + (offset >> 8));
}

static OpprofOutputDirectory *open_output(void)
{
    OpprofOutputDirectory *directory = NULL;

    ck_assert_int_eq(OutputDirectoryCreate(in_scratch("out"), true, &directory, NULL), OPPROF_OK);
    return directory;
}

/* Fills a spool piece by piece. */
static void fill(OpprofSpool *spool, OpprofOutputDirectory *directory, uint64_t total)
{
    for (uint64_t at = 0; at < total; at += PIECE) {
        char bytes[PIECE];
        uint64_t offset;

        for (uint32_t i = 0; i < PIECE; i++) {
            bytes[i] = (char) byte_at(at + i);
        }
        ck_assert_int_eq(OpprofSpoolAppend(spool, directory, bytes,
                                           total - at < PIECE ? (size_t) (total - at) : PIECE,
                                           &offset, NULL),
                         OPPROF_OK);
        ck_assert_uint_eq(offset, at);
    }
}

/* Reads all of it, some bytes at a time, across the end of what is in memory as well. */
static void check_read(const OpprofSpool *spool, uint64_t total, size_t room)
{
    char *bytes = malloc(room);
    uint64_t wrong = 0;

    for (uint64_t at = 0; at < total;) {
        const size_t size = total - at < room ? (size_t) (total - at) : room;

        ck_assert_int_eq(OpprofSpoolRead(spool, at, size, bytes, NULL), OPPROF_OK);
        for (size_t i = 0; i < size; i++) {
            wrong += (unsigned char) bytes[i] != byte_at(at + i);
        }
        at += size;
    }
    ck_assert_uint_eq(wrong, 0);
    free(bytes);
}

START_TEST(what_was_put_aside_is_read_again_from_memory_and_file)
{
    const uint64_t totals[] = {
        0, 1, PIECE, OPPROF_SPOOL_MEMORY - 1, OPPROF_SPOOL_MEMORY, 2 * OPPROF_SPOOL_MEMORY + 123
    };
    OpprofOutputDirectory *directory = open_output();

    for (size_t i = 0; i < sizeof totals / sizeof totals[0]; i++) {
        OpprofSpool spool = { 0 };

        fill(&spool, directory, totals[i]);
        check_read(&spool, totals[i], 4096);
        check_read(&spool, totals[i], 99991);
        OpprofSpoolFinish(&spool);
        ck_assert_uint_eq(spool.total, 0);
    }
    OutputDirectoryDestroy(directory);
}
END_TEST

START_TEST(the_owner_says_how_much_stays_in_memory)
{
    const size_t limits[] = { 1, PIECE, 3 * PIECE + 1, 2 * OPPROF_SPOOL_MEMORY };
    OpprofOutputDirectory *directory = open_output();

    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        OpprofSpool spool = { .most_memory = limits[i] };

        fill(&spool, directory, 10 * PIECE + 7);
        ck_assert_uint_le(spool.used, limits[i]);
        ck_assert_int_eq(spool.fd_plus_1 > 0, limits[i] < 10 * PIECE + 7);
        check_read(&spool, 10 * PIECE + 7, 999);
        OpprofSpoolFinish(&spool);
    }
    OutputDirectoryDestroy(directory);
}
END_TEST

START_TEST(what_has_no_limit_needs_no_directory)
{
    OpprofSpool spool = { .most_memory = SIZE_MAX };

    fill(&spool, NULL, 2 * OPPROF_SPOOL_MEMORY);
    ck_assert_int_eq(spool.fd_plus_1, 0);
    check_read(&spool, 2 * OPPROF_SPOOL_MEMORY, 99991);
    OpprofSpoolFinish(&spool);
}
END_TEST

START_TEST(a_range_goes_into_a_result_file)
{
    OpprofOutputDirectory *directory = open_output();
    OpprofSpool spool = { 0 };
    OpprofOutputFile *file = NULL;
    char path[PATH_MAX];
    unsigned char read[5000];

    fill(&spool, directory, 2 * OPPROF_SPOOL_MEMORY);
    ck_assert_int_eq(OpprofOutputFileCreate(directory, "file", &file, NULL), OPPROF_OK);
    ck_assert_int_eq(OpprofSpoolCopy(&spool, 100, 2000, file, NULL), OPPROF_OK);
    ck_assert_int_eq(OpprofSpoolCopy(&spool, OPPROF_SPOOL_MEMORY + 5000, 3000, file, NULL),
                     OPPROF_OK);
    ck_assert_int_eq(OpprofOutputFileFinish(file, NULL), OPPROF_OK);
    snprintf(path, sizeof path, "%s/file", OpprofOutputDirectoryPath(directory));
    FILE *in = fopen(path, "rb");
    ck_assert_ptr_nonnull(in);
    ck_assert_uint_eq(fread(read, 1, sizeof read, in), 5000);
    fclose(in);
    for (size_t i = 0; i < 5000; i++) {
        ck_assert_uint_eq(read[i],
                          byte_at(i < 2000 ? 100 + i : OPPROF_SPOOL_MEMORY + 5000 + i - 2000));
    }
    OpprofSpoolFinish(&spool);
    OutputDirectoryDestroy(directory);
}
END_TEST

START_TEST(a_range_across_the_end_of_what_is_in_memory_goes_into_a_result_file)
{
    const uint64_t from = 300;
    const size_t size = 3000;
    OpprofOutputDirectory *directory = open_output();
    OpprofSpool spool = { .most_memory = 2 * PIECE };
    OpprofOutputFile *file = NULL;
    char path[PATH_MAX];
    unsigned char read[4000];

    fill(&spool, directory, 5 * PIECE);
    ck_assert_uint_eq(spool.used, 2 * PIECE);
    ck_assert_int_eq(OpprofOutputFileCreate(directory, "file", &file, NULL), OPPROF_OK);
    ck_assert_int_eq(OpprofSpoolCopy(&spool, from, size, file, NULL), OPPROF_OK);
    ck_assert_int_eq(OpprofOutputFileFinish(file, NULL), OPPROF_OK);
    snprintf(path, sizeof path, "%s/file", OpprofOutputDirectoryPath(directory));
    FILE *in = fopen(path, "rb");
    ck_assert_ptr_nonnull(in);
    ck_assert_uint_eq(fread(read, 1, sizeof read, in), size);
    fclose(in);
    for (size_t i = 0; i < size; i++) {
        ck_assert_uint_eq(read[i], byte_at(from + i));
    }
    OpprofSpoolFinish(&spool);
    OutputDirectoryDestroy(directory);
}
END_TEST

static Suite *spool_suite(void)
{
    Suite *suite = suite_create("spool");
    TCase *tests = tcase_create("spool");

    tcase_add_checked_fixture(tests, make_scratch, remove_scratch);
    tcase_add_test(tests, what_was_put_aside_is_read_again_from_memory_and_file);
    tcase_add_test(tests, the_owner_says_how_much_stays_in_memory);
    tcase_add_test(tests, what_has_no_limit_needs_no_directory);
    tcase_add_test(tests, a_range_goes_into_a_result_file);
    tcase_add_test(tests, a_range_across_the_end_of_what_is_in_memory_goes_into_a_result_file);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(spool_suite)
