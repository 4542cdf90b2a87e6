/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records of a profiling channel on their way out of a program: read from a driver, sent through a
 * socket, and taken from it by a collector's thread; against copying as many bytes, and against the
 * reads alone.
 */
#include "bench/bench.h"
#include "inject/ascend/board.h"
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define RECORD_BYTES 128u /* of a core's counters */
#define CHANNEL 53u
#define TAKE_BYTES (256u << 10)

static uint8_t *records, *copy;
static size_t total;
static atomic_size_t left; /* that the driver still has */
static atomic_size_t taken;
static int ends[2];
static bool is_sending = true;

/* ---- the driver ---- */

static int start(unsigned device, unsigned channel, prof_start_para *para)
{
    (void) device;
    (void) channel;
    (void) para;
    return 0;
}

static int stop(unsigned device, unsigned channel)
{
    (void) device;
    (void) channel;
    return 0;
}

static int read_some(unsigned device, unsigned channel, char *data, unsigned size)
{
    const size_t has = atomic_load(&left);
    const size_t some = has < size ? has : size / RECORD_BYTES * RECORD_BYTES;

    (void) device;
    (void) channel;
    memcpy(data, records + (total - has), some);
    atomic_store(&left, has - some);
    return (int) some;
}

static int poll_channels(prof_poll_info *ready, int most, int seconds)
{
    const bool has_some = most > 0 && atomic_load(&left) > 0;

    (void) seconds;
    if (has_some) {
        ready[0] = (prof_poll_info){ 0, CHANNEL };
    }
    return has_some;
}

void *DriverFind(const char *name)
{
    const struct {
        const char *name;
        void *function;
    } functions[] = { { "prof_drv_start", (void *) start },
                      { "prof_stop", (void *) stop },
                      { "prof_channel_read", (void *) read_some },
                      { "prof_channel_poll", (void *) poll_channels } };

    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        if (strcmp(functions[i].name, name) == 0) {
            return functions[i].function;
        }
    }
    return NULL;
}

/* ---- what else channels need ---- */

uint64_t Now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t) now.tv_sec * 1000000000u + (uint64_t) now.tv_nsec;
}

static uint32_t deadline(void)
{
    return 600000;
}

int *CallDepth(void)
{
    static _Thread_local int depth;

    return &depth;
}

void Note(uint32_t operator_id, OpprofLiveSeverity severity, const char *format, ...)
{
    (void) operator_id;
    (void) severity;
    (void) format;
}

bool LinkSend(uint32_t type, const void *first, size_t first_size, const void *second,
              size_t second_size)
{
    const char *bytes = second;

    (void) type;
    (void) first;
    (void) first_size;
    while (is_sending && second_size > 0) {
        const ssize_t sent = send(ends[0], bytes, second_size, 0);

        if (sent <= 0) {
            return false;
        }
        bytes += sent;
        second_size -= (size_t) sent;
    }
    return true;
}

/* ---- cases ---- */

static void *take(void *unused)
{
    static char data[TAKE_BYTES];
    ssize_t got;

    (void) unused;
    while ((got = recv(ends[1], data, sizeof data, 0)) > 0) {
        atomic_fetch_add(&taken, (size_t) got);
    }
    return NULL;
}

static bool drain(void *context, BenchSample *sample)
{
    static PlanPass pass;
    Channels *channels;
    bool is_good;

    is_sending = context != NULL;
    pass = (PlanPass){ .count = 1, .channels = { { .head = { .channel = CHANNEL } } } };
    pass.channels[0].user = records;
    atomic_store(&taken, 0);
    atomic_store(&left, total);
    channels = ChannelsStart(&pass, 0, 0, 1);
    is_good = channels != NULL && ChannelsStop(channels, deadline());
    while (is_good && is_sending && atomic_load(&taken) < total) {
        usleep(50);
    }
    sample->amount = (double) (total / RECORD_BYTES);
    return is_good && atomic_load(&left) == 0;
}

static bool copy_all(void *context, BenchSample *sample)
{
    (void) context;
    memcpy(copy, records, total);
    sample->amount = (double) (total / RECORD_BYTES);
    return true;
}

int main(int argc, char **argv)
{
    static const int sends = 1;
    int status;
    Bench *bench = BenchOpen("drain", argc, argv, &status);
    const BenchCase cases[] = {
        { .name = "channel to collector",
          .unit = "Mrecords/s",
          .scale = 1e6,
          .subject = { "drain and send", drain, (void *) (uintptr_t) &sends },
          .peer = { "memcpy", copy_all, NULL } },
        { .name = "channel alone",
          .unit = "Mrecords/s",
          .scale = 1e6,
          .subject = { "drain", drain, NULL },
          .peer = { "memcpy", copy_all, NULL } },
    };
    pthread_t thread;

    if (bench == NULL) {
        return status;
    }
    total = (size_t) BenchAmount(bench, 1u << 20) * RECORD_BYTES;
    records = malloc(total);
    copy = malloc(total);
    if (records == NULL || copy == NULL || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0 ||
        pthread_create(&thread, NULL, take, NULL) != 0) {
        return 1;
    }
    memset(records, 1, total);
    memset(copy, 2, total);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        BenchRun(bench, &cases[i]);
    }
    close(ends[0]);
    pthread_join(thread, NULL);
    close(ends[1]);
    free(records);
    free(copy);
    return BenchClose(bench);
}
