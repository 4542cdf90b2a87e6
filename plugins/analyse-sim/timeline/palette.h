/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIM_TIMELINE_PALETTE_H
#define SIM_TIMELINE_PALETTE_H

#include "row_kind.h"

#include "analyse-sim/common/instruction_facts.h"

#include <stdint.h>

/* How the viewer shows a pipe. */
typedef struct PipeLook {
    const char *colour;
    int32_t sort;    /* rank among the lanes of a core in the timeline of all cores */
    uint32_t number; /* process number in the timeline of one core */
} PipeLook;

/*
 * Where the lanes go that the chip's file does not name one by one: `pipes.other_rank` and
 * `other_lane`, `warps.rank` and `lane`.
 */
typedef struct LanePlaces {
    int32_t other_sort;    /* of pipes without one of their own, which come after the named ones */
    uint32_t other_number; /* and this is the first of them, in order of appearance */
    int32_t warp_sort;     /* warp w has rank warp_sort + w, */
    uint32_t warp_number;  /* and this number + w */
} LanePlaces;

LanePlaces PaletteLanePlaces(const InstructionFacts *words);

/* Pipes that a timeline handles specially, by purpose; never NULL. */
typedef struct PipeRoles {
    const char *scalar;     /* its rows that load or store may have a lane of their own: */
    const char *load_store; /* this one; NULL: they have none */
    const char *holds;      /* for rows whose operands contain this */
    const char *cache_miss;
    const char *user_mark;
} PipeRoles;

PipeRoles PaletteRoles(const InstructionFacts *words);

/* Look of a pipe; false if it has none. */
bool PaletteOfPipe(const InstructionFacts *words, const char *pipe, PipeLook *ret_look);

/* Colour of pipes without a look. */
const char *PaletteOtherColour(const InstructionFacts *words);

/* Colour of instructions that set a flag or wait for one. */
const char *PaletteOfFlag(const InstructionFacts *words, bool is_set);

/* Colour of a SIMT instruction. */
const char *PaletteOfSimt(const InstructionFacts *words, const char *name);

/* How rows of that name are drawn. */
RowKind PaletteRowKind(const InstructionFacts *words, const char *name);

/*
 * Rank of a core among all cores: by its number, and within that the hub before the spokes
 * (flags.between_cores); 0 if it is not a core's name.
 */
int32_t PaletteCoreSort(const InstructionFacts *words, const char *core);

#endif
