/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collects what a rank did, record by record, for the graph of its critical path.
 * Tested by tests/plugins/analyse-trace/test_critical_path.
 */
#include "analyse-trace/path/path_events.h"
#include "analyse-trace/common/meetings.h"

#include <fnmatch.h>
#include <opprof/grow.h>
#include <opprof/map.h>
#include <opprof/records/activity.h>
#include <stdlib.h>
#include <string.h>

static const char *const kind_words[KINDS] = {
    [KIND_OPERATOR] = OPPROF_PATH_OPERATOR, [KIND_ANNOTATION] = OPPROF_PATH_ANNOTATION,
    [KIND_CALL] = OPPROF_PATH_CALL,         [KIND_WORK] = OPPROF_PATH_WORK,
    [KIND_WAIT] = OPPROF_PATH_WAIT,
};

/* Facts about a name; looked up once for each name. */
typedef struct NameFacts {
    bool is_known;
    bool is_data_loading;
    bool is_autograd;
    bool is_forward;
    bool is_window;
} NameFacts;

/* Collectives of one name in one group. */
typedef struct CollectiveKind {
    bool is_known;
    bool is_left_together;
} CollectiveKind;

static bool matches_any(const OpprofParams *params, const char *list, const char *name)
{
    for (size_t i = 0; i < OpprofParamsCount(params, list); i++) {
        if (fnmatch(OpprofParamsElement(params, list, i), name, FNM_CASEFOLD) == 0) {
            return true;
        }
    }
    return false;
}

/* NULL without memory. */
static const NameFacts *facts_of(PathEvents *events, uint32_t name)
{
    NameFacts *facts = ItemMapGet(&events->names, name, sizeof *facts);

    if (facts != NULL && !facts->is_known) {
        const char *text = OpprofStageString(events->stage, name);

        *facts = (NameFacts){ .is_known = true,
                              .is_data_loading = matches_any(events->params, "data_loading", text),
                              .is_autograd = strstr(text, "autograd") != NULL,
                              .is_forward = strstr(text, "forward") != NULL,
                              .is_window =
                                  events->window != NULL && strstr(text, events->window) != NULL };
    }
    return facts;
}

static void mark(MarkedThreads *marked, uint32_t thread)
{
    for (uint32_t i = 0; i < marked->count && i < 2; i++) {
        if (marked->threads[i] == thread) {
            return;
        }
    }
    if (marked->count < 2) {
        marked->threads[marked->count] = thread;
    }
    marked->count += marked->count < 3;
}

static bool append(PathSpans *spans, PathSpan span)
{
    if (!OpprofGrow32(&spans->list, &spans->capacity, (size_t) spans->count + 1,
                      sizeof *spans->list)) {
        return false;
    }
    spans->list[spans->count++] = span;
    return true;
}

static PathSpan span_of(const OpprofPathEvent *event, PathPart part, uint32_t flags)
{
    return (PathSpan){ .start = event->start,
                       .end = event->start + event->duration,
                       .id = event->id,
                       .name = event->name,
                       .lane = event->thread,
                       .call = PATH_NONE,
                       .part = (uint8_t) part,
                       .flags = (uint8_t) flags };
}

/* The same for work, which is of its queue, not of the thread that launched it. */
static PathSpan work_of(const OpprofPathEvent *event, PathPart part)
{
    PathSpan span = span_of(event, part, 0);

    span.lane = event->lane;
    return span;
}

static bool add_operator(PathEvents *events, RankPath *rank, const OpprofPathEvent *event)
{
    const NameFacts *facts = facts_of(events, event->name);

    if (facts == NULL) {
        return false;
    }
    if (facts->is_autograd) {
        mark(&rank->autograd, event->thread);
    }
    if (facts->is_forward) {
        mark(&rank->forward, event->thread);
    }
    return event->duration == 0 ||
           append(&rank->input.host,
                  span_of(event, facts->is_data_loading ? PATH_DATA_LOADING : PATH_HOST, 0));
}

/* Annotations limit the window, or say that data is loaded. */
static bool add_step(RankPath *rank, uint64_t start)
{
    PathSteps *steps = &rank->steps;

    if (!OpprofGrow32(&steps->starts, &steps->capacity, (size_t) steps->count + 1,
                      sizeof *steps->starts)) {
        return false;
    }
    steps->starts[steps->count++] = start;
    return true;
}

static bool add_annotation(PathEvents *events, RankPath *rank, const OpprofPathEvent *event)
{
    const NameFacts *facts = facts_of(events, event->name);

    if (facts == NULL || (event->thread == OPPROF_NA_U32 && !add_step(rank, event->start))) {
        return false;
    }
    if (facts->is_window && !append(&rank->windows, span_of(event, PATH_HOST, 0))) {
        return false;
    }
    return !facts->is_data_loading ||
           append(&rank->input.host, span_of(event, PATH_DATA_LOADING, 0));
}

/* NULL without memory. */
static const CollectiveKind *kind_of(PathEvents *events, const OpprofPathEvent *event)
{
    const uint32_t name = event->collective != OPPROF_NA_STRING ? event->collective : event->name;
    CollectiveKind *kind =
        ItemMapGet(&events->kinds, (uint64_t) event->group << 32 | name, sizeof *kind);

    if (kind != NULL && !kind->is_known) {
        *kind = (CollectiveKind){ .is_known = true,
                                  .is_left_together = CollectiveIsLeftTogether(
                                      CollectiveFormOf(OpprofStageString(events->stage, name))) };
    }
    return kind;
}

/* False without memory. */
static bool add_shared(PathEvents *events, RankPath *rank, const OpprofPathEvent *event)
{
    const CollectiveKind *kind = kind_of(events, event);
    const uint32_t number = events->kinds.latest;
    CollectiveCall call = { .kind = number };
    CallCounter *counter;

    rank->communicates = true;
    if (kind == NULL || !kind->is_left_together) {
        rank->is_loose = true;
        return kind != NULL;
    }
    counter = ItemMapGet(&rank->counters, number, sizeof *counter);
    if (counter == NULL || !OpprofGrow32(&rank->shared, &rank->shared_capacity,
                                         (size_t) rank->shared_count + 1, sizeof *rank->shared)) {
        return false;
    }
    CallCounterNumber(counter, event->sequence, &call);
    rank->shared[rank->shared_count++] = (SharedWork){ .work = work_of(event, PATH_COMMUNICATION),
                                                       .kind = number,
                                                       .place = PATH_NONE,
                                                       .sequence = call.sequence,
                                                       .repeat = call.repeat };
    return true;
}

static bool add_work(PathEvents *events, RankPath *rank, const OpprofPathEvent *event)
{
    PathPart part = PATH_COMPUTATION;

    if (event->work_class == events->communication) {
        part = PATH_COMMUNICATION;
        if (!add_shared(events, rank, event)) {
            return false;
        }
    } else if (event->work_class == events->memory) {
        part = PATH_MEMORY;
    }
    return append(&rank->input.work, work_of(event, part));
}

static bool add_wait(RankPath *rank, const OpprofPathEvent *event)
{
    PathInput *input = &rank->input;

    if (!OpprofGrow32(&input->waits, &input->wait_capacity, (size_t) input->wait_count + 1,
                      sizeof *input->waits)) {
        return false;
    }
    input->waits[input->wait_count++] = (PathWait){ .id = event->id,
                                                    .source = event->source,
                                                    .lane = event->lane,
                                                    .source_lane = event->source_lane };
    return true;
}

bool PathEventsAdd(PathEvents *events, RankPath *rank, const OpprofPathEvent *event)
{
    if (event->start + event->duration < event->start) {
        return true; /* beyond the largest time */
    }
    if (event->kind == events->kind_ids[KIND_OPERATOR]) {
        return add_operator(events, rank, event);
    }
    if (event->kind == events->kind_ids[KIND_CALL]) {
        const uint32_t flags =
            OPPROF_PATH_BLOCKS | OPPROF_PATH_WAITS_ALL | OPPROF_PATH_WAITS_SOME | OPPROF_PATH_LOCKS;

        return append(&rank->input.host,
                      span_of(event, PATH_HOST, (event->flags & flags) | PATH_SPAN_IS_CALL));
    }
    if (event->kind == events->kind_ids[KIND_WORK]) {
        return add_work(events, rank, event);
    }
    if (event->kind == events->kind_ids[KIND_ANNOTATION]) {
        return add_annotation(events, rank, event);
    }
    return event->kind != events->kind_ids[KIND_WAIT] || add_wait(rank, event);
}

/* ---- before the graph ---- */

/* The thread that has most operators, of several the one that had so many first; PATH_NONE: there
 * is only the excluded one. False without memory. */
static bool find_busiest(const PathSpans *host, uint32_t excluded, uint32_t *ret_thread)
{
    ItemMap counts = { 0 };
    uint32_t most = 0;
    bool is_good = true;

    *ret_thread = PATH_NONE;
    for (uint32_t i = 0; is_good && i < host->count; i++) {
        uint32_t *operators;

        if ((host->list[i].flags & PATH_SPAN_IS_CALL) != 0 || host->list[i].lane == excluded) {
            continue;
        }
        operators = ItemMapGet(&counts, host->list[i].lane, sizeof *operators);
        is_good = operators != NULL;
        if (is_good && ++*operators > most) {
            most = *operators;
            *ret_thread = host->list[i].lane;
        }
    }
    ItemMapFree(&counts);
    return is_good;
}

/*
 * The thread that goes forward: the only one with such operators besides the backward thread, or,
 * as most operators say nothing, the busiest. PATH_NONE: none, or several. False without memory.
 */
static bool find_forward(const RankPath *rank, uint32_t backward, uint32_t *ret_thread)
{
    const MarkedThreads *marked = &rank->forward;
    uint32_t count = 0;

    *ret_thread = PATH_NONE;
    for (uint32_t i = 0; i < marked->count && i < 2; i++) {
        if (marked->threads[i] != backward) {
            *ret_thread = marked->threads[i];
            count++;
        }
    }
    if (count > 1 || marked->count > 2) {
        *ret_thread = PATH_NONE;
        return true;
    }
    return count == 1 || find_busiest(&rank->input.host, backward, ret_thread);
}

/*
 * If one thread runs forward and another one backward, they are treated as one: the second runs
 * while the first waits for it. False without memory.
 */
static bool join_threads(RankPath *rank)
{
    const uint32_t backward = rank->autograd.threads[0];
    uint32_t forward;

    if (rank->autograd.count != 1) {
        return true;
    }
    if (!find_forward(rank, backward, &forward)) {
        return false;
    }
    for (uint32_t i = 0; forward != PATH_NONE && i < rank->input.host.count; i++) {
        PathSpan *span = &rank->input.host.list[i];

        span->lane = span->lane == backward ? forward : span->lane;
    }
    return true;
}

static bool is_in_window(const RankPath *rank, uint64_t time)
{
    for (uint32_t i = 0; i < rank->windows.count; i++) {
        if (time >= rank->windows.list[i].start && time < rank->windows.list[i].end) {
            return true;
        }
    }
    return false;
}

/* Keeps only what the host began in the window, and the work that it launched there. False without
 * memory. */
static bool keep_window(RankPath *rank)
{
    OpprofMap kept = { 0 };
    PathInput *input = &rank->input;
    uint32_t count = 0;
    bool is_good = true;

    for (uint32_t i = 0; i < input->host.count; i++) {
        const PathSpan *span = &input->host.list[i];

        if (is_in_window(rank, span->start)) {
            is_good = is_good && ((span->flags & PATH_SPAN_IS_CALL) == 0 ||
                                  span->id == UINT64_MAX || OpprofMapPut(&kept, span->id, 1));
            input->host.list[count++] = *span;
        }
    }
    input->host.count = count;
    count = 0;
    for (uint32_t i = 0; i < input->work.count; i++) {
        const PathSpan *work = &input->work.list[i];

        if (work->id != UINT64_MAX && OpprofMapFind(&kept, work->id) != OPPROF_MAP_NONE) {
            input->work.list[count++] = *work;
        }
    }
    input->work.count = count;
    OpprofMapFinish(&kept);
    return is_good;
}

bool RankPathEnd(const PathEvents *events, RankPath *rank)
{
    return join_threads(rank) && (events->window == NULL || keep_window(rank));
}

void RankPathPlace(RankPath *rank)
{
    for (uint32_t i = 0; i < rank->shared_count; i++) {
        SharedWork *shared = &rank->shared[i];
        const uint32_t work = PathInputFindWork(&rank->input, &shared->work);

        shared->place = work == PATH_NONE ? PATH_NONE : rank->input.host.count + work;
    }
}

void RankPathFinish(RankPath *rank)
{
    PathInputFinish(&rank->input);
    free(rank->windows.list);
    free(rank->steps.starts);
    free(rank->shared);
    ItemMapFree(&rank->counters);
    rank->windows = (PathSpans){ .count = 0 };
    rank->steps = (PathSteps){ .count = 0 };
    rank->shared = NULL;
    rank->shared_count = rank->shared_capacity = 0;
}

/* ---- life ---- */

static bool intern(const PathEvents *events, const char *word, uint32_t *ret_id)
{
    *ret_id = OpprofStageIntern(events->stage, word, strlen(word));
    return *ret_id != OPPROF_NA_STRING;
}

bool PathEventsStart(PathEvents *events)
{
    bool is_good = intern(events, OPPROF_ACTIVITY_COMMUNICATION, &events->communication) &&
                   intern(events, OPPROF_ACTIVITY_MEMORY, &events->memory);

    for (size_t i = 0; is_good && i < KINDS; i++) {
        is_good = intern(events, kind_words[i], &events->kind_ids[i]);
    }
    return is_good;
}

void PathEventsFinish(PathEvents *events)
{
    ItemMapFree(&events->names);
    ItemMapFree(&events->kinds);
}
