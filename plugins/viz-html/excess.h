/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VIZ_HTML_EXCESS_H
#define VIZ_HTML_EXCESS_H

#include "tables.h"

#include <opprof/map.h>

/* Rows of a type from one producer. */
typedef struct ExcessRows {
    const OpprofRecordType *type;
    uint64_t least;    /* fewest bytes that those let through take on the page */
    uint64_t left_out; /* rows */
    uint32_t row;      /* fewest bytes of one */
    uint32_t last;     /* the last of their partitions, in the page's order */
    bool is_any;       /* rows were let through */
} ExcessRows;

/*
 * Which rows cannot come onto the page, whatever follows: those in a partition after others that
 * fill their table. They need not be put aside. Zeroed memory, but for the stage, is an empty one.
 */
typedef struct Excess {
    OpprofStage *stage;
    ExcessRows *list;
    uint32_t count;
    uint32_t capacity;
    OpprofMap places; /* by type and producer */
} Excess;

/* Whether the page may show rows of a batch; others are counted. False without memory. */
bool ExcessTake(Excess *excess, const OpprofBatch *batch, bool *ret_is_wanted);

/* Add the rows that were not wanted to their tables, which have taken all others. False without
 * memory. */
bool ExcessGive(const Excess *excess, Tables *tables);

/* Free what it holds. */
void ExcessFinish(Excess *excess);

#endif
