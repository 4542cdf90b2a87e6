/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of plugins/analyse-sim/timeline/lane.c. */
#include "plugins/analyse-sim/timeline/lane.h"

#include "tests/core/suites.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MODEL_TICKS 512
#define MODEL_LANES 1024
#define ROWS_MAX 1024

/* What the lane drew: the sub-lane of each row, by the row's pc, and the order. */
static uint32_t drawn_sub_lane[ROWS_MAX];
static uint64_t drawn_start[ROWS_MAX];
static uint32_t drawn_order[ROWS_MAX];
static uint32_t drawn_count;
static char drawn_detail[ROWS_MAX][16];

static OpprofStatus draw(void *context, Lane *lane, const Row *row, uint32_t sub_lane)
{
    (void) context;
    (void) lane;
    drawn_sub_lane[row->pc] = sub_lane;
    drawn_start[row->pc] = row->start;
    snprintf(drawn_detail[row->pc], sizeof drawn_detail[0], "%.*s", (int) row->detail_length,
             row->detail);
    drawn_order[drawn_count++] = (uint32_t) row->pc;
    return OPPROF_OK;
}

/* A row for the model: rows differ in their pc. */
typedef struct ModelRow {
    uint64_t start;
    uint64_t end;
    RowKind kind;
} ModelRow;

static void run_lane(const ModelRow *rows, uint32_t count, bool reorders)
{
    Lane lane = { .reorders = reorders };
    char detail[16];

    drawn_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        int length = snprintf(detail, sizeof detail, "row %u", i);

        ck_assert_int_eq(LaneAdd(&lane,
                                 &(Row){ .start = rows[i].start,
                                         .end = rows[i].end,
                                         .kind = rows[i].kind,
                                         .pc = i,
                                         .detail = detail,
                                         .detail_length = (uint32_t) length },
                                 draw, NULL),
                         OPPROF_OK);
        ck_assert_int_eq(LaneKeep(&lane), OPPROF_OK);
        memset(detail, '#', sizeof detail);
    }
    ck_assert_int_eq(LaneFlush(&lane, draw, NULL), OPPROF_OK);
    ck_assert_uint_eq(drawn_count, count);
    LaneFinish(&lane);
}

/*
 * The definition, tick by tick: rows in list order, each in the lowest sub-lane of which no tick
 * from its start to its end is taken; ticks from the lane's last one on count for nobody.
 */
static uint32_t model_sub_lane[ROWS_MAX];
static uint32_t model_order[ROWS_MAX];
static uint64_t model_start[ROWS_MAX];

static bool is_taken(const unsigned char *ticks, uint64_t start, uint64_t end, uint64_t last)
{
    for (uint64_t tick = start; tick <= end && tick < last; tick++) {
        if (ticks[tick]) {
            return true;
        }
    }
    return false;
}

static void model_place(const uint32_t *list, const ModelRow *rows, uint32_t count)
{
    static unsigned char taken[MODEL_LANES][MODEL_TICKS];
    uint64_t last = rows[list[count - 1]].end;
    uint32_t lanes = 0;

    memset(taken, 0, sizeof taken);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t row = list[i];
        uint64_t end = rows[row].end;
        uint64_t start = rows[row].kind == ROW_BAR ? end - (end > 0) : model_start[row];
        uint32_t lane = 0;

        while (lane < lanes && is_taken(taken[lane], start, end, last)) {
            lane++;
        }
        lanes += lane == lanes;
        for (uint64_t tick = start; tick <= end && tick < last; tick++) {
            taken[lane][tick] = 1;
        }
        model_sub_lane[row] = lane;
    }
}

static void run_model(const ModelRow *rows, uint32_t count, bool reorders)
{
    uint32_t listed = 0;

    for (uint32_t i = 0; i < count; i++) {
        uint64_t before = i == 0 ? 0 : rows[i - 1].end;

        model_start[i] = rows[i].start;
        if (rows[i].kind == ROW_WAIT && i > 0 && rows[i].start < before && before < rows[i].end) {
            model_start[i] = before;
        }
        if (reorders && i > 0 && rows[i].end == before && model_start[i] > model_start[i - 1]) {
            model_order[listed] = model_order[listed - 1];
            model_order[listed - 1] = i;
        } else {
            model_order[listed] = i;
        }
        listed++;
    }
    model_place(model_order, rows, count);
}

static void compare_with_model(const ModelRow *rows, uint32_t count, bool reorders)
{
    run_lane(rows, count, reorders);
    run_model(rows, count, reorders);
    for (uint32_t i = 0; i < count; i++) {
        char detail[16];

        snprintf(detail, sizeof detail, "row %u", i);
        ck_assert_msg(drawn_sub_lane[i] == model_sub_lane[i],
                      "row %u [%lu, %lu] is in sub-lane %u, not %u", i,
                      (unsigned long) rows[i].start, (unsigned long) rows[i].end, drawn_sub_lane[i],
                      model_sub_lane[i]);
        ck_assert_uint_eq(drawn_order[i], model_order[i]);
        ck_assert_str_eq(drawn_detail[i], detail);
    }
}

static int by_end(const void *a, const void *b)
{
    const ModelRow *x = a;
    const ModelRow *y = b;

    return x->end < y->end ? -1 : x->end > y->end;
}

static void random_rows(ModelRow *rows, uint32_t count, uint32_t ticks, uint32_t longest)
{
    for (uint32_t i = 0; i < count; i++) {
        rows[i].end = (uint64_t) rand() % ticks;
        rows[i].start = rows[i].end - (uint64_t) rand() % (longest + 1) % (rows[i].end + 1);
        rows[i].kind = (RowKind) (rand() % 8 > 3 ? 0 : rand() % 4);
    }
    qsort(rows, count, sizeof *rows, by_end);
}

START_TEST(random_rows_go_where_the_tick_by_tick_model_puts_them)
{
    static ModelRow rows[ROWS_MAX];

    srand((unsigned) _i);
    for (int round = 0; round < 40; round++) {
        uint32_t count = 1 + (uint32_t) rand() % 120;
        uint32_t ticks = 1 + (uint32_t) rand() % (round % 2 == 0 ? 12 : 400);
        uint32_t longest = (uint32_t) rand() % (round % 3 == 0 ? 3 : 60);

        random_rows(rows, count, ticks, longest);
        compare_with_model(rows, count, round % 4 != 0);
    }
}
END_TEST

START_TEST(a_row_that_starts_when_another_ends_stands_beside_it)
{
    const ModelRow rows[] = { { 11035, 11036, ROW_PLAIN },
                              { 11036, 11037, ROW_PLAIN },
                              { 11036, 11037, ROW_PLAIN },
                              { 11037, 11038, ROW_PLAIN } };

    run_lane(rows, 4, true);
    ck_assert_uint_eq(drawn_sub_lane[0], 0);
    ck_assert_uint_eq(drawn_sub_lane[1], 1);
    ck_assert_uint_eq(drawn_sub_lane[2], 2);
    ck_assert_uint_eq(drawn_sub_lane[3], 0);
}
END_TEST

START_TEST(a_wait_is_drawn_from_the_end_of_what_came_before)
{
    const ModelRow rows[] = { { 782, 788, ROW_PLAIN }, { 779, 1112, ROW_WAIT } };

    run_lane(rows, 2, true);
    ck_assert_uint_eq(drawn_start[1], 788);
    ck_assert_uint_eq(drawn_sub_lane[1], 1);
}
END_TEST

START_TEST(rows_without_length_at_the_last_tick_take_no_room)
{
    ModelRow rows[100];

    for (int i = 0; i < 100; i++) {
        rows[i] = (ModelRow){ 50, 50, ROW_PLAIN };
    }
    run_lane(rows, 100, true);
    for (int i = 0; i < 100; i++) {
        ck_assert_uint_eq(drawn_sub_lane[i], 0);
    }
    rows[99] = (ModelRow){ 60, 61, ROW_PLAIN };
    run_lane(rows, 100, true);
    for (uint32_t i = 0; i < 99; i++) {
        ck_assert_uint_eq(drawn_sub_lane[i], i);
    }
}
END_TEST

static uint64_t counted;

static OpprofStatus count_row(void *context, Lane *lane, const Row *row, uint32_t sub_lane)
{
    (void) context;
    (void) lane;
    (void) row;
    counted = sub_lane > counted ? sub_lane : counted;
    return OPPROF_OK;
}

START_TEST(a_group_beyond_its_limit_lets_go_of_the_oldest_rows)
{
    Lane lane = { .reorders = false };

    counted = 0;
    for (uint32_t i = 0; i < LANE_GROUP_ROWS + 10; i++) {
        ck_assert_int_eq(LaneAdd(&lane, &(Row){ .start = 7, .end = 7 }, count_row, NULL),
                         OPPROF_OK);
    }
    ck_assert(lane.let_go);
    ck_assert_uint_eq(lane.group_count, LANE_GROUP_ROWS);
    ck_assert_int_eq(LaneFlush(&lane, count_row, NULL), OPPROF_OK);
    ck_assert_uint_eq(counted, 9);
    LaneFinish(&lane);
}
END_TEST

START_TEST(a_million_rows_at_once_each_get_their_own_sub_lane)
{
    Lane lane = { .reorders = true };

    counted = 0;
    for (uint64_t i = 0; i < 1000000; i++) {
        ck_assert_int_eq(LaneAdd(&lane, &(Row){ .start = 1, .end = 2 + i }, count_row, NULL),
                         OPPROF_OK);
    }
    ck_assert_int_eq(LaneFlush(&lane, count_row, NULL), OPPROF_OK);
    ck_assert_uint_eq(counted, 999999);
    LaneFinish(&lane);
}
END_TEST

/* 2^20 rows at once fill all sub-lanes. */
START_TEST(beyond_the_limit_rows_share_the_last_sub_lane)
{
    Lane lane = { .reorders = false };

    for (uint64_t i = 0; i <= LANE_MOST_SUB_LANES; i++) {
        ck_assert(!lane.is_full);
        ck_assert_int_eq(LaneAdd(&lane, &(Row){ .start = 1, .end = 2 + i }, count_row, NULL),
                         OPPROF_OK);
    }
    ck_assert(lane.is_full);
    ck_assert_uint_eq(lane.sub_lanes.count, LANE_MOST_SUB_LANES);
    LaneFinish(&lane);
}
END_TEST

static Suite *lane_suite(void)
{
    Suite *suite = suite_create("lane");
    TCase *tcase = tcase_create("lane");

    tcase_add_loop_test(tcase, random_rows_go_where_the_tick_by_tick_model_puts_them, 0, 20);
    tcase_add_test(tcase, a_row_that_starts_when_another_ends_stands_beside_it);
    tcase_add_test(tcase, a_wait_is_drawn_from_the_end_of_what_came_before);
    tcase_add_test(tcase, rows_without_length_at_the_last_tick_take_no_room);
    tcase_add_test(tcase, a_group_beyond_its_limit_lets_go_of_the_oldest_rows);
    tcase_add_test(tcase, a_million_rows_at_once_each_get_their_own_sub_lane);
    tcase_add_test(tcase, beyond_the_limit_rows_share_the_last_sub_lane);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(lane_suite)
