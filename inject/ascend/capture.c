/* SPDX-License-Identifier: Apache-2.0 */
/* Streams whose work is recorded. Tested by tests/refchip/test_interface.sh. */
#include "inject/ascend/capture.h"
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#define MOST_STREAMS 256u

/* A stream whose work is recorded. */
typedef struct Recorded {
    AbiStream stream;
    bool is_bound; /* to a model, rather than captured */
} Recorded;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards what follows */
static Recorded streams[MOST_STREAMS];
static uint32_t count;
static atomic_uint captures; /* open ones, also those beyond the list */
static atomic_uint bound;

void CaptureAdd(AbiStream stream, bool is_bound)
{
    pthread_mutex_lock(&lock);
    if (count < MOST_STREAMS) {
        streams[count++] = (Recorded){ stream, is_bound };
    }
    pthread_mutex_unlock(&lock);
    atomic_fetch_add(is_bound ? &bound : &captures, 1);
}

void CaptureTakeOut(AbiStream stream, bool is_bound)
{
    pthread_mutex_lock(&lock);
    for (uint32_t i = 0; i < count; i++) {
        if (streams[i].stream == stream && streams[i].is_bound == is_bound) {
            streams[i] = streams[--count];
            break;
        }
    }
    pthread_mutex_unlock(&lock);
    if (atomic_load(is_bound ? &bound : &captures) > 0) {
        atomic_fetch_sub(is_bound ? &bound : &captures, 1);
    }
}

bool CaptureHas(AbiStream stream, bool is_bound)
{
    bool is_there = false;

    pthread_mutex_lock(&lock);
    for (uint32_t i = 0; i < count && !is_there; i++) {
        is_there = streams[i].stream == stream && streams[i].is_bound == is_bound;
    }
    pthread_mutex_unlock(&lock);
    return is_there;
}

/* A stream may have joined a capture that began with another: the runtime knows. */
static bool is_captured(AbiStream stream)
{
    uint32_t status = CAPTURE_STATUS_NONE;
    void *model = NULL;
    AbiError error = RT_ERROR_RESERVED;

    (*CallDepth())++;
    if (ORIGINAL(aclmdlRICaptureGetInfoImpl) != NULL) {
        error = ORIGINAL(aclmdlRICaptureGetInfoImpl)(stream, &status, &model);
    } else if (ORIGINAL(rtStreamGetCaptureInfo) != NULL) {
        error = ORIGINAL(rtStreamGetCaptureInfo)(stream, &status, &model);
    }
    (*CallDepth())--;
    return error == 0 ? status != CAPTURE_STATUS_NONE : CaptureHas(stream, false);
}

const char *CaptureHolds(AbiStream stream, bool *ret_is_recorded)
{
    *ret_is_recorded = true;
    if (atomic_load_explicit(&bound, memory_order_relaxed) > 0 && CaptureHas(stream, true)) {
        return "recorded into a model";
    }
    if (atomic_load_explicit(&captures, memory_order_relaxed) == 0) {
        *ret_is_recorded = false;
        return NULL;
    }
    *ret_is_recorded = is_captured(stream);
    return *ret_is_recorded ? "recorded into a graph" : "launched while a graph is recorded";
}

static void forget(void)
{
    const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;

    memcpy(&lock, &fresh, sizeof lock);
    count = 0;
    atomic_store(&captures, 0);
    atomic_store(&bound, 0);
}
ON_FORK(forget)
