/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MC2_LAUNCH_H
#define MC2_LAUNCH_H

#include "aicpu.h"
#include "blocks.h"
#include "core_marks.h"
#include "facts.h"
#include "task_log.h"

#include <opprof/kit/launch_reader.h>
#include <opprof/kit/spool.h>
#include <opprof/records/onboard.h>

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
    OpprofLaunch base;
    bool may_lack_marks; /* stamps of cores may be missing */
    bool is_mc2;         /* known at its end */
    bool is_lccl;
    uint64_t foreign;      /* records of blocks' files that are of no known kind */
    uint32_t block_file;   /* interned name of the latest file of blocks; 0: none so far */
    bool resets_blocks;    /* the first record of this file replaces those of the one before */
    const Mc2Facts *facts; /* NULL: no chip yet */
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

/* How launches are read. An instance is an Mc2Parser. */
extern const OpprofLaunchParser mc2_launch_parser;

typedef struct Mc2Parser {
    OpprofLaunchReader reader;
    bool is_optional; /* launches may lack both communication and stamps */
    bool warned_of_types;
} Mc2Parser;

enum { MC2_OUTPUT_EVENTS, MC2_OUTPUT_RAW };

/* Push all events of the launch to a port. */
OpprofStatus LaunchEmit(Launch *launch, uint32_t port, OpprofError **error);

/* Report files that are not of one launch, after its events were emitted with times from `zero` on.
 * False without memory. */
bool LaunchFindContradictions(const Launch *launch, const LaunchStart *start, uint64_t zero);

#endif
