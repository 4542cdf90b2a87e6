/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_DBI_ROWS_H
#define ANALYSE_DBI_ROWS_H

#include "row_folder.h"
#include "tables.h"

#include <opprof/record.h>
#include <stddef.h>

/* Rows of the tables. The common members come first: outcomes of accesses,
 * then the results folder. */
#define ROW_FATES                                                                                  \
    uint64_t hits;                                                                                 \
    uint64_t misses;                                                                               \
    double hit_rate; /* percent, or absent */                                                      \
    uint64_t compulsory;                                                                           \
    uint64_t capacity;                                                                             \
    uint64_t conflict

typedef struct RowFates {
    ROW_FATES;
} RowFates;

typedef struct SummaryRow {
    ROW_FATES;
    uint64_t seed;
    uint64_t line;
    uint64_t ways;
    uint64_t sets;
    uint64_t slices;
    uint64_t loads;
    uint64_t stores;
    uint64_t evictions;
    uint64_t write_backs;
    ROW_FOLDER;
    uint32_t policy;
    uint32_t access_order;
    uint32_t reserved;
} SummaryRow;

typedef struct CoreRow {
    ROW_FATES;
    ROW_FOLDER;
    uint32_t block;
    uint32_t core;
    uint32_t reserved;
} CoreRow;

typedef struct BufferRow {
    ROW_FATES;
    uint64_t first;
    uint64_t last;
    uint64_t bytes;
    int64_t stride;
    uint64_t sets_used;
    ROW_FOLDER;
    uint32_t name;
} BufferRow;

typedef struct DistanceRow {
    uint64_t from;
    uint64_t to;
    uint64_t accesses;
    ROW_FOLDER;
    uint32_t reserved;
} DistanceRow;

#endif
