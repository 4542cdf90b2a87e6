/* SPDX-License-Identifier: Apache-2.0 */
/* Names that are found without parsing are those of the parsed document. */
#include <check.h>
#include <jansson.h>
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

int main(void)
{
    Suite *suite = suite_create("chip_names");
    TCase *tests = tcase_create("chip_names");

    suite_add_tcase(suite, tests);
    tcase_add_test(tests, names_are_found);
    tcase_add_test(tests, other_documents_must_be_read);
    tcase_add_test(tests, every_cut_and_every_changed_byte);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
