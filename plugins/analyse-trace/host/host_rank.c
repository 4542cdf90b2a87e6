/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sweeps over what the host of a rank did and what its devices did, by start.
 * Tested by tests/plugins/analyse-trace/test_host.
 */
#include "analyse-trace/host/host_rank.h"

#include <opprof/grow.h>

#include <stdlib.h>

/* Something open on a thread. */
typedef struct OpenItem {
    uint64_t end;
    uint32_t activity;
    uint32_t around_operator; /* for what begins inside */
    uint32_t around_annotation;
    uint32_t inner_operator;
} OpenItem;

/* A part of the idle time of a device since it has nothing to do, as a thread sees it. */
typedef struct Share {
    uint32_t activity;
    uint64_t ticks;
} Share;

/* What a thread did since a device has nothing to do. */
typedef struct Shares {
    uint64_t stretch; /* of the device */
    Share *list;      /* the first is what it did when that began */
    uint32_t count;
    uint32_t capacity;
    uint32_t latest; /* place of the last one that grew */
} Shares;

struct HostThread {
    OpenItem *open;
    uint32_t depth;
    uint32_t capacity;
    uint64_t now; /* accounted until here */
    OpenedAnnotations annotations;
    Shares *shares; /* by number of the device */
    uint32_t share_count;
    uint32_t share_capacity;
};

/* ---- activities ---- */

/* Number of an activity. False without memory. */
static bool find_activity(HostRank *rank, const HostActivity *wanted, uint32_t *ret_number)
{
    const uint64_t around = (uint64_t) wanted->around_operator << 32 | wanted->around_annotation;
    HostActivity *activity;

    if (ItemMapGet(&rank->scopes, around, 1) == NULL ||
        ItemMapGet(&rank->places, (uint64_t) rank->scopes.latest << 32 | wanted->inner_operator,
                   1) == NULL) {
        return false;
    }
    activity = ItemMapGet(&rank->activities,
                          ((uint64_t) rank->places.latest * HOST_KINDS + wanted->kind) << 32 |
                              wanted->name,
                          sizeof *activity);
    if (activity == NULL) {
        return false;
    }
    activity->name = wanted->name;
    activity->kind = wanted->kind;
    activity->around_operator = wanted->around_operator;
    activity->around_annotation = wanted->around_annotation;
    activity->inner_operator = wanted->inner_operator;
    *ret_number = rank->activities.latest;
    return true;
}

/* ---- threads ---- */

static bool find_thread(HostRank *rank, uint32_t number, HostThread **ret_thread)
{
    *ret_thread = ItemMapGet(&rank->threads, number, sizeof **ret_thread);
    return *ret_thread != NULL;
}

/* The shares of a device's current stretch. NULL without memory. */
static Shares *shares_of(const HostRank *rank, HostThread *thread, uint32_t device)
{
    const HostDevice *owner = ItemMapAt(&rank->devices, device);
    Shares *shares;

    while (thread->share_count <= device) {
        if (!OpprofGrow32(&thread->shares, &thread->share_capacity,
                          (size_t) thread->share_count + 1, sizeof *thread->shares)) {
            return NULL;
        }
        thread->shares[thread->share_count++] = (Shares){ .list = NULL };
    }
    shares = &thread->shares[device];
    if (shares->stretch != owner->stretches) {
        shares->stretch = owner->stretches;
        shares->count = 0;
    }
    return shares;
}

static bool add_share(Shares *shares, uint32_t activity, uint64_t ticks)
{
    if (shares->count == 0 || shares->list[shares->latest].activity != activity) {
        shares->latest = 0;
        while (shares->latest < shares->count &&
               shares->list[shares->latest].activity != activity) {
            shares->latest++;
        }
    }
    if (shares->latest == shares->count) {
        if (!OpprofGrow32(&shares->list, &shares->capacity, (size_t) shares->count + 1,
                          sizeof *shares->list)) {
            shares->latest = 0;
            return false;
        }
        shares->list[shares->count++] = (Share){ .activity = activity };
    }
    shares->list[shares->latest].ticks += ticks;
    return true;
}

/* A thread did something from its latest moment to another one. */
static bool account(HostRank *rank, HostThread *thread, uint64_t to, uint32_t activity)
{
    const uint64_t from = thread->now;

    if (to <= from) {
        return true;
    }
    thread->now = to;
    for (uint32_t i = 0; i < rank->devices.count; i++) {
        const HostDevice *device = ItemMapAt(&rank->devices, i);
        const uint64_t idle_from = device->busy_until > from ? device->busy_until : from;
        Shares *shares;

        if (!device->has_any || idle_from >= to) {
            continue;
        }
        shares = shares_of(rank, thread, i);
        if (shares == NULL || !add_share(shares, activity, to - idle_from)) {
            return false;
        }
    }
    return true;
}

/* What is around a thread's next item. */
static HostActivity around(const HostThread *thread)
{
    const OpenItem *last = thread->depth == 0 ? NULL : &thread->open[thread->depth - 1];

    return (HostActivity){
        .kind = HOST_OUTSIDE,
        .name = OPPROF_NA_STRING,
        .around_operator = last == NULL ? OPPROF_NA_STRING : last->around_operator,
        .around_annotation = last == NULL ? OPPROF_NA_STRING : last->around_annotation,
        .inner_operator = last == NULL ? OPPROF_NA_STRING : last->inner_operator
    };
}

/* Account for a thread until a moment. */
static bool advance(HostRank *rank, HostThread *thread, uint64_t to)
{
    const HostActivity outside = { .kind = HOST_OUTSIDE };
    uint32_t number;

    while (thread->depth > 0 && thread->open[thread->depth - 1].end <= to) {
        const OpenItem *last = &thread->open[thread->depth - 1];

        if (!account(rank, thread, last->end, last->activity)) {
            return false;
        }
        thread->depth--;
    }
    if (thread->depth > 0) {
        return account(rank, thread, to, thread->open[thread->depth - 1].activity);
    }
    return find_activity(rank, &outside, &number) && account(rank, thread, to, number);
}

/*
 * What began earlier on the thread is over if something begins that lies mostly behind its end:
 * times are rounded, so that neighbours may overlap.
 */
static void end_neighbours(HostThread *thread, uint64_t start, uint64_t end)
{
    while (thread->depth > 0) {
        const uint64_t other_end = thread->open[thread->depth - 1].end;

        if (end <= other_end || end - other_end <= other_end - start) {
            return;
        }
        thread->depth--;
    }
}

bool HostRankBegin(HostRank *rank, const OpprofPathEvent *event, HostKind kind, bool is_followed)
{
    const uint64_t end = event->start + event->duration;
    HostActivity wanted;
    HostActivity *activity;
    HostThread *thread;
    OpenItem item = { .end = end };

    if (!find_thread(rank, event->thread, &thread) || !advance(rank, thread, event->start) ||
        ((is_followed || kind == HOST_ANNOTATION) &&
         !OpenedAnnotationsBegin(&thread->annotations, event->name, event->start, end))) {
        return false;
    }
    end_neighbours(thread, event->start, end);
    wanted = around(thread);
    if (kind == HOST_FRAME && (wanted.around_operator != OPPROF_NA_STRING ||
                               wanted.around_annotation != OPPROF_NA_STRING)) {
        return true; /* what is around it says more */
    }
    wanted.name = event->name;
    wanted.kind = kind;
    if (!find_activity(rank, &wanted, &item.activity) ||
        !OpprofGrow32(&thread->open, &thread->capacity, (size_t) thread->depth + 1,
                      sizeof *thread->open)) {
        return false;
    }
    activity = HostRankActivity(rank, item.activity);
    activity->count++;
    activity->total += event->duration;
    activity->longest = event->duration > activity->longest ? event->duration : activity->longest;
    item.around_operator = wanted.around_operator == OPPROF_NA_STRING && kind == HOST_OPERATOR
                               ? event->name
                               : wanted.around_operator;
    item.around_annotation = kind == HOST_ANNOTATION ? event->name : wanted.around_annotation;
    item.inner_operator = kind == HOST_OPERATOR ? event->name : wanted.inner_operator;
    if (thread->depth > 0 && thread->open[thread->depth - 1].end < end) {
        item.end = thread->open[thread->depth - 1].end; /* inside of what is around it */
    }
    thread->open[thread->depth++] = item;
    return true;
}

/* ---- iterations ---- */

bool HostRankStep(HostRank *rank, const OpprofPathEvent *event)
{
    if (!OpprofGrow32(&rank->steps, &rank->step_capacity, (size_t) rank->step_count + 1,
                      sizeof *rank->steps)) {
        return false;
    }
    rank->steps[rank->step_count++] = (HostStep){ .name = event->name,
                                                  .start = event->start,
                                                  .end = event->start + event->duration };
    return true;
}

/* The iteration is over: what has most of its idle time. */
static void close_step(HostRank *rank)
{
    HostStep *step = rank->step < rank->step_count ? &rank->steps[rank->step] : NULL;

    for (uint32_t i = 0; step != NULL && i < rank->step_idle.count; i++) {
        const uint64_t ticks = *(const uint64_t *) ItemMapAt(&rank->step_idle, i);

        step->idle += ticks;
        if (ticks > step->most_ticks) {
            step->most_ticks = ticks;
            step->most = (uint32_t) rank->step_idle.keys[i];
        }
    }
    ItemMapFree(&rank->step_idle);
}

/* Idle time begins: it belongs to the iteration that is open then, or to the one before, after
 * which it began. */
static void find_step(HostRank *rank, uint64_t from)
{
    while (rank->step + 1 < rank->step_count && rank->steps[rank->step + 1].start <= from) {
        close_step(rank);
        rank->step++;
    }
}

/* ---- idle time ---- */

/* A part of a stretch of idle time. */
typedef struct Part {
    uint32_t activity;
    uint64_t ticks;
    uint64_t start; /* of the stretch */
} Part;

static bool add_idle(HostRank *rank, HostDevice *device, Part part)
{
    HostIdle *idle = ItemMapGet(&device->idle, part.activity, sizeof *idle);
    const bool has_step =
        rank->step < rank->step_count && rank->steps[rank->step].start <= part.start;
    uint64_t *in_step =
        has_step ? ItemMapGet(&rank->step_idle, part.activity, sizeof *in_step) : NULL;

    if (idle == NULL || (has_step && in_step == NULL)) {
        return false;
    }
    idle->activity = part.activity;
    idle->ticks += part.ticks;
    idle->count++;
    if (part.ticks > idle->longest) {
        idle->longest = part.ticks;
        idle->longest_start = part.start;
        idle->step = has_step ? rank->steps[rank->step].name : OPPROF_NA_STRING;
    }
    if (in_step != NULL) {
        *in_step += part.ticks;
    }
    return true;
}

/* The host is not the cause of a stretch, or it is unknown who is. */
static bool add_whole(HostRank *rank, HostDevice *device, const OpprofPathEvent *work,
                      HostKind kind)
{
    const HostActivity wanted = { .kind = kind };
    Part part = { .ticks = work->start - device->busy_until, .start = device->busy_until };

    return find_activity(rank, &wanted, &part.activity) && add_idle(rank, device, part);
}

/* The thread that launched the work did this from the end of the work before. */
static bool add_shares(HostRank *rank, uint32_t number, const OpprofPathEvent *work)
{
    HostDevice *device = ItemMapAt(&rank->devices, number);
    HostThread *thread;
    const Shares *shares;

    if (!find_thread(rank, work->thread, &thread) || !advance(rank, thread, work->start)) {
        return false;
    }
    shares = shares_of(rank, thread, number);
    if (shares == NULL) {
        return false;
    }
    if (shares->count > 0) {
        HostRankActivity(rank, shares->list[0].activity)->after += work->start - device->busy_until;
    }
    for (uint32_t i = 0; i < shares->count; i++) {
        if (!add_idle(rank, device,
                      (Part){ .activity = shares->list[i].activity,
                              .ticks = shares->list[i].ticks,
                              .start = device->busy_until })) {
            return false;
        }
    }
    return true;
}

static bool end_stretch(HostRank *rank, uint32_t number, const OpprofPathEvent *work)
{
    HostDevice *device = ItemMapAt(&rank->devices, number);
    bool is_good;

    find_step(rank, device->busy_until);
    if (work->thread == OPPROF_NA_U32 || work->launched == OPPROF_NA_U64) {
        is_good = add_whole(rank, device, work, HOST_UNKNOWN);
    } else if (work->launched <= device->busy_until) {
        is_good = add_whole(rank, device, work, HOST_LAUNCHED);
    } else {
        is_good = add_shares(rank, number, work);
    }
    device->stretches++;
    return is_good;
}

/* Number of the iteration in which a moment lies; UINT32_MAX: none. */
static uint32_t step_at(const void *context, uint64_t time)
{
    const HostRank *rank = context;
    uint32_t low = 0;
    uint32_t high = rank->step_count;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (rank->steps[middle].start <= time) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low == 0 || rank->steps[low - 1].end <= time ? UINT32_MAX : low - 1;
}

/* Count work where it was launched. */
static void add_launched(HostRank *rank, const OpprofPathEvent *event, HostWork work)
{
    const uint32_t number = step_at(rank, event->launched);
    HostStep *step = number == UINT32_MAX ? NULL : &rank->steps[number];
    const HostThread *thread =
        event->thread == OPPROF_NA_U32 ? NULL : ItemMapFind(&rank->threads, event->thread);

    if (thread != NULL) {
        OpenedAnnotationsWork(&thread->annotations, event->launched, event->duration);
    }
    if (step != NULL) {
        step->kernels++;
    }
    if (step != NULL && work < HOST_OTHER_WORK) {
        step->work[work] += event->duration;
    }
}

bool HostRankWork(HostRank *rank, const OpprofPathEvent *event, uint32_t device_name, HostWork work)
{
    const uint64_t end = event->start + event->duration;
    HostDevice *device = ItemMapGet(&rank->devices, device_name, sizeof *device);

    if (device == NULL) {
        return false;
    }
    if (event->launched != OPPROF_NA_U64) {
        add_launched(rank, event, work);
    }
    if (device->has_any && event->start > device->busy_until &&
        !end_stretch(rank, rank->devices.latest, event)) {
        return false;
    }
    device->name = device_name;
    device->busy_until = !device->has_any || end > device->busy_until ? end : device->busy_until;
    device->has_any = true;
    return true;
}

void HostRankEnd(HostRank *rank)
{
    close_step(rank);
}

bool HostRankAnnotations(const HostRank *rank, ItemMap *sums)
{
    for (uint32_t i = 0; i < rank->threads.count; i++) {
        const HostThread *thread = ItemMapAt(&rank->threads, i);

        if (!OpenedAnnotationsSum(&thread->annotations, step_at, rank, sums)) {
            return false;
        }
    }
    return true;
}

void HostRankFinish(HostRank *rank)
{
    for (uint32_t i = 0; i < rank->threads.count; i++) {
        HostThread *thread = ItemMapAt(&rank->threads, i);

        for (uint32_t device = 0; device < thread->share_count; device++) {
            free(thread->shares[device].list);
        }
        free(thread->shares);
        OpenedAnnotationsFinish(&thread->annotations);
        free(thread->open);
    }
    for (uint32_t i = 0; i < rank->devices.count; i++) {
        ItemMapFree(&((HostDevice *) ItemMapAt(&rank->devices, i))->idle);
    }
    ItemMapFree(&rank->scopes);
    ItemMapFree(&rank->places);
    ItemMapFree(&rank->activities);
    ItemMapFree(&rank->threads);
    ItemMapFree(&rank->devices);
    ItemMapFree(&rank->step_idle);
    free(rank->steps);
}
