/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libprofapi.so: modules of a program that want to know about profiling, and reports that they
 * make. Tested by tests/refchip/test_host.c.
 */
#include "refchip/host_abi.h"
#include <pthread.h>
#include <stddef.h>
#include <time.h>

#define MODULES 64u
#define OTHER_LENGTH 500000 /* what the library returns for what it refuses */
#define TICK_NS 20u         /* of a counter of 50 MHz */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards what follows */
static MsprofCallback *callbacks[MODULES];
static void *reporters[PROFAPI_REPORTERS];

int32_t MsprofRegisterCallback(uint32_t module, MsprofCallback *callback)
{
    if (module >= MODULES) {
        return OTHER_LENGTH;
    }
    pthread_mutex_lock(&lock);
    callbacks[module] = callback;
    pthread_mutex_unlock(&lock);
    return 0;
}

int32_t MsprofNotifySetDevice(uint32_t chip, uint32_t device, bool is_open)
{
    (void) chip;
    (void) device;
    (void) is_open;
    return 0;
}

/* A copy, for callbacks may register others. */
static void copy_callbacks(MsprofCallback **copy)
{
    pthread_mutex_lock(&lock);
    for (uint32_t module = 0; module < MODULES; module++) {
        copy[module] = callbacks[module];
    }
    pthread_mutex_unlock(&lock);
}

int32_t profSetProfCommand(void *command, uint32_t length)
{
    MsprofCallback *copy[MODULES];

    if (command == NULL || length != PROFAPI_COMMAND_BYTES) {
        return OTHER_LENGTH;
    }
    copy_callbacks(copy);
    for (uint32_t module = 0; module < MODULES; module++) {
        if (copy[module] != NULL) {
            copy[module](PROFAPI_COMMAND_SWITCH, command, length);
        }
    }
    return 0;
}

/* NULL removes a function. Kinds of newer toolkits are refused, which has no effect. */
int32_t MsprofRegisterProfileCallback(int32_t type, void *callback, uint32_t length)
{
    (void) length;
    if (type < 0 || (uint32_t) type >= PROFAPI_REPORTERS) {
        return OTHER_LENGTH;
    }
    pthread_mutex_lock(&lock);
    reporters[type] = callback;
    pthread_mutex_unlock(&lock);
    return 0;
}

int32_t MsprofReportAdditionalInfo(uint32_t aging, const void *data, uint32_t length)
{
    MsprofReporter *reporter;

    if (data == NULL || length != PROFAPI_INFO_BYTES) {
        return OTHER_LENGTH;
    }
    pthread_mutex_lock(&lock);
    reporter = (MsprofReporter *) reporters[PROFAPI_ADDITIONAL];
    pthread_mutex_unlock(&lock);
    return reporter == NULL ? 0 : reporter(aging, data, length);
}

uint64_t MsprofSysCycleTime(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return ((uint64_t) now.tv_sec * 1000000000u + (uint64_t) now.tv_nsec) / TICK_NS;
}
