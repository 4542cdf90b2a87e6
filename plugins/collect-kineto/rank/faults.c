/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds work and calls that cannot be as a trace has them: profilers lose buffers, write events
 * twice, and mix up clocks.
 * Tested by tests/plugins/collect-kineto/test_faults.sh.
 */
#include "collect-kineto/rank/faults.h"

#include "collect-kineto/rank/sort.h"
#include "collect-kineto/rank/workless.h"

#include <stdlib.h>

#define EARLY_NS 1000                            /* times of whole microseconds slip by as much */
#define EARLY_FAR_NS INT64_C(1000000000)         /* no two clocks of a machine are further apart */
#define LATE_FAR_NS (INT64_C(3600) * 1000000000) /* no work waits that long */

/* ---- work and its launch ---- */

static const LaunchCall *call_of(const RankTrace *trace, const WorkEvent *work)
{
    return (work->flags & WORK_IS_LINKED) == 0
               ? NULL
               : RankTraceLaunch(trace, (uint32_t) work->correlation);
}

/* How far the work begins after its call does. */
static int64_t delay_of(const WorkEvent *work, const LaunchCall *call)
{
    int64_t delay_ns;

    if (__builtin_sub_overflow(work->start_ns, call->start_ns, &delay_ns)) {
        return work->start_ns < call->start_ns ? INT64_MIN : INT64_MAX;
    }
    return delay_ns;
}

static bool is_far(int64_t delay_ns)
{
    return delay_ns < -EARLY_FAR_NS || delay_ns > LATE_FAR_NS;
}

static void find_early(const RankTrace *trace, LinkedTrace *linked)
{
    Faults *faults = &linked->faults;

    for (uint32_t i = 0; i < linked->work_count; i++) {
        const WorkEvent *work = RankTraceWork(trace, linked->work[i]);
        const LaunchCall *call = call_of(trace, work);

        if (call == NULL) {
            continue;
        }
        faults->linked++;
        if (is_far(delay_of(work, call))) {
            FaultAdd(&faults->far, work->name, work->start_ns);
        } else if (delay_of(work, call) < -EARLY_NS) {
            FaultAdd(&faults->early, work->name, work->start_ns);
        }
    }
}

/* Leaves out work with times of another clock, unless most of it has such times. */
static void drop_far(const RankTrace *trace, LinkedTrace *linked)
{
    uint32_t kept = 0;

    if (linked->faults.far.count * 2 > linked->faults.linked) {
        linked->faults.early = linked->faults.far;
        linked->faults.far = (Fault){ .count = 0 };
    }
    if (linked->faults.far.count == 0) {
        return;
    }
    for (uint32_t i = 0; i < linked->work_count; i++) {
        const WorkEvent *work = RankTraceWork(trace, linked->work[i]);
        const LaunchCall *call = call_of(trace, work);

        if (call == NULL || !is_far(delay_of(work, call))) {
            linked->work[kept++] = linked->work[i];
        }
    }
    linked->work_count = kept;
}

/* ---- work that is there twice ---- */

static int compare_work(const WorkEvent *a, const WorkEvent *b)
{
    const uint64_t left[] = { (uint64_t) a->start_ns, a->lane, a->duration_ns, a->name,
                              a->correlation,         a->flags };
    const uint64_t right[] = { (uint64_t) b->start_ns, b->lane, b->duration_ns, b->name,
                               b->correlation,         b->flags };

    for (size_t i = 0; i < sizeof left / sizeof left[0]; i++) {
        if (left[i] != right[i]) {
            return left[i] < right[i] ? -1 : 1;
        }
    }
    return 0;
}

static bool is_before(const void *context, uint32_t a, uint32_t b)
{
    const int order = compare_work(RankTraceWork(context, a), RankTraceWork(context, b));

    return order != 0 ? order < 0 : a < b;
}

/* Whether another piece of work with the same facts is the same one: short ones may begin together,
 * and so may those of unknown streams. */
static bool is_certain(const RankTrace *trace, const WorkEvent *work)
{
    return work->duration_ns > 0 && (LaneAt(&trace->lanes, work->lane)->stream >= 0 ||
                                     (work->flags & (WORK_HAS_CORRELATION | WORK_IS_LINKED)) != 0);
}

/* Keeps the first of equal ones among sorted numbers, and restores their order in the file. */
static uint32_t drop_equal(const RankTrace *trace, LinkedTrace *linked, uint32_t *numbers,
                           uint32_t count)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < count; i++) {
        const WorkEvent *work = RankTraceWork(trace, numbers[i]);

        if (kept > 0 && is_certain(trace, work) &&
            compare_work(RankTraceWork(trace, numbers[kept - 1]), work) == 0) {
            FaultAdd(&linked->faults.twice, work->name, work->start_ns);
        } else {
            numbers[kept++] = numbers[i];
        }
    }
    return kept;
}

static bool by_number(const void *context, uint32_t a, uint32_t b)
{
    (void) context;
    return a < b;
}

/* Work that begins at one time, from `from` up to `to`. Two pieces of a stream never do, unless the
 * file has one twice. */
static bool drop_twice_at(const RankTrace *trace, LinkedTrace *linked, uint32_t from, uint32_t to,
                          uint32_t *kept)
{
    uint32_t *numbers = linked->work + from;
    uint32_t count = to - from;

    if (count > 1) {
        if (!SortNumbers(numbers, count, is_before, trace)) {
            return false;
        }
        count = drop_equal(trace, linked, numbers, count);
        if (!SortNumbers(numbers, count, by_number, NULL)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        linked->work[(*kept)++] = numbers[i];
    }
    return true;
}

static bool drop_twice(const RankTrace *trace, LinkedTrace *linked)
{
    uint32_t kept = 0;
    uint32_t from = 0;

    while (from < linked->work_count) {
        const int64_t start_ns = RankTraceWork(trace, linked->work[from])->start_ns;
        uint32_t to = from + 1;

        while (to < linked->work_count &&
               RankTraceWork(trace, linked->work[to])->start_ns == start_ns) {
            to++;
        }
        if (!drop_twice_at(trace, linked, from, to, &kept)) {
            return false;
        }
        from = to;
    }
    linked->work_count = kept;
    return true;
}

/* ---- streams ---- */

/* Work of a stream runs one piece after the other. */
static bool find_crossing(const RankTrace *trace, LinkedTrace *linked)
{
    int64_t *ends = malloc(((size_t) trace->lanes.list.count + 1) * sizeof *ends);

    if (ends == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < trace->lanes.list.count; i++) {
        ends[i] = INT64_MIN;
    }
    for (uint32_t i = 0; i < linked->work_count; i++) {
        const WorkEvent *work = RankTraceWork(trace, linked->work[i]);
        const int64_t end_ns = work->start_ns + (int64_t) work->duration_ns;
        int64_t *latest = &ends[work->lane];

        if (LaneAt(&trace->lanes, work->lane)->is_queue && *latest != INT64_MIN &&
            *latest > work->start_ns && *latest - work->start_ns >= FAULTS_OVERLAP_NS) {
            FaultAdd(&linked->faults.crossing, work->name, work->start_ns);
        }
        *latest = end_ns > *latest ? end_ns : *latest;
    }
    free(ends);
    return true;
}

/* ---- the host ---- */

/* What distinguishes events of the host. Thread and start come first: most traces are nearly in
 * that order, which SortNumbers uses. */
typedef struct HostKey {
    uint64_t parts[5];
} HostKey;

typedef HostKey KeyOf(const Chunks *list, uint32_t i);

static HostKey call_key(const Chunks *list, uint32_t i)
{
    const LaunchCall *call = ChunksAt(list, i);

    return (HostKey){ { call->thread, (uint64_t) call->start_ns, call->duration_ns, call->name,
                        call->correlation } };
}

static HostKey host_key(const Chunks *list, uint32_t i)
{
    const HostEvent *host = ChunksAt(list, i);

    return (HostKey){ { host->thread, (uint64_t) host->start_ns, host->duration_ns, host->name,
                        host->kind } };
}

static HostKey step_key(const Chunks *list, uint32_t i)
{
    const StepEvent *step = ChunksAt(list, i);

    return (
        HostKey){ { step->source, (uint64_t) step->start_ns, step->duration_ns, step->name, 0 } };
}

/* A list of the host's events, as context of a sort. */
typedef struct HostList {
    const Chunks *list;
    KeyOf *key_of;
} HostList;

static bool host_is_before(const void *context, uint32_t a, uint32_t b)
{
    const HostList *host = context;
    const HostKey left = host->key_of(host->list, a);
    const HostKey right = host->key_of(host->list, b);

    for (size_t i = 0; i < sizeof left.parts / sizeof left.parts[0]; i++) {
        if (left.parts[i] != right.parts[i]) {
            return left.parts[i] < right.parts[i];
        }
    }
    return false;
}

/* Whether equal events of the host are one that the file has twice: times of whole microseconds are
 * equal by chance, as for an operator that calls itself. */
static bool is_exact(const HostKey *key, bool has_correlation)
{
    const uint64_t duration_ns = key->parts[2] & ~LAUNCH_ENQUEUES;

    return duration_ns > 0 &&
           (has_correlation || key->parts[1] % 1000 != 0 || duration_ns % 1000 != 0);
}

static bool find_host_twice(const Chunks *list, KeyOf *key_of, Fault *fault)
{
    const HostList host = { .list = list, .key_of = key_of };
    uint32_t *order = reallocarray(NULL, (size_t) list->count + 1, sizeof *order);
    bool is_good = order != NULL;

    for (uint32_t i = 0; is_good && i < list->count; i++) {
        order[i] = i;
    }
    is_good = is_good && SortNumbers(order, list->count, host_is_before, &host);
    for (uint32_t i = 1; is_good && i < list->count; i++) {
        const HostKey key = key_of(list, order[i]);
        const bool has_correlation = key_of == call_key && key.parts[4] != CALL_WITHOUT_CORRELATION;

        if (!host_is_before(&host, order[i - 1], order[i]) && is_exact(&key, has_correlation)) {
            FaultAdd(fault, (uint32_t) key.parts[3], (int64_t) key.parts[1]);
        }
    }
    free(order);
    return is_good;
}

bool FaultsFind(const RankTrace *trace, LinkedTrace *linked)
{
    Fault *host = &linked->faults.host_twice;

    if (!drop_twice(trace, linked)) {
        return false;
    }
    find_early(trace, linked);
    drop_far(trace, linked);
    return find_crossing(trace, linked) && WorklessFind(trace, linked) &&
           find_host_twice(&trace->launches, call_key, host) &&
           find_host_twice(&trace->calls, call_key, host) &&
           find_host_twice(&trace->host, host_key, host) &&
           find_host_twice(&trace->steps, step_key, host);
}
