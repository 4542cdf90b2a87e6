/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_FORMATS_UNKNOWN_WORDS_H
#define COLLECT_KINETO_FORMATS_UNKNOWN_WORDS_H

#include "collect-kineto/text/json_text.h"

#include <stdint.h>
#include <string.h>

/* A word that the vocabulary lacks: a category, or a type of tasks. */
typedef struct UnknownWord {
    char word[48]; /* as much of it as fits */
    uint64_t events;
    uint64_t on_streams; /* of them, work of a device */
} UnknownWord;

#define UNKNOWN_WORDS 8u

/* The words seen first. */
typedef struct UnknownWords {
    UnknownWord list[UNKNOWN_WORDS];
    uint32_t count;
} UnknownWords;

/* Count an event of that word; further words than UNKNOWN_WORDS are not kept. */
static inline void UnknownWordsAdd(UnknownWords *words, JsonText text, bool is_on_stream)
{
    char word[sizeof words->list[0].word] = "";
    uint32_t i = 0;

    memcpy(word, text.text, text.length < sizeof word ? text.length : sizeof word - 1);
    while (i < words->count && strcmp(words->list[i].word, word) != 0) {
        i++;
    }
    if (i == UNKNOWN_WORDS) {
        return;
    }
    if (i == words->count) {
        words->count++;
        memcpy(words->list[i].word, word, sizeof word);
    }
    words->list[i].events++;
    words->list[i].on_streams += is_on_stream;
}

#endif
