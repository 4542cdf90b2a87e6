/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_DBI_HOT_SPOT_LINES_H
#define ANALYSE_DBI_HOT_SPOT_LINES_H

#include "hot_spots.h"

#include <opprof/kit/source.h>

/* The source lines of a launch's instructions. */

typedef struct SpotLine {
    const OpprofSourceLine *line;
    uint64_t calls; /* of all its instructions; absent: all are unknown */
    uint64_t bytes; /* absent: none moved any */
    uint64_t hits;  /* lines of the L2 cache; absent: no model, or no access */
    uint64_t misses;
    uint64_t samples;
    uint64_t waits;
    int32_t registers; /* the most of any instruction; absent: unknown */
} SpotLine;

/* An instruction of a line. */
typedef struct SpotOfLine {
    uint32_t line;
    uint32_t spot;
} SpotOfLine;

/* Zeroed memory is empty. */
typedef struct SpotLines {
    SpotLine *list;
    size_t count;
    size_t capacity;
    OpprofMap by_id;
    SpotOfLine *members; /* by instruction */
    size_t member_count;
    size_t member_capacity;
} SpotLines;

/* Look up the lines of all instructions and add up the instructions' numbers.
 * False without memory. */
bool SpotLinesFind(SpotLines *lines, const Spots *spots, OpprofSource *source);
void SpotLinesFinish(SpotLines *lines);

/* The innermost line of an instruction outside the toolkit, NULL if none. */
const OpprofSourceLine *SpotLineOf(OpprofSource *source, uint64_t pc);

#endif
