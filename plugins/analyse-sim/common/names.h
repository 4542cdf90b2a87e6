/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_SIM_COMMON_NAMES_H
#define ANALYSE_SIM_COMMON_NAMES_H

/* Meaning of an instruction's name: the rules of its chip's dialect that list it. */

#include "analyse-sim/common/instruction_facts.h"
#include "analyse-sim/common/dialect.h"

typedef struct NameFacts {
    const Dialect *dialect;   /* NULL: operands are unknown */
    const DialectRule *move;  /* the bytes that it moves; NULL: none */
    const DialectRule *state; /* its changes of the vector unit's state */
    const DialectRule *vector;
    uint32_t written; /* a bit for the place of each register that it writes, among the operands */
    uint32_t following; /* number of registers after the first of these that it also writes */
} NameFacts;

/* Rules of the chip's operands; NULL: operands are unknown, or the rules are faulty. */
const Dialect *NamesDialect(const InstructionFacts *words);

/* Faults in them that a schema does not see; NULL: none. */
const char *NamesProblem(const InstructionFacts *words);

NameFacts NameFactsOf(const InstructionFacts *words, const char *name);

#endif
