/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of kit/facts/chip.c and chips.c. */
#include <opprof/kit/chip.h>

#include "kit/facts/chip_file.h"
#include "tests/core/base/failing_alloc.h"
#include "tests/core/scratch.h"
#include "tests/core/suites.h"

#include <jansson.h>
#include <opprof/log.h>
#include <pthread.h>
#include <unistd.h>

#define DATA TEST_DATA_DIR "/chips/"
/* A good file but for its end. */
#define HEAD "{ \"opprof_chip\": \"1.0\", \"series\": \"S\", \"socs\": { \"Soc\": {} }"

static char warnings[8192];

static void keep_warning(void *context, OpprofLogLevel level, const char *line)
{
    (void) context;
    (void) level;
    const size_t used = strlen(warnings);
    snprintf(warnings + used, sizeof warnings - used, "%s\n", line);
}

static void prepare(void)
{
    make_scratch();
    ChipsForget();
    warnings[0] = '\0';
    OpprofLogSetSink(keep_warning, NULL);
    setenv("OPPROF_CHIP_PATH", DATA "installed", 1);
    setenv("OPPROF_SYSTEM_CHIP_PATH", "", 1);
}

static OpprofChip *load(const char *name)
{
    OpprofChip *chip = NULL;
    OpprofError *error = NULL;

    if (OpprofChipLoad(name, &chip, &error) != OPPROF_OK) {
        ck_abort_msg("%s", OpprofErrorText(error, false));
    }
    return chip;
}

/* Loading must fail with this status, and with both parts in the error's text. */
static void refuse(const char *name, OpprofStatus wanted, const char *part, const char *other_part)
{
    OpprofError *error = NULL;
    OpprofChip *chip = (OpprofChip *) &error;

    ck_assert_int_eq(OpprofChipLoad(name, &chip, &error), wanted);
    ck_assert_ptr_null(chip);
    ck_assert_int_eq(OpprofErrorStatus(error), wanted);
    char *text = OpprofErrorText(error, false);
    if (strstr(text, part) == NULL || strstr(text, other_part) == NULL) {
        ck_abort_msg("'%s' lacks '%s' or '%s'", text, part, other_part);
    }
    free(text);
    OpprofErrorDestroy(error);
}

static double number(const OpprofChip *chip, const char *path)
{
    double value = -1;
    ck_assert_msg(OpprofChipNumber(chip, path, &value), "no number at '%s'", path);
    return value;
}

START_TEST(a_soc_is_found_whatever_its_case)
{
    static const char *const names[] = { "Test100B1", "TEST100B1", "test100b1" };

    for (size_t i = 0; i < 3; i++) {
        OpprofChip *chip = load(names[i]);
        ck_assert_str_eq(OpprofChipSoc(chip), "Test100B1"); /* as the file spells it */
        ck_assert_str_eq(OpprofChipSeries(chip), "T100");
        ck_assert_uint_eq(OpprofChipClock(chip, "core"), 1850000000);
        OpprofChipFree(chip);
    }
    ck_assert_str_eq(warnings, "");
}
END_TEST

START_TEST(a_series_means_its_default_soc)
{
    OpprofChip *chip = load("t100");

    ck_assert_str_eq(OpprofChipSoc(chip), "Test100B2");
    OpprofChipFree(chip);
    chip = load("T200"); /* names none: the first */
    ck_assert_str_eq(OpprofChipSoc(chip), "Test200A");
    OpprofChipFree(chip);
}
END_TEST

START_TEST(facts_are_found_by_dotted_path)
{
    OpprofChip *chip = load("Test100B1");
    double unchanged = 7;
    char longest[400];

    ck_assert_str_eq(OpprofChipText(chip, "simulator.pair_by.mode"), "pc");
    ck_assert_str_eq(OpprofChipText(chip, "nick"), "Training 100");
    ck_assert_double_eq(number(chip, "caches.l2.bytes"), 201326592);
    ck_assert_double_eq(number(chip, "clocks.slow"), 0.032768);
    ck_assert(OpprofChipBool(chip, "simulator.pair_by.strict", false));
    ck_assert(OpprofChipBool(chip, "simulator.absent", true));
    ck_assert(!OpprofChipBool(chip, "simulator.absent", false));
    ck_assert(!OpprofChipBool(chip, "nick", false)); /* of another type: as if absent */
    ck_assert_ptr_null(OpprofChipText(chip, "simulator"));
    ck_assert_ptr_null(OpprofChipText(chip, "simulator.pair_by.mode.deeper"));
    ck_assert_ptr_null(OpprofChipText(chip, "cores.cubes"));
    ck_assert_ptr_null(OpprofChipText(chip, ""));
    ck_assert_ptr_null(OpprofChipText(chip, "."));
    ck_assert_ptr_null(OpprofChipText(chip, "simulator..style"));
    ck_assert(!OpprofChipNumber(chip, "nick", &unchanged));
    ck_assert(!OpprofChipNumber(chip, "cores.absent", &unchanged));
    ck_assert_double_eq(unchanged, 7);
    memset(longest, 'k', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    ck_assert_ptr_null(OpprofChipText(chip, longest));
    OpprofChipFree(chip);
    OpprofChipFree(NULL);
}
END_TEST

START_TEST(a_soc_overrides_its_series)
{
    OpprofChip *chip = load("Test100B2");

    ck_assert_uint_eq(OpprofChipClock(chip, "core"), 1650500000);
    ck_assert_uint_eq(OpprofChipClock(chip, "counter"), 50000000);
    ck_assert_uint_eq(OpprofChipClock(chip, "slow"), 32768);
    ck_assert_uint_eq(OpprofChipClock(chip, "absent"), 0);
    ck_assert_uint_eq(OpprofChipClock(chip, "_note"), 0);
    ck_assert_str_eq(OpprofChipText(chip, "simulator.pair_by.mode"), "id");
    ck_assert(OpprofChipBool(chip, "simulator.pair_by.strict", false)); /* the rest stays */
    OpprofChipFree(chip);
    chip = load("Test100B3");
    ck_assert_str_eq(OpprofChipText(chip, "nick"), "Training 100 Lite");
    ck_assert_double_eq(number(chip, "cores.vectors"), 20);
    ck_assert_double_eq(number(chip, "cores.cubes"), 20);
    OpprofChipFree(chip);
}
END_TEST

START_TEST(a_file_is_laid_over_what_it_extends)
{
    OpprofChip *chip = load("Test200A");

    ck_assert_str_eq(OpprofChipSeries(chip), "T200");
    ck_assert_uint_eq(OpprofChipClock(chip, "core"), 2000000000);
    ck_assert_uint_eq(OpprofChipClock(chip, "counter"), 100000000); /* the SoC's own */
    ck_assert_str_eq(OpprofChipText(chip, "simulator.pair_by.mode"), "order");
    ck_assert(OpprofChipBool(chip, "simulator.pair_by.strict", false));
    ck_assert_ptr_null(OpprofChipText(chip, "simulator.style")); /* null takes it away */
    ck_assert_double_eq(number(chip, "caches.l2.line"), 128);
    OpprofChipFree(chip);
}
END_TEST

START_TEST(the_first_directory_wins)
{
    setenv("OPPROF_CHIP_PATH", DATA "lab::/nonexistent:" DATA "installed", 1);
    OpprofChip *chip = load("Test100B1");
    ck_assert_str_eq(OpprofChipSoc(chip), "test100b1");
    ck_assert_uint_eq(OpprofChipClock(chip, "core"), 900000000);
    ck_assert_uint_eq(OpprofChipClock(chip, "counter"), 50000000); /* of the file that it extends */
    ck_assert_double_eq(number(chip, "cores.cubes"), 1);
    OpprofChipFree(chip);
    chip = load("Test100B2"); /* only the installed file serves it */
    ck_assert_uint_eq(OpprofChipClock(chip, "core"), 1650500000);
    OpprofChipFree(chip);
    ck_assert_str_eq(warnings, "");
    setenv("OPPROF_CHIP_PATH", DATA "installed:" DATA "lab", 1);
    chip = load("test100b1");
    ck_assert_uint_eq(OpprofChipClock(chip, "core"), 1850000000);
    OpprofChipFree(chip);
}
END_TEST

START_TEST(an_unknown_name_is_answered_with_the_nearest)
{
    refuse("", OPPROF_E_NOT_FOUND, "''", "hint"); /* while no file has been read */
    refuse("Test100B9", OPPROF_E_NOT_FOUND, "No chip file serves 'Test100B9'",
           "Did you mean 'Test100B");
    refuse("T20", OPPROF_E_NOT_FOUND, "hint: Did you mean 'T200'?", "");
    refuse("Ascend", OPPROF_E_NOT_FOUND, "hint: Name a SoC such as", "OPPROF_CHIP_PATH");
    refuse("", OPPROF_E_NOT_FOUND, "''", "hint");
    refuse("_retired", OPPROF_E_NOT_FOUND, "No chip file serves '_retired'", ""); /* a comment */
    setenv("OPPROF_CHIP_PATH", "/nonexistent", 1);
    refuse("Test100B1", OPPROF_E_NOT_FOUND, "There is no chip file in '/nonexistent'",
           "set OPPROF_CHIP_PATH");
    setenv("OPPROF_SYSTEM_CHIP_PATH", "/neither", 1);
    refuse("Test100B1", OPPROF_E_NOT_FOUND, "There is no chip file in '/nonexistent:/neither'", "");
    unsetenv("OPPROF_CHIP_PATH");
    refuse("Test100B1", OPPROF_E_NOT_FOUND, "There is no chip file in '/neither'", "");
}
END_TEST

START_TEST(a_directory_that_cannot_be_listed_costs_a_warning)
{
    char place[PATH_MAX + 16];

    write_text("file", "not a directory");
    snprintf(place, sizeof place, "%s/file", scratch);
    setenv("OPPROF_CHIP_PATH", place, 1);
    refuse("Test100B1", OPPROF_E_NOT_FOUND, "There is no chip file in", "/file");
    ck_assert_ptr_nonnull(strstr(warnings, "/file': Not a directory, going on without it"));
}
END_TEST

START_TEST(files_that_extend_each_other_are_refused)
{
    setenv("OPPROF_CHIP_PATH", DATA "circular", 1);
    refuse("Circular1", OPPROF_E_DATA,
           "c3.json' at '/extends': the series 'C1' extends this one in turn", "");
    write_text("self.json", HEAD ", \"extends\": \"S\" }");
    setenv("OPPROF_CHIP_PATH", scratch, 1);
    refuse("Soc", OPPROF_E_DATA, "the series 'S' extends this one in turn", "self.json");
}
END_TEST

START_TEST(endless_lines_of_descent_are_refused)
{
    for (int i = 0; i < 30; i++) {
        char name[32];
        char text[128];
        snprintf(name, sizeof name, "l%d.json", i);
        snprintf(text, sizeof text,
                 "{\"opprof_chip\":\"1.0\",\"series\":\"L%d\",\"extends\":\"L%d\",\"socs\":{\"Soc%"
                 "d\":{}}}",
                 i, i + 1, i);
        write_text(name, text);
    }
    setenv("OPPROF_CHIP_PATH", scratch, 1);
    refuse("Soc0", OPPROF_E_DATA, "more than 16 files extend one another", "l0.json");
    refuse("Soc29", OPPROF_E_DATA, "no chip file has the series 'L30'", "l29.json");
}
END_TEST

/* ---- facts that chips share ---- */

#define FACTS "{ \"opprof_facts\": \"1.0\", \"name\": \"common\", \"pmu\": { \"a\": 1, \"b\": 1 } }"
#define MORE_FACTS                                                                                 \
    "{ \"opprof_facts\": \"1.0\", \"name\": \"more\", \"uses\": [\"common\"], \"pmu\": { \"b\": "  \
    "2 } }"

START_TEST(a_chip_is_laid_over_the_facts_that_it_uses)
{
    write_text("chip.json", HEAD ", \"uses\": [\"more\"], \"pmu\": { \"c\": 3 } }");
    write_text("common.json", FACTS);
    write_text("more.json", MORE_FACTS);
    setenv("OPPROF_CHIP_PATH", scratch, 1);
    OpprofChip *chip = load("Soc");
    ck_assert_double_eq(number(chip, "pmu.a"), 1);
    ck_assert_double_eq(number(chip, "pmu.b"), 2);
    ck_assert_double_eq(number(chip, "pmu.c"), 3);
    ck_assert_str_eq(OpprofChipOrigin(chip, "pmu.a"), in_scratch("common.json"));
    ck_assert_str_eq(OpprofChipOrigin(chip, "pmu.b"), in_scratch("more.json"));
    ck_assert_str_eq(warnings, "");
    OpprofChipFree(chip);
}
END_TEST

/* The file is that of the nearest fact around; without one, the SoC tells. */
static void check_refusal(const OpprofChip *chip, const char *path, const char *file,
                          const char *pointer)
{
    OpprofError *error = NULL;
    char line[512];

    ck_assert_int_eq(OpprofChipRefuse(chip, path, &error, "%d are too many", 3), OPPROF_E_DATA);
    snprintf(line, sizeof line, "%s at %s: 3 are too many",
             file == NULL ? "Chip 'Soc'" : in_scratch(file), pointer);
    ck_assert_str_eq(OpprofErrorMessage(error), line);
    OpprofErrorDestroy(error);
}

START_TEST(what_refuses_a_fact_names_its_file_and_place)
{
    write_text("chip.json", HEAD ", \"uses\": [\"more\"], \"pmu\": { \"c\": { \"d\": [3] } } }");
    write_text("common.json", FACTS);
    write_text("more.json", MORE_FACTS);
    setenv("OPPROF_CHIP_PATH", scratch, 1);
    OpprofChip *chip = load("Soc");
    check_refusal(chip, "pmu.a", "common.json", "/pmu/a");
    check_refusal(chip, "pmu.b", "more.json", "/pmu/b");
    check_refusal(chip, "pmu.c.d[0].e", "chip.json", "/pmu/c/d/0/e");
    check_refusal(chip, "pmu.c.none.deeper", "chip.json", "/pmu/c/none/deeper");
    check_refusal(chip, "dbi.area", NULL, "/dbi/area");
    OpprofChipFree(chip);
}
END_TEST

START_TEST(facts_of_a_parent_lie_below_it)
{
    write_text("child.json", HEAD ", \"extends\": \"P\" }");
    write_text("parent.json", "{ \"opprof_chip\": \"1.0\", \"series\": \"P\", \"uses\": "
                              "[\"common\"], \"pmu\": { \"a\": 7 } }");
    write_text("common.json", FACTS);
    setenv("OPPROF_CHIP_PATH", scratch, 1);
    OpprofChip *chip = load("Soc");
    ck_assert_double_eq(number(chip, "pmu.a"), 7);
    ck_assert_double_eq(number(chip, "pmu.b"), 1);
    OpprofChipFree(chip);
}
END_TEST

START_TEST(facts_that_no_file_has_cost_a_warning)
{
    write_text("chip.json", HEAD ", \"uses\": [\"gone\"], \"pmu\": { \"a\": 1 } }");
    setenv("OPPROF_CHIP_PATH", scratch, 1);
    OpprofChip *chip = load("Soc");
    ck_assert_double_eq(number(chip, "pmu.a"), 1);
    ck_assert_ptr_nonnull(strstr(warnings, "chip.json' uses the facts 'gone', which no file has"));
    OpprofChipFree(chip);
}
END_TEST

START_TEST(facts_may_be_extended_but_must_be_there_then)
{
    write_text("chip.json", HEAD ", \"extends\": \"common\" }");
    setenv("OPPROF_CHIP_PATH", scratch, 1);
    refuse("Soc", OPPROF_E_DATA, "no chip file has the series 'common'", "chip.json");
    write_text("common.json", FACTS);
    ChipsForget();
    OpprofChip *chip = load("Soc");
    ck_assert_double_eq(number(chip, "pmu.a"), 1);
    OpprofChipFree(chip);
}
END_TEST

START_TEST(facts_are_no_chip)
{
    char **names = NULL;

    write_text("common.json", FACTS);
    write_text("odd.json", "{ \"opprof_facts\": \"1.0\", \"name\": \"odd\", \"socs\": {} }");
    setenv("OPPROF_CHIP_PATH", scratch, 1);
    ck_assert_uint_eq(OpprofChipSeriesList(&names), 0);
    refuse("common", OPPROF_E_NOT_FOUND, "No chip file serves 'common'",
           "facts that chips use have no member 'socs'");
}
END_TEST

/* A broken file, alone in its directory, must be refused with these words. */
static void check_broken(const char *text, const char *part)
{
    write_text("broken.json", text);
    ChipsForget();
    setenv("OPPROF_CHIP_PATH", scratch, 1);
    refuse("Soc", OPPROF_E_DATA, "Cannot load the chip 'Soc': its file is broken", part);
}

START_TEST(faults_are_told_with_file_and_member)
{
    check_broken(HEAD ", \"clocks\": { \"core\": \"fast\" } }",
                 "broken.json' at '/clocks/core': expected a number of MHz, found a string");
    check_broken(HEAD ", \"clocks\": { \"core\": 0 } }", "at '/clocks/core': a clock is above 0");
    check_broken(HEAD ", \"clocks\": { \"core\": -1 } }", "at '/clocks/core': a clock is above 0");
    check_broken(HEAD ", \"clocks\": { \"core\": 1000001 } }", "at most 1000000 MHz");
    check_broken(HEAD ", \"clocks\": { \"core\": 1e-9 } }", "a clock is above 0");
    check_broken(HEAD ", \"clocks\": { \"core\": true } }", "found a truth value");
    check_broken(HEAD ", \"clocks\": [] }", "at '/clocks': expected an object, found an array");
    check_broken(HEAD ", \"cores\": 5 }", "at '/cores': expected an object, found a number");
    check_broken(HEAD ", \"nick\": null }", "at '/nick': expected a string, found null");
    check_broken(HEAD ", \"nick\": \"\" }", "at '/nick': the text is empty");
    check_broken(HEAD ", \"extends\": {} }", "at '/extends': expected a string, found an object");
    check_broken(HEAD ", \"uses\": \"more\" }", "at '/uses': expected an array of names");
    check_broken(HEAD ", \"uses\": [1] }", "at '/uses': expected a string, found a number");
    check_broken(HEAD ", \"name\": \"x\" }", "chips have no member 'name'");
    check_broken(HEAD ", \"default_soc\": \"Sock\" }",
                 "at '/default_soc': this SoC is not among those in '/socs'");
    check_broken(HEAD ", \"clokcs\": {} }", "Did you mean 'clocks'?");
    check_broken(HEAD ", \"something\": 5 }",
                 "at '/something': expected an object, found a number");
    check_broken(HEAD ", \"a~b/c\": 5 }", "at '/a~0b~1c'");
    check_broken("{ \"opprof_chip\": \"2.0\", \"series\": \"S\", \"socs\": { \"Soc\": {} } }",
                 "at '/opprof_chip': this format version is unknown");
    check_broken("{ \"opprof_chip\": 1, \"series\": \"S\", \"socs\": { \"Soc\": {} } }",
                 "at '/opprof_chip': expected the string \"1.0\", found a number");
    check_broken("{ \"opprof_chip\": \"1.0\", \"socs\": { \"Soc\": {} } }",
                 "the member 'series' is missing");
    check_broken("{ \"series\": \"S\", \"socs\": { \"Soc\": {} } }",
                 "the member 'opprof_chip' is missing");
}
END_TEST

START_TEST(faults_in_a_soc_are_told_with_their_place)
{
    check_broken("{ \"opprof_chip\": \"1.0\", \"series\": \"S\", \"socs\": { \"Soc\": { "
                 "\"clocks\": { \"a/b\": [] } } } }",
                 "at '/socs/Soc/clocks/a~1b': expected a number of MHz, found an array");
    check_broken("{ \"opprof_chip\": \"1.0\", \"series\": \"S\", \"socs\": { \"Soc\": 5 } }",
                 "at '/socs/Soc': expected an object, found a number");
    check_broken("{ \"opprof_chip\": \"1.0\", \"series\": \"S\", \"socs\": { \"Soc\": { "
                 "\"series\": \"X\" } } }",
                 "at '/socs/Soc/series': a SoC has no such member");
    check_broken(
        "{ \"opprof_chip\": \"1.0\", \"series\": \"S\", \"socs\": { \"Soc\": { \"core\": {} } } }",
        "Did you mean 'cores'?");
}
END_TEST

START_TEST(a_broken_file_does_not_hide_the_others)
{
    write_text("a.json", "{ \"opprof_chip\": \"1.0\", \"series\": \"A\", \"socs\": {");
    write_text("b.json", "{ \"opprof_chip\": \"1.0\", \"series\": 5 }");
    write_text("not-a-chip.txt", "{");
    write_text(".hidden.json", "{");
    ck_assert_int_eq(mkdir(in_scratch("directory.json"), 0700), 0);
    char path[2 * PATH_MAX];
    snprintf(path, sizeof path, "%s:%s", scratch, DATA "installed");
    setenv("OPPROF_CHIP_PATH", path, 1);
    OpprofChipFree(load("Test200B"));
    ck_assert_ptr_nonnull(strstr(warnings, "/a.json' line 1, column"));
    ck_assert_ptr_nonnull(strstr(warnings,
                                 "/b.json' at '/series': expected a string, found a number, "
                                 "going on without this file"));
    ck_assert_ptr_nonnull(strstr(warnings, "/directory.json': it is a directory"));
    ck_assert_ptr_null(strstr(warnings, "not-a-chip"));
    ck_assert_ptr_null(strstr(warnings, "hidden"));
    /* What is not found may be in one of them. */
    refuse("Test300", OPPROF_E_NOT_FOUND, "No chip file serves 'Test300', but 3 of 5 are broken",
           "/b.json' at '/series'");
    refuse("Test300", OPPROF_E_NOT_FOUND, "/a.json' line 1", "/directory.json'");
}
END_TEST

START_TEST(a_broken_file_that_may_be_the_chips_own_is_an_error)
{
    static const char *const texts[] = {
        "{ \"opprof_chip\": ", /* cut before it says what it is of */
        "{ \"opprof_chip\": \"1.0\", \"series\" : \"t200\", \"extends\": \"T200\", ",
        "{ \"opprof_chip\": \"1.0\", \"series\": \"X\", \"socs\": { \"test200b\": { } }, ]",
        "{ \"opprof_chip\": \"1.0\", \"series\": \"X\", \"socs\": { \"Test200B\": 5 } }",
    };
    char path[2 * PATH_MAX];

    snprintf(path, sizeof path, "%s:%s", scratch, DATA "installed");
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        setenv("OPPROF_CHIP_PATH", path, 1);
        write_text("a.json", texts[i]);
        ChipsForget();
        refuse("Test200B", OPPROF_E_DATA, "may state its facts, but is broken", "/a.json'");
    }
    /* Another chip's file is left out, and so is one that would not be used in
     * place of a good one. */
    write_text("a.json", "{ \"opprof_chip\": \"1.0\", \"series\": \"X\", \"extends\": \"T200\", ");
    ChipsForget();
    OpprofChipFree(load("Test200B"));
    write_text("a.json", texts[1]);
    snprintf(path, sizeof path, "%s:%s", DATA "installed", scratch);
    setenv("OPPROF_CHIP_PATH", path, 1);
    ChipsForget();
    OpprofChipFree(load("Test200B"));
}
END_TEST

/* Of the installed ones only what is needed. */
static void install_in_scratch(void)
{
    setenv("OPPROF_CHIP_PATH", "", 1);
    setenv("OPPROF_SYSTEM_CHIP_PATH", scratch, 1);
}

START_TEST(installed_files_that_a_chip_does_not_need_are_not_parsed)
{
    write_text("a.json", "{ \"opprof_chip\": \"1.0\", \"series\": \"A\", \"socs\": {");
    write_text("b.json", HEAD ", \"uses\": [ \"Shared\" ] }");
    write_text("c.json",
               "{ \"opprof_facts\": \"1.0\", \"name\" : \"Shared\", \"peaks\": { \"x\": 7 } }");
    write_text("d.json", "{ \"opprof_chip\": \"1.0\", \"series\": \"Shared\", \"sox\": 0 }");
    install_in_scratch();
    OpprofChip *chip = load("sOC");
    ck_assert_str_eq(OpprofChipSoc(chip), "Soc");
    ck_assert_double_eq(number(chip, "peaks.x"), 7);
    OpprofChipFree(chip);
    ck_assert_str_eq(warnings, "");
    refuse("Other", OPPROF_E_NOT_FOUND, "/a.json' line 1", "/d.json'");
}
END_TEST

START_TEST(members_are_found_as_they_are_spelled)
{
    char **names = NULL;

    write_text("a.json", HEAD ", \"extras\": { \"topSpeed\": 7 } }");
    install_in_scratch();
    ck_assert_uint_eq(OpprofChipSeriesStating("extras.topSpeed", &names), 1);
    ck_assert_str_eq(names[0], "S");
    free(names[0]);
    free(names);
    ck_assert_uint_eq(OpprofChipSeriesStating("extras.topspeed", &names), 0);
}
END_TEST

START_TEST(names_with_escapes_are_found)
{
    write_text("a.json", "{ \"opprof_chip\": \"1.0\", \"series\": \"T\", \"extends\": \"p\", "
                         "\"uses\": [ \"shared\" ], \"socs\": { \"\\u0053oc\": {} } }");
    write_text("b.json",
               "{ \"opprof_chip\": \"1.0\", \"series\": \"\\u0050\", \"peaks\": { \"y\": 2 } }");
    write_text(
        "c.json",
        "{ \"opprof_facts\": \"1.0\", \"name\": \"sh\\u0061red\", \"peaks\": { \"x\": 7 } }");
    install_in_scratch();
    OpprofChip *chip = load("Soc");
    ck_assert_double_eq(number(chip, "peaks.x"), 7);
    ck_assert_double_eq(number(chip, "peaks.y"), 2);
    OpprofChipFree(chip);
    ck_assert_str_eq(warnings, "");
}
END_TEST

START_TEST(a_good_file_is_not_taken_in_place_of_a_broken_one)
{
    static const char broken[] = "{ \"opprof_chip\": \"1.0\", \"series\": \"T100\", \"sox\": 0, "
                                 "\"socs\": { \"Test100B1\": {} } }";
    write_text("a.json", broken);
    char path[2 * PATH_MAX];
    snprintf(path, sizeof path, "%s:%s", scratch, DATA "installed");
    setenv("OPPROF_CHIP_PATH", path, 1);
    refuse("Test100B1", OPPROF_E_DATA, "may state its facts, but is broken",
           "at '/sox': expected an object, found a number");
}
END_TEST

START_TEST(a_broken_parent_is_named)
{
    write_text("child.json", HEAD ", \"extends\": \"P\" }");
    write_text("parent.json", "{ \"opprof_chip\": \"1.0\", \"series\": \"P\", \"cores\": 1 }");
    setenv("OPPROF_CHIP_PATH", scratch, 1);
    refuse("Soc", OPPROF_E_DATA, "child.json' at '/extends': no chip file has the series 'P'",
           "because: Chip file");
    refuse("Soc", OPPROF_E_DATA, "parent.json' at '/cores'", "");
}
END_TEST

START_TEST(every_truncation_of_a_file_is_survived)
{
    size_t size = 0;
    char *text = read_whole(DATA "installed/t100.json", &size);

    setenv("OPPROF_CHIP_PATH", scratch, 1);
    while (text[size - 1] == '\n') {
        size--;
    }
    for (size_t length = 0; length <= size; length++) {
        OpprofChip *chip = NULL;
        write_scratch("t.json", text, length);
        ChipsForget();
        const OpprofStatus status = OpprofChipLoad("Test100B1", &chip, NULL);
        ck_assert_int_eq(status, length < size ? OPPROF_E_NOT_FOUND : OPPROF_OK);
        OpprofChipFree(chip);
    }
    free(text);
}
END_TEST

START_TEST(files_are_read_once_and_chips_are_shared)
{
    write_text("s.json", HEAD " }");
    setenv("OPPROF_CHIP_PATH", scratch, 1);
    OpprofChip *first = load("Soc");
    char *path = NULL;
    ck_assert_int_ge(asprintf(&path, "%s/s.json", scratch), 0);
    ck_assert_int_eq(unlink(path), 0);
    OpprofChip *second = load("soc");
    ck_assert_ptr_eq(first, second);
    OpprofChipFree(first);
    ck_assert_str_eq(OpprofChipSoc(second), "Soc");
    /* What is loaded stays good when all is forgotten. */
    ChipsForget();
    ck_assert_str_eq(OpprofChipSoc(second), "Soc");
    OpprofChipFree(second);
    refuse("Soc", OPPROF_E_NOT_FOUND, "No chip file serves 'Soc'", "");
    free(path);
}
END_TEST

#define LOADS 200

static void *load_often(void *unused)
{
    for (int i = 0; i < LOADS; i++) {
        char **names = NULL;
        OpprofChip *chip = load(i % 2 == 0 ? "Test200A" : "Test100B1");
        ck_assert(number(chip, "clocks.core") > 0);
        OpprofChipFree(chip);
        const size_t count = OpprofChipList(&names);
        ck_assert_uint_eq(count, 5);
        for (size_t k = 0; k < count; k++) {
            free(names[k]);
        }
        free(names);
    }
    return unused;
}

START_TEST(many_threads_load_the_same_chips)
{
    pthread_t threads[4];

    for (size_t i = 0; i < 4; i++) {
        ck_assert_int_eq(pthread_create(&threads[i], NULL, load_often, NULL), 0);
    }
    for (size_t i = 0; i < 4; i++) {
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
    }
}
END_TEST

START_TEST(the_list_is_sorted_and_without_repetition)
{
    static const char *const wanted[] = { "test100b1", "Test100B2", "Test100B3", "Test200A",
                                          "Test200B" };
    char **names = NULL;

    setenv("OPPROF_CHIP_PATH", DATA "lab:" DATA "installed", 1);
    const size_t count = OpprofChipList(&names);
    ck_assert_uint_eq(count, 5);
    for (size_t i = 0; i < count; i++) {
        if (i == 0) {
            ck_assert_int_eq(strcasecmp(names[i], wanted[i]), 0);
        } else {
            ck_assert_str_eq(names[i], wanted[i]);
        }
        free(names[i]);
    }
    free(names);
    setenv("OPPROF_CHIP_PATH", "/nonexistent", 1);
    names = (char **) &names;
    ck_assert_uint_eq(OpprofChipList(&names), 0);
    ck_assert_ptr_null(names);
}
END_TEST

START_TEST(the_list_of_series_names_each_once)
{
    static const char *const wanted[] = { "T100", "T200" };
    char **names = NULL;

    setenv("OPPROF_CHIP_PATH", DATA "lab:" DATA "installed", 1);
    const size_t count = OpprofChipSeriesList(&names);
    ck_assert_uint_eq(count, 2);
    for (size_t i = 0; i < count; i++) {
        ck_assert_int_eq(strcasecmp(names[i], wanted[i]), 0);
        free(names[i]);
    }
    free(names);
    setenv("OPPROF_CHIP_PATH", "/nonexistent", 1);
    names = (char **) &names;
    ck_assert_uint_eq(OpprofChipSeriesList(&names), 0);
    ck_assert_ptr_null(names);
}
END_TEST

/* Of files that state a fact, extend such a file, or use such facts; others speak of it elsewhere,
 * or of something else. */
static void write_stating_files(void)
{
    write_text("a.json",
               "{ \"opprof_chip\": \"1.0\", \"series\": \"States\", \"socs\": { \"A1\": {} }, "
               "\"simulator\": { \"logs\": {} } }");
    write_text("b.json",
               "{ \"opprof_chip\": \"1.0\", \"series\": \"Extends\", \"extends\": \"states\", "
               "\"socs\": { \"B1\": {} } }");
    write_text(
        "c.json",
        "{ \"opprof_facts\": \"1.0\", \"name\": \"shared\", \"simulator\": { \"logs\": {} } }");
    write_text("d.json",
               "{ \"opprof_facts\": \"1.0\", \"name\": \"more\", \"uses\": [\"shared\"] }");
    write_text("e.json", "{ \"opprof_chip\": \"1.0\", \"series\": \"Uses\", \"uses\": [\"more\"], "
                         "\"socs\": { \"E1\": {} } }");
    write_text("f.json",
               "{ \"opprof_chip\": \"1.0\", \"series\": \"OfOne\", \"socs\": { \"F1\": {}, "
               "\"F2\": { \"simulator\": { \"logs\": {} } } } }");
    write_text("g.json",
               "{ \"opprof_chip\": \"1.0\", \"series\": \"Elsewhere\", \"socs\": { \"G1\": {} }, "
               "\"pmu\": { \"logs\": {} } }");
    write_text("h.json",
               "{ \"opprof_chip\": \"1.0\", \"series\": \"Silent\", \"socs\": { \"H1\": {} } }");
}

/* A loop: installed files are looked through, one's own are read. */
START_TEST(series_that_state_something_are_found)
{
    static const char *const wanted[] = { "Extends", "OfOne", "States", "Uses" };
    char **names = NULL;

    write_stating_files();
    setenv("OPPROF_CHIP_PATH", _i == 0 ? "" : scratch, 1);
    setenv("OPPROF_SYSTEM_CHIP_PATH", _i == 0 ? scratch : "", 1);
    const size_t count = OpprofChipSeriesStating("simulator.logs", &names);
    ck_assert_uint_eq(count, 4);
    for (size_t i = 0; i < count; i++) {
        ck_assert_str_eq(names[i], wanted[i]);
        free(names[i]);
    }
    free(names);
    ck_assert_uint_eq(OpprofChipSeriesStating("simulator.lgs", &names), 0);
    ck_assert_ptr_null(names);
}
END_TEST

START_TEST(every_failing_allocation_is_survived)
{
    json_set_alloc_funcs(__wrap_malloc, free);
    for (long n = 1;; n++) {
        OpprofChip *chip = NULL;
        OpprofError *error = NULL;
        char **names = NULL;
        ChipsForget();
        fail_allocation(n);
        const OpprofStatus status = OpprofChipLoad("Test200A", &chip, &error);
        const size_t count = OpprofChipList(&names);
        char **stating = NULL;
        for (size_t i = OpprofChipSeriesStating("cores", &stating); i > 0; i--) {
            free(stating[i - 1]);
        }
        free(stating);
        const bool failed = has_failed_allocation();
        /* What memory did not suffice for is tried again, and then it is there. */
        if (failed) {
            OpprofChip *later = load("Test200A");
            ck_assert_str_eq(OpprofChipSoc(later), "Test200A");
            OpprofChipFree(later);
        }
        ck_assert_int_eq(status == OPPROF_OK, error == NULL);
        ck_assert_int_eq(status == OPPROF_OK, chip != NULL);
        OpprofChipFree(chip);
        OpprofErrorDestroy(error);
        for (size_t i = 0; i < count; i++) {
            free(names[i]);
        }
        free(names);
        if (!failed) {
            ck_assert_int_eq(status, OPPROF_OK);
            ck_assert_uint_eq(count, 5);
            ck_assert_int_gt(n, 100);
            break;
        }
    }
}
END_TEST

static Suite *chip_suite(void)
{
    Suite *suite = suite_create("chip");
    TCase *tests = tcase_create("chip");

    tcase_add_checked_fixture(tests, prepare, remove_scratch);
    tcase_add_test(tests, a_soc_is_found_whatever_its_case);
    tcase_add_test(tests, a_series_means_its_default_soc);
    tcase_add_test(tests, facts_are_found_by_dotted_path);
    tcase_add_test(tests, a_soc_overrides_its_series);
    tcase_add_test(tests, a_file_is_laid_over_what_it_extends);
    tcase_add_test(tests, a_chip_is_laid_over_the_facts_that_it_uses);
    tcase_add_test(tests, what_refuses_a_fact_names_its_file_and_place);
    tcase_add_test(tests, facts_of_a_parent_lie_below_it);
    tcase_add_test(tests, facts_that_no_file_has_cost_a_warning);
    tcase_add_test(tests, facts_may_be_extended_but_must_be_there_then);
    tcase_add_test(tests, facts_are_no_chip);
    tcase_add_test(tests, the_first_directory_wins);
    tcase_add_test(tests, an_unknown_name_is_answered_with_the_nearest);
    tcase_add_test(tests, a_directory_that_cannot_be_listed_costs_a_warning);
    tcase_add_test(tests, files_that_extend_each_other_are_refused);
    tcase_add_test(tests, endless_lines_of_descent_are_refused);
    tcase_add_test(tests, faults_are_told_with_file_and_member);
    tcase_add_test(tests, faults_in_a_soc_are_told_with_their_place);
    tcase_add_test(tests, a_broken_file_does_not_hide_the_others);
    tcase_add_test(tests, a_broken_file_that_may_be_the_chips_own_is_an_error);
    tcase_add_test(tests, installed_files_that_a_chip_does_not_need_are_not_parsed);
    tcase_add_test(tests, members_are_found_as_they_are_spelled);
    tcase_add_test(tests, names_with_escapes_are_found);
    tcase_add_test(tests, a_good_file_is_not_taken_in_place_of_a_broken_one);
    tcase_add_test(tests, a_broken_parent_is_named);
    tcase_add_test(tests, every_truncation_of_a_file_is_survived);
    tcase_add_test(tests, files_are_read_once_and_chips_are_shared);
    tcase_add_test(tests, many_threads_load_the_same_chips);
    tcase_add_test(tests, the_list_is_sorted_and_without_repetition);
    tcase_add_test(tests, the_list_of_series_names_each_once);
    tcase_add_loop_test(tests, series_that_state_something_are_found, 0, 2);
    tcase_add_test(tests, every_failing_allocation_is_survived);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(chip_suite)
