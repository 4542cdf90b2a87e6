/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HOTSPOT_PIPE_TABLES_H
#define HOTSPOT_PIPE_TABLES_H

/* Tables of what the pipes of a core did, for rules. */

#include "core_stats.h"
#include "pipes.h"

/* "sim.pipes": one row per pipe. */
extern const OpprofRecordType hotspot_pipe_type;
/* "sim.barriers": one row per address of a barrier that kept work waiting. */
extern const OpprofRecordType hotspot_barrier_type;

/* "sim.operations": one row per address of an instruction that moves bytes or uses the vector unit.
 */
extern const OpprofRecordType hotspot_operation_type;

/* Output ports of these tables. */
typedef struct PipePorts {
    uint32_t pipes;
    uint32_t barriers;
    uint32_t operations;
} PipePorts;

/* Push the rows of a core, whose addresses `core` has. */
OpprofStatus PipeTablesPush(const CorePipes *pipes, const CoreStats *core, const PipePorts *ports);

#endif
