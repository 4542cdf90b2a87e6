/* SPDX-License-Identifier: Apache-2.0 */
/* Live registers against a model that keeps every row and counts them as the rule is written. */
#include "plugins/analyse-sim/details/live_registers.h"

#include "tests/core/suites.h"
#include <check.h>
#include <stdlib.h>

#define MOST_ROWS 4000u

typedef struct ModelRow {
    uint32_t address;
    LiveAccess access;
} ModelRow;

/* The rule, row by row: first the reads, then the writes; a write makes rows after the last use
 * lose one. */
static void model(const ModelRow *rows, uint32_t count, int32_t *ret_counts)
{
    int64_t last[OPERAND_REGISTERS];
    int32_t live = 0;

    for (uint32_t r = 0; r < OPERAND_REGISTERS; r++) {
        last[r] = -1;
    }
    for (uint32_t i = 0; i <= count; i++) {
        const LiveAccess none = { .read_count = 0 };
        const LiveAccess *access = i < count ? &rows[i].access : &none;

        for (uint32_t k = 0; k < access->read_count; k++) {
            live += last[access->read[k]] < 0;
            last[access->read[k]] = i;
        }
        for (uint32_t k = 0; k < (i < count ? access->written_count : OPERAND_REGISTERS); k++) {
            const uint32_t r = i < count ? access->written[k] : k;

            if (last[r] < 0) {
                live += i < count;
            } else {
                for (int64_t j = last[r] + 1; j < (int64_t) i; j++) {
                    ret_counts[j] -= ret_counts[j] > 0;
                }
            }
            last[r] = last[r] < 0 && i == count ? -1 : (int64_t) i;
        }
        if (i < count) {
            ret_counts[i] = live;
        }
    }
}

static void compare(const ModelRow *rows, uint32_t count, uint32_t addresses)
{
    int32_t *counts = calloc(count + 1, sizeof *counts);
    LiveRegisters live;

    ck_assert(counts != NULL && LiveRegistersInit(&live));
    model(rows, count, counts);
    for (uint32_t i = 0; i < count; i++) {
        ck_assert(LiveRegistersIssue(&live, rows[i].address, &rows[i].access));
    }
    LiveRegistersEnd(&live);
    for (uint32_t address = 0; address < addresses; address++) {
        int32_t most = -1;

        for (uint32_t i = 0; i < count; i++) {
            most = rows[i].address == address && counts[i] > most ? counts[i] : most;
        }
        ck_assert_int_eq(LiveRegistersMost(&live, address), most);
    }
    ck_assert_uint_le(live.segment_count, OPERAND_REGISTERS + 2);
    LiveRegistersFinish(&live);
    free(counts);
}

START_TEST(the_worked_example_gives_1_2_3_2_2)
{
    const ModelRow rows[] = {
        { .address = 0, .access = { .written_count = 1, .written = { 1 } } },
        { .address = 1, .access = { .written_count = 1, .written = { 2 } } },
        { .address = 2,
          .access = { .written_count = 1, .written = { 3 }, .read_count = 2, .read = { 1, 2 } } },
        { .address = 3, .access = { .written_count = 1, .written = { 1 } } },
        { .address = 4, .access = { .read_count = 2, .read = { 3, 1 } } },
    };
    const int32_t wanted[] = { 1, 2, 3, 2, 2 };
    LiveRegisters live;

    ck_assert(LiveRegistersInit(&live));
    for (uint32_t i = 0; i < 5; i++) {
        ck_assert(LiveRegistersIssue(&live, rows[i].address, &rows[i].access));
    }
    LiveRegistersEnd(&live);
    for (uint32_t i = 0; i < 5; i++) {
        ck_assert_int_eq(LiveRegistersMost(&live, i), wanted[i]);
    }
    ck_assert_int_eq(LiveRegistersMost(&live, 5), -1);
    LiveRegistersFinish(&live);
    compare(rows, 5, 5);
}
END_TEST

static uint32_t random_below(uint32_t *seed, uint32_t limit)
{
    *seed = *seed * 1103515245u + 12345u;
    return (*seed >> 8) % limit;
}

/* Loops over a program, with now and then a row that is somewhere else. */
START_TEST(random_programs_count_as_the_model_does)
{
    static ModelRow rows[MOST_ROWS];
    uint32_t seed = (uint32_t) _i * 7919u + 1;
    const uint32_t registers = 1 + random_below(&seed, _i % 4 == 0 ? OPERAND_REGISTERS : 12);
    const uint32_t addresses = 1 + random_below(&seed, 400);
    const uint32_t count = 1 + random_below(&seed, _i < 40 ? 60 : MOST_ROWS - 1);

    for (uint32_t i = 0; i < count; i++) {
        ModelRow *row = &rows[i];

        row->address = random_below(&seed, 9) == 0 ? random_below(&seed, addresses) : i % addresses;
        row->access.read_count = random_below(&seed, 4);
        row->access.written_count = random_below(&seed, 3);
        for (uint32_t k = 0; k < 4; k++) {
            row->access.read[k] = (uint8_t) random_below(&seed, registers);
            row->access.written[k] = (uint8_t) random_below(&seed, registers);
        }
    }
    compare(rows, count, addresses);
}
END_TEST

START_TEST(counts_stay_small_over_many_rows)
{
    const LiveAccess write = { .written_count = 2, .written = { 0, 1 } };
    const LiveAccess other = { .written_count = 1, .written = { 1 } };
    LiveRegisters live;

    ck_assert(LiveRegistersInit(&live));
    for (uint32_t i = 0; i < 200000; i++) {
        ck_assert(LiveRegistersIssue(&live, i % 3, i % 5 == 0 ? &write : &other));
    }
    LiveRegistersEnd(&live);
    for (uint32_t address = 0; address < 3; address++) {
        ck_assert_int_eq(LiveRegistersMost(&live, address), 2);
    }
    ck_assert_uint_le(live.segment_count, 4);
    LiveRegistersFinish(&live);
}
END_TEST

static Suite *live_registers_suite(void)
{
    Suite *suite = suite_create("live_registers");
    TCase *tests = tcase_create("live_registers");

    tcase_add_test(tests, the_worked_example_gives_1_2_3_2_2);
    tcase_add_loop_test(tests, random_programs_count_as_the_model_does, 0, 60);
    tcase_add_test(tests, counts_stay_small_over_many_rows);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(live_registers_suite)
