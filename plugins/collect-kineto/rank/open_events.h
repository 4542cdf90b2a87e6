/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_RANK_OPEN_EVENTS_H
#define COLLECT_KINETO_RANK_OPEN_EVENTS_H

#include "collect-kineto/formats/event.h"

/*
 * Events that have begun but not ended (`ph` B and E, which some writers use instead of X). An end
 * closes the latest begin of its process and thread.
 */
typedef struct OpenEvents OpenEvents;

/* Begins that may be open at a time. */
#define OPEN_EVENTS_MAX 4096u

/* NULL without memory. */
OpenEvents *OpenEventsCreate(void);
/* NULL is allowed. */
void OpenEventsDestroy(OpenEvents *open);

/*
 * Remember a begin; its texts are copied.
 *
 * Returns OPPROF_OK, OPPROF_E_LIMIT if too many are open for this one to be kept, OPPROF_E_MEMORY.
 */
OpprofStatus OpenEventsBegin(OpenEvents *open, const TraceEvent *event);

/*
 * The begin that an end belongs to, as a complete event. Its texts are valid until the next call.
 * False if none.
 */
bool OpenEventsEnd(OpenEvents *open, const TraceEvent *end, TraceEvent *ret_event);

/* Begins that are open. */
uint32_t OpenEventsCount(const OpenEvents *open);

/* Byte of the text where one of them begins. */
uint64_t OpenEventsAt(const OpenEvents *open, uint32_t i);

#endif
