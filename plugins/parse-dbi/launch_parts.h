/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_DBI_LAUNCH_PARTS_H
#define PARSE_DBI_LAUNCH_PARTS_H

#include "launch.h"

#include <string.h>

/* What launch.c makes launches of. */

static inline uint32_t DbiLaunchIntern(const DbiLaunch *launch, const char *text)
{
    return OpprofStageIntern(launch->base.stage, text, strlen(text));
}

/* Report a mistake in a file; `context` is the launch. */
void DbiLaunchReportFinding(void *context, const DbiFinding *finding);
/* Report what was left out of the current file, and reset the counts. */
void DbiLaunchReportLeftOut(DbiLaunch *launch);

void DbiLaunchKeepRaw(void *context, uint64_t offset, const unsigned char *bytes, size_t size,
                      const char *reason);
bool DbiLaunchTakeRecord(void *context, uint32_t slot, uint64_t offset, DbiRecord *record);
/* The record that ends the launch's accesses. */
OpprofStatus DbiLaunchPushEnd(DbiLaunch *launch);

/* A memory chart begins; OPPROF_END: its records are unknown. */
OpprofStatus DbiLaunchBeginChart(DbiLaunch *launch);
/* Take records of a memory chart; false as above. */
bool DbiLaunchTakeChart(DbiLaunch *launch, const unsigned char *records, size_t count);

/* Whether the core of a slot moved anything. */
bool DbiLaunchHasTraffic(const DbiLaunch *launch, uint32_t slot);
/* The cores that the operator uses. */
OpprofDbiOp DbiLaunchOp(DbiLaunch *launch);
/* Report blocks without records, and records of blocks that the launch does not have. OPPROF_OK or
 * OPPROF_E_MEMORY. */
OpprofStatus DbiLaunchCheckBlocks(DbiLaunch *launch);
OpprofStatus DbiLaunchPushTraffic(DbiLaunch *launch);
/* Emit the sums, and the record that ends the launch. */
OpprofStatus DbiLaunchPushMoves(DbiLaunch *launch);

#endif
