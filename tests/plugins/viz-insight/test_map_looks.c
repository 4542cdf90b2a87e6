/* SPDX-License-Identifier: Apache-2.0 */
/* The viewer's pictures of memories, and its numbers of paths. */
#include "plugins/viz-insight/map_looks.h"

#include "tests/core/suites.h"

#include <check.h>

START_TEST(test_look__each_layout_has_the_picture_of_its_series)
{
    ck_assert_str_eq(MapLookOf("310P").drawing, "310P");
    ck_assert_str_eq(MapLookOf("310P").suffixes[1], "requests_suffix");
    ck_assert(!MapLookOf("310P").has_peaks);
    ck_assert_str_eq(MapLookOf("910B").drawing, "910B");
    ck_assert_str_eq(MapLookOf("910B").suffixes[1], "request_suffix");
    ck_assert(MapLookOf("910B").has_peaks);
    ck_assert_str_eq(MapLookOf("950").drawing, "910A5");
    ck_assert(MapLookOf("950").has_memory_detail);
    ck_assert_ptr_null(MapLookOf("950").suffixes[0]);
}
END_TEST

START_TEST(test_look__an_unknown_layout_is_its_own_picture)
{
    ck_assert_str_eq(MapLookOf("Nova").drawing, "Nova");
    ck_assert(!MapLookOf("Nova").has_memory_detail);
    ck_assert_ptr_null(MapLookOf("Nova").suffixes[0]);
}
END_TEST

START_TEST(test_path__names_have_the_viewers_numbers)
{
    ck_assert_int_eq(MapPathNumber("GM_TO_L2"), 0);
    ck_assert_int_eq(MapPathNumber("ANY_TO_L0A"), 4);
    ck_assert_int_eq(MapPathNumber("MTE_TO_L0A"), 21);
    ck_assert_int_eq(MapPathNumber("L1_TO_L0A"), 37);
    ck_assert_int_eq(MapPathNumber("DCACHE1_TO_VECTOR1"), 55);
    ck_assert_int_eq(MapPathNumber("HERE_TO_THERE"), -1);
}
END_TEST

static Suite *map_looks_suite(void)
{
    Suite *suite = suite_create("map_looks");
    TCase *tests = tcase_create("map_looks");

    tcase_add_test(tests, test_look__each_layout_has_the_picture_of_its_series);
    tcase_add_test(tests, test_look__an_unknown_layout_is_its_own_picture);
    tcase_add_test(tests, test_path__names_have_the_viewers_numbers);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(map_looks_suite)
