/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Logs of the device's CPU (AI CPU), as text or as records: an operator for each.
 * Tested by tests/plugins/collect-mindspore/test_raw.sh.
 */
#include "parse-mindspore/device.h"
#include "parse-mindspore/fields.h"

#include <inttypes.h>
#include <opprof/kit/bytes.h>
#include <stdio.h>
#include <string.h>

#define RECORD_BYTES 128u
#define MAGIC 0x5a5au
#define TAG_NODE 60u
#define TAG_DATASET 100u

/* The type in a kernel's name: up to its first '-'. */
static uint32_t type_in(const Device *device, const char *name, size_t length)
{
    const char *dash = memchr(name, '-', length);

    return DeviceIntern(device, name, dash == NULL ? length : (size_t) (dash - name));
}

/* A kernel runs one time after the other: `key` is the kernel, `start` its beginning. */
static OpprofStatus emit(Device *device, Log *log, OpprofMindsporeAicpu *node, uint32_t key)
{
    int order;

    if (!TasksCompare(&device->latest, key, (uint64_t) node->start_us, &order)) {
        return OPPROF_E_MEMORY;
    }
    LogNote(log, &log->again, order <= 0);
    node->serial = ++device->aicpu.serial;
    node->device = device->id;
    return node->kernel_name == OPPROF_NA_STRING || node->kernel_type == OPPROF_NA_STRING
               ? OPPROF_E_MEMORY
               : OpprofStageAppend(device->stage, PORT_AICPU, device->id, node);
}

/* ---- text ---- */

/* The number after a key, and a second one after a blank, if there is one. False: there is no such
 * key. */
static bool find_numbers(const char *text, size_t length, const char *key, uint64_t *ret_first,
                         uint64_t *ret_second)
{
    const char *const end = text + length;
    const char *at = memmem(text, length, key, strlen(key));
    uint64_t *const values[] = { ret_first, ret_second };

    if (at == NULL) {
        return false;
    }
    at += strlen(key);
    for (size_t i = 0; i < 2; i++) {
        Field field;

        while (at < end && *at == ' ') {
            at++;
        }
        field.text = at;
        while (at < end && *at >= '0' && *at <= '9') {
            at++;
        }
        field.length = (size_t) (at - field.text);
        if (!FieldNumber(&field, values[i])) {
            *values[i] = OPPROF_NA_U64;
            return i > 0;
        }
    }
    return true;
}

/* "[…] Node:<name>, Run start:<us>[ <ticks>], …, Run end:<us>[ <ticks>]" */
static bool read_node(const Device *device, const char *text, size_t length,
                      OpprofMindsporeAicpu *node)
{
    const char *name = memmem(text, length, "Node:", 5);
    const char *end =
        name == NULL ? NULL : memmem(name, length - (size_t) (name - text), ", Run", 5);
    uint64_t start, start_tick, stop, stop_tick;

    if (end == NULL ||
        (!find_numbers(text, length, "Run tart:", &start, &start_tick) &&
         !find_numbers(text, length, "Run start:", &start, &start_tick)) ||
        !find_numbers(text, length, "Run end:", &stop, &stop_tick)) {
        return false;
    }
    name += 5;
    size_t size = (size_t) (end - name);
    if (memmem(text, length, "compute start:", 14) != NULL) {
        const char *slash = memrchr(name, '/', size);
        const char *dash;

        size -= slash == NULL ? 0 : (size_t) (slash + 1 - name);
        name = slash == NULL ? name : slash + 1;
        dash = memchr(name, '-', size);
        size = dash == NULL ? size : (size_t) (dash - name);
    }
    *node = (OpprofMindsporeAicpu){
        .execution_us = (double) (int64_t) (stop - start),
        .start_us = start_tick == OPPROF_NA_U64 ? (double) start : (double) start_tick / 100,
        .end_us = stop_tick == OPPROF_NA_U64 ? (double) stop : (double) stop_tick / 100,
        .start_tick = start_tick,
        .end_tick = stop_tick,
        .task = OPPROF_NA_U64,
        .stream = OPPROF_NA_U32,
        .device = device->id,
        .kernel_name = DeviceIntern(device, name, size),
        .kernel_type = type_in(device, name, size),
    };
    return true;
}

static OpprofStatus take_thread(Device *device, Log *log, const char *text, size_t length)
{
    Aicpu *aicpu = &device->aicpu;
    uint64_t dispatch, total, none, start, end;

    if (aicpu->node.device == OPPROF_NA_STRING) {
        aicpu->threads++;
        return OPPROF_OK;
    }
    if (!find_numbers(text, length, "dispatchTime=", &dispatch, &none) ||
        !find_numbers(text, length, "totalTime=", &total, &none)) {
        LogNote(log, &log->odd, 1);
        return OPPROF_OK;
    }
    aicpu->node.dispatch_us = (double) dispatch;
    aicpu->node.total_us = (double) total;
    if (find_numbers(text, length, "tickBeforeRun=", &start, &none) &&
        find_numbers(text, length, "tickAfterRun=", &end, &none) && start < end) {
        aicpu->node.start_tick = start;
        aicpu->node.end_tick = end;
    }
    const OpprofStatus status = emit(device, log, &aicpu->node, aicpu->node.kernel_name);
    aicpu->node.device = OPPROF_NA_STRING;
    return status;
}

static OpprofStatus take_text(Device *device, Log *log, const unsigned char *bytes, size_t length)
{
    const char *text = (const char *) bytes;
    OpprofMindsporeAicpu node;

    log->records++;
    if (memmem(text, length, "Thread[", 7) != NULL) {
        return take_thread(device, log, text, length);
    }
    if (memmem(text, length, "Node:", 5) == NULL) {
        for (size_t i = 0; i < length; i++) {
            if (strchr(" \t\r\n", text[i]) == NULL &&
                memmem(text, length, ", source:", 9) == NULL) {
                LogNote(log, &log->odd, 1); /* neither white space nor of a data set */
                break;
            }
        }
        return OPPROF_OK;
    }
    if (device->aicpu.node.device != OPPROF_NA_STRING) {
        LogNote(log, &log->skipped, 1); /* the node before has no thread */
        device->aicpu.node.device = OPPROF_NA_STRING;
    }
    if (!read_node(device, text, length, &node)) {
        LogNote(log, &log->odd, 1);
        return OPPROF_OK;
    }
    device->aicpu.node = node;
    return OPPROF_OK;
}

static OpprofStatus end_of_text(Device *device, Log *log)
{
    Aicpu *aicpu = &device->aicpu;

    if (aicpu->node.device != OPPROF_NA_STRING) {
        LogNote(log, &log->skipped, 1);
    }
    if (aicpu->serial > 0) {
        LogNote(log, &log->skipped, aicpu->threads); /* their nodes are missing */
    } else if (aicpu->threads > 0) {
        OpprofStageWarn(device->stage,
                        "'%s' has %" PRIu64 " record(s) of threads, but none of an "
                        "operator",
                        log->file, aicpu->threads);
    }
    *aicpu = (Aicpu){ .serial = 0 };
    return OPPROF_OK;
}

/* ---- records ---- */

/* The kernel of a task: the last part of its operator's name, or else its numbers. */
static void name_kernel(const Device *device, OpprofMindsporeAicpu *node)
{
    const Task *task = TasksFind(&device->tasks, node->stream, node->task);
    char numbers[48];
    const char *name = numbers;

    snprintf(numbers, sizeof numbers, "%" PRIu32 "_%" PRIu64, node->stream, node->task);
    if (task != NULL) {
        const Operation *operation = &device->tasks.operations[task->operation];
        const char *full = OpprofStageString(device->stage, operation->name);
        const char *slash = strrchr(full, '/');

        name = slash == NULL ? full : slash + 1;
        node->kernel_type = operation->type;
    }
    node->kernel_name = DeviceIntern(device, name, strlen(name));
    if (node->kernel_type == OPPROF_NA_STRING) {
        node->kernel_type = type_in(device, name, strlen(name));
    }
}

static OpprofStatus take_one(Device *device, Log *log, const unsigned char *record)
{
    OpprofMindsporeAicpu node = {
        .stream = OpprofLoadLe16(record + 4),
        .task = OpprofLoadLe16(record + 6),
        .start_tick = OpprofLoadLe64(record + 16),
        .end_tick = OpprofLoadLe64(record + 56),
        .execution_us =
            (double) (int64_t) (OpprofLoadLe64(record + 48) - OpprofLoadLe64(record + 8)),
        .dispatch_us = OpprofLoadLe32(record + 108),
        .total_us = OpprofLoadLe32(record + 112),
    };

    if (OpprofLoadLe16(record) != MAGIC ||
        (OpprofLoadLe16(record + 2) != TAG_NODE && OpprofLoadLe16(record + 2) != TAG_DATASET)) {
        LogNote(log, &log->skipped, 1);
        return OPPROF_OK;
    }
    if (OpprofLoadLe16(record + 2) == TAG_DATASET || node.start_tick == 0 || node.end_tick == 0) {
        return OPPROF_OK;
    }
    node.start_us = (double) node.start_tick / 100;
    node.end_us = (double) node.end_tick / 100;
    if (!TasksUnwrap(&device->tasks, &device->counted, node.stream, &node.task)) {
        return OPPROF_E_MEMORY;
    }
    name_kernel(device, &node);
    return emit(device, log, &node, node.stream << 16 | ((uint32_t) node.task & 0xffffu));
}

static OpprofStatus take_records(Device *device, Log *log, const unsigned char *records,
                                 size_t count)
{
    OpprofStatus status = OPPROF_OK;

    for (size_t i = 0; i < count && status == OPPROF_OK; i++) {
        log->records++;
        status = take_one(device, log, records + i * RECORD_BYTES);
    }
    return status;
}

static OpprofStatus end_of_records(Device *device, Log *log)
{
    (void) log;
    device->aicpu = (Aicpu){ .serial = 0 };
    UnwrapFinish(&device->counted);
    return OPPROF_OK;
}

/* The first two bytes of the log tell which. */
const Format aicpu_formats[] = {
    { .kind = "aicpu",
      .record_bytes = RECORD_BYTES,
      .mark = MAGIC,
      .is_binary = true,
      .source = "aicpu",
      .take = take_records,
      .end_of_log = end_of_records },
    { .kind = "aicpu",
      .end = '\0',
      .source = "aicpu",
      .take = take_text,
      .end_of_log = end_of_text },
    { .kind = NULL },
};
