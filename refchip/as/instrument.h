/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REFCHIP_AS_INSTRUMENT_H
#define REFCHIP_AS_INSTRUMENT_H

/* Kernels that report what they do, as the vendor's tools make them. */

#include "assemble.h"
#include <stdio.h>

typedef enum InstrumentKind {
    INSTRUMENT_BLOCKS = 0, /* how often each basic block runs */
    INSTRUMENT_MEMORY,     /* what moves from and to global memory */
    INSTRUMENT_OPERANDS,   /* operations, by type of their operands */
    INSTRUMENT_WARPS,      /* when warps of SIMT code ran */
    INSTRUMENT_START,      /* a stub before the kernel, and how long it is */
    INSTRUMENT_REGIONS,    /* marks around what pipes do */
    INSTRUMENT_KINDS
} InstrumentKind;

typedef struct InstrumentWish {
    InstrumentKind kind;
    uint32_t argument;   /* offset of the pointer to the record area among the arguments */
    uint64_t slot_bytes; /* bytes of a core in the area; 0: as many as its blocks need */
    uint64_t gap;        /* bytes after each core's */
    uint32_t pipes;      /* bits of those whose instructions get marks; 0: all */
} InstrumentWish;

/* The kind of a name. False: there is no such kind. */
bool InstrumentKindOf(const char *name, InstrumentKind *ret_kind);
/* Bits of pipes, whose names have '|' between; upper or lower case. False: one of them has no
 * instructions to mark. */
bool InstrumentPipesOf(const char *names, uint32_t *ret_pipes);
/* Texts about what was made; NULL: not wanted. */
typedef struct InstrumentNotes {
    FILE *map; /* which blocks there are, or what is between marks */
    FILE *log; /* pipes that have more instructions than there are marks */
} InstrumentNotes;

/* Instrument code. False: no memory. */
bool Instrument(const AsmCode *code, const InstrumentWish *wish, AsmCode *ret_code,
                const InstrumentNotes *notes);

#endif
