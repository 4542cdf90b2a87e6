/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_TRACE_PATH_PATH_DRAW_H
#define ANALYSE_TRACE_PATH_PATH_DRAW_H

#include "analyse-trace/path/path_writer.h"

/*
 * A path as a line: each piece of device work, and as one piece what comes before it, under the
 * part and the name that take most of it. So a line has at most two pieces for each piece of work,
 * and one more for each iteration and change of rank.
 */

/* Draw the path of a rank on its track; OPPROF_NA_U32: it has none. */
OpprofStatus PathDraw(const PathWriter *writer, const Path *path, const PathRank *rank);

/* Draw the path through all ranks, on a line of each. */
OpprofStatus PathDrawAll(const PathWriter *writer, const Path *path, const PathRanks *all);

#endif
