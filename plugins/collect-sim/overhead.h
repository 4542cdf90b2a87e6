/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_OVERHEAD_H
#define COLLECT_SIM_OVERHEAD_H

/*
 * When instructions were fetched and issued by the control unit (CCU), before they start:
 *
 *   icache log  "[info] " TICK ": lookup_tag is fetch req addr:" PC             fetches PC and the
 * next three CCU log     "[info] " TICK ": is_single_issue instr, pc:" PC                issues PC
 *               "[info] " TICK ": ccu do issue success.issue isa pc :" PC
 *
 * Both may stand anywhere in a line. The i-th issue of a PC belongs to its i-th row and takes the
 * largest fetch tick below its own. The first issue without one, or later than the row's start,
 * ends this for the PC.
 *
 * Logs are read twice: the first reading tells how early the rest of a log can still be
 * (horizon.h), the second one reads just as far as rows need. So what is held is what is fetched
 * and issued but has not started.
 */

#include "horizon.h"
#include "keys.h"
#include <opprof/error.h>

/* Where lines come from, as PairingSource. */
typedef struct OverheadSource {
    void *context;
    OpprofStatus (*next)(void *context, const char **ret_line, size_t *ret_length,
                         OpprofError **error);
} OverheadSource;

/* Lines taken apart; false: the line is none. */
bool OverheadFetchParse(const char *line, size_t length, uint64_t *ret_tick, uint64_t *ret_pc);
bool OverheadIssueParse(const char *line, size_t length, uint64_t *ret_tick, uint64_t *ret_pc);

typedef struct Overhead Overhead;

/* Whether rows of a PC are to come. */
typedef bool OverheadKnows(const void *context, uint64_t pc);

/* NULL without memory. */
Overhead *OverheadCreate(OverheadKnows *knows, const void *context);
void OverheadDestroy(Overhead *overhead);

/* First reading, at most `lines` lines: OPPROF_OK there is more; OPPROF_END. One log, then the
 * other. */
OpprofStatus OverheadCountFetches(Overhead *overhead, const OverheadSource *source, uint32_t lines,
                                  OpprofError **error);
OpprofStatus OverheadCountIssues(Overhead *overhead, const OverheadSource *source, uint32_t lines,
                                 OpprofError **error);

/* Second reading: where the logs come from now. */
void OverheadStart(Overhead *overhead, const OverheadSource *fetches, const OverheadSource *issues);

/*
 * The next row of a PC starts: cycles from fetch to issue, at least 1, and from issue to start;
 * both OPPROF_NA_U32 if they are not known.
 */
OpprofStatus OverheadTake(Overhead *overhead, uint64_t pc, uint64_t start, uint32_t *ret_cache,
                          uint32_t *ret_ccu, OpprofError **error);

/* Rows that start after the last issue of the log and have none. */
uint64_t OverheadLate(const Overhead *overhead);

/* Issues that were not kept because too many were waiting for their rows. */
uint64_t OverheadForgotten(const Overhead *overhead);

#endif
