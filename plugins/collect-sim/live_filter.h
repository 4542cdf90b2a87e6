/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_LIVE_FILTER_H
#define COLLECT_SIM_LIVE_FILTER_H

/* Which launches are wanted: by name, after some are skipped, up to a number; each process and device counts by itself. */

#include <opprof/kit/live.h>

typedef struct LiveCount {
    uint32_t client;
    uint32_t device;
    uint32_t skipped;
    uint32_t collected;
} LiveCount;

typedef struct LiveFilter {
    const char *names;     /* '|' between; NULL: any. Borrowed */
    uint32_t launch_count; /* collect so many */
    uint32_t launch_skip;  /* after so many that ask */
    LiveCount *counts;
    uint32_t count_count;
    uint32_t count_room;
    uint64_t launches; /* that asked */
    uint64_t matches;  /* of those, whose name is wanted */
} LiveFilter;

/* Whether a list is one: entries of letters, digits, '_' and '*' with '|' between. */
bool LiveNamesAreGood(const char *names);
/* Whether a kernel's name begins with an entry, or an entry with '*' matches it. NULL: any name does. */
bool LiveNamesMatch(const char *names, const char *name);

/* A launch asks. Without memory the answer is OPPROF_LIVE_PASS. */
OpprofLiveDecision LiveFilterAsk(LiveFilter *filter, uint32_t client, uint32_t device,
                                 const char *name);
/* Whether a process has all that it may have on a device. */
bool LiveFilterIsFull(const LiveFilter *filter, uint32_t client, uint32_t device);
void LiveFilterFinish(LiveFilter *filter);

#endif
