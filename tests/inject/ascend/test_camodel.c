/* SPDX-License-Identifier: Apache-2.0 */
/* Log callbacks of the injection library, with a simulator and a collector that are made up. */
#include "inject/ascend/ascend.h"
#include "refchip/chip/dvc.h"

#include "tests/core/suites.h"
#include <check.h>
#include <opprof/kit/live_records.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RECORDS 4000u
#define THREADS 4u

/* ---- the simulator ---- */

static DvcCallback *callbacks[DVC_LOG_TYPES];

/* The functions have no value; what is left in the register for one may look like an error. */
#define GARBAGE 100000

static int attach_callback(uint32_t type, DvcCallback *callback)
{
    ck_assert_uint_lt(type, DVC_LOG_TYPES);
    callbacks[type] = callback;
    return GARBAGE;
}

static int set_level(uint32_t file, uint32_t screen, uint32_t flush)
{
    (void) file;
    (void) screen;
    (void) flush;
    return GARBAGE;
}

void *OriginalFind(const char *name)
{
    if (strcmp(name, "DvcAttachLogCallback") == 0) {
        return (void *) attach_callback;
    }
    return strcmp(name, "DvcSetLogLevel") == 0 ? (void *) set_level : NULL;
}

/* ---- the collector ---- */

static uint64_t last_times[2];
static uint32_t records[2];
static uint8_t slots[2][2][OPPROF_LIVE_SLOTS][OPPROF_LIVE_SLOT_PIECES * OPPROF_LIVE_PIECE];
static char last_text[2 * 4095 + 3];
static bool is_ordered, link_is_dead;

/* Reads a record of an instruction into last_text; returns its bytes. */
static size_t read_record(const OpprofLiveLogs *logs, const uint8_t *bytes, size_t left,
                          uint64_t *ret_time)
{
    const uint8_t *at = bytes + sizeof(OpprofLiveRecord);
    OpprofLiveRecord record;

    ck_assert_uint_ge(left, sizeof record);
    memcpy(&record, bytes, sizeof record);
    ck_assert_uint_eq(record.kind, OPPROF_LIVE_INSTRUCTION);
    ck_assert_uint_lt(record.length, sizeof last_text);
    *ret_time = record.time;
    if (record.slot == OPPROF_LIVE_PLAIN) {
        memcpy(last_text, at, record.length);
        at += (record.length + OPPROF_LIVE_PIECE - 1u) / OPPROF_LIVE_PIECE * OPPROF_LIVE_PIECE;
    } else {
        uint8_t *slot = slots[logs->core][logs->log][record.slot];

        for (unsigned piece = 0; piece < OPPROF_LIVE_SLOT_PIECES; piece++) {
            if ((record.pieces >> piece & 1) != 0) {
                memcpy(slot + piece * OPPROF_LIVE_PIECE, at, OPPROF_LIVE_PIECE);
                at += OPPROF_LIVE_PIECE;
            }
        }
        memcpy(last_text, slot, record.length);
    }
    last_text[record.length] = '\0';
    ck_assert_uint_le((size_t) (at - bytes), left);
    return (size_t) (at - bytes);
}

bool LinkSend(uint32_t type, const void *first, size_t first_size, const void *second,
              size_t second_size)
{
    const OpprofLiveLogs *logs = first;
    size_t at = 0;

    ck_assert_uint_eq(type, OPPROF_LIVE_LOGS);
    ck_assert_uint_eq(first_size, sizeof *logs);
    ck_assert_uint_eq(logs->operator_id, 7);
    ck_assert_uint_lt(logs->core, 2);
    ck_assert_uint_eq(logs->sub_core, 1);
    ck_assert_uint_lt(logs->log, 2);
    for (uint32_t i = 0; i < logs->count && !link_is_dead; i++) {
        uint64_t time = 0;

        at += read_record(logs, (const uint8_t *) second + at, second_size - at, &time);
        is_ordered = is_ordered && time == last_times[logs->core] + 1;
        last_times[logs->core] = time;
        records[logs->core]++;
    }
    ck_assert(link_is_dead || at == second_size);
    return !link_is_dead;
}

/* ---- tests ---- */

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER; /* guards what follows */
static uint64_t next_time;

static void call(uint32_t core, uint64_t time)
{
    const DvcInstr instr = { .core_id = core,
                             .sub_core_id = 1,
                             .pc = 0x1000,
                             .decode = "(PC: 0x1000) SCALAR : (Binary: 0x1) ADD",
                             .execute = "X1" };

    callbacks[DVC_INSTR_POPPED_LOG](time, &instr);
}

/* A simulator hands a core's calls from thread to thread, each call after the one before. */
static void *simulate(void *argument)
{
    (void) argument;
    for (bool more = true; more;) {
        pthread_mutex_lock(&turn);
        more = next_time < RECORDS;
        if (more) {
            next_time++;
            call(0, next_time);
            call(1, next_time);
        }
        pthread_mutex_unlock(&turn);
        sched_yield();
    }
    return NULL;
}

static void setup(void)
{
    memset(last_times, 0, sizeof last_times);
    memset(records, 0, sizeof records);
    memset(slots, 0, sizeof slots);
    next_time = 0;
    is_ordered = true;
    link_is_dead = false;
    CamodelAttach(0);
    CamodelStart(7);
}

START_TEST(a_core_keeps_its_order_whichever_threads_call)
{
    pthread_t threads[THREADS];

    for (unsigned i = 0; i < THREADS; i++) {
        ck_assert_int_eq(pthread_create(&threads[i], NULL, simulate, NULL), 0);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    ck_assert_uint_eq(CamodelStop(), 0);
    ck_assert_uint_eq(records[0], RECORDS);
    ck_assert_uint_eq(records[1], RECORDS);
    ck_assert(is_ordered);
}
END_TEST

START_TEST(what_cannot_be_sent_is_counted)
{
    link_is_dead = true;
    for (uint64_t time = 1; time <= 10; time++) {
        call(1, time);
    }
    ck_assert_uint_eq(CamodelStop(), 10);
    call(1, 11); /* no operator runs: nothing is kept */
    ck_assert_uint_eq(CamodelStop(), 10);
}
END_TEST

static void expect_text(uint64_t time, const char *decode, const char *execute, uint64_t pc,
                        const char *wanted)
{
    const DvcInstr instr = {
        .core_id = 1, .sub_core_id = 1, .pc = pc, .decode = decode, .execute = execute
    };

    CamodelStart(7);
    callbacks[DVC_INSTR_LOG](time, &instr);
    callbacks[DVC_INSTR_LOG](time + 1, &instr); /* as the one before */
    CamodelStop();
    ck_assert_uint_eq(last_times[1], time + 1);
    ck_assert_str_eq(last_text, wanted);
    memset(slots, 0, sizeof slots); /* each operator begins anew */
}

START_TEST(texts_arrive_whole)
{
    static char decode[5000], execute[5000], wanted[2 * 4095 + 3];

    expect_text(1, "ADD", "X1", 0x1000, "ADD  X1");
    expect_text(3, "ADD", "X2, X3", 0x1000, "ADD  X2, X3");
    expect_text(5, "ADD", "", 0x1000, "ADD");
    expect_text(7, "ADD", NULL, 0x2000, "ADD");
    expect_text(9, "", "X1", UINT64_MAX, "  X1");
    expect_text(11, "", "", 0, "");
    for (unsigned length = 1; length < 4999; length += length < 300 ? 1 : 500) {
        const int cut = length < 4095 ? (int) length : 4095;

        memset(decode, 'd', length);
        memset(execute, 'e', length);
        snprintf(wanted, sizeof wanted, "%.*s  %.*s", cut, decode, cut, execute);
        expect_text(100 + 2 * length, decode, execute, 0x1000, wanted);
    }
}
END_TEST

START_TEST(strings_that_are_cut_are_counted)
{
    static char decode[5000];
    const DvcInstr instr = { .sub_core_id = 1, .decode = decode, .execute = "X1" };

    memset(decode, 'd', 4096);
    callbacks[DVC_INSTR_LOG](1, &instr);
    ck_assert_uint_eq(CamodelStop(), 1);
    ck_assert_uint_eq(strlen(last_text), 4095 + 4);
}
END_TEST

START_TEST(entries_that_make_no_sense_are_counted)
{
    const DvcInstr core = { .core_id = 100, .sub_core_id = 1, .decode = "ADD" };
    const DvcInstr sub_core = { .core_id = 1, .sub_core_id = 3, .decode = "ADD" };
    const DvcInstr text = { .core_id = 1, .sub_core_id = 1, .execute = "X1" };

    callbacks[DVC_INSTR_LOG](1, &core);
    callbacks[DVC_INSTR_LOG](1, &sub_core);
    callbacks[DVC_INSTR_LOG](1, &text);
    ck_assert_uint_eq(CamodelStop(), 3);
    ck_assert_uint_eq(records[1], 0);
}
END_TEST

static Suite *camodel_suite(void)
{
    Suite *suite = suite_create("camodel");
    TCase *tests = tcase_create("camodel");

    tcase_add_checked_fixture(tests, setup, NULL);
    tcase_set_timeout(tests, 1800);
    tcase_add_test(tests, a_core_keeps_its_order_whichever_threads_call);
    tcase_add_test(tests, what_cannot_be_sent_is_counted);
    tcase_add_test(tests, texts_arrive_whole);
    tcase_add_test(tests, strings_that_are_cut_are_counted);
    tcase_add_test(tests, entries_that_make_no_sense_are_counted);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(camodel_suite)
