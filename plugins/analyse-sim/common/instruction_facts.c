/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Looks up words of simulated instructions in chip files. Tested by
 * tests/plugins/analyse-sim/timeline/test_palette.c.
 */
#include "analyse-sim/common/instruction_facts.h"

#include <opprof/grow.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A caller's object made of the words. */
typedef struct Kept {
    void *made;
    bool is_made;
} Kept;

struct InstructionFacts {
    InstructionFacts *next;
    Kept *kept;
    char *name; /* "": all chips */
    OpprofChip **chips;
    size_t count;
    size_t capacity;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the list; its entries stay */
static InstructionFacts *all_words;

/* A chip with a faulty file has no words; the collector reports what is wrong. */
static bool add(InstructionFacts *words, const char *name)
{
    OpprofChip *chip = NULL;

    if (OpprofChipLoad(name, &chip, NULL) != OPPROF_OK) {
        return true;
    }
    if (!OpprofGrow(&words->chips, &words->capacity, words->count + 1, sizeof(OpprofChip *))) {
        OpprofChipFree(chip);
        return false;
    }
    words->chips[words->count++] = chip;
    return true;
}

static bool add_all(InstructionFacts *words)
{
    char **series = NULL;
    const size_t count = OpprofChipSeriesList(&series);
    bool is_good = true;

    for (size_t i = 0; i < count; i++) {
        is_good = is_good && add(words, series[i]);
        free(series[i]);
    }
    free(series);
    return is_good;
}

static void free_words(InstructionFacts *words)
{
    for (size_t i = 0; i < words->count; i++) {
        OpprofChipFree(words->chips[i]);
    }
    free(words->chips);
    free(words->kept);
    free(words->name);
    free(words);
}

static InstructionFacts *make(const char *name)
{
    InstructionFacts *words = calloc(1, sizeof *words);
    bool is_good = words != NULL && (words->name = strdup(name)) != NULL &&
                   (words->kept = calloc(1, sizeof *words->kept)) != NULL;

    is_good = is_good && (name[0] == '\0' ? add_all(words) : add(words, name));
    if (!is_good && words != NULL) {
        free_words(words);
        return NULL;
    }
    return words;
}

const InstructionFacts *InstructionFactsOf(const char *chip)
{
    const char *name = chip == NULL ? "" : chip;
    InstructionFacts *words;

    pthread_mutex_lock(&lock);
    for (words = all_words; words != NULL && strcmp(words->name, name) != 0;) {
        words = words->next;
    }
    if (words == NULL && (words = make(name)) != NULL) {
        words->next = all_words;
        all_words = words;
    }
    pthread_mutex_unlock(&lock);
    return words;
}

const OpprofFact *InstructionFactsFact(const InstructionFacts *words, const char *path)
{
    const OpprofFact *fact = NULL;

    for (size_t i = 0; words != NULL && fact == NULL && i < words->count; i++) {
        fact = OpprofChipFact(words->chips[i], path);
    }
    return fact;
}

const OpprofFact *InstructionFactsMember(const InstructionFacts *words, const char *path,
                                         const char *name)
{
    const OpprofFact *fact = NULL;

    for (size_t i = 0; words != NULL && fact == NULL && i < words->count; i++) {
        fact = OpprofFactMember(OpprofChipFact(words->chips[i], path), name);
    }
    return fact;
}

const char *InstructionFactsUserMark(const InstructionFacts *words)
{
    const char *pipe = OpprofFactText(InstructionFactsFact(words, "pipes.user_mark"));

    return pipe == NULL ? "user marks" : pipe;
}

bool InstructionFactsListHas(const OpprofFact *list, const char *text)
{
    for (size_t i = 0; i < OpprofFactCount(list); i++) {
        const char *one = OpprofFactText(OpprofFactAt(list, i));
        if (one != NULL && strcmp(one, text) == 0) {
            return true;
        }
    }
    return false;
}

bool InstructionFactsHas(const InstructionFacts *words, const char *path, const char *text)
{
    for (size_t i = 0; words != NULL && i < words->count; i++) {
        if (InstructionFactsListHas(OpprofChipFact(words->chips[i], path), text)) {
            return true;
        }
    }
    return false;
}

const OpprofFact *InstructionFactsDialect(const InstructionFacts *words)
{
    const char *name = words == NULL || words->count != 1
                           ? NULL
                           : OpprofChipText(words->chips[0], "simulator.operands");

    return name == NULL ? NULL : InstructionFactsMember(words, "instructions", name);
}

void *InstructionFactsKept(const InstructionFacts *words,
                           void *(*make_of)(const InstructionFacts *words))
{
    pthread_mutex_lock(&lock);
    if (!words->kept->is_made) {
        words->kept->made = make_of(words);
        words->kept->is_made = true;
    }
    void *made = words->kept->made;
    pthread_mutex_unlock(&lock);
    return made;
}
