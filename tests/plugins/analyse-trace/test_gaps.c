/* SPDX-License-Identifier: Apache-2.0 */
/* The largest gaps of a device: which ones they are, and what is reported about them. */
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
#define CALL(tid, ts, correlation)                                                                 \
    "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":" tid  \
    ",\"ts\":" ts ",\"dur\":2,\"args\":{\"correlation\":" correlation "}},"

static void check(const char *where, const char *column, const char *wanted)
{
    const char *cell = Cell("gaps.csv", where, column);

    ck_assert_msg(cell != NULL, "no row where %s", where);
    ck_assert_msg(strcmp(cell, wanted) == 0, "%s: %s is '%s', not '%s'", where, column, cell,
                  wanted);
}

static int count_of(const char *text, const char *part)
{
    int count = 0;

    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part)) {
        count++;
    }
    return count;
}

/*
 * Two streams: 0-40 and 20-100, with 30-60 inside; then 150 us of nothing up to 250, since an
 * operator launched the next work at 200 only; 10 us of nothing up to 270, launched in time; 80 us
 * up to 360, launched in time too.
 */
START_TEST(gaps_are_of_all_streams_of_a_device)
{
    ck_assert_int_eq(
        RunKineto(ResultsWrite(
                      "trace.json",
                      "[" HOST("user_annotation", "ProfilerStep#4", "1", "0",
                               "300") HOST("user_annotation", "## forward ##", "1", "150",
                                           "100") HOST("cpu_op", "aten::linear", "1", "190", "30")
                          HOST("cpu_op", "aten::addmm", "1", "195",
                               "20") HOST("python_function", "nn.Module: Linear_2", "1", "180",
                                          "60") WORK("a", "7", "0", "40", "1")
                              WORK("b", "8", "20", "80", "2") WORK("c", "7", "30", "30", "3")
                                  WORK("d", "7", "250", "10", "4") WORK("e", "8", "270", "10", "5")
                                      WORK("f", "8", "360", "5", "6") CALL("1", "200", "4") CALL(
                                          "1", "204", "5") CALL("1", "240", "6") "{\"ph\":\"M\"}]"),
                  NULL),
        OPPROF_RUN_COMPLETE);
    ck_assert_uint_eq(RowCount("gaps.csv"), 3);
    ck_assert_str_eq(Cell("gaps.csv", "rank=0", "gap(us)"), "150.000");
    check("gap(us)=150.000", "start(us)", "100.000");
    check("gap(us)=150.000", "step", "ProfilerStep#4");
    check("gap(us)=150.000", "cause", "host_wait");
    check("gap(us)=150.000", "launch_after_start(us)", "100.000");
    check("gap(us)=150.000", "operator", "aten::addmm");
    check("gap(us)=150.000", "module", "nn.Module: Linear_2");
    check("gap(us)=150.000", "annotation", "## forward ##");
    check("gap(us)=150.000", "stream_before", "8");
    check("gap(us)=150.000", "work_before", "b");
    check("gap(us)=150.000", "stream_after", "7");
    check("gap(us)=150.000", "work_after", "d");
    check("gap(us)=80.000", "cause", "other");
    check("gap(us)=80.000", "launch_after_start(us)", "NA");
    check("gap(us)=80.000", "operator", "NA");
    check("gap(us)=10.000", "cause", "kernel_wait");
    /* The same three are drawn beside the streams, whose work is there as well. */
    const char *trace = ResultText("trace.json");

    ck_assert_int_eq(count_of(trace, "\"tid\":\"gaps\""), 3);
    ck_assert_int_eq(count_of(trace, "\"cat\":\"gap\",\"dur\":150,\"name\":\"host_wait\""), 1);
    ck_assert_int_eq(count_of(trace, "\"cat\":\"gap\",\"dur\":10,\"name\":\"kernel_wait\""), 1);
    ck_assert_int_eq(count_of(trace, "\"cat\":\"gap\",\"dur\":80,\"name\":\"other\""), 1);
    ck_assert_int_ge(count_of(trace, "\"tid\":8"), 3);
}
END_TEST

/*
 * Work 0-95, 200-210 and 240-250. Of the gap 95-200 the first 5 us are the end of iteration 4, the
 * others iteration 5, which lasts until 300. Iteration 6 of another thread, 150-205, is in it: of
 * the gap 210-240 all is iteration 5's, which has two of the three pieces of work, while iteration
 * 6 has one.
 */
START_TEST(a_gap_is_of_the_iteration_that_has_most_of_it)
{
    ck_assert_int_eq(
        RunKineto(
            ResultsWrite("trace.json",
                         "[" HOST("user_annotation", "ProfilerStep#4", "1", "0", "100")
                             HOST("user_annotation", "ProfilerStep#5", "1", "100", "200")
                                 HOST("user_annotation", "ProfilerStep#6", "2", "150", "55")
                                     WORK("a", "7", "0", "95", "1") WORK("b", "7", "200", "10", "2")
                                         WORK("c", "7", "240", "10", "3") "{\"ph\":\"M\"}]"),
            NULL),
        OPPROF_RUN_COMPLETE);
    check("gap(us)=105.000", "step", "ProfilerStep#5");
    check("gap(us)=30.000", "step", "ProfilerStep#5");
    ck_assert_str_eq(Cell("steps.csv", "step=ProfilerStep#4", "kernels"), "1");
    ck_assert_str_eq(Cell("steps.csv", "step=ProfilerStep#5", "kernels"), "2");
    ck_assert_str_eq(Cell("steps.csv", "step=ProfilerStep#6", "kernels"), "1");
}
END_TEST

/* Gaps of 1, 2 … 150 us in no order: a hundred are shown, the largest first. */
START_TEST(the_hundred_largest_are_shown)
{
    char text[32768];
    char *out = text + sprintf(text, "[");
    unsigned at = 0;

    for (unsigned i = 0; i <= 150; i++) {
        const unsigned gap = i == 0 ? 0 : i * 77 % 151; /* each of 1 to 150 once: 151 is a prime */

        at += gap;
        out += sprintf(out, "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"ts\":%u,\"dur\":5},",
                       at);
        at += 5;
    }
    sprintf(out, "{\"ph\":\"M\"}]");
    ck_assert_int_eq(RunKineto(ResultsWrite("trace.json", text), NULL), OPPROF_RUN_COMPLETE);
    ck_assert_uint_eq(RowCount("gaps.csv"), 100);
    ck_assert_str_eq(Cell("gaps.csv", "rank=0", "gap(us)"), "150.000");
    ck_assert_ptr_nonnull(Cell("gaps.csv", "gap(us)=51.000", "rank"));
    ck_assert_ptr_null(Cell("gaps.csv", "gap(us)=50.000", "rank"));
}
END_TEST

static Suite *gaps_suite(void)
{
    Suite *suite = suite_create("gaps");
    TCase *tcase = tcase_create("gaps");

    tcase_add_checked_fixture(tcase, ResultsSetUp, ResultsTearDown);
    tcase_add_test(tcase, gaps_are_of_all_streams_of_a_device);
    tcase_add_test(tcase, a_gap_is_of_the_iteration_that_has_most_of_it);
    tcase_add_test(tcase, the_hundred_largest_are_shown);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(gaps_suite)
