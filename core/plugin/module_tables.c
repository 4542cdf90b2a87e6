/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of a module that the dynamic linker takes at their word, and ends the program for without naming the
 * module: hashes of names, relocations that claim to be relative, versions that are needed.
 * Tested by tests/e2e/module_errors.sh.
 */
#include "plugin/module_parts.h"

#include <stdlib.h>
#include <string.h>

#define RELOCATIONS_AT_ONCE 128u

#if defined __x86_64__
#define RELATIVE R_X86_64_RELATIVE
#elif defined __aarch64__
#define RELATIVE R_AARCH64_RELATIVE
#endif

/* The texts that the dynamic section refers to; the last byte is a NUL. */
typedef struct Texts {
    char *bytes;
    uint64_t size;
} Texts;

static OpprofStatus damaged(const char *what, OpprofError **error)
{
    return OpprofErrorSet(error, OPPROF_E_LOAD, "The file is damaged: %s", what);
}

static bool read_at(const ModuleParts *parts, uint64_t address, void *out, size_t size)
{
    const ElfW(Phdr) *part = ModulePartsFind(parts, address, size);

    return part != NULL &&
           ModulePartsRead(parts, part->p_offset + (address - part->p_vaddr), out, size);
}

/* Four numbers, then words of a Bloom filter, then buckets. */
static OpprofStatus check_hashes(const ModuleParts *parts, OpprofError **error)
{
    uint64_t address;
    uint32_t head[4];

    if (!ModulePartsDynamic(parts, DT_GNU_HASH, &address)) {
        return OPPROF_OK;
    }
    if (!read_at(parts, address, head, sizeof head) || head[0] == 0 || head[2] == 0 ||
        (head[2] & (head[2] - 1)) != 0 ||
        ModulePartsFind(parts, address,
                        sizeof head + sizeof(ElfW(Addr)) * (uint64_t) head[2] +
                            sizeof head[0] * (uint64_t) head[0]) == NULL) {
        return damaged("its table of hashes has an impossible size", error);
    }
    return OPPROF_OK;
}

/* Entries from `address` on, all of them relative. */
static bool are_relative(const ModuleParts *parts, uint64_t address, uint64_t count)
{
#ifdef RELATIVE
    ElfW(Rela) entries[RELOCATIONS_AT_ONCE];

    while (count > 0) {
        const size_t some = count < RELOCATIONS_AT_ONCE ? count : RELOCATIONS_AT_ONCE;

        if (!read_at(parts, address, entries, some * sizeof entries[0])) {
            return false;
        }
        for (size_t i = 0; i < some; i++) {
            if (ELF64_R_TYPE(entries[i].r_info) != RELATIVE) {
                return false;
            }
        }
        address += some * sizeof entries[0];
        count -= some;
    }
#else
    (void) parts;
    (void) address;
    (void) count;
#endif
    return true;
}

static OpprofStatus check_relocations(const ModuleParts *parts, OpprofError **error)
{
    uint64_t address = 0, size = 0, count;

    if (!ModulePartsDynamic(parts, DT_RELACOUNT, &count)) {
        return OPPROF_OK;
    }
    ModulePartsDynamic(parts, DT_RELA, &address);
    ModulePartsDynamic(parts, DT_RELASZ, &size);
    if (count > size / sizeof(ElfW(Rela)) || !are_relative(parts, address, count)) {
        return damaged("relocations that should be relative are not", error);
    }
    return OPPROF_OK;
}

static bool is_needed(const ModuleParts *parts, const Texts *texts, const char *library)
{
    for (size_t i = 0; i < parts->dynamic_count; i++) {
        const uint64_t place = parts->dynamic[i].d_un.d_val;

        if (parts->dynamic[i].d_tag == DT_NEEDED && place < texts->size &&
            strcmp(texts->bytes + place, library) == 0) {
            return true;
        }
    }
    return false;
}

/* Each entry leads to a later one, so the bytes of the file bound them. */
static OpprofStatus check_needed_versions(const ModuleParts *parts, const Texts *texts,
                                          uint64_t address, OpprofError **error)
{
    ElfW(Verneed) entry;

    do {
        if (!read_at(parts, address, &entry, sizeof entry)) {
            return damaged("its table of needed versions leads nowhere", error);
        }
        if (entry.vn_file >= texts->size ||
            !is_needed(parts, texts, texts->bytes + entry.vn_file)) {
            return damaged("it wants a version of a library that it does not need", error);
        }
        address += entry.vn_next;
    } while (entry.vn_next != 0);
    return OPPROF_OK;
}

static OpprofStatus check_versions(const ModuleParts *parts, OpprofError **error)
{
    uint64_t address, place = 0;
    Texts texts = { 0 };
    OpprofStatus status;

    if (!ModulePartsDynamic(parts, DT_VERNEED, &address)) {
        return OPPROF_OK;
    }
    ModulePartsDynamic(parts, DT_STRTAB, &place);
    ModulePartsDynamic(parts, DT_STRSZ, &texts.size);
    if (texts.size == 0 || texts.size > parts->file_size) {
        return damaged("its texts have an impossible size", error);
    }
    texts.bytes = malloc(texts.size);
    if (texts.bytes == NULL) {
        return OpprofErrorNoMemory(error, "read the texts of the module");
    }
    status = read_at(parts, place, texts.bytes, texts.size) && texts.bytes[texts.size - 1] == '\0'
                 ? check_needed_versions(parts, &texts, address, error)
                 : damaged("its texts have no end", error);
    free(texts.bytes);
    return status;
}

OpprofStatus ModuleTablesCheck(const ModuleParts *parts, OpprofError **error)
{
    OpprofStatus status = check_hashes(parts, error);

    if (status == OPPROF_OK) {
        status = check_relocations(parts, error);
    }
    return status == OPPROF_OK ? check_versions(parts, error) : status;
}
