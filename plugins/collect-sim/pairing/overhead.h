/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_PAIRING_OVERHEAD_H
#define COLLECT_SIM_PAIRING_OVERHEAD_H

/*
 * When instructions were fetched and issued by the control unit (CCU), before they start, by lines
 * of the forms that the chip's file states: of the instruction cache's log, a fetch of a PC and the
 * next three; of the control unit's log, an issue of a PC. The i-th issue of a PC belongs to its
 * i-th row and takes the largest fetch tick below its own. The first issue without one, or later
 * than the row's start, ends this for the PC.
 *
 * Logs are read twice: the first reading shows how early the rest of a log can still be
 * (horizon.h), the second one asks for lines just as far as rows need them. So what is held is what
 * is fetched and issued but has not started.
 */

#include "horizon.h"
#include "keys.h"
#include "collect-sim/lines/form.h"
#include <opprof/error.h>

/* The two logs. */
typedef enum OverheadLog { OVERHEAD_NONE = 0, OVERHEAD_FETCHES, OVERHEAD_ISSUES } OverheadLog;

typedef struct Overhead Overhead;

/* Whether rows of a PC will come. */
typedef bool OverheadKnows(const void *context, uint64_t pc);

/* The forms of events in both logs are borrowed. NULL without memory. */
Overhead *OverheadCreate(const SimForms *fetches, const SimForms *issues, OverheadKnows *knows,
                         const void *context);
void OverheadDestroy(Overhead *overhead);

/* First reading: every line of a log, and then its end. False without memory. */
bool OverheadCount(Overhead *overhead, OverheadLog log, const char *line, size_t length);
void OverheadCountEnd(Overhead *overhead, OverheadLog log);

/*
 * Second reading: the log whose next line is needed before the next row of a PC, which starts at
 * `start`, can be taken; OVERHEAD_NONE: it can.
 */
OverheadLog OverheadNeeds(const Overhead *overhead, uint64_t pc, uint64_t start);
/* The next line of a log, or its end. False without memory. */
bool OverheadGive(Overhead *overhead, OverheadLog log, const char *line, size_t length);
void OverheadGiveEnd(Overhead *overhead, OverheadLog log);
/*
 * Take that row: cycles from fetch to issue, at least 1, and from issue to start; both
 * OPPROF_NA_U32 if they are not known. False without memory.
 */
bool OverheadTake(Overhead *overhead, uint64_t pc, uint64_t start, uint32_t *ret_cache,
                  uint32_t *ret_ccu);

/* Rows that start after the last issue in the log and have no issue. */
uint64_t OverheadLate(const Overhead *overhead);

/* Rows at addresses of which the log has issues, but not one for them. */
uint64_t OverheadWithout(const Overhead *overhead);

/*
 * Whether the log of issues is silent, at its beginning or for a while, where more than `most` rows
 * start without an issue, though it has others of their PCs.
 *
 * @param[out] ret_from   Tick where the silence begins.
 * @param[out] ret_until  Tick before which it ends.
 */
bool OverheadIsSilent(const Overhead *overhead, uint64_t most, uint64_t *ret_from,
                      uint64_t *ret_until);

/* Issues that were not kept because too many were waiting for their rows. */
uint64_t OverheadForgotten(const Overhead *overhead);

#endif
