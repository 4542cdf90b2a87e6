/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REFCHIP_PROFILE_H
#define REFCHIP_PROFILE_H

/*
 * The profiling channels of devices. Whatever ran while a channel was open leaves its records there;
 * libascend_hal.so gives them out. Functions with the prefix Refchip are its way in.
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

void ProfileBegin(uint32_t device, ProfileTicket *ticket);
/* A launch has ended: records for channels that have been open all the time, and its account. */
void ProfileEnd(const RefchipLaunch *launch, const ProfileTicket *ticket, const BlockCounts *blocks,
                const RefchipOutcome *outcome);

#endif
