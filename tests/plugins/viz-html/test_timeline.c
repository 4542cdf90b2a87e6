/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of plugins/viz-html/timeline.c. */
#include "tests/core/suites.h"
#include "tests/plugins/harness.h"

#include <check.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const OpprofPlugin opprof_plugin_v0;

static const OpprofRecordType *const types[] = { &opprof_span_type, &opprof_counter_type };

/* ---- what a source says ---- */

typedef struct Source {
    OpprofStage *stage;
    OpprofBatch *spans;
    OpprofBatch *counters;
} Source;

static Source begin(OpprofStage *stage)
{
    Source source = { .stage = stage,
                      .spans = OpprofStageNewBatch(stage, 0),
                      .counters = OpprofStageNewBatch(stage, 1) };

    return source;
}

static OpprofStatus end(Source *source)
{
    const OpprofStatus status = OpprofStagePush(source->stage, 0, source->spans);
    const OpprofStatus other = OpprofStagePush(source->stage, 1, source->counters);

    return status == OPPROF_OK ? other : status;
}

static uint32_t track(OpprofStage *stage, const char *document, const char *thread)
{
    const OpprofTrack lane = { .document = document,
                               .process = "core0",
                               .thread = thread,
                               .process_sort = -1,
                               .thread_sort = 3 };

    return OpprofStageTrack(stage, &lane);
}

static OpprofSpan *span(Source *source, uint32_t on, uint32_t kind, uint64_t start,
                        uint64_t duration, const char *name, const char *id)
{
    OpprofSpan *added = OpprofBatchAppend(source->spans);

    ck_assert_ptr_nonnull(added);
    *added = (OpprofSpan){ .start = start,
                           .duration = duration,
                           .track = on,
                           .kind = kind,
                           .name = HarnessIntern(source->stage, name),
                           .args = { OPPROF_NA_U32, 0 },
                           .id = { OPPROF_NA_U32, 0 },
                           .group = { OPPROF_NA_U32, 0 } };
    if (id != NULL) {
        ck_assert_int_eq(OpprofBatchAppendText(source->spans, id, strlen(id), &added->id),
                         OPPROF_OK);
    }
    return added;
}

static void sample(Source *source, uint32_t on, uint64_t time, double value)
{
    OpprofCounter *added = OpprofBatchAppend(source->counters);

    ck_assert_ptr_nonnull(added);
    *added = (OpprofCounter){ .time = time,
                              .value = value,
                              .track = on,
                              .name = HarnessIntern(source->stage, "queue"),
                              .series = HarnessIntern(source->stage, "items") };
}

/* ---- what the page holds ---- */

static const char *element(const char *name, size_t *ret_length)
{
    const char *page = HarnessFile("report.html", NULL);
    const char *found;
    char mark[64];

    ck_assert_ptr_nonnull(page);
    snprintf(mark, sizeof mark, "id=\"data-%s\">", name);
    found = strstr(page, mark);
    ck_assert_msg(found != NULL, "the page has no %s", name);
    found += strlen(mark);
    *ret_length = (size_t) (strstr(found, "</script>") - found);
    return found;
}

static json_t *data(const char *name)
{
    size_t length;
    const char *text = element(name, &length);
    json_t *json = json_loadb(text, length, 0, NULL);

    ck_assert_ptr_nonnull(json);
    return json;
}

static json_int_t number(const json_t *object, const char *name)
{
    return json_integer_value(json_object_get(object, name));
}

/* Bytes of a packed element, to be given to free(). */
static unsigned char *unpack(const char *name)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t length;
    const char *text = element(name, &length);
    unsigned char *bytes = malloc(length + 1);
    size_t count = 0;

    for (size_t i = 0; i + 3 < length; i += 4) {
        uint32_t group = 0;

        for (size_t k = 0; k < 4; k++) {
            const char *digit = text[i + k] == '=' ? digits : strchr(digits, text[i + k]);
            ck_assert_ptr_nonnull(digit);
            group = group << 6 | (uint32_t) (digit - digits);
        }
        bytes[count++] = (unsigned char) (group >> 16);
        bytes[count++] = (unsigned char) (group >> 8);
        bytes[count++] = (unsigned char) group;
    }
    return bytes;
}

static uint64_t next(unsigned char **at)
{
    uint64_t value = 0;

    for (unsigned shift = 0;; shift += 7) {
        value |= (uint64_t) (**at & 0x7f) << shift;
        if (*(*at)++ < 0x80) {
            return value;
        }
    }
}

static const char *name_of(const json_t *names, uint64_t code)
{
    return json_string_value(json_array_get(names, code >> 2));
}

/* ---- cases ---- */

static OpprofStatus produce_few(OpprofStage *stage, OpprofError **error)
{
    static const OpprofClock clock = { .name = "ns", .hz = UINT64_C(1000000000) };
    Source source = begin(stage);
    const uint32_t cube = track(stage, "trace", "CUBE");
    const uint32_t mte = track(stage, "trace", "MTE");
    const uint32_t other = track(stage, "core0/trace", "CUBE");
    OpprofArg arg = { .key = HarnessIntern(stage, "pc"),
                      .kind = OPPROF_ARG_HEX,
                      .value.u64 = 0x1c };
    OpprofSpan *added;

    (void) error;
    source.spans->clock = OpprofStageClock(stage, &clock);
    source.counters->clock = source.spans->clock;
    span(&source, cube, OPPROF_SPAN_SLICE, 1300, 200, "VADD", NULL);
    added = span(&source, cube, OPPROF_SPAN_SLICE, 1000, 250, "</script>", NULL);
    added->arg_count = 1;
    ck_assert_int_eq(
        OpprofBatchAppendText(source.spans, (const char *) &arg, sizeof arg, &added->args),
        OPPROF_OK);
    span(&source, mte, OPPROF_SPAN_BEGIN, 1100, 0, "WAIT", "a");
    span(&source, mte, OPPROF_SPAN_FLOW_END, 1150, 0, "flow", "a");
    span(&source, mte, OPPROF_SPAN_END, 1150, 0, "WAIT", "a");
    span(&source, cube, OPPROF_SPAN_FLOW_START, 1020, 0, "flow", "a");
    span(&source, mte, OPPROF_SPAN_BEGIN, 1200, 0, "WAIT", "never ends");
    span(&source, other, OPPROF_SPAN_SLICE, 0, 9999, "elsewhere", NULL);
    sample(&source, cube, 1000, 1.5);
    sample(&source, cube, 1200, 4);
    sample(&source, cube, 1250, OpprofNaF64());
    return end(&source);
}

static void run_few(void)
{
    HarnessSource("source", produce_few, types, 2);
    HarnessPlugin("html", &opprof_plugin_v0, "{\"documents\": \"trace\"}");
    HarnessRun(OPPROF_RUN_COMPLETE);
}

START_TEST(spans_keep_times_names_and_arguments)
{
    run_few();
    json_t *facts = data("timeline");
    json_t *names = data("names");
    json_t *arguments = data("arguments");
    unsigned char *bytes = unpack("level-0");
    unsigned char *at = bytes;
    const json_t *level = json_array_get(json_object_get(facts, "levels"), 0);
    uint64_t code;

    ck_assert_int_eq(number(facts, "unit"), 1000);
    ck_assert_int_eq(number(facts, "origin"), 1000000);
    ck_assert_int_eq(number(facts, "last"), 1500000);
    ck_assert_int_eq(number(facts, "spans"), 3);
    ck_assert_int_eq(number(facts, "grain"), 0);
    ck_assert_int_eq(number(level, "items"), 3);
    ck_assert_uint_eq(json_array_size(json_object_get(facts, "lanes")), 2);

    ck_assert_uint_eq(next(&at), 0); /* after the origin */
    ck_assert_uint_eq(next(&at), 250);
    code = next(&at);
    ck_assert_uint_eq(code & 3, 2); /* has arguments */
    ck_assert_str_eq(name_of(names, code), "</script>");
    const json_t *pairs = json_array_get(arguments, next(&at));
    ck_assert_str_eq(json_string_value(json_array_get(
                         names, (size_t) json_integer_value(json_array_get(pairs, 0)))),
                     "pc");
    ck_assert_str_eq(json_string_value(json_array_get(pairs, 1)), "0x1c");
    ck_assert_uint_eq(next(&at), 300); /* after the one before */
    ck_assert_uint_eq(next(&at), 200);
    ck_assert_str_eq(name_of(names, next(&at)), "VADD");
    ck_assert_uint_eq(next(&at), 100); /* the other lane: begin and end are one */
    ck_assert_uint_eq(next(&at), 50);
    ck_assert_str_eq(name_of(names, next(&at)), "WAIT");
    ck_assert_int_eq(number(facts, "halves_left_out"), 1);
    free(bytes);
    json_decref(facts);
    json_decref(names);
    json_decref(arguments);
}
END_TEST

START_TEST(arrows_lead_from_tail_to_head_whichever_came_first)
{
    run_few();
    json_t *facts = data("timeline");
    unsigned char *bytes = unpack("arrows");
    unsigned char *at = bytes;

    ck_assert_int_eq(number(facts, "arrows"), 1);
    ck_assert_int_eq(number(facts, "arrow_count"), 1);
    ck_assert_uint_eq(next(&at), 2 * 20); /* with a sign */
    ck_assert_uint_eq(next(&at), 2 * 130);
    ck_assert_uint_eq(next(&at), 0);
    ck_assert_uint_eq(next(&at), 1);
    free(bytes);
    json_decref(facts);
}
END_TEST

START_TEST(curves_have_their_samples)
{
    run_few();
    json_t *facts = data("timeline");
    const json_t *curve = json_array_get(json_object_get(facts, "curves"), 0);
    char *samples = json_dumps(json_object_get(curve, "samples"), JSON_COMPACT);

    ck_assert_int_eq(number(curve, "joined"), 1);
    ck_assert_str_eq(samples, "[1000000,1.5,200000,4.0]");
    free(samples);
    json_decref(facts);
}
END_TEST

#define BATCH 1000u
#define MANY 900000u

/* More than a page holds: every ninth span is long, all have arguments of their own. */
static OpprofStatus produce_many(OpprofStage *stage, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    (void) error;
    for (unsigned i = 0; status == OPPROF_OK && i < MANY; i += BATCH) {
        Source source = begin(stage);

        for (unsigned k = i; k < i + BATCH; k++) {
            const OpprofArg arg = { .key = HarnessIntern(stage, "n"),
                                    .kind = OPPROF_ARG_U64,
                                    .value.u64 = k };
            OpprofSpan *added =
                span(&source, track(stage, "trace", k % 2 == 0 ? "a" : "b"), OPPROF_SPAN_SLICE,
                     (uint64_t) k * 10, k % 9 == 0 ? 15 : 3, k % 9 == 0 ? "long" : "short", NULL);

            added->arg_count = 1;
            OpprofBatchAppendText(source.spans, (const char *) &arg, sizeof arg, &added->args);
            sample(&source, added->track, (uint64_t) k * 10, k);
        }
        status = end(&source);
    }
    return status;
}

static uint64_t count_spans(const char *element_name, const json_t *level)
{
    const json_t *lanes = json_object_get(level, "lanes");
    unsigned char *bytes = unpack(element_name);
    unsigned char *at = bytes;
    uint64_t spans = 0;

    for (size_t i = 0; i < json_array_size(lanes); i += 3) {
        const json_int_t items = json_integer_value(json_array_get(lanes, i + 1));

        for (json_int_t k = 0; k < items; k++) {
            next(&at);
            next(&at);
            const uint64_t flags = next(&at) & 3;
            spans += (flags & 1) != 0 ? next(&at) : 1;
            if (flags != 0) {
                next(&at);
            }
        }
    }
    free(bytes);
    return spans;
}

START_TEST(a_long_run_stays_within_bounds_and_loses_no_span)
{
    size_t length = 0;
    char name[16];

    HarnessSource("source", produce_many, types, 2);
    HarnessPlugin("html", &opprof_plugin_v0, NULL);
    HarnessRun(OPPROF_RUN_COMPLETE);
    ck_assert_ptr_nonnull(HarnessFile("report.html", &length));
    ck_assert_uint_lt(length, 20000000);

    json_t *facts = data("timeline");
    const json_t *levels = json_object_get(facts, "levels");

    ck_assert_int_eq(number(facts, "spans"), MANY);
    ck_assert_int_gt(number(facts, "grain"), 0);
    ck_assert_int_le(number(facts, "grain"), 15000); /* no need to join long ones */
    ck_assert_uint_ge(json_array_size(levels), 3);
    for (unsigned i = 0; i < json_array_size(levels); i++) {
        snprintf(name, sizeof name, "level-%u", i);
        ck_assert_uint_eq(count_spans(name, json_array_get(levels, i)), MANY);
    }
    /* 900,000 samples of two curves. */
    ck_assert_int_eq(number(facts, "samples"), MANY);
    for (size_t i = 0; i < 2; i++) {
        const json_t *curve = json_array_get(json_object_get(facts, "curves"), i);
        ck_assert_uint_le(json_array_size(json_object_get(curve, "samples")), 3 * 2048);
    }
    json_decref(facts);
}
END_TEST

/* A clock of the smallest offset, and one of none. */
static OpprofStatus produce_far(OpprofStage *stage, OpprofError **error)
{
    const uint32_t on = track(stage, "trace", "t");
    Source far = begin(stage);

    (void) error;
    span(&far, on, OPPROF_SPAN_SLICE, 0, 1, "first", NULL);
    far.spans->clock = OpprofStageClock(
        stage, &(OpprofClock){ .name = "far", .hz = 1000000000, .offset_ps = INT64_MIN });
    ck_assert_int_eq(end(&far), OPPROF_OK);
    Source near = begin(stage);
    span(&near, on, OPPROF_SPAN_SLICE, 1000, 1, "last", NULL);
    return end(&near);
}

START_TEST(the_longest_time_is_a_time)
{
    HarnessSource("source", produce_far, types, 2);
    HarnessPlugin("html", &opprof_plugin_v0, NULL);
    HarnessRun(OPPROF_RUN_COMPLETE);

    json_t *facts = data("timeline");

    ck_assert_int_eq(number(facts, "spans"), 2);
    json_decref(facts);
}
END_TEST

static Suite *timeline_suite(void)
{
    Suite *suite = suite_create("timeline");
    TCase *cases = tcase_create("page");

    tcase_add_checked_fixture(cases, HarnessSetup, HarnessTeardown);
    tcase_add_test(cases, spans_keep_times_names_and_arguments);
    tcase_add_test(cases, arrows_lead_from_tail_to_head_whichever_came_first);
    tcase_add_test(cases, curves_have_their_samples);
    tcase_add_test(cases, a_long_run_stays_within_bounds_and_loses_no_span);
    tcase_add_test(cases, the_longest_time_is_a_time);
    suite_add_tcase(suite, cases);
    return suite;
}
TEST_SUITE(timeline_suite)
