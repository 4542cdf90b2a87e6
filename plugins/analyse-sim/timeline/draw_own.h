/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIM_TIMELINE_DRAW_OWN_H
#define SIM_TIMELINE_DRAW_OWN_H

#include "core_lanes.h"
#include "instruction.h"

/* A core's own document; its clock runs twice as fast. */
typedef struct OwnDrawing {
    CoreLanes *core;
    Sheet sheet; /* of instructions */
    Sheet marks;
    Sheet misses;
    Lane *miss_lane; /* NULL: none yet */
    FlagTable *flags;
    uint64_t next_flow;
} OwnDrawing;

/* False without memory. The lanes are borrowed. */
bool DrawOwnInit(OwnDrawing *drawing, CoreLanes *core);
void DrawOwnFinish(OwnDrawing *drawing);

/* An instruction of a pipe, one of a SIMT warp; a cache miss, whose lane must exist. */
OpprofStatus DrawOwnPipe(OwnDrawing *drawing, PipeState *pipe, const Instruction *instruction);
OpprofStatus DrawOwnWarp(OwnDrawing *drawing, WarpState *warp, const Instruction *instruction);
OpprofStatus DrawOwnMiss(OwnDrawing *drawing, const Instruction *miss, uint32_t colour);
OpprofStatus DrawOwnMark(OwnDrawing *drawing, const OpprofSimMark *mark, uint32_t track);
/* No more rows: draw and push the held ones. */
OpprofStatus DrawOwnFlush(OwnDrawing *drawing);

#endif
