/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_DBI_LAUNCH_H
#define PARSE_DBI_LAUNCH_H

#include "area.h"
#include "chart.h"
#include "moves.h"
#include "packets.h"
#include "types.h"

#include <opprof/kit/launch_reader.h>
#include <opprof/records/dbi.h>
#include <opprof/records/onboard.h>

enum { OUTPUT_ACCESSES, OUTPUT_MOVES, OUTPUT_TRAFFIC, OUTPUT_RAW };

/* The forms in which records come. */
typedef enum DbiForm { DBI_FORM_NONE, DBI_FORM_AREA, DBI_FORM_PACKETS, DBI_FORM_CHART } DbiForm;

/* Facts derived from a chip. */
typedef struct DbiModel {
    DbiTables tables;
    MovePaths paths;
} DbiModel;

/* Records of one kind that are left out. */
typedef struct DbiLeftOut {
    uint64_t count;
    uint64_t first; /* offset in the file */
} DbiLeftOut;

/* A launch whose files are arriving. */
typedef struct DbiLaunch {
    OpprofLaunch base;
    const char *op_type;
    uint64_t start_pc;                   /* or absent */
    const DbiModel *model;               /* NULL: no records yet */
    uint32_t memories[DBI_MAX_MEMORIES]; /* interned names */
    uint32_t records[DBI_MAX_TYPES];

    DbiForm source; /* the one that counts */
    DbiAreaReader area;
    DbiPacketReader packets;
    DbiHandler handler;
    uint32_t last_slot; /* of the chart */
    bool is_mixed_up;   /* its slots are not in order */
    uint64_t halves[2]; /* hashes of its records before and after its middle */
    DbiLeftOut invalid;
    DbiLeftOut implausible;
    DbiLeftOut nowhere;
    DbiLeftOut beyond;
    DbiLeftOut rough;
    uint64_t without_pc;

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

/* How launches are read. An instance is a DbiParser. */
extern const OpprofLaunchParser dbi_launch_parser;

typedef struct DbiParser {
    OpprofLaunchReader reader;
    const char *op_type;
    bool is_required; /* launches have records, or lack them */
} DbiParser;

#endif
