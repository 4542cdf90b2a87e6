/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pairs calls and work of equal correlations.
 * Tested by tests/plugins/collect-kineto/test_merged.sh.
 */
#include "collect-kineto/rank/call_match.h"

#include "collect-kineto/rank/sort.h"

#include <opprof/grow.h>
#include <opprof/intern.h>
#include <stdlib.h>

#define SEED UINT64_C(0x2545f4914f6cdd1d) /* any odd number */
#define PAIRED_MAX 64u                    /* calls of a correlation; more are not paired */
/* Work that waited for nothing but its launch is in the order of the calls; other work had to
 * queue. Of random programs these weights were right about all processes. */
#define ALL_PROMPT_VOTES 64u
#define PROMPT_VOTES 4u

/* What has work of its own: a device of a process, and each of its streams. */
typedef enum Level { LEVEL_DEVICE, LEVEL_STREAM, LEVELS } Level;

static uint64_t key_of(const Lane *lane, const Lane *thread, Level level)
{
    const int64_t parts[] = { lane->device,
                              lane->process,
                              lane->origin,
                              level == LEVEL_STREAM ? lane->stream : INT64_MIN,
                              level,
                              thread == NULL ? INT64_MIN : thread->device,
                              thread == NULL ? 0 : thread->origin };

    return OpprofInternHash(SEED, parts, sizeof parts);
}

static bool is_mixed(const CallMatch *match, const Lane *lane, Level level)
{
    return OpprofMapFind(&match->mixed, key_of(lane, NULL, level)) != OPPROF_MAP_NONE;
}

bool CallMatchIsMixed(const CallMatch *match, const Lane *lane)
{
    return is_mixed(match, lane, LEVEL_DEVICE) && is_mixed(match, lane, LEVEL_STREAM);
}

uint32_t CallMatchVotes(const CallMatch *match, const Lane *lane, const Lane *thread)
{
    const Level level = is_mixed(match, lane, LEVEL_DEVICE) ? LEVEL_STREAM : LEVEL_DEVICE;
    const uint32_t place = OpprofMapFind(&match->places, key_of(lane, thread, level));

    return place == OPPROF_MAP_NONE ? 0 : match->votes[place];
}

static bool vote(CallMatch *match, const Lane *lane, const Lane *thread, uint32_t votes)
{
    for (Level level = LEVEL_DEVICE; level < LEVELS; level++) {
        const uint64_t key = key_of(lane, thread, level);
        uint32_t place = OpprofMapFind(&match->places, key);

        if (place == OPPROF_MAP_NONE) {
            place = match->count;
            if (!OpprofGrow(&match->votes, &match->capacity, (size_t) match->count + 1,
                            sizeof *match->votes) ||
                !OpprofMapPut(&match->places, key, place)) {
                return false;
            }
            match->votes[match->count++] = 0;
        }
        match->votes[place] += votes;
    }
    return true;
}

/* ---- calls and work of one correlation ---- */

typedef struct Matching {
    const RankTrace *trace;
    CallMatch *match;
    uint32_t *calls; /* of the correlation, by start */
    uint32_t call_count;
    uint32_t *work; /* numbers of all that has a correlation, by that and by start */
    uint32_t work_count;
} Matching;

static const Lane *thread_of(const RankTrace *trace, uint32_t call)
{
    return LaneAt(&trace->threads, RankTraceLaunch(trace, call)->thread);
}

static bool call_is_before(const void *context, uint32_t a, uint32_t b)
{
    return RankTraceLaunch(context, a)->start_ns < RankTraceLaunch(context, b)->start_ns;
}

static int64_t end_of(const LaunchCall *call)
{
    return call->start_ns + (int64_t) (call->duration_ns & ~LAUNCH_ENQUEUES);
}

/* Take the calls, but for those inside another one of their process. */
static bool take_calls(Matching *matching, const uint32_t *order, uint32_t count)
{
    const RankTrace *trace = matching->trace;
    uint32_t outer = CALL_MATCH_NONE;

    matching->call_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        const LaunchCall *call = RankTraceLaunch(trace, order[i]);

        if (call->thread >= trace->threads.list.count) {
            continue;
        }
        if (outer == CALL_MATCH_NONE ||
            thread_of(trace, outer)->device != thread_of(trace, order[i])->device ||
            end_of(RankTraceLaunch(trace, outer)) < end_of(call)) {
            outer = order[i];
            matching->calls[matching->call_count++] = outer;
        }
    }
    return SortNumbers(matching->calls, matching->call_count, call_is_before, trace);
}

static bool note_mixed(Matching *matching, const uint32_t *work, uint32_t number)
{
    const Lane *lane =
        LaneAt(&matching->trace->lanes, RankTraceWork(matching->trace, work[number])->lane);

    for (uint32_t i = 0; i < number; i++) {
        const Lane *other =
            LaneAt(&matching->trace->lanes, RankTraceWork(matching->trace, work[i])->lane);

        for (Level level = LEVEL_DEVICE; level < LEVELS; level++) {
            const uint64_t key = key_of(lane, NULL, level);

            if (key == key_of(other, NULL, level) &&
                !OpprofMapPut(&matching->match->mixed, key, 0)) {
                return false;
            }
        }
    }
    return true;
}

/* May two calls, the first and the second, have launched two pieces of work the other way round? */
static bool may_be_exchanged(const RankTrace *trace, const uint32_t *calls, const uint32_t *work)
{
    return RankTraceLaunch(trace, calls[1])->start_ns < RankTraceWork(trace, work[0])->start_ns;
}

static void note_guesses(const Matching *matching, const uint32_t *work)
{
    for (uint32_t i = 0; i + 1 < matching->call_count; i++) {
        if (may_be_exchanged(matching->trace, matching->calls + i, work + i)) {
            matching->match->is_guess[work[i]] = true;
            matching->match->is_guess[work[i + 1]] = true;
        }
    }
}

static bool are_prompt(const Matching *matching, const uint32_t *work)
{
    uint32_t i = 0;

    while (i < matching->call_count && matching->match->is_prompt[work[i]]) {
        i++;
    }
    return i == matching->call_count;
}

/* As many calls as pieces of work belong together in their order. */
static bool pair_up(Matching *matching, const uint32_t *work)
{
    const RankTrace *trace = matching->trace;
    CallMatch *match = matching->match;
    const bool are_all = are_prompt(matching, work);

    for (uint32_t i = 0; i < matching->call_count; i++) {
        const uint32_t votes = are_all                     ? ALL_PROMPT_VOTES
                               : match->is_prompt[work[i]] ? PROMPT_VOTES
                                                           : 1;
        const Lane *lane = LaneAt(&trace->lanes, RankTraceWork(trace, work[i])->lane);

        match->partners[work[i]] = matching->calls[i];
        if (!note_mixed(matching, work, i) ||
            !vote(match, lane, thread_of(trace, matching->calls[i]), votes)) {
            return false;
        }
    }
    note_guesses(matching, work);
    return true;
}

/* ---- all ---- */

static bool work_is_before(const void *context, uint32_t a, uint32_t b)
{
    const WorkEvent *left = RankTraceWork(context, a);
    const WorkEvent *right = RankTraceWork(context, b);

    return left->correlation != right->correlation ? left->correlation < right->correlation
                                                   : left->start_ns < right->start_ns;
}

static bool is_before_in_lane(const void *context, uint32_t a, uint32_t b)
{
    const WorkEvent *left = RankTraceWork(context, a);
    const WorkEvent *right = RankTraceWork(context, b);

    return left->lane != right->lane ? left->lane < right->lane : left->start_ns < right->start_ns;
}

/* A stream is idle if its work before ended over 2 us ago. */
static bool find_prompt(Matching *matching)
{
    const WorkEvent *before = NULL;

    if (!SortNumbers(matching->work, matching->work_count, is_before_in_lane, matching->trace)) {
        return false;
    }
    for (uint32_t i = 0; i < matching->work_count; i++) {
        const WorkEvent *work = RankTraceWork(matching->trace, matching->work[i]);

        matching->match->is_prompt[matching->work[i]] =
            before == NULL || before->lane != work->lane ||
            work->start_ns - before->start_ns > (int64_t) before->duration_ns + 2000;
        before = work;
    }
    return true;
}

static bool take_work(Matching *matching)
{
    const RankTrace *trace = matching->trace;

    for (uint32_t i = 0; i < trace->work.count; i++) {
        matching->match->partners[i] = CALL_MATCH_NONE;
        if ((RankTraceWork(trace, i)->flags & WORK_HAS_CORRELATION) != 0) {
            matching->work[matching->work_count++] = i;
        }
    }
    return find_prompt(matching) &&
           SortNumbers(matching->work, matching->work_count, work_is_before, trace);
}

/* How many from `from` on have the correlation of the first. */
static uint32_t count_calls(const RankTrace *trace, const uint32_t *order, uint32_t count,
                            uint32_t from)
{
    const uint64_t correlation = RankTraceLaunch(trace, order[from])->correlation;
    uint32_t to = from;

    while (to < count && RankTraceLaunch(trace, order[to])->correlation == correlation) {
        to++;
    }
    return to - from;
}

static bool pair_all(Matching *matching, const uint32_t *order, uint32_t count)
{
    const RankTrace *trace = matching->trace;
    uint32_t at = 0;
    uint32_t step;

    for (uint32_t from = 0; from < count; from += step) {
        const uint64_t correlation = RankTraceLaunch(trace, order[from])->correlation;
        uint32_t first;

        step = count_calls(trace, order, count, from);
        while (at < matching->work_count &&
               RankTraceWork(trace, matching->work[at])->correlation < correlation) {
            at++;
        }
        first = at;
        while (at < matching->work_count &&
               RankTraceWork(trace, matching->work[at])->correlation == correlation) {
            at++;
        }
        if (!take_calls(matching, order + from, step) ||
            (matching->call_count == at - first && matching->call_count <= PAIRED_MAX &&
             !pair_up(matching, matching->work + first))) {
            return false;
        }
    }
    return true;
}

bool CallMatchMake(const RankTrace *trace, const uint32_t *order, uint32_t count,
                   CallMatch *ret_match)
{
    const size_t pieces = (size_t) trace->work.count + 1;
    Matching matching = { .trace = trace,
                          .match = ret_match,
                          .calls = calloc((size_t) count + 1, sizeof *matching.calls),
                          .work = calloc(pieces, sizeof *matching.work) };
    bool is_good;

    *ret_match = (CallMatch){ .partners = calloc(pieces, sizeof *ret_match->partners),
                              .is_prompt = calloc(pieces, sizeof *ret_match->is_prompt),
                              .is_guess = calloc(pieces, sizeof *ret_match->is_guess) };
    is_good = matching.calls != NULL && matching.work != NULL && ret_match->partners != NULL &&
              ret_match->is_prompt != NULL && ret_match->is_guess != NULL && take_work(&matching) &&
              pair_all(&matching, order, count);
    free(matching.calls);
    free(matching.work);
    return is_good;
}

void CallMatchFinish(CallMatch *match)
{
    free(match->partners);
    free(match->is_prompt);
    free(match->is_guess);
    free(match->votes);
    OpprofMapFinish(&match->mixed);
    OpprofMapFinish(&match->places);
    *match = (CallMatch){ .partners = NULL };
}
