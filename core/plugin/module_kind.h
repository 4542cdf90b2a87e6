/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PLUGIN_MODULE_KIND_H
#define PLUGIN_MODULE_KIND_H

#include <opprof/error.h>

/*
 * Check that a file is a whole shared object of this machine: the dynamic linker names neither kind
 * nor machine, and a file that is cut off ends the process. OPPROF_OK; OPPROF_E_LOAD with the
 * reason. [any thread]
 */
OpprofStatus ModuleKindCheck(const char *path, OpprofError **error);

#endif
