/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIM_TIMELINE_PALETTE_H
#define SIM_TIMELINE_PALETTE_H

#include "lane.h"

#include <stdint.h>

/* How the viewer shows a pipe. */
typedef struct PipeLook {
    const char *pipe;
    const char *colour;
    int32_t sort;    /* rank among the lanes of a core in the timeline of all cores */
    uint32_t number; /* process number in the timeline of one core */
} PipeLook;

#define LANE_NUMBER_WARPS 1000u /* warp w is number 1000 + w */
#define LANE_NUMBER_OTHERS                                                                         \
    2000u                   /* pipes without a number of their own, in order of first sight        \
                             */
#define LANE_SORT_OTHERS 24 /* they come behind the known ones */
#define LANE_SORT_WARPS 100 /* warp w has rank 100 + w */

/* Look of a pipe; NULL for one that has none. */
const PipeLook *PaletteOfPipe(const char *pipe);

/* Colour of pipes without look. */
const char *PaletteOtherColour(void);

/* Colour of a SIMT instruction. */
const char *PaletteOfSimt(const char *name);

/* How rows of that name are drawn. */
RowKind PaletteRowKind(const char *name);

/* Rank of a core among all cores: its cube core, then its vector cores; 0 if it is no core's name.
 */
int32_t PaletteCoreSort(const char *core);

#endif
