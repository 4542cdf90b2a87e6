/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Holds instructions in flight and their texts. Tested by tests/plugins/collect-sim/test_tables.c.
 */
#include "slots.h"
#include "collect-sim/lines/charset.h"
#include <opprof/grow.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_SLACK 64u /* CharsetCopyWithoutBlanks writes after the end */
#define FIRST_TEXTS ((size_t) 64 << 10)

void SlotPoolInit(SlotPool *pool)
{
    *pool = (SlotPool){ .free = SLOT_NONE };
}

/*
 * Room for twice the live texts; at least 32 bytes a slot, so that walking all slots stays cheap
 * compared with the bytes copied between two packings.
 */
static size_t roomy_capacity(const SlotPool *pool, size_t needed)
{
    size_t capacity = pool->texts_capacity < FIRST_TEXTS ? FIRST_TEXTS : pool->texts_capacity;
    const size_t least = (size_t) pool->capacity * 32;

    while (capacity < (pool->texts_live + needed) * 2 || capacity < least) {
        capacity *= 2;
    }
    return capacity;
}

/* Moves the live texts into a new buffer. */
static bool pack(SlotPool *pool, size_t needed)
{
    const size_t capacity = roomy_capacity(pool, needed);
    char *texts = calloc(1, capacity); /* whole vectors are read, also beyond the end of a text */
    size_t used = 0;

    if (texts == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < pool->made; i++) {
        Slot *slot = &pool->slots[i];

        if (slot->length != SLOT_NONE && slot->length > 0) {
            memcpy(texts + used, pool->texts + slot->text, slot->length);
            slot->text = used;
            used += slot->length;
        }
    }
    free(pool->texts);
    pool->texts = texts;
    pool->texts_capacity = capacity;
    pool->texts_used = used;
    return true;
}

static bool reserve_text(SlotPool *pool, size_t length)
{
    const size_t needed = length + TEXT_SLACK;

    if (pool->texts_live == 0) {
        pool->texts_used = 0;
    }
    return needed <= pool->texts_capacity - pool->texts_used || pack(pool, needed);
}

static void write_text(SlotPool *pool, Slot *slot, const char *at, const char *end)
{
    char *from = pool->texts + pool->texts_used;
    char *after = CharsetCopyWithoutBlanks(from, at, end);

    slot->text = pool->texts_used;
    slot->length = (uint32_t) (after - from);
    pool->texts_used += slot->length;
    pool->texts_live += slot->length;
}

static bool grow_slots(SlotPool *pool)
{
    return pool->made < SLOT_NONE - 1 && OpprofGrow32(&pool->slots, &pool->capacity,
                                                      (size_t) pool->made + 1, sizeof *pool->slots);
}

static uint32_t take_slot(SlotPool *pool)
{
    uint32_t number = pool->free;

    if (number != SLOT_NONE) {
        pool->free = pool->slots[number].next;
    } else if (pool->made < pool->capacity || grow_slots(pool)) {
        number = pool->made++;
    } else {
        return SLOT_NONE;
    }
    pool->used++;
    if (pool->used > pool->peak) {
        pool->peak = pool->used;
    }
    return number;
}

uint32_t SlotPoolTake(SlotPool *pool, const char *at, const char *end)
{
    uint32_t number;

    if (!reserve_text(pool, (size_t) (end - at))) {
        return SLOT_NONE;
    }
    number = take_slot(pool);
    if (number != SLOT_NONE) {
        write_text(pool, &pool->slots[number], at, end);
    }
    return number;
}

bool SlotPoolReplaceText(SlotPool *pool, uint32_t slot, const char *at, const char *end)
{
    pool->texts_live -= pool->slots[slot].length;
    pool->slots[slot].length = 0;
    if (!reserve_text(pool, (size_t) (end - at))) {
        return false;
    }
    write_text(pool, &pool->slots[slot], at, end);
    return true;
}

void SlotPoolGive(SlotPool *pool, uint32_t slot)
{
    pool->texts_live -= pool->slots[slot].length;
    pool->slots[slot].length = SLOT_NONE;
    pool->slots[slot].next = pool->free;
    pool->free = slot;
    pool->used--;
}

uint64_t SlotPoolEarliest(const SlotPool *pool)
{
    uint64_t earliest = UINT64_MAX;

    for (uint32_t i = 0; i < pool->made; i++) {
        const Slot *slot = &pool->slots[i];

        if (slot->length != SLOT_NONE && slot->start < earliest) {
            earliest = slot->start;
        }
    }
    return earliest;
}

void SlotPoolFinish(SlotPool *pool)
{
    free(pool->slots);
    free(pool->texts);
    SlotPoolInit(pool);
}
