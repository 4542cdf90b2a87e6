/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds modules without the search of a pipeline. Part of the targets that run stages,
 * fuzz/fuzz_pmu_launch.c and fuzz/fuzz_records.c, whose corpora are its tests.
 */
#include "fuzz/fuzz_plugin.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define MAX_PLUGINS 128
#define MAX_NAME 64

static struct {
    char name[MAX_NAME];
    const OpprofPlugin *plugin;
} found[MAX_PLUGINS];
static size_t count;

static const OpprofPlugin *load(const char *name, const char *directories)
{
    char path[4096];
    void *module = NULL;

    for (const char *at = directories; *at != '\0' && module == NULL;) {
        const size_t length = strcspn(at, ":");

        snprintf(path, sizeof path, "%.*s/%s.so", (int) length, at, name);
        module = dlopen(path, RTLD_NOW);
        at += length + (at[length] == ':');
    }
    return module == NULL ? NULL : dlsym(module, OPPROF_PLUGIN_SYMBOL);
}

const OpprofPlugin *FuzzPlugin(const char *name, const char *directories)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(found[i].name, name) == 0) {
            return found[i].plugin;
        }
    }
    if (strlen(name) >= MAX_NAME || strchr(name, '/') != NULL) {
        return NULL;
    }
    const OpprofPlugin *plugin = load(name, directories);
    if (plugin != NULL && count < MAX_PLUGINS) {
        strcpy(found[count].name, name);
        found[count++].plugin = plugin;
    }
    return plugin;
}
