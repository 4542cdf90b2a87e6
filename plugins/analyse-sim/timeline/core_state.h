/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIM_TIMELINE_CORE_STATE_H
#define SIM_TIMELINE_CORE_STATE_H

/* What the parts of core_timeline.h share: one core's state, and an instruction on its way through.
 */

#include "core_timeline.h"

#include <opprof/kit/busy_time.h>

#define CORE_WARPS 100u     /* warp ids have one or two digits */
#define CORE_PIPE_CACHE 64u /* slots, a power of two */
#define CORE_MARK_DIGITS 10u
#define NUMBER_ROOM 24u /* bytes of a decimal number and a NUL */

/* A pipe of the core. Tracks are OPPROF_NA_U32 until they are declared. */
typedef struct PipeState {
    uint32_t pipe;       /* interned name */
    uint32_t main_track; /* in the document of all cores */
    uint32_t colour;
    uint64_t plain_end; /* latest end of a row drawn as plain instruction there */
    bool has_plain;
    bool is_scalar;
    Lane *lane;       /* in the core's own document */
    Lane *load_store; /* lane of scalar rows with a destination register; NULL: none yet */
} PipeState;

/* A SIMT warp of the core. */
typedef struct WarpState {
    uint32_t main_track;
    Lane *lane; /* NULL: not seen yet */
} WarpState;

struct CoreTimeline {
    TimelineShared *shared;
    uint32_t core; /* interned name */
    const char *name;
    size_t name_length;
    int32_t sort;
    uint32_t clock; /* of the instructions */
    Sheet own;      /* document "<core>/trace"; its clock runs twice as fast */
    Sheet own_marks;
    Sheet own_misses;
    PipeState **pipes;
    uint32_t pipe_count;
    uint32_t pipe_capacity;
    PipeState *pipe_cache[CORE_PIPE_CACHE];
    WarpState warps[CORE_WARPS];
    Lane **lanes;
    uint32_t lane_count;
    uint32_t lane_capacity;
    uint32_t others; /* lanes without a number of their own so far */
    Lane *cache_lane;
    uint32_t cache_track;
    uint32_t mark_track;
    uint32_t mark_own_tracks[CORE_MARK_DIGITS];
    FlagTable *main_flags;
    FlagTable *own_flags;
    uint64_t next_main_flag;
    uint64_t plain_rows; /* drawn in the document of all cores */
    uint64_t next_own_flow;
    OpprofBusyTime busy;
    uint64_t first_start;
    uint64_t last_end;
};

/* An instruction on its way into both documents. */
typedef struct Instruction {
    const OpprofSimInstruction *row;
    const char *detail;
    uint32_t detail_length;
    RowKind kind;
    CrossKind cross;
    uint32_t simt_colour;
    int32_t bytes; /* moved between memories; 0: none */
} Instruction;

/* core_lanes.c: each returns NULL or OPPROF_NA_U32 without memory. */
PipeState *CoreFindPipe(CoreTimeline *core, uint32_t pipe);
WarpState *CoreFindWarp(CoreTimeline *core, unsigned warp);
Lane *CoreAddPipeLane(CoreTimeline *core, const char *pipe);
uint32_t CoreMainTrack(CoreTimeline *core, const char *thread, int32_t sort);
uint32_t CoreOwnTrack(CoreTimeline *core, uint32_t number, const char *label, uint32_t thread);
uint32_t CoreSubLaneTrack(CoreTimeline *core, Lane *lane, uint32_t sub_lane);

/* drawing.c: what both documents share. */

/* An arrow from the set of a flag to its wait. */
typedef struct Arrow {
    const char *id;
    size_t id_length;
    uint32_t from_lane; /* interned names */
    uint32_t to_lane;
} Arrow;

#define DRAW_ID_MAX 256u /* bytes of an id with its mark */
/* Tie a whole slice to the arrow that begins or ends there: an id and a mark, announced to SheetAdd. */
void DrawSliceId(Sheet *sheet, OpprofSpan *span, const char *id, size_t id_length, FlagSide side);

/* Its tail at the set or its head at the wait. */
OpprofStatus DrawArrowEnd(CoreTimeline *core, Sheet *sheet, const Arrow *arrow, FlagSide side,
                          uint64_t time, uint32_t track);

/* What the arguments of an event say of its instruction. */
typedef struct EventArgs {
    uint64_t pc;
    const char *detail;
    uint32_t detail_length;
    int32_t bytes; /* moved between memories; 0: not shown */
} EventArgs;

/* Bytes of the blob that the arguments of an instruction take. */
size_t DrawArgsBytes(uint32_t detail_length);
/* Address, operands, call stack and moved bytes of an instruction. */
void DrawArgs(CoreTimeline *core, Sheet *sheet, OpprofSpan *span, const EventArgs *args);

/* What came before the start of a row, as it is drawn: fetched, then waiting for its issue. */
typedef struct Heads {
    uint64_t start; /* of the row as it is drawn, which a wait may be later than it started */
    uint64_t issue; /* by the control unit */
    uint32_t cache_cycles;
    uint32_t scale; /* ticks of the sheet's clock in one of the row's */
    uint32_t track;
    uint32_t colour;
    const char *group; /* ties them to the row; NULL: not known */
    size_t group_length;
} Heads;

/* False: nothing is known of what came before the start. */
bool DrawHasHeads(uint32_t cache_cycles);
/* When the control unit issued a row that started at `start`. */
uint64_t DrawIssue(uint64_t start, uint32_t ccu_cycles);
/* Two slices before a row: from its fetch to its issue, and from there to its start. */
OpprofStatus DrawHeads(CoreTimeline *core, Sheet *sheet, const Heads *heads, const EventArgs *args);

/* A user range, in ticks of the sheet's clock. */
OpprofStatus DrawMark(CoreTimeline *core, Sheet *sheet, const OpprofSimMark *mark, uint32_t track,
                      uint64_t start, uint64_t end);

/* draw_main.c: the document of all cores. */
OpprofStatus DrawMainSlice(CoreTimeline *core, Sheet *sheet, const Instruction *instruction,
                           uint32_t track, uint32_t colour);
/* A row of the pipe is drawn as a plain instruction: waits begin after it. */
void DrawnPlain(PipeState *pipe, uint64_t end);
OpprofStatus DrawMain(CoreTimeline *core, PipeState *pipe, const Instruction *instruction);
/* A flag whose partner did not come; a FlagAlone of the core. */
OpprofStatus DrawFlagAlone(void *context, const char *detail, size_t detail_length, FlagSide side,
                           const OpenFlag *flag);

/* draw_own.c: the core's own document. */
OpprofStatus DrawOwn(CoreTimeline *core, Lane *lane, const Instruction *instruction,
                     uint32_t colour);
OpprofStatus DrawOwnPipe(CoreTimeline *core, PipeState *pipe, const Instruction *instruction);
OpprofStatus DrawOwnMark(CoreTimeline *core, const OpprofSimMark *mark, uint32_t track);
OpprofStatus DrawOwnFlush(CoreTimeline *core);

#endif
