/* SPDX-License-Identifier: Apache-2.0 */
/* Loads libelf and libdw when they are needed. Tested by tests/kit/source/test_source_lines. */
#include "kit/source/dwarf_library.h"

#include <opprof/library.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#define NAME_OF(name) #name,

static pthread_mutex_t lock =
    PTHREAD_MUTEX_INITIALIZER; /* guards both tables until they are set. A leaf */
static bool is_loaded;         /* guarded by lock */

ElfLibrary libelf;
DwarfLibrary libdw;

static OpprofStatus load(OpprofError **error)
{
    static const char *const elf_names[] = { ELF_FUNCTIONS(NAME_OF) NULL };
    static const char *const dwarf_names[] = { DWARF_FUNCTIONS(NAME_OF) NULL };
    void *elf[sizeof libelf / sizeof(void *)];
    void *dwarf[sizeof libdw / sizeof(void *)];
    OpprofStatus status = OpprofLibraryLoad("libelf.so.1", elf_names, elf, error);

    if (status == OPPROF_OK) {
        status = OpprofLibraryLoad("libdw.so.1", dwarf_names, dwarf, error);
    }
    if (status == OPPROF_OK) {
        memcpy(&libelf, elf, sizeof libelf);
        memcpy(&libdw, dwarf, sizeof libdw);
        is_loaded = true;
    }
    return status;
}

OpprofStatus DwarfLibraryLoad(OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    pthread_mutex_lock(&lock);
    if (!is_loaded) {
        status = load(error);
    }
    pthread_mutex_unlock(&lock);
    return status;
}
