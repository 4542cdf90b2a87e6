/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_ONBOARD_RANGE_H
#define COLLECT_ONBOARD_RANGE_H

#include "discovery.h"

#include <opprof/kit/chip.h>

#include <opprof/stage.h>

/*
 * Range replay: the kernels of a range were replayed together, and their records follow each other
 * in files of the range, tmp_dump/<device>/<process>/<order>. Here each launch of a range gets its
 * share of them as files of its own (Launch.parts).
 */

/* Files of the range, to be divided. Borrowed. */
typedef struct RangeOrder {
    OpprofStage *stage; /* what cannot be divided is reported to it */
    const char *input;
    const char *chip; /* as the parameter: a SoC, a series, or "auto" */
    const Patterns *patterns;
    Launches *launches;
} RangeOrder;

/* All ranges of the input. */
OpprofStatus RangesShareOut(const RangeOrder *order, OpprofError **error);

/* Whether records of a chip say which task they are of. */
bool RangeCanShare(const OpprofChip *chip);

/* One range, whose files are in this directory. */
OpprofStatus RangeShareOut(const RangeOrder *order, const char *directory, OpprofError **error);

#endif
