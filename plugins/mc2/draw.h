/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MC2_DRAW_H
#define MC2_DRAW_H

#include "display.h"
#include "event.h"
#include "sheet.h"

#include <opprof/kit/source.h>

/* How events of a launch look in a timeline. */
typedef struct Drawing {
    Sheet sheet;
    const char *prefix;     /* of processes, such as "device0 "; "" for none */
    const Display *display; /* of users' marks; NULL: none. Borrowed */
    OpprofSource *source;   /* of the kernel; NULL: unknown. Borrowed */
    bool has_addresses;     /* it is known where the kernel was loaded */
    uint64_t hz;            /* of the events' clock */
} Drawing;

/* Draw an event; MC2_LAUNCH draws nothing. */
void DrawEvent(Drawing *drawing, const Mc2Event *event);

#endif
