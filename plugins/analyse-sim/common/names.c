/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Facts about mnemonics: what they move, write, and do to the vector unit.
 * Tested by tests/plugins/analyse-sim/details/test_process_bytes.c.
 */
#include "analyse-sim/common/names.h"

#include <stdlib.h>
#include <string.h>

/* The first element of a list whose `names` include one; NULL: none. */
static const OpprofFact *entry_of(const OpprofFact *list, const char *name)
{
    for (size_t i = 0; i < OpprofFactCount(list); i++) {
        const OpprofFact *entry = OpprofFactAt(list, i);
        if (InstructionFactsListHas(OpprofFactMember(entry, "names"), name)) {
            return entry;
        }
    }
    return NULL;
}

static void read_written(const OpprofFact *entry, NameFacts *facts)
{
    const OpprofFact *places = OpprofFactMember(entry, "places");
    double number = 0;

    for (size_t i = 0; i < OpprofFactCount(places); i++) {
        if (OpprofFactNumber(OpprofFactAt(places, i), &number) && number >= 0 &&
            number < OPERAND_MOST_REGISTERS) {
            facts->written |= 1u << (unsigned) number;
        }
    }
    number = 0;
    OpprofFactNumber(OpprofFactMember(entry, "following"), &number);
    facts->following = number > 0 && number < OPERAND_MOST_REGISTERS ? (uint32_t) number : 0;
}

/* The rules of a chip, or what prevents their use. */
typedef struct Known {
    Dialect *dialect;
    char *problem;
} Known;

static void *make_known(const InstructionFacts *words)
{
    Known *known = calloc(1, sizeof *known);
    OpprofError *error = NULL;

    if (known != NULL &&
        DialectCreate(InstructionFactsDialect(words), &known->dialect, &error) != OPPROF_OK) {
        known->problem = strdup(OpprofErrorLine(error));
    }
    OpprofErrorDestroy(error);
    return known;
}

static const Known *known_of(const InstructionFacts *words)
{
    return words == NULL || InstructionFactsDialect(words) == NULL
               ? NULL
               : InstructionFactsKept(words, make_known);
}

const Dialect *NamesDialect(const InstructionFacts *words)
{
    const Known *known = known_of(words);

    return known == NULL ? NULL : known->dialect;
}

const char *NamesProblem(const InstructionFacts *words)
{
    const Known *known = known_of(words);

    return known == NULL ? NULL : known->problem;
}

NameFacts NameFactsOf(const InstructionFacts *words, const char *name)
{
    const Dialect *dialect = NamesDialect(words);
    const OpprofFact *facts = InstructionFactsDialect(words);
    NameFacts known = { .dialect = dialect };

    if (dialect != NULL) {
        known.move = DialectRuleOf(dialect, entry_of(OpprofFactMember(facts, "moves"), name));
        known.state = DialectRuleOf(dialect, entry_of(OpprofFactMember(facts, "state"), name));
        known.vector = DialectRuleOf(dialect, entry_of(OpprofFactMember(facts, "vector"), name));
        read_written(entry_of(OpprofFactMember(facts, "writes"), name), &known);
    }
    return known;
}
