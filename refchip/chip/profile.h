/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REFCHIP_CHIP_PROFILE_H
#define REFCHIP_CHIP_PROFILE_H

/*
 * The profiling channels of devices. Whatever ran while a channel was open leaves its records
 * there; libascend_hal.so gives them out. Functions with the prefix Refchip are its way in.
 */

#include "config.h"
#include "counts.h"
#include "execute.h"

#define PROFILE_VISIBLE __attribute__((visibility("default")))
#define PROFILE_CHANNELS 160u
#define PROFILE_LOST 2326 /* of a stop: records were lost */

enum {
    PROFILE_TRACE_FIRST = 11,
    PROFILE_TRACE_LAST = 28,
    PROFILE_COUNTERS_310P = 43,
    PROFILE_TASKS_310P = 45,
    PROFILE_L2 = 47,
    PROFILE_TASKS = 50,
    PROFILE_COUNTERS = 53,
    PROFILE_AICPU = 143
};

typedef struct ProfileSetup {
    uint32_t kind; /* 0 task scheduler, 1 peripheral */
    uint32_t period;
    uint32_t real_time;
    const void *data;
    uint32_t size;
} ProfileSetup;

typedef struct ProfileReady {
    uint32_t device;
    uint32_t channel;
} ProfileReady;

/* 0, or what is wrong with it. */
PROFILE_VISIBLE int RefchipProfileStart(uint32_t device, uint32_t channel,
                                        const ProfileSetup *setup);
PROFILE_VISIBLE int RefchipProfileStop(uint32_t device, uint32_t channel);
/* Bytes, whole records; 0: none; -1: the channel is not open and has nothing left. */
PROFILE_VISIBLE int RefchipProfileRead(uint32_t device, uint32_t channel, void *data,
                                       uint32_t size);
/* Wait for data in any channel; how many of `ready` were filled, 0: none, -1: a fault. */
PROFILE_VISIBLE int RefchipProfilePoll(ProfileReady *ready, int most, int seconds);
/* The configuration, for the driver's other functions. */
PROFILE_VISIBLE const RefchipConfig *RefchipConfigShare(void);

/* Which channels were open when a launch began. */
typedef struct ProfileTicket {
    uint32_t openings[PROFILE_CHANNELS]; /* number of the opening; 0: closed */
} ProfileTicket;

/* Returns the cycle of the device at which the launch begins, in the time
 * that all devices share. */
PROFILE_VISIBLE uint64_t RefchipProfileBegin(uint32_t device, ProfileTicket *ticket);
/* The device's work so far, in that time; at least the given cycle from now on. */
PROFILE_VISIBLE uint64_t RefchipProfileClock(uint32_t device);
PROFILE_VISIBLE void RefchipProfileClockTo(uint32_t device, uint64_t cycle);
/* A cycle as the device's own counter shows it. */
PROFILE_VISIBLE uint64_t RefchipProfileTick(uint32_t device, uint64_t cycle);

/* A task of a stream that is not a launch of a kernel. */
typedef struct ProfileTask {
    uint32_t type;
    uint16_t stream;
    uint16_t task;
    uint64_t start; /* cycles */
    uint64_t end;
} ProfileTask;

/* Put tasks into the log of tasks and reports of 256 bytes into the channel of the AI CPU, as far
 * as these have been open since the ticket. */
PROFILE_VISIBLE void RefchipProfileTasks(uint32_t device, const ProfileTicket *ticket,
                                         const ProfileTask *tasks, uint32_t count,
                                         const void *reports, uint32_t report_count);
/* Returns the tick of the device's counter. */
uint64_t ProfileBegin(uint32_t device, ProfileTicket *ticket);
/* What a channel was asked for, if it has been open since the ticket; else NULL. It stays while the
 * launch runs. */
const struct RecordSetup *ProfileSetupOf(uint32_t device, const ProfileTicket *ticket,
                                         uint32_t channel);
/* One record of such a channel. */
void ProfilePut(uint32_t device, const ProfileTicket *ticket, uint32_t channel, const void *record,
                uint32_t size);
/* A launch has ended: records for channels that have been open all the time, and its account. */
void ProfileEnd(const RefchipLaunch *launch, const ProfileTicket *ticket, const BlockCounts *blocks,
                const InstructionCounts *instructions, const RefchipOutcome *outcome);

#endif
