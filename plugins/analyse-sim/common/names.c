/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is known of mnemonics: what they move, write, and do to the vector unit. Tested by
 * tests/plugins/analyse-sim/details/test_process_bytes.c.
 */
#include "analyse-sim/common/names.h"

#include <string.h>

/* A group of names in a chip file, and what being in it means. */
typedef struct Group {
    const char *name;
    uint8_t meaning;
} Group;

static const Group vector_groups[] = { { "one_source", VECTOR_ONE_SOURCE },
                                       { "two_sources", VECTOR_TWO_SOURCES },
                                       { "reduce", VECTOR_REDUCE },
                                       { "other", VECTOR_OTHER },
                                       { NULL, VECTOR_NONE } };

static const Group state_groups[] = { { "mask", VECTOR_STATE_MASK },
                                      { "mode", VECTOR_STATE_MODE },
                                      { NULL, VECTOR_STATE_NONE } };

static const Group written_groups[] = { { "first", WRITTEN_FIRST },
                                        { "second", WRITTEN_SECOND },
                                        { "first_two", WRITTEN_FIRST_TWO },
                                        { "four", WRITTEN_LOAD_4 },
                                        { NULL, WRITTEN_NONE } };

static const Group move_rules[] = { { "nd2nz", BYTES_ND2NZ },  { "aligned", BYTES_ALIGN },
                                    { "fix_pipe", BYTES_FIX }, { "image", BYTES_IMAGE },
                                    { "mask", BYTES_SMASK },   { NULL, BYTES_NONE } };

static const Group operand_forms[] = { { "assigned", OPERANDS_A2 },
                                       { "named", OPERANDS_310P },
                                       { "typed", OPERANDS_950 },
                                       { NULL, OPERANDS_NONE } };

/* The group whose name is a text. */
static uint8_t meaning_of(const Group *groups, const char *text)
{
    while (groups->name != NULL && (text == NULL || strcmp(groups->name, text) != 0)) {
        groups++;
    }
    return groups->meaning;
}

/* The group that holds a name. */
static uint8_t group_of(const Group *groups, const OpprofFact *lists, const char *name)
{
    while (groups->name != NULL && !ChipWordsListHas(OpprofFactMember(lists, groups->name), name)) {
        groups++;
    }
    return groups->meaning;
}

/* The move that names an instruction; NULL: it moves nothing. */
static const OpprofFact *move_of(const OpprofFact *dialect, const char *name)
{
    const OpprofFact *moves = OpprofFactMember(dialect, "moves");

    for (size_t i = 0; i < OpprofFactCount(moves); i++) {
        const OpprofFact *move = OpprofFactAt(moves, i);
        if (ChipWordsListHas(OpprofFactMember(move, "names"), name)) {
            return move;
        }
    }
    return NULL;
}

/* ---- factors ---- */

static unsigned value_of(const char *name)
{
    static const Group values[] = { { "xd", OPERAND_XD }, { "xn", OPERAND_XN },
                                    { "xm", OPERAND_XM }, { "xs", OPERAND_XS },
                                    { "xt", OPERAND_XT }, { NULL, 0 } };

    return meaning_of(values, name);
}

/* A number, or bits of a value: [value, first bit, bits]. */
static MoveFactor factor_of(const OpprofFact *fact)
{
    MoveFactor factor = { .number = 1 };
    double number = 1;
    double first = 0;
    double bits = 0;

    if (OpprofFactNumber(fact, &number) && number >= 0 && number <= UINT32_MAX) {
        factor.number = (uint32_t) number;
    } else if (OpprofFactGetKind(fact) == OPPROF_FACT_ARRAY) {
        OpprofFactNumber(OpprofFactAt(fact, 1), &first);
        OpprofFactNumber(OpprofFactAt(fact, 2), &bits);
        factor = (MoveFactor){ .value = (uint8_t) value_of(OpprofFactText(OpprofFactAt(fact, 0))),
                               .first = (uint8_t) first,
                               .bits = (uint8_t) bits };
    }
    return factor;
}

static void read_move(const OpprofFact *move, NameFacts *facts)
{
    const char *rule = OpprofFactText(OpprofFactMember(move, "rule"));
    const OpprofFact *needs = OpprofFactMember(move, "needs");

    facts->bytes = rule != NULL ? meaning_of(move_rules, rule) : BYTES_FACTORS;
    facts->factors[0] = factor_of(OpprofFactMember(move, "count"));
    facts->factors[1] = factor_of(OpprofFactMember(move, "size"));
    facts->factors[2] = factor_of(OpprofFactMember(move, "repeats"));
    for (size_t i = 0; i < OpprofFactCount(needs); i++) {
        facts->needs |= (uint8_t) value_of(OpprofFactText(OpprofFactAt(needs, i)));
    }
}

NameFacts NameFactsOf(const ChipWords *words, const char *name)
{
    const OpprofFact *dialect = ChipWordsDialect(words);
    const OpprofFact *writes = OpprofFactMember(dialect, "writes");
    const OpprofFact *move = move_of(dialect, name);
    NameFacts facts = { .dialect = meaning_of(
                            operand_forms, OpprofFactText(OpprofFactMember(dialect, "operands"))),
                        .memories = OpprofFactMember(dialect, "memories") };

    facts.vector = group_of(vector_groups, OpprofFactMember(dialect, "vector"), name);
    facts.state = group_of(state_groups, OpprofFactMember(dialect, "state"), name);
    facts.written = OpprofFactText(writes) != NULL ? WRITTEN_BY_OPERAND
                                                   : group_of(written_groups, writes, name);
    if (move != NULL) {
        read_move(move, &facts);
    }
    return facts;
}
