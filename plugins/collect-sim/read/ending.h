/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_READ_ENDING_H
#define COLLECT_SIM_READ_ENDING_H

/*
 * Judges whether the logs of each core reach the end of the program, by the instructions that end
 * one (`ends` of the chip's file).
 */

#include "work.h"
#include <opprof/stage.h>

/*
 * All first readings are over. Logs whose program has no end, though that of another core of the
 * dump has, are cut. Where no log has one, all may have been cut alike: a warning says so.
 */
void EndingJudge(OpprofStage *stage, const Work *work);

#endif
