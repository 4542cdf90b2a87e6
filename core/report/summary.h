/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REPORT_SUMMARY_H
#define REPORT_SUMMARY_H

#include <opprof/pipeline.h>
#include <opprof/stage.h>
#include <pthread.h>
#include <stdbool.h>

/* Fields of advice in the order of the cells after its sentence; ended by NULL. */
extern const char *const summary_advice[];

#define SUMMARY_ROWS_MAX 1000u /* of a table; more are counted */

/* The tables of a run whose types say OPPROF_RECORD_SUMMARY, and what stages show by themselves. */
typedef struct Summary {
    pthread_mutex_t lock; /* guards the members below */
    OpprofSummaryTable *tables;
    uint32_t count;
    uint32_t capacity;
    bool is_lost; /* a table found no memory */
    char *shown;  /* of OpprofStageShow, NULL: nothing */
    size_t shown_length;
    size_t shown_capacity;
} Summary;

Summary *SummaryCreate(void);          /* NULL without memory */
void SummaryDestroy(Summary *summary); /* accepts NULL */

/* Keep the rows of a batch. What there is no memory for is left out. */
void SummaryAdd(Summary *summary, const OpprofStage *stage, const OpprofBatch *batch);
/* Hand over what is shown, for free(). */
char *SummaryTakeShown(Summary *summary);

/* Hand the tables over, to be given to SummaryFreeTables. False: some were lost, since memory ran
 * out. */
bool SummaryTake(Summary *summary, OpprofSummaryTable **ret_tables, size_t *ret_count);
void SummaryFreeTables(OpprofSummaryTable *tables, size_t count);

#endif
