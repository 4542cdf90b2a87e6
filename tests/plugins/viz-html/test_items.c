/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of plugins/viz-html/items.c. */
#include "plugins/viz-html/items.h"

#include "tests/core/suites.h"

#include <check.h>
#include <stdlib.h>

/* No two of these have all in common but their names, so no name is asked for. */
static void add(Items *items, uint32_t lane, int64_t start, uint64_t duration, uint32_t name)
{
    const Item item = { .start = start,
                        .duration = duration,
                        .busy = duration,
                        .lane = lane,
                        .name = name,
                        .count = 1 };

    ck_assert(ItemsAdd(items, &item));
}

static void expect(const Items *items, size_t place, uint32_t lane, int64_t start,
                   uint64_t duration, uint32_t count)
{
    ck_assert_uint_lt(place, items->count);
    ck_assert_uint_eq(items->items[place].lane, lane);
    ck_assert_int_eq(items->items[place].start, start);
    ck_assert_uint_eq(items->items[place].duration, duration);
    ck_assert_uint_eq(items->items[place].count, count);
}

START_TEST(items_stand_by_lane_and_start_the_longer_first)
{
    Items items = { 0 };

    add(&items, 1, 500, 10, 1);
    add(&items, 0, 900, 10, 1);
    add(&items, 1, 400, 10, 1);
    add(&items, 0, 100, 10, 1);
    add(&items, 0, 100, 800, 2);
    ck_assert(ItemsSort(&items));
    expect(&items, 0, 0, 100, 800, 1);
    expect(&items, 1, 0, 100, 10, 1);
    expect(&items, 2, 0, 900, 10, 1);
    expect(&items, 3, 1, 400, 10, 1);
    expect(&items, 4, 1, 500, 10, 1);
    ItemsFinish(&items);
}
END_TEST

START_TEST(grains_are_one_two_and_five_times_powers_of_ten)
{
    static const uint64_t grains[] = { 1000, 2000, 5000, 10000, 20000, 50000, 100000 };
    uint64_t grain = 0;

    for (size_t i = 0; i < sizeof grains / sizeof *grains; i++) {
        grain = ItemsNextGrain(grain);
        ck_assert_uint_eq(grain, grains[i]);
    }
}
END_TEST

START_TEST(short_spans_of_a_grain_become_one_and_long_ones_stay)
{
    Items items = { 0 };

    add(&items, 0, 0, 100, 1);
    add(&items, 0, 150, 200, 2);
    add(&items, 0, 200, 5000, 3); /* long, and in the midst of them */
    add(&items, 0, 900, 300, 2);  /* reaches into the next grain */
    add(&items, 0, 1000, 10, 1);  /* the next grain */
    add(&items, 1, 990, 10, 1);   /* another lane */
    ck_assert(ItemsSort(&items));
    ItemsJoin(&items, 1000, 1000);
    ck_assert_uint_eq(items.count, 4);
    expect(&items, 0, 0, 0, 1200, 3);
    ck_assert_uint_eq(items.items[0].busy, 600);
    ck_assert_uint_eq(items.items[0].name, 2); /* 500 of 600 */
    expect(&items, 1, 0, 200, 5000, 1);
    expect(&items, 2, 0, 1000, 10, 1);
    expect(&items, 3, 1, 990, 10, 1);
    ItemsFinish(&items);
}
END_TEST

START_TEST(joining_goes_on_from_what_is_joined)
{
    Items items = { 0 };

    for (int64_t i = 0; i < 100; i++) {
        add(&items, 0, i * 100 - 3000, 50, 7); /* also before time 0 */
    }
    ck_assert(ItemsSort(&items));
    ItemsJoin(&items, 1000, 1000);
    ck_assert_uint_eq(items.count, 10);
    expect(&items, 0, 0, -3000, 950, 10);
    ItemsJoin(&items, 5000, 5000);
    ck_assert_uint_eq(items.count, 3);
    expect(&items, 0, 0, -3000, 2950, 30);
    expect(&items, 1, 0, 0, 4950, 50);
    expect(&items, 2, 0, 5000, 1950, 20);
    ck_assert_uint_eq(items.items[1].busy, 50 * 50);
    ItemsFinish(&items);
}
END_TEST

START_TEST(a_level_leaves_the_items_as_they_are)
{
    Items items = { 0 };
    Items level;

    add(&items, 0, 0, 10, 1);
    add(&items, 0, 20, 10, 1);
    ck_assert(ItemsSort(&items));
    ck_assert(ItemsLevel(&items, 1000, SIZE_MAX, &level));
    ck_assert_uint_eq(items.count, 2);
    ck_assert_uint_eq(items.grain, 0);
    ck_assert_uint_eq(level.count, 1);
    ck_assert_uint_eq(level.grain, 1000);
    ItemsFinish(&level);
    ItemsFinish(&items);
}
END_TEST

START_TEST(a_level_with_too_many_items_is_given_up)
{
    Items items = { 0 };
    Items level;

    for (int64_t i = 0; i < 10; i++) {
        add(&items, 0, i * 10000, 5000, 1);
    }
    ck_assert(ItemsSort(&items));
    ck_assert(ItemsLevel(&items, 1000, 10, &level));
    ck_assert_uint_eq(level.count, 10);
    ItemsFinish(&level);
    ck_assert(ItemsLevel(&items, 1000, 3, &level));
    ck_assert_uint_eq(level.count, 4);
    ItemsFinish(&level);
    ItemsFinish(&items);
}
END_TEST

/* A thousand long ones among so many short ones that they have to be joined. */
START_TEST(memory_is_bounded_and_no_span_is_lost)
{
    const size_t many = 2 * ITEMS_MAX;
    Items items = { 0 };
    uint64_t spans = 0;
    uint64_t busy = 0;
    uint64_t longs = 0;

    for (size_t i = 0; i < many; i++) {
        const bool is_long = i % (many / 1000) == 0;

        add(&items, (uint32_t) (i % 7), (int64_t) i * 300, is_long ? 90000000 : 200, 1);
        ck_assert_uint_le(items.count, ITEMS_MAX);
    }
    ck_assert(ItemsSort(&items));
    ck_assert_uint_gt(items.grain, 0);
    for (size_t i = 0; i < items.count; i++) {
        spans += items.items[i].count;
        busy += items.items[i].busy;
        longs += items.items[i].count == 1 && items.items[i].duration == 90000000;
        ck_assert(i == 0 || items.items[i - 1].lane < items.items[i].lane ||
                  items.items[i - 1].start <= items.items[i].start);
    }
    ck_assert_uint_eq(spans, many);
    ck_assert_uint_ge(longs, 1000);
    ck_assert_uint_eq(busy, longs * 90000000 + (many - longs) * 200);
    ItemsFinish(&items);
}
END_TEST

static Suite *items_suite(void)
{
    Suite *suite = suite_create("items");
    TCase *cases = tcase_create("all");

    tcase_add_test(cases, items_stand_by_lane_and_start_the_longer_first);
    tcase_add_test(cases, grains_are_one_two_and_five_times_powers_of_ten);
    tcase_add_test(cases, short_spans_of_a_grain_become_one_and_long_ones_stay);
    tcase_add_test(cases, joining_goes_on_from_what_is_joined);
    tcase_add_test(cases, a_level_leaves_the_items_as_they_are);
    tcase_add_test(cases, a_level_with_too_many_items_is_given_up);
    tcase_add_test(cases, memory_is_bounded_and_no_span_is_lost);
    suite_add_tcase(suite, cases);
    return suite;
}
TEST_SUITE(items_suite)
