/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_READ_READER_H
#define COLLECT_SIM_READ_READER_H

/*
 * A dump directory as a whole: takes pieces of work, and runs the reader of each phase. For the
 * collectors of the simulator.
 */

#include "count_reader.h"
#include "head_reader.h"
#include "miss_reader.h"
#include "mte_reader.h"
#include "pair_reader.h"
#include <opprof/params.h>

typedef enum ReaderPhase {
    READER_IDLE = 0,
    READER_COUNTS,
    READER_HEADS,
    READER_PAIRS,
    READER_MISSES,
    READER_MTE
} ReaderPhase;

typedef struct Reader {
    Reading reading;
    ReaderPhase phase;
    WorkCore *core; /* in its second reading, or NULL */
    union {         /* the reader of the phase */
        CountReader counts;
        HeadReader heads;
        PairReader pairs;
        MissReader misses;
        MteReader mte;
    };
} Reader;

typedef struct ReaderSource {
    const char *dump;   /* directory */
    const char *chip;   /* NULL: detected from the dump */
    const char *launch; /* see Work; outlives the reading */
    uint64_t max_file_size;
    bool knows_end;    /* see Work */
    uint64_t core_ids; /* a bit for each wanted id; 0: all */
} ReaderSource;

/* Find the cores of a dump, for a reader that has its reading.stage; reading.work is then the
 * caller's to destroy. */
OpprofStatus ReaderOpen(Reader *reader, const OpprofParams *params, const ReaderSource *source,
                        OpprofError **error);
/* Another reader works on the same list, which it has in reading.work. */
void ReaderJoin(Reader *reader, const OpprofParams *params);
/* A bounded piece of work; OPPROF_END: all is read. */
OpprofStatus ReaderStep(Reader *reader, OpprofError **error);
/* The run ends early: emit what is paired. */
OpprofStatus ReaderFlush(Reader *reader, OpprofError **error);
/* Drop everything but the list of work. */
void ReaderReset(Reader *reader);

#endif
