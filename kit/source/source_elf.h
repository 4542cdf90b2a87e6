/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KIT_SOURCE_SOURCE_ELF_H
#define KIT_SOURCE_SOURCE_ELF_H

#include "kit/source/dwarf_library.h"

#include <opprof/error.h>

/* An ELF file whose debug information can be read: decompressed and relocated. */
typedef struct SourceElf {
    int fd; /* -1: not open */
    Elf *elf;
    Dwarf *dwarf;        /* NULL: there is no debug information */
    Elf_Scn *info;       /* section .debug_info; NULL: it is compressed the old way */
    uint64_t debug_size; /* bytes of it in the file */
} SourceElf;

/* Open a 64-bit little-endian file, which errors call `name`. On failure nothing stays open. */
OpprofStatus SourceElfOpen(const char *path, const char *name, SourceElf *elf, OpprofError **error);

/*
 * Does a text that libdw found inside of an entry end before the section does? libdw does not look.
 */
bool SourceElfHasEnd(const SourceElf *elf, const unsigned char *text);
void SourceElfClose(SourceElf *elf);

#endif
