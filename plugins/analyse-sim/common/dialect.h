/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_SIM_COMMON_DIALECT_H
#define ANALYSE_SIM_COMMON_DIALECT_H

/*
 * The rules of a dialect, `instructions` in a chip's file: formulas over what operands say. Each
 * rule reads the values that its formulas use, and no others.
 */

#include "analyse-sim/common/operands.h"

#define DIALECT_LETS 16u   /* names of a rule's own */
#define DIALECT_SOURCES 3u /* of a vector instruction */
#define DIALECT_BLOCKS 64u /* most blocks of an operand */
#define DIALECT_BANKS 256u /* most groups of banks */

/* Formulas that rules may have. */
typedef enum DialectFormula {
    FORMULA_BYTES = 0,       /* of a move: bytes that it moves */
    FORMULA_MASK,            /* of the state: a half of the mask */
    FORMULA_HALF,            /* which one */
    FORMULA_COUNTS_ELEMENTS, /* whether masks hold a number of elements */
    FORMULA_REPEATS,         /* of a vector instruction */
    FORMULA_ELEMENT_BYTES,
    FORMULA_DESTINATION, /* address, and then the stride in blocks */
    FORMULA_SOURCES = FORMULA_DESTINATION + 2,
    FORMULAS = FORMULA_SOURCES + 2 * DIALECT_SOURCES
} DialectFormula;

/* Properties of the vector unit of a dialect's chips. */
typedef struct VectorShape {
    uint32_t blocks; /* that an operand has in one repetition */
    uint32_t block_bytes;
    uint32_t repeats;     /* most of an instruction */
    uint32_t bank_groups; /* that blocks lie in, one after the other */
    uint32_t bank_mask;   /* the bits of their number; 0: it is not a power of two */
} VectorShape;

typedef struct Dialect Dialect;
typedef struct DialectRule DialectRule;

/* Make the rules of a member of `instructions`, whose facts must outlive them. OPPROF_E_DATA: it is
 * faulty. */
OpprofStatus DialectCreate(const OpprofFact *facts, Dialect **ret_dialect, OpprofError **error);
void DialectDestroy(Dialect *dialect);

const OperandForms *DialectOperands(const Dialect *dialect);
const VectorShape *DialectVector(const Dialect *dialect);
/* The rule that a fact of the dialect states; NULL: none. */
const DialectRule *DialectRuleOf(const Dialect *dialect, const OpprofFact *fact);

/* Values of a text, and values that rules compute from it. */
typedef struct DialectNumbers {
    uint32_t has; /* a bit for each value that is there */
    uint64_t numbers[OPERAND_VALUES + DIALECT_LETS];
} DialectNumbers;

/* Read the values of a rule. Returns whether all required ones exist. */
bool DialectRead(const DialectRule *rule, const char *text, size_t length,
                 DialectNumbers *ret_numbers);
/* The same for conflicts of a vector instruction, and for one of its sources. */
bool DialectHasBlocks(const DialectRule *rule, const DialectNumbers *numbers);
bool DialectHasSource(const DialectRule *rule, uint32_t source, const DialectNumbers *numbers);

/* Whether the rule has a formula, and its value. */
bool DialectHas(const DialectRule *rule, unsigned formula);
uint64_t DialectValue(const DialectRule *rule, unsigned formula, const DialectNumbers *numbers);

#endif
