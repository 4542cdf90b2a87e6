/* SPDX-License-Identifier: Apache-2.0 */
/* The mark at which streams are aligned. */
#include "plugins/mc2/biu_align.h"

#include "tests/core/suites.h"

#include <check.h>
#include <stdlib.h>

START_TEST(the_first_mark_that_all_have_counts)
{
    BiuFirsts a = { NULL }, b = { NULL }, c = { NULL };
    const BiuFirsts *const streams[] = { &a, &b, &c };
    uint16_t id = 0;

    ck_assert(!BiuFirstsCommon(streams, 3, &id));
    ck_assert(BiuFirstsNote(&a, 7, 50) && BiuFirstsNote(&a, 9, 60) && BiuFirstsNote(&a, 5, 70));
    ck_assert(BiuFirstsNote(&b, 5, 1) && BiuFirstsNote(&b, 9, 2) && BiuFirstsNote(&b, 9, 1));
    ck_assert(BiuFirstsNote(&c, 4095, 1));
    ck_assert(!BiuFirstsCommon(streams, 3, &id));
    ck_assert(BiuFirstsNote(&c, 5, 9) && BiuFirstsNote(&c, 9, 8));
    ck_assert(BiuFirstsCommon(streams, 3, &id));
    ck_assert_uint_eq(id, 9); /* 7 is not in all, 5 is later in the first */
    ck_assert_uint_eq(b.times[9], 1);
    ck_assert(!BiuFirstsCommon(streams, 0, &id));
    BiuFirstsFinish(&a);
    BiuFirstsFinish(&b);
    BiuFirstsFinish(&c);
}
END_TEST

static Suite *biu_align_suite(void)
{
    Suite *suite = suite_create("biu_align");
    TCase *tests = tcase_create("biu_align");

    tcase_add_test(tests, the_first_mark_that_all_have_counts);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(biu_align_suite)
