/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of kernels and devices, with what only OpenCL says of them.
 * Tested by tests/plugins/collect-opencl/test_opencl.sh.
 */
#include "collect-opencl/emit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct KernelRow {
    uint32_t rank;
    uint32_t kernel;
    uint32_t device;
    uint32_t global_size;
    uint32_t local_size;
    uint32_t origin;
    uint64_t count;
    double total_us;
    double mean_us;
    double queued_us;  /* mean, from queued to submitted */
    double waiting_us; /* mean, from submitted to started */
    uint64_t arguments;
    uint64_t argument_bytes;
    uint64_t local_bytes;
    uint64_t private_bytes;
} KernelRow;

static const OpprofField kernel_fields[] = {
    OPPROF_FIELD(KernelRow, rank, OPPROF_FIELD_STRING,
                 .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_MEMBER, .meaning = "Rank."),
    OPPROF_FIELD(KernelRow, kernel, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY,
                 .meaning = "Kernel."),
    OPPROF_FIELD(KernelRow, device, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY,
                 .meaning = "Device."),
    OPPROF_FIELD(KernelRow, global_size, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY,
                 .meaning = "Items of each dimension."),
    OPPROF_FIELD(KernelRow, local_size, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY,
                 .meaning = "Items of a group in each dimension.", .absent = "the driver chose it"),
    OPPROF_FIELD(KernelRow, count, OPPROF_FIELD_U64, .unit = "1", .meaning = "Runs."),
    OPPROF_FIELD(KernelRow, total_us, OPPROF_FIELD_F64, .unit = "us", .decimals = 3,
                 .heading = "total(us)", .flags = OPPROF_FIELD_WEIGHT,
                 .meaning = "From start to end, added up."),
    OPPROF_FIELD(KernelRow, mean_us, OPPROF_FIELD_F64, .unit = "us", .decimals = 3,
                 .heading = "mean(us)", .flags = OPPROF_FIELD_ALONE, .meaning = "Mean of that."),
    OPPROF_FIELD(KernelRow, queued_us, OPPROF_FIELD_F64, .unit = "us", .decimals = 3,
                 .heading = "queued_to_submitted(us)", .flags = OPPROF_FIELD_ALONE,
                 .meaning = "Mean time until the driver gave it to the device.",
                 .absent = "the driver does not say"),
    OPPROF_FIELD(KernelRow, waiting_us, OPPROF_FIELD_F64, .unit = "us", .decimals = 3,
                 .heading = "submitted_to_start(us)", .flags = OPPROF_FIELD_ALONE,
                 .meaning = "Mean time until the device began it.",
                 .absent = "the driver does not say"),
    OPPROF_FIELD(KernelRow, arguments, OPPROF_FIELD_U64, .unit = "1", .flags = OPPROF_FIELD_ALONE,
                 .meaning = "Arguments of the kernel.",
                 .absent = "the kernel was not seen to be made"),
    OPPROF_FIELD(KernelRow, argument_bytes, OPPROF_FIELD_U64, .unit = "byte",
                 .flags = OPPROF_FIELD_ALONE, .meaning = "Size of all arguments."),
    OPPROF_FIELD(KernelRow, local_bytes, OPPROF_FIELD_U64, .unit = "byte",
                 .flags = OPPROF_FIELD_ALONE,
                 .meaning = "Local memory of a group, as the driver says, and that of arguments.",
                 .absent = "the driver does not say"),
    OPPROF_FIELD(KernelRow, private_bytes, OPPROF_FIELD_U64, .unit = "byte",
                 .flags = OPPROF_FIELD_ALONE,
                 .meaning = "Private memory of an item, as the driver says.",
                 .absent = "the driver does not say"),
    OPPROF_FIELD(KernelRow, origin, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_ALONE,
                 .meaning = "What its program was made from: source, binary, IL or built-in.",
                 .absent = "it was not seen to be made"),
};

const OpprofRecordType opencl_kernel_type = {
    .struct_size = sizeof(OpprofRecordType),
    .version = 1,
    .name = "opencl.kernels",
    .summary = "Kernels of OpenCL by size, with their delays and what the driver says of them.",
    .size = sizeof(KernelRow),
    .flags = OPPROF_RECORD_TABLE,
    .fields = kernel_fields,
    .field_count = OPPROF_COUNT(kernel_fields),
    .title = "OpenCL kernels",
    .file_hint = "opencl_kernels",
};

typedef struct DeviceRow {
    uint32_t rank;
    uint32_t device;
    uint32_t name;
    uint32_t clock;
    uint64_t units;
    uint64_t commands;
    uint64_t untimed;
    double offset_us;
    double error_us;
    double most_mb;
    double memory_mb;
} DeviceRow;

static const OpprofField device_fields[] = {
    OPPROF_FIELD(DeviceRow, rank, OPPROF_FIELD_STRING,
                 .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_MEMBER, .meaning = "Rank."),
    OPPROF_FIELD(DeviceRow, device, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY,
                 .meaning = "Number of the device, as in the timeline."),
    OPPROF_FIELD(DeviceRow, name, OPPROF_FIELD_STRING, .meaning = "Name of the device."),
    OPPROF_FIELD(DeviceRow, units, OPPROF_FIELD_U64, .unit = "1", .flags = OPPROF_FIELD_ALONE,
                 .meaning = "Compute units.", .absent = "the driver does not say"),
    OPPROF_FIELD(DeviceRow, commands, OPPROF_FIELD_U64, .unit = "1",
                 .meaning = "Commands with times."),
    OPPROF_FIELD(DeviceRow, untimed, OPPROF_FIELD_U64, .unit = "1",
                 .meaning = "Commands without: refused, failed or unfinished."),
    OPPROF_FIELD(DeviceRow, clock, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_ALONE,
                 .meaning = "host: the device uses the host's clock; own: at a fixed distance to "
                            "it; drifts: at one that changes."),
    OPPROF_FIELD(DeviceRow, offset_us, OPPROF_FIELD_F64, .unit = "us", .decimals = 3,
                 .heading = "clock_distance(us)", .flags = OPPROF_FIELD_ALONE,
                 .meaning = "From the device's clock to the host's.",
                 .absent = "no command shows it"),
    OPPROF_FIELD(DeviceRow, error_us, OPPROF_FIELD_F64, .unit = "us", .decimals = 3,
                 .heading = "clock_error(us)", .flags = OPPROF_FIELD_ALONE,
                 .meaning = "By which that may be wrong.", .absent = "no command shows it"),
    OPPROF_FIELD(DeviceRow, most_mb, OPPROF_FIELD_F64, .unit = "MB", .decimals = 3,
                 .heading = "most_allocated(MB)", .flags = OPPROF_FIELD_ALONE,
                 .meaning = "Buffers, images and shared memory that lived at one time."),
    OPPROF_FIELD(DeviceRow, memory_mb, OPPROF_FIELD_F64, .unit = "MB", .decimals = 3,
                 .heading = "memory(MB)", .flags = OPPROF_FIELD_ALONE,
                 .meaning = "Global memory of the device.", .absent = "the driver does not say"),
};

const OpprofRecordType opencl_device_type = {
    .struct_size = sizeof(OpprofRecordType),
    .version = 1,
    .name = "opencl.devices",
    .summary = "Devices of OpenCL, with their clocks and memory.",
    .size = sizeof(DeviceRow),
    .flags = OPPROF_RECORD_TABLE,
    .fields = device_fields,
    .field_count = OPPROF_COUNT(device_fields),
    .title = "OpenCL devices",
    .file_hint = "opencl_devices",
};

/* ---- kernels ---- */

/* A run of a kernel, and what its row is found by. */
typedef struct Run {
    uint32_t name;
    uint32_t device;
    const OpprofOpenclCommand *command;
} Run;

static int compare_keys(const Run *left, const Run *right)
{
    const OpprofOpenclCommand *a = left->command, *b = right->command;
    int order = (left->name > right->name) - (left->name < right->name);

    order = order != 0 ? order : (left->device > right->device) - (left->device < right->device);
    order = order != 0 ? order : memcmp(a->global, b->global, sizeof a->global);
    return order != 0 ? order : memcmp(a->local, b->local, sizeof a->local);
}

static int compare_runs(const void *a, const void *b)
{
    const Run *left = a, *right = b;
    const int order = compare_keys(left, right);

    return order != 0 ? order
                      : (left->command->id > right->command->id) -
                            (left->command->id < right->command->id);
}

static uint32_t size_text(const Emitter *emitter, const uint64_t size[3])
{
    char text[80];
    const int length =
        snprintf(text, sizeof text, "%" PRIu64 "x%" PRIu64 "x%" PRIu64, size[0], size[1], size[2]);

    return size[0] == 0 ? OPPROF_NA_STRING : EmitIntern(emitter, text, (size_t) length);
}

static uint32_t number_text(const Emitter *emitter, uint32_t number)
{
    char text[16];
    const int length = snprintf(text, sizeof text, "%" PRIu32, number);

    return EmitIntern(emitter, text, (size_t) length);
}

static uint32_t origin_of(const Emitter *emitter, const OpprofOpenclKernel *kernel)
{
    static const char *const words[] = { NULL, "source", "binary", "IL", "built-in" };
    const uint32_t program = kernel == NULL ? 0 : kernel->program;
    const char *word =
        program == 0 ? NULL : words[emitter->process->programs[program - 1].facts.origin];

    return word == NULL ? OPPROF_NA_STRING : EmitIntern(emitter, word, strlen(word));
}

static uint64_t known(uint64_t value)
{
    return value == OPPROF_OPENCL_UNKNOWN ? OPPROF_NA_U64 : value;
}

static OpprofStatus put_kernel(const Emitter *emitter, const Run *runs, uint32_t count)
{
    const Process *process = emitter->process;
    const OpprofOpenclCommand *first = runs[0].command;
    const OpprofOpenclKernel *kernel = ProcessKernelOf(process, first);
    const uint64_t local[3] = { first->local[0], first->local[1], first->local[2] };
    double ns = 0, queued = 0, waiting = 0;
    bool has_stamps = true;

    for (uint32_t i = 0; i < count; i++) {
        const OpprofOpenclCommand *run = runs[i].command;

        ns += (double) (run->ended - run->started);
        has_stamps = has_stamps && run->queued > 0 && run->submitted >= run->queued &&
                     run->started >= run->submitted;
        queued += (double) run->submitted - (double) run->queued;
        waiting += (double) run->started - (double) run->submitted;
    }
    const KernelRow row = { .rank = emitter->partition,
                            .kernel = runs[0].name,
                            .device = number_text(emitter, runs[0].device),
                            .global_size = size_text(emitter, first->global),
                            .local_size = size_text(emitter, local),
                            .origin = origin_of(emitter, kernel),
                            .count = count,
                            .total_us = ns / 1e3,
                            .mean_us = ns / 1e3 / count,
                            .queued_us = has_stamps ? queued / 1e3 / count : OpprofNaF64(),
                            .waiting_us = has_stamps ? waiting / 1e3 / count : OpprofNaF64(),
                            .arguments = kernel == NULL ? OPPROF_NA_U64 : kernel->arguments,
                            .argument_bytes = first->argument_bytes,
                            .local_bytes =
                                kernel == NULL || kernel->local_bytes == OPPROF_OPENCL_UNKNOWN
                                    ? OPPROF_NA_U64
                                    : kernel->local_bytes,
                            .private_bytes =
                                kernel == NULL ? OPPROF_NA_U64 : known(kernel->private_bytes) };

    return OpprofStageAppend(emitter->stage, OUTPUT_KERNELS, emitter->partition, &row);
}

static OpprofStatus put_kernels(const Emitter *emitter)
{
    const Process *process = emitter->process;
    Run *runs = reallocarray(NULL, (size_t) emitter->work_count + 1, sizeof *runs);
    OpprofStatus status = runs == NULL ? OPPROF_E_MEMORY : OPPROF_OK;
    uint32_t count = 0, from = 0;

    for (uint32_t i = 0; runs != NULL && i < emitter->work_count; i++) {
        const OpprofOpenclCommand *command = emitter->work[i].command;

        if (command->work == OPPROF_OPENCL_RUN) {
            runs[count++] = (Run){ .name = EmitName(emitter, command),
                                   .device = process->queues[command->queue - 1].device,
                                   .command = command };
        }
    }
    if (count > 0) {
        qsort(runs, count, sizeof *runs, compare_runs);
    }
    for (uint32_t i = 1; status == OPPROF_OK && i <= count; i++) {
        if (i == count || compare_keys(&runs[from], &runs[i]) != 0) {
            status = put_kernel(emitter, &runs[from], i - from);
            from = i;
        }
    }
    free(runs);
    return status;
}

/* ---- devices ---- */

static OpprofStatus put_device(const Emitter *emitter, uint32_t number)
{
    const ProcessDevice *device = &emitter->process->devices[number - 1];
    const ClockFit *fit = &emitter->fits[number - 1];
    const char *clock = fit->count == 0 ? "unknown"
                        : fit->drifts   ? "drifts"
                        : fit->is_host  ? "host"
                                        : "own";
    const DeviceRow row = {
        .rank = emitter->partition,
        .device = number_text(emitter, number),
        .name = device->name,
        .clock = EmitIntern(emitter, clock, strlen(clock)),
        .units = device->facts.units == 0 ? OPPROF_NA_U64 : device->facts.units,
        .commands = device->commands,
        .untimed = device->untimed,
        .offset_us = fit->count == 0 ? OpprofNaF64() : (double) fit->points[0].offset / 1e3,
        .error_us = fit->count == 0 ? OpprofNaF64() : (double) fit->error / 1e3,
        .most_mb = (double) device->most_bytes / 1e6,
        .memory_mb = device->facts.memory_bytes == 0 ? OpprofNaF64()
                                                     : (double) device->facts.memory_bytes / 1e6,
    };

    return OpprofStageAppend(emitter->stage, OUTPUT_DEVICES, emitter->partition, &row);
}

OpprofStatus EmitTables(const Emitter *emitter)
{
    const Process *process = emitter->process;
    OpprofStatus status = put_kernels(emitter);

    for (uint32_t i = 0; i < process->command_count; i++) {
        const OpprofOpenclCommand *command = &process->commands[i];
        ProcessDevice *device = ProcessDeviceOfQueue(process, command->queue);

        if ((command->flags & OPPROF_OPENCL_NO_TIMES) == 0) {
            device->commands++;
        } else {
            device->untimed++;
        }
    }
    for (uint32_t i = 0; status == OPPROF_OK && i < process->device_count; i++) {
        status = put_device(emitter, i + 1);
    }
    return status;
}
