/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds a pipeline by its name in the directories of pipelines. Tested by
 * tests/core/document/test_config.
 */
#include "document/config_find.h"

#include "document/config.h"

#include <opprof/grow.h>

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct Names {
    char **names;
    size_t count;
    size_t capacity;
} Names;

static bool add_name(Names *list, char *name)
{
    if (name == NULL) {
        return false;
    }
    if (!OpprofGrow(&list->names, &list->capacity, list->count + 1, sizeof *list->names)) {
        free(name);
        return false;
    }
    list->names[list->count++] = name;
    return true;
}

static void finish_names(Names *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->names[i]);
    }
    free(list->names);
    *list = (Names){ 0 };
}

/* Directories of pipelines, in the order in which they are looked at. False without memory. */
static bool list_directories(Names *ret_list)
{
    const char *path = secure_getenv("OPPROF_PIPELINE_PATH");

    while (path != NULL && *path != '\0') {
        size_t length = strcspn(path, ":");

        if (length > 0 && !add_name(ret_list, strndup(path, length))) {
            return false;
        }
        path += length + (path[length] == ':' ? 1 : 0);
    }
    return add_name(ret_list, strdup(OPPROF_PIPELINE_DIR));
}

static bool is_regular(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

static bool has_suffix(const char *text, const char *suffix)
{
    size_t length = strlen(text);
    size_t suffix_length = strlen(suffix);

    return length > suffix_length && strcmp(text + length - suffix_length, suffix) == 0;
}

/* False without memory. */
static bool list_file(const char *directory, const char *file, Names *list)
{
    char *path;
    bool good;

    if (file[0] == '.' || !has_suffix(file, ".json")) {
        return true;
    }
    path = ProblemText("%s/%s", directory, file);
    good = path != NULL &&
           (!is_regular(path) || add_name(list, strndup(file, strlen(file) - strlen(".json"))));
    free(path);
    return good;
}

/* A missing directory has no pipelines. False without memory. */
static bool list_directory(const char *directory, Names *list)
{
    DIR *stream = opendir(directory);
    const struct dirent *entry;
    bool good = true;

    if (stream == NULL) {
        return errno != ENOMEM;
    }
    while (good && (entry = readdir(stream)) != NULL) {
        good = list_file(directory, entry->d_name, list);
    }
    closedir(stream);
    return good;
}

static int compare_names(const void *left, const void *right)
{
    return strcmp(*(char *const *) left, *(char *const *) right);
}

bool ConfigList(char ***ret_names, size_t *ret_count)
{
    Names directories = { 0 };
    Names list = { 0 };
    size_t kept = 0;
    bool good = list_directories(&directories);

    *ret_names = NULL;
    *ret_count = 0;
    for (size_t i = 0; good && i < directories.count; i++) {
        good = list_directory(directories.names[i], &list);
    }
    finish_names(&directories);
    if (!good) {
        finish_names(&list);
        return false;
    }
    if (list.count > 0) {
        qsort(list.names, list.count, sizeof *list.names, compare_names);
    }
    for (size_t i = 0; i < list.count; i++) {
        if (kept > 0 && strcmp(list.names[kept - 1], list.names[i]) == 0) {
            free(list.names[i]);
        } else {
            list.names[kept++] = list.names[i];
        }
    }
    *ret_names = list.names;
    *ret_count = kept;
    return true;
}

OpprofStatus ConfigVisitAll(ConfigVisit *visit, void *context, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;
    Names list = { 0 };

    if (!ConfigList(&list.names, &list.count)) {
        return OpprofErrorNoMemory(error, "list the pipelines");
    }
    for (size_t i = 0; i < list.count && status == OPPROF_OK; i++) {
        status = visit(context, list.names[i], error);
    }
    finish_names(&list);
    return status;
}

static OpprofStatus report_not_found(const char *name, const Names *directories,
                                     OpprofError **error)
{
    Names list = { 0 };
    char *where;
    OpprofStatus status;

    if (!ConfigList(&list.names, &list.count)) {
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
    finish_names(&list);
    return status;
}

/* Path of NAME.json in the first directory that has it; NULL: in none. False without memory. */
static bool find_installed(const char *name, const Names *directories, char **ret_path)
{
    *ret_path = NULL;
    for (size_t i = 0; i < directories->count; i++) {
        char *path = ProblemText("%s/%s.json", directories->names[i], name);

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
    return strchr(file_or_name, '/') != NULL || has_suffix(file_or_name, ".json");
}

char *ConfigDirectory(const char *path)
{
    const char *slash = strrchr(path, '/');

    if (slash == NULL) {
        return strdup(".");
    }
    return slash == path ? strdup("/") : strndup(path, (size_t) (slash - path));
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
    finish_names(&directories);
    if (*ret_path == NULL && status == OPPROF_OK) {
        return OpprofErrorNoMemory(error, "find pipeline '%s'", file_or_name);
    }
    return status;
}
