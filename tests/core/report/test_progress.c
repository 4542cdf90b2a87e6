/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of core/report/progress.c. */
#include "tests/core/run/fixtures.h"
#include "tests/core/suites.h"
#include "run/pipeline.h"
#include "report/progress.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

static OpprofPipeline *pipeline;
static OpprofError *error;

/* A collector and two exporters; as if their threads ran. */
static void setup(void)
{
    pipeline = OpprofPipelineCreate();
    error = NULL;
    AddPluginDescriptor(pipeline, "numbers", &numbers_plugin, NULL, &error);
    AddPluginDescriptor(pipeline, "sum", &sum_plugin, NULL, &error);
    AddPluginDescriptor(pipeline, "more", &sum_plugin, NULL, &error);
    ck_assert_int_eq(OpprofPipelineValidate(pipeline, &error), OPPROF_OK);
    for (uint32_t i = 0; i < pipeline->node_count; i++) {
        atomic_store(&pipeline->nodes[i]->running, 1);
    }
}

static void teardown(void)
{
    OpprofPipelineDestroy(pipeline);
    OpprofErrorDestroy(error);
}

static void report(uint32_t node, uint64_t done, uint64_t total, const char *unit)
{
    OpprofStageProgress(pipeline->nodes[node]->instances[0], done, total, unit);
}

static void end(uint32_t node)
{
    atomic_store(&pipeline->nodes[node]->running, 0);
}

static void expect_share(double wanted)
{
    const OpprofProgress progress = ProgressNow(pipeline);

    ck_assert_msg(fabs(progress.share - wanted) < 1e-9, "%g, not %g", progress.share, wanted);
}

START_TEST(nothing_is_known_at_first)
{
    const OpprofProgress progress = ProgressNow(pipeline);

    ck_assert(progress.share < 0);
    ck_assert_ptr_null(progress.unit);
    ck_assert_str_eq(progress.stage_id, "numbers");
}
END_TEST

START_TEST(reading_is_six_tenths_and_each_end_a_part_of_half_of_the_rest)
{
    report(0, 50, 100, "bytes");
    expect_share(0.3);
    report(0, 100, 100, "bytes");
    expect_share(0.6);
    end(0);
    expect_share(0.6);
    ck_assert_str_eq(ProgressNow(pipeline).stage_id, "sum");
    ck_assert_uint_eq(ProgressNow(pipeline).total, 0); /* it does not say how far it is */
    end(1);
    expect_share(0.7); /* a half of two tenths: the last one takes the longest */
    end(2);
    expect_share(0.999); /* and not more: the run has not ended */
}
END_TEST

START_TEST(what_others_report_counts_as_much_as_it_is)
{
    report(0, 90, 90, "bytes"); /* 60 are taken for the rest */
    end(0);
    report(1, 0, 110, "bytes");
    expect_share(0.45); /* of 200 */
    report(1, 55, 110, "bytes");
    expect_share(145.0 / 200);
    ck_assert_uint_eq(ProgressNow(pipeline).done, 55);
    end(1);
    expect_share(0.999);
}
END_TEST

START_TEST(the_share_never_goes_back)
{
    report(0, 80, 100, "bytes");
    expect_share(0.48);
    report(0, 80, 200, "bytes"); /* another file was found */
    expect_share(0.48);
    report(1, 0, 1000, "bytes");
    expect_share(0.48);
    report(0, 10, 200, "bytes");
    expect_share(0.48);
}
END_TEST

START_TEST(an_unknown_total_gives_no_share)
{
    OpprofProgress progress;

    report(0, 7, 0, "operators");
    progress = ProgressNow(pipeline);
    ck_assert(progress.share < 0);
    ck_assert_uint_eq(progress.done, 7);
    ck_assert_uint_eq(progress.total, 0);
    ck_assert_str_eq(progress.unit, "operators");
}
END_TEST

START_TEST(more_than_all_is_all)
{
    report(0, 300, 100, "bytes");
    expect_share(0.6);
    ck_assert_uint_eq(ProgressNow(pipeline).done, 100);
}
END_TEST

START_TEST(a_collector_that_ended_early_has_read_all_it_will)
{
    report(0, 10, 100, "bytes");
    end(0);
    expect_share(0.6);
}
END_TEST

static Suite *progress_suite(void)
{
    Suite *suite = suite_create("progress");
    TCase *tcase = tcase_create("progress");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, nothing_is_known_at_first);
    tcase_add_test(tcase, reading_is_six_tenths_and_each_end_a_part_of_half_of_the_rest);
    tcase_add_test(tcase, what_others_report_counts_as_much_as_it_is);
    tcase_add_test(tcase, the_share_never_goes_back);
    tcase_add_test(tcase, an_unknown_total_gives_no_share);
    tcase_add_test(tcase, more_than_all_is_all);
    tcase_add_test(tcase, a_collector_that_ended_early_has_read_all_it_will);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(progress_suite)
