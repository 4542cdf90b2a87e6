/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Turns edges into spans and marks into pairs, and removes what belongs to the kernel's end. Tests:
 * tests/plugins/mc2/test_words.c.
 */
#include "lanes.h"

#include <opprof/grow.h>
#include <stdlib.h>

#include <string.h>

#define TRACE_BIT 0x400u
#define STOP_BIT 0x800u
#define INSTRUCTION_BITS 0x600u
#define REGION_MASK 0x3ffu
#define NOT_OPEN UINT64_MAX

/* ---- the marks at a kernel's end ---- */

static const uint16_t end_sequence[END_MARK_COUNT] = { 0xd88, 0xd99, 0xdaa, 0xdbb,
                                                       0xdcc, 0xddd, 0xdee, 0xdff };

static bool is_element(uint32_t id)
{
    for (uint32_t i = 0; i < END_MARK_COUNT; i++) {
        if (end_sequence[i] == id) {
            return true;
        }
    }
    return false;
}

void EndMarksTake(EndMarks *end, uint32_t id, uint64_t events)
{
    if (EndMarksComplete(end) && is_element(id)) {
        return;
    }
    if (id == end_sequence[0]) {
        end->start = events;
        end->next = 1;
        return;
    }
    end->next = end->next > 0 && end->next < END_MARK_COUNT && id == end_sequence[end->next]
                    ? end->next + 1
                    : 0;
}

/* ---- lanes ---- */

void LanesInit(Lanes *lanes, LanesMode mode, LaneTake *take, void *context)
{
    *lanes = (Lanes){ .mode = mode, .take = take, .context = context, .block = WORD_NO_BLOCK };
}

/* Items after a possible end mark wait until it is clear whether it was one. */
static bool put(Lanes *lanes, const LaneItem *item)
{
    lanes->counts.items++;
    if (lanes->end.next == 0) {
        return lanes->take(lanes->context, item);
    }
    if (!OpprofGrow(&lanes->pending, &lanes->pending_capacity, lanes->pending_count + 1,
                    sizeof *lanes->pending)) {
        return false;
    }
    lanes->pending[lanes->pending_count++] = *item;
    return true;
}

/* It was not one: the waiting items are valid. */
static bool release(Lanes *lanes)
{
    bool is_good = true;

    for (size_t i = 0; is_good && i < lanes->pending_count; i++) {
        is_good = lanes->take(lanes->context, &lanes->pending[i]);
    }
    lanes->pending_count = 0;
    for (size_t i = 0; i < sizeof lanes->unpaired; i++) {
        lanes->unpaired[i] |= lanes->unpaired_pending[i];
    }
    memset(lanes->unpaired_pending, 0, sizeof lanes->unpaired_pending);
    lanes->counts.unpaired += lanes->pending_unpaired;
    lanes->pending_unpaired = 0;
    return is_good;
}

static void note_unpaired(Lanes *lanes, uint32_t id)
{
    const bool is_sure = lanes->end.next == 0;
    uint8_t *bits = is_sure ? lanes->unpaired : lanes->unpaired_pending;

    bits[id / 8] |= (uint8_t) (1u << (id % 8));
    *(is_sure ? &lanes->counts.unpaired : &lanes->pending_unpaired) += 1;
}

static bool take_state(Lanes *lanes, const Word *word)
{
    const uint32_t busy = word->payload & ((1u << BIU_PIPES) - 1);
    bool is_good = true;

    for (uint32_t change = busy ^ lanes->busy; is_good && change != 0; change &= change - 1) {
        const uint32_t pipe = (uint32_t) __builtin_ctz(change);
        if ((busy >> pipe & 1) != 0) {
            lanes->busy_since[pipe] = word->time;
            continue;
        }
        const LaneItem item = { .start = lanes->busy_since[pipe],
                                .end = word->time,
                                .block = word->block,
                                .pipe = (uint8_t) pipe,
                                .kind = LANE_STATE };
        if (item.end < item.start) { /* a stamp set the time back */
            lanes->counts.backwards++;
            continue;
        }
        is_good = put(lanes, &item);
    }
    lanes->busy = busy;
    return is_good;
}

static uint64_t *find_open(Lanes *lanes, uint32_t pipe, uint32_t id)
{
    if (lanes->open == NULL) {
        lanes->open = malloc(BIU_PIPES * sizeof *lanes->open);
        if (lanes->open == NULL) {
            return NULL;
        }
        memset(lanes->open, 0xff, BIU_PIPES * sizeof *lanes->open);
    }
    return &lanes->open[pipe][id];
}

/* A pair is complete. */
static bool put_pair(Lanes *lanes, const Word *word, uint64_t start, LaneItem item)
{
    if (word->time < start || (item.kind == LANE_INSTRUCTION && word->time == start)) {
        lanes->counts.backwards++;
        return true;
    }
    item.start = start;
    item.end = word->time;
    item.block = word->block;
    item.pipe = word->control;
    return put(lanes, &item);
}

/* A start is kept, a second one replaces it, a stop ends it. */
static bool take_region(Lanes *lanes, const Word *word)
{
    const uint32_t id = word->payload & REGION_MASK;
    uint64_t *open = find_open(lanes, word->control, id);

    if (open == NULL) {
        return false;
    }
    const uint64_t start = *open;
    const bool is_stop = (word->payload & STOP_BIT) != 0;
    *open = is_stop ? NOT_OPEN : word->time;
    if (is_stop == (start == NOT_OPEN)) {
        note_unpaired(lanes, id);
        return true;
    }
    return !is_stop ||
           put_pair(lanes, word, start, (LaneItem){ .kind = LANE_REGION, .id = (uint16_t) id });
}

/* The first of two equal marks is the start. */
static bool take_instruction(Lanes *lanes, const Word *word)
{
    const uint32_t id = (word->payload & STOP_BIT) >> 2 | (word->payload & 0x1ff);

    if (word->control == 0 || (word->payload & INSTRUCTION_BITS) != INSTRUCTION_BITS) {
        return true;
    }
    uint64_t *open = find_open(lanes, word->control, id);
    if (open == NULL) {
        return false;
    }
    const uint64_t start = *open;
    *open = start == NOT_OPEN ? word->time : NOT_OPEN;
    return start == NOT_OPEN ||
           put_pair(lanes, word, start,
                    (LaneItem){ .kind = LANE_INSTRUCTION, .id = word->payload });
}

static bool put_mark(Lanes *lanes, const Word *word)
{
    const bool has_length = lanes->mode == LANES_PIPES;
    const LaneItem item = { .start = word->time,
                            .end = word->time + has_length,
                            .block = word->block,
                            .id = word->payload,
                            .pipe = word->control,
                            .kind = has_length ? LANE_MARK : LANE_CHECKPOINT };

    return put(lanes, &item);
}

static bool take_mark(Lanes *lanes, const Word *word)
{
    const EndMarks before = lanes->end;
    bool is_good = true;

    lanes->counts.marks++;
    EndMarksTake(&lanes->end, word->payload, lanes->counts.items);
    const bool is_first = lanes->end.next == 1;
    if (before.next > 0 && (lanes->end.next == 0 || is_first)) {
        is_good = release(lanes);
    }
    lanes->end_time = is_first ? word->time : lanes->end_time;
    if (!is_good) {
        return false;
    }
    if (lanes->mode == LANES_INSTRUCTIONS) {
        return take_instruction(lanes, word);
    }
    return put_mark(lanes, word) && ((word->payload & TRACE_BIT) == 0 || take_region(lanes, word));
}

bool LanesWords(Lanes *lanes, const Word *words, size_t count)
{
    bool is_good = true;

    for (size_t i = 0; is_good && i < count; i++) {
        const Word *word = &words[i];
        if (word->control != BIU_CONTROL_STATE) {
            is_good = take_mark(lanes, word);
        } else if (lanes->mode != LANES_INSTRUCTIONS) {
            is_good = take_state(lanes, word);
        }
        lanes->last = word->time;
        lanes->block = word->block;
    }
    return is_good;
}

/* The waiting items belong to the kernel's end, except those that began before it. */
static bool remove_end(Lanes *lanes)
{
    bool is_good = true;

    for (size_t i = 0; is_good && i < lanes->pending_count; i++) {
        LaneItem item = lanes->pending[i];
        if (item.start >= lanes->end_time) {
            lanes->counts.removed++;
            continue;
        }
        item.end = lanes->end_time;
        is_good = lanes->take(lanes->context, &item);
    }
    lanes->pending_count = 0;
    memset(lanes->unpaired_pending, 0, sizeof lanes->unpaired_pending);
    lanes->pending_unpaired = 0;
    return is_good;
}

static bool close_states(Lanes *lanes, uint64_t end)
{
    bool is_good = true;

    for (uint32_t busy = lanes->busy; is_good && busy != 0; busy &= busy - 1) {
        const uint32_t pipe = (uint32_t) __builtin_ctz(busy);
        const LaneItem item = { .start = lanes->busy_since[pipe],
                                .end = end,
                                .block = lanes->block,
                                .pipe = (uint8_t) pipe,
                                .kind = LANE_STATE,
                                .is_cut = true };
        if (item.start <= end) {
            lanes->counts.cut++;
            lanes->counts.items++;
            is_good = lanes->take(lanes->context, &item);
        }
    }
    lanes->busy = 0;
    return is_good;
}

static void note_open(Lanes *lanes)
{
    for (uint32_t pipe = 0; lanes->open != NULL && pipe < BIU_PIPES; pipe++) {
        for (uint32_t id = 0; id < LANE_IDS; id++) {
            if (lanes->open[pipe][id] != NOT_OPEN) {
                note_unpaired(lanes, id);
                lanes->open[pipe][id] = NOT_OPEN;
            }
        }
    }
}

bool LanesEnd(Lanes *lanes)
{
    bool is_good;

    lanes->has_end = EndMarksComplete(&lanes->end);
    is_good = lanes->has_end ? remove_end(lanes) : release(lanes);
    lanes->end.next = 0;
    note_open(lanes);
    return close_states(lanes, lanes->has_end ? lanes->end_time : lanes->last) && is_good;
}

void LanesFinish(Lanes *lanes)
{
    free(lanes->open);
    free(lanes->pending);
    lanes->open = NULL;
    lanes->pending = NULL;
}
