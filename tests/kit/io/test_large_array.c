/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of kit/io/large_array.c. */
#include <opprof/kit/large_array.h>

#include "output/output.h"
#include "tests/core/resident.h"
#include "tests/core/scratch.h"
#include "tests/core/suites.h"

#include <stdint.h>

#define LARGE ((size_t) 16 * OPPROF_LARGE_ARRAY_MEMORY)

static OpprofOutputDirectory *open_output(void)
{
    OpprofOutputDirectory *directory = NULL;

    ck_assert_int_eq(OutputDirectoryCreate(in_scratch("out"), true, &directory, NULL), OPPROF_OK);
    return directory;
}

/* Grows by and by; new bytes are 0, old ones stay. Numbers are written into all of it. */
static void fill(OpprofLargeArray *array, OpprofOutputDirectory *directory, size_t size)
{
    size_t written = 0;
    size_t wrong = 0;

    for (size_t next = 64; written < size; next = next * 3 / 2 < size ? next * 3 / 2 : size) {
        const size_t rounded = next / sizeof(uint64_t) * sizeof(uint64_t);

        ck_assert(OpprofLargeArrayGrow(array, directory, rounded));
        ck_assert_uint_ge(array->size, rounded);
        for (; written < rounded; written += sizeof(uint64_t)) {
            uint64_t *numbers = array->bytes;

            wrong += numbers[written / sizeof(uint64_t)] != 0;
            numbers[written / sizeof(uint64_t)] = written + 1;
        }
    }
    ck_assert_uint_eq(wrong, 0);
}

static void check(const OpprofLargeArray *array, size_t size)
{
    const uint64_t *numbers = array->bytes;

    for (size_t at = 0; at < size; at += sizeof(uint64_t)) {
        if (numbers[at / sizeof(uint64_t)] != at + 1) {
            ck_abort_msg("byte %zu is wrong", at);
        }
    }
}

START_TEST(a_small_room_is_ordinary_memory)
{
    OpprofOutputDirectory *directory = open_output();
    OpprofLargeArray array = { 0 };

    fill(&array, directory, OPPROF_LARGE_ARRAY_MEMORY / 2);
    ck_assert_int_eq(array.fd_plus_1, 0);
    OpprofLargeArrayRest(&array);
    check(&array, OPPROF_LARGE_ARRAY_MEMORY / 2);
    OpprofLargeArrayFinish(&array);
    ck_assert_ptr_null(array.bytes);
    OutputDirectoryDestroy(directory);
}
END_TEST

START_TEST(a_large_room_takes_no_memory_while_it_rests)
{
    OpprofOutputDirectory *directory = open_output();
    const size_t before = resident_of_files();
    OpprofLargeArray array = { 0 };
    size_t used;

    fill(&array, directory, LARGE);
    ck_assert_int_ne(array.fd_plus_1, 0);
    used = resident_of_files();
    OpprofLargeArrayRest(&array);
    if (getenv("EMULATOR") == NULL) { /* which may keep what is let go of */
        ck_assert_uint_lt(resident_of_files(), before + OPPROF_LARGE_ARRAY_MEMORY);
    }
    ck_assert_uint_gt(used, before + LARGE / 2);
    check(&array, LARGE);
    OpprofLargeArrayFinish(&array);
    OutputDirectoryDestroy(directory);
}
END_TEST

START_TEST(without_a_place_for_files_it_is_memory)
{
    OpprofOutputDirectory *directory = open_output();
    OpprofLargeArray array = { 0 };

    fill(&array, NULL, LARGE);
    ck_assert_int_eq(array.fd_plus_1, 0);
    check(&array, LARGE);
    OpprofLargeArrayFinish(&array);
    /* The directory is gone: no file can be made in it. */
    ck_assert_int_eq(rmdir(OpprofOutputDirectoryPath(directory)), 0);
    fill(&array, directory, LARGE);
    ck_assert_int_eq(array.fd_plus_1, 0);
    check(&array, LARGE);
    OpprofLargeArrayFinish(&array);
    OutputDirectoryDestroy(directory);
}
END_TEST

START_TEST(too_much_is_refused_and_the_room_stays)
{
    OpprofOutputDirectory *directory = open_output();
    OpprofLargeArray array = { 0 };

    fill(&array, directory, 2 * OPPROF_LARGE_ARRAY_MEMORY);
    ck_assert(!OpprofLargeArrayGrow(&array, directory, SIZE_MAX));
    ck_assert(!OpprofLargeArrayGrow(&array, directory, SIZE_MAX / 2 - 1));
    check(&array, 2 * OPPROF_LARGE_ARRAY_MEMORY);
    OpprofLargeArrayFinish(&array);
    OutputDirectoryDestroy(directory);
}
END_TEST

static Suite *room_suite(void)
{
    Suite *suite = suite_create("array");
    TCase *tests = tcase_create("array");

    tcase_add_checked_fixture(tests, make_scratch, remove_scratch);
    tcase_add_test(tests, a_small_room_is_ordinary_memory);
    tcase_add_test(tests, a_large_room_takes_no_memory_while_it_rests);
    tcase_add_test(tests, without_a_place_for_files_it_is_memory);
    tcase_add_test(tests, too_much_is_refused_and_the_room_stays);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(room_suite)
