/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIM_TIMELINE_DRAWING_H
#define SIM_TIMELINE_DRAWING_H

/* Shared by both documents of a core: arguments, heads, arrows, marks. */

#include "shared.h"

#include <opprof/records/sim.h>

/* An arrow from the set of a flag to its wait. */
typedef struct Arrow {
    const char *id;
    size_t id_length;
    uint32_t from_lane; /* interned names */
    uint32_t to_lane;
} Arrow;

#define DRAW_ID_MAX 256u /* bytes of an id with its mark */
/* Tie a whole slice to the arrow that begins or ends there: an id and a mark, announced to
 * SheetAdd. */
void DrawSliceId(Sheet *sheet, OpprofSpan *span, const char *id, size_t id_length, FlagSide side);

/* Its tail at the set or its head at the wait. */
OpprofStatus DrawArrowEnd(TimelineShared *shared, Sheet *sheet, const Arrow *arrow, FlagSide side,
                          uint64_t time, uint32_t track);

/* Arguments of an event about its instruction. */
typedef struct EventArgs {
    uint64_t pc;
    const char *detail;
    uint32_t detail_length;
    int64_t bytes; /* moved between memories; 0: not shown */
} EventArgs;

/* Bytes of the blob that an instruction's arguments take. */
size_t DrawArgsBytes(uint32_t detail_length);
/* Address, operands, call stack and moved bytes of an instruction. */
void DrawArgs(TimelineShared *shared, Sheet *sheet, OpprofSpan *span, const EventArgs *args);

/* Time before the start of a row, as it is drawn: fetched, then waiting for its issue. */
typedef struct Heads {
    uint64_t start; /* of the drawn row, which for a wait may be later than its start */
    uint64_t issue; /* by the control unit */
    uint32_t cache_cycles;
    uint32_t scale; /* ticks of the sheet's clock per tick of the row's */
    uint32_t track;
    uint32_t colour;
    const char *group; /* ties them to the row; NULL: unknown */
    size_t group_length;
} Heads;

/* False: nothing before the start is known. */
bool DrawHasHeads(uint32_t cache_cycles);
/* When the control unit issued a row that started at `start`. */
uint64_t DrawIssue(uint64_t start, uint32_t ccu_cycles);
/* Two slices before a row: from its fetch to its issue, and from there to its start. */
OpprofStatus DrawHeads(TimelineShared *shared, Sheet *sheet, const Heads *heads,
                       const EventArgs *args);

/* A user range, in ticks of the sheet's clock. */
OpprofStatus DrawMark(TimelineShared *shared, Sheet *sheet, const OpprofSimMark *mark,
                      uint32_t track, uint64_t start, uint64_t end);

#endif
