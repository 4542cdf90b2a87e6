/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds on differences of clocks, and shortest paths through them. */
#include "align.h"

#include <opprof/grow.h>
#include <stdlib.h>

#include <math.h>

bool AlignAdd(Align *align, const Notice *notice)
{
    if (!OpprofGrow(&align->notices, &align->capacity, align->count + 1, sizeof *align->notices)) {
        return false;
    }
    align->notices[align->count++] = *notice;
    return true;
}

/* Notices of one kind beside each other, then sends before waits, then by time. */
static int compare_notices(const void *a, const void *b)
{
    const Notice *left = a;
    const Notice *right = b;

    if (left->from != right->from) {
        return left->from < right->from ? -1 : 1;
    }
    if (left->to != right->to) {
        return left->to < right->to ? -1 : 1;
    }
    if (left->notify != right->notify) {
        return left->notify < right->notify ? -1 : 1;
    }
    if (left->is_wait != right->is_wait) {
        return left->is_wait ? 1 : -1;
    }
    return (left->time > right->time) - (left->time < right->time);
}

static bool is_same_kind(const Notice *a, const Notice *b)
{
    return a->from == b->from && a->to == b->to && a->notify == b->notify;
}

/* bounds[i * cards + j]: offset of j less offset of i is at most that. */
static void use_pair(const Notice *send, const Notice *wait, uint32_t cards, double *bounds,
                     Alignment *list)
{
    /* send + offset(from) <= wait + offset(to) */
    double *bound = &bounds[(size_t) wait->card * cards + send->card];
    const double limit = (double) (wait->time - send->time);

    *bound = limit < *bound ? limit : *bound;
    list[send->card].notices++;
    list[wait->card].notices++;
}

/* One kind: the k-th send belongs to the k-th wait, unless some of either are missing. */
static void use_kind(Align *align, size_t first, size_t end, uint32_t cards, double *bounds,
                     Alignment *list)
{
    size_t sends = first;

    while (sends < end && !align->notices[sends].is_wait) {
        sends++;
    }
    const size_t send_count = sends - first;
    const size_t wait_count = end - sends;
    if (send_count != wait_count) {
        align->unmatched += send_count + wait_count;
        return;
    }
    for (size_t i = 0; i < send_count; i++) {
        const Notice *send = &align->notices[first + i];
        const Notice *wait = &align->notices[sends + i];
        if (send->card != wait->card) {
            use_pair(send, wait, cards, bounds, list);
        }
    }
}

static void use_notices(Align *align, uint32_t cards, double *bounds, Alignment *list)
{
    if (align->count > 0) {
        qsort(align->notices, align->count, sizeof *align->notices, compare_notices);
    }
    for (size_t first = 0, end; first < align->count; first = end) {
        end = first + 1;
        while (end < align->count && is_same_kind(&align->notices[first], &align->notices[end])) {
            end++;
        }
        use_kind(align, first, end, cards, bounds, list);
    }
}

/* Bounds along paths. */
static void close_bounds(uint32_t cards, double *bounds)
{
    for (uint32_t k = 0; k < cards; k++) {
        for (uint32_t i = 0; i < cards; i++) {
            for (uint32_t j = 0; j < cards; j++) {
                const double sum = bounds[(size_t) i * cards + k] + bounds[(size_t) k * cards + j];
                /* A path back to its start says nothing, unless notices contradict each other. */
                if (i != j && sum < bounds[(size_t) i * cards + j]) {
                    bounds[(size_t) i * cards + j] = sum;
                }
            }
        }
    }
}

static void choose(Alignment *alignment, double upper, double lower, int64_t start_difference)
{
    alignment->error_ns = -1;
    if (isinf(upper) && isinf(lower)) {
        alignment->how = ALIGN_STARTS;
        alignment->offset_ns = (double) start_difference;
    } else if (isinf(upper) || isinf(lower)) {
        /* A notice that was waited for arrived right away. */
        alignment->how = ALIGN_ONE_SIDED;
        alignment->offset_ns = isinf(upper) ? lower : upper;
    } else {
        alignment->how = lower <= upper ? ALIGN_NOTICES : ALIGN_CONFLICT;
        alignment->offset_ns = (lower + upper) / 2;
        alignment->error_ns = fabs(upper - lower) / 2;
    }
}

bool AlignSolve(Align *align, uint32_t cards, const int64_t *starts, Alignment *list)
{
    double *bounds = calloc((size_t) cards * cards, sizeof *bounds);

    if (bounds == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < cards; i++) {
        list[i] = (Alignment){ .how = ALIGN_REFERENCE };
        for (uint32_t j = 0; j < cards; j++) {
            bounds[(size_t) i * cards + j] = i == j ? 0 : INFINITY;
        }
    }
    align->unmatched = 0;
    use_notices(align, cards, bounds, list);
    close_bounds(cards, bounds);
    for (uint32_t i = 1; i < cards; i++) {
        choose(&list[i], bounds[i], -bounds[(size_t) i * cards], starts[0] - starts[i]);
    }
    free(bounds);
    return true;
}

const char *AlignHowName(AlignHow how)
{
    switch (how) {
    case ALIGN_REFERENCE:
        return "reference";
    case ALIGN_NOTICES:
        return "notices in both directions";
    case ALIGN_ONE_SIDED:
        return "notices in one direction";
    case ALIGN_STARTS:
        return "starts of the launches";
    case ALIGN_CONFLICT:
    default:
        return "notices that contradict each other";
    }
}

void AlignFinish(Align *align)
{
    free(align->notices);
    *align = (Align){ .count = 0 };
}
