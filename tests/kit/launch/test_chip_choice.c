/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of kit/launch/chip_choice.c. */
#include <opprof/kit/chip.h>

#include "kit/facts/chip_file.h"
#include "tests/core/scratch.h"
#include "tests/core/suites.h"

static void make_chips(void)
{
    make_scratch();
    RawNamesForget();
    write_text("a.json",
               "{ \"opprof_chip\": \"1.0\", \"series\": \"Ash\", \"socs\": { \"Ash1\": {}, "
               "\"Ash2\": {} } }");
    write_text("b.json",
               "{ \"opprof_chip\": \"1.0\", \"series\": \"Elm\", \"socs\": { \"Elm1\": {} } }");
    setenv("OPPROF_CHIP_PATH", scratch, 1);
    setenv("OPPROF_SYSTEM_CHIP_PATH", "", 1);
}

START_TEST(auto_is_auto_in_any_case)
{
    ck_assert(OpprofChipIsAuto(NULL));
    ck_assert(OpprofChipIsAuto("auto"));
    ck_assert(OpprofChipIsAuto("AUTO"));
    ck_assert(OpprofChipIsAuto("Auto"));
    ck_assert(!OpprofChipIsAuto(""));
    ck_assert(!OpprofChipIsAuto("automatic"));
}
END_TEST

/* What is asked for, what the data names, and the chip that is chosen; is_other: the data names
 * another. */
static const struct {
    const char *asked;
    const char *soc;
    const char *chosen;
    bool is_other;
} choices[] = {
    { "auto", "Ash2", "Ash2", false }, { "AUTO", "ash2", "Ash2", false },
    { NULL, "Elm1", "Elm1", false },   { "Ash", NULL, "Ash1", false },
    { "Ash", "", "Ash1", false },      { "Ash", "Ash2", "Ash2", false },
    { "ash", "Ash1", "Ash1", false },  { "Ash", "Elm1", "Ash1", true },
    { "Ash", "Oak1", "Ash1", true },   { "Ash1", "Ash2", "Ash1", true },
    { "Ash2", "Ash2", "Ash2", false }, { "ash2", "ASH2", "Ash2", false },
    { "Ash2", NULL, "Ash2", false },
};

START_TEST(the_soc_of_the_data_is_taken_within_the_series_that_was_asked_for)
{
    make_chips();
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++) {
        OpprofChip *chip = NULL;
        bool is_other = !choices[i].is_other;

        ck_assert_int_eq(OpprofChipChoose(choices[i].asked, choices[i].soc, &chip, &is_other, NULL),
                         OPPROF_OK);
        ck_assert_str_eq(OpprofChipSoc(chip), choices[i].chosen);
        ck_assert_msg(is_other == choices[i].is_other, "choice %zu", i);
        OpprofChipFree(chip);
    }
    remove_scratch();
}
END_TEST

static void refuse(const char *asked, const char *soc, OpprofStatus wanted, const char *why)
{
    OpprofChip *chip = NULL;
    OpprofError *error = NULL;

    ck_assert_int_eq(OpprofChipChoose(asked, soc, &chip, NULL, &error), wanted);
    ck_assert_ptr_null(chip);
    char *text = OpprofErrorText(error, false);
    ck_assert_msg(strstr(text, why) != NULL, "%s", text);
    free(text);
    OpprofErrorDestroy(error);
}

START_TEST(what_names_no_chip_asks_for_one)
{
    make_chips();
    refuse("auto", NULL, OPPROF_E_DATA, "does not name its SoC");
    refuse("Auto", "", OPPROF_E_DATA, "such as chip=");
    refuse("auto", "Oak1", OPPROF_E_NOT_FOUND, "such as chip=");
    refuse("Oak", "Ash1", OPPROF_E_NOT_FOUND, "Oak");
    remove_scratch();
}
END_TEST

static Suite *chip_choice_suite(void)
{
    Suite *suite = suite_create("chip_choice");
    TCase *tcase = tcase_create("chip_choice");

    suite_add_tcase(suite, tcase);
    tcase_add_test(tcase, auto_is_auto_in_any_case);
    tcase_add_test(tcase, the_soc_of_the_data_is_taken_within_the_series_that_was_asked_for);
    tcase_add_test(tcase, what_names_no_chip_asks_for_one);
    return suite;
}
TEST_SUITE(chip_choice_suite)
