/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The longest way through random graphs of several ranks that wait for each other in collectives:
 * that of the module, and the longest of all ways, tried one by one. Each rank has a clock of its
 * own.
 */
#include "plugins/analyse-trace/path/path_ranks.h"
#include "plugins/analyse-trace/path/path_ways.h"

#include "output/output.h"
#include "tests/core/resident.h"
#include "tests/core/scratch.h"
#include "tests/core/suites.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define RANKS 3u
#define COLLECTIVES 2u
#define SPANS 5u /* of a rank; the last ones are its work of the collectives */
#define MOMENTS (2 * SPANS)
#define EDGES_MAX 16u
#define GRAPHS 1500u

/* A rank, as the test knows it. */
typedef struct Plain {
    uint64_t times[MOMENTS];
    PathEdge edges[EDGES_MAX];
    uint32_t edge_count;
} Plain;

static uint64_t seed;

static uint32_t any(uint32_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t) (seed >> 33) % below;
}

static uint32_t span_of_collective(uint32_t collective)
{
    return SPANS - COLLECTIVES + collective;
}

static void add_edge(Plain *plain, uint32_t from, uint32_t to, uint32_t owner, uint32_t part)
{
    plain->edges[plain->edge_count++] =
        (PathEdge){ .from = from, .to = to, .owner = owner, .part = part };
}

/* Spans at any time; all ranks leave a collective at one moment, which each
 * reads on its own clock. */
static void make_rank(Plain *plain, const uint64_t leaves[COLLECTIVES])
{
    const uint64_t clock = 10000 + any(5000);

    plain->edge_count = 0;
    for (uint32_t i = 0; i < SPANS - COLLECTIVES; i++) {
        plain->times[2 * i] = clock + any(1000);
        plain->times[2 * i + 1] = plain->times[2 * i] + any(300);
        add_edge(plain, 2 * i, 2 * i + 1, i, PATH_COMPUTATION);
    }
    for (uint32_t i = 0; i < COLLECTIVES; i++) {
        const uint32_t span = span_of_collective(i);

        plain->times[2 * span] = clock + leaves[i] - 1 - any(200);
        plain->times[2 * span + 1] = clock + leaves[i];
        add_edge(plain, 2 * span, 2 * span + 1, span, PATH_COMMUNICATION);
    }
    while (plain->edge_count < EDGES_MAX) {
        const uint32_t from = any(MOMENTS);
        const uint32_t to = any(MOMENTS);
        const bool goes_on = plain->times[from] < plain->times[to];

        /* The test's own work of a collective is known by where its edge leads. */
        if (goes_on && !(from % 2 == 0 && to == from + 1)) {
            add_edge(plain, from, to, any(SPANS), any(PATH_PARTS));
        } else if (any(4) == 0) {
            break;
        }
    }
}

static uint64_t duration_of(const Plain *plain, uint32_t collective)
{
    const uint32_t span = span_of_collective(collective);

    return plain->times[2 * span + 1] - plain->times[2 * span];
}

/* The rank that is shortest in a collective; the first of several. */
static uint32_t last_to_come(const Plain ranks[RANKS], uint32_t collective)
{
    uint32_t last = 0;

    for (uint32_t i = 1; i < RANKS; i++) {
        last =
            duration_of(&ranks[i], collective) < duration_of(&ranks[last], collective) ? i : last;
    }
    return last;
}

/* Time of its own that an edge takes, in halves. */
static uint64_t length_of(const Plain ranks[RANKS], const PathShares *shares, uint32_t rank,
                          const PathEdge *edge)
{
    const uint64_t time = ranks[rank].times[edge->to] - ranks[rank].times[edge->from];

    for (uint32_t i = 0; i < COLLECTIVES; i++) {
        if (edge->from == 2 * span_of_collective(i) && edge->to == edge->from + 1 &&
            last_to_come(ranks, i) != rank) {
            return 0;
        }
    }
    return edge->part == PATH_WAIT ? 0 : time * shares->halves[edge->part];
}

/* The longest of all ways from a moment of a rank on. */
static uint64_t try_all(const Plain ranks[RANKS], const PathShares *shares, uint32_t rank,
                        uint32_t moment)
{
    const Plain *plain = &ranks[rank];
    uint64_t longest = 0;

    for (uint32_t i = 0; i < plain->edge_count; i++) {
        const PathEdge *edge = &plain->edges[i];

        if (edge->from == moment) {
            const uint64_t length =
                length_of(ranks, shares, rank, edge) + try_all(ranks, shares, rank, edge->to);

            longest = length > longest ? length : longest;
        }
    }
    for (uint32_t i = 0; i < COLLECTIVES; i++) {
        const uint32_t end = 2 * span_of_collective(i) + 1;
        const uint32_t late = last_to_come(ranks, i);

        /* If this rank had come last, all would have left so much later. */
        if (moment == end - 1 && late != rank) {
            const uint64_t length =
                duration_of(&ranks[late], i) * shares->halves[PATH_COMMUNICATION] +
                try_all(ranks, shares, late, end);

            longest = length > longest ? length : longest;
        }

        for (uint32_t other = 0; moment == end && late == rank && other < RANKS; other++) {
            const uint64_t length = other == rank ? 0 : try_all(ranks, shares, other, end);

            longest = length > longest ? length : longest;
        }
    }
    return longest;
}

static uint64_t longest_of_all(const Plain ranks[RANKS], const PathShares *shares)
{
    uint64_t longest = 0;

    for (uint32_t rank = 0; rank < RANKS; rank++) {
        for (uint32_t moment = 0; moment < MOMENTS; moment++) {
            const uint64_t length = try_all(ranks, shares, rank, moment);

            longest = length > longest ? length : longest;
        }
    }
    return longest;
}

static void add_rank(PathRanks *all, const Plain *plain, uint32_t rank)
{
    uint32_t *names = calloc(SPANS, sizeof *names);
    PathGraph graph = { .moment_count = MOMENTS,
                        .times = calloc(MOMENTS, sizeof(uint64_t)),
                        .root = UINT32_MAX };
    bool is_against;

    ck_assert(graph.times != NULL && names != NULL);
    memcpy(graph.times, plain->times, sizeof plain->times);
    for (uint32_t i = 0; i < SPANS; i++) {
        names[i] = i + 1;
    }
    for (uint32_t i = 0; i < plain->edge_count; i++) {
        ck_assert(PathGraphAdd(&graph, plain->edges[i], &is_against));
    }
    ck_assert(PathRanksAdd(all, &(PathRank){ .name = rank }, &graph, &names, SPANS));
    for (uint32_t i = 0; i < COLLECTIVES; i++) {
        const uint32_t span = span_of_collective(i);

        ck_assert(PathRanksAddCall(all, (CollectiveCall){ .kind = 7,
                                                          .sequence = i,
                                                          .duration_ns = duration_of(plain, i),
                                                          .place = span }));
    }
    ck_assert(graph.times == NULL && graph.edges == NULL && names == NULL);
}

START_TEST(it_is_the_longest_of_all_ways)
{
    for (uint32_t round = 0; round < GRAPHS; round++) {
        PathRanks all = { .rank_count = 0 };
        uint64_t leaves[COLLECTIVES];
        Plain ranks[RANKS];
        PathShares shares;
        uint64_t length;
        uint64_t ties;

        seed = round;
        leaves[0] = 300 + any(300);
        leaves[1] = leaves[0] + 1 + any(400);
        for (uint32_t i = 0; i < RANKS; i++) {
            make_rank(&ranks[i], leaves);
            add_rank(&all, &ranks[i], i);
        }
        ck_assert(PathRanksJoin(&all, &ties));
        ck_assert_uint_eq(ties, (RANKS - 1) * COLLECTIVES);
        ck_assert_uint_eq(all.graph.ordered, RANKS * MOMENTS);
        for (uint32_t part = 0; part < PATH_PARTS; part++) {
            shares.halves[part] = round % 2 == 0 ? 2 : (uint8_t) any(3);
        }
        ck_assert(PathGraphLengths(&all.graph, &shares, 1, &length));
        ck_assert_uint_eq(length, longest_of_all(ranks, &shares));
        PathRanksFinish(&all);
    }
}
END_TEST

/* Three ranks begin at 100, 5040 and 70 by clocks that are 0, 5000 and 0 ahead, and leave a
 * collective of 30, 20 and 50 at 400. The way begins with the second rank at 40 and ends at 600. */
START_TEST(ranks_have_one_clock)
{
    static const uint64_t begins[RANKS] = { 100, 5040, 70 };
    static const uint64_t ahead[RANKS] = { 0, 5000, 0 };
    static const uint64_t durations[RANKS] = { 30, 20, 50 };
    static const PathShares shares = { .halves = { 2, 2, 2, 2, 2, 2, 2, 2, 2 } };
    PathRanks all = { .rank_count = 0 };
    uint64_t length;
    uint64_t ties;

    for (uint32_t i = 0; i < RANKS; i++) {
        uint32_t *names = calloc(2, sizeof *names);
        PathGraph graph = { .moment_count = 4, .times = calloc(4, sizeof(uint64_t)) };
        bool is_against;

        ck_assert(graph.times != NULL && names != NULL);
        graph.times[0] = begins[i];
        graph.times[1] = ahead[i] + 600;
        graph.times[2] = ahead[i] + 400 - durations[i];
        graph.times[3] = ahead[i] + 400;
        for (uint32_t edge = 0; edge < 3; edge++) {
            static const PathEdge edges[3] = {
                { .from = 0, .to = 2 },
                { .from = 2, .to = 3, .owner = 1, .part = PATH_COMMUNICATION },
                { .from = 3, .to = 1 }
            };

            ck_assert(PathGraphAdd(&graph, edges[edge], &is_against));
        }
        ck_assert(PathRanksAdd(&all, &(PathRank){ .name = i }, &graph, &names, 2));
        ck_assert(
            PathRanksAddCall(&all, (CollectiveCall){ .duration_ns = durations[i], .place = 1 }));
    }
    ck_assert(PathRanksJoin(&all, &ties));
    ck_assert(PathGraphLengths(&all.graph, &shares, 1, &length));
    ck_assert_uint_eq(length, 2 * (600 - 40));
    for (uint32_t i = 0; i < RANKS; i++) {
        ck_assert_int_eq(all.ranks[i].shift - all.ranks[0].shift, -(int64_t) ahead[i]);
    }
    PathRanksFinish(&all);
}
END_TEST

START_TEST(spans_belong_to_their_ranks)
{
    const uint64_t leaves[COLLECTIVES] = { 300, 600 };
    PathRanks all = { .rank_count = 0 };
    Plain plain;

    for (uint32_t i = 0; i < RANKS; i++) {
        make_rank(&plain, leaves);
        add_rank(&all, &plain, i);
    }
    for (uint32_t i = 0; i < RANKS * SPANS; i++) {
        ck_assert_uint_eq(PathRanksOf(&all, i), i / SPANS);
        ck_assert_uint_eq(all.names[i], i % SPANS + 1);
    }
    PathRanksFinish(&all);
}
END_TEST

/* ---- ranks that do not fit into memory ---- */

#define MANY 160u
#define LONG_SPANS 4000u
#define LONG_COLLECTIVES 40u

/* A chain of spans with shortcuts; every hundredth is a collective, to which ranks come at
 * different times. */
static void make_long(PathGraph *graph, PathRanks *all, uint32_t rank)
{
    uint32_t *names = calloc(LONG_SPANS, sizeof *names);
    uint64_t time = 1000 * rank;
    bool is_against;

    *graph = (PathGraph){ .moment_count = 2 * LONG_SPANS,
                          .times = calloc(2 * LONG_SPANS, sizeof(uint64_t)),
                          .root = UINT32_MAX };
    ck_assert(graph->times != NULL && names != NULL);
    for (uint32_t i = 0; i < 2 * LONG_SPANS; i++) {
        graph->times[i] = time += 1 + any(50);
    }
    for (uint32_t i = 0; i + 1 < 2 * LONG_SPANS; i++) {
        ck_assert(PathGraphAdd(
            graph, (PathEdge){ .from = i, .to = i + 1, .owner = i / 2, .part = any(PATH_WAIT) },
            &is_against));
        if (any(3) == 0 && i + 40 < 2 * LONG_SPANS) {
            ck_assert(PathGraphAdd(
                graph, (PathEdge){ .from = i, .to = i + 2 + any(30), .part = any(PATH_PARTS) },
                &is_against));
        }
    }
    ck_assert(PathRanksAdd(all, &(PathRank){ .name = rank }, graph, &names, LONG_SPANS));
}

static void make_many(PathRanks *all)
{
    for (uint32_t rank = 0; rank < MANY; rank++) {
        PathGraph graph;

        seed = rank;
        make_long(&graph, all, rank);
        for (uint32_t i = 0; i < LONG_COLLECTIVES; i++) {
            ck_assert(PathRanksAddCall(all, (CollectiveCall){ .kind = 7,
                                                              .sequence = i,
                                                              .duration_ns = 1 + any(1000),
                                                              .place = i * 100 + 99 }));
        }
    }
}

/* The best edges of all moments, and the longest way. */
static uint64_t find_best(PathRanks *all, uint32_t **ret_best)
{
    const PathShares shares = { .halves = { 2, 1, 2, 2, 2, 0, 2, 2 } };
    uint64_t length;
    uint64_t ties;
    uint32_t last;

    make_many(all);
    ck_assert(PathRanksJoin(all, &ties));
    ck_assert_uint_eq(ties, (MANY - 1) * LONG_COLLECTIVES);
    ck_assert_uint_eq(all->graph.ordered, MANY * 2 * LONG_SPANS);
    *ret_best = calloc(all->graph.moment_count + 1, sizeof **ret_best);
    ck_assert_ptr_nonnull(*ret_best);
    ck_assert(PathGraphLongest(&all->graph, &shares, *ret_best, &last, &length));
    return length;
}

START_TEST(what_does_not_stay_in_memory_gives_the_same)
{
    OpprofOutputDirectory *directory = NULL;
    const size_t before = resident_of_files();
    PathRanks in_memory = { .rank_count = 0 };
    PathRanks in_files = { .rank_count = 0 };
    size_t arrays = 0;
    uint32_t *best;
    uint32_t *others;

    ck_assert_int_eq(OutputDirectoryCreate(in_scratch("out"), true, &directory, NULL), OPPROF_OK);
    in_files.memory.directory = directory;
    const uint64_t length = find_best(&in_memory, &best);
    ck_assert_uint_eq(find_best(&in_files, &others), length);
    ck_assert_int_eq(memcmp(best, others, in_files.graph.moment_count * sizeof *best), 0);
    for (uint32_t i = 0; i < PATH_MEMORY_ROOMS; i++) {
        arrays += in_files.memory.rooms[i].fd_plus_1 == 0 ? 0 : in_files.memory.rooms[i].size;
    }
    ck_assert_uint_gt(arrays, 6 * PATH_MEMORY_IN_HAND);
    if (getenv("EMULATOR") == NULL) { /* which may keep what is let go of */
        ck_assert_uint_lt(resident_of_files(), before + 3 * PATH_MEMORY_IN_HAND);
    }
    free(best);
    free(others);
    PathRanksFinish(&in_memory);
    PathRanksFinish(&in_files);
    OutputDirectoryDestroy(directory);
}
END_TEST

static Suite *path_ranks_suite(void)
{
    Suite *suite = suite_create("path_ranks");
    TCase *tcase = tcase_create("path ranks");

    tcase_set_timeout(tcase, 1800);
    tcase_add_test(tcase, it_is_the_longest_of_all_ways);
    tcase_add_test(tcase, ranks_have_one_clock);
    tcase_add_test(tcase, spans_belong_to_their_ranks);
    tcase_add_checked_fixture(tcase, make_scratch, remove_scratch);
    tcase_add_test(tcase, what_does_not_stay_in_memory_gives_the_same);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(path_ranks_suite)
