/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of core/base/json.c. */
#include <errno.h>
#include <jansson.h>
#include <opprof/json.h>

#include "core/base/json_guard.h"
#include "tests/core/base/failing_alloc.h"
#include "tests/core/scratch.h"
#include "tests/core/suites.h"

/* Loads a document that must be refused; checks the status and that the message holds the parts. */
static void check_refused(OpprofStatus wanted, OpprofStatus status, json_t *root,
                          OpprofError *error, const char *part, const char *other_part)
{
    ck_assert_int_eq(status, wanted);
    ck_assert_ptr_null(root);
    ck_assert_ptr_nonnull(error);
    const char *message = OpprofErrorMessage(error);
    if (strstr(message, part) == NULL || strstr(message, other_part) == NULL) {
        ck_abort_msg("'%s' lacks '%s' or '%s'", message, part, other_part);
    }
    OpprofErrorDestroy(error);
}

static void refuse_file(const char *path, OpprofStatus wanted, const char *part)
{
    OpprofError *error = NULL;
    json_t *root = (json_t *) &error;
    const OpprofStatus status = OpprofJsonLoad(path, &root, &error);

    check_refused(wanted, status, root, error, part, path);
}

static void refuse_text(const char *text, const char *part)
{
    OpprofError *error = NULL;
    json_t *root = (json_t *) &error;
    const OpprofStatus status = OpprofJsonParse("given", text, strlen(text), &root, &error);

    check_refused(OPPROF_E_DATA, status, root, error, part, "'given'");
}

START_TEST(an_object_is_read)
{
    const char text[] = "{ \"a\": [1, 2.5, \"x\"], \"\303\244\": null }\n";
    json_t *root = NULL;
    OpprofError *error = NULL;

    ck_assert_int_eq(OpprofJsonLoad(write_scratch("a.json", text, sizeof text - 1), &root, &error),
                     OPPROF_OK);
    ck_assert_uint_eq(json_object_size(root), 2);
    ck_assert_uint_eq(json_array_size(json_object_get(root, "a")), 3);
    ck_assert_ptr_null(error);
    json_decref(root);
}
END_TEST

START_TEST(faults_are_told_with_line_and_column)
{
    refuse_text("{\n  \"a\": 1,\n  \"b\" 2\n}", "line 3, column 7");
    refuse_text("{ \"a\": 1, \"a\": 2 }", "duplicate");
    refuse_text("{ } x", "line 1, column 5");
    refuse_text("{ \"a\": [1, 2 }", "line 1, column 14");
    refuse_text("[1, 2]", "expected a JSON object");
    refuse_text("5", "line 1");
    refuse_text("{ \"a\": \"\xff\" }", "line 1");
    refuse_text("{ \"a\": 1e999 }", "line 1");
    refuse_text("{ 'a': 1 }", "line 1, column 3");
    refuse_text("", "line 1");
}
END_TEST

START_TEST(every_truncation_is_refused)
{
    const char text[] = "{ \"a\": [1, true, null, { \"b\": \"c\\u00e4\" }], \"d\": -1.5e3 }";

    for (size_t length = 0; length < sizeof text - 1; length++) {
        char *copy = malloc(length == 0 ? 1 : length); /* sanitizers see reads beyond it */
        json_t *root = NULL;
        ck_assert_ptr_nonnull(copy);
        memcpy(copy, text, length);
        ck_assert_int_eq(OpprofJsonParse("given", copy, length, &root, NULL), OPPROF_E_DATA);
        ck_assert_ptr_null(root);
        free(copy);
    }
}
END_TEST

START_TEST(nesting_is_limited)
{
    const size_t depth = 100000;
    char *text = malloc(5 + 2 * depth + 1);
    json_t *root = NULL;
    OpprofError *error = NULL;

    ck_assert_ptr_nonnull(text);
    memcpy(text, "{\"a\":", 5);
    memset(text + 5, '[', depth);
    memset(text + 5 + depth, ']', depth);
    text[5 + 2 * depth] = '}';
    const OpprofStatus status = OpprofJsonParse("given", text, 5 + 2 * depth + 1, &root, &error);
    check_refused(OPPROF_E_DATA, status, root, error, "depth", "'given'");
    free(text);
}
END_TEST

START_TEST(what_is_no_document_is_refused)
{
    refuse_file(in_scratch("nothing"), OPPROF_E_NOT_FOUND, "No such file");
    refuse_file(scratch, OPPROF_E_IO, "directory");
    refuse_file(write_scratch("empty", "", 0), OPPROF_E_DATA, "is empty");
    ck_assert_int_eq(mkfifo(in_scratch("pipe"), 0600), 0);
    refuse_file(in_scratch("pipe"), OPPROF_E_IO, "regular");
    refuse_file("/dev/zero", OPPROF_E_IO, "regular");
}
END_TEST

START_TEST(a_large_file_is_refused_unread)
{
    const char *path = write_scratch("large", "{", 1);

    ck_assert_int_eq(truncate(path, (off_t) OPPROF_JSON_MAX_SIZE + 1), 0);
    refuse_file(path, OPPROF_E_LIMIT, "16777217 bytes");
    ck_assert_int_eq(truncate(path, (off_t) 100 << 30), 0); /* no disk space is needed for it */
    refuse_file(path, OPPROF_E_LIMIT, "too large");
}
END_TEST

START_TEST(failing_allocations_are_survived)
{
    const char *path = write_scratch("a.json", "{}", 2);
    json_t *root = NULL;

    fail_allocation(1);
    ck_assert_int_eq(OpprofJsonLoad(path, &root, NULL), OPPROF_E_MEMORY);
    ck_assert(has_failed_allocation());
    ck_assert_ptr_null(root);
    for (long n = 1;; n++) {
        fail_allocation(n);
        const OpprofStatus status = OpprofJsonParse("a", "{\"a\":[\"b\",1]}", 13, &root, NULL);
        if (!has_failed_allocation()) {
            ck_assert_int_eq(status, OPPROF_OK);
            json_decref(root);
            break;
        }
        ck_assert_int_eq(status, OPPROF_E_MEMORY);
        ck_assert_ptr_null(root);
    }
}
END_TEST

/* The buffer of a text grows at each power of two: one byte more in front moves another byte of the
 * escapes there. */
START_TEST(a_text_that_finds_no_memory_is_not_cut)
{
    char text[512] = "{\"";
    size_t length = 2;
    json_t *root = NULL;

    memset(text + length, 'x', (size_t) _i);
    length += (size_t) _i;
    while (length < 300) {
        memcpy(text + length, "\\u0041\\\"", 8);
        length += 8;
    }
    memcpy(text + length, "\":[]}", 5);
    length += 5;
    for (long n = 1;; n++) {
        fail_allocation(n);
        const OpprofStatus status = OpprofJsonParse("a", text, length, &root, NULL);
        if (!has_failed_allocation()) {
            ck_assert_int_eq(status, OPPROF_OK);
            ck_assert_int_eq(json_object_iter_key(json_object_iter(root))[_i], 'A');
            json_decref(root);
            break;
        }
        ck_assert_int_eq(status, OPPROF_E_MEMORY);
        ck_assert_ptr_null(root);
    }
}
END_TEST

START_TEST(values_of_any_kind_are_read)
{
    json_t *value = OpprofJsonValue("\"a\"", 3, JSON_DECODE_ANY);

    ck_assert_str_eq(json_string_value(value), "a");
    json_decref(value);
    ck_assert_ptr_null(OpprofJsonValue("\"a\"", 3, 0));
    ck_assert_ptr_null(OpprofJsonValue("[1", 2, 0));
    fail_allocation(1);
    errno = 0;
    ck_assert_ptr_null(OpprofJsonValue("[1]", 3, 0));
    ck_assert_int_eq(errno, ENOMEM);
    ck_assert(has_failed_allocation());
}
END_TEST

static const char *nearest(const char *word)
{
    static const char *const names[] = { "stages",          NULL, "links", "vars", "Ascend910B1",
                                         "opprof_pipeline", "id" };
    return OpprofNearestName(word, names, sizeof names / sizeof names[0]);
}

START_TEST(the_nearest_name_is_found)
{
    ck_assert_str_eq(nearest("stage"), "stages");   /* one missing */
    ck_assert_str_eq(nearest("stagges"), "stages"); /* one too many */
    ck_assert_str_eq(nearest("stagse"), "stages");  /* swapped */
    ck_assert_str_eq(nearest("vers"), "vars");      /* replaced */
    ck_assert_str_eq(nearest("LINKS"), "links");    /* case does not matter */
    ck_assert_str_eq(nearest("ascend910b"), "Ascend910B1");
    ck_assert_str_eq(nearest("oprof_pipelien"), "opprof_pipeline");
    ck_assert_str_eq(nearest("i"), "id"); /* one edit is always allowed */
    ck_assert_str_eq(nearest("opprof_piXXXXne"),
                     "opprof_pipeline"); /* four edits of fifteen letters */
}
END_TEST

START_TEST(no_name_is_found_where_none_is_near)
{
    ck_assert_ptr_null(nearest("zzzzzz"));
    ck_assert_ptr_null(nearest("va"));              /* two edits of two letters */
    ck_assert_ptr_null(nearest("opprof_pXXXXXne")); /* five edits */
    ck_assert_ptr_null(nearest(""));
    ck_assert_ptr_null(OpprofNearestName("stages", NULL, 0));
    char longest[1000];
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    ck_assert_ptr_null(nearest(longest));
    const char *const names[] = { longest };
    ck_assert_ptr_null(OpprofNearestName("aaaa", names, 1));
}
END_TEST

START_TEST(of_equally_near_names_the_first_is_taken)
{
    static const char *const names[] = { "bat", "cat", "hat" };
    ck_assert_str_eq(OpprofNearestName("xat", names, 3), "bat");
    ck_assert_str_eq(OpprofNearestName("hat", names, 3), "hat");
}
END_TEST

START_TEST(a_value_is_printed_as_the_library_prints_it)
{
    static const char document[] = "{\"a\": [1, 2.5, null, \"\\u00e9\"], \"b\": {}}";
    json_t *value = OpprofJsonValue(document, strlen(document), 0);
    char *wanted = json_dumps(value, JSON_INDENT(2) | JSON_ENSURE_ASCII);
    char *text = OpprofJsonText(value, JSON_INDENT(2) | JSON_ENSURE_ASCII);

    ck_assert_str_eq(text, wanted);
    ck_assert_ptr_null(OpprofJsonText(NULL, 0));
    ck_assert_ptr_null(OpprofJsonText(json_null(), 0)); /* neither an object nor an array */
    free(text);
    free(wanted);
    json_decref(value);
}
END_TEST

static void take_memory_that_fails(void)
{
    json_set_alloc_funcs(__wrap_malloc, free);
}

static Suite *json_suite(void)
{
    Suite *suite = suite_create("json");
    TCase *tests = tcase_create("json_file");

    tcase_add_checked_fixture(tests, take_memory_that_fails, NULL);
    tcase_add_checked_fixture(tests, make_scratch, remove_scratch);
    tcase_add_test(tests, an_object_is_read);
    tcase_add_test(tests, faults_are_told_with_line_and_column);
    tcase_add_test(tests, every_truncation_is_refused);
    tcase_add_test(tests, nesting_is_limited);
    tcase_add_test(tests, what_is_no_document_is_refused);
    tcase_add_test(tests, a_large_file_is_refused_unread);
    tcase_add_test(tests, failing_allocations_are_survived);
    tcase_add_loop_test(tests, a_text_that_finds_no_memory_is_not_cut, 0, 8);
    tcase_add_test(tests, values_of_any_kind_are_read);
    tcase_add_test(tests, a_value_is_printed_as_the_library_prints_it);
    tcase_add_test(tests, the_nearest_name_is_found);
    tcase_add_test(tests, no_name_is_found_where_none_is_near);
    tcase_add_test(tests, of_equally_near_names_the_first_is_taken);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(json_suite)
