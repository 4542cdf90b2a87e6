/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the directories of an Ascend profiler's tables.
 * Tested by tests/plugins/collect-kineto/test_ascend_tables.sh.
 */
#include "collect-kineto/formats/ascend_folders.h"
#include "collect-kineto/formats/files.h"
#include "collect-kineto/tables/table_kinds.h"

#include <dirent.h>
#include <fnmatch.h>
#include <opprof/grow.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define DEPTH 3u /* a job, its ranks, the recordings of a rank */

static bool is_folder(const char *path)
{
    struct stat facts;

    return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

/* Directories that hold those of ranks: "…_ascend_pt", "…_ascend_ms", and "rank0_start4_stop5" of
 * recordings that began while the program ran. */
static int may_hold(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && (fnmatch("*_ascend_[pm][ts]*", entry->d_name, 0) == 0 ||
                                       fnmatch("rank[0-9]*", entry->d_name, 0) == 0);
}

/* Adds a directory if it is one; the path is the list's, or freed. False without memory. */
static bool add(AscendFolders *folders, char *path)
{
    if (path == NULL || !is_folder(path)) {
        free(path);
        return path != NULL;
    }
    if (!OpprofGrow(&folders->paths, &folders->capacity, folders->count + 1, sizeof(char *))) {
        free(path);
        return false;
    }
    folders->paths[folders->count++] = path;
    return true;
}

static char *join(const char *folder, const char *name)
{
    char *path = NULL;

    return asprintf(&path, "%s/%s", folder, name) < 0 ? NULL : path;
}

static bool find_below(AscendFolders *folders, const char *folder, unsigned depth)
{
    struct dirent **entries = NULL;
    const size_t before = folders->count;
    bool is_good = add(folders, join(folder, ASCEND_OUTPUT));
    int count;

    if (!is_good || folders->count > before || depth == DEPTH) {
        return is_good;
    }
    count = scandir(folder, &entries, may_hold, versionsort);
    for (int i = 0; i < count; i++) {
        char *path = is_good ? join(folder, entries[i]->d_name) : NULL;

        is_good = path != NULL && (!is_folder(path) || find_below(folders, path, depth + 1));
        free(path);
        free(entries[i]);
    }
    free(entries);
    return is_good;
}

OpprofStatus AscendFoldersFind(const char *input, AscendFolders *ret_folders, OpprofError **error)
{
    char *real = realpath(input, NULL);
    const char *slash = real == NULL ? NULL : strrchr(real, '/');
    bool is_good = true;

    *ret_folders = (AscendFolders){ .count = 0 };
    if (real != NULL && is_folder(real)) {
        is_good = strcmp(slash + 1, ASCEND_OUTPUT) == 0 ? add(ret_folders, strdup(real))
                                                        : find_below(ret_folders, input, 0);
    }
    free(real);
    if (!is_good) {
        AscendFoldersFinish(ret_folders);
        return OpprofErrorNoMemory(error, "look for tables in '%s'", input);
    }
    return OPPROF_OK;
}

bool AscendIsTable(const char *name)
{
    for (unsigned i = 0; i < TABLE_KINDS; i++) {
        if (fnmatch(table_kinds[i].file, name, 0) == 0) {
            return true;
        }
    }
    return false;
}

static int is_table(const struct dirent *entry)
{
    return AscendIsTable(entry->d_name);
}

bool AscendFoldersHaveTables(const AscendFolders *folders)
{
    bool has = false;

    for (size_t i = 0; i < folders->count && !has; i++) {
        struct dirent **entries = NULL;
        const int count = scandir(folders->paths[i], &entries, is_table, NULL);

        has = count > 0;
        for (int k = 0; k < count; k++) {
            free(entries[k]);
        }
        free(entries);
    }
    return has;
}

void AscendFoldersFinish(AscendFolders *folders)
{
    for (size_t i = 0; i < folders->count; i++) {
        free(folders->paths[i]);
    }
    free(folders->paths);
    *folders = (AscendFolders){ .count = 0 };
}
