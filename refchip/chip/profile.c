/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Profiling channels: opened, filled by launches, polled and read. Tested by
 * tests/refchip/test_profiling.sh.
 */
#include "profile.h"
#include "fault.h"
#include "record.h"
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_BYTES (64u << 20) /* of a channel; beyond it records are lost */

typedef struct Channel {
    uint32_t opening; /* number; 0: closed */
    RecordSetup setup;
    uint8_t *data;
    size_t room;
    size_t from; /* what was read */
    size_t used;
    size_t visible;  /* readers see it up to here */
    uint32_t record; /* bytes of each */
    bool has_lost;
} Channel;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards all of what follows */
static pthread_cond_t changed;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static Channel channels[REFCHIP_MOST_DEVICES][PROFILE_CHANNELS];
static uint64_t clocks[REFCHIP_MOST_DEVICES]; /* cycles that a device has worked */
static uint32_t openings;

static void make_condition(void)
{
    pthread_condattr_t monotonic;

    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

static Channel *channel_of(uint32_t device, uint32_t channel)
{
    return device < RefchipConfigGet()->devices && channel < PROFILE_CHANNELS
               ? &channels[device][channel]
               : NULL;
}

const RefchipConfig *RefchipConfigShare(void)
{
    return RefchipConfigGet();
}

/* ---- opening and closing ---- */

int RefchipProfileStart(uint32_t device, uint32_t number, const ProfileSetup *setup)
{
    Channel *channel = channel_of(device, number);
    RecordSetup read;
    int error = 0;

    pthread_once(&once, make_condition);
    if (RefchipFault(FAULT_AT_start, device) == FAULT_FAILS || channel == NULL ||
        setup->real_time != 1 || RefchipConfigGet()->fail_start == number ||
        !RecordSetupRead(number, setup, &read)) {
        return 1;
    }
    pthread_mutex_lock(&lock);
    if (channel->opening != 0) {
        error = 2;
    } else {
        channel->opening = ++openings;
        channel->setup = read;
        channel->from = channel->used = channel->visible = 0;
        channel->has_lost = false;
    }
    pthread_mutex_unlock(&lock);
    return error;
}

int RefchipProfileStop(uint32_t device, uint32_t number)
{
    Channel *channel = channel_of(device, number);
    const bool has_fault = RefchipFault(FAULT_AT_stop, device) == FAULT_FAILS;
    int error = 0;

    pthread_once(&once, make_condition);
    if (channel == NULL) {
        return 1;
    }
    pthread_mutex_lock(&lock);
    if (channel->opening == 0 || has_fault) {
        error = 1;
    } else if (channel->has_lost || RefchipConfigGet()->lose_stop == number) {
        error = PROFILE_LOST;
    }
    channel->opening = 0;
    channel->visible = channel->used;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return error;
}

/* ---- reading ---- */

int RefchipProfileRead(uint32_t device, uint32_t number, void *data, uint32_t size)
{
    const RefchipConfig *config = RefchipConfigGet();
    Channel *channel = channel_of(device, number);
    size_t left;

    if (RefchipFault(FAULT_AT_read, device) == FAULT_FAILS || channel == NULL ||
        config->fail_read == number) {
        return -1;
    }
    pthread_mutex_lock(&lock);
    if (config->endless == number && channel->from >= channel->record) {
        channel->from -= channel->record;
    }
    left = channel->visible - channel->from;
    if (left == 0 && channel->opening == 0) {
        pthread_mutex_unlock(&lock);
        return -1;
    }
    left = left < size ? left : size;
    if (config->short_read > 0) {
        left = left < config->short_read ? left : config->short_read;
    } else if (channel->record > 0) {
        left -= left % channel->record;
    }
    if (left > 0) {
        memcpy(data, channel->data + channel->from, left);
    }
    channel->from += left;
    pthread_mutex_unlock(&lock);
    return (int) left;
}

static int fill_ready(ProfileReady *ready, int most)
{
    int count = 0;

    for (uint32_t device = 0; device < REFCHIP_MOST_DEVICES; device++) {
        for (uint32_t number = 0; number < PROFILE_CHANNELS && count < most; number++) {
            if (channels[device][number].visible > channels[device][number].from) {
                ready[count++] = (ProfileReady){ device, number };
            }
        }
    }
    return count;
}

/* With the lock: whether any device has a channel of this number that is open or not yet read. A
 * reader that a busy machine lets poll only after the stop meets the fault as well. */
static bool is_in_use(uint32_t number)
{
    bool is_found = false;

    for (uint32_t device = 0; device < REFCHIP_MOST_DEVICES && number < PROFILE_CHANNELS;
         device++) {
        const Channel *channel = &channels[device][number];

        is_found = is_found || channel->opening != 0 || channel->visible > channel->from;
    }
    return is_found;
}

int RefchipProfilePoll(ProfileReady *ready, int most, int seconds)
{
    const bool has_fault = RefchipFault(FAULT_AT_poll, 0) == FAULT_FAILS;
    struct timespec until;
    int count;

    pthread_once(&once, make_condition);
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += seconds;
    pthread_mutex_lock(&lock);
    if (has_fault || is_in_use(RefchipConfigGet()->fail_poll)) {
        pthread_mutex_unlock(&lock);
        return -1;
    }
    count = fill_ready(ready, most);
    /* A stop wakes all that wait, data or not. */
    if (count == 0 && seconds > 0 && pthread_cond_timedwait(&changed, &lock, &until) == 0) {
        count = fill_ready(ready, most);
    }
    pthread_mutex_unlock(&lock);
    return count;
}

/* ---- filling ---- */

static void put(Channel *channel, uint32_t number, const void *record, uint32_t size)
{
    const RefchipConfig *config = RefchipConfigGet();

    if (config->silent == number) {
        return;
    }
    if (channel->used + size > channel->room) {
        const size_t room = channel->room == 0 ? 64u << 10 : 2 * channel->room;
        uint8_t *data = room > MOST_BYTES ? NULL : realloc(channel->data, room);

        if (data == NULL) {
            channel->has_lost = true;
            return;
        }
        channel->data = data;
        channel->room = room;
    }
    memcpy(channel->data + channel->used, record, size);
    channel->record = size;
    channel->used += size;
    if (config->late != number) {
        channel->visible = channel->used;
    }
}

/* Time of the work that ran before it counts too. */
#define BETWEEN_CYCLES 2000u

/* Counters of devices are independent: each is this much ahead of the one before. */
#define AHEAD_CYCLES UINT64_C(123456789)

static uint64_t ahead(uint32_t device)
{
    return AHEAD_CYCLES * device;
}

uint64_t RefchipProfileBegin(uint32_t device, ProfileTicket *ticket)
{
    uint64_t cycles;

    pthread_once(&once, make_condition);
    pthread_mutex_lock(&lock);
    for (uint32_t number = 0; number < PROFILE_CHANNELS; number++) {
        ticket->openings[number] = channels[device][number].opening;
    }
    cycles = clocks[device] + BETWEEN_CYCLES;
    pthread_mutex_unlock(&lock);
    return cycles;
}

uint64_t ProfileBegin(uint32_t device, ProfileTicket *ticket)
{
    return RefchipProfileTick(device, RefchipProfileBegin(device, ticket));
}

uint64_t RefchipProfileTick(uint32_t device, uint64_t cycle)
{
    return RecordTicks(cycle + ahead(device));
}

uint64_t RefchipProfileClock(uint32_t device)
{
    uint64_t cycles;

    pthread_mutex_lock(&lock);
    cycles = clocks[device];
    pthread_mutex_unlock(&lock);
    return cycles;
}

void RefchipProfileClockTo(uint32_t device, uint64_t cycle)
{
    pthread_mutex_lock(&lock);
    clocks[device] = cycle > clocks[device] ? cycle : clocks[device];
    pthread_mutex_unlock(&lock);
}

/* The channel if it has been open since the launch began. */
static Channel *open_channel(uint32_t device, const ProfileTicket *ticket, uint32_t number)
{
    Channel *channel = &channels[device][number];

    return channel->opening != 0 && channel->opening == ticket->openings[number] ? channel : NULL;
}

const RecordSetup *ProfileSetupOf(uint32_t device, const ProfileTicket *ticket, uint32_t number)
{
    const Channel *channel;

    pthread_mutex_lock(&lock);
    channel = open_channel(device, ticket, number);
    pthread_mutex_unlock(&lock);
    return channel == NULL ? NULL : &channel->setup;
}

void ProfilePut(uint32_t device, const ProfileTicket *ticket, uint32_t number, const void *record,
                uint32_t size)
{
    Channel *channel;

    pthread_mutex_lock(&lock);
    channel = open_channel(device, ticket, number);
    if (channel != NULL) {
        put(channel, number, record, size);
    }
    pthread_mutex_unlock(&lock);
}

static void put_tasks(const RecordLaunch *launch, const ProfileTicket *ticket)
{
    const uint32_t number = RefchipConfigGet()->is_310p ? PROFILE_TASKS_310P : PROFILE_TASKS;
    Channel *tasks = open_channel(launch->launch->device, ticket, number);
    uint8_t record[RECORD_MOST];

    for (uint32_t i = 0; tasks != NULL && i < 2; i++) {
        put(tasks, number, record, RecordTask(launch, i != 0, record));
    }
}

static void put_records(const RecordLaunch *launch, const ProfileTicket *ticket)
{
    const uint32_t device = launch->launch->device;
    Channel *counters = open_channel(device, ticket, PROFILE_COUNTERS);
    Channel *all = open_channel(device, ticket, PROFILE_COUNTERS_310P);
    Channel *l2 = open_channel(device, ticket, PROFILE_L2);
    uint8_t record[RECORD_MOST];

    put_tasks(launch, ticket);
    for (uint32_t i = 0; counters != NULL && i < RecordPlaces(launch->launch); i++) {
        if (launch->blocks[i].was_run) {
            put(counters, PROFILE_COUNTERS, record,
                RecordCounters(launch, &counters->setup, i, record));
        }
    }
    if (all != NULL) {
        put(all, PROFILE_COUNTERS_310P, record, RecordAllCounters(launch, &all->setup, record));
    }
    if (l2 != NULL) {
        put(l2, PROFILE_L2, record, RecordL2(launch, &l2->setup, record));
    }
}

void ProfileEnd(const RefchipLaunch *launch, const ProfileTicket *ticket, const BlockCounts *blocks,
                const InstructionCounts *instructions, const RefchipOutcome *outcome)
{
    RecordLaunch described = {
        .launch = launch, .blocks = blocks, .instructions = instructions, .cycles = outcome->cycles
    };

    pthread_mutex_lock(&lock);
    described.start = clocks[launch->device] + BETWEEN_CYCLES;
    clocks[launch->device] = described.start + outcome->cycles;
    described.start += ahead(launch->device);
    put_records(&described, ticket);
    RecordAccount(&described, ticket->openings);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

void RefchipProfileTasks(uint32_t device, const ProfileTicket *ticket, const ProfileTask *tasks,
                         uint32_t count, const void *reports, uint32_t report_count)
{
    Channel *log, *cpu;
    uint8_t record[RECORD_MOST];

    pthread_mutex_lock(&lock);
    log = open_channel(device, ticket, PROFILE_TASKS);
    cpu = open_channel(device, ticket, PROFILE_AICPU);
    for (uint32_t i = 0; log != NULL && i < 2 * count; i++) {
        put(log, PROFILE_TASKS, record,
            RecordOtherTask(&tasks[i / 2], ahead(device), i % 2 != 0, record));
    }
    for (uint32_t i = 0; cpu != NULL && i < report_count; i++) {
        put(cpu, PROFILE_AICPU, (const uint8_t *) reports + (size_t) 256 * i, 256);
    }
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}
