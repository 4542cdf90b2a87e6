/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the directories of an Ascend profiler's tables.
 * Tested by tests/plugins/collect-kineto/test_ascend_tables.sh.
 */
#include "collect-kineto/formats/ascend_folders.h"
#include "collect-kineto/formats/files.h"
#include "collect-kineto/tables/table_kinds.h"
#include "collect-kineto/text/archive.h"

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
 * recordings that began while the program ran; or archives. */
static int may_hold(const struct dirent *entry)
{
    static const char *const patterns[] = { "*_ascend_[pm][ts]*", "rank[0-9]*", "*.[zZ][iI][pP]" };
    bool fits = false;

    for (size_t i = 0; i < OPPROF_COUNT(patterns); i++) {
        fits = fits || fnmatch(patterns[i], entry->d_name, 0) == 0;
    }
    return entry->d_name[0] != '.' && fits;
}

/* False without memory. The path is the list's, or freed. */
static bool add_folder(AscendFolders *folders, char *path)
{
    if (path == NULL ||
        !OpprofGrow(&folders->paths, &folders->capacity, folders->count + 1, sizeof(char *))) {
        free(path);
        return false;
    }
    folders->paths[folders->count++] = path;
    return true;
}

/* Adds a file of the last directory. The same. */
static bool add_file(AscendFolders *folders, char *path)
{
    if (path == NULL || !OpprofGrow(&folders->files, &folders->file_capacity,
                                    folders->file_count + 1, sizeof *folders->files)) {
        free(path);
        return false;
    }
    folders->files[folders->file_count++] =
        (AscendFile){ .path = path, .name = strrchr(path, '/') + 1, .folder = folders->count - 1 };
    return true;
}

static char *join(const char *folder, const char *name)
{
    char *path = NULL;

    return asprintf(&path, "%s/%s", folder, name) < 0 ? NULL : path;
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* Adds a directory with its files if it is one; the path is the list's, or freed. False without
 * memory. */
static bool add(AscendFolders *folders, char *path)
{
    struct dirent **entries = NULL;
    bool is_good;
    int count;

    if (path == NULL || !is_folder(path)) {
        free(path);
        return path != NULL;
    }
    is_good = add_folder(folders, path);
    count = is_good ? scandir(path, &entries, is_visible, versionsort) : 0;
    for (int i = 0; i < count; i++) {
        char *file = is_good ? join(path, entries[i]->d_name) : NULL;

        if (file != NULL && is_folder(file)) {
            free(file);
        } else {
            is_good = add_file(folders, file);
        }
        free(entries[i]);
    }
    free(entries);
    return is_good;
}

/* ---- archives ---- */

/* Bytes of the directory of a file, if that is a profiler's and the file is not hidden; else 0. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    const size_t length = slash == NULL ? 0 : (size_t) (slash - path);
    const size_t tail = strlen("/" ASCEND_OUTPUT);

    return length > tail && strncmp(slash - tail, "/" ASCEND_OUTPUT, tail) == 0 && slash[1] != '.'
               ? length
               : 0;
}

/* Adds a member as a file, whose directory follows. */
static bool add_member(void *context, const char *path)
{
    return folder_length(path) == 0 || add_file(context, strdup(path));
}

static int compare_files(const void *a, const void *b)
{
    return strverscmp(((const AscendFile *) a)->path, ((const AscendFile *) b)->path);
}

/* The directories in an archive. One that cannot be listed has none: the collector reports it.
 * False without memory. */
static bool find_packed(AscendFolders *folders, const char *archive)
{
    const size_t from = folders->file_count;
    size_t last = 0;
    OpprofError *error = NULL;
    bool is_good = ArchiveList(archive, add_member, folders, &error) != OPPROF_E_MEMORY;

    OpprofErrorDestroy(error);
    if (folders->file_count > from) {
        qsort(folders->files + from, folders->file_count - from, sizeof *folders->files,
              compare_files);
    }
    for (size_t i = from; is_good && i < folders->file_count; i++) {
        AscendFile *file = &folders->files[i];
        const size_t length = folder_length(file->path);

        if (i == from || length != last ||
            strncmp(file->path, folders->paths[folders->count - 1], length) != 0) {
            is_good = add_folder(folders, strndup(file->path, length));
            last = length;
        }
        file->folder = folders->count - 1;
    }
    return is_good;
}

/* ---- looking ---- */

/* What a directory or an archive has. False without memory. */
static bool find_in(AscendFolders *folders, const char *path, unsigned depth);

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

        is_good = path != NULL && find_in(folders, path, depth + 1);
        free(path);
        free(entries[i]);
    }
    free(entries);
    return is_good;
}

static bool find_in(AscendFolders *folders, const char *path, unsigned depth)
{
    return is_folder(path)   ? find_below(folders, path, depth)
           : ArchiveIs(path) ? find_packed(folders, path)
                             : true;
}

OpprofStatus AscendFoldersFind(const char *input, AscendFolders *ret_folders, OpprofError **error)
{
    char *plain = TraceFilesPlain(input);
    char *real = realpath(input, NULL);
    const char *slash = real == NULL ? NULL : strrchr(real, '/');
    bool is_good = plain != NULL;

    *ret_folders = (AscendFolders){ .count = 0 };
    if (is_good && real != NULL && is_folder(real) && strcmp(slash + 1, ASCEND_OUTPUT) == 0) {
        is_good = add(ret_folders, strdup(plain));
    } else if (is_good && real != NULL) {
        is_good = find_in(ret_folders, plain, 0);
    }
    free(plain);
    free(real);
    if (!is_good) {
        AscendFoldersFinish(ret_folders);
        return OpprofErrorNoMemory(error, "look for tables in '%s'", input);
    }
    return OPPROF_OK;
}

/* ---- their files ---- */

bool AscendFits(const char *pattern, const char *name)
{
    static const char *const suffixes[] = { "", ".gz", ".zst" };
    char packed[64];
    bool fits = false;

    for (size_t i = 0; !fits && i < OPPROF_COUNT(suffixes); i++) {
        snprintf(packed, sizeof packed, "%s%s", pattern, suffixes[i]);
        fits = fnmatch(packed, name, 0) == 0;
    }
    return fits;
}

bool AscendFoldersHaveTables(const AscendFolders *folders)
{
    for (size_t i = 0; i < folders->file_count; i++) {
        for (unsigned kind = 0; kind < TABLE_KINDS; kind++) {
            if (AscendFits(table_kinds[kind].file, folders->files[i].name)) {
                return true;
            }
        }
    }
    return false;
}

void AscendFoldersFinish(AscendFolders *folders)
{
    for (size_t i = 0; i < folders->count; i++) {
        free(folders->paths[i]);
    }
    free(folders->paths);
    for (size_t i = 0; i < folders->file_count; i++) {
        free(folders->files[i].path);
    }
    free(folders->files);
    *folders = (AscendFolders){ .count = 0 };
}
