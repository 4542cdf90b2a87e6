/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of pipelines that extend others: core/document/config_extends.c. */
#include "document/config.h"

#include "tests/core/scratch.h"
#include "tests/core/suites.h"

#include <opprof/log.h>

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

#define BASE                                                                                       \
    "{\"opprof_pipeline\": \"1.0\", \"description\": \"base\", \"plugin_path\": [\"p\"],\n"        \
    "\"vars\": {\"input\": {\"required\": true, \"help\": \"h\"}, \"top\": {\"default\": "         \
    "\"10\"}},"                                                                                    \
    "\n\"queue\": {\"items\": 16, \"bytes\": \"2MiB\"},\n"                                         \
    "\"stages\": [{\"id\": \"dump\", \"use\": \"a\", \"params\": {\"x\": \"${input}\", \"y\": "    \
    "1}},\n"                                                                                       \
    "  {\"id\": \"csv\", \"use\": \"csv\"}],\n"                                                    \
    "\"links\": [{\"from\": \"dump.a\", \"to\": \"csv.a\"}, {\"from\": \"dump.b\", \"to\": "       \
    "\"csv.b\"}]}"

static OpprofStatus load(const char *name, json_t *added, const char *input)
{
    const ConfigSetting settings[] = { { "input", input } };
    const ConfigRequest request = { .settings = settings,
                                    .setting_count = input != NULL ? 1 : 0,
                                    .added = added };

    return ConfigLoad(name, &request, &config, &problems, &error);
}

static void load_good(const char *name)
{
    ck_assert_int_eq(load(name, NULL, "data"), OPPROF_OK);
    ck_assert_msg(ProblemsNone(&problems), "%s", problems.kept > 0 ? problems.lines[0] : "");
}

static const char *param(size_t stage, const char *name)
{
    const char *text = json_string_value(json_object_get(config.stages[stage].params, name));

    return text != NULL ? text : "";
}

static void write_base(void)
{
    write_text("base.json", BASE);
}

START_TEST(a_document_that_extends_and_says_nothing_is_the_other)
{
    write_base();
    write_text("mine.json", "{\"opprof_pipeline\": \"1.0\", \"extends\": \"base\"}");
    load_good("mine");
    ck_assert_str_eq(config.name, "mine");
    ck_assert_str_eq(config.description, "base");
    ck_assert_uint_eq(config.stage_count, 2);
    ck_assert_str_eq(param(0, "x"), "data");
    ck_assert_uint_eq(config.link_count, 2);
    ck_assert_uint_eq(config.queue_items, 16);
    ck_assert_str_eq(config.plugin_paths.names[0], in_scratch("p"));
    ck_assert(!config.stages[0].is_appended);
}
END_TEST

START_TEST(stages_are_overridden_by_id_or_appended)
{
    write_base();
    write_text("mine.json",
               "{\"opprof_pipeline\": \"1.0\", \"extends\": \"./base.json\", \"description\": "
               "\"mine\", \"queue\": {\"items\": 4}, \"plugin_path\": [\"q\"],\n"
               "\"stages\": [{\"id\": \"more\", \"use\": \"m\"}, {\"id\": \"dump\", \"params\": "
               "{\"y\": \"two\", \"z\": \"three\"}, \"critical\": false}],\n"
               "\"links\": [{\"from\": \"more.a\", \"to\": \"csv.a\"}]}");
    load_good("mine");
    ck_assert_str_eq(config.description, "mine");
    ck_assert_uint_eq(config.stage_count, 3);
    ck_assert_str_eq(config.stages[0].id, "dump");
    ck_assert_str_eq(config.stages[0].use, "a");
    ck_assert_str_eq(param(0, "x"), "data");
    ck_assert_str_eq(param(0, "y"), "two");
    ck_assert_str_eq(param(0, "z"), "three");
    ck_assert_int_eq(config.stages[0].critical, CONFIG_CRITICAL_NO);
    ck_assert_str_eq(config.stages[2].id, "more");
    ck_assert(config.stages[2].is_appended);
    ck_assert_uint_eq(config.queue_items, 4);
    ck_assert_uint_eq(config.queue_bytes, 2u << 20);
    ck_assert_uint_eq(config.plugin_paths.count, 2);
    ck_assert_str_eq(config.plugin_paths.names[0], in_scratch("q"));
    ck_assert_uint_eq(config.link_count, 2); /* that to csv.a is replaced */
    ck_assert_str_eq(config.links[0].from, "dump.b");
    ck_assert_str_eq(config.links[1].from, "more.a");
}
END_TEST

START_TEST(a_required_variable_may_get_a_default)
{
    write_base();
    write_text("mine.json",
               "{\"opprof_pipeline\": \"1.0\", \"extends\": \"base\", \"vars\": {\"input\": "
               "{\"default\": \"here\"}, \"top\": {\"required\": true}, \"new\": {}}}");
    ck_assert_int_eq(load("mine", NULL, NULL), OPPROF_OK);
    ck_assert_str_eq(param(0, "x"), "here");
    ck_assert_uint_eq(problems.count, 1);
    ck_assert_str_eq(problems.lines[0], "/vars/top: required, but not given. Set top=VALUE.");
    ck_assert_ptr_nonnull(json_object_get(config.vars, "new"));
}
END_TEST

START_TEST(mistakes_are_placed_in_the_document_that_makes_them)
{
    char *wanted;

    write_text("base.json", "{\"opprof_pipeline\": \"1.0\", \"stagez\": 1, \"stages\": [{\"id\": "
                            "\"dump\", \"use\": \"a\", \"usee\": 1}]}");
    write_text("mine.json", "{\"opprof_pipeline\": \"1.0\", \"extends\": \"base\", \"stages\": "
                            "[{\"id\": \"new\", \"use\": \"a\", \"usee\": 1}]}");
    ck_assert_int_eq(load("mine", NULL, NULL), OPPROF_OK);
    ck_assert_uint_eq(problems.count, 3);
    wanted =
        ProblemText("%s:/stagez: unknown member. Did you mean 'stages'?", in_scratch("base.json"));
    ck_assert_msg(strncmp(problems.lines[0], wanted, strlen(wanted)) == 0, "%s", problems.lines[0]);
    free(wanted);
    wanted = ProblemText("%s:/stages/0/usee: unknown member", in_scratch("base.json"));
    ck_assert_msg(strncmp(problems.lines[1], wanted, strlen(wanted)) == 0, "%s", problems.lines[1]);
    free(wanted);
    ck_assert_int_eq(strncmp(problems.lines[2], "/stages/0/usee: unknown member", 30), 0);
}
END_TEST

START_TEST(a_stage_that_is_there_twice_is_reported_as_ever)
{
    write_base();
    write_text("mine.json", "{\"opprof_pipeline\": \"1.0\", \"extends\": \"base\", \"stages\": "
                            "[{\"id\": \"m\", \"use\": \"a\"}, {\"id\": \"m\", \"use\": \"a\"}]}");
    ck_assert_int_eq(load("mine", NULL, "x"), OPPROF_OK);
    ck_assert_uint_eq(problems.count, 1);
    ck_assert_str_eq(problems.lines[0], "/stages/1: stage 'm' is repeated: see /stages/0.");
}
END_TEST

START_TEST(a_chain_of_three_keeps_every_layer)
{
    write_base();
    write_text("middle.json", "{\"opprof_pipeline\": \"1.0\", \"extends\": \"base\", \"stages\": "
                              "[{\"id\": \"m\", \"use\": \"mid\"}]}");
    write_text("mine.json", "{\"opprof_pipeline\": \"1.0\", \"extends\": \"middle\", \"stages\": "
                            "[{\"id\": \"m\", \"use\": \"top\"}, {\"id\": \"dump\", \"use\": "
                            "\"other\"}]}");
    load_good("mine");
    ck_assert_uint_eq(config.stage_count, 3);
    ck_assert_str_eq(config.stages[0].use, "other");
    ck_assert_str_eq(config.stages[2].use, "top");
    ck_assert(config.stages[2].is_appended);
}
END_TEST

START_TEST(a_circle_is_an_error_with_the_chain)
{
    write_text("a.json", "{\"opprof_pipeline\": \"1.0\", \"extends\": \"b\"}");
    write_text("b.json", "{\"opprof_pipeline\": \"1.0\", \"extends\": \"./c.json\"}");
    write_text("c.json", "{\"opprof_pipeline\": \"1.0\", \"extends\": \"a\"}");
    ck_assert_int_eq(load("a", NULL, NULL), OPPROF_E_ARGUMENT);
    ck_assert_str_eq(OpprofErrorMessage(error),
                     "Cannot read the pipeline: 'a' extends 'b', which extends './c.json', which "
                     "extends 'a': this is a cycle");
}
END_TEST

START_TEST(a_document_that_extends_itself_is_a_circle)
{
    write_text("a.json", "{\"opprof_pipeline\": \"1.0\", \"extends\": \"a.json\"}");
    ck_assert_int_eq(load(in_scratch("a.json"), NULL, NULL), OPPROF_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(OpprofErrorMessage(error), "this is a cycle"));
}
END_TEST

START_TEST(a_missing_document_is_an_error_with_the_chain)
{
    write_text("a.json", "{\"opprof_pipeline\": \"1.0\", \"extends\": \"base\"}");
    write_text("base.json", "{\"opprof_pipeline\": \"1.0\", \"extends\": \"bsae\"}");
    ck_assert_int_eq(load("a", NULL, NULL), OPPROF_E_NOT_FOUND);
    ck_assert_str_eq(OpprofErrorMessage(error), "Cannot read the pipeline: 'a' extends 'base', "
                                                "which extends 'bsae'");
    ck_assert_ptr_nonnull(strstr(OpprofErrorGetHint(OpprofErrorCause(error)), "'base'"));
}
END_TEST

START_TEST(a_broken_document_is_an_error_with_the_chain)
{
    write_text("a.json", "{\"opprof_pipeline\": \"1.0\", \"extends\": \"./none.json\"}");
    write_text("none.json", "{");
    ck_assert_int_eq(load("a", NULL, NULL), OPPROF_E_ARGUMENT);
    ck_assert_str_eq(OpprofErrorMessage(error),
                     "Cannot read the pipeline: 'a' extends './none.json'");
}
END_TEST

START_TEST(a_chain_is_limited)
{
    for (int i = 0; i < 20; i++) {
        char name[32], text[96];

        snprintf(name, sizeof name, "d%d.json", i);
        snprintf(text, sizeof text, "{\"opprof_pipeline\": \"1.0\", \"extends\": \"d%d\"}", i + 1);
        write_text(name, text);
    }
    ck_assert_int_eq(load("d0", NULL, NULL), OPPROF_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(OpprofErrorMessage(error), "the chain is too long"));
}
END_TEST

START_TEST(what_is_not_a_name_is_a_mistake)
{
    write_text("a.json", "{\"opprof_pipeline\": \"1.0\", \"extends\": [\"b\"], \"stages\": "
                         "[{\"id\": \"m\", \"use\": \"a\"}]}");
    ck_assert_int_eq(load("a", NULL, NULL), OPPROF_OK);
    ck_assert_str_eq(problems.lines[0], "/extends: wrong type: expected the name or path of a "
                                        "pipeline, got an array.");
}
END_TEST

START_TEST(stages_of_the_wrong_kind_are_reported_not_merged)
{
    write_base();
    write_text(
        "mine.json",
        "{\"opprof_pipeline\": \"1.0\", \"extends\": \"base\", \"stages\": {}, \"vars\": 3}");
    ck_assert_int_eq(load("mine", NULL, NULL), OPPROF_OK);
    ck_assert_uint_ge(problems.count, 2);
}
END_TEST

START_TEST(added_stages_stand_behind_and_know_variables)
{
    json_t *added =
        json_pack("[{s:s, s:s, s:{s:s}}]", "id", "mine", "use", "m", "params", "p", "${input}/x");

    write_base();
    ck_assert_int_eq(load("base", added, "d"), OPPROF_OK);
    ck_assert(ProblemsNone(&problems));
    ck_assert_str_eq(config.stages[2].id, "mine");
    ck_assert(config.stages[2].is_appended);
    ck_assert_str_eq(config.stages[2].pointer, "added stage mine");
    ck_assert_str_eq(param(2, "p"), "d/x");
    json_decref(added);
}
END_TEST

START_TEST(an_added_stage_of_a_known_id_is_a_mistake)
{
    json_t *added = json_pack("[{s:s, s:s}]", "id", "csv", "use", "m");

    write_base();
    ck_assert_int_eq(load("base", added, "d"), OPPROF_OK);
    ck_assert_str_eq(problems.lines[0], "added stage csv: stage 'csv' is repeated: see /stages/1.");
    json_decref(added);
}
END_TEST

static Suite *extends_suite(void)
{
    Suite *suite = suite_create("extends");
    TCase *tcase = tcase_create("extends");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, a_document_that_extends_and_says_nothing_is_the_other);
    tcase_add_test(tcase, stages_are_overridden_by_id_or_appended);
    tcase_add_test(tcase, a_required_variable_may_get_a_default);
    tcase_add_test(tcase, mistakes_are_placed_in_the_document_that_makes_them);
    tcase_add_test(tcase, a_stage_that_is_there_twice_is_reported_as_ever);
    tcase_add_test(tcase, a_chain_of_three_keeps_every_layer);
    tcase_add_test(tcase, a_circle_is_an_error_with_the_chain);
    tcase_add_test(tcase, a_document_that_extends_itself_is_a_circle);
    tcase_add_test(tcase, a_missing_document_is_an_error_with_the_chain);
    tcase_add_test(tcase, a_broken_document_is_an_error_with_the_chain);
    tcase_add_test(tcase, a_chain_is_limited);
    tcase_add_test(tcase, what_is_not_a_name_is_a_mistake);
    tcase_add_test(tcase, stages_of_the_wrong_kind_are_reported_not_merged);
    tcase_add_test(tcase, added_stages_stand_behind_and_know_variables);
    tcase_add_test(tcase, an_added_stage_of_a_known_id_is_a_mistake);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(extends_suite)
