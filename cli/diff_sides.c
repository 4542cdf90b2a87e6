/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the databases of one side of a comparison. Tested by tests/plugins/export/test_diff.sh. */
#include "diff_sides.h"

#include "diff_file.h"

#include <opprof/grow.h>

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FILE_NAME "results.sqlite"

static bool is_file(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

/* Takes the path. */
static bool add_database(DiffSide *side, char *path)
{
    if (path == NULL ||
        !OpprofGrow32(&side->databases, &side->capacity, side->runs + 1, sizeof *side->databases)) {
        free(path);
        return false;
    }
    side->databases[side->runs++] = path;
    return true;
}

static int compare_paths(const void *a, const void *b)
{
    return strverscmp(*(char *const *) a, *(char *const *) b);
}

/* A run that left no database would be missing among the repetitions. Takes the path, where the database should be. */
static OpprofStatus add_run(DiffSide *side, const char *folder, char *path, OpprofError **error)
{
    char *record = NULL;

    if (is_file(path)) {
        return add_database(side, path) ? OPPROF_OK : DiffNoMemory(error);
    }
    free(path);
    if (asprintf(&record, "%s/%s/run.json", side->path, folder) < 0) {
        return DiffNoMemory(error);
    }
    const bool is_run = is_file(record);

    free(record);
    if (!is_run) {
        return OPPROF_OK;
    }
    OpprofErrorSet(error, OPPROF_E_NOT_FOUND, "The run in '%s/%s' has left no " FILE_NAME,
                   side->path, folder);
    OpprofErrorHint(error, "It was stopped, or its pipeline has no exporter 'sqlite'; to compare "
                           "the other runs, move it elsewhere");
    return OPPROF_E_NOT_FOUND;
}

static OpprofStatus read_folder(DiffSide *side, DIR *folder, OpprofError **error)
{
    const struct dirent *entry;
    OpprofStatus status = OPPROF_OK;

    for (errno = 0; status == OPPROF_OK && (entry = readdir(folder)) != NULL; errno = 0) {
        char *path = NULL;

        if (entry->d_name[0] == '.') {
            continue;
        }
        if (asprintf(&path, "%s/%s/" FILE_NAME, side->path, entry->d_name) < 0) {
            return DiffNoMemory(error);
        }
        status = add_run(side, entry->d_name, path, error);
        if (status == OPPROF_OK && side->runs > DIFF_RUNS_MAX) {
            status = OpprofErrorSet(error, OPPROF_E_ARGUMENT,
                                    "'%s' has more than %u runs, the most that can be compared",
                                    side->path, DIFF_RUNS_MAX);
        }
    }
    return status == OPPROF_OK && errno != 0
               ? OpprofErrorSet(error, OPPROF_E_IO, "Cannot read '%s': %m", side->path)
               : status;
}

/* Folders of runs in a folder. */
static OpprofStatus add_runs(DiffSide *side, OpprofError **error)
{
    DIR *folder = opendir(side->path);
    OpprofStatus status;

    if (folder == NULL) {
        return errno == ENOTDIR
                   ? OPPROF_OK
                   : OpprofErrorSet(error, OPPROF_E_IO, "Cannot read '%s': %m", side->path);
    }
    status = read_folder(side, folder, error);
    closedir(folder);
    if (side->runs > 0) {
        qsort(side->databases, side->runs, sizeof *side->databases, compare_paths);
    }
    return status;
}

OpprofStatus DiffSideFind(DiffSide *side, OpprofError **error)
{
    char *inside = NULL;
    OpprofStatus status = OPPROF_OK;

    if (is_file(side->path)) {
        status = add_database(side, strdup(side->path)) ? OPPROF_OK : DiffNoMemory(error);
    } else if (asprintf(&inside, "%s/" FILE_NAME, side->path) < 0) {
        return DiffNoMemory(error);
    } else if (is_file(inside)) {
        status = add_database(side, inside) ? OPPROF_OK : DiffNoMemory(error);
    } else {
        free(inside);
        status = add_runs(side, error);
    }
    if (status == OPPROF_OK && side->runs == 0) {
        OpprofErrorSet(error, OPPROF_E_NOT_FOUND, "There are no results in '%s'", side->path);
        OpprofErrorHint(error,
                        "Name a folder with a " FILE_NAME ", which the ready pipelines write, "
                        "or a folder of such folders");
        return OPPROF_E_NOT_FOUND;
    }
    return status;
}
