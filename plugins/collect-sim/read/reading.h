/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_READ_READING_H
#define COLLECT_SIM_READ_READING_H

/*
 * Shared by the readers of one instance: the stage they report to, the list of work, and their
 * progress. Each reader goes over logs once, for one purpose, a bounded step at a time.
 */

#include "collect-sim/emit.h"
#include "work.h"
#include <opprof/stage.h>

#define READING_STEP_LINES 8192u

typedef struct Reading {
    OpprofStage *stage;
    Work *work;           /* shared by all instances */
    EmitEnds *ends;       /* of a launch, borrowed; NULL: they are not sent */
    bool ends_by_core;    /* each is sent when its core is read, not all with the launch */
    const char *left_out; /* names of instructions to leave out, or NULL */
    uint64_t done;        /* bytes of all cores, for progress */
    uint64_t core_done;   /* bytes of the current core, of one reading */
} Reading;

/* Events of logs, to the stage. The reading is borrowed. */
SimLogEvents ReadingEvents(Reading *reading);
/* The same for logs whose bytes are counted by another reader. */
SimLogEvents ReadingQuietEvents(Reading *reading);
/* A core's first or second reading is over, and its remaining bytes will not be read. */
void ReadingSkip(Reading *reading, const WorkCore *core);

#endif
