/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_READ_MTE_READER_H
#define COLLECT_SIM_READ_MTE_READER_H

/* The log of the memory transfer engines of a core, passed on unchanged: a parser turns it into
 * requests. */

#include "collect-sim/emit.h"
#include "reading.h"

typedef struct MteReader {
    Reading *reading;
    WorkMte *mte;
    SimLog log;
    uint32_t file; /* interned path */
    char *lines;   /* of the next record */
    size_t used;   /* bytes of it */
    Emitter pieces;
} MteReader;

OpprofStatus MteReaderStart(MteReader *reader, Reading *reading, WorkMte *mte, OpprofError **error);
/* OPPROF_OK: there is more; OPPROF_END: all of it is pushed. */
OpprofStatus MteReaderStep(MteReader *reader, OpprofError **error);
/* The run ends early: push what is read. */
OpprofStatus MteReaderCut(MteReader *reader, OpprofError **error);
void MteReaderFinish(MteReader *reader);

#endif
