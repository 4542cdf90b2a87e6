/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GUARD_CRASH_H
#define GUARD_CRASH_H

#include "report/early_record.h"

/* The record of the current run, for crashes outside of all stages; NULL: no run. */
void CrashSetRecord(EarlyRecord *record);
/*
 * Give this thread a stack for the handler, so that a stack overflow is reported too, and report a
 * plugin that ends the thread; free with CrashThreadFinish.
 */
void *CrashThreadInit(void);
void CrashThreadFinish(void *stack);

#endif
