/* SPDX-License-Identifier: Apache-2.0 */
/* Texts that are known from earlier events: an event says the same after any others as it does
 * alone. */
#include "plugins/collect-kineto/formats/known_text.h"
#include "plugins/collect-kineto/text/scan.h"
#include "tests/core/suites.h"
#include "tests/plugins/collect-kineto/reading.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MAX 2048u
#define EVENTS 2000u

/* An event's text as the readers hold it: bytes after its end may be looked at. */
typedef struct Text {
    char bytes[TEXT_MAX + SCAN_PADDING];
    size_t length;
} Text;

static void put(Text *text, const char *bytes)
{
    const size_t length = strlen(bytes);

    ck_assert_uint_lt(text->length + length, TEXT_MAX);
    memcpy(text->bytes + text->length, bytes, length + 1);
    text->length += length;
}

static void check_text(JsonText one, JsonText other, const char *what)
{
    ck_assert_msg(
        one.length == other.length && one.has_escape == other.has_escape &&
            one.is_string == other.is_string && memcmp(one.text, other.text, one.length) == 0,
        "%s: '%.*s', '%.*s'", what, (int) one.length, one.text, (int) other.length, other.text);
}

static void check_same(const TraceEvent *one, const TraceEvent *other)
{
    ck_assert_uint_eq(one->has, other->has);
    ck_assert_int_eq(one->use, other->use);
    ck_assert_int_eq(one->phase, other->phase);
    check_text(one->name, other->name, "name");
    check_text(one->pid, other->pid, "pid");
    check_text(one->tid, other->tid, "tid");
    check_text(one->category, other->category, "cat");
    ck_assert_int_eq(one->start_ns, other->start_ns);
    ck_assert_int_eq(one->duration_ns, other->duration_ns);
    ck_assert_int_eq(one->stream, other->stream);
    ck_assert_int_eq(one->correlation, other->correlation);
}

/* Reads the text with what is known, and with nothing. */
static EventResult check_event(const Vocabulary *vocabulary, KnownTexts *known, const Text *text)
{
    KnownTexts *nothing = calloc(1, sizeof *nothing);
    const char *end = text->bytes + text->length;
    TraceEvent alone;
    TraceEvent after;
    const char *alone_at;
    const char *after_at;
    EventResult after_result;
    EventResult result;

    ck_assert_ptr_nonnull(nothing);
    result = EventRead(vocabulary, nothing, text->bytes + 1, end, &alone, &alone_at);
    after_result = EventRead(vocabulary, known, text->bytes + 1, end, &after, &after_at);
    ck_assert_msg(after_result == result, "%d, %d: %.*s", (int) result, (int) after_result,
                  (int) text->length, text->bytes);
    if (result == EVENT_READ) {
        ck_assert_ptr_eq(alone_at, after_at);
        check_same(&alone, &after);
    } else if (result == EVENT_PASSED) {
        ck_assert_ptr_eq(alone_at, after_at);
        ck_assert_int_eq(alone.use, after.use);
    }
    free(nothing);
    return result;
}

static unsigned pick(uint64_t *seed, unsigned count)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned) (*seed >> 33) % count;
}

/* Members as writers have them, and as no writer should. */
static const char *const members[][6] = {
    { "\"ph\"#@\"X\"", "\"ph\"#@\"X\"", "\"ph\"#@\"X\"", "\"ph\"#@\"i\"", "\"ph\"#@3",
      "\"p\\u0068\"#@\"X\"" },
    { "\"cat\"#@\"cpu_op\"", "\"cat\"#@\"python_function\"", "\"cat\"#@\"kernel\"",
      "\"cat\"#@\"cuda_runtime\"", "\"cat\"#@\"stranger\"", "\"cat\"#@null" },
    { "\"name\"#@\"aten::add\"", "\"name\"#@\"ProfilerStep#7\"", "\"name\"#@\"\"",
      "\"name\"#@\"a \\\"name\\\"\"", "\"name\"#@12", "\"name\"#@\"nn.Module: Linear_0\"" },
    { "\"pid\"#@7", "\"pid\"#@7", "\"pid\"#@\"7\"", "\"pid\"#@{\"a\"#@1}", "\"pid\"#@71",
      "\"pid\"#@null" },
    { "\"tid\"#@7", "\"tid\"#@7", "\"tid\"#@\"stream 7\"", "\"tid\"#@8", "\"tid\"#@[1,2]",
      "\"tid\"#@-1" },
    { "\"ts\"#@1712.125", "\"ts\"#@1712", "\"ts\"#@\"17\"", "\"ts\"#@x", "\"ts\"#@1e3",
      "\"ts\"#@-5" },
    { "\"dur\"#@1.5", "\"dur\"#@10", "\"dur\"#@0", "\"dur\"#@\"x\"", "\"dur\"#@2,\"dur\"#@3",
      "\"dur\"#@{}" },
    { "\"args\"#@{}", "\"args\"#@{\"correlation\"#@9,\"stream\"#@7,\"x\"#@[{}]}",
      "\"args\"#@{\"name\"#@\"}\"}", "\"args\"#@5", "\"args\"#@null",
      "\"args\"#@{\"a\"#@\"\\\"}\"},\"id\"#@4" },
};

#define MEMBERS (sizeof members / sizeof members[0])

/* A member with a writer's blanks in place of '#' and '@', once in a while with a byte that is
 * wrong. */
static void put_member(Text *text, const char *member, const char *blank, uint64_t *seed)
{
    for (; *member != '\0'; member++) {
        const char letter[] = { *member, '\0' };

        put(text, *member == '#' ? ":" : *member == '@' ? blank : letter);
    }
    if (pick(seed, 200) == 0) {
        text->bytes[text->length - 1 - pick(seed, 4)] = ",}\" "[pick(seed, 4)];
    }
}

/* An event of one of a few writers, who each have an order and blanks of their own. */
static void make_event(Text *text, uint64_t *seed)
{
    static const char *const breaks[] = { "", " ", "\n    " };
    static const char orders[][MEMBERS + 1] = { "01234567", "20134567", "25601347",
                                                "67015234", "34256071", "71034256" };
    const char *order = orders[pick(seed, 6)];
    const char *line = breaks[pick(seed, 3)];

    text->length = 0;
    put(text, "{");
    put(text, line);
    for (size_t i = 0; i < MEMBERS; i++) {
        const unsigned member = (unsigned) (order[i] - '0');
        const unsigned form = pick(seed, 3) > 0 ? pick(seed, 2) : pick(seed, 6);

        if (pick(seed, 30) == 0) {
            continue;
        }
        if (i > 0) {
            put(text, ",");
            put(text, i == 5 ? line : " ");
        }
        put_member(text, members[member][form], *line == '\0' ? "" : " ", seed);
    }
    put(text, line);
    put(text, "},{\"ph\":\"X\"}]}");
}

static void check_many(bool reads_host)
{
    Vocabulary vocabulary = *OwnVocabulary();
    KnownTexts *known = calloc(1, sizeof *known);
    unsigned results[4] = { 0 };
    uint64_t seed = 7;
    Text text;

    vocabulary.reads_host = reads_host;
    vocabulary.reads_frames = false;
    ck_assert_ptr_nonnull(known);
    for (unsigned i = 0; i < EVENTS; i++) {
        make_event(&text, &seed);
        results[check_event(&vocabulary, known, &text)]++;
        text.length -= pick(&seed, (unsigned) text.length - 1); /* where a window may end */
        check_event(&vocabulary, known, &text);
    }
    ck_assert_uint_gt(results[EVENT_READ], EVENTS / 5);
    ck_assert_uint_gt(results[EVENT_PASSED], EVENTS / 20);
    ck_assert_uint_gt(results[EVENT_MALFORMED], EVENTS / 100);
    free(known);
}

START_TEST(an_event_says_the_same_after_others_as_alone)
{
    check_many(true);
    check_many(false);
}
END_TEST

/* Reads the event with what is known; false if it is not read. */
static bool reads(KnownTexts *known, const char *bytes)
{
    Text text = { .length = 0 };

    put(&text, bytes);
    return check_event(OwnVocabulary(), known, &text) == EVENT_READ;
}

START_TEST(what_follows_a_bad_first_member_does_not_begin_an_event)
{
    KnownTexts *known = calloc(1, sizeof *known);

    ck_assert_ptr_nonnull(known);
    ck_assert(reads(known, "{\"ts\":x, \"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"a\"}"));
    ck_assert(!reads(known, "{, \"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"a\"}"));
    free(known);
}
END_TEST

START_TEST(a_known_text_is_passed_at_once)
{
    KnownTexts *known = calloc(1, sizeof *known);
    static const char first[] =
        " \"ph\": \"X\", \"cat\": \"kernel\", \"pid\": 1, \"tid\": 22, \"name\": \"a\", "
        "\"ts\": 5, \"dur\": 6 }";
    const char *end = first + sizeof first - 1;
    const char *value = strstr(first, "\"a\"");
    const char *at = first;
    TraceEvent event;

    ck_assert_ptr_nonnull(known);
    EventInit(&event);
    ck_assert_uint_eq(KnownTextsPass(known, first, end, &event, &at), 0);
    ck_assert(reads(known, "{ \"ph\": \"X\", \"cat\": \"kernel\", \"pid\": 1, \"tid\": 22, "
                           "\"name\": \"b\", \"ts\": 5, \"dur\": 6 }"));
    ck_assert_uint_eq(KnownTextsPass(known, first, end, &event, &at), EVENT_HAS_NAME);
    ck_assert_ptr_eq(at, value);
    ck_assert_uint_eq(event.has,
                      EVENT_HAS_PHASE | EVENT_HAS_CATEGORY | EVENT_HAS_PID | EVENT_HAS_TID);
    ck_assert_int_eq(event.use, USE_KERNEL);
    check_text(event.tid, (JsonText){ .text = "22", .length = 2 }, "tid");
    ck_assert_uint_eq(KnownTextsPass(known, first, value, &event, &at), 0);
    free(known);
}
END_TEST

static Suite *known_text_suite(void)
{
    Suite *suite = suite_create("known_text");
    TCase *tcase = tcase_create("known texts");

    tcase_add_test(tcase, an_event_says_the_same_after_others_as_alone);
    tcase_add_test(tcase, what_follows_a_bad_first_member_does_not_begin_an_event);
    tcase_add_test(tcase, a_known_text_is_passed_at_once);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(known_text_suite)
