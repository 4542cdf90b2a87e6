/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keeps the rows of ranks until all ranks are complete.
 * Tested by tests/plugins/analyse-trace/test_rank_rows.
 */
#include "analyse-trace/common/rank_rows.h"

#include <opprof/grow.h>

#include <stdlib.h>
#include <string.h>

#define RECENT_BYTES ((size_t) 16 << 10) /* written to the spool at once */
#define ROWS_AT_ONCE 64u                 /* read at once */

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "put rows aside");
}

/* Without an output directory, the spool has no place for a file. */
static OpprofStatus empty_recent(RankRows *rows, OpprofStage *stage, OpprofError **error)
{
    OpprofOutputDirectory *directory = OpprofStageOutput(stage);
    uint64_t unused;
    OpprofStatus status;

    rows->spool.most_memory = directory == NULL ? SIZE_MAX : 1;
    status =
        OpprofSpoolAppend(&rows->spool, directory, rows->recent, rows->recent_size, &unused, error);
    if (status == OPPROF_OK) {
        rows->recent_size = 0;
    }
    return status;
}

/* The part of a rank, the last one. NULL without memory. */
static RankPart *find_part(RankRows *rows, uint32_t rank)
{
    if (rows->part_count > 0 && rows->parts[rows->part_count - 1].rank == rank) {
        return &rows->parts[rows->part_count - 1];
    }
    if (!OpprofGrow(&rows->parts, &rows->part_capacity, rows->part_count + 1,
                    sizeof *rows->parts)) {
        return NULL;
    }
    rows->parts[rows->part_count] =
        (RankPart){ .offset = rows->spool.total + rows->recent_size, .rank = rank };
    return &rows->parts[rows->part_count++];
}

OpprofStatus RankRowsAdd(RankRows *rows, OpprofStage *stage, uint32_t rank, const void *row,
                         size_t row_size, OpprofError **error)
{
    const size_t room = RECENT_BYTES > row_size ? RECENT_BYTES : row_size;
    OpprofStatus status = OPPROF_OK;
    RankPart *part;

    if (rows->recent == NULL) {
        rows->recent = malloc(room);
        rows->row_size = row_size;
    }
    if (rows->recent == NULL) {
        return no_memory(error);
    }
    if (rows->recent_size + row_size > room) {
        status = empty_recent(rows, stage, error);
    }
    if (status != OPPROF_OK) {
        return status;
    }
    part = find_part(rows, rank);
    if (part == NULL) {
        return no_memory(error);
    }
    memcpy(rows->recent + rows->recent_size, row, row_size);
    rows->recent_size += row_size;
    part->count++;
    return OPPROF_OK;
}

/* Most ranks are numbers; of ranks with the same name the first comes first. */
static int compare_parts(const void *a, const void *b, void *stage)
{
    const RankPart *left = a;
    const RankPart *right = b;
    const int order =
        strverscmp(OpprofStageString(stage, left->rank), OpprofStageString(stage, right->rank));

    return order != 0 ? order : (left->offset > right->offset) - (left->offset < right->offset);
}

/* Bytes at an offset: from the spool, from what is not written yet, or from both. */
static OpprofStatus load(const RankRows *rows, uint64_t offset, size_t size, char *out,
                         OpprofError **error)
{
    const uint64_t before = offset < rows->spool.total ? rows->spool.total - offset : 0;
    const size_t spooled = before < size ? (size_t) before : size;
    OpprofStatus status = OPPROF_OK;

    if (spooled > 0) {
        status = OpprofSpoolRead(&rows->spool, offset, spooled, out, error);
    }
    if (spooled < size) {
        memcpy(out + spooled, rows->recent + (offset + spooled - rows->spool.total),
               size - spooled);
    }
    return status;
}

static OpprofStatus visit_part(const RankRows *rows, const RankPart *part, char *room,
                               RankRowsTake *take, void *context, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    for (uint32_t at = 0; status == OPPROF_OK && at < part->count; at += ROWS_AT_ONCE) {
        const uint32_t left = part->count - at;
        const uint32_t count = left < ROWS_AT_ONCE ? left : ROWS_AT_ONCE;

        status = load(rows, part->offset + (uint64_t) at * rows->row_size, count * rows->row_size,
                      room, error);
        for (uint32_t i = 0; status == OPPROF_OK && i < count; i++) {
            status = take(context, room + i * rows->row_size);
        }
    }
    return status;
}

OpprofStatus RankRowsVisit(RankRows *rows, OpprofStage *stage, RankRowsTake *take, void *context,
                           OpprofError **error)
{
    char *room = malloc(ROWS_AT_ONCE * rows->row_size + 1);
    OpprofStatus status = room == NULL ? no_memory(error) : OPPROF_OK;

    if (rows->part_count > 1) {
        qsort_r(rows->parts, rows->part_count, sizeof *rows->parts, compare_parts, stage);
    }
    for (size_t i = 0; status == OPPROF_OK && i < rows->part_count; i++) {
        status = visit_part(rows, &rows->parts[i], room, take, context, error);
    }
    free(room);
    return status;
}

/* Rows on their way, and how large they are. */
typedef struct Way {
    Rows *out;
    size_t row_size;
} Way;

static OpprofStatus push(void *context, void *row)
{
    const Way *way = context;
    void *place = RowsNext(way->out);

    if (place != NULL) {
        memcpy(place, row, way->row_size);
    }
    return way->out->status;
}

OpprofStatus RankRowsPush(RankRows *rows, Rows *out, OpprofError **error)
{
    Way way = { .out = out, .row_size = rows->row_size };

    return RankRowsVisit(rows, out->stage, push, &way, error);
}

OpprofStatus RankRowsPut(RankRows *rows, OpprofStage *stage, uint32_t port, OpprofError **error)
{
    Rows out = { .stage = stage, .port = port };
    const OpprofStatus status = RankRowsPush(rows, &out, error);

    return status == OPPROF_OK ? RowsEnd(&out) : status;
}

void RankRowsFinish(RankRows *rows)
{
    free(rows->parts);
    free(rows->recent);
    OpprofSpoolFinish(&rows->spool);
    *rows = (RankRows){ .parts = NULL };
}
