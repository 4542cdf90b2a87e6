/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of plugins/viz-html/html.c. */
#include "tests/core/suites.h"
#include "tests/plugins/harness.h"

#include <check.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <opprof/records/block.h>

extern const OpprofPlugin opprof_plugin_v0;

#define NASTY "</script><img src=x>"

/* A row of a table that no exporter ever heard of. */
typedef struct Row {
    uint32_t core;
    uint32_t kernel;
    uint64_t big;
    uint64_t address;
    double real;
    OpprofText note;
} Row;

static const OpprofField fields[] = {
    OPPROF_FIELD(Row, core, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_HIDDEN,
                 .meaning = "Core of the row."),
    OPPROF_FIELD(Row, kernel, OPPROF_FIELD_STRING, .meaning = "Kernel.", .absent = "there is none"),
    OPPROF_FIELD(Row, big, OPPROF_FIELD_U64, .unit = "byte", .meaning = "A number."),
    OPPROF_FIELD(Row, address, OPPROF_FIELD_HEX, .meaning = "An address."),
    OPPROF_FIELD(Row, real, OPPROF_FIELD_F64, .unit = "us", .heading = "time(us)", .decimals = 3),
    OPPROF_FIELD(Row, note, OPPROF_FIELD_TEXT),
};

static const OpprofRecordType stranger_type = { .struct_size = sizeof(OpprofRecordType),
                                                .version = 1,
                                                .name = "com.example.stranger",
                                                .summary = "It is unknown.",
                                                .size = sizeof(Row),
                                                .flags = OPPROF_RECORD_TABLE,
                                                .fields = fields,
                                                .field_count = OPPROF_COUNT(fields),
                                                .title = "Stranger " NASTY,
                                                .file_hint = "<core>/stranger" };
static const OpprofRecordType *const stranger[] = { &stranger_type };
static const OpprofRecordType *const blocks[] = { &opprof_block_type };

static OpprofText text_of(OpprofBatch *batch, const char *text)
{
    OpprofText at;

    ck_assert_int_eq(OpprofBatchAppendText(batch, text, strlen(text), &at), OPPROF_OK);
    return at;
}

static Row *append(OpprofBatch *batch)
{
    Row *row = OpprofBatchAppend(batch);

    ck_assert_ptr_nonnull(row);
    *row = (Row){ .core = OPPROF_NA_STRING,
                  .kernel = OPPROF_NA_STRING,
                  .big = OPPROF_NA_U64,
                  .address = OPPROF_NA_U64,
                  .real = OpprofNaF64(),
                  .note = { OPPROF_NA_U32, 0 } };
    return row;
}

static OpprofStatus produce_rows(OpprofStage *stage, OpprofError **error)
{
    OpprofBatch *batch = OpprofStageNewBatch(stage, 0);

    (void) error;
    *append(batch) = (Row){ .core = HarnessIntern(stage, "core1"),
                            .kernel = HarnessIntern(stage, NASTY),
                            .big = UINT64_C(18446744073709551614),
                            .address = 0x10f86000,
                            .real = 0.125,
                            .note = text_of(batch, "a \"quoted\" </ScRiPt> \xff") };
    append(batch)->big = 7;
    append(batch)->core = HarnessIntern(stage, "core2"); /* nothing to be seen: no row */
    return OpprofStagePush(stage, 0, batch);
}

/* With two digits after the point: "0.00", "100.00", "9.50", "-3.25". */
static const double reals[] = { 0, 100, 9.5, -3.25 };

/* More rows than a page takes, a few of them wide. */
static OpprofStatus produce_many(OpprofStage *stage, OpprofError **error)
{
    static char wide[4000];
    OpprofStatus status = OPPROF_OK;

    (void) error;
    memset(wide, 'x', sizeof wide - 1);
    for (unsigned i = 0; status == OPPROF_OK && i < 2000; i++) {
        OpprofBatch *batch = OpprofStageNewBatch(stage, 0);
        Row *row = append(batch);

        row->big = i;
        row->real = reals[i % OPPROF_COUNT(reals)];
        row->note = text_of(batch, wide);
        status = OpprofStagePush(stage, 0, batch);
    }
    return status;
}

#define ROWS_OF_LAUNCH 150000u /* fill a table */

/* Launches, each of which fills a table, in an order that is not the page's. */
static OpprofStatus produce_launches(OpprofStage *stage, OpprofError **error)
{
    static const char *const launches[] = { "10", "11", "9", "1" };
    OpprofStatus status = OPPROF_OK;

    (void) error;
    for (unsigned i = 0; status == OPPROF_OK && i < OPPROF_COUNT(launches) * ROWS_OF_LAUNCH;) {
        const char *launch = launches[i / ROWS_OF_LAUNCH];
        OpprofBatch *batch = OpprofStageNewBatch(stage, 0);

        batch->partition = HarnessIntern(stage, launch);
        for (unsigned k = 0; k < 1000; k++, i++) {
            append(batch)->big = strtoul(launch, NULL, 10);
        }
        status = OpprofStagePush(stage, 0, batch);
    }
    return status;
}

static OpprofStatus produce_sources(OpprofStage *stage, OpprofError **error)
{
    static char large[300 * 1024];
    static const char *const paths[] = { "/src/one.cpp", "/src/large.cpp", "/src/one.cpp" };
    OpprofStatus status = OPPROF_OK;

    (void) error;
    memset(large, '\n', sizeof large - 1);
    for (unsigned i = 0; status == OPPROF_OK && i < 3; i++) {
        OpprofBatch *batch = OpprofStageNewBatch(stage, 0);
        OpprofBlock *block = OpprofBatchAppend(batch);

        *block =
            (OpprofBlock){ .block_type = 1,
                           .version = 0x5a,
                           .path = text_of(batch, paths[i]),
                           .bytes = text_of(batch, i == 1 ? large : "int a; /* </script> */\n"),
                           .file = { OPPROF_NA_U32, 0 },
                           .folder = OPPROF_NA_STRING };
        status = OpprofStagePush(stage, 0, batch);
    }
    return status;
}

static json_t *data(const char *name)
{
    const char *page = HarnessFile("report.html", NULL);
    char *begin;
    char mark[64];
    json_error_t why;

    ck_assert_ptr_nonnull(page);
    snprintf(mark, sizeof mark, "id=\"data-%s\">", name);
    begin = strstr(page, mark);
    ck_assert_msg(begin != NULL, "the page has no %s", name);
    begin += strlen(mark);
    json_t *json = json_loadb(begin, (size_t) (strstr(begin, "</script>") - begin), 0, &why);
    ck_assert_msg(json != NULL, "%s: %s", name, why.text);
    return json;
}

static const char *text_at(const json_t *object, const char *member)
{
    return json_string_value(json_object_get(object, member));
}

START_TEST(a_table_of_a_stranger_is_in_the_page)
{
    HarnessSource("source", produce_rows, stranger, 1);
    HarnessPlugin("html", &opprof_plugin_v0, NULL);
    HarnessRun(OPPROF_RUN_COMPLETE);

    json_t *names = data("names");
    json_t *tables = data("tables");
    const json_t *table = json_array_get(tables, 0);
    const json_t *row = json_array_get(json_object_get(table, "rows"), 0);
    const json_t *bytes = json_array_get(json_object_get(table, "fields"), 2);

    ck_assert_uint_eq(json_array_size(tables), 1);
    ck_assert_str_eq(text_at(table, "type"), "com.example.stranger");
    ck_assert_str_eq(text_at(table, "title"), "Stranger " NASTY);
    ck_assert_int_eq(json_integer_value(json_object_get(table, "total")), 2);
    ck_assert_uint_eq(json_array_size(json_object_get(table, "rows")), 2);
    ck_assert_str_eq(text_at(bytes, "unit"), "byte");
    ck_assert_str_eq(text_at(bytes, "meaning"), "A number.");
    ck_assert_str_eq(json_string_value(json_array_get(
                         names, (size_t) json_integer_value(json_array_get(row, 0)))),
                     "core1");
    ck_assert_str_eq(json_string_value(json_array_get(
                         names, (size_t) json_integer_value(json_array_get(row, 1)))),
                     NASTY);
    /* No number of a browser has as many digits. */
    ck_assert_str_eq(json_string_value(json_array_get(row, 2)), "18446744073709551614");
    ck_assert_str_eq(json_string_value(json_array_get(row, 3)), "0x10f86000");
    ck_assert(json_is_real(json_array_get(row, 4)));
    ck_assert_str_eq(json_string_value(json_array_get(row, 5)),
                     "a \"quoted\" </ScRiPt> \xef\xbf\xbd");
    row = json_array_get(json_object_get(table, "rows"), 1);
    ck_assert(json_is_null(json_array_get(row, 0)));
    ck_assert_int_eq(json_integer_value(json_array_get(row, 2)), 7);
    json_decref(names);
    json_decref(tables);
}
END_TEST

START_TEST(no_data_ends_an_element_of_the_page)
{
    HarnessSource("source", produce_rows, stranger, 1);
    HarnessPlugin("html", &opprof_plugin_v0, NULL);
    HarnessTitle(NASTY);
    HarnessRun(OPPROF_RUN_COMPLETE);

    const char *page = HarnessFile("report.html", NULL);
    unsigned begins = 0;
    unsigned ends = 0;

    for (const char *at = page; (at = strstr(at, "<script")) != NULL; at++) {
        begins++;
    }
    for (const char *at = page; (at = strcasestr(at, "</script")) != NULL; at++) {
        ends++;
    }
    ck_assert_uint_eq(begins, ends);
    ck_assert_ptr_null(strstr(page, "<img"));
    ck_assert_ptr_nonnull(strstr(page, "Content-Security-Policy"));
}
END_TEST

START_TEST(rows_beyond_the_limit_are_counted)
{
    HarnessSource("source", produce_many, stranger, 1);
    HarnessPlugin("html", &opprof_plugin_v0, NULL);
    HarnessRun(OPPROF_RUN_COMPLETE);

    json_t *tables = data("tables");
    const json_t *table = json_array_get(tables, 0);
    const size_t shown = json_array_size(json_object_get(table, "rows"));

    /* 1.5 MiB, in rows of 2048 letters and some more. */
    ck_assert_int_eq(json_integer_value(json_object_get(table, "total")), 2000);
    ck_assert_uint_ge(shown, 720);
    ck_assert_uint_le(shown, 768);
    for (size_t i = 0; i < OPPROF_COUNT(reals); i++) {
        const json_t *row = json_array_get(json_object_get(table, "rows"), i);

        ck_assert_double_eq(json_number_value(json_array_get(row, 4)), reals[i]);
    }
    ck_assert_ptr_null(strstr(HarnessFile("report.html", NULL), "100.00"));
    json_decref(tables);
}
END_TEST

START_TEST(a_table_begins_with_its_first_launch_and_counts_all)
{
    HarnessSource("source", produce_launches, stranger, 1);
    HarnessPlugin("html", &opprof_plugin_v0, NULL);
    HarnessRun(OPPROF_RUN_COMPLETE);

    json_t *tables = data("tables");
    const json_t *table = json_array_get(tables, 0);
    const json_t *rows = json_object_get(table, "rows");

    ck_assert_int_eq(json_integer_value(json_object_get(table, "total")), 4 * ROWS_OF_LAUNCH);
    ck_assert_uint_gt(json_array_size(rows), 10000);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        ck_assert_int_eq(json_integer_value(json_array_get(json_array_get(rows, i), 2)), 1);
    }
    json_decref(tables);
}
END_TEST

START_TEST(sources_are_taken_once_and_cut_at_a_line)
{
    HarnessSource("source", produce_sources, blocks, 1);
    HarnessPlugin("html", &opprof_plugin_v0, NULL);
    HarnessRun(OPPROF_RUN_COMPLETE);

    json_t *sources = data("sources");
    json_t *run = data("run");

    ck_assert_uint_eq(json_array_size(sources), 2);
    ck_assert_str_eq(text_at(json_array_get(sources, 0), "text"), "int a; /* </script> */\n");
    ck_assert_uint_le(strlen(text_at(json_array_get(sources, 1), "text")), 256 * 1024);
    ck_assert_int_eq(json_integer_value(json_object_get(run, "sources_cut")), 1);
    json_decref(sources);
    json_decref(run);
}
END_TEST

/* A file of JSON, and parameters of the plugin that name it. */
static const char *comparison_of(const char *json)
{
    static char params[256];
    char path[] = "/tmp/opprof-comparison-XXXXXX";
    const int fd = mkstemp(path);

    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq((int) write(fd, json, strlen(json)), (int) strlen(json));
    close(fd);
    snprintf(params, sizeof params, "{\"comparison\": \"%s\"}", path);
    return params;
}

/* The file of comparison_of has done its work. */
static void drop_comparison(const char *params)
{
    char path[256];

    ck_assert_int_eq(sscanf(params, "{\"comparison\": \"%255[^\"]", path), 1);
    unlink(path);
}

START_TEST(a_comparison_is_in_the_page_as_it_was)
{
    const char *params =
        comparison_of("{\"opprof_diff\": \"1.0\", \"causes\": [{\"key\": \"" NASTY "\"}]}");

    HarnessSource("source", produce_rows, stranger, 1);
    HarnessPlugin("html", &opprof_plugin_v0, params);
    HarnessRun(OPPROF_RUN_COMPLETE);

    json_t *comparison = data("comparison");
    const json_t *causes = json_object_get(comparison, "causes");

    ck_assert_str_eq(text_at(comparison, "opprof_diff"), "1.0");
    ck_assert_str_eq(text_at(json_array_get(causes, 0), "key"), NASTY);
    ck_assert_ptr_null(strstr(HarnessFile("report.html", NULL), NASTY));
    json_decref(comparison);
    drop_comparison(params);
}
END_TEST

START_TEST(what_is_not_a_comparison_is_refused)
{
    const char *params = comparison_of("{\"pipeline\": \"sim-dump\"}");

    ck_assert_ptr_nonnull(
        strstr(HarnessRefusal("html", &opprof_plugin_v0, params), "is not a comparison"));
    drop_comparison(params);
}
END_TEST

START_TEST(a_comparison_that_is_too_large_is_refused)
{
    const size_t size = (2u << 20) + 100;
    char *large = malloc(size);

    ck_assert_ptr_nonnull(large);
    memset(large, 'x', size);
    memcpy(large, "{\"opprof_diff\":\"", strlen("{\"opprof_diff\":\""));
    memcpy(large + size - 3, "\"}", 3);
    const char *params = comparison_of(large);

    ck_assert_ptr_nonnull(
        strstr(HarnessRefusal("html", &opprof_plugin_v0, params), "a page has room for 2097152"));
    drop_comparison(params);
    free(large);
}
END_TEST

START_TEST(the_file_is_a_page)
{
    ck_assert_ptr_nonnull(
        strstr(HarnessRefusal("html", &opprof_plugin_v0, "{\"file\": \"page.txt\"}"), ".html"));
}
END_TEST

static Suite *html_suite(void)
{
    Suite *suite = suite_create("html");
    TCase *cases = tcase_create("page");

    tcase_add_checked_fixture(cases, HarnessSetup, HarnessTeardown);
    tcase_add_test(cases, a_table_of_a_stranger_is_in_the_page);
    tcase_add_test(cases, no_data_ends_an_element_of_the_page);
    tcase_add_test(cases, rows_beyond_the_limit_are_counted);
    tcase_add_test(cases, a_table_begins_with_its_first_launch_and_counts_all);
    tcase_add_test(cases, sources_are_taken_once_and_cut_at_a_line);
    tcase_add_test(cases, a_comparison_is_in_the_page_as_it_was);
    tcase_add_test(cases, what_is_not_a_comparison_is_refused);
    tcase_add_test(cases, a_comparison_that_is_too_large_is_refused);
    tcase_add_test(cases, the_file_is_a_page);
    suite_add_tcase(suite, cases);
    return suite;
}
TEST_SUITE(html_suite)
