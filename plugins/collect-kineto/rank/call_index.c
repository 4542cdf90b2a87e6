/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the call that launched a piece of work, by correlation, process and time.
 * Tested by tests/plugins/collect-kineto/test_link and test_merged.sh.
 */
#include "collect-kineto/rank/call_index.h"

#include "collect-kineto/rank/sort.h"

#include <opprof/grow.h>
#include <opprof/intern.h>
#include <stdlib.h>

#define PROCESSES_TRIED 64u               /* of one correlation */
#define SEED UINT64_C(0xe7037ed1a0b428db) /* any odd number */

static uint32_t slot_of(const CallIndex *index, uint64_t correlation)
{
    uint64_t hash = (correlation ^ index->seed) * UINT64_C(0x9e3779b97f4a7c15);

    hash ^= hash >> 32;
    return (uint32_t) (hash * UINT64_C(0xd6e8feb86659fd93) >> 32) & index->mask;
}

static const Lane *thread_of(const RankTrace *trace, const LaunchCall *call)
{
    static const Lane none = { .stream = -1 };

    return call->thread < trace->threads.list.count ? LaneAt(&trace->threads, call->thread) : &none;
}

/* The first call of a correlation in the file; UINT32_MAX if none. */
static uint32_t first_of(const CallIndex *index, const RankTrace *trace, uint64_t correlation)
{
    uint32_t at = slot_of(index, correlation);

    for (; index->slots[at] != 0; at = (at + 1) & index->mask) {
        if (RankTraceLaunch(trace, index->slots[at] - 1)->correlation == correlation) {
            return index->slots[at] - 1;
        }
    }
    return UINT32_MAX;
}

static void add_call(const RankTrace *trace, CallIndex *index, uint32_t number)
{
    const uint64_t correlation = RankTraceLaunch(trace, number)->correlation;
    uint32_t at = slot_of(index, correlation);

    if (correlation == CALL_WITHOUT_CORRELATION) {
        return;
    }
    while (index->slots[at] != 0) {
        if (RankTraceLaunch(trace, index->slots[at] - 1)->correlation == correlation) {
            index->has_twins = true;
            return;
        }
        at = (at + 1) & index->mask;
    }
    index->slots[at] = number + 1;
}

/* ---- several calls of a correlation ---- */

/* Where a call belongs in the order. */
typedef struct CallKey {
    uint64_t correlation;
    uint32_t origin;
    int64_t process;
    int64_t start_ns;
} CallKey;

static CallKey key_of(const RankTrace *trace, uint32_t number)
{
    const LaunchCall *call = RankTraceLaunch(trace, number);
    const Lane *thread = thread_of(trace, call);

    return (CallKey){ call->correlation, thread->origin, thread->device, call->start_ns };
}

/* Below 0, 0 or above, as far as the process. */
static int compare_process(const CallKey *a, const CallKey *b)
{
    if (a->correlation != b->correlation) {
        return a->correlation < b->correlation ? -1 : 1;
    }
    if (a->origin != b->origin) {
        return a->origin < b->origin ? -1 : 1;
    }
    return a->process == b->process ? 0 : a->process < b->process ? -1 : 1;
}

static bool is_before(const void *context, uint32_t a, uint32_t b)
{
    const CallKey left = key_of(context, a);
    const CallKey right = key_of(context, b);
    const int order = compare_process(&left, &right);

    return order != 0 ? order < 0 : left.start_ns < right.start_ns;
}

/* A place in the order, as context of SortCountUpTo. */
typedef struct OrderPlace {
    const RankTrace *trace;
    CallKey key;
    bool is_after; /* all calls with the key belong before it */
} OrderPlace;

static bool is_up_to(const void *context, uint32_t number)
{
    const OrderPlace *place = context;
    const CallKey key = key_of(place->trace, number);
    const int order = compare_process(&key, &place->key);

    if (order != 0) {
        return order < 0;
    }
    return place->is_after ? key.start_ns <= place->key.start_ns
                           : key.start_ns < place->key.start_ns;
}

static uint32_t count_up_to(const CallIndex *index, const RankTrace *trace, CallKey key,
                            bool is_after)
{
    const OrderPlace place = { .trace = trace, .key = key, .is_after = is_after };

    return SortCountUpTo(index->order, index->count, is_up_to, &place);
}

static bool contains(const LaunchCall *outer, const LaunchCall *inner)
{
    return outer->start_ns + (int64_t) (outer->duration_ns & ~LAUNCH_ENQUEUES) >=
           inner->start_ns + (int64_t) (inner->duration_ns & ~LAUNCH_ENQUEUES);
}

/*
 * The call of a process, from `from` on in the order, that launched work that begins then: the
 * latest before it, or the first of all. Of calls inside each other the outer one.
 */
static uint32_t call_before(const CallIndex *index, const RankTrace *trace, uint32_t from,
                            int64_t start_ns, bool *ret_is_before)
{
    CallKey key = key_of(trace, index->order[from]);
    uint32_t at;

    key.start_ns = start_ns;
    at = count_up_to(index, trace, key, true);
    *ret_is_before = at > from;
    at = at > from ? at - 1 : from;
    while (at > from && contains(RankTraceLaunch(trace, index->order[at - 1]),
                                 RankTraceLaunch(trace, index->order[at]))) {
        at--;
    }
    return index->order[at];
}

static uint64_t pair_of(const Lane *lane, const CallKey *call)
{
    const int64_t parts[] = { lane->device, lane->process, lane->origin, call->process,
                              call->origin };

    return OpprofInternHash(SEED, parts, sizeof parts);
}

/* A process that may have launched a piece of work. */
typedef struct Candidate {
    uint32_t call;
    uint32_t matches; /* as CallMatchVotes */
    uint64_t pair;
    bool is_before; /* the call begins before the work */
    int64_t start_ns;
} Candidate;

/* The candidates for a piece of work, one of each process. Returns how many. */
static uint32_t find_candidates(const CallIndex *index, const RankTrace *trace,
                                const WorkEvent *work, uint64_t correlation, Candidate *list)
{
    const Lane *lane = LaneAt(&trace->lanes, work->lane);
    const bool has_origin =
        lane->origin != 0 && OpprofMapFind(&index->origins, lane->origin) != OPPROF_MAP_NONE;
    CallKey key = { correlation, has_origin ? lane->origin : 0, INT64_MIN, INT64_MIN };
    uint32_t at = count_up_to(index, trace, key, false);
    uint32_t count = 0;

    while (at < index->count && count < PROCESSES_TRIED) {
        const CallKey found = key_of(trace, index->order[at]);

        if (found.correlation != correlation || (has_origin && found.origin != lane->origin)) {
            break;
        }
        list[count].call = call_before(index, trace, at, work->start_ns, &list[count].is_before);
        list[count].pair = pair_of(lane, &found);
        list[count].matches = CallMatchVotes(
            &index->match, lane, thread_of(trace, RankTraceLaunch(trace, list[count].call)));
        list[count].start_ns = RankTraceLaunch(trace, list[count].call)->start_ns;
        count++;
        key = found;
        key.start_ns = INT64_MAX;
        at = count_up_to(index, trace, key, true);
    }
    return count;
}

/* Each process whose call comes before a piece of work may launch for its device. */
static bool vote(const RankTrace *trace, CallIndex *index)
{
    Candidate list[PROCESSES_TRIED];

    for (uint32_t i = 0; i < trace->work.count; i++) {
        const WorkEvent *work = RankTraceWork(trace, i);
        const uint32_t count = (work->flags & WORK_HAS_CORRELATION) == 0
                                   ? 0
                                   : find_candidates(index, trace, work, work->correlation, list);

        for (uint32_t c = 0; c < count; c++) {
            uint32_t place = OpprofMapFind(&index->pairs, list[c].pair);

            if (place == OPPROF_MAP_NONE) {
                place = index->pair_count++;
                if (!OpprofGrow(&index->votes, &index->pair_capacity, index->pair_count,
                                sizeof *index->votes) ||
                    !OpprofMapPut(&index->pairs, list[c].pair, place)) {
                    return false;
                }
                index->votes[place] = 0;
            }
            index->votes[place] += list[c].is_before;
        }
    }
    return true;
}

static uint32_t votes_of(const CallIndex *index, const Candidate *candidate)
{
    const uint32_t place = OpprofMapFind(&index->pairs, candidate->pair);

    return place == OPPROF_MAP_NONE ? 0 : index->votes[place];
}

/* Of two candidates the process with more votes, then the later call. */
static bool is_better(const CallIndex *index, const Candidate *a, const Candidate *b)
{
    const uint64_t left = (uint64_t) votes_of(index, a) + a->matches;
    const uint64_t right = (uint64_t) votes_of(index, b) + b->matches;

    return left != right ? left > right : a->start_ns > b->start_ns;
}

static bool note_origins(const RankTrace *trace, CallIndex *index)
{
    for (uint32_t i = 0; i < trace->threads.list.count; i++) {
        const uint32_t origin = LaneAt(&trace->threads, i)->origin;

        if (origin != 0 && !OpprofMapPut(&index->origins, origin, 0)) {
            return false;
        }
    }
    return true;
}

static bool order_calls(const RankTrace *trace, CallIndex *index)
{
    index->order = reallocarray(NULL, (size_t) trace->launches.count + 1, sizeof *index->order);
    for (uint32_t i = 0; index->order != NULL && i < trace->launches.count; i++) {
        if (RankTraceLaunch(trace, i)->correlation != CALL_WITHOUT_CORRELATION) {
            index->order[index->count++] = i;
        }
    }
    return index->order != NULL && SortNumbers(index->order, index->count, is_before, trace) &&
           CallMatchMake(trace, index->order, index->count, &index->match) && vote(trace, index);
}

/* ---- all ---- */

static bool make_slots(const RankTrace *trace, CallIndex *index)
{
    uint64_t size = 64;

    while (size * 2 < (uint64_t) trace->launches.count * 3) {
        size *= 2;
    }
    index->slots = calloc(size, sizeof *index->slots);
    index->mask = (uint32_t) (size - 1);
    index->seed = (uint64_t) (uintptr_t) index->slots >> 4;
    for (uint32_t i = 0; index->slots != NULL && i < trace->launches.count; i++) {
        add_call(trace, index, i);
    }
    return index->slots != NULL;
}

bool CallIndexInit(const RankTrace *trace, CallIndex *ret_index)
{
    *ret_index = (CallIndex){ .slots = NULL };
    if (make_slots(trace, ret_index) && note_origins(trace, ret_index) &&
        (!ret_index->has_twins || order_calls(trace, ret_index))) {
        return true;
    }
    CallIndexFinish(ret_index);
    return false;
}

/* A call of another rank in the same file did not launch the work. */
static bool fits_origin(const CallIndex *index, const RankTrace *trace, const WorkEvent *work,
                        uint32_t call)
{
    const uint32_t origin = LaneAt(&trace->lanes, work->lane)->origin;

    return origin == 0 || OpprofMapFind(&index->origins, origin) == OPPROF_MAP_NONE ||
           thread_of(trace, RankTraceLaunch(trace, call))->origin == origin;
}

/* Of several calls of the process the partner, as in recordings that follow each other. */
static uint32_t call_of(const CallIndex *index, const RankTrace *trace, uint32_t number,
                        const Candidate *best, bool *ret_is_guess)
{
    const Lane *lane = LaneAt(&trace->lanes, RankTraceWork(trace, number)->lane);
    const uint32_t partner = index->match.partners[number];
    const Lane *thread;

    if (partner == CALL_MATCH_NONE || lane->origin != 0) {
        return best->call;
    }
    thread = thread_of(trace, RankTraceLaunch(trace, partner));
    if (!CallMatchIsMixed(&index->match, lane) &&
        thread->device != thread_of(trace, RankTraceLaunch(trace, best->call))->device) {
        return best->call;
    }
    *ret_is_guess = index->match.is_guess[number] &&
                    (CallMatchIsMixed(&index->match, lane) || partner != best->call);
    return partner;
}

uint32_t CallIndexFind(const CallIndex *index, const RankTrace *trace, uint32_t number,
                       uint64_t correlation, bool *ret_is_guess)
{
    const WorkEvent *work = RankTraceWork(trace, number);
    Candidate list[PROCESSES_TRIED];
    uint32_t best = 0;
    uint32_t count;

    *ret_is_guess = false;
    if (!index->has_twins) {
        const uint32_t first = first_of(index, trace, correlation);

        return first != UINT32_MAX && fits_origin(index, trace, work, first) ? first : UINT32_MAX;
    }
    count = find_candidates(index, trace, work, correlation, list);
    for (uint32_t i = 1; i < count; i++) {
        best = is_better(index, &list[i], &list[best]) ? i : best;
    }
    return count == 0 ? UINT32_MAX : call_of(index, trace, number, &list[best], ret_is_guess);
}

void CallIndexFinish(CallIndex *index)
{
    free(index->slots);
    free(index->order);
    free(index->votes);
    CallMatchFinish(&index->match);
    OpprofMapFinish(&index->pairs);
    OpprofMapFinish(&index->origins);
    *index = (CallIndex){ .slots = NULL };
}
