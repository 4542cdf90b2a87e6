/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_TRACE_HOST_HOST_ROWS_H
#define ANALYSE_TRACE_HOST_HOST_ROWS_H

#include "analyse-trace/common/feed.h"
#include "analyse-trace/host/host_causes.h"
#include "analyse-trace/host/host_rank.h"
#include "analyse-trace/host/host_tables.h"

/* How rows of ranks are made. */
typedef struct HostRows {
    Feed *feed;
    uint32_t top;                  /* rows of a device or rank in a table */
    uint32_t kind_ids[HOST_KINDS]; /* interned words */
    uint32_t nothing_id;           /* "no operator" */
    HostCauses causes;
} HostRows;

/* Put the rows of a rank aside, whose state is a HostRank. */
OpprofStatus HostRowsAdd(HostRows *rows, const FeedRank *rank);

#endif
