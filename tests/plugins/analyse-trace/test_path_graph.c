/* SPDX-License-Identifier: Apache-2.0 */
/* The longest way through random graphs: that of the module, and the longest of all ways, tried one
 * by one. */
#include "plugins/analyse-trace/path/path_ways.h"

#include "tests/core/suites.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOMENTS 10u
#define EDGES_MAX 40u
#define GRAPHS 3000u

typedef struct Plain {
    uint64_t times[MOMENTS];
    PathEdge edges[EDGES_MAX];
    uint32_t edge_count;
    uint64_t longest[PATH_PARTS]; /* of an edge that is slack */
} Plain;

static uint64_t seed;

static uint32_t any(uint32_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t) (seed >> 33) % below;
}

/* Moments in order of time, some of them at once; edges from lower to higher numbers, some of them
 * slack. */
static void make_plain(Plain *plain)
{
    uint64_t time = 0;

    plain->edge_count = any(EDGES_MAX);
    for (uint32_t i = 0; i < MOMENTS; i++) {
        time += any(4) == 0 ? 0 : any(100);
        plain->times[i] = time;
    }
    for (uint32_t part = 0; part < PATH_PARTS; part++) {
        plain->longest[part] = any(60);
    }
    for (uint32_t i = 0; i < plain->edge_count; i++) {
        const uint32_t from = any(MOMENTS - 1);
        const uint32_t part = any(PATH_PARTS);

        plain->edges[i] = (PathEdge){ .from = from,
                                      .to = from + 1 + any(MOMENTS - 1 - from),
                                      .owner = i,
                                      .part = part,
                                      .is_slack = any(3) == 0 };
    }
}

static uint64_t length_of(const Plain *plain, const PathShares *shares, uint32_t i)
{
    const PathEdge *edge = &plain->edges[i];
    uint64_t time = plain->times[edge->to] - plain->times[edge->from];

    if (edge->is_slack && time > plain->longest[edge->part]) {
        time = plain->longest[edge->part];
    }
    return edge->part == PATH_WAIT ? 0 : time * shares->halves[edge->part];
}

/* The longest of all ways from a moment on. */
static uint64_t try_all(const Plain *plain, const PathShares *shares, uint32_t from)
{
    uint64_t longest = 0;

    for (uint32_t i = 0; i < plain->edge_count; i++) {
        if (plain->edges[i].from == from) {
            const uint64_t length =
                length_of(plain, shares, i) + try_all(plain, shares, plain->edges[i].to);

            longest = length > longest ? length : longest;
        }
    }
    return longest;
}

static uint64_t longest_of_all(const Plain *plain, const PathShares *shares)
{
    uint64_t longest = 0;

    for (uint32_t i = 0; i < MOMENTS; i++) {
        const uint64_t length = try_all(plain, shares, i);

        longest = length > longest ? length : longest;
    }
    return longest;
}

/* The moments of a graph are those of the plain one in another order. */
static void make_graph(const Plain *plain, PathGraph *graph)
{
    uint32_t places[MOMENTS];
    bool is_against;

    for (uint32_t i = 0; i < MOMENTS; i++) {
        const uint32_t other = any(i + 1);

        places[i] = places[other];
        places[other] = i;
    }
    *graph = (PathGraph){ .moment_count = MOMENTS, .times = calloc(MOMENTS, sizeof(uint64_t)) };
    ck_assert_ptr_nonnull(graph->times);
    for (uint32_t i = 0; i < MOMENTS; i++) {
        graph->times[places[i]] = plain->times[i];
    }
    memcpy(graph->longest, plain->longest, sizeof graph->longest);
    for (uint32_t i = 0; i < plain->edge_count; i++) {
        PathEdge edge = plain->edges[i];

        edge.from = places[edge.from];
        edge.to = places[edge.to];
        ck_assert(PathGraphAdd(graph, edge, &is_against));
    }
    ck_assert(PathGraphSettle(graph));
    ck_assert_uint_eq(graph->ordered, MOMENTS);
}

/* The way that was found is one, and as long as it is said to be. */
static void check_way(const PathGraph *graph, const uint32_t *best, uint32_t last, uint64_t length)
{
    uint64_t sum = 0;

    for (uint32_t at = last; best[at] != UINT32_MAX; at = graph->edges[best[at]].from) {
        ck_assert_uint_eq(graph->edges[best[at]].to, at);
        sum += 2 * PathGraphLength(graph, &graph->edges[best[at]]);
    }
    ck_assert_uint_eq(sum, length);
}

START_TEST(it_is_the_longest_of_all_ways)
{
    for (uint32_t round = 0; round < GRAPHS; round++) {
        PathShares shares;
        uint32_t best[MOMENTS + 1];
        uint32_t last;
        uint64_t length;
        Plain plain;
        PathGraph graph;

        seed = round;
        make_plain(&plain);
        make_graph(&plain, &graph);
        memset(shares.halves, 2, sizeof shares.halves);
        ck_assert(PathGraphLongest(&graph, &shares, best, &last, &length));
        ck_assert_uint_eq(length, longest_of_all(&plain, &shares));
        check_way(&graph, best, last, length);
        for (uint32_t part = 0; part < PATH_PARTS; part++) {
            shares.halves[part] = (uint8_t) any(3);
        }
        ck_assert(PathGraphLengths(&graph, &shares, 1, &length));
        ck_assert_uint_eq(length, longest_of_all(&plain, &shares));
        PathGraphFinish(&graph);
    }
}
END_TEST

START_TEST(lengths_for_all_shares_are_those_of_each)
{
    for (uint32_t round = 0; round < GRAPHS; round++) {
        PathShares shares[5];
        uint64_t lengths[5];
        Plain plain;
        PathGraph graph;

        seed = round;
        make_plain(&plain);
        make_graph(&plain, &graph);
        for (uint32_t i = 0; i < 5; i++) {
            for (uint32_t part = 0; part < PATH_PARTS; part++) {
                shares[i].halves[part] = (uint8_t) any(3);
            }
        }
        ck_assert(PathGraphLengths(&graph, shares, 1 + round % 5, lengths));
        for (uint32_t i = 0; i < 1 + round % 5; i++) {
            ck_assert_uint_eq(lengths[i], longest_of_all(&plain, &shares[i]));
        }
        PathGraphFinish(&graph);
    }
}
END_TEST

/* Edges in order, then a few late ones; `owner` is the number of an edge. */
static void make_tied(PathGraph *graph, uint32_t ordered, uint32_t ties)
{
    bool is_against;

    *graph = (PathGraph){ .moment_count = ordered + 1,
                          .times = calloc((size_t) ordered + 1, sizeof(uint64_t)) };
    ck_assert_ptr_nonnull(graph->times);
    for (uint32_t i = 0; i < ordered + ties; i++) {
        const uint32_t from = i < ordered ? i / 2 : any(ordered);

        ck_assert(PathGraphAdd(graph, (PathEdge){ from, ordered, i, PATH_WAIT, 0 }, &is_against));
    }
}

START_TEST(edges_of_a_moment_stay_as_they_came)
{
    for (uint32_t ties = 0; ties < 40; ties++) {
        PathGraph graph;

        seed = ties;
        make_tied(&graph, 100, ties);
        ck_assert(PathGraphSettle(&graph));
        ck_assert_uint_eq(graph.edge_count, 100 + ties);
        for (uint32_t moment = 0; moment < graph.moment_count; moment++) {
            for (uint32_t e = graph.first[moment]; e < graph.first[moment + 1]; e++) {
                ck_assert_uint_eq(graph.edges[e].from, moment);
                ck_assert(e == graph.first[moment] ||
                          graph.edges[e - 1].owner < graph.edges[e].owner);
            }
        }
        ck_assert_uint_eq(graph.first[0], 0);
        ck_assert_uint_eq(graph.first[graph.moment_count], graph.edge_count);
        PathGraphFinish(&graph);
    }
}
END_TEST

/* Of two ways that are equally long the one by what the moment waited for, whichever came first. */
START_TEST(slack_does_not_win_a_tie)
{
    for (uint32_t slack = 0; slack < 2; slack++) {
        PathGraph graph = { .moment_count = 2,
                            .times = calloc(2, sizeof(uint64_t)),
                            .longest = { [PATH_QUEUE] = 7 } };
        PathShares shares;
        uint32_t best[3];
        uint32_t last;
        uint64_t length;
        bool is_against;

        ck_assert_ptr_nonnull(graph.times);
        graph.times[1] = 5;
        memset(shares.halves, 2, sizeof shares.halves);
        for (uint32_t i = 0; i < 2; i++) {
            ck_assert(PathGraphAdd(
                &graph, (PathEdge){ .to = 1, .part = PATH_QUEUE, .is_slack = i == slack },
                &is_against));
        }
        ck_assert(PathGraphSettle(&graph));
        ck_assert(PathGraphLongest(&graph, &shares, best, &last, &length));
        ck_assert_uint_eq(length, 10);
        ck_assert_uint_eq(best[1], 1 - slack);
        PathGraphFinish(&graph);
    }
}
END_TEST

START_TEST(circles_and_edges_against_the_time_are_told)
{
    PathGraph graph = { .moment_count = 3, .times = calloc(3, sizeof(uint64_t)) };
    PathShares shares;
    uint64_t length;
    bool is_against;

    ck_assert_ptr_nonnull(graph.times);
    graph.times[1] = 5;
    graph.times[2] = 5;
    memset(shares.halves, 2, sizeof shares.halves);
    ck_assert(!PathGraphAdd(&graph, (PathEdge){ 1, 0, 0, PATH_HOST, 0 }, &is_against));
    ck_assert(is_against);
    ck_assert(PathGraphAdd(&graph, (PathEdge){ 0, 1, 0, PATH_HOST, 0 }, &is_against));
    ck_assert(PathGraphAdd(&graph, (PathEdge){ 1, 2, 0, PATH_WAIT, 0 }, &is_against));
    ck_assert(PathGraphAdd(&graph, (PathEdge){ 2, 1, 0, PATH_WAIT, 0 }, &is_against));
    ck_assert(PathGraphSettle(&graph));
    ck_assert_uint_eq(graph.ordered, 1);
    ck_assert(PathGraphLengths(&graph, &shares, 1, &length));
    ck_assert_uint_eq(length, 0);
    PathGraphFinish(&graph);
}
END_TEST

START_TEST(a_graph_of_nothing_has_no_way)
{
    PathGraph graph = { .moment_count = 0 };
    PathShares shares;
    uint32_t best[1] = { 0 };
    uint32_t last;
    uint64_t length;

    memset(shares.halves, 2, sizeof shares.halves);
    ck_assert(PathGraphSettle(&graph));
    ck_assert(PathGraphLongest(&graph, &shares, best, &last, &length));
    ck_assert_uint_eq(length, 0);
    ck_assert_uint_eq(best[last], UINT32_MAX);
    PathGraphFinish(&graph);
}
END_TEST

static Suite *path_graph_suite(void)
{
    Suite *suite = suite_create("path_graph");
    TCase *tcase = tcase_create("path graph");

    tcase_set_timeout(tcase, 1800);
    tcase_add_test(tcase, it_is_the_longest_of_all_ways);
    tcase_add_test(tcase, lengths_for_all_shares_are_those_of_each);
    tcase_add_test(tcase, edges_of_a_moment_stay_as_they_came);
    tcase_add_test(tcase, a_graph_of_nothing_has_no_way);
    tcase_add_test(tcase, slack_does_not_win_a_tie);
    tcase_add_test(tcase, circles_and_edges_against_the_time_are_told);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(path_graph_suite)
