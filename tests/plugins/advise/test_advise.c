/* SPDX-License-Identifier: Apache-2.0 */
/* Rules over tables that are made up: what is said, in which order, and how wrong rules end. */
#include "tests/core/suites.h"
#include "tests/plugins/harness.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

extern const OpprofPlugin opprof_plugin_v0;

typedef struct Row {
    uint32_t core;
    uint32_t reserved;
    OpprofText note;
    double busy_us;
    double idle_us;
} Row;

static const OpprofField fields[] = {
    OPPROF_FIELD(Row, core, OPPROF_FIELD_STRING),
    OPPROF_FIELD(Row, note, OPPROF_FIELD_TEXT, .absent = "nothing is noted"),
    OPPROF_FIELD(Row, busy_us, OPPROF_FIELD_F64, .heading = "busy(us)", .unit = "us"),
    OPPROF_FIELD(Row, idle_us, OPPROF_FIELD_F64, .unit = "us", .absent = "nobody looked"),
};
static const OpprofRecordType cores_type = { .struct_size = sizeof(OpprofRecordType),
                                             .version = 1,
                                             .name = "test.cores",
                                             .size = sizeof(Row),
                                             .flags = OPPROF_RECORD_TABLE,
                                             .fields = fields,
                                             .field_count = OPPROF_COUNT(fields),
                                             .file_hint = "<core>/cores" };
static const OpprofRecordType *const types[] = { &cores_type, &opprof_advice_type };

/* ---- the run ---- */

static char folder[64];
static char said[20000]; /* a line for each piece of advice */
static uint32_t core_count;
static char stranger[64]; /* rule of another stage's advice; "": none; "-": advice without a rule */

/* Texts that a rule's head needs. */
#define HEAD "-- title: A test\n"

static void rule(const char *name, const char *text)
{
    char path[200];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s.sql", folder, name);
    file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
}

static void setup(void)
{
    HarnessSetup();
    snprintf(folder, sizeof folder, "/tmp/opprof-advise.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(setenv("OPPROF_RULES_PATH", folder, 1), 0);
    ck_assert_int_eq(setenv("OPPROF_SYSTEM_RULES_PATH", "", 1), 0);
    core_count = 3;
    said[0] = '\0';
    stranger[0] = '\0';
}

static void teardown(void)
{
    char command[100];

    HarnessTeardown();
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    ck_assert_int_eq(system(command), 0);
}

/* core0 is busy for 10 us and idle for 1, core1 for 20 and 2 … */
static OpprofStatus produce(OpprofStage *stage, OpprofError **error)
{
    (void) error;
    for (uint32_t i = 0; i < core_count; i++) {
        char name[20];
        Row row = { .note = { OPPROF_NA_U32, 0 }, .busy_us = 10.0 * (i + 1), .idle_us = i + 1 };

        snprintf(name, sizeof name, "core%u", i);
        row.core = HarnessIntern(stage, name);
        if (i == 1) {
            row.idle_us = OpprofNaF64();
            ck_assert_int_eq(
                OpprofStageText(stage, 0, OPPROF_NA_STRING, "a\033[2J\xff\nz", 8, &row.note),
                OPPROF_OK);
        }
        ck_assert_int_eq(OpprofStageAppend(stage, 0, OPPROF_NA_STRING, &row), OPPROF_OK);
    }
    return stranger[0] == '\0'
               ? OPPROF_OK
               : OpprofStageAdvise(
                     stage, 1, 0,
                     &(OpprofAdviceText){ .severity = OPPROF_SEVERITY_PROBLEM,
                                          .topic = "elsewhere",
                                          .sentence = "Another stage says so",
                                          .gain = 30,
                                          .rule = stranger[0] == '-' ? NULL : stranger });
}

static void print_text(const char *text, size_t length)
{
    const size_t before = strlen(said);

    snprintf(said + before, sizeof said - before, "%.*s|", (int) length, text == NULL ? "" : text);
}

static void consume(const OpprofStage *stage, const OpprofBatch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        const OpprofAdvice *advice = OpprofBatchRecord(batch, i);
        const char *sentence = OpprofBatchText(batch, advice->sentence);
        const char *todo = OpprofBatchText(batch, advice->todo);
        char gain[40];
        const uint32_t texts[] = { advice->rule, advice->severity, advice->subject };

        for (size_t t = 0; t < OPPROF_COUNT(texts); t++) {
            const char *text = OpprofStageString(stage, texts[t]);

            print_text(text, strlen(text));
        }
        print_text(sentence, advice->sentence.length);
        print_text(todo, todo == NULL ? 0 : advice->todo.length);
        snprintf(gain, sizeof gain, "%g", advice->gain);
        print_text(gain, OpprofIsNaF64(advice->gain) ? 0 : strlen(gain));
        said[strlen(said) - 1] = '\n';
    }
}

/* Run the rules; the run is complete, and its warnings are in run.json. */
static void run(const char *params)
{
    HarnessSource("rows", produce, types, 2);
    HarnessPlugin("advise", &opprof_plugin_v0, params);
    HarnessSink("sink", consume, "advice");
    HarnessRun(OPPROF_RUN_COMPLETE);
}

static void expect_warning(const char *text)
{
    const char *record = HarnessFile("run.json", NULL);

    ck_assert_ptr_nonnull(record);
    ck_assert_msg(strstr(record, text) != NULL, "run.json lacks '%s': %s", text, record);
}

static void expect_no_warning(void)
{
    const char *record = HarnessFile("run.json", NULL);

    ck_assert_ptr_nonnull(record);
    ck_assert_msg(strstr(record, "The rule") == NULL, "%s", record);
}

/* ---- order ---- */

START_TEST(the_largest_gain_comes_first_and_small_ones_do_not_come)
{
    rule("small", HEAD "SELECT 'too little' AS sentence, 1.9 AS gain_us, 100 AS whole_us");
    rule("just", HEAD "SELECT 'just enough' AS sentence, 2 AS gain_us, 100 AS whole_us");
    rule("none", HEAD "SELECT 'no gain' AS sentence, 5 AS value");
    rule("large", HEAD "-- todo: Do less\n"
                       "SELECT 'much' AS sentence, sum(busy_us) / 2 AS gain_us,"
                       " sum(busy_us) AS whole_us FROM test_cores");
    rule("zero", HEAD "SELECT 'nothing' AS sentence, 0 AS gain_us, 100 AS whole_us");
    rule("beyond", HEAD "-- severity: note\n-- todo: Head\n"
                        "SELECT 'more than all' AS sentence, 'Row' AS todo, 900 AS gain_us,"
                        " 100 AS whole_us");
    run(NULL);
    ck_assert_str_eq(said, "beyond|note||more than all|Row|100\n"
                           "large|hint||much|Do less|50\n"
                           "just|hint||just enough||2\n"
                           "none|note||no gain||\n");
    expect_no_warning();
}
END_TEST

START_TEST(the_least_gain_is_a_parameter)
{
    rule("small", HEAD "SELECT 'little' AS sentence, 1.5 AS gain_us, 100 AS whole_us");
    run("{\"least_gain\": 1}");
    ck_assert_str_eq(said, "small|hint||little||1.5\n");
}
END_TEST

START_TEST(a_rule_has_one_sentence_a_subject_and_five_subjects)
{
    core_count = 17;
    rule("each", HEAD "SELECT 'rank ' || substr(core, 5) AS subject, core || ' is busy' AS "
                      "sentence, busy_us AS gain_us, 200 AS whole_us FROM test_cores"
                      " UNION ALL SELECT 'rank 16', 'less of the same', 7, 200");
    run(NULL);
    ck_assert_str_eq(said, "each|hint|rank 16|core16 is busy||85\n"
                           "each|hint|rank 15|core15 is busy||80\n"
                           "each|hint|rank 14|core14 is busy||75\n"
                           "each|hint|rank 13|core13 is busy||70\n"
                           "each|hint|rank 12|core12 is busy, and so for 12 more ranks||65\n");
}
END_TEST

START_TEST(a_rule_takes_the_place_of_others_about_the_same_subject)
{
    rule("a", HEAD "-- instead-of: b, unknown\n"
                   "SELECT 'core 1' AS subject, 'a' AS sentence, 15 AS gain_us, 100 AS whole_us");
    rule("b", HEAD "-- instead-of: c\n"
                   "SELECT 'core 1' AS subject, 'b' AS sentence, 50 AS gain_us, 100 AS whole_us"
                   " UNION ALL SELECT 'core 2', 'b', 40, 100");
    rule("c", HEAD "SELECT 'core 1' AS subject, 'c' AS sentence, 30 AS gain_us, 100 AS whole_us"
                   " UNION ALL SELECT 'core 2', 'c', 20, 100"
                   " UNION ALL SELECT NULL, 'c of all', 10, 100");
    run(NULL);
    /* What is dropped drops nothing: c speaks about core 1. */
    ck_assert_str_eq(said, "b|hint|core 2|b||40\n"
                           "c|hint|core 1|c||30\n"
                           "a|hint|core 1|a||15\n");
}
END_TEST

/* A quarter is enough, less is not; what has no gain gives way to all. */
START_TEST(a_rule_that_explains_little_takes_no_place)
{
    rule("x", HEAD "-- instead-of: y, z\n"
                   "SELECT 'core 1' AS subject, 'x' AS sentence, 10 AS gain_us, 100 AS whole_us"
                   " UNION ALL SELECT 'core 2', 'x', 9, 100");
    rule("y", HEAD "SELECT 'core 1' AS subject, 'y' AS sentence, 40 AS gain_us, 100 AS whole_us"
                   " UNION ALL SELECT 'core 2', 'y', 40, 100");
    rule("z", HEAD "SELECT 'core 2' AS subject, 'z' AS sentence");
    run(NULL);
    ck_assert_str_eq(said, "y|hint|core 2|y||40\n"
                           "x|hint|core 1|x||10\n"
                           "x|hint|core 2|x||9\n");
}
END_TEST

START_TEST(a_rule_about_the_whole_run_takes_the_place_of_all)
{
    rule("x", HEAD "-- instead-of: y\nSELECT 'x' AS sentence, 5 AS gain_us, 100 AS whole_us");
    rule("y", HEAD "SELECT core AS subject, 'y' AS sentence FROM test_cores");
    run(NULL);
    ck_assert_str_eq(said, "x|hint||x||5\n");
}
END_TEST

START_TEST(a_rule_below_the_least_gain_takes_no_place)
{
    rule("x", HEAD "-- instead-of: y\nSELECT 'x' AS sentence, 1 AS gain_us, 100 AS whole_us");
    rule("y", HEAD "SELECT 'y' AS sentence");
    run(NULL);
    ck_assert_str_eq(said, "y|note||y||\n");
}
END_TEST

START_TEST(rules_may_wait_until_all_others_are_silent)
{
    rule("healthy", HEAD "-- when: silent\nSELECT 'Nothing above 2 %' AS sentence");
    rule("x", HEAD "SELECT 'x' AS sentence, 1 AS gain_us, 100 AS whole_us");
    run(NULL);
    ck_assert_str_eq(said, "healthy|note||Nothing above 2 %||\n");
    said[0] = '\0';
    HarnessTeardown();
    HarnessSetup();
    run("{\"least_gain\": 1}");
    ck_assert_str_eq(said, "x|hint||x||1\n");
}
END_TEST

START_TEST(ties_are_ordered_by_rule_and_subject)
{
    rule("b", HEAD "SELECT core AS subject, 's' AS sentence FROM test_cores ORDER BY core DESC");
    rule("a", HEAD "SELECT 's' AS sentence");
    run(NULL);
    ck_assert_str_eq(said, "a|note||s||\nb|note|core0|s||\nb|note|core1|s||\n"
                           "b|note|core2|s||\n");
}
END_TEST

START_TEST(advice_of_other_stages_is_ordered_with_its_own)
{
    strcpy(stranger, "-");
    rule("more", HEAD "SELECT 'more' AS sentence, 4 AS gain_us, 10 AS whole_us");
    rule("less", HEAD "SELECT 'less' AS sentence, 2 AS gain_us, 10 AS whole_us");
    run(NULL);
    ck_assert_str_eq(said, "more|hint||more||40\n"
                           "|problem||Another stage says so||30\n"
                           "less|hint||less||20\n");
    /* The record of the run has each piece once. */
    const char *record = HarnessFile("run.json", NULL);
    const char *first = strstr(record, "Another stage says so");

    ck_assert_ptr_nonnull(first);
    ck_assert_ptr_null(strstr(first + 1, "Another stage says so"));
}
END_TEST

START_TEST(stored_advice_of_rules_is_replaced_by_what_they_say_today)
{
    strcpy(stranger, "yesterday");
    rule("today", HEAD "SELECT 'today' AS sentence");
    run(NULL);
    ck_assert_str_eq(said, "today|note||today||\n");
}
END_TEST

/* ---- tables ---- */

START_TEST(rules_may_use_statistics)
{
    core_count = 4;
    rule("numbers", HEAD "SELECT printf('%g %g %g', median(busy_us), quantile(busy_us, 0.1),"
                         " spread(busy_us)) AS sentence FROM test_cores");
    run(NULL);
    /* 10, 20, 30, 40: distances from 25 are 5, 5, 15, 15 */
    ck_assert_str_eq(said, "numbers|note||25 13 10||\n");
}
END_TEST

START_TEST(absent_values_are_null_and_odd_texts_are_tame)
{
    rule("nulls", HEAD "SELECT core AS subject, note AS sentence, idle_us AS gain_us,"
                       " 1 AS whole_us FROM test_cores");
    rule("control", HEAD "SELECT 'a' || char(27) || '[2J' AS subject, 'b' || char(7) AS sentence");
    rule("blob", HEAD "SELECT x'410042ff' AS sentence");
    run(NULL);
    ck_assert_str_eq(said, "blob|note||A B?||\n"
                           "control|note|a?[2J|b?||\n"
                           "nulls|note|core1|a?[2J? z||\n");
    expect_no_warning();
}
END_TEST

START_TEST(rules_without_rows_or_tables_are_silent)
{
    rule("good", HEAD "SELECT 'good' AS sentence");
    rule("rows", HEAD "SELECT core AS sentence FROM test_cores WHERE busy_us < 0");
    rule("table", HEAD "SELECT core AS sentence FROM test_chips");
    rule("column", HEAD "SELECT test_cores.colour AS sentence FROM test_cores");
    rule("misspelt", HEAD "SELECT sum(\"bussy_us\") AS sentence FROM test_cores");
    run(NULL);
    ck_assert_str_eq(said, "good|note||good||\n");
    expect_no_warning();
}
END_TEST

/* Rules may name different columns of one table, or cannot do without it, and a table that is there
 * keeps its rows. */
START_TEST(tables_may_be_optional)
{
    rule("first", HEAD "-- optional: test_chips(core, area)\n"
                       "SELECT max(area) IS NULL AS value, 'first' AS sentence FROM test_cores"
                       " LEFT JOIN test_chips ON test_chips.core = test_cores.core");
    rule("second", HEAD "-- optional: test_chips(clock),  test_cores(core, busy_us)\n"
                        "SELECT count(*) || ' cores, ' || (SELECT count(clock) FROM test_chips)"
                        " AS sentence FROM test_cores");
    rule("third", HEAD "-- optional: test_chips(clock),  test_cores(core, busy_us)\n"
                       "SELECT 'third' AS sentence FROM test_cores WHERE 0 = (SELECT count(clock)"
                       " FROM test_chips)");
    rule("without", HEAD "SELECT count(clock) || ' chips' AS sentence FROM test_chips");
    run(NULL);
    ck_assert_str_eq(said, "first|note||first||\n"
                           "second|note||3 cores, 0||\n"
                           "third|note||third||\n");
    expect_no_warning();
}
END_TEST

/* ---- wrong rules ---- */

START_TEST(a_wrong_rule_is_reported_and_the_others_go_on)
{
    rule("good", HEAD "SELECT 'good' AS sentence");
    rule("syntax", HEAD "SELEC 'x' AS sentence");
    rule("writes", HEAD "DELETE FROM test_cores");
    rule("attaches", HEAD "ATTACH '/tmp/opprof-attached' AS other");
    rule("pragma", HEAD "PRAGMA user_version");
    rule("pragma-inside", HEAD "SELECT name AS sentence FROM pragma_table_info('test_cores')");
    rule("loads", HEAD "SELECT load_extension('x') AS sentence");
    rule("two", HEAD "SELECT 'x' AS sentence; SELECT 'y' AS sentence");
    rule("nothing", HEAD "");
    rule("unknown", HEAD "SELECT 'x' AS sentence, 1 AS gain_u");
    rule("mute", HEAD "SELECT 1 AS gain_us");
    rule("long", HEAD "SELECT replace(hex(zeroblob(600000)), '0', 'xx') AS sentence");
    run(NULL);
    ck_assert_str_eq(said, "good|note||good||\n");
    expect_warning("/syntax.sql' says nothing: near \\\"SELEC\\\": syntax error");
    expect_warning("/writes.sql' says nothing: It may only read");
    expect_warning("/attaches.sql' says nothing: It may only read");
    expect_warning("/pragma.sql' says nothing: It may only read");
    expect_warning("/pragma-inside.sql' says nothing: ");
    expect_warning("/loads.sql' says nothing: ");
    expect_warning("/two.sql' says nothing: It is more than one statement");
    expect_warning("/nothing.sql' says nothing: It has no SELECT");
    expect_warning("unknown column 'gain_u'; did you mean 'gain_us'?");
    expect_warning("/mute.sql' says nothing: its result has no column 'sentence'");
    expect_warning("/long.sql' says nothing: ");
    ck_assert_int_ne(access("/tmp/opprof-attached", F_OK), 0);
}
END_TEST

START_TEST(a_rule_ends)
{
    rule("endless", HEAD "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
                         " SELECT 'x' AS sentence FROM n WHERE i < 0");
    rule("million", HEAD "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i "
                         "< 1000000) SELECT 'subject ' || i AS subject, 'x' AS sentence FROM n");
    rule("same",
         HEAD "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i "
              "< 1000000) SELECT 'x' AS sentence, i AS gain_us, 2000000 AS whole_us FROM n");
    run(NULL);
    ck_assert_str_eq(said, "same|hint||x||50\n"
                           "million|note|subject 1|x||\n"
                           "million|note|subject 2|x||\n"
                           "million|note|subject 3|x||\n"
                           "million|note|subject 4|x||\n"
                           "million|note|subject 5|x, and so for 999995 more subjects||\n");
    expect_warning("/endless.sql' says nothing: It took more than 200 million steps");
}
END_TEST

static OpprofStatus produce_and_stop(OpprofStage *stage, OpprofError **error)
{
    const OpprofStatus status = produce(stage, error);

    HarnessStop();
    return status;
}

static OpprofStatus produce_and_abort(OpprofStage *stage, OpprofError **error)
{
    const OpprofStatus status = produce(stage, error);

    HarnessAbort(stage);
    return status;
}

START_TEST(a_stop_ends_rules_that_take_long)
{
    rule("endless", HEAD "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
                         " SELECT 'x' AS sentence FROM n WHERE i < 0");
    rule("short", HEAD "SELECT core AS subject, 'short' AS sentence FROM test_cores LIMIT 1");
    HarnessSource("rows", produce_and_stop, types, 2);
    HarnessPlugin("advise", &opprof_plugin_v0, NULL);
    HarnessSink("sink", consume, "advice");
    HarnessRunFailing(); /* cut short, unless the source had ended */
    ck_assert_str_eq(said, "short|note|core0|short||\n");
    expect_warning("/endless.sql' says nothing: It was stopped");
}
END_TEST

START_TEST(an_abort_ends_the_stage)
{
    rule("endless", HEAD "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
                         " SELECT 'x' AS sentence FROM n WHERE i < 0");
    HarnessSource("rows", produce_and_abort, types, 2);
    HarnessPlugin("advise", &opprof_plugin_v0, NULL);
    HarnessSink("sink", consume, "advice");
    HarnessRun(OPPROF_RUN_ABORTED);
    ck_assert_str_eq(said, "");
}
END_TEST

static void refuse(const char *text)
{
    const char *why = HarnessRefusal("advise", &opprof_plugin_v0, NULL);

    ck_assert_msg(strstr(why, text) != NULL, "'%s' lacks '%s'", why, text);
}

START_TEST(a_wrong_head_is_refused_before_the_run)
{
    rule("x", "-- titel: X\nSELECT 'x' AS sentence");
    refuse("Line 1 of");
    refuse("Did you mean 'title'");
    rule("x", "-- title: X\n-- title: X\nSELECT 'x' AS sentence");
    refuse("Line 2 of");
    rule("x", "SELECT 'x' AS sentence");
    refuse("has no title");
    rule("x", HEAD "-- severity: bad\nSELECT 'x' AS sentence");
    refuse("the severity 'bad'");
    rule("x", HEAD "-- when: late\nSELECT 'x' AS sentence");
    refuse("which is not 'silent'");
    rule("x", HEAD "-- subjects: few\nSELECT 'x' AS sentence");
    refuse("which is not 'all'");
    rule("x", HEAD "-- optional: cores(core), chips\nSELECT 'x' AS sentence");
    refuse("the optional table 'chips'");
    rule("x", HEAD "-- optional: cores()\nSELECT 'x' AS sentence");
    refuse("the optional table 'cores('");
    rule("x", HEAD "-- instead-of: y\nSELECT 'x' AS sentence");
    rule("y", HEAD "-- instead-of: z\nSELECT 'x' AS sentence");
    rule("z", HEAD "-- instead-of: x\nSELECT 'x' AS sentence");
    refuse("take each other's place");
}
END_TEST

START_TEST(comments_and_long_values_are_no_mistakes)
{
    rule("x", "-- SPDX-License-Identifier: Apache-2.0\n-- title: X\n-- todo: First,\n--   then\n"
              "-- Source: a book\n\n-- reason: none\nSELECT 'x' AS sentence");
    run(NULL);
    ck_assert_str_eq(said, "x|note||x|First, then|\n");
}
END_TEST

START_TEST(own_rules_stand_for_installed_ones_of_the_same_name)
{
    char installed[100];

    snprintf(installed, sizeof installed, "%s/installed", folder);
    ck_assert_int_eq(mkdir(installed, 0700), 0);
    ck_assert_int_eq(setenv("OPPROF_SYSTEM_RULES_PATH", installed, 1), 0);
    rule("installed/x", HEAD "SELECT 'installed' AS sentence");
    rule("installed/y", HEAD "SELECT 'y' AS sentence");
    rule("x", HEAD "SELECT 'own' AS sentence");
    run(NULL);
    ck_assert_str_eq(said, "x|note||own||\ny|note||y||\n");
}
END_TEST

static Suite *make_suite(void)
{
    Suite *suite = suite_create("advise");
    TCase *tcase = tcase_create("advise");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, the_largest_gain_comes_first_and_small_ones_do_not_come);
    tcase_add_test(tcase, the_least_gain_is_a_parameter);
    tcase_add_test(tcase, a_rule_has_one_sentence_a_subject_and_five_subjects);
    tcase_add_test(tcase, a_rule_takes_the_place_of_others_about_the_same_subject);
    tcase_add_test(tcase, a_rule_that_explains_little_takes_no_place);
    tcase_add_test(tcase, a_rule_about_the_whole_run_takes_the_place_of_all);
    tcase_add_test(tcase, a_rule_below_the_least_gain_takes_no_place);
    tcase_add_test(tcase, rules_may_wait_until_all_others_are_silent);
    tcase_add_test(tcase, ties_are_ordered_by_rule_and_subject);
    tcase_add_test(tcase, advice_of_other_stages_is_ordered_with_its_own);
    tcase_add_test(tcase, stored_advice_of_rules_is_replaced_by_what_they_say_today);
    tcase_add_test(tcase, rules_may_use_statistics);
    tcase_add_test(tcase, absent_values_are_null_and_odd_texts_are_tame);
    tcase_add_test(tcase, rules_without_rows_or_tables_are_silent);
    tcase_add_test(tcase, tables_may_be_optional);
    tcase_add_test(tcase, a_wrong_rule_is_reported_and_the_others_go_on);
    tcase_add_test(tcase, a_rule_ends);
    tcase_add_test(tcase, a_stop_ends_rules_that_take_long);
    tcase_add_test(tcase, an_abort_ends_the_stage);
    tcase_add_test(tcase, a_wrong_head_is_refused_before_the_run);
    tcase_add_test(tcase, comments_and_long_values_are_no_mistakes);
    tcase_add_test(tcase, own_rules_stand_for_installed_ones_of_the_same_name);
    suite_add_tcase(suite, tcase);
    return suite;
}

TEST_SUITE(make_suite)
