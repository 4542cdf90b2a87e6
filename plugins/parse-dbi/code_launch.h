/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_DBI_CODE_LAUNCH_H
#define PARSE_DBI_CODE_LAUNCH_H

#include "block_map.h"
#include "liveness.h"
#include "samples.h"
#include "text_file.h"

#include <opprof/records/dbi.h>
#include <opprof/records/onboard.h>
#include <opprof/stage.h>

enum { OUTPUT_BLOCKS, OUTPUT_SAMPLES, OUTPUT_REGISTERS };

/* What a file of a launch is. */
typedef enum CodeFile {
    CODE_FILE_OTHER,
    CODE_FILE_INFO,
    CODE_FILE_START,
    CODE_FILE_SAMPLE_START,
    CODE_FILE_STUB,
    CODE_FILE_MAP,
    CODE_FILE_COUNTS,
    CODE_FILE_COUNTED,
    CODE_FILE_SAMPLES,
    CODE_FILE_LIVENESS,
    CODE_FILE_REFUSED
} CodeFile;

/* What is known about the code of a launch whose files are arriving. */
typedef struct CodeLaunch {
    OpprofStage *stage;
    uint32_t partition;

    uint32_t file; /* interned; absent: none */
    uint64_t file_bytes;
    CodeFile kind;
    char *held; /* bytes of a file that is read as a whole */
    size_t held_length;
    size_t held_capacity;
    bool is_too_long; /* to be kept */
    uint32_t seen;    /* bits of the kinds that arrived */

    DbiText info;
    DbiText start;
    DbiText sample_start;
    DbiText stub; /* 8 bytes */
    BlockMap map;
    uint32_t map_file; /* interned */
    CountReader counts;
    Samples samples;
    Liveness liveness;
} CodeLaunch;

/* NULL without memory. */
CodeLaunch *CodeLaunchCreate(OpprofStage *stage, uint32_t partition);
void CodeLaunchFree(CodeLaunch *launch);

/* Take a piece of a file. Bad data is reported to the stage and left out. */
OpprofStatus CodeLaunchFeed(CodeLaunch *launch, const OpprofOnboardChunk *chunk, const char *bytes,
                            OpprofError **error);

/* No more files: emit what is known. */
OpprofStatus CodeLaunchEnd(CodeLaunch *launch, OpprofError **error);

#endif
