/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MC2_WORD_STREAM_H
#define MC2_WORD_STREAM_H

#include "facts.h"

#include <stddef.h>
#include <stdint.h>

/*
 * The 4-byte words of one core: cycles since the word before, what happened, and now and then a
 * stamp of the system counter. The bytes arrive in pieces of any length.
 */

#define WORD_NO_BLOCK 65535u /* before the first stamp */

/* Content of one word. */
typedef struct Word {
    uint64_t time;    /* core cycles; from the first word on, or from the last stamp */
    uint32_t block;   /* of the last stamp */
    uint16_t payload; /* 12 bits: number of a mark, or busy pipes as bits */
    uint8_t control;  /* BiuControl: a mark on a pipe, or BIU_CONTROL_STATE */
    uint8_t code;     /* the control code itself */
} Word;

typedef struct WordCounts {
    uint64_t words;   /* all */
    uint64_t fillers; /* and end flags */
    uint64_t stamps;
    uint64_t broken;  /* stamps that end before their fourth word */
    uint64_t earlier; /* stamps that are not later than the one before */
    uint64_t lost; /* words after a broken stamp, up to the next whole one: their time is unknown */
    uint64_t codes[BIU_CONTROLS]; /* words of each control code */
} WordCounts;

typedef struct WordStream {
    const BiuFacts *facts; /* borrowed */
    uint64_t core_hz;      /* cycles per second; from the facts unless better known */
    uint64_t time;
    uint64_t stamp;      /* its quarters so far */
    uint64_t last_stamp; /* 0: none yet */
    uint32_t block;
    uint32_t stamp_block;
    uint32_t stamp_words; /* quarters so far */
    bool is_lost;
    uint32_t have; /* bytes of an incomplete word */
    unsigned char carry[4];
    WordCounts counts;
    /* A word without a time, and where it ends in the piece; NULL: not requested. */
    void (*on_lost)(void *context, const unsigned char *word, const unsigned char *end);
    void *context;
} WordStream;

void WordStreamInit(WordStream *stream, const BiuFacts *facts, uint64_t core_hz);

/*
 * Decode until the bytes or the room are used up.
 *
 * @param[in,out] at  Next byte; it moves on.
 * @return Number of words. If less than `room`, all bytes have been used.
 */
size_t WordStreamDecode(WordStream *stream, const unsigned char **at, const unsigned char *end,
                        Word *out, size_t room);

/* All bytes have been added: an incomplete stamp is broken. */
void WordStreamEnd(WordStream *stream);

#endif
