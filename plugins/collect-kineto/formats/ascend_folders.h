/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_FORMATS_ASCEND_FOLDERS_H
#define COLLECT_KINETO_FORMATS_ASCEND_FOLDERS_H

#include <opprof/error.h>
#include <stdbool.h>
#include <stddef.h>

/* The directories ASCEND_PROFILER_OUTPUT in which an Ascend profiler left what it made of its
 * recordings, one for each rank. */
typedef struct AscendFolders {
    char **paths;
    size_t count;
    size_t capacity;
} AscendFolders;

/*
 * That of an input, or those of the ranks below it, in the order of their numbers. An input that
 * has none gives none.
 */
OpprofStatus AscendFoldersFind(const char *input, AscendFolders *ret_folders, OpprofError **error);

/* Whether one of them has a table. */
bool AscendFoldersHaveTables(const AscendFolders *folders);

/* A file of a table, by its name. */
bool AscendIsTable(const char *name);

/* A zeroed one is allowed. */
void AscendFoldersFinish(AscendFolders *folders);

#endif
