/* SPDX-License-Identifier: Apache-2.0 */
/* Names that are found without parsing are those of the parsed document. */
#include <check.h>
#include <glob.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kit/chip/chip_names.h"

static const char document[] = "{ \"opprof_chip\": \"1.0\", \"series\": \"S1\", \"clocks\": { "
                               "\"core\": -1850.5e0, \"a\": [1, {}, [] ] },\n"
                               "\t\"name\" : \"facts\", \"description\": \"a { in \\u0041 text\", "
                               "\"socs\": { \"Soc1\": {}, \"Soc2\": { \"cores\":"
                               " { \"socs\": 3, \"x\": true } } }, \"last\": null }\r\n";
static const char plain[] = "{ \"series\": \"S1\", \"x\": { \"series\": \"no\", \"n\": [ 1, 2.5, "
                            "\"}\", true ] }, \"socs\": { \"A\": {},\n"
                            " \"B\": { \"name\": \"no\" } }, \"y\": -3 }";

static bool scan(const char *text, size_t length, ChipNames *names)
{
    char *exact = malloc(length); /* so that a checker sees what lies outside */

    ck_assert_ptr_nonnull(exact);
    memcpy(exact, text, length);
    const bool is_found = ChipNamesScan(exact, length, names);
    free(exact);
    return is_found;
}

static bool is_in_document(json_t *root, const char *name)
{
    const char *series = json_string_value(json_object_get(root, "series"));
    const char *facts = json_string_value(json_object_get(root, "name"));

    return (series != NULL && strcmp(series, name) == 0) ||
           (facts != NULL && strcmp(facts, name) == 0) ||
           json_object_get(json_object_get(root, "socs"), name) != NULL;
}

/* What is found is what the document has, if it is one. */
static void compare(const char *text, size_t length)
{
    ChipNames names = { .count = 0 };
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);

    if (scan(text, length, &names) && root != NULL) {
        const char *at = names.text;
        const size_t wanted = (json_is_string(json_object_get(root, "series")) ? 1 : 0) +
                              (json_is_string(json_object_get(root, "name")) ? 1 : 0) +
                              json_object_size(json_object_get(root, "socs"));
        ck_assert_uint_eq(names.count, wanted);
        for (size_t i = 0; i < names.count; i++) {
            ck_assert_msg(is_in_document(root, at), "'%s' in %.*s", at, (int) length, text);
            at += strlen(at) + 1;
        }
    }
    ChipNamesFinish(&names);
    json_decref(root);
}

START_TEST(names_are_found)
{
    ChipNames names = { .count = 0 };

    ck_assert(scan(plain, sizeof plain - 1, &names));
    ck_assert_uint_eq(names.count, 3);
    ck_assert(ChipNamesHave(&names, "s1"));
    ck_assert(ChipNamesHave(&names, "A"));
    ck_assert(ChipNamesHave(&names, "b"));
    ck_assert(!ChipNamesHave(&names, "no"));
    ck_assert(!ChipNamesHave(&names, ""));
    ChipNamesFinish(&names);
}
END_TEST

static void leave(const char *text)
{
    ChipNames names = { .count = 0 };

    ck_assert_msg(!scan(text, strlen(text), &names), "%s", text);
    ck_assert_ptr_null(names.text);
}

START_TEST(other_documents_must_be_read)
{
    leave(" ");
    leave("[]");
    leave("{}");
    leave("{ \"opprof_chip\": ");
    leave("{ \"opprof_chip\": \"1.0\", \"series\": 5 }");
    leave("{ \"series\": \"a\\u0062\" }");
    leave("{ \"series\": \"S\", \"x\": { }");
    leave("{ \"series\": \"S\", \"x\": ] }");
    leave("{ \"series\": \"S\" } x");
    leave("{ \"series\": \"S\", \"socs\": [] }");
    leave("{ \"clocks\": {} }");
}
END_TEST

START_TEST(every_cut_and_every_changed_byte)
{
    static const char bytes[] = "\"\\{}[],:.-1tn \0\200";
    const char *const documents[] = { document, plain };
    char text[sizeof document + sizeof plain];

    for (size_t k = 0; k < 2; k++) {
        const size_t length = strlen(documents[k]);
        for (size_t at = 0; at < length; at++) {
            memcpy(text, documents[k], length);
            compare(text, at == 0 ? 1 : at);
            for (size_t i = 0; i < sizeof bytes; i++) {
                text[at] = bytes[i];
                compare(text, length);
            }
        }
    }
}
END_TEST

START_TEST(a_series_of_many_chips)
{
    ChipNames names = { .count = 0 };
    char text[8192] = "{ \"series\": \"S\", \"socs\": { \"Soc0\": {}";

    for (int i = 1; i < 255; i++) {
        const size_t length = strlen(text);
        snprintf(text + length, sizeof text - length, ", \"Soc%d\": {}", i);
    }
    const size_t length = strlen(text);
    snprintf(text + length, sizeof text - length, " } }");
    ck_assert(scan(text, strlen(text), &names));
    ck_assert_uint_eq(names.count, 256);
    ck_assert(ChipNamesHave(&names, "Soc254"));
    ChipNamesFinish(&names);
}
END_TEST

static void scan_file(const char *path)
{
    ChipNames names = { .count = 0 };
    json_t *root = json_load_file(path, 0, NULL);
    char *text = json_dumps(root, 0);

    ck_assert_msg(text != NULL, "%s", path);
    ck_assert_msg(scan(text, strlen(text), &names), "'%s' must be read to know its names", path);
    ck_assert_msg(names.has_raw == (json_object_get(root, "raw") != NULL), "%s", path);
    ChipNamesFinish(&names);
    compare(text, strlen(text));
    free(text);
    json_decref(root);
}

/* How many files there are in the directories of a variable. */
static unsigned scan_places(const char *variable)
{
    const char *places = getenv(variable);
    char *directories = strdup(places == NULL ? "" : places);
    unsigned seen = 0;

    for (char *rest = directories; rest != NULL;) {
        const char *directory = strsep(&rest, ":");
        char pattern[4096];
        glob_t found;
        snprintf(pattern, sizeof pattern, "%s/*.json", directory);
        if (directory[0] != '\0' && glob(pattern, 0, NULL, &found) == 0) {
            for (size_t i = 0; i < found.gl_pathc; i++, seen++) {
                scan_file(found.gl_pathv[i]);
            }
            globfree(&found);
        }
    }
    free(directories);
    return seen;
}

/* Otherwise every run would parse the file, whatever its chip. */
START_TEST(no_file_of_the_tree_must_be_read_for_its_names)
{
    ck_assert_uint_gt(scan_places("OPPROF_CHIP_PATH"), 0);
    ck_assert_uint_gt(scan_places("OPPROF_SYSTEM_CHIP_PATH"), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("chip_names");
    TCase *tests = tcase_create("chip_names");

    suite_add_tcase(suite, tests);
    tcase_add_test(tests, names_are_found);
    tcase_add_test(tests, other_documents_must_be_read);
    tcase_add_test(tests, a_series_of_many_chips);
    tcase_add_test(tests, no_file_of_the_tree_must_be_read_for_its_names);
    tcase_add_test(tests, every_cut_and_every_changed_byte);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
