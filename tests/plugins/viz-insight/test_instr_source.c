/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of plugins/viz-insight/instr_source.c. */
#include "plugins/viz-insight/instr_source.h"

#include "tests/core/suites.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    const char *detail;
    const char *shown;
} cases[] = {
    { "wait_event", "pipe_type:L1,tigger_pipe:L2,event_id:1", "wait_event L1 ID:1" },
    { "set_event", "pipe_type:L1,tigger_pipe:L2,event_id:1", "set_event L2 ID:1" },
    { "SET_FLAG", "PIPE:MTE3,TRIGGERPIPE:VEC,FLAGID:0,", "SET_FLAG VEC ID:0" },
    { "WAIT_FLAG", "PIPE:MTE3,TRIGGERPIPE:VEC,FLAGID:0,", "WAIT_FLAG MTE3 ID:0" },
    { "SET_FLAG", "PIPE:MTE3,TRIGGERPIPE:VEC,", "SET_FLAG PIPE:MTE3,TRIGGERPIPE:VEC" },
    { "SET_FLAG", "PIPE:,TRIGGERPIPE:VEC,FLAGID:0,", "SET_FLAG PIPE:,TRIGGERPIPE:VEC,FLAGID:0" },
    { "WAIT_FLAG", "pipe_type:L1,tigger_pipe:L2,event_id:1",
      "WAIT_FLAG pipe_type:L1,tigger_pipe:L2,event_id:1" },
    { "ADD", "PIPE:MTE3,TRIGGERPIPE:VEC,FLAGID:0,", "ADD PIPE:MTE3,TRIGGERPIPE:VEC,FLAGID:0" },
    { "MOV_XD_SPR", "XD:X15=0,SPR:SYS_VA_BASE,", "MOV_XD_SPR XD:X15=0,SPR:SYS_VA_BASE" },
    { "MOV_XD_IMM", "XD:X29=0x7f80,IMM:0x7f80,", "MOV_XD_IMM XD:X29,IMM" },
    { "scalar_neg", "dType:0x0,x[0]=0x0,xn:0x0", "scalar_neg dType,x[0],xn" },
    { "A9", "", "A9 " },
    { "", "", " " },
    { "", "ID:123", " ID:123" },
    { "N", ",,a,,b,", "N ,a,b" },
    { "N", "a:0x1=0x2", "N a:0x1" },
    { "N", "=0x1,b", "N ,b" },
};

START_TEST(an_instruction_is_shown_without_values)
{
    const size_t name_length = strlen(cases[_i].name);
    const size_t detail_length = strlen(cases[_i].detail);
    const size_t room = INSTR_SOURCE_ROOM(name_length, detail_length);
    char *out = malloc(room + 1);
    const char *end;

    ck_assert_ptr_nonnull(out);
    end = InstrSourcePut(out, cases[_i].name, name_length, cases[_i].detail, detail_length);
    ck_assert_uint_le((size_t) (end - out), room);
    out[end - out] = '\0';
    ck_assert_str_eq(out, cases[_i].shown);
    free(out);
}
END_TEST

static Suite *instr_source_suite(void)
{
    Suite *suite = suite_create("instr_source");
    TCase *tcase = tcase_create("instr_source");

    tcase_add_loop_test(tcase, an_instruction_is_shown_without_values, 0,
                        sizeof cases / sizeof cases[0]);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(instr_source_suite)
