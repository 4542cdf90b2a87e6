/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Commands that are not complete yet. The driver says when they were queued, submitted, started and
 * ended as soon as they are. Tested by tests/plugins/collect-opencl/test_opencl.sh.
 */
#include "inject/opencl/opencl.h"

#include <stdlib.h>
#include <string.h>

#define MOST_LOOKS 256u /* at commands of an unordered queue that are not complete */

typedef struct List {
    Pending *data;
    size_t count;
    size_t room;
} List;

/* What a look over all commands has seen of a queue. */
typedef struct Seen {
    uint64_t look; /* number of the look; else nothing was seen */
    uint32_t unfinished;
} Seen;

static List arrived; /* with the recorder's lock */
/* Guards what follows. The driver is called with it, so no function that the driver may call takes
 * it. */
static pthread_mutex_t harvesting = PTHREAD_MUTEX_INITIALIZER;
static List waiting;
static Seen *seen;
static uint32_t seen_room;
static uint64_t look;
static atomic_size_t waiting_count;

static bool append(List *list, const Pending *pending, size_t number)
{
    if (list->room - list->count < number) {
        size_t room = list->room == 0 ? 256 : list->room;
        Pending *data;

        while (room - list->count < number) {
            room *= 2;
        }
        data = reallocarray(list->data, room, sizeof *data);
        if (data == NULL) {
            return false;
        }
        list->data = data;
        list->room = room;
    }
    if (number > 0) {
        memcpy(list->data + list->count, pending, number * sizeof *pending);
    }
    list->count += number;
    return true;
}

bool PendingAdd(const Pending *pending)
{
    return append(&arrived, pending, 1);
}

bool PendingHasAny(void)
{
    return arrived.count > 0 || atomic_load(&waiting_count) > 0;
}

/* ---- one command ---- */

static void take_times(Pending *pending)
{
    OpprofOpenclCommand *command = &pending->command;
    uint64_t *const times[] = { &command->queued, &command->submitted, &command->started,
                                &command->ended };

    for (cl_uint i = 0; i < 4 && (command->flags & OPPROF_OPENCL_NO_TIMES) == 0; i++) {
        cl_ulong time = 0;

        if (below->clGetEventProfilingInfo(pending->event, CL_PROFILING_COMMAND_QUEUED + i,
                                           sizeof time, &time, NULL) != CL_SUCCESS) {
            command->flags |= OPPROF_OPENCL_NO_TIMES;
        }
        *times[i] = time;
    }
}

/* With the lock. Another event may have the handle by now. */
static void set_hold(const Pending *pending, ObjectHold hold)
{
    Object *event = pending->is_shared ? ObjectFind(OBJECT_EVENT, pending->event) : NULL;

    if (event != NULL && event->bytes == pending->command.id) {
        event->hold = (uint8_t) hold;
    }
}

/* Its event belongs to the program alone again, or to nobody. */
static void record(Pending *pending)
{
    RecorderLock();
    set_hold(pending, HOLD_ENDS);
    RecorderPut(&pending->command, OPPROF_OPENCL_COMMAND, sizeof pending->command, NULL, 0);
    RecorderUnlock();
    below->clReleaseEvent(pending->event);
    RecorderLock();
    set_hold(pending, HOLD_NONE);
    RecorderUnlock();
}

/* Whether it is complete, one way or the other. */
static bool is_complete(Pending *pending)
{
    cl_int status = CL_QUEUED;

    if (below->clGetEventInfo(pending->event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status,
                              &status, NULL) != CL_SUCCESS) {
        pending->command.flags |= OPPROF_OPENCL_NO_TIMES;
        return true;
    }
    if (status < 0) {
        pending->command.flags |= OPPROF_OPENCL_FAILED | OPPROF_OPENCL_NO_TIMES;
        pending->command.error = status;
    }
    return status <= CL_COMPLETE;
}

/* ---- all of them ---- */

static Seen *seen_of(uint32_t queue)
{
    if (queue >= seen_room) {
        const uint32_t room = queue * 2 + 64;
        Seen *list = reallocarray(seen, room, sizeof *list);

        if (list == NULL) {
            return NULL;
        }
        memset(list + seen_room, 0, (room - seen_room) * sizeof *list);
        seen = list;
        seen_room = room;
    }
    if (seen[queue].look != look) {
        seen[queue] = (Seen){ .look = look };
    }
    return &seen[queue];
}

/* In order, nothing can be complete before what is not. */
static bool is_worth_a_look(const Pending *pending, const Seen *before)
{
    return before == NULL || before->unfinished == 0 ||
           (pending->is_unordered && before->unfinished < MOST_LOOKS);
}

/* With `harvesting`. */
static void harvest(void)
{
    size_t kept = 0;

    look++;
    for (size_t i = 0; i < waiting.count; i++) {
        Pending *pending = &waiting.data[i];
        Seen *before = seen_of(pending->command.queue);

        if (is_worth_a_look(pending, before) && is_complete(pending)) {
            take_times(pending);
            record(pending);
            continue;
        }
        if (before != NULL) {
            before->unfinished++;
        }
        waiting.data[kept++] = *pending;
    }
    waiting.count = kept;
    atomic_store(&waiting_count, kept);
}

void PendingHarvest(void)
{
    pthread_mutex_lock(&harvesting);
    RecorderLock();
    if (append(&waiting, arrived.data, arrived.count)) {
        arrived.count = 0;
    }
    atomic_store(&waiting_count, waiting.count);
    RecorderUnlock();
    harvest();
    pthread_mutex_unlock(&harvesting);
}

static void put_unfinished(List *list)
{
    for (size_t i = 0; i < list->count; i++) {
        OpprofOpenclCommand *command = &list->data[i].command;

        command->flags |= OPPROF_OPENCL_UNFINISHED | OPPROF_OPENCL_NO_TIMES;
        RecorderPut(command, OPPROF_OPENCL_COMMAND, sizeof *command, NULL, 0);
    }
    list->count = 0;
}

void PendingGiveUp(void)
{
    /* A thread that still waits in the driver has it for good. */
    if (pthread_mutex_trylock(&harvesting) != 0) {
        return;
    }
    RecorderLock();
    put_unfinished(&waiting);
    put_unfinished(&arrived);
    RecorderUnlock();
    pthread_mutex_unlock(&harvesting);
}

static void forget(void)
{
    const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;

    memcpy(&harvesting, &fresh, sizeof harvesting);
    arrived = waiting = (List){ .data = NULL };
    seen = NULL;
    seen_room = 0;
    atomic_store(&waiting_count, 0);
}
ON_FORK(forget)
