/* SPDX-License-Identifier: Apache-2.0 */
/* Exported symbols of a shared object. Tested by tests/harness/check.sh. */
#include "module.h"

#include <opprof/plugin.h>

#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Symbols that linkers and the compiler's run time put into every shared object. */
static bool is_of_the_linker(const char *name)
{
    static const char *const names[] = {
        "_init", "_fini", "_edata", "_end", "__bss_start", "_start"
    };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(names[i], name) == 0) {
            return true;
        }
    }
    return strncmp(name, "__asan", 6) == 0 || strncmp(name, "__odr_asan", 10) == 0 ||
           strncmp(name, "__llvm", 6) == 0 || strncmp(name, "__sanitizer", 11) == 0;
}

/*
 * Templates of C++'s standard library, made here: it gives them default visibility whatever the
 * flags. Modules are loaded with local symbols, so no other module sees them.
 */
static bool is_of_std(const char *name, const GElf_Sym *symbol)
{
    const char *at = name;

    if (GELF_ST_BIND(symbol->st_info) != STB_WEAK || strncmp(name, "_Z", 2) != 0) {
        return false;
    }
    at += 2;
    at += *at == 'T' && at[1] != '\0' ? 2 : 0; /* tables and names of types */
    at += *at == 'N';
    at += *at == 'K';
    return (*at == 'S' && at[1] != '\0' && strchr("tabsiod", at[1]) != NULL) ||
           strncmp(at, "9__gnu_cxx", 10) == 0;
}

static bool is_exported(const GElf_Sym *symbol)
{
    const unsigned char binding = GELF_ST_BIND(symbol->st_info);
    const unsigned char visibility = GELF_ST_VISIBILITY(symbol->st_other);

    return symbol->st_shndx != SHN_UNDEF && (binding == STB_GLOBAL || binding == STB_WEAK) &&
           (visibility == STV_DEFAULT || visibility == STV_PROTECTED);
}

static void list_section(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, char *text,
                         size_t size)
{
    Elf_Data *data = elf_getdata(section, NULL);
    const size_t count = header->sh_entsize == 0 ? 0 : header->sh_size / header->sh_entsize;

    for (size_t i = 1; data != NULL && i < count; i++) {
        GElf_Sym symbol;
        const char *name;
        const size_t used = strlen(text);

        if (gelf_getsym(data, (int) i, &symbol) == NULL || !is_exported(&symbol)) {
            continue;
        }
        name = elf_strptr(elf, header->sh_link, symbol.st_name);
        if (name != NULL && strcmp(name, OPPROF_PLUGIN_SYMBOL) != 0 && !is_of_the_linker(name) &&
            !is_of_std(name, &symbol)) {
            snprintf(text + used, size - used, "%s%s", used > 0 ? " " : "", name);
        }
    }
}

bool ModuleForeignSymbols(const char *path, char *text, size_t size)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    Elf *elf = NULL;
    Elf_Scn *section = NULL;

    text[0] = '\0';
    if (fd >= 0 && elf_version(EV_CURRENT) != EV_NONE) {
        elf = elf_begin(fd, ELF_C_READ, NULL);
    }
    while (elf != NULL && (section = elf_nextscn(elf, section)) != NULL) {
        GElf_Shdr header;

        if (gelf_getshdr(section, &header) != NULL && header.sh_type == SHT_DYNSYM) {
            list_section(elf, section, &header, text, size);
        }
    }
    const bool is_read = elf != NULL;
    elf_end(elf);
    if (fd >= 0) {
        close(fd);
    }
    return is_read;
}
