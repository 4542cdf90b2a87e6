/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PLUGIN_MODULE_FILE_H
#define PLUGIN_MODULE_FILE_H

#include <opprof/error.h>

/*
 * Check that a file is a shared object of this machine that has all its parts, before the dynamic
 * linker maps it. OPPROF_OK; OPPROF_E_LOAD with the reason; OPPROF_E_MEMORY. [any thread]
 */
OpprofStatus ModuleFileCheck(const char *path, OpprofError **error);

#endif
