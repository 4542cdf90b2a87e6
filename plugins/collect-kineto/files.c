/* SPDX-License-Identifier: Apache-2.0 */
#include "files.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool ends_with(const char *name, const char *suffix)
{
    const size_t length = strlen(name);
    const size_t suffix_length = strlen(suffix);

    return length > suffix_length && strcmp(name + length - suffix_length, suffix) == 0;
}

static int is_trace_name(const struct dirent *entry)
{
    return entry->d_name[0] != '.' &&
           (ends_with(entry->d_name, ".json") || ends_with(entry->d_name, ".gz"));
}

static bool append(TraceFiles *files, char *path)
{
    char **paths =
        path == NULL ? NULL : reallocarray(files->paths, files->count + 1, sizeof *files->paths);

    if (paths == NULL) {
        free(path);
        return false;
    }
    files->paths = paths;
    files->paths[files->count++] = path;
    return true;
}

/* Appends DIRECTORY/NAME if that is a regular file. False without memory. */
static bool append_entry(TraceFiles *files, const char *directory, const char *name)
{
    struct stat facts;
    char *path = NULL;

    if (asprintf(&path, "%s/%s", directory, name) < 0) {
        return false;
    }
    if (stat(path, &facts) != 0 || !S_ISREG(facts.st_mode)) {
        free(path);
        return true;
    }
    return append(files, path);
}

static OpprofStatus out_of_memory(const char *input, OpprofError **error)
{
    return OpprofErrorSet(error, OPPROF_E_MEMORY, "Cannot look for traces in '%s': out of memory",
                          input);
}

static OpprofStatus list_directory(const char *input, TraceFiles *files, OpprofError **error)
{
    struct dirent **entries = NULL;
    const int count = scandir(input, &entries, is_trace_name, versionsort);
    bool is_good = true;

    if (count < 0) {
        return OpprofErrorSet(error, OPPROF_E_IO, "Cannot list directory '%s': %s", input,
                              strerror(errno));
    }
    for (int i = 0; i < count; i++) {
        is_good = is_good && append_entry(files, input, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    if (!is_good) {
        return out_of_memory(input, error);
    }
    if (files->count == 0) {
        OpprofErrorSet(error, OPPROF_E_NOT_FOUND, "Cannot find traces in directory '%s'", input);
        OpprofErrorHint(error, "traces are files whose names end with .json or .gz");
        return OPPROF_E_NOT_FOUND;
    }
    return OPPROF_OK;
}

OpprofStatus TraceFilesFind(const char *input, TraceFiles *ret_files, OpprofError **error)
{
    struct stat facts;
    OpprofStatus status;

    *ret_files = (TraceFiles){ .paths = NULL };
    if (stat(input, &facts) != 0) {
        return OpprofErrorSet(error, errno == ENOENT ? OPPROF_E_NOT_FOUND : OPPROF_E_IO,
                              "Cannot read traces from '%s': %s", input, strerror(errno));
    }
    if (!S_ISDIR(facts.st_mode)) {
        return append(ret_files, strdup(input)) ? OPPROF_OK : out_of_memory(input, error);
    }
    status = list_directory(input, ret_files, error);
    if (status != OPPROF_OK) {
        TraceFilesFinish(ret_files);
    }
    return status;
}

void TraceFilesFinish(TraceFiles *files)
{
    for (size_t i = 0; i < files->count; i++) {
        free(files->paths[i]);
    }
    free(files->paths);
    *files = (TraceFiles){ .paths = NULL };
}
