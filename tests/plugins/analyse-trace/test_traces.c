/* SPDX-License-Identifier: Apache-2.0 */
/* The pipeline `kineto` over traces made for the purpose, and its analyses over other timelines. */
#include "results.h"

#include "tests/core/suites.h"

#include <opprof/records/activity.h>
#include <opprof/stage.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define KERNEL(name, stream, ts, dur, correlation)                                                 \
    "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"" name "\",\"ts\":" ts ",\"dur\":" dur            \
    ",\"args\":{\"device\":0,\"stream\":" stream ",\"correlation\":" correlation "}},"
#define CALL(ts, dur, correlation)                                                                 \
    "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"ts\":" ts              \
    ",\"dur\":" dur ",\"args\":{\"correlation\":" correlation "}},"
#define STEP(number, ts, dur)                                                                      \
    "{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#" number "\",\"ts\":" ts    \
    ",\"dur\":" dur "},"
#define TRACE(rank, events)                                                                        \
    "{\"distributedInfo\":{\"rank\":" rank "},\"traceEvents\":[" events "{\"ph\":\"M\"}]}"

#define BREAKDOWN "temporal_breakdown.csv"

#define CHECK_TEXT(file, where, column, wanted)                                                    \
    do {                                                                                           \
        const char *cell_ = Cell((file), (where), (column));                                       \
        ck_assert_msg(cell_ != NULL, "%s has no row where %s", (file), (where));                   \
        ck_assert_msg(strcmp(cell_, (wanted)) == 0, "%s where %s: %s is '%s', not '%s'", (file),   \
                      (where), (column), cell_, (wanted));                                         \
    } while (0)

static void run(const char *input, OpprofRunOutcome wanted)
{
    const int outcome = RunKineto(input, NULL);

    ck_assert_msg(outcome == (int) wanted, "%d: %s", outcome, RunReason());
}

/* ---- odd traces ---- */

START_TEST(traces_of_nothing_are_incomplete)
{
    static const char *const texts[] = {
        "{\"traceEvents\":[]}",
        "[]",
        "[{\"ph\":\"M\",\"name\":\"process_name\"}]",
    };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        run(ResultsWrite("trace.json", texts[i]), OPPROF_RUN_INCOMPLETE);
        ck_assert_ptr_nonnull(strstr(RunReason(), "is device work, an iteration or an operator"));
    }
}
END_TEST

START_TEST(traces_without_device_work_give_zeros)
{
    static const char *const texts[] = {
        "[{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::mm\",\"ts\":1,\"dur\":2}]",
        TRACE("0", CALL("1", "2", "3") STEP("1", "0", "9")),
    };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        run(ResultsWrite("trace.json", texts[i]), OPPROF_RUN_COMPLETE);
        ck_assert_uint_eq(RowCount(BREAKDOWN), 1);
        CHECK_TEXT(BREAKDOWN, "rank=0", "kernel_time(us)", "0.000");
        CHECK_TEXT(BREAKDOWN, "rank=0", "idle_time_pctg", "0.0000");
        CHECK_TEXT("comm_comp_overlap.csv", "rank=0", "comp_comm_overlap_pctg", "NA");
        CHECK_TEXT("launch_stats.csv", "rank=0", "count", "0");
        ck_assert_ptr_nonnull(strstr(ResultText("temporal_breakdown.json"), "\"rank\": 0"));
    }
}
END_TEST

START_TEST(a_cut_trace_keeps_its_good_part)
{
    static const char text[] =
        TRACE("4", KERNEL("k", "7", "1", "2", "1") KERNEL("k", "7", "11", "2", "2"));

    run(ResultsWrite("trace.json", text), OPPROF_RUN_COMPLETE);
    ck_assert(RunKineto(ResultsWrite("trace.json",
                                     "{\"distributedInfo\":{\"rank\":4},\"traceEvents\":[" KERNEL(
                                         "k", "7", "1", "2", "1") "{\"ph\":\"X\",\"cat"),
                        NULL) == OPPROF_RUN_INCOMPLETE);
    ck_assert_ptr_nonnull(strstr(RunReason(), "is damaged at byte"));
    CHECK_TEXT(BREAKDOWN, "rank=4", "compute_time(us)", "2.000");
}
END_TEST

START_TEST(a_file_that_is_no_trace_fails_the_run)
{
    ck_assert_int_eq(RunKineto(ResultsWrite("x.json", "{\"schema\":\"1.0\",\"nodes\":[]}"), NULL),
                     -1);
    ck_assert_ptr_nonnull(strstr(RunReason(), "not a trace"));
    ck_assert_ptr_nonnull(strstr(RunReason(), "traceEvents"));
    ck_assert_int_eq(RunKineto(ResultsPath("missing.json"), NULL), -1);
    ResultsWrite("empty/notes.txt", "nothing");
    ck_assert_int_eq(RunKineto(ResultsPath("empty"), NULL), -1);
    ck_assert_ptr_nonnull(strstr(RunReason(), ".json"));
}
END_TEST

START_TEST(absolute_and_relative_times_are_exact)
{
    run(ResultsWrite(
            "trace.json",
            "{\"traceEvents\":[" KERNEL("k", "7", "1712195495519689.047", "1.001", "1")
                KERNEL("k", "7", "1712195495519691.050", "0.002",
                       "2") "{\"ph\":\"M\"}],\"baseTimeNanoseconds\":9223372036854775807}"),
        OPPROF_RUN_COMPLETE);
    CHECK_TEXT(BREAKDOWN, "rank=0", "kernel_time(us)", "2.005");
    CHECK_TEXT(BREAKDOWN, "rank=0", "idle_time(us)", "1.002");
}
END_TEST

START_TEST(lists_of_names_are_parameters)
{
    static const char *const settings[] = { "kineto.comm_contains=mine",
                                            "kineto.mem_prefix=my_copy",
                                            "kineto.device_categories=kernel,npu", NULL };
    const char *input = ResultsWrite(
        "trace.json",
        TRACE("0",
              KERNEL("this is MINE", "7", "0", "5", "1") KERNEL("my_copy_1", "7", "5", "5", "2")
                  KERNEL("nccl", "7", "10", "5",
                         "3") "{\"ph\":\"X\",\"cat\":\"npu\",\"name\":\"x\",\"ts\":15,\"dur\":5},"
                              "{\"ph\":\"X\",\"cat\":\"gpu_memcpy\",\"name\":\"y\",\"ts\":20,"
                              "\"dur\":5},"));

    ck_assert_int_eq(RunKineto(input, settings), OPPROF_RUN_COMPLETE);
    CHECK_TEXT(BREAKDOWN, "rank=0", "kernel_time(us)", "20.000");
    CHECK_TEXT(BREAKDOWN, "rank=0", "compute_time(us)", "10.000");
    CHECK_TEXT("kernel_breakdown.csv", "name=this is MINE", "kernel_type", "COMMUNICATION");
    CHECK_TEXT("kernel_breakdown.csv", "name=my_copy_1", "kernel_type", "MEMORY");
}
END_TEST

#define MOMENTS 2000u /* us */

/* A trace of random intervals in no order; `active`: 1 computation, 2 other, by microsecond. */
static const char *write_random(unsigned seed, unsigned char active[MOMENTS])
{
    static const char *const names[] = { "gemm", "ncclDevKernel", "Memcpy HtoD" };
    char text[65536];
    char *out = text + sprintf(text, "[");
    uint64_t state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;

    memset(active, 0, MOMENTS);
    for (int i = 0; i < 200; i++) {
        unsigned start, duration, kind;

        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        kind = (unsigned) (state >> 60) % 3;
        start = (unsigned) (state >> 20) % (MOMENTS - 50);
        duration = (unsigned) (state >> 40) % 12;
        for (unsigned t = start; t < start + duration; t++) {
            active[t] |= kind == 0 ? 1 : 2;
        }
        out += sprintf(out,
                       "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"%s\",\"ts\":%u,\"dur\":%u,"
                       "\"args\":{\"stream\":%u}},",
                       names[kind], start, duration, (unsigned) (state >> 55) % 4);
    }
    sprintf(out, "{\"ph\":\"M\"}]");
    return ResultsWrite("random.json", text);
}

START_TEST(breakdowns_of_random_traces_equal_counting)
{
    for (unsigned seed = 1; seed <= 10; seed++) {
        unsigned char active[MOMENTS];
        double compute = 0;
        double non_compute = 0;

        run(write_random(seed, active), OPPROF_RUN_COMPLETE);
        for (unsigned t = 0; t < MOMENTS; t++) {
            compute += (active[t] & 1) != 0;
            non_compute += active[t] == 2;
        }
        ck_assert_double_eq(CellNumber(BREAKDOWN, "rank=0", "compute_time(us)"), compute);
        ck_assert_double_eq(CellNumber(BREAKDOWN, "rank=0", "non_compute_time(us)"), non_compute);
        ck_assert_double_eq(CellNumber(BREAKDOWN, "rank=0", "kernel_time(us)") -
                                CellNumber(BREAKDOWN, "rank=0", "idle_time(us)"),
                            compute + non_compute);
    }
}
END_TEST

/* ---- what real systems write ---- */

#define WORK(cat, name, stream, ts, dur, more)                                                     \
    "{\"ph\":\"X\",\"cat\":\"" cat "\",\"name\":\"" name "\",\"ts\":" ts ",\"dur\":" dur           \
    ",\"pid\":0,\"tid\":" stream ",\"args\":{\"device\":0,\"stream\":" stream more "}},"
#define RUNTIME(cat, name, ts, dur, correlation)                                                   \
    "{\"ph\":\"X\",\"cat\":\"" cat "\",\"name\":\"" name "\",\"ts\":" ts ",\"dur\":" dur           \
    ",\"pid\":1,\"tid\":1,\"args\":{\"correlation\":" correlation "}},"

/*
 * Collectives that no library's name gives away, as inference engines on eight devices launch them:
 * 10 us of products, then 30 us of communication of four kinds, one of which hides 5 us of another
 * product; a collective that only its arguments tell.
 */
START_TEST(collectives_are_known_by_name_or_by_arguments)
{
    run(ResultsWrite(
            "trace.json",
            TRACE("0",
                  WORK("kernel", "gemm", "7", "100", "10", "") WORK(
                      "kernel", "multimem_all_reduce_kernel<c10::BFloat16>", "7", "110", "10", "")
                      WORK("kernel", "void vllm::cross_device_reduce_2stage<half, 8>", "8", "120",
                           "5", "") WORK("kernel", "one_shot_all_reduce_kernel", "8", "125", "5",
                                         "") WORK("kernel", "gemm", "7", "125", "5", "")
                          WORK("kernel", "my_own_exchange", "8", "130", "10",
                               ",\"correlation\":9,\"Collective "
                               "name\":\"allreduce\",\"dtype\":\"BFloat16\","
                               "\"In msg nelems\":1024,\"Out msg nelems\":1024,\"Group size\":8,"
                               "\"Process Group Name\":\"tp\",\"Seq\":4")
                              RUNTIME("cuda_runtime", "cudaLaunchKernel", "90", "2", "9"))),
        OPPROF_RUN_COMPLETE);
    CHECK_TEXT(BREAKDOWN, "rank=0", "compute_time(us)", "15.000");
    CHECK_TEXT(BREAKDOWN, "rank=0", "non_compute_time(us)", "25.000");
    CHECK_TEXT("comm_comp_overlap.csv", "rank=0", "comm_us", "30.000");
    CHECK_TEXT("comm_comp_overlap.csv", "rank=0", "overlap_us", "5.000");
    CHECK_TEXT("kernel_breakdown.csv", "name=my_own_exchange", "kernel_type", "COMMUNICATION");
    ck_assert_ptr_nonnull(strstr(ResultText("trace.json"), "\"collective\":\"allreduce\""));
    ck_assert_ptr_nonnull(strstr(ResultText("trace.json"), "\"in_bytes\":2048"));
    ck_assert_ptr_nonnull(strstr(ResultText("trace.json"), "\"sequence\":4"));
}
END_TEST

/* AMD's copies are kernels by category. */
START_TEST(copies_by_kernels_are_memory_work)
{
    run(ResultsWrite("trace.json",
                     TRACE("0", WORK("kernel", "__amd_rocclr_copyBuffer", "0", "0", "8", "")
                                    WORK("kernel", "Cijk_Ailk_Bljk_MT64", "0", "8", "2", "")
                                        WORK("mtia_ccp_events", "fc", "0", "10", "5", ""))),
        OPPROF_RUN_COMPLETE);
    CHECK_TEXT("kernel_breakdown.csv", "name=__amd_rocclr_copyBuffer", "kernel_type", "MEMORY");
    CHECK_TEXT(BREAKDOWN, "rank=0", "compute_time(us)", "7.000");
}
END_TEST

/* Launch at 10, work at 50 after work that ended at 5: 45 us of waiting for the host, whatever the
 * runtime. */
START_TEST(runtimes_of_all_vendors_launch)
{
    static const char *const calls[][2] = {
        { "hip_runtime", "hipExtLaunchKernel" },
        { "xpu_runtime", "urEnqueueKernelLaunch" },
        { "privateuse1_runtime", "launchKernel" },
        { "privateuse1_driver", "launchKernel" },
        { "mtia_runtime", "runFunction - job_prep_and_submit_for_execution" },
        { "cuda_driver", "cuLaunchKernelEx" },
    };
    char text[2048];

    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        snprintf(text, sizeof text,
                 TRACE("0", "%s%s{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"%s\",\"ts\":10,\"dur\":4,"
                            "\"pid\":1,\"tid\":1,\"args\":{\"correlation\":2}},"),
                 WORK("kernel", "a", "7", "0", "5", ""),
                 WORK("kernel", "b", "7", "50", "5", ",\"correlation\":2"), calls[i][0],
                 calls[i][1]);
        run(ResultsWrite("trace.json", text), OPPROF_RUN_COMPLETE);
        CHECK_TEXT("idle_breakdown.csv", "idle_category=host_wait", "idle_time", "45.000");
        CHECK_TEXT("launch_stats.csv", "rank=0", "count", "1");
    }
}
END_TEST

START_TEST(work_without_its_call_is_counted_and_said)
{
    run(ResultsWrite("trace.json",
                     TRACE("0", WORK("kernel", "a", "7", "0", "5", ",\"correlation\":1")
                                    WORK("kernel", "b", "7", "50", "5", ",\"correlation\":2") WORK(
                                        "kernel", "c", "7", "60", "5", ",\"correlation\":3")
                                        RUNTIME("cuda_runtime", "cudaLaunchKernel", "40", "5", "2")
                                            RUNTIME("new_runtime", "launch", "41", "5", "3"))),
        OPPROF_RUN_COMPLETE);
    ck_assert_ptr_nonnull(
        strstr(ResultText("run.json"), "launched 1 of 3 pieces of device work (33 %)"));
    /* a category that ends like this is of calls */
    ck_assert_ptr_null(strstr(ResultText("run.json"), "category 'new_runtime'"));
}
END_TEST

/* A graph of three kernels is launched once: 3 + 4 + 5 us of work, 10 us after the call's end. */
START_TEST(a_graph_is_one_launch)
{
    static const char *const settings[] = { "launches.rows=true", NULL };
    const char *input = ResultsWrite(
        "trace.json",
        TRACE("0", RUNTIME("cuda_runtime", "cudaGraphLaunch", "0", "10", "1")
                       WORK("kernel", "b", "8", "24", "4", ",\"correlation\":1")
                           WORK("kernel", "a", "7", "20", "3", ",\"correlation\":1")
                               WORK("kernel", "c", "7", "900", "5", ",\"correlation\":1")
                                   RUNTIME("cuda_runtime", "cudaLaunchKernel", "12", "6", "2")
                                       WORK("kernel", "d", "7", "910", "8", ",\"correlation\":2")));

    ck_assert_int_eq(RunKineto(input, settings), OPPROF_RUN_COMPLETE);
    CHECK_TEXT("launch_stats.csv", "rank=0", "count", "2");
    CHECK_TEXT("launch_stats.csv", "rank=0", "kernels", "4");
    CHECK_TEXT("launch_stats.csv", "rank=0", "launch_delay_outliers", "1");
    ck_assert_double_eq(CellNumber("launch_stats.csv", "rank=0", "gpu_duration_mean(us)"), 10);
    ck_assert_uint_eq(RowCount("launches.csv"), 2);
    CHECK_TEXT("launches.csv", "correlation=1", "kernels", "3");
    CHECK_TEXT("launches.csv", "correlation=1", "gpu_duration", "12.000");
    CHECK_TEXT("launches.csv", "correlation=1", "launch_delay", "10.000");
    CHECK_TEXT("launches.csv", "correlation=1", "name", "a");
}
END_TEST

#define MANGLED "_ZN2at6native6kernelIfEEvPT_i"
#define DEMANGLED "void at::native::kernel<float>(float*, int)"

/* The cells of the columns of short and demangled names in a row. */
static void check_names(const char *file, const char *where, const char *short_name,
                        const char *demangled)
{
    CHECK_TEXT(file, where, "short_name", short_name);
    CHECK_TEXT(file, where, "demangled", demangled);
}

/*
 * Wherever kernels are named, the short name is beside the one of the trace; the whole one beside a
 * mangled one. The second call comes while the first kernel runs: both kernels are on the critical
 * path.
 */
START_TEST(names_of_kernels_are_short_and_whole)
{
    static const char *const settings[] = { "launches.rows=true", NULL };
    const char *input = ResultsWrite(
        "trace.json",
        TRACE("0", CALL("0", "2", "1") KERNEL(MANGLED, "7", "5", "5", "1") CALL("6", "2", "2")
                       KERNEL("void ns::other<4>(int)", "7", "30", "5", "2")));

    ck_assert_int_eq(RunKineto(input, settings), OPPROF_RUN_COMPLETE);
    check_names("kernel_breakdown.csv", "name=" MANGLED, "kernel", DEMANGLED);
    check_names("kernel_breakdown.csv", "short_name=other", "other", "NA");
    check_names("launches.csv", "correlation=1", "kernel", DEMANGLED);
    check_names("launches.csv", "correlation=2", "other", "NA");
    check_names("critical_path_names.csv", "part=computation;name=" MANGLED, "kernel", DEMANGLED);
    check_names("critical_path_names.csv", "part=computation;name=void ns::other<4>(int)", "other",
                "NA");
    CHECK_TEXT("gaps.csv", "rank=0", "short_before", "kernel");
    CHECK_TEXT("gaps.csv", "rank=0", "demangled_before", DEMANGLED);
    CHECK_TEXT("gaps.csv", "rank=0", "short_after", "other");
    CHECK_TEXT("gaps.csv", "rank=0", "demangled_after", "NA");
    CHECK_TEXT("kernel_groups.csv", "longest=kernel", "longest_name", MANGLED);
    CHECK_TEXT("kernel_groups.csv", "longest=kernel", "demangled", DEMANGLED);
}
END_TEST

/* b runs inside a, which is not right: the stream is idle from a's end on, 10 us. */
START_TEST(idle_time_begins_at_the_greatest_end)
{
    run(ResultsWrite("trace.json", TRACE("0", WORK("kernel", "a", "7", "0", "100", "")
                                                  WORK("kernel", "b", "7", "10", "20", "")
                                                      WORK("kernel", "c", "7", "110", "5", ""))),
        OPPROF_RUN_INCOMPLETE);
    CHECK_TEXT("idle_breakdown.csv", "idle_category=kernel_wait", "idle_time", "10.000");
    CHECK_TEXT("idle_breakdown.csv", "idle_category=other", "idle_time", "0.000");
}
END_TEST

START_TEST(absurd_times_are_left_out_and_named)
{
    run(ResultsWrite("trace.json",
                     TRACE("0", WORK("kernel", "at zero", "7", "0", "5",
                                     "") WORK("kernel", "a", "7", "1712195495519689.047", "5", "")
                                    WORK("kernel", "b", "7", "1712195495519699.047", "5", "")
                                        WORK("kernel", "c", "7", "1712195495519709.047", "5", ""))),
        OPPROF_RUN_INCOMPLETE);
    ck_assert_ptr_nonnull(strstr(RunReason(), "'at zero' at 0 ns"));
    CHECK_TEXT(BREAKDOWN, "rank=0", "kernel_time(us)", "25.000");
}
END_TEST

#define OPERATOR(name, ts, dur)                                                                    \
    "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"" name "\",\"pid\":1,\"tid\":1,\"ts\":" ts        \
    ",\"dur\":" dur "},"

/* Whatever kind the first one is; none of them moves the beginning or is in a table. */
START_TEST(absurd_times_of_the_host_are_left_out_and_named)
{
    static const struct {
        const char *far;
        const char *reason;
    } traces[] = {
        { OPERATOR("far operator", "3", "5"),
          "1 event was left out: over seven days away from the others; the first is 'far operator' "
          "at 3000 ns" },
        { CALL("4", "5", "1"), "'cudaLaunchKernel' at 4000 ns" },
        { CALL("4", "5", "99"), "'cudaLaunchKernel' at 4000 ns" }, /* of no work */
        { STEP("1", "6", "5"), "'ProfilerStep#1' at 6000 ns" },
    };

    for (size_t i = 0; i < sizeof traces / sizeof traces[0]; i++) {
        char text[4096];

        snprintf(text, sizeof text,
                 TRACE("0", "%s" OPERATOR("near operator", "1712195495519680", "30")
                                KERNEL("a", "7", "1712195495519689", "5", "1")
                                    KERNEL("b", "7", "1712195495519699", "5", "2")),
                 traces[i].far);
        run(ResultsWrite("trace.json", text), OPPROF_RUN_INCOMPLETE);
        ck_assert_msg(strstr(RunReason(), traces[i].reason) != NULL, "%s", RunReason());
        ck_assert_ptr_nonnull(strstr(RunReason(), "1 event was left out"));
        CHECK_TEXT(BREAKDOWN, "rank=0", "kernel_time(us)", "15.000");
        CHECK_TEXT("operators.csv", "name=near operator", "count", "1");
        ck_assert_ptr_null(Cell("operators.csv", "name=far operator", "count"));
        ck_assert_uint_eq(RowCount("steps.csv"), 0);
    }
}
END_TEST

/* Nothing launched by name: the waits for the host are unknown, which is not the same as 0. */
START_TEST(work_without_known_calls_is_counted)
{
    run(ResultsWrite("trace.json", TRACE("0", WORK("kernel", "a", "7", "0", "5", "")
                                                  WORK("kernel", "b", "7", "90", "5", ""))),
        OPPROF_RUN_COMPLETE);
    ck_assert_ptr_nonnull(strstr(ResultText("run.json"),
                                 "none of the 2 pieces of device work names the call that "
                                 "launched it"));
    ck_assert_ptr_nonnull(strstr(ResultText("run.json"), "\"work without known call\": 2"));
    /* One is linked, one names a call that is not there, one names none. */
    run(ResultsWrite("trace.json", TRACE("0", CALL("1", "2", "1") KERNEL("a", "7", "5", "5", "1")
                                                  KERNEL("b", "7", "10", "5", "2")
                                                      WORK("kernel", "c", "7", "20", "5", ""))),
        OPPROF_RUN_COMPLETE);
    ck_assert_ptr_nonnull(strstr(ResultText("run.json"),
                                 "the calls that launched 2 of 3 pieces of device work (67 %)"));
    ck_assert_ptr_nonnull(strstr(ResultText("run.json"), "\"work without known call\": 2"));
}
END_TEST

START_TEST(ranks_of_other_times_are_named)
{
    ResultsWrite("in/rank-0.json",
                 "{\"baseTimeNanoseconds\":1735632360000000000,\"distributedInfo\":{\"rank\":0},"
                 "\"traceEvents\":[" WORK("kernel", "a", "7", "1", "5", "") "{\"ph\":\"M\"}]}");
    ResultsWrite("in/rank-1.json", TRACE("1", WORK("kernel", "a", "7", "1", "5", "")));
    run(ResultsPath("in"), OPPROF_RUN_INCOMPLETE);
    ck_assert_ptr_nonnull(strstr(RunReason(), "rank-1.json"));
    CHECK_TEXT(BREAKDOWN, "rank=1", "kernel_time(us)", "5.000");
}
END_TEST

#define ASCEND_CORE(name, ts, dur)                                                                 \
    "{\"name\":\"" name "\",\"pid\":43456,\"tid\":3,\"ts\":\"" ts "\",\"dur\":" dur                \
    ",\"ph\":\"X\",\"args\":{\"Task Type\":\"AI_CORE\",\"Stream Id\":3}},"
#define ASCEND_COMM(name, ts, dur)                                                                 \
    "{\"name\":\"" name "\",\"pid\":43520,\"tid\":1,\"ts\":\"" ts "\",\"dur\":" dur                \
    ",\"ph\":\"X\",\"args\":{\"connection_id\":15000}},"

START_TEST(directories_of_ascend_profilers_are_read)
{
    const char *steps =
        "[{\"name\":\"ProfilerStep#3\",\"cat\":\"cpu_op\",\"pid\":1,\"tid\":1,\"ts\":\"100\","
        "\"dur\":50,\"ph\":\"X\"}," ASCEND_CORE("MatMul", "110", "10")
            ASCEND_COMM("hcom_allReduce__586_0_1", "120", "5")
                ASCEND_COMM("hcom_allReduce__586_1_1", "130", "7") "{\"ph\":\"M\",\"name\":\"x\"}]";

    mkdir(ResultsPath("in"), 0700);
    mkdir(ResultsPath("in/host_1_2024_ascend_pt"), 0700);
    ResultsWrite("in/host_1_2024_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json", steps);
    ResultsWrite("in/host_1_2024_ascend_pt/ASCEND_PROFILER_OUTPUT/communication.json", "{\"x\":1}");
    ResultsWrite("in/host_1_2024_ascend_pt/profiler_info_5.json", "{}");
    run(ResultsPath("in"), OPPROF_RUN_COMPLETE);
    ck_assert_uint_eq(RowCount(BREAKDOWN), 1);
    CHECK_TEXT(BREAKDOWN, "rank=5", "compute_time(us)", "10.000");
    CHECK_TEXT("kernel_breakdown.csv", "name=hcom_allReduce", "count", "2");
    CHECK_TEXT("kernel_breakdown.csv", "name=hcom_allReduce", "sum (us)", "12.000");
    ck_assert_ptr_nonnull(strstr(ResultText("trace.json"), "\"ProfilerStep#3\""));
    ck_assert_ptr_nonnull(strstr(ResultText("trace.json"), "\"group\":\"586\""));
    run(ResultsPath("in/host_1_2024_ascend_pt/ASCEND_PROFILER_OUTPUT"), OPPROF_RUN_COMPLETE);
    CHECK_TEXT(BREAKDOWN, "rank=5", "compute_time(us)", "10.000");
}
END_TEST

START_TEST(a_rank_may_stand_in_a_name)
{
    const char *text = "[" WORK("kernel", "a", "7", "1", "5", "") "{\"ph\":\"M\"}]";

    ResultsWrite("in/trace_rank12.json", text);
    ResultsWrite("in/RANK-3.1700000000.pt.trace.json", text);
    run(ResultsPath("in"), OPPROF_RUN_COMPLETE);
    CHECK_TEXT(BREAKDOWN, "rank=12", "compute_time(us)", "5.000");
    CHECK_TEXT(BREAKDOWN, "rank=3", "compute_time(us)", "5.000");
}
END_TEST

START_TEST(top_is_how_many_kernels_are_shown)
{
    char text[8192];
    char *out = text + sprintf(text, "[");

    for (int i = 0; i < 15; i++) {
        out += sprintf(out,
                       "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k%02d\",\"ts\":%d,\"dur\":%d},",
                       i, i * 100, 20 - i);
    }
    sprintf(out, "{\"ph\":\"M\"}]");
    run(ResultsWrite("trace.json", text), OPPROF_RUN_COMPLETE);
    ck_assert_uint_eq(RowCount("kernel_breakdown.csv"), 11);
    CHECK_TEXT("kernel_breakdown.csv", "name=k09", "sum (us)", "11.000");
    CHECK_TEXT("kernel_breakdown.csv", "name=others", "count", "5");
    CHECK_TEXT("kernel_breakdown.csv", "name=others", "sum (us)", "40.000");
}
END_TEST

/* ---- several ranks ---- */

START_TEST(a_directory_is_as_many_ranks)
{
    ResultsWrite("in/rank-10.json", TRACE("10", KERNEL("k", "7", "100", "30", "1")));
    ResultsWrite("in/rank-2.json",
                 TRACE("2", KERNEL("nccl", "7", "0", "10", "1") KERNEL("k", "7", "20", "20", "1")));
    ResultsWrite("in/.hidden.json", "{}");
    ResultsWrite("in/notes.txt", "{}");
    run(ResultsPath("in"), OPPROF_RUN_COMPLETE);
    ck_assert_uint_eq(RowCount(BREAKDOWN), 3);
    CHECK_TEXT(BREAKDOWN, "rank=2", "compute_time(us)", "20.000");
    CHECK_TEXT(BREAKDOWN, "rank=10", "kernel_time(us)", "30.000");
    CHECK_TEXT(BREAKDOWN, "rank=all", "kernel_time(us)", "70.000");
    CHECK_TEXT(BREAKDOWN, "rank=all", "compute_time(us)", "50.000");
    CHECK_TEXT(BREAKDOWN, "rank=all", "non_compute_time(us)", "10.000");
    CHECK_TEXT(BREAKDOWN, "rank=all", "idle_time_pctg", "14.2857");
    ck_assert_ptr_nonnull(strstr(ResultText("rank10/trace.json"), "\"rank 10 device 0\""));
    ck_assert_str_eq(ResultText("temporal_breakdown.json"),
                     "{\"temporal_breakdown\": "
                     "{\"rank\": \"all\", \"kernel_time_us\": 70.000, \"compute_time_us\": 50.000, "
                     "\"non_compute_time_us\": 10.000, \"idle_time_us\": 10.000, "
                     "\"compute_percent\": 71.43, \"non_compute_percent\": 14.29, "
                     "\"idle_percent\": 14.29},\n\"ranks\": [\n"
                     "{\"rank\": 2, \"kernel_time_us\": 40.000, \"compute_time_us\": 20.000, "
                     "\"non_compute_time_us\": 10.000, \"idle_time_us\": 10.000, "
                     "\"compute_percent\": 50.00, \"non_compute_percent\": 25.00, "
                     "\"idle_percent\": 25.00},\n"
                     "{\"rank\": 10, \"kernel_time_us\": 30.000, \"compute_time_us\": 30.000, "
                     "\"non_compute_time_us\": 0.000, \"idle_time_us\": 0.000, "
                     "\"compute_percent\": 100.00, \"non_compute_percent\": 0.00, "
                     "\"idle_percent\": 0.00}\n]}\n");
}
END_TEST

START_TEST(recordings_of_one_rank_that_follow_each_other_are_its_cycles)
{
    ResultsWrite("in/a.json", TRACE("3", KERNEL("k", "7", "0", "10", "1")));
    ResultsWrite("in/b.json", TRACE("3", KERNEL("k", "7", "500", "20", "1")));
    run(ResultsPath("in"), OPPROF_RUN_COMPLETE);
    CHECK_TEXT(BREAKDOWN, "rank=3", "kernel_time(us)", "10.000");
    CHECK_TEXT(BREAKDOWN, "rank=3-cycle2", "kernel_time(us)", "20.000");
    ck_assert_ptr_null(strstr(ResultText("run.json"), "has the rank of an earlier file"));
}
END_TEST

START_TEST(two_files_of_one_rank_are_both_kept)
{
    ResultsWrite("in/a.json", TRACE("3", KERNEL("k", "7", "0", "10", "1")));
    ResultsWrite("in/b.json", TRACE("3", KERNEL("k", "7", "0", "20", "1")));
    run(ResultsPath("in"), OPPROF_RUN_INCOMPLETE);
    CHECK_TEXT(BREAKDOWN, "rank=3", "kernel_time(us)", "10.000");
    CHECK_TEXT(BREAKDOWN, "rank=3#2", "kernel_time(us)", "20.000");
    ck_assert_ptr_nonnull(strstr(ResultText("run.json"), "names the rank of an earlier file"));
}
END_TEST

/* Beside a good trace: what is not a trace is passed over, what may have been one is missed. */
static const struct {
    const char *text;
    OpprofRunOutcome outcome;
    const char *reason;
} others[] = {
    { "{\"schema\":\"1.0\",\"nodes\":[]}", OPPROF_RUN_COMPLETE, "it has no 'traceEvents'" },
    { "[[1,2],[3]]", OPPROF_RUN_COMPLETE, "it is an array of arrays" },
    { "{\"traceEvents\":[]}", OPPROF_RUN_INCOMPLETE, "It has no events" },
    { "", OPPROF_RUN_INCOMPLETE, "it is empty" },
    { "not JSON at all", OPPROF_RUN_INCOMPLETE, "it is not JSON" },
    { "{\"schemaVersion\":1,\"device", OPPROF_RUN_INCOMPLETE, "It ends before its events" },
    { "{\"traceEvents\":[", OPPROF_RUN_INCOMPLETE, "is damaged at byte 16 of its text" },
};

START_TEST(other_files_among_traces_are_told_apart)
{
    ResultsWrite("in/trace.json", TRACE("1", KERNEL("k", "7", "0", "10", "1")));
    ResultsWrite("in/z.json", others[_i].text);
    run(ResultsPath("in"), others[_i].outcome);
    CHECK_TEXT(BREAKDOWN, "rank=1", "compute_time(us)", "10.000");
    ck_assert_ptr_nonnull(strstr(ResultText("run.json"), "z.json"));
    ck_assert_ptr_nonnull(strstr(ResultText("run.json"), others[_i].reason));
}
END_TEST

/* Ten iterations of 100 us; rank 2 comes 20 us late to the collective, rank 0 now and then 5 us. */
static unsigned usual_delay(unsigned rank, unsigned cycle, unsigned step)
{
    (void) cycle;
    return rank == 2 ? 20 : rank == 0 && step % 3 == 0 ? 5 : 0;
}

/* In the first recording rank 1 comes 20 us late, in the second rank 0 30 us. */
static unsigned delay_by_cycle(unsigned rank, unsigned cycle, unsigned step)
{
    (void) step;
    return rank == 1 && cycle == 0 ? 20 : rank == 0 && cycle == 1 ? 30 : 0;
}

static void write_rank(unsigned rank, unsigned cycle,
                       unsigned (*delay)(unsigned rank, unsigned cycle, unsigned step))
{
    char text[16384];
    char *out = text;
    char name[32];

    out += sprintf(out, "{\"distributedInfo\":{\"rank\":%u},\"traceEvents\":[", rank);
    for (unsigned step = 0; step < 10; step++) {
        const unsigned start = 1000 + 5000 * cycle + step * 100;
        const unsigned late = delay(rank, cycle, step);

        out += sprintf(
            out,
            "{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#%u\",\"ts\":%u,"
            "\"dur\":100},"
            "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"ts\":%u,"
            "\"dur\":1,\"args\":{\"correlation\":%u}},"
            "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"ncclDevKernel_AllReduce\",\"ts\":%u,"
            "\"dur\":%u,\"args\":{\"device\":0,\"stream\":13,\"correlation\":%u}},",
            step, start, start + 1, step + 1, start + 40 + late, 40 - late, step + 1);
    }
    sprintf(out, "{\"ph\":\"M\"}]}");
    snprintf(name, sizeof name, "in/rank-%u-%u.json", rank, cycle);
    ResultsWrite(name, text);
}

START_TEST(ranks_that_come_late_are_found)
{
    for (unsigned rank = 0; rank < 4; rank++) {
        write_rank(rank, 0, usual_delay);
    }
    run(ResultsPath("in"), OPPROF_RUN_COMPLETE);
    ck_assert_uint_eq(RowCount("stragglers.csv"), 4);
    CHECK_TEXT("stragglers.csv", "rank=2", "late_steps", "9");
    CHECK_TEXT("stragglers.csv", "rank=2", "steps", "9");
    CHECK_TEXT("stragglers.csv", "rank=2", "straggler", "1");
    CHECK_TEXT("stragglers.csv", "rank=2", "name", "ncclDevKernel_AllReduce");
    CHECK_TEXT("stragglers.csv", "rank=2", "stream", "13");
    check_names("stragglers.csv", "rank=2", "ncclDevKernel_AllReduce", "NA");
    check_names("collectives.csv", "group=NA", "ncclDevKernel_AllReduce", "NA");
    check_names("collective_skews.csv", "sequence=1", "ncclDevKernel_AllReduce", "NA");
    /* The others tie, or are 5 us after them, which is noise. Of iterations 0 to 8 three cost 20 -
     * 5 us, six 20 us. */
    CHECK_TEXT("stragglers.csv", "rank=2", "cost(us)", "165.000");
    CHECK_TEXT("stragglers.csv", "rank=0", "late_steps", "0");
    CHECK_TEXT("stragglers.csv", "rank=0", "straggler", "0");
    CHECK_TEXT("stragglers.csv", "rank=1", "late_steps", "0");
    /* Nobody shows waiting, so that is not where the verdict is. */
    CHECK_TEXT("overlap.csv", "rank=2", "straggler", "NA");
    CHECK_TEXT("overlap.csv", "rank=2", "waiting_us", "NA");
    /*
     * Of all ten, four cost 20 - 5 us and six 20 us: 180. Its work begins at 1040 + 20 us and ends
     * at 1980 us: 920 us, of which 180 are 19.565 %.
     */
    CHECK_TEXT("collective_ranks.csv", "rank=2", "cost(us)", "180.000");
    CHECK_TEXT("advice.csv", "topic=collectives", "subject", "rank 2");
    CHECK_TEXT("advice.csv", "topic=collectives", "severity", "hint");
    CHECK_TEXT("advice.csv", "topic=collectives", "numbers",
               "cost=180.000 us, late=10, collectives=10");
    CHECK_TEXT("advice.csv", "topic=collectives", "gain(%)", "19.6");
    ck_assert_ptr_nonnull(
        strstr(ResultText("advice.csv"),
               "This rank is last in 10 of 10 collectives; for 19.6 % of the time others wait for "
               "it alone"));
    ck_assert_ptr_nonnull(
        strstr(ResultText("run.json"), "for 19.6 % of the time others wait for it alone"));
    ck_assert_ptr_nonnull(strstr(ResultText("report.txt"), "(rank 2)"));
    ck_assert_ptr_nonnull(
        strstr(ResultText("report.html"), "for 19.6 % of the time others wait for it alone"));
}
END_TEST

/* 8 us late is noise. */
static unsigned small_delay(unsigned rank, unsigned cycle, unsigned step)
{
    (void) cycle;
    (void) step;
    return rank == 2 ? 8 : 0;
}

/* Rank 0 is late in even iterations, rank 1 in odd ones. */
static unsigned delay_in_turn(unsigned rank, unsigned cycle, unsigned step)
{
    (void) cycle;
    return rank == step % 2 ? 20 : 0;
}

START_TEST(no_rank_is_blamed_within_the_noise_or_in_turn)
{
    for (unsigned rank = 0; rank < (_i == 0 ? 3u : 2u); rank++) {
        write_rank(rank, 0, _i == 0 ? small_delay : delay_in_turn);
    }
    run(ResultsPath("in"), OPPROF_RUN_COMPLETE);
    CHECK_TEXT("collective_ranks.csv", "rank=0", "cost(us)", _i == 0 ? "0.000" : "100.000");
    ck_assert_ptr_null(strstr(ResultText("advice.csv"), "collectives,"));
}
END_TEST

START_TEST(recordings_of_different_cycles_do_not_meet)
{
    for (unsigned i = 0; i < 4; i++) {
        write_rank(i / 2, i % 2, delay_by_cycle);
    }
    run(ResultsPath("in"), OPPROF_RUN_COMPLETE);
    /* Ten collectives of two ranks in each cycle. Transfers 20 and 10 us, waits 20 and 30 us of one
     * of two ranks. */
    CHECK_TEXT("collectives.csv", "group=NA", "count", "20");
    CHECK_TEXT("collectives.csv", "group=NA", "transfer_mean(us)", "15.000");
    CHECK_TEXT("collectives.csv", "group=NA", "wait_mean(us)", "12.500");
    CHECK_TEXT("collective_ranks.csv", "rank=1", "cost(us)", "200.000");
    CHECK_TEXT("collective_ranks.csv", "rank=0-cycle2", "cost(us)", "300.000");
    CHECK_TEXT("collective_ranks.csv", "rank=0", "late", "0");
    ck_assert_ptr_nonnull(strstr(ResultText("run.json"), "\"ranks waiting for others\": 20"));
    /* All but the last iteration of each cycle: either rank is late in half of them, so neither
     * more often. */
    ck_assert_uint_eq(RowCount("stragglers.csv"), 2);
    CHECK_TEXT("stragglers.csv", "rank=0", "steps", "18");
    CHECK_TEXT("stragglers.csv", "rank=0", "late_steps", "9");
    CHECK_TEXT("stragglers.csv", "rank=0", "cost(us)", "270.000");
    CHECK_TEXT("stragglers.csv", "rank=1", "late_steps", "9");
    CHECK_TEXT("stragglers.csv", "rank=1", "cost(us)", "180.000");
    CHECK_TEXT("stragglers.csv", "rank=1", "straggler", "0");
    ck_assert_ptr_null(strstr(ResultText("advice.csv"), "collectives,"));
}
END_TEST

START_TEST(recordings_of_one_rank_are_not_ranks)
{
    write_rank(0, 0, delay_by_cycle);
    write_rank(0, 1, delay_by_cycle);
    run(ResultsPath("in"), OPPROF_RUN_COMPLETE);
    /* Nobody to compare with: 40 and 10 us with waiting. */
    CHECK_TEXT("collectives.csv", "group=NA", "count", "0");
    CHECK_TEXT("collectives.csv", "group=NA", "unmatched", "20");
    CHECK_TEXT("collectives.csv", "group=NA", "transfer_mean(us)", "25.000");
    CHECK_TEXT("collectives.csv", "group=NA", "wait_mean(us)", "NA");
    CHECK_TEXT("collectives.csv", "group=NA", "skew_max(us)", "NA");
    ck_assert_uint_eq(RowCount("collective_ranks.csv"), 0);
    ck_assert_uint_eq(RowCount("stragglers.csv"), 0);
}
END_TEST

/* ---- other timelines ---- */

/*
 * A source that is not a framework: its clock counts 20 ns, its slices have no category, it tells
 * classes by the process of its tracks, sends what it has in no order and never says what is
 * complete.
 */
typedef struct Slice {
    const char *process;
    const char *thread;
    uint64_t start;
    uint64_t duration;
} Slice;

static const Slice slices[] = {
    { "HCCL", "STREAM3", 3000, 5000 },                                           /* 60 to 160 us */
    { "AI CORE", "AI_CORE", 2000, 3000 },                                        /* 40 to 100 us */
    { "AI CORE", "AI_CORE", 0, 2000 },                                           /* 0 to 40 us */
    { "BLOCK", "core0.cubecore0", 0, 20000 }, { "HCCL", "STREAM3", 10000, 500 }, /* 200 to 210 us */
};

static OpprofStatus source_create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    (void) error;
    *ret_self = stage;
    return OPPROF_OK;
}

static OpprofStatus source_process(void *self, uint32_t port, const OpprofBatch *input,
                                   OpprofError **error)
{
    const OpprofText none = { OPPROF_NA_U32, 0 };
    OpprofStage *stage = self;
    OpprofBatch *batch = OpprofStageNewBatch(stage, 0);

    (void) port;
    (void) input;
    (void) error;
    batch->clock = OpprofStageClock(stage, &(OpprofClock){ .name = "counter", .hz = 50000000 });
    batch->partition = OpprofStageIntern(stage, "device0", 7);
    for (size_t i = 0; i < sizeof slices / sizeof slices[0]; i++) {
        OpprofSpan *span = OpprofBatchAppend(batch);

        *span = (OpprofSpan){ .start = slices[i].start,
                              .duration = slices[i].duration,
                              .track = OpprofStageTrack(
                                  stage, &(OpprofTrack){ .document = "trace",
                                                         .process = slices[i].process,
                                                         .thread = slices[i].thread,
                                                         .process_sort = -1,
                                                         .thread_sort = -1 }),
                              .kind = OPPROF_SPAN_SLICE,
                              .name = OpprofStageIntern(stage, "work", 4),
                              .args = none,
                              .id = none,
                              .group = none };
    }
    return OpprofStagePush(stage, 0, batch) == OPPROF_OK ? OPPROF_END : OPPROF_CLOSED;
}

static const OpprofPort source_outputs[] = {
    { .name = "spans", .record_type = &opprof_span_type, .summary = "A timeline." },
};

static const OpprofPluginOps source_ops = {
    .struct_size = sizeof(OpprofPluginOps),
    .create = source_create,
    .process = source_process,
};

static const OpprofPlugin source_plugin = {
    .struct_size = sizeof(OpprofPlugin),
    .abi_major = OPPROF_ABI_MAJOR,
    .abi_minor = OPPROF_ABI_MINOR,
    .name = "other-timeline",
    .version = "1",
    .license = "Apache-2.0",
    .summary = "A timeline of no framework.",
    .kind = OPPROF_COLLECTOR,
    .outputs = source_outputs,
    .output_count = 1,
    .ops = &source_ops,
};

static void add(OpprofPipeline *pipeline, const char *plugin, const char *params)
{
    OpprofError *error = NULL;
    const OpprofStatus status =
        plugin == NULL ? AddPluginDescriptor(pipeline, "source", &source_plugin, NULL, &error)
                       : AddPlugin(pipeline, plugin, plugin, params, &error);

    ck_assert_msg(status == OPPROF_OK, "%s", OpprofErrorMessage(error));
}

START_TEST(analyses_take_any_timeline)
{
    static const char classes[] =
        "{\"computation\": [\"process:AI CORE\"], \"communication\": [\"process:hccl*\"]}";
    static const char *const modules[] = { "trace-temporal",     "overlap",
                                           "trace-idle",         "trace-kernels",
                                           "trace-launches",     "trace-memory-bandwidth",
                                           "trace-queue-length", "trace-stragglers" };
    OpprofPipeline *pipeline = OpprofPipelineCreate();

    ck_assert_ptr_nonnull(pipeline);
    add(pipeline, NULL, NULL);
    for (size_t i = 0; i < sizeof modules / sizeof modules[0]; i++) {
        add(pipeline, modules[i], classes);
    }
    add(pipeline, "csv", NULL);
    ck_assert_msg(RunBuilt(pipeline) == OPPROF_RUN_COMPLETE, "%s", RunReason());
    CHECK_TEXT(BREAKDOWN, "rank=device0", "kernel_time(us)", "210.000");
    CHECK_TEXT(BREAKDOWN, "rank=device0", "compute_time(us)", "100.000");
    CHECK_TEXT(BREAKDOWN, "rank=device0", "non_compute_time(us)", "70.000");
    CHECK_TEXT(BREAKDOWN, "rank=device0", "idle_time(us)", "40.000");
    CHECK_TEXT("comm_comp_overlap.csv", "rank=device0", "overlap_us", "40.000");
    CHECK_TEXT("comm_comp_overlap.csv", "rank=device0", "comp_comm_overlap_pctg", "36.36");
    CHECK_TEXT("idle_breakdown.csv", "stream=STREAM3;idle_category=other", "idle_time", "40.000");
    CHECK_TEXT("idle_breakdown.csv", "stream=AI_CORE;idle_category=kernel_wait", "count", "1");
    CHECK_TEXT("kernel_breakdown.csv", "kernel_type=COMPUTATION", "sum (us)", "100.000");
}
END_TEST

START_TEST(too_many_patterns_are_refused)
{
    char params[4096] = "{\"computation\": [";
    OpprofPipeline *pipeline = OpprofPipelineCreate();
    OpprofError *error = NULL;

    for (int i = 0; i < 70; i++) {
        strcat(params, i == 0 ? "\"x\"" : ",\"x\"");
    }
    strcat(params, "]}");
    add(pipeline, NULL, NULL);
    if (AddPlugin(pipeline, "b", "trace-temporal", params, &error) == OPPROF_OK) {
        ck_assert_int_eq(OpprofPipelineValidate(pipeline, &error), OPPROF_E_ARGUMENT);
    }
    ck_assert_ptr_nonnull(error);
    OpprofErrorDestroy(error);
    OpprofPipelineDestroy(pipeline);
}
END_TEST

static TCase *trace_tests(void)
{
    TCase *tcase = tcase_create("traces");

    tcase_add_checked_fixture(tcase, ResultsSetUp, ResultsTearDown);
    tcase_add_test(tcase, traces_of_nothing_are_incomplete);
    tcase_add_test(tcase, traces_without_device_work_give_zeros);
    tcase_add_test(tcase, a_cut_trace_keeps_its_good_part);
    tcase_add_test(tcase, a_file_that_is_no_trace_fails_the_run);
    tcase_add_test(tcase, absolute_and_relative_times_are_exact);
    tcase_add_test(tcase, lists_of_names_are_parameters);
    tcase_add_test(tcase, breakdowns_of_random_traces_equal_counting);
    return tcase;
}

static TCase *rank_tests(void)
{
    TCase *tcase = tcase_create("ranks");

    tcase_add_checked_fixture(tcase, ResultsSetUp, ResultsTearDown);
    tcase_add_test(tcase, a_directory_is_as_many_ranks);
    tcase_add_test(tcase, recordings_of_one_rank_that_follow_each_other_are_its_cycles);
    tcase_add_test(tcase, two_files_of_one_rank_are_both_kept);
    tcase_add_loop_test(tcase, other_files_among_traces_are_told_apart, 0,
                        (int) (sizeof others / sizeof others[0]));
    tcase_add_test(tcase, ranks_that_come_late_are_found);
    tcase_add_loop_test(tcase, no_rank_is_blamed_within_the_noise_or_in_turn, 0, 2);
    tcase_add_test(tcase, recordings_of_different_cycles_do_not_meet);
    tcase_add_test(tcase, recordings_of_one_rank_are_not_ranks);
    tcase_add_test(tcase, analyses_take_any_timeline);
    tcase_add_test(tcase, too_many_patterns_are_refused);
    return tcase;
}

static TCase *system_tests(void)
{
    TCase *tcase = tcase_create("systems");

    tcase_add_checked_fixture(tcase, ResultsSetUp, ResultsTearDown);
    tcase_add_test(tcase, collectives_are_known_by_name_or_by_arguments);
    tcase_add_test(tcase, copies_by_kernels_are_memory_work);
    tcase_add_test(tcase, runtimes_of_all_vendors_launch);
    tcase_add_test(tcase, work_without_its_call_is_counted_and_said);
    tcase_add_test(tcase, a_graph_is_one_launch);
    tcase_add_test(tcase, idle_time_begins_at_the_greatest_end);
    tcase_add_test(tcase, absurd_times_are_left_out_and_named);
    tcase_add_test(tcase, names_of_kernels_are_short_and_whole);
    tcase_add_test(tcase, absurd_times_of_the_host_are_left_out_and_named);
    tcase_add_test(tcase, work_without_known_calls_is_counted);
    tcase_add_test(tcase, ranks_of_other_times_are_named);
    tcase_add_test(tcase, directories_of_ascend_profilers_are_read);
    tcase_add_test(tcase, a_rank_may_stand_in_a_name);
    tcase_add_test(tcase, top_is_how_many_kernels_are_shown);
    return tcase;
}

static Suite *traces_suite(void)
{
    Suite *suite = suite_create("traces");

    suite_add_tcase(suite, trace_tests());
    suite_add_tcase(suite, system_tests());
    suite_add_tcase(suite, rank_tests());
    return suite;
}
TEST_SUITE(traces_suite)
