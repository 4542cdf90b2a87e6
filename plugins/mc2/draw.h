/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MC2_DRAW_H
#define MC2_DRAW_H

#include "display.h"
#include "event.h"
#include "sheet.h"

#include <opprof/kit/source.h>

/* The look of a launch's events in a timeline. */
typedef struct Drawing {
    Sheet sheet;
    const char *prefix;     /* of processes, such as "device0 "; "" for none */
    const Display *display; /* for users' marks; NULL: none. Borrowed */
    OpprofSource *source;   /* of the kernel; NULL: unknown. Borrowed */
    bool has_addresses;     /* the kernel's load address is known */
    uint64_t hz;            /* of the events' clock */
} Drawing;

/* Draw an event; MC2_LAUNCH draws nothing. */
void DrawEvent(Drawing *drawing, const Mc2Event *event);

#endif
