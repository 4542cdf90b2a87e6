/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes spans, grids and curves of what a process did.
 * Tested by tests/plugins/collect-opencl/test_opencl.sh.
 */
#include "collect-opencl/emit.h"

#include <inttypes.h>
#include <opprof/records/activity.h>
#include <opprof/records/grid.h>
#include <opprof/records/rank_file.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CLOCK_HZ UINT64_C(1000000000)
#define MOST_ARGS 16u

/* ---- order ---- */

static bool has_times(const OpprofOpenclCommand *command)
{
    return (command->flags & OPPROF_OPENCL_NO_TIMES) == 0;
}

/* What the commands and the driver say of a device's clock. */
static bool fit_device(Emitter *emitter, uint32_t device)
{
    const Process *process = emitter->process;
    ClockBound *bounds =
        calloc((size_t) process->command_count + process->clock_count + 1, sizeof *bounds);
    size_t count = 0;
    bool is_good;

    for (uint32_t i = 0; bounds != NULL && i < process->clock_count; i++) {
        const OpprofOpenclClock *clock = &process->clocks[i];

        if (clock->device == device) {
            bounds[count++] = (ClockBound){ .time = clock->time,
                                            .least = (int64_t) (clock->before - clock->time),
                                            .most = (int64_t) (clock->after - clock->time) };
        }
    }
    for (uint32_t i = 0; bounds != NULL && i < process->command_count; i++) {
        const OpprofOpenclCommand *command = &process->commands[i];

        if (has_times(command) && process->queues[command->queue - 1].device == device &&
            command->queued > 0 && command->queued <= INT64_MAX / 2) {
            bounds[count++] =
                (ClockBound){ .time = command->queued,
                              .least = (int64_t) (command->called - command->queued),
                              .most = (int64_t) (command->returned - command->queued) };
        }
    }
    is_good = bounds != NULL && ClockFitMake(bounds, count, &emitter->fits[device - 1]);
    free(bounds);
    return is_good;
}

static int compare_work(const void *a, const void *b)
{
    const EmitWork *left = a, *right = b;

    return left->start != right->start ? (left->start > right->start) - (left->start < right->start)
                                       : (left->command->id > right->command->id) -
                                             (left->command->id < right->command->id);
}

static void note_earliest(Emitter *emitter, int64_t host)
{
    if (host < emitter->earliest) {
        emitter->earliest = host;
    }
}

static void find_earliest(Emitter *emitter)
{
    const Process *process = emitter->process;

    emitter->earliest = INT64_MAX;
    for (uint32_t i = 0; i < process->command_count; i++) {
        note_earliest(emitter, (int64_t) process->commands[i].called);
    }
    for (uint32_t i = 0; i < process->call_count; i++) {
        note_earliest(emitter, (int64_t) process->calls[i].called);
    }
    for (uint32_t i = 0; i < process->memory_count; i++) {
        note_earliest(emitter, (int64_t) process->memory[i].host);
    }
    if (emitter->work_count > 0) {
        note_earliest(emitter, emitter->work[0].start);
    }
}

bool EmitPrepare(Emitter *emitter, bool (*is_wanted)(void *, const Process *, uint32_t),
                 void *context)
{
    const Process *process = emitter->process;

    emitter->fits = calloc((size_t) process->device_count + 1, sizeof *emitter->fits);
    emitter->work = reallocarray(NULL, (size_t) process->command_count + 1, sizeof(EmitWork));
    emitter->tracks = calloc((size_t) process->queue_count + 1, sizeof *emitter->tracks);
    if (emitter->fits == NULL || emitter->work == NULL || emitter->tracks == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < process->device_count; i++) {
        if (!fit_device(emitter, i + 1)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < process->command_count; i++) {
        const OpprofOpenclCommand *command = &process->commands[i];

        if ((is_wanted == NULL || is_wanted(context, process, i)) && has_times(command)) {
            const ClockFit *fit = &emitter->fits[process->queues[command->queue - 1].device - 1];

            emitter->work[emitter->work_count++] =
                (EmitWork){ .command = command, .start = ClockHost(fit, command->started) };
        }
    }
    qsort(emitter->work, emitter->work_count, sizeof(EmitWork), compare_work);
    find_earliest(emitter);
    return true;
}

/* ---- spans ---- */

/* Arguments of a span, keys in alphabetical order. */
typedef struct Args {
    OpprofArg list[MOST_ARGS];
    uint32_t count;
} Args;

static void put(const Emitter *emitter, Args *args, const char *key, OpprofArg arg)
{
    arg.key = EmitIntern(emitter, key, strlen(key));
    args->list[args->count++] = arg;
}

static void put_u64(const Emitter *emitter, Args *args, const char *key, uint64_t value)
{
    put(emitter, args, key, (OpprofArg){ .kind = OPPROF_ARG_U64, .value.u64 = value });
}

static void put_size(const Emitter *emitter, Args *args, const char *key, const uint64_t size[3])
{
    char text[80];
    const int length =
        snprintf(text, sizeof text, "%" PRIu64 "x%" PRIu64 "x%" PRIu64, size[0], size[1], size[2]);

    put(emitter, args, key,
        (OpprofArg){ .kind = OPPROF_ARG_STRING,
                     .value.u64 = EmitIntern(emitter, text, (size_t) length) });
}

static void collect_args(const Emitter *emitter, const OpprofOpenclCommand *command, Args *args)
{
    const uint64_t ns = command->ended - command->started;
    const uint64_t local[3] = { command->local[0], command->local[1], command->local[2] };

    args->count = 0;
    if (command->bytes != OPPROF_OPENCL_UNKNOWN) {
        if (ns > 0) {
            put(emitter, args, OPPROF_ACTIVITY_ARG_BANDWIDTH,
                (OpprofArg){ .kind = OPPROF_ARG_F64,
                             .value.f64 = (double) command->bytes / (double) ns });
        }
        put_u64(emitter, args, OPPROF_ACTIVITY_ARG_BYTES, command->bytes);
    }
    put_u64(emitter, args, OPPROF_ACTIVITY_ARG_CORRELATION, command->id);
    put_u64(emitter, args, "device_end(ns)", command->ended);
    put_u64(emitter, args, "device_queued(ns)", command->queued);
    put_u64(emitter, args, "device_start(ns)", command->started);
    put_u64(emitter, args, "device_submit(ns)", command->submitted);
    put_u64(emitter, args, OPPROF_ACTIVITY_ARG_ENQUEUED,
            EmitTick(emitter, (int64_t) command->called));
    if (command->work == OPPROF_OPENCL_RUN) {
        put_size(emitter, args, "global_size", command->global);
    }
    put_u64(emitter, args, OPPROF_ACTIVITY_ARG_LAUNCH_DURATION,
            command->returned - command->called);
    put_u64(emitter, args, OPPROF_ACTIVITY_ARG_LAUNCH_START,
            EmitTick(emitter, (int64_t) command->called));
    if (local[0] > 0) {
        put_size(emitter, args, "local_size", local);
    }
}

static OpprofStatus emit_span(const Emitter *emitter, const EmitWork *work)
{
    const OpprofOpenclCommand *command = work->command;
    const OpprofText none = { OPPROF_NA_U32, 0 };
    OpprofText text = none;
    OpprofStatus status;
    Args args;

    collect_args(emitter, command, &args);
    status = OpprofStageText(emitter->stage, OUTPUT_SPANS, emitter->partition,
                             (const char *) args.list, args.count * sizeof args.list[0], &text);
    if (status != OPPROF_OK) {
        return status;
    }
    const OpprofSpan span = { .start = EmitTick(emitter, work->start),
                              .duration = command->ended - command->started,
                              .track = emitter->tracks[command->queue - 1],
                              .kind = OPPROF_SPAN_SLICE,
                              .name = EmitName(emitter, command),
                              .category = EmitCategory(emitter, command),
                              .colour = OPPROF_NA_STRING,
                              .arg_count = args.count,
                              .args = text,
                              .id = none,
                              .group = none };

    return OpprofStageAppend(emitter->stage, OUTPUT_SPANS, emitter->partition, &span);
}

static OpprofStatus emit_spans(const Emitter *emitter)
{
    OpprofStatus status = OPPROF_OK;

    OpprofStageSetClock(emitter->stage, OUTPUT_SPANS, emitter->clock);
    for (uint32_t i = 0; status == OPPROF_OK && i < emitter->work_count; i++) {
        status = emit_span(emitter, &emitter->work[i]);
    }
    return status == OPPROF_OK ? OpprofStagePushOpen(emitter->stage, OUTPUT_SPANS, UINT64_MAX)
                               : status;
}

/* ---- grids ---- */

/* Groups of a kernel's items; 0: the driver chose their size, and does not say. */
static uint64_t groups_of(const OpprofOpenclCommand *command)
{
    uint64_t groups = 1;

    for (unsigned i = 0; i < 3; i++) {
        if (command->local[i] == 0 ||
            __builtin_mul_overflow(groups,
                                   (command->global[i] + command->local[i] - 1) / command->local[i],
                                   &groups)) {
            return 0;
        }
    }
    return groups <= OPPROF_NA_U32 - 1 ? groups : 0;
}

static OpprofStatus emit_grids(const Emitter *emitter)
{
    const Process *process = emitter->process;
    OpprofStatus status = OPPROF_OK;

    OpprofStageSetClock(emitter->stage, OUTPUT_GRIDS, emitter->clock);
    for (uint32_t i = 0; status == OPPROF_OK && i < emitter->work_count; i++) {
        const OpprofOpenclCommand *command = emitter->work[i].command;
        const uint64_t groups = command->work == OPPROF_OPENCL_RUN ? groups_of(command) : 0;
        const uint32_t units = ProcessDeviceOfQueue(process, command->queue)->facts.units;

        if (groups == 0) {
            continue;
        }
        const OpprofKernelGrid grid = { .count = 1,
                                        .duration = command->ended - command->started,
                                        .occupancy = OpprofNaF64(),
                                        .name = EmitName(emitter, command),
                                        .lane = emitter->tracks[command->queue - 1],
                                        .blocks = (uint32_t) groups,
                                        .threads = command->local[0] * command->local[1] *
                                                   command->local[2],
                                        .units = units == 0 ? OPPROF_NA_U32 : units };
        status = OpprofStageAppend(emitter->stage, OUTPUT_GRIDS, emitter->partition, &grid);
    }
    return status == OPPROF_OK ? OpprofStagePushOpen(emitter->stage, OUTPUT_GRIDS, UINT64_MAX)
                               : status;
}

/* ---- memory ---- */

static uint32_t device_track(const Emitter *emitter, uint32_t device, const char *thread,
                             const char *thread_name)
{
    char process[96], name[192];

    snprintf(process, sizeof process, "rank %s device %" PRIu32, emitter->rank, device);
    snprintf(name, sizeof name, "%s (%.80s)", process,
             OpprofStageString(emitter->stage, emitter->process->devices[device - 1].name));
    return OpprofStageTrack(
        emitter->stage,
        &(OpprofTrack){ .document = emitter->document,
                        .process = process,
                        .process_name = name,
                        .thread = thread,
                        .thread_name = thread_name,
                        .process_sort = (int32_t) emitter->rank_number,
                        .thread_sort = -1,
                        .flags = thread == NULL ? 0 : OPPROF_TRACK_NUMERIC_THREAD });
}

/* Bytes that live on each device, as buffers, images and shared memory. */
static OpprofStatus emit_memory(const Emitter *emitter)
{
    const Process *process = emitter->process;
    const uint32_t name = EmitIntern(emitter, "memory", 6);
    const uint32_t series = EmitIntern(emitter, "allocated(MB)", 13);
    OpprofStatus status = OPPROF_OK;

    OpprofStageSetClock(emitter->stage, OUTPUT_MEMORY, emitter->clock);
    for (uint32_t i = 0; status == OPPROF_OK && i < process->memory_count; i++) {
        const OpprofOpenclMemory *memory = &process->memory[i];
        ProcessDevice *device;

        if (memory->device == 0) {
            continue;
        }
        device = &process->devices[memory->device - 1];
        device->live_bytes += memory->bytes;
        if (device->live_bytes > device->most_bytes) {
            device->most_bytes = device->live_bytes;
        }
        const OpprofCounter counter = { .time = EmitTick(emitter, (int64_t) memory->host),
                                        .value = (double) device->live_bytes / 1e6,
                                        .track = device_track(emitter, memory->device, NULL, NULL),
                                        .name = name,
                                        .series = series };
        status = OpprofStageAppend(emitter->stage, OUTPUT_MEMORY, emitter->partition, &counter);
    }
    return status == OPPROF_OK ? OpprofStagePushOpen(emitter->stage, OUTPUT_MEMORY, UINT64_MAX)
                               : status;
}

/* ---- all ---- */

/* What the rank is, before all else of it. */
static OpprofStatus emit_file(const Emitter *emitter)
{
    char text[128];
    const int length = snprintf(text, sizeof text, "%.64s (process %" PRIu32 ")",
                                OpprofStageString(emitter->stage, emitter->process->program),
                                emitter->process->pid);
    const OpprofRankFile record = { .rank = emitter->partition,
                                    .file = EmitIntern(emitter, text, (size_t) length),
                                    .files = emitter->rank_count };
    OpprofStatus status;

    OpprofStageSetClock(emitter->stage, OUTPUT_FILES, emitter->clock);
    status = OpprofStageAppend(emitter->stage, OUTPUT_FILES, emitter->partition, &record);
    return status == OPPROF_OK ? OpprofStagePushOpen(emitter->stage, OUTPUT_FILES, 0) : status;
}

static bool declare(Emitter *emitter)
{
    const Process *process = emitter->process;

    emitter->partition = EmitIntern(emitter, emitter->rank, strlen(emitter->rank));
    emitter->clock = OpprofStageClock(
        emitter->stage, &(OpprofClock){ .name = "host",
                                        .hz = CLOCK_HZ,
                                        .offset_ps = (emitter->earliest - emitter->origin) * 1000,
                                        .epoch_ns = emitter->epoch });
    for (uint32_t i = 0; i < process->queue_count; i++) {
        char thread[16], name[32];

        snprintf(thread, sizeof thread, "%" PRIu32, i + 1);
        snprintf(name, sizeof name, "queue %" PRIu32, i + 1);
        emitter->tracks[i] = device_track(emitter, process->queues[i].device, thread, name);
        if (emitter->tracks[i] == OPPROF_NA_U32) {
            return false;
        }
    }
    return emitter->clock != 0 && emitter->partition != OPPROF_NA_STRING;
}

OpprofStatus EmitProcess(Emitter *emitter)
{
    OpprofStatus status = declare(emitter) ? emit_file(emitter) : OPPROF_E_MEMORY;

    status = status == OPPROF_OK ? emit_spans(emitter) : status;
    status = status == OPPROF_OK ? EmitPath(emitter) : status;
    status = status == OPPROF_OK ? emit_grids(emitter) : status;
    status = status == OPPROF_OK ? emit_memory(emitter) : status;
    return status == OPPROF_OK ? EmitTables(emitter) : status;
}

void EmitFinish(Emitter *emitter)
{
    for (uint32_t i = 0; emitter->fits != NULL && i < emitter->process->device_count; i++) {
        ClockFitFinish(&emitter->fits[i]);
    }
    free(emitter->fits);
    free(emitter->work);
    free(emitter->tracks);
}
