/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_READ_PAIR_READER_H
#define COLLECT_SIM_READ_PAIR_READER_H

/* The second reading of a core: its logs, as far as the pairing asks for them, and the resulting
 * rows to the ports. */

#include "collect-sim/emit.h"
#include "reading.h"

#define PAIR_MOVES 16u /* names of instructions */

typedef struct PairReader {
    Reading *reading;
    WorkCore *core;
    Overhead *overhead;        /* NULL: not wanted */
    SimLog logs[PAIRING_DONE]; /* by PairingLog */
    Emitter rows;
    Emitter issues;
    WorkMte *mte;               /* that has the requests of its moves; NULL: none */
    uint32_t moves[PAIR_MOVES]; /* interned names */
    uint32_t move_count;
} PairReader;

/*
 * Begin with a core that is counted.
 *
 * @param overhead  Counted too, or NULL. The reader's from now on.
 */
OpprofStatus PairReaderStart(PairReader *reader, Reading *reading, WorkCore *core,
                             Overhead *overhead, OpprofError **error);
/* OPPROF_OK: there is more; OPPROF_END: all rows are pushed. */
OpprofStatus PairReaderStep(PairReader *reader, OpprofError **error);
/* The run ends early: push what is paired. */
OpprofStatus PairReaderCut(PairReader *reader, OpprofError **error);
void PairReaderFinish(PairReader *reader);

#endif
