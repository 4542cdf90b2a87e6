/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PIPELINE_SUMMARY_H
#define PIPELINE_SUMMARY_H

#include <opprof/batch.h>
#include <opprof/stage.h>
#include <pthread.h>

#define SUMMARY_ROWS_MAX 1000u /* of a table; more are counted */

/* A table that is shown at the end of the run. */
typedef struct SummaryTable {
    const RecordType *type;
    char **rows; /* cells with a NUL behind each */
    uint32_t count;
    uint32_t capacity;
    uint64_t left_out;
} SummaryTable;

/* The tables of a run whose types say OPPROF_RECORD_SUMMARY. */
typedef struct Summary {
    pthread_mutex_t lock; /* guards the members below */
    SummaryTable *tables;
    uint32_t count;
    uint32_t capacity;
} Summary;

void SummaryInit(Summary *summary);
void SummaryFinish(Summary *summary);

/* Keep the rows of a batch. What there is no memory for is left out. */
void SummaryAdd(Summary *summary, const Stage *stage, const Batch *batch);

/* All tables as text to be freed, rows by their first cell; NULL without any, or without memory. */
char *SummaryText(Summary *summary);

#endif
