/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_LINES_MARK_WORDS_H
#define COLLECT_SIM_LINES_MARK_WORDS_H

/*
 * How a chip's programs mark ranges, `simulator.marks`: instructions that write a value with a
 * digit to certain registers.
 */

#include "line.h"
#include <opprof/kit/chip.h>
#include <opprof/kit/form.h>

typedef struct SimMarkWords {
    const OpprofFact *registers; /* texts of these registers in operands; NULL: no marks */
    OpprofForm *start;           /* values with <digit>, anywhere in operands */
    OpprofForm *stop;
    const char *edge; /* instruction after such an instruction that is the real edge; NULL: none */
    size_t edge_length;
    SimLineWatch watch; /* for lines that may have a register */
} SimMarkWords;

/* The words of a chip, whose facts are borrowed. Faults are reported. */
OpprofStatus SimMarkWordsRead(const OpprofChip *chip, SimMarkWords *ret_words, OpprofError **error);
void SimMarkWordsFinish(SimMarkWords *words);

/* SimMarkWordsHasRegister() for a line worth checking. */
bool SimMarkWordsFindRegister(const SimMarkWords *words, const SimLine *line);

/* True if the operands contain a register of marks. */
static inline bool SimMarkWordsHasRegister(const SimMarkWords *words, const SimLine *line)
{
    return line->may_have_register && SimMarkWordsFindRegister(words, line);
}

/* The digit of the first value of a mark in the operands; -1: none. */
int SimMarkWordsDigit(const SimMarkWords *words, const SimLine *line, bool *ret_is_start);

#endif
