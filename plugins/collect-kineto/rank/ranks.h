/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_RANK_RANKS_H
#define COLLECT_KINETO_RANK_RANKS_H

#include "collect-kineto/formats/files.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Shared by the instances of a stage: the files, which of them is next, and the ranks found so far.
 * Files are read at the same time, but ranks are entered and emitted one after another, in the
 * order of the files, so that nothing downstream depends on chance.
 */
typedef struct Ranks Ranks;

#define RANK_NAME_MAX 64u

/* Time that a trace covers. */
typedef struct RankTimes {
    int64_t from_ns;
    int64_t to_ns;
    int64_t own_ns; /* from_ns as the trace says it, without its base */
} RankTimes;

/* A rank's part in the run. */
typedef struct RankSeat {
    /* Its number; "0-cycle2" for a later recording of rank 0, "0#2" for one that runs at the same
     * time. */
    char name[RANK_NAME_MAX];
    bool is_second;    /* another file has the same rank at the same time */
    bool is_far;       /* its times cannot be compared with those of the first rank */
    int64_t offset_ps; /* of its earliest time from that of the first rank entered */
    int64_t epoch_ns;  /* earliest time of the first rank as its trace states it; 0: no times yet */
} RankSeat;

/* Takes ownership of the files. On NULL (no memory) they stay the caller's. `most_bytes`: what the
 * traces that are being read may hold, all together. */
Ranks *RanksCreate(TraceFiles *files, uint64_t most_bytes);
/* NULL is allowed. */
void RanksDestroy(Ranks *ranks);

/* Number of files, and path of one; borrowed. */
size_t RanksFileCount(const Ranks *ranks);
const char *RanksFile(const Ranks *ranks, size_t file);

/* The next free file, or false. The taker enters and leaves it, or skips it. [any thread] */
bool RanksTake(Ranks *ranks, size_t *ret_file);

/* True when earlier files may never be settled any more. */
typedef bool RanksIsStopping(const void *context);

/*
 * The trace being read from a file holds so many bytes now. If all traces together hold more than
 * they may, wait until all earlier files are left or skipped, or until there is room, or until
 * is_stopping(context): the first one that is not settled never waits. [any thread]
 */
void RanksHold(Ranks *ranks, size_t file, uint64_t bytes, RanksIsStopping *is_stopping,
               const void *context);

/* The rank of a file, by its text. */
typedef struct RankEntry {
    size_t file;
    int64_t rank;
    const RankTimes *times; /* NULL if it has none */
} RankEntry;

/*
 * Enter the rank of a file, waiting until all earlier files are left or skipped, or until
 * is_stopping(context). False without memory. [any thread]
 */
bool RanksEnter(Ranks *ranks, const RankEntry *entry, RanksIsStopping *is_stopping,
                const void *context, RankSeat *ret_seat);

/* The rank of an entered file has been emitted. [any thread] */
void RanksLeave(Ranks *ranks, size_t file);

/*
 * Whether a file that is of the host alone must be a rank after all: it is the last one, and no
 * other has one. Waits like RanksEnter. [any thread]
 */
bool RanksNeedHost(Ranks *ranks, size_t file, RanksIsStopping *is_stopping, const void *context);

/* Note whether a rank has anything to analyse, and what it has instead. [any thread] */
void RanksNoteContents(Ranks *ranks, bool has_any, const char *instead);

/* The file has no rank; does not wait. [any thread] */
void RanksSkip(Ranks *ranks, size_t file);

/* A trace says how many ranks there are; the largest number counts. [any thread] */
void RanksNoteWorld(Ranks *ranks, int64_t world_size);

/* Ranks of the world that were not entered. */
typedef struct RanksLack {
    int64_t world_size;
    uint64_t count;
    char names[96]; /* of the first ones */
} RanksLack;

/* True for the one call that first finds all files settled and ranks missing. [any thread] */
bool RanksLackSome(Ranks *ranks, RanksLack *ret_lack);

/* True for the one call that first finds all files settled and nothing to analyse in any of them;
 * *ret_instead is what the first of them has. [any thread] */
bool RanksHaveNothing(Ranks *ranks, const char **ret_instead);

/* Path of a file beside the traces that is not read, NULL after the last one. Borrowed. */
const char *RanksUnread(const Ranks *ranks, size_t i);

/* True once every file was skipped: none was a trace. [any thread] */
bool RanksAllSkipped(Ranks *ranks);

#endif
