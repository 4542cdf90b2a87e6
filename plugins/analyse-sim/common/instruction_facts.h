/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_SIM_COMMON_INSTRUCTION_FACTS_H
#define ANALYSE_SIM_COMMON_INSTRUCTION_FACTS_H

#include <opprof/kit/chip.h>

/*
 * Facts about simulated instructions: `pipes`, `flags`, `warps`, and from
 * `instructions` the dialect that `simulator.operands` names. Looked up once for each distinct word
 * of a run.
 */

typedef struct InstructionFacts InstructionFacts;

/*
 * Facts of a SoC or series; NULL or "": of all chips, for records that do not state theirs. NULL
 * without memory. Made once per process. [any thread]
 */
const InstructionFacts *InstructionFactsOf(const char *chip);

/* The fact at a dotted path, from the first chip that states it; NULL: none does. */
const OpprofFact *InstructionFactsFact(const InstructionFacts *words, const char *path);
/* Member of an object at a dotted path, from the first chip that has it. */
const OpprofFact *InstructionFactsMember(const InstructionFacts *words, const char *path,
                                         const char *name);
/* Whether the list of texts at a path holds a text. */
bool InstructionFactsHas(const InstructionFacts *words, const char *path, const char *text);
/* The dialect of the operands; NULL: operands are unknown. */
const OpprofFact *InstructionFactsDialect(const InstructionFacts *words);
/*
 * The object that `make_of` makes of the facts, including NULL: made once and kept as long as they
 * are. It must not call InstructionFactsOf. [any thread]
 */
void *InstructionFactsKept(const InstructionFacts *words,
                           void *(*make_of)(const InstructionFacts *words));

/* The pipe of user marks. Never NULL. */
const char *InstructionFactsUserMark(const InstructionFacts *words);

/* Whether a list of texts holds one. */
bool InstructionFactsListHas(const OpprofFact *list, const char *text);

#endif
