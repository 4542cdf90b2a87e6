/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_DIFF_SIDES_H
#define CLI_DIFF_SIDES_H

#include "diff_data.h"

/*
 * Find the databases of a side by its path: a database, a folder with one, or a folder of such folders, one a run. Every run
 * must have one.
 */
OpprofStatus DiffSideFind(DiffSide *side, OpprofError **error);

#endif
