/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MC2_ALIGN_H
#define MC2_ALIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Relates the clocks of cards. A card that waits for a notice of another one continues only after
 * the other sent it: so the send is not after the end of the wait, whatever the clocks say. Sends
 * in both directions bound the difference of two clocks from both sides, and bounds add up along
 * any path between two cards. A barrier gives such bounds for all cards at once: no card leaves it
 * before all entered.
 */

#define ALIGN_MAX_CARDS 256u

/* A notice from one card to another. Times in ns of the card's own clock. */
typedef struct Notice {
    uint32_t from; /* ranks */
    uint32_t to;
    uint64_t notify;
    int64_t time; /* start of the sending, or end of the waiting */
    bool is_wait;
    uint32_t card; /* whose clock */
} Notice;

/*
 * A card's passage through a collective that all cards leave only after all entered it. Times in ns
 * of the card's own clock.
 */
typedef struct Barrier {
    uint64_t number; /* the same on all cards */
    int64_t entered;
    int64_t left;
    uint32_t card;
} Barrier;

/* The basis of a card's alignment. */
typedef enum AlignHow {
    ALIGN_REFERENCE, /* reference clock */
    ALIGN_NOTICES,   /* bounded from both sides */
    ALIGN_BARRIERS,  /* bounded from both sides by barriers alone */
    ALIGN_BOTH,      /* by notices, and closer by barriers */
    ALIGN_ONE_SIDED, /* notices in one direction only: no bound on the other side */
    ALIGN_STARTS,    /* neither: the launches are assumed to begin together */
    ALIGN_CONFLICT   /* notices contradict each other */
} AlignHow;

/* Add `offset_ns` to the card's times to get those of the reference. */
typedef struct Alignment {
    AlignHow how;
    double offset_ns;
    double error_ns;   /* the true offset is within this; below 0: unknown */
    uint64_t notices;  /* notices that the card sent or received */
    uint64_t barriers; /* barriers that it passed with all others */
} Alignment;

typedef struct Align {
    Notice *notices;
    size_t count;
    size_t capacity;
    Barrier *barriers;
    size_t barrier_count;
    size_t barrier_capacity;
    /* set by AlignSolve */
    uint64_t unmatched;    /* notices whose other half is missing */
    uint64_t uneven;       /* barriers that not all cards passed, or one more than once */
    bool is_contradiction; /* barriers contradict the notices or each other, and are ignored */
} Align;

/* False without memory. */
bool AlignAdd(Align *align, const Notice *notice);
bool AlignAddBarrier(Align *align, const Barrier *barrier);

/*
 * Find the offsets of `cards` cards, of which card 0 is the reference.
 *
 * @param starts  When each card's launch began, in ns of its own clock.
 * @param[out] list  `cards` alignments.
 * @return False without memory.
 */
bool AlignSolve(Align *align, uint32_t cards, const int64_t *starts, Alignment *list);

const char *AlignHowName(AlignHow how);

void AlignFinish(Align *align);

#endif
