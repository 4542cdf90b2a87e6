/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_ONBOARD_RANGE_H
#define COLLECT_ONBOARD_RANGE_H

#include "discovery.h"

#include <opprof/stage.h>

/*
 * Range replay: the kernels of a range were replayed together, and their records follow each other
 * in files of the range, tmp_dump/<device>/<process>/<order>. Here each launch of a range gets its
 * share of them as files of its own (Launch.parts).
 */

/* `chip` as the parameter: a SoC, a series, or "auto". What cannot be divided is reported to the stage. */
OpprofStatus RangesShareOut(OpprofStage *stage, const char *input, const char *chip,
                            const Patterns *patterns, Launches *launches, OpprofError **error);

/* One range, whose files are in this directory. */
OpprofStatus RangeShareOut(OpprofStage *stage, const char *input, const char *directory,
                           const char *chip, const Patterns *patterns, Launches *launches,
                           OpprofError **error);

#endif
