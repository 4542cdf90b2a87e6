/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_LIVE_LAUNCH_READER_H
#define COLLECT_SIM_LIVE_LAUNCH_READER_H

/*
 * Sends the recorded operators to the stage's ports, one after another in the order of their
 * launches: each is read after its end, while the program goes on.
 */

#include "launches.h"
#include "printer.h"
#include "collect-sim/read/reader.h"

typedef enum LaunchPhase {
    LAUNCH_WAITING = 0, /* the next operator is not read yet */
    LAUNCH_READING,
    LAUNCH_PRINTING /* its dump files, if they are kept */
} LaunchPhase;

typedef struct LaunchReader {
    OpprofStage *stage; /* borrowed, as the next two */
    const OpprofParams *params;
    LiveLaunches *launches;
    uint64_t core_ids; /* see ReaderSource */
    uint32_t next;     /* operator that is read, or is read next */
    LaunchPhase phase;
    Reader reader;
    EmitEnds ends; /* of its cores */
    LivePrinter printer;
} LaunchReader;

/* Whether LaunchReaderStep has something to do now. */
bool LaunchReaderHasWork(const LaunchReader *reader);
/* A bounded piece of work. An operator that cannot be read is left out, which is reported. */
OpprofStatus LaunchReaderStep(LaunchReader *reader, OpprofError **error);
/*
 * The run ends early: reads all operators that have ended. If that fails, the dump files of those
 * that are left are kept, which is reported.
 */
OpprofStatus LaunchReaderFlush(LaunchReader *reader, OpprofError **error);
/* Print what was not read, and remove the records of what was. */
void LaunchReaderFinish(LaunchReader *reader);

#endif
