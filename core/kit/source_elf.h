/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KIT_SOURCE_ELF_H
#define KIT_SOURCE_ELF_H

#include <elfutils/libdw.h>
#include <libelf.h>
#include <opprof/error.h>

/* An ELF file whose debug information can be read: decompressed and relocated. */
typedef struct SourceElf {
    int fd; /* -1: not open */
    Elf *elf;
    Dwarf *dwarf;        /* NULL: there is no debug information */
    uint64_t debug_size; /* bytes of .debug_info */
} SourceElf;

/* Open a 64-bit little-endian file. On failure nothing stays open. */
OpprofStatus SourceElfOpen(const char *path, SourceElf *elf, OpprofError **error);
void SourceElfClose(SourceElf *elf);

#endif
