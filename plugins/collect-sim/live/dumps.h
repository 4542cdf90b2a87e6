/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_LIVE_DUMPS_H
#define COLLECT_SIM_LIVE_DUMPS_H

/*
 * Dump files of simulators that have no log callbacks: a directory that the programs know by CAMODEL_LOG_PATH.
 * They keep their files open, so what an operator has left is copied from them and they are emptied.
 */

#include <opprof/error.h>
#include <stdbool.h>

typedef struct LiveDumps {
    char *directory; /* NULL: not open */
} LiveDumps;

/* Make the directory, which must not exist, below the results. */
OpprofStatus LiveDumpsOpen(LiveDumps *dumps, const char *results, OpprofError **error);
/* What was logged until now is not an operator's. */
void LiveDumpsEmpty(const LiveDumps *dumps);
/* Take what was logged into a directory, where no file has such a name. OPPROF_E_IO names the file that could not be copied. */
OpprofStatus LiveDumpsTake(const LiveDumps *dumps, const char *to, OpprofError **error);
/* Remove the directory and its files. */
void LiveDumpsClose(LiveDumps *dumps);

#endif
