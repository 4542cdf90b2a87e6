/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tells which flags between cores belong together. Tested by
 * tests/plugins/analyse-sim/timeline/test_sim_timeline.c.
 */
#include "cross_flags.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define VECTOR_1_FIRST_ID 16u /* sync ids of a cube core from here on speak to vector core 1 */
#define PIPE_LENGTH_MAX 10u
#define ID_DIGITS_MAX 10u

CrossKind CrossKindOfName(const ChipWords *words, const char *name)
{
    static const char *const names[] = { [CROSS_SET] = "set",
                                         [CROSS_WAIT] = "wait",
                                         [CROSS_SET_I] = "set_i",
                                         [CROSS_WAIT_I] = "wait_i" };

    for (int kind = CROSS_SET; kind <= CROSS_WAIT_I; kind++) {
        const char *its =
            OpprofFactText(ChipWordsMember(words, "flags.between_cores", names[kind]));
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
    const char *at = length == 0 ? NULL : memmem(text, length, word, strlen(word));

    return at == NULL ? NULL : at + strlen(word);
}

bool CrossDetailParse(const char *detail, size_t length, CrossDetail *ret_detail)
{
    const char *end = detail + length;
    const char *pipe = after(detail, length, "PIPE:");
    const char *id = pipe == NULL ? NULL : after(pipe, (size_t) (end - pipe), "sync_id:");
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

const char *CrossPipeName(const ChipWords *words, const char *pipe)
{
    const OpprofFact *known = ChipWordsFact(words, "pipes.known");
    OpprofFactWalk walk = { 0 };
    const char *name;
    const OpprofFact *fact;

    while (known != NULL && OpprofFactNext(known, &walk, &name, &fact)) {
        if (ChipWordsListHas(OpprofFactMember(fact, "in_flags"), pipe)) {
            return name;
        }
    }
    return NULL;
}

/* Key of a set on a cube core and the waits of its vector cores. */
static int cube_to_vector(char *text, int block, const char *core, bool is_i, unsigned vector,
                          uint64_t id)
{
    return snprintf(text, CROSS_KEY_SIZE, "%.*s>%u%s%llu", block, core, vector, is_i ? "I" : ".",
                    (unsigned long long) id);
}

/* Key of a set on a vector core and the waits of its cube core. */
static int vector_to_cube(char *text, int block, const char *core, bool is_i, uint64_t id)
{
    return snprintf(text, CROSS_KEY_SIZE, "%.*s<%s%llu", block, core, is_i ? "I" : ".",
                    (unsigned long long) id);
}

size_t CrossKey(const char *core, CrossKind kind, uint64_t sync_id, char text[CROSS_KEY_SIZE])
{
    const char *dot = strchr(core, '.');
    bool is_set = CrossSide(kind) == FLAG_SET;
    bool is_i = kind == CROSS_SET_I || kind == CROSS_WAIT_I;
    int block = dot == NULL ? 0 : (int) (dot - core);
    int length = 0;

    if (dot == NULL || kind == CROSS_NONE) {
        return 0;
    }
    if (strncmp(dot, ".cube", 5) == 0) {
        length = is_set ? cube_to_vector(text, block, core, is_i, sync_id >= VECTOR_1_FIRST_ID,
                                         sync_id % VECTOR_1_FIRST_ID)
                        : vector_to_cube(text, block, core, is_i, sync_id);
    } else if (strncmp(dot, ".vec", 4) == 0) {
        unsigned vector = strchr(dot, '0') == NULL;

        length = is_set
                     ? vector_to_cube(text, block, core, is_i, sync_id + vector * VECTOR_1_FIRST_ID)
                     : cube_to_vector(text, block, core, is_i, vector, sync_id);
    }
    return length <= 0 || length >= (int) CROSS_KEY_SIZE ? 0 : (size_t) length;
}
