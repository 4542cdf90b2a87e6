/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of a simulator beside instructions: operands of each dialect, memory engines, fetch and
 * issue. */
#include "fuzz/fuzz.h"
#include "plugins/analyse-sim/common/process_bytes.h"
#include "plugins/analyse-sim/details/vector_unit.h"
#include <stdlib.h>
#include <string.h>

/* Words of a chip that prints operands so. */
static const ChipWords *words_of(OperandDialect dialect)
{
    return ChipWordsOf(dialect == OPERANDS_A2     ? "Ascend910B1"
                       : dialect == OPERANDS_310P ? "Ascend310P1"
                       : dialect == OPERANDS_950  ? "Ascend950PR_9599"
                                                  : "no such chip");
}

static void try_name(OperandDialect dialect, const char *name, const char *text, size_t length)
{
    const NameFacts facts = NameFactsOf(words_of(dialect), name);
    VectorUnit unit = { .mask = { 3, 5 } };
    VectorAccess access;
    float use;

    FUZZ_REQUIRE(ProcessBytes(&facts, text, length) >= 0);
    VectorUnitUpdate(&unit, &facts, text, length);
    if (VectorUnitUse(&unit, &facts, text, length, &use)) {
        FUZZ_REQUIRE(use >= -1 && use <= 100);
    }
    if (VectorAccessRead(&facts, text, length, &access)) {
        FUZZ_REQUIRE(access.read_conflict >= -1 && access.read_conflict < 16);
        FUZZ_REQUIRE(access.write_conflict >= -1 && access.write_conflict < 8);
    }
}

static void try_operands(const char *text, size_t length)
{
    static const char *const names[] = { "LOAD_2D",
                                         "MOV_OUT_TO_UB",
                                         "MOV_OUT_TO_L1_MULTI_ND2NZ",
                                         "FIX_L0C_TO_DST",
                                         "LOAD_IMAGE",
                                         "MOV_SRC_TO_DST_ALIGN",
                                         "VADD",
                                         "VADDS",
                                         "VCADD",
                                         "VMS4",
                                         "MOVEMASK",
                                         "MOV_SPR_XN",
                                         "mov_out_to_ub",
                                         "vadd",
                                         "movemask",
                                         "load_src_to_smask",
                                         "scalar_mov_xd_special" };
    OperandRegisters registers;

    for (OperandDialect dialect = OPERANDS_NONE; dialect <= OPERANDS_950; dialect++) {
        OperandRegistersRead(dialect, text, length, &registers);
        FUZZ_REQUIRE(registers.count <= OPERAND_MOST_REGISTERS);
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
            try_name(dialect, names[i], text, length);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1); /* no more than the text, so that a read after it is found */

    FUZZ_REQUIRE(text != NULL);
    memcpy(text, data, size);
    text = realloc(text, size == 0 ? 1 : size);
    FUZZ_REQUIRE(text != NULL);
    try_operands(text, size);
    free(text);
    return 0;
}
