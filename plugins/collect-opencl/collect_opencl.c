/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collect-opencl: runs a program with a layer below its OpenCL loader, and gives out what it
 * enqueued as the records of framework traces. Descriptor, parameters, life.
 * Tested by tests/plugins/collect-opencl/test_opencl.sh.
 */
#include "collect-opencl/emit.h"
#include "collect-opencl/report.h"

#include <inttypes.h>
#include <opprof/grow.h>
#include <opprof/kit/live_host.h>
#include <opprof/log.h>
#include <opprof/records/grid.h>
#include <opprof/records/path.h>
#include <opprof/records/rank_file.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEP_MS 50 /* so that a request to stop is seen soon */

typedef enum Phase { PHASE_RUNNING = 0, PHASE_LINGERING, PHASE_DONE } Phase;

typedef struct CollectOpencl {
    OpprofStage *stage;
    OpprofLiveRun run;
    OpprofLiveFilter filter;
    ReportCounts counts;
    Process **processes; /* in the order of their connections */
    uint32_t process_count, process_room;
    Phase phase;
    bool is_out_of_memory;
} CollectOpencl;

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    return OpprofInstanceCreate(stage, sizeof(CollectOpencl), ret_self, error);
}

static OpprofStatus configure(void *instance, const OpprofParams *params, OpprofError **error)
{
    CollectOpencl *self = instance;

    self->run.is_plain = true;
    return OpprofLiveRunConfigure(&self->run, self->stage, params, error);
}

/* ---- events of the server ---- */

static uint32_t intern(void *stage, const char *text, size_t length)
{
    return OpprofStageIntern(stage, text, length);
}

static Process *process_of(const CollectOpencl *self, const OpprofLiveClient *client)
{
    const uint32_t id = OpprofLiveClientId(client);

    for (uint32_t i = self->process_count; i > 0; i--) {
        if (self->processes[i - 1]->client == id) {
            return self->processes[i - 1];
        }
    }
    return NULL;
}

static void on_hello(void *context, OpprofLiveClient *client, const OpprofLiveHello *hello)
{
    CollectOpencl *self = context;
    Process *process = calloc(1, sizeof *process);

    if (process == NULL || !OpprofGrow32(&self->processes, &self->process_room,
                                         (size_t) self->process_count + 1, sizeof process)) {
        free(process);
        self->is_out_of_memory = true;
        return;
    }
    process->intern = intern;
    process->context = self->stage;
    process->client = OpprofLiveClientId(client);
    process->pid = OpprofLiveClientPid(client);
    process->program = OpprofStageIntern(self->stage, hello->program,
                                         strnlen(hello->program, sizeof hello->program));
    self->processes[self->process_count++] = process;
}

static void on_gone(void *context, OpprofLiveClient *client, const char *why)
{
    CollectOpencl *self = context;
    Process *process = process_of(self, client);

    if (process != NULL) {
        process->is_gone = true;
        ReportGone(self->stage, process, self->run.was_ended, why);
    }
}

static void on_note(void *context, OpprofLiveClient *client, const OpprofLiveNote *note,
                    const char *text)
{
    CollectOpencl *self = context;
    const Process *process = process_of(self, client);

    self->counts.notes++;
    if (note->severity == OPPROF_LIVE_WARNING) {
        OpprofStageWarn(self->stage, "Process %" PRIu32 ": %s", process == NULL ? 0 : process->pid,
                        text);
    } else {
        OpprofStageIncomplete(self->stage, "Process %" PRIu32 ": %s",
                              process == NULL ? 0 : process->pid, text);
    }
}

static OpprofStatus on_other(void *context, OpprofLiveClient *client, const OpprofLiveHead *head,
                             const uint8_t *body, const char **ret_why)
{
    CollectOpencl *self = context;
    Process *process = process_of(self, client);
    OpprofStatus status;

    if (head->type != OPPROF_LIVE_OPENCL || process == NULL) {
        *ret_why = "it sends a message of an unknown kind";
        return OPPROF_E_DATA;
    }
    status = ProcessTake(process, body, head->length, ret_why);
    if (status == OPPROF_E_MEMORY) {
        self->is_out_of_memory = true;
        *ret_why = "there is no memory for what it sends";
    }
    return status == OPPROF_OK ? OPPROF_OK : OPPROF_E_DATA;
}

/* ---- start ---- */

static OpprofStatus start(void *instance, OpprofError **error)
{
    CollectOpencl *self = instance;
    const OpprofLiveEvents events = { .context = self,
                                      .stage = self->stage,
                                      .hello = on_hello,
                                      .gone = on_gone,
                                      .note = on_note,
                                      .other = on_other };
    OpprofLiveVariable layers = { .name = "OPENCL_LAYERS", .is_list = true };
    OpprofLiveAppPlace place = { .variables = &layers, .variable_count = 1 };
    OpprofStatus status = OpprofLiveInjectLibrary(&self->run, OPPROF_LIVE_LIBRARY_OPENCL,
                                                  OPENCL_LIBRARY, &place.inject, error);

    /* The first layer of the list is the one nearest to the driver. */
    layers.value = place.inject;
    self->filter = OpprofLiveRunFilter(&self->run);
    if (self->filter.launch_count == 0) {
        self->filter.launch_count = UINT32_MAX;
    }
    if (status == OPPROF_OK) {
        status = OpprofLiveRunCheckPaths(&self->run, place.inject, NULL, error);
    }
    if (status == OPPROF_OK) {
        status = OpprofLiveRunStart(&self->run, 0, &events, &place, error);
    }
    return status;
}

/* ---- the program ---- */

static void watch_program(CollectOpencl *self)
{
    OpprofLiveRunLimit(&self->run);
    if (OpprofLiveRunHasEnded(&self->run)) {
        self->phase = PHASE_LINGERING;
    }
}

/* ---- records ---- */

static int compare_ids(const void *a, const void *b)
{
    const OpprofOpenclCommand *left = a, *right = b;

    return (left->id > right->id) - (left->id < right->id);
}

/* Kernels pass the filter in the order of their launches; all else is wanted. */
static bool is_wanted(void *context, const Process *process, uint32_t number)
{
    CollectOpencl *self = context;
    const OpprofOpenclCommand *command = &process->commands[number];
    const OpprofOpenclKernel *kernel = ProcessKernelOf(process, command);
    const char *name = kernel == NULL || kernel->name == 0
                           ? ""
                           : OpprofStageString(self->stage, ProcessName(process, kernel->name));

    if (command->work != OPPROF_OPENCL_RUN) {
        return true;
    }
    if (OpprofLiveFilterAsk(&self->filter, process->client,
                            process->queues[command->queue - 1].device,
                            name) != OPPROF_LIVE_COLLECT) {
        return false;
    }
    self->counts.profiled++;
    return true;
}

/* Processes that enqueued something, and when the first of them began. */
static uint32_t count_ranks(const CollectOpencl *self, int64_t *ret_origin, int64_t *ret_epoch)
{
    uint32_t count = 0;

    *ret_origin = INT64_MAX;
    *ret_epoch = 0;
    for (uint32_t i = 0; i < self->process_count; i++) {
        Process *process = self->processes[i];

        count += process->command_count > 0;
        if (process->command_count == 0) {
            continue;
        }
        qsort(process->commands, process->command_count, sizeof *process->commands, compare_ids);
        if ((int64_t) process->commands[0].called < *ret_origin) {
            *ret_origin = (int64_t) process->commands[0].called;
            *ret_epoch = *ret_origin + process->wall_offset;
        }
    }
    return count;
}

static OpprofStatus emit_one(CollectOpencl *self, Emitter *emitter, OpprofError **error)
{
    OpprofStatus status = EmitPrepare(emitter, is_wanted, self) ? OPPROF_OK : OPPROF_E_MEMORY;

    if (status == OPPROF_OK) {
        ReportClocks(emitter);
        status = EmitProcess(emitter);
    }
    EmitFinish(emitter);
    return OpprofErrorExplain(error, status, "Cannot give out the work of process %" PRIu32,
                              emitter->process->pid);
}

static OpprofStatus emit_all(CollectOpencl *self, OpprofError **error)
{
    int64_t origin, epoch;
    const uint32_t count = count_ranks(self, &origin, &epoch);
    OpprofStatus status = OPPROF_OK;
    uint32_t rank = 0;

    for (uint32_t i = 0; status == OPPROF_OK && i < self->process_count; i++) {
        Process *process = self->processes[i];
        char name[16], document[32] = "trace";

        if (process->command_count == 0) {
            continue;
        }
        snprintf(name, sizeof name, "%" PRIu32, rank);
        if (count > 1) {
            snprintf(document, sizeof document, "rank%s/trace", name);
        }
        status = emit_one(self,
                          &(Emitter){ .stage = self->stage,
                                      .process = process,
                                      .rank = name,
                                      .document = document,
                                      .rank_number = rank++,
                                      .rank_count = count,
                                      .origin = origin,
                                      .epoch = epoch },
                          error);
        ReportProcess(self->stage, process, &self->counts);
    }
    return status;
}

/* All is recorded: give it out. */
static OpprofStatus finish(CollectOpencl *self, OpprofError **error)
{
    OpprofStatus status;

    self->phase = PHASE_DONE;
    if (self->is_out_of_memory) {
        return OpprofErrorNoMemory(error, "keep what the program enqueued");
    }
    status = emit_all(self, error);
    self->counts.clients = self->process_count;
    ReportRun(&self->run, &self->filter, &self->counts);
    return status;
}

/* ---- life ---- */

static OpprofStatus process(void *instance, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    CollectOpencl *self = instance;
    const unsigned spoke = OpprofLiveServerStep(self->run.server, STEP_MS);
    uint64_t commands = 0;

    (void) port;
    (void) batch;
    for (uint32_t i = 0; i < self->process_count; i++) {
        commands += self->processes[i]->command_count;
    }
    OpprofStageProgress(self->stage, commands, 0, "commands");
    if (self->phase == PHASE_RUNNING) {
        watch_program(self);
    } else if (OpprofLiveRunIsQuiet(&self->run, spoke, 0)) {
        const OpprofStatus status = finish(self, error);

        return status == OPPROF_OK ? OPPROF_END : status;
    }
    return OPPROF_OK;
}

/* The run ends early: the program is ended too, and what it has sent counts. */
static OpprofStatus flush(void *instance, OpprofError **error)
{
    CollectOpencl *self = instance;

    if (self->run.server == NULL || self->phase == PHASE_DONE) {
        return OPPROF_OK;
    }
    OpprofLiveRunCut(&self->run);
    return finish(self, error);
}

static OpprofStatus stop(void *instance, OpprofError **error)
{
    CollectOpencl *self = instance;

    (void) error;
    OpprofLiveRunEnd(&self->run);
    OpprofLiveRunClose(&self->run);
    return OPPROF_OK;
}

static void destroy(void *instance)
{
    CollectOpencl *self = instance;

    OpprofLiveRunFinish(&self->run);
    OpprofLiveFilterFinish(&self->filter);
    for (uint32_t i = 0; i < self->process_count; i++) {
        ProcessFinish(self->processes[i]);
        free(self->processes[i]);
    }
    free(self->processes);
    free(self);
}

/* ---- descriptor ---- */

static const OpprofPort outputs[] = {
    [OUTPUT_SPANS] = { .name = "spans",
                       .record_type = &opprof_span_type,
                       .order = OPPROF_ORDER_START,
                       .batch_records = 512,
                       .summary = "Commands of each process; see opprof/activity.h." },
    [OUTPUT_PATH] = { .name = "path",
                      .record_type = &opprof_path_event_type,
                      .batch_records = 512,
                      .summary = "Calls, commands and waits of each process; see opprof/path.h." },
    [OUTPUT_GRIDS] = { .name = "grids",
                       .record_type = &opprof_kernel_grid_type,
                       .summary = "Groups and items of kernels." },
    [OUTPUT_FILES] = { .name = "files",
                       .record_type = &opprof_rank_file_type,
                       .summary = "The program of each rank, before all else of it." },
    [OUTPUT_MEMORY] = { .name = "memory",
                        .record_type = &opprof_counter_type,
                        .batch_records = 512,
                        .summary = "Memory that lives on each device." },
    [OUTPUT_KERNELS] = { .name = "kernels",
                         .record_type = &opencl_kernel_type,
                         .summary = "Kernels by size." },
    [OUTPUT_DEVICES] = { .name = "devices",
                         .record_type = &opencl_device_type,
                         .summary = "Devices with their clocks and memory." },
};

static const OpprofParam params[] = {
    OPPROF_LIVE_PARAM_APP,
    OPPROF_LIVE_PARAM_KERNEL_NAME(
        "Kernels to give out, separated by '|': beginnings of names, or patterns with '*'; "
        "default: any. Copies and other commands are given out in any case."),
    { .name = "launch_count",
      .type = OPPROF_PARAM_INT,
      .default_value = "0",
      .min = 0,
      .max = 1000000000,
      .summary = "Kernel launches to give out of each process and device; 0: all." },
    OPPROF_LIVE_PARAM_LAUNCH_SKIP,
    OPPROF_LIVE_PARAM_UNSAFE_PATHS,
    OPPROF_LIVE_PARAM_TIMEOUT,
};

static const OpprofPluginOps ops = { .struct_size = sizeof(OpprofPluginOps),
                                     .create = create,
                                     .configure = configure,
                                     .start = start,
                                     .process = process,
                                     .flush = flush,
                                     .stop = stop,
                                     .destroy = destroy };

OPPROF_PLUGIN_DEFINE(
        .name = "collect-opencl", .version = "1.0.0", .license = "Apache-2.0",
        .summary = "Runs a program and records what it enqueues with OpenCL.",
        .help = "A layer below the program's OpenCL loader asks for profiling on every queue, and "
                "sends here what is enqueued, when the device ran it, and what the host called. "
                "Everything is given out when the program has ended.",
        .kind = OPPROF_COLLECTOR, .outputs = outputs, .output_count = OPPROF_COUNT(outputs),
        .params = params, .param_count = OPPROF_COUNT(params), .ops = &ops);
