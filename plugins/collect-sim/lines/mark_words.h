/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_LINES_MARK_WORDS_H
#define COLLECT_SIM_LINES_MARK_WORDS_H

/* How a chip's programs mark ranges, `simulator.marks`: instructions that write a value with a digit to one of some registers. */

#include "line.h"
#include <opprof/kit/chip.h>
#include <opprof/kit/form.h>

typedef struct SimMarkWords {
    const OpprofFact *registers; /* texts in operands that speak of one; NULL: there are no marks */
    OpprofForm *start;           /* values with <digit>, anywhere in operands */
    OpprofForm *stop;
    const char *edge; /* instruction after one of those that is the real edge; NULL: none */
    size_t edge_length;
    SimLineWatch watch; /* for lines that may have a register */
} SimMarkWords;

/* Those of a chip, whose facts are borrowed. What is wrong is reported. */
OpprofStatus SimMarkWordsRead(const OpprofChip *chip, SimMarkWords *ret_words, OpprofError **error);
void SimMarkWordsFinish(SimMarkWords *words);

/* SimMarkWordsHasRegister() of a line that is worth the look. */
bool SimMarkWordsFindRegister(const SimMarkWords *words, const SimLine *line);

/* True if the operands speak of a register of marks. */
static inline bool SimMarkWordsHasRegister(const SimMarkWords *words, const SimLine *line)
{
    return line->may_have_register && SimMarkWordsFindRegister(words, line);
}

/* The digit of the first value of a mark in the operands; -1: there is none. */
int SimMarkWordsDigit(const SimMarkWords *words, const SimLine *line, bool *ret_is_start);

#endif
