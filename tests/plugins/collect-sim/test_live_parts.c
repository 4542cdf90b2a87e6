/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of live collection that need no running program: lines of logs, and counting them. */
#include "plugins/collect-sim/live/counts.h"
#include "plugins/collect-sim/live/dumps.h"
#include "tests/core/suites.h"
#include "tests/plugins/collect-sim/batches.h"
#include "tests/plugins/collect-sim/forms.h"
#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <fcntl.h>
#include <unistd.h>

static const char a2_miss[] = CAMODEL_MISS_A2;
static const char a5_miss[] = CAMODEL_MISS;

static void expect_line(const char *miss, SimEntry entry, const char *text, const char *wanted)
{
    const SimRecordForms forms = { .miss = miss, .fetch = CAMODEL_FETCH, .issue = CAMODEL_ISSUE };
    char padded[256 + OPPROF_LIVE_AFTER], line[512];

    memset(padded, ' ', sizeof padded);
    memcpy(padded, text, strlen(text));
    entry.text = padded;
    entry.length = (uint16_t) strlen(text);
    ck_assert_uint_eq(SimRecordLine(&forms, &entry, line, sizeof line), strlen(wanted));
    ck_assert_str_eq(line, wanted);
}

/* The forms of the specification's examples. */
START_TEST(test_line__is_what_the_simulator_writes)
{
    const SimEntry instr = { .time = 11036 };
    const SimEntry miss = { .kind = OPPROF_LIVE_MISS,
                            .time = 23071,
                            .access = { .address = 0x10f86a80, .size = 128, .request = 1 } };
    const SimEntry fetch = { .kind = OPPROF_LIVE_FETCH,
                             .time = 995,
                             .access = { .address = 0x10f86000 } };
    const SimEntry issue = { .kind = OPPROF_LIVE_ISSUE,
                             .time = 1399,
                             .access = { .address = 0x10f86020 } };
    const SimEntry mte = { .kind = OPPROF_LIVE_TRANSFER,
                           .time = 19333,
                           .access = {
                               .address = 0x10f74400, .size = 256, .id = 4, .request = 5259 } };

    expect_line(a2_miss, instr,
                "(PC: 0x10f86000) SCALAR   : (Binary: 0x073a7f80) MOV_XD_IMM  "
                "XD:X29=0x7f80, IMM:0x7f80,",
                "[info] [00011036] (PC: 0x10f86000) SCALAR   : (Binary: 0x073a7f80) MOV_XD_IMM  "
                "XD:X29=0x7f80, IMM:0x7f80,\n");
    expect_line(a2_miss, instr, "(PC: 0x10f86154) MTE2     : (Binary: 0x41001000) NOP_PIPE",
                "[info] [00011036] (PC: 0x10f86154) MTE2     : (Binary: 0x41001000) NOP_PIPE\n");
    expect_line(a2_miss, miss, "",
                "[info] 23071: icache read address is 0x10f86a80, size is 0x00000080, type:1, "
                "last:0, status is MISS\n");
    expect_line(a5_miss, miss, "",
                "[info] [00023071]: icache read address is 0x10f86a80, size is 0x00000080, status "
                "is MISS\n");
    expect_line(a2_miss, fetch, "", "[info] 995: lookup_tag is fetch req addr:0x10f86000\n");
    expect_line(a2_miss, issue, "", "[info] 1399: ccu do issue success.issue isa pc :0x10f86020\n");
    expect_line(a2_miss, mte, "BRIF send_req",
                "[info] 19333: BRIF send_req, addr: 0x10f74400, size: 256, instr_id: 4, req_id: "
                "5259\n");
}
END_TEST

START_TEST(test_line__text_from_outside_stays_in_its_line)
{
    const SimEntry instr = { .time = 1 };

    expect_line(a2_miss, instr, "a\nb  \r\x1b[0m\x7f", "[info] [00000001] a?b  ??[0m?\n");
}
END_TEST

START_TEST(test_line__each_byte_of_such_a_text_is_looked_at)
{
    const SimRecordForms forms = { .miss = "", .fetch = "", .issue = "" };
    char text[41 + OPPROF_LIVE_AFTER], wanted[80], line[128], scratch[128];
    SimEntry entry = { .time = 1, .text = text };

    for (unsigned length = 1; length <= 40; length++) {
        for (unsigned at = 0; at < length; at++) {
            for (unsigned byte = 0; byte < 256; byte++) {
                memset(text, '~', sizeof text);
                text[at] = (char) byte;
                memcpy(wanted, "[info] [00000001] ", 18);
                memcpy(wanted + 18, text, length);
                wanted[18 + at] = byte < ' ' || byte == 127 ? '?' : (char) byte;
                entry.length = (uint16_t) length;
                ck_assert_uint_eq(SimRecordLine(&forms, &entry, line, sizeof line), 19 + length);
                ck_assert(memcmp(line, wanted, 18 + length) == 0);
                ck_assert(memcmp(SimRecordText(&entry, scratch), wanted + 18, length) == 0);
            }
        }
    }
}
END_TEST

START_TEST(test_line__one_that_does_not_fit_is_none)
{
    const SimRecordForms forms = { .miss = "", .fetch = "", .issue = "" };
    const char text[40 + OPPROF_LIVE_AFTER + 1] =
        "0123456789012345678901234567890123456789                                               ";
    SimEntry entry = { .text = text, .length = 40 };
    char line[128];

    for (size_t room = 0; room < 59 + 2; room++) {
        const size_t length = SimRecordLine(&forms, &entry, line, room);

        ck_assert_uint_eq(length, room > 59 ? 59 : 0); /* 18 + 40 + 1 */
    }
    entry.kind = OPPROF_LIVE_MISS; /* without a form */
    ck_assert_uint_eq(SimRecordLine(&forms, &entry, line, sizeof line), 0);
}
END_TEST

/* A record is counted as its line would be, whatever its text. */
START_TEST(test_rest__is_taken_apart_as_the_line)
{
    static const char *const texts[] = {
        "(PC: 0x10f86000) SCALAR   : (Binary: 0x073a7f80) MOV_XD_IMM  XD:X29=0x7f80, IMM:0x7f80,",
        "(PC: 0x10f86000) SCALAR   : (Binary: 0x073a7f80) (ID: 000123) ADD  poped from IQ",
        "(PC: 0x10f86000)@CORE12 VEC ISSUE: (Binary: 0x80400000 12345678) MOVEMASK(dtype:B16).",
        "(PC: 0x10f86000) VEC",
        " (PC: 0x10f86000) VEC",
        "(PC: 0x0123456789abcdef0) VEC",
        "(PC: 0xA) VEC",
        "  X1",
        "",
    };
    static const uint64_t ticks[] = { 0, 11036, 99999999, 100000000, UINT64_MAX - 1, UINT64_MAX };
    char text[256], line[256];

    for (unsigned i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        for (unsigned j = 0; j < sizeof ticks / sizeof ticks[0]; j++) {
            const int length =
                snprintf(line, sizeof line, "[info] [%08" PRIu64 "] %s", ticks[j], texts[i]);
            SimLine whole, rest;
            bool is_record;

            memset(text, 0, sizeof text);
            memcpy(text, texts[i], strlen(texts[i]));
            is_record = SimLineParse(line, (size_t) length, &sim_watch_popped, &whole);
            ck_assert_int_eq(SimRestParse(ticks[j], text, strlen(text), &sim_watch_popped, &rest),
                             is_record);
            if (is_record) {
                ck_assert_uint_eq(rest.tick, whole.tick);
                ck_assert_uint_eq(rest.pc, whole.pc);
                ck_assert_uint_eq(rest.id, whole.id);
                ck_assert_uint_eq(rest.pipe_length, whole.pipe_length);
                ck_assert_uint_eq(rest.name_length, whole.name_length);
                ck_assert_uint_eq(rest.detail_length, whole.detail_length);
                ck_assert_int_eq(rest.poped_from_queue, whole.poped_from_queue);
            }
        }
    }
}
END_TEST

/* ---- counting while the operator runs ---- */

static Batch batch;

/* A batch of one record, of which both sides remember nothing. */
static void take_text(LiveCounts *counts, OpprofLiveLogs logs, uint64_t tick, const char *text)
{
    batch.logs = logs;
    batch_empty(&batch);
    memset(batch.memory.known, 0, sizeof batch.memory.known);
    batch_add_text(&batch, tick, OPPROF_LIVE_SLOTS - 1, text);
    memset(batch.records + batch.size, 0, OPPROF_LIVE_AFTER);
    LiveCountsTake(counts, &batch.logs, batch.records, batch.size);
}

static void take(LiveCounts *counts, uint32_t core, uint8_t sub, uint8_t log, uint64_t tick)
{
    const OpprofLiveLogs logs = { .core = core, .log = log, .sub_core = sub };

    take_text(counts, logs, tick, "(PC: 0x1000) SCALAR   : (Binary: 0x003bd781) ADD");
}

/* A list of work with two cores, as of files that the same lines have made. */
static void make_work(Work *work, FoundCore *found, WorkCore *cores, char (*prefixes)[24])
{
    *work = (Work){ .found = { .cores = found, .count = 2 }, .cores = cores };
    for (unsigned i = 0; i < 2; i++) {
        found[i] = (FoundCore){ .prefix = prefixes[i] };
        cores[i] = (WorkCore){ .found = &found[i] };
    }
}

static PairingCounts counts_of(WorkCore *core)
{
    const PairingCounts counts = PairingGetCounts(core->pairing);

    PairingDestroy(core->pairing);
    return counts;
}

/* Logs of several cores come at once, and instructions may retire before they are seen issued. */
START_TEST(test_counts__cores_do_not_mix)
{
    SimFacts facts = facts_of(a2_miss, true);
    char prefixes[2][24] = { "core0.cubecore0.", "core3.veccore1." };
    static LiveCounts counts;
    FoundCore found[2];
    WorkCore cores[2];
    PairingCounts first, second;
    Work work;

    LiveCountsStart(&counts, &facts, NULL, NULL);
    for (uint64_t tick = 100; tick < 200; tick += 10) {
        take(&counts, 3, 2, OPPROF_LIVE_LOG_END, tick + 2);
        take(&counts, 0, 0, OPPROF_LIVE_LOG_START, tick);
        take(&counts, 3, 2, OPPROF_LIVE_LOG_START, tick);
        take(&counts, 200, 0, OPPROF_LIVE_LOG_START, tick); /* has no place */
        take(&counts, 1, 1, OPPROF_LIVE_LOG_START, tick);   /* has no files */
    }
    make_work(&work, found, cores, prefixes);
    ck_assert_uint_eq(LiveCountsGive(&counts, &work), 2);
    first = counts_of(&cores[0]);
    second = counts_of(&cores[1]);
    ck_assert_uint_eq(first.popped, 10);
    ck_assert_uint_eq(first.instr, 0);
    ck_assert_uint_eq(first.alone, 10);
    ck_assert_uint_eq(second.popped, 10);
    ck_assert_uint_eq(second.instr, 10);
    ck_assert_uint_eq(second.alone, 0);
    SimFactsFinish(&facts);
}
END_TEST

/* Files of the 310P name no sub-cores. */
START_TEST(test_counts__a_chip_may_have_cores_without_parts)
{
    SimFacts facts = facts_of(a5_miss, false);
    char prefixes[2][24] = { "core0.", "core3." };
    static LiveCounts counts;
    FoundCore found[2];
    WorkCore cores[2];
    Work work;

    LiveCountsStart(&counts, &facts, NULL, NULL);
    take(&counts, 3, 0, OPPROF_LIVE_LOG_START, 1);
    take(&counts, 3, 2, OPPROF_LIVE_LOG_END, 2);
    make_work(&work, found, cores, prefixes);
    ck_assert_uint_eq(LiveCountsGive(&counts, &work), 1);
    ck_assert_ptr_null(cores[0].pairing);
    ck_assert_uint_eq(counts_of(&cores[1]).alone, 0);
    SimFactsFinish(&facts);
}
END_TEST

/* A record of an address of its own, so that counts grow. */
static void take_address(LiveCounts *counts, uint64_t number)
{
    const OpprofLiveLogs logs = { .log = OPPROF_LIVE_LOG_START };
    char text[128];

    snprintf(text, sizeof text, "(PC: 0x%" PRIx64 ") SCALAR   : (Binary: 0x003bd781) ADD",
             0x1000 + 4 * number);
    take_text(counts, logs, number, text);
}

/* One operator is counted however much that takes, a second one as long as there is room. */
START_TEST(test_counts__those_beyond_the_budget_are_given_up)
{
    SimFacts facts = facts_of(a2_miss, false);
    LiveCountsBudget budget = { .most = 1000 };
    static LiveCounts first, second, third;

    LiveCountsStart(&first, &facts, NULL, &budget);
    LiveCountsStart(&second, &facts, NULL, &budget);
    LiveCountsStart(&third, &facts, NULL, &budget);
    for (uint64_t i = 0; i < LIVE_COUNTS_STEP; i++) {
        take_address(&first, i);
    }
    ck_assert(!first.is_lost);
    ck_assert_uint_gt(budget.held, LIVE_COUNTS_STEP * sizeof(uint64_t));
    ck_assert_uint_eq(budget.held, first.held);
    for (uint64_t i = 0; i < 2 * LIVE_COUNTS_STEP; i++) {
        take_address(&second, i);
    }
    ck_assert(second.is_lost);
    ck_assert_ptr_null(second.pairings[0][0]);
    ck_assert_uint_eq(budget.held, first.held);
    ck_assert_ptr_nonnull(first.pairings[0][0]);
    LiveCountsFinish(&first);
    ck_assert_uint_eq(budget.held, 0);
    for (uint64_t i = 0; i < LIVE_COUNTS_STEP; i++) {
        take_address(&third, i);
    }
    ck_assert(!third.is_lost);
    ck_assert_uint_eq(budget.held, third.held);
    LiveCountsFinish(&third);
    ck_assert_uint_eq(budget.held, 0);
    SimFactsFinish(&facts);
}
END_TEST

/* Records that tell what changed, with control characters, in slots and plain. */
START_TEST(test_counts__texts_are_those_of_lines)
{
    SimFacts facts = facts_of(a2_miss, false);
    static const char *const names[] = { "ADD", "ADD  X1", "ADD  X1, X2", "AD\nD", "ADD  X3" };
    static LiveCounts counts;
    static char text[400];
    PairingCounts counted;

    LiveCountsStart(&counts, &facts, NULL, NULL);
    memset(&batch, 0, sizeof batch);
    for (unsigned i = 0; i < 500; i++) {
        const int length =
            snprintf(text, sizeof text, "(PC: 0x%08x) SCALAR   : (Binary: 0x003bd781) %s",
                     0x1000 + 4 * (i % 50), names[i % 5]);
        const int filled = i % 7 == 0 ? 300 : length; /* too long for a slot */

        memset(text + length, ',', (size_t) (filled - length));
        batch_add(&batch, (OpprofLiveRecord){ .time = i }, NULL, i % 50, text, (size_t) filled);
        if (i % 100 == 99) {
            LiveCountsTake(&counts, &batch.logs, batch.records, batch.size);
            batch_empty(&batch);
        }
    }
    PairingCountEnd(counts.pairings[0][0]);
    counted = PairingGetCounts(counts.pairings[0][0]);
    ck_assert_uint_eq(counted.popped, 500);
    ck_assert(!PairingHasRows(counts.pairings[0][0], 0x1000));
    LiveCountsFinish(&counts);
    SimFactsFinish(&facts);
}
END_TEST

/* Operators that are too short to be weighed as they run are weighed as they end. */
START_TEST(test_counts__many_short_operators_stay_within_the_budget)
{
    SimFacts facts = facts_of(a2_miss, false);
    LiveCountsBudget budget = { .most = 64 * 1024 };
    static LiveCounts operators[1000];
    unsigned kept = 0;

    for (unsigned i = 0; i < 1000; i++) {
        LiveCountsStart(&operators[i], &facts, NULL, &budget);
        take_address(&operators[i], i);
        LiveCountsWeigh(&operators[i]);
        kept += operators[i].is_lost ? 0 : 1;
        ck_assert_uint_le(budget.held, budget.most);
    }
    ck_assert_uint_gt(kept, 0);
    ck_assert_uint_lt(kept, 1000);
    for (unsigned i = 0; i < 1000; i++) {
        LiveCountsFinish(&operators[i]);
    }
    ck_assert_uint_eq(budget.held, 0);
    SimFactsFinish(&facts);
}
END_TEST

/* ---- dump files of a simulator without callbacks ---- */

static void write_file(const char *directory, const char *name, const char *text)
{
    char path[256];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", directory, name);
    file = fopen(path, "a");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

static void expect_file(const char *directory, const char *name, const char *text)
{
    char path[256], content[64] = "";
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", directory, name);
    file = fopen(path, "r");
    if (file != NULL) {
        content[fread(content, 1, sizeof content - 1, file)] = '\0';
        fclose(file);
    }
    ck_assert_str_eq(content, text);
}

static OpprofStatus take_dumps(const LiveDumps *dumps, const char *to)
{
    const int directory = open(to, O_RDONLY | O_DIRECTORY);
    const OpprofStatus status = LiveDumpsTake(dumps, directory, to, NULL);

    close(directory);
    return status;
}

START_TEST(test_dumps__belong_to_the_operator_that_ran)
{
    char results[] = "/tmp/live-dumps-XXXXXX";
    char first[64], second[64], path[256];
    LiveDumps dumps = { .directory = NULL };

    ck_assert_ptr_nonnull(mkdtemp(results));
    snprintf(first, sizeof first, "%s/first", results);
    snprintf(second, sizeof second, "%s/second", results);
    ck_assert(mkdir(first, 0700) == 0 && mkdir(second, 0700) == 0);
    ck_assert_int_eq(LiveDumpsOpen(&dumps, results, NULL), OPPROF_OK);
    write_file(dumps.directory, "core0.instr_log.dump", "before\n");
    LiveDumpsEmpty(&dumps);
    write_file(dumps.directory, "core0.instr_log.dump", "one\n");
    write_file(dumps.directory, "model.toml", "no log\n");
    snprintf(path, sizeof path, "%s/dump-link", dumps.directory);
    ck_assert_int_eq(symlink("/etc/passwd", path), 0); /* leads elsewhere */
    ck_assert_int_eq(take_dumps(&dumps, first), OPPROF_OK);
    write_file(dumps.directory, "core0.instr_log.dump", "two\n");
    write_file(dumps.directory, "core1.instr_log.dump", "");
    ck_assert_int_eq(take_dumps(&dumps, second), OPPROF_OK);
    expect_file(first, "core0.instr_log.dump", "one\n");
    expect_file(first, "model.toml", "");
    expect_file(first, "dump-link", "");
    expect_file(second, "core0.instr_log.dump", "two\n");
    write_file(dumps.directory, "core0.instr_log.dump", "three\n");
    ck_assert_int_eq(take_dumps(&dumps, second), OPPROF_E_IO); /* is there already */
    snprintf(path, sizeof path, "exec rm -r %s", results);
    LiveDumpsClose(&dumps);
    ck_assert_int_eq(system(path), 0);
}
END_TEST

/* ---- who may change what is used ---- */

static Suite *live_parts_suite(void)
{
    Suite *suite = suite_create("live_parts");
    TCase *tests = tcase_create("live_parts");

    tcase_add_test(tests, test_line__is_what_the_simulator_writes);
    tcase_add_test(tests, test_line__text_from_outside_stays_in_its_line);
    tcase_add_test(tests, test_line__each_byte_of_such_a_text_is_looked_at);
    tcase_add_test(tests, test_line__one_that_does_not_fit_is_none);
    tcase_add_test(tests, test_rest__is_taken_apart_as_the_line);
    tcase_add_test(tests, test_counts__texts_are_those_of_lines);
    tcase_add_test(tests, test_counts__cores_do_not_mix);
    tcase_add_test(tests, test_counts__a_chip_may_have_cores_without_parts);
    tcase_add_test(tests, test_counts__those_beyond_the_budget_are_given_up);
    tcase_add_test(tests, test_counts__many_short_operators_stay_within_the_budget);
    tcase_add_test(tests, test_dumps__belong_to_the_operator_that_ran);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(live_parts_suite)
