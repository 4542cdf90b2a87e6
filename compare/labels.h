/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COMPARE_LABELS_H
#define COMPARE_LABELS_H

/*
 * Labels that a system gives, such as the numbers of devices and streams, may differ between two
 * runs of the same work. What only one side has is matched with what only the other has.
 */

#include "model.h"
#include <opprof/results.h>

/* Note the labels of a run's tables. All tables are described. */
OpprofStatus DiffLabelsNote(DiffData *data, OpprofResults *results, int side, OpprofError **error);

/*
 * All labels are noted: of each column, those that only one side has and that are equal except for
 * digits are matched in their order, if both sides have as many of them. False without memory.
 */
bool DiffLabelsPair(DiffData *data);

/* What a key's text is called on the first side. Borrowed from the key, or the text itself. */
const char *DiffLabel(const DiffKey *key, const char *text);

#endif
