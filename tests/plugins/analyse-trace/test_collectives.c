/* SPDX-License-Identifier: Apache-2.0 */
/* Collectives over ranks: matching, forms, and the tables of the pipeline. */
#include "plugins/analyse-trace/common/meetings.h"
#include "results.h"

#include "tests/core/suites.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

START_TEST(forms_are_told_by_names)
{
    static const struct {
        const char *name;
        CollectiveForm form;
    } names[] = {
        { "allreduce", FORM_ALL_REDUCE },
        { "_allgather_base", FORM_ALL_GATHER },
        { "all_gather_into_tensor_coalesced", FORM_ALL_GATHER },
        { "_reduce_scatter_base", FORM_REDUCE_SCATTER },
        { "all_to_allv", FORM_ALL_TO_ALL },
        { "hcom_allReduce", FORM_ALL_REDUCE },
        { "ncclDevKernel_ReduceScatter_Sum_f32_RING_LL", FORM_REDUCE_SCATTER },
        { "ncclDevKernel_Reduce_Sum_f32", FORM_ONE_WAY },
        { "broadcast", FORM_ONE_WAY },
        { "send", FORM_POINT_TO_POINT },
        { "ncclDevKernel_SendRecv", FORM_POINT_TO_POINT },
        { "cross_device_reduce_1stage", FORM_ALL_REDUCE },
        { "barrier", FORM_UNKNOWN },
        { "", FORM_UNKNOWN },
    };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        ck_assert_msg(CollectiveFormOf(names[i].name) == names[i].form, "'%s'", names[i].name);
    }
    ck_assert_uint_eq(CollectiveBytes(FORM_ALL_GATHER, 10, 80), 80);
    ck_assert_uint_eq(CollectiveBytes(FORM_REDUCE_SCATTER, 80, 10), 80);
    ck_assert_uint_eq(CollectiveBytes(FORM_ONE_WAY, UINT64_MAX, 10), 10);
    ck_assert_double_eq_tol(CollectiveBusFactor(FORM_ALL_REDUCE, 8), 1.75, 1e-12);
    ck_assert_double_eq_tol(CollectiveBusFactor(FORM_ALL_TO_ALL, 8), 0.875, 1e-12);
    ck_assert(isnan(CollectiveBusFactor(FORM_ALL_REDUCE, 1)));
}
END_TEST

START_TEST(recordings_of_a_rank_are_numbered)
{
    static const struct {
        const char *name;
        uint32_t cycle;
        size_t length;
    } names[] = {
        { "0", 1, 1 },        { "12-cycle3", 3, 2 }, { "0#2", 1, 3 },       { "0-cycle", 1, 7 },
        { "0-cycle1", 1, 8 }, { "0-cycle2x", 1, 9 }, { "0-cycle-2", 1, 9 },
    };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        size_t length;

        ck_assert_uint_eq(RankCycle(names[i].name, &length), names[i].cycle);
        ck_assert_uint_eq(length, names[i].length);
    }
}
END_TEST

START_TEST(who_is_in_it_shortest_came_last)
{
    const CollectiveCall calls[] = {
        { .rank = 2, .kind = 0, .sequence = 5, .duration_ns = 30, .place = 7 },
        { .rank = 0, .kind = 0, .sequence = 5, .duration_ns = 100 },
        { .rank = 0, .kind = 0, .sequence = 4, .duration_ns = 10 },
        { .rank = 1, .kind = 0, .sequence = 5, .duration_ns = 70 },
        { .rank = 1,
          .kind = 0,
          .sequence = 5,
          .duration_ns = 1 }, /* it has that sequence already */
        { .rank = 1, .kind = 1, .sequence = 5, .duration_ns = 10 },
        { .rank = 3, .kind = 0, .sequence = 5, .duration_ns = 1, .cycle = 2 },
    };
    MeetingsSeen seen[4] = { { .bits = NULL } };
    Meetings meetings = { .count = 0 };
    const Meeting *meeting;
    uint32_t *order;

    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        ck_assert(MeetingsAdd(&meetings, &seen[calls[i].rank], &calls[i]));
    }
    order = MeetingsSorted(&meetings);
    ck_assert_ptr_nonnull(order);
    ck_assert_uint_eq(meetings.count, 4);
    ck_assert_uint_eq(meetings.call_count, 6);
    ck_assert_uint_eq(meetings.list[order[0]].count, 1);
    ck_assert_uint_eq(meetings.list[order[0]].sequence, 4);
    ck_assert_uint_eq(meetings.list[order[2]].cycle, 2); /* nobody else was recorded then */
    ck_assert_uint_eq(meetings.list[order[2]].count, 1);
    ck_assert_uint_eq(meetings.list[order[3]].kind, 1);
    meeting = &meetings.list[order[1]];
    ck_assert_uint_eq(meeting->count, 3);
    ck_assert_uint_eq(meeting->late, 2);
    ck_assert_uint_eq(meeting->place, 7);
    ck_assert_uint_eq(meeting->shortest_ns, 30);
    ck_assert_uint_eq(MeetingSkew(meeting), 70);
    ck_assert_uint_eq(MeetingCost(meeting), 40);
    ck_assert_uint_eq(MeetingWait(meeting), 110);
    free(order);
    for (size_t i = 0; i < 4; i++) {
        MeetingsSeenFinish(&seen[i]);
    }
    MeetingsFinish(&meetings);
}
END_TEST

#define MANY_RANKS 40u
#define MANY_SEQUENCES 300u

/* Ranks come one after the other, collectives are counted by going through all of the ranks'
 * durations. */
START_TEST(sums_of_many_ranks_equal_counting)
{
    static uint64_t durations[MANY_RANKS][MANY_SEQUENCES];
    Meetings meetings = { .count = 0 };
    uint64_t state = 1;

    for (uint32_t rank = 0; rank < MANY_RANKS; rank++) {
        MeetingsSeen seen = { .bits = NULL };

        for (uint32_t i = 0; i < MANY_SEQUENCES; i++) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            durations[rank][i] = (state >> 33) % 50; /* some are the same */
            ck_assert(MeetingsAdd(&meetings, &seen,
                                  &(CollectiveCall){ .rank = rank,
                                                     .kind = i % 3,
                                                     .sequence = i,
                                                     .duration_ns = durations[rank][i] }));
        }
        MeetingsSeenFinish(&seen);
    }
    ck_assert_uint_eq(meetings.count, MANY_SEQUENCES);
    for (uint32_t i = 0; i < MANY_SEQUENCES; i++) {
        const Meeting *meeting = &meetings.list[i];
        uint64_t sum = 0;
        uint32_t late = 0;
        uint64_t second = UINT64_MAX;
        uint64_t longest = 0;

        for (uint32_t rank = 0; rank < MANY_RANKS; rank++) {
            const uint64_t duration = durations[rank][meeting->sequence];

            late = duration < durations[late][meeting->sequence] ? rank : late;
            longest = duration > longest ? duration : longest;
            sum += duration;
        }
        for (uint32_t rank = 0; rank < MANY_RANKS; rank++) {
            const uint64_t duration = durations[rank][meeting->sequence];

            second = rank != late && duration < second ? duration : second;
        }
        ck_assert_uint_eq(meeting->count, MANY_RANKS);
        ck_assert_uint_eq(meeting->late, late);
        ck_assert_uint_eq(meeting->second_ns, second);
        ck_assert_uint_eq(MeetingSkew(meeting), longest - durations[late][meeting->sequence]);
        ck_assert_uint_eq(MeetingWait(meeting),
                          sum - MANY_RANKS * durations[late][meeting->sequence]);
    }
    MeetingsFinish(&meetings);
}
END_TEST

/* Where profilers give no sequence, or the same again and again, calls are told apart by their
 * order. */
START_TEST(calls_are_numbered)
{
    static const struct {
        uint64_t given;
        uint64_t sequence;
        uint32_t repeat;
    } calls[] = {
        { 7, 7, 0 }, { 7, 7, 1 }, { 7, 7, 2 }, { 8, 8, 0 }, { 10, 10, 0 }, { 10, 10, 1 }
    };
    CallCounter counter = { .next = 0 };
    CollectiveCall call = { .rank = 0 };

    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        CallCounterNumber(&counter, calls[i].given, &call);
        ck_assert_uint_eq(call.sequence, calls[i].sequence);
        ck_assert_uint_eq(call.repeat, calls[i].repeat);
    }
    counter = (CallCounter){ .next = 0 };
    for (size_t i = 0; i < 3; i++) {
        CallCounterNumber(&counter, UINT64_MAX, &call);
        ck_assert_uint_eq(call.sequence, i);
        ck_assert_uint_eq(call.repeat, 0);
    }
}
END_TEST

#define SEQUENCES 10u

/*
 * Three ranks, whose clocks are hours apart. In each of ten all-reduces of 4 MB rank 2 comes 20 us
 * late, so the others are in it for 50 us instead of 30; in the fourth rank 0 comes 5 us before
 * rank 1, which is noise. A broadcast without any arguments is matched by its order: rank 0 comes
 * 100 us late to the second of two. Rank 0 alone has one more in a group of its own.
 */
static void write_rank(unsigned rank)
{
    char text[16384];
    char *out = text;
    char name[32];
    const unsigned origin = rank * 3600000;

    out += sprintf(out, "{\"distributedInfo\":{\"rank\":%u},\"traceEvents\":[", rank);
    for (unsigned i = 0; i < SEQUENCES; i++) {
        const unsigned late = rank == 2 ? 20 : 0;
        const unsigned early = rank == 0 && i == 3 ? 5 : 0;

        out += sprintf(
            out,
            "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"ncclDevKernel_AllReduce_Sum_f32_RING_LL\","
            "\"ts\":%u,\"dur\":%u,\"args\":{\"device\":%u,\"stream\":13,\"Collective name\":"
            "\"allreduce\",\"In msg nelems\":1000000,\"Out msg nelems\":1000000,\"Group size\":3,"
            "\"dtype\":\"Float\",\"Process Group Name\":\"tp\",\"Seq\":%u}},",
            origin + i * 200 + late - early + 10, 50 - late + early, rank, 77 + i);
    }
    for (unsigned i = 0; i < 2; i++) {
        const unsigned late = rank == 0 && i == 1 ? 100 : 0;

        out += sprintf(out,
                       "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"ncclDevKernel_Broadcast_RING_"
                       "LL\",\"ts\":%u,"
                       "\"dur\":%u,\"args\":{\"device\":%u,\"stream\":14}},",
                       origin + 5000 + i * 1000 + late, 110 - late, rank);
    }
    if (rank == 0) {
        out += sprintf(
            out, "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"ts\":9000,\"dur\":3,\"args\":{"
                 "\"device\":0,\"stream\":15,\"Process Group Name\":\"me\",\"Seq\":1}},");
    }
    sprintf(out, "{\"ph\":\"M\"}]}");
    snprintf(name, sizeof name, "in/rank-%u.json", rank);
    ResultsWrite(name, text);
}

static void check(const char *file, const char *where, const char *column, const char *wanted)
{
    const char *cell = Cell(file, where, column);

    ck_assert_msg(cell != NULL, "%s has no row where %s", file, where);
    ck_assert_msg(strcmp(cell, wanted) == 0, "%s where %s: %s is '%s', not '%s'", file, where,
                  column, cell, wanted);
}

START_TEST(the_late_rank_its_cost_and_the_bandwidth_are_found)
{
    for (unsigned rank = 0; rank < 3; rank++) {
        write_rank(rank);
    }
    ck_assert_int_eq(RunKineto(ResultsPath("in"), NULL), OPPROF_RUN_COMPLETE);
    check("collectives.csv", "group=tp", "collective", "allreduce");
    check("collectives.csv", "group=tp", "count", "10");
    check("collectives.csv", "group=tp", "transfer_mean(us)", "30.000");
    /* 20 us for two of three ranks, and 5 more once: (10 * 40 + 5) / 30 */
    check("collectives.csv", "group=tp", "wait_mean(us)", "13.500");
    check("collectives.csv", "group=tp", "skew_max(us)", "25.000");
    /* 4 MB in 30 us, and 2 * 2 / 3 of it over each link */
    check("collectives.csv", "group=tp", "algorithm_bandwidth(GB/s)", "133.333");
    check("collectives.csv", "group=tp", "bus_bandwidth(GB/s)", "177.778");
    check("collectives.csv", "group=me", "unmatched", "1");
    check("collectives.csv", "group=NA", "collective", "ncclDevKernel_Broadcast_RING_LL");
    check("collectives.csv", "group=NA", "count", "2");
    check("collectives.csv", "group=NA", "algorithm_bandwidth(GB/s)", "NA");
    check("collective_ranks.csv", "rank=2", "late", "10");
    check("collective_ranks.csv", "rank=2", "cost(us)", "200.000");
    check("collective_ranks.csv", "rank=2", "wait(us)", "100.000");
    check("collective_ranks.csv", "rank=0", "late", "1");
    check("collective_ranks.csv", "rank=0", "cost(us)", "100.000");
    check("collective_ranks.csv", "rank=0", "wait(us)", "205.000");
    check("collective_ranks.csv", "rank=1", "late", "0");
    check("collective_ranks.csv", "rank=1", "count", "12");
    check("collective_skews.csv", "collective=ncclDevKernel_Broadcast_RING_LL", "skew(us)",
          "100.000");
    check("collective_skews.csv", "collective=ncclDevKernel_Broadcast_RING_LL", "late_rank", "0");
    check("collective_skews.csv", "sequence=80", "skew(us)", "25.000");
    ck_assert_uint_eq(RowCount("collective_skews.csv"), 11);
}
END_TEST

#define SIZED(ts, dur, elements, sequence)                                                         \
    "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"ncclDevKernel_AllReduce\",\"ts\":" ts             \
    ",\"dur\":" dur ",\"args\":{\"device\":0,\"stream\":13,\"Collective name\":\"allreduce\","     \
    "\"In msg nelems\":" elements ",\"Out msg nelems\":" elements                                  \
    ",\"Group size\":2,\"dtype\":\"Float\",\"Process Group Name\":\"tp\",\"Seq\":" sequence "}},"
#define SIZED_RANK(rank, first)                                                                    \
    "{\"distributedInfo\":{\"rank\":" rank "},\"traceEvents\":[" SIZED("0", first, "2000", "1")    \
        SIZED("100", "30", "16384", "2") SIZED("200", "200", "1000000", "3")                       \
            SIZED("500", "200", "3000000", "4") "{\"ph\":\"M\"}]}"

/*
 * Of 8000 bytes in 10 us, to which rank 0 comes 40 us early, of 65536 in 30, the most of that
 * class, and of 4 and 12 MB in 200 each: 20 and 60 GB/s, together 40, and of two ranks each link
 * moves as much.
 */
START_TEST(bandwidth_is_by_size)
{
    ResultsWrite("in/rank-0.json", SIZED_RANK("0", "50"));
    ResultsWrite("in/rank-1.json", SIZED_RANK("1", "10"));
    ck_assert_int_eq(RunKineto(ResultsPath("in"), NULL), OPPROF_RUN_COMPLETE);
    ck_assert_uint_eq(RowCount("collective_sizes.csv"), 2);
    check("collective_sizes.csv", "size=up to 64 KiB", "count", "2");
    check("collective_sizes.csv", "size=up to 64 KiB", "ranks", "2");
    check("collective_sizes.csv", "size=up to 64 KiB", "bytes_mean", "36768.000");
    check("collective_sizes.csv", "size=up to 64 KiB", "transfer(us)", "40.000");
    check("collective_sizes.csv", "size=up to 64 KiB", "bus_bandwidth(GB/s)", "1.838");
    check("collective_sizes.csv", "size=up to 16 MiB", "transfer_mean(us)", "200.000");
    check("collective_sizes.csv", "size=up to 16 MiB", "algorithm_bandwidth(GB/s)", "40.000");
    check("collective_sizes.csv", "size=up to 16 MiB", "bus_bandwidth(GB/s)", "40.000");
    /* Of a single rank it is unknown how long it waited. */
    ck_assert_int_eq(RunKineto(ResultsPath("in/rank-0.json"), NULL), OPPROF_RUN_COMPLETE);
    check("collective_sizes.csv", "size=up to 64 KiB", "count", "0");
    check("collective_sizes.csv", "size=up to 64 KiB", "unmatched", "2");
    check("collective_sizes.csv", "size=up to 64 KiB", "transfer(us)", "80.000");
}
END_TEST

/* Work that rank `rank` launches 10 us before it begins, for `write_pair`. */
static char *put_work(char *out, unsigned rank, unsigned start, unsigned duration, const char *args)
{
    static unsigned correlation;

    correlation++;
    return out +
           sprintf(
               out,
               "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernelExC\",\"pid\":9,"
               "\"tid\":9,\"ts\":%u,\"dur\":2,\"args\":{\"correlation\":%u}},"
               "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"ncclDevKernel\",\"ts\":%u,\"dur\":%u,"
               "\"args\":{\"device\":%u,\"stream\":13,\"correlation\":%u,%s}},",
               start - 10, correlation, start, duration, rank, correlation, args);
}

/*
 * Rank of one of two pairs, which were split from one group and so have one name. In each of two
 * iterations a pair has two all-reduces with one sequence, as a group of calls has: of 30 us, or 60
 * in the second pair, to which rank 3 comes 100 us late, and of 20 us. Then ranks 0 and 2 send to 1
 * and 3 with the same kernel, which takes 10 us, and 500 in rank 3.
 */
static void write_pair(unsigned rank)
{
    static const char *const ranks[] = { "\"[0, 1]\"", "[2, 3]" };
    const unsigned late = rank == 3 ? 100 : 0;
    const unsigned first = rank < 2 ? 30 : 160 - late;
    char text[16384];
    char args[256];
    char name[32];
    char *out = text;

    out += sprintf(out, "{\"distributedInfo\":{\"rank\":%u},\"traceEvents\":[", rank);
    for (unsigned step = 0; step < 2; step++) {
        const unsigned start = step * 2000;

        out += sprintf(
            out,
            "{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#%u\",\"pid\":9,"
            "\"tid\":9,\"ts\":%u,\"dur\":2000},",
            step, start);
        snprintf(args, sizeof args,
                 "\"Collective name\":\"allreduce\",\"Process Group Name\":\"1\","
                 "\"Process Group Ranks\":%s,\"Seq\":%u",
                 ranks[rank / 2], step + 1);
        out = put_work(out, rank, start + 100 + late, first, args);
        out = put_work(out, rank, start + 400, 20, args);
        snprintf(args, sizeof args,
                 "\"Collective name\":\"%s\",\"Process Group Name\":\"1\","
                 "\"Process Group Ranks\":%s,\"Seq\":%u",
                 rank % 2 == 0 ? "send" : "recv", ranks[rank / 2], step + 1);
        out = put_work(out, rank, start + 500, rank < 3 ? 10 : 500, args);
    }
    sprintf(out, "{\"ph\":\"M\"}]}");
    snprintf(name, sizeof name, "in/rank-%u.json", rank);
    ResultsWrite(name, text);
}

START_TEST(groups_of_one_name_and_sends_are_told_apart)
{
    for (unsigned rank = 0; rank < 4; rank++) {
        write_pair(rank);
    }
    ck_assert_int_eq(RunKineto(ResultsPath("in"), NULL), OPPROF_RUN_COMPLETE);
    check("collectives.csv", "group=1 [0, 1]", "count", "4");
    check("collectives.csv", "group=1 [0, 1]", "transfer_mean(us)", "25.000");
    check("collectives.csv", "group=1 [0, 1]", "wait_mean(us)", "0.000");
    check("collectives.csv", "group=1 [2, 3]", "count", "4");
    check("collectives.csv", "group=1 [2, 3]", "transfer_mean(us)", "40.000");
    /* 100 us in two of eight calls */
    check("collectives.csv", "group=1 [2, 3]", "wait_mean(us)", "25.000");
    check("collectives.csv", "collective=send", "count", "0");
    check("collectives.csv", "collective=send", "unmatched", "2");
    check("collectives.csv", "collective=send", "transfer_mean(us)", "10.000");
    check("collectives.csv", "collective=send", "wait_mean(us)", "NA");
    for (unsigned rank = 0; rank < 4; rank++) {
        char where[16];

        snprintf(where, sizeof where, "rank=%u", rank);
        check("collective_ranks.csv", where, "count", "4");
        check("collective_ranks.csv", where, "late", rank == 3 ? "2" : "0");
        check("stragglers.csv", where, "steps", rank < 2 ? "0" : "1");
        check("stragglers.csv", where, "late_steps", rank == 3 ? "1" : "0");
    }
    check("collective_ranks.csv", "rank=3", "cost(us)", "200.000");
    check("stragglers.csv", "rank=3", "cost(us)", "100.000");
    check("stragglers.csv", "rank=3", "group", "1 [2, 3]");
    ck_assert_uint_eq(RowCount("collective_skews.csv"), 2);
}
END_TEST

START_TEST(a_rank_alone_has_bandwidths_but_no_waits)
{
    write_rank(0);
    ck_assert_int_eq(RunKineto(ResultsPath("in/rank-0.json"), NULL), OPPROF_RUN_COMPLETE);
    check("collectives.csv", "group=tp", "count", "0");
    check("collectives.csv", "group=tp", "unmatched", "10");
    /* (9 * 50 + 55) / 10 us, with waiting */
    check("collectives.csv", "group=tp", "transfer_mean(us)", "50.500");
    check("collectives.csv", "group=tp", "wait_mean(us)", "NA");
    check("collectives.csv", "group=tp", "skew_max(us)", "NA");
    /* 40 MB in 505 us, and 2 * 2 / 3 of it over each link */
    check("collectives.csv", "group=tp", "algorithm_bandwidth(GB/s)", "79.208");
    check("collectives.csv", "group=tp", "bus_bandwidth(GB/s)", "105.611");
    ck_assert_uint_eq(RowCount("collective_ranks.csv"), 0);
    ck_assert_uint_eq(RowCount("collective_skews.csv"), 0);
}
END_TEST

/* AMD's types of 8 bits: a million bytes in 50 us. */
START_TEST(types_of_one_byte_have_sizes)
{
    static const char *const types[] = { "Float8_e4m3fn", "Float8_e5m2", "Float8_e4m3fnuz",
                                         "Float8_e5m2fnuz" };

    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        char text[1024];

        snprintf(text, sizeof text,
                 "[{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"ts\":0,\"dur\":50,\"args\":{"
                 "\"Collective name\":\"allreduce\",\"In msg nelems\":1000000,"
                 "\"Group size\":2,\"dtype\":\"%s\"}}]",
                 types[i]);
        ck_assert_int_eq(RunKineto(ResultsWrite("trace.json", text), NULL), OPPROF_RUN_COMPLETE);
        check("collectives.csv", "collective=allreduce", "algorithm_bandwidth(GB/s)", "20.000");
        check("collectives.csv", "collective=allreduce", "bus_bandwidth(GB/s)", "20.000");
    }
}
END_TEST

/* A begin has the arguments of its end: 4000 bytes in 20 us. */
START_TEST(a_begin_has_the_arguments)
{
    ck_assert_int_eq(
        RunKineto(
            ResultsWrite(
                "trace.json",
                "[{\"ph\":\"B\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":0,\"tid\":7,\"ts\":10,"
                "\"args\":{\"Collective name\":\"broadcast\",\"Process Group Name\":\"3\","
                "\"Process Group Ranks\":\"[0, 1]\",\"Group size\":2,\"In msg nelems\":1000,"
                "\"dtype\":\"Float\"}},{\"ph\":\"E\",\"pid\":0,\"tid\":7,\"ts\":30}]"),
            NULL),
        OPPROF_RUN_COMPLETE);
    check("collectives.csv", "collective=broadcast", "group", "3 [0, 1]");
    check("collectives.csv", "collective=broadcast", "bus_bandwidth(GB/s)", "0.200");
}
END_TEST

static Suite *collectives_suite(void)
{
    Suite *suite = suite_create("collectives");
    TCase *tcase = tcase_create("collectives");

    tcase_add_checked_fixture(tcase, ResultsSetUp, ResultsTearDown);
    tcase_add_test(tcase, forms_are_told_by_names);
    tcase_add_test(tcase, recordings_of_a_rank_are_numbered);
    tcase_add_test(tcase, who_is_in_it_shortest_came_last);
    tcase_add_test(tcase, sums_of_many_ranks_equal_counting);
    tcase_add_test(tcase, calls_are_numbered);
    tcase_add_test(tcase, groups_of_one_name_and_sends_are_told_apart);
    tcase_add_test(tcase, the_late_rank_its_cost_and_the_bandwidth_are_found);
    tcase_add_test(tcase, bandwidth_is_by_size);
    tcase_add_test(tcase, a_rank_alone_has_bandwidths_but_no_waits);
    tcase_add_test(tcase, types_of_one_byte_have_sizes);
    tcase_add_test(tcase, a_begin_has_the_arguments);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(collectives_suite)
