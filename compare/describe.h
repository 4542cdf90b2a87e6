/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COMPARE_DESCRIBE_H
#define COMPARE_DESCRIBE_H

#include "model.h"

#include <opprof/results.h>

/*
 * Add what tables and columns the results of a run describe, and note whether the run is complete.
 */
OpprofStatus DiffDescribe(DiffData *data, OpprofResults *results, DiffSide *side,
                          OpprofError **error);

/*
 * All runs are described. Finds the weight of each table's rows, which is the declared one, or else
 * the first time that adds up, and how it combines.
 */
void DiffTablesSettle(DiffData *data);

/*
 * Numbers of different units do not compare: these are two columns, and each side has one of them.
 */
bool DiffColumnIs(const DiffColumn *column, const char *name, const char *unit);
/* Whether a field holds texts; an address is read as one. */
bool DiffFieldIsText(const OpprofField *field);

#endif
