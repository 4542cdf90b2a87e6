/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of memory engines. */
#include "plugins/parse-mte/line.h"

#include "tests/core/suites.h"
#include <check.h>
#include <opprof/record.h>
#include <stdlib.h>
#include <string.h>

#define NA OPPROF_NA_U64

/* What Ascend's simulators print, or a chip of one's own. */
static MteFacts *facts;

static void load_facts(void)
{
    OpprofChip *chip = NULL;

    ck_assert_int_eq(OpprofChipLoad("Ascend910B1", &chip, NULL), OPPROF_OK);
    facts = MteFactsCreate(chip, "simulator.requests");
    ck_assert_ptr_nonnull(facts);
    OpprofChipFree(chip); /* facts stay */
}

static void free_facts(void)
{
    MteFactsDestroy(facts);
}

static MteKind parse_kind(const char *text, MteLine *line)
{
    char *copy = malloc(strlen(text) + 1); /* no byte after the text may be read */
    MteKind kind;

    ck_assert_ptr_nonnull(copy);
    memcpy(copy, text, strlen(text));
    kind = MteLineParse(facts, copy, strlen(text), line);
    if (kind == MTE_LINE_REQUEST) {
        line->unit = text + (line->unit - copy);
    }
    free(copy);
    return kind;
}

static bool parse(const char *text, MteLine *line)
{
    return parse_kind(text, line) == MTE_LINE_REQUEST;
}

static void check_line(const char *text, const char *unit, bool is_write, uint64_t instruction,
                       uint64_t request, uint64_t size)
{
    MteLine line;

    ck_assert_msg(parse(text, &line), "%s", text);
    ck_assert_uint_eq(line.unit_length, strlen(unit));
    ck_assert_mem_eq(line.unit, unit, strlen(unit));
    ck_assert_int_eq(line.is_write, is_write);
    ck_assert_uint_eq(line.instruction_id, instruction);
    ck_assert_uint_eq(line.request_id, request);
    ck_assert_uint_eq(line.size, size);
}

START_TEST(lines_name_unit_direction_and_request)
{
    check_line("[info] 19333: BRIF send_req, addr: 0x10f74400, size: 256, tag_id: 4, instr_id: 4, "
               "req_id: 5259",
               "B", false, 4, 5259, 256);
    check_line("[info] 1: UB1WIF send_req, size: 128, instr_id: 4, req_id: 5985", "UB1", true, 4,
               5985, 128);
    check_line("[info] 1: x.y.BRIF.rsp recv, instr_id: 7, gid: 3,", "B", false, 7, 3, NA);
    check_line("[info] 1: L1WIF.x recv, instr_id: 7", "L1", true, 7, NA, NA);
    check_line("[info] 30033: BWIF recv_wr_data_rsp, gid: 77, instr_id: 60.", "B", true, 60, 77,
               NA);
    check_line("[info] 1: BWIF a, gid: 77, instr_id: 60, req_id: x", "B", true, 60, 77, NA);
}
END_TEST

static void check_unit(const char *unit, const char *name)
{
    ck_assert_str_eq(MteFactsUnit(facts, unit, strlen(unit)), name);
}

START_TEST(units_have_the_names_of_the_chip_file)
{
    check_unit("B", "B");
    check_unit("UB1", "UB1");
    check_unit("UB7", "UB");
    check_unit("", "other");
    check_unit("BX", "other");
}
END_TEST

START_TEST(other_lines_are_left_out)
{
    static const char *const texts[] = {
        "",
        "[info] ",
        "[info] 1",
        "[info] 1:",
        "[info] 1: ",
        " [info] 1: BRIF a, instr_id: 4",
        "[info] x: BRIF a, instr_id: 4",
        "[info] : BRIF a, instr_id: 4",
        "[info] 19335: MOV_OUT_TO_UB, set_cmd_done",
        "[info] 1: BRIF a, req_id: 4",
        "[info] 1: BRIF a, instr_id: 5, req_id: 5, ",
        "[info] 1: BRIF",
        "[info] 1: IF a, instr_id: 5",
        "[info] 1: BXIF a, instr_id: 5",
        "[info] 1: IF.x a, instr_id: 5",
        "[info] 1: a.IF.x a, instr_id: 5",
        "[info] 1: BRIF a, instr_id:",
        "[info] 1: BRIF a, instr_id: 99999999999999999999",
    };
    MteLine line;

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        ck_assert_msg(!parse(texts[i], &line), "'%s'", texts[i]);
    }
}
END_TEST

/* What names an instruction, but is damaged, is missing; what names none is something else. */
START_TEST(damaged_requests_are_no_other_lines)
{
    static const struct {
        const char *text;
        MteKind kind;
    } cases[] = {
        { "[info] 1: BRIF a, instr_id: 5, req_id: 5", MTE_LINE_REQUEST },
        { "[info] x: BRIF a, instr_id: 4", MTE_LINE_SPOILT },
        { "fo] 1: BRIF a, instr_id: 4", MTE_LINE_SPOILT },
        { "[info] 99999999999999999999: BRIF a, instr_id: 4", MTE_LINE_SPOILT },
        { "[info] 1: BRIF a, instr_id: ", MTE_LINE_SPOILT },
        { "[info] 1: BRIF a, instr_id: 4x", MTE_LINE_SPOILT },
        { "[info] 1: BRIF a, size: 0x100, instr_id: 4", MTE_LINE_SPOILT },
        { "[info] 1: BRIF a, instr_id: 4, req_id: 9q", MTE_LINE_SPOILT },
        { "[info] 1: BRIF a, instr_id: 4, req", MTE_LINE_SPOILT },
        { "", MTE_LINE_OTHER },
        { "# a header of 2024: nothing", MTE_LINE_OTHER },
        { "[info] 1: MOV_OUT_TO_UB, set_cmd_done", MTE_LINE_OTHER },
        { "[info] [1]: something, else: 4", MTE_LINE_OTHER },
        { "[info] 1: BRIF a, req_id: 4", MTE_LINE_OTHER },
        { "[info] 1: ROB free, instr_id: 4", MTE_LINE_OTHER },
    };
    MteLine line;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ck_assert_msg(parse_kind(cases[i].text, &line) == cases[i].kind, "'%s'", cases[i].text);
    }
}
END_TEST

static Suite *line_suite(void)
{
    Suite *suite = suite_create("line");
    TCase *tests = tcase_create("mte");

    tcase_add_checked_fixture(tests, load_facts, free_facts);
    tcase_add_test(tests, units_have_the_names_of_the_chip_file);
    tcase_add_test(tests, lines_name_unit_direction_and_request);
    tcase_add_test(tests, other_lines_are_left_out);
    tcase_add_test(tests, damaged_requests_are_no_other_lines);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(line_suite)
