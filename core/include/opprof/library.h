/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_LIBRARY_H
#define OPPROF_LIBRARY_H

/**
 * @file
 * Libraries that few runs need, loaded by those runs alone: linked with a program or a module, such
 * a library costs every run as much as several plugins. Experimental.
 */

#include <opprof/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Load a shared library and find functions of it. It stays loaded; another call finds it there.
 *
 * @param name       What the dynamic linker looks for: "libsqlite3.so.0".
 * @param functions  Names of the functions, NULL after the last.
 * @param[out] ret_addresses  The functions' addresses in their order, for pointers of their types;
 *                            not set on failure.
 * @return OPPROF_OK; OPPROF_E_LOAD: there is no such library, or it lacks a function;
 *         OPPROF_E_MEMORY. [any thread]
 */
OpprofStatus OpprofLibraryLoad(const char *name, const char *const *functions, void **ret_addresses,
                               OpprofError **error);

#ifdef __cplusplus
}
#endif

#endif
