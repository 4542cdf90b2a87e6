/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of core/base/library.c and linker.c. */
#include <opprof/library.h>

#include "base/linker.h"

#include "tests/core/suites.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A library that every machine with the C library has. */
#define LIBRARY "libm.so.6"

START_TEST(functions_are_found_in_their_order)
{
    static const char *const functions[] = { "floor", "hypot", NULL };
    union {
        void *addresses[2];
        struct {
            double (*whole)(double);
            double (*length)(double, double);
        } typed;
    } found = { .addresses = { NULL } };

    for (int round = 0; round < 2; round++) {
        ck_assert_int_eq(OpprofLibraryLoad(LIBRARY, functions, found.addresses, NULL), OPPROF_OK);
        ck_assert_double_eq(found.typed.whole(3.75), 3);
        ck_assert_double_eq(found.typed.length(3, 4), 5);
    }
}
END_TEST

START_TEST(a_function_that_is_missing_is_named)
{
    static const char *const functions[] = { "floor", "opprof_has_no_such", NULL };
    void *addresses[2] = { NULL };
    OpprofError *error = NULL;

    ck_assert_int_eq(OpprofLibraryLoad(LIBRARY, functions, addresses, &error), OPPROF_E_LOAD);
    ck_assert_ptr_nonnull(strstr(OpprofErrorMessage(error), "opprof_has_no_such"));
    ck_assert_ptr_nonnull(strstr(OpprofErrorMessage(error), LIBRARY));
    ck_assert_ptr_null(addresses[0]);
    OpprofErrorDestroy(error);
}
END_TEST

START_TEST(a_library_that_is_missing_is_named)
{
    static const char *const functions[] = { NULL };
    void *addresses[1] = { NULL };
    OpprofError *error = NULL;

    ck_assert_int_eq(OpprofLibraryLoad("libopprof-has-no-such.so.9", functions, addresses, &error),
                     OPPROF_E_LOAD);
    ck_assert_ptr_nonnull(strstr(OpprofErrorMessage(error), "'libopprof-has-no-such.so.9'"));
    ck_assert_ptr_nonnull(strstr(OpprofErrorGetHint(error), "LD_LIBRARY_PATH"));
    OpprofErrorDestroy(error);
}
END_TEST

/* glibc's own words: elf/dl-load.c, elf/dl-object.c, elf/dl-map-segments.h. */
START_TEST(lack_of_memory_is_known_by_the_words_of_the_linker)
{
    ck_assert_int_eq(LinkerStatus("libx.so.0: cannot create shared object descriptor"),
                     OPPROF_E_MEMORY);
    ck_assert_int_eq(LinkerStatus("libx.so.0: failed to map segment from shared object"),
                     OPPROF_E_MEMORY);
    ck_assert_int_eq(LinkerStatus("libx.so.0: cannot allocate memory in static TLS block"),
                     OPPROF_E_LOAD);
    ck_assert_int_eq(
        LinkerStatus("libx.so.0: cannot open shared object file: No such file or directory"),
        OPPROF_E_LOAD);
    ck_assert_int_eq(LinkerStatus("libx.so.0: undefined symbol: y"), OPPROF_E_LOAD);
}
END_TEST

static Suite *library_suite(void)
{
    Suite *suite = suite_create("library");
    TCase *tests = tcase_create("library");

    tcase_add_test(tests, functions_are_found_in_their_order);
    tcase_add_test(tests, a_function_that_is_missing_is_named);
    tcase_add_test(tests, a_library_that_is_missing_is_named);
    tcase_add_test(tests, lack_of_memory_is_known_by_the_words_of_the_linker);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(library_suite)
