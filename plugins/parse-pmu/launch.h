/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_PMU_LAUNCH_H
#define PARSE_PMU_LAUNCH_H

#include "merge.h"
#include "model.h"
#include "moves.h"
#include "operand_record.h"
#include "task_log.h"

#include <opprof/kit/launch_reader.h>
#include <opprof/records/onboard.h>

enum { PMU_OUTPUT_LAUNCHES, PMU_OUTPUT_COUNTERS, PMU_OUTPUT_RAW };

/* The file of a replay's counters, as far as it identifies it. */
typedef struct ReplayFile {
    uint64_t size;
    uint64_t hash; /* of its first bytes */
} ReplayFile;

/* A launch whose files are arriving. */
typedef struct Launch {
    OpprofLaunch base;
    const ParserSettings *settings;
    uint64_t file_records; /* records that counted in files before the current one */
    const PmuModel *model; /* NULL: not chosen yet */
    const Plan *plan;
    Merge merge;
    TaskLog log;
    uint64_t l2_evict;
    Moves moves;
    OperandRecord operands;
    bool has_operands;
    uint64_t rounds_seen; /* bit k: replay k + 1 left records */
    ReplayFile replays[PLAN_MAX_ROUNDS];
    uint32_t rounds_beyond; /* files of replays that the plan does not have */
    bool has_l2;            /* the L2 cache's counters exist, or were reported as left out */
} Launch;

/* How files become a Launch; the rest of the parser, with `end`, is the module's. */
extern const OpprofRoleReader pmu_roles[];
#define PMU_ROLES 7u
OpprofStatus LaunchBegin(OpprofLaunch *launch);
OpprofStatus LaunchChoose(OpprofLaunch *launch, OpprofError **error);
void LaunchFinish(OpprofLaunch *launch);

/* Report the losses of a completely read launch, and drop data that cannot be trusted. */
void LaunchCheck(Launch *launch);

/* Report files of a launch that contradict each other. They are used all the same. */
void LaunchFindContradictions(const Launch *launch);

/* Whether a replay counted anything while cores ran: files of nothing but zeros may be alike. */
bool LaunchHasCounts(const Launch *launch, uint32_t round);

/* Whether the task log should have all replays of the launch: the share of a launch in a range may
 * have only its first one. */
bool LaunchHasWholeLog(const Launch *launch);

/* Clock of the scheduler's log in kHz; 0: unknown. */
double LaunchSchedulerKhz(const Launch *launch);

/* True if the application was replayed, not the kernel or a range. */
bool LaunchIsApplicationReplay(const Launch *launch);

/* Fill a batch of "pmu.launch" with the launch as its only record. */
OpprofStatus LaunchEmit(const Launch *launch, OpprofBatch *batch, OpprofError **error);

/* Order of the keys in the results: by block, then by the text of kind and sub block. Free with
 * free(). */
uint32_t *LaunchKeyOrder(const Launch *launch);

/* Different blocks among the keys, which are in that order. */
uint32_t LaunchCountBlocks(const Launch *launch, const uint32_t *order);

/* Interned kind and sub block; OPPROF_NA_STRING for a chip that does not distinguish blocks. */
uint32_t LaunchKeyName(const Launch *launch, const MergeKey *key);

#endif
