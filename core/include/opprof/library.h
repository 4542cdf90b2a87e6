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

/** Load a shared library by the `name` that the dynamic linker knows ("libsqlite3.so.0"), and find
 * `functions` of it, names that NULL ends: `ret_addresses` gets their addresses in this order. It
 * stays loaded; another call finds it there. OPPROF_OK; OPPROF_E_LOAD: there is no such library, or
 * it lacks a function; OPPROF_E_MEMORY. [any thread] */
OpprofStatus OpprofLibraryLoad(const char *name, const char *const *functions, void **ret_addresses,
                               OpprofError **error);

#ifdef __cplusplus
}
#endif

#endif
