/* SPDX-License-Identifier: Apache-2.0 */
/* The critical path of traces: how long it is, what it is made of, what a part would gain, where it
 * is drawn. */
#include "results.h"

#include "tests/core/suites.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORK(name, stream, ts, dur, correlation)                                                   \
    "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"" name "\",\"ts\":" ts ",\"dur\":" dur            \
    ",\"args\":{\"device\":0,\"stream\":" stream ",\"correlation\":" correlation "}},"
#define HOST(cat, name, tid, ts, dur)                                                              \
    "{\"ph\":\"X\",\"cat\":\"" cat "\",\"name\":\"" name "\",\"pid\":1,\"tid\":" tid ",\"ts\":" ts \
    ",\"dur\":" dur "},"
#define CALL(name, ts, dur, correlation)                                                           \
    "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"" name "\",\"pid\":1,\"tid\":1,\"ts\":" ts  \
    ",\"dur\":" dur ",\"args\":{\"correlation\":" correlation "}},"
#define LAST "{\"ph\":\"M\"}"

static void check_part(const char *part, double time, double half, double whole)
{
    char where[64];

    snprintf(where, sizeof where, "part=%s", part);
    ck_assert_double_eq_tol(CellNumber("critical_path.csv", where, "time(us)"), time, 1e-9);
    ck_assert_double_eq_tol(CellNumber("critical_path.csv", where, "gain_if_half(us)"), half, 1e-9);
    ck_assert_double_eq_tol(CellNumber("critical_path.csv", where, "gain_if_none(us)"), whole,
                            1e-9);
}

static double part_time(const char *part)
{
    char where[64];

    snprintf(where, sizeof where, "part=%s", part);
    return CellNumber("critical_path.csv", where, "time(us)");
}

static void run(const char *text, const char *const *settings)
{
    ck_assert_int_eq(RunKineto(ResultsWrite("trace.json", text), settings), OPPROF_RUN_COMPLETE);
}

/*
 * The reference's path has 1178 us: 1149 of operators and work (124 of these are work), 15 between
 * kernels, 14 launching. This one also has what the reference leaves out: 29 us of calls that may
 * wait, which take no time there, and the time between operators. The trace's first event of host
 * or device begins 19930 us before the last one ends.
 */
START_TEST(the_path_of_the_sample_has_that_of_the_reference)
{
    ck_assert_int_eq(RunKineto(SamplePath("event_sync_multi_stream.json.gz"), NULL),
                     OPPROF_RUN_COMPLETE);
    ck_assert_double_eq_tol(CellNumber("critical_path.csv", "part=host", "path(us)"), 19930, 1e-9);
    ck_assert_double_eq_tol(part_time("host"), 1149 - 124 + 29, 1e-9);
    ck_assert_double_eq_tol(part_time("computation") + part_time("memory"), 124, 1e-9);
    ck_assert_double_eq_tol(part_time("kernel_gap"), 15, 1e-9);
    ck_assert_double_eq_tol(part_time("launch_delay"), 14, 1e-9);
    ck_assert_double_eq_tol(part_time("outside_operators"), 19930 - 1178 - 29, 1e-9);
}
END_TEST

/*
 * 10 us of the first operator, 20 to its kernel, which takes 200 and which the host waits for until
 * 10 us later; 10 outside of operators, 10 of the second operator, 20 to its collective of 120, and
 * 10 until the host has waited for it. Calls take 10 us by themselves.
 *
 * Without the kernel the first wait ends at 120 instead of 240. Without the collective the second
 * wait is over 10 us after its own beginning at 310.
 */
static const char waiting[] =
    "[" HOST("cpu_op", "aten::a", "1", "0", "100") CALL("cudaLaunchKernel", "10", "10", "1")
        CALL("cudaStreamSynchronize", "110", "130", "2") WORK("gemm", "7", "30", "200", "1")
            HOST("cpu_op", "aten::b", "1", "250", "50") CALL("cudaLaunchKernel", "260", "10", "3")
                WORK("ncclDevKernel_AllReduce", "7", "280", "120", "3")
                    CALL("cudaDeviceSynchronize", "310", "100", "4") LAST "]";

/* The host is in operators for 20 of 200 us. */
START_TEST(time_outside_of_operators_is_a_part)
{
    run("[" HOST("cpu_op", "aten::a", "1", "0", "10") HOST("cpu_op", "aten::b", "1", "190", "10")
            CALL("cudaLaunchKernel", "191", "1", "1") WORK("k", "7", "195", "1", "1") LAST "]",
        NULL);
    ck_assert_double_eq_tol(CellNumber("critical_path.csv", "part=host", "path(us)"), 200, 1e-9);
    check_part("outside_operators", 180, 90, 180);
    /* Half of it leaves 5 + 180, and until the work's end 0.5 + 4 + 1. */
    check_part("host", 20, 9.5, 15);
    ck_assert_ptr_nonnull(
        strstr(ResultText("advice.csv"),
               "90.0 % of the critical path is time of the host outside of operators"));
    /* Without it the path is 20 us long. */
    ck_assert_double_eq_tol(CellNumber("advice.csv", "rule=critical-path", "gain(%)"), 90, 0.051);
}
END_TEST

START_TEST(the_host_waits_for_work)
{
    run(waiting, NULL);
    ck_assert_double_eq_tol(CellNumber("critical_path.csv", "part=host", "path(us)"), 410, 1e-9);
    check_part("host", 40, 20, 40);
    check_part("launch_delay", 40, 20, 40);
    check_part("computation", 200, 100, 120);
    check_part("communication", 120, 60, 90);
    check_part("outside_operators", 10, 5, 10);
    ck_assert_double_eq_tol(
        CellNumber("critical_path_names.csv", "part=computation;name=gemm", "time(us)"), 200, 1e-9);
    ck_assert_double_eq_tol(
        CellNumber("critical_path_names.csv", "part=host;name=aten::b", "time(us)"), 10, 1e-9);
    /* Computation is what the run is for: only the host's parts are advised on. */
    ck_assert_ptr_null(strstr(ResultText("advice.csv"), "critical path is computation"));
}
END_TEST

START_TEST(it_is_drawn_over_the_timeline)
{
    const char *trace;

    run(waiting, NULL);
    trace = ResultText("trace.json");
    ck_assert_ptr_nonnull(trace);
    ck_assert_ptr_nonnull(strstr(trace, "rank 0 critical path"));
}
END_TEST

#define ON_LINE(category, dur, name)                                                               \
    "\"cat\":\"" category "\",\"dur\":" dur ",\"name\":\"" name                                    \
    "\",\"ph\":\"X\",\"pid\":\"rank 0 critical path\",\"tid\":\"critical path\",\"ts\":"

static unsigned occurrences(const char *text, const char *part)
{
    unsigned count = 0;

    for (text = strstr(text, part); text != NULL; text = strstr(text + 1, part)) {
        count++;
    }
    return count;
}

/* Each piece of work is drawn, and as one piece what comes before it: 10 us of the host and 20
 * until the first begins, 10 until the host has waited, 10 outside of operators, 10 in one and 20
 * to the second, and 10 at the end. A new iteration parts the 20 us from those before. */
START_TEST(what_comes_before_work_is_one_piece)
{
    static const char step[] = HOST("user_annotation", "ProfilerStep#0", "1", "0", "255")
        HOST("user_annotation", "ProfilerStep#1", "1", "255", "155");
    char text[4096];

    run(waiting, NULL);
    ck_assert_ptr_nonnull(
        strstr(ResultText("trace.json"), ON_LINE("launch_delay", "30", "gemm") "0"));
    ck_assert_ptr_nonnull(
        strstr(ResultText("trace.json"), ON_LINE("computation", "200", "gemm") "30"));
    ck_assert_ptr_nonnull(strstr(ResultText("trace.json"),
                                 ON_LINE("launch_delay", "50", "ncclDevKernel_AllReduce") "230"));
    ck_assert_ptr_nonnull(strstr(ResultText("trace.json"),
                                 ON_LINE("communication", "120", "ncclDevKernel_AllReduce") "280"));
    ck_assert_ptr_nonnull(
        strstr(ResultText("trace.json"), ON_LINE("host", "10", "cudaDeviceSynchronize") "400"));
    ck_assert_uint_eq(occurrences(ResultText("trace.json"), "\"tid\":\"critical path\",\"ts\""), 5);
    snprintf(text, sizeof text, "[%s%s", step, waiting + 1);
    run(text, NULL);
    ck_assert_ptr_nonnull(strstr(ResultText("trace.json"),
                                 ON_LINE("launch_delay", "20", "ncclDevKernel_AllReduce") "260"));
    ck_assert_uint_eq(occurrences(ResultText("trace.json"), "\"tid\":\"critical path\",\"ts\""), 6);
}
END_TEST

/* The second stream waits for an event of the first one: 10, 10 to the first kernel, 100, 5 to the
 * second one, 25, and 10 until the host goes on. Without computation the second kernel ends 10 us
 * after its launch at 18, and the host waits from 30 on for 10 us at most. */
START_TEST(a_stream_waits_for_another)
{
    run("[" HOST("cpu_op", "aten::a", "1", "0", "25") CALL("cudaLaunchKernel", "10", "2", "1")
            CALL("cudaEventRecord", "14", "1", "2") CALL("cudaStreamWaitEvent", "16", "1", "3")
                CALL("cudaLaunchKernel", "18", "2", "4")
                    CALL("cudaDeviceSynchronize", "30", "130", "5")
                        WORK("first", "7", "20", "100", "1")
                            WORK("second", "8", "125", "25",
                                 "4") "{\"ph\":\"X\",\"cat\":\"cuda_sync\",\"name\":\"Stream Wait "
                                      "Event\",\"pid\":0,\"tid\":8,"
                                      "\"ts\":16,\"dur\":1,\"args\":{\"wait_on_stream\":7,"
                                      "\"wait_on_cuda_event_record_corr_id\":2,\"stream\":8,"
                                      "\"correlation\":3,\"device\":0}},"
                                      "{\"ph\":\"X\",\"cat\":\"cuda_sync\",\"name\":\"Context "
                                      "Sync\",\"pid\":0,\"tid\":-1,"
                                      "\"ts\":30,\"dur\":120,\"args\":{\"stream\":-1,"
                                      "\"correlation\":5,\"device\":0}}," LAST "]",
        NULL);
    ck_assert_double_eq_tol(CellNumber("critical_path.csv", "part=host", "path(us)"), 160, 1e-9);
    check_part("computation", 125, 62.5, 120);
    ck_assert_double_eq_tol(part_time("kernel_gap"), 5, 1e-9);
    ck_assert_double_eq_tol(part_time("host"), 20, 1e-9);
}
END_TEST

/* Of two operators with the same times the one that comes later in the trace is inside the other: 5
 * us and 15. */
START_TEST(the_later_of_two_with_the_same_times_is_inside)
{
    run("[" HOST("cpu_op", "aten::inner", "1", "0", "5") HOST(
            "cpu_op", "aten::outer", "1", "10", "20") HOST("cpu_op", "aten::inner", "1", "10", "20")
            CALL("cudaLaunchKernel", "25", "2", "1") WORK("k", "7", "40", "10", "1") LAST "]",
        NULL);
    ck_assert_double_eq_tol(
        CellNumber("critical_path_names.csv", "part=host;name=aten::inner", "time(us)"), 20, 1e-9);
    ck_assert_double_eq_tol(
        CellNumber("critical_path_names.csv", "part=host;name=aten::outer", "time(us)"), 0, 1e-9);
}
END_TEST

/* A graph is launched once; its second kernel follows the first. */
START_TEST(a_graph_is_launched_once)
{
    run("[" HOST("cpu_op", "aten::a", "1", "0", "15") CALL("cudaGraphLaunch", "10", "2", "1")
            WORK("first", "7", "20", "10", "1") WORK("second", "7", "31", "9", "1") LAST "]",
        NULL);
    ck_assert_double_eq_tol(CellNumber("critical_path.csv", "part=host", "path(us)"), 40, 1e-9);
    ck_assert_double_eq_tol(CellNumber("critical_path.csv", "part=kernel_gap", "time(us)"), 1,
                            1e-9);
}
END_TEST

/* Loading of data is a part of its own, and a window takes only what begins in it. */
START_TEST(data_loading_and_windows)
{
    static const char text[] =
        "[" HOST("user_annotation", "enumerate(DataLoader)#_Single.__next__", "1", "0", "50")
            HOST("user_annotation", "phase one", "1", "60", "40")
                HOST("cpu_op", "aten::a", "1", "60", "30")
                    HOST("user_annotation", "phase two", "1", "100", "40")
                        HOST("cpu_op", "aten::b", "1", "110", "20")
                            CALL("cudaLaunchKernel", "115", "2", "1")
                                WORK("k", "7", "120", "3", "1") LAST "]";
    static const char *const window[] = { "path.window=phase two", NULL };

    run(text, NULL);
    ck_assert_double_eq_tol(CellNumber("critical_path.csv", "part=data_loading", "time(us)"), 50,
                            1e-9);
    ck_assert_double_eq_tol(CellNumber("critical_path.csv", "part=host", "path(us)"), 130, 1e-9);
    run(text, window);
    ck_assert_double_eq_tol(CellNumber("critical_path.csv", "part=host", "path(us)"), 20, 1e-9);
}
END_TEST

/* The same for iterations, which the profiler's schedule annotates; a window that is misspelt is
 * told. */
START_TEST(a_window_may_be_an_iteration)
{
    static const char text[] = "[" HOST("user_annotation", "ProfilerStep#5", "1", "0", "100")
        HOST("cpu_op", "aten::a", "1", "1", "10") CALL("cudaLaunchKernel", "2", "5", "1")
            WORK("k", "7", "10", "80", "1") HOST("user_annotation", "ProfilerStep#6", "1", "100",
                                                 "100") HOST("cpu_op", "aten::b", "1", "101", "20")
                CALL("cudaLaunchKernel", "105", "4", "2") WORK("l", "7", "115", "60", "2") LAST "]";
    static const char *const window[] = { "path.window=ProfilerStep#6", NULL };
    static const char *const misspelt[] = { "path.window=ProfilerStop", NULL };

    run(text, window);
    ck_assert_double_eq_tol(CellNumber("critical_path.csv", "part=host", "path(us)"), 74, 1e-9);
    ck_assert_double_eq_tol(CellNumber("critical_path.csv", "part=host", "time(us)"), 4, 1e-9);
    ck_assert_double_eq_tol(CellNumber("critical_path.csv", "part=computation", "time(us)"), 60,
                            1e-9);
    ck_assert_int_eq(RunKineto(ResultsWrite("trace.json", text), misspelt), OPPROF_RUN_INCOMPLETE);
    ck_assert_ptr_nonnull(strstr(ResultText("run.json"), "'ProfilerStop'"));
}
END_TEST

/* The stream is empty for 900 us before the second launch, and the third one comes before that work
 * begins. */
START_TEST(work_waits_for_its_launch_in_a_burst_too)
{
    run("[" HOST("cpu_op", "aten::first", "1", "0", "10") CALL("cudaLaunchKernel", "2", "5", "1")
            WORK("k", "7", "10", "90", "1") HOST("cpu_op", "aten::second", "1", "1000", "20")
                CALL("cudaLaunchKernel", "1002", "4", "2")
                    CALL("cudaLaunchKernel", "1008", "4", "3") WORK("l", "7", "1010", "90", "2")
                        WORK("m", "7", "1102", "90", "3") LAST "]",
        NULL);
    /* 10 and 2 of the operators and 990 between, 8 to the second kernel, 90, 2, 90. */
    ck_assert_double_eq_tol(CellNumber("critical_path.csv", "part=host", "path(us)"), 1192, 1e-9);
    ck_assert_double_eq_tol(CellNumber("critical_path.csv", "part=launch_delay", "time(us)"), 8,
                            1e-9);
    ck_assert_double_eq_tol(CellNumber("critical_path.csv", "part=kernel_gap", "time(us)"), 2,
                            1e-9);
}
END_TEST

#define COPY(ts, dur, correlation)                                                                 \
    "{\"ph\":\"X\",\"cat\":\"gpu_memcpy\",\"name\":\"Memcpy HtoD (Pinned -> Device)\",\"ts\":" ts  \
    ",\"dur\":" dur ",\"args\":{\"device\":0,\"stream\":7,\"correlation\":" correlation "}},"

/* A call that may wait takes the host's time if its own copy ended after it. */
START_TEST(a_call_that_did_not_wait_is_work_of_the_host)
{
    run("[" HOST("cpu_op", "aten::copy_", "1", "0", "100") CALL("cudaMemcpyAsync", "10", "50", "1")
            COPY("70", "10", "1") LAST "]",
        NULL);
    ck_assert_double_eq_tol(CellNumber("critical_path.csv", "part=host", "time(us)"), 100, 1e-9);
    /* A copy of which only the last 2 us come after the call was waited for, by clocks that differ
     * a little: 10 of the host, 12 to the copy, 38 of it, 40 of the host. */
    run("[" HOST("cpu_op", "aten::copy_", "1", "0", "100") CALL("cudaMemcpyAsync", "10", "50", "1")
            COPY("22", "40", "1") LAST "]",
        NULL);
    ck_assert_double_eq_tol(part_time("host"), 50, 1e-9);
    ck_assert_double_eq_tol(part_time("memory"), 38, 1e-9);
    /* 10 of the host, 5 to the copy, 40, and 45 of the host after it. */
    run("[" HOST("cpu_op", "aten::copy_", "1", "0", "100") CALL("cudaMemcpyAsync", "10", "50", "1")
            COPY("15", "40", "1") LAST "]",
        NULL);
    ck_assert_double_eq_tol(CellNumber("critical_path.csv", "part=host", "path(us)"), 100, 1e-9);
    ck_assert_double_eq_tol(part_time("host"), 55, 1e-9);
}
END_TEST

#define LAUNCH(tid, ts, dur)                                                                       \
    "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":" tid  \
    ",\"ts\":" ts ",\"dur\":" dur ",\"args\":{\"correlation\":" tid "}},"

/* Of two calls with a lock that end together, the one that began first had it, whichever thread the
 * trace names first. */
START_TEST(the_first_of_two_calls_has_the_lock)
{
#define FIRST HOST("cpu_op", "aten::a", "1", "0", "60") LAUNCH("1", "10", "50")
#define SECOND HOST("cpu_op", "aten::b", "2", "15", "85") LAUNCH("2", "20", "40")
#define BOTH WORK("k", "7", "70", "1", "1") WORK("l", "8", "72", "1", "2")
    static const char *const texts[] = { "[" FIRST SECOND BOTH LAST "]",
                                         "[" SECOND FIRST BOTH LAST "]" };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        run(texts[i], NULL);
        ck_assert_double_eq_tol(CellNumber("critical_path.csv", "part=host", "path(us)"), 100,
                                1e-9);
    }
}
END_TEST

/*
 * Three ranks with clocks of their own, each of which computes, then all of them reduce and leave
 * together, then each computes again. Rank 1 computes 100 us first and is in the collective 20 us,
 * the others 40 and 30 us longer. After it rank 2 computes longest, 90 us. The longest way: 10 us
 * of rank 1's operator, 10 to its kernel, its 100, 5 to its collective, the 20 us of that; from its
 * end rank 2's gap of 4 and its 90: 239 us, of which rank 1 has 145.
 */
static void write_rank(int rank, int first, int wait, int second)
{
    const int base = 1000 * (rank + 1);
    const int launch = base + 10;
    const int gemm = launch + 10;
    const int reduce = gemm + first + 5;
    const int end = reduce + wait;
    char name[32];
    char text[4096];

    snprintf(
        text, sizeof text,
        "{\"distributedInfo\":{\"rank\":%d},\"traceEvents\":["
        "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::a\",\"pid\":1,\"tid\":1,\"ts\":%d,"
        "\"dur\":20},"
        "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaGraphLaunch\",\"pid\":1,\"tid\":1,"
        "\"ts\":%d,\"dur\":5,\"args\":{\"correlation\":1}},"
        "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"gemm\",\"ts\":%d,\"dur\":%d,"
        "\"args\":{\"device\":0,\"stream\":7,\"correlation\":1}},"
        "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"ncclDevKernel_AllReduce\",\"ts\":%d,\"dur\":%"
        "d,"
        "\"args\":{\"device\":0,\"stream\":7,\"correlation\":1,\"Collective name\":\"allreduce\","
        "\"Process Group Name\":\"0\",\"Seq\":4}},"
        "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"last\",\"ts\":%d,\"dur\":%d,"
        "\"args\":{\"device\":0,\"stream\":7,\"correlation\":1}},{\"ph\":\"M\"}]}",
        rank, base, launch, gemm, first, reduce, wait, end + 4, second);
    snprintf(name, sizeof name, "in/rank-%d.json", rank);
    ResultsWrite(name, text);
}

START_TEST(a_rank_waits_for_another)
{
    static const char *const few[] = { "path.most_spans=3", NULL };

    write_rank(0, 60, 60, 10);
    write_rank(1, 100, 20, 10);
    write_rank(2, 70, 50, 90);
    ck_assert_int_eq(RunKineto(ResultsPath("in"), NULL), OPPROF_RUN_COMPLETE);
    ck_assert_double_eq_tol(CellNumber("critical_path.csv", "rank=0;part=host", "path(us)"), 159,
                            1e-9);
    ck_assert_double_eq_tol(CellNumber("critical_path.csv", "rank=1;part=host", "path(us)"), 159,
                            1e-9);
    ck_assert_double_eq_tol(CellNumber("critical_path.csv", "rank=2;part=host", "path(us)"), 239,
                            1e-9);
    ck_assert_double_eq_tol(CellNumber("critical_path.csv", "rank=all;part=host", "path(us)"), 239,
                            1e-9);
    ck_assert_double_eq_tol(
        CellNumber("critical_path.csv", "rank=all;part=computation", "time(us)"), 190, 1e-9);
    ck_assert_double_eq_tol(
        CellNumber("critical_path.csv", "rank=all;part=communication", "time(us)"), 20, 1e-9);
    ck_assert_double_eq_tol(
        CellNumber("critical_path_names.csv", "rank=all;part=computation;name=gemm", "time(us)"),
        100, 1e-9);
    ck_assert_double_eq_tol(CellNumber("critical_path_ranks.csv", "rank=1", "time(us)"), 145, 1e-9);
    ck_assert_double_eq_tol(CellNumber("critical_path_ranks.csv", "rank=2", "time(us)"), 94, 1e-9);
    ck_assert_double_eq_tol(CellNumber("critical_path_ranks.csv", "rank=2", "entered"), 1, 1e-9);
    ck_assert_uint_eq(RowCount("critical_path_ranks.csv"), 2);
    ck_assert_ptr_nonnull(strstr(ResultText("rank2/trace.json"), "of all ranks"));
    /* Without the computation of all ranks rank 1's collective is left: 10 + 10 + 5 + 20 + 4. */
    ck_assert_double_eq_tol(
        CellNumber("critical_path.csv", "rank=all;part=computation", "gain_if_none(us)"), 190,
        1e-9);
    ck_assert_int_eq(RunKineto(ResultsPath("in"), few), OPPROF_RUN_COMPLETE);
    ck_assert_ptr_null(Cell("critical_path.csv", "rank=all", "path(us)"));
    ck_assert_ptr_nonnull(strstr(ResultText("run.json"),
                                 "No critical path through all ranks: they have 15 operators, "
                                 "calls and pieces of work, more than the 3"));
}
END_TEST

/* The backward thread runs while the forward thread waits for it. */
START_TEST(forward_and_backward_are_one)
{
    run("[" HOST("cpu_op", "forward", "1", "0",
                 "50") HOST("cpu_op", "autograd::engine::evaluate_function: Mm", "2", "60", "30")
            HOST("cpu_op", "aten::step", "1", "100", "20") CALL("cudaLaunchKernel", "105", "2", "1")
                WORK("k", "7", "110", "3", "1") LAST "]",
        NULL);
    ck_assert_double_eq_tol(part_time("host"), 100, 1e-9);
}
END_TEST

/* Forward operators need not say so, may run again on the backward thread, and are not those of a
 * loader. */
START_TEST(the_forward_thread_is_found)
{
#define BACKWARD HOST("cpu_op", "autograd::engine::evaluate_function: Mm", "2", "60", "30")
#define LOADER HOST("cpu_op", "aten::pin_memory", "3", "0", "95")
#define STEP                                                                                       \
    HOST("cpu_op", "aten::step", "1", "100", "20")                                                 \
    CALL("cudaLaunchKernel", "105", "2", "1") WORK("k", "7", "110", "3", "1") LAST "]"
    static const struct {
        const char *text;
        double host;
    } traces[] = {
        { "[" LOADER HOST("cpu_op", "aten::mm", "1", "0", "50") BACKWARD STEP, 100 },
        { "[" HOST("cpu_op", "sdpa_forward", "1", "0", "50")
              BACKWARD HOST("cpu_op", "sdpa_forward", "2", "70", "10") STEP,
          100 },
        { "[" HOST("cpu_op", "forward", "1", "0", "50") HOST("cpu_op", "forward", "3", "0", "50")
              BACKWARD STEP,
          70 },
    };

    for (size_t i = 0; i < sizeof traces / sizeof traces[0]; i++) {
        run(traces[i].text, NULL);
        ck_assert_double_eq_tol(part_time("host"), traces[i].host, 1e-9);
    }
}
END_TEST

#define LOOP_ROUNDS 20

/* 20 launches of 10 us every 20 us, each with work of 90 us behind that of the one before: the
 * device is busy from 15 to 1815, then the host looks for 5 us. */
START_TEST(late_launches_do_not_hide_the_stream)
{
    char text[16384] = "[";
    size_t at = 1;

    for (int i = 0; i < LOOP_ROUNDS; i++) {
        at += (size_t) snprintf(
            text + at, sizeof text - at,
            "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::a\",\"pid\":1,\"tid\":1,\"ts\":%d,"
            "\"dur\":15},{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\","
            "\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":5,\"args\":{\"correlation\":%d}},{\"ph\":\"X\","
            "\"cat\":\"kernel\",\"name\":\"k\",\"ts\":%d,\"dur\":90,\"args\":{\"device\":0,"
            "\"stream\":7,\"correlation\":%d}},",
            20 * i, 20 * i + 10, i + 1, 15 + 90 * i, i + 1);
    }
    snprintf(text + at, sizeof text - at, "%s",
             CALL("cudaDeviceSynchronize", "400", "1420", "99") LAST "]");
    run(text, NULL);
    ck_assert_double_eq_tol(CellNumber("critical_path.csv", "part=host", "path(us)"), 1820, 1e-9);
    ck_assert_double_eq_tol(part_time("computation"), 1800, 1e-9);
    ck_assert_double_eq_tol(part_time("host"), 15, 1e-9);
    ck_assert_double_eq_tol(part_time("launch_delay"), 5, 1e-9);
    /* Half of the work ends at 15 + 20 * 45, and without any the host looks from 400 to 405. */
    check_part("computation", 1800, 900, 1820 - 405);
}
END_TEST

/* Without events that say who waited, work waits for what ended last before it, and nothing is said
 * of gains. */
START_TEST(without_recorded_waits_the_latest_counts)
{
    run("[" HOST("cpu_op", "aten::a", "1", "0", "40") CALL("cudaLaunchKernel", "10", "2", "1")
            CALL("cudaLaunchKernel", "14", "2", "2") CALL("cudaLaunchKernel", "18", "2", "3")
                WORK("first", "7", "20", "5000", "1") WORK("second", "8", "5030", "4000", "2")
                    WORK("third", "7", "9040", "100", "3") LAST "]",
        NULL);
    ck_assert_double_eq_tol(CellNumber("critical_path.csv", "part=host", "path(us)"), 9140, 1e-9);
    ck_assert_double_eq_tol(part_time("computation"), 9100, 1e-9);
    ck_assert_double_eq_tol(part_time("kernel_gap"), 20, 1e-9);
    ck_assert_double_eq_tol(part_time("host"), 10, 1e-9);
    ck_assert_str_eq(Cell("critical_path.csv", "part=host", "gain_if_half(us)"), "NA");
}
END_TEST

static Suite *critical_path_suite(void)
{
    Suite *suite = suite_create("critical_path");
    TCase *tcase = tcase_create("critical path");

    tcase_add_checked_fixture(tcase, ResultsSetUp, ResultsTearDown);
    tcase_add_test(tcase, the_path_of_the_sample_has_that_of_the_reference);
    tcase_add_test(tcase, time_outside_of_operators_is_a_part);
    tcase_add_test(tcase, late_launches_do_not_hide_the_stream);
    tcase_add_test(tcase, without_recorded_waits_the_latest_counts);
    tcase_add_test(tcase, the_host_waits_for_work);
    tcase_add_test(tcase, it_is_drawn_over_the_timeline);
    tcase_add_test(tcase, what_comes_before_work_is_one_piece);
    tcase_add_test(tcase, a_stream_waits_for_another);
    tcase_add_test(tcase, the_later_of_two_with_the_same_times_is_inside);
    tcase_add_test(tcase, a_graph_is_launched_once);
    tcase_add_test(tcase, data_loading_and_windows);
    tcase_add_test(tcase, a_window_may_be_an_iteration);
    tcase_add_test(tcase, work_waits_for_its_launch_in_a_burst_too);
    tcase_add_test(tcase, a_call_that_did_not_wait_is_work_of_the_host);
    tcase_add_test(tcase, the_first_of_two_calls_has_the_lock);
    tcase_add_test(tcase, forward_and_backward_are_one);
    tcase_add_test(tcase, the_forward_thread_is_found);
    tcase_add_test(tcase, a_rank_waits_for_another);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(critical_path_suite)
