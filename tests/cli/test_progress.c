/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of print/progress.c. */
#include "print/progress.h"

#include "cli/screen.h"
#include "tests/core/scratch.h"
#include "tests/core/suites.h"

#define SECOND UINT64_C(1000000000)
#define MB UINT64_C(1000000)

static char line[PROGRESS_LINE];

static OpprofProgress half(void)
{
    return (OpprofProgress){
        .share = 0.456, .done = 600 * MB, .total = 1200 * MB, .unit = "bytes", .stage_id = "dump"
    };
}

/* ---- lines ---- */

START_TEST(a_wide_line_has_everything)
{
    const OpprofProgress progress = half();

    /* 60 s for 0.456 of the whole: 60 * 0.544 / 0.456 = 71.6 s are left */
    ProgressLine(&progress, 60 * SECOND, 120, line);
    ck_assert_str_eq(line, "45 %  [=============                 ]  600.0 MB of 1.2 GB  10.0 MB/s  "
                           "1:12 left  dump");
}
END_TEST

START_TEST(the_percentage_stays_at_every_width)
{
    const OpprofProgress progress = half();

    for (unsigned columns = 4; columns < 200; columns++) {
        ProgressLine(&progress, 60 * SECOND, columns, line);
        ck_assert_uint_le(strlen(line), columns);
        ck_assert_int_eq(strncmp(line, "45 %", 4), 0);
    }
}
END_TEST

START_TEST(forty_columns_have_the_time_left_and_the_amounts)
{
    const OpprofProgress progress = half();

    ProgressLine(&progress, 60 * SECOND, 40, line);
    ck_assert_str_eq(line, "45 %  600.0 MB of 1.2 GB  1:12 left");
}
END_TEST

START_TEST(no_share_is_a_hundred_percent)
{
    OpprofProgress progress = half();
    const double shares[] = { 0.99, 0.994, 0.999, 0.9999999, 1, 2 };

    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++) {
        progress.share = shares[i];
        ProgressLine(&progress, SECOND, 80, line);
        ck_assert_int_eq(strncmp(line, "99 %", 4), 0);
        ProgressSentence(&progress, SECOND, line);
        ck_assert_int_eq(strncmp(line, "99 %", 4), 0);
    }
}
END_TEST

START_TEST(what_is_unknown_is_not_said)
{
    const OpprofProgress progress = {
        .share = -1, .done = 12, .unit = "operators", .stage_id = "live"
    };

    ProgressLine(&progress, 4 * SECOND, 80, line);
    ck_assert_str_eq(line, "12 operators  3 operators/s  4 s  live");
    ProgressSentence(&progress, 4 * SECOND, line);
    ck_assert_str_eq(line, "12 operators, 3 operators/s, 4 s");
}
END_TEST

START_TEST(one_of_a_unit_is_singular)
{
    static const struct {
        const char *unit, *wanted;
    } cases[] = {
        { "operators", "1 operator" }, { "launches", "1 launch" }, { "batches", "1 batch" },
        { "tables", "1 table" },       { "bytes", "1 B" },         { "rec/s", "1 rec/s" }
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char amount[48];

        ProgressAmount(amount, sizeof amount, 1, cases[i].unit);
        ck_assert_str_eq(amount, cases[i].wanted);
    }
}
END_TEST

START_TEST(rate_and_time_left_need_a_second)
{
    const OpprofProgress progress = half();

    ProgressSentence(&progress, SECOND / 2, line);
    ck_assert_str_eq(line, "45 %, 600.0 MB of 1.2 GB");
}
END_TEST

START_TEST(hours_are_said_as_hours)
{
    OpprofProgress progress = half();

    progress.share = 0.01;
    ProgressSentence(&progress, 100 * SECOND, line); /* 9900 s */
    ck_assert_ptr_nonnull(strstr(line, "2:45:00 left"));
    progress.share = 0.006;
    ProgressSentence(&progress, UINT64_MAX, line);
    ck_assert_ptr_nonnull(strstr(line, " left"));
}
END_TEST

START_TEST(amounts_have_prefixes)
{
    static const struct {
        uint64_t value;
        const char *unit;
        const char *text;
    } amounts[] = {
        { 0, "bytes", "0 B" },
        { 999, "byte", "999 B" },
        { 999999, "bytes", "1.0 MB" },
        { 1234567, "bytes", "1.2 MB" },
        { 5, "records", "5 records" },
        { 1500, "records", "1.5 k records" },
        { UINT64_MAX, "bytes", "18.4 EB" },
    };

    for (size_t i = 0; i < sizeof amounts / sizeof amounts[0]; i++) {
        ProgressAmount(line, sizeof line, amounts[i].value, amounts[i].unit);
        ck_assert_str_eq(line, amounts[i].text);
    }
}
END_TEST

START_TEST(stages_of_odd_names_do_not_drive_the_terminal)
{
    OpprofProgress progress = half();

    progress.stage_id = "a\033[31mb";
    ProgressLine(&progress, SECOND, 200, line);
    ck_assert_ptr_null(strchr(line, '\033'));
}
END_TEST

/* ---- without a terminal ---- */

static uint64_t clock_ns;

static uint64_t fake_clock(void)
{
    return clock_ns;
}

/* Output of a run of so many seconds, read ten times a second; free(). */
static char *said(bool quiet, uint64_t seconds)
{
    const OpprofProgress progress = half();
    const char *path = in_scratch("said");
    const int before = dup(STDERR_FILENO);
    Screen screen;
    size_t size;

    ck_assert_ptr_nonnull(freopen(path, "w", stderr));
    ScreenInit(&screen, quiet);
    screen.now = fake_clock;
    screen.started_ns = 5 * SECOND;
    for (clock_ns = 5 * SECOND; clock_ns < (5 + seconds) * SECOND; clock_ns += SECOND / 10) {
        ScreenProgress(&screen, &progress);
    }
    ScreenFinish(&screen);
    fflush(stderr);
    dup2(before, STDERR_FILENO);
    close(before);
    return read_whole(path, &size);
}

static unsigned lines_of(const char *text)
{
    unsigned count = 0;

    for (; *text != '\0'; text++) {
        count += *text == '\n';
    }
    return count;
}

START_TEST(there_is_a_line_a_minute_without_a_terminal)
{
    char *text = said(false, 200);

    ck_assert_uint_eq(lines_of(text), 3);
    ck_assert_ptr_null(strchr(text, '\r'));
    *strchr(text, '\n') = '\0';
    ck_assert_str_eq(text, "opprof-run: 45 %, 600.0 MB of 1.2 GB, 10.0 MB/s, 1:12 left");
    free(text);
    text = said(false, 59);
    ck_assert_str_eq(text, "");
    free(text);
    text = said(true, 200);
    ck_assert_str_eq(text, "");
    free(text);
}
END_TEST

static Suite *progress_suite(void)
{
    Suite *suite = suite_create("progress");
    TCase *tcase = tcase_create("progress");

    tcase_add_checked_fixture(tcase, make_scratch, remove_scratch);
    tcase_add_test(tcase, a_wide_line_has_everything);
    tcase_add_test(tcase, the_percentage_stays_at_every_width);
    tcase_add_test(tcase, forty_columns_have_the_time_left_and_the_amounts);
    tcase_add_test(tcase, no_share_is_a_hundred_percent);
    tcase_add_test(tcase, what_is_unknown_is_not_said);
    tcase_add_test(tcase, one_of_a_unit_is_singular);
    tcase_add_test(tcase, rate_and_time_left_need_a_second);
    tcase_add_test(tcase, hours_are_said_as_hours);
    tcase_add_test(tcase, amounts_have_prefixes);
    tcase_add_test(tcase, stages_of_odd_names_do_not_drive_the_terminal);
    tcase_add_test(tcase, there_is_a_line_a_minute_without_a_terminal);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(progress_suite)
