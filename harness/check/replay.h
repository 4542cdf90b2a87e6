/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HARNESS_CHECK_REPLAY_H
#define HARNESS_CHECK_REPLAY_H

#include "samples.h"

/* A plugin, and recordings of real records for its inputs. */
typedef struct Replay {
    OpprofPipeline *pipeline; /* that runs, and ends with it */
    const OpprofPlugin *plugin;
    const SampleTypes *types;      /* of its inputs */
    const char *params;            /* JSON */
    const char *const *recordings; /* PORT=FILE */
    size_t count;
} Replay;

/* Run the plugin on the recordings. *ret_has_rows: it gave a record, or wrote a file. */
OpprofStatus ReplayRun(const Replay *replay, bool *ret_has_rows, OpprofError **error);

#endif
