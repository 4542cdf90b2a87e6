/* SPDX-License-Identifier: Apache-2.0 */
/* Vector utilization and bank conflicts, on the vectors of the specification. */
#include "plugins/analyse-sim/details/vector_unit.h"

#include "tests/core/suites.h"
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Chips, by how their simulators print operands. */
typedef enum Chip { A2, P310, C950, NOTHING } Chip;

static const InstructionFacts *words_of(Chip chip)
{
    static const char *const names[] = { "Ascend910B1", "Ascend310P1", "Ascend950PR_9599",
                                         "no such chip" };

    return InstructionFactsOf(names[chip]);
}

static void update(VectorUnit *unit, Chip chip, const char *name, const char *detail)
{
    const NameFacts facts = NameFactsOf(words_of(chip), name);

    VectorUnitUpdate(unit, &facts, detail, strlen(detail));
}

typedef struct Use {
    float utilization;
    int32_t read_conflict;
    int32_t write_conflict;
} Use;

static Use use_of(const VectorUnit *unit, Chip chip, const char *name, const char *detail)
{
    const NameFacts facts = NameFactsOf(words_of(chip), name);
    VectorAccess access;
    float utilization;

    ck_assert(VectorUnitUse(unit, &facts, detail, strlen(detail), &utilization));
    ck_assert(VectorAccessRead(&facts, detail, strlen(detail), &access));
    return (Use){ utilization, access.read_conflict, access.write_conflict };
}

/* 100 percent are 65280 bytes: of B8 that is one byte an element. */
static double elements_of(uint64_t mask0, uint64_t mask1, bool counts, unsigned repeat)
{
    const VectorUnit unit = { .mask = { mask0, mask1 }, .counts_elements = counts };
    char detail[100];

    snprintf(detail, sizeof detail, "XD:X1=0,XN:X2=0,XM:X3=0,XT:X4=0x%x00000000000000,Dtype:B8",
             repeat);
    return use_of(&unit, A2, "VADD", detail).utilization * 652.8;
}

START_TEST(elements_are_mask_bits_or_a_number)
{
    ck_assert_double_eq_tol(elements_of(0x1a, 0xb, false, 8), 48, 1e-3);
    ck_assert_double_eq_tol(elements_of(0xc, 0, false, 4), 8, 1e-3);
    ck_assert_double_eq_tol(elements_of(0xc, 0, true, 4), 12, 1e-3);
    ck_assert_double_eq_tol(elements_of(0, 0xff, true, 4), 255, 1e-3);
}
END_TEST

START_TEST(masks_and_mode_come_from_instructions)
{
    static const char add[] =
        "XD:X16=0x400,XN:X13=0,XM:X14=0x200,XT:X8=0x100080808010101,Dtype:F16,Id:552";
    VectorUnit unit = { .counts_elements = false };

    update(&unit, A2, "MOVEMASK", "XN:X19=0x800,Pos:0,Id:547");
    update(&unit, A2, "MOV_SPR_XN", "SPR:CTRL,XN:X1=0x100000000000000,");
    ck_assert_double_eq_tol(use_of(&unit, A2, "VADD", add).utilization, 6.274510, 1e-6);
    update(&unit, A2, "MOVEMASK", "XN:X19=0x260,Pos:0,");
    ck_assert_double_eq_tol(
        use_of(&unit, A2, "VADD", "XT:X8=0x100080808010101,Dtype:F32").utilization, 3.725490, 1e-6);
    update(&unit, A2, "MOV_SPR_XN", "SPR:LPCNT,XN:X1=0x0,");
    ck_assert(unit.counts_elements);
    update(&unit, A2, "MOV_SPR_XN", "SPR:CTRL,XN:X1=0,");
    ck_assert(!unit.counts_elements);
}
END_TEST

START_TEST(repetitions_are_bits_of_xt)
{
    VectorUnit unit = { .mask = { UINT64_MAX, UINT64_MAX } };

    ck_assert_double_eq_tol(
        use_of(&unit, A2, "VADD", "XT:X8=0x100080808010101,Dtype:F16").utilization, 0.392157, 1e-6);
    ck_assert_double_eq_tol(
        use_of(&unit, A2, "VADD", "XT:X8=0x400080808010101,Dtype:F16").utilization, 1.568628, 1e-6);
    ck_assert_double_eq_tol(use_of(&unit, A2, "VMS4", "XT:X8=0x1,Dtype:F16").utilization, 0.392157,
                            1e-6);
    ck_assert_double_eq(use_of(&unit, A2, "VADD", "XT:X8=0x100080808010101").utilization, -1);
    ck_assert_double_eq(use_of(&unit, A2, "VADD", "Dtype:F16").utilization, -1);
}
END_TEST

START_TEST(masks_of_310p_are_printed_otherwise)
{
    VectorUnit unit = { .counts_elements = true };

    update(&unit, P310, "movemask", "mask:0,X3:ffffffffffffffff");
    update(&unit, P310, "movemask", "mask:1,X3:0x0");
    update(&unit, P310, "scalar_mov_xd_special", "SPR_CTRL=0x8");
    ck_assert_uint_eq(unit.mask[0], UINT64_MAX);
    ck_assert_uint_eq(unit.mask[1], 0);
    ck_assert_double_eq_tol(
        use_of(&unit, P310, "vlrelu", "xd:1,type/convType3,repeat:1").utilization, 0.098039, 1e-6);
    update(&unit, P310, "movemask", "mask:1,Y3:0x7");
    ck_assert_uint_eq(unit.mask[1], 0);
}
END_TEST

START_TEST(the_busiest_bank_group_counts)
{
    const uint8_t few[] = { 0, 1, 2, 3, 4, 0, 1, 3, 4 };
    const uint8_t none[] = { 0, 1, 2, 3, 4, 5, 6 };
    const uint8_t many[] = { 0, 1, 2, 3, 4, 5, 6, 5, 2, 5, 1 };

    ck_assert_int_eq(VectorConflicts(few, sizeof few), 1);
    ck_assert_int_eq(VectorConflicts(none, sizeof none), 0);
    ck_assert_int_eq(VectorConflicts(many, sizeof many), 2);
}
END_TEST

static void check_conflicts(const char *name, const char *detail, int32_t read, int32_t write)
{
    const VectorUnit unit = { .counts_elements = false };
    const Use use = use_of(&unit, A2, name, detail);

    ck_assert_int_eq(use.read_conflict, read);
    ck_assert_int_eq(use.write_conflict, write);
}

START_TEST(conflicts_are_those_of_the_specification)
{
    check_conflicts("VADD", "XD:X16=0x400,XN:X13=0,XM:X14=0x200,XT:X8=0x100080808010101,Dtype:F16",
                    1, 0);
    check_conflicts("VADDS",
                    "XD:X12=0x2ac0,XN:X12=0x2ac0,XM:X14=0,XT:X7=0x100080800010001,Dtype:F32", 0, 0);
    check_conflicts("VCADD", "XD:X16=0x400,XN:X13=0,XT:X8=0x100000800100008,Dtype:F16", 7, 0);
    check_conflicts("VMS4", "XD:X16=0x400,XN:X13=0,XM:X14=0x200,XT:X8=0x5,Dtype:F16", -1, -1);
    check_conflicts("VADD", "XD:X16=0x400,XN:X13=0,XM:X14=0x200,XT:X8=0x100080808010101,Dtype:Q",
                    -1, -1);
}
END_TEST

START_TEST(operands_of_310p_need_all_their_parts)
{
    const VectorUnit unit = { .counts_elements = false };
    Use use = use_of(&unit, P310, "vadd",
                     "dest_addr:0x400,dst_stride:1,dst_rep_stride:8,src_addr:0,src_stride:0x10,"
                     "src_rep_stride:8,repeat:1");

    ck_assert_int_eq(use.read_conflict, 7);
    ck_assert_int_eq(use.write_conflict, 0);
    use = use_of(
        &unit, P310, "vadd",
        "dest_addr:0x400,dst_stride:1,dst_rep_stride:8,src_addr:0,src_stride:1,src_rep_stride:8,"
        "src1_addr:200,src1_stride:1,src1_rep_stride:8,repeat:1");
    ck_assert_int_eq(use.read_conflict, 1);
    use = use_of(&unit, P310, "vadd",
                 "dest_addr:0x400,dst_stride:1,src_addr:0,src_stride:1,repeat:1");
    ck_assert_int_eq(use.read_conflict, -1);
}
END_TEST

/* Sources whose blocks the rule of a vector instruction knows; -1: it is not one. */
static int sources_of(Chip chip, const char *name)
{
    const NameFacts facts = NameFactsOf(words_of(chip), name);
    int count = 0;

    for (unsigned i = 0; facts.vector != NULL && i < DIALECT_SOURCES; i++) {
        count += DialectHas(facts.vector, FORMULA_SOURCES + 2 * i);
    }
    return facts.vector == NULL ? -1 : count;
}

static void check_written(Chip chip, const char *name, uint32_t written, uint32_t following)
{
    const NameFacts facts = NameFactsOf(words_of(chip), name);

    ck_assert_uint_eq(facts.written, written);
    ck_assert_uint_eq(facts.following, following);
}

START_TEST(names_are_those_of_the_chip)
{
    ck_assert_int_eq(sources_of(A2, "VADD"), 2);
    ck_assert_int_eq(sources_of(A2, "VABS"), 1);
    ck_assert_int_eq(sources_of(A2, "VMS4"), 0);
    ck_assert_int_eq(sources_of(A2, "vadd"), -1);
    ck_assert_int_eq(sources_of(P310, "vadd"), 2);
    ck_assert_int_eq(sources_of(P310, "VADD"), -1);
    ck_assert_int_eq(sources_of(P310, "ldvad"), 2);
    ck_assert_int_eq(sources_of(P310, "ld_vad"), -1);
    ck_assert_int_eq(sources_of(P310, "vmovemask_cmp_xn"), 2);
    ck_assert_int_eq(sources_of(A2, ""), -1);
    ck_assert_int_eq(sources_of(C950, "VADD"), -1);
    check_written(A2, "ADD", 1, 0);
    check_written(A2, "LDP_XI_XJ_XN", 3, 0);
    check_written(A2, "ST_XD_XN", 0, 0);
    check_written(A2, "ST_DEV", 2, 0);
    check_written(P310, "scalar_ld4_imm", 1, 3);
    check_written(P310, "add", 0, 0);
}
END_TEST

static Suite *vector_unit_suite(void)
{
    Suite *suite = suite_create("vector_unit");
    TCase *tests = tcase_create("vector_unit");

    tcase_add_test(tests, elements_are_mask_bits_or_a_number);
    tcase_add_test(tests, masks_and_mode_come_from_instructions);
    tcase_add_test(tests, repetitions_are_bits_of_xt);
    tcase_add_test(tests, masks_of_310p_are_printed_otherwise);
    tcase_add_test(tests, the_busiest_bank_group_counts);
    tcase_add_test(tests, conflicts_are_those_of_the_specification);
    tcase_add_test(tests, operands_of_310p_need_all_their_parts);
    tcase_add_test(tests, names_are_those_of_the_chip);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(vector_unit_suite)
