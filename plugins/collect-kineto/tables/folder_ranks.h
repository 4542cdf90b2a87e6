/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_TABLES_FOLDER_RANKS_H
#define COLLECT_KINETO_TABLES_FOLDER_RANKS_H

/* The ranks of an Ascend profiler's directories, named as the collector names them. */

#include "collect-kineto/formats/ascend_folders.h"

#include <opprof/records/rank_file.h>
#include <opprof/stage.h>

/* A rank that the collector read. */
typedef struct Seat {
    OpprofRankFile file;
    uint32_t clock;
} Seat;

typedef struct FolderRank {
    uint32_t name;    /* interned */
    const Seat *seat; /* NULL: the directory has no trace that was read */
} FolderRank;

typedef struct FolderRanks {
    Seat *seats;
    size_t seat_count;
    size_t seat_room;
    FolderRank *of; /* of each directory, once they are named */
} FolderRanks;

/* Note the ranks in a batch of opprof_rank_file_type. False without memory. */
bool FolderRanksTake(FolderRanks *ranks, const OpprofBatch *batch);
/*
 * After all ranks: name that of each directory. One whose trace was read has its name, so
 * "0-cycle2" for a later recording of rank 0; another is called by the number that its files or
 * names give, or else by its place, and "0#2" if that is another's name. False without memory.
 */
bool FolderRanksName(FolderRanks *ranks, OpprofStage *stage, const AscendFolders *folders);
/* A zeroed one is allowed. */
void FolderRanksFinish(FolderRanks *ranks);

#endif
