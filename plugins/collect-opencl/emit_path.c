/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gives out what the host called, what that enqueued, and who waited for whom.
 * Tested by tests/plugins/collect-opencl/test_opencl.sh.
 */
#include "collect-opencl/emit.h"

#include <inttypes.h>
#include <opprof/grow.h>
#include <opprof/map.h>
#include <opprof/records/path.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A call of the host, whether or not it enqueues something. */
typedef struct HostCall {
    uint64_t id;
    int64_t start;
    uint64_t duration;
    uint32_t function;
    uint32_t thread; /* its place among the threads */
    uint32_t flags;
    uint32_t queue; /* that it waits for as a whole, or that it enqueues into */
    bool waits_all; /* for all that was enqueued into `queue` */
} HostCall;

typedef struct Threads {
    uint32_t *numbers; /* as the system calls them */
    uint32_t *tracks;
    uint32_t count, room;
} Threads;

typedef struct Path {
    const Emitter *emitter;
    Threads threads;
    HostCall *calls; /* by start */
    uint32_t call_count;
    OpprofMap places;   /* place of a call, by its id, plus 1 */
    uint32_t *previous; /* place of the call before, on the same thread, plus 1 */
    uint32_t kinds[3];  /* interned: call, work, wait */
} Path;

enum { KIND_CALL, KIND_WORK, KIND_WAIT };

/* ---- calls ---- */

static uint32_t place_of_thread(Path *path, uint32_t number)
{
    Threads *threads = &path->threads;
    uint32_t i = 0;

    while (i < threads->count && threads->numbers[i] != number) {
        i++;
    }
    if (i == threads->count) {
        if (!OpprofGrow32(&threads->numbers, &threads->room, (size_t) i + 1,
                          sizeof *threads->numbers)) {
            return OPPROF_NA_U32;
        }
        threads->numbers[threads->count++] = number;
    }
    return i;
}

static uint32_t flags_of_command(const OpprofOpenclCommand *command)
{
    const bool copies = command->work >= OPPROF_OPENCL_READ && command->work <= OPPROF_OPENCL_FILL;

    return OPPROF_PATH_ENQUEUES |
           ((command->flags & OPPROF_OPENCL_BLOCKING) != 0 ? OPPROF_PATH_BLOCKS : 0) |
           (copies ? OPPROF_PATH_COPIES : 0);
}

static uint32_t flags_of_call(const OpprofOpenclCall *call)
{
    switch (call->kind) {
    case OPPROF_OPENCL_CALL_WAITS:
        return OPPROF_PATH_BLOCKS | OPPROF_PATH_WAITS_SOME;
    case OPPROF_OPENCL_CALL_WAITS_ALL:
        return OPPROF_PATH_BLOCKS | OPPROF_PATH_WAITS_SOME;
    case OPPROF_OPENCL_CALL_ALLOCATES:
        return OPPROF_PATH_ALLOCATES;
    default:
        return 0;
    }
}

/* What is around others comes before them. */
static int compare_calls(const void *a, const void *b)
{
    const HostCall *left = a, *right = b;

    if (left->start != right->start) {
        return (left->start > right->start) - (left->start < right->start);
    }
    if (left->duration != right->duration) {
        return (left->duration < right->duration) - (left->duration > right->duration);
    }
    return (left->id > right->id) - (left->id < right->id);
}

static void add_call(Path *path, const HostCall *call, uint32_t thread)
{
    path->calls[path->call_count] = *call;
    path->calls[path->call_count++].thread = place_of_thread(path, thread);
}

static void collect_calls(Path *path)
{
    const Process *process = path->emitter->process;

    for (uint32_t i = 0; i < process->command_count; i++) {
        const OpprofOpenclCommand *command = &process->commands[i];

        add_call(path,
                 &(HostCall){ .id = command->id,
                              .start = (int64_t) command->called,
                              .duration = command->returned - command->called,
                              .function = command->function,
                              .flags = flags_of_command(command),
                              .queue = command->queue },
                 command->thread);
    }
    for (uint32_t i = 0; i < process->call_count; i++) {
        const OpprofOpenclCall *call = &process->calls[i];

        add_call(path,
                 &(HostCall){ .id = call->id,
                              .start = (int64_t) call->called,
                              .duration = call->returned - call->called,
                              .function = call->function,
                              .flags = flags_of_call(call),
                              .queue = call->queue,
                              .waits_all = call->kind == OPPROF_OPENCL_CALL_WAITS_ALL },
                 call->thread);
    }
    qsort(path->calls, path->call_count, sizeof *path->calls, compare_calls);
}

static bool declare_threads(Path *path)
{
    const Emitter *emitter = path->emitter;
    Threads *threads = &path->threads;

    threads->tracks = calloc((size_t) threads->count + 1, sizeof *threads->tracks);
    for (uint32_t i = 0; threads->tracks != NULL && i < threads->count; i++) {
        char process[96], thread[32];

        snprintf(process, sizeof process, "rank %s host", emitter->rank);
        snprintf(thread, sizeof thread, "thread %" PRIu32, threads->numbers[i]);
        threads->tracks[i] = OpprofStageTrack(
            emitter->stage, &(OpprofTrack){ .document = emitter->document,
                                            .process = process,
                                            .thread = thread,
                                            .process_sort = (int32_t) emitter->rank_number,
                                            .thread_sort = -1 });
        if (threads->tracks[i] == OPPROF_NA_U32) {
            return false;
        }
    }
    return threads->tracks != NULL;
}

/* Where each call is, and what its thread called before. */
static bool number_calls(Path *path)
{
    uint32_t *last = calloc((size_t) path->threads.count + 1, sizeof *last);
    bool is_good = last != NULL;

    path->previous = calloc((size_t) path->call_count + 1, sizeof *path->previous);
    is_good = is_good && path->previous != NULL;
    for (uint32_t i = 0; is_good && i < path->call_count; i++) {
        const HostCall *call = &path->calls[i];

        path->previous[i] = last[call->thread];
        last[call->thread] = i + 1;
        is_good = OpprofMapPut(&path->places, call->id, i + 1);
    }
    free(last);
    return is_good;
}

static bool make_path(Path *path)
{
    const Emitter *emitter = path->emitter;
    const Process *process = emitter->process;
    const char *const words[] = { OPPROF_PATH_CALL, OPPROF_PATH_WORK, OPPROF_PATH_WAIT };

    for (size_t i = 0; i < OPPROF_COUNT(words); i++) {
        path->kinds[i] = EmitIntern(emitter, words[i], strlen(words[i]));
    }
    path->calls = reallocarray(NULL, (size_t) process->command_count + process->call_count + 1,
                               sizeof *path->calls);
    if (path->calls == NULL) {
        return false;
    }
    collect_calls(path);
    for (uint32_t i = 0; i < path->call_count; i++) {
        if (path->calls[i].thread == OPPROF_NA_U32) {
            return false;
        }
    }
    return declare_threads(path) && number_calls(path);
}

/* ---- records ---- */

static OpprofPathEvent event_of(const Path *path, unsigned kind)
{
    return OpprofPathEventOf(path->kinds[kind], path->kinds[kind]);
}

static OpprofStatus put(const Path *path, const OpprofPathEvent *event)
{
    return OpprofStageAppend(path->emitter->stage, OUTPUT_PATH, path->emitter->partition, event);
}

static OpprofStatus put_call(const Path *path, const HostCall *call)
{
    const uint32_t name = ProcessName(path->emitter->process, call->function);
    OpprofPathEvent event = event_of(path, KIND_CALL);

    event.start = EmitTick(path->emitter, call->start);
    event.duration = call->duration;
    event.id = call->id;
    event.name = name == OPPROF_NA_STRING ? event.name : name;
    event.thread = call->thread;
    event.lane = path->threads.tracks[call->thread];
    event.flags = call->flags;
    return put(path, &event);
}

static OpprofStatus put_work(const Path *path, const EmitWork *work)
{
    const OpprofOpenclCommand *command = work->command;
    const uint32_t place = OpprofMapFind(&path->places, command->id);
    OpprofPathEvent event = event_of(path, KIND_WORK);

    if (command->work == OPPROF_OPENCL_MARK || command->work == OPPROF_OPENCL_FREE) {
        return OPPROF_OK;
    }
    event.start = EmitTick(path->emitter, work->start);
    event.duration = command->ended - command->started;
    event.id = command->id;
    event.name = EmitName(path->emitter, command);
    event.thread = place == 0 ? OPPROF_NA_U32 : path->calls[place - 1].thread;
    event.launched = EmitTick(path->emitter, (int64_t) command->called);
    event.lane = path->emitter->tracks[command->queue - 1];
    event.work_class = EmitCategory(path->emitter, command);
    return put(path, &event);
}

/* Calls and work in one order; a call comes before work that starts with it. */
static OpprofStatus put_all(const Path *path)
{
    const Emitter *emitter = path->emitter;
    OpprofStatus status = OPPROF_OK;
    uint32_t call = 0, work = 0;

    while (status == OPPROF_OK && (call < path->call_count || work < emitter->work_count)) {
        if (work == emitter->work_count ||
            (call < path->call_count && path->calls[call].start <= emitter->work[work].start)) {
            status = put_call(path, &path->calls[call++]);
        } else {
            status = put_work(path, &emitter->work[work++]);
        }
    }
    return status;
}

/* ---- waits ---- */

/* What is waited for is the last work that was enqueued before a marking call: the one after the
 * call that enqueued it, on any thread. */
static uint64_t mark_after(const Path *path, uint32_t place)
{
    return place + 1 < path->call_count ? path->calls[place + 1].id : OPPROF_NA_U64;
}

static OpprofStatus put_wait(const Path *path, const OpprofOpenclWait *wait)
{
    const uint32_t waiter = OpprofMapFind(&path->places, wait->id);
    const uint32_t source = OpprofMapFind(&path->places, wait->source);
    OpprofPathEvent event = event_of(path, KIND_WAIT);
    const HostCall *call;

    if (waiter == 0 || source == 0 || path->calls[source - 1].queue == 0) {
        return OPPROF_OK;
    }
    call = &path->calls[waiter - 1];
    event.id = call->id;
    event.source = mark_after(path, source - 1);
    event.source_lane = path->emitter->tracks[path->calls[source - 1].queue - 1];
    if ((call->flags & OPPROF_PATH_ENQUEUES) != 0) {
        /* The queue waits before the next work after a call: that before the enqueuing one. */
        if (path->previous[waiter - 1] == 0) {
            return OPPROF_OK;
        }
        event.id = path->calls[path->previous[waiter - 1] - 1].id;
        event.lane = path->emitter->tracks[call->queue - 1];
    }
    return put(path, &event);
}

static OpprofStatus put_waits(const Path *path)
{
    const Process *process = path->emitter->process;
    OpprofStatus status = OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < path->call_count; i++) {
        const HostCall *call = &path->calls[i];

        if (call->waits_all && call->queue != 0) {
            OpprofPathEvent event = event_of(path, KIND_WAIT);

            event.id = call->id;
            event.source_lane = path->emitter->tracks[call->queue - 1];
            status = put(path, &event);
        }
    }
    for (uint32_t i = 0; status == OPPROF_OK && i < process->wait_count; i++) {
        status = put_wait(path, &process->waits[i]);
    }
    return status;
}

OpprofStatus EmitPath(const Emitter *emitter)
{
    Path path = { .emitter = emitter };
    OpprofStatus status = OPPROF_OK;

    if (!OpprofStageHasReader(emitter->stage, OUTPUT_PATH)) {
        return OPPROF_OK;
    }
    OpprofStageSetClock(emitter->stage, OUTPUT_PATH, emitter->clock);
    status = make_path(&path) ? put_all(&path) : OPPROF_E_MEMORY;
    status = status == OPPROF_OK ? put_waits(&path) : status;
    free(path.threads.numbers);
    free(path.threads.tracks);
    free(path.calls);
    free(path.previous);
    OpprofMapFinish(&path.places);
    return status == OPPROF_OK ? OpprofStagePushOpen(emitter->stage, OUTPUT_PATH, UINT64_MAX)
                               : status;
}
