/* SPDX-License-Identifier: Apache-2.0 */
/* Moved bytes, on the vectors of the specification and of the reference's own tests. */
#include <inttypes.h>
#include "plugins/analyse-sim/common/process_bytes.h"

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

typedef struct Vector {
    Chip chip;
    const char *name;
    const char *detail;
    int64_t bytes;
} Vector;

#define ALL_A2 "XD:X0=0x70000,XN:X0=0x113f9600,"
#define ALL_310P "xd:0,xn:1,xdValue:0x0,xnValue:0x1068be00,"

static const Vector vectors[] = {
    { A2, "LOAD_2D", ALL_A2 "XM:X0=0x100010", 8192 },
    { A2, "MOV_OUT_TO_L1", ALL_A2 "XM:X0=0x100010", 512 },
    { A2, "MOV_UB_TO_OUT", ALL_A2 "XM:X3=0x80020", 512 },
    { P310, "mov_out_to_ub", ALL_310P "xmValue:0x10010", 32 },
    { P310, "mov_out_to_ub", ALL_310P "xmValue:0x80010", 256 },
    { A2, "MOV_SRC_TO_DST_ALIGN", "Src:OUT,Dst:UB," ALL_A2 "XM:X0=0x100010,XT:X0=0", 16 },
    { A2, "MOV_SRC_TO_DST_ALIGN", "Src:UB,Dst:OUT," ALL_A2 "XM:X0=0x210030,XT:X0=0", 192 },
    { A2, "MOV_OUT_TO_L1_MULTI_ND2NZ", ALL_A2 "XM:X0=0x100010,XT:X0=0,Dtype:B16", 0 },
    { A2, "MOV_OUT_TO_L1_MULTI_ND2NZ", ALL_A2 "XM:X0=0x4000100010,XT:X0=0,Dtype:B16", 2048 },
    { A2, "MOV_OUT_TO_L1_MULTI_ND2NZ", ALL_A2 "XM:X0=0x4000100010,XT:X0=0,Dtype:Q9", 0 },
    { A2, "FIX_L0C_TO_DST", "Dst:OUT," ALL_A2 "XM:X0=0x10000100100,XT:X0=0x80000000000", 1024 },
    { A2, "FIX_L0C_TO_DST", "Dst:OUT," ALL_A2 "XM:X0=0x10000100100,XT:X0=0x2000000000", 256 },
    { A2, "FIX_L0C_TO_DST", "Dst:OUT," ALL_A2 "XM:X0=0x10000100100,XT:X0=0x400000000", 512 },
    /* The reference reads letters only and takes L1 for L, which is not a memory. */
    { A2, "FIX_L0C_TO_DST", "Dst:L1," ALL_A2 "XM:X0=0x10000100100,XT:X0=0x400000000", 512 },
    { A2, "FIX_L0C_TO_DST", "Dst:L9," ALL_A2 "XM:X0=0x10000100100,XT:X0=0x400000000", 0 },
    /* 16 x 16 results of 32 bits, in blocks of 8 channels or of 16: the same bytes. */
    { A2, "FIX_L0C_TO_DST", "Src:L0C32,Dst:OUT," ALL_A2 "XM:X0=0x100100,XT:X0=0x40000000000",
      1024 },
    { A2, "FIX_L0C_TO_DST", "Src:L0C32,Dst:OUT," ALL_A2 "XM:X0=0x100100,XT:X0=0", 1024 },
    /* Two blocks of 16 channels with 8 bits are one of 32; with 4 bits, four are two. */
    { A2, "FIX_L0C_TO_DST", "Dst:OUT," ALL_A2 "XM:X0=0x100200,XT:X0=0x2000000000", 512 },
    { A2, "FIX_L0C_TO_DST", "Dst:OUT," ALL_A2 "XM:X0=0x100400,XT:X0=0x5400000000", 768 },
    { A2, "FIX_L0C_TO_DST", "Dst:OUT," ALL_A2 "XM:X0=0x100100,XT:X0=0x85400000000", 128 },
    { P310, "load_src_to_smask", ALL_310P "xtValue:0x10010", 32 },
    { P310, "load_src_to_smask", ALL_310P "xtValue:0x87f", 512 },
    { P310, "load_out_to_l0a_2d", ALL_310P "xmValue:0x100010", 8192 },
    { A2, "MOV_OUT_TO_UB", "XD:X0=0x70000,XM:X0=0x100010", 0 },
    /* The reference gives images no bytes: (16 + 2 + 1) * (16 + 3 + 4) * 32. */
    { A2, "LOAD_IMAGE", "XD:X0=0x70000,XS:X1=0x100010,XT:X0=0x200204030000", 13984 },
    { A2, "MOV_OUT_TO_UB", ALL_A2 "XM:X0=0xfffffff0", INT64_C(4095) * 65535 * 32 },
    { A2, "ADD", ALL_A2 "XM:X0=0x100010", 0 },
    { P310, "MOV_OUT_TO_UB", ALL_310P "xmValue:0x80010", 0 },
    { C950, "MOV_OUT_TO_UB", ALL_A2 "XM:X0=0x100010", 0 },
};

START_TEST(bytes_are_those_of_the_specification)
{
    const Vector *vector = &vectors[_i];
    const NameFacts facts = NameFactsOf(words_of(vector->chip), vector->name);

    ck_assert_msg(ProcessBytes(&facts, vector->detail, strlen(vector->detail)) == vector->bytes,
                  "%s %s: %" PRId64 ", wanted %" PRId64, vector->name, vector->detail,
                  ProcessBytes(&facts, vector->detail, strlen(vector->detail)), vector->bytes);
}
END_TEST

/* What a dialect is refused with, that a schema cannot see. */
static void check_refused(const char *dialect, const char *wanted)
{
    char directory[] = "/tmp/opprof-dialect-XXXXXX";
    char path[64];
    OpprofChip *chip = NULL;
    OpprofError *error = NULL;
    Dialect *made = NULL;

    ck_assert_ptr_nonnull(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/x.json", directory);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file,
            "{ \"opprof_chip\": \"1.0\", \"series\": \"X\", \"socs\": { \"X1\": {} }, "
            "\"instructions\": { \"x\": %s } }",
            dialect);
    fclose(file);
    setenv("OPPROF_CHIP_PATH", directory, 1);
    ck_assert_int_eq(OpprofChipLoad("X1", &chip, &error), OPPROF_OK);
    ck_assert_int_eq(DialectCreate(OpprofChipFact(chip, "instructions.x"), &made, &error),
                     OPPROF_E_DATA);
    ck_assert_ptr_null(made);
    ck_assert_str_eq(OpprofErrorMessage(error), wanted);
    OpprofErrorDestroy(error);
    OpprofChipFree(chip);
    remove(path);
    remove(directory);
}

START_TEST(wrong_rules_are_refused)
{
    check_refused("{ \"moves\": [ { \"names\": [\"A\"], \"let\": { \"a\": \"b\", \"b\": 1 }, "
                  "\"bytes\": \"a\" } ] }",
                  "Formula 'b' of 'A', which uses 'b' before it is computed, cannot be used");
    check_refused("{ \"moves\": [ { \"names\": [\"A\"], \"bytes\": \"1 +\" } ] }",
                  "Formula '1 +' of 'A' cannot be used");
    check_refused("{ \"operands\": { \"values\": { \"a\": { \"form\": \"A:<word>\", \"means\": { "
                  "\"X\": 1 } }, "
                  "\"b\": { \"form\": \"B:<word>\", \"means\": { \"X\": 2 } } } } }",
                  "The word 'X' means 1 and 2");
    check_refused("{ \"operands\": { \"registers\": [\"X<registr>\"] } }",
                  "'X<registr>' has an unknown field '<registr>'");
}
END_TEST

static Suite *process_bytes_suite(void)
{
    Suite *suite = suite_create("process_bytes");
    TCase *tests = tcase_create("process_bytes");

    tcase_add_loop_test(tests, bytes_are_those_of_the_specification, 0,
                        (int) (sizeof vectors / sizeof vectors[0]));
    tcase_add_test(tests, wrong_rules_are_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(process_bytes_suite)
