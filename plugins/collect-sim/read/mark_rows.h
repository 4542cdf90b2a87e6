/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_READ_MARK_ROWS_H
#define COLLECT_SIM_READ_MARK_ROWS_H

/* User marks of a core, which its first reading has found, to their port. */

#include "collect-sim/emit.h"
#include "work.h"

/* Push them all, and report those that are left out. */
OpprofStatus MarkRowsEmit(OpprofStage *stage, const Work *work, const WorkCore *core,
                          OpprofError **error);

#endif
