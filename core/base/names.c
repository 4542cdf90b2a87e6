/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of names, and of the directories of a search path. Tested by
 * tests/core/plugin/test_registry and tests/core/document/test_config. */
#include "base/names.h"

#include <opprof/grow.h>

#include <dirent.h>
#include <errno.h>
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

bool NamesHave(const Names *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++) {
        if (strcmp(names->names[i], name) == 0) {
            return true;
        }
    }
    return false;
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

bool NamesAddFiles(Names *names, const char *directory, const char *end)
{
    DIR *stream = opendir(directory);
    const struct dirent *entry;
    bool is_good = true;

    if (stream == NULL) {
        return errno != ENOMEM;
    }
    while (is_good && (entry = readdir(stream)) != NULL) {
        const char *name = entry->d_name;

        is_good = name[0] == '.' || !NameEndsWith(name, end) || NamesAdd(names, strdup(name));
    }
    closedir(stream);
    return is_good;
}

void NamesFree(Names *names)
{
    for (size_t i = 0; i < names->count; i++) {
        free(names->names[i]);
    }
    free(names->names);
    *names = (Names){ .names = NULL };
}

char *NameDirectory(const char *path)
{
    const char *slash = strrchr(path, '/');

    if (slash == NULL) {
        return strdup(".");
    }
    return slash == path ? strdup("/") : strndup(path, (size_t) (slash - path));
}

bool NameEndsWith(const char *name, const char *end)
{
    const size_t length = strlen(name);

    return length >= strlen(end) && strcmp(name + length - strlen(end), end) == 0;
}
