/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_ONBOARD_LIVE_PLAN_H
#define COLLECT_ONBOARD_LIVE_PLAN_H

/*
 * The injection library's plan for each selected launch: passes, and in each the open
 * channels with the user data that program them. All of it comes from the chip file (`channels`,
 * `pmu`).
 */

#include <opprof/kit/chip.h>
#include <opprof/kit/live.h>

typedef struct LivePlanWish {
    OpprofLiveReplay replay;
    uint32_t warm_up;
    uint32_t deadline_ms;
    uint32_t round; /* of an application that is run again; otherwise all */
    bool is_basic;  /* only the duration, no events */
    bool is_scaled; /* KernelScale */
    bool clears_cache;
    bool has_monitors;            /* a pass in which monitors of cores write what pipes do */
    bool is_provisional_accepted; /* program registers that were never confirmed on silicon */
    uint32_t monitor_bytes;       /* of each monitor's buffer */
    bool has_samples;             /* a pass with samples of program counters */
    bool has_regions;             /* a pass with a trace of what is between a tool's marks */
    int32_t api_version;          /* of the driver; 0: unknown */
    uint32_t instruments; /* bits of OpprofLiveInstrument: passes with instrumented kernels */
} LivePlanWish;

/* The file for the bytes of a channel. */
typedef struct LivePlanFile {
    uint32_t pass;
    uint32_t channel;
    char name[32];
    uint32_t chunk; /* bytes of the file's pieces, each with a head; 0: unchanged */
    uint16_t core;  /* for the head: number of a covered core, and its part */
    uint16_t part;
    bool is_early; /* of operators that communicate, only a later run of the program counts */
} LivePlanFile;

/* A pass with an instrumented kernel. */
typedef struct LivePlanArea {
    uint32_t pass;
    OpprofLiveArea area;
} LivePlanArea;

typedef struct LivePlan {
    uint8_t *bytes; /* OpprofLivePlan and what follows it */
    size_t size;
    size_t room;
    uint32_t passes;
    LivePlanFile *files;
    uint32_t file_count;
    uint32_t file_room;
    LivePlanArea areas[OPPROF_LIVE_INSTRUMENTS];
    uint32_t area_count;
} LivePlan;

/* Whether the pipes of some cores can be traced through channels, without registers of monitors. */
bool LivePlanHasTrace(const OpprofChip *chip);
/* Whether the chip file says how its channels are programmed. */
bool LivePlanIsKnown(const OpprofChip *chip);
/* Number of passes; each is a run if the application is replayed. */
uint32_t LivePlanRounds(const OpprofChip *chip, const LivePlanWish *wish);
OpprofStatus LivePlanMake(const OpprofChip *chip, const LivePlanWish *wish, LivePlan *ret_plan,
                          OpprofError **error);
/* The file of a channel; NULL: the pass has no such channel. */
const LivePlanFile *LivePlanFind(const LivePlan *plan, uint32_t pass, uint32_t channel);
/* The record area of a pass; NULL: it has none. */
const OpprofLiveArea *LivePlanFindArea(const LivePlan *plan, uint32_t pass);
/* The file of a core's monitor. False: no monitor has that number. */
bool LivePlanMonitorFile(const char *chip, uint32_t channel, char *name, size_t size);
void LivePlanFinish(LivePlan *plan);

#endif
