/* SPDX-License-Identifier: Apache-2.0 */
/* Streams: a queue of tasks and a thread each. Tested by tests/refchip/test_operators.sh. */
#include "refchip/chip/config.h"
#include "state.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

struct Stream {
    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t changed;
    pthread_t thread;
    Task *first;
    Task **last;
    bool is_busy;
    bool is_ending;
    AbiError error; /* of the first task that failed since the last wait */
    uint32_t device;
    uint16_t number;
    uint16_t tasks;
    Model *model;     /* see StreamModel */
    bool is_aborting; /* until the running task has ended */
    Stream *next;     /* of all; guarded by all_lock */
};

static pthread_mutex_t all_lock = PTHREAD_MUTEX_INITIALIZER; /* guards what follows */
static Stream *all;
static Stream *usual[REFCHIP_MOST_DEVICES];
static uint16_t numbers;

static void *serve(void *argument)
{
    Stream *stream = argument;

    pthread_mutex_lock(&stream->lock);
    for (;;) {
        Task *task = stream->first;
        AbiError error;

        if (task == NULL && stream->is_ending) {
            break;
        }
        if (task == NULL) {
            pthread_cond_wait(&stream->changed, &stream->lock);
            continue;
        }
        stream->first = task->next;
        if (stream->first == NULL) {
            stream->last = &stream->first;
        }
        stream->is_busy = true;
        __atomic_store_n(&stream->is_aborting, false, __ATOMIC_RELAXED);
        pthread_mutex_unlock(&stream->lock);
        error = task->run(task);
        pthread_mutex_lock(&stream->lock);
        stream->is_busy = false;
        if (error != 0 && stream->error == 0) {
            stream->error = error;
        }
        pthread_cond_broadcast(&stream->changed);
    }
    pthread_mutex_unlock(&stream->lock);
    return NULL;
}

/* Signals of the program are not for this thread. */
static int start_thread(Stream *stream)
{
    sigset_t every, before;
    int failure;

    sigfillset(&every);
    pthread_sigmask(SIG_SETMASK, &every, &before);
    failure = pthread_create(&stream->thread, NULL, serve, stream);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failure;
}

Stream *StreamCreate(uint32_t device)
{
    Stream *stream = calloc(1, sizeof *stream);
    pthread_condattr_t monotonic;

    if (stream == NULL) {
        return NULL;
    }
    stream->device = device;
    stream->last = &stream->first;
    pthread_mutex_init(&stream->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&stream->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    if (start_thread(stream) != 0) {
        free(stream);
        return NULL;
    }
    pthread_mutex_lock(&all_lock);
    stream->number = ++numbers;
    stream->next = all;
    all = stream;
    pthread_mutex_unlock(&all_lock);
    return stream;
}

Stream *StreamOf(AbiStream stream, uint32_t device)
{
    Stream *found;

    if (stream != NULL) {
        return stream;
    }
    pthread_mutex_lock(&all_lock);
    found = usual[device];
    pthread_mutex_unlock(&all_lock);
    if (found == NULL) {
        found = StreamCreate(device);
        pthread_mutex_lock(&all_lock);
        if (usual[device] == NULL) {
            usual[device] = found;
        }
        found = usual[device];
        pthread_mutex_unlock(&all_lock);
    }
    return found;
}

void StreamPut(Stream *stream, Task *task)
{
    task->next = NULL;
    pthread_mutex_lock(&stream->lock);
    *stream->last = task;
    stream->last = &task->next;
    pthread_cond_broadcast(&stream->changed);
    pthread_mutex_unlock(&stream->lock);
}

uint16_t StreamNumber(const Stream *stream)
{
    return stream->number;
}

uint16_t StreamNextTask(Stream *stream)
{
    uint16_t task;

    pthread_mutex_lock(&stream->lock);
    task = ++stream->tasks;
    pthread_mutex_unlock(&stream->lock);
    return task;
}

AbiError StreamGive(Stream *stream, Task *task)
{
    Model *model = StreamModel(stream);

    if (model != NULL) {
        return ModelAdd(model, task);
    }
    StreamPut(stream, task);
    return 0;
}

Model *StreamModel(Stream *stream)
{
    Model *model;

    pthread_mutex_lock(&stream->lock);
    model = stream->model;
    pthread_mutex_unlock(&stream->lock);
    return model;
}

void StreamSetModel(Stream *stream, Model *model)
{
    pthread_mutex_lock(&stream->lock);
    stream->model = model;
    pthread_mutex_unlock(&stream->lock);
}

void StreamForgetModel(const Model *model)
{
    pthread_mutex_lock(&all_lock);
    for (Stream *stream = all; stream != NULL; stream = stream->next) {
        if (StreamModel(stream) == model) {
            StreamSetModel(stream, NULL);
        }
    }
    pthread_mutex_unlock(&all_lock);
}

AbiError StreamMayWait(Stream *stream)
{
    const Model *model = StreamModel(stream);

    return model != NULL && !ModelIsBuilt(model) ? ACL_ERROR_CAPTURED : 0;
}

bool StreamIsIdle(Stream *stream)
{
    bool is_idle;

    pthread_mutex_lock(&stream->lock);
    is_idle = stream->first == NULL && !stream->is_busy;
    pthread_mutex_unlock(&stream->lock);
    return is_idle;
}

/* Tasks that never run are lost with what they hold, as on a chip that is reset. */
void StreamAbort(Stream *stream)
{
    pthread_mutex_lock(&stream->lock);
    stream->first = NULL;
    stream->last = &stream->first;
    __atomic_store_n(&stream->is_aborting, true, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&stream->lock);
}

bool StreamIsAborted(void *stream)
{
    return __atomic_load_n(&((Stream *) stream)->is_aborting, __ATOMIC_RELAXED);
}

bool StreamFault(FaultPlace place, uint32_t device, void *stream)
{
    const struct timespec nap = { .tv_nsec = 1000000 };
    const FaultOutcome fault = RefchipFault(place, device);

    while (fault == FAULT_HANGS && !StreamIsAborted(stream)) {
        nanosleep(&nap, NULL);
    }
    return fault == FAULT_NONE;
}

static struct timespec after(int32_t ms)
{
    struct timespec at;

    clock_gettime(CLOCK_MONOTONIC, &at);
    at.tv_sec += ms / 1000;
    at.tv_nsec += (long) (ms % 1000) * 1000000;
    if (at.tv_nsec >= 1000000000) {
        at.tv_sec++;
        at.tv_nsec -= 1000000000;
    }
    return at;
}

AbiError StreamWait(Stream *stream, int32_t ms)
{
    const struct timespec limit = after(ms < 0 ? 0 : ms);
    AbiError error = 0;
    int waited = 0;

    pthread_mutex_lock(&stream->lock);
    while ((stream->first != NULL || stream->is_busy) && waited != ETIMEDOUT) {
        waited = ms < 0 ? pthread_cond_wait(&stream->changed, &stream->lock)
                        : pthread_cond_timedwait(&stream->changed, &stream->lock, &limit);
    }
    if (stream->first != NULL || stream->is_busy) {
        error = ACL_ERROR_TIMEOUT;
    } else {
        error = stream->error;
        stream->error = 0;
    }
    pthread_mutex_unlock(&stream->lock);
    return error;
}

AbiError StreamWaitAll(uint32_t device, int32_t ms)
{
    Stream *streams[256];
    AbiError error = 0;
    size_t count = 0;

    pthread_mutex_lock(&all_lock);
    for (Stream *stream = all; stream != NULL && count < 256; stream = stream->next) {
        if (stream->device == device) {
            streams[count++] = stream;
        }
    }
    pthread_mutex_unlock(&all_lock);
    for (size_t i = 0; i < count; i++) {
        const AbiError one = StreamWait(streams[i], ms);

        error = error == 0 ? one : error;
    }
    return error;
}

void StreamDestroy(Stream *stream)
{
    pthread_mutex_lock(&all_lock);
    for (Stream **link = &all; *link != NULL; link = &(*link)->next) {
        if (*link == stream) {
            *link = stream->next;
            break;
        }
    }
    pthread_mutex_unlock(&all_lock);
    pthread_mutex_lock(&stream->lock);
    stream->is_ending = true;
    pthread_cond_broadcast(&stream->changed);
    pthread_mutex_unlock(&stream->lock);
    pthread_join(stream->thread, NULL);
    pthread_cond_destroy(&stream->changed);
    pthread_mutex_destroy(&stream->lock);
    free(stream);
}
