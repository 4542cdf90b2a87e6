/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_LIVE_DUMPS_H
#define COLLECT_SIM_LIVE_DUMPS_H

/*
 * Dump files of simulators without log callbacks: a directory that the programs know through
 * CAMODEL_LOG_PATH. They keep their files open, so an operator's logs are copied and the files are
 * emptied.
 */

#include <opprof/output.h>
#include <stdbool.h>

typedef struct LiveDumps {
    OpprofScratch *scratch; /* NULL: not open */
    const char *directory;  /* its path, or NULL */
} LiveDumps;

/* Make the directory below the results. */
OpprofStatus LiveDumpsOpen(LiveDumps *dumps, const char *results, OpprofError **error);
/* Drop what was logged so far: it belongs to no operator. */
void LiveDumpsEmpty(const LiveDumps *dumps);
/* Move the logs into an open directory without files of these names; `shown` is its path.
 * OPPROF_E_IO names the file that could not be copied. */
OpprofStatus LiveDumpsTake(const LiveDumps *dumps, int to, const char *shown, OpprofError **error);
/* Remove the directory and its files. */
void LiveDumpsClose(LiveDumps *dumps);

#endif
