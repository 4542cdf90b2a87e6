/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Takes the records of a process's layer apart, and keeps them. The process may send anything.
 * Tested by tests/plugins/collect-opencl/test_opencl.sh and fuzz/fuzz_opencl.c.
 */
#include "collect-opencl/process.h"

#include <opprof/compiler.h>
#include <opprof/grow.h>
#include <stdlib.h>
#include <string.h>

/* A record that is being taken. */
typedef struct Taking {
    Process *process;
    const uint8_t *record;
    size_t size; /* of the record without its text */
    const char *text;
    size_t length;
    const char *why;
} Taking;

static OpprofStatus refuse(Taking *taking, const char *why)
{
    taking->why = why;
    return OPPROF_E_DATA;
}

/* ---- lists ---- */

/* To a list of records as they come; `list` points to it. */
static OpprofStatus append(void *list, uint32_t *room, uint32_t *count, const Taking *taking)
{
    char *array;

    if (!OpprofGrow32(list, room, (size_t) *count + 1, taking->size)) {
        return OPPROF_E_MEMORY;
    }
    memcpy(&array, list, sizeof array);
    memcpy(array + (size_t) *count * taking->size, taking->record, taking->size);
    (*count)++;
    return OPPROF_OK;
}

/* Numbers come in order, without gaps. */
static bool is_next(uint32_t id, uint32_t count)
{
    return id == count + 1;
}

/* ---- records ---- */

static OpprofStatus take_begin(Taking *taking)
{
    OpprofOpenclBegin begin;

    memcpy(&begin, taking->record, sizeof begin);
    if (taking->process->has_begun || begin.host > INT64_MAX / 2 || begin.wall < 0 ||
        begin.wall > INT64_MAX / 2) {
        return refuse(taking, "its clocks are read twice, or wrong");
    }
    taking->process->wall_offset = begin.wall - (int64_t) begin.host;
    taking->process->has_begun = true;
    return OPPROF_OK;
}

static OpprofStatus take_name(Taking *taking)
{
    Process *process = taking->process;
    OpprofOpenclName name;

    memcpy(&name, taking->record, sizeof name);
    if (!is_next(name.id, process->name_count)) {
        return refuse(taking, "a name has a wrong number");
    }
    if (!OpprofGrow32(&process->names, &process->name_room, (size_t) name.id,
                      sizeof *process->names)) {
        return OPPROF_E_MEMORY;
    }
    process->names[process->name_count] =
        process->intern(process->context, taking->text, taking->length);
    return process->names[process->name_count++] == OPPROF_NA_STRING ? OPPROF_E_MEMORY : OPPROF_OK;
}

static OpprofStatus take_device(Taking *taking)
{
    Process *process = taking->process;
    ProcessDevice device = { .commands = 0 };

    memcpy(&device.facts, taking->record, sizeof device.facts);
    if (!is_next(device.facts.id, process->device_count)) {
        return refuse(taking, "a device has a wrong number");
    }
    device.name = process->intern(process->context, taking->text, taking->length);
    if (device.name == OPPROF_NA_STRING || !OpprofGrow32(&process->devices, &process->device_room,
                                                         (size_t) device.facts.id, sizeof device)) {
        return OPPROF_E_MEMORY;
    }
    process->devices[process->device_count++] = device;
    return OPPROF_OK;
}

static OpprofStatus take_queue(Taking *taking)
{
    Process *process = taking->process;
    OpprofOpenclQueue queue;

    memcpy(&queue, taking->record, sizeof queue);
    if (!is_next(queue.id, process->queue_count) || queue.device == 0 ||
        queue.device > process->device_count) {
        return refuse(taking, "a queue has a wrong number or device");
    }
    return append(&process->queues, &process->queue_room, &process->queue_count, taking);
}

static OpprofStatus take_program(Taking *taking)
{
    Process *process = taking->process;
    ProcessProgram program = { .length = taking->length };

    memcpy(&program.facts, taking->record, sizeof program.facts);
    if (!is_next(program.facts.id, process->program_count) ||
        program.facts.origin > OPPROF_OPENCL_BUILT_IN) {
        return refuse(taking, "a program has a wrong number or origin");
    }
    if (!OpprofGrow32(&process->programs, &process->program_room, (size_t) program.facts.id,
                      sizeof program)) {
        return OPPROF_E_MEMORY;
    }
    if (taking->length > 0) {
        program.source = malloc(taking->length);
        if (program.source == NULL) {
            return OPPROF_E_MEMORY;
        }
        memcpy(program.source, taking->text, taking->length);
    }
    process->programs[process->program_count++] = program;
    return OPPROF_OK;
}

static OpprofStatus take_kernel(Taking *taking)
{
    Process *process = taking->process;
    OpprofOpenclKernel kernel;

    memcpy(&kernel, taking->record, sizeof kernel);
    if (!is_next(kernel.id, process->kernel_count) || kernel.name > process->name_count ||
        kernel.program > process->program_count) {
        return refuse(taking, "a kernel has a wrong number, name or program");
    }
    return append(&process->kernels, &process->kernel_room, &process->kernel_count, taking);
}

static bool is_period(uint64_t from, uint64_t to)
{
    return from <= to && to <= INT64_MAX / 2;
}

static OpprofStatus take_command(Taking *taking)
{
    Process *process = taking->process;
    OpprofOpenclCommand command;

    memcpy(&command, taking->record, sizeof command);
    if (command.queue == 0 || command.queue > process->queue_count ||
        command.kernel > process->kernel_count || command.function > process->name_count ||
        command.work >= OPPROF_OPENCL_WORKS || !is_period(command.called, command.returned)) {
        return refuse(taking, "a command has a wrong queue, kernel, function, kind or time");
    }
    /* Drivers say what they like of a command's times. */
    if ((command.flags & OPPROF_OPENCL_NO_TIMES) == 0 &&
        !is_period(command.started, command.ended)) {
        command.flags |= OPPROF_OPENCL_NO_TIMES;
    }
    taking->record = (const uint8_t *) &command;
    return append(&process->commands, &process->command_room, &process->command_count, taking);
}

static OpprofStatus take_call(Taking *taking)
{
    Process *process = taking->process;
    OpprofOpenclCall call;

    memcpy(&call, taking->record, sizeof call);
    if (call.function > process->name_count || call.queue > process->queue_count ||
        !is_period(call.called, call.returned)) {
        return refuse(taking, "a call has a wrong function, queue or time");
    }
    return append(&process->calls, &process->call_room, &process->call_count, taking);
}

static OpprofStatus take_wait(Taking *taking)
{
    Process *process = taking->process;

    return append(&process->waits, &process->wait_room, &process->wait_count, taking);
}

static OpprofStatus take_memory(Taking *taking)
{
    Process *process = taking->process;
    OpprofOpenclMemory memory;

    memcpy(&memory, taking->record, sizeof memory);
    if (memory.device > process->device_count || memory.host > INT64_MAX / 2 ||
        memory.bytes > INT64_MAX / 4 || memory.bytes < -(INT64_MAX / 4)) {
        return refuse(taking, "an allocation has a wrong device, time or size");
    }
    return append(&process->memory, &process->memory_room, &process->memory_count, taking);
}

static OpprofStatus take_clock(Taking *taking)
{
    Process *process = taking->process;
    OpprofOpenclClock clock;

    memcpy(&clock, taking->record, sizeof clock);
    if (clock.device == 0 || clock.device > process->device_count ||
        !is_period(clock.before, clock.after) || clock.time > INT64_MAX / 2) {
        return refuse(taking, "a clock has a wrong device or time");
    }
    return append(&process->clocks, &process->clock_room, &process->clock_count, taking);
}

static OpprofStatus take_end(Taking *taking)
{
    OpprofOpenclEnd end;

    memcpy(&end, taking->record, sizeof end);
    taking->process->lost = end.lost;
    taking->process->has_ended = true;
    return OPPROF_OK;
}

/* ---- messages ---- */

/* What records of each kind are: their size, whether a text may follow, and who takes them. */
static const struct {
    size_t size;
    bool has_text;
    OpprofStatus (*take)(Taking *taking);
} kinds[] = {
    [OPPROF_OPENCL_BEGIN] = { sizeof(OpprofOpenclBegin), false, take_begin },
    [OPPROF_OPENCL_NAME] = { sizeof(OpprofOpenclName), true, take_name },
    [OPPROF_OPENCL_DEVICE] = { sizeof(OpprofOpenclDevice), true, take_device },
    [OPPROF_OPENCL_QUEUE] = { sizeof(OpprofOpenclQueue), false, take_queue },
    [OPPROF_OPENCL_PROGRAM] = { sizeof(OpprofOpenclProgram), true, take_program },
    [OPPROF_OPENCL_KERNEL] = { sizeof(OpprofOpenclKernel), false, take_kernel },
    [OPPROF_OPENCL_COMMAND] = { sizeof(OpprofOpenclCommand), false, take_command },
    [OPPROF_OPENCL_CALL] = { sizeof(OpprofOpenclCall), false, take_call },
    [OPPROF_OPENCL_WAIT] = { sizeof(OpprofOpenclWait), false, take_wait },
    [OPPROF_OPENCL_MEMORY] = { sizeof(OpprofOpenclMemory), false, take_memory },
    [OPPROF_OPENCL_CLOCK] = { sizeof(OpprofOpenclClock), false, take_clock },
    [OPPROF_OPENCL_END] = { sizeof(OpprofOpenclEnd), false, take_end },
};

OpprofStatus ProcessTake(Process *process, const uint8_t *bytes, size_t size, const char **ret_why)
{
    Taking taking = { .process = process };
    OpprofStatus status = OPPROF_OK;
    size_t at = 0;

    while (status == OPPROF_OK && at < size) {
        OpprofOpenclHead head = { .kind = 0 };
        size_t fixed;

        memcpy(&head, bytes + at, size - at < sizeof head ? size - at : sizeof head);
        fixed = head.kind >= OPPROF_COUNT(kinds) ? 0 : kinds[head.kind].size;
        if (size - at < sizeof head || fixed == 0 || head.size < fixed || head.size > size - at ||
            (head.size > fixed && !kinds[head.kind].has_text)) {
            status = refuse(&taking, "a record is cut, or has a wrong kind or length");
            break;
        }
        taking.record = bytes + at;
        taking.size = fixed;
        taking.text = (const char *) bytes + at + fixed;
        taking.length = head.size - fixed;
        status = kinds[head.kind].take(&taking);
        at += OpprofOpenclPadded(head.size);
    }
    *ret_why = taking.why;
    return status;
}

/* ---- answers ---- */

ProcessDevice *ProcessDeviceOfQueue(const Process *process, uint32_t queue)
{
    return queue == 0 || queue > process->queue_count
               ? NULL
               : &process->devices[process->queues[queue - 1].device - 1];
}

const OpprofOpenclKernel *ProcessKernelOf(const Process *process,
                                          const OpprofOpenclCommand *command)
{
    return command->kernel == 0 ? NULL : &process->kernels[command->kernel - 1];
}

uint32_t ProcessName(const Process *process, uint32_t number)
{
    return number == 0 ? OPPROF_NA_STRING : process->names[number - 1];
}

void ProcessFinish(Process *process)
{
    for (uint32_t i = 0; i < process->program_count; i++) {
        free(process->programs[i].source);
    }
    free(process->names);
    free(process->devices);
    free(process->queues);
    free(process->programs);
    free(process->kernels);
    free(process->commands);
    free(process->calls);
    free(process->waits);
    free(process->memory);
    free(process->clocks);
}
