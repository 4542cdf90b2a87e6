/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_FORMATS_ASCEND_FOLDERS_H
#define COLLECT_KINETO_FORMATS_ASCEND_FOLDERS_H

#include <opprof/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A file in one of the directories. */
typedef struct AscendFile {
    char *path;
    const char *name; /* its last part */
    size_t folder;    /* index of its directory */
} AscendFile;

/* The directories ASCEND_PROFILER_OUTPUT in which an Ascend profiler left what it made of its
 * recordings, one for each rank; they may be in an archive. */
typedef struct AscendFolders {
    char **paths;
    size_t count;
    size_t capacity;
    /* Of all directories, those of one together, in the order of their numbers. */
    AscendFile *files;
    size_t file_count;
    size_t file_capacity;
} AscendFolders;

/*
 * That of an input, or those of the ranks below it or in archives, in the order of their numbers.
 * An input that has none gives none.
 */
OpprofStatus AscendFoldersFind(const char *input, AscendFolders *ret_folders, OpprofError **error);

/* Whether one of them has a table. */
bool AscendFoldersHaveTables(const AscendFolders *folders);

/* Whether the name of a file fits a pattern, perhaps with the suffix of a compressed one. */
bool AscendFits(const char *pattern, const char *name);

/* A zeroed one is allowed. */
void AscendFoldersFinish(AscendFolders *folders);

#endif
