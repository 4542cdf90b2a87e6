/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_KINETO_OPEN_EVENTS_H
#define PARSE_KINETO_OPEN_EVENTS_H

#include "event.h"

/*
 * Events that were begun and not ended yet (`ph` B and E, which some writers use instead of X). An
 * end closes the latest begin of its process and thread.
 */
typedef struct OpenEvents OpenEvents;

/* Begins that may be open at a time. */
#define OPEN_EVENTS_MAX 4096u

/* NULL without memory. */
OpenEvents *OpenEventsCreate(void);
/* NULL is allowed. */
void OpenEventsDestroy(OpenEvents *open);

/*
 * Remember a begin. False if too many are open, or without memory for its name. What lies in the
 * text of the event is copied.
 */
bool OpenEventsBegin(OpenEvents *open, const TraceEvent *event);

/*
 * The begin that an end belongs to, as a complete event. Its texts are valid until the next call.
 * False if there is none.
 */
bool OpenEventsEnd(OpenEvents *open, const TraceEvent *end, TraceEvent *ret_event);

/* Begins that are open. */
uint32_t OpenEventsCount(const OpenEvents *open);

#endif
