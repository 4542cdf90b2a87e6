/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds which flags between cores belong together.
 * Tested by tests/plugins/analyse-sim/timeline/test_sim_timeline.c.
 */
#include "cross_flags.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PIPE_LENGTH_MAX 10u
#define CROSS_MOST_SPOKES 64u
#define CROSS_MOST_IDS 65536u
#define ID_DIGITS_MAX 10u

static uint32_t number_of(const InstructionFacts *words, const char *name, uint32_t most)
{
    double number = 0;

    return OpprofFactNumber(InstructionFactsMember(words, "flags.between_cores", name), &number) &&
                   number >= 1 && number <= most
               ? (uint32_t) number
               : 1;
}

CrossRule CrossRuleOf(const InstructionFacts *words)
{
    static const char path[] = "flags.between_cores";

    return (CrossRule){ .hub = OpprofFactText(InstructionFactsMember(words, path, "hub")),
                        .spoke = OpprofFactText(InstructionFactsMember(words, path, "spoke")),
                        .spokes = number_of(words, "spokes", CROSS_MOST_SPOKES),
                        .ids = number_of(words, "ids", CROSS_MOST_IDS),
                        .pipe = OpprofFactText(InstructionFactsMember(words, path, "pipe")),
                        .id = OpprofFactText(InstructionFactsMember(words, path, "id")) };
}

CrossKind CrossKindOfName(const InstructionFacts *words, const char *name)
{
    static const char *const names[] = { [CROSS_SET] = "set",
                                         [CROSS_WAIT] = "wait",
                                         [CROSS_SET_I] = "set_i",
                                         [CROSS_WAIT_I] = "wait_i" };

    for (int kind = CROSS_SET; kind <= CROSS_WAIT_I; kind++) {
        const char *its =
            OpprofFactText(InstructionFactsMember(words, "flags.between_cores", names[kind]));
        if (its != NULL && strcmp(name, its) == 0) {
            return (CrossKind) kind;
        }
    }
    return CROSS_NONE;
}

FlagSide CrossSide(CrossKind kind)
{
    return kind == CROSS_SET || kind == CROSS_SET_I ? FLAG_SET : FLAG_WAIT;
}

/* After the first `word`; NULL if it is missing. */
static const char *after(const char *text, size_t length, const char *word)
{
    const char *at = length == 0 || word == NULL ? NULL : memmem(text, length, word, strlen(word));

    return at == NULL ? NULL : at + strlen(word);
}

bool CrossDetailParse(const CrossRule *rule, const char *detail, size_t length,
                      CrossDetail *ret_detail)
{
    const char *end = detail + length;
    const char *pipe = after(detail, length, rule->pipe);
    const char *id = pipe == NULL ? NULL : after(pipe, (size_t) (end - pipe), rule->id);
    size_t letters = 0;
    size_t digits = 0;

    if (id == NULL) {
        return false;
    }
    while (letters < PIPE_LENGTH_MAX && isalnum((unsigned char) pipe[letters])) {
        ret_detail->pipe[letters] = pipe[letters];
        letters++;
    }
    ret_detail->pipe[letters] = '\0';
    if (letters == 0 || pipe[letters] != ',') {
        return false;
    }
    ret_detail->sync_id = 0;
    while (digits < ID_DIGITS_MAX && id + digits < end && isdigit((unsigned char) id[digits])) {
        ret_detail->sync_id = ret_detail->sync_id * 10 + (uint64_t) (id[digits++] - '0');
    }
    return digits > 0;
}

const char *CrossPipeName(const InstructionFacts *words, const char *pipe)
{
    const OpprofFact *known = InstructionFactsFact(words, "pipes.known");
    OpprofFactWalk walk = { 0 };
    const char *name;
    const OpprofFact *fact;

    while (known != NULL && OpprofFactNext(known, &walk, &name, &fact)) {
        if (InstructionFactsListHas(OpprofFactMember(fact, "in_flags"), pipe)) {
            return name;
        }
    }
    return NULL;
}

/* Key of a set on a hub and the matching waits of its spokes. */
static int hub_to_spoke(char *text, int block, const char *core, bool is_i, uint32_t spoke,
                        uint64_t id)
{
    return snprintf(text, CROSS_KEY_SIZE, "%.*s>%u%s%llu", block, core, spoke, is_i ? "I" : ".",
                    (unsigned long long) id);
}

/* Key of a set on a spoke and the matching waits of its hub. */
static int spoke_to_hub(char *text, int block, const char *core, bool is_i, uint64_t id)
{
    return snprintf(text, CROSS_KEY_SIZE, "%.*s<%s%llu", block, core, is_i ? "I" : ".",
                    (unsigned long long) id);
}

static bool begins_with(const char *text, const char *word)
{
    return word != NULL && strncmp(text, word, strlen(word)) == 0;
}

/* Numbers that the chip does not have count as the last one. */
static uint32_t spoke_of(const CrossRule *rule, uint64_t number)
{
    return number < rule->spokes ? (uint32_t) number : rule->spokes - 1;
}

size_t CrossKey(const CrossRule *rule, const char *core, CrossKind kind, uint64_t sync_id,
                char text[CROSS_KEY_SIZE])
{
    const char *dot = strchr(core, '.');
    bool is_set = CrossSide(kind) == FLAG_SET;
    bool is_i = kind == CROSS_SET_I || kind == CROSS_WAIT_I;
    int block = dot == NULL ? 0 : (int) (dot - core);
    int length = 0;

    if (dot == NULL || kind == CROSS_NONE) {
        return 0;
    }
    if (begins_with(dot + 1, rule->hub)) {
        length = is_set ? hub_to_spoke(text, block, core, is_i, spoke_of(rule, sync_id / rule->ids),
                                       sync_id % rule->ids)
                        : spoke_to_hub(text, block, core, is_i, sync_id);
    } else if (begins_with(dot + 1, rule->spoke)) {
        const uint32_t spoke = spoke_of(rule, strtoul(dot + strcspn(dot, "0123456789"), NULL, 10));

        length = is_set
                     ? spoke_to_hub(text, block, core, is_i, sync_id + (uint64_t) spoke * rule->ids)
                     : hub_to_spoke(text, block, core, is_i, spoke, sync_id);
    }
    return length <= 0 || length >= (int) CROSS_KEY_SIZE ? 0 : (size_t) length;
}
