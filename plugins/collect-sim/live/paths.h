/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_LIVE_PATHS_H
#define COLLECT_SIM_LIVE_PATHS_H

/*
 * Who may change what a profiled program is started with, and where its results lie. Others than the user and root
 * must not: what they put there would run, or be read, as the user.
 */

#include <opprof/error.h>

/* A file that runs in the program. */
OpprofStatus LivePathsCheckFile(const char *path, OpprofError **error);
/* A directory of results and the one that holds it. */
OpprofStatus LivePathsCheckResults(const char *path, OpprofError **error);

#endif
