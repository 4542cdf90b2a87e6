/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RECORDING_REPLAY_H
#define RECORDING_REPLAY_H

#include "run/pipeline.h"

#define REPLAY_ID "replay-" /* of the stages, before their numbers, from 1 */

/* The stage that gives what recordings hold. */
extern const OpprofPlugin replay_plugin;

/* Open a recording that begins at a byte of a file. */
OpprofStatus ReplayOpen(const char *path, uint64_t from, struct Recording **ret_recording,
                        OpprofError **error);
/* Note the recordings of a file, after those that their links have, and read what they say about
 * themselves. `link` NULL: the one that was recorded. */
OpprofStatus ReplayAdd(OpprofPipeline *pipeline, const char *link, const char *file,
                       OpprofError **error);
void ReplayFinish(OpprofPipeline *pipeline);

/*
 * Which stages have nothing to do: they give nothing but what recordings give, or what only such
 * stages take. Exporters always have. `idle` has a member for each stage of the graph.
 */
void ReplayFindIdle(const OpprofPipeline *pipeline, const GraphStage *stages, const Graph *graph,
                    bool *idle);
/* Record type of a replayed port; NULL: the port is not replayed. */
const OpprofRecordType *ReplayType(const OpprofPipeline *pipeline, const char *stage,
                                   const char *port);
/* Add a stage for each recording; they stand last. */
OpprofStatus ReplayAddStages(OpprofPipeline *pipeline, OpprofError **error);
/* Links from replayed ports come from recordings; those into idle stages go. Mistakes go to
 * `problems`. */
void ReplayLinks(OpprofPipeline *pipeline, const GraphStage *stages, Problems *problems);
/* Before the run, which comes once: put idle stages aside. */
OpprofStatus ReplayDropIdle(OpprofPipeline *pipeline, OpprofError **error);
/* "stage.port" that the recording of a node stands for; NULL: not of a recording. */
const char *ReplayLinkOf(const OpprofPipeline *pipeline, uint32_t node);

#endif
