/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Relocations are applied here and not by libdwfl, which can do so only for machines that it has a
 * backend for; kernels are made for others. What a relocation in debug
 * information means does not need the machine: it adds up symbol and addend, in 8 bytes where the
 * symbol stands for code or data (an address), in 4 where it stands for another debug section (an
 * offset).
 * Tested by tests/kit/source/test_source_lines.
 */
#include "kit/source/source_elf.h"

#include <opprof/kit/bytes.h>
#include <opprof/kit/live_host.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_MAX (UINT64_C(10) << 30)
#define ALIGNMENT_MAX (UINT64_C(1) << 20)
#define DEBUG_PREFIX ".debug_"
#define DEBUG_INFO ".debug_info"
#define OLD_DEBUG_INFO ".zdebug_info" /* compressed, as before SHF_COMPRESSED */

/* Load addresses of the sections of a relocatable file, for relocation. */
typedef struct Relocation {
    SourceElf *file;
    uint64_t *addresses; /* one a section */
    size_t section_count;
    size_t names; /* section with the names of sections */
} Relocation;

static OpprofStatus elf_failed(const char *name, const char *why, OpprofError **error)
{
    return OpprofErrorSet(error, OPPROF_E_DATA, "Cannot read kernel '%s': %s", name, why);
}

static OpprofStatus check_file(int fd, const char *name, OpprofError **error)
{
    struct stat info;

    if (fstat(fd, &info) != 0) {
        return OpprofErrorSet(error, OPPROF_E_IO, "Cannot open kernel '%s': %m", name);
    }
    if (!S_ISREG(info.st_mode)) {
        return OpprofErrorSet(error, OPPROF_E_IO,
                              "Cannot open kernel '%s': it is not a regular file", name);
    }
    if ((uint64_t) info.st_size > FILE_MAX) {
        return OpprofErrorSet(error, OPPROF_E_DATA,
                              "Cannot read kernel '%s': it has %lld bytes, the limit is %llu", name,
                              (long long) info.st_size, (unsigned long long) FILE_MAX);
    }
    return OPPROF_OK;
}

static OpprofStatus open_file(const char *path, const char *name, int *ret_fd, OpprofError **error)
{
    *ret_fd = OpprofLiveOpen(path, 0);
    return *ret_fd < 0 ? OpprofErrorSet(error, OPPROF_E_IO, "Cannot open kernel '%s': %m", name)
                       : check_file(*ret_fd, name, error);
}

static OpprofStatus check_header(const SourceElf *file, const char *name, OpprofError **error)
{
    GElf_Ehdr header;

    if (libelf.elf_kind(file->elf) != ELF_K_ELF) {
        return elf_failed(name, "it is not an ELF file, or its header is cut short", error);
    }
    if (libelf.gelf_getehdr(file->elf, &header) == NULL) {
        return elf_failed(name, libelf.elf_errmsg(-1), error);
    }
    if (header.e_ident[EI_CLASS] != ELFCLASS64) {
        return elf_failed(name, "it is a 32-bit ELF file, and kernels are 64-bit ones", error);
    }
    if (header.e_ident[EI_DATA] != ELFDATA2LSB) {
        return elf_failed(name, "it is a big-endian ELF file, and kernels are little-endian",
                          error);
    }
    if (header.e_type != ET_REL && header.e_type != ET_EXEC && header.e_type != ET_DYN) {
        return elf_failed(name, "it is neither an executable nor an object file", error);
    }
    return OPPROF_OK;
}

static const char *section_name(const Relocation *work, const GElf_Shdr *header)
{
    const char *name = libelf.elf_strptr(work->file->elf, work->names, header->sh_name);

    return name == NULL ? "" : name;
}

/* Code comes first, from 0 on, in the order of the file: addresses count from the start of the
 * code. */
static void place_sections(Relocation *work, bool code, uint64_t *next)
{
    Elf_Scn *section = NULL;
    GElf_Shdr header;

    while ((section = libelf.elf_nextscn(work->file->elf, section)) != NULL) {
        const size_t index = libelf.elf_ndxscn(section);
        uint64_t alignment;

        if (libelf.gelf_getshdr(section, &header) == NULL || index >= work->section_count ||
            (header.sh_flags & SHF_ALLOC) == 0 ||
            ((header.sh_flags & SHF_EXECINSTR) != 0) != code) {
            continue;
        }
        alignment = header.sh_addralign == 0 || header.sh_addralign > ALIGNMENT_MAX
                        ? 1
                        : header.sh_addralign;
        *next = (*next + alignment - 1) / alignment * alignment;
        work->addresses[index] = *next;
        *next += header.sh_size;
    }
}

static void put_le(unsigned char *at, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        at[i] = (unsigned char) (value >> (8 * i));
    }
}

/* Value and width of what a relocation puts in place; 0: it is left alone. */
static size_t relocated(const Relocation *work, const GElf_Sym *symbol, uint64_t *value)
{
    GElf_Shdr header;
    Elf_Scn *section = symbol->st_shndx == SHN_UNDEF || symbol->st_shndx >= SHN_LORESERVE
                           ? NULL
                           : libelf.elf_getscn(work->file->elf, symbol->st_shndx);

    if (section == NULL || GELF_ST_TYPE(symbol->st_info) == STT_TLS ||
        libelf.gelf_getshdr(section, &header) == NULL || symbol->st_shndx >= work->section_count) {
        return 0;
    }
    *value += symbol->st_value + work->addresses[symbol->st_shndx];
    return (header.sh_flags & SHF_ALLOC) != 0 ? 8 : 4;
}

/* One relocation section; `implicit`: addends are in place (SHT_REL). */
static void relocate(const Relocation *work, Elf_Data *target, Elf_Data *entries, Elf_Data *symbols,
                     bool implicit)
{
    const size_t entry_size = implicit ? sizeof(Elf64_Rel) : sizeof(Elf64_Rela);
    const size_t count = entries->d_size / entry_size;
    unsigned char *bytes = target->d_buf;

    for (size_t i = 0; i < count && i <= INT32_MAX; i++) {
        GElf_Rela entry = { 0 };
        GElf_Rel plain;
        GElf_Sym symbol;
        uint64_t value;
        size_t width;

        if (implicit && libelf.gelf_getrel(entries, (int) i, &plain) != NULL) {
            entry.r_offset = plain.r_offset;
            entry.r_info = plain.r_info;
        } else if (implicit || libelf.gelf_getrela(entries, (int) i, &entry) == NULL) {
            continue;
        }
        if (libelf.gelf_getsym(symbols, (int) GELF_R_SYM(entry.r_info), &symbol) == NULL) {
            continue;
        }
        value = (uint64_t) entry.r_addend;
        width = relocated(work, &symbol, &value);
        if (width == 0 || entry.r_offset > target->d_size ||
            target->d_size - entry.r_offset < width) {
            continue;
        }
        if (implicit) {
            OpprofByteReader reader = OpprofByteReaderInit(bytes + entry.r_offset, width);
            value += OpprofByteReaderLe(&reader, width);
        }
        put_le(bytes + entry.r_offset, value, width);
    }
}

/* libdw takes the section's raw bytes from the same place, so they are changed there. */
static Elf_Data *raw_bytes(Elf_Scn *section, GElf_Shdr *header)
{
    Elf_Data *data;

    if ((header->sh_flags & SHF_COMPRESSED) != 0 && libelf.elf_compress(section, 0, 0) < 0) {
        return NULL;
    }
    data = libelf.elf_rawdata(section, NULL);
    return data == NULL || data->d_buf == NULL ? NULL : data;
}

static void relocate_section(const Relocation *work, Elf_Scn *section, const GElf_Shdr *header)
{
    Elf_Scn *target = libelf.elf_getscn(work->file->elf, header->sh_info);
    Elf_Scn *symbols = libelf.elf_getscn(work->file->elf, header->sh_link);
    GElf_Shdr target_header;
    Elf_Data *target_data;
    Elf_Data *symbol_data;
    Elf_Data *entries;

    if (target == NULL || symbols == NULL || libelf.gelf_getshdr(target, &target_header) == NULL ||
        target_header.sh_type == SHT_NOBITS ||
        strncmp(section_name(work, &target_header), DEBUG_PREFIX, strlen(DEBUG_PREFIX)) != 0) {
        return;
    }
    target_data = raw_bytes(target, &target_header);
    symbol_data = libelf.elf_getdata(symbols, NULL);
    entries = libelf.elf_getdata(section, NULL);
    if (target_data != NULL && entries != NULL && symbol_data != NULL &&
        symbol_data->d_type == ELF_T_SYM) {
        relocate(work, target_data, entries, symbol_data, header->sh_type == SHT_REL);
    }
}

static OpprofStatus relocate_all(Relocation *work, const char *name, OpprofError **error)
{
    Elf_Scn *section = NULL;
    GElf_Shdr header;
    uint64_t next = 0;

    work->addresses = calloc(work->section_count + 1, sizeof *work->addresses);
    if (work->addresses == NULL) {
        return OpprofErrorNoMemory(error, "read kernel '%s'", name);
    }
    place_sections(work, true, &next);
    place_sections(work, false, &next);
    while ((section = libelf.elf_nextscn(work->file->elf, section)) != NULL) {
        if (libelf.gelf_getshdr(section, &header) != NULL &&
            (header.sh_type == SHT_RELA || header.sh_type == SHT_REL)) {
            relocate_section(work, section, &header);
        }
    }
    free(work->addresses);
    return OPPROF_OK;
}

/* libdw reads texts to their ends, wherever those are. The last text of a section ends with it. */
static void end_texts(const Relocation *work)
{
    Elf_Scn *section = NULL;
    GElf_Shdr header;

    while ((section = libelf.elf_nextscn(work->file->elf, section)) != NULL) {
        const char *name =
            libelf.gelf_getshdr(section, &header) == NULL ? "" : section_name(work, &header);
        const bool holds_texts =
            strcmp(name, ".debug_str") == 0 || strcmp(name, ".debug_line_str") == 0;
        Elf_Data *data =
            holds_texts && header.sh_type != SHT_NOBITS ? raw_bytes(section, &header) : NULL;

        if (data != NULL && data->d_size > 0) {
            ((char *) data->d_buf)[data->d_size - 1] = '\0';
        }
    }
}

/* Is there debug information? */
static bool has_debug_info(const Relocation *work)
{
    Elf_Scn *section = NULL;
    GElf_Shdr header;

    while ((section = libelf.elf_nextscn(work->file->elf, section)) != NULL) {
        const char *name;

        if (libelf.gelf_getshdr(section, &header) == NULL || header.sh_type == SHT_NOBITS) {
            continue;
        }
        name = section_name(work, &header);
        if (strcmp(name, DEBUG_INFO) == 0 || strcmp(name, OLD_DEBUG_INFO) == 0) {
            work->file->debug_size = header.sh_size;
            work->file->info = strcmp(name, DEBUG_INFO) == 0 ? section : NULL;
            return true;
        }
    }
    return false;
}

static OpprofStatus read_file(SourceElf *file, const char *name, OpprofError **error)
{
    Relocation work = { .file = file };
    GElf_Ehdr header;
    OpprofStatus status;

    libelf.elf_version(EV_CURRENT);
    file->elf = libelf.elf_begin(file->fd, ELF_C_READ, NULL);
    if (file->elf == NULL) {
        return elf_failed(name, libelf.elf_errmsg(-1), error);
    }
    status = check_header(file, name, error);
    if (status != OPPROF_OK) {
        return status;
    }
    libelf.gelf_getehdr(file->elf, &header);
    if (libelf.elf_getshdrnum(file->elf, &work.section_count) != 0 ||
        libelf.elf_getshdrstrndx(file->elf, &work.names) != 0) {
        return elf_failed(name, libelf.elf_errmsg(-1), error);
    }
    if (header.e_shoff != 0 && libelf.elf_nextscn(file->elf, NULL) == NULL) {
        return elf_failed(name, "its table of sections is not where the header says", error);
    }
    if (!has_debug_info(&work)) {
        return OPPROF_OK;
    }
    if (header.e_type == ET_REL) {
        status = relocate_all(&work, name, error);
    }
    if (status != OPPROF_OK) {
        return status;
    }
    end_texts(&work);
    file->dwarf = libdw.dwarf_begin_elf(file->elf, DWARF_C_READ, NULL);
    return file->dwarf != NULL ? OPPROF_OK : elf_failed(name, libdw.dwarf_errmsg(-1), error);
}

static OpprofStatus load_library(const char *name, OpprofError **error)
{
    const OpprofStatus status = DwarfLibraryLoad(error);

    return status == OPPROF_OK ? status : OpprofErrorWrap(error, "Cannot read kernel '%s'", name);
}

OpprofStatus SourceElfOpen(const char *path, const char *name, SourceElf *elf, OpprofError **error)
{
    OpprofStatus status;

    *elf = (SourceElf){ .fd = -1 };
    status = open_file(path, name, &elf->fd, error);
    if (status == OPPROF_OK) {
        status = load_library(name, error);
    }
    if (status == OPPROF_OK) {
        status = read_file(elf, name, error);
    }
    if (status != OPPROF_OK) {
        SourceElfClose(elf);
    }
    return status;
}

bool SourceElfHasEnd(const SourceElf *elf, const unsigned char *text)
{
    const Elf_Data *data = elf->info == NULL ? NULL : libelf.elf_rawdata(elf->info, NULL);
    const unsigned char *bytes = data == NULL ? NULL : data->d_buf;

    return bytes != NULL && text >= bytes && text < bytes + data->d_size &&
           memchr(text, '\0', (size_t) (bytes + data->d_size - text)) != NULL;
}

void SourceElfClose(SourceElf *elf)
{
    if (elf->elf != NULL) {
        libdw.dwarf_end(elf->dwarf);
        libelf.elf_end(elf->elf);
    }
    if (elf->fd >= 0) {
        close(elf->fd);
    }
    *elf = (SourceElf){ .fd = -1 };
}
