/* SPDX-License-Identifier: Apache-2.0 */
/* The files that a launch leaves behind, record by record. */
#include "plugins/parse-pmu/layout.h"
#include "plugins/parse-pmu/merge.h"
#include "plugins/parse-pmu/operand_record.h"
#include "plugins/parse-pmu/plan.h"
#include "plugins/parse-pmu/task_log.h"

#include "tests/core/suites.h"

#include <check.h>
#include <opprof/record.h>
#include <stdlib.h>
#include <string.h>

#define NA OPPROF_NA_U64

/* A chip with all groups, and a launch on it. */
typedef struct Bench {
    OpprofChip *chip;
    PmuLayout layout;
    Choices choices;
    Plan plan;
    Merge merge;
} Bench;

static Bench bench;

static void use_chip(const char *name)
{
    const ChoiceItems all = { 0 };
    OpprofError *error = NULL;

    ck_assert_msg(OpprofChipLoad(name, &bench.chip, &error) == OPPROF_OK, "%s",
                  OpprofErrorMessage(error));
    ck_assert_msg(PmuLayoutLoad(bench.chip, &bench.layout, &error) == OPPROF_OK, "%s",
                  OpprofErrorMessage(error));
    ck_assert_int_eq(ChoicesResolve(bench.chip, &all, &bench.choices, NULL), OPPROF_OK);
    ck_assert_int_eq(PlanMake(&bench.layout, &bench.choices, false, &bench.plan, NULL), OPPROF_OK);
    MergeInit(&bench.merge, &bench.layout, &bench.plan);
}

static void setup(void)
{
    bench = (Bench){ 0 };
}

static void teardown(void)
{
    MergeFinish(&bench.merge);
    PlanFree(&bench.plan);
    ChoicesFree(&bench.choices);
    PmuLayoutFree(&bench.layout);
    OpprofChipFree(bench.chip);
}

static void put(unsigned char *at, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) {
        at[i] = (unsigned char) (value >> 8 * i);
    }
}

/* A record of A2: counters 1001 to 1008. */
static void make_a2(unsigned char record[128], unsigned kind, unsigned block, unsigned sub_block,
                    uint64_t cycles)
{
    memset(record, 0, 128);
    put(record + 20, kind, 1);
    put(record + 28, sub_block, 2);
    put(record + 30, block, 2);
    put(record + 32, cycles, 8);
    for (unsigned i = 0; i < 8; i++) {
        put(record + 48 + 8 * (size_t) i, 1001 + i, 8);
    }
}

static uint64_t value_of(uint32_t key, uint32_t event)
{
    ck_assert_uint_ne(PmuLayoutColumn(&bench.layout, event), LAYOUT_NO_COLUMN);
    return MergeValue(&bench.merge, key, PmuLayoutColumn(&bench.layout, event));
}

static void take(uint32_t round, const unsigned char *records, size_t count)
{
    ck_assert(MergeRecords(&bench.merge, round, records, count));
}

START_TEST(a2_records_have_kind_core_block_cycles_and_counters)
{
    unsigned char records[256];

    use_chip("Ascend910B1");
    make_a2(records, 1, 0, 0, 10000);
    make_a2(records + 128, 0, 0, 0, 20000);
    take(1, records, 2);
    ck_assert_uint_eq(bench.merge.key_count, 2);
    ck_assert_str_eq(bench.layout.kinds[bench.merge.keys[0].kind].name, "vector");
    ck_assert_uint_eq(bench.merge.keys[0].core, 0);
    ck_assert_uint_eq(bench.merge.keys[0].cycles, 10000);
    ck_assert_str_eq(bench.layout.kinds[bench.merge.keys[1].kind].name, "cube");
    ck_assert_uint_eq(bench.merge.keys[1].cycles, 20000);
    ck_assert_uint_eq(value_of(0, 55), 1001);   /* slot 0 of a vector core's first replay */
    ck_assert_uint_eq(value_of(1, 1032), 1001); /* and of a cube core's */
    ck_assert_uint_eq(value_of(1, 1292), 1006);
    ck_assert_uint_eq(value_of(1, 10), NA); /* of another replay */
}
END_TEST

START_TEST(p310_records_have_cycles_and_counters_only)
{
    unsigned char record[128] = { 0 };

    use_chip("Ascend310P3");
    put(record + 16, 50000, 8);
    for (unsigned i = 0; i < 8; i++) {
        put(record + 32 + 8 * (size_t) i, 1001 + i, 8);
    }
    take(1, record, 1);
    ck_assert_uint_eq(bench.merge.key_count, 1);
    ck_assert(bench.layout.one_key);
    ck_assert_uint_eq(bench.merge.keys[0].cycles, 50000);
    ck_assert_uint_eq(value_of(0, 3), 1001);
    ck_assert_uint_eq(value_of(0, 79), 1008);
}
END_TEST

START_TEST(a5_records_have_ten_counters_and_scalar_instructions_in_empty_slots)
{
    unsigned char record[128] = { 0 };

    use_chip("Ascend950PR_9599");
    put(record, 41, 2);
    put(record + 8, 50000, 8);
    put(record + 20, 1, 1);
    put(record + 21, 13, 1);
    put(record + 24, 1, 2);
    put(record + 26, 7, 2);
    for (unsigned i = 0; i < 10; i++) {
        put(record + 32 + 8 * (size_t) i, 1001 + i, 8);
    }
    take(3, record, 1);
    ck_assert_uint_eq(bench.merge.keys[0].block, 7);
    ck_assert_uint_eq(bench.merge.keys[0].sub_block, 1);
    ck_assert_uint_eq(bench.merge.keys[0].core, 13);
    ck_assert_uint_eq(bench.merge.keys[0].cycles, 50000);
    ck_assert_uint_eq(value_of(0, 52), 1001);
    ck_assert_uint_eq(value_of(0, 1394), 1009);
    ck_assert_uint_eq(value_of(0, 0), 1010); /* the empty slot */
}
END_TEST

START_TEST(counters_are_of_the_first_replay_and_cycles_of_the_last)
{
    unsigned char records[128];

    use_chip("Ascend910B1");
    make_a2(records, 0, 3, 0, 500);
    take(10, records, 1); /* 9 10 12 88 90 91 770 771 */
    make_a2(records, 0, 3, 0, 700);
    put(records + 48, 5, 8);
    records[20] = 9 << 1;
    take(10, records, 1);
    ck_assert_uint_eq(value_of(0, 9), 1001);
    ck_assert_uint_eq(bench.merge.keys[0].cycles, 700);
    ck_assert_uint_eq(bench.merge.keys[0].cycles_min, 500);
    ck_assert_uint_eq(bench.merge.keys[0].cycles_max, 700);
    ck_assert_uint_eq(bench.merge.keys[0].core, 9);
}
END_TEST

START_TEST(empty_slots_of_a2_count_nothing)
{
    unsigned char record[128];

    use_chip("Ascend910B1");
    make_a2(record, 0, 0, 0, 1);
    take(3, record, 1); /* 19 49 50 518 524 and three empty slots */
    ck_assert_uint_eq(value_of(0, 524), 1005);
    ck_assert_uint_eq(PmuLayoutColumn(&bench.layout, 0), LAYOUT_NO_COLUMN);
}
END_TEST

START_TEST(records_of_other_functions_are_counted_and_skipped)
{
    unsigned char records[4 * 128];

    use_chip("Ascend910B1");
    for (unsigned i = 0; i < 4; i++) {
        make_a2(records + 128 * (size_t) i, 0, i, 0, 1);
    }
    put(records, 0x29, 2);        /* counters of a block */
    put(records + 128, 0x28, 2);  /* of a whole task */
    put(records + 256, 0x11, 2);  /* something else */
    put(records + 384, 0x7c0, 2); /* a number in the upper bits is not a function */
    take(1, records, 4);
    ck_assert_uint_eq(bench.merge.key_count, 2);
    ck_assert_uint_eq(bench.merge.counts.records, 2);
    ck_assert_uint_eq(bench.merge.counts.skipped, 1);
    ck_assert_uint_eq(bench.merge.counts.foreign, 1);
    ck_assert_uint_eq(bench.merge.keys[1].block, 3);
}
END_TEST

START_TEST(a_replay_beyond_the_plan_does_not_count)
{
    unsigned char record[128];

    use_chip("Ascend910B1");
    make_a2(record, 1, 65535, 65535, 99);
    take(11, record, 1);
    ck_assert_uint_eq(bench.merge.key_count, 0);
}
END_TEST

START_TEST(many_keys_are_found_again)
{
    enum { BLOCKS = 3000 };
    unsigned char record[128];

    use_chip("Ascend910B1");
    for (uint32_t round = 1; round <= 2; round++) {
        for (uint32_t i = 0; i < BLOCKS; i++) {
            const uint32_t block = i * 7919 % 65536;
            make_a2(record, block & 1, block, block % 3, block + round);
            put(record + 48, block, 8);
            take(round, record, 1);
        }
    }
    ck_assert_uint_eq(bench.merge.key_count, BLOCKS);
    for (uint32_t i = 0; i < BLOCKS; i++) {
        const MergeKey *key = &bench.merge.keys[i];
        ck_assert_uint_eq(key->block, i * 7919 % 65536);
        ck_assert_uint_eq(key->cycles, key->block + 2);
        ck_assert_uint_eq(value_of(i, (key->block & 1) != 0 ? 55 : 1032), key->block);
    }
}
END_TEST

/* ---- the scheduler's log ---- */

static void make_log(unsigned char *record, unsigned size, unsigned head, uint64_t time)
{
    memset(record, 0, size);
    put(record, head, 2);
    put(record + 8, time, 8);
}

static double duration_of(const char *chip, const unsigned heads[], const uint64_t times[],
                          unsigned count, double khz)
{
    unsigned char records[8 * 64];
    TaskLog log = { 0 };

    use_chip(chip);
    log.layout = &bench.layout.task_log;
    for (unsigned i = 0; i < count; i++) {
        make_log(records + i * (size_t) log.layout->size, log.layout->size, heads[i], times[i]);
    }
    TaskLogRecords(&log, records, count);
    return TaskLogDuration(&log, khz);
}

START_TEST(a_task_takes_from_its_start_to_its_end)
{
    const unsigned heads[] = { 0, 1 };
    const uint64_t a2[] = { 30000, 40000 }, others[] = { 60000, 70000 };

    ck_assert_double_eq(duration_of("Ascend910B1", heads, a2, 2, 50000), 200);
    teardown();
    ck_assert_double_eq_tol(duration_of("Ascend310P3", heads, others, 2, 38400), 260.416667, 1e-6);
    teardown();
    ck_assert_double_eq(duration_of("Ascend950PR_9599", heads, others, 2, 1000000), 10);
}
END_TEST

START_TEST(the_last_start_and_the_last_end_count)
{
    /* a replay, a task of another type, another function, and the last replay */
    const unsigned heads[] = { 0, 1, 1 << 10, 1 << 10 | 1, 2, 0, 1 };
    const uint64_t times[] = { 10, 20, 1000, 9000, 77, 500, 600 };

    ck_assert_double_eq(duration_of("Ascend910B1", heads, times, 7, 1000), 100);
    teardown();
    /* on A5 tasks of type 1 and 2 count */
    ck_assert_double_eq(duration_of("Ascend950PR_9599", heads, times, 4, 1000), 8000);
}
END_TEST

START_TEST(a_task_without_start_end_or_clock_has_no_duration)
{
    const unsigned starts[] = { 0, 0 }, both[] = { 0, 1 };
    const uint64_t times[] = { 50, 60 }, back[] = { 60, 50 }, zero[] = { 0, 50 };

    ck_assert(OpprofIsNaF64(duration_of("Ascend910B1", starts, times, 2, 1000)));
    teardown();
    ck_assert(OpprofIsNaF64(duration_of("Ascend910B1", both, back, 2, 1000)));
    teardown();
    ck_assert(OpprofIsNaF64(duration_of("Ascend910B1", both, zero, 2, 1000)));
    teardown();
    ck_assert(OpprofIsNaF64(duration_of("Ascend910B1", both, times, 2, 0)));
}
END_TEST

START_TEST(an_end_does_not_belong_to_the_start_of_another_replay)
{
    /* the last start is lost; then a start without its end; then two tasks at once */
    const unsigned lost[] = { 0, 1, 0, 1, 1 }, unended[] = { 0, 1, 0, 0, 1 },
                   two[] = { 0, 0, 1, 1 };
    const uint64_t times[] = { 100, 200, 300, 400, 600 };

    ck_assert(OpprofIsNaF64(duration_of("Ascend910B1", lost, times, 5, 1000)));
    teardown();
    ck_assert_double_eq(duration_of("Ascend910B1", lost, times, 4, 1000), 100);
    teardown();
    ck_assert_double_eq(duration_of("Ascend910B1", unended, times, 5, 1000), 200);
    teardown();
    ck_assert_double_eq(duration_of("Ascend910B1", two, times, 4, 1000), 200);
}
END_TEST

/* ---- operands ---- */

enum { PART = 856, THREADS = 2, OPERAND_CORE = PART * (1 + THREADS) + 64 };

static const OperandLayout layout = { .magic = 0x5a5a5a5a,
                                      .header = 8,
                                      .types = 33,
                                      .entry = 24,
                                      .instructions_at = 0,
                                      .operands_at = 8,
                                      .gap = 64 };

START_TEST(operands_may_have_another_layout)
{
    const OperandLayout own = { .magic = 0x01020304,
                                .header = 16,
                                .types = 2,
                                .entry = 16,
                                .instructions_at = 8,
                                .operands_at = 0,
                                .gap = 8,
                                .is_big = true };
    /* header, part outside of SIMT code, part of one thread, gap */
    unsigned char file[16 + 40 + 40 + 8] = { 1, 2, 3, 4 };
    OperandRecord record;

    file[8 + 7] = 9;           /* of the header */
    file[16 + 7] = 5;          /* type 0: operands */
    file[16 + 16 + 8 + 6] = 1; /* type 1: 256 instructions */
    file[16 + 40 + 8 + 7] = 3; /* the thread: type 0 */
    file[16 + 32 + 7] = 77;    /* between */
    ck_assert_ptr_null(OperandRecordBegin(&record, &own, 1, sizeof file));
    ck_assert(OperandRecordFeed(&record, file, sizeof file));
    ck_assert(!record.is_refused);
    ck_assert_uint_eq(record.core_count, 1);
    ck_assert_uint_eq(record.cores[0].simd.operands[0], 5);
    ck_assert_uint_eq(record.cores[0].simd.instructions[1], 256);
    ck_assert_uint_eq(record.cores[0].simt.instructions[0], 3);
    ck_assert_uint_eq(record.cores[0].simd.instructions[0] + record.cores[0].simt.operands[0], 0);
    OperandRecordFinish(&record);
}
END_TEST

START_TEST(operands_of_all_simt_threads_add_up)
{
    static unsigned char file[8 + 2 * OPERAND_CORE];
    OperandRecord record;

    memset(file, 0, sizeof file);
    put(file, 0x5a5a5a5a, 4);
    put(file + 8 + 24, 11, 8);                           /* core 0, SIMD, type 1: instructions */
    put(file + 8 + 24 + 8, 12, 8);                       /* operands */
    put(file + 8 + OPERAND_CORE + PART, 100, 8);         /* core 1, thread 0, type 0 */
    put(file + 8 + OPERAND_CORE + 2 * PART, 1000, 8);    /* thread 1 */
    put(file + 8 + OPERAND_CORE + 2 * PART + 16, 77, 8); /* a function type counts nothing */
    put(file + 8 + OPERAND_CORE + PART + 800, 88, 8);    /* nor does what is between parts */
    for (size_t piece = 1; piece < 4000; piece += 37) {
        ck_assert_ptr_null(OperandRecordBegin(&record, &layout, THREADS, sizeof file));
        for (size_t at = 0; at < sizeof file; at += piece) {
            const size_t length = sizeof file - at < piece ? sizeof file - at : piece;
            ck_assert(OperandRecordFeed(&record, file + at, length));
        }
        ck_assert(!record.is_refused);
        ck_assert_uint_eq(record.core_count, 2);
        ck_assert_uint_eq(record.cores[0].simd.instructions[1], 11);
        ck_assert_uint_eq(record.cores[0].simd.operands[1], 12);
        ck_assert_uint_eq(record.cores[1].simt.instructions[0], 1100);
        ck_assert_uint_eq(record.cores[1].simd.instructions[0], 0);
        ck_assert_uint_eq(record.cores[1].simt.operands[0], 0);
        OperandRecordFinish(&record);
    }
}
END_TEST

START_TEST(operands_of_another_size_or_without_their_magic_are_refused)
{
    static unsigned char file[8 + OPERAND_CORE];
    OperandRecord record;

    ck_assert_ptr_nonnull(OperandRecordBegin(&record, &layout, THREADS, sizeof file - 1));
    OperandRecordFinish(&record);
    ck_assert_ptr_nonnull(OperandRecordBegin(&record, &layout, THREADS, 7));
    OperandRecordFinish(&record);
    ck_assert_ptr_null(OperandRecordBegin(&record, &layout, THREADS, sizeof file));
    ck_assert(OperandRecordFeed(&record, file, sizeof file));
    ck_assert(record.is_refused);
    OperandRecordFinish(&record);
}
END_TEST

static Suite *records_suite(void)
{
    Suite *suite = suite_create("records");
    TCase *tcase = tcase_create("records");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, a2_records_have_kind_core_block_cycles_and_counters);
    tcase_add_test(tcase, p310_records_have_cycles_and_counters_only);
    tcase_add_test(tcase, a5_records_have_ten_counters_and_scalar_instructions_in_empty_slots);
    tcase_add_test(tcase, counters_are_of_the_first_replay_and_cycles_of_the_last);
    tcase_add_test(tcase, empty_slots_of_a2_count_nothing);
    tcase_add_test(tcase, records_of_other_functions_are_counted_and_skipped);
    tcase_add_test(tcase, a_replay_beyond_the_plan_does_not_count);
    tcase_add_test(tcase, many_keys_are_found_again);
    tcase_add_test(tcase, a_task_takes_from_its_start_to_its_end);
    tcase_add_test(tcase, the_last_start_and_the_last_end_count);
    tcase_add_test(tcase, a_task_without_start_end_or_clock_has_no_duration);
    tcase_add_test(tcase, an_end_does_not_belong_to_the_start_of_another_replay);
    tcase_add_test(tcase, operands_of_all_simt_threads_add_up);
    tcase_add_test(tcase, operands_may_have_another_layout);
    tcase_add_test(tcase, operands_of_another_size_or_without_their_magic_are_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(records_suite)
