/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of plugins/report/groups.c. */
#include "plugins/report/groups.h"

#include "output/output.h"
#include "tests/core/scratch.h"
#include "tests/core/suites.h"

#include <opprof/record.h>
#include <stdio.h>

#define KEYS 20000u /* far more than are held, so that there are several runs */

static OpprofOutputDirectory *open_output(void)
{
    OpprofOutputDirectory *directory = NULL;

    ck_assert_int_eq(OutputDirectoryCreate(in_scratch("out"), true, &directory, NULL), OPPROF_OK);
    return directory;
}

static void add(Groups *groups, const char *key, const char *label, double weight)
{
    Group *group = NULL;

    const uint32_t length = (uint32_t) strlen(key);

    groups->combine = OPPROF_COMBINE_SUM;
    ck_assert_int_eq(GroupsFind(groups, (GroupKey){ key, length, length, length }, &group, NULL),
                     OPPROF_OK);
    GroupAdd(groups, group, weight);
    ck_assert(GroupName(group, label));
}

/* Key i weighs i + 2 i, and comes under two labels. */
static void add_all(Groups *groups)
{
    for (unsigned round = 1; round <= 2; round++) {
        for (unsigned i = 0; i < KEYS; i++) {
            char key[16];
            char label[32];

            snprintf(key, sizeof key, "%u", i);
            snprintf(label, sizeof label, "%s of %u", round == 1 ? "b" : "a", i);
            add(groups, key, label, (double) round * i);
        }
    }
}

static void check_all(Groups *groups)
{
    ck_assert_int_eq(GroupsSettle(groups, 3, NULL), OPPROF_OK);
    ck_assert_uint_eq(groups->total, KEYS);
    ck_assert_uint_eq(groups->count, 3);
    ck_assert((double) groups->whole == 3.0 * KEYS * (KEYS - 1) / 2);
    for (unsigned i = 0; i < 3; i++) {
        char label[32];

        snprintf(label, sizeof label, "a of %u", KEYS - 1 - i);
        ck_assert_str_eq(groups->list[i].label, label);
        ck_assert((double) groups->list[i].weight == 3.0 * (KEYS - 1 - i));
        ck_assert_uint_eq(groups->list[i].rows, 2);
    }
}

START_TEST(many_keys_are_added_up_in_a_file)
{
    OpprofOutputDirectory *directory = open_output();
    Groups groups = { .directory = directory };

    add_all(&groups);
    ck_assert_uint_gt(groups.run_count, 1);
    ck_assert_uint_le(groups.count, GROUPS_HELD);
    ck_assert_int_ne(groups.spool.fd_plus_1, 0);
    check_all(&groups);
    GroupsFinish(&groups);
    OutputDirectoryDestroy(directory);
}
END_TEST

START_TEST(many_keys_are_added_up_without_a_directory)
{
    Groups groups = { .count = 0 };

    add_all(&groups);
    check_all(&groups);
    GroupsFinish(&groups);
}
END_TEST

START_TEST(few_keys_stay_in_memory_and_equal_ones_go_by_label)
{
    Groups groups = { .count = 0 };

    add(&groups, "x", "second", 5);
    add(&groups, "y", "first", 4);
    add(&groups, "y", "late", 1);
    add(&groups, "z", "heavy", 7);
    ck_assert_int_eq(GroupsSettle(&groups, 10, NULL), OPPROF_OK);
    ck_assert_uint_eq(groups.run_count, 0);
    ck_assert_uint_eq(groups.total, 3);
    ck_assert_uint_eq(groups.count, 3);
    ck_assert_str_eq(groups.list[0].label, "heavy");
    ck_assert_str_eq(groups.list[1].label, "first");
    ck_assert_str_eq(groups.list[2].label, "second");
    ck_assert((double) groups.whole == 17);
    GroupsFinish(&groups);
}
END_TEST

/* Two launches of two members; one member has two rows of the first launch. */
static long double combined(uint32_t rule)
{
    static const struct {
        GroupKey key;
        double weight;
    } rows[] = {
        { { "line  0  a", 4, 7, 10 }, 3 }, { { "line  0  b", 4, 7, 10 }, 7 },
        { { "line  0  a", 4, 7, 10 }, 6 }, { { "line  1  a", 4, 7, 10 }, 2 },
        { { "line  1  b", 4, 7, 10 }, 5 },
    };
    Groups groups = { .combine = rule };
    long double weight;

    for (size_t i = 0; i < OPPROF_COUNT(rows); i++) {
        Group *group = NULL;

        ck_assert_int_eq(GroupsFind(&groups, rows[i].key, &group, NULL), OPPROF_OK);
        GroupAdd(&groups, group, rows[i].weight);
        ck_assert(GroupName(group, "line"));
    }
    ck_assert_int_eq(GroupsSettle(&groups, 10, NULL), OPPROF_OK);
    ck_assert_uint_eq(groups.count, 1);
    ck_assert_uint_eq(groups.list[0].rows, 5);
    weight = groups.list[0].weight;
    GroupsFinish(&groups);
    return weight;
}

START_TEST(weights_combine_as_their_type_says)
{
    ck_assert((double) combined(OPPROF_COMBINE_SUM) == 23);
    ck_assert((double) combined(OPPROF_COMBINE_LONGEST) == 9 + 5);
    ck_assert((double) combined(OPPROF_COMBINE_MEAN) == 23.0 / 5);
    ck_assert((double) combined(OPPROF_COMBINE_NONE) == 7);
    ck_assert((double) combined(OPPROF_COMBINE_UNKNOWN) == 7);
}
END_TEST

START_TEST(no_keys_are_no_groups)
{
    Groups groups = { .count = 0 };

    ck_assert_int_eq(GroupsSettle(&groups, 10, NULL), OPPROF_OK);
    ck_assert_uint_eq(groups.total, 0);
    GroupsFinish(&groups);
}
END_TEST

static Suite *groups_suite(void)
{
    Suite *suite = suite_create("groups");
    TCase *tests = tcase_create("groups");

    tcase_add_checked_fixture(tests, make_scratch, remove_scratch);
    tcase_add_test(tests, many_keys_are_added_up_in_a_file);
    tcase_add_test(tests, many_keys_are_added_up_without_a_directory);
    tcase_add_test(tests, few_keys_stay_in_memory_and_equal_ones_go_by_label);
    tcase_add_test(tests, weights_combine_as_their_type_says);
    tcase_add_test(tests, no_keys_are_no_groups);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(groups_suite)
