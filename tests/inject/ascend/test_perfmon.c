/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Monitors of emulated cores: programming order, draining while they write, accounts to the word.
 */
#include "tests/core/suites.h"
#include "tests/inject/ascend/window_emulator.h"

#include <check.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CORES 36u
#define UNITS (CORES * PERFMON_SUB_CORES)
#define WRITERS 3u

static OpprofLiveMonitors facts;
static Emulator emulator;
static Perfmon perfmon;

static void setup(void)
{
    facts = EmulatorFacts(CORES, 65536);
}

static void teardown(void)
{
    PerfmonClose(&perfmon);
    EmulatorFinish(&emulator);
}

static bool open_cores(uint32_t cores, uint32_t sub_cores, uint32_t buffer, char *why)
{
    facts.core_count = cores;
    facts.sub_cores = sub_cores;
    facts.buffer_bytes = buffer;
    ck_assert(EmulatorInit(&emulator, &facts, CORES));
    const RegisterWindow window = EmulatorWindow(&emulator);
    return PerfmonOpen(&facts, &window, &perfmon, why);
}

static void begin(uint32_t cores, uint32_t sub_cores, uint32_t buffer)
{
    char why[WINDOW_WHY] = "";

    ck_assert_msg(open_cores(cores, sub_cores, buffer, why), "%s", why);
}

/* Words of each unit: they count up, so that every loss shows. */
typedef struct Seen {
    uint64_t words;
    uint64_t lost; /* bytes */
    uint32_t next; /* number of the word that must come next */
    bool is_wrong;
} Seen;

static Seen seen[UNITS];

static bool look(void *context, const PerfmonUnit *unit, const void *bytes, size_t length,
                 uint64_t lost)
{
    Seen *one = &seen[unit->core * PERFMON_SUB_CORES + unit->sub_core];
    const unsigned char *at = bytes;

    (void) context;
    one->lost += lost;
    one->next += (uint32_t) (lost / 4);
    one->is_wrong = one->is_wrong || length % 4 != 0 || lost % 4 != 0;
    for (size_t i = 0; i < length / 4; i++) {
        uint32_t word;
        memcpy(&word, at + 4 * i, sizeof word);
        one->is_wrong = one->is_wrong || word != one->next;
        one->next++;
    }
    one->words += length / 4;
    return true;
}

static void emit(uint32_t core, uint32_t sub, uint32_t from, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        ck_assert(EmulatorEmit(&emulator, core, sub, from + i));
    }
}

static void drain(uint32_t index)
{
    ck_assert(PerfmonDrain(&perfmon, &perfmon.units[index], look, NULL));
}

START_TEST(registers_are_written_in_order)
{
    facts.first_core = 20;
    begin(1, 4, 65536); /* AIV1 */
    PerfmonUnit *unit = &perfmon.units[0];
    const uint64_t memory = unit->buffer.address;
    unit->buffer.address = UINT64_C(0x0000123456789000);
    PerfmonStartUnit(&perfmon, unit);
    const EmulatorWrite wanted[] = {
        { 20, 0x20b000, 0 },     { 20, 0x20b00c, 0x56789000 }, { 20, 0x20b010, 0x1234 },
        { 20, 0x20b014, 65536 }, { 20, 0x20b024, 1 },          { 20, 0x20b028, 0 },
        { 20, 0x20b000, 1 },
    };
    ck_assert_uint_eq(emulator.write_count, sizeof wanted / sizeof wanted[0]);
    for (uint32_t i = 0; i < emulator.write_count; i++) {
        ck_assert_uint_eq(emulator.writes[i].core, wanted[i].core);
        ck_assert_uint_eq(emulator.writes[i].offset, wanted[i].offset);
        ck_assert_uint_eq(emulator.writes[i].value, wanted[i].value);
    }
    ck_assert_uint_ge(emulator.barriers, 1);
    ck_assert_uint_eq(emulator.bad_accesses, 0);
    unit->buffer.address = memory;
}
END_TEST

START_TEST(what_cannot_be_is_refused)
{
    char why[WINDOW_WHY] = "";

    ck_assert(open_cores(CORES + 1, 1, 64, why));
    ck_assert_str_eq(why, "there is no core 36");
    ck_assert_uint_eq(perfmon.unmapped, 1);
    ck_assert_uint_eq(perfmon.count, CORES);
    teardown();
    facts.first_core = CORES;
    ck_assert(!open_cores(2, 1, 64, why));
    EmulatorFinish(&emulator);
    ck_assert(!open_cores(1, 1, 40, why));
    ck_assert_ptr_nonnull(strstr(why, "out of range"));
}
END_TEST

START_TEST(a_ring_is_drained_around_its_end)
{
    begin(1, 1, 64);
    PerfmonStart(&perfmon);
    emit(0, 0, 0, 12); /* 48 bytes */
    drain(0);
    ck_assert_uint_eq(seen[0].words, 12);
    emit(0, 0, 12, 8); /* [48,64), then [0,16) */
    drain(0);
    ck_assert_uint_eq(seen[0].words, 20);
    drain(0); /* nothing new */
    ck_assert_uint_eq(seen[0].words, 20);
    ck_assert(!seen[0].is_wrong);
    ck_assert_uint_eq(perfmon.units[0].taken % 64, 16);
    ck_assert_uint_eq(perfmon.units[0].lost, 0);
}
END_TEST

START_TEST(a_pointer_counts_in_its_own_unit)
{
    facts.pointer_unit = 1;
    begin(1, 1, 64);
    PerfmonStart(&perfmon);
    emit(0, 0, 0, 5);
    ck_assert(PerfmonStop(&perfmon, look, NULL));
    ck_assert_uint_eq(seen[0].words, 5);
}
END_TEST

START_TEST(overwritten_words_are_counted)
{
    begin(1, 1, 64);
    PerfmonStart(&perfmon);
    emit(0, 0, 0, 3);
    drain(0);
    emit(0, 0, 3, 16 + 100);
    drain(0);
    emit(0, 0, 119, 5);
    ck_assert(PerfmonStop(&perfmon, look, NULL));
    ck_assert(!seen[0].is_wrong);
    ck_assert_uint_eq(seen[0].words * 4 + seen[0].lost, 124 * 4);
    ck_assert_uint_ge(seen[0].lost, 100 * 4);
    ck_assert_uint_le(seen[0].lost, 102 * 4); /* and what may be on its way */
    ck_assert_uint_eq(perfmon.units[0].lost, seen[0].lost);
    ck_assert_uint_ge(perfmon.units[0].overruns, 1);
}
END_TEST

START_TEST(a_linear_buffer_begins_again)
{
    facts.flags = OPPROF_LIVE_MONITOR_COUNTS;
    begin(1, 1, 64);
    PerfmonStart(&perfmon);
    emit(0, 0, 0, 10);
    drain(0);
    ck_assert_uint_eq(seen[0].words, 10);
    emit(0, 0, 10, 6); /* to the end: 24 bytes */
    drain(0);
    ck_assert_uint_eq(seen[0].words, 16);
    emit(0, 0, 16, 20); /* four find no room */
    drain(0);
    emit(0, 0, 36, 2);
    ck_assert(PerfmonStop(&perfmon, look, NULL));
    ck_assert(!seen[0].is_wrong);
    ck_assert_uint_eq(seen[0].words, 34);
    ck_assert_uint_eq(seen[0].lost, 16);
}
END_TEST

/* Ring (1) and linear buffer (0). */
START_TEST(bytes_that_cannot_be_read_are_lost)
{
    facts.flags = _i == 0 ? OPPROF_LIVE_MONITOR_COUNTS : facts.flags;
    begin(1, 1, 64);
    PerfmonStart(&perfmon);
    emit(0, 0, 0, 3);
    emulator.is_unreadable = true;
    drain(0);
    ck_assert_uint_eq(seen[0].words, 0);
    ck_assert_uint_eq(seen[0].lost, 12);
    emulator.is_unreadable = false;
    emit(0, 0, 3, 2);
    ck_assert(PerfmonStop(&perfmon, look, NULL));
    ck_assert_uint_eq(seen[0].words, 2);
    ck_assert_uint_eq(seen[0].lost, 12);
    ck_assert_uint_eq(perfmon.units[0].lost, 12);
    ck_assert_uint_eq(perfmon.units[0].bytes, 8);
}
END_TEST

START_TEST(a_count_of_32_bits_wraps)
{
    begin(1, 1, 64);
    PerfmonStart(&perfmon);
    PerfmonUnit *unit = &perfmon.units[0];
    EmulatorUnit *core = EmulatorUnitOf(&emulator, 0, 0);
    /* As if it had written nearly 2^32 words, all of them drained. */
    core->emitted = UINT32_MAX - 15;
    unit->words = core->emitted;
    unit->last_count = (uint32_t) core->emitted;
    unit->moved_at = core->emitted;
    unit->total = core->emitted * 4;
    unit->taken = unit->total;
    for (uint32_t i = 0; i < 10; i++) {
        emit(0, 0, 5 * i, 5);
        drain(0);
    }
    ck_assert_uint_eq(seen[0].words, 50);
    ck_assert(!seen[0].is_wrong);
    ck_assert_uint_gt(unit->words, UINT32_MAX);
}
END_TEST

START_TEST(a_pointer_that_stands_still_loses_all_and_says_so)
{
    begin(2, 1, 4096);
    PerfmonStart(&perfmon);
    EmulatorUnitOf(&emulator, 0, 0)->fault = EMULATOR_POINTER_STUCK;
    EmulatorUnitOf(&emulator, 1, 0)->fault = EMULATOR_SILENT;
    for (uint32_t i = 0; i < 30; i++) {
        emit(0, 0, 100 * i, 100);
        ck_assert(!EmulatorEmit(&emulator, 1, 0, i));
        drain(0);
        drain(1);
    }
    ck_assert(PerfmonStop(&perfmon, look, NULL));
    ck_assert_uint_eq(perfmon.units[0].stuck, 1);
    ck_assert_uint_eq(seen[0].words, 0);
    ck_assert_uint_eq(perfmon.units[0].lost, 3000 * 4);
    ck_assert_uint_eq(perfmon.units[1].words, 0); /* it never started */
    ck_assert_uint_eq(perfmon.units[1].bytes + perfmon.units[1].lost, 0);
}
END_TEST

/* ---- cores that write while they are drained ---- */

typedef struct Writer {
    uint32_t first; /* units first, first + WRITERS, … */
    uint32_t tasks;
    uint32_t words; /* of a task */
    bool waits;     /* a task begins when the one before it was drained, as a dispatcher would do */
} Writer;

static _Atomic uint32_t finished[UNITS]; /* tasks that ended */
static _Atomic uint32_t drained[UNITS];  /* tasks that were drained */
static _Atomic uint32_t writers_left;

static bool write_task(const Writer *writer, uint32_t unit)
{
    const uint32_t task = atomic_load(&finished[unit]);

    if (task == writer->tasks || (writer->waits && atomic_load(&drained[unit]) < task)) {
        return false;
    }
    for (uint32_t i = 0; i < writer->words; i++) {
        EmulatorEmit(&emulator, unit / PERFMON_SUB_CORES, unit % PERFMON_SUB_CORES,
                     task * writer->words + i);
    }
    atomic_store(&finished[unit], task + 1);
    return true;
}

static void *write_all(void *context)
{
    const Writer *writer = context;
    bool is_over = false;

    while (!is_over) {
        bool has_written = false;
        is_over = true;
        for (uint32_t unit = writer->first; unit < UNITS; unit += WRITERS) {
            has_written = write_task(writer, unit) || has_written;
            is_over = is_over && atomic_load(&finished[unit]) == writer->tasks;
        }
        if (!has_written) {
            sched_yield();
        }
    }
    atomic_fetch_sub(&writers_left, 1);
    return NULL;
}

static void drain_all(void)
{
    bool has_new = true;

    while (atomic_load(&writers_left) > 0 || has_new) {
        has_new = false;
        for (uint32_t i = 0; i < perfmon.count; i++) {
            const uint32_t task = atomic_load(&finished[i]);
            if (task > atomic_load(&drained[i])) {
                drain(i);
                atomic_store(&drained[i], task);
                has_new = true;
            }
        }
    }
}

static void run_cores(uint32_t tasks, uint32_t words, bool waits, uint32_t buffer)
{
    Writer writers[WRITERS];
    pthread_t threads[WRITERS];

    memset(seen, 0, sizeof seen);
    memset(finished, 0, sizeof finished);
    memset(drained, 0, sizeof drained);
    atomic_store(&writers_left, WRITERS);
    begin(CORES, 7, buffer);
    PerfmonStart(&perfmon);
    for (uint32_t i = 0; i < WRITERS; i++) {
        writers[i] = (Writer){ .first = i, .tasks = tasks, .words = words, .waits = waits };
        ck_assert_int_eq(pthread_create(&threads[i], NULL, write_all, &writers[i]), 0);
    }
    drain_all();
    for (uint32_t i = 0; i < WRITERS; i++) {
        pthread_join(threads[i], NULL);
    }
    ck_assert(PerfmonStop(&perfmon, look, NULL));
    for (uint32_t i = 0; i < UNITS; i++) {
        ck_assert_msg(!seen[i].is_wrong, "unit %u: words out of order", i);
        ck_assert_uint_eq(seen[i].words + seen[i].lost / 4, (uint64_t) tasks * words);
        ck_assert_uint_eq(perfmon.units[i].lost, seen[i].lost);
        ck_assert_uint_eq(perfmon.units[i].bytes, seen[i].words * 4);
    }
    ck_assert_uint_eq(emulator.bad_accesses, 0);
}

static uint64_t lost_in_all(void)
{
    uint64_t lost = 0;

    for (uint32_t i = 0; i < UNITS; i++) {
        lost += seen[i].lost;
    }
    return lost;
}

/* 108 units of 36 cores, 3.2 million marks; each buffer wraps 37 times. */
START_TEST(buffers_that_suffice_lose_nothing)
{
    run_cores(100, 300, true, 3200);
    ck_assert_uint_eq(lost_in_all(), 0);
}
END_TEST

START_TEST(buffers_that_do_not_suffice_count_what_is_lost)
{
    run_cores(30, 1000, true, 1024); /* a task writes four buffers */
    ck_assert_uint_ge(lost_in_all(), (uint64_t) UNITS * 30 * (1000 * 4 - 1024));
}
END_TEST

START_TEST(cores_that_never_wait_are_accounted_to_the_word)
{
    run_cores(300, 100, false, 4096);
}
END_TEST

static Suite *perfmon_suite(void)
{
    Suite *suite = suite_create("perfmon");
    TCase *tests = tcase_create("perfmon");

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, registers_are_written_in_order);
    tcase_add_test(tests, what_cannot_be_is_refused);
    tcase_add_test(tests, a_ring_is_drained_around_its_end);
    tcase_add_test(tests, a_pointer_counts_in_its_own_unit);
    tcase_add_test(tests, overwritten_words_are_counted);
    tcase_add_test(tests, a_linear_buffer_begins_again);
    tcase_add_loop_test(tests, bytes_that_cannot_be_read_are_lost, 0, 2);
    tcase_add_test(tests, a_count_of_32_bits_wraps);
    tcase_add_test(tests, a_pointer_that_stands_still_loses_all_and_says_so);
    tcase_add_test(tests, buffers_that_suffice_lose_nothing);
    tcase_add_test(tests, buffers_that_do_not_suffice_count_what_is_lost);
    tcase_add_test(tests, cores_that_never_wait_are_accounted_to_the_word);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(perfmon_suite)
