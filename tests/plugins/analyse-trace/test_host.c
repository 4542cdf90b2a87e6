/* SPDX-License-Identifier: Apache-2.0 */
/* What the host did while devices had nothing to do, its calls, and its copies. */
#include "results.h"

#include "tests/core/suites.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

#define WORK_ON(device, name, stream, ts, dur, more)                                               \
    "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"" name "\",\"ts\":" ts ",\"dur\":" dur            \
    ",\"args\":{\"device\":" device ",\"stream\":" stream more "}},"
#define WORK(name, ts, dur, correlation)                                                           \
    WORK_ON("0", name, "7", ts, dur, ",\"correlation\":" correlation)
#define HOST(cat, name, tid, ts, dur)                                                              \
    "{\"ph\":\"X\",\"cat\":\"" cat "\",\"name\":\"" name "\",\"pid\":1,\"tid\":" tid ",\"ts\":" ts \
    ",\"dur\":" dur "},"
#define CALL(name, tid, ts, dur, correlation)                                                      \
    "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"" name "\",\"pid\":1,\"tid\":" tid          \
    ",\"ts\":" ts ",\"dur\":" dur ",\"args\":{\"correlation\":" correlation "}},"
#define LAST "{\"ph\":\"M\"}"

static void run(const char *text)
{
    ck_assert_int_eq(RunKineto(ResultsWrite("trace.json", text), NULL), OPPROF_RUN_COMPLETE);
}

static void check_idle(const char *where, double idle, double count, double longest)
{
    ck_assert_double_eq_tol(CellNumber("host_idle.csv", where, "idle(us)"), idle, 1e-9);
    ck_assert_double_eq_tol(CellNumber("host_idle.csv", where, "count"), count, 1e-9);
    ck_assert_double_eq_tol(CellNumber("host_idle.csv", where, "longest(us)"), longest, 1e-9);
}

/*
 * The device works at 330-430, 440-450, 730-800, 1530-1600 and 1700-1750: of 1420 us it is idle for
 * 1120.
 *
 * From 430 to 440 it waits for a copy that was launched at 410. From 450 to 730 the host is in the
 * copy's call until 630, in aten::item until 640, in no operator until 700, then for 10 us each in
 * aten::mm, its launch, and aten::mm. From 800 to 1530 it is in no operator for 200 us, in the data
 * loader for 500, then again 10 each in aten::mm, its launch, and aten::mm. What launched the work
 * at 1700 is not known.
 */
static const char loop[] = "[" HOST("user_annotation", "ProfilerStep#0", "1", "0", "1000")
    HOST("user_annotation", "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", "1", "0",
         "300") HOST("cpu_op", "aten::stack", "1", "50", "200")
        HOST("cpu_op", "aten::mm", "1", "300", "40") CALL("cudaLaunchKernel", "1", "310", "10", "1")
            WORK("k", "330", "100", "1") HOST("cpu_op", "aten::item", "1", "400",
                                              "240") CALL("cudaMemcpyAsync", "1", "410", "220", "2")
                WORK("Memcpy DtoH (Device -> Pinned)", "440", "10", "2")
                    HOST("cpu_op", "aten::mm", "1", "700", "40")
                        CALL("cudaLaunchKernel", "1", "710", "10", "3") WORK("k", "730", "70", "3")
                            HOST("user_annotation", "ProfilerStep#1", "1", "1000", "1000")
                                HOST("user_annotation",
                                     "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__",
                                     "1", "1000", "500")
                                    HOST("cpu_op", "aten::mm", "1", "1500", "40")
                                        CALL("cudaLaunchKernel", "1", "1510", "10", "4")
                                            WORK("k", "1530", "70", "4")
                                                WORK_ON("0", "k", "7", "1700", "50", "") LAST "]";

START_TEST(idle_time_belongs_to_what_the_host_did)
{
    run(loop);
    check_idle("kind=annotation", 500, 1, 500);
    check_idle("what=aten::mm", 40, 2, 20);
    check_idle("what=cudaLaunchKernel;operator=aten::mm;kind=launch", 20, 2, 10);
    check_idle("kind=outside of operators", 260, 2, 200);
    check_idle("what=aten::item;kind=operator;operator=NA", 10, 1, 10);
    check_idle("what=cudaMemcpyAsync;operator=aten::item;kind=copy", 180, 1, 180);
    check_idle("kind=launched before", 10, 1, 10);
    check_idle("kind=unknown launch", 100, 1, 100);
    ck_assert_double_eq_tol(CellNumber("host_idle.csv", "kind=annotation", "longest_start(us)"),
                            800, 1e-9);
    ck_assert_str_eq(Cell("host_idle.csv", "kind=annotation", "step"), "ProfilerStep#0");
    ck_assert_double_eq_tol(CellNumber("temporal_breakdown.csv", "rank=0", "idle_time(us)"), 1120,
                            1e-9);
}
END_TEST

static void check_activity(const char *where, double idle, const char *cause)
{
    ck_assert_double_eq_tol(CellNumber("host_activities.csv", where, "idle(us)"), idle, 1e-9);
    ck_assert_str_eq(Cell("host_activities.csv", where, "cause"), cause);
}

/* An operator has its launches, a copy its own row; the loader is known by its annotation. */
START_TEST(activities_are_known_by_what_people_call_them)
{
    run(loop);
    check_activity("kind=annotation", 500, "data loading");
    ck_assert_str_eq(Cell("host_activities.csv", "kind=annotation", "activity"),
                     "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__");
    check_activity("activity=aten::mm;kind=operator", 60, "NA");
    check_activity("activity=aten::item;kind=copy", 180, "NA");
    check_activity("activity=aten::item;kind=operator", 10, "NA");
    check_activity("activity=no operator", 260, "NA");
    ck_assert_uint_eq(RowCount("host_activities.csv"), 5);
}
END_TEST

/* Inside of what shows a cause all is due to that; compilers are followed by iteration. */
START_TEST(names_show_causes)
{
    run("[" HOST("user_annotation", "ProfilerStep#0", "1", "0", "1000")
            CALL("cudaLaunchKernel", "1", "10", "5", "1") WORK("k", "20", "10", "1")
                HOST("cpu_op", "TorchDynamo Cache Lookup", "1", "40", "20")
                    HOST("cpu_op", "XlaCompile", "1", "100", "400")
                        HOST("cpu_op", "aten::mm", "1", "200", "100")
                            HOST("user_annotation", "gc.collect", "1", "600", "100")
                                CALL("cudaLaunchKernel", "1", "720", "5", "2")
                                    WORK("k", "730", "10", "2") LAST "]");
    check_activity("activity=XlaCompile", 400, "compilation");
    check_activity("activity=gc.collect", 100, "garbage collection");
    check_activity("activity=TorchDynamo Cache Lookup", 20, "compilation");
    ck_assert_str_eq(Cell("annotation_steps.csv", "annotation=XlaCompile", "cause"), "compilation");
    ck_assert_double_eq_tol(CellNumber("annotation_steps.csv", "annotation=XlaCompile", "host(us)"),
                            400, 1e-9);
}
END_TEST

/*
 * Durations are rounded, so that each annotation ends a nanosecond after the next one begins: they
 * still follow each other. From 110 to 1210 and from 1220 to 2320 the host is in one of them, but
 * for the last 10 us before its work, in its launch.
 */
START_TEST(neighbours_that_overlap_by_rounding_follow_each_other)
{
    run("[" HOST("user_annotation", "load", "1", "0", "90.001")
            HOST("user_annotation", "train", "1", "90", "10.001")
                CALL("cudaLaunchKernel", "1", "90.001", "9.998", "1") WORK("k", "100", "10", "1")
                    HOST("user_annotation", "load", "1", "100", "1100.001")
                        HOST("user_annotation", "train", "1", "1200", "10.001")
                            CALL("cudaLaunchKernel", "1", "1200", "10", "2")
                                WORK("k", "1210", "10", "2")
                                    HOST("user_annotation", "load", "1", "1210", "1100.001")
                                        HOST("user_annotation", "train", "1", "2310", "10")
                                            CALL("cudaLaunchKernel", "1", "2310", "10", "3")
                                                WORK("k", "2320", "10", "3") LAST "]");
    check_idle("what=load", 2180, 2, 1090);
    check_idle("what=cudaLaunchKernel", 20, 2, 10);
    ck_assert_uint_eq(RowCount("host_idle.csv"), 2);
    ck_assert_double_eq_tol(CellNumber("annotations.csv", "name=load", "total(us)"), 2290, 1e-9);
    ck_assert_double_eq_tol(CellNumber("annotations.csv", "name=load", "self(us)"), 2290, 1e-9);
}
END_TEST

#define FRAME(name, ts, dur) HOST("python_function", name, "1", ts, dur)

/*
 * From 110 to 3100 the host runs Python: functions from 500 us on count where nothing else is open,
 * the innermost one, and those that say what they are for count as annotations.
 */
START_TEST(long_functions_of_python_explain_idle_time)
{
    run("[" FRAME("train.py(1): main", "0", "4000") HOST("cpu_op", "aten::mm", "1", "90", "10")
            CALL("cudaLaunchKernel", "1", "90", "10", "1") WORK("k", "100", "10", "1")
                FRAME("train.py(9): short", "200", "499")
                    FRAME("torch/utils/data/dataloader.py(7): __next__", "1000", "1000")
                        FRAME("<built-in method poll>", "1100", "800")
                            FRAME("augment.py(3): crop", "2000", "600")
                                HOST("cpu_op", "aten::sum", "1", "2700", "390")
                                    FRAME("hook.py(1): hook", "2700", "390")
                                        CALL("cudaLaunchKernel", "1", "3090", "10", "2")
                                            WORK("k", "3100", "10", "2") LAST "]");
    check_idle("what=train.py(1): main;kind=frame", 990, 1, 990);
    check_idle("what=torch/utils/data/dataloader.py(7): __next__;kind=annotation", 1000, 1, 1000);
    check_idle("what=augment.py(3): crop;kind=frame", 600, 1, 600);
    check_idle("what=aten::sum;kind=operator", 390, 1, 390);
    check_idle("what=cudaLaunchKernel", 10, 1, 10);
    ck_assert_uint_eq(RowCount("host_idle.csv"), 5);
}
END_TEST

START_TEST(calls_have_a_kind_and_a_place)
{
    run(loop);
    ck_assert_str_eq(Cell("host_calls.csv", "name=cudaMemcpyAsync", "kind"), "copy");
    ck_assert_str_eq(Cell("host_calls.csv", "name=cudaLaunchKernel", "kind"), "launch");
    ck_assert_double_eq_tol(CellNumber("host_calls.csv", "name=cudaLaunchKernel", "total(us)"), 30,
                            1e-9);
    ck_assert_double_eq_tol(CellNumber("host_calls.csv", "name=cudaLaunchKernel", "count"), 3,
                            1e-9);
    ck_assert_double_eq_tol(CellNumber("host_calls.csv", "name=cudaMemcpyAsync", "idle(us)"), 180,
                            1e-9);
    ck_assert_double_eq_tol(CellNumber("host_calls.csv", "name=cudaMemcpyAsync", "idle_after(us)"),
                            280, 1e-9);
    ck_assert_uint_eq(RowCount("host_call_sites.csv"), 1);
    ck_assert_str_eq(Cell("host_call_sites.csv", "name=cudaMemcpyAsync", "operator"), "aten::item");
    ck_assert_double_eq_tol(CellNumber("host_call_sites.csv", "kind=copy", "max(us)"), 220, 1e-9);
}
END_TEST

#define ITEM(ts, call, correlation)                                                                \
    HOST("cpu_op", "aten::item", "1", ts "0", "900")                                               \
    HOST("cpu_op", "aten::_local_scalar_dense", "1", ts "2", "890")                                \
    CALL("cudaStreamSynchronize", "1", call, "840", correlation)

/*
 * Calls that wait by the operators around them: two in the inner operator, one after it in the
 * outer one, two on a thread without operators; and one that allocates.
 */
START_TEST(calls_that_wait_have_their_operators)
{
    run("[" ITEM("10", "110", "1") CALL("cudaDeviceSynchronize", "1", "995", "4", "3")
            ITEM("200", "2010", "2") CALL("cudaStreamSynchronize", "2", "2010", "3", "4")
                CALL("cudaStreamSynchronize", "2", "2020", "3", "5")
                    CALL("cudaMalloc", "2", "2030", "3", "6")
                        WORK_ON("0", "k", "7", "100", "850", "") LAST "]");
    ck_assert_uint_eq(RowCount("host_call_sites.csv"), 4);
    ck_assert_double_eq_tol(
        CellNumber("host_call_sites.csv", "inner_operator=aten::_local_scalar_dense", "total(us)"),
        1680, 1e-9);
    ck_assert_str_eq(
        Cell("host_call_sites.csv", "inner_operator=aten::_local_scalar_dense", "operator"),
        "aten::item");
    ck_assert_double_eq_tol(
        CellNumber("host_call_sites.csv", "inner_operator=aten::item", "max(us)"), 4, 1e-9);
    ck_assert_double_eq_tol(
        CellNumber("host_call_sites.csv", "inner_operator=NA;kind=synchronise", "total(us)"), 6,
        1e-9);
}
END_TEST

/* Idle time belongs to the iteration in which it begins. */
START_TEST(iterations_have_their_idle_time)
{
    run(loop);
    ck_assert_double_eq_tol(CellNumber("step_idle.csv", "place=0", "idle(us)"), 1020, 1e-9);
    ck_assert_double_eq_tol(CellNumber("step_idle.csv", "place=0", "what(us)"), 500, 1e-9);
    ck_assert_str_eq(Cell("step_idle.csv", "place=0", "kind"), "annotation");
    ck_assert_double_eq_tol(CellNumber("step_idle.csv", "place=1", "idle(us)"), 100, 1e-9);
    ck_assert_str_eq(Cell("step_idle.csv", "place=1", "kind"), "unknown launch");
    /* Launched in the first: 100 and 70 us of computation, and a copy; in the second: 70 us. */
    ck_assert_double_eq_tol(CellNumber("step_idle.csv", "place=0", "computation(us)"), 170, 1e-9);
    ck_assert_double_eq_tol(CellNumber("step_idle.csv", "place=0", "kernels"), 3, 1e-9);
    ck_assert_double_eq_tol(CellNumber("step_idle.csv", "place=1", "computation(us)"), 70, 1e-9);
}
END_TEST

static void check_annotation(const char *place, double count, double host, double kernels,
                             double device)
{
    char where[64];

    snprintf(where, sizeof where, "annotation=opt;place=%s", place);
    ck_assert_double_eq_tol(CellNumber("annotation_steps.csv", where, "count"), count, 1e-9);
    ck_assert_double_eq_tol(CellNumber("annotation_steps.csv", where, "host(us)"), host, 1e-9);
    ck_assert_double_eq_tol(CellNumber("annotation_steps.csv", where, "kernels"), kernels, 1e-9);
    ck_assert_double_eq_tol(CellNumber("annotation_steps.csv", where, "device(us)"), device, 1e-9);
}

/* In the first iteration an annotation is inside another of its name, and the third kernel is
 * launched after both, on the other thread during them. */
START_TEST(annotations_have_their_work_by_iteration)
{
    run("[" HOST("user_annotation", "ProfilerStep#0", "1", "0",
                 "1000") HOST("user_annotation", "opt", "1", "100", "300")
            HOST("user_annotation", "opt", "1", "150", "100") CALL("cudaLaunchKernel", "1", "160",
                                                                   "5", "1")
                CALL("cudaLaunchKernel", "2", "200", "5", "9") CALL("cudaLaunchKernel", "1", "300",
                                                                    "5", "2")
                    CALL("cudaLaunchKernel", "1", "450", "5", "3") WORK("k", "500", "10", "1") WORK(
                        "k", "520", "20", "2") WORK("k", "545", "5", "3") WORK("k", "550", "5", "9")
                        HOST("user_annotation", "ProfilerStep#1", "1", "1000", "1000")
                            HOST("user_annotation", "opt", "1", "1100", "50")
                                CALL("cudaLaunchKernel", "1", "1110", "5", "4")
                                    WORK("k", "1200", "7", "4")
                                        HOST("user_annotation", "opt", "1", "2100", "50") LAST "]");
    check_annotation("0", 2, 300, 2, 30);
    check_annotation("1", 1, 50, 1, 7);
    ck_assert_uint_eq(RowCount("annotation_steps.csv"), 2);
}
END_TEST

#define SPREAD_RANK(rank, first, second)                                                           \
    "{\"distributedInfo\":{\"rank\":" rank                                                         \
    "},\"traceEvents\":[" HOST("user_annotation", "ProfilerStep#4", "1", "0", "1000")              \
        CALL("cudaLaunchKernel", "1", "10", "5", "1") WORK("k", "20", first, "1")                  \
            HOST("user_annotation", "ProfilerStep#5", "1", "1000", "1000")                         \
                CALL("cudaLaunchKernel", "1", "1010", "5", "2") WORK("k", "1020", second, "2")     \
                    CALL("cudaLaunchKernel", "1", "1016", "5", "3")                                \
                        WORK("ncclDevKernel_AllReduce", "1900", rank "1", "3") LAST "]}"

static void check_spread(const char *column, const char *first, const char *second)
{
    ck_assert_str_eq(Cell("step_spread.csv", "step=ProfilerStep#4", column), first);
    ck_assert_str_eq(Cell("step_spread.csv", "step=ProfilerStep#5", column), second);
}

/* Rank 2 has most in the first iteration, rank 0 in the second. */
START_TEST(ranks_are_apart_in_iterations)
{
    ResultsWrite("in/rank-0.json", SPREAD_RANK("0", "100", "700"));
    ResultsWrite("in/rank-1.json", SPREAD_RANK("1", "200", "300"));
    ResultsWrite("in/rank-2.json", SPREAD_RANK("2", "600", "200"));
    ck_assert_int_eq(RunKineto(ResultsPath("in"), NULL), OPPROF_RUN_COMPLETE);
    ck_assert_uint_eq(RowCount("step_spread.csv"), 2);
    check_spread("ranks", "3", "3");
    check_spread("computation_least(us)", "100.000", "200.000");
    check_spread("computation_median(us)", "200.000", "300.000");
    check_spread("computation_mean(us)", "300.000", "400.000");
    check_spread("computation_most(us)", "600.000", "700.000");
    check_spread("computation_least_rank", "0", "2");
    check_spread("computation_most_rank", "2", "0");
    check_spread("communication_most(us)", "0.000", "21.000");
    check_spread("communication_least(us)", "0.000", "1.000");
    ck_assert_str_eq(Cell("step_spread.csv", "place=1", "communication_most_rank"), "2");
    /* One rank is not apart from others. */
    ck_assert_int_eq(RunKineto(ResultsPath("in/rank-1.json"), NULL), OPPROF_RUN_COMPLETE);
    ck_assert_uint_eq(RowCount("step_spread.csv"), 0);
}
END_TEST

/* The thread that launches is the cause, not the busy other one; each device has its own idle
 * time. Kinds of calls follow from their names. */
START_TEST(threads_and_devices_are_apart)
{
    run("[" HOST("cpu_op", "aten::busy", "1", "0", "1000") HOST("cpu_op", "aten::a", "2", "0", "20")
            CALL("cudaLaunchKernel", "2", "5", "5", "1") WORK("k", "10", "90", "1") CALL(
                "cudaMalloc", "2", "100", "150", "8") CALL("cudaLaunchKernel", "2", "250", "5", "2")
                WORK("k", "260", "40", "2") CALL("cudaStreamSynchronize", "2", "260", "40", "9")
                    CALL("cudaLaunchKernel", "2", "300", "5", "3")
                        CALL("cudaLaunchKernel", "2", "600", "5", "4")
                            WORK_ON("1", "k", "7", "310", "10", ",\"correlation\":3")
                                WORK_ON("1", "k", "7", "610", "10", ",\"correlation\":4") LAST "]");
    check_idle("device=rank 0 device 0;what=cudaMalloc;kind=allocate", 150, 1, 150);
    check_idle("device=rank 0 device 0;kind=launch", 5, 1, 5);
    check_idle("device=rank 0 device 0;kind=outside of operators", 5, 1, 5);
    check_idle("device=rank 0 device 1;kind=outside of operators", 285, 1, 285);
    check_idle("device=rank 0 device 1;kind=launch", 5, 1, 5);
    ck_assert_uint_eq(RowCount("host_idle.csv"), 5);
    ck_assert_str_eq(Cell("host_calls.csv", "name=cudaStreamSynchronize", "kind"), "synchronise");
    ck_assert_double_eq_tol(CellNumber("host_calls.csv", "name=cudaMalloc", "idle_after(us)"), 160,
                            1e-9);
}
END_TEST

static void check_copies(const char *where, double count, double total, double bytes)
{
    ck_assert_double_eq_tol(CellNumber("copies.csv", where, "count"), count, 1e-9);
    ck_assert_double_eq_tol(CellNumber("copies.csv", where, "total(us)"), total, 1e-9);
    ck_assert_double_eq_tol(CellNumber("copies.csv", where, "bytes"), bytes, 1e-9);
}

/* The sample's copies, counted in its text. */
START_TEST(copies_have_memory_and_size)
{
    ck_assert_int_eq(RunKineto(SamplePath("sampled_rank-0.json.gz"), NULL), OPPROF_RUN_COMPLETE);
    check_copies("direction=HtoD;host_memory=pinned", 8, 812, 4866112 - 16416);
    check_copies("direction=HtoD;host_memory=pageable", 16, 65, 16416);
    check_copies("direction=DtoH;host_memory=pageable", 8, 16, 6115);
    check_copies("direction=DtoD;host_memory=NA", 8, 404, 209194904);
    check_copies("direction=fill", 10, 28, 8030732);
    ck_assert_double_eq_tol(CellNumber("copies.csv", "direction=DtoD", "larger"), 3, 1e-9);
    ck_assert_double_eq_tol(CellNumber("copies.csv", "direction=DtoH", "up_to_4_KiB"), 8, 1e-9);
    ck_assert_double_eq_tol(CellNumber("copies.csv", "direction=DtoH", "bandwidth(GB/s)"),
                            6115.0 / 16000, 5e-4);
}
END_TEST

static Suite *host_suite(void)
{
    Suite *suite = suite_create("host");
    TCase *tcase = tcase_create("host");

    tcase_add_checked_fixture(tcase, ResultsSetUp, ResultsTearDown);
    tcase_add_test(tcase, idle_time_belongs_to_what_the_host_did);
    tcase_add_test(tcase, activities_are_known_by_what_people_call_them);
    tcase_add_test(tcase, names_show_causes);
    tcase_add_test(tcase, neighbours_that_overlap_by_rounding_follow_each_other);
    tcase_add_test(tcase, long_functions_of_python_explain_idle_time);
    tcase_add_test(tcase, calls_have_a_kind_and_a_place);
    tcase_add_test(tcase, calls_that_wait_have_their_operators);
    tcase_add_test(tcase, iterations_have_their_idle_time);
    tcase_add_test(tcase, annotations_have_their_work_by_iteration);
    tcase_add_test(tcase, ranks_are_apart_in_iterations);
    tcase_add_test(tcase, threads_and_devices_are_apart);
    tcase_add_test(tcase, copies_have_memory_and_size);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(host_suite)
