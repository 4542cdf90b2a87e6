/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The library that stands before this one in LD_PRELOAD, for this program alone: what the program
 * starts does not get it. Tested by tests/refchip/test_unfriendly.sh.
 */
#include "inject/link/link.h"

#include <string.h>
#include <unistd.h>

static char **entry_of(const char *name)
{
    const size_t length = strlen(name);

    for (char **entry = environ; entry != NULL && *entry != NULL; entry++) {
        if (strncmp(*entry, name, length) == 0 && (*entry)[length] == '=') {
            return entry;
        }
    }
    return NULL;
}

/* As the library is loaded, and in place: the program may have functions of its own for memory and
 * for its environment, which are not ready yet. */
__attribute__((constructor)) static void take_out_first(void)
{
    char **first = entry_of(OPPROF_LIVE_FIRST), **list = entry_of("LD_PRELOAD");
    const char *name = first == NULL ? "" : *first + sizeof OPPROF_LIVE_FIRST;
    const size_t length = strlen(name), head = sizeof "LD_PRELOAD";

    if (length > 0 && list != NULL && strncmp(*list + head, name, length) == 0 &&
        (*list)[head + length] == ':') {
        memmove(*list + length + 1, *list, head);
        *list += length + 1;
    }
    for (; first != NULL && *first != NULL; first++) {
        *first = first[1];
    }
}
