/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COMPARE_CAUSES_H
#define COMPARE_CAUSES_H

#include "changes.h"

/* How long the runs took. False: there is no such number. */
bool DiffRunTime(const DiffData *data, DiffChange *ret_change);
/* The whole: weights of the summary tables; without summary tables, of all tables. */
bool DiffWhole(const DiffData *data, DiffChanges *changes);
/*
 * Changes in a direction, that of the whole, the largest first: weights added up by a text, and
 * other times of tables. With DIFF_SAME or DIFF_UNSURE, in any. Time of waiting that only moved to
 * other rows, such as those of another pipe, is none.
 */
bool DiffCauses(const DiffData *data, DiffVerdict way, DiffChanges *causes);

#endif
