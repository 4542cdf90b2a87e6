/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_ONBOARD_LIVE_LAUNCHES_H
#define COLLECT_ONBOARD_LIVE_LAUNCHES_H

/*
 * The profiled launches of running programs: their raw bytes as files, in a folder for each launch,
 * so that processes, threads and devices do not mix, and what programs report about them.
 */

#include "discovery.h"
#include "instrumenter.h"
#include "live_plan.h"

#include <opprof/kit/live_host.h>
#include <opprof/output.h>
#include <opprof/stage.h>

typedef struct LiveFile {
    OpprofOutputFile *file; /* NULL: it is complete */
    char name[32];
} LiveFile;

/* An instrumented kernel; launches share it. */
typedef struct LiveMade {
    uint8_t *kernel; /* as it was */
    size_t kernel_size;
    uint32_t kind;
    uint32_t argument;
    Instrumented made;
    struct LiveMade *next;
} LiveMade;

/* Bytes that a channel has delivered for its file's next piece. */
typedef struct LiveChunk {
    LivePlanFile file; /* a copy: another run of the program has another plan */
    uint8_t *data;
    size_t used;
    size_t room;
    uint32_t written; /* pieces */
} LiveChunk;

typedef struct LiveLaunch {
    uint32_t id;     /* from 1 */
    uint32_t client; /* number, in this run of the program */
    uint32_t pid;
    uint32_t device;
    uint32_t blocks;
    uint32_t round; /* the last one in which the program made a launch that corresponds to it */
    char name[OPPROF_LIVE_MOST_NAME + 1]; /* of the kernel */
    Launch launch;                        /* in the emitter's form */
    LiveFile *files;
    uint32_t file_count;
    uint32_t file_room;
    LiveChunk *chunks;
    uint32_t chunk_count;
    uint32_t chunk_room;
    OpprofLiveOutcome outcome;
    uint8_t *kernel; /* its ELF file, if it is to be instrumented */
    size_t kernel_size;
    size_t kernel_room;
    const LiveMade *made;     /* the requested kernel, instrumented; NULL: none */
    uint64_t area_bytes;      /* bytes so far of a record area that is taken as a whole */
    struct LiveLaunch *range; /* whose files contain its passes; NULL: none */
    uint32_t *operators;      /* for a range: in launch order; 0: not wanted */
    uint32_t operator_count;
    uint32_t unfinished; /* of them */
    bool has_simt;       /* warps of it ran */
    bool is_complete;    /* its files are complete, and it waits for its share of its range's */
    bool is_of_range;    /* its raw files are shared out, so they are in a folder of their own */
    bool is_joint;       /* it communicates with other devices, which launch it as well */
    bool is_running;     /* in the program */
    bool has_ended;      /* no more will come */
} LiveLaunch;

typedef struct LiveLaunches {
    OpprofStage *stage;
    int results;              /* the directory, open. Borrowed, set by the owner */
    const char *results_path; /* the same */
    OpprofLiveFilter filter;
    OpprofLiveFilter first_run; /* its sums, once the program runs again */
    LivePlanWish wish;
    const char *chip; /* NULL: as the program says */
    OpprofChip *facts;
    char soc[64];
    LivePlan plan;
    bool has_plan;
    bool is_plan_given; /* to a process: it stays, in this run of the program */
    uint32_t instrumenter_seconds;
    const char *instrumenter;   /* tool set by name; NULL: none */
    const char *pipes;          /* pipes whose instructions get marks; "": all */
    uint32_t instruments_asked; /* bits of those that a metric requests */
    LiveMade *made;             /* all of them */
    bool has_warned_tool;       /* the missing tool was reported */
    bool is_single;             /* the results of the first launch lie at the top */
    uint32_t rounds;            /* number of runs of the program that make up each launch */
    uint32_t round;
    LiveLaunch **list;
    uint32_t count;
    uint32_t room;
    LiveLaunch **ranges; /* ranges that were repeated; not launches, but places of files */
    uint32_t range_count;
    uint32_t range_room;
    uint64_t clients; /* clients that said hello */
    bool wants_end;   /* the last launch that its process may have profiled has ended */
} LiveLaunches;

/* Give each launch of complete ranges its share of the range's files. */
OpprofStatus LiveLaunchesShareOut(LiveLaunches *launches, const Patterns *patterns,
                                  OpprofError **error);

/* Events of a server go here. */
OpprofLiveEvents LiveLaunchesEvents(LiveLaunches *launches);
/* Call before the program's n-th run, from 0. */
void LiveLaunchesRound(LiveLaunches *launches, uint32_t round);
/* Whether a process is profiling one right now. */
bool LiveLaunchesRun(const LiveLaunches *launches);
/* Launches that have data. */
uint32_t LiveLaunchesProfiled(const LiveLaunches *launches);
/* Launches that have not ended will not end any more. */
void LiveLaunchesCut(LiveLaunches *launches);
void LiveLaunchesFinish(LiveLaunches *launches);

#endif
