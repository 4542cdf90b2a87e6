/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the operator, annotation and module that each launching call is in, with a stack per
 * thread.
 * Tested by tests/plugins/collect-kineto/test_trace_reader.
 */
#include "host.h"

#include "sort.h"

#include <opprof/grow.h>

#include <stdlib.h>
#include <string.h>

/* A host event that is open. */
typedef struct OpenEvent {
    uint32_t number;
    uint32_t before; /* the last event of its name before it */
} OpenEvent;

/* The open events of a kind on a thread, the outermost first. */
typedef struct OpenKind {
    OpenEvent *list;
    uint32_t depth;
    uint32_t capacity;
} OpenKind;

/* A walk over a thread's events by time: each is opened once and closed once. */
typedef struct Nest {
    const RankTrace *trace;
    HostLinks *links;
    OpenKind open[HOST_KINDS];
    uint32_t (*last)[HOST_KINDS]; /* for each name: which of its open events ends last; HOST_NONE */
} Nest;

static int64_t end_of(const HostEvent *event)
{
    return event->start_ns + (int64_t) event->duration_ns;
}

/* Outer ones first: of those that begin together the longer one. */
static bool host_is_before(const void *context, uint32_t a, uint32_t b)
{
    const HostEvent *left = RankTraceHost(context, a);
    const HostEvent *right = RankTraceHost(context, b);

    if (left->thread != right->thread) {
        return left->thread < right->thread;
    }
    if (left->start_ns != right->start_ns) {
        return left->start_ns < right->start_ns;
    }
    return left->duration_ns > right->duration_ns;
}

static bool call_is_before(const void *context, uint32_t a, uint32_t b)
{
    const LaunchCall *left = RankTraceLaunch(context, a);
    const LaunchCall *right = RankTraceLaunch(context, b);

    return left->thread != right->thread ? left->thread < right->thread
                                         : left->start_ns < right->start_ns;
}

static bool has_ended(const Nest *nest, uint32_t number, int64_t ns)
{
    return end_of(RankTraceHost(nest->trace, number)) <= ns;
}

static uint32_t *last_of_name(const Nest *nest, const HostEvent *event)
{
    return &nest->last[event->name][event->kind];
}

static void close_last(Nest *nest, OpenKind *open)
{
    const OpenEvent *last = &open->list[--open->depth];

    *last_of_name(nest, RankTraceHost(nest->trace, last->number)) = last->before;
    nest->links->steps++;
}

/* The innermost of a kind that is open at that time. */
static uint32_t innermost(Nest *nest, HostKind kind, int64_t ns)
{
    OpenKind *open = &nest->open[kind];

    while (open->depth > 0 && has_ended(nest, open->list[open->depth - 1].number, ns)) {
        close_last(nest, open);
    }
    nest->links->steps++;
    return open->depth == 0 ? HOST_NONE : open->list[open->depth - 1].number;
}

static void leave_thread(Nest *nest)
{
    for (int kind = 0; kind < HOST_KINDS; kind++) {
        while (nest->open[kind].depth > 0) {
            close_last(nest, &nest->open[kind]);
        }
    }
}

/* Puts it on top. False without memory. */
static bool push(Nest *nest, uint32_t number)
{
    const HostEvent *event = RankTraceHost(nest->trace, number);
    OpenKind *open = &nest->open[event->kind];
    uint32_t *last = last_of_name(nest, event);

    if (!OpprofGrow32(&open->list, &open->capacity, (size_t) open->depth + 1, sizeof *open->list)) {
        return false;
    }
    open->list[open->depth++] = (OpenEvent){ .number = number, .before = *last };
    if (*last == HOST_NONE || has_ended(nest, *last, end_of(event))) {
        *last = number;
    }
    return true;
}

/* False without memory. */
static bool open_event(Nest *nest, uint32_t number)
{
    const HostEvent *event = RankTraceHost(nest->trace, number);
    HostSum *sum = &nest->links->sums[number];
    uint32_t around;

    sum->parent = innermost(nest, (HostKind) event->kind, event->start_ns);
    around = *last_of_name(nest, event);
    if (around != HOST_NONE && !has_ended(nest, around, event->start_ns)) {
        sum->work = HOST_IS_RECURSIVE;
    }
    if (sum->parent != HOST_NONE) {
        const int64_t parent_end = end_of(RankTraceHost(nest->trace, sum->parent));
        const int64_t end = end_of(event) < parent_end ? end_of(event) : parent_end;

        nest->links->sums[sum->parent].inside_ns += (uint64_t) (end - event->start_ns);
    }
    return push(nest, number);
}

/* Numbers of the calls that launched something, by thread, then by start; NULL without memory. */
static uint32_t *order_calls(const RankTrace *trace, const LinkedTrace *linked, uint32_t *ret_count)
{
    uint32_t *calls = reallocarray(NULL, (size_t) trace->launches.count + 1, sizeof *calls);
    uint32_t count = 0;

    for (uint32_t i = 0; calls != NULL && i < trace->launches.count; i++) {
        if (linked->calls[i].count > 0) {
            calls[count++] = i;
        }
    }
    *ret_count = count;
    if (calls != NULL && !SortNumbers(calls, count, call_is_before, trace)) {
        free(calls);
        return NULL;
    }
    return calls;
}

static bool order_host(const RankTrace *trace, HostLinks *links)
{
    links->count = trace->host.count;
    links->order = ChunksZeroed((size_t) links->count + 1, sizeof *links->order);
    links->sums = ChunksZeroed((size_t) links->count + 1, sizeof *links->sums);
    links->owners = reallocarray(NULL, (size_t) trace->launches.count + 1, sizeof *links->owners);
    if (links->order == NULL || links->sums == NULL || links->owners == NULL) {
        return false;
    }
    memset(links->owners, 0xff, ((size_t) trace->launches.count + 1) * sizeof *links->owners);
    for (uint32_t i = 0; i < links->count; i++) {
        links->order[i] = i;
    }
    return SortNumbers(links->order, links->count, host_is_before, trace);
}

/* Walk over host events and calls of all threads together. False without memory. */
static bool walk(Nest *nest, const uint32_t *calls, uint32_t call_count)
{
    uint32_t host = 0;
    uint32_t thread = 0;

    for (uint32_t i = 0; i < call_count; i++) {
        const LaunchCall *call = RankTraceLaunch(nest->trace, calls[i]);

        for (; host < nest->links->count; host++) {
            const HostEvent *event = RankTraceHost(nest->trace, nest->links->order[host]);

            if (event->thread > call->thread ||
                (event->thread == call->thread && event->start_ns > call->start_ns)) {
                break;
            }
            if (event->thread != thread) {
                leave_thread(nest);
            }
            thread = event->thread;
            if (!open_event(nest, nest->links->order[host])) {
                return false;
            }
        }
        if (call->thread != thread) {
            leave_thread(nest);
        }
        thread = call->thread;
        for (int kind = 0; kind < HOST_KINDS; kind++) {
            nest->links->owners[calls[i]][kind] = innermost(nest, (HostKind) kind, call->start_ns);
        }
    }
    for (; host < nest->links->count; host++) {
        const uint32_t number = nest->links->order[host];
        const HostEvent *event = RankTraceHost(nest->trace, number);

        if (event->thread != thread) {
            leave_thread(nest);
        }
        thread = event->thread;
        if (!open_event(nest, number)) {
            return false;
        }
    }
    return true;
}

/* The sums of a host event, added on first use. NULL without memory. */
static HostWork *need_work(HostLinks *links, uint32_t number)
{
    HostWork *work = HostWorkFind(links, number);

    if (work != NULL || links->works.count + 1 >= HOST_IS_RECURSIVE) {
        return work;
    }
    work = ChunksAppend(&links->works);
    if (work != NULL) {
        *work = (HostWork){ 0 };
        links->sums[number].work |= links->works.count;
    }
    return work;
}

/* Add the work of a call to the innermost of each kind; `is_first`: of the call. False without memory. */
static bool add_work(const RankTrace *trace, HostLinks *links, const WorkEvent *work, bool is_first)
{
    const LaunchCall *call = RankTraceLaunch(trace, (uint32_t) work->correlation);
    const int64_t call_end = call->start_ns + (int64_t) (call->duration_ns & ~LAUNCH_ENQUEUES);

    for (int kind = 0; kind < HOST_KINDS; kind++) {
        const uint32_t owner = links->owners[work->correlation][kind];

        if (owner == HOST_NONE) {
            continue;
        }
        HostWork *launched = need_work(links, owner);
        if (launched == NULL) {
            return false;
        }
        launched->device_ns += work->duration_ns;
        launched->kernels++;
        if (is_first) {
            launched->launches++;
            launched->delay_ns +=
                work->start_ns > call_end ? (uint64_t) (work->start_ns - call_end) : 0;
        }
    }
    return true;
}

static bool add_all_work(const RankTrace *trace, const LinkedTrace *linked, HostLinks *links)
{
    bool *seen = calloc((size_t) trace->launches.count + 1, sizeof *seen);
    bool is_good = seen != NULL;

    for (uint32_t i = 0; is_good && i < linked->work_count; i++) {
        const WorkEvent *work = RankTraceWork(trace, linked->work[i]);

        if ((work->flags & WORK_IS_LINKED) != 0) {
            is_good = add_work(trace, links, work, !seen[work->correlation]);
            seen[work->correlation] = true;
        }
    }
    free(seen);
    return is_good;
}

/* Inner sums count for the outer event, which comes first in the order. False without memory. */
static bool add_up(HostLinks *links)
{
    for (uint32_t i = links->count; i > 0; i--) {
        const uint32_t number = links->order[i - 1];
        const uint32_t parent = links->sums[number].parent;
        HostWork *inside = HostWorkFind(links, number);

        if (inside == NULL) {
            continue;
        }
        inside->device_all_ns += inside->device_ns;
        inside->kernels_all += inside->kernels;
        if (parent != HOST_NONE) {
            HostWork *around = need_work(links, parent);

            if (around == NULL) {
                return false;
            }
            around->device_all_ns += inside->device_all_ns;
            around->kernels_all += inside->kernels_all;
        }
    }
    return true;
}

/* False without memory. */
static bool make_room(Nest *nest)
{
    const size_t names = (size_t) nest->trace->names.list.count + 1;

    nest->last = reallocarray(NULL, names, sizeof *nest->last);
    if (nest->last == NULL) {
        return false;
    }
    memset(nest->last, 0xff, names * sizeof *nest->last);
    return true;
}

bool HostLink(const RankTrace *trace, const LinkedTrace *linked, HostLinks *ret_links)
{
    Nest nest = { .trace = trace, .links = ret_links };
    uint32_t count = 0;
    uint32_t *calls;
    bool is_good;

    *ret_links = (HostLinks){ .works = ChunksOf(sizeof(HostWork)) };
    calls = order_calls(trace, linked, &count);
    is_good = calls != NULL && make_room(&nest) && order_host(trace, ret_links) &&
              walk(&nest, calls, count) && add_all_work(trace, linked, ret_links) &&
              add_up(ret_links);
    free(calls);
    for (int kind = 0; kind < HOST_KINDS; kind++) {
        free(nest.open[kind].list);
    }
    free(nest.last);
    if (!is_good) {
        HostLinksFinish(ret_links);
    }
    return is_good;
}

void HostLinksFinish(HostLinks *links)
{
    free(links->order);
    free(links->sums);
    free(links->owners);
    ChunksFree(&links->works);
    *links = (HostLinks){ .count = 0 };
}
