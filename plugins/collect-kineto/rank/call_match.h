/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_RANK_CALL_MATCH_H
#define COLLECT_KINETO_RANK_CALL_MATCH_H

#include "collect-kineto/rank/rank_trace.h"

#define CALL_MATCH_NONE UINT32_MAX

/*
 * Calls and work that share correlations, as in a file of several ranks: the first call of a
 * correlation launched the first work of it, and so on, if there are as many calls as pieces of
 * work. What that says of all work of a device, or of a stream, shows which process launches there.
 */
typedef struct CallMatch {
    uint32_t *partners; /* by work: its call, or CALL_MATCH_NONE */
    bool *is_prompt;    /* by work: its stream was idle before, so that it began with its launch */
    bool *is_guess;     /* by work: another call of its correlation may have launched it, too */
    OpprofMap mixed;    /* devices and streams that have several pieces of a correlation */
    OpprofMap places;   /* in votes, by device or stream and process */
    uint32_t *votes;
    uint32_t count; /* of votes */
    size_t capacity;
} CallMatch;

/* `order` has all calls of a correlation one after the other. False without memory. */
bool CallMatchMake(const RankTrace *trace, const uint32_t *order, uint32_t count,
                   CallMatch *ret_match);

/* How much says that the process of a thread launches the work of a lane, or of its device. */
uint32_t CallMatchVotes(const CallMatch *match, const Lane *lane, const Lane *thread);

/* Do several processes launch into the lane? Then only the partner of a piece of work is known. */
bool CallMatchIsMixed(const CallMatch *match, const Lane *lane);

/* A zeroed one is allowed. */
void CallMatchFinish(CallMatch *match);

#endif
