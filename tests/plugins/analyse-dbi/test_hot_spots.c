/* SPDX-License-Identifier: Apache-2.0 */
/* Which instructions are hot spots, and how often they ran. */
#include "plugins/analyse-dbi/hot_spots.h"

#include "tests/core/suites.h"

#include <check.h>
#include <stdlib.h>

enum { KERNEL = 1, PART = 2, REASON = 3, REGISTER = 4 };

static Spots spots;

static void block(uint64_t start, uint64_t end, uint64_t count, uint32_t function)
{
    const OpprofDbiBlockCount one = {
        .start = start, .end = end, .count = count, .function = function
    };

    ck_assert(SpotsAddBlock(&spots, &one));
}

static const Spot *at(uint64_t pc)
{
    const uint32_t place = OpprofMapFind(&spots.places, pc);

    return place == OPPROF_MAP_NONE ? NULL : &spots.list[place];
}

START_TEST(from_the_first_block_of_a_function_to_its_last)
{
    block(0x110, 0x118, 3, KERNEL);
    block(0x100, 0x104, 2, KERNEL); /* blocks come in any order */
    block(0x200, 0x200, 5, PART);
    ck_assert(SpotsJoin(&spots));
    ck_assert_uint_eq(spots.count, 8);
    ck_assert_uint_eq(at(0x100)->calls, 2);
    ck_assert_uint_eq(at(0x104)->calls, 2);
    ck_assert_uint_eq(at(0x108)->calls,
                      OPPROF_NA_U64); /* between blocks: unknown, not the last one's */
    ck_assert_uint_eq(at(0x118)->calls, 3);
    ck_assert_ptr_null(at(0x11c));
    ck_assert_uint_eq(at(0x200)->calls, 5);
    ck_assert_uint_eq(at(0x200)->function, PART);
    for (size_t i = 1; i < spots.count; i++) {
        ck_assert_uint_gt(spots.list[i].pc, spots.list[i - 1].pc);
    }
}
END_TEST

START_TEST(liveness_names_the_instructions)
{
    const OpprofDbiRegister ones[] = { { .pc = 0x100, .name = REGISTER },
                                       { .pc = 0x108 }, /* none in use */
                                       { .pc = 0x100, .name = REGISTER + 1 },
                                       { .pc = 0x300, .name = REGISTER } }; /* outside */

    block(0x100, 0x110, 2, KERNEL);
    for (size_t i = 0; i < sizeof ones / sizeof ones[0]; i++) {
        ck_assert(SpotsAddRegister(&spots, &ones[i]));
    }
    ck_assert(SpotsJoin(&spots));
    ck_assert_uint_eq(spots.count, 2);
    ck_assert_int_eq(at(0x100)->registers, 2);
    ck_assert_int_eq(at(0x108)->registers, 0);
}
END_TEST

START_TEST(what_lies_outside_is_counted_as_such)
{
    const OpprofDbiPc inside = { .pc = 0x102,
                                 .bytes = 64 }; /* on an odd address: it loses itself only */
    const OpprofDbiPc outside = { .pc = 0x400, .bytes = 64 };
    const OpprofDbiSample there = { .pc = 0x104, .samples = 5, .reason = REASON };
    const OpprofDbiSample issued = { .pc = 0x104, .samples = 2, .reason = REASON, .is_issued = 1 };
    const OpprofDbiSample nowhere = { .pc = 0x400, .samples = 7, .reason = REASON };

    block(0x100, 0x108, 1, KERNEL);
    ck_assert(SpotsAddMoves(&spots, &inside) && SpotsAddMoves(&spots, &outside));
    ck_assert(SpotsAddSample(&spots, &there) && SpotsAddSample(&spots, &issued) &&
              SpotsAddSample(&spots, &nowhere));
    ck_assert(SpotsJoin(&spots));
    ck_assert_uint_eq(spots.count, 4);
    ck_assert_uint_eq(at(0x102)->moves->bytes, 64);
    ck_assert_ptr_null(at(0x100)->moves);
    ck_assert_uint_eq(at(0x104)->samples, 7);
    ck_assert_uint_eq(at(0x104)->waits, 5);
    ck_assert_uint_eq(spots.lost_moves, 1);
    ck_assert_uint_eq(spots.lost_samples, 7);
}
END_TEST

/* V22 and V23: three registers in use; 1, 2 and 7 samples, of which the last are of what was
 * issued. */
START_TEST(numbers_of_an_instruction)
{
    const OpprofDbiSample samples[] = {
        { .pc = 0x60, .samples = 1, .reason = REASON },
        { .pc = 0x60, .samples = 2, .reason = REASON + 1 },
        { .pc = 0x60, .samples = 7, .reason = REASON + 2, .is_issued = 1 },
    };
    const OpprofDbiRegister one = { .pc = 0x60, .name = REGISTER };

    block(0x60, 0x64, 1, KERNEL);
    for (unsigned i = 0; i < 3; i++) {
        ck_assert(SpotsAddSample(&spots, &samples[i]) && SpotsAddRegister(&spots, &one));
    }
    ck_assert(SpotsJoin(&spots));
    ck_assert_uint_eq(at(0x60)->waits, 3);
    ck_assert_uint_eq(at(0x60)->samples, 10);
    ck_assert_int_eq(at(0x60)->registers, 3);
}
END_TEST

START_TEST(without_blocks_whatever_is_known)
{
    const OpprofDbiPc moves = { .pc = 0x400, .bytes = 64 };
    const OpprofDbiSample sample = { .pc = 0x104, .samples = 5, .reason = REASON };

    ck_assert(SpotsAddMoves(&spots, &moves) && SpotsAddSample(&spots, &sample));
    ck_assert(SpotsJoin(&spots));
    ck_assert_uint_eq(spots.count, 2);
    ck_assert_uint_eq(at(0x400)->calls, OPPROF_NA_U64);
    ck_assert_uint_eq(spots.lost_samples, 0);
}
END_TEST

START_TEST(a_map_that_lies_is_cut)
{
    block(0, 0x10, 1, KERNEL);
    block(0x20, UINT64_MAX, 2, KERNEL);
    block(UINT64_MAX - 3, UINT64_MAX, 3, PART);
    ck_assert(SpotsJoin(&spots));
    ck_assert(spots.is_cut);
    ck_assert_uint_eq(spots.count, SPOTS_MAX_PCS);
    ck_assert_uint_eq(at(4)->calls, 1);
}
END_TEST

START_TEST(blocks_at_the_top_of_all_addresses)
{
    block(UINT64_MAX - 7, UINT64_MAX - 1, 3, KERNEL);
    ck_assert(SpotsJoin(&spots));
    ck_assert_uint_eq(spots.count, 2);
    ck_assert_uint_eq(at(UINT64_MAX - 3)->calls, 3);
}
END_TEST

START_TEST(a_block_that_ends_before_it_begins_has_no_instruction)
{
    block(0x40, 0x20, 3, KERNEL);
    block(0x80, 0x84, 2, PART);
    ck_assert(SpotsJoin(&spots));
    ck_assert_uint_eq(spots.count, 2);
    ck_assert(!spots.is_cut);
    ck_assert_uint_eq(at(0x84)->calls, 2);
}
END_TEST

static void teardown(void)
{
    SpotsFinish(&spots);
}

static Suite *hot_spots_suite(void)
{
    Suite *suite = suite_create("hot_spots");
    TCase *tcase = tcase_create("spots");

    tcase_add_checked_fixture(tcase, NULL, teardown);
    tcase_add_test(tcase, from_the_first_block_of_a_function_to_its_last);
    tcase_add_test(tcase, a_block_that_ends_before_it_begins_has_no_instruction);
    tcase_add_test(tcase, liveness_names_the_instructions);
    tcase_add_test(tcase, what_lies_outside_is_counted_as_such);
    tcase_add_test(tcase, numbers_of_an_instruction);
    tcase_add_test(tcase, without_blocks_whatever_is_known);
    tcase_add_test(tcase, a_map_that_lies_is_cut);
    tcase_add_test(tcase, blocks_at_the_top_of_all_addresses);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(hot_spots_suite)
