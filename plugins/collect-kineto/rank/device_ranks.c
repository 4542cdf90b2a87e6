/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds devices of one file that are ranks: a process with several devices, as JAX has them, or a
 * database of all processes of a host.
 * Tested by tests/plugins/collect-kineto/test_merged.sh.
 */
#include "collect-kineto/rank/device_ranks.h"

#include <opprof/grow.h>
#include <opprof/intern.h>
#include <stdlib.h>

#define SEED UINT64_C(0x589965cc75374cc3) /* any odd number */

/* Collectives of a name on a device. */
typedef struct NameCount {
    int64_t device;
    uint32_t name;
    uint32_t count;
} NameCount;

typedef struct NameCounts {
    NameCount *list;
    size_t count;
    size_t capacity;
    OpprofMap places;
} NameCounts;

static bool add(NameCounts *counts, int64_t device, uint32_t name)
{
    const int64_t parts[] = { device, name };
    const uint64_t key = OpprofInternHash(SEED, parts, sizeof parts);
    uint32_t place = OpprofMapFind(&counts->places, key);

    if (place == OPPROF_MAP_NONE) {
        place = (uint32_t) counts->count;
        if (!OpprofGrow(&counts->list, &counts->capacity, counts->count + 1,
                        sizeof *counts->list) ||
            !OpprofMapPut(&counts->places, key, place)) {
            return false;
        }
        counts->list[counts->count++] = (NameCount){ .device = device, .name = name };
    }
    counts->list[place].count++;
    return true;
}

static int compare_counts(const void *a, const void *b)
{
    const NameCount *left = a;
    const NameCount *right = b;

    if (left->device != right->device) {
        return left->device < right->device ? -1 : 1;
    }
    return left->name == right->name ? 0 : left->name < right->name ? -1 : 1;
}

/* Whether a device has the collectives of the first one, as often; one may be cut. */
static bool has_same(const NameCount *first, size_t first_count, const NameCount *other,
                     size_t other_count)
{
    for (size_t i = 0; i < first_count; i++) {
        const uint32_t least = first[i].count < other[i].count ? first[i].count : other[i].count;
        const uint32_t most = first[i].count > other[i].count ? first[i].count : other[i].count;

        if (first_count != other_count || first[i].name != other[i].name || most - least > 1) {
            return false;
        }
    }
    return first_count == other_count;
}

/* The counts of a device, from `from` on. */
static size_t count_of(const NameCounts *counts, size_t from)
{
    size_t to = from;

    while (to < counts->count && counts->list[to].device == counts->list[from].device) {
        to++;
    }
    return to - from;
}

static bool take_devices(const NameCounts *counts, DeviceRanks *ranks)
{
    const size_t first_count = counts->count == 0 ? 0 : count_of(counts, 0);

    ranks->devices = calloc(counts->count + 1, sizeof *ranks->devices);
    if (ranks->devices == NULL) {
        return false;
    }
    for (size_t from = 0; from < counts->count; from += count_of(counts, from)) {
        if (!has_same(counts->list, first_count, counts->list + from, count_of(counts, from))) {
            ranks->count = 0;
            return true;
        }
        ranks->devices[ranks->count++] = counts->list[from].device;
    }
    return true;
}

/* Whether each lane with work is of one of the devices, and these have numbers of their own. */
static bool has_all_work(const RankTrace *trace, const LinkedTrace *linked,
                         const DeviceRanks *ranks)
{
    for (uint32_t i = 0; i < linked->work_count; i++) {
        const Lane *lane = LaneAt(&trace->lanes, RankTraceWork(trace, linked->work[i])->lane);
        bool is_found = false;

        for (uint32_t d = 0; !is_found && d < ranks->count; d++) {
            is_found = ranks->devices[d] == lane->device;
        }
        if (!is_found || lane->is_apart) {
            return false;
        }
    }
    return true;
}

bool DeviceRanksFind(const RankTrace *trace, const LinkedTrace *linked, DeviceRanks *ret_ranks)
{
    NameCounts counts = { .list = NULL };
    bool is_good = true;

    *ret_ranks = (DeviceRanks){ .devices = NULL };
    for (uint32_t i = 0; is_good && i < linked->work_count; i++) {
        const WorkEvent *work = RankTraceWork(trace, linked->work[i]);

        if (work->work_class == WORK_COMMUNICATION) {
            is_good = add(&counts, LaneAt(&trace->lanes, work->lane)->device, work->name);
        }
    }
    if (is_good && counts.count > 0) {
        qsort(counts.list, counts.count, sizeof *counts.list, compare_counts);
        is_good = take_devices(&counts, ret_ranks);
    }
    if (ret_ranks->count < 2 || !has_all_work(trace, linked, ret_ranks)) {
        DeviceRanksFinish(ret_ranks);
    }
    OpprofMapFinish(&counts.places);
    free(counts.list);
    return is_good;
}

void DeviceRanksFinish(DeviceRanks *ranks)
{
    free(ranks->devices);
    *ranks = (DeviceRanks){ .devices = NULL };
}
