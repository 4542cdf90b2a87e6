/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of plugins/export/trace.c. */
#include "tests/core/suites.h"
#include "tests/plugins/harness.h"

#include <opprof/records/block.h>

#include <check.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

extern const OpprofPlugin opprof_plugin_v0;

#define SPANS 5000u

static const OpprofRecordType *const span_and_counter[] = { &opprof_span_type,
                                                            &opprof_counter_type };

/* What the sink of blocks saw. */
static struct {
    unsigned count;
    char file[600];
    uint64_t length;
    uint32_t type;
} block;

static void see_block(const OpprofStage *stage, const OpprofBatch *batch)
{
    const OpprofBlock *seen = OpprofBatchRecord(batch, 0);

    (void) stage;
    block.count += batch->count;
    block.type = seen->block_type;
    block.length = seen->file_length;
    memcpy(block.file, OpprofBatchText(batch, seen->file), seen->file.length);
    block.file[seen->file.length] = '\0';
}

static OpprofBatch *begin(OpprofStage *stage, uint32_t port, const char *document)
{
    const OpprofClock clock = { .name = "core", .hz = UINT64_C(1850000000) };
    OpprofBatch *batch = OpprofStageNewBatch(stage, port);

    ck_assert_ptr_nonnull(batch);
    batch->partition = HarnessIntern(stage, document);
    batch->clock = OpprofStageClock(stage, &clock);
    return batch;
}

static void add_span(OpprofStage *stage, OpprofBatch *batch, const OpprofTrack *track,
                     uint64_t start)
{
    const OpprofText absent = { OPPROF_NA_U32, 0 };
    OpprofSpan *span = OpprofBatchAppend(batch);

    ck_assert_ptr_nonnull(span);
    *span = (OpprofSpan){ .kind = OPPROF_SPAN_SLICE,
                          .start = start,
                          .duration = 1,
                          .track = OpprofStageTrack(stage, track),
                          .name = HarnessIntern(stage, "ADD"),
                          .colour = HarnessIntern(stage, "startup"),
                          .args = absent,
                          .id = absent,
                          .group = absent };
}

static const OpprofTrack main_track = {
    .document = "trace", .process = "core0", .thread = "SCALAR", .process_sort = 1, .thread_sort = 1
};
static const OpprofTrack own_track = { .document = "core0/trace",
                                       .process = "10",
                                       .process_name = "SCALAR",
                                       .thread = "1",
                                       .thread_name = "SCALAR_1",
                                       .process_sort = 10,
                                       .thread_sort = 1,
                                       .flags = OPPROF_TRACK_NUMERIC_PROCESS |
                                                OPPROF_TRACK_NUMERIC_THREAD };

static OpprofStatus produce_two_documents(OpprofStage *stage, OpprofError **error)
{
    OpprofBatch *batch = begin(stage, 0, "trace");

    (void) error;
    for (uint32_t i = 0; i < SPANS; i++) {
        if (batch->count == batch->capacity) {
            ck_assert_int_eq(OpprofStagePush(stage, 0, batch), OPPROF_OK);
            batch = begin(stage, 0, "trace");
        }
        add_span(stage, batch, &main_track, 11035 + i);
    }
    ck_assert_int_eq(OpprofStagePush(stage, 0, batch), OPPROF_OK);
    batch = begin(stage, 0, "core0/trace");
    add_span(stage, batch, &own_track, 1850);
    return OpprofStagePush(stage, 0, batch);
}

static json_t *load(const char *relative)
{
    size_t length;
    char *text = HarnessFile(relative, &length);
    json_t *root;

    ck_assert_msg(text != NULL, "there is no %s", relative);
    root = json_loadb(text, length, 0, NULL);
    ck_assert_msg(root != NULL, "%s is not JSON", relative);
    return root;
}

START_TEST(each_document_becomes_a_file)
{
    json_t *root;

    HarnessSource("source", produce_two_documents, span_and_counter, 1);
    HarnessPlugin("trace", &opprof_plugin_v0, NULL);
    HarnessRun(OPPROF_RUN_COMPLETE);
    root = load("trace.json");
    ck_assert_uint_eq(json_array_size(json_object_get(root, "traceEvents")), SPANS + 2);
    json_decref(root);
    ck_assert_str_eq(
        HarnessFile("core0/trace.json", NULL),
        "{\"displayTimeUnit\":\"ns\",\"profilingType\":\"op\",\"schemaVersion\":1,\"traceEvents\":["
        "{\"args\":{\"name\":\"SCALAR\"},\"name\":\"process_name\",\"ph\":\"M\",\"pid\":10,\"tid\":"
        "0},"
        "{\"args\":{\"sort_index\":10},\"name\":\"process_sort_index\",\"ph\":\"M\",\"pid\":10,"
        "\"tid\":0},"
        "{\"args\":{\"name\":\"SCALAR_1\"},\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":10,"
        "\"tid\":1},"
        "{\"args\":{\"sort_index\":1},\"name\":\"thread_sort_index\",\"ph\":\"M\",\"pid\":10,"
        "\"tid\":1},"
        "{\"args\":{},\"cname\":\"startup\",\"dur\":0.000541,\"name\":\"ADD\",\"ph\":\"X\",\"pid\":"
        "10,"
        "\"tid\":1,\"ts\":1}]}");
}
END_TEST

START_TEST(lanes_are_introduced_before_their_first_event)
{
    static const char head[] = "{\"displayTimeUnit\":\"ns\",\"profilingType\":\"op\","
                               "\"schemaVersion\":2,\"traceEvents\":["
                               "{\"args\":{\"sort_index\":1},\"name\":\"process_sort_index\","
                               "\"ph\":\"M\",\"pid\":"
                               "\"core0\","
                               "\"tid\":\"NA\"},"
                               "{\"args\":{\"sort_index\":1},\"name\":\"thread_sort_index\",\"ph\":"
                               "\"M\",\"pid\":"
                               "\"core0\","
                               "\"tid\":\"SCALAR\"},"
                               "{\"args\":{},\"cname\":\"startup\",\"dur\":0.00054,\"name\":"
                               "\"ADD\",\"ph\":\"X\"," /* 5.965405 - 5.964865 */
                               "\"pid\":\"core0\",\"tid\":\"SCALAR\",\"ts\":5.964865}";

    HarnessSource("source", produce_two_documents, span_and_counter, 1);
    HarnessPlugin("trace", &opprof_plugin_v0, NULL);
    HarnessRun(OPPROF_RUN_COMPLETE);
    ck_assert_int_eq(strncmp(HarnessFile("trace.json", NULL), head, sizeof head - 1), 0);
}
END_TEST

#define LANES 40u   /* more than a section finds without a map */
#define ROUNDS 200u /* each lane again and again, with more text than stays in memory */

static OpprofStatus produce_many_lanes(OpprofStage *stage, unsigned first)
{
    OpprofStatus status = OPPROF_OK;

    for (unsigned round = 0; status == OPPROF_OK && round < ROUNDS; round++) {
        OpprofBatch *batch = begin(stage, 0, "trace");

        for (unsigned lane = first; lane < first + LANES; lane++) {
            char name[16];
            const OpprofTrack track = {
                .document = "trace", .process = "p", .thread = name, .thread_name = name
            };

            snprintf(name, sizeof name, "%u", lane);
            add_span(stage, batch, &track, 1000 + round);
        }
        status = OpprofStagePush(stage, 0, batch);
    }
    return status;
}

static OpprofStatus produce_low_lanes(OpprofStage *stage, OpprofError **error)
{
    (void) error;
    return produce_many_lanes(stage, 0);
}

static OpprofStatus produce_high_lanes(OpprofStage *stage, OpprofError **error)
{
    (void) error;
    return produce_many_lanes(stage, LANES);
}

/* Both producers have lanes of their own; those of the second are put aside. */
START_TEST(each_of_many_lanes_of_several_producers_is_introduced_once)
{
    unsigned names[2 * LANES] = { 0 }, slices[2 * LANES] = { 0 };
    json_t *root, *event;
    size_t i;

    HarnessSource("low", produce_low_lanes, span_and_counter, 1);
    HarnessSource("high", produce_high_lanes, span_and_counter, 1);
    HarnessPlugin("trace", &opprof_plugin_v0, NULL);
    HarnessRun(OPPROF_RUN_COMPLETE);
    root = load("trace.json");
    json_array_foreach(json_object_get(root, "traceEvents"), i, event)
    {
        const char *kind = json_string_value(json_object_get(event, "ph"));
        const char *name = json_string_value(json_object_get(event, "name"));
        const long lane = atol(json_string_value(json_object_get(event, "tid")));

        ck_assert_int_lt(lane, 2 * LANES);
        names[lane] += strcmp(name, "thread_name") == 0;
        slices[lane] += strcmp(kind, "X") == 0;
        ck_assert(strcmp(kind, "X") != 0 || names[lane] == 1);
    }
    for (i = 0; i < (size_t) 2 * LANES; i++) {
        ck_assert_uint_eq(names[i], 1);
        ck_assert_uint_eq(slices[i], ROUNDS);
    }
    json_decref(root);
}
END_TEST

START_TEST(a_slice_ends_where_the_next_one_begins)
{
    json_t *root, *events;
    double end = 0;

    HarnessSource("source", produce_two_documents, span_and_counter, 1);
    HarnessPlugin("trace", &opprof_plugin_v0, NULL);
    HarnessRun(OPPROF_RUN_COMPLETE);
    root = load("trace.json");
    events = json_object_get(root, "traceEvents");
    for (size_t i = 2; i < json_array_size(events); i++) {
        const json_t *event = json_array_get(events, i);
        const double start = json_number_value(json_object_get(event, "ts"));

        ck_assert_msg(i == 2 || (start - end < 1e-7 && end - start < 1e-7), "%.7f, %.7f", end,
                      start);
        end = start + json_number_value(json_object_get(event, "dur"));
    }
    json_decref(root);
}
END_TEST

START_TEST(timelines_of_a_framework_are_not_those_of_an_operator)
{
    static const char head[] = "{\"displayTimeUnit\":\"ns\",\"schemaVersion\":2,\"traceEvents\":[";

    HarnessSource("source", produce_two_documents, span_and_counter, 1);
    HarnessPlugin("trace", &opprof_plugin_v0, "{ \"of\": \"framework\" }");
    HarnessRun(OPPROF_RUN_COMPLETE);
    ck_assert_int_eq(strncmp(HarnessFile("trace.json", NULL), head, sizeof head - 1), 0);
}
END_TEST

START_TEST(the_main_document_is_offered_to_the_container)
{
    char path[600];
    size_t length;

    memset(&block, 0, sizeof block);
    HarnessSource("source", produce_two_documents, span_and_counter, 1);
    HarnessPlugin("trace", &opprof_plugin_v0, NULL);
    HarnessSink("sink", see_block, "insight.block");
    HarnessRun(OPPROF_RUN_COMPLETE);
    HarnessFile("trace.json", &length);
    snprintf(path, sizeof path, "%s/trace.json", HarnessDirectory());
    ck_assert_uint_eq(block.count, 1);
    ck_assert_uint_eq(block.type, 2);
    ck_assert_uint_eq(block.length, length);
    ck_assert_str_eq(block.file, path);
}
END_TEST

static OpprofStatus produce_nothing(OpprofStage *stage, OpprofError **error)
{
    (void) stage;
    (void) error;
    return OPPROF_OK;
}

START_TEST(no_file_without_events)
{
    HarnessSource("source", produce_nothing, span_and_counter, 1);
    HarnessPlugin("trace", &opprof_plugin_v0, NULL);
    HarnessRun(OPPROF_RUN_INCOMPLETE); /* the source says nothing of why */
    ck_assert_ptr_null(HarnessFile("trace.json", NULL));
}
END_TEST

static OpprofStatus produce_counters(OpprofStage *stage, OpprofError **error)
{
    static const OpprofTrack track = {
        .document = "trace", .process = "MTE Throughput", .process_sort = -1, .thread_sort = -1
    };
    const double values[] = { 244.140625, OpprofNaF64(), 0.0 };
    OpprofBatch *batch = begin(stage, 1, "trace");

    (void) error;
    for (uint32_t i = 0; i < 3; i++) {
        OpprofCounter *counter = OpprofBatchAppend(batch);

        *counter = (OpprofCounter){ .time = 1850 * (11 + (uint64_t) i),
                                    .value = values[i],
                                    .track = OpprofStageTrack(stage, &track),
                                    .name = HarnessIntern(stage, "GM_TO_UB"),
                                    .series = HarnessIntern(stage, "throughput(MB/s)") };
    }
    return OpprofStagePush(stage, 1, batch);
}

START_TEST(curves_leave_out_absent_samples)
{
    HarnessSource("source", produce_counters, span_and_counter, 2);
    HarnessPlugin("trace", &opprof_plugin_v0, NULL);
    HarnessRun(OPPROF_RUN_COMPLETE);
    ck_assert_str_eq(
        HarnessFile("trace.json", NULL),
        "{\"displayTimeUnit\":\"ns\",\"profilingType\":\"op\",\"schemaVersion\":2,\"traceEvents\":["
        "{\"args\":{\"throughput(MB/s)\":244.140625},\"name\":\"GM_TO_UB\",\"ph\":\"C\","
        "\"pid\":\"MTE Throughput\",\"tid\":0,\"ts\":11},"
        "{\"args\":{\"throughput(MB/s)\":0.0},\"name\":\"GM_TO_UB\",\"ph\":\"C\","
        "\"pid\":\"MTE Throughput\",\"tid\":0,\"ts\":13}]}");
}
END_TEST

static OpprofStatus produce_first_sample(OpprofStage *stage, OpprofError **error)
{
    static const OpprofTrack track = {
        .document = "trace", .process = "MTE Throughput", .process_sort = -1, .thread_sort = -1
    };
    OpprofBatch *batch = begin(stage, 1, "trace");
    OpprofCounter *counter = OpprofBatchAppend(batch);

    (void) error;
    *counter = (OpprofCounter){ .value = 1,
                                .track = OpprofStageTrack(stage, &track),
                                .name = HarnessIntern(stage, "GM_TO_UB"),
                                .series = HarnessIntern(stage, "throughput(MB/s)") };
    return OpprofStagePush(stage, 1, batch);
}

START_TEST(a_sample_at_time_0_is_a_nanosecond_later)
{
    HarnessSource("source", produce_first_sample, span_and_counter, 2);
    HarnessPlugin("trace", &opprof_plugin_v0, NULL);
    HarnessRun(OPPROF_RUN_COMPLETE);
    ck_assert_ptr_nonnull(strstr(HarnessFile("trace.json", NULL), "\"tid\":0,\"ts\":0.001}"));
}
END_TEST

static OpprofStatus produce_wrong_path(OpprofStage *stage, OpprofError **error)
{
    static const OpprofTrack track = { .document = "../trace", .process = "p", .thread = "t" };
    OpprofBatch *batch = begin(stage, 0, "../trace");

    (void) error;
    add_span(stage, batch, &track, 1);
    return OpprofStagePush(stage, 0, batch);
}

START_TEST(a_document_outside_of_the_output_directory_is_refused)
{
    HarnessSource("source", produce_wrong_path, span_and_counter, 1);
    HarnessPlugin("trace", &opprof_plugin_v0, NULL);
    ck_assert_ptr_nonnull(strstr(HarnessRunFailing(), "../trace.json"));
}
END_TEST

static OpprofStatus produce_then_fail(OpprofStage *stage, OpprofError **error)
{
    produce_two_documents(stage, error);
    return OpprofErrorSet(error, OPPROF_E_DATA, "the input breaks off");
}

START_TEST(what_was_read_before_a_failure_is_written)
{
    json_t *root;

    HarnessSource("source", produce_then_fail, span_and_counter, 1);
    HarnessPlugin("trace", &opprof_plugin_v0, NULL);
    ck_assert_ptr_nonnull(strstr(HarnessRunFailing(), "breaks off"));
    root = load("trace.json");
    ck_assert_uint_eq(json_array_size(json_object_get(root, "traceEvents")), SPANS + 2);
    json_decref(root);
}
END_TEST

static Suite *trace_suite(void)
{
    Suite *suite = suite_create("trace");
    TCase *tcase = tcase_create("trace");

    tcase_add_checked_fixture(tcase, HarnessSetup, HarnessTeardown);
    tcase_add_test(tcase, each_document_becomes_a_file);
    tcase_add_test(tcase, lanes_are_introduced_before_their_first_event);
    tcase_add_test(tcase, a_slice_ends_where_the_next_one_begins);
    tcase_add_test(tcase, each_of_many_lanes_of_several_producers_is_introduced_once);
    tcase_add_test(tcase, timelines_of_a_framework_are_not_those_of_an_operator);
    tcase_add_test(tcase, a_sample_at_time_0_is_a_nanosecond_later);
    tcase_add_test(tcase, the_main_document_is_offered_to_the_container);
    tcase_add_test(tcase, no_file_without_events);
    tcase_add_test(tcase, curves_leave_out_absent_samples);
    tcase_add_test(tcase, a_document_outside_of_the_output_directory_is_refused);
    tcase_add_test(tcase, what_was_read_before_a_failure_is_written);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(trace_suite)
