/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_DBI_LISTING_H
#define ANALYSE_DBI_LISTING_H

#include <opprof/error.h>
#include <opprof/stage.h>

#include <stddef.h>
#include <stdint.h>

/* A disassembler's texts of a kernel's instructions. */

typedef struct ListingLine {
    uint64_t pc;
    const char *name; /* mnemonic; without a terminator */
    const char *detail;
    uint32_t name_length;
    uint32_t detail_length; /* operands */
} ListingLine;

/* Zeroed memory is empty. */
typedef struct Listing {
    char *text;
    size_t length;
    size_t text_capacity;
    ListingLine *lines; /* by address */
    size_t count;
    size_t capacity;
} Listing;

typedef struct ListingKernel {
    const char *tool; /* searched on PATH unless its name has a slash */
    const char *path; /* of the kernel, where there is no descriptor */
    int fd;           /* the kernel's file; below 0: the one at `path` */
} ListingKernel;

/* Run a tool that takes the command line of llvm-objdump and binutils' objdump. */
OpprofStatus ListingRun(Listing *listing, const OpprofStage *stage, const ListingKernel *kernel,
                        OpprofError **error);

/* NULL: the tool listed no instruction there. */
const ListingLine *ListingFind(const Listing *listing, uint64_t pc);

void ListingFinish(Listing *listing);

#endif
