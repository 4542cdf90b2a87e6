/* SPDX-License-Identifier: Apache-2.0 */
/* Combines what several cards did in the same launch. Tested by tests/plugins/mc2/test_cards.sh. */
#include "cards.h"

#include "names.h"

#include <opprof/grow.h>
#include <stdlib.h>

#define ITEM_NOTIFY_RECORD UINT64_C(0x9eb5886f0b5ef22f)
#define ITEM_NOTIFY_WAIT UINT64_C(0xab44b101f36f4b07)
#define NS_PER_SECOND INT64_C(1000000000)

static CardGroup *find_group(Cards *cards, const Mc2Event *event)
{
    for (size_t i = cards->count; i > 0; i--) {
        CardGroup *group = &cards->groups[i - 1];
        if (group->kernel == event->kernel && group->order == event->order) {
            return group;
        }
    }
    if (!OpprofGrow(&cards->groups, &cards->capacity, cards->count + 1, sizeof *cards->groups)) {
        return NULL;
    }
    cards->groups[cards->count] = (CardGroup){ .kernel = event->kernel, .order = event->order };
    return &cards->groups[cards->count++];
}

static Card *find_card(CardGroup *group, uint64_t hz, const Mc2Event *event)
{
    for (size_t i = group->count; i > 0; i--) {
        if (group->cards[i - 1].device == event->device) {
            return &group->cards[i - 1];
        }
    }
    if (!OpprofGrow(&group->cards, &group->capacity, group->count + 1, sizeof *group->cards)) {
        return NULL;
    }
    group->cards[group->count] = (Card){ .device = event->device, .hz = hz };
    return &group->cards[group->count++];
}

bool CardsAdd(Cards *cards, uint64_t hz, const Mc2Event *event)
{
    if (cards->held == cards->limit) {
        cards->left++;
        return true;
    }
    CardGroup *group = find_group(cards, event);
    Card *card = group == NULL ? NULL : find_card(group, hz, event);
    if (card == NULL ||
        !OpprofGrow(&card->events, &card->capacity, card->count + 1, sizeof *card->events)) {
        return false;
    }
    card->events[card->count++] = *event;
    cards->held++;
    return true;
}

static int64_t to_ns(const Card *card, uint64_t ticks)
{
    return (int64_t) ((__int128) ticks * NS_PER_SECOND / (int64_t) card->hz);
}

static bool add_notices(Align *align, const Card *card, uint32_t index)
{
    for (size_t i = 0; i < card->count; i++) {
        const Mc2Event *event = &card->events[i];
        const bool is_wait = event->item == ITEM_NOTIFY_WAIT;
        if (event->kind != MC2_COMM || (!is_wait && event->item != ITEM_NOTIFY_RECORD)) {
            continue;
        }
        const Notice notice = { .from = is_wait ? event->remote_rank : event->local_rank,
                                .to = is_wait ? event->local_rank : event->remote_rank,
                                .notify = event->notify,
                                .time = to_ns(card, is_wait ? event->end : event->start),
                                .is_wait = is_wait,
                                .card = index };
        if (!AlignAdd(align, &notice)) {
            return false;
        }
    }
    return true;
}

/* The other end of a turn's collective is its last phase. */
static bool add_turn(Align *align, const Card *card, uint32_t index, size_t execution)
{
    const Mc2Event *begin = &card->events[execution];

    for (size_t i = execution + 1; i < card->count; i++) {
        const Mc2Event *end = &card->events[i];
        if (end->kind == MC2_TURN && end->number == begin->number) {
            return end->rest != TURN_FINALIZE ||
                   AlignAddBarrier(align, &(Barrier){ .number = begin->number,
                                                      .entered = to_ns(card, begin->start),
                                                      .left = to_ns(card, end->end),
                                                      .card = index });
        }
    }
    return true;
}

/*
 * Collectives that all cards take part in: a turn of the AI CPU, from when its tasks may run to
 * when all have run; and a collective kernel as a whole.
 */
static bool add_barriers(Align *align, const Card *card, uint32_t index)
{
    const Mc2Event *kernel = NULL;
    bool is_collective = false;
    bool is_good = true;

    for (size_t i = 0; is_good && i < card->count; i++) {
        const Mc2Event *event = &card->events[i];
        if (event->kind == MC2_TURN && event->rest == TURN_EXECUTE) {
            is_good = add_turn(align, card, index, i);
        }
        kernel = event->kind == MC2_CORE_TASK ? event : kernel;
        is_collective |= event->kind == MC2_LCCL;
    }
    if (!is_good || !is_collective || kernel == NULL) {
        return is_good;
    }
    return AlignAddBarrier(align, &(Barrier){ .number = UINT64_MAX,
                                              .entered = to_ns(card, kernel->start),
                                              .left = to_ns(card, kernel->end),
                                              .card = index });
}

/* When the operator's cores began; the launch's zero if unknown. */
static int64_t find_start(const Card *card)
{
    for (size_t i = 0; i < card->count; i++) {
        if (card->events[i].kind == MC2_CORE_TASK) {
            return to_ns(card, card->events[i].start);
        }
    }
    return 0;
}

bool CardGroupAlign(const CardGroup *group, Alignment *list, CardClues *ret_clues)
{
    const uint32_t count =
        group->count < ALIGN_MAX_CARDS ? (uint32_t) group->count : ALIGN_MAX_CARDS;
    Align align = { .count = 0 };
    int64_t starts[ALIGN_MAX_CARDS];
    bool is_good = true;

    for (uint32_t i = 0; is_good && i < count; i++) {
        starts[i] = find_start(&group->cards[i]);
        is_good =
            add_notices(&align, &group->cards[i], i) && add_barriers(&align, &group->cards[i], i);
    }
    is_good = is_good && AlignSolve(&align, count, starts, list);
    *ret_clues = (CardClues){ .unmatched = align.unmatched,
                              .uneven = align.uneven,
                              .is_contradiction = align.is_contradiction };
    AlignFinish(&align);
    return is_good;
}

void CardsFinish(Cards *cards)
{
    for (size_t i = 0; i < cards->count; i++) {
        for (size_t k = 0; k < cards->groups[i].count; k++) {
            free(cards->groups[i].cards[k].events);
        }
        free(cards->groups[i].cards);
    }
    free(cards->groups);
    *cards = (Cards){ .limit = cards->limit };
}
