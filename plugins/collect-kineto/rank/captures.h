/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_RANK_CAPTURES_H
#define COLLECT_KINETO_RANK_CAPTURES_H

#include "collect-kineto/rank/rank_trace.h"

/* When processes captured graphs: launches then put work into a graph and launch nothing. */
typedef struct Captures {
    uint32_t *marks;  /* calls that begin or end a capture, by process and start */
    uint32_t *depths; /* captures that are open after each */
    uint32_t count;
} Captures;

/* False without memory. */
bool CapturesInit(const RankTrace *trace, Captures *ret_captures);

/* Whether a call is made during a capture, also one that began before the recording did. */
bool CapturesHave(const Captures *captures, const RankTrace *trace, const LaunchCall *call);

/* A zeroed one is allowed. */
void CapturesFinish(Captures *captures);

#endif
