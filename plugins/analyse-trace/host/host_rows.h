/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_TRACE_HOST_HOST_ROWS_H
#define ANALYSE_TRACE_HOST_HOST_ROWS_H

#include "analyse-trace/common/rank_rows.h"
#include "analyse-trace/host/host_rank.h"
#include "analyse-trace/host/host_tables.h"

/* Rows of ranks that are over. */
typedef struct HostRows {
    OpprofStage *stage;
    uint32_t top;                  /* rows of a device or rank in a table */
    uint32_t kind_ids[HOST_KINDS]; /* interned words */
    RankRows rows[TABLES];
} HostRows;

/* Put the rows of a rank aside. */
OpprofStatus HostRowsAdd(HostRows *rows, HostRank *rank, OpprofError **error);

void HostRowsFinish(HostRows *rows);

#endif
