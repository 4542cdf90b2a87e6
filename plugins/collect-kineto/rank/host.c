/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the operator, annotation and module that each launching call is in, with a stack per
 * thread.
 * Tested by tests/plugins/collect-kineto/test_trace_reader.
 */
#include "collect-kineto/rank/host.h"

#include "collect-kineto/rank/flows.h"
#include "collect-kineto/rank/neighbours.h"
#include "collect-kineto/rank/sort.h"

#include <opprof/grow.h>

#include <stdlib.h>
#include <string.h>

/* A host event that is open. There are few, unless events overlap that should nest. */
typedef struct OpenEvent {
    int64_t end_ns;
    uint32_t number;
    uint32_t origin; /* of operators: as FlowLinks.origins, from the innermost that has one */
} OpenEvent;

/* The same where it is added up. Few launch something, so that what they launched is elsewhere. */
typedef struct OpenSum {
    OpenEvent event; /* first, so that it may be taken as one */
    uint64_t inside_ns;
    uint32_t before; /* the last event of its name before it */
    uint32_t work;   /* place plus 1 in works; 0: nothing so far. With IS_RECURSIVE */
} OpenSum;

#define IS_RECURSIVE (UINT32_C(1) << 31) /* inside one of its name */
#define CROSSED_MAX 64u /* open events that are looked at where some overlap instead of nesting */

/* Work that an open event launched so far. */
typedef struct OpenWork {
    HostWork sum;
    uint64_t passed_ns; /* of it, what the one around it has already */
    uint32_t passed;    /* the same in kernels */
    uint32_t reserved;
} OpenWork;

typedef struct OpenWorks {
    OpenWork *list;
    uint32_t count;
    uint32_t capacity;
    /* place plus 1 of the first that is not in use, 0: none; its `launches` is the next one */
    uint32_t unused;
} OpenWorks;

/*
 * A walk over a thread's events by time: each is opened once and closed once. It finds the owners
 * of calls, and adds up what was launched. Where flows make work belong to forward operators, a
 * walk before that only finds owners.
 */
typedef struct Nest {
    const RankTrace *trace;
    const LinkedTrace *linked;
    HostLinks *links;
    HostTake *take;
    void *context;
    ShapedWork *shaped;
    OpprofStatus status; /* what is not OPPROF_OK ends the walk */
    uint32_t thread;
    Chunks open[HOST_KINDS]; /* of OpenEvent or OpenSum, on the thread, the outermost first */
    OpenWorks works;
    uint32_t crossed
        /* open events that end after the one around them, as ranges of a program may */
        [HOST_KINDS];
    uint32_t (*last)[HOST_KINDS]; /* for each name: which of its open events ends last; HOST_NONE */
    bool adds_up;
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

static CallPlace place_of(const RankTrace *trace, const LinkedTrace *linked, uint32_t number)
{
    const LaunchCall *call = RankTraceLaunch(trace, number);

    return linked->places != NULL
               ? linked->places[number]
               : (CallPlace){ .start_ns = call->start_ns, .thread = call->thread };
}

/* Context of the order of calls. */
typedef struct CallOrder {
    const RankTrace *trace;
    const LinkedTrace *linked;
} CallOrder;

static bool call_is_before(const void *context, uint32_t a, uint32_t b)
{
    const CallOrder *order = context;
    const CallPlace left = place_of(order->trace, order->linked, a);
    const CallPlace right = place_of(order->trace, order->linked, b);

    return left.thread != right.thread ? left.thread < right.thread
                                       : left.start_ns < right.start_ns;
}

/* Numbers of the calls that launched something, by thread, then by start. False without memory. */
static bool order_calls(const RankTrace *trace, const LinkedTrace *linked, HostLinks *links)
{
    const CallOrder order = { trace, linked };

    links->calls = reallocarray(NULL, (size_t) trace->launches.count + 1, sizeof *links->calls);
    for (uint32_t i = 0; links->calls != NULL && i < trace->launches.count; i++) {
        if (linked->calls[i].count > 0) {
            links->calls[links->call_count++] = i;
        }
    }
    return links->calls != NULL &&
           SortNumbers(links->calls, links->call_count, call_is_before, &order);
}

/* Events with an absurd time are left out. False without memory. */
static bool order_host(const RankTrace *trace, const LinkedTrace *linked, HostLinks *links)
{
    links->order = ChunksZeroed((size_t) trace->host.count + 1, sizeof *links->order);
    for (uint32_t i = 0; links->order != NULL && i < trace->host.count; i++) {
        if (LinkIsNear(linked, RankTraceHost(trace, i)->start_ns)) {
            links->order[links->count++] = i;
        }
    }
    return links->order != NULL && SortNumbers(links->order, links->count, host_is_before, trace) &&
           NeighboursPart(trace, links->order, links->count);
}

/* ---- opening and closing ---- */

static bool has_ended(const Nest *nest, uint32_t number, int64_t ns)
{
    return end_of(RankTraceHost(nest->trace, number)) <= ns;
}

static uint32_t *last_of_name(const Nest *nest, const HostEvent *event)
{
    return &nest->last[event->name][event->kind];
}

/* The innermost that is open; there is one. */
static void *top_of(const Chunks *open)
{
    return ChunksAt(open, open->count - 1);
}

static void note_shaped(Nest *nest, const HostEnd *end)
{
    const uint32_t place = RankTraceFind(&nest->trace->shaped, end->number);

    if (place != UINT32_MAX) {
        nest->shaped[place] = (ShapedWork){ .device_all_ns = end->work.device_all_ns,
                                            .kernels_all = end->work.kernels_all };
    }
}

/* ---- work of open events ---- */

static HostWork work_of(const Nest *nest, const OpenSum *sum)
{
    const uint32_t place = sum->work & ~IS_RECURSIVE;

    return place == 0 ? (HostWork){ 0 } : nest->works.list[place - 1].sum;
}

/* To be added to, valid until the next call; NULL without memory, which ends the walk. */
static OpenWork *open_work(Nest *nest, OpenSum *sum)
{
    OpenWorks *works = &nest->works;
    uint32_t place = sum->work & ~IS_RECURSIVE;

    if (place == 0 && works->unused != 0) {
        place = works->unused;
        works->unused = works->list[place - 1].sum.launches;
    } else if (place == 0) {
        if (!OpprofGrow32(&works->list, &works->capacity, (size_t) works->count + 1,
                          sizeof *works->list)) {
            nest->status = OPPROF_E_MEMORY;
            return NULL;
        }
        place = ++works->count;
    } else {
        return &works->list[place - 1];
    }
    works->list[place - 1] = (OpenWork){ .passed = 0 };
    sum->work |= place;
    return &works->list[place - 1];
}

static void leave_work(Nest *nest, const OpenSum *sum)
{
    const uint32_t place = sum->work & ~IS_RECURSIVE;

    if (place != 0) {
        nest->works.list[place - 1].sum.launches = nest->works.unused;
        nest->works.unused = place;
    }
}

static void inherit_work(Nest *nest, OpenSum *sum)
{
    const FlowLinks *flows = &nest->links->flows;
    const uint32_t place = OpprofMapFind(&flows->heirs, sum->event.number);
    const HostWork *work = place == OPPROF_MAP_NONE ? NULL : &flows->inherited[place];
    OpenWork *own = work == NULL ? NULL : open_work(nest, sum);

    if (own != NULL) {
        own->sum.device_ns += work->device_ns;
        own->sum.kernels += work->kernels;
        own->sum.launches += work->launches;
        own->sum.delay_ns += work->delay_ns;
    }
}

/* What was launched in an event was launched in the one around it, too: passes what that does not
 * have yet. */
static void pass_work(Nest *nest, OpenSum *sum, OpenSum *around)
{
    const uint32_t place = sum->work & ~IS_RECURSIVE;
    const HostWork work = work_of(nest, sum);
    OpenWork *own;
    OpenWork *taken;

    if (place == 0 || (taken = open_work(nest, around)) == NULL) {
        return;
    }
    own = &nest->works.list[place - 1];
    taken->sum.device_all_ns += work.device_ns + work.device_all_ns - own->passed_ns;
    taken->sum.kernels_all += work.kernels + work.kernels_all - own->passed;
    own->passed_ns = work.device_ns + work.device_all_ns;
    own->passed = work.kernels + work.kernels_all;
}

/* Gives out an event that is over, which is no longer among the open ones. */
static void give_out(Nest *nest, OpenSum *sum, OpenSum *around)
{
    HostEnd end = { .number = sum->event.number,
                    .parent = around == NULL ? HOST_NONE : around->event.number,
                    .inside_ns = sum->inside_ns,
                    .is_recursive = (sum->work & IS_RECURSIVE) != 0 };

    if (nest->links->flows.inherited_count > 0) {
        inherit_work(nest, sum);
    }
    if (around != NULL) {
        pass_work(nest, sum, around);
    }
    end.work = work_of(nest, sum);
    end.work.device_all_ns += end.work.device_ns;
    end.work.kernels_all += end.work.kernels;
    leave_work(nest, sum);
    if (nest->shaped != NULL && end.work.kernels_all > 0 &&
        RankTraceHost(nest->trace, end.number)->kind == HOST_OPERATOR) {
        note_shaped(nest, &end);
    }
    if (nest->take != NULL && nest->status == OPPROF_OK) {
        nest->status = nest->take(nest->context, &end);
    }
}

static bool is_crossed(const OpenEvent *inner, const OpenEvent *outer)
{
    return inner->end_ns > outer->end_ns;
}

/* Ends the innermost event of a kind. */
static void close_last(Nest *nest, HostKind kind)
{
    Chunks *open = &nest->open[kind];
    OpenSum *last = top_of(open);

    nest->links->steps++;
    open->count--;
    if (nest->adds_up) {
        OpenSum *around = open->count == 0 ? NULL : top_of(open);

        nest->crossed[kind] -= around != NULL && is_crossed(&last->event, &around->event);
        *last_of_name(nest, RankTraceHost(nest->trace, last->event.number)) = last->before;
        give_out(nest, last, around);
    }
}

/* An event that is not the innermost is no longer open: those of its name that are, or the name,
 * have what it had. */
static void forget_name(Nest *nest, const Chunks *open, uint32_t place)
{
    const OpenSum *sum = ChunksAt(open, place);
    uint32_t *last = last_of_name(nest, RankTraceHost(nest->trace, sum->event.number));

    if (*last == sum->event.number) {
        *last = sum->before;
    }
    for (uint32_t i = place + 1; i < open->count; i++) {
        OpenSum *inner = ChunksAt(open, i);

        if (inner->before == sum->event.number) {
            inner->before = sum->before;
        }
    }
}

/* Ends an event that others are still open in. */
static void close_outer(Nest *nest, HostKind kind, uint32_t place)
{
    Chunks *open = &nest->open[kind];
    OpenSum sum = *(const OpenSum *) ChunksAt(open, place);
    const OpenSum *inner = ChunksAt(open, place + 1);
    OpenSum *around = place == 0 ? NULL : ChunksAt(open, place - 1);

    nest->crossed[kind] -= is_crossed(&inner->event, &sum.event);
    if (around != NULL) {
        nest->crossed[kind] -= is_crossed(&sum.event, &around->event);
        nest->crossed[kind] += is_crossed(&inner->event, &around->event);
    }
    forget_name(nest, open, place);
    for (uint32_t i = place; i + 1 < open->count; i++) {
        *(OpenSum *) ChunksAt(open, i) = *(const OpenSum *) ChunksAt(open, i + 1);
    }
    open->count--;
    give_out(nest, &sum, around);
}

/*
 * Closes events that have ended while an event inside them is still open: later launches do not
 * belong to them. Properly nested events never do this. Only the innermost CROSSED_MAX open events
 * are checked.
 */
static void close_crossed(Nest *nest, HostKind kind, int64_t ns)
{
    const Chunks *open = &nest->open[kind];
    const uint32_t from = open->count > CROSSED_MAX ? open->count - CROSSED_MAX : 0;
    bool is_any = false;

    for (uint32_t i = from; nest->crossed[kind] > 0 && !is_any && i + 1 < open->count; i++) {
        is_any = ((const OpenEvent *) ChunksAt(open, i))->end_ns <= ns;
    }
    for (uint32_t i = open->count; is_any && i > from + 1; i--) {
        pass_work(nest, ChunksAt(open, i - 1), ChunksAt(open, i - 2));
    }
    for (uint32_t i = open->count; is_any && i > from + 1; i--) {
        if (((const OpenEvent *) ChunksAt(open, i - 2))->end_ns <= ns) {
            close_outer(nest, kind, i - 2);
        }
    }
}

/* The innermost of a kind that is open at that time, NULL if none. */
static void *innermost(Nest *nest, HostKind kind, int64_t ns)
{
    Chunks *open = &nest->open[kind];

    while (open->count > 0 && ((const OpenEvent *) top_of(open))->end_ns <= ns) {
        close_last(nest, kind);
    }
    close_crossed(nest, kind, ns);
    nest->links->steps++;
    return open->count == 0 ? NULL : top_of(open);
}

/* All that is open on another thread is over. */
static void leave_thread(Nest *nest, uint32_t thread)
{
    for (int kind = 0; kind < HOST_KINDS; kind++) {
        while (nest->open[kind].count > 0) {
            close_last(nest, (HostKind) kind);
        }
    }
    nest->thread = thread;
}

static inline void enter_thread(Nest *nest, uint32_t thread)
{
    if (thread != nest->thread) {
        leave_thread(nest, thread);
    }
}

/* The forward operator that an event belongs to: its own, or that of the one around it. */
static uint32_t origin_of(const Nest *nest, uint32_t number, const OpenEvent *parent)
{
    const FlowTie *ties = nest->links->flows.ties;

    if (ties == NULL) {
        return 0;
    }
    return ties[number].as_backward != 0 || parent == NULL ? ties[number].as_backward
                                                           : parent->origin;
}

/* Puts it on top of `parent`; NULL: no open event is of its kind. */
static void push(Nest *nest, const HostEvent *event, uint32_t number, const OpenEvent *parent)
{
    const OpenEvent opened = { .end_ns = end_of(event),
                               .number = number,
                               .origin = origin_of(nest, number, parent) };
    void *added = ChunksAppend(&nest->open[event->kind]);

    if (added == NULL) {
        nest->status = OPPROF_E_MEMORY;
    } else if (nest->adds_up) {
        uint32_t *last = last_of_name(nest, event);

        *(OpenSum *) added =
            (OpenSum){ .event = opened,
                       .before = *last,
                       .work = *last != HOST_NONE && !has_ended(nest, *last, event->start_ns)
                                   ? IS_RECURSIVE
                                   : 0 };
        if (*last == HOST_NONE || has_ended(nest, *last, opened.end_ns)) {
            *last = number;
        }
        nest->crossed[event->kind] += parent != NULL && is_crossed(&opened, parent);
    } else {
        *(OpenEvent *) added = opened;
    }
}

/* A forward operator begins inside these. */
static void note_forward(Nest *nest, const HostEvent *event, uint32_t number)
{
    const FlowLinks *flows = &nest->links->flows;
    const uint32_t place = flows->ties[number].as_forward;

    for (int kind = 0; place != 0 && kind < HOST_KINDS; kind++) {
        const OpenEvent *owner = innermost(nest, (HostKind) kind, event->start_ns);

        flows->forwards[place - 1].owners[kind] = owner == NULL ? HOST_NONE : owner->number;
    }
}

/* The time of an event is inside the one around it, and after that one's end inside the next. */
static void note_inside(const Chunks *open, const HostEvent *event)
{
    const uint32_t last = open->count > CROSSED_MAX ? open->count - CROSSED_MAX : 0;
    const int64_t end_ns = end_of(event);
    int64_t from_ns = event->start_ns;

    for (uint32_t i = open->count; i > last && from_ns < end_ns; i--) {
        OpenSum *around = ChunksAt(open, i - 1);
        const int64_t to_ns = around->event.end_ns < end_ns ? around->event.end_ns : end_ns;

        if (to_ns > from_ns) {
            around->inside_ns += (uint64_t) (to_ns - from_ns);
            from_ns = to_ns;
        }
    }
}

static void open_event(Nest *nest, const HostEvent *event, uint32_t number)
{
    const OpenEvent *parent;

    enter_thread(nest, event->thread);
    parent = innermost(nest, (HostKind) event->kind, event->start_ns);
    if (nest->adds_up) {
        note_inside(&nest->open[event->kind], event);
    }
    push(nest, event, number, parent);
    if (nest->links->flows.ties != NULL && !nest->adds_up) {
        note_forward(nest, event, number);
    }
}

/* ---- the walk ---- */

/* A call belongs to the innermost of each kind, and what it launched may be added there. */
static void add_call(Nest *nest, uint32_t number, CallPlace place)
{
    enter_thread(nest, place.thread);
    for (int kind = 0; kind < HOST_KINDS; kind++) {
        void *owner = innermost(nest, (HostKind) kind, place.start_ns);

        if (owner == NULL) {
            continue;
        }
        nest->links->owners[number][kind] = ((const OpenEvent *) owner)->number;
        if (kind == HOST_OPERATOR && nest->links->flows.origins != NULL) {
            nest->links->flows.origins[number] = ((const OpenEvent *) owner)->origin;
        }
        if (nest->adds_up) {
            OpenWork *work = open_work(nest, owner);

            if (work != NULL) {
                LinkAddWork(nest->trace, nest->linked, number, &work->sum);
            }
        }
    }
}

/* True if a host event begins on the thread of a call, or on one before that, and not after the
 * call. */
static bool is_before_call(const HostEvent *event, CallPlace call)
{
    return event->thread < call.thread ||
           (event->thread == call.thread && event->start_ns <= call.start_ns);
}

/* Place of the i-th call that launched something; after the last one a place after all host
 * events. */
static CallPlace call_at(const Nest *nest, uint32_t i)
{
    return i < nest->links->call_count ? place_of(nest->trace, nest->linked, nest->links->calls[i])
                                       : (CallPlace){ .start_ns = INT64_MAX, .thread = HOST_NONE };
}

/* Walk over host events and calls of all threads together. Returns the walk's status. */
static OpprofStatus walk(Nest *nest)
{
    const HostLinks *links = nest->links;
    CallPlace call = call_at(nest, 0);
    uint32_t i = 0;

    for (int kind = 0; kind < HOST_KINDS; kind++) {
        nest->open[kind] = ChunksOf(nest->adds_up ? sizeof(OpenSum) : sizeof(OpenEvent));
    }
    for (uint32_t host = 0; nest->status == OPPROF_OK && host < links->count; host++) {
        const HostEvent *event = RankTraceHost(nest->trace, links->order[host]);

        while (!is_before_call(event, call)) {
            add_call(nest, links->calls[i], call);
            call = call_at(nest, ++i);
        }
        open_event(nest, event, links->order[host]);
    }
    for (; nest->status == OPPROF_OK && i < links->call_count; i++) {
        add_call(nest, links->calls[i], call_at(nest, i));
    }
    enter_thread(nest, HOST_NONE);
    for (int kind = 0; kind < HOST_KINDS; kind++) {
        ChunksFinish(&nest->open[kind]);
    }
    return nest->status;
}

static bool find_owners(const RankTrace *trace, const LinkedTrace *linked, HostLinks *links)
{
    Nest nest = { .trace = trace, .linked = linked, .links = links, .status = OPPROF_OK };

    return walk(&nest) == OPPROF_OK && FlowsInherit(trace, linked, links);
}

/* Room for what calls belong to, which is nothing so far. False without memory. */
static bool make_owners(const RankTrace *trace, HostLinks *links)
{
    const size_t calls = (size_t) trace->launches.count + 1;

    links->owners = reallocarray(NULL, calls, sizeof *links->owners);
    if (links->owners == NULL) {
        return false;
    }
    memset(links->owners, 0xff, calls * sizeof *links->owners);
    if (links->flows.ties == NULL) {
        return true;
    }
    links->flows.origins = calloc(calls, sizeof *links->flows.origins);
    return links->flows.origins != NULL;
}

bool HostLink(const RankTrace *trace, const LinkedTrace *linked, HostLinks *ret_links)
{
    *ret_links = (HostLinks){ .order = NULL };
    if (order_calls(trace, linked, ret_links) && order_host(trace, linked, ret_links) &&
        FlowsTie(trace, ret_links) && make_owners(trace, ret_links)) {
        return true;
    }
    HostLinksFinish(ret_links);
    return false;
}

static OpprofStatus add_up(const RankTrace *trace, const LinkedTrace *linked, HostLinks *links,
                           HostTake *take, void *context, ShapedWork *shaped)
{
    const size_t names = (size_t) trace->names.list.count + 1;
    Nest nest = { .trace = trace,
                  .linked = linked,
                  .links = links,
                  .take = take,
                  .context = context,
                  .shaped = shaped,
                  .status = OPPROF_OK,
                  .adds_up = true,
                  .last = reallocarray(NULL, names, sizeof *nest.last) };

    if (nest.last == NULL) {
        return OPPROF_E_MEMORY;
    }
    memset(nest.last, 0xff, names * sizeof *nest.last);
    walk(&nest);
    free(nest.works.list);
    free(nest.last);
    return nest.status;
}

OpprofStatus HostSums(const RankTrace *trace, const LinkedTrace *linked, HostLinks *links,
                      HostTake *take, void *context, ShapedWork *shaped)
{
    const bool is_read = take != NULL || shaped != NULL;

    if ((links->flows.ties != NULL || !is_read) && !find_owners(trace, linked, links)) {
        return OPPROF_E_MEMORY;
    }
    return is_read ? add_up(trace, linked, links, take, context, shaped) : OPPROF_OK;
}

void HostLinksFinish(HostLinks *links)
{
    free(links->order);
    free(links->calls);
    free(links->owners);
    FlowsFinish(&links->flows);
    *links = (HostLinks){ .count = 0 };
}
