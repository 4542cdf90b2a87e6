/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KIT_SOURCE_DWARF_LIBRARY_H
#define KIT_SOURCE_DWARF_LIBRARY_H

/*
 * libelf and libdw, which are loaded with the first kernel whose lines are asked for. After
 * DwarfLibraryLoad, elf_begin is called as libelf.elf_begin.
 */

#include <elfutils/libdw.h>
#include <gelf.h>
#include <libelf.h>
#include <opprof/error.h>

/* clang-format off */
#define ELF_FUNCTIONS(FUNCTION) \
    FUNCTION(elf_begin) FUNCTION(elf_compress) FUNCTION(elf_end) FUNCTION(elf_errmsg) \
    FUNCTION(elf_getdata) FUNCTION(elf_getscn) FUNCTION(elf_getshdrnum) \
    FUNCTION(elf_getshdrstrndx) FUNCTION(elf_kind) FUNCTION(elf_ndxscn) FUNCTION(elf_nextscn) \
    FUNCTION(elf_rawdata) FUNCTION(elf_strptr) FUNCTION(elf_version) FUNCTION(gelf_getehdr) \
    FUNCTION(gelf_getrel) FUNCTION(gelf_getrela) FUNCTION(gelf_getshdr) FUNCTION(gelf_getsym)
#define DWARF_FUNCTIONS(FUNCTION) \
    FUNCTION(dwarf_attr) FUNCTION(dwarf_begin_elf) FUNCTION(dwarf_child) \
    FUNCTION(dwarf_dieoffset) FUNCTION(dwarf_end) FUNCTION(dwarf_errmsg) FUNCTION(dwarf_filesrc) \
    FUNCTION(dwarf_formstring) FUNCTION(dwarf_formudata) FUNCTION(dwarf_get_units) \
    FUNCTION(dwarf_getsrcfiles) FUNCTION(dwarf_getsrclines) FUNCTION(dwarf_lineaddr) \
    FUNCTION(dwarf_lineendsequence) FUNCTION(dwarf_lineno) FUNCTION(dwarf_linesrc) \
    FUNCTION(dwarf_onesrcline) FUNCTION(dwarf_ranges) FUNCTION(dwarf_siblingof) \
    FUNCTION(dwarf_tag) FUNCTION(dwarf_whatform)
/* clang-format on */

#define DWARF_POINTER(name) __typeof__(name) *name;

typedef struct ElfLibrary {
    ELF_FUNCTIONS(DWARF_POINTER)
} ElfLibrary;

typedef struct DwarfLibrary {
    DWARF_FUNCTIONS(DWARF_POINTER)
} DwarfLibrary;

/* Set once, before DwarfLibraryLoad returns OPPROF_OK for the first time. */
extern ElfLibrary libelf;
extern DwarfLibrary libdw;

/* OPPROF_OK; OPPROF_E_LOAD: they are not installed. Any thread, several times. */
OpprofStatus DwarfLibraryLoad(OpprofError **error);

#endif
