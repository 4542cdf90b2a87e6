/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_PAIRING_SLOTS_H
#define COLLECT_SIM_PAIRING_SLOTS_H

/*
 * Instructions in flight: those of the popped log that wait for their end, and rows that wait for
 * their turn. Their operands lie in one buffer, which is packed when more than half of it is
 * unused.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SLOT_NONE UINT32_MAX

typedef struct Slot {
    uint64_t pc;
    uint64_t id; /* OPPROF_NA_U64: none */
    uint64_t start;
    uint64_t sequence;
    size_t text;     /* operands without blanks, in SlotPool.texts */
    uint32_t length; /* SLOT_NONE: the slot is free */
    uint32_t name;
    uint32_t pipe;
    uint32_t next;         /* in its queue, or in the list of free slots */
    uint32_t cache_cycles; /* before the start, as in OpprofSimInstruction */
    uint32_t ccu_cycles;
    int32_t threads; /* active SIMT threads; -1: unknown */
    int16_t warp;
    int16_t scheduler;
} Slot;

typedef struct SlotPool {
    Slot *slots;
    uint32_t made; /* slots used so far */
    uint32_t capacity;
    uint32_t free; /* first free slot, SLOT_NONE: none */
    uint32_t used; /* slots in use */
    uint32_t peak; /* maximum so far */
    char *texts;
    size_t texts_used;
    size_t texts_capacity;
    size_t texts_live;
} SlotPool;

void SlotPoolInit(SlotPool *pool);

/*
 * Take a slot and fill its text with [at, end) without blanks. The other members are the caller's
 * to set. SLOT_NONE without memory.
 */
uint32_t SlotPoolTake(SlotPool *pool, const char *at, const char *end);
/* Replace the text of a slot in use; false without memory. */
bool SlotPoolReplaceText(SlotPool *pool, uint32_t slot, const char *at, const char *end);
void SlotPoolGive(SlotPool *pool, uint32_t slot);
/* The earliest start of all slots in use; UINT64_MAX if none. */
uint64_t SlotPoolEarliest(const SlotPool *pool);
void SlotPoolFinish(SlotPool *pool);

#endif
