/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is known of mnemonics: what they move, write, and do to the vector unit. Tested by
 * tests/plugins/analyse-sim/details/test_process_bytes.c.
 */
#include "analyse-sim/common/names.h"

/* The first element of a list whose `names` hold one; NULL: none. */
static const OpprofFact *entry_of(const OpprofFact *list, const char *name)
{
    for (size_t i = 0; i < OpprofFactCount(list); i++) {
        const OpprofFact *entry = OpprofFactAt(list, i);
        if (ChipWordsListHas(OpprofFactMember(entry, "names"), name)) {
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

/* Wrong rules are as none: the collector says what is wrong before anything is read. */
static void *make_dialect(const ChipWords *words)
{
    Dialect *dialect = NULL;

    DialectCreate(ChipWordsDialect(words), &dialect, NULL);
    return dialect;
}

const Dialect *NamesDialect(const ChipWords *words)
{
    return words == NULL || ChipWordsDialect(words) == NULL ? NULL
                                                            : ChipWordsKept(words, make_dialect);
}

NameFacts NameFactsOf(const ChipWords *words, const char *name)
{
    const Dialect *dialect = NamesDialect(words);
    const OpprofFact *facts = ChipWordsDialect(words);
    NameFacts known = { .dialect = dialect };

    if (dialect != NULL) {
        known.move = DialectRuleOf(dialect, entry_of(OpprofFactMember(facts, "moves"), name));
        known.state = DialectRuleOf(dialect, entry_of(OpprofFactMember(facts, "state"), name));
        known.vector = DialectRuleOf(dialect, entry_of(OpprofFactMember(facts, "vector"), name));
        read_written(entry_of(OpprofFactMember(facts, "writes"), name), &known);
    }
    return known;
}
