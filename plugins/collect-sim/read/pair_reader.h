/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_READ_PAIR_READER_H
#define COLLECT_SIM_READ_PAIR_READER_H

/* The second reading of a core: its logs, as far as the pairing asks for them, and the resulting rows to the ports. */

#include "collect-sim/emit.h"
#include "reading.h"

typedef struct PairReader {
    Reading *reading;
    WorkCore *core;
    Overhead *overhead;        /* NULL: not wanted */
    SimLog logs[PAIRING_DONE]; /* by PairingLog */
    Emitter rows;
    Emitter issues;
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
