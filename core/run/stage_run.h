/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RUN_STAGE_RUN_H
#define RUN_STAGE_RUN_H

/* Functions that make and run stages; stage.h has those for others. */

#include "base/require.h"
#include "run/stage.h"

/* The contract of every function of stage.h. */
#define REQUIRE_STAGE(stage)                                                                       \
    OPPROF_REQUIRE("stage-given", (stage) != NULL, "The stage is the one that create was given")
#define REQUIRE_PORT(stage, port)                                                                  \
    do {                                                                                           \
        REQUIRE_STAGE(stage);                                                                      \
        OPPROF_REQUIRE("stage-port", (port) < (stage)->node->plugin->output_count,                 \
                       "The port is one of the plugin's output ports");                            \
    } while (0)

/* Make a node (id and plugin copied or borrowed as said above); NULL without memory. */
StageNode *StageNodeCreate(const char *id, const OpprofPlugin *plugin, RunContext *run);
/* Whether the plugin is in a call from which records can reach a reader. */
bool StageMayPush(const OpprofStage *stage);

/* Create and configure one more instance, with the node's params. */
OpprofStatus StageNodeAddInstance(StageNode *node, OpprofError **error);

/* Make the batch pools of all output ports, whose types must be known. */
OpprofStatus StageNodeCreatePools(StageNode *node, OpprofError **error);

/*
 * Status of a call into the plugin: a failure without a reason gets one, and a status that the
 * call may not return (anything but OK and failures, unless `allowed` has its bit) becomes a
 * failure. OPPROF_CLOSED is allowed after an abort.
 */
OpprofStatus StageCheckStatus(OpprofStage *stage, OpprofStatus status, unsigned allowed,
                              const char *call, OpprofError **error);
#define STAGE_MAY_RETURN(status) (1u << (status))

/* Instance of a partitioned node that handles a partition; the same one every time. */
uint32_t StageNodeRoute(StageNode *node, uint32_t partition);

/* Put "stage 'id' (plugin version)" around an error. Returns its status. */
OpprofStatus StageWrapError(const StageNode *node, const char *doing, OpprofError **error);

/* Push all open batches of an instance: after flush (append.c). */
OpprofStatus AppendPushAll(OpprofStage *stage);

#endif
