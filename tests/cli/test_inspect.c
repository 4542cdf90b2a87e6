/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of cli/inspect.c. */
#include "cli/inspect.h"

#include "tests/core/suites.h"

#include <opprof/opprof.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_OF_NUMBER(number) #number
#define TEXT_OF(number) TEXT_OF_NUMBER(number)
#define ABI TEXT_OF(OPPROF_ABI_MAJOR) "." TEXT_OF(OPPROF_ABI_MINOR)

static const OpprofField fields[] = {
    { .name = "start",
      .kind = OPPROF_FIELD_TICK,
      .unit = "tick",
      .meaning = "When the instruction was issued, as the popped log tells it; the tick of issue "
                 "and not of dispatch." },
    { .name = "core_name",
      .kind = OPPROF_FIELD_STRING,
      .offset = 8,
      .meaning = "Core.",
      .absent = "the log names none" },
};
static const OpprofRecordType record = { .struct_size = sizeof(OpprofRecordType),
                                         .version = 3,
                                         .name = "t.event",
                                         .size = 16,
                                         .flags = OPPROF_RECORD_TABLE,
                                         .fields = fields,
                                         .field_count = OPPROF_COUNT(fields) };

static const char *const modes[] = { "fast", "exact", NULL };
static const OpprofPort inputs[] = {
    { .name = "events",
      .type = "t.event",
      .flags = OPPROF_PORT_MANY | OPPROF_PORT_OPTIONAL,
      .order = OPPROF_ORDER_START,
      .summary = "Events." },
    { .name = "in", .type = OPPROF_ANY_TABLE, .order = OPPROF_ORDER_END },
};
static const OpprofPort outputs[] = {
    { .name = "out", .record_type = &record, .summary = "What was found." },
    { .name = "more" },
};
static const OpprofParam params[] = {
    { .name = "window_ms",
      .type = OPPROF_PARAM_INT,
      .default_value = "10",
      .min = 1,
      .max = 100,
      .unit = "ms",
      .summary = "Width of the window." },
    { .name = "top", .type = OPPROF_PARAM_INT, .unit = "rows", .summary = "Rows." },
    { .name = "mode",
      .type = OPPROF_PARAM_CHOICE,
      .choices = modes,
      .flags = OPPROF_PARAM_REQUIRED,
      .summary = "How." },
    { .name = "title", .type = OPPROF_PARAM_STRING, .default_value = "" },
};
static const OpprofPlugin whole = {
    .name = "busy-time",
    .version = "1.2",
    .license = "Apache-2.0",
    .summary = "Tells how busy each pipe is.",
    .help =
        "The first paragraph is long enough that it has to be wrapped somewhere, since a hundred\n"
        "columns are the limit.\n\nThe second one is short.\n",
    .kind = OPPROF_ANALYSIS,
    .flags = OPPROF_PLUGIN_PARTITIONED,
    .inputs = inputs,
    .input_count = OPPROF_COUNT(inputs),
    .outputs = outputs,
    .output_count = OPPROF_COUNT(outputs),
    .params = params,
    .param_count = OPPROF_COUNT(params),
};
static const OpprofPlugin bare = { .name = "bare",
                                   .version = "0",
                                   .license = "MIT",
                                   .summary = "Nothing.",
                                   .kind = OPPROF_COLLECTOR,
                                   .flags = OPPROF_PLUGIN_PARALLEL };

static char *print(const OpprofPlugin *plugin, const char *path)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    InspectPrintPlugin(plugin, path, out);
    ck_assert_int_eq(fclose(out), 0);
    return text;
}

START_TEST(everything_about_a_plugin_is_printed)
{
    char *text = print(&whole, "/usr/lib/busy-time.so");

    ck_assert_str_eq(text,
                     "busy-time 1.2: analysis, Apache-2.0\n"
                     "Tells how busy each pipe is.\n"
                     "\n"
                     "The first paragraph is long enough that it has to be wrapped somewhere, "
                     "since a hundred columns are\n"
                     "the limit.\n"
                     "\n"
                     "The second one is short.\n"
                     "\n"
                     "Runs as: one instance per partition, up to the machine's number of cores\n"
                     "File:    /usr/lib/busy-time.so\n"
                     "\n"
                     "Inputs:\n"
                     "  events  t.event, by start time, all producers, optional\n"
                     "          Events.\n"
                     "  in      any table, by end time\n"
                     "\n"
                     "Outputs:\n"
                     "  out   t.event version 3, a table\n"
                     "        What was found.\n"
                     "          start      tick    tick  When the instruction was issued, as the "
                     "popped log tells it; the\n"
                     "                                   tick of issue and not of dispatch.\n"
                     "          core_name  string  -     Core. Absent: the log names none\n"
                     "  more  a type that depends on parameters\n"
                     "\n"
                     "Parameters:\n"
                     "  window_ms  int, 1 to 100 ms; default 10\n"
                     "             Width of the window.\n"
                     "  top        int of rows\n"
                     "             Rows.\n"
                     "  mode       choice, of: fast, exact; required\n"
                     "             How.\n"
                     "  title      string; default ''\n");
    free(text);
}
END_TEST

START_TEST(what_is_not_there_is_not_printed)
{
    char *text = print(&bare, NULL);

    ck_assert_str_eq(text, "bare 0: collector, MIT\n"
                           "Nothing.\n"
                           "\n"
                           "Runs as: as many instances as the machine has cores\n");
    free(text);
}
END_TEST

START_TEST(no_line_is_longer_than_a_hundred_columns)
{
    OpprofPlugin plugin = whole;
    char *help = malloc(4001);
    char *text;

    /* words of two-byte letters and all lengths */
    ck_assert_ptr_nonnull(help);
    for (size_t i = 0, left = 1; i < 4000; i += 2) {
        if (--left == 0) {
            memcpy(help + i, i == 0 ? "é" : " a", 2);
            left = 1 + i / 2 % 17;
        } else {
            memcpy(help + i, "é", 2);
        }
    }
    help[4000] = '\0';
    plugin.help = help;
    text = print(&plugin, NULL);
    for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1) {
        size_t columns = 0;

        for (size_t i = 0; line[i] != '\n'; i++) {
            columns += ((unsigned char) line[i] & 0xc0) != 0x80 ? 1 : 0;
        }
        ck_assert_uint_le(columns, 100);
    }
    free(text);
    free(help);
}
END_TEST

START_TEST(a_plugin_that_is_not_there_cannot_be_inspected)
{
    OpprofPipeline *pipeline;
    OpprofError *error = NULL;

    setenv("OPPROF_PLUGIN_PATH", "", 1);
    setenv("OPPROF_SYSTEM_PLUGIN_PATH", "", 1);
    pipeline = OpprofPipelineCreate();
    ck_assert_int_eq(InspectPlugin(pipeline, "gone", stdout, &error), OPPROF_E_NOT_FOUND);
    OpprofErrorDestroy(error);
    OpprofPipelineDestroy(pipeline);
}
END_TEST

static char scratch[] = "/tmp/opprof-list-XXXXXX";

static void shell(const char *format)
{
    char command[1000];
    const char *place = strstr(format, "%s");

    snprintf(command, sizeof command, "%.*s%s%s", (int) (place - format), format, scratch,
             place + 2);
    ck_assert_int_eq(system(command), 0);
}

/* The list of the directories a and b of the scratch directory, with '@' for the latter. */
static char *print_list(void)
{
    OpprofPipeline *pipeline;
    char path[200];
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    setenv("OPPROF_PLUGIN_PATH", "", 1);
    setenv("OPPROF_SYSTEM_PLUGIN_PATH", "", 1);
    pipeline = OpprofPipelineCreate();
    snprintf(path, sizeof path, "%s/a", scratch);
    ck_assert_int_eq(OpprofPipelineAddPluginPath(pipeline, path, NULL), OPPROF_OK);
    snprintf(path, sizeof path, "%s/b", scratch);
    ck_assert_int_eq(OpprofPipelineAddPluginPath(pipeline, path, NULL), OPPROF_OK);
    ck_assert_int_eq(InspectList(pipeline, out, NULL), OPPROF_OK);
    ck_assert_int_eq(fclose(out), 0);
    OpprofPipelineDestroy(pipeline);
    for (char *at = text; (at = strstr(at, scratch)) != NULL;) {
        *at = '@';
        memmove(at + 1, at + strlen(scratch), strlen(at + strlen(scratch)) + 1);
    }
    return text;
}

START_TEST(the_list_names_what_is_usable_and_why_the_rest_is_not)
{
    char *text;

    ck_assert_ptr_nonnull(mkdtemp(scratch));
    shell("mkdir -m 755 %s/a");
    shell("mkdir -m 755 %s/b");
    shell("cp " TEST_BUILD_DIR "/tests/core/plugin/modules/.libs/good.so %s/a");
    shell("cp " TEST_BUILD_DIR "/tests/core/plugin/modules/.libs/good.so %s/b");
    shell("cp " TEST_BUILD_DIR "/tests/core/plugin/modules/.libs/older.so %s/b");
    shell("echo text >%s/a/bad.so");
    text = print_list();
    ck_assert_str_eq(text, "good  exporter  1.2.3  Apache-2.0  Does nothing, well.\n"
                           "\n"
                           "not usable:\n"
                           "  @/a/bad.so\n"
                           "    The file is not a shared object but a text file\n"
                           "  @/b/older.so\n"
                           "    The module is built for plugin ABI 0.0, this opprof "
                           "(" OPPROF_VERSION ") has " ABI "\n"
                           "      hint: Rebuild the module against this opprof, or use the opprof "
                           "that it was built for. ABI numbers are not release numbers.\n"
                           "\n"
                           "shadowed:\n"
                           "  @/b/good.so\n"
                           "    @/a/good.so is used instead\n");
    free(text);
    shell("rm -rf %s");
}
END_TEST

START_TEST(an_empty_list_names_the_directories)
{
    char *text;

    ck_assert_ptr_nonnull(mkdtemp(scratch));
    text = print_list();
    ck_assert_str_eq(text, "no plugins in:\n  @/a\n  @/b\n");
    free(text);
    shell("rm -rf %s");
}
END_TEST

START_TEST(output_that_cannot_be_written_is_an_error)
{
    OpprofPipeline *pipeline = OpprofPipelineCreate();
    FILE *full = fopen("/dev/full", "w");

    ck_assert_ptr_nonnull(full);
    ck_assert_int_eq(InspectList(pipeline, full, NULL), OPPROF_E_IO);
    fclose(full);
    OpprofPipelineDestroy(pipeline);
}
END_TEST

static Suite *inspect_suite(void)
{
    Suite *suite = suite_create("inspect");
    TCase *tcase = tcase_create("texts");

    tcase_add_test(tcase, everything_about_a_plugin_is_printed);
    tcase_add_test(tcase, what_is_not_there_is_not_printed);
    tcase_add_test(tcase, no_line_is_longer_than_a_hundred_columns);
    tcase_add_test(tcase, a_plugin_that_is_not_there_cannot_be_inspected);
    tcase_add_test(tcase, the_list_names_what_is_usable_and_why_the_rest_is_not);
    tcase_add_test(tcase, an_empty_list_names_the_directories);
    tcase_add_test(tcase, output_that_cannot_be_written_is_an_error);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(inspect_suite)
