/* SPDX-License-Identifier: Apache-2.0 */
/* The rt* functions of libruntime.so for events and callbacks. Tested by
 * tests/refchip/test_interface.sh. */
#include "state.h"
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

typedef struct Event {
    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t changed;
    uint64_t recorded; /* times */
    uint64_t done;     /* of these */
    uint32_t capture;  /* the model of the one that it was recorded in last; 0: none */
} Event;

/* The capture that the event belongs to: when it has ended, the event is as it was before. NULL:
 * none. */
static Model *capture_of(const Event *event)
{
    Model *model = event->capture == 0 ? NULL : ModelFind(event->capture);

    return model != NULL && model->is_open ? model : NULL;
}

AbiError rtEventCreate(void **event)
{
    Event *made = calloc(1, sizeof *made);
    pthread_condattr_t monotonic;

    if (made == NULL) {
        return RT_ERROR_MEMORY;
    }
    pthread_mutex_init(&made->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&made->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    *event = made;
    return 0;
}

/* Work that waits may need it, so it stays. */
AbiError rtEventDestroy(void *event)
{
    return event == NULL ? RT_ERROR_VALUE : 0;
}

typedef struct EventTask {
    Task task;
    Event *event;
    uint64_t number;
} EventTask;

static AbiError run_record(Task *task)
{
    EventTask *described = (EventTask *) task;
    Event *event = described->event;

    pthread_mutex_lock(&event->lock);
    event->done = event->done < described->number ? described->number : event->done;
    pthread_cond_broadcast(&event->changed);
    pthread_mutex_unlock(&event->lock);
    free(described);
    return 0;
}

static AbiError run_wait(Task *task)
{
    EventTask *described = (EventTask *) task;
    Event *event = described->event;

    pthread_mutex_lock(&event->lock);
    while (event->done < described->number) {
        pthread_cond_wait(&event->changed, &event->lock);
    }
    pthread_mutex_unlock(&event->lock);
    free(described);
    return 0;
}

static AbiError put(Stream *stream, Event *event, uint64_t number, AbiError (*run)(Task *task))
{
    EventTask *described = malloc(sizeof *described);

    if (described == NULL) {
        return RT_ERROR_MEMORY;
    }
    *described = (EventTask){ { .run = run }, event, number };
    StreamPut(stream, &described->task);
    return 0;
}

/* In a capture there is one order already, that of the calls. */
AbiError rtEventRecord(void *event, AbiStream stream)
{
    Stream *found = StreamOf(stream, CurrentDevice());
    Event *known = event;
    const Model *model;
    uint64_t number;

    if (known == NULL || found == NULL) {
        return RT_ERROR_VALUE;
    }
    pthread_mutex_lock(&known->lock);
    model = StreamModel(found);
    known->capture = model == NULL ? 0 : model->id;
    number = known->recorded += model == NULL;
    pthread_mutex_unlock(&known->lock);
    return model != NULL ? 0 : put(found, known, number, run_record);
}

/* A stream that waits for what a capture records joins the capture. */
AbiError rtStreamWaitEvent(AbiStream stream, void *event)
{
    Stream *found = StreamOf(stream, CurrentDevice());
    Event *known = event;
    uint64_t number;
    Model *model;

    if (known == NULL || found == NULL) {
        return RT_ERROR_VALUE;
    }
    pthread_mutex_lock(&known->lock);
    number = known->recorded;
    model = capture_of(known);
    pthread_mutex_unlock(&known->lock);
    if (model != NULL) {
        StreamSetModel(found, model);
        return 0;
    }
    return StreamModel(found) != NULL ? 0 : put(found, known, number, run_wait);
}

AbiError rtEventSynchronize(void *event)
{
    return rtEventSynchronizeWithTimeout(event, -1);
}

AbiError rtEventSynchronizeWithTimeout(void *event, int32_t ms)
{
    struct timespec limit;
    Event *known = event;
    int waited = 0;
    bool is_done;

    if (known == NULL) {
        return RT_ERROR_VALUE;
    }
    clock_gettime(CLOCK_MONOTONIC, &limit);
    limit.tv_sec += (ms < 0 ? 0 : ms) / 1000 + 1; /* in whole seconds, not less than asked for */
    pthread_mutex_lock(&known->lock);
    if (capture_of(known) != NULL) {
        pthread_mutex_unlock(&known->lock);
        return ACL_ERROR_EVENT_CAPTURED;
    }
    while (known->done < known->recorded && waited != ETIMEDOUT) {
        waited = ms < 0 ? pthread_cond_wait(&known->changed, &known->lock)
                        : pthread_cond_timedwait(&known->changed, &known->lock, &limit);
    }
    is_done = known->done >= known->recorded;
    pthread_mutex_unlock(&known->lock);
    return is_done ? 0 : ACL_ERROR_TIMEOUT;
}

typedef struct CallTask {
    Task task;
    AbiCallback *callback;
    void *data;
} CallTask;

static AbiError run_callback(Task *task)
{
    CallTask *described = (CallTask *) task;

    described->callback(described->data);
    free(described);
    return 0;
}

/* On the stream's thread; the work after it waits in any case. */
AbiError rtCallbackLaunch(AbiCallback *callback, void *data, AbiStream stream, bool is_blocking)
{
    Stream *found = StreamOf(stream, CurrentDevice());
    CallTask *described = callback == NULL ? NULL : malloc(sizeof *described);

    (void) is_blocking;
    if (found == NULL || described == NULL) {
        free(described);
        return RT_ERROR_VALUE;
    }
    *described = (CallTask){ { .run = run_callback, .size = sizeof *described }, callback, data };
    return StreamGive(found, &described->task);
}
