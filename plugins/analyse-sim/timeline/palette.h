/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIM_TIMELINE_PALETTE_H
#define SIM_TIMELINE_PALETTE_H

#include "row_kind.h"

#include "analyse-sim/common/chip_words.h"

#include <stdint.h>

/* How the viewer shows a pipe. */
typedef struct PipeLook {
    const char *colour;
    int32_t sort;    /* rank among the lanes of a core in the timeline of all cores */
    uint32_t number; /* process number in the timeline of one core */
} PipeLook;

#define LANE_NUMBER_WARPS 1000u  /* warp w is number 1000 + w */
#define LANE_NUMBER_MISSES 1999u /* cache misses, where the chip has no number for them */
#define LANE_NUMBER_OTHERS                                                                         \
    2000u                   /* pipes without a number of their own, in order of first sight        \
                             */
#define LANE_SORT_OTHERS 24 /* they come after the known ones */
#define LANE_SORT_WARPS 100 /* warp w has rank 100 + w */

/* Look of a pipe; false for one that has none. */
bool PaletteOfPipe(const ChipWords *words, const char *pipe, PipeLook *ret_look);

/* Colour of pipes without look. */
const char *PaletteOtherColour(const ChipWords *words);

/* Colour of what sets a flag or waits for one. */
const char *PaletteOfFlag(const ChipWords *words, bool is_set);

/* Colour of a SIMT instruction. */
const char *PaletteOfSimt(const ChipWords *words, const char *name);

/* How rows of that name are drawn. */
RowKind PaletteRowKind(const ChipWords *words, const char *name);

/* Rank of a core among all cores: its cube core, then its vector cores; 0 if it is not a core's name.
 */
int32_t PaletteCoreSort(const char *core);

#endif
