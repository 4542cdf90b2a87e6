/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_KIT_BLOCK_CORES_H
#define OPPROF_KIT_BLOCK_CORES_H

/**
 * @file
 * Which cores a block has: `cores.vectors` vector cores and then `cores.cubes` cube cores, the
 * order in which records of cores are numbered through all blocks: a `place`, from 0. An operator
 * that runs on vector cores alone has a block on each (`each_vector`). Experimental. [any thread]
 */

#include <opprof/kit/chip.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Cores of a block. One of the numbers is above 0. */
typedef struct OpprofBlockCores {
    uint32_t vectors; /**< They come first. */
    uint32_t cubes;   /**< After them. */
} OpprofBlockCores;

/** The cores that the chip file states, at most 64 of a kind; one vector core if it states none. */
OpprofBlockCores OpprofBlockCoresOf(const OpprofChip *chip);

/** Number of cores of a block. */
static inline uint32_t OpprofBlockCoresCount(const OpprofBlockCores *cores)
{
    return cores->vectors + cores->cubes;
}

/** Whether a place is a cube core's. */
static inline bool OpprofBlockCoresIsCube(const OpprofBlockCores *cores, uint32_t place)
{
    return place % OpprofBlockCoresCount(cores) >= cores->vectors;
}

/** Block of a place. */
static inline uint32_t OpprofBlockCoresBlock(const OpprofBlockCores *cores, uint32_t place,
                                             bool each_vector)
{
    const uint32_t all = OpprofBlockCoresCount(cores);

    return each_vector ? place / all * cores->vectors + place % all : place / all;
}

/** Place of the only vector core of a `block` that has one of its own: the opposite of
 * OpprofBlockCoresBlock. */
static inline uint32_t OpprofBlockCoresPlace(const OpprofBlockCores *cores, uint32_t block)
{
    return cores->vectors == 0
               ? block
               : OpprofBlockCoresCount(cores) * (block / cores->vectors) + block % cores->vectors;
}

/** Name of a place's core within its block, in `ret_name`: "vector1", "cube0". */
void OpprofBlockCoresName(const OpprofBlockCores *cores, uint32_t place, bool each_vector,
                          char ret_name[24]);

#ifdef __cplusplus
}
#endif

#endif
