/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of reading and pairing whole log files of a core. */
#include "tests/core/suites.h"
#include "tests/plugins/collect-sim/forms.h"
#include "plugins/collect-sim/pairing/icache.h"
#include "plugins/collect-sim/read/log.h"
#include "tests/plugins/collect-sim/scratch.h"
#include <check.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- pieces of a log ---- */

typedef struct Heard {
    unsigned lacks;
    char lack[512]; /* the last one */
    uint64_t bytes;
} Heard;

static void hear_lack(void *context, const char *message)
{
    Heard *heard = context;

    heard->lacks++;
    snprintf(heard->lack, sizeof heard->lack, "%s", message);
}

static void hear_bytes(void *context, uint64_t bytes)
{
    Heard *heard = context;

    heard->bytes += bytes;
}

static SimLogEvents events_of(Heard *heard)
{
    return (SimLogEvents){ .context = heard, .lack = hear_lack, .bytes = hear_bytes };
}

static SimFiles find(const char *directory)
{
    SimFiles files;

    ck_assert_int_eq(SimFilesFind(directory, "core0.", "instr_log.dump", UINT64_MAX, &files, NULL),
                     OPPROF_OK);
    return files;
}

/* Last letters of all lines. */
static void read_all(SimFiles *files, Heard *heard, char *letters)
{
    const SimLogEvents events = events_of(heard);
    const char *line;
    size_t length;
    SimLog log;

    SimLogInit(&log, files, &events, SimLogTrimNothing);
    while (SimLogNext(&log, &line, &length, NULL) == OPPROF_OK) {
        *letters++ = length > 0 ? line[length - 1] : '_';
    }
    *letters = '\0';
    SimLogFinish(&log);
}

START_TEST(pieces_are_read_from_the_highest_number_down)
{
    char *directory = ScratchMake();
    Heard heard = { .lacks = 0 };
    char letters[64], name[64], text[16];
    SimFiles files;

    for (unsigned i = 0; i <= 11; i++) {
        snprintf(name, sizeof name, i == 0 ? "core0.instr_log.dump" : "core0.instr_log.%u.dump", i);
        snprintf(text, sizeof text, "[1] %c\r\n", 'a' + (int) i);
        ScratchWrite(directory, name, text);
    }
    files = find(directory);
    ck_assert_uint_eq(files.count, 12);
    ck_assert_uint_eq(files.bytes, 12 * 7);
    read_all(&files, &heard, letters);
    ck_assert_str_eq(letters, "lkjihgfedcba");
    ck_assert_uint_eq(heard.lacks, 0);
    ck_assert_uint_eq(heard.bytes, 12 * 7);
    SimFilesFinish(&files);
    ScratchFree(directory);
}
END_TEST

/* What comes after a gap has lost its place in the log. */
START_TEST(a_gap_ends_a_log_and_is_reported_by_its_name)
{
    char *directory = ScratchMake();
    Heard heard = { .lacks = 0 };
    char letters[64];
    SimFiles files;

    ScratchWrite(directory, "core0.instr_log.dump", "[5] a\n");
    ScratchWrite(directory, "core0.instr_log.1.dump", "[4] b\n");
    ScratchWrite(directory, "core0.instr_log.4.dump", "[2] e\n");
    ScratchWrite(directory, "core0.instr_log.5.dump", "[1] f\n");
    files = find(directory);
    read_all(&files, &heard, letters);
    ck_assert_str_eq(letters, "fe");
    ck_assert_uint_eq(heard.lacks, 1);
    ck_assert_ptr_nonnull(strstr(heard.lack, "core0.instr_log.2.dump' is missing"));
    read_all(&files, &heard, letters);
    ck_assert_uint_eq(heard.lacks, 1);
    SimFilesFinish(&files);
    ScratchFree(directory);
}
END_TEST

START_TEST(lines_that_come_twice_are_told_of)
{
    char *directory = ScratchMake();
    Heard heard = { .lacks = 0 };
    char letters[64];
    SimFiles files;

    ScratchWrite(directory, "core0.instr_log.dump",
                 "head\n[info] [1] a\n[info] [1] a\n[info] [2] b\n[info] [1] a\n[info] [3] c\n"
                 "head\n[info] [1] a\n[info] [1] a\n[info] [2] b\n[info] [3] c\n");
    files = find(directory);
    read_all(&files, &heard, letters);
    ck_assert_str_eq(letters, "daabacdaabc");
    ck_assert_uint_eq(heard.lacks, 1);
    ck_assert_ptr_nonnull(strstr(heard.lack, "core0.instr_log.dump' begins again"));
    SimFilesFinish(&files);
    ScratchFree(directory);
}
END_TEST

START_TEST(lines_without_ticks_are_told_of)
{
    char *directory = ScratchMake();
    Heard heard = { .lacks = 0 };
    char letters[64];
    SimFiles files;

    ScratchWrite(directory, "core0.instr_log.dump", "x\n[y]\n[info] z\n\n");
    files = find(directory);
    read_all(&files, &heard, letters);
    ck_assert_uint_eq(heard.lacks, 1);
    ck_assert_ptr_nonnull(strstr(heard.lack, "No line of dump file"));
    ck_assert_ptr_nonnull(strstr(heard.lack, "core0.instr_log.dump"));
    SimFilesFinish(&files);
    ScratchFree(directory);
}
END_TEST

START_TEST(a_missing_file_without_a_number_is_reported)
{
    char *directory = ScratchMake();
    Heard heard = { .lacks = 0 };
    char letters[64];
    SimFiles files;

    ScratchWrite(directory, "core0.instr_log.1.dump", "1\n");
    ScratchWrite(directory, "core0.instr_log.2.dump", "2\n");
    files = find(directory);
    read_all(&files, &heard, letters);
    ck_assert_str_eq(letters, "21");
    ck_assert_uint_eq(heard.lacks, 1);
    ck_assert_ptr_nonnull(strstr(heard.lack, "core0.instr_log.dump' is missing"));
    SimFilesFinish(&files);
    ScratchFree(directory);
}
END_TEST

static void append(const char *directory, const char *text)
{
    char path[4096];
    FILE *file;

    snprintf(path, sizeof path, "%s/core0.instr_log.dump", directory);
    file = fopen(path, "a");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
}

/* Even a line that the first reading saw cut stays as it was; it is reported once. */
START_TEST(a_second_reading_sees_no_more_than_the_first)
{
    char *directory = ScratchMake();
    Heard heard = { .lacks = 0 };
    const SimLogEvents events = events_of(&heard);
    char letters[64];
    const char *line;
    size_t length;
    SimFiles files;
    SimLog log;

    ScratchWrite(directory, "core0.instr_log.dump", "[1] a\nb\ncut");
    files = find(directory);
    read_all(&files, &heard, letters);
    ck_assert_str_eq(letters, "abt");
    ck_assert_uint_eq(heard.lacks, 1);
    ck_assert_ptr_nonnull(strstr(heard.lack, "ends in the middle of a line, at byte 11"));
    append(directory, " no more\nd\n");
    SimLogInit(&log, &files, &events, SimLogTrimNothing);
    ck_assert_int_eq(SimLogNext(&log, &line, &length, NULL), OPPROF_OK);
    ck_assert_int_eq(SimLogNext(&log, &line, &length, NULL), OPPROF_OK);
    ck_assert_int_eq(SimLogNext(&log, &line, &length, NULL), OPPROF_OK);
    ck_assert_uint_eq(length, 3);
    ck_assert_mem_eq(line, "cut", 3);
    ck_assert_int_eq(SimLogNext(&log, &line, &length, NULL), OPPROF_END);
    ck_assert_uint_eq(heard.lacks, 2);
    ck_assert_ptr_nonnull(strstr(heard.lack, "changed while it was read"));
    SimLogFinish(&log);
    SimFilesFinish(&files);
    ScratchFree(directory);
}
END_TEST

/* Lines without anything in them are lines, also where a disk lost what was there. */
START_TEST(a_first_reading_sees_at_least_what_was_found)
{
    char *directory = ScratchMake();
    Heard heard = { .lacks = 0 };
    char letters[64];
    SimFiles files;

    ScratchWrite(directory, "core0.instr_log.dump", "[1] a\nb\n");
    files = find(directory);
    ScratchWrite(directory, "core0.instr_log.dump", "[1] a\n");
    read_all(&files, &heard, letters);
    ck_assert_str_eq(letters, "a");
    ck_assert_uint_eq(heard.lacks, 1);
    ck_assert_ptr_nonnull(strstr(heard.lack, "changed while it was read, from 8 to 6 bytes"));
    SimFilesFinish(&files);

    /* One that grew is as whole as its last line. */
    files = find(directory);
    append(directory, "b\n");
    read_all(&files, &heard, letters);
    ck_assert_str_eq(letters, "ab");
    ck_assert_uint_eq(heard.lacks, 1);
    SimFilesFinish(&files);
    ScratchFree(directory);
}
END_TEST

START_TEST(lines_with_nul_bytes_are_told_of_and_given)
{
    static const char bytes[] = "[1] a\n\n\0\0\n[2] b\0\n\n[3] c\n";
    char *directory = ScratchMake();
    Heard heard = { .lacks = 0 };
    char letters[64], path[4096];
    SimFiles files;
    FILE *file;

    snprintf(path, sizeof path, "%s/core0.instr_log.dump", directory);
    file = fopen(path, "we");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, sizeof bytes - 1, file), sizeof bytes - 1);
    ck_assert_int_eq(fclose(file), 0);
    files = find(directory);
    for (int reading = 0; reading < 2; reading++) {
        SimLog log;
        const SimLogEvents events = events_of(&heard);
        const char *line;
        size_t length, lines = 0;

        SimLogInit(&log, &files, &events, SimLogTrimNothing);
        while (SimLogNext(&log, &line, &length, NULL) == OPPROF_OK) {
            letters[lines++] = length == 0 ? '_' : line[0];
        }
        SimLogFinish(&log);
        ck_assert_uint_eq(lines, 6);
        ck_assert_mem_eq(letters, "[_\0[_[", 6);
        ck_assert_uint_eq(heard.lacks, 1);
    }
    ck_assert_ptr_nonnull(strstr(heard.lack, "2 lines have NUL bytes, the first at byte 7 of"));
    SimFilesFinish(&files);
    ScratchFree(directory);
}
END_TEST

START_TEST(a_file_that_shrinks_gives_what_was_there_and_is_reported)
{
    enum { LINES = 20000, LINE = 100 };
    char *directory = ScratchMake();
    char *text = malloc(LINES * LINE + 1);
    Heard heard = { .lacks = 0 };
    const SimLogEvents events = events_of(&heard);
    char path[4096];
    const char *line;
    size_t length, lines = 1;
    SimFiles files;
    SimLog log;

    ck_assert_ptr_nonnull(text);
    memset(text, '7', LINES * LINE);
    for (size_t i = 1; i <= LINES; i++) {
        text[i * LINE - 1] = '\n';
    }
    text[LINES * LINE] = '\0';
    ScratchWrite(directory, "core0.instr_log.dump", text);
    free(text);
    files = find(directory);
    SimLogInit(&log, &files, &events, SimLogTrimNothing);
    ck_assert_int_eq(SimLogNext(&log, &line, &length, NULL), OPPROF_OK);
    snprintf(path, sizeof path, "%s/core0.instr_log.dump", directory);
    ck_assert_int_eq(truncate(path, LINES * LINE / 2), 0);
    while (SimLogNext(&log, &line, &length, NULL) == OPPROF_OK) {
        lines++;
    }
    ck_assert_uint_ge(lines, LINES / 4);
    ck_assert_uint_le(lines, LINES / 2);
    ck_assert_uint_eq(heard.lacks, 1);
    ck_assert_ptr_nonnull(strstr(heard.lack, "shrank"));
    ck_assert_uint_eq(heard.bytes, LINES * LINE);
    SimLogFinish(&log);
    SimFilesFinish(&files);
    ScratchFree(directory);
}
END_TEST

START_TEST(a_piece_that_is_gone_is_reported_and_skipped)
{
    char *directory = ScratchMake();
    Heard heard = { .lacks = 0 };
    char letters[64], path[4096];
    SimFiles files;

    ScratchWrite(directory, "core0.instr_log.dump", "1a\n");
    ScratchWrite(directory, "core0.instr_log.1.dump", "1b\n");
    files = find(directory);
    snprintf(path, sizeof path, "%s/core0.instr_log.1.dump", directory);
    ck_assert_int_eq(unlink(path), 0);
    read_all(&files, &heard, letters);
    ck_assert_str_eq(letters, "a");
    ck_assert_uint_eq(heard.lacks, 1);
    ck_assert_ptr_nonnull(strstr(heard.lack, "instr_log.1.dump"));
    ck_assert_uint_eq(heard.bytes, 6);
    SimFilesFinish(&files);
    ScratchFree(directory);
}
END_TEST

/* ---- forms of cache misses ---- */

#define A2_FORM                                                                                    \
    "<tick>: icache read address is <pc>, <detail>size is 0x<hex8>, type:<digits>, "               \
    "last:<digits>, "                                                                              \
    "status is MISS"

static bool is_miss(const char *form, const char *text, SimMiss *ret_line)
{
    static char copy[200 + 64];
    char after_head[300]; /* as some releases print it, and chip files list it */

    snprintf(after_head, sizeof after_head, "[info] %s", form);
    SimForms forms = forms_of(&sim_form_misses, form, after_head);
    ck_assert_uint_lt(strlen(text), 200);
    memset(copy, '0', sizeof copy);
    memcpy(copy, text, strlen(text));
    const bool is_it = SimFormsParseMiss(&forms, copy, strlen(text), ret_line);
    SimFormsFinish(&forms);
    return is_it;
}

START_TEST(a_miss_is_taken_apart_by_its_form)
{
    SimMiss line;

    ck_assert(is_miss(A2_FORM,
                      "[info] 23071: icache read address is 0x10f86a80, size is 0x00000080, "
                      "type:1, last:0, status is MISS",
                      &line));
    ck_assert_uint_eq(line.tick, 23071);
    ck_assert_uint_eq(line.pc, 0x10f86a80);
    ck_assert_uint_eq(line.address_length, 10);
    ck_assert_mem_eq(line.address, "0x10f86a80", 10);
    ck_assert_uint_eq(line.detail_length,
                      strlen("size is 0x00000080, type:1, last:0, status is MISS"));
    ck_assert(is_miss(A2_FORM,
                      "1: icache read address is 0x1, size is 0xABCDEF01, type:, last:123, "
                      "status is MISS",
                      &line));
}
END_TEST

START_TEST(other_lines_are_no_misses)
{
    static const char *const others[] = {
        "",
        "[info] ",
        "1: icache read address is 0x1, size is 0x00000080, type:1, last:0, status is HIT",
        "1: icache read address is 0x1, size is 0x00000080, type:1, last:0, status is MISS ",
        "1: icache read address is 0x1, size is 0x00000080, type:1, last:0, status is MIS",
        "1: icache read address is 0x1, size is 0x0000008, type:1, last:0, status is MISS",
        "1: icache read address is 0x1, size is 0x000000800, type:1, last:0, status is MISS",
        "1: icache read address is 0x1, size is 0x00000080, type:1234, last:0, status is MISS",
        "1: icache read address is 0x, size is 0x00000080, type:1, last:0, status is MISS",
        "1: icache read address is 0xA, size is 0x00000080, type:1, last:0, status is MISS",
        "1: icache read address is 0x12345678901234567, size is 0x00000080, type:1, last:0, status "
        "is MISS",
        "99999999999999999999: icache read address is 0x1, size is 0x00000080, type:1, last:0, "
        "status is "
        "MISS",
        ": icache read address is 0x1, size is 0x00000080, type:1, last:0, status is MISS",
        " 1: icache read address is 0x1, size is 0x00000080, type:1, last:0, status is MISS",
        "1: lookup_tag is fetch req addr:0x10f86000",
    };
    SimMiss line;

    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        ck_assert_msg(!is_miss(A2_FORM, others[i], &line), "a miss: %s", others[i]);
    }
}
END_TEST

START_TEST(a_form_needs_tick_pc_and_detail_once)
{
    static const char *const wrongs[][2] = {
        { "<tick> <pc>", "'<tick> <pc>' lacks '<detail>'" },
        { "<tick> <detail>", "'<tick> <detail>' lacks '<pc>'" },
        { "<pc> <detail>", "'<pc> <detail>' lacks '<tick>'" },
        { "<tick> <tick> <pc> <detail>",
          "'<tick> <tick> <pc> <detail>' has '<tick>' more than once" },
        { "<tick><pc><detail>", "'<tick><pc><detail>' has nothing between '<tick>' and '<pc>'" },
        { "<tick> <pc> <detail> <hex9>",
          "'<tick> <pc> <detail> <hex9>' has an unknown field '<hex9>'" },
        { "<tick> <pc> <detail> <", "'<tick> <pc> <detail> <' has an unknown field '<'" },
        { "", "'' lacks '<tick>'" },
    };

    for (size_t i = 0; i < sizeof wrongs / sizeof wrongs[0]; i++) {
        SimForms forms = { .count = 0 };
        OpprofError *error = NULL;
        ck_assert_int_eq(SimFormsAdd(&forms, &sim_form_misses, wrongs[i][0], &error),
                         OPPROF_E_DATA);
        ck_assert_str_eq(OpprofErrorMessage(error), wrongs[i][1]);
        OpprofErrorDestroy(error);
        SimFormsFinish(&forms);
    }
}
END_TEST

/* ---- order of cache misses ---- */

typedef struct Order {
    uint64_t tick;
    uint64_t pc;
    uint64_t floor;
    size_t count;
    size_t wrong;
} Order;

static OpprofStatus take_miss(void *context, const IcacheMiss *miss, OpprofError **error)
{
    Order *order = context;

    (void) error;
    order->wrong += miss->tick < order->tick ||
                    (miss->tick == order->tick && miss->pc < order->pc) ||
                    miss->tick < order->floor;
    order->tick = miss->tick;
    order->pc = miss->pc;
    order->floor = miss->floor;
    order->count++;
    return OPPROF_OK;
}

static Order order_of(size_t count, unsigned spread, size_t most_rows)
{
    SimForms forms = forms_of(&sim_form_misses, "<tick>: <pc>, <detail>x", NULL);
    Icache *icache = IcacheCreate(&forms, most_rows);
    Order order = { .count = 0 };
    const IcacheSink sink = { .context = &order, .miss = take_miss };

    ck_assert_ptr_nonnull(icache);
    for (int reading = 0; reading < 2; reading++) {
        uint64_t state = 5;

        for (size_t i = 0; i < count; i++) {
            char line[64 + 64] = "";
            int length;

            state = state * UINT64_C(6364136223846793005) + 1;
            length = snprintf(line, 64, "%zu: 0x%x, x", i + (size_t) (state >> 40) % spread,
                              (unsigned) (state >> 50) % 16);
            if (reading == 0 && !IcacheCount(icache, line, (size_t) length)) {
                ck_abort_msg("no memory");
            }
            if (reading == 1 &&
                IcacheTake(icache, line, (size_t) length, &sink, NULL) != OPPROF_OK) {
                ck_abort_msg("no memory");
            }
        }
    }
    ck_assert_int_eq(IcacheFlush(icache, &sink, NULL), OPPROF_OK);
    IcacheDestroy(icache);
    SimFormsFinish(&forms);
    return order;
}

START_TEST(misses_come_by_tick_and_then_address)
{
    Order order = order_of(20000, 1, 0);

    ck_assert_uint_eq(order.count, 20000);
    ck_assert_uint_eq(order.wrong, 0);
    order = order_of(20000, 9000, 0);
    ck_assert_uint_eq(order.count, 20000);
    ck_assert_uint_eq(order.wrong, 0);
}
END_TEST

START_TEST(misses_out_of_any_order_are_emitted_all_the_same)
{
    ck_assert_uint_eq(order_of(20000, 1000000, 100).count, 20000);
}
END_TEST

static Suite *log_suite(void)
{
    Suite *suite = suite_create("log");
    TCase *logs = tcase_create("logs");
    TCase *misses = tcase_create("misses");

    tcase_add_test(logs, pieces_are_read_from_the_highest_number_down);
    tcase_add_test(logs, a_gap_ends_a_log_and_is_reported_by_its_name);
    tcase_add_test(logs, lines_that_come_twice_are_told_of);
    tcase_add_test(logs, lines_without_ticks_are_told_of);
    tcase_add_test(logs, a_missing_file_without_a_number_is_reported);
    tcase_add_test(logs, a_second_reading_sees_no_more_than_the_first);
    tcase_add_test(logs, a_first_reading_sees_at_least_what_was_found);
    tcase_add_test(logs, lines_with_nul_bytes_are_told_of_and_given);
    tcase_add_test(logs, a_file_that_shrinks_gives_what_was_there_and_is_reported);
    tcase_add_test(logs, a_piece_that_is_gone_is_reported_and_skipped);
    tcase_add_test(misses, a_miss_is_taken_apart_by_its_form);
    tcase_add_test(misses, other_lines_are_no_misses);
    tcase_add_test(misses, a_form_needs_tick_pc_and_detail_once);
    tcase_add_test(misses, misses_come_by_tick_and_then_address);
    tcase_add_test(misses, misses_out_of_any_order_are_emitted_all_the_same);
    suite_add_tcase(suite, logs);
    suite_add_tcase(suite, misses);
    return suite;
}
TEST_SUITE(log_suite)
