/* SPDX-License-Identifier: Apache-2.0 */
/* Brings the rows of a lane into drawing order. */
#include "lane.h"

#include <opprof/grow.h>
#include <stdlib.h>
#include <string.h>

/* The lowest sub-lane that no earlier row touches. Rows come by end, so the last end of each
 * sub-lane is enough. */
static uint32_t place_row(Lane *lane, const Row *row)
{
    const uint64_t free_from = row->end == UINT64_MAX ? row->end : row->end + 1;
    const uint32_t sub_lane =
        OpprofSubLanesPlace(&lane->sub_lanes, row->start, free_from, LANE_MOST_SUB_LANES);

    if (sub_lane != OPPROF_SUB_LANES_FULL) {
        return sub_lane;
    }
    lane->is_full = true;
    OpprofSubLanesTake(&lane->sub_lanes, LANE_MOST_SUB_LANES - 1, free_from);
    return LANE_MOST_SUB_LANES - 1;
}

/* Sub-lane of a row that takes no room and touches nothing: always the first. */
static uint32_t place_nothing(Lane *lane)
{
    return lane->sub_lanes.count > 0
               ? 0
               : OpprofSubLanesPlace(&lane->sub_lanes, 0, 0, LANE_MOST_SUB_LANES);
}

static OpprofStatus place(Lane *lane, const Row *row, bool is_last_tick, LaneDraw *draw,
                          void *context)
{
    uint32_t sub_lane =
        is_last_tick && row->start == row->end ? place_nothing(lane) : place_row(lane, row);

    if (sub_lane == OPPROF_SUB_LANES_NO_MEMORY) {
        return OPPROF_E_MEMORY;
    }
    return draw(context, lane, row, sub_lane);
}

static void drop_copy(Row *row)
{
    free(row->owned);
    row->owned = NULL;
}

/* Copy the detail of a row unless it is a copy already. */
static OpprofStatus keep_row(Row *row)
{
    if (row->detail == row->owned || row->detail_length == 0) {
        return OPPROF_OK;
    }
    row->owned = malloc(row->detail_length);
    if (row->owned == NULL) {
        return OPPROF_E_MEMORY;
    }
    memcpy(row->owned, row->detail, row->detail_length);
    row->detail = row->owned;
    return OPPROF_OK;
}

static Row *group_at(const Lane *lane, uint32_t i)
{
    return &lane->group[(lane->group_first + i) & (lane->group_capacity - 1)];
}

static OpprofStatus place_oldest(Lane *lane, bool is_last_tick, LaneDraw *draw, void *context)
{
    Row *row = group_at(lane, 0);
    OpprofStatus status = place(lane, row, is_last_tick, draw, context);

    lane->group_bytes -= row->detail_length;
    drop_copy(row);
    lane->group_first = (lane->group_first + 1) & (lane->group_capacity - 1);
    lane->group_count--;
    lane->group_kept -= lane->group_kept > 0;
    return status;
}

static OpprofStatus place_group(Lane *lane, bool is_last_tick, LaneDraw *draw, void *context)
{
    OpprofStatus status = OPPROF_OK;

    while (status == OPPROF_OK && lane->group_count > 0) {
        status = place_oldest(lane, is_last_tick, draw, context);
    }
    return status;
}

/* Takes ownership of the row's copy in every case. */
static OpprofStatus join_group(Lane *lane, Row *row, LaneDraw *draw, void *context)
{
    OpprofStatus status = OPPROF_OK;

    if (lane->group_count == LANE_GROUP_ROWS || lane->group_bytes > LANE_GROUP_BYTES) {
        lane->let_go = true;
        status = place_oldest(lane, false, draw, context);
    }
    if (status == OPPROF_OK &&
        !OpprofGrowRing(&lane->group, &lane->group_capacity, lane->group_first, lane->group_count,
                        sizeof *lane->group)) {
        status = OPPROF_E_MEMORY;
    }
    if (status != OPPROF_OK) {
        drop_copy(row);
        return status;
    }
    *group_at(lane, lane->group_count) = *row;
    row->owned = NULL;
    lane->group_count++;
    lane->group_bytes += row->detail_length;
    return OPPROF_OK;
}

/* The row is the next one of the list. Takes ownership of its copy in every case. */
static OpprofStatus settle(Lane *lane, Row *row, LaneDraw *draw, void *context)
{
    OpprofStatus status = OPPROF_OK;

    if (row->kind == ROW_BAR) {
        row->start = row->end - (row->end > 0);
    }
    if (lane->group_count > 0 && row->end > group_at(lane, 0)->end) {
        status = place_group(lane, false, draw, context);
    }
    if (status == OPPROF_OK && (lane->group_count > 0 || row->start == row->end)) {
        return join_group(lane, row, draw, context);
    }
    if (status == OPPROF_OK) {
        status = place(lane, row, false, draw, context);
    }
    drop_copy(row);
    return status;
}

/* A wait begins at the end of what came before it. */
static uint64_t shortened_start(const Lane *lane, const Row *row)
{
    const bool is_shorter = row->kind == ROW_WAIT && lane->has_rows &&
                            row->start < lane->latest_end && lane->latest_end < row->end;

    return is_shorter ? lane->latest_end : row->start;
}

OpprofStatus LaneAdd(Lane *lane, const Row *row, LaneDraw *draw, void *context)
{
    const uint64_t start = shortened_start(lane, row);
    const bool goes_before = lane->reorders && lane->is_holding && row->end == lane->last_end &&
                             start > lane->last_start;
    const bool passes = goes_before || !lane->reorders;
    Row *place_of_row = &lane->held[!lane->last];

    *place_of_row = *row;
    place_of_row->start = start;
    lane->latest_end = row->end > lane->latest_end ? row->end : lane->latest_end;
    lane->has_rows = true;
    lane->last_start = start;
    lane->last_end = row->end;
    if (passes) {
        return settle(lane, place_of_row, draw, context);
    }
    lane->last = !lane->last;
    if (!lane->is_holding) {
        lane->is_holding = true;
        return OPPROF_OK;
    }
    return settle(lane, &lane->held[!lane->last], draw, context);
}

OpprofStatus LaneKeep(Lane *lane)
{
    OpprofStatus status = lane->is_holding ? keep_row(&lane->held[lane->last]) : OPPROF_OK;

    while (status == OPPROF_OK && lane->group_kept < lane->group_count) {
        status = keep_row(group_at(lane, lane->group_kept));
        lane->group_kept += status == OPPROF_OK;
    }
    return status;
}

OpprofStatus LaneFlush(Lane *lane, LaneDraw *draw, void *context)
{
    OpprofStatus status = OPPROF_OK;

    if (lane->is_holding) {
        lane->is_holding = false;
        status = settle(lane, &lane->held[lane->last], draw, context);
    }
    return status == OPPROF_OK ? place_group(lane, true, draw, context) : status;
}

void LaneFinish(Lane *lane)
{
    if (lane->is_holding) {
        drop_copy(&lane->held[lane->last]);
    }
    for (uint32_t i = 0; i < lane->group_count; i++) {
        drop_copy(group_at(lane, i));
    }
    free(lane->group);
    free(lane->tracks);
    OpprofSubLanesFinish(&lane->sub_lanes);
    *lane = (Lane){ .number = lane->number };
}
