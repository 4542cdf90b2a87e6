/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_PAIRING_ORDER_H
#define COLLECT_SIM_PAIRING_ORDER_H

/*
 * Rows that wait for their turn, sorted by end, PC, start and place in the popped log. Logs are
 * nearly sorted, so sorting is almost free then, and takes n log n at worst.
 */

#include "slots.h"

typedef struct HeldRow {
    uint64_t end;
    uint32_t slot;
    uint32_t reserved;
} HeldRow;

typedef struct RowOrder {
    const SlotPool *pool;
    HeldRow *rows;
    HeldRow *spare; /* no smaller than rows need */
    size_t count;
    size_t capacity;
    size_t spare_capacity;
    size_t sorted; /* rows at the front that are in order */
} RowOrder;

/* Hold a row; false without memory. */
bool RowOrderAdd(RowOrder *order, uint64_t end, uint32_t slot);
/* Sort all held rows. */
void RowOrderSort(RowOrder *order);
/* Forget the first `count` rows. */
void RowOrderDrop(RowOrder *order, size_t count);
void RowOrderFinish(RowOrder *order);

#endif
