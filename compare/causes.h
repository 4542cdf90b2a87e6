/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COMPARE_CAUSES_H
#define COMPARE_CAUSES_H

#include "changes.h"

/* The whole: weights of the summary tables; without summary tables, of all tables. */
bool DiffWhole(const DiffData *data, DiffChanges *changes);
/*
 * Changes in the direction of the whole, the largest first: weights added up by a text, and
 * other times of tables.
 */
bool DiffCauses(const DiffData *data, const DiffChanges *whole, DiffChanges *causes);

#endif
