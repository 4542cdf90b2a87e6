/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_READ_MOVES_H
#define COLLECT_SIM_READ_MOVES_H

/*
 * The log of a core's memory transfer engines beside the instructions that move memory. Each of
 * those makes requests, so where more of them end than can be in flight while the log is silent,
 * the log lost a part. The log and the instructions of the core's sub-cores are read by any
 * instances of the stage, in any order; the last one to end learns what is missing.
 */

#include "collect-sim/pairing/stretches.h"
#include <pthread.h>

#define MOVES_IN_FLIGHT 64u

typedef struct Moves {
    pthread_mutex_t lock; /* guards what follows */
    Stretches stretches;
    uint64_t moves;
    uint32_t left; /* readings that have not ended */
} Moves;

/* `readings`: that MovesEnd is called for. NULL without memory. */
Moves *MovesCreate(uint32_t readings);
void MovesDestroy(Moves *moves);

/* Lines of the log, with '\n' between them; the first number of each is its tick. Best many at
 * once: it takes the lock. [any thread] */
void MovesSeeLines(Moves *moves, const char *lines, size_t length);
/* An instruction that moves memory has ended. [any thread] */
void MovesSee(Moves *moves, uint64_t tick);

/*
 * A reading is over, to its end. True: it was the last one, and the log lost a part. [any thread]
 *
 * @param[out] ret_from   Tick where its silence begins.
 * @param[out] ret_until  Tick before which it ends; UINT64_MAX: never.
 */
bool MovesEnd(Moves *moves, uint64_t *ret_from, uint64_t *ret_until);

#endif
