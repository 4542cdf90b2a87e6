/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_PMU_LAUNCH_H
#define PARSE_PMU_LAUNCH_H

#include "basic_info.h"
#include "merge.h"
#include "model.h"
#include "moves.h"
#include "operand_record.h"
#include "task_log.h"

#include <opprof/kit/raw_keeper.h>
#include <opprof/kit/cutter.h>
#include <opprof/records/onboard.h>
#include <opprof/stage.h>

typedef enum RawKind {
    RAW_NONE,
    RAW_BASIC_INFO,
    RAW_TASK_LOG,
    RAW_COUNTERS,
    RAW_L2_CACHE,
    RAW_OPERANDS,
    RAW_OTHER
} RawKind;

#define LAUNCH_OUTPUT_RAW 2u /* output port for records of unknown kinds */

/* The file of a replay's counters, as far as tells it from others. */
typedef struct ReplayFile {
    uint64_t size;
    uint64_t hash; /* of its first bytes */
} ReplayFile;

/* A file of a launch by the name it has or would have. */
typedef struct FileName {
    char text[128];
} FileName;

/* A launch whose files are arriving. */
typedef struct Launch {
    OpprofStage *stage;
    const ParserSettings *settings;
    PmuModel **models;
    uint32_t partition;        /* interned place */
    OpprofOnboardChunk folder; /* for the parts of the results' folder */
    /* the current file */
    uint32_t file; /* interned; OPPROF_NA_STRING: none */
    RawKind kind;
    uint32_t round; /* of a file of counters */
    uint64_t file_size;
    uint64_t file_bytes;        /* bytes of it processed so far */
    uint64_t file_records;      /* records that counted in earlier files */
    uint64_t piece_at;          /* offset of the current records in the file */
    const unsigned char *piece; /* their number */
    OpprofCutter cutter;
    /* known so far */
    char *info_text;
    size_t info_length;
    size_t info_capacity;
    BasicInfo info;
    OpprofRawForm form;    /* of its text */
    const PmuModel *model; /* NULL: not chosen yet */
    const Plan *plan;
    OpprofError *failure; /* the reason why no chip could be chosen */
    OpprofRawKeeper raw;  /* records of unknown kinds */
    Merge merge;
    TaskLog log;
    uint64_t l2_evict;
    Moves moves;
    bool is_over; /* all of its files have arrived */
    OperandRecord operands;
    bool has_operands;
    bool has_block_counts; /* of an instrumented kernel */
    bool has_samples;      /* of its program counter */
    uint64_t rounds_seen;  /* bit k: replay k + 1 left records */
    ReplayFile replays[PLAN_MAX_ROUNDS];
    uint32_t rounds_beyond; /* files of replays that the plan does not have */
    bool has_l2;            /* the L2 cache's counters exist, or were reported as left out */
    bool is_range;          /* its files are its share of a range's files */
    bool is_set_up;
} Launch;

/* NULL without memory. */
Launch *LaunchCreate(OpprofStage *stage, const ParserSettings *settings, PmuModel **models,
                     uint32_t partition);
void LaunchFree(Launch *launch);

/* Take a piece of a file, or the end of the launch. Bad data is reported to the stage and left out. */
OpprofStatus LaunchFeed(Launch *launch, const OpprofOnboardChunk *chunk, const unsigned char *bytes,
                        OpprofError **error);

/* No more files: close the last one. False: the launch could not be parsed; launch->failure gives the reason. */
OpprofStatus LaunchEnd(Launch *launch, bool *ret_is_good, OpprofError **error);

/* Tell the stage what a completely read launch lacks, and drop what cannot be trusted. */
void LaunchCheck(Launch *launch);

/* Tell the stage what of a launch's files cannot be true. They are used all the same. */
void LaunchDoubt(const Launch *launch);

/* The name of the file of a role; `number` is that of a replay. */
FileName LaunchFileName(const Launch *launch, const char *role, uint32_t number);

static inline const char *LaunchPlace(const Launch *launch)
{
    return OpprofStageString(launch->stage, launch->partition);
}

/* Clock of the scheduler's log in kHz; 0: unknown. */
double LaunchSchedulerKhz(const Launch *launch);

/* True if the application was replayed, not the kernel or a range. */
bool LaunchIsApplicationReplay(const Launch *launch);

static inline bool LaunchCommunicates(const Launch *launch)
{
    return BasicInfoFlag(&launch->info, INFO_MC2) || BasicInfoFlag(&launch->info, INFO_LCCL);
}

/* Fill a batch of "pmu.launch" with the launch as its only record. */
OpprofStatus LaunchEmit(const Launch *launch, OpprofBatch *batch, OpprofError **error);

/* Order of the keys in the results: by block, then by the text of kind and sub block. Free with free(). */
uint32_t *LaunchKeyOrder(const Launch *launch);

/* Different blocks among the keys, which are in that order. */
uint32_t LaunchCountBlocks(const Launch *launch, const uint32_t *order);

/* Interned kind and sub block; OPPROF_NA_STRING for a chip that does not distinguish blocks. */
uint32_t LaunchKeyName(const Launch *launch, const MergeKey *key);

#endif
