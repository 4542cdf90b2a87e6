/* SPDX-License-Identifier: Apache-2.0 */
#ifndef EXPORT_ADVICE_ROWS_H
#define EXPORT_ADVICE_ROWS_H

#include <opprof/stage.h>

/*
 * The advice of a run, which comes from many stages in any order: kept until the end, then written
 * in one order, the largest gain first. Zero-initialise.
 */

#define ADVICE_ROWS_MAX 100000u /* kept; more are counted */
#define ADVICE_CELLS 17u        /* fields of advice */

typedef struct AdviceRow {
    char *cells[ADVICE_CELLS]; /* in the order of its fields; NULL: not available */
} AdviceRow;

typedef struct AdviceRows {
    AdviceRow *rows;
    uint32_t count;
    uint32_t capacity;
    uint64_t left_out;
} AdviceRows;

/* Keep the rows of a batch of "advice". False without memory. */
bool AdviceRowsTake(AdviceRows *self, const OpprofStage *stage, const OpprofBatch *batch);

/* Write them as a file of their own; without advice there is no file. */
OpprofStatus AdviceRowsWrite(AdviceRows *self, OpprofStage *stage, OpprofError **error);

void AdviceRowsFinish(AdviceRows *self);

#endif
