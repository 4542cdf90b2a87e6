/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_KIT_BLOCK_CORES_H
#define OPPROF_KIT_BLOCK_CORES_H

/**
 * @file
 * Which cores a block has: `cores.vectors` vector cores and then `cores.cubes` cube cores, the
 * order in which records of cores are numbered through all blocks. An operator that runs on vector
 * cores alone has a block on each. Experimental while the ABI's major number is 0.
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

/** The cores that the chip file states; one vector core where it states none. At most 64 of a kind.
 * [any thread] */
OpprofBlockCores OpprofBlockCoresOf(const OpprofChip *chip);

/** Number of cores of a block. [any thread] */
static inline uint32_t OpprofBlockCoresCount(const OpprofBlockCores *cores)
{
    return cores->vectors + cores->cubes;
}

/**
 * Whether a place, counted through all blocks, is a cube core's. [any thread]
 *
 * @param place  Of a core, from 0.
 */
static inline bool OpprofBlockCoresIsCube(const OpprofBlockCores *cores, uint32_t place)
{
    return place % OpprofBlockCoresCount(cores) >= cores->vectors;
}

/**
 * Block of a place; `each_vector`: each vector core has a block of its own. [any thread]
 *
 * @param place  Of a core, from 0.
 */
static inline uint32_t OpprofBlockCoresBlock(const OpprofBlockCores *cores, uint32_t place,
                                             bool each_vector)
{
    const uint32_t all = OpprofBlockCoresCount(cores);

    return each_vector ? place / all * cores->vectors + place % all : place / all;
}

/**
 * Place of the only vector core of a block that has one of its own: the opposite of
 * OpprofBlockCoresBlock. [any thread]
 *
 * @param block  Number of the block, from 0.
 */
static inline uint32_t OpprofBlockCoresPlace(const OpprofBlockCores *cores, uint32_t block)
{
    return cores->vectors == 0
               ? block
               : OpprofBlockCoresCount(cores) * (block / cores->vectors) + block % cores->vectors;
}

/**
 * Name of a place's core within its block: "vector1", "cube0". [any thread]
 *
 * @param place          Of a core, from 0.
 * @param each_vector    As OpprofBlockCoresBlock.
 * @param[out] ret_name  24 bytes, with the NUL.
 */
void OpprofBlockCoresName(const OpprofBlockCores *cores, uint32_t place, bool each_vector,
                          char ret_name[24]);

#ifdef __cplusplus
}
#endif

#endif
