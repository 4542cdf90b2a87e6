/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RUN_APPEND_H
#define RUN_APPEND_H

#include <opprof/stage.h>

/* What OpprofStageAppend keeps of an output port. Zeroed: nothing. */
typedef struct PortBatch {
    OpprofOpenBatch open;
    bool has_text; /* the batch holds texts of the next record, so it must stay */
} PortBatch;

/* Push all open batches of an instance: after flush. */
OpprofStatus AppendPushAll(OpprofStage *stage);

#endif
