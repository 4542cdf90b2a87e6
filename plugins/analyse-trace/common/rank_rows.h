/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_TRACE_COMMON_RANK_ROWS_H
#define ANALYSE_TRACE_COMMON_RANK_ROWS_H

#include "analyse-trace/common/rows.h"

#include <opprof/kit/spool.h>

/*
 * Rows that are made when a rank ends and emitted when all ranks have ended, sorted by rank name.
 * Until then they lie in a temporary file; memory holds 16 bytes for each rank. All rows have one
 * size.
 */

/* The rows of a rank. */
typedef struct RankPart {
    uint64_t offset;
    uint32_t rank; /* interned name */
    uint32_t count;
} RankPart;

/* Zeroed memory: no rows. */
typedef struct RankRows {
    RankPart *parts; /* in the order in which the ranks ended */
    size_t part_count;
    size_t part_capacity;
    size_t row_size;
    char *recent; /* bytes that are not in the spool yet */
    size_t recent_size;
    OpprofSpool spool;
} RankRows;

/* Add a row of a rank; the rows of a rank come one after another. OPPROF_OK, OPPROF_E_IO,
 * OPPROF_E_MEMORY. */
OpprofStatus RankRowsAdd(RankRows *rows, OpprofStage *stage, uint32_t rank, const void *row,
                         size_t row_size, OpprofError **error);

/* Takes a row, which it may change. Any result but OPPROF_OK ends the visits. */
typedef OpprofStatus RankRowsTake(void *context, void *row);

/* Visit all rows, sorted by rank name: "2" before "10". May be repeated. */
OpprofStatus RankRowsVisit(RankRows *rows, OpprofStage *stage, RankRowsTake *take, void *context,
                           OpprofError **error);

/* Push all rows in the same order; the last ones stay in `out`, where others may follow. */
OpprofStatus RankRowsPush(RankRows *rows, Rows *out, OpprofError **error);

/* Push all rows to a port in the same order. */
OpprofStatus RankRowsPut(RankRows *rows, OpprofStage *stage, uint32_t port, OpprofError **error);

/* A zeroed one is allowed. */
void RankRowsFinish(RankRows *rows);

#endif
