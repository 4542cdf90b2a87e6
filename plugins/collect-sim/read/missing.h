/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_READ_MISSING_H
#define COLLECT_SIM_READ_MISSING_H

/*
 * Reports what a dump lacks: files that are missing, empty, cut or without records, and requested
 * data that does not exist. Each of them makes the run incomplete.
 */

#include "collect-sim/pairing/span.h"
#include "work.h"
#include <opprof/stage.h>

/* A core may lack its popped or instr log; true: it does, and cannot be read. */
bool MissingLog(OpprofStage *stage, const FoundCore *core);

/* A missing instruction-cache log that other cores have, or an empty one. */
void MissingIcache(OpprofStage *stage, const Work *work, const FoundCore *core);

/* Misses of one address at one tick: their lines are doubled. */
void MissingMisses(OpprofStage *stage, const WorkCore *core, uint64_t doubled);

/* The logs that Overhead needs; true: one is missing. */
bool MissingOverhead(OpprofStage *stage, const FoundCore *core);

/* What the first reading of a core's logs has shown: no records, a log that was cut, or lines
 * that are missing here and there. True: something is missing. */
bool MissingRecords(OpprofStage *stage, const WorkCore *core, bool by_id);

/* What its second reading has shown: instructions that end before they start, or never. */
void MissingEnds(OpprofStage *stage, const WorkCore *core);

/* Rows where the log of issues says nothing: it was cut. All rows have been taken. */
void MissingIssues(OpprofStage *stage, const WorkCore *core, const Overhead *overhead);

/*
 * A reading of the log of memory transfer engines, or of instructions that move memory, is over, to
 * its end. NULL: there is no such log. The last one tells what the log lacks.
 */
void MissingRequests(OpprofStage *stage, const WorkMte *mte);

/* Requested ids that no core has. All first readings are over. */
void MissingCores(OpprofStage *stage, const Work *work);

/* If PMSampling is requested: cores without a log of their memory transfer engines. */
void MissingMte(OpprofStage *stage, const Work *work);

#endif
