/* SPDX-License-Identifier: Apache-2.0 */
/* Which launches a choice selects. */
#include "../../../plugins/collect-onboard/choice.h"

#include "tests/core/suites.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* NULL: the launch lies alone and has no folder of results. */
static Launch make(const char *place, const char *kernel, const char *order)
{
    return (Launch){ .place = strdup(place),
                     .kernel = kernel == NULL ? NULL : strdup(kernel),
                     .order = order == NULL ? NULL : strdup(order) };
}

static void drop(Launches *launches)
{
    for (size_t i = 0; i < launches->count; i++) {
        LaunchFinish(&launches->list[i]);
    }
}

START_TEST(ranges_are_numbers)
{
    static const struct {
        const char *text;
        bool is_good;
        uint32_t first, last;
    } cases[] = {
        { "0", true, 0, 0 },
        { "17", true, 17, 17 },
        { "3-9", true, 3, 9 },
        { "4-4", true, 4, 4 },
        { "20-", true, 20, UINT32_MAX },
        { "", false, 0, 0 },
        { "-", false, 0, 0 },
        { "-3", false, 0, 0 },
        { "9-3", false, 0, 0 },
        { "3-9-", false, 0, 0 },
        { "a", false, 0, 0 },
        { " 3", false, 0, 0 },
        { "3 ", false, 0, 0 },
        { "3-x", false, 0, 0 },
        { "4294967295", false, 0, 0 },
        { "99999999999999999999", false, 0, 0 },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        OrderRange range = { .first = 77, .last = 77 };

        ck_assert_msg(OrderRangeParse(cases[i].text, &range) == cases[i].is_good, "'%s'",
                      cases[i].text);
        if (cases[i].is_good) {
            ck_assert_uint_eq(range.first, cases[i].first);
            ck_assert_uint_eq(range.last, cases[i].last);
        }
    }
}
END_TEST

START_TEST(kernels_are_wanted_by_beginnings_and_patterns)
{
    ck_assert(KernelIsWanted("add", "add"));
    ck_assert(KernelIsWanted("add", "add_custom"));
    ck_assert(!KernelIsWanted("add", "my_add"));
    ck_assert(KernelIsWanted("*add", "my_add"));
    ck_assert(KernelIsWanted("mul|*add*", "my_add_2"));
    ck_assert(KernelIsWanted("||mul", "mul"));
    ck_assert(KernelIsWanted("m?l", "mul"));
    ck_assert(!KernelIsWanted("mul|div", "add"));
    ck_assert(!KernelIsWanted("", "add"));
}
END_TEST

START_TEST(launches_are_wanted_by_number)
{
    OrderRange ranges[] = { { 3, 5 }, { 9, UINT32_MAX } };
    const LaunchChoice all = { .range_count = 0 };
    const LaunchChoice some = { .ranges = ranges, .range_count = 2 };

    ck_assert(OrderIsWanted(&all, "anything"));
    ck_assert(OrderIsWanted(&some, "3"));
    ck_assert(OrderIsWanted(&some, "5_2")); /* the second folder of that number */
    ck_assert(OrderIsWanted(&some, "1000"));
    ck_assert(!OrderIsWanted(&some, "2"));
    ck_assert(!OrderIsWanted(&some, "8"));
    ck_assert(!OrderIsWanted(&some, "x"));
}
END_TEST

START_TEST(the_others_are_dropped)
{
    Launch list[] = {
        make("device0/add/0", "add", "0"),
        make("device0/add/1", "add", "1"),
        make("device0/mul/1", "mul", "1"),
    };
    OrderRange one = { 1, 1 };
    Launches launches = { .list = list, .count = 3 };
    OpprofError *error = NULL;

    ck_assert_int_eq(
        LaunchesChoose(&launches,
                       &(LaunchChoice){ .kernel = "a", .ranges = &one, .range_count = 1 }, "run",
                       &error),
        OPPROF_OK);
    ck_assert_uint_eq(launches.count, 1);
    ck_assert_str_eq(launches.list[0].place, "device0/add/1");
    drop(&launches);
}
END_TEST

START_TEST(a_single_launch_is_called_by_its_place)
{
    Launch list[] = { make("add/7", NULL, NULL) };
    Launches launches = { .list = list, .count = 1 };
    OrderRange seven = { 7, 7 };
    OpprofError *error = NULL;

    ck_assert_int_eq(
        LaunchesChoose(&launches,
                       &(LaunchChoice){ .kernel = "add", .ranges = &seven, .range_count = 1 },
                       "run", &error),
        OPPROF_OK);
    drop(&launches);
}
END_TEST

START_TEST(a_choice_of_nothing_says_what_there_is)
{
    Launch list[] = {
        make("add/0", "add", "0"),
        make("add/1", "add", "1"),
        make("mul/0", "mul", "0"),
    };
    Launches launches = { .list = list, .count = 3 };
    OpprofError *error = NULL;
    char *text;

    ck_assert_int_eq(LaunchesChoose(&launches, &(LaunchChoice){ .kernel = "div" }, "run", &error),
                     OPPROF_E_NOT_FOUND);
    text = OpprofErrorText(error, false);
    ck_assert_ptr_nonnull(strstr(text, "None of the 3 launches in 'run'"));
    ck_assert_ptr_nonnull(strstr(text, "launches of add, mul"));
    ck_assert_uint_eq(launches.count, 3);
    free(text);
    OpprofErrorDestroy(error);
    drop(&launches);
}
END_TEST

static Suite *choice_suite(void)
{
    Suite *suite = suite_create("choice");
    TCase *all = tcase_create("all");

    tcase_add_test(all, ranges_are_numbers);
    tcase_add_test(all, kernels_are_wanted_by_beginnings_and_patterns);
    tcase_add_test(all, launches_are_wanted_by_number);
    tcase_add_test(all, the_others_are_dropped);
    tcase_add_test(all, a_single_launch_is_called_by_its_place);
    tcase_add_test(all, a_choice_of_nothing_says_what_there_is);
    suite_add_tcase(suite, all);
    return suite;
}
TEST_SUITE(choice_suite)
