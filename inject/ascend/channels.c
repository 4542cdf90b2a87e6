/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Profiling channels of one pass. A thread reads them from their start on, so that the driver's
 * buffers do not fill, and after their stop until a poll finds nothing: some records come late.
 * Tested by tests/refchip/test_board.sh.
 */
#include "inject/ascend/board.h"
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define READ_BYTES (512u << 10)
#define POLL_SECONDS 1

struct Channels {
    const PlanPass *pass;
    uint32_t number;
    uint32_t device;
    uint32_t operator_id;
    uint32_t open; /* of the pass's, from the first */
    pthread_t thread;
    atomic_bool is_closing; /* channels may be stopped already */
    atomic_bool is_ending;
    /* ns: once they are closing, what is read later is not waited for; 0: not yet */
    atomic_ullong until;
    bool is_endless; /* there was more at that time; of the thread */
    bool has_failed; /* written by the thread, read after it has ended */
    uint64_t bytes[OPPROF_LIVE_MOST_CHANNELS];
    char data[READ_BYTES];
};

/* ---- reading ---- */

static int place_of(const Channels *channels, uint32_t channel)
{
    for (uint32_t i = 0; i < channels->open; i++) {
        if (channels->pass->channels[i].head.channel == channel) {
            return (int) i;
        }
    }
    return -1;
}

/* A channel that never becomes empty does not hold up the program. */
static bool is_late(Channels *channels)
{
    const uint64_t until = atomic_load(&channels->until);

    return until != 0 && Now() > until;
}

/* All that a channel has. False: reading failed. */
static bool read_channel(Channels *channels, uint32_t channel)
{
    const OpprofLiveRaw raw = { channels->operator_id, (uint16_t) channels->number,
                                (uint16_t) channel };
    const int place = place_of(channels, channel);
    int got;

    while ((got = DRIVER(prof_channel_read)(channels->device, channel, channels->data,
                                            READ_BYTES)) > 0) {
        if (place >= 0) {
            channels->bytes[place] += (uint64_t) got;
            LinkSend(OPPROF_LIVE_RAW, &raw, sizeof raw, channels->data, (size_t) got);
        }
        if (is_late(channels)) {
            channels->is_endless = true;
            break;
        }
    }
    /* A channel that is stopped and empty is gone. */
    return got >= 0 ||
           (atomic_load(&channels->is_closing) && place >= 0 && channels->bytes[place] > 0);
}

/* One poll and what it finds. The number of channels that had something, -1: it failed. */
static int read_ready(Channels *channels, int seconds)
{
    prof_poll_info ready[OPPROF_LIVE_MOST_CHANNELS];
    const int count = DRIVER(prof_channel_poll)(ready, (int) OPPROF_LIVE_MOST_CHANNELS, seconds);
    int found = 0;

    for (int i = 0; i < count && i < (int) OPPROF_LIVE_MOST_CHANNELS; i++) {
        if (ready[i].device_id != channels->device) {
            continue; /* another's */
        }
        if (!read_channel(channels, ready[i].channel_id)) {
            Note(channels->operator_id, OPPROF_LIVE_INCOMPLETE,
                 "Reading channel %u failed in pass %u", (unsigned) ready[i].channel_id,
                 (unsigned) channels->number + 1);
            channels->has_failed = true;
            return -1;
        }
        found++;
    }
    if (count < 0) {
        Note(channels->operator_id, OPPROF_LIVE_INCOMPLETE,
             "Waiting for the profiling channels failed in pass %u",
             (unsigned) channels->number + 1);
        channels->has_failed = true;
    }
    return count < 0 ? -1 : found;
}

static void *read_all(void *argument)
{
    Channels *channels = argument;
    const struct timespec nap = { .tv_nsec = 200000 };

    (*CallDepth())++;
    while (!atomic_load(&channels->is_ending) && !channels->is_endless) {
        /* A stop may wake a poll, but not the next one. */
        const bool is_closing = atomic_load(&channels->is_closing);

        if (read_ready(channels, is_closing ? 0 : POLL_SECONDS) < 0) {
            return NULL;
        }
        if (is_closing) {
            nanosleep(&nap, NULL);
        }
    }
    while (!channels->is_endless && read_ready(channels, 0) > 0) {
    }
    return NULL;
}

/* ---- opening and closing ---- */

static bool has_driver(uint32_t operator_id)
{
    static const char *const names[] = { "prof_drv_start", "prof_stop", "prof_channel_read",
                                         "prof_channel_poll" };

    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (DriverFind(names[i]) == NULL) {
            Note(operator_id, OPPROF_LIVE_INCOMPLETE,
                 "The driver (libascend_hal.so) has no %s: nothing can be counted", names[i]);
            return false;
        }
    }
    return true;
}

/* Signals of the program are not for this thread. */
static bool start_thread(Channels *channels)
{
    sigset_t every, before;
    bool is_good;

    sigfillset(&every);
    pthread_sigmask(SIG_SETMASK, &every, &before);
    is_good = pthread_create(&channels->thread, NULL, read_all, channels) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return is_good;
}

/* In the order of the pass. False: at least one has lost records, or does not stop. */
static bool close_all(const Channels *channels)
{
    bool is_good = true;

    for (uint32_t i = 0; i < channels->open; i++) {
        const uint32_t channel = channels->pass->channels[i].head.channel;
        const int error = DRIVER(prof_stop)(channels->device, channel);

        if (error == 0) {
            continue;
        }
        is_good = false;
        Note(channels->operator_id, OPPROF_LIVE_INCOMPLETE,
             error == HAL_RECORDS_LOST ? "Channel %u lost records in pass %u: its stop returned %d"
                                       : "Channel %u does not stop in pass %u: error %d",
             (unsigned) channel, (unsigned) channels->number + 1, error);
    }
    return is_good;
}

static bool open_all(Channels *channels)
{
    for (; channels->open < channels->pass->count; channels->open++) {
        const PlanChannel *channel = &channels->pass->channels[channels->open];
        uint8_t user[OPPROF_LIVE_MOST_USER_BYTES];
        prof_start_para para = { .channel_type = channel->head.kind & 0xff,
                                 .sample_period = channel->head.period,
                                 .real_time = 1,
                                 .user_data = channel->head.user_bytes > 0 ? user : NULL,
                                 .user_data_size = channel->head.user_bytes };
        int error;

        memcpy(user, channel->user, channel->head.user_bytes);
        error = DRIVER(prof_drv_start)(channels->device, channel->head.channel, &para);
        if (error != 0) {
            Note(channels->operator_id, OPPROF_LIVE_INCOMPLETE,
                 "The driver does not start channel %u: error %d; pass %u is left out",
                 (unsigned) channel->head.channel, error, (unsigned) channels->number + 1);
            return false;
        }
    }
    return true;
}

Channels *ChannelsStart(const PlanPass *pass, uint32_t number, uint32_t device,
                        uint32_t operator_id)
{
    Channels *channels = has_driver(operator_id) ? malloc(sizeof *channels) : NULL;

    if (channels == NULL) {
        return NULL;
    }
    memset(channels, 0, offsetof(Channels, data));
    channels->pass = pass;
    channels->number = number;
    channels->device = device;
    channels->operator_id = operator_id;
    if (!open_all(channels) || !start_thread(channels)) {
        close_all(channels);
        free(channels);
        return NULL;
    }
    return channels;
}

static bool is_sparse(const Channels *channels, uint32_t place)
{
    return (channels->pass->channels[place].head.kind & OPPROF_LIVE_CHANNEL_SPARSE) != 0;
}

/* Whether no core was seen by the channels that cover some. */
static bool is_silent(const Channels *channels)
{
    uint32_t sparse = 0, silent = 0;

    for (uint32_t i = 0; i < channels->open; i++) {
        sparse += is_sparse(channels, i);
        silent += is_sparse(channels, i) && channels->bytes[i] == 0;
    }
    if (sparse > 0 && silent == sparse) {
        Note(channels->operator_id, OPPROF_LIVE_INCOMPLETE,
             "None of the %u channels of pass %u, which cover some cores, gave records",
             (unsigned) sparse, (unsigned) channels->number + 1);
    }
    return sparse > 0 && silent == sparse;
}

bool ChannelsStop(Channels *channels, uint32_t limit_ms)
{
    bool is_good;

    atomic_store(&channels->until, Now() + (uint64_t) limit_ms * 1000000);
    atomic_store(&channels->is_closing, true);
    is_good = close_all(channels);
    atomic_store(&channels->is_ending, true);
    pthread_join(channels->thread, NULL);
    is_good = !is_silent(channels) && is_good;
    for (uint32_t i = 0; i < channels->open; i++) {
        if (channels->bytes[i] == 0 && !channels->has_failed && !is_sparse(channels, i)) {
            is_good = false;
            Note(channels->operator_id, OPPROF_LIVE_INCOMPLETE,
                 "Channel %u gave no records in pass %u",
                 (unsigned) channels->pass->channels[i].head.channel,
                 (unsigned) channels->number + 1);
        }
    }
    if (channels->is_endless) {
        Note(channels->operator_id, OPPROF_LIVE_INCOMPLETE,
             "The profiling channels did not become empty within %u ms of their stop in pass %u: "
             "the "
             "rest is not read",
             (unsigned) limit_ms, (unsigned) channels->number + 1);
    }
    is_good = is_good && !channels->has_failed && !channels->is_endless;
    free(channels);
    return is_good;
}
