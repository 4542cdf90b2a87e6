/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of core/document/config.c. */
#include "document/config.h"

#include "document/config_find.h"
#include "run/nodes.h"
#include "tests/core/base/failing_alloc.h"
#include "tests/core/suites.h"

#include <check.h>
#include <opprof/json.h>
#include <opprof/log.h>
#include <opprof/plugin.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static PipelineConfig config;
static Problems problems;
static OpprofError *error;

static void setup(void)
{
    config = (PipelineConfig){ 0 };
    problems = (Problems){ 0 };
    error = NULL;
    OpprofLogSetLevel(OPPROF_LOG_ERROR);
}

static void teardown(void)
{
    ConfigFinish(&config);
    ProblemsFinish(&problems);
    OpprofErrorDestroy(error);
}

static const ConfigRequest nothing = { .settings = NULL };

/* Single quotes stand for double ones. */
static char *unquote(const char *text)
{
    char *copy = strdup(text);

    ck_assert_ptr_nonnull(copy);
    for (char *at = copy; *at != '\0'; at++) {
        *at = *at == '\'' ? '"' : *at;
    }
    return copy;
}

static OpprofStatus parse_bytes(const char *document, size_t length, const ConfigRequest *request)
{
    const ConfigOrigin origin = { .name = "x.json", .directory = "/etc/opprof" };
    json_t *root = NULL;
    const OpprofStatus status = OpprofJsonParse("x.json", document, length, &root, &error);

    return status == OPPROF_OK ? ConfigParse(&origin, root, request, &config, &problems, &error)
                               : status;
}

static OpprofStatus parse_with(const char *text, const ConfigSetting *settings, size_t count)
{
    char *document = unquote(text);
    const ConfigRequest request = { .settings = settings, .setting_count = count };
    OpprofStatus status = parse_bytes(document, strlen(document), &request);

    free(document);
    return status;
}

static void parse(const char *text)
{
    ck_assert_int_eq(parse_with(text, NULL, 0), OPPROF_OK);
}

static void expect_none(void)
{
    if (!ProblemsNone(&problems)) {
        ck_abort_msg("unexpected: %s", problems.lines[0]);
    }
}

#define WITH(members) "{'opprof_pipeline': '1.0', " members "}"
#define ONE "'stages': [{'id': 'dump', 'use': 'collect-sim'}]"

START_TEST(a_document_becomes_stages_and_links)
{
    parse("{'opprof_pipeline': '1.0', 'description': 'All of it.', '_note': {'any': 'thing'},"
          " 'x-editor': 7,"
          " 'plugin_path': ['plugins', '/opt/p', '../q'],"
          " 'queue': {'items': 8, 'bytes': '1MiB', 'budget': 4096},"
          " 'stages': [{'id': 'dump', 'use': 'collect-sim', 'critical': false,"
          "             'params': {'dump': 'd', 'top': 3, '_why': '${not a var'}},"
          "            {'id': 'time-line_2', 'use': 'sim-timeline', 'critical': true, 'x-y': 1},"
          "            {'id': 'trace', 'use': 'trace'}],"
          " 'links': [{'from': 'dump.instructions', 'to': 'trace'}]}");
    expect_none();
    ck_assert_str_eq(config.name, "x.json");
    ck_assert_ptr_null(config.path);
    ck_assert_str_eq(config.description, "All of it.");
    ck_assert_uint_eq(config.plugin_paths.count, 3);
    ck_assert_str_eq(config.plugin_paths.names[0], "/etc/opprof/plugins");
    ck_assert_str_eq(config.plugin_paths.names[1], "/opt/p");
    ck_assert_str_eq(config.plugin_paths.names[2], "/etc/opprof/../q");
    ck_assert_uint_eq(config.queue_items, 8);
    ck_assert_uint_eq(config.queue_bytes, 1 << 20);
    ck_assert_uint_eq(config.queue_budget, 4096);
    ck_assert_uint_eq(config.stage_count, 3);
    ck_assert_str_eq(config.stages[0].id, "dump");
    ck_assert_str_eq(config.stages[0].use, "collect-sim");
    ck_assert_str_eq(config.stages[0].pointer, "/stages/0");
    ck_assert_int_eq(config.stages[0].critical, CONFIG_CRITICAL_NO);
    ck_assert_uint_eq(json_object_size(config.stages[0].params), 2);
    ck_assert_uint_eq(json_object_size(config.stages[0].origins), 0);
    ck_assert_int_eq(config.stages[1].critical, CONFIG_CRITICAL_YES);
    ck_assert_int_eq(config.stages[2].critical, CONFIG_CRITICAL_DEFAULT);
    ck_assert_uint_eq(config.link_count, 1);
    ck_assert_str_eq(config.links[0].from, "dump.instructions");
    ck_assert_str_eq(config.links[0].to, "trace");
    ck_assert_str_eq(config.links[0].pointer, "/links/0");
}
END_TEST

START_TEST(a_title_has_variables_and_a_setting_takes_its_place)
{
    static const ConfigSetting setting = { "title", "mine ${x}" };

    parse(WITH("'title': 'a ${n}', 'vars': {'n': {'default': 20}}, " ONE));
    expect_none();
    ck_assert_str_eq(config.title, "a 20");
    ConfigFinish(&config);
    parse(WITH("'title': '${u}', 'vars': {'u': {'help': 'nothing'}}, " ONE));
    expect_none();
    ck_assert_ptr_null(config.title);
    ConfigFinish(&config);
    ck_assert_int_eq(parse_with(WITH("'title': '${gone}', " ONE), &setting, 1), OPPROF_OK);
    expect_none(); /* the pipeline has it */
    ck_assert_ptr_null(config.title);
}
END_TEST

START_TEST(queues_have_documented_defaults)
{
    parse(WITH(ONE));
    expect_none();
    ck_assert_uint_eq(config.queue_items, 64);
    ck_assert_uint_eq(config.queue_bytes, 16777216);
    ck_assert_uint_eq(config.queue_budget, 67108864);
    ck_assert_uint_eq(config.link_count, 0);
    ck_assert_uint_eq(config.plugin_paths.count, 0);
}
END_TEST

/* Values of the parameter "p" of the stage "s" for a document with variables. */
#define VARS                                                                                       \
    "'vars': {'n': {'default': 20}, 'f': {'default': 0.5}, 't': {'default': 'text'},"              \
    " 'b': {'default': true}, 'l': {'default': ['a', 'b']}, 'u': {'help': 'nothing'},"             \
    " 'z': {'default': null}, 'e': {'default': ''}, 'r': {'default': '${n}'}}"

typedef struct Value {
    const char *param; /* JSON as it stands in the document */
    const char *value; /* JSON that the stage gets */
    const char *origin;
} Value;

static const Value values[] = {
    { "5", "5", NULL },
    { "'plain'", "'plain'", NULL },
    { "'${n}'", "20", "${n}" },
    { "'${f}'", "0.5", "${f}" },
    { "'${b}'", "true", "${b}" },
    { "'${t}'", "'text'", "${t}" },
    { "'${l}'", "['a', 'b']", "${l}" },
    { "'${u}'", "null", "${u}" },
    { "'${z}'", "null", "${z}" },
    { "'${e}'", "''", "${e}" },
    /* once, no recursion */
    { "'${r}'", "'${n}'", "${r}" },
    { "'${r}!'", "'${n}!'", "${r}!" },
    { "'${n}ms'", "'20ms'", "${n}ms" },
    { "'a${t}b${t}c'", "'atextbtextc'", "a${t}b${t}c" },
    { "'${n}${n}'", "'2020'", "${n}${n}" },
    { "'${f}'", "0.5", "${f}" },
    { "'=${f}'", "'=0.5'", "=${f}" },
    { "'=${b}'", "'=true'", "=${b}" },
    { "'=${e}'", "'='", "=${e}" },
    { "'$${n}'", "'${n}'", NULL },
    { "'a$${n}b$'", "'a${n}b$'", NULL },
    { "'$n $$ $'", "'$n $$ $'", NULL },
    { "'$$${n}'", "'$${n}'", NULL },
    { "'$$${n}${n}'", "'$${n}20'", "$$${n}${n}" },
    { "['${n}', 'x${t}', 1]", "[20, 'xtext', 1]", NULL },
    { "{'k': '${t}'}", "{'k': 'text'}", NULL },
};

START_TEST(variables_are_replaced_in_values)
{
    const Value *value = &values[_i];
    char *text = ProblemText(
        WITH(VARS ", 'stages': [{'id': 's', 'use': 'p', 'params': {'p': %s}}]"), value->param);
    char *wanted = unquote(value->value);
    json_t *json = json_loads(wanted, JSON_DECODE_ANY, NULL);

    parse(text);
    expect_none();
    ck_assert_msg(json_equal(json_object_get(config.stages[0].params, "p"), json), "%s",
                  value->param);
    if (value->origin == NULL) {
        ck_assert_ptr_null(json_object_get(config.stages[0].origins, "p"));
    } else {
        ck_assert_str_eq(json_string_value(json_object_get(config.stages[0].origins, "p")),
                         value->origin);
    }
    json_decref(json);
    free(wanted);
    free(text);
}
END_TEST

START_TEST(settings_reach_variables_and_parameters)
{
    static const ConfigSetting settings[] = {
        { "n", "1" }, { "n", "50" }, { "s.q", "a,b" }, { "s.p", "${n}" }, { "t", "" }
    };

    ck_assert_int_eq(parse_with(WITH(VARS ", 'stages': [{'id': 's', 'use': 'p', 'params': {'p': 1,"
                                          " 'n': '${n}', 't': '${t}'}}]"),
                                settings, OPPROF_COUNT(settings)),
                     OPPROF_OK);
    expect_none();
    ck_assert_str_eq(json_string_value(json_object_get(config.vars, "n")), "50");
    ck_assert_str_eq(json_string_value(json_object_get(config.stages[0].params, "n")), "50");
    ck_assert_str_eq(json_string_value(json_object_get(config.stages[0].params, "t")), "");
    ck_assert_str_eq(json_string_value(json_object_get(config.stages[0].params, "q")), "a,b");
    /* what is typed is taken as it is */
    ck_assert_str_eq(json_string_value(json_object_get(config.stages[0].params, "p")), "${n}");
    ck_assert_str_eq(json_string_value(json_object_get(config.stages[0].origins, "p")),
                     "setting s.p");
}
END_TEST

START_TEST(a_parameter_that_is_set_needs_no_variable)
{
    static const ConfigSetting setting = { "s.p", "x" };

    ck_assert_int_eq(parse_with(WITH("'stages': [{'id': 's', 'use': 'p', 'params':"
                                     " {'p': '${no_such}'}}]"),
                                &setting, 1),
                     OPPROF_OK);
    expect_none();
}
END_TEST

START_TEST(choices_are_spelt_as_in_the_document)
{
    static const ConfigSetting setting = { "c", "EXACT" };

    ck_assert_int_eq(
        parse_with(WITH("'vars': {'c': {'default': 'fast', 'choices': ['fast', 'Exact']}}, " ONE),
                   &setting, 1),
        OPPROF_OK);
    expect_none();
    ck_assert_str_eq(json_string_value(json_object_get(config.vars, "c")), "Exact");
}
END_TEST

typedef struct Mistake {
    const char *text;
    const char *line;
} Mistake;

#define TOP_KNOWN                                                                                  \
    "Known: opprof_pipeline, description, title, extends, accepts, vars, programs, plugin_path, "  \
    "queue, stages, links."
#define PARAM(value) WITH(VARS ", 'stages': [{'id': 's', 'use': 'p', 'params': {'p': " value "}}]")
#define VAR_NAMES "Variables: n, f, t, b, l, u, z, e, r."
#define AT_P "/stages/0/params/p (stage 's'): "

static const Mistake mistakes[] = {
    { "{" ONE "}", "/opprof_pipeline: required, but not given: this opprof reads \"1.0\"." },
    { "{'opprof_pipeline': 1.0, " ONE "}",
      "/opprof_pipeline: not a format number: expected a text such as \"1.0\"." },
    { "{'opprof_pipeline': '1', " ONE "}",
      "/opprof_pipeline: not a format number: expected a text such as \"1.0\"." },
    { "{'opprof_pipeline': '1.0.0', " ONE "}",
      "/opprof_pipeline: not a format number: expected a text such as \"1.0\"." },
    { "{'opprof_pipeline': '99999999999.0', " ONE "}",
      "/opprof_pipeline: not a format number: expected a text such as \"1.0\"." },
    { "{'opprof_pipeline': '2.0', 'other': 1}",
      "/opprof_pipeline: unknown format 2.0: this opprof reads 1.0." },
    { "{'opprof_pipeline': '0.9', 'other': 1}",
      "/opprof_pipeline: unknown format 0.9: this opprof reads 1.0." },

    { WITH("'stges': []"), NULL },
    { WITH(ONE ", 'link': []"), "/link: unknown member. Did you mean 'links'? " TOP_KNOWN },
    { WITH(ONE ", 'description': 1"), "/description: wrong type: expected a text, got a number." },
    { WITH("'_': 1"),
      "/stages: required, but not given: expected an array of one or more objects." },
    { WITH("'stages': {}"), "/stages: wrong type: expected an array of objects, got an object." },
    { WITH("'stages': []"), "/stages: there are no stages." },
    { WITH("'stages': [{'id': 'a', 'use': 'p'}, 'b']"),
      "/stages: element 1: wrong type: expected an object, got a text." },
    { WITH("'stages': [{'id': 'a', 'use': 'p', 'parms': {}}]"),
      "/stages/0/parms: unknown member. Did you mean 'params'? Known: id, use, params, critical, "
      "when." },
    { WITH("'stages': [{'use': 'p'}]"),
      "/stages/0/id: required, but not given: expected a text that is not empty." },
    { WITH("'stages': [{'id': '', 'use': 'p'}]"),
      "/stages/0/id: wrong type: expected a text that is not empty, got a text." },
    { WITH("'stages': [{'id': 'a.b', 'use': 'p'}]"),
      "/stages/0: 'a.b' is not an id for a stage: up to 64 letters, digits, '_' and '-'." },
    { WITH("'stages': [{'id': 'a', 'use': 'p'}, {'id': 'b', 'use': 'p'}, {'id': 'a', 'use': 'q'}]"),
      "/stages/2: stage 'a' is repeated: see /stages/0." },
    { WITH("'stages': [{'id': 'a'}]"),
      "/stages/0/use: required, but not given: expected a text that is not empty." },
    { WITH("'stages': [{'id': 'a', 'use': ['p']}]"),
      "/stages/0/use: wrong type: expected a text that is not empty, got an array." },
    { WITH("'stages': [{'id': 'a', 'use': 'p', 'params': []}]"),
      "/stages/0/params: wrong type: expected an object, got an array." },
    { WITH("'stages': [{'id': 'a', 'use': 'p', 'critical': 'yes'}]"),
      "/stages/0/critical: wrong type: expected true or false, got a text." },

    { WITH(ONE ", 'links': {}"),
      "/links: wrong type: expected an array of objects, got an object." },
    { WITH(ONE ", 'links': [{'from': 'a'}]"),
      "/links/0/to: required, but not given: expected a text that is not empty." },
    { WITH(ONE ", 'links': [{'from': 'a', 'to': 1}]"),
      "/links/0/to: wrong type: expected a text that is not empty, got a number." },
    { WITH(ONE ", 'links': [{'from': 'a', 'to': 'b', 'form': 'c'}]"),
      "/links/0/form: unknown member. Did you mean 'from'? Known: from, to." },

    { WITH(ONE ", 'plugin_path': 'x'"),
      "/plugin_path: wrong type: expected an array of texts, got a text." },
    { WITH(ONE ", 'plugin_path': ['x', 1]"),
      "/plugin_path: element 1: wrong type: expected a text, got a number." },
    { WITH(ONE ", 'plugin_path': ['']"), "/plugin_path: element 0 is empty." },

    { WITH(ONE ", 'queue': 5"), "/queue: wrong type: expected an object, got a number." },
    { WITH(ONE ", 'queue': {'items': 0}"),
      "/queue/items: out of range: expected 1 to 65536, got the number 0." },
    { WITH(ONE ", 'queue': {'items': 65537}"),
      "/queue/items: out of range: expected 1 to 65536, got the number 65537." },
    { WITH(ONE ", 'queue': {'bytes': '2TiB'}"),
      "/queue/bytes: out of range: expected 4KiB to 1TiB, got '2TiB'." },
    { WITH(ONE ", 'queue': {'item': 1}"),
      "/queue/item: unknown parameter. Did you mean 'items'? Known: items, bytes, budget." },

    { WITH(ONE ", 'vars': []"), "/vars: wrong type: expected an object, got an array." },
    { WITH(ONE ", 'vars': {'a': 5}"),
      "/vars/a: wrong type: expected an object such as { \"default\": 20 }, got a number." },
    { WITH(ONE ", 'vars': {'a.b': {}}"),
      "/vars/a.b: not a variable name: up to 64 letters, digits, '_' and '-'." },
    { WITH(ONE ", 'vars': {'a': {'defualt': 5}}"),
      "/vars/a/defualt: unknown member. Did you mean 'default'? Known: required, default, help, "
      "choices, list." },
    { WITH(ONE ", 'vars': {'a': {'required': 'yes'}}"),
      "/vars/a/required: wrong type: expected true or false, got a text." },
    { WITH(ONE ", 'vars': {'a': {'help': 1}}"),
      "/vars/a/help: wrong type: expected a text, got a number." },
    { WITH(ONE ", 'vars': {'a': {'default': {}}}"),
      "/vars/a/default: wrong type: expected a text, a number, true, false, null or an array of "
      "texts, "
      "got an object." },
    { WITH(ONE ", 'vars': {'a': {'default': [1]}}"),
      "/vars/a/default: wrong type: expected a text, a number, true, false, null or an array of "
      "texts, "
      "got an array." },
    { WITH(ONE ", 'vars': {'a': {'choices': []}}"),
      "/vars/a/choices: wrong type: expected an array of one or more texts, got an array." },
    { WITH(ONE ", 'vars': {'a': {'default': 'x', 'choices': ['y', 'z']}}"),
      "/vars/a: not one of the choices. Choices: y, z." },
    { WITH(ONE ", 'vars': {'a': {'required': true, 'default': 1}}"),
      "/vars/a: it is required, but has a default." },
    { WITH(ONE ", 'vars': {'input': {'required': true, 'help': 'camodel dump directory'}}"),
      "/vars/input: required, but not given (camodel dump directory). Set input=VALUE." },
    { WITH("'vars': {'input': {'required': true}}, 'stages': [{'id': 's', 'use': 'p', 'params':"
           " {'p': '${input}', 'q': '${input}/x'}}]"),
      "/vars/input: required, but not given. Set input=VALUE." },

    { PARAM("'${nn}'"), AT_P "no variable 'nn'. Did you mean 'n'? " VAR_NAMES },
    { PARAM("'x${nothing}'"), AT_P "no variable 'nothing'. " VAR_NAMES },
    { PARAM("['${nn}']"), AT_P "no variable 'nn'. Did you mean 'n'? " VAR_NAMES },
    { PARAM("'${}'"), AT_P "no variable ''. " VAR_NAMES },
    { PARAM("'a${n'"), AT_P "'${' without '}'. Write a literal '${' as '$${'." },
    { PARAM("'a${u}'"), AT_P "variable 'u' has no value, but is used inside a text. Set u=VALUE." },
    { PARAM("'a${l}'"),
      AT_P "variable 'l' is a list, which can be a whole value but not part of a text." },
};

START_TEST(a_mistake_is_told_where_it_is)
{
    const Mistake *mistake = &mistakes[_i];

    parse(mistake->text);
    if (mistake->line == NULL) {
        /* an unknown member instead of a required one: both are reported */
        ck_assert_uint_eq(problems.count, 2);
        return;
    }
    if (problems.count != 1) {
        ck_abort_msg("%zu mistakes in %s: %s", problems.count, mistake->text,
                     problems.count > 1 ? problems.lines[1] : "");
    }
    ck_assert_str_eq(problems.lines[0], mistake->line);
}
END_TEST

typedef struct WrongSetting {
    ConfigSetting setting;
    const char *line;
} WrongSetting;

static const WrongSetting wrong_settings[] = {
    { { "nn", "1" }, "setting nn: no variable 'nn'. Did you mean 'n'? " VAR_NAMES },
    { { "nothing", "1" }, "setting nothing: no variable 'nothing'. " VAR_NAMES },
    { { "", "1" }, "setting : no variable ''. " VAR_NAMES },
    { { "roll2.x", "1" },
      "setting roll2.x: no stage 'roll2'. Did you mean 'roll'? Stages: roll, out." },
    { { ".x", "1" }, "setting .x: no stage ''. Stages: roll, out." },
    { { "roll.", "1" }, "setting roll.: no parameter is named for stage 'roll'." },
    { { "n", "\xff" }, "setting n: the value is not UTF-8 text." },
    { { "roll.x", "\xff" }, "setting roll.x: the value is not UTF-8 text." },
    { { "n\xff", "1" }, "setting n?: no variable 'n?'. Did you mean 'n'? " VAR_NAMES },
};

START_TEST(a_setting_for_nothing_is_told)
{
    const WrongSetting *wrong = &wrong_settings[_i];

    ck_assert_int_eq(parse_with(WITH(VARS ", 'stages': [{'id': 'roll', 'use': 'p', 'params':"
                                          " {'n': '${n}'}}, {'id': 'out', 'use': 'p'}]"),
                                &wrong->setting, 1),
                     OPPROF_OK);
    ck_assert_uint_eq(problems.count, 1);
    ck_assert_str_eq(problems.lines[0], wrong->line);
}
END_TEST

START_TEST(a_setting_must_be_one_of_the_choices)
{
    static const ConfigSetting setting = { "mode", "exat" };

    ck_assert_int_eq(
        parse_with(WITH("'vars': {'mode': {'choices': ['fast', 'exact']}}, 'stages':"
                        " [{'id': 's', 'use': 'p', 'params': {'m': '${mode}', 'n': 'x${mode}'}}]"),
                   &setting, 1),
        OPPROF_OK);
    ck_assert_uint_eq(problems.count, 1);
    ck_assert_str_eq(problems.lines[0],
                     "setting mode: not one of the choices. Did you mean 'exact'? "
                     "Choices: fast, exact.");
    ck_assert(json_is_null(json_object_get(config.stages[0].origins, "m")));
}
END_TEST

START_TEST(all_mistakes_are_told_in_one_pass)
{
    static const ConfigSetting setting = { "inptu", "x" };

    ck_assert_int_eq(parse_with(WITH("'vars': {'input': {'required': true, 'help': 'dump'},"
                                     " 'chip': {'required': true}}, 'stage': 1,"
                                     " 'stages': [{'id': 'a', 'use': 'p', 'params':"
                                     " {'p': '${input}', 'c': '${chp}'}}, {'id': 'a'}]"),
                                &setting, 1),
                     OPPROF_OK);
    ck_assert_int_eq(ProblemsToError(&problems, "Pipeline 'x.json'", &error), OPPROF_E_ARGUMENT);
    ck_assert_str_eq(
        OpprofErrorMessage(error),
        "Pipeline 'x.json' has 7 mistakes:\n"
        "  /stage: unknown member. Did you mean 'stages'? " TOP_KNOWN "\n"
        "  /vars/input: required, but not given (dump). Set input=VALUE.\n"
        "  /vars/chip: required, but not given. Set chip=VALUE.\n"
        "  /stages/0/params/c (stage 'a'): no variable 'chp'. Did you mean 'chip'? "
        "Variables: input, chip.\n"
        "  /stages/1: stage 'a' is repeated: see /stages/0.\n"
        "  /stages/1/use: required, but not given: expected a text that is not empty.\n"
        "  setting inptu: no variable 'inptu'. Did you mean 'input'? "
        "Variables: input, chip.");
    /* enough is left to go on checking */
    ck_assert_uint_eq(config.stage_count, 2);
    ck_assert_ptr_null(config.stages[1].use);
    ck_assert(json_is_null(json_object_get(config.stages[0].origins, "p")));
}
END_TEST

START_TEST(a_newer_minor_format_may_have_more_members)
{
    parse("{'opprof_pipeline': '1.7', 'news': 1, 'vars': {'v': {'since': 1}},"
          " 'stages': [{'id': 'a', 'use': 'p', 'colour': 1}],"
          " 'links': [{'from': 'a', 'to': 'b', 'how': 1}]}");
    expect_none();
    ck_assert_uint_eq(config.stage_count, 1);
}
END_TEST

/* ---- what is not a document ---- */

START_TEST(no_prefix_of_a_document_does_harm)
{
    static const char whole[] =
        "{\"opprof_pipeline\": \"1.0\", \"vars\": {\"i\": {\"required\": true, \"help\": \"h\"}},"
        " \"queue\": {\"bytes\": \"1MiB\"}, \"stages\": [{\"id\": \"a\", \"use\": \"p\","
        " \"params\": {\"x\": \"${i}$${${\"}}], \"links\": [{\"from\": \"a.b\", \"to\": \"a\"}]}";

    for (size_t length = 0; length < sizeof whole - 1; length++) {
        ck_assert_int_eq(parse_bytes(whole, length, &nothing), OPPROF_E_DATA);
        OpprofErrorDestroy(error);
        error = NULL;
    }
    ck_assert_int_eq(parse_bytes(whole, sizeof whole - 1, &nothing), OPPROF_OK);
}
END_TEST

/* ---- limits ---- */

START_TEST(stages_are_limited)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    fputs("{'opprof_pipeline': '1.0', 'stages': [", out);
    for (int i = 0; i < 257; i++) {
        fprintf(out, "%s{'id': 's%d', 'use': 'p'}", i > 0 ? "," : "", i);
    }
    fputs("]}", out);
    fclose(out);
    parse(text);
    ck_assert_uint_eq(problems.count, 1);
    ck_assert_str_eq(problems.lines[0], "/stages: 257 are too many: at most 256.");
    free(text);
}
END_TEST

START_TEST(variables_cannot_blow_a_document_up)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    /* a MiB a thousand times */
    fputs("{'opprof_pipeline': '1.0', 'vars': {'v': {'default': '", out);
    for (int i = 0; i < 1 << 20; i++) {
        fputc('x', out);
    }
    fputs("'}}, 'stages': [{'id': 's', 'use': 'p', 'params': {'p': '", out);
    for (int i = 0; i < 1000; i++) {
        fputs("-${v}", out);
    }
    fputs("'}}]}", out);
    fclose(out);
    parse(text);
    ck_assert_uint_eq(problems.count, 1);
    ck_assert_str_eq(problems.lines[0], AT_P "variables make the texts longer than 64 MiB.");
    free(text);
}
END_TEST

START_TEST(a_flood_of_mistakes_is_cut)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    const char *message;

    fputs("{'opprof_pipeline': '1.0', " ONE, out);
    for (int i = 0; i < 5000; i++) {
        fprintf(out, ", 'k%d': 1", i);
    }
    fputs("}", out);
    fclose(out);
    parse(text);
    ck_assert_uint_eq(problems.count, 5000);
    ProblemsToError(&problems, "It", &error);
    message = OpprofErrorMessage(error);
    ck_assert_str_eq(message + strlen(message) - strlen("\n  … and 4900 more"),
                     "\n  … and 4900 more");
    free(text);
}
END_TEST

/* ---- finding documents ---- */

static char directory[64];

static void write_document(const char *name, const char *text)
{
    char *path = ProblemText("%s/%s", directory, name);
    char *document = unquote(text);
    FILE *file = fopen(path, "w");

    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(document, file), 0);
    ck_assert_int_eq(fclose(file), 0);
    free(document);
    free(path);
}

static void setup_files(void)
{
    const char *parent = getenv("TMPDIR");
    char *path;

    setup();
    snprintf(directory, sizeof directory, "%s/opprof-config-XXXXXX", parent ? parent : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(directory));
    write_document("sim-dump.json", WITH(ONE ", 'plugin_path': ['p']"));
    write_document("kineto.json", WITH(ONE));
    write_document("empty.json", "");
    write_document("notes.txt", "no pipeline");
    path = ProblemText(":%s:%s::/no/such/directory", directory, directory);
    setenv("OPPROF_PIPELINE_PATH", path, 1);
    free(path);
}

static void teardown_files(void)
{
    char *command = ProblemText("rm -rf '%s'", directory);

    ck_assert_int_eq(system(command), 0);
    free(command);
    teardown();
}

static OpprofStatus load(const char *name)
{
    return ConfigLoad(name, &nothing, &config, &problems, &error);
}

START_TEST(a_document_is_found_by_path)
{
    char *path = ProblemText("%s/sim-dump.json", directory);
    char *plugins = ProblemText("%s/p", directory);

    ck_assert_int_eq(load(path), OPPROF_OK);
    expect_none();
    ck_assert_str_eq(config.path, path);
    ck_assert_str_eq(config.name, path);
    ck_assert_str_eq(config.plugin_paths.names[0], plugins);
    free(path);
    free(plugins);
}
END_TEST

START_TEST(a_document_is_found_by_name)
{
    char *path = ProblemText("%s/sim-dump.json", directory);

    ck_assert_int_eq(load("sim-dump"), OPPROF_OK);
    ck_assert_str_eq(config.path, path);
    ck_assert_str_eq(config.name, "sim-dump");
    free(path);
}
END_TEST

START_TEST(a_name_is_never_a_file_of_the_current_directory)
{
    write_document("mine", WITH(ONE));
    ck_assert_int_eq(chdir(directory), 0);
    ck_assert_int_eq(mkdir("kineto", 0700), 0);
    /* what an archive holds must not run because of its name */
    ck_assert_int_eq(load("mine"), OPPROF_E_NOT_FOUND);
    ck_assert_str_eq(OpprofErrorGetHint(error), "To use the file of that name, write './mine'");
    OpprofErrorDestroy(error);
    error = NULL;
    ck_assert_int_eq(load("./mine"), OPPROF_OK);
    ck_assert_str_eq(config.path, "./mine");
    ConfigFinish(&config);
    /* but a directory does not stand in the way of a name */
    ck_assert_int_eq(load("kineto"), OPPROF_OK);
    ck_assert_str_eq(config.name, "kineto");
    ck_assert_int_eq(chdir("/"), 0);
}
END_TEST

START_TEST(a_name_that_is_not_installed_tells_which_are)
{
    char *wanted =
        ProblemText("Cannot find pipeline 'sim-dmp': no pipeline of that name is installed in "
                    "%s, %s, /no/such/directory, ",
                    directory, directory);

    ck_assert_int_eq(load("sim-dmp"), OPPROF_E_NOT_FOUND);
    ck_assert_msg(strncmp(OpprofErrorMessage(error), wanted, strlen(wanted)) == 0, "%s",
                  OpprofErrorMessage(error));
    ck_assert_msg(strncmp(OpprofErrorGetHint(error), "Did you mean 'sim-dump'? Installed: ", 36) ==
                      0,
                  "%s", OpprofErrorGetHint(error));
    ck_assert_ptr_nonnull(strstr(OpprofErrorGetHint(error), "empty"));
    free(wanted);
}
END_TEST

START_TEST(a_path_to_nothing_is_an_error)
{
    ck_assert_int_eq(load("./no-such.json"), OPPROF_E_NOT_FOUND);
    ck_assert_str_eq(OpprofErrorMessage(error), "Cannot read pipeline './no-such.json'");
    ck_assert_ptr_nonnull(strstr(OpprofErrorMessage(OpprofErrorCause(error)), "./no-such.json"));
}
END_TEST

static const char *const no_documents[] = { "",
                                            " ",
                                            "[]",
                                            "5",
                                            "{",
                                            "{'a': 1,}",
                                            "{'a': 1} x",
                                            WITH("'vars': {}, 'vars': {}"),
                                            "{'a': '\\u0000'}",
                                            "{'a': '\xff'}" };

START_TEST(what_is_no_document_is_an_error)
{
    write_document("none.json", no_documents[_i]);
    ck_assert_int_eq(load("none"), OPPROF_E_ARGUMENT);
    ck_assert_str_eq(OpprofErrorMessage(error), "Cannot read pipeline 'none'");
    ck_assert_ptr_nonnull(OpprofErrorCause(error));
    ck_assert_ptr_null(config.name);
    ck_assert(ProblemsNone(&problems));
}
END_TEST

START_TEST(an_empty_file_is_an_error)
{
    ck_assert_int_eq(load("empty"), OPPROF_E_ARGUMENT);
    ck_assert_str_eq(OpprofErrorMessage(error), "Cannot read pipeline 'empty'");
}
END_TEST

START_TEST(a_directory_is_an_error)
{
    char *path = ProblemText("%s/", directory);

    ck_assert(OpprofFailed(load(path)));
    free(path);
}
END_TEST

START_TEST(a_file_that_is_too_large_is_an_error)
{
    char *path = ProblemText("%s/large.json", directory);
    FILE *file = fopen(path, "w");

    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(ftruncate(fileno(file), (16 << 20) + 1), 0);
    fclose(file);
    ck_assert(OpprofFailed(load(path)));
    free(path);
}
END_TEST

typedef struct Seen {
    char last[64];
    unsigned count;
    unsigned empty;
} Seen;

static OpprofStatus see(void *context, const char *name, OpprofError **ignored)
{
    Seen *seen = context;

    (void) ignored;
    ck_assert_int_lt(strcmp(seen->last, name), 0);
    snprintf(seen->last, sizeof seen->last, "%s", name);
    seen->count++;
    seen->empty += strcmp(name, "empty") == 0;
    return OPPROF_OK;
}

START_TEST(installed_pipelines_are_visited_once_and_sorted)
{
    Seen seen = { .count = 0 };

    ck_assert_int_eq(ConfigVisitAll(see, &seen, &error), OPPROF_OK);
    ck_assert_uint_ge(seen.count, 3);
    ck_assert_uint_eq(seen.empty, 1);
}
END_TEST

START_TEST(ids_are_words)
{
    ck_assert(StageIdIsGood("a"));
    ck_assert(StageIdIsGood("Time-line_2"));
    ck_assert(!StageIdIsGood(""));
    ck_assert(!StageIdIsGood("a b"));
    ck_assert(!StageIdIsGood("a.b"));
    ck_assert(!StageIdIsGood("ä"));
    ck_assert(!StageIdIsGood("12345678901234567890123456789012345678901234567890123456789012345"));
}
END_TEST

/* Each allocation fails once; the last round is the one in which none is left to fail. */
START_TEST(without_memory_a_document_is_refused)
{
    static const ConfigSetting settings[] = { { "chip", "B" }, { "dump.threads", "4" } };
    bool has_failed = true;

    for (long n = 1; has_failed; n++) {
        char *document =
            unquote(WITH("'vars': {'chip': {'default': 'A'}}, 'plugin_path': ['p'],"
                         "'stages': [{'id': 'dump', 'use': 'collect-sim',"
                         " 'params': {'chip': '${chip}'}}, {'id': 'csv', 'use': 'csv'}],"
                         "'links': [{'from': 'dump', 'to': 'csv'}]"));
        const ConfigRequest request = { .settings = settings, .setting_count = 2 };

        fail_allocation(n);
        const OpprofStatus status = parse_bytes(document, strlen(document), &request);
        has_failed = has_failed_allocation();
        ck_assert_int_eq(status, has_failed ? OPPROF_E_MEMORY : OPPROF_OK);
        free(document);
        teardown();
        setup();
    }
}
END_TEST

static TCase *reading_case(void)
{
    TCase *tcase = tcase_create("reading");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, a_document_becomes_stages_and_links);
    tcase_add_test(tcase, a_title_has_variables_and_a_setting_takes_its_place);
    tcase_add_test(tcase, queues_have_documented_defaults);
    tcase_add_loop_test(tcase, variables_are_replaced_in_values, 0, (int) OPPROF_COUNT(values));
    tcase_add_test(tcase, settings_reach_variables_and_parameters);
    tcase_add_test(tcase, a_parameter_that_is_set_needs_no_variable);
    tcase_add_test(tcase, choices_are_spelt_as_in_the_document);
    tcase_add_test(tcase, a_newer_minor_format_may_have_more_members);
    tcase_add_test(tcase, ids_are_words);
    tcase_add_test(tcase, without_memory_a_document_is_refused);
    return tcase;
}

static TCase *mistakes_case(void)
{
    TCase *tcase = tcase_create("mistakes");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, a_mistake_is_told_where_it_is, 0, (int) OPPROF_COUNT(mistakes));
    tcase_add_loop_test(tcase, a_setting_for_nothing_is_told, 0,
                        (int) OPPROF_COUNT(wrong_settings));
    tcase_add_test(tcase, a_setting_must_be_one_of_the_choices);
    tcase_add_test(tcase, all_mistakes_are_told_in_one_pass);
    tcase_add_test(tcase, no_prefix_of_a_document_does_harm);
    tcase_add_test(tcase, stages_are_limited);
    tcase_add_test(tcase, variables_cannot_blow_a_document_up);
    tcase_add_test(tcase, a_flood_of_mistakes_is_cut);
    return tcase;
}

static TCase *finding_case(void)
{
    TCase *tcase = tcase_create("finding");

    tcase_add_checked_fixture(tcase, setup_files, teardown_files);
    tcase_add_test(tcase, a_document_is_found_by_path);
    tcase_add_test(tcase, a_document_is_found_by_name);
    tcase_add_test(tcase, a_name_is_never_a_file_of_the_current_directory);
    tcase_add_test(tcase, a_name_that_is_not_installed_tells_which_are);
    tcase_add_test(tcase, a_path_to_nothing_is_an_error);
    tcase_add_loop_test(tcase, what_is_no_document_is_an_error, 0,
                        (int) OPPROF_COUNT(no_documents));
    tcase_add_test(tcase, an_empty_file_is_an_error);
    tcase_add_test(tcase, a_directory_is_an_error);
    tcase_add_test(tcase, a_file_that_is_too_large_is_an_error);
    tcase_add_test(tcase, installed_pipelines_are_visited_once_and_sorted);
    return tcase;
}

static Suite *config_suite(void)
{
    Suite *suite = suite_create("config");

    suite_add_tcase(suite, reading_case());
    suite_add_tcase(suite, mistakes_case());
    suite_add_tcase(suite, finding_case());
    return suite;
}
TEST_SUITE(config_suite)
