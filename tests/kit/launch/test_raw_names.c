/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of kit/launch/raw_names.c. */
#include "kit/launch/launch_reader.h"

#include "kit/facts/chip_file.h"
#include "tests/core/scratch.h"
#include "tests/core/suites.h"

#define CHIP(series, raw)                                                                          \
    "{ \"opprof_chip\": \"1.0\", \"series\": \"" series "\", \"socs\": { \"" series                \
    "1\": {} }, \"raw\": " raw " }"

/* Two chips with names of their own; the chips stay when their files are gone. */
static void make_chips(void)
{
    make_scratch();
    RawNamesForget();
    write_text("a.json", CHIP("Ash", "{ \"files\": { \"info\": \"facts.txt\", \"counters\": "
                                     "\"run<k>.raw\", \"code\": [\"*.elf\", \"kernel.o\"] },"
                                     "\"info\": { \"name\": \"Op\", \"soc\": \"Chip\" } }"));
    write_text("b.json", CHIP("Elm", "{ \"files\": { \"info\": \"about\", \"counters\": "
                                     "\"count-<k>\" }, \"info\": { \"separator\": \":\", \"soc\": "
                                     "\"chip\" } }"));
    setenv("OPPROF_CHIP_PATH", scratch, 1);
    setenv("OPPROF_SYSTEM_CHIP_PATH", "", 1);
    const char *const *unused;
    ck_assert_uint_eq(OpprofRawPatterns("auto", "info", &unused), 2);
    ck_assert_uint_eq(OpprofRawPatterns("Elm1", "info", &unused), 1);
    remove_scratch();
}

static void has_role(const char *chip, const char *file, const char *role, uint32_t number)
{
    uint32_t its = 0;
    const char *found = OpprofRawRole(chip, file, &its);

    ck_assert_msg((found == NULL) == (role == NULL) && (role == NULL || strcmp(role, found) == 0),
                  "%s of %s: %s", file, chip, found == NULL ? "none" : found);
    ck_assert_uint_eq(its, number);
}

START_TEST(files_have_the_roles_that_chips_give_them)
{
    make_chips();
    has_role("auto", "facts.txt", "info", 0);
    has_role("auto", "about", "info", 0);
    has_role("auto", "run1.raw", "counters", 1);
    has_role("auto", "run12.raw", "counters", 12);
    has_role("auto", "count-3", "counters", 3);
    has_role("auto", "add.elf", "code", 0);
    has_role("auto", "kernel.o", "code", 0);
    has_role("Elm1", "count-3", "counters", 3);
    has_role("Elm1", "run1.raw", NULL, 0);
    has_role("auto", "DeviceProf1.bin", NULL, 0);
    has_role("No such chip", "facts.txt", NULL, 0);
}
END_TEST

START_TEST(numbers_count_from_one)
{
    static const char *const files[] = { "run.raw",   "run0.raw",    "run01.raw", "runx.raw",
                                         "run1.rawx", "run1x.raw",   "xrun1.raw", "run-1.raw",
                                         "run+1.raw", "run99999.raw" };

    make_chips();
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        has_role("auto", files[i], NULL, 0);
    }
    has_role("auto", "run9999.raw", "counters", 9999);
}
END_TEST

static void has_field(const char *file, const char *field, const char *value)
{
    size_t length = 0;
    const char *found = OpprofRawField("auto", file, field, &length);

    ck_assert_msg((found == NULL) == (value == NULL), "%s of %s", field, file);
    ck_assert(value == NULL || (length == strlen(value) && memcmp(found, value, length) == 0));
}

/* Streams of cores, each with its place in its name. */
START_TEST(names_have_fields)
{
    const OpprofRawPart parts[] = { { "core", "v1" }, { "group", "12" }, { "*", "0" } };
    char name[32];

    make_scratch();
    RawNamesForget();
    write_text("o.json", CHIP("Oak", "{ \"files\": { \"pipe_windows\": \"win<group>.<core>\", "
                                     "\"block_map\": \"map*.<k>\" } }"));
    setenv("OPPROF_CHIP_PATH", scratch, 1);
    setenv("OPPROF_SYSTEM_CHIP_PATH", "", 1);
    has_role("auto", "win3.c0", "pipe_windows", 0);
    has_role("auto", "win3c0", NULL, 0);
    has_role("auto", "win3.", NULL, 0);
    has_role("auto", "win3.c0.x", NULL, 0);
    has_role("auto", "win.c0", NULL, 0);
    has_field("win3.c0", "group", "3");
    has_field("win3.c0", "core", "c0");
    has_field("win3.c0", "device", NULL);
    has_field("other", "core", NULL);
    OpprofRawFileNameOf("Oak", "pipe_windows", parts, 3, name, sizeof name);
    ck_assert_str_eq(name, "win12.v1");
    OpprofRawFileNameOf("Oak", "block_map", parts, 3, name, sizeof name);
    ck_assert_str_eq(name, "map0.<k>");
    OpprofRawFileNameOf("Oak", "pipe_windows", parts, 3, name, 6);
    ck_assert_str_eq(name, "win12");
    OpprofRawFileNameOf("Oak", "marks", parts, 3, name, sizeof name);
    ck_assert_str_eq(name, "marks");
    remove_scratch();
}
END_TEST

START_TEST(patterns_come_role_by_role)
{
    const char *const *patterns = NULL;
    char name[32];

    make_chips();
    ck_assert_uint_eq(OpprofRawPatterns("auto", "counters", &patterns), 2);
    ck_assert_str_eq(patterns[0], "run*.raw");
    ck_assert_str_eq(patterns[1], "count-*");
    ck_assert_uint_eq(OpprofRawPatterns("Ash1", "code", &patterns), 2);
    ck_assert_str_eq(patterns[0], "*.elf");
    ck_assert_uint_eq(OpprofRawPatterns("auto", "marks", &patterns), 0);
    OpprofRawFileName("Elm1", "counters", 7, name, sizeof name);
    ck_assert_str_eq(name, "count-7");
    OpprofRawFileName("Elm1", "info", 7, name, sizeof name);
    ck_assert_str_eq(name, "about");
    OpprofRawFileName("Elm1", "marks", 7, name, sizeof name);
    ck_assert_str_eq(name, "marks");
}
END_TEST

static void has_value(const char *text, const char *fact, const char *value)
{
    const size_t size = text == NULL ? 0 : strlen(text);
    const OpprofRawForm form = OpprofRawFormOf("auto", text, size);
    size_t length = 0;
    const char *found = OpprofRawValue(&form, fact, text, size, &length);

    ck_assert_msg(
        (found == NULL) == (value == NULL) &&
            (value == NULL || (length == strlen(value) && memcmp(found, value, length) == 0)),
        "%s in '%s'", fact, text == NULL ? "no text" : text);
}

START_TEST(a_text_has_the_form_in_which_it_names_its_chip)
{
    make_chips();
    has_value("Op=add\nChip=Ash1\n", "soc", "Ash1");
    has_value("Op=add\nChip=Ash1\n", "name", "add");
    has_value("chip:Elm1\r\n", "soc", "Elm1");
    has_value("chip:Elm1\nOp=add\n", "name", NULL);
    has_value("Op=add\nOp=mul\n", "name", "mul");
    has_value("Op=add\nOp=mul", "name", "add");
    has_value("Op=add", "name", NULL);
    has_value("Op=\nOpx=1\n", "name", NULL);
    has_value("", "name", NULL);
    has_value(NULL, "name", NULL);
}
END_TEST

static void has_fault(const char *text, const char *fault)
{
    const char *its = RawTextFault(text, text == NULL ? 0 : strlen(text));

    ck_assert_msg((its == NULL) == (fault == NULL) && (fault == NULL || strstr(its, fault) != NULL),
                  "'%s': %s", text == NULL ? "no text" : text, its == NULL ? "nothing" : its);
}

static const char *value_of(const char *text, const char *fact)
{
    static char value[64];
    char *copy = malloc(strlen(text) + 1); /* nothing after the text may be read */
    size_t length = 0;

    ck_assert_ptr_nonnull(copy);
    memcpy(copy, text, strlen(text));
    const OpprofRawForm form = OpprofRawFormOf("Ash1", copy, strlen(text));
    const char *its = OpprofRawValue(&form, fact, copy, strlen(text), &length);
    ck_assert_uint_lt(length, sizeof value);
    snprintf(value, sizeof value, "%.*s", its == NULL ? 0 : (int) length, its == NULL ? "" : its);
    free(copy);
    return value;
}

START_TEST(a_line_counts_with_one_separator_and_two_sides)
{
    make_chips();
    ck_assert_str_eq(value_of("Op=add\nChip=Ash1\n", "soc"), "Ash1");
    /* A line without an end may be half a line. */
    ck_assert_str_eq(value_of("Op=add\nChip=Ash1", "soc"), "");
    ck_assert_str_eq(value_of("Op=add\nChip=Ash1", "name"), "add");
    ck_assert_str_eq(value_of("Op=a=b\n", "name"), "");
    ck_assert_str_eq(value_of("Op=\n", "name"), "");
    ck_assert_str_eq(value_of("=x\nOp\n", "name"), "");
    ck_assert_str_eq(value_of("Op=1\nOp=2\nOp=3=4\n", "name"), "2");
    ck_assert_str_eq(value_of("Chip=Ash2\r\n", "soc"), "Ash2");
    ck_assert_str_eq(value_of("", "soc"), "");
}
END_TEST

START_TEST(an_address_is_all_of_its_line)
{
    static const struct {
        const char *text;
        uint64_t address; /* 1: none */
    } texts[] = {
        { "0x12c0\n", 0x12c0 },
        { "ff", 0xff },
        { "  10 \r\nx", 0x10 },
        { "0x0\n", 0 },
        { "", 1 },
        { "\n12", 1 },
        { "12 34\n", 1 },
        { "-4\n", 1 },
        { "0x", 1 },
        { "zz", 1 },
    };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        uint64_t address = 1;

        ck_assert_int_eq(OpprofRawAddress(texts[i].text, strlen(texts[i].text), &address),
                         texts[i].address != 1);
        ck_assert_uint_eq(address, texts[i].address);
    }
}
END_TEST

START_TEST(a_text_that_is_cut_or_doubled_is_not_one_whole_file)
{
    has_fault("Op=add\nChip=Ash1\n", NULL);
    has_fault("Op=add\nChip=Ash1", "within a line");
    has_fault("Op=add\nChip=Ash1\nOp=add\nChip=Ash1\n", "twice");
    has_fault("Op=add\nOp=adx\n", NULL);
    has_fault("", NULL);
    has_fault(NULL, NULL);
}
END_TEST

static Suite *raw_names_suite(void)
{
    Suite *suite = suite_create("raw_names");
    TCase *tcase = tcase_create("raw_names");

    suite_add_tcase(suite, tcase);
    tcase_add_test(tcase, files_have_the_roles_that_chips_give_them);
    tcase_add_test(tcase, numbers_count_from_one);
    tcase_add_test(tcase, names_have_fields);
    tcase_add_test(tcase, patterns_come_role_by_role);
    tcase_add_test(tcase, a_text_has_the_form_in_which_it_names_its_chip);
    tcase_add_test(tcase, a_line_counts_with_one_separator_and_two_sides);
    tcase_add_test(tcase, an_address_is_all_of_its_line);
    tcase_add_test(tcase, a_text_that_is_cut_or_doubled_is_not_one_whole_file);
    return suite;
}
TEST_SUITE(raw_names_suite)
