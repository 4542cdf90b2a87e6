/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIM_TIMELINE_LANE_H
#define SIM_TIMELINE_LANE_H

#include "row_kind.h"
#include <opprof/kit/sub_lanes.h>

#include <opprof/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One row of a core's own timeline. */
typedef struct Row {
    uint64_t start;
    uint64_t end;
    uint64_t pc;
    uint32_t name;   /* interned */
    uint32_t colour; /* interned */
    RowKind kind;
    int64_t bytes;         /* moved between memories; 0: none */
    uint32_t cache_cycles; /* before the row, as in OpprofSimInstruction */
    uint64_t issue;        /* by the control unit */
    uint32_t detail_length;
    const char *detail; /* borrowed from the batch in hand until LaneKeep */
    char *owned;        /* copy of the detail, or NULL */
} Row;

/*
 * A lane of a core's own timeline: brings its rows into drawing order and gives each a sub-lane.
 *
 * Rows come by end. Two rules need a look at what follows:
 *  - a row that ends with the one before it but starts later is drawn before the last one in the
 * list; so the last row is held back;
 *  - the very last tick of a lane does not count, so rows without length at that tick take no
 * room; so such rows, and those after them that end at the same tick, wait until a later end shows
 * that the tick is not the last.
 */
typedef struct Lane {
    uint32_t number;       /* process number in the document */
    bool reorders;         /* the first rule applies (not to SIMT warps) */
    uint32_t first_thread; /* number of its first sub-lane in the document */
    OpprofSubLanes sub_lanes;
    bool is_full;     /* a row had to share the last sub-lane */
    uint32_t *tracks; /* of each sub-lane, for the caller; grown by them */
    uint32_t track_count;
    uint32_t track_capacity;
    const char *label;   /* for people; interned */
    uint32_t label_id;   /* interned */
    uint64_t latest_end; /* of all rows so far */
    bool has_rows;
    uint64_t last_start; /* of the row that came last */
    uint64_t last_end;
    Row held[2];   /* last row of the list, and the one before on its way out */
    unsigned last; /* index of the last row in held */
    bool is_holding;
    Row *group; /* rows that wait for a later end, in a ring */
    uint32_t group_capacity;
    uint32_t group_first;
    uint32_t group_count;
    uint32_t group_kept; /* rows at the front whose details are copies */
    size_t group_bytes;  /* of their copied details */
    bool let_go;         /* some rows are in the wrong sub-lane, because a limit was passed */
    uint64_t drawn;      /* rows; counted by the caller */
} Lane;

#define LANE_MOST_SUB_LANES (1u << 20)
#define LANE_GROUP_ROWS 65536u
#define LANE_GROUP_BYTES (4u << 20)

/* Called for each row in drawing order. */
typedef OpprofStatus LaneDraw(void *context, Lane *lane, const Row *row, uint32_t sub_lane);

/* Add a row. Waits are shortened here. Fails without memory or when draw does. */
OpprofStatus LaneAdd(Lane *lane, const Row *row, LaneDraw *draw, void *context);

/* The current batch is about to go: copy what held rows borrow from it. */
OpprofStatus LaneKeep(Lane *lane);

/* No more rows: draw the held ones. */
OpprofStatus LaneFlush(Lane *lane, LaneDraw *draw, void *context);

void LaneFinish(Lane *lane);

#endif
