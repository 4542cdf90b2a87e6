/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Remembers the earliest tick in the rest of a log, for each block of records.
 * Tested by tests/plugins/collect-sim/test_pairing.c.
 */
#include "horizon.h"
#include <opprof/grow.h>
#include <stdlib.h>

bool HorizonStartBlock(Horizon *horizon)
{
    if (!OpprofGrow(&horizon->minima, &horizon->capacity, horizon->count + 1,
                    sizeof *horizon->minima)) {
        return false;
    }
    horizon->minima[horizon->count++] = UINT64_MAX;
    return true;
}

void HorizonClose(Horizon *horizon)
{
    for (size_t i = horizon->count; i > 1; i--) {
        if (horizon->minima[i - 1] < horizon->minima[i - 2]) {
            horizon->minima[i - 2] = horizon->minima[i - 1];
        }
    }
}

void HorizonFinish(Horizon *horizon)
{
    free(horizon->minima);
    *horizon = (Horizon){ .minima = NULL };
}
