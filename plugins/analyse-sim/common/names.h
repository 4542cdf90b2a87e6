/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_SIM_COMMON_NAMES_H
#define ANALYSE_SIM_COMMON_NAMES_H

/* What the name of an instruction implies: the rules of its chip's dialect that list it. */

#include "analyse-sim/common/chip_words.h"
#include "analyse-sim/common/dialect.h"

typedef struct NameFacts {
    const Dialect *dialect;   /* NULL: nothing is known of operands */
    const DialectRule *move;  /* the bytes that it moves; NULL: none */
    const DialectRule *state; /* what it changes of the vector unit's state */
    const DialectRule *vector;
    uint32_t written;   /* a bit for the place of each register in the operands that it writes */
    uint32_t following; /* registers after the first of these that it writes as well */
} NameFacts;

/* Rules of the chip's operands; NULL: nothing is known of them, or they are wrong. */
const Dialect *NamesDialect(const ChipWords *words);

/* What is wrong with them beyond what a schema sees; NULL: nothing. */
const char *NamesProblem(const ChipWords *words);

NameFacts NameFactsOf(const ChipWords *words, const char *name);

#endif
