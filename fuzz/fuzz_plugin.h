/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FUZZ_FUZZ_PLUGIN_H
#define FUZZ_FUZZ_PLUGIN_H

#include <opprof/plugin.h>

/*
 * The plugin of a module in one of the directories, with colons between; NULL: there is none. It is looked for once a process:
 * the search of a pipeline goes through all directories, and would do so anew for each stage of each input.
 */
const OpprofPlugin *FuzzPlugin(const char *name, const char *directories);

#endif
