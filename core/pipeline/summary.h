/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PIPELINE_SUMMARY_H
#define PIPELINE_SUMMARY_H

#include <opprof/batch.h>
#include <opprof/stage.h>
#include <pthread.h>
#include <stdbool.h>

#define SUMMARY_ROWS_MAX 1000u /* of a table; more are counted */
#define SUMMARY_ROWS_SHOWN 20u /* of a table whose rows are of several folders; likewise */

typedef struct SummaryRow {
    char *folder; /* of its file, as the type's file hint has it; empty: none */
    char *cells;  /* with a NUL behind each */
    size_t size;  /* of the cells */
} SummaryRow;

/* A table that is shown at the end of the run. One of a single column is a list of sentences. */
typedef struct SummaryTable {
    const OpprofRecordType *type;
    SummaryRow *rows;
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
    bool is_lost; /* a table found no memory */
} Summary;

void SummaryInit(Summary *summary);
void SummaryFinish(Summary *summary);

/* Keep the rows of a batch. What there is no memory for is left out. */
void SummaryAdd(Summary *summary, const OpprofStage *stage, const OpprofBatch *batch);

/*
 * All tables as text to be freed, rows by folder and first cell; NULL without any, or without
 * memory (*ret_no_memory then, and where a table was lost before). A list shows each sentence once with the folders it is about. A single row that is too
 * wide for a line stands upright.
 */
char *SummaryText(Summary *summary, bool *ret_no_memory);

#endif
