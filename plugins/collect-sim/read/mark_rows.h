/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_READ_MARK_ROWS_H
#define COLLECT_SIM_READ_MARK_ROWS_H

/* Passes the user marks of a core, found in its first reading, to their port. */

#include "reading.h"

/* Push them all, and report those that are left out. */
OpprofStatus MarkRowsEmit(const Reading *reading, const WorkCore *core, OpprofError **error);

#endif
