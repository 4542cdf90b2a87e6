/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIM_DETAILS_CORE_DETAILS_H
#define SIM_DETAILS_CORE_DETAILS_H

#include "live_registers.h"
#include "pc_table.h"
#include "vector_unit.h"

#include <opprof/records/sim.h>
#include <opprof/stage.h>

/* Facts about the addresses of one core. */
typedef struct CoreDetails CoreDetails;

/* `core`: interned partition. NULL without memory. */
CoreDetails *CoreDetailsCreate(OpprofStage *stage, uint32_t core);
void CoreDetailsDestroy(CoreDetails *core);
uint32_t CoreDetailsName(const CoreDetails *core);

/* Batches of issued instructions by start, and of retired ones by end. False without memory. */
bool CoreDetailsIssues(CoreDetails *core, const OpprofBatch *batch);
bool CoreDetailsInstructions(CoreDetails *core, const OpprofBatch *batch);

/* All batches have arrived. */
void CoreDetailsEnd(CoreDetails *core);

/* The record of address number i, which is below the count. */
uint32_t CoreDetailsCount(const CoreDetails *core);
OpprofSimPcDetails CoreDetailsRecord(const CoreDetails *core, uint32_t i);

#endif
