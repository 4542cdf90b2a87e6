/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_READ_WORK_H
#define COLLECT_SIM_READ_WORK_H

/*
 * The cores of a dump as a list of work that all instances of the stage share. Every core is read
 * twice; the second readings begin when all first ones are done, because only then it is known
 * which cores claim the same logical name. Bigger cores go first.
 */

#include "facts.h"
#include "moves.h"
#include "collect-sim/pairing/pairing.h"
#include <opprof/stage.h>
#include <pthread.h>
#include <stdatomic.h>

typedef struct WorkCore {
    FoundCore *found;
    /* from the first reading to the end of the second; NULL: nothing to pair. Already counted if
     * lines came while they were logged */
    Pairing *pairing;
    char *name; /* its name in the results, after the folder of its launch; NULL: it is left out */
    uint64_t bytes;     /* of all its readings */
    PairingEnd end;     /* valid when its first reading is over, if is_counted */
    uint64_t lowest_pc; /* the same; see PairingLowestPc */
    bool is_counted;
    bool lacks_records; /* and that has been reported */
    uint32_t id;        /* for filters, see WorkCoreId; valid when its first reading has found it */
    bool has_id;
} WorkCore;

/* The log of a core's memory transfer engines. */
typedef struct WorkMte {
    uint32_t core;
    SimFiles files;
    Moves *moves; /* of its instructions; NULL: the chip's file names none */
} WorkMte;

typedef struct Work {
    SimFacts facts;
    bool knows_end;     /* the logs have been seen to end, as those of a running program are */
    const char *launch; /* folder of the results, borrowed; NULL: the output directory itself */
    FoundCores found;
    WorkCore *cores;      /* as found.cores */
    WorkCore **order;     /* the same, biggest first */
    uint64_t wanted;      /* a bit per core id */
    bool has_filter;      /* only wanted ids count */
    bool has_overhead;    /* CCU logs are wanted */
    uint64_t bytes;       /* of all readings of all cores */
    pthread_mutex_t lock; /* guards what follows, and `name` of all cores until they are final */
    pthread_cond_t ready; /* signalled when first_left has become 0 */
    uint32_t first_next;  /* place in `order` */
    uint32_t first_left;  /* cores whose first reading is not over */
    uint32_t second_next;
    uint32_t paired; /* cores with a second reading; valid when all first readings are over */
    WorkMte *mte;    /* set before work is handed out; NULL: those logs are not wanted */
    uint32_t mte_count;
    uint32_t mte_next;
    bool names_failed; /* no memory to name the cores */
} Work;

/*
 * Look through a directory and load the facts of its chip.
 *
 * @param chip  Name, or NULL to guess; then *ret_guessed is set.
 */
OpprofStatus WorkCreate(const char *directory, uint64_t max_file_size, const char *chip,
                        Work **ret_work, bool *ret_guessed, OpprofError **error);
void WorkDestroy(Work *work);

/* Leave out the cores that are not among `ids`, a bit per id. */
void WorkFilter(Work *work, uint64_t ids);

/* Look for the CCU logs of all cores. */
OpprofStatus WorkFindCcu(Work *work, const char *directory, uint64_t max_file_size,
                         OpprofError **error);
/* Look for the logs of memory transfer engines, which are added to the list of work. */
OpprofStatus WorkFindMte(Work *work, const char *directory, uint64_t max_file_size,
                         OpprofError **error);
/* The log of a core with a number; NULL: none. */
WorkMte *WorkFindMteOf(const Work *work, uint32_t number);
/* Instructions that make requests in those logs: an array of names; NULL: the chip's file names
 * none. */
const OpprofFact *WorkMoves(const Work *work);
/* The next of them, NULL: none is left. [any thread] */
WorkMte *WorkTakeMte(Work *work);

/* The next core for the first reading, NULL: none is left. [any thread] */
WorkCore *WorkTakeFirst(Work *work);
/* A core's first reading is over, with or without a result. True: it was the
 * last one. [any thread] */
bool WorkEndFirst(Work *work);
/* The smallest popped address of all cores; UINT64_MAX: none, or not all first readings are over.
 */
uint64_t WorkLowestPc(Work *work);
/* The next id, from `id` on, that is wanted but that no core has; OPPROF_NA_U32: none. All first
 * readings are over. */
uint32_t WorkNextAbsent(const Work *work, uint32_t id);
/* Result of WorkTakeSecond. */
typedef enum WorkAnswer {
    WORK_NONE = 0, /* all cores are handed out */
    WORK_CORE = 1, /* one core */
    WORK_WAIT = 2, /* first readings are not over; it has waited for a while */
    WORK_LOST = 3  /* no memory */
} WorkAnswer;
/* The next core for the second reading. May wait for some milliseconds. [any thread] */
WorkAnswer WorkTakeSecond(Work *work, WorkCore **ret_core);

/* Interned SoC whose facts apply. */
uint32_t WorkChip(const Work *work, OpprofStage *stage);
/* How lines of a chip's simulator pair up. `left_out` as in PairingOptions, and borrowed. */
PairingOptions WorkPairing(const SimFacts *facts, const char *left_out);

/* The id of a core for filters: the logical block if the chip has logical cores, else the number in
 * its name. */
uint32_t WorkCoreId(const Work *work, const WorkCore *core);
/* Whether the filter keeps a core. */
bool WorkIsWanted(const Work *work, uint32_t id);

/*
 * Name all cores: each has its logical name if it is the first in key order to claim it, else its
 * physical one; if that is taken too, a number follows it.
 */
bool WorkNameCores(Work *work);

#endif
