/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The longest way through random graphs of several ranks that wait for each other in collectives:
 * that of the module, and the longest of all ways through the whole graphs, tried one by one. Each
 * rank has a clock of its own. They are 10,000 with OPPROF_TEST=full.
 */
#include "plugins/analyse-trace/path/path_ranks.h"

#include "output/output.h"
#include "tests/core/resident.h"
#include "tests/core/scratch.h"
#include "tests/core/suites.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define RANKS 5u /* at most */
#define COLLECTIVES 2u
#define SPANS 5u /* of a rank; the last ones are its work of the collectives */
#define MOMENTS (2 * SPANS)
#define EDGES_MAX 16u
#define GRAPHS 1500u
#define GRAPHS_FULL 10000u

/* A rank, as the test knows it. */
typedef struct Plain {
    uint64_t times[MOMENTS];
    PathEdge edges[EDGES_MAX];
    uint32_t edge_count;
    uint64_t longest; /* of an edge that is slack */
} Plain;

static uint64_t seed;
static uint32_t rank_count;

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
    plain->longest = any(100);
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
            plain->edges[plain->edge_count - 1].is_slack = any(3) == 0;
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

    for (uint32_t i = 1; i < rank_count; i++) {
        last =
            duration_of(&ranks[i], collective) < duration_of(&ranks[last], collective) ? i : last;
    }
    return last;
}

/* Time of its own that an edge takes, in halves. */
static uint64_t length_of(const Plain ranks[RANKS], const PathShares *shares, uint32_t rank,
                          const PathEdge *edge)
{
    uint64_t time = ranks[rank].times[edge->to] - ranks[rank].times[edge->from];

    if (edge->is_slack && time > ranks[rank].longest) {
        time = ranks[rank].longest;
    }
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

        for (uint32_t other = 0; moment == end && late == rank && other < rank_count; other++) {
            const uint64_t length = other == rank ? 0 : try_all(ranks, shares, other, end);

            longest = length > longest ? length : longest;
        }
    }
    return longest;
}

static uint64_t longest_of_all(const Plain ranks[RANKS], const PathShares *shares)
{
    uint64_t longest = 0;

    for (uint32_t rank = 0; rank < rank_count; rank++) {
        for (uint32_t moment = 0; moment < MOMENTS; moment++) {
            const uint64_t length = try_all(ranks, shares, rank, moment);

            longest = length > longest ? length : longest;
        }
    }
    return longest;
}

/* Adds a rank that takes part in the collectives; the graph is given away. */
static void add_graph(PathRanks *all, PathGraph *graph, uint32_t spans, CollectiveCall *calls,
                      uint32_t call_count)
{
    uint32_t *names = calloc(spans, sizeof *names);

    ck_assert_ptr_nonnull(names);
    for (uint32_t i = 0; i < spans; i++) {
        names[i] = i + 1;
    }
    ck_assert(PathGraphSettle(graph));
    ck_assert(PathRanksAdd(all, &(PathRank){ .name = all->rank_count, .with_lengths = true }, graph,
                           &names, calls, call_count));
    ck_assert(graph->times == NULL && graph->edges == NULL && names == NULL);
}

static void add_rank(PathRanks *all, const Plain *plain)
{
    PathGraph graph = { .moment_count = MOMENTS,
                        .times = calloc(MOMENTS, sizeof(uint64_t)),
                        .root = UINT32_MAX };
    CollectiveCall calls[COLLECTIVES];
    bool is_against;

    ck_assert_ptr_nonnull(graph.times);
    memcpy(graph.times, plain->times, sizeof plain->times);
    for (uint32_t part = 0; part < PATH_PARTS; part++) {
        graph.longest[part] = plain->longest;
    }
    for (uint32_t i = 0; i < plain->edge_count; i++) {
        ck_assert(PathGraphAdd(&graph, plain->edges[i], &is_against));
    }
    for (uint32_t i = 0; i < COLLECTIVES; i++) {
        calls[i] = (CollectiveCall){ .kind = 7,
                                     .sequence = i,
                                     .duration_ns = duration_of(plain, i),
                                     .place = span_of_collective(i) };
    }
    add_graph(all, &graph, SPANS, calls, COLLECTIVES);
}

/* How much shorter the longest way is with so many halves of a part's time. */
static uint64_t gain_of(const Plain ranks[RANKS], uint32_t part, uint8_t halves)
{
    PathShares shares = PathSharesOfAll();
    const uint64_t length = longest_of_all(ranks, &shares);

    shares.halves[part] = halves;
    return length - longest_of_all(ranks, &shares);
}

/* The pieces are a way, each where the one before ends, and as long as it is said to be. */
static void check_pieces(const PathFound *path)
{
    uint64_t ticks = 0;

    for (uint32_t i = 0; i < path->count; i++) {
        const PathPiece *piece = &path->pieces[i];

        ticks += piece->ticks;
        ck_assert_uint_le(piece->ticks, piece->end - piece->start);
        ck_assert_uint_lt(piece->rank, rank_count);
        ck_assert_uint_eq(piece->name, piece->owner + 1);
        ck_assert(i == 0 || path->pieces[i - 1].end == piece->start);
    }
    ck_assert_uint_eq(ticks, path->length);
}

START_TEST(it_is_the_longest_of_all_ways)
{
    const char *level = getenv("OPPROF_TEST");
    const uint32_t graphs = level != NULL && strcmp(level, "full") == 0 ? GRAPHS_FULL : GRAPHS;

    for (uint32_t round = 0; round < graphs; round++) {
        const PathShares shares = PathSharesOfAll();
        PathRanks all = { .rank_count = 0 };
        uint64_t leaves[COLLECTIVES];
        Plain ranks[RANKS];
        PathJoined joined;
        PathFound path;

        seed = round;
        rank_count = 2 + round % (RANKS - 1);
        leaves[0] = 300 + any(300);
        leaves[1] = leaves[0] + 1 + any(400);
        for (uint32_t i = 0; i < rank_count; i++) {
            make_rank(&ranks[i], leaves);
            add_rank(&all, &ranks[i]);
        }
        ck_assert(PathRanksJoin(&all, &joined));
        ck_assert_uint_eq(joined.ties, (rank_count - 1) * COLLECTIVES);
        ck_assert_uint_eq(joined.unordered, 0);
        ck_assert(PathRanksFind(&all, true, &path));
        ck_assert_uint_eq(2 * path.length, longest_of_all(ranks, &shares));
        check_pieces(&path);
        for (uint32_t part = 0; part < PATH_WAIT; part++) {
            if (path.parts[part].ticks > 0) {
                ck_assert_uint_eq(path.half_gains[part], gain_of(ranks, part, 1));
                ck_assert_uint_eq(path.whole_gains[part], gain_of(ranks, part, 0));
            }
        }
        PathFoundFinish(&path);
        PathRanksFinish(&all);
    }
}
END_TEST

/* Three ranks begin at 100, 5040 and 70 by clocks that are 0, 5000 and 0 ahead, and leave a
 * collective of 30, 20 and 50 at 400. The way begins with the second rank at 40 and ends at 600. */
START_TEST(ranks_have_one_clock)
{
    static const uint64_t begins[] = { 100, 5040, 70 };
    static const uint64_t ahead[] = { 0, 5000, 0 };
    static const uint64_t durations[] = { 30, 20, 50 };
    PathRanks all = { .rank_count = 0 };
    PathJoined joined;
    PathFound path;

    for (uint32_t i = 0; i < 3; i++) {
        PathGraph graph = { .moment_count = 4, .times = calloc(4, sizeof(uint64_t)) };
        CollectiveCall call = { .duration_ns = durations[i], .place = 1 };
        bool is_against;

        ck_assert_ptr_nonnull(graph.times);
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
        add_graph(&all, &graph, 2, &call, 1);
    }
    ck_assert(PathRanksJoin(&all, &joined));
    ck_assert(PathRanksFind(&all, false, &path));
    ck_assert_uint_eq(path.length, 600 - 40);
    for (uint32_t i = 0; i < 3; i++) {
        ck_assert_int_eq(all.ranks[i].shift - all.ranks[0].shift, -(int64_t) ahead[i]);
    }
    PathFoundFinish(&path);
    PathRanksFinish(&all);
}
END_TEST

/* ---- ranks that do not fit into memory ---- */

#define MANY 160u
#define LONG_SPANS 4000u
#define LONG_COLLECTIVES 40u
#define HAND_BYTES ((size_t) 12 << 20) /* of all graphs, and of all lengths, in memory at a time */

/* A chain of spans with shortcuts; every hundredth is a collective, to which ranks come at
 * different times. */
static void make_long(PathGraph *graph, uint32_t rank)
{
    uint64_t time = 1000 * rank;
    bool is_against;

    *graph = (PathGraph){ .moment_count = 2 * LONG_SPANS,
                          .times = calloc(2 * LONG_SPANS, sizeof(uint64_t)),
                          .root = UINT32_MAX };
    ck_assert_ptr_nonnull(graph->times);
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
}

/* The path through all of them. */
static void find_path(PathRanks *all, PathFound *ret_path)
{
    PathJoined joined;

    for (uint32_t rank = 0; rank < MANY; rank++) {
        CollectiveCall calls[LONG_COLLECTIVES];
        PathGraph graph;

        seed = rank;
        make_long(&graph, rank);
        for (uint32_t i = 0; i < LONG_COLLECTIVES; i++) {
            calls[i] = (CollectiveCall){
                .kind = 7, .sequence = i, .duration_ns = 1 + any(1000), .place = i * 100 + 99
            };
        }
        add_graph(all, &graph, LONG_SPANS, calls, LONG_COLLECTIVES);
    }
    ck_assert(PathRanksJoin(all, &joined));
    ck_assert_uint_eq(joined.ties, (MANY - 1) * LONG_COLLECTIVES);
    ck_assert_uint_eq(joined.unordered, 0);
    ck_assert(PathRanksFind(all, true, ret_path));
}

START_TEST(what_does_not_stay_in_memory_gives_the_same)
{
    OpprofOutputDirectory *directory = NULL;
    const size_t before = resident_of_files();
    PathRanks in_memory = { .rank_count = 0 };
    PathRanks in_files = { .rank_count = 0 };
    PathFound path;
    PathFound other;

    ck_assert_int_eq(OutputDirectoryCreate(in_scratch("out"), true, &directory, NULL), OPPROF_OK);
    in_files.directory = directory;
    find_path(&in_memory, &path);
    find_path(&in_files, &other);
    ck_assert_uint_gt(path.length, 0);
    ck_assert_uint_eq(path.length, other.length);
    ck_assert_uint_eq(path.count, other.count);
    ck_assert_int_eq(memcmp(path.pieces, other.pieces, path.count * sizeof *path.pieces), 0);
    ck_assert_int_eq(memcmp(path.half_gains, other.half_gains, sizeof path.half_gains), 0);
    ck_assert_int_eq(in_memory.graphs.fd_plus_1, 0);
    ck_assert_int_ne(in_files.graphs.fd_plus_1, 0);
    ck_assert_uint_gt(in_files.graphs.size, 3 * HAND_BYTES);
    if (getenv("EMULATOR") == NULL) { /* which may keep what is let go of */
        ck_assert_uint_lt(resident_of_files(), before + HAND_BYTES);
    }
    PathFoundFinish(&path);
    PathFoundFinish(&other);
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
    tcase_add_checked_fixture(tcase, make_scratch, remove_scratch);
    tcase_add_test(tcase, what_does_not_stay_in_memory_gives_the_same);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(path_ranks_suite)
