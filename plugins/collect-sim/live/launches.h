/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_LIVE_LAUNCHES_H
#define COLLECT_SIM_LIVE_LAUNCHES_H

/*
 * The operators of a live run. Each is recorded in a directory of its own, so that several
 * processes, threads and devices do not mix, and its records are counted as they arrive.
 */

#include "counts.h"
#include "dumps.h"
#include "spool.h"
#include <opprof/kit/live_host.h>
#include <opprof/map.h>
#include <opprof/stage.h>

typedef struct LiveLaunch {
    uint32_t id;     /* from 1 */
    uint32_t client; /* number */
    uint32_t device;
    char name[OPPROF_LIVE_MOST_NAME + 1]; /* of the kernel */
    char group[240];                      /* its kernel on its device: "device0/<kernel>/" */
    uint32_t order;                       /* among the launches of its group, from 0 */
    uint32_t followers;                   /* of the first of a group: those after it */
    /* of its results, below those of the run: the group and its order; "" for the first of all */
    char folder[260];
    LiveSpool spool;
    LiveCounts *counts; /* NULL: they were handed over, or must be read from the files */
    bool has_ended;
    bool is_read;   /* its records were sent */
    bool is_dumped; /* its simulator writes dump files itself */
    bool is_shared; /* and another process's did so while it ran */
} LiveLaunch;

typedef struct LiveLaunches {
    OpprofStage *stage;
    int results; /* the directory, open. Borrowed, set by the owner */
    OpprofLiveFilter filter;
    const char *chip; /* NULL: as the first program says */
    bool has_flags;   /* instructions that set flags and wait for them count */
    SimFacts facts;   /* of the first one's chip; facts.chip NULL: unknown yet */
    bool has_facts;
    char soc[64];
    LiveCountsBudget budget;
    LiveDumps dumps; /* of programs without log callbacks */
    uint32_t *mute;  /* numbers of their clients */
    uint32_t mute_count;
    uint32_t mute_room;
    LiveLaunch **list;
    OpprofTextMap groups; /* the first launch of each in the list */
    uint32_t count;
    uint32_t room;
    uint64_t clients; /* clients that said hello */
    bool wants_end;   /* the last operator that its process may have collected has ended */
} LiveLaunches;

/* Events of a server go here. */
OpprofLiveEvents LiveLaunchesEvents(LiveLaunches *launches);
/* Its counts are handed over, or not needed any more. */
void LiveLaunchForgetCounts(LiveLaunch *launch);
/* Operators that have not ended will not end any more. */
void LiveLaunchesCut(LiveLaunches *launches);
void LiveLaunchesFinish(LiveLaunches *launches);

#endif
