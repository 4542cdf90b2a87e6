/* SPDX-License-Identifier: Apache-2.0 */
/* Operands as the simulator of each chip prints them, and what instructions make of them: bytes,
 * use of the vector unit, accesses. */
#include "fuzz/fuzz.h"
#include "plugins/analyse-sim/common/process_bytes.h"
#include "plugins/analyse-sim/details/vector_unit.h"
#include <stdlib.h>
#include <string.h>

/* Chips, by how their simulators print operands. */
typedef enum Chip { A2, P310, C950, NOTHING } Chip;

/* Without the words of a chip nothing would be tried. */
static const InstructionFacts *words_of(Chip chip)
{
    static const char *const names[] = { "Ascend910B1", "Ascend310P1", "Ascend950PR_9599",
                                         "no such chip" };
    const InstructionFacts *words = InstructionFactsOf(names[chip]);

    FUZZ_REQUIRE((NamesDialect(words) == NULL) == (chip == NOTHING));
    return words;
}

static void try_name(Chip chip, const char *name, const char *text, size_t length)
{
    const NameFacts facts = NameFactsOf(words_of(chip), name);
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

    for (Chip chip = A2; chip <= NOTHING; chip++) {
        const Dialect *dialect = NamesDialect(words_of(chip));
        if (dialect != NULL) {
            OperandRegistersRead(DialectOperands(dialect), text, length, &registers);
            FUZZ_REQUIRE(registers.count <= OPERAND_MOST_REGISTERS);
        }
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
            try_name(chip, names[i], text, length);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1); /* no more than the text, so that a read after it is found */

    setenv("OPPROF_CHIP_PATH", FUZZ_CHIPS_DIR, 1);
    setenv("OPPROF_SYSTEM_CHIP_PATH", FUZZ_FACT_PATH, 1);
    FUZZ_REQUIRE(text != NULL);
    memcpy(text, data, size);
    text = realloc(text, size == 0 ? 1 : size);
    FUZZ_REQUIRE(text != NULL);
    try_operands(text, size);
    free(text);
    return 0;
}
