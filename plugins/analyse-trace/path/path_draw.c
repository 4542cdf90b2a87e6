/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Draws critical paths on lines beside the timelines.
 * Tested by tests/plugins/analyse-trace/test_critical_path.
 */
#include "analyse-trace/path/path_draw.h"

#include <stdlib.h>

/* A drawn piece of a path. */
typedef struct Piece {
    uint32_t rank; /* number among all ranks */
    uint32_t part;
    uint32_t name;
    uint32_t reserved;
    uint64_t start;
    uint64_t end;
} Piece;

static OpprofStatus put_piece(const PathWriter *writer, uint32_t port, uint32_t partition,
                              uint32_t track, const Piece *piece)
{
    const OpprofText none = { OPPROF_NA_U32, 0 };
    const OpprofSpan span = { .start = piece->start,
                              .duration = piece->end - piece->start,
                              .track = track,
                              .kind = OPPROF_SPAN_SLICE,
                              .name = piece->name,
                              .category = writer->part_ids[piece->part],
                              .colour = OPPROF_NA_STRING,
                              .args = none,
                              .id = none,
                              .group = none };

    return OpprofStageAppend(writer->stage, port, partition, &span);
}

/* The next piece from number `*at` on: consecutive ones of the same owner are drawn as one. False
 * at the end. */
static bool next_piece(const PathFound *found, uint32_t *at, Piece *ret_piece)
{
    while (*at < found->count) {
        const PathPiece *first = &found->pieces[*at];
        uint64_t end = first->end;

        for ((*at)++; *at < found->count; (*at)++) {
            const PathPiece *next = &found->pieces[*at];

            if (next->part != first->part || next->owner != first->owner ||
                next->rank != first->rank) {
                break;
            }
            end = next->end;
        }
        if (first->part != PATH_WAIT && end > first->start) {
            *ret_piece = (Piece){ .rank = first->rank,
                                  .part = first->part,
                                  .name = first->name,
                                  .start = first->start,
                                  .end = end };
            return true;
        }
    }
    return false;
}

/* A path on its way into lines. */
typedef struct Drawing {
    const PathFound *found;
    const PathRank *ranks;
    uint32_t at;
    bool has_next;
    bool is_good; /* false: no memory */
    Piece next;
    ItemMap sums; /* ticks of what comes before a piece of work, by part and name */
} Drawing;

static bool read_next(Drawing *drawing)
{
    if (!drawing->has_next) {
        drawing->has_next = next_piece(drawing->found, &drawing->at, &drawing->next);
    }
    return drawing->has_next;
}

static bool is_work(const Piece *piece)
{
    return piece->part == PATH_COMPUTATION || piece->part == PATH_COMMUNICATION ||
           piece->part == PATH_MEMORY;
}

/* Number of the iteration in which a piece begins, from 1 on. */
static uint32_t step_of(const PathRank *rank, const Piece *piece)
{
    const uint64_t start = piece->start - (uint64_t) rank->shift;
    uint32_t low = 0;
    uint32_t high = rank->steps.count;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (rank->steps.starts[middle] <= start) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Both come before the same work, in the same iteration. */
static bool is_with(const Drawing *drawing, const Piece *piece)
{
    const Piece *next = &drawing->next;
    const PathRank *rank = &drawing->ranks[piece->rank];

    return !is_work(next) && next->rank == piece->rank &&
           (next->start == piece->start || step_of(rank, next) == step_of(rank, piece));
}

/* Count a piece in what comes before a piece of work, which has the part and the name that take
 * most of it. False without memory. */
static bool add_before(ItemMap *sums, const Piece *piece, uint64_t *most, Piece *whole)
{
    uint64_t *ticks = ItemMapGet(sums, (uint64_t) piece->part << 32 | piece->name, sizeof *ticks);

    if (ticks == NULL) {
        return false;
    }
    *ticks += piece->end - piece->start;
    if (*ticks > *most) {
        *most = *ticks;
        whole->part = piece->part;
        whole->name = piece->name;
    }
    whole->end = piece->end;
    return true;
}

/* The next piece to draw: a piece of work, or all that a rank's path has before one in an
 * iteration. There may be hundreds of pieces of the host before a piece of work, too small to be
 * seen; the tables have them. */
static bool next_drawn(Drawing *drawing, Piece *ret_piece)
{
    uint64_t most = 0;

    if (!read_next(drawing)) {
        return false;
    }
    *ret_piece = drawing->next;
    if (is_work(ret_piece)) {
        drawing->has_next = false;
        return true;
    }
    while (drawing->is_good && read_next(drawing) && is_with(drawing, ret_piece)) {
        drawing->is_good = add_before(&drawing->sums, &drawing->next, &most, ret_piece);
        drawing->has_next = false;
    }
    ItemMapFree(&drawing->sums);
    return drawing->is_good;
}

OpprofStatus PathDraw(const PathWriter *writer, const Path *path, const PathRank *rank)
{
    Drawing drawing = { .found = &path->found, .ranks = rank, .is_good = true };
    OpprofStatus status = OPPROF_OK;
    Piece piece;

    if (rank->track == OPPROF_NA_U32) {
        return OPPROF_OK;
    }
    OpprofStageSetClock(writer->stage, OUTPUT_SPANS, rank->clock);
    while (status == OPPROF_OK && next_drawn(&drawing, &piece)) {
        status = put_piece(writer, OUTPUT_SPANS, path->rank, rank->track, &piece);
    }
    status = drawing.is_good ? status : OPPROF_E_MEMORY;
    return status == OPPROF_OK ? OpprofStagePushOpen(writer->stage, OUTPUT_SPANS, UINT64_MAX)
                               : status;
}

/* ---- all ranks ---- */

static int compare_pieces(const void *a, const void *b)
{
    const Piece *left = a;
    const Piece *right = b;

    if (left->rank != right->rank) {
        return left->rank < right->rank ? -1 : 1;
    }
    return (left->start > right->start) - (left->start < right->start);
}

/* The line of a rank on which its part of the path through all ranks is drawn. */
static uint32_t declare_all(const PathWriter *writer, const PathRank *rank)
{
    const OpprofTrack *own =
        rank->track == OPPROF_NA_U32 ? NULL : OpprofStageTrackInfo(writer->stage, rank->track);

    return own == NULL
               ? OPPROF_NA_U32
               : OpprofStageTrack(writer->stage, &(OpprofTrack){ .document = own->document,
                                                                 .process = own->process,
                                                                 .thread = "of all ranks",
                                                                 .process_sort = own->process_sort,
                                                                 .thread_sort = -1,
                                                                 .flags = OPPROF_TRACK_LABELS });
}

/* A piece before tick 0 of the rank's clock begins there. */
static Piece on_own_clock(const PathRank *rank, const Piece *piece)
{
    const uint64_t shift = (uint64_t) rank->shift;
    Piece own = *piece;

    own.start = own.start > shift ? own.start - shift : 0;
    own.end = own.end > shift ? own.end - shift : 0;
    return own;
}

/* Pieces of one rank, by start. */
static OpprofStatus put_rank_pieces(const PathWriter *writer, const PathRanks *all,
                                    const Piece *pieces, size_t count)
{
    const PathRank *rank = &all->ranks[pieces->rank];
    const uint32_t track = declare_all(writer, rank);
    OpprofStatus status = OPPROF_OK;

    if (track == OPPROF_NA_U32) {
        return OPPROF_OK;
    }
    OpprofStageSetClock(writer->stage, OUTPUT_ALL_SPANS, rank->clock);
    for (size_t i = 0; status == OPPROF_OK && i < count; i++) {
        const Piece own = on_own_clock(rank, &pieces[i]);

        status = put_piece(writer, OUTPUT_ALL_SPANS, rank->name, track, &own);
    }
    return status == OPPROF_OK ? OpprofStagePushOpen(writer->stage, OUTPUT_ALL_SPANS, UINT64_MAX)
                               : status;
}

OpprofStatus PathDrawAll(const PathWriter *writer, const Path *path, const PathRanks *all)
{
    Piece *pieces = reallocarray(NULL, (size_t) path->found.count + 1, sizeof *pieces);
    Drawing drawing = { .found = &path->found, .ranks = all->ranks, .is_good = true };
    OpprofStatus status = OPPROF_OK;
    size_t count = 0;

    while (pieces != NULL && next_drawn(&drawing, &pieces[count])) {
        count++;
    }
    if (pieces == NULL || !drawing.is_good) {
        status = OPPROF_E_MEMORY;
    }
    if (count > 1) {
        qsort(pieces, count, sizeof *pieces, compare_pieces);
    }
    for (size_t from = 0; status == OPPROF_OK && from < count;) {
        size_t to = from;

        while (to < count && pieces[to].rank == pieces[from].rank) {
            to++;
        }
        status = put_rank_pieces(writer, all, pieces + from, to - from);
        from = to;
    }
    free(pieces);
    return status;
}
