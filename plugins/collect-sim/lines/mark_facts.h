/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_LINES_MARK_FACTS_H
#define COLLECT_SIM_LINES_MARK_FACTS_H

/*
 * How a chip's programs mark ranges, `simulator.marks`: instructions that write a value with a
 * digit to certain registers.
 */

#include "line.h"
#include <opprof/kit/chip.h>
#include <opprof/kit/form.h>

typedef struct SimMarkFacts {
    const OpprofFact *registers; /* texts of these registers in operands; NULL: no marks */
    OpprofForm *start;           /* values with <digit>, anywhere in operands */
    OpprofForm *stop;
    const char *edge; /* instruction after such an instruction that is the real edge; NULL: none */
    size_t edge_length;
    SimLineWatch watch; /* for lines that may have a register */
} SimMarkFacts;

/* The words of a chip, whose facts are borrowed. Faults are reported. */
OpprofStatus SimMarkFactsRead(const OpprofChip *chip, SimMarkFacts *ret_words, OpprofError **error);
void SimMarkFactsFinish(SimMarkFacts *words);

/* SimMarkFactsHasRegister() for a line worth checking. */
bool SimMarkFactsFindRegister(const SimMarkFacts *words, const SimLine *line);

/* True if the operands contain a register of marks. */
static inline bool SimMarkFactsHasRegister(const SimMarkFacts *words, const SimLine *line)
{
    return line->may_have_register && SimMarkFactsFindRegister(words, line);
}

/* The digit of the first value of a mark in the operands; -1: none. */
int SimMarkFactsDigit(const SimMarkFacts *words, const SimLine *line, bool *ret_is_start);

#endif
