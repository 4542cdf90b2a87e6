/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks a file that should be a module: the dynamic linker trusts it, so it is looked at before.
 * Tested by tests/e2e/module_errors.sh.
 */
#include "plugin/module_file.h"

#include "plugin/module_parts.h"

#include "base/problems.h"

#include <ctype.h>
#include <ar.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <link.h>
#include <opprof/plugin.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_MAPPED (UINT64_C(1) << 40) /* bytes of addresses; no module comes near */

typedef struct MachineName {
    unsigned machine;
    const char *name;
} MachineName;

static const MachineName machine_names[] = {
    { EM_X86_64, "x86-64" },    { EM_AARCH64, "AArch64" }, { EM_386, "x86 (32 bit)" },
    { EM_ARM, "Arm (32 bit)" }, { EM_RISCV, "RISC-V" },    { EM_PPC64, "POWER (64 bit)" },
    { EM_S390, "IBM Z" },       { 258, "LoongArch" },
};

static OpprofStatus check_regular(const char *path, uint64_t *ret_size, OpprofError **error)
{
    struct stat info;

    if (stat(path, &info) != 0) {
        return OpprofErrorSet(error, OPPROF_E_LOAD, "The file cannot be accessed: %s",
                              strerror(errno));
    }
    if (!S_ISREG(info.st_mode)) {
        return OpprofErrorSet(error, OPPROF_E_LOAD, "It is not a file but a %s",
                              S_ISDIR(info.st_mode) ? "directory" : "special file");
    }
    if (info.st_size == 0) {
        return OpprofErrorSet(error, OPPROF_E_LOAD, "The file is empty");
    }
    *ret_size = (uint64_t) info.st_size;
    return OPPROF_OK;
}

bool ModulePartsRead(const ModuleParts *parts, uint64_t offset, void *out, size_t size)
{
    if (offset <= parts->head_size && size <= parts->head_size - offset) {
        memcpy(out, parts->head + offset, size);
        return true;
    }
    return offset <= INT64_MAX - size &&
           pread(parts->fd, out, size, (off_t) offset) == (ssize_t) size;
}

static bool looks_like_text(const ModuleParts *parts)
{
    const size_t count = parts->head_size < 256 ? parts->head_size : 256;

    for (size_t i = 0; i < count; i++) {
        if (parts->head[i] < 0x20 && !isspace(parts->head[i])) {
            return false;
        }
    }
    return count > 0;
}

static bool begins_with(const ModuleParts *parts, const char *magic, size_t length)
{
    return parts->head_size >= length && memcmp(parts->head, magic, length) == 0;
}

static bool is_elf(const ModuleParts *parts)
{
    const unsigned char *ident = parts->head;

    return begins_with(parts, ELFMAG, SELFMAG) && parts->head_size >= EI_NIDENT &&
           (ident[EI_CLASS] == ELFCLASS32 || ident[EI_CLASS] == ELFCLASS64) &&
           (ident[EI_DATA] == ELFDATA2LSB || ident[EI_DATA] == ELFDATA2MSB) &&
           ident[EI_VERSION] == EV_CURRENT;
}

static OpprofStatus check_elf_kind(const ModuleParts *parts, OpprofError **error)
{
    if (is_elf(parts)) {
        return OPPROF_OK;
    }
    if (begins_with(parts, ARMAG, SARMAG)) {
        return OpprofErrorSet(error, OPPROF_E_LOAD,
                              "The file is not a shared object but a static library");
    }
    return OpprofErrorSet(error, OPPROF_E_LOAD, "The file is not a shared object%s",
                          looks_like_text(parts) ? " but a text file" : "");
}

/* A number of the header as this machine has it. */
static uint16_t in_order(const unsigned char *ident, uint16_t number)
{
    const int own = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? ELFDATA2MSB : ELFDATA2LSB;

    return ident[EI_DATA] == own ? number : __builtin_bswap16(number);
}

/* What is alike for all machines: kind and machine are where they are in every header. The rest is for machines as this one. */
static OpprofStatus read_header(const ModuleParts *parts, ElfW(Ehdr) * ret_header,
                                OpprofError **error)
{
    if (parts->head_size < sizeof *ret_header) {
        return OpprofErrorSet(error, OPPROF_E_LOAD, "The file is damaged: its header is cut off");
    }
    memcpy(ret_header, parts->head, sizeof *ret_header);
    ret_header->e_type = in_order(ret_header->e_ident, ret_header->e_type);
    ret_header->e_machine = in_order(ret_header->e_ident, ret_header->e_machine);
    return OPPROF_OK;
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

static OpprofStatus refuse_machine(const ElfW(Ehdr) * header, const ElfW(Ehdr) * own,
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

static OpprofStatus check_machine(const ElfW(Ehdr) * header, OpprofError **error)
{
    const ElfW(Ehdr) *own = own_header();

    if (own == NULL || (header->e_machine == own->e_machine &&
                        header->e_ident[EI_CLASS] == own->e_ident[EI_CLASS] &&
                        header->e_ident[EI_DATA] == own->e_ident[EI_DATA])) {
        return OPPROF_OK;
    }
    return refuse_machine(header, own, error);
}

static OpprofStatus check_elf_type(const ElfW(Ehdr) * header, OpprofError **error)
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

static OpprofStatus damaged_part(size_t index, const char *what, OpprofError **error)
{
    return OpprofErrorSet(error, OPPROF_E_LOAD, "The file is damaged: program header %zu %s", index,
                          what);
}

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "read the headers of the module");
}

/* To be freed, even after a failure. */
static OpprofStatus read_parts(const ElfW(Ehdr) * header, ModuleParts *parts, OpprofError **error)
{
    const size_t size = header->e_phnum * sizeof *parts->entries;

    if (header->e_phnum == 0 || header->e_phnum == PN_XNUM ||
        header->e_phentsize != sizeof *parts->entries) {
        return OpprofErrorSet(error, OPPROF_E_LOAD,
                              "The file is damaged: it has no program headers");
    }
    parts->entries = calloc(header->e_phnum, sizeof *parts->entries);
    if (parts->entries == NULL) {
        return no_memory(error);
    }
    parts->count = header->e_phnum;
    if (!ModulePartsRead(parts, header->e_phoff, parts->entries, size)) {
        return OpprofErrorSet(error, OPPROF_E_LOAD,
                              "The file is damaged: its program headers cannot be read");
    }
    return OPPROF_OK;
}

/* The first part of that type, or NULL. */
static const ElfW(Phdr) * find_part(const ModuleParts *parts, uint32_t type)
{
    for (size_t i = 0; i < parts->count; i++) {
        if (parts->entries[i].p_type == type) {
            return &parts->entries[i];
        }
    }
    return NULL;
}

static bool is_within(const ElfW(Phdr) * part, uint64_t address, uint64_t size)
{
    return address >= part->p_vaddr && address - part->p_vaddr <= part->p_memsz &&
           size <= part->p_memsz - (address - part->p_vaddr);
}

/* Mapped from the file, so that the bytes there are more than zeroes. */
const ElfW(Phdr) * ModulePartsFind(const ModuleParts *parts, uint64_t address, uint64_t size)
{
    for (size_t i = 0; i < parts->count; i++) {
        const ElfW(Phdr) *part = &parts->entries[i];

        if (part->p_type == PT_LOAD && is_within(part, address, size) &&
            address - part->p_vaddr + size <= part->p_filesz) {
            return part;
        }
    }
    return NULL;
}

/* Touching mapped bytes that the file does not have would be a SIGBUS. */
static OpprofStatus check_in_file(const ModuleParts *parts, size_t index, OpprofError **error)
{
    const ElfW(Phdr) *part = &parts->entries[index];
    uint64_t end;

    if (__builtin_add_overflow(part->p_offset, part->p_filesz, &end)) {
        return damaged_part(index, "has an impossible size", error);
    }
    if (end > parts->file_size) {
        OpprofErrorSet(error, OPPROF_E_LOAD,
                       "The file is cut off: it has %" PRIu64 " bytes of at least %" PRIu64,
                       parts->file_size, end);
        OpprofErrorHint(error, "Copy or build it again.");
        return OPPROF_E_LOAD;
    }
    return OPPROF_OK;
}

/* Parts that overlap or lie below the first one would be mapped over whatever lies there. */
static OpprofStatus check_load(const ModuleParts *parts, size_t index, uint64_t *mapped_end,
                               OpprofError **error)
{
    const ElfW(Phdr) *part = &parts->entries[index];
    OpprofStatus status = check_in_file(parts, index, error);
    uint64_t end;

    if (status != OPPROF_OK) {
        return status;
    }
    if (__builtin_add_overflow(part->p_vaddr, part->p_memsz, &end) || end > MOST_MAPPED ||
        part->p_filesz > part->p_memsz || part->p_memsz == 0) {
        return damaged_part(index, "has an impossible size", error);
    }
    if (part->p_vaddr < *mapped_end) {
        return damaged_part(index, "overlaps another or comes before it", error);
    }
    if (part->p_align == 0 || (part->p_align & (part->p_align - 1)) != 0 ||
        (part->p_vaddr - part->p_offset) % part->p_align != 0) {
        return damaged_part(index, "has an impossible alignment", error);
    }
    *mapped_end = end;
    return OPPROF_OK;
}

/* The dynamic linker reads and protects the other parts where they say that they are. */
static OpprofStatus check_other(const ModuleParts *parts, size_t index, const ElfW(Ehdr) * header,
                                OpprofError **error)
{
    const ElfW(Phdr) *part = &parts->entries[index];
    const ElfW(Phdr) *place = NULL;

    if (part->p_type == PT_GNU_STACK || part->p_type == PT_NULL) {
        return OPPROF_OK;
    }
    for (size_t i = 0; i < parts->count && place == NULL; i++) {
        const ElfW(Phdr) *load = &parts->entries[i];

        if (load->p_type == PT_LOAD && is_within(load, part->p_vaddr, part->p_filesz) &&
            part->p_vaddr - load->p_vaddr == part->p_offset - load->p_offset) {
            place = load;
        }
    }
    if (place == NULL || (part->p_type == PT_TLS && part->p_filesz > part->p_memsz) ||
        (part->p_type != PT_TLS && !is_within(place, part->p_vaddr, part->p_memsz))) {
        return damaged_part(index, "lies outside of what is mapped", error);
    }
    if (part->p_type == PT_GNU_RELRO && (place->p_flags & PF_W) == 0) {
        return damaged_part(index, "protects what is not writable", error);
    }
    if (part->p_type == PT_PHDR && part->p_offset != header->e_phoff) {
        return damaged_part(index, "names other program headers", error);
    }
    return OPPROF_OK;
}

static OpprofStatus check_parts(const ElfW(Ehdr) * header, const ModuleParts *parts,
                                OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;
    uint64_t mapped_end = 0;
    size_t dynamic = 0;

    for (size_t i = 0; i < parts->count && status == OPPROF_OK; i++) {
        dynamic += parts->entries[i].p_type == PT_DYNAMIC;
        if (parts->entries[i].p_type == PT_LOAD) {
            status = check_load(parts, i, &mapped_end, error);
        }
    }
    for (size_t i = 0; i < parts->count && status == OPPROF_OK; i++) {
        if (parts->entries[i].p_type != PT_LOAD) {
            status = check_other(parts, i, header, error);
        }
    }
    if (status == OPPROF_OK && dynamic != 1) {
        return OpprofErrorSet(error, OPPROF_E_LOAD,
                              "The file is damaged: it has %zu dynamic sections", dynamic);
    }
    return status;
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

/* Entries of one table: a linker writes all of them or none, and a table without one of them would be passed over. */
static const int64_t together[][3] = {
    { DT_RELA, DT_RELASZ, DT_RELAENT },          { DT_REL, DT_RELSZ, DT_RELENT },
    { DT_JMPREL, DT_PLTRELSZ, DT_PLTREL },       { DT_INIT_ARRAY, DT_INIT_ARRAYSZ, DT_NULL },
    { DT_FINI_ARRAY, DT_FINI_ARRAYSZ, DT_NULL }, { DT_VERNEED, DT_VERNEEDNUM, DT_NULL },
    { DT_VERDEF, DT_VERDEFNUM, DT_NULL },
};

/* Places of names among the texts. That of the module itself is read when the next module is loaded, too. */
static const int64_t names[] = { DT_NEEDED, DT_SONAME, DT_RPATH, DT_RUNPATH };

bool ModulePartsDynamic(const ModuleParts *parts, int64_t tag, uint64_t *ret_value)
{
    for (size_t i = 0; i < parts->dynamic_count; i++) {
        if (parts->dynamic[i].d_tag == tag) {
            *ret_value = parts->dynamic[i].d_un.d_val;
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

static OpprofStatus check_together(const ModuleParts *parts, OpprofError **error)
{
    for (size_t i = 0; i < OPPROF_COUNT(together); i++) {
        size_t wanted = 0, found = 0;
        uint64_t value;

        for (size_t n = 0; n < OPPROF_COUNT(together[i]) && together[i][n] != DT_NULL; n++) {
            wanted++;
            found += ModulePartsDynamic(parts, together[i][n], &value);
        }
        if (found != 0 && found != wanted) {
            return OpprofErrorSet(error, OPPROF_E_LOAD,
                                  "The file is damaged: entry %" PRIi64
                                  " of its dynamic section, or one that belongs to it, is missing",
                                  together[i][0]);
        }
    }
    return OPPROF_OK;
}

static bool is_name(int64_t tag)
{
    for (size_t i = 0; i < OPPROF_COUNT(names); i++) {
        if (names[i] == tag) {
            return true;
        }
    }
    return false;
}

static OpprofStatus check_names(const ModuleParts *parts, OpprofError **error)
{
    uint64_t size = 0;

    ModulePartsDynamic(parts, DT_STRSZ, &size);
    for (size_t i = 0; i < parts->dynamic_count; i++) {
        if (is_name(parts->dynamic[i].d_tag) && parts->dynamic[i].d_un.d_val >= size) {
            return refuse_dynamic(parts->dynamic[i].d_tag, error);
        }
    }
    return OPPROF_OK;
}

static OpprofStatus check_entries(const ModuleParts *parts, OpprofError **error)
{
    uint64_t value = 0;

    for (size_t i = 0; i < OPPROF_COUNT(followed); i++) {
        uint64_t address = 0, size = 1;

        if (!ModulePartsDynamic(parts, followed[i].address, &address)) {
            continue;
        }
        if (followed[i].size != DT_NULL && !ModulePartsDynamic(parts, followed[i].size, &size)) {
            size = UINT64_MAX;
        }
        if (ModulePartsFind(parts, address, size) == NULL) {
            return refuse_dynamic(followed[i].address, error);
        }
    }
    for (size_t i = 0; i < OPPROF_COUNT(fixed); i++) {
        if (ModulePartsDynamic(parts, fixed[i].tag, &value) && value != fixed[i].value) {
            return refuse_dynamic(fixed[i].tag, error);
        }
    }
    if (ModulePartsDynamic(parts, DT_PLTREL, &value) && value != DT_RELA && value != DT_REL) {
        return refuse_dynamic(DT_PLTREL, error);
    }
    if (!ModulePartsDynamic(parts, DT_STRTAB, &value) ||
        !ModulePartsDynamic(parts, DT_SYMTAB, &value)) {
        return OpprofErrorSet(error, OPPROF_E_LOAD,
                              "The file is damaged: its dynamic section names no symbols");
    }
    return check_together(parts, error) == OPPROF_OK ? check_names(parts, error) : OPPROF_E_LOAD;
}

static OpprofStatus damaged_dynamic(OpprofError **error)
{
    return OpprofErrorSet(error, OPPROF_E_LOAD,
                          "The file is damaged: its dynamic section has no end");
}

/* To be freed with the parts, even after a failure. */
static OpprofStatus read_dynamic(ModuleParts *parts, OpprofError **error)
{
    const ElfW(Phdr) *part = find_part(parts, PT_DYNAMIC);
    const size_t most = part->p_filesz / sizeof *parts->dynamic;

    if (part->p_filesz > parts->file_size || most == 0) {
        return damaged_dynamic(error);
    }
    parts->dynamic = malloc(part->p_filesz);
    if (parts->dynamic == NULL) {
        return no_memory(error);
    }
    if (!ModulePartsRead(parts, part->p_offset, parts->dynamic, part->p_filesz)) {
        return damaged_dynamic(error);
    }
    while (parts->dynamic_count < most && parts->dynamic[parts->dynamic_count].d_tag != DT_NULL) {
        parts->dynamic_count++;
    }
    return parts->dynamic_count < most ? OPPROF_OK : damaged_dynamic(error);
}

/* From the program headers to what they lead to. */
static OpprofStatus check_contents(const ElfW(Ehdr) * header, ModuleParts *parts,
                                   OpprofError **error)
{
    OpprofStatus status = read_parts(header, parts, error);

    if (status == OPPROF_OK) {
        status = check_parts(header, parts, error);
    }
    if (status == OPPROF_OK) {
        status = read_dynamic(parts, error);
    }
    if (status == OPPROF_OK) {
        status = check_entries(parts, error);
    }
    return status == OPPROF_OK ? ModuleTablesCheck(parts, error) : status;
}

static OpprofStatus check_elf(ModuleParts *parts, OpprofError **error)
{
    ElfW(Ehdr) header;
    OpprofStatus status = check_elf_kind(parts, error);

    if (status == OPPROF_OK) {
        status = read_header(parts, &header, error);
    }
    if (status == OPPROF_OK) {
        status = check_machine(&header, error);
    }
    if (status == OPPROF_OK) {
        status = check_elf_type(&header, error);
    }
    return status == OPPROF_OK ? check_contents(&header, parts, error) : status;
}

static OpprofStatus read_head(ModuleParts *parts, OpprofError **error)
{
    ssize_t size;

    parts->head = malloc(MODULE_HEAD_BYTES);
    if (parts->head == NULL) {
        return no_memory(error);
    }
    size = pread(parts->fd, parts->head, MODULE_HEAD_BYTES, 0);
    if (size < 0) {
        return OpprofErrorSet(error, OPPROF_E_LOAD, "The file cannot be read: %s", strerror(errno));
    }
    parts->head_size = (size_t) size;
    return OPPROF_OK;
}

OpprofStatus ModuleFileCheck(const char *path, OpprofError **error)
{
    ModuleParts parts = { .fd = -1 };
    OpprofStatus status = check_regular(path, &parts.file_size, error);

    if (status != OPPROF_OK) {
        return status;
    }
    parts.fd = open(path, O_RDONLY | O_CLOEXEC);
    if (parts.fd < 0) {
        return OpprofErrorSet(error, OPPROF_E_LOAD, "The file cannot be read: %s", strerror(errno));
    }
    status = read_head(&parts, error);
    if (status == OPPROF_OK) {
        status = check_elf(&parts, error);
    }
    close(parts.fd);
    free(parts.head);
    free(parts.entries);
    free(parts.dynamic);
    return status;
}
