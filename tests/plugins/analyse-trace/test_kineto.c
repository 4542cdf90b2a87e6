/* SPDX-License-Identifier: Apache-2.0 */
/* The pipeline `kineto` over the sample traces: all figures, to the last digit. */
#include "results.h"

#include "tests/core/suites.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const last_step_excluded[] = { "kineto.exclude_last_step=true", NULL };

static void run_sample(const char *name, const char *const *settings)
{
    const int outcome = RunKineto(SamplePath(name), settings);

    ck_assert_msg(outcome == OPPROF_RUN_COMPLETE, "%s: %d %s", name, outcome, RunReason());
}

#define CHECK_TEXT(file, where, column, wanted)                                                    \
    do {                                                                                           \
        const char *cell_ = Cell((file), (where), (column));                                       \
        ck_assert_msg(cell_ != NULL, "%s has no row where %s", (file), (where));                   \
        ck_assert_msg(strcmp(cell_, (wanted)) == 0, "%s where %s: %s is '%s', not '%s'", (file),   \
                      (where), (column), cell_, (wanted));                                         \
    } while (0)

/* Wanted figures have six decimals, or the nine of small bandwidths. */
#define CHECK_NUMBER(file, where, column, wanted)                                                  \
    ck_assert_double_eq_tol(CellNumber((file), (where), (column)), (wanted),                       \
                            (wanted) > 0 && (wanted) < 0.01 ? 5.01e-10 : 5.01e-7)

/* ---- breakdown ---- */

typedef struct BreakdownCase {
    const char *file;
    const char *rank;
    const char *kernel;
    const char *compute;
    const char *non_compute;
    const char *idle;
    const char *compute_percent;
    const char *non_compute_percent;
    const char *idle_percent;
} BreakdownCase;

static const BreakdownCase breakdowns[] = {
    { "event_sync_multi_stream.json.gz", "0", "19506.000", "369.000", "3.000", "19134.000",
      "1.8917", "0.0154", "98.0929" },
    { "mi250_minitoy.json.gz", "0", "8911.887", "110.881", "38.161", "8762.845", "1.2442", "0.4282",
      "98.3276" },
    { "sampled_rank-0.json.gz", "0", "1222847.000", "210320.000", "337336.000", "675191.000",
      "17.1992", "27.5861", "55.2147" },
    { "trace_compare_base.json.gz", "1", "274498.000", "432.000", "1262.000", "272804.000",
      "0.1574", "0.4597", "99.3829" },
    { "trace_compare_test.json.gz", "1", "274353.000", "428.000", "1262.000", "272663.000",
      "0.1560", "0.4600", "99.3840" },
};

START_TEST(breakdowns_of_the_samples_are_exact)
{
    const BreakdownCase *one = &breakdowns[_i];
    const char *file = "temporal_breakdown.csv";
    char where[32];

    run_sample(one->file, NULL);
    snprintf(where, sizeof where, "rank=%s", one->rank);
    ck_assert_uint_eq(RowCount(file), 1);
    CHECK_TEXT(file, where, "kernel_time(us)", one->kernel);
    CHECK_TEXT(file, where, "compute_time(us)", one->compute);
    CHECK_TEXT(file, where, "non_compute_time(us)", one->non_compute);
    CHECK_TEXT(file, where, "idle_time(us)", one->idle);
    CHECK_TEXT(file, where, "compute_time_pctg", one->compute_percent);
    CHECK_TEXT(file, where, "non_compute_time_pctg", one->non_compute_percent);
    CHECK_TEXT(file, where, "idle_time_pctg", one->idle_percent);
}
END_TEST

#define AMD_BREAKDOWN                                                                              \
    "{\"rank\": 0, \"kernel_time_us\": 8911.887, \"compute_time_us\": 110.881, "                   \
    "\"non_compute_time_us\": 38.161, \"idle_time_us\": 8762.845, \"compute_percent\": 1.24, "     \
    "\"non_compute_percent\": 0.43, \"idle_percent\": 98.33}"

START_TEST(the_json_form_has_the_same_figures)
{
    run_sample("mi250_minitoy.json.gz", NULL);
    ck_assert_str_eq(ResultText("temporal_breakdown.json"),
                     "{\"temporal_breakdown\": " AMD_BREAKDOWN ",\n\"ranks\": [\n" AMD_BREAKDOWN
                     "\n]}\n");
}
END_TEST

START_TEST(the_last_step_can_be_excluded)
{
    const char *file = "temporal_breakdown.csv";

    run_sample("sampled_rank-0.json.gz", last_step_excluded);
    CHECK_TEXT(file, "rank=0", "kernel_time(us)", "600058.000");
    CHECK_TEXT(file, "rank=0", "compute_time(us)", "106252.000");
    CHECK_TEXT(file, "rank=0", "non_compute_time(us)", "172428.000");
    CHECK_TEXT(file, "rank=0", "idle_time(us)", "321378.000");
    CHECK_NUMBER("launch_stats.csv", "rank=0", "count", 602);
    ck_assert_ptr_nonnull(strstr(ResultText("run.json"), "602 pieces of device work"));
}
END_TEST

/* ---- overlap, types ---- */

static void check_type(const char *type, const char *sum, const char *percent)
{
    char where[128];

    snprintf(where, sizeof where, "kernel_type=%s", type);
    CHECK_TEXT("kernel_types.csv", where, "sum", sum);
    if (percent != NULL) {
        CHECK_TEXT("kernel_types.csv", where, "percentage", percent);
    }
}

START_TEST(overlap_and_kernel_types_are_exact)
{
    run_sample("sampled_rank-0.json.gz", NULL);
    CHECK_TEXT("comm_comp_overlap.csv", "rank=0", "comp_comm_overlap_pctg", "14.95");
    CHECK_TEXT("comm_comp_overlap.csv", "rank=0", "overlap_us", "59216.000");
    CHECK_TEXT("comm_comp_overlap.csv", "rank=0", "comm_us", "396199.000");
    /* The table that any timeline has says the same of this one. */
    CHECK_TEXT("overlap.csv", "rank=0", "overlapped_us", "59216.000");
    CHECK_TEXT("overlap.csv", "rank=0", "communication_only_us", "336983.000");
    ck_assert_uint_eq(RowCount("kernel_types.csv"), 7);
    check_type("COMMUNICATION", "336033.000", "61.4");
    check_type("COMPUTATION", "151094.000", "27.6");
    check_type("COMPUTATION overlapping COMMUNICATION", "59204.000", "10.8");
    check_type("COMMUNICATION overlapping MEMORY", "950.000", "0.2");
    check_type("MEMORY", "353.000", "0.1");
    check_type("COMPUTATION overlapping COMMUNICATION overlapping MEMORY", "12.000", "0.0");
    check_type("COMPUTATION overlapping MEMORY", "10.000", "0.0");
}
END_TEST

START_TEST(overlap_and_kernel_types_without_the_last_step_are_exact)
{
    run_sample("sampled_rank-0.json.gz", last_step_excluded);
    CHECK_TEXT("comm_comp_overlap.csv", "rank=0", "comp_comm_overlap_pctg", "11.81");
    CHECK_TEXT("comm_comp_overlap.csv", "rank=0", "overlap_us", "23068.000");
    CHECK_TEXT("comm_comp_overlap.csv", "rank=0", "comm_us", "195327.000");
    check_type("COMMUNICATION", "171780.000", NULL);
    check_type("COMPUTATION", "83182.000", NULL);
    check_type("COMPUTATION overlapping COMMUNICATION", "23056.000", NULL);
    check_type("COMMUNICATION overlapping MEMORY", "479.000", NULL);
    check_type("MEMORY", "169.000", NULL);
    check_type("COMPUTATION overlapping COMMUNICATION overlapping MEMORY", "12.000", NULL);
    check_type("COMPUTATION overlapping MEMORY", "2.000", NULL);
}
END_TEST

START_TEST(without_communication_the_overlap_is_absent)
{
    run_sample("mi250_minitoy.json.gz", NULL);
    CHECK_TEXT("comm_comp_overlap.csv", "rank=0", "comp_comm_overlap_pctg", "NA");
    CHECK_TEXT("comm_comp_overlap.csv", "rank=0", "comm_us", "0.000");
}
END_TEST

/* ---- idle time ---- */

typedef struct IdleCase {
    const char *stream;
    const char *host;
    const char *host_count;
    const char *kernel;
    const char *kernel_count;
    const char *other;
    const char *other_count;
} IdleCase;

static void check_idle(const char *rank, const IdleCase *list, size_t count)
{
    const char *file = "idle_breakdown.csv";
    char where[128];

    ck_assert_uint_eq(RowCount(file), 3 * count);
    for (size_t i = 0; i < count; i++) {
        const char *const wanted[3][3] = {
            { "host_wait", list[i].host, list[i].host_count },
            { "kernel_wait", list[i].kernel, list[i].kernel_count },
            { "other", list[i].other, list[i].other_count },
        };

        for (int cause = 0; cause < 3; cause++) {
            snprintf(where, sizeof where, "rank=%s;stream=%s;idle_category=%s", rank,
                     list[i].stream, wanted[cause][0]);
            CHECK_TEXT(file, where, "idle_time", wanted[cause][1]);
            CHECK_TEXT(file, where, "count", wanted[cause][2]);
        }
    }
}

START_TEST(idle_times_of_the_samples_are_exact)
{
    static const IdleCase multi[] = {
        { "20", "32.000", "1", "0.000", "0", "0.000", "0" },
        { "24", "0.000", "0", "15.000", "1", "0.000", "0" },
        { "28", "0.000", "0", "15.000", "1", "0.000", "0" },
    };
    static const IdleCase amd[] = { { "0", "8762.845", "15", "0.000", "0", "0.000", "0" } };
    static const IdleCase sampled[] = {
        { "7", "397917.000", "175", "3765.000", "390", "598335.000", "486" },
        { "23", "1214793.000", "101", "160.000", "23", "34.000", "1" },
        { "25", "560120.000", "1", "35.000", "3", "100413.000", "11" },
        { "84", "794901.000", "5", "6.000", "1", "3142.000", "1" },
        { "203", "558073.000", "1", "0.000", "0", "0.000", "0" },
    };
    static const IdleCase base[] = {
        { "7", "0.000", "0", "12.000", "2", "274008.000", "13" },
        { "16", "0.000", "0", "0.000", "0", "99603.000", "1" },
    };

    run_sample("event_sync_multi_stream.json.gz", NULL);
    check_idle("0", multi, 3);
    run_sample("mi250_minitoy.json.gz", NULL);
    check_idle("0", amd, 1);
    ck_assert_ptr_nonnull(strstr(Cell("idle_breakdown.csv", "stream=0", "device"), "device 2"));
    run_sample("sampled_rank-0.json.gz", NULL);
    check_idle("0", sampled, 5);
    run_sample("trace_compare_base.json.gz", NULL);
    check_idle("1", base, 2);
}
END_TEST

START_TEST(idle_times_without_the_last_step_are_exact)
{
    static const IdleCase sampled[] = {
        { "7", "213825.000", "82", "1985.000", "196", "261740.000", "247" },
        { "23", "596037.000", "52", "70.000", "9", "34.000", "1" },
        { "25", "0.000", "0", "9.000", "1", "47865.000", "6" },
        { "84", "148934.000", "2", "6.000", "1", "0.000", "0" },
        { "203", "0.000", "0", "0.000", "0", "0.000", "0" },
    };

    run_sample("sampled_rank-0.json.gz", last_step_excluded);
    check_idle("0", sampled, 5);
    CHECK_TEXT("idle_breakdown.csv", "stream=84;idle_category=host_wait", "idle_time_ratio",
               "1.00");
    CHECK_TEXT("idle_breakdown.csv", "stream=203", "idle_time_ratio", "NA");
}
END_TEST

START_TEST(idle_gaps_are_described_on_request)
{
    static const char *const settings[] = { "idle.stats=true", NULL };
    const char *where = "stream=20;idle_category=host_wait";

    run_sample("event_sync_multi_stream.json.gz", NULL);
    ck_assert_uint_eq(RowCount("idle_stats.csv"), 0);
    run_sample("event_sync_multi_stream.json.gz", settings);
    CHECK_NUMBER("idle_stats.csv", where, "count", 1);
    CHECK_NUMBER("idle_stats.csv", where, "50%", 32);
}
END_TEST

/* ---- counters ---- */

typedef struct QueueCase {
    const char *stream;
    double count, mean, std, min, q25, q50, q75, max;
} QueueCase;

#define UNTOLD (-1.0) /* the reference does not print it */

static void check_described(const char *file, const char *where, const QueueCase *one)
{
    const struct {
        const char *column;
        double wanted;
    } cells[] = { { "count", one->count }, { "mean", one->mean }, { "std", one->std },
                  { "min", one->min },     { "25%", one->q25 },   { "50%", one->q50 },
                  { "75%", one->q75 },     { "max", one->max } };

    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++) {
        if (cells[i].wanted != UNTOLD) {
            CHECK_NUMBER(file, where, cells[i].column, cells[i].wanted);
        }
    }
}

static void check_queues(const QueueCase *list, size_t count)
{
    char where[64];

    for (size_t i = 0; i < count; i++) {
        snprintf(where, sizeof where, "stream=%s", list[i].stream);
        check_described("queue_length.csv", where, &list[i]);
    }
}

START_TEST(queue_lengths_of_the_samples_are_exact)
{
    static const QueueCase multi[] = {
        { "20", 4, 0.5, 0.577350, 0, 0, 0.5, 1, 1 },
        { "24", 4, 0.5, 0.577350, 0, 0, 0.5, 1, 1 },
        { "28", 4, 1.0, 0.816497, 0, 0.75, 1, 1.25, 2 },
    };
    static const QueueCase amd[] = { { "0", 32, 0.5, 0.508001, 0, 0, 0.5, 1, 1 } };
    static const QueueCase sampled[] = {
        { "7", 2104, 25.458175, 22.214858, 0, 3, 22, 42, 80 },
        { "23", 252, 0.626984, 0.688368, UNTOLD, UNTOLD, UNTOLD, UNTOLD, 4 },
        { "25", 32, 4.0, 2.382734, UNTOLD, UNTOLD, UNTOLD, UNTOLD, 8 },
        { "84", 16, 0.625, 0.619139, UNTOLD, UNTOLD, UNTOLD, UNTOLD, 2 },
        { "203", 4, 0.5, 0.577350, UNTOLD, UNTOLD, UNTOLD, UNTOLD, 1 },
    };
    static const QueueCase filtered[] = { { "7", 1052, 23.619772, 19.977006, 0, 3, 22, 38, 76 } };

    run_sample("event_sync_multi_stream.json.gz", NULL);
    check_queues(multi, 3);
    run_sample("mi250_minitoy.json.gz", NULL);
    check_queues(amd, 1);
    run_sample("sampled_rank-0.json.gz", NULL);
    check_queues(sampled, 5);
    run_sample("sampled_rank-0.json.gz", last_step_excluded);
    check_queues(filtered, 1);
}
END_TEST

static void check_bandwidth(const char *kind, const QueueCase *wanted, const char *bytes)
{
    char where[64];

    snprintf(where, sizeof where, "name=%s", kind);
    check_described("memory_bandwidth.csv", where, wanted);
    CHECK_TEXT("memory_bandwidth.csv", where, "bytes", bytes);
}

START_TEST(memory_bandwidths_of_the_samples_are_exact)
{
    static const QueueCase d_to_d = { NULL,   8,      324.829002, 382.062809, 0.000969227,
                                      UNTOLD, UNTOLD, UNTOLD,     960.234432 };
    static const QueueCase d_to_h = { NULL,   8,      0.352010, 0.568816, 0.000488281,
                                      UNTOLD, UNTOLD, UNTOLD,   1.400735 };
    static const QueueCase h_to_d = { NULL,   24,     2.103578, 2.683809, 0.000306373,
                                      UNTOLD, UNTOLD, UNTOLD,   6.830521 };
    static const QueueCase set = { NULL,   10,     75.385037, 238.295387, 0.001428571,
                                   UNTOLD, UNTOLD, UNTOLD,    753.585586 };
    static const QueueCase small = { NULL,   3,      0.427201, 0.075149, 0.340426,
                                     UNTOLD, UNTOLD, UNTOLD,   0.470588 };

    run_sample("sampled_rank-0.json.gz", NULL);
    ck_assert_uint_eq(RowCount("memory_bandwidth.csv"), 4);
    check_bandwidth("Memcpy DtoD", &d_to_d, "209194904");
    check_bandwidth("Memcpy DtoH", &d_to_h, "6115");
    check_bandwidth("Memcpy HtoD", &h_to_d, "4866112");
    check_bandwidth("Memset", &set, "8030732");
    run_sample("event_sync_multi_stream.json.gz", NULL);
    check_bandwidth("Memset", &small, "1536");
    run_sample("mi250_minitoy.json.gz", NULL);
    ck_assert_uint_eq(RowCount("memory_bandwidth.csv"), 0);
}
END_TEST

START_TEST(curves_are_counters_of_the_timeline)
{
    const char *trace;

    run_sample("event_sync_multi_stream.json.gz", NULL);
    trace = ResultText("trace.json");
    ck_assert_ptr_nonnull(trace);
    ck_assert_ptr_nonnull(strstr(trace, "\"ph\":\"C\""));
    ck_assert_ptr_nonnull(strstr(trace, "\"Queue Length[28]\""));
    ck_assert_ptr_nonnull(strstr(trace, "\"Memset\""));
    ck_assert_ptr_nonnull(strstr(trace, "\"ampere_sgemm_128x64_nn\""));
}
END_TEST

/* ---- launches, kernels ---- */

START_TEST(launches_of_the_samples_are_exact)
{
    const char *file = "launch_stats.csv";

    run_sample("sampled_rank-0.json.gz", NULL);
    CHECK_TEXT(file, "rank=0", "count", "1204");
    CHECK_NUMBER(file, "rank=0", "cpu_duration_mean(us)", 9.177741);
    CHECK_NUMBER(file, "rank=0", "cpu_duration_max(us)", 777);
    CHECK_NUMBER(file, "rank=0", "gpu_duration_mean(us)", 504.853821);
    CHECK_NUMBER(file, "rank=0", "gpu_duration_max(us)", 67827);
    CHECK_NUMBER(file, "rank=0", "launch_delay_mean(us)", 17059.549834);
    CHECK_NUMBER(file, "rank=0", "launch_delay_max(us)", 111018);
    CHECK_TEXT(file, "rank=0", "short_kernels", "280");
    CHECK_TEXT(file, "rank=0", "runtime_outliers", "2");
    CHECK_TEXT(file, "rank=0", "launch_delay_outliers", "937");
    run_sample("sampled_rank-0.json.gz", last_step_excluded);
    CHECK_NUMBER(file, "rank=0", "cpu_duration_mean(us)", 8.486711);
    CHECK_NUMBER(file, "rank=0", "gpu_duration_mean(us)", 502.061462);
    CHECK_NUMBER(file, "rank=0", "launch_delay_mean(us)", 16412.162791);
    CHECK_NUMBER(file, "rank=0", "launch_delay_max(us)", 103661);
    CHECK_TEXT(file, "rank=0", "short_kernels", "140");
    CHECK_TEXT(file, "rank=0", "launch_delay_outliers", "469");
    run_sample("mi250_minitoy.json.gz", NULL);
    CHECK_TEXT(file, "rank=0", "count", "16");
    CHECK_NUMBER(file, "rank=0", "cpu_duration_mean(us)", 420.895813);
    CHECK_NUMBER(file, "rank=0", "cpu_duration_max(us)", 6543.109);
    CHECK_NUMBER(file, "rank=0", "gpu_duration_mean(us)", 9.315125);
    CHECK_NUMBER(file, "rank=0", "launch_delay_mean(us)", 5.769937);
    CHECK_NUMBER(file, "rank=0", "launch_delay_max(us)", 8.177);
    CHECK_TEXT(file, "rank=0", "short_kernels", "8");
    CHECK_TEXT(file, "rank=0", "runtime_outliers", "2");
    CHECK_TEXT(file, "rank=0", "launch_delay_outliers", "0");
}
END_TEST

START_TEST(every_launch_is_listed_on_request)
{
    static const char *const settings[] = { "launches.rows=true", NULL };
    static const struct {
        const char *correlation;
        const char *cpu;
        const char *gpu;
        const char *delay;
    } launches[] = {
        { "25", "18.000", "1.000", "6.000" },   { "27", "31.000", "123.000", "0.000" },
        { "55", "10.000", "1.000", "5.000" },   { "57", "14.000", "123.000", "2.000" },
        { "1411", "10.000", "1.000", "4.000" }, { "1413", "14.000", "123.000", "1.000" },
    };
    char where[64];

    run_sample("event_sync_multi_stream.json.gz", settings);
    ck_assert_uint_eq(RowCount("launches.csv"), 6);
    for (size_t i = 0; i < sizeof launches / sizeof launches[0]; i++) {
        snprintf(where, sizeof where, "correlation=%s", launches[i].correlation);
        CHECK_TEXT("launches.csv", where, "cpu_duration", launches[i].cpu);
        CHECK_TEXT("launches.csv", where, "gpu_duration", launches[i].gpu);
        CHECK_TEXT("launches.csv", where, "launch_delay", launches[i].delay);
    }
    CHECK_NUMBER("launch_stats.csv", "rank=0", "cpu_duration_mean(us)", 16.166667);
    CHECK_NUMBER("launch_stats.csv", "rank=0", "gpu_duration_mean(us)", 62);
    CHECK_NUMBER("launch_stats.csv", "rank=0", "launch_delay_mean(us)", 3);
    CHECK_TEXT("launch_stats.csv", "rank=0", "short_kernels", "3");
}
END_TEST

START_TEST(top_kernels_of_the_sample_are_exact)
{
    const char *file = "kernel_breakdown.csv";
    static const char *const all[] = { "top=1000", NULL };

    run_sample("sampled_rank-0.json.gz", NULL);
    CHECK_TEXT(file, "kernel_type=COMMUNICATION", "sum (us)", "396199.000");
    CHECK_TEXT(file, "kernel_type=COMMUNICATION", "max (us)", "67827.000");
    CHECK_TEXT(file, "kernel_type=COMMUNICATION", "min (us)", "11727.000");
    CHECK_TEXT(file, "kernel_type=COMMUNICATION", "mean (us)", "39619.900");
    CHECK_TEXT(file, "kernel_type=COMMUNICATION", "count", "10");
    CHECK_TEXT(file, "name=Memcpy HtoD (Pinned -> Device)", "sum (us)", "812.000");
    CHECK_TEXT(file, "name=Memcpy HtoD (Pinned -> Device)", "count", "8");
    CHECK_TEXT(file, "name=Memcpy DtoD (Device -> Device)", "sum (us)", "404.000");
    CHECK_TEXT(file, "name=Memcpy HtoD (Pageable -> Device)", "count", "16");
    CHECK_TEXT(file, "kernel_type=COMPUTATION;sum (us)=23469.000", "count", "2");
    CHECK_TEXT(file, "kernel_type=COMPUTATION;sum (us)=15167.000", "count", "2");
    CHECK_TEXT(file, "kernel_type=COMPUTATION;sum (us)=9309.000", "count", "2");
    ck_assert_ptr_nonnull(Cell(file, "name=others;kernel_type=COMPUTATION", "sum (us)"));
    ck_assert_uint_eq(RowCount(file), 1 + 11 + 5);
    run_sample("sampled_rank-0.json.gz", all);
    ck_assert_uint_eq(RowCount(file), 1 + 193 + 5);
    ck_assert_ptr_null(Cell(file, "name=others", "sum (us)"));
}
END_TEST

static TCase *time_tests(void)
{
    TCase *tcase = tcase_create("time");

    tcase_add_checked_fixture(tcase, ResultsSetUp, ResultsTearDown);
    tcase_add_loop_test(tcase, breakdowns_of_the_samples_are_exact, 0,
                        (int) (sizeof breakdowns / sizeof breakdowns[0]));
    tcase_add_test(tcase, the_json_form_has_the_same_figures);
    tcase_add_test(tcase, the_last_step_can_be_excluded);
    tcase_add_test(tcase, overlap_and_kernel_types_are_exact);
    tcase_add_test(tcase, overlap_and_kernel_types_without_the_last_step_are_exact);
    tcase_add_test(tcase, without_communication_the_overlap_is_absent);
    tcase_add_test(tcase, idle_times_of_the_samples_are_exact);
    tcase_add_test(tcase, idle_times_without_the_last_step_are_exact);
    tcase_add_test(tcase, idle_gaps_are_described_on_request);
    return tcase;
}

static TCase *work_tests(void)
{
    TCase *tcase = tcase_create("work");

    tcase_add_checked_fixture(tcase, ResultsSetUp, ResultsTearDown);
    tcase_add_test(tcase, queue_lengths_of_the_samples_are_exact);
    tcase_add_test(tcase, memory_bandwidths_of_the_samples_are_exact);
    tcase_add_test(tcase, curves_are_counters_of_the_timeline);
    tcase_add_test(tcase, launches_of_the_samples_are_exact);
    tcase_add_test(tcase, every_launch_is_listed_on_request);
    tcase_add_test(tcase, top_kernels_of_the_sample_are_exact);
    return tcase;
}

static Suite *kineto_suite(void)
{
    Suite *suite = suite_create("kineto");

    suite_add_tcase(suite, time_tests());
    suite_add_tcase(suite, work_tests());
    return suite;
}
TEST_SUITE(kineto_suite)
