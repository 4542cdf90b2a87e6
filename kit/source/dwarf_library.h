/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KIT_SOURCE_DWARF_LIBRARY_H
#define KIT_SOURCE_DWARF_LIBRARY_H

/*
 * libelf and libdw, which are loaded with the first kernel whose lines are asked for. Code that includes this calls their
 * functions by their names, after DwarfLibraryLoad.
 */

#include <elfutils/libdw.h>
#include <gelf.h>
#include <libelf.h>
#include <opprof/error.h>

/* clang-format off */
#define ELF_FUNCTIONS(FUNCTION) \
    FUNCTION(elf_begin) FUNCTION(elf_compress) FUNCTION(elf_end) FUNCTION(elf_errmsg) FUNCTION(elf_getdata) \
    FUNCTION(elf_getscn) FUNCTION(elf_getshdrnum) FUNCTION(elf_getshdrstrndx) FUNCTION(elf_kind) FUNCTION(elf_ndxscn) \
    FUNCTION(elf_nextscn) FUNCTION(elf_rawdata) FUNCTION(elf_strptr) FUNCTION(elf_version) FUNCTION(gelf_getehdr) \
    FUNCTION(gelf_getrel) FUNCTION(gelf_getrela) FUNCTION(gelf_getshdr) FUNCTION(gelf_getsym)
#define DWARF_FUNCTIONS(FUNCTION) \
    FUNCTION(dwarf_attr) FUNCTION(dwarf_begin_elf) FUNCTION(dwarf_child) FUNCTION(dwarf_dieoffset) FUNCTION(dwarf_end) \
    FUNCTION(dwarf_errmsg) FUNCTION(dwarf_filesrc) FUNCTION(dwarf_formstring) FUNCTION(dwarf_formudata) \
    FUNCTION(dwarf_get_units) FUNCTION(dwarf_getsrcfiles) FUNCTION(dwarf_getsrclines) FUNCTION(dwarf_lineaddr) \
    FUNCTION(dwarf_lineendsequence) FUNCTION(dwarf_lineno) FUNCTION(dwarf_linesrc) FUNCTION(dwarf_onesrcline) \
    FUNCTION(dwarf_ranges) FUNCTION(dwarf_siblingof) FUNCTION(dwarf_tag) FUNCTION(dwarf_whatform)
/* clang-format on */

#define DWARF_POINTER(name) __typeof__(name) *name;

typedef struct ElfLibrary {
    ELF_FUNCTIONS(DWARF_POINTER)
} ElfLibrary;

typedef struct DwarfLibrary {
    DWARF_FUNCTIONS(DWARF_POINTER)
} DwarfLibrary;

/* Set once, before DwarfLibraryLoad returns OPPROF_OK for the first time. */
extern ElfLibrary elf_library;
extern DwarfLibrary dwarf_library;

/* OPPROF_OK; OPPROF_E_LOAD: they are not installed. Any thread, several times. */
OpprofStatus DwarfLibraryLoad(OpprofError **error);

#ifndef DWARF_LIBRARY_OWN_NAMES
#define elf_begin elf_library.elf_begin
#define elf_compress elf_library.elf_compress
#define elf_end elf_library.elf_end
#define elf_errmsg elf_library.elf_errmsg
#define elf_getdata elf_library.elf_getdata
#define elf_getscn elf_library.elf_getscn
#define elf_getshdrnum elf_library.elf_getshdrnum
#define elf_getshdrstrndx elf_library.elf_getshdrstrndx
#define elf_kind elf_library.elf_kind
#define elf_ndxscn elf_library.elf_ndxscn
#define elf_nextscn elf_library.elf_nextscn
#define elf_rawdata elf_library.elf_rawdata
#define elf_strptr elf_library.elf_strptr
#define elf_version elf_library.elf_version
#define gelf_getehdr elf_library.gelf_getehdr
#define gelf_getrel elf_library.gelf_getrel
#define gelf_getrela elf_library.gelf_getrela
#define gelf_getshdr elf_library.gelf_getshdr
#define gelf_getsym elf_library.gelf_getsym
#define dwarf_attr dwarf_library.dwarf_attr
#define dwarf_begin_elf dwarf_library.dwarf_begin_elf
#define dwarf_child dwarf_library.dwarf_child
#define dwarf_dieoffset dwarf_library.dwarf_dieoffset
#define dwarf_end dwarf_library.dwarf_end
#define dwarf_errmsg dwarf_library.dwarf_errmsg
#define dwarf_filesrc dwarf_library.dwarf_filesrc
#define dwarf_formstring dwarf_library.dwarf_formstring
#define dwarf_formudata dwarf_library.dwarf_formudata
#define dwarf_get_units dwarf_library.dwarf_get_units
#define dwarf_getsrcfiles dwarf_library.dwarf_getsrcfiles
#define dwarf_getsrclines dwarf_library.dwarf_getsrclines
#define dwarf_lineaddr dwarf_library.dwarf_lineaddr
#define dwarf_lineendsequence dwarf_library.dwarf_lineendsequence
#define dwarf_lineno dwarf_library.dwarf_lineno
#define dwarf_linesrc dwarf_library.dwarf_linesrc
#define dwarf_onesrcline dwarf_library.dwarf_onesrcline
#define dwarf_ranges dwarf_library.dwarf_ranges
#define dwarf_siblingof dwarf_library.dwarf_siblingof
#define dwarf_tag dwarf_library.dwarf_tag
#define dwarf_whatform dwarf_library.dwarf_whatform
#endif

#endif
