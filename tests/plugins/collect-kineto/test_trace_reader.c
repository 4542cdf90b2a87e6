/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of plugins/collect-kineto/formats/trace_reader.c. */
#include "plugins/collect-kineto/rank/open_events.h"
#include "reading.h"

#include "tests/core/suites.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KERNEL(ts, dur)                                                                            \
    "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":0,\"tid\":7,\"ts\":" ts               \
    ",\"dur\":" dur ",\"args\":{\"device\":0,\"stream\":7,\"correlation\":5}}"
#define CALL                                                                                       \
    "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":1,"    \
    "\"ts\":1,\"dur\":2,\"args\":{\"correlation\":5}}"

static void check_work(const Read *read, uint32_t count)
{
    ck_assert_int_eq(read->status, OPPROF_END);
    ck_assert_uint_eq(read->linked.work_count, count);
}

#define TEN KERNEL("10", "3.5")

START_TEST(objects_are_read_with_metadata_before_and_behind)
{
    Read read = ReadText("{\"schemaVersion\":1,\"traceEvents\":[" CALL ",\n" TEN
                         "],\"baseTimeNanoseconds\":1735632360000000000,"
                         "\"distributedInfo\":{\"backend\":\"nccl\","
                         "\"pg_config\":[{\"ranks\":[0,1]}],\"rank\":12,\"world_size\":16}}");
    const WorkEvent *work;

    check_work(&read, 1);
    ck_assert_ptr_null(read.facts.problem);
    ck_assert_int_eq(read.facts.rank, 12);
    ck_assert_int_eq(read.facts.base_ns, INT64_C(1735632360000000000));
    ck_assert_uint_eq(read.facts.events, 2);
    work = RankTraceWork(&read.trace, 0);
    ck_assert_int_eq(work->start_ns, 10000);
    ck_assert_uint_eq(work->duration_ns, 3500);
    ck_assert(work->flags & WORK_IS_LINKED);
    ReadFinish(&read);
}
END_TEST

START_TEST(bare_arrays_are_read)
{
    Read read = ReadText("\xef\xbb\xbf [ " KERNEL("1", "2") " , " KERNEL("3", "4") " ] ");

    check_work(&read, 2);
    ck_assert(read.facts.is_array && !read.facts.is_unclosed);
    ck_assert(!read.facts.has_rank);
    ReadFinish(&read);
}
END_TEST

START_TEST(arrays_of_writers_that_were_killed_are_read)
{
    static const char *const texts[] = { "[" KERNEL("1", "2") "," KERNEL("3", "4"),
                                         "[" KERNEL("1", "2") "," KERNEL("3", "4") ",\n" };

    for (int i = 0; i < 2; i++) {
        Read read = ReadText(texts[i]);

        check_work(&read, 2);
        ck_assert(read.facts.is_unclosed);
        ck_assert_ptr_null(read.facts.problem);
        ReadFinish(&read);
    }
}
END_TEST

START_TEST(what_is_no_trace_is_an_error)
{
    static const char *const texts[] = {
        "",
        "  \n",
        "hello",
        "17",
        "\"text\"",
        "{}",
        "{\"schema\":1,\"pid\":2,\"nodes\":[]}",
        "{\"traceEvents\":{}}",
        "{\"traceEvents\":7}",
    };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        Read read = ReadText(texts[i]);

        ck_assert_msg(read.status == OPPROF_E_DATA, "'%s'", texts[i]);
        ck_assert_ptr_nonnull(OpprofErrorGetHint(read.error));
        ReadFinish(&read);
    }
}
END_TEST

START_TEST(empty_traces_and_metadata_alone_are_traces)
{
    static const char *const texts[] = {
        "{\"traceEvents\":[]}",
        "[]",
        "[",
        "[{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":1,\"args\":{\"name\":\"x\"}}]",
        "{\"traceEvents\":[{},[],3,null,\"x\"]}",
    };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        Read read = ReadText(texts[i]);

        check_work(&read, 0);
        ck_assert_ptr_null(read.facts.problem);
        ck_assert_int_eq(read.linked.earliest_ns, 0);
        ReadFinish(&read);
    }
}
END_TEST

START_TEST(a_text_cut_anywhere_keeps_its_events)
{
    static const char text[] =
        "{\"a\":[1,{\"b\":\"\\\"\"}],\"distributedInfo\":{\"rank\":3,\"pg\":[1]},"
        "\"traceEvents\":[" KERNEL("1", "2") "," KERNEL("3", "4") ","
                                                                  "{\"ph\":\"M\"}],\"z\":\"end\"}";
    const char *first = strstr(text, "\"correlation\":5}}");
    const char *second = strstr(first + 1, "\"correlation\":5}}");

    for (size_t length = 1; length < sizeof text; length++) {
        const uint32_t wanted =
            (length >= (size_t) (first - text) + 17) + (length >= (size_t) (second - text) + 17);
        Read read = ReadBytes(text, length, false);

        check_work(&read, wanted);
        if (length < sizeof text - 1) {
            ck_assert_ptr_nonnull(read.facts.problem);
            ck_assert_uint_le(read.facts.problem_at, length);
        } else {
            ck_assert_ptr_null(read.facts.problem);
        }
        ReadFinish(&read);
    }
}
END_TEST

/* Damaged events; the one after each is whole. */
static const char *const broken_events[] = {
    "{\"ph\" \"X\"}",
    "{\"ph\":\"X\" \"cat\":\"kernel\"}",
    "{ph:1}",
    "{\"ph\":}",
    "{,}",
    "{\"ph\":\"X\",\"cat\":\"kernel\",\"ts\":1,}",
    "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"a \"quoted\" name\",\"ts\":1,\"dur\":1}",
    "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"half \" quoted\",\"ts\":1,\"dur\":1}",
    "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"not \" asked for\",\"args\":{\"x\":\"{\"}}",
    "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"args\":{\"stream\" 7}}",
    "x{}",
    "}",
};

START_TEST(an_event_that_is_not_json_is_lost_alone)
{
    char text[2048];

    for (size_t i = 0; i < sizeof broken_events / sizeof broken_events[0]; i++) {
        const int at = snprintf(text, sizeof text, "{\"traceEvents\":[%s,", KERNEL("1", "2"));
        Read read;

        snprintf(text + at, sizeof text - (size_t) at,
                 "%s,\n  %s,%s],\"traceName\":\"x\",\"distributedInfo\":{\"rank\":6}}",
                 broken_events[i], KERNEL("3", "4"), KERNEL("9", "4"));
        read = ReadText(text);
        check_work(&read, 3);
        ck_assert_msg(read.facts.problem == NULL, "'%s'", broken_events[i]);
        ck_assert_uint_eq(read.facts.broken.count + read.facts.strangers.count, 1);
        ck_assert_uint_eq(read.facts.broken.at + read.facts.strangers.at, (size_t) at);
        ck_assert_int_eq(read.facts.rank, 6);
        ReadFinish(&read);
    }
}
END_TEST

START_TEST(the_last_event_may_be_the_damaged_one)
{
    static const char *const ends[] = { "]", " ] \n", "]}", "],\"displayTimeUnit\":\"ms\"}" };
    char text[2048];

    for (size_t i = 0; i < sizeof broken_events / sizeof broken_events[0] - 1; i++) {
        for (size_t e = 0; e < sizeof ends / sizeof ends[0]; e++) {
            Read read;

            snprintf(text, sizeof text, "%s[%s,%s%s",
                     e < 2 ? "" : "{\"traceEvents\":", KERNEL("1", "2"), broken_events[i], ends[e]);
            read = ReadText(text);
            check_work(&read, 1);
            ck_assert_uint_eq(read.facts.broken.count + read.facts.strangers.count, 1);
            ck_assert_msg(read.facts.problem == NULL, "'%s'", text);
            ReadFinish(&read);
        }
    }
}
END_TEST

START_TEST(text_after_the_end_is_a_problem)
{
    static const char *const rest[] = { "x", "{}", "]", ",", "[1]", "\t\n }" };
    char text[1024];

    for (size_t i = 0; i < sizeof rest / sizeof rest[0]; i++) {
        for (int is_array = 0; is_array < 2; is_array++) {
            const int at =
                snprintf(text, sizeof text, is_array ? "[%s]\n" : "{\"traceEvents\":[%s]}\n",
                         KERNEL("1", "2"));
            Read read;

            snprintf(text + at, sizeof text - (size_t) at, "%s", rest[i]);
            read = ReadText(text);
            check_work(&read, 1);
            ck_assert_msg(read.facts.problem != NULL, "'%s'", text);
            ck_assert_uint_ge(read.facts.problem_at, (size_t) at);
            ReadFinish(&read);
        }
    }
}
END_TEST

START_TEST(arrays_of_arrays_are_documents_of_another_kind)
{
    static const char *const texts[] = { "[[1,2],[3,4]]", "{\"schema\":1}" };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        Read read = ReadText(texts[i]);

        ck_assert_int_eq(read.status, OPPROF_E_DATA);
        ck_assert(read.facts.is_other);
        ReadFinish(&read);
    }
}
END_TEST

START_TEST(what_has_lost_its_events_is_a_damaged_trace)
{
    static const char *const texts[] = { "{}", "{\"traceEvents\":7}", "{\"traceEvents\":null}",
                                         "{\"distributedInfo\":{\"rank\":1}}" };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        Read read = ReadText(texts[i]);

        ck_assert_int_eq(read.status, OPPROF_E_DATA);
        ck_assert_msg(!read.facts.is_other, "'%s'", texts[i]);
        ReadFinish(&read);
    }
}
END_TEST

START_TEST(nested_two_hundred_levels_deep_is_read_over)
{
    char deep[512];
    char text[4096];
    Read read;

    memset(deep, '[', 200);
    memset(deep + 200, ']', 200);
    deep[400] = '\0';
    snprintf(text, sizeof text,
             "{\"x\":%s,\"traceEvents\":[{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"y\":%s,"
             "\"ts\":1,\"dur\":2,\"args\":{\"z\":%s,\"stream\":7}}," KERNEL("3", "4") "]}",
             deep, deep, deep);
    read = ReadText(text);
    check_work(&read, 2);
    ck_assert_ptr_null(read.facts.problem);
    ReadFinish(&read);
}
END_TEST

START_TEST(of_members_with_one_name_the_first_counts)
{
    Read read =
        ReadText("[{\"ph\":\"X\",\"ph\":\"M\",\"cat\":\"kernel\",\"cat\":\"cpu_op\",\"name\":\"a\","
                 "\"name\":\"b\",\"ts\":1,\"ts\":100,\"dur\":2,\"dur\":200,"
                 "\"args\":{\"stream\":7,\"stream\":8},\"args\":{\"stream\":9}}]");
    const WorkEvent *work;

    check_work(&read, 1);
    work = RankTraceWork(&read.trace, 0);
    ck_assert_int_eq(work->start_ns, 1000);
    ck_assert_uint_eq(work->duration_ns, 2000);
    ck_assert_str_eq(NamesAt(&read.trace.names, work->name)->text, "a");
    ck_assert_int_eq(((const Lane *) ChunksAt(&read.trace.lanes.list, 0))->stream, 7);
    ReadFinish(&read);
}
END_TEST

START_TEST(events_that_make_no_sense_are_counted_and_left_out)
{
    Read read = ReadText(
        "[{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"no dur\",\"ts\":1},"
        "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"no ts\",\"dur\":1},"
        "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"bad ts\",\"ts\":NaN,\"dur\":1},"
        "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"below\",\"ts\":1,\"dur\":-1},"
        "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"long\",\"ts\":1,\"dur\":604800000000.001},"
        "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"week\",\"ts\":1,\"dur\":604800000000},"
        "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"nobody asks\",\"ts\":1}]");

    check_work(&read, 1);
    ck_assert_uint_eq(read.trace.losses.no_duration.count, 1);
    ck_assert_uint_eq(read.trace.losses.no_start.count, 2);
    ck_assert_uint_eq(read.trace.losses.negative_duration.count, 1);
    ck_assert_uint_eq(read.trace.losses.corrupt_duration.count, 1);
    ReadFinish(&read);
}
END_TEST

START_TEST(negative_times_are_times)
{
    Read read = ReadText("[" KERNEL("-20.5", "1") "," KERNEL("-30", "2") "," KERNEL("4", "3") "]");

    check_work(&read, 3);
    ck_assert_int_eq(read.linked.earliest_ns, -30000);
    ck_assert_uint_eq(read.linked.work[0], 1);
    ck_assert_uint_eq(read.linked.work[1], 0);
    ck_assert_uint_eq(read.linked.work[2], 2);
    ReadFinish(&read);
}
END_TEST

START_TEST(times_may_be_quoted)
{
    Read read = ReadText("[" KERNEL("\"1712195495519689.047\"", "\"2.5\"") "]");

    check_work(&read, 1);
    ck_assert_int_eq(RankTraceWork(&read.trace, 0)->start_ns, INT64_C(1712195495519689047));
    ck_assert_uint_eq(RankTraceWork(&read.trace, 0)->duration_ns, 2500);
    ReadFinish(&read);
}
END_TEST

START_TEST(names_with_escapes_and_surrogates_are_decoded)
{
    Read read = ReadText(
        "[{\"\\u0070h\":\"X\",\"cat\":\"ker\\u006eel\",\"name\":\"\\ud83d\\ude00 \\\"k\\\"\","
        "\"ts\":1,\"dur\":2}]");

    check_work(&read, 1);
    ck_assert_str_eq(NamesAt(&read.trace.names, RankTraceWork(&read.trace, 0)->name)->text,
                     "\xf0\x9f\x98\x80 \"k\"");
    ReadFinish(&read);
}
END_TEST

START_TEST(metadata_and_events_larger_than_the_window_pass_through_it)
{
    const size_t large = 3u << 20;
    char *text = malloc(2 * large + 4096);
    char *out = text;
    Read read;

    ck_assert_ptr_nonnull(text);
    out += sprintf(out, "{\"distributedInfo\":{\"pg_config\":[");
    for (size_t i = 0; i < large / 8; i++) {
        out += sprintf(out, "%07zu,", i);
    }
    out += sprintf(out, "0],\"rank\":5},\"note\":\"");
    memset(out, 'n', large / 2);
    out += large / 2;
    out += sprintf(out, "\",\"traceEvents\":[%s,{\"ph\":\"X\",\"name\":\"", KERNEL("1", "2"));
    memset(out, 'x', large / 2);
    out += large / 2;
    out += sprintf(out, "\"},%s]}", KERNEL("3", "4"));
    read = ReadBytes(text, (size_t) (out - text), false);
    check_work(&read, 2);
    ck_assert_ptr_null(read.facts.problem);
    ck_assert_int_eq(read.facts.rank, 5);
    ck_assert_uint_eq(read.facts.too_long.count, 1);
    ck_assert_uint_eq(read.facts.events, 3);
    ck_assert_uint_eq(read.facts.text_bytes, (size_t) (out - text));
    ReadFinish(&read);
    free(text);
}
END_TEST

/* Events of growing length, so that the window ends at every place of one. */
START_TEST(events_across_the_end_of_the_window_are_read)
{
    const size_t events = 20000;
    char *text = malloc(events * 400);
    char *out = text;
    Read read;

    ck_assert_ptr_nonnull(text);
    *out++ = '[';
    for (size_t i = 0; i < events; i++) {
        out += sprintf(out,
                       "%s{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k%*s\",\"ts\":%zu,\"dur\":1,"
                       "\"args\":{\"stream\":%zu}}",
                       i == 0 ? "" : ",", (int) (i % 97), "", i, i % 5);
    }
    *out++ = ']';
    read = ReadBytes(text, (size_t) (out - text), false);
    check_work(&read, (uint32_t) events);
    for (uint32_t i = 0; i < events; i++) {
        ck_assert_int_eq(RankTraceWork(&read.trace, i)->start_ns, (int64_t) i * 1000);
    }
    ck_assert_uint_eq(read.trace.lanes.list.count, 5);
    ReadFinish(&read);
    free(text);
}
END_TEST

#define HALF(phase, name, tid, ts)                                                                 \
    "{\"ph\":\"" phase "\",\"name\":\"" name "\",\"cat\":\"kernel\",\"pid\":1,\"tid\":" tid        \
    ",\"ts\":" ts "},"

START_TEST(begins_and_ends_are_paired_by_thread)
{
    static const char *const events[] = {
        HALF("B", "outer", "1", "10"),
        HALF("B", "other", "2", "11"),
        "{\"ph\":\"B\",\"name\":\"host\",\"cat\":\"cpu_op\",\"pid\":1,\"tid\":1,\"ts\":12},",
        "{\"ph\":\"E\",\"pid\":1,\"tid\":1,\"ts\":13},",
        HALF("B", "inner", "1", "14"),
        HALF("E", "", "1", "15"),
        HALF("E", "", "1", "20"),
        HALF("E", "", "1", "21"),
        HALF("E", "", "2", "31"),
        HALF("B", "open", "1", "40"),
        NULL,
    };
    Read read = ReadEvents(events, false);
    const WorkEvent *work;

    check_work(&read, 3);
    ck_assert_uint_eq(read.trace.losses.unpaired.count, 2);
    work = RankTraceWork(&read.trace, read.linked.work[0]);
    ck_assert_str_eq(NamesAt(&read.trace.names, work->name)->text, "outer");
    ck_assert_uint_eq(work->duration_ns, 10000);
    work = RankTraceWork(&read.trace, read.linked.work[1]);
    ck_assert_str_eq(NamesAt(&read.trace.names, work->name)->text, "other");
    ck_assert_uint_eq(work->duration_ns, 20000);
    work = RankTraceWork(&read.trace, read.linked.work[2]);
    ck_assert_str_eq(NamesAt(&read.trace.names, work->name)->text, "inner");
    ReadFinish(&read);
}
END_TEST

/* The window or piece that an event was read from is used for others before its end comes. */
START_TEST(what_an_open_event_says_outlives_its_text)
{
    OpenEvents *open = OpenEventsCreate();
    char dims[] = "[[4,2],[2,3]]";
    TraceEvent event;
    TraceEvent whole;

    ck_assert_ptr_nonnull(open);
    EventInit(&event);
    event.phase = 'B';
    event.use = USE_OPERATOR;
    event.has = EVENT_HAS_START | EVENT_HAS_DIMS;
    event.dims = (JsonText){ .text = dims, .length = sizeof dims - 1 };
    ck_assert_int_eq(OpenEventsBegin(open, &event), OPPROF_OK);
    memset(dims, '#', sizeof dims - 1);
    EventInit(&event);
    event.phase = 'E';
    event.has = EVENT_HAS_START;
    event.start_ns = 5;
    ck_assert(OpenEventsEnd(open, &event, &whole));
    ck_assert_int_eq(whole.duration_ns, 5);
    ck_assert(JSON_TEXT_IS(whole.dims, "[[4,2],[2,3]]"));
    OpenEventsDestroy(open);
}
END_TEST

START_TEST(ascend_traces_are_read)
{
    Read read = ReadText("[{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":4,\"tid\":0,\"args\":{"
                         "\"name\":\"Ascend Hardware\"}},"
                         "{\"name\":\"Node@launch\",\"pid\":5,\"tid\":9,\"ts\":"
                         "\"1699529623106700\",\"dur\":20,\"ph\":\"X\","
                         "\"args\":{\"Mode\":\"launch\",\"level\":\"node\",\"item_id\":\"MatMul\","
                         "\"connection_id\":14983}},"
                         "{\"name\":\"MatMul\",\"pid\":4,\"tid\":3,\"ts\":\"1699529623106750.5\","
                         "\"dur\":100,\"ph\":\"X\","
                         "\"args\":{\"Task Type\":\"AI_CORE\",\"Stream Id\":3,\"Task "
                         "Id\":7,\"connection_id\":14983}},"
                         "{\"name\":\"NOTIFY_WAIT\",\"pid\":4,\"tid\":3,\"ts\":"
                         "\"1699529623106900\",\"dur\":9,\"ph\":\"X\","
                         "\"args\":{\"Task Type\":\"NOTIFY_WAIT_SQE\",\"Stream Id\":3}},"
                         "{\"name\":\"hcom_allReduce__664_0_1\",\"pid\":6,\"tid\":1,\"ts\":"
                         "\"1699529623106800\",\"dur\":30,"
                         "\"ph\":\"X\",\"args\":{\"connection_id\":15000}}]");
    const WorkEvent *work;

    check_work(&read, 2);
    work = RankTraceWork(&read.trace, read.linked.work[0]);
    ck_assert_int_eq(work->work_class, WORK_COMPUTATION);
    ck_assert_int_eq(work->start_ns, INT64_C(1699529623106750500));
    ck_assert(work->flags & WORK_IS_LINKED);
    ck_assert_uint_eq(RankTraceLaunch(&read.trace, 0)->duration_ns, LAUNCH_ENQUEUES | 20000);
    work = RankTraceWork(&read.trace, read.linked.work[1]);
    ck_assert_int_eq(work->work_class, WORK_COMMUNICATION);
    ReadFinish(&read);
}
END_TEST

START_TEST(a_sentinel_stream_is_none)
{
    Read read = ReadText(
        "[{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"ts\":1,\"dur\":1,\"pid\":3,\"tid\":4,"
        "\"args\":{\"device\":2,\"stream\":4294967295}},"
        "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"ts\":1,\"dur\":1,\"pid\":3,\"tid\":4,"
        "\"args\":{\"device\":2,\"stream\":\"0x0\"}},"
        "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"ts\":1,\"dur\":1,\"pid\":3,\"tid\":4}]");
    const Lane *lane = ChunksAt(&read.trace.lanes.list, 0);

    check_work(&read, 3);
    ck_assert_int_eq(lane->device, 2);
    ck_assert_int_eq(lane->stream, -1);
    ck_assert_uint_eq(RankTraceWork(&read.trace, 1)->lane, 0);
    lane = ChunksAt(&read.trace.lanes.list, 1);
    ck_assert_int_eq(lane->device, 3);
    ck_assert_int_eq(lane->stream, 4);
    ReadFinish(&read);
}
END_TEST

START_TEST(streams_beyond_what_a_number_holds_are_counted)
{
    const uint32_t streams = 66000;
    char *text = malloc((size_t) streams * 100);
    char *out = text;
    Read read;

    ck_assert_ptr_nonnull(text);
    *out++ = '[';
    for (uint32_t i = 0; i < streams; i++) {
        out += sprintf(
            out, "{\"ph\":\"X\",\"cat\":\"kernel\",\"ts\":1,\"dur\":1,\"args\":{\"stream\":%u}},",
            i);
    }
    read = ReadBytes(text, (size_t) (out - text), false);
    check_work(&read, UINT16_MAX);
    ck_assert_uint_eq(read.trace.losses.too_many_lanes.count, streams - UINT16_MAX);
    ReadFinish(&read);
    free(text);
}
END_TEST

/* ---- gzip ---- */

static const char small[] = "{\"traceEvents\":[" KERNEL("1", "2") "," KERNEL("3", "4") "]}";

START_TEST(gzip_is_known_by_its_first_bytes)
{
    size_t size;
    unsigned char *packed = GzipStored(small, sizeof small - 1, &size);
    Read read = ReadBytes(packed, size, false);

    check_work(&read, 2);
    ck_assert_ptr_null(read.facts.problem);
    ReadFinish(&read);
    free(packed);
}
END_TEST

START_TEST(gzip_of_several_members_is_one_text)
{
    const size_t half = (sizeof small - 1) / 2;
    unsigned char both[2048];
    size_t first_size;
    size_t second_size;
    unsigned char *first = GzipStored(small, half, &first_size);
    unsigned char *second = GzipStored(small + half, sizeof small - 1 - half, &second_size);
    Read read;

    ck_assert_uint_le(first_size + second_size, sizeof both);
    memcpy(both, first, first_size);
    memcpy(both + first_size, second, second_size);
    read = ReadBytes(both, first_size + second_size, false);
    check_work(&read, 2);
    ck_assert_ptr_null(read.facts.problem);
    ReadFinish(&read);
    free(first);
    free(second);
}
END_TEST

START_TEST(bytes_after_the_compressed_data_are_a_problem)
{
    unsigned char more[2048];
    size_t size;
    unsigned char *packed = GzipStored(small, sizeof small - 1, &size);
    Read read;

    ck_assert_uint_le(2 * size, sizeof more);
    memcpy(more, packed, size);
    for (size_t extra = 1; extra < 20; extra++) {
        memset(more + size, extra % 2 == 0 ? 0 : 0x1f, extra);
        read = ReadBytes(more, size + extra, false);
        check_work(&read, 2);
        ck_assert_ptr_nonnull(read.facts.problem);
        ck_assert_ptr_nonnull(strstr(read.facts.problem, "of the file"));
        ReadFinish(&read);
    }
    memcpy(more + size, packed, size);
    read = ReadBytes(more, 2 * size, false);
    check_work(&read, 2);
    ck_assert_ptr_nonnull(read.facts.problem);
    ck_assert_uint_eq(read.facts.problem_at, sizeof small - 1);
    ReadFinish(&read);
    free(packed);
}
END_TEST

START_TEST(gzip_cut_anywhere_keeps_what_came_out)
{
    size_t size;
    unsigned char *packed = GzipStored(small, sizeof small - 1, &size);

    for (size_t length = 2; length < size; length++) {
        Read read = ReadBytes(packed, length, false);

        ck_assert_int_eq(read.status, OPPROF_END);
        ck_assert_msg(read.facts.problem != NULL, "%zu of %zu bytes", length, size);
        ck_assert_uint_le(read.linked.work_count, 2);
        ReadFinish(&read);
    }
    free(packed);
}
END_TEST

START_TEST(damaged_gzip_is_noticed)
{
    size_t size;
    unsigned char *packed = GzipStored(small, sizeof small - 1, &size);
    Read read;

    packed[size - 6] ^= 1; /* in the checksum */
    read = ReadBytes(packed, size, false);
    check_work(&read, 2);
    ck_assert_ptr_nonnull(read.facts.problem);
    ReadFinish(&read);
    packed[size - 6] ^= 1;
    packed[11] ^= 1; /* in the length of the block */
    read = ReadBytes(packed, size, false);
    check_work(&read, 0);
    ck_assert_ptr_nonnull(read.facts.problem);
    ReadFinish(&read);
    free(packed);
}
END_TEST

static bool is_called_thrice(const void *context)
{
    int *calls = (int *) (uintptr_t) context;

    return ++*calls > 3;
}

/* Blanks in very many members: the request is seen, however little text there is to read. */
START_TEST(a_request_to_stop_is_seen_between_members)
{
    const size_t members = 1000;
    size_t size;
    unsigned char *packed = GzipStored(" ", 1, &size);
    unsigned char *all = malloc(members * size);
    OpprofError *error = NULL;
    TraceReader *reader;
    const TraceEvent *event;
    TraceFacts facts;
    Source *source;
    int calls = 0;

    ck_assert_ptr_nonnull(all);
    for (size_t i = 0; i < members; i++) {
        memcpy(all + i * size, packed, size);
    }
    source = SourceOpenMemory(all, members * size);
    ck_assert_ptr_nonnull(source);
    SourceSetStop(source, is_called_thrice, &calls);
    reader = TraceReaderCreate(source, OwnVocabulary());
    ck_assert_ptr_nonnull(reader);
    ck_assert_int_eq(TraceReaderNext(reader, &event, &error), OPPROF_END);
    TraceReaderGetFacts(reader, &facts);
    ck_assert(facts.was_stopped);
    ck_assert_uint_lt(facts.text_bytes, 10);
    TraceReaderDestroy(reader);
    SourceClose(source);
    free(packed);
    free(all);
}
END_TEST

/* Garbage in, no crash out: every byte of a small trace is changed in many ways. */
START_TEST(damage_anywhere_is_survived)
{
    for (size_t at = 0; at < sizeof small - 1; at++) {
        for (int flip = 1; flip < 256; flip += 7) {
            char text[sizeof small];
            Read read;

            memcpy(text, small, sizeof small);
            text[at] = (char) (text[at] ^ flip);
            read = ReadBytes(text, sizeof small - 1, false);
            ck_assert(read.status == OPPROF_END || read.status == OPPROF_E_DATA);
            ck_assert_uint_le(read.linked.work_count, 2);
            ReadFinish(&read);
        }
    }
}
END_TEST

static TCase *gzip_tests(void)
{
    TCase *tcase = tcase_create("gzip");

    tcase_add_test(tcase, gzip_is_known_by_its_first_bytes);
    tcase_add_test(tcase, gzip_of_several_members_is_one_text);
    tcase_add_test(tcase, bytes_after_the_compressed_data_are_a_problem);
    tcase_add_test(tcase, gzip_cut_anywhere_keeps_what_came_out);
    tcase_add_test(tcase, damaged_gzip_is_noticed);
    tcase_add_test(tcase, a_request_to_stop_is_seen_between_members);
    return tcase;
}

static TCase *text_tests(void)
{
    TCase *tcase = tcase_create("text");

    tcase_set_timeout(tcase, 1800); /* a window of 1 MiB for each of thousands of texts */
    tcase_add_test(tcase, objects_are_read_with_metadata_before_and_behind);
    tcase_add_test(tcase, bare_arrays_are_read);
    tcase_add_test(tcase, arrays_of_writers_that_were_killed_are_read);
    tcase_add_test(tcase, what_is_no_trace_is_an_error);
    tcase_add_test(tcase, empty_traces_and_metadata_alone_are_traces);
    tcase_add_test(tcase, a_text_cut_anywhere_keeps_its_events);
    tcase_add_test(tcase, an_event_that_is_not_json_is_lost_alone);
    tcase_add_test(tcase, the_last_event_may_be_the_damaged_one);
    tcase_add_test(tcase, text_after_the_end_is_a_problem);
    tcase_add_test(tcase, arrays_of_arrays_are_documents_of_another_kind);
    tcase_add_test(tcase, what_has_lost_its_events_is_a_damaged_trace);
    tcase_add_test(tcase, nested_two_hundred_levels_deep_is_read_over);
    tcase_add_test(tcase, of_members_with_one_name_the_first_counts);
    tcase_add_test(tcase, metadata_and_events_larger_than_the_window_pass_through_it);
    tcase_add_test(tcase, events_across_the_end_of_the_window_are_read);
    tcase_add_test(tcase, damage_anywhere_is_survived);
    return tcase;
}

static TCase *event_tests(void)
{
    TCase *tcase = tcase_create("events");

    tcase_add_test(tcase, events_that_make_no_sense_are_counted_and_left_out);
    tcase_add_test(tcase, negative_times_are_times);
    tcase_add_test(tcase, times_may_be_quoted);
    tcase_add_test(tcase, names_with_escapes_and_surrogates_are_decoded);
    tcase_add_test(tcase, begins_and_ends_are_paired_by_thread);
    tcase_add_test(tcase, what_an_open_event_says_outlives_its_text);
    tcase_add_test(tcase, ascend_traces_are_read);
    tcase_add_test(tcase, a_sentinel_stream_is_none);
    tcase_add_test(tcase, streams_beyond_what_a_number_holds_are_counted);
    return tcase;
}

static Suite *trace_reader_suite(void)
{
    Suite *suite = suite_create("trace_reader");

    suite_add_tcase(suite, text_tests());
    suite_add_tcase(suite, event_tests());
    suite_add_tcase(suite, gzip_tests());
    return suite;
}
TEST_SUITE(trace_reader_suite)
