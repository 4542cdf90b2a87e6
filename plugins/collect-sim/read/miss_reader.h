/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_READ_MISS_READER_H
#define COLLECT_SIM_READ_MISS_READER_H

/* Both readings of a core's instruction-cache log, for the misses in it. */

#include "collect-sim/emit.h"
#include "reading.h"

typedef struct MissReader {
    Reading *reading;
    WorkCore *core;
    SimLog log;
    Icache *icache;
    bool is_counted; /* the first reading is over */
    uint64_t found;
    uint64_t doubled; /* of those, at the tick and address of the one before */
    uint64_t tick;    /* of the last one */
    uint64_t pc;
    Emitter misses;
} MissReader;

/* Begin with a core that has such a log. */
OpprofStatus MissReaderStart(MissReader *reader, Reading *reading, WorkCore *core,
                             OpprofError **error);
/* OPPROF_OK: there is more; OPPROF_END: all misses are pushed. */
OpprofStatus MissReaderStep(MissReader *reader, OpprofError **error);
/* The run ends early: push what is in order. */
OpprofStatus MissReaderCut(MissReader *reader, OpprofError **error);
void MissReaderFinish(MissReader *reader);

#endif
