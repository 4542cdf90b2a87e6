/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_PLUGINS_ANALYSE_TRACE_RESULTS_H
#define TESTS_PLUGINS_ANALYSE_TRACE_RESULTS_H

#include <opprof/opprof.h>

/* Runs in a directory of the test's own, and what they wrote there. */

/* Fixtures. */
void ResultsSetUp(void);
void ResultsTearDown(void);

/* Path of a file of the scratch directory; valid until a few calls later. */
const char *ResultsPath(const char *name);

/* Write a file into the scratch directory, making its directory; returns its path. */
const char *ResultsWrite(const char *name, const char *text);

/* Path of a sample trace. */
const char *SamplePath(const char *name);

/*
 * Run the pipeline `kineto` over an input with settings "name=value" (NULL-terminated, or NULL).
 * Results replace those of the run before. Returns the outcome, or -1 if it failed.
 */
int RunKineto(const char *input, const char *const *settings);

/* Run a pipeline that the test has built. */
int RunBuilt(OpprofPipeline *pipeline);

/* Why the last run is incomplete or failed, "" if it is neither. */
const char *RunReason(void);

/* A whole result file, NULL if it was not written; valid until the next call. */
const char *ResultText(const char *file);

/* Rows of a table without its heading. */
unsigned RowCount(const char *file);

/*
 * A cell of a table: in the first row in which "column=value;column=value" holds. NULL if there is
 * no such row; no such column ends the test. Valid until a few calls later.
 */
const char *Cell(const char *file, const char *where, const char *column);

/* The same as a number. */
double CellNumber(const char *file, const char *where, const char *column);

#endif
