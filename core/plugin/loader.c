/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads modules, once per process and for ever, and reads their descriptors.
 * Tested by tests/core/plugin/test_registry.
 */
#include "plugin/loader.h"

#include "base/linker.h"
#include "base/problems.h"
#include "plugin/descriptor.h"
#include "plugin/module_kind.h"
#include "plugin/rehearsal.h"
#include "plugin/trust.h"

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <link.h>
#include <ltdl.h>
#include <opprof/require.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* A loaded module. Never freed, as the module is never unloaded. */
#define REHEARSAL_SECONDS 10

typedef struct Module {
    struct Module *next;
    char *path; /* real path */
    void *library;
    lt_dlhandle handle;
    const OpprofPlugin *plugin;
    atomic_bool is_used; /* asked for by name, not only looked at */
} Module;

/*
 * Guards `modules`, `ltdl_ready` and libltdl itself, whose state belongs to the process. Held while
 * a module's constructors run, so that these must not load plugins.
 */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Module *_Atomic modules; /* the head changes under the lock; what it leads to never does */
static bool ltdl_ready;         /* guarded by lock */
static bool was_starved;        /* guarded by lock: the dynamic linker once had no memory */

/* A damaged module can crash the dynamic linker, and a bad one in its
 * constructors or at the end. */
static _Thread_local const char *volatile being_loaded;
static const char *_Atomic latest;

const char *LoaderCurrent(void)
{
    return being_loaded;
}

const char *LoaderLatest(void)
{
    return atomic_load(&latest);
}

/* ---- loading ---- */

/* The linker's words are the same where memory is missing. */
static bool is_forbidden(const char *path, const char *reason)
{
    struct statvfs system;

    return strstr(reason, LINKER_UNMAPPED) != NULL && statvfs(path, &system) == 0 &&
           (system.f_flag & ST_NOEXEC) != 0;
}

static void hint_at_reason(const char *reason, OpprofError **error)
{
    if (strstr(reason, "undefined symbol") != NULL) {
        OpprofErrorHint(error,
                        "The module lacks a library it should be linked with, or needs "
                        "another opprof. Linking it with -Wl,-z,defs reports it when it is built.");
    } else if (strstr(reason, "cannot open shared object file") != NULL) {
        OpprofErrorHint(error,
                        "The module needs that library: install it, or name its directory in "
                        "LD_LIBRARY_PATH.");
    }
}

/* NULL, or why the dynamic linker refuses the library, in its own words until it is asked again. */
static const char *try_library(const char *path, void **ret_library)
{
    const char *reason;

    *ret_library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (*ret_library != NULL) {
        return NULL;
    }
    reason = dlerror();
    reason = reason != NULL ? reason : "the dynamic linker gives no reason";
    if (strncmp(reason, path, strlen(path)) == 0 && strncmp(reason + strlen(path), ": ", 2) == 0) {
        reason += strlen(path) + 2;
    }
    return reason;
}

/*
 * The dynamic linker's own words: libltdl says "file not found" for everything. A directory of
 * libraries that the linker had no memory to search looks empty to it, so it is asked twice.
 */
static OpprofStatus open_library(const char *path, void **ret_library, OpprofError **error)
{
    const char *reason = try_library(path, ret_library);
    OpprofStatus status;

    if (reason != NULL && strstr(reason, "cannot open shared object file: ") != NULL) {
        reason = try_library(path, ret_library);
    }
    if (reason == NULL) {
        return OPPROF_OK;
    }
    if (is_forbidden(path, reason)) {
        return OpprofErrorSet(error, OPPROF_E_LOAD,
                              "Its file system is mounted without permission to execute (noexec)");
    }
    status = LinkerStatus(reason);
    was_starved = was_starved || status == OPPROF_E_MEMORY;
    if (was_starved && status != OPPROF_E_MEMORY) {
        /* glibc keeps marks of a load that it gave up, and passes over the libraries
         * that have them */
        OpprofErrorNoMemory(error, "load it after the dynamic linker had no memory (it says '%s')",
                            reason);
        OpprofErrorHint(error, "Start the program again, with more memory.");
        return OPPROF_E_MEMORY;
    }
    OpprofErrorSet(error, status, "The dynamic linker refuses it: %s%s", reason,
                   strstr(reason, LINKER_UNMAPPED) != NULL ? ": out of memory" : "");
    hint_at_reason(reason, error);
    return status;
}

static OpprofStatus ltdl_failure(OpprofError **error)
{
    const char *reason = lt_dlerror();

    reason = reason != NULL ? reason : "no reason given";
    return OpprofErrorSet(error, LinkerStatus(reason), "Libltdl refuses it: %s", reason);
}

/* The linker has just opened the file: if it is still there, all that libltdl can lack for it is
 * memory. */
static OpprofStatus handle_failure(const char *path, OpprofError **error)
{
    if (access(path, R_OK) == 0) {
        return OpprofErrorNoMemory(error, "open '%s' a second time", path);
    }
    return ltdl_failure(error);
}

static OpprofStatus start_ltdl(OpprofError **error)
{
    if (!ltdl_ready && lt_dlinit() != 0) {
        return ltdl_failure(error);
    }
    ltdl_ready = true;
    return OPPROF_OK;
}

/* The handle that libltdl manages, with symbols of its own and never unloaded. */
static OpprofStatus open_handle(const char *path, lt_dlhandle *ret_handle, OpprofError **error)
{
    lt_dladvise advise;
    OpprofStatus status = start_ltdl(error);

    if (status != OPPROF_OK) {
        return status;
    }
    if (lt_dladvise_init(&advise) != 0) {
        return ltdl_failure(error);
    }
    if (lt_dladvise_local(&advise) != 0 || lt_dladvise_resident(&advise) != 0) {
        status = ltdl_failure(error);
    } else {
        *ret_handle = lt_dlopenadvise(path, advise);
        status = *ret_handle != NULL ? OPPROF_OK : handle_failure(path, error);
    }
    lt_dladvise_destroy(&advise);
    return status;
}

/* ---- the descriptor ---- */

/* True when the symbol is the module's own and not one of a library that it is linked with. */
static bool is_own_symbol(const Module *module, const void *symbol)
{
    void *own = NULL;
    void *other = NULL;
    Dl_info info;

    return dlinfo(module->library, RTLD_DI_LINKMAP, &own) != 0 ||
           dladdr1(symbol, &info, &other, RTLD_DL_LINKMAP) == 0 || own == other;
}

/* Bytes of the variable at `symbol`; 0: it is not a variable. */
static uint64_t variable_size(const void *symbol)
{
    const ElfW(Sym) * entry;
    void *found = NULL;
    Dl_info info;

    if (dladdr1(symbol, &info, &found, RTLD_DL_SYMENT) == 0 || found == NULL) {
        return 0;
    }
    entry = found;
    return ELF64_ST_TYPE(entry->st_info) == STT_OBJECT ? entry->st_size : 0;
}

static OpprofStatus report_no_descriptor(const Module *module, OpprofError **error)
{
    char name[] = "opprof_plugin_v0";

    for (char digit = '0'; digit <= '9'; digit++) {
        const void *symbol;

        name[sizeof name - 2] = digit;
        symbol = dlsym(module->library, name);
        if (symbol != NULL && is_own_symbol(module, symbol) && digit != '0' + OPPROF_ABI_MAJOR) {
            OpprofErrorSet(
                error, OPPROF_E_ABI,
                "The module is built for plugin ABI major %c, this opprof (%s) has %d.%d", digit,
                OPPROF_VERSION, OPPROF_ABI_MAJOR, OPPROF_ABI_MINOR);
            OpprofErrorHint(error, "Rebuild the module against this opprof, or use the opprof that "
                                   "it was built for. ABI numbers are not release numbers.");
            return OPPROF_E_ABI;
        }
    }
    OpprofErrorSet(error, OPPROF_E_LOAD, "The module exports no descriptor '%s'",
                   OPPROF_PLUGIN_SYMBOL);
    OpprofErrorHint(error, "OPPROF_PLUGIN_DEFINE in <opprof/plugin.h> makes one.");
    return OPPROF_E_LOAD;
}

static OpprofStatus read_descriptor(Module *module, const char *name, OpprofError **error)
{
    const void *symbol = lt_dlsym(module->handle, OPPROF_PLUGIN_SYMBOL);
    uint64_t size;

    if (symbol == NULL || !is_own_symbol(module, symbol)) {
        return report_no_descriptor(module, error);
    }
    size = variable_size(symbol);
    if (size < offsetof(OpprofPlugin, name)) {
        return OpprofErrorSet(error, OPPROF_E_LOAD,
                              "What the module exports as '%s' is not a descriptor",
                              OPPROF_PLUGIN_SYMBOL);
    }
    module->plugin = symbol;
    if (module->plugin->struct_size == sizeof(OpprofPlugin) && size < sizeof(OpprofPlugin)) {
        return OpprofErrorSet(error, OPPROF_E_LOAD,
                              "The module's '%s' has only %" PRIu64 " of %zu bytes",
                              OPPROF_PLUGIN_SYMBOL, size, sizeof(OpprofPlugin));
    }
    return DescriptorCheck(module->plugin, name, error);
}

/* Fills a module, but for its path and place in the list. */
static OpprofStatus open_module(const char *path, const char *name, bool rehearse, Module *module,
                                OpprofError **error)
{
    OpprofStatus status = ModuleKindCheck(path, error);

    if (status == OPPROF_OK && rehearse) {
        status = RehearseModule(path, REHEARSAL_SECONDS, error);
    }
    if (status == OPPROF_OK) {
        status = open_library(path, &module->library, error);
    }
    if (status == OPPROF_OK) {
        status = open_handle(path, &module->handle, error);
    }
    return status == OPPROF_OK ? read_descriptor(module, name, error) : status;
}

static Module *find_loaded(const char *path)
{
    for (Module *module = atomic_load(&modules); module != NULL; module = module->next) {
        if (strcmp(module->path, path) == 0) {
            return module;
        }
    }
    return NULL;
}

void OpprofPluginVisitUsed(OpprofPluginUsedVisit *visit, void *context)
{
    OPPROF_REQUIRE("plugin-visit-given", visit != NULL, "The visit is a function");
    for (const Module *module = atomic_load(&modules); module != NULL; module = module->next) {
        if (atomic_load(&module->is_used)) {
            visit(context, module->plugin);
        }
    }
}

void LoaderNoteUse(const OpprofPlugin *plugin)
{
    for (Module *module = atomic_load(&modules); module != NULL; module = module->next) {
        if (module->plugin == plugin) {
            atomic_store(&module->is_used, true);
        }
    }
}

/* With the lock held; takes real_path. */
static OpprofStatus load_locked(char *real_path, const char *name, bool rehearse,
                                Module **ret_module, OpprofError **error)
{
    Module *module = find_loaded(real_path);
    OpprofStatus status;

    if (module != NULL) {
        free(real_path);
        *ret_module = module;
        return DescriptorCheck(module->plugin, name, error);
    }
    module = calloc(1, sizeof *module);
    if (module == NULL) {
        free(real_path);
        return OpprofErrorNoMemory(error, "load '%s'", name);
    }
    being_loaded = real_path;
    status = open_module(real_path, name, rehearse, module, error);
    being_loaded = NULL;
    if (status != OPPROF_OK) {
        free(real_path);
        free(module);
        return status;
    }
    module->path = real_path;
    atomic_store(&latest, real_path);
    module->next = atomic_load(&modules);
    atomic_store(&modules, module);
    *ret_module = module;
    return OPPROF_OK;
}

OpprofStatus LoaderLoad(const LoadOrder *order, const OpprofPlugin **ret_plugin,
                        const char **ret_path, OpprofError **error)
{
    char *real_path = realpath(order->path, NULL);
    Module *module = NULL;
    OpprofStatus status = OPPROF_OK;

    if (real_path == NULL) {
        return OpprofErrorSet(error, errno == ENOMEM ? OPPROF_E_MEMORY : OPPROF_E_LOAD,
                              "Cannot load plugin '%s' from '%s': %s", order->name, order->path,
                              strerror(errno));
    }
    if (!order->any_owner) {
        status = TrustCheck(order->path, real_path, error);
    }
    if (status == OPPROF_OK) {
        pthread_mutex_lock(&lock);
        status = load_locked(real_path, order->name, order->rehearse, &module, error);
        pthread_mutex_unlock(&lock);
    } else {
        free(real_path);
    }
    if (status != OPPROF_OK) {
        return OpprofErrorSet(error, status, "Cannot load plugin '%s' from '%s'", order->name,
                              order->path);
    }
    *ret_plugin = module->plugin;
    if (ret_path != NULL) {
        *ret_path = module->path;
    }
    return OPPROF_OK;
}
