/* SPDX-License-Identifier: Apache-2.0 */
/* What chip files say of raw records, and mistakes in it that no single member shows. */
#include <stdbool.h>

#include "tests/core/scratch.h"
#include "tests/core/suites.h"

#include <opprof/kit/pmu_facts.h>
#include <opprof/record.h>

#include <check.h>

/* Loads a chip whose section `pmu` is this; the first mistake without its file, or "". */
static const char *load(const char *pmu, OpprofPmuFacts *ret_facts)
{
    static char mistake[512];
    static int number;
    char file[2000], name[32];
    OpprofChip *chip = NULL;
    OpprofError *error = NULL;

    number++;
    snprintf(
        file, sizeof file,
        "{\"opprof_chip\": \"1.0\", \"series\": \"S%d\", \"socs\": {\"Soc%d\": {}}, \"pmu\": %s}",
        number, number, pmu);
    snprintf(name, sizeof name, "s%d.json", number);
    mkdir(in_scratch(name), 0700); /* files are read once for each value of the path */
    setenv("OPPROF_CHIP_PATH", in_scratch(name), 1);
    snprintf(name, sizeof name, "s%d.json/a.json", number);
    write_scratch(name, file, strlen(file));
    setenv("OPPROF_SYSTEM_CHIP_PATH", "", 1);
    snprintf(name, sizeof name, "Soc%d", number);
    mistake[0] = '\0';
    if (OpprofChipLoad(name, &chip, &error) != OPPROF_OK) {
        const char *line = OpprofErrorMessage(OpprofErrorCause(error));

        snprintf(mistake, sizeof mistake, "%s", strstr(line, " at ") + 4);
    } else {
        ck_assert_int_eq(OpprofPmuFactsRead(chip, ret_facts, NULL), OPPROF_OK);
    }
    OpprofErrorDestroy(error);
    OpprofChipFree(chip);
    return mistake;
}

START_TEST(what_is_stated_and_what_is_not)
{
    OpprofPmuFacts facts;

    make_scratch();
    ck_assert_str_eq(
        load("{\"kinds\": [{\"name\": \"cube\", \"type\": 0, \"slot\": 2}, {\"name\": \"vector\", "
             "\"type\": 1, \"label\": \"v\"}], \"defaults\": {\"scheduler_khz\": 50000}, "
             "\"records\": {\"counters\": {\"size\": 64, \"fields\": {\"block\": {\"at\": 4, "
             "\"bits\": 16}}, \"counters\": {\"at\": 16, \"count\": 6}, \"accept\": [0, 41], "
             "\"known\": {\"40\": \"tasks\"}}, \"task_log\": {\"size\": 16, \"task_types\": [0, "
             "2]}}}",
             &facts),
        "");
    ck_assert_uint_eq(facts.kind_count, 2);
    ck_assert_uint_eq(facts.kinds[0].slot, 2);
    ck_assert_uint_eq(facts.kinds[1].slot, OPPROF_NA_U32);
    ck_assert_str_eq(facts.kinds[1].label, "v");
    ck_assert(facts.scheduler_khz == 50000 && facts.rated_mhz == 0);
    ck_assert_uint_eq(facts.counters.accepted, UINT64_C(1) << 41 | 1);
    ck_assert_uint_eq(facts.counters.known, UINT64_C(1) << 40);
    ck_assert_uint_eq(facts.counters.slot_bits, 64);
    ck_assert_uint_eq(facts.counters.block.mask, 0xffff);
    ck_assert_uint_eq(facts.counters.cycles.mask, 0);
    ck_assert_uint_eq(facts.task_log.task_types, 5);
    ck_assert_uint_eq(facts.task_log.end, 1);
    ck_assert_str_eq(load("{}", &facts), "");
    ck_assert_uint_eq(facts.kind_count, 0);
    ck_assert_uint_eq(facts.counters.size, 0);
    ck_assert_uint_eq(facts.task_log.size, 0);
    ck_assert_str_eq(load("{\"kinds\": [{\"name\": \"core\"}]}", &facts), "");
    ck_assert_uint_eq(facts.kinds[0].type, OPPROF_NA_U64);
    remove_scratch();
}
END_TEST

#define COUNTERS(rest) "{\"records\": {\"counters\": {\"size\": 32, " rest "}}}"

START_TEST(mistakes_that_no_member_shows)
{
    static const char *const mistakes[][2] = {
        { "{\"kinds\": [{\"name\": \"a\", \"type\": 1}, {\"name\": \"b\"}]}",
          "/pmu/kinds: with several kinds each needs its 'type', but 'b' has none" },
        { COUNTERS("\"counters\": {\"at\": 8, \"count\": 4}"),
          "/pmu/records/counters/counters: 4 counters of 8 bytes from byte 8 on reach beyond the "
          "32 "
          "bytes of a record" },
        { COUNTERS("\"counters\": {\"at\": 8, \"count\": 2, \"bits\": 9}"),
          "/pmu/records/counters/counters/bits: counters have 8, 16, 24 … or 64 bits" },
        { COUNTERS("\"counters\": {\"at\": 8, \"count\": 2}, \"fields\": {\"block\": {\"at\": 0, "
                   "\"bits\": 33}}"),
          "/pmu/records/counters/fields: block, sub_block and core have at most 32 bits" },
        { COUNTERS("\"accept\": [1]"), "/pmu/records/counters: the member 'counters' is missing" },
    };
    OpprofPmuFacts facts;

    make_scratch();
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        ck_assert_str_eq(load(mistakes[i][0], &facts), mistakes[i][1]);
    }
    remove_scratch();
}
END_TEST

static Suite *pmu_facts_suite(void)
{
    Suite *suite = suite_create("pmu_facts");
    TCase *tcase = tcase_create("pmu_facts");

    tcase_add_test(tcase, what_is_stated_and_what_is_not);
    tcase_add_test(tcase, mistakes_that_no_member_shows);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(pmu_facts_suite)
