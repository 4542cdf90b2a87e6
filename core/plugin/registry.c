/* SPDX-License-Identifier: Apache-2.0 */
/* Finds plugins by name along the search path. */
#include "plugin/registry.h"

#include "base/names.h"
#include "base/problems.h"
#include "base/files.h"
#include "plugin/descriptor.h"
#include "plugin/loader.h"

#include <opprof/grow.h>

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/types.h>

#define SUFFIX ".so"

/* A module that was found once: neither the directories nor the file are looked at again. */
typedef struct FoundModule {
    const OpprofPlugin *plugin; /* both borrowed for ever */
    const char *path;
} FoundModule;

struct Registry {
    Names paths; /* those of the command, the pipeline, the environment */
    size_t command_count;
    size_t pipeline_count;
    FoundModule *found; /* along the current directories */
    size_t found_count;
    size_t found_capacity;
    bool rehearses;
    bool allow_writable; /* modules that others could have written */
};

/* ---- directories ---- */

/* $XDG_DATA_HOME/opprof/plugins-0 or its default; nothing when neither is known. */
static bool append_user_path(Registry *registry)
{
    const char *data = secure_getenv("XDG_DATA_HOME");
    const char *home = secure_getenv("HOME");
    char *path;

    if (data != NULL && *data == '/') {
        path = ProblemText("%s/opprof/plugins-%d", data, OPPROF_ABI_MAJOR);
    } else if (home != NULL && *home == '/') {
        path = ProblemText("%s/.local/share/opprof/plugins-%d", home, OPPROF_ABI_MAJOR);
    } else {
        return true;
    }
    return NamesAdd(&registry->paths, path);
}

static bool append_environment(Registry *registry)
{
    const char *system = secure_getenv("OPPROF_SYSTEM_PLUGIN_PATH");

    if (!NamesAddPath(&registry->paths, secure_getenv("OPPROF_PLUGIN_PATH"))) {
        return false;
    }
    if (system != NULL) {
        return NamesAddPath(&registry->paths, system);
    }
    return append_user_path(registry) && NamesAdd(&registry->paths, strdup(OPPROF_PLUGIN_DIR));
}

Registry *RegistryCreate(void)
{
    Registry *registry = calloc(1, sizeof *registry);

    if (registry != NULL && !append_environment(registry)) {
        RegistryDestroy(registry);
        return NULL;
    }
    return registry;
}

void RegistryDestroy(Registry *registry)
{
    if (registry == NULL) {
        return;
    }
    NamesFree(&registry->paths);
    free(registry->found);
    free(registry);
}

void RegistryAllowWritable(Registry *registry)
{
    registry->allow_writable = true;
}

static OpprofStatus add_path(Registry *registry, size_t at, const char *directory,
                             OpprofError **error)
{
    if (directory == NULL || *directory == '\0') {
        return OpprofErrorSet(error, OPPROF_E_ARGUMENT, "A directory of plugins has no name");
    }
    registry->found_count = 0;
    if (!NamesInsert(&registry->paths, at, strdup(directory))) {
        return OpprofErrorNoMemory(error, "add plugin path '%s'", directory);
    }
    return OPPROF_OK;
}

void RegistryRehearse(Registry *registry)
{
    registry->rehearses = true;
}

OpprofStatus RegistryAddPath(Registry *registry, const char *directory, OpprofError **error)
{
    OpprofStatus status = add_path(registry, registry->command_count, directory, error);

    registry->command_count += status == OPPROF_OK ? 1 : 0;
    return status;
}

OpprofStatus RegistryAddPipelinePath(Registry *registry, const char *directory, OpprofError **error)
{
    size_t at = registry->command_count + registry->pipeline_count;
    OpprofStatus status;

    /* a document must not choose code for a program with more rights than its user */
    if (getauxval(AT_SECURE) != 0) {
        return OPPROF_OK;
    }
    status = add_path(registry, at, directory, error);
    registry->pipeline_count += status == OPPROF_OK ? 1 : 0;
    return status;
}

const char *RegistryPath(const Registry *registry, size_t index)
{
    return index < registry->paths.count ? registry->paths.names[index] : NULL;
}

/* ---- lists ---- */

static void finish_entry(RegistryEntry *entry)
{
    free(entry->name);
    free(entry->path);
    OpprofErrorDestroy(entry->error);
}

void RegistryListFinish(RegistryList *list)
{
    for (size_t i = 0; i < list->count; i++) {
        finish_entry(&list->entries[i]);
    }
    free(list->entries);
    *list = (RegistryList){ 0 };
}

/* An entry for the file; false without memory. */
static bool append_entry(RegistryList *list, const char *directory, size_t index, const char *file)
{
    RegistryEntry entry = { .directory = index };

    if (!OpprofGrow(&list->entries, &list->capacity, list->count + 1, sizeof *list->entries)) {
        return false;
    }
    entry.name = strndup(file, strlen(file) - strlen(SUFFIX));
    entry.path = ProblemText("%s/%s", directory, file);
    if (entry.name == NULL || entry.path == NULL) {
        finish_entry(&entry);
        return false;
    }
    list->entries[list->count++] = entry;
    return true;
}

/* False without memory. */
static bool list_directory(RegistryList *list, const char *directory, size_t index)
{
    Names files = { 0 };
    bool is_good = NamesAddFiles(&files, directory, SUFFIX);

    for (size_t i = 0; i < files.count && is_good; i++) {
        is_good = append_entry(list, directory, index, files.names[i]);
    }
    NamesFree(&files);
    return is_good;
}

/* True when the directory is one of those before it under another name. */
static bool is_repeated(const Registry *registry, size_t index)
{
    struct stat own;
    struct stat other;

    if (stat(registry->paths.names[index], &own) != 0) {
        return false;
    }
    for (size_t i = 0; i < index; i++) {
        if (stat(registry->paths.names[i], &other) == 0 && IsSameFile(&own, &other)) {
            return true;
        }
    }
    return false;
}

/* By name, equal names in search order. */
static int compare_entries(const void *left, const void *right)
{
    const RegistryEntry *a = left;
    const RegistryEntry *b = right;
    int order = strcmp(a->name, b->name);

    return order != 0 ? order : (a->directory > b->directory) - (a->directory < b->directory);
}

/* All files of all directories, in the order of compare_entries. False without memory. */
static bool list_files(const Registry *registry, RegistryList *ret_list)
{
    *ret_list = (RegistryList){ 0 };
    for (size_t i = 0; i < registry->paths.count; i++) {
        if (!is_repeated(registry, i) && !list_directory(ret_list, registry->paths.names[i], i)) {
            RegistryListFinish(ret_list);
            return false;
        }
    }
    if (ret_list->count > 0) {
        qsort(ret_list->entries, ret_list->count, sizeof *ret_list->entries, compare_entries);
    }
    return true;
}

/* As the registry loads modules. */
static OpprofStatus load_entry(Registry *registry, LoadOrder order, const OpprofPlugin **ret_plugin,
                               const char **ret_path, OpprofError **error)
{
    if (!DescriptorIsName(order.name)) {
        OpprofErrorSet(error, OPPROF_E_ARGUMENT, "'%.100s' is not a plugin name", order.name);
        OpprofErrorHint(error, "Names are lower-case words of letters and digits, joined by '-', "
                               "without a directory or a suffix.");
        return OPPROF_E_ARGUMENT;
    }
    order.any_owner = registry->allow_writable;
    order.rehearse = registry->rehearses;
    return LoaderLoad(&order, ret_plugin, ret_path, error);
}

OpprofStatus RegistryScan(Registry *registry, RegistryList *ret_list, OpprofError **error)
{
    if (!list_files(registry, ret_list)) {
        return OpprofErrorNoMemory(error, "list the plugins");
    }
    for (size_t i = 0; i < ret_list->count; i++) {
        RegistryEntry *entry = &ret_list->entries[i];
        const RegistryEntry *before = i > 0 ? entry - 1 : NULL;

        if (before != NULL && strcmp(before->name, entry->name) == 0) {
            entry->shadowed_by = before->shadowed_by != NULL ? before->shadowed_by : before->path;
        } else {
            load_entry(registry, (LoadOrder){ .name = entry->name, .path = entry->path },
                       &entry->plugin, NULL, &entry->error);
        }
    }
    return OPPROF_OK;
}

/* ---- finding ---- */

static OpprofStatus report_not_found(Registry *registry, const char *name, OpprofError **error)
{
    RegistryList list = { 0 };
    const char **names = NULL;
    char *directories;

    if (!list_files(registry, &list) || (names = calloc(list.count + 1, sizeof *names)) == NULL) {
        RegistryListFinish(&list);
        return OpprofErrorNoMemory(error, "find plugin '%s'", name);
    }
    for (size_t i = 0; i < list.count; i++) {
        bool again = i > 0 && strcmp(list.entries[i].name, list.entries[i - 1].name) == 0;
        names[i] = again ? NULL : list.entries[i].name;
    }
    directories = ProblemNames((const char *const *) registry->paths.names, registry->paths.count);
    OpprofErrorSet(error, OPPROF_E_NOT_FOUND,
                   "Cannot find plugin '%s': no '%s%s' in the plugin "
                   "path (%s)",
                   name, name, SUFFIX, directories != NULL ? directories : "");
    ProblemHint(error, name, &(NameList){ "Available", names, list.count });
    free(names);
    free(directories);
    RegistryListFinish(&list);
    return OPPROF_E_NOT_FOUND;
}

/* Path of the first file of that name, or NULL; false without memory. */
static bool find_file(const Registry *registry, const char *name, char **ret_path)
{
    *ret_path = NULL;
    for (size_t i = 0; i < registry->paths.count; i++) {
        char *path = ProblemText("%s/%s%s", registry->paths.names[i], name, SUFFIX);
        struct stat info;

        if (path == NULL) {
            return false;
        }
        /* lstat: a link to nowhere is a broken module, not a missing one */
        if (lstat(path, &info) == 0) {
            *ret_path = path;
            return true;
        }
        free(path);
    }
    return true;
}

static const FoundModule *find_again(const Registry *registry, const char *name)
{
    for (size_t i = 0; i < registry->found_count; i++) {
        if (strcmp(registry->found[i].plugin->name, name) == 0) {
            return &registry->found[i];
        }
    }
    return NULL;
}

/* After a lack of memory it is looked for once more. */
static void remember(Registry *registry, const OpprofPlugin *plugin, const char *path)
{
    if (OpprofGrow(&registry->found, &registry->found_capacity, registry->found_count + 1,
                   sizeof *registry->found)) {
        registry->found[registry->found_count++] = (FoundModule){ .plugin = plugin, .path = path };
    }
}

/* The first file of that name, loaded and checked. */
static OpprofStatus find_module(Registry *registry, const char *name, FoundModule *ret_found,
                                OpprofError **error)
{
    OpprofStatus status;
    char *path;

    if (!DescriptorIsName(name)) {
        return load_entry(registry, (LoadOrder){ .name = name }, &ret_found->plugin, NULL, error);
    }
    if (!find_file(registry, name, &path)) {
        return OpprofErrorNoMemory(error, "find plugin '%s'", name);
    }
    if (path == NULL) {
        return report_not_found(registry, name, error);
    }
    status = load_entry(registry, (LoadOrder){ .name = name, .path = path }, &ret_found->plugin,
                        &ret_found->path, error);
    if (status == OPPROF_OK) {
        remember(registry, ret_found->plugin, ret_found->path);
    }
    free(path);
    return status;
}

OpprofStatus RegistryLook(Registry *registry, const char *name, const OpprofPlugin **ret_plugin,
                          const char **ret_path, OpprofError **error)
{
    const FoundModule *again = name == NULL ? NULL : find_again(registry, name);
    FoundModule found = { 0 };
    OpprofStatus status = name == NULL ? OPPROF_E_ARGUMENT : OPPROF_OK;

    if (again != NULL) {
        found = *again;
    } else if (status == OPPROF_OK) {
        status = find_module(registry, name, &found, error);
    }
    *ret_plugin = found.plugin;
    if (status == OPPROF_OK && ret_path != NULL) {
        *ret_path = found.path;
    }
    return status;
}

OpprofStatus RegistryFind(Registry *registry, const char *name, const OpprofPlugin **ret_plugin,
                          const char **ret_path, OpprofError **error)
{
    const OpprofStatus status = RegistryLook(registry, name, ret_plugin, ret_path, error);

    if (status == OPPROF_OK) {
        LoaderNoteUse(*ret_plugin);
    }
    return status;
}
