/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MC2_LAUNCH_H
#define MC2_LAUNCH_H

#include "aicpu.h"
#include "blocks.h"
#include "core_marks.h"
#include "launch_info.h"
#include "task_log.h"

#include <opprof/kit/cutter.h>
#include <opprof/kit/raw_keeper.h>
#include <opprof/kit/spool.h>
#include <opprof/records/onboard.h>
#include <opprof/stage.h>

typedef enum RawKind {
    RAW_OTHER,
    RAW_BASIC_INFO,
    RAW_START_PC,
    RAW_BLOCKS,
    RAW_TASK_LOG,
    RAW_AICPU,
    RAW_MARKS
} RawKind;

typedef struct AicpuCounts {
    uint64_t reports;
    uint64_t bad;
    uint64_t bad_at; /* offset of the first bad one */
    uint64_t again;  /* the first turn is repeated: the file came twice */
} AicpuCounts;

/* A file of marks. */
typedef struct MarkFile {
    uint32_t name;  /* interned */
    uint64_t first; /* number of its first mark among all of the launch */
} MarkFile;

/* A launch whose files are arriving. Holds its tasks, and its marks in a spool. */
typedef struct Launch {
    bool may_lack_marks; /* stamps of cores may be missing */
    OpprofStage *stage;
    const char *chip;          /* as the parameter; borrowed */
    uint32_t partition;        /* interned place */
    OpprofOnboardChunk folder; /* for the parts of the results' folder */
    /* the current file */
    uint32_t file; /* interned; OPPROF_NA_STRING: none */
    RawKind kind;
    uint64_t file_bytes; /* bytes of it so far */
    uint64_t file_size;
    uint32_t block_file; /* interned name of the latest file of blocks; 0: none so far */
    bool resets_blocks;  /* the first record of this file replaces those of the one before */
    OpprofCutter pieces;
    char *text; /* of a small text file */
    size_t text_length;
    size_t text_capacity;
    uint64_t file_records; /* bytes of it so far */
    OpprofRawKeeper raw;   /* records of unknown kinds; zeroed until its owner begins it */
    /* known so far */
    LaunchInfo info;
    OpprofChip *soc; /* NULL: not chosen yet */
    Mc2Facts facts;
    OpprofError *failure; /* the reason why no chip could be chosen */
    TaskLog log;
    Blocks blocks;
    AicpuTurn *turns;
    size_t turn_count;
    size_t turn_capacity;
    CommTask *tasks;
    size_t task_count;
    size_t task_capacity;
    AicpuCounts aicpu;
    OpprofSpool marks; /* CoreMark records, read again once the colours are known */
    uint64_t mark_count;
    MarkFile *mark_files; /* their files, in order */
    size_t mark_file_count;
    size_t mark_file_capacity;
} Launch;

/* NULL without memory. */
Launch *LaunchCreate(OpprofStage *stage, const char *chip, uint32_t partition);
void LaunchFree(Launch *launch);

/* Take a piece of a file. Bad data is reported to the stage and left out. */
OpprofStatus LaunchFeed(Launch *launch, const OpprofOnboardChunk *chunk, const unsigned char *bytes,
                        OpprofError **error);

/* No more files: close the last one. False: launch->failure gives the reason why it cannot be parsed. */
bool LaunchEnd(Launch *launch);

/* Push all events of the launch to a port. */
OpprofStatus LaunchEmit(Launch *launch, uint32_t port, OpprofError **error);

#endif
