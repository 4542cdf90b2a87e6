/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds a pipeline by its name in the directories of pipelines. Tested by
 * tests/core/document/test_config.
 */
#include "document/config_find.h"

#include "base/names.h"
#include "base/problems.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define SUFFIX ".json"

/* Directories of pipelines, in the order in which they are looked at. False without memory. */
static bool list_directories(Names *ret_list)
{
    return NamesAddPath(ret_list, secure_getenv("OPPROF_PIPELINE_PATH")) &&
           NamesAdd(ret_list, strdup(OPPROF_PIPELINE_DIR));
}

static bool is_regular(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

/* False without memory. */
static bool list_file(const char *directory, const char *file, Names *list)
{
    char *path = ProblemText("%s/%s", directory, file);
    const bool is_good =
        path != NULL &&
        (!is_regular(path) || NamesAdd(list, strndup(file, strlen(file) - strlen(SUFFIX))));

    free(path);
    return is_good;
}

/* False without memory. */
static bool list_directory(const char *directory, Names *list)
{
    Names files = { 0 };
    bool is_good = NamesAddFiles(&files, directory, SUFFIX);

    for (size_t i = 0; i < files.count && is_good; i++) {
        is_good = list_file(directory, files.names[i], list);
    }
    NamesFree(&files);
    return is_good;
}

static int compare_names(const void *left, const void *right)
{
    return strcmp(*(char *const *) left, *(char *const *) right);
}

/* Names of the installed pipelines, sorted, each once. False without memory. */
static bool list_pipelines(Names *ret_list)
{
    Names directories = { 0 };
    size_t kept = 0;
    bool good = list_directories(&directories);

    for (size_t i = 0; good && i < directories.count; i++) {
        good = list_directory(directories.names[i], ret_list);
    }
    NamesFree(&directories);
    if (ret_list->count > 0) {
        qsort(ret_list->names, ret_list->count, sizeof *ret_list->names, compare_names);
    }
    for (size_t i = 0; i < ret_list->count; i++) {
        if (kept > 0 && strcmp(ret_list->names[kept - 1], ret_list->names[i]) == 0) {
            free(ret_list->names[i]);
        } else {
            ret_list->names[kept++] = ret_list->names[i];
        }
    }
    ret_list->count = kept;
    return good;
}

OpprofStatus ConfigVisitAll(ConfigVisit *visit, void *context, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;
    Names list = { 0 };

    if (!list_pipelines(&list)) {
        status = OpprofErrorNoMemory(error, "list the pipelines");
    }
    for (size_t i = 0; i < list.count && status == OPPROF_OK; i++) {
        status = visit(context, list.names[i], error);
    }
    NamesFree(&list);
    return status;
}

static OpprofStatus report_not_found(const char *name, const Names *directories,
                                     OpprofError **error)
{
    Names list = { 0 };
    char *where;
    OpprofStatus status;

    if (!list_pipelines(&list)) {
        NamesFree(&list);
        return OpprofErrorNoMemory(error, "find pipeline '%s'", name);
    }
    where = ProblemNames((const char *const *) directories->names, directories->count);
    status =
        OpprofErrorSet(error, OPPROF_E_NOT_FOUND,
                       "Cannot find pipeline '%s': no pipeline of that name is installed in %s",
                       name, where != NULL ? where : "the directories of pipelines");
    if (is_regular(name)) {
        OpprofErrorHint(error, "To use the file of that name, write './%s'", name);
    } else {
        ProblemHint(error, name,
                    &(NameList){ "Installed", (const char *const *) list.names, list.count });
    }
    free(where);
    NamesFree(&list);
    return status;
}

/* Path of NAME.json in the first directory that has it; NULL: in none. False without memory. */
static bool find_installed(const char *name, const Names *directories, char **ret_path)
{
    *ret_path = NULL;
    for (size_t i = 0; i < directories->count; i++) {
        char *path = ProblemText("%s/%s" SUFFIX, directories->names[i], name);

        if (path == NULL) {
            return false;
        }
        if (is_regular(path)) {
            *ret_path = path;
            return true;
        }
        free(path);
    }
    return true;
}

bool ConfigIsPath(const char *file_or_name)
{
    return strchr(file_or_name, '/') != NULL || NameEndsWith(file_or_name, SUFFIX);
}

OpprofStatus ConfigFind(const char *file_or_name, char **ret_path, OpprofError **error)
{
    /* A name never means a file of the current directory, which may be another user's archive. */
    bool is_path = ConfigIsPath(file_or_name);
    Names directories = { 0 };
    OpprofStatus status = OPPROF_OK;

    *ret_path = NULL;
    if (is_path) {
        *ret_path = strdup(file_or_name);
    } else if (list_directories(&directories) &&
               find_installed(file_or_name, &directories, ret_path) && *ret_path == NULL) {
        status = report_not_found(file_or_name, &directories, error);
    }
    NamesFree(&directories);
    if (*ret_path == NULL && status == OPPROF_OK) {
        return OpprofErrorNoMemory(error, "find pipeline '%s'", file_or_name);
    }
    return status;
}
