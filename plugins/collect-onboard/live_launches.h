/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_ONBOARD_LIVE_LAUNCHES_H
#define COLLECT_ONBOARD_LIVE_LAUNCHES_H

/*
 * The launches of running programs that are profiled: their raw bytes as files in a folder each, so that
 * processes, threads and devices do not mix, and what programs say about them.
 */

#include "discovery.h"
#include "live_plan.h"

#include <opprof/kit/live_host.h>
#include <opprof/output.h>
#include <opprof/stage.h>

#define LIVE_MOST_FILES 64u /* of a launch */

typedef struct LiveFile {
    OpprofOutputFile *file; /* NULL: it is complete */
    char name[32];
} LiveFile;

typedef struct LiveLaunch {
    uint32_t id;     /* from 1 */
    uint32_t client; /* number, in this run of the program */
    uint32_t pid;
    uint32_t device;
    uint32_t blocks;
    char name[OPPROF_LIVE_MOST_NAME + 1]; /* of the kernel */
    Launch launch;                        /* as the emitter takes it */
    LiveFile files[LIVE_MOST_FILES];
    uint32_t file_count;
    OpprofLiveOutcome outcome;
    bool is_running; /* in the program */
    bool has_ended;  /* no more will come */
} LiveLaunch;

typedef struct LiveLaunches {
    OpprofStage *stage;
    OpprofLiveFilter filter;
    LivePlanWish wish;
    const char *chip; /* NULL: what the program says */
    OpprofChip *facts;
    char soc[64];
    LivePlan plan;
    bool has_plan;
    bool is_single;  /* the results of the first launch lie at the top */
    uint32_t rounds; /* runs of the program that make up each launch */
    uint32_t round;
    uint32_t sequence; /* launches wanted in this round */
    LiveLaunch **list;
    uint32_t count;
    uint32_t room;
    uint64_t clients; /* that said hello */
    bool wants_end;   /* a launch that completes its process's number has ended */
} LiveLaunches;

/* Events of a server go to here. */
OpprofLiveEvents LiveLaunchesEvents(LiveLaunches *launches);
/* The program is about to be run, for the n-th time from 0. */
void LiveLaunchesRound(LiveLaunches *launches, uint32_t round);
/* Those that have not ended will not any more. */
void LiveLaunchesCut(LiveLaunches *launches);
/* Remove the raw files, but not the kernel. */
void LiveLaunchTidy(const LiveLaunch *launch);
void LiveLaunchesFinish(LiveLaunches *launches);

#endif
