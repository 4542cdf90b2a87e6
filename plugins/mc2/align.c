/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds on differences of clocks, and shortest paths through them. */
#include "align.h"

#include <opprof/grow.h>
#include <stdlib.h>

#include <math.h>
#include <string.h>

bool AlignAdd(Align *align, const Notice *notice)
{
    if (!OpprofGrow(&align->notices, &align->capacity, align->count + 1, sizeof *align->notices)) {
        return false;
    }
    align->notices[align->count++] = *notice;
    return true;
}

bool AlignAddBarrier(Align *align, const Barrier *barrier)
{
    if (!OpprofGrow(&align->barriers, &align->barrier_capacity, align->barrier_count + 1,
                    sizeof *align->barriers)) {
        return false;
    }
    align->barriers[align->barrier_count++] = *barrier;
    return true;
}

/* Groups notices by kind, then sends before waits, then by time. */
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

/*
 * An event at `before` on one card preceded one at `after` on another. bounds[i * cards + j]:
 * offset of j minus offset of i is at most that.
 */
static void bound(double *bounds, uint32_t cards, uint32_t first, int64_t before, uint32_t second,
                  int64_t after)
{
    /* before + offset(first) <= after + offset(second) */
    double *limit = &bounds[(size_t) second * cards + first];
    const double difference = (double) (after - before);

    *limit = difference < *limit ? difference : *limit;
}

static void use_pair(const Notice *send, const Notice *wait, uint32_t cards, double *bounds,
                     Alignment *list)
{
    bound(bounds, cards, send->card, send->time, wait->card, wait->time);
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

/* By number, then card. */
static int compare_barriers(const void *a, const void *b)
{
    const Barrier *left = a;
    const Barrier *right = b;

    if (left->number != right->number) {
        return left->number < right->number ? -1 : 1;
    }
    return (left->card > right->card) - (left->card < right->card);
}

/* One barrier; false: not every card passed it exactly once. */
static bool use_barrier(const Barrier *barrier, size_t count, uint32_t cards, double *bounds,
                        Alignment *list)
{
    bool is_whole = count == cards;

    for (uint32_t i = 0; i < cards && is_whole; i++) {
        is_whole = barrier[i].card == i && barrier[i].entered <= barrier[i].left;
    }
    for (uint32_t i = 0; i < cards && is_whole; i++) {
        for (uint32_t j = 0; j < cards; j++) {
            if (i != j) {
                bound(bounds, cards, i, barrier[i].entered, j, barrier[j].left);
            }
        }
        list[i].barriers++;
    }
    return is_whole;
}

static void use_barriers(Align *align, uint32_t cards, double *bounds, Alignment *list)
{
    if (align->barrier_count > 0) {
        qsort(align->barriers, align->barrier_count, sizeof *align->barriers, compare_barriers);
    }
    for (size_t first = 0, end; first < align->barrier_count; first = end) {
        end = first + 1;
        while (end < align->barrier_count &&
               align->barriers[end].number == align->barriers[first].number) {
            end++;
        }
        align->uneven += !use_barrier(&align->barriers[first], end - first, cards, bounds, list);
    }
}

/* Propagates bounds along paths. */
static void close_bounds(uint32_t cards, double *bounds)
{
    for (uint32_t k = 0; k < cards; k++) {
        for (uint32_t i = 0; i < cards; i++) {
            for (uint32_t j = 0; j < cards; j++) {
                const double sum = bounds[(size_t) i * cards + k] + bounds[(size_t) k * cards + j];
                /* A path back to its start means nothing, unless notices contradict each other. */
                if (i != j && sum < bounds[(size_t) i * cards + j]) {
                    bounds[(size_t) i * cards + j] = sum;
                }
            }
        }
    }
}

static bool is_contradiction(uint32_t cards, const double *bounds)
{
    for (uint32_t i = 0; i < cards; i++) {
        for (uint32_t j = 0; j < i; j++) {
            if (bounds[(size_t) i * cards + j] + bounds[(size_t) j * cards + i] < 0) {
                return true;
            }
        }
    }
    return false;
}

/* The interval that contains the offset. */
typedef struct Range {
    double lower;
    double upper;
} Range;

static Range range_of(const double *bounds, uint32_t cards, uint32_t card)
{
    return (Range){ .lower = -bounds[(size_t) card * cards], .upper = bounds[card] };
}

/* The evidence for a range bounded on both sides. */
static AlignHow reason_of(Range range, Range by_notices)
{
    if (range.lower > range.upper) {
        return ALIGN_CONFLICT;
    }
    if (range.lower == by_notices.lower && range.upper == by_notices.upper) {
        return ALIGN_NOTICES;
    }
    return isinf(by_notices.lower) && isinf(by_notices.upper) ? ALIGN_BARRIERS : ALIGN_BOTH;
}

static void choose(Alignment *alignment, Range range, Range by_notices, int64_t start_difference)
{
    alignment->error_ns = -1;
    if (isinf(range.upper) && isinf(range.lower)) {
        alignment->how = ALIGN_STARTS;
        alignment->offset_ns = (double) start_difference;
    } else if (isinf(range.upper) || isinf(range.lower)) {
        /* Assumes that a notice that was waited for arrived right away. */
        alignment->how = ALIGN_ONE_SIDED;
        alignment->offset_ns = isinf(range.upper) ? range.lower : range.upper;
    } else {
        alignment->how = reason_of(range, by_notices);
        alignment->offset_ns = (range.lower + range.upper) / 2;
        alignment->error_ns = fabs(range.upper - range.lower) / 2;
    }
}

/* Both halves of `bounds`: by notices, and by all evidence; if barriers contradict, the second
 * equals the first. */
static void find_bounds(Align *align, uint32_t cards, double *bounds, Alignment *list)
{
    const size_t count = (size_t) cards * cards;
    double *all = bounds + count;

    use_notices(align, cards, bounds, list);
    memcpy(all, bounds, count * sizeof *all);
    use_barriers(align, cards, all, list);
    close_bounds(cards, bounds);
    close_bounds(cards, all);
    align->is_contradiction = is_contradiction(cards, all) && !is_contradiction(cards, bounds);
    if (align->is_contradiction) {
        memcpy(all, bounds, count * sizeof *all);
        for (uint32_t i = 0; i < cards; i++) {
            list[i].barriers = 0;
        }
    }
}

bool AlignSolve(Align *align, uint32_t cards, const int64_t *starts, Alignment *list)
{
    const size_t count = (size_t) cards * cards;
    double *bounds = calloc(2 * count, sizeof *bounds);

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
    align->uneven = 0;
    find_bounds(align, cards, bounds, list);
    for (uint32_t i = 1; i < cards; i++) {
        choose(&list[i], range_of(bounds + count, cards, i), range_of(bounds, cards, i),
               starts[0] - starts[i]);
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
    case ALIGN_BARRIERS:
        return "collectives of all ranks";
    case ALIGN_BOTH:
        return "notices and collectives of all ranks";
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
    free(align->barriers);
    *align = (Align){ .count = 0 };
}
