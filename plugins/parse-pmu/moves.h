/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_PMU_MOVES_H
#define PARSE_PMU_MOVES_H

#include <opprof/batch.h>
#include <opprof/records/dbi.h>
#include <stddef.h>

/* Moves of an instrumented launch, summed by core and path in parse-dbi. */
typedef struct Moves {
    OpprofDbiMove *list;
    size_t count;
    size_t capacity;
    bool is_whole; /* all of the launch has arrived */
    bool is_there; /* the launch was instrumented */
} Moves;

/* Take a batch of the launch. False without memory. */
bool MovesTake(Moves *moves, const OpprofBatch *batch);
void MovesFinish(Moves *moves);

#endif
