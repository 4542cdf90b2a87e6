/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_LINES_PIPES_H
#define COLLECT_SIM_LINES_PIPES_H

#include "line.h"

#include <opprof/kit/chip.h>

/* Facts about pipes (`pipes`); all NULL: every pipe keeps its printed name. */
typedef struct SimPipes {
    const OpprofFact *known;    /* pipe to `printed`, the texts for it */
    const OpprofFact *of_names; /* part of a name to its pipe, for unknown printed pipes */
    const char *user_mark;      /* pipe of instructions with mark registers; NULL: its own */
    const char *other;          /* pipe of all other texts; NULL: the printed one */
} SimPipes;

/* Read what a chip's file says; NULL, no chip: nothing. */
SimPipes SimPipesOf(const OpprofChip *chip);

/*
 * The pipe of a line by its text, by a part of the name, or the one for all others. *ret_length is
 * its length; it has no terminator. Valid as long as the line and the chip.
 */
const char *SimPipesFind(const SimPipes *pipes, const SimLine *line, size_t *ret_length);

#endif
