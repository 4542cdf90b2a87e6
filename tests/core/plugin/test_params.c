/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of core/plugin/params.c. */
#include "plugin/params.h"

#include "tests/core/suites.h"

#include <check.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <opprof/plugin.h>
#include <stdlib.h>
#include <string.h>

static const char *const modes[] = { "fast", "exact", NULL };

static const OpprofParam table[] = {
    { .name = "strict", .type = OPPROF_PARAM_BOOL, .default_value = "false" },
    { .name = "window_ms",
      .type = OPPROF_PARAM_INT,
      .default_value = "10",
      .min = 1,
      .max = 100,
      .unit = "ms" },
    { .name = "big", .type = OPPROF_PARAM_INT },
    { .name = "ratio",
      .type = OPPROF_PARAM_DOUBLE,
      .default_value = "0.5",
      .min = 0,
      .max = INFINITY },
    { .name = "title", .type = OPPROF_PARAM_STRING },
    { .name = "mode", .type = OPPROF_PARAM_CHOICE, .default_value = "fast", .choices = modes },
    { .name = "buffer",
      .type = OPPROF_PARAM_SIZE,
      .default_value = "64KiB",
      .min = 1024,
      .max = 1 << 30 },
    { .name = "any_size", .type = OPPROF_PARAM_SIZE },
    { .name = "wait",
      .type = OPPROF_PARAM_DURATION,
      .default_value = "10ms",
      .min = 1000,
      .max = 2e9 },
    { .name = "any_wait", .type = OPPROF_PARAM_DURATION },
    { .name = "file", .type = OPPROF_PARAM_PATH },
    { .name = "cores", .type = OPPROF_PARAM_LIST },
    { .name = "modes", .type = OPPROF_PARAM_LIST, .choices = modes },
    { .name = "loose", .type = OPPROF_PARAM_LIST, .flags = OPPROF_PARAM_SKIP_EMPTY },
};

static const OpprofParam needy[] = {
    { .name = "dump",
      .type = OPPROF_PARAM_PATH,
      .flags = OPPROF_PARAM_REQUIRED,
      .summary = "Camodel dump directory" },
    { .name = "top", .type = OPPROF_PARAM_INT, .flags = OPPROF_PARAM_REQUIRED },
};

static OpprofParams *build(const OpprofParam *params, uint32_t count, const char *given,
                           const char *origins, Problems *problems)
{
    json_t *values = given != NULL ? json_loads(given, JSON_REJECT_DUPLICATES, NULL) : NULL;
    json_t *places = origins != NULL ? json_loads(origins, 0, NULL) : NULL;
    const ParamInput input = {
        .given = values, .origins = places, .pointer = "/stages/2/params", .stage = "roll"
    };
    OpprofParams *built;

    ck_assert(given == NULL || values != NULL);
    ck_assert(origins == NULL || places != NULL);
    built = ParamBuild(params, count, &input, problems);
    json_decref(values);
    json_decref(places);
    return built;
}

/* Values of `table` that must be good. */
static OpprofParams *good(const char *given, const char *origins)
{
    Problems problems = { 0 };
    OpprofParams *params = build(table, OPPROF_COUNT(table), given, origins, &problems);

    if (problems.count > 0) {
        ck_abort_msg("unexpected: %s", problems.lines[0]);
    }
    ProblemsFinish(&problems);
    ck_assert_ptr_nonnull(params);
    return params;
}

/* A value of `name` as if it came from the command. */
static OpprofParams *typed(const char *name, const char *text, Problems *problems)
{
    json_t *given = json_pack("{s:s}", name, text);
    json_t *origins = json_object();
    char *origin = ProblemText("setting roll.%s", name);
    const ParamInput input = {
        .given = given, .origins = origins, .pointer = "/stages/2/params", .stage = "roll"
    };
    OpprofParams *params;

    json_object_set_new(origins, name, json_string(origin));
    params = ParamBuild(table, OPPROF_COUNT(table), &input, problems);
    free(origin);
    json_decref(given);
    json_decref(origins);
    return params;
}

START_TEST(defaults_are_values)
{
    OpprofParams *params = good(NULL, NULL);

    ck_assert(OpprofParamsIsSet(params, "strict"));
    ck_assert(!OpprofParamsBool(params, "strict"));
    ck_assert_int_eq(OpprofParamsInt(params, "window_ms"), 10);
    ck_assert_double_eq(OpprofParamsDouble(params, "ratio"), 0.5);
    ck_assert_str_eq(OpprofParamsString(params, "mode"), "fast");
    ck_assert_int_eq(OpprofParamsInt(params, "buffer"), 65536);
    ck_assert_int_eq(OpprofParamsInt(params, "wait"), 10000000);
    ParamDestroy(params);
}
END_TEST

START_TEST(what_is_not_given_and_has_no_default_is_unset)
{
    OpprofParams *params = good("{\"title\": null}", NULL);

    ck_assert(!OpprofParamsIsSet(params, "title"));
    ck_assert_ptr_null(OpprofParamsString(params, "title"));
    ck_assert_int_eq(OpprofParamsInt(params, "big"), 0);
    ck_assert_uint_eq(OpprofParamsCount(params, "cores"), 0);
    ck_assert_ptr_null(OpprofParamsElement(params, "cores", 0));
    ck_assert(OpprofParamsHas(params, "title"));
    ck_assert(!OpprofParamsHas(params, "no_such"));
    ParamDestroy(params);
}
END_TEST

START_TEST(values_keep_their_types)
{
    OpprofParams *params =
        good("{\"strict\": true, \"window_ms\": 100, \"big\": 9223372036854775807,"
             " \"ratio\": 3, \"title\": \"\", \"mode\": \"EXACT\","
             " \"buffer\": 2048, \"wait\": \"2s\", \"file\": \"a/b\","
             " \"cores\": [\"core0\", \"core1\"], \"_note\": 1, \"x-note\": [2]}",
             NULL);

    ck_assert(OpprofParamsBool(params, "strict"));
    ck_assert_int_eq(OpprofParamsInt(params, "window_ms"), 100);
    ck_assert_int_eq(OpprofParamsInt(params, "big"), INT64_MAX);
    ck_assert_double_eq(OpprofParamsDouble(params, "ratio"), 3);
    ck_assert_str_eq(OpprofParamsString(params, "title"), "");
    ck_assert_str_eq(OpprofParamsString(params, "mode"), "exact");
    ck_assert_int_eq(OpprofParamsInt(params, "buffer"), 2048);
    ck_assert_int_eq(OpprofParamsInt(params, "wait"), 2000000000);
    ck_assert_str_eq(OpprofParamsString(params, "file"), "a/b");
    ck_assert_uint_eq(OpprofParamsCount(params, "cores"), 2);
    ck_assert_str_eq(OpprofParamsElement(params, "cores", 1), "core1");
    ck_assert_ptr_null(OpprofParamsElement(params, "cores", 2));
    ParamDestroy(params);
}
END_TEST

START_TEST(texts_from_the_command_line_become_numbers)
{
    OpprofParams *params =
        good("{\"strict\": \"Yes\", \"window_ms\": \"42\", \"big\": \"-0x10\", \"ratio\": \"1e2\"}",
             "{\"strict\": \"setting a.strict\", \"window_ms\": \"${w}\", \"big\": \"${b}\","
             " \"ratio\": \"${r}\"}");

    ck_assert(OpprofParamsBool(params, "strict"));
    ck_assert_int_eq(OpprofParamsInt(params, "window_ms"), 42);
    ck_assert_int_eq(OpprofParamsInt(params, "big"), -16);
    ck_assert_double_eq(OpprofParamsDouble(params, "ratio"), 100);
    ParamDestroy(params);
}
END_TEST

START_TEST(lists_may_leave_out_what_is_empty)
{
    static const char *const given[] = { "{\"loose\": \",a,, b,\"}",
                                         "{\"loose\": [\"a\", \"b\"]}" };
    OpprofParams *params;

    for (size_t i = 0; i < OPPROF_COUNT(given); i++) {
        params = good(given[i], NULL);
        ck_assert_uint_eq(OpprofParamsCount(params, "loose"), 2);
        ck_assert_str_eq(OpprofParamsElement(params, "loose", 0), "a");
        ck_assert_str_eq(OpprofParamsElement(params, "loose", 1), "b");
        ParamDestroy(params);
    }
    params = good("{\"loose\": \", ,\"}", NULL);
    ck_assert_uint_eq(OpprofParamsCount(params, "loose"), 0);
    ParamDestroy(params);
}
END_TEST

START_TEST(lists_split_at_commas)
{
    OpprofParams *params =
        good("{\"cores\": \" core0,core1 , core 2\", \"modes\": \"Exact\"}", NULL);

    ck_assert_uint_eq(OpprofParamsCount(params, "cores"), 3);
    ck_assert_str_eq(OpprofParamsElement(params, "cores", 0), "core0");
    ck_assert_str_eq(OpprofParamsElement(params, "cores", 1), "core1");
    ck_assert_str_eq(OpprofParamsElement(params, "cores", 2), "core 2");
    ck_assert_str_eq(OpprofParamsElement(params, "modes", 0), "exact");
    ParamDestroy(params);

    params = good("{\"cores\": \"\", \"modes\": []}", NULL);
    ck_assert(OpprofParamsIsSet(params, "cores"));
    ck_assert_uint_eq(OpprofParamsCount(params, "cores"), 0);
    ck_assert(OpprofParamsIsSet(params, "modes"));
    ParamDestroy(params);
}
END_TEST

START_TEST(numbers_are_the_same_in_every_locale)
{
    OpprofParams *params;

    /* a locale with a decimal comma, where there is one */
    setlocale(LC_ALL, "de_DE.UTF-8");
    params = good("{\"ratio\": \"0.25\"}", "{\"ratio\": \"${r}\"}");
    ck_assert_double_eq(OpprofParamsDouble(params, "ratio"), 0.25);
    ParamDestroy(params);
}
END_TEST

typedef struct Mistake {
    const char *given;
    const char *origins;
    const char *line; /* after "/stages/2/params/", or whole when it begins with "setting" */
} Mistake;

#define KNOWN                                                                                      \
    "Known: strict, window_ms, big, ratio, title, mode, buffer, any_size, wait, any_wait, file, "  \
    "cores, modes, loose."

static const Mistake mistakes[] = {
    { "{\"windw_ms\": 4}", NULL,
      "windw_ms (stage 'roll'): unknown parameter. Did you mean 'window_ms'? " KNOWN },
    { "{\"zzzzzz\": 4}", NULL, "zzzzzz (stage 'roll'): unknown parameter. " KNOWN },
    { "{\"a/b~c\": 4}", NULL, "a~1b~0c (stage 'roll'): unknown parameter. " KNOWN },
    { "{\"windw_ms\": \"4\"}", "{\"windw_ms\": \"setting roll.windw_ms\"}",
      "setting roll.windw_ms: unknown parameter. Did you mean 'window_ms'? " KNOWN },
    { "{\"_window_ms\": \"4\"}", "{\"_window_ms\": \"setting roll._window_ms\"}",
      "setting roll._window_ms: unknown parameter. Did you mean 'window_ms'? " KNOWN },

    { "{\"strict\": 1}", NULL,
      "strict (stage 'roll'): wrong type: expected true or false, got the number 1." },
    { "{\"strict\": \"true\"}", NULL,
      "strict (stage 'roll'): wrong type: expected true or false, got the text 'true'." },
    { "{\"strict\": \"maybe\"}", "{\"strict\": \"${s}\"}",
      "strict (stage 'roll'): wrong type: expected true or false, got the text 'maybe' (from "
      "'${s}')." },

    { "{\"window_ms\": \"4\"}", NULL,
      "window_ms (stage 'roll'): wrong type: expected a whole number of ms, got the text '4'." },
    { "{\"window_ms\": 4.5}", NULL,
      "window_ms (stage 'roll'): wrong type: expected a whole number of ms, got the number 4.5." },
    { "{\"window_ms\": [4]}", NULL,
      "window_ms (stage 'roll'): wrong type: expected a whole number of ms, got an array." },
    { "{\"window_ms\": {}}", NULL,
      "window_ms (stage 'roll'): wrong type: expected a whole number of ms, got an object." },
    { "{\"window_ms\": false}", NULL,
      "window_ms (stage 'roll'): wrong type: expected a whole number of ms, got false." },
    { "{\"window_ms\": \"4x\"}", "{\"window_ms\": \"setting roll.window_ms\"}",
      "setting roll.window_ms: wrong type: expected a whole number of ms, got the text '4x'." },
    { "{\"window_ms\": \" 4\"}", "{\"window_ms\": \"${w}\"}",
      "window_ms (stage 'roll'): wrong type: expected a whole number of ms, got the text ' 4' "
      "(from "
      "'${w}')." },
    { "{\"window_ms\": 0}", NULL,
      "window_ms (stage 'roll'): out of range: expected 1 to 100 ms, got the number 0." },
    { "{\"window_ms\": 101}", NULL,
      "window_ms (stage 'roll'): out of range: expected 1 to 100 ms, got the number 101." },
    { "{\"window_ms\": \"-1\"}", "{\"window_ms\": \"${w}\"}",
      "window_ms (stage 'roll'): out of range: expected 1 to 100 ms, got '-1' (from '${w}')." },
    { "{\"big\": \"9223372036854775808\"}", "{\"big\": \"${b}\"}",
      "big (stage 'roll'): too large: expected a whole number, got the text '9223372036854775808' "
      "(from '${b}')." },
    { "{\"big\": 1e300}", NULL,
      "big (stage 'roll'): too large: expected a whole number, got the number 1e+300." },

    { "{\"ratio\": \"0.5\"}", NULL,
      "ratio (stage 'roll'): wrong type: expected a number, got the text '0.5'." },
    { "{\"ratio\": -0.5}", NULL,
      "ratio (stage 'roll'): out of range: expected at least 0, got the number -0.5." },
    { "{\"ratio\": \"nan\"}", "{\"ratio\": \"${r}\"}",
      "ratio (stage 'roll'): wrong type: expected a number, got the text 'nan' (from '${r}')." },
    { "{\"ratio\": \"1e999\"}", "{\"ratio\": \"${r}\"}",
      "ratio (stage 'roll'): too large: expected a number, got the text '1e999' (from '${r}')." },

    { "{\"title\": 5}", NULL,
      "title (stage 'roll'): wrong type: expected a text, got the number 5." },
    { "{\"file\": \"\"}", NULL,
      "file (stage 'roll'): wrong type: expected a path, got the text ''." },
    { "{\"file\": true}", NULL, "file (stage 'roll'): wrong type: expected a path, got true." },

    { "{\"mode\": \"exat\"}", NULL,
      "mode (stage 'roll'): unknown choice 'exat'. Did you mean 'exact'? Choices: fast, exact." },
    { "{\"mode\": \"\"}", NULL, "mode (stage 'roll'): unknown choice ''. Choices: fast, exact." },
    { "{\"mode\": 1}", NULL,
      "mode (stage 'roll'): wrong type: expected the text of a choice, got the number 1." },

    { "{\"buffer\": \"1kB\"}", NULL,
      "buffer (stage 'roll'): out of range: expected 1KiB to 1GiB, got '1kB'." },
    { "{\"buffer\": \"lots\"}", NULL,
      "buffer (stage 'roll'): wrong type: expected a size such as 64MiB, got the text 'lots'." },
    { "{\"buffer\": -1}", NULL,
      "buffer (stage 'roll'): wrong type: expected a size such as 64MiB, got the number -1." },
    { "{\"any_size\": \"99999999999TiB\"}", NULL,
      "any_size (stage 'roll'): too large: expected a size such as 64MiB, got the text "
      "'99999999999TiB'." },

    { "{\"wait\": 10}", NULL,
      "wait (stage 'roll'): wrong type: expected a duration with its unit, such as 10ms, got the "
      "number 10." },
    { "{\"wait\": \"10\"}", "{\"wait\": \"setting roll.wait\"}",
      "setting roll.wait: wrong type: expected a duration with its unit, such as 10ms, got the "
      "text "
      "'10'." },
    { "{\"wait\": \"3s\"}", NULL,
      "wait (stage 'roll'): out of range: expected 1us to 2s, got '3s'." },

    { "{\"cores\": 3}", NULL,
      "cores (stage 'roll'): wrong type: expected a list of texts, got the number 3." },
    { "{\"cores\": [\"core0\", 3]}", NULL,
      "cores (stage 'roll'): wrong type: element 2 must be a text, got the number 3." },
    { "{\"cores\": \"core0,,core1\"}", NULL,
      "cores (stage 'roll'): an element of the list is empty." },
    { "{\"modes\": [\"fast\", \"slow\"]}", NULL,
      "modes (stage 'roll'): unknown choice 'slow'. Choices: fast, exact." },

    { "{\"title\": [\"012345678901234567890123456789012345678901234567890123456789\"]}", NULL,
      "title (stage 'roll'): wrong type: expected a text, got an array." },
    { "{\"big\": \"01234567890123456789012345678901234567890123456789012345678é…\"}", NULL,
      "big (stage 'roll'): wrong type: expected a whole number, got the text "
      "'01234567890123456789012345678901234567890123456789012345678…'." },
    { "{\"big\": \"\\u001b[2J\"}", NULL,
      "big (stage 'roll'): wrong type: expected a whole number, got the text '?[2J'." },
};

START_TEST(a_mistake_is_told_in_full)
{
    const Mistake *mistake = &mistakes[_i];
    Problems problems = { 0 };
    OpprofParams *params =
        build(table, OPPROF_COUNT(table), mistake->given, mistake->origins, &problems);
    char *line = strncmp(mistake->line, "setting", 5) == 0
                     ? strdup(mistake->line)
                     : ProblemText("/stages/2/params/%s", mistake->line);

    ck_assert_ptr_null(params);
    ck_assert_uint_eq(problems.count, 1);
    ck_assert_str_eq(problems.lines[0], line);
    free(line);
    ProblemsFinish(&problems);
}
END_TEST

START_TEST(all_mistakes_are_told_at_once)
{
    Problems problems = { 0 };
    OpprofError *error = NULL;

    ck_assert_ptr_null(
        build(needy, OPPROF_COUNT(needy), "{\"dmp\": \"x\", \"top\": \"x\"}", NULL, &problems));
    ck_assert_int_eq(ProblemsToError(&problems, "Pipeline 'x'", &error), OPPROF_E_ARGUMENT);
    ck_assert_str_eq(
        OpprofErrorMessage(error),
        "Pipeline 'x' has 3 mistakes:\n"
        "  /stages/2/params/dmp (stage 'roll'): unknown parameter. Did you mean 'dump'? "
        "Known: dump, top.\n"
        "  /stages/2/params/dump (stage 'roll'): required, but not given (Camodel dump "
        "directory).\n"
        "  /stages/2/params/top (stage 'roll'): wrong type: expected a whole number, got the text "
        "'x'.");
    OpprofErrorDestroy(error);
    ProblemsFinish(&problems);
}
END_TEST

START_TEST(a_value_whose_absence_was_told_is_not_told_again)
{
    Problems problems = { 0 };

    ck_assert_ptr_null(
        build(needy, OPPROF_COUNT(needy), "{\"top\": 1}", "{\"dump\": null}", &problems));
    ck_assert_uint_eq(problems.count, 0);
    ProblemsFinish(&problems);
}
END_TEST

START_TEST(values_become_json_for_the_run_record)
{
    Problems problems = { 0 };
    OpprofParams *params = typed("any_wait", "1500us", &problems);
    json_t *json = ParamToJson(params);
    json_t *wanted = json_loads("{\"strict\": false, \"window_ms\": 10, \"ratio\": 0.5,"
                                " \"mode\": \"fast\", \"buffer\": 65536, \"wait\": \"10ms\","
                                " \"any_wait\": \"1500us\"}",
                                0, NULL);

    ck_assert(json_equal(json, wanted));
    json_decref(json);
    json_decref(wanted);
    ParamDestroy(params);

    params = good("{\"modes\": \"fast,exact\", \"title\": \"t\", \"big\": 7}", NULL);
    json = ParamToJson(params);
    ck_assert_int_eq(json_array_size(json_object_get(json, "modes")), 2);
    ck_assert_int_eq(json_integer_value(json_object_get(json, "big")), 7);
    ck_assert_str_eq(json_string_value(json_object_get(json, "title")), "t");
    json_decref(json);
    ParamDestroy(params);
    ProblemsFinish(&problems);
}
END_TEST

typedef struct BrokenTable {
    OpprofParam params[2];
    const char *line;
} BrokenTable;

static const char *const twice[] = { "a", "A", NULL };
static const char *const none[] = { NULL };

static const BrokenTable broken[] = {
    { { { .name = "Bad", .type = OPPROF_PARAM_INT } },
      "the name of parameter 0 is not in snake_case: 'Bad'." },
    { { { .name = NULL, .type = OPPROF_PARAM_INT } },
      "the name of parameter 0 is not in snake_case: ''." },
    { { { .name = "a", .type = OPPROF_PARAM_INT }, { .name = "a", .type = OPPROF_PARAM_INT } },
      "parameter 'a': another parameter has that name." },
    { { { .name = "a", .type = 0 } }, "parameter 'a': unknown type 0." },
    { { { .name = "a", .type = 77 } }, "parameter 'a': unknown type 77." },
    { { { .name = "a", .type = OPPROF_PARAM_INT, .flags = 6 } },
      "parameter 'a': it has flags that do not exist: 0x6." },
    { { { .name = "a",
          .type = OPPROF_PARAM_INT,
          .flags = OPPROF_PARAM_REQUIRED,
          .default_value = "1" } },
      "parameter 'a': it is required, but has a default." },
    { { { .name = "a", .type = OPPROF_PARAM_INT, .min = 2, .max = 1 } },
      "parameter 'a': its limits are the wrong way round." },
    { { { .name = "a", .type = OPPROF_PARAM_INT, .min = NAN, .max = 1 } },
      "parameter 'a': its limits are the wrong way round." },
    { { { .name = "a", .type = OPPROF_PARAM_STRING, .min = 0, .max = 1 } },
      "parameter 'a': type string has no limits." },
    { { { .name = "a", .type = OPPROF_PARAM_INT, .choices = modes } },
      "parameter 'a': type int has no choices." },
    { { { .name = "a", .type = OPPROF_PARAM_CHOICE } }, "parameter 'a': it has no choices." },
    { { { .name = "a", .type = OPPROF_PARAM_CHOICE, .choices = none } },
      "parameter 'a': it has no choices." },
    { { { .name = "a", .type = OPPROF_PARAM_CHOICE, .choices = twice } },
      "parameter 'a': its choice 'A' is repeated." },
    { { { .name = "a", .type = OPPROF_PARAM_CHOICE, .choices = modes, .default_value = "slow" } },
      "default of parameter 'a': unknown choice 'slow'. Choices: fast, exact." },
    { { { .name = "a", .type = OPPROF_PARAM_INT, .default_value = "9", .min = 1, .max = 5 } },
      "default of parameter 'a': out of range: expected 1 to 5, got '9'." },
    { { { .name = "a", .type = OPPROF_PARAM_DURATION, .default_value = "9" } },
      "default of parameter 'a': wrong type: expected a duration with its unit, such as 10ms, got "
      "the "
      "text '9'." },
};

START_TEST(a_broken_table_is_told)
{
    const BrokenTable *wrong = &broken[_i];
    uint32_t count = wrong->params[1].name != NULL ? 2 : 1;
    Problems problems = { 0 };

    ParamCheckTable(wrong->params, count, &problems);
    ck_assert_uint_eq(problems.count, 1);
    ck_assert_str_eq(problems.lines[0], wrong->line);
    ProblemsFinish(&problems);
}
END_TEST

START_TEST(a_good_table_is_good)
{
    Problems problems = { 0 };

    ParamCheckTable(table, OPPROF_COUNT(table), &problems);
    ParamCheckTable(needy, OPPROF_COUNT(needy), &problems);
    ParamCheckTable(NULL, 0, &problems);
    ck_assert(ProblemsNone(&problems));
    ProblemsFinish(&problems);
}
END_TEST

START_TEST(ranges_read_as_people_write_them)
{
    static const struct {
        OpprofParam param;
        const char *text;
    } ranges[] = {
        { { .type = OPPROF_PARAM_INT }, "" },
        { { .type = OPPROF_PARAM_INT, .min = -5, .max = 5, .unit = "1" }, "-5 to 5" },
        { { .type = OPPROF_PARAM_INT, .min = 0, .max = 0x1p63, .unit = "us" }, "at least 0 us" },
        { { .type = OPPROF_PARAM_INT, .min = -INFINITY, .max = 7 }, "at most 7" },
        { { .type = OPPROF_PARAM_DOUBLE, .min = 0, .max = 0.1, .unit = "GHz" }, "0 to 0.1 GHz" },
        { { .type = OPPROF_PARAM_SIZE, .min = 0, .max = 3000, .unit = "byte" }, "0B to 3kB" },
        { { .type = OPPROF_PARAM_DURATION, .min = 1500, .max = INFINITY }, "at least 1500ns" },
        { { .type = OPPROF_PARAM_STRING }, "" },
    };

    for (size_t i = 0; i < OPPROF_COUNT(ranges); i++) {
        char *text = OpprofParamRangeText(&ranges[i].param);

        ck_assert_str_eq(text, ranges[i].text);
        free(text);
    }
}
END_TEST

static Suite *params_suite(void)
{
    Suite *suite = suite_create("params");
    TCase *values = tcase_create("values");
    TCase *wrong = tcase_create("mistakes");

    tcase_add_test(values, defaults_are_values);
    tcase_add_test(values, what_is_not_given_and_has_no_default_is_unset);
    tcase_add_test(values, values_keep_their_types);
    tcase_add_test(values, texts_from_the_command_line_become_numbers);
    tcase_add_test(values, lists_may_leave_out_what_is_empty);
    tcase_add_test(values, lists_split_at_commas);
    tcase_add_test(values, numbers_are_the_same_in_every_locale);
    tcase_add_test(values, values_become_json_for_the_run_record);
    tcase_add_test(values, ranges_read_as_people_write_them);
    suite_add_tcase(suite, values);
    tcase_add_loop_test(wrong, a_mistake_is_told_in_full, 0, (int) OPPROF_COUNT(mistakes));
    tcase_add_test(wrong, all_mistakes_are_told_at_once);
    tcase_add_test(wrong, a_value_whose_absence_was_told_is_not_told_again);
    tcase_add_loop_test(wrong, a_broken_table_is_told, 0, (int) OPPROF_COUNT(broken));
    tcase_add_test(wrong, a_good_table_is_good);
    suite_add_tcase(suite, wrong);
    return suite;
}
TEST_SUITE(params_suite)
