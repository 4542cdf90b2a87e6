/* SPDX-License-Identifier: Apache-2.0 */
/* Sections of a chip against schemas: each part of the language, good and bad. */
#include <stdbool.h>

#include "tests/core/base/failing_alloc.h"
#include "tests/core/scratch.h"
#include "tests/core/suites.h"

#include "kit/facts/chip_schema.h"

#include <check.h>

static ChipMistakes mistakes;
static int number; /* of the chip that was checked last */

/* The mistakes of a section "own" with this content; "" for none. */
static const char *check(const char *content, const char *schema)
{
    char file[2000];
    OpprofChip *chip = NULL;
    OpprofError *error = NULL;

    number++;
    snprintf(
        file, sizeof file,
        "{\"opprof_chip\": \"1.0\", \"series\": \"S%d\", \"socs\": {\"Soc%d\": {}}, "
        "\"things\": {\"alpha\": 1, \"beta\": [\"gamma\", {\"name\": \"delta\"}]}, \"own\": %s}",
        number, number, content);
    char name[32];
    snprintf(name, sizeof name, "s%d.json", number);
    mkdir(in_scratch(name), 0700); /* files are read once for each value of the path */
    setenv("OPPROF_CHIP_PATH", in_scratch(name), 1);
    snprintf(name, sizeof name, "s%d.json/a.json", number);
    write_scratch(name, file, strlen(file));
    setenv("OPPROF_SYSTEM_CHIP_PATH", "", 1);
    snprintf(name, sizeof name, "Soc%d", number);
    ck_assert_msg(OpprofChipLoad(name, &chip, &error) == OPPROF_OK, "%s",
                  OpprofErrorMessage(error));
    free(mistakes.lines);
    mistakes = (ChipMistakes){ .count = 0 };
    ChipSchemaCheck(chip, "own", schema, &mistakes);
    OpprofChipFree(chip);
    return mistakes.lines == NULL ? "" : strstr(mistakes.lines, " at ") + 4;
}

static OpprofChip *last_chip(void)
{
    OpprofChip *chip = NULL;

    char name[32];

    snprintf(name, sizeof name, "Soc%d", number);
    ck_assert_int_eq(OpprofChipLoad(name, &chip, NULL), OPPROF_OK);
    return chip;
}

START_TEST(kinds_and_ranges)
{
    make_scratch();
    ck_assert_str_eq(
        check("{\"a\": 3, \"b\": \"x\", \"c\": true}", "{ a!: int(1..4 bytes), b: text, c: bool }"),
        "");
    ck_assert_str_eq(check("{\"a\": 5}", "{ a: int(1..4 bytes) }"),
                     "/own/a: 5 is out of range (1..4 bytes)");
    ck_assert_str_eq(check("{\"a\": 1.5}", "{ a: int }"), "/own/a: 1.5 is not an integer");
    ck_assert_str_eq(check("{\"a\": -1}", "{ a: number(0.. us) }"),
                     "/own/a: -1 is out of range (0.. us)");
    ck_assert_str_eq(check("{\"a\": \"1\"}", "{ a: int | bool }"),
                     "/own/a: expected an integer or true or false, found a text");
    ck_assert_str_eq(check("{\"a\": \"\"}", "{ a: text }"), "/own/a: the text is empty");
    remove_scratch();
}
END_TEST

START_TEST(texts_with_fields)
{
    static const char schema[] = "{ line: form<tick!, name, detail^, any*> | [ form<tick!> ] }";

    make_scratch();
    ck_assert_str_eq(check("{\"line\": \"<any> <tick>: <detail><name>;<any>\"}", schema), "");
    ck_assert_str_eq(check("{\"line\": [\"<tick>\", \"at <tick>\"]}", schema), "");
    ck_assert_str_eq(check("{\"line\": \"<tikc>: <name>\"}", schema),
                     "/own/line: '<tikc>: <name>' has an unknown field '<tikc>'. Did you mean "
                     "'<tick>'?");
    ck_assert_str_eq(check("{\"line\": [\"<tick>\", \"x\"]}", schema),
                     "/own/line/1: 'x' lacks '<tick>'");
    ck_assert_str_eq(check("{\"line\": \"<tick><name>\"}", schema),
                     "/own/line: '<tick><name>' has nothing between '<tick>' and '<name>'");
    ck_assert_str_eq(check("{\"line\": 3}", schema),
                     "/own/line: expected a text or an array, found a number");
    remove_scratch();
}
END_TEST

START_TEST(members_and_elements)
{
    make_scratch();
    ck_assert_str_eq(check("{\"feilds\": 1}", "{ fields: int }"),
                     "/own/feilds: there is no member 'feilds'. Did you mean 'fields'?");
    ck_assert_str_eq(check("{}", "{ a!: int, b: int }"), "/own: the member 'a' is missing");
    ck_assert_str_eq(check("{\"a\": [1, [2], 3]}", "{ a: [ int | [ int ] ] }"), "");
    ck_assert_str_eq(check("{\"a\": [1, [\"x\"]]}", "{ a: [ int | [ int ] ] }"),
                     "/own/a/1/0: expected an integer, found a text");
    ck_assert_str_eq(check("{\"a\": [\"x\", 3]}", "{ a: int | [ 'x' | 'y', int(1..4) ] }"), "");
    ck_assert_str_eq(check("{\"a\": [\"x\"]}", "{ a: int | [ 'x' | 'y', int(1..4) ], b: int }"),
                     "/own/a: expected 2 elements, found 1");
    ck_assert_str_eq(check("{\"a\": [\"x\", 3, 4]}", "{ a: [ 'x' | 'y', int(1..4) ] }"),
                     "/own/a: expected 2 elements, found 3");
    ck_assert_str_eq(check("{\"a\": [3, 4]}", "{ a: [ 'x' | 'y', int(1..4) ] }"),
                     "/own/a/0: expected a text, found a number");
    ck_assert_str_eq(check("{\"a\": {\"any\": 1, \"_note\": []}}", "{ a: { *: int } }"), "");
    ck_assert_str_eq(check("{\"a\": []}", "{ a: [+ int ] }"), "/own/a: the array is empty");
    ck_assert_str_eq(check("{\"a\": [1, \"x\"]}", "{ a: [+ int ], b: int }"),
                     "/own/a/1: expected an integer, found a text");
    ck_assert_str_eq(
        check("{\"a\": [{\"n\": \"x\"}, {\"n\": \"y\"}]}", "{ a: [+n { n!: text } ] }"), "");
    ck_assert_str_eq(check("{\"a\": [{\"n\": \"x\"}, {\"n\": \"y\"}, {\"n\": \"X\"}]}",
                           "{ a: [+n { n!: text } ] }"),
                     "/own/a/2: the n 'X' is that of element 0");
    ck_assert_str_eq(check("{\"a\": 1}", "{ a/: int, b/: int, c: int }"), "");
    ck_assert_str_eq(check("{\"c\": 1}", "{ a/: int, b/: int, c: int }"),
                     "/own: the member 'a' or 'b' is missing");
    ck_assert_str_eq(check("{\"b\": 1, \"a\": 1}", "{ a/: int, b/: int, c: int }"),
                     "/own: only one of the members 'a' or 'b' is allowed");
    check("{\"b\": 1, \"c\": 2}", "{ a: int }");
    ck_assert_uint_eq(mistakes.count, 2);
    remove_scratch();
}
END_TEST

START_TEST(references_and_choices)
{
    make_scratch();
    ck_assert_str_eq(
        check("{\"a\": \"alpha\", \"b\": \"gamma\", \"c\": \"delta\", \"d\": \"0\"}",
              "{ a: <things>, b: <things.beta>, c: <things.*.*.name>, d: <things,'0'> }"),
        "");
    ck_assert_str_eq(check("{\"a\": \"alhpa\"}", "{ a: <things> }"),
                     "/own/a: there is no 'alhpa'. Did you mean 'alpha'?");
    ck_assert_str_eq(check("{\"btea\": 1}", "{ <things>: int }"),
                     "/own/btea: there is no 'btea'. Did you mean 'beta'?");
    ck_assert_str_eq(check("{\"a\": \"beta>0\"}", "{ a: pair<things,'0'> }"), "");
    ck_assert_str_eq(check("{\"a\": \"0>btea\"}", "{ a: pair<things,'0'> }"),
                     "/own/a: there is no 'btea'. Did you mean 'beta'?");
    ck_assert_str_eq(check("{\"a\": \"alhpa>0\"}", "{ a: pair<things,'0'> }"),
                     "/own/a: there is no 'alhpa'. Did you mean 'alpha'?");
    ck_assert_str_eq(check("{\"a\": \"beta\"}", "{ a: pair<things> }"),
                     "/own/a: expected two names with '>' between them, found 'beta'");
    ck_assert_str_eq(check("{\"a\": \"up\"}", "{ a: 'up' | 'down' }"), "");
    ck_assert_str_eq(check("{\"a\": \"dwon\"}", "{ a: 'up' | 'down' }"),
                     "/own/a: there is no 'dwon'. Did you mean 'down'?");
    remove_scratch();
}
END_TEST

START_TEST(lack_of_memory_is_no_mistake_of_the_file)
{
    static const char content[] =
        "{\"line\": \"<tick>: <name>\", \"rate\": \"100 * alpha / beta\", "
        "\"count\": \"alpha * 2 + 1\", \"names\": [\"beta\"]}";
    static const char schema[] =
        "{ line: form<tick!, name>, rate: formula, count: whole<things>, names: [ <things> ] }";
    OpprofChip *chip = NULL;
    bool failed = true;

    make_scratch();
    ck_assert_str_eq(check(content, schema), "");
    chip = last_chip();
    for (long n = 1; failed; n++) {
        ChipMistakes found = { .count = 0 };

        fail_allocation(n);
        ChipSchemaCheck(chip, "own", schema, &found);
        failed = has_failed_allocation();
        ck_assert_msg(found.count == 0 || found.no_memory, "allocation %ld: %s", n, found.lines);
        ck_assert(failed || !found.no_memory);
        ck_assert(failed || n > 4);
        free(found.lines);
    }
    OpprofChipFree(chip);
    remove_scratch();
}
END_TEST

static Suite *chip_schema_suite(void)
{
    Suite *suite = suite_create("chip_schema");
    TCase *tcase = tcase_create("chip_schema");

    tcase_add_test(tcase, kinds_and_ranges);
    tcase_add_test(tcase, texts_with_fields);
    tcase_add_test(tcase, members_and_elements);
    tcase_add_test(tcase, references_and_choices);
    tcase_add_test(tcase, lack_of_memory_is_no_mistake_of_the_file);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(chip_schema_suite)
