/* SPDX-License-Identifier: Apache-2.0 */
/* Loads libraries that few runs need. Tested by tests/core/base/test_library.c. */
#include <opprof/library.h>

#include "base/linker.h"

#include <opprof/require.h>

#include <dlfcn.h>
#include <stddef.h>

static OpprofStatus refuse(const char *name, OpprofError **error)
{
    const char *given = dlerror();
    const char *reason = given == NULL ? "the dynamic linker gives no reason" : given;
    const OpprofStatus status = LinkerStatus(reason);

    OpprofErrorSet(error, status, "Cannot load the library '%s': %s%s", name, reason,
                   status == OPPROF_E_MEMORY ? ": out of memory" : "");
    if (status == OPPROF_E_LOAD) {
        OpprofErrorHint(error, "Install it, or name its directory in LD_LIBRARY_PATH");
    }
    return status;
}

OpprofStatus OpprofLibraryLoad(const char *name, const char *const *functions, void **ret_addresses,
                               OpprofError **error)
{
    OPPROF_REQUIRE("library-given", name != NULL && functions != NULL && ret_addresses != NULL,
                   "The library, its functions and the pointer to their addresses are given");

    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);

    if (library == NULL) {
        return refuse(name, error);
    }
    for (size_t i = 0; functions[i] != NULL; i++) {
        if (dlsym(library, functions[i]) == NULL) {
            const OpprofStatus status = refuse(name, error);

            dlclose(library);
            return status;
        }
    }
    for (size_t i = 0; functions[i] != NULL; i++) {
        ret_addresses[i] = dlsym(library, functions[i]);
    }
    return OPPROF_OK;
}
