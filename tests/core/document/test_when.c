/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of stages that are left out: core/document/config_when.c. */
#include "document/config.h"

#include "tests/core/scratch.h"
#include "tests/core/suites.h"

#include <opprof/log.h>
#include <opprof/record.h>

static PipelineConfig config;
static Problems problems;
static OpprofError *error;

static void setup(void)
{
    config = (PipelineConfig){ 0 };
    problems = (Problems){ 0 };
    error = NULL;
    OpprofLogSetLevel(OPPROF_LOG_ERROR);
    make_scratch();
    setenv("OPPROF_PIPELINE_PATH", scratch, 1);
}

static void teardown(void)
{
    ConfigFinish(&config);
    ProblemsFinish(&problems);
    OpprofErrorDestroy(error);
    remove_scratch();
}

#define DOCUMENT(condition)                                                                        \
    "{\"opprof_pipeline\": \"1.0\", \"vars\": {\"formats\": {\"choices\": [\"wide\", \"deep\","    \
    " \"all\"], \"list\": true}},\n"                                                               \
    "\"stages\": [{\"id\": \"dump\", \"use\": \"a\"},"                                             \
    " {\"id\": \"deep\", \"use\": \"b\", \"when\": " condition "},"                                \
    " {\"id\": \"csv\", \"use\": \"c\", \"params\": {\"f\": \"${formats}\"}}],\n"                  \
    "\"links\": [{\"from\": \"dump.x\", \"to\": \"deep.x\"},"                                      \
    " {\"from\": \"dump.x\", \"to\": \"csv.x\"}]}"

#define WHEN_DEEP DOCUMENT("{\"formats\": \"deep\"}")

/* Reads the document with formats=VALUE (NULL: not set), and a stage that --without names (NULL:
 * none). */
static void load(const char *document, const char *value, const char *without)
{
    const ConfigSetting settings[] = { { "formats", value } };
    const ConfigRequest request = { .settings = settings,
                                    .setting_count = value != NULL,
                                    .without = { .names = (char **) (uintptr_t) &without,
                                                 .count = without != NULL } };

    write_text("mine.json", document);
    ck_assert_int_eq(ConfigLoad("mine", &request, &config, &problems, &error), OPPROF_OK);
}

static const char *problem(void)
{
    return problems.kept == 0 ? "" : problems.lines[0];
}

static const char *left_out(const char *member)
{
    const json_t *text = json_object_get(json_array_get(config.left_out, 0), member);

    return json_is_string(text) ? json_string_value(text) : "";
}

START_TEST(a_stage_runs_when_its_word_is_set)
{
    static const char *const values[] = { "deep", "wide,deep", "DEEP", "all", "wide,all" };

    for (size_t i = 0; i < OPPROF_COUNT(values); i++) {
        load(WHEN_DEEP, values[i], NULL);
        ck_assert_str_eq(problem(), "");
        ck_assert_uint_eq(config.stage_count, 3);
        ck_assert_uint_eq(config.link_count, 2);
        ck_assert_uint_eq(json_array_size(config.left_out), 0);
        ConfigFinish(&config);
    }
}
END_TEST

START_TEST(without_its_word_a_stage_and_its_links_are_left_out)
{
    static const char *const values[] = { NULL, "wide", "" };

    for (size_t i = 0; i < OPPROF_COUNT(values); i++) {
        load(WHEN_DEEP, values[i], NULL);
        ck_assert_str_eq(problem(), "");
        ck_assert_uint_eq(config.stage_count, 2);
        ck_assert_str_eq(config.stages[1].id, "csv");
        ck_assert_uint_eq(config.link_count, 1);
        ck_assert_str_eq(config.links[0].to, "csv.x");
        ck_assert_str_eq(left_out("stage"), "deep");
        ck_assert_str_eq(left_out("set"), "formats=deep");
        ConfigFinish(&config);
    }
}
END_TEST

START_TEST(a_stage_is_left_out_by_name)
{
    load(WHEN_DEEP, "deep", "csv");
    ck_assert_str_eq(problem(), "");
    ck_assert_uint_eq(config.stage_count, 2);
    ck_assert_str_eq(config.stages[1].id, "deep");
    ck_assert_uint_eq(config.link_count, 1);
    ck_assert_str_eq(left_out("stage"), "csv");
    ck_assert_str_eq(left_out("set"), "");
}
END_TEST

START_TEST(mistakes_have_a_place)
{
    static const struct {
        const char *document, *value, *without, *problem;
    } cases[] = {
        { WHEN_DEEP, "dep", NULL,
          "setting formats: not one of the choices. Did you mean 'deep'? Choices: wide, deep, "
          "all." },
        { WHEN_DEEP, "wide,dep", NULL,
          "setting formats: not one of the choices. Did you mean 'deep'? Choices: wide, deep, "
          "all." },
        { WHEN_DEEP, "wide", "cvs",
          "stages to leave out: no stage 'cvs'. Did you mean 'csv'? Stages: dump, csv." },
        { DOCUMENT("{\"format\": \"deep\"}"), NULL, NULL,
          "/stages/1/when/format: no variable 'format'. Did you mean 'formats'? Variables: "
          "formats." },
        { DOCUMENT("{\"formats\": 1}"), NULL, NULL,
          "/stages/1/when/formats: expected a word that the value of 'formats' may have." },
        { DOCUMENT("\"deep\""), NULL, NULL,
          "/stages/1/when: wrong type: expected an object such as { \"formats\": \"spans\" }, "
          "got a text." },
    };

    for (size_t i = 0; i < OPPROF_COUNT(cases); i++) {
        load(cases[i].document, cases[i].value, cases[i].without);
        ck_assert_str_eq(problem(), cases[i].problem);
        ConfigFinish(&config);
        ProblemsFinish(&problems);
        problems = (Problems){ 0 };
    }
}
END_TEST

START_TEST(a_setting_of_a_stage_that_is_left_out_says_how_to_add_it)
{
    const ConfigSetting settings[] = { { "deep.x", "1" } };
    const ConfigRequest request = { .settings = settings, .setting_count = 1 };

    write_text("mine.json", WHEN_DEEP);
    ck_assert_int_eq(ConfigLoad("mine", &request, &config, &problems, &error), OPPROF_OK);
    ck_assert_str_eq(problem(),
                     "setting deep.x: stage 'deep' is left out: set formats=deep to add it.");
}
END_TEST

static Suite *when_suite(void)
{
    Suite *suite = suite_create("when");
    TCase *all = tcase_create("all");

    tcase_add_checked_fixture(all, setup, teardown);
    tcase_add_test(all, a_stage_runs_when_its_word_is_set);
    tcase_add_test(all, without_its_word_a_stage_and_its_links_are_left_out);
    tcase_add_test(all, a_stage_is_left_out_by_name);
    tcase_add_test(all, mistakes_have_a_place);
    tcase_add_test(all, a_setting_of_a_stage_that_is_left_out_says_how_to_add_it);
    suite_add_tcase(suite, all);
    return suite;
}
TEST_SUITE(when_suite)
