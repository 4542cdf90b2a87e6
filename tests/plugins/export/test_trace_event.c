/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of plugins/export/trace_event.c. */
#include "plugins/export/trace_event.h"

#include "tests/core/suites.h"

#include <check.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PIECE(literal) ((JsonPiece){ literal, sizeof(literal) - 1 })

static TraceEvent event;
static char out[1u << 21];

static void setup(void)
{
    event = (TraceEvent){
        .kind = OPPROF_SPAN_SLICE,
        .colour = PIECE("\"startup\""),
        .name = PIECE("\"scalar_neg\""),
        .track = PIECE("\"pid\":\"core0\",\"tid\":\"SCALAR\""),
        .start_ps = 321698113,
        .duration_ps = 943396,
        .arg_count = 3,
        .args = { { .key = PIECE("\"code\""), .kind = OPPROF_ARG_STRING, .text = PIECE("\"\"") },
                  { .key = PIECE("\"detail\""),
                    .kind = OPPROF_ARG_TEXT,
                    .text = PIECE("x[0]=0x0,\"q\"") },
                  { .key = PIECE("\"pc_addr\""), .kind = OPPROF_ARG_HEX, .u64 = 0x10cfa008 } }
    };
}

/* Print the event; the room asked for must do. */
static const char *print(void)
{
    size_t room = TraceEventRoom(&event);
    char *end = TraceEventPut(out, &event);

    ck_assert_uint_le((size_t) (end - out), room);
    ck_assert_uint_le(room, TRACE_EVENT_MAX);
    *end = '\0';
    return out;
}

START_TEST(a_slice_has_its_members_in_alphabetical_order)
{
    ck_assert_str_eq(
        print(),
        "{\"args\":{\"code\":\"\",\"detail\":\"x[0]=0x0,\\\"q\\\"\",\"pc_addr\":\"0x10cfa008\"},"
        "\"cname\":\"startup\",\"dur\":0.943396,\"name\":\"scalar_neg\",\"ph\":\"X\","
        "\"pid\":\"core0\",\"tid\":\"SCALAR\",\"ts\":321.698113}");
}
END_TEST

START_TEST(halves_of_a_flag_carry_their_id)
{
    event.kind = OPPROF_SPAN_END;
    event.arg_count = 0;
    event.id = PIECE("0x1a");
    event.group = PIECE("g\n1");
    ck_assert_str_eq(print(),
                     "{\"args\":{},\"cname\":\"startup\",\"group_id\":\"g\\n1\",\"id\":\"0x1a\","
                     "\"name\":\"scalar_neg\",\"ph\":\"E\",\"pid\":\"core0\",\"tid\":\"SCALAR\","
                     "\"ts\":321.698113}");
    event.kind = OPPROF_SPAN_BEGIN;
    ck_assert_ptr_nonnull(strstr(print(), "\"ph\":\"B\""));
}
END_TEST

/* The number that the event in hand has as its id. */
static uint64_t printed_id(void)
{
    const char *id = strstr(print(), "\"id\":\"0x");
    char *end;
    uint64_t number;

    ck_assert_ptr_nonnull(id);
    number = strtoull(id + strlen("\"id\":\""), &end, 16);
    ck_assert_int_eq(*end, '"');
    return number;
}

START_TEST(ids_that_are_no_numbers_become_some)
{
    uint64_t begin;

    event.kind = OPPROF_SPAN_BEGIN;
    event.id = PIECE("core0_0");
    begin = printed_id();
    event.kind = OPPROF_SPAN_END;
    ck_assert_uint_eq(printed_id(), begin);
    event.id = PIECE("core0_1");
    ck_assert_uint_ne(printed_id(), begin);
    event.id = PIECE("0123456789abcdef0"); /* more than 64 bits */
    ck_assert_uint_ne(printed_id(), begin);
}
END_TEST

START_TEST(arrows_have_a_category_and_end_in_t)
{
    event = (TraceEvent){ .kind = OPPROF_SPAN_FLOW_END,
                          .category = PIECE("\"MTE2ToSCALAR\""),
                          .name = PIECE("\"flow\""),
                          .track = PIECE("\"pid\":10,\"tid\":1"),
                          .id = PIECE("7"),
                          .start_ps = 1000000 };
    ck_assert_str_eq(print(),
                     "{\"cat\":\"MTE2ToSCALAR\",\"id\":\"7\",\"name\":\"flow\",\"ph\":\"t\","
                     "\"pid\":10,\"tid\":1,\"ts\":1}");
    event.kind = OPPROF_SPAN_FLOW_START;
    ck_assert_ptr_nonnull(strstr(print(), "\"ph\":\"s\""));
}
END_TEST

/* Sums by hand: epoch * 1000 + time, in microseconds. */
START_TEST(times_are_counted_from_the_epoch)
{
    static const struct {
        int64_t epoch_ns;
        int64_t start_ps;
        const char *expected;
    } cases[] = {
        { INT64_C(1712867402348264125), 0, "1712867402348264.125" },
        { INT64_C(1712867402348264125), 1001, "1712867402348264.126001" },
        { INT64_C(1712867402348264999), 999999, "1712867402348265.998999" },
        { INT64_C(1712867402348264000), 0, "1712867402348264" },
        { INT64_C(1712867402348264000), -1, "1712867402348263.999999" },
        { INT64_MAX, INT64_MAX, "9232595408891630.582807" },
        { INT64_MIN, INT64_MIN, "-9232595408891630.583808" },
        { 1, -1000, "0" },
        { 1, -1001, "-0.000001" },
        { -1, 1001, "0.000001" },
        { -1500, 2000000, "0.5" },
        { 1500, -2000000, "-0.5" },
        { -2000, 1000, "-1.999" },
        { 2000, -1000, "1.999" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char expected[64];

        event.epoch_ns = cases[i].epoch_ns;
        event.start_ps = cases[i].start_ps;
        snprintf(expected, sizeof expected, "\"ts\":%s}", cases[i].expected);
        ck_assert_ptr_nonnull(strstr(print(), expected));
    }
}
END_TEST

START_TEST(numbers_among_the_arguments_stay_numbers)
{
    event.args[0] = (TraceArg){ .key = PIECE("\"a\""), .kind = OPPROF_ARG_U64, .u64 = UINT64_MAX };
    event.args[1] = (TraceArg){ .key = PIECE("\"b\""), .kind = OPPROF_ARG_F64, .f64 = 0.5 };
    event.args[2] = (TraceArg){ .key = PIECE("\"c\""), .kind = OPPROF_ARG_U64_TEXT, .u64 = 256 };
    ck_assert_ptr_nonnull(strstr(print(), "{\"a\":18446744073709551615,\"b\":0.5,\"c\":\"256\"}"));
}
END_TEST

START_TEST(an_event_that_would_be_too_long_is_cut_between_characters)
{
    const size_t length = 400000;
    char *text = malloc(length);
    json_t *root;
    const char *detail;

    ck_assert_ptr_nonnull(text);
    for (size_t i = 0; i < length; i++) {
        text[i] = "\xe2\x82\xac"[i % 3]; /* the euro sign, three bytes */
    }
    event.arg_count = TRACE_ARGS_MAX;
    for (uint32_t i = 0; i < TRACE_ARGS_MAX; i++) {
        event.args[i] = (TraceArg){ .key = PIECE("\"detail\""),
                                    .kind = OPPROF_ARG_TEXT,
                                    .text = { text, length } };
    }
    print();
    ck_assert(event.is_cut);
    root = json_loads(out, JSON_DISABLE_EOF_CHECK, NULL);
    ck_assert_ptr_nonnull(root);
    detail = json_string_value(json_object_get(json_object_get(root, "args"), "detail"));
    ck_assert_uint_eq(strlen(detail), 510);
    json_decref(root);
    free(text);
}
END_TEST

START_TEST(track_ids_are_numbers_only_where_json_takes_them)
{
    static const struct {
        const char *process;
        const char *thread;
        uint32_t flags;
        const char *expected;
    } cases[] = {
        { "core0", "SCALAR", 0, "\"pid\":\"core0\",\"tid\":\"SCALAR\"" },
        { "10", "1", 0, "\"pid\":\"10\",\"tid\":\"1\"" },
        { "10", "1", OPPROF_TRACK_NUMERIC_PROCESS | OPPROF_TRACK_NUMERIC_THREAD,
          "\"pid\":10,\"tid\":1" },
        { "010", "x", OPPROF_TRACK_NUMERIC_PROCESS | OPPROF_TRACK_NUMERIC_THREAD,
          "\"pid\":\"010\",\"tid\":\"x\"" },
        { "MTE Throughput", NULL, 0, "\"pid\":\"MTE Throughput\",\"tid\":0" },
        { "a\"b", "", 0, "\"pid\":\"a\\\"b\",\"tid\":\"\"" },
        { "{a}", "}{", 0, "\"pid\":\"\\u007ba\\u007d\",\"tid\":\"\\u007d\\u007b\"" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const OpprofTrack track = { .process = cases[i].process,
                                    .thread = cases[i].thread,
                                    .flags = cases[i].flags };
        char *end = TraceTrackPut(out, &track, track.thread, "0");

        ck_assert_uint_le((size_t) (end - out), TraceTrackRoom(&track));
        *end = '\0';
        ck_assert_str_eq(out, cases[i].expected);
    }
}
END_TEST

START_TEST(metadata_names_and_ranks)
{
    JsonPiece track = PIECE("\"pid\":10,\"tid\":0");

    *TraceMetadataText(out, "process_name", track, "SCALAR") = '\0';
    ck_assert_str_eq(out, "{\"args\":{\"name\":\"SCALAR\"},\"name\":\"process_name\",\"ph\":\"M\","
                          "\"pid\":10,\"tid\":0}");
    *TraceMetadataSort(out, "process_sort_index", track, 10) = '\0';
    ck_assert_str_eq(out,
                     "{\"args\":{\"sort_index\":10},\"name\":\"process_sort_index\",\"ph\":\"M\","
                     "\"pid\":10,\"tid\":0}");
}
END_TEST

START_TEST(a_sample_names_its_series)
{
    const TraceCounter counter = { .name = PIECE("\"GM_TO_UB\""),
                                   .series = PIECE("\"throughput(MB/s)\""),
                                   .track = PIECE("\"pid\":\"MTE Throughput\",\"tid\":0"),
                                   .value = 244.140625,
                                   .time_ps = 11000000 };

    *TraceCounterPut(out, &counter) = '\0';
    ck_assert_str_eq(
        out, "{\"args\":{\"throughput(MB/s)\":244.140625},\"name\":\"GM_TO_UB\",\"ph\":\"C\","
             "\"pid\":\"MTE Throughput\",\"tid\":0,\"ts\":11}");
}
END_TEST

static Suite *trace_event_suite(void)
{
    Suite *suite = suite_create("trace_event");
    TCase *tcase = tcase_create("trace_event");

    tcase_add_checked_fixture(tcase, setup, NULL);
    tcase_add_test(tcase, a_slice_has_its_members_in_alphabetical_order);
    tcase_add_test(tcase, halves_of_a_flag_carry_their_id);
    tcase_add_test(tcase, ids_that_are_no_numbers_become_some);
    tcase_add_test(tcase, arrows_have_a_category_and_end_in_t);
    tcase_add_test(tcase, times_are_counted_from_the_epoch);
    tcase_add_test(tcase, numbers_among_the_arguments_stay_numbers);
    tcase_add_test(tcase, an_event_that_would_be_too_long_is_cut_between_characters);
    tcase_add_test(tcase, track_ids_are_numbers_only_where_json_takes_them);
    tcase_add_test(tcase, metadata_names_and_ranks);
    tcase_add_test(tcase, a_sample_names_its_series);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(trace_event_suite)
