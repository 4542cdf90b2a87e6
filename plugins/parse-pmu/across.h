/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_PMU_ACROSS_H
#define PARSE_PMU_ACROSS_H

/*
 * Compares the launches of a run: the logs of a kernel's launches follow one another on their
 * device, and no file of one replay has the bytes of another replay's, where records of counters do
 * not state when they were made; and all say of which process they are, or none does.
 */

#include "launch.h"

struct AcrossLog;
struct AcrossFile;

/* Zeroed memory is an empty one. The caller guards it. */
typedef struct Across {
    struct AcrossLog *logs;
    size_t log_count;
    size_t log_room;
    struct AcrossFile *files;
    size_t file_count;
    size_t file_room;
    uint64_t launches; /* with a file of facts */
    uint64_t nameless; /* of them, without their process */
} Across;

/* Note a launch that has been read. False without memory. */
bool AcrossAdd(Across *across, const Launch *launch);
/* After all launches: make the run incomplete where they contradict each other. */
void AcrossJudge(Across *across, OpprofStage *stage);
void AcrossFinish(Across *across);

#endif
