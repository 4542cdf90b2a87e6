/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of plugins/viz-html/grid.c. */
#include "tests/core/suites.h"
#include "tests/plugins/harness.h"

#include <check.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const OpprofPlugin opprof_plugin_v0;

typedef struct Row {
    uint32_t rank;
    uint32_t place;
    double time_us;
    uint64_t kernels;
} Row;

static const OpprofField fields[] = {
    OPPROF_FIELD(Row, rank, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY),
    OPPROF_FIELD(Row, place, OPPROF_FIELD_U32, .flags = OPPROF_FIELD_KEY, .unit = "1"),
    OPPROF_FIELD(Row, time_us, OPPROF_FIELD_F64, .unit = "us", .decimals = 3),
    OPPROF_FIELD(Row, kernels, OPPROF_FIELD_U64, .unit = "1"),
};

static const OpprofRecordType row_type = { .struct_size = sizeof(OpprofRecordType),
                                           .version = 1,
                                           .name = "com.example.iterations",
                                           .size = sizeof(Row),
                                           .flags = OPPROF_RECORD_TABLE,
                                           .fields = fields,
                                           .field_count = OPPROF_COUNT(fields),
                                           .title = "Iterations" };
static const OpprofRecordType *const rows[] = { &row_type };

/* What is produced: ranks × places, in `cycles` recordings of each rank. */
static struct {
    unsigned ranks;
    unsigned places;
    unsigned cycles;
} size;

/*
 * Rank 77 takes 1000 us longer in its place 33 than all others, and has no kernels counted there.
 * The time of rank 78 there is infinite, which no page could show.
 */
static double time_of(unsigned rank, unsigned place)
{
    if (rank == 78 && place == 33) {
        return INFINITY;
    }
    return 100.0 + rank % 10 + (rank == 77 && place == 33 ? 1000.0 : 0.0);
}

static OpprofStatus produce_rank(OpprofStage *stage, unsigned rank, unsigned cycle)
{
    OpprofBatch *batch = OpprofStageNewBatch(stage, 0);
    char name[32];

    snprintf(name, sizeof name, cycle == 1 ? "%u" : "%u-cycle%u", rank, cycle);
    for (unsigned place = 0; place < size.places; place++) {
        Row *row = OpprofBatchAppend(batch);

        ck_assert_ptr_nonnull(row);
        *row = (Row){ .rank = HarnessIntern(stage, name),
                      .place = place,
                      .time_us = time_of(rank, place),
                      .kernels = rank == 77 && place == 33 ? OPPROF_NA_U64 : place };
    }
    return OpprofStagePush(stage, 0, batch);
}

static OpprofStatus produce(OpprofStage *stage, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    (void) error;
    for (unsigned rank = 0; rank < size.ranks; rank++) {
        for (unsigned cycle = 1; status == OPPROF_OK && cycle <= size.cycles; cycle++) {
            status = produce_rank(stage, rank, cycle);
        }
    }
    return status;
}

static json_t *data(const char *name)
{
    const char *page = HarnessFile("report.html", NULL);
    char mark[64];
    json_error_t why;

    ck_assert_ptr_nonnull(page);
    snprintf(mark, sizeof mark, "id=\"data-%s\">", name);

    const char *begin = strstr(page, mark);

    ck_assert_ptr_nonnull(begin);
    begin += strlen(mark);

    json_t *json = json_loadb(begin, (size_t) (strstr(begin, "</script>") - begin), 0, &why);

    ck_assert_msg(json != NULL, "%s: %s", name, why.text);
    return json;
}

static json_t *run(unsigned ranks, unsigned places, unsigned cycles)
{
    size.ranks = ranks;
    size.places = places;
    size.cycles = cycles;
    HarnessSource("source", produce, rows, 1);
    HarnessPlugin("html", &opprof_plugin_v0, NULL);
    HarnessRun(OPPROF_RUN_COMPLETE);
    return data("tables");
}

static const json_t *grid_of(const json_t *tables)
{
    return json_object_get(json_array_get(tables, 0), "grid");
}

static json_int_t member(const json_t *grid, const char *name)
{
    return json_integer_value(json_object_get(grid, name));
}

static double at(const json_t *array, size_t place)
{
    return json_number_value(json_array_get(array, place));
}

static const char *name_at(const json_t *names, const json_t *array, size_t place)
{
    return json_string_value(json_array_get(names, (size_t) at(array, place)));
}

START_TEST(rows_that_fit_have_no_grid)
{
    json_t *tables = run(100, 40, 1);

    ck_assert_ptr_null(grid_of(tables));
    ck_assert_uint_eq(json_array_size(json_object_get(json_array_get(tables, 0), "rows")), 4000);
    json_decref(tables);
}
END_TEST

/* 300 ranks are 4 a line, since 150 lines are more than 128; 50 places stay apart. */
START_TEST(a_slow_rank_among_many_is_the_largest_of_its_cell)
{
    json_t *tables = run(300, 50, 1);
    json_t *names = data("names");
    const json_t *grid = grid_of(tables);
    const json_t *lines = json_object_get(grid, "lines");
    const json_t *cells = json_object_get(grid, "cells");

    ck_assert_int_eq(member(grid, "ranks"), 300);
    ck_assert_int_eq(member(grid, "places"), 50);
    ck_assert_int_eq(member(grid, "ranks_together"), 4);
    ck_assert_int_eq(member(grid, "places_together"), 1);
    ck_assert_uint_eq(json_array_size(lines), 75);
    ck_assert_uint_eq(json_array_size(cells), 75 * 50);
    ck_assert_str_eq(name_at(names, json_array_get(lines, 19), 0), "76");
    ck_assert_str_eq(name_at(names, json_array_get(lines, 19), 1), "79");

    /* Ranks 76 to 79 in place 33: 77 with 1107 us; in the next place 79 with 109 us. */
    const json_t *slow = json_array_get(cells, 19 * 50 + 33);
    const json_t *next = json_array_get(cells, 19 * 50 + 34);

    ck_assert_double_eq(at(slow, 0), 1107);
    ck_assert_str_eq(name_at(names, slow, 1), "77");
    ck_assert_double_eq(at(slow, 2), 33);
    ck_assert_double_eq(at(slow, 3), 33);
    ck_assert_str_ne(name_at(names, slow, 4), "77");
    ck_assert_double_eq(at(next, 0), 109);
    ck_assert_str_eq(name_at(names, next, 1), "79");
    json_decref(tables);
    json_decref(names);
}
END_TEST

/* 1000 places are 125 columns of 8, until 66 × 125 cells are more than 8192:
 * then 63 columns of 16. */
START_TEST(many_ranks_and_places_are_put_together)
{
    json_t *tables = run(100, 1000, 1);
    const json_t *grid = grid_of(tables);
    const json_t *cells = json_object_get(grid, "cells");
    unsigned slow = 0;

    ck_assert_int_eq(member(grid, "ranks_together"), 1);
    ck_assert_int_eq(member(grid, "places_together"), 16);
    ck_assert_uint_eq(json_array_size(cells), 100 * 63);
    for (size_t i = 0; i < json_array_size(cells); i++) {
        const json_t *cell = json_array_get(cells, i);
        const double first = at(json_array_get(json_object_get(grid, "columns"), i % 63), 1);
        const double last = first + 16 < 1000 ? first + 15 : 999;

        slow += at(cell, 0) > 1000;
        ck_assert(at(cell, 2) >= first && at(cell, 2) <= last);
        ck_assert_double_eq(at(cell, 3), last); /* kernels count up with the places */
    }
    ck_assert_uint_eq(slow, 1);
    json_decref(tables);
}
END_TEST

/* Three recordings of 200 ranks: a line for each pair of ranks, a column for each recording's
 * place. */
START_TEST(recordings_of_a_rank_share_its_line)
{
    json_t *tables = run(200, 5, 3);
    json_t *names = data("names");
    const json_t *grid = grid_of(tables);
    const json_t *columns = json_object_get(grid, "columns");

    ck_assert_int_eq(member(grid, "ranks"), 200);
    ck_assert_int_eq(member(grid, "ranks_together"), 2);
    ck_assert_uint_eq(json_array_size(columns), 15);
    ck_assert_double_eq(at(json_array_get(columns, 14), 0), 3);
    ck_assert_double_eq(at(json_array_get(columns, 14), 1), 4);
    ck_assert_str_eq(name_at(names, json_array_get(json_object_get(grid, "cells"), 14), 1),
                     "1-cycle3");
    json_decref(tables);
    json_decref(names);
}
END_TEST

static Suite *grid_suite(void)
{
    Suite *suite = suite_create("grid");
    TCase *cases = tcase_create("page");

    tcase_add_checked_fixture(cases, HarnessSetup, HarnessTeardown);
    tcase_add_test(cases, rows_that_fit_have_no_grid);
    tcase_add_test(cases, a_slow_rank_among_many_is_the_largest_of_its_cell);
    tcase_add_test(cases, many_ranks_and_places_are_put_together);
    tcase_add_test(cases, recordings_of_a_rank_share_its_line);
    suite_add_tcase(suite, cases);
    return suite;
}
TEST_SUITE(grid_suite)
