/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of kit/facts/block_cores.c. */
#include <opprof/kit/block_cores.h>

#include "kit/facts/chip_file.h"
#include "tests/core/scratch.h"
#include "tests/core/suites.h"

static OpprofBlockCores cores_of(const char *cores)
{
    char text[256];
    OpprofChip *chip = NULL;

    make_scratch();
    ChipsForget();
    snprintf(text, sizeof text,
             "{ \"opprof_chip\": \"1.0\", \"series\": \"S\", \"socs\": { \"Soc\": {} }, \"cores\": "
             "%s }",
             cores);
    write_text("s.json", text);
    setenv("OPPROF_CHIP_PATH", scratch, 1);
    setenv("OPPROF_SYSTEM_CHIP_PATH", "", 1);
    ck_assert_int_eq(OpprofChipLoad("Soc", &chip, NULL), OPPROF_OK);
    remove_scratch();
    const OpprofBlockCores result = OpprofBlockCoresOf(chip);
    OpprofChipFree(chip);
    return result;
}

static void has_core(const OpprofBlockCores *cores, uint32_t place, bool each_vector,
                     uint32_t block, const char *name)
{
    char its[24];

    OpprofBlockCoresName(cores, place, each_vector, its);
    ck_assert_str_eq(its, name);
    ck_assert_uint_eq(OpprofBlockCoresBlock(cores, place, each_vector), block);
}

START_TEST(a_block_has_the_cores_that_the_chip_says)
{
    const OpprofBlockCores cores = cores_of("{ \"vectors\": 3, \"cubes\": 2 }");

    has_core(&cores, 0, false, 0, "vector0");
    has_core(&cores, 2, false, 0, "vector2");
    has_core(&cores, 3, false, 0, "cube0");
    has_core(&cores, 9, false, 1, "cube1");
    ck_assert(!OpprofBlockCoresIsCube(&cores, 7));
    ck_assert(OpprofBlockCoresIsCube(&cores, 8));
}
END_TEST

START_TEST(vector_operators_have_a_block_on_each_vector_core)
{
    const OpprofBlockCores cores = cores_of("{ \"vectors\": 3, \"cubes\": 2 }");

    has_core(&cores, 2, true, 2, "vector0");
    has_core(&cores, 5, true, 3, "vector0");
    for (uint32_t block = 0; block < 10; block++) {
        ck_assert_uint_eq(OpprofBlockCoresBlock(&cores, OpprofBlockCoresPlace(&cores, block), true),
                          block);
    }
}
END_TEST

START_TEST(a_chip_that_says_nothing_has_one_core_a_block)
{
    const OpprofBlockCores cores = cores_of("{ \"count\": 8 }");

    has_core(&cores, 5, false, 5, "vector0");
    has_core(&cores, 5, true, 5, "vector0");
}
END_TEST

static Suite *block_cores_suite(void)
{
    Suite *suite = suite_create("block_cores");
    TCase *tcase = tcase_create("block_cores");

    suite_add_tcase(suite, tcase);
    tcase_add_test(tcase, a_block_has_the_cores_that_the_chip_says);
    tcase_add_test(tcase, vector_operators_have_a_block_on_each_vector_core);
    tcase_add_test(tcase, a_chip_that_says_nothing_has_one_core_a_block);
    return suite;
}
TEST_SUITE(block_cores_suite)
