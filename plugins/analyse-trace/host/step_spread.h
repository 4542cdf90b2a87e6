/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_TRACE_HOST_STEP_SPREAD_H
#define ANALYSE_TRACE_HOST_STEP_SPREAD_H

#include "analyse-trace/common/rank_rows.h"

/* How far the ranks are apart in each iteration. */

/* The work of one rank in one iteration. */
typedef struct StepWorkload {
    uint32_t rank;  /* interned */
    uint32_t step;  /* interned name */
    uint32_t cycle; /* number of the recording; of one number belong together */
    uint32_t place; /* number of the iteration */
    double computation_us;
    double communication_us;
} StepWorkload;

/* Zeroed memory: nothing yet. */
typedef struct StepSpread {
    StepWorkload *list; /* of places from `from` on */
    size_t count;
    size_t capacity;
    uint32_t from;
    uint32_t places; /* that are looked at together */
    bool has_more;   /* there are places beyond these */
} StepSpread;

/*
 * Looks at iterations a part at a time, so that memory does not grow with ranks and iterations:
 * begin, add all of all ranks, put, and again until it returns false.
 *
 * rows:  of all ranks and iterations
 */
void StepSpreadBegin(StepSpread *spread, size_t rows, uint32_t places);

/* False without memory. */
bool StepSpreadAdd(StepSpread *spread, const StepWorkload *work);

/* Rows of the iterations that several ranks have; `*ret_has_more`: add all again for the others. */
void StepSpreadPut(StepSpread *spread, Rows *rows, bool *ret_has_more);

void StepSpreadFinish(StepSpread *spread);

extern const OpprofRecordType step_spread_type;

#endif
