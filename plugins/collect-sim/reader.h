/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_READER_H
#define COLLECT_SIM_READER_H

/* A dump directory as a whole, for the collectors of the simulator. */

#include "job.h"
#include <opprof/params.h>

typedef struct ReaderSource {
    const char *dump; /* directory */
    const char *chip; /* NULL: by what the dump looks like */
    uint64_t max_file_size;
    uint64_t core_ids; /* a bit for each wanted id; 0: all */
} ReaderSource;

/* Find the cores of a dump for a job that has its stage. job->work is then the caller's to destroy. */
OpprofStatus ReaderOpen(Job *job, const OpprofParams *params, const ReaderSource *source,
                        OpprofError **error);
/* Another job works on the same list, which it has in job->work. */
void ReaderJoin(Job *job, const OpprofParams *params);
/* A bounded piece of work; OPPROF_END: all is read. */
OpprofStatus ReaderStep(Job *job, OpprofError **error);

#endif
