/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REPORT_EARLY_RECORD_H
#define REPORT_EARLY_RECORD_H

#include <opprof/pipeline.h>

/* run.json of a running or killed run. */
typedef struct EarlyRecord EarlyRecord;

/*
 * Prepare the record, so that a signal handler can complete it. The run's output directory is open.
 * NULL without memory: then a crash leaves no record, which is not a reason not to run.
 */
EarlyRecord *EarlyRecordCreate(const OpprofPipeline *pipeline);
/* NULL is allowed. */
void EarlyRecordDestroy(EarlyRecord *record);

/* The final record is written: from now on a crash, such as in destroy, changes nothing. */
void EarlyRecordDone(EarlyRecord *record);
/* Write run.json with the outcome "running". A failure is not reported here: the final record
 * reports it. */
void EarlyRecordWriteRunning(const EarlyRecord *record);
/*
 * Write run.json with the outcome "crashed", the files that were finished, and the reason, and say
 * it in INCOMPLETE.txt. `reason` holds no quotes, backslashes and control characters.
 * Async-signal-safe.
 */
void EarlyRecordWriteCrashed(const EarlyRecord *record, const char *reason);

#endif
