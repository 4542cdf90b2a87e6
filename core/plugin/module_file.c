/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a file is that should be a module: the dynamic linker trusts it, so it is looked at before.
 * Tested by tests/e2e/module_errors.sh.
 */
#include "plugin/module_file.h"

#include "base/problems.h"

#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <libelf.h>
#include <link.h>
#include <opprof/plugin.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct MachineName {
    unsigned machine;
    const char *name;
} MachineName;

static const MachineName machine_names[] = {
    { EM_X86_64, "x86-64" },    { EM_AARCH64, "AArch64" }, { EM_386, "x86 (32 bit)" },
    { EM_ARM, "Arm (32 bit)" }, { EM_RISCV, "RISC-V" },    { EM_PPC64, "POWER (64 bit)" },
    { EM_S390, "IBM Z" },       { 258, "LoongArch" },
};

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
        status = OpprofErrorNoMemory(error, "read the header of the module");
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

/* What the dynamic linker follows without a look: addresses, and the bytes that must be there. */
static const struct {
    int64_t address;
    int64_t size; /* tag of its size; DT_NULL: none */
} followed[] = {
    { DT_STRTAB, DT_STRSZ },
    { DT_SYMTAB, DT_NULL },
    { DT_HASH, DT_NULL },
    { DT_GNU_HASH, DT_NULL },
    { DT_RELA, DT_RELASZ },
    { DT_REL, DT_RELSZ },
    { DT_JMPREL, DT_PLTRELSZ },
    { DT_INIT_ARRAY, DT_INIT_ARRAYSZ },
    { DT_FINI_ARRAY, DT_FINI_ARRAYSZ },
    { DT_INIT, DT_NULL },
    { DT_FINI, DT_NULL },
    { DT_PLTGOT, DT_NULL },
    { DT_VERSYM, DT_NULL },
    { DT_VERNEED, DT_NULL },
    { DT_VERDEF, DT_NULL },
};

/* Values that have to be what they are on this machine. */
static const struct {
    int64_t tag;
    uint64_t value;
} fixed[] = {
    { DT_SYMENT, sizeof(ElfW(Sym)) },
    { DT_RELAENT, sizeof(ElfW(Rela)) },
    { DT_RELENT, sizeof(ElfW(Rel)) },
};

static bool is_mapped(Elf *elf, size_t count, uint64_t address, uint64_t size)
{
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr part;

        if (gelf_getphdr(elf, (int) i, &part) != NULL && part.p_type == PT_LOAD &&
            address >= part.p_vaddr && address - part.p_vaddr <= part.p_memsz &&
            size <= part.p_memsz - (address - part.p_vaddr)) {
            return true;
        }
    }
    return false;
}

/* The first entry with the tag; false: there is none. */
static bool find_dynamic(Elf_Data *data, int64_t tag, uint64_t *ret_value)
{
    GElf_Dyn entry;

    for (int i = 0; gelf_getdyn(data, i, &entry) != NULL && entry.d_tag != DT_NULL; i++) {
        if (entry.d_tag == tag) {
            *ret_value = entry.d_un.d_val;
            return true;
        }
    }
    return false;
}

static OpprofStatus refuse_dynamic(int64_t tag, OpprofError **error)
{
    return OpprofErrorSet(error, OPPROF_E_LOAD,
                          "The file is damaged: entry %" PRIi64
                          " of its dynamic section points nowhere or has an impossible value",
                          tag);
}

static OpprofStatus check_entries(Elf *elf, size_t count, Elf_Data *data, OpprofError **error)
{
    uint64_t value = 0;

    for (size_t i = 0; i < OPPROF_COUNT(followed); i++) {
        uint64_t address = 0, size = 1;

        if (!find_dynamic(data, followed[i].address, &address)) {
            continue;
        }
        if (followed[i].size != DT_NULL && !find_dynamic(data, followed[i].size, &size)) {
            size = UINT64_MAX;
        }
        if (!is_mapped(elf, count, address, size)) {
            return refuse_dynamic(followed[i].address, error);
        }
    }
    for (size_t i = 0; i < OPPROF_COUNT(fixed); i++) {
        if (find_dynamic(data, fixed[i].tag, &value) && value != fixed[i].value) {
            return refuse_dynamic(fixed[i].tag, error);
        }
    }
    if (find_dynamic(data, DT_PLTREL, &value) && value != DT_RELA && value != DT_REL) {
        return refuse_dynamic(DT_PLTREL, error);
    }
    if (!find_dynamic(data, DT_STRTAB, &value) || !find_dynamic(data, DT_SYMTAB, &value)) {
        return OpprofErrorSet(error, OPPROF_E_LOAD,
                              "The file is damaged: its dynamic section names no symbols");
    }
    return OPPROF_OK;
}

static OpprofStatus check_dynamic(Elf *elf, OpprofError **error)
{
    size_t count = 0;

    if (elf_getphdrnum(elf, &count) != 0) {
        count = 0;
    }
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr part;
        Elf_Data *data;

        if (gelf_getphdr(elf, (int) i, &part) == NULL || part.p_type != PT_DYNAMIC) {
            continue;
        }
        data = elf_getdata_rawchunk(elf, (int64_t) part.p_offset, part.p_filesz, ELF_T_DYN);
        if (data == NULL || !is_mapped(elf, count, part.p_vaddr, part.p_memsz)) {
            break;
        }
        return check_entries(elf, count, data, error);
    }
    return OpprofErrorSet(error, OPPROF_E_LOAD, "The file is damaged: it has no dynamic section");
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
    if (status == OPPROF_OK) {
        status = check_complete(elf, fd, error);
    }
    return status == OPPROF_OK ? check_dynamic(elf, error) : status;
}

OpprofStatus ModuleFileCheck(const char *path, OpprofError **error)
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
