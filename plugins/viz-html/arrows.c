/* SPDX-License-Identifier: Apache-2.0 */
/* Matches tails of arrows with heads. Tested by tests/plugins/viz-html/test_arrows. */
#include "arrows.h"

#include "limits.h"

#include <opprof/grow.h>
#include <opprof/intern.h>

#include <stdlib.h>
#include <string.h>

uint64_t ArrowsKey(const char *document, const char *id, size_t length)
{
    return OpprofInternHash(OpprofInternHash(0, document, strlen(document)), id, length);
}

/* ---- the sample ---- */

static bool is_in_sample(const Arrows *self, uint64_t key)
{
    return (key & self->mask) == 0;
}

/* Halves the number of keys in the sample. */
static void thin_ends(Arrows *self)
{
    const uint32_t count = self->end_count;

    self->mask = self->mask << 1 | 1;
    self->end_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (is_in_sample(self, self->ends[i].key)) {
            self->ends[self->end_count++] = self->ends[i];
        } else {
            self->skipped[self->ends[i].is_head]++;
        }
    }
}

bool ArrowsAdd(Arrows *self, const ArrowEnd *end)
{
    while (self->end_count == PAGE_ARROW_ENDS && self->mask != UINT64_MAX) {
        thin_ends(self);
    }
    if (!is_in_sample(self, end->key) || self->end_count == PAGE_ARROW_ENDS) {
        self->skipped[end->is_head]++;
        return true;
    }
    if (!OpprofGrow32(&self->ends, &self->end_capacity, (size_t) self->end_count + 1,
                      sizeof *self->ends)) {
        return false;
    }
    self->ends[self->end_count++] = *end;
    return true;
}

/* ---- pairs ---- */

/* By key, tails before heads, then time. */
static int compare_ends(const void *one, const void *other)
{
    const ArrowEnd *a = one;
    const ArrowEnd *b = other;

    if (a->key != b->key) {
        return a->key < b->key ? -1 : 1;
    }
    if (a->is_head != b->is_head) {
        return a->is_head < b->is_head ? -1 : 1;
    }
    if (a->time != b->time) {
        return a->time < b->time ? -1 : 1;
    }
    return (a->lane > b->lane) - (a->lane < b->lane);
}

static int compare_arrows(const void *one, const void *other)
{
    const Arrow *a = one;
    const Arrow *b = other;

    if (a->from != b->from) {
        return a->from < b->from ? -1 : 1;
    }
    if (a->from_lane != b->from_lane) {
        return a->from_lane < b->from_lane ? -1 : 1;
    }
    if (a->to != b->to) {
        return a->to < b->to ? -1 : 1;
    }
    return (a->to_lane > b->to_lane) - (a->to_lane < b->to_lane);
}

/* Number of ends with the key of the one at `first`; *ret_tails of them are tails. */
static uint32_t count_ends(const Arrows *self, uint32_t first, uint32_t *ret_tails)
{
    uint32_t count = 0;

    *ret_tails = 0;
    while (first + count < self->end_count &&
           self->ends[first + count].key == self->ends[first].key) {
        *ret_tails += !self->ends[first + count].is_head;
        count++;
    }
    return count;
}

/* Counts the arrows of the sample; puts them on the list unless it is NULL. */
static uint32_t pair_ends(Arrows *self, uint32_t *ret_alone)
{
    uint32_t arrows = 0;
    uint32_t tails;

    for (uint32_t i = 0, count; i < self->end_count; i += count) {
        count = count_ends(self, i, &tails);
        for (uint32_t k = 0; k < tails && tails + k < count; k++, arrows++) {
            const ArrowEnd *tail = &self->ends[i + k];
            const ArrowEnd *head = &self->ends[i + tails + k];

            if (self->list != NULL) {
                self->list[arrows] = (Arrow){ .from = tail->time,
                                              .to = head->time,
                                              .from_lane = tail->lane,
                                              .to_lane = head->lane };
            }
        }
    }
    *ret_alone = self->end_count - 2 * arrows;
    return arrows;
}

bool ArrowsPair(Arrows *self)
{
    uint32_t alone;

    if (self->end_count > 0) {
        qsort(self->ends, self->end_count, sizeof *self->ends, compare_ends);
    }
    while (pair_ends(self, &alone) > PAGE_ARROWS && self->mask != UINT64_MAX) {
        thin_ends(self);
    }
    self->list = malloc((self->end_count / 2 + 1) * sizeof *self->list);
    if (self->list == NULL) {
        return false;
    }
    self->count = pair_ends(self, &alone);
    qsort(self->list, self->count, sizeof *self->list, compare_arrows);
    self->left_out = alone;
    self->total =
        self->count + (self->skipped[0] < self->skipped[1] ? self->skipped[0] : self->skipped[1]);
    return true;
}

void ArrowsFinish(Arrows *self)
{
    free(self->ends);
    free(self->list);
}
