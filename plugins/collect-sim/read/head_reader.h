/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_READ_HEAD_READER_H
#define COLLECT_SIM_READ_HEAD_READER_H

/* The first reading of the logs of fetch and issue of a core, for the metric Overhead. */

#include "collect-sim/pairing/overhead.h"
#include "reading.h"

typedef struct HeadReader {
    WorkCore *core;
    SimLogEvents events;
    const SimForms *forms[2]; /* of fetches and of issues */
    SimLog log;
    Overhead *overhead;
    OverheadLog at;
} HeadReader;

/* Begin with a core whose pairing is counted. */
OpprofStatus HeadReaderStart(HeadReader *reader, Reading *reading, WorkCore *core,
                             OpprofError **error);
/* OPPROF_OK: there is more; OPPROF_END: both logs are counted. */
OpprofStatus HeadReaderStep(HeadReader *reader, OpprofError **error);
/* The counts; the caller's to destroy. */
Overhead *HeadReaderTake(HeadReader *reader);
void HeadReaderFinish(HeadReader *reader);

#endif
