/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MC2_BIU_LAUNCH_H
#define MC2_BIU_LAUNCH_H

#include "biu_align.h"
#include "biu_event.h"
#include "container.h"
#include "lanes.h"
#include "monitor.h"
#include "region_map.h"

#include <opprof/kit/cutter.h>
#include <opprof/kit/launch_reader.h>
#include <opprof/kit/spool.h>
#include <opprof/records/onboard.h>

typedef struct BiuSettings {
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

enum { BIU_OUTPUT_EVENTS, BIU_OUTPUT_RAW };

/*
 * A launch whose files are arriving. Holds a kilobyte or two per core, 32 KiB for one with marks
 * and a MiB at most for one without start stamps, and the compiler's notes.
 */
typedef struct BiuLaunch {
    OpprofLaunch base;
    const BiuSettings *settings;
    const BiuFacts *facts; /* NULL: no stream yet */
    uint64_t core_hz;
    uint32_t block_dim;         /* 0: unknown */
    const unsigned char *piece; /* of the file, at file.at */
    ContainerReader container;
    BiuChannel *channel; /* of the file; NULL: none */
    RegionMap regions;
    OpprofMap opcodes; /* interned opcode: order of first use */
    BiuChannel **channels;
    size_t channel_count;
    size_t channel_capacity;
    unsigned char blocks[(UINT16_MAX + 1) / 8]; /* a bit for each block that a core's stamp names */
    OpprofStatus status;                        /* of pushing and holding */
    OpprofError *reason;                        /* why holding failed */
} BiuLaunch;

/* How launches are read. An instance is a BiuParser. */
extern const OpprofLaunchParser biu_launch_parser;

typedef struct BiuParser {
    OpprofLaunchReader reader;
    BiuSettings settings;
    bool is_optional; /* launches without streams are normal */
} BiuParser;

#endif
