/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the forms of lines and of file names that a chip file states. */
#include "plugins/collect-sim/read/log_names.h"
#include "tests/core/suites.h"
#include "tests/plugins/collect-sim/forms.h"
#include <check.h>
#include <opprof/record.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "tick pc id pipe name [operands]" of a line, or "none". */
static const char *read_line(const char *form, const char *text)
{
    static char result[256];
    SimForms forms = forms_of(&sim_form_lines, form, NULL);
    char bytes[256 + 64];
    SimLine line;
    bool is_line;

    memset(bytes, 'x', sizeof bytes); /* what follows is readable, and not the line's */
    memcpy(bytes, text, strlen(text));
    is_line = SimFormsParse(&forms, bytes, strlen(text), &line);
    SimFormsFinish(&forms);
    if (!is_line) {
        return "none";
    }
    snprintf(result, sizeof result, "%llu %llx %s%llu %.*s %.*s [%.*s]",
             (unsigned long long) line.tick, (unsigned long long) line.pc,
             line.id == OPPROF_NA_U64 ? "-" : "",
             (unsigned long long) (line.id == OPPROF_NA_U64 ? 0 : line.id), (int) line.pipe_length,
             line.pipe, (int) line.name_length, line.name, (int) line.detail_length, line.detail);
    return result;
}

START_TEST(fields_of_a_line_are_found_by_the_form)
{
    static const struct {
        const char *form, *line, *found;
    } cases[] = {
        { "<tick> <pc> <pipe> <name> <operands>", "12 0x1F T8 FMA.x-1 a, b = 3",
          "12 1f -0 T8 FMA.x-1 [a, b = 3]" },
        { "<tick> <pc> <pipe> <name> <operands>", "12  1f\tT8   FMA   \r", "12 1f -0 T8 FMA []" },
        { "<tick> <pc> <pipe> <name> <operands>", "12 1f T8 FMA", "12 1f -0 T8 FMA []" },
        { "<tick> <pc> <pipe> <name> <operands>", "12 1f T8", "none" },
        { "<tick> <pc> <pipe> <name> <operands>", " 12 1f T8 FMA", "none" },
        { "<tick> <pc> <pipe> <name> <operands>", "0x12 1f T8 FMA", "none" },
        { "<tick> <pc> <pipe> <name>", "12 1f T8 FMA more", "none" },
        { "<tick> <pc> <pipe> <name>", "12 0x T8 FMA", "none" },
        { "<tick> <pc> <pipe> <name>", "12 0x11112222333344445 T8 FMA", "none" },
        { "<tick> <pc> <pipe> <name>", "18446744073709551614 0 T8 F",
          "18446744073709551614 0 -0 T8 F []" },
        { "<tick> <pc> <pipe> <name>", "18446744073709551615 0 T8 F", "none" },
        { "<tick> <pc> <pipe> <name>", "18446744073709551616 0 T8 F", "none" },
        { "[<tick>] #<id> <name>(<operands>) on <pipe> at <pc>",
          "[7] #0042 FMA(x (y) z) on T at 0x8", "none" },
        { "[<tick>] #<id> <name>(<operands>) on <pipe> at <pc>", "[7] #0042 FMA(x, z) on T at 0x8",
          "7 8 42 T FMA [x, z]" },
        { "<any> <tick>:<pipe>/<name> <pc> { <operands> }", "lane3 5:T/FMA 0x8 { p } q }  ",
          "none" },
        { "<any> <tick>:<pipe>/<name> <pc> { <operands> }", "lane3 5:T/FMA 0x8 { p}, q }  ",
          "5 8 -0 T FMA [p}, q]" },
        { "<any>|<tick>|<pc>|<pipe>|<name>|<operands>|<any>", "|1|2|T|F||", "1 2 -0 T F []" },
        { "<any>|<tick>|<pc>|<pipe>|<name>|<operands>|<any>", "a b|1|2|T|F|x y|z|",
          "1 2 -0 T F [x y]" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *found = read_line(cases[i].form, cases[i].line);
        ck_assert_msg(strcmp(found, cases[i].found) == 0, "'%s' by '%s': '%s', not '%s'",
                      cases[i].line, cases[i].form, found, cases[i].found);
    }
}
END_TEST

START_TEST(of_several_forms_the_first_that_fits_counts)
{
    SimForms forms = forms_of(&sim_form_lines, "<tick> <pc> <pipe> <name> <id>",
                              "<tick> <pc> <pipe> <name> <operands>");
    SimLine line;

    ck_assert(SimFormsParse(&forms, "1 2 T F 33", 10, &line));
    ck_assert_uint_eq(line.id, 33);
    ck_assert_uint_eq(line.detail_length, 0);
    ck_assert(SimFormsParse(&forms, "1 2 T F x3", 10, &line));
    ck_assert_uint_eq(line.id, OPPROF_NA_U64);
    ck_assert_uint_eq(line.detail_length, 2);
    ck_assert(!SimFormsParse(&forms, "", 0, &line));
    SimFormsFinish(&forms);
}
END_TEST

START_TEST(a_form_that_cannot_be_read_by_is_refused)
{
    static const char *const wrongs[][2] = {
        { "", "'' lacks '<tick>'" },
        { "<tick> <pc> <pipe>", "'<tick> <pc> <pipe>' lacks '<name>'" },
        { "<tick> <tick> <pc> <pipe> <name>",
          "'<tick> <tick> <pc> <pipe> <name>' has '<tick>' more than once" },
        { "<tick> <pc> <pipe> <name> <id> <id>",
          "'<tick> <pc> <pipe> <name> <id> <id>' has '<id>' more than once" },
        { "<tick> <pc> <pipe><name>",
          "'<tick> <pc> <pipe><name>' has nothing between '<pipe>' and '<name>'" },
        { "<tick> <pc> <pipe> <name> <hex>",
          "'<tick> <pc> <pipe> <name> <hex>' has an unknown field '<hex>'" },
    };
    char many[512] = "<tick> <pc> <pipe> <name>";
    SimForms forms = { .count = 0 };
    OpprofError *error = NULL;

    for (size_t i = 0; i < sizeof wrongs / sizeof wrongs[0]; i++) {
        ck_assert_int_eq(SimFormsAdd(&forms, &sim_form_lines, wrongs[i][0], &error), OPPROF_E_DATA);
        ck_assert_str_eq(OpprofErrorMessage(error), wrongs[i][1]);
        OpprofErrorDestroy(error);
        error = NULL;
    }
    for (unsigned i = 0; i < 13; i++) {
        strcat(many, " <any>");
    }
    ck_assert_int_eq(SimFormsAdd(&forms, &sim_form_lines, many, &error), OPPROF_E_DATA);
    ck_assert_ptr_nonnull(strstr(OpprofErrorMessage(error), "has more than 32 parts"));
    OpprofErrorDestroy(error);
    error = NULL;
    for (unsigned i = 0; i <= SIM_FORMS; i++) {
        ck_assert_int_eq(SimFormsAdd(&forms, &sim_form_lines, "<tick> <pc> <pipe> <name>", &error),
                         i < SIM_FORMS ? OPPROF_OK : OPPROF_E_DATA);
    }
    ck_assert_ptr_nonnull(strstr(OpprofErrorMessage(error), "is one form too many"));
    OpprofErrorDestroy(error);
    SimFormsFinish(&forms);
}
END_TEST

/* Lines of caches and control units: their own, damaged ones, and what else is in the logs. */
START_TEST(damaged_lines_are_no_other_lines)
{
    static const struct {
        const char *text;
        bool is_miss, is_spoilt_miss, is_spoilt_fetch;
    } cases[] = {
        { "[info] 5: icache read address is 0x10d0, size is 0x00000080, type:1, last:0, status is "
          "MISS",
          true, false, false },
        { "[info] nan: icache read address is 0x10d0, size is 0x00000080, type:1, last:0, status "
          "is MISS",
          false, true, false },
        { "[info] 5: icache read address is 10d0, size is 0x00000080, type:1, last:0, status is "
          "MISS",
          false, true, false },
        { "[info] 5: icache read address is 0x10d0, size is 0x80, type:1, last:0, status is MISS",
          false, true, false },
        { "[info] 5: icache read address is 0x10d0, size is 0x00000080, type:1, last:0, status is "
          "MISS!",
          false, true, false },
        { "fo] 5: icache read address is 0x10d0, size is 0x00000080, type:1, last:0, status is "
          "MISS",
          false, true, false },
        { "[info] 5: icache read address is 0x10d0, size is 0x00000080, type:1, last:0, stat",
          false, true, false },
        { "[info] 5: icache read address is 0x10d0, si", false, true, false },
        { "[info] 5: icache read address is 0x1", false, true, false },
        { "[info] 5: icac", false, true, false },
        { "[info] 5: icache read address is 0x10d0, size is 0x00000080, type:1, last:0, status is "
          "HIT",
          false, false, false },
        { "[info] [5]: icache refill request, req_type:0, req_id_ is 0x1, address is 0x10d0", false,
          false, false },
        { "[info] 5: lookup_tag is fetch req addr:0x10d0", false, false, false },
        { "[info] 5: lookup_tag is fetch req addr:10d0", false, false, true },
        { "[info] nan: lookup_tag is fetch req addr:0x10d0", false, false, true },
        { "[info] 5: lookup_tag is fet", false, false, true },
        { "", false, false, false },
        { "# a header", false, false, false },
    };
    SimForms misses = forms_of(&sim_form_misses, CAMODEL_MISS_A2, NULL);
    SimForms fetches = fetch_forms();
    SimMiss miss;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *text = cases[i].text;
        const size_t length = strlen(text);

        ck_assert_msg(SimFormsParseMiss(&misses, text, length, &miss) == cases[i].is_miss, "%s",
                      text);
        ck_assert_msg(SimFormsIsSpoiltMiss(&misses, text, length) == cases[i].is_spoilt_miss, "%s",
                      text);
        ck_assert_msg(SimFormsIsSpoiltEvent(&fetches, text, length) == cases[i].is_spoilt_fetch,
                      "%s", text);
    }
    SimFormsFinish(&misses);
    SimFormsFinish(&fetches);
}
END_TEST

START_TEST(names_of_logs_tell_the_core)
{
    const OpprofFormField fields[] = {
        { .name = "core", .kind = OPPROF_FORM_DECIMAL, .most = 9 },
        { .name = "sub", .kind = OPPROF_FORM_WORD, .is_name = true },
    };
    const OpprofFormLanguage language = { .fields = fields, .field_count = 2 };
    SimLogNames names = { .forms = { NULL } };
    SimLogName name;
    char *file;

    ck_assert_int_eq(
        OpprofFormRead(&language, "issued-<core>-<sub>.log", &names.forms[SIM_LOG_POPPED], NULL),
        OPPROF_OK);
    ck_assert_int_eq(OpprofFormRead(&language, "<sub>.<core>", &names.forms[SIM_LOG_INSTR], NULL),
                     OPPROF_OK);
    ck_assert(SimLogNamesMatch(&names, SIM_LOG_POPPED, "issued-007-tile1.log", &name));
    ck_assert_uint_eq(name.core, 7);
    ck_assert_uint_eq(name.sub_length, 5);
    ck_assert_mem_eq(name.sub, "tile1", 5);
    file = SimLogNamesFile(&names, SIM_LOG_INSTR, &name);
    ck_assert_str_eq(file, "tile1.7");
    free(file);
    file = SimLogNamesGlob(&names, SIM_LOG_POPPED);
    ck_assert_str_eq(file, "issued-*-*.log");
    free(file);
    ck_assert(!SimLogNamesMatch(&names, SIM_LOG_POPPED, "issued-7-1.log", &name));
    ck_assert(!SimLogNamesMatch(&names, SIM_LOG_POPPED, "issued--tile1.log", &name));
    ck_assert(!SimLogNamesMatch(&names, SIM_LOG_POPPED, "issued-7-tile1.log.1", &name));
    ck_assert(!SimLogNamesMatch(&names, SIM_LOG_POPPED, "issued-7-tile1.lo", &name));
    ck_assert(!SimLogNamesMatch(&names, SIM_LOG_POPPED, "issued-1234567890-a.log", &name));
    ck_assert(SimLogNamesMatch(&names, SIM_LOG_POPPED, "issued-123456789-a.log", &name));
    ck_assert(!SimLogNamesMatch(&names, SIM_LOG_ICACHE, "", &name));
    ck_assert_ptr_null(SimLogNamesFile(&names, SIM_LOG_ICACHE, &name));
    SimLogNamesFinish(&names);
}
END_TEST

static Suite *form_suite(void)
{
    Suite *suite = suite_create("form");
    TCase *tests = tcase_create("form");

    tcase_add_test(tests, fields_of_a_line_are_found_by_the_form);
    tcase_add_test(tests, of_several_forms_the_first_that_fits_counts);
    tcase_add_test(tests, a_form_that_cannot_be_read_by_is_refused);
    tcase_add_test(tests, damaged_lines_are_no_other_lines);
    tcase_add_test(tests, names_of_logs_tell_the_core);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(form_suite)
