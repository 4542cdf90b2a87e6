/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_READ_LACKS_H
#define COLLECT_SIM_READ_LACKS_H

/*
 * Says what a dump lacks: files that are missing, empty, cut or hold no record, and what was asked
 * for but is not there. Each of them makes the run incomplete.
 */

#include "collect-sim/pairing/span.h"
#include "work.h"
#include <opprof/stage.h>

/* A core without a popped or instr log; true: it is, and cannot be read. */
bool LacksLog(OpprofStage *stage, const FoundCore *core);

/* The instruction-cache log, which is there for other cores, or is empty. */
void LacksIcache(OpprofStage *stage, const Work *work, const FoundCore *core);

/* The logs that Overhead needs; true: one is missing. */
bool LacksOverhead(OpprofStage *stage, const FoundCore *core);

/* What the first reading of a core's logs has shown: no record, a log that was cut. */
void LacksRecords(OpprofStage *stage, const WorkCore *core, bool by_id);

/* Rows (OverheadLate) that the log of issues no longer knows: it was cut. */
void LacksIssues(OpprofStage *stage, const FoundCore *core, uint64_t late);

/* Ids that were asked for and that no core has. All first readings are over. */
void LacksCores(OpprofStage *stage, const Work *work);

/* PMSampling was asked for: cores without a log of their memory transfer engines. */
void LacksMte(OpprofStage *stage, const Work *work);

#endif
