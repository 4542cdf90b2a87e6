/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MC2_CARDS_H
#define MC2_CARDS_H

#include "align.h"
#include "event.h"

#include <opprof/stage.h>

/*
 * Launches of one operator on several cards, which are shown side by side once their clocks are
 * aligned. Holds their events.
 */

typedef struct Card {
    uint32_t device; /* interned */
    uint64_t hz;
    Mc2Event *events;
    size_t count;
    size_t capacity;
} Card;

/* The launches of the same kernel and order. */
typedef struct CardGroup {
    uint32_t kernel;
    uint32_t order;
    Card *cards;
    size_t count;
    size_t capacity;
} CardGroup;

typedef struct Cards {
    CardGroup *groups;
    size_t count;
    size_t capacity;
    uint64_t held;  /* events */
    uint64_t limit; /* events that may be held */
    uint64_t left;  /* events beyond the limit */
} Cards;

/* Keep an event of a launch that knows its device. False without memory. */
bool CardsAdd(Cards *cards, uint64_t hz, const Mc2Event *event);

/* Evidence that was ignored for the clocks of a group; see Align. */
typedef struct CardClues {
    uint64_t unmatched;
    uint64_t uneven;
    bool is_contradiction;
} CardClues;

/*
 * Align the first ALIGN_MAX_CARDS cards of a group by their notices and collectives; `list` has
 * room for them. False without memory.
 */
bool CardGroupAlign(const CardGroup *group, Alignment *list, CardClues *ret_clues);

void CardsFinish(Cards *cards);

#endif
