/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of names, and of the directories of a search path. Tested by
 * tests/core/plugin/test_registry and tests/core/document/test_config. */
#include "base/names.h"

#include <opprof/grow.h>

#include <stdlib.h>
#include <string.h>

bool NamesInsert(Names *names, size_t place, char *name)
{
    if (name == NULL ||
        !OpprofGrow(&names->names, &names->capacity, names->count + 1, sizeof *names->names)) {
        free(name);
        return false;
    }
    memmove(&names->names[place + 1], &names->names[place],
            (names->count - place) * sizeof *names->names);
    names->names[place] = name;
    names->count++;
    return true;
}

bool NamesAdd(Names *names, char *name)
{
    return NamesInsert(names, names->count, name);
}

bool NamesAddPath(Names *names, const char *path)
{
    while (path != NULL && *path != '\0') {
        const size_t length = strcspn(path, ":");

        if (length > 0 && !NamesAdd(names, strndup(path, length))) {
            return false;
        }
        path += length + (path[length] == ':' ? 1 : 0);
    }
    return true;
}

void NamesFinish(Names *names)
{
    for (size_t i = 0; i < names->count; i++) {
        free(names->names[i]);
    }
    free(names->names);
    *names = (Names){ .names = NULL };
}

bool NameEndsWith(const char *name, const char *end)
{
    const size_t length = strlen(name);

    return length >= strlen(end) && strcmp(name + length - strlen(end), end) == 0;
}
