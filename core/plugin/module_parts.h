/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PLUGIN_MODULE_PARTS_H
#define PLUGIN_MODULE_PARTS_H

#include <link.h>
#include <opprof/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MODULE_HEAD_BYTES 16384u /* the tables of most modules lie in them */

/* What a module says of itself: program headers, and the entries of the dynamic section up to the one that ends it. */
typedef struct ModuleParts {
    unsigned char *head; /* the first bytes of the file, read at once */
    size_t head_size;
    ElfW(Phdr) * entries;
    size_t count;
    uint64_t file_size;
    ElfW(Dyn) * dynamic;
    size_t dynamic_count;
    int fd;
} ModuleParts;

/* Read bytes of the file; false if it does not have them all. */
bool ModulePartsRead(const ModuleParts *parts, uint64_t offset, void *out, size_t size);

/* The part that these bytes are mapped from, or NULL if they are not all in the file. */
const ElfW(Phdr) * ModulePartsFind(const ModuleParts *parts, uint64_t address, uint64_t size);

/* Find the first entry of the dynamic section with the tag, and return its value; false if no entry has it. */
bool ModulePartsDynamic(const ModuleParts *parts, int64_t tag, uint64_t *ret_value);

/*
 * Check the tables that the dynamic linker takes at their word, and ends the program for.
 * OPPROF_OK; OPPROF_E_LOAD with the reason; OPPROF_E_MEMORY.
 */
OpprofStatus ModuleTablesCheck(const ModuleParts *parts, OpprofError **error);

#endif
