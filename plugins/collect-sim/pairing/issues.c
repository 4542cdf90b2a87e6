/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts issued instructions by their start. Tested by tests/plugins/collect-sim/test_issues.c. */
#include "issues.h"
#include <opprof/grow.h>
#include <stdlib.h>
#include <string.h>

void IssueQueueInit(IssueQueue *queue)
{
    *queue = (IssueQueue){ .row = NULL };
    SlotPoolInit(&queue->pool);
}

void IssueQueueFinish(IssueQueue *queue)
{
    SlotPoolFinish(&queue->pool);
    OpprofMapFinish(&queue->dropped);
    free(queue->row);
    free(queue->heap);
    *queue = (IssueQueue){ .row = NULL };
}

size_t IssueQueueCount(const IssueQueue *queue)
{
    return queue->row_count - queue->row_first + queue->heap_count;
}

static bool is_before(const HeldIssue *a, const HeldIssue *b)
{
    return a->start != b->start ? a->start < b->start : a->sequence < b->sequence;
}

static bool add_to_row(IssueQueue *queue, const HeldIssue *held)
{
    if (queue->row_first == queue->row_count) {
        queue->row_first = queue->row_count = 0;
    }
    if (queue->row_count == queue->row_capacity && queue->row_first > queue->row_count / 2) {
        queue->row_count -= queue->row_first;
        memmove(queue->row, queue->row + queue->row_first, queue->row_count * sizeof *queue->row);
        queue->row_first = 0;
    }
    if (queue->row_count == queue->row_capacity &&
        !OpprofGrow(&queue->row, &queue->row_capacity, queue->row_count + 1, sizeof *queue->row)) {
        return false;
    }
    queue->row[queue->row_count++] = *held;
    return true;
}

static bool add_to_heap(IssueQueue *queue, const HeldIssue *held)
{
    size_t at = queue->heap_count;

    if (!OpprofGrow(&queue->heap, &queue->heap_capacity, at + 1, sizeof *queue->heap)) {
        return false;
    }
    queue->heap_count++;
    for (; at > 0 && is_before(held, &queue->heap[(at - 1) / 2]); at = (at - 1) / 2) {
        queue->heap[at] = queue->heap[(at - 1) / 2];
    }
    queue->heap[at] = *held;
    return true;
}

bool IssueQueueAdd(IssueQueue *queue, const Slot *slot, const char *text)
{
    HeldIssue held = { .start = slot->start, .sequence = slot->sequence };
    Slot *copy;
    uint32_t length;
    size_t place;

    held.slot = SlotPoolTake(&queue->pool, text, text + slot->length);
    if (held.slot == SLOT_NONE) {
        return false;
    }
    copy = &queue->pool.slots[held.slot];
    place = copy->text;
    length = copy->length;
    *copy = *slot;
    copy->text = place;
    copy->length = length;
    if (queue->row_first == queue->row_count ||
        is_before(&queue->row[queue->row_count - 1], &held)) {
        return add_to_row(queue, &held);
    }
    return add_to_heap(queue, &held);
}

bool IssueQueueDrop(IssueQueue *queue, uint64_t sequence)
{
    return OpprofMapPut(&queue->dropped, sequence, 1);
}

static void drop_from_heap(IssueQueue *queue)
{
    const HeldIssue last = queue->heap[--queue->heap_count];
    size_t at = 0;

    for (size_t child = 1; child < queue->heap_count; child = 2 * at + 1) {
        if (child + 1 < queue->heap_count &&
            is_before(&queue->heap[child + 1], &queue->heap[child])) {
            child++;
        }
        if (!is_before(&queue->heap[child], &last)) {
            break;
        }
        queue->heap[at] = queue->heap[child];
        at = child;
    }
    queue->heap[at] = last;
}

/* The smallest record; NULL: none is held. */
static const HeldIssue *smallest(const IssueQueue *queue)
{
    const HeldIssue *row =
        queue->row_first < queue->row_count ? &queue->row[queue->row_first] : NULL;

    if (queue->heap_count == 0) {
        return row;
    }
    return row != NULL && is_before(row, &queue->heap[0]) ? row : &queue->heap[0];
}

static bool was_dropped(IssueQueue *queue, uint64_t sequence)
{
    if (queue->dropped.count == 0 || OpprofMapFind(&queue->dropped, sequence) == OPPROF_MAP_NONE) {
        return false;
    }
    OpprofMapRemove(&queue->dropped, sequence);
    return true;
}

OpprofStatus IssueQueueEmit(IssueQueue *queue, uint64_t floor, size_t most, IssueSink *sink,
                            void *context, OpprofError **error)
{
    const HeldIssue *next;

    while ((next = smallest(queue)) != NULL &&
           (next->start < floor || IssueQueueCount(queue) > most)) {
        const uint32_t slot = next->slot;

        if (!was_dropped(queue, next->sequence)) {
            const OpprofStatus status =
                sink(context, &queue->pool, &queue->pool.slots[slot], error);

            if (status != OPPROF_OK) {
                return status;
            }
        }
        if (queue->heap_count > 0 && next == queue->heap) {
            drop_from_heap(queue);
        } else {
            queue->row_first++;
        }
        SlotPoolGive(&queue->pool, slot);
    }
    return OPPROF_OK;
}
