/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_ONBOARD_EMIT_H
#define COLLECT_ONBOARD_EMIT_H

#include "discovery.h"

#include <opprof/stage.h>

/* A file that is being read. */
typedef struct OpenFile {
    int fd; /* -1: none */
    uint64_t size;
    uint64_t offset;
    uint32_t name;        /* interned */
    const RawFile *raw;   /* borrowed */
    size_t extent;        /* among the files of `raw`, the current one … */
    uint64_t extent_done; /* … and the bytes of it read so far */
    const char *appendix; /* its last bytes; "": none. Borrowed */
} OpenFile;

/* Emits launches one after another. */
typedef struct Emitter {
    OpprofStage *stage;
    Launch *launch; /* borrowed; NULL: no open launch */
    RawFiles files; /* of that launch */
    size_t next_file;
    OpenFile file;
    uint64_t opened_bytes; /* of its files so far, each when it was opened */
    bool is_reported;      /* a file of it could not be opened */
    uint64_t files_read;
    uint64_t bytes_read;
} Emitter;

/* Begin a launch. */
OpprofStatus EmitBegin(Emitter *emitter, Launch *launch, const Patterns *patterns,
                       OpprofError **error);
/* Emit the next pieces; after the last of them no launch is open. */
OpprofStatus EmitSome(Emitter *emitter, OpprofError **error);
/* Report the totals. */
void EmitCount(const Emitter *emitter);
void EmitFinish(Emitter *emitter);

/* Files that a launch may have left, by role, in the order in which parsers want them. */
#define EMIT_FILES                                                                                 \
    "info,task_log,counters,l2_cache,code_start,dbi_area,dbi_packets,memory_chart,operands,code,"  \
    "block_map,block_counts,counted,sample_start,sample_stub,samples,liveness,warps,tune_log,"     \
    "region_map,pipe_words,pipe_windows,aicpu,marks"

#endif
