/* SPDX-License-Identifier: Apache-2.0 */
/* Why the dynamic linker refuses a library. Tested by tests/core/base/test_library.c. */
#include "base/linker.h"

#include <errno.h>
#include <string.h>

/*
 * Both linkers say so only in words: they have no memory for what they cannot create, allocate or
 * map. Static TLS is limited, however much memory there is.
 */
OpprofStatus LinkerStatus(const char *reason)
{
    static const char *const words[] = { "out of memory",    "not enough memory", "cannot create ",
                                         "cannot allocate ", "cannot extend ",    LINKER_UNMAPPED };

    if (strstr(reason, "static TLS") != NULL) {
        return OPPROF_E_LOAD;
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strstr(reason, words[i]) != NULL) {
            return OPPROF_E_MEMORY;
        }
    }
    return strstr(reason, strerror(ENOMEM)) != NULL ||
                   strcmp(reason, "cannot open shared object file") == 0
               ? OPPROF_E_MEMORY
               : OPPROF_E_LOAD;
}
