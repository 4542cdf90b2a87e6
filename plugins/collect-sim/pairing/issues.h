/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_PAIRING_ISSUES_H
#define COLLECT_SIM_PAIRING_ISSUES_H

/*
 * Sorts issued instructions into issue order: by start, then by place in the popped log. Those that
 * come in order wait in a row, others in a heap, so both sorted and unsorted logs are fast.
 */

#include "slots.h"
#include <opprof/error.h>
#include <opprof/map.h>

typedef struct HeldIssue {
    uint64_t start;
    uint64_t sequence;
    uint32_t slot;
    uint32_t reserved;
} HeldIssue;

typedef struct IssueQueue {
    SlotPool pool;
    HeldIssue *row; /* in order, from row_first on */
    size_t row_first;
    size_t row_count;
    size_t row_capacity;
    HeldIssue *heap; /* smallest first */
    size_t heap_count;
    size_t heap_capacity;
    OpprofMap dropped; /* sequences whose place another record has taken */
} IssueQueue;

/* Receiver of the instructions. The slot is valid during the call. */
typedef OpprofStatus IssueSink(void *context, const SlotPool *pool, const Slot *slot,
                               OpprofError **error);

void IssueQueueInit(IssueQueue *queue);
/* Hold a copy of a slot and of its text; false without memory. */
bool IssueQueueAdd(IssueQueue *queue, const Slot *slot, const char *text);
/* A held record does not count; false without memory. */
bool IssueQueueDrop(IssueQueue *queue, uint64_t sequence);
size_t IssueQueueCount(const IssueQueue *queue);
/* Emit what starts before `floor`, and the rest beyond `most` records as well. */
OpprofStatus IssueQueueEmit(IssueQueue *queue, uint64_t floor, size_t most, IssueSink *sink,
                            void *context, OpprofError **error);
void IssueQueueFinish(IssueQueue *queue);

#endif
