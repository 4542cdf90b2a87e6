/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of plugins/viz-html/arrows.c. */
#include "plugins/viz-html/arrows.h"
#include "plugins/viz-html/limits.h"

#include "tests/core/suites.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 200000 };

static uint64_t key_of(unsigned number)
{
    char id[16];

    return ArrowsKey("trace", id, (size_t) snprintf(id, sizeof id, "%u", number));
}

/* The tail of arrow n is at 10 n on lane 1, its head 3 later on lane 2. */
static void add(Arrows *arrows, unsigned number, bool is_head)
{
    const ArrowEnd end = { .key = key_of(number),
                           .time = 10 * (int64_t) number + (is_head ? 3 : 0),
                           .lane = is_head ? 2 : 1,
                           .is_head = is_head };

    ck_assert(ArrowsAdd(arrows, &end));
}

static void add_end(Arrows *arrows, const char *document, const char *id, bool is_head,
                    int64_t time)
{
    const ArrowEnd end = { .key = ArrowsKey(document, id, strlen(id)),
                           .time = time,
                           .is_head = is_head };

    ck_assert(ArrowsAdd(arrows, &end));
}

START_TEST(an_arrow_needs_both_ends_of_one_document)
{
    Arrows arrows = { 0 };

    add_end(&arrows, "trace", "a", true, 20);
    add_end(&arrows, "trace", "a", false, 10);
    add_end(&arrows, "trace", "b", false, 30);
    add_end(&arrows, "other", "b", true, 40);
    ck_assert(ArrowsPair(&arrows));
    ck_assert_uint_eq(arrows.count, 1);
    ck_assert_uint_eq(arrows.total, 1);
    ck_assert_uint_eq(arrows.left_out, 2);
    ck_assert_int_eq(arrows.list[0].from, 10);
    ck_assert_int_eq(arrows.list[0].to, 20);
    ArrowsFinish(&arrows);
}
END_TEST

START_TEST(a_name_used_again_makes_arrows_in_order_of_time)
{
    Arrows arrows = { 0 };

    add_end(&arrows, "trace", "a", false, 500);
    add_end(&arrows, "trace", "a", false, 100);
    add_end(&arrows, "trace", "a", true, 600);
    add_end(&arrows, "trace", "a", true, 200);
    add_end(&arrows, "trace", "a", true, 900);
    ck_assert(ArrowsPair(&arrows));
    ck_assert_uint_eq(arrows.count, 2);
    ck_assert_uint_eq(arrows.left_out, 1);
    ck_assert_int_eq(arrows.list[0].from, 100);
    ck_assert_int_eq(arrows.list[0].to, 200);
    ck_assert_int_eq(arrows.list[1].from, 500);
    ck_assert_int_eq(arrows.list[1].to, 600);
    ArrowsFinish(&arrows);
}
END_TEST

START_TEST(as_many_as_fit_are_all_there)
{
    Arrows arrows = { 0 };

    for (unsigned i = 0; i < PAGE_ARROWS; i++) {
        add(&arrows, i, false);
    }
    for (unsigned i = 0; i < PAGE_ARROWS; i++) {
        add(&arrows, i, true);
    }
    ck_assert(ArrowsPair(&arrows));
    ck_assert_uint_eq(arrows.count, PAGE_ARROWS);
    ck_assert_uint_eq(arrows.total, PAGE_ARROWS);
    ck_assert_uint_eq(arrows.left_out, 0);
    for (unsigned i = 0; i < PAGE_ARROWS; i++) {
        ck_assert_int_eq(arrows.list[i].from, 10 * (int64_t) i);
        ck_assert_int_eq(arrows.list[i].to, 10 * (int64_t) i + 3);
    }
    ArrowsFinish(&arrows);
}
END_TEST

/* Orders in which the ends of many arrows may come. */
static void add_in_order(Arrows *arrows, int order)
{
    switch (order) {
    case 0: /* each head after its tail */
        for (unsigned i = 0; i < MANY; i++) {
            add(arrows, i, false);
            add(arrows, i, true);
        }
        break;
    case 1: /* all tails before all heads, as processes give them one after the other */
        for (unsigned i = 0; i < 2 * MANY; i++) {
            add(arrows, i % MANY, i >= MANY);
        }
        break;
    default: /* from the last to the first, in strides */
        for (unsigned i = 0; i < 2 * MANY; i++) {
            const unsigned place = (unsigned) ((2 * MANY - 1 - i) * UINT64_C(7919) % (2 * MANY));

            add(arrows, place / 2, place % 2 == 1);
        }
        break;
    }
}

START_TEST(a_sample_is_whole_and_the_same_in_every_order)
{
    Arrows arrows = { 0 };
    Arrows first = { 0 };

    add_in_order(&first, 0);
    add_in_order(&arrows, _i);
    ck_assert(ArrowsPair(&first));
    ck_assert(ArrowsPair(&arrows));
    ck_assert_uint_le(arrows.count, PAGE_ARROWS);
    ck_assert_uint_ge(arrows.count, PAGE_ARROWS / 4);
    ck_assert_uint_eq(arrows.total, MANY);
    ck_assert_uint_eq(arrows.left_out, 0);
    ck_assert_uint_eq(arrows.count, first.count);
    ck_assert_int_eq(memcmp(arrows.list, first.list, first.count * sizeof *first.list), 0);
    for (uint32_t i = 0; i < arrows.count; i++) {
        ck_assert_int_eq(arrows.list[i].to, arrows.list[i].from + 3);
    }
    ArrowsFinish(&first);
    ArrowsFinish(&arrows);
}
END_TEST

START_TEST(ends_of_one_name_without_end_do_not_fill_the_memory)
{
    Arrows arrows = { 0 };

    for (unsigned i = 0; i < 2 * PAGE_ARROW_ENDS; i++) {
        add_end(&arrows, "trace", "a", i % 2 == 1, i);
    }
    ck_assert_uint_le(arrows.end_count, PAGE_ARROW_ENDS);
    ck_assert(ArrowsPair(&arrows));
    ck_assert_uint_le(arrows.count, PAGE_ARROWS);
    ck_assert_uint_eq(arrows.total, PAGE_ARROW_ENDS);
    ArrowsFinish(&arrows);
}
END_TEST

static Suite *arrows_suite(void)
{
    Suite *suite = suite_create("arrows");
    TCase *cases = tcase_create("arrows");

    tcase_add_test(cases, an_arrow_needs_both_ends_of_one_document);
    tcase_add_test(cases, a_name_used_again_makes_arrows_in_order_of_time);
    tcase_add_test(cases, as_many_as_fit_are_all_there);
    tcase_add_loop_test(cases, a_sample_is_whole_and_the_same_in_every_order, 0, 3);
    tcase_add_test(cases, ends_of_one_name_without_end_do_not_fill_the_memory);
    tcase_set_timeout(cases, 0);
    suite_add_tcase(suite, cases);
    return suite;
}
TEST_SUITE(arrows_suite)
