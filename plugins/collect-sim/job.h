/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_JOB_H
#define COLLECT_SIM_JOB_H

/*
 * One instance's work on one core: its first reading, or its second one, in steps of some thousand
 * lines.
 */

#include "emit.h"
#include "overhead.h"
#include "work.h"

typedef enum JobPhase {
    JOB_IDLE = 0,
    JOB_COUNT_POPPED,
    JOB_COUNT_INSTR,
    JOB_COUNT_FETCHES,
    JOB_COUNT_ISSUES,
    JOB_PAIR,
    JOB_COUNT_MISSES,
    JOB_TAKE_MISSES,
    JOB_MTE
} JobPhase;

typedef struct Job {
    OpprofStage *stage;
    Work *work;
    const char *left_out; /* names of instructions to leave out, or NULL */
    uint64_t done;        /* bytes read in all cores, for progress */
    JobPhase phase;
    WorkCore *core;
    WorkMte *mte;
    SimLog popped; /* or the icache log */
    SimLog instr;
    Icache *icache;
    Overhead *overhead; /* NULL: not looked for */
    SimLog fetches;
    SimLog issued;
    uint64_t found; /* cache misses, or requests */
    Emitter rows;   /* or misses */
    Emitter issues;
    uint64_t core_done; /* bytes read of this core and reading */
} Job;

/* Begin the first reading of a core. A core that lacks a log is told of, and the job is idle again.
 */
OpprofStatus JobStartFirst(Job *job, WorkCore *core, OpprofError **error);
/* Begin the second reading of a core that is to be read: its user marks come first. */
OpprofStatus JobStartSecond(Job *job, WorkCore *core, OpprofError **error);
/* Begin to read the log of memory transfer engines. */
OpprofStatus JobStartMte(Job *job, WorkMte *mte, OpprofError **error);
/* Go on with it; when it is done, or fails, the job is idle. */
OpprofStatus JobStep(Job *job, OpprofError **error);
/* The run ends early: emit what is paired. */
OpprofStatus JobFlush(Job *job, OpprofError **error);
/* Drop everything. */
void JobReset(Job *job);

#endif
