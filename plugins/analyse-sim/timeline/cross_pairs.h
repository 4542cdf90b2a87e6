/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIM_TIMELINE_CROSS_PAIRS_H
#define SIM_TIMELINE_CROSS_PAIRS_H

#include "cross_flags.h"

/*
 * Pairs of flags between cores; each half is drawn by the instance of its core. Which half comes
 * second is chance; so each core has a line, in which its ends of arrows wait, in the order of its
 * rows, until it is certain whether the other half comes. All functions but Create, Destroy and the
 * two for the end: [any thread]
 */
typedef struct CrossPairs CrossPairs;
/* The line of one core; owned by the pairs. */
typedef struct CrossLine CrossLine;

/* A half as it arrives. */
typedef struct CrossHalf {
    uint64_t time;    /* where its end of the arrow is */
    uint64_t sync_id; /* from the detail */
    CrossRule rule;   /* of the chip */
    CrossKind kind;
    uint32_t clock; /* of the time */
    uint32_t track; /* where it is drawn */
    uint32_t lane;  /* interned name of that lane */
} CrossHalf;

/* An end of an arrow. */
typedef struct CrossEnd {
    CrossHalf half;
    uint64_t number;    /* of the pair, see CrossIdPut */
    uint32_t from_lane; /* interned names */
    uint32_t to_lane;
} CrossEnd;

#define CROSS_ID_SIZE 240u /* bytes; has room for a core's name and a number */

CrossPairs *CrossPairsCreate(void); /* NULL: no memory */
void CrossPairsDestroy(CrossPairs *pairs);

/* The line of another core, whose name is copied; NULL without memory. */
CrossLine *CrossPairsAdd(CrossPairs *pairs, const char *core);

/* A half of the line's core arrives. OPPROF_OK, with the number of its pair; OPPROF_E_MEMORY. */
OpprofStatus CrossPairsMeet(CrossPairs *pairs, CrossLine *line, const CrossHalf *half,
                            uint64_t *ret_number);

/* Takes the next arrow end out of the line; false while none is certain. */
bool CrossPairsTake(CrossPairs *pairs, CrossLine *line, CrossEnd *ret_end);

/* Id of a pair, the same text for both halves and different for each pair; returns its length. */
size_t CrossIdPut(const CrossLine *line, const CrossHalf *half, uint64_t number,
                  char id[CROSS_ID_SIZE]);

/* No more halves come: the waiting ones have no partner. OPPROF_OK. */
OpprofStatus CrossPairsEnd(CrossPairs *pairs);
/* After the end: lines by name of the core, then NULL. */
CrossLine *CrossPairsLine(const CrossPairs *pairs, size_t index);

/* Halves that were given up because of a limit. */
uint64_t CrossPairsForgotten(const CrossPairs *pairs);

#endif
