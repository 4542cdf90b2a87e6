/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIM_TIMELINE_DRAW_MAIN_H
#define SIM_TIMELINE_DRAW_MAIN_H

#include "core_lanes.h"
#include "instruction.h"

/* A core's part of the document of all cores. */
typedef struct MainDrawing {
    CoreLanes *core;
    FlagTable *flags;
    CrossLine *cross; /* of the core's flags to other cores; owned by the pairs */
    uint64_t next_flag;
    uint64_t plain_rows; /* drawn */
} MainDrawing;

/* False without memory. The lanes are borrowed. */
bool DrawMainInit(MainDrawing *drawing, CoreLanes *core);
void DrawMainFinish(MainDrawing *drawing);

/* An instruction of a pipe. */
OpprofStatus DrawMain(MainDrawing *drawing, PipeState *pipe, const Instruction *instruction);
/* One of a SIMT warp, which counts as plain in its pipe. */
OpprofStatus DrawMainWarp(MainDrawing *drawing, PipeState *pipe, const WarpState *warp,
                          const Instruction *instruction);
/* A slice of another kind, such as a cache miss. */
OpprofStatus DrawMainSlice(MainDrawing *drawing, Sheet *sheet, const Instruction *instruction,
                           uint32_t track, uint32_t colour);
/* No more rows: draw the flags whose partner did not come. */
OpprofStatus DrawMainFlush(MainDrawing *drawing);

/* Draw those of a core's arrows from and to other cores that are certain. */
OpprofStatus DrawCrossArrows(TimelineShared *shared, CrossLine *line);

#endif
