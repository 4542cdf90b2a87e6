/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_SIM_COMMON_LAUNCHES_H
#define ANALYSE_SIM_COMMON_LAUNCHES_H

/*
 * The launches of a run, as an analysis of simulated cores sees them: which core belongs to which
 * launch, and when all of a core, and all cores of a launch, have arrived.
 */

#include <opprof/records/sim.h>
#include <opprof/stage.h>
#include <pthread.h>
#include <stddef.h>

/*
 * Where the results of a launch lie: the parts of its folder, interned. All are absent for the
 * output directory itself.
 */
typedef struct SimPlace {
    uint32_t device;
    uint32_t kernel;
    uint32_t order;
    uint32_t reserved;
} SimPlace;

#define SIM_PLACE_PART(record, part)                                                               \
    {                                                                                              \
        .name = #part, .kind = OPPROF_FIELD_STRING,                                                \
        .offset = (uint32_t) offsetof(record, place.part),                                         \
        .meaning = "Part of the results' folder.", .absent = "it has no such part",                \
        .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_HIDDEN                                            \
    }
/*
 * The last fields of a table whose record ends with a SimPlace `place`. The type of launches
 * without a folder leaves them out: it has so many fields fewer, and is as long as offsetof(record,
 * place).
 */
#define SIM_PLACE_FIELDS(record)                                                                   \
    SIM_PLACE_PART(record, device), SIM_PLACE_PART(record, kernel), SIM_PLACE_PART(record, order)
#define SIM_PLACE_COUNT 3u
#define SIM_PLACE_HINT "<device>/<kernel>/<order>/"

typedef struct SimLaunch {
    uint32_t folder; /* interned; OPPROF_NA_STRING: the output directory itself */
    SimPlace place;
    void *own;      /* the analysis's, for all its instances */
    uint32_t ended; /* cores; guarded by the launches' lock */
    struct SimLaunch *next;
} SimLaunch;

typedef struct SimLaunchOps {
    void *(*open)(void *context, const SimLaunch *launch); /* makes `own`; NULL without memory */
    void (*close)(void *own);
} SimLaunchOps;

/* Shared by all instances of a stage. */
typedef struct SimLaunches {
    OpprofStage *stage;
    const SimLaunchOps *ops;
    void *context;        /* of `open` */
    pthread_mutex_t lock; /* guards what follows */
    SimLaunch *list;      /* in the order of their first records */
    uint32_t flushed;     /* instances */
} SimLaunches;

/* All arguments are borrowed. NULL without memory. */
SimLaunches *SimLaunchesCreate(OpprofStage *stage, const SimLaunchOps *ops, void *context);
/* NULL is allowed. */
void SimLaunchesDestroy(SimLaunches *launches);
/* The launch of a core, by the partition of its batches; NULL without memory. [any instance] */
SimLaunch *SimLaunchesFind(SimLaunches *launches, uint32_t partition);
/* One of `cores` cores of a launch is done. True: it was the last one. [any instance] */
bool SimLaunchesEndCore(SimLaunches *launches, SimLaunch *launch, uint32_t cores);
/* All of a launch is done. [any instance] */
void SimLaunchesClose(SimLaunches *launches, SimLaunch *launch);
/* Called once by each instance, when it is done. True: it is the last, so all launches are done. */
bool SimLaunchesEndInstance(SimLaunches *launches);

/* The parts of a folder. */
SimPlace SimPlaceOf(OpprofStage *stage, uint32_t folder);
/* Interned name of the core of a partition, without its launch. */
uint32_t SimCoreName(OpprofStage *stage, uint32_t partition);

/* Kinds of records that come for a core; what follows is indexed by them. */
enum { SIM_INSTRUCTIONS, SIM_MARKS, SIM_MISSES, SIM_ISSUES, SIM_KINDS };

/* A core of which not all has arrived. */
typedef struct SimCore {
    uint32_t partition; /* of its batches */
    void *own;          /* the analysis's */
    uint64_t records[SIM_KINDS];
    OpprofSimCoreEnd end;
    bool has_end;
} SimCore;

/* The cores of an instance. Zeroed memory has none. */
typedef struct SimCores {
    SimCore *list;
    uint32_t count;
    uint32_t capacity;
    uint32_t latest; /* place of the one that was found last */
} SimCores;

/* The core of a partition, NULL if it has no core. Valid until one is added or taken. */
SimCore *SimCoresFind(SimCores *cores, uint32_t partition);
/* Add a core; NULL without memory. */
SimCore *SimCoresAdd(SimCores *cores, uint32_t partition, void *own);
/* A batch of a core arrives: of a kind, or its end with SIM_KINDS. */
void SimCoreSee(SimCore *core, unsigned kind, const OpprofBatch *batch);
/* Whether all records of the wanted kinds have arrived, a bit for each. */
bool SimCoreIsWhole(const SimCore *core, unsigned kinds);
/* Take a core out of the list. */
SimCore SimCoresTake(SimCores *cores, const SimCore *core);
/* Free the list, but not what the cores own. */
void SimCoresFinish(SimCores *cores);

#endif
