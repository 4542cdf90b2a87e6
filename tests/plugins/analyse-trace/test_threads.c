/* SPDX-License-Identifier: Apache-2.0 */
/* The threads of the host as a timeline, with arrows to the work that they launched. */
#include "results.h"

#include "tests/core/suites.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

#define HOST(cat, name, tid, ts, dur)                                                              \
    "{\"ph\":\"X\",\"cat\":\"" cat "\",\"name\":\"" name "\",\"pid\":1,\"tid\":" tid ",\"ts\":" ts \
    ",\"dur\":" dur "},"
#define CALL(tid, ts, correlation)                                                                 \
    "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":" tid  \
    ",\"ts\":" ts ",\"dur\":2,\"args\":{\"correlation\":" correlation "}},"
#define WORK(name, ts, dur, correlation)                                                           \
    "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"" name "\",\"ts\":" ts ",\"dur\":" dur            \
    ",\"args\":{\"device\":0,\"stream\":7,\"correlation\":" correlation "}},"

/* Two threads; the second one's call launches two pieces of work; what launched the last is
 * unknown. */
static const char trace[] = "[" HOST("user_annotation", "forward", "11", "0", "100")
    HOST("cpu_op", "aten::mm", "11", "10", "40") CALL("11", "20", "1")
        HOST("cpu_op", "aten::sum", "12", "60", "20") CALL("12", "65", "2")
            WORK("a", "30", "20", "1") WORK("b", "70", "10", "2") WORK("c", "90", "10", "2")
                WORK("d", "200", "10", "9") "{\"ph\":\"M\"}]";

static const char document[] =
    "{\"opprof_pipeline\":\"1.0\",\"vars\":{\"input\":{\"required\":true},\"ranks\":{\"default\":"
    "\"8\"}},"
    "\"stages\":[{\"id\":\"kineto\",\"use\":\"collect-kineto\",\"params\":{\"input\":\"${input}\"}}"
    ","
    "{\"id\":\"threads\",\"use\":\"trace-threads\",\"params\":{\"ranks\":\"${ranks}\"}},"
    "{\"id\":\"trace\",\"use\":\"trace\",\"params\":{\"of\":\"framework\"}}],"
    "\"links\":[{\"from\":\"threads.spans\",\"to\":\"trace.spans\"}]}";

static void set(OpprofPipeline *pipeline, const char *name, const char *value)
{
    OpprofError *error = NULL;

    ck_assert_msg(OpprofPipelineSet(pipeline, name, value, &error) == OPPROF_OK, "%s",
                  OpprofErrorMessage(error));
}

static void run(const char *input, const char *ranks)
{
    OpprofPipeline *pipeline = OpprofPipelineCreate();
    OpprofError *error = NULL;

    ck_assert_ptr_nonnull(pipeline);
    set(pipeline, "input", input);
    set(pipeline, "ranks", ranks);
    ck_assert_msg(OpprofPipelineLoad(pipeline, ResultsWrite("threads.json", document), &error) ==
                      OPPROF_OK,
                  "%s", OpprofErrorMessage(error));
    ck_assert_msg(RunBuilt(pipeline) == OPPROF_RUN_COMPLETE, "%s", RunReason());
}

static int count_of(const char *text, const char *part)
{
    int count = 0;

    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part)) {
        count++;
    }
    return count;
}

/* Whether an event has all of these parts. */
static bool has_event(const char *text, const char *const parts[])
{
    for (const char *at = strstr(text, "{\""); at != NULL; at = strstr(at + 1, "{\"")) {
        char event[512];
        const char *end = strstr(at, "},{");
        const size_t length = end == NULL ? strlen(at) : (size_t) (end - at);
        int missing = 0;

        snprintf(event, sizeof event, "%.*s", (int) length, at);
        for (int i = 0; parts[i] != NULL; i++) {
            missing += strstr(event, parts[i]) == NULL;
        }
        if (missing == 0) {
            return true;
        }
    }
    return false;
}

#define EVENT(text, ...) has_event(text, (const char *const[]){ __VA_ARGS__, NULL })

START_TEST(threads_have_what_they_did)
{
    const char *text;

    run(ResultsWrite("trace.json", trace), "8");
    text = ResultText("trace.json");
    ck_assert_ptr_nonnull(text);
    ck_assert_int_eq(count_of(text, "\"ph\":\"X\""), 5);
    ck_assert(
        EVENT(text, "\"name\":\"forward\"", "\"tid\":\"thread 11\"", "\"dur\":100", "\"ts\":0"));
    ck_assert(
        EVENT(text, "\"name\":\"aten::mm\"", "\"tid\":\"thread 11\"", "\"ts\":10", "\"dur\":40"));
    ck_assert(EVENT(text, "\"name\":\"aten::sum\"", "\"tid\":\"thread 12\"", "\"ts\":60"));
    ck_assert(EVENT(text, "\"name\":\"cudaLaunchKernel\"", "\"tid\":\"thread 12\"", "\"ts\":65"));
}
END_TEST

/* Three pieces of work have a known launch, and an arrow each. */
START_TEST(arrows_lead_from_launches_to_their_work)
{
    const char *text;

    run(ResultsWrite("trace.json", trace), "8");
    text = ResultText("trace.json");
    ck_assert_ptr_nonnull(text);
    ck_assert_int_eq(count_of(text, "\"ph\":\"s\""), 3);
    ck_assert_int_eq(count_of(text, "\"ph\":\"t\"") + count_of(text, "\"ph\":\"f\""), 3);
    ck_assert(EVENT(text, "\"ph\":\"s\"", "\"tid\":\"thread 11\"", "\"ts\":20"));
    ck_assert(EVENT(text, "\"ph\":\"s\"", "\"tid\":\"thread 12\"", "\"ts\":65"));
    ck_assert(EVENT(text, "\"tid\":7", "\"ts\":30"));
    ck_assert(EVENT(text, "\"tid\":7", "\"ts\":70"));
    ck_assert(EVENT(text, "\"tid\":7", "\"ts\":90"));
}
END_TEST

START_TEST(ranks_beyond_the_first_ones_are_left_out)
{
    const char *text;

    ResultsWrite("ranks/rank0.json", trace);
    ResultsWrite("ranks/rank1.json", trace);
    run(ResultsPath("ranks"), "1");
    text = ResultText("rank0/trace.json");
    ck_assert_ptr_nonnull(text);
    ck_assert_int_eq(count_of(text, "\"ph\":\"X\""), 5);
    ck_assert_ptr_null(ResultText("rank1/trace.json"));
}
END_TEST

static Suite *threads_suite(void)
{
    Suite *suite = suite_create("threads");
    TCase *tcase = tcase_create("threads");

    tcase_add_checked_fixture(tcase, ResultsSetUp, ResultsTearDown);
    tcase_add_test(tcase, threads_have_what_they_did);
    tcase_add_test(tcase, arrows_lead_from_launches_to_their_work);
    tcase_add_test(tcase, ranks_beyond_the_first_ones_are_left_out);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(threads_suite)
