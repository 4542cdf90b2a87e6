/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of plugins/analyse-sim/timeline/palette.c. */
#include "plugins/analyse-sim/timeline/palette.h"

#include "tests/core/suites.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static const InstructionFacts *ascend(void)
{
    return InstructionFactsOf("Ascend910B1");
}

static PipeLook look_of(const char *pipe)
{
    PipeLook look;

    ck_assert_msg(PaletteOfPipe(ascend(), pipe, &look), "no look of %s", pipe);
    return look;
}

START_TEST(pipes_have_the_customary_ranks_and_colours)
{
    static const struct {
        const char *pipe;
        int32_t sort;
        const char *colour;
    } expected[] = {
        { "SCALAR", 1, "startup" },
        { "FLOWCTRL", 2, "cq_build_passed" },
        { "MTE1", 3, "thread_state_running" },
        { "CUBE", 4, "background_memory_dump" },
        { "FIXP", 5, "thread_state_unknown" },
        { "MTE2", 6, "thread_state_iowait" },
        { "VECTOR", 7, "cq_build_failed" },
        { "MTE3", 8, "rail_response" },
        { "CACHEMISS", 9, "thread_state_runnable" },
        { "SCALARLDST", 10, "startup" },
        { "ALL", 11, "good" },
        { "USERMARK", 12, "rail_load" },
        { "EVENT", 13, "rail_animation" },
        { "SET_FLAG", 14, "black" },
        { "WAIT_FLAG", 15, "yellow" },
        { "set_event", 16, "black" },
        { "wait_event", 17, "yellow" },
        { "RVECEX", 18, "thread_state_running" },
        { "RVECLP", 19, "thread_state_iowait" },
        { "RVECST", 20, "thread_state_runnable" },
        { "RVECLD", 21, "startup" },
        { "PUSHQ", 22, "thread_state_unknown" },
        { "RVECSU", 23, "yellow" },
    };

    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const PipeLook look = look_of(expected[i].pipe);

        ck_assert_int_eq(look.sort, expected[i].sort);
        ck_assert_str_eq(look.colour, expected[i].colour);
        for (size_t j = 0; j < i; j++) {
            ck_assert_uint_ne(look.number, look_of(expected[j].pipe).number);
        }
    }
    PipeLook unused;
    ck_assert(!PaletteOfPipe(ascend(), "NEWPIPE", &unused));
    ck_assert(!PaletteOfPipe(ascend(), "", &unused));
}
END_TEST

START_TEST(lanes_of_a_core_keep_their_numbers)
{
    static const struct {
        const char *pipe;
        uint32_t number;
    } expected[] = {
        { "SCALAR", 10 },   { "SCALARLDST", 20 }, { "VECTOR", 30 },     { "CUBE", 40 },
        { "MTE1", 50 },     { "MTE2", 60 },       { "MTE3", 70 },       { "FIXP", 80 },
        { "FLOWCTRL", 90 }, { "ALL", 100 },       { "CACHEMISS", 110 }, { "USERMARK", 120 },
    };

    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        ck_assert_uint_eq(look_of(expected[i].pipe).number, expected[i].number);
    }
}
END_TEST

START_TEST(simt_instructions_have_the_customary_colours)
{
    static const struct {
        const char *names; /* separated by blanks */
        const char *colour;
    } expected[] = {
        { "FMNMX FMNMX_I FDIV FDIV_I", "thread_state_uninterruptible" },
        { "F2I I2F F2F FEXPDIF FMULSCVT", "heap_dump_object_type" },
        { "LD LDG LDS LDK ST", "cq_build_attempt_passed" },
        { "FFMA FFMA_I FMUL FMUL_I MUFU", "thread_state_runnable" },
        { "IMAD IMAD_I LEA LEA_HI_X SHF SHFI", "good" },
        { "PLOP3 LOP3 LOP3_I ISETP ISETP_I", "thread_state_iowait" },
        { "IMUL IMUL_I IADD IADD_I", "thread_state_running" },
        { "STG STS STK IMNMX IMNMX_I", "startup" },
        { "JOIN MEMBAR FSETP FSETP_I", "background_memory_dump" },
        { "ATOM RED", "rail_response" },
        { "FADD FADD_I S2R MOVI END", "heap_dump_child_node_arrow" },
    };

    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const char *at = expected[i].names;

        while (*at != '\0') {
            char name[32] = "SIMT_";
            size_t length = strcspn(at, " ");

            memcpy(name + 5, at, length);
            name[5 + length] = '\0';
            ck_assert_msg(strcmp(PaletteOfSimt(ascend(), name), expected[i].colour) == 0,
                          "%s is %s", name, PaletteOfSimt(ascend(), name));
            at += length + (at[length] == ' ');
        }
    }
    ck_assert_str_eq(PaletteOfSimt(ascend(), "SIMT_BAR.THREAD BLOCK"), "background_memory_dump");
    ck_assert_str_eq(PaletteOfSimt(ascend(), "SIMT_NEW"), "thread_state_unknown");
    ck_assert_str_eq(PaletteOfSimt(ascend(), "IADD"), "thread_state_unknown");
}
END_TEST

START_TEST(cores_rank_by_number_and_kind)
{
    ck_assert_int_eq(PaletteCoreSort(ascend(), "core0"), 1);
    ck_assert_int_eq(PaletteCoreSort(ascend(), "core0.cubecore0"), 1);
    ck_assert_int_eq(PaletteCoreSort(ascend(), "core0.veccore0"), 2);
    ck_assert_int_eq(PaletteCoreSort(ascend(), "core0.veccore1"), 3);
    ck_assert_int_eq(PaletteCoreSort(ascend(), "core7.veccore1"), 24);
    ck_assert_int_eq(PaletteCoreSort(ascend(), "host"), 0);
    ck_assert_int_eq(PaletteCoreSort(NULL, "core7.veccore1"), 22);
    ck_assert_int_ge(PaletteCoreSort(ascend(), "core99999999999999999999.veccore99999999999999999"),
                     0);
}
END_TEST

START_TEST(names_tell_how_rows_are_drawn)
{
    ck_assert_int_eq(PaletteRowKind(ascend(), "SET_FLAG"), ROW_SET);
    ck_assert_int_eq(PaletteRowKind(ascend(), "set_event"), ROW_SET);
    ck_assert_int_eq(PaletteRowKind(ascend(), "WAIT_FLAG"), ROW_WAIT);
    ck_assert_int_eq(PaletteRowKind(ascend(), "wait_event"), ROW_WAIT);
    ck_assert_int_eq(PaletteRowKind(ascend(), "BAR"), ROW_BAR);
    ck_assert_int_eq(PaletteRowKind(ascend(), "BARRIER"), ROW_PLAIN);
    ck_assert_int_eq(PaletteRowKind(ascend(), ""), ROW_PLAIN);
}
END_TEST

static Suite *palette_suite(void)
{
    Suite *suite = suite_create("palette");
    TCase *tcase = tcase_create("palette");

    tcase_add_test(tcase, pipes_have_the_customary_ranks_and_colours);
    tcase_add_test(tcase, lanes_of_a_core_keep_their_numbers);
    tcase_add_test(tcase, simt_instructions_have_the_customary_colours);
    tcase_add_test(tcase, cores_rank_by_number_and_kind);
    tcase_add_test(tcase, names_tell_how_rows_are_drawn);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(palette_suite)
