/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_DBI_CODE_LAUNCH_H
#define PARSE_DBI_CODE_LAUNCH_H

#include "block_map.h"
#include "liveness.h"
#include "samples.h"

#include <opprof/kit/launch_reader.h>
#include <opprof/records/dbi.h>

enum { OUTPUT_BLOCKS, OUTPUT_SAMPLES, OUTPUT_REGISTERS };

/* The code of a launch. */
typedef struct CodeLaunch {
    OpprofLaunch base;
    BlockMap map;
    const char *map_file; /* its name */
    CountReader counts;
    Samples samples;
    Liveness liveness;
    uint64_t sample_start; /* where sampled code was loaded; 0: unknown */
    uint64_t stub;         /* bytes before the code */
} CodeLaunch;

/* All files have been read: push what is known. */
OpprofStatus CodeLaunchPush(CodeLaunch *launch);

#endif
