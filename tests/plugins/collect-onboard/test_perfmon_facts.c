/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of monitors as chip files describe them. */
#include "plugins/collect-onboard/perfmon_facts.h"

#include "tests/core/suites.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static OpprofChip *load(const char *name)
{
    OpprofChip *chip = NULL;

    setenv("OPPROF_CHIP_PATH", TEST_SOURCE_DIR "/chips", 1);
    setenv("OPPROF_SYSTEM_CHIP_PATH", TEST_FACT_PATH, 1);
    ck_assert_int_eq(OpprofChipLoad(name, &chip, NULL), OPPROF_OK);
    return chip;
}

START_TEST(registers_are_where_the_description_says)
{
    static const uint32_t offsets[] = { 0xb000, 0xb00c, 0xb010, 0xb014, 0xb01c, 0xb024, 0xb028 };
    OpprofChip *chip = load("950");
    PerfmonFacts facts;

    ck_assert_int_eq(PerfmonFactsLoad(chip, &facts, NULL), OPPROF_OK);
    for (uint32_t i = 0; i < OPPROF_LIVE_MONITOR_REGISTERS; i++) {
        ck_assert_uint_eq(facts.monitors.offsets[i], offsets[i]);
    }
    ck_assert_uint_eq(facts.monitors.sub_core_stride, 0x100000);
    ck_assert_uint_eq(facts.monitors.core_count, 36);
    ck_assert_uint_eq(facts.monitors.sub_cores, 7);
    ck_assert(facts.is_provisional);
    facts.monitors.buffer_bytes = 32;
    ck_assert(OpprofLiveMonitorsAreGood(&facts.monitors));
    OpprofChipFree(chip);
}
END_TEST

START_TEST(a_chip_without_monitors_says_so)
{
    OpprofChip *chip = load("910B");
    OpprofError *error = NULL;
    PerfmonFacts facts;

    ck_assert_int_eq(PerfmonFactsLoad(chip, &facts, &error), OPPROF_E_DATA);
    ck_assert_ptr_nonnull(strstr(OpprofErrorMessage(error), "'perfmon' is missing"));
    OpprofErrorDestroy(error);
    OpprofChipFree(chip);
}
END_TEST

static Suite *perfmon_facts_suite(void)
{
    Suite *suite = suite_create("perfmon_facts");
    TCase *tests = tcase_create("perfmon_facts");

    tcase_add_test(tests, registers_are_where_the_description_says);
    tcase_add_test(tests, a_chip_without_monitors_says_so);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(perfmon_facts_suite)
