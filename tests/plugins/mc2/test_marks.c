/* SPDX-License-Identifier: Apache-2.0 */
/* Stamps of cores: which block they are of, and which two belong together. */
#include "plugins/mc2/core_marks.h"
#include "plugins/mc2/display.h"
#include "plugins/mc2/names.h"

#include "tests/core/suites.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

static OpprofChip *chip;
static Mc2Facts facts;
static Blocks blocks;
static MarkPairing pairing;

static void put(unsigned char *at, uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        at[i] = (unsigned char) (value >> (8 * i));
    }
}

static void check_bytes(const unsigned char *record, bool is_lccl, uint32_t size)
{
    const CoreMark mark = is_lccl ? LcclMarkRead(record) : CoreMarkRead(record);
    unsigned char bytes[LCCL_MARK_BYTES] = { 0 };

    ck_assert_uint_eq(CoreMarkBytes(&mark, is_lccl, bytes), size);
    ck_assert_mem_eq(bytes, record, size);
}

START_TEST(a_mark_becomes_its_bytes_again)
{
    unsigned char record[LCCL_MARK_BYTES];

    for (unsigned i = 0; i < sizeof record; i++) {
        record[i] = (unsigned char) (200 - 7 * i);
    }
    check_bytes(record, false, CORE_MARK_BYTES);
    check_bytes(record, true, LCCL_MARK_BYTES);
}
END_TEST

static void add_block(bool is_cube, uint32_t block, uint32_t sub, uint64_t start, uint64_t end)
{
    unsigned char record[128] = { 0 };

    put(record, 41, 1);
    record[20] = !is_cube;
    put(record + 28, sub, 2);
    put(record + 30, block, 2);
    put(record + 112, start, 8);
    put(record + 120, end, 8);
    ck_assert(BlocksRecords(&blocks, record, 1));
}

static void load(const char *name)
{
    setenv("OPPROF_CHIP_PATH", TEST_SOURCE_DIR "/chips", 1);
    setenv("OPPROF_SYSTEM_CHIP_PATH", TEST_FACT_PATH, 1);
    ck_assert_int_eq(OpprofChipLoad(name, &chip, NULL), OPPROF_OK);
    ck_assert_int_eq(Mc2FactsLoad(chip, &facts, NULL), OPPROF_OK);
    blocks = (Blocks){ .layout = &facts.blocks };
    pairing = (MarkPairing){
        .kind = CORE_MARKS_PLAIN, .format = BLOCK_FORMAT_NEW, .facts = &facts, .blocks = &blocks
    };
}

static void setup(void)
{
    load("Ascend910B1");
}

static void teardown(void)
{
    MarkPairingFinish(&pairing);
    BlocksFinish(&blocks);
    OpprofChipFree(chip);
}

static MarkPair last_pair;

/* True if the mark completes a pair. */
static bool take(uint32_t block, uint32_t id, uint64_t time)
{
    const CoreMark mark = { .time = time, .block = block, .id = id };
    bool is_pair = false;

    ck_assert(MarkPairingTake(&pairing, &mark, &last_pair, &is_pair));
    return is_pair;
}

static void expect_block(BlockFormat format, uint32_t block, bool is_cube, uint32_t number)
{
    bool got_cube = !is_cube;
    uint32_t got = UINT32_MAX;

    BlockDecode(format, &facts, block, &got_cube, &got);
    ck_assert_int_eq(got_cube, is_cube);
    ck_assert_uint_eq(got, number);
}

START_TEST(block_ids_hold_a_physical_core_or_a_number)
{
    BlockVotes votes = { .has_upper = false };

    BlockVote(&votes, 0);
    BlockVote(&votes, 25 << 16);
    ck_assert_int_eq(BlockVotesFormat(&votes, &blocks), BLOCK_FORMAT_NEW);
    expect_block(BLOCK_FORMAT_NEW, 0, true, 0);
    expect_block(BLOCK_FORMAT_NEW, 1638400, false, 0);
    expect_block(BLOCK_FORMAT_NEW, 1703937, false, 1);
    votes = (BlockVotes){ .has_upper = false };
    BlockVote(&votes, 3);
    BlockVote(&votes, 51);
    ck_assert_int_eq(BlockVotesFormat(&votes, &blocks), BLOCK_FORMAT_OLD);
    expect_block(BLOCK_FORMAT_OLD, 3, false, 3);
    expect_block(BLOCK_FORMAT_OLD, 51, true, 1);
}
END_TEST

START_TEST(one_cube_block_alone_is_the_new_format_unless_its_number_is_an_old_one)
{
    BlockVotes votes = { .has_upper = false };

    add_block(true, 0, 0, 1, 10);
    BlockVote(&votes, 50);
    ck_assert_int_eq(BlockVotesFormat(&votes, &blocks), BLOCK_FORMAT_OLD);
    BlockVote(&votes, 49);
    ck_assert_int_eq(BlockVotesFormat(&votes, &blocks), BLOCK_FORMAT_NEW);
    add_block(false, 0, 0, 1, 10);
    ck_assert_int_eq(BlockVotesFormat(&votes, &blocks), BLOCK_FORMAT_OLD);
}
END_TEST

START_TEST(cube_cores_are_where_the_chip_file_says)
{
    teardown();
    load("950");
    ck_assert(Mc2FactsIsCube(&facts, 17));
    ck_assert(!Mc2FactsIsCube(&facts, 18));
    ck_assert(!Mc2FactsIsCube(&facts, 53));
    ck_assert(Mc2FactsIsCube(&facts, 54));
    ck_assert(Mc2FactsIsCube(&facts, 71));
    ck_assert(!Mc2FactsIsCube(&facts, 72));
    ck_assert_uint_eq(facts.counter_khz, 1000000);
}
END_TEST

START_TEST(lanes_follow_block_and_sub_block)
{
    char lane[LANE_NAME_ROOM];

    BlocksLane(&blocks, false, 3, lane);
    ck_assert_str_eq(lane, "NA");
    add_block(true, 1, 0, 1, 10);
    add_block(false, 1, 1, 1, 10);
    add_block(false, 1, 0, 1, 10);
    add_block(false, 0, 1, 1, 10); /* block 0 has lost its cube */
    BlocksSort(&blocks);
    ck_assert_uint_eq(blocks.vectors, 2);
    ck_assert(!blocks.list[0].is_cube && blocks.list[0].block == 0);
    ck_assert(blocks.list[1].is_cube && blocks.list[1].block == 1);
    ck_assert(blocks.list[2].sub_block == 0 && blocks.list[3].sub_block == 1);
    BlocksLane(&blocks, false, 3, lane);
    ck_assert_str_eq(lane, "core1.veccore1");
    BlocksLane(&blocks, true, 1, lane);
    ck_assert_str_eq(lane, "core1.cubecore0");
    ck_assert_ptr_eq(BlocksFind(&blocks, false, 3), &blocks.list[3]);
    ck_assert_ptr_eq(BlocksFind(&blocks, false, 1), &blocks.list[0]);
    ck_assert_ptr_null(BlocksFind(&blocks, false, 0));
    ck_assert_ptr_null(BlocksFind(&blocks, true, 0));
}
END_TEST

START_TEST(calls_are_pairs_of_even_and_odd)
{
    static const unsigned char bytes[24] = { 0xe8, 0x03, 0, 0,    0,    0, 0, 0,   0,
                                             0,    0x19, 0, 0x20, 0x10, 0, 0, 0x22 };
    const CoreMark mark = CoreMarkRead(bytes);
    bool is_pair = true;

    ck_assert_uint_eq(mark.time, 1000);
    ck_assert_uint_eq(mark.pc, 0x22);
    expect_block(BLOCK_FORMAT_NEW, mark.block, false, 0);
    ck_assert_str_eq(ApiFind(mark.id)->name, "WAIT");
    ck_assert_uint_eq(ApiFind(mark.id)->colour, PALETTE_PURPLE);
    pairing.kind = CORE_MARKS_MC2;
    add_block(false, 0, 0, 1, 5000);
    ck_assert(MarkPairingTake(&pairing, &mark, &last_pair, &is_pair) && !is_pair);
    ck_assert(take(0x190000, 0x1021, 1500));
    ck_assert_uint_eq(last_pair.start.time, 1000);
    ck_assert_uint_eq(last_pair.end, 1500);
    ck_assert(!last_pair.is_cube && !last_pair.is_user);
}
END_TEST

START_TEST(two_equal_marks_of_a_user_are_a_pair)
{
    add_block(true, 0, 0, 1, 1000);
    ck_assert(!take(0, 65577, 10));
    ck_assert(take(0, 65577, 20));
    ck_assert(last_pair.is_user && last_pair.start.time == 10 && last_pair.end == 20);
    ck_assert(!take(0, 65577, 30));
    MarkPairingEnd(&pairing);
    ck_assert_uint_eq(pairing.counts.without_end, 1);
}
END_TEST

START_TEST(the_first_start_of_a_call_counts)
{
    pairing.kind = CORE_MARKS_MC2;
    add_block(true, 0, 0, 1, 1000);
    ck_assert(!take(0, 0x1021, 5)); /* end without start */
    ck_assert(!take(0, 0x1020, 10));
    ck_assert(!take(0, 0x1020, 20));
    ck_assert(take(0, 0x1021, 30));
    ck_assert_uint_eq(last_pair.start.time, 10);
    MarkPairingEnd(&pairing);
    ck_assert_uint_eq(pairing.counts.without_start, 1);
    ck_assert_uint_eq(pairing.counts.repeated, 1);
    ck_assert_uint_eq(pairing.counts.without_end, 0);
}
END_TEST

START_TEST(after_a_pair_that_is_dropped_the_next_one_counts)
{
    pairing.kind = CORE_MARKS_MC2;
    add_block(true, 0, 0, 100, 1000);
    ck_assert(!take(0, 0x1020, 500) && !take(0, 0x1021, 400));  /* backwards */
    ck_assert(!take(0, 0x1020, 90) && !take(0, 0x1021, 200));   /* starts before the block */
    ck_assert(!take(0, 0x1020, 900) && !take(0, 0x1021, 1001)); /* ends after it */
    ck_assert(!take(0, 0x1020, 600) && take(0, 0x1021, 1000));
    ck_assert(!take(0, 70000, 90) && !take(0, 70000, 200));  /* a user's, with its end */
    ck_assert(!take(0, 70000, 300) && !take(0, 70000, 300)); /* no length */
    ck_assert(!take(0, 70000, 400) && take(0, 70000, 500));
    ck_assert_uint_eq(pairing.counts.backwards, 2);
    ck_assert_uint_eq(pairing.counts.outside, 3);
    ck_assert_uint_eq(pairing.counts.without_start, 1);
    ck_assert_uint_eq(pairing.counts.pairs, 2);
}
END_TEST

START_TEST(what_nothing_knows_is_counted)
{
    pairing.zero = 50;
    add_block(true, 0, 0, 100, 1000);
    ck_assert(!take(0, 70000, 49));   /* early */
    ck_assert(!take(1, 70000, 150));  /* no such block */
    ck_assert(!take(0, 0x1020, 150)); /* a call, of an operator that does not communicate */
    pairing.kind = CORE_MARKS_MC2;
    ck_assert(!take(0, 0x1022, 150)); /* no such call */
    ck_assert_uint_eq(pairing.counts.early, 1);
    ck_assert_uint_eq(pairing.counts.no_block, 1);
    ck_assert_uint_eq(pairing.counts.unknown, 2);
}
END_TEST

START_TEST(collective_kernels_log_their_parts)
{
    static const unsigned char bytes[32] = { 2, 0, 0, 0, 50, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0,
                                             0, 7, 0, 0, 0,  0, 0, 0, 0, 3, 0, 0, 0, 4 };
    const uint64_t base = UINT64_C(48117105500000);
    const CoreMark mark = LcclMarkRead(bytes);

    ck_assert_uint_eq(mark.id, 2);
    ck_assert_uint_eq(mark.block, 50);
    ck_assert_uint_eq(mark.time, 9);
    ck_assert_uint_eq(mark.pc, 7);
    ck_assert_uint_eq(mark.operation, 3);
    ck_assert_uint_eq(mark.reserved, 4);
    pairing.kind = CORE_MARKS_LCCL;
    pairing.format = BLOCK_FORMAT_OLD;
    add_block(true, 0, 0, base + 77516, base + 78916);
    add_block(false, 0, 0, base + 77516, base + 81350);
    add_block(false, 0, 1, base + 77516, base + 81921);
    ck_assert(!take(0, 1, base + 78953) && take(0, 1, base + 78999));
    ck_assert_uint_eq(last_pair.end - last_pair.start.time, 46);
    ck_assert(!take(0, 2, base + 79953) && take(0, 2, base + 79999));
    ck_assert(!take(0, 3, base + 79999));
    ck_assert_uint_eq(pairing.counts.unknown, 1);
    ck_assert_str_eq(LcclPhase(2)->name, "PROCESS");
}
END_TEST

START_TEST(a_display_names_marks)
{
    char text[512];
    Display display;

    snprintf(text, sizeof text,
             "{\"mc2_trace_config\":{\"enable_block_time\":false,\"descid_display\":{\"65536\":"
             "\"NOP\",\"0x10\":\"LOAD\",\"0x10001\":\"STORE\",\"0X10002\":\"COMPUTE\",\"abc\":"
             "\"A\",\"0x\":\"B\",\"7\":123,\"8\":\"invalid@chars!\",\"9\":\"%065d\"}}}",
             0);
    ck_assert_int_eq(DisplayRead(text, strlen(text), &display, NULL), OPPROF_OK);
    ck_assert(display.hides_blocks);
    ck_assert_uint_eq(display.count, 4);
    ck_assert_uint_eq(display.skipped, 5);
    ck_assert_str_eq(DisplayFind(&display, 65536), "NOP");
    ck_assert_str_eq(DisplayFind(&display, 16), "LOAD");
    ck_assert_str_eq(DisplayFind(&display, 65537), "STORE");
    ck_assert_str_eq(DisplayFind(&display, 65538), "COMPUTE");
    ck_assert_ptr_null(DisplayFind(&display, 9));
    DisplayFinish(&display);
    ck_assert_int_eq(DisplayRead("[", 1, &display, NULL), OPPROF_E_DATA);
}
END_TEST

static Suite *marks_suite(void)
{
    Suite *suite = suite_create("marks");
    TCase *marks = tcase_create("marks");

    tcase_add_checked_fixture(marks, setup, teardown);
    tcase_add_test(marks, a_mark_becomes_its_bytes_again);
    tcase_add_test(marks, block_ids_hold_a_physical_core_or_a_number);
    tcase_add_test(marks, one_cube_block_alone_is_the_new_format_unless_its_number_is_an_old_one);
    tcase_add_test(marks, cube_cores_are_where_the_chip_file_says);
    tcase_add_test(marks, lanes_follow_block_and_sub_block);
    tcase_add_test(marks, calls_are_pairs_of_even_and_odd);
    tcase_add_test(marks, two_equal_marks_of_a_user_are_a_pair);
    tcase_add_test(marks, the_first_start_of_a_call_counts);
    tcase_add_test(marks, after_a_pair_that_is_dropped_the_next_one_counts);
    tcase_add_test(marks, what_nothing_knows_is_counted);
    tcase_add_test(marks, collective_kernels_log_their_parts);
    tcase_add_test(marks, a_display_names_marks);
    suite_add_tcase(suite, marks);
    return suite;
}
TEST_SUITE(marks_suite)
