/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PLUGIN_REGISTRY_H
#define PLUGIN_REGISTRY_H

#include <opprof/plugin.h>
#include <stdio.h>

/*
 * Where one pipeline looks for modules. Modules themselves are loaded once per process, are never
 * unloaded, and their descriptors live for ever. [main]; modules are loaded under one lock of the
 * process.
 */
typedef struct Registry Registry;

Registry *RegistryCreate(void); /* NULL without memory */
void RegistryDestroy(Registry *registry);

/* From now on load modules, too, that others could have written. */
void RegistryAllowWritable(Registry *registry);

/* From now on RegistryScan loads each module in a child process first. */
void RegistryRehearse(Registry *registry);

/* A directory of --plugin-path; looked at first, in the order of the calls. */
OpprofStatus RegistryAddPath(Registry *registry, const char *directory, OpprofError **error);
/* A directory of the pipeline's plugin_path; looked at after those of RegistryAddPath. */
OpprofStatus RegistryAddPipelinePath(Registry *registry, const char *directory,
                                     OpprofError **error);

/*
 * All directories in the order they are looked at: index 0 and up, NULL after the last. Borrowed
 * until the next call of an Add function.
 */
const char *RegistryPath(const Registry *registry, size_t index);

/*
 * Find a module by name, load and check it.
 *
 * ret_plugin: borrowed for ever. ret_path (may be NULL): path of the file, borrowed for ever.
 * OPPROF_OK; OPPROF_E_NOT_FOUND (in none of the directories; names the nearest); OPPROF_E_LOAD (the
 * file is not a usable module); OPPROF_E_ABI (built for another opprof); OPPROF_E_ARGUMENT (no
 * module can have that name).
 */
OpprofStatus RegistryFind(Registry *registry, const char *name, const OpprofPlugin **ret_plugin,
                          const char **ret_path, OpprofError **error);

/* The same for a module that is only asked something, not used: its schemas of chip files do not
 * count. */
OpprofStatus RegistryLook(Registry *registry, const char *name, const OpprofPlugin **ret_plugin,
                          const char **ret_path, OpprofError **error);

/* One file that could be a module. */
typedef struct RegistryEntry {
    char *name; /* from the file name */
    char *path;
    size_t directory;           /* as RegistryPath counts them */
    const OpprofPlugin *plugin; /* NULL: not usable, or shadowed and not looked at */
    OpprofError *error;         /* why not usable */
    const char *shadowed_by; /* path of the entry of the same name that is used instead; borrowed */
} RegistryEntry;

typedef struct RegistryList {
    RegistryEntry *entries; /* by name, then in search order */
    size_t count;
    size_t capacity;
} RegistryList;

/* Look at every file in every directory. A bad module is an entry with an error, not a failure. */
OpprofStatus RegistryScan(Registry *registry, RegistryList *ret_list, OpprofError **error);
void RegistryListFinish(RegistryList *list);

#endif
