/* SPDX-License-Identifier: Apache-2.0 */
#include "plugin/loader.h"

#include "base/problems.h"
#include "plugin/descriptor.h"

#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <libelf.h>
#include <link.h>
#include <ltdl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A loaded module. Never freed, as the module is never unloaded. */
typedef struct Module {
    struct Module *next;
    char *path; /* real path */
    void *library;
    lt_dlhandle handle;
    const OpprofPlugin *plugin;
} Module;

typedef struct MachineName {
    unsigned machine;
    const char *name;
} MachineName;

static const MachineName machine_names[] = {
    { EM_X86_64, "x86-64" },    { EM_AARCH64, "AArch64" }, { EM_386, "x86 (32 bit)" },
    { EM_ARM, "Arm (32 bit)" }, { EM_RISCV, "RISC-V" },    { EM_PPC64, "POWER (64 bit)" },
    { EM_S390, "IBM Z" },       { 258, "LoongArch" },
};

/*
 * Guards `modules`, `ltdl_ready` and libltdl itself, whose state belongs to the process. Held while
 * a module's constructors run, so that these must not load plugins.
 */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Module *modules; /* guarded by lock */
static bool ltdl_ready; /* guarded by lock */

/* What the file is */

static OpprofStatus check_regular(const char *path, OpprofError **error)
{
    struct stat info;

    if (stat(path, &info) != 0) {
        return OpprofErrorSet(error, OPPROF_E_LOAD, "The file cannot be looked at: %s",
                              strerror(errno));
    }
    if (!S_ISREG(info.st_mode)) {
        return OpprofErrorSet(error, OPPROF_E_LOAD, "It is not a file but a %s",
                              S_ISDIR(info.st_mode) ? "directory" : "special file");
    }
    if (info.st_size == 0) {
        return OpprofErrorSet(error, OPPROF_E_LOAD, "The file is empty");
    }
    return OPPROF_OK;
}

static bool looks_like_text(int fd)
{
    unsigned char head[256];
    ssize_t count = pread(fd, head, sizeof head, 0);

    for (ssize_t i = 0; i < count; i++) {
        if (head[i] < 0x20 && !isspace(head[i])) {
            return false;
        }
    }
    return count > 0;
}

static OpprofStatus check_elf_kind(Elf *elf, int fd, OpprofError **error)
{
    Elf_Kind kind = elf_kind(elf);

    if (kind == ELF_K_ELF) {
        return OPPROF_OK;
    }
    if (kind == ELF_K_AR) {
        return OpprofErrorSet(error, OPPROF_E_LOAD,
                              "The file is not a shared object but a static library");
    }
    return OpprofErrorSet(error, OPPROF_E_LOAD, "The file is not a shared object%s",
                          looks_like_text(fd) ? " but a text file" : "");
}

/* The ELF header of the program part that this function is in: what modules have to be like. */
static const ElfW(Ehdr) * own_header(void)
{
    static const int anchor = 0;
    Dl_info info;

    if (dladdr(&anchor, &info) == 0 || info.dli_fbase == NULL ||
        memcmp(info.dli_fbase, ELFMAG, SELFMAG) != 0) {
        return NULL;
    }
    return info.dli_fbase;
}

static char *machine_text(unsigned machine, unsigned class)
{
    for (size_t i = 0; i < OPPROF_COUNT(machine_names); i++) {
        if (machine_names[i].machine == machine) {
            return strdup(machine_names[i].name);
        }
    }
    return ProblemText("machine type %u (%s bit)", machine, class == ELFCLASS32 ? "32" : "64");
}

static OpprofStatus refuse_machine(const GElf_Ehdr *header, const ElfW(Ehdr) * own,
                                   OpprofError **error)
{
    bool same_machine = header->e_machine == own->e_machine;
    char *theirs = machine_text(header->e_machine, header->e_ident[EI_CLASS]);
    char *ours = machine_text(own->e_machine, own->e_ident[EI_CLASS]);
    OpprofStatus status = OPPROF_E_LOAD;

    if (theirs == NULL || ours == NULL) {
        status = OpprofErrorSet(error, OPPROF_E_MEMORY, "Out of memory");
    } else if (!same_machine) {
        OpprofErrorSet(error, status, "The module is for %s, this is %s", theirs, ours);
        OpprofErrorHint(error, "Build the module for %s.", ours);
    } else {
        OpprofErrorSet(error, status,
                       "The module is for %s, but of another word size or byte order than this "
                       "program",
                       theirs);
    }
    free(theirs);
    free(ours);
    return status;
}

static OpprofStatus check_machine(const GElf_Ehdr *header, OpprofError **error)
{
    const ElfW(Ehdr) *own = own_header();

    if (own == NULL || (header->e_machine == own->e_machine &&
                        header->e_ident[EI_CLASS] == own->e_ident[EI_CLASS] &&
                        header->e_ident[EI_DATA] == own->e_ident[EI_DATA])) {
        return OPPROF_OK;
    }
    return refuse_machine(header, own, error);
}

static OpprofStatus check_elf_type(const GElf_Ehdr *header, OpprofError **error)
{
    const char *what = "a file of another kind";

    if (header->e_type == ET_DYN) {
        return OPPROF_OK;
    }
    if (header->e_type == ET_REL) {
        what = "an object file that is not linked yet";
    } else if (header->e_type == ET_EXEC) {
        what = "a program";
    } else if (header->e_type == ET_CORE) {
        what = "a core dump";
    }
    return OpprofErrorSet(error, OPPROF_E_LOAD, "The file is not a shared object but %s", what);
}

/* The dynamic linker maps what the headers say; touching what is not there would be a SIGBUS. */
static OpprofStatus check_complete(Elf *elf, int fd, OpprofError **error)
{
    struct stat info;
    size_t count = 0;

    if (fstat(fd, &info) != 0 || elf_getphdrnum(elf, &count) != 0 || count == 0) {
        return OpprofErrorSet(error, OPPROF_E_LOAD,
                              "The file is damaged: it has no program headers");
    }
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr part;
        uint64_t end;

        if (gelf_getphdr(elf, (int) i, &part) == NULL ||
            __builtin_add_overflow(part.p_offset, part.p_filesz, &end)) {
            return OpprofErrorSet(error, OPPROF_E_LOAD,
                                  "The file is damaged: program header %zu cannot be read", i);
        }
        if (part.p_type == PT_LOAD && end > (uint64_t) info.st_size) {
            OpprofErrorSet(error, OPPROF_E_LOAD,
                           "The file is cut off: it has %" PRIu64 " bytes of at least %" PRIu64,
                           (uint64_t) info.st_size, end);
            OpprofErrorHint(error, "Copy or build it again.");
            return OPPROF_E_LOAD;
        }
    }
    return OPPROF_OK;
}

static OpprofStatus check_elf(Elf *elf, int fd, OpprofError **error)
{
    GElf_Ehdr header;
    OpprofStatus status = check_elf_kind(elf, fd, error);

    if (status != OPPROF_OK) {
        return status;
    }
    if (gelf_getehdr(elf, &header) == NULL) {
        return OpprofErrorSet(error, OPPROF_E_LOAD, "The file is damaged: %s", elf_errmsg(-1));
    }
    status = check_machine(&header, error);
    if (status == OPPROF_OK) {
        status = check_elf_type(&header, error);
    }
    return status == OPPROF_OK ? check_complete(elf, fd, error) : status;
}

static OpprofStatus check_file(const char *path, OpprofError **error)
{
    OpprofStatus status = check_regular(path, error);
    Elf *elf;
    int fd;

    if (status != OPPROF_OK) {
        return status;
    }
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return OpprofErrorSet(error, OPPROF_E_LOAD, "The file cannot be read: %s", strerror(errno));
    }
    elf_version(EV_CURRENT);
    elf = elf_begin(fd, ELF_C_READ, NULL);
    if (elf == NULL) {
        status = OpprofErrorSet(error, OPPROF_E_LOAD, "The file is damaged: %s", elf_errmsg(-1));
    } else {
        status = check_elf(elf, fd, error);
    }
    elf_end(elf);
    close(fd);
    return status;
}

/* Loading */

static void hint_at_reason(const char *reason, OpprofError **error)
{
    if (strstr(reason, "undefined symbol") != NULL) {
        OpprofErrorHint(error,
                        "The module lacks a library it should be linked with, or wants "
                        "another opprof. Linking it with -Wl,-z,defs tells when it is built.");
    } else if (strstr(reason, "cannot open shared object file") != NULL) {
        OpprofErrorHint(error,
                        "The module needs that library: install it, or name its directory in "
                        "LD_LIBRARY_PATH.");
    }
}

/* The dynamic linker's own words: libltdl says "file not found" for everything. */
static OpprofStatus open_library(const char *path, void **ret_library, OpprofError **error)
{
    const char *reason;

    *ret_library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (*ret_library != NULL) {
        return OPPROF_OK;
    }
    reason = dlerror();
    reason = reason != NULL ? reason : "the dynamic linker gives no reason";
    if (strncmp(reason, path, strlen(path)) == 0 && strncmp(reason + strlen(path), ": ", 2) == 0) {
        reason += strlen(path) + 2;
    }
    OpprofErrorSet(error, OPPROF_E_LOAD, "The dynamic linker refuses it: %s", reason);
    hint_at_reason(reason, error);
    return OPPROF_E_LOAD;
}

static OpprofStatus ltdl_failure(OpprofError **error)
{
    const char *reason = lt_dlerror();

    return OpprofErrorSet(error, OPPROF_E_LOAD, "libltdl refuses it: %s",
                          reason != NULL ? reason : "no reason given");
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
        status = *ret_handle != NULL ? OPPROF_OK : ltdl_failure(error);
    }
    lt_dladvise_destroy(&advise);
    return status;
}

/* The descriptor */

/* True when the symbol is the module's own and not one of a library that it is linked with. */
static bool is_own_symbol(const Module *module, const void *symbol)
{
    void *own = NULL;
    void *other = NULL;
    Dl_info info;

    return dlinfo(module->library, RTLD_DI_LINKMAP, &own) != 0 ||
           dladdr1(symbol, &info, &other, RTLD_DL_LINKMAP) == 0 || own == other;
}

/* Bytes of the variable at `symbol`; 0: it is no variable. */
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
                              "What the module exports as '%s' is no descriptor",
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
static OpprofStatus open_module(const char *path, const char *name, Module *module,
                                OpprofError **error)
{
    OpprofStatus status = check_file(path, error);

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
    for (Module *module = modules; module != NULL; module = module->next) {
        if (strcmp(module->path, path) == 0) {
            return module;
        }
    }
    return NULL;
}

/* With the lock held; takes real_path. */
static OpprofStatus load_locked(char *real_path, const char *name, Module **ret_module,
                                OpprofError **error)
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
        return OpprofErrorSet(error, OPPROF_E_MEMORY, "Out of memory");
    }
    status = open_module(real_path, name, module, error);
    if (status != OPPROF_OK) {
        free(real_path);
        free(module);
        return status;
    }
    module->path = real_path;
    module->next = modules;
    modules = module;
    *ret_module = module;
    return OPPROF_OK;
}

OpprofStatus LoaderLoad(const char *path, const char *name, const OpprofPlugin **ret_plugin,
                        const char **ret_path, OpprofError **error)
{
    char *real_path = realpath(path, NULL);
    Module *module = NULL;
    OpprofStatus status;

    if (real_path == NULL) {
        return OpprofErrorSet(error, errno == ENOMEM ? OPPROF_E_MEMORY : OPPROF_E_LOAD,
                              "Cannot load plugin '%s' from '%s': %s", name, path, strerror(errno));
    }
    pthread_mutex_lock(&lock);
    status = load_locked(real_path, name, &module, error);
    pthread_mutex_unlock(&lock);
    if (status != OPPROF_OK) {
        return OpprofErrorSet(error, status, "Cannot load plugin '%s' from '%s'", name, path);
    }
    *ret_plugin = module->plugin;
    if (ret_path != NULL) {
        *ret_path = module->path;
    }
    return OPPROF_OK;
}
