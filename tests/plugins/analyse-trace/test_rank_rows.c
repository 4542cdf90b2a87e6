/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of plugins/analyse-trace/common/rank_rows.c: rows of ranks that ended in any order come by
 * the names of the ranks. */
#include "plugins/analyse-trace/common/rank_rows.h"

#include "tests/core/suites.h"
#include "tests/plugins/harness.h"

#include <check.h>
#include <stdlib.h>
#include <stdio.h>

/* of a rank: several reads each, and all ranks together more than what waits for the spool */
#define ROWS 700u
#define RANKS 13u

typedef struct Row {
    uint32_t rank; /* as a number */
    uint32_t place;
    char text[16];
} Row;

static Row row_of(uint32_t rank, uint32_t place)
{
    Row row = { .rank = rank, .place = place };

    snprintf(row.text, sizeof row.text, "%u/%u", rank, place);
    return row;
}

static uint32_t name_of(OpprofStage *stage, uint32_t rank)
{
    char name[16];

    snprintf(name, sizeof name, "%u", rank);
    return HarnessIntern(stage, name);
}

static void add(RankRows *rows, OpprofStage *stage, uint32_t rank, uint32_t from, uint32_t to)
{
    for (uint32_t place = from; place < to; place++) {
        const Row row = row_of(rank, place);

        ck_assert_int_eq(RankRowsAdd(rows, stage, name_of(stage, rank), &row, sizeof row, NULL),
                         OPPROF_OK);
    }
}

/* Which row comes next. */
typedef struct Expected {
    uint32_t rank;
    uint32_t place;
    uint32_t seen;
} Expected;

static OpprofStatus check_row(void *context, void *from)
{
    Expected *expected = context;
    const Row *row = from;
    const Row wanted = row_of(expected->rank, expected->place);

    ck_assert_mem_eq(row, &wanted, sizeof wanted);
    expected->seen++;
    if (++expected->place == ROWS) {
        expected->place = 0;
        expected->rank++;
    }
    return OPPROF_OK;
}

/* A run without records would not be complete. */
static OpprofStatus push_something(OpprofStage *stage)
{
    void *span = NULL;
    const OpprofStatus status = OpprofStageRoom(stage, 0, 0, &span);

    return status == OPPROF_OK ? OpprofStagePushOpen(stage, 0, 0) : status;
}

static OpprofStatus visit_in_any_order(OpprofStage *stage, OpprofError **error)
{
    RankRows rows = { .parts = NULL };

    (void) error;
    for (uint32_t i = 0; i < RANKS; i++) { /* 0, 5, 10, 2, …: "2" and "10" are in the wrong order */
        add(&rows, stage, i * 5 % RANKS, 0, ROWS);
    }
    ck_assert_uint_eq(rows.part_count, RANKS);
    ck_assert_int_gt(rows.spool.fd_plus_1, 0);
    for (int round = 0; round < 2; round++) {
        Expected expected = { .rank = 0 };

        ck_assert_int_eq(RankRowsVisit(&rows, stage, check_row, &expected, NULL), OPPROF_OK);
        ck_assert_uint_eq(expected.seen, RANKS * ROWS);
    }
    RankRowsFinish(&rows);
    return push_something(stage);
}

static OpprofStatus visit_parts_of_a_rank(OpprofStage *stage, OpprofError **error)
{
    RankRows rows = { .parts = NULL };
    Expected expected = { .rank = 0 };

    (void) error;
    add(&rows, stage, 1, 0, ROWS / 2);
    add(&rows, stage, 0, 0, ROWS);
    add(&rows, stage, 1, ROWS / 2, ROWS);
    ck_assert_uint_eq(rows.part_count, 3);
    ck_assert_int_eq(RankRowsVisit(&rows, stage, check_row, &expected, NULL), OPPROF_OK);
    ck_assert_uint_eq(expected.seen, 2 * ROWS);
    RankRowsFinish(&rows);
    return push_something(stage);
}

static OpprofStatus visit_none(OpprofStage *stage, OpprofError **error)
{
    RankRows rows = { .parts = NULL };
    Expected expected = { .rank = 0 };

    (void) error;
    ck_assert_int_eq(RankRowsVisit(&rows, stage, check_row, &expected, NULL), OPPROF_OK);
    ck_assert_uint_eq(expected.seen, 0);
    RankRowsFinish(&rows);
    return push_something(stage);
}

static OpprofStatus stop(void *context, void *row)
{
    unsigned *left = context;

    (void) row;
    return --*left == 0 ? OPPROF_E_DATA : OPPROF_OK;
}

static OpprofStatus visit_until_a_failure(OpprofStage *stage, OpprofError **error)
{
    RankRows rows = { .parts = NULL };
    unsigned left = ROWS + 1;

    (void) error;
    add(&rows, stage, 0, 0, ROWS);
    add(&rows, stage, 1, 0, ROWS);
    ck_assert_int_eq(RankRowsVisit(&rows, stage, stop, &left, NULL), OPPROF_E_DATA);
    ck_assert_uint_eq(left, 0);
    RankRowsFinish(&rows);
    return push_something(stage);
}

static void ignore(const OpprofStage *stage, const OpprofBatch *batch)
{
    (void) stage;
    (void) batch;
}

static void run(HarnessProduce *produce)
{
    static const OpprofRecordType *const types[] = { &opprof_span_type };

    HarnessSource("source", produce, types, 1);
    HarnessSink("sink", ignore, "span");
    HarnessRun(OPPROF_RUN_COMPLETE);
}

START_TEST(rows_come_by_the_names_of_ranks_as_often_as_wanted)
{
    run(visit_in_any_order);
}
END_TEST

START_TEST(parts_of_one_rank_come_in_the_order_in_which_they_were_added)
{
    run(visit_parts_of_a_rank);
}
END_TEST

START_TEST(without_rows_nothing_is_visited)
{
    run(visit_none);
}
END_TEST

START_TEST(a_failure_ends_the_visits)
{
    run(visit_until_a_failure);
}
END_TEST

static Suite *rank_rows_suite(void)
{
    Suite *suite = suite_create("rank_rows");
    TCase *tests = tcase_create("rank rows");

    tcase_add_checked_fixture(tests, HarnessSetup, HarnessTeardown);
    tcase_add_test(tests, rows_come_by_the_names_of_ranks_as_often_as_wanted);
    tcase_add_test(tests, parts_of_one_rank_come_in_the_order_in_which_they_were_added);
    tcase_add_test(tests, without_rows_nothing_is_visited);
    tcase_add_test(tests, a_failure_ends_the_visits);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(rank_rows_suite)
