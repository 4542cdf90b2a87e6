/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_READ_LACKS_H
#define COLLECT_SIM_READ_LACKS_H

/*
 * Reports what a dump lacks: files that are missing, empty, cut or without records, and requested
 * data that does not exist. Each of them makes the run incomplete.
 */

#include "collect-sim/pairing/span.h"
#include "work.h"
#include <opprof/stage.h>

/* A core may lack its popped or instr log; true: it does, and cannot be read. */
bool LacksLog(OpprofStage *stage, const FoundCore *core);

/* A missing instruction-cache log that other cores have, or an empty one. */
void LacksIcache(OpprofStage *stage, const Work *work, const FoundCore *core);

/* The logs that Overhead needs; true: one is missing. */
bool LacksOverhead(OpprofStage *stage, const FoundCore *core);

/* What the first reading of a core's logs has shown: no records, or a log that was cut. */
void LacksRecords(OpprofStage *stage, const WorkCore *core, bool by_id);

/* Rows (OverheadLate) after the end of the log of issues: it was cut. */
void LacksIssues(OpprofStage *stage, const FoundCore *core, uint64_t late);

/* Requested ids that no core has. All first readings are over. */
void LacksCores(OpprofStage *stage, const Work *work);

/* If PMSampling is requested: cores without a log of their memory transfer engines. */
void LacksMte(OpprofStage *stage, const Work *work);

#endif
