/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FUZZ_FUZZ_PLUGIN_H
#define FUZZ_FUZZ_PLUGIN_H

#include <opprof/plugin.h>

/*
 * Finds a plugin by the name of its module in directories that are separated by colons. NULL: no
 * directory has it. The result is kept for the whole process. A pipeline would search all
 * directories again for each stage of each input.
 */
const OpprofPlugin *FuzzPlugin(const char *name, const char *directories);

#endif
