/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REFCHIP_CHIP_RECORD_H
#define REFCHIP_CHIP_RECORD_H

/* Records of a launch in the profiling channels, and the chip's own account of it. */

#include "profile.h"

#define RECORD_MOST 128u
#define RECORD_EVENTS 10u

typedef struct RecordSetup RecordSetup;
/* Settings of a channel. */
struct RecordSetup {
    uint32_t events[2][RECORD_EVENTS]; /* of cube and vector cores; the L2 cache has the first */
    uint32_t period;                   /* of samples, in cycles */
    uint32_t mode;                     /* 0: words of pipes, 1: samples */
};

/* False: the user data is not what the channel takes. */
bool RecordSetupRead(uint32_t channel, const ProfileSetup *setup, RecordSetup *read);

typedef struct RecordLaunch {
    const RefchipLaunch *launch;
    const BlockCounts *blocks;
    const InstructionCounts *instructions; /* of the launch's words; NULL: not counted */
    uint64_t start;                        /* cycle of the device */
    uint64_t cycles;
} RecordLaunch;

/* Cores that run a launch: places in its account. */
uint32_t RecordPlaces(const RefchipLaunch *launch);
/* A cycle of the device in ticks of its scheduler. */
uint64_t RecordTicks(uint64_t cycle);
/* Each writes one record and returns its size. */
uint32_t RecordTask(const RecordLaunch *launch, bool is_end, uint8_t *record);
/* Of a task that is not a launch, on a device whose counter is this many cycles ahead. */
uint32_t RecordOtherTask(const ProfileTask *task, uint64_t ahead, bool is_end, uint8_t *record);
/* Of a core at a place of the launch; where cores have no parts, one of all of them together. */
uint32_t RecordCounters(const RecordLaunch *launch, const RecordSetup *setup, uint32_t place,
                        uint8_t *record);
uint32_t RecordAllCounters(const RecordLaunch *launch, const RecordSetup *setup, uint8_t *record);
uint32_t RecordL2(const RecordLaunch *launch, const RecordSetup *setup, uint8_t *record);
/* Append a line of JSON to the file that the configuration names. */
void RecordAccount(const RecordLaunch *launch, const uint32_t *openings);

#endif
