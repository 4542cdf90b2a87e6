/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_LINES_PIPES_H
#define COLLECT_SIM_LINES_PIPES_H

#include "line.h"

#include <opprof/kit/chip.h>

/* What a chip file says of pipes (`pipes`); all NULL: every pipe is called as it is printed. */
typedef struct SimPipes {
    const OpprofFact *known; /* pipe to `printed`, the texts that mean it */
    const OpprofFact *
        of_names; /* what a name of an instruction holds, to its pipe, where the printed one is not known */
    const char *user_mark; /* pipe of what speaks of registers of marks; NULL: its own */
    const char *other;     /* pipe of all other texts; NULL: as it is printed */
} SimPipes;

/* What the file of a chip says; NULL, no chip: nothing. */
SimPipes SimPipesOf(const OpprofChip *chip);

/*
 * The pipe of a line by its text, by what the name holds, or the one for all others. *ret_length is its length; it need not be
 * terminated. Valid as long as the line and the chip.
 */
const char *SimPipesFind(const SimPipes *pipes, const SimLine *line, size_t *ret_length);

#endif
