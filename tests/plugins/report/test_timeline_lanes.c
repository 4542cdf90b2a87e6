/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of plugins/report/timeline_lanes.c. */
#include "tests/core/suites.h"
#include "tests/plugins/harness.h"

#include <check.h>
#include <math.h>
#include <opprof/print.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const OpprofPlugin opprof_plugin_v0;

/* The rows that arrived, one line each: "MUL 0.75 0", in their order. */
static char rows[4096];

static double number_of(const OpprofBatch *batch, uint32_t row, const char *name)
{
    const OpprofField *field = OpprofFieldFind(batch->type, name, strlen(name));
    double number = NAN;

    ck_assert_ptr_nonnull(field);
    ck_assert(OpprofFieldNumber(field, OpprofBatchRecord(batch, row), &number));
    return number;
}

static void print_key(const OpprofStage *stage, const OpprofBatch *batch, uint32_t row, FILE *out)
{
    for (uint32_t f = 0; f < batch->type->field_count; f++) {
        const OpprofField *field = &batch->type->fields[f];
        char number[OPPROF_TEXT_NUMBER];
        size_t size;

        if ((field->flags & OPPROF_FIELD_KEY) != 0) {
            const char *text =
                OpprofFieldPrint(stage, batch, field, OpprofBatchRecord(batch, row), number, &size);

            fprintf(out, "%.*s ", (int) size, text);
        }
    }
}

static void take_lanes(const OpprofStage *stage, const OpprofBatch *batch)
{
    const size_t length = strlen(rows);
    FILE *out = fmemopen(rows + length, sizeof rows - length, "w");

    for (uint32_t i = 0; i < batch->count; i++) {
        print_key(stage, batch, i, out);
        fprintf(out, "%g %g\n", number_of(batch, i, "share"), number_of(batch, i, "is_rough"));
    }
    fclose(out);
}

static void take_curves(const OpprofStage *stage, const OpprofBatch *batch)
{
    const size_t length = strlen(rows);
    FILE *out = fmemopen(rows + length, sizeof rows - length, "w");

    for (uint32_t i = 0; i < batch->count; i++) {
        print_key(stage, batch, i, out);
        fprintf(out, "%g %g %g\n", number_of(batch, i, "mean"), number_of(batch, i, "most"),
                number_of(batch, i, "samples"));
    }
    fclose(out);
}

static void run(HarnessProduce *produce, const OpprofRecordType *type)
{
    rows[0] = '\0';
    HarnessSource("made-up", produce, &type, 1);
    HarnessPlugin("lanes", &opprof_plugin_v0, NULL);
    HarnessSink("sink", take_lanes, "timeline.lane");
    HarnessSink("curves", take_curves, "timeline.curve");
    HarnessRun(OPPROF_RUN_COMPLETE);
}

static OpprofStatus produce_spans(OpprofStage *stage, OpprofError **error)
{
    static const struct {
        const char *document, *process, *thread;
        uint64_t start, duration;
    } spans[] = {
        { "trace", "0", "MUL", 0, 40 },
        { "trace", "0", "MUL", 20, 30 }, /* 0 to 50, not 70 */
        { "trace", "0", "ADD", 90, 10 },
        { "trace", "1", "MUL", 0, 100 },
        { "0/trace", "0", "MUL", 0, 100 }, /* once more what "trace" shows */
        /* by their ends, as a simulator's: 0 to 1 and 2 to 100 */
        { "trace", "0", "DMA", 0, 1 },
        { "trace", "0", "DMA", 10, 1 },
        { "trace", "0", "DMA", 20, 5 },
        { "trace", "0", "DMA", 2, 98 },
    };
    const OpprofText none = { OPPROF_NA_U32, 0 };

    (void) error;
    for (size_t i = 0; i < sizeof spans / sizeof spans[0]; i++) {
        const OpprofTrack track = { .document = spans[i].document,
                                    .process = spans[i].process,
                                    .thread = spans[i].thread };
        const OpprofSpan span = { .start = spans[i].start,
                                  .duration = spans[i].duration,
                                  .track = OpprofStageTrack(stage, &track),
                                  .kind = OPPROF_SPAN_SLICE,
                                  .name = HarnessIntern(stage, "x"),
                                  .args = none,
                                  .id = none,
                                  .group = none };

        ck_assert_int_eq(OpprofStageAppend(stage, 0, 0, &span), OPPROF_OK);
    }
    return OPPROF_OK;
}

START_TEST(lanes_are_busy_for_a_share_of_the_time)
{
    run(produce_spans, &opprof_span_type);
    /* DMA 99 of 100; MUL 50 and 100 of 100 and 100; ADD 10 of 100 */
    ck_assert_str_eq(rows, "DMA 0.99 0\nMUL 0.75 0\nADD 0.1 0\n");
}
END_TEST

/* More stretches of work than are kept, process by process as a collector gives them, and once more
 * of the first. */
static OpprofStatus produce_many_processes(OpprofStage *stage, OpprofError **error)
{
    const OpprofText none = { OPPROF_NA_U32, 0 };

    (void) error;
    for (uint32_t process = 0; process <= 400; process++) {
        char number[16];

        snprintf(number, sizeof number, "%u", process % 400);
        const OpprofTrack track = { .document = "trace", .process = number, .thread = "MUL" };
        const uint64_t before = process == 400 ? 10000 : 0;
        OpprofSpan span = { .duration = 5,
                            .track = OpprofStageTrack(stage, &track),
                            .kind = OPPROF_SPAN_SLICE,
                            .name = HarnessIntern(stage, "x"),
                            .args = none,
                            .id = none,
                            .group = none };

        for (uint64_t i = 0; i < 1000; i++) {
            span.start = before + 10 * i;
            ck_assert_int_eq(OpprofStageAppend(stage, 0, 0, &span), OPPROF_OK);
        }
    }
    return OPPROF_OK;
}

START_TEST(lanes_of_many_processes_are_summed_exactly)
{
    run(produce_many_processes, &opprof_span_type);
    ck_assert_str_eq(rows, "MUL 0.50025 0\n"); /* 401 times 5000 of 399 times 9995 and 19995 */
}
END_TEST

/* A trace with a stream each for 20,000 names, and 20,000 processes. */
static OpprofStatus produce_many_names(OpprofStage *stage, OpprofError **error)
{
    const OpprofText none = { OPPROF_NA_U32, 0 };

    (void) error;
    for (uint32_t i = 0; i < 20000; i++) {
        char name[16];

        snprintf(name, sizeof name, "%u", i);
        const OpprofTrack track = { .document = "trace", .process = name, .thread = name };
        const OpprofSpan span = { .duration = 10,
                                  .track = OpprofStageTrack(stage, &track),
                                  .kind = OPPROF_SPAN_SLICE,
                                  .name = HarnessIntern(stage, "x"),
                                  .args = none,
                                  .id = none,
                                  .group = none };

        ck_assert_int_eq(OpprofStageAppend(stage, 0, 0, &span), OPPROF_OK);
    }
    return OPPROF_OK;
}

static uint32_t lanes_seen;

static void count_lanes(const OpprofStage *stage, const OpprofBatch *batch)
{
    (void) stage;
    lanes_seen += batch->count;
}

START_TEST(each_of_many_names_is_a_row)
{
    const OpprofRecordType *type = &opprof_span_type;

    lanes_seen = 0;
    HarnessSource("made-up", produce_many_names, &type, 1);
    HarnessPlugin("lanes", &opprof_plugin_v0, NULL);
    HarnessSink("sink", count_lanes, "timeline.lane");
    HarnessRun(OPPROF_RUN_COMPLETE);
    ck_assert_uint_eq(lanes_seen, 20000);
}
END_TEST

static OpprofStatus produce_samples(OpprofStage *stage, OpprofError **error)
{
    static const double values[] = { 1, 2, NAN, 9 };
    const OpprofTrack track = { .document = "trace", .process = "0" };

    (void) error;
    for (uint32_t i = 0; i < OPPROF_COUNT(values); i++) {
        const OpprofCounter sample = { .time = i,
                                       .value = values[i],
                                       .track = OpprofStageTrack(stage, &track),
                                       .name = HarnessIntern(stage, "load"),
                                       .series = HarnessIntern(stage, "GB/s") };

        ck_assert_int_eq(OpprofStageAppend(stage, 0, 0, &sample), OPPROF_OK);
    }
    return OPPROF_OK;
}

START_TEST(curves_have_a_mean_and_a_maximum)
{
    run(produce_samples, &opprof_counter_type);
    ck_assert_str_eq(rows, "load GB/s 4 9 3\n"); /* NaN does not count */
}
END_TEST

static Suite *timeline_lanes_suite(void)
{
    Suite *suite = suite_create("timeline-lanes");
    TCase *all = tcase_create("all");

    tcase_add_checked_fixture(all, HarnessSetup, HarnessTeardown);
    tcase_add_test(all, lanes_are_busy_for_a_share_of_the_time);
    tcase_add_test(all, lanes_of_many_processes_are_summed_exactly);
    tcase_add_test(all, each_of_many_names_is_a_row);
    tcase_add_test(all, curves_have_a_mean_and_a_maximum);
    suite_add_tcase(suite, all);
    return suite;
}
TEST_SUITE(timeline_lanes_suite)
