/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PLUGIN_LOADER_H
#define PLUGIN_LOADER_H

#include <opprof/plugin.h>
#include <stdbool.h>

/* A module that is wanted. Borrowed. */
typedef struct LoadOrder {
    const char *path;
    const char *name;
    bool any_owner; /* a module that others could have written is loaded, too */
    bool rehearse;  /* load it in a child process first, unless the process has it */
} LoadOrder;

/*
 * Load the module in a file, or get it if the process has it already, and check that it is the
 * module of that name. It stays loaded for ever. ret_plugin and ret_path (the file's real path; may
 * be NULL) are borrowed for ever. OPPROF_E_LOAD or OPPROF_E_ABI with the true reason;
 * OPPROF_E_MEMORY. [any thread, under a lock of the process]
 */
OpprofStatus LoaderLoad(const LoadOrder *order, const OpprofPlugin **ret_plugin,
                        const char **ret_path, OpprofError **error);

/* Path of the module that this thread is loading, NULL for none. [any thread, async-signal-safe] */
const char *LoaderCurrent(void);
/* Path of the module that was loaded last in the process, NULL for none. The same. */
const char *LoaderLatest(void);

/* The module was asked for by name: OpprofPluginVisitUsed shows it. */
void LoaderNoteUse(const OpprofPlugin *plugin);

#endif
