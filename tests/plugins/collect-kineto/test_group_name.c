/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of plugins/collect-kineto/rank/group_name.c. */
#include "plugins/collect-kineto/rank/group_name.h"

#include "tests/core/suites.h"

#include <check.h>
#include <stdlib.h>

static JsonText text_of(const char *text)
{
    return (JsonText){ .text = text, .length = (uint32_t) strlen(text) };
}

static void check(const char *name, const char *ranks, size_t room, const char *wanted)
{
    char out[64];
    const size_t length = GroupName(text_of(name), text_of(ranks), out, room);

    ck_assert_msg(length == strlen(wanted) && memcmp(out, wanted, length) == 0,
                  "'%s' with %s is '%.*s', not '%s'", name, ranks, (int) length, out, wanted);
}

START_TEST(groups_are_told_apart_by_name_and_ranks)
{
    static const struct {
        const char *name;
        const char *ranks;
        const char *wanted;
    } groups[] = {
        { "3", "[0, 1]", "3 [0, 1]" },
        { "3", "[2, 3]", "3 [2, 3]" },
        { "3", "[5]", "3 [5]" },
        { "3", "[0, 1, 2]", "3 [0-2]" },
        { "3", "[4,5,6,7]", "3 [4-7]" },
        { "3", "[0, 8, 16, 24]", "3 [0-24 by 8]" },
        { "3", "[0, 1, ..., 255]", "3 [0-255]" },
        { "3", "[1, 9, ..., 249]", "3 [1-249 by 8]" },
        { "", "[0, 1, 2, 3]", "[0-3]" },
        { "tp", "", "tp" },
        { "tp", "[]", "tp" },
        { "tp", "null", "tp" },
        /* Not at equal distances, or no ranks: as they are. */
        { "3", "[0, 1, 3]", "3 [0, 1, 3]" },
        { "3", "[1, 0, -1]", "3 [1, 0, -1]" },
        { "3", "[0, 0, 0]", "3 [0, 0, 0]" },
        { "3", "[0, 8, ..., 250]", "3 [0, 8, ..., 250]" },
        { "3", "[0, ..., 8, 16]", "3 [0, ..., 8, 16]" },
        { "3", "[0, 1, ...]", "3 [0, 1, ...]" },
        { "3", "[0, 1, 99999999999999999999]", "3 [0, 1, 99999999999999999999]" },
        { "3", "[a, b, c]", "3 [a, b, c]" },
        { "3", "[0, 1, 2", "3 [0-2]" },
    };

    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
        check(groups[i].name, groups[i].ranks, 64, groups[i].wanted);
    }
}
END_TEST

START_TEST(what_does_not_fit_is_cut_off)
{
    check("tp", "[0, 1]", 6, "tp [0,");
    check("tp", "[0, 1]", 3, "tp ");
    check("tp", "[0, 1]", 2, "tp");
    check("tp", "[0, 1]", 1, "t");
}
END_TEST

static Suite *group_name_suite(void)
{
    Suite *suite = suite_create("group_name");
    TCase *tcase = tcase_create("group_name");

    tcase_add_test(tcase, groups_are_told_apart_by_name_and_ranks);
    tcase_add_test(tcase, what_does_not_fit_is_cut_off);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(group_name_suite)
