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

/* What its second reading has shown: instructions that end before they start. */
void LacksEnds(OpprofStage *stage, const WorkCore *core);

/* Rows where the log of issues says nothing: it was cut. All rows have been taken. */
void LacksIssues(OpprofStage *stage, const WorkCore *core, const Overhead *overhead);

/*
 * A reading of the log of memory transfer engines, or of instructions that move memory, is over, to its end. NULL: there is no
 * such log. The last one tells what the log lacks.
 */
void LacksRequests(OpprofStage *stage, const WorkMte *mte);

/* Requested ids that no core has. All first readings are over. */
void LacksCores(OpprofStage *stage, const Work *work);

/* If PMSampling is requested: cores without a log of their memory transfer engines. */
void LacksMte(OpprofStage *stage, const Work *work);

#endif
