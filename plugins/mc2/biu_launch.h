/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MC2_BIU_LAUNCH_H
#define MC2_BIU_LAUNCH_H

#include "biu_align.h"
#include "biu_event.h"
#include "container.h"
#include "lanes.h"
#include "launch_info.h"
#include "monitor.h"
#include "region_map.h"

#include <opprof/kit/cutter.h>
#include <opprof/kit/raw_keeper.h>
#include <opprof/kit/spool.h>
#include <opprof/records/onboard.h>
#include <opprof/stage.h>

typedef struct BiuSettings {
    const char *chip;
    bool shows_instructions; /* of containers: pairs of the compiler's marks, not pipes */
    uint32_t interval;       /* cycles between records of the older monitors */
} BiuSettings;

/* A stream of bytes of one core. */
typedef struct BiuChannel {
    struct BiuLaunch *launch;
    BiuSource source;
    uint32_t group;
    uint32_t type;
    uint32_t source_device; /* or OPPROF_NA_U32 */
    uint32_t unit;          /* interned */
    uint32_t file;          /* interned, the latest one */
    WordStream words;
    Lanes lanes;
    OpprofCutter pieces; /* older monitors */
    uint64_t records;
    uint16_t before[MONITOR_PIPES];
    BiuFirsts firsts; /* of marks */
    OpprofSpool held; /* events before the first start stamp: their zero is unknown yet */
} BiuChannel;

/*
 * A launch whose files are arriving. Holds a kilobyte or two per core, 32 KiB for one with marks
 * and a MiB at most for one without start stamps, and the compiler's notes.
 */
typedef struct BiuLaunch {
    OpprofStage *stage;
    const BiuSettings *settings;
    uint32_t port;
    uint32_t partition;
    OpprofOnboardChunk folder;
    uint32_t file; /* the current file */
    uint64_t file_bytes;
    uint64_t file_size;
    uint64_t after_stop;        /* bytes that came after the run was stopped */
    const unsigned char *piece; /* of the file, at file_bytes */
    OpprofRawKeeper raw; /* bytes that are not understood; zeroed until its owner begins it */
    uint32_t kind;       /* of the file */
    ContainerReader container;
    BiuChannel *channel; /* of the file; NULL: none */
    char *text;
    size_t text_length;
    size_t text_capacity;
    LaunchInfo info;
    OpprofChip *soc;
    BiuFacts facts;
    uint64_t core_hz;
    OpprofError *failure;
    RegionMap regions;
    OpprofMap opcodes; /* interned opcode: order of first use */
    BiuChannel **channels;
    size_t channel_count;
    size_t channel_capacity;
    unsigned char blocks[(UINT16_MAX + 1) / 8]; /* a bit for each block that a core's stamp names */
    OpprofStatus status;                        /* of pushing and holding */
    OpprofError *reason;                        /* why holding failed */
} BiuLaunch;

/* For messages. */
static inline const char *BiuLaunchName(const BiuLaunch *launch)
{
    return OpprofStageString(launch->stage, launch->partition);
}

BiuLaunch *BiuLaunchCreate(OpprofStage *stage, const BiuSettings *settings, uint32_t port,
                           uint32_t partition);
void BiuLaunchFree(BiuLaunch *launch);
OpprofStatus BiuLaunchFeed(BiuLaunch *launch, const OpprofOnboardChunk *chunk,
                           const unsigned char *bytes, OpprofError **error);
/* Close all streams and push what is left. */
OpprofStatus BiuLaunchEnd(BiuLaunch *launch, OpprofError **error);

#endif
