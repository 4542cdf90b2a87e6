/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_SIM_COMMON_CHIP_WORDS_H
#define ANALYSE_SIM_COMMON_CHIP_WORDS_H

#include <opprof/kit/chip.h>

/*
 * Facts about simulated instructions: `pipes`, `flags`, `warps`, and from
 * `instructions` the dialect that `simulator.operands` names. Looked up once for each distinct word
 * of a run.
 */

typedef struct ChipWords ChipWords;

/*
 * Words of a SoC or series; NULL or "": of all chips, for records that do not state theirs. NULL
 * without memory. Made once per process. [any thread]
 */
const ChipWords *ChipWordsOf(const char *chip);

/* The fact at a dotted path, from the first chip that states it; NULL: none does. */
const OpprofFact *ChipWordsFact(const ChipWords *words, const char *path);
/* Member of an object at a dotted path, from the first chip that has it. */
const OpprofFact *ChipWordsMember(const ChipWords *words, const char *path, const char *name);
/* Whether the list of texts at a path holds a text. */
bool ChipWordsHas(const ChipWords *words, const char *path, const char *text);
/* The dialect of the operands; NULL: operands are unknown. */
const OpprofFact *ChipWordsDialect(const ChipWords *words);
/*
 * The object that `make_of` makes of the words, including NULL: made once and kept as long as they
 * are. It must not ask for words of chips. [any thread]
 */
void *ChipWordsKept(const ChipWords *words, void *(*make_of)(const ChipWords *words));

/* The pipe of user marks. Never NULL. */
const char *ChipWordsUserMark(const ChipWords *words);

/* Whether a list of texts holds one. */
bool ChipWordsListHas(const OpprofFact *list, const char *text);

#endif
