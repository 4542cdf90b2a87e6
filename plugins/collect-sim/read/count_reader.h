/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_READ_COUNT_READER_H
#define COLLECT_SIM_READ_COUNT_READER_H

/*
 * The first reading of a core: all of its popped log, then all of its instr log, for the pairing to
 * count. A core that was counted while its program ran is only checked.
 */

#include "reading.h"

typedef struct CountReader {
    Reading *reading;
    WorkCore *core;
    SimLog log;
    bool is_instr; /* the popped log is done */
} CountReader;

/* OPPROF_OK: call step; OPPROF_END: nothing to read. Other results are failures. */
OpprofStatus CountReaderStart(CountReader *reader, Reading *reading, WorkCore *core,
                              OpprofError **error);
/* OPPROF_OK: there is more; OPPROF_END: the core is counted or left out. Other results are
 * failures. */
OpprofStatus CountReaderStep(CountReader *reader, OpprofError **error);
/* The run ends early: the core is left out. */
void CountReaderCut(CountReader *reader);
void CountReaderFinish(CountReader *reader);

#endif
