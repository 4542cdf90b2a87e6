/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Holds a launch's moves until its counters show which kinds of cores ran.
 * Tested by tests/plugins/parse-pmu/test_vectors.sh.
 */
#include "moves.h"

#include <opprof/grow.h>

#include <stdlib.h>

static bool take(Moves *moves, const OpprofDbiMove *move)
{
    if (move->path == OPPROF_NA_STRING) {
        moves->is_whole = true;
        moves->is_there = move->requests != OPPROF_NA_U64;
        return true;
    }
    if (!OpprofGrow(&moves->list, &moves->capacity, moves->count + 1, sizeof *moves->list)) {
        return false;
    }
    moves->list[moves->count++] = *move;
    return true;
}

bool MovesTake(Moves *moves, const OpprofBatch *batch)
{
    bool is_good = true;

    for (uint32_t i = 0; is_good && i < batch->count; i++) {
        is_good = take(moves, OpprofBatchRecord(batch, i));
    }
    return is_good;
}

void MovesFinish(Moves *moves)
{
    free(moves->list);
    *moves = (Moves){ .list = NULL };
}
