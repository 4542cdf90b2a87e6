/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_LINES_NAMES_H
#define COLLECT_SIM_LINES_NAMES_H

/*
 * Maps the texts of PIPE and NAME to interned ids, without using the run's string table for every
 * line. Grows with the vocabulary.
 */

#include "line.h"
#include "pipes.h"
#include <opprof/map.h>

/* Gives the run's id of a text; 0 on failure. */
typedef uint32_t (*NamesIntern)(void *context, const char *text, size_t length);

#define NAMES_RECENT_BITS 6
#define NAMES_RECENT (1u << NAMES_RECENT_BITS)

typedef struct NamesEntry {
    uint64_t words[3]; /* the first 8 bytes of PIPE and 16 of NAME, zeroes after the end */
    size_t text;       /* offset of PIPE and then NAME in texts */
    uint32_t pipe_length;
    uint32_t name_length;
    uint32_t pipe; /* id of the normalised pipe, unless the operands contain a mark register */
    uint32_t name; /* id */
    uint32_t next; /* entry of the same hash; OPPROF_MAP_NONE: none */
} NamesEntry;

typedef struct Names {
    NamesIntern intern;
    void *context;
    SimPipes pipes;
    NamesEntry *entries;
    uint32_t count;
    uint32_t capacity;
    OpprofMap places;              /* hash of the words to the latest entry of it */
    uint32_t recent[NAMES_RECENT]; /* entries used last, by some bits of the words */
    char *texts;
    size_t texts_used;
    size_t texts_capacity;
} Names;

/* The entry of a line's PIPE and NAME; NULL without memory or ids. Valid until the next call. */
const NamesEntry *NamesLookUp(Names *names, const SimLine *line);
void NamesFinish(Names *names);

#endif
