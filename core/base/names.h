/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_NAMES_H
#define BASE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* Names in an order, each owned. Zeroed memory holds none. */
typedef struct Names {
    char **names;
    size_t count;
    size_t capacity;
} Names;

/* Put a name at a place, or last; it is taken in any case. False without memory, for which a name
 * that is NULL stands. */
bool NamesInsert(Names *names, size_t place, char *name);
bool NamesAdd(Names *names, char *name);

bool NamesHave(const Names *names, const char *name);

/* Add the directories of a search path, "a:b"; NULL has none. False without memory. */
bool NamesAddPath(Names *names, const char *path);

/* Add the files of a directory whose names end so, but for hidden ones; without the directory there
 * are none. False without memory. */
bool NamesAddFiles(Names *names, const char *directory, const char *end);

void NamesFree(Names *names);

/* Directory of a path, without the '/' at its end; free(), NULL without memory. */
char *NameDirectory(const char *path);

bool NameEndsWith(const char *name, const char *end);

#endif
