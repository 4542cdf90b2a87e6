/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the tables that the pairing keeps: keys, names and the horizon. */
#include "plugins/collect-sim/pairing/horizon.h"
#include "plugins/collect-sim/pairing/keys.h"
#include "plugins/collect-sim/lines/names.h"
#include "plugins/collect-sim/pairing/order.h"
#include "plugins/collect-sim/lines/simt.h"
#include "forms.h"
#include "plugins/collect-sim/pairing/tally.h"

#include "tests/core/suites.h"
#include <check.h>
#include <opprof/record.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* For loops: an assertion of Check tells its parent even when it holds. */
#define REQUIRE(condition, ...)                                                                    \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            ck_abort_msg(__VA_ARGS__);                                                             \
        }                                                                                          \
    } while (0)

static uint64_t random_state;

static uint32_t any_below(uint32_t limit)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t) ((random_state >> 33) % limit);
}

/* ---- keys ---- */

typedef struct Entry {
    uint64_t key;
    uint64_t value;
} Entry;

START_TEST(a_key_table_finds_all_that_was_added)
{
    KeyTable table = { .entry_size = sizeof(Entry) };

    ck_assert_ptr_null(KeyTableFind(&table, 0));
    for (uint64_t i = 0; i < 5000; i++) {
        Entry *entry = KeyTableAdd(&table, i * i * UINT64_C(0x100000001));

        REQUIRE(entry->value == 0, "entry %d is not fresh", (int) i);
        entry->value = i + 1;
    }
    for (uint64_t i = 0; i < 5000; i++) {
        const Entry *entry = KeyTableFind(&table, i * i * UINT64_C(0x100000001));

        REQUIRE(entry != NULL && entry->value == i + 1, "entry %d", (int) i);
        REQUIRE(KeyTableAdd(&table, entry->key) == entry, "entry %d is made twice", (int) i);
        REQUIRE(i == 0 || KeyTableFind(&table, i * i * UINT64_C(0x100000001) + 1) == NULL, "%d",
                (int) i);
    }
    ck_assert_uint_eq(table.count, 5000);
    KeyTableFinish(&table);
}
END_TEST

/* ---- tallies ---- */

/* Instructions of one name, which may be at several addresses. */
static TallyRecord record(uint64_t key, uint64_t tick, const char *name)
{
    return (TallyRecord){ .key = key,
                          .tick = tick,
                          .name = name,
                          .pipe = "SCALAR",
                          .name_length = (uint32_t) strlen(name),
                          .pipe_length = 6 };
}

static bool add_popped(Tally *tally, uint64_t key, uint64_t tick, const char *name)
{
    const TallyRecord added = record(key, tick, name);

    return TallyAddPopped(tally, &added);
}

static bool add_instr(Tally *tally, uint64_t key, uint64_t tick, const char *name)
{
    const TallyRecord added = record(key, tick, name);

    return TallyAddInstr(tally, &added);
}

START_TEST(ids_that_come_once_need_no_entry_of_their_own)
{
    TallyKey *key = NULL;
    TallySums sums;
    Tally tally;

    TallyInit(&tally, true);
    for (uint64_t id = 0; id < 10000; id++) {
        REQUIRE(add_popped(&tally, id, id, "ADD"), "no memory");
    }
    REQUIRE(add_popped(&tally, 77, 1, "ADD") && add_popped(&tally, 77, 1, "ADD"), "no memory");
    for (uint64_t id = 100; id < 20000; id++) {
        REQUIRE(add_instr(&tally, id, id, "ADD"), "no memory");
    }
    REQUIRE(add_instr(&tally, 77, 1, "ADD") && add_instr(&tally, 77, 1, "ADD"), "no memory");
    REQUIRE(add_instr(&tally, 500, 1, "ADD"), "no memory");
    TallyClose(&tally);
    ck_assert_uint_eq(tally.keys.count, 2);
    ck_assert_uint_le(tally.pages.count, 20000 / 64 + 1);
    sums = TallySum(&tally);
    ck_assert_uint_eq(sums.pairs, 9900 + 2);
    ck_assert_uint_eq(sums.popped_alone, 100);
    ck_assert_uint_eq(sums.instr_alone, 10000 + 1);
    ck_assert_uint_eq(sums.pruned, 0);
    ck_assert_int_eq(TallyFind(&tally, 99, &key), TALLY_NONE);
    ck_assert_int_eq(TallyFind(&tally, 100, &key), TALLY_ONCE);
    ck_assert_int_eq(TallyFind(&tally, 10001, &key), TALLY_NONE);
    ck_assert_int_eq(TallyFind(&tally, 77, &key), TALLY_MANY);
    ck_assert_uint_eq(key->pairs, 2);
    ck_assert_int_eq(TallyFind(&tally, 500, &key), TALLY_MANY);
    ck_assert_uint_eq(key->pairs, 1);
    TallyFinish(&tally);
}
END_TEST

/* Popped at `popped`, ended at `instr`, both ending with 0. */
static void count_pc(Tally *tally, uint64_t pc, const char *name, const uint64_t *popped,
                     const uint64_t *instr)
{
    for (; *popped != 0; popped++) {
        REQUIRE(add_popped(tally, pc, *popped, name), "no memory");
    }
    for (; *instr != 0; instr++) {
        REQUIRE(add_instr(tally, pc, *instr, name), "no memory");
    }
}

#define TICKS(...) ((const uint64_t[]){ __VA_ARGS__ 0 })

START_TEST(records_without_a_partner_are_in_flight_or_lost)
{
    TallySums sums;
    Tally tally;

    TallyInit(&tally, false);
    count_pc(&tally, 0x1000, "ADD", TICKS(10, 20, 30, ), TICKS(15, 35, )); /* an end is lost */
    count_pc(&tally, 0x1004, "ADD", TICKS(40, ), TICKS(50, 100, 150, ));   /* two starts are lost */
    count_pc(&tally, 0x1008, "ADD", TICKS(50, 51, ), TICKS(60, ));   /* one replaces another */
    count_pc(&tally, 0x100c, "ADD", TICKS(), TICKS(60, 100, 140, )); /* and three here */
    count_pc(&tally, 0x1010, "ADD", TICKS(1000, ), TICKS());         /* in flight */
    TallyClose(&tally);
    sums = TallySum(&tally);
    ck_assert_uint_eq(sums.pairs, 2 + 1 + 1);
    ck_assert_uint_eq(sums.pruned, 1);
    ck_assert_uint_eq(sums.popped_alone, 2);
    ck_assert_uint_eq(sums.instr_alone, 2 + 3);
    TallyFinish(&tally);
}
END_TEST

START_TEST(names_that_are_only_in_one_log_lack_no_partner)
{
    const TallyRecord mark = record(0x1008, 70, "MOV_SPR");
    const TallyRecord queued = record(0x100c, 0, "MOV_UB");
    TallySums sums;
    Tally tally;

    TallyInit(&tally, false);
    count_pc(&tally, 0x1000, "NOP", TICKS(), TICKS(10, 30, ));
    count_pc(&tally, 0x1004, "HINT", TICKS(10, ), TICKS());
    count_pc(&tally, 0x1008, "MOV_SPR", TICKS(60, ), TICKS());
    count_pc(&tally, 0x100c, "MOV_UB", TICKS(), TICKS(80, ));
    count_pc(&tally, 0x1010, "MOV_UB", TICKS(90, ), TICKS(95, ));
    count_pc(&tally, 0x1014, "ADD", TICKS(100, 100, ), TICKS(102, ));
    REQUIRE(TallyAddMark(&tally, &mark) && TallyAddQueued(&tally, &queued), "no memory");
    TallyClose(&tally);
    sums = TallySum(&tally);
    ck_assert_uint_eq(sums.popped_alone, 2); /* HINT, and one ADD */
    ck_assert_uint_eq(sums.popped_lost, 1);
    ck_assert_uint_eq(sums.popped_again, 1);
    ck_assert_uint_eq(sums.instr_alone, 0);
    TallyFinish(&tally);
}
END_TEST

START_TEST(what_takes_too_long_behind_nothing_is_overdue)
{
    Tally tally;

    TallyInit(&tally, false);
    count_pc(&tally, 0x1000, "ADD", TICKS(100, ), TICKS(110, ));
    count_pc(&tally, 0x1004, "ADD", TICKS(200, ), TICKS());
    count_pc(&tally, 0x1008, "SUB", TICKS(300, ), TICKS(301, ));
    TallyClose(&tally);
    TallyTake(&tally, KeyTableFind(&tally.keys, 0x1000), 100, 110);
    ck_assert_uint_eq(TallyOverdue(&tally, 10000), 0); /* it may be what the pipe waits for */
    TallyTake(&tally, KeyTableFind(&tally.keys, 0x1008), 300, 301);
    ck_assert_uint_eq(TallyOverdue(&tally, 200 + 2 * (10 + OVERDUE_LEAST) + 1), 0);
    ck_assert_uint_eq(TallyOverdue(&tally, 200 + 2 * (10 + OVERDUE_LEAST) + 2), 1);
    TallyFinish(&tally);
}
END_TEST

/* ---- the horizon ---- */

START_TEST(a_horizon_never_promises_more_than_the_rest_keeps)
{
    static uint64_t ticks[20000];
    Horizon horizon = { .minima = NULL };
    uint64_t least = UINT64_MAX;

    random_state = 4;
    for (size_t i = 0; i < 20000; i++) {
        ticks[i] = i * 5 + any_below(3000);
        REQUIRE(HorizonAdd(&horizon, ticks[i]), "no memory");
    }
    HorizonClose(&horizon);
    ck_assert_uint_eq(HorizonFloor(&horizon, 20000), UINT64_MAX);
    for (size_t i = 20000; i > 0; i--) {
        least = ticks[i - 1] < least ? ticks[i - 1] : least;
        REQUIRE(HorizonFloor(&horizon, i - 1) <= least, "record %zu", i - 1);
        REQUIRE((i - 1) % HORIZON_BLOCK != 0 || HorizonFloor(&horizon, i - 1) == least, "block %zu",
                i - 1);
    }
    HorizonFinish(&horizon);
}
END_TEST

/* ---- slots ---- */

#define HANDS 2000u

/* Takes and gives at random; every text stays what it was, although the buffer is packed many
 * times. */
START_TEST(texts_of_slots_survive_packing)
{
    static uint32_t slots[HANDS];
    static char texts[HANDS][100 + 64];
    SlotPool pool;

    random_state = 5;
    memset(slots, 0xff, sizeof slots);
    SlotPoolInit(&pool);
    for (unsigned round = 0; round < 200000; round++) {
        const uint32_t hand = any_below(any_below(4) == 0 ? HANDS : 20);
        char *text = texts[hand];
        size_t length = any_below(100);

        if (slots[hand] != SLOT_NONE) {
            const Slot *slot = &pool.slots[slots[hand]];

            REQUIRE(slot->length == strlen(text) &&
                        memcmp(pool.texts + slot->text, text, slot->length) == 0,
                    "text of hand %u in round %u", hand, round);
        }
        if (slots[hand] != SLOT_NONE && any_below(3) > 0) {
            SlotPoolGive(&pool, slots[hand]);
            slots[hand] = SLOT_NONE;
            continue;
        }
        memset(text, 0, sizeof texts[0]);
        for (size_t i = 0; i < length; i++) {
            text[i] = (char) ('a' + any_below(26));
        }
        if (slots[hand] == SLOT_NONE) {
            slots[hand] = SlotPoolTake(&pool, text, text + length);
            REQUIRE(slots[hand] != SLOT_NONE, "no memory");
        } else {
            REQUIRE(SlotPoolReplaceText(&pool, slots[hand], text, text + length), "no memory");
        }
    }
    ck_assert_uint_le(pool.peak, HANDS);
    ck_assert_uint_le(pool.texts_capacity, (size_t) 1 << 20);
    SlotPoolFinish(&pool);
}
END_TEST

/* ---- order ---- */

static bool is_in_order(const RowOrder *order, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const HeldRow *a = &order->rows[i - 1];
        const HeldRow *b = &order->rows[i];
        const Slot *x = &order->pool->slots[a->slot];
        const Slot *y = &order->pool->slots[b->slot];

        if (a->end > b->end || (a->end == b->end && x->pc > y->pc) ||
            (a->end == b->end && x->pc == y->pc && x->start > y->start) ||
            (a->end == b->end && x->pc == y->pc && x->start == y->start &&
             x->sequence >= y->sequence)) {
            return false;
        }
    }
    return true;
}

static void add_rows(RowOrder *order, SlotPool *pool, uint32_t count, uint32_t spread,
                     uint64_t *end)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t slot = SlotPoolTake(pool, "", "");

        REQUIRE(slot != SLOT_NONE, "no memory");
        pool->slots[slot].pc = any_below(3);
        pool->slots[slot].start = any_below(2);
        pool->slots[slot].sequence = *end;
        REQUIRE(RowOrderAdd(order, *end / 2 + any_below(spread), slot), "no memory");
        (*end)++;
    }
}

START_TEST(rows_come_by_end_pc_start_and_place)
{
    static const uint32_t spreads[] = { 1, 2, 10, 300, 100000 };
    SlotPool pool;

    random_state = 6;
    for (unsigned round = 0; round < 60; round++) {
        RowOrder order = { .pool = &pool };
        uint64_t end = 0;
        size_t count = 0;

        SlotPoolInit(&pool);
        for (unsigned part = 0; part < 4; part++) {
            const uint32_t more = any_below(3000);

            add_rows(&order, &pool, more, spreads[round % 5], &end);
            count += more;
            RowOrderSort(&order);
            REQUIRE(order.count == count && is_in_order(&order, count), "round %u", round);
            RowOrderDrop(&order, count / 3);
            count -= count / 3;
        }
        RowOrderFinish(&order);
        SlotPoolFinish(&pool);
    }
}
END_TEST

/* ---- names ---- */

static uint32_t intern_calls;

static uint32_t intern(void *context, const char *text, size_t length)
{
    (void) context;
    intern_calls++;
    return (uint32_t) (length * 1000 + (length > 0 ? (unsigned char) text[length - 1] : 0) + 1);
}

START_TEST(a_name_is_interned_once_with_each_pipe)
{
    char texts[2000][32 + 64];
    Names names = { .intern = intern };
    OpprofChip *chip = NULL;

    ck_assert_int_eq(OpprofChipLoad("Ascend910B1", &chip, NULL), OPPROF_OK);
    names.pipes = SimPipesOf(chip);
    intern_calls = 0;
    for (unsigned round = 0; round < 3; round++) {
        for (unsigned i = 0; i < 2000; i++) {
            SimLine line = { .pipe = "MTE2\0......................................................",
                             .pipe_length = i % 2 == 0 ? 4 : 3,
                             .name = texts[i] };
            const NamesEntry *entry;

            memset(texts[i], 'x', sizeof texts[i]);
            line.name_length =
                (uint32_t) snprintf(texts[i], 32, "%sNAME_%u", i % 3 ? "" : "LONG_LONG_", i / 2);
            entry = NamesLookUp(&names, &line);
            REQUIRE(entry != NULL, "no memory");
            REQUIRE(entry->name == line.name_length * 1000 +
                                       (unsigned char) texts[i][line.name_length - 1] + 1,
                    "name %u", i);
            REQUIRE(entry->pipe == (i % 2 == 0 ? 4000u + '2' + 1 : 3000u + 'L' + 1), "pipe %u", i);
        }
    }
    ck_assert_uint_eq(intern_calls, 2 * 2000);
    NamesFinish(&names);
    OpprofChipFree(chip);
}
END_TEST

/* ---- SIMT operands ---- */

/* A copy with as many bytes after it as may be looked at. */
static const char *padded(const char *text)
{
    static char copy[200 + 64];

    memset(copy, '[', sizeof copy);
    ck_assert_uint_lt(strlen(text), 200);
    memcpy(copy, text, strlen(text));
    return copy;
}

static void expect_warp(const char *text, int warp, int scheduler)
{
    const char *copy = padded(text);
    int16_t got_warp, got_scheduler;

    SimtReadWarp(camodel_threads(), copy, copy + strlen(text), &got_warp, &got_scheduler);
    ck_assert_int_eq(got_warp, warp);
    ck_assert_int_eq(got_scheduler, scheduler);
}

START_TEST(warp_and_scheduler_are_read_together)
{
    expect_warp("[PEX:7|P],[warpId:59],[bundleId:14],[schId:3],[prdctMask:ff]", 59, 3);
    expect_warp("[warpId:2],[schId:0]", 2, 0);
    expect_warp("[warpId:2],[schId:4]", -1, -1);
    expect_warp("[schId:1],[warpId:2]", -1, -1);
    expect_warp("[warpId:123],[schId:1]", -1, -1);
    expect_warp("[warpId:],[warpId:7],[schId:1]", 7, 1);
    expect_warp("[warpId:1],[schId:", -1, -1);
    expect_warp("", -1, -1);
}
END_TEST

static int32_t threads_of(const char *text)
{
    const char *copy = padded(text);

    return SimtReadThreads(camodel_threads(), copy, copy + strlen(text));
}

START_TEST(threads_are_the_bits_of_both_masks)
{
    ck_assert_int_eq(threads_of("[schId:3],[prdctMask:ffffffff],[execMask:ffffffff],[exec_time:8]"),
                     32);
    ck_assert_int_eq(threads_of("[prdctMask:ffffffff],[execMask:0000ffff]"), 16);
    ck_assert_int_eq(threads_of("[prdctMask:F0],[execMask:30]"), 2);
    ck_assert_int_eq(threads_of("[prdctMask:0],[execMask:1]"), 0);
    ck_assert_int_eq(threads_of("[prdctMask:],[execMask:1]"), -1);
    ck_assert_int_eq(threads_of("[prdctMask:1],[execMask:]"), -1);
    ck_assert_int_eq(threads_of("[prdctMask:],[execMask:]"), -1);
    ck_assert_int_eq(threads_of("[prdctMask:1], [execMask:1]"), -1);
    ck_assert_int_eq(threads_of("[prdctMask:123456789],[execMask:1]"), -1);
    ck_assert_int_eq(threads_of("[prdctMask:1],[x:1],[prdctMask:3],[execMask:3]"), 2);
    ck_assert_int_eq(threads_of("[prdctMask:1],[execMask:1"), -1);
    ck_assert_int_eq(threads_of(""), -1);
}
END_TEST

static Suite *tables_suite(void)
{
    Suite *suite = suite_create("tables");
    TCase *tests = tcase_create("tables");

    tcase_add_test(tests, a_key_table_finds_all_that_was_added);
    tcase_add_test(tests, ids_that_come_once_need_no_entry_of_their_own);
    tcase_add_test(tests, records_without_a_partner_are_in_flight_or_lost);
    tcase_add_test(tests, names_that_are_only_in_one_log_lack_no_partner);
    tcase_add_test(tests, what_takes_too_long_behind_nothing_is_overdue);
    tcase_add_test(tests, a_horizon_never_promises_more_than_the_rest_keeps);
    tcase_add_test(tests, texts_of_slots_survive_packing);
    tcase_add_test(tests, rows_come_by_end_pc_start_and_place);
    tcase_add_test(tests, a_name_is_interned_once_with_each_pipe);
    tcase_add_test(tests, warp_and_scheduler_are_read_together);
    tcase_add_test(tests, threads_are_the_bits_of_both_masks);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(tables_suite)
