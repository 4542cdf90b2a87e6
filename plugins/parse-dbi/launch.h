/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_DBI_LAUNCH_H
#define PARSE_DBI_LAUNCH_H

#include "area.h"
#include "chart.h"
#include "launch_model.h"
#include "moves.h"
#include "packets.h"
#include "text_file.h"
#include "types.h"

#include <opprof/kit/raw_keeper.h>
#include <opprof/records/dbi.h>
#include <opprof/records/onboard.h>
#include <opprof/stage.h>

enum { OUTPUT_ACCESSES, OUTPUT_MOVES, OUTPUT_TRAFFIC, OUTPUT_RAW };

/* What a file of a launch is. */
typedef enum DbiFile {
    DBI_FILE_OTHER,
    DBI_FILE_INFO,
    DBI_FILE_START,
    DBI_FILE_AREA,
    DBI_FILE_PACKETS,
    DBI_FILE_CHART,
    DBI_FILE_REFUSED /* records that do not count */
} DbiFile;

/* Records of one kind that are left out. */
typedef struct DbiLeftOut {
    uint64_t count;
    uint64_t first; /* offset in the file */
} DbiLeftOut;

/* A launch whose files are arriving. */
typedef struct DbiLaunch {
    OpprofStage *stage;
    DbiModel **models;
    const char *chip; /* parameter */
    const char *op_type;
    uint32_t partition;
    uint32_t device;
    uint32_t kernel;
    uint32_t order;

    DbiText info;
    DbiText start;
    uint64_t start_pc; /* or absent */
    const DbiModel *model;
    bool is_set_up;
    uint32_t memories[DBI_MAX_MEMORIES]; /* interned names */
    uint32_t records[DBI_MAX_TYPES];

    uint32_t file; /* interned; absent: none */
    uint64_t file_size;
    uint64_t file_bytes; /* files that arrived */
    DbiFile kind;
    DbiFile source;        /* file whose records count */
    bool has_records_file; /* records of any content, or another instrumentation's file */
    DbiAreaReader area;
    DbiPacketReader packets;
    DbiHandler handler;
    unsigned char carry[DBI_CHART_MAX];
    uint32_t have;
    uint32_t last_slot; /* of the chart */
    bool is_mixed_up;   /* its slots are not in order */
    DbiLeftOut invalid;
    DbiLeftOut implausible;
    DbiLeftOut nowhere;
    DbiLeftOut beyond;
    DbiLeftOut rough;
    uint64_t without_pc;
    OpprofRawKeeper raw; /* bytes that are not understood */

    OpprofDbiAccess access; /* common to all accesses of the current record */
    uint64_t sub_block;
    Moves moves;
    uint64_t accesses;
    uint64_t taken;       /* records */
    OpprofOpenBatch open; /* of accesses */
    bool has_reader;
    OpprofStatus status; /* the reason why a handler stopped */
    bool is_stopping;
} DbiLaunch;

/* NULL without memory. */
DbiLaunch *DbiLaunchCreate(OpprofStage *stage, DbiModel **models, const char *chip,
                           const char *op_type, uint32_t partition);
void DbiLaunchFree(DbiLaunch *launch);

/* Take a piece of a file. Bad data is reported to the stage and left out. */
OpprofStatus DbiLaunchFeed(DbiLaunch *launch, const OpprofOnboardChunk *chunk, const char *bytes,
                           OpprofError **error);

/* No more files: emit what is held. */
OpprofStatus DbiLaunchEnd(DbiLaunch *launch, OpprofError **error);

#endif
