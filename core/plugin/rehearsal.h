/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PLUGIN_REHEARSAL_H
#define PLUGIN_REHEARSAL_H

#include <opprof/error.h>

/*
 * Load a module in a child process, so that start-up code that crashes, hangs or ends the program
 * does so there. OPPROF_OK if loading came back, whatever became of it: why a module is refused is
 * for the loader to say. OPPROF_E_LOAD with the reason if it did not; a file that hung once is not
 * tried again while it stays the same. OPPROF_E_MEMORY. For processes with one thread. [main]
 */
OpprofStatus RehearseModule(const char *path, unsigned seconds, OpprofError **error);

#endif
